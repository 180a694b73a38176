//! The exact engine against SciPy's `solve_ivp` (DOP853, rtol 1e-10, events, the same stick-slip logic), in one run.
//!
//! Needs `python3` with SciPy; without it the bench says so. The bars: 2000 times faster over 100 periods at equal or better
//! accuracy, 1000 times faster for a frequency response.

use std::f64::consts::TAU;
use std::process::Command;
use std::time::Instant;
use stiction::Progress;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Steady, sweep};
use stiction::system::{Motion, System};

const OMEGA: f64 = 0.5;
const PERIODS: usize = 100;

fn system(omega: f64) -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None });
    System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(2.0, omega)
}

/// Seconds, events and last position of the transient.
fn transient() -> (f64, usize, f64) {
    let t_end = PERIODS as f64 * TAU / OMEGA;
    let (mut best, mut n_events, mut motion) = (f64::INFINITY, 0, Motion::zero(1, 1));
    for _ in 0..50 {
        let start = Instant::now();
        let mut exact = Exact::new(&system(OMEGA)).unwrap();
        n_events = 0;
        while exact.t() < t_end {
            exact.step(t_end).unwrap();
            n_events += exact.events().len();
        }
        exact.motion(t_end, &mut motion);
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, n_events, motion.position[0])
}

/// Seconds for each point of a response of 1000 points.
fn response() -> f64 {
    let values: Vec<f64> = (0..1000).map(|i| 0.3 + 1.5 * f64::from(i) / 999.0).collect();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        let points = sweep(&Steady::default(), &system, &values, &mut Progress::none()).unwrap();
        assert_eq!(points.len(), 1000);
        best = best.min(start.elapsed().as_secs_f64() / 1000.0);
    }
    best
}

fn main() {
    let (seconds, n_events, u) = transient();
    let point = response();
    println!("forced stick-slip oscillator, {PERIODS} periods, {n_events} events");
    println!(
        "  exact             {:12.1} µs   {:8.0} ns/event",
        1e6 * seconds,
        1e9 * seconds / n_events as f64
    );
    println!("  response          {:12.1} µs/point (1000 points)", 1e6 * point);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/solve_ivp.py");
    let args = [script.to_owned(), OMEGA.to_string(), PERIODS.to_string()];
    let output = Command::new("python3").args(&args).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    let Ok(json) = serde_json::from_str::<serde_json::Value>(&text) else {
        println!("  no python3 with scipy here: nothing to compare with (pip install scipy)");
        return;
    };
    let number = |key: &str| json[key].as_f64().unwrap_or(f64::NAN);
    println!("  scipy             {:12.1} µs   {} events", 1e6 * number("seconds"), number("events"));
    println!("  scipy response    {:12.1} µs/point (8 points by transients)", 1e6 * number("point"));
    println!("  ratio transient   {:12.0}   (bar: 2000)", number("seconds") / seconds);
    println!("  ratio response    {:12.0}   (bar: 1000)", number("point") / point);
    println!("  last positions differ by {:.1e} m", (u - number("u")).abs());
}

//! The incremental scheme against the same arithmetic in a plain C loop (`gcc -O2`), in one run.
//!
//! Prints ns per step of both and their ratio; the bar is 1.2. Rounds alternate, and the best of each counts.

use std::f64::consts::TAU;
use std::process::Command;
use std::time::Instant;
use stiction::Progress;
use stiction::law::{FrictionLaw, Trigonometric};
use stiction::simulate::{Incremental, Integrator, Plan, Stepper, drive};
use stiction::system::{Dynamics, Motion, System};

const STEPS: u64 = 400_000;
const ROUNDS: usize = 7;

fn system() -> System {
    let law = Trigonometric { mu: 1.6, width: 0.8, rise: None, rise_height: None };
    System::oscillator(1.0, 0.1, 1.0).with_friction(FrictionLaw::Trigonometric(law)).with_force(4.0, 1.0)
}

/// ns per step of the stepper alone, and the last position.
fn stepper() -> (f64, f64) {
    let dynamics = Dynamics::new(&system()).unwrap();
    let start = Instant::now();
    let t_end = 20.0 * TAU;
    let mut stepper = Incremental::start(dynamics, t_end / STEPS as f64, t_end).unwrap();
    stepper.advance(t_end, STEPS).unwrap();
    let ns = start.elapsed().as_nanos() as f64 / STEPS as f64;
    let mut motion = Motion::zero(1, 1);
    stepper.motion(t_end, &mut motion);
    (ns, motion.position[0])
}

/// ns per step with the driver: extrema, events, samples over the last two periods.
fn driven() -> f64 {
    let times = (0..2001).map(|i| 18.0 * TAU + 2.0 * TAU * f64::from(i) / 2000.0).collect();
    let plan = Plan {
        t_end: 20.0 * TAU,
        window: [18.0 * TAU, 20.0 * TAU],
        times,
        lands_on_times: false,
        max_steps: None,
    };
    let integrator = Integrator::Incremental { step: TAU / 20_000.0 };
    let start = Instant::now();
    let record = drive(&system(), &integrator, &plan, &mut Progress::none()).unwrap();
    assert_eq!(record.work.steps, STEPS);
    start.elapsed().as_nanos() as f64 / STEPS as f64
}

/// Compiles the C loop; `None` without a C compiler.
fn compile() -> Option<std::path::PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/incremental.c");
    let program = std::env::temp_dir().join(format!("stiction-incremental-{}", std::process::id()));
    let status = Command::new("gcc").args(["-O2", "-o"]).arg(&program).args([source, "-lm"]).status().ok()?;
    status.success().then_some(program)
}

fn main() {
    let program = compile();
    let (mut rust, mut c, mut all) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let (mut u_rust, mut u_c) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        let (ns, u) = stepper();
        (rust, u_rust) = (rust.min(ns), u);
        all = all.min(driven());
        if let Some(program) = &program {
            let output =
                Command::new(program).args([STEPS.to_string().as_str(), "1", "1.0"]).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let numbers: Vec<f64> = text.split_whitespace().map(|x| x.parse().unwrap()).collect();
            (c, u_c) = (c.min(numbers[0]), numbers[1]);
        }
    }
    println!("incremental scheme, {STEPS} steps, best of {ROUNDS} rounds");
    println!("  rust stepper        {rust:8.2} ns/step");
    println!("  rust with driver    {all:8.2} ns/step");
    match program {
        Some(program) => {
            println!("  C loop (gcc -O2)    {c:8.2} ns/step");
            println!("  ratio stepper / C   {:8.3}   (bar: 1.2)", rust / c);
            println!("  ratio driver / C    {:8.3}", all / c);
            println!("  last positions differ by {:.1e} m", (u_rust - u_c).abs());
            let _ = std::fs::remove_file(program);
        }
        None => println!("  no gcc here: nothing to compare with"),
    }
}

//! A response costs as its number of points: time of 100 000 points over 20 times that of 5 000. Its points are worked on in lanes: the same
//! sweep of the core by the search for one point, by one lane and by eight, one after the other on one core.

use std::hint::black_box;
use std::time::Instant;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Steady, SweepLanes, SystemFamily, sweep_in};
use stiction::system::System;
use stiction_study::Study;

/// Points of the short response and of the long one.
const POINTS: [usize; 2] = [5_000, 100_000];
/// What the quotient may be.
const BOUND: f64 = 1.3;

/// Time of the response of a forced oscillator under Coulomb friction (s).
fn seconds(points: usize) -> f64 {
    let text = format!(
        "[system.oscillator]\nmass = 1\nstiffness = 1\ndamping = 0.1\n\
         force = {{ amplitude = 4, omega = 1 }}\nfriction.coulomb.mu = 3.2\n\
         [analysis.response]\nparameter = \"omega\"\nfrom = 0.2\nto = 2\npoints = {points}\n"
    );
    let study = match Study::read("bench.toml", &text, &[]) {
        Ok(study) => study,
        Err(faults) => panic!("{faults:?}"),
    };
    // the long one takes seconds, the short one is repeated to be as sure
    let repeats = POINTS[1] / points;
    let start = Instant::now();
    let before = busy(start);
    for _ in 0..repeats {
        black_box(study.run(&mut Progress::none()).is_ok());
    }
    (busy(start) - before) / repeats as f64
}

/// The same oscillator over its frequency.
struct ForcedFamily(System);

impl SystemFamily for ForcedFamily {
    fn at(&self, omega: f64) -> System {
        let mut system = self.0.clone();
        self.set(&mut system, omega);
        system
    }

    fn set(&self, system: &mut System, omega: f64) {
        system.harmonics[0].omega = omega;
    }
}

/// Time that this thread has had of a processor (s), where the system tells it; else time passed since `start`.
fn busy(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |time| 1e-9 * time)
}

/// Points a second of the sweep of the core, and evaluations of the map a point.
fn rate(points: usize, lanes: SweepLanes) -> (f64, f64) {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 3.2, mu_static: None });
    let family = ForcedFamily(System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0, 1.0));
    let values: Vec<f64> = (0..points).map(|i| 0.2 + 1.8 * i as f64 / (points - 1) as f64).collect();
    let mut evaluations = 0.0;
    // clocks of processors may tick in milliseconds
    let repeats = POINTS[1] / points;
    let start = Instant::now();
    let before = busy(start);
    for _ in 0..repeats {
        let swept = sweep_in(lanes, &Steady::default(), &family, &values, &mut Progress::none());
        let orbits = swept.iter().flatten().flat_map(|point| &point.orbit);
        evaluations = orbits.map(|orbit| f64::from(orbit.iterations + orbit.periods)).sum();
    }
    let time = (busy(start) - before) / repeats as f64;
    (points as f64 / time, evaluations / points as f64)
}

/// Prints the rates of all ways.
fn lanes(points: usize) {
    let ways =
        [("alone", SweepLanes::Off), ("one lane", SweepLanes::One), ("eight lanes", SweepLanes::Eight)];
    // the best of several runs, which take turns
    let mut best = [(0.0, 0.0); 3];
    for _ in 0..3 {
        for (best, (_, way)) in best.iter_mut().zip(ways) {
            let now = rate(points, way);
            *best = if now.0 > best.0 { now } else { *best };
        }
    }
    for ((name, _), (rate, evaluations)) in ways.iter().zip(best) {
        println!("{points} points, {name}: {rate:.0} points/s, {evaluations:.2} periods a point");
    }
    let [alone, one, eight] = best.map(|best| best.0);
    println!(
        "eight lanes: {:.1} times the search for one point (≥ 3), {:.2} times one lane",
        eight / alone,
        eight / one
    );
}

fn main() {
    lanes(1_000);
    lanes(POINTS[1]);
    let [short, long] = POINTS.map(seconds);
    let quotient = long / (short * POINTS[1] as f64 / POINTS[0] as f64);
    println!("{long:.2} s for {} points, {quotient:.3} of linear (≤ {BOUND})", POINTS[1]);
    let rates = [(POINTS[0], short), (POINTS[1], long)].map(|(points, time)| points as f64 / time);
    println!("{:.0} points/s of the short response, {:.0} of the long one, one thread", rates[0], rates[1]);
}

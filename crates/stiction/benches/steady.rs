//! Time per point of a frequency response.

use std::hint::black_box;
use std::time::Instant;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw, Tanh};
use stiction::steady::{Steady, sweep};
use stiction::system::System;

/// Points of the response.
const POINTS: usize = 1000;

/// Sweeps `family` over the frequencies a few times; prints the best time per point.
fn measure(name: &str, n_points: usize, range: [f64; 2], family: &dyn Fn(f64) -> System) {
    let [from, to] = range;
    let omegas: Vec<f64> =
        (0..n_points).map(|i| from + (to - from) * i as f64 / (n_points - 1) as f64).collect();
    let mut best = f64::INFINITY;
    let (mut found, mut evaluations) = (0, 0);
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < 1.0 {
        let start = Instant::now();
        let points = sweep(&Steady::default(), family, &omegas, &mut Progress::none()).unwrap();
        best = best.min(start.elapsed().as_secs_f64());
        let orbits: Vec<_> = points.iter().flat_map(|point| &point.orbit).collect();
        found = orbits.len();
        evaluations =
            orbits.iter().map(|orbit| orbit.convergence.iterations + orbit.convergence.periods).sum();
        black_box(points);
    }
    let periods = f64::from(evaluations) / found as f64;
    println!(
        "{name:<44} {found:>5} points  {periods:>5.1} periods  {:>10.2} µs/point",
        1e6 * best / found as f64
    );
}

fn main() {
    let coulomb = |mu: f64, mu_static: f64| FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) });
    let family = |damping: f64, law: FrictionLaw| {
        move |omega: f64| {
            System::oscillator(1.0, damping, 1.0).with_friction(law.clone()).with_force(4.0, omega)
        }
    };
    measure("stick-slip, 0.2 … 2 ω₀", POINTS, [0.2, 2.0], &family(0.1, coulomb(3.2, 3.2)));
    measure("static above kinetic, 0.2 … 2 ω₀", POINTS, [0.2, 2.0], &family(0.1, coulomb(1.0, 1.3)));
    measure("several stops, 0.05 … 0.2 ω₀", POINTS, [0.05, 0.2], &family(0.1, coulomb(1.6, 1.6)));
    measure(
        "tanh, adaptive, 0.2 … 2 ω₀",
        50,
        [0.2, 2.0],
        &family(0.1, FrictionLaw::Tanh(Tanh { mu: 3.2, width: 0.01 })),
    );
}

//! Time per event of the exact method.

// a bench that cannot run may panic
#![allow(clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Instant;
use stiction::Progress;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::Matrix;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::{Contact, System};

fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

/// Runs `system` for `t_end` a few times; prints the best time per event.
fn measure(name: &str, system: &System, t_end: f64) {
    let mut best = f64::INFINITY;
    let mut n = 0;
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < 1.0 {
        let mut exact = Exact::new(system).unwrap();
        n = 0;
        let start = Instant::now();
        while exact.t() < t_end {
            exact.step(t_end).unwrap();
            n += exact.events().len();
        }
        best = best.min(start.elapsed().as_secs_f64());
        black_box(exact.t());
    }
    println!("{name:<44} {n:>8} events  {:>10.0} ns/event", 1e9 * best / n as f64);
}

/// Time per event with facts and samples, and the part of the energy that does not balance.
fn measure_reported(name: &str, system: &System, t_end: f64) {
    let plan = Plan::new(t_end, 201);
    let start = Instant::now();
    let record = drive(system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
    let time = start.elapsed().as_secs_f64();
    let n = record.events.len();
    println!(
        "{name:<44} {n:>8} events  {:>10.0} ns/event, with facts; energy off by {:.0e}",
        1e9 * time / n as f64,
        record.energy_share()
    );
}

/// Blocks on a belt, each held by a leaf spring and coupled to its neighbours.
fn chain(n: usize) -> System {
    let mut stiffness = Matrix::diagonal(&vec![1.0; n]);
    for i in 1..n {
        for (a, b, k) in [(i, i, 4.0), (i - 1, i - 1, 4.0), (i, i - 1, -4.0), (i - 1, i, -4.0)] {
            *stiffness.at_mut(a, b) += k;
        }
    }
    let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
    let contact =
        |i| Contact { friction: coulomb(0.3, 0.5).into(), load: 1.0, direction: unit(i), belt: 0.1 };
    let wave = |i: usize| 0.1 * (1.7 * i as f64 * i as f64).sin();
    System {
        elements: Default::default(),
        mass: Matrix::diagonal(&vec![1.0; n]),
        damping: Matrix::zeros(n, n),
        stiffness,
        contacts: (0..n).map(contact).collect(),
        constant: vec![0.0; n],
        harmonics: Vec::new(),
        position: (0..n).map(wave).collect(),
        velocity: vec![0.1; n],
    }
}

fn main() {
    let forced = |c, p, omega, mu, mu_static| {
        System::oscillator(1.0, c, 1.0).with_friction(coulomb(mu, mu_static)).with_force(p, omega)
    };
    measure("stick-slip, two stops per period", &forced(0.1, 4.0, 1.0, 3.2, 3.2), 5e3);
    measure("stick-slip, static above kinetic", &forced(0.05, 2.0, 0.5, 0.8, 1.2), 5e3);
    measure("stick-slip, undamped", &forced(0.0, 1.0, 0.4, 0.6, 0.6), 5e3);
    measure("reversals at resonance", &forced(0.1, 4.0, 1.0, 1.6, 1.6), 5e3);
    let mut belt = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.5, 0.8));
    belt.contacts[0].belt = 0.2;
    measure("mass on a belt", &belt, 5e3);
    for n in [2, 10, 100] {
        measure(&format!("chain of {n} blocks on a belt"), &chain(n), 50.0);
    }
    for (n, t_end) in [(100, 50.0), (1000, 3.0)] {
        measure_reported(&format!("chain of {n} blocks on a belt"), &chain(n), t_end);
    }
}

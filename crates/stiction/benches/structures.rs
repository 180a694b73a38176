//! A beam with a dry contact at its tip: the bare exact engine, the same told under the driver, harmonic balance, and steady states by shooting.

// a bench that cannot run may panic
#![allow(clippy::unwrap_used)]

#[path = "../tests/support/beams.rs"]
mod beams;

use beams::cantilever;
use std::hint::black_box;
use std::time::Instant;
use stiction::Progress;
use stiction::exact::Exact;
use stiction::harmonic::HarmonicBalance;
use stiction::law::{FrictionLaw, Tanh};
use stiction::math::Matrix;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::{State, Steady};
use stiction::system::System;

const PERIODS: f64 = 6.0;

/// Best of some runs (s).
fn best(mut run: impl FnMut()) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < 1.0 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// Events in six periods, and the time of one period of the bare engine (s).
fn bare(system: &System) -> (usize, f64) {
    let end = PERIODS * system.period().unwrap();
    let mut events = 0;
    let time = best(|| {
        let mut exact = Exact::new(system).unwrap();
        events = 0;
        while exact.t() < end {
            exact.step(end).unwrap();
            events += exact.events().len();
        }
        black_box(exact.t());
    });
    (events, time / PERIODS)
}

/// The cantilever of 8 elements with a small mass on a spring at its middle, whose own rate is `rate` (1/s).
fn with_rider(rate: f64) -> System {
    let beam = cantilever(8, 0.0, 0.0);
    let (n, middle, mass) = (beam.n(), 6, 1e-3);
    let bordered = |matrix: &Matrix| {
        let mut wider = Matrix::zeros(n + 1, n + 1);
        (0..n * n).for_each(|i| *wider.at_mut(i / n, i % n) = matrix.at(i / n, i % n));
        wider
    };
    let (mut m, mut k) = (bordered(&beam.mass), bordered(&beam.stiffness));
    *m.at_mut(n, n) = mass;
    let spring = mass * rate * rate;
    for (i, j, sign) in [(n, n, 1.0), (middle, middle, 1.0), (n, middle, -1.0), (middle, n, -1.0)] {
        *k.at_mut(i, j) += sign * spring;
    }
    let mut system = beam;
    let longer = |x: &mut Vec<f64>| x.push(0.0);
    system.contacts.iter_mut().for_each(|contact| longer(&mut contact.direction));
    system.harmonics.iter_mut().for_each(|harmonic| longer(&mut harmonic.amplitude));
    [&mut system.constant, &mut system.position, &mut system.velocity].into_iter().for_each(longer);
    system.damping = Matrix { data: k.data.iter().map(|k| 0.01 * k).collect(), ..k };
    (system.mass, system.stiffness) = (m, k);
    system
}

fn main() {
    println!("cantilever, contact at its tip, C = 0.01 K");
    let mut first = None;
    for n in [8, 26, 80] {
        let system = cantilever(n, 0.0, 0.01);
        let (events, time) = bare(&system);
        let per_event = PERIODS * time / events as f64 / (2 * n) as f64;
        let ratio = per_event / *first.get_or_insert(per_event);
        println!(
            "{:>4} degrees of freedom {events:>4} events {:>9.3} ms a period, {ratio:.2} of the first per event and degree",
            2 * n,
            1e3 * time
        );
    }
    // the highest rate grows with the fourth power of the number of elements: a hundredfold from 8 to 26
    for n in [8, 26] {
        let system = cantilever(n, 0.0, 0.01);
        let plan = Plan::new(PERIODS * system.period().unwrap(), 2001);
        let mut share = 0.0;
        let told = best(|| {
            let record = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
            share = record.energy_share();
        });
        println!(
            "{:>4} degrees of freedom, told with 2001 samples {:>9.3} ms a period, energy residual {share:.0e}",
            2 * n,
            1e3 * told / PERIODS
        );
    }

    println!("the same with a small mass on a stiff spring: the highest rate alone grows");
    let mut first = None;
    for rate in [2e4, 2e5, 2e6] {
        let system = with_rider(rate);
        let (events, bare) = bare(&system);
        let plan = Plan::new(PERIODS * system.period().unwrap(), 0);
        let told = best(|| drop(drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap()));
        let per_event = [PERIODS * bare / events as f64, told / events as f64];
        let [a, b] = *first.get_or_insert(per_event);
        println!(
            "{rate:>8.0e} 1/s {events:>4} events {:>9.1} µs an event, told {:.1} µs: {:.2} and {:.2} of the first",
            1e6 * per_event[0],
            1e6 * per_event[1],
            per_event[0] / a,
            per_event[1] / b
        );
    }

    let mut system = cantilever(8, 0.0, 0.01);
    system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
    let method = HarmonicBalance::fixed(15);
    let near = method.solve(&system, None).unwrap();
    let cold = best(|| drop(black_box(method.solve(&system, None).unwrap())));
    let warm = best(|| drop(black_box(method.solve(&system, Some(&near)).unwrap())));
    println!(
        "harmonic balance, tanh, 15 harmonics: {:.3} ms from nothing, {:.3} ms from a neighbour",
        1e3 * cold,
        1e3 * warm
    );
    let error = near.truncation / near.amplitude(14);
    println!("  stated error {error:.1e} of the amplitude");

    println!("steady state by shooting, tanh, from the motion by harmonic balance");
    for n in [8, 20] {
        let mut system = cantilever(n, 0.0, 0.01);
        system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
        let motion = method.solve(&system, None).unwrap();
        let start = State {
            position: (0..2 * n).map(|i| motion.position_at(i, 0.0)).collect(),
            velocity: (0..2 * n).map(|i| motion.velocity_at(i, 0.0)).collect(),
            memory: Vec::new(),
        };
        let steady = Steady { transient: 0, dof: 2 * n - 2, ..Steady::default() };
        let mut periods = 0;
        let time = best(|| {
            let orbit = steady.from(&system, &start, &mut Progress::none()).unwrap();
            periods = orbit.iterations + orbit.periods;
        });
        println!("{:>4} degrees of freedom {:>9.1} ms, {periods} periods", 2 * n, 1e3 * time);
    }
}

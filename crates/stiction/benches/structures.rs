//! A beam with a dry contact at its tip: the bare exact engine, the same told under the driver, and harmonic balance.

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
use stiction::simulate::{Integrator, Plan, drive};
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
}

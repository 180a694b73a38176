//! A steep law at resonance: work and error of `adaptive` against a finer tolerance.

use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{FrictionLaw, Trigonometric};
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::System;

fn trigonometric(mu: f64, width: f64) -> FrictionLaw {
    FrictionLaw::Trigonometric(Trigonometric { mu, width, rise: None, rise_height: None })
}

fn run(system: &System, method: Method, tolerance: f64, plan: &Plan) -> Record {
    let settings = Adaptive { rtol: tolerance, atol: tolerance, method, ..Adaptive::default() };
    drive(system, &Integrator::Adaptive(settings), plan, &mut Progress::none()).unwrap()
}

/// The case of the promised speed: width 0.02, 20 periods.
fn resonance() -> System {
    System::oscillator(1.0, 0.1, 1.0).with_friction(trigonometric(1.6, 0.02)).with_force(4.0, 1.0)
}

#[test]
fn a_steep_law_errs_by_few_tolerances() {
    let plan = Plan::new(20.0 * TAU, 2);
    let found = run(&resonance(), Method::Auto, 1e-9, &plan);
    // met: 7607 evaluations
    assert!(found.work.evaluations <= 8000, "{:?}", found.work);
    let fine = run(&resonance(), Method::Explicit, 1e-13, &plan);
    for (a, b) in [(&found.end.position, &fine.end.position), (&found.end.velocity, &fine.end.velocity)] {
        // a tolerance each step over the memory of the motion, some 20 s and 100 steps
        assert!((a[0] - b[0]).abs() < 1e-7, "{} {}", a[0], b[0]);
    }
}

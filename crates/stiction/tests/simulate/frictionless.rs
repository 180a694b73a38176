//! A contact without friction, the left edge of every map over μ: every law allows it, and every engine moves
//! as if the contact were not there.

use stiction::law::{FrictionLaw, Graph, Law};
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::Steady;
use stiction::system::System;
use stiction::{Faults, Progress};

/// Every law with μ = 0, and with all that μ bounds or scales.
fn frictionless() -> Vec<FrictionLaw> {
    let mut all = FrictionLaw::examples();
    for law in &mut all {
        // the factor of a user's own curve scales all of it
        let names: &[&str] =
            if law.number("scale").is_some() { &["scale"] } else { &["mu", "mu_static", "a", "b"] };
        for name in names {
            if law.number(name).is_some() {
                law.set_number(name, 0.0);
            }
        }
    }
    // the rise of a raised law is friction of its own
    all.retain(|law| law.number("rise_height").is_none());
    all
}

#[test]
fn every_law_allows_no_friction_and_has_none() {
    let laws = frictionless();
    assert!(FrictionLaw::NAMES.iter().all(|name| laws.iter().any(|law| law.name() == *name)));
    for law in laws {
        assert!(Faults::of(|faults| law.check(faults)).is_empty(), "{law:?}");
        assert_eq!(law.bound(), 0.0, "{law:?}");
        assert_eq!(law.graph(), Graph::Continuous, "{law:?}");
        for v in [0.0, 1e-9, -0.01, 0.3, -20.0] {
            let slip = |z: &'static [f64]| stiction::law::Slip { v, demand: 0.7, z };
            for z in [&[0.0; 1][..], &[1e-3; 1][..]] {
                assert_eq!(law.coefficient(slip(z)), 0.0, "{law:?} at {v}");
                assert_eq!(law.slope(slip(z)), 0.0, "{law:?} at {v}");
                let mut dot = vec![0.0; law.n_states()];
                law.state_dot(slip(z), &mut dot);
                assert!(dot.iter().all(|dot| dot.is_finite()), "{law:?} at {v}");
            }
        }
    }
}

#[test]
fn a_negative_coefficient_is_refused_by_every_law() {
    for mut law in FrictionLaw::examples() {
        law.set_number("mu", -0.1);
        law.set_number("scale", -0.1);
        assert!(!Faults::of(|faults| law.check(faults)).is_empty(), "{law:?}");
    }
}

#[test]
fn every_engine_moves_as_if_the_contact_were_not_there() {
    let free = System::oscillator(1.3, 0.2, 4.0).with_force(1.0, 1.1);
    let adaptive = Integrator::Adaptive(Default::default());
    let integrators = [Integrator::Exact, adaptive, Integrator::Rk4 { step: 1e-3 }];
    let times: Vec<f64> = (0..=40).map(|i| 0.5 * f64::from(i)).collect();
    let plan = Plan { t_end: 20.0, window: [0.0, 20.0], times, lands_on_times: false, max_steps: None };
    let run = |system: &System, integrator: &Integrator| {
        drive(system, integrator, &plan, &mut Progress::none()).unwrap().samples
    };
    for law in frictionless() {
        let system = free.clone().with_friction(law.clone());
        for integrator in &integrators {
            let mut faults = Vec::new();
            faults.extend(Faults::of(|faults| integrator.admit(&system, faults)));
            if !faults.is_empty() {
                // exact wants straight pieces, friction or not; springs with sliders need events
                let is_refused = match integrator {
                    Integrator::Exact => !law.is_piecewise_linear(),
                    Integrator::Rk4 { .. } => law.sliders().is_some(),
                    _ => false,
                };
                assert!(is_refused, "{law:?} {faults:?}");
                continue;
            }
            let (with, without) = (run(&system, integrator), run(&free, integrator));
            let off = with.position[0].iter().zip(&without.position[0]).map(|(a, b)| (a - b).abs());
            // the tolerance of the adaptive method, over which kinks and memory lay other steps
            assert!(off.fold(0.0, f64::max) < 1e-7, "{law:?} {}", integrator.name());
        }
        if law.sliders().is_some() {
            // a spring without friction keeps any deflection: such a motion is neutral
            continue;
        }
        let steady = Steady::default();
        let with = steady.find(&system, &mut Progress::none()).unwrap();
        let without = steady.find(&free, &mut Progress::none()).unwrap();
        assert_eq!(with.len(), 1, "{law:?}");
        assert!((with[0].amplitude / without[0].amplitude - 1.0).abs() < 1e-9, "{law:?}");
        assert!(
            with[0].is_stable() && with[0].stick_fraction.unwrap_or(0.0) == 0.0,
            "{law:?}: {:?}",
            with[0].stick_fraction
        );
    }
}

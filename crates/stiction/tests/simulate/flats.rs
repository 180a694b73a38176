//! One degree of freedom where its laws are flat: series under `auto`, against explicit steps that know nothing of them.

use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{FrictionLaw, Linear, Trigonometric};
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, Harmonic, System};

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

/// Belts, two tones, laws that differ, one of them with a rise.
fn systems() -> Vec<System> {
    let belt = |law: FrictionLaw, load: f64, belt: f64| Contact {
        friction: law.into(),
        load,
        direction: vec![1.0],
        belt,
    };
    let raised = FrictionLaw::Linear(Linear { mu: 0.2, width: 0.03, rise: Some(0.02), rise_height: None });
    let mut several = System::oscillator(2.0, 0.3, 5.0).with_force(3.0, 1.3);
    several.contacts = vec![belt(trigonometric(0.4, 0.05), 1.5, 0.2), belt(raised, 2.0, -0.3)];
    several.constant[0] = 0.3;
    several.harmonics.push(Harmonic { amplitude: vec![1.1], omega: 4.1, phase: 0.7 });
    // no spring, no damper: nothing has a rate but the load
    let free = System::oscillator(1.0, 0.0, 0.0).with_friction(trigonometric(0.5, 0.01)).with_force(2.0, 0.7);
    vec![resonance(), several, free]
}

#[test]
fn flat_stretches_agree_with_explicit_steps() {
    for (i, system) in systems().iter().enumerate() {
        // the window begins and ends inside steps
        let plan = Plan { window: [3.1, 29.7], ..Plan::new(31.0, 200) };
        let found = run(system, Method::Auto, 1e-11, &plan);
        let expected = run(system, Method::Explicit, 1e-13, &plan);
        assert!(found.work.evaluations < expected.work.evaluations, "{i}: {:?}", found.work);
        assert!(found.work.steps < expected.work.steps, "{i}: {:?}", found.work);
        // errors of the arcs at the looser tolerance, which the motion carries on
        let close = |a: f64, b: f64| (a - b).abs() <= 2e-9 * (1.0 + b.abs());
        for (columns, others) in [
            (&found.samples.position, &expected.samples.position),
            (&found.samples.velocity, &expected.samples.velocity),
            (&found.samples.acceleration, &expected.samples.acceleration),
        ] {
            for (a, b) in columns[0].iter().zip(&others[0]) {
                // in an arc the acceleration follows the velocity at a hundred times its rate
                assert!((a - b).abs() <= 1e-7 * (1.0 + b.abs()), "{i}: {a} {b}");
            }
        }
        for (a, b) in found.ranges.iter().zip(&expected.ranges) {
            assert!(close(a.max, b.max) && close(a.min, b.min), "{i}: {a:?} {b:?}");
        }
        assert_eq!(found.events.len(), expected.events.len(), "{i}");
        for (a, b) in found.events.iter().zip(&expected.events) {
            assert!(a.kind == b.kind && close(a.t, b.t), "{i}: {a:?} {b:?}");
        }
        for (a, b) in [(found.balance, expected.balance), (found.total, expected.total)] {
            assert!(close(a.work_in, b.work_in), "{i}: {a:?} {b:?}");
            assert!(close(a.viscous_loss, b.viscous_loss), "{i}: {a:?} {b:?}");
            assert!(close(a.friction_loss, b.friction_loss), "{i}: {a:?} {b:?}");
        }
        // the integrals are none of the positions: the balance is a check, and closes
        assert!(found.energy_share() < 1e-12, "{i}: {:e}", found.energy_share());
    }
}

#[test]
fn a_steep_law_takes_few_evaluations_and_errs_less_than_its_tolerance() {
    let plan = Plan::new(20.0 * TAU, 2);
    let found = run(&resonance(), Method::Auto, 1e-9, &plan);
    // explicit steps of the same tolerance take 7600 and err by 1e-8
    assert!(found.work.evaluations <= 800 && found.work.rejected == 0, "{:?}", found.work);
    let fine = run(&resonance(), Method::Explicit, 1e-13, &plan);
    for (a, b) in [(&found.end.position, &fine.end.position), (&found.end.velocity, &fine.end.velocity)] {
        // a tenth of the tolerance a step, and what is left of it over the memory of the motion
        assert!((a[0] - b[0]).abs() < 1e-10, "{} {}", a[0], b[0]);
    }
}

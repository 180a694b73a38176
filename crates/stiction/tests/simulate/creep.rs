//! Rate- and state-dependent friction from sliding down to creep and back.
//!
//! Reference values by an independent program: the state (q, s, ψ, t) over another variable σ, with v = V
//! sinh s and dt/dσ = w/(1 + w), w = V cosh s/0.01, so that neither velocities nor times are ever too near
//! each other; an implicit method with tolerances 10⁻⁷ and 10⁻⁹, of which these digits agree up to 3 s; the
//! value at 5 s is that of 10⁻⁷ alone.

use stiction::Progress;
use stiction::event::EventKind;
use stiction::law::{Evolution, FrictionLaw, RateAndState};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::System;

/// A mass that slides to a stop, creeps at some 20 nm/s, and is torn away again.
fn system() -> System {
    let law = RateAndState {
        mu: 0.95,
        a: 0.03,
        b: 0.1,
        distance: 0.03,
        velocity: 0.05,
        evolution: Evolution::Ageing,
    };
    let mut system =
        System::oscillator(1.5, 0.0, 2.3).with_force(1.6, 3.35).with_friction(FrictionLaw::RateAndState(law));
    system.harmonics[0].phase = -2.1;
    system.contacts[0].load = 1.3;
    (system.position[0], system.velocity[0]) = (-1.0, -0.85);
    system
}

#[test]
fn a_mass_is_carried_through_stop_creep_and_release() {
    for rtol in [1e-8, 1e-9, 1e-10] {
        let settings = Adaptive { rtol, ..Adaptive::default() };
        let plan = Plan::new(5.0, 6);
        let record = drive(&system(), &Integrator::Adaptive(settings), &plan, &mut Progress::none()).unwrap();
        let (q, v) = (&record.samples.position[0], &record.samples.velocity[0]);
        // a thousand steps, each to its tolerance
        let room = 1e3 * rtol;
        assert!((q[1] + 1.097_328_59).abs() < room.max(1e-8), "{rtol:e}: {}", q[1]);
        assert!((q[3] - 0.401_691_418).abs() < room.max(1e-9), "{rtol:e}: {}", q[3]);
        assert!((v[3] / 2.114_197_13e-8 - 1.0).abs() < room.max(1e-8), "{rtol:e}: {:e}", v[3]);
        assert!((q[5] - 0.132_712_40).abs() < room.max(1e-8), "{rtol:e}: {}", q[5]);
    }
}

#[test]
fn friction_of_a_creeping_mass_is_what_holds_it() {
    let settings = Adaptive::default();
    let plan = Plan::new(3.0, 3001);
    let record = drive(&system(), &Integrator::Adaptive(settings), &plan, &mut Progress::none()).unwrap();
    let samples = &record.samples;
    let mut seen = 0;
    for (i, t) in samples.t.iter().enumerate() {
        if samples.velocity[0][i].abs() < 1e-8 {
            seen += 1;
            let held = 1.6 * (3.35 * t - 2.1).sin() - 2.3 * samples.position[0][i];
            // inertia of so slow a motion, which changes by less than 200 times itself in a second
            assert!((samples.friction[0][i] - held).abs() < 1e-5, "t = {t}: {} N", samples.friction[0][i]);
        }
    }
    assert!(seen > 50, "{seen} samples creep");
    let turns = record.events.iter().filter(|event| event.kind == EventKind::Reverse);
    // twice in sliding, and once as the force that it creeps under turns
    assert_eq!(turns.count(), 3, "{:?}", record.events);
}

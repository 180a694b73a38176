//! The time in stick of laws with memory: by the samples of their states, towards Coulomb's, and of periodic
//! motions.

use stiction::Progress;
use stiction::event::EventKind;
use stiction::law::{BoucWen, Coulomb, Dahl, ElastoPlastic, FrictionLaw, Jenkins, Lugre};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{State, Steady};
use stiction::system::System;

const SAMPLES: usize = 40_001;

fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() })
}

fn run(system: &System, integrator: &Integrator, t_end: f64) -> Record {
    drive(system, integrator, &Plan::new(t_end, SAMPLES), &mut Progress::none()).unwrap()
}

/// Bristles of this stiffness with the friction μ = 0.6, and static friction μs where the law has it.
fn bristles(stiffness: f64, mu_static: f64) -> Vec<FrictionLaw> {
    damped_bristles(stiffness, mu_static, 0.5 * stiffness.sqrt())
}

fn damped_bristles(stiffness: f64, mu_static: f64, damping: f64) -> Vec<FrictionLaw> {
    let (mu, velocity, exponent) = (0.6, 0.05, None);
    vec![
        FrictionLaw::Dahl(Dahl { mu, stiffness }),
        FrictionLaw::BoucWen(BoucWen { mu, stiffness, exponent: 1.5, share: 0.5 }),
        FrictionLaw::Lugre(Lugre { mu, mu_static, velocity, stiffness, damping, exponent }),
        FrictionLaw::ElastoPlastic(ElastoPlastic {
            mu,
            mu_static,
            velocity,
            stiffness,
            damping,
            elastic: 0.7,
            exponent,
        }),
    ]
}

fn driven(law: FrictionLaw) -> System {
    System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(1.0, 0.35)
}

/// Whether the bristles of a law of [`bristles`] hold at the velocity v, bent by z: below 0.999 of what they
/// give in steady sliding, at this speed if that is as at rest, and else at any.
fn holds(law: &FrictionLaw, v: f64, z: f64) -> bool {
    let number = |name: &str| law.number(name).unwrap();
    let mu = number("mu");
    let mu_static = law.number("mu_static").unwrap_or(mu);
    let vs = law.number("velocity").unwrap_or(1.0);
    let g = mu + (mu_static - mu) * (-(v / vs).powi(2)).exp();
    let limit = if g >= 0.999 * mu_static { g } else { mu };
    number("stiffness") * z * v.signum() < 0.999 * limit
}

#[test]
fn the_time_in_stick_of_bristles_is_that_of_their_samples() {
    let t_end = 90.0;
    for law in [bristles(50.0, 0.9), bristles(2e3, 0.9)].concat() {
        for law in [law.clone(), law.directed(0.7)] {
            let record = run(&driven(law.clone()), &tight(), t_end);
            let reported = record.stick_fraction[0].unwrap();
            let (v, z) = (&record.samples.sliding[0], &record.samples.states[0]);
            let counted = v.iter().zip(z).filter(|(v, z)| holds(law.forward(), **v, **z)).count();
            let events: Vec<_> = record.events.iter().filter(|e| e.kind != EventKind::Reverse).collect();
            // each event may stand a sample too early or too late
            let room = (events.len() + 2) as f64 / SAMPLES as f64;
            let counted = counted as f64 / SAMPLES as f64;
            assert!((reported - counted).abs() < room, "{law:?}: {reported} {counted}");
            assert!((0.2..0.95).contains(&reported) && events.len() > 6, "{law:?}: {reported} {events:?}");
            // stick and slip take turns, and the time between them is the time reported
            let mut since = Some(0.0);
            let mut time = 0.0;
            for event in events {
                match (event.kind, since.take()) {
                    (EventKind::Slip, Some(t)) => time += event.t - t,
                    (EventKind::Stick, None) => since = Some(event.t),
                    other => panic!("{law:?}: {other:?} at {}", event.t),
                }
            }
            time += since.map_or(0.0, |t| t_end - t);
            assert!((time / t_end - reported).abs() < 1e-12, "{law:?}: {} {reported}", time / t_end);
        }
    }
}

/// A load that rises to the break-away force passes the share of 0.999 early, by a thousandth of its rise:
/// stick is short by some 1e-3 at the most.
#[test]
fn the_time_in_stick_tends_to_coulombs_as_bristles_get_stiff() {
    let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.6, mu_static: None });
    let exact = run(&driven(coulomb), &Integrator::Exact, 90.0).stick_fraction[0].unwrap();
    assert!((0.2..0.8).contains(&exact), "{exact}");
    let laws = |stiffness: f64| bristles(stiffness, 0.6).into_iter().map(driven);
    let off = |system: System| {
        let integrator = Integrator::Adaptive(Adaptive::default());
        (run(&system, &integrator, 90.0).stick_fraction[0].unwrap() - exact).abs()
    };
    for ((coarse, fine), law) in laws(30.0).zip(laws(1e6)).zip(bristles(1e6, 0.6)) {
        let [coarse, fine] = [coarse, fine].map(off);
        assert!(fine < 2e-3 && fine < 0.1 * coarse, "{}: {coarse:e} {fine:e}", law.name());
    }
}

/// Bristles that slide one way at a varying speed lag behind their Stribeck curve, and do not stick.
#[test]
fn a_contact_that_slides_on_does_not_stick() {
    for law in bristles(1e4, 0.9).split_off(2) {
        let mut system = System::oscillator(1.0, 20.0, 1e4).with_friction(law.clone()).with_force(3.0, 0.5);
        system.contacts[0].belt = -0.1;
        system.harmonics[0].amplitude[0] = 300.0;
        let window = [20.0, 60.0];
        let plan = Plan { window, ..Plan::new(60.0, 2001) };
        let record = drive(&system, &tight(), &plan, &mut Progress::none()).unwrap();
        let least = record.samples.sliding[0][1000..].iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least > 0.05, "{least}");
        assert_eq!(record.stick_fraction, [Some(0.0)], "{}", law.name());
    }
}

/// Bristles that come to rest without swinging: a stay in stick within a single step would not be seen.
#[test]
fn a_periodic_motion_sticks_as_long_as_the_transient_that_ends_in_it() {
    for law in damped_bristles(200.0, 0.8, 2.0 * 200f64.sqrt()) {
        let mut system = driven(law.clone());
        system.damping.data[0] = 0.4;
        let orbit = Steady::default().from(&system, &State::rest(1), &mut Progress::none()).unwrap();
        let period = orbit.period;
        let plan = Plan { window: [40.0 * period, 41.0 * period], ..Plan::new(41.0 * period, 2) };
        let record = drive(&system, &tight(), &plan, &mut Progress::none()).unwrap();
        let (found, expected) = (orbit.stick_fraction.unwrap(), record.stick_fraction[0].unwrap());
        assert!((found - expected).abs() < 1e-6, "{}: {found} {expected}", law.name());
        assert!((0.1..0.95).contains(&found), "{}: {found}", law.name());
        // two stays in stick, each with its end, and two reversals that a periodic motion does not list
        let sticks = |events: &[stiction::event::Event]| {
            events.iter().filter(|event| event.kind == EventKind::Stick).count()
        };
        assert_eq!(sticks(&orbit.events), sticks(&record.events), "{}", law.name());
    }
}

/// Viscous friction beside a spring with a slider is no part of what the slider holds.
#[test]
fn viscous_friction_does_not_end_the_stick_of_a_slider() {
    let law = FrictionLaw::Jenkins(Jenkins { mu: 0.6, stiffness: 8.0 });
    let mut system = driven(law);
    let plain = run(&system, &Integrator::Exact, 90.0).stick_fraction[0].unwrap();
    system.damping.data[0] -= 0.08;
    system.contacts[0].friction.viscous = 0.08;
    for integrator in [Integrator::Exact, tight()] {
        let moved = run(&system, &integrator, 90.0).stick_fraction[0].unwrap();
        assert!((moved - plain).abs() < 1e-8, "{}: {moved} {plain}", integrator.name());
    }
}

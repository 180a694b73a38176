//! Signals, varying contacts and feedback under `adaptive`, against the exact engine and against difference
//! quotients.

use crate::general_systems::*;
use std::f64::consts::FRAC_PI_2;
use stiction::Progress;
use stiction::law::{FrictionLaw, Linear, Quinn, Stribeck, Weakening};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{Engine, State, Steady};
use stiction::system::{
    Dynamics, Harmonic, N_PASSIVE, Signal, SignalLoad, System, TimeTable, VaryingContact, Wave,
};

const T_END: f64 = 20.0;

fn linear(mu: f64, width: f64) -> FrictionLaw {
    FrictionLaw::Linear(Linear { mu, width, rise: None, rise_height: None })
}

fn with_law(mut system: System, mu: f64, width: f64) -> System {
    system.contacts[0].friction.law = linear(mu, width);
    system
}

/// Positions and velocities at the end.
fn end(system: &System, integrator: &Integrator) -> Vec<f64> {
    let record = drive(system, integrator, &Plan::new(T_END, 2), &mut Progress::none()).unwrap();
    let last = |columns: &[Vec<f64>]| columns.iter().map(|column| column[1]).collect::<Vec<f64>>();
    [last(&record.samples.position), last(&record.samples.velocity)].concat()
}

fn tight() -> Adaptive {
    Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn jumping_table() -> System {
    let mut system = load_table();
    let table = TimeTable {
        times: vec![0.0, 1.0, 1.0, 3.0, 3.0, 7.0],
        values: vec![0.5, 0.5, -2.0, -1.0, 2.5, 0.0],
        period: Some(9.0),
    };
    system.elements.loads = vec![SignalLoad { direction: vec![1.0], signal: table.into() }];
    system
}

fn followed_reference() -> System {
    let mut system = pid_hunting();
    let feedback = system.elements.feedback.as_mut().unwrap();
    let mut followed = stiction::system::Feedback::none(1, 1, 1);
    followed.f_position = feedback.f_position.clone();
    followed.f_velocity = feedback.f_velocity.clone();
    followed.f_state = feedback.f_state.clone();
    followed.b_position = feedback.b_position.clone();
    followed.f_input.data[0] = 4.0;
    followed.b_input.data[0] = -1.0;
    followed.initial = vec![0.1];
    followed.inputs = vec![Signal { constant: 0.2, ..waved(0.0, 0.7, 0.9, 0.3) }];
    *feedback = followed;
    system
}

fn polylines() -> [(&'static str, System); 5] {
    [
        ("load_table", with_law(load_table(), 0.5, 0.05)),
        ("jumping_table", with_law(jumping_table(), 0.5, 0.05)),
        ("moving_belt", with_law(moving_belt(), 0.4, 0.05)),
        ("followed_reference", with_law(followed_reference(), 0.3, 0.05)),
        ("nonsymmetric", with_law(nonsymmetric(), 0.25, 0.05)),
    ]
}

#[test]
fn adaptive_and_exact_are_one_under_polylines() {
    for (case, system) in polylines() {
        let off = distance(&end(&system, &Integrator::Adaptive(tight())), &end(&system, &Integrator::Exact));
        // 1e-11 a step, in some hundred steps
        assert!(off < 1e-8, "{case}: {off:e}");
    }
}

#[test]
fn regularised_laws_converge_to_the_exact_motion_under_varying_loads_and_belts() {
    let mut by_coordinate = load_by_coordinate();
    by_coordinate.contacts[0].friction.law = coulomb(0.25, 0.25);
    let without_excess = |mut system: System, mu: f64| {
        system.contacts[0].friction.law = coulomb(mu, mu);
        system
    };
    for (case, mu, system) in [
        ("varying_load", 0.5, varying_load()),
        ("load_by_coordinate", 0.25, by_coordinate),
        ("moving_belt", 0.4, without_excess(moving_belt(), 0.4)),
        ("load_table", 0.5, without_excess(load_table(), 0.5)),
        ("pid_hunting", 0.3, without_excess(pid_hunting(), 0.3)),
        ("nonsymmetric", 0.25, nonsymmetric()),
    ] {
        let exact = end(&system, &Integrator::Exact);
        let errors = [1e-2, 1e-3, 1e-4].map(|width| {
            let system = with_law(system.clone(), mu, width);
            distance(&end(&system, &Integrator::Adaptive(Adaptive::default())), &exact)
        });
        // a creep of at most the width over 20 s
        assert!(errors[1] < errors[0] && errors[2] < errors[1], "{case}: {errors:?}");
        assert!(errors[2] < 20.0 * 1e-4, "{case}: {errors:?}");
    }
}

/// With more static than kinetic friction a law falls within a velocity that tends to zero, too.
#[test]
fn laws_with_a_static_excess_converge_to_the_exact_motion() {
    for (case, mu, mu_static, system) in [
        ("load_table", 0.5, 0.6, load_table()),
        ("moving_belt", 0.4, 0.5, moving_belt()),
        ("pid_hunting", 0.3, 0.5, pid_hunting()),
    ] {
        let exact = end(&system, &Integrator::Exact);
        let errors = [1e-2, 1e-3, 1e-4].map(|velocity| {
            let mut system = system.clone();
            system.contacts[0].friction.law = FrictionLaw::Stribeck(Stribeck {
                mu,
                mu_static,
                velocity,
                width: Some(0.02 * velocity),
                weakening: Weakening::Gaussian,
                exponent: None,
            });
            distance(&end(&system, &Integrator::Adaptive(Adaptive::default())), &exact)
        });
        assert!(errors[1] < errors[0] && errors[2] < errors[1], "{case}: {errors:?}");
        assert!(errors[2] < 20.0 * 1e-4, "{case}: {errors:?}");
    }
}

/// Stops are the exact engine's alone: there a ramp takes the place of the jump.
#[test]
fn a_ramp_between_stops_converges_to_the_exact_motion() {
    let exact = end(&rigid_stop(), &Integrator::Exact);
    let errors = [1e-2, 1e-3, 1e-4]
        .map(|width| distance(&end(&with_law(rigid_stop(), 0.2, width), &Integrator::Exact), &exact));
    assert!(errors[1] < errors[0] && errors[2] < errors[1] && errors[2] < 20.0 * 1e-4, "{errors:?}");
}

#[test]
fn a_contact_under_adaptive_opens_where_its_load_vanishes() {
    // the load swings from −0.5 to 2.5 N
    let mut system = with_law(varying_load(), 0.5, 1e-3);
    system.elements.contacts[0].load.waves[0].amplitude = 1.5;
    let record =
        drive(&system, &Integrator::Adaptive(tight()), &Plan::new(T_END, 401), &mut Progress::none())
            .unwrap();
    let mut n_open = 0;
    for (t, force) in record.samples.t.iter().zip(&record.samples.friction[0]) {
        let load = 1.0 + 1.5 * (1.6 * t + 0.4).sin();
        assert!(force.abs() <= 0.5 * load.max(0.0) + 1e-12, "{t}: {force}");
        n_open += usize::from(load < 0.0);
    }
    assert!(n_open > 40);
    assert!(record.energy_share() < 1e-9, "{}", record.energy_share());
}

#[test]
fn slopes_of_the_derivative_are_those_of_differences() {
    const STEP: f64 = 1e-6;
    let mut wide = with_law(load_by_coordinate(), 0.25, 0.5);
    wide.elements.contacts[0].by_velocity = vec![0.3, -0.2];
    wide.contacts[0].friction.viscous = 0.1;
    wide.harmonics.push(Harmonic { amplitude: vec![0.1, 0.2], omega: 2.0, phase: 0.1 });
    for (case, system) in polylines().into_iter().chain([("load_by_coordinate", wide)]) {
        let mut dynamics = Dynamics::new(&system).unwrap();
        let mut y = dynamics.initial_state();
        let na = y.len() - N_PASSIVE;
        y[..na].iter_mut().enumerate().for_each(|(k, y)| *y = 0.013 + 0.01 * k as f64);
        let mut slopes = vec![0.0; na * na];
        dynamics.derivative_slopes(0.7, &y, &mut slopes);
        for j in 0..na {
            let mut shifted = |by: f64| {
                let (mut y, mut dy) = (y.clone(), vec![0.0; y.len()]);
                y[j] += by;
                dynamics.derivative(0.7, &y, &mut dy);
                dy
            };
            let (up, down) = (shifted(STEP), shifted(-STEP));
            for i in 0..na {
                let (own, quotient) = (slopes[i * na + j], (up[i] - down[i]) / (2.0 * STEP));
                assert!(
                    (own - quotient).abs() < 1e-7 * (1.0 + own.abs()),
                    "{case} {i} {j}: {own} {quotient}"
                );
            }
        }
    }
}

#[test]
fn periodic_motions_by_adaptive_are_those_by_exact() {
    for (case, system) in [
        ("jumping_table", with_law(jumping_table(), 0.5, 0.05)),
        ("belt", with_law(moving_belt(), 0.4, 0.05)),
    ] {
        let search = |engine| {
            let steady = Steady { engine: Some(engine), ..Steady::default() };
            steady.find(&system, &mut Progress::none()).unwrap()
        };
        let (exact, adaptive) = (search(Engine::Exact), search(Engine::Adaptive(tight())));
        assert_eq!(exact.len(), adaptive.len(), "{case}");
        for (a, b) in exact.iter().zip(&adaptive) {
            assert!((a.amplitude - b.amplitude).abs() < 1e-8 * a.amplitude, "{case}");
            assert!((a.energy.work_in - b.energy.work_in).abs() < 1e-7 * a.energy.exchange, "{case}");
            for (a, b) in a.multipliers.iter().zip(&b.multipliers) {
                assert!((a.modulus() - b.modulus()).abs() < 1e-6, "{case}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn set_valued_laws_rest_under_tables_and_feedback() {
    for (case, system) in [
        ("load_table", load_table()),
        ("jumping_table", jumping_table()),
        ("followed_reference", followed_reference()),
        ("nonsymmetric", nonsymmetric()),
    ] {
        let off = distance(&end(&system, &Integrator::Adaptive(tight())), &end(&system, &Integrator::Exact));
        assert!(off < 1e-8, "{case}: {off:e}");
    }
}

#[test]
fn a_law_that_answers_its_demand_follows_a_belt_that_accelerates() {
    // at rest on the belt the mass takes part in its acceleration, so that μ = 0.4 under 1 N hold it up to
    // 0.4 m/s²
    let mut system =
        System::oscillator(1.0, 0.0, 0.0).with_friction(FrictionLaw::Quinn(Quinn { mu: 0.4, width: 1e-3 }));
    system.elements.contacts = vec![VaryingContact {
        belt: TimeTable { times: vec![0.0, 2.0], values: vec![0.0, 0.6], period: None }.into(),
        contact: 0,
        load: Signal::default(),
        by_position: vec![0.0],
        by_velocity: vec![0.0],
    }];
    let record =
        drive(&system, &Integrator::Adaptive(tight()), &Plan::new(2.0, 21), &mut Progress::none()).unwrap();
    for (t, v) in record.samples.t.iter().zip(&record.samples.velocity[0]) {
        assert!((v - 0.3 * t).abs() < 1e-10, "{t}: {v}");
    }
}

/// Contacts that open under a wave, under a table that jumps, by the motion, and on a belt that jumps.
fn opening_and_jumping() -> Vec<System> {
    let mut opens = varying_load();
    opens.elements.contacts[0].load.waves[0].amplitude = 1.6;
    let mut moved = varying_load();
    moved.elements.contacts[0].by_position[0] = 0.8;
    let mut tabled = varying_load();
    tabled.elements.contacts[0].load = TimeTable {
        times: vec![0.0, 2.0, 2.0, 5.0, 5.0, 8.0],
        values: vec![0.0, 1.0, -1.5, -0.5, 0.7, 0.0],
        period: Some(9.0),
    }
    .into();
    // nothing presses until the table begins to rise
    let mut late = tabled.clone();
    late.contacts[0].load = 0.0;
    late.elements.contacts[0].load =
        TimeTable { times: vec![3.0, 6.0], values: vec![0.0, 1.5], period: None }.into();
    let mut jumps = moving_belt();
    jumps.elements.contacts[0].belt.tables = vec![TimeTable {
        times: vec![0.0, 1.0, 1.0, 4.0, 4.0, 6.0],
        values: vec![0.0, 0.0, 0.6, 0.3, -0.2, 0.0],
        period: Some(7.0),
    }];
    vec![opens, moved, tabled, late, jumps]
}

fn stribeck(mu: f64, mu_static: f64) -> FrictionLaw {
    let (velocity, width, weakening, exponent) = (0.2, None, Weakening::Exponential, None);
    FrictionLaw::Stribeck(Stribeck { mu, mu_static, velocity, width, weakening, exponent })
}

fn sampled(system: &System, integrator: &Integrator) -> Record {
    drive(system, integrator, &Plan::new(40.0, 401), &mut Progress::none()).unwrap()
}

/// Coulomb's law, and a curve that is flat, under normal loads and on belts that vary: all events and the
/// motion are those of the exact engine.
#[test]
fn contacts_that_rest_while_their_loads_and_belts_vary_move_as_in_the_exact_engine() {
    let mut both = varying_load();
    both.elements.contacts[0].belt = moving_belt().elements.contacts[0].belt.clone();
    for system in [varying_load(), moving_belt(), both].into_iter().chain(opening_and_jumping()) {
        let exact = sampled(&system, &Integrator::Exact);
        let mut flat = system.clone();
        let law = &mut flat.contacts[0].friction.law;
        // the curve has no static friction of its own
        let is_flat = law.number("mu") == law.number("mu_static");
        *law = stribeck(law.number("mu").unwrap(), law.number("mu_static").unwrap());
        for system in [Some(system), is_flat.then_some(flat)].into_iter().flatten() {
            let adaptive = sampled(&system, &Integrator::Adaptive(tight()));
            let [a, b] = [&exact, &adaptive].map(|record| &record.events);
            assert!(a.len() == b.len() && a.len() > 8, "{a:?} {b:?}");
            for (a, b) in a.iter().zip(b) {
                assert!(a.kind == b.kind && (a.t - b.t).abs() < 1e-8, "{a:?} {b:?}");
            }
            for (a, b) in exact.samples.position[0].iter().zip(&adaptive.samples.position[0]) {
                assert!((a - b).abs() < 1e-9, "{a} {b}");
            }
            assert!(adaptive.energy_share() < 1e-10, "{}", adaptive.energy_share());
            let [a, b] = [&exact, &adaptive].map(|record| record.stick_fraction[0].unwrap());
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}

/// Seen from a belt that swings as b sin ωt, the system stands on the ground and is loaded by −m B̈ − c Ḃ − k
/// B.
#[test]
fn a_belt_that_swings_is_a_load_seen_from_the_belt() {
    let (b, omega) = (0.4, 0.9);
    let (m, c, k) = (1.2, 0.1, 1.7);
    let mut swings = System::oscillator(m, c, k).with_friction(stribeck(0.2, 0.5));
    swings.elements.contacts.push(VaryingContact {
        contact: 0,
        load: Signal::default(),
        by_position: vec![0.0],
        by_velocity: vec![0.0],
        belt: Signal { waves: vec![Wave::new(b * omega, omega, FRAC_PI_2)], ..Signal::default() },
    });
    swings.position[0] = 0.8;
    swings.velocity[0] = 0.3;
    let mut seen = System::oscillator(m, c, k).with_friction(stribeck(0.2, 0.5));
    seen.position[0] = 0.8;
    seen.velocity[0] = 0.3 - b * omega;
    let wave = |amplitude: f64, phase: f64| Harmonic { amplitude: vec![amplitude], omega, phase };
    seen.harmonics = vec![wave(b * (m * omega * omega - k), 0.0), wave(-c * b * omega, FRAC_PI_2)];
    let [swings, seen] = [swings, seen].map(|system| sampled(&system, &Integrator::Adaptive(tight())));
    assert!(swings.events.len() > 8, "{:?}", swings.events);
    assert_eq!(swings.events.len(), seen.events.len());
    for (a, b) in swings.events.iter().zip(&seen.events) {
        assert!(a.kind == b.kind && (a.t - b.t).abs() < 1e-8, "{a:?} {b:?}");
    }
    for (i, t) in swings.samples.t.iter().enumerate() {
        let expected = seen.samples.position[0][i] + b * (omega * t).sin();
        let found = swings.samples.position[0][i];
        assert!((found - expected).abs() < 1e-9, "{t}: {found} {expected}");
    }
    assert!(swings.energy_share() < 1e-10, "{}", swings.energy_share());
}

/// A periodic motion under a normal load that swings is the one that a long transient ends in.
#[test]
fn a_curved_law_under_a_swinging_load_has_its_periodic_motion() {
    let mut system = System::oscillator(1.0, 0.2, 1.0).with_friction(stribeck(0.3, 0.4));
    system.elements.contacts.push(varying_load().elements.contacts[0].clone());
    system.elements.contacts[0].load.waves[0].omega = 0.8;
    system.harmonics = vec![Harmonic { amplitude: vec![0.8], omega: 0.4, phase: 0.0 }];
    let orbit = Steady::default().from(&system, &State::rest(1), &mut Progress::none()).unwrap();
    let plan =
        Plan { window: [60.0 * orbit.period, 61.0 * orbit.period], ..Plan::new(61.0 * orbit.period, 2) };
    let record = drive(&system, &Integrator::Adaptive(tight()), &plan, &mut Progress::none()).unwrap();
    let range = record.ranges[0];
    assert!((orbit.amplitude - 0.5 * (range.max - range.min)).abs() < 1e-8, "{}", orbit.amplitude);
    let [found, expected] = [orbit.stick_fraction, record.stick_fraction[0]].map(Option::unwrap);
    assert!((found - expected).abs() < 1e-8 && found > 0.01, "{found} {expected}");
}

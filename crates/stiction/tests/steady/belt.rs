//! Motions without a clock: masses on belts, whose period is part of the answer.

use std::f64::consts::PI;
use stiction::Error;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw, Stribeck, Weakening};
use stiction::ode::{Adaptive, AdaptiveStepper, Ode};
use stiction::steady::{Engine, Orbit, Point, State, Steady, sweep};
use stiction::system::System;

fn on_belt(law: FrictionLaw, belt: f64, damping: f64) -> System {
    let mut system = System::oscillator(1.0, damping, 1.0).with_friction(law);
    system.contacts[0].belt = belt;
    system
}

/// With kinetic and static friction the cycle is closed form: it slips around the kinetic deflection, an arc
/// of a circle in the phase plane, and sticks for twice the drop over the belt's speed.
fn motion(point: &Point) -> &Orbit {
    point.orbit.as_ref().unwrap()
}

#[test]
fn coulombs_cycle_on_a_belt_is_the_closed_form() {
    for (mu, mu_static, belt) in [(0.5, 0.8, 0.2), (0.1, 1.0, 0.05), (0.4, 0.41, 1.5)] {
        let system = on_belt(FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) }), belt, 0.0);
        // on the belt; from rest a fast one leaves a motion that never sticks, one of a continuum
        let start = State { velocity: vec![belt], ..State::rest(1) };
        let orbit = Steady::default().from(&system, &start, &mut Progress::none()).unwrap();
        let drop: f64 = mu_static - mu;
        let period = 2.0 * drop / belt + 2.0 * (PI - (drop / belt).atan());
        let case = format!("μ = {mu}, {mu_static}, belt {belt}");
        assert!((orbit.period - period).abs() < 1e-11 * period, "{case}: {} {period}", orbit.period);
        assert!((orbit.amplitude - drop.hypot(belt)).abs() < 1e-12, "{case}");
        assert!((orbit.stick_fraction.unwrap() - 2.0 * drop / belt / period).abs() < 1e-11, "{case}");
        assert!(
            (orbit.energy.friction_loss - orbit.energy.work_in).abs() < 1e-11 * orbit.energy.work_in,
            "{case}"
        );
        assert_eq!((orbit.stops, orbit.fundamental.phase, orbit.is_stable()), (1, None, true), "{case}");
        // one multiplier is the shift in time, the other is zero: the stick forgets everything
        assert!(
            (orbit.multipliers[0].re - 1.0).abs() < 1e-10 && orbit.multipliers[1].modulus() < 1e-10,
            "{case}"
        );
    }
}

fn weakening(width: f64) -> FrictionLaw {
    FrictionLaw::Stribeck(Stribeck {
        mu: 0.0,
        mu_static: 1.0,
        velocity: 1.0 / 3.0,
        width: Some(width),
        weakening: Weakening::Hyperbolic,
        exponent: None,
    })
}

/// The period with the true law 1/(1 + 3|v|): slip by steps from the release at u = 1, then stick at the
/// belt's speed.
fn true_period() -> f64 {
    // a transition so narrow that it is none outside of rest, and a start this far from rest
    let (width, nudge, belt) = (1e-300, 1e-13, 0.2);
    let system = on_belt(weakening(width), belt, 0.0);
    let mut dynamics = stiction::system::Dynamics::new(&system).unwrap();
    let settings = Adaptive { rtol: 1e-13, atol: 1e-15, ..Adaptive::default() };
    let mut stepper = AdaptiveStepper::new(&settings, &dynamics);
    let mut y = vec![0.0; dynamics.n()];
    (y[0], y[1]) = (1.0, belt - nudge);
    stepper.start(&mut dynamics, 0.0, &y).unwrap();
    let mut ended = false;
    while !ended {
        stepper.step(&mut dynamics, 1e3).unwrap();
        ended = !stepper.landed_on().is_empty();
    }
    stepper.t() + (1.0 - stepper.y()[0]) / belt
}

#[test]
fn the_cycle_of_a_weakening_law_tends_to_the_one_of_the_set_valued_law() {
    // by the classical Runge–Kutta method with steps of 1/1000 … 1/8000, which agree to 1e-12
    let reference = 12.001031294830;
    let truth = true_period();
    // the nudge off rest grows to some hundred times its size
    assert!((truth - reference).abs() < 1e-10, "{truth}");
    let period = |width: f64| {
        let orbit = Steady::default()
            .from(&on_belt(weakening(width), 0.2, 0.0), &State::rest(1), &mut Progress::none())
            .unwrap();
        assert!(orbit.is_stable() && orbit.stops == 1);
        orbit.period
    };
    // creep makes up Δ, leaving the peak of the law Δ ln Δ: T = T₀ + Δ (a + b ln Δ) from three widths
    let widths = [1e-5, 1e-6, 1e-7];
    let periods = widths.map(period);
    for (i, t) in periods.iter().enumerate() {
        let error = (t - truth).abs();
        assert!(error < 300.0 * widths[i] && error > 100.0 * widths[i], "{i}: {error:e}");
    }
    let row = |i: usize| [widths[i], widths[i] * f64::ln(widths[i])];
    let (r0, r1, r2) = (row(0), row(1), row(2));
    let (a1, b1, c1) = (r1[0] - r0[0], r1[1] - r0[1], periods[1] - periods[0]);
    let (a2, b2, c2) = (r2[0] - r0[0], r2[1] - r0[1], periods[2] - periods[0]);
    let det = a1 * b2 - a2 * b1;
    let (a, b) = ((c1 * b2 - c2 * b1) / det, (a1 * c2 - a2 * c1) / det);
    let limit = periods[0] - a * r0[0] - b * r0[1];
    assert!((limit - reference).abs() < 1e-7, "{limit}");
}

#[test]
fn a_sweep_over_the_speed_of_the_belt_follows_the_cycle() {
    let (mu, mu_static): (f64, f64) = (0.5, 0.8);
    let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) });
    // downwards: a belt that becomes faster loses the mass, which then swings for ever without friction's
    // help
    let speeds: Vec<f64> = (1..20).rev().map(|i| 0.05 * f64::from(i)).collect();
    let start = State { velocity: vec![speeds[0]], ..State::rest(1) };
    let steady = Steady { starts: vec![start], ..Steady::default() };
    let points =
        sweep(&steady, &|belt| on_belt(law.clone(), belt, 0.0), &speeds, &mut Progress::none()).unwrap();
    assert_eq!(points.len(), speeds.len());
    for point in points {
        let (belt, drop) = (point.parameter, mu_static - mu);
        let period = 2.0 * drop / belt + 2.0 * (PI - (drop / belt).atan());
        assert!((motion(&point).period - period).abs() < 1e-11 * period, "belt {belt}");
        assert_eq!(motion(&point).stops, 1, "belt {belt}");
    }
}

#[test]
fn a_law_that_jumps_is_refused_by_the_adaptive_engine() {
    let law = FrictionLaw::examples().into_iter().find(|law| law.name() == "karnopp").unwrap();
    let found = Steady::default().from(&on_belt(law, 0.2, 0.1), &State::rest(1), &mut Progress::none());
    assert!(matches!(found, Err(Error::Refused { law: "karnopp", .. })), "{found:?}");
}

#[test]
fn a_mass_that_comes_to_rest_has_no_period() {
    let system = on_belt(FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: None }), 0.0, 0.1);
    let start = State { position: vec![3.0], velocity: vec![0.0], memory: Vec::new() };
    let found = Steady { engine: Some(Engine::Exact), ..Steady::default() }.from(
        &system,
        &start,
        &mut Progress::none(),
    );
    assert!(matches!(found, Err(Error::NoPeriodicMotion { .. })), "{found:?}");
}

/// Friction 1/(1 + |v|) on a belt: a looser tolerance of the integrator does not end the search early.
#[test]
fn the_period_on_a_belt_is_as_good_as_the_motion() {
    let law = Stribeck {
        mu: 0.0,
        mu_static: 1.0,
        velocity: 1.0,
        width: None,
        weakening: Weakening::Hyperbolic,
        exponent: None,
    };
    for (damping, belt) in [(0.0, 0.2), (0.05, 0.1), (0.1, 0.1), (0.2, 0.05)] {
        let system = on_belt(FrictionLaw::Stribeck(law.clone()), belt, damping);
        let periods = [1e-12, 1e-14].map(|rtol| {
            let engine = Some(Engine::Adaptive(Adaptive { rtol, atol: 0.01 * rtol, ..Adaptive::default() }));
            let steady = Steady { engine, ..Steady::default() };
            steady.find(&system, &mut Progress::none()).unwrap()[0].period
        });
        let gap = (periods[0] - periods[1]).abs() / periods[1];
        assert!(gap < 5e-13, "c = {damping}, belt {belt}: {gap:.1e}");
    }
}

/// Where a mass slides at constant speed there is no periodic motion.
#[test]
fn steady_sliding_is_no_periodic_motion() {
    let law = Stribeck {
        mu: 0.0,
        mu_static: 0.3,
        velocity: 1.0,
        width: None,
        weakening: Weakening::Hyperbolic,
        exponent: None,
    };
    for belt in [0.3, 0.5, 1.0] {
        let system = on_belt(FrictionLaw::Stribeck(law.clone()), belt, 0.2);
        let found = Steady::default().find(&system, &mut Progress::none());
        assert!(matches!(found, Err(Error::NoPeriodicMotion { .. })), "{found:?}");
    }
}

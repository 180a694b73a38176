//! Steady states by the exact engine: classical results, long transients, stability.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction::Error;
use stiction::Progress;
use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Orbit, Stability, State, Steady};
use stiction::system::{Contact, Harmonic, Motion, System};

/// Rounding of one period, times what a fixed point makes of it: at most 1/(1 − largest multiplier) ≈ 100
/// here.
const ROUNDING: f64 = 1e-11;

fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

/// Mass and stiffness one, load cos βt.
fn oscillator(damping: f64, beta: f64, mu: f64, mu_static: f64) -> System {
    let mut system = System::oscillator(1.0, damping, 1.0).with_friction(coulomb(mu, mu_static));
    system.harmonics.push(Harmonic { amplitude: vec![1.0], omega: beta, phase: FRAC_PI_2 });
    system
}

/// The state after so many periods from rest, by the engine alone.
fn transient(system: &System, periods: u32) -> Motion {
    let period = system.period().unwrap();
    let mut exact = Exact::new(system).unwrap();
    let mut motion = Motion::zero(system.n(), system.contacts.len());
    for i in 1..=periods {
        let t = period * f64::from(i);
        while exact.t() < t {
            exact.step(t).unwrap();
        }
        exact.motion(t, &mut motion);
    }
    motion
}

fn from_rest(system: &System) -> Orbit {
    Steady::default().from(system, &State::rest(system.n()), &mut Progress::none()).unwrap()
}

/// @denhartog1931: `X k/P = √(V² − (f U)²)`.
fn den_hartog(beta: f64, f: f64) -> f64 {
    let v = 1.0 / (1.0 - beta * beta);
    let u = (PI / beta).sin() / (beta * (1.0 + (PI / beta).cos()));
    (v * v - (f * u) * (f * u)).sqrt()
}

#[test]
fn den_hartogs_amplitude_is_found_from_rest_and_from_everywhere() {
    for (beta, f, printed) in [(0.7, 0.5, 1.7442539362489), (1.3, 0.5, 1.0353280077046)] {
        assert!((den_hartog(beta, f) - printed).abs() < 1e-12);
        let system = oscillator(0.0, beta, f, f);
        let orbit = from_rest(&system);
        assert!((orbit.amplitude - printed).abs() < ROUNDING, "β = {beta}: {}", orbit.amplitude);
        assert!(orbit.convergence.residual <= 1e-13, "{}", orbit.convergence.residual);
        assert_eq!(orbit.stops, 0);
        assert!(orbit.is_symmetric && orbit.is_stable());
        let all = Steady::default().find(&system, &mut Progress::none()).unwrap();
        assert_eq!(all.len(), 1, "β = {beta}");
    }
}

#[test]
fn the_limit_of_motion_without_stops_is_den_hartogs() {
    // the largest f without a stop at β = 0.7, printed by @denhartog1931 as a curve: there the velocity after
    // a turn
    // just keeps its sign
    let stops = |f: f64| from_rest(&oscillator(0.0, 0.7, f, f)).stops;
    let (mut low, mut high) = (0.6, 0.8);
    assert_eq!((stops(low), stops(high)), (0, 2));
    while high - low > 1e-9 {
        let f = 0.5 * (low + high);
        if stops(f) == 0 {
            low = f;
        } else {
            high = f;
        }
    }
    // six digits are known
    assert!((low - 0.722071).abs() < 1e-6, "{low}");
}

#[test]
fn damped_motions_are_where_long_transients_end() {
    let mut most_stops = 0;
    for (damping, beta, mu, mu_static) in [
        (0.1, 0.7, 0.5, 0.5),
        (0.05, 1.3, 0.3, 0.4),
        (0.1, 0.25, 0.6, 0.6),
        (0.1, 0.13, 0.4, 0.55),
        (0.02, 1.0, 0.8, 0.8),
        (2.5, 0.5, 0.3, 0.3),
    ] {
        let system = oscillator(damping, beta, mu, mu_static);
        let orbit = from_rest(&system);
        let end = transient(&system, 2000);
        let case = format!("c = {damping}, β = {beta}, μ = {mu}, {mu_static}");
        let error = (orbit.state.position[0] - end.position[0])
            .abs()
            .max((orbit.state.velocity[0] - end.velocity[0]).abs());
        assert!(error < ROUNDING, "{case}: {error:e}");
        assert!(
            orbit.is_stable() && orbit.convergence.periods == 0 && orbit.convergence.iterations <= 12,
            "{case}: {}",
            orbit.convergence.iterations
        );
        // what goes in is lost
        let lost = orbit.energy.friction_loss + orbit.energy.viscous_loss;
        assert!((orbit.energy.work_in - lost).abs() < 1e-12 * orbit.energy.work_in, "{case}");
        let mut exact = Exact::new(&system).unwrap();
        let mut stops = 0;
        while exact.t() < 201.0 * orbit.period {
            exact.step(201.0 * orbit.period).unwrap();
            let is_late = exact.t() > 200.0 * orbit.period;
            stops += exact.events().iter().filter(|e| is_late && e.kind == EventKind::Stick).count();
        }
        assert_eq!(orbit.stops as usize, stops, "{case}");
        most_stops = most_stops.max(stops);
    }
    assert!(most_stops >= 4);
}

#[test]
fn the_multipliers_are_those_of_the_map() {
    // sum and product against difference quotients of the period map
    const STEP: f64 = 1e-5;
    for (damping, beta, mu, mu_static) in
        [(0.0, 0.7, 0.5, 0.5), (0.1, 1.3, 0.3, 0.4), (0.05, 0.25, 0.6, 0.7), (0.1, 0.9, 0.0001, 0.0001)]
    {
        let system = oscillator(damping, beta, mu, mu_static);
        let orbit = from_rest(&system);
        let map = |du: f64, dv: f64| {
            let mut exact = Exact::new(&system).unwrap();
            let mut motion = Motion::zero(1, 1);
            exact.restart(0.0, &[orbit.state.position[0] + du], &[orbit.state.velocity[0] + dv]).unwrap();
            while exact.t() < orbit.period {
                exact.step(orbit.period).unwrap();
            }
            exact.motion(orbit.period, &mut motion);
            [motion.position[0], motion.velocity[0]]
        };
        let column = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|i| (a[i] - b[i]) / (2.0 * STEP));
        let [a, c] = column(map(STEP, 0.0), map(-STEP, 0.0));
        let [b, d] = column(map(0.0, STEP), map(0.0, -STEP));
        let [m1, m2] = orbit.multipliers[..] else { panic!() };
        let (sum, product) = (m1.re + m2.re, m1.re * m2.re - m1.im * m2.im);
        // the quotients err by STEP² times third derivatives of the map
        assert!((sum - (a + d)).abs() < 1e-8, "β = {beta}: {sum} {}", a + d);
        assert!((product - (a * d - b * c)).abs() < 1e-8, "β = {beta}: {product}");
        assert!(m1.im == -m2.im && m1.modulus() < 1.0);
    }
}

#[test]
fn without_friction_the_response_is_the_closed_form() {
    for damping in [0.0, 0.02, 0.5, 3.0] {
        // without damping whole ratios leave a continuum
        for beta in [0.13, 0.47, 0.99, 1.01, 2.0, 7.0] {
            let (m, k, p) = (1.7, 2.9, 0.6);
            let omega = beta * f64::sqrt(k / m);
            let system = System::oscillator(m, damping, k).with_force(p, omega);
            let orbit = from_rest(&system);
            let (re, im) = (k - m * omega * omega, damping * omega);
            let amplitude = p / re.hypot(im);
            let scale = 1e-12 / (1.0 - beta).abs().min(1.0);
            let case = format!("c = {damping}, β = {beta}");
            assert!(
                (orbit.amplitude / amplitude - 1.0).abs() < scale,
                "{case}: {}",
                orbit.amplitude / amplitude - 1.0
            );
            assert!((orbit.fundamental.amplitude / amplitude - 1.0).abs() < scale, "{case}");
            let phase = -im.atan2(re);
            let turn = (orbit.fundamental.phase.unwrap() - phase + PI).rem_euclid(TAU) - PI;
            assert!(turn.abs() < scale || (turn.abs() - TAU).abs() < scale, "{case}: {turn}");
            let loss = PI * damping * omega * amplitude * amplitude;
            assert!(
                (orbit.energy.viscous_loss - loss).abs() <= 1e-11 * loss.max(orbit.energy.work_in.abs()),
                "{case}"
            );
            assert_eq!(
                (orbit.energy.friction_loss, orbit.stops, orbit.stick_fraction.unwrap_or(0.0)),
                (0.0, 0, 0.0)
            );
            assert_eq!(orbit.is_stable(), damping > 0.0, "{case}");
        }
    }
}

#[test]
fn a_load_that_friction_holds_leaves_a_continuum() {
    let system = oscillator(0.0, 0.7, 1.2, 1.2);
    // rest is possible wherever |u| ≤ μ − P: each start that ends there is a motion of its own
    let start = |u: f64, v: f64| State { position: vec![u], velocity: vec![v], memory: Vec::new() };
    let starts =
        vec![start(0.0, 0.0), start(0.19, 0.0), start(-0.1, 0.0), start(0.19, 0.0), start(0.0, 1.54)];
    let orbits =
        Steady { starts: starts.clone(), ..Steady::default() }.find(&system, &mut Progress::none()).unwrap();
    assert_eq!(orbits.len(), 4);
    for orbit in &orbits {
        assert!(orbit.state.position[0].abs() <= 0.2);
        assert_eq!((orbit.amplitude, orbit.stick_fraction, orbit.is_stable()), (0.0, Some(1.0), false));
        assert_eq!((orbit.stability, orbit.fundamental.phase), (Stability::Neutral, None));
        assert_eq!(orbit.multipliers[0].re, 1.0);
    }
    for (orbit, start) in orbits.iter().zip(&starts[..3]) {
        assert_eq!((&orbit.start, &orbit.state), (start, start));
    }
    assert_eq!(orbits[3].start, starts[4]);
}

#[test]
fn a_rest_that_is_approached_ever_more_slowly_is_found_once() {
    // in every period the block creeps a little less towards where it rests: from all starts the search ends
    // on the way
    let mut system = System::oscillator(1.375, 0.375, 3.25).with_force(1.0, 2.5);
    for (mu, direction, belt) in [(0.166, 1.0, -0.336), (0.957, 1.5, 0.0)] {
        let friction = coulomb(mu, mu).into();
        system.contacts.push(Contact { friction, load: 1.0, direction: vec![direction], belt });
    }
    let orbits = Steady::default().find(&system, &mut Progress::none()).unwrap();
    // the load moves a block without friction by 0.18
    let rests = |orbit: &Orbit| orbit.amplitude < 1e-12;
    assert!(orbits.len() == 1 && rests(&orbits[0]), "{orbits:#?}");
}

#[test]
fn dissipation_and_stick_fraction_follow_from_the_events() {
    let (damping, mu) = (0.1, 0.6);
    let system = oscillator(damping, 0.25, mu, mu);
    let orbit = from_rest(&system);
    // time at rest, and the way slid between rests, from the event log and a second run
    let mut exact = Exact::new(&system).unwrap();
    exact.restart(0.0, &orbit.state.position, &orbit.state.velocity).unwrap();
    let mut motion = Motion::zero(1, 1);
    let (mut way, mut rest) = (0.0, 0.0);
    let mut last = orbit.state.position[0];
    while exact.t() < orbit.period {
        let from = exact.t();
        exact.step(orbit.period).unwrap();
        exact.motion(0.5 * (from + exact.t()), &mut motion);
        if motion.velocity[0] == 0.0 {
            rest += exact.t() - from;
        }
        exact.motion(exact.t(), &mut motion);
        way += (motion.position[0] - last).abs();
        last = motion.position[0];
    }
    assert!((orbit.energy.friction_loss - mu * way).abs() < 1e-12 * way);
    assert!((orbit.stick_fraction.unwrap() - rest / orbit.period).abs() < 1e-13);
    assert!(orbit.stick_fraction > Some(0.1) && orbit.is_symmetric);
}

#[test]
fn subharmonics_are_found_on_request_and_named_by_their_true_order() {
    let system = oscillator(0.1, 0.7, 0.5, 0.5);
    let steady = Steady { subharmonic: 3, ..Steady::default() };
    let orbit = steady.from(&system, &State::rest(1), &mut Progress::none()).unwrap();
    assert_eq!(orbit.subharmonic, 1);
    assert!((orbit.period - system.period().unwrap()).abs() < 1e-14);
    // two loads of which the second repeats itself every other period of the first
    let mut system = system;
    system.harmonics.push(Harmonic { amplitude: vec![0.4], omega: 0.35, phase: 0.2 });
    assert!(matches!(
        Steady::default().find(&system, &mut Progress::none()),
        Err(Error::NotPeriodic { harmonic: Some(1), cycles }) if (cycles - 0.5).abs() < 1e-12
    ));
    let steady = Steady { subharmonic: 2, ..Steady::default() };
    let orbit = steady.from(&system, &State::rest(1), &mut Progress::none()).unwrap();
    assert_eq!(orbit.subharmonic, 2);
    assert!(!orbit.is_symmetric);
    let end = transient(&system, 2000);
    assert!((orbit.state.position[0] - end.position[0]).abs() < ROUNDING);
}

#[test]
fn a_search_says_what_it_is_doing() {
    let said = std::cell::RefCell::new(Vec::new());
    let hear = |words: &str| said.borrow_mut().push(words.to_owned());
    let mut listen = |_: f64| true;
    let mut progress = Progress::new(&mut listen).saying(&hear);
    let steady = Steady { transient: 2, ..Steady::default() };
    let orbit = steady.from(&oscillator(0.0, 0.7, 0.5, 0.5), &State::rest(1), &mut progress).unwrap();
    let said = said.into_inner();
    assert_eq!(said[..2], ["period 1 of 2 on the way", "period 2 of 2 on the way"]);
    let steps = said.iter().filter(|words| words.starts_with("Newton's step")).count();
    assert!(steps >= 1 && steps <= orbit.convergence.iterations as usize, "{said:?}");
}

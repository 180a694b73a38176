//! Periodic motions of systems beyond constant normal loads and harmonic forces.

use crate::general_systems::*;
use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::law::{FrictionLaw, Iwan, Jenkins, Law};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::{
    Bifurcation, BranchEnd, Continuation, Orbit, Stability, State, Steady, bifurcation, sweep,
};
use stiction::system::{Harmonic, Motion, RigidStop, SignalLoad, System, TimeTable};
use stiction::{Error, Progress};

/// The state of the system after `t`, from `start`.
fn carried(system: &System, start: &[f64], t: f64) -> Vec<f64> {
    let n = system.n();
    let mut exact = Exact::new(system).unwrap();
    exact.restart_with(0.0, &start[..n], &start[n..2 * n], &start[2 * n..]).unwrap();
    while exact.t() < t {
        exact.step(t).unwrap();
    }
    let mut motion = Motion::zero(n, system.contacts.len()).with_states(exact.n_states());
    exact.motion(t, &mut motion);
    [motion.position, motion.velocity, motion.states].concat()
}

fn numbers(state: &State) -> Vec<f64> {
    [&state.position[..], &state.velocity, &state.memory].concat()
}

fn orbits(system: &System) -> Vec<Orbit> {
    Steady::default().find(system, &mut Progress::none()).unwrap()
}

fn repeated_table() -> System {
    let mut system = load_table();
    let table = TimeTable {
        times: vec![0.0, 1.0, 2.0, 2.5, 6.0],
        values: vec![0.0, 2.0, 2.0, -1.5, 1.8],
        period: Some(8.0),
    };
    system.elements.loads = vec![SignalLoad { direction: vec![1.0], signal: table.into() }];
    system
}

fn commensurate() -> System {
    let mut system = load_by_coordinate();
    system.harmonics[1].omega = 1.2;
    system.damping.data.iter_mut().for_each(|c| *c *= 6.0);
    system
}

/// A controller under a load.
fn driven_control() -> System {
    let mut system = pid_hunting();
    system.harmonics.push(Harmonic { amplitude: vec![2.0], omega: 1.3, phase: 0.2 });
    system
}

/// Stiffness without a potential, damped enough not to flutter.
fn damped() -> System {
    let mut system = nonsymmetric();
    system.damping.data.iter_mut().for_each(|c| *c *= 6.0);
    system
}

fn between_stops() -> System {
    let mut system = rigid_stop();
    let stop = &system.elements.stops[0];
    let other = RigidStop { direction: vec![-1.0], position: 0.8, ..stop.clone() };
    system.elements.stops.push(other);
    system
}

fn forced() -> [(&'static str, System); 8] {
    [
        ("varying_load", varying_load()),
        ("repeated_table", repeated_table()),
        ("moving_belt", moving_belt()),
        ("rigid_stop", rigid_stop()),
        ("between_stops", between_stops()),
        ("commensurate", commensurate()),
        ("damped", damped()),
        ("driven_control", driven_control()),
    ]
}

#[test]
fn a_long_transient_ends_in_a_periodic_motion_that_was_found() {
    // transients of these systems fall below rounding in 300 periods
    const PERIODS: f64 = 300.0;
    for (case, system) in forced() {
        let period = system.period().unwrap();
        let end = carried(&system, &numbers(&State::initial(&system)), PERIODS * period);
        let found = orbits(&system);
        let distance = |orbit: &Orbit| {
            numbers(&orbit.state).iter().zip(&end).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let nearest = found.iter().map(distance).fold(f64::INFINITY, f64::min);
        // the clock of the transient is rounded to 1e-13 after 300 periods
        assert!(nearest < 2e-12, "{case}: {nearest:e} from {} motions", found.len());
        for orbit in &found {
            let losses = orbit.energy.friction_loss + orbit.energy.viscous_loss + orbit.energy.impact_loss;
            let gain = (orbit.energy.work_in - losses).abs();
            assert!(gain < 1e-13 * orbit.energy.exchange, "{case}: {gain:e} of {}", orbit.energy.exchange);
        }
    }
}

#[test]
fn the_monodromy_matrix_is_that_of_differences() {
    const STEP: f64 = 1e-6;
    for (case, system) in forced() {
        for orbit in orbits(&system) {
            let x = numbers(&orbit.state);
            for j in 0..x.len() {
                let shifted = |by: f64| {
                    let mut x = x.clone();
                    x[j] += by;
                    carried(&system, &x, orbit.period)
                };
                let (up, down) = (shifted(STEP), shifted(-STEP));
                for i in 0..x.len() {
                    let (own, quotient) = (orbit.monodromy.at(i, j), (up[i] - down[i]) / (2.0 * STEP));
                    // what rests at first slides by the square of a disturbance before it rests again
                    assert!(
                        (own - quotient).abs() < 1e-5 * (1.0 + own.abs()),
                        "{case} {i} {j}: {own} {quotient}"
                    );
                }
            }
        }
    }
}

/// Times at which the contact of `system` sticks with its position above the target, after `from`.
fn upper_stops(system: &System, from: f64, to: f64) -> Vec<f64> {
    let mut exact = Exact::new(system).unwrap();
    let mut motion = Motion::zero(1, 1);
    let mut stops = Vec::new();
    while exact.t() < to {
        exact.step(to).unwrap();
        let sticks = exact.events().iter().find(|event| event.kind == EventKind::Stick).map(|event| event.t);
        let Some(t) = sticks.filter(|t| *t > from) else { continue };
        exact.motion(t, &mut motion);
        if motion.position[0] > 0.0 {
            stops.push(t);
        }
    }
    stops
}

#[test]
fn the_hunting_of_a_controller_is_its_long_transient() {
    let system = pid_hunting();
    let stops = upper_stops(&system, 2000.0, 2100.0);
    let period = stops[1] - stops[0];
    let found = orbits(&system);
    assert_eq!(found.len(), 1);
    let orbit = &found[0];
    // 2000 s are rounded to 2e-13
    assert!((orbit.period - period).abs() < 1e-10, "{} for {period}", orbit.period);
    assert_eq!((orbit.stops, orbit.stability, orbit.is_symmetric), (2, Stability::Stable, true));
    assert!(orbit.stick_fraction > Some(0.3) && orbit.amplitude > 0.01);
    let one = orbit.multipliers.iter().map(|m| (m.re - 1.0).hypot(m.im)).fold(f64::INFINITY, f64::min);
    assert!(one < 1e-9, "a shift in time neither grows nor dies out: {one:e}");
}

#[test]
fn springs_stick_until_all_their_sliders_slide() {
    let jenkins = FrictionLaw::Jenkins(Jenkins { mu: 0.4, stiffness: 5.0 });
    let iwan = FrictionLaw::Iwan(Iwan { mu: vec![0.1, 0.2, 0.35], stiffness: vec![4.0, 2.0, 1.0] });
    for law in [jenkins, iwan] {
        let system = System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(1.0, 0.7);
        let bound = system.contacts[0].friction.law.bound();
        let found = orbits(&system);
        let share = found[0].stick_fraction.unwrap();
        let period = found[0].period;
        let t_end = 60.0 * period;
        let n = 20_001;
        let times = (0..n).map(|i| t_end + period * (f64::from(i) / f64::from(n - 1) - 1.0)).collect();
        let plan =
            Plan { t_end, window: [t_end - period, t_end], times, lands_on_times: false, max_steps: None };
        for integrator in [Integrator::Exact, Integrator::Adaptive(Adaptive::default())] {
            let record = drive(&system, &integrator, &plan, &mut Progress::none()).unwrap();
            // by samples: each of the four edges is missed by a step at most
            let below = record.samples.friction[0].iter().filter(|h| h.abs() < bound * (1.0 - 1e-9)).count();
            let counted = below as f64 / f64::from(n);
            assert!((share - counted).abs() < 4.0 / f64::from(n), "{share} for {counted}");
            assert!(share > 0.05 && share < 0.95, "{share}");
            // a transient of sixty periods has died out to 1e-9
            let reported = record.stick_fraction[0].unwrap();
            assert!((reported - share).abs() < 1e-8, "{reported} for {share}");
        }
    }
}

#[test]
fn a_controller_does_not_hunt_without_static_excess() {
    let mut system = pid_hunting();
    system.contacts[0].friction.law = coulomb(0.3, 0.3);
    let found = Steady::default().find(&system, &mut Progress::none());
    assert!(matches!(found, Err(Error::NoPeriodicMotion { .. })), "{found:?}");
}

#[test]
fn what_never_repeats_is_refused() {
    let search = |system: &System| Steady::default().find(system, &mut Progress::none()).unwrap_err();
    assert_eq!(search(&load_table()), Error::HeldTable);
    assert!(matches!(search(&load_by_coordinate()), Error::NotPeriodic { harmonic: Some(1), .. }));
    let mut system = varying_load();
    system.elements.contacts[0].load.waves[0].omega = 1.7;
    assert!(matches!(search(&system), Error::NotPeriodic { harmonic: None, .. }));
}

#[test]
fn a_branch_and_a_sweep_along_a_wide_system_are_the_motions_themselves() {
    let family = |amplitude: f64| {
        let mut system = varying_load();
        system.harmonics[0].amplitude[0] = amplitude;
        system
    };
    let parameters = [1.5, 1.3, 1.1];
    let points = sweep(&Steady::default(), &family, &parameters, &mut Progress::none()).unwrap();
    let branch = Continuation { from: 1.5, to: 1.1, ..Continuation::default() };
    let branch = branch.run(&family, &mut Progress::none()).unwrap();
    assert_eq!(branch.end, BranchEnd::Reached);
    let last = branch.points.last().unwrap().orbit.as_ref().unwrap();
    for (point, amplitude) in points.iter().zip(parameters) {
        let orbit = point.orbit.as_ref().unwrap();
        let own = &orbits(&family(amplitude))[0];
        assert!((orbit.amplitude - own.amplitude).abs() < 1e-12 * own.amplitude);
        assert!(amplitude > 1.1 || (last.amplitude - own.amplitude).abs() < 1e-12 * own.amplitude);
    }
    let settings = Bifurcation { transient: 200, samples: 2, ..Bifurcation::default() };
    let sections = bifurcation(&settings, &family, &parameters, &mut Progress::none()).unwrap();
    for (section, point) in sections.iter().zip(&points) {
        let (states, orbit) = (section.states.as_ref().unwrap(), point.orbit.as_ref().unwrap());
        let off = (states[1].position[0] - orbit.state.position[0]).abs();
        assert!(off < 1e-11, "{off:e}");
    }
}

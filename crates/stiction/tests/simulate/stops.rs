//! Stops under `adaptive`: against the exact engine, which isolates every impact for certain.

use crate::general_systems::{coulomb, two};
use stiction::Progress;
use stiction::event::Event;
use stiction::law::{FrictionLaw, Linear};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{Engine, Steady};
use stiction::system::{Contact, ElasticStop, Harmonic, RigidStop, System};
use stiction_reference::dice::Dice;

fn linear(mu: f64) -> FrictionLaw {
    FrictionLaw::Linear(Linear { mu, width: 0.05, rise: None, rise_height: None })
}

fn tight() -> Adaptive {
    Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() }
}

fn oscillator(law: FrictionLaw) -> System {
    System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(1.2, 0.7)
}

fn rigid(direction: &[f64], position: f64, restitution: f64) -> RigidStop {
    RigidStop { direction: direction.to_vec(), position, restitution, ..RigidStop::default() }
}

fn elastic(direction: &[f64], position: f64, stiffness: f64, damping: f64) -> ElasticStop {
    ElasticStop { direction: direction.to_vec(), position, stiffness, damping, ..ElasticStop::default() }
}

fn run(system: &System, integrator: &Integrator, t_end: f64) -> Record {
    drive(system, integrator, &Plan::new(t_end, 41), &mut Progress::none()).unwrap()
}

/// Both engines over the same time: samples, events, losses and extrema.
fn compare(case: &str, system: &System, t_end: f64, tolerance: f64) {
    let exact = run(system, &Integrator::Exact, t_end);
    let adaptive = run(system, &Integrator::Adaptive(tight()), t_end);
    // what a law without rest calls its events differs between the engines
    let of_stops = |record: &Record| -> Vec<Event> {
        // the engines sum a series of impacts from different ones on
        let of_stop = || record.events.iter().filter(|event| event.kind.is_of_stop());
        let is_in_series = |event: &Event| {
            of_stop().any(|other| {
                other != event && other.contact == event.contact && (other.t - event.t).abs() < 0.02
            })
        };
        let is_compared = |event: &&Event| event.kind.is_of_stop() && !is_in_series(event);
        record.events.iter().filter(is_compared).copied().collect()
    };
    let (a, b) = (of_stops(&exact), of_stops(&adaptive));
    assert_eq!(a.len(), b.len(), "{case}: {a:?} {b:?}");
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((a.contact, a.kind), (b.contact, b.kind), "{case}: {a:?} {b:?}");
        assert!((a.t - b.t).abs() < tolerance, "{case}: {a:?} {b:?}");
    }
    for i in 0..system.n() {
        let pairs = |a: &Record, k: usize| [a.samples.position[i][k], a.samples.velocity[i][k]];
        for k in 0..exact.samples.t.len() {
            // at an impact the velocity jumps, and its time has an error
            let t = exact.samples.t[k];
            if exact.events.iter().any(|event| (event.t - t).abs() < tolerance) {
                continue;
            }
            let (a, b) = (pairs(&exact, k), pairs(&adaptive, k));
            let off = (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            assert!(off < tolerance, "{case}: {off:e} at {t} s");
        }
        let (a, b) = (exact.ranges[system.n() + i], adaptive.ranges[system.n() + i]);
        assert!(
            (a.max - b.max).abs() < tolerance && (a.min - b.min).abs() < tolerance,
            "{case}: {a:?} {b:?}"
        );
    }
    let (a, b) = (exact.balance.impact_loss, adaptive.balance.impact_loss);
    assert!((a - b).abs() < tolerance * (1.0 + a.abs()), "{case}: impact loss {a} {b}");
}

#[test]
fn impacts_on_a_rigid_stop_are_those_of_exact() {
    let mut system = oscillator(linear(0.2));
    system.elements.stops.push(rigid(&[1.0], 0.5, 0.7));
    compare("one side", &system, 30.0, 1e-7);
    system.elements.stops.push(rigid(&[-1.0], 0.6, 0.4));
    compare("both sides", &system, 30.0, 1e-7);
}

#[test]
fn a_rigid_stop_holds_and_lets_go() {
    for restitution in [0.0, 0.5] {
        let mut system = oscillator(linear(0.1));
        system.constant[0] = 0.9;
        system.elements.stops.push(rigid(&[1.0], 0.4, restitution));
        let record = run(&system, &Integrator::Adaptive(tight()), 40.0);
        let count = |name: &str| record.events.iter().filter(|event| event.kind.name() == name).count();
        assert!(count("hold") + count("impact") >= 3 && count("release") >= 3, "{:?}", record.events);
        // the rest of a series of impacts, 1e-8 of the system's own time, is summed from different impacts on
        compare("held", &system, 40.0, 1e-6);
    }
}

#[test]
fn a_mass_that_starts_on_its_stop_rests_there() {
    let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(linear(0.1));
    system.constant[0] = 1.0;
    system.position[0] = 0.3;
    system.elements.stops.push(rigid(&[1.0], 0.3, 0.5));
    let record = run(&system, &Integrator::Adaptive(tight()), 5.0);
    assert!(record.events.is_empty(), "{:?}", record.events);
    assert!(record.samples.position[0].iter().all(|q| *q == 0.3));
}

#[test]
fn elastic_stops_push_and_never_pull() {
    for (case, law) in [("linear", linear(0.2)), ("coulomb", coulomb(0.2, 0.3))] {
        for damping in [0.0, 2.0, 30.0] {
            let mut system = oscillator(law.clone());
            system.elements.elastic.push(elastic(&[1.0], 0.4, 80.0, damping));
            system.elements.elastic.push(elastic(&[-1.0], 0.5, 20.0, 0.5 * damping));
            compare(&format!("{case} {damping}"), &system, 30.0, 1e-7);
        }
    }
}

#[test]
fn a_stop_between_two_masses() {
    let mut system = two([1.0, 2.0], [0.1, 0.1], [0.5, 0.0, 0.0, 0.3], linear(0.2));
    system.harmonics.push(Harmonic { amplitude: vec![1.0, 0.0], omega: 1.1, phase: 0.0 });
    let mut backlash = system.clone();
    backlash.elements.elastic.push(elastic(&[1.0, -1.0], 0.2, 200.0, 4.0));
    backlash.elements.elastic.push(elastic(&[-1.0, 1.0], 0.2, 200.0, 4.0));
    compare("backlash", &backlash, 25.0, 1e-6);
    system.elements.stops.push(rigid(&[1.0, -1.0], 0.2, 0.6));
    compare("rigid", &system, 25.0, 1e-6);
}

#[test]
fn random_oscillators_between_stops_move_as_by_exact() {
    let mut dice = Dice::new(28);
    for case in 0..40 {
        let mut system = System::oscillator(1.0, dice.between(0.02, 0.2), dice.between(0.5, 2.0))
            .with_friction(linear(dice.between(0.05, 0.3)))
            .with_force(dice.between(0.8, 2.0), dice.between(0.4, 1.5));
        system.constant[0] = dice.between(-0.5, 0.5);
        let upper = dice.between(0.1, 0.6);
        if dice.between(0.0, 1.0) < 0.5 {
            system.elements.stops.push(rigid(&[1.0], upper, dice.between(0.0, 0.9)));
        } else {
            let damping = dice.between(0.0, 5.0);
            system.elements.elastic.push(elastic(&[1.0], upper, dice.between(10.0, 200.0), damping));
        }
        // before impacts have magnified the tolerance
        compare(&format!("case {case}"), &system, 10.0, 1e-6);
    }
}

#[test]
fn periodic_motions_against_stops_are_those_of_exact() {
    let mut hit = oscillator(linear(0.2));
    hit.elements.stops.push(rigid(&[1.0], 0.5, 0.4));
    let mut pushed = oscillator(linear(0.2));
    pushed.elements.elastic.push(elastic(&[1.0], 0.4, 30.0, 1.0));
    for (case, system) in [("rigid", hit), ("elastic", pushed)] {
        let search = |engine| {
            let steady = Steady { engine: Some(engine), ..Steady::default() };
            steady.find(&system, &mut Progress::none()).unwrap()
        };
        let (exact, adaptive) = (search(Engine::Exact), search(Engine::Adaptive(tight())));
        assert!(!exact.is_empty(), "{case}");
        let amplitudes =
            |found: &[stiction::steady::Orbit]| found.iter().map(|o| o.amplitude).collect::<Vec<_>>();
        assert_eq!(
            exact.len(),
            adaptive.len(),
            "{case} {:?} {:?}",
            amplitudes(&exact),
            amplitudes(&adaptive)
        );
        for (a, b) in exact.iter().zip(&adaptive) {
            assert!((a.amplitude - b.amplitude).abs() < 1e-8 * a.amplitude, "{case}");
            for (a, b) in a.multipliers.iter().zip(&b.multipliers) {
                assert!((a.modulus() - b.modulus()).abs() < 1e-6, "{case}: {a:?} {b:?}");
            }
        }
    }
}

/// Friction holds the mass on the stop, off it, and in between; static friction may be above kinetic friction.
#[test]
fn random_oscillators_that_stick_between_rigid_stops_move_as_by_exact() {
    let mut dice = Dice::new(29);
    for case in 0..40 {
        let mu = dice.between(0.1, 0.5);
        let law = coulomb(mu, mu * [1.0, dice.between(1.0, 1.6)][case % 2]);
        let mut system = System::oscillator(1.0, dice.between(0.02, 0.2), dice.between(0.5, 2.0))
            .with_friction(law)
            .with_force(dice.between(0.8, 2.0), dice.between(0.4, 1.5));
        system.constant[0] = dice.between(-0.5, 0.5);
        let upper = dice.between(0.1, 0.6);
        system.elements.stops.push(rigid(&[1.0], upper, dice.between(0.0, 0.9)));
        compare(&format!("case {case}"), &system, 10.0, 1e-6);
    }
}

/// Two blocks with a contact between them and one on the ground; the first is pressed against a stop.
#[test]
fn blocks_that_stick_on_each_other_beside_a_stop_move_as_by_exact() {
    for (between, restitution) in [(0.3, 0.0), (0.1, 0.5)] {
        let mut system = two([1.0, 2.0], [0.1, 0.1], [0.5, 0.0, 0.0, 0.3], coulomb(0.2, 0.25));
        system.contacts.push(Contact { direction: vec![-1.0, 1.0], ..system.contacts[0].clone() });
        system.contacts[1].friction = coulomb(between, 1.2 * between).into();
        system.harmonics.push(Harmonic { amplitude: vec![1.0, 0.8], omega: 0.8, phase: 0.2 });
        system.elements.stops.push(rigid(&[1.0, 0.0], 0.15, restitution));
        compare(&format!("{between}"), &system, 25.0, 1e-6);
    }
}

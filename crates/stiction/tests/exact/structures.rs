//! Structures: finite-element models with friction, against independent integrations.

use crate::beams::cantilever;
use stiction::Progress;
use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::Motion;

/// The reference's own accuracy is some 3e-9 (states) and 1e-10 s (events).
const STATES: f64 = 1e-8;
const EVENTS: f64 = 1e-8;

/// Rows of a table of numbers below its heading; other cells are NaN.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn the_cantilever_with_a_dry_contact_follows_the_reference() {
    let system = cantilever(8, 0.0, 0.01);
    let table: Vec<Vec<f64>> = rows(include_str!("../reference/beam.csv"))
        .iter()
        .map(|row| row.iter().map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let expected: Vec<(f64, String)> = rows(include_str!("../reference/beam_events.csv"))
        .iter()
        .map(|row| (row[1].parse().unwrap(), row[2].clone()))
        .collect();
    let (mut exact, mut motion) = (Exact::new(&system).unwrap(), Motion::zero(16, 1));
    let end = 6.0 * std::f64::consts::TAU / 3.4;
    let mut events: Vec<(f64, EventKind)> = Vec::new();
    let mut row = table.iter().peekable();
    while exact.t() < end {
        exact.step(end).unwrap();
        while let Some(values) = row.next_if(|values| values[0] <= exact.t()) {
            exact.motion(values[0], &mut motion);
            let found = [motion.position[14], motion.velocity[14], motion.position[12]];
            for (found, expected) in found.iter().zip(&values[1..]) {
                assert!((found - expected).abs() < STATES, "t = {}: {found} {expected}", values[0]);
            }
        }
        events.extend(exact.events().iter().map(|event| (event.t, event.kind)));
    }
    assert_eq!(row.next(), None, "all rows were compared");
    assert_eq!(events.len(), expected.len(), "{events:?}");
    for ((t, kind), (expected, name)) in events.iter().zip(&expected) {
        assert_eq!(kind.name(), name, "t = {t}");
        assert!((t - expected).abs() < EVENTS, "{name} at {t}, not {expected}");
    }
}

#[test]
fn a_contact_at_rest_does_not_move_at_all() {
    let mut system = cantilever(8, 0.0, 0.01);
    system.harmonics[0].amplitude[14] = 0.39;
    let (mut exact, mut motion) = (Exact::new(&system).unwrap(), Motion::zero(16, 1));
    exact.step(1000.0).unwrap();
    assert_eq!(exact.t(), 1000.0);
    exact.motion(999.9, &mut motion);
    assert_eq!((motion.position[14], motion.velocity[14], motion.sliding[0]), (0.0, 0.0, 0.0));
}

#[test]
fn finer_meshes_give_the_same_motion_whatever_their_fastest_rate() {
    // the rates grow with the fourth power of the number of elements; what differs is the error of the coarse
    // mesh
    let tip = |n: usize| {
        let system = cantilever(n, 0.0, 0.01);
        let (mut exact, mut motion) = (Exact::new(&system).unwrap(), Motion::zero(2 * n, 1));
        let mut events = 0;
        while exact.t() < 5.0 {
            exact.step(5.0).unwrap();
            events += exact.events().len();
        }
        exact.motion(5.0, &mut motion);
        (events, motion.position[2 * n - 2])
    };
    let (events, position) = tip(8);
    for n in [16, 26, 40] {
        let finer = tip(n);
        assert_eq!(finer.0, events, "{n} elements");
        assert!((finer.1 - position).abs() < 1e-4, "{n} elements: {} {position}", finer.1);
    }
}

#[test]
fn the_facts_of_a_beam_are_complete_and_balance() {
    // the residual is that of sums over some hundred phases; the bar is 1e-12
    const RESIDUAL: f64 = 1e-14;
    // light, heavy and hardly any damping; a contact on a belt, whose impulse comes from the balance of the
    // modes
    for (n, alpha, beta, belt) in
        [(8, 0.0, 0.01, 0.0), (14, 0.1, 1e-4, 0.0), (6, 0.0, 1e-6, 0.0), (8, 0.0, 0.01, 0.7)]
    {
        let mut system = cantilever(n, alpha, beta);
        system.contacts[0].belt = belt;
        let end = 6.0 * system.period().unwrap();
        let plan = Plan { times: Vec::new(), ..Plan::new(end, 0) };
        let reported = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
        let case = format!("{n} elements, α = {alpha}, β = {beta}, belt {belt}");
        assert!(reported.energy_share() < RESIDUAL, "{case}: {:e}", reported.energy_share());
        assert!(reported.events.len() >= 8, "{case}: {:?}", reported.events);
        // no sample is beyond the ranges, and the ranges are reached
        let (mut exact, mut motion) = (Exact::new(&system).unwrap(), Motion::zero(2 * n, 1));
        let mut seen = vec![[f64::NEG_INFINITY, f64::INFINITY]; reported.ranges.len()];
        let times: Vec<f64> = (0..100_000).map(|i| end * f64::from(i) / 100_000.0).collect();
        let mut next = times.iter().copied().peekable();
        while exact.t() < end {
            exact.step(end).unwrap();
            while let Some(t) = next.next_if(|t| *t < exact.t()) {
                exact.motion(t, &mut motion);
                let Motion { position, velocity, acceleration, friction, slope, .. } = &motion;
                let all = [position, velocity, acceleration, friction, slope].into_iter().flatten();
                for ([max, min], value) in seen.iter_mut().zip(all) {
                    (*max, *min) = (max.max(*value), min.min(*value));
                }
            }
        }
        for (k, ([max, min], range)) in seen.iter().zip(&reported.ranges).enumerate() {
            let size = range.max.abs().max(range.min.abs());
            assert!(*max <= range.max + 1e-12 * size && *min >= range.min - 1e-12 * size, "{case}: {k}");
            // accelerations change within microseconds after an event, positions and velocities hardly
            // between two samples
            if k < 4 * n {
                assert!(*max >= range.max - 1e-3 * size && *min <= range.min + 1e-3 * size, "{case}: {k}");
            }
        }
    }
}

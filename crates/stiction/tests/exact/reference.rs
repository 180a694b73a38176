//! The exact method against trajectories and event times of five oscillators, computed with 40 digits by
//! another program.

use std::f64::consts::TAU;
use stiction::event::Event;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::system::{Motion, System};

/// On states and event times after up to 20 periods; times are of order 100, whose last place is 1e-14.
const TOLERANCE: f64 = 1e-12;

struct Row {
    case: String,
    system: System,
    period: f64,
    t: f64,
    u: f64,
    v: f64,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../reference/coulomb.csv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let x: Vec<f64> = cells[1..].iter().map(|cell| cell.parse().unwrap()).collect();
        let law = FrictionLaw::Coulomb(Coulomb { mu: x[5], mu_static: Some(x[6]) });
        let mut system = System::oscillator(x[0], x[1], x[2]).with_friction(law).with_force(x[3], x[4]);
        (system.position[0], system.velocity[0]) = (x[7], x[8]);
        Row { case: cells[0].into(), system, period: TAU / x[4], t: x[9], u: x[10], v: x[11] }
    };
    table.lines().skip(1).map(row).collect()
}

fn run(system: &System, t_end: f64, mut each: impl FnMut(&mut Exact)) -> Vec<Event> {
    let mut exact = Exact::new(system).unwrap();
    let mut events = Vec::new();
    while exact.t() < t_end {
        exact.step(t_end).unwrap();
        events.extend_from_slice(exact.events());
        each(&mut exact);
    }
    events
}

#[test]
fn states_agree_with_the_reference() {
    let mut motion = Motion::zero(1, 1);
    let mut worst = 0.0f64;
    for Row { case, system, t, u, v, .. } in rows() {
        let mut found = false;
        run(&system, t, |exact| {
            if exact.start() <= t && t <= exact.t() {
                exact.motion(t, &mut motion);
                found = true;
            }
        });
        assert!(found);
        let error = (motion.position[0] - u).abs().max((motion.velocity[0] - v).abs());
        worst = worst.max(error);
        assert!(error < TOLERANCE, "{case} at t = {t}: {error:e}");
    }
    println!("worst error of a state {worst:e}");
}

#[test]
fn all_events_and_no_others_agree_with_the_reference() {
    let table = include_str!("../reference/coulomb_events.csv");
    let mut worst = 0.0f64;
    for case in rows().chunk_by(|a, b| a.case == b.case) {
        let Row { case, system, period, .. } = &case[0];
        let expected: Vec<(f64, &str)> = (table.lines())
            .filter_map(|line| line.strip_prefix(&format!("{case},")))
            .map(|line| line.split(',').collect::<Vec<_>>())
            .map(|cells| (cells[1].parse().unwrap(), cells[2]))
            .collect();
        let events = run(system, 20.0 * period, |_| ());
        assert_eq!(events.len(), expected.len(), "{case}: {events:?}");
        for (event, (t, kind)) in events.iter().zip(expected) {
            let error = (event.t - t).abs();
            worst = worst.max(error);
            assert!(
                error < TOLERANCE && event.kind.name() == kind,
                "{case}: {event:?}, expected {kind} at {t}"
            );
        }
    }
    println!("worst error of an event time {worst:e}");
}

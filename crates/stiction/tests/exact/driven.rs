//! The exact engine under the driver: samples, events, stick time and energy.

use std::f64::consts::TAU;
use stiction::Progress;
use stiction::event::{Event, EventKind};
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw, Linear};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Motion, System};

fn stick_slip(law: FrictionLaw) -> System {
    System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(2.0, 0.5)
}

fn run(system: &System) -> Record {
    let t_end = 20.0 * TAU / 0.5;
    let times = (0..=200).map(|i| t_end * f64::from(i) / 200.0).collect();
    let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None };
    drive(system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap()
}

#[test]
fn the_driver_changes_nothing_about_the_motion() {
    let system = stick_slip(FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: Some(1.2) }));
    let record = run(&system);
    // the engine alone, straight from event to event
    let mut exact = Exact::new(&system).unwrap();
    let (mut events, mut motion): (Vec<Event>, Motion) = (Vec::new(), Motion::zero(1, 1));
    let mut next = 0;
    while exact.t() < record.samples.t[200] {
        exact.step(record.samples.t[200]).unwrap();
        while next <= 200 && record.samples.t[next] <= exact.t() {
            exact.motion(record.samples.t[next], &mut motion);
            // the stretches of the driver begin elsewhere, so that rounding differs
            assert!((motion.position[0] - record.samples.position[0][next]).abs() < 1e-13);
            assert!((motion.velocity[0] - record.samples.velocity[0][next]).abs() < 1e-13);
            next += 1;
        }
        events.extend(exact.events());
    }
    assert_eq!(next, 201);
    assert_eq!(events.len(), record.events.len());
    for (a, b) in events.iter().zip(&record.events) {
        assert_eq!((a.kind, a.contact), (b.kind, b.contact));
        assert!((a.t - b.t).abs() < 1e-12);
    }
    // the time in stick is that between the events
    let mut stuck = 0.0;
    let mut since = Some(0.0);
    for event in &events {
        match event.kind {
            EventKind::Stick => since = Some(event.t),
            EventKind::Slip => stuck += event.t - since.take().unwrap(),
            _ => {}
        }
    }
    stuck += since.map_or(0.0, |t| record.samples.t[200] - t);
    let fraction = stuck / record.samples.t[200];
    assert!((record.stick_fraction[0].unwrap() - fraction).abs() < 1e-12);
    assert!(fraction > 0.2);
}

#[test]
fn energy_balances_to_rounding() {
    let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: Some(1.2) });
    let ramp = FrictionLaw::Linear(Linear { mu: 1.0, width: 1e-4, rise: None, rise_height: None });
    let raised = FrictionLaw::Linear(Linear { mu: 1.0, width: 0.1, rise: Some(0.05), rise_height: None });
    let mut belted = stick_slip(coulomb.clone());
    belted.contacts[0].belt = 0.3;
    for system in [stick_slip(coulomb), stick_slip(ramp), stick_slip(raised), belted] {
        let record = run(&system);
        let share = record.energy_residual().abs() / record.total.work_in.abs();
        assert!(share < 1e-12, "{:?}: {share:e}", system.contacts[0].friction.law);
    }
}

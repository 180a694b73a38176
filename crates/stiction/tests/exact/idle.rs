//! Elements that never act change nothing: a stop out of reach, a table of zeros, a controller without gain.

use crate::dice::Dice;
use stiction::event::{Event, EventKind};
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::Matrix;
use stiction::system::{ElasticStop, Feedback, Harmonic, Motion, RigidStop, SignalLoad, System, TimeTable};

/// Events of one system by two propagators: rounding of some tens of events, each of which the motion may
/// amplify. Times are of order 10.
const TOLERANCE: f64 = 1e-12;
const T_END: f64 = 20.0;

/// A driven oscillator, damped so that differences do not grow.
fn oscillator(dice: &mut Dice) -> System {
    let mu = dice.between(0.1, 1.0);
    let mu_static = dice.chance(0.5).then(|| mu * dice.between(1.0, 1.6));
    let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static });
    let mut system =
        System::oscillator(dice.between(0.5, 2.0), dice.between(0.05, 0.5), dice.between(0.3, 4.0))
            .with_friction(law);
    system.contacts[0].belt = if dice.chance(0.4) { dice.between(-0.5, 0.5) } else { 0.0 };
    system.constant[0] = dice.between(-0.5, 0.5);
    system.position[0] = dice.between(-1.0, 1.0);
    system.velocity[0] = dice.between(-1.0, 1.0);
    for _ in 0..1 + (2.0 * dice.roll()) as usize {
        let omega = dice.between(0.3, 3.0);
        system.harmonics.push(Harmonic {
            amplitude: vec![dice.between(-2.0, 2.0)],
            omega,
            phase: dice.between(-3.0, 3.0),
        });
    }
    system
}

/// The system beside elements that never act, with their names.
fn beside_idle_elements(system: &System) -> Vec<(&'static str, System)> {
    let with = |add: &dyn Fn(&mut System)| {
        let mut system = system.clone();
        add(&mut system);
        system
    };
    let one = || vec![1.0];
    vec![
        (
            "rigid stop",
            with(&|system| {
                let stop =
                    RigidStop { direction: one(), position: 1e3, restitution: 0.5, ..RigidStop::default() };
                system.elements.stops.push(stop);
            }),
        ),
        (
            "elastic stop",
            with(&|system| {
                let stop = ElasticStop {
                    direction: one(),
                    position: 1e3,
                    stiffness: 10.0,
                    damping: 0.1,
                    ..ElasticStop::default()
                };
                system.elements.elastic.push(stop);
            }),
        ),
        (
            "table",
            with(&|system| {
                let table = TimeTable { times: vec![0.0, 3.0, 7.0], values: vec![0.0; 3], period: None };
                system.elements.loads.push(SignalLoad { direction: one(), signal: table.into() });
            }),
        ),
        (
            "controller",
            with(&|system| {
                let mut feedback = Feedback::none(1, 1, 0);
                feedback.b_position = Matrix::diagonal(&[1.0]);
                feedback.initial = vec![0.3];
                system.elements.feedback = Some(feedback);
            }),
        ),
    ]
}

fn run(system: &System) -> (Vec<Event>, Motion) {
    let mut exact = Exact::new(system).unwrap();
    let mut motion = Motion::zero(system.n(), system.contacts.len());
    let mut events = Vec::new();
    while exact.t() < T_END {
        exact.step(T_END).unwrap();
        events.extend_from_slice(exact.events());
    }
    exact.motion(T_END, &mut motion);
    (events, motion)
}

#[test]
fn elements_that_never_act_change_no_event() {
    let mut dice = Dice::new(20_261_118);
    let (mut compared, mut n_events) = (0, 0);
    for case in 0..200 {
        let system = oscillator(&mut dice);
        let (events, end) = run(&system);
        n_events += events.len();
        for (name, other) in beside_idle_elements(&system) {
            let (others, other_end) = run(&other);
            let kinds = |events: &[Event]| {
                events.iter().map(|e| (e.contact, e.kind)).collect::<Vec<(usize, EventKind)>>()
            };
            assert_eq!(kinds(&events), kinds(&others), "case {case}, {name}: {events:?}\n{others:?}");
            for (a, b) in events.iter().zip(&others) {
                // where the velocity touches zero an event is as uncertain as the root of the rounding
                assert!((a.t - b.t).abs() < TOLERANCE, "case {case}, {name}: {a:?} {b:?}");
            }
            let off = (end.position[0] - other_end.position[0]).abs();
            assert!(off < TOLERANCE, "case {case}, {name}: {off:e}");
            compared += 1;
        }
    }
    assert!(compared == 800 && n_events > 1500, "{compared} {n_events}");
}

//! Sessions: inputs from step to step, states saved and restored.

use crate::general_systems::*;
use stiction::event::EventKind;
use stiction::law::{FrictionLaw, Jenkins, Lugre};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Session, SessionInput, SessionState, drive};
use stiction::system::{ElasticStop, Feedback, InputPlace, System, TimeTable};
use stiction::{Error, Progress};

fn push() -> InputPlace {
    InputPlace::Load { direction: vec![1.0] }
}

fn session(system: &System, integrator: &Integrator, places: &[InputPlace]) -> Session {
    let inputs: Vec<SessionInput> = places.iter().cloned().map(SessionInput::new).collect();
    Session::new(system, integrator, &inputs).unwrap()
}

fn adaptive() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() })
}

fn bits(state: &SessionState) -> Vec<u64> {
    let lists = [&state.position, &state.velocity, &state.states, &state.inputs];
    let numbers = lists.into_iter().flatten().chain([&state.t]);
    numbers.map(|x| x.to_bits()).collect()
}

fn elastic() -> System {
    let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.2, 0.3)).with_force(1.5, 0.7);
    let stop = ElasticStop {
        direction: vec![1.0],
        position: 0.4,
        stiffness: 9.0,
        damping: 0.3,
        ..ElasticStop::default()
    };
    system.elements.elastic.push(stop);
    system
}

fn spring() -> System {
    let law = FrictionLaw::Jenkins(Jenkins { mu: 0.5, stiffness: 3.0 });
    System::oscillator(1.0, 0.02, 1.0).with_friction(law).with_force(0.9, 0.6)
}

fn bristles() -> System {
    let law = Lugre { mu: 0.3, mu_static: 0.4, velocity: 0.1, stiffness: 1e3, damping: 10.0, exponent: None };
    System::oscillator(1.0, 0.0, 1.0).with_friction(FrictionLaw::Lugre(law)).with_force(1.0, 0.5)
}

fn systems() -> Vec<(&'static str, System, Integrator)> {
    let exact = || Integrator::Exact;
    let plain = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.5, 0.7)).with_force(1.5, 0.8);
    vec![
        ("one degree of freedom", plain.clone(), exact()),
        ("varying load", varying_load(), exact()),
        ("table", load_table(), exact()),
        ("belt", moving_belt(), exact()),
        ("controller", pid_hunting(), exact()),
        ("rigid stop", rigid_stop(), exact()),
        ("elastic stop", elastic(), exact()),
        ("spring with slider", spring(), exact()),
        ("load by coordinate", load_by_coordinate(), exact()),
        ("bristles", bristles(), adaptive()),
        ("coulomb by steps", plain, adaptive()),
        ("springs by steps", spring(), adaptive()),
    ]
}

/// A motion in many short advances is that of one run, events included.
#[test]
fn many_advances_are_one_run() {
    for (name, system, integrator) in systems() {
        let record = drive(&system, &integrator, &Plan::new(20.0, 2), &mut Progress::none()).unwrap();
        let mut session = session(&system, &integrator, &[]);
        let mut events = Vec::new();
        for i in 1..=137 {
            session.advance(20.0 * f64::from(i) / 137.0).unwrap();
            events.extend_from_slice(session.events());
        }
        let tolerance = if integrator == Integrator::Exact { 1e-11 } else { 3e-7 };
        let motion = session.motion();
        for k in 0..system.n() {
            let end = [record.samples.position[k][1], record.samples.velocity[k][1]];
            let off = (end[0] - motion.position[k]).abs().max((end[1] - motion.velocity[k]).abs());
            assert!(off < tolerance, "{name}: {off:e}");
        }
        if integrator == Integrator::Exact {
            assert_eq!(events.len(), record.events.len(), "{name}");
            for (a, b) in events.iter().zip(&record.events) {
                assert!(a.kind == b.kind && (a.t - b.t).abs() < 1e-10, "{name}: {a:?} {b:?}");
            }
        }
    }
}

/// From a saved state another session goes on bit by bit, whatever happened in between.
#[test]
fn a_restored_session_goes_on_bit_by_bit() {
    for (name, system, integrator) in systems() {
        let n = system.n();
        let direction = (0..n).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect();
        let places = [InputPlace::Load { direction }];
        let mut first = session(&system, &integrator, &places);
        let mut states = Vec::new();
        let lead = |session: &mut Session, i: u32| {
            let value = 0.4 * libm::sin(f64::from(i));
            if i.is_multiple_of(3) {
                session.set(0, value).unwrap()
            } else {
                session.lead(0, value).unwrap()
            }
            session.advance(0.37 * f64::from(i + 1)).unwrap();
        };
        for i in 0..40 {
            states.push(first.state());
            lead(&mut first, i);
        }
        let end = bits(&first.state());
        for from in [0, 1, 13, 29] {
            let mut other = session(&system, &integrator, &places);
            other.advance(0.1).unwrap();
            other.restore(&states[from as usize]).unwrap();
            (from..40).for_each(|i| lead(&mut other, i));
            assert_eq!(bits(&other.state()), end, "{name} from {from}");
            // the session itself goes back too
            first.restore(&states[from as usize]).unwrap();
            (from..40).for_each(|i| lead(&mut first, i));
            assert_eq!(bits(&first.state()), end, "{name} from {from}");
        }
    }
}

/// An input set from point to point is a table of these points, wherever it acts.
#[test]
fn inputs_are_tables_point_by_point() {
    let points = [0.0, 0.3, -0.2, 0.5, 0.1, 0.4, -0.3, 0.2];
    let times = [0.0, 1.0, 2.5, 3.0, 5.5, 7.0, 8.0, 12.0];
    let table = TimeTable { times: times.to_vec(), values: points.to_vec(), period: None };
    let mut controlled = pid_hunting();
    let mut feedback = Feedback::none(1, 1, 1);
    let own = controlled.elements.feedback.take().unwrap();
    (feedback.f_position, feedback.f_velocity, feedback.f_state) =
        (own.f_position, own.f_velocity, own.f_state);
    feedback.b_position = own.b_position;
    (feedback.f_input.data[0], feedback.b_input.data[0]) = (4.0, -1.0);
    controlled.elements.feedback = Some(feedback);
    let mut loaded = load_table();
    loaded.elements.loads.clear();
    loaded = loaded.with_force(0.8, 0.9);
    let cases = [
        ("load", loaded, push()),
        ("normal load", varying_load(), InputPlace::NormalLoad { contact: 0 }),
        ("belt", moving_belt(), InputPlace::Belt { contact: 0 }),
        ("reference", controlled, InputPlace::Reference { input: 0 }),
    ];
    for (name, system, place) in cases {
        let mut tabled = system.clone();
        match &place {
            InputPlace::Load { direction } => tabled.elements.loads.push(stiction::system::SignalLoad {
                direction: direction.clone(),
                signal: table.clone().into(),
            }),
            InputPlace::NormalLoad { .. } => tabled.elements.contacts[0].load.tables.push(table.clone()),
            InputPlace::Belt { .. } => tabled.elements.contacts[0].belt.tables.push(table.clone()),
            InputPlace::Reference { .. } => {
                tabled.elements.feedback.as_mut().unwrap().inputs[0].tables.push(table.clone());
            }
        }
        let record = drive(&tabled, &Integrator::Exact, &Plan::new(12.0, 2), &mut Progress::none()).unwrap();
        let mut session = session(&system, &Integrator::Exact, &[place]);
        for (t, value) in times.iter().zip(points).skip(1) {
            session.lead(0, value).unwrap();
            session.advance(*t).unwrap();
        }
        let motion = session.motion();
        let off = (record.samples.position[0][1] - motion.position[0]).abs();
        assert!(off < 1e-11, "{name}: {off:e}");
        assert!(motion.position[0].abs() > 1e-3, "{name} does not move");
    }
}

/// Half of an even push is a rest; the block lets go at the load of the law, and the input that is held
/// pushes it on.
#[test]
fn a_block_lets_go_where_its_input_says() {
    let block = System::oscillator(2.0, 0.0, 0.0).with_friction(coulomb(0.4, 0.6));
    let mut session = session(&block, &Integrator::Exact, &[push()]);
    session.set(0, 0.59).unwrap();
    session.advance(3.0).unwrap();
    assert_eq!(session.motion().velocity[0], 0.0);
    assert!((session.motion().friction[0] - 0.59).abs() < 1e-15);
    session.lead(0, 0.69).unwrap();
    session.advance(4.0).unwrap();
    let slip = session.events()[0];
    assert!(slip.kind == EventKind::Slip && (slip.t - 3.1).abs() < 1e-12, "{slip:?}");
    // (0.2 t + 0.05 t²)/2 for 0.9 s, then 0.29/2 for 1 s
    session.advance(5.0).unwrap();
    let expected = (0.2 * 0.9 + 0.05 * 0.9 * 0.9) / 2.0 + 0.29 / 2.0;
    assert!((session.motion().velocity[0] - expected).abs() < 1e-13);
}

#[test]
fn internal_states_are_read_and_set() {
    let bristles = bristles();
    let mut whole = session(&bristles, &adaptive(), &[]);
    whole.advance(3.0).unwrap();
    let state = whole.state();
    assert!(state.states[0].abs() > 1e-5);
    // a system that starts from the state, with the clock of its load moved on
    let mut later = bristles.clone();
    (later.position, later.velocity) = (state.position.clone(), state.velocity.clone());
    later.set_initial_states(&state.states);
    later.harmonics[0].phase = 0.5 * 3.0;
    whole.advance(9.0).unwrap();
    let record = drive(&later, &adaptive(), &Plan::new(6.0, 2), &mut Progress::none()).unwrap();
    assert!((record.samples.position[0][1] - whole.motion().position[0]).abs() < 1e-8);
    later.set_initial_states(&[0.0]);
    let record = drive(&later, &adaptive(), &Plan::new(6.0, 2), &mut Progress::none()).unwrap();
    assert!((record.samples.position[0][1] - whole.motion().position[0]).abs() > 1e-6);
}

#[test]
fn what_a_session_cannot_do_is_said_and_leaves_it_where_it_was() {
    let system = varying_load();
    let mut session = session(&system, &Integrator::Exact, &[push()]);
    session.advance(2.0).unwrap();
    let state = session.state();
    assert!(matches!(session.advance(1.0), Err(Error::TooSmall { .. })));
    assert!(matches!(session.advance(f64::NAN), Err(Error::NotFinite(_))));
    assert!(matches!(session.set(1, 0.0), Err(Error::NotBelow { .. })));
    assert!(matches!(session.lead(0, f64::INFINITY), Err(Error::NotFinite(_))));
    let short = SessionState { position: Vec::new(), ..state.clone() };
    assert_eq!(session.restore(&short), Err(Error::Counts { found: 0, expected: 1, of: "states" }));
    let odd = SessionState { velocity: vec![f64::NAN], ..state.clone() };
    assert!(matches!(session.restore(&odd), Err(Error::NotFinite(_))));
    assert_eq!(session.state(), state);
    let none = InputPlace::Belt { contact: 1 };
    let refused = Session::new(&system, &Integrator::Exact, &[SessionInput::new(none)]).err();
    assert!(matches!(refused, Some(Error::NotBelow { .. })), "{refused:?}");
    let refused = Session::new(&system, &Integrator::Rk4 { step: 0.01 }, &[]).err();
    assert!(refused.is_some());
    let plain = System::oscillator(1.0, 0.0, 1.0);
    let refused = Session::new(&plain, &Integrator::Rk4 { step: 0.01 }, &[]).err();
    assert_eq!(refused, Some(Error::NoSession { integrator: "rk4" }));
}

//! Systems beyond constant normal loads and harmonic forces against motions of another program: `DOP853` at
//! 1e-13, restarted at every event.

use crate::general_systems::*;
use stiction::event::Event;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw, Iwan, Jenkins};
use stiction::math::dense::Matrix;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::{Motion, RigidStop, Signal, SignalLoad, System, TimeTable};
use stiction::{Progress, system};

/// On states and event times; of the reference that of the stiffness without potential is the least accurate.
const TOLERANCE: f64 = 1e-11;

fn jenkins() -> System {
    let law = FrictionLaw::Jenkins(Jenkins { mu: 0.4, stiffness: 5.0 });
    System::oscillator(1.0, 0.02, 1.0).with_friction(law).with_force(1.0, 0.7)
}

fn iwan() -> System {
    let law = FrictionLaw::Iwan(Iwan { mu: vec![0.1, 0.2, 0.35], stiffness: vec![4.0, 2.0, 1.0] });
    System::oscillator(1.0, 0.02, 1.0).with_friction(law).with_force(1.0, 0.7)
}

fn cases() -> [(&'static str, System); 9] {
    [
        ("varying_load", varying_load()),
        ("load_table", load_table()),
        ("moving_belt", moving_belt()),
        ("pid_hunting", pid_hunting()),
        ("rigid_stop", rigid_stop()),
        ("load_by_coordinate", load_by_coordinate()),
        ("nonsymmetric", nonsymmetric()),
        ("jenkins", jenkins()),
        ("iwan", iwan()),
    ]
}

#[test]
fn states_and_events_are_those_of_the_reference() {
    let states = include_str!("../reference/systems.csv");
    let events = include_str!("../reference/systems_events.csv");
    for (case, system) in cases() {
        let rows: Vec<Vec<f64>> = (states
            .lines()
            .filter_map(|line| line.strip_prefix(case)?.strip_prefix(',')))
        .map(|line| {
            line.split(',').filter(|cell| !cell.is_empty()).map(|cell| cell.parse().unwrap()).collect()
        })
        .collect();
        assert!(rows.len() >= 8, "{case}");
        let t_end = rows.last().unwrap()[0];
        let n = system.n();
        let mut exact = Exact::new(&system).unwrap();
        let mut motion = Motion::zero(n, 1);
        let mut found: Vec<Event> = Vec::new();
        for row in &rows {
            while exact.t() < row[0] {
                exact.step(row[0]).unwrap();
                found.extend_from_slice(exact.events());
            }
            exact.motion(row[0], &mut motion);
            for (a, b) in motion.position.iter().chain(&motion.velocity).zip(&row[1..]) {
                assert!((a - b).abs() < TOLERANCE, "{case}, t = {}: {a} for {b}", row[0]);
            }
        }
        let known: Vec<(f64, &str)> =
            (events.lines().filter_map(|line| line.strip_prefix(case)?.strip_prefix(',')))
                .map(|line| line.split(',').collect::<Vec<_>>())
                .map(|cells| (cells[1].parse().unwrap(), cells[2]))
                .filter(|(t, _)| *t <= t_end)
                .collect();
        let kinds: Vec<&str> = found.iter().map(|event| event.kind.name()).collect();
        assert_eq!(kinds, known.iter().map(|event| event.1).collect::<Vec<_>>(), "{case}: {found:?}");
        for (event, (t, _)) in found.iter().zip(&known) {
            assert!((event.t - t).abs() < TOLERANCE, "{case}: {event:?} for {t}");
        }
    }
}

#[test]
fn the_energy_balances() {
    for (case, system) in cases() {
        let record =
            drive(&system, &Integrator::Exact, &Plan::new(40.0, 401), &mut Progress::none()).unwrap();
        assert!(record.energy_share() < 1e-12, "{case}: {:e}", record.energy_share());
        assert!(record.warnings.is_empty(), "{case}: {:?}", record.warnings);
        // extrema are attained, and no sample is beyond them
        for (k, column) in record.samples.position.iter().chain(&record.samples.velocity).enumerate() {
            let range = record.ranges[k];
            assert!(column.iter().all(|x| *x <= range.max && *x >= range.min), "{case}, {k}");
        }
    }
}

/// A ball on a table: drop height h, restitution e, comes to rest at t₀ (1 + e)/(1 − e), t₀ = √(2h/g).
#[test]
fn a_bouncing_ball_comes_to_rest_at_the_sum_of_the_geometric_series() {
    for restitution in [0.3, 0.7, 0.9] {
        let (h, g) = (0.5, 9.81);
        let mut system = System::oscillator(1.0, 0.0, 0.0);
        system.constant[0] = -g;
        system.position[0] = h;
        system.elements.stops.push(RigidStop {
            direction: vec![-1.0],
            position: 0.0,
            restitution,
            ..RigidStop::default()
        });
        let mut exact = Exact::new(&system).unwrap();
        let (mut events, mut motion) = (Vec::new(), Motion::zero(1, 0));
        while exact.t() < 10.0 {
            exact.step(10.0).unwrap();
            events.extend_from_slice(exact.events());
        }
        let fall = (2.0 * h / g).sqrt();
        let rest = fall * (1.0 + restitution) / (1.0 - restitution);
        let last = events.last().unwrap();
        assert_eq!(last.kind.name(), "hold");
        assert!((last.t - rest).abs() < 1e-13 * rest * 100.0, "e = {restitution}: {} for {rest}", last.t);
        assert!(events.len() < 400, "{}", events.len());
        exact.motion(10.0, &mut motion);
        assert!(
            motion.position[0].abs() < 1e-15
                && motion.velocity[0] == 0.0
                && motion.acceleration[0].abs() < 1e-15
        );
    }
}

/// The same against friction: it rises with g + μN/m and falls with g − μN/m, so that speeds fall by a
/// constant factor from impact to impact.
#[test]
fn a_block_that_bounces_against_friction_sticks_when_its_stop_holds() {
    for restitution in [0.3, 0.7, 0.9] {
        let (h, g, force) = (0.5, 9.81, 1.5);
        let law = FrictionLaw::Coulomb(Coulomb { mu: force, mu_static: None });
        let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(law);
        system.constant[0] = -g;
        system.position[0] = h;
        system.elements.stops.push(RigidStop {
            direction: vec![-1.0],
            position: 0.0,
            restitution,
            ..RigidStop::default()
        });
        let mut exact = Exact::new(&system).unwrap();
        let mut events = Vec::new();
        while exact.t() < 10.0 {
            exact.step(10.0).unwrap();
            events.extend_from_slice(exact.events());
        }
        let [up, down] = [g + force, g - force];
        let first = (2.0 * h / down).sqrt();
        let factor = restitution * (down / up).sqrt();
        let bounce = first * down * (restitution / up + factor / down);
        let rest = first + bounce / (1.0 - factor);
        let [hold, stick] = events[events.len() - 2..] else { panic!("{events:?}") };
        assert_eq!([hold.kind.name(), stick.kind.name()], ["hold", "stick"]);
        assert_eq!(hold.t, stick.t);
        assert!((hold.t - rest).abs() < 1e-8 * rest, "e = {restitution}: {} for {rest}", hold.t);
        assert!(events.windows(2).all(|pair| pair[0].t <= pair[1].t), "{events:?}");
    }
}

/// A mass without springs at rest: its series may end at the very point of the table that lets it go.
#[test]
fn a_jump_of_a_load_lets_go_at_its_instant() {
    for at in [0.5, 1.0, 2.0, 3.0, 4.0, 7.0] {
        let law = FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: None });
        let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(law);
        let jump = TimeTable { times: vec![at, at], values: vec![0.0, 1.0], period: None };
        let signal = Signal { tables: vec![jump], ..Signal::default() };
        system.elements.loads.push(SignalLoad { direction: vec![1.0], signal });
        let mut exact = Exact::new(&system).unwrap();
        let mut events = Vec::new();
        while exact.t() < 10.0 {
            exact.step(10.0).unwrap();
            events.extend(exact.events().iter().map(|event| (event.t, event.kind.name())));
        }
        assert_eq!(events, [(at, "slip")]);
    }
}

/// The derivative of the motion against differences of neighbouring motions.
#[test]
fn the_derivative_is_that_of_differences() {
    const STEP: f64 = 1e-6;
    for (case, system) in cases() {
        let n = system.n();
        let t_end = 7.3;
        let end = |position: &[f64], velocity: &[f64]| {
            let mut exact = Exact::new(&system).unwrap();
            exact.restart(0.0, position, velocity).unwrap();
            while exact.t() < t_end {
                exact.step(t_end).unwrap();
            }
            let mut motion = Motion::zero(n, 1);
            exact.motion(t_end, &mut motion);
            [motion.position, motion.velocity].concat()
        };
        let start: Vec<f64> = (0..2 * n).map(|k| 0.3 + 0.11 * k as f64).collect();
        let mut exact = Exact::new(&system).unwrap();
        exact.restart(0.0, &start[..n], &start[n..]).unwrap();
        // with the states of feedback and of springs with sliders
        let feedback = system.elements.feedback.as_ref().map_or(0, |feedback| feedback.initial.len());
        let n_states = feedback + system.contacts[0].friction.law.n_states();
        let mut derivative = Matrix::diagonal(&vec![1.0; 2 * n + n_states]);
        while exact.t() < t_end {
            let from = exact.t();
            exact.step(t_end).unwrap_or_else(|error| panic!("{case}: {error}"));
            exact.carry(from, &mut derivative);
        }
        for j in 0..2 * n {
            let shifted = |by: f64| {
                let mut start = start.clone();
                start[j] += by;
                end(&start[..n], &start[n..])
            };
            let (up, down) = (shifted(STEP), shifted(-STEP));
            for i in 0..2 * n {
                let difference = (up[i] - down[i]) / (2.0 * STEP);
                let own = derivative.at(i, j);
                assert!(
                    (difference - own).abs() < 2e-5 * (1.0 + own.abs()),
                    "{case} {i} {j}: {own} for {difference}"
                );
            }
        }
    }
}

#[test]
fn bad_parts_are_faults_at_their_keys() {
    let faults = |change: &dyn Fn(&mut System)| {
        let mut system = rigid_stop();
        change(&mut system);
        let faults = stiction::Faults::of(|faults| system.check(faults));
        faults.iter().map(|fault| format!("{}: {}", fault.key, fault.error)).collect::<Vec<_>>()
    };
    let table = |times: &[f64]| TimeTable { times: times.to_vec(), values: vec![0.0; 2], period: None };
    let load = |table| SignalLoad {
        direction: vec![1.0],
        signal: system::Signal { tables: vec![table], ..Signal::default() },
    };
    assert!(faults(&|_| {}).is_empty());
    assert_eq!(
        faults(&|s| s.elements.loads.push(load(table(&[1.0, 0.0])))),
        ["signal.0.table.0.times: times must ascend, but row 1, from 0, goes back"]
    );
    assert_eq!(
        faults(&|s| s.elements.stops[0].restitution = 1.2),
        ["stop.0.restitution: 1.2, but it must be from 0 to 1"]
    );
    assert_eq!(
        faults(&|s| s.position[0] = 0.6),
        ["stop.0.position: the initial position is 0.6 m along its direction, beyond the stop"]
    );
    let contact = varying(1, waved(-2.0, 0.5, 1.0, 0.0), 0.0.into());
    assert_eq!(
        faults(&|s| s.elements.contacts.push(contact.clone())),
        ["friction.0.load: -1 N at the start, but a contact only presses"]
    );
}

/// Static friction above kinetic friction holds a contact to its limit, also while another one opens.
#[test]
fn a_contact_at_rest_is_not_let_go_when_another_one_lifts() {
    use stiction::system::{Harmonic, VaryingContact};
    let mut system = two(
        [1.5398379791241648, 1.8087245211028375],
        [0.2711877665406378, 0.06565750841986469],
        [1.6490531613994976, -0.3370266006532134, -0.3370266006532134, 3.2529262070853853],
        coulomb(0.7473541318051298, 0.7962577572212182),
    );
    system.harmonics = vec![
        Harmonic {
            amplitude: vec![0.0, 1.3216436612919227],
            omega: 0.34483823833550226,
            phase: -2.9778957896846867,
        },
        Harmonic {
            amplitude: vec![1.0728841387651575, 0.0],
            omega: 0.5890841838493689,
            phase: 1.4583383580857614,
        },
    ];
    system.contacts[0].load = 0.796266983740932;
    let second = stiction::system::Contact {
        friction: coulomb(0.11281481423256298, 0.11357491956154561).into(),
        load: 0.761075405732922,
        direction: vec![0.0, 1.0],
        belt: 0.04179812381542425,
    };
    system.contacts.push(second);
    let waves = [
        waved(0.0, 0.26679296814450737, 1.1660418258835998, 1.1133366234241189),
        waved(0.0, 0.8488136358797261, 2.0694293128926016, 2.9276403241194497),
    ];
    for (contact, load) in waves.iter().enumerate() {
        let varying = varying(2, load.clone(), 0.0.into());
        system.elements.contacts.push(VaryingContact { contact, ..varying });
    }
    let (mut exact, mut motion) = (Exact::new(&system).unwrap(), Motion::zero(2, 2));
    let mut slips = 0;
    while exact.t() < 17.0 {
        exact.step(17.0).unwrap();
        for event in exact.events().to_vec() {
            if event.kind == stiction::event::EventKind::Slip && event.contact == 0 {
                exact.motion_before(event.t, &mut motion);
                let limit = 0.7962577572212182 * (system.contacts[0].load + waves[0].at(event.t));
                assert!((motion.friction[0].abs() - limit).abs() < 1e-9, "at {} s", event.t);
                slips += 1;
            }
        }
    }
    assert!(slips >= 3, "{slips}");
}

/// A block that a load presses against a stop, on a belt that turns round: friction drags it to where the
/// belt goes, and the stop lets go when load and friction balance, P − a t = μN while the belt pulls away.
#[test]
fn a_belt_slides_under_what_a_stop_holds() {
    let (mu, load, fall) = (0.3, 2.0, 0.2);
    let law = FrictionLaw::Coulomb(stiction::law::Coulomb { mu, mu_static: None });
    let mut block = System::oscillator(1.0, 0.0, 0.0).with_friction(law);
    block.contacts[0].load = load;
    block.position = vec![0.4];
    block.elements.stops.push(RigidStop {
        direction: vec![1.0],
        position: 0.4,
        restitution: 0.0,
        ..RigidStop::default()
    });
    let table = TimeTable { times: vec![0.0, 100.0], values: vec![1.6, 1.6 - 100.0 * fall], period: None };
    let signal = Signal { tables: vec![table], ..Signal::default() };
    block.elements.loads.push(SignalLoad { direction: vec![1.0], signal });
    let wave = system::Wave::new(0.5, 2.0, 0.1);
    block.elements.contacts.push(system::VaryingContact {
        contact: 0,
        load: Signal::default(),
        by_position: vec![0.0],
        by_velocity: vec![0.0],
        belt: Signal { waves: vec![wave], ..Signal::default() },
    });
    // the belt pulls away from π/2 to π, less the phase, and again a period later
    let release = (1.6 - mu * load) / fall;
    assert!((2.0 * release + 0.1).sin() < 0.0, "the belt pulls away at {release}");
    let times: Vec<f64> = (0..200).map(|i| (release - 1e-3) * f64::from(i) / 199.0).collect();
    let t_end = release + 0.1;
    let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None };
    let record = drive(&block, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
    for (i, t) in record.samples.t.iter().enumerate() {
        let belt = 0.5 * (2.0 * t + 0.1).sin();
        let (sliding, friction) = (record.samples.sliding[0][i], record.samples.friction[0][i]);
        assert!((sliding + belt).abs() < 1e-12, "{t}: {sliding} {belt}");
        assert!((friction + mu * load * belt.signum()).abs() < 1e-12, "{t}: {friction}");
    }
    let releases = record.events.iter().filter(|event| event.kind == stiction::event::EventKind::Release);
    let releases: Vec<f64> = releases.map(|event| event.t).collect();
    assert!(releases.len() == 1 && (releases[0] - release).abs() < 1e-12, "{releases:?} {release}");
}

//! Stops and springs between what is free and what moves as prescribed: in coordinates of space, where the stop
//! moves, and from the moving side, where it stands.

use crate::dice::Dice;
use stiction::event::{Event, EventKind};
use stiction::law::{Coulomb, Friction, FrictionLaw, Linear};
use stiction::math::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{Engine, Steady};
use stiction::system::{
    Contact, CurvedSpring, ElasticStop, ForceElements, Harmonic, Prescribed, PrescribedFault,
    PrescribedMotion, RigidStop, Signal, System, TimeTable, Wave,
};
use stiction::{Error, Progress};

/// What stands between the mass and the side that moves.
#[derive(Clone, Copy, Debug)]
enum Between {
    Rigid,
    Elastic { is_limited: bool },
    Polynomial,
}

fn matrix([a, b, c, d]: [f64; 4]) -> Matrix {
    Matrix { n_rows: 2, n_cols: 2, data: vec![a, b, c, d] }
}

/// A mass on a spring and a floor with friction, and a side that moves by `motion`: with the position of the
/// mass in space, and from the side.
fn pair(dice: &mut Dice, between: Between, law: FrictionLaw, motion: &Signal) -> [(System, Prescribed); 2] {
    systems(dice, between, law, motion).map(|system| {
        let motions = vec![PrescribedMotion::new(1, motion.clone())];
        system.prescribe(motions).unwrap()
    })
}

/// The same before the motion is prescribed.
fn systems(dice: &mut Dice, between: Between, law: FrictionLaw, motion: &Signal) -> [System; 2] {
    let (m, c, k) = (dice.between(0.5, 2.0), dice.between(0.05, 0.3), dice.between(0.5, 3.0));
    let force = dice.between(0.5, 1.5);
    let omega = dice.between(0.6, 2.0);
    let start = dice.between(-0.5, 0.0);
    // impacts that follow each other by a factor of less than 0.1 in time may be missed by steps
    let (gap, e) = (dice.between(0.0, 0.3), dice.between(0.1, 0.9));
    let (stiffness, damping) = (dice.between(5.0, 60.0), dice.between(0.2, 3.0));
    let of = |is_inside: bool| {
        let both = |x: f64| if is_inside { matrix([x, x, x, x]) } else { matrix([x, 0.0, 0.0, 0.0]) };
        let mut mass = both(m);
        *mass.at_mut(1, 1) += 1.0;
        let side = if is_inside { 0.0 } else { -1.0 };
        let direction = vec![1.0, side];
        let mut elements = ForceElements::default();
        match between {
            Between::Rigid => {
                let stop = RigidStop { direction, position: gap, restitution: e, ..RigidStop::default() };
                elements.stops.push(stop);
            }
            Between::Elastic { is_limited } => {
                let stop = ElasticStop {
                    direction,
                    position: gap,
                    stiffness,
                    damping,
                    is_limited,
                    ..ElasticStop::default()
                };
                elements.elastic.push(stop);
            }
            Between::Polynomial => {
                let coefficients = vec![0.0, 0.3, stiffness];
                elements.curved.push(CurvedSpring { direction, coefficients, ..CurvedSpring::default() });
            }
        }
        let along = vec![1.0, if is_inside { 1.0 } else { 0.0 }];
        let friction = Friction { law: law.clone(), viscous: 0.0 };
        let offset = if is_inside { motion.at(0.0) } else { 0.0 };
        System {
            mass,
            damping: both(c),
            stiffness: both(k),
            contacts: vec![Contact { friction, load: 1.0, direction: along.clone(), belt: 0.0 }],
            constant: vec![0.0; 2],
            harmonics: vec![Harmonic {
                amplitude: along.iter().map(|w| force * w).collect(),
                omega,
                phase: 0.3,
            }],
            position: vec![start - offset, 0.0],
            velocity: vec![if is_inside { -motion.rate(0.0) } else { 0.0 }, 0.0],
            elements,
        }
    };
    [of(false), of(true)]
}

fn wave(dice: &mut Dice) -> Signal {
    let own = Wave::new(dice.between(0.1, 0.5), dice.between(0.5, 3.0), dice.between(-1.0, 1.0));
    Signal { waves: vec![own], constant: dice.between(0.0, 0.4), ..Signal::default() }
}

fn ramp(dice: &mut Dice) -> Signal {
    let (mut times, mut values) = (vec![0.0], vec![0.3]);
    for _ in 0..6 {
        times.push(times[times.len() - 1] + dice.between(0.5, 2.0));
        values.push(dice.between(-0.3, 0.6));
    }
    TimeTable { times, values, period: None }.into()
}

fn coulomb() -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu: 0.15, mu_static: Some(0.2) })
}

/// A law beside which `adaptive` has rigid stops.
fn linear() -> FrictionLaw {
    FrictionLaw::Linear(Linear { mu: 0.15, width: 0.05, rise: None, rise_height: None })
}

fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() })
}

fn run(system: &System, integrator: &Integrator) -> Record {
    drive(system, integrator, &Plan::new(10.0, 81), &mut Progress::none()).unwrap()
}

fn impacts(record: &Record) -> Vec<&Event> {
    record.events.iter().filter(|event| event.kind.is_of_stop()).collect()
}

/// Largest difference of two motions, seen from space; how many events of stops they have.
fn compare(case: &str, runs: [&Record; 2], motion: &Signal, tolerance: f64) -> usize {
    let [a, b] = runs;
    for (i, t) in a.samples.t.iter().enumerate() {
        let is_near = |event: &Event| (event.t - t).abs() < 1e-6;
        if a.events.iter().any(is_near) {
            continue;
        }
        let off = a.samples.position[0][i] - b.samples.position[0][i] - motion.at(*t);
        assert!(off.abs() < tolerance, "{case} at {t}: {off:e}");
    }
    let (events, others) = (impacts(a), impacts(b));
    assert_eq!(events.len(), others.len(), "{case}: {events:?} {others:?}");
    for (a, b) in events.iter().zip(&others) {
        assert!(a.kind == b.kind && (a.t - b.t).abs() < tolerance, "{case}: {a:?} {b:?}");
    }
    events.len()
}

const KINDS: [Between; 3] =
    [Between::Rigid, Between::Elastic { is_limited: false }, Between::Elastic { is_limited: true }];

#[test]
fn a_stop_that_moves_is_one_that_stands_seen_from_it() {
    let mut dice = Dice::new(280);
    let mut n_events = 0;
    for case in 0..45 {
        let between = KINDS[case % 3];
        let motion = wave(&mut dice);
        let [(a, _), (b, _)] = pair(&mut dice, between, coulomb(), &motion);
        let (a, b) = (run(&a, &Integrator::Exact), run(&b, &Integrator::Exact));
        // roundings of impacts and of accumulations
        n_events += compare(&format!("{case} {between:?}"), [&a, &b], &motion, 1e-8);
        for record in [&a, &b] {
            assert!(record.energy_share() < 1e-10, "{case} {between:?}: {:e}", record.energy_share());
        }
    }
    assert!(n_events > 150, "{n_events}");
}

#[test]
fn adaptive_finds_the_exact_motion_beside_stops_that_move() {
    let mut dice = Dice::new(281);
    for case in 0..10 {
        let between = KINDS[case % 3];
        // tables jump in velocity
        let motion = if case % 2 == 0 { wave(&mut dice) } else { ramp(&mut dice) };
        let law = if matches!(between, Between::Rigid) { linear() } else { coulomb() };
        let [system, _] = systems(&mut dice, between, law, &motion);
        let (system, _) = system.prescribe(vec![PrescribedMotion::new(1, motion)]).unwrap();
        let (exact, adaptive) = (run(&system, &Integrator::Exact), run(&system, &tight()));
        for (i, t) in exact.samples.t.iter().enumerate() {
            let off = exact.samples.position[0][i] - adaptive.samples.position[0][i];
            assert!(
                off.abs() < 2e-6,
                "{case} {between:?} at {t}: {off:e} {:?} {:?}",
                exact.events,
                adaptive.events
            );
        }
        for record in [&exact, &adaptive] {
            assert!(record.energy_share() < 1e-7, "{case} {between:?}: {:e}", record.energy_share());
        }
    }
}

#[test]
fn a_polynomial_spring_whose_end_moves_is_one_that_stands_seen_from_it() {
    let mut dice = Dice::new(282);
    for case in 0..10 {
        let motion = wave(&mut dice);
        let [(a, _), (b, _)] = pair(&mut dice, Between::Polynomial, coulomb(), &motion);
        let (a, b) = (run(&a, &tight()), run(&b, &tight()));
        compare(&case.to_string(), [&a, &b], &motion, 1e-7);
        for record in [&a, &b] {
            assert!(record.energy_share() < 1e-8, "{case}: {:e}", record.energy_share());
        }
    }
}

/// Newton's law of the side that is prescribed, which weighs 1 kg, in both coordinates.
#[test]
fn what_holds_a_prescribed_side_is_the_force_of_the_stop_and_its_own_inertia() {
    let mut dice = Dice::new(283);
    let mut is_pressed = [false; 3];
    for case in 0..30 {
        let between = KINDS[case % 3];
        let motion = wave(&mut dice);
        let [(a, held), (b, other)] = pair(&mut dice, between, coulomb(), &motion);
        // plastic impacts, after which a rigid stop stays closed for a while
        let plastic = |mut system: System| {
            system.elements.stops.iter_mut().for_each(|stop| stop.restitution = 0.0);
            system
        };
        let records = [a, b].map(|system| run(&plastic(system), &Integrator::Exact));
        let reaction = |prescribed: &Prescribed, record: &Record, i: usize| {
            let s = &record.samples;
            let own = prescribed.states(s.t[i])[0];
            let state = [&s.position, &s.velocity, &s.acceleration];
            let [q, v, a] = [0, 1, 2].map(|k| vec![state[k][0][i], own[k]]);
            prescribed.reactions(s.t[i], [&q, &v, &a], &[s.friction[0][i]])[0]
        };
        for (i, t) in records[0].samples.t.iter().enumerate() {
            if records[0].events.iter().any(|event| (event.t - t).abs() < 1e-6) {
                continue;
            }
            let [x, y] = [reaction(&held, &records[0], i), reaction(&other, &records[1], i)];
            // seen from the side its mass is held together with the other one
            let inertia = held.states(*t)[0][2];
            is_pressed[case % 3] |= (x - inertia).abs() > 1e-3;
            // stiff stops enlarge differences of positions
            assert!((x - y).abs() < 1e-6, "{case} {between:?} at {t}: {x} {y} {inertia}");
        }
    }
    assert_eq!(is_pressed, [true; 3]);
}

#[test]
fn periodic_motions_against_stops_that_move_have_the_multipliers_seen_from_them() {
    let mut dice = Dice::new(284);
    let mut n_found = 0;
    for case in 0..9 {
        let between = KINDS[case % 3];
        let motion = wave(&mut dice);
        let pair = pair(&mut dice, between, linear(), &motion).map(|(mut system, _)| {
            // one frequency for all
            let omega = motion.waves[0].omega;
            system.harmonics.iter_mut().for_each(|harmonic| harmonic.omega = omega);
            system
        });
        let find = |system: &System, engine: Engine| {
            let steady = Steady { engine: Some(engine), ..Steady::default() };
            steady.find(system, &mut Progress::none()).ok()
        };
        let tight = Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() };
        let found = [
            find(&pair[0], Engine::Exact),
            find(&pair[1], Engine::Exact),
            find(&pair[0], Engine::Adaptive(tight)),
        ];
        let [Some(a), Some(b), Some(c)] = found else { continue };
        for other in [&b, &c] {
            let near = other.iter().any(|orbit| {
                let off = (orbit.amplitude - a[0].amplitude).abs();
                let pairs = orbit.multipliers.iter().zip(&a[0].multipliers);
                let turned =
                    pairs.map(|(x, y)| (x.re - y.re).abs() + (x.im - y.im).abs()).fold(0.0, f64::max);
                std::ptr::eq(other, &c) && off < 1e-5 && turned < 1e-4 || turned < 1e-6
            });
            assert!(near, "{case} {between:?}: {:?} {:?}", a[0].multipliers, other[0].multipliers);
        }
        n_found += 1;
    }
    assert!(n_found > 5, "{n_found}");
}

/// The time at which two parabolas and a line meet: a ball at rest on a lift that stops within its corner.
#[test]
fn a_ball_leaves_a_lift_that_stops_and_falls_back_on_it() {
    let (g, v, t_stop) = (9.81, 1.5, 1.0);
    let lift = TimeTable { times: vec![0.0, t_stop], values: vec![0.0, v * t_stop], period: None };
    let mut ball = System::oscillator(2.0, 0.0, 0.0);
    ball.constant[0] = -2.0 * g;
    ball.velocity[0] = v;
    let mut moves = Signal::default();
    moves.add(-1.0, &lift.into());
    ball.elements.stops.push(RigidStop { direction: vec![-1.0], moves, ..RigidStop::default() });
    for integrator in [Integrator::Exact, tight()] {
        let record = drive(&ball, &integrator, &Plan::new(2.0, 21), &mut Progress::none()).unwrap();
        // thrown at the stop, back after 2 v/g
        let thrown: Vec<f64> =
            record.events.iter().filter(|e| e.kind == EventKind::Release).map(|e| e.t).collect();
        let back = record.events.last().unwrap();
        assert!((back.t - t_stop - 2.0 * v / g).abs() < 1e-9, "{:?}", record.events);
        assert!(thrown.iter().all(|t| (t - t_stop).abs() < 1e-9), "{thrown:?}");
        assert!((record.end.position[0] - v * t_stop).abs() < 1e-9, "{:?}", record.end);
        let highest = record.ranges[0].max;
        assert!((highest - v * t_stop - 0.5 * v * v / g).abs() < 1e-9, "{highest}");
        assert!(record.energy_share() < 1e-9, "{:e}", record.energy_share());
    }
}

#[test]
fn a_rigid_stop_between_two_prescribed_sides_is_refused() {
    let stop = RigidStop { direction: vec![1.0, -1.0], position: 1.0, ..RigidStop::default() };
    let system = System {
        mass: Matrix::diagonal(&[1.0, 1.0]),
        damping: Matrix::zeros(2, 2),
        stiffness: Matrix::zeros(2, 2),
        contacts: Vec::new(),
        constant: vec![0.0; 2],
        harmonics: Vec::new(),
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
        elements: ForceElements { stops: vec![stop], ..ForceElements::default() },
    };
    let motions = || vec![PrescribedMotion::new(0, 0.1.into()), PrescribedMotion::new(1, 0.0.into())];
    assert_eq!(system.clone().prescribe(motions()).unwrap_err(), PrescribedFault::Stop(0));
    let (free, _) = system.prescribe(motions()[1..].to_vec()).unwrap();
    assert!(drive(&free, &Integrator::Exact, &Plan::new(1.0, 3), &mut Progress::none()).is_ok());
    let held = TimeTable { times: vec![0.0, 1.0], values: vec![0.0, 1.0], period: None };
    let mut once = free;
    once.elements.stops[0].moves = held.into();
    let refused = Steady::default().find(&once, &mut Progress::none());
    assert_eq!(refused.unwrap_err(), Error::HeldTable);
}

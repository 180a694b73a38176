//! Degrees of freedom whose motion is prescribed.

use stiction::Progress;
use stiction::law::{Coulomb, Friction, FrictionLaw};
use stiction::math::Matrix;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{
    Contact, Feedback, ForceElements, Harmonic, Prescribed, PrescribedFault, PrescribedMotion, Signal,
    SignalLoad, System, Threshold, TimeTable, VaryingContact, Wave,
};

/// Roundings of some hundred operations on numbers of size 10.
const ROUNDED: f64 = 1e-10;

fn matrix(rows: &[[f64; 3]; 3]) -> Matrix {
    let mut matrix = Matrix::zeros(3, 3);
    for (i, row) in rows.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            *matrix.at_mut(i, j) = *x;
        }
    }
    matrix
}

fn wave(amplitude: f64, omega: f64, phase: f64) -> Signal {
    Signal { waves: vec![Wave::new(amplitude, omega, phase)], ..Signal::default() }
}

fn coulomb(mu: f64, load: f64, direction: [f64; 3], belt: f64) -> Contact {
    let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: None });
    Contact { friction: Friction { law, viscous: 0.0 }, load, direction: direction.to_vec(), belt }
}

/// Everything is coupled with everything, and the middle one moves as prescribed.
fn coupled() -> System {
    let feedback = Feedback {
        a: Matrix::diagonal(&[-2.0]),
        inputs: vec![wave(0.3, 1.7, 0.2)],
        initial: vec![0.1],
        ..Feedback::none(3, 1, 1)
    };
    let mut feedback = feedback;
    *feedback.b_position.at_mut(0, 1) = 0.8;
    *feedback.b_velocity.at_mut(0, 1) = -0.3;
    *feedback.b_position.at_mut(0, 2) = 0.5;
    *feedback.b_input.at_mut(0, 0) = 1.0;
    *feedback.f_state.at_mut(2, 0) = 0.4;
    *feedback.f_position.at_mut(2, 1) = 0.6;
    *feedback.f_velocity.at_mut(0, 1) = 0.1;
    *feedback.f_input.at_mut(0, 0) = 0.7;
    System {
        mass: matrix(&[[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]]),
        damping: matrix(&[[0.2, -0.1, 0.0], [-0.1, 0.3, -0.05], [0.0, -0.05, 0.1]]),
        stiffness: matrix(&[[8.0, -3.0, 0.0], [-3.0, 7.0, -4.0], [0.0, -4.0, 9.0]]),
        contacts: vec![coulomb(0.3, 2.0, [1.0, -0.5, 0.0], 0.1), coulomb(0.2, 3.0, [0.0, 0.4, 1.0], 0.0)],
        constant: vec![0.5, -0.2, 0.1],
        harmonics: vec![Harmonic { amplitude: vec![1.0, 0.4, -0.5], omega: 2.3, phase: 0.1 }],
        position: vec![0.1, 0.0, -0.2],
        velocity: vec![0.0, 0.0, 0.3],
        elements: ForceElements {
            loads: vec![SignalLoad {
                direction: vec![0.2, 0.3, -0.4],
                signal: TimeTable { times: vec![0.0, 1.0, 3.0], values: vec![0.0, 2.0, -1.0], period: None }
                    .into(),
            }],
            contacts: vec![VaryingContact {
                contact: 1,
                load: wave(0.5, 3.1, 0.0),
                by_position: vec![0.2, 0.6, 0.0],
                by_velocity: vec![0.0, 0.1, 0.05],
                belt: wave(0.1, 1.3, 0.0),
            }],
            thresholds: vec![Threshold::corner(&[1.0, -1.0, 0.0], 0.15, 20.0)],
            feedback: Some(feedback),
            ..ForceElements::default()
        },
    }
}

fn run(system: &System, t_end: f64, integrator: &Integrator) -> Record {
    let n = 601;
    let times = (0..n).map(|i| t_end * i as f64 / (n - 1) as f64).collect();
    let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None };
    drive(system, integrator, &plan, &mut Progress::none()).unwrap()
}

/// Positions, velocities, accelerations of all degrees of freedom at sample `i`.
fn whole(prescribed: &Prescribed, record: &Record, i: usize) -> [Vec<f64>; 3] {
    let s = &record.samples;
    let states = prescribed.states(s.t[i]);
    let groups = [&s.position, &s.velocity, &s.acceleration];
    std::array::from_fn(|order| {
        let mut all = vec![0.0; prescribed.n()];
        prescribed.free.iter().zip(groups[order]).for_each(|(k, column)| all[*k] = column[i]);
        prescribed.motions.iter().zip(&states).for_each(|(motion, state)| all[motion.dof] = state[order]);
        all
    })
}

#[test]
fn the_whole_motion_with_its_reaction_obeys_the_equations_of_the_whole_system() {
    let system = coupled();
    let mut position = wave(0.3, 1.9, 0.4);
    position.constant = 0.05;
    position.waves.push(Wave::new(0.1, 4.0, 0.0));
    let motions = vec![PrescribedMotion::new(1, position.clone())];
    let (free, prescribed) = system.clone().prescribe(motions).unwrap();
    assert_eq!((free.n(), &prescribed.free[..]), (2, &[0, 2][..]));
    let f = system.elements.feedback.as_ref().unwrap();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let exact = run(&free, 6.0, &Integrator::Exact);
    let mut slid = [false; 2];
    for (i, t) in exact.samples.t.clone().into_iter().enumerate() {
        let [q, v, a] = whole(&prescribed, &exact, i);
        assert!((q[1] - position.at(t)).abs() < 1e-15 && (v[1] - position.rate(t)).abs() < 1e-14);
        let friction: Vec<f64> = exact.samples.friction.iter().map(|column| column[i]).collect();
        let x = exact.samples.states[0][i];
        let reaction = prescribed.reactions(t, [&q, &v, &a], &friction)[0];
        let excess = (q[0] - q[1] - 0.15).max(0.0);
        for k in 0..3 {
            let contacts: f64 = system.contacts.iter().zip(&friction).map(|(c, h)| c.direction[k] * h).sum();
            let load = system.constant[k]
                + system.harmonics[0].amplitude[k] * (2.3 * t + 0.1).sin()
                + system.elements.loads[0].direction[k] * system.elements.loads[0].signal.at(t)
                + dot(f.f_position.row(k), &q)
                + dot(f.f_velocity.row(k), &v)
                + f.f_state.at(k, 0) * x
                + f.f_input.at(k, 0) * f.inputs[0].at(t)
                + [-20.0, 20.0, 0.0][k] * excess;
            let inertia = dot(system.mass.row(k), &a);
            let rest =
                inertia + dot(system.damping.row(k), &v) + dot(system.stiffness.row(k), &q) + contacts - load;
            let held = if k == 1 { reaction } else { 0.0 };
            // a corner of the clock is seen from before it by one and from after it by the other
            let is_corner = [0.0, 1.0, 3.0].iter().any(|corner| (t - corner).abs() < 1e-9);
            assert!((rest - held).abs() < ROUNDED || is_corner, "t = {t}, {k}: {rest} {held}");
        }
        // friction is that of the sliding velocity and the normal load of the whole motion
        let varying = &system.elements.contacts[0];
        let second = 3.0 + varying.load.at(t) + dot(&varying.by_position, &q) + dot(&varying.by_velocity, &v);
        let sliding = [
            dot(&system.contacts[0].direction, &v) - 0.1,
            dot(&system.contacts[1].direction, &v) - varying.belt.at(t),
        ];
        for (k, limit) in [0.3 * 2.0, 0.2 * second].into_iter().enumerate() {
            assert!((exact.samples.sliding[k][i] - sliding[k]).abs() < ROUNDED);
            assert!(friction[k].abs() <= limit + ROUNDED);
            if sliding[k].abs() > 1e-6 {
                slid[k] = true;
                assert!((friction[k] - limit * sliding[k].signum()).abs() < ROUNDED, "t = {t}");
            }
        }
    }
    assert_eq!(slid, [true; 2]);
}

/// A block on the floor, pulled by a spring whose end is drawn away by a ramp: it breaks away where k v t =
/// μs N.
#[test]
fn a_block_drawn_by_the_end_of_its_spring_breaks_away_in_time() {
    let (k, v, mu, load) = (50.0, 0.2, 0.4, 3.0);
    let spring = |scale: f64| {
        let mut m = Matrix::zeros(2, 2);
        [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)]
            .iter()
            .for_each(|(i, j, s)| *m.at_mut(*i, *j) = s * scale);
        m
    };
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(mu) });
    let system = System {
        mass: Matrix::diagonal(&[1.0, 2.0]),
        damping: spring(0.1),
        stiffness: spring(k),
        contacts: vec![Contact {
            friction: Friction { law, viscous: 0.0 },
            load,
            direction: vec![1.0, 0.0],
            belt: 0.0,
        }],
        constant: vec![0.0; 2],
        harmonics: vec![],
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
        elements: ForceElements::default(),
    };
    let ramp = TimeTable { times: vec![0.5, 10.5], values: vec![0.0, 10.0 * v], period: None };
    let motions = vec![PrescribedMotion::new(1, ramp.into())];
    let (free, prescribed) = system.clone().prescribe(motions.clone()).unwrap();
    let record = run(&free, 3.0, &Integrator::Exact);
    // the damper pulls too
    let t = 0.5 + (mu * load - 0.1 * v) / (k * v);
    assert!((record.events[0].t - t).abs() < 1e-12, "{} {t}", record.events[0].t);
    // before that the end is held by what the block holds
    let i = record.samples.t.iter().position(|s| *s > 0.55).unwrap();
    let [q, rate, a] = whole(&prescribed, &record, i);
    let friction = [record.samples.friction[0][i]];
    let reaction = prescribed.reactions(record.samples.t[i], [&q, &rate, &a], &friction)[0];
    let pull = k * v * (record.samples.t[i] - 0.5) + 0.1 * v;
    assert!((reaction - pull).abs() < 1e-12 && (friction[0] - pull).abs() < 1e-12, "{reaction} {pull}");

    // what cannot be
    let jump = TimeTable { times: vec![0.5, 0.5], values: vec![0.0, 1.0], period: None };
    let jumping = vec![PrescribedMotion::new(1, jump.into())];
    assert_eq!(system.clone().prescribe(jumping).unwrap_err(), PrescribedFault::Jump(0));
    let heavy = System { mass: matrix2([1.0, 0.2, 0.2, 2.0]), ..system.clone() };
    assert_eq!(heavy.prescribe(motions.clone()).unwrap_err(), PrescribedFault::Impulse(0));
    let alone = vec![PrescribedMotion::new(0, wave(1.0, 1.0, 0.0))];
    assert_eq!(system.clone().prescribe(alone).unwrap_err(), PrescribedFault::Contact(0));
}

fn matrix2([a, b, c, d]: [f64; 4]) -> Matrix {
    let mut m = Matrix::zeros(2, 2);
    [(0, 0, a), (0, 1, b), (1, 0, c), (1, 1, d)].iter().for_each(|(i, j, x)| *m.at_mut(*i, *j) = *x);
    m
}

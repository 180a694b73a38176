//! Motions that are prescribed by their velocity or acceleration.

use crate::dice::Dice;
use stiction::Progress;
use stiction::law::{Coulomb, Friction, FrictionLaw};
use stiction::math::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::Steady;
use stiction::system::{
    Contact, ForceElements, Prescribed, PrescribedFault, PrescribedMotion, PrescribedRate, Signal, System,
    TimeTable, Wave, Window,
};

/// Two masses, coupled by a spring and by the mass matrix, the first with friction.
fn two(coupled: f64) -> System {
    let matrix = |data: [f64; 4]| Matrix { n_rows: 2, n_cols: 2, data: data.to_vec() };
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.4) });
    System {
        mass: matrix([1.0, coupled, coupled, 2.0]),
        damping: matrix([0.1, -0.1, -0.1, 0.1]),
        stiffness: matrix([4.0, -3.0, -3.0, 3.0]),
        contacts: vec![Contact {
            friction: Friction { law, viscous: 0.0 },
            load: 1.0,
            direction: vec![1.0, 0.0],
            belt: 0.0,
        }],
        constant: vec![0.0; 2],
        harmonics: vec![],
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
        elements: ForceElements::default(),
    }
}

fn rate(signal: Signal, is_acceleration: bool, initial: [Option<f64>; 2]) -> PrescribedMotion {
    let [position, velocity] = initial;
    PrescribedMotion::from_rate(1, PrescribedRate { signal, is_acceleration, position, velocity, since: 0.0 })
}

fn prescribed(motion: PrescribedMotion, coupled: f64) -> (System, Prescribed) {
    two(coupled).prescribe(vec![motion]).unwrap()
}

fn run(system: &System, integrator: &Integrator) -> Record {
    drive(system, integrator, &Plan::new(8.0, 81), &mut Progress::none()).unwrap()
}

/// Something of everything: a constant, a harmonic, one that begins and ends, a table, one that repeats itself.
fn signal(dice: &mut Dice) -> Signal {
    let mut table = |n: usize, period: Option<f64>| {
        let mut times = vec![dice.between(-0.5, 1.0)];
        (1..n).for_each(|i| times.push(times[i - 1] + dice.between(0.1, 0.7)));
        let values = times.iter().map(|_| dice.between(-1.0, 1.0)).collect();
        TimeTable { times, values, period }
    };
    let tables = vec![table(6, None), table(4, Some(2.5))];
    let window = Window { start: dice.between(0.2, 1.5), end: dice.between(2.0, 5.0), period: None };
    let burst = Wave { window: Some(window), ..Wave::new(0.7, dice.between(1.0, 4.0), 0.4) };
    let again = Window { start: 0.3, end: 1.4, period: Some(2.1) };
    let bursts = Wave { window: Some(again), ..Wave::new(0.4, dice.between(1.0, 4.0), -0.8) };
    let waves = vec![Wave::new(0.5, dice.between(0.5, 3.0), 0.9), burst, bursts];
    Signal { constant: dice.between(-0.3, 0.3), waves, tables, ..Signal::default() }
}

/// ∫ of a signal over [a, b], piece by piece by Gauss's rule of five points.
fn integral(signal: &Signal, a: f64, b: f64) -> f64 {
    const GAUSS: [[f64; 2]; 3] = [
        [0.0, 0.568_888_888_888_888_9],
        [0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
        [0.906_179_845_938_664, 0.236_926_885_056_189_08],
    ];
    let (mut sum, mut t) = (0.0, a);
    while t < b {
        let end = signal.next_break(t).min(t + 0.1).min(b);
        let (middle, half) = (0.5 * (t + end), 0.5 * (end - t));
        for [x, w] in GAUSS {
            let both = [signal.at(middle + half * x), signal.at(middle - half * x)];
            sum += half * w * if x == 0.0 { both[0] } else { both[0] + both[1] };
        }
        t = end;
    }
    sum
}

#[test]
fn positions_and_velocities_are_the_integrals_from_the_initial_values() {
    let mut dice = Dice::new(287);
    for case in 0..40 {
        let given = signal(&mut dice);
        let (p0, v0) = (dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        let (_, by_acceleration) = prescribed(rate(given.clone(), true, [Some(p0), Some(v0)]), 0.2);
        let (_, by_velocity) = prescribed(rate(given.clone(), false, [Some(p0), None]), 0.0);
        let (mut v, mut p, mut way, mut t) = (v0, p0, p0, 0.0);
        for _ in 0..60 {
            // within a short time p + v h + ∫ (h − τ) a dτ, by the moments of the pieces
            let next = t + 0.1;
            let h = next - t;
            let mut moment = 0.0;
            let n = 40;
            for k in 0..n {
                let ends = [t + h * f64::from(k) / f64::from(n), t + h * f64::from(k + 1) / f64::from(n)];
                let gained = integral(&given, t, ends[0]);
                moment += (ends[1] - ends[0]) * gained;
                // Simpson's rule within, for the rest of ∫∫
                let [a, m, b] =
                    [0.0, 0.5, 1.0].map(|s| integral(&given, ends[0], ends[0] + s * (ends[1] - ends[0])));
                moment += (ends[1] - ends[0]) * (a + 4.0 * m + b) / 6.0;
            }
            p += v * h + moment;
            let gained = integral(&given, t, next);
            v += gained;
            way += gained;
            t = next;
            let [position, velocity, acceleration] = by_acceleration.states(t)[0];
            assert!((velocity - v).abs() < 1e-11, "{case} at {t}: {velocity} {v}");
            // Simpson's rule is off where it passes a corner
            assert!((position - p).abs() < 1e-6, "{case} at {t}: {position} {p}");
            assert!((acceleration - given.at(t)).abs() < 1e-11, "{case} at {t}");
            let [position, velocity, _] = by_velocity.states(t)[0];
            assert!((position - way).abs() < 1e-11, "{case} at {t}: {position} {way}");
            assert!((velocity - given.at(t)).abs() < 1e-12, "{case} at {t}");
        }
    }
}

#[test]
fn what_repeats_itself_without_mean_moves_to_and_fro_unless_told_otherwise() {
    let wave = Signal { waves: vec![Wave::new(2.0, 1.5, 0.4)], ..Signal::default() };
    let table =
        TimeTable { times: vec![0.2, 0.7, 1.9, 2.4], values: vec![1.0, -1.0, -1.0, 1.0], period: Some(3.0) };
    let mean = integral(&table.clone().into(), 0.2, 3.2) / 3.0;
    let table = Signal { constant: -mean, ..table.into() };
    let window = Window { start: 0.3, end: 0.3 + 2.0 * std::f64::consts::PI / 3.0, period: Some(4.0) };
    // a whole cycle
    let burst = Wave { window: Some(window), ..Wave::new(1.0, 3.0, 0.2) };
    let burst = Signal { waves: vec![burst], ..Signal::default() };
    for (given, period) in [(wave, 2.0 * std::f64::consts::PI / 1.5), (table, 3.0), (burst, 4.0)] {
        let (system, own) = prescribed(rate(given.clone(), true, [None; 2]), 0.2);
        for i in 0..50 {
            let t = 0.07 * f64::from(i);
            let (now, later) = (own.states(t)[0], own.states(t + 7.0 * period)[0]);
            (0..3)
                .for_each(|k| assert!((now[k] - later[k]).abs() < 1e-11, "{given:?} {t}: {now:?} {later:?}"));
        }
        let position = &own.motions[0].position;
        assert!(integral(position, 0.0, period).abs() < 1e-11, "{given:?}");
        assert!(Steady::default().find(&system, &mut Progress::none()).is_ok());
        // with a velocity at the start it goes away
        let (system, own) = prescribed(rate(given, true, [None, Some(5.0)]), 0.2);
        assert!((own.states(0.0)[0][1] - 5.0).abs() < 1e-12);
        assert!(Steady::default().find(&system, &mut Progress::none()).is_err());
    }
}

#[test]
fn an_acceleration_is_the_second_derivative_of_a_position() {
    let mut dice = Dice::new(288);
    for coupled in [0.0, 0.3] {
        let wave = Wave::new(0.4, dice.between(0.7, 2.0), dice.between(-1.0, 1.0));
        let known = Signal { waves: vec![wave], ..Signal::default() };
        let (a, _) = prescribed(PrescribedMotion::new(1, known.clone()), coupled);
        let second = Wave { amplitude: -wave.amplitude * wave.omega * wave.omega, ..wave };
        let second = Signal { waves: vec![second], ..Signal::default() };
        let initial = [Some(known.at(0.0)), Some(known.rate(0.0))];
        for initial in [initial, [None; 2]] {
            let (b, _) = prescribed(rate(second.clone(), true, initial), coupled);
            let (a, b) = (run(&a, &Integrator::Exact), run(&b, &Integrator::Exact));
            for (a, b) in a.samples.position[0].iter().zip(&b.samples.position[0]) {
                assert!((a - b).abs() < 1e-11, "{a} {b}");
            }
        }
    }
}

#[test]
fn exact_and_adaptive_are_one_beside_prescribed_accelerations() {
    let mut dice = Dice::new(289);
    for case in 0..12 {
        let (system, _) = prescribed(rate(signal(&mut dice), true, [Some(0.1), Some(-0.2)]), 0.3);
        let adaptive = Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() });
        let (a, b) = (run(&system, &Integrator::Exact), run(&system, &adaptive));
        for (a, b) in a.samples.position[0].iter().zip(&b.samples.position[0]) {
            assert!((a - b).abs() < 1e-7, "{case}: {a} {b}");
        }
        for record in [&a, &b] {
            assert!(record.energy_share() < 1e-9, "{case}: {:e}", record.energy_share());
        }
    }
}

#[test]
fn velocities_that_jump_are_refused_where_masses_are_coupled() {
    let step = TimeTable { times: vec![1.0, 1.0], values: vec![0.0, 2.0], period: None };
    let motion = rate(step.clone().into(), false, [None; 2]);
    assert_eq!(two(0.2).prescribe(vec![motion.clone()]).unwrap_err(), PrescribedFault::Impulse(0));
    assert!(two(0.0).prescribe(vec![motion]).is_ok());
    assert!(two(0.2).prescribe(vec![rate(step.into(), true, [None; 2])]).is_ok());
    let window = Window { start: 1.0, end: 2.0, period: None };
    let burst = |phase: f64| {
        let wave = Wave { window: Some(window), ..Wave::new(0.1, std::f64::consts::PI, phase) };
        vec![PrescribedMotion::new(1, Signal { waves: vec![wave], ..Signal::default() })]
    };
    assert_eq!(two(0.0).prescribe(burst(0.3)).unwrap_err(), PrescribedFault::Jump(0));
    assert_eq!(two(0.2).prescribe(burst(0.0)).unwrap_err(), PrescribedFault::Impulse(0));
    assert!(two(0.0).prescribe(burst(0.0)).is_ok());
}

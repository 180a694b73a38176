//! Reports of a run: extrema are true maxima, energies balance, windows are windows, and a run that cannot be
//! right or cannot end says so.

use crate::dice::Dice;
use std::f64::consts::TAU;
use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::law::{
    CircularLinear, Coulomb, FrictionLaw, Linear, Size, Stribeck, Tanh, Trigonometric, Weakening,
};
use stiction::math::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, Harmonic, Motion, System};
use stiction::{Error, Progress};

/// Dense samples, many more than a figure has.
const DENSE: usize = 20_000;
/// An extremum is attained: of its own size, what rounding of time and of the parts of a motion leave.
const ATTAINED: f64 = 1e-12;
/// Share of the energy turned over that the balance of an exact run may miss.
const BALANCE: f64 = 1e-12;

/// Random systems.
trait Random {
    fn law(&mut self) -> FrictionLaw;
    fn system(&mut self, n: usize) -> System;
}

impl Random for Dice {
    fn law(&mut self) -> FrictionLaw {
        let mu = self.between(0.1, 1.0);
        if self.chance(0.25) {
            let rise = self.chance(0.5).then_some(0.05);
            return FrictionLaw::Linear(Linear {
                mu,
                width: self.between(0.001, 0.3),
                rise,
                rise_height: None,
            });
        }
        FrictionLaw::Coulomb(Coulomb { mu, mu_static: self.chance(0.5).then_some(1.3 * mu) })
    }
    fn system(&mut self, n: usize) -> System {
        let mut mass = Matrix::diagonal(&(0..n).map(|_| self.between(0.5, 2.0)).collect::<Vec<_>>());
        let mut damping = Matrix::diagonal(&vec![0.0; n]);
        let mut stiffness = Matrix::diagonal(&vec![0.0; n]);
        // springs and dampers between neighbours and to the ground
        for i in 0..n {
            let (k, c) =
                (self.between(0.2, 9.0), if self.chance(0.3) { 0.0 } else { self.between(0.0, 1.0) });
            for (matrix, x) in [(&mut stiffness, k), (&mut damping, c)] {
                *matrix.at_mut(i, i) += x;
                if i > 0 {
                    *matrix.at_mut(i - 1, i - 1) += x;
                    *matrix.at_mut(i, i - 1) -= x;
                    *matrix.at_mut(i - 1, i) -= x;
                }
            }
        }
        if self.chance(0.1) {
            *mass.at_mut(0, 0) *= 20.0;
        }
        let contacts = (0..1 + usize::from(self.chance(0.4)))
            .map(|i| {
                let mut direction = vec![0.0; n];
                direction[i % n] = if self.chance(0.2) { -1.5 } else { 1.0 };
                if n > 1 && self.chance(0.3) {
                    direction[(i + 1) % n] = -1.0;
                }
                let belt = if self.chance(0.3) { self.between(-0.5, 0.5) } else { 0.0 };
                Contact { friction: self.law().into(), load: self.between(0.5, 3.0), direction, belt }
            })
            .collect();
        let harmonics = (0..1 + usize::from(self.chance(0.3)))
            .map(|_| Harmonic {
                amplitude: (0..n).map(|_| self.between(0.0, 4.0)).collect(),
                omega: self.between(0.3, 4.0),
                phase: self.between(0.0, TAU),
            })
            .collect();
        System {
            elements: Default::default(),
            mass,
            damping,
            stiffness,
            contacts,
            constant: (0..n).map(|_| if self.chance(0.3) { self.between(-1.0, 1.0) } else { 0.0 }).collect(),
            harmonics,
            position: (0..n).map(|_| self.between(-1.0, 1.0)).collect(),
            velocity: (0..n).map(|_| self.between(-1.0, 1.0)).collect(),
        }
    }
}

fn plan(t_end: f64, window: [f64; 2], samples: usize) -> Plan {
    let inside = |i: usize| window[0] + (window[1] - window[0]) * i as f64 / samples as f64;
    let at = |i: usize| if i == samples { window[1] } else { inside(i) };
    let times = if samples > 0 { (0..=samples).map(at).collect() } else { Vec::new() };
    Plan { t_end, window, times, lands_on_times: false, max_steps: None }
}

fn run(system: &System, integrator: &Integrator, plan: &Plan) -> Record {
    drive(system, integrator, plan, &mut Progress::none()).unwrap()
}

/// All columns that have a range, in its order.
fn columns(samples: &stiction::simulate::Samples) -> Vec<&Vec<f64>> {
    let groups =
        [&samples.position, &samples.velocity, &samples.acceleration, &samples.friction, &samples.slope];
    groups.into_iter().flatten().collect()
}

/// The extrema of a run without samples against the dense samples of another, and their energies.
fn check_exact(system: &System, t_end: f64, window: [f64; 2], case: &str) {
    let bare = run(system, &Integrator::Exact, &plan(t_end, window, 0));
    let dense = run(system, &Integrator::Exact, &plan(t_end, window, DENSE));
    let attained = columns(&dense.instants);
    for (k, (range, column)) in bare.ranges.iter().zip(columns(&dense.samples)).enumerate() {
        let size = range.max.abs().max(range.min.abs());
        let (mut max, mut min) = (f64::NEG_INFINITY, f64::INFINITY);
        for x in column {
            (max, min) = (max.max(*x), min.min(*x));
        }
        let allowed = ATTAINED * size;
        assert!(range.max >= max - allowed, "{case}, {k}: max {} < {max}", range.max);
        assert!(range.min <= min + allowed, "{case}, {k}: min {} > {min}", range.min);
        // with samples the range is the same, but for rounding, and holds them all
        let reported = dense.ranges[k];
        assert!(reported.max >= max && reported.min <= min, "{case}, {k}");
        assert!((reported.max - range.max).abs() <= allowed && (reported.min - range.min).abs() <= allowed);
        // it is attained at an instant, and nowhere exceeded
        let near = |x: f64| attained[k].iter().any(|y| (y - x).abs() <= allowed);
        assert!(near(range.max) && near(range.min), "{case}, {k}: {range:?}");
    }
    let share = bare.energy_share();
    assert!(share < BALANCE, "{case}: {share:e}, {:?}", bare.total);
    assert!(bare.warnings.is_empty(), "{case}: {:?}", bare.warnings);
}

#[test]
fn extrema_of_300_exact_runs_of_one_degree_of_freedom_hold_every_sample() {
    let mut dice = Dice::new(7);
    for case in 0..300 {
        let system = dice.system(1);
        let from = dice.between(0.0, 20.0);
        check_exact(&system, 40.0, [from, from + dice.between(1.0, 20.0)], &format!("case {case}"));
    }
}

/// The same motion in another unit of time.
fn in_time_unit(system: &mut System, unit: f64) {
    let scale = |matrix: &mut Matrix, by: f64| matrix.data.iter_mut().for_each(|x| *x *= by);
    scale(&mut system.mass, unit * unit);
    scale(&mut system.damping, unit);
    system.velocity.iter_mut().for_each(|v| *v /= unit);
    system.contacts.iter_mut().for_each(|contact| contact.belt /= unit);
    system.harmonics.iter_mut().for_each(|harmonic| harmonic.omega /= unit);
}

#[test]
fn extrema_and_energies_are_right_at_every_damping_near_resonance_and_in_every_unit_of_time() {
    let mut dice = Dice::new(19);
    for case in 0..96 {
        let mut system = dice.system(1);
        let omega = (system.stiffness.at(0, 0) / system.mass.at(0, 0)).sqrt();
        let critical = 2.0 * omega * system.mass.at(0, 0);
        // none, nearly none, nearly critical from both sides, critical, over, far over
        let ratio = [0.0, 1e-9, 1.0 - 1e-9, 1.0 + 1e-9, 1.0, 1.0 - 1e-3, 3.0, 40.0][case % 8];
        system.damping = Matrix::diagonal(&[ratio * critical]);
        let near = [0.0, 1e-12, 1e-7, 1e-3, 0.015, 0.03][case % 6];
        if case % 3 > 0 {
            system.harmonics.truncate(1);
            system.harmonics[0].omega = omega * (1.0 + near);
        }
        let mu = dice.between(0.1, 1.0);
        for contact in &mut system.contacts {
            contact.friction = FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(1.2 * mu) }).into();
        }
        let unit = [1.0, 1e-9, 1e9, 1e-30][case / 8 % 4];
        in_time_unit(&mut system, unit);
        let from = dice.between(0.0, 5.0) * unit;
        check_exact(&system, 30.0 * unit, [from, 28.0 * unit], &format!("case {case}, {ratio}, {unit:e}"));
    }
}

#[test]
fn extrema_of_exact_runs_of_several_degrees_of_freedom_hold_every_sample() {
    let mut dice = Dice::new(11);
    for case in 0..60 {
        let n = 2 + case % 3;
        let system = dice.system(n);
        let from = dice.between(0.0, 10.0);
        check_exact(&system, 20.0, [from, 20.0], &format!("case {case}, {n} degrees of freedom"));
    }
}

#[test]
fn extrema_of_exact_runs_in_modes_hold_every_sample() {
    let mut dice = Dice::new(13);
    for case in 0..12 {
        let n = 7 + case % 3;
        let mut system = dice.system(n);
        // modes need dry friction, independent contacts and damping of Rayleigh's kind
        let beta = if case % 4 == 0 { 0.0 } else { dice.between(0.0, 0.2) };
        for k in 0..n * n {
            system.damping.data[k] = beta * system.stiffness.data[k] + 0.02 * system.mass.data[k];
        }
        for contact in &mut system.contacts {
            contact.friction = FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: Some(0.6) }).into();
        }
        let from = dice.between(0.0, 5.0);
        check_exact(&system, 12.0, [from, 12.0], &format!("case {case}, {n} degrees of freedom"));
    }
}

#[test]
fn extrema_of_adaptive_runs_hold_every_sample() {
    let mut dice = Dice::new(23);
    for case in 0..60 {
        let mut system = dice.system(1 + case % 2);
        let (mu, width) = (dice.between(0.1, 1.0), dice.between(0.005, 0.3));
        let laws = [
            FrictionLaw::Trigonometric(Trigonometric { mu, width, rise: None, rise_height: None }),
            FrictionLaw::Trigonometric(Trigonometric { mu, width, rise: Some(0.05), rise_height: None }),
            FrictionLaw::Tanh(Tanh { mu, width }),
            FrictionLaw::Stribeck(Stribeck {
                mu,
                mu_static: 1.5 * mu,
                velocity: 0.5,
                width: Some(width),
                weakening: Weakening::Gaussian,
                exponent: None,
            }),
        ];
        for contact in &mut system.contacts {
            contact.friction = laws[case / 2 % 4].clone().into();
            contact.friction.viscous = if case % 3 == 0 { 0.1 } else { 0.0 };
        }
        let rtol = [1e-9, 1e-4][case / 8 % 2];
        let integrator = Integrator::Adaptive(Adaptive { rtol, atol: rtol, ..Adaptive::default() });
        // both make the same steps
        let bare = run(&system, &integrator, &plan(30.0, [0.0, 30.0], 0));
        let dense = run(&system, &integrator, &plan(30.0, [0.0, 30.0], DENSE));
        assert_eq!(bare.work.steps, dense.work.steps);
        for (k, (range, column)) in bare.ranges.iter().zip(columns(&dense.samples)).enumerate() {
            // peaks are found from samples of a step, and steps err
            let allowed = 10.0 * rtol * (range.max - range.min);
            for x in column {
                let is_inside = *x <= range.max + allowed && *x >= range.min - allowed;
                assert!(
                    is_inside,
                    "case {case}, {k}: {x} {range:?} {}",
                    (x - range.max) / (range.max - range.min)
                );
            }
        }
    }
}

#[test]
fn the_time_in_stick_is_what_dense_samples_count() {
    // steps end on the kink that is the stick speed, some of them to the bit
    let law = CircularLinear { mu: 1.6, width: 1.8, rise: Some(1.8), radius: 0.8, rise_height: None };
    let system = System::oscillator(1.0, 0.1, 1.0)
        .with_friction(FrictionLaw::CircularLinear(law))
        .with_force(4.0, 1.0);
    let integrator = Integrator::Adaptive(Adaptive { rtol: 1e-10, ..Adaptive::default() });
    let record = run(&system, &integrator, &plan(40.0 * TAU, [38.0 * TAU, 40.0 * TAU], DENSE));
    let inside = record.samples.velocity[0].iter().filter(|v| v.abs() < 3.6).count();
    let counted = inside as f64 / DENSE as f64;
    // each of eight passages is counted to one sample
    let reported = record.stick_fraction[0].unwrap();
    assert!((reported - counted).abs() < 8.0 / DENSE as f64, "{reported} {counted}");
}

#[test]
fn samples_are_the_motion_at_their_times() {
    let mut dice = Dice::new(17);
    for case in 0..100 {
        let system = dice.system(1);
        let record = run(&system, &Integrator::Exact, &plan(30.0, [0.0, 30.0], 700));
        let samples = &record.samples;
        let m = system.contacts.len();
        let (mut exact, mut motion) = (Exact::new(&system).unwrap(), Motion::zero(1, m));
        let sizes: Vec<f64> =
            record.ranges.iter().map(|range| range.max.abs().max(range.min.abs())).collect();
        let mut i = 0;
        while exact.t() < 30.0 {
            exact.step(30.0).unwrap();
            while i < samples.t.len() && samples.t[i] <= exact.t() {
                exact.motion(samples.t[i], &mut motion);
                let Motion { position, velocity, acceleration, friction, slope, .. } = &motion;
                let truth = [position, velocity, acceleration, friction, slope].into_iter().flatten();
                for (k, (column, x)) in columns(samples).into_iter().zip(truth).enumerate() {
                    let off = (column[i] - x).abs();
                    assert!(off <= ATTAINED * sizes[k], "case {case}, sample {i}, {k}: {} {x}", column[i]);
                }
                for (column, x) in samples.sliding.iter().zip(&motion.sliding) {
                    let size = sizes[1] * 1.5 + 0.5;
                    // rest is exact
                    assert!((column[i] - x).abs() <= ATTAINED * size && (column[i] == 0.0) == (*x == 0.0));
                }
                i += 1;
            }
        }
        assert_eq!(i, samples.t.len(), "case {case}");
    }
}

/// Coulomb friction, forced well below resonance: the velocity peaks beside an event.
fn forced() -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: None });
    let mut system = System::oscillator(2.0, 4.0, 8000.0).with_friction(law).with_force(10.0, 30.0);
    system.contacts[0].load = 20.0;
    system
}

#[test]
fn a_peak_beside_an_event_is_reported() {
    let period = TAU / 30.0;
    let record = run(&forced(), &Integrator::Exact, &plan(20.0 * period, [18.0 * period, 20.0 * period], 0));
    // 2001 samples come as near as 0.0688788; eight looks at a stretch saw 0.0685606
    let range = record.ranges[1];
    assert!((record.ranges[1].max - 0.068_878_924).abs() < 1e-9, "{range:?}");
    assert!((record.ranges[1].min + 0.068_878_924).abs() < 1e-9, "{range:?}");
}

#[test]
fn energies_are_those_of_the_window() {
    let period = TAU / 30.0;
    let (a, b) = (2.3 * period, 7.1 * period);
    for integrator in [
        Integrator::Exact,
        Integrator::Rk4 { step: period / 1000.0 },
        Integrator::Incremental { step: period / 1000.0 },
        Integrator::Adaptive(stiction::ode::Adaptive::default()),
    ] {
        let mut system = forced();
        if integrator != Integrator::Exact {
            let law = Linear { mu: 0.3, width: 0.1, rise: None, rise_height: None };
            system.contacts[0].friction = FrictionLaw::Linear(law).into();
        }
        let part = run(&system, &integrator, &plan(10.0 * period, [a, b], 0));
        let [before, after] = [a, b].map(|t| run(&system, &integrator, &plan(t, [0.0, t], 0)));
        let tolerance = 1e-6 * part.total.work_in.abs();
        for (reported, whole) in [
            (part.balance.work_in, after.total.work_in - before.total.work_in),
            (part.balance.friction_loss, after.total.friction_loss - before.total.friction_loss),
            (part.balance.viscous_loss, after.total.viscous_loss - before.total.viscous_loss),
            (part.stored, after.total_stored - before.total_stored),
        ] {
            assert!((reported - whole).abs() < tolerance, "{}: {reported} {whole}", integrator.name());
        }
        assert!(part.balance.work_in < 0.7 * part.total.work_in);
    }
}

#[test]
fn a_motion_that_diverges_ends_with_an_error_in_every_method() {
    let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: None });
    let ramp = FrictionLaw::Linear(Linear { mu: 0.5, width: 0.1, rise: None, rise_height: None });
    let mut one = System::oscillator(1.0, 0.0, -1.0).with_friction(coulomb.clone());
    one.position[0] = 1.0;
    let mut two = one.clone();
    two.mass = Matrix::diagonal(&[1.0, 1.0]);
    two.damping = Matrix::diagonal(&[0.0, 0.0]);
    two.stiffness = Matrix::diagonal(&[-1.0, 1.0]);
    two.contacts[0].direction = vec![1.0, 0.0];
    (two.constant, two.position, two.velocity) = (vec![0.0; 2], vec![1.0, 0.0], vec![0.0; 2]);
    for system in [one, two] {
        for integrator in [
            Integrator::Exact,
            Integrator::Rk4 { step: 0.01 },
            Integrator::Incremental { step: 0.01 },
            Integrator::Adaptive(stiction::ode::Adaptive::default()),
        ] {
            for duration in [120.0, 1000.0] {
                let mut system = system.clone();
                if integrator != Integrator::Exact {
                    system.contacts[0].friction = ramp.clone().into();
                }
                let plan = plan(duration, [0.0, duration], 200);
                match drive(&system, &integrator, &plan, &mut Progress::none()) {
                    Err(Error::Diverged { t, size }) => {
                        // e^t, from a position of 1 less what friction takes
                        assert!(t > 90.0 && size > 1e39, "{}: {t} {size}", integrator.name());
                    }
                    other => panic!("{}: {:?}", integrator.name(), other.map(|record| record.ranges)),
                }
            }
        }
    }
}

#[test]
fn work_that_is_rounding_costs_nothing() {
    // a contact that sticks in its own direction while the mass swings across it
    let mut system = System {
        elements: Default::default(),
        mass: Matrix::diagonal(&[1.0, 1.0]),
        damping: Matrix::diagonal(&[0.0, 0.0]),
        stiffness: Matrix { n_rows: 2, n_cols: 2, data: vec![1.0, 0.3, 0.3, 2.0] },
        contacts: Vec::new(),
        constant: vec![0.6, 0.8],
        harmonics: Vec::new(),
        position: vec![0.0; 2],
        velocity: vec![0.8, -0.6],
    };
    let law = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None });
    system.contacts.push(Contact { friction: law.into(), load: 10.0, direction: vec![0.6, 0.8], belt: 0.0 });
    let start = std::time::Instant::now();
    let record = run(&system, &Integrator::Exact, &plan(20.0, [0.0, 20.0], 200));
    // the quadrature that never agreed with itself took 12 s
    assert!(start.elapsed().as_secs_f64() < 1.0);
    assert!(record.energy_share() < BALANCE && record.total.work_in.abs() < 1e-13);
}

#[test]
fn a_run_that_cannot_end_says_how_long_it_would_be() {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: None });
    let system = System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(1.0, 1.0);
    let mut plan = plan(1e12, [0.0, 1e12], 10);
    plan.max_steps = Some(100_000);
    match drive(&system, &Integrator::Exact, &plan, &mut Progress::none()) {
        Err(Error::TooLong { t, steps, estimate, limit }) => {
            assert!(t > 100.0 && steps < 10_000 && limit == 1e5, "{t} {steps} {limit}");
            // two reversals a period
            assert!((1e11..2e12).contains(&estimate), "{estimate}");
        }
        other => panic!("{:?}", other.map(|record| record.work)),
    }
    let fixed = Integrator::Rk4 { step: 1e-3 };
    let error = drive(&system, &fixed, &plan, &mut Progress::none()).unwrap_err();
    assert!(matches!(error, Error::TooLong { steps: 0, .. }), "{error:?}");
}

#[test]
fn the_time_in_stick_of_every_regularised_law_tends_to_coulombs() {
    let system = |law| System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(2.0, 0.5);
    let period = TAU / 0.5;
    let plan = plan(20.0 * period, [18.0 * period, 20.0 * period], 0);
    let slip = |record: &Record| {
        record.events.iter().find(|event| event.kind == EventKind::Slip).map(|event| event.t - plan.window[0])
    };
    let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None });
    let truth = run(&system(coulomb), &Integrator::Exact, &plan);
    let fraction = truth.stick_fraction[0].unwrap();
    assert!((fraction - 0.190_973).abs() < 1e-6, "{fraction}");
    let adaptive = Integrator::Adaptive(stiction::ode::Adaptive::default());
    let regularised = |name: &str, width: f64| match name {
        "stribeck" => FrictionLaw::Stribeck(Stribeck {
            mu: 1.0,
            mu_static: 1.0,
            velocity: 1.0,
            width: Some(width),
            weakening: Weakening::Gaussian,
            exponent: None,
        }),
        name => FrictionLaw::regularised(name, 1.0, width).unwrap(),
    };
    let has_width = |name: &&&str| FrictionLaw::size(name) == Some(Size::Width);
    for name in FrictionLaw::REGULARISED.iter().filter(has_width).chain(&["stribeck"]) {
        let [wide, narrow] =
            [1e-2, 1e-5].map(|width| run(&system(regularised(name, width)), &adaptive, &plan));
        let off = |record: &Record| (record.stick_fraction[0].unwrap() - fraction).abs();
        // what the share leaves out, and the passage through the last widths: 0.06 with |v| < width for tanh
        assert!(off(&narrow) < 1e-3 && off(&narrow) < off(&wide), "{name}: {} {}", off(&narrow), off(&wide));
        let late = (slip(&narrow).unwrap() - slip(&truth).unwrap()).abs();
        assert!(late < 0.01 * period, "{name}: {late}");
    }
}

/// The papers' oscillator, as regularised friction sees it.
fn resonant() -> System {
    let law = FrictionLaw::regularised("trigonometric", 1.6, 0.8).unwrap();
    System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0, 1.0)
}

#[test]
fn tolerances_follow_the_scales_of_the_problem() {
    let adaptive = Integrator::Adaptive(stiction::ode::Adaptive::default());
    // positions of 1e-17 m lie below every fixed absolute tolerance
    let mut fast = resonant();
    fast.harmonics[0].omega = 1e9;
    let plan_fast = plan(20.0 * TAU / 1e9, [0.0, 20.0 * TAU / 1e9], 0);
    let mut heavy = resonant();
    *heavy.mass.at_mut(0, 0) = 1e15;
    let plan_heavy = plan(20.0 * TAU, [0.0, 20.0 * TAU], 0);
    for (system, plan) in [(fast, plan_fast), (heavy, plan_heavy)] {
        let record = run(&system, &adaptive, &plan);
        assert!(record.energy_share() < 1e-6, "{:e} {:?}", record.energy_share(), record.total);
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
        assert!(record.work.steps < 20_000, "{:?}", record.work);
    }
    // a problem scaled by a power of two is the same problem
    let plan = plan(20.0 * TAU, [0.0, 20.0 * TAU], 0);
    let steps = run(&resonant(), &adaptive, &plan).work.steps as f64;
    for exponent in [-200, -60, -40] {
        let factor = f64::powi(2.0, exponent);
        let law = FrictionLaw::regularised("trigonometric", 1.6, 0.8 * factor).unwrap();
        let mut small = System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0 * factor, 1.0);
        small.contacts[0].load = factor;
        let record = run(&small, &adaptive, &plan);
        assert!(record.energy_share() < 1e-6, "2^{exponent}: {:e}", record.energy_share());
        // its absolute tolerance is 100 rtol of its size, that of the unscaled problem tighter
        let ratio = record.work.steps as f64 / steps;
        assert!((0.3..1.0).contains(&ratio), "2^{exponent}: {ratio}");
    }
}

#[test]
fn a_step_far_too_long_is_said() {
    let law = FrictionLaw::regularised("tanh", 0.3, 1.0).unwrap();
    let mut system = System::oscillator(1.0, 0.0, 1e6).with_friction(law);
    system.position[0] = 1.0;
    let plan = plan(0.2, [0.0, 0.2], 20);
    let names = |record: &Record| -> Vec<(&'static str, bool)> {
        record.warnings.iter().map(|warning| (warning.name(), warning.is_failure())).collect()
    };
    // hω = 10
    let record = run(&system, &Integrator::Incremental { step: 0.01 }, &plan);
    assert!(record.ranges[3].min < -100.0, "{:?}", record.ranges[3]);
    assert_eq!(names(&record), [("law-exceeded", true), ("drift", false)]);
    // rk4 grows by a factor of 400 in a step: in three steps its energies are nonsense
    let short = Plan { t_end: 0.03, window: [0.0, 0.03], times: Vec::new(), ..plan.clone() };
    let record = run(&system, &Integrator::Rk4 { step: 0.01 }, &short);
    assert_eq!(names(&record), [("energy-residual", true), ("unstable-step", false)]);
    // with steps that resolve oscillation and law nothing is said, but that the incremental scheme exceeds
    // the law a little
    let short = Plan { t_end: 0.02, window: [0.0, 0.02], ..short };
    assert_eq!(names(&run(&system, &Integrator::Rk4 { step: 1e-7 }, &short)), []);
    let record = run(&system, &Integrator::Incremental { step: 1e-8 }, &short);
    assert_eq!(names(&record), [("law-exceeded", false)]);
}

#[test]
fn instants_ascend_and_hold_both_sides_of_every_jump() {
    let period = TAU / 30.0;
    let record =
        run(&forced(), &Integrator::Exact, &plan(20.0 * period, [18.0 * period, 20.0 * period], 100));
    let instants = &record.instants;
    assert!(instants.t.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!(record.events.len(), 8);
    for event in &record.events {
        let rows: Vec<usize> = (0..instants.t.len()).filter(|&i| instants.t[i] == event.t).collect();
        assert!(!rows.is_empty(), "{event:?}");
        if event.kind == EventKind::Stick {
            // sliding friction before, what is held after; the acceleration ends with a jump
            let (first, last) = (rows[0], rows[rows.len() - 1]);
            assert!(rows.len() >= 2, "{event:?}");
            assert_eq!(instants.acceleration[0][last], 0.0);
            assert!(instants.acceleration[0][first].abs() > 0.1);
            assert_eq!(instants.friction[0][first].abs(), 6.0);
        }
    }
}

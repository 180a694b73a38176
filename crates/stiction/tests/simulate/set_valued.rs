//! Set-valued laws with a curved branch, and springs with sliders, on the adaptive integrator: rest is exact,
//! events are located to rounding.

use stiction::Progress;
use stiction::event::{Event, EventKind};
use stiction::law::{
    Coulomb, CoulombDwell, Expression, FrictionLaw, Iwan, Jenkins, Polyline, Stribeck, Weakening,
};
use stiction::math::Matrix;
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{State, Steady};
use stiction::system::{Contact, Harmonic, System};

fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-13, atol: 1e-15, ..Adaptive::default() })
}

fn run(system: &System, integrator: &Integrator, t_end: f64) -> Record {
    drive(system, integrator, &Plan::new(t_end, 201), &mut Progress::none()).unwrap()
}

/// φ = 1/(1 + |v|/velocity), set-valued at zero velocity.
fn hyperbolic(velocity: f64) -> FrictionLaw {
    FrictionLaw::Stribeck(Stribeck {
        mu: 0.0,
        mu_static: 1.0,
        velocity,
        width: None,
        weakening: Weakening::Hyperbolic,
        exponent: None,
    })
}

fn on_belt(law: FrictionLaw) -> System {
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
    system.contacts[0].belt = 0.2;
    system
}

fn times(record: &Record, kind: EventKind) -> Vec<f64> {
    record.events.iter().filter(|event| event.kind == kind).map(|event| event.t).collect()
}

/// Period, and the part in stick, of the mass on a belt of velocity 0.2: from quadratures in many digits.
const CYCLE: [f64; 2] = [12.001_031_294_830_578, 7.705_031_769_350_424];
/// Period with half the weakening of [`CYCLE`], φ = 1/(1 + |v|).
const SLOWER: f64 = 9.230_770_458_082_98;

/// The same as [`hyperbolic`] by its formula.
fn by_formula(velocity: f64) -> FrictionLaw {
    FrictionLaw::Expression(Expression::new("sign(v)/(1 + abs(v)/v_s)", &[("v_s", velocity)]))
}

#[test]
fn the_belt_cycle_of_a_curved_law_has_its_digits() {
    for law in [hyperbolic, by_formula] {
        belt_cycle(law(1.0 / 3.0));
    }
}

fn belt_cycle(law: FrictionLaw) {
    let record = run(&on_belt(law), &tight(), 100.0);
    let (slips, sticks) = (times(&record, EventKind::Slip), times(&record, EventKind::Stick));
    let n = slips.len();
    assert!(n >= 7 && times(&record, EventKind::Reverse).is_empty(), "{:?}", record.events);
    let period = slips[n - 1] - slips[n - 2];
    let stick = slips[n - 1] - sticks.iter().rev().find(|t| **t < slips[n - 1]).unwrap();
    assert!((period - CYCLE[0]).abs() < 1e-10, "{period}");
    assert!((stick - CYCLE[1]).abs() < 1e-10, "{stick}");
    assert!(record.energy_share() < 1e-11, "{}", record.energy_share());
    // it rests exactly
    let resting = record.samples.sliding[0].iter().filter(|v| **v == 0.0).count() as f64 / 201.0;
    assert!((resting - CYCLE[1] / CYCLE[0]).abs() < 0.1, "{resting}");
}

#[test]
fn the_belt_cycle_is_found_as_a_periodic_motion() {
    for law in [hyperbolic, by_formula] {
        for (velocity, period) in [(1.0 / 3.0, CYCLE[0]), (1.0, SLOWER)] {
            let system = on_belt(law(velocity));
            let orbit = Steady::default().from(&system, &State::rest(1), &mut Progress::none()).unwrap();
            assert!((orbit.period - period).abs() < 1e-10, "{}", orbit.period);
            assert!(orbit.is_stable(), "{:?}", orbit.multipliers);
            assert_eq!(orbit.events.len(), 2, "{:?}", orbit.events);
            if velocity < 1.0 {
                let [slip, stick] = [EventKind::Slip, EventKind::Stick]
                    .map(|kind| orbit.events.iter().find(|event| event.kind == kind).unwrap().t);
                let rest = (slip - stick).rem_euclid(orbit.period);
                assert!((rest - CYCLE[1]).abs() < 1e-10, "{rest}");
            }
        }
    }
}

fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

/// Two blocks in a row, each with a contact of its own, and one between them.
fn blocks() -> System {
    let mut system = System::oscillator(1.0, 0.0, 0.0);
    system.mass = Matrix::diagonal(&[1.0, 0.7]);
    system.damping = Matrix::diagonal(&[0.05, 0.02]);
    system.stiffness = Matrix { n_rows: 2, n_cols: 2, data: vec![2.0, -0.8, -0.8, 1.5] };
    (system.constant, system.position, system.velocity) = (vec![0.0; 2], vec![0.0; 2], vec![0.0; 2]);
    system.harmonics.push(stiction::system::Harmonic { amplitude: vec![1.1, 0.2], omega: 0.7, phase: 0.3 });
    let contact = |law: FrictionLaw, direction: [f64; 2]| Contact {
        friction: law.into(),
        load: 1.0,
        direction: direction.to_vec(),
        belt: 0.0,
    };
    system.contacts = vec![contact(coulomb(0.3, 0.4), [1.0, 0.0]), contact(coulomb(0.2, 0.2), [-1.0, 1.0])];
    system
}

/// The exact engine has nothing in common with the adaptive one but the law.
#[test]
fn straight_laws_move_as_in_the_exact_engine() {
    let single = |law: FrictionLaw, force: f64| {
        System::oscillator(1.0, 0.02, 1.0).with_friction(law).with_force(force, 0.7)
    };
    let jenkins = FrictionLaw::Jenkins(Jenkins { mu: 0.4, stiffness: 5.0 });
    let iwan = FrictionLaw::Iwan(Iwan { mu: vec![0.1, 0.2, 0.35], stiffness: vec![4.0, 2.0, 1.0] });
    let belt = on_belt(coulomb(0.3, 0.5));
    let falling = FrictionLaw::Polyline(Polyline {
        mu_static: Some(0.6),
        ..Polyline::new(&[[0.0, 0.5], [0.1, 0.4], [0.6, 0.3]])
    });
    let rising = FrictionLaw::Polyline(Polyline::new(&[[0.0, 0.1], [0.2, 0.3], [0.8, 0.4]]));
    let uneven = FrictionLaw::Polyline(Polyline::new(&[
        [-0.3, -0.2],
        [0.0, -0.3],
        [0.0, 0.5],
        [0.0, 0.4],
        [0.4, 0.35],
    ]));
    let ramp = FrictionLaw::Polyline(Polyline::new(&[[-0.3, -0.2], [0.0, 0.0], [0.1, 0.4]]));
    let systems = [
        ("coulomb", single(coulomb(0.5, 0.5), 1.0)),
        ("static", single(coulomb(0.5, 0.8), 1.2)),
        ("belt", belt),
        ("blocks", blocks()),
        ("falling", single(falling.clone(), 1.0)),
        ("falling on a belt", on_belt(falling)),
        ("rising", single(rising, 0.5)),
        ("uneven", single(uneven, 1.0)),
        ("ramp", single(ramp, 1.0)),
        ("jenkins", single(jenkins, 1.0)),
        ("iwan", single(iwan, 1.0)),
    ];
    for (name, system) in systems {
        let [exact, adaptive] = [Integrator::Exact, tight()].map(|by| run(&system, &by, 50.0));
        // only the exact engine reports the corners of a law
        let [exact, adaptive] = [exact, adaptive].map(|mut record| {
            record.events.retain(|event| event.kind != EventKind::Corner && name != "ramp");
            record
        });
        let kinds = |record: &Record| -> Vec<(usize, EventKind)> {
            record.events.iter().map(|event| (event.contact, event.kind)).collect()
        };
        let times = |events: &[Event]| -> Vec<f64> { events.iter().map(|event| event.t).collect() };
        assert_eq!(
            kinds(&exact),
            kinds(&adaptive),
            "{name}: {:?} {:?}",
            times(&exact.events),
            times(&adaptive.events)
        );
        assert!(exact.events.len() > 10 || name == "ramp", "{name}");
        let off = exact.events.iter().zip(&adaptive.events).map(|(a, b)| (a.t - b.t).abs());
        assert!(off.clone().fold(0.0, f64::max) < 1e-9, "{name}: {:?}", off.collect::<Vec<_>>());
        for (a, b) in exact.samples.position.iter().zip(&adaptive.samples.position) {
            let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-10, "{name}: {off:e}");
        }
        assert!(adaptive.energy_share() < 1e-10, "{name}: {}", adaptive.energy_share());
        // at rest a law has no slope, and the engines report different ones
        let n_reported = 3 * system.n() + system.contacts.len();
        for (a, b) in exact.ranges.iter().zip(&adaptive.ranges).take(n_reported) {
            assert!((a.max - b.max).abs() < 1e-9 && (a.min - b.min).abs() < 1e-9, "{name}: {a:?} {b:?}");
        }
    }
}

/// A load whose peaks exceed friction by little moves the mass a little in every period, always less: each
/// slip is short beside the steps of a mass at rest, and lies anywhere in them.
#[test]
fn short_slips_of_a_mass_at_rest_are_all_seen() {
    let tolerances = [1e-6, 1e-8, 1e-9, 1e-10, 1e-12];
    for (omega, damping) in [(1.04, 0.06), (0.7, 0.0), (0.31, 0.5)] {
        let law = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None });
        let mut system = System::oscillator(1.0, damping, 0.9).with_friction(law).with_force(0.8, omega);
        for excess in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            system.constant = vec![0.2 + excess];
            let t_end = 30.0 * std::f64::consts::TAU / omega;
            let exact = run(&system, &Integrator::Exact, t_end);
            assert!(exact.events.len() > 50, "{omega} {excess}: {}", exact.events.len());
            for rtol in tolerances {
                let by = Integrator::Adaptive(Adaptive { rtol, atol: 1e-3 * rtol, ..Adaptive::default() });
                let adaptive = run(&system, &by, t_end);
                assert_eq!(exact.events.len(), adaptive.events.len(), "{omega} {excess} {rtol}");
                let [a, b] = [&exact, &adaptive].map(|record| record.samples.position[0][200]);
                assert!((a - b).abs() < 1e-3 * a.abs(), "{omega} {excess} {rtol}: {a} {b}");
            }
        }
    }
}

/// The contact cut into parts that share its load.
fn cut(system: &System, contact: usize, shares: &[f64]) -> System {
    let mut other = system.clone();
    let whole = other.contacts.remove(contact);
    other.contacts.extend(shares.iter().map(|share| Contact { load: share * whole.load, ..whole.clone() }));
    other
}

/// What each of several contacts beside each other holds is not determined; what they hold together is.
#[test]
fn contacts_beside_each_other_let_go_together() {
    let stribeck = FrictionLaw::Stribeck(Stribeck {
        mu: 0.3,
        mu_static: 0.6,
        velocity: 0.1,
        width: None,
        weakening: Weakening::Gaussian,
        exponent: None,
    });
    let dwell = FrictionLaw::CoulombDwell(CoulombDwell { mu: 0.4, mu_static: 0.8, time: 0.7, exponent: 0.6 });
    for (name, law) in [("stribeck", stribeck), ("dwell", dwell), ("formula", by_formula(0.3))] {
        let driven = System::oscillator(1.0, 0.05, 1.0).with_friction(law.clone()).with_force(1.1, 0.45);
        for (system, shares) in [
            (driven.clone(), vec![0.3, 0.7]),
            (on_belt(law.clone()), vec![0.5, 0.5]),
            (driven, vec![0.2, 0.7, 0.1]),
        ] {
            let whole = run(&system, &tight(), 60.0);
            let parts = run(&cut(&system, 0, &shares), &tight(), 60.0);
            assert!(whole.events.len() > 6, "{name}: {:?}", whole.events);
            assert_eq!(parts.events.len(), shares.len() * whole.events.len(), "{name}: {:?}", parts.events);
            for (event, part) in whole.events.iter().zip(parts.events.chunks(shares.len())) {
                for part in part {
                    assert_eq!(part.kind, event.kind, "{name}");
                    assert!((part.t - event.t).abs() < 1e-9, "{name}: {} {}", part.t, event.t);
                }
            }
            for (a, b) in whole.samples.position[0].iter().zip(&parts.samples.position[0]) {
                assert!((a - b).abs() < 1e-10, "{name}: {a} {b}");
            }
            assert!(parts.energy_share() < 1e-10, "{name}: {}", parts.energy_share());
        }
    }
}

/// A contact that lets go while another slides on a curve on the same body, as one and as two: whatever the
/// steps, and however a step that aims at the instant ends beside it, no instant is missed.
#[test]
fn contacts_beside_each_other_let_go_at_every_tolerance() {
    let stribeck = |mu: f64, mu_static: f64, velocity: f64, weakening: Weakening| {
        let (width, exponent) = (None, None);
        FrictionLaw::Stribeck(Stribeck { mu, mu_static, velocity, width, weakening, exponent })
    };
    let dwell = CoulombDwell { mu: 0.4, mu_static: 1.29, time: 2.5, exponent: 0.37 };
    let contact = |law: FrictionLaw, direction: [f64; 4], belt: f64| Contact {
        friction: law.into(),
        load: 1.0,
        direction: direction.to_vec(),
        belt,
    };
    let matrix = |data: [f64; 16]| Matrix { n_rows: 4, n_cols: 4, data: data.to_vec() };
    let coupled = [6.0, -2.25, 0.0, 0.0, -2.25, 3.75, -1.5, 0.0, 0.0, -1.5, 5.75, -3.0, 0.0, 0.0, -3.0, 4.5];
    let system = System {
        elements: Default::default(),
        mass: Matrix::diagonal(&[1.38, 2.86, 0.63, 0.67]),
        damping: Matrix::diagonal(&[0.0; 4]),
        stiffness: matrix(coupled),
        contacts: vec![
            contact(FrictionLaw::CoulombDwell(dwell), [0.0, -1.0, 1.0, 0.0], 0.0),
            contact(stribeck(0.32, 0.76, 0.28, Weakening::Exponential), [0.0, 0.0, 0.0, -1.0], 0.0),
            contact(stribeck(0.15, 0.78, 0.4, Weakening::Gaussian), [0.0, 0.0, 0.0, 1.5], 0.65),
        ],
        constant: vec![-0.5, 0.0, 0.0, 0.0],
        harmonics: vec![Harmonic { amplitude: vec![1.75, 0.0, -0.75, 0.0], omega: 0.5065, phase: -1.0273 }],
        position: vec![0.0, 1.25, 0.5, 1.0],
        velocity: vec![-0.75, -0.5, 0.75, -1.0],
    };
    let at = |system: &System, rtol: f64| {
        let adaptive = Integrator::Adaptive(Adaptive { rtol, atol: 1e-3 * rtol, ..Adaptive::default() });
        run(system, &adaptive, 25.0)
    };
    let whole = at(&system, 1e-11);
    for quarter in 28..40 {
        let rtol = 10f64.powf(-0.25 * f64::from(quarter));
        for share in [0.3, 0.5] {
            let parts = at(&cut(&system, 1, &[1.0 - share, share]), rtol);
            for (a, b) in whole.samples.position.iter().zip(&parts.samples.position) {
                let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e3 * rtol, "{rtol:e}, {share}: {off:e}");
            }
        }
    }
}

/// Two blocks that each rest on the ground and on each other: three contacts, two degrees of freedom. The
/// exact engine chooses who holds in its own way.
#[test]
fn contacts_that_depend_on_each_other_move_as_in_the_exact_engine() {
    for statics in [[0.4, 0.2, 0.15], [0.3, 0.4, 0.1], [0.3, 0.2, 0.4]] {
        let mut system = blocks();
        let own = Contact { direction: vec![0.0, 1.0], ..system.contacts[0].clone() };
        system.contacts.push(own);
        for (contact, limit) in system.contacts.iter_mut().zip(statics) {
            contact.friction = coulomb(0.8 * limit, limit).into();
        }
        for system in [system.clone(), cut(&system, 1, &[0.6, 0.4])] {
            let [exact, adaptive] = [Integrator::Exact, tight()].map(|by| run(&system, &by, 50.0));
            let kinds = |record: &Record| -> Vec<EventKind> {
                record.events.iter().map(|event| event.kind).collect()
            };
            assert_eq!(kinds(&exact), kinds(&adaptive), "{statics:?}");
            for (a, b) in exact.samples.position.iter().zip(&adaptive.samples.position) {
                let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-10, "{statics:?}: {off:e}");
            }
        }
    }
}

/// Friction that rises with speed: PTFE on steel. Without driving it comes to rest in finite time, and stays.
#[test]
fn friction_that_rises_with_speed_comes_to_rest() {
    let law = FrictionLaw::Stribeck(Stribeck {
        mu: 0.4,
        mu_static: 0.1,
        velocity: 0.2,
        width: None,
        weakening: Weakening::Exponential,
        exponent: None,
    });
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
    system.position[0] = 3.0;
    let record = run(&system, &tight(), 40.0);
    let u = record.samples.position[0][200];
    assert!(u.abs() <= 0.1 && record.samples.velocity[0][200].abs() < 1e-15, "{u}");
    assert_eq!(record.events.last().unwrap().kind, EventKind::Stick);
    assert!(record.energy_share() < 1e-11, "{}", record.energy_share());
}

/// Friction of a user's own, harder one way than the other: both engines agree, and so does the mirror image.
#[test]
fn a_law_that_is_harder_one_way_pushes_the_motion_the_other_way() {
    let law = |text: &str| FrictionLaw::Expression(Expression::new(text, &[]));
    let polyline = FrictionLaw::Polyline(Polyline::new(&[[-1.0, -0.2], [0.0, -0.2], [0.0, 0.6], [1.0, 0.6]]));
    let driven =
        |law: FrictionLaw| System::oscillator(1.0, 0.05, 0.5).with_friction(law).with_force(2.0, 1.3);
    let formula = law("(0.4 + 0.2*sign(v))*sign(v)");
    let exact = run(&driven(polyline), &Integrator::Exact, 60.0);
    let adaptive = run(&driven(formula), &tight(), 60.0);
    let off = |a: &Record, b: &Record, sign: f64| {
        let pairs = a.samples.position[0].iter().zip(&b.samples.position[0]);
        pairs.map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max)
    };
    assert!(off(&exact, &adaptive, 1.0) < 1e-10, "{:e}", off(&exact, &adaptive, 1.0));
    let mut mirrored = driven(law("(0.4 - 0.2*sign(v))*sign(v)"));
    mirrored.harmonics[0].amplitude[0] = -2.0;
    let mirrored = run(&mirrored, &tight(), 60.0);
    assert!(off(&adaptive, &mirrored, -1.0) < 1e-10, "{:e}", off(&adaptive, &mirrored, -1.0));
    let mean = adaptive.samples.position[0].iter().sum::<f64>() / 201.0;
    assert!(mean < -0.1, "{mean}");
}

/// The order of the method is kept across rest, break-away and a curve.
#[test]
fn the_error_of_the_belt_cycle_falls_with_the_tolerance() {
    let system = on_belt(by_formula(1.0 / 3.0));
    let mut before = f64::INFINITY;
    for digits in [5, 7, 9, 11] {
        let rtol = 10f64.powi(-digits);
        let adaptive = Integrator::Adaptive(Adaptive { rtol, atol: 1e-2 * rtol, ..Adaptive::default() });
        let record = run(&system, &adaptive, 60.0);
        let slips = times(&record, EventKind::Slip);
        let error = (slips[slips.len() - 1] - slips[slips.len() - 2] - CYCLE[0]).abs();
        assert!(error < 100.0 * rtol && error < before.max(1e-13), "{rtol:e}: {error:e}");
        assert!(record.energy_share() < 100.0 * rtol, "{rtol:e}: {:e}", record.energy_share());
        before = error;
    }
}

/// Phases between events have the order of their kernel, and the events take nothing from it: ten times the
/// accuracy costs tenth^(−1/8) as many steps.
#[test]
fn the_hybrid_method_has_the_order_of_its_kernel() {
    for law in [hyperbolic(1.0 / 3.0), by_formula(1.0 / 3.0)] {
        let system = on_belt(law);
        let points: Vec<[f64; 4]> = (8..=20)
            .map(|half| {
                let rtol = 10f64.powf(-0.5 * f64::from(half));
                let method = Method::Explicit;
                let adaptive = Adaptive { rtol, atol: 1e-2 * rtol, method, ..Adaptive::default() };
                let record = run(&system, &Integrator::Adaptive(adaptive), 60.0);
                let slips = times(&record, EventKind::Slip);
                let error = (slips[slips.len() - 1] - slips[slips.len() - 2] - CYCLE[0]).abs();
                [rtol, record.work.steps as f64, error, record.energy_share()].map(f64::log10)
            })
            .collect();
        let fit = |x: usize, y: usize| {
            let n = points.len() as f64;
            let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / n;
            let (mx, my) = (mean(x), mean(y));
            let sum = |f: &dyn Fn(&[f64; 4]) -> f64| points.iter().map(f).sum::<f64>();
            sum(&|p| (p[x] - mx) * (p[y] - my)) / sum(&|p| (p[x] - mx) * (p[x] - mx))
        };
        let [period, energy, order] = [fit(0, 2), fit(0, 3), -fit(1, 2)];
        assert!((0.8..1.3).contains(&period), "{period} {points:?}");
        assert!((0.7..1.3).contains(&energy), "{energy} {points:?}");
        assert!((5.0..16.0).contains(&order), "{order} {points:?}");
    }
}

/// Sliding beyond the last point of a curve is reported.
#[test]
fn a_run_that_leaves_its_law_says_so() {
    let curve = Polyline::new(&[[0.0, 0.3], [0.5, 0.2]]);
    let system = |force: f64| {
        System::oscillator(1.0, 0.1, 1.0)
            .with_friction(FrictionLaw::Polyline(curve.clone()))
            .with_force(force, 0.6)
    };
    for integrator in [Integrator::Exact, tight()] {
        let warned = |force: f64| {
            run(&system(force), &integrator, 40.0).warnings.iter().any(|warning| warning.name() == "law-left")
        };
        assert!(warned(3.0) && !warned(0.25), "{integrator:?}");
    }
}

/// Coulomb's law by name, and as a curve without a curve.
fn flat_laws(mu: f64) -> [(Integrator, FrictionLaw); 2] {
    let flat = Stribeck {
        mu,
        mu_static: mu,
        velocity: 1.0,
        width: None,
        weakening: Weakening::Exponential,
        exponent: None,
    };
    [(Integrator::Exact, coulomb(mu, mu)), (tight(), FrictionLaw::Stribeck(flat))]
}

/// m = k = N = 1, let go from x₀: half a turn about r μ on the way back, about −μ on the way forth, until the
/// spring is held.
#[test]
fn a_law_that_is_harder_one_way_lets_an_oscillator_rest_where_its_closed_form_does() {
    for (mu, reverse, start) in [(0.2, 0.4, 3.0), (0.2, 2.5, 3.0), (0.3, 0.0, 2.0), (0.15, 1.0, -2.0)] {
        let (mut x, mut n_turns) = (start, 0);
        let limit = |x: f64| if x > 0.0 { reverse * mu } else { mu };
        while f64::abs(x) > limit(x) {
            x = if x > 0.0 { 2.0 * reverse * mu - x } else { -2.0 * mu - x };
            n_turns += 1;
            // without friction one way it would turn for ever
            if n_turns == 12 {
                break;
            }
        }
        let t_end = if n_turns == 12 { 12.0 } else { n_turns as f64 } * std::f64::consts::PI;
        for (integrator, law) in flat_laws(mu) {
            let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law.directed(reverse));
            system.position[0] = start;
            let record = run(&system, &integrator, t_end + if n_turns < 12 { 10.0 } else { 0.0 });
            let last = *record.samples.position[0].last().unwrap();
            assert!((last - x).abs() < 1e-10, "{mu} {reverse}: {last} for {x}");
            assert!(record.energy_share() < 1e-10, "{mu} {reverse}: {}", record.energy_share());
            if n_turns < 12 {
                let stop = times(&record, EventKind::Stick).last().copied().unwrap();
                assert!((stop - t_end).abs() < 1e-9, "{mu} {reverse}: {stop} for {t_end}");
                assert_eq!(record.samples.velocity[0].last(), Some(&0.0));
            }
        }
    }
}

/// A load between −r μs and μs does not move it, by nothing.
#[test]
fn a_stuck_body_never_creeps_under_a_law_that_is_harder_one_way() {
    for (integrator, law) in flat_laws(0.5) {
        for (constant, amplitude, moves) in [(0.1, 0.399, false), (0.1, 0.401, true), (0.13, 0.38, true)] {
            let law = law.clone().directed(0.6);
            let mut system = System::oscillator(2.0, 0.0, 0.0).with_friction(law).with_force(amplitude, 1.7);
            system.constant[0] = constant;
            let record = run(&system, &integrator, 60.0);
            let is_still = record.samples.position[0].iter().all(|x| *x == 0.0);
            assert_eq!(is_still, !moves, "{constant} {amplitude}");
            assert_eq!(record.events.is_empty(), !moves, "{constant} {amplitude}");
        }
    }
}

/// The same graph by its points.
#[test]
fn a_law_that_is_harder_one_way_is_its_polyline() {
    let uneven =
        Polyline::new(&[[-0.4, -0.15], [0.0, -0.2], [0.0, -0.3], [0.0, 0.6], [0.0, 0.4], [0.4, 0.3]]);
    let even = Polyline { mu_static: Some(0.6), ..Polyline::new(&[[0.0, 0.4], [0.4, 0.3]]) };
    let driven =
        |law: FrictionLaw| System::oscillator(1.0, 0.05, 0.5).with_friction(law).with_force(1.4, 1.1);
    let directed = driven(FrictionLaw::Polyline(even).directed(0.5));
    let points = driven(FrictionLaw::Polyline(uneven));
    for integrator in [Integrator::Exact, tight()] {
        let [a, b] = [&directed, &points].map(|system| run(system, &integrator, 60.0));
        assert!(a.events.len() > 20);
        assert_eq!(a.events.len(), b.events.len());
        for (a, b) in a.samples.position[0].iter().zip(&b.samples.position[0]) {
            assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
    }
}

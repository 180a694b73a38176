//! Transmissions from what there is: friction in proportion to the transmitted force, and a clutch that holds
//! one way.

use stiction::Progress;
use stiction::event::EventKind;
use stiction::law::{Coulomb, Friction, FrictionLaw, Polyline};
use stiction::math::Matrix;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, ForceElements, Signal, System, VaryingContact};

fn run(system: &System, t_end: f64) -> Record {
    let times = (0..=2000).map(|i| t_end * f64::from(i) / 2000.0).collect();
    let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None };
    drive(system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap()
}

/// A mass on a spring whose force is transmitted through a lossy gear: H = μ |k q| sgn q̇, by two contacts of
/// which one presses at q > 0 and the other at q < 0.
fn lossy(mu: f64, k: f64, position: f64) -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: None });
    let contact =
        Contact { friction: Friction { law, viscous: 0.0 }, load: 0.0, direction: vec![1.0], belt: 0.0 };
    let presses = |contact: usize, n: f64| VaryingContact {
        contact,
        load: Signal::default(),
        by_position: vec![n],
        by_velocity: vec![0.0],
        belt: Signal::default(),
    };
    System {
        contacts: vec![contact.clone(), contact],
        position: vec![position],
        elements: ForceElements { contacts: vec![presses(0, k), presses(1, -k)], ..ForceElements::default() },
        ..System::oscillator(2.0, 0.0, k)
    }
}

#[test]
fn through_a_lossy_gear_an_oscillation_decays_by_root_1_minus_mu_over_1_plus_mu() {
    let (k, m) = (80.0, 2.0f64);
    for mu in [0.05, 0.3, 0.8] {
        let record = run(&lossy(mu, k, 0.1), 6.0);
        // on the way to zero the spring seems softer by 1 − μ, on the way out stiffer by 1 + μ
        let quarter = |factor: f64| std::f64::consts::FRAC_PI_2 * (m / (k * factor)).sqrt();
        let (back, out) = (quarter(1.0 - mu), quarter(1.0 + mu));
        let ratio = ((1.0 - mu) / (1.0 + mu)).sqrt();
        let turns: Vec<f64> =
            record.events.iter().filter(|e| e.kind == EventKind::Land).map(|e| e.t).collect();
        for (i, t) in turns.iter().enumerate() {
            let expected = back + i as f64 * (back + out);
            assert!((t - expected).abs() < 1e-11, "μ = {mu}: passes zero at {t}, not {expected}");
        }
        assert!(turns.len() >= 4, "{:?}", record.events);
        let instants = &record.instants;
        let smallest = instants.position[0].iter().copied().fold(f64::INFINITY, f64::min);
        assert!((smallest + 0.1 * ratio).abs() < 1e-12, "μ = {mu}: {smallest}");
    }
    // one that locks itself stays
    let locked = run(&lossy(1.2, k, 0.1), 1.0);
    assert!(locked.samples.position[0].iter().all(|q| *q == 0.1));
}

/// Two discs; the first drives the second through a clutch that can only push forwards, up to a slip torque.
fn one_way(slip_torque: f64, velocities: [f64; 2], torque: f64) -> System {
    let law = FrictionLaw::Polyline(Polyline::new(&[[-10.0, 0.0], [0.0, 0.0], [0.0, 1.0], [10.0, 1.0]]));
    System {
        mass: Matrix::diagonal(&[0.5, 1.5]),
        damping: Matrix::zeros(2, 2),
        stiffness: Matrix::zeros(2, 2),
        contacts: vec![Contact {
            friction: Friction { law, viscous: 0.0 },
            load: slip_torque,
            direction: vec![1.0, -1.0],
            belt: 0.0,
        }],
        constant: vec![torque, 0.0],
        harmonics: vec![],
        position: vec![0.0; 2],
        velocity: velocities.to_vec(),
        elements: ForceElements::default(),
    }
}

#[test]
fn a_one_way_clutch_drives_and_overruns() {
    // the second runs ahead until the first has caught up; then they go together, and it holds its share of
    // the torque
    let system = one_way(100.0, [1.0, 3.0], 2.0);
    let record = run(&system, 3.0);
    let caught = (3.0 - 1.0) / (2.0 / 0.5);
    assert_eq!(record.events.len(), 1);
    assert!(record.events[0].kind == EventKind::Stick && (record.events[0].t - caught).abs() < 1e-13);
    for (i, t) in record.samples.t.iter().enumerate() {
        let held = record.samples.friction[0][i];
        let (first, second) = (record.samples.velocity[0][i], record.samples.velocity[1][i]);
        if *t < caught {
            assert!(held == 0.0 && second == 3.0);
        } else if *t > caught {
            assert!((held - 2.0 * 1.5 / 2.0).abs() < 1e-13);
            assert!((first - 3.0 - (t - caught)).abs() < 1e-12 && (first - second).abs() < 1e-13);
        }
    }
    // a brake on the first lets the second overrun at once
    let record = run(&one_way(100.0, [3.0, 3.0], -1.0), 1.0);
    assert!(record.samples.friction[0].iter().all(|h| *h == 0.0));
    assert!((record.samples.velocity[1][2000] - 3.0).abs() < 1e-15);
    // beyond its slip torque it slips: 6 N m ask it for 4.5 N m
    let record = run(&one_way(4.0, [0.0, 0.0], 6.0), 1.0);
    let [first, second] = [0, 1].map(|k| record.samples.velocity[k][2000]);
    assert!((first - 2.0 / 0.5).abs() < 1e-12 && (second - 4.0 / 1.5).abs() < 1e-12, "{first} {second}");
}

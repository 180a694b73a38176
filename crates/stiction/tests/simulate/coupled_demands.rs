//! Several contacts: what one must hold depends on what the others supply.
//!
//! A block on a block on the ground, the upper one pulled by a force that both contacts can carry. The upper
//! contact drags the lower block, so the lower contact must hold what the upper one passes on.

use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw, Karnopp, Quinn};
use stiction::math::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, Dynamics, Harmonic, Motion, System};

const PULL: f64 = 0.9;
const MASSES: [f64; 2] = [2.0, 1.0];

fn stack(law: impl Fn() -> FrictionLaw) -> System {
    let contact = |direction: [f64; 2]| Contact {
        friction: law().into(),
        load: 1.0,
        direction: direction.to_vec(),
        belt: 0.0,
    };
    System {
        elements: Default::default(),
        mass: Matrix::diagonal(&MASSES),
        damping: Matrix::zeros(2, 2),
        stiffness: Matrix::zeros(2, 2),
        // lower block on the ground, upper block on the lower one
        contacts: vec![contact([1.0, 0.0]), contact([-1.0, 1.0])],
        constant: vec![0.0, PULL],
        harmonics: vec![],
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
    }
}

fn quinn() -> FrictionLaw {
    FrictionLaw::Quinn(Quinn { mu: 1.0, width: 0.01 })
}

fn run(system: &System, integrator: Integrator, t_end: f64) -> Record {
    let plan =
        Plan { t_end, window: [0.0, t_end], times: vec![t_end], lands_on_times: true, max_steps: None };
    drive(system, &integrator, &plan, &mut Progress::none()).unwrap()
}

#[test]
fn both_blocks_rest_under_a_load_that_both_contacts_can_carry() {
    let step = 1e-3;
    for (law, integrator) in [
        (quinn(), Integrator::Adaptive(Adaptive::default())),
        (quinn(), Integrator::Rk4 { step }),
        (FrictionLaw::Karnopp(Karnopp { mu: 1.0, mu_static: None, width: 0.01 }), Integrator::Rk4 { step }),
    ] {
        let system = stack(|| law.clone());
        let record = run(&system, integrator.clone(), 20.0);
        for column in record.samples.position.iter().chain(&record.samples.velocity) {
            assert!(column[0].abs() < 1e-14, "{law:?} {integrator:?} moved to {}", column[0]);
        }
        for force in &record.samples.friction {
            assert!(
                (force[0] - PULL).abs() < 1e-14,
                "each contact passes on the whole pull, not {}",
                force[0]
            );
        }
    }
}

/// What each contact would hold if it thought that the others supply nothing: the upper one then lets go of
/// the share m₂/(m₁ + m₂) of the pull, the lower one holds nothing, and the stack flies off at P/(m₁ + m₂).
#[test]
fn one_by_one_the_same_stack_would_fly_off() {
    let [m1, m2] = MASSES;
    let alone = [0.0, PULL / m2 / (1.0 / m1 + 1.0 / m2)];
    let acceleration = (PULL - alone[1]) / m2;
    assert!((acceleration - PULL / (m1 + m2)).abs() < 1e-15);
    let moved = 0.5 * acceleration * 20.0 * 20.0;
    assert!(moved > 50.0, "{moved} m in 20 s, against 0 with coupled demands");

    let mut dynamics = Dynamics::new(&stack(quinn)).unwrap();
    let (mut motion, y) = (Motion::zero(2, 2), dynamics.initial_state());
    dynamics.motion(0.0, &y, &mut motion);
    assert!((motion.friction[1] - alone[1]).abs() > 0.2, "the coupled force differs from the lone one");
    assert!(motion.acceleration.iter().all(|a| a.abs() < 1e-15));
}

#[test]
fn a_sliding_contact_loads_the_one_below_with_its_sliding_force() {
    // the upper block slides; the lower contact must hold exactly the sliding friction
    let mut system = stack(quinn);
    system.constant[1] = 1.5;
    system.velocity[1] = 1.0;
    system.contacts[1].load = 0.6;
    let record = run(&system, Integrator::Adaptive(Adaptive::default()), 3.0);
    assert!(record.samples.position[0][0].abs() < 1e-13);
    assert!((record.samples.friction[0][0] - 0.6).abs() < 1e-13);
    let expected = 1.0 * 3.0 + 0.5 * (1.5 - 0.6) * 9.0;
    assert!((record.samples.position[1][0] - expected).abs() < 1e-9);
}

#[test]
fn a_pull_beyond_the_lower_limit_moves_the_stack_as_one() {
    let mut system = stack(quinn);
    system.constant[1] = 1.3;
    system.contacts[1].load = 2.0;
    let record = run(&system, Integrator::Adaptive(Adaptive { rtol: 1e-11, ..Adaptive::default() }), 2.0);
    let [u1, u2] = [record.samples.position[0][0], record.samples.position[1][0]];
    // (P − μN)/(m₁ + m₂) once it slides; the width of the law delays the start by about ε m/(μN)
    let expected = 0.5 * (1.3 - 1.0) / 3.0 * 4.0;
    assert!((u1 - u2).abs() < 1e-12, "the upper contact sticks");
    assert!((u1 / expected - 1.0).abs() < 0.05, "{u1} against {expected}");
}

#[test]
fn contacts_in_parallel_share_the_load_and_rest() {
    // one mass, two equal contacts: the split is not determined, the motion is
    let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(quinn()).with_friction(quinn());
    system.harmonics.push(Harmonic { amplitude: vec![1.9], omega: 3.0, phase: 0.0 });
    let record = run(&system, Integrator::Adaptive(Adaptive::default()), 30.0);
    assert!(
        record.ranges[0].max.abs() < 1e-12 && record.ranges[0].min.abs() < 1e-12,
        "{:?}",
        record.ranges[0]
    );
}

/// Samples of a run at many times.
fn sampled(system: &System, integrator: Integrator, t_end: f64) -> Record {
    let times = (0..=300).map(|i| t_end * f64::from(i) / 300.0).collect();
    let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None };
    drive(system, &integrator, &plan, &mut Progress::none()).unwrap()
}

/// Masses with more contacts than they need, which the load moves now and then. Forces that the motion leaves
/// open are the same by two methods that find them in different ways, and those of the first case are known:
/// parts of the load as large as the limits.
#[test]
fn contacts_of_which_fewer_would_do_hold_the_same_by_exact_and_by_adaptive() {
    let contact = |direction: &[f64], mu: f64, load: f64| Contact {
        friction: FrictionLaw::Coulomb(Coulomb { mu, mu_static: None }).into(),
        load,
        direction: direction.to_vec(),
        belt: 0.0,
    };
    let mut one = System::oscillator(1.0, 0.1, 1.0);
    one.contacts = vec![contact(&[1.0], 0.3, 1.0), contact(&[-1.0], 0.2, 0.5), contact(&[1.0], 0.4, 1.5)];
    one.harmonics.push(Harmonic { amplitude: vec![1.4], omega: 0.4, phase: 0.3 });
    let mut two = stack(quinn);
    two.stiffness = Matrix::diagonal(&[1.0, 0.5]);
    two.constant = vec![0.0; 2];
    two.contacts =
        vec![contact(&[1.0, 0.0], 0.3, 1.0), contact(&[-1.0, 1.0], 0.2, 2.0), contact(&[0.0, 1.0], 0.1, 1.5)];
    two.harmonics.push(Harmonic { amplitude: vec![0.2, 0.7], omega: 0.3, phase: 0.1 });
    let adaptive = || Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() });
    for system in [&one, &two] {
        let [exact, other] = [Integrator::Exact, adaptive()].map(|by| sampled(system, by, 40.0).samples);
        let (mut shared, mut slides) = (0, 0);
        for k in 0..exact.t.len() {
            let rests = exact.sliding.iter().all(|v| v[k] == 0.0);
            shared += usize::from(rests);
            slides += usize::from(!rests);
            for (a, b) in exact.friction.iter().zip(&other.friction) {
                // a slide begins and ends at the same instant to 1e-9; no sample lies as near
                assert!((a[k] - b[k]).abs() < 1e-7, "t = {}: {} and {} N", exact.t[k], a[k], b[k]);
            }
            if rests && system.n() == 1 {
                let f = &other.friction;
                assert!(
                    (f[1][k] / -0.1 - f[0][k] / 0.3).abs() < 1e-9
                        && (f[2][k] / 0.6 - f[0][k] / 0.3).abs() < 1e-9
                );
            }
        }
        assert!(shared > 30 && slides > 30, "{shared} samples at rest, {slides} in motion");
    }
}

/// One contact cut into two, or seen through a gear, moves as before.
#[test]
fn quinn_contacts_that_depend_on_each_other_move_as_one() {
    let whole = |n: usize| {
        let mut system = System::oscillator(1.0, 0.1, 1.0);
        system.position = vec![0.8];
        system.harmonics.push(Harmonic { amplitude: vec![0.6], omega: 0.4, phase: 0.0 });
        let part = |share: f64, gear: f64| {
            let law = FrictionLaw::Quinn(Quinn { mu: 0.5, width: 0.02 * gear.abs() });
            Contact {
                friction: law.into(),
                load: share / gear.abs(),
                direction: vec![gear],
                belt: 0.1 * gear,
            }
        };
        system.contacts = match n {
            1 => vec![part(1.0, 1.0)],
            2 => vec![part(0.3, 1.0), part(0.7, 1.0)],
            _ => vec![part(0.2, -1.3), part(0.5, 0.7), part(0.3, 1.0)],
        };
        system
    };
    let run = |n: usize| {
        sampled(
            &whole(n),
            Integrator::Adaptive(Adaptive { rtol: 1e-10, atol: 1e-13, ..Adaptive::default() }),
            40.0,
        )
    };
    let own = run(1);
    let sticks = own.samples.velocity[0].iter().filter(|v| (**v - 0.1).abs() < 1e-6).count();
    assert!(sticks > 20, "{sticks} samples at rest on the belt");
    for n in [2, 3] {
        let other = run(n);
        for (a, b) in own.samples.position[0].iter().zip(&other.samples.position[0]) {
            assert!((a - b).abs() < 1e-7, "{n} parts: {a} and {b} m");
        }
        let (few, many) = (own.work.steps, other.work.steps);
        assert!(many < 6 * few, "{n} parts take {many} steps, the whole {few}");
    }
}

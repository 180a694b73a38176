//! The derivative of the exact motion against difference quotients of the motion itself.

use crate::dice::Dice;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw, Linear};
use stiction::math::Matrix;
use stiction::system::{Contact, Harmonic, Motion, System};

/// Central differences with a step of 1e-6 leave about 1e-9 times the derivatives of the motion.
const DIFFERENCE: f64 = 1e-6;
const TOLERANCE: f64 = 2e-7;

fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

/// The state at `t_end` and the events on the way, without their times; the derivative into `slopes`.
fn run(
    system: &System,
    x: &[f64],
    t_end: f64,
    slopes: Option<&mut Matrix>,
) -> (Vec<f64>, Vec<(usize, &'static str)>) {
    let n = system.n();
    let mut exact = Exact::new(system).unwrap();
    exact.restart(0.0, &x[..n], &x[n..]).unwrap();
    let mut events = Vec::new();
    let mut none = Matrix::zeros(2 * n, 0);
    let slopes = slopes.unwrap_or(&mut none);
    while exact.t() < t_end {
        let from = exact.t();
        exact.step(t_end).unwrap();
        exact.carry(from, slopes);
        events.extend(exact.events().iter().map(|event| (event.contact, event.kind.name())));
    }
    let mut motion = Motion::zero(n, system.contacts.len());
    exact.motion(t_end, &mut motion);
    ([motion.position, motion.velocity].concat(), events)
}

/// The largest difference between the carried derivative and the quotient; `None` if the neighbours have
/// other events.
fn error(system: &System, x: &[f64], t_end: f64) -> Option<(f64, usize)> {
    let n = x.len();
    let mut slopes = Matrix::diagonal(&vec![1.0; n]);
    let (_, events) = run(system, x, t_end, Some(&mut slopes));
    let mut worst = 0.0f64;
    for j in 0..n {
        let mut ends = Vec::new();
        for side in [1.0, -1.0] {
            let mut x = x.to_vec();
            x[j] += side * DIFFERENCE;
            let (end, own) = run(system, &x, t_end, None);
            if own != events {
                return None;
            }
            ends.push(end);
        }
        for (i, (above, below)) in ends[0].iter().zip(&ends[1]).enumerate() {
            let quotient = (above - below) / (2.0 * DIFFERENCE);
            worst = worst.max((slopes.at(i, j) - quotient).abs() / (1.0 + quotient.abs()));
        }
    }
    Some((worst, events.len()))
}

#[test]
fn one_degree_of_freedom_with_every_kind_of_event() {
    let ramp = FrictionLaw::Linear(Linear { mu: 0.4, width: 0.3, rise: Some(0.2), rise_height: None });
    let mut dice = Dice::new(1);
    let (mut n_compared, mut n_events) = (0, 0);
    for (law, belt) in [
        (coulomb(0.4, 0.4), 0.0),
        (coulomb(0.4, 0.6), 0.0),
        (coulomb(0.4, 0.6), 0.3),
        (ramp.clone(), 0.0),
        (ramp, -0.2),
    ] {
        for damping in [0.0, 0.1, 3.0] {
            for _ in 0..20 {
                let mut system = System::oscillator(1.3, damping, 0.9)
                    .with_friction(law.clone())
                    .with_force(1.0, 0.6 + 0.4 * dice.between(-1.0, 1.0));
                system.contacts[0].belt = belt;
                let x = [2.0 * dice.between(-1.0, 1.0), 2.0 * dice.between(-1.0, 1.0)];
                if let Some((error, n)) = error(&system, &x, 17.0) {
                    assert!(error < TOLERANCE, "{system:?} {x:?}: {error:e}");
                    (n_compared, n_events) = (n_compared + 1, n_events + n);
                }
            }
        }
    }
    println!("{n_compared} {n_events}");
    assert!(n_compared > 250 && n_events > 1000);
}

fn chain(n: usize, dice: &mut Dice, mu_static: f64, belt: f64) -> System {
    let mut stiffness = Matrix::diagonal(&vec![1.0; n]);
    let mut damping = Matrix::diagonal(&vec![0.05; n]);
    for i in 1..n {
        for (a, b, s) in [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)] {
            *stiffness.at_mut(a, b) += 1.5 * s;
            *damping.at_mut(a, b) += 0.02 * s;
        }
    }
    let mut contacts = Vec::new();
    for i in 0..n {
        let mut direction = vec![0.0; n];
        direction[i] = 1.0;
        // every other contact rubs between neighbours
        if i % 2 == 1 {
            direction[i - 1] = -1.0;
        }
        let load = 0.7 + 0.5 * dice.between(-1.0, 1.0).abs();
        contacts.push(Contact { friction: coulomb(0.3, mu_static).into(), load, direction, belt });
    }
    System {
        elements: Default::default(),
        mass: Matrix::diagonal(&(0..n).map(|_| 1.0 + 0.3 * dice.between(-1.0, 1.0)).collect::<Vec<_>>()),
        damping,
        stiffness,
        contacts,
        constant: vec![0.05; n],
        harmonics: vec![Harmonic {
            amplitude: (0..n).map(|_| dice.between(-1.0, 1.0)).collect(),
            omega: 0.8,
            phase: 0.3,
        }],
        position: vec![0.0; n],
        velocity: vec![0.0; n],
    }
}

#[test]
fn several_degrees_of_freedom() {
    let mut dice = Dice::new(5);
    let (mut n_compared, mut n_events) = (0, 0);
    for n in [2, 3, 5] {
        for (mu_static, belt) in [(0.3, 0.0), (0.45, 0.0), (0.45, 0.2)] {
            for _ in 0..15 {
                let system = chain(n, &mut dice, mu_static, belt);
                let x: Vec<f64> = (0..2 * n).map(|_| dice.between(-1.0, 1.0)).collect();
                if let Some((error, n)) = error(&system, &x, 9.0) {
                    assert!(error < TOLERANCE, "{system:?} {x:?}: {error:e}");
                    (n_compared, n_events) = (n_compared + 1, n_events + n);
                }
            }
        }
    }
    println!("{n_compared} {n_events}");
    assert!(n_compared > 100 && n_events > 800);
}

/// Contacts beside each other, and across a triangle: more than the motion needs, so that they share what
/// they hold.
#[test]
fn contacts_that_share_a_load() {
    let mut dice = Dice::new(7);
    let (mut n_compared, mut n_events) = (0, 0);
    for n in [1, 2, 3] {
        for mu_static in [0.3, 0.45] {
            for _ in 0..25 {
                let mut system = chain(n, &mut dice, mu_static, 0.0);
                let copy = |contact: &Contact, gear: f64, load: f64| Contact {
                    direction: contact.direction.iter().map(|w| gear * w).collect(),
                    load,
                    ..contact.clone()
                };
                let beside = copy(&system.contacts[0], 1.5, 0.4 + 0.2 * dice.between(-1.0, 1.0));
                system.contacts.push(beside);
                if n > 1 {
                    // rests whenever the first two do
                    let mut across = copy(&system.contacts[1], 1.0, 0.3);
                    across.direction[0] += 1.0;
                    system.contacts.push(across);
                }
                let x: Vec<f64> = (0..2 * n).map(|_| dice.between(-1.0, 1.0)).collect();
                if let Some((error, n)) = error(&system, &x, 9.0) {
                    assert!(error < TOLERANCE, "{system:?} {x:?}: {error:e}");
                    (n_compared, n_events) = (n_compared + 1, n_events + n);
                }
            }
        }
    }
    println!("{n_compared} {n_events}");
    assert!(n_compared > 80 && n_events > 500);
}

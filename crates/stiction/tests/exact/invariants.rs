//! What holds for any system, here with contacts in parallel, contacts that depend on each other, and
//! simultaneous events.

use crate::dice::Dice;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::{Matrix, dot};
use stiction::system::{Contact, Harmonic, Motion, System};

/// Balance of forces of order one, and the limits of friction.
const ROUNDING: f64 = 1e-11;

/// A round number, so that coincidences happen.
fn round(dice: &mut Dice, a: f64, b: f64) -> f64 {
    (4.0 * dice.between(a, b)).round() / 4.0
}

fn random_system(seed: u64) -> System {
    let mut dice = Dice::new(seed);
    let n = 2 + dice.below(3);
    let mut stiffness = Matrix::zeros(n, n);
    for i in 0..n {
        *stiffness.at_mut(i, i) += round(&mut dice, 0.0, 2.0);
        if i > 0 {
            let k = round(&mut dice, 0.5, 3.0);
            for (a, b, k) in [(i, i, k), (i - 1, i - 1, k), (i, i - 1, -k), (i - 1, i, -k)] {
                *stiffness.at_mut(a, b) += k;
            }
        }
    }
    let mut vector = |a: f64, b: f64| -> Vec<f64> { (0..n).map(|_| round(&mut dice, a, b)).collect() };
    let (mass, damping) = (vector(0.5, 2.0), vector(0.0, 1.0));
    let (constant, position, velocity) = (vector(-0.5, 0.5), vector(-2.0, 2.0), vector(-0.5, 0.5));
    let amplitude = vector(-2.0, 2.0);
    let m = 1 + dice.below(6);
    let contacts = (0..m).map(|_| {
        let mut direction = vec![0.0; n];
        let i = dice.below(n);
        direction[i] = if dice.roll() < 0.5 { 1.0 } else { -2.0 };
        if dice.roll() < 0.4 {
            direction[(i + 1) % n] = -direction[i];
        }
        let mu = 0.25 + round(&mut dice, 0.0, 1.0);
        let mu_static = if dice.roll() < 0.5 { mu } else { mu + round(&mut dice, 0.0, 0.5) };
        let belt = if dice.roll() < 0.2 { 0.25 } else { 0.0 };
        let friction = FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) }).into();
        Contact { friction, load: 0.5 + round(&mut dice, 0.0, 1.0), direction, belt }
    });
    System {
        elements: Default::default(),
        contacts: contacts.collect(),
        mass: Matrix::diagonal(&mass),
        damping: Matrix::diagonal(&damping),
        stiffness,
        constant,
        harmonics: vec![Harmonic { amplitude, omega: round(&mut dice, 0.5, 3.0).max(0.25), phase: 0.0 }],
        position,
        velocity,
    }
}

fn check(system: &System, motion: &Motion, seed: u64) {
    let t = motion.t;
    for k in 0..system.n() {
        let mut residual = system.mass.at(k, k) * motion.acceleration[k] - system.constant[k];
        residual +=
            dot(system.damping.row(k), &motion.velocity) + dot(system.stiffness.row(k), &motion.position);
        for h in &system.harmonics {
            residual -= h.amplitude[k] * (h.omega * t + h.phase).sin();
        }
        for (contact, friction) in system.contacts.iter().zip(&motion.friction) {
            residual += contact.direction[k] * friction;
        }
        assert!(residual.abs() < ROUNDING, "seed {seed}, t = {t}: balance {k} is off by {residual:e}");
    }
    for (i, contact) in system.contacts.iter().enumerate() {
        let FrictionLaw::Coulomb(law) = &contact.friction.law else { panic!("Coulomb's law only") };
        let (kinetic, limit) = (law.mu * contact.load, law.static_mu() * contact.load);
        let (v, h) = (motion.sliding[i], motion.friction[i]);
        let sliding = dot(&contact.direction, &motion.velocity) - contact.belt;
        assert!((v - sliding).abs() < ROUNDING, "seed {seed}, t = {t}, contact {i}: {v:e} {sliding:e}");
        if v == 0.0 {
            assert!(
                h.abs() <= limit + ROUNDING,
                "seed {seed}, t = {t}, contact {i} holds {h}, at most {limit}"
            );
        } else if v.abs() > ROUNDING {
            assert_eq!(h, kinetic.copysign(v), "seed {seed}, t = {t}, contact {i} slides at {v:e}");
        }
    }
}

fn run(seeds: std::ops::Range<u64>) {
    let (mut n_events, mut n_simultaneous, t_end) = (0, 0, 20.0);
    for seed in seeds {
        let system = random_system(seed);
        let mut exact =
            Exact::new(&system).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{system:?}"));
        let mut motion = Motion::zero(system.n(), system.contacts.len());
        let mut before = Motion::zero(system.n(), system.contacts.len());
        exact.motion(0.0, &mut before);
        let mut n_steps = 0;
        while exact.t() < t_end {
            exact.step(t_end).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{system:?}"));
            n_steps += 1;
            assert!(n_steps < 20_000, "seed {seed}");
            n_events += exact.events().len();
            n_simultaneous += usize::from(exact.events().len() > 1);
            for part in [0.0, 1e-3, 0.5, 1.0 - 1e-9] {
                exact.motion(exact.start() + part * (exact.t() - exact.start()), &mut motion);
                check(&system, &motion, seed);
            }
            // position and velocity go on where they were
            exact.motion(exact.start(), &mut motion);
            if motion.t == before.t {
                for k in 0..system.n() {
                    assert!((motion.position[k] - before.position[k]).abs() < ROUNDING, "seed {seed}");
                    assert!((motion.velocity[k] - before.velocity[k]).abs() < ROUNDING, "seed {seed}");
                }
            }
            exact.motion(exact.t(), &mut before);
        }
    }
    println!("{n_events} events, {n_simultaneous} times several at once");
    assert!(n_simultaneous > 0);
}

#[test]
fn balance_and_friction_law_hold_at_any_time() {
    run(0..300);
}

#[test]
#[ignore = "takes a minute"]
fn balance_and_friction_law_hold_at_any_time_in_many_systems() {
    run(1000..21_000);
}

//! Random systems: the exact method against small steps with bisection.

use crate::brute::Brute;
use crate::dice::Dice;
use stiction::event::{Event, EventKind};
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw, Linear};
use stiction::math::Matrix;
use stiction::system::{Contact, Harmonic, Motion, System};

/// On states and event times. The small steps are of 2e-3, order 4; what they leave at a touch or a near miss
/// is more, but then their own refinement disagrees as much, and the case says nothing.
const TOLERANCE: f64 = 1e-6;
const T_END: f64 = 12.0;

fn random_system(seed: u64) -> System {
    let mut dice = Dice::new(seed ^ 0x1234_5678);
    let n = if dice.chance(0.5) { 1 } else { 2 };
    let mut system = System::oscillator(dice.between(0.5, 2.0), 0.0, dice.between(0.2, 4.0));
    if n == 2 {
        let (m1, m2) = (dice.between(0.5, 2.0), dice.between(0.5, 2.0));
        let (k1, k2, k3) = (dice.between(0.0, 3.0), dice.between(0.2, 3.0), dice.between(0.0, 2.0));
        let coupling = if dice.chance(0.3) { 0.3 * dice.roll() } else { 0.0 };
        let matrix = |a: f64, b: f64, c: f64| Matrix { n_rows: 2, n_cols: 2, data: vec![a, b, b, c] };
        system.mass = matrix(m1, coupling, m2);
        system.stiffness = matrix(k1 + k2, -k2, k2 + k3);
        system.damping = matrix(0.0, 0.0, 0.0);
        system.constant = vec![0.0; 2];
        system.position = vec![0.0; 2];
        system.velocity = vec![0.0; 2];
    }
    match (4.0 * dice.roll()) as u32 {
        0 => {}
        1 => (0..n).for_each(|i| *system.damping.at_mut(i, i) = 0.1 * dice.roll()),
        2 => (0..n).for_each(|i| *system.damping.at_mut(i, i) = 1.0 + 6.0 * dice.roll()),
        _ => {
            // critical for one degree of freedom
            let c = 2.0 * (system.mass.at(0, 0) * system.stiffness.at(0, 0)).sqrt();
            *system.damping.at_mut(0, 0) = c;
        }
    }
    if n == 1 && dice.chance(0.15) {
        *system.stiffness.at_mut(0, 0) = 0.0;
    }
    for i in 0..n {
        system.constant[i] = if dice.chance(0.4) { dice.between(-1.0, 1.0) } else { 0.0 };
        system.position[i] = if dice.chance(0.6) { dice.between(-2.0, 2.0) } else { 0.0 };
        system.velocity[i] = if dice.chance(0.6) { dice.between(-1.0, 1.0) } else { 0.0 };
    }
    for _ in 0..(4.0 * dice.roll()) as usize {
        // at resonance now and then
        let own = (system.stiffness.at(0, 0) / system.mass.at(0, 0)).sqrt();
        let omega = if dice.chance(0.15) && own > 0.0 { own } else { dice.between(0.3, 3.0) };
        let amplitude = (0..n).map(|_| dice.between(-2.0, 2.0)).collect();
        system.harmonics.push(Harmonic { amplitude, omega, phase: dice.between(-3.0, 3.0) });
    }
    let directions: [[f64; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]];
    let skip = (3.0 * dice.roll()) as usize;
    let n_contacts = 1 + (2.0 * dice.roll()) as usize;
    for (i, direction) in directions.iter().cycle().skip(skip).take(n_contacts).enumerate() {
        let mu = dice.between(0.1, 1.0);
        let mu_static = if dice.chance(0.5) { mu * dice.between(1.0, 1.8) } else { mu };
        let mut belt = if dice.chance(0.4) { dice.between(-0.7, 0.7) } else { 0.0 };
        let direction =
            if n == 1 { vec![if dice.chance(0.7) { 1.0 } else { -1.5 }] } else { direction.to_vec() };
        if n == 1 && i == 1 {
            // never two that rest together: the small steps cannot share a load
            belt += 1.0;
        }
        let law = if dice.chance(0.2) {
            let rise = dice.chance(0.5).then(|| dice.between(0.05, 0.3));
            FrictionLaw::Linear(Linear { mu, width: dice.between(0.05, 0.5), rise, rise_height: None })
        } else {
            FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
        };
        system.contacts.push(Contact { friction: law.into(), load: dice.between(0.3, 1.5), direction, belt });
        if dice.chance(0.2) {
            system.contacts[i].friction.viscous = 0.2 * dice.roll();
        }
    }
    system
}

/// Takes out corners, over which the small steps step, and rests that last no longer than they can see.
fn visible(events: &[Event]) -> Vec<Event> {
    let mut all: Vec<Event> = events.iter().copied().filter(|e| e.kind != EventKind::Corner).collect();
    while let Some(i) = (1..all.len()).find(|&i| {
        let (a, b) = (all[i - 1], all[i]);
        a.contact == b.contact && b.t - a.t < 1e-4 && a.kind == EventKind::Stick && b.kind == EventKind::Slip
    }) {
        all.drain(i - 1..=i);
    }
    all
}

fn run_exact(system: &System) -> (Vec<Event>, Motion) {
    let mut exact = Exact::new(system).unwrap();
    let mut motion = Motion::zero(system.n(), system.contacts.len());
    let mut events = Vec::new();
    let mut steps = 0;
    while exact.t() < T_END {
        exact.step(T_END).unwrap();
        events.extend_from_slice(exact.events());
        steps += 1;
        assert!(steps < 20_000);
    }
    exact.motion(T_END, &mut motion);
    (visible(&events), motion)
}

fn distance(a: &(Vec<Event>, Vec<f64>), b: &(Vec<Event>, Vec<f64>)) -> f64 {
    if a.0.len() != b.0.len() || a.0.iter().zip(&b.0).any(|(a, b)| a.kind != b.kind || a.contact != b.contact)
    {
        return f64::INFINITY;
    }
    let times = a.0.iter().zip(&b.0).map(|(a, b)| (a.t - b.t).abs());
    times.chain(a.1.iter().zip(&b.1).map(|(a, b)| (a - b).abs())).fold(0.0, f64::max)
}

fn compare(seeds: std::ops::Range<u64>) {
    let (mut n_doubtful, mut n_ambiguous, mut n_events, mut worst) = (0, 0, 0, 0.0f64);
    let n_all = seeds.end - seeds.start;
    for seed in seeds {
        let system = random_system(seed);
        let is_ambiguous = std::cell::Cell::new(false);
        let brute = |step: f64| {
            let mut brute = Brute::new(&system);
            brute.run(T_END, step);
            let n = system.n();
            is_ambiguous.set(brute.ambiguous);
            (visible(&brute.events), [&brute.q[..n], &brute.v[..n]].concat())
        };
        let (events, motion) = run_exact(&system);
        let exact = (events, [&motion.position[..], &motion.velocity[..]].concat());
        assert!(exact.1.iter().all(|x| x.is_finite()), "seed {seed}");
        n_events += exact.0.len();
        let error = distance(&exact, &brute(2e-3));
        if error < TOLERANCE {
            worst = worst.max(error);
            continue;
        }
        if is_ambiguous.get() {
            n_ambiguous += 1;
            continue;
        }
        // is it the small steps that are wrong?
        let (coarse, fine) = (brute(2e-3), brute(2.5e-4));
        let error_fine = distance(&exact, &fine);
        if error_fine < TOLERANCE {
            continue;
        }
        assert!(
            distance(&coarse, &fine) > TOLERANCE,
            "seed {seed}: off by {error:e} and {error_fine:e}\n{system:#?}\nexact {:#?}\nsmall steps {:#?}",
            exact,
            fine
        );
        n_doubtful += 1;
    }
    println!("{n_all} systems, {n_events} events, worst difference {worst:e}");
    println!("doubtful {n_doubtful}, not unique {n_ambiguous}");
    // touches to within the error of the small steps are rare
    assert!(n_doubtful <= 1 + n_all / 200, "{n_doubtful} of {n_all}");
    assert!(n_ambiguous <= 1 + n_all / 20, "{n_ambiguous} of {n_all}");
}

#[test]
fn random_systems_agree_with_small_steps() {
    compare(0..200);
}

#[test]
#[ignore = "ten thousand systems take minutes"]
fn ten_thousand_random_systems_agree_with_small_steps() {
    compare(1000..11_000);
}

//! A chain of a hundred blocks on a belt.

use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::Matrix;
use stiction::system::{Contact, Motion, System};

/// Blocks on a belt, each held by a leaf spring and coupled to its neighbours; masses and positions differ a
/// little.
pub fn chain(n: usize) -> System {
    let (coupling, leaf, belt) = (4.0, 1.0, 0.1);
    let mut stiffness = Matrix::zeros(n, n);
    for i in 0..n {
        *stiffness.at_mut(i, i) += leaf;
        if i + 1 < n {
            *stiffness.at_mut(i, i) += coupling;
            *stiffness.at_mut(i + 1, i + 1) += coupling;
            *stiffness.at_mut(i, i + 1) -= coupling;
            *stiffness.at_mut(i + 1, i) -= coupling;
        }
    }
    let contacts = (0..n).map(|i| Contact {
        friction: FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.5) }).into(),
        load: 1.0,
        direction: (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect(),
        belt,
    });
    let wave = |i: usize| 0.1 * (1.7 * i as f64 * i as f64).sin();
    System {
        elements: Default::default(),
        mass: Matrix::diagonal(&(0..n).map(|i| 1.0 + wave(i)).collect::<Vec<_>>()),
        damping: Matrix::zeros(n, n),
        stiffness,
        contacts: contacts.collect(),
        constant: vec![0.0; n],
        harmonics: Vec::new(),
        position: (0..n).map(wave).collect(),
        velocity: vec![belt; n],
    }
}

#[test]
fn a_chain_of_a_hundred_blocks_keeps_its_books() {
    let n = 100;
    let system = chain(n);
    let mut exact = Exact::new(&system).unwrap();
    let mut motion = Motion::zero(n, n);
    let (mut n_events, mut n_steps, t_end) = (0, 0, 30.0);
    exact.motion(0.0, &mut motion);
    let mut rests: Vec<bool> =
        (0..n).map(|i| motion.sliding[i] == 0.0 && motion.acceleration[i] == 0.0).collect();
    while exact.t() < t_end {
        exact.step(t_end).unwrap();
        n_steps += 1;
        for event in exact.events() {
            n_events += 1;
            // every log entry is the one that the contact's state allows
            match event.kind {
                EventKind::Slip => assert!(std::mem::replace(&mut rests[event.contact], false)),
                EventKind::Stick => assert!(!std::mem::replace(&mut rests[event.contact], true)),
                EventKind::Reverse => assert!(!rests[event.contact]),
                kind => panic!("Coulomb's law on a belt has no {}", kind.name()),
            }
        }
        // the equation of motion holds, and the friction law too
        let t = exact.start() + 0.37 * (exact.t() - exact.start());
        exact.motion(t, &mut motion);
        for i in 0..n {
            let mut residual = system.mass.at(i, i) * motion.acceleration[i] + motion.friction[i];
            residual += stiction::math::dot(system.stiffness.row(i), &motion.position);
            assert!(residual.abs() < 1e-12, "t = {t}, block {i}: {residual:e}");
            let v = motion.sliding[i];
            if v == 0.0 {
                assert!(motion.friction[i].abs() <= 0.5 + 1e-12 && motion.velocity[i] == 0.1);
            } else {
                assert!(motion.friction[i] == 0.3f64.copysign(v), "t = {t}, block {i}, v = {v:e}");
            }
        }
    }
    println!("{n_events} events in {n_steps} steps");
    assert!(n_events > 200, "{n_events}");
}

//! Default initial guesses of periodic motions: a fixed set of states around the static deflection.

use super::State;
use crate::system::System;
use std::f64::consts::TAU;

/// Distances from the origin in units of the static deflection.
const RADII: [f64; 2] = [1.0, 4.0];

/// The initial state of the system, rest at the origin, and states around it as far away as the loads deflect
/// the springs and four times as far, in positions and in velocities.
pub fn default_starts(system: &System) -> Vec<State> {
    let n = system.n();
    let memory = system.initial_states();
    let rest = State { memory: memory.clone(), ..State::rest(n) };
    let mut starts = vec![State::initial(system)];
    if starts[0] != rest {
        starts.push(rest);
    }
    let (deflection, omega) = reference(system);
    for radius in RADII {
        for (q, v) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            starts.push(State {
                position: vec![q * radius * deflection; n],
                velocity: vec![v * radius * deflection * omega; n],
                memory: memory.clone(),
            });
        }
    }
    starts
}

/// A length and a frequency that belong to the system: what its largest load, friction included, deflects the
/// springs or, where those are soft, moves the masses (m, rad/s).
pub(super) fn reference(system: &System) -> (f64, f64) {
    let largest = |x: &[f64]| x.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let (mass, stiffness) = (system.mass.norm(), stiffness_size(system));
    let own = (stiffness / mass).sqrt();
    let signals = system.elements.period().filter(|_| system.harmonics.is_empty());
    let omega = system.harmonics.first().map(|harmonic| harmonic.omega);
    let omega = omega.or(signals.map(|period| TAU / period)).unwrap_or(own);
    let omega = if omega > 0.0 { omega } else { 1.0 };
    let force = system.harmonics.iter().map(|h| largest(&h.amplitude)).fold(0.0, f64::max)
        + largest(&system.constant)
        + system.contacts.iter().map(|e| e.load * bound(e) * largest(&e.direction)).fold(0.0, f64::max)
        + system.elements.largest_load(system);
    let belt = system.contacts.iter().map(|e| e.belt.abs()).fold(0.0, f64::max);
    let belt = system.elements.contacts.iter().map(|varying| varying.belt.size()).fold(belt, f64::max);
    let deflection = (force / stiffness.max(mass * omega * omega)).max(belt / omega);
    (if deflection > 0.0 { deflection } else { 1.0 }, omega)
}

/// Norm of the stiffness with that of feedback.
fn stiffness_size(system: &System) -> f64 {
    let Some(feedback) = &system.elements.feedback else { return system.stiffness.norm() };
    let mut stiffness = system.stiffness.clone();
    stiffness.data.iter_mut().zip(&feedback.f_position.data).for_each(|(k, f)| *k -= f);
    stiffness.norm()
}

/// What states beyond positions and velocities are divided by to be lengths: of feedback by what gives the
/// force of a unit length.
pub(super) fn state_units(system: &System) -> Vec<f64> {
    let mut units = vec![1.0; system.initial_states().len()];
    let Some(feedback) = &system.elements.feedback else { return units };
    let first = units.len() - feedback.initial.len();
    let omega = reference(system).1;
    let stiffness = stiffness_size(system).max(system.mass.norm() * omega * omega);
    for (k, unit) in units[first..].iter_mut().enumerate() {
        let column = (0..system.n()).map(|i| feedback.f_state.at(i, k).abs()).fold(0.0, f64::max);
        if column > 0.0 {
            *unit = stiffness / column;
        }
    }
    units
}

fn bound(contact: &crate::system::Contact) -> f64 {
    use crate::law::Law;
    contact.friction.law.bound()
}

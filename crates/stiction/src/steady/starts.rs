//! Where to look for periodic motions, if nobody says so: a fixed set of states around the static deflection.

use super::State;
use crate::system::System;

/// Distances from the origin in units of the static deflection.
const RADII: [f64; 2] = [1.0, 4.0];

/// The initial state of the system, rest at the origin, and states around it as far away as the loads deflect the springs
/// and four times as far, in positions and in velocities.
pub fn default_starts(system: &System) -> Vec<State> {
    let n = system.n();
    let own =
        State { position: system.position.clone(), velocity: system.velocity.clone(), memory: Vec::new() };
    let rest = State::rest(n);
    let mut starts = vec![own];
    if starts[0] != rest {
        starts.push(rest);
    }
    let (deflection, omega) = reference(system);
    for radius in RADII {
        for (q, v) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            starts.push(State {
                position: vec![q * radius * deflection; n],
                velocity: vec![v * radius * deflection * omega; n],
                memory: Vec::new(),
            });
        }
    }
    starts
}

/// A length and a frequency that belong to the system: what its largest load, friction included, deflects the springs or,
/// where those are soft, moves the masses (m, rad/s).
pub(super) fn reference(system: &System) -> (f64, f64) {
    let largest = |x: &[f64]| x.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let (mass, stiffness) = (system.mass.norm(), system.stiffness.norm());
    let own = (stiffness / mass).sqrt();
    let omega = system.harmonics.first().map_or(own, |harmonic| harmonic.omega);
    let omega = if omega > 0.0 { omega } else { 1.0 };
    let force = system.harmonics.iter().map(|h| largest(&h.amplitude)).fold(0.0, f64::max)
        + largest(&system.constant)
        + system.contacts.iter().map(|e| e.load * bound(e) * largest(&e.direction)).fold(0.0, f64::max);
    let belt = system.contacts.iter().map(|e| e.belt.abs()).fold(0.0, f64::max);
    let deflection = (force / stiffness.max(mass * omega * omega)).max(belt / omega);
    (if deflection > 0.0 { deflection } else { 1.0 }, omega)
}

fn bound(contact: &crate::system::Contact) -> f64 {
    use crate::law::Law;
    contact.friction.law.bound()
}

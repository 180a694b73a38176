//! How fast a system is, how large its motions are, and beyond what they are unbounded.

use super::super::evaluated_elements::EvaluatedElements;
use super::super::inertia::Inertia;
use super::super::{System, Threshold};
use crate::law::Law;
use crate::math::dense::Matrix;

/// A motion so many times larger than the problem is unbounded; a resonance of a century does not reach it.
const DIVERGED: f64 = 1e40;

/// Rate of the undamped system, and a bound on all rates without the slopes of the laws (1/s).
pub(super) fn rates(system: &System, inertia: &Inertia, elements: Option<&EvaluatedElements>) -> [f64; 2] {
    let n = system.n();
    let columns = |matrix: &Matrix| {
        let mut product = matrix.clone();
        for j in 0..n {
            let mut column: Vec<f64> = (0..n).map(|i| matrix.at(i, j)).collect();
            inertia.solve(&mut column);
            (0..n).for_each(|i| *product.at_mut(i, j) = column[i]);
        }
        product.norm()
    };
    let Some(elements) = elements else {
        let oscillation = columns(&system.stiffness).sqrt();
        return [oscillation, columns(&system.damping) + oscillation];
    };
    let f = &elements.feedback;
    let (mut stiffness, mut damping) = (system.stiffness.clone(), system.damping.clone());
    stiffness.data.iter_mut().zip(&f.f_position.data).for_each(|(k, f)| *k -= f);
    damping.data.iter_mut().zip(&f.f_velocity.data).for_each(|(c, f)| *c -= f);
    // springs that stiffen; limits only ever weaken feedback
    let stiffens = |threshold: &&Threshold| threshold.stiffness().is_some_and(|k| k > 0.0);
    for threshold in system.elements.thresholds.iter().filter(stiffens) {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            *stiffness.at_mut(i, j) -= threshold.force[i] * threshold.by_position[j];
        }
    }
    let oscillation = columns(&stiffness).sqrt();
    [oscillation, columns(&damping) + oscillation + f.a.norm()]
}

/// A position (m) and a velocity (m/s) beyond every scale of a problem of these sizes.
pub(super) fn beyond(sizes: [f64; 2]) -> [f64; 2] {
    // a problem without a scale of its own has no limit
    sizes.map(|size| if size > 0.0 { DIVERGED * size } else { f64::INFINITY })
}

/// The limits of [`Dynamics::limits`] without the rest; `None` where [`Dynamics::new`] gives none.
pub(crate) fn limits(system: &System) -> Option<[f64; 2]> {
    if !system.has_matching_sizes() {
        return None;
    }
    let inertia = Inertia::new(&system.mass)?;
    let [_, rate] = rates(system, &inertia, EvaluatedElements::new(system).as_deref());
    Some(beyond(sizes(system, &inertia, rate)))
}

/// See [`Dynamics::sizes`].
pub(super) fn sizes(system: &System, inertia: &Inertia, base_rate: f64) -> [f64; 2] {
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |size, x| size.max(x.abs()));
    let (mut force, mut acceleration) = (vec![0.0; system.n()], 0.0);
    let mut add = |force: &mut Vec<f64>| {
        inertia.solve(force);
        acceleration += largest(force);
    };
    for own in std::iter::once(&system.constant).chain(system.harmonics.iter().map(|own| &own.amplitude)) {
        force.copy_from_slice(own);
        add(&mut force);
    }
    system.elements.sizes(system).into_iter().for_each(|mut force| add(&mut force));
    for contact in &system.contacts {
        let size = contact.load * contact.friction.law.bound();
        force.iter_mut().zip(&contact.direction).for_each(|(force, w)| *force = w * size);
        add(&mut force);
    }
    for (matrix, state) in [(&system.stiffness, &system.position), (&system.damping, &system.velocity)] {
        force.fill(0.0);
        matrix.add_product(1.0, state, &mut force);
        add(&mut force);
    }
    let rate = system.harmonics.iter().map(|harmonic| harmonic.omega).fold(base_rate, f64::max);
    let belts = system.contacts.iter().enumerate().map(|(i, contact)| {
        // a contact between prescribed motions moves nothing
        let width = largest(&contact.direction);
        let belt = contact.belt.abs() + system.elements.belt_size(i);
        if width > 0.0 { belt / width } else { belt }
    });
    // without a rate a force has no limit
    let reached = |x: f64| if x == 0.0 { 0.0 } else { x / rate };
    let velocity = belts.fold(largest(&system.velocity), f64::max).max(reached(acceleration));
    [largest(&system.position).max(reached(velocity)), velocity]
}

//! The linear systems between which a response with dry friction lies: contacts that hold for good, and no
//! contacts at all.
//!
//! ```text
//!   free:   (K − ω²M + iωC) q = F          stuck:  the same with Wᵀq = 0
//! ```

use crate::math::complex::{Complex, complex};
use crate::math::dense::dot;
use crate::math::lu::Lu;
use crate::system::{System, natural_modes};

/// Part of a direction that is left of it below which it depends on the others.
const DEPENDENT: f64 = 1e-10;

/// Amplitude of a degree of freedom under the harmonic loads of the linear system in which the contacts hold
/// (`stuck`) or are absent. None where there is more than one frequency, more than symmetric matrices and
/// contacts, or no such motion (m).
pub fn linear_amplitude(system: &System, dof: usize, stuck: bool) -> Option<f64> {
    let (n, first) = (system.n(), system.harmonics.first()?);
    let omega = first.omega;
    if dof >= n || system.is_general() || system.harmonics.iter().any(|harmonic| harmonic.omega != omega) {
        return None;
    }
    let mut constraints: Vec<Vec<f64>> = Vec::new();
    for contact in system.contacts.iter().filter(|_| stuck) {
        if contact.friction.law.sliders().is_some() {
            // held by springs
            return None;
        }
        // what of the direction the others leave
        let mut rest = contact.direction.clone();
        let size = dot(&rest, &rest).sqrt();
        for w in &constraints {
            let part = dot(w, &rest);
            rest.iter_mut().zip(w).for_each(|(r, w)| *r -= part * w);
        }
        let left = dot(&rest, &rest).sqrt();
        if left > DEPENDENT * size {
            constraints.push(rest.iter().map(|r| r / left).collect());
        }
    }
    let size = n + constraints.len();
    let mut lu = Lu::<Complex>::new(size);
    for i in 0..n {
        for j in 0..n {
            let re = system.stiffness.at(i, j) - omega * omega * system.mass.at(i, j);
            lu.a[i * size + j] = complex(re, omega * system.damping.at(i, j));
        }
        for (k, w) in constraints.iter().enumerate() {
            lu.a[i * size + n + k] = complex(w[i], 0.0);
            lu.a[(n + k) * size + i] = complex(w[i], 0.0);
        }
    }
    let mut x = vec![complex(0.0, 0.0); size];
    for harmonic in &system.harmonics {
        let (sin, cos) = libm::sincos(harmonic.phase);
        for (x, a) in x.iter_mut().zip(&harmonic.amplitude) {
            *x = *x + complex(a * cos, a * sin);
        }
    }
    if !lu.factor() {
        return None;
    }
    lu.solve(&mut x);
    Some(x[dof].modulus()).filter(|amplitude| amplitude.is_finite())
}

/// Times the stiffness of the system, that of springs which stand for contacts that hold: it moves
/// frequencies by about its inverse.
const RIGID_SPRING: f64 = 1e6;

/// Natural frequencies of the undamped linear systems in which the contacts are absent, and in which they
/// hold, springs with sliders by their springs: next to them a response may have a peak that is narrower than
/// the distance of its points. None of systems with more than symmetric matrices and contacts, or of one
/// degree of freedom, whose points all see its resonance (rad/s).
pub fn linear_resonances(system: &System) -> Vec<f64> {
    let is_symmetric = system.stiffness.asymmetry().is_none() && system.mass.asymmetry().is_none();
    if system.n() < 2 || system.is_general() || !is_symmetric {
        return Vec::new();
    }
    let mut held = system.stiffness.clone();
    for contact in &system.contacts {
        let springs = contact.friction.law.sliders();
        let square = dot(&contact.direction, &contact.direction).max(f64::MIN_POSITIVE);
        let spring = springs.map_or(RIGID_SPRING * system.stiffness.norm() / square, |springs| {
            contact.load * springs.iter().map(|spring| spring.stiffness).sum::<f64>()
        });
        for (i, a) in contact.direction.iter().enumerate() {
            contact.direction.iter().enumerate().for_each(|(j, b)| *held.at_mut(i, j) += spring * a * b);
        }
    }
    let squares = [&system.stiffness, &held].map(|stiffness| natural_modes(&system.mass, stiffness));
    let mut all: Vec<f64> = squares.into_iter().flatten().flat_map(|(_, squares)| squares).collect();
    all.iter_mut().for_each(|square| *square = square.max(0.0).sqrt());
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Coulomb, Friction, FrictionLaw};
    use crate::math::Matrix;
    use crate::system::{Contact, ForceElements, Harmonic};

    fn coulomb() -> Friction {
        FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: None }).into()
    }

    /// m ü + c u̇ + k u = P sin ωt.
    #[test]
    fn without_friction_it_is_the_resonance_curve() {
        let (m, c, k) = (1.3, 0.2, 4.0);
        for omega in [0.3, 1.7, 5.0] {
            let system = System::oscillator(m, c, k).with_friction(coulomb()).with_force(2.0, omega);
            let stiff = k - m * omega * omega;
            let expected = 2.0 / (stiff * stiff + c * c * omega * omega).sqrt();
            let free = linear_amplitude(&system, 0, false).unwrap();
            assert!((free - expected).abs() < 1e-14 * expected);
            assert!(linear_amplitude(&system, 0, true).unwrap() < 1e-15);
        }
    }

    /// Two masses, the second held: the first on the springs beside it.
    #[test]
    fn contacts_that_hold_leave_the_others_to_move() {
        let mut stiffness = Matrix::diagonal(&[5.0, 5.0]);
        *stiffness.at_mut(0, 1) = -3.0;
        *stiffness.at_mut(1, 0) = -3.0;
        let contact = |direction: [f64; 2]| Contact {
            friction: coulomb(),
            load: 1.0,
            direction: direction.to_vec(),
            belt: 0.0,
        };
        let mut system = System {
            mass: Matrix::diagonal(&[1.0, 2.0]),
            damping: Matrix::diagonal(&[0.1, 0.0]),
            stiffness,
            contacts: vec![contact([0.0, 1.0]), contact([0.0, -2.0])],
            constant: vec![0.0; 2],
            harmonics: vec![Harmonic { amplitude: vec![1.0, 0.5], omega: 2.0, phase: 0.3 }],
            position: vec![0.0; 2],
            velocity: vec![0.0; 2],
            elements: ForceElements::default(),
        };
        let expected = 1.0 / (1.0f64 + 0.04).sqrt();
        assert!((linear_amplitude(&system, 0, true).unwrap() - expected).abs() < 1e-14);
        assert!(linear_amplitude(&system, 1, true).unwrap() < 1e-15);
        // they move together: (5 − 3) · 2 q = 1.5 less inertia and damping
        system.contacts = vec![contact([1.0, -1.0])];
        let expected = 1.5 / ((4.0f64 - 3.0 * 4.0).powi(2) + 0.04).sqrt();
        assert!((linear_amplitude(&system, 1, true).unwrap() - expected).abs() < 1e-14);
        system.harmonics.push(Harmonic { amplitude: vec![1.0, 0.0], omega: 3.0, phase: 0.0 });
        assert_eq!(linear_amplitude(&system, 0, false), None);
    }
}

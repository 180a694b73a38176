//! Springs whose force is a polynomial of their elongation.
//!
//! ```text
//!   u = w·q + moves(t),   forces −= w (c₁ u + c₂ u² + c₃ u³ + …)
//! ```
//!
//! Smooth, with the potential c₁ u²/2 + c₂ u³/3 + …; no phase of the motion is linear, so that only steps in
//! time carry it.

use crate::Faults;
use crate::math::dense::dot;
use crate::system::Signal;

/// A polynomial spring along a direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvedSpring {
    /// Direction w (-).
    pub direction: Vec<f64>,
    /// c₁, c₂, …: the force against the motion, by rising powers of the elongation (N/m, N/m², …).
    pub coefficients: Vec<f64>,
    /// What time adds to the elongation (m).
    pub moves: Signal,
}

impl CurvedSpring {
    pub(super) fn check(&self, faults: &mut Faults) {
        self.coefficients.iter().for_each(|c| _ = faults.finite("polynomial", *c));
        self.moves.check(faults);
    }

    /// Force against the motion (N), and stiffness (N/m), in a position with its ends moved by `moved`.
    pub(super) fn force_and_stiffness(&self, q: &[f64], moved: f64) -> [f64; 2] {
        let u = dot(&self.direction, q) + moved;
        // Horner's rule for c₁ + c₂ u + …, and for its derivative
        let [value, slope] = self
            .coefficients
            .iter()
            .rev()
            .fold([0.0, 0.0], |[value, slope], c| [value * u + c, slope * u + value]);
        [value * u, value + slope * u]
    }

    /// Potential energy in a position at `t` (J).
    pub(super) fn potential(&self, t: f64, q: &[f64]) -> f64 {
        let u = dot(&self.direction, q) + self.moves.at(t);
        let powers = self.coefficients.iter().enumerate().rev();
        u * u * powers.fold(0.0, |sum, (k, c)| sum * u + c / (k + 2) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_stiffness_and_potential_are_one_polynomial() {
        let spring = CurvedSpring {
            direction: vec![2.0, -1.0],
            coefficients: vec![3.0, -0.5, 0.25, 0.125],
            moves: 0.1.into(),
        };
        for q in [[0.0, 0.0], [0.3, -0.7], [-1.2, 0.4], [2.0, 1.0]] {
            let u: f64 = 2.0 * q[0] - q[1] + 0.1;
            let force = 3.0 * u - 0.5 * u.powi(2) + 0.25 * u.powi(3) + 0.125 * u.powi(4);
            let stiffness = 3.0 - u + 0.75 * u.powi(2) + 0.5 * u.powi(3);
            let potential = 1.5 * u.powi(2) - u.powi(3) / 6.0 + u.powi(4) / 16.0 + u.powi(5) / 40.0;
            let [f, k] = spring.force_and_stiffness(&q, 0.1);
            for (a, b) in [(f, force), (k, stiffness), (spring.potential(0.0, &q), potential)] {
                assert!((a - b).abs() <= 1e-14 * b.abs().max(1.0), "{a} {b}");
            }
        }
    }
}

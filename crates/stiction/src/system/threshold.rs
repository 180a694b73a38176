//! Thresholds: what a quantity exceeds them by acts: the corner of a spring, the limit of a controller.
//!
//! ```text
//!   u = a·q + b·q̇ + c·x + d·r(t),   forces += f max(0, u − at),   ẋ += g max(0, u − at)
//! ```
//!
//! Continuous, and linear on both sides of the threshold.

use crate::Faults;
use crate::math::dense::dot;

/// Forces and rates in proportion to what a quantity exceeds a threshold by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Threshold {
    /// a: what positions add to the quantity.
    pub by_position: Vec<f64>,
    /// b: what velocities add to it.
    pub by_velocity: Vec<f64>,
    /// c: what the states of feedback add to it.
    pub by_state: Vec<f64>,
    /// d: what the inputs of feedback add to it.
    pub by_input: Vec<f64>,
    /// The threshold, in the unit of the quantity.
    pub at: f64,
    /// f: force on each degree of freedom, per unit of the excess.
    pub force: Vec<f64>,
    /// g: rate of each state of feedback, per unit of the excess.
    pub rate: Vec<f64>,
}

impl Threshold {
    /// A stiffness (N/m) that begins where direction · q exceeds a position (m); one that ends if it is
    /// negative.
    pub fn corner(direction: &[f64], position: f64, stiffness: f64) -> Self {
        Self {
            by_position: direction.to_vec(),
            by_velocity: vec![0.0; direction.len()],
            at: position,
            force: direction.iter().map(|w| -stiffness * w).collect(),
            ..Self::default()
        }
    }

    /// k if the force is that of a spring, −k a max(0, a·q − at).
    pub(crate) fn stiffness(&self) -> Option<f64> {
        let others = [&self.by_velocity, &self.by_state, &self.by_input, &self.rate];
        if others.iter().any(|others| others.iter().any(|x| *x != 0.0)) {
            return None;
        }
        let size = dot(&self.by_position, &self.by_position);
        let k = -dot(&self.force, &self.by_position) / size;
        let is_along =
            self.force.iter().zip(&self.by_position).all(|(f, a)| (f + k * a).abs() <= ALONG * f.abs());
        (k.is_finite() && is_along).then_some(k)
    }

    /// Potential energy in a position (J); zero unless it is a spring.
    pub(crate) fn potential(&self, q: &[f64]) -> f64 {
        let excess = (dot(&self.by_position, q) - self.at).max(0.0);
        if excess == 0.0 { 0.0 } else { 0.5 * self.stiffness().unwrap_or(0.0) * excess * excess }
    }

    /// Whether all vectors belong to `n` degrees of freedom, and `p` states and `r` inputs of feedback.
    pub(super) fn has_matching_sizes(&self, [n, p, r]: [usize; 3]) -> bool {
        let none_or = |list: &[f64], length: usize| list.is_empty() || list.len() == length;
        [&self.by_position, &self.by_velocity, &self.force].iter().all(|list| list.len() == n)
            && none_or(&self.by_state, p)
            && none_or(&self.rate, p)
            && none_or(&self.by_input, r)
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        faults.finite("at", self.at);
        let lists = [
            ("by_position", &self.by_position),
            ("by_velocity", &self.by_velocity),
            ("by_state", &self.by_state),
            ("by_input", &self.by_input),
            ("force", &self.force),
            ("rate", &self.rate),
        ];
        for (key, list) in lists {
            list.iter().for_each(|x| _ = faults.finite(key, *x));
        }
    }
}

/// Part of a force that the rounding of its direction may be.
const ALONG: f64 = 1e-12;

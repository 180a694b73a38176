//! A problem with a known solution, for the tests of the kernels.

use super::problem::Ode;

/// A nonlinear, time-dependent problem whose solution is (sin t + 2, cos 2t).
///
/// ẏ₁ = cos t · y₁/(sin t + 2) · e^{y₂ − cos 2t},   ẏ₂ = −2 sin 2t + (y₁ − sin t − 2)(1 + y₂)
pub(crate) struct Twisted;

impl Twisted {
    pub fn exact(t: f64) -> [f64; 2] {
        [libm::sin(t) + 2.0, libm::cos(2.0 * t)]
    }

    /// Largest deviation of `y` from the solution.
    pub fn distance(t: f64, y: &[f64]) -> f64 {
        let [a, b] = Self::exact(t);
        (y[0] - a).abs().max((y[1] - b).abs())
    }
}

impl Ode for Twisted {
    fn n(&self) -> usize {
        2
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let [a, b] = Self::exact(t);
        dy[0] = libm::cos(t) * y[0] / a * libm::exp(y[1] - b);
        dy[1] = -2.0 * libm::sin(2.0 * t) + (y[0] - a) * (1.0 + y[1]);
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        let [a, b] = Self::exact(t);
        let e = libm::cos(t) / a * libm::exp(y[1] - b);
        jac.copy_from_slice(&[e, e * y[0], 1.0 + y[1], y[0] - a]);
    }

    fn stiffness(&mut self, _t: f64, _y: &[f64]) -> f64 {
        2.0
    }
}

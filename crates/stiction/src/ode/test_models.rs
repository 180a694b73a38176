//! A problem with a known solution, for the tests of the kernels.

use super::problem::Ode;

/// A nonlinear, time-dependent problem whose solution is (sin t + 2, cos 2t).
///
/// ẏ₁ = cos t · y₁/(sin t + 2) · e^{y₂ − cos 2t},   ẏ₂ = −2 sin 2t + (y₁ − sin t − 2)(1 + y₂)
pub(crate) struct Twisted;

/// Where interpolants are judged.
const THETAS: [f64; 3] = [0.2, 0.5, 0.8];

/// Places inside a step, and the states there.
pub(crate) type Inside = [(f64, [f64; 2]); 3];

impl Twisted {
    pub fn exact(t: f64) -> [f64; 2] {
        [libm::sin(t) + 2.0, libm::cos(2.0 * t)]
    }

    /// Largest errors of a method at the ends of `n` equal steps over [0, 8], and inside them:
    /// `step(ode, t, h, y, inside)` takes `y` one step further and writes what its interpolant gives at the
    /// thetas.
    pub fn errors(
        n: usize,
        mut step: impl FnMut(&mut Self, f64, f64, &mut [f64; 2], &mut Inside),
    ) -> [f64; 2] {
        let (mut y, h, mut worst) = (Self::exact(0.0), 8.0 / n as f64, [0.0; 2]);
        for i in 0..n {
            let t = i as f64 * h;
            let mut inside = THETAS.map(|theta| (theta, [0.0; 2]));
            step(&mut Self, t, h, &mut y, &mut inside);
            for (theta, y) in &inside {
                worst[1] = f64::max(worst[1], Self::distance(t + theta * h, y));
            }
            worst[0] = f64::max(worst[0], Self::distance(t + h, &y));
        }
        worst
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

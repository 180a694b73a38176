//! A forced oscillator with a ramp of friction.
//!
//! ```text
//!   ü + c u̇ + k u + μ clamp(u̇/Δ, −1, 1) = P sin t
//! ```

use stiction::ode::Ode;

/// Damping, stiffness and amplitude of the force.
pub const C: f64 = 0.1;
pub const K: f64 = 1.0;
pub const P: f64 = 4.0;

/// The oscillator with a friction force μ and a ramp of half-width Δ.
#[derive(Clone, Copy, Debug)]
pub struct Kinked {
    pub mu: f64,
    pub width: f64,
}

impl Ode for Kinked {
    fn n(&self) -> usize {
        2
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let friction = self.mu * (y[1] / self.width).clamp(-1.0, 1.0);
        dy[0] = y[1];
        dy[1] = P * libm::sin(t) - C * y[1] - K * y[0] - friction;
    }

    fn jacobian(&mut self, _t: f64, y: &[f64], jac: &mut [f64]) {
        let slope = if y[1].abs() < self.width { self.mu / self.width } else { 0.0 };
        jac.copy_from_slice(&[0.0, 1.0, -K, -C - slope]);
    }

    fn n_guards(&self) -> usize {
        2
    }

    fn guards(&mut self, _t: f64, y: &[f64], out: &mut [f64]) {
        out[0] = y[1] - self.width;
        out[1] = y[1] + self.width;
    }

    fn stiffness(&mut self, _t: f64, y: &[f64]) -> f64 {
        let slope = if y[1].abs() < self.width { self.mu / self.width } else { 0.0 };
        C + slope + 1.0
    }
}

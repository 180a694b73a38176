//! The solution of the kinked oscillator, phase by phase in closed form.
//!
//! Inside the ramp and on either side of it the equation is linear with constant coefficients; the solution
//! is a sum of two exponentials, or a damped sinusoid, and a forced part. A phase ends at the first time at
//! which
//! |u̇| = Δ, found by a scan and bisection of the closed form. Nothing is integrated.

use crate::kinked::{C, K, Kinked, P};

/// The part of the solution between two kinks: ü + d u̇ + K u + q = P sin t from (t, u, v).
#[derive(Clone, Copy)]
struct Phase {
    t: f64,
    d: f64,
    q: f64,
    /// Side of the ramp: −1, 0 (inside), 1.
    side: i8,
    /// Homogeneous part at the phase's start.
    u: f64,
    v: f64,
}

impl Phase {
    fn new(ode: Kinked, side: i8, t: f64, u: f64, v: f64) -> Self {
        let (d, q) = match side {
            0 => (C + ode.mu / ode.width, 0.0),
            _ => (C, f64::from(side) * ode.mu),
        };
        let mut phase = Self { t, d, q, side, u: 0.0, v: 0.0 };
        let [up, vp] = phase.forced(t);
        phase.u = u - up;
        phase.v = v - vp;
        phase
    }

    /// Particular solution A sin t + B cos t − q/K.
    fn forced(&self, t: f64) -> [f64; 2] {
        let det = (K - 1.0) * (K - 1.0) + self.d * self.d;
        let (a, b) = (P * (K - 1.0) / det, -P * self.d / det);
        let (sin, cos) = (libm::sin(t), libm::cos(t));
        [a * sin + b * cos - self.q / K, a * cos - b * sin]
    }

    fn state(&self, t: f64) -> [f64; 2] {
        let s = t - self.t;
        let (u0, v0) = (self.u, self.v);
        let half = 0.5 * self.d;
        let disc = half * half - K;
        let [uh, vh] = if disc > 0.0 {
            // r1 r2 = K avoids the cancellation in the slow root
            let fast = -half - disc.sqrt();
            let slow = K / fast;
            let (b, a) = ((v0 - slow * u0) / (fast - slow), (v0 - fast * u0) / (slow - fast));
            let (es, ef) = (a * libm::exp(slow * s), b * libm::exp(fast * s));
            [es + ef, slow * es + fast * ef]
        } else {
            let w = (-disc).sqrt();
            let (sin, cos, e) = (libm::sin(w * s), libm::cos(w * s), libm::exp(-half * s));
            [e * (u0 * cos + (v0 + half * u0) / w * sin), e * (v0 * cos - (K * u0 + half * v0) / w * sin)]
        };
        let [up, vp] = self.forced(t);
        [uh + up, vh + vp]
    }

    /// Distance from leaving: positive while the phase lasts.
    fn margin(&self, width: f64, t: f64) -> f64 {
        let v = self.state(t)[1];
        match self.side {
            0 => width - v.abs(),
            side => f64::from(side) * v - width,
        }
    }
}

/// The exact solution that starts at rest at t = 0.
pub struct Phases {
    ode: Kinked,
}

impl Phases {
    pub fn new(ode: Kinked) -> Self {
        Self { ode }
    }

    /// State at `t_end`, and the number of kinks until then.
    pub fn state(&self, t_end: f64) -> ([f64; 2], u64) {
        let width = self.ode.width;
        let mut n_kinks = 0;
        let mut phase = Phase::new(self.ode, 0, 0.0, 0.0, 0.0);
        loop {
            match self.end(&phase, t_end) {
                None => return (phase.state(t_end), n_kinks),
                Some(t) => {
                    n_kinks += 1;
                    let [u, v] = phase.state(t);
                    let side = if phase.side != 0 { 0 } else { v.signum() as i8 };
                    phase = Phase::new(self.ode, side, t, u, v.signum() * width);
                }
            }
        }
    }

    /// When the phase ends, if it does before `t_end`.
    fn end(&self, phase: &Phase, t_end: f64) -> Option<f64> {
        // fine steps at first, for a phase may be as short as its fastest decay
        let (mut last, mut step) = (phase.t, 1e-3 * self.ode.width.min(0.1));
        let mut has_left = false;
        while last < t_end {
            let t = (last + step).min(t_end);
            let margin = phase.margin(self.ode.width, t);
            // the phase starts on its own border
            if has_left && margin < 0.0 {
                let (mut a, mut b) = (last, t);
                while b - a > 0.0 {
                    let middle = 0.5 * (a + b);
                    if middle <= a || middle >= b {
                        break;
                    }
                    if phase.margin(self.ode.width, middle) < 0.0 { b = middle } else { a = middle }
                }
                return Some(b);
            }
            has_left |= margin > 0.0;
            last = t;
            step = (1.05 * step).min(2e-4);
        }
        None
    }
}

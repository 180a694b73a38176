//! Friction that weakens with speed (@stribeck1902; forms after @armstrong1994).
//!
//! ```text
//!   φ(v) = (μ + (μs − μ) w(|v|/vs)) tanh(v/Δ)
//!   w(x) = exp(−x)  |  exp(−x²)  |  1/(1 + x)
//! ```
//!
//! Odd, C¹; the exponential and the hyperbolic form have a jump in curvature at zero. From μs near zero velocity to μ for
//! |v| ≫ vs. The falling branch drives self-excited vibration; near rest the law creeps as tanh does.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/stribeck.svg"))]

use super::coulomb::check_static;
use super::tanh::sech2;
use super::{Law, Slip, share_speed};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// How friction falls from the static to the kinetic value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Weakening {
    /// exp(−|v|/vs).
    Exponential,
    /// exp(−(v/vs)²).
    #[default]
    Gaussian,
    /// 1/(1 + |v|/vs).
    Hyperbolic,
}

/// Friction that falls from a static to a kinetic value as the speed grows.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Stribeck {
    /// Kinetic friction coefficient μ, reached at high speed (-).
    pub mu: f64,
    /// Static friction coefficient μs ≥ μ (-).
    pub mu_static: f64,
    /// Stribeck velocity vs (m/s).
    pub velocity: f64,
    /// Velocity Δ of the tanh transition through zero (m/s).
    pub width: f64,
    /// How friction falls between the two.
    #[cfg_attr(feature = "serde", serde(default))]
    pub weakening: Weakening,
}

impl Stribeck {
    pub(super) fn examples() -> Vec<Self> {
        let gaussian =
            Self { mu: 0.3, mu_static: 0.5, velocity: 0.2, width: 0.01, weakening: Weakening::Gaussian };
        let exponential = Self { weakening: Weakening::Exponential, ..gaussian.clone() };
        let hyperbolic = Self {
            mu: 0.0,
            mu_static: 1.0,
            velocity: 1.0 / 3.0,
            width: 0.1,
            weakening: Weakening::Hyperbolic,
        };
        vec![gaussian, exponential, hyperbolic]
    }

    /// w and dw/dx at x = |v|/vs.
    #[inline]
    fn weakening(&self, x: f64) -> (f64, f64) {
        match self.weakening {
            Weakening::Exponential => {
                let w = libm::exp(-x);
                (w, -w)
            }
            Weakening::Gaussian => {
                let w = libm::exp(-x * x);
                (w, -2.0 * x * w)
            }
            Weakening::Hyperbolic => {
                let w = 1.0 / (1.0 + x);
                (w, -w * w)
            }
        }
    }
}

impl Law for Stribeck {
    fn check(&self, faults: &mut Faults) {
        let good = faults.not_negative("mu", self.mu);
        check_static(faults, good, self.mu, Some(self.mu_static));
        faults.positive("velocity", self.velocity);
        faults.positive("width", self.width);
    }
    #[inline]
    fn coefficient(&self, Slip { v, .. }: Slip) -> f64 {
        let (w, _) = self.weakening(v.abs() / self.velocity);
        (self.mu + (self.mu_static - self.mu) * w) * libm::tanh(v / self.width)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        let (w, dw) = self.weakening(v.abs() / self.velocity);
        let excess = self.mu_static - self.mu;
        let speed = v.abs() / self.width;
        (self.mu + excess * w) / self.width * sech2(speed) + excess * dw / self.velocity * libm::tanh(speed)
    }
    fn steepest(&self) -> f64 {
        (self.mu_static / self.width).max((self.mu_static - self.mu) / self.velocity)
    }
    fn bound(&self) -> f64 {
        self.mu_static
    }
    fn stick_speed(&self) -> Option<f64> {
        Some(share_speed(self, self.width))
    }
    fn transition(&self) -> Option<f64> {
        Some(self.width)
    }
    fn reach(&self) -> Option<f64> {
        Some(4.0 * self.velocity + 4.0 * self.width)
    }
    fn breakpoints(&self) -> Vec<f64> {
        if self.weakening == Weakening::Gaussian { Vec::new() } else { vec![0.0] }
    }
}

//! Smooth friction by an algebraic function (@recipe2000).
//!
//! ```text
//!   φ(v) = μ x/√(1 + x²),   x = v/Δ
//! ```
//!
//! Odd, infinitely smooth, never quite μ; tends to Coulomb as Δ → 0.
//! Creeps under load: a demand d < μ is held at v = Δ d/√(μ² − d²).
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/algebraic.svg"))]

use super::{Law, Slip, share_speed};
use crate::Faults;

/// Smooth friction by an algebraic function.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields)
)]
pub struct Algebraic {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Velocity Δ at which 71 % of μ is reached (m/s).
    pub width: f64,
}

impl Algebraic {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.6, width: 0.8 }, Self { mu: 0.3, width: 0.01 }]
    }
}

impl Law for Algebraic {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("width", self.width);
    }
    #[inline]
    fn coefficient(&self, Slip { v, .. }: Slip) -> f64 {
        // x/√(1 + x²) without overflow
        self.mu * v / libm::hypot(self.width, v)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        let cosine = self.width / libm::hypot(self.width, v);
        self.mu / self.width * cosine * cosine * cosine
    }
    fn steepest(&self) -> f64 {
        self.mu / self.width
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    fn stick_speed(&self) -> Option<f64> {
        Some(share_speed(self, self.width))
    }
    fn transition(&self) -> Option<f64> {
        Some(self.width)
    }
}

//! Smooth friction by a hyperbolic tangent.
//!
//! ```text
//!   φ(v) = μ tanh(v/Δ)
//! ```
//!
//! Odd, infinitely smooth, never quite μ; tends to Coulomb as Δ → 0.
//! Creeps under load: a demand d < μ is held at v = Δ atanh(d/μ).
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/tanh.svg"))]

use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::{Law, Scales, Slip, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Smooth friction by a hyperbolic tangent.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Tanh {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Velocity Δ at which 76 % of μ is reached (m/s).
    pub width: f64,
}

impl Tanh {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.6, width: 0.8 }, Self { mu: 0.3, width: 0.001 }]
    }
}

/// The derivative of tanh, without cancellation for large arguments.
#[inline]
pub(super) fn sech2(x: f64) -> f64 {
    // 4 e/(1 + e)² with e = exp(−2|x|)
    let e = libm::exp(-2.0 * x.abs());
    4.0 * e / ((1.0 + e) * (1.0 + e))
}

impl Law for Tanh {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("width", self.width);
    }
    #[inline]
    fn coefficient(&self, Slip { v, .. }: Slip) -> f64 {
        self.mu * libm::tanh(v / self.width)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        self.mu / self.width * sech2(v / self.width)
    }
    fn scales(&self) -> Scales {
        Scales {
            steepest: Some(self.mu / self.width),
            stick: StickCriterion::Share { width: self.width },
            transition: Some(self.width),
            ..Scales::default()
        }
    }
    fn bound(&self) -> f64 {
        self.mu
    }
}

impl StandsIn for Tanh {
    fn standing_in(limit: &FallingLimit, width: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, width })
    }
}

//! Quinn's regularisation of Coulomb's law, which depends on the force to be balanced (@quinn2004, restated by @paper-e).
//!
//! ```text
//!   φ(v, d) = μ clamp(v/ε + ξ, −1, 1),   ξ = clamp(d/μ, −1, 1)
//! ```
//!
//! d is the demand: the coefficient that would make the acceleration along the contact zero. Continuous in (v, d) for
//! ε > 0; tends to Coulomb as ε → 0. At v = 0 it *is* Coulomb's law: it supplies any demand up to μ, so a body at rest
//! stays at rest instead of creeping, and a slow one comes to rest exponentially.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/quinn.svg"))]

use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::{FrictionBounds, Law, Scales, Slip, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Quinn's regularisation of Coulomb friction: it depends on the force to be balanced, and therefore sticks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Quinn {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Half-width ε of the transition; an unloaded body comes to rest in a time of about ε m/(μN) (m/s).
    pub width: f64,
}

impl Quinn {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.0, width: 0.02 }, Self { mu: 0.3, width: 1.5 }]
    }

    /// ξ, the share of μ that is demanded; none without friction.
    #[inline]
    fn share(&self, demand: f64) -> f64 {
        if self.mu > 0.0 { (demand / self.mu).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

impl Law for Quinn {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("width", self.width);
    }
    #[inline]
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        let xi = self.share(demand);
        self.mu * (v / self.width + xi).clamp(-1.0, 1.0)
    }
    #[inline]
    fn slope(&self, Slip { v, demand, .. }: Slip) -> f64 {
        let xi = self.share(demand);
        if (v / self.width + xi).abs() < 1.0 { self.mu / self.width } else { 0.0 }
    }
    fn scales(&self) -> Scales {
        Scales {
            steepest: Some(self.mu / self.width),
            stick: StickCriterion::Speed(self.width),
            transition: Some(self.width),
            ..Scales::default()
        }
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    #[inline]
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        // clamp(s + clamp(ξ, −1, 1), −1, 1) = clamp(s + ξ, max(−1, s − 1), min(1, s + 1)) once |s| ≤ 2
        let s = (v / self.width).clamp(-2.0, 2.0);
        Some(FrictionBounds {
            shift: self.mu * s,
            low: self.mu * (s - 1.0).max(-1.0),
            high: self.mu * (s + 1.0).min(1.0),
        })
    }
}

impl StandsIn for Quinn {
    fn standing_in(limit: &FallingLimit, width: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, width })
    }
}

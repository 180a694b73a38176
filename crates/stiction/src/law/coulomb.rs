//! Coulomb's law with static friction.
//!
//! ```text
//!   φ = μ sgn v           v ≠ 0
//!   φ ∈ [−μs, μs]         v = 0
//! ```
//!
//! Set-valued: at rest it takes whatever value the motion demands, up to μs ≥ μ. A time-stepping method cannot
//! integrate that; it would chatter or creep. An unknown `mu_static` equals `mu`.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/coulomb.svg"))]

use super::{FrictionBounds, Graph, Law, Scales, Slip, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Coulomb's law itself: set-valued at rest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Coulomb {
    /// Kinetic friction coefficient μ (-).
    pub mu: f64,
    /// Static friction coefficient μs ≥ μ; μ if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mu_static: Option<f64>,
}

impl Coulomb {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.6, mu_static: None }, Self { mu: 0.3, mu_static: Some(0.4) }]
    }

    /// μs (-).
    pub fn static_mu(&self) -> f64 {
        self.mu_static.unwrap_or(self.mu)
    }
}

/// Static friction is not below kinetic friction, whose own check was `good`.
pub(super) fn check_static(faults: &mut Faults, good: bool, mu: f64, mu_static: Option<f64>) {
    if let Some(mu_static) = mu_static
        && faults.not_negative("mu_static", mu_static)
        && good
    {
        faults.at_least("mu_static", mu_static, mu, "static friction is not below kinetic friction mu");
    }
}

impl Law for Coulomb {
    fn check(&self, faults: &mut Faults) {
        let good = faults.not_negative("mu", self.mu);
        check_static(faults, good, self.mu, self.mu_static);
    }
    #[inline]
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        if v == 0.0 { demand.clamp(-self.static_mu(), self.static_mu()) } else { self.mu.copysign(v) }
    }
    fn bound(&self) -> f64 {
        self.static_mu()
    }
    fn scales(&self) -> Scales {
        Scales { stick: StickCriterion::Speed(0.0), ..Scales::default() }
    }
    fn breakpoints(&self) -> Vec<f64> {
        vec![0.0]
    }
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        let (mu, mu_s) = (self.mu, self.static_mu());
        Some(vec![[0.0, -mu], [0.0, -mu_s], [0.0, mu_s], [0.0, mu]])
    }
    fn graph(&self) -> Graph {
        // without friction the graph is a line
        if self.static_mu() > 0.0 { Graph::SetValued } else { Graph::Continuous }
    }
    #[inline]
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        let mu_s = self.static_mu();
        (v == 0.0).then_some(FrictionBounds::symmetric(mu_s))
    }
}

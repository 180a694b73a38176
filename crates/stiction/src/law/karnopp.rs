//! Karnopp's dead zone (@karnopp1985).
//!
//! ```text
//!   φ = clamp(d, −μs, μs)   |v| < Δ
//!   φ = μ sgn v             |v| ≥ Δ
//! ```
//!
//! d is the demand. Inside the dead zone a body that can be held is held, and its velocity is set to zero, so it
//! sticks exactly; the price is a jump at |v| = Δ, which no error-controlled method can cross at full order.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/karnopp.svg"))]

use super::coulomb::check_static;
use super::{FrictionBounds, Graph, Law, Scales, Slip, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Karnopp's dead zone: inside it friction balances the applied force.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Karnopp {
    /// Kinetic friction coefficient μ (-).
    pub mu: f64,
    /// Static friction coefficient μs ≥ μ; μ if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mu_static: Option<f64>,
    /// Half-width Δ of the dead zone (m/s).
    pub width: f64,
}

impl Karnopp {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self { mu: 1.0, mu_static: None, width: 0.02 },
            Self { mu: 0.3, mu_static: Some(0.4), width: 0.001 },
        ]
    }

    fn static_mu(&self) -> f64 {
        self.mu_static.unwrap_or(self.mu)
    }
}

impl Law for Karnopp {
    fn check(&self, faults: &mut Faults) {
        let good = faults.not_negative("mu", self.mu);
        check_static(faults, good, self.mu, self.mu_static);
        faults.positive("width", self.width);
    }
    #[inline]
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        if v.abs() < self.width {
            demand.clamp(-self.static_mu(), self.static_mu())
        } else {
            self.mu.copysign(v)
        }
    }
    fn bound(&self) -> f64 {
        self.static_mu()
    }
    fn scales(&self) -> Scales {
        Scales { stick: StickCriterion::Speed(self.width), ..Scales::default() }
    }
    fn breakpoints(&self) -> Vec<f64> {
        vec![-self.width, self.width]
    }
    fn graph(&self) -> Graph {
        if self.static_mu() > 0.0 { Graph::Jump } else { Graph::Continuous }
    }
    #[inline]
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        let mu_s = self.static_mu();
        (v.abs() < self.width).then_some(FrictionBounds::symmetric(mu_s))
    }
}

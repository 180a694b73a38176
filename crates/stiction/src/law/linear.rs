//! Linear ramp (@martins1985; raised: @ragulskis2017).
//!
//! ```text
//!          ⎧ μ v/Δ      |v| ≤ Δ
//!   φ(v) = ⎨
//!          ⎩ μ sgn v    |v| > Δ
//! ```
//!
//! Odd, continuous, piecewise linear; tends to Coulomb as Δ → 0. With a `rise` the ramp goes on to μ + ha at
//! Δ + Δa and falls back to μ at Δ + 2Δa.
//! Creeps under load: a demand d < μ is held at v = Δ d/μ.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/linear.svg"))]

use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::transition::{Profiled, Ramp, RampProfile, ramp_law};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

ramp_law! {
    /// Coulomb friction with a linear ramp through zero.
    pub struct Linear {}
}

impl Ramp for Linear {
    #[inline]
    fn join(&self, w: f64, g: f64, x: f64) -> f64 {
        g * (x / w)
    }
    #[inline]
    fn join_slope(&self, w: f64, g: f64, _x: f64) -> f64 {
        g / w
    }
    fn is_straight(&self) -> bool {
        true
    }
}

impl Linear {
    pub(super) fn examples() -> Vec<Self> {
        let simple = Self { mu: 1.6, width: 0.8, rise: None, rise_height: None };
        let raised = Self { mu: 0.3, width: 0.02, rise: Some(0.05), rise_height: None };
        let low = Self { rise_height: Some(0.1), ..raised.clone() };
        vec![simple, raised, low]
    }
}

impl StandsIn for Linear {
    fn standing_in(limit: &FallingLimit, width: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, width, rise: None, rise_height: None })
    }
}

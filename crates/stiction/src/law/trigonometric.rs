//! Trigonometric transition (@ragulskis2017).
//!
//! ```text
//!          ⎧ μ sin(π v/2Δ)   |v| < Δ
//!   φ(v) = ⎨
//!          ⎩ μ sgn v         |v| ≥ Δ
//! ```
//!
//! Odd, C¹ (the curvature jumps at |v| = Δ); tends to Coulomb as Δ → 0. With a `rise` the arc goes on to μ + ha at
//! Δ + Δa and a second arc falls back to μ at Δ + 2Δa.
//! Creeps under load: a demand d < μ is held at v = (2Δ/π) asin(d/μ).
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/trigonometric.svg"))]

use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::transition::{Profiled, Ramp, RampProfile, ramp_law};
use std::f64::consts::FRAC_PI_2;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

ramp_law! {
    /// Coulomb friction with a sine arc through zero.
    pub struct Trigonometric {}
}

impl Ramp for Trigonometric {
    #[inline]
    fn join(&self, w: f64, g: f64, x: f64) -> f64 {
        g * libm::sin(FRAC_PI_2 * (x / w))
    }
    #[inline]
    fn join_slope(&self, w: f64, g: f64, x: f64) -> f64 {
        // cos of the angle as the sine of the rest of the quarter turn: no digits lost near the ends
        FRAC_PI_2 * g / w * libm::sin(FRAC_PI_2 * ((w - x.abs()) / w))
    }
}

impl Trigonometric {
    pub(super) fn examples() -> Vec<Self> {
        let simple = Self { mu: 1.6, width: 0.8, rise: None, rise_height: None };
        let raised = Self { mu: 0.3, width: 0.02, rise: Some(0.05), rise_height: None };
        let low = Self { rise_height: Some(0.1), ..raised.clone() };
        vec![simple, raised, low]
    }
}

impl StandsIn for Trigonometric {
    fn standing_in(limit: &FallingLimit, width: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, width, rise: None, rise_height: None })
    }
}

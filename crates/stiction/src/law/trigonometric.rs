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

use super::transition::{Ramp, RampProfile};
use std::f64::consts::FRAC_PI_2;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Coulomb friction with a sine arc through zero.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Trigonometric {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Half-width Δ of the transition (m/s).
    pub width: f64,
    /// Width Δa of the rise near zero velocity; absent in the simple law (m/s).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rise: Option<f64>,
    /// Height ha of the rise; μ Δa/Δ if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rise_height: Option<f64>,
}

impl Ramp for Trigonometric {
    #[inline]
    fn profile(&self) -> RampProfile {
        let Self { mu, width, rise, rise_height } = *self;
        RampProfile { mu, width, rise, rise_height }
    }
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

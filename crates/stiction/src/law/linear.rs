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
#![doc = include_str!("../../images/law/linear.svg")]

use super::transition::{Profile, Shape};
use super::{Law, Slip};
use crate::Faults;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Coulomb friction with a linear ramp through zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Half-width Δ of the ramp (m/s).
    pub width: f64,
    /// Width Δa of the rise near zero velocity; absent in the simple law (m/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// Height ha of the rise; μ Δa/Δ if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rise_height: Option<f64>,
}

impl Shape for Linear {
    #[inline]
    fn join(&self, w: f64, g: f64, x: f64) -> f64 {
        g * (x / w)
    }
    #[inline]
    fn join_slope(&self, w: f64, g: f64, _x: f64) -> f64 {
        g / w
    }
}

impl Linear {
    pub(super) fn examples() -> Vec<Self> {
        let simple = Self { mu: 1.6, width: 0.8, rise: None, rise_height: None };
        let raised = Self { mu: 0.3, width: 0.02, rise: Some(0.05), rise_height: None };
        let low = Self { rise_height: Some(0.1), ..raised.clone() };
        vec![simple, raised, low]
    }

    #[inline]
    fn profile(&self) -> Profile {
        Profile::new(self.mu, self.width, self.rise, self.rise_height)
    }
}

impl Law for Linear {
    fn check(&self, faults: &mut Faults) {
        Profile::check(faults, self.mu, self.width, self.rise, self.rise_height);
    }
    #[inline]
    fn coefficient(&self, Slip { v, .. }: Slip) -> f64 {
        self.profile().coefficient(self, v)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        self.profile().slope(self, v)
    }
    fn steepest(&self) -> f64 {
        self.profile().transitions().map(|(w, g)| g / w).fold(0.0, f64::max)
    }
    fn bound(&self) -> f64 {
        self.profile().bound()
    }
    fn stick_speed(&self) -> Option<f64> {
        Some(self.profile().stick_speed())
    }
    fn flat_beyond(&self) -> f64 {
        self.profile().flat_beyond()
    }
    fn breakpoints(&self) -> Vec<f64> {
        self.profile().breakpoints(|_, _| None)
    }
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        Some(self.profile().corners())
    }
}

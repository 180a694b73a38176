//! The hysteresis of Bouc and Wen (@bouc1967, @wen1976).
//!
//! ```text
//!   ż = v − (β |v| |z|ⁿ⁻¹ z + γ v |z|ⁿ),   φ = σ z,   β + γ = 1/z₀ⁿ,   z₀ = μ/σ
//! ```
//!
//! z is the deflection of the contact, z₀ that of steady sliding. Rate-independent, |φ| < μ always; a large n is a spring in series with a
//! slider (Jenkins). n = 1 with γ = 0 is Dahl's law; with γ = β unloading is straight. The share γ/(β + γ) is the user's; it dissipates on
//! every path up to a share of ½ (@erlicher2004).
//! Drifts under load: a load that pulsates below μ moves the contact a little on every cycle, since a short reversal does not close its loop.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/bouc-wen.svg"))]

use super::bristles::{bristles, straightening};
use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::stribeck::power;
use super::{Law, Scales, Slip, StateSlopes, States, StickCriterion, write_switches};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// The hysteresis of Bouc and Wen: a smooth passage from elastic to sliding.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct BoucWen {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Stiffness σ of the contact over the normal load (1/m).
    pub stiffness: f64,
    /// Exponent n, at least 1: how sharp the passage to sliding is; 1 if absent (-).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::one"))]
    pub exponent: f64,
    /// Share γ/(β + γ), from 0 to 1: at ½ unloading is straight; ½ if absent (-).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::half"))]
    pub share: f64,
}

impl BoucWen {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self { mu: 1.0, stiffness: 20.0, exponent: 2.0, share: 0.5 },
            Self { mu: 0.3, stiffness: 5.0, exponent: 1.0, share: 0.2 },
            Self { mu: 0.5, stiffness: 10.0, exponent: 1.5, share: 0.0 },
        ]
    }

    /// |z/z₀|ⁿ, and its derivative by z, from z = 0 on in the direction of v.
    #[inline]
    fn power(&self, v: f64, z: f64) -> (f64, f64) {
        let (power, slope) = power((self.stiffness * z / self.mu).abs(), self.exponent);
        (power, (slope * self.stiffness / self.mu).copysign(if z == 0.0 { v } else { z }))
    }

    /// z₀ⁿ (β sgn(v z) + γ).
    #[inline]
    fn closing(&self, v: f64, z: f64) -> f64 {
        if v * z >= 0.0 { 1.0 } else { 2.0 * self.share - 1.0 }
    }

    fn sliding(&self, _v: f64) -> f64 {
        self.mu
    }

    /// ż, ∂ż/∂v, ∂ż/∂z.
    #[inline]
    fn rates(&self, slip: Slip) -> [f64; 3] {
        let (v, z) = (slip.v, slip.state(0));
        if self.mu == 0.0 {
            return straightening(self.stiffness, slip);
        }
        let ((power, slope), closing) = (self.power(v, z), self.closing(v, z));
        let dot_v = 1.0 - closing * power;
        [v * dot_v, dot_v, -v * closing * slope]
    }
}

impl Law for BoucWen {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("stiffness", self.stiffness);
        faults.at_least(
            "exponent",
            self.exponent,
            1.0,
            "below it the contact would have no stiffness at first",
        );
        faults.between("share", self.share, 0.0, 1.0);
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    fn switches(&self, slip: Slip, out: &mut [f64]) -> usize {
        write_switches([slip.state(0)], out)
    }
    fn scales(&self) -> Scales {
        Scales {
            stick: StickCriterion::Bristles { stiffness: self.stiffness, least: self.mu },
            ..Scales::default()
        }
    }
    bristles!();
}

impl StandsIn for BoucWen {
    fn standing_in(limit: &FallingLimit, stiffness: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, stiffness, exponent: 1.0, share: 0.5 })
    }
}

//! The LuGre law (@canudas1995).
//!
//! ```text
//!   ż = v − σ₀ |v| z/g(v),   φ = σ₀ z + σ₁ ż,   g(v) = μ + (μs − μ) exp(−|v/vs|ᵖ)
//! ```
//!
//! z is the mean deflection of the bristles. Elastic with damping before sliding, a Stribeck curve φ = g(v) sgn v in
//! steady sliding (add `viscous` for the usual σ₂ v). Like Dahl's law it drifts under a pulsating load below μs.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/lugre.svg"))]

use super::bristles::{bristles, straightening};
use super::size::{StandsIn, critical_damping};
use super::stribeck::{FallingLimit, falling_limit};
use super::{Law, Scales, Slip, StateSlopes, States, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// The LuGre law: elastic bristles with damping and a Stribeck curve.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Lugre {
    /// Kinetic friction coefficient μ (-).
    pub mu: f64,
    /// Static friction coefficient μs ≥ μ (-).
    pub mu_static: f64,
    /// Stribeck velocity vs (m/s).
    pub velocity: f64,
    /// Bristle stiffness σ₀ over the normal load (1/m).
    pub stiffness: f64,
    /// Bristle damping σ₁ over the normal load (s/m).
    pub damping: f64,
    /// Exponent p of the Stribeck curve, at least 1; 2 if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub exponent: Option<f64>,
}

impl Lugre {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self {
                mu: 1.0,
                mu_static: 1.5,
                velocity: 0.05,
                stiffness: 1000.0,
                damping: 10.0,
                exponent: None,
            },
            Self {
                mu: 0.3,
                mu_static: 0.4,
                velocity: 0.5,
                stiffness: 20.0,
                damping: 0.0,
                exponent: Some(1.3),
            },
        ]
    }

    falling_limit!();

    fn sliding(&self, v: f64) -> f64 {
        self.limit().at(v).0
    }

    /// ż, ∂ż/∂v, ∂ż/∂z.
    #[inline]
    fn rates(&self, slip: Slip) -> [f64; 3] {
        let (v, z, sigma) = (slip.v, slip.state(0), self.stiffness);
        if self.mu_static == 0.0 {
            return straightening(sigma, slip);
        }
        let (g, dg) = self.limit().at(v);
        let dot_v = 1.0 - sigma * z * (v.signum() / g - v.abs() * dg / (g * g));
        [v - sigma * v.abs() * z / g, dot_v, -sigma * v.abs() / g]
    }
}

impl Law for Lugre {
    fn check(&self, faults: &mut Faults) {
        self.limit().check(faults);
        faults.positive("stiffness", self.stiffness);
        faults.not_negative("damping", self.damping);
    }
    fn scales(&self) -> Scales {
        let steepest = if self.mu > 0.0 { self.damping * (1.0 + self.mu_static / self.mu) } else { 0.0 };
        Scales {
            steepest: Some(steepest),
            stick: StickCriterion::Bristles { stiffness: self.stiffness, least: self.mu },
            reach: Some(4.0 * self.velocity),
            ..Scales::default()
        }
    }
    fn bound(&self) -> f64 {
        self.mu_static
    }
    bristles!(damping);
}

impl StandsIn for Lugre {
    fn standing_in(limit: &FallingLimit, stiffness: f64, inertia: f64) -> Option<Self> {
        let FallingLimit { mu, mu_static, velocity, exponent } = *limit;
        let damping = critical_damping(stiffness, inertia);
        Some(Self { mu, mu_static, velocity, stiffness, damping, exponent })
    }
}

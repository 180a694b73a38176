//! The elasto-plastic law of Dupont and others (@dupont2002).
//!
//! ```text
//!   ż = v − α(z, v) σ₀ |v| z/g(v),   φ = σ₀ z + σ₁ ż,   g(v) = μ + (μs − μ) exp(−|v/vs|ᵖ)
//!
//!             ⎧ 0                   z v ≤ 0 or |z| ≤ z_ba
//!   α(z, v) = ⎨ ½ − ½ cos π x       x = (|z| − z_ba)/(z_max − z_ba)
//!             ⎩ 1                   |z| ≥ z_max = g(v)/σ₀
//! ```
//!
//! LuGre's bristles, which bend without giving way up to the break-away deflection z_ba = elastic · μ/σ₀. φ = g(v) sgn v in steady sliding.
//! Does not creep under load: a load that pulsates below elastic · μ moves the contact to and fro, and leaves it where it was.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/elasto-plastic.svg"))]

use super::bristles::{bristles, straightening};
use super::size::{StandsIn, critical_damping};
use super::stribeck::{FallingLimit, falling_limit};
use super::{Law, Scales, Slip, StateSlopes, States, StickCriterion, write_switches};
use crate::Faults;
use crate::math::root::opposed;
use std::f64::consts::PI;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// The elasto-plastic law: bristles that do not creep below break-away.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct ElastoPlastic {
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
    /// Share of μ up to which bristles only bend, between 0 and 1 (-).
    pub elastic: f64,
    /// Exponent p of the Stribeck curve, at least 1; 2 if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub exponent: Option<f64>,
}

impl ElastoPlastic {
    pub(super) fn examples() -> Vec<Self> {
        let (mu, mu_static, velocity) = (1.0, 1.5, 0.05);
        let (stiffness, damping, elastic, exponent) = (1000.0, 10.0, 0.7, None);
        let plain = Self { mu, mu_static, velocity, stiffness, damping, elastic, exponent };
        let soft = Self { mu: 0.3, mu_static: 0.4, velocity: 0.5, stiffness: 20.0, damping: 0.0, ..plain };
        vec![plain, Self { elastic: 0.4, exponent: Some(1.3), ..soft }]
    }

    falling_limit!();

    /// Bound on |∂φ/∂v| (s/m).
    fn steepest(&self) -> f64 {
        if self.mu_static == 0.0 {
            return 0.0;
        }
        // |v dg/dv| ≤ (p/e) (μs − μ); by it the limit, and with it x, changes
        let p = self.exponent.unwrap_or(2.0);
        let falls = p / std::f64::consts::E * (self.mu_static - self.mu);
        let (full, way) = (self.mu_static / self.mu, (1.0 - self.elastic) * self.mu);
        self.damping * (1.0 + full + full * falls * (0.5 * PI / way + 1.0 / self.mu))
    }

    fn sliding(&self, v: f64) -> f64 {
        self.limit().at(v).0
    }

    /// ż, ∂ż/∂v, ∂ż/∂z.
    #[inline]
    fn rates(&self, slip: Slip) -> [f64; 3] {
        let (v, z) = (slip.v, slip.state(0));
        if self.mu_static == 0.0 {
            return straightening(self.stiffness, slip);
        }
        let (past, sigma) = (z.abs() - self.elastic * self.mu / self.stiffness, self.stiffness);
        if past <= 0.0 || !opposed(v, -z) {
            return [v, 1.0, 0.0];
        }
        let (g, dg) = self.limit().at(v);
        let way = g / sigma - self.elastic * self.mu / sigma;
        let x = past / way;
        let (alpha, slope) =
            if x < 1.0 { (0.5 - 0.5 * libm::cos(PI * x), 0.5 * PI * libm::sin(PI * x)) } else { (1.0, 0.0) };
        let full = sigma * z.abs() / g;
        // z_max moves with v
        let alpha_v = -slope * x / way * dg / sigma;
        let dot_v = 1.0 - alpha * full - v.abs() * v.signum() * full * (alpha_v - alpha * dg / g);
        let dot_z = -v.abs() * (alpha * sigma / g + full * slope / way);
        [v * (1.0 - alpha * full), dot_v, dot_z]
    }
}

impl Law for ElastoPlastic {
    fn check(&self, faults: &mut Faults) {
        self.limit().check(faults);
        faults.positive("stiffness", self.stiffness);
        faults.not_negative("damping", self.damping);
        if faults.positive("elastic", self.elastic) {
            faults.below("elastic", self.elastic, 1.0, "bristles must give way before the contact slides");
        }
    }
    fn bound(&self) -> f64 {
        self.mu_static
    }
    fn scales(&self) -> Scales {
        Scales {
            steepest: Some(self.steepest()),
            stick: StickCriterion::Bristles { stiffness: self.stiffness, least: self.mu },
            reach: Some(4.0 * self.velocity),
            ..Scales::default()
        }
    }
    // z_max is no switch: sliding bristles stay there, to rounding, and α is flat
    fn switches(&self, slip: Slip, out: &mut [f64]) -> usize {
        let (z, inner) = (slip.state(0), self.elastic * self.mu / self.stiffness);
        write_switches([inner - z, inner + z], out)
    }
    bristles!(damping);
}

impl StandsIn for ElastoPlastic {
    fn standing_in(limit: &FallingLimit, stiffness: f64, inertia: f64) -> Option<Self> {
        let FallingLimit { mu, mu_static, velocity, exponent } = *limit;
        let damping = critical_damping(stiffness, inertia);
        Some(Self { mu, mu_static, velocity, stiffness, damping, elastic: 0.7, exponent })
    }
}

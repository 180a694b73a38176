//! The LuGre law (@canudas1995).
//!
//! ```text
//!   ż = v − σ₀ |v| z/g(v),   φ = σ₀ z + σ₁ ż,   g(v) = μ + (μs − μ) exp(−(v/vs)²)
//! ```
//!
//! z is the mean deflection of the bristles. Elastic with damping before sliding, a Stribeck curve φ = g(v) sgn v in
//! steady sliding (add `viscous` for the usual σ₂ v). Like Dahl's law it drifts under a pulsating load below μs.
//!
#![doc = include_str!("../../images/law/lugre.svg")]

use super::{Law, MemorySlopes, Slip};
use crate::Faults;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The LuGre law: elastic bristles with damping and a Stribeck curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
}

impl Lugre {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self { mu: 1.0, mu_static: 1.5, velocity: 0.05, stiffness: 1000.0, damping: 10.0 },
            Self { mu: 0.3, mu_static: 0.4, velocity: 0.5, stiffness: 20.0, damping: 0.0 },
        ]
    }

    /// g and dg/dv.
    #[inline]
    fn sliding(&self, v: f64) -> (f64, f64) {
        let x = v / self.velocity;
        let excess = (self.mu_static - self.mu) * libm::exp(-x * x);
        (self.mu + excess, -2.0 * x / self.velocity * excess)
    }
}

impl Law for Lugre {
    fn check(&self, faults: &mut Faults) {
        let good = faults.positive("mu", self.mu) & faults.positive("mu_static", self.mu_static);
        if good {
            faults.at_least(
                "mu_static",
                self.mu_static,
                self.mu,
                "static friction is not below kinetic friction mu",
            );
        }
        faults.positive("velocity", self.velocity);
        faults.positive("stiffness", self.stiffness);
        faults.not_negative("damping", self.damping);
    }
    #[inline]
    fn coefficient(&self, slip: Slip) -> f64 {
        self.stiffness * slip.z + self.damping * self.z_dot(slip)
    }
    #[inline]
    fn slope(&self, slip: Slip) -> f64 {
        self.damping * self.memory_slopes(slip).z_dot_v
    }
    fn steepest(&self) -> f64 {
        self.damping * (1.0 + self.mu_static / self.mu)
    }
    fn bound(&self) -> f64 {
        self.mu_static
    }
    fn breakpoints(&self) -> Vec<f64> {
        vec![0.0]
    }
    fn has_memory(&self) -> bool {
        true
    }
    #[inline]
    fn z_dot(&self, Slip { v, z, .. }: Slip) -> f64 {
        v - self.stiffness * v.abs() * z / self.sliding(v).0
    }
    fn z_steady(&self, v: f64) -> f64 {
        if v == 0.0 { 0.0 } else { (self.sliding(v).0 / self.stiffness).copysign(v) }
    }
    #[inline]
    fn memory_slopes(&self, Slip { v, z, .. }: Slip) -> MemorySlopes {
        let (g, dg) = self.sliding(v);
        let z_dot_v = 1.0 - self.stiffness * z * (v.signum() / g - v.abs() * dg / (g * g));
        let z_dot_z = -self.stiffness * v.abs() / g;
        MemorySlopes { coefficient_z: self.stiffness + self.damping * z_dot_z, z_dot_v, z_dot_z }
    }
}

//! Dahl's law (@dahl1968).
//!
//! ```text
//!   ż = v − σ |v| z/μ,   φ = σ z
//! ```
//!
//! z is the deflection of the contact. Elastic for small displacements, |φ| < μ always, and |φ| → μ after a slip of some
//! μ/σ. A load that pulsates below μ drifts: the elastic contact forgets a little on every cycle.
//!
#![doc = include_str!("../../images/law/dahl.svg")]

use super::{Law, MemorySlopes, Slip};
use crate::Faults;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Dahl's law: elastic before sliding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dahl {
    /// Friction coefficient μ (-).
    pub mu: f64,
    /// Stiffness σ of the contact over the normal load (1/m).
    pub stiffness: f64,
}

impl Dahl {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.0, stiffness: 100.0 }, Self { mu: 0.3, stiffness: 5.0 }]
    }
}

impl Law for Dahl {
    fn check(&self, faults: &mut Faults) {
        faults.positive("mu", self.mu);
        faults.positive("stiffness", self.stiffness);
    }
    #[inline]
    fn coefficient(&self, Slip { z, .. }: Slip) -> f64 {
        self.stiffness * z
    }
    #[inline]
    fn slope(&self, _: Slip) -> f64 {
        0.0
    }
    fn steepest(&self) -> f64 {
        0.0
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    fn breakpoints(&self) -> Vec<f64> {
        vec![0.0]
    }
    fn has_memory(&self) -> bool {
        true
    }
    #[inline]
    fn z_dot(&self, Slip { v, z, .. }: Slip) -> f64 {
        v - self.stiffness * v.abs() * z / self.mu
    }
    fn z_steady(&self, v: f64) -> f64 {
        if v == 0.0 { 0.0 } else { (self.mu / self.stiffness).copysign(v) }
    }
    #[inline]
    fn memory_slopes(&self, Slip { v, z, .. }: Slip) -> MemorySlopes {
        MemorySlopes {
            coefficient_z: self.stiffness,
            z_dot_v: 1.0 - self.stiffness * v.signum() * z / self.mu,
            z_dot_z: -self.stiffness * v.abs() / self.mu,
        }
    }
}

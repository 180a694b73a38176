//! Dahl's law (@dahl1968).
//!
//! ```text
//!   ż = v − σ |v| z/μ,   φ = σ z
//! ```
//!
//! z is the deflection of the contact. Elastic for small displacements, |φ| < μ always, and |φ| → μ after a slip of some
//! μ/σ. A load that pulsates below μ drifts: the elastic contact forgets a little on every cycle.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/dahl.svg"))]

use super::{Law, Slip, StateSlopes};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Dahl's law: elastic before sliding.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
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
        faults.not_negative("mu", self.mu);
        faults.positive("stiffness", self.stiffness);
    }
    #[inline]
    fn coefficient(&self, slip: Slip) -> f64 {
        if self.mu > 0.0 { self.stiffness * slip.state(0) } else { 0.0 }
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    #[inline]
    fn n_states(&self) -> usize {
        1
    }
    #[inline]
    fn state_dot(&self, slip: Slip, out: &mut [f64]) {
        if self.mu == 0.0 {
            // without friction there is no deflection, and one that is given dies out
            out[0] = -self.stiffness * slip.v.abs() * slip.state(0);
            return;
        }
        out[0] = slip.v - self.stiffness * slip.v.abs() * slip.state(0) / self.mu;
    }
    fn steady_states(&self, v: f64, out: &mut [f64]) {
        out[0] = if v == 0.0 { 0.0 } else { (self.mu / self.stiffness).copysign(v) };
    }
    #[inline]
    fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
        let (v, z) = (slip.v, slip.state(0));
        if self.mu == 0.0 {
            out.coefficient[0] = 0.0;
            out.dot_v[0] = -self.stiffness * v.signum() * z;
            out.dot_z[0] = -self.stiffness * v.abs();
            return;
        }
        out.coefficient[0] = self.stiffness;
        out.dot_v[0] = 1.0 - self.stiffness * v.signum() * z / self.mu;
        out.dot_z[0] = -self.stiffness * v.abs() / self.mu;
    }
}

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

use super::bristles::{bristles, straightening};
use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::{Law, Scales, Slip, StateSlopes, States, StickCriterion};
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

    fn sliding(&self, _v: f64) -> f64 {
        self.mu
    }

    /// ż, ∂ż/∂v, ∂ż/∂z.
    #[inline]
    fn rates(&self, slip: Slip) -> [f64; 3] {
        let (v, z) = (slip.v, slip.state(0));
        let Self { mu, stiffness } = *self;
        if mu == 0.0 {
            return straightening(stiffness, slip);
        }
        let [dot, dot_v] = [v - stiffness * v.abs() * z / mu, 1.0 - stiffness * v.signum() * z / mu];
        [dot, dot_v, -stiffness * v.abs() / mu]
    }
}

impl Law for Dahl {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("stiffness", self.stiffness);
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    fn scales(&self) -> Scales {
        Scales {
            stick: StickCriterion::Bristles { stiffness: self.stiffness, least: self.mu },
            ..Scales::default()
        }
    }
    bristles!();
}

impl StandsIn for Dahl {
    fn standing_in(limit: &FallingLimit, stiffness: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, stiffness })
    }
}

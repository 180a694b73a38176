//! Coulomb friction as a sign function.
//!
//! ```text
//!   φ(v) = μ sgn v,   φ(0) = 0
//! ```
//!
//! Odd, with a jump at zero. With fixed steps it chatters about zero velocity, and under load it creeps; it is here to be
//! compared with. The equation of motion itself has solutions in the sense of @filippov1988 only, with a force between
//! −μ and μ at rest: they are those of Coulomb's law, and scenarios without fixed steps compute them.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/sign-coulomb.svg"))]

use super::{Coulomb, Graph, Law, Scales, Slip, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Coulomb friction as a sign function, zero at rest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct SignCoulomb {
    /// Friction coefficient μ (-).
    pub mu: f64,
}

impl SignCoulomb {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.0 }, Self { mu: 0.3 }]
    }

    /// The law whose motions are the solutions in Filippov's sense.
    pub fn filippov(&self) -> Coulomb {
        Coulomb { mu: self.mu, mu_static: None }
    }
}

impl Law for SignCoulomb {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
    }
    #[inline]
    fn coefficient(&self, Slip { v, .. }: Slip) -> f64 {
        if v == 0.0 { 0.0 } else { self.mu.copysign(v) }
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    fn scales(&self) -> Scales {
        Scales { stick: StickCriterion::Speed(0.0), ..Scales::default() }
    }
    fn breakpoints(&self) -> Vec<f64> {
        vec![0.0]
    }
    fn graph(&self) -> Graph {
        if self.mu > 0.0 { Graph::Jump } else { Graph::Continuous }
    }
}

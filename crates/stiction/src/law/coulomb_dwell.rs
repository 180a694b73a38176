//! Coulomb's law whose static friction grows with the time at rest (@kato1972).
//!
//! ```text
//!   φ = μ sgn v                v ≠ 0
//!   φ ∈ [−μs(T), μs(T)]        v = 0 for the time T
//!   μs(T) = μs − (μs − μ) exp(−(T/τ)ᵐ)
//! ```
//!
//! Set-valued at zero velocity: it sticks exactly. A contact that has just stopped holds μ, one that has rested for some τ nearly μs: the longer the stop, the harder the
//! break-away. T is recorded; it begins anew with every stop, and at the start. In sliding, where it does not act, it fades: Ṫ = −T/τ.
//! Does not creep under load; but a load between μ and μs that rises slowly enough is held longer than a fast one.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/coulomb-dwell.svg"))]

use super::coulomb::check_static;
use super::{FrictionBounds, Graph, Law, Scales, Slip, StateSlopes, States, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Coulomb's law whose static friction grows with the time at rest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct CoulombDwell {
    /// Kinetic friction coefficient μ (-).
    pub mu: f64,
    /// Static friction coefficient μs ≥ μ after a long rest (-).
    pub mu_static: f64,
    /// Time τ in which static friction grows (s).
    pub time: f64,
    /// Exponent m of the time, up to 1; 1 if absent (-).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::one"))]
    pub exponent: f64,
}

impl CoulombDwell {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self { mu: 0.3, mu_static: 0.5, time: 0.5, exponent: 1.0 },
            Self { mu: 0.8, mu_static: 1.0, time: 2.0, exponent: 0.4 },
        ]
    }

    /// μs after a time at rest (-).
    pub fn static_mu(&self, rest: f64) -> f64 {
        let x = rest.max(0.0) / self.time;
        let power = if self.exponent == 1.0 { x } else { libm::pow(x, self.exponent) };
        self.mu_static - (self.mu_static - self.mu) * libm::exp(-power)
    }
}

impl Law for CoulombDwell {
    fn check(&self, faults: &mut Faults) {
        let good = faults.not_negative("mu", self.mu);
        check_static(faults, good, self.mu, Some(self.mu_static));
        faults.positive("time", self.time);
        if faults.positive("exponent", self.exponent) {
            faults.at_most("exponent", self.exponent, 1.0, "static friction grows fastest at first");
        }
    }
    #[inline]
    fn coefficient(&self, slip: Slip) -> f64 {
        let limit = self.static_mu(slip.state(0));
        if slip.v == 0.0 { slip.demand.clamp(-limit, limit) } else { self.mu.copysign(slip.v) }
    }
    fn bound(&self) -> f64 {
        self.mu_static
    }
    fn scales(&self) -> Scales {
        Scales { stick: StickCriterion::Speed(0.0), ..Scales::default() }
    }
    fn graph(&self) -> Graph {
        // without friction the graph is a line
        if self.mu_static > 0.0 { Graph::SetValued } else { Graph::Continuous }
    }
    #[inline]
    fn friction_bounds(&self, v: f64, z: &[f64]) -> Option<FrictionBounds> {
        // without a memory it has stuck for long
        let limit = z.first().map_or(self.mu_static, |rest| self.static_mu(*rest));
        (v == 0.0).then_some(FrictionBounds::symmetric(limit))
    }
    fn states(&self) -> States {
        States::One { name: "time_at_rest", unit: "s", is_even: true }
    }
    fn state_dot(&self, slip: Slip, out: &mut [f64]) {
        out[0] = if slip.v == 0.0 { 1.0 } else { -slip.state(0) / self.time };
    }
    fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
        out.coefficient[0] = 0.0;
        out.dot_v[0] = 0.0;
        out.dot_z[0] = if slip.v == 0.0 { 0.0 } else { -1.0 / self.time };
    }
}

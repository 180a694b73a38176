//! The Jenkins element: a spring in series with a slider (@iwan1966).
//!
//! ```text
//!   φ = σ z,   |φ| ≤ μ,   ż = v, but 0 where |φ| = μ and z v > 0
//! ```
//!
//! z is the deflection of the spring. Elastic up to μ, then Coulomb friction; back and forth with the amplitude A > μ/σ it loses
//! 4 μ N (A − μ/σ) a cycle. Tends to Coulomb's law as σ → ∞, amplitudes near resonance as slowly as 1/√σ. Holds every load below μ
//! without creep.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/jenkins.svg"))]

use super::size::StandsIn;
use super::sliders::{self, Slider, elastic};
use super::stribeck::FallingLimit;
use super::{Law, Slip, StateSlopes, States};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// The Jenkins element: a spring in series with a slider.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Jenkins {
    /// Friction coefficient μ of the slider (-).
    pub mu: f64,
    /// Stiffness σ of the spring over the normal load (1/m).
    pub stiffness: f64,
}

impl Jenkins {
    pub(super) fn examples() -> Vec<Self> {
        vec![Self { mu: 1.0, stiffness: 100.0 }, Self { mu: 0.4, stiffness: 5.0 }]
    }

    fn each(&self) -> impl Iterator<Item = Slider> {
        std::iter::once(Slider::new(self.stiffness, self.mu))
    }
}

impl Law for Jenkins {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("stiffness", self.stiffness);
    }
    fn bound(&self) -> f64 {
        self.mu
    }
    fn states(&self) -> States {
        States::Deflections(1)
    }
    #[inline]
    fn slider(&self, k: usize) -> Option<Slider> {
        (k == 0).then(|| Slider::new(self.stiffness, self.mu))
    }
    elastic!();
}

impl StandsIn for Jenkins {
    fn standing_in(limit: &FallingLimit, stiffness: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, stiffness })
    }
}

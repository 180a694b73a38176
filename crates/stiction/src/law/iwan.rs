//! Iwan's parallel-series model, also called Maxwell slip: springs with sliders side by side (@iwan1966).
//!
//! ```text
//!   φ = Σ σₖ zₖ,   |σₖ zₖ| ≤ μₖ,   żₖ = v, but 0 where |σₖ zₖ| = μₖ and zₖ v > 0
//! ```
//!
//! The sliders let go one after the other: stiff at first (Σ σₖ), softer with every slider, and Coulomb friction Σ μₖ once all slide.
//! Reversals remember where they began (Masing's rules). Holds every load below Σ μₖ without creep.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/iwan.svg"))]

use super::size::{StandsIn, even_sliders};
use super::sliders::{self, Slider, elastic};
use super::stribeck::FallingLimit;
use super::{Law, Slip, StateSlopes, States};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Iwan's model: springs with sliders side by side, also called Maxwell slip.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Iwan {
    /// Friction coefficient μₖ of each slider (-).
    pub mu: Vec<f64>,
    /// Stiffness σₖ of each spring over the normal load (1/m).
    pub stiffness: Vec<f64>,
}

impl Iwan {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self { mu: vec![0.1, 0.2, 0.35], stiffness: vec![40.0, 20.0, 10.0] },
            Self { mu: vec![0.5, 0.3], stiffness: vec![3.0, 5.0] },
        ]
    }

    fn each(&self) -> impl Iterator<Item = Slider> {
        self.mu.iter().zip(&self.stiffness).map(|(&limit, &stiffness)| Slider::new(stiffness, limit))
    }
}

impl Law for Iwan {
    fn check(&self, faults: &mut Faults) {
        sliders::check_lists(faults, ("mu", &self.mu), &self.stiffness, Faults::not_negative);
    }
    fn bound(&self) -> f64 {
        self.mu.iter().sum()
    }
    fn states(&self) -> States {
        States::Deflections(self.mu.len().min(self.stiffness.len()))
    }
    #[inline]
    fn slider(&self, k: usize) -> Option<Slider> {
        Some(Slider::new(*self.stiffness.get(k)?, *self.mu.get(k)?))
    }
    elastic!();
}

impl StandsIn for Iwan {
    fn standing_in(limit: &FallingLimit, stiffness: f64, _: f64) -> Option<Self> {
        let (mu, shares) = (limit.level()?, even_sliders());
        let each = stiffness / shares.len() as f64;
        Some(Self { mu: shares.map(|share| share * mu).into(), stiffness: vec![each; shares.len()] })
    }
}

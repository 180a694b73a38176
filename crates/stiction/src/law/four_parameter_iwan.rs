//! Segalman's four-parameter Iwan model of a bolted joint (@segalman2005).
//!
//! ```text
//!   ρ(r) = R r^χ on 0 < r < r_max, and S δ(r − r_max):   springs of ∫ρ dr, each of which slips at the deflection r
//!   r_max = μ (1 + β)/(σ (β + (χ + 1)/(χ + 2))),   R = μ (χ + 1)/(r_max^(χ+2) (β + (χ + 1)/(χ + 2)))
//!   S = β R r_max^(χ+1)/(χ + 1)
//! ```
//!
//! The loss per cycle grows as the power 3 + χ of a small amplitude, as measured on joints. The density is integrated in cells
//! whose bounds fall geometrically towards zero; the slider of a cell has the stiffness and the friction of the cell, so that the initial
//! stiffness σ and the force μ of macro-slip are exact for any number of sliders. Below the smallest cell the joint is elastic.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/four-parameter-iwan.svg"))]

use super::size::StandsIn;
use super::sliders::{self, MAX_SLIDERS, Slider, elastic};
use super::stribeck::FallingLimit;
use super::{Law, Slip, StateName, StateSlopes};
use crate::{Error, Faults};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Segalman's four-parameter Iwan model: a bolted joint.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct FourParameterIwan {
    /// Friction coefficient μ of macro-slip (-).
    pub mu: f64,
    /// Stiffness σ of the joint before it slips, over the normal load (1/m).
    pub stiffness: f64,
    /// Exponent χ of the density, between −1 and 0; the loss per cycle grows as the power 3 + χ of the amplitude (-).
    pub exponent: f64,
    /// Share β of the stiffness that is lost at macro-slip, over that lost before (-).
    pub ratio: f64,
    /// Number of sliders (-).
    #[cfg_attr(feature = "serde", serde(default = "sliders_by_default"))]
    pub sliders: usize,
}

#[cfg(feature = "serde")]
fn sliders_by_default() -> usize {
    20
}

/// Deflection of the smallest cell over that of macro-slip.
///
/// In it stand 10⁻⁴ (χ+1) of the springs at the most: the loss of amplitudes below it is 10⁻⁸ of that at macro-slip.
const SMALLEST: f64 = 1e-4;

impl FourParameterIwan {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self { mu: 1.0, stiffness: 100.0, exponent: -0.5, ratio: 0.5, sliders: 12 },
            Self { mu: 0.3, stiffness: 20.0, exponent: -0.2, ratio: 2.0, sliders: 3 },
        ]
    }

    /// r_max: the deflection of macro-slip (m).
    pub fn macro_slip(&self) -> f64 {
        self.mu * (1.0 + self.ratio) / (self.stiffness * self.mean())
    }

    /// β + (χ + 1)/(χ + 2).
    fn mean(&self) -> f64 {
        self.ratio + (self.exponent + 1.0) / (self.exponent + 2.0)
    }

    fn each(&self) -> impl Iterator<Item = Slider> {
        let (chi, n_cells) = (self.exponent, self.sliders.saturating_sub(1));
        // of the stiffness of the density, and of its friction, the share below r = x r_max
        let (soft, first) = (self.stiffness / (1.0 + self.ratio), self.mu / self.mean());
        let bound = move |i: usize| match i {
            0 => 0.0,
            i if i == n_cells => 1.0,
            i => libm::pow(SMALLEST, (n_cells - i) as f64 / (n_cells - 1) as f64),
        };
        let moment = move |x: f64, power: f64| if x == 0.0 { 0.0 } else { libm::pow(x, power) };
        let cell = move |i: usize| {
            let (a, b) = (bound(i), bound(i + 1));
            let friction = (chi + 1.0) / (chi + 2.0);
            Slider::new(
                soft * (moment(b, chi + 1.0) - moment(a, chi + 1.0)),
                first * friction * (moment(b, chi + 2.0) - moment(a, chi + 2.0)),
            )
        };
        let last = Slider::new(soft * self.ratio, first * self.ratio);
        (0..n_cells).map(cell).chain(std::iter::once(last))
    }
}

impl Law for FourParameterIwan {
    fn check(&self, faults: &mut Faults) {
        faults.not_negative("mu", self.mu);
        faults.positive("stiffness", self.stiffness);
        if faults.between("exponent", self.exponent, -1.0, 0.0) && self.exponent == -1.0 {
            faults.push("exponent", Error::TooSmall { value: -1.0, limit: -1.0, because: OPEN });
        }
        faults.positive("ratio", self.ratio);
        faults.between("sliders", self.sliders as f64, 2.0, MAX_SLIDERS as f64);
    }
    fn bound(&self) -> f64 {
        // μ, give or take the rounding of the sum that the force is
        self.each().map(|slider| slider.limit).sum()
    }
    fn n_states(&self) -> usize {
        self.sliders
    }
    elastic!();
}

/// Why χ = −1 is refused.
const OPEN: &str = "the density cannot be integrated down to zero there";

impl StandsIn for FourParameterIwan {
    fn standing_in(limit: &FallingLimit, stiffness: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, stiffness, exponent: -0.5, ratio: 0.5, sliders: 10 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moments of the density by its definition.
    #[test]
    fn the_sliders_have_the_stiffness_and_the_force_of_the_joint() {
        for (exponent, ratio) in [(-0.5, 0.5), (-0.9, 0.01), (0.0, 3.0), (-0.2, 1.0)] {
            for sliders in [2, 3, 20, 100] {
                let law = FourParameterIwan { mu: 0.7, stiffness: 30.0, exponent, ratio, sliders };
                let all: Vec<Slider> = law.each().collect();
                assert_eq!(all.len(), sliders);
                let stiffness: f64 = all.iter().map(|slider| slider.stiffness).sum();
                let friction: f64 = all.iter().map(|slider| slider.limit).sum();
                assert!((stiffness / 30.0 - 1.0).abs() < 1e-13 && (friction / 0.7 - 1.0).abs() < 1e-13);
                let last = all[sliders - 1];
                assert!((last.reach() / law.macro_slip() - 1.0).abs() < 1e-13);
                assert!(all.windows(2).all(|pair| pair[0].reach() < pair[1].reach()), "{all:?}");
            }
        }
    }

    /// Closed form of the loss per cycle at amplitudes below macro-slip (@segalman2005): D = 4 R A^(χ+3)/((χ+2)(χ+3)).
    #[test]
    fn the_loss_per_cycle_is_that_of_the_density() {
        let law = FourParameterIwan { mu: 0.7, stiffness: 30.0, exponent: -0.4, ratio: 0.8, sliders: 120 };
        let (chi, reach) = (law.exponent, law.macro_slip());
        let r = law.mu * (chi + 1.0) / (libm::pow(reach, chi + 2.0) * law.mean());
        for part in [0.03, 0.2, 0.7] {
            let a = part * reach;
            let loss: f64 = law.each().map(|slider| slider.loss(a)).sum();
            let density = 4.0 * r * libm::pow(a, chi + 3.0) / ((chi + 2.0) * (chi + 3.0));
            // a cell is 8 % wide; the formula errs by the square of that, over twelve, and half a cell at the edge of slip
            assert!((loss / density - 1.0).abs() < 3e-3, "{part}: {loss} {density}");
        }
    }
}

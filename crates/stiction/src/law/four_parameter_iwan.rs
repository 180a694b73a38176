//! Segalman's four-parameter Iwan model of a bolted joint (@segalman2005).
//!
//! ```text
//!   ρ(r) = R r^χ on 0 < r < r_max, and S δ(r − r_max):   springs of ∫ρ dr, each of which slips at the deflection r
//!   r_max = μ (1 + β)/(σ (β + (χ + 1)/(χ + 2))),   R = μ (χ + 1)/(r_max^(χ+2) (β + (χ + 1)/(χ + 2)))
//!   S = β R r_max^(χ+1)/(χ + 1)
//! ```
//!
//! The loss per cycle grows as the power 3 + χ of a small amplitude, as measured on joints. The density is integrated in n cells with
//! the bounds (i/n)² r_max; the slider of a cell has the stiffness and the friction of the cell. Virgin curve and slope are exact at
//! the bounds, so that the initial stiffness σ and the force μ of macro-slip are exact for any number of sliders. Between two bounds
//! the curve follows its tangents and lies above the exact one, by ρ h²/8 in a cell of width h: at most R r_max^(χ+2)/(2 n²), in the
//! last cell, and twice that in a hysteresis loop (Masing), [`FourParameterIwan::loop_error`]. Even cells would lower that error by
//! a factor four and lose the power law at small amplitudes: with squares and 50 sliders the loss per cycle is off by at most 1 %
//! from 0.1 r_max on and by 6 % from 0.01 r_max on. Below r_max/n² the joint is elastic.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/four-parameter-iwan.svg"))]

use super::size::StandsIn;
use super::sliders::{self, MAX_SLIDERS, Slider, elastic};
use super::stribeck::FallingLimit;
use super::{Law, Slip, StateSlopes, States};
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
    /// Number of sliders; the force of a loop is off by at most 2/(sliders − 1)² of μ, with 50 below 0.1 % (-).
    #[cfg_attr(feature = "serde", serde(default = "sliders_by_default"))]
    pub sliders: usize,
}

#[cfg(feature = "serde")]
fn sliders_by_default() -> usize {
    SLIDERS
}

/// The least round number whose loop error is below 0.1 % of μ for all exponents and ratios.
#[cfg(any(feature = "serde", test))]
const SLIDERS: usize = 50;

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

    /// The shares of the stiffness, and of the friction, of the density below r = x r_max.
    fn below(&self, x: f64) -> [f64; 2] {
        let soft = if x > 0.0 { libm::pow(x, self.exponent + 1.0) } else { 0.0 };
        [soft, x * soft]
    }

    fn each(&self) -> impl Iterator<Item = Slider> {
        let n_cells = self.states().n().saturating_sub(1);
        let cells = (1..=n_cells).scan([0.0; 2], move |lower, i| {
            let upper = self.below_cell(i, n_cells);
            Some(self.cell(std::mem::replace(lower, upper), upper))
        });
        cells.chain(std::iter::once(self.last()))
    }

    /// [`FourParameterIwan::below`] of the end of cell `i`.
    fn below_cell(&self, i: usize, n_cells: usize) -> [f64; 2] {
        let x = i as f64 / n_cells as f64;
        self.below(x * x)
    }

    /// The slider of a cell with these shares at its ends.
    fn cell(&self, lower: [f64; 2], upper: [f64; 2]) -> Slider {
        let chi = self.exponent;
        let (soft, first) = (self.stiffness / (1.0 + self.ratio), self.mu / self.mean());
        let friction = first * (chi + 1.0) / (chi + 2.0);
        Slider::new(soft * (upper[0] - lower[0]), friction * (upper[1] - lower[1]))
    }

    /// The slider that lets go at macro-slip.
    fn last(&self) -> Slider {
        let (soft, first) = (self.stiffness / (1.0 + self.ratio), self.mu / self.mean());
        Slider::new(soft * self.ratio, first * self.ratio)
    }

    /// The force of the joint pulled from rest to the deflection `x r_max`, over the normal load (@segalman2005) (-).
    fn virgin(&self, x: f64) -> f64 {
        let (chi, x) = (self.exponent, x.min(1.0));
        let [soft, friction] = self.below(x);
        let slipped = (chi + 1.0) / (chi + 2.0) * friction;
        self.mu / self.mean() * (slipped + x * (1.0 - soft) + x * self.ratio)
    }

    /// Largest error of the force in a hysteresis loop that the finite number of sliders makes, over that of macro-slip (-): twice
    /// that of the virgin curve, which is largest where a slider lets go.
    pub fn loop_error(&self) -> f64 {
        let (mut slipped, mut held): (f64, f64) = (0.0, self.stiffness);
        let mut largest = 0.0f64;
        for slider in self.each() {
            let r = slider.reach();
            largest = largest.max(slipped + held * r - self.virgin(r / self.macro_slip()));
            (slipped, held) = (slipped + slider.limit, held - slider.stiffness);
        }
        if self.mu > 0.0 { 2.0 * largest / self.mu } else { 0.0 }
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
    fn states(&self) -> States {
        // more are refused, and asked for their number before
        States::Deflections(self.sliders.min(MAX_SLIDERS))
    }
    fn slider(&self, k: usize) -> Option<Slider> {
        let n_cells = self.states().n().saturating_sub(1);
        let shares = |i: usize| if i == 0 { [0.0; 2] } else { self.below_cell(i, n_cells) };
        let cell = (k < n_cells).then(|| self.cell(shares(k), shares(k + 1)));
        cell.or_else(|| (k == n_cells).then(|| self.last()))
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

    fn joints(sliders: usize) -> impl Iterator<Item = FourParameterIwan> {
        [-0.999, -0.9, -0.5, -0.2, 0.0].into_iter().flat_map(move |exponent| {
            [1e-6, 0.05, 0.5, 3.0].into_iter().map(move |ratio| FourParameterIwan {
                mu: 0.7,
                stiffness: 30.0,
                exponent,
                ratio,
                sliders,
            })
        })
    }

    /// Against the integral of the density in 10⁵ steps, on the loop of the amplitude 1.2 r_max.
    #[test]
    fn the_loop_is_that_of_the_density_within_its_error() {
        for sliders in [3, 12, SLIDERS] {
            for law in joints(sliders) {
                let stated = law.loop_error();
                let bound = 2.0 / ((sliders - 1) as f64 * (sliders - 1) as f64);
                assert!(stated < bound && (sliders < SLIDERS || stated < 1e-3), "{law:?}: {stated}");
                let all: Vec<Slider> = law.each().collect();
                let reach = law.macro_slip();
                let virgin = |u: f64| all.iter().map(|s| (s.stiffness * u).min(s.limit)).sum::<f64>();
                let mut largest = 0.0f64;
                for i in 0..=3000 {
                    // Masing: a branch of the loop is the virgin curve, twice as large
                    let u = 1.2 * reach * libm::pow(i as f64 / 3000.0, 3.0);
                    largest = largest.max(2.0 * (virgin(u) - law.virgin(u / reach)).abs() / law.mu);
                }
                assert!(largest <= stated + 1e-12 && largest > 0.95 * stated, "{law:?}: {largest} {stated}");
            }
        }
    }

    /// F(u) = ∫ min(r, u) ρ dr + S min(r_max, u) by the midpoint rule in r^(χ+1), in which the density is even.
    #[test]
    fn the_virgin_curve_is_the_integral_of_the_density() {
        const STEPS: usize = 20_000;
        // towards χ = −1 all of the integrand is in the last few steps
        for law in joints(SLIDERS).filter(|law| law.exponent > -0.95) {
            let (chi, reach) = (law.exponent, law.macro_slip());
            let soft = law.stiffness / (1.0 + law.ratio);
            for x in [1e-3, 0.1, 0.5, 0.9, 1.0, 1.3] {
                let r = |i: usize| libm::pow((i as f64 + 0.5) / STEPS as f64, 1.0 / (chi + 1.0));
                let cells: f64 = (0..STEPS).map(|i| r(i).min(x)).sum::<f64>() / STEPS as f64;
                let force = soft * reach * (cells + law.ratio * x.min(1.0));
                assert!((law.virgin(x) - force).abs() < 1e-6 * law.mu, "{law:?} {x}: {force}");
            }
        }
    }

    /// Closed form of the loss per cycle at amplitudes below macro-slip (@segalman2005): D = 4 R A^(χ+3)/((χ+2)(χ+3)).
    #[test]
    fn the_loss_per_cycle_is_that_of_the_density() {
        for law in joints(SLIDERS) {
            let (chi, reach) = (law.exponent, law.macro_slip());
            let r = law.mu * (chi + 1.0) / (libm::pow(reach, chi + 2.0) * law.mean());
            for (part, error) in [(0.01, 0.06), (0.03, 0.03), (0.1, 0.01), (0.2, 0.005), (0.7, 0.003)] {
                let a = part * reach;
                let loss: f64 = law.each().map(|slider| slider.loss(a)).sum();
                let density = 4.0 * r * libm::pow(a, chi + 3.0) / ((chi + 2.0) * (chi + 3.0));
                assert!((loss / density - 1.0).abs() < error, "{law:?} {part}: {}", loss / density - 1.0);
            }
        }
    }
}

//! Bernoulli's beam in elements with cubic deflection and consistent mass (@przemieniecki1968, chapters 5 and 11).
//!
//! ```text
//!                     ⎡  12   6h  −12   6h ⎤               ⎡ 156   22h   54  −13h ⎤
//!   K = EI/h³ ·       ⎢      4h²  −6h  2h² ⎥,   M = ρAh/420 · ⎢       4h²  13h  −3h² ⎥,    degrees (w₀, w₀′, w₁, w₁′)
//!                     ⎢            12  −6h ⎥               ⎢             156  −22h ⎥
//!                     ⎣                4h² ⎦               ⎣                   4h² ⎦
//! ```
//!
//! Plane bending of a slender straight beam; shear and rotary inertia are neglected. Frequencies converge from above as h⁴: with
//! m elements the j-th is off by some (j π/m)⁴/1440. The stiffness is ill-conditioned, as the fourth power of the number of elements:
//! beyond some hundred, rounding costs more than the mesh gains.

use super::{Assembling, Assembly, Support};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// A slender straight beam in bending.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
pub struct Beam {
    /// Number of elements; the nodes are 0 to this number, from the left (-).
    pub elements: usize,
    /// Length L (m).
    pub length: f64,
    /// Young's modulus E (Pa).
    pub young: f64,
    /// Second moment of area I of the cross-section (m⁴).
    pub inertia: f64,
    /// Density ρ (kg/m³).
    pub density: f64,
    /// Area A of the cross-section (m²).
    pub area: f64,
    /// Support of the left end.
    #[cfg_attr(feature = "serde", serde(default = "clamped"))]
    pub left: Support,
    /// Support of the right end.
    #[cfg_attr(feature = "serde", serde(default))]
    pub right: Support,
}

#[cfg(feature = "serde")]
fn clamped() -> Support {
    Support::Clamped
}

impl Beam {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        faults.positive("elements", self.elements as f64);
        for (key, value) in [
            ("length", self.length),
            ("young", self.young),
            ("inertia", self.inertia),
            ("density", self.density),
            ("area", self.area),
        ] {
            faults.positive(key, value);
        }
        if self.elements == 1 && self.n() == 0 {
            faults.push("elements", crate::Error::Empty);
        }
    }

    /// Number of degrees of freedom.
    pub fn n(&self) -> usize {
        let held = self.left.holds().into_iter().chain(self.right.holds()).filter(|holds| *holds).count();
        self.elements.saturating_add(1).saturating_mul(2).saturating_sub(held)
    }

    /// The matrices; the degrees of freedom are deflection and slope of each node, without those that a support holds.
    pub fn assemble(&self) -> Assembly {
        let h = self.length / self.elements as f64;
        let k = self.young * self.inertia / (h * h * h);
        let m = self.density * self.area * h / 420.0;
        let stiffness = [
            [12.0, 6.0 * h, -12.0, 6.0 * h],
            [6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h],
            [-12.0, -6.0 * h, 12.0, -6.0 * h],
            [6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h],
        ]
        .map(|row| row.map(|entry| k * entry));
        let mass = [
            [156.0, 22.0 * h, 54.0, -13.0 * h],
            [22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h],
            [54.0, 13.0 * h, 156.0, -22.0 * h],
            [-13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h],
        ]
        .map(|row| row.map(|entry| m * entry));
        let is_held = |i: usize| match i / 2 {
            0 => self.left.holds()[i % 2],
            node if node == self.elements => self.right.holds()[i % 2],
            _ => false,
        };
        let mut assembling = Assembling::new((0..2 * (self.elements + 1)).map(is_held));
        for element in 0..self.elements {
            let first = 2 * element;
            assembling.add([first, first + 1, first + 2, first + 3], &mass, &stiffness);
        }
        assembling.finish(2)
    }
}

#[cfg(test)]
mod tests {
    use super::super::damping::natural_modes;
    use super::*;
    use std::f64::consts::PI;

    /// ω/ω₀ of all modes, ω₀ = √(EI/ρA)/L².
    fn frequencies(elements: usize, left: Support, right: Support) -> Vec<f64> {
        let (length, young, inertia, density, area) = (1.5, 4.0, 0.5, 6.0, 0.5);
        let beam = Beam { elements, length, young, inertia, density, area, left, right };
        let Assembly { mass, stiffness, .. } = beam.assemble();
        assert_eq!(mass.n(), beam.n());
        assert_eq!(mass.asymmetry().or(stiffness.asymmetry()), None);
        let (squares, _) = natural_modes(&mass.to_dense(), &stiffness.to_dense()).unwrap();
        let unit = (young * inertia / (density * area)).sqrt() / (length * length);
        squares.iter().map(|square| square.abs().sqrt() / unit).collect()
    }

    #[test]
    fn a_pinned_beam_converges_to_its_frequencies_as_the_head_says() {
        for elements in [8, 16] {
            let found = frequencies(elements, Support::Pinned, Support::Pinned);
            for j in 1..=3 {
                let exact = (PI * j as f64).powi(2);
                let predicted = (PI * j as f64 / elements as f64).powi(4) / 1440.0;
                let error = found[j - 1] / exact - 1.0;
                // the next order of the error, and the rounding of an ill-conditioned matrix
                assert!(
                    (error - predicted).abs() < 0.2 * predicted + 1e-10,
                    "{elements}, {j}: {error:e} {predicted:e}"
                );
            }
        }
    }

    /// (βL)² of the first mode from cos βL cosh βL = ∓1 and tan βL = tanh βL.
    #[test]
    fn every_pair_of_supports_has_its_first_frequency() {
        use Support::{Clamped, Free, Pinned};
        for (left, right, rigid, root) in [
            (Clamped, Free, 0, 1.875_104_068_711_961),
            (Free, Clamped, 0, 1.875_104_068_711_961),
            (Clamped, Clamped, 0, 4.730_040_744_862_704),
            (Clamped, Pinned, 0, 3.926_602_312_047_919),
            (Pinned, Free, 1, 3.926_602_312_047_919),
            (Free, Free, 2, 4.730_040_744_862_704),
        ] {
            let found = frequencies(16, left, right);
            let error = found[rigid] / (root * root) - 1.0;
            assert!((0.0..1e-4).contains(&error), "{left:?} {right:?}: {error:e}");
            // the root of round-off
            assert!(found[..rigid].iter().all(|omega| *omega < 1e-3), "{left:?} {right:?}: {found:?}");
        }
    }

    #[test]
    fn a_beam_of_one_element_that_is_held_everywhere_is_refused() {
        let beam = Beam {
            elements: 1,
            length: 1.0,
            young: 1.0,
            inertia: 1.0,
            density: 1.0,
            area: 1.0,
            left: Support::Clamped,
            right: Support::Clamped,
        };
        assert_eq!(Faults::of(|faults| beam.check(faults)).len(), 1);
        let none = Beam { elements: 0, right: Support::Free, ..beam };
        assert!(!Faults::of(|faults| none.check(faults)).is_empty());
    }
}

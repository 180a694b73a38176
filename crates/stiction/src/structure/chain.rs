//! Masses in a row, joined by springs to their neighbours and to the ground.
//!
//! ```text
//!   ▓─k─m─k─m─k─m─k─▓        a fixed end has a spring to a wall, a free one has none
//!       g   g   g            springs to the ground
//!   ▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
//! ```
//!
//! With friction on a belt under every mass this is the model of Burridge and Knopoff (@burridge1967).

use super::{Assembling, Assembly};
use crate::{Error, Faults};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Masses in a row, joined by equal springs.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The masses, nodes of the chain (kg).
    pub mass: Vec<f64>,
    /// Each spring between neighbours, and to the wall at a fixed end (N/m).
    pub stiffness: f64,
    /// Each spring from a mass to the ground (N/m).
    pub ground: f64,
    /// End before the first mass.
    pub left: ChainEnd,
    /// End after the last mass.
    pub right: ChainEnd,
}

/// An end of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum ChainEnd {
    /// Tied to a wall by a spring.
    Fixed,
    /// Not tied.
    #[default]
    Free,
}

impl Chain {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        if self.mass.is_empty() {
            faults.push("mass", Error::TooFew { found: 0, least: 1, of: "masses" });
        }
        let _ = self.mass.iter().all(|mass| faults.positive("mass", *mass));
        faults.not_negative("stiffness", self.stiffness);
        faults.not_negative("ground", self.ground);
    }

    /// Number of degrees of freedom.
    pub fn n(&self) -> usize {
        self.mass.len()
    }

    /// The matrices.
    pub fn assemble(&self) -> Assembly {
        let mut assembling = Assembling::new(self.mass.iter().map(|_| false));
        let k = self.stiffness;
        for (i, mass) in self.mass.iter().enumerate() {
            let is_tied = (
                i == 0 && self.left == ChainEnd::Fixed,
                i + 1 == self.mass.len() && self.right == ChainEnd::Fixed,
            );
            let walls = f64::from(u8::from(is_tied.0) + u8::from(is_tied.1));
            assembling.add([i], &[[*mass]], &[[self.ground + k * walls]]);
            if i > 0 {
                assembling.add([i - 1, i], &[[0.0; 2]; 2], &[[k, -k], [-k, k]]);
            }
        }
        assembling.finish(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_between_walls_has_the_matrices_of_the_textbook() {
        let chain = Chain {
            mass: vec![2.0, 3.0, 4.0],
            stiffness: 5.0,
            ground: 1.0,
            left: ChainEnd::Fixed,
            right: ChainEnd::Free,
        };
        let Assembly { mass, stiffness, nodes } = chain.assemble();
        assert_eq!(mass.to_dense().data, [2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0]);
        assert_eq!(stiffness.to_dense().data, [11.0, -5.0, 0.0, -5.0, 11.0, -5.0, 0.0, -5.0, 6.0]);
        assert_eq!(nodes, [Some(0), Some(1), Some(2)]);
        let both = Chain { mass: vec![2.0], right: ChainEnd::Fixed, ..chain };
        assert_eq!(both.assemble().stiffness.to_dense().data, [11.0]);
    }
}

//! Models of structures: chains, beams and plates from a few numbers, and their reduction to the motion that
//! matters.
//!
//! A generator is plain data with `check`; its [`Assembly`] holds the sparse mass and stiffness matrices, and
//! which degree of freedom each node has.
//!
//! ```
//! use stiction::structure::{Beam, Support};
//!
//! let beam = Beam {
//!     elements: 20,
//!     length: 1.0,
//!     young: 210e9,
//!     inertia: 1e-10,
//!     density: 7800.0,
//!     area: 1e-4,
//!     left: Support::Clamped,
//!     right: Support::Free,
//! };
//! let assembly = beam.assemble();
//! assert_eq!(assembly.nodes[0], None); // clamped
//! assert_eq!(assembly.nodes[20], Some(38)); // deflection of the tip
//! ```

mod beam;
mod chain;
mod damping;
mod plate;
mod reduce;

pub use beam::Beam;
pub use chain::{Chain, ChainEnd};
pub use damping::{StructuralDamping, StructuralModel};
pub use plate::Plate;
pub use reduce::{Reduced, ReducedSize, Reduction, ReductionReport};

use crate::math::SparseMatrix;

/// Support of an end of a beam, or of an edge of a plate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "kebab-case")
)]
pub enum Support {
    /// Neither deflects nor turns.
    Clamped,
    /// Turns, but does not deflect.
    Pinned,
    /// Deflects and turns.
    #[default]
    Free,
}

impl Support {
    /// Whether deflection and slope are held.
    fn holds(self) -> [bool; 2] {
        [self != Self::Free, self == Self::Clamped]
    }
}

/// The matrices of a structure, and what its degrees of freedom are.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// Mass matrix M (kg).
    pub mass: SparseMatrix,
    /// Stiffness matrix K (N/m).
    pub stiffness: SparseMatrix,
    /// Degree of freedom that displaces each node; none where a support holds it.
    pub nodes: Vec<Option<usize>>,
}

impl Assembly {
    /// The motion of all nodes together: 1 for displacements, 0 for rotations (-).
    pub fn together(&self) -> Vec<f64> {
        let mut direction = vec![0.0; self.mass.n()];
        self.nodes.iter().flatten().for_each(|&dof| direction[dof] = 1.0);
        direction
    }
}

/// Matrices under way: element after element, with numbers for the degrees of freedom that no support holds.
struct Assembling {
    /// Number of each degree of freedom; none if it is held.
    numbers: Vec<Option<usize>>,
    n: usize,
    mass: Vec<(usize, usize, f64)>,
    stiffness: Vec<(usize, usize, f64)>,
}

impl Assembling {
    /// Begins with as many degrees of freedom as there are entries; `true` stands for one that is held.
    fn new(is_held: impl Iterator<Item = bool>) -> Self {
        let mut n = 0;
        let numbers = is_held
            .map(|is_held| {
                n += usize::from(!is_held);
                (!is_held).then(|| n - 1)
            })
            .collect();
        Self { numbers, n, mass: Vec::new(), stiffness: Vec::new() }
    }

    /// Adds an element's matrices, whose rows belong to these degrees of freedom.
    fn add<const N: usize>(&mut self, at: [usize; N], mass: &[[f64; N]; N], stiffness: &[[f64; N]; N]) {
        for a in 0..N {
            for b in 0..N {
                if let (Some(i), Some(j)) = (self.numbers[at[a]], self.numbers[at[b]]) {
                    self.mass.push((i, j, mass[a][b]));
                    self.stiffness.push((i, j, stiffness[a][b]));
                }
            }
        }
    }

    /// The matrices; each node is displaced by every `each`-th degree of freedom.
    fn finish(self, each: usize) -> Assembly {
        let matrix =
            |entries| SparseMatrix::new(self.n, entries).unwrap_or_else(|| SparseMatrix::zeros(self.n));
        Assembly {
            mass: matrix(&self.mass),
            stiffness: matrix(&self.stiffness),
            nodes: self.numbers.iter().step_by(each).copied().collect(),
        }
    }
}

//! Damping of a structure: a matrix, Rayleigh's two numbers, or a ratio for each natural mode (@rayleigh1877,
//! @caughey1965).
//!
//! ```text
//!   C = αM + βK,      C = Σ 2 ζⱼ ωⱼ (M φⱼ)(M φⱼ)ᵀ,     K φⱼ = ωⱼ² M φⱼ,   φⱼᵀ M φⱼ = 1
//! ```

use crate::math::dense::{dot, factor};
use crate::math::symmetric::eigen;
use crate::math::{Matrix, SparseMatrix};
use crate::{Error, Faults};

/// Mass, damping and stiffness of a structure, sparse.
#[derive(Clone, Debug, PartialEq)]
pub struct StructuralModel {
    /// Mass matrix M, symmetric and positive definite (kg).
    pub mass: SparseMatrix,
    /// Damping (N s/m).
    pub damping: StructuralDamping,
    /// Stiffness matrix K, symmetric (N/m).
    pub stiffness: SparseMatrix,
}

/// Damping of a structure.
#[derive(Clone, Debug, PartialEq)]
pub enum StructuralDamping {
    /// The matrix C (N s/m).
    Matrix(SparseMatrix),
    /// C = alpha M + beta K.
    Rayleigh {
        /// Multiple of the mass matrix (1/s).
        alpha: f64,
        /// Multiple of the stiffness matrix (s).
        beta: f64,
    },
    /// Damping ratios of the modes from the lowest on, the last one for all that follow (-).
    Modal(Vec<f64>),
}

impl StructuralModel {
    /// Writes every fault into `faults`, but for what a factorisation would find.
    pub fn check(&self, faults: &mut Faults) {
        let n = self.mass.n();
        if n == 0 {
            faults.push("mass", Error::Empty);
            return;
        }
        let damping = match &self.damping {
            StructuralDamping::Matrix(matrix) => Some(("damping", matrix)),
            _ => None,
        };
        for (key, matrix) in [("mass", &self.mass), ("stiffness", &self.stiffness)].into_iter().chain(damping)
        {
            if matrix.n() != n {
                faults.push(key, Error::Shape { rows: matrix.n(), columns: matrix.n(), expected: n });
            } else if let Some(value) = matrix.not_finite() {
                faults.push(key, Error::NotFinite(value));
            } else if let Some([row, column]) = matrix.asymmetry().filter(|_| key != "damping") {
                faults.push(key, Error::NotSymmetric { row, column });
            }
        }
    }

    /// The damping matrix; `None` if the mass matrix is not positive definite, or sizes differ.
    pub fn damping_matrix(&self) -> Option<Matrix> {
        match &self.damping {
            StructuralDamping::Matrix(matrix) => Some(matrix.to_dense()),
            StructuralDamping::Rayleigh { alpha, beta } => {
                let fits = self.mass.n() == self.stiffness.n();
                fits.then(|| self.mass.combined(*alpha, *beta, &self.stiffness).to_dense())
            }
            StructuralDamping::Modal(ratios) => {
                modal_damping(&self.mass.to_dense(), &self.stiffness.to_dense(), ratios)
            }
        }
    }
}

impl StructuralDamping {
    /// Whether the error of a reduction has a bound: the damping couples no modes.
    pub(super) fn is_bounded(&self) -> bool {
        !matches!(self, Self::Matrix(_))
    }

    /// Damping matrix in coordinates of unit mass and these stiffnesses, whose columns are `basis`.
    pub(super) fn in_modes(&self, squares: &[f64], basis: &[Vec<f64>]) -> Matrix {
        let r = squares.len();
        match self {
            Self::Rayleigh { alpha, beta } => {
                Matrix::diagonal(&squares.iter().map(|square| alpha + beta * square).collect::<Vec<_>>())
            }
            Self::Modal(ratios) => {
                let size = |(j, square): (usize, &f64)| 2.0 * ratio(ratios, j) * square.max(0.0).sqrt();
                Matrix::diagonal(&squares.iter().enumerate().map(size).collect::<Vec<_>>())
            }
            Self::Matrix(matrix) => {
                let mut inner = Matrix::zeros(r, r);
                for (j, column) in basis.iter().enumerate() {
                    let image = matrix.product(column);
                    (0..r).for_each(|i| *inner.at_mut(i, j) = dot(&basis[i], &image));
                }
                inner
            }
        }
    }
}

/// The ratio of mode `j`: the last one holds for all that follow.
fn ratio(ratios: &[f64], j: usize) -> f64 {
    ratios.get(j).or(ratios.last()).copied().unwrap_or(0.0)
}

/// The damping matrix whose modes have these ratios, from the lowest on, the last one for all that follow.
/// `None` if the mass matrix is not positive definite. A mode without stiffness is not damped.
fn modal_damping(mass: &Matrix, stiffness: &Matrix, ratios: &[f64]) -> Option<Matrix> {
    let n = mass.n_rows;
    let (squares, shapes) = natural_modes(mass, stiffness)?;
    let mut damping = Matrix::zeros(n, n);
    for (j, square) in squares.iter().enumerate() {
        let size = 2.0 * ratio(ratios, j) * square.max(0.0).sqrt();
        for i in 0..n {
            let factor = size * shapes.at(i, j);
            (0..=i).for_each(|k| *damping.at_mut(i, k) += factor * shapes.at(k, j));
        }
    }
    for i in 0..n {
        (0..i).for_each(|k| *damping.at_mut(k, i) = damping.at(i, k));
    }
    Some(damping)
}

/// ω² of all modes, ascending, and the columns M φ. `None` if the mass matrix is not positive definite, or
/// sizes differ.
pub(super) fn natural_modes(mass: &Matrix, stiffness: &Matrix) -> Option<(Vec<f64>, Matrix)> {
    let n = mass.n_rows;
    if [mass.n_cols, stiffness.n_rows, stiffness.n_cols] != [n; 3] {
        return None;
    }
    let mut lower = mass.data.clone();
    if !factor(&mut lower, n, 0.0) {
        return None;
    }
    // L⁻¹ K L⁻ᵀ, which is symmetric: L⁻¹ on the rows, twice
    let mut inner = stiffness.clone();
    for _ in 0..2 {
        for row in inner.data.chunks_mut(n) {
            for i in 0..n {
                let l = &lower[i * n..];
                row[i] = (row[i] - dot(&l[..i], &row[..i])) / l[i];
            }
        }
        inner = transposed(&inner);
    }
    let (squares, vectors) = eigen(&inner)?;
    let mut shapes = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            *shapes.at_mut(i, j) = (0..=i).map(|k| lower[i * n + k] * vectors.at(k, j)).sum();
        }
    }
    Some((squares, shapes))
}

fn transposed(a: &Matrix) -> Matrix {
    let mut t = Matrix::zeros(a.n_cols, a.n_rows);
    for i in 0..a.n_rows {
        (0..a.n_cols).for_each(|j| *t.at_mut(j, i) = a.at(i, j));
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_degree_of_freedom_has_the_damping_of_the_textbook() {
        let damping = modal_damping(&Matrix::diagonal(&[2.0]), &Matrix::diagonal(&[8.0]), &[0.1]).unwrap();
        // c = 2 ζ √(k m)
        assert!((damping.at(0, 0) - 0.8).abs() < 1e-15);
    }

    /// With ζⱼ = ½(α/ωⱼ + βωⱼ) the damping is Rayleigh's.
    #[test]
    fn the_ratios_of_rayleigh_damping_give_rayleigh_damping() {
        let mass = Matrix { n_rows: 3, n_cols: 3, data: vec![2.0, 0.5, 0.0, 0.5, 1.0, 0.1, 0.0, 0.1, 3.0] };
        let stiffness =
            Matrix { n_rows: 3, n_cols: 3, data: vec![5.0, -2.0, 0.0, -2.0, 4.0, -1.0, 0.0, -1.0, 7.0] };
        let (alpha, beta) = (0.3, 0.02);
        let (squares, _) = natural_modes(&mass, &stiffness).unwrap();
        let ratio = |square: &f64| 0.5 * (alpha / square.sqrt() + beta * square.sqrt());
        let ratios: Vec<f64> = squares.iter().map(ratio).collect();
        let damping = modal_damping(&mass, &stiffness, &ratios).unwrap();
        for i in 0..9 {
            let expected = alpha * mass.data[i] + beta * stiffness.data[i];
            assert!((damping.data[i] - expected).abs() < 1e-14, "{i}: {} {expected}", damping.data[i]);
        }
    }
}

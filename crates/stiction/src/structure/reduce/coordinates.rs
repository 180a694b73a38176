//! Coordinates of a reduced model that keep degrees of freedom of the full one as they are.

use super::DEPENDENT;
use crate::math::dense::{Matrix, dot};

/// Coordinates x of a reduced model, of which the first are degrees of freedom of the full one: z = S x, with
/// T_a S = (I 0) for the rows T_a of T that are reported.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    n_reported: usize,
    /// S and its inverse.
    forward: Matrix,
    inverse: Matrix,
}

impl Coordinates {
    /// `None` if the degrees of freedom that are reported depend on each other.
    pub fn new(basis: &[Vec<f64>], reported: &[usize]) -> Option<Self> {
        let (r, p) = (basis.len(), reported.len());
        if p > r {
            return None;
        }
        // reflections Q that bring the rows to T_a Q = (L 0)
        let mut rows: Vec<Vec<f64>> =
            reported.iter().map(|&dof| basis.iter().map(|column| column[dof]).collect()).collect();
        let mut q: Vec<Vec<f64>> =
            (0..r).map(|i| (0..r).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        for a in 0..p {
            let length = dot(&rows[a][a..], &rows[a][a..]).sqrt();
            if length <= DEPENDENT * dot(&rows[a], &rows[a]).sqrt() {
                return None;
            }
            let mut u = vec![0.0; r];
            u[a..].copy_from_slice(&rows[a][a..]);
            u[a] += length.copysign(u[a]);
            let half = 0.5 * dot(&u, &u);
            for row in rows.iter_mut().chain(q.iter_mut()) {
                let factor = dot(row, &u) / half;
                row.iter_mut().zip(&u).for_each(|(x, u)| *x -= factor * u);
            }
        }
        // S = Q diag(L⁻¹, I), S⁻¹ = diag(L, I) Qᵀ
        let (mut forward, mut inverse) = (Matrix::zeros(r, r), Matrix::zeros(r, r));
        for (i, row) in q.iter_mut().enumerate() {
            for j in 0..r {
                *inverse.at_mut(j, i) = if j < p { dot(&rows[j][..=j], &row[..=j]) } else { row[j] };
            }
            for j in (0..p).rev() {
                let rest: f64 = (j + 1..p).map(|k| row[k] * rows[k][j]).sum();
                row[j] = (row[j] - rest) / rows[j][j];
            }
            (0..r).for_each(|j| *forward.at_mut(i, j) = row[j]);
        }
        Some(Self { n_reported: p, forward, inverse })
    }

    /// Sᵀ z: a force.
    pub fn force(&self, modal: &[f64]) -> Vec<f64> {
        let r = modal.len();
        (0..r).map(|j| (0..r).map(|i| self.forward.at(i, j) * modal[i]).sum()).collect()
    }

    /// S⁻¹ z: a state.
    pub fn of(&self, modal: &[f64]) -> Vec<f64> {
        (0..modal.len()).map(|i| dot(self.inverse.row(i), modal)).collect()
    }

    /// Sᵀ A S, symmetric if A is.
    pub fn congruent(&self, inner: &Matrix) -> Matrix {
        let r = inner.n_rows;
        let column = |j: usize| -> Vec<f64> { (0..r).map(|i| self.forward.at(i, j)).collect() };
        let columns: Vec<Vec<f64>> = (0..r).map(column).collect();
        let mut outer = Matrix::zeros(r, r);
        for (j, column) in columns.iter().enumerate() {
            let mut image = vec![0.0; r];
            inner.add_product(1.0, column, &mut image);
            (0..r).for_each(|i| *outer.at_mut(i, j) = dot(&columns[i], &image));
        }
        if inner.asymmetry().is_none() {
            for i in 0..r {
                (0..i).for_each(|j| *outer.at_mut(j, i) = outer.at(i, j));
            }
        }
        outer
    }

    /// SᵀS, of which all but the first block is the unit matrix.
    pub fn mass(&self) -> Matrix {
        let r = self.forward.n_rows;
        let mut mass = self.congruent(&Matrix::diagonal(&vec![1.0; r]));
        for i in 0..r {
            for j in 0..r {
                if i.max(j) >= self.n_reported {
                    *mass.at_mut(i, j) = f64::from(u8::from(i == j));
                }
            }
        }
        mass
    }
}

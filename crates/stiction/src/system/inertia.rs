//! The inverse of the mass matrix, as cheap as the matrix allows.

use crate::math::dense::{Cholesky, Matrix};

/// The inverse of the mass matrix.
#[derive(Clone, Debug)]
pub(crate) enum Inertia {
    /// Reciprocals of the diagonal.
    Diagonal(Vec<f64>),
    /// The Cholesky factor of a full matrix.
    Full(Cholesky),
}

impl Inertia {
    /// Prepares `mass`; `None` if it is not positive definite.
    pub fn new(mass: &Matrix) -> Option<Self> {
        let n = mass.n_rows;
        let is_diagonal = (0..n).all(|i| (0..n).all(|j| i == j || mass.at(i, j) == 0.0));
        if !is_diagonal {
            return Cholesky::new(mass).map(Self::Full);
        }
        let is_positive = (0..n).all(|i| mass.at(i, i) > 0.0);
        is_positive.then(|| Self::Diagonal((0..n).map(|i| 1.0 / mass.at(i, i)).collect()))
    }

    /// `M⁻¹ x` of one degree of freedom.
    #[inline]
    pub fn solve_one(&self, x: f64) -> f64 {
        match self {
            Self::Diagonal(inverse) => x * inverse[0],
            Self::Full(factor) => {
                let mut x = [x];
                factor.solve(&mut x);
                x[0]
            }
        }
    }

    /// Replaces `x` by `M⁻¹ x`.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        match self {
            Self::Diagonal(inverse) => x.iter_mut().zip(inverse).for_each(|(x, inverse)| *x *= inverse),
            Self::Full(factor) => factor.solve(x),
        }
    }
}

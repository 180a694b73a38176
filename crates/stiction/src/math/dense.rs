//! Small dense matrices, row-major, and the factorisations that run inside steps.
//!
//! Written here because the inner loops must factor and solve in storage that exists already; the sizes are
//! small.

/// A dense matrix, row-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub n_rows: usize,
    /// Number of columns.
    pub n_cols: usize,
    /// The entries, row after row.
    pub data: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(n_rows: usize, n_cols: usize) -> Self {
        Self { n_rows, n_cols, data: vec![0.0; n_rows * n_cols] }
    }

    /// A square matrix with `diagonal` on its diagonal.
    pub fn diagonal(diagonal: &[f64]) -> Self {
        let mut matrix = Self::zeros(diagonal.len(), diagonal.len());
        for (i, &value) in diagonal.iter().enumerate() {
            *matrix.at_mut(i, i) = value;
        }
        matrix
    }

    /// The entry in row `i`, column `j`.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.n_cols + j]
    }

    /// The entry in row `i`, column `j`, to be written.
    #[inline]
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.data[i * self.n_cols + j]
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.n_cols..(i + 1) * self.n_cols]
    }

    /// `out += scale · self · x`.
    #[inline]
    pub fn add_product(&self, scale: f64, x: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out += scale * dot(self.row(i), x);
        }
    }

    /// The largest row sum of absolute values.
    pub fn norm(&self) -> f64 {
        (0..self.n_rows).map(|i| self.row(i).iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
    }

    /// The first pair of places that break the symmetry by more than rounding.
    pub fn asymmetry(&self) -> Option<[usize; 2]> {
        for i in 0..self.n_rows {
            for j in 0..i {
                let (a, b) = (self.at(i, j), self.at(j, i));
                if (a - b).abs() > 1e-12 * a.abs().max(b.abs()) {
                    return Some([i, j]);
                }
            }
        }
        None
    }
}

/// `x · y`.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// The Cholesky factor of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    n: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors `matrix`; `None` if it is not positive definite.
    pub fn new(matrix: &Matrix) -> Option<Self> {
        let n = matrix.n_rows;
        let mut lower = matrix.data.clone();
        factor(&mut lower, n, 0.0).then_some(Self { n, lower })
    }

    /// Replaces `x` by the solution of `A y = x`.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        solve(&self.lower, self.n, x);
    }
}

/// Overwrites the lower triangle of the n×n `a` by its Cholesky factor. Returns whether every pivot was above
/// `floor` times its diagonal entry.
pub(crate) fn factor(a: &mut [f64], n: usize, floor: f64) -> bool {
    for j in 0..n {
        let before = a[j * n + j];
        let pivot = before - dot(&a[j * n..j * n + j], &a[j * n..j * n + j]);
        if !(pivot > floor * before && pivot > 0.0) {
            return false;
        }
        let root = pivot.sqrt();
        a[j * n + j] = root;
        for i in j + 1..n {
            let (upper, lower) = a.split_at_mut(i * n);
            lower[j] = (lower[j] - dot(&lower[..j], &upper[j * n..j * n + j])) / root;
        }
    }
    true
}

/// Solves with the factor of [`factor`].
#[inline]
pub(crate) fn solve(lower: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = (x[i] - dot(&lower[i * n..i * n + i], &x[..i])) / lower[i * n + i];
    }
    for i in (0..n).rev() {
        x[i] /= lower[i * n + i];
        for j in 0..i {
            x[j] -= lower[i * n + j] * x[i];
        }
    }
}

/// Solves the n×n system `a x = b` by elimination with row exchange, in place: `a` is destroyed, `b` becomes
/// `x`. Returns whether a solution was found.
pub(crate) fn eliminate(a: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[p * n + k].abs() {
                p = i;
            }
        }
        let pivot = a[p * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        if p != k {
            for j in k..n {
                a.swap(k * n + j, p * n + j);
            }
            b.swap(k, p);
        }
        for i in k + 1..n {
            let ratio = a[i * n + k] / pivot;
            if ratio != 0.0 {
                for j in k + 1..n {
                    a[i * n + j] -= ratio * a[k * n + j];
                }
                b[i] -= ratio * b[k];
            }
        }
    }
    for i in (0..n).rev() {
        let rest = dot(&a[i * n + i + 1..(i + 1) * n], &b[i + 1..n]);
        b[i] = (b[i] - rest) / a[i * n + i];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A well-conditioned symmetric matrix and a vector, n = 5, with entries that differ.
    fn problem() -> (Matrix, Vec<f64>) {
        let n = 5;
        let mut a = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..n {
                *a.at_mut(i, j) = 1.0 / (1.0 + i as f64 + j as f64) + if i == j { 2.0 } else { 0.0 };
            }
        }
        (a, vec![1.0, -2.0, 0.5, 3.0, -1.0])
    }

    #[test]
    fn both_solvers_satisfy_the_equations() {
        let (a, b) = problem();
        let mut x = b.clone();
        Cholesky::new(&a).unwrap().solve(&mut x);
        let mut y = b.clone();
        assert!(eliminate(&mut a.data.clone(), 5, &mut y));
        for x in [x, y] {
            let mut residual: Vec<f64> = b.iter().map(|b| -b).collect();
            a.add_product(1.0, &x, &mut residual);
            assert!(residual.iter().all(|r| r.abs() < 1e-14), "{residual:?}");
        }
    }

    #[test]
    fn elimination_exchanges_rows_and_sees_singular_matrices() {
        let mut b = [3.0, 5.0];
        assert!(eliminate(&mut [0.0, 1.0, 2.0, 0.0], 2, &mut b));
        assert_eq!(b, [2.5, 3.0]);
        assert!(!eliminate(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 1.0]));
    }

    #[test]
    fn an_indefinite_matrix_has_no_cholesky_factor() {
        let matrix = Matrix { n_rows: 2, n_cols: 2, data: vec![1.0, 2.0, 2.0, 1.0] };
        assert!(Cholesky::new(&matrix).is_none());
    }
}

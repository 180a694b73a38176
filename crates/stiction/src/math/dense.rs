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

    /// The entries in these rows and columns.
    pub fn block(&self, rows: &[usize], columns: &[usize]) -> Self {
        let data = rows.iter().flat_map(|i| columns.iter().map(|j| self.at(*i, *j))).collect();
        Self { n_rows: rows.len(), n_cols: columns.len(), data }
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.n_cols..(i + 1) * self.n_cols]
    }

    /// Row `i`, to be written.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.n_cols..(i + 1) * self.n_cols]
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

/// `x · y` in four sums side by side, which the processor adds at once.
pub(crate) fn quick_dot(x: &[f64], y: &[f64]) -> f64 {
    let (xs, ys) = (x.chunks_exact(4), y.chunks_exact(4));
    let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in xs.zip(ys) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
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
        // the rows below, four at a time: their sums do not wait for each other
        let (above, below) = a.split_at_mut((j + 1) * n);
        let row = &above[j * n..j * n + j];
        let mut fours = below.chunks_exact_mut(4 * n);
        for four in &mut fours {
            let (a, rest) = four.split_at_mut(n);
            let (b, rest) = rest.split_at_mut(n);
            let (c, d) = rest.split_at_mut(n);
            let mut sums = [0.0; 4];
            for ((((x, a), b), c), d) in row.iter().zip(&*a).zip(&*b).zip(&*c).zip(&*d) {
                sums = [sums[0] + a * x, sums[1] + b * x, sums[2] + c * x, sums[3] + d * x];
            }
            for (row, sum) in [a, b, c, d].into_iter().zip(sums) {
                row[j] = (row[j] - sum) / root;
            }
        }
        for other in fours.into_remainder().chunks_exact_mut(n) {
            other[j] = (other[j] - dot(&other[..j], row)) / root;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A well-conditioned symmetric matrix and a vector, with entries that differ.
    fn problem(n: usize) -> (Matrix, Vec<f64>) {
        let mut a = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..n {
                *a.at_mut(i, j) = 1.0 / (1.0 + i as f64 + j as f64) + if i == j { 2.0 } else { 0.0 };
            }
        }
        (a, (0..n).map(|i| libm::sin(1.0 + 2.0 * i as f64)).collect())
    }

    #[test]
    fn the_solution_satisfies_the_equations() {
        // with and without rows beyond the last four
        for n in 1..=11 {
            let (a, b) = problem(n);
            let mut x = b.clone();
            Cholesky::new(&a).unwrap().solve(&mut x);
            let mut residual: Vec<f64> = b.iter().map(|b| -b).collect();
            a.add_product(1.0, &x, &mut residual);
            assert!(residual.iter().all(|r| r.abs() < 1e-14), "n = {n}: {residual:?}");
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_cholesky_factor() {
        let matrix = Matrix { n_rows: 2, n_cols: 2, data: vec![1.0, 2.0, 2.0, 1.0] };
        assert!(Cholesky::new(&matrix).is_none());
    }
}

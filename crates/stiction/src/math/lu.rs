//! LU factorisation with row pivoting, in place, for full matrices of real or complex numbers.
//!
//! ```text
//!   P A = L U,     L unit lower triangular
//! ```
//!
//! Nothing is allocated after `new`.

use super::complex::Complex;
use super::dense::Matrix;
use std::ops::{Add, Mul, Sub};

/// A number that a matrix is made of.
pub(crate) trait Scalar: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    fn real(x: f64) -> Self;
    /// A cheap measure of size, to choose the pivot by.
    fn size(self) -> f64;
    fn reciprocal(self) -> Self;
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;

    fn real(x: f64) -> Self {
        x
    }

    fn size(self) -> f64 {
        self.abs()
    }

    fn reciprocal(self) -> Self {
        1.0 / self
    }
}

impl Scalar for Complex {
    const ZERO: Self = Self { re: 0.0, im: 0.0 };

    fn real(x: f64) -> Self {
        Self { re: x, im: 0.0 }
    }

    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    fn reciprocal(self) -> Self {
        let Self { re, im } = self;
        let s = re * re + im * im;
        Self { re: re / s, im: -im / s }
    }
}

/// Factors the n × n matrix `a` in place, L below the diagonal. Reports at each step the row that was swapped into
/// its place and the reciprocal of the pivot. Returns whether the matrix is regular and finite.
fn factor<S: Scalar>(a: &mut [S], n: usize, mut step: impl FnMut(usize, usize, S)) -> bool {
    for k in 0..n {
        let p = (k + 1..n).fold(k, |p, i| if a[i * n + k].size() > a[p * n + k].size() { i } else { p });
        let size = a[p * n + k].size();
        if !(size > 0.0 && size.is_finite()) {
            return false;
        }
        if p != k {
            for j in 0..n {
                a.swap(k * n + j, p * n + j);
            }
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let (inverse, pivot_row) = (above[k * n + k].reciprocal(), &above[k * n + k + 1..]);
        step(k, p, inverse);
        for row in below.chunks_exact_mut(n) {
            let l = row[k] * inverse;
            row[k] = l;
            row[k + 1..].iter_mut().zip(pivot_row).for_each(|(x, u)| *x = *x - l * *u);
        }
    }
    true
}

/// Overwrites `b`, whose rows have been exchanged, with the solution of L U x = b.
fn substitute<S: Scalar>(a: &[S], n: usize, b: &mut [S], inverse: impl Fn(usize) -> S) {
    let less = |from: S, row: &[S], known: &[S]| {
        row.iter().zip(known).fold(from, |rest, (a, known)| rest - *a * *known)
    };
    for i in 1..n {
        b[i] = less(b[i], &a[i * n..i * n + i], &b[..i]);
    }
    for i in (0..n).rev() {
        b[i] = less(b[i], &a[i * n + i + 1..(i + 1) * n], &b[i + 1..n]) * inverse(i);
    }
}

/// Solves the n × n system `a x = b` in place: `a` is overwritten by its factors, `b` becomes `x`. Returns whether
/// the matrix is regular and finite.
pub(crate) fn eliminate(a: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    let is_regular = factor(&mut a[..n * n], n, |k, p, _| b.swap(k, p));
    if is_regular {
        substitute(a, n, b, |i| 1.0 / a[i * n + i]);
    }
    is_regular
}

/// The sign of the determinant; 0 if the smallest pivot is below `rounding` times the largest.
pub(crate) fn determinant_sign(mut matrix: Matrix, rounding: f64) -> f64 {
    let (mut sign, mut smallest, mut largest) = (1.0, 0.0f64, f64::INFINITY);
    // in terms of reciprocals
    let is_regular = factor(&mut matrix.data, matrix.n_rows, |k, p, inverse| {
        sign *= if p == k { inverse.signum() } else { -inverse.signum() };
        (smallest, largest) = (smallest.max(inverse.abs()), largest.min(inverse.abs()));
    });
    if is_regular && largest > rounding * smallest { sign } else { 0.0 }
}

/// A square matrix and, after `factor`, its LU factors.
pub(crate) struct Lu<S> {
    n: usize,
    /// The matrix, row after row; `factor` overwrites it.
    pub a: Vec<S>,
    /// The row that was swapped into place k at step k.
    pivot: Vec<usize>,
    /// 1/u_kk, so that solving divides nothing.
    diagonal: Vec<S>,
}

impl<S: Scalar> Lu<S> {
    pub fn new(n: usize) -> Self {
        Self { n, a: vec![S::ZERO; n * n], pivot: vec![0; n], diagonal: vec![S::ZERO; n] }
    }

    /// Factors the matrix in place. Returns whether it is regular and finite.
    pub fn factor(&mut self) -> bool {
        let Self { n, a, pivot, diagonal } = self;
        factor(&mut a[..*n * *n], *n, |k, p, inverse| (pivot[k], diagonal[k]) = (p, inverse))
    }

    /// Overwrites `b` with the solution x of A x = b.
    pub fn solve(&self, b: &mut [S]) {
        for (k, p) in self.pivot.iter().enumerate() {
            b.swap(k, *p);
        }
        substitute(&self.a, self.n, b, |k| self.diagonal[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of an elimination with n ≤ 6 and entries of order one.
    const ROUNDING: f64 = 1e-12;

    /// A fixed stream of numbers in (−1, 1).
    fn stream() -> impl FnMut() -> f64 {
        let mut s = 0x2545_f491_4f6c_dd1d_u64;
        move || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    fn residual<S: Scalar>(n: usize, mut number: impl FnMut() -> S) -> f64 {
        let mut lu = Lu::new(n);
        lu.a.iter_mut().for_each(|a| *a = number());
        // the first pivot must be searched for
        lu.a[0] = S::ZERO;
        if n == 1 {
            lu.a[0] = number();
        }
        let matrix = lu.a.clone();
        let b: Vec<S> = (0..n).map(|_| number()).collect();
        let mut x = b.clone();
        assert!(lu.factor());
        lu.solve(&mut x);
        (0..n)
            .map(|i| (0..n).fold(S::ZERO - b[i], |s, j| s + matrix[i * n + j] * x[j]).size())
            .fold(0.0, f64::max)
    }

    #[test]
    fn the_solution_satisfies_the_equations() {
        for n in 1..=6 {
            let mut r = stream();
            assert!(residual(n, &mut r) < ROUNDING, "real, n = {n}");
            let complex = residual(n, || Complex { re: r(), im: r() });
            assert!(complex < ROUNDING, "complex, n = {n}");
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::new(2);
        lu.a.copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(!lu.factor());
        lu.a.copy_from_slice(&[f64::NAN, 2.0, 2.0, 4.0]);
        assert!(!lu.factor());
    }

    #[test]
    fn elimination_exchanges_rows_and_sees_singular_matrices() {
        let mut b = [3.0, 5.0];
        assert!(eliminate(&mut [0.0, 1.0, 2.0, 0.0], 2, &mut b));
        assert_eq!(b, [2.5, 3.0]);
        assert!(!eliminate(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 1.0]));
    }
}

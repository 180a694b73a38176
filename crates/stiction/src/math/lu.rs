//! LU factorisation with row pivoting, in place, for small full matrices of real or complex numbers.
//!
//! ```text
//!   P A = L U,     L unit lower triangular
//! ```
//!
//! Nothing is allocated after `new`.

use crate::math::complex::Complex;
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
        let n = self.n;
        let a = &mut self.a[..n * n];
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[i * n + k].size() > a[p * n + k].size() {
                    p = i;
                }
            }
            self.pivot[k] = p;
            let size = a[p * n + k].size();
            if !(size > 0.0 && size.is_finite()) {
                return false;
            }
            if p != k {
                for j in 0..n {
                    a.swap(k * n + j, p * n + j);
                }
            }
            let inverse = a[k * n + k].reciprocal();
            self.diagonal[k] = inverse;
            for i in k + 1..n {
                let l = a[i * n + k] * inverse;
                a[i * n + k] = l;
                for j in k + 1..n {
                    a[i * n + j] = a[i * n + j] - l * a[k * n + j];
                }
            }
        }
        true
    }

    /// Overwrites `b` with the solution x of A x = b.
    pub fn solve(&self, b: &mut [S]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivot[k]);
        }
        let less = |from: S, row: &[S], known: &[S]| {
            row.iter().zip(known).fold(from, |rest, (a, known)| rest - *a * *known)
        };
        for i in 1..n {
            b[i] = less(b[i], &self.a[i * n..i * n + i], &b[..i]);
        }
        for i in (0..n).rev() {
            b[i] = less(b[i], &self.a[i * n + i + 1..(i + 1) * n], &b[i + 1..]) * self.diagonal[i];
        }
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
}

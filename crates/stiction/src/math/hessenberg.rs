//! A similar matrix without entries below the first subdiagonal, and eigenvectors by inverse iteration with it
//! (@golub2013, 7.4 and 7.6).
//!
//! ```text
//!   H = N⁻¹ D⁻¹ (A/s) D N
//! ```
//!
//! s is a power of two near the largest entry, D a diagonal of powers of two that makes rows and columns equally
//! large (@james2014), N a product of eliminations with row exchange. Scaling is free of round-off.

use super::dense::{Matrix, quick_dot};
use super::lu::Scalar;

/// A sweep of balancing stops if it lowers no norm below this part of what it was.
const WORTHWHILE: f64 = 0.95;
/// Sweeps of balancing; three are usual.
const MAX_SWEEPS: usize = 40;
/// Solutions of inverse iteration with one shift.
pub(super) const SOLUTIONS: usize = 2;

/// A Hessenberg matrix, and how it came from the matrix.
pub(crate) struct Hessenberg {
    h: Matrix,
    /// s.
    scale: f64,
    /// The diagonal of D.
    balance: Vec<f64>,
    /// N: the row that was swapped into place k + 1 at step k, and the multipliers of the rows below it.
    swaps: Vec<usize>,
    multipliers: Vec<Vec<f64>>,
}

/// The power of two next below the largest modulus; 1 for zeros.
pub(super) fn scale(entries: &[f64]) -> f64 {
    let largest = entries.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest > 0.0 && largest.is_finite() { libm::exp2(f64::from(libm::ilogb(largest))) } else { 1.0 }
}

impl Hessenberg {
    pub fn new(matrix: &Matrix) -> Self {
        let mut h = matrix.clone();
        let scale = scale(&h.data);
        h.data.iter_mut().for_each(|x| *x /= scale);
        let balance = balanced(&mut h);
        let (swaps, multipliers) = reduced(&mut h);
        Self { h, scale, balance, swaps, multipliers }
    }

    /// H and s.
    pub(super) fn parts(&self) -> (&Matrix, f64) {
        (&self.h, self.scale)
    }

    /// The vector of A that belongs to the eigenvalue `lambda`, by inverse iteration (@golub2013, 7.6): n²
    /// operations. `start` numbers the eigenvalues, so that
    /// each begins with a vector of its own.
    pub fn vector<S: Scalar>(&self, lambda: S, start: usize, shifted: &mut ShiftedHessenberg<S>) -> Vec<S> {
        shifted.factor(&self.h, lambda * S::real(1.0 / self.scale));
        // a fixed stream of numbers
        let mut x: Vec<S> =
            (0..self.h.n_rows).map(|k| S::real(libm::cos((1 + k * (start + 1)) as f64))).collect();
        for _ in 0..SOLUTIONS {
            shifted.solve(&mut x);
            let largest = x.iter().map(|x| x.size()).fold(0.0, f64::max);
            x.iter_mut().for_each(|x| *x = *x * S::real(1.0 / largest));
        }
        for (k, (swap, ratios)) in self.swaps.iter().zip(&self.multipliers).enumerate().rev() {
            let from = x[k + 1];
            x[k + 2..].iter_mut().zip(ratios).for_each(|(x, ratio)| *x = *x + from * S::real(*ratio));
            x.swap(k + 1, *swap);
        }
        x.iter_mut().zip(&self.balance).for_each(|(x, factor)| *x = *x * S::real(*factor));
        x
    }
}

/// Scales rows by powers of two and columns by their reciprocals until they are equally large; returns the
/// factors of the columns.
fn balanced(a: &mut Matrix) -> Vec<f64> {
    let n = a.n_rows;
    let mut factors = vec![1.0; n];
    for _ in 0..MAX_SWEEPS {
        let mut has_changed = false;
        for (i, whole) in factors.iter_mut().enumerate() {
            let mut column = (0..n).map(|k| a.at(k, i) * a.at(k, i)).sum::<f64>().sqrt();
            let mut row = a.row(i).iter().map(|x| x * x).sum::<f64>().sqrt();
            if !(column > 0.0 && row > 0.0 && column.is_finite() && row.is_finite()) {
                continue;
            }
            let (before, mut factor) = (column + row, 1.0);
            while column < 0.5 * row {
                (factor, column, row) = (2.0 * factor, 2.0 * column, 0.5 * row);
            }
            while column >= 2.0 * row {
                (factor, column, row) = (0.5 * factor, 0.5 * column, 2.0 * row);
            }
            if column + row < WORTHWHILE * before {
                has_changed = true;
                *whole *= factor;
                (0..n).for_each(|k| *a.at_mut(k, i) *= factor);
                a.row_mut(i).iter_mut().for_each(|x| *x /= factor);
            }
        }
        if !has_changed {
            break;
        }
    }
    factors
}

/// Eliminates all below the first subdiagonal; returns the row exchanges and the multipliers.
fn reduced(a: &mut Matrix) -> (Vec<usize>, Vec<Vec<f64>>) {
    let n = a.n_rows;
    let (mut swaps, mut multipliers) = (Vec::new(), Vec::new());
    for k in 1..n.saturating_sub(1) {
        let p = (k..n).fold(k, |p, i| if a.at(i, k - 1).abs() > a.at(p, k - 1).abs() { i } else { p });
        let pivot = a.at(p, k - 1);
        if pivot == 0.0 {
            swaps.push(k);
            multipliers.push(vec![0.0; n - k - 1]);
            continue;
        }
        if p != k {
            for j in 0..n {
                a.data.swap(k * n + j, p * n + j);
            }
            for i in 0..n {
                a.data.swap(i * n + k, i * n + p);
            }
        }
        let ratios: Vec<f64> = (k + 1..n).map(|i| a.at(i, k - 1) / pivot).collect();
        // rows less multiples of row k, and column k more those multiples of the others
        let (above, below) = a.data.split_at_mut((k + 1) * n);
        let pivot_row = &above[k * n + k + 1..];
        for (row, ratio) in below.chunks_exact_mut(n).zip(&ratios) {
            row[k - 1] = 0.0;
            row[k] -= ratio * above[k * n + k];
            row[k + 1..].iter_mut().zip(pivot_row).for_each(|(x, y)| *x -= ratio * y);
        }
        for row in a.data.chunks_exact_mut(n) {
            row[k] += quick_dot(&ratios, &row[k + 1..]);
        }
        swaps.push(p);
        multipliers.push(ratios);
    }
    (swaps, multipliers)
}

/// H − λ with its factors: U, and for each row whether it was swapped with the next one and the multiplier.
#[derive(Default)]
pub(crate) struct ShiftedHessenberg<S> {
    upper: Vec<S>,
    lower: Vec<(bool, S)>,
}

impl<S: Scalar> ShiftedHessenberg<S> {
    fn factor(&mut self, h: &Matrix, lambda: S) {
        let n = h.n_rows;
        // what a pivot may be off by anyway
        let least = f64::EPSILON * h.norm();
        self.lower.clear();
        self.upper.clear();
        self.upper.extend(h.data.iter().map(|&x| S::real(x)));
        (0..n).for_each(|i| self.upper[i * n + i] = self.upper[i * n + i] - lambda);
        for k in 0..n {
            let (above, below) = self.upper.split_at_mut((k + 1) * n);
            let row = &mut above[k * n..];
            let is_swapped = k + 1 < n && below[k].size() > row[k].size();
            if is_swapped {
                row[k..].swap_with_slice(&mut below[k..n]);
            }
            if row[k].size() < least {
                row[k] = S::real(least);
            }
            if k + 1 < n {
                let factor = below[k] * row[k].reciprocal();
                below[k..n].iter_mut().zip(&row[k..]).for_each(|(x, y)| *x = *x - factor * *y);
                self.lower.push((is_swapped, factor));
            }
        }
    }

    fn solve(&self, x: &mut [S]) {
        let n = x.len();
        for (k, &(is_swapped, factor)) in self.lower.iter().enumerate() {
            if is_swapped {
                x.swap(k, k + 1);
            }
            x[k + 1] = x[k + 1] - factor * x[k];
        }
        for i in (0..n).rev() {
            let row = &self.upper[i * n..(i + 1) * n];
            let (x, known) = x.split_at_mut(i + 1);
            let sum = row[i + 1..].iter().zip(known).fold(x[i], |sum, (u, known)| sum - *u * *known);
            x[i] = sum * row[i].reciprocal();
        }
    }
}

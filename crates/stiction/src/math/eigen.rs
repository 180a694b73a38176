//! Eigenvalues of square matrices without symmetry.

use super::complex::{Complex, complex};
use super::dense::Matrix;
use super::lu::{Lu, Scalar};

/// Both eigenvalues of [[a, b], [c, d]].
fn pair(a: Complex, b: Complex, c: Complex, d: Complex) -> [Complex; 2] {
    let half = (a - d).times(0.5);
    let middle = (a + d).times(0.5);
    let spread = (half * half + b * c).root();
    [middle + spread, middle - spread]
}

/// Rounds of inverse iteration with a shift each; two would do.
const ROUNDS: usize = 3;
/// Solutions of inverse iteration with one shift.
const SOLUTIONS: usize = 2;

/// The eigenvalue near `guess` by inverse iteration from both sides and the quotient yᵀA x/yᵀx, and by how
/// much its own rounding may move it: 64 ε |y|ᵀ|A||x|/|yᵀx|.
///
/// A matrix whose rows differ by powers of ten has small eigenvalues that QR finds to the rounding of the
/// large ones; this finds them to their own.
pub(crate) fn refined(matrix: &Matrix, guess: Complex) -> (Complex, f64) {
    let n = matrix.n_rows;
    let mut lambda = guess;
    let start: Vec<Complex> = (0..n).map(|k| complex(1.0, 1.0 / (k + 2) as f64)).collect();
    let (mut x, mut y) = (start.clone(), start);
    let [mut right, mut left] = [Lu::new(n), Lu::new(n)];
    let mut rounding = f64::INFINITY;
    for _ in 0..ROUNDS {
        // a shift that is no eigenvalue to the last bit
        let shift = lambda.times(1.0 + 1e-13);
        for i in 0..n {
            for j in 0..n {
                let unit = if i == j { shift } else { complex(0.0, 0.0) };
                right.a[i * n + j] = complex(matrix.at(i, j), 0.0) - unit;
                left.a[i * n + j] = complex(matrix.at(j, i), 0.0) - unit;
            }
        }
        if !(right.factor() && left.factor()) {
            break;
        }
        for (lu, vector) in [(&right, &mut x), (&left, &mut y)] {
            for _ in 0..2 {
                lu.solve(vector);
                let largest = vector.iter().map(|x| x.modulus()).fold(0.0, f64::max);
                vector.iter_mut().for_each(|x| *x = x.times(1.0 / largest));
            }
        }
        let (mut above, mut below, mut size) = (complex(0.0, 0.0), complex(0.0, 0.0), 0.0);
        for i in 0..n {
            below = below + y[i] * x[i];
            for (a, x) in matrix.row(i).iter().zip(&x) {
                above = above + (y[i] * *x).times(*a);
                size += (y[i] * *x).modulus() * a.abs();
            }
        }
        let square = below.modulus() * below.modulus();
        lambda = (above * below.conj()).times(1.0 / square);
        rounding = 64.0 * f64::EPSILON * size / below.modulus();
    }
    (lambda, rounding)
}

/// Sweeps per eigenvalue before the search is given up; three are usual.
const SWEEPS: usize = 60;

/// The eigenvalues of a square matrix, largest modulus first: shifted QR on its Hessenberg form (@golub2013,
/// 7.5).
pub(crate) fn eigenvalues(matrix: &Matrix) -> Vec<Complex> {
    Hessenberg::new(matrix).eigenvalues()
}

/// A similar matrix H = N⁻¹AN without entries below the first subdiagonal, by elimination (@golub2013, 7.4).
pub(crate) struct Hessenberg {
    h: Matrix,
    /// N: the row that was swapped into place k + 1 at step k, and the multipliers of the rows below it.
    swaps: Vec<usize>,
    multipliers: Vec<Vec<f64>>,
}

impl Hessenberg {
    pub fn new(matrix: &Matrix) -> Self {
        let n = matrix.n_rows;
        let mut a = matrix.clone();
        let (mut swaps, mut multipliers) = (Vec::new(), Vec::new());
        for k in 1..n.saturating_sub(1) {
            let p = (k..n).fold(k, |p, i| if a.at(i, k - 1).abs() > a.at(p, k - 1).abs() { i } else { p });
            let pivot = a.at(p, k - 1);
            if pivot == 0.0 {
                swaps.push(k);
                multipliers.push(vec![0.0; n - k - 1]);
                continue;
            }
            for j in 0..n {
                a.data.swap(k * n + j, p * n + j);
            }
            for i in 0..n {
                a.data.swap(i * n + k, i * n + p);
            }
            let ratios: Vec<f64> = (k + 1..n).map(|i| a.at(i, k - 1) / pivot).collect();
            // row by row: rows less multiples of row k, column k more those multiples of the others
            let sum = |from: f64, ratios: &[f64], row: &[f64]| {
                ratios.iter().zip(row).fold(from, |sum, (ratio, x)| sum + ratio * x)
            };
            let (above, below) = a.data.split_at_mut((k + 1) * n);
            let (above, pivot_row) = above.split_at_mut(k * n);
            for row in above.chunks_mut(n) {
                row[k] = sum(row[k], &ratios, &row[k + 1..]);
            }
            let mut corner = pivot_row[k];
            for (i, (row, ratio)) in below.chunks_mut(n).zip(&ratios).enumerate() {
                let before = sum(row[k], &ratios[..i], &row[k + 1..]) - ratio * corner;
                row[k - 1] = 0.0;
                row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]).for_each(|(x, y)| *x -= ratio * y);
                row[k] = sum(before, &ratios[i..], &row[k + 1 + i..]);
                corner += ratio * pivot_row[k + 1 + i];
            }
            pivot_row[k] = corner;
            swaps.push(p);
            multipliers.push(ratios);
        }
        Self { h: a, swaps, multipliers }
    }

    /// The vector of A that belongs to the eigenvalue `lambda`, by inverse iteration (@golub2013, 7.6): n²
    /// operations. `start` distinguishes the starts for several eigenvalues apart.
    pub fn vector<S: Scalar>(&self, lambda: S, start: usize, shifted: &mut ShiftedHessenberg<S>) -> Vec<S> {
        shifted.factor(&self.h, lambda);
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
        x
    }

    pub fn eigenvalues(&self) -> Vec<Complex> {
        let h = self.h.data.iter().map(|&x| complex(x, 0.0)).collect();
        by_sweeps(self.h.n_rows, h)
    }
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

/// The eigenvalues of a Hessenberg matrix, largest modulus first.
fn by_sweeps(n: usize, mut h: Vec<Complex>) -> Vec<Complex> {
    let mut found = Vec::with_capacity(n);
    let at = |i: usize, j: usize| i * n + j;
    let mut end = n;
    let mut sweeps = 0;
    while end > 0 {
        let hi = end - 1;
        let mut lo = hi;
        while lo > 0 {
            let around = h[at(lo, lo)].modulus() + h[at(lo - 1, lo - 1)].modulus();
            let floor = if around == 0.0 { f64::MIN_POSITIVE } else { f64::EPSILON * around };
            if h[at(lo, lo - 1)].modulus() <= floor {
                break;
            }
            lo -= 1;
        }
        if lo == hi {
            found.push(h[at(hi, hi)]);
            (end, sweeps) = (hi, 0);
            continue;
        }
        let both = pair(h[at(hi - 1, hi - 1)], h[at(hi - 1, hi)], h[at(hi, hi - 1)], h[at(hi, hi)]);
        if lo + 1 == hi {
            found.extend(both);
            (end, sweeps) = (hi - 1, 0);
            continue;
        }
        sweeps += 1;
        if sweeps > SWEEPS {
            found.extend((0..end).map(|_| complex(f64::NAN, f64::NAN)));
            break;
        }
        let last = h[at(hi, hi)];
        let shift = if sweeps % 10 == 0 {
            complex(h[at(hi, hi - 1)].modulus() + h[at(hi - 1, hi - 2)].modulus(), 0.0)
        } else if (both[0] - last).modulus() < (both[1] - last).modulus() {
            both[0]
        } else {
            both[1]
        };
        sweep(&mut h, n, lo, hi, shift);
    }
    found.sort_by(|a, b| b.modulus().total_cmp(&a.modulus()).then(b.im.total_cmp(&a.im)));
    found
}

/// One QR step on the rows and columns lo..=hi.
fn sweep(h: &mut [Complex], n: usize, lo: usize, hi: usize, shift: Complex) {
    let at = |i: usize, j: usize| i * n + j;
    for i in lo..=hi {
        h[at(i, i)] = h[at(i, i)] - shift;
    }
    let mut turns = Vec::with_capacity(hi - lo);
    for k in lo..hi {
        let (x, y) = (h[at(k, k)], h[at(k + 1, k)]);
        let r = libm::hypot(x.modulus(), y.modulus());
        let (c, s) = if r == 0.0 {
            (complex(1.0, 0.0), complex(0.0, 0.0))
        } else {
            (x.times(1.0 / r), y.times(1.0 / r))
        };
        for j in k..=hi {
            let (a, b) = (h[at(k, j)], h[at(k + 1, j)]);
            h[at(k, j)] = c.conj() * a + s.conj() * b;
            h[at(k + 1, j)] = c * b - s * a;
        }
        turns.push((c, s));
    }
    for (k, &(c, s)) in (lo..hi).zip(&turns) {
        for i in lo..=(k + 1) {
            let (a, b) = (h[at(i, k)], h[at(i, k + 1)]);
            h[at(i, k)] = a * c + b * s;
            h[at(i, k + 1)] = b * c.conj() - a * s.conj();
        }
    }
    for i in lo..=hi {
        h[at(i, i)] = h[at(i, i)] + shift;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The companion matrix of Π (x − rootᵢ) for real roots and one pair a ± ib.
    fn companion(roots: &[f64], a: f64, b: f64) -> Matrix {
        let mut c = vec![1.0, -2.0 * a, a * a + b * b];
        for r in roots {
            let shifted: Vec<f64> = std::iter::once(0.0).chain(c.iter().map(|c| -r * c)).collect();
            c.push(0.0);
            c.iter_mut().zip(shifted).for_each(|(c, s)| *c += s);
        }
        let n = c.len() - 1;
        let mut m = Matrix::zeros(n, n);
        for j in 0..n {
            *m.at_mut(0, j) = -c[j + 1];
        }
        for i in 1..n {
            *m.at_mut(i, i - 1) = 1.0;
        }
        m
    }

    #[test]
    fn eigenvalues_of_companion_matrices_are_the_roots() {
        let found = eigenvalues(&companion(&[2.0, -0.5, 0.25], 0.6, 0.9));
        let expected = [(2.0, 0.0), (0.6, 0.9), (0.6, -0.9), (-0.5, 0.0), (0.25, 0.0)];
        for (found, (re, im)) in found.iter().zip(expected) {
            // condition of the roots times rounding
            assert!((*found - complex(re, im)).modulus() < 1e-12, "{found:?} {re} {im}");
        }
    }

    #[test]
    fn a_cyclic_permutation_has_the_roots_of_unity() {
        let mut cycle = Matrix::zeros(4, 4);
        for i in 0..4 {
            *cycle.at_mut(i, (i + 1) % 4) = 1.0;
        }
        let found = eigenvalues(&cycle);
        for z in found {
            assert!((z * z * (z * z) - complex(1.0, 0.0)).modulus() < 1e-13);
        }
        assert_eq!(eigenvalues(&Matrix::zeros(3, 3)), vec![Complex::default(); 3]);
    }
}

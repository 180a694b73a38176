//! Eigenvalues of square matrices without symmetry.

use super::complex::{Complex, complex};
use super::dense::Matrix;
use super::hessenberg::{Hessenberg, SOLUTIONS};
use super::lu::Lu;

/// Sweeps for one eigenvalue before the search is given up; three are usual.
const MAX_SWEEPS: usize = 60;
/// After so many sweeps without success one is made with other shifts.
const EXCEPTIONAL: usize = 10;

/// The eigenvalues of a square matrix, largest modulus first: Francis's double shifts on its Hessenberg form
/// (@golub2013, 7.5). They are not numbers if the matrix is not finite.
pub(crate) fn eigenvalues(matrix: &Matrix) -> Vec<Complex> {
    Hessenberg::new(matrix).eigenvalues()
}

impl Hessenberg {
    pub fn eigenvalues(&self) -> Vec<Complex> {
        let (matrix, scale) = self.parts();
        let n = matrix.n_rows;
        let mut found = vec![complex(f64::NAN, f64::NAN); n];
        if matrix.data.iter().all(|x| x.is_finite()) {
            let mut h = Active { n, data: matrix.data.clone() };
            let (mut end, mut sweeps) = (n, 0);
            while end > 0 {
                let hi = end - 1;
                let lo = h.split(hi);
                match hi - lo {
                    0 => found[hi] = complex(h.at(hi, hi), 0.0),
                    1 => found[lo..=hi].copy_from_slice(&pair(h.corner(hi))),
                    _ if sweeps == MAX_SWEEPS => break,
                    _ => {
                        sweeps += 1;
                        h.sweep(lo, hi, h.shifts(lo, hi, sweeps));
                        continue;
                    }
                }
                (end, sweeps) = (lo, 0);
            }
        }
        found.iter_mut().for_each(|value| *value = value.times(scale));
        found.sort_by(|a, b| b.modulus().total_cmp(&a.modulus()).then(b.im.total_cmp(&a.im)));
        found
    }
}

/// A Hessenberg matrix under iteration, row after row; rows and columns that have been split off are left alone.
struct Active {
    n: usize,
    data: Vec<f64>,
}

impl Active {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.n + j]
    }

    /// The 2 × 2 block that ends in row `i`.
    fn corner(&self, i: usize) -> [f64; 4] {
        [self.at(i - 1, i - 1), self.at(i - 1, i), self.at(i, i - 1), self.at(i, i)]
    }

    /// The first row of the block that ends in row `hi`: its subdiagonal entry is round-off.
    fn split(&self, hi: usize) -> usize {
        let is_rounding = |k: &usize| {
            let [a, _, c, d] = self.corner(*k);
            c.abs() <= (f64::EPSILON * (a.abs() + d.abs())).max(f64::MIN_POSITIVE)
        };
        (1..=hi).rev().find(is_rounding).unwrap_or(0)
    }

    /// Two shifts: the eigenvalues of the last 2 × 2 block, the nearer one twice if they are real.
    fn shifts(&self, lo: usize, hi: usize, sweeps: usize) -> [Complex; 2] {
        // LAPACK's exceptional shifts, at either end of the block in turns
        let odd = |i: usize, size: f64| {
            pair([self.at(i, i) + 0.75 * size, -0.4375 * size, size, self.at(i, i) + 0.75 * size])
        };
        if sweeps.is_multiple_of(2 * EXCEPTIONAL) {
            return odd(hi, self.at(hi, hi - 1).abs() + self.at(hi - 1, hi - 2).abs());
        }
        if sweeps.is_multiple_of(EXCEPTIONAL) {
            return odd(lo, self.at(lo + 1, lo).abs() + self.at(lo + 2, lo + 1).abs());
        }
        let shifts = pair(self.corner(hi));
        if shifts[0].im != 0.0 {
            return shifts;
        }
        let last = self.at(hi, hi);
        let [a, b] = shifts.map(|shift| (shift.re - last).abs());
        if a <= b { [shifts[0]; 2] } else { [shifts[1]; 2] }
    }

    /// One double step on the rows and columns lo..=hi: a reflection of three rows and columns at a time chases
    /// what the first one put below the subdiagonal to the end.
    fn sweep(&mut self, lo: usize, hi: usize, shifts: [Complex; 2]) {
        let n = self.n;
        let (first, mut v) = self.first_column(lo, hi, shifts);
        for k in first..hi {
            let len = (hi - k + 1).min(3);
            if k > first {
                v = [
                    self.at(k, k - 1),
                    self.at(k + 1, k - 1),
                    if len == 3 { self.at(k + 2, k - 1) } else { 0.0 },
                ];
            } else if len == 2 {
                v[2] = 0.0;
            }
            let ([v2, v3], tau, beta) = reflection(v);
            if k > first {
                self.data[k * n + k - 1] = beta;
                (1..len).for_each(|i| self.data[(k + i) * n + k - 1] = 0.0);
            } else if k > lo {
                self.data[k * n + k - 1] *= 1.0 - tau;
            }
            let (t2, t3) = (tau * v2, tau * v3);
            // H ← P H
            let (above, below) = self.data[k * n..].split_at_mut(n);
            let (a, (b, below)) = (&mut above[k..=hi], below.split_at_mut(n));
            let b = &mut b[k..=hi];
            if len == 3 {
                for ((a, b), c) in a.iter_mut().zip(b).zip(&mut below[k..=hi]) {
                    let sum = *a + v2 * *b + v3 * *c;
                    *a -= sum * tau;
                    *b -= sum * t2;
                    *c -= sum * t3;
                }
            } else {
                for (a, b) in a.iter_mut().zip(b) {
                    let sum = *a + v2 * *b;
                    *a -= sum * tau;
                    *b -= sum * t2;
                }
            }
            // H ← H P
            let rows = self.data[lo * n..((k + 3).min(hi) + 1) * n].chunks_exact_mut(n);
            if len == 3 {
                for row in rows {
                    let [a, b, c] = &mut row[k..k + 3] else { continue };
                    let sum = *a + v2 * *b + v3 * *c;
                    *a -= sum * tau;
                    *b -= sum * t2;
                    *c -= sum * t3;
                }
            } else {
                for row in rows {
                    let [a, b] = &mut row[k..k + 2] else { continue };
                    let sum = *a + v2 * *b;
                    *a -= sum * tau;
                    *b -= sum * t2;
                }
            }
        }
    }

    /// The row from which a sweep can start, and the first column of (H − σ₁)(H − σ₂) there, scaled.
    fn first_column(&self, lo: usize, hi: usize, [one, two]: [Complex; 2]) -> (usize, [f64; 3]) {
        let column = |m: usize| {
            let (here, low) = (self.at(m, m), self.at(m + 1, m));
            let size = (here - two.re).abs() + two.im.abs() + low.abs();
            let low = low / size;
            let v = [
                low * self.at(m, m + 1) + (here - one.re) * ((here - two.re) / size)
                    - one.im * (two.im / size),
                low * (here + self.at(m + 1, m + 1) - one.re - two.re),
                low * self.at(m + 2, m + 1),
            ];
            let sum = v.iter().map(|v| v.abs()).sum::<f64>();
            v.map(|v| v / sum)
        };
        for m in (lo + 1..hi - 1).rev() {
            let v = column(m);
            // two consecutive small subdiagonal entries split the matrix as one does
            let around = self.at(m - 1, m - 1).abs() + self.at(m, m).abs() + self.at(m + 1, m + 1).abs();
            if self.at(m, m - 1).abs() * (v[1].abs() + v[2].abs()) <= f64::EPSILON * v[0].abs() * around {
                return (m, v);
            }
        }
        (lo, column(lo))
    }
}

/// P = 1 − τ (1, v₂, v₃)(1, v₂, v₃)ᵀ with P x = (β, 0, 0): the vector without its first entry, τ and β.
fn reflection(x: [f64; 3]) -> ([f64; 2], f64, f64) {
    let size = x[1].abs().max(x[2].abs());
    if size == 0.0 {
        return ([0.0; 2], 0.0, x[0]);
    }
    let size = size.max(x[0].abs());
    let [a, b, c] = x.map(|x| x / size);
    let beta = -(a * a + b * b + c * c).sqrt().copysign(a);
    ([b / (a - beta), c / (a - beta)], (beta - a) / beta, size * beta)
}

/// Both eigenvalues of [[a, b], [c, d]].
fn pair([a, b, c, d]: [f64; 4]) -> [Complex; 2] {
    let half = 0.5 * (a - d);
    let (large, low) = (b.abs().max(c.abs()), b.abs().min(c.abs()).copysign(b) * 1f64.copysign(c));
    let size = half.abs().max(large);
    if size == 0.0 {
        return [complex(a, 0.0), complex(d, 0.0)];
    }
    let square = (half / size) * half + (large / size) * low;
    if square < 0.0 {
        let (middle, im) = (d + half, size.sqrt() * (-square).sqrt());
        return [complex(middle, im), complex(middle, -im)];
    }
    // the larger step from d, so that nothing cancels
    let step = half + (size.sqrt() * square.sqrt()).copysign(half);
    let other = if step == 0.0 { d } else { d - (large / step) * low };
    [complex(d + step, 0.0), complex(other, 0.0)]
}

/// Rounds of inverse iteration with a shift each; two would do.
const ROUNDS: usize = 3;

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
            for _ in 0..SOLUTIONS {
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
    fn a_matrix_of_zeros_has_zeros_and_one_of_no_numbers_none() {
        assert_eq!(eigenvalues(&Matrix::zeros(3, 3)), vec![Complex::default(); 3]);
        assert!(eigenvalues(&Matrix::diagonal(&[1.0, f64::NAN])).iter().all(|value| value.re.is_nan()));
        assert!(eigenvalues(&Matrix::zeros(0, 0)).is_empty());
    }
}

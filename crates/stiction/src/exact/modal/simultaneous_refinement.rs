//! All exponents and vectors of the pencil Q(λ) = λ² + λD + Ω², refined together.
//!
//! D being symmetric, left vectors are right ones, and Q(λ)⁻¹ = Σ xᵢxᵢᵀ/gᵢ(λ − λᵢ) over all 2n exponents.
//! What Q(λⱼ)xⱼ leaves is therefore taken away by
//!
//! ```text
//!   xⱼ − Σ_{i≠j} xᵢ xᵢᵀQ(λⱼ)xⱼ / gᵢ(λⱼ − λᵢ),      gᵢ = xᵢᵀ(D + 2λᵢ)xᵢ
//! ```
//!
//! and λⱼ by the root of xⱼᵀQ(λ)xⱼ = 0 next to it (@ogita2018, for a pencil of the second degree). The error
//! is squared; a round takes n³ operations for all exponents.

use super::exponents::{Exponent, ZERO, over, root};
use crate::math::complex::{Complex, complex};
use crate::math::dense::Matrix;

const MAX_ROUNDS: usize = 4;
/// Exponents closer than this part of them are one.
const CLUSTER: f64 = 1e-12;
/// The largest share of another vector that is a correction.
const MAX_TURN: f64 = 0.1;

/// Real and imaginary parts of vectors, one row a degree of freedom, one column a vector.
struct Columns {
    re: Matrix,
    im: Matrix,
}

impl Columns {
    fn zeros(n: usize, m: usize) -> Self {
        Self { re: Matrix::zeros(n, m), im: Matrix::zeros(n, m) }
    }

    fn at(&self, k: usize, j: usize) -> Complex {
        complex(self.re.at(k, j), self.im.at(k, j))
    }

    fn set(&mut self, k: usize, j: usize, z: Complex) {
        (*self.re.at_mut(k, j), *self.im.at_mut(k, j)) = (z.re, z.im);
    }
}

/// out += A B, or Aᵀ B.
fn add_product(a: &Matrix, is_transposed: bool, b: &Matrix, out: &mut Matrix) {
    let m = b.n_cols;
    for k in 0..a.n_rows {
        for (l, &factor) in a.row(k).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let [from, to] = if is_transposed { [k, l] } else { [l, k] };
            let out = &mut out.data[to * m..(to + 1) * m];
            out.iter_mut().zip(b.row(from)).for_each(|(out, x)| *out += factor * x);
        }
    }
}

/// All exponents but the conjugate ones, and their vectors.
struct All<'a> {
    natural: &'a [f64],
    damping: &'a Matrix,
    lambda: Vec<Complex>,
    x: Columns,
    /// D x.
    damped: Columns,
}

/// Refines `guesses`: all exponents with their vectors, those with an imaginary part of zero real, of
/// conjugate ones the upper.
pub(super) fn refined_simultaneously(
    natural: &[f64],
    damping: &Matrix,
    guesses: Vec<Exponent>,
) -> Vec<Exponent> {
    // corrections below this leave errors below rounding
    const SETTLED: f64 = 1e-9;
    let (n, m) = (natural.len(), guesses.len());
    let lambda = guesses.iter().map(|(lambda, _)| *lambda).collect();
    let mut all = All { natural, damping, lambda, x: Columns::zeros(n, m), damped: Columns::zeros(n, m) };
    for (j, (_, x)) in guesses.iter().enumerate() {
        x.iter().enumerate().for_each(|(k, x)| all.x.set(k, j, *x));
    }
    all.scale();
    all.damp();
    all.separate();
    for _ in 0..MAX_ROUNDS {
        all.scale();
        all.damp();
        all.find_exponents();
        if all.correct() < SETTLED {
            break;
        }
    }
    all.damp();
    all.find_exponents();
    (0..m).map(|j| (all.lambda[j], (0..n).map(|k| all.x.at(k, j)).collect())).collect()
}

impl All<'_> {
    /// Gives the vectors size one, as energies.
    fn scale(&mut self) {
        let (n, m) = (self.natural.len(), self.lambda.len());
        for j in 0..m {
            let size =
                |k: usize| self.x.at(k, j).modulus() * (self.natural[k].sqrt() + self.lambda[j].modulus());
            let scale = 1.0 / (0..n).map(size).fold(0.0, f64::max);
            (0..n).for_each(|k| self.x.set(k, j, self.x.at(k, j).times(scale)));
        }
    }

    fn damp(&mut self) {
        for (x, out) in [(&self.x.re, &mut self.damped.re), (&self.x.im, &mut self.damped.im)] {
            out.data.fill(0.0);
            add_product(self.damping, false, x, out);
        }
    }

    /// Exponents that nearly agree have vectors of inverse iteration that are any of their plane: makes them
    /// xᵢᵀ(D + λᵢ + λⱼ)xⱼ = 0.
    fn separate(&mut self) {
        // exponents closer than this part of them have vectors that QR does not separate well
        const CLOSE: f64 = 1e-6;
        let (n, m) = (self.natural.len(), self.lambda.len());
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by(|a, b| self.lambda[*a].modulus().total_cmp(&self.lambda[*b].modulus()));
        for (at, &j) in order.iter().enumerate() {
            let size = self.lambda[j].modulus();
            let is_near = |i: &&usize| size - self.lambda[**i].modulus() < CLOSE * size;
            let is_close = |i: &&usize| (self.lambda[**i] - self.lambda[j]).modulus() < CLOSE * size;
            let close: Vec<usize> =
                order[..at].iter().rev().take_while(is_near).filter(is_close).copied().collect();
            for i in close {
                let product = |a: usize| {
                    let rates = self.lambda[i] + self.lambda[a];
                    let entry = |k: usize| self.x.at(k, i) * (self.damped.at(k, a) + rates * self.x.at(k, a));
                    (0..n).fold(ZERO, |sum, k| sum + entry(k))
                };
                let share = over(product(j), product(i));
                if !(share.re.is_finite() && share.im.is_finite()) {
                    continue;
                }
                for k in 0..n {
                    self.x.set(k, j, self.x.at(k, j) - share * self.x.at(k, i));
                    self.damped.set(k, j, self.damped.at(k, j) - share * self.damped.at(k, i));
                }
            }
        }
    }

    /// The root of xᵀQ(λ)x = 0 next to each exponent.
    fn find_exponents(&mut self) {
        for j in 0..self.lambda.len() {
            let (mut m, mut d, mut k) = (ZERO, ZERO, ZERO);
            for (i, square) in self.natural.iter().enumerate() {
                let x = self.x.at(i, j);
                (m, k) = (m + x * x, k + (x * x).times(*square));
                d = d + x * self.damped.at(i, j);
            }
            let near = self.lambda[j];
            let next = root(m, d, k, near);
            // what is sought as a real exponent stays one
            let next = if near.im == 0.0 { complex(next.re, 0.0) } else { next };
            self.lambda[j] = if next.modulus().is_finite() { next } else { near };
        }
    }

    /// Corrects the vectors; the largest share of another vector in one.
    fn correct(&mut self) -> f64 {
        let (n, m) = (self.natural.len(), self.lambda.len());
        let mut left = Columns::zeros(n, m);
        let mut g = vec![ZERO; m];
        for k in 0..n {
            for (j, lambda) in self.lambda.iter().enumerate() {
                let (x, damped) = (self.x.at(k, j), self.damped.at(k, j));
                g[j] = g[j] + x * (damped + (*lambda * x).times(2.0));
                left.set(k, j, (*lambda * *lambda + complex(self.natural[k], 0.0)) * x + *lambda * damped);
            }
        }
        // xᵢᵀrⱼ and x̄ᵢᵀrⱼ are sums and differences of these
        let [mut rr, mut ii, mut ri, mut ir] = std::array::from_fn(|_| Matrix::zeros(m, m));
        for (a, b, out) in [
            (&self.x.re, &left.re, &mut rr),
            (&self.x.im, &left.im, &mut ii),
            (&self.x.re, &left.im, &mut ri),
            (&self.x.im, &left.re, &mut ir),
        ] {
            add_product(a, true, b, out);
        }
        // xᵢ e + x̄ᵢ f of all i, as multiples of real and imaginary parts
        let mut largest: f64 = 0.0;
        for i in 0..m {
            for j in 0..m {
                let share = |product: Complex, g: Complex, at: Complex| {
                    let apart = self.lambda[j] - at;
                    let size = self.lambda[j].modulus().max(at.modulus());
                    let share = over(-product, g * apart);
                    let is_one = apart.modulus() <= CLUSTER * size || !(share.modulus() < MAX_TURN);
                    if is_one { ZERO } else { share }
                };
                let [rr_ij, ii_ij, ri_ij, ir_ij] = [&rr, &ii, &ri, &ir].map(|part| part.at(i, j));
                let e = if i == j {
                    ZERO
                } else {
                    share(complex(rr_ij - ii_ij, ri_ij + ir_ij), g[i], self.lambda[i])
                };
                let f = if self.lambda[i].im == 0.0 {
                    ZERO
                } else {
                    share(complex(rr_ij + ii_ij, ri_ij - ir_ij), g[i].conj(), self.lambda[i].conj())
                };
                largest = largest.max(e.modulus()).max(f.modulus());
                (*rr.at_mut(i, j), *ii.at_mut(i, j)) = (e.re + f.re, f.im - e.im);
                (*ri.at_mut(i, j), *ir.at_mut(i, j)) = (e.im + f.im, e.re - f.re);
            }
        }
        let mut change = Columns::zeros(n, m);
        for (a, re, im) in [(&self.x.re, &rr, &ri), (&self.x.im, &ii, &ir)] {
            add_product(a, false, re, &mut change.re);
            add_product(a, false, im, &mut change.im);
        }
        for j in 0..m {
            let is_real = self.lambda[j].im == 0.0;
            for k in 0..n {
                let next = self.x.at(k, j) + change.at(k, j);
                self.x.set(k, j, if is_real { complex(next.re, 0.0) } else { next });
            }
        }
        largest
    }
}

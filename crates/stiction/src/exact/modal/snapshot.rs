//! All terms of a phase at one instant, and quantities as sums over them.

use super::terms::{TermRows, Terms};
use crate::math::complex::Complex;
use crate::math::dense::{Matrix, quick_dot};

/// Derivatives that are taken, and those that are bounded.
const TAKEN: usize = 5;
const BOUNDED: usize = 6;

/// The terms at one instant.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub tau: f64,
    /// Real and imaginary part of each term in turn, one row a derivative.
    values: Matrix,
    /// Moduli of the terms, which bound them from the instant on, one row a derivative.
    pub sizes: Matrix,
}

impl Snapshot {
    /// Takes the terms of these amplitudes at τ.
    pub fn take(&mut self, terms: &Terms, amplitudes: &[Complex], tau: f64) {
        let n = terms.exponents.len();
        if self.values.n_cols != 2 * n {
            (self.values, self.sizes) = (Matrix::zeros(TAKEN, 2 * n), Matrix::zeros(BOUNDED, n));
        }
        self.tau = tau;
        for (t, (z, amplitude)) in terms.exponents.iter().zip(amplitudes).enumerate() {
            let [first, slope] = terms.growth(t, tau).map(|growth| *amplitude * growth);
            let (mut value, mut size) = (first, (first.re * first.re + first.im * first.im).sqrt());
            for order in 0..BOUNDED {
                let at = order * n + t;
                self.sizes.data[at] = size;
                if order < TAKEN {
                    (self.values.data[2 * at], self.values.data[2 * at + 1]) = (value.re, value.im);
                }
                (value, size) = match order {
                    // no bounds, but a braked motion is never taken off
                    0 if t < terms.n_braked => (slope, slope.re.abs()),
                    1 if t < terms.n_braked => {
                        let bend = (slope + *amplitude * *z) * *z;
                        (bend, bend.re.abs())
                    }
                    _ => (value * *z, size * terms.moduli[t]),
                };
            }
        }
    }

    /// Whether all terms are numbers.
    pub fn is_finite(&self) -> bool {
        self.values.data.iter().all(|x| x.is_finite())
    }
}

/// What is not a term: a + bτ + cτ², and the sizes of what a and b are made of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Polynomial {
    pub coefficients: [f64; 3],
    pub sizes: [f64; 2],
}

/// A quantity of a phase: a derivative of a polynomial and terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhaseQuantity<'a> {
    pub polynomial: Polynomial,
    pub order: usize,
    factors: &'a [f64],
    sizes: &'a [f64],
}

impl<'a> PhaseQuantity<'a> {
    pub fn new(polynomial: Polynomial, rows: &'a TermRows, row: usize, order: usize) -> Self {
        Self { polynomial, order, factors: rows.factors.row(row), sizes: rows.sizes.row(row) }
    }

    /// Number of terms.
    pub fn n_terms(&self) -> usize {
        self.sizes.len()
    }

    /// Derivative `k` of the polynomial.
    fn polynomial_at(&self, tau: f64, k: usize) -> f64 {
        let [a, b, c] = self.polynomial.coefficients;
        match self.order + k {
            0 => a + tau * (b + tau * c),
            1 => b + 2.0 * tau * c,
            2 => 2.0 * c,
            _ => 0.0,
        }
    }

    /// Derivative `k` at an instant by the polynomial and the slowest `n` terms.
    #[inline]
    pub fn slow(&self, at: &Snapshot, k: usize, n: usize) -> f64 {
        self.polynomial_at(at.tau, k)
            + quick_dot(&self.factors[..2 * n], &at.values.row(self.order + k)[..2 * n])
    }

    /// Derivative `k` at an instant.
    #[inline]
    pub fn at(&self, at: &Snapshot, k: usize) -> f64 {
        self.slow(at, k, self.n_terms())
    }

    /// Bound on the part of derivative `k` by some of the terms, of which `sizes` are the bounds.
    #[inline]
    pub fn bound(&self, sizes: &Matrix, k: usize, terms: std::ops::Range<usize>) -> f64 {
        quick_dot(&self.sizes[terms.clone()], &sizes.row(self.order + k)[terms])
    }

    /// The factor of a term.
    pub fn factor(&self, t: usize) -> f64 {
        self.sizes[t]
    }

    /// Size of what the polynomial is made of at τ.
    pub fn polynomial_size(&self, tau: f64) -> f64 {
        let ([a, b], c) = (self.polynomial.sizes, self.polynomial.coefficients[2].abs());
        match self.order {
            0 => a + tau * (b + tau * c),
            1 => b + 2.0 * tau * c,
            _ => 2.0 * c,
        }
    }
}

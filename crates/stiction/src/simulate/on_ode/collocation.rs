//! The variational equation `Φ̇ = J(t) Φ` along a motion that is known, by Radau IIA collocation
//! (@hairer1996, IV.5).
//!
//! ```text
//!   Φᵢ = Φ(a) + h Σ aᵢⱼ Jⱼ Φⱼ,   i = 1 … 5,   Φ(a + h) = Φ₅
//! ```
//!
//! Order 9, L-stable: fast decay in steep laws is damped out, however long the step. A step of the adaptive
//! integrator ends on every kink, where J jumps and Φ does not; all nodes lie inside the step, the last one
//! nudged off its end. Where J is itself a difference quotient, which would look across the kink, the last J
//! is extrapolated from the others. Φ is as good as the motion between the ends of a step: about nine digits
//! after explicit steps at rtol = 1e-12, six or more after implicit ones, whose interpolant has order 3.

use crate::math::dense::Matrix;
use crate::math::lu::{Lu, eliminate};

/// Number of nodes.
const STAGES: usize = 5;
/// Nodes on [0, 1]: the zeros of d⁴/dx⁴ (x⁴(x − 1)⁵).
const NODES: [f64; STAGES] = [
    0.057_104_196_114_517_68,
    0.276_843_013_638_123_8,
    0.583_590_432_368_916_8,
    0.860_240_135_656_219_4,
    1.0,
];
/// How far before the end of a step the last node looks, as a part of the step: on the side of a kink it
/// belongs to.
const NUDGE: f64 = 1e-9;

/// The matrix a of the method.
fn coefficients() -> [[f64; STAGES]; STAGES] {
    let mut a = [[0.0; STAGES]; STAGES];
    for (row, c) in a.iter_mut().zip(NODES) {
        // Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k
        let mut powers = [0.0; STAGES * STAGES];
        for k in 0..STAGES {
            for (j, node) in NODES.iter().enumerate() {
                powers[k * STAGES + j] = power(*node, k);
            }
            row[k] = power(c, k + 1) / (k + 1) as f64;
        }
        eliminate(&mut powers, STAGES, row);
    }
    a
}

/// Weight of node i in the polynomial through all nodes but the last, at the last.
fn lagrange(i: usize) -> f64 {
    let others = (0..STAGES - 1).filter(|&j| j != i);
    others.map(|j| (1.0 - NODES[j]) / (NODES[i] - NODES[j])).product()
}

/// The method with its storage.
pub(super) struct Collocation {
    n: usize,
    a: [[f64; STAGES]; STAGES],
    lu: Lu<f64>,
    /// J at every node, one after the other.
    jacobians: Vec<f64>,
    /// Whether the last J is extrapolated.
    extrapolates: bool,
    column: Vec<f64>,
}

/// xᵏ as a product: `powi` is rounded as the optimiser likes.
fn power(x: f64, k: usize) -> f64 {
    (0..k).fold(1.0, |product, _| product * x)
}

impl Collocation {
    pub fn new(n: usize, extrapolates: bool) -> Self {
        Self {
            n,
            a: coefficients(),
            lu: Lu::new(STAGES * n),
            jacobians: vec![0.0; STAGES * n * n],
            extrapolates,
            column: vec![0.0; STAGES * n],
        }
    }

    /// Carries the columns of `phi` from `from` to `to`; `slopes` writes J at a time.
    pub fn carry(&mut self, from: f64, to: f64, phi: &mut Matrix, slopes: &mut dyn FnMut(f64, &mut [f64])) {
        let (n, size, h) = (self.n, STAGES * self.n, to - from);
        if h <= 0.0 {
            return;
        }
        for (j, node) in NODES.iter().enumerate() {
            let (known, own) = self.jacobians[..(j + 1) * n * n].split_at_mut(j * n * n);
            if j + 1 < STAGES || !self.extrapolates {
                slopes(from + h * node.min(1.0 - NUDGE), own);
            } else {
                own.fill(0.0);
                for (i, known) in known.chunks(n * n).enumerate() {
                    let weight = lagrange(i);
                    own.iter_mut().zip(known).for_each(|(own, known)| *own += weight * known);
                }
            }
        }
        for (j, jacobian) in self.jacobians.chunks(n * n).enumerate() {
            for i in 0..STAGES {
                for r in 0..n {
                    for c in 0..n {
                        let unit = if i == j && r == c { 1.0 } else { 0.0 };
                        self.lu.a[(i * n + r) * size + j * n + c] =
                            unit - h * self.a[i][j] * jacobian[r * n + c];
                    }
                }
            }
        }
        if !self.lu.factor() {
            phi.data.fill(f64::NAN);
            return;
        }
        for c in 0..phi.n_cols {
            for i in 0..size {
                self.column[i] = phi.at(i % n, c);
            }
            self.lu.solve(&mut self.column);
            for r in 0..n {
                *phi.at_mut(r, c) = self.column[(STAGES - 1) * n + r];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_row_integrates_polynomials_up_to_degree_eight() {
        let weights = coefficients()[STAGES - 1];
        for degree in 0..=8 {
            let sum: f64 = weights.iter().zip(NODES).map(|(b, c)| b * c.powi(degree)).sum();
            // ten roundings of numbers of order one
            assert!((sum - 1.0 / (degree + 1) as f64).abs() < 2e-15, "degree {degree}");
        }
    }

    #[test]
    fn a_turning_difference_and_a_stiff_one_arrive() {
        let mut collocation = Collocation::new(2, false);
        let mut phi = Matrix::diagonal(&[1.0, 1.0]);
        collocation.carry(0.0, 0.5, &mut phi, &mut |_, j| j.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]));
        // the error of Padé's approximation: 4! 5!/(9! 10!) 0.5¹⁰ = 2e-12
        assert!(
            (phi.at(0, 0) - libm::cos(0.5)).abs() < 4e-12 && (phi.at(0, 1) - libm::sin(0.5)).abs() < 4e-12
        );
        let mut phi = Matrix::diagonal(&[1.0, 1.0]);
        collocation.carry(0.0, 1.0, &mut phi, &mut |_, j| j.copy_from_slice(&[-1e9, 0.0, 0.0, 0.0]));
        assert!(phi.at(0, 0).abs() < 1e-7 && phi.at(1, 1) == 1.0);
    }
}

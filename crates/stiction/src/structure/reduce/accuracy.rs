//! How much of the compliance the neglected modes hold, and what leaving out their dynamics costs.

use crate::math::SparseMatrix;
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};
use crate::math::lanczos::{Lowest, Pencil};
use crate::math::lu::Lu;
use crate::structure::StructuralDamping;

/// Frequencies at which an error is estimated.
const PROBES: usize = 24;
/// Rounds of refinement of a static shape.
const MAX_REFINEMENTS: usize = 60;

/// How an input is answered statically.
pub(super) struct StaticShare {
    /// Compliance without rigid motions (m/N).
    pub total: f64,
    /// Compliance of the neglected modes.
    pub rest: f64,
    /// Compliance of each kept mode.
    pub parts: Vec<f64>,
    /// Static displacement of the neglected modes.
    pub shape: Vec<f64>,
}

/// How each input is answered by the kept and the neglected modes.
pub(super) fn shares(
    pencil: &Pencil,
    mass: &SparseMatrix,
    lowest: &Lowest,
    inputs: &[Vec<f64>],
) -> Vec<StaticShare> {
    let share = |input: &Vec<f64>| {
        // what the kept modes leave of the force
        let sizes: Vec<f64> = lowest.shapes.iter().map(|shape| dot(shape, input)).collect();
        let mut kept = vec![0.0; input.len()];
        for (size, shape) in sizes.iter().zip(&lowest.shapes) {
            kept.iter_mut().zip(shape).for_each(|(x, shape)| *x += size * shape);
        }
        let mut left = input.clone();
        mass.add_product(-1.0, &kept, &mut left);
        let mut shape = left.clone();
        pencil.solve(&mut shape);
        pencil.orthogonalise(&mut shape, &lowest.shapes, &[]);
        // K x = b from (K + sM) x = b + sMx; each round gains λ/(λ + s)
        for _ in 0..if pencil.shift > 0.0 { MAX_REFINEMENTS } else { 0 } {
            let before = shape.clone();
            let mut force = left.clone();
            mass.add_product(pencil.shift, &shape, &mut force);
            shape = force;
            pencil.solve(&mut shape);
            pencil.orthogonalise(&mut shape, &lowest.shapes, &[]);
            let change = shape.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if change <= f64::EPSILON * shape.iter().fold(0.0f64, |size, x| size.max(x.abs())) {
                break;
            }
        }
        let part = |(size, square): (&f64, &f64)| if *square > 0.0 { size * size / square } else { 0.0 };
        let parts: Vec<f64> = sizes.iter().zip(&lowest.squares).map(part).collect();
        let rest = dot(&left, &shape).max(0.0);
        let total = (rest + parts.iter().sum::<f64>()).max(f64::MIN_POSITIVE);
        StaticShare { total, rest, parts, shape }
    };
    inputs.iter().map(share).collect()
}

/// Error of the compliance of neglected modes with λ ≥ `next`, in parts of their static one, up to the
/// frequency `band`, if `k` modes are kept. Infinite if the band reaches them.
pub(super) fn error_factor(damping: &StructuralDamping, k: usize, next: f64, band: f64) -> f64 {
    let rho = band * band / next;
    if rho >= 1.0 {
        return f64::INFINITY;
    }
    match damping {
        StructuralDamping::Modal(ratios) => {
            let after = ratios
                .get(k..)
                .filter(|rest| !rest.is_empty())
                .or(ratios.get(ratios.len().saturating_sub(1)..));
            let zeta = after.unwrap_or_default().iter().fold(0.0f64, |size, zeta| size.max(zeta.abs()));
            (rho * rho + 4.0 * zeta * rho.sqrt() / (1.0 - rho)) / (1.0 - rho)
        }
        StructuralDamping::Rayleigh { alpha, beta } => {
            let kappa = band * ((alpha + beta * next).abs() / (next - band * band)).max(beta.abs());
            let drag = band * alpha / next;
            (1.0 + kappa * kappa) * (rho * rho + drag * drag) / (1.0 - rho)
        }
        StructuralDamping::Matrix(_) => rho * rho / (1.0 - rho),
    }
}

/// Looks at the residual of the full equations at some frequencies.
pub(super) struct Probe<'a> {
    /// M, C, K.
    pub full: [&'a SparseMatrix; 3],
    pub pencil: &'a Pencil<'a>,
    pub basis: &'a [Vec<f64>],
    pub squares: &'a [f64],
    /// TᵀCT.
    pub damping: &'a Matrix,
}

impl Probe<'_> {
    /// The largest ‖rᵢ‖² relative to the static compliance, in the norm of the inverse stiffness of the
    /// neglected modes; `None` if no frequency can be looked at. By Galerkin's orthogonality the error of the
    /// compliance is a product of two residuals.
    pub fn error(&self, inputs: &[Vec<f64>], lowest: &Lowest, band: f64) -> Option<f64> {
        let rho = band * band / lowest.next;
        if rho >= 1.0 {
            return Some(f64::INFINITY);
        }
        let totals: Vec<f64> =
            shares(self.pencil, self.full[0], lowest, inputs).iter().map(|share| share.total).collect();
        let resonances = self.squares.iter().map(|square| square.sqrt()).filter(|omega| *omega <= band);
        let grid = (1..=PROBES).map(|i| band * i as f64 / PROBES as f64);
        // (K + sM)⁻¹ in place of K⁻¹
        let weight = (1.0 + self.pencil.shift / lowest.next) / (1.0 - rho);
        let mut largest: Option<f64> = None;
        for omega in grid.chain(resonances) {
            let Some(factor) = self.reduced_factor(omega) else { continue };
            for (input, total) in inputs.iter().zip(&totals) {
                let size = weight * self.residual(&factor, omega, input) / total;
                largest = Some(largest.map_or(size, |largest| largest.max(size)));
            }
        }
        largest
    }

    /// Λ − ω² + iω TᵀCT, factored.
    fn reduced_factor(&self, omega: f64) -> Option<Lu<Complex>> {
        let r = self.squares.len();
        let mut factor = Lu::new(r);
        for i in 0..r {
            for j in 0..r {
                let own = if i == j { self.squares[i] - omega * omega } else { 0.0 };
                factor.a[i * r + j] = complex(own, omega * self.damping.at(i, j));
            }
        }
        factor.factor().then_some(factor)
    }

    /// rᴴ(K + sM)⁻¹r of r = b − (K − ω²M + iωC) T z.
    fn residual(&self, factor: &Lu<Complex>, omega: f64, input: &[f64]) -> f64 {
        let mut z: Vec<Complex> = self.basis.iter().map(|column| complex(dot(column, input), 0.0)).collect();
        factor.solve(&mut z);
        let mut parts = [vec![0.0; input.len()], vec![0.0; input.len()]];
        for (z, column) in z.iter().zip(self.basis) {
            for (part, z) in parts.iter_mut().zip([z.re, z.im]) {
                part.iter_mut().zip(column).for_each(|(x, column)| *x += z * column);
            }
        }
        let [mass, damping, stiffness] = self.full;
        let mut rests = [input.to_vec(), vec![0.0; input.len()]];
        for ((rest, x), (other, sign)) in rests.iter_mut().zip(&parts).zip([(1, 1.0), (0, -1.0)]) {
            stiffness.add_product(-1.0, x, rest);
            mass.add_product(omega * omega, x, rest);
            damping.add_product(sign * omega, &parts[other], rest);
        }
        let size = |rest: &Vec<f64>| {
            let mut shape = rest.clone();
            self.pencil.solve(&mut shape);
            dot(&shape, rest)
        };
        rests.iter().map(size).sum()
    }
}

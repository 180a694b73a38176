//! Reduction of a structure to its lowest modes and the static shapes of its contacts and loads (@rubin1975), with its error.
//!
//! ```text
//!   q = T x,    T = span(φ₁ … φ_k, K⁻¹b₁ … K⁻¹b_m),      TᵀMT ẍ + TᵀCT ẋ + TᵀKT x = Tᵀ(f − Σ wᵢHᵢ)
//! ```
//!
//! The b are the directions of contacts and loads, and the degrees of freedom that are asked for; of a structure that is free to move,
//! K⁻¹ acts on what is orthogonal to its rigid motions. The static compliance bᵢᵀK⁻¹bⱼ is that of the full model, and every
//! kept mode is exact.
//!
//! **What is neglected.** Let λ be below ω² of every neglected mode, R the compliance of the neglected modes, rᵢ² = Rᵢᵢ. On
//! them A = Λ − ω² + iω(α + βΛ) is coercive for ω² < λ with the norm of Λ − ω², and Galerkin's solution is within √(1 + κ²) of the
//! best one, κ = ω max(|α + βλ|/(λ − ω²), |β|). With (1 + iωβ)⁻¹Λ⁻¹b as a candidate, and once more for the adjoint, the dynamic compliance is off by
//!
//! ```text
//!   |ΔGᵢⱼ(ω)| ≤ (1 + κ²) (ρ² + (ωα/λ)²)/(1 − ρ) · rᵢrⱼ,      ρ = ω²/λ
//! ```
//!
//! which grows with ω: its value at the end of a band holds within it. Damping ratios ζ of the modes, which the static shapes can have on
//! the average only, add 2δ/(1 − ρ) rᵢrⱼ with δ = 2ζ√ρ/(1 − ρ). λ is certain: the modes below it are counted (Sylvester).
//! A damping matrix of another kind couples the kept modes to the neglected ones; then the same is estimated from the residuals at
//! some frequencies.

use super::damping::{StructuralDamping, StructuralModel};
use crate::Error;
use crate::math::SparseMatrix;
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};
use crate::math::lanczos::{Lowest, Pencil, Unfit};
use crate::math::lu::Lu;
use crate::math::skyline::Envelope;
use crate::math::symmetric::eigen;

/// Modes that a tolerance may take at most.
const MAX_MODES: usize = 500;
/// Multiplications that a factorisation may take: some minutes.
const MAX_WORK: f64 = 1e12;
/// What is left of a static shape that the others hold already.
const DEPENDENT: f64 = 1e-9;
/// Without loads and a band the error is stated up to this part of the first neglected frequency.
const DEFAULT_BAND: f64 = 0.5;
/// Frequencies at which an error is estimated.
const PROBES: usize = 24;
/// Modes to begin with where a tolerance is given.
const FIRST_MODES: usize = 8;
/// Rounds of refinement of a static shape.
const MAX_REFINEMENTS: usize = 60;

/// How far to reduce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReducedSize {
    /// To so many modes.
    Modes(usize),
    /// To as few modes as keep the error of the compliance below this part of it.
    Tolerance(f64),
}

/// What a reduction must keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// How far to reduce.
    pub size: ReducedSize,
    /// Highest frequency up to which the reduced model is to hold; half the first neglected one if absent (rad/s).
    pub band: Option<f64>,
    /// Directions of contacts and loads (-).
    pub inputs: Vec<Vec<f64>>,
    /// Degrees of freedom that are told; they become the first ones of the reduced model.
    pub told: Vec<usize>,
    /// States that the reduced model must be able to have.
    pub states: Vec<Vec<f64>>,
    /// The largest factor (entries).
    pub max_entries: usize,
}

/// What a reduction left out, and how much that matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReductionReport {
    /// Degrees of freedom of the full model.
    pub degrees: usize,
    /// Degrees of freedom of the reduced one: modes, static shapes and states.
    pub reduced: usize,
    /// Modes that are kept.
    pub modes: usize,
    /// No neglected mode has a lower frequency (rad/s).
    pub neglected: f64,
    /// End of the band that the error holds for (rad/s).
    pub band: f64,
    /// Bound on the error of the dynamic compliance within the band, relative to the static one without rigid motions (-).
    pub error: f64,
    /// Whether the error is a bound; else it is an estimate at some frequencies.
    pub is_bound: bool,
    /// Relative error of the lowest frequency that rounding may cause (-).
    pub rounding: f64,
}

/// A reduced structure: its first degrees of freedom are those that are told.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// Mass matrix (kg).
    pub mass: Matrix,
    /// Damping matrix (N s/m).
    pub damping: Matrix,
    /// Stiffness matrix (N/m).
    pub stiffness: Matrix,
    /// What was left out.
    pub report: ReductionReport,
    told: Vec<usize>,
    /// Columns of T, orthonormal with respect to M.
    basis: Vec<Vec<f64>>,
    /// Columns of M T.
    weighted: Vec<Vec<f64>>,
    coordinates: Coordinates,
}

impl Reduced {
    /// A direction of the full model in the reduced one.
    pub fn direction(&self, direction: &[f64]) -> Vec<f64> {
        // a degree of freedom that is told stays one, to the last bit
        let mut entries = direction.iter().enumerate().filter(|(_, w)| **w != 0.0);
        if let (Some((dof, w)), None) = (entries.next(), entries.next())
            && let Some(at) = self.told.iter().position(|told| *told == dof)
        {
            return (0..self.basis.len()).map(|i| if i == at { *w } else { 0.0 }).collect();
        }
        let modal: Vec<f64> = self.basis.iter().map(|column| dot(column, direction)).collect();
        self.coordinates.force(&modal)
    }

    /// A state of the full model in the reduced one, the nearest with respect to M.
    pub fn state(&self, state: &[f64]) -> Vec<f64> {
        let modal: Vec<f64> = self.weighted.iter().map(|column| dot(column, state)).collect();
        self.coordinates.of(&modal)
    }

    /// Degrees of freedom of the full model that are told, in the order of the reduced one.
    pub fn told_dofs(&self) -> &[usize] {
        &self.told
    }

    /// The number of a degree of freedom of the full model in the reduced one, if it is told.
    pub fn told(&self, dof: usize) -> Option<usize> {
        self.told.iter().position(|told| *told == dof)
    }
}

impl Reduction {
    /// Reduces a model that has passed its check.
    pub fn apply(&self, model: &StructuralModel) -> Result<Reduced, Error> {
        let (mass, stiffness) = (&model.mass, &model.stiffness);
        let n = mass.n();
        let envelope = Envelope::new(&[mass, stiffness]);
        let (entries, work) = (envelope.n_entries(), envelope.work());
        if entries > self.max_entries || work > MAX_WORK {
            return Err(Error::FactorTooLarge { entries, work });
        }
        let pencil = Pencil::new(mass, stiffness, envelope).map_err(|unfit| match unfit {
            Unfit::Mass => Error::NotPositiveDefinite,
            Unfit::Stiffness => Error::NegativeStiffness,
        })?;
        let mut inputs = self.inputs.clone();
        inputs.extend(self.told.iter().map(|&dof| (0..n).map(|i| f64::from(u8::from(i == dof))).collect()));
        let (lowest, band) = self.modes(model, &pencil, &inputs)?;
        let shares = shares(&pencil, mass, &lowest, &inputs);
        let worst = shares.iter().map(|share| share.rest / share.total).fold(0.0, f64::max);
        let elastic = lowest.squares.iter().copied().find(|square| *square > 0.0).unwrap_or(lowest.next);

        // static shapes and states beside the modes
        let mut basis = lowest.shapes.clone();
        let shapes = shares.into_iter().map(|share| share.shape).chain(self.states.iter().cloned());
        for mut shape in shapes {
            let before = dot(&shape, &mass.product(&shape)).sqrt();
            let length = pencil.orthogonalise(&mut shape, &basis, &[]);
            if length > DEPENDENT * before {
                shape.iter_mut().for_each(|x| *x /= length);
                basis.push(shape);
            }
        }
        let squares = diagonalise(&mut basis, stiffness, &lowest).ok_or(Error::ModesNotFound)?;
        let inner = model.damping.in_modes(&squares, &basis);
        let error = match &model.damping {
            StructuralDamping::Matrix(damping) => {
                let full = [mass, damping, stiffness];
                let probe =
                    Probe { full, pencil: &pencil, basis: &basis, squares: &squares, damping: &inner };
                probe.error(&inputs, &lowest, band).ok_or(Error::ModesNotFound)?
            }
            other => worst * error_factor(other, lowest.squares.len(), lowest.next, band),
        };
        let report = ReductionReport {
            degrees: n,
            reduced: basis.len(),
            modes: lowest.squares.len(),
            neglected: lowest.next.sqrt(),
            band,
            error,
            is_bound: model.damping.is_bounded(),
            rounding: f64::EPSILON * pencil.largest / elastic,
        };
        let coordinates = Coordinates::new(&basis, &self.told).ok_or(Error::NotTold)?;
        let (mass, stiffness) = (coordinates.mass(), coordinates.congruent(&Matrix::diagonal(&squares)));
        let damping = match &model.damping {
            // C = αM + βK to the last bit
            StructuralDamping::Rayleigh { alpha, beta } => combined(*alpha, &mass, *beta, &stiffness),
            _ => coordinates.congruent(&inner),
        };
        let weighted = basis.iter().map(|column| model.mass.product(column)).collect();
        Ok(Reduced {
            mass,
            damping,
            stiffness,
            report,
            told: self.told.clone(),
            basis,
            weighted,
            coordinates,
        })
    }

    /// The modes to keep, and the band (rad/s).
    fn modes(
        &self,
        model: &StructuralModel,
        pencil: &Pencil,
        inputs: &[Vec<f64>],
    ) -> Result<(Lowest, f64), Error> {
        let limit = MAX_MODES.min(model.mass.n().saturating_sub(1));
        match self.size {
            ReducedSize::Modes(wanted) if wanted > limit => Err(Error::TooManyModes { wanted, limit }),
            ReducedSize::Modes(wanted) => {
                let lowest = pencil.lowest(wanted.max(1)).ok_or(Error::ModesNotFound)?;
                let band = self.band.unwrap_or(DEFAULT_BAND * lowest.next.sqrt());
                Ok((lowest, band))
            }
            ReducedSize::Tolerance(tolerance) => {
                let band = self.band.ok_or(Error::Needs { key: "band" })?;
                let mut wanted = FIRST_MODES.min(limit);
                loop {
                    let mut lowest = pencil.lowest(wanted).ok_or(Error::ModesNotFound)?;
                    let shares = shares(pencil, &model.mass, &lowest, inputs);
                    // what each input is off by with the first k modes
                    let error = |k: usize| {
                        let next = lowest.squares.get(k).copied().unwrap_or(lowest.next);
                        let rest = |share: &StaticShare| share.rest + share.parts[k..].iter().sum::<f64>();
                        let worst = shares.iter().map(|share| rest(share) / share.total).fold(0.0, f64::max);
                        worst * error_factor(&model.damping, k, next, band)
                    };
                    let n_found = lowest.squares.len();
                    if let Some(k) = (1..=n_found).find(|&k| error(k) <= tolerance) {
                        // cut where modes can be counted; the error is computed anew for what is kept
                        if k < n_found {
                            lowest = pencil.lowest(k).ok_or(Error::ModesNotFound)?;
                        }
                        return Ok((lowest, band));
                    }
                    if wanted == limit {
                        return Err(Error::ToleranceMissed {
                            tolerance,
                            modes: n_found,
                            reached: error(n_found),
                        });
                    }
                    wanted = (2 * wanted).min(limit);
                }
            }
        }
    }
}

/// How an input is answered statically.
struct StaticShare {
    /// Compliance without rigid motions (m/N).
    total: f64,
    /// Compliance of the neglected modes.
    rest: f64,
    /// Compliance of each kept mode.
    parts: Vec<f64>,
    /// Static displacement of the neglected modes.
    shape: Vec<f64>,
}

/// How each input is answered by the kept and the neglected modes.
fn shares(pencil: &Pencil, mass: &SparseMatrix, lowest: &Lowest, inputs: &[Vec<f64>]) -> Vec<StaticShare> {
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

/// Error of the compliance of neglected modes with λ ≥ `next`, in parts of their static one, up to the frequency `band`, if `k`
/// modes are kept. Infinite if the band reaches them.
fn error_factor(damping: &StructuralDamping, k: usize, next: f64, band: f64) -> f64 {
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

/// Turns an orthonormal basis so that the stiffness is diagonal, and gives its diagonal.
fn diagonalise(basis: &mut [Vec<f64>], stiffness: &SparseMatrix, lowest: &Lowest) -> Option<Vec<f64>> {
    let r = basis.len();
    let pushed: Vec<Vec<f64>> = basis.iter().map(|column| stiffness.product(column)).collect();
    let mut inner = Matrix::zeros(r, r);
    for i in 0..r {
        for j in 0..=i {
            let entry = 0.5 * (dot(&basis[i], &pushed[j]) + dot(&basis[j], &pushed[i]));
            (*inner.at_mut(i, j), *inner.at_mut(j, i)) = (entry, entry);
        }
    }
    let (mut squares, vectors) = eigen(&inner)?;
    let n_rigid = lowest.squares.iter().filter(|square| **square == 0.0).count();
    squares[..n_rigid].fill(0.0);
    let n = basis.first()?.len();
    let mut row = vec![0.0; r];
    for i in 0..n {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = (0..r).map(|k| basis[k][i] * vectors.at(k, j)).sum();
        }
        basis.iter_mut().zip(&row).for_each(|(column, entry)| column[i] = *entry);
    }
    Some(squares)
}

fn combined(a: f64, x: &Matrix, b: f64, y: &Matrix) -> Matrix {
    let data = x.data.iter().zip(&y.data).map(|(x, y)| a * x + b * y).collect();
    Matrix { n_rows: x.n_rows, n_cols: x.n_cols, data }
}

/// Coordinates x of a reduced model, of which the first are degrees of freedom of the full one: z = S x, with T_a S = (I 0) for the
/// rows T_a of T that are told.
#[derive(Clone, Debug)]
struct Coordinates {
    n_told: usize,
    /// S and its inverse.
    forward: Matrix,
    inverse: Matrix,
}

impl Coordinates {
    /// `None` if the degrees of freedom that are told depend on each other.
    fn new(basis: &[Vec<f64>], told: &[usize]) -> Option<Self> {
        let (r, p) = (basis.len(), told.len());
        if p > r {
            return None;
        }
        // reflections Q that bring the rows to T_a Q = (L 0)
        let mut rows: Vec<Vec<f64>> =
            told.iter().map(|&dof| basis.iter().map(|column| column[dof]).collect()).collect();
        let mut q: Vec<Vec<f64>> =
            (0..r).map(|i| (0..r).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        for a in 0..p {
            let length = dot(&rows[a][a..], &rows[a][a..]).sqrt();
            if length <= DEPENDENT * dot(&rows[a], &rows[a]).sqrt() {
                return None;
            }
            let mut u = vec![0.0; r];
            u[a..].copy_from_slice(&rows[a][a..]);
            u[a] += length.copysign(u[a]);
            let half = 0.5 * dot(&u, &u);
            for row in rows.iter_mut().chain(q.iter_mut()) {
                let factor = dot(row, &u) / half;
                row.iter_mut().zip(&u).for_each(|(x, u)| *x -= factor * u);
            }
        }
        // S = Q diag(L⁻¹, I), S⁻¹ = diag(L, I) Qᵀ
        let (mut forward, mut inverse) = (Matrix::zeros(r, r), Matrix::zeros(r, r));
        for (i, row) in q.iter_mut().enumerate() {
            for j in 0..r {
                *inverse.at_mut(j, i) = if j < p { dot(&rows[j][..=j], &row[..=j]) } else { row[j] };
            }
            for j in (0..p).rev() {
                let rest: f64 = (j + 1..p).map(|k| row[k] * rows[k][j]).sum();
                row[j] = (row[j] - rest) / rows[j][j];
            }
            (0..r).for_each(|j| *forward.at_mut(i, j) = row[j]);
        }
        Some(Self { n_told: p, forward, inverse })
    }

    /// Sᵀ z: a force.
    fn force(&self, modal: &[f64]) -> Vec<f64> {
        let r = modal.len();
        (0..r).map(|j| (0..r).map(|i| self.forward.at(i, j) * modal[i]).sum()).collect()
    }

    /// S⁻¹ z: a state.
    fn of(&self, modal: &[f64]) -> Vec<f64> {
        (0..modal.len()).map(|i| dot(self.inverse.row(i), modal)).collect()
    }

    /// Sᵀ A S, symmetric if A is.
    fn congruent(&self, inner: &Matrix) -> Matrix {
        let r = inner.n_rows;
        let column = |j: usize| -> Vec<f64> { (0..r).map(|i| self.forward.at(i, j)).collect() };
        let columns: Vec<Vec<f64>> = (0..r).map(column).collect();
        let mut outer = Matrix::zeros(r, r);
        for (j, column) in columns.iter().enumerate() {
            let mut image = vec![0.0; r];
            inner.add_product(1.0, column, &mut image);
            (0..r).for_each(|i| *outer.at_mut(i, j) = dot(&columns[i], &image));
        }
        if inner.asymmetry().is_none() {
            for i in 0..r {
                (0..i).for_each(|j| *outer.at_mut(j, i) = outer.at(i, j));
            }
        }
        outer
    }

    /// SᵀS, of which all but the first block is the unit matrix.
    fn mass(&self) -> Matrix {
        let r = self.forward.n_rows;
        let mut mass = self.congruent(&Matrix::diagonal(&vec![1.0; r]));
        for i in 0..r {
            for j in 0..r {
                if i.max(j) >= self.n_told {
                    *mass.at_mut(i, j) = f64::from(u8::from(i == j));
                }
            }
        }
        mass
    }
}

/// Looks at the residual of the full equations at some frequencies.
struct Probe<'a> {
    /// M, C, K.
    full: [&'a SparseMatrix; 3],
    pencil: &'a Pencil<'a>,
    basis: &'a [Vec<f64>],
    squares: &'a [f64],
    /// TᵀCT.
    damping: &'a Matrix,
}

impl Probe<'_> {
    /// The largest ‖rᵢ‖² relative to the static compliance, in the norm of the inverse stiffness of the neglected modes; `None` if
    /// no frequency can be looked at. By Galerkin's orthogonality the error of the compliance is a product of two residuals.
    fn error(&self, inputs: &[Vec<f64>], lowest: &Lowest, band: f64) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::super::{Beam, Chain, ChainEnd, Support};
    use super::*;

    fn beam(right: Support, damping: StructuralDamping) -> StructuralModel {
        let (length, young, inertia, density, area) = (1.0, 1.0, 1.0, 1.0, 1.0);
        let left = if right == Support::Clamped { Support::Free } else { Support::Clamped };
        let beam = Beam { elements: 15, length, young, inertia, density, area, left, right };
        let made = beam.assemble();
        StructuralModel { mass: made.mass, stiffness: made.stiffness, damping }
    }

    fn free_chain() -> StructuralModel {
        let chain = Chain {
            masses: 24,
            mass: 1.0,
            stiffness: 9.0,
            ground: 0.0,
            left: ChainEnd::Free,
            right: ChainEnd::Free,
        };
        let made = chain.assemble();
        StructuralModel {
            mass: made.mass,
            stiffness: made.stiffness,
            damping: StructuralDamping::Rayleigh { alpha: 0.05, beta: 0.01 },
        }
    }

    fn unit(n: usize, at: usize) -> Vec<f64> {
        (0..n).map(|i| f64::from(u8::from(i == at))).collect()
    }

    fn request(n: usize, told: &[usize], size: ReducedSize, band: f64) -> Reduction {
        let slope = (0..n).map(|i| libm::sin(i as f64)).collect();
        Reduction {
            size,
            band: Some(band),
            inputs: vec![unit(n, 0), slope],
            told: told.to_vec(),
            states: Vec::new(),
            max_entries: 1_000_000,
        }
    }

    /// (K − ω²M + iωC)⁻¹ b.
    fn response([mass, damping, stiffness]: [&Matrix; 3], omega: f64, b: &[f64]) -> Vec<Complex> {
        let n = b.len();
        let mut factor = Lu::new(n);
        for i in 0..n * n {
            factor.a[i] = complex(stiffness.data[i] - omega * omega * mass.data[i], omega * damping.data[i]);
        }
        assert!(factor.factor());
        let mut x: Vec<Complex> = b.iter().map(|b| complex(*b, 0.0)).collect();
        factor.solve(&mut x);
        x
    }

    /// The largest error of the compliance between the inputs within the band, relative to the static one.
    fn true_error(model: &StructuralModel, request: &Reduction, reduced: &Reduced) -> f64 {
        let full = [&model.mass.to_dense(), &model.damping_matrix().unwrap(), &model.stiffness.to_dense()];
        let small = [&reduced.mass, &reduced.damping, &reduced.stiffness];
        let n = model.mass.n();
        let mut inputs = request.inputs.clone();
        inputs.extend(request.told.iter().map(|&dof| unit(n, dof)));
        let envelope = Envelope::new(&[&model.mass, &model.stiffness]);
        let pencil = Pencil::new(&model.mass, &model.stiffness, envelope).unwrap();
        let lowest = pencil.lowest(reduced.report.modes).unwrap();
        let totals: Vec<f64> =
            shares(&pencil, &model.mass, &lowest, &inputs).iter().map(|share| share.total).collect();
        let mut largest = 0.0f64;
        for step in 1..=60 {
            let omega = request.band.unwrap() * step as f64 / 60.0;
            for (j, b) in inputs.iter().enumerate() {
                let exact = response(full, omega, b);
                let found = response(small, omega, &reduced.direction(b));
                for (i, w) in inputs.iter().enumerate() {
                    let along = |x: &[Complex], w: &[f64]| {
                        x.iter().zip(w).fold(complex(0.0, 0.0), |sum, (x, w)| sum + x.times(*w))
                    };
                    let error = (along(&exact, w) - along(&found, &reduced.direction(w))).modulus();
                    largest = largest.max(error / (totals[i] * totals[j]).sqrt());
                }
            }
        }
        largest
    }

    /// Rounding of the full model, whose stiffness is ill-conditioned.
    const FLOOR: f64 = 1e-9;

    #[test]
    fn the_error_of_the_compliance_keeps_within_its_bound_and_is_not_far_below_it() {
        let dampings = [
            StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.0 },
            StructuralDamping::Rayleigh { alpha: 2.0, beta: 0.0 },
            StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.01 },
            StructuralDamping::Modal(vec![0.02]),
            StructuralDamping::Modal(vec![0.1, 0.2, 0.05]),
        ];
        for damping in dampings {
            for (modes, part) in [(2, 0.7), (4, 0.5), (6, 0.2)] {
                let model = beam(Support::Free, damping.clone());
                let n = model.mass.n();
                let first = request(n, &[n - 2], ReducedSize::Modes(modes), 1.0).apply(&model).unwrap();
                let request = request(n, &[n - 2], ReducedSize::Modes(modes), part * first.report.neglected);
                let reduced = request.apply(&model).unwrap();
                let ReductionReport { error, is_bound, .. } = reduced.report;
                let actual = true_error(&model, &request, &reduced);
                assert!(is_bound && actual <= error + FLOOR, "{damping:?} {modes}: {actual:e} > {error:e}");
                // a bound that is never near says nothing; that of modal ratios is of first order only
                let slack = if matches!(damping, StructuralDamping::Modal(_)) { 3e4 } else { 300.0 };
                assert!(error <= slack * actual + FLOOR, "{damping:?} {modes}: {actual:e} ≪ {error:e}");
            }
        }
    }

    #[test]
    fn a_structure_that_is_free_to_move_is_reduced_with_its_rigid_motion() {
        let model = free_chain();
        let request = request(24, &[0, 11], ReducedSize::Modes(6), 1.0);
        let reduced = request.apply(&model).unwrap();
        let actual = true_error(&model, &request, &reduced);
        assert!(actual <= reduced.report.error + 1e-12, "{actual:e} {:e}", reduced.report.error);
        // all of it moves with its whole mass
        let mut momentum = vec![0.0; reduced.report.reduced];
        let rigid = reduced.state(&[1.0; 24]);
        reduced.mass.add_product(1.0, &rigid, &mut momentum);
        assert!((dot(&momentum, &rigid) - 24.0).abs() < 1e-10);
        let mut pulled = vec![0.0; reduced.report.reduced];
        reduced.stiffness.add_product(1.0, &rigid, &mut pulled);
        assert!(pulled.iter().all(|x| x.abs() < 1e-10), "{pulled:?}");
    }

    #[test]
    fn another_damping_matrix_has_an_estimate_that_is_near_the_error() {
        let plain = beam(Support::Free, StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.0 });
        let n = plain.mass.n();
        // a dashpot at mid-span
        let dashpot = SparseMatrix::new(n, &[(14, 14, 2.0)]).unwrap();
        let model = StructuralModel {
            damping: StructuralDamping::Matrix(dashpot.combined(1.0, 1e-3, &plain.stiffness)),
            ..plain
        };
        let request = request(n, &[n - 2], ReducedSize::Modes(5), 60.0);
        let reduced = request.apply(&model).unwrap();
        assert!(!reduced.report.is_bound);
        let (error, actual) = (reduced.report.error, true_error(&model, &request, &reduced));
        assert!(actual < 3.0 * error && error < 300.0 * actual, "{actual:e} {error:e}");
    }

    #[test]
    fn a_tolerance_takes_as_many_modes_as_it_needs() {
        let model = beam(Support::Clamped, StructuralDamping::Rayleigh { alpha: 0.0, beta: 1e-4 });
        let n = model.mass.n();
        let mut before = 0;
        for tolerance in [1e-2, 1e-4, 1e-6, 1e-8] {
            let request = request(n, &[0], ReducedSize::Tolerance(tolerance), 50.0);
            let reduced = request.apply(&model).unwrap();
            let ReductionReport { modes, error, .. } = reduced.report;
            assert!(error <= tolerance && modes >= before, "{tolerance:e}: {modes} modes, {error:e}");
            assert!(true_error(&model, &request, &reduced) <= tolerance + FLOOR);
            // one mode less would not do
            let less = Reduction { size: ReducedSize::Modes(modes - 1), ..request }.apply(&model).unwrap();
            assert!(modes == 1 || less.report.error > tolerance, "{tolerance:e}: {:?}", less.report);
            before = modes;
        }
        assert!(before > 4);
        let missed = request(n, &[0], ReducedSize::Tolerance(1e-30), 50.0).apply(&model).unwrap_err();
        assert!(matches!(missed, Error::ToleranceMissed { .. }), "{missed}");
    }

    #[test]
    fn degrees_of_freedom_that_are_told_are_the_first_ones() {
        let model = beam(Support::Pinned, StructuralDamping::Modal(vec![0.01]));
        let n = model.mass.n();
        let told = [n - 1, 4, 0];
        let shape: Vec<f64> = (0..n).map(|i| libm::cos(0.3 * i as f64)).collect();
        let request =
            Reduction { states: vec![shape.clone()], ..request(n, &told, ReducedSize::Modes(4), 10.0) };
        let reduced = request.apply(&model).unwrap();
        let state = reduced.state(&shape);
        for (i, &dof) in told.iter().enumerate() {
            assert_eq!(reduced.direction(&unit(n, dof)), unit(reduced.report.reduced, i));
            assert!((state[i] - shape[dof]).abs() < 1e-9, "{} {}", state[i], shape[dof]);
            assert_eq!(reduced.told(dof), Some(i));
        }
        assert_eq!(reduced.told(1), None);
        // the static compliance is that of the full model
        let compliance = |stiffness: &Matrix, b: &[f64]| {
            let mut x = b.to_vec();
            crate::math::dense::Cholesky::new(stiffness).unwrap().solve(&mut x);
            dot(&x, b)
        };
        for b in &request.inputs {
            let exact = compliance(&model.stiffness.to_dense(), b);
            let found = compliance(&reduced.stiffness, &reduced.direction(b));
            assert!((found / exact - 1.0).abs() < 1e-9, "{found} {exact}");
        }
    }

    #[test]
    fn what_cannot_be_reduced_is_refused() {
        let model = beam(Support::Free, StructuralDamping::Modal(vec![0.01]));
        let n = model.mass.n();
        let of = |model: &StructuralModel, request: Reduction| request.apply(model).unwrap_err();
        let wanted = request(n, &[0], ReducedSize::Modes(n), 1.0);
        assert_eq!(of(&model, wanted.clone()), Error::TooManyModes { wanted: n, limit: n - 1 });
        let twice = request(n, &[0, 0], ReducedSize::Modes(2), 1.0);
        assert_eq!(of(&model, twice.clone()), Error::NotTold);
        let small = Reduction { max_entries: 10, ..twice.clone() };
        assert!(matches!(of(&model, small), Error::FactorTooLarge { .. }));
        let negative = StructuralModel {
            stiffness: model.stiffness.combined(1.0, -100.0, &model.mass),
            ..model.clone()
        };
        assert_eq!(of(&negative, twice.clone()), Error::NegativeStiffness);
        let light = StructuralModel { mass: SparseMatrix::zeros(n), ..model };
        assert_eq!(of(&light, twice), Error::NotPositiveDefinite);
    }
}

//! Reduction of a structure to its lowest modes and the static shapes of its contacts and loads (@rubin1975),
//! with its error.
//!
//! ```text
//!   q = T x,    T = span(φ₁ … φ_k, K⁻¹b₁ … K⁻¹b_m),      TᵀMT ẍ + TᵀCT ẋ + TᵀKT x = Tᵀ(f − Σ wᵢHᵢ)
//! ```
//!
//! The b are the directions of contacts and loads, and the degrees of freedom that are asked for; of a
//! structure that is free to move, K⁻¹ acts on what is orthogonal to its rigid motions. The static compliance
//! bᵢᵀK⁻¹bⱼ is that of the full model, and every kept mode is exact.
//!
//! **What is neglected.** Let λ be below ω² of every neglected mode, R the compliance of the neglected modes,
//! rᵢ² = Rᵢᵢ. On them A = Λ − ω² + iω(α + βΛ) is coercive for ω² < λ with the norm of Λ − ω², and Galerkin's
//! solution is within √(1 + κ²) of the best one, κ = ω max(|α + βλ|/(λ − ω²), |β|). With (1 + iωβ)⁻¹Λ⁻¹b as a
//! candidate, and once more for the adjoint, the dynamic compliance is off by
//!
//! ```text
//!   |ΔGᵢⱼ(ω)| ≤ (1 + κ²) (ρ² + (ωα/λ)²)/(1 − ρ) · rᵢrⱼ,      ρ = ω²/λ
//! ```
//!
//! which grows with ω: its value at the end of a band holds within it. Damping ratios ζ of the modes, which
//! the static shapes can have on the average only, add 2δ/(1 − ρ) rᵢrⱼ with δ = 2ζ√ρ/(1 − ρ). λ is certain:
//! the modes below it are counted (Sylvester). A damping matrix of another kind couples the kept modes to the
//! neglected ones; then the same is estimated from the residuals at some frequencies.

mod accuracy;
mod coordinates;
#[cfg(test)]
mod tests;

use self::accuracy::{Probe, StaticShare, error_factor, shares};
use self::coordinates::Coordinates;
use super::damping::{StructuralDamping, StructuralModel};
use crate::Error;
use crate::math::SparseMatrix;
use crate::math::dense::{Matrix, dot};
use crate::math::lanczos::{Lowest, Pencil, Unfit};
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
/// Modes to begin with where a tolerance is given.
const FIRST_MODES: usize = 8;

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
    /// Highest frequency up to which the reduced model is to hold; half the first neglected one if absent
    /// (rad/s).
    pub band: Option<f64>,
    /// Directions of contacts and loads (-).
    pub inputs: Vec<Vec<f64>>,
    /// Degrees of freedom that are reported; they become the first ones of the reduced model.
    pub reported: Vec<usize>,
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
    /// Bound on the error of the dynamic compliance within the band, relative to the static one without rigid
    /// motions (-).
    pub error: f64,
    /// Whether the error is a bound; else it is an estimate at some frequencies.
    pub is_bound: bool,
    /// Relative error of the lowest frequency that rounding may cause (-).
    pub rounding: f64,
}

/// A reduced structure: its first degrees of freedom are those that are reported.
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
    reported: Vec<usize>,
    /// Columns of T, orthonormal with respect to M.
    basis: Vec<Vec<f64>>,
    /// Columns of M T.
    weighted: Vec<Vec<f64>>,
    coordinates: Coordinates,
}

impl Reduced {
    /// A direction of the full model in the reduced one.
    pub fn direction(&self, direction: &[f64]) -> Vec<f64> {
        // a degree of freedom that is reported stays one, to the last bit
        let mut entries = direction.iter().enumerate().filter(|(_, w)| **w != 0.0);
        if let (Some((dof, w)), None) = (entries.next(), entries.next())
            && let Some(at) = self.reported.iter().position(|reported| *reported == dof)
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

    /// Degrees of freedom of the full model that are reported, in the order of the reduced one.
    pub fn reported_dofs(&self) -> &[usize] {
        &self.reported
    }

    /// The number of a degree of freedom of the full model in the reduced one, if it is reported.
    pub fn reported(&self, dof: usize) -> Option<usize> {
        self.reported.iter().position(|reported| *reported == dof)
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
        inputs
            .extend(self.reported.iter().map(|&dof| (0..n).map(|i| f64::from(u8::from(i == dof))).collect()));
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
        let coordinates = Coordinates::new(&basis, &self.reported).ok_or(Error::DependentDegrees)?;
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
            reported: self.reported.clone(),
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
        // the error that twice as many modes leave is more than the error over this: a rod gains 4, a beam 16
        const GAIN: f64 = 64.0;
        // where the decay of the error asks for a number of modes, so much more are computed
        const SPARE: f64 = 1.1;
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
                // all modes within the band are needed: counted, before any is computed
                let within = pencil.n_below(band * band).unwrap_or(0);
                if within > limit {
                    return Err(Error::BandTooWide { band, modes: within, limit });
                }
                let mut wanted = FIRST_MODES.max(within).min(limit);
                // modes and error of the size before
                let mut before: Option<(usize, f64)> = None;
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
                        // the error is computed anew for what is kept
                        lowest.truncate(k);
                        return Ok((lowest, band));
                    }
                    let doublings = libm::log2(limit as f64 / wanted as f64);
                    if wanted == limit || error(n_found) > tolerance * libm::pow(GAIN, doublings) {
                        return Err(Error::ToleranceMissed {
                            tolerance,
                            modes: n_found,
                            reached: error(n_found),
                        });
                    }
                    // as many as the decay seen so far asks for, if that is more than twice as many
                    let reached = error(n_found);
                    let asked = before.map_or(0.0, |(modes, error)| {
                        let power = libm::log(error / reached) / libm::log(n_found as f64 / modes as f64);
                        SPARE * n_found as f64 * libm::pow(reached / tolerance, 1.0 / power.max(1.0))
                    });
                    before = Some((n_found, reached));
                    wanted = (2 * wanted).max(asked as usize).min(limit);
                }
            }
        }
    }
}

/// Turns an orthonormal basis so that the stiffness is diagonal, and gives its diagonal.
fn diagonalise(basis: &mut [Vec<f64>], stiffness: &SparseMatrix, lowest: &Lowest) -> Option<Vec<f64>> {
    // rows of a basis that are turned at a time
    const ROWS: usize = 32;
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
    // some rows at a time, so that they stay at hand
    let mut turned = vec![[0.0; ROWS]; r];
    for first in (0..n).step_by(ROWS) {
        let rows = first..(first + ROWS).min(n);
        for (j, sums) in turned.iter_mut().enumerate() {
            sums.fill(0.0);
            for (k, column) in basis.iter().enumerate() {
                let c = vectors.at(k, j);
                sums.iter_mut().zip(&column[rows.clone()]).for_each(|(sum, x)| *sum += x * c);
            }
        }
        for (column, sums) in basis.iter_mut().zip(&turned) {
            column[rows.clone()].iter_mut().zip(sums).for_each(|(x, sum)| *x = *sum);
        }
    }
    Some(squares)
}

fn combined(a: f64, x: &Matrix, b: f64, y: &Matrix) -> Matrix {
    let data = x.data.iter().zip(&y.data).map(|(x, y)| a * x + b * y).collect();
    Matrix { n_rows: x.n_rows, n_cols: x.n_cols, data }
}

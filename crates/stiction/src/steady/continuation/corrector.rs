//! The corrector: Newton's method on P(x, λ) = x with the condition on the arclength, and the tangent of the branch.

use super::{Arrival, BranchPoint, CORNER, CORRECTIONS, Problem, distance};
use crate::Error;
use crate::math::dense::{Matrix, dot};
use crate::math::lu::determinant_sign;
use crate::math::pivoted;
use crate::steady::flow::{Flow, attempted};
use crate::steady::sweep::sound;
use crate::steady::{Engine, Point, newton};

/// Residuals below this that do not shrink any more are rounding.
const ROUNDING: f64 = 1e-10;
/// Residual at which the corrector stops; the search that describes the motion goes on to its own tolerance.
const CLOSE: f64 = 1e-11;
/// Cosine of the angle by which the branch may turn in one step.
const TURN: f64 = 0.9;
/// Part of a step by which the corrector may leave the prediction. A curve that turns by the angle of
/// [`TURN`] leaves its tangent by half that angle, 0.23 of the step.
const STRAY: f64 = 0.3;
/// A bordered determinant whose smallest pivot is below this part of the largest has no sign.
const SIGNED: f64 = 1e-9;
/// Difference of λ for ∂P/∂λ, as a part of the way.
const DIFFERENCE: f64 = 1e-6;

/// F = P(x, λ) − x and its derivative, scaled.
pub(super) struct Defect {
    pub f: Vec<f64>,
    /// n × (n + 1).
    pub slopes: Matrix,
    pub residual: f64,
}

impl Problem<'_> {
    /// P(x, λ) at scaled unknowns; the derivative by x into `slopes`.
    fn image(&mut self, y: &[f64], parameter: f64, slopes: Option<&mut Matrix>) -> Result<Vec<f64>, Error> {
        let system = sound((self.family)(parameter))?;
        let steady = &self.settings.steady;
        let engine = steady.engine.clone().unwrap_or_else(|| Engine::of(&system));
        let period = steady.period(&system)?;
        let mut x: Vec<f64> = (0..self.n).map(|i| y[i] * self.units[i]).collect();
        self.norm.snap(&mut x);
        let progress = self.progress.at(self.reached);
        newton::walk(&mut Flow::new(engine.propagator(&system)?, progress, 1.0), period, &mut x, slopes)?;
        Ok(x)
    }

    pub(super) fn defect(&mut self, y: &[f64]) -> Result<Defect, Error> {
        let n = self.n;
        let mut own = Matrix::zeros(n, n);
        let parameter = self.parameter(y);
        let image = self.image(y, parameter, Some(&mut own))?;
        let h = DIFFERENCE * self.units[n];
        // at an edge of what the parameter may be there is one side only
        let above = attempted(self.image(y, parameter + h, None))?;
        let below = attempted(self.image(y, parameter - h, None))?;
        let width = f64::from(u8::from(above.is_some()) + u8::from(below.is_some())) * DIFFERENCE;
        let (above, below) = (above.as_ref().unwrap_or(&image), below.as_ref().unwrap_or(&image));
        let mut slopes = Matrix::zeros(n, n + 1);
        for i in 0..n {
            for j in 0..n {
                let unit = if i == j { 1.0 } else { 0.0 };
                *slopes.at_mut(i, j) = own.at(i, j) * self.units[j] / self.units[i] - unit;
            }
            *slopes.at_mut(i, n) = (above[i] - below[i]) / (width * self.units[i]);
        }
        let x: Vec<f64> = (0..n).map(|i| y[i] * self.units[i]).collect();
        let residual = self.norm.distance(&x, &image) / self.norm.size(&x, &image);
        let f = (0..n).map(|i| (image[i] - x[i]) / self.units[i]).collect();
        Ok(Defect { f, slopes, residual })
    }

    /// [F′; border].
    fn bordered(&self, slopes: &Matrix, border: &[f64]) -> Matrix {
        let mut matrix = Matrix::zeros(self.n + 1, self.n + 1);
        matrix.data[..slopes.data.len()].copy_from_slice(&slopes.data);
        matrix.data[slopes.data.len()..].copy_from_slice(border);
        matrix
    }

    /// Solves [F′; border] δ = right.
    fn solve(&self, slopes: &Matrix, border: &[f64], mut right: Vec<f64>) -> Option<Vec<f64>> {
        pivoted::solve(&mut self.bordered(slopes, border), &mut right).then_some(right)
    }

    /// The sign of det [F′; border], 0 if it is rounding.
    pub(super) fn determinant(&self, slopes: &Matrix, border: &[f64]) -> f64 {
        determinant_sign(self.bordered(slopes, border), SIGNED)
    }

    /// The unit tangent of the branch on the side of `last`, and whether the orientation says so too.
    pub(super) fn tangent(&self, defect: &Defect, last: &[f64]) -> Option<(Vec<f64>, bool)> {
        let mut right = vec![0.0; self.n + 1];
        right[self.n] = 1.0;
        let mut tangent = self.solve(&defect.slopes, last, right)?;
        let length = dot(&tangent, &tangent).sqrt();
        tangent.iter_mut().for_each(|t| *t /= length);
        let is_oriented = self.orientation * self.determinant(&defect.slopes, &tangent) >= 0.0;
        length.is_finite().then_some((tangent, is_oriented))
    }

    /// The next point of the branch at arclength `step`, and the number of corrections it took.
    pub(super) fn advance(
        &mut self,
        now: &BranchPoint,
        step: f64,
    ) -> Result<Option<(BranchPoint, usize)>, Error> {
        let is_corner = step <= CORNER * self.settings.min_step;
        let predicted: Vec<f64> = now.y.iter().zip(&now.tangent).map(|(y, t)| y + step * t).collect();
        let mut y = predicted.clone();
        let mut last = f64::INFINITY;
        for correction in 0..CORRECTIONS {
            let Some(defect) = attempted(self.defect(&y))? else { return Ok(None) };
            let is_rounding = defect.residual <= ROUNDING && defect.residual > 0.5 * last;
            if defect.residual <= self.settings.steady.tolerance.max(CLOSE) || is_rounding {
                let Some((tangent, is_oriented)) = self.tangent(&defect, &now.tangent) else {
                    return Ok(None);
                };
                let next = BranchPoint { y, tangent };
                let is_near = is_corner || distance(&next.y, &predicted) <= STRAY * step;
                let is_straight = is_corner || dot(&next.tangent, &now.tangent) > TURN;
                return Ok((is_near && is_straight && is_oriented).then_some((next, correction)));
            }
            if correction > 1 && defect.residual > 0.9 * last {
                return Ok(None);
            }
            last = defect.residual;
            let off: f64 = (0..=self.n).map(|i| now.tangent[i] * (y[i] - predicted[i])).sum();
            let mut right: Vec<f64> = defect.f.iter().map(|f| -f).collect();
            right.push(-off);
            let Some(delta) = self.solve(&defect.slopes, &now.tangent, right) else { return Ok(None) };
            y.iter_mut().zip(&delta).for_each(|(y, d)| *y += d);
            // another part of the curve is not this one
            if distance(&y, &now.y) > 2.0 * step {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The way on at a corner that turns sharply: the tangents of the pieces around it, oriented as the
    /// branch is, are tried.
    pub(super) fn turn(&mut self, now: &BranchPoint, last: Option<&Point>) -> Result<Option<Arrival>, Error> {
        let reach = CORNER * self.settings.min_step;
        let mut directions: Vec<Vec<f64>> = vec![now.tangent.clone()];
        for i in 0..=self.n {
            for sign in [1.0, -1.0] {
                let mut direction = vec![0.0; self.n + 1];
                direction[i] = sign;
                directions.push(direction);
            }
        }
        for direction in directions {
            let near: Vec<f64> = now.y.iter().zip(&direction).map(|(y, d)| y + reach * d).collect();
            let Some(defect) = attempted(self.defect(&near))? else { continue };
            let Some((mut tangent, is_oriented)) = self.tangent(&defect, &now.tangent) else { continue };
            if !is_oriented {
                tangent.iter_mut().for_each(|t| *t = -*t);
            }
            // where it came from is not the way on
            if dot(&tangent, &now.tangent) < -0.99 {
                continue;
            }
            let turned = BranchPoint { y: now.y.clone(), tangent };
            if let Some((next, _)) = self.advance(&turned, reach)?
                && distance(&next.y, &now.y) > 0.5 * reach
                && let Some(arrival) = self.arrive(now, next, last)?
            {
                return Ok(Some(arrival));
            }
        }
        Ok(None)
    }
}

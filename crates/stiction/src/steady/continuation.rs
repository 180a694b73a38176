//! Branches of periodic motions through their folds, by pseudo-arclength (@keller1977).
//!
//! ```text
//!   P(x, λ) = x,    τ·(y − y_p) = 0        y = (x, λ) scaled, y_p = y + s τ, τ the tangent of the branch
//! ```
//!
//! At a fold λ turns round while the arclength goes on. ∂P/∂λ is a central difference, good to about ten digits: it
//! bears on the speed of convergence and not on the result. Where the order of the phases changes the branch has a corner
//! at most; shorter steps pass it.

use super::newton::{self, Norm};
use super::supervised::{Supervised, attempted};
use super::sweep::first;
use super::{Engine, Orbit, Point, State, Steady, linear};
use crate::matrix::{Matrix, dot};
use crate::system::System;
use crate::{Error, Faults};

/// How to follow a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Continuation {
    /// How the motions are looked for; its starts lead to the first one.
    pub steady: Steady,
    /// Parameter of the first motion.
    pub from: f64,
    /// The branch ends here, or where it comes back to `from`.
    pub to: f64,
    /// First step as a part of the way from `from` to `to` (-).
    pub step: f64,
    /// Longest step (-).
    pub max_step: f64,
    /// Shortest step (-).
    pub min_step: f64,
    /// Points at most.
    pub max_points: usize,
}

impl Default for Continuation {
    fn default() -> Self {
        Self {
            steady: Steady::default(),
            from: 0.0,
            to: 1.0,
            step: 0.01,
            max_step: 0.05,
            min_step: 1e-7,
            max_points: 2000,
        }
    }
}

/// A branch of periodic motions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch {
    /// The motions in the order of the branch.
    pub points: Vec<Point>,
    /// Whether the branch was followed to one of its ends.
    pub is_complete: bool,
}

/// Newton steps of the corrector.
const CORRECTIONS: usize = 8;
/// Residuals below this that do not shrink any more are rounding.
const ROUNDING: f64 = 1e-10;
/// Residual at which the corrector stops; the search that describes the motion goes on to its own tolerance.
const CLOSE: f64 = 1e-11;
/// Difference of λ for ∂P/∂λ, as a part of the way.
const DIFFERENCE: f64 = 1e-6;
/// Cosine of the angle by which the branch may turn in one step.
const TURN: f64 = 0.9;
/// A corner that steps of this multiple of the shortest one do not resolve is one.
const CORNER: f64 = 64.0;

/// A point of the branch in scaled unknowns.
struct Place {
    y: Vec<f64>,
    tangent: Vec<f64>,
}

/// F = P(x, λ) − x and its derivative, scaled.
struct Defect {
    f: Vec<f64>,
    /// n × (n + 1).
    slopes: Matrix,
    residual: f64,
}

struct Problem<'a> {
    settings: &'a Continuation,
    family: &'a dyn Fn(f64) -> System,
    progress: &'a mut dyn FnMut(f64) -> bool,
    /// The largest part of the way reached, in λ or in points.
    reached: f64,
    norm: Norm,
    /// Unit of each component of y.
    units: Vec<f64>,
    n: usize,
}

impl Continuation {
    /// Writes every fault into `faults`.
    pub fn check(&self, system: &System, faults: &mut Faults) {
        self.steady.check(system, faults);
        if faults.finite("from", self.from) && faults.finite("to", self.to) && self.from == self.to {
            faults.push("to", Error::EmptyRange(self.to));
        }
        faults.positive("min_step", self.min_step);
        faults.at_least("step", self.step, self.min_step, "the shortest step is min_step");
        faults.at_least("max_step", self.max_step, self.step, "the first step is step");
    }

    /// Follows the branch of `family` on which the motion found at `from` lies. Only for systems with a harmonic load.
    /// `progress` is told the largest part of the way reached, and may stop the search by `false`.
    pub fn run(
        &self,
        family: &dyn Fn(f64) -> System,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Branch, Error> {
        let system = family(self.from);
        if super::is_autonomous(&system) {
            return Err(Error::Needs { key: "force" });
        }
        let orbit = first(&self.steady, &system, &mut |_| progress(0.0))?;
        let norm = Norm::new(&system, orbit.period);
        let n = 2 * system.n() + orbit.state.memory.len();
        let mut problem =
            Problem { settings: self, family, progress, reached: 0.0, units: vec![1.0; n + 1], norm, n };
        problem.units[n] = self.to - self.from;
        problem.rescale(&orbit, &mut Place { y: vec![0.0; n + 1], tangent: vec![0.0; n + 1] });
        let mut branch = Branch::default();
        branch.points.push(Point { parameter: self.from, orbit });
        problem.follow(&mut branch)?;
        Ok(branch)
    }
}

impl Problem<'_> {
    fn follow(&mut self, branch: &mut Branch) -> Result<(), Error> {
        let Continuation { from, to, max_step, min_step, max_points, .. } = *self.settings;
        let start = &branch.points[0].orbit.state;
        let mut now = Place { y: self.scaled(start, from), tangent: vec![0.0; self.n + 1] };
        now.tangent[self.n] = 1.0;
        let defect = self.defect(&now.y)?;
        if let Some(tangent) = self.tangent(&defect, &now.tangent) {
            now.tangent = tangent;
        }
        let mut step = self.settings.step.min(max_step);
        while branch.points.len() < max_points {
            let share = branch.points.len() as f64 / max_points as f64;
            self.reached = self.reached.max(share).max(now.y[self.n].min(1.0));
            if !(self.progress)(self.reached) {
                return Err(Error::Interrupted { t: None });
            }
            let next = self.advance(&now, step)?.filter(|(next, _)| {
                let turn: f64 = dot(&next.tangent, &now.tangent);
                turn > TURN || step <= CORNER * min_step
            });
            let Some((next, n_corrections)) = next else {
                step *= 0.5;
                if step < min_step {
                    match self.jump(&now)? {
                        Some(place) => (now, step) = (place, CORNER * min_step),
                        None => return Ok(()),
                    }
                    self.push(branch, &now)?;
                }
                continue;
            };
            let before = now.y[self.n];
            now = next;
            let parameter = now.y[self.n];
            if parameter >= 1.0 || (parameter <= 0.0 && parameter < before) {
                let end = if parameter >= 1.0 { to } else { from };
                branch.is_complete = true;
                if let Some(orbit) = attempted(self.describe(&now.y, end))? {
                    branch.points.push(Point { parameter: end, orbit });
                }
                return Ok(());
            }
            self.push(branch, &now)?;
            if let Some(point) = branch.points.last() {
                self.rescale(&point.orbit, &mut now);
            }
            if n_corrections <= 4 {
                step = (1.5 * step).min(max_step);
            }
        }
        Ok(())
    }

    /// Measures states by the size of the motion, so that steps are parts of it.
    fn rescale(&mut self, orbit: &Orbit, place: &mut Place) {
        let x = orbit.state.to_vec(self.n);
        let size = self.norm.size(&x, &x).max(orbit.amplitude);
        for i in 0..self.n {
            let unit = size * self.norm.unit(i);
            let ratio = self.units[i] / unit;
            place.y[i] *= ratio;
            place.tangent[i] *= ratio;
            self.units[i] = unit;
        }
        let length = dot(&place.tangent, &place.tangent).sqrt();
        if length > 0.0 {
            place.tangent.iter_mut().for_each(|t| *t /= length);
        }
    }

    fn push(&mut self, branch: &mut Branch, place: &Place) -> Result<(), Error> {
        let parameter = self.parameter(&place.y);
        let orbit = self.describe(&place.y, parameter)?;
        branch.points.push(Point { parameter, orbit });
        Ok(())
    }

    /// The motion at `parameter` next to y. Where the corrector has converged the search stops at once, and does not leave
    /// an unstable motion.
    fn describe(&mut self, y: &[f64], parameter: f64) -> Result<Orbit, Error> {
        let (progress, reached) = (&mut *self.progress, self.reached);
        let steady = Steady { transient: 0, max_periods: 50, ..self.settings.steady.clone() };
        let x: Vec<f64> = (0..self.n).map(|i| y[i] * self.units[i]).collect();
        let start = State::from_slice(&x, self.norm.n());
        steady.from(&(self.family)(parameter), &start, &mut |_| progress(reached))
    }

    fn scaled(&self, state: &State, parameter: f64) -> Vec<f64> {
        let mut y = state.to_vec(self.n);
        y.iter_mut().zip(&self.units).for_each(|(y, unit)| *y /= unit);
        y.push((parameter - self.settings.from) / self.units[self.n]);
        y
    }

    fn parameter(&self, y: &[f64]) -> f64 {
        self.settings.from + y[self.n] * self.units[self.n]
    }

    /// P(x, λ) at scaled unknowns; the derivative by x into `slopes`.
    fn image(&mut self, y: &[f64], parameter: f64, slopes: Option<&mut Matrix>) -> Result<Vec<f64>, Error> {
        let system = (self.family)(parameter);
        let steady = &self.settings.steady;
        let engine = steady.engine.clone().unwrap_or_else(|| Engine::of(&system));
        let period = steady.period(&system)?;
        let mut x: Vec<f64> = (0..self.n).map(|i| y[i] * self.units[i]).collect();
        let (progress, reached) = (&mut *self.progress, self.reached);
        let mut tell = |_| progress(reached);
        newton::walk(&mut Supervised::new(engine.flow(&system)?, &mut tell), period, &mut x, slopes)?;
        Ok(x)
    }

    fn defect(&mut self, y: &[f64]) -> Result<Defect, Error> {
        let n = self.n;
        let mut own = Matrix::zeros(n, n);
        let parameter = self.parameter(y);
        let image = self.image(y, parameter, Some(&mut own))?;
        let h = DIFFERENCE * self.units[n];
        let (above, below) = (self.image(y, parameter + h, None)?, self.image(y, parameter - h, None)?);
        let mut slopes = Matrix::zeros(n, n + 1);
        for i in 0..n {
            for j in 0..n {
                let unit = if i == j { 1.0 } else { 0.0 };
                *slopes.at_mut(i, j) = own.at(i, j) * self.units[j] / self.units[i] - unit;
            }
            *slopes.at_mut(i, n) = (above[i] - below[i]) / (2.0 * DIFFERENCE * self.units[i]);
        }
        let x: Vec<f64> = (0..n).map(|i| y[i] * self.units[i]).collect();
        let residual = self.norm.distance(&x, &image) / self.norm.size(&x, &image);
        let f = (0..n).map(|i| (image[i] - x[i]) / self.units[i]).collect();
        Ok(Defect { f, slopes, residual })
    }

    /// Solves [F′; border] δ = right.
    fn bordered(&self, slopes: &Matrix, border: &[f64], mut right: Vec<f64>) -> Option<Vec<f64>> {
        let mut matrix = Matrix::zeros(self.n + 1, self.n + 1);
        matrix.data[..slopes.data.len()].copy_from_slice(&slopes.data);
        matrix.data[slopes.data.len()..].copy_from_slice(border);
        linear::solve(&mut matrix, &mut right).then_some(right)
    }

    /// The unit tangent of the branch, on the side of `last`.
    fn tangent(&self, defect: &Defect, last: &[f64]) -> Option<Vec<f64>> {
        let mut right = vec![0.0; self.n + 1];
        right[self.n] = 1.0;
        let mut tangent = self.bordered(&defect.slopes, last, right)?;
        let length = dot(&tangent, &tangent).sqrt();
        tangent.iter_mut().for_each(|t| *t /= length);
        length.is_finite().then_some(tangent)
    }

    /// The next point of the branch at arclength `step`, and the number of corrections it took.
    fn advance(&mut self, now: &Place, step: f64) -> Result<Option<(Place, usize)>, Error> {
        let predicted: Vec<f64> = now.y.iter().zip(&now.tangent).map(|(y, t)| y + step * t).collect();
        let mut y = predicted.clone();
        let mut last = f64::INFINITY;
        for correction in 0..CORRECTIONS {
            let Some(defect) = attempted(self.defect(&y))? else { return Ok(None) };
            let is_rounding = defect.residual <= ROUNDING && defect.residual > 0.5 * last;
            if defect.residual <= self.settings.steady.tolerance.max(CLOSE) || is_rounding {
                let tangent = self.tangent(&defect, &now.tangent);
                return Ok(tangent.map(|tangent| (Place { y, tangent }, correction)));
            }
            if correction > 1 && defect.residual > 0.9 * last {
                return Ok(None);
            }
            last = defect.residual;
            let off: f64 = (0..=self.n).map(|i| now.tangent[i] * (y[i] - predicted[i])).sum();
            let mut right: Vec<f64> = defect.f.iter().map(|f| -f).collect();
            right.push(-off);
            let Some(delta) = self.bordered(&defect.slopes, &now.tangent, right) else { return Ok(None) };
            y.iter_mut().zip(&delta).for_each(|(y, d)| *y += d);
        }
        Ok(None)
    }

    /// Past a corner that no short step resolves: the motion at a parameter a little further on, found afresh.
    fn jump(&mut self, now: &Place) -> Result<Option<Place>, Error> {
        let direction = if now.tangent[self.n] < 0.0 { -1.0 } else { 1.0 };
        for multiple in [CORNER, CORNER * CORNER, CORNER * CORNER * CORNER] {
            let way = direction * multiple * self.settings.min_step;
            let parameter = self.parameter(&now.y) + way * self.units[self.n];
            let Some(orbit) = attempted(self.describe(&now.y, parameter))? else { continue };
            let y = self.scaled(&orbit.state, parameter);
            let mut along = vec![0.0; self.n + 1];
            along[self.n] = direction;
            let defect = attempted(self.defect(&y))?;
            let tangent = defect.and_then(|defect| self.tangent(&defect, &along));
            return Ok(tangent.map(|tangent| Place { y, tangent }));
        }
        Ok(None)
    }
}

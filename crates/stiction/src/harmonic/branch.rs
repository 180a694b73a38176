//! Motions along a parameter: a sweep through values, or a branch through its folds by pseudo-arclength
//! (@keller1977).
//!
//! ```text
//!   R(z, λ) = 0,    τ·(y − y_p) = 0        y = (z, λ) scaled, y_p = y + s τ, τ the tangent of the branch
//! ```
//!
//! The unknowns z are the harmonics of the friction forces, so a step costs the same however large the model
//! is.

use super::problem::{Cache, CondensedProblem};
use super::stability::stability;
use super::{HarmonicBalance, HarmonicMotion};
use crate::math::dense::{Matrix, dot};
use crate::math::pivoted;
use crate::steady::{BranchEnd, Stability};
use crate::system::System;
use crate::{Error, Faults, Progress};

/// Newton steps of the corrector.
const CORRECTIONS: usize = 10;
/// Residual at which the corrector stops, as a part of the largest friction.
const CLOSE: f64 = 1e-10;
/// Difference of λ for ∂R/∂λ, as a part of the way.
const DIFFERENCE: f64 = 1e-7;
/// Cosine of the angle by which the branch may turn in one step.
const TURN: f64 = 0.9;
/// The shortest step, as a part of the way and of the forces.
const MIN_STEP: f64 = 1e-6;

/// Friction with which a search begins that lets it grow, as a share of the whole.
const LEAST: f64 = 1e-3;
/// Longest step of that search, and most steps.
const LONGEST: f64 = 0.1;
const MAX_STEPS: usize = 500;

/// A value of a parameter, and the motion there.
#[derive(Clone, Debug, PartialEq)]
pub struct HarmonicPoint {
    /// The parameter.
    pub parameter: f64,
    /// The motion and what becomes of small disturbances of it, or why there is none.
    pub motion: Result<(HarmonicMotion, Stability), Error>,
}

/// Motions along a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct HarmonicBranch {
    /// The motions in the order of the branch.
    pub points: Vec<HarmonicPoint>,
    /// Why it ended.
    pub end: BranchEnd,
    /// The parameter farthest on the way.
    pub reached: f64,
}

impl HarmonicBranch {
    /// One that is yet to begin.
    pub fn at(from: f64) -> Self {
        Self { points: Vec::new(), end: BranchEnd::Stopped, reached: from }
    }
}

/// A point in scaled unknowns.
struct HarmonicPlace {
    y: Vec<f64>,
    tangent: Vec<f64>,
}

struct Follow<'a> {
    balance: &'a HarmonicBalance,
    family: &'a dyn Fn(f64) -> Result<System, Error>,
    from: f64,
    way: f64,
    harmonics: usize,
    is_sharp: bool,
    cache: &'a mut Cache,
}

impl HarmonicBalance {
    /// The motions of `family` at the given parameters, each from the one before, a point for each of them.
    pub fn sweep(
        &self,
        family: &dyn Fn(f64) -> System,
        parameters: &[f64],
        progress: &mut Progress,
    ) -> Result<Vec<HarmonicPoint>, Error> {
        let mut points = Vec::with_capacity(parameters.len());
        self.sweep_onto(&mut points, family, parameters, progress)?;
        Ok(points)
    }

    /// Continues after the points of the first parameters that are there already. Those that are finished
    /// stay when it is stopped.
    pub fn sweep_onto(
        &self,
        points: &mut Vec<HarmonicPoint>,
        family: &dyn Fn(f64) -> System,
        parameters: &[f64],
        progress: &mut Progress,
    ) -> Result<(), Error> {
        let mut cache = Cache::default();
        let known = points.iter().rev().find_map(|point| point.motion.as_ref().ok());
        let mut last: Option<HarmonicMotion> = known.map(|(motion, _)| motion.clone());
        for (i, &parameter) in parameters.iter().enumerate().skip(points.len()) {
            progress.at(i as f64 / parameters.len() as f64).report(0.0)?;
            let motion = sound(family(parameter)).and_then(|system| {
                let motion = self.solve_with(&system, last.as_ref(), &mut cache)?;
                let stability = stability(&system, &motion, &mut cache)?;
                Ok((motion, stability))
            });
            if let Ok((motion, _)) = &motion {
                last = Some(motion.clone());
            }
            points.push(HarmonicPoint { parameter, motion });
        }
        Ok(())
    }

    /// Follows the branch of the motion at `from` to `to` through its folds. No step is longer than the part
    /// `max_step` of the way, and of the friction forces; it ends after `max_points`.
    pub fn branch(
        &self,
        family: &dyn Fn(f64) -> System,
        [from, to]: [f64; 2],
        max_step: f64,
        max_points: usize,
        progress: &mut Progress,
    ) -> Result<HarmonicBranch, Error> {
        let mut branch = HarmonicBranch::at(from);
        self.branch_into(&mut branch, family, [from, to], (max_step, max_points), progress)?;
        Ok(branch)
    }

    /// The same into a branch that is yet to begin: what is finished stays when it is stopped.
    pub fn branch_into(
        &self,
        branch: &mut HarmonicBranch,
        family: &dyn Fn(f64) -> System,
        [from, to]: [f64; 2],
        (max_step, max_points): (f64, usize),
        progress: &mut Progress,
    ) -> Result<(), Error> {
        let mut cache = Cache::default();
        let first = self.solve_with(&sound(family(from))?, None, &mut cache)?;
        let harmonics = first.n_harmonics();
        let checked = |value: f64| sound(family(value));
        let mut follow = Follow {
            balance: self,
            family: &checked,
            from,
            way: to - from,
            harmonics,
            is_sharp: true,
            cache: &mut cache,
        };
        let mut place = follow.place(&first, from)?;
        branch.points.push(follow.point(from, first)?);
        let mut step = max_step;
        while branch.points.len() < max_points {
            let part = |point: &HarmonicPoint| (point.parameter - from) / (to - from);
            let farthest = branch.points.iter().map(part).fold(0.0, f64::max);
            branch.reached = from + farthest * (to - from);
            progress.at(farthest.min(1.0)).report(0.0)?;
            let Some((mut next, n_corrections)) = follow.advance(&place, step)? else {
                step *= 0.5;
                if step < MIN_STEP {
                    branch.end = BranchEnd::Lost;
                    break;
                }
                continue;
            };
            let last = next.y.len() - 1;
            let end = match next.y[last] {
                at if at >= 1.0 => Some((BranchEnd::Reached, to)),
                at if at <= 0.0 => Some((BranchEnd::Returned, from)),
                _ => None,
            };
            let parameter = end.map_or(from + next.y[last] * (to - from), |(_, parameter)| parameter);
            let Some(motion) = follow.motion(&place, &next, parameter)? else {
                step *= 0.5;
                if step < MIN_STEP {
                    branch.end = BranchEnd::Lost;
                    break;
                }
                continue;
            };
            if motion.n_harmonics() != follow.harmonics {
                // more harmonics from here on, with the tangent found anew on the same side
                follow.harmonics = motion.n_harmonics();
                let heading = next.tangent[last];
                next = follow.place(&motion, parameter)?;
                if next.tangent[next.y.len() - 1] * heading < 0.0 {
                    next.tangent.iter_mut().for_each(|t| *t = -*t);
                }
            }
            branch.points.push(follow.point(parameter, motion)?);
            if let Some((end, _)) = end {
                branch.end = end;
                break;
            }
            if n_corrections <= 4 {
                step = (1.5 * step).min(max_step);
            }
            place = next;
        }
        if branch.end == BranchEnd::Stopped {
            branch.end = BranchEnd::Full;
        }
        let part = |point: &HarmonicPoint| (point.parameter - from) / (to - from);
        let farthest = branch.points.iter().max_by(|a, b| part(a).total_cmp(&part(b)));
        branch.reached = farthest.map_or(from, |point| point.parameter);
        Ok(())
    }

    /// The motion reached from the one without friction, as friction grows along a branch that may have
    /// folds.
    pub(super) fn with_growing_friction(
        &self,
        system: &System,
        harmonics: usize,
        cache: &mut Cache,
    ) -> Result<HarmonicMotion, Error> {
        let family = |share: f64| {
            let mut system = system.clone();
            system.contacts.iter_mut().for_each(|contact| contact.load *= share);
            Ok(system)
        };
        let method = Self::fixed(harmonics);
        let mut first = CondensedProblem::new(&family(LEAST)?, harmonics, cache)?;
        let motion = first.solve(None)?;
        let way = 1.0 - LEAST;
        let mut follow =
            Follow { balance: &method, family: &family, from: LEAST, way, harmonics, is_sharp: false, cache };
        let mut place = follow.place(&motion, LEAST)?;
        let (mut step, mut residual) = (LONGEST, f64::INFINITY);
        for _ in 0..MAX_STEPS {
            let n = place.y.len() - 1;
            residual = 1.0 - place.y[n];
            let Some((next, n_corrections)) = follow.advance(&place, step)? else {
                step *= 0.5;
                if step < MIN_STEP {
                    break;
                }
                continue;
            };
            if next.y[n] >= 1.0 {
                // between the two places
                let share = (1.0 - place.y[n]) / (next.y[n] - place.y[n]);
                let unit = CondensedProblem::new(system, harmonics, follow.cache)?.bound();
                let between = place.y.iter().zip(&next.y).map(|(a, b)| unit * (a + share * (b - a)));
                let z: Vec<f64> = between.take(n).collect();
                return CondensedProblem::new(system, harmonics, follow.cache)?.solve_from(z);
            }
            if n_corrections <= 4 {
                step = (1.5 * step).min(LONGEST);
            }
            place = next;
        }
        Err(Error::NoPeriodicMotion { starts: 1, residual })
    }

    /// What becomes of small disturbances of a motion.
    pub fn stability(&self, system: &System, motion: &HarmonicMotion) -> Result<Stability, Error> {
        stability(system, motion, &mut Cache::default())
    }
}

/// The system, if it passes its check; else its first fault.
fn sound(system: System) -> Result<System, Error> {
    match Faults::of(|faults| system.check(faults)).into_iter().next() {
        None => Ok(system),
        Some(fault) => Err(fault.error),
    }
}

impl Follow<'_> {
    fn problem(&mut self, parameter: f64) -> Result<CondensedProblem, Error> {
        let system = (self.family)(parameter)?;
        let mut problem = CondensedProblem::new(&system, self.harmonics, self.cache)?;
        problem.set_sharp(self.is_sharp);
        Ok(problem)
    }

    fn point(&mut self, parameter: f64, motion: HarmonicMotion) -> Result<HarmonicPoint, Error> {
        let stability = stability(&(self.family)(parameter)?, &motion, self.cache)?;
        Ok(HarmonicPoint { parameter, motion: Ok((motion, stability)) })
    }

    /// A motion in scaled unknowns, with the tangent towards the end of the way.
    fn place(&mut self, motion: &HarmonicMotion, parameter: f64) -> Result<HarmonicPlace, Error> {
        let problem = self.problem(parameter)?;
        let unit = problem.bound();
        let mut y: Vec<f64> = problem.unknowns(motion).iter().map(|z| z / unit).collect();
        y.push((parameter - self.from) / self.way);
        let mut tangent = vec![0.0; y.len()];
        tangent[y.len() - 1] = 1.0;
        if let Some((_, slopes)) = self.defect(&y)?
            && let Some(found) = tangent_of(&slopes, &tangent)
        {
            tangent = found;
        }
        Ok(HarmonicPlace { y, tangent })
    }

    /// R and its derivative by all unknowns, one row an equation, scaled. `None` where the parameter does not
    /// fit the system.
    fn defect(&mut self, y: &[f64]) -> Result<Option<(Vec<f64>, Matrix)>, Error> {
        let n = y.len() - 1;
        let parameter = self.from + y[n] * self.way;
        let Some(problem) = attempted(self.problem(parameter))? else { return Ok(None) };
        let unit = problem.bound();
        let z: Vec<f64> = y[..n].iter().map(|y| y * unit).collect();
        let (mut f, mut jacobian) = (vec![0.0; n], vec![0.0; n * n]);
        problem.balance(&z, 1.0, &mut f, Some(&mut jacobian));
        let mut slopes = Matrix::zeros(n, n + 1);
        for (i, row) in jacobian.chunks(n).enumerate() {
            slopes.data[i * (n + 1)..i * (n + 1) + n].copy_from_slice(row);
        }
        // at an edge of what the parameter may be there is one side only
        let mut ends: Vec<(f64, Vec<f64>)> = Vec::new();
        for side in [-1.0, 1.0] {
            let h = side * DIFFERENCE;
            if let Some(other) = attempted(self.problem(parameter + h * self.way))? {
                let z: Vec<f64> = y[..n].iter().map(|y| y * other.bound()).collect();
                let mut residual = vec![0.0; n];
                other.balance(&z, 1.0, &mut residual, None);
                residual.iter_mut().for_each(|r| *r /= other.bound());
                ends.push((h, residual));
            }
        }
        f.iter_mut().for_each(|f| *f /= unit);
        let [first, .., last] = &ends[..] else {
            return Ok((ends.len() == 1).then(|| {
                let (h, residual) = &ends[0];
                (0..n).for_each(|i| *slopes.at_mut(i, n) = (residual[i] - f[i]) / h);
                (f, slopes)
            }));
        };
        for i in 0..n {
            *slopes.at_mut(i, n) = (last.1[i] - first.1[i]) / (last.0 - first.0);
        }
        Ok(Some((f, slopes)))
    }

    /// The next place, a step along the branch, and the corrections that it took.
    fn advance(&mut self, place: &HarmonicPlace, step: f64) -> Result<Option<(HarmonicPlace, usize)>, Error> {
        let n = place.y.len() - 1;
        let predicted: Vec<f64> = place.y.iter().zip(&place.tangent).map(|(y, t)| y + step * t).collect();
        let mut y = predicted.clone();
        for count in 1..=CORRECTIONS {
            let Some((f, slopes)) = self.defect(&y)? else { return Ok(None) };
            let norm = f.iter().fold(0.0, |a: f64, f| a.max(f.abs()));
            if norm <= CLOSE {
                let Some(tangent) = tangent_of(&slopes, &place.tangent) else { return Ok(None) };
                let turn = dot(&tangent, &place.tangent);
                return Ok((turn > TURN).then_some((HarmonicPlace { y, tangent }, count)));
            }
            let mut matrix = Matrix::zeros(n + 1, n + 1);
            matrix.data[..n * (n + 1)].copy_from_slice(&slopes.data);
            matrix.data[n * (n + 1)..].copy_from_slice(&place.tangent);
            let along: f64 = (0..=n).map(|i| place.tangent[i] * (y[i] - predicted[i])).sum();
            let mut change = f;
            change.push(along);
            if !pivoted::solve(&mut matrix, &mut change) {
                return Ok(None);
            }
            y.iter_mut().zip(&change).for_each(|(y, change)| *y -= change);
            let away: f64 = y.iter().zip(&predicted).map(|(y, p)| (y - p) * (y - p)).sum::<f64>().sqrt();
            if !(away < step) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The motion at a place, with more harmonics if those are too few; `None` if it is another one.
    fn motion(
        &mut self,
        before: &HarmonicPlace,
        next: &HarmonicPlace,
        parameter: f64,
    ) -> Result<Option<HarmonicMotion>, Error> {
        let n = next.y.len() - 1;
        let problem = self.problem(parameter)?;
        let mut z: Vec<f64> = next.y[..n].iter().map(|y| y * problem.bound()).collect();
        let mut iterations = 0;
        let start = z.clone();
        if !problem.newton(&mut z, 1.0, &mut iterations) {
            return Ok(None);
        }
        let away = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        let chord = away(&before.y, &next.y) * problem.bound();
        if away(&start, &z) > chord {
            return Ok(None);
        }
        let motion = problem.finish(&z, iterations)?;
        let system = (self.family)(parameter)?;
        Ok(Some(self.balance.refined(&system, motion, self.cache)?))
    }
}

/// What an attempt gave; none if it failed, unless the work is to be stopped.
fn attempted<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ Error::Interrupted { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The unit tangent of the branch, on the side of `heading`.
fn tangent_of(slopes: &Matrix, heading: &[f64]) -> Option<Vec<f64>> {
    let n = slopes.n_rows;
    let mut matrix = Matrix::zeros(n + 1, n + 1);
    matrix.data[..n * (n + 1)].copy_from_slice(&slopes.data);
    matrix.data[n * (n + 1)..].copy_from_slice(heading);
    let mut tangent = vec![0.0; n + 1];
    tangent[n] = 1.0;
    if !pivoted::solve(&mut matrix, &mut tangent) {
        return None;
    }
    let length = dot(&tangent, &tangent).sqrt();
    (length.is_finite() && length > 0.0).then(|| tangent.iter().map(|t| t / length).collect())
}

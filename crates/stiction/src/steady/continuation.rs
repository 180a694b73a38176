//! Branches of periodic motions through their folds, by pseudo-arclength (@keller1977).
//!
//! ```text
//!   P(x, λ) = x,    τ·(y − y_p) = 0        y = (x, λ) scaled, y_p = y + s τ, τ the tangent of the branch
//! ```
//!
//! At a fold λ turns round while the arclength goes on. ∂P/∂λ is a central difference, good to about ten
//! digits: it bears on the speed of convergence and not on the result.
//!
//! A step is accepted if the corrector stays near the prediction, the branch turns little, and its
//! orientation, the sign of det [P′ − I, ∂P/∂λ; τ], is kept: the other side of a narrow fold has the opposite
//! one. Where the order of the phases changes the branch has a corner. Short steps pass it; where it turns
//! sharply the orientation says how it goes on (@allgower1990, ch. 12). Through stuck motions, of which there
//! is a continuum, the parameter leads. Where P itself jumps, as at the onset of a stop under static friction
//! above kinetic friction, the branch ends; elsewhere it comes back to itself, or to where it began. The
//! search then goes on from the motion just beyond the farthest parameter reached, and the gap is marked.

mod continuum;

use super::flow::{Flow, attempted};
use super::newton::{self, Norm};
use super::sweep::{first, sound};
use super::{Branch, BranchEnd, BranchPlace, Engine, Orbit, Point, State, Steady};
use crate::math::dense::{Matrix, dot};
use crate::math::pivoted;
use crate::system::System;
use crate::{Error, Faults, Progress};
use continuum::is_in_continuum;

/// How to follow a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Continuation {
    /// How the motions are looked for; its starts lead to the first one.
    pub steady: Steady,
    /// Parameter of the first motion.
    pub from: f64,
    /// The branch ends here.
    pub to: f64,
    /// First step as a part of the way from `from` to `to`, and of the motion (-).
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

/// Newton steps of the corrector.
const CORRECTIONS: usize = 8;
/// Residuals below this that do not shrink any more are rounding.
const ROUNDING: f64 = 1e-10;
/// Residual at which the corrector stops; the search that describes the motion goes on to its own tolerance.
const CLOSE: f64 = 1e-11;
/// Cosine of the angle by which the branch may turn in one step.
const TURN: f64 = 0.9;
/// Part of a step by which the corrector may leave the prediction. A curve that turns by the angle of
/// [`TURN`] leaves its tangent by half that angle, 0.23 of the step.
const STRAY: f64 = 0.3;
/// Steps below this multiple of the shortest one see corners as such: the branch may turn as it likes, if it
/// stays together.
const CORNER: f64 = 64.0;
/// A motion is the one that the corrector found, if it differs by less, relative to its size.
const SAME: f64 = 1e-6;

/// A point of the branch in scaled unknowns.
#[derive(Clone, Debug)]
struct BranchPoint {
    y: Vec<f64>,
    tangent: Vec<f64>,
}

/// A place of the branch, the motion there, and the end of the branch if it is one.
type Arrival = (BranchPoint, Point, Option<BranchEnd>);

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
    progress: Progress<'a>,
    /// The largest part of the way reached, in λ.
    reached: f64,
    norm: Norm,
    /// Unit of each component of y.
    units: Vec<f64>,
    n: usize,
    /// Sign of det [F′; τ] along the branch; 0 if not known.
    orientation: f64,
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

    /// Follows the branch of `family` on which the motion found at `from` lies. Only for systems with a load
    /// that repeats. `progress` receives the largest part of the way reached.
    pub fn run(&self, family: &dyn Fn(f64) -> System, progress: &mut Progress) -> Result<Branch, Error> {
        let mut branch = Branch::at(self.from);
        self.run_into(&mut branch, family, progress)?;
        Ok(branch)
    }

    /// The same into a branch that is yet to begin, or was stopped: what is finished stays when it is
    /// stopped, and is gone on from.
    pub fn run_into(
        &self,
        branch: &mut Branch,
        family: &dyn Fn(f64) -> System,
        progress: &mut Progress,
    ) -> Result<(), Error> {
        let system = sound(family(self.from))?;
        if system.period().is_none() {
            return Err(Error::Needs { key: "force" });
        }
        if let (Some(place), Some(Ok(orbit))) =
            (branch.place.take(), branch.points.first().map(|point| &point.orbit))
        {
            let norm = Norm::new(&system, orbit.period);
            let problem = Problem::at(self, family, progress.part(0.0, 1.0), (norm, &place));
            branch.points.truncate(place.n_points);
            return self.followed(branch, problem, place);
        }
        *branch = Branch::at(self.from);
        let orbit = first(&self.steady, &system, &mut progress.at(0.0))?;
        // a branch is one of motions with the period of a load
        let is_forced = system.period().is_some_and(|period| {
            (orbit.period - period * f64::from(orbit.subharmonic)).abs() <= super::SAME * orbit.period
        });
        if !is_forced {
            return Err(Error::Needs { key: "force" });
        }
        let norm = Norm::new(&system, orbit.period);
        let n = 2 * system.n() + orbit.state.memory.len();
        let units = vec![1.0; n + 1];
        let progress = progress.part(0.0, 1.0);
        let mut problem =
            Problem { settings: self, family, progress, reached: 0.0, units, norm, n, orientation: 0.0 };
        problem.units[n] = self.to - self.from;
        problem.rescale(&orbit, &mut BranchPoint { y: vec![0.0; n + 1], tangent: vec![0.0; n + 1] });
        let now = problem.begin(&orbit, self.from)?;
        branch.points.push(Point { parameter: self.from, orbit: Ok(orbit) });
        let place = problem.place(branch, now, (self.step.min(self.max_step), 0));
        self.followed(branch, problem, place)
    }

    /// Follows the branch from a place, and says how far it came.
    fn followed(&self, branch: &mut Branch, mut problem: Problem, place: BranchPlace) -> Result<(), Error> {
        let followed = problem.follow(branch, place);
        if followed.is_err() {
            branch.end = BranchEnd::Stopped;
        }
        let part = |point: &Point| (point.parameter - self.from) / (self.to - self.from);
        let farthest = (branch.points.iter().filter(|point| point.orbit.is_ok()))
            .max_by(|a, b| part(a).total_cmp(&part(b)));
        branch.reached = farthest.map_or(self.from, |point| point.parameter);
        followed
    }
}

/// A bordered determinant whose smallest pivot is below this part of the largest has no sign.
const SIGNED: f64 = 1e-9;
/// Points between two looks whether the branch comes back to itself.
const LOOK: usize = 16;
/// Times the way along the branch by which the amplitude may change.
const TORN: f64 = 20.0;
/// Jumps at most: a branch with more of them is none.
const MAX_JUMPS: usize = 100;
/// Times the deflection by the loads at which a motion that grows is given up.
const UNBOUNDED: f64 = 1e5;
/// A gap across which the motion changes by less than this part of itself is a steep corner of the branch and
/// no jump.
const STEEP: f64 = 1e-4;
/// Part of the way by which the parameter goes on at a jump, one after the other.
const JUMPS: [f64; 7] = [1e-6, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3];
/// Motions below this part of the deflection by the loads are small: steps are no longer parts of the motion,
/// of which there are too many on the way from rest.
const SMALL: f64 = 0.05;
/// Difference of λ for ∂P/∂λ, as a part of the way.
const DIFFERENCE: f64 = 1e-6;

impl Problem<'_> {
    /// A point with its tangent towards `to`.
    fn begin(&mut self, orbit: &Orbit, parameter: f64) -> Result<BranchPoint, Error> {
        let y = self.scaled(&orbit.state, parameter);
        let mut now = BranchPoint { y, tangent: vec![0.0; self.n + 1] };
        now.tangent[self.n] = 1.0;
        self.orientation = 0.0;
        if is_in_continuum(orbit) {
            return Ok(now);
        }
        if let Some(defect) = attempted(self.defect(&now.y))?
            && let Some((tangent, _)) = self.tangent(&defect, &now.tangent)
        {
            now.tangent = tangent;
            if now.tangent[self.n] < 0.0 {
                now.tangent.iter_mut().for_each(|t| *t = -*t);
            }
            self.orientation = self.determinant(&defect.slopes, &now.tangent);
        }
        Ok(now)
    }

    /// The problem as it was at a place.
    fn at<'a>(
        settings: &'a Continuation,
        family: &'a dyn Fn(f64) -> System,
        progress: Progress<'a>,
        (norm, place): (Norm, &BranchPlace),
    ) -> Problem<'a> {
        let BranchPlace { units, orientation, reached, .. } = place.clone();
        let n = units.len() - 1;
        Problem { settings, family, progress, reached, norm, units, n, orientation }
    }

    /// Where the search stands before its next step, and how many steps in a row were easy.
    fn place(&self, branch: &Branch, now: BranchPoint, (step, n_easy): (f64, usize)) -> BranchPlace {
        let BranchPoint { y, tangent } = now;
        let Self { units, orientation, reached, .. } = self;
        let n_points = branch.points.len();
        let (units, orientation, reached) = (units.clone(), *orientation, *reached);
        BranchPlace { n_points, y, tangent, units, orientation, step, n_easy, reached }
    }

    fn follow(&mut self, branch: &mut Branch, place: BranchPlace) -> Result<(), Error> {
        let Continuation { max_step, min_step, max_points, .. } = *self.settings;
        let BranchPlace { y, tangent, mut step, mut n_easy, .. } = place;
        let mut now = BranchPoint { y, tangent };
        while branch.points.len() < max_points {
            branch.place = Some(self.place(branch, now.clone(), (step, n_easy)));
            self.reached = self.reached.max(now.y[self.n].min(1.0));
            self.progress.report(self.reached)?;
            let last = branch.points.last();
            let is_stuck = last.is_some_and(|point| point.orbit.as_ref().is_ok_and(is_in_continuum));
            let mut next = if is_stuck {
                self.along_continuum(&now, step, last)?.map(|found| (found, 1))
            } else if let Some((next, n_corrections)) = self.advance(&now, step)? {
                self.arrive(&now, next, last)?.map(|found| (found, n_corrections))
            } else {
                None
            };
            if next.is_none() {
                n_easy = 0;
                step *= 0.5;
                if step >= min_step {
                    continue;
                }
                step = CORNER * min_step;
                next = self.turn(&now, last)?.map(|found| (found, CORRECTIONS));
            }
            let Some(((next, point, end), n_corrections)) = next else {
                match self.jump(branch, BranchEnd::Lost)? {
                    Some(place) => now = place,
                    None => return Ok(()),
                }
                continue;
            };
            now = next;
            if let Ok(orbit) = &point.orbit {
                self.rescale(orbit, &mut now);
            }
            let is_large = point.orbit.as_ref().is_ok_and(|orbit| self.is_large(orbit));
            branch.points.push(point);
            if is_large && self.grows(branch) {
                match self.jump(branch, BranchEnd::Unbounded)? {
                    Some(place) => (now, step) = (place, CORNER * min_step),
                    None => return Ok(()),
                }
                continue;
            }
            let is_closed =
                || branch.points.len().is_multiple_of(LOOK) && is_closed(&branch.points, self.units[self.n]);
            let end = end.or_else(|| is_closed().then_some(BranchEnd::Closed));
            if end == Some(BranchEnd::Reached) {
                branch.end = BranchEnd::Reached;
                return Ok(());
            }
            if let Some(end) = end {
                match self.jump(branch, end)? {
                    Some(place) => (now, step) = (place, CORNER * min_step),
                    None => return Ok(()),
                }
                continue;
            }
            n_easy = if n_corrections <= 4 { n_easy + 1 } else { 0 };
            if n_easy > 0 {
                step = (1.5 * step).min(max_step);
            }
        }
        branch.end = BranchEnd::Full;
        Ok(())
    }

    /// Whether two motions differ by far more than their states at t = 0 do: where a contact that rests at t = 0 slips later
    /// or not, the state may go on and the motion jump.
    fn is_torn(&self, before: Option<&Point>, after: &Point, chord: f64) -> bool {
        let (Some(Ok(a)), Ok(b)) = (before.map(|point| &point.orbit), &after.orbit) else { return false };
        (a.amplitude - b.amplitude).abs() > TORN * chord * self.units[0].max(b.extent)
    }

    /// The motion at the next place: of one beyond the ends of the way the motion at the end. None if it is
    /// not where the corrector has been, or another than `last` leads to.
    fn arrive(
        &mut self,
        now: &BranchPoint,
        mut next: BranchPoint,
        last: Option<&Point>,
    ) -> Result<Option<Arrival>, Error> {
        let Continuation { from, to, .. } = *self.settings;
        let (before, after) = (now.y[self.n], next.y[self.n]);
        let end = if after >= 1.0 {
            Some((BranchEnd::Reached, to))
        } else if after <= 0.0 && after < before {
            Some((BranchEnd::Returned, from))
        } else {
            None
        };
        if let Some((_, parameter)) = &end {
            // on the chord
            let at = (parameter - from) / self.units[self.n];
            let part = if after == before { 1.0 } else { ((at - before) / (after - before)).clamp(0.0, 1.0) };
            next.y.iter_mut().zip(&now.y).for_each(|(next, now)| *next = now + part * (*next - now));
            next.y[self.n] = at;
        }
        let parameter = match &end {
            Some((_, parameter)) => *parameter,
            None => self.parameter(&next.y),
        };
        let Some(orbit) = attempted(self.describe(&next.y, parameter))? else { return Ok(None) };
        let found = self.scaled(&orbit.state, parameter);
        let chord = distance(&now.y, &next.y);
        let allowed = if end.is_some() || is_in_continuum(&orbit) { chord.max(SAME) } else { SAME };
        if distance(&found, &next.y) > allowed {
            return Ok(None);
        }
        if is_in_continuum(&orbit) {
            next.y = found;
            let chord = distance(&next.y, &now.y).max(f64::MIN_POSITIVE);
            next.tangent = next.y.iter().zip(&now.y).map(|(y, before)| (y - before) / chord).collect();
        }
        let point = Point { parameter, orbit: Ok(orbit) };
        if self.is_torn(last, &point, chord.max(SAME)) {
            return Ok(None);
        }
        Ok(Some((next, point, end.map(|(end, _)| end))))
    }

    /// Measures states by the size of the motion, so that steps are parts of it; small motions, as those
    /// after a state of rest, by what the loads would deflect.
    fn rescale(&mut self, orbit: &Orbit, place: &mut BranchPoint) {
        let x = orbit.state.to_vec(self.n);
        let size = self.norm.size(&x, &x).max(orbit.amplitude).max(SMALL * self.norm.reference());
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

    /// The motion at `parameter` next to y. Where the corrector has converged the search stops at once, and
    /// does not leave an unstable motion.
    fn describe(&mut self, y: &[f64], parameter: f64) -> Result<Orbit, Error> {
        let steady = Steady { transient: 0, max_periods: 50, ..self.settings.steady.clone() };
        let mut x: Vec<f64> = (0..self.n).map(|i| y[i] * self.units[i]).collect();
        self.norm.snap(&mut x);
        let start = State::from_slice(&x, self.norm.n());
        steady.from(&sound((self.family)(parameter))?, &start, &mut self.progress.at(self.reached))
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

    fn defect(&mut self, y: &[f64]) -> Result<Defect, Error> {
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
    fn determinant(&self, slopes: &Matrix, border: &[f64]) -> f64 {
        pivoted::determinant_sign(&mut self.bordered(slopes, border), SIGNED)
    }

    /// The unit tangent of the branch on the side of `last`, and whether the orientation says so too.
    fn tangent(&self, defect: &Defect, last: &[f64]) -> Option<(Vec<f64>, bool)> {
        let mut right = vec![0.0; self.n + 1];
        right[self.n] = 1.0;
        let mut tangent = self.solve(&defect.slopes, last, right)?;
        let length = dot(&tangent, &tangent).sqrt();
        tangent.iter_mut().for_each(|t| *t /= length);
        let is_oriented = self.orientation * self.determinant(&defect.slopes, &tangent) >= 0.0;
        length.is_finite().then_some((tangent, is_oriented))
    }

    /// The next point of the branch at arclength `step`, and the number of corrections it took.
    fn advance(&mut self, now: &BranchPoint, step: f64) -> Result<Option<(BranchPoint, usize)>, Error> {
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
    fn turn(&mut self, now: &BranchPoint, last: Option<&Point>) -> Result<Option<Arrival>, Error> {
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

    /// Whether a motion is suspected of growing without end.
    fn is_large(&self, orbit: &Orbit) -> bool {
        let x = orbit.state.to_vec(self.n);
        self.norm.size(&x, &x) > UNBOUNDED * self.norm.reference()
    }

    /// Whether the last motion of the branch is larger than the one before.
    fn grows(&self, branch: &Branch) -> bool {
        let mut extents =
            branch.points.iter().rev().map(|p| p.orbit.as_ref().map_or(0.0, |orbit| orbit.extent));
        matches!((extents.next(), extents.next()), (Some(last), Some(before)) if last > before)
    }

    /// Where the branch ends: the motion just beyond the farthest parameter reached, found afresh, after a
    /// gap. None if there is none, or it is the last.
    fn jump(&mut self, branch: &mut Branch, end: BranchEnd) -> Result<Option<BranchPoint>, Error> {
        branch.end = end;
        if branch.jumps >= MAX_JUMPS {
            return Ok(None);
        }
        let (from, way) = (self.settings.from, self.units[self.n]);
        let found =
            branch.points.iter().filter_map(|point| Some((point.parameter, point.orbit.as_ref().ok()?)));
        let farthest = found.max_by(|(a, _), (b, _)| ((a - from) / way).total_cmp(&((b - from) / way)));
        let Some((edge, state)) = farthest.map(|(edge, orbit)| (edge, orbit.state.clone())) else {
            return Ok(None);
        };
        let last = branch.points.last().map(|point| point.parameter);
        for part in JUMPS {
            let at = ((edge - from) / way + part).min(1.0);
            let parameter = if at == 1.0 { self.settings.to } else { from + at * way };
            let y = self.scaled(&state, parameter);
            let found = match attempted(self.describe(&y, parameter))? {
                Some(orbit) => Some(orbit),
                None => match sound((self.family)(parameter)) {
                    Ok(system) => {
                        let mut progress = self.progress.at(self.reached);
                        attempted(first(&self.settings.steady, &system, &mut progress))?
                    }
                    Err(_) => None,
                },
            };
            let Some(orbit) = found else { continue };
            if self.is_large(&orbit) && at < 1.0 && Some(&part) != JUMPS.last() {
                continue;
            }
            let change = distance(&self.scaled(&orbit.state, parameter), &y);
            let is_steep = change <= STEEP && last == Some(edge) && end == BranchEnd::Lost;
            let mut now = self.begin(&orbit, parameter)?;
            self.rescale(&orbit, &mut now);
            if !is_steep {
                branch.jumps += 1;
                let gap = Err(Error::BranchJumps { from: edge, to: parameter });
                branch.points.push(Point { parameter: edge, orbit: gap });
            }
            branch.points.push(Point { parameter, orbit: Ok(orbit) });
            if at == 1.0 {
                branch.end = BranchEnd::Reached;
                return Ok(None);
            }
            return Ok(Some(now));
        }
        Ok(None)
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    if largest.is_nan() { f64::INFINITY } else { largest }
}

/// Part of the distance between two points of a branch at which a third lies on the line through them.
const ON_LINE: f64 = 1e-3;

/// Whether the last motion lies on the line through two motions next to each other before: the branch has
/// come back.
fn is_closed(points: &[Point], way: f64) -> bool {
    let motion = |point: &Point| point.orbit.as_ref().ok().map(|orbit| orbit.state.clone());
    let Some((last, before)) = points.split_last() else { return false };
    let Some(state) = motion(last) else { return false };
    before.windows(2).rev().skip(LOOK).any(|pair| {
        let (a, b) = (pair[0].parameter, pair[1].parameter);
        let part = (last.parameter - a) / (b - a);
        if !(0.0..=1.0).contains(&part) || (b - a).abs() < 1e-12 * way.abs() {
            return false;
        }
        let (Some(a), Some(b)) = (motion(&pair[0]), motion(&pair[1])) else { return false };
        let off = |a: &[f64], b: &[f64], x: &[f64]| {
            let chord = a.iter().zip(b).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max);
            let miss = (0..x.len()).map(|i| (a[i] + part * (b[i] - a[i]) - x[i]).abs()).fold(0.0, f64::max);
            miss <= ON_LINE * chord
        };
        off(&a.position, &b.position, &state.position) && off(&a.velocity, &b.velocity, &state.velocity)
    })
}

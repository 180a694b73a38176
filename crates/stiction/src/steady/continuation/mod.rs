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
//! sharply the orientation decides how it goes on (@allgower1990, ch. 12). Through stuck motions, of which there
//! is a continuum, the parameter leads. Where P itself jumps, as at the onset of a stop under static friction
//! above kinetic friction, the branch ends; elsewhere it comes back to itself, or to where it began. The
//! search then goes on from the motion just beyond the farthest parameter reached, and the gap is marked.

mod closure;
mod continuum;
mod corrector;

use super::flow::attempted;
use super::newton::Norm;
use super::sweep::{first, sound};
use super::{Branch, BranchEnd, BranchPlace, Orbit, Point, State, Steady};
use crate::math::dense::dot;
use crate::system::System;
use crate::{Error, Faults, Progress};
use closure::is_closed;
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

    /// Follows the branch from a place, and notes how far it came.
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
            let mut next = self.next(&now, step, branch.points.last())?;
            if next.is_none() {
                n_easy = 0;
                step *= 0.5;
                if step >= min_step {
                    continue;
                }
                step = CORNER * min_step;
                next = self.turn(&now, branch.points.last())?.map(|found| (found, CORRECTIONS));
            }
            let end = match next {
                None => Some(BranchEnd::Lost),
                Some(((next, point, end), n_corrections)) => {
                    n_easy = if n_corrections <= 4 { n_easy + 1 } else { 0 };
                    now = next;
                    self.append(branch, &mut now, point, end)
                }
            };
            match end {
                None if n_easy > 0 => step = (1.5 * step).min(max_step),
                None => {}
                Some(BranchEnd::Reached) => {
                    branch.end = BranchEnd::Reached;
                    return Ok(());
                }
                Some(end) => match self.jump(branch, end)? {
                    Some(place) => (now, step) = (place, CORNER * min_step),
                    None => return Ok(()),
                },
            }
        }
        branch.end = BranchEnd::Full;
        Ok(())
    }

    /// The next motion at arclength `step`, and the number of corrections it took.
    fn next(
        &mut self,
        now: &BranchPoint,
        step: f64,
        last: Option<&Point>,
    ) -> Result<Option<(Arrival, usize)>, Error> {
        if last.is_some_and(|point| point.orbit.as_ref().is_ok_and(is_in_continuum)) {
            return Ok(self.along_continuum(now, step, last)?.map(|found| (found, 1)));
        }
        let Some((next, n_corrections)) = self.advance(now, step)? else { return Ok(None) };
        Ok(self.arrive(now, next, last)?.map(|found| (found, n_corrections)))
    }

    /// Adds a motion to the branch; returns why it ends there, if it does.
    fn append(
        &mut self,
        branch: &mut Branch,
        now: &mut BranchPoint,
        point: Point,
        end: Option<BranchEnd>,
    ) -> Option<BranchEnd> {
        let orbit = point.orbit.as_ref().ok();
        let is_large = orbit.is_some_and(|orbit| self.is_large(orbit));
        if let Some(orbit) = orbit {
            self.rescale(orbit, now);
        }
        branch.points.push(point);
        if is_large && self.grows(branch) {
            return Some(BranchEnd::Unbounded);
        }
        let is_closed = || is_closed(&branch.points, self.units[self.n]).then_some(BranchEnd::Closed);
        end.or_else(is_closed)
    }

    /// Where the way from `before` to `after` leaves that from `from` to `to`: the end of the branch there, the
    /// parameter, and the part of the way.
    fn left(&self, before: f64, after: f64) -> Option<(BranchEnd, f64, f64)> {
        let Continuation { from, to, .. } = *self.settings;
        if after >= 1.0 {
            let part = if after == before { 1.0 } else { (1.0 - before) / (after - before) };
            Some((BranchEnd::Reached, to, part))
        } else if after <= 0.0 && after < before {
            Some((BranchEnd::Returned, from, before / (before - after)))
        } else {
            None
        }
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
        let end = self.left(now.y[self.n], next.y[self.n]);
        if let Some((_, parameter, part)) = end {
            // on the chord
            let part = part.clamp(0.0, 1.0);
            next.y.iter_mut().zip(&now.y).for_each(|(next, now)| *next = now + part * (*next - now));
            next.y[self.n] = (parameter - self.settings.from) / self.units[self.n];
        }
        let parameter = end.map_or_else(|| self.parameter(&next.y), |(_, parameter, _)| parameter);
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
        Ok(Some((next, point, end.map(|(end, ..)| end))))
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

//! Error-controlled steps that end on every event.
//!
//! An event is a sign change of a guard, a kink: f is continuous there, its derivative jumps. A step across it would
//! lose its order, so a step in which a guard vanishes is repeated with the length at which it vanishes; the last
//! correction, below [`NEAR`] of the step, is read off the dense output, which has the value and the slope of the
//! step's end. After the event the length of the steps before it is taken up again.
//!
//! The problem may change at an event, f and the guards ([`Ode::land`]): the next step begins with the new ones, and
//! until then the last step can still be evaluated.

use super::dense_output::{DenseOutput, StepStart};
use super::guard_search::{Crossing, GuardSearch, SearchedStep};
use super::problem::{Ode, Work};
use super::settings::{Adaptive, Method, Tolerance};
use super::step_after_event::StepAfterEvent;
use super::step_methods::{SolutionPoint, StepMethods, is_finite};
use super::stiffness_switch::Kernel;
use crate::Error;

/// An event this near the end of a step (as a part of it) is reached along the dense output.
///
/// Both interpolants have the value and the slope of the step at its end, so that so close to it they err by
/// no more than a thousandth of their largest error.
const NEAR: f64 = 5e-3;
/// Steps aim a little short of an event, so that no stage is beyond it; a step that reaches farther is repeated.
const SHORT: f64 = 1.0 - 1e-6;
/// The same for a first guess, which is coarse.
const GUESS: f64 = 1.0 - 2e-3;
/// A guess nearer than this part of the step is left to the search inside the step.
const SOON: f64 = 1e-6;
/// A step that aimed short of an event has it before this multiple of its length.
const CLOSE_BEHIND: f64 = 1.0 + 1e-5;
/// How far after the end of a step an event is looked for, as a multiple of the step.
const AHEAD: f64 = 1.5;
/// Repetitions of a step to end on an event, before the step just stays short of it.
const REPETITIONS: u32 = 8;
/// A step that is cut below this part of its length, or to hardly more than the shortest one, is very short.
const VERY_SHORT: f64 = 1e-3;
/// Times closer than so many roundings of t are not distinguished.
const DISTINCT: f64 = 8.0;
/// The product h λ beyond which explicit steps amplify deviations from equilibrium.
///
/// Where these are round-off the error estimate would show it too late, and the dense output even later.
const STABLE: f64 = 6.0;
/// Where the Jacobian after an event is taken, as a part of the step.
const NUDGE: f64 = 1e-9;

/// Carries a state forward, one accepted step at a time.
pub struct AdaptiveStepper {
    settings: Adaptive,
    tolerance: Tolerance,
    n_active: usize,
    longest: f64,
    shortest: Option<f64>,
    /// Start and end of the last step.
    pub(super) start: SolutionPoint,
    pub(super) end: SolutionPoint,
    /// End of the step that is tried.
    trial: SolutionPoint,
    /// A state just after the end of the last step, on the side of an event that the next step lies on.
    near: (f64, Vec<f64>),
    /// Length of the next step.
    h: f64,
    /// Length of the dense output of the last step.
    pub(super) h_path: f64,
    pub(super) methods: StepMethods,
    pub(super) guards: GuardSearch,
    after_event: StepAfterEvent,
    change: ProblemChange,
    pub(super) work: Work,
}

/// Whether the problem changes where the last step ended.
enum ProblemChange {
    /// It goes on.
    None,
    /// It will with the next step: length of the steps before the event, and its guard.
    Pending(f64, Option<usize>),
    /// It has changed: the last step says nothing about the next one.
    Done,
}

/// A step that has been tried with success.
struct Attempt {
    /// Length, and the length that error control planned.
    h: f64,
    planned: f64,
    error: f64,
    /// Whether longer attempts have been rejected.
    was_rejected: bool,
}

impl AdaptiveStepper {
    /// Room for problems of the size of `ode`; nothing is allocated afterwards.
    pub fn new(settings: &Adaptive, ode: &(impl Ode + ?Sized)) -> Self {
        let n = ode.n();
        let n_active = n - ode.n_passive();
        let mut sizes = vec![f64::INFINITY; n];
        ode.sizes(&mut sizes);
        let tolerance = Tolerance::new(settings, &sizes);
        Self {
            settings: settings.clone(),
            n_active,
            longest: settings.max_step.unwrap_or(f64::INFINITY).min(ode.longest_step()),
            shortest: ode.shortest_step(),
            start: SolutionPoint::new(n),
            end: SolutionPoint::new(n),
            trial: SolutionPoint::new(n),
            near: (0.0, vec![0.0; n]),
            h: 0.0,
            h_path: 0.0,
            methods: StepMethods::new(settings.method, n, n_active, &tolerance),
            guards: GuardSearch::new(n_active, ode.n_guards()),
            after_event: StepAfterEvent::new(ode.n_guards(), settings.rtol),
            change: ProblemChange::None,
            work: Work::default(),
            tolerance,
        }
    }

    /// Starts at (t, y).
    pub fn start(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, y: &[f64]) -> Result<(), Error> {
        self.begin(ode, t, y, None)
    }

    /// Starts at (t, y), from scratch or after a change of the right-hand side.
    fn begin(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t: f64,
        y: &[f64],
        on: Option<&[usize]>,
    ) -> Result<(), Error> {
        (self.start.t, self.end.t) = (t, t);
        self.end.y.copy_from_slice(y);
        ode.land(t, &mut self.end.y, on);
        ode.go_on();
        self.start.y.copy_from_slice(&self.end.y);
        self.change = ProblemChange::None;
        self.work = Work::default();
        self.h_path = 0.0;
        self.methods.restart(self.settings.method);
        self.after_event.restart();
        ode.rhs(t, &self.end.y, &mut self.end.f);
        self.work.evaluations += 1;
        if !is_finite(y) || !is_finite(&self.end.f) {
            return Err(Error::diverged(t, &[]));
        }
        self.guards.arrive(ode, t, &self.end.y, None);
        self.set_near(0.0);
        self.h = self.first_step(ode);
        self.after_event.stiffness = ode.stiffness(t, &self.end.y);
        Ok(())
    }

    /// Goes on from where it is after the right-hand side has changed.
    pub fn renew(&mut self, ode: &mut (impl Ode + ?Sized)) -> Result<(), Error> {
        let (y, before) = (self.end.y.clone(), self.work);
        // what was decided at the end of the last step comes first
        ode.go_on();
        self.begin(ode, self.end.t, &y, Some(&[]))?;
        self.work = before.plus(self.work);
        Ok(())
    }

    /// Makes one accepted step, not beyond `t_end`; a step that reaches `t_end` ends on it bit by bit.
    ///
    /// Nothing happens unless `t_end` lies ahead.
    pub fn step(&mut self, ode: &mut (impl Ode + ?Sized), t_end: f64) -> Result<(), Error> {
        let t = self.end.t;
        let rest = t_end - t;
        if rest <= 0.0 || rest.is_nan() {
            return Ok(());
        }
        if let ProblemChange::Pending(h, guard) = self.change {
            self.resume(ode, h, guard);
        }
        let mut planned = self.h.min(self.longest);
        // a last step that is a little longer is better than a tiny one after it
        let mut h = if planned * 1.01 >= rest { rest } else { planned };
        let apart = self.apart();
        let shortest = self.shortest.map_or(apart, |least| least.min(apart));
        let mut target = self.expected(ode, h).map(|(guard, length)| {
            h = (length * GUESS).max(shortest);
            guard
        });
        let (mut repetitions, mut was_rejected) = (0, false);
        loop {
            self.count_try()?;
            let error = self.attempt(ode, h);
            let is_good = error <= 1.0;
            let found = if is_good || error.is_finite() && self.guards.differs(ode, t + h, &self.trial.y) {
                self.crossing(ode, h, apart)
            } else {
                None
            };
            if !is_good {
                self.work.rejected += 1;
                if h <= shortest {
                    let is_finite = error.is_finite();
                    return Err(if is_finite { Error::StepVanished { t } } else { Error::diverged(t, &[]) });
                }
                h = match found {
                    // the event is to blame rather than the length
                    Some(crossing) if repetitions < REPETITIONS => {
                        repetitions += 1;
                        target = Some(crossing.guard);
                        h * crossing.theta * SHORT
                    }
                    _ => {
                        was_rejected = true;
                        planned = h * self.methods.shrink(h, error);
                        planned
                    }
                };
                h = h.max(shortest);
                continue;
            }
            let is_last = h >= rest;
            let is_very_short = h < (VERY_SHORT * planned).max(2.0 * shortest);
            let landing = match target {
                Some(guard) if found.is_none() && !is_last => self.beyond(ode, h, guard, rest / h),
                _ => found,
            };
            let attempt = Attempt { h, planned, error, was_rejected };
            match landing {
                Some(crossing) if (SHORT..=1.0 + NEAR).contains(&crossing.theta) => {
                    self.bend(ode, h, crossing.theta);
                    self.guards.chattering.cut(Some(crossing.guard).filter(|_| is_very_short));
                    let t = (t + crossing.theta * h).min(t_end);
                    return self.accept(ode, t, attempt, Some(crossing.guard));
                }
                Some(crossing) if repetitions < REPETITIONS => {
                    repetitions += 1;
                    self.work.repeated += 1;
                    target = Some(crossing.guard);
                    h = (h * crossing.theta * SHORT).min(rest);
                }
                // the event evades: stay well short of it
                Some(_) if found.is_some() => {
                    self.work.repeated += 1;
                    h = (0.5 * h).max(shortest);
                }
                _ => {
                    self.guards.chattering.missed(target, is_very_short);
                    self.guards.chattering.cut(target.filter(|_| is_very_short));
                    return self.accept(ode, if is_last { t_end } else { t + h }, attempt, None);
                }
            }
        }
    }

    /// An error if there have been too many attempts.
    fn count_try(&self) -> Result<(), Error> {
        let (tries, limit) =
            (self.work.steps + self.work.rejected + self.work.repeated, self.settings.max_steps);
        if tries >= limit { Err(Error::TooManySteps { t: self.end.t, limit }) } else { Ok(()) }
    }

    /// Length of the first step (@hairer1993, II.4).
    fn first_step(&mut self, ode: &mut (impl Ode + ?Sized)) -> f64 {
        let n = self.n_active;
        let (SolutionPoint { t, y, f }, trial) = (&self.end, &mut self.trial);
        let d0 = self.tolerance.norm(&y[..n], y);
        let d1 = self.tolerance.norm(&f[..n], y);
        let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
        for ((new, y), f) in trial.y.iter_mut().zip(y).zip(f) {
            *new = y + h0 * f;
        }
        ode.rhs(t + h0, &trial.y, &mut trial.f);
        self.work.evaluations += 1;
        trial.f.iter_mut().zip(f).for_each(|(new, f)| *new -= f);
        let d2 = self.tolerance.norm(&trial.f[..n], y) / h0;
        let order = if self.methods.choice.kernel() == Kernel::Explicit { 8.0 } else { 4.0 };
        let steepest = d1.max(d2);
        // written so that a NaN takes the cautious branch
        let h1 =
            if steepest > 1e-15 { libm::pow(0.01 / steepest, 1.0 / order) } else { (1e-3 * h0).max(1e-6) };
        h1.min(100.0 * h0)
    }

    /// The guard that should vanish within `h`, and how far ahead, if the last step simply went on.
    fn expected(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) -> Option<(usize, f64)> {
        let Self { start, end, guards, .. } = self;
        let h_old = end.t - start.t;
        let has_changed = matches!(self.change, ProblemChange::Done);
        if guards.is_idle() || h_old == 0.0 || has_changed || !guards.landed().is_empty() {
            return None;
        }
        let path = SearchedStep { t: start.t, h: h_old, output: hermite(start, end, h_old) };
        let crossing = guards.ahead(ode, path, 1.0 + h / h_old)?;
        let length = (crossing.theta - 1.0) * h_old;
        (length > SOON * h).then_some((crossing.guard, length))
    }

    /// Tries a step; returns its error, not finite if there is no result.
    fn attempt(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) -> f64 {
        let Self { end, near, trial, methods, tolerance, work, .. } = self;
        let start = StepStart { t: end.t, y: &end.y, f: &end.f, near: (near.0, &near.1), h };
        methods.attempt(ode, start, &mut trial.y, tolerance, work)
    }

    /// Finds the first event inside the attempt that is `apart` from its start; leaves f at its end in the trial.
    fn crossing(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, apart: f64) -> Option<Crossing> {
        let Self { end, trial, methods, guards, work, .. } = self;
        ode.rhs(end.t + h, &trial.y, &mut trial.f);
        work.evaluations += 1;
        if guards.is_idle() || !ode.may_vanish(h, [&end.y, &end.f], [&trial.y, &trial.f]) {
            return None;
        }
        let path = SearchedStep { t: end.t, h, output: hermite(end, trial, h) };
        if !guards.is_suspect(ode, path) {
            return None;
        }
        let path = SearchedStep { t: end.t, h, output: methods.dense_output(ode, end, trial, h, work) };
        guards.first_crossing(ode, path, apart / h)
    }

    /// Looks for the zero of a guard just after the attempt.
    fn beyond(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        h: f64,
        guard: usize,
        limit: f64,
    ) -> Option<Crossing> {
        let Self { end, trial, methods, guards, work, .. } = self;
        let path = SearchedStep { t: end.t, h, output: methods.dense_output(ode, end, trial, h, work) };
        let theta = guards.beyond(ode, path, guard, CLOSE_BEHIND, limit.min(AHEAD))?;
        Some(Crossing { theta, guard })
    }

    /// Moves the end of the attempt along its dense output to θ.
    fn bend(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, theta: f64) {
        let Self { end, trial, methods, work, .. } = self;
        methods.made_output(end).at(theta, &mut trial.y);
        ode.rhs(end.t + theta * h, &trial.y, &mut trial.f);
        work.evaluations += 1;
    }

    /// Takes the attempt as the step to `t_new`, which may lie on a guard.
    fn accept(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t_new: f64,
        attempt: Attempt,
        on: Option<usize>,
    ) -> Result<(), Error> {
        let Attempt { h, planned, error, was_rejected } = attempt;
        let factor = self.methods.accept(h, error, &mut self.work);
        let changes = self.shift(ode, t_new, h, on, planned)?;

        // the length to go on with
        self.h = h * factor;
        if h < planned {
            // it was cut short, not controlled
            self.h = self.h.max(planned);
        } else if was_rejected {
            self.h = self.h.min(h);
        }
        self.after_event.learn(self.h);
        if changes {
            self.change = ProblemChange::Pending(planned.max(h), on);
        } else if let Some(guard) = on {
            self.leave(ode, planned.max(h), guard);
        } else if self.settings.method != Method::Implicit {
            let stiffness = ode.stiffness(self.end.t, &self.end.y);
            self.after_event.stiffness = stiffness;
            let choice = &mut self.methods.choice;
            if choice.is_free()
                && !ode.is_never_stiff()
                && let Some(h) = choice.change(h, self.h, stiffness)
            {
                self.h = h;
                self.methods.implicit.restart();
            }
        }
        self.limit_explicit();
        Ok(())
    }

    /// Goes to the end of the attempt of length `h`, which is at `t_new` and may lie on a guard; derivatives
    /// are taken a little ahead then, compared with steps as long as `planned`. Returns whether the problem
    /// changes there.
    fn shift(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t_new: f64,
        h: f64,
        on: Option<usize>,
        planned: f64,
    ) -> Result<bool, Error> {
        self.work.steps += 1;
        self.work.kinks += u64::from(on.is_some());
        self.h_path = h;
        std::mem::swap(&mut self.start, &mut self.end);
        std::mem::swap(&mut self.end, &mut self.trial);
        self.end.t = t_new;
        if !is_finite(&self.end.f) {
            return Err(Error::diverged(t_new, &[]));
        }
        self.guards.arrive(ode, t_new, &self.end.y, on);
        if on.is_some() {
            self.set_near(self.apart());
            self.guards.meet(ode, self.near.0, &self.near.1);
        }
        self.change = ProblemChange::None;
        let changes = ode.land(t_new, &mut self.end.y, Some(self.guards.landed()));
        self.look_ahead(if on.is_some() { planned } else { 0.0 });
        Ok(changes)
    }

    /// Goes on after the problem has changed; the steps before had the length `h`.
    fn resume(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, guard: Option<usize>) {
        if ode.has_jumped() {
            // short steps between impacts are the motion, not a chattering guard
            self.guards.chattering.cut(None);
        }
        ode.go_on();
        ode.rhs(self.end.t, &self.end.y, &mut self.end.f);
        self.work.evaluations += 1;
        self.guards.arrive(ode, self.end.t, &self.end.y, None);
        self.change = ProblemChange::Done;
        self.look_ahead(h);
        match guard {
            Some(guard) => self.leave(ode, h, guard),
            None => self.methods.implicit.restart(),
        }
        self.limit_explicit();
    }

    /// Goes on after an event of a guard, before which the steps had the length `h`.
    fn leave(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, guard: usize) {
        let stiffness = ode.stiffness(self.near.0, &self.near.1);
        let has_changed = self.methods.choice.turn();
        self.methods.implicit.restart();
        let rises = self.guards.rises(ode, self.near.0, &self.near.1, guard);
        self.h = self.after_event.first(stiffness, [h, self.h], has_changed, guard, rises);
    }

    /// Keeps explicit steps within the region of stability.
    fn limit_explicit(&mut self) {
        if self.methods.choice.kernel() == Kernel::Explicit {
            self.h = self.h.min(STABLE / self.after_event.stiffness);
        }
    }

    /// Sets the state to take derivatives at: a little ahead if an event lies here.
    fn look_ahead(&mut self, h: f64) {
        let least = DISTINCT * f64::EPSILON * self.end.t.abs();
        self.set_near(if h > 0.0 { (NUDGE * h).max(least) } else { 0.0 });
    }

    /// How far times must be apart to be distinguished, here.
    fn apart(&self) -> f64 {
        DISTINCT * f64::EPSILON * self.end.t.abs().max(f64::MIN_POSITIVE / f64::EPSILON)
    }

    fn set_near(&mut self, ahead: f64) {
        self.near.0 = self.end.t + ahead;
        for ((near, y), f) in self.near.1.iter_mut().zip(&self.end.y).zip(&self.end.f) {
            *near = y + ahead * f;
        }
    }
}

/// The cubic between two points that are `h` apart.
fn hermite<'a>(start: &'a SolutionPoint, end: &'a SolutionPoint, h: f64) -> DenseOutput<'a> {
    DenseOutput::Hermite { h, y: &start.y, f: &start.f, y_new: &end.y, f_new: &end.f }
}

//! Adaptive steps of two methods that end on every kink.
//!
//! A kink is where a switch of the problem changes sign: f is continuous there, its derivative jumps. A step
//! across it would lose its order, so a step in which a switch vanishes is repeated with the length at which
//! it vanishes; the last correction, below [`NEAR`] of the step, is read off the interpolant, which has the
//! value and the slope of the step's end. The length of the steps before the kink is taken up again after
//! it.
//!
//! A problem may go on in another way from there, with another f and other switches ([`Ode::land`]): the next
//! step begins with them, and until then the last one can still be asked.

use super::dense_output::{DenseOutput, StepStart};
use super::dop853::Dop853;
use super::problem::{Ode, Work};
use super::radau5::Radau5;
use super::settings::{Adaptive, Method, Tolerance};
use super::stiffness_switch::{Kernel, STIFF, StiffnessSwitch};
use super::switching::{Crossing, KinkSearch, Leg};
use crate::Error;

/// A kink this near the end of a step (as a part of it) is reached along the interpolant.
///
/// Both interpolants have the value and the slope of the step at its end, so that so close to it they err by
/// no more than a thousandth of their largest error.
const NEAR: f64 = 5e-3;
/// Steps aim a little short of a kink, so that no stage sees the far side; a step that reaches farther is
/// repeated.
const SHORT: f64 = 1.0 - 1e-6;
/// The same for a first guess, which is coarse.
const GUESS: f64 = 1.0 - 2e-3;
/// A guess nearer than this part of the step is left to the search inside the step.
const SOON: f64 = 1e-6;
/// A step that aimed short of a kink has it before this multiple of its length.
const CLOSE_BEHIND: f64 = 1.0 + 1e-5;
/// How far after the end of a step a kink is looked for, as a multiple of the step.
const AHEAD: f64 = 1.5;
/// Repetitions of a step to end on a kink, before the step just stays short of it.
const REPETITIONS: u32 = 8;
/// A step that is cut below this part of its length, or to hardly more than nothing, is held up by a kink.
const HELD_UP: f64 = 1e-3;
/// Steps shorter than so many roundings of t are nothing.
const SHORTEST: f64 = 8.0;
/// Behind a kink a transient e^(−λt) may begin. A first step of `TRANSIENT` rtol^⅛ / λ resolves it.
const TRANSIENT: f64 = 10.0;
/// The product h λ beyond which explicit steps blow up what is not quite at rest.
///
/// Where that is rounding alone the error would show too late, and all the more in the interpolant.
const STABLE: f64 = 6.0;
/// Where to look at the Jacobian after a kink, as a part of the step.
const NUDGE: f64 = 1e-9;

/// Carries a state forward, one accepted step at a time.
pub struct AdaptiveStepper {
    settings: Adaptive,
    tolerance: Tolerance,
    longest: f64,
    shortest: Option<f64>,
    n_active: usize,
    t_old: f64,
    t: f64,
    y_old: Vec<f64>,
    y: Vec<f64>,
    y_new: Vec<f64>,
    f_old: Vec<f64>,
    f: Vec<f64>,
    f_new: Vec<f64>,
    /// A state just after (t, y), on the side of a kink that the next step lies on.
    t_near: f64,
    y_near: Vec<f64>,
    /// Length of the next step.
    h: f64,
    /// Length of the polynomial of the last step.
    h_path: f64,
    choice: StiffnessSwitch,
    /// Method of the last step.
    last: Kernel,
    explicit: Dop853,
    implicit: Radau5,
    watch: KinkSearch,
    /// Stiffness and step before the last kink.
    before_kink: Option<(f64, f64)>,
    /// For each switch, left downwards and upwards, a length that a first step after it can have; infinite
    /// at first.
    behind: Vec<[f64; 2]>,
    /// Length of the steps before the problem went another way, and the switch that it turned on; it has not
    /// been taken up yet.
    pending: Option<(f64, Option<usize>)>,
    /// Whether the problem goes another way than in the last step.
    has_turned: bool,
    /// The switch that the last step ended on, and whether it is left upwards.
    leaves: Option<(usize, usize)>,
    stiffness: f64,
    /// Product h λ that resolves a transient.
    transient: f64,
    work: Work,
}

impl AdaptiveStepper {
    /// Room for problems of the size of `ode`; nothing is allocated afterwards.
    pub fn new(settings: &Adaptive, ode: &(impl Ode + ?Sized)) -> Self {
        let n = ode.n();
        let n_active = n - ode.n_passive();
        let mut sizes = vec![f64::INFINITY; n];
        ode.sizes(&mut sizes);
        let tolerance = Tolerance::new(settings, &sizes);
        let implicit = Radau5::new(n, n_active, &tolerance);
        let zeros = || vec![0.0; n];
        Self {
            settings: settings.clone(),
            tolerance,
            shortest: ode.shortest_step(),
            longest: settings.max_step.unwrap_or(f64::INFINITY).min(ode.longest_step()),
            n_active,
            t_old: 0.0,
            t: 0.0,
            y_old: zeros(),
            y: zeros(),
            y_new: zeros(),
            f_old: zeros(),
            f: zeros(),
            f_new: zeros(),
            t_near: 0.0,
            y_near: zeros(),
            h: 0.0,
            h_path: 0.0,
            choice: StiffnessSwitch::new(settings.method),
            last: Kernel::Explicit,
            explicit: Dop853::new(n, n_active),
            implicit,
            watch: KinkSearch::new(n_active, ode.n_switches()),
            before_kink: None,
            behind: vec![[f64::INFINITY; 2]; ode.n_switches()],
            pending: None,
            has_turned: false,
            leaves: None,
            stiffness: 0.0,
            transient: TRANSIENT * libm::pow(settings.rtol, 1.0 / 8.0),
            work: Work::default(),
        }
    }

    /// Starts at (t, y).
    pub fn start(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, y: &[f64]) -> Result<(), Error> {
        self.begin(ode, t, y, None)
    }

    /// Starts at (t, y), from scratch or in the way in which the problem goes on.
    fn begin(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t: f64,
        y: &[f64],
        on: Option<&[usize]>,
    ) -> Result<(), Error> {
        self.t = t;
        self.t_old = t;
        self.y.copy_from_slice(y);
        ode.land(t, &mut self.y, on);
        ode.go_on();
        self.y_old.copy_from_slice(&self.y);
        (self.pending, self.has_turned) = (None, false);
        self.work = Work::default();
        self.choice = StiffnessSwitch::new(self.settings.method);
        self.last = self.choice.kernel();
        self.h_path = 0.0;
        self.implicit.restart();
        self.before_kink = None;
        self.behind.fill([f64::INFINITY; 2]);
        self.leaves = None;
        ode.rhs(t, &self.y, &mut self.f);
        self.work.evaluations += 1;
        if !is_finite(y) || !is_finite(&self.f) {
            return Err(Error::diverged(t, &[]));
        }
        self.watch.arrive(ode, t, &self.y, None);
        self.t_near = t;
        self.y_near.copy_from_slice(&self.y);
        self.h = self.first_step(ode);
        self.stiffness = ode.stiffness(t, &self.y);
        Ok(())
    }

    /// Goes on from where it is after the right-hand side has changed.
    pub fn renew(&mut self, ode: &mut (impl Ode + ?Sized)) -> Result<(), Error> {
        let (y, before) = (self.y.clone(), self.work);
        // what was decided at the end of the last step comes first
        ode.go_on();
        self.begin(ode, self.t, &y, Some(&[]))?;
        self.work = before.plus(self.work);
        Ok(())
    }

    /// Makes one accepted step, not beyond `t_end`; a step that reaches `t_end` ends on it bit by bit.
    ///
    /// Nothing happens unless `t_end` lies ahead.
    pub fn step(&mut self, ode: &mut (impl Ode + ?Sized), t_end: f64) -> Result<(), Error> {
        let rest = t_end - self.t;
        if rest <= 0.0 || rest.is_nan() {
            return Ok(());
        }
        if let Some((h, switch)) = self.pending.take() {
            self.go_on(ode, h, switch);
        }
        let mut planned = self.h.min(self.longest);
        // a last step that is a little longer is better than a tiny one after it
        let mut h = if planned * 1.01 >= rest { rest } else { planned };
        let apart = self.apart();
        let shortest = self.shortest.map_or(apart, |least| least.min(apart));
        let mut target = self.expected(ode, h).map(|(switch, length)| {
            h = (length * GUESS).max(shortest);
            switch
        });
        let (mut repetitions, mut was_rejected) = (0, false);
        loop {
            self.count_try()?;
            let error = self.attempt(ode, h);
            let is_good = error <= 1.0;
            let found = if is_good || error.is_finite() && self.watch.differs(ode, self.t + h, &self.y_new) {
                self.crossing(ode, h, apart)
            } else {
                None
            };
            if !is_good {
                self.work.rejected += 1;
                if h <= shortest {
                    let t = self.t;
                    return Err(if error.is_finite() {
                        Error::StepVanished { t }
                    } else {
                        Error::diverged(t, &[])
                    });
                }
                h = match found {
                    // the kink is to blame rather than the length
                    Some(crossing) if repetitions < REPETITIONS => {
                        repetitions += 1;
                        target = Some(crossing.switch);
                        h * crossing.theta * SHORT
                    }
                    _ => {
                        was_rejected = true;
                        planned = h * self.shrink(h, error);
                        planned
                    }
                };
                h = h.max(shortest);
                continue;
            }
            let is_last = h >= rest;
            let is_held_up = h < (HELD_UP * planned).max(2.0 * shortest);
            let landing = match target {
                Some(switch) if found.is_none() && !is_last => self.beyond(ode, h, switch, rest / h),
                _ => found,
            };
            match landing {
                Some(crossing) if (SHORT..=1.0 + NEAR).contains(&crossing.theta) => {
                    self.bend(ode, h, crossing.theta);
                    self.watch.cut(Some(crossing.switch).filter(|_| is_held_up));
                    let t = (self.t + crossing.theta * h).min(t_end);
                    return self.accept(ode, t, h, error, planned, was_rejected, Some(crossing.switch));
                }
                Some(crossing) if repetitions < REPETITIONS => {
                    repetitions += 1;
                    self.work.repeated += 1;
                    target = Some(crossing.switch);
                    h = (h * crossing.theta * SHORT).min(rest);
                }
                // the kink evades: stay well short of it
                Some(_) if found.is_some() => {
                    self.work.repeated += 1;
                    h = (0.5 * h).max(shortest);
                }
                _ => {
                    self.watch.evaded(target, is_held_up);
                    self.watch.cut(target.filter(|_| is_held_up));
                    let t = if is_last { t_end } else { self.t + h };
                    return self.accept(ode, t, h, error, planned, was_rejected, None);
                }
            }
        }
    }

    /// An error if there have been too many attempts.
    fn count_try(&self) -> Result<(), Error> {
        let (tries, limit) =
            (self.work.steps + self.work.rejected + self.work.repeated, self.settings.max_steps);
        if tries >= limit { Err(Error::TooManySteps { t: self.t, limit }) } else { Ok(()) }
    }

    /// Time reached (s).
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Start of the last step (s).
    pub fn t_old(&self) -> f64 {
        self.t_old
    }

    /// State reached.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// Derivative at the state reached.
    pub(crate) fn f(&self) -> &[f64] {
        &self.f
    }

    /// Derivative at the start of the last step.
    pub(crate) fn f_old(&self) -> &[f64] {
        &self.f_old
    }

    /// Whether the last step was an implicit one.
    pub(crate) fn was_implicit(&self) -> bool {
        self.last == Kernel::Implicit
    }

    /// Whether the last step was explicit.
    pub(crate) fn was_explicit(&self) -> bool {
        self.last == Kernel::Explicit
    }

    /// State at the start of the last step.
    pub fn y_old(&self) -> &[f64] {
        &self.y_old
    }

    /// The switches whose zero the last step ended on.
    pub fn landed_on(&self) -> &[usize] {
        self.watch.landed()
    }

    /// What the integration has cost since `start`.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Writes the first components of the state at a time inside the last step, as many as there is room for;
    /// order 7 after an explicit, 3 after an implicit step.
    pub fn dense(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, out: &mut [f64]) {
        let n = out.len();
        if t >= self.t || self.h_path == 0.0 {
            out.copy_from_slice(&self.y[..n]);
        } else if t <= self.t_old {
            out.copy_from_slice(&self.y_old[..n]);
        } else {
            let theta = (t - self.t_old) / self.h_path;
            match self.last {
                Kernel::Explicit => {
                    self.prepare_last(ode);
                    self.explicit.interpolate(&self.y_old, theta, out);
                }
                Kernel::Implicit => self.implicit.interpolate(&self.y_old, theta, out),
            }
        }
    }

    /// Writes the rates of the components from `first` on at a time inside the last step by its polynomial,
    /// and returns its length; none unless the step was an implicit one.
    pub(crate) fn implicit_rates(&self, t: f64, first: usize, out: &mut [f64]) -> Option<f64> {
        if !self.was_implicit() || self.h_path == 0.0 {
            return None;
        }
        self.implicit.rates((t - self.t_old) / self.h_path, first, out);
        Some(self.h_path)
    }

    /// The first components along the last step as polynomials in the part of it, the constants first, power
    /// by power; none unless the step was an explicit one.
    pub(crate) fn path<const M: usize>(&mut self, ode: &mut (impl Ode + ?Sized)) -> Option<[[f64; M]; 8]> {
        if !self.was_explicit() || self.h_path == 0.0 {
            return None;
        }
        self.prepare_last(ode);
        let mut path = [[0.0; M]; 8];
        for i in 0..M {
            for (row, c) in path.iter_mut().zip(self.explicit.polynomial(i)) {
                row[i] = c;
            }
            path[0][i] = self.y_old[i];
        }
        Some(path)
    }

    /// Makes the polynomial of the last step, an explicit one.
    fn prepare_last(&mut self, ode: &mut (impl Ode + ?Sized)) {
        let start = (self.t_old, &self.y_old[..]);
        self.explicit.prepare(ode, start, &self.y, &self.f, &mut self.work);
    }

    /// Length of the first step (@hairer1993, II.4).
    fn first_step(&mut self, ode: &mut (impl Ode + ?Sized)) -> f64 {
        let n = self.n_active;
        let (y, f) = (&self.y, &self.f);
        let d0 = self.tolerance.norm(&y[..n], y);
        let d1 = self.tolerance.norm(&f[..n], y);
        let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
        for ((new, y), f) in self.y_new.iter_mut().zip(y).zip(f) {
            *new = y + h0 * f;
        }
        ode.rhs(self.t + h0, &self.y_new, &mut self.f_new);
        self.work.evaluations += 1;
        for (new, f) in self.f_new.iter_mut().zip(f) {
            *new -= f;
        }
        let d2 = self.tolerance.norm(&self.f_new[..n], y) / h0;
        let order = if self.choice.kernel() == Kernel::Explicit { 8.0 } else { 4.0 };
        let steepest = d1.max(d2);
        // written so that a NaN takes the cautious branch
        let h1 =
            if steepest > 1e-15 { libm::pow(0.01 / steepest, 1.0 / order) } else { (1e-3 * h0).max(1e-6) };
        h1.min(100.0 * h0)
    }

    /// The switch that should vanish within `h`, and how far ahead, if the last step simply went on.
    fn expected(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) -> Option<(usize, f64)> {
        let h_old = self.t - self.t_old;
        if self.watch.is_idle() || h_old == 0.0 || self.has_turned || !self.watch.landed().is_empty() {
            return None;
        }
        let path =
            DenseOutput::Hermite { h: h_old, y: &self.y_old, f: &self.f_old, y_new: &self.y, f_new: &self.f };
        let leg = Leg { t: self.t_old, h: h_old, path };
        let crossing = self.watch.ahead(ode, leg, 1.0 + h / h_old)?;
        let length = (crossing.theta - 1.0) * h_old;
        (length > SOON * h).then_some((crossing.switch, length))
    }

    /// Tries a step; returns its error, not finite if there is no result.
    fn attempt(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) -> f64 {
        let Self { y, y_new, work, .. } = self;
        let start = StepStart { t: self.t, y, f: &self.f, near: (self.t_near, &self.y_near), h };
        let error = match self.choice.kernel() {
            Kernel::Explicit => {
                self.explicit.attempt(ode, start, y_new, work);
                self.explicit.error(y, y_new, &self.tolerance)
            }
            Kernel::Implicit => self.implicit.attempt(ode, start, y_new, work),
        };
        if error.is_finite() && is_finite(&self.y_new) { error } else { f64::INFINITY }
    }

    /// By how much to shorten a step with this error.
    fn shrink(&self, h: f64, error: f64) -> f64 {
        if !error.is_finite() {
            return 0.3;
        }
        let factor = match self.choice.kernel() {
            Kernel::Explicit => Dop853::factor(error),
            Kernel::Implicit => self.implicit.factor_of_step(h, error),
        };
        factor.min(0.9)
    }

    /// Finds the first kink inside the attempt that is `apart` from its start; leaves f at its end in
    /// `f_new`.
    fn crossing(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, apart: f64) -> Option<Crossing> {
        ode.rhs(self.t + h, &self.y_new, &mut self.f_new);
        self.work.evaluations += 1;
        if self.watch.is_idle() || !ode.may_switch(h, [&self.y, &self.f], [&self.y_new, &self.f_new]) {
            return None;
        }
        let Self { t, y, f, y_new, f_new, .. } = self;
        let path = DenseOutput::Hermite { h, y, f, y_new, f_new };
        if !self.watch.is_suspect(ode, Leg { t: *t, h, path }) {
            return None;
        }
        self.prepare(ode, h);
        let leg = Leg {
            t: self.t,
            h,
            path: path_of(self.choice.kernel(), &self.explicit, &self.implicit, &self.y),
        };
        self.watch.first_crossing(ode, leg, apart / h)
    }

    /// Looks for the zero of a switch just after the attempt.
    fn beyond(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        h: f64,
        switch: usize,
        limit: f64,
    ) -> Option<Crossing> {
        self.prepare(ode, h);
        let leg = Leg {
            t: self.t,
            h,
            path: path_of(self.choice.kernel(), &self.explicit, &self.implicit, &self.y),
        };
        let theta = self.watch.beyond(ode, leg, switch, CLOSE_BEHIND, limit.min(AHEAD))?;
        Some(Crossing { theta, switch })
    }

    /// Makes the polynomial of the attempt.
    fn prepare(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) {
        match self.choice.kernel() {
            Kernel::Explicit => {
                let Self { t, y, y_new, f_new, work, .. } = self;
                self.explicit.prepare(ode, (*t, y), y_new, f_new, work);
            }
            Kernel::Implicit => self.implicit.prepare(h),
        }
    }

    /// Moves the end of the attempt along its polynomial to θ.
    fn bend(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, theta: f64) {
        path_of(self.choice.kernel(), &self.explicit, &self.implicit, &self.y).at(theta, &mut self.y_new);
        ode.rhs(self.t + theta * h, &self.y_new, &mut self.f_new);
        self.work.evaluations += 1;
    }

    /// Takes the attempt of length `h` as the step from t to `t_new`.
    #[allow(clippy::too_many_arguments)]
    fn accept(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t_new: f64,
        h: f64,
        error: f64,
        planned: f64,
        was_rejected: bool,
        on: Option<usize>,
    ) -> Result<(), Error> {
        let factor = match self.choice.kernel() {
            Kernel::Explicit => Dop853::factor(error),
            Kernel::Implicit => self.implicit.accept(h, error),
        };
        self.work.implicit_steps += u64::from(self.choice.kernel() == Kernel::Implicit);
        self.last = self.choice.kernel();
        let turns = self.shift(ode, t_new, h, on, planned)?;

        // the length to go on with
        self.h = h * factor;
        if h < planned {
            // it was cut short, not controlled
            self.h = self.h.max(planned);
        } else if was_rejected {
            self.h = self.h.min(h);
        }
        if let Some((switch, side)) = self.leaves.take() {
            self.behind[switch][side] = self.h;
        }
        if turns {
            self.pending = Some((planned.max(h), on));
        } else if let Some(switch) = on {
            self.turn(ode, planned.max(h), switch);
        } else if self.settings.method != Method::Implicit {
            self.stiffness = ode.stiffness(self.t, &self.y);
            if self.choice.is_free()
                && !ode.is_never_stiff()
                && let Some(h) = self.choice.change(h, self.h, self.stiffness, STIFF)
            {
                self.h = h;
                self.implicit.restart();
            }
        }
        if self.choice.kernel() == Kernel::Explicit {
            self.h = self.h.min(STABLE / self.stiffness);
        }
        Ok(())
    }

    /// Goes to the end of the attempt of length `h`, which is at `t_new` and may lie on a switch; derivatives
    /// are taken a little ahead then, compared with steps as long as `planned`. Returns whether the problem
    /// goes on another way.
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
        self.t_old = self.t;
        self.t = t_new;
        std::mem::swap(&mut self.y_old, &mut self.y);
        std::mem::swap(&mut self.y, &mut self.y_new);
        std::mem::swap(&mut self.f_old, &mut self.f);
        std::mem::swap(&mut self.f, &mut self.f_new);
        if !is_finite(&self.f) {
            return Err(Error::diverged(self.t, &[]));
        }
        self.watch.arrive(ode, self.t, &self.y, on);
        if on.is_some() {
            self.set_near(self.apart());
            self.watch.meet(ode, self.t_near, &self.y_near);
        }
        self.has_turned = false;
        let turns = ode.land(self.t, &mut self.y, Some(self.watch.landed()));
        self.look_ahead(if on.is_some() { planned } else { 0.0 });
        Ok(turns)
    }

    /// Goes on another way, before which the steps had the length `h`.
    fn go_on(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, switch: Option<usize>) {
        if ode.has_jumped() {
            // short steps between impacts are the motion, not a switch that hovers
            self.watch.cut(None);
        }
        ode.go_on();
        ode.rhs(self.t, &self.y, &mut self.f);
        self.work.evaluations += 1;
        self.watch.arrive(ode, self.t, &self.y, None);
        self.has_turned = true;
        self.look_ahead(h);
        match switch {
            Some(switch) => self.turn(ode, h, switch),
            None => self.implicit.restart(),
        }
        if self.choice.kernel() == Kernel::Explicit {
            self.h = self.h.min(STABLE / self.stiffness);
        }
    }

    /// Sets the state to take derivatives at: a little ahead if a kink lies here.
    fn look_ahead(&mut self, h: f64) {
        self.set_near(if h > 0.0 { (NUDGE * h).max(SHORTEST * f64::EPSILON * self.t.abs()) } else { 0.0 });
    }

    /// How far instants must be apart to be distinguished, here.
    fn apart(&self) -> f64 {
        SHORTEST * f64::EPSILON * self.t.abs().max(f64::MIN_POSITIVE / f64::EPSILON)
    }

    fn set_near(&mut self, ahead: f64) {
        self.t_near = self.t + ahead;
        for ((near, y), f) in self.y_near.iter_mut().zip(&self.y).zip(&self.f) {
            *near = y + ahead * f;
        }
    }

    /// Goes on after a kink of a switch, before which the steps had the length `h`.
    fn turn(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, switch: usize) {
        let before = self.stiffness;
        self.stiffness = ode.stiffness(self.t_near, &self.y_near);
        let has_changed = self.choice.turn();
        // a stretch like the one before the last kink has room for its steps
        if let Some((stiffness, h)) = self.before_kink
            && self.stiffness <= 1.5 * stiffness
        {
            // the length of implicit steps says nothing about explicit ones
            self.h = if has_changed { h } else { self.h.max(h) };
        }
        self.before_kink = Some((before, h));
        self.implicit.restart();
        self.h = self.h.min(self.transient / self.stiffness);
        // the arc of a smooth law begins flat: how short the steps on it must be is known from the last time
        let side = usize::from(self.watch.rises(ode, self.t_near, &self.y_near, switch));
        self.leaves = Some((switch, side));
        self.h = self.h.min(self.behind[switch][side]);
    }
}

/// The polynomial of the last attempt, which started at `y`.
fn path_of<'a>(kernel: Kernel, explicit: &'a Dop853, implicit: &'a Radau5, y: &'a [f64]) -> DenseOutput<'a> {
    match kernel {
        Kernel::Explicit => DenseOutput::Explicit { kernel: explicit, y },
        Kernel::Implicit => DenseOutput::Implicit { kernel: implicit, y },
    }
}

fn is_finite(x: &[f64]) -> bool {
    x.iter().all(|x| x.is_finite())
}

//! The one driver: steps, samples, finds events, records.

use super::budget::StepBudget;
use super::instants::Instants;
use super::stick_log::StickLog;
use super::uniqueness::UniquenessWatch;
use super::wear::{Wear, WearObserver, WearOf};
use super::{Integrator, Stepper, verdict};
use crate::event::Event;
use crate::law::Slip;
use crate::ode::Work;
use crate::record::{Balance, Range, Ranges, Samples};
use crate::system::{Motion, System};
use crate::{Error, Progress, Warning};

/// What to integrate, and what to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// End of the run (s).
    pub t_end: f64,
    /// Interval over which extrema, energies, events and the stick fraction are taken (s).
    pub window: [f64; 2],
    /// Times of the samples, ascending (s).
    pub times: Vec<f64>,
    /// Whether steps of free length end at the sample times; otherwise samples are interpolated inside steps.
    pub lands_on_times: bool,
    /// Most steps of the run; if absent what the method does in a minute or so. A run that would take many
    /// times more is given up early.
    pub max_steps: Option<u64>,
}

impl Plan {
    /// The whole run to `t_end` with `n` samples at equal distances, the first at t = 0 and the last at
    /// `t_end`.
    pub fn new(t_end: f64, n: usize) -> Self {
        let last = n.saturating_sub(1);
        let time = |i: usize| if i == last { t_end } else { t_end * i as f64 / last as f64 };
        let times = if n > 1 { (0..n).map(time).collect() } else { Vec::new() };
        Self { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None }
    }
}

/// Record of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The samples.
    pub samples: Samples,
    /// The motion at the end of the run, with its states.
    pub end: Motion,
    /// The motion at every event in the window and at every extremum of `ranges`, ascending in time. Where a
    /// quantity jumps two rows have the same time, the first with what holds before. Empty if no samples are
    /// asked for; rows beyond some millions of numbers are left out.
    pub instants: Samples,
    /// Ranges over the window of the positions, velocities, accelerations, friction forces, slopes, in this
    /// order.
    pub ranges: Vec<Range>,
    /// Events in the window.
    pub events: Vec<Event>,
    /// Events in the window that were not kept because there were too many.
    pub n_events_dropped: u64,
    /// Fraction of the window in which each contact sticks, for laws that know what sticking is.
    pub stick_fraction: Vec<Option<f64>>,
    /// What friction, feedback and actuators have done in the window, if it was asked for.
    pub wear: Option<Wear>,
    /// Work done in the window.
    pub balance: Balance,
    /// Change of the stored energy over the window (J).
    pub stored: f64,
    /// Work done from t = 0 to the end.
    pub total: Balance,
    /// Change of the stored energy from t = 0 to the end (J).
    pub total_stored: f64,
    /// Energy turned over from t = 0 to the end, the measure of the residual: work and losses without their
    /// signs, and the largest stored energy (J).
    pub turnover: f64,
    /// Largest distance between the friction force carried along and the law, over the window (N).
    pub drift: Option<f64>,
    /// What it cost.
    pub work: Work,
    /// What the reader must know.
    pub warnings: Vec<Warning>,
}

impl Record {
    /// Work put in over the whole run, less what was stored and lost: zero for the true motion (J).
    pub fn energy_residual(&self) -> f64 {
        let Balance { work_in, viscous_loss, friction_loss, impact_loss } = self.total;
        work_in - self.total_stored - viscous_loss - friction_loss - impact_loss
    }

    /// The energy residual over the energy turned over (-).
    pub fn energy_share(&self) -> f64 {
        self.energy_residual().abs() / self.turnover.max(f64::MIN_POSITIVE)
    }
}

/// Fixed steps of one degree of freedom between two reports of progress, a fraction of a millisecond; fewer
/// of larger systems, whose steps cost as the square of their size.
const PROGRESS: u64 = 4096;
/// Steps of free length between two reports, which take longer.
const PROGRESS_LONG: u64 = 64;
/// Samples between two reports: a single step may hold them all.
const PROGRESS_SAMPLES: usize = 1024;

/// Integrates `system` by `plan`. `progress` receives the fraction done now and then.
pub fn drive(
    system: &System,
    integrator: &Integrator,
    plan: &Plan,
    progress: &mut Progress,
) -> Result<Record, Error> {
    let (record, stop) = drive_partly(system, integrator, plan, None, progress)?;
    stop.map_or(Ok(record), Err)
}

/// The same, with wear if `worn` asks for it; of a run that `progress` stops the record up to `record.end.t`, and
/// the error that says so. Its window ends there at the latest.
pub fn drive_partly(
    system: &System,
    integrator: &Integrator,
    plan: &Plan,
    worn: Option<WearOf>,
    progress: &mut Progress,
) -> Result<(Record, Option<Error>), Error> {
    let mut stepper = integrator.start(system, plan.t_end)?;
    let budget = StepBudget::new(integrator, plan, system.n() + system.contacts.len())?;
    let mut run = ObservedRun::new(&mut *stepper, system, plan, worn, budget);
    let stop = run.go(progress)?;
    let mut record = run.finish(stop.is_some());
    let notes = std::mem::take(&mut record.warnings);
    record.warnings = verdict::warnings(stepper.dynamics(), integrator, &record);
    record.warnings.extend(notes);
    Ok((record, stop))
}

/// A run under way: the stepper, and its observers.
struct ObservedRun<'a> {
    stepper: &'a mut dyn Stepper,
    system: &'a System,
    plan: &'a Plan,
    budget: StepBudget,
    now: Motion,
    samples: Samples,
    /// The next sample time.
    next: usize,
    window: WindowObserver<'a>,
    /// Stored energy at the start, and its largest value.
    start: f64,
    peak: f64,
}

impl<'a> ObservedRun<'a> {
    fn new(
        stepper: &'a mut dyn Stepper,
        system: &'a System,
        plan: &'a Plan,
        worn: Option<WearOf<'a>>,
        budget: StepBudget,
    ) -> Self {
        let (n, m) = (system.n(), system.contacts.len());
        let n_states = system.initial_states().len();
        let mut now = Motion::zero(n, m).with_states(n_states);
        stepper.motion(0.0, &mut now);
        let start = stepper.dynamics().stored(&now);
        let window = WindowObserver::new(stepper, system, plan, worn, &now);
        let mut samples = Samples::new(n, m, plan.times.len()).with_states(n_states);
        let next = plan.times.iter().take_while(|t| **t <= 0.0).count();
        (0..next).for_each(|_| samples.push(&now));
        Self { stepper, system, plan, budget, now, samples, next, window, start, peak: start }
    }

    /// Goes to the end of the plan; returns the error that says so where `progress` stops it.
    fn go(&mut self, progress: &mut Progress) -> Result<Option<Error>, Error> {
        let plan = self.plan;
        let size = (self.system.n() + self.system.contacts.len()) as u64;
        let every = if self.stepper.has_long_steps() { PROGRESS_LONG } else { PROGRESS };
        let every = (4 * every / (size * size)).clamp(1, every);
        // steps since progress was reported
        let mut steps = 0;
        let mut stop = None;
        while self.stepper.t() < plan.t_end && stop.is_none() {
            steps += self.advance(every)?;
            let span = [self.stepper.t_old(), self.stepper.t()];
            for part in parts(span, plan.window).into_iter().filter(|[a, b]| a < b) {
                self.window.observe(self.stepper, part, &mut self.now)?;
            }
            stop = self.sample(progress);
            self.note_peak();
            if steps >= every || span[1] >= plan.t_end {
                steps %= every;
                self.check()?;
                stop = stop.or_else(|| progress.report_time(span[1], plan.t_end).err());
            }
        }
        Ok(stop)
    }

    /// Makes a step, after those that need not be observed because they end before the window and the next
    /// sample; returns their number.
    fn advance(&mut self, every: u64) -> Result<u64, Error> {
        let plan = self.plan;
        let mut made = 0;
        if self.stepper.t() < plan.window[0] {
            let unseen = plan.times.get(self.next).map_or(plan.window[0], |t| t.min(plan.window[0]));
            if self.stepper.t() < unseen.min(plan.t_end) {
                made = self.stepper.advance(unseen.min(plan.t_end), every)?;
            }
        }
        if made == every || self.stepper.t() >= plan.t_end {
            return Ok(made);
        }
        let due = plan.times.get(self.next).filter(|_| plan.lands_on_times);
        let stop = due.map_or(plan.t_end, |t| t.min(plan.t_end));
        match self.stepper.step(stop) {
            Ok(()) => Ok(made + 1),
            Err(error) => Err(self.cause(self.budget.explain(error))),
        }
    }

    /// Takes the samples inside the last step; an error if `progress` stops it.
    fn sample(&mut self, progress: &mut Progress) -> Option<Error> {
        let plan = self.plan;
        let due = count_until(&plan.times[self.next..], self.stepper.t());
        let times = &plan.times[self.next..self.next + due];
        self.next += due;
        for times in times.chunks(PROGRESS_SAMPLES) {
            let first = self.samples.t.len();
            for &t in times {
                self.stepper.motion(t, &mut self.now);
                self.samples.push(&self.now);
            }
            self.window.ranges.add_samples(&self.samples, first, plan.window);
            if times.len() == PROGRESS_SAMPLES
                && let Err(error) = progress.report_time(times[PROGRESS_SAMPLES - 1], plan.t_end)
            {
                return Some(error);
            }
        }
        None
    }

    /// Notes the energy stored at the end of the last step: it follows from the work so far, up to the residual
    /// that the peak is a measure for.
    fn note_peak(&mut self) {
        let so_far = self.stepper.balance(self.stepper.t());
        self.peak = self.peak.max(self.start + so_far.work_in - so_far.losses());
    }

    /// An error if the motion is too large, or takes too many steps.
    fn check(&mut self) -> Result<(), Error> {
        let t = self.stepper.t();
        self.stepper.motion(t, &mut self.now);
        let dynamics = self.stepper.dynamics();
        self.peak = self.peak.max(dynamics.stored(&self.now));
        let size = dynamics.scales().check(&self.now);
        size.and_then(|()| self.budget.check(self.stepper.work(), t)).map_err(|error| self.cause(error))
    }

    /// Cause of an error of a run that makes no progress, by its motion before the last step: a law that is too
    /// steep for the velocities.
    fn cause(&mut self, error: Error) -> Error {
        let gets_nowhere = matches!(
            error,
            Error::TooLong { .. }
                | Error::TooManySteps { .. }
                | Error::StepVanished { .. }
                | Error::Diverged { .. }
        );
        if !gets_nowhere {
            return error;
        }
        self.stepper.motion(self.stepper.t_old(), &mut self.now);
        self.stepper.dynamics().too_steep(&self.now).unwrap_or(error)
    }

    /// The record of the run up to here.
    fn finish(mut self, is_stopped: bool) -> Record {
        let (plan, t) = (self.plan, self.stepper.t());
        let t_end = if is_stopped { t.min(plan.t_end) } else { plan.t_end };
        let total = self.stepper.balance(t);
        self.stepper.motion(t, &mut self.now);
        let total_stored = self.stepper.dynamics().stored(&self.now) - self.start;
        let turnover = total.work_in.abs()
            + total.viscous_loss.abs()
            + total.friction_loss.abs()
            + total.impact_loss
            + self.start.abs()
            + self.peak.abs();
        // steps of a fixed length may have passed the end
        self.stepper.motion(t_end, &mut self.now);
        let (samples, work) = (self.samples, self.stepper.work());
        let record = Record { samples, total, total_stored, turnover, work, ..Record::default() };
        self.window.finish(self.stepper, t_end, self.now, record)
    }
}

/// Observes the motion in the window.
struct WindowObserver<'a> {
    system: &'a System,
    window: [f64; 2],
    ranges: Ranges,
    instants: Instants,
    log: StickLog<'a>,
    uniqueness: Option<Box<UniquenessWatch>>,
    wear: Option<WearObserver<'a>>,
    /// Largest distance of the friction forces from the laws, for methods that carry them along (N).
    drift: Option<f64>,
    /// Work and stored energy where the window begins and where it ends.
    edges: [Option<(Balance, f64)>; 2],
}

impl<'a> WindowObserver<'a> {
    fn new(
        stepper: &mut dyn Stepper,
        system: &'a System,
        plan: &Plan,
        worn: Option<WearOf<'a>>,
        now: &Motion,
    ) -> Self {
        let (n, m) = (system.n(), system.contacts.len());
        let is_drawn = !plan.times.is_empty();
        let mut uniqueness = UniquenessWatch::new(stepper.dynamics());
        if let Some(watch) = &mut uniqueness {
            watch.begin(stepper.dynamics(), now);
        }
        Self {
            system,
            window: [plan.window[0], plan.window[1].min(plan.t_end)],
            ranges: Ranges::new(n, m, is_drawn),
            instants: Instants::new(n, m, is_drawn),
            log: StickLog::new(system),
            uniqueness,
            wear: worn.map(|worn| WearObserver::new(system, worn)),
            drift: stepper.carries_friction().then_some(0.0),
            edges: [None; 2],
        }
    }

    /// Observes a part of the last step, which lies in the window or outside it; `now` is scratch.
    fn observe(&mut self, stepper: &mut dyn Stepper, part: [f64; 2], now: &mut Motion) -> Result<(), Error> {
        let ([a, b], [w0, w1]) = (part, self.window);
        if a < w0 || b > w1 {
            return stepper.accumulate(part, None);
        }
        if self.edges[0].is_none() {
            stepper.motion(a, now);
            self.log.begin(now);
            self.ranges.add(now);
            self.edges[0] = Some((stepper.balance(a), stepper.dynamics().stored(now)));
        }
        stepper.accumulate(part, Some(&mut self.ranges))?;
        let n_events = self.log.events.len();
        if !stepper.isolates_events() {
            stepper.motion(b, now);
            self.ranges.add(now);
        }
        self.log.follow(stepper, now, part);
        if let Some(watch) = &mut self.uniqueness {
            watch.take_events(stepper, &self.log.events[n_events..], &self.ranges);
        }
        for event in &self.log.events[n_events..] {
            self.instants.add_event(stepper, event.t);
        }
        if let Some(wear) = &mut self.wear {
            wear.observe(stepper, part);
        }
        if let Some(drift) = &mut self.drift {
            *drift = drift.max(off_law(self.system, now));
        }
        if b >= w1 {
            stepper.motion(b, now);
            self.edges[1] = Some((stepper.balance(b), stepper.dynamics().stored(now)));
        }
        Ok(())
    }

    /// Adds what was observed to the record of a run that ended at `t_end`.
    fn finish(mut self, stepper: &mut dyn Stepper, t_end: f64, end: Motion, record: Record) -> Record {
        if self.edges[0].is_some() && self.edges[1].is_none() {
            self.edges[1] = Some((stepper.balance(t_end), stepper.dynamics().stored(&end)));
        }
        let [opened, closed] = self.edges.map(Option::unwrap_or_default);
        self.instants.add_extrema(&self.ranges);
        in_order_of_time(&mut self.log.events);
        let [w0, w1] = self.window.map(|t| t.min(t_end));
        Record {
            end,
            instants: self.instants.rows(),
            ranges: self.ranges.ranges,
            stick_fraction: self.log.fractions(w1 - w0),
            n_events_dropped: self.log.n_dropped,
            events: self.log.events,
            wear: self.wear.map(WearObserver::found),
            balance: closed.0.since(opened.0),
            stored: closed.1 - opened.1,
            drift: self.drift,
            warnings: self.uniqueness.and_then(|watch| watch.warning()).into_iter().collect(),
            ..record
        }
    }
}

/// Sorts events by time; those at one time stay in the order of the contacts. A step is searched contact by
/// contact, so that events are out of place by no more than those of a step: insertion takes few exchanges,
/// and no memory as a stable sort would.
fn in_order_of_time(events: &mut [Event]) {
    for i in 1..events.len() {
        let mut k = i;
        while k > 0 && events[k - 1].t > events[k].t {
            events.swap(k - 1, k);
            k -= 1;
        }
    }
}

/// How many of the ascending times are not after `t`. Most steps hold none of them, or few.
#[inline]
fn count_until(times: &[f64], t: f64) -> usize {
    match times.first() {
        Some(first) if *first <= t => {}
        _ => return 0,
    }
    let mut ahead = 1;
    while times.get(ahead).is_some_and(|time| *time <= t) {
        ahead *= 2;
    }
    let (from, to) = (ahead / 2, ahead.min(times.len()));
    from + times[from..to].partition_point(|time| *time <= t)
}

/// The parts of a step before, in and after the window; some may be empty.
fn parts([t0, t1]: [f64; 2], [w0, w1]: [f64; 2]) -> [[f64; 2]; 3] {
    let (a, b) = (w0.clamp(t0, t1), w1.clamp(t0, t1));
    [[t0, a], [a, b], [b, t1]]
}

/// The largest distance between the friction forces of a motion and what the laws say (N).
fn off_law(system: &System, motion: &Motion) -> f64 {
    let mut worst = 0.0f64;
    for (i, contact) in system.contacts.iter().enumerate() {
        let law = contact.load * contact.friction.coefficient(Slip::at(motion.sliding[i]));
        worst = worst.max((motion.friction[i] - law).abs());
    }
    worst
}

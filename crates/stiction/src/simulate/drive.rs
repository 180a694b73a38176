//! The one driver: steps, samples, finds events, records.

use super::budget::StepBudget;
use super::instants::Instants;
use super::stick_log::StickLog;
use super::uniqueness::UniquenessWatch;
use super::{Integrator, Journey, Stepper, verdict};
use crate::event::Event;
use crate::law::Slip;
use crate::ode::Work;
use crate::record::{Balance, Range, Ranges, Samples};
use crate::system::{Dynamics, Motion, System};
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
    let (record, stop) = drive_partly(system, integrator, plan, progress)?;
    stop.map_or(Ok(record), Err)
}

/// The same; of a run that `progress` stops the record up to `record.end.t`, and the error that says so. Its
/// window ends there at the latest.
pub fn drive_partly(
    system: &System,
    integrator: &Integrator,
    plan: &Plan,
    progress: &mut Progress,
) -> Result<(Record, Option<Error>), Error> {
    integrator.know(system)?;
    let mut dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
    let budget = StepBudget::new(integrator, plan, system.n() + system.contacts.len())?;
    let (mut record, stop) =
        integrator.start(&mut dynamics, plan.t_end, DriveJourney { system, plan, budget, progress })?;
    let notes = std::mem::take(&mut record.warnings);
    record.warnings = verdict::warnings(&dynamics, integrator, &record);
    record.warnings.extend(notes);
    Ok((record, stop))
}

/// What the driver knows beside its stepper.
struct DriveJourney<'a, 'p> {
    system: &'a System,
    plan: &'a Plan,
    budget: StepBudget,
    progress: &'a mut Progress<'p>,
}

impl Journey for DriveJourney<'_, '_> {
    type End = (Record, Option<Error>);
    fn go(self, stepper: impl Stepper, dynamics: &mut Dynamics) -> Result<Self::End, Error> {
        let Self { system, plan, budget, progress } = self;
        drive_by(stepper, system, dynamics, plan, budget, progress)
    }
}

/// The same with a stepper at t = 0.
fn drive_by(
    mut stepper: impl Stepper,
    system: &System,
    dynamics: &mut Dynamics,
    plan: &Plan,
    mut budget: StepBudget,
    progress: &mut Progress,
) -> Result<(Record, Option<Error>), Error> {
    let (n, m) = (system.n(), system.contacts.len());
    let n_states = system.initial_states().len();
    let mut now = Motion::zero(n, m).with_states(n_states);
    stepper.motion(dynamics, 0.0, &mut now);
    let start = dynamics.stored(&now);
    let mut peak = start;
    let is_drawn = !plan.times.is_empty();
    let mut ranges = Ranges::new(n, m, is_drawn);
    let mut instants = Instants::new(n, m, is_drawn);
    let mut watch = StickLog::new(system);
    let mut choice = UniquenessWatch::new(dynamics);
    if let Some(choice) = &mut choice {
        choice.begin(dynamics, &now);
    }
    let mut samples = Samples::new(n, m, plan.times.len()).with_states(n_states);
    let [w0, w1] = plan.window;
    let mut next = 0;
    while next < plan.times.len() && plan.times[next] <= 0.0 {
        samples.push(&now);
        next += 1;
    }
    let mut drift = stepper.carries_friction().then_some(0.0f64);
    // work and stored energy where the window begins and where it ends
    let mut edges: [Option<(Balance, f64)>; 2] = [None; 2];
    let size = (n + m) as u64;
    let every = if stepper.has_long_steps() { PROGRESS_LONG } else { PROGRESS };
    let every = (4 * every / (size * size)).clamp(1, every);
    // steps since progress was reported
    let mut steps = 0;
    let mut t = stepper.t();
    let mut stop = None;
    while t < plan.t_end && stop.is_none() {
        let mut made = 0;
        // steps before the window and the next sample need not be looked at
        if t < w0 {
            let unseen = plan.times.get(next).map_or(w0, |t| t.min(w0)).min(plan.t_end);
            if t < unseen {
                made = stepper.advance(dynamics, unseen, every)?;
                steps += made;
                t = stepper.t();
            }
        }
        if made < every && t < plan.t_end {
            steps += 1;
            let due = plan.times.get(next).filter(|_| plan.lands_on_times);
            let stop = due.map_or(plan.t_end, |t| t.min(plan.t_end));
            if let Err(error) = stepper.step(dynamics, stop) {
                return Err(cause(budget.explain(error), dynamics, &mut stepper, &mut now));
            }
            t = stepper.t();
        }
        let (t0, t1) = (stepper.t_old(), t);
        let due = count_until(&plan.times[next..], t1);
        if due > 0 {
            for times in plan.times[next..next + due].chunks(PROGRESS_SAMPLES) {
                let first = samples.t.len();
                stepper.sample(dynamics, times, &mut now, &mut samples);
                ranges.add_samples(&samples, first, [w0, w1]);
                if times.len() == PROGRESS_SAMPLES {
                    stop = progress.report_time(times[PROGRESS_SAMPLES - 1], plan.t_end).err();
                }
                if stop.is_some() {
                    break;
                }
            }
            next += due;
        }
        // the window may begin or end inside a step
        let (whole, cut);
        let parts: &[[f64; 2]] = if t0 >= w0 && t1 <= w1 && t0 < t1 {
            whole = [[t0, t1]];
            &whole
        } else {
            cut = parts([t0, t1], [w0, w1]);
            &cut.0[..cut.1]
        };
        for &[a, b] in parts {
            let is_inside = a >= w0 && b <= w1;
            if is_inside && edges[0].is_none() {
                stepper.motion(dynamics, a, &mut now);
                watch.begin(system, &now);
                ranges.add(&now);
                edges[0] = Some((stepper.balance(dynamics, a), dynamics.stored(&now)));
            }
            stepper.accumulate(dynamics, [a, b], is_inside.then_some(&mut ranges))?;
            if !is_inside {
                continue;
            }
            let n_events = watch.events.len();
            if stepper.events().is_some() {
                watch.take_events(dynamics, &mut stepper, [a, b]);
            } else {
                stepper.motion(dynamics, b, &mut now);
                ranges.add(&now);
                watch.step(dynamics, &mut stepper, &now, [a, b]);
            }
            if let Some(choice) = &mut choice {
                choice.take_events(dynamics, &mut stepper, &watch.events[n_events..], &ranges);
            }
            if is_drawn {
                for event in &watch.events[n_events..] {
                    instants.add_event(dynamics, &mut stepper, event.t);
                }
            }
            if let Some(drift) = &mut drift {
                *drift = drift.max(off_law(system, &now));
            }
            if b == w1 || b >= plan.t_end {
                stepper.motion(dynamics, b, &mut now);
                edges[1] = Some((stepper.balance(dynamics, b), dynamics.stored(&now)));
            }
        }
        let is_report = steps >= every || t1 >= plan.t_end;
        // what is stored at the end of a step follows from the work so far, up to the residual that the peak
        // is a measure for
        let so_far = stepper.balance(dynamics, t1);
        let stored = start + so_far.work_in - so_far.losses();
        if stored > peak {
            peak = stored;
        }
        if is_report {
            steps %= every;
            stepper.motion(dynamics, t1, &mut now);
            peak = peak.max(dynamics.stored(&now));
            if let Err(error) = dynamics.check_size(&now).and_then(|()| budget.check(stepper.work(), t1)) {
                return Err(cause(error, dynamics, &mut stepper, &mut now));
            }
            stop = stop.or_else(|| progress.report_time(t1, plan.t_end).err());
        }
    }
    let t_end = if stop.is_some() { t.min(plan.t_end) } else { plan.t_end };
    if edges[0].is_some() && edges[1].is_none() {
        stepper.motion(dynamics, t_end, &mut now);
        edges[1] = Some((stepper.balance(dynamics, t_end), dynamics.stored(&now)));
    }
    let total = stepper.balance(dynamics, t);
    let turnover = total.work_in.abs()
        + total.viscous_loss.abs()
        + total.friction_loss.abs()
        + total.impact_loss
        + start.abs()
        + peak.abs();
    let total_stored = dynamics.stored(&now) - start;
    // steps of a fixed length may have passed the end
    stepper.motion(dynamics, t_end, &mut now);
    let (opened, closed) = (edges[0].unwrap_or_default(), edges[1].unwrap_or_default());
    instants.add_extrema(&ranges);
    in_order_of_time(&mut watch.events);
    let record = Record {
        samples,
        end: now,
        instants: instants.rows(),
        ranges: ranges.ranges,
        stick_fraction: watch.fractions(w1.min(t_end) - w0.min(t_end)),
        events: watch.events,
        n_events_dropped: watch.n_dropped,
        balance: closed.0.since(opened.0),
        stored: closed.1 - opened.1,
        total,
        total_stored,
        turnover,
        drift,
        work: stepper.work(),
        warnings: choice.and_then(|choice| choice.warning()).into_iter().collect(),
    };
    Ok((record, stop))
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

/// The parts of a step before, in and after the window, without empty ones, and their number.
fn parts([t0, t1]: [f64; 2], [w0, w1]: [f64; 2]) -> ([[f64; 2]; 3], usize) {
    let (a, b) = (w0.clamp(t0, t1), w1.clamp(t0, t1));
    let (mut found, mut n) = ([[0.0; 2]; 3], 0);
    for [a, b] in [[t0, a], [a, b], [b, t1]] {
        if a < b {
            found[n] = [a, b];
            n += 1;
        }
    }
    (found, n)
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

/// Cause of an error of a run that makes no progress, by its motion before the last step: a law that is too
/// steep for the velocities.
fn cause(error: Error, dynamics: &mut Dynamics, stepper: &mut impl Stepper, motion: &mut Motion) -> Error {
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
    stepper.motion(dynamics, stepper.t_old(), motion);
    dynamics.too_steep(motion).unwrap_or(error)
}

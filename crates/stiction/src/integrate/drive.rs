//! The one driver: steps, samples, finds events, records.

use super::extrema::{Range, Ranges, Scan};
use super::{Balance, Integrator, Stepper, Work};
use crate::Error;
use crate::event::{Event, EventKind};
use crate::law::{Law, Slip};
use crate::system::{Dynamics, Motion, System};

/// What to integrate, and what to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// End of the run (s).
    pub t_end: f64,
    /// Interval over which extrema, events and the stick fraction are taken (s).
    pub window: [f64; 2],
    /// Times of the samples, ascending (s).
    pub times: Vec<f64>,
    /// Whether steps of free length end at the sample times; otherwise samples are interpolated inside steps.
    pub lands_on_times: bool,
}

/// The motion at the sample times, a column for each quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Times (s).
    pub t: Vec<f64>,
    /// Positions, a column for each degree of freedom (m).
    pub position: Vec<Vec<f64>>,
    /// Velocities (m/s).
    pub velocity: Vec<Vec<f64>>,
    /// Accelerations (m/s²).
    pub acceleration: Vec<Vec<f64>>,
    /// Sliding velocity of each contact (m/s).
    pub sliding: Vec<Vec<f64>>,
    /// Friction force of each contact (N).
    pub friction: Vec<Vec<f64>>,
    /// Slope dH/dv of each contact (N s/m).
    pub slope: Vec<Vec<f64>>,
}

impl Samples {
    fn new(n: usize, m: usize, capacity: usize) -> Self {
        let columns = |k: usize| vec![Vec::with_capacity(capacity); k];
        Self {
            t: Vec::with_capacity(capacity),
            position: columns(n),
            velocity: columns(n),
            acceleration: columns(n),
            sliding: columns(m),
            friction: columns(m),
            slope: columns(m),
        }
    }

    fn push(&mut self, motion: &Motion) {
        self.t.push(motion.t);
        for (columns, values) in [
            (&mut self.position, &motion.position),
            (&mut self.velocity, &motion.velocity),
            (&mut self.acceleration, &motion.acceleration),
            (&mut self.sliding, &motion.sliding),
            (&mut self.friction, &motion.friction),
            (&mut self.slope, &motion.slope),
        ] {
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        }
    }
}

/// What a run leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The samples.
    pub samples: Samples,
    /// Ranges over the window of the positions, velocities, accelerations, friction forces, slopes, in this order.
    pub ranges: Vec<Range>,
    /// Events in the window.
    pub events: Vec<Event>,
    /// Events in the window that were not kept because there were too many.
    pub n_events_dropped: u64,
    /// Fraction of the window in which each contact sticks, for laws that know what sticking is.
    pub stick_fraction: Vec<Option<f64>>,
    /// Work done from t = 0 to the end.
    pub balance: Balance,
    /// Change of the stored energy from t = 0 to the end (J).
    pub stored: f64,
    /// Largest distance between the friction force carried along and the law, over the window (N).
    pub drift: Option<f64>,
    /// What it cost.
    pub work: Work,
}

impl Record {
    /// Work put in, less what was stored and lost: zero for the true motion (J).
    pub fn energy_residual(&self) -> f64 {
        self.balance.work_in - self.stored - self.balance.viscous_loss - self.balance.friction_loss
    }
}

/// Events that are kept; a chattering run has one in every step.
const MAX_EVENTS: usize = 100_000;
/// Speeds below this part of the stick speed are rest: their sign is rounding.
const NOISE: f64 = 1e-9;
/// Fixed steps of one degree of freedom between two reports of progress, a fraction of a millisecond; fewer of larger
/// systems, whose steps cost as the square of their size.
const PROGRESS: u64 = 4096;
/// Steps of free length between two reports, which take longer.
const PROGRESS_LONG: u64 = 64;
/// Samples between two reports: a single step may hold them all.
const PROGRESS_SAMPLES: usize = 1024;

/// Integrates `system` by `plan`. `progress` is told the time reached now and then, and may stop the run by `false`.
pub fn drive(
    system: &System,
    integrator: &Integrator,
    plan: &Plan,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Record, Error> {
    let mut dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
    let mut stepper = integrator.start(&mut dynamics, plan.t_end)?;
    let (n, m) = (system.n(), system.elements.len());
    let start = stepper.energy(&mut dynamics);
    let mut now = Motion::zero(n, m);
    stepper.motion(&mut dynamics, 0.0, &mut now);
    let mut scan = Scan::new(&now);
    let mut ranges = Ranges::new(&now);
    let mut watch = Watch::new(system);
    let mut samples = Samples::new(n, m, plan.times.len());
    let [w0, w1] = plan.window;
    let mut next = 0;
    while next < plan.times.len() && plan.times[next] <= 0.0 {
        samples.push(&now);
        next += 1;
    }
    let mut drift = stepper.carries_friction().then_some(0.0f64);
    let mut is_watching = false;
    let size = (n + m) as u64;
    let every = if stepper.has_long_steps() { PROGRESS_LONG } else { PROGRESS };
    let every = (4 * every / (size * size)).clamp(1, every);
    let mut tell = |t: f64| if progress(t) { Ok(()) } else { Err(Error::Interrupted { t: Some(t) }) };
    while stepper.t() < plan.t_end {
        let stop =
            plan.times.get(next).filter(|_| plan.lands_on_times).map_or(plan.t_end, |t| t.min(plan.t_end));
        // steps before the window and the next sample need not be looked at
        let steps = stepper.work().steps;
        let unseen = plan.times.get(next).map_or(w0, |t| t.min(w0)).min(plan.t_end);
        stepper.advance(&mut dynamics, unseen, every)?;
        if stepper.work().steps - steps < every && stepper.t() < plan.t_end {
            stepper.step(&mut dynamics, stop)?;
        }
        let t1 = stepper.t();
        while let Some(&t) = plan.times.get(next).filter(|t| **t <= t1) {
            stepper.motion(&mut dynamics, t, &mut now);
            samples.push(&now);
            next += 1;
            if next.is_multiple_of(PROGRESS_SAMPLES) {
                tell(t)?;
            }
        }
        // the window may begin or end inside a step
        let span = [stepper.t_old().max(w0), t1.min(w1)];
        if t1 > w0 && span[0] < span[1] {
            if !is_watching {
                stepper.motion(&mut dynamics, span[0], &mut now);
                watch.begin(&now);
                ranges.add(&now);
                is_watching = true;
            }
            stepper.motion(&mut dynamics, span[1], &mut now);
            watch.step(&mut dynamics, stepper.as_mut(), &now, span);
            if stepper.has_long_steps() {
                ranges.add_between(&mut scan, span, |t, motion| stepper.motion(&mut dynamics, t, motion));
            } else {
                ranges.add(&now);
            }
            if let Some(drift) = &mut drift {
                *drift = drift.max(off_law(system, &now));
            }
        }
        if stepper.work().steps / every != steps / every {
            tell(t1)?;
        }
    }
    let span = w1 - w0;
    Ok(Record {
        samples,
        ranges: ranges.0,
        stick_fraction: watch.fractions(span),
        events: watch.events,
        n_events_dropped: watch.n_dropped,
        balance: stepper.balance(),
        stored: stepper.energy(&mut dynamics) - start,
        drift,
        work: stepper.work(),
    })
}

/// The largest distance between the friction forces of a motion and what the laws say (N).
fn off_law(system: &System, motion: &Motion) -> f64 {
    let mut worst = 0.0f64;
    for (i, element) in system.elements.iter().enumerate() {
        let law = element.load * element.friction.coefficient(Slip::at(motion.sliding[i]));
        worst = worst.max((motion.friction[i] - law).abs());
    }
    worst
}

/// Watches the contacts for events.
struct Watch {
    /// Speed below which each contact sticks.
    stick_speed: Vec<Option<f64>>,
    /// The last direction of sliding of each contact.
    sign: Vec<f64>,
    sliding: Vec<f64>,
    sliding_old: Vec<f64>,
    stick_time: Vec<f64>,
    events: Vec<Event>,
    n_dropped: u64,
    probe: Motion,
}

impl Watch {
    fn new(system: &System) -> Self {
        let m = system.elements.len();
        Self {
            stick_speed: system.elements.iter().map(|e| e.friction.law.stick_speed()).collect(),
            sign: vec![0.0; m],
            sliding: vec![0.0; m],
            sliding_old: vec![0.0; m],
            stick_time: vec![0.0; m],
            events: Vec::with_capacity(1024),
            n_dropped: 0,
            probe: Motion::zero(system.n(), m),
        }
    }

    /// Starts watching at `now`.
    fn begin(&mut self, now: &Motion) {
        self.note(now);
        for i in 0..self.sign.len() {
            let v = now.sliding[i];
            self.sign[i] =
                if v.abs() > NOISE * self.stick_speed[i].unwrap_or(0.0) { v.signum() } else { 0.0 };
        }
    }

    fn note(&mut self, now: &Motion) {
        self.sliding.copy_from_slice(&now.sliding);
    }

    /// Looks for events in the part `span` of the last step, at the end of which the motion is `now`, and counts the time
    /// in stick.
    fn step(&mut self, dynamics: &mut Dynamics, stepper: &mut dyn Stepper, now: &Motion, span: [f64; 2]) {
        self.sliding_old.copy_from_slice(&self.sliding);
        self.note(now);
        if stepper.events().is_some() {
            return self.take_events(dynamics, stepper, span);
        }
        for i in 0..self.sliding.len() {
            let (v0, v1, stick_speed) = (self.sliding_old[i], self.sliding[i], self.stick_speed[i]);
            let floor = NOISE * stick_speed.unwrap_or(0.0);
            let mut reversal = None;
            if v1.abs() > floor {
                // the sign changed in this step, or while the contact was at rest
                if self.sign[i] * v1 < 0.0 {
                    reversal = Some(if v0 * v1 < 0.0 {
                        self.crossing(dynamics, stepper, i, span, 0.0)
                    } else {
                        span[0]
                    });
                }
                self.sign[i] = v1.signum();
            }
            let mut enter = None;
            let mut leave = None;
            if let Some(speed) = stick_speed {
                let sticks = |v: f64| v.abs() < speed || (speed == 0.0 && v == 0.0);
                let (before, after) = (sticks(v0), sticks(v1));
                let passes = !before && !after && v0 * v1 < 0.0 && speed > 0.0;
                if passes || (!before && after) {
                    enter = Some(self.crossing(dynamics, stepper, i, span, speed.copysign(v0)));
                }
                if passes || (before && !after) {
                    leave = Some(self.crossing(dynamics, stepper, i, span, speed.copysign(v1)));
                }
                if before || after || passes {
                    self.stick_time[i] += leave.unwrap_or(span[1]) - enter.unwrap_or(span[0]);
                }
            }
            for (t, kind) in
                [(enter, EventKind::Stick), (reversal, EventKind::Reverse), (leave, EventKind::Slip)]
            {
                if let Some(t) = t {
                    self.push(Event { t, element: i, kind });
                }
            }
        }
    }

    /// Events that the method found itself; a contact is in stick all along a phase or not at all.
    fn take_events(&mut self, dynamics: &mut Dynamics, stepper: &mut dyn Stepper, [from, to]: [f64; 2]) {
        stepper.motion(dynamics, 0.5 * (from + to), &mut self.probe);
        for i in 0..self.stick_time.len() {
            let v = self.probe.sliding[i].abs();
            if self.stick_speed[i].is_some_and(|speed| v < speed || v == 0.0) {
                self.stick_time[i] += to - from;
            }
        }
        for k in 0..stepper.events().map_or(0, <[Event]>::len) {
            if let Some(event) = stepper.events().and_then(|events| events.get(k)).copied()
                && event.t <= to
            {
                self.push(event);
            }
        }
    }

    fn push(&mut self, event: Event) {
        if self.events.len() < MAX_EVENTS {
            self.events.push(event);
        } else {
            self.n_dropped += 1;
        }
    }

    /// Time in `span` at which the sliding velocity of contact `i` passes through `edge`, by bisection.
    fn crossing(
        &mut self,
        dynamics: &mut Dynamics,
        stepper: &mut dyn Stepper,
        i: usize,
        [mut a, mut b]: [f64; 2],
        edge: f64,
    ) -> f64 {
        let is_above = self.sliding_old[i] > edge;
        loop {
            let t = 0.5 * (a + b);
            if t <= a || t >= b {
                return b;
            }
            stepper.motion(dynamics, t, &mut self.probe);
            if (self.probe.sliding[i] > edge) == is_above {
                a = t;
            } else {
                b = t;
            }
        }
    }

    fn fractions(&self, span: f64) -> Vec<Option<f64>> {
        let fraction = |time: f64| if span > 0.0 { (time / span).clamp(0.0, 1.0) } else { 0.0 };
        self.stick_speed.iter().zip(&self.stick_time).map(|(s, time)| s.map(|_| fraction(*time))).collect()
    }
}

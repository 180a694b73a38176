//! The adaptive integrator on a system with friction.

mod collocation;
mod tangent;

use super::Stepper;
use crate::Error;
use crate::event::{Event, EventKind};
use crate::law::Law;
use crate::ode::{Adaptive, AdaptiveStepper, Work};
use crate::record::{Balance, Range, Ranges};
use crate::system::{Dynamics, Motion, N_PASSIVE};
use tangent::Tangent;

/// By this part of what they span over a step the inner Bernstein coefficients of a motion may be off, and
/// those of the jerk.
///
/// Steps that error control accepts at the coarsest tolerances err by half of that.
const QUINTIC: f64 = 0.05;
const QUINTIC_JERK: f64 = 0.25;

/// A step ends on the speed beyond which a law is flat but for rounding.
const NEARLY: f64 = 1.0 - 1e-12;

/// Steps of free length under way.
pub(crate) struct OnOde {
    dynamics: Dynamics,
    stepper: AdaptiveStepper,
    y: Vec<f64>,
    /// Scratch for accelerations.
    rates: Vec<f64>,
    /// Sliding velocities that were looked at; whatever lies between them has been passed.
    passed: Vec<Range>,
    /// Speed beyond which the force of each contact is constant (m/s).
    flat: Vec<f64>,
    /// Scratch for those of a step.
    sliding: Vec<[f64; 5]>,
    /// Whether each quantity may leave its range inside the last step.
    may_grow: Vec<bool>,
    /// Scratch for what holds before an event.
    before: Motion,
    rtol: f64,
    /// How differences are carried; made when first asked for.
    tangent: Option<Box<Tangent>>,
    events: Vec<Event>,
    /// Whether each contact was open in the last step; none before the first.
    was_open: Vec<Option<bool>>,
}

impl OnOde {
    /// Starts at the initial state and t = 0.
    pub fn start(dynamics: Dynamics, settings: &Adaptive) -> Result<Self, Error> {
        let mut own = Self::new(dynamics, settings);
        own.y = own.dynamics.initial_state();
        own.stepper.start(&mut own.dynamics, 0.0, &own.y)?;
        own.dynamics.check_decided()?;
        Ok(own)
    }

    /// Prepared, but not started.
    pub fn new(dynamics: Dynamics, settings: &Adaptive) -> Self {
        let y = dynamics.initial_state();
        let stepper = AdaptiveStepper::new(settings, &dynamics);
        let m = dynamics.system().contacts.len();
        let may_grow = vec![true; 3 * dynamics.system().n() + 2 * m];
        let n = dynamics.system().n();
        let before = if dynamics.is_hybrid() { Motion::zero(n, m) } else { Motion::default() };
        let (passed, sliding) = (vec![Range::default(); m], vec![[0.0; 5]; m]);
        let rates = vec![0.0; n];
        let flat = dynamics.system().contacts.iter().map(|contact| match contact.friction.viscous {
            0.0 => contact.friction.law.scales().flat_beyond,
            _ => f64::INFINITY,
        });
        let flat = flat.collect();
        let (rtol, tangent, was_open) = (settings.rtol, None, vec![None; m]);
        let events = Vec::with_capacity(2 * m + y.len() + dynamics.system().elements.stops.len());
        Self {
            dynamics,
            stepper,
            y,
            rates,
            passed,
            flat,
            sliding,
            may_grow,
            before,
            rtol,
            tangent,
            events,
            was_open,
        }
    }

    /// Labels the events of the last step: contacts whose load has jumped at its start, contacts that change
    /// their modes at its end, sliders and stops.
    fn label_events(&mut self) {
        let Self { dynamics, stepper, events, was_open, .. } = self;
        events.clear();
        for (contact, was_open) in was_open.iter_mut().enumerate() {
            let is_open = dynamics.was_open(contact);
            if was_open.replace(is_open).is_some_and(|was_open| was_open != is_open) {
                let kind = if is_open { EventKind::Lift } else { EventKind::Land };
                events.push(Event { t: stepper.t_old(), contact, kind });
            }
        }
        let t = stepper.t();
        let contacts = dynamics.turning(false);
        let sliders = dynamics.turning(true).filter(|(_, kind)| !kind.is_of_load());
        let all = contacts.chain(sliders).chain(dynamics.stop_events());
        events.extend(all.map(|(contact, kind)| Event { t, contact, kind }));
    }

    /// Notes which quantities may leave their ranges inside the last step; false if none may.
    ///
    /// The quintic with the positions, velocities and accelerations of both ends lies between its Bernstein
    /// coefficients (@farouki2012), and so do its derivatives; what the motion is off the quintic is in the
    /// inner ones. What rises or falls all along is largest and smallest at the ends. Forces and slopes
    /// follow from the sliding velocities: nothing is new where those have been before, or where the law is
    /// flat.
    fn survey(&mut self, ranges: &Ranges) -> bool {
        let Self { dynamics, .. } = self;
        if !(self.stepper.was_explicit() && dynamics.is_plain()) {
            self.may_grow.fill(true);
            return true;
        }
        let system = dynamics.system();
        let (n, h) = (system.n(), self.stepper.t() - self.stepper.t_old());
        let (y0, y1) = (self.stepper.y_old(), self.stepper.y());
        let (f0, f1) = (self.stepper.f_old(), self.stepper.f());
        for (sliding, contact) in self.sliding.iter_mut().zip(&system.contacts) {
            *sliding = [-contact.belt; 5];
        }
        for k in 0..n {
            let ([q0, q1], [v0, v1], [a0, a1]) =
                ([y0[k], y1[k]], [y0[n + k], y1[n + k]], [f0[n + k], f1[n + k]]);
            let (fifth, twentieth) = (0.2 * h, 0.05 * h * h);
            let p2 = q0 + fifth * 2.0 * v0 + twentieth * a0;
            let p3 = q1 - fifth * 2.0 * v1 + twentieth * a1;
            let position = [q0, q0 + fifth * v0, p2, 0.5 * (p2 + p3), p3, q1 - fifth * v1, q1];
            let velocity = [v0, v0 + 0.25 * h * a0, (p3 - p2) / fifth, v1 - 0.25 * h * a1, v1];
            let step = 4.0 / h;
            let acceleration =
                [a0, step * (velocity[2] - velocity[1]), step * (velocity[3] - velocity[2]), a1];
            let jerk = [0, 1, 2].map(|i| acceleration[i + 1] - acceleration[i]);
            let grows = |k: usize, values: Range, rates: Range| {
                !(has_one_sign(rates) || within(ranges.range(k), values))
            };
            let [v, a] = [spans(&velocity, 2, QUINTIC), spans(&acceleration, 1, QUINTIC)];
            self.may_grow[k] = grows(k, spans(&position, 3, QUINTIC), v);
            self.may_grow[n + k] = grows(n + k, v, a);
            self.may_grow[2 * n + k] = grows(2 * n + k, a, spans(&jerk, 0, QUINTIC_JERK));
            for (sliding, contact) in self.sliding.iter_mut().zip(&system.contacts) {
                sliding
                    .iter_mut()
                    .zip(velocity)
                    .for_each(|(sliding, v)| *sliding += contact.direction[k] * v);
            }
        }
        let m = system.contacts.len();
        for (i, sliding) in self.sliding.iter().enumerate() {
            let is_new = !within(self.known(i), spans(sliding, 2, QUINTIC));
            (self.may_grow[3 * n + i], self.may_grow[3 * n + m + i]) = (is_new, is_new);
        }
        self.may_grow.contains(&true)
    }

    /// Sliding velocities of contact `i` between which its force and slope hold nothing new.
    fn known(&self, i: usize) -> Range {
        let (passed, flat) = (self.passed[i], NEARLY * self.flat[i]);
        Range {
            max: if passed.max >= flat { f64::INFINITY } else { passed.max },
            min: if passed.min <= -flat { f64::NEG_INFINITY } else { passed.min },
        }
    }
}

/// Between which values a curve with these Bernstein coefficients stays, the outer ones of which are exact.
#[inline]
fn spans(coefficients: &[f64], n_exact: usize, margin: f64) -> Range {
    let hull = |range: Range, c: &f64| Range {
        max: if *c > range.max { *c } else { range.max },
        min: if *c < range.min { *c } else { range.min },
    };
    let all = coefficients.iter().fold(Range::default(), hull);
    let inner = coefficients[n_exact..coefficients.len() - n_exact].iter().fold(Range::default(), hull);
    let more = margin * (all.max - all.min);
    let (max, min) = (inner.max + more, inner.min - more);
    Range { max: if max > all.max { max } else { all.max }, min: if min < all.min { min } else { all.min } }
}

#[inline]
fn within(outer: Range, inner: Range) -> bool {
    inner.max <= outer.max && inner.min >= outer.min
}

#[inline]
fn has_one_sign(range: Range) -> bool {
    range.min > 0.0 || range.max < 0.0
}

impl Stepper for OnOde {
    fn dynamics(&mut self) -> &mut Dynamics {
        &mut self.dynamics
    }
    /// One step, neither beyond `t_stop` nor across a point of a table.
    fn step(&mut self, t_stop: f64) -> Result<(), Error> {
        let Self { stepper, dynamics, .. } = self;
        if stepper.t() >= dynamics.clock_end() {
            dynamics.set_clock(stepper.t());
            stepper.renew(dynamics)?;
        }
        stepper.step(dynamics, t_stop.min(dynamics.clock_end()))?;
        dynamics.check_decided()?;
        if dynamics.is_hybrid() {
            self.label_events();
        }
        Ok(())
    }
    fn t(&self) -> f64 {
        self.stepper.t()
    }
    fn t_old(&self) -> f64 {
        self.stepper.t_old()
    }
    /// At the end of the step as it goes on there; positions, velocities and states, and the accelerations of
    /// the step, are left in `y` and `rates`.
    fn motion(&mut self, t: f64, out: &mut Motion) {
        let Self { stepper, dynamics, y, rates, .. } = self;
        // the works done so far are no part of a motion
        let n_active = y.len() - N_PASSIVE;
        let y = &mut y[..n_active];
        stepper.dense(dynamics, t, y);
        let is_end = t == stepper.t();
        if !(is_end && dynamics.turns()) {
            match stepper.implicit_rates(t, dynamics.system().n(), rates) {
                Some(h) => dynamics.polish(t, y, rates, h),
                None => dynamics.polish_creep(t, y, rates),
            }
        }
        match is_end {
            true => dynamics.motion_after(t, y, out),
            false => dynamics.motion(t, y, out),
        }
    }
    fn sliding(&mut self, i: usize, t: f64, scratch: &mut Motion) -> f64 {
        if self.dynamics.is_plain() && !self.stepper.was_implicit() {
            let n = self.dynamics.system().n();
            self.stepper.dense(&mut self.dynamics, t, &mut self.y[..2 * n]);
            return self.dynamics.sliding(i, &self.y[n..2 * n]);
        }
        self.motion(t, scratch);
        scratch.sliding[i]
    }
    fn motion_before(&mut self, t: f64, out: &mut Motion) {
        if t == self.stepper.t() {
            self.y.copy_from_slice(self.stepper.y());
            self.dynamics.undo_impacts(&mut self.y);
            self.dynamics.motion(t, &self.y, out);
        } else {
            self.motion(t, out);
        }
    }
    fn accumulate(&mut self, span: [f64; 2], ranges: Option<&mut Ranges>) -> Result<(), Error> {
        let Some(ranges) = ranges else { return Ok(()) };
        if span[1] == self.t() && self.dynamics.turns() {
            // forces jump: the motion before the event counts too
            let mut before = std::mem::take(&mut self.before);
            self.motion_before(span[1], &mut before);
            ranges.add(&before);
            self.before = before;
        }
        let is_whole = span == [self.t_old(), self.t()];
        if !is_whole {
            self.may_grow.fill(true);
        } else if !self.survey(ranges) {
            return Ok(());
        }
        let mut passed = std::mem::take(&mut self.passed);
        let may_grow = std::mem::take(&mut self.may_grow);
        ranges.add_between(span, &may_grow, |t, motion| {
            self.motion(t, motion);
            for (passed, sliding) in passed.iter_mut().zip(&motion.sliding) {
                *passed = Range { max: passed.max.max(*sliding), min: passed.min.min(*sliding) };
            }
        });
        (self.passed, self.may_grow) = (passed, may_grow);
        Ok(())
    }
    fn balance(&mut self, t: f64) -> Balance {
        self.stepper.dense(&mut self.dynamics, t, &mut self.y);
        Balance::from_state(&self.y)
    }
    fn work(&self) -> Work {
        self.stepper.work()
    }
    fn has_long_steps(&self) -> bool {
        true
    }
    fn events(&self) -> &[Event] {
        &self.events
    }
    /// Zero while a contact with a set-valued law sticks, which is all along a step or not at all.
    fn sliding_inside(&self, i: usize) -> f64 {
        if self.dynamics.rested(i) { 0.0 } else { f64::NAN }
    }
}

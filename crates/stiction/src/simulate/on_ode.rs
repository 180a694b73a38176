//! The adaptive integrator on a system with friction.

use super::{Accumulated, Balance, Range, Ranges, Stepper};
use crate::Error;
use crate::ode::{Adaptive, AdaptiveStepper, Ode, Work};
use crate::system::{Dynamics, Motion, N_PASSIVE};

impl Ode for Dynamics {
    fn n(&self) -> usize {
        self.n_state()
    }
    fn n_passive(&self) -> usize {
        N_PASSIVE
    }
    fn sizes(&self, out: &mut [f64]) {
        self.state_sizes(out);
    }
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.derivative(t, y, dy);
    }
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        self.derivative_slopes(t, y, jac);
    }
    fn n_switches(&self) -> usize {
        self.n_kinks()
    }
    fn switches(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        self.kinks(t, y, out);
    }
    fn is_one_sided(&self, k: usize) -> bool {
        self.is_velocity(k)
    }
    fn may_switch(&self, h: f64, start: [&[f64]; 2], end: [&[f64]; 2]) -> bool {
        self.may_kink(h, start, end)
    }
    fn land(&mut self, t: f64, y: &mut [f64], on: Option<&[usize]>) -> bool {
        self.land(t, y, on)
    }
    fn has_jumped(&self) -> bool {
        self.has_impacts()
    }
    fn go_on(&mut self) {
        self.go_on();
    }
    fn shortest_step(&self) -> Option<f64> {
        self.creep_time()
    }
    fn longest_step(&self) -> f64 {
        self.longest_step()
    }
    fn stiffness(&mut self, t: f64, y: &[f64]) -> f64 {
        self.fastest_rate(t, y)
    }
}

/// By this part of what they span over a step the inner Bernstein coefficients of a motion may be off, and
/// those of the jerk.
///
/// Steps that error control accepts at the coarsest tolerances err by half of that.
const QUINTIC: f64 = 0.05;
const QUINTIC_JERK: f64 = 0.25;

/// A step ends on the speed beyond which a law is flat but for rounding.
const NEARLY: f64 = 1.0 - 1e-12;

/// Turns of a polynomial of degree seven.
const MOST_TURNS: usize = 6;

/// Steps of free length under way.
pub(super) struct OnOde {
    stepper: AdaptiveStepper,
    y: Vec<f64>,
    /// Scratch for accelerations.
    rates: Vec<f64>,
    /// Sliding velocities that were looked at; whatever lies between them has been passed.
    passed: Vec<Range>,
    /// Scratch for those of a step.
    sliding: Vec<[f64; 5]>,
    /// Whether each quantity may leave its range inside the last step, and whether the step was surveyed for
    /// that.
    may_grow: Vec<bool>,
    is_surveyed: bool,
    /// Scratch for the times at which a quantity turns, few in a step.
    times: Vec<f64>,
    /// Scratch for what holds before an event.
    before: Motion,
}

impl OnOde {
    pub fn start(dynamics: &mut Dynamics, settings: &Adaptive) -> Result<Self, Error> {
        let y = dynamics.initial_state();
        let mut stepper = AdaptiveStepper::new(settings, dynamics);
        stepper.start(dynamics, 0.0, &y)?;
        let m = dynamics.system().contacts.len();
        let may_grow = vec![true; 3 * dynamics.system().n() + 2 * m];
        let n = dynamics.system().n();
        let before = if dynamics.is_hybrid() { Motion::zero(n, m) } else { Motion::default() };
        let (passed, sliding) = (vec![Range::default(); m], vec![[0.0; 5]; m]);
        let times = Vec::with_capacity(MOST_TURNS);
        let rates = vec![0.0; n];
        Ok(Self { stepper, y, rates, passed, sliding, may_grow, is_surveyed: false, times, before })
    }

    /// Notes which quantities may leave their ranges inside the last step; false if none may.
    ///
    /// The quintic with the positions, velocities and accelerations of both ends lies between its Bernstein
    /// coefficients (@farouki2012), and so do its derivatives; what the motion is off the quintic is in the
    /// inner ones. What rises or falls all along is largest and smallest at the ends. Forces and slopes
    /// follow from the sliding velocities: nothing is new where those have been before, or where the law is
    /// flat.
    fn survey(&mut self, dynamics: &Dynamics, ranges: &Ranges) -> bool {
        self.is_surveyed = self.stepper.was_explicit() && dynamics.is_plain();
        if !self.is_surveyed {
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
            let is_new = !within(self.known(dynamics, i), spans(sliding, 2, QUINTIC));
            (self.may_grow[3 * n + i], self.may_grow[3 * n + m + i]) = (is_new, is_new);
        }
        self.may_grow.contains(&true)
    }
}

impl OnOde {
    /// Sliding velocities of contact `i` between which its force and slope hold nothing new.
    fn known(&self, dynamics: &Dynamics, i: usize) -> Range {
        let (passed, flat) = (self.passed[i], NEARLY * dynamics.flat_beyond(i));
        Range {
            max: if passed.max >= flat { f64::INFINITY } else { passed.max },
            min: if passed.min <= -flat { f64::NEG_INFINITY } else { passed.min },
        }
    }

    /// Adds the motions where positions, velocities and accelerations turn in a step that was surveyed; false
    /// if nothing else may grow.
    ///
    /// The polynomial of the step has its turns where the motion has them but for the error of the step; what
    /// is looked at there is the motion.
    fn add_turns(&mut self, dynamics: &mut Dynamics, ranges: &mut Ranges) -> bool {
        if !self.is_surveyed {
            return true;
        }
        let n = dynamics.system().n();
        for i in 0..3 * n {
            if !self.may_grow[i] {
                continue;
            }
            self.times.clear();
            let times = &mut self.times;
            let (component, of_rate) = if i < 2 * n { (i, false) } else { (i - n, true) };
            self.stepper.turns(dynamics, component, of_rate, |t| times.push(t));
            for k in 0..self.times.len() {
                let t = self.times[k];
                ranges.add_at(t, |t, motion| self.motion(dynamics, t, motion));
            }
            self.may_grow[i] = false;
        }
        self.may_grow.contains(&true)
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

/// One step, neither beyond `t_stop` nor across a point of a table.
pub(crate) fn step_on(
    stepper: &mut AdaptiveStepper,
    dynamics: &mut Dynamics,
    t_stop: f64,
) -> Result<(), Error> {
    if stepper.t() >= dynamics.clock_end() {
        dynamics.set_clock(stepper.t());
        stepper.renew(dynamics)?;
    }
    stepper.step(dynamics, t_stop.min(dynamics.clock_end()))
}

/// The motion at `t` in the last step, as it goes on at its end; positions, velocities and states, and the
/// accelerations of the step, are left in `scratch`.
pub(crate) fn motion_in_step(
    stepper: &mut AdaptiveStepper,
    dynamics: &mut Dynamics,
    t: f64,
    scratch: [&mut [f64]; 2],
    out: &mut Motion,
) {
    let [y, rates] = scratch;
    stepper.dense(dynamics, t, y);
    let is_end = t == stepper.t();
    if !(is_end && dynamics.turns())
        && let Some(h) = stepper.implicit_rates(t, dynamics.system().n(), rates)
    {
        dynamics.polish(t, y, rates, h);
    }
    match is_end {
        true => dynamics.motion_after(t, y, out),
        false => dynamics.motion(t, y, out),
    }
}

impl Stepper for OnOde {
    fn step(&mut self, dynamics: &mut Dynamics, t_stop: f64) -> Result<(), Error> {
        step_on(&mut self.stepper, dynamics, t_stop)
    }
    fn t(&self) -> f64 {
        self.stepper.t()
    }
    fn t_old(&self) -> f64 {
        self.stepper.t_old()
    }
    fn motion(&mut self, dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        // the works done so far are no part of a motion
        let n_active = self.y.len() - N_PASSIVE;
        motion_in_step(&mut self.stepper, dynamics, t, [&mut self.y[..n_active], &mut self.rates], out);
    }
    fn sliding(&mut self, dynamics: &mut Dynamics, i: usize, t: f64, scratch: &mut Motion) -> f64 {
        if dynamics.is_plain() && !self.stepper.was_implicit() {
            let n = dynamics.system().n();
            self.stepper.dense(dynamics, t, &mut self.y[..2 * n]);
            return dynamics.sliding(i, &self.y[n..2 * n]);
        }
        self.motion(dynamics, t, scratch);
        scratch.sliding[i]
    }
    fn motion_before(&mut self, dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        if t == self.stepper.t() {
            self.y.copy_from_slice(self.stepper.y());
            dynamics.undo_impacts(&mut self.y);
            dynamics.motion(t, &self.y, out);
        } else {
            self.motion(dynamics, t, out);
        }
    }
    fn accumulate(
        &mut self,
        dynamics: &mut Dynamics,
        span: [f64; 2],
        ranges: Option<&mut Ranges>,
    ) -> Accumulated {
        let Some(ranges) = ranges else { return Ok(()) };
        if span[1] == self.t() && dynamics.turns() {
            // forces jump: what holds before counts too
            let mut before = std::mem::take(&mut self.before);
            self.motion_before(dynamics, span[1], &mut before);
            ranges.add(&before);
            self.before = before;
        }
        let is_whole = span == [self.t_old(), self.t()];
        if !is_whole {
            self.may_grow.fill(true);
        } else if !self.survey(dynamics, ranges) || !self.add_turns(dynamics, ranges) {
            return Ok(());
        }
        let mut passed = std::mem::take(&mut self.passed);
        let may_grow = std::mem::take(&mut self.may_grow);
        ranges.add_between(span, &may_grow, |t, motion| {
            self.motion(dynamics, t, motion);
            for (passed, sliding) in passed.iter_mut().zip(&motion.sliding) {
                *passed = Range { max: passed.max.max(*sliding), min: passed.min.min(*sliding) };
            }
        });
        (self.passed, self.may_grow) = (passed, may_grow);
        Ok(())
    }
    fn balance(&mut self, dynamics: &mut Dynamics, t: f64) -> Balance {
        self.stepper.dense(dynamics, t, &mut self.y);
        Balance::from_state(&self.y)
    }
    fn work(&self) -> Work {
        self.stepper.work()
    }
    fn has_long_steps(&self) -> bool {
        true
    }
}

//! Adapts the exact engine to the `Stepper` and `Propagator` traits.
//!
//! A step goes from event to event. The engine gives the work and the extrema over it, exact to round-off,
//! see `exact::extrema` and `exact::panel`.

use super::{Propagator, Stepper};
use crate::Error;
use crate::event::Event;
use crate::exact::{Exact, has_sliders};
use crate::math::dense::Matrix;
use crate::ode::Work;
use crate::record::{Balance, Ranges};
use crate::system::{Dynamics, InputSlot, Motion, System, TimeTable};

/// Longest step, in radians of the fastest oscillation that it is tied to, so that progress can be reported.
const LONGEST: f64 = 256.0;
/// Round-off of the motion over a period.
const ACCURACY: f64 = 1e-15;
/// Round-off of its derivative: some hundred events and stretches, and its amplification by the times of
/// events.
const SLOPE_ROUNDING: f64 = 1e-12;
/// Angle of the fastest rate over which Gauss's formula with ten nodes is exact to round-off (rad).
const ANGLE: f64 = 2.5;
/// Parts that a step is divided into at most.
const MAX_PARTS: f64 = 4096.0;

/// The exact engine under way.
pub(crate) struct OnExact {
    dynamics: Dynamics,
    exact: Exact,
    /// Scratch.
    now: Motion,
    /// Start of the last step (s).
    t_old: f64,
    /// Longest step (s).
    longest: f64,
    /// Whether a step is one Taylor series, short enough for a quadrature.
    is_series: bool,
    balance: Balance,
    steps: u64,
}

impl OnExact {
    pub fn start(dynamics: Dynamics) -> Result<Self, Error> {
        let system = dynamics.system();
        let exact = Exact::new(system)?;
        let rate = exact.pace().unwrap_or(dynamics.scales().rate);
        let fastest = system.harmonics.iter().map(|h| h.omega).fold(rate, f64::max);
        Ok(Self {
            now: Motion::zero(system.n(), system.contacts.len()).with_states(exact.n_states()),
            is_series: system.is_general() || has_sliders(system),
            exact,
            t_old: 0.0,
            longest: if fastest > 0.0 { LONGEST / fastest } else { f64::INFINITY },
            balance: Balance::default(),
            steps: 0,
            dynamics,
        })
    }

    fn system(&self) -> &System {
        self.dynamics.system()
    }
}

impl Stepper for OnExact {
    fn dynamics(&mut self) -> &mut Dynamics {
        &mut self.dynamics
    }
    fn step(&mut self, t_stop: f64) -> Result<(), Error> {
        let t = self.exact.t();
        let end = if t_stop - t > 1.5 * self.longest { t + self.longest } else { t_stop };
        self.exact.step(end)?;
        self.steps += 1;
        self.t_old = t;
        Ok(())
    }
    fn t(&self) -> f64 {
        self.exact.t()
    }
    fn t_old(&self) -> f64 {
        self.t_old
    }
    fn motion(&mut self, t: f64, out: &mut Motion) {
        self.exact.motion(t, out);
    }
    fn motion_before(&mut self, t: f64, out: &mut Motion) {
        self.exact.motion_before(t, out);
    }
    fn accumulate(&mut self, span: [f64; 2], ranges: Option<&mut Ranges>) -> Result<(), Error> {
        self.exact.accumulate(span, ranges, &mut self.balance)
    }
    fn balance(&mut self, _t: f64) -> Balance {
        self.balance
    }
    fn work(&self) -> Work {
        Work { steps: self.steps, ..Work::default() }
    }
    fn has_long_steps(&self) -> bool {
        true
    }
    fn events(&self) -> &[Event] {
        self.exact.events()
    }
    fn isolates_events(&self) -> bool {
        true
    }
    fn sliding_inside(&self, i: usize) -> f64 {
        self.exact.sliding_inside(i)
    }
    fn n_parts(&mut self, [from, to]: [f64; 2]) -> usize {
        if self.is_series {
            return 1;
        }
        self.exact.motion(0.5 * (from + to), &mut self.now);
        let Self { dynamics, now, .. } = self;
        let base = dynamics.scales().fastest();
        let steep = now.slope.iter().enumerate().map(|(i, slope)| slope.abs() * dynamics.compliance(i));
        ((base + steep.sum::<f64>()) * (to - from) / ANGLE).ceil().clamp(1.0, MAX_PARTS) as usize
    }
}

impl Propagator for OnExact {
    fn n_state(&self) -> usize {
        2 * self.system().n() + self.exact.n_states()
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        (self.t_old, self.balance) = (t, Balance::default());
        let (q, rest) = x.split_at(self.system().n());
        let (v, states) = rest.split_at(q.len());
        self.exact.restart_with(t, q, v, states)
    }
    fn state(&mut self, x: &mut [f64]) {
        self.exact.motion(self.exact.t(), &mut self.now);
        let parts = [&self.now.position, &self.now.velocity, &self.now.states];
        x.iter_mut().zip(parts.into_iter().flatten()).for_each(|(x, part)| *x = *part);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        self.exact.motion(self.exact.t(), &mut self.now);
        let n = self.now.position.len();
        out[..n].copy_from_slice(&self.now.velocity);
        out[n..2 * n].copy_from_slice(&self.now.acceleration);
        self.exact.state_rates(&mut out[2 * n..]);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        self.exact.carry(self.t_old, differences);
    }
    fn input_table(&mut self, slot: InputSlot) -> Option<&mut TimeTable> {
        self.exact.input_table(slot)
    }
    fn is_interpolated(&self) -> bool {
        false
    }
    fn accuracy(&self) -> f64 {
        ACCURACY
    }
    fn slope_rounding(&self) -> f64 {
        SLOPE_ROUNDING
    }
}

//! What a method of integration is: a [`Stepper`], which the driver calls; and a [`Propagator`], which sessions and
//! the search for steady states call besides.

use crate::Error;
use crate::event::Event;
use crate::math::dense::Matrix;
use crate::ode::Work;
use crate::record::{Balance, Ranges};
use crate::system::{Dynamics, InputSlot, Motion, TimeTable};

/// One step at a time, and the motion anywhere in the last one.
pub trait Stepper {
    /// The prepared system.
    fn dynamics(&mut self) -> &mut Dynamics;
    /// Makes one step. Methods that choose their steps do not pass `t_stop`; methods of a fixed step keep to
    /// their grid.
    fn step(&mut self, t_stop: f64) -> Result<(), Error>;
    /// Makes up to `max_steps` steps that are not observed, none of them past `t_stop`; returns their number.
    fn advance(&mut self, _t_stop: f64, _max_steps: u64) -> Result<u64, Error> {
        Ok(0)
    }
    /// Time reached (s).
    fn t(&self) -> f64;
    /// Start of the last step (s).
    fn t_old(&self) -> f64;
    /// The motion at `t` in the last step; at an event just after it.
    fn motion(&mut self, t: f64, out: &mut Motion);
    /// The motion at `t` in the last step; at an event just before it.
    fn motion_before(&mut self, t: f64, out: &mut Motion) {
        self.motion(t, out);
    }
    /// The sliding velocity of contact `i` at `t` in the last step (m/s).
    fn sliding(&mut self, i: usize, t: f64, scratch: &mut Motion) -> f64 {
        self.motion(t, scratch);
        scratch.sliding[i]
    }
    /// Accumulates over the part `span` of the last step: the work, where it is not part of the state, and the
    /// extrema inside the span, if `ranges` are given. A method that isolates events itself adds the motion at
    /// the end of the span too. Parts come in order and leave no gap.
    fn accumulate(&mut self, span: [f64; 2], ranges: Option<&mut Ranges>) -> Result<(), Error>;
    /// Work done from the start to `t` in the last step, up to which work and extrema are accumulated.
    fn balance(&mut self, t: f64) -> Balance;
    /// What it cost so far.
    fn work(&self) -> Work;
    /// Whether a step is long, so that extrema have to be looked for inside it.
    fn has_long_steps(&self) -> bool {
        false
    }
    /// The events of the last step that the method isolates, those at its end last.
    fn events(&self) -> &[Event] {
        &[]
    }
    /// Whether the method isolates all events itself.
    fn isolates_events(&self) -> bool {
        false
    }
    /// A sliding velocity of contact `i` inside the last step, where the method isolates its events (m/s).
    fn sliding_inside(&self, _i: usize) -> f64 {
        f64::NAN
    }
    /// Number of parts of the part `span` of the last step on which Gauss's formula of ten nodes is exact to the
    /// error of the motion.
    fn n_parts(&mut self, _span: [f64; 2]) -> usize {
        1
    }
    /// Whether the method carries the friction force along as a state of its own, which may drift off the
    /// law.
    fn carries_friction(&self) -> bool {
        false
    }
}

/// A method that starts from any state x = [q, q̇, z] and carries differences of it, the columns of a matrix, along
/// the motion.
pub(crate) trait Propagator: Stepper + Send + Sync {
    /// Number of components of x.
    fn n_state(&self) -> usize;
    /// Starts at (t, x); work counts from here.
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error>;
    /// The state reached.
    fn state(&mut self, x: &mut [f64]);
    /// ẋ at the time reached.
    fn derivative(&mut self, out: &mut [f64]);
    /// Carries `differences` through the last step and the events at its end.
    fn carry(&mut self, differences: &mut Matrix);
    /// The table of an input; it counts from the next start on.
    fn input_table(&mut self, _slot: InputSlot) -> Option<&mut TimeTable> {
        None
    }
    /// Whether [`Stepper::balance`] has the work; otherwise it follows from the motion by quadrature.
    fn has_balance(&self) -> bool {
        true
    }
    /// Whether the motion inside a step is less exact than at its ends.
    fn is_interpolated(&self) -> bool;
    /// Relative error of the motion over a period, round-off or tolerance (-).
    fn accuracy(&self) -> f64;
    /// Relative error of [`Propagator::carry`] over a period (-).
    fn slope_rounding(&self) -> f64;
}

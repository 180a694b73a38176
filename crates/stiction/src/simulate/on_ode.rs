//! The adaptive integrator on a system with friction.

use super::{Balance, Ranges, Stepper, Told};
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
    fn longest_step(&self) -> f64 {
        self.longest_step()
    }
    fn stiffness(&mut self, t: f64, y: &[f64]) -> f64 {
        self.fastest_rate(t, y)
    }
}

/// Steps of free length under way.
pub(super) struct OnOde {
    stepper: AdaptiveStepper,
    y: Vec<f64>,
}

impl OnOde {
    pub fn start(dynamics: &mut Dynamics, settings: &Adaptive) -> Result<Self, Error> {
        let y = dynamics.initial_state();
        let mut stepper = AdaptiveStepper::new(settings, dynamics);
        stepper.start(dynamics, 0.0, &y)?;
        Ok(Self { stepper, y })
    }
}

impl Stepper for OnOde {
    fn step(&mut self, dynamics: &mut Dynamics, t_stop: f64) -> Result<(), Error> {
        self.stepper.step(dynamics, t_stop)
    }
    fn t(&self) -> f64 {
        self.stepper.t()
    }
    fn t_old(&self) -> f64 {
        self.stepper.t_old()
    }
    fn motion(&mut self, dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        if t == self.stepper.t() {
            dynamics.motion(t, self.stepper.y(), out);
        } else {
            self.stepper.dense(dynamics, t, &mut self.y);
            dynamics.motion(t, &self.y, out);
        }
    }
    fn tell(&mut self, dynamics: &mut Dynamics, span: [f64; 2], ranges: Option<&mut Ranges>) -> Told {
        if let Some(ranges) = ranges {
            ranges.add_between(span, |t, motion| self.motion(dynamics, t, motion));
        }
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

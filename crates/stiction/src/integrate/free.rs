//! The adaptive integrator on a system with friction.

use super::{Adaptive, AdaptiveStepper, Balance, Ode, Stepper, Work};
use crate::Error;
use crate::system::{Dynamics, Motion, N_PASSIVE};

impl Ode for Dynamics {
    fn n(&self) -> usize {
        self.n_state()
    }
    fn n_passive(&self) -> usize {
        N_PASSIVE
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
pub(super) struct Free {
    stepper: AdaptiveStepper,
    y: Vec<f64>,
}

impl Free {
    pub fn start(dynamics: &mut Dynamics, settings: &Adaptive) -> Result<Self, Error> {
        let y = dynamics.initial_state();
        let mut stepper = AdaptiveStepper::new(settings, dynamics);
        stepper.start(dynamics, 0.0, &y)?;
        Ok(Self { stepper, y })
    }
}

impl Stepper for Free {
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
    fn energy(&mut self, dynamics: &mut Dynamics) -> f64 {
        dynamics.energy(self.stepper.y())
    }
    fn balance(&self) -> Balance {
        Balance::from_state(self.stepper.y())
    }
    fn work(&self) -> Work {
        self.stepper.work()
    }
    fn has_long_steps(&self) -> bool {
        true
    }
}

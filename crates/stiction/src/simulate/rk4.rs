//! The classical Runge–Kutta method of order 4 with a fixed step (@kutta1901).
//!
//! ```text
//!   k₁ = f(t, y),  k₂ = f(t + h/2, y + h k₁/2),  k₃ = f(t + h/2, y + h k₂/2),  k₄ = f(t + h, y + h k₃)
//!   y₊ = y + h (k₁ + 2k₂ + 2k₃ + k₄)/6
//! ```
//!
//! Order 4 as long as no kink of a law lies inside a step; a kink costs two orders at that step.

use super::Stepper;
use super::fixed::{StepGrid, hermite, turns};
use crate::Error;
use crate::law::{Graph, Law};
use crate::ode::Work;
use crate::record::{Balance, Ranges};
use crate::system::{Contact, Dynamics, Motion, N_PASSIVE};

/// RK4 under way.
#[derive(Clone, Debug)]
pub struct Rk4 {
    dynamics: Dynamics,
    grid: StepGrid,
    y: Vec<f64>,
    dy: Vec<f64>,
    y_old: Vec<f64>,
    dy_old: Vec<f64>,
    stage: Vec<f64>,
    slope: Vec<f64>,
    sum: Vec<f64>,
    work: Work,
    /// Whether a law jumps: then a cubic does not describe the inside of a step.
    has_jumps: bool,
}

impl Rk4 {
    /// Starts at t = 0; the last step ends at `t_end`.
    pub fn start(mut dynamics: Dynamics, step: f64, t_end: f64) -> Result<Self, Error> {
        let jumps = |contact: &Contact| contact.friction.law.graph() != Graph::Continuous;
        let y = dynamics.initial_state();
        let zero = vec![0.0; y.len()];
        let mut dy = zero.clone();
        dynamics.derivative(0.0, &y, &mut dy);
        Ok(Self {
            grid: StepGrid::new(step, t_end)?,
            y_old: y.clone(),
            dy_old: dy.clone(),
            y,
            dy,
            stage: zero.clone(),
            slope: zero.clone(),
            sum: zero,
            work: Work { evaluations: 1, ..Work::default() },
            has_jumps: dynamics.system().contacts.iter().any(jumps),
            dynamics,
        })
    }
}

impl Stepper for Rk4 {
    fn dynamics(&mut self) -> &mut Dynamics {
        &mut self.dynamics
    }

    fn step(&mut self, _t_stop: f64) -> Result<(), Error> {
        let (t, h) = (self.grid.t(), self.grid.step);
        std::mem::swap(&mut self.y, &mut self.y_old);
        std::mem::swap(&mut self.dy, &mut self.dy_old);
        self.sum.copy_from_slice(&self.dy_old);
        self.slope.copy_from_slice(&self.dy_old);
        for (c, weight) in [(0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            for i in 0..self.stage.len() {
                self.stage[i] = self.y_old[i] + c * h * self.slope[i];
            }
            self.dynamics.derivative(t + c * h, &self.stage, &mut self.slope);
            for (sum, slope) in self.sum.iter_mut().zip(&self.slope) {
                *sum += weight * slope;
            }
        }
        for i in 0..self.y.len() {
            self.y[i] = self.y_old[i] + h / 6.0 * self.sum[i];
        }
        self.grid.k += 1;
        let t = self.grid.t();
        self.dynamics.settle(t, &mut self.y);
        self.dynamics.derivative(t, &self.y, &mut self.dy);
        self.work.steps += 1;
        self.work.evaluations += 4;
        if self.y.iter().all(|y| y.is_finite()) { Ok(()) } else { Err(Error::diverged(t, &[])) }
    }

    fn t(&self) -> f64 {
        self.grid.t()
    }

    fn t_old(&self) -> f64 {
        self.grid.t_old()
    }

    fn motion(&mut self, t: f64, out: &mut Motion) {
        if t == self.t() {
            self.dynamics.motion(t, &self.y, out);
            return;
        }
        let h = self.grid.step;
        let theta = (t - self.t_old()) / h;
        for i in 0..self.stage.len() {
            self.stage[i] = hermite(theta, h, self.y_old[i], self.dy_old[i], self.y[i], self.dy[i]);
        }
        self.dynamics.motion(t, &self.stage, out);
    }

    fn accumulate(&mut self, span: [f64; 2], ranges: Option<&mut Ranges>) -> Result<(), Error> {
        let Some(ranges) = ranges.filter(|_| !self.has_jumps) else { return Ok(()) };
        // positions and velocities, which the steps carry as cubics
        let (t0, h, n) = (self.t_old(), self.grid.step, self.dynamics.system().n());
        for i in 0..2 * n {
            let turns = turns(h, self.y_old[i], self.dy_old[i], self.y[i], self.dy[i]);
            for t in turns.into_iter().flatten().map(|theta| t0 + theta * h) {
                if t > span[0] && t < span[1] {
                    ranges.add_at(t, |t, motion| self.motion(t, motion));
                }
            }
        }
        Ok(())
    }

    fn balance(&mut self, t: f64) -> Balance {
        let (h, last) = (self.grid.step, self.y.len() - N_PASSIVE);
        let theta = if t >= self.t() { 1.0 } else { (t - self.t_old()) / h };
        for i in last..self.y.len() {
            self.stage[i] = hermite(theta, h, self.y_old[i], self.dy_old[i], self.y[i], self.dy[i]);
        }
        Balance::from_state(&self.stage)
    }

    fn work(&self) -> Work {
        self.work
    }
}

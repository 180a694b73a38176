//! The classical Runge–Kutta method of order 4 with a fixed step (@kutta1901).
//!
//! ```text
//!   k₁ = f(t, y),  k₂ = f(t + h/2, y + h k₁/2),  k₃ = f(t + h/2, y + h k₂/2),  k₄ = f(t + h, y + h k₃)
//!   y₊ = y + h (k₁ + 2k₂ + 2k₃ + k₄)/6
//! ```
//!
//! Order 4 as long as no kink of a law lies inside a step; a kink costs two orders at that step.

use super::fixed::{Grid, hermite};
use super::{Balance, Stepper, Work};
use crate::Error;
use crate::system::{Dynamics, Motion};

/// RK4 under way.
#[derive(Clone, Debug)]
pub struct Rk4 {
    grid: Grid,
    y: Vec<f64>,
    dy: Vec<f64>,
    y_old: Vec<f64>,
    dy_old: Vec<f64>,
    stage: Vec<f64>,
    slope: Vec<f64>,
    sum: Vec<f64>,
    work: Work,
}

impl Rk4 {
    /// Starts at t = 0; the last step ends at `t_end`.
    pub fn start(dynamics: &mut Dynamics, step: f64, t_end: f64) -> Result<Self, Error> {
        let y = dynamics.initial_state();
        let zero = vec![0.0; y.len()];
        let mut dy = zero.clone();
        dynamics.derivative(0.0, &y, &mut dy);
        Ok(Self {
            grid: Grid::new(step, t_end)?,
            y_old: y.clone(),
            dy_old: dy.clone(),
            y,
            dy,
            stage: zero.clone(),
            slope: zero.clone(),
            sum: zero,
            work: Work { evaluations: 1, ..Work::default() },
        })
    }
}

impl Stepper for Rk4 {
    fn step(&mut self, dynamics: &mut Dynamics, _t_stop: f64) -> Result<(), Error> {
        let (t, h) = (self.grid.t(), self.grid.step);
        std::mem::swap(&mut self.y, &mut self.y_old);
        std::mem::swap(&mut self.dy, &mut self.dy_old);
        self.sum.copy_from_slice(&self.dy_old);
        self.slope.copy_from_slice(&self.dy_old);
        for (c, weight) in [(0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            for i in 0..self.stage.len() {
                self.stage[i] = self.y_old[i] + c * h * self.slope[i];
            }
            dynamics.derivative(t + c * h, &self.stage, &mut self.slope);
            for (sum, slope) in self.sum.iter_mut().zip(&self.slope) {
                *sum += weight * slope;
            }
        }
        for i in 0..self.y.len() {
            self.y[i] = self.y_old[i] + h / 6.0 * self.sum[i];
        }
        self.grid.k += 1;
        let t = self.grid.t();
        dynamics.settle(t, &mut self.y);
        dynamics.derivative(t, &self.y, &mut self.dy);
        self.work.steps += 1;
        self.work.evaluations += 4;
        if self.y.iter().all(|y| y.is_finite()) { Ok(()) } else { Err(Error::Diverged { t }) }
    }

    fn t(&self) -> f64 {
        self.grid.t()
    }

    fn t_old(&self) -> f64 {
        self.grid.t_old()
    }

    fn motion(&mut self, dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        if t == self.t() {
            dynamics.motion(t, &self.y, out);
            return;
        }
        let h = self.grid.step;
        let theta = (t - self.t_old()) / h;
        for i in 0..self.stage.len() {
            self.stage[i] = hermite(theta, h, self.y_old[i], self.dy_old[i], self.y[i], self.dy[i]);
        }
        dynamics.motion(t, &self.stage, out);
    }

    fn energy(&mut self, dynamics: &mut Dynamics) -> f64 {
        dynamics.energy(&self.y)
    }

    fn balance(&self) -> Balance {
        Balance::from_state(&self.y)
    }

    fn work(&self) -> Work {
        self.work
    }
}

impl Balance {
    /// The work integrals at the end of a state.
    pub(crate) fn from_state(y: &[f64]) -> Self {
        let passive = &y[y.len() - 3..];
        Self { work_in: passive[0], viscous_loss: passive[1], friction_loss: passive[2] }
    }
}

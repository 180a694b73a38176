//! The incremental scheme of @ragulskis2017.
//!
//! Friction is carried along and changed by its slope, so that each step is linear:
//!
//! ```text
//!   H₊ = H + C(v) (v₊ − v),   C = dH/dv at the start of the step
//!   m a₊ + (c + C) v₊ + k u₊ = f(t₊) − H + C v
//!   u₊ = u + h v + h²/4 (a + a₊),   v₊ = v + h/2 (a + a₊)          (Newmark, β = 1/4, γ = 1/2)
//! ```
//!
//! The slope of the start of the step carries `H` over the whole of it, so that the scheme is of first order;
//! of second only where the slope is constant. `H` is a state of its own and drifts off the law; the driver
//! reports by how much. Work is summed by the trapezoidal rule, with which the scheme conserves energy exactly: the
//! residual of the energy balance shows rounding only, and the error of the scheme is in the drift.

use crate::Error;
use crate::law::Slip;
use crate::math::dense::{Matrix, dot};
use crate::math::lu::eliminate;
use crate::ode::Work;
use crate::record::{Balance, Ranges};
use crate::simulate::Stepper;
use crate::simulate::fixed::{StepGrid, hermite, turns};
use crate::system::{Dynamics, Motion};

/// The scheme under way.
#[derive(Clone, Debug)]
pub struct Incremental {
    dynamics: Dynamics,
    grid: StepGrid,
    now: Motion,
    old: Motion,
    /// (M + h/2 C + h²/4 K)⁻¹, the step's matrix without friction.
    inverse: Matrix,
    /// Its product with the directions of the contacts, one row for each.
    response: Vec<Vec<f64>>,
    balance: Balance,
    balance_old: Balance,
    work: Work,
    load: Vec<f64>,
    load_old: Vec<f64>,
    predicted: Vec<f64>,
    rhs: Vec<f64>,
    small: Vec<f64>,
    small_rhs: Vec<f64>,
}

impl Incremental {
    /// Starts at t = 0; the last step ends at `t_end`.
    pub fn start(mut dynamics: Dynamics, step: f64, t_end: f64) -> Result<Self, Error> {
        let grid = StepGrid::new(step, t_end)?;
        let (n, m) = (dynamics.system().n(), dynamics.system().contacts.len());
        let mut now = Motion::zero(n, m);
        let y = dynamics.initial_state();
        dynamics.motion(0.0, &y, &mut now);

        let (h, system) = (grid.step, dynamics.system());
        let mut matrix = system.mass.clone();
        for i in 0..n * n {
            matrix.data[i] += 0.5 * h * system.damping.data[i] + 0.25 * h * h * system.stiffness.data[i];
        }
        let mut inverse = Matrix::zeros(n, n);
        for j in 0..n {
            let mut column = vec![0.0; n];
            column[j] = 1.0;
            if !eliminate(&mut matrix.data.clone(), n, &mut column) {
                return Err(Error::diverged(0.0, &[]));
            }
            (0..n).for_each(|i| *inverse.at_mut(i, j) = column[i]);
        }
        let response = system.contacts.iter().map(|contact| {
            let mut x = vec![0.0; n];
            inverse.add_product(1.0, &contact.direction, &mut x);
            x
        });
        let response: Vec<_> = response.collect();
        let mut load = vec![0.0; n];
        dynamics.external(0.0, &mut load);
        Ok(Self {
            grid,
            old: now.clone(),
            now,
            inverse,
            response,
            balance: Balance::default(),
            balance_old: Balance::default(),
            work: Work::default(),
            load_old: load.clone(),
            load,
            predicted: vec![0.0; n],
            rhs: vec![0.0; n],
            small: vec![0.0; m * m],
            small_rhs: vec![0.0; m],
            dynamics,
        })
    }

    /// The new accelerations, from the loads, the predicted motion and the slopes.
    fn accelerate(&mut self) -> bool {
        let (h, system) = (self.grid.step, self.dynamics.system());
        let (n, m) = (system.n(), system.contacts.len());
        let old = &self.old;
        self.rhs.copy_from_slice(&self.load);
        for i in 0..n {
            self.predicted[i] = old.velocity[i] + 0.5 * h * old.acceleration[i];
        }
        system.damping.add_product(-1.0, &self.predicted, &mut self.rhs);
        for i in 0..n {
            self.predicted[i] = old.position[i] + h * old.velocity[i] + 0.25 * h * h * old.acceleration[i];
        }
        system.stiffness.add_product(-1.0, &self.predicted, &mut self.rhs);
        let mut is_sloped = false;
        for (i, contact) in system.contacts.iter().enumerate() {
            let force = old.friction[i] + 0.5 * h * old.slope[i] * dot(&contact.direction, &old.acceleration);
            is_sloped |= old.slope[i] != 0.0;
            for (rhs, w) in self.rhs.iter_mut().zip(&contact.direction) {
                *rhs -= w * force;
            }
        }
        self.now.acceleration.fill(0.0);
        self.inverse.add_product(1.0, &self.rhs, &mut self.now.acceleration);
        if !is_sloped {
            return true;
        }
        // the slopes change the matrix by h/2 W diag(C) Wᵀ: a correction of the size of the contacts
        for (i, contact) in system.contacts.iter().enumerate() {
            let gain = 0.5 * h * old.slope[i];
            self.small_rhs[i] = gain * dot(&contact.direction, &self.now.acceleration);
            for j in 0..m {
                let unit = if i == j { 1.0 } else { 0.0 };
                self.small[i * m + j] = unit + gain * dot(&contact.direction, &self.response[j]);
            }
        }
        self.work.factorisations += 1;
        if !eliminate(&mut self.small, m, &mut self.small_rhs) {
            return false;
        }
        for (response, x) in self.response.iter().zip(&self.small_rhs) {
            for (a, r) in self.now.acceleration.iter_mut().zip(response) {
                *a -= r * x;
            }
        }
        true
    }
}

impl Stepper for Incremental {
    fn dynamics(&mut self) -> &mut Dynamics {
        &mut self.dynamics
    }

    #[inline]
    fn step(&mut self, _t_stop: f64) -> Result<(), Error> {
        let h = self.grid.step;
        self.grid.k += 1;
        let t = self.grid.t();
        self.work.steps += 1;
        self.balance_old = self.balance;
        std::mem::swap(&mut self.now, &mut self.old);
        std::mem::swap(&mut self.load, &mut self.load_old);
        self.dynamics.external(t, &mut self.load);
        let n = self.load.len();
        if !self.accelerate() {
            return Err(Error::diverged(t, &[]));
        }

        let (old, now) = (&self.old, &mut self.now);
        now.t = t;
        for i in 0..n {
            let a = old.acceleration[i] + now.acceleration[i];
            now.position[i] = old.position[i] + h * old.velocity[i] + 0.25 * h * h * a;
            now.velocity[i] = old.velocity[i] + 0.5 * h * a;
        }
        for (i, contact) in self.dynamics.system().contacts.iter().enumerate() {
            let sliding = self.dynamics.sliding(i, &now.velocity);
            now.sliding[i] = sliding;
            now.friction[i] = old.friction[i] + old.slope[i] * (sliding - old.sliding[i]);
            now.slope[i] = contact.load * contact.friction.slope(Slip::at(sliding));
            // work by the trapezoidal rule
            let force = 0.5 * (old.friction[i] + now.friction[i]);
            self.balance.friction_loss += force * 0.5 * h * (old.sliding[i] + sliding);
            self.balance.work_in -= force * h * contact.belt;
        }
        let damping = &self.dynamics.system().damping;
        for i in 0..n {
            let mean = 0.5 * h * (old.velocity[i] + now.velocity[i]);
            let drag = dot(damping.row(i), &old.velocity) + dot(damping.row(i), &now.velocity);
            self.balance.work_in += mean * 0.5 * (self.load_old[i] + self.load[i]);
            self.balance.viscous_loss += mean * 0.5 * drag;
        }
        if now.acceleration.iter().all(|a| a.is_finite()) { Ok(()) } else { Err(Error::diverged(t, &[])) }
    }

    fn advance(&mut self, t_stop: f64, max_steps: u64) -> Result<u64, Error> {
        let before = self.grid.k;
        let last = self.grid.last_before(t_stop).min(before + max_steps);
        while self.grid.k < last {
            self.step(t_stop)?;
        }
        Ok(self.grid.k - before)
    }

    fn t(&self) -> f64 {
        self.grid.t()
    }

    fn t_old(&self) -> f64 {
        self.grid.t_old()
    }

    fn motion(&mut self, t: f64, out: &mut Motion) {
        if t == self.t() {
            out.copy_from(&self.now);
            return;
        }
        let (old, now, h) = (&self.old, &self.now, self.grid.step);
        let theta = (t - self.t_old()) / h;
        out.t = t;
        for i in 0..out.position.len() {
            let (v0, v1, a0, a1) =
                (old.velocity[i], now.velocity[i], old.acceleration[i], now.acceleration[i]);
            out.position[i] = hermite(theta, h, old.position[i], v0, now.position[i], v1);
            out.velocity[i] = hermite(theta, h, v0, a0, v1, a1);
            out.acceleration[i] = a0 + theta * (a1 - a0);
        }
        for i in 0..out.friction.len() {
            out.sliding[i] = self.dynamics.sliding(i, &out.velocity);
            out.friction[i] = old.friction[i] + theta * (now.friction[i] - old.friction[i]);
            out.slope[i] = old.slope[i] + theta * (now.slope[i] - old.slope[i]);
        }
    }

    fn accumulate(&mut self, span: [f64; 2], ranges: Option<&mut Ranges>) -> Result<(), Error> {
        let Some(ranges) = ranges else { return Ok(()) };
        // accelerations, forces and slopes are straight between the points
        let (t0, h, n) = (self.t_old(), self.grid.step, self.dynamics.system().n());
        for i in 0..n {
            let (old, now) = (&self.old, &self.now);
            let (v0, v1) = (old.velocity[i], now.velocity[i]);
            let position = turns(h, old.position[i], v0, now.position[i], v1);
            let turns = [position, turns(h, v0, old.acceleration[i], v1, now.acceleration[i])];
            for t in turns.into_iter().flatten().flatten().map(|theta| t0 + theta * h) {
                if t > span[0] && t < span[1] {
                    ranges.add_at(t, |t, motion| self.motion(t, motion));
                }
            }
        }
        Ok(())
    }

    /// Inside a step the work grows evenly.
    fn balance(&mut self, t: f64) -> Balance {
        let theta = if t >= self.t() { 1.0 } else { (t - self.t_old()) / self.grid.step };
        let (old, now) = (self.balance_old, self.balance);
        let line = |a: f64, b: f64| if theta == 1.0 { b } else { a + theta * (b - a) };
        Balance {
            work_in: line(old.work_in, now.work_in),
            viscous_loss: line(old.viscous_loss, now.viscous_loss),
            friction_loss: line(old.friction_loss, now.friction_loss),
            impact_loss: line(old.impact_loss, now.impact_loss),
        }
    }

    fn work(&self) -> Work {
        self.work
    }

    fn carries_friction(&self) -> bool {
        true
    }
}

//! The last step of the adaptive integrator: its ends, and its dense output.

use super::adaptive::AdaptiveStepper;
use super::problem::{Ode, Work};
use super::stiffness_switch::Kernel;

impl AdaptiveStepper {
    /// Time reached (s).
    pub fn t(&self) -> f64 {
        self.end.t
    }

    /// Start of the last step (s).
    pub fn t_old(&self) -> f64 {
        self.start.t
    }

    /// State reached.
    pub fn y(&self) -> &[f64] {
        &self.end.y
    }

    /// State at the start of the last step.
    pub fn y_old(&self) -> &[f64] {
        &self.start.y
    }

    /// Derivative at the state reached.
    pub(crate) fn f(&self) -> &[f64] {
        &self.end.f
    }

    /// Derivative at the start of the last step.
    pub(crate) fn f_old(&self) -> &[f64] {
        &self.start.f
    }

    /// Whether the last step was an implicit one.
    pub(crate) fn was_implicit(&self) -> bool {
        self.methods.last == Kernel::Implicit
    }

    /// Whether the last step was explicit.
    pub(crate) fn was_explicit(&self) -> bool {
        self.methods.last == Kernel::Explicit
    }

    /// The guards whose zero the last step ended on.
    pub fn landed_on(&self) -> &[usize] {
        self.guards.landed()
    }

    /// What the integration has cost since `start`.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Writes the first components of the state at a time inside the last step, as many as there is room for;
    /// order 7 after an explicit, 3 after an implicit step.
    pub fn dense(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, out: &mut [f64]) {
        let n = out.len();
        if t >= self.end.t || self.h_path == 0.0 {
            out.copy_from_slice(&self.end.y[..n]);
        } else if t <= self.start.t {
            out.copy_from_slice(&self.start.y[..n]);
        } else {
            let theta = (t - self.start.t) / self.h_path;
            match self.methods.last {
                Kernel::Explicit => {
                    self.prepare_last(ode);
                    self.methods.explicit.interpolate(&self.start.y, theta, out);
                }
                Kernel::Implicit => self.methods.implicit.interpolate(&self.start.y, theta, out),
            }
        }
    }

    /// Writes the rates of the components from `first` on at a time inside the last step by its polynomial,
    /// and returns its length; none unless the step was an implicit one.
    pub(crate) fn implicit_rates(&self, t: f64, first: usize, out: &mut [f64]) -> Option<f64> {
        if !self.was_implicit() || self.h_path == 0.0 {
            return None;
        }
        self.methods.implicit.rates((t - self.start.t) / self.h_path, first, out);
        Some(self.h_path)
    }

    /// The first components along the last step as polynomials in the part of it, the constants first, power
    /// by power; none unless the step was an explicit one.
    pub(crate) fn path<const M: usize>(&mut self, ode: &mut (impl Ode + ?Sized)) -> Option<[[f64; M]; 8]> {
        if !self.was_explicit() || self.h_path == 0.0 {
            return None;
        }
        self.prepare_last(ode);
        let mut path = [[0.0; M]; 8];
        for i in 0..M {
            for (row, c) in path.iter_mut().zip(self.methods.explicit.polynomial(i)) {
                row[i] = c;
            }
            path[0][i] = self.start.y[i];
        }
        Some(path)
    }

    /// Makes the polynomial of the last step, an explicit one.
    fn prepare_last(&mut self, ode: &mut (impl Ode + ?Sized)) {
        let start = (self.start.t, &self.start.y[..]);
        self.methods.explicit.prepare(ode, start, &self.end.y, &self.end.f, &mut self.work);
    }
}

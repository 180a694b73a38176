//! The explicit and the implicit method behind one interface, and the choice between them.

use super::dense_output::{DenseOutput, StepStart};
use super::dop853::Dop853;
use super::problem::{Ode, Work};
use super::radau5::Radau5;
use super::settings::{Method, Tolerance};
use super::stiffness_switch::{Kernel, StiffnessSwitch};

/// A time, the state there, and its derivative.
pub(crate) struct SolutionPoint {
    pub t: f64,
    pub y: Vec<f64>,
    pub f: Vec<f64>,
}

impl SolutionPoint {
    pub fn new(n: usize) -> Self {
        Self { t: 0.0, y: vec![0.0; n], f: vec![0.0; n] }
    }
}

/// Both methods, and the one in use.
pub(crate) struct StepMethods {
    pub explicit: Dop853,
    pub implicit: Radau5,
    pub choice: StiffnessSwitch,
    /// Method of the last step.
    pub last: Kernel,
}

impl StepMethods {
    pub fn new(method: Method, n: usize, n_active: usize, tolerance: &Tolerance) -> Self {
        let choice = StiffnessSwitch::new(method);
        Self {
            explicit: Dop853::new(n, n_active),
            implicit: Radau5::new(n, n_active, tolerance),
            last: choice.kernel(),
            choice,
        }
    }

    /// Starts from scratch.
    pub fn restart(&mut self, method: Method) {
        self.choice = StiffnessSwitch::new(method);
        self.last = self.choice.kernel();
        self.implicit.restart();
    }

    /// Tries a step; writes its end into `y_new`. Returns its error, not finite if there is no result.
    pub fn attempt(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        start: StepStart,
        y_new: &mut [f64],
        tolerance: &Tolerance,
        work: &mut Work,
    ) -> f64 {
        let error = match self.choice.kernel() {
            Kernel::Explicit => {
                self.explicit.attempt(ode, start, y_new, work);
                self.explicit.error(start.y, y_new, tolerance)
            }
            Kernel::Implicit => self.implicit.attempt(ode, start, y_new, work),
        };
        if error.is_finite() && is_finite(y_new) { error } else { f64::INFINITY }
    }

    /// By how much to shorten a step with this error.
    pub fn shrink(&self, h: f64, error: f64) -> f64 {
        if !error.is_finite() {
            return 0.3;
        }
        let factor = match self.choice.kernel() {
            Kernel::Explicit => Dop853::factor(error),
            Kernel::Implicit => self.implicit.factor_of_step(h, error),
        };
        factor.min(0.9)
    }

    /// Takes the attempt of length `h` as the step; returns by how much the next one should be longer.
    pub fn accept(&mut self, h: f64, error: f64, work: &mut Work) -> f64 {
        self.last = self.choice.kernel();
        match self.last {
            Kernel::Explicit => Dop853::factor(error),
            Kernel::Implicit => {
                work.implicit_steps += 1;
                self.implicit.accept(h, error)
            }
        }
    }

    /// Makes the dense output of the attempt of length `h` between two points, and gives it.
    pub fn dense_output<'a>(
        &'a mut self,
        ode: &mut (impl Ode + ?Sized),
        start: &'a SolutionPoint,
        end: &SolutionPoint,
        h: f64,
        work: &mut Work,
    ) -> DenseOutput<'a> {
        match self.choice.kernel() {
            Kernel::Explicit => self.explicit.prepare(ode, (start.t, &start.y), &end.y, &end.f, work),
            Kernel::Implicit => self.implicit.prepare(h),
        }
        self.made_output(start)
    }

    /// The dense output that has been made for the attempt from `start`.
    pub fn made_output<'a>(&'a self, start: &'a SolutionPoint) -> DenseOutput<'a> {
        match self.choice.kernel() {
            Kernel::Explicit => DenseOutput::Explicit { kernel: &self.explicit, y: &start.y },
            Kernel::Implicit => DenseOutput::Implicit { kernel: &self.implicit, y: &start.y },
        }
    }
}

pub(crate) fn is_finite(x: &[f64]) -> bool {
    x.iter().all(|x| x.is_finite())
}

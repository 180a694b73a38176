//! How long a run may take, in steps, and how long it would.

use super::{Integrator, MAX_STEPS, Plan};
use crate::Error;
use crate::ode::Work;

/// Events of the exact method for one degree of freedom that take a minute or so.
const EXACT_STEPS: f64 = 5e7;
/// From this part of the allowed steps on it is asked how many the run will need.
const SOON: f64 = 1.0 / 512.0;
/// A run that would need so many times the allowed steps is given up before they are used up: the pace may
/// change, but hardly by so much.
const HOPELESS: f64 = 16.0;

/// The steps of a run.
pub(super) struct StepBudget {
    limit: f64,
    t_end: f64,
    /// Steps and time at the last look at the pace.
    looked: (f64, f64),
}

impl StepBudget {
    /// The budget of a run on a system of `size` degrees of freedom and contacts together; an error if the
    /// steps are known before, and are too many.
    pub fn new(integrator: &Integrator, plan: &Plan, size: usize) -> Result<Self, Error> {
        // a step costs as the square of the size; between events of many bodies not quite as much
        let part = (2.0 / size.max(1) as f64).min(1.0);
        let share = part * part;
        let limit = match integrator {
            Integrator::Adaptive(settings) => settings.max_steps as f64,
            Integrator::Exact => part * part.sqrt() * EXACT_STEPS,
            _ => share * MAX_STEPS,
        };
        let limit = plan.max_steps.map_or(limit, |steps| steps as f64);
        if let Some(step) = integrator.step()
            && !(plan.t_end / step <= limit)
        {
            return Err(Error::TooLong { t: 0.0, steps: 0, estimate: plan.t_end / step, limit });
        }
        Ok(Self { limit, t_end: plan.t_end, looked: (0.0, 0.0) })
    }

    /// Ends a run that has used up its steps, or that would need many times as many.
    pub fn check(&mut self, work: Work, t: f64) -> Result<(), Error> {
        let steps = (work.steps + work.rejected + work.repeated) as f64;
        let since = steps - self.looked.0;
        if steps < self.limit && since < (SOON * self.limit).max(self.looked.0) || t >= self.t_end {
            return Ok(());
        }
        let estimate = steps + since * (self.t_end - t) / (t - self.looked.1);
        if steps >= self.limit || estimate > HOPELESS * self.limit {
            return Err(Error::TooLong { t, steps: steps as u64, estimate, limit: self.limit });
        }
        self.looked = (steps, t);
        Ok(())
    }

    /// The error of a method that has counted its own steps, with an estimate of the whole run.
    pub fn explain(&self, error: Error) -> Error {
        match error {
            Error::TooManySteps { t, limit } => Error::TooLong {
                t,
                steps: limit,
                estimate: limit as f64 * self.t_end / t,
                limit: limit as f64,
            },
            other => other,
        }
    }
}

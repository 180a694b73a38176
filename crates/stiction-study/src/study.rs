//! A scenario that has passed every check, and its run.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::outcome::Outcome;
use crate::periodic::Periodic;
use crate::read;
use crate::resolve::Resolve;
use crate::scenario::{Scenario, schema};
use stiction::Error;
use stiction::body::Body;
use stiction::integrate::{Adaptive, Integrator, Plan, drive};
use stiction::system::System;

/// A scenario that has passed every check, in the core's types.
#[derive(Clone, Debug)]
pub struct Study {
    /// The scenario, with all defaults filled in.
    pub scenario: Scenario,
    /// What to compute.
    pub task: Task,
}

/// What to compute.
#[derive(Clone, Debug)]
pub enum Task {
    /// The motion of a system on lines.
    Motion(Motion),
    /// The motion of a body on the plane.
    Slide(Slide),
    /// Periodic motions.
    Periodic(Box<Periodic>),
}

/// The motion of a system on lines.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The system.
    pub system: System,
    /// The method.
    pub integrator: Integrator,
    /// What to integrate, and what to keep.
    pub plan: Plan,
}

/// The motion of a body on the plane.
#[derive(Clone, Debug)]
pub struct Slide {
    /// The body.
    pub body: Body,
    /// Tolerances.
    pub settings: Adaptive,
    /// End of the run; the first stop if absent (s).
    pub t_end: Option<f64>,
    /// Part of the run that is sampled; all if absent (s).
    pub window: Option<[f64; 2]>,
    /// Times of the samples; a grid if absent (s).
    pub times: Option<Vec<f64>>,
    /// Number of samples in the grid.
    pub samples: usize,
}

impl Study {
    /// Reads a scenario; `name` is the file's, for messages, and `sets` are overrides `key=value`.
    pub fn read(name: &str, text: &str, sets: &[String]) -> Result<Self, Vec<Diagnostic>> {
        Self::from_document(read::parsed(name, text, sets, schema())?)
    }

    /// Checks a scenario. All errors are found in one go.
    pub fn from_document(document: Document) -> Result<Self, Vec<Diagnostic>> {
        read::checked(document, schema(), |document, scenario| Resolve::new(document).study(scenario))
    }

    /// Runs the study. `progress` is told the fraction done now and then, and may stop the run by `false`.
    pub fn run(&self, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
        let title = &self.scenario.title;
        match &self.task {
            Task::Motion(Motion { system, integrator, plan }) => {
                let record = drive(system, integrator, plan, &mut |t| progress(t / plan.t_end))?;
                let (n, m) = (system.n(), system.elements.len());
                Ok(Outcome::from_record(title, system.period(), n, m, record))
            }
            Task::Slide(slide) => slide.run(title, progress),
            Task::Periodic(periodic) => periodic.run(title, progress),
        }
    }
}

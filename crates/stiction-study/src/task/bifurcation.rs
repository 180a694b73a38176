//! The state once per period of the load, after a transient, along a parameter.

use super::periodic::{ParameterRange, Searched, Varied, default_points, missing_values};
use super::{Shown, Task};
use crate::budget::Excess;
use crate::facts::{ColumnKind, FactKind};
use crate::finished::Finished;
use crate::outcome::{Column, Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::simulate::MAX_STEPS;
use stiction::steady::{Bifurcation, bifurcation_onto};
use stiction::system::System;
use stiction::{Error, Progress};

/// Steps that a period takes at least: stick, slip, and back.
const STEPS_PER_PERIOD: f64 = 4.0;

/// The state once per period of the load, after a transient, along a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BifurcationSettings {
    /// Key that is varied: its path, or the end of it.
    pub parameter: String,
    /// First value (unit of the parameter).
    pub from: f64,
    /// Last value (unit of the parameter).
    pub to: f64,
    /// Number of values (-).
    #[serde(default = "default_points")]
    pub points: usize,
    /// Periods that are not recorded (-).
    #[serde(default = "default_transient")]
    pub transient: u32,
    /// Periods that are recorded (-).
    #[serde(default = "default_samples")]
    pub samples: u32,
}

fn default_transient() -> u32 {
    200
}

fn default_samples() -> u32 {
    50
}

impl BifurcationSettings {
    /// The task, with whatever is wrong noted.
    pub(super) fn resolve(self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        let searched = Searched::resolve(resolve, scenario, false, None)?;
        let (prefix, parameter) = ("analysis.bifurcation", self.parameter.as_str());
        let range = ParameterRange { prefix, parameter, ends: [self.from, self.to], points: self.points };
        let varied = range.resolve(resolve, &scenario.system, (&searched.system, &searched.drive))?;
        if searched.system.period().is_none() {
            let message = "there is no load that repeats and so sets a period";
            resolve.fault(
                "analysis.bifurcation",
                message,
                Some("give a force with omega, or a table with a period"),
            );
        }
        let n_states = u64::from(self.samples).saturating_mul(self.points as u64);
        if let Err(excess) = resolve.budget.states(n_states, searched.system.n()) {
            let message = format!("{} states at each of {} values {excess}", self.samples, self.points);
            resolve.fault("analysis.bifurcation.samples", message, Some(Excess::HINT));
            return None;
        }
        let n_periods =
            (u64::from(self.transient) + u64::from(self.samples)).saturating_mul(self.points as u64);
        let wanted = STEPS_PER_PERIOD * n_periods as f64;
        if wanted > MAX_STEPS {
            let error = Error::TooLong { t: 0.0, steps: 0, estimate: wanted, limit: MAX_STEPS };
            resolve.fault("analysis.bifurcation.transient", error.to_string(), error.hint());
            return None;
        }
        if self.samples == 0 {
            resolve.fault("analysis.bifurcation.samples", "0, but there must be at least one", None);
        }
        let values = range.values();
        let Searched { system, steady, .. } = searched;
        let settings = Bifurcation {
            transient: self.transient,
            samples: self.samples,
            engine: steady.engine,
            ..Bifurcation::default()
        };
        Some(Task::Bifurcation(Box::new(BifurcationTask {
            system,
            dof: steady.dof,
            varied,
            values,
            settings,
        })))
    }
}

/// Stroboscopic states along a parameter.
#[derive(Clone, Debug)]
pub struct BifurcationTask {
    /// The system as written.
    pub system: System,
    /// Degree of freedom that is recorded.
    pub dof: usize,
    /// What is varied.
    pub varied: Varied,
    /// Its values.
    pub values: Vec<f64>,
    /// What to record at each.
    pub settings: Bifurcation,
}

impl BifurcationTask {
    /// Runs the motions.
    pub(super) fn run(
        &self,
        title: &str,
        finished: &mut Finished,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let family = |value: f64| self.varied.parameter.at(&self.system, value);
        let sections = &mut finished.sections;
        if !finished.is_all {
            bifurcation_onto(sections, &self.settings, &family, &self.values, progress)?;
        }
        let mut parameter = Vec::new();
        let (mut position, mut velocity) = (Vec::new(), Vec::new());
        for section in sections.iter() {
            // a value without states keeps its row
            let states = section.states.as_deref().unwrap_or_default();
            let row = |list: &mut Vec<f64>, of: &dyn Fn(usize) -> f64| {
                list.extend((0..states.len().max(1)).map(of));
            };
            row(&mut parameter, &|_| section.parameter);
            let dof = self.dof;
            row(&mut position, &|i| states.get(i).map_or(f64::NAN, |state| state.position[dof]));
            row(&mut velocity, &|i| states.get(i).map_or(f64::NAN, |state| state.velocity[dof]));
        }
        let samples = vec![
            self.varied.column(&self.system, parameter),
            Column::new(ColumnKind::Position, position),
            Column::new(ColumnKind::Velocity, velocity),
        ];
        let missing = sections.iter().filter_map(|s| Some((s.parameter, s.states.as_ref().err()?)));
        let missing = missing.collect::<Vec<_>>();
        let mut facts = vec![Fact::count(FactKind::Points, sections.len() - missing.len())];
        if !missing.is_empty() {
            facts.push(Fact::count(FactKind::MissingPoints, missing.len()));
        }
        let mut outcome = Outcome::new(title, facts, samples, Shown::Bifurcation);
        outcome.warnings.extend(missing_values(&missing));
        Ok(outcome)
    }
}

//! Growth rates and frequencies of small motions about steady sliding, along a parameter.

use super::periodic::{ParameterRange, Varied, default_points, missing_values, refuse_prescribed, system_of};
use super::{Shown, Task};
use crate::facts::{ColumnKind, FactKind};
use crate::finished::Finished;
use crate::outcome::{Column, Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::stability::{SteadySlidingState, critical, steady_sliding};
use stiction::system::System;
use stiction::{Error, Progress};

/// Growth rates and frequencies of small motions about steady sliding, along a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StabilitySettings {
    /// Key that is varied: its path, or the end of it.
    pub parameter: String,
    /// First value (unit of the parameter).
    pub from: f64,
    /// Last value (unit of the parameter).
    pub to: f64,
    /// Number of values (-).
    #[serde(default = "default_points")]
    pub points: usize,
}

impl StabilitySettings {
    /// The task, with whatever is wrong noted.
    pub(super) fn resolve(self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        let (system, drive) = system_of(resolve, scenario)?;
        refuse_prescribed(resolve, scenario, &drive, "steady sliding is a state that nothing drives");
        if scenario.integrator.is_some() {
            let message = "given beside analysis.stability, which integrates nothing";
            resolve.fault("integrator", message, Some("leave it out"));
        }
        let (prefix, parameter) = ("analysis.stability", self.parameter.as_str());
        let range = ParameterRange { prefix, parameter, ends: [self.from, self.to], points: self.points };
        let varied = range.resolve(resolve, &scenario.system, (&system, &drive))?;
        let values = range.values();
        if let Err(error) = steady_sliding(&varied.parameter.at(&system, self.from)) {
            resolve.fault(scenario.system.key(), error.to_string(), error.hint());
        }
        Some(Task::Stability(Box::new(StabilityTask { system, varied, values })))
    }
}

/// Stability of steady sliding along a parameter.
#[derive(Clone, Debug)]
pub struct StabilityTask {
    /// The system as written.
    pub system: System,
    /// What is varied.
    pub varied: Varied,
    /// Its values.
    pub values: Vec<f64>,
}

impl StabilityTask {
    /// The facts that a sweep keeps, without their numbers; of several critical values the first.
    pub(super) fn reported_facts(&self) -> Vec<Fact> {
        let unit = self.varied.parameter.symbol_and_unit(&self.system).1;
        let kinds = [FactKind::Points, FactKind::MissingPoints, FactKind::UnstablePoints];
        let mut facts: Vec<Fact> = kinds.map(|kind| Fact::new(kind, f64::NAN)).into();
        facts.push(Fact::new(FactKind::CriticalAt, f64::NAN).in_unit(unit));
        facts
    }

    /// Finds the eigenvalues.
    pub(super) fn run(
        &self,
        title: &str,
        finished: &mut Finished,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let family = |value: f64| self.varied.parameter.at(&self.system, value);
        let n = self.values.len() as f64;
        while let Some(value) = self.values.get(finished.sliding.len()).filter(|_| !finished.is_all) {
            progress.report(finished.sliding.len() as f64 / n)?;
            finished.sliding.push(steady_sliding(&family(*value)));
        }
        let mut states = finished.sliding.clone();
        let values = &self.values[..states.len()];
        follow(&mut states);
        let n_modes = states.iter().flatten().map(|state| state.modes.len()).max().unwrap_or(0);
        let of = |k: usize, part: usize| -> Vec<f64> {
            let number = |state: &Result<SteadySlidingState, Error>| {
                state.as_ref().ok().and_then(|state| state.modes.get(k)).map_or(f64::NAN, |mode| mode[part])
            };
            states.iter().map(number).collect()
        };
        let mut samples = vec![self.varied.column(&self.system, values.to_vec())];
        for k in 0..n_modes {
            samples.push(Column::new(ColumnKind::GrowthRate, of(k, 0)).numbered(k, n_modes));
            samples.push(Column::new(ColumnKind::ModeFrequency, of(k, 1)).numbered(k, n_modes));
        }
        let mut changes = Vec::new();
        for (i, pair) in states.windows(2).enumerate() {
            let [Ok(a), Ok(b)] = pair else { continue };
            progress.report(1.0)?;
            let (left, right) = (values[i], values[i + 1]);
            match (a.is_unstable, b.is_unstable) {
                (false, true) => changes.push(critical(&family, left, right)),
                (true, false) => changes.push(critical(&family, right, left)),
                _ => {}
            }
        }
        let missing: Vec<(f64, &Error)> = values
            .iter()
            .zip(&states)
            .filter_map(|(value, state)| Some((*value, state.as_ref().err()?)))
            .collect();
        let unit = samples[0].unit.clone();
        let mut facts = vec![Fact::count(FactKind::Points, states.len() - missing.len())];
        if !missing.is_empty() {
            facts.push(Fact::count(FactKind::MissingPoints, missing.len()));
        }
        facts.push(Fact::count(
            FactKind::UnstablePoints,
            states.iter().flatten().filter(|s| s.is_unstable).count(),
        ));
        for (k, value) in changes.iter().enumerate() {
            facts.push(
                Fact::new(FactKind::CriticalAt, *value).numbered(k, changes.len()).in_unit(unit.clone()),
            );
        }
        let mut outcome = Outcome::new(title, facts, samples, Shown::Stability);
        outcome.warnings.extend(missing_values(&missing));
        Ok(outcome)
    }
}

/// Puts the modes of neighbouring values in the same order: each goes on where it is expected.
fn follow(states: &mut [Result<SteadySlidingState, Error>]) {
    let mut before: Vec<Vec<[f64; 2]>> = Vec::new();
    for state in states.iter_mut() {
        let Ok(state) = state else {
            before.clear();
            continue;
        };
        if let Some(last) = before.last().filter(|last| last.len() == state.modes.len()) {
            // from two values the next follows by a straight line
            let earlier = before.len().checked_sub(2).map_or(last, |k| &before[k]);
            let mut left = std::mem::take(&mut state.modes);
            for (a, b) in last.iter().zip(earlier) {
                let expected = [2.0 * a[0] - b[0], 2.0 * a[1] - b[1]];
                let distance = |mode: &[f64; 2]| (mode[0] - expected[0]).hypot(mode[1] - expected[1]);
                let nearest =
                    (0..left.len()).min_by(|x, y| distance(&left[*x]).total_cmp(&distance(&left[*y])));
                state.modes.extend(nearest.map(|nearest| left.remove(nearest)));
            }
        } else {
            before.clear();
        }
        before.push(state.modes.clone());
        if before.len() > 2 {
            before.remove(0);
        }
    }
}

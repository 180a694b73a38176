//! One point of a sweep: values → system → facts.

use super::{BaseSystem, Sweep};
use crate::bug;
use crate::outcome::{Column, Outcome};
use crate::places::NodePlaces;
use crate::reduction::ReductionNotes;
use crate::resolve::Resolve;
use crate::scenario::{Scenario, schema};
use crate::study::Study;
use crate::task::Task;
use crate::units;
use keyed::{Diagnostic, Value, roots};
use stiction::steady::Trail;
use stiction::system::Parameter;
use stiction::{Error, Progress};

/// One row of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// Its number.
    pub index: u64,
    /// Values of the axes.
    pub values: Vec<f64>,
    /// The facts; none where there is no such fact at this point.
    pub facts: Vec<Option<f64>>,
    /// Why there is no result, or why it is not what was asked for.
    pub error: Option<String>,
    /// What the result says against itself, by the names of the warnings.
    pub warning: Option<String>,
    /// Its samples, if they were asked for.
    pub samples: Vec<Column>,
}

/// Computes rows one after the other.
pub(super) struct Points<'a> {
    sweep: &'a Sweep,
    scenario: Scenario,
    resolve: Resolve<'a>,
    samples: bool,
    /// The motions of the rows before.
    trail: Trail,
}

impl<'a> Points<'a> {
    pub fn new(sweep: &'a Sweep, samples: bool) -> Self {
        let mut resolve = Resolve::within(&sweep.document, sweep.budget);
        if let Some(BaseSystem { owners, reduced, .. }) = &sweep.base {
            (resolve.owners, resolve.reduced) = (owners.clone(), reduced.clone());
        }
        Self { sweep, scenario: sweep.scenario.clone(), resolve, samples, trail: Trail::default() }
    }

    /// Row `i`, after that before it unless it is the first of its block.
    pub fn row(&mut self, i: u64, progress: &mut Progress) -> Result<SweepRow, Error> {
        if self.sweep.is_first(i) {
            self.trail.clear();
        }
        self.row_at(i, self.sweep.values(i), progress)
    }

    /// The row at any values. A point that fails is a row that says why.
    pub fn row_at(
        &mut self,
        index: u64,
        values: Vec<f64>,
        progress: &mut Progress,
    ) -> Result<SweepRow, Error> {
        progress.report(0.0)?;
        let found = bug::guarded(|| self.outcome(index, &values, progress))
            .unwrap_or_else(|bug| Ok(Err(format!("internal error: {bug}"))))?;
        let none = vec![None; self.sweep.facts.len()];
        let mut row =
            SweepRow { index, values, facts: none, error: None, warning: None, samples: Vec::new() };
        match found {
            Ok(outcome) => self.fill(&mut row, outcome),
            Err(reason) => row.error = Some(reason),
        }
        Ok(row)
    }

    fn fill(&self, row: &mut SweepRow, outcome: Outcome) {
        row.facts = self
            .sweep
            .facts
            .iter()
            .map(|fact| {
                let found = outcome.fact_of(fact.kind, fact.index);
                // of several where one is reported, the first
                found.or_else(|| outcome.fact_of(fact.kind, Some(0)).filter(|_| fact.index.is_none()))
            })
            .collect();
        row.error =
            outcome.warnings.iter().find(|warning| warning.is_failure).map(|warning| warning.message.clone());
        let names: Vec<&str> = outcome.warnings.iter().map(|warning| warning.name.as_str()).collect();
        row.warning = (!names.is_empty()).then(|| names.join(", "));
        row.samples = if self.samples { outcome.samples } else { Vec::new() };
    }

    /// What the point comes to, or why it does not; an error only if it was stopped.
    fn outcome(
        &mut self,
        index: u64,
        values: &[f64],
        progress: &mut Progress,
    ) -> Result<Result<Outcome, String>, Error> {
        let (mut task, reduction, places) = match self.task(values) {
            Ok(task) => task,
            Err(reason) => return Ok(Err(reason)),
        };
        match task.point(&self.scenario.title, (&mut self.trail, index), self.samples, progress) {
            Ok(mut outcome) => {
                if let Some(reduction) = &reduction {
                    reduction.expand(&mut outcome);
                }
                places.apply(&mut outcome);
                if self.scenario.system.is_rotation() {
                    units::turn(&mut outcome);
                }
                Ok(Ok(outcome))
            }
            Err(error @ Error::Interrupted { .. }) => Err(error),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    /// The task at the values of the axes; otherwise the first thing that is wrong with it.
    pub fn task(&mut self, values: &[f64]) -> Result<(Task, Option<ReductionNotes>, NodePlaces), String> {
        match &self.sweep.base {
            Some(base) => {
                let task = self.through_lenses(base, values)?;
                Ok((task, self.sweep.reduction.clone(), self.sweep.places.clone()))
            }
            None => self.through_document(values),
        }
    }

    fn through_lenses(&mut self, base: &BaseSystem, values: &[f64]) -> Result<Task, String> {
        let lenses = self.sweep.axes.iter().filter_map(|axis| axis.lens.as_ref());
        let numbers: Vec<(&Parameter, f64)> = lenses.zip(values.iter().copied()).collect();
        let mut system = base.system.clone();
        let drive = Parameter::set_all(&numbers, &mut system).unwrap_or_else(|| base.drive.clone());
        self.resolve.renew(system, drive);
        let task = self.scenario.analysis.clone().resolve(&mut self.resolve, &mut self.scenario);
        match (task, self.resolve.found.first()) {
            (Some(task), None) => Ok(task),
            (_, found) => Err(found.map_or_else(|| "the point cannot be resolved".into(), reason)),
        }
    }

    fn through_document(&self, values: &[f64]) -> Result<(Task, Option<ReductionNotes>, NodePlaces), String> {
        let mut document = self.sweep.document.clone();
        for (axis, value) in self.sweep.axes.iter().zip(values) {
            // a whole number is one wherever it is written
            let is_whole = value.trunc() == *value && value.abs() < 1e15;
            let number = if is_whole { Value::Integer(*value as i64) } else { Value::Float(*value) };
            let key = axis.path.join(".");
            document.assign(&key, number, &key, &roots(schema())).map_err(|(message, _)| message)?;
        }
        match Study::within(document, self.sweep.budget) {
            Ok(study) => Ok((study.task, study.reduction, study.places)),
            Err(found) => Err(found.first().map_or_else(String::new, reason)),
        }
    }
}

/// A diagnostic in one line.
fn reason(diagnostic: &Diagnostic) -> String {
    if diagnostic.key.is_empty() {
        return diagnostic.message.clone();
    }
    format!("{}: {}", diagnostic.key, diagnostic.message)
}

//! A scenario that has passed every check, and its run.

use crate::budget::Budget;
use crate::facts::FactKind;
use crate::finished::Finished;
use crate::matrix_file::anchor_files;
use crate::outcome::{Caution, Fact, Outcome};
use crate::overrides::assign;
use crate::places::NodePlaces;
use crate::reduction::ReductionNotes;
use crate::resolve::Resolve;
use crate::scenario::{Scenario, checks, schema};
use crate::sweep::Sweep;
use crate::task::Task;
use crate::units;
use keyed::Diagnostic;
use keyed::Document;
use stiction::{Error, Progress};

/// A scenario that has passed every check, in the core's types.
#[derive(Clone, Debug)]
pub struct Study {
    /// The scenario, with all defaults filled in.
    pub scenario: Scenario,
    /// What to compute.
    pub task: Task,
    /// How its model was reduced, if it was.
    pub reduction: Option<ReductionNotes>,
    /// Which degrees of freedom are rotations, and the nodes that are reported.
    pub places: NodePlaces,
    /// The points of its sweep, if it has one.
    pub sweep: Option<Sweep>,
}

impl Study {
    /// Reads a scenario; `name` is the file's, for messages, and `sets` are overrides `key=value`.
    pub fn read(name: &str, text: &str, sets: &[String]) -> Result<Self, Vec<Diagnostic>> {
        Self::read_within(name, text, sets, Budget::default())
    }

    /// Reads a scenario whose run must keep within a budget.
    pub fn read_within(
        name: &str,
        text: &str,
        sets: &[String],
        budget: Budget,
    ) -> Result<Self, Vec<Diagnostic>> {
        budget.check_file(name, text)?;
        Self::within(keyed::parsed(name, text, sets, &assign)?, budget)
    }

    /// Checks a scenario. All errors are found in one go.
    pub fn from_document(document: Document) -> Result<Self, Vec<Diagnostic>> {
        Self::within(document, Budget::default())
    }

    /// Checks a scenario whose run must keep within a budget.
    pub fn within(document: Document, budget: Budget) -> Result<Self, Vec<Diagnostic>> {
        keyed::prepared(document, checks(), prepare, |document, scenario| {
            Resolve::within(document, budget).study(scenario)
        })
    }

    /// What to write instead where the run takes too long, if there is something.
    pub fn advice(&self) -> Option<&'static str> {
        let reduced = self.reduction.is_some();
        self.task.advice(reduced)
    }

    /// Runs the study. `progress` receives the fraction done now and then.
    pub fn run(&self, progress: &mut Progress) -> Result<Outcome, Error> {
        self.run_onto(&mut Finished::default(), progress)
    }

    /// The outcome of the points that are finished, marked as incomplete; none if there is nothing to be
    /// shown.
    pub fn unfinished(&self, finished: &Finished) -> Option<Outcome> {
        if finished.is_empty() {
            return None;
        }
        let mut finished = Finished { is_all: true, ..finished.clone() };
        let mut outcome = self.run_onto(&mut finished, &mut Progress::none()).ok()?;
        let caution = Caution {
            name: "incomplete".into(),
            message: match finished.len() {
                0 => "stopped before its end, the rest is missing".into(),
                n => format!("stopped after {n} points, the rest is missing"),
            },
            hint: None,
            is_failure: true,
        };
        outcome.warnings.insert(0, caution);
        outcome.title = format!("{} (incomplete)", outcome.title).trim_start().into();
        Some(outcome)
    }

    /// Runs the study from points that are finished. What is finished when it is stopped is added to them.
    pub fn run_onto(&self, finished: &mut Finished, progress: &mut Progress) -> Result<Outcome, Error> {
        let mut outcome = self.task.run(&self.scenario.title, finished, progress)?;
        if let Some(reduction) = &self.reduction {
            reduction.expand(&mut outcome);
        }
        self.places.apply(&mut outcome);
        outcome.facts.extend(self.discretisation_error());
        if self.scenario.system.is_rotation() {
            units::turn(&mut outcome);
        }
        Ok(outcome)
    }

    /// The error of laws that integrate a density of sliders, if there are any.
    fn discretisation_error(&self) -> Option<Fact> {
        let contacts = self.scenario.system.acting()?.friction.iter();
        let errors = contacts.filter_map(|contact| contact.law_per_newton().discretisation_error());
        errors.reduce(f64::max).map(|error| Fact::new(FactKind::DiscretisationError, error))
    }
}

/// Files are found from the folder of the scenario, and numbers with units become numbers in SI units.
fn prepare(document: &mut Document) -> Vec<Diagnostic> {
    anchor_files(document);
    units::convert(document, schema)
}

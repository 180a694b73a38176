//! From a scenario to the core's types, with everything that is wrong noted at its key.

mod chirp;
mod control;
mod directions;
mod force_elements;
mod matrices;
mod prescribed;
mod reduce;
mod signals;
mod springs;
mod system;

use crate::budget::Budget;
use crate::places::NodePlaces;
use crate::reduction::ReductionNotes;
use crate::scenario::Scenario;
use crate::study::Study;
use crate::sweep::Sweep;
use keyed::{Diagnostic, Document, MAX_SHOWN, Value};
use stiction::Faults;
use stiction::structure::Reduced;
use stiction::system::{Drive, System};

/// Turns a scenario into core types and notes what is wrong with it.
pub(crate) struct Resolve<'a> {
    pub(crate) document: &'a Document,
    pub(crate) budget: Budget,
    /// The first [`MAX_SHOWN`] faults.
    pub(crate) found: Vec<Diagnostic>,
    /// Number of the others.
    n_more: usize,
    /// The tables that contacts and prescribed motions come from.
    pub(crate) owners: Owners,
    /// The reduced model, if the scenario asks for one.
    pub(crate) reduced: Option<Reduced>,
    /// The system and its loads where they are known already, as at a point of a sweep.
    pub(crate) given: Option<(System, Drive)>,
    /// Where the degrees of freedom of a structure with nodes are.
    pub(crate) places: NodePlaces,
}

/// The table of each contact, stop and prescribed motion of a system: one with several nodes makes several of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    pub contacts: Vec<usize>,
    /// Of each stop its key, the rigid ones first.
    pub stops: Vec<String>,
    /// Those that are fixed in space where the base moves.
    pub fixed_stops: Vec<usize>,
    pub motions: Vec<usize>,
}

impl<'a> Resolve<'a> {
    pub fn within(document: &'a Document, budget: Budget) -> Self {
        Self {
            document,
            budget,
            found: Vec::new(),
            n_more: 0,
            owners: Owners::default(),
            reduced: None,
            given: None,
            places: NodePlaces::default(),
        }
    }

    /// Begins again with another system of the same contacts.
    pub(crate) fn renew(&mut self, system: System, drive: Drive) {
        self.found.clear();
        self.n_more = 0;
        self.given = Some((system, drive));
    }

    /// What was found, and how much more.
    fn faults(mut self) -> Vec<Diagnostic> {
        if self.n_more > 0 {
            self.found.push(Diagnostic::more(self.n_more));
        }
        self.found
    }

    pub(crate) fn fault(&mut self, key: &str, message: impl Into<String>, hint: Option<&str>) {
        if self.found.len() == MAX_SHOWN {
            self.n_more += 1;
            return;
        }
        // one fault at a key: the others are its consequences
        if !self.found.iter().any(|found| found.key == key) {
            self.found.push(self.document.diagnose(key, message.into(), hint.map(str::to_owned)));
        }
    }

    /// Takes over what a check of the core found, below `prefix`.
    pub(crate) fn check(&mut self, prefix: &str, check: impl FnOnce(&mut Faults)) -> bool {
        let faults = Faults::of(check);
        self.n_more += faults.len().saturating_sub(MAX_SHOWN);
        for fault in faults.iter().take(MAX_SHOWN) {
            let key = self.owned(&fault.key);
            let key = if key.is_empty() { prefix.to_owned() } else { format!("{prefix}.{key}") };
            let hint = fault.error.hint();
            // a single table stands for a list of one: leave its number out of the path
            let key = if self.is_list(&key) {
                key
            } else {
                key.split('.').filter(|s| s.parse::<usize>().is_err()).collect::<Vec<_>>().join(".")
            };
            self.fault(&key, fault.error.to_string(), hint);
        }
        faults.is_empty()
    }

    /// The number that a degree of freedom has in the system that is computed.
    pub(crate) fn dof(&self, dof: usize) -> usize {
        self.reduced.as_ref().map_or(dof, |reduced| reduced.reported(dof).unwrap_or(usize::MAX))
    }

    /// A state in the degrees of freedom of the system that is computed; one of a wrong length as it is.
    pub(crate) fn state(&self, state: Vec<f64>) -> Vec<f64> {
        match &self.reduced {
            Some(reduced) if state.len() == reduced.report.degrees => reduced.state(&state),
            _ => state,
        }
    }

    /// A key of the core, whose contacts are counted one by one, as a key of the scenario.
    fn owned(&self, key: &str) -> String {
        let Some((list, rest)) = key.split_once('.') else { return key.to_owned() };
        let number = rest.split('.').next().unwrap_or_default();
        let owner = number.parse::<usize>().ok().and_then(|k| match list {
            "friction" => self.owners.contacts.get(k).map(|owner| format!("{list}.{owner}")),
            "stop" => self.owners.stops.get(k).cloned(),
            _ => None,
        });
        owner.map_or_else(|| key.to_owned(), |owner| key.replacen(&format!("{list}.{number}"), &owner, 1))
    }

    /// Whether the first number in a path counts in a list of the document.
    fn is_list(&self, key: &str) -> bool {
        let above: Vec<&str> = key.split('.').take_while(|s| s.parse::<usize>().is_err()).collect();
        matches!(self.document.nearest(&above.join(".")).value, Value::Array(_))
    }

    pub fn study(mut self, mut scenario: Scenario) -> Result<Study, Vec<Diagnostic>> {
        self.measured_node(&mut scenario);
        let task = scenario.analysis.clone().resolve(&mut self, &mut scenario);
        let sweep = match &task {
            Some(task) if scenario.sweep.is_some() => Sweep::resolve(&mut self, &mut scenario, task),
            _ => None,
        };
        match task {
            Some(task) if self.found.is_empty() => {
                let reduction = self.reduced.as_ref().map(ReductionNotes::new);
                Ok(Study { scenario, task, reduction, places: self.places, sweep })
            }
            _ => Err(self.faults()),
        }
    }
}

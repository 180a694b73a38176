//! Runs a scenario as a user does, from its text, and gives back what was told.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use stiction::event::{Event, EventKind};
use stiction::{Error, Progress};
use stiction_study::{Scenario, Study};

/// Calls of the listener after which a run counts as endless: some seconds of any engine.
const MAX_CALLS: u64 = 2_000_000;
/// A run that takes longer counts as endless.
const MAX_TIME: Duration = Duration::from_secs(30);

/// What a run told.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Facts by name.
    pub facts: BTreeMap<String, f64>,
    /// Columns by name.
    pub columns: BTreeMap<String, Vec<f64>>,
    /// Events.
    pub events: Vec<Event>,
}

/// How a run ended without an answer.
#[derive(Clone, Debug)]
pub enum Ended {
    /// With an error that says why.
    Refused(String),
    /// Not at all within its budget.
    Endless,
}

impl Told {
    /// Runs a scenario from its TOML.
    pub fn run(scenario: &Scenario) -> Result<Self, Ended> {
        let text = scenario.to_toml().map_err(|error| Ended::Refused(error.message.clone()))?;
        Self::run_text(&text)
    }

    /// Runs a scenario from its text.
    pub fn run_text(text: &str) -> Result<Self, Ended> {
        let study = Study::read("soak.toml", text, &[]).map_err(|list| {
            let messages: Vec<String> = list.iter().map(|d| format!("{}: {}", d.key, d.message)).collect();
            Ended::Refused(messages.join("; "))
        })?;
        let start = Instant::now();
        let mut calls = 0;
        let mut listener = |_: f64| {
            calls += 1;
            calls < MAX_CALLS && start.elapsed() < MAX_TIME
        };
        let outcome = study.run(&mut Progress::new(&mut listener)).map_err(|error| match error {
            Error::Interrupted { .. } => Ended::Endless,
            other => Ended::Refused(other.to_string()),
        })?;
        Ok(Self {
            facts: outcome.facts.iter().map(|fact| (fact.name(), fact.value)).collect(),
            columns: outcome.samples.iter().map(|c| (c.name.clone(), c.values.clone())).collect(),
            events: outcome.events.clone(),
        })
    }

    /// A fact; NaN if it is not told.
    pub fn fact(&self, name: &str) -> f64 {
        self.facts.get(name).copied().unwrap_or(f64::NAN)
    }

    /// A column; empty if it is not told.
    pub fn column(&self, name: &str) -> &[f64] {
        self.columns.get(name).map_or(&[], Vec::as_slice)
    }

    /// The name of a quantity of one of `of` degrees of freedom or contacts.
    pub fn name(quantity: &str, i: usize, of: usize) -> String {
        if of == 1 { quantity.into() } else { format!("{quantity}_{i}") }
    }

    /// The columns of a quantity.
    pub fn columns_of(&self, quantity: &str, of: usize) -> Vec<&[f64]> {
        (0..of).map(|i| self.column(&Self::name(quantity, i, of))).collect()
    }

    /// Events of one contact but corners.
    pub fn events_of(&self, contact: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |e| e.contact == contact && e.kind != EventKind::Corner)
    }
}

/// The largest absolute value.
pub fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, x| a.max(x.abs()))
}

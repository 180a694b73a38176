//! Runs a scenario as a user does, from its text, and gives back the reported facts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use stiction::event::{Event, EventKind};
use stiction::{Error, Progress};
use stiction_study::{Scenario, Study};

/// Calls of the listener after which a run counts as endless: some seconds of any engine.
const MAX_CALLS: u64 = 2_000_000;
/// A run that takes longer counts as endless, on a machine that does other things too.
const MAX_TIME: Duration = Duration::from_secs(300);

/// The report of a run.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// Facts by name.
    pub facts: BTreeMap<String, f64>,
    /// Columns by name.
    pub columns: BTreeMap<String, Vec<f64>>,
    /// Units of facts and columns.
    pub units: BTreeMap<String, String>,
    /// Events.
    pub events: Vec<Event>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// How a run ended without an answer.
#[derive(Clone, Debug)]
pub enum Ended {
    /// With an error that says why.
    Refused(String),
    /// Not at all within its budget.
    Endless,
}

impl Reported {
    /// Runs a scenario from its TOML.
    pub fn run(scenario: &Scenario) -> Result<Self, Ended> {
        Self::run_for(scenario, MAX_TIME)
    }

    /// Runs a scenario from its TOML, for a time at most.
    pub fn run_for(scenario: &Scenario, time: Duration) -> Result<Self, Ended> {
        let text = scenario.to_toml().map_err(|error| Ended::Refused(error.message.clone()))?;
        let study = Study::read("soak.toml", &text, &[]).map_err(|list| {
            let messages: Vec<String> = list.iter().map(|d| format!("{}: {}", d.key, d.message)).collect();
            Ended::Refused(messages.join("; "))
        })?;
        let outcome = patient(time, |progress| study.run(progress))?;
        let of_facts = outcome.facts.iter().map(|fact| (fact.name(), fact.unit.to_string()));
        let of_columns = outcome.samples.iter().map(|column| (column.name.clone(), column.unit.to_string()));
        Ok(Self {
            units: of_facts.chain(of_columns).collect(),
            facts: outcome.facts.iter().map(|fact| (fact.name(), fact.value)).collect(),
            columns: outcome.samples.iter().map(|c| (c.name.clone(), c.values.clone())).collect(),
            events: outcome.events.clone(),
            warnings: outcome.warnings.iter().map(|warning| warning.message.clone()).collect(),
        })
    }

    /// A fact; NaN if it is not reported.
    pub fn fact(&self, name: &str) -> f64 {
        self.facts.get(name).copied().unwrap_or(f64::NAN)
    }

    /// A column; empty if it is not reported.
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

/// Does work until its time is over; of processor time where that is known, so that other work beside it does
/// not count.
pub fn patient<T>(time: Duration, work: impl FnOnce(&mut Progress) -> Result<T, Error>) -> Result<T, Ended> {
    let (start, before) = (Instant::now(), processor_time());
    let mut calls = 0;
    let mut listener = |_: f64| {
        calls += 1;
        let spent = || before.zip(processor_time()).map_or(start.elapsed(), |(before, now)| now - before);
        calls < MAX_CALLS && (start.elapsed() < time || spent() < time)
    };
    work(&mut Progress::new(&mut listener)).map_err(|error| match error {
        Error::Interrupted { .. } => Ended::Endless,
        other => Ended::Refused(other.to_string()),
    })
}

/// What this thread has taken so far, where the system keeps it in a file (Linux).
fn processor_time() -> Option<Duration> {
    let reported = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(reported.split_whitespace().next()?.parse().ok()?))
}

/// The largest absolute value.
pub fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, x| a.max(x.abs()))
}

//! An outcome as plain values and back, so that it can be sent to another process or kept in a file.

use crate::arrays::{Real, real, slice};
use crate::errors;
use pyo3::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use stiction::event::{Event, EventKind};
use stiction::integrate::Work;
use stiction_study::{Column, Fact, Outcome, Shown};

/// Name, number, unit.
pub type FactState = (String, f64, String);
/// Name, letter, unit, samples.
pub type ColumnState<'py> = (String, String, String, Bound<'py, PyAny>);
/// Time, contact, kind.
pub type EventState = (f64, usize, String);
/// Kind of what is shown, degrees of freedom, contacts, outlines.
pub type ShownState = (String, usize, usize, Vec<Vec<[f64; 2]>>);

/// Names and numbers of what an outcome cost.
pub fn work(work: &Work) -> [(&'static str, u64); 8] {
    [
        ("steps", work.steps),
        ("implicit_steps", work.implicit_steps),
        ("rejected", work.rejected),
        ("repeated", work.repeated),
        ("kinks", work.kinks),
        ("evaluations", work.evaluations),
        ("jacobians", work.jacobians),
        ("factorisations", work.factorisations),
    ]
}

/// What an outcome shows, as plain values.
pub fn shown(shown: &Shown) -> ShownState {
    match shown {
        Shown::Motion { n, m } => ("motion".into(), *n, *m, Vec::new()),
        Shown::Slide { outlines } => ("slide".into(), 0, 0, outlines.clone()),
        Shown::Response => ("response".into(), 0, 0, Vec::new()),
        Shown::Bifurcation => ("bifurcation".into(), 0, 0, Vec::new()),
    }
}

/// The outcome that plain values describe.
pub fn outcome(
    title: String,
    facts: Vec<FactState>,
    columns: Vec<ColumnState>,
    events: Vec<EventState>,
    work: &BTreeMap<String, u64>,
    (kind, n, m, outlines): ShownState,
) -> PyResult<Outcome> {
    let fact = |(name, value, unit): FactState| Fact { name, value, unit: kept(&unit) };
    let column = |(name, symbol, unit, values): ColumnState| {
        let values = match real(&values, &name, "")? {
            Real::One(x) => vec![x],
            Real::Many(array) => slice(&array)?.to_vec(),
        };
        Ok(Column { name, symbol, unit: kept(&unit), values })
    };
    let event = |(t, element, kind): EventState| {
        let kinds = [EventKind::Stick, EventKind::Slip, EventKind::Reverse, EventKind::Corner];
        let known = kinds.into_iter().find(|one| one.name() == kind);
        known.map(|kind| Event { t, element, kind }).ok_or_else(|| unknown("event", &kind))
    };
    let count = |name: &str| work.get(name).copied().unwrap_or(0);
    Ok(Outcome {
        title,
        facts: facts.into_iter().map(fact).collect(),
        samples: columns.into_iter().map(column).collect::<PyResult<_>>()?,
        events: events.into_iter().map(event).collect::<PyResult<_>>()?,
        work: Work {
            steps: count("steps"),
            implicit_steps: count("implicit_steps"),
            rejected: count("rejected"),
            repeated: count("repeated"),
            kinks: count("kinks"),
            evaluations: count("evaluations"),
            jacobians: count("jacobians"),
            factorisations: count("factorisations"),
        },
        shown: match kind.as_str() {
            "motion" => Shown::Motion { n, m },
            "slide" => Shown::Slide { outlines },
            "response" => Shown::Response,
            "bifurcation" => Shown::Bifurcation,
            other => return Err(unknown("outcome", other)),
        },
    })
}

fn unknown(what: &str, name: &str) -> PyErr {
    errors::value(format!("no kind of {what} is called {name}"), Some("was it saved by another version?"))
}

/// A unit that lives as long as the program; there are few, and each is kept once.
fn kept(unit: &str) -> &'static str {
    static UNITS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut units = UNITS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    units.get(unit).copied().unwrap_or_else(|| {
        let unit: &'static str = Box::leak(unit.into());
        units.insert(unit);
        unit
    })
}

//! What a study leaves behind, as Python's values.

use crate::errors;
use crate::state::{self, ColumnState, EventState, FactState, ShownState};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use stiction_render::figure::{png, svg};
use stiction_render::{csv, events_csv, outcome_figure};
use stiction_study::Outcome as Found;

/// What a study found.
#[pyclass(frozen, module = "stiction._core")]
pub struct Outcome {
    found: Found,
}

impl Outcome {
    pub fn new(found: Found) -> Self {
        Self { found }
    }
}

type Column<'py> = (String, String, &'static str, Bound<'py, PyArray1<f64>>);

/// The class, and what it is called with.
type Parts<'py> = (
    String,
    Vec<(String, f64, &'static str)>,
    Vec<Column<'py>>,
    Vec<(f64, usize, &'static str)>,
    BTreeMap<&'static str, u64>,
    ShownState,
);

#[pymethods]
impl Outcome {
    /// The outcome with these parts, as `__reduce__` takes them apart.
    #[new]
    fn from_parts(
        title: String,
        facts: Vec<FactState>,
        columns: Vec<ColumnState>,
        events: Vec<EventState>,
        work: BTreeMap<String, u64>,
        shown: ShownState,
    ) -> PyResult<Self> {
        state::outcome(title, facts, columns, events, &work, shown).map(Self::new)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, Parts<'py>) {
        let (py, this) = (slf.py(), slf.get());
        let facts = this.found.facts.iter().map(|fact| (fact.name.clone(), fact.value, fact.unit)).collect();
        let shown = state::shown(&this.found.shown);
        let parts = (this.found.title.clone(), facts, this.columns(py), this.events(), this.work(), shown);
        (slf.get_type().into_any(), parts)
    }

    /// The scenario's title.
    #[getter]
    fn title(&self) -> &str {
        &self.found.title
    }

    /// Names, numbers and units.
    fn facts(&self) -> Vec<(&str, f64, &'static str)> {
        self.found.facts.iter().map(|fact| (fact.name.as_str(), fact.value, fact.unit)).collect()
    }

    /// Names, letters, units and samples.
    fn columns<'py>(&self, py: Python<'py>) -> Vec<Column<'py>> {
        let column = |column: &stiction_study::Column| {
            let values = PyArray1::from_slice(py, &column.values);
            (column.name.clone(), column.symbol.clone(), column.unit, values)
        };
        self.found.samples.iter().map(column).collect()
    }

    /// Times, contacts and kinds of the events.
    fn events(&self) -> Vec<(f64, usize, &'static str)> {
        self.found.events.iter().map(|event| (event.t, event.element, event.kind.name())).collect()
    }

    /// What it cost: names and numbers.
    fn work(&self) -> BTreeMap<&'static str, u64> {
        state::work(&self.found.work).into()
    }

    /// All of it, as JSON in full precision.
    fn json(&self) -> String {
        self.found.to_json().to_string()
    }

    /// The samples as CSV.
    fn csv(&self) -> String {
        csv(&self.found.samples)
    }

    /// The events as CSV.
    fn events_csv(&self) -> String {
        events_csv(&self.found.events)
    }

    /// The figure of `stiction run`, as SVG.
    fn svg(&self, py: Python) -> String {
        py.detach(|| svg(&outcome_figure(&self.found)))
    }

    /// The figure of `stiction run`, as PNG.
    fn png<'py>(&self, py: Python<'py>, dpi: f64) -> PyResult<Bound<'py, PyBytes>> {
        let drawn = py.detach(|| png(&outcome_figure(&self.found), dpi));
        drawn.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| errors::value(error.to_string(), None))
    }
}

//! What a study leaves behind, as Python's values.

use crate::errors;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
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

#[pymethods]
impl Outcome {
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

    /// What it cost, as JSON.
    fn work(&self) -> String {
        self.found.to_json()["work"].to_string()
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

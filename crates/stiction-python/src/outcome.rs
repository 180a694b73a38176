//! What a study leaves behind, as Python's values.

use crate::errors;
use crate::guard::guarded;
use crate::state;
use figure::{Figure, pdf, png, svg, svg_outlined};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use stiction_render::{events_csv, outcome_csv, outcome_figure, summary};
use stiction_study::{Caution, Fact, Outcome, Provenance};

/// What a study found.
#[pyclass(name = "Outcome", frozen, module = "stiction._core")]
pub struct PyOutcome {
    found: Outcome,
    /// Where it comes from.
    provenance: Option<Provenance>,
}

impl PyOutcome {
    /// What a study found, and where that comes from.
    pub fn new(found: Outcome, provenance: Option<Provenance>) -> Self {
        Self { found, provenance }
    }

    fn drawing(&self) -> Figure {
        let note = self.provenance.as_ref().map(Provenance::json).unwrap_or_default();
        Figure { note, ..outcome_figure(&self.found) }
    }
}

/// All but the samples, the samples, and where they come from.
type PartsOut<'py> = (String, Vec<Bound<'py, PyArray1<f64>>>, Option<String>);

type ColumnOut<'py> = (String, String, String, Bound<'py, PyArray1<f64>>);
/// Name, number, unit, symbol, meaning.
pub type FactOut = (String, f64, String, &'static str, &'static str);

/// Facts with what the table of facts says about them.
pub fn facts(facts: &[Fact]) -> Vec<FactOut> {
    let out = |fact: &Fact| {
        let row = fact.kind.row();
        (fact.name(), fact.value, fact.unit.to_string(), row.symbol, row.meaning)
    };
    facts.iter().map(out).collect()
}

#[pymethods]
impl PyOutcome {
    /// The state at the end as JSON, which `initial` takes.
    fn end(&self) -> PyResult<Option<String>> {
        let text = |end| serde_json::to_string(end).map_err(|error| errors::value(error.to_string(), None));
        guarded(|| self.found.end.as_ref().map(text).transpose())
    }

    /// The outcome with these parts, as `__reduce__` takes them apart.
    #[new]
    #[pyo3(signature = (text, samples, provenance=None))]
    fn from_parts(text: &str, samples: Vec<Bound<PyAny>>, provenance: Option<&str>) -> PyResult<Self> {
        guarded(|| {
            let provenance = provenance.and_then(|text| serde_json::from_str(text).ok());
            Ok(Self { found: state::outcome(text, &samples)?, provenance })
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PartsOut<'py>)> {
        let (py, this) = (slf.py(), slf.get());
        let samples = this.found.samples.iter().map(|column| PyArray1::from_slice(py, &column.values));
        let provenance = this.provenance.as_ref().map(Provenance::json);
        guarded(|| {
            Ok((slf.get_type().into_any(), (state::text(&this.found)?, samples.collect(), provenance)))
        })
    }

    /// Where it comes from: JSON, and the scenario file that lies beside tables.
    fn provenance(&self) -> PyResult<Option<(String, String)>> {
        guarded(|| Ok(self.provenance.as_ref().map(|from| (from.json(), from.toml()))))
    }

    /// The scenario's title.
    #[getter]
    fn title(&self) -> &str {
        &self.found.title
    }

    /// Names, numbers, units, symbols and meanings.
    fn facts(&self) -> PyResult<Vec<FactOut>> {
        guarded(|| Ok(facts(&self.found.facts)))
    }

    /// Names, messages, hints, and whether the result is not what was asked for.
    fn warnings(&self) -> Vec<(String, String, Option<String>, bool)> {
        let row = |w: &Caution| (w.name.clone(), w.message.clone(), w.hint.clone(), w.is_failure);
        self.found.warnings.iter().map(row).collect()
    }

    /// The text that `stiction run` prints.
    fn summary(&self) -> PyResult<String> {
        guarded(|| Ok(summary(&self.found)))
    }

    /// Names, letters, units and samples.
    fn columns<'py>(&self, py: Python<'py>) -> Vec<ColumnOut<'py>> {
        let column = |column: &stiction_study::Column| {
            let values = PyArray1::from_slice(py, &column.values);
            (column.name.clone(), column.symbol.clone(), column.unit.to_string(), values)
        };
        self.found.samples.iter().map(column).collect()
    }

    /// Times, contacts and kinds of the events.
    fn events(&self) -> Vec<(f64, usize, &'static str)> {
        self.found.events.iter().map(|event| (event.t, event.contact, event.kind.name())).collect()
    }

    /// What it cost: names and numbers.
    fn work(&self) -> BTreeMap<&'static str, u64> {
        self.found.work.counts().into()
    }

    /// All of it, as JSON in full precision.
    fn json(&self) -> PyResult<String> {
        guarded(|| {
            serde_json::to_string(&self.found.json_from(self.provenance.as_ref()))
                .map_err(|error| errors::value(error.to_string(), None))
        })
    }

    /// The samples as CSV.
    fn csv(&self) -> PyResult<String> {
        guarded(|| Ok(outcome_csv(&self.found)))
    }

    /// The events as CSV.
    fn events_csv(&self) -> PyResult<String> {
        guarded(|| Ok(events_csv(&self.found.events)))
    }

    /// The figure of `stiction run`, as SVG.
    fn svg(&self, py: Python) -> PyResult<String> {
        guarded(|| Ok(py.detach(|| svg(&self.drawing()))))
    }

    /// The figure of `stiction run` in a format (svg, outlines, png, pdf), with its width (mm) and its panels where they are given.
    fn figure<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        dpi: f64,
        width: Option<f64>,
        panels: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| {
            let mut figure = self.drawing();
            figure.width = width.unwrap_or(figure.width);
            if !panels.is_empty() {
                let known = format!("the panels are {}", figure.letters().join(", "));
                let chosen = figure.with_panels(&panels);
                figure = chosen
                    .map_err(|wish| errors::value(format!("there is no panel {wish}"), Some(&known)))?;
            }
            let drawn = py.detach(|| match format {
                "svg" => Ok(svg(&figure).into_bytes()),
                "outlines" => Ok(svg_outlined(&figure).into_bytes()),
                "pdf" => pdf(&figure),
                _ => png(&figure, dpi),
            });
            drawn
                .map(|bytes| PyBytes::new(py, &bytes))
                .map_err(|error| errors::value(error.to_string(), None))
        })
    }
}

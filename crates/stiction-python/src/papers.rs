//! The papers' cases, the numbers that they print, and the reports on them.

use crate::errors;
use crate::guard::guarded;
use crate::watch::{Deadline, watched};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stiction_render::{drawing_figure, section_text};
use stiction_study::paper::{Check, Drawing, PAPERS, ReportSection, wanted};

/// Paper, figure, name of the file, the file, and the printed facts: name, value, what the print allows.
type PrintedRow = (&'static str, &'static str, &'static str, &'static str, Vec<(&'static str, f64, f64)>);

/// Every case, in the order of the papers.
#[pyfunction]
pub fn papers() -> PyResult<Vec<PrintedRow>> {
    guarded(|| {
        let mut rows = Vec::new();
        for paper in PAPERS {
            for case in paper.cases() {
                let printed = case.printed.iter().map(|p| (p.fact, p.value, p.allows)).collect();
                rows.push((paper.name(), case.figure, case.file, case.text, printed));
            }
        }
        Ok(rows)
    })
}

/// A part of the report on a paper.
#[pyclass(name = "Section", frozen, module = "stiction._core")]
pub struct PySection {
    section: ReportSection,
}

/// What is stated, the printed value if there is one, the value that it should have, the value found, whether they agree.
type CheckRow = (String, Option<f64>, f64, f64, bool);

#[pymethods]
impl PySection {
    /// `paper-b fig-2`.
    #[getter]
    fn name(&self) -> &str {
        &self.section.name
    }

    /// What it shows.
    #[getter]
    fn title(&self) -> &str {
        &self.section.title
    }

    /// The text that `stiction reproduce` prints.
    fn text(&self) -> PyResult<String> {
        guarded(|| Ok(section_text(&self.section)))
    }

    /// Everything that was checked.
    fn checks(&self) -> PyResult<Vec<CheckRow>> {
        let row = |check: Check| (check.name, check.printed, check.expected, check.found, check.agrees);
        guarded(|| Ok(self.section.checks().into_iter().map(row).collect()))
    }

    /// Names of the figures.
    fn figures(&self) -> Vec<&'static str> {
        self.section.figures.iter().map(|(name, _)| *name).collect()
    }

    /// A figure as SVG.
    fn svg(&self, py: Python, name: &str) -> PyResult<String> {
        guarded(|| {
            let drawing = self.drawing(name)?;
            Ok(py.detach(|| figure::svg(&drawing_figure(drawing))))
        })
    }

    /// A figure as PNG.
    fn png<'py>(&self, py: Python<'py>, name: &str, dpi: f64) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| {
            let drawing = self.drawing(name)?;
            let drawn = py.detach(|| figure::png(&drawing_figure(drawing), dpi));
            drawn
                .map(|bytes| PyBytes::new(py, &bytes))
                .map_err(|error| errors::value(error.to_string(), None))
        })
    }
}

impl PySection {
    fn drawing(&self, name: &str) -> PyResult<&Drawing> {
        let found = self.section.figures.iter().find(|(known, _)| *known == name);
        let hint = || format!("one of: {}", self.figures().join(", "));
        found
            .map(|(_, drawing)| drawing)
            .ok_or_else(|| errors::value(format!("no figure is called {name}"), Some(&hint())))
    }
}

/// Computes the papers' figures and numbers again.
#[pyfunction]
#[pyo3(signature = (paper=None, figure=None, progress=None, max_time=None))]
pub fn reproduce(
    py: Python,
    paper: Option<&str>,
    figure: Option<&str>,
    progress: Option<Py<PyAny>>,
    max_time: Option<f64>,
) -> PyResult<Vec<PySection>> {
    guarded(|| {
        let deadline = Deadline::after(max_time)?;
        let papers = wanted(paper, figure)
            .map_err(|unknown| errors::value(unknown.message.clone(), unknown.hint.as_deref()))?;
        watched(py, progress, deadline, |progress| {
            let n = papers.len() as f64;
            let mut found = Vec::new();
            for (i, (paper, figures)) in papers.iter().enumerate() {
                let part = &mut progress.part(i as f64 / n, (i as f64 + 1.0) / n);
                let sections = paper.reproduce(&|name: &str| figures.contains(&name), part)?;
                found.extend(sections.into_iter().map(|section| PySection { section }));
            }
            Ok(found)
        })
    })
}

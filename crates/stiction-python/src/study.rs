//! A scenario that has passed every check, and its run.

use crate::outcome::PyOutcome;
use crate::watch::{watched, watched_all};
use crate::{errors, tree};
use keyed::{Diagnostic, Document, Place, roots};
use pyo3::prelude::*;
use stiction_study::{Study, schema};

/// A checked scenario.
#[pyclass(name = "Study", frozen, module = "stiction._core")]
pub struct PyStudy {
    document: Document,
    checked: Study,
}

type Sets<'py> = Vec<(String, Bound<'py, PyAny>)>;

impl PyStudy {
    pub fn checked(&self) -> &Study {
        &self.checked
    }

    fn of(py: Python, document: Document) -> PyResult<Self> {
        let checked =
            Study::from_document(document.clone()).map_err(|faults| errors::scenario(py, &faults))?;
        Ok(Self { document, checked })
    }
}

/// Overrides keys of a document; all errors at once.
pub fn assign(py: Python, document: &mut Document, sets: Sets, roots: &[&str]) -> PyResult<()> {
    let mut faults = Vec::new();
    for (key, value) in sets {
        let written = format!("{key} = {}", value.repr()?);
        if let Err((message, hint)) = document.assign(&key, tree::node(&value)?.value, &written, roots) {
            let place = Some(Place { source: "set".into(), line: None, text: written });
            faults.push(Diagnostic { key: String::new(), message, place, hint });
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(errors::scenario(py, &faults)) }
}

#[pymethods]
impl PyStudy {
    /// Checks a scenario in a dict.
    #[new]
    fn new(py: Python, tree: &Bound<PyAny>) -> PyResult<Self> {
        Self::of(py, Document::from_tree("", tree::node(tree)?))
    }

    /// Reads and checks a scenario; `name` is the file's.
    #[staticmethod]
    fn read(py: Python, name: &str, text: &str, sets: Sets) -> PyResult<Self> {
        let mut document = Document::parse(name, text).map_err(|faults| errors::scenario(py, &faults))?;
        assign(py, &mut document, sets, &roots(schema()))?;
        Self::of(py, document)
    }

    /// The same scenario with keys overridden.
    fn set(&self, py: Python, sets: Sets) -> PyResult<Self> {
        let mut document = self.document.clone();
        assign(py, &mut document, sets, &roots(schema()))?;
        Self::of(py, document)
    }

    /// The scenario as written.
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tree::plain(py, &self.document.root)
    }

    /// The scenario as a file, with all defaults filled in.
    fn toml(&self, py: Python) -> PyResult<String> {
        self.checked.scenario.to_toml().map_err(|fault| errors::scenario(py, &[*fault]))
    }
}

/// Runs a study. `progress` is called with the fraction done, some twenty times a second.
#[pyfunction]
#[pyo3(signature = (study, progress=None))]
pub fn run(py: Python, study: &PyStudy, progress: Option<Py<PyAny>>) -> PyResult<PyOutcome> {
    watched(py, progress, |progress| study.checked.run(progress)).map(PyOutcome::new)
}

/// Runs studies on all cores; the outcomes come in the order of the studies.
#[pyfunction]
#[pyo3(signature = (studies, progress=None))]
pub fn run_all(
    py: Python,
    studies: Vec<Py<PyStudy>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<PyOutcome>> {
    let studies: Vec<&Study> = studies.iter().map(|study| &study.get().checked).collect();
    let name = |i: usize| format!("scenario {i} of the list");
    let found = watched_all(py, progress, &studies, name, |study, progress| study.run(progress))?;
    Ok(found.into_iter().map(PyOutcome::new).collect())
}

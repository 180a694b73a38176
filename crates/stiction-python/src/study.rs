//! A scenario that has passed every check, and its run.

use crate::guard::guarded;
use crate::outcome::PyOutcome;
use crate::watch::{Deadline, advised, watched_all};
use crate::{custom, errors, tree};
use keyed::{Diagnostic, Document, Place};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::OnceLock;
use stiction::{Progress, ShortNumber};
use stiction_study::{Budget, Finished, Provenance, Study, anchor_files};

/// A checked scenario.
#[pyclass(name = "Study", frozen, module = "stiction._core")]
pub struct PyStudy {
    document: Document,
    checked: Study,
    /// Whether a run keeps within the usual budget; if not, only `max_memory` lets it run.
    is_usual: bool,
    /// Where runs come from, as the first one wrote it down.
    provenance: OnceLock<Option<Provenance>>,
}

type Sets<'py> = Vec<(String, Bound<'py, PyAny>)>;

impl PyStudy {
    /// The study, if it keeps within `max_memory` bytes, or within the usual budget if that is absent.
    pub fn within(&self, py: Python, max_memory: Option<f64>) -> PyResult<Cow<'_, Study>> {
        if max_memory.is_none() && self.is_usual {
            return Ok(Cow::Borrowed(&self.checked));
        }
        let budget = budget(max_memory)?;
        let study = Study::within(self.document.clone(), budget);
        study.map(Cow::Owned).map_err(|faults| errors::scenario(py, &faults))
    }

    /// Checks a scenario. What is too much for the usual budget is only refused when it is run.
    fn of(py: Python, mut document: Document) -> PyResult<Self> {
        // what is taken apart and put together again elsewhere means the same files
        anchor_files(&mut document);
        let usual = Study::from_document(document.clone());
        let is_usual = usual.is_ok();
        let any = Budget { memory: u64::MAX, ..Budget::default() };
        let checked = usual
            .or_else(|faults| Study::within(document.clone(), any).map_err(|_| faults))
            .map_err(|faults| errors::scenario(py, &faults))?;
        Ok(Self { document, checked, is_usual, provenance: OnceLock::new() })
    }

    /// Where a run comes from. What files held is part of it, so that it is written down anew for each run if there may be any.
    fn provenance(&self) -> Option<Provenance> {
        let new = || Provenance::new("run", &self.checked.scenario);
        let first = self.provenance.get_or_init(new);
        if first.as_ref().is_none_or(|first| first.may_name_files()) { new() } else { first.clone() }
    }
}

/// The budget of a call.
fn budget(max_memory: Option<f64>) -> PyResult<Budget> {
    let usual = Budget::default();
    match max_memory {
        None => Ok(usual),
        Some(memory) if memory > 0.0 => Ok(Budget { memory: memory as u64, ..usual }),
        Some(memory) => {
            let message = format!("max_memory = {}, but it must be positive", ShortNumber(memory));
            Err(errors::value(message, Some("a number of bytes, such as 4e9")))
        }
    }
}

/// Overrides keys of a document; all errors at once.
pub fn assign(py: Python, document: &mut Document, sets: Sets, by: keyed::Assign) -> PyResult<()> {
    let mut faults = Vec::new();
    for (key, value) in sets {
        let written = format!("{key} = {}", value.repr()?);
        if let Err((message, hint)) = by(document, &key, tree::node(&value)?.value, &written) {
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
        guarded(|| Self::of(py, Document::from_tree("", tree::node(tree)?)))
    }

    /// Reads and checks a scenario; `name` is the file's.
    #[staticmethod]
    #[pyo3(signature = (name, text, sets, max_memory=None))]
    fn read(py: Python, name: &str, text: &str, sets: Sets, max_memory: Option<f64>) -> PyResult<Self> {
        guarded(|| {
            let refused = |faults: Vec<Diagnostic>| errors::scenario(py, &faults);
            budget(max_memory)?.check_file(name, text).map_err(refused)?;
            let mut document = Document::parse(name, text).map_err(refused)?;
            assign(py, &mut document, sets, &stiction_study::assign)?;
            Self::of(py, document)
        })
    }

    /// The same scenario with keys overridden.
    fn set(&self, py: Python, sets: Sets) -> PyResult<Self> {
        guarded(|| {
            let mut document = self.document.clone();
            assign(py, &mut document, sets, &stiction_study::assign)?;
            Self::of(py, document)
        })
    }

    /// The scenario as written.
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| tree::plain(py, &self.document.root))
    }

    /// The scenario as a file, with all defaults filled in.
    fn toml(&self, py: Python) -> PyResult<String> {
        guarded(|| self.checked.scenario.to_toml().map_err(|fault| errors::scenario(py, &[*fault])))
    }
}

/// Runs a study. `progress` is called with the fraction done, some twenty times a second.
#[pyfunction]
#[pyo3(signature = (study, progress=None, max_time=None, max_memory=None))]
pub fn run(
    py: Python,
    study: &PyStudy,
    progress: Option<Py<PyAny>>,
    max_time: Option<f64>,
    max_memory: Option<f64>,
) -> PyResult<PyOutcome> {
    guarded(|| {
        let deadline = Deadline::after(max_time)?;
        let given = study;
        let study = given.within(py, max_memory)?;
        let mut finished = Finished::default();
        let work = |progress: &mut Progress| study.run_onto(&mut finished, progress);
        let found = advised(py, progress, deadline, study.advice(), work);
        // what a callable raised is why the run failed
        custom::raised(&study).map_or(Ok(()), Err)?;
        match found {
            Ok(found) => Ok(PyOutcome::new(found, given.provenance())),
            Err(error) => Err(match py.detach(|| study.unfinished(&finished)) {
                Some(part) => errors::carrying(py, error, PyOutcome::new(part, given.provenance())),
                None => error,
            }),
        }
    })
}

/// Runs studies on all cores; the outcomes come in the order of the studies.
#[pyfunction]
#[pyo3(signature = (studies, progress=None, max_time=None, max_memory=None))]
pub fn run_all(
    py: Python,
    studies: Vec<Py<PyStudy>>,
    progress: Option<Py<PyAny>>,
    max_time: Option<f64>,
    max_memory: Option<f64>,
) -> PyResult<Vec<PyOutcome>> {
    guarded(|| {
        let deadline = Deadline::after(max_time)?;
        let given = studies;
        let studies = given.iter().map(|study| study.get().within(py, max_memory));
        let studies: Vec<Cow<Study>> = studies.collect::<PyResult<_>>()?;
        let name = |i: usize| format!("scenario {i} of the list");
        let run = |study: &Cow<Study>, progress: &mut Progress| study.run(progress);
        let found = watched_all(py, progress, deadline, &studies, name, run);
        studies.iter().find_map(|study| custom::raised(study)).map_or(Ok(()), Err)?;
        let found = found?;
        Ok(given
            .iter()
            .zip(found)
            .map(|(study, found)| PyOutcome::new(found, study.get().provenance()))
            .collect())
    })
}

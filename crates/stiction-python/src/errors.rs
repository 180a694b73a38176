//! What goes wrong, as Python's exceptions: the core's message, and its hint on a line of its own.

use crate::outcome::PyOutcome;
use keyed::Diagnostic;
use pyo3::PyErrArguments;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use stiction::{Error, ShortNumber};
use stiction_dataset::DatasetError;
use stiction_study::Bug;

const MODULE: &str = "stiction._errors";

fn with_hint(message: String, hint: Option<&str>) -> String {
    match hint {
        Some(hint) => format!("{message}\nhint: {hint}"),
        None => message,
    }
}

/// A `ValueError`.
pub fn value(message: String, hint: Option<&str>) -> PyErr {
    PyValueError::new_err(with_hint(message, hint))
}

/// A `TypeError`.
pub fn kind(message: String, hint: Option<&str>) -> PyErr {
    PyTypeError::new_err(with_hint(message, hint))
}

/// A `ScenarioError` that lists everything that is wrong.
pub fn scenario(py: Python, faults: &[Diagnostic]) -> PyErr {
    let place = |fault: &Diagnostic| {
        let place = fault.place.as_ref().filter(|place| !place.source.is_empty())?;
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        // an override is an argument here, not an option
        let source = place.source.trim_start_matches("--");
        Some(format!("{source}{line}  {}", place.text).trim_end().to_owned())
    };
    let rows: Vec<(String, String, Option<String>, Option<String>)> = faults
        .iter()
        .map(|fault| (fault.key.clone(), fault.message.clone(), place(fault), fault.hint.clone()))
        .collect();
    raised(py, "ScenarioError", (rows,))
}

/// A `RunError`, after the name of the run if it is one of many.
pub fn run(py: Python, name: Option<String>, error: &Error) -> PyErr {
    let message = name.map_or_else(|| error.to_string(), |name| format!("{name}: {error}"));
    raised(py, "RunError", (message, error.hint()))
}

/// A `RunError`: the time is over. `t` is the time that a run has come to, `fraction` the part of the work that is done.
pub fn time_up(py: Python, allowed: f64, fraction: f64, t: Option<f64>) -> PyErr {
    let at = t.map(|t| format!(" at t = {} s", ShortNumber(t))).unwrap_or_default();
    let done = (100.0 * fraction).floor();
    let message =
        format!("stopped{at}, because the {} s of max_time are over, {done} % done", ShortNumber(allowed));
    raised(py, "RunError", (message, "raise max_time, or shorten the run"))
}

/// A `RunError` or an `OSError`: what is wrong with a folder.
pub fn dataset(py: Python, error: &DatasetError) -> PyErr {
    match error {
        DatasetError::Bug(bug) => internal(py, bug),
        DatasetError::Run(error) => run(py, None, error),
        DatasetError::File { error: cause, .. } => {
            let message = with_hint(error.to_string(), error.hint().as_deref());
            // with its number it becomes a PermissionError, a FileNotFoundError, …
            match cause.raw_os_error() {
                Some(number) => PyOSError::new_err((number, message)),
                None => PyOSError::new_err(message),
            }
        }
        error => raised(py, "RunError", (error.to_string(), error.hint())),
    }
}

/// An `InternalError`.
pub fn internal(py: Python, bug: &Bug) -> PyErr {
    raised(py, "InternalError", (bug.to_string(), Bug::HINT))
}

/// Warns, as an outcome does of what is wrong with it.
pub fn advise(py: Python, message: &str) -> PyResult<()> {
    let category = py.import("stiction._outcome")?.getattr("StictionWarning")?;
    // two levels above: where `run` was called
    py.import("warnings")?.call_method1("warn", (message, category, 2))?;
    Ok(())
}

/// Lets an exception carry the outcome of what was finished before it.
pub fn carrying(py: Python, error: PyErr, outcome: PyOutcome) -> PyErr {
    let wrapped =
        py.import("stiction._outcome").and_then(|module| module.getattr("Outcome")?.call1((outcome,)));
    // what cannot carry it is raised without
    let _ = wrapped.and_then(|outcome| error.value(py).setattr("outcome", outcome));
    error
}

/// An exception of the package.
fn raised<A: PyErrArguments + Send + Sync + 'static>(py: Python, name: &str, args: A) -> PyErr {
    match py
        .import(MODULE)
        .and_then(|module| module.getattr(name))
        .and_then(|class| Ok(class.cast_into::<PyType>()?))
    {
        Ok(class) => PyErr::from_type(class, args),
        Err(error) => error,
    }
}

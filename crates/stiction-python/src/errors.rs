//! What goes wrong, as Python's exceptions: the core's message, and its hint on a line of its own.

use keyed::Diagnostic;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use stiction::Error;

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
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
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
    match CLASS.import(py, MODULE, "ScenarioError") {
        Ok(class) => PyErr::from_type(class.clone(), (rows,)),
        Err(error) => error,
    }
}

/// A `RunError`, after the name of the run if it is one of many.
pub fn run(py: Python, name: Option<String>, error: &Error) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let message = name.map_or_else(|| error.to_string(), |name| format!("{name}: {error}"));
    match CLASS.import(py, MODULE, "RunError") {
        Ok(class) => PyErr::from_type(class.clone(), (message, error.hint())),
        Err(error) => error,
    }
}

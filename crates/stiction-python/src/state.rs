//! An outcome as plain values and back, so that it can be sent to another process or kept in a file: all but the samples as
//! text, the samples as arrays.

use crate::arrays::{Real, real, slice};
use crate::errors;
use pyo3::prelude::*;
use stiction_study::{Column, Outcome};

/// The outcome without its samples.
pub fn text(outcome: &Outcome) -> PyResult<String> {
    let bare = |column: &Column| Column { values: Vec::new(), ..column.clone() };
    let samples = outcome.samples.iter().map(bare).collect();
    let outcome = Outcome { samples, ..outcome.without_samples() };
    serde_json::to_string(&outcome).map_err(|error| errors::value(error.to_string(), None))
}

/// The outcome that a text and its samples describe.
pub fn outcome(text: &str, samples: &[Bound<PyAny>]) -> PyResult<Outcome> {
    let hint = Some("was it saved by another version?");
    let mut outcome: Outcome = serde_json::from_str(text)
        .map_err(|error| errors::value(format!("this is no outcome: {error}"), hint))?;
    if outcome.samples.len() != samples.len() {
        let message = format!("{} columns, but {} arrays", outcome.samples.len(), samples.len());
        return Err(errors::value(message, hint));
    }
    for (column, values) in outcome.samples.iter_mut().zip(samples) {
        column.values = match real(values, &column.name, "")? {
            Real::One(x) => vec![x],
            Real::Many(array) => slice(&array)?.to_vec(),
        };
    }
    Ok(outcome)
}

//! Which law, and how wide?

use crate::errors;
use crate::study::Study;
use crate::watch::{Tell, watched, watched_all};
use pyo3::prelude::*;
use stiction_study::Diagnostic;
use stiction_study::compare::{Row, Truth, attainable, comparable, default_widths, positive, regularised};

/// Law, width, the six errors, steps and evaluations.
type Line = (&'static str, f64, [f64; 6], u64, u64);

fn line(row: &Row) -> Line {
    let e = &row.errors;
    let errors = [e.trajectory, e.amplitude, e.phase, e.dissipation, e.stick_fraction, e.creep];
    (row.law, row.width, errors, row.work.steps, row.work.evaluations)
}

/// Several laws and widths against exact Coulomb friction; the largest sliding speed, and one line for each.
#[pyfunction]
#[pyo3(signature = (study, laws=None, widths=None, progress=None))]
pub fn compare(
    py: Python,
    study: &Study,
    laws: Option<Vec<String>>,
    widths: Option<Vec<f64>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(f64, Vec<Line>)> {
    let refused = |faults: Vec<Diagnostic>| errors::scenario(py, &faults);
    let laws = regularised(&laws.unwrap_or_default()).map_err(refused)?;
    positive(widths.as_deref().unwrap_or_default()).map_err(refused)?;
    let motion = comparable(study.checked()).map_err(refused)?;
    let truth = watched(py, None, |tell| Truth::new(motion, tell))?;
    let speed = truth.speed();
    let widths = widths.unwrap_or_else(|| default_widths(speed));
    let pairs: Vec<(&'static str, f64)> =
        laws.iter().flat_map(|law| widths.iter().map(|width| (*law, *width))).collect();
    let name = |i: usize| format!("{}, width {}", pairs[i].0, pairs[i].1);
    let rows = watched_all(py, progress, &pairs, name, |(law, width), tell| truth.row(law, *width, tell))?;
    Ok((speed, rows.iter().map(line).collect()))
}

/// The widest transition of each law whose error stays below a tolerance.
#[pyfunction]
#[pyo3(signature = (study, tolerance, criterion, laws=None, progress=None))]
pub fn tune(
    py: Python,
    study: &Study,
    tolerance: f64,
    criterion: &str,
    laws: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<(&'static str, Option<Line>)>> {
    let refused = |faults: Vec<Diagnostic>| errors::scenario(py, &faults);
    let laws = regularised(&laws.unwrap_or_default()).map_err(refused)?;
    attainable(criterion, tolerance).map_err(refused)?;
    let motion = comparable(study.checked()).map_err(refused)?;
    let truth = watched(py, None, |tell| Truth::new(motion, tell))?;
    let name = |i: usize| laws[i].to_owned();
    let search = |law: &&'static str, tell: Tell| truth.widest(law, criterion, tolerance, tell);
    let rows = watched_all(py, progress, &laws, name, search)?;
    Ok(laws.into_iter().zip(rows.iter().map(|row| row.as_ref().map(line))).collect())
}

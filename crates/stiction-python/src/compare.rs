//! Which law, and of which size?

use crate::errors;
use crate::guard::guarded;
use crate::study::PyStudy;
use crate::watch::{Deadline, watched, watched_all};
use keyed::Diagnostic;
use pyo3::prelude::*;
use stiction::Progress;
use stiction_render::{compare_text, tune_text};
use stiction_study::compare::{
    Criterion, ErrorRow, Sizes, Truth, check_tolerance, regularised_laws, require_set_valued_transient,
};

/// Law, the name, value and unit of its size, the six errors, steps and evaluations.
type ErrorLine = (&'static str, &'static str, f64, &'static str, [f64; 6], u64, u64);

fn line(row: &ErrorRow) -> ErrorLine {
    let errors = Criterion::ALL.map(|criterion| row.errors.get(criterion));
    (row.law, row.parameter, row.size, row.unit, errors, row.work.steps, row.work.evaluations)
}

/// A law, and the coarsest that fits.
type TunedLine = (&'static str, Option<ErrorLine>);

/// Laws over their width or stiffness against set-valued friction; the largest sliding speed and half the widest way, one line for each, and the table.
#[pyfunction]
#[pyo3(signature = (study, laws=None, widths=None, stiffnesses=None, progress=None, max_time=None, max_memory=None))]
#[allow(clippy::too_many_arguments)]
pub fn compare(
    py: Python,
    study: &PyStudy,
    laws: Option<Vec<String>>,
    widths: Option<Vec<f64>>,
    stiffnesses: Option<Vec<f64>>,
    progress: Option<Py<PyAny>>,
    max_time: Option<f64>,
    max_memory: Option<f64>,
) -> PyResult<((f64, f64), Vec<ErrorLine>, String)> {
    guarded(|| {
        let refused = |faults: Vec<Diagnostic>| errors::scenario(py, &faults);
        let deadline = Deadline::after(max_time)?;
        let study = study.within(py, max_memory)?;
        let sizes =
            Sizes { widths: widths.unwrap_or_default(), stiffnesses: stiffnesses.unwrap_or_default() };
        sizes.check().map_err(refused)?;
        let motion = require_set_valued_transient(&study).map_err(refused)?;
        let laws = laws.unwrap_or_default();
        regularised_laws(&laws, motion).map_err(refused)?;
        let truth = watched(py, None, deadline, |progress| Truth::new(motion, progress))?;
        let pairs = truth.pairs(&laws, &sizes).map_err(refused)?;
        let name = |i: usize| format!("{}, size {}", pairs[i].0, pairs[i].1);
        let row = |(law, size): &(&'static str, f64), own: &mut Progress| truth.row(law, *size, own);
        let rows = watched_all(py, progress, deadline, &pairs, name, row)?;
        let text = compare_text(&study.scenario.title, &truth, &rows, &[]);
        Ok(((truth.speed(), truth.length()), rows.iter().map(line).collect(), text))
    })
}

/// Names and units of the errors, in the order of the lines.
#[pyfunction]
pub fn criteria() -> PyResult<Vec<(String, &'static str)>> {
    guarded(|| Ok(Criterion::ALL.map(|criterion| (criterion.column(), criterion.unit())).into()))
}

/// The coarsest size of each law whose error stays below a tolerance.
#[pyfunction]
#[pyo3(signature = (study, tolerance, criterion, laws=None, progress=None, max_time=None, max_memory=None))]
#[allow(clippy::too_many_arguments)]
pub fn tune(
    py: Python,
    study: &PyStudy,
    tolerance: f64,
    criterion: &str,
    laws: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
    max_time: Option<f64>,
    max_memory: Option<f64>,
) -> PyResult<(Vec<TunedLine>, String)> {
    guarded(|| {
        let refused = |faults: Vec<Diagnostic>| errors::scenario(py, &faults);
        let deadline = Deadline::after(max_time)?;
        let study = study.within(py, max_memory)?;
        let criterion = Criterion::named(criterion).map_err(refused)?;
        check_tolerance(tolerance).map_err(refused)?;
        let motion = require_set_valued_transient(&study).map_err(refused)?;
        let laws = regularised_laws(&laws.unwrap_or_default(), motion).map_err(refused)?;
        let truth = watched(py, None, deadline, |progress| Truth::new(motion, progress))?;
        let name = |i: usize| laws[i].to_owned();
        let search = |law: &&'static str, own: &mut Progress| truth.coarsest(law, criterion, tolerance, own);
        let rows = watched_all(py, progress, deadline, &laws, name, search)?;
        let found: Vec<(&'static str, Option<ErrorRow>)> = laws.iter().copied().zip(rows).collect();
        let text = tune_text(&study.scenario.title, &truth, criterion, tolerance, &found);
        Ok((found.iter().map(|(law, row)| (*law, row.as_ref().map(line))).collect(), text))
    })
}

//! The papers' cases, and the numbers that they print.

use pyo3::prelude::*;
use stiction_study::papers::{CASES, Case};
use stiction_study::patch_papers::{PATCH_CASES, PatchCase};

/// Paper, figure, name of the file, the file, and the printed facts: name, value, what the print allows.
type Row = (&'static str, &'static str, &'static str, &'static str, Vec<(&'static str, f64, f64)>);

/// Every case, in the order of the papers.
#[pyfunction]
pub fn papers() -> Vec<Row> {
    let scenario = |case: &Case| {
        let printed = case.printed.iter().map(|p| (p.fact, p.value, p.allows)).collect();
        (case.paper, case.figure, case.file, case.scenario, printed)
    };
    let patch = |case: &PatchCase| {
        let figure = case.figures.first().copied().unwrap_or_default();
        (case.paper, figure, case.file, case.text, Vec::new())
    };
    let mut rows: Vec<Row> = CASES.iter().map(scenario).chain(PATCH_CASES.iter().map(patch)).collect();
    rows.sort_by_key(|row| row.0);
    rows
}

//! The native part of the Python package `stiction`: values in, values out, the computing in between without the interpreter.
//!
//! What users see is written in Python (`python/stiction`); this module is called `stiction._core`.

mod arrays;
mod compare;
mod custom;
mod errors;
mod guard;
mod law;
mod outcome;
mod papers;
mod patch;
mod patch_tables;
mod session;
mod state;
mod study;
mod sweep;
mod threads;
mod tree;
mod watch;

use pyo3::prelude::*;

/// Laws, patches and studies, as the package `stiction` calls them.
#[pymodule(name = "_core")]
mod core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::compare::{compare, criteria, tune};
    #[pymodule_export]
    use super::custom::PyCustomLaw;
    #[pymodule_export]
    use super::law::PyLaw;
    #[pymodule_export]
    use super::outcome::PyOutcome;
    #[pymodule_export]
    use super::papers::{PySection, papers, reproduce};
    #[pymodule_export]
    use super::patch::{PyPatch, is_patch, read_patch};
    #[pymodule_export]
    use super::session::PySession;
    #[pymodule_export]
    use super::study::{PyStudy, run, run_all};
    #[pymodule_export]
    use super::sweep::{PySweep, check_part, dataset_manifest, dataset_numbers};
    #[pymodule_export]
    use super::{defaults, facts, lab_page, laws, schema};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(_module: &Bound<PyModule>) -> PyResult<()> {
        super::threads::remember();
        // reported by the exception; this module has a hook of its own
        stiction_study::bug::quiet();
        Ok(())
    }
}

/// The page of the lab, with a scenario in it if there is one.
#[pyfunction]
fn lab_page(name: &str, text: Option<&str>) -> String {
    stiction_lab::page(text.map(|text| (name, text)))
}

/// The JSON Schema of scenarios or of patch files, as text.
#[pyfunction]
fn schema(kind: &str) -> PyResult<String> {
    guard::guarded(|| match kind {
        "scenario" => Ok(stiction_study::schema().to_string()),
        "patch" => Ok(stiction_study::patch_schema().to_string()),
        other => Err(errors::value(format!("no schema is called {other}"), Some("scenario or patch"))),
    })
}

/// Defaults of what is asked beside a scenario: the criterion and tolerance of `tune`, the resolution of figures, the size of
/// the table of a limit surface.
#[pyfunction]
fn defaults() -> (&'static str, f64, f64, (usize, usize)) {
    use stiction_study::defaults::{CRITERION, DPI, SURFACE, TOLERANCE};
    (CRITERION.name(), TOLERANCE, DPI, SURFACE)
}

/// Names, symbols, units and meanings of all facts.
#[pyfunction]
fn facts() -> Vec<(String, &'static str, &'static str, &'static str)> {
    let row = |kind: &stiction_study::FactKind| {
        let row = kind.row();
        (row.pattern.replace("{}", "_i"), row.symbol, row.unit, row.meaning)
    };
    stiction_study::FactKind::ALL.iter().map(row).collect()
}

/// Names of all laws, as a scenario file writes them.
#[pyfunction]
fn laws() -> Vec<&'static str> {
    stiction::law::FrictionLaw::NAMES.to_vec()
}

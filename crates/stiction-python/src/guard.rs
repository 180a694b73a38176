//! The border to Python: a panic becomes an `InternalError`, which `except Exception` catches as it does any other.

use crate::errors;
use pyo3::prelude::*;
use stiction_study::bug;

/// Does what Python asks for; everything that computes is called through here.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let work = || {
        inject("border");
        work()
    };
    bug::guarded(work).unwrap_or_else(|bug| Err(Python::attach(|py| errors::internal(py, &bug))))
}

/// With the feature `failpoints`: panics if the variable `STICTION_PANIC` names this place, for tests: `border` for every call from Python,
/// `work` for what other threads do.
pub fn inject(place: &str) {
    if cfg!(feature = "failpoints") && std::env::var("STICTION_PANIC").is_ok_and(|at| at == place) {
        panic!("STICTION_PANIC={place}");
    }
}

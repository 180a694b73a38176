//! Sweeps into folders of Parquet parts.

use crate::guard::guarded;
use crate::study::PyStudy;
use crate::watch::{Deadline, watched_rows};
use crate::errors;
use pyo3::prelude::*;
use std::path::PathBuf;
use stiction_dataset::{Dataset, DatasetError, SweepRun};

/// Runs the sweep of a study into a folder, or one of `n` shards of it, and gives rows, rows done, rows failed and parts.
/// `progress` is called with the fraction done, some twenty times a second.
#[pyfunction]
#[pyo3(signature = (study, folder, resume=false, shard=None, threads=None, samples=false, rows_per_part=None, progress=None, max_time=None))]
#[allow(clippy::too_many_arguments)]
pub fn sweep(
    py: Python,
    study: &PyStudy,
    folder: PathBuf,
    resume: bool,
    shard: Option<(u64, u64)>,
    threads: Option<usize>,
    samples: bool,
    rows_per_part: Option<u64>,
    progress: Option<Py<PyAny>>,
    max_time: Option<f64>,
) -> PyResult<(u64, u64, u64, u64)> {
    guarded(|| {
        let deadline = Deadline::after(max_time)?;
        let study = study.within(py, None)?;
        let Some(sweep) = &study.sweep else {
            let hint = "give over, as in over={\"mu\": [0.1, 0.2]}";
            return Err(errors::value("nothing varies".into(), Some(hint)));
        };
        if threads == Some(0) || shard.is_some_and(|(i, n)| i >= n) {
            let message = format!("threads = {threads:?}, shard = {shard:?}");
            return Err(errors::value(message, Some("at least one thread, and a shard (i, n) with i below n")));
        }
        let run = SweepRun { resume, shard, threads, samples, rows_per_part };
        let dataset = watched_rows(py, progress, deadline, |tell| run.run(sweep, &folder, tell))?;
        Ok(counts(&dataset))
    })
}

/// Rows, rows done, rows failed and parts of the dataset in a folder.
#[pyfunction]
pub fn sweep_counts(py: Python, folder: PathBuf) -> PyResult<(u64, u64, u64, u64)> {
    guarded(|| Dataset::open(&folder).map(|dataset| counts(&dataset)).map_err(|error| raised(py, &error)))
}

fn counts(dataset: &Dataset) -> (u64, u64, u64, u64) {
    (dataset.manifest.rows, dataset.done, dataset.failed, dataset.manifest.parts())
}

/// What went wrong with a folder: an `OSError` for files, otherwise a `RunError`.
pub fn raised(py: Python, error: &DatasetError) -> PyErr {
    match error {
        DatasetError::Bug(bug) => errors::internal(py, bug),
        DatasetError::File { error: cause, .. } => {
            let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            let text = format!("{error}{hint}");
            pyo3::exceptions::PyOSError::new_err((cause.raw_os_error().unwrap_or(0), text))
        }
        error => errors::dataset(py, error.to_string(), error.hint()),
    }
}

//! Sweeps into folders of Parquet parts, or part by part for those who write them elsewhere.

use crate::errors;
use crate::guard::guarded;
use crate::study::PyStudy;
use crate::watch::{Deadline, watched_rows};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use stiction_dataset::{Dataset, DatasetError, DatasetPart, Manifest, SMALL, SweepRun, refine};
use stiction_study::Sweep;

/// The sweep of a study, and how its rows are cut into parts.
#[pyclass(name = "Sweep", frozen, module = "stiction._core")]
pub struct PySweep {
    sweep: Sweep,
    manifest: Manifest,
    run: SweepRun,
}

impl PySweep {
    fn run_with(
        &self,
        resume: bool,
        shard: Option<(u64, u64)>,
        threads: Option<usize>,
    ) -> PyResult<SweepRun> {
        if threads == Some(0) {
            return Err(errors::value("threads = 0, but it must be positive".into(), None));
        }
        if let Some((i, n)) = shard.filter(|(i, n)| i >= n) {
            let hint = "shard=(0, 8) … (7, 8) are the eight of eight";
            return Err(errors::value(format!("there is no shard {i} of {n}"), Some(hint)));
        }
        Ok(SweepRun { resume, shard, threads, ..self.run.clone() })
    }
}

/// A file of a part: its name in the folder, and its bytes.
type FileOut<'py> = (String, Bound<'py, PyBytes>);
/// Values of the axes on both sides of a change, and the fact there.
type BoundaryOut = ([Vec<f64>; 2], [f64; 2]);

#[pymethods]
impl PySweep {
    /// The sweep of a study; a `ValueError` if it has none.
    #[new]
    #[pyo3(signature = (study, samples=false, rows_per_part=None))]
    fn new(py: Python, study: &PyStudy, samples: bool, rows_per_part: Option<u64>) -> PyResult<Self> {
        guarded(|| {
            let study = study.within(py, None)?;
            let Some(sweep) = study.sweep.clone() else {
                let hint = "give over, as in over={\"mu\": [0.1, 0.2]}";
                return Err(errors::value("nothing varies".into(), Some(hint)));
            };
            let run = SweepRun { samples, rows_per_part, ..SweepRun::default() };
            let manifest = run.manifest(&sweep).map_err(|error| errors::dataset(py, &error))?;
            Ok(Self { sweep, manifest, run })
        })
    }

    /// Computes all rows, or those of one shard, into a folder.
    #[pyo3(signature = (folder, resume=false, shard=None, threads=None, progress=None, max_time=None))]
    #[allow(clippy::too_many_arguments)]
    fn run(
        &self,
        py: Python,
        folder: PathBuf,
        resume: bool,
        shard: Option<(u64, u64)>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        max_time: Option<f64>,
    ) -> PyResult<()> {
        guarded(|| {
            let deadline = Deadline::after(max_time)?;
            let run = self.run_with(resume, shard, threads)?;
            watched_rows(py, progress, deadline, |report| run.run(&self.sweep, &folder, report)).map(drop)
        })
    }

    /// Begins a dataset in a folder, or goes on with it; the numbers of the parts that are missing.
    fn begin(&self, py: Python, folder: PathBuf, resume: bool) -> PyResult<Vec<u64>> {
        guarded(|| {
            let run = self.run_with(resume, None, None)?;
            let begun = py.detach(|| run.begin(&self.sweep, &folder));
            let (manifest, there) = begun.map_err(|error| errors::dataset(py, &error))?;
            Ok((0..manifest.parts()).filter(|k| there.parts.binary_search(k).is_err()).collect())
        })
    }

    /// The files of part `k`, in the order in which they are to appear.
    #[pyo3(signature = (k, threads=None))]
    fn part<'py>(&self, py: Python<'py>, k: u64, threads: Option<usize>) -> PyResult<Vec<FileOut<'py>>> {
        guarded(|| {
            let run = self.run_with(false, None, threads)?;
            let files = watched_rows(py, None, Deadline::NONE, |report| run.part(&self.sweep, k, report))?;
            Ok(files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect())
        })
    }

    /// Computes part `k` on one thread and writes it into a folder that is begun.
    fn write(&self, py: Python, folder: PathBuf, k: u64) -> PyResult<()> {
        guarded(|| {
            let run = self.run_with(true, None, Some(1))?;
            watched_rows(py, None, Deadline::NONE, |report| {
                run.put(&folder, &run.part(&self.sweep, k, report)?)
            })
        })
    }

    /// Counts what is in the folder, and writes it down.
    fn end(&self, py: Python, folder: PathBuf) -> PyResult<()> {
        guarded(|| py.detach(|| self.run.end(&folder)).map(drop).map_err(|error| errors::dataset(py, &error)))
    }

    /// Whether what was begun elsewhere, under the name `place`, can be gone on with.
    fn continues(&self, py: Python, place: &str, manifest: &[u8], resume: bool) -> PyResult<()> {
        guarded(|| {
            let run = self.run_with(resume, None, None)?;
            let place = Path::new(place);
            let there = Manifest::read(manifest)
                .map_err(|because| DatasetError::Damaged { path: place.join("manifest.json"), because });
            let found = there.and_then(|there| run.continues(place, &there, &self.manifest));
            found.map_err(|error| errors::dataset(py, &error))
        })
    }

    /// The number of rows of part `k` that failed, if these are its bytes.
    fn failed(&self, py: Python, k: u64, bytes: Vec<u8>) -> PyResult<u64> {
        guarded(|| {
            let part = DatasetPart::of(bytes).map_err(|error| error.to_string());
            let part = part.and_then(|part| self.manifest.check(k, &part).map(|()| part));
            let path = PathBuf::from(self.manifest.part_name(k));
            part.map(|part| part.failed())
                .map_err(|because| errors::dataset(py, &DatasetError::Damaged { path, because }))
        })
    }

    /// The manifest when so many rows are there.
    fn manifest<'py>(&self, py: Python<'py>, done: u64, failed: u64) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| {
            let manifest = Manifest { rows_done: done, rows_failed: failed, ..self.manifest.clone() };
            Ok(PyBytes::new(py, &manifest.bytes()))
        })
    }

    /// The change of a fact along the last axis, found in a folder whose rows are all there.
    #[pyo3(signature = (folder, fact, tolerance, threads=None, progress=None, max_time=None))]
    #[allow(clippy::too_many_arguments)]
    fn refine(
        &self,
        py: Python,
        folder: PathBuf,
        fact: &str,
        tolerance: f64,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        max_time: Option<f64>,
    ) -> PyResult<Vec<BoundaryOut>> {
        guarded(|| {
            let deadline = Deadline::after(max_time)?;
            self.run_with(false, None, threads)?;
            let (_, found) = watched_rows(py, progress, deadline, |report| {
                refine(&self.sweep, &Dataset::open(&folder)?, fact, tolerance, threads, report)
            })?;
            Ok(found.into_iter().map(|boundary| (boundary.sides, boundary.facts)).collect())
        })
    }

    /// The file of part `k`.
    fn part_name(&self, k: u64) -> String {
        self.manifest.part_name(k)
    }

    /// Rows of part `k`.
    fn part_rows(&self, k: u64) -> u64 {
        let range = self.manifest.range(k);
        range.end - range.start
    }

    /// Number of parts.
    #[getter]
    fn parts(&self) -> u64 {
        self.manifest.parts()
    }

    /// SHA-256 of everything that decides the rows.
    #[getter]
    fn hash(&self) -> &str {
        &self.manifest.hash
    }

    /// The scenario with its sweep, all defaults filled in (TOML).
    #[getter]
    fn scenario(&self) -> &str {
        &self.manifest.scenario
    }

    /// Whether it is small enough for a table of all rows.
    #[getter]
    fn is_small(&self) -> bool {
        self.manifest.rows <= SMALL
    }
}

/// The manifest of the dataset in a folder (JSON), with the rows that are there counted.
#[pyfunction]
pub fn dataset_manifest(py: Python, folder: PathBuf) -> PyResult<String> {
    guarded(|| {
        let dataset = py.detach(|| Dataset::open(&folder)).map_err(|error| errors::dataset(py, &error))?;
        let now =
            Manifest { rows_done: dataset.done, rows_failed: dataset.failed, ..dataset.manifest.clone() };
        Ok(String::from_utf8_lossy(&now.bytes()).into_owned())
    })
}

/// Whether these bytes are the part of that name of a dataset that is kept elsewhere, under the name `place`.
#[pyfunction]
pub fn check_part(py: Python, place: &str, manifest: &[u8], name: &str, bytes: Vec<u8>) -> PyResult<()> {
    guarded(|| {
        let damaged = |name: &str, because| {
            let path = Path::new(place).join(name);
            errors::dataset(py, &DatasetError::Damaged { path, because })
        };
        let manifest = Manifest::read(manifest).map_err(|because| damaged("manifest.json", because))?;
        let file = name.rsplit('/').next().unwrap_or(name);
        let checked = || {
            let k = manifest.part_of(file).ok_or("the manifest has no such part")?;
            let part = DatasetPart::of(bytes).map_err(|error| error.to_string())?;
            manifest.check(k, &part)
        };
        checked().map_err(|because| damaged(name, because))
    })
}

/// A column of the dataset in a folder; NaN where there is no number.
#[pyfunction]
pub fn dataset_numbers<'py>(
    py: Python<'py>,
    folder: PathBuf,
    name: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    guarded(|| {
        let found = py.detach(|| Dataset::open(&folder)?.numbers(name));
        found.map(|numbers| PyArray1::from_vec(py, numbers)).map_err(|error| errors::dataset(py, &error))
    })
}

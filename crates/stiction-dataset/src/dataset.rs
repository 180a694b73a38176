//! A dataset that is there: its manifest, its parts, its columns.

use crate::error::DatasetError;
use crate::manifest::{MANIFEST, Manifest, ROWS};
use crate::part::DatasetPart;
use crate::run::SAMPLES;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with a manifest and parts.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The folder.
    pub folder: PathBuf,
    /// What it is.
    pub manifest: Manifest,
    /// The parts that are there, by their numbers.
    pub parts: Vec<u64>,
    /// Rows of the parts that are there.
    pub done: u64,
    /// Rows among them that failed.
    pub failed: u64,
}

impl Dataset {
    /// Opens a folder; every part that is there must be whole, and belong to it.
    pub fn open(folder: &Path) -> Result<Self, DatasetError> {
        let path = folder.join(MANIFEST);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DatasetError::Missing(folder.into()));
            }
            found => found.map_err(|error| DatasetError::read(&path, error))?,
        };
        let manifest = Manifest::read(&text).map_err(|because| DatasetError::damaged(&path, because))?;
        let mut dataset = Self::empty(folder, manifest);
        dataset.parts = dataset.listed()?;
        let counts: Vec<Option<[u64; 2]>> =
            dataset.parts.par_iter().map(|k| dataset.counted(*k)).collect::<Result<_, _>>()?;
        let mut is_there = counts.iter().map(Option::is_some);
        dataset.parts.retain(|_| is_there.next() == Some(true));
        dataset.done = counts.iter().flatten().map(|[rows, _]| rows).sum();
        dataset.failed = counts.iter().flatten().map(|[_, failed]| failed).sum();
        Ok(dataset)
    }

    /// A dataset of which nothing is there.
    pub(crate) fn empty(folder: &Path, manifest: Manifest) -> Self {
        Self { folder: folder.into(), manifest, parts: Vec::new(), done: 0, failed: 0 }
    }

    /// The numbers of the parts that are in the folder, ascending.
    fn listed(&self) -> Result<Vec<u64>, DatasetError> {
        let rows = self.folder.join(ROWS);
        let entries = match fs::read_dir(&rows) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            found => found.map_err(|error| DatasetError::read(&rows, error))?,
        };
        let mut parts = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| DatasetError::read(&rows, error))?;
            parts.extend(entry.file_name().to_str().and_then(|name| self.manifest.part_of(name)));
        }
        parts.sort_unstable();
        Ok(parts)
    }

    /// The rows of part `k`, and those that failed, once it is seen to be whole, and its samples too. A part whose samples are
    /// missing is to be computed again: none.
    fn counted(&self, k: u64) -> Result<Option<[u64; 2]>, DatasetError> {
        let open = |path: &Path| DatasetPart::open(path).map_err(|error| DatasetError::damaged(path, error));
        let path = self.part_path(k);
        let part = open(&path)?;
        self.manifest.check(k, &part).map_err(|because| DatasetError::damaged(&path, because))?;
        if part.n_samples() > 0 {
            let beside = self.folder.join(SAMPLES).join(self.manifest.file_name(k));
            if !beside.exists() {
                return Ok(None);
            }
            let found = self.manifest.check_samples(k, &part, &open(&beside)?);
            found.map_err(|because| DatasetError::damaged(&beside, because))?;
        }
        Ok(Some([part.rows(), part.failed()]))
    }

    /// The file of part `k`.
    pub fn part_path(&self, k: u64) -> PathBuf {
        self.folder.join(self.manifest.part_name(k))
    }

    /// Whether all rows are there.
    pub fn is_complete(&self) -> bool {
        self.done == self.manifest.rows
    }

    /// The numbers of a column in all parts that are there, in order; NaN where there is none.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, DatasetError> {
        if !self.manifest.columns.iter().any(|column| column.name == name) {
            let known: Vec<&str> = self.manifest.columns.iter().map(|column| column.name.as_str()).collect();
            return Err(DatasetError::Unanswerable {
                message: format!("{} has no column {name}", self.folder.display()),
                hint: format!("one of {}", known.join(", ")),
            });
        }
        let mut numbers = Vec::new();
        for k in &self.parts {
            let path = self.part_path(*k);
            let wrong = |error: &dyn std::fmt::Display| DatasetError::damaged(&path, error);
            let part = DatasetPart::checked(&path).map_err(|error| wrong(&error))?;
            let found = part.numbers(name).map_err(|error| wrong(&error))?;
            numbers.extend(found.ok_or_else(|| wrong(&format!("it has no column {name}")))?);
        }
        Ok(numbers)
    }

    /// Why rows failed, the most frequent reason first, with the number of rows.
    pub fn reasons(&self) -> Result<Vec<(String, u64)>, DatasetError> {
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for k in &self.parts {
            let path = self.part_path(*k);
            let part = DatasetPart::checked(&path).map_err(|error| DatasetError::damaged(&path, error))?;
            if part.failed() == 0 {
                continue;
            }
            let texts = part.texts("error").map_err(|error| DatasetError::damaged(&path, error))?;
            for text in texts.into_iter().flatten().flatten() {
                *reasons.entry(text).or_default() += 1;
            }
        }
        let mut reasons: Vec<(String, u64)> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        Ok(reasons)
    }

    /// All rows as CSV, with names and units in the first line as the columns of a run have them.
    pub fn csv(&self) -> Result<String, DatasetError> {
        let columns = &self.manifest.columns;
        let lists = columns.iter().map(|column| self.numbers(&column.name)).collect::<Result<Vec<_>, _>>()?;
        let mut text = String::from("index");
        for column in columns {
            text.push_str(&format!(",{}", column.name));
        }
        text.push_str(",error\n");
        let mut errors = Vec::new();
        for k in &self.parts {
            let path = self.part_path(*k);
            let part = DatasetPart::checked(&path).map_err(|error| DatasetError::damaged(&path, error))?;
            let first = self.manifest.range(*k).start;
            let texts = part.texts("error").map_err(|error| DatasetError::damaged(&path, error))?;
            errors.extend((first..).zip(texts.unwrap_or_default()));
        }
        for (row, (index, error)) in errors.iter().enumerate() {
            text.push_str(&index.to_string());
            for list in &lists {
                let cell = list.get(row).copied().filter(|x| !x.is_nan()).map(|x| x.to_string());
                text.push_str(&format!(",{}", cell.unwrap_or_default()));
            }
            let error = error.as_deref().unwrap_or_default().replace('"', "\"\"");
            text.push_str(&if error.is_empty() { ",\n".into() } else { format!(",\"{error}\"\n") });
        }
        Ok(text)
    }
}

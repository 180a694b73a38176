//! A dataset that is there: its manifest, its parts, its columns.

use crate::error::DatasetError;
use crate::manifest::{MANIFEST, Manifest};
use crate::part::DatasetPart;
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
        let mut dataset = Self { folder: folder.into(), manifest, parts: Vec::new(), done: 0, failed: 0 };
        for k in 0..dataset.manifest.parts() {
            let path = dataset.part_path(k);
            if !path.exists() {
                continue;
            }
            let part = DatasetPart::open(&path).map_err(|error| DatasetError::damaged(&path, error))?;
            dataset.manifest.check(k, &part).map_err(|because| DatasetError::damaged(&path, because))?;
            dataset.parts.push(k);
            dataset.done += part.rows();
            dataset.failed += part.failed();
        }
        Ok(dataset)
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
            let part = DatasetPart::open(&path).map_err(|error| wrong(&error))?;
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
            let part = DatasetPart::open(&path).map_err(|error| DatasetError::damaged(&path, error))?;
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
            let part = DatasetPart::open(&path).map_err(|error| DatasetError::damaged(&path, error))?;
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

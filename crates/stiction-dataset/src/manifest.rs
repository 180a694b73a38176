//! The manifest of a dataset: what was computed, from what, and how much of it is there.

use crate::part::{DatasetPart, HASH, Metadata};
use serde::{Deserialize, Serialize};
use stiction_study::sweep::{AxisValues, BLOCK, Spacing, Sweep, SweepAxis};
use stiction_study::{Provenance, files_hash, sha256};

/// Name of the manifest in its folder.
pub const MANIFEST: &str = "manifest.json";
/// Folder of the parts: nothing else is in it, so that data tools open it as it is.
pub const ROWS: &str = "rows";
/// Version of the format of folder and manifest: since 2 every part has a checksum, and the hash covers the manifest.
const FORMAT: u32 = 2;
/// The most rows of a part: some hundred kilobytes, and half a second of work for the fastest points.
const LARGEST: u64 = 8192;
/// Parts that a small sweep is cut into at least, so that little is lost when it is stopped.
const PARTS: u64 = 64;

/// What a dataset is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format.
    pub format: u32,
    /// Version of stiction.
    pub stiction: String,
    /// Commit that it was built from, if known.
    pub commit: Option<String>,
    /// SHA-256 of everything that decides the rows, and of what is said about them: all of this but the commit and the
    /// numbers of rows that are done.
    pub hash: String,
    /// Title of the scenario.
    pub title: String,
    /// What is computed at every point: `steady`, `transient`, ….
    pub task: String,
    /// The scenario with its sweep, all defaults filled in (TOML).
    pub scenario: String,
    /// SHA-256 of the files that the scenario names, if it names any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// What varies; of a grid the last varies fastest.
    pub axes: Vec<AxisEntry>,
    /// How points are drawn; a grid if absent.
    pub draw: Option<DrawEntry>,
    /// The columns of values and facts.
    pub columns: Vec<ColumnEntry>,
    /// Number of rows.
    pub rows: u64,
    /// Rows of a part.
    pub rows_per_part: u64,
    /// Whether the samples of every point are kept.
    pub samples: bool,
    /// Rows that are there.
    pub rows_done: u64,
    /// Rows among them that failed.
    pub rows_failed: u64,
}

/// A number that varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisEntry {
    /// Name of its column.
    pub name: String,
    /// Path of its key.
    pub key: String,
    /// Letter of the literature.
    pub symbol: String,
    /// SI unit.
    pub unit: String,
    /// Number of its values; 0 if points are drawn from a range.
    pub points: u64,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// Whether the values have equal ratios.
    pub log: bool,
    /// The dimension of the grid that it moves along.
    pub dimension: usize,
}

/// How points are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawEntry {
    /// The sampler.
    pub kind: stiction_study::DrawKind,
    /// The seed.
    pub seed: u64,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEntry {
    /// Name, in snake case.
    pub name: String,
    /// Letter of the literature.
    pub symbol: String,
    /// SI unit, `-` for a pure number.
    pub unit: String,
    /// What it is, in a sentence.
    pub meaning: String,
}

impl Manifest {
    /// The manifest of a sweep of which nothing is done; otherwise why its scenario cannot be written down.
    pub fn new(
        sweep: &Sweep,
        rows_per_part: Option<u64>,
        samples: bool,
    ) -> Result<Self, Box<keyed::Diagnostic>> {
        let scenario = sweep.scenario().to_toml()?;
        let usual = sweep.rows.div_ceil(PARTS).clamp(1, LARGEST);
        // cores share the work by blocks, and a part that is less than one would cut it
        let rows_per_part = rows_per_part.unwrap_or(usual).clamp(1, 1 << 20).next_multiple_of(BLOCK);
        let (stiction, commit) = (env!("CARGO_PKG_VERSION"), option_env!("STICTION_COMMIT"));
        let columns = sweep.columns().into_iter().map(|column| ColumnEntry {
            name: column.name,
            symbol: column.symbol,
            unit: column.unit,
            meaning: column.meaning,
        });
        let manifest = Self {
            format: FORMAT,
            stiction: stiction.into(),
            commit: commit.map(str::to_owned),
            hash: String::new(),
            title: sweep.scenario().title.clone(),
            task: sweep.task(),
            scenario,
            files: files_hash(sweep.scenario()),
            axes: sweep.axes.iter().map(AxisEntry::new).collect(),
            draw: sweep.draw.as_ref().map(|draw| DrawEntry { kind: draw.kind, seed: draw.seed }),
            columns: columns.collect(),
            rows: sweep.rows,
            rows_per_part,
            samples,
            rows_done: 0,
            rows_failed: 0,
        };
        Ok(Self { hash: manifest.own_hash(), ..manifest })
    }

    fn own_hash(&self) -> String {
        let bare = Self { commit: None, hash: String::new(), rows_done: 0, rows_failed: 0, ..self.clone() };
        sha256(&bare.bytes())
    }

    /// The manifest that a file holds; otherwise what is wrong with it.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        let format = |json: &serde_json::Value| json.get("format").and_then(serde_json::Value::as_u64);
        let json: serde_json::Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if let Some(format) = format(&json).filter(|format| *format != u64::from(FORMAT)) {
            return Err(format!("format {format}, but this version reads {FORMAT}"));
        }
        let manifest: Self = serde_json::from_value(json).map_err(|error| error.to_string())?;
        match manifest.hash == manifest.own_hash() {
            true => Ok(manifest),
            false => Err("its hash is of another text".into()),
        }
    }

    /// Whether a part is part `k` of this dataset; otherwise what is wrong with it.
    pub fn check(&self, k: u64, part: &DatasetPart) -> Result<(), String> {
        let range = self.range(k);
        if part.metadata(HASH).as_deref() != Some(&self.hash) {
            return Err("it belongs to another dataset".into());
        }
        if part.rows() != range.end - range.start {
            return Err(format!("{} rows, but there must be {}", part.rows(), range.end - range.start));
        }
        let indices = part.indices().map_err(|error| error.to_string())?;
        match indices.first() {
            _ if indices.iter().map(|i| *i as u64).eq(range.clone()) => Ok(()),
            first => Err(format!(
                "it begins with row {}, but it must with {}: was it renamed?",
                first.copied().unwrap_or(0),
                range.start
            )),
        }
    }

    /// Whether a part holds the samples of `rows`, which is part `k` of this dataset; otherwise what is wrong with it.
    pub fn check_samples(&self, k: u64, rows: &DatasetPart, samples: &DatasetPart) -> Result<(), String> {
        let range = self.range(k);
        let of = |samples: &DatasetPart| samples.indices().map_err(|error| error.to_string());
        if samples.metadata(HASH).as_deref() != Some(&self.hash) {
            return Err("it belongs to another dataset".into());
        }
        if samples.rows() != rows.n_samples() || !of(samples)?.iter().all(|i| range.contains(&(*i as u64))) {
            return Err(format!("it does not hold the samples of rows {} to {}", range.start, range.end - 1));
        }
        Ok(())
    }

    /// Number of parts.
    pub fn parts(&self) -> u64 {
        self.rows.div_ceil(self.rows_per_part)
    }

    /// Rows of part `k`.
    pub fn range(&self, k: u64) -> std::ops::Range<u64> {
        (k * self.rows_per_part).min(self.rows)..((k + 1) * self.rows_per_part).min(self.rows)
    }

    /// The file of part `k`, with the folder that it is in.
    pub fn part_name(&self, k: u64) -> String {
        format!("{ROWS}/{}", self.file_name(k))
    }

    /// The number of the part that a file of this name is.
    pub fn part_of(&self, name: &str) -> Option<u64> {
        let k = name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok()?;
        (k < self.parts() && self.file_name(k) == name).then_some(k)
    }

    /// The file of part `k`, in whatever folder.
    pub fn file_name(&self, k: u64) -> String {
        format!("part-{k:06}.parquet")
    }

    /// The manifest as a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// What every part says of itself.
    pub fn metadata(&self) -> Metadata {
        let units: serde_json::Map<String, serde_json::Value> =
            self.columns.iter().map(|column| (column.name.clone(), column.unit.clone().into())).collect();
        let commit = self.commit.iter().map(|commit| ("stiction.commit".into(), commit.clone()));
        let pairs = [
            (HASH.into(), self.hash.clone()),
            ("stiction.version".into(), self.stiction.clone()),
            ("stiction.units".into(), serde_json::Value::Object(units).to_string()),
            ("stiction.scenario".into(), self.scenario.clone()),
        ];
        pairs.into_iter().chain(commit).collect()
    }

    /// What pictures of the rows say of themselves.
    pub fn provenance(&self, command: &str) -> Provenance {
        let (stiction, commit) = (self.stiction.clone(), self.commit.clone());
        Provenance { stiction, commit, ..Provenance::of(command, self.scenario.clone(), self.hash.clone()) }
    }

    /// The first thing in which two sweeps differ, in words.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.hash == other.hash {
            return None;
        }
        let lines = |manifest: &Self| manifest.scenario.lines().map(str::to_owned).collect::<Vec<_>>();
        let (ours, theirs) = (lines(self), lines(other));
        let changed = ours
            .iter()
            .find(|line| !theirs.contains(line))
            .or(theirs.iter().find(|line| !ours.contains(line)));
        Some(match changed {
            _ if self.stiction != other.stiction => format!("version of stiction, {}", self.stiction),
            _ if self.rows_per_part != other.rows_per_part => {
                format!("number of rows in a part, {}", self.rows_per_part)
            }
            _ if self.samples != other.samples => "choice of samples".into(),
            None if self.files != other.files => "content of the files that its scenario names".into(),
            Some(line) => format!("scenario: `{}` differs", line.trim()),
            None => "scenario".into(),
        })
    }
}

impl AxisEntry {
    fn new(axis: &SweepAxis) -> Self {
        let (range, log) = match &axis.values {
            AxisValues::Range { ends, spacing, .. } => (*ends, *spacing == Spacing::Log),
            AxisValues::List(list) => {
                let ends =
                    list.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(*x), b.max(*x)]);
                (ends, false)
            }
        };
        Self {
            name: axis.name.clone(),
            key: axis.path.join("."),
            symbol: axis.symbol.clone(),
            unit: axis.unit.clone(),
            points: axis.values.len(),
            range: [range[0].min(range[1]), range[0].max(range[1])],
            log,
            dimension: axis.dimension,
        }
    }
}

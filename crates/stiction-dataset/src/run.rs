//! A sweep on all cores, part by part.
//!
//! ```text
//!   group of parts ──blocks on all cores──▶ rows in order ──channel──▶ writer: Parquet, temporary name, fsync, rename
//! ```
//!
//! A part is either there, whole, or not there. Whatever ends a run, the next one computes the parts that are missing; as a
//! row depends on nothing but the scenario and its number, the bytes are those of a run that nothing ended. Rows in memory are
//! those of two groups, however many there are.

use crate::dataset::Dataset;
use crate::disk::{is_temporary, replace, step};
use crate::error::DatasetError;
use crate::lock;
use crate::manifest::{MANIFEST, Manifest, ROWS};
use crate::part::{encoded, encoded_samples};
use rayon::prelude::*;
use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::Duration;
use stiction::{Error, Progress};
use stiction_study::sweep::{Sweep, SweepRow};
use stiction_study::{Bug, bug};

/// Between two looks at who waits.
const PAUSE: Duration = Duration::from_millis(50);
/// Blocks for each core in a group of parts: the cores wait for the last of them.
const BLOCKS: u64 = 16;
/// Folder of the samples.
pub const SAMPLES: &str = "samples";
/// Datasets of at most so many rows are written as CSV, too.
pub const SMALL: u64 = 10_000;
/// That file.
pub const CSV: &str = "rows.csv";

/// How to run a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepRun {
    /// Continue what is there.
    pub resume: bool,
    /// Compute only the parts whose number is `i` modulo `n`, for one of `n` jobs.
    pub shard: Option<(u64, u64)>,
    /// Number of threads; all cores if absent.
    pub threads: Option<usize>,
    /// Keep the samples of every point.
    pub samples: bool,
    /// Rows of a part, rounded up to a block; a number that suits the sweep if absent.
    pub rows_per_part: Option<u64>,
}

/// Files of a part: names in the folder of the dataset, and bytes.
pub type PartFiles = Vec<(String, Vec<u8>)>;

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepProgress {
    /// Rows that were there already.
    pub before: u64,
    /// Rows that this run has computed.
    pub computed: u64,
    /// Rows that it is to have in the end, with those before.
    pub rows: u64,
}

impl SweepRun {
    /// Runs a sweep into a folder. `report` receives how far it has come some twenty times a second, and stops it by `false`;
    /// what is done is kept.
    pub fn run(
        &self,
        sweep: &Sweep,
        folder: &Path,
        report: &mut dyn FnMut(SweepProgress) -> bool,
    ) -> Result<Dataset, DatasetError> {
        let (manifest, there, _lock) = self.locked(sweep, folder)?;
        let is_mine = |k: &u64| self.shard.is_none_or(|(i, n)| k % n.max(1) == i);
        let mine: Vec<u64> = (0..manifest.parts()).filter(is_mine).collect();
        let missing: Vec<u64> =
            mine.iter().copied().filter(|k| there.parts.binary_search(k).is_err()).collect();
        let count =
            |parts: &[u64]| parts.iter().map(|k| manifest.range(*k)).map(|r| r.end - r.start).sum::<u64>();
        let rows = count(&mine);
        let before = rows - count(&missing);
        let shared = Shared { stop: AtomicBool::new(false), computed: AtomicU64::new(0) };
        let progress =
            |shared: &Shared| SweepProgress { before, computed: shared.computed.load(Relaxed), rows };
        let worked = std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let (manifest, shared, missing) = (&manifest, &shared, &missing);
            scope.spawn(move || sender.send(self.parts(sweep, folder, manifest, missing, shared)));
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok(worked) => return worked,
                    Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                    Err(RecvTimeoutError::Timeout) if report(progress(shared)) => {}
                    Err(RecvTimeoutError::Timeout) => shared.stop.store(true, Relaxed),
                }
            }
        });
        let was_stopped = shared.stop.load(Relaxed);
        // what is there is reported whatever happened
        let done = self.end(folder);
        worked?;
        let dataset = done?;
        report(progress(&shared));
        let own = dataset.parts.iter().filter(|k| is_mine(k)).count();
        if was_stopped && own < mine.len() {
            return Err(DatasetError::Stopped { done: dataset.done, rows: dataset.manifest.rows });
        }
        Ok(dataset)
    }

    /// What is to be computed.
    pub fn manifest(&self, sweep: &Sweep) -> Result<Manifest, DatasetError> {
        Manifest::new(sweep, self.rows_per_part, self.samples).map_err(|fault| DatasetError::Unanswerable {
            message: fault.message.clone(),
            hint: String::new(),
        })
    }

    /// Whether what was begun in a folder can be gone on with.
    pub fn continues(&self, folder: &Path, there: &Manifest, wanted: &Manifest) -> Result<(), DatasetError> {
        if let Some(what) = there.difference(wanted) {
            return Err(DatasetError::Changed { folder: folder.into(), what });
        }
        // jobs that share a folder find it begun by the first of them
        if !self.resume && self.shard.is_none() {
            let (done, rows) = (there.rows_done, there.rows);
            return Err(DatasetError::Exists { folder: folder.into(), done, rows });
        }
        Ok(())
    }

    /// Sees that the folder can take the sweep, and writes the manifest if there is none. Gives what is to be there and what is.
    pub fn begin(&self, sweep: &Sweep, folder: &Path) -> Result<(Manifest, Dataset), DatasetError> {
        self.locked(sweep, folder).map(|(manifest, there, _)| (manifest, there))
    }

    /// The same, with the lock under which parts are written. Jobs that are started together begin one after the other.
    fn locked(
        &self,
        sweep: &Sweep,
        folder: &Path,
    ) -> Result<(Manifest, Dataset, Option<File>), DatasetError> {
        let manifest = self.manifest(sweep)?;
        if folder.exists() && !folder.is_dir() {
            return Err(DatasetError::write(folder, std::io::ErrorKind::NotADirectory.into()));
        }
        step(|| fs::create_dir_all(folder)).map_err(|error| DatasetError::write(folder, error))?;
        let _alone = lock::alone(folder);
        let path = folder.join(MANIFEST);
        let found = if path.exists() { None } else { foreign(folder) };
        // looked for again: without locks another job may have begun in between
        let there = if path.exists() {
            let there = Dataset::open(folder)?;
            let now = Manifest { rows_done: there.done, ..there.manifest.clone() };
            self.continues(folder, &now, &manifest)?;
            there
        } else if let Some(name) = found {
            return Err(DatasetError::Foreign { folder: folder.into(), name });
        } else {
            replace(&path, &manifest.bytes()).map_err(|error| DatasetError::write(&path, error))?;
            Dataset::empty(folder, manifest.clone())
        };
        let [rows, samples] = [ROWS, SAMPLES].map(|name| folder.join(name));
        for folder in std::iter::once(&rows).chain(self.samples.then_some(&samples)) {
            step(|| fs::create_dir_all(folder)).map_err(|error| DatasetError::write(folder, error))?;
        }
        lock::tidy(&[&rows, &samples]);
        Ok((manifest, there, lock::together(&rows)))
    }

    /// The files of part `k` with their names in the folder, in the order in which they are to appear, computed here and now; none
    /// if `report` stops it.
    pub fn part(
        &self,
        sweep: &Sweep,
        k: u64,
        report: &mut dyn FnMut(SweepProgress) -> bool,
    ) -> Result<PartFiles, DatasetError> {
        let manifest = self.manifest(sweep)?;
        let rows = manifest.range(k).end - manifest.range(k).start;
        let shared = Shared { stop: AtomicBool::new(false), computed: AtomicU64::new(0) };
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let (manifest, shared) = (&manifest, &shared);
            scope.spawn(move || sender.send(self.part_files(sweep, manifest, k, shared)));
            loop {
                let progress = SweepProgress { before: 0, computed: shared.computed.load(Relaxed), rows };
                match receiver.recv_timeout(PAUSE) {
                    Ok(files) => return files,
                    Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                    Err(RecvTimeoutError::Timeout) if report(progress) => {}
                    Err(RecvTimeoutError::Timeout) => shared.stop.store(true, Relaxed),
                }
            }
        })
    }

    fn part_files(
        &self,
        sweep: &Sweep,
        manifest: &Manifest,
        k: u64,
        shared: &Shared,
    ) -> Result<PartFiles, DatasetError> {
        let work = || {
            let mut found = None;
            self.compute(sweep, manifest, &[k], shared, 1, &self.pool()?, |_, rows| {
                found = Some(rows);
                true
            })?;
            found.map_or_else(
                || Err(DatasetError::Stopped { done: 0, rows: manifest.rows }),
                |rows| self.files(manifest, k, &rows),
            )
        };
        bug::guarded(work).unwrap_or_else(|bug| Err(DatasetError::Bug(bug)))
    }

    /// Writes the files of a part into a folder that is begun.
    pub fn put(&self, folder: &Path, files: &PartFiles) -> Result<(), DatasetError> {
        let _lock = lock::together(&folder.join(ROWS));
        put(folder, files)
    }

    fn pool(&self) -> Result<rayon::ThreadPool, DatasetError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build();
        pool.map_err(|error| DatasetError::Unanswerable {
            message: format!("no threads: {error}"),
            hint: "give fewer by --threads (Python: threads)".into(),
        })
    }

    /// Computes and writes parts.
    fn parts(
        &self,
        sweep: &Sweep,
        folder: &Path,
        manifest: &Manifest,
        missing: &[u64],
        shared: &Shared,
    ) -> Result<(), DatasetError> {
        let pool = self.pool()?;
        let enough = pool.current_num_threads() as u64 * BLOCKS * sweep.block();
        let in_group = enough.div_ceil(manifest.rows_per_part).max(1) as usize;
        std::thread::scope(|scope| {
            // one group is written while the next is computed
            let (sender, receiver) = sync_channel::<(u64, Vec<SweepRow>)>(in_group);
            let writer = scope.spawn(move || {
                let written = bug::guarded(|| self.write(folder, manifest, &receiver));
                let written = written.unwrap_or_else(|bug| Err(DatasetError::Bug(bug)));
                if written.is_err() {
                    shared.stop.store(true, Relaxed);
                }
                written
            });
            let computed = self.compute(sweep, manifest, missing, shared, in_group, &pool, |k, rows| {
                sender.send((k, rows)).is_ok()
            });
            drop(sender);
            // a disc that is full is why there is nobody to send to
            writer.join().unwrap_or_else(|_| Err(lost()))?;
            computed
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn compute(
        &self,
        sweep: &Sweep,
        manifest: &Manifest,
        missing: &[u64],
        shared: &Shared,
        in_group: usize,
        pool: &rayon::ThreadPool,
        mut send: impl FnMut(u64, Vec<SweepRow>) -> bool,
    ) -> Result<(), DatasetError> {
        for group in missing.chunks(in_group) {
            let blocks: Vec<(u64, std::ops::Range<u64>)> = group
                .iter()
                .flat_map(|k| {
                    let range = manifest.range(*k);
                    let starts = range.clone().step_by(sweep.block() as usize);
                    starts.map(move |start| (*k, start..(start + sweep.block()).min(range.end)))
                })
                .collect();
            let block =
                |(_, range): &(u64, std::ops::Range<u64>)| shared.rows(sweep, range.clone(), self.samples);
            let found: Result<Vec<Vec<SweepRow>>, Error> =
                pool.install(|| blocks.par_iter().map(block).collect());
            let found = match found {
                Ok(found) => found,
                // what was asked to stop is no failure
                Err(Error::Interrupted { .. }) => return Ok(()),
                Err(error) => return Err(DatasetError::Run(error)),
            };
            let mut found = blocks.iter().map(|(k, _)| *k).zip(found).peekable();
            for k in group {
                let mut rows = Vec::new();
                while let Some((_, block)) = found.next_if(|(part, _)| part == k) {
                    rows.extend(block);
                }
                if !send(*k, rows) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Writes parts as they come; samples first, so that a part that is there has its samples.
    fn write(
        &self,
        folder: &Path,
        manifest: &Manifest,
        parts: &Receiver<(u64, Vec<SweepRow>)>,
    ) -> Result<(), DatasetError> {
        for (k, rows) in parts {
            put(folder, &self.files(manifest, k, &rows)?)?;
        }
        Ok(())
    }

    /// The files of part `k`, in the order in which they are to appear.
    fn files(&self, manifest: &Manifest, k: u64, rows: &[SweepRow]) -> Result<PartFiles, DatasetError> {
        let names: Vec<String> = manifest.columns.iter().map(|column| column.name.clone()).collect();
        let name = manifest.part_name(k);
        let wrong = |error: parquet::errors::ParquetError| DatasetError::damaged(Path::new(&name), error);
        let mut files = Vec::new();
        if let Some(samples) = encoded_samples(rows, &manifest.metadata()).map_err(wrong)? {
            files.push((format!("{SAMPLES}/{}", manifest.file_name(k)), samples));
        }
        let part = encoded(&names, rows, &manifest.metadata()).map_err(wrong)?;
        files.push((name, part));
        Ok(files)
    }

    /// Counts what is there, and writes it down. What workers left that were killed while they wrote is removed, unless
    /// parts are still being written.
    pub fn end(&self, folder: &Path) -> Result<Dataset, DatasetError> {
        let _alone = lock::alone(folder);
        lock::tidy(&[&folder.join(ROWS), &folder.join(SAMPLES)]);
        let mut dataset = Dataset::open(folder)?;
        let now =
            Manifest { rows_done: dataset.done, rows_failed: dataset.failed, ..dataset.manifest.clone() };
        let path = folder.join(MANIFEST);
        if dataset.is_complete() && now.rows <= SMALL {
            let csv = folder.join(CSV);
            let text = dataset.csv()?;
            // the same bytes are not written twice
            if fs::read(&csv).ok().as_deref() != Some(text.as_bytes()) {
                replace(&csv, text.as_bytes()).map_err(|error| DatasetError::write(&csv, error))?;
            }
        }
        if now != dataset.manifest {
            replace(&path, &now.bytes()).map_err(|error| DatasetError::write(&path, error))?;
        }
        dataset.manifest = now;
        Ok(dataset)
    }
}

fn put(folder: &Path, files: &PartFiles) -> Result<(), DatasetError> {
    for (name, bytes) in files {
        let path = folder.join(name);
        replace(&path, bytes).map_err(|error| DatasetError::write(&path, error))?;
    }
    Ok(())
}

/// What the threads of a run share.
struct Shared {
    stop: AtomicBool,
    computed: AtomicU64,
}

impl Shared {
    fn rows(
        &self,
        sweep: &Sweep,
        range: std::ops::Range<u64>,
        samples: bool,
    ) -> Result<Vec<SweepRow>, Error> {
        let n = range.end - range.start;
        let mut reported = 0;
        let mut report = |fraction: f64| {
            let now = (fraction * n as f64) as u64;
            if now > reported {
                self.computed.fetch_add(now - reported, Relaxed);
                reported = now;
            }
            !self.stop.load(Relaxed)
        };
        let rows = sweep.rows(range, samples, &mut Progress::new(&mut report))?;
        self.computed.fetch_add(n - reported.min(n), Relaxed);
        Ok(rows)
    }
}

fn lost() -> DatasetError {
    DatasetError::Bug(Bug { message: "a thread was lost".into(), place: String::new() })
}

/// A file in a folder that is neither of a dataset nor left by a run that was killed.
fn foreign(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    names.map(|entry| entry.file_name().to_string_lossy().into_owned()).find(|name| !is_temporary(name))
}

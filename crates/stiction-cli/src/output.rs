//! Files and standard output. Files appear whole or not at all.

use crate::args::{FigureArgs, FigureFormat};
use crate::failure::Failure;
use crate::interrupt::{self, UnderWay};
use figure::{Figure, FigureError, pdf, png, svg, svg_outlined};
use keyed::{Diagnostic, Document, Value, plain};
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stiction_dataset::disk::{CHUNK, step, temporary_name, write_new};
use stiction_dataset::lock::remove_temporaries;
use stiction_study::budget::bytes;
use stiction_study::defaults::DPI;
use stiction_study::{Budget, Provenance, bug};

/// How long another run that writes into the same folder is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two looks at it.
const PAUSE: Duration = Duration::from_millis(20);

/// Files that are written together: all under temporary names first, then renamed.
#[derive(Default)]
pub struct Files {
    list: Vec<(PathBuf, Vec<u8>)>,
    look: FigureArgs,
}

impl Files {
    /// Files whose figures are drawn in this way.
    pub fn with_figures(look: &FigureArgs) -> Self {
        Self { look: look.clone(), ..Self::default() }
    }

    pub fn add(&mut self, path: PathBuf, bytes: impl Into<Vec<u8>>) {
        self.list.push((path, bytes.into()));
    }

    /// Adds a figure under the name `stem`, in the formats that are asked for. What goes wrong, a bug included, leaves the other files as
    /// they are.
    pub fn add_figure(&mut self, dir: &Path, stem: &str, figure: &Figure) -> Result<(), Failure> {
        let figure = self.chosen(stem, figure)?;
        let drawn = bug::guarded(|| self.drawn(&figure));
        let drawn = drawn.map_err(|bug| Failure::Internal { subject: format!("the figure {stem}"), bug })?;
        for (ending, bytes) in drawn.map_err(Failure::Figure)? {
            self.add(dir.join(format!("{stem}.{ending}")), bytes);
        }
        Ok(())
    }

    /// The figure with the width and the panels that are asked for.
    fn chosen(&self, stem: &str, figure: &Figure) -> Result<Figure, Failure> {
        let mut figure = figure.clone();
        figure.width = self.look.width.unwrap_or(figure.width);
        if self.look.panels.is_empty() {
            return Ok(figure);
        }
        figure.with_panels(&self.look.panels).map_err(|wish| {
            let message = format!("the figure {stem} has no panel {wish}");
            let hint = Some(format!("its panels are {}", figure.letters().join(", ")));
            Failure::Input(vec![Diagnostic { key: "--panels".into(), message, place: None, hint }])
        })
    }

    /// The figure in each format, with the ending of its file.
    fn drawn(&self, figure: &Figure) -> Result<Vec<(&'static str, Vec<u8>)>, FigureError> {
        let formats = match self.look.formats[..] {
            [] => &[FigureFormat::Svg, FigureFormat::Png],
            ref formats => formats,
        };
        let mut all: Vec<(&str, Vec<u8>)> = Vec::new();
        for format in formats {
            let (ending, bytes) = match format {
                FigureFormat::Svg if self.look.outlines => ("svg", svg_outlined(figure).into_bytes()),
                FigureFormat::Svg => ("svg", svg(figure).into_bytes()),
                FigureFormat::Png => ("png", png(figure, DPI)?),
                FigureFormat::Pdf => ("pdf", pdf(figure)?),
            };
            if all.iter().all(|(other, _)| *other != ending) {
                all.push((ending, bytes));
            }
        }
        Ok(all)
    }

    /// The same for a figure that says where it comes from.
    pub fn add_figure_from(
        &mut self,
        dir: &Path,
        stem: &str,
        figure: Figure,
        provenance: Option<&Provenance>,
    ) -> Result<(), Failure> {
        let note = provenance.map(Provenance::json).unwrap_or_default();
        self.add_figure(dir, stem, &Figure { note, ..figure })
    }

    /// Adds the scenario that tables called `stem` come from: in a table itself it would be in the way of who reads it.
    pub fn add_scenario(&mut self, dir: &Path, stem: &str, provenance: Option<&Provenance>) {
        if let Some(provenance) = provenance {
            self.add(dir.join(format!("{stem}.scenario.toml")), provenance.toml());
        }
    }

    /// These files, then the others.
    pub fn and(mut self, others: Self) -> Self {
        self.list.extend(others.list);
        self
    }

    /// Writes all files, and gives their paths. What goes wrong before the first is renamed leaves earlier files as they were.
    pub fn write(self) -> Result<Vec<PathBuf>, Failure> {
        let _under_way = UnderWay::begin();
        self.check_places()?;
        let folders = self.folders();
        for folder in &folders {
            step(|| fs::create_dir_all(folder)).map_err(|error| Failure::write(folder, error))?;
        }
        let locked: Vec<Lock> = folders.iter().map(|folder| Lock::new(folder)).collect::<Result<_, _>>()?;
        locked.iter().for_each(Lock::clean);

        let mut pending = Pending::default();
        for (path, bytes) in &self.list {
            if let Some(why) = interrupt::stop() {
                return Err(Failure::stopped(why));
            }
            pending.write(path, bytes).map_err(|error| Failure::write(path, error))?;
        }
        pending.rename()?;
        for folder in &folders {
            // the names themselves are to outlive a power cut; where a folder cannot be synchronised, that is all there is
            let _ = step(|| File::open(folder)?.sync_all());
        }
        Ok(self.list.into_iter().map(|(path, _)| path).collect())
    }

    /// No two files of one name, and no directory where a file is to be.
    fn check_places(&self) -> Result<(), Failure> {
        let mut paths: Vec<&PathBuf> = self.list.iter().map(|(path, _)| path).collect();
        paths.sort();
        if let Some(pair) = paths.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Failure::Shared { path: pair[0].clone(), sources: None });
        }
        match paths.into_iter().find(|path| path.is_dir()) {
            Some(path) => Err(Failure::write(path, io::ErrorKind::IsADirectory.into())),
            None => Ok(()),
        }
    }

    /// The folders of all files, each once.
    fn folders(&self) -> Vec<PathBuf> {
        let parent = |path: &PathBuf| match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        // in the order of their names: two runs that wait for each other would wait for ever
        let mut folders: Vec<PathBuf> = self.list.iter().map(|(path, _)| parent(path)).collect();
        folders.sort();
        folders.dedup();
        folders
    }
}

/// Sees that a file can be written to a folder: who waits for a run is not to learn it at the end. Leaves no trace: where the
/// folder is not there, it is asked of the one in which it would be made. No folder is removed, which another run may use by now.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    let above =
        folder.ancestors().find(|above| fs::symlink_metadata(above).is_ok()).unwrap_or(Path::new("."));
    let probe = above.join(temporary_name());
    let tried = step(|| OpenOptions::new().write(true).create_new(true).open(&probe));
    tried.map_err(|error| Failure::write(folder, error))?;
    match fs::remove_file(&probe) {
        // another run that tidies up was faster
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::write(folder, error)),
        _ => Ok(()),
    }
}

/// Files under temporary names; whatever is not renamed is removed.
#[derive(Default)]
struct Pending {
    list: Vec<(PathBuf, PathBuf)>,
}

impl Pending {
    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = path.with_file_name(temporary_name());
        self.list.push((temporary.clone(), path.to_owned()));
        write_new(&temporary, bytes)
    }

    fn rename(&mut self) -> Result<(), Failure> {
        while let Some((temporary, path)) = self.list.last() {
            step(|| fs::rename(temporary, path)).map_err(|error| Failure::write(path, error))?;
            self.list.pop();
        }
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // one that cannot be removed is by the next run
        self.list.iter().for_each(|(temporary, _)| drop(fs::remove_file(temporary)));
    }
}

/// A folder that no other run writes to.
struct Lock {
    folder: PathBuf,
    /// Absent where the file system has no locks.
    handle: Option<File>,
}

impl Lock {
    /// Waits for other runs that write to the folder.
    fn new(folder: &Path) -> Result<Self, Failure> {
        let Ok(handle) = File::open(folder) else { return Ok(Self { folder: folder.into(), handle: None }) };
        let start = Instant::now();
        loop {
            match handle.try_lock() {
                Ok(()) => return Ok(Self { folder: folder.into(), handle: Some(handle) }),
                Err(fs::TryLockError::Error(_)) => return Ok(Self { folder: folder.into(), handle: None }),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() > PATIENCE => {
                    return Err(Failure::Busy(folder.into()));
                }
                Err(fs::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
            if let Some(why) = interrupt::stop() {
                return Err(Failure::stopped(why));
            }
        }
    }

    /// Removes what runs that were killed have left: nobody else writes here now.
    fn clean(&self) {
        if self.handle.is_some() {
            remove_temporaries(&self.folder);
        }
    }
}

/// Paths in a row.
pub fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Reads a text file, or standard input for `-`. Gives the name for messages, too. What is longer than the budget allows is
/// not read.
pub fn read(path: &Path, budget: &Budget) -> Result<(String, String), Failure> {
    let most = budget.file();
    let is_stdin = path == Path::new("-");
    let mut text = String::new();
    let found = if is_stdin {
        io::stdin().take(most + 1).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(most + 1).read_to_string(&mut text))
    };
    let name = if is_stdin { "standard input".into() } else { path.display().to_string() };
    match found {
        // a letter may be cut in two at the end of what is read
        Err(error) if error.kind() == io::ErrorKind::InvalidData && is_longer(path, most) => {
            Err(Failure::Long { name, most: bytes(most) })
        }
        Err(error) => Err(Failure::read(path, error)),
        Ok(n) if n as u64 > most => Err(Failure::Long { name, most: bytes(most) }),
        Ok(_) => Ok((name, text)),
    }
}

/// What is wrong with a file, or that it is for another command: a patch given to `run`, a scenario given to `patch`.
pub fn misread(path: &Path, text: &str, wanted: &str, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let (other, what, command) = match wanted {
        "system" => ("patch", "a contact patch, not a scenario", "patch"),
        _ => ("system", "a scenario, not a contact patch", "run"),
    };
    let name = path.display().to_string();
    let root = Document::parse(&name, text).map(|document| document.root.value);
    let Ok(Value::Table(entries)) = root else { return faults };
    let has = |key: &str| entries.iter().any(|(own, _)| own == key);
    if has(wanted) || !has(other) {
        return faults;
    }
    let (message, hint) = (format!("{name} is {what}"), format!("stiction {command} {name}"));
    vec![Diagnostic { key: String::new(), message, place: None, hint: Some(hint) }]
}

fn is_longer(path: &Path, most: u64) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > most)
}

/// Prints for people: control characters are written out.
pub fn print(text: &str) -> Result<(), Failure> {
    print_data(&plain(text))
}

/// Prints for programs.
pub fn print_data(text: &str) -> Result<(), Failure> {
    stream(|out| out.write_all(text.as_bytes()))
}

/// Prints one line of JSON as it is made.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    stream(|out| {
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

fn stream(write: impl FnOnce(&mut BufWriter<io::StdoutLock>) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(CHUNK, io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::write(Path::new("standard output"), error),
    })
}

/// The name of a scenario's outputs. Bytes that are no text are written out: names that differ stay different.
pub fn stem(path: &Path) -> String {
    let Some(stem) = path.file_stem().filter(|_| path != Path::new("-")) else { return "scenario".into() };
    let mut name = String::new();
    for chunk in stem.as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_stay_different() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &[u8]| stem(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(name(b"dir/a\xff.toml"), "a%FF");
        assert_eq!(name(b"a\xfe.toml"), "a%FE");
        assert_eq!(name("ü.toml".as_bytes()), "ü");
    }
}

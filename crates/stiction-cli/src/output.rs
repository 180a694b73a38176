//! Files and standard output. Files appear whole or not at all.

use crate::failure::Failure;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use stiction_render::figure::{Figure, png, svg_outlined};

/// Resolution of PNG figures: what journals ask for.
const DPI: f64 = 300.0;

/// Files that are written together: all under temporary names first, then renamed.
#[derive(Default)]
pub struct Files {
    list: Vec<(PathBuf, Vec<u8>)>,
}

impl Files {
    pub fn add(&mut self, path: PathBuf, bytes: impl Into<Vec<u8>>) {
        self.list.push((path, bytes.into()));
    }

    /// Adds a figure as SVG and PNG under the name `stem`.
    pub fn add_figure(&mut self, dir: &Path, stem: &str, figure: &Figure) -> Result<(), Failure> {
        let image = png(figure, DPI).map_err(Failure::Figure)?;
        self.add(dir.join(format!("{stem}.svg")), svg_outlined(figure));
        self.add(dir.join(format!("{stem}.png")), image);
        Ok(())
    }

    /// Writes all files, and gives their paths.
    pub fn write(self) -> Result<Vec<PathBuf>, Failure> {
        let mut pending: Vec<(PathBuf, PathBuf)> = Vec::new();
        let result = self.list.iter().try_for_each(|(path, bytes)| {
            let temporary = temporary_name(path);
            if let Some(dir) = path.parent() {
                fs::create_dir_all(dir).map_err(|error| Failure::write(dir, error))?;
            }
            pending.push((temporary.clone(), path.clone()));
            fs::write(&temporary, bytes).map_err(|error| Failure::write(path, error))
        });
        let result = result.and_then(|()| {
            pending.iter().try_for_each(|(temporary, path)| {
                fs::rename(temporary, path).map_err(|error| Failure::write(path, error))
            })
        });
        if result.is_err() {
            // leftovers have temporary names only; one that cannot be removed does no harm
            pending.iter().for_each(|(temporary, _)| drop(fs::remove_file(temporary)));
        }
        result.map(|()| self.list.into_iter().map(|(path, _)| path).collect())
    }
}

fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().map_or_else(|| "out".into(), |name| name.to_string_lossy().into_owned());
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Paths in a row.
pub fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Reads a text file, or standard input for `-`. Gives the name for messages, too.
pub fn read(path: &Path) -> Result<(String, String), Failure> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().read_to_string(&mut text).map_err(|error| Failure::read(path, error))?;
        return Ok(("standard input".into(), text));
    }
    text = fs::read_to_string(path).map_err(|error| Failure::read(path, error))?;
    Ok((path.display().to_string(), text))
}

/// Prints to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::write(Path::new("standard output"), error),
    })
}

/// The name of a scenario's outputs.
pub fn stem(path: &Path) -> String {
    match path.file_stem() {
        Some(stem) if path != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "scenario".into(),
    }
}

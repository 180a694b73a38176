//! Why a command did not end well, and the exit code that says so.

use std::io;
use std::path::{Path, PathBuf};
use stiction_study::Diagnostic;

/// Why a command did not end well.
pub enum Failure {
    /// The input is wrong.
    Input(Vec<Diagnostic>),
    /// A run failed.
    Run { title: String, error: stiction::Error },
    /// A file could not be read or written.
    File { doing: &'static str, path: PathBuf, error: io::Error },
    /// A file is there already.
    Exists(PathBuf),
    /// A figure could not be drawn.
    Figure(stiction_render::figure::Error),
    /// The comparison with known numbers failed.
    Differs { n: usize },
    /// No width is good enough.
    Untuned,
    /// Standard output is closed: nobody listens any more.
    Closed,
}

impl Failure {
    pub fn read(path: &Path, error: io::Error) -> Self {
        Self::File { doing: "read", path: path.into(), error }
    }

    pub fn write(path: &Path, error: io::Error) -> Self {
        Self::File { doing: "write", path: path.into(), error }
    }

    /// 1: ran, and the answer is no; 2: could not run.
    pub fn code(&self) -> u8 {
        match self {
            Self::Differs { .. } | Self::Untuned => 1,
            Self::Closed => 0,
            _ => 2,
        }
    }

    pub fn report(&self) {
        match self {
            Self::Input(diagnostics) => {
                let texts: Vec<String> = diagnostics.iter().map(Diagnostic::to_string).collect();
                eprintln!("{}", texts.join("\n\n"));
                if diagnostics.len() > 1 {
                    eprintln!("\n{} errors", diagnostics.len());
                }
            }
            Self::Run { title, error } => {
                eprintln!("error: {title}: {error}");
                if let Some(hint) = error.hint() {
                    eprintln!("hint: {hint}");
                }
            }
            Self::File { doing, path, error } => {
                eprintln!("error: cannot {doing} {}: {}", path.display(), reason(error));
                if error.kind() == io::ErrorKind::NotFound && *doing == "read" {
                    eprintln!("hint: `stiction new {}` writes a scenario to start from", path.display());
                }
            }
            Self::Exists(path) => {
                eprintln!("error: {} is there already\nhint: --force replaces it", path.display());
            }
            Self::Figure(error) => eprintln!("error: the figure cannot be drawn: {error}"),
            Self::Untuned => eprintln!("no law fits\nhint: raise --tolerance"),
            Self::Differs { n } => eprintln!("error: {n} of the numbers are not what they should be"),
            Self::Closed => {}
        }
    }
}

/// What the system says, without its error number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file stands where a directory should be".into()
        }
        io::ErrorKind::InvalidData => "it is not UTF-8 text".into(),
        _ => error.to_string(),
    }
}

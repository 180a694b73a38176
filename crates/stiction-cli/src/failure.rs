//! Why a command did not end well, and the exit code that says so.

use crate::interrupt::{self, Stop};
use crate::progress;
use keyed::{Diagnostic, MAX_SHOWN, plain};
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stiction::ShortNumber;
use stiction_dataset::DatasetError;
use stiction_study::Bug;
use stiction_study::budget::Excess;
use stiction_study::patience::{so_far, span};

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
    /// Two outputs of one command have the same name.
    Shared { path: PathBuf, sources: Option<[PathBuf; 2]> },
    /// Another run does not end writing into the same folder.
    Busy(PathBuf),
    /// A file is too long.
    Long { name: String, most: String },
    /// A figure could not be drawn.
    Figure(figure::FigureError),
    /// The comparison with known numbers failed.
    Differs { n: usize },
    /// Runs say of their own results that they are wrong: titles and messages.
    Wrong(Vec<(String, String)>),
    /// No width is good enough.
    Untuned,
    /// A run was stopped.
    Stopped {
        title: String,
        /// Time that the motion had reached, if it is one motion (s).
        t: Option<f64>,
        /// Fraction done, and the time that it took.
        progress: Option<(f64, Duration)>,
        /// Points that are finished and written, and whether another run goes on from them.
        kept: Option<(usize, bool)>,
        why: Stop,
    },
    /// A dataset cannot be written, continued or read; why, if it was stopped.
    Dataset { error: DatasetError, why: Option<Stop> },
    /// A bug of ours.
    Internal { subject: String, bug: Bug },
    /// Standard output is closed: nobody listens any more.
    Closed,
}

impl Failure {
    /// A run failed, or was asked to stop.
    pub fn run(title: impl Into<String>, error: stiction::Error) -> Self {
        let title = title.into();
        match (interrupt::stop(), error) {
            (Some(why), stiction::Error::Interrupted { t }) => {
                Self::Stopped { title, t, progress: progress::last(), kept: None, why }
            }
            (_, error) => Self::Run { title, error },
        }
    }

    /// A command was asked to stop before it had anything to keep.
    pub fn stopped(why: Stop) -> Self {
        Self::Stopped { title: String::new(), t: None, progress: None, kept: None, why }
    }

    /// The same with points that are written nevertheless.
    pub fn keeping(self, points: usize, is_resumable: bool) -> Self {
        match self {
            Self::Stopped { title, t, progress, why, .. } => {
                Self::Stopped { title, t, progress, kept: Some((points, is_resumable)), why }
            }
            other => other,
        }
    }

    /// A dataset cannot be written, continued or read.
    pub fn dataset(error: DatasetError) -> Self {
        match error {
            DatasetError::Bug(bug) => Self::Internal { subject: "a sweep".into(), bug },
            error => Self::Dataset { error, why: interrupt::stop() },
        }
    }

    pub fn read(path: &Path, error: io::Error) -> Self {
        Self::File { doing: "read", path: path.into(), error }
    }

    pub fn write(path: &Path, error: io::Error) -> Self {
        Self::File { doing: "write", path: path.into(), error }
    }

    /// 1: ran, and the answer is no; 2: could not run; 130: stopped by Ctrl-C.
    pub fn code(&self) -> u8 {
        match self {
            Self::Differs { .. } | Self::Wrong(_) | Self::Untuned => 1,
            Self::Run { error, .. } if error.is_answer() => 1,
            Self::Stopped { why: Stop::Interrupt, .. } => interrupt::CODE,
            Self::Dataset { error: DatasetError::Stopped { .. }, why: Some(Stop::Interrupt) } => {
                interrupt::CODE
            }
            Self::Closed => 0,
            _ => 2,
        }
    }

    /// Says it on standard error.
    pub fn report(&self) {
        let text = self.text();
        if !text.is_empty() {
            say(&text);
        }
    }

    /// What went wrong, and the way out.
    pub fn text(&self) -> String {
        match self {
            Self::Input(diagnostics) => {
                let texts: Vec<String> = diagnostics.iter().map(Diagnostic::to_string).collect();
                let mut text = texts.join("\n\n");
                if (2..=MAX_SHOWN).contains(&diagnostics.len()) {
                    text.push_str(&format!("\n\n{} errors", diagnostics.len()));
                }
                text
            }
            Self::Run { title, error } => {
                let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
                format!("error: {title}: {error}{hint}")
            }
            Self::File { doing, path, error } => {
                let path = path.display();
                let hint = if error.kind() == io::ErrorKind::NotFound && *doing == "read" {
                    format!("\nhint: `stiction new {path}` writes a scenario to start from")
                } else {
                    String::new()
                };
                format!("error: cannot {doing} {path}: {}{hint}", reason(error))
            }
            Self::Exists(path) => {
                format!("error: {} is there already\nhint: --force replaces it", path.display())
            }
            Self::Shared { path, sources } => {
                let sources = match sources {
                    Some([first, second]) => {
                        format!("the outputs of {} and {}", first.display(), second.display())
                    }
                    None => "two outputs".into(),
                };
                format!(
                    "error: {sources} would both be called {}\nhint: rename one of the files, or run them one by one with --out",
                    path.display()
                )
            }
            Self::Busy(folder) => format!(
                "error: another run has been writing to {} for too long\nhint: try again, or give another --out",
                folder.display()
            ),
            Self::Long { name, most } => {
                format!("error: {name} is longer than {most}\nhint: {}", Excess::HINT)
            }
            Self::Figure(error) => format!("error: the figure cannot be drawn: {error}"),
            Self::Untuned => "no law fits\nhint: raise --tolerance".into(),
            Self::Differs { n } => format!("error: {n} of the numbers are not what they should be"),
            Self::Wrong(messages) => {
                let line = |(title, message): &(String, String)| format!("error: {title}: {message}");
                messages.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            Self::Stopped { title, t, progress, kept, why } => stopped(title, (*t, *progress), *kept, *why),
            Self::Dataset { error, why } => {
                let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
                let why = match (error, why) {
                    (DatasetError::Stopped { .. }, Some(Stop::TimeUp(limit))) => {
                        format!("the {} of --max-time are over: ", span(limit.as_secs_f64()))
                    }
                    _ => String::new(),
                };
                format!("error: {why}{error}{hint}")
            }
            Self::Internal { subject, bug } => {
                format!("error: internal error in {subject}: {bug}\nhint: {}", Bug::HINT)
            }
            Self::Closed => String::new(),
        }
    }
}

fn stopped(
    title: &str,
    (t, progress): (Option<f64>, Option<(f64, Duration)>),
    kept: Option<(usize, bool)>,
    why: Stop,
) -> String {
    let title = if title.is_empty() { String::new() } else { format!("{title}: ") };
    let at = t.map(|t| format!(" at t = {} s", ShortNumber(t))).unwrap_or_default();
    let done = progress.map(|(fraction, time)| format!(", {}", so_far(fraction, time))).unwrap_or_default();
    let (files, hint) = match kept {
        Some((0, _)) => ("the motion so far is written".into(), None),
        Some((n, true)) => (
            format!("the {n} points that are finished are written"),
            Some("the same command with --resume goes on from them"),
        ),
        Some((n, false)) => (format!("the {n} points that are finished are written"), None),
        None => ("its files were not written".into(), None),
    };
    let (because, usual) = match why {
        Stop::Interrupt => (String::new(), None),
        Stop::TimeUp(limit) => (
            format!(", because the {} of --max-time are over", span(limit.as_secs_f64())),
            Some("raise --max-time, or shorten the run"),
        ),
    };
    let head = if because.is_empty() { "" } else { "error: " };
    let hint = hint.or(usual).map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!("{head}{title}stopped{at}{because}{done}; {files}{hint}")
}

/// Prints to standard error; an error there cannot be reported.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", plain(text));
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
        io::ErrorKind::FileTooLarge => "it would be larger than the limit of file sizes (ulimit -f)".into(),
        _ => error.to_string(),
    }
}

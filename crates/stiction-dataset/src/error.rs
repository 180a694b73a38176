//! What can go wrong with a folder.

use crate::manifest::MANIFEST;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a dataset cannot be written, continued or read.
#[derive(Debug)]
pub enum DatasetError {
    /// A file could not be read or written.
    File {
        /// What was tried: `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The folder holds something else.
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// A file in it.
        name: String,
    },
    /// The folder holds a dataset already.
    Exists {
        /// The folder.
        folder: PathBuf,
        /// Rows that are done.
        done: u64,
        /// All rows.
        rows: u64,
    },
    /// The dataset was begun from something else.
    Changed {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: String,
    },
    /// A file of the dataset is not what it should be.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        because: String,
    },
    /// There is no dataset.
    Missing(PathBuf),
    /// A question that the dataset has no answer to.
    Unanswerable {
        /// What is wrong.
        message: String,
        /// The way out.
        hint: String,
    },
    /// The work was stopped; what is done is kept.
    Stopped {
        /// Rows that are done.
        done: u64,
        /// All rows that were asked for.
        rows: u64,
    },
    /// The run itself failed.
    Run(stiction::Error),
    /// A bug of ours.
    Bug(stiction_study::Bug),
}

impl DatasetError {
    pub(crate) fn write(path: &Path, error: io::Error) -> Self {
        Self::File { doing: "write", path: path.into(), error }
    }

    pub(crate) fn read(path: &Path, error: io::Error) -> Self {
        Self::File { doing: "read", path: path.into(), error }
    }

    pub(crate) fn damaged(path: &Path, because: impl fmt::Display) -> Self {
        Self::Damaged { path: path.into(), because: because.to_string() }
    }

    /// The way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::File { error, .. } if error.kind() == io::ErrorKind::StorageFull => {
                "what is done is kept: make room and continue with --resume (Python: resume=True)".into()
            }
            Self::File { .. } | Self::Run(_) | Self::Bug(_) => return None,
            Self::Foreign { .. } => "give another folder by --out (Python: out=…), or an empty one".into(),
            Self::Exists { done, rows, .. } if done < rows => {
                "--resume (Python: resume=True) continues it".into()
            }
            Self::Exists { .. } => "give another folder by --out (Python: out=…), or remove it".into(),
            Self::Changed { .. } => {
                "give another folder by --out (Python: out=…), or the scenario and the axes that it was begun with".into()
            }
            Self::Damaged { path, .. } if path.ends_with(MANIFEST) => {
                "run the sweep again, into another folder by --out (Python: out=…); other tools can read the parts in rows/"
                    .into()
            }
            Self::Damaged { .. } => "remove the file and continue with --resume (Python: resume=True)".into(),
            Self::Missing(_) => "`stiction sweep` writes one".into(),
            Self::Unanswerable { hint, .. } => hint.clone(),
            Self::Stopped { .. } => "--resume (Python: resume=True) continues it".into(),
        })
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::File { doing, path, error } => {
                let reason = match error.kind() {
                    io::ErrorKind::StorageFull => "the disc is full".into(),
                    io::ErrorKind::FileTooLarge => {
                        "it would be larger than the limit of file sizes (ulimit -f)".into()
                    }
                    io::ErrorKind::PermissionDenied => "permission denied".into(),
                    io::ErrorKind::ReadOnlyFilesystem => "the disc is read-only".into(),
                    io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                        "a file stands where a directory should be".into()
                    }
                    _ => error.to_string(),
                };
                write!(f, "cannot {doing} {}: {reason}", path.display())
            }
            Self::Foreign { folder, name } => {
                write!(f, "{} holds {name}, which is not of a dataset", folder.display())
            }
            Self::Exists { folder, done, rows } => {
                write!(f, "{} holds a dataset already, {done} of {rows} rows", folder.display())
            }
            Self::Changed { folder, what } => write!(f, "{} was begun with another {what}", folder.display()),
            Self::Damaged { path, because } => write!(f, "{} is damaged: {because}", path.display()),
            Self::Missing(folder) => write!(f, "{} holds no dataset", folder.display()),
            Self::Unanswerable { message, .. } => f.write_str(message),
            Self::Stopped { done, rows } => write!(f, "stopped, {done} of {rows} rows are done"),
            Self::Run(error) => error.fmt(f),
            Self::Bug(bug) => write!(f, "internal error: {bug}"),
        }
    }
}

impl std::error::Error for DatasetError {}

//! Advisory locks on folders, so that processes that write into one folder neither remove nor overwrite each other's files.
//!
//! ```text
//!   folder         exclusive, for moments     manifest.json, rows.csv, figures
//!   folder/rows    shared, while parts are written; exclusive to remove what killed runs have left
//! ```
//!
//! Where the file system has no locks nothing is removed, and whatever is written is renamed into place whole.

use crate::disk::{is_temporary, step};
use std::fs::{self, File};
use std::path::Path;

/// Waits until no other process writes into the folder, and removes what killed ones have left. None without locks.
pub fn alone(folder: &Path) -> Option<File> {
    let handle = File::open(folder).ok()?;
    handle.lock().ok()?;
    remove_temporaries(folder);
    Some(handle)
}

/// Marks the folder as one that several processes write into. None without locks.
pub fn together(folder: &Path) -> Option<File> {
    let handle = File::open(folder).ok()?;
    handle.lock_shared().ok()?;
    Some(handle)
}

/// Removes what killed runs have left in these folders if no process holds the first.
pub fn tidy(folders: &[&Path]) {
    let Some(handle) = folders.first().and_then(|first| File::open(first).ok()) else { return };
    if handle.try_lock().is_ok() {
        folders.iter().for_each(|folder| remove_temporaries(folder));
    }
}

/// Removes files with temporary names. The caller holds the lock under which they are written.
pub fn remove_temporaries(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_temporary) {
            let _ = step(|| fs::remove_file(entry.path()));
        }
    }
}

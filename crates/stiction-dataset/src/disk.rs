//! Files that appear whole or not at all: written under a temporary name, synchronised, renamed.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are written at a time.
pub const CHUNK: usize = 1 << 16;

const TEMPORARY: [&str; 2] = [".stiction-", ".tmp"];

/// A name that nobody can guess.
pub fn temporary_name() -> String {
    let random = RandomState::new().hash_one(std::process::id());
    format!("{}{random:016x}{}", TEMPORARY[0], TEMPORARY[1])
}

/// Whether a file is one that a run was about to write.
pub fn is_temporary(name: &str) -> bool {
    let inner = name.strip_prefix(TEMPORARY[0]).and_then(|rest| rest.strip_suffix(TEMPORARY[1]));
    inner.is_some_and(|inner| inner.len() == 16 && inner.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Writes a new file, never one that is there and never through a link, and synchronises it.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = step(|| OpenOptions::new().write(true).create_new(true).open(path))?;
    for chunk in bytes.chunks(CHUNK) {
        step(|| file.write_all(chunk))?;
    }
    step(|| file.sync_all())
}

/// Writes a file in place of one that may be there. What goes wrong leaves the earlier one as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_file_name(temporary_name());
    let written = write_new(&temporary, bytes).and_then(|()| step(|| fs::rename(&temporary, path)));
    if written.is_err() {
        // one that cannot be removed is by the next run
        let _ = fs::remove_file(&temporary);
    }
    written?;
    if let Some(folder) = path.parent() {
        // the name itself is to outlive a power cut; where a folder cannot be synchronised, that is all there is
        let _ = step(|| File::open(folder)?.sync_all());
    }
    Ok(())
}

/// One operation on the disc. With the feature `failpoints` any one of them can be made to fail or to abort, for tests.
pub fn step<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(feature = "failpoints")]
    failpoint::pass()?;
    operation()
}

/// `STICTION_FAIL_AT=7` makes the seventh operation fail, `STICTION_DIE_AT=7` ends the process there as `kill -9` does.
#[cfg(feature = "failpoints")]
mod failpoint {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static PASSED: AtomicUsize = AtomicUsize::new(0);

    pub fn pass() -> io::Result<()> {
        let number = 1 + PASSED.fetch_add(1, Relaxed);
        let is_here = |name: &str| std::env::var(name).is_ok_and(|at| at.parse() == Ok(number));
        if is_here("STICTION_DIE_AT") {
            std::process::abort();
        }
        if is_here("STICTION_FAIL_AT") { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_are_known_again_and_differ() {
        let (a, b) = (temporary_name(), temporary_name());
        assert!(is_temporary(&a) && is_temporary(&b) && a != b);
        assert!(!is_temporary(".stiction-notes.tmp") && !is_temporary("a.tmp"));
    }
}

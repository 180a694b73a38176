//! The texts that mutations begin with: the examples, what once went wrong, and the folder `corpus`.

use std::fs;
use std::path::{Path, PathBuf};

/// Longer texts are left out: they make everything slow and nothing new.
const LONGEST: u64 = 8000;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The texts of a target, in the order of their names.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let root = root();
    let mut folders = vec![root.join("crates/fuzz/corpus").join(target)];
    if target == "scenario" {
        folders.extend([root.join("examples"), root.join("crates/stiction-cli/tests/repro")]);
    }
    if target == "patch" {
        folders.push(root.join("examples/patches"));
    }
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(|folder| files(folder)).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_short =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LONGEST);
    entries.map(|entry| entry.path()).filter(is_short).collect()
}

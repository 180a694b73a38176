//! The hash of the core's sources, which a page built from the same sources bears (`coreStamp` in `lab/build.mjs`).
//!
//! FNV-1a of 64 bits over the contents of the files, in the order of their paths. Outside a checkout there are no sources to
//! compare with, and the hash is empty.

use std::path::{Path, PathBuf};
use std::{env, fs};

const CRATES: [&str; 4] = ["keyed", "stiction", "stiction-lab", "stiction-study"];
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let crates = own.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut files = Vec::new();
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo:rerun-if-changed={}", folder.display());
        collect(&folder, &mut files);
    }
    files.sort_by_key(|path| path.to_string_lossy().replace('\\', "/"));
    let bytes = files.iter().filter_map(|path| fs::read(path).ok()).flatten();
    let hash = bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    let is_whole = CRATES.iter().all(|name| crates.join(name).join("src").is_dir());
    println!(
        "cargo:rustc-env=STICTION_CORE={}",
        if is_whole { format!("{hash:016x}") } else { String::new() }
    );
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

//! Writes the files that are generated and committed: JSON Schemas, Python classes, figures and the pages that show them.
//!
//! `cargo xtask generate` calls it; with `--check` it compares instead of writing. It is a program of its own, so that
//! `xtask` itself builds in seconds.

mod bibliography;
mod files;
mod key_pages;
mod keys;
mod models;
mod pages;
mod support;

use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2).unwrap_or(here);
    let args: Vec<String> = env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => files::write(root),
        ["--check"] => files::check(root),
        _ => Err("usage: stiction-generate [--check]".into()),
    };
    if let Err(error) = &done {
        eprintln!("stiction-generate: {error}");
    }
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

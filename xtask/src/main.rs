//! The project's own chores.
//!
//! `cargo xtask test` runs everything that CI runs, `cargo xtask test-python` the part of the Python package; `cargo xtask generate` writes what is generated and committed;
//! `cargo xtask python` puts the Python package into `target/python`; `cargo xtask wheel` builds a wheel into `dist`.

mod citations;
mod generate;
mod models;
mod python;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let task = env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "test" => test(),
        "generate" => report(generate::write(&root())),
        "python" => report(python::released(&root()).map(|_| ())),
        "test-python" => report(python::test(&root())),
        "wheel" => report(python::wheel(&root())),
        _ => {
            eprintln!("usage: cargo xtask test | test-python | generate | python | wheel");
            false
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Everything that CI runs. A missing component of the toolchain is said, not skipped.
fn test() -> bool {
    cargo(&["fmt", "--all", "--check"], &[])
        && cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
        && cargo(&["test", "--workspace"], &[])
        && cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])
        && report(python::test(&root()))
        && is_fresh()
        && report(citations::check(&root()))
}

fn is_fresh() -> bool {
    eprintln!("xtask: is everything generated fresh?");
    match generate::stale(&root()) {
        Ok(stale) if stale.is_empty() => true,
        Ok(stale) => {
            eprintln!("stale: {}\nhint: cargo xtask generate", stale.join(", "));
            false
        }
        Err(error) => report(Err(error)),
    }
}

fn report(result: Result<(), Box<dyn std::error::Error>>) -> bool {
    if let Err(error) = &result {
        eprintln!("xtask: {error}");
    }
    result.is_ok()
}

fn cargo(args: &[&str], variables: &[(&str, &str)]) -> bool {
    eprintln!("xtask: cargo {}", args.join(" "));
    let status =
        Command::new(env!("CARGO")).args(args).envs(variables.iter().copied()).current_dir(root()).status();
    match status {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("xtask: cargo cannot be run: {error}");
            false
        }
    }
}

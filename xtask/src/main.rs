//! The project's own chores.
//!
//! `cargo xtask test` runs everything that CI runs; `cargo xtask generate` writes what is generated and committed.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let task = env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "test" => test(),
        "generate" => generate(),
        _ => {
            eprintln!("usage: cargo xtask test | generate");
            false
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Everything that CI runs.
fn test() -> bool {
    cargo(&["fmt", "--all", "--check"], &[])
        && cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
        && cargo(&["test", "--workspace"], &[])
        && cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])
}

/// Writes the JSON Schema, the curves of the laws and the figures of the documentation.
fn generate() -> bool {
    cargo(&["run", "--package", "stiction-cli", "--example", "generate"], &[])
}

fn cargo(args: &[&str], variables: &[(&str, &str)]) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    eprintln!("xtask: cargo {}", args.join(" "));
    let status =
        Command::new(env!("CARGO")).args(args).envs(variables.iter().copied()).current_dir(root).status();
    match status {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("xtask: cargo cannot be run: {error}");
            false
        }
    }
}

//! The project's own chores.
//!
//! `cargo xtask test` runs everything that CI runs, `cargo xtask test-python` the part of the Python package; `cargo xtask generate` writes what is generated and committed;
//! `cargo xtask python` puts the Python package into `target/python`; `cargo xtask wheel` builds a wheel into `dist`;
//! `cargo xtask lab` builds the page of `stiction lab`, `cargo xtask test-lab` tests it in node and in a browser;
//! `cargo xtask peers` compares with other simulators; `cargo xtask oracles` writes the reference tables of the tests anew, or compares
//! them with `--check`; `cargo xtask golden` compares the examples with their committed facts, columns and work, or writes them anew with
//! `--bless`; `cargo xtask instructions` compares the instructions of what must be fast with `tests/instructions.txt`, or writes that
//! anew with `--bless`; `cargo xtask soak` puts random systems and bodies through all checks, `cargo xtask fuzz` odd texts through all readers,
//! `cargo xtask crash` kills runs while they write; `cargo xtask names` looks for two types with one name; `cargo xtask recipes` follows the recipes of CONTRIBUTING.md on a copy of the tree; `cargo xtask supply` checks licences, sources, duplicates and the promised Rust version; `cargo xtask notices` writes
//! the licences of what is linked; `cargo xtask lock` writes the exact versions of the Python packages that the tests use.

mod citations;
mod generate;
mod instructions;
mod lab;
mod lock;
mod metadata;
mod models;
mod names;
mod notices;
mod oracles;
mod peers;
mod python;
mod recipes;
mod supply;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What a chore ends with.
type Done = Result<(), Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let task = env::args().nth(1).unwrap_or_default();
    let more: Vec<String> = env::args().skip(2).collect();
    let done = match task.as_str() {
        "test" => test(),
        "generate" => report(generate::write(&root())),
        "python" => report(python::released(&root()).map(|_| ())),
        "test-python" => report(python::test(&root())),
        "wheel" => report(python::wheel(&root())),
        "notices" => report(notices::write(&root())),
        "supply" => report(supply::check(&root())),
        "lock" => report(lock::write(&root(), &more)),
        "oracles" => report(oracles::run(&root(), &more)),
        "golden" => golden(&more),
        "instructions" => report(instructions::run(&root(), &more)),
        "soak" => long("stiction-soak", &more),
        "fuzz" => long("stiction-fuzz", &more),
        "crash" => crash(&more),
        "lab" => report(lab::build(&root())),
        "test-lab" => report(lab::test(&root(), &more)),
        "names" => report(names::check(&root())),
        "recipes" => report(recipes::check(&root())),
        "peers" => report(peers::run(&root())),
        _ => {
            eprintln!(
                "usage: cargo xtask test | test-python | test-lab [--movements N | --screenshots] | lab | generate | names | recipes | golden [--bless] | instructions [--bless | --since COMMIT] | soak [--minutes N] [--systems N] [--bodies N] [--seed S] [--replay FILE] | fuzz [--minutes N] [--executions N] [--seed S] [--target T] | crash [--kills N] | python | wheel | peers | notices | supply | lock [--upgrade] | oracles [--check | --sample] [TABLE ...]"
            );
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
    // what takes no time comes first
    cargo(&["fmt", "--all", "--check"], &[])
        && report(citations::check(&root()))
        && report(names::check(&root()))
        && report(lock::check(&root()))
        && report(lab::check_stamp(&root()))
        && cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
        && report(supply::check(&root()))
        // the core without its default features
        && cargo(&["check", "--package", "stiction", "--no-default-features"], &[])
        && cargo(&["test", "--workspace"], &[])
        // the same bits with another optimiser
        && cargo(&["test", "--release", "--package", "stiction-soak"], &[])
        // the commands of the long forms, for a moment
        && long("stiction-soak", &["--systems", "2", "--bodies", "1"].map(String::from))
        && long("stiction-fuzz", &["--executions", "100"].map(String::from))
        && cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])
        && report(python::test(&root()))
        && is_fresh()
        && report(lab::test(&root(), &[]))
        && report(recipes::check(&root()))
        && report(oracles::sample(&root()))
        && report(instructions::run(&root(), &[]))
}

/// Compares the examples with `tests/golden`, or writes the files anew.
fn golden(args: &[String]) -> bool {
    let test = ["test", "--quiet", "--package", "stiction-soak", "--test", "golden", "--", "--nocapture"];
    match args {
        [] => cargo(&test, &[]),
        [bless] if bless == "--bless" => cargo(&test, &[("STICTION_BLESS", "1")]),
        _ => {
            eprintln!("usage: cargo xtask golden [--bless]");
            false
        }
    }
}

/// A program that runs for long, as users' builds are optimised; it says itself what it takes.
fn long(package: &str, args: &[String]) -> bool {
    let mut all = vec!["run", "--quiet", "--release", "--package", package, "--"];
    all.extend(args.iter().map(String::as_str));
    cargo(&all, &[])
}

/// Kills the command line while it writes, and makes it fail and die at every write and rename.
fn crash(args: &[String]) -> bool {
    let kills = match args {
        [] => "500",
        [name, kills] if name == "--kills" && kills.parse::<u64>().is_ok() => kills,
        _ => {
            eprintln!("usage: cargo xtask crash [--kills N]");
            return false;
        }
    };
    let test = ["test", "--quiet", "--package", "stiction-cli", "--test", "crash", "--", "--nocapture"];
    cargo(&test, &[("STICTION_KILLS", kills)])
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

//! The `stiction` command.
//!
//! Exit codes: 0 done; 1 ran, and the answer is no; 2 could not run.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod args;
mod commands;
mod failure;
mod output;
mod patch_tables;
mod progress;
mod summary;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(args.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.code())
        }
    }
}

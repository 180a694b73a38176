//! The `stiction` command.
//!
//! Exit codes: 0 done; 1 ran, and the answer is no; 2 could not run; 130 stopped by Ctrl-C.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod args;
mod commands;
mod dataset_args;
mod failure;
mod guard;
mod interrupt;
mod output;
mod progress;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    stiction_study::bug::quiet();
    interrupt::listen();
    let subject = args.command.subject();
    match guard::guarded(&subject, || commands::run(args.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.code())
        }
    }
}

//! One file for each command.

mod check;
mod compare;
mod completions;
mod info;
mod lab;
mod law;
mod map;
mod new;
mod patch;
mod reproduce;
mod rerun;
mod run;
mod schema;
mod show;
mod sweep;
mod tune;

use crate::args::{Command, CompareArgs, ReproduceArgs, RerunArgs, RunArgs, TuneArgs};
use crate::dataset_args::SweepArgs;
use crate::failure::Failure;
use crate::interrupt;

/// Runs a command.
pub fn run(command: Command) -> Result<(), Failure> {
    match &command {
        Command::Run(RunArgs { limits, .. })
        | Command::Compare(CompareArgs { limits, .. })
        | Command::Tune(TuneArgs { limits, .. })
        | Command::Sweep(SweepArgs { limits, .. })
        | Command::Rerun(RerunArgs { limits, .. })
        | Command::Reproduce(ReproduceArgs { limits, .. }) => interrupt::limit(limits.max_time),
        _ => {}
    }
    match command {
        Command::Run(args) => run::run(&args),
        Command::Law(args) => law::run(&args),
        Command::Patch(args) => patch::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Rerun(args) => rerun::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::New(args) => new::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}

//! `stiction completions`: completions for a shell.

use crate::args::{Args, CompletionsArgs};
use crate::failure::Failure;
use crate::output::print_data;
use clap::CommandFactory;

pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "stiction", &mut script);
    print_data(&String::from_utf8_lossy(&script))
}

//! `stiction completions`: completions for a shell.

use crate::args::{Args, Completions};
use crate::failure::Failure;
use crate::output::print;
use clap::CommandFactory;

pub fn run(args: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "stiction", &mut script);
    print(&String::from_utf8_lossy(&script))
}

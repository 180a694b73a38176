//! `stiction show`: a scenario with all defaults filled in.

use crate::args::Show;
use crate::failure::Failure;
use crate::output::{print, read};
use stiction_study::Study;

pub fn run(args: &Show) -> Result<(), Failure> {
    let (name, text) = read(&args.file)?;
    let study = Study::read(&name, &text, &args.set).map_err(Failure::Input)?;
    print(&study.scenario.to_toml().map_err(|fault| Failure::Input(vec![*fault]))?)
}

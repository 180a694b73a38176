//! `stiction show`: a scenario with all defaults filled in.

use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::output::{misread, print_data, read};
use stiction_study::{Budget, Study};

pub fn run(args: &ShowArgs) -> Result<(), Failure> {
    let (name, text) = read(&args.file, &Budget::default())?;
    let study = Study::read(&name, &text, &args.set);
    let study = study.map_err(|faults| Failure::Input(misread(&args.file, &text, "system", faults)))?;
    print_data(&study.scenario.to_toml().map_err(|fault| Failure::Input(vec![*fault]))?)
}

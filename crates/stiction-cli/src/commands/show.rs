//! `stiction show`: a scenario with all defaults filled in.

use crate::args::Show;
use crate::failure::Failure;
use crate::output::{print, read};
use stiction_study::{Diagnostic, Study};

pub fn run(args: &Show) -> Result<(), Failure> {
    let (name, text) = read(&args.file)?;
    let study = Study::read(&name, &text, &args.set).map_err(Failure::Input)?;
    let text = toml::to_string(&study.scenario).map_err(|error| {
        let message = format!("the scenario cannot be written as TOML: {error}");
        Failure::Input(vec![Diagnostic { key: String::new(), message, place: None, hint: None }])
    })?;
    print(&text)
}

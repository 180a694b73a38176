//! `stiction new`: a scenario to start from.

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::output::{Files, print};

/// The scenario that users start from.
const TEMPLATE: &str = include_str!("../../new.toml");

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let Some(path) = &args.file else { return print(TEMPLATE) };
    if path.exists() && !args.force {
        return Err(Failure::Exists(path.clone()));
    }
    let mut files = Files::default();
    files.add(path.clone(), TEMPLATE);
    files.write()?;
    print(&format!("wrote {path}\nrun it with: stiction run {path}\n", path = path.display()))
}

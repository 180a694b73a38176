//! `stiction schema`: the JSON Schema of scenarios.

use crate::failure::Failure;
use crate::output::print;

pub fn run() -> Result<(), Failure> {
    print(&format!("{:#}\n", stiction_study::schema()))
}

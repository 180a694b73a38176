//! `stiction schema`: the JSON Schema of scenarios and patches.

use crate::args::{FileKind, Schema};
use crate::failure::Failure;
use crate::output::print;

pub fn run(args: &Schema) -> Result<(), Failure> {
    let schema = match args.kind {
        FileKind::Scenario => stiction_study::schema(),
        FileKind::Patch => stiction_study::patch_schema(),
    };
    print(&format!("{schema:#}\n"))
}

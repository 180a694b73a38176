//! `stiction schema`: the JSON Schema of scenarios and patches.

use crate::args::{FileKind, SchemaArgs};
use crate::failure::Failure;
use crate::output::print_data;

pub fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let schema = match args.kind {
        FileKind::Scenario => stiction_study::schema(),
        FileKind::Patch => stiction_study::patch_schema(),
    };
    print_data(&format!("{schema:#}\n"))
}

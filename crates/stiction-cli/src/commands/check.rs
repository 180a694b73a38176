//! `stiction check`: are scenarios sound?

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::output::{misread, print, read};
use stiction_study::{Budget, Study};

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut text = String::new();
    for path in &args.files {
        let (name, source) = read(path, &Budget::default())?;
        match Study::read(&name, &source, &args.set) {
            Ok(_) => text.push_str(&format!("{name}: sound\n")),
            Err(diagnostics) => faults.extend(misread(path, &source, "system", diagnostics)),
        }
    }
    print(&text)?;
    if faults.is_empty() { Ok(()) } else { Err(Failure::Input(faults)) }
}

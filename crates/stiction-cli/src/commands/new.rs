//! `stiction new`: a scenario to start from.

use crate::args::{NewArgs, NewKind};
use crate::failure::Failure;
use crate::output::{Files, print};

/// The file that users of a kind start from, and the command that runs it.
fn template(kind: NewKind) -> (&'static str, &'static str) {
    match kind {
        NewKind::Oscillator => (include_str!("../../new/oscillator.toml"), "run"),
        NewKind::Matrices => (include_str!("../../new/matrices.toml"), "run"),
        NewKind::Beam => (include_str!("../../new/beam.toml"), "run"),
        NewKind::Response => (include_str!("../../new/response.toml"), "run"),
        NewKind::Body => (include_str!("../../new/body.toml"), "run"),
        NewKind::Pid => (include_str!("../../new/pid.toml"), "run"),
        NewKind::Sweep => (include_str!("../../new/sweep.toml"), "sweep"),
        NewKind::Patch => (include_str!("../../new/patch.toml"), "patch"),
    }
}

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let (text, command) = template(args.kind);
    let Some(path) = &args.file else { return print(text) };
    if path.exists() && !args.force {
        return Err(Failure::Exists(path.clone()));
    }
    let mut files = Files::default();
    files.add(path.clone(), text);
    files.write()?;
    print(&format!("wrote {path}\nrun it with: stiction {command} {path}\n", path = path.display()))
}

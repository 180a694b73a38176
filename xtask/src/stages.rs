//! The stages of `cargo xtask test` and `cargo xtask verify`: what runs, after what, and how it is repeated alone.

use crate::Done;
use crate::runner::{self, Load, Stage};
use std::path::Path;

/// Everything that a change can break. Earlier stages start first; compilation comes in one chain, because cargo
/// locks its folder, and downloads run beside it.
const TEST: &[Stage] = &[
    stage("format", &["format"], &[], Load::Light),
    stage("citations", &["citations"], &[], Load::Light),
    stage("names", &["names"], &[], Load::Light),
    stage("house", &["house"], &[], Load::Light),
    stage("versions", &["versions"], &[], Load::Light),
    stage("python-tools", &["python-tools"], &[], Load::Light),
    stage("lab-tools", &["lab-tools"], &[], Load::Light),
    stage("build", &["build"], &[], Load::All),
    stage("wheel", &["python"], &["build", "python-tools"], Load::All),
    stage("clippy", &["clippy"], &[], Load::All),
    stage("rust", &["rust"], &["build"], Load::Core),
    stage("python", &["python-tests"], &["wheel"], Load::Core),
    stage("browser", &["test-lab", "--browser", "--movements", "100"], &["build", "lab-tools"], Load::Core),
    stage("node", &["test-lab", "--node"], &["build", "lab-tools"], Load::Core),
    stage("types", &["python-types"], &["wheel"], Load::Core),
    stage("generated", &["generate", "--check"], &["build"], Load::Core),
    stage("documentation", &["documentation"], &["clippy"], Load::Core),
    stage("commands", &["commands"], &["build"], Load::Core),
    stage("site", &["test-site"], &["wheel", "lab-tools"], Load::Core),
];

/// The long forms, run before a release.
const LONG: &[Stage] = &[
    stage("supply", &["supply"], &[], Load::All),
    stage("page", &["page"], &[], Load::Light),
    stage("unoptimised", &["unoptimised"], &["rust"], Load::All),
    stage("recipes", &["recipes"], &["build"], Load::All),
    stage("oracles", &["oracles", "--check"], &["python-tools"], Load::All),
    stage("instructions", &["instructions"], &["build"], Load::Core),
    stage(
        "movements",
        &["test-lab", "--browser", "--movements", "2000", "--budgets"],
        &["build", "lab-tools"],
        Load::All,
    ),
    stage("soak", &["soak", "--systems", "5000", "--bodies", "1000"], &["build"], Load::All),
    stage("fuzz", &["fuzz", "--executions", "1000000"], &["build"], Load::Core),
    stage("crash", &["crash"], &["build"], Load::Core),
    stage("peers", &["peers"], &["build"], Load::All),
];

const fn stage(
    name: &'static str,
    command: &'static [&'static str],
    needs: &'static [&'static str],
    load: Load,
) -> Stage {
    Stage { name, command, needs, load }
}

/// Runs everything that a change can break.
pub fn test(root: &Path) -> Done {
    runner::run(root, &TEST.iter().collect::<Vec<_>>(), &[])
}

/// Runs the tests and all long forms.
pub fn verify(root: &Path) -> Done {
    let all: Vec<&Stage> = TEST.iter().chain(LONG).collect();
    runner::run(root, &all, &[])
}

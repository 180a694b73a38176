//! Exact versions of the Python packages that the tests use, for every Python from 3.10 on.

use crate::Done;
use crate::python::{Environment, REQUIREMENTS, UV};
use std::fs;
use std::path::Path;

/// The group of `pyproject.toml` whose versions are fixed.
const GROUP: &str = "test";

/// Writes the file anew; packages keep their versions where they can, or with `--upgrade` take the newest.
pub fn write(root: &Path, args: &[String]) -> Done {
    let environment = Environment::new(root, "lock")?;
    environment.install(root, UV, &[UV])?;
    let mut line = vec![
        "pip",
        "compile",
        "--quiet",
        "--universal",
        "--python-version",
        "3.10",
        "--no-annotate",
        "--generate-hashes",
    ];
    line.extend(["--custom-compile-command", "cargo xtask lock", "--no-emit-index-url"]);
    line.extend(["--group", GROUP, "--output-file", REQUIREMENTS]);
    line.extend(args.iter().map(String::as_str));
    environment.run(root, "uv", &line)
}

/// Fails if a package of the group has no exact version.
pub fn check(root: &Path) -> Done {
    let project = fs::read_to_string(root.join("pyproject.toml"))?;
    let lock = fs::read_to_string(root.join(REQUIREMENTS))?;
    let pinned: Vec<&str> = lock.lines().filter_map(|line| Some(line.split_once("==")?.0)).collect();
    match packages(&project).find(|package| !pinned.contains(package)) {
        Some(package) => {
            Err(format!("{package} has no version in {REQUIREMENTS}\nhint: cargo xtask lock").into())
        }
        None => Ok(()),
    }
}

/// The names of the packages in the group.
fn packages(project: &str) -> impl Iterator<Item = &str> {
    let lines = project.lines().skip_while(|line| *line != format!("{GROUP} = ["));
    let items = lines.skip(1).take_while(|line| !line.starts_with(']'));
    items.filter_map(|line| line.trim().trim_matches(['"', ',']).split([' ', '<', '>', '=', ';', '[']).next())
}

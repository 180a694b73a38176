//! What a developer runs after every edit: format, clippy and tests of what changed and of what depends on it, and the
//! goldens of a dozen examples. Builds are unoptimised and incremental.
//!
//! A file of the core selects the tests of its room (`src/law/tanh.rs`: names that contain `law::`), a file of another
//! package all tests of that package; packages that depend on it are checked by clippy and by the goldens.

use crate::metadata::{items, metadata};
use crate::runner::{self, Load, Stage};
use crate::rust::{self, Selection};
use crate::{Done, cargo};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::process::Command;

const STAGES: &[Stage] = &[
    Stage { name: "format", command: &["format"], needs: &[], load: Load::Light },
    Stage { name: "clippy", command: &["quick-clippy"], needs: &[], load: Load::All },
    Stage { name: "tests", command: &["quick-tests"], needs: &[], load: Load::All },
];
/// The package whose tests are selected by room.
const CORE: &str = "stiction";
/// The package of the goldens, and the test of a dozen of them.
const GOLDENS: (&str, &str) = ("stiction-soak", "a_dozen_examples_give_the_committed_numbers");

/// Runs the stages for the packages or files in `args`, or for what differs from the last commit.
pub fn run(root: &Path, args: &[String]) -> Done {
    let scope = Scope::new(root, args)?;
    println!("quick: {}; clippy also of {}", join(&scope.changed), join(&scope.dependents));
    runner::run(root, &STAGES.iter().collect::<Vec<_>>(), args)
}

/// Clippy of the changed packages and their dependents.
pub fn clippy(root: &Path, args: &[String]) -> Done {
    let scope = Scope::new(root, args)?;
    let packages: Vec<&str> =
        scope.changed.union(&scope.dependents).flat_map(|name| ["--package", name.as_str()]).collect();
    cargo(root, &[&["clippy"], &packages[..], &["--all-targets", "--", "-D", "warnings"]].concat(), &[])
}

/// Tests of the changed packages, and the goldens.
pub fn test(root: &Path, args: &[String]) -> Done {
    let scope = Scope::new(root, args)?;
    let packages: BTreeSet<&str> = scope.changed.iter().map(String::as_str).chain([GOLDENS.0]).collect();
    let selected = packages.into_iter().flat_map(|name| ["--package", name]).collect();
    rust::test(root, &Selection { cargo: selected, filters: scope.filters })
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// What an edit concerns.
struct Scope {
    changed: BTreeSet<String>,
    /// Packages that depend on the changed ones.
    dependents: BTreeSet<String>,
    /// Parts of the names of the tests to run.
    filters: Vec<String>,
}

impl Scope {
    fn new(root: &Path, args: &[String]) -> Result<Self, Box<dyn Error>> {
        let metadata = metadata(root)?;
        let members: Vec<(String, String)> = items(&metadata["packages"])
            .filter(|package| package["source"].is_null())
            .filter_map(|package| {
                let manifest = Path::new(package["manifest_path"].as_str()?);
                let folder = manifest.parent()?.strip_prefix(root).ok()?;
                Some((package["name"].as_str()?.to_owned(), folder.to_string_lossy().replace('\\', "/")))
            })
            .collect();
        let mut changed = BTreeSet::new();
        let mut filters = vec![GOLDENS.1.to_owned()];
        let named = if args.is_empty() { edited(root)? } else { args.to_vec() };
        for name in named {
            let whole = members.iter().find(|(package, _)| *package == name);
            let holding = members.iter().find(|(_, folder)| name.starts_with(&format!("{folder}/")));
            match whole.or(holding) {
                Some((package, folder)) => {
                    changed.insert(package.clone());
                    let room = room(package, name.strip_prefix(&format!("{folder}/")).unwrap_or_default());
                    // programs are called after the folders of their packages
                    let folder = folder.rsplit('/').next().unwrap_or_default();
                    filters.push(room.unwrap_or_else(|| format!("{folder}::")));
                }
                None if args.is_empty() => {}
                None => return Err(format!("{name} is neither a package nor a file of one").into()),
            }
        }
        let dependents = dependents(&metadata, &members, &changed);
        Ok(Self { changed, dependents, filters })
    }
}

/// What the tests of a file of the core have in their names.
fn room(package: &str, path: &str) -> Option<String> {
    let below = path.strip_prefix("src/").or_else(|| path.strip_prefix("tests/"))?;
    let room = below.split(['/', '.']).next()?;
    (package == CORE && room != "lib").then(|| format!("::{room}::"))
}

/// Files that differ from the last commit, and new ones.
fn edited(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for args in [&["diff", "--name-only", "HEAD"][..], &["ls-files", "--others", "--exclude-standard"]] {
        let output = Command::new("git").args(args).current_dir(root).output()?;
        names.extend(String::from_utf8(output.stdout)?.lines().map(str::to_owned));
    }
    Ok(names)
}

/// Members that depend on the changed ones, also by way of others.
fn dependents(
    metadata: &serde_json::Value,
    members: &[(String, String)],
    changed: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut found = changed.clone();
    loop {
        let before = found.len();
        for package in items(&metadata["packages"]).filter(|package| package["source"].is_null()) {
            let uses = items(&package["dependencies"])
                .any(|dependency| dependency["name"].as_str().is_some_and(|name| found.contains(name)));
            found.extend(package["name"].as_str().filter(|_| uses).map(str::to_owned));
        }
        if found.len() == before {
            let is_member = |name: &String| members.iter().any(|(member, _)| member == name);
            return found.into_iter().filter(|name| !changed.contains(name) && is_member(name)).collect();
        }
    }
}

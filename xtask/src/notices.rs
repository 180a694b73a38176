//! The licences of what is linked into the program and the wheel, with their texts: `THIRD-PARTY.md`.

use crate::metadata::{by_id, items, metadata};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

/// Where users find the texts, also inside the wheel.
const FILE: &str = "THIRD-PARTY.md";
/// The packages that users get; everything that they depend on, on any system, is listed.
const ROOTS: [&str; 2] = ["stiction-cli", "stiction-python"];
/// Linked into firmware only, which is no system of ours.
const FIRMWARE: &str = "r-efi";
const FONT: &str = "crates/figure/fonts/OFL.txt";
/// How the names of files with licences begin.
const BEGINNINGS: [&str; 4] = ["license", "licence", "copying", "notice"];

const HEAD: &str = "\
# Third-party notices

Written by `cargo xtask generate` from the crates that are linked into the program `stiction` and into the Python package, on any system.
The Rust standard library is linked as well (MIT or Apache-2.0, <https://github.com/rust-lang/rust>).
Where a crate offers MIT among others, its MIT text is given.

## Arimo

The font of the figures, SIL Open Font License 1.1.

";

/// Writes the file.
pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(root.join(FILE), text(root)?)?)
}

/// Fails if the committed file is stale.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    if fs::read_to_string(root.join(FILE))? == text(root)? {
        return Ok(());
    }
    Err(format!("stale: {FILE}\nhint: cargo xtask generate").into())
}

/// The whole file.
fn text(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in linked(&metadata(root)?)? {
        for text in package.texts()? {
            texts.entry(text).or_default().insert(package.title.clone());
        }
    }
    // by the first crate that has the text
    let mut sections: Vec<(BTreeSet<String>, String)> =
        texts.into_iter().map(|(text, names)| (names, text)).collect();
    sections.sort();
    let mut page = HEAD.to_owned();
    page.push_str(&block(&tidy(&fs::read_to_string(root.join(FONT))?)));
    for (names, text) in sections {
        let names: Vec<String> = names.into_iter().collect();
        page.push_str(&format!("\n## {}\n\n{}", names.join(", "), block(&text)));
    }
    Ok(page)
}

struct Package {
    /// Name, version, licence.
    title: String,
    licence: String,
    manifest: String,
}

/// What the roots link from elsewhere: normal dependencies, without procedural macros.
fn linked(metadata: &Value) -> Result<Vec<Package>, Box<dyn Error>> {
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let is_root = |package: &&&Value| ROOTS.iter().any(|root| package["name"] == *root);
    let mut open: Vec<&str> =
        packages.values().filter(is_root).filter_map(|package| package["id"].as_str()).collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(id) = open.pop() {
        let (Some(package), Some(node)) = (packages.get(id), nodes.get(id)) else {
            return Err(format!("cargo metadata does not know {id}").into());
        };
        if !seen.insert(id) || is_macro(package) || package["name"] == FIRMWARE {
            continue;
        }
        // those of the workspace come from nowhere
        if !package["source"].is_null() {
            found.push(Package::new(package)?);
        }
        let normal =
            items(&node["deps"]).filter(|dep| items(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null()));
        open.extend(normal.filter_map(|dep| dep["pkg"].as_str()));
    }
    Ok(found)
}

fn is_macro(package: &Value) -> bool {
    items(&package["targets"]).any(|target| items(&target["kind"]).any(|kind| kind == "proc-macro"))
}

impl Package {
    fn new(package: &Value) -> Result<Self, Box<dyn Error>> {
        let text = |key: &str| {
            let value = package[key].as_str().map(str::to_owned);
            value.ok_or_else(|| format!("{} says no {key}", package["id"]))
        };
        let licence = text("license")?;
        let title = format!("{} {} ({licence})", text("name")?, text("version")?);
        Ok(Self { title, licence, manifest: text("manifest_path")? })
    }

    /// The texts of its licences: the one of MIT where that is a choice, otherwise all.
    fn texts(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let dir = Path::new(&self.manifest).parent().ok_or("a manifest without a directory")?;
        let mut names = Vec::new();
        for entry in fs::read_dir(dir)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if BEGINNINGS.iter().any(|beginning| name.to_lowercase().starts_with(beginning)) {
                names.push(name);
            }
        }
        names.sort();
        let mit = names.iter().find(|name| name.to_lowercase().contains("mit")).cloned();
        if let (Some(mit), false) = (mit, self.licence.contains("AND")) {
            names = vec![mit];
        }
        if names.is_empty() {
            return Err(format!("{} comes without the text of its licence", self.title).into());
        }
        let read = |name: &String| Ok(tidy(&fs::read_to_string(dir.join(name))?));
        names.iter().map(read).collect()
    }
}

/// Without what differs between copies of one text: line ends, spaces at the end of a line, empty lines around it.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn block(text: &str) -> String {
    format!("```text\n{text}\n```\n")
}

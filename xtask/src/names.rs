//! One word, one thing: no two types of the workspace share a name, and the glossary knows no word twice.

use crate::Done;
use crate::citations::visit;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Programs that test the product: their words are their own.
const TOOLS: &[&str] = &["crates/soak", "crates/fuzz", "crates/reference"];

/// Names that stand for the same idea in several places, and why.
const ALLOWED: &[(&str, &str)] =
    &[("Phase", "the span between two events, in the state of each exact engine; neither leaves its file")];

/// Fails on a type name that is declared twice outside tests, and on a glossary entry that stands twice.
pub fn check(root: &Path) -> Done {
    eprintln!("xtask: is every name given once?");
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_tool = |path: &Path| TOOLS.iter().any(|tool| path.starts_with(root.join(tool)));
    visit(&root.join("crates"), &mut |path, text| {
        let is_source = path.extension().is_some_and(|ending| ending == "rs");
        if is_source && path.iter().any(|part| part == "src") && !is_tool(path) {
            let place = path.strip_prefix(root).unwrap_or(path).display().to_string();
            for name in declared(text) {
                places.entry(name.to_owned()).or_default().push(place.clone());
            }
        }
    })?;
    let is_allowed = |name: &str| ALLOWED.iter().any(|(allowed, _)| *allowed == name);
    let twice: Vec<String> = places
        .iter()
        .filter(|(name, places)| places.len() > 1 && !is_allowed(name))
        .map(|(name, places)| format!("{name} in {}", places.join(" and ")))
        .collect();
    let idle: Vec<&str> = ALLOWED
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| places.get(*name).is_none_or(|places| places.len() < 2))
        .collect();
    let repeated = repeated_entries(&fs::read_to_string(root.join("GLOSSARY.md"))?);
    if !twice.is_empty() {
        return Err(format!("types with the same name: {}", twice.join("; ")).into());
    }
    if !idle.is_empty() {
        return Err(format!("allowed twice in xtask/src/names.rs, but declared once: {idle:?}").into());
    }
    if !repeated.is_empty() {
        return Err(format!("twice in GLOSSARY.md: {repeated:?}").into());
    }
    Ok(())
}

/// The types that a file declares before its tests, associated types aside.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    // what is indented is a part that only tests have
    let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    code.lines().filter_map(|line| {
        let mut words = line
            .trim_start()
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty());
        let mut word = words.next()?;
        while matches!(word, "pub" | "crate" | "super" | "in") {
            word = words.next()?;
        }
        let is_associated = word == "type" && line.starts_with(' ');
        let name = words.next()?;
        let is_type = matches!(word, "struct" | "enum" | "trait" | "type" | "union");
        (is_type && !is_associated && name.starts_with(char::is_uppercase)).then_some(name)
    })
}

/// The words of the first column of the glossary's tables that stand there twice.
fn repeated_entries(glossary: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for line in glossary.lines().filter(|line| line.starts_with("| **")) {
        let cell = line.trim_start_matches("| ").split('|').next().unwrap_or_default();
        for word in cell.split(',') {
            *seen.entry(word.trim().trim_matches('*').to_lowercase()).or_default() += 1;
        }
    }
    seen.into_iter().filter(|(_, n)| *n > 1).map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_and_associated_types_are_not() {
        let text = "pub(crate) struct Pose<T> {\nenum Side {\n    type Output = f64;\ntype Done = ();\nstruct r;\n\
                    let structure = 1;\n#[cfg(test)]\nstruct Pose;\n";
        assert_eq!(declared(text).collect::<Vec<_>>(), ["Pose", "Side", "Done"]);
    }

    #[test]
    fn a_word_that_is_explained_twice_is_found() {
        let glossary = "| **belt** | a |\n| **twist**, **Belt** | b |\n";
        assert_eq!(repeated_entries(glossary), ["belt"]);
    }
}

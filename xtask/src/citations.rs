//! Every `@key` in the sources stands in the bibliography.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Fails on a citation that `docs/references.bib` does not know.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    eprintln!("xtask: is every citation in the bibliography?");
    let bibliography = fs::read_to_string(root.join("docs/references.bib"))?;
    // the page of the sources shows the text as it stands
    if let Some(line) = bibliography.lines().find(|line| line.contains('\\')) {
        return Err(format!("docs/references.bib: write the letter itself: {}", line.trim()).into());
    }
    let known: BTreeSet<&str> = bibliography
        .lines()
        .filter_map(|line| line.strip_prefix('@')?.split_once('{'))
        .map(|(_, key)| key.trim_end_matches(','))
        .collect();
    let mut unknown = BTreeSet::new();
    for dir in ["crates", "docs"] {
        visit(&root.join(dir), &mut |path, text| {
            for key in citations(text).filter(|key| !known.contains(key)) {
                unknown.insert(format!("@{key} in {}", path.display()));
            }
        })?;
    }
    if unknown.is_empty() { Ok(()) } else { Err(format!("not in docs/references.bib: {unknown:?}").into()) }
}

/// Hands every Rust and Markdown file below `dir` to `look`.
pub fn visit(dir: &Path, look: &mut dyn FnMut(&Path, &str)) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            visit(&path, look)?;
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "md") {
            look(&path, &fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

/// Words like `@hairer1993`: a citation ends in a year, or names one of our papers by letter.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
        let key = &rest[..end];
        let year = key.len() > 4 && key[key.len() - 4..].bytes().all(|b| b.is_ascii_digit());
        (year || key.starts_with("paper-")).then_some(key)
    })
}

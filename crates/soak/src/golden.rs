//! Goldens: a committed text for every example, which changes if one bit of its facts, columns or events does, or one
//! count of its work.
//!
//! ```text
//! fact velocity_max 0.0688788 m/s          shortest decimal that reads back as the same bits
//! column velocity 2001 a1b2c3d4e5f60718    number of values, hash of their bits
//! events 12 0123456789abcdef
//! work steps 345
//! allocations 67
//! ```
//!
//! Numbers that are not finite count as one value, because JSON has none for them.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use stiction::Progress;
use stiction_study::paper::PAPERS;
use stiction_study::patch::{PatchStudy, figure_ratios, sliding, summary};
use stiction_study::{Outcome, PatchFile, Study};

/// Direction in which the patches slide (rad): none of their axes.
const DIRECTION: f64 = 0.5;

/// What has a golden.
#[derive(Clone, Debug)]
pub struct Golden {
    /// Name of the file in `tests/golden`, without its ending.
    pub name: String,
    /// Path of the scenario below the root of the project.
    pub scenario: String,
    /// Whether it is a patch rather than a scenario.
    pub is_patch: bool,
}

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every example, every case of the papers, every patch, in order.
pub fn goldens() -> std::io::Result<Vec<Golden>> {
    let mut list = Vec::new();
    for (dir, is_patch) in [("examples", false), ("examples/patches", true)] {
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(root().join(dir))? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
        names.sort();
        list.extend(names.into_iter().map(|stem| Golden {
            name: if is_patch { format!("patch-{stem}") } else { stem.clone() },
            scenario: format!("{dir}/{stem}.toml"),
            is_patch,
        }));
    }
    let cases = PAPERS.iter().flat_map(|paper| paper.cases());
    list.extend(cases.filter(|case| !case.is_patch).map(|case| Golden {
        name: case.file.trim_end_matches(".toml").replace('/', "-"),
        scenario: format!("crates/stiction-study/papers/{}", case.file),
        is_patch: false,
    }));
    Ok(list)
}

impl Golden {
    /// Path of the committed text.
    pub fn path(&self) -> PathBuf {
        root().join("tests/golden").join(format!("{}.txt", self.name))
    }

    /// The committed text; empty if there is none.
    pub fn committed(&self) -> String {
        fs::read_to_string(self.path()).unwrap_or_default()
    }

    /// Runs the example; `allocations` counts those of this thread so far.
    pub fn found(&self, allocations: &dyn Fn() -> u64) -> Result<String, String> {
        let text = fs::read_to_string(root().join(&self.scenario))
            .map_err(|error| format!("{}: {error}", self.scenario))?;
        let mut found = format!("# {}, written by `cargo xtask golden --bless`\n", self.scenario);
        if self.is_patch {
            found.push_str(&patch_text(&self.scenario, &text)?);
            return Ok(found);
        }
        let study = Study::read(&self.scenario, &text, &[]).map_err(|faults| format!("{faults:?}"))?;
        let before = allocations();
        let outcome =
            study.run(&mut Progress::none()).map_err(|error| format!("{}: {error}", self.scenario))?;
        let allocated = allocations() - before;
        found.push_str(&outcome_text(&outcome));
        line(&mut found, format_args!("allocations {allocated}"));
        Ok(found)
    }
}

/// The golden of an outcome, without head and allocations.
pub fn outcome_text(outcome: &Outcome) -> String {
    let mut text = String::new();
    for fact in &outcome.facts {
        line(&mut text, format_args!("fact {} {} {}", fact.name(), number(fact.value), fact.unit));
    }
    for column in &outcome.samples {
        column_line(&mut text, &column.name, &column.values);
    }
    let mut hash = Fnv::default();
    for event in &outcome.events {
        hash.number(event.t);
        hash.bytes(format!("{} {}", event.contact, event.kind.name()).as_bytes());
    }
    line(&mut text, format_args!("events {} {}", outcome.events.len(), hash));
    if let Ok(Json::Object(work)) = serde_json::to_value(outcome.work) {
        for (name, count) in work {
            line(&mut text, format_args!("work {name} {count}"));
        }
    }
    text
}

/// The same from what the command line prints.
pub fn json_text(outcome: &Json) -> Option<String> {
    let mut text = String::new();
    let value = |json: &Json| json.as_f64().unwrap_or(f64::NAN);
    for fact in outcome["facts"].as_array()? {
        let (name, unit) = (fact["name"].as_str()?, fact["unit"].as_str()?);
        line(&mut text, format_args!("fact {name} {} {unit}", number(value(&fact["value"]))));
    }
    for (name, column) in outcome["samples"].as_object()? {
        let values: Vec<f64> = column.as_array()?.iter().map(value).collect();
        column_line(&mut text, name, &values);
    }
    let events = outcome["events"].as_array()?;
    let mut hash = Fnv::default();
    for event in events {
        hash.number(value(&event["t"]));
        hash.bytes(format!("{} {}", event["contact"], event["kind"].as_str()?).as_bytes());
    }
    line(&mut text, format_args!("events {} {}", events.len(), hash));
    for (name, count) in outcome["work"].as_object()? {
        line(&mut text, format_args!("work {name} {count}"));
    }
    Some(text)
}

fn patch_text(name: &str, text: &str) -> Result<String, String> {
    let patch = PatchFile::read(name, text, &[]).map_err(|faults| format!("{faults:?}"))?.patch;
    let (kind, study) = ((patch.closure, patch.constants), PatchStudy::from(patch));
    let mut text = String::new();
    for fact in summary(&study).map_err(|faults| format!("{name}: {faults:?}"))? {
        line(&mut text, format_args!("fact {} {} {}", fact.name(), number(fact.value), fact.unit));
    }
    let curve =
        sliding(&study, kind, DIRECTION, &figure_ratios()).map_err(|faults| format!("{name}: {faults:?}"))?;
    for (name, values) in
        [("ratio", curve.ratio), ("along", curve.along), ("across", curve.across), ("moment", curve.moment)]
    {
        column_line(&mut text, name, &values);
    }
    Ok(text)
}

/// What differs, a line for each fact, column or count: what it is and what it was.
pub fn differences(committed: &str, found: &str) -> Vec<String> {
    let (old, new) = (lines(committed), lines(found));
    let value = |list: &[(String, String)], key: &str| {
        list.iter().find(|(name, _)| name == key).map_or("absent".to_owned(), |(_, value)| value.clone())
    };
    let mut seen = BTreeSet::new();
    let keys = new.iter().chain(&old).map(|(key, _)| key).filter(|key| seen.insert(key.as_str()));
    keys.filter_map(|key| {
        let (was, is) = (value(&old, key), value(&new, key));
        (was != is).then(|| format!("{key}: {is}, but the golden has {was}"))
    })
    .collect()
}

/// Key and value of every line.
fn lines(text: &str) -> Vec<(String, String)> {
    let words = |line: &str| match line.split_once(' ') {
        Some((kind @ ("fact" | "column" | "work"), rest)) => {
            let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
            (format!("{kind} {name}"), value.to_owned())
        }
        Some((kind, value)) => (kind.to_owned(), value.to_owned()),
        None => (line.to_owned(), String::new()),
    };
    text.lines().filter(|line| !line.starts_with('#')).map(words).collect()
}

fn line(text: &mut String, words: std::fmt::Arguments) {
    // writing to a string cannot fail
    let _ = writeln!(text, "{words}");
}

/// The shortest decimal that reads back as the same bits.
fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "none".into() }
}

fn column_line(text: &mut String, name: &str, values: &[f64]) {
    let mut hash = Fnv::default();
    values.iter().for_each(|x| hash.number(*x));
    line(text, format_args!("column {name} {} {hash}", values.len()));
}

/// Stands for every number that is not finite: the bits of the usual NaN.
const NOT_FINITE: u64 = 0x7ff8 << 48;

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The bits, low byte first.
    fn number(&mut self, x: f64) {
        let bits = if x.is_finite() { x.to_bits() } else { NOT_FINITE };
        self.bytes(&bits.to_le_bytes());
    }
}

impl std::fmt::Display for Fnv {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        // test vectors of the FNV draft (draft-eastlake-fnv)
        for (text, hash) in
            [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
        {
            let mut fnv = Fnv::default();
            fnv.bytes(text.as_bytes());
            assert_eq!(fnv.to_string(), hash);
        }
    }

    #[test]
    fn a_difference_names_its_fact_or_column() {
        let committed = "# head\nfact peak 1.5 m\ncolumn t 3 0a\nevents 2 0b\nwork steps 7\nallocations 9\n";
        assert!(differences(committed, committed).is_empty());
        let found = "# other\nfact peak 1.25 m\ncolumn t 3 0a\ncolumn u 3 0c\nevents 1 0b\nwork steps 7\n";
        assert_eq!(
            differences(committed, found),
            [
                "fact peak: 1.25 m, but the golden has 1.5 m",
                "column u: 3 0c, but the golden has absent",
                "events: 1 0b, but the golden has 2 0b",
                "allocations: absent, but the golden has 9",
            ]
        );
    }

    #[test]
    fn one_bit_changes_a_column() {
        let hash = |values: &[f64]| {
            let mut text = String::new();
            column_line(&mut text, "u", values);
            text
        };
        assert_ne!(hash(&[1.0, 2.0]), hash(&[1.0, 2.0f64.next_up()]));
        assert_ne!(hash(&[0.0, 0.0]), hash(&[-0.0, -0.0]));
        assert_ne!(hash(&[1.0, 2.0]), hash(&[2.0, 1.0]));
        assert_eq!(hash(&[f64::NAN]), hash(&[f64::INFINITY]));
    }
}

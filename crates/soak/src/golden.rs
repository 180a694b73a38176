//! Goldens: two committed texts for every example. The one in `tests/golden` changes if one bit of the facts,
//! columns or events does:
//!
//! ```text
//! fact velocity_max 0.0688788 m/s          shortest decimal that reads back as the same bits
//! column velocity 2001 a1b2c3d4e5f60718    number of values, hash of their bits
//! events 12 0123456789abcdef
//! ```
//!
//! The one in `tests/work` holds what the run costs; counts may grow by [`GROWTH`] or [`SLACK`] without a new
//! text:
//!
//! ```text
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

/// Share by which a count of work may grow: what compilers and small changes make of the same method.
pub const GROWTH: f64 = 0.1;
/// Number by which a count of work may grow, where the share is less.
pub const SLACK: u64 = 20;

/// What a run gives and what it costs, as committed.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// Facts, columns and events, bit by bit.
    pub numbers: String,
    /// Steps, evaluations, allocations; empty for a patch.
    pub work: String,
}

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
    /// Paths of the committed texts: numbers and work.
    pub fn paths(&self) -> [PathBuf; 2] {
        ["golden", "work"].map(|folder| root().join("tests").join(folder).join(format!("{}.txt", self.name)))
    }

    /// The committed texts; empty if there are none.
    pub fn committed(&self) -> Texts {
        let [numbers, work] = self.paths().map(|path| fs::read_to_string(path).unwrap_or_default());
        Texts { numbers, work }
    }

    /// Writes the texts that are not empty.
    pub fn bless(&self, texts: &Texts) -> std::io::Result<()> {
        for (path, text) in self.paths().iter().zip([&texts.numbers, &texts.work]) {
            if !text.is_empty() {
                fs::write(path, text)?;
            }
        }
        Ok(())
    }

    /// Runs the example; `allocations` counts those of this thread so far.
    pub fn found(&self, allocations: &dyn Fn() -> u64) -> Result<Texts, String> {
        let text = fs::read_to_string(root().join(&self.scenario))
            .map_err(|error| format!("{}: {error}", self.scenario))?;
        let head = format!("# {}, written by `cargo xtask golden --bless`\n", self.scenario);
        if self.is_patch {
            return Ok(Texts { numbers: head + &patch_text(&self.scenario, &text)?, work: String::new() });
        }
        let study = Study::read(&self.scenario, &text, &[]).map_err(|faults| format!("{faults:?}"))?;
        let before = allocations();
        let outcome =
            study.run(&mut Progress::none()).map_err(|error| format!("{}: {error}", self.scenario))?;
        let allocated = allocations() - before;
        let mut work = head.clone() + &work_text(&outcome);
        line(&mut work, format_args!("allocations {allocated}"));
        Ok(Texts { numbers: head + &outcome_text(&outcome), work })
    }
}

/// The numbers of an outcome, without head.
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
    text
}

/// The counts of work of an outcome.
fn work_text(outcome: &Outcome) -> String {
    let mut text = String::new();
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

/// Counts of work that have grown beyond their bound, and those that are new or gone.
pub fn growth(committed: &str, found: &str) -> Vec<String> {
    let count = |list: &[(String, String)], key: &str| {
        list.iter().find(|(name, _)| name == key).and_then(|(_, value)| value.parse::<u64>().ok())
    };
    let (old, new) = (lines(committed), lines(found));
    let mut keys: Vec<&String> = old.iter().chain(&new).map(|(key, _)| key).collect();
    keys.sort();
    keys.dedup();
    let row = |key: &String| match (count(&old, key), count(&new, key)) {
        (Some(was), Some(is)) => {
            let most = was + SLACK.max((GROWTH * was as f64) as u64);
            (is > most).then(|| format!("{key}: {is}, more than {most}; committed {was}"))
        }
        _ => Some(format!("{key}: not in both")),
    };
    keys.into_iter().filter_map(row).collect()
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
    fn work_may_grow_within_its_bounds_only() {
        let committed = "# head\nwork steps 1000\nwork kinks 3\nallocations 9\n";
        let found = "work steps 1100\nwork kinks 23\nallocations 1\n";
        assert!(growth(committed, found).is_empty());
        let found = "work steps 1101\nwork kinks 24\nwork rejected 1\nallocations 9\n";
        assert_eq!(
            growth(committed, found),
            [
                "work kinks: 24, more than 23; committed 3",
                "work rejected: not in both",
                "work steps: 1101, more than 1100; committed 1000",
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

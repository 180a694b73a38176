//! Datasets that the disc, or somebody, has changed: refused, or read as they were.

use crate::support::{code, scratch, stiction, text};
use std::fs;
use std::path::{Path, PathBuf};
use stiction_dataset::Dataset;

const TRANSIENT: &str = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\ninitial.position = 3\n[analysis.transient]\nduration = 9\nsamples = 5\n";
/// Parts that are damaged at random places.
const DAMAGED: usize = 300;

fn dataset(name: &str) -> PathBuf {
    let dir = scratch(name);
    fs::write(dir.join("a.toml"), TRANSIENT).unwrap();
    let args =
        ["sweep", "a.toml", "--over", "mu=0:0.6:192", "--rows-per-part", "64", "--samples", "--out", "d"];
    let output = stiction(&dir, &args);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    dir
}

/// A sequence that looks random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Everything that the dataset says, as one text.
fn printed(folder: &Path) -> Option<String> {
    let dataset = Dataset::open(folder).ok()?;
    Some(format!("{} {} {}", dataset.done, dataset.failed, dataset.csv().ok()?))
}

#[test]
fn no_damaged_part_is_taken_for_another() {
    let folder = dataset("damage-bytes").join("d");
    let whole = printed(&folder).unwrap();
    let mut dice = Dice(27);
    let mut refused = 0;
    for round in 0..DAMAGED {
        let path = folder
            .join(["rows", "samples"][dice.below(2)])
            .join(format!("part-{:06}.parquet", dice.below(3)));
        let bytes = fs::read(&path).unwrap();
        let mut other = bytes.clone();
        let at = dice.below(bytes.len());
        match round % 4 {
            0 => other[at] ^= 1 << dice.below(8),
            1 => other[at..].iter_mut().take(16).for_each(|byte| *byte = 0),
            2 => other.truncate(at),
            _ => drop(other.splice(at..at, [0x2a])),
        }
        fs::write(&path, &other).unwrap();
        match printed(&folder) {
            Some(found) => assert_eq!(found, whole, "round {round}: {} at {at}", path.display()),
            None => refused += 1,
        }
        fs::write(&path, &bytes).unwrap();
    }
    // zeros over zeros change nothing
    assert!(refused > DAMAGED * 9 / 10, "{refused} of {DAMAGED}");
    assert_eq!(printed(&folder), Some(whole));
}

#[test]
fn a_part_in_the_place_of_another_is_refused_and_computed_again() {
    let dir = dataset("damage-swapped");
    let folder = dir.join("d");
    let whole = printed(&folder).unwrap();
    for kind in ["rows", "samples"] {
        let part = |k: usize| folder.join(kind).join(format!("part-{k:06}.parquet"));
        fs::copy(part(2), part(1)).unwrap();
        let resume = [
            "sweep",
            "a.toml",
            "--over",
            "mu=0:0.6:192",
            "--rows-per-part",
            "64",
            "--samples",
            "--out",
            "d",
            "--resume",
        ];
        for args in [&["info", "d"][..], &["map", "d", "--z", "drift"], &["rerun", "d"], &resume] {
            let output = stiction(&dir, args);
            let said = text(&output.stderr);
            assert!(
                code(&output) == 2 && said.contains("part-000001.parquet is damaged"),
                "{args:?}: {said}"
            );
        }
        // as the hint says
        fs::remove_file(part(1)).unwrap();
        let output = stiction(&dir, &resume);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(printed(&folder).as_ref(), Some(&whole));
    }
}

#[test]
fn a_manifest_that_was_changed_is_refused_at_once() {
    let dir = dataset("damage-manifest");
    let path = dir.join("d/manifest.json");
    let text_of = fs::read_to_string(&path).unwrap();
    for (from, to, word) in [
        ("\"rows\": 192", "\"rows\": 1000000000000000", "hash"),
        ("\"rows_per_part\": 64", "\"rows_per_part\": 0", "hash"),
        ("mu = 0.3", "mu = 0.4", "hash"),
        ("\"unit\": \"J\"", "\"unit\": \"mJ\"", "hash"),
        ("\"format\": 2", "\"format\": 1", "format 1"),
    ] {
        assert!(text_of.contains(from), "{from} is missing in\n{text_of}");
        fs::write(&path, text_of.replacen(from, to, 1)).unwrap();
        let output = stiction(&dir, &["info", "d"]);
        let said = text(&output.stderr);
        assert!(code(&output) == 2 && said.contains("is damaged") && said.contains(word), "{to}: {said}");
    }
}

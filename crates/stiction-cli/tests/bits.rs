//! What the command line prints is what the library finds, to the last bit. The tests of the Python package compare with the
//! command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction_study::Study;

fn examples() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files
}

#[test]
fn every_example_prints_the_bits_of_the_library() {
    let files = examples();
    assert!(files.len() > 10);
    for path in files {
        let study = Study::read("example", &fs::read_to_string(&path).unwrap(), &[]).unwrap();
        let outcome = study.run(&mut |_| true).unwrap();
        let printed = Command::new(env!("CARGO_BIN_EXE_stiction"))
            .arg("run")
            .arg(&path)
            .arg("--json")
            .output()
            .unwrap();
        let printed = String::from_utf8(printed.stdout).unwrap();
        assert_eq!(printed.trim_end(), outcome.to_json().to_string(), "{}", path.display());
        // a number reads back as the same number
        let values = outcome.facts.iter().map(|fact| fact.value);
        for value in values.chain(outcome.samples.iter().flat_map(|column| column.values.clone())) {
            let text = serde_json::json!(value).to_string();
            let same = text.parse::<f64>().map(f64::to_bits) == Ok(value.to_bits());
            assert!(same || (text == "null" && !value.is_finite()), "{value:e} is printed as {text}");
        }
    }
}

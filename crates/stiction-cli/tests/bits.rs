//! What the command line prints is what is committed for every example, to the last bit. The tests of the library and of the
//! Python package compare with the same files.

use std::process::Command;
use stiction_soak::golden::{differences, goldens, json_text, root};

#[test]
fn every_example_prints_the_committed_bits() {
    let mut list = goldens().unwrap();
    list.retain(|golden| !golden.is_patch);
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.arg("run").args(list.iter().map(|golden| root().join(&golden.scenario))).arg("--json");
    let output = command.output().unwrap();
    // the sign function of paper E chatters, and its run says that its energies are wrong
    let said = String::from_utf8_lossy(&output.stderr);
    let wrong: Vec<&str> =
        said.lines().filter(|line| !line.contains("sign-coulomb: the energy balance")).collect();
    assert_eq!((output.status.code(), wrong), (Some(1), Vec::new()));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let printed = printed.as_array().unwrap();
    assert_eq!(printed.len(), list.len());
    for (golden, outcome) in list.iter().zip(printed) {
        let text = json_text(outcome).unwrap();
        assert_eq!(differences(&golden.committed().numbers, &text), [""; 0], "{}", golden.name);
    }
}

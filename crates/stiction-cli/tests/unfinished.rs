//! Runs that are stopped: what is finished is written, and `--resume` goes on from it.

use crate::support::{code, files, scratch, stiction, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Some seconds of work, on any machine more than the time that it is given.
const SLOW: &str = "title = \"Slow\"\n[system.matrices]\nmass = [1, 1, 1, 1]\nstiffness = [[2, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1]]\ndamping = [0.02, 0.02, 0.02, 0.02]\nforce = { amplitude = 1.0, omega = 0.5, dof = 3 }\nfriction = { dof = 0, tanh = { mu = 0.3, width = 0.001 } }\n[analysis.response]\nparameter = \"omega\"\nfrom = 0.3\nto = 2.0\npoints = 400\n";
const QUICK: &str = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\ninitial.position = 3\n[analysis.transient]\nduration = 9\n";

fn stage(name: &str) -> PathBuf {
    let dir = scratch(name);
    fs::write(dir.join("slow.toml"), SLOW).unwrap();
    fs::write(dir.join("quick.toml"), QUICK).unwrap();
    dir
}

fn lines(dir: &Path, name: &str) -> usize {
    fs::read_to_string(dir.join(name)).unwrap().lines().count()
}

#[test]
fn a_time_that_is_over_leaves_what_is_finished_and_the_rest_can_follow() {
    let dir = stage("unfinished-time");
    let whole = stiction(&dir, &["run", "slow.toml", "--out", "whole"]);
    assert_eq!(code(&whole), 0, "{}", text(&whole.stderr));
    let output = stiction(&dir, &["run", "quick.toml", "slow.toml", "--out", "o", "--max-time", "1"]);
    let said = text(&output.stderr);
    assert_eq!(code(&output), 2, "{said}");
    assert!(said.contains("points that are finished are written") && said.contains("--resume"), "{said}");
    assert!(text(&output.stdout).contains("Slow (incomplete)"), "{}", text(&output.stdout));
    // the run before it is whole
    assert!(files(&dir.join("o")).contains(&"quick.png".into()));
    let n = lines(&dir, "o/slow.csv");
    assert!(n > 1 && n < 401, "{n}");
    // another scenario does not go on from these points
    let other = stiction(&dir, &["run", "slow.toml", "--set", "mu=0.2", "--out", "o", "--resume"]);
    assert!(code(&other) == 2 && text(&other.stderr).contains("begun with another scenario"));
    assert_eq!(lines(&dir, "o/slow.csv"), n);

    let resumed = stiction(&dir, &["run", "slow.toml", "--out", "o", "--resume"]);
    assert_eq!(code(&resumed), 0, "{}", text(&resumed.stderr));
    for name in ["slow.csv", "slow.svg", "slow.png", "slow.scenario.toml"] {
        let read = |folder: &str| fs::read(dir.join(folder).join(name)).unwrap();
        assert!(read("o") == read("whole"), "{name}");
    }
    assert!(!dir.join("o/slow.incomplete.json").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_what_is_finished() {
    let dir = stage("unfinished-interrupt");
    let child = Command::new(env!("CARGO_BIN_EXE_stiction"))
        .args(["run", "slow.toml", "--out", "o"])
        .current_dir(&dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130);
    assert!(
        text(&output.stderr).contains("points that are finished are written"),
        "{}",
        text(&output.stderr)
    );
    assert!(lines(&dir, "o/slow.csv") > 1);
}

#[test]
fn a_run_that_fails_leaves_those_before_it() {
    let dir = stage("unfinished-failed");
    let bad = "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = { amplitude = 1, omega = 1 }\nfriction.coulomb.mu = 0.1\n[analysis.steady]\n";
    fs::write(dir.join("bad.toml"), bad).unwrap();
    let output = stiction(&dir, &["run", "quick.toml", "bad.toml", "--out", "o"]);
    assert_ne!(code(&output), 0);
    assert_eq!(files(&dir.join("o")).len(), 5, "{:?}", files(&dir.join("o")));
}

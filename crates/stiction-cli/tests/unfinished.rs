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

/// A branch goes on from where it was, with the same bytes.
#[test]
fn a_branch_that_was_stopped_goes_on() {
    let dir = scratch("unfinished-branch");
    let branch =
        SLOW.replace("points = 400", "points = 20\nthrough_folds = true").replace("to = 2.0", "to = 0.4");
    fs::write(dir.join("branch.toml"), branch).unwrap();
    let whole = stiction(&dir, &["run", "branch.toml", "--out", "whole"]);
    assert_eq!(code(&whole), 0, "{}", text(&whole.stderr));
    let output = stiction(&dir, &["run", "branch.toml", "--out", "o", "--max-time", "0.7"]);
    let said = text(&output.stderr);
    assert_eq!(code(&output), 2, "{said}");
    assert!(said.contains("points that are finished are written") && said.contains("--resume"), "{said}");
    let n = lines(&dir, "o/branch.csv");
    assert!(n > 1 && n < lines(&dir, "whole/branch.csv"), "{n}");
    let resumed = stiction(&dir, &["run", "branch.toml", "--out", "o", "--resume"]);
    assert_eq!(code(&resumed), 0, "{}", text(&resumed.stderr));
    assert!(fs::read(dir.join("o/branch.csv")).unwrap() == fs::read(dir.join("whole/branch.csv")).unwrap());
}

/// Analyses of other kinds leave what they have, too: a motion in time, a nonlinear mode, growth rates.
#[test]
fn every_analysis_leaves_what_is_finished() {
    let dir = scratch("unfinished-kinds");
    let motion = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction = { tanh = { mu = 0.3, width = 1e-4 } }\nforce = { amplitude = 1, omega = 0.7 }\n[analysis.transient]\nduration = 1e6\nsamples = 100001\n";
    let chain = |n: usize, analysis: &str, friction: &str| {
        let row = |i: usize| {
            let entry = |j: usize| match i.abs_diff(j) {
                0 => "2.0",
                1 => "-1.0",
                _ => "0.0",
            };
            format!("[{}]", (0..n).map(entry).collect::<Vec<_>>().join(", "))
        };
        let stiffness = (0..n).map(row).collect::<Vec<_>>().join(", ");
        let list = |value: f64| format!("{:?}", vec![value; n]);
        format!(
            "[system.matrices]\nmass = {}\ndamping = {}\nstiffness = [{stiffness}]\n{friction}\n{analysis}",
            list(1.0),
            list(0.02)
        )
    };
    let belt = "friction = { dof = 0, belt = 1.0, stribeck = { mu = 0.3, mu_static = 1.0, velocity = 0.3, width = 1e-3 } }";
    let growth = "[analysis.stability]\nparameter = \"mu\"\nfrom = 0.1\nto = 0.9\npoints = 4000\n";
    let jenkins = "friction = { dof = 0, jenkins = { mu = 0.3, stiffness = 2.0 } }";
    let mode = "[analysis.nonlinear-mode]\nfrom = 0.01\nto = 10.0\npoints = 4000\n";
    let cases = [
        ("motion", motion.to_owned(), "the motion so far is written"),
        ("growth", chain(40, growth, belt), "points that are finished are written"),
        ("mode", chain(6, mode, jenkins), "points that are finished are written"),
    ];
    for (name, scenario, words) in cases {
        fs::write(dir.join(format!("{name}.toml")), scenario).unwrap();
        let file = format!("{name}.toml");
        let output = stiction(&dir, &["run", &file, "--out", "o", "--max-time", "1"]);
        let said = text(&output.stderr);
        assert!(code(&output) == 2 && said.contains(words), "{name}: {said}");
        assert!(text(&output.stdout).contains("(incomplete)"), "{name}: {}", text(&output.stdout));
        assert!(lines(&dir, &format!("o/{name}.csv")) > 1, "{name}");
    }
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

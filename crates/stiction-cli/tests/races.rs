//! Jobs that are started together in a folder that is not there.

use crate::support::{code, files, scratch, stiction, text};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const STEADY: &str = "[system.oscillator]\nmass = 1\nstiffness = 1\ndamping = 0.02\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1, omega = 0.7 }\n[analysis.steady]\n";
/// Rounds of four jobs; before jobs began one after the other about one job in ten failed.
const ROUNDS: usize = 12;

fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn ended(jobs: Vec<Child>) -> Vec<Output> {
    jobs.into_iter().map(|job| job.wait_with_output().unwrap()).collect()
}

#[test]
fn shards_that_start_together_all_end_well() {
    let dir = scratch("race-shards");
    fs::write(dir.join("a.toml"), STEADY).unwrap();
    let grid = ["--over", "omega=0.3:1.5:8", "--over", "mu=0.1:0.75:32"];
    for round in 0..ROUNDS {
        let out = format!("d{round}");
        let job = |shard: &str| {
            start(&dir, &[&["sweep", "a.toml", "--out", &out, "--shard", shard][..], &grid].concat())
        };
        for output in ended(["0/4", "1/4", "2/4", "3/4"].map(job).into()) {
            assert_eq!(code(&output), 0, "round {round}: {}", text(&output.stderr));
        }
        let manifest = fs::read_to_string(dir.join(&out).join("manifest.json")).unwrap();
        assert!(manifest.contains("\"rows_done\": 256"), "round {round}: {manifest}");
    }
}

#[test]
fn of_whole_sweeps_that_start_together_one_has_the_folder() {
    let dir = scratch("race-sweeps");
    fs::write(dir.join("a.toml"), STEADY).unwrap();
    for round in 0..ROUNDS {
        let out = format!("d{round}");
        let outputs = ended(
            (0..4)
                .map(|_| start(&dir, &["sweep", "a.toml", "--over", "mu=0.1:0.7:64", "--out", &out]))
                .collect(),
        );
        let refused = outputs.iter().filter(|output| code(output) != 0);
        refused.clone().for_each(|output| {
            let printed = text(&output.stderr);
            assert!(printed.contains("holds a dataset already"), "round {round}: {printed}");
        });
        assert_eq!(refused.count(), 3, "round {round}");
        assert!(text(&stiction(&dir, &["info", &out]).stdout).contains("64 of 64 rows"), "round {round}");
    }
}

#[test]
fn runs_that_start_together_all_write_their_files() {
    let dir = scratch("race-runs");
    let names = ["a", "b", "c", "d"];
    for name in names {
        fs::write(dir.join(format!("{name}.toml")), STEADY).unwrap();
    }
    for round in 0..ROUNDS {
        let out = format!("o{round}/inner");
        let outputs = ended(
            names.iter().map(|name| start(&dir, &["run", &format!("{name}.toml"), "--out", &out])).collect(),
        );
        for output in outputs {
            assert_eq!(code(&output), 0, "round {round}: {}", text(&output.stderr));
        }
        assert_eq!(files(&dir.join(&out)).len(), 5 * names.len(), "round {round}");
    }
}

#[test]
fn a_refused_run_leaves_no_folder() {
    let dir = scratch("race-refused");
    fs::write(dir.join("a.toml"), STEADY.replace("omega = 0.7", "omega = 1e-300")).unwrap();
    assert_ne!(code(&stiction(&dir, &["run", "a.toml", "--out", "o/p"])), 0);
    assert_eq!(files(&dir), ["a.toml"]);
}

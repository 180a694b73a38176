//! Some hundred random systems and bodies through all checks, the same ones on every machine, and every one
//! that once failed. `cargo xtask soak` takes thousands.

use std::fs;
use stiction_soak::golden::root;
use stiction_soak::soak::{Check, ON_BODIES, ON_LINES, Report, replay, soak};

/// Systems and bodies of a test run.
const COUNTS: [u64; 2] = [240, 60];
/// Seeds of which one in some is a search for periodic motions.
const SEARCHES: u64 = 300;
/// The checks of searches.
const ON_SEARCHES: [&str; 3] = ["steady", "response", "folds"];
/// Pairs of a law and an element; `cargo xtask soak --check pairs` takes all of them.
const ON_PAIRS: u64 = 90;
/// The first seed.
const SEED: u64 = 1;
/// Threads that share them.
const THREADS: usize = 4;

fn none_fails(checks: &[&Check], count: u64) -> Report {
    let report = soak(checks, (SEED, count), (None, THREADS), &|_| {});
    let found: Vec<String> = (report.failures.iter())
        .map(|f| {
            format!(
                "{}, seed {}: {}\n{}",
                f.check,
                f.seed,
                f.message,
                f.scenario.to_toml().unwrap_or_default()
            )
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    assert_eq!(report.cases, count);
    report
}

/// At least this share of the seeds of each check is judged, not skipped.
fn most_are_judged(report: &Report, least: &[(&str, u64)]) {
    for (check, least) in least {
        let passed = report.passed.get(check).copied().unwrap_or(0);
        assert!(passed >= *least, "{check}: {passed} judged; {:?}", report.skipped);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: cargo xtask test is optimised")]
fn random_systems_pass_all_checks() {
    let is_of_motion = |check: &&Check| check.name != "pairs" && !ON_SEARCHES.contains(&check.name);
    let checks: Vec<&Check> = ON_LINES.iter().filter(is_of_motion).collect();
    let all = COUNTS[0];
    let report = none_fails(&checks, all);
    most_are_judged(
        &report,
        &[
            ("facts", all * 9 / 10),
            ("reference", all / 2),
            ("relations", all * 4 / 10),
            ("elements", all * 8 / 10),
        ],
    );
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: cargo xtask test is optimised")]
fn random_pairs_of_laws_and_elements_pass_their_check() {
    let checks: Vec<&Check> = ON_LINES.iter().filter(|check| check.name == "pairs").collect();
    let report = none_fails(&checks, ON_PAIRS);
    most_are_judged(&report, &[("pairs", ON_PAIRS * 7 / 10)]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: cargo xtask test is optimised")]
fn random_searches_pass_all_checks() {
    let checks: Vec<&Check> = ON_LINES.iter().filter(|check| ON_SEARCHES.contains(&check.name)).collect();
    let report = none_fails(&checks, SEARCHES);
    // one seed in 20 and in 100, a quarter of which is judged at least
    most_are_judged(&report, &[("steady", SEARCHES / 80), ("response", SEARCHES / 400)]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: cargo xtask test is optimised")]
fn random_bodies_pass_all_checks() {
    let report = none_fails(&ON_BODIES.iter().collect::<Vec<_>>(), COUNTS[1]);
    let all = COUNTS[1];
    most_are_judged(
        &report,
        &[("body-facts", all * 9 / 10), ("body-relations", all * 9 / 10), ("body-reference", all / 2)],
    );
}

#[test]
fn what_once_failed_passes() {
    for entry in fs::read_dir(root().join("tests/soak")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        if let Err(message) = replay(&path) {
            panic!("{}: {message}", path.display());
        }
    }
}

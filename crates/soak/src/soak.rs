//! Random cases through all checks: seeds, counts, failures, and the smallest scenario that still fails.

use crate::generate::random_lines;
use crate::shrink::shrunk;
use crate::verdict::{Checked, Verdict};
use crate::{
    bodies, body_relations, body_steps, facts, general, pairs, periodic, prescribed, reference, relations,
};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use stiction_study::{Scenario, Study};

/// A check of random scenarios.
pub struct Check {
    /// Name in reports.
    pub name: &'static str,
    /// One seed in so many is checked, for what costs much.
    pub one_in: u64,
    /// The scenario of a seed.
    pub scenario_of: fn(u64) -> Scenario,
    /// What it does; the number makes its own random choices.
    pub run: fn(&Scenario, u64) -> Checked,
}

/// All checks of systems on lines.
pub const ON_LINES: &[Check] = &[
    Check { name: "facts", one_in: 1, scenario_of: lines_of, run: facts::facts },
    Check { name: "reference", one_in: 1, scenario_of: lines_of, run: reference::reference },
    Check { name: "relations", one_in: 2, scenario_of: lines_of, run: relations::relations },
    Check { name: "elements", one_in: 1, scenario_of: general::general_of, run: general::general },
    Check {
        name: "prescribed",
        one_in: 2,
        scenario_of: prescribed::prescribed_of,
        run: prescribed::prescribed,
    },
    Check { name: "pairs", one_in: 1, scenario_of: pairs::pair_of, run: pairs::pairs },
    Check { name: "steady", one_in: 20, scenario_of: periodic::steady_of, run: periodic::steady },
    Check { name: "response", one_in: 100, scenario_of: periodic::response_of, run: periodic::response },
    Check { name: "folds", one_in: 500, scenario_of: periodic::response_of, run: periodic::folds },
];

/// All checks of bodies on the plane.
pub const ON_BODIES: &[Check] = &[
    Check { name: "body-facts", one_in: 1, scenario_of: body_of, run: |scenario, _| bodies::facts(scenario) },
    Check { name: "body-relations", one_in: 1, scenario_of: body_of, run: body_relations::relations },
    Check {
        name: "body-reference",
        one_in: 1,
        scenario_of: body_of,
        run: |scenario, _| body_steps::reference(scenario),
    },
];

/// A case that fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Name of the check.
    pub check: &'static str,
    /// Its seed.
    pub seed: u64,
    /// How it fails.
    pub message: String,
    /// The smallest scenario found that fails the same check.
    pub scenario: Scenario,
}

/// What a soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cases.
    pub cases: u64,
    /// Passed by check.
    pub passed: BTreeMap<&'static str, u64>,
    /// Skipped by check and reason.
    pub skipped: BTreeMap<(&'static str, String), u64>,
    /// Time spent by check, shrinking aside (s).
    pub seconds: BTreeMap<&'static str, f64>,
    /// Failures.
    pub failures: Vec<Failure>,
}

impl Report {
    fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        for (name, n) in other.passed {
            *self.passed.entry(name).or_default() += n;
        }
        for (key, n) in other.skipped {
            *self.skipped.entry(key).or_default() += n;
        }
        for (name, time) in other.seconds {
            *self.seconds.entry(name).or_default() += time;
        }
        self.failures.extend(other.failures);
    }
}

thread_local! {
    /// Where the last panic of this thread was, if [`quiet_panics`] keeps it.
    static PANICKED: Cell<Option<String>> = const { Cell::new(None) };
}

/// Panics are reported as failures, with their places, and not as they come.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        PANICKED.set(info.location().map(|place| format!(" at {}:{}", place.file(), place.line())));
    }));
}

/// Runs one check; a panic is a failure.
pub fn run_check(check: &Check, scenario: &Scenario, seed: u64) -> Checked {
    catch_unwind(AssertUnwindSafe(|| (check.run)(scenario, seed))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        Err(format!("panic{}: {text}", PANICKED.take().unwrap_or_default()))
    })
}

/// All checks of one seed.
pub fn run_case(checks: &[&Check], seed: u64, shrinks: bool) -> Report {
    let mut report = Report { cases: 1, ..Report::default() };
    for check in checks.iter().filter(|check| seed.is_multiple_of(check.one_in)) {
        let scenario = (check.scenario_of)(seed);
        let start = Instant::now();
        let verdict = run_check(check, &scenario, seed);
        report.seconds.insert(check.name, start.elapsed().as_secs_f64());
        match verdict {
            Ok(Verdict::Passed) => *report.passed.entry(check.name).or_default() += 1,
            Ok(Verdict::Skipped(reason)) => *report.skipped.entry((check.name, reason)).or_default() += 1,
            Err(message) => {
                let fails = |scenario: &Scenario| run_check(check, scenario, seed).is_err();
                let scenario = if shrinks { shrunk(&scenario, &fails) } else { scenario };
                report.failures.push(Failure { check: check.name, seed, message, scenario });
            }
        }
    }
    report
}

/// Checks a scenario that failed once, by its file's name: `check-seed.toml`.
pub fn replay(path: &Path) -> Checked {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (name, seed) = stem.rsplit_once('-').ok_or("its name is not check-seed.toml")?;
    let of_name = |check: &&Check| check.name == name;
    let check = ON_LINES.iter().chain(ON_BODIES).find(of_name).ok_or_else(|| format!("no check {name}"))?;
    let seed = seed.parse().map_err(|_| format!("no seed {seed}"))?;
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let study = Study::read(&stem, &text, &[]).map_err(|errors| format!("{errors:?}"))?;
    run_check(check, &study.scenario, seed)
}

/// The transient of a seed on lines.
fn lines_of(seed: u64) -> Scenario {
    random_lines(seed).scenario()
}

/// The body of a seed.
fn body_of(seed: u64) -> Scenario {
    bodies::random_body(seed)
}

/// Seeds `first`, `first + 1`, … until `count` cases are done or the time is over, on several threads.
/// `watch` sees every failure as it is found, and the number of cases done now and then.
pub fn soak(
    checks: &[&Check],
    (first, count): (u64, u64),
    (time, threads): (Option<Duration>, usize),
    watch: &(dyn Fn(&Report) + Sync),
) -> Report {
    let start = Instant::now();
    let shared = Mutex::new((0, Report::default()));
    let work = || {
        loop {
            let seed = {
                let mut shared = shared.lock().unwrap_or_else(|broken| broken.into_inner());
                if shared.0 >= count || time.is_some_and(|time| start.elapsed() > time) {
                    return;
                }
                shared.0 += 1;
                first + shared.0 - 1
            };
            let report = run_case(checks, seed, true);
            let mut shared = shared.lock().unwrap_or_else(|broken| broken.into_inner());
            watch(&report);
            shared.1.merge(report);
        }
    };
    std::thread::scope(|scope| (0..threads.max(1)).for_each(|_| _ = scope.spawn(work)));
    shared.into_inner().unwrap_or_else(|broken| broken.into_inner()).1
}

//! `cargo xtask soak`: random systems and bodies through all checks, until the count or the time is over.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use stiction_soak::golden::root;
use stiction_soak::soak::{Check, Failure, ON_BODIES, ON_LINES, Report, quiet_panics, replay, soak};

const USAGE: &str = "usage: cargo xtask soak [--minutes N] [--systems N] [--bodies N] [--seed S] [--threads N] [--check NAME] [--write FOLDER] [--replay FILE]";
/// Cases between two lines about progress.
const EVERY: u64 = 100;

/// What is asked for.
struct Wanted {
    minutes: Option<f64>,
    systems: u64,
    bodies: u64,
    seed: u64,
    threads: usize,
    check: Option<String>,
    write: Option<PathBuf>,
    replay: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(wanted) = wanted(&args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    quiet_panics();
    if let Some(path) = &wanted.replay {
        let verdict = replay(path);
        println!("{}: {verdict:?}", path.display());
        return if verdict.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let on_lines = reported("systems", ON_LINES, wanted.systems, &wanted);
    let on_bodies = reported("bodies", ON_BODIES, wanted.bodies, &wanted);
    if on_lines && on_bodies { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn wanted(args: &[String]) -> Option<Wanted> {
    let mut wanted = Wanted {
        minutes: None,
        systems: 1000,
        bodies: 250,
        seed: 1,
        threads: 1,
        check: None,
        write: None,
        replay: None,
    };
    for pair in args.chunks(2) {
        let [name, value] = pair else { return None };
        match name.as_str() {
            "--minutes" => wanted.minutes = Some(value.parse().ok()?),
            "--systems" => wanted.systems = value.parse().ok()?,
            "--bodies" => wanted.bodies = value.parse().ok()?,
            "--seed" => wanted.seed = value.parse().ok()?,
            "--threads" => wanted.threads = value.parse().ok()?,
            "--check" => wanted.check = Some(value.clone()),
            "--write" => wanted.write = Some(value.into()),
            "--replay" => wanted.replay = Some(value.into()),
            _ => return None,
        }
    }
    Some(wanted)
}

/// Runs the cases and says what was found; true if none fails.
fn reported(what: &str, checks: &[Check], count: u64, wanted: &Wanted) -> bool {
    let is_wanted = |check: &&Check| wanted.check.as_ref().is_none_or(|name| name == check.name);
    let checks: Vec<&Check> = checks.iter().filter(is_wanted).collect();
    if checks.is_empty() || count == 0 {
        return true;
    }
    if let Some(folder) = &wanted.write {
        return (wanted.seed..wanted.seed + count)
            .all(|seed| checks.iter().all(|check| write(folder, check, seed)));
    }
    let start = Instant::now();
    let done = AtomicU64::new(0);
    println!("{what}: seeds {} to {}", wanted.seed, wanted.seed + count - 1);
    let watch = |report: &Report| {
        report.failures.iter().for_each(print_failure);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(EVERY) {
            println!("{what}: {done} done, {:.1} in a second", done as f64 / start.elapsed().as_secs_f64());
        }
    };
    let time = wanted.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let report = soak(&checks, (wanted.seed, count), (time, wanted.threads), &watch);
    println!("{what}: {} cases in {:.1} s", report.cases, start.elapsed().as_secs_f64());
    for (check, n) in &report.passed {
        println!("  {check}: {n} passed, {:.0} s", report.seconds.get(check).copied().unwrap_or(0.0));
    }
    for ((check, reason), n) in &report.skipped {
        println!("  {check}: {n} skipped, {reason}");
    }
    println!("  {} failures", report.failures.len());
    report.failures.is_empty()
}

/// Writes the scenario of a check and a seed instead of checking it.
fn write(folder: &Path, check: &Check, seed: u64) -> bool {
    let text = (check.scenario_of)(seed).to_toml().unwrap_or_default();
    let path = folder.join(format!("{}-{seed}.toml", check.name));
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text)).is_ok()
}

/// Says how a case fails, and leaves the smallest scenario in `tests/soak`.
fn print_failure(failure: &Failure) {
    let Failure { check, seed, message, scenario } = failure;
    println!("seed {seed}, {check}: {message}");
    match scenario.to_toml() {
        Ok(text) => {
            let path = root().join("tests/soak").join(format!("{check}-{seed}.toml"));
            let head = format!("# {check}, seed {seed}: {}\n", message.lines().next().unwrap_or_default());
            let dir = path.parent().unwrap_or(Path::new("."));
            let written = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(&path, head + &text));
            match written {
                Ok(()) => println!("  shrunk to tests/soak/{check}-{seed}.toml"),
                Err(error) => println!("  {error}\n{text}"),
            }
        }
        Err(error) => println!("  {}", error.message),
    }
}

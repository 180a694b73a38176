//! Runs stages side by side, each as a process of its own with a log, and prints a table of results and times.
//!
//! A stage that fails ends nothing but the stages that need what it makes; the table says how to repeat it.

use crate::Done;
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Exit code of a stage whose tools are missing.
pub const NOT_RUN: u8 = 3;
/// Variable that limits the threads of a stage.
pub const WORKERS: &str = "XTASK_WORKERS";
/// Where the logs go, below the root.
const LOGS: &str = "target/stages";
/// Lines of a failing stage's log that are printed.
const TAIL: usize = 40;
const POLL: Duration = Duration::from_millis(50);

/// How much of the machine a stage takes.
#[derive(Clone, Copy, PartialEq)]
pub enum Load {
    /// A second of work, or a download.
    Light,
    /// One core.
    Core,
    /// All cores: compiling, or tests that take every thread.
    All,
}

/// One row of the table.
pub struct Stage {
    /// Name in the table and of its log.
    pub name: &'static str,
    /// Arguments of `cargo xtask` that run it alone.
    pub command: &'static [&'static str],
    /// Stages whose products it uses.
    pub needs: &'static [&'static str],
    /// What it takes of the machine.
    pub load: Load,
}

/// Verdict and time of the stages that have ended.
type Ended = BTreeMap<&'static str, (Verdict, Duration)>;

#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    Passed,
    Failed,
    /// With the reason.
    NotRun(String),
}

struct Running {
    child: Child,
    start: Instant,
}

/// The number of threads that a stage may use.
pub fn workers() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    env::var(WORKERS).ok().and_then(|text| text.parse().ok()).unwrap_or(cores)
}

/// Runs all stages, each as soon as what it needs is there and a core is free, earlier ones first; `more` is added to the
/// arguments of each. Prints the table, and fails if a stage failed.
pub fn run(root: &Path, stages: &[&Stage], more: &[String]) -> Done {
    let this = env::current_exe()?;
    let launch = |stage: &Stage| {
        let mut command = Command::new(&this);
        command.args(stage.command).args(more);
        command
    };
    let begin = Instant::now();
    let ended = carry_out(root, stages, &launch)?;
    table(stages, more, &ended, begin.elapsed())
}

/// Runs all stages by the commands of `launch`, and gives the verdict and the time of each.
fn carry_out(
    root: &Path,
    stages: &[&Stage],
    launch: &dyn Fn(&Stage) -> Command,
) -> Result<Ended, Box<dyn Error>> {
    fs::create_dir_all(root.join(LOGS))?;
    let cores = thread::available_parallelism().map_or(1, usize::from).max(2);
    let mut ended = Ended::new();
    let mut running = BTreeMap::<&str, Running>::new();
    while ended.len() < stages.len() {
        for stage in stages {
            if let Some(job) = running.get_mut(stage.name)
                && let Some(status) = job.child.try_wait()?
            {
                let verdict = match status.code() {
                    Some(0) => Verdict::Passed,
                    Some(code) if code == i32::from(NOT_RUN) => Verdict::NotRun(reason(root, stage)),
                    _ => Verdict::Failed,
                };
                let time = job.start.elapsed();
                running.remove(stage.name);
                ended.insert(stage.name, (verdict.clone(), time));
                progress(root, stage, &verdict, time, (ended.len(), stages.len()));
            }
        }
        for stage in stages {
            if running.contains_key(stage.name) || ended.contains_key(stage.name) {
                continue;
            }
            match missing(stage, &ended) {
                Need::Failed(name) => {
                    let verdict = Verdict::NotRun(format!("needs {name}, which did not pass"));
                    ended.insert(stage.name, (verdict.clone(), Duration::ZERO));
                    progress(root, stage, &verdict, Duration::ZERO, (ended.len(), stages.len()));
                }
                Need::Ready if is_room(stage.load, stages, &running, cores) => {
                    running.insert(stage.name, start(root, stage, launch(stage))?);
                }
                Need::Ready | Need::Waiting => {}
            }
        }
        thread::sleep(POLL);
    }
    Ok(ended)
}

enum Need {
    Ready,
    Waiting,
    Failed(&'static str),
}

fn missing(stage: &Stage, ended: &Ended) -> Need {
    for need in stage.needs {
        match ended.get(need) {
            None => return Need::Waiting,
            Some((Verdict::Passed, _)) => {}
            Some(_) => return Need::Failed(need),
        }
    }
    Need::Ready
}

/// Whether a stage of this load may start beside those that run.
fn is_room(load: Load, stages: &[&Stage], running: &BTreeMap<&str, Running>, cores: usize) -> bool {
    let cost = |load: Load| match load {
        Load::Light => 0,
        Load::Core => 1,
        Load::All => cores,
    };
    let busy: usize =
        stages.iter().filter(|stage| running.contains_key(stage.name)).map(|stage| cost(stage.load)).sum();
    load == Load::Light || busy + cost(load) <= cores
}

fn log(root: &Path, stage: &Stage) -> std::path::PathBuf {
    root.join(LOGS).join(format!("{}.log", stage.name))
}

fn start(root: &Path, stage: &Stage, mut command: Command) -> Result<Running, Box<dyn Error>> {
    let out = File::create(log(root, stage))?;
    command.current_dir(root).stdin(Stdio::null());
    command.stderr(out.try_clone()?).stdout(out);
    if stage.load == Load::Core {
        // pytest-xdist and rayon read their own variables
        command.env(WORKERS, "1").env("PYTEST_XDIST_AUTO_NUM_WORKERS", "1").env("RAYON_NUM_THREADS", "1");
    }
    Ok(Running { child: command.spawn()?, start: Instant::now() })
}

/// The last line of the log.
fn reason(root: &Path, stage: &Stage) -> String {
    let text = fs::read_to_string(log(root, stage)).unwrap_or_default();
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}

fn progress(root: &Path, stage: &Stage, verdict: &Verdict, time: Duration, (n, all): (usize, usize)) {
    println!("[{n:>2}/{all}] {:<14} {} {}", stage.name, clock(time), word(verdict));
    if matches!(verdict, Verdict::Failed) {
        let text = fs::read_to_string(log(root, stage)).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines[lines.len().saturating_sub(TAIL)..] {
            println!("    {line}");
        }
        println!("    whole log: {LOGS}/{}.log", stage.name);
    }
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Passed => "passed".into(),
        Verdict::Failed => "FAILED".into(),
        Verdict::NotRun(reason) => format!("not run: {reason}"),
    }
}

/// Minutes and seconds.
fn clock(time: Duration) -> String {
    format!("{:>2}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn repeat(stage: &Stage, more: &[String]) -> String {
    let words: Vec<&str> = stage.command.iter().copied().chain(more.iter().map(String::as_str)).collect();
    words.join(" ")
}

/// Prints the table; fails if a stage failed.
fn table(stages: &[&Stage], more: &[String], ended: &Ended, whole: Duration) -> Done {
    println!("\n{:<14} {:>5}  result", "stage", "time");
    let mut counts = [0; 3];
    for stage in stages {
        let Some((verdict, time)) = ended.get(stage.name) else { continue };
        let (place, repeat) = match verdict {
            Verdict::Passed => (0, String::new()),
            Verdict::Failed => (1, format!("; repeat: cargo xtask {}", repeat(stage, more))),
            Verdict::NotRun(_) => (2, String::new()),
        };
        counts[place] += 1;
        println!("{:<14} {}  {}{repeat}", stage.name, clock(*time), word(verdict));
    }
    println!("{:<14} {}", "all", clock(whole));
    println!("\nstages: {} passed, {} failed, {} skipped", counts[0], counts[1], counts[2]);
    if counts[1] > 0 { Err(format!("{} stages failed", counts[1]).into()) } else { Ok(()) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn row(name: &'static str, command: &'static [&'static str], needs: &'static [&'static str]) -> Stage {
        Stage { name, command, needs, load: Load::Core }
    }

    #[test]
    fn every_failure_is_reported_and_a_stage_without_its_tools_has_not_passed() {
        let root = env::temp_dir().join(format!("stiction-stages-{}", std::process::id()));
        let stages = [
            row("a", &["exit 1"], &[]),
            row("b", &["exit 0"], &[]),
            row("c", &["echo no browser; exit 3"], &[]),
            row("d", &["exit 101"], &["b"]),
            row("e", &["exit 0"], &["a"]),
            row("f", &["kill -9 $$"], &[]),
            row("g", &["false"], &["b"]),
            row("h", &["exit 2"], &[]),
        ];
        let stages: Vec<&Stage> = stages.iter().collect();
        let launch = |stage: &Stage| {
            let mut command = Command::new("sh");
            command.arg("-c").args(stage.command);
            command
        };
        let ended = carry_out(&root, &stages, &launch).unwrap();
        let verdict = |name: &str| ended[name].0.clone();
        for name in ["a", "d", "f", "g", "h"] {
            assert_eq!(verdict(name), Verdict::Failed, "{name}");
        }
        assert_eq!(verdict("b"), Verdict::Passed);
        assert_eq!(verdict("c"), Verdict::NotRun("no browser".into()));
        assert_eq!(verdict("e"), Verdict::NotRun("needs a, which did not pass".into()));
        let error = table(&stages, &[], &ended, Duration::ZERO).unwrap_err();
        assert_eq!(error.to_string(), "5 stages failed");
        fs::remove_dir_all(root).unwrap();
    }
}

//! The Rust tests: built once, then every test in a process of its own, as many at a time as there are cores.

use crate::runner::workers;
use crate::{Done, FEATURES, target};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// Durations of the last run below the target folder: the longest tests start first.
const DURATIONS: &str = "stages/durations.txt";
/// Tests that a summary names as the slowest.
const SLOWEST: usize = 8;

/// What is built and run.
pub struct Selection<'a> {
    /// `["--release", "--workspace"]`, say.
    pub cargo: Vec<&'a str>,
    /// A test runs if its name, behind the name of its program, contains one of these; all run if there are none.
    pub filters: Vec<String>,
}

/// Everything, optimised as users' builds are.
pub fn whole() -> Selection<'static> {
    Selection { cargo: vec!["--release", "--workspace", FEATURES], filters: Vec::new() }
}

/// A test program.
struct Program {
    name: String,
    path: PathBuf,
    /// Folder of the package, in which its tests expect to run.
    folder: PathBuf,
}

struct Test {
    program: usize,
    name: String,
}

/// Builds the test programs and the binaries.
pub fn build(root: &Path) -> Done {
    programs(root, &whole())?;
    let mut bins = Command::new(env!("CARGO"));
    let status =
        bins.args(["build", "--release", "--workspace", FEATURES, "--bins"]).current_dir(root).status()?;
    if status.success() { Ok(()) } else { Err("the binaries do not build".into()) }
}

/// Builds and runs a selection of the tests.
pub fn test(root: &Path, selection: &Selection) -> Done {
    let programs = programs(root, selection)?;
    let mut tests = Vec::new();
    for (i, program) in programs.iter().enumerate() {
        let is_wanted = |name: &String| {
            let whole = format!("{}::{name}", program.name);
            selection.filters.is_empty() || selection.filters.iter().any(|filter| whole.contains(filter))
        };
        let names = listed(program)?.into_iter().filter(is_wanted);
        tests.extend(names.map(|name| Test { program: i, name }));
    }
    let record = target(root).join(DURATIONS);
    let known = durations(&fs::read_to_string(&record).unwrap_or_default());
    let title = |test: &Test| format!("{}::{}", programs[test.program].name, test.name);
    // the last comes first
    tests.sort_by(|a, b| {
        let time = |test| known.get(&title(test)).copied().unwrap_or(f64::INFINITY);
        time(a).total_cmp(&time(b))
    });
    let n = tests.len();
    let (queue, ended) = (Mutex::new(tests), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..workers() {
            scope.spawn(|| {
                while let Some(test) = queue.lock().ok().and_then(|mut queue| queue.pop()) {
                    let begin = Instant::now();
                    let failure = failure(&programs[test.program], &test.name);
                    if let Some(text) = &failure {
                        println!("---- {}\n{text}", title(&test));
                    }
                    let row = (begin.elapsed().as_secs_f64(), title(&test), failure.is_some());
                    ended.lock().into_iter().for_each(|mut ended| ended.push(row.clone()));
                }
            });
        }
    });
    let mut ended = ended.into_inner().map_err(|_| "a worker of the tests panicked")?;
    if ended.len() < n {
        return Err(format!("{} of {n} tests ended", ended.len()).into());
    }
    ended.sort_by(|a, b| b.0.total_cmp(&a.0));
    // what was not run keeps its time
    let mut all = known;
    all.extend(ended.iter().map(|(time, name, _)| (name.clone(), *time)));
    let rows: String = all.iter().map(|(name, time)| format!("{time:.3} {name}\n")).collect();
    record.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(record, rows)?;
    println!("\nslowest:");
    for (time, name, _) in ended.iter().take(SLOWEST) {
        println!("{time:>7.1} s  {name}");
    }
    let failed: Vec<&str> = ended.iter().filter(|row| row.2).map(|row| row.1.as_str()).collect();
    println!("\n{} passed, {} failed", n - failed.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", ")).into()) }
}

/// Builds the test programs of a selection, and lists them.
fn programs(root: &Path, selection: &Selection) -> Result<Vec<Program>, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--no-run", "--message-format", "json-render-diagnostics"]);
    command.args(&selection.cargo).current_dir(root).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        return Err("the tests do not build".into());
    }
    let mut found = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Json = serde_json::from_str(line)?;
        let Some(path) = message["executable"].as_str().filter(|_| message["profile"]["test"] == true) else {
            continue;
        };
        let manifest = Path::new(message["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().unwrap_or(root).to_owned();
        let package = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let target = message["target"]["name"].as_str().unwrap_or_default();
        let name = format!("{}::{target}", package.unwrap_or_default());
        found.push(Program { name, path: path.into(), folder });
    }
    Ok(found)
}

fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder).stdin(Stdio::null());
    command
}

/// The names of the tests of a program, ignored ones left out.
fn listed(program: &Program) -> Result<Vec<String>, Box<dyn Error>> {
    let names = |more: &[&str]| -> Result<Vec<String>, Box<dyn Error>> {
        let output = command(program).args(["--list", "--format", "terse"]).args(more).output()?;
        let text = String::from_utf8(output.stdout)?;
        Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
    };
    let ignored = names(&["--ignored"])?;
    Ok(names(&[])?.into_iter().filter(|name| !ignored.contains(name)).collect())
}

/// What a test printed, if it failed.
fn failure(program: &Program, name: &str) -> Option<String> {
    match command(program).args(["--exact", name, "--nocapture"]).output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            Some(text.concat())
        }
        Err(error) => Some(format!("{} cannot be run: {error}", program.path.display())),
    }
}

/// Seconds by name.
fn durations(text: &str) -> BTreeMap<String, f64> {
    let row = |line: &str| {
        let (time, name) = line.split_once(' ')?;
        Some((name.to_owned(), time.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

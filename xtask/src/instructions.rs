//! Instructions of what must be fast, by callgrind, beside the committed counts in `tests/instructions.txt`.
//!
//! Times of a busy machine say little; counts repeat to a part in a thousand. A case of `stiction-cost` is counted at two
//! lengths, so that its preparation cancels; a command is counted whole.

use crate::Done;
use crate::metadata::metadata;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMMITTED: &str = "tests/instructions.txt";
/// Growth that fails: more than compilers and C libraries make of the same code.
const GROWTH: f64 = 1.05;

/// What users type, and its name.
const COMMANDS: &[(&str, &[&str])] = &[
    ("command-check", &["check", "examples/stick_slip.toml"]),
    ("command-run-json", &["run", "--json", "examples/stick_slip.toml"]),
    ("command-run", &["run", "--out", "target/instructions", "examples/stick_slip.toml"]),
];

/// Counts everything; compares, with those of another commit by `--since`, or with `--bless` writes.
pub fn run(root: &Path, args: &[String]) -> Done {
    let (bless, since) = match args {
        [] => (false, None),
        [word] if word == "--bless" => (true, None),
        [word, commit] if word == "--since" => (false, Some(commit)),
        _ => return Err("usage: cargo xtask instructions [--bless | --since COMMIT]".into()),
    };
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!(
            "xtask: valgrind is missing, so no instructions are counted (Debian: apt-get install valgrind)"
        );
        return Ok(());
    }
    let found = counts(root)?;
    let committed = committed(&counts_of(root, since)?);
    let mut grown = Vec::new();
    for (name, unit, count) in &found {
        let before = committed.get(name).copied();
        let share = before.map_or(1.0, |before| count / before);
        let change = before.map_or("new".into(), |_| format!("{:+.1} %", 100.0 * (share - 1.0)));
        println!("{name:<20} {count:>12.0} per {unit:<12} {change:>10}");
        if share > GROWTH {
            grown.push(format!("{name} by {:.1} %", 100.0 * (share - 1.0)));
        }
    }
    if bless {
        let mut text = format!("# {}, written by `cargo xtask instructions --bless`\n", compiler()?);
        for (name, unit, count) in &found {
            text.push_str(&format!("{name} {count:.0} {unit}\n"));
        }
        return Ok(fs::write(root.join(COMMITTED), text)?);
    }
    if grown.is_empty() {
        return Ok(());
    }
    let hint = "make it cheaper, or cargo xtask instructions --bless with the reason in the commit";
    Err(format!("instructions have grown: {}\nhint: {hint}", grown.join(", ")).into())
}

/// Name, unit and instructions per unit.
type Count = (String, String, f64);

/// The counts of every case.
fn counts(root: &Path) -> Result<Vec<Count>, Box<dyn Error>> {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--package", "stiction-soak", "--package", "stiction-cli", "--bins"]);
    if !build.current_dir(root).status()?.success() {
        return Err("the release build failed".into());
    }
    let target =
        metadata(root)?["target_directory"].as_str().map(PathBuf::from).ok_or("no target directory")?;
    let program = |name: &str| target.join("release").join(name);
    let cost = program("stiction-cost");
    let mut found = Vec::new();
    let list = Command::new(&cost).output()?;
    for line in String::from_utf8(list.stdout)?.lines() {
        let [name, unit, length] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        let length: u64 = length.parse()?;
        let (short_units, short) = counted(root, &target, &cost, &[name, &length.to_string()])?;
        let (long_units, long) = counted(root, &target, &cost, &[name, &(2 * length).to_string()])?;
        let units: f64 = long_units.trim().parse::<f64>()? - short_units.trim().parse::<f64>()?;
        if units <= 0.0 {
            return Err(format!("{name}: no units at length {length}").into());
        }
        found.push((name.into(), unit.into(), (long - short) / units));
    }
    for (name, args) in COMMANDS {
        let (_, count) = counted(root, &target, &program("stiction"), args)?;
        found.push(((*name).into(), "run".into(), count));
    }
    Ok(found)
}

/// What a program prints, and its instructions.
fn counted(
    root: &Path,
    target: &Path,
    program: &Path,
    args: &[&str],
) -> Result<(String, f64), Box<dyn Error>> {
    let mut command = Command::new("valgrind");
    let out = target.join("callgrind.out");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", out.display()));
    let output = command.arg(program).args(args).current_dir(root).output()?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = told.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    match count {
        Some(count) if output.status.success() => Ok((String::from_utf8(output.stdout)?, count)),
        _ => Err(format!("{} {}: {told}", program.display(), args.join(" ")).into()),
    }
}

/// The text of the committed counts; of those of another commit.
fn counts_of(root: &Path, since: Option<&String>) -> Result<String, Box<dyn Error>> {
    let Some(commit) = since else { return Ok(fs::read_to_string(root.join(COMMITTED)).unwrap_or_default()) };
    let output =
        Command::new("git").arg("show").arg(format!("{commit}:{COMMITTED}")).current_dir(root).output()?;
    if !output.status.success() {
        return Err(format!("{commit} has no {COMMITTED}").into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The counts by name.
fn committed(text: &str) -> BTreeMap<String, f64> {
    let row = |line: &str| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

/// The compiler that the counts belong to.
fn compiler() -> Result<String, Box<dyn Error>> {
    let output = Command::new("rustc").arg("--version").output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.split(" (").next().unwrap_or_default().trim().to_owned())
}

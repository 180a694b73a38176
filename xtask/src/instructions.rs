//! Instructions of what must be fast, by callgrind, beside the committed counts in `tests/instructions.txt`.
//!
//! Times of a busy machine say little; counts repeat to a part in a thousand. A case of `stiction-cost` is counted at two
//! lengths, so that its preparation cancels; a command is counted whole.

use crate::metadata::metadata;
use crate::{Done, NotRun};
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

/// Counts everything; compares with the committed counts, with those of another commit, which is built and counted in the same run, by
/// `--since`, or with `--bless` writes.
pub fn run(root: &Path, args: &[String]) -> Done {
    let (bless, since) = match args {
        [] => (false, None),
        [word] if word == "--bless" => (true, None),
        [word, commit] if word == "--since" => (false, Some(commit)),
        _ => return Err("usage: cargo xtask instructions [--bless | --since COMMIT]".into()),
    };
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Err(NotRun("no valgrind (Debian: apt-get install valgrind)".into()).into());
    }
    if let Some(commit) = since {
        return compare(root, commit);
    }
    let found = counts(root)?;
    let committed = committed(&fs::read_to_string(root.join(COMMITTED)).unwrap_or_default());
    let mut grown = Vec::new();
    for Count { name, unit, count, .. } in &found {
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
        for Count { name, unit, count, .. } in &found {
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

/// What a case costs.
struct Count {
    name: String,
    unit: String,
    /// Instructions per unit.
    count: f64,
    /// Length at which it was counted.
    length: u64,
    /// Instructions of that length, without what comes before it.
    whole: f64,
}

/// Counts this tree and another commit, whose sources go to `target/since`, and prints the ratios for the same lengths of the same cases: these
/// count where one unit is not that of the other.
fn compare(root: &Path, commit: &str) -> Done {
    let name = git(root, &["rev-parse", "--short", commit])?;
    let name = name.trim();
    let folder = root.join("target/since").join(name);
    if !folder.exists() {
        // a folder of that name is a whole one
        let (archive, part) = (folder.with_extension("tar"), folder.with_extension("part"));
        fs::create_dir_all(&part)?;
        git(root, &["archive", "--output", &archive.to_string_lossy(), name])?;
        let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&part).status()?;
        fs::remove_file(&archive)?;
        if !unpacked.success() {
            return Err(format!("{}: not unpacked", part.display()).into());
        }
        fs::rename(&part, &folder)?;
    }
    let before = counts(&folder)?;
    let now = counts(root)?;
    println!("{:<20} {:>14} {:>14} {:>8}", "case", name, "this tree", "ratio");
    let mut grown = Vec::new();
    for new in &now {
        let old = before.iter().find(|old| old.name == new.name && old.length == new.length);
        let Some(old) = old else {
            println!("{:<20} {:>14} {:>14.0} {:>8}", new.name, "", new.whole, "new");
            continue;
        };
        let ratio = new.whole / old.whole;
        println!("{:<20} {:>14.0} {:>14.0} {ratio:>8.3}", new.name, old.whole, new.whole);
        if ratio > GROWTH {
            grown.push(format!("{} by {:.1} %", new.name, 100.0 * (ratio - 1.0)));
        }
    }
    if grown.is_empty() {
        return Ok(());
    }
    Err(format!("instructions have grown since {name}: {}", grown.join(", ")).into())
}

/// What git prints.
fn git(root: &Path, args: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("git").args(args).current_dir(root).output()?;
    if !output.status.success() {
        return Err(format!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

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
        let whole = long - short;
        found.push(Count { name: name.into(), unit: unit.into(), count: whole / units, length, whole });
    }
    for (name, args) in COMMANDS {
        let (_, count) = counted(root, &target, &program("stiction"), args)?;
        found.push(Count { name: (*name).into(), unit: "run".into(), count, length: 1, whole: count });
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
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    match count {
        Some(count) if output.status.success() => Ok((String::from_utf8(output.stdout)?, count)),
        _ => Err(format!("{} {}: {text}", program.display(), args.join(" ")).into()),
    }
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

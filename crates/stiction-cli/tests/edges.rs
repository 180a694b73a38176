//! No input, however odd, panics, hangs or eats the machine; every error says where and what to do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Memory that any input may take (kB, as `ulimit` counts).
const MEMORY: u64 = 2_000_000;
/// Processor time that any input may take (s): what others compute at the same time does not count.
const SECONDS: u64 = 5;

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edges").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// The command under both limits.
fn limited(dir: &Path, args: &[&str]) -> Output {
    let script = format!("ulimit -v {MEMORY} && ulimit -t {SECONDS} && exec \"$@\"");
    Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_stiction")])
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes the scenario to a file and checks it; the exit code must be 2. Gives what is said.
fn refused(name: &str, command: &str, scenario: &str) -> String {
    let dir = scratch(name);
    fs::write(dir.join("a.toml"), scenario).unwrap();
    let output = limited(&dir, &[command, "a.toml"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{name}: {said}");
    said
}

/// Scenarios that once hung, panicked, or took gigabytes; what is said of those that are refused.
const REFUSED: [(&str, &str); 4] = [
    ("panic_check", "system.matrices.stiffness: not square"),
    ("json_9GB", "analysis.transient.samples: a table of 1000000 rows and 61 columns takes 2.0 GB of memory"),
    ("bif_abort", "analysis.bifurcation.samples: 4294967295 states at each of 2 values takes"),
    ("diag20000", "system.matrices.mass: 20000 degrees of freedom, but at most 1000 are allowed"),
];

#[test]
fn every_scenario_that_once_went_wrong_is_refused_or_answered_in_time() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repro");
    let dir = scratch("repro");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let output = limited(&dir, &["run", path.to_str().unwrap(), "--json", "--max-time", "4"]);
        let said = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{name}: {:?}\n{said}", output.status);
        assert!(!said.contains("internal error"), "{name}: {said}");
        if let Some((_, words)) = REFUSED.iter().find(|(of, _)| *of == name) {
            assert!(output.status.code() == Some(2) && said.contains(words), "{name}: {said}");
            assert!(said.contains("  --> ") && said.contains(&format!("{name}.toml:")), "{name}: {said}");
        }
        seen += 1;
    }
    assert!(seen >= 27, "{seen} scenarios");
}

#[test]
fn twenty_thousand_unknown_keys_are_refused_in_a_page() {
    let mut scenario = String::from("[system.oscillator]\nmass = 1\n");
    (0..20_000).for_each(|i| scenario.push_str(&format!("strange_{i} = {i}\n")));
    let said = refused("unknown", "check", &scenario);
    assert!(said.contains("strange_0: unknown key") && said.contains("19950 more errors"), "{said}");
    assert!(said.len() < 20_000, "{} bytes", said.len());
}

#[test]
fn twenty_thousand_wrong_values_are_refused_in_a_page() {
    let entries: String = (0..20_000).map(|_| "{ amplitude = \"x\", omega = 1 },").collect();
    let said = refused("values", "check", &format!("[system.oscillator]\nmass = 1\nforce = [{entries}]\n"));
    assert!(said.contains("more errors") && said.len() < 20_000, "{said}");
    let starts = "{ position = [1], velocity = [] },".repeat(9000);
    let analysis = format!("[system.oscillator]\nmass = 1\n[analysis.steady]\nstarts = [{starts}]\n");
    let said = refused("starts", "check", &analysis);
    assert!(said.len() < 20_000, "{said}");
}

#[test]
fn large_files_and_lists_are_refused() {
    let said = refused("long", "check", &"# nothing\n".repeat(500_000));
    assert!(said.contains("longer than") && said.contains("--max-memory"), "{said}");
    let said = refused("rows", "check", &format!("[system.matrices]\nmass = [{}]\n", "[],".repeat(30_000)));
    assert!(said.contains("30000 degrees of freedom"), "{said}");
    let contacts = "{ coulomb.mu = 0.3 },".repeat(5000);
    let said =
        refused("contacts", "check", &format!("[system.oscillator]\nmass = 1\nfriction = [{contacts}]\n"));
    assert!(said.contains("system.oscillator.friction: 5000 entries"), "{said}");
    // many leaves below a deep key, and one that is asked for by its end
    let deep = format!("[{}]\n", vec!["a"; 60].join("."));
    let leaves: String = (0..100_000).map(|i| format!("b{i} = 1\n")).collect();
    let dir = scratch("deep");
    fs::write(dir.join("a.toml"), deep + &leaves).unwrap();
    let output = limited(&dir, &["check", "a.toml", "--set", "b77=2", "--set", "c=1"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    fs::write(dir.join("a.toml"), format!("x = {}1{}\n", "[".repeat(100_000), "]".repeat(100_000))).unwrap();
    assert_eq!(limited(&dir, &["check", "a.toml"]).status.code(), Some(2));
}

#[test]
fn more_memory_can_be_allowed() {
    let dir = scratch("memory");
    let scenario = "[system.oscillator]\nmass = 1\nstiffness = 1\ninitial.position = 1\n[analysis.transient]\nduration = 1\nsamples = 1000\n";
    fs::write(dir.join("a.toml"), scenario).unwrap();
    let output = limited(&dir, &["run", "a.toml", "--json", "--max-memory", "100kB"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("128.0 kB of memory, but 100.0 kB are allowed"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(limited(&dir, &["run", "a.toml", "--json", "--max-memory", "200kB"]).status.code(), Some(0));
}

#[test]
fn nothing_that_a_file_says_is_obeyed_by_a_terminal() {
    let dir = scratch("terminal");
    let title = "title = \"\\u001b[31mred\\u0007\\u202e\"\n[system.oscillator]\nmass = 1\ninitial.position = 1\n[analysis.transient]\nduration = 1\n";
    fs::write(dir.join("a\u{1b}[1m.toml"), title).unwrap();
    let output = limited(&dir, &["run", "a\u{1b}[1m.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("\\u{1b}[31mred\\u{7}\\u{202e}") && said.contains("a\\u{1b}[1m.csv"), "{said}");
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");

    fs::write(dir.join("b.toml"), "\"\\u001b[2J\" = 1\n[system.oscillator]\nmass = \"\\u001b[2J\"\n")
        .unwrap();
    let output = limited(&dir, &["check", "b.toml", "--set", "\u{1b}]0;x\u{7}=1"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("\\u{1b}") && !said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
}

#[test]
fn two_scenarios_that_would_share_a_file_are_refused_before_they_run() {
    let dir = scratch("shared");
    let scenario =
        "[system.oscillator]\nmass = 1\ninitial.position = 1\n[analysis.transient]\nduration = 1\n";
    for name in ["a.toml", "a.events.toml", "comparison.toml", "b.toml"] {
        fs::write(dir.join(name), scenario).unwrap();
    }
    for (files, word) in
        [(["a.toml", "a.events.toml"], "a.events.csv"), (["comparison.toml", "b.toml"], "comparison.csv")]
    {
        let output = limited(&dir, &["run", files[0], files[1]]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(word), "{said}");
        assert!(!dir.join("out").exists());
    }
    // the same name in two folders is numbered
    fs::create_dir(dir.join("sub")).unwrap();
    fs::write(dir.join("sub/a.toml"), scenario).unwrap();
    assert_eq!(limited(&dir, &["run", "a.toml", "sub/a.toml"]).status.code(), Some(0));
    assert!(dir.join("out/a-2.csv").exists());
}

/// A motion of some hours.
const LONG: &str = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.tanh = { mu = 0.3, width = 0.1 }\nforce = { amplitude = 1, omega = 1 }\n[integrator.rk4]\nstep = 1e-3\n[analysis.transient]\nduration = 9e6\n";

#[cfg(unix)]
#[test]
fn ctrl_c_reports_where_it_stopped_and_keeps_the_motion_so_far() {
    let dir = scratch("interrupt");
    fs::write(dir.join("a.toml"), LONG).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_stiction"))
        .args(["run", "a.toml"])
        .current_dir(&dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    for word in ["a: stopped at t = ", " % done after ", "left; the motion so far is written"] {
        assert!(said.contains(word), "{said}");
    }
    assert!(text(&output.stdout).contains("stopped before its end, the rest is missing"));
    assert!(fs::read_to_string(dir.join("out/a.csv")).unwrap().starts_with("t,position,"));
}

#[test]
fn a_run_ends_when_its_time_is_over() {
    let dir = scratch("time");
    fs::write(dir.join("a.toml"), LONG).unwrap();
    let output = limited(&dir, &["run", "a.toml", "--max-time", "0.5s"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("a: stopped at t = ") && said.contains("hint: raise --max-time"), "{said}");
    assert!(fs::read_to_string(dir.join("out/a.csv")).unwrap().starts_with("t,position,"));
}

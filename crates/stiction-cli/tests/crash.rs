//! Whatever happens while files are written: each of them is the earlier one or the new one, whole, and the next run leaves
//! nothing behind. `cargo xtask crash --kills 500` kills longer.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Kills of a test run; `STICTION_KILLS` asks for more.
const KILLS: u64 = 40;
/// Files of one run: table, events, both pictures and the scenario.
const FILES: usize = 5;

type Content = BTreeMap<String, Vec<u8>>;

/// A folder with two scenarios of the same name, and the outputs of each.
struct Stage {
    dir: PathBuf,
    old: Content,
    new: Content,
}

impl Stage {
    fn new(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crash").join(name);
        let _ = fs::remove_dir_all(&dir);
        for (folder, mu) in [("old", 0.3), ("new", 0.2)] {
            fs::create_dir_all(dir.join(folder)).unwrap();
            let scenario = format!(
                "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = {mu}\ninitial.position = 3\n[integrator.exact]\n[analysis.transient]\nduration = 9\nsamples = 900\n"
            );
            fs::write(dir.join(folder).join("a.toml"), scenario).unwrap();
        }
        let mut stage = Self { dir, old: Content::new(), new: Content::new() };
        stage.old = stage.outcome("old");
        stage.new = stage.outcome("new");
        assert!(stage.old.len() == FILES && stage.old.keys().eq(stage.new.keys()));
        assert!(stage.old.iter().all(|(name, bytes)| stage.new[name] != *bytes), "the two must differ");
        stage
    }

    /// What a run leaves that nothing disturbs.
    fn outcome(&self, scenario: &str) -> Content {
        assert_eq!(self.command(scenario).status().unwrap().code(), Some(0));
        content(&self.dir.join("out"))
    }

    fn command(&self, scenario: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
        command.args(["run", &format!("{scenario}/a.toml"), "--out", "out"]).current_dir(&self.dir);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Puts the earlier output back.
    fn reset(&self) {
        let out = self.dir.join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(&out).unwrap();
        self.old.iter().for_each(|(name, bytes)| fs::write(out.join(name), bytes).unwrap());
    }

    /// Every file is the old one or the new one. Gives the number of new ones, and of files with temporary names.
    fn inspect(&self, when: &str) -> (usize, usize) {
        let found = content(&self.dir.join("out"));
        for (name, old) in &self.old {
            let bytes = found.get(name).unwrap_or_else(|| panic!("{when}: {name} is gone"));
            assert!(bytes == old || *bytes == self.new[name], "{when}: {name} is half-written");
        }
        let n_new = self.new.iter().filter(|(name, bytes)| found[*name] == **bytes).count();
        (n_new, found.len() - self.old.len())
    }
}

fn content(dir: &Path) -> Content {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| (e.file_name().to_string_lossy().into_owned(), fs::read(e.path()).unwrap())).collect()
}

#[cfg(feature = "failpoints")]
#[test]
fn a_failure_at_any_write_or_rename_harms_nothing() {
    let stage = Stage::new("fail");
    let mut n_before_renames = 0;
    for at in 1.. {
        stage.reset();
        let code = stage.command("new").env("STICTION_FAIL_AT", at.to_string()).status().unwrap().code();
        let (n_new, n_more) = stage.inspect(&format!("failure at {at}"));
        assert_eq!(n_more, 0, "failure at {at}: temporary files are left");
        n_before_renames += usize::from(n_new == 0);
        if code == Some(0) {
            // the last operations make names outlive a power cut, where the file system can; then there was nothing to fail
            assert_eq!(n_new, FILES);
            if at > 40 {
                break;
            }
            continue;
        }
        assert_eq!(code, Some(2), "failure at {at}");
    }
    // a folder, and for each file an opening, a write and a synchronisation at least
    assert!(n_before_renames > 3 * FILES, "{n_before_renames}");
}

#[cfg(feature = "failpoints")]
#[test]
fn a_death_at_any_write_or_rename_harms_nothing_and_the_next_run_tidies_up() {
    let stage = Stage::new("die");
    let mut most_left = 0;
    for at in 1.. {
        stage.reset();
        let status = stage.command("new").env("STICTION_DIE_AT", at.to_string()).status().unwrap();
        let (_, n_left) = stage.inspect(&format!("death at {at}"));
        most_left = most_left.max(n_left);
        if status.success() {
            break;
        }
        assert_eq!(status.code(), None, "death at {at}");
        if at % 4 == 0 {
            assert_eq!(stage.outcome("new"), stage.new, "death at {at}");
        }
    }
    assert_eq!(most_left, FILES, "all files have temporary names before the first is renamed");
}

#[test]
fn a_kill_at_any_moment_harms_nothing_and_the_next_run_tidies_up() {
    let stage = Stage::new("kill");
    let n_kills = std::env::var("STICTION_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS);
    let start = Instant::now();
    stage.outcome("new");
    let whole = start.elapsed();
    stage.reset();
    let (mut seed, mut n_killed, mut n_left) = (17_u64, 0, 0);
    for i in 0..n_kills {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // towards the end of the run, where it writes
        let part = 0.5 + 0.6 * (seed >> 33) as f64 / f64::from(u32::MAX >> 1);
        let mut child = stage.command("new").spawn().unwrap();
        std::thread::sleep(whole.mul_f64(part).min(Duration::from_secs(5)));
        let _ = child.kill();
        n_killed += u64::from(child.wait().unwrap().code().is_none());
        n_left += stage.inspect(&format!("kill {i}")).1;
        if i % 8 == 7 {
            assert_eq!(stage.outcome("old"), stage.old, "after kill {i}");
        }
    }
    assert_eq!(stage.outcome("new"), stage.new);
    println!("{n_killed} of {n_kills} runs were killed; {n_left} temporary files seen, none left");
    assert!(n_killed > n_kills / 10, "{n_killed} of {n_kills} came in time");
}

/// A limit on the size of files is an error of the write, whether or not its signal, SIGXFSZ, is ignored by the shell.
#[test]
fn a_full_disc_harms_nothing() {
    let stage = Stage::new("full");
    for trap in ["trap '' XFSZ; ", ""] {
        stage.reset();
        let script = format!("{trap}ulimit -f 8; exec \"$0\" run new/a.toml --out out");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_stiction")])
            .current_dir(&stage.dir)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{trap}{said}");
        assert!(said.contains("cannot write out/a."), "{trap}{said}");
        assert_eq!(stage.inspect("full disc"), (0, 0));
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_harms_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::new("read-only");
    stage.reset();
    let out = stage.dir.join("out");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o555)).unwrap();
    // the administrator may write everywhere
    let is_refused = fs::write(out.join("x"), "").is_err();
    let code = stage.command("new").status().unwrap().code();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o755)).unwrap();
    let _ = fs::remove_file(out.join("x"));
    let expected = if is_refused { (Some(2), (0, 0)) } else { (Some(0), (FILES, 0)) };
    assert_eq!((code, stage.inspect("read-only")), expected);

    let nowhere = ["run", "new/a.toml", "--out", "/proc/stiction"];
    let status = Command::new(env!("CARGO_BIN_EXE_stiction")).args(nowhere).current_dir(&stage.dir).status();
    assert_eq!(status.unwrap().code(), Some(2));
    // a directory where a file is to be: found before any other is replaced
    stage.reset();
    fs::remove_file(out.join("a.png")).unwrap();
    fs::create_dir(out.join("a.png")).unwrap();
    assert_eq!(stage.command("new").status().unwrap().code(), Some(2));
    assert_eq!(fs::read(out.join("a.csv")).unwrap(), stage.old["a.csv"]);
    assert_eq!(fs::read_dir(&out).unwrap().count(), FILES);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_found_before_the_run() {
    let stage = Stage::new("at-once");
    // hours of work
    let text = "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = { amplitude = 1, omega = 1 }\n\
                friction.coulomb.mu = 0.3\n[analysis.transient]\nperiods = 1e7\n";
    fs::write(stage.dir.join("long.toml"), text).unwrap();
    fs::write(stage.dir.join("file"), "").unwrap();
    for arguments in [
        &["run", "long.toml", "--out", "/proc/stiction"][..],
        &["run", "long.toml", "--out", "file/out"],
        &["compare", "long.toml", "--out", "/proc/stiction"],
        &["reproduce", "--out", "/proc/stiction"],
    ] {
        let start = Instant::now();
        let output =
            Command::new(env!("CARGO_BIN_EXE_stiction")).args(arguments).current_dir(&stage.dir).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(&format!("cannot write {}", arguments[arguments.len() - 1])), "{said}");
        assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?}");
    }
}

#[test]
fn runs_into_one_folder_do_not_mix() {
    let stage = Stage::new("two");
    stage.reset();
    for round in 0..3 {
        let runs: Vec<_> =
            ["old", "new", "old", "new"].map(|scenario| stage.command(scenario).spawn().unwrap()).into();
        for mut run in runs {
            assert_eq!(run.wait().unwrap().code(), Some(0), "round {round}");
        }
        let found = content(&stage.dir.join("out"));
        assert!(found == stage.old || found == stage.new, "round {round}: the outputs are mixed");
    }
}

#[test]
fn a_link_with_the_name_of_a_temporary_file_is_not_followed() {
    let stage = Stage::new("link");
    stage.reset();
    fs::write(stage.dir.join("victim"), "precious").unwrap();
    let link = stage.dir.join("out/.stiction-0123456789abcdef.tmp");
    std::os::unix::fs::symlink(stage.dir.join("victim"), &link).unwrap();
    assert_eq!(stage.outcome("new"), stage.new);
    assert_eq!(fs::read_to_string(stage.dir.join("victim")).unwrap(), "precious");
}

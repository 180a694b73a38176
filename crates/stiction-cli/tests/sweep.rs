//! `stiction sweep` and `stiction info`: the same bytes whatever happens on the way.

use crate::support::{code, files, scratch, stiction, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const STEADY: &str = "title = \"Den Hartog's oscillator\"\n[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1, omega = 0.7 }\n[analysis.steady]\n";
const GRID: [&str; 4] = ["--over", "omega=0.3:1.5:40", "--over", "mu=0.1:0.75:50"];

type Content = BTreeMap<String, Vec<u8>>;

fn content(dir: &Path) -> Content {
    let file = |name: String| fs::read(dir.join(&name)).map(|bytes| (name, bytes));
    let inner = files(&dir.join("rows")).into_iter().map(|name| format!("rows/{name}"));
    files(dir).into_iter().chain(inner).filter_map(|name| file(name).ok()).collect()
}

fn sweep(dir: &Path, out: &str, more: &[&str]) -> std::process::Output {
    let args = [&["sweep", "a.toml", "--out", out][..], &GRID, more].concat();
    stiction(dir, &args)
}

fn stage(name: &str) -> std::path::PathBuf {
    let dir = scratch(name);
    fs::write(dir.join("a.toml"), STEADY).unwrap();
    dir
}

#[test]
fn threads_shards_and_pauses_leave_the_same_bytes() {
    let dir = stage("sweep-same");
    let whole = sweep(&dir, "one", &["--threads", "1"]);
    assert_eq!(code(&whole), 0, "{}", text(&whole.stderr));
    let expected = content(&dir.join("one"));
    // 2000 rows in parts of 64
    assert_eq!(expected.len(), 32 + 2, "{:?}", expected.keys());
    assert_eq!(code(&sweep(&dir, "two", &["--threads", "2"])), 0);
    assert_eq!(content(&dir.join("two")), expected);
    for shard in ["1/3", "0/3", "2/3"] {
        assert_eq!(code(&sweep(&dir, "shards", &["--shard", shard])), 0);
    }
    assert_eq!(content(&dir.join("shards")), expected);
    // some parts are lost
    for part in ["rows/part-000003.parquet", "rows/part-000031.parquet", "rows.csv"] {
        fs::remove_file(dir.join("two").join(part)).unwrap();
    }
    assert_eq!(code(&sweep(&dir, "two", &["--resume"])), 0);
    assert_eq!(content(&dir.join("two")), expected);
}

#[test]
fn info_tells_what_is_there_and_failed_points_say_why() {
    let dir = stage("sweep-info");
    let out = stiction(&dir, &["sweep", "a.toml", "--over", "mass=-1:1:5", "--out", "d"]);
    assert_eq!(code(&out), 0, "{}", text(&out.stderr));
    let printed = text(&stiction(&dir, &["info", "d"]).stdout);
    for part in [
        "Den Hartog's oscillator: steady, 5 of 5 rows",
        "-1 to 1 kg, 5 values",
        "3 rows have no result",
        "must be positive",
    ] {
        assert!(printed.contains(part), "{part} is missing in\n{printed}");
    }
    let csv = fs::read_to_string(dir.join("d/rows.csv")).unwrap();
    assert!(csv.starts_with("index,mass,period,amplitude,"), "{csv}");
    assert_eq!(csv.lines().count(), 6);
    let json = text(&stiction(&dir, &["info", "d", "--json"]).stdout);
    assert!(json.contains("\"rows_done\":5,\"rows_failed\":3"), "{json}");
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_lost() {
    let dir = stage("sweep-wrong");
    let refused = |args: &[&str], words: &[&str]| {
        let output = stiction(&dir, args);
        let printed = text(&output.stderr);
        assert_eq!(code(&output), 2, "{args:?}: {printed}");
        words.iter().for_each(|word| assert!(printed.contains(word), "{word} is missing in\n{printed}"));
    };
    refused(&["sweep", "a.toml"], &["nothing varies", "--over"]);
    refused(&["sweep", "a.toml", "--over", "mu=0:1"], &["points is missing", "draw"]);
    refused(&["sweep", "a.toml", "--over", "nu=0:1:3"], &["no key nu", "did you mean mu?"]);
    refused(&["sweep", "a.toml", "--over", "mu=a:1:3"], &["a is not a number", "--over"]);
    refused(&["sweep", "a.toml", "--over", "mass=-2:-1:3"], &["neither the first nor the last point"]);
    refused(&["sweep", "a.toml", "--over", "mu=@none.csv"], &["none.csv", "No such file"]);
    refused(&["sweep", "a.toml", "--over", "mu=0:1:3", "--together", "mu,xi"], &["not there", "one of mu"]);
    refused(
        &["sweep", "a.toml", "--over", "mu=0:1:3", "--over", "mu=0.5:0.6:4"],
        &["mu varies twice", "mu=0:1:3", "mu=0.5:0.6:4"],
    );
    refused(
        &["sweep", "a.toml", "--over", "mu=0:1:3", "--over", "friction.coulomb.mu=0.5:0.6:4"],
        &["coulomb.mu is the number that sweep.over.0 varies already"],
    );
    refused(&["info", "."], &["holds no dataset"]);
    // a folder with something else in it
    fs::create_dir(dir.join("mine")).unwrap();
    fs::write(dir.join("mine/notes.txt"), "dear diary").unwrap();
    refused(&["sweep", "a.toml", "--over", "mu=0:1:3", "--out", "mine"], &["notes.txt", "not of a dataset"]);
    assert_eq!(files(&dir.join("mine")), ["notes.txt"]);
    // a dataset that is there, and one of something else
    assert_eq!(code(&stiction(&dir, &["sweep", "a.toml", "--over", "mu=0:1:3", "--out", "d"])), 0);
    let before = content(&dir.join("d"));
    refused(
        &["sweep", "a.toml", "--over", "mu=0:1:3", "--out", "d"],
        &["holds a dataset already", "3 of 3 rows"],
    );
    refused(
        &["sweep", "a.toml", "--over", "mu=0:1:4", "--out", "d", "--resume"],
        &["begun with another scenario", "points = "],
    );
    refused(
        &["sweep", "a.toml", "--over", "mu=0:1:3", "--set", "omega=0.8", "--out", "d", "--resume"],
        &["omega = 0.7"],
    );
    assert_eq!(content(&dir.join("d")), before);
    // a part that is torn, and one of another dataset
    let part = dir.join("d/rows/part-000000.parquet");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
    refused(
        &["sweep", "a.toml", "--over", "mu=0:1:3", "--out", "d", "--resume"],
        &["part-000000.parquet is damaged"],
    );
    assert_eq!(code(&stiction(&dir, &["sweep", "a.toml", "--over", "mu=0:0.5:3", "--out", "e"])), 0);
    fs::copy(dir.join("e/rows/part-000000.parquet"), &part).unwrap();
    refused(&["info", "d"], &["belongs to another dataset"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_said_before_anything_is_computed() {
    let dir = stage("sweep-read-only");
    fs::write(dir.join("file"), "").unwrap();
    let output = stiction(&dir, &["sweep", "a.toml", "--over", "mu=0:1:3", "--out", "file/below"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("cannot write"), "{}", text(&output.stderr));
}

/// Every operation on the disc fails once, as on a full one: the error says so, and the next run ends with the same bytes.
#[cfg(feature = "failpoints")]
#[test]
fn a_full_disc_loses_nothing() {
    let dir = stage("sweep-full");
    let grid = ["--over", "mu=0.1:0.7:150"];
    let run = |out: &str, more: &[&str], fail: Option<usize>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
        command.args([&["sweep", "a.toml", "--out", out][..], &grid, more].concat()).current_dir(&dir);
        if let Some(at) = fail {
            command.env("STICTION_FAIL_AT", at.to_string());
        }
        command.stdin(Stdio::null()).output().unwrap()
    };
    assert_eq!(code(&run("whole", &[], None)), 0);
    let expected = content(&dir.join("whole"));
    let mut failures = 0;
    for at in 1..40 {
        let out = format!("d{at}");
        let output = run(&out, &[], Some(at));
        let is_over = code(&output) == 0;
        if !is_over {
            failures += 1;
            assert!(text(&output.stderr).contains("the disc is full"), "at {at}: {}", text(&output.stderr));
        }
        let more: &[&str] = if dir.join(&out).join("manifest.json").exists() { &["--resume"] } else { &[] };
        assert_eq!(code(&run(&out, more, None)), 0, "at {at}");
        assert_eq!(content(&dir.join(&out)), expected, "at {at}");
    }
    assert!(failures > 15, "{failures}");
}

/// Killed again and again at random moments, a sweep that is resumed ends with the bytes of one that ran through.
/// `STICTION_KILLS` asks for more kills.
#[cfg(unix)]
#[test]
fn killed_again_and_again_it_ends_with_the_same_bytes() {
    use std::time::Duration;
    let dir = stage("sweep-kill");
    let grid = ["--over", "omega=0.3:1.5:40", "--over", "mu=0.1:0.75:100", "--rows-per-part", "64"];
    let command = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
        command.args([&["sweep", "a.toml", "--out", out, "--resume"][..], &grid].concat()).current_dir(&dir);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let start = std::time::Instant::now();
    assert!(command("whole").status().unwrap().success());
    let whole = start.elapsed();
    let expected = content(&dir.join("whole"));
    let kills: u32 = std::env::var("STICTION_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    // a sequence of moments that is even over the run
    let mut killed = 0;
    for i in 0..kills {
        let moment =
            whole.mul_f64((f64::from(i) * 0.618_033_988_75).fract() * 0.6) + Duration::from_millis(1);
        let mut child = command("d").spawn().unwrap();
        std::thread::sleep(moment);
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        // what is finished is begun again
        if fs::read_to_string(dir.join("d/manifest.json"))
            .is_ok_and(|text| text.contains("\"rows_done\": 4000"))
        {
            let _ = fs::remove_dir_all(dir.join("d"));
        }
    }
    assert!(killed > kills / 2, "{killed} of {kills} were killed");
    assert!(command("d").status().unwrap().success());
    assert_eq!(content(&dir.join("d")), expected);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_dataset_that_can_be_resumed_and_says_so() {
    let dir = stage("sweep-interrupt");
    let grid = ["--over", "omega=0.3:1.5:400", "--over", "mu=0.1:0.75:1000"];
    let child = Command::new(env!("CARGO_BIN_EXE_stiction"))
        .args([&["sweep", "a.toml", "--out", "d"][..], &grid].concat())
        .current_dir(&dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    while !dir.join("d/manifest.json").exists() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130);
    let printed = text(&output.stderr);
    assert!(
        printed.contains("stopped") && printed.contains("of 400000 rows") && printed.contains("--resume"),
        "{printed}"
    );
    assert!(text(&stiction(&dir, &["info", "d"]).stdout).contains("of 400000 rows"));
}

#[test]
fn samples_are_kept_on_request() {
    let dir = stage("sweep-samples");
    let args = ["sweep", "a.toml", "--over", "mu=0.2,0.3", "--samples", "--out", "d"];
    assert_eq!(code(&stiction(&dir, &args)), 0);
    assert_eq!(files(&dir.join("d/samples")), ["part-000000.parquet"]);
    // the facts do not depend on it
    assert_eq!(code(&stiction(&dir, &["sweep", "a.toml", "--over", "mu=0.2,0.3", "--out", "e"])), 0);
    let csv = |out: &str| fs::read_to_string(dir.join(out).join("rows.csv")).unwrap();
    assert_eq!(csv("d"), csv("e"));
}

/// Den Hartog's limit of motions without a stop at 0.7 of the natural frequency, f = 0.722071 of the load, from nine points.
#[test]
fn the_boundary_of_motions_without_a_stop_is_den_hartogs() {
    let dir = stage("sweep-refine");
    let args = [
        "sweep",
        "a.toml",
        "--over",
        "mu=0.5:0.9:9",
        "--out",
        "d",
        "--refine",
        "stops",
        "--tolerance",
        "1e-7",
    ];
    let output = stiction(&dir, &args);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let csv = fs::read_to_string(dir.join("d/boundary-stops.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("mu_below,mu_above,stops_below,stops_above"));
    let numbers: Vec<f64> = lines.next().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(
        numbers[0] < numbers[1] && numbers[1] - numbers[0] < 1e-7 && numbers[2] == 0.0 && numbers[3] > 0.0,
        "{csv}"
    );
    assert!((numbers[1] - den_hartog(0.7)).abs() < 1e-6 && (numbers[1] - 0.722071).abs() < 1e-6, "{csv}");
}

/// The largest friction in parts of the load without a stop, at a frequency in parts of the natural one and without damping
/// (@denhartog1931): the amplitude is x0 = P sqrt(V^2 - (f U)^2) with V = 1/(1 - b^2) and U = sin(pi/b)/(b (1 + cos(pi/b))), and the
/// mass does not stop as long as the acceleration at the turning point exceeds what friction holds: x0 >= f S / b^2 with S the
/// largest of (b sin(t/b) + U b^2 (cos t - cos(t/b)))/sin t over half a period.
fn den_hartog(b: f64) -> f64 {
    let pi = std::f64::consts::PI;
    let v = 1.0 / (1.0 - b * b);
    let u = (pi / b).sin() / (b * (1.0 + (pi / b).cos()));
    let s = (1..200_000).map(|k| pi * f64::from(k) / 200_000.0);
    let s =
        s.map(|t| (b * (t / b).sin() + u * b * b * (t.cos() - (t / b).cos())) / t.sin()).fold(1.0, f64::max);
    // x0 b^2 = f s  and  x0^2 = v^2 - f^2 u^2
    v / (u * u + s * s / b.powi(4)).sqrt()
}

#[test]
fn maps_cuts_and_histograms_are_drawn() {
    let dir = stage("sweep-map");
    assert_eq!(code(&sweep(&dir, "d", &[])), 0);
    let drawn = |args: &[&str], stem: &str| {
        let output = stiction(&dir, &[&["map", "d", "--out", "p"][..], args].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(fs::read(dir.join(format!("p/{stem}.png"))).unwrap().starts_with(b"\x89PNG"));
        fs::read_to_string(dir.join(format!("p/{stem}.svg"))).unwrap()
    };
    let map = drawn(&["--x", "omega", "--y", "mu", "--z", "amplitude"], "map-amplitude");
    assert!(map.matches("crispEdges").count() > 64, "cells and bar");
    drawn(&["--x", "omega", "--y", "mu", "--z", "stops"], "map-stops");
    drawn(&["--x", "omega", "--z", "amplitude", "--at", "mu=0.3"], "cuts-amplitude");
    drawn(&["--z", "phase"], "histogram-phase");
    for (args, word) in [
        (&["map", "d", "--z", "nothing"][..], "has no column nothing"),
        (&["map", "d", "--x", "omega", "--y", "amplitude", "--z", "phase"], "no grid"),
        (&["map", "d", "--z", "phase", "--at", "phase=1"], "phase is no axis"),
    ] {
        let output = stiction(&dir, args);
        assert!(code(&output) == 2 && text(&output.stderr).contains(word), "{}", text(&output.stderr));
    }
}

/// The boundary over the frequency: where a grid of ten times as many points has steps of a hundredth of the axis, half a step off on
/// average, `--refine` is at the curve of Den Hartog.
#[test]
fn a_boundary_is_sharp_at_a_tenth_of_the_points() {
    let dir = stage("sweep-sharp");
    let grid = |n: u32, out: &str, more: &[&str]| {
        let mu = format!("mu=0.5:0.9:{n}");
        let args =
            [&["sweep", "a.toml", "--over", "omega=0.65:0.75:5", "--over", &mu, "--out", out][..], more];
        let output = stiction(&dir, &args.concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        fs::read_to_string(dir.join(out).join(if more.is_empty() {
            "rows.csv"
        } else {
            "boundary-stops.csv"
        }))
        .unwrap()
    };
    let table = |csv: &str| -> Vec<Vec<f64>> {
        csv.lines()
            .skip(1)
            .map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
            .collect()
    };
    // each boundary takes 20 points to 1e-6 of the axis: 5 (9 + 20) of 5 × 290
    let refined = table(&grid(9, "refined", &["--refine", "stops"]));
    assert_eq!(refined.len(), 5, "one change at every frequency: {refined:?}");
    let mut worst: f64 = 0.0;
    for row in &refined {
        worst = worst.max((row[2] - den_hartog(row[0])).abs());
    }
    // the place of stops in the rows
    let fine = grid(290, "fine", &[]);
    let stops = fine.lines().next().unwrap().split(',').position(|name| name == "stops").unwrap();
    let rows = table(&fine);
    let mut coarse: f64 = 0.0;
    let changes =
        |pair: &&[Vec<f64>]| pair[0][1] == pair[1][1] && (pair[0][stops] - pair[1][stops]).abs() > 0.5;
    for pair in rows.windows(2).filter(changes) {
        coarse = coarse.max((0.5 * (pair[0][2] + pair[1][2]) - den_hartog(pair[0][1])).abs());
    }
    assert!(worst < 1e-6, "refined to {worst:e}");
    assert!(coarse > 100.0 * worst, "ten times as many points: {coarse:e}, refined: {worst:e}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_read_only_is_said_and_what_is_in_it_stays() {
    use std::os::unix::fs::PermissionsExt;
    let dir = stage("sweep-locked");
    let over = ["sweep", "a.toml", "--over", "mu=0.2,0.3", "--out"];
    assert_eq!(code(&stiction(&dir, &[&over[..], &["d"]].concat())), 0);
    let before = content(&dir.join("d"));
    fs::remove_file(dir.join("d/rows/part-000000.parquet")).unwrap();
    let set = |mode: u32| {
        for place in ["d/rows", "d", "."] {
            fs::set_permissions(dir.join(place), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set(0o555);
    // who may do everything writes nevertheless, and becomes nobody for that
    let is_root = fs::write(dir.join("d/probe"), "").is_ok();
    let (program, before_it): (&str, &[&str]) = match is_root {
        true => ("setpriv", &["--reuid=65534", "--clear-groups", env!("CARGO_BIN_EXE_stiction")]),
        false => (env!("CARGO_BIN_EXE_stiction"), &[]),
    };
    let tried = |more: &[&str]| {
        let args = [before_it, &over, more].concat();
        Command::new(program).args(args).current_dir(&dir).stdin(Stdio::null()).output().unwrap()
    };
    let (resumed, fresh) = (tried(&["d", "--resume"]), tried(&["new"]));
    set(0o755);
    let _ = fs::remove_file(dir.join("d/probe"));
    for output in [&resumed, &fresh] {
        assert_eq!(code(output), 2);
        assert!(text(&output.stderr).contains("permission denied"), "{}", text(&output.stderr));
    }
    assert!(!dir.join("new").exists());
    assert_eq!(code(&stiction(&dir, &[&over[..], &["d", "--resume"]].concat())), 0);
    assert_eq!(content(&dir.join("d")), before);
}

/// Points that are drawn, and facts over facts, make no curves: they are shown as points, and no picture is empty.
#[test]
fn what_makes_no_curve_is_shown_as_points() {
    let dir = stage("sweep-scatter");
    let over = ["--over", "omega=0.3:1.5", "--over", "mu=0.1:0.7"];
    let args = [&["sweep", "a.toml", "--out", "d", "--draw", "sobol", "--points", "64"][..], &over].concat();
    assert_eq!(code(&stiction(&dir, &args)), 0);
    assert_eq!(code(&sweep(&dir, "grid", &[])), 0);
    let together =
        ["sweep", "a.toml", "--over", "omega=0.5:0.6:9", "--over", "mu=0.1:0.2:9", "--together", "omega,mu"];
    assert_eq!(code(&stiction(&dir, &[&together[..], &["--out", "both"]].concat())), 0);
    let drawn = |folder: &str, x: &str, more: &[&str], stem: &str| {
        let args = [&["map", folder, "--out", "p", "--x", x, "--z", "amplitude"][..], more].concat();
        let output = stiction(&dir, &args);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        fs::read_to_string(dir.join(format!("p/{stem}-amplitude.svg"))).unwrap()
    };
    // a round mark for each row
    let marks = |svg: &str| svg.matches("h0").count();
    assert_eq!(marks(&drawn("d", "omega", &[], "points")), 64);
    assert_eq!(marks(&drawn("d", "omega", &["--at", "mu=0.5"], "points")), 1);
    assert!(marks(&drawn("grid", "phase", &[], "points")) > 1000);
    // a curve over an axis that another one moves together with
    drawn("both", "omega", &[], "cuts");
    // rows without a result
    let none = ["sweep", "a.toml", "--over", "mass=-1:1:3", "--out", "none", "--set", "mu=0.3"];
    assert_eq!(code(&stiction(&dir, &none)), 0);
    for args in [
        &["map", "none", "--z", "amplitude", "--at", "mass=-1"][..],
        &["map", "none", "--x", "mass", "--z", "amplitude", "--at", "mass=0"],
    ] {
        let output = stiction(&dir, args);
        assert!(
            code(&output) == 2 && text(&output.stderr).contains("nothing to draw"),
            "{}",
            text(&output.stderr)
        );
    }
}

//! `stiction patch` as a stranger uses it: exit codes, outputs, errors, files.

use crate::support::{code, fed, files, scratch, stiction, text};
use std::fs;
use std::path::Path;

const DISC: &str = include_str!("../../../examples/patches/disc.toml");
const RECTANGLE: &str = include_str!("../../../examples/patches/rectangle.toml");
const FEET: &str = include_str!("../../../examples/patches/three_feet.toml");
const POLYGON: &str = "[patch]\nmu = 0.3\nload = 10\npressure.linear.gradient = [0.5, 0.0]\n\
                       shape.polygon.vertices = [[0, 0], [1, 0], [1, 1], [0, 1]]\n";

#[test]
fn without_a_flag_it_prints_the_limits_and_draws_curves_and_pressure() {
    let dir = scratch("patch-plain");
    fs::write(dir.join("disc.toml"), DISC).unwrap();
    let output = stiction(&dir, &["patch", "disc.toml"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let summary = text(&output.stdout);
    // fN, πfNR/4, 3hf/R, R/(3f)
    for word in ["6  N", "0.471239  N m", "0.45", "0.111111  m"] {
        assert!(summary.contains(word), "{word} is not in\n{summary}");
    }
    let names =
        ["disc-pressure.png", "disc-pressure.svg", "disc.csv", "disc.png", "disc.scenario.toml", "disc.svg"];
    assert_eq!(files(&dir.join("out")), names);
    for (name, patch) in [("plate", RECTANGLE), ("feet", FEET), ("polygon", POLYGON)] {
        fs::write(dir.join("a.toml"), patch).unwrap();
        let output = stiction(&dir, &["patch", "a.toml", "--out", name]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(files(&dir.join(name)).len(), 6);
        assert!(!text(&output.stdout).contains("NaN"));
    }
}

#[test]
fn json_has_facts_and_samples_and_nothing_is_written() {
    let dir = scratch("patch-json");
    fs::write(dir.join("disc.toml"), DISC).unwrap();
    let json = |args: &[&str]| -> serde_json::Value {
        let output = stiction(&dir, &[&["patch", "disc.toml", "--json"], args].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let plain = json(&["--set", "load=40"]);
    assert_eq!(plain["facts"][0]["name"], "force_limit");
    assert_eq!(plain["facts"][0]["value"], 12.0);
    assert_eq!(plain["samples"]["along"].as_array().unwrap().len(), 401);
    let compared = json(&["--compare"]);
    let worst = compared["deviations"][0]["worst"].as_f64().unwrap();
    assert!((worst - 0.38).abs() < 0.006, "{compared}");
    let surface = json(&["--limit-surface"]);
    assert!((surface["moment_limit"].as_f64().unwrap() - 0.15 * std::f64::consts::PI).abs() < 1e-14);
    for (fx, fy, mz) in (0..1800).map(|i| {
        let at = |name: &str| surface["points"][name][i].as_f64().unwrap();
        (at("fx"), at("fy"), at("mz"))
    }) {
        assert!(fx.hypot(fy) <= 6.0 * (1.0 + 1e-12) && mz.abs() <= 0.471239);
    }
    assert_eq!(files(&dir), ["disc.toml"]);
}

#[test]
fn twists_become_wrenches_with_17_digits() {
    let dir = scratch("patch-twists");
    fs::write(dir.join("disc.toml"), DISC).unwrap();
    fs::write(dir.join("t.csv"), "omega,vx,vy\n0,2,0\n0,0,-3\n5,0,0\n-7,0,0\n10,0.5,0\n0,0,0\n").unwrap();
    let args = ["patch", "disc.toml", "--set", "height=0", "--twists"];
    let output = stiction(&dir, &[&args[..], &["t.csv"]].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "fx,fy,mz");
    let rows: Vec<Vec<f64>> =
        lines[1..].iter().map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let m0 = 0.15 * std::f64::consts::PI;
    // d = 1/2: F = πd/4, M = (π/4)(1 − d²/2)
    let half = [-6.0 * std::f64::consts::PI / 8.0, 0.0, -m0 * 0.875];
    let expected = [[-6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, -m0], [0.0, 0.0, m0], half, [0.0; 3]];
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(expected) {
        row.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() <= 1e-14 * b.abs(), "{row:?}"));
    }
    for cell in lines[5].split(',') {
        assert_eq!(cell.trim_start_matches('-').split('e').next().unwrap().len(), 18, "{cell}");
    }
    assert!(!table.contains("-0.0000000000000000e0"));
    let input = fs::read_to_string(dir.join("t.csv")).unwrap();
    assert_eq!(text(&fed(&dir, &[&args[..], &["-"]].concat(), &input).stdout), table);
    assert_eq!(files(&dir), ["disc.toml", "t.csv"], "only --out writes files");
    assert_eq!(code(&stiction(&dir, &[&args[..], &["t.csv", "--out", "o"]].concat())), 0);
    assert_eq!(fs::read_to_string(dir.join("o/disc-wrenches.csv")).unwrap(), table);
}

#[test]
fn the_patch_may_come_from_standard_input_too() {
    let dir = scratch("patch-stdin");
    fs::write(dir.join("t.csv"), "vx,vy,omega\n1,0,0\n").unwrap();
    let output = fed(&dir, &["patch", "-", "--twists", "t.csv"], DISC);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("fx,fy,mz\n-6.0000000000000000e0,"));
    let output = fed(&dir, &["patch", "-", "--twists", "-"], DISC);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("standard input"));
}

#[test]
fn errors_in_the_twists_name_line_and_column() {
    let dir = scratch("patch-bad-twists");
    fs::write(dir.join("disc.toml"), DISC).unwrap();
    for (content, words) in [
        ("", vec!["empty"]),
        ("vx,vy\n1,2\n", vec!["t.csv:1", "omega"]),
        ("vx,vy,omega\n1,2,3\n1,two,3\n", vec!["t.csv:3", "vy", "two"]),
        ("vx,vy,omega\n1,2,inf\n", vec!["t.csv:2", "omega", "finite"]),
        ("vx,vy,omega\nNaN,2,3\n1,2\n", vec!["t.csv:2", "vx", "t.csv:3", "2 values", "2 errors"]),
        ("vx;vy;omega\n1;2;3\n", vec!["commas"]),
    ] {
        fs::write(dir.join("t.csv"), content).unwrap();
        let output = stiction(&dir, &["patch", "disc.toml", "--twists", "t.csv"]);
        let errors = text(&output.stderr);
        assert_eq!(code(&output), 2, "{content}");
        assert!(output.stdout.is_empty());
        for word in words {
            assert!(errors.contains(word), "{content:?}: {word} is not in\n{errors}");
        }
    }
    fs::write(dir.join("binary.csv"), [0xff, 0xfe]).unwrap();
    for (args, word) in [
        (["disc.toml", "--twists", "missing.csv"], "no such file"),
        (["disc.toml", "--twists", "binary.csv"], "UTF-8"),
        (["missing.toml", "--twists", "t.csv"], "no such file"),
        (["disc.toml", "--compare", "--limit-surface"], "cannot be used with"),
    ] {
        let output = stiction(&dir, &[&["patch"], &args[..]].concat());
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(text(&output.stderr).contains(word), "{args:?}: {}", text(&output.stderr));
    }
}

#[test]
fn bad_patches_have_exit_code_2_and_a_message_at_the_key() {
    let dir = scratch("patch-bad");
    let vertices = "[[0, 0], [1, 0], [1, 1], [0, 1]]";
    for (patch, line, by, words) in [
        (DISC, "disc.radius = 0.1", "disc.radius = -0.1", ["patch.shape.disc.radius: -0.1", "positive"]),
        (DISC, "disc.radius = 0.1", "disc.radius = nan", ["patch.shape.disc.radius", "finite"]),
        (DISC, "mu = 0.3", "mu = nan", ["patch.mu: NaN", "finite"]),
        (DISC, "load = 20.0", "load = 0", ["patch.load: 0", "positive"]),
        (DISC, "height = 0.05", "height = 0.2", ["patch.height: 0.2", "at most 0.111"]),
        (DISC, "mu = 0.3", "mui = 0.3", ["patch.mui", "did you mean mu?"]),
        (DISC, "mu = 0.3", "", ["mu is missing from patch", "Friction coefficient"]),
        (DISC, "\"galin\"", "\"gallin\"", ["patch.pressure", "did you mean \"galin\"?"]),
        (DISC, "\"galin\"", "\"linear\"", ["patch.pressure", "a table with its parameters"]),
        (
            DISC,
            "pressure = \"galin\"",
            "pressure.galin = {}",
            ["patch.pressure.galin", "write patch.pressure = \"galin\""],
        ),
        (DISC, "pressure = \"galin\"", "pressure = 3", ["patch.pressure: 3", "a text or a table"]),
        (DISC, "[patch]", "[path]", ["path", "did you mean patch?"]),
        (DISC, "disc.radius", "disk.radius", ["patch.shape.disk", "did you mean disc?"]),
        (RECTANGLE, "mu = 0.4", "mu = 0.4\npressure = \"galin\"", ["patch.pressure", "only discs"]),
        (RECTANGLE, "mu = 0.4", "mu = 0.4\nheight = 0.08", ["patch.height: 0.08", "tip the body"]),
        (
            POLYGON,
            vertices,
            "[[0, 0], [1, 1], [1, 0], [0, 1]]",
            ["patch.shape.polygon.vertices", "edges 0 and 2 meet"],
        ),
        (POLYGON, vertices, "[[0, 0], [1, 0]]", ["patch.shape.polygon.vertices: 2", "at least 3"]),
        (
            POLYGON,
            vertices,
            "[[0, 0], [1, 0], [2, 1e-12]]",
            ["patch.shape.polygon.vertices", "enclose nothing"],
        ),
        (POLYGON, vertices, "[[0, 0], [1, 0], [1]]", ["patch.shape.polygon.vertices.2", "there must be 2"]),
        (POLYGON, "[0.5, 0.0]", "[2.5, 0.0]", ["patch.pressure.linear.gradient", "negative at an edge"]),
        (FEET, "radius = 0.02", "radius = 0", ["patch.shape.pieces.0.shape.disc.radius", "positive"]),
        (FEET, "height = 0.1", "height = 0.3", ["patch.height: 0.3", "at most 0.197"]),
    ] {
        assert!(patch.contains(line), "{line}");
        fs::write(dir.join("a.toml"), patch.replacen(line, by, 1)).unwrap();
        for mode in [&["patch", "a.toml"][..], &["patch", "a.toml", "--limit-surface"]] {
            let output = stiction(&dir, mode);
            let errors = text(&output.stderr);
            assert_eq!(code(&output), 2, "{by}\n{errors}");
            for word in words {
                assert!(errors.contains(word), "{by}: {word} is not in\n{errors}");
            }
            assert!(errors.contains("a.toml:") || by.is_empty(), "{errors}");
        }
    }
    assert_eq!(files(&dir), ["a.toml"], "nothing is written");
    // all at once, and overrides are blamed by themselves
    fs::write(dir.join("a.toml"), DISC.replace("0.3", "-1").replace("20.0", "inf")).unwrap();
    let errors = text(&stiction(&dir, &["patch", "a.toml", "--set", "radius=0"]).stderr);
    for word in ["patch.mu", "patch.load", "--> --set  radius=0", "3 errors"] {
        assert!(errors.contains(word), "{word} is not in\n{errors}");
    }
}

#[test]
fn compare_finds_the_known_errors_and_refuses_what_has_no_closure() {
    let dir = scratch("patch-compare");
    fs::write(dir.join("disc.toml"), DISC).unwrap();
    let output = stiction(&dir, &["patch", "disc.toml", "--compare"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let table = text(&output.stdout);
    for (model, percent) in [
        ("F∥, first order, consistent", 38.0),
        ("F∥, second order, consistent", 16.0),
        ("M, first order, as printed", 48.0),
        ("M, second order, as printed", 11.0),
        ("F⊥, first order, as printed", 82.0),
        ("F⊥, first order, consistent", 66.0),
    ] {
        let line = table.lines().find(|line| line.contains(model)).unwrap();
        let found: f64 = line.replace(model, "").split('%').next().unwrap().trim().parse().unwrap();
        assert!((found - percent).abs() <= 0.5, "{line}");
    }
    fs::write(dir.join("a.toml"), POLYGON).unwrap();
    let output = stiction(&dir, &["patch", "a.toml", "--compare"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("only discs and rectangles"), "{}", text(&output.stderr));
}

#[test]
fn the_limit_surface_is_written_with_its_sections() {
    let dir = scratch("patch-surface");
    fs::write(dir.join("plate.toml"), RECTANGLE).unwrap();
    let output = stiction(&dir, &["patch", "plate.toml", "--limit-surface"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let names = files(&dir.join("out"));
    for ending in ["surface.csv", "surface.png", "surface.svg", "sections.png", "fx-mz.csv", "fx-fy.csv"] {
        assert!(names.iter().any(|name| name.ends_with(ending)), "{ending} is not among {names:?}");
    }
    // a wrench on the surface is what the motion there is resisted with
    let table = fs::read_to_string(dir.join("out/plate-limit-surface.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "fx,fy,mz,vx,vy,omega");
    let back = fed(&dir, &["patch", "plate.toml", "--twists", "-"], &table);
    assert_eq!(code(&back), 0, "{}", text(&back.stderr));
    for (point, wrench) in lines[1..].iter().zip(text(&back.stdout).lines().skip(1)) {
        let numbers = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>();
        let (point, wrench) = (numbers(point), numbers(wrench));
        for k in 0..3 {
            // the motion is found to half the digits of the wrench
            assert!((point[k] + wrench[k]).abs() < 1e-6 * 3.924, "{point:?} {wrench:?}");
        }
    }
    let output = stiction(&dir, &["patch", "plate.toml", "--limit-surface", "--set", "mu=0"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("patch.mu: 0, but it must be positive"));
}

#[test]
fn the_papers_on_patches_are_reproduced() {
    let dir = scratch("patch-papers");
    for (paper, words) in [
        ("paper-c", ["0.42441318", "0.35342917", "worst error"]),
        ("paper-d", ["98.1", "1.3867707", "infinite otherwise"]),
    ] {
        let output = stiction(&dir, &["reproduce", paper]);
        let table = text(&output.stdout);
        assert_eq!(code(&output), 0, "{table}{}", text(&output.stderr));
        for word in words {
            assert!(table.contains(word), "{word} is not in\n{table}");
        }
        assert!(!table.contains("  off\n"));
        for name in ["forces.csv", "forces.png", "limit-surface.svg"] {
            assert!(dir.join("out").join(paper).join(name).exists(), "{paper} {name}");
        }
    }
    let output = stiction(&dir, &["reproduce", "paper-c", "pressure", "--out", "one"]);
    assert_eq!(code(&output), 0);
    assert_eq!(files(&dir.join("one/paper-c")), ["disc.toml", "pressure.png", "pressure.svg"]);
    let output = stiction(&dir, &["reproduce", "paper-d", "pressure"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("forces, limit-surface"), "{}", text(&output.stderr));
}

#[test]
fn the_committed_patch_schema_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stiction-study/schema/patch.schema.json");
    let generated = text(&stiction(Path::new("."), &["schema", "patch"]).stdout);
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "stale: run `cargo xtask generate`");
}

#[test]
fn the_same_patch_gives_the_same_bytes() {
    let dir = scratch("patch-bytes");
    fs::write(dir.join("a.toml"), FEET).unwrap();
    for out in ["one", "two"] {
        assert_eq!(code(&stiction(&dir, &["patch", "a.toml", "--out", out])), 0);
        assert_eq!(code(&stiction(&dir, &["patch", "a.toml", "--out", out, "--limit-surface"])), 0);
    }
    for name in files(&dir.join("one")) {
        let read = |out: &str| fs::read(dir.join(out).join(&name)).unwrap();
        assert_eq!(read("one"), read("two"), "{name}");
    }
}

//! The command line as a stranger uses it: exit codes, outputs, errors, files.

use crate::support::{code, files, scratch, stiction, text};
use std::fs;
use std::path::Path;
use stiction::law::{FrictionLaw, Size};

const SCENARIO: &str = include_str!("../../../examples/trigonometric_resonance.toml");

#[test]
fn run_prints_a_summary_and_writes_data_and_figure() {
    let dir = scratch("run");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    let output = stiction(&dir, &["run", "a.toml", "--out", "result"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let summary = text(&output.stdout);
    for word in ["19.5902", "-21.0506", "residual", "stick fraction", "drift", "400 000 steps"] {
        assert!(summary.contains(word), "{word} is not in\n{summary}");
    }
    assert_eq!(files(&dir.join("result")), ["a.csv", "a.events.csv", "a.png", "a.scenario.toml", "a.svg"]);
    let csv = fs::read_to_string(dir.join("result/a.csv")).unwrap();
    assert!(csv.starts_with("t,position,velocity,acceleration,sliding,friction,slope,sample\n"));
    assert_eq!(csv.lines().filter(|line| line.ends_with(",1")).count(), 2001);
    assert!(fs::read(dir.join("result/a.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn json_is_one_object_in_full_precision_and_nothing_is_written() {
    let dir = scratch("json");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    let output = stiction(&dir, &["run", "a.toml", "--json"]);
    assert_eq!(code(&output), 0);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fact = |name: &str| {
        let facts = json["facts"].as_array().unwrap();
        facts.iter().find(|f| f["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert!((fact("position_max")["value"].as_f64().unwrap() - 19.59018836935).abs() < 1e-8);
    assert_eq!(fact("velocity_min")["unit"], "m/s");
    assert_eq!(json["samples"]["t"].as_array().unwrap().len(), 2001);
    assert_eq!(json["samples"]["friction"].as_array().unwrap().len(), 2001);
    assert_eq!(json["events"][0]["contact"], 0);
    assert!(json["events"][0]["t"].as_f64().unwrap() > 113.0);
    assert!(["stick", "slip", "reverse"].contains(&json["events"][0]["kind"].as_str().unwrap()));
    assert_eq!(json["work"]["steps"], 400_000);
    assert_eq!(files(&dir), ["a.toml"]);

    let output =
        stiction(&dir, &["run", "a.toml", "--json", "--set", "analysis.transient.times=[0, 1, 125]"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["samples"]["t"], serde_json::json!([0.0, 1.0, 125.0]));
}

#[test]
fn the_same_scenario_gives_the_same_bytes() {
    let dir = scratch("bytes");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    for (out, integrator) in [("one", "integrator={adaptive={}}"), ("two", "integrator={adaptive={}}")] {
        assert_eq!(code(&stiction(&dir, &["run", "a.toml", "--out", out, "--set", integrator])), 0);
    }
    for name in files(&dir.join("one")) {
        assert_eq!(
            fs::read(dir.join("one").join(&name)).unwrap(),
            fs::read(dir.join("two").join(&name)).unwrap()
        );
    }
}

#[test]
fn several_files_are_compared_in_one_figure() {
    let dir = scratch("several");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    fs::write(dir.join("b.toml"), SCENARIO.replace("width = 0.8", "width = 0.1")).unwrap();
    let output = stiction(&dir, &["run", "a.toml", "b.toml", "--set", "steps_per_period=500"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(files(&dir.join("out")).contains(&"comparison.png".to_owned()));
}

#[test]
fn bad_input_has_exit_code_2_a_message_at_the_key_and_leaves_earlier_output_untouched() {
    let dir = scratch("bad");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    assert_eq!(code(&stiction(&dir, &["run", "a.toml"])), 0);
    let before: Vec<Vec<u8>> =
        files(&dir.join("out")).iter().map(|f| fs::read(dir.join("out").join(f)).unwrap()).collect();
    let cases: [(&str, &str, &str); 12] = [
        ("mass = 1.0", "mass = nan", "system.oscillator.mass"),
        ("mass = 1.0", "mass = -1", "must be positive"),
        ("stiffness = 1.0", "stiffness = inf", "finite"),
        ("width = 0.8", "width = -0.8", "width"),
        ("mass = 1.0", "mas = 1.0", "did you mean mass?"),
        ("mass = 1.0", "mass = \"heavy\"", "must be a number"),
        ("trigonometric", "trigonmetric", "did you mean trigonometric?"),
        ("steps_per_period = 20000", "steps_per_period = 1e300", "steps"),
        ("periods = 20", "periods = 1e300", "steps"),
        ("mass = 1.0", "mass = = 1", "not valid TOML"),
        ("periods = 20", "periods = \"twenty\"", "must be a number"),
        ("friction.trigonometric = { mu = 1.6, width = 0.8 }", "friction.coulomb = { mu = 1 }", "hint: "),
    ];
    for (line, by, word) in cases {
        fs::write(dir.join("a.toml"), SCENARIO.replace(line, by)).unwrap();
        let output = stiction(&dir, &["run", "a.toml"]);
        let errors = text(&output.stderr);
        assert_eq!(code(&output), 2, "{by}\n{errors}");
        assert!(errors.starts_with("error: ") && errors.contains(word), "{by}: {word} is not in\n{errors}");
        assert!(errors.contains("a.toml:") && output.stdout.is_empty(), "{errors}");
    }
    let empty = [
        ("", "is missing"),
        (
            "[system.matrices]\nmass = [[1, 2], [2, 1]]\n[analysis.transient]\nduration = 1\n",
            "positive definite",
        ),
    ];
    for (content, word) in empty {
        fs::write(dir.join("a.toml"), content).unwrap();
        let output = stiction(&dir, &["run", "a.toml"]);
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
    }
    let after: Vec<Vec<u8>> =
        files(&dir.join("out")).iter().map(|f| fs::read(dir.join("out").join(f)).unwrap()).collect();
    assert_eq!(before, after);
}

#[test]
fn files_that_cannot_be_read_or_written_are_errors() {
    let dir = scratch("files");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    fs::write(dir.join("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    fs::write(dir.join("wall"), "a file").unwrap();
    for (args, word) in [
        (vec!["run", "missing.toml"], "no such file"),
        (vec!["run", "."], "directory"),
        (vec!["run", "binary.toml"], "UTF-8"),
        (vec!["run", "a.toml", "--out", "wall"], "cannot write"),
        (vec!["run", "a.toml", "--out", "wall/deeper"], "cannot write"),
        (vec!["run"], "required"),
        (vec!["rnu"], "unrecognized"),
        (vec!["law", "sandpaper"], "no law is called"),
        (vec!["law", "linear", "--set", "mu=-1"], "must not be negative"),
        (vec!["law", "linear", "--at", "nan"], "finite"),
        (vec!["reproduce", "paper-x"], "did you mean"),
        (vec!["reproduce", "paper-b", "fig-9"], "did you mean"),
    ] {
        let output = stiction(&dir, &args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(text(&output.stderr).contains(word), "{args:?}: {}", text(&output.stderr));
    }
    assert_eq!(files(&dir), ["a.toml", "binary.toml", "wall"], "nothing half-written is left");
}

#[test]
fn a_run_that_fails_says_so_and_writes_nothing() {
    let dir = scratch("fails");
    let text_in = "[system.oscillator]\nmass = 1\ndamping = -5\nforce = { amplitude = 1, omega = 1 }\n[integrator.rk4]\nstep = 0.1\n[analysis.transient]\nduration = 1000\n";
    fs::write(dir.join("a.toml"), text_in).unwrap();
    let output = stiction(&dir, &["run", "a.toml"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("beyond all bounds"), "{}", text(&output.stderr));
    assert_eq!(files(&dir), ["a.toml"]);
}

#[test]
fn law_evaluates_at_given_velocities() {
    let dir = scratch("law");
    let args =
        ["law", "trigonometric", "--set", "mu=1.6", "--set", "width=0.8", "--at", "-1,0,0.5", "--json"];
    let output = stiction(&dir, &args);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["v"], serde_json::json!([-1.0, 0.0, 0.5]));
    let value = json["coefficient"][2].as_f64().unwrap();
    assert!((value - 1.6 * (std::f64::consts::PI * 0.5 / 1.6).sin()).abs() < 1e-15);
    assert!((json["slope"][1].as_f64().unwrap() - std::f64::consts::PI).abs() < 1e-15);
    assert!(files(&dir).is_empty());
    let output = stiction(&dir, &["law", "lugre"]);
    assert_eq!(code(&output), 0);
    assert_eq!(
        files(&dir.join("out")),
        ["law-lugre.csv", "law-lugre.png", "law-lugre.scenario.toml", "law-lugre.svg"]
    );
    let list = text(&stiction(&dir, &["law"]).stdout);
    for name in list.lines() {
        assert_eq!(code(&stiction(&dir, &["law", name, "--at", "-0.1,0,0.1"])), 0, "{name}");
    }
}

#[test]
fn reproduce_agrees_with_every_printed_number() {
    let dir = scratch("reproduce");
    let output = stiction(&dir, &["reproduce"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stdout));
    let table = text(&output.stdout);
    assert_eq!(
        table.matches(" max  ").count() + table.matches(" min  ").count(),
        40,
        "32 extrema and 8 ends of C\n{table}"
    );
    assert!(!table.contains("off\n"));
    assert!(table.contains("chatters and creeps") && table.contains("rests"));
    assert_eq!(files(&dir.join("out/paper-b")).iter().filter(|f| f.ends_with(".png")).count(), 4);
    let output = stiction(&dir, &["reproduce", "paper-b", "fig-2", "--out", "one"]);
    assert_eq!(code(&output), 0);
    assert_eq!(files(&dir.join("one")), ["paper-b"]);
}

#[test]
fn new_check_show_and_run_fit_together() {
    let dir = scratch("new");
    assert_eq!(code(&stiction(&dir, &["new", "mine.toml"])), 0);
    assert_eq!(code(&stiction(&dir, &["new", "mine.toml"])), 2, "an existing file is not replaced");
    assert_eq!(code(&stiction(&dir, &["check", "mine.toml"])), 0);
    let shown = stiction(&dir, &["show", "mine.toml"]);
    assert_eq!(code(&shown), 0);
    assert!(text(&shown.stdout).contains("samples = 2001"), "{}", text(&shown.stdout));
    fs::write(dir.join("shown.toml"), &shown.stdout).unwrap();
    let run = |file: &str| stiction(&dir, &["run", file, "--json"]).stdout;
    assert_eq!(run("mine.toml"), run("shown.toml"), "what is shown is the same scenario");
    assert_eq!(code(&stiction(&dir, &["run", "mine.toml"])), 0);
    assert_eq!(code(&stiction(&dir, &["completions", "bash"])), 0);
}

#[test]
fn the_lab_is_one_file_with_the_scenario_in_it() {
    let dir = scratch("lab");
    fs::write(dir.join("a.toml"), "title = \"</script>\"").unwrap();
    let output = stiction(&dir, &["lab", "a.toml", "--out", "lab.html"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(files(&dir), ["a.toml", "lab.html"]);
    let page = fs::read_to_string(dir.join("lab.html")).unwrap();
    assert!(page.contains(r#""name":"a.toml","text":"title = \"\u003c/script>\"""#));
    // nothing is fetched: no address but the names of formats
    let names = ["json-schema.org/", "www.w3.org/2000/svg"];
    let is_name = |rest: &str| names.iter().any(|name| rest.starts_with(name));
    assert!(page.split("://").skip(1).all(is_name));
    assert_eq!(code(&stiction(&dir, &["lab", "missing.toml", "--out", "b.html"])), 2);
}

#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stiction-study/schema/scenario.schema.json");
    let generated = text(&stiction(Path::new("."), &["schema"]).stdout);
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "stale: run `cargo xtask generate`");
}

const STICK_SLIP: &str = include_str!("../../../examples/stick_slip.toml");

#[test]
fn compare_finds_errors_that_fall_with_the_width() {
    let dir = scratch("compare");
    fs::write(dir.join("a.toml"), STICK_SLIP).unwrap();
    let output = stiction(&dir, &["compare", "a.toml", "--widths", "0.1,0.01,0.001", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = json["rows"].as_array().unwrap();
    // laws without a width are not asked for
    let has_width = |name: &&&str| FrictionLaw::size(name) == Some(Size::Width);
    assert_eq!(rows.len(), 3 * FrictionLaw::REGULARISED.iter().filter(has_width).count());
    assert!(rows.iter().all(|row| row["parameter"] == "width" && row["unit"] == "m/s"));
    for law in rows.chunks(3) {
        let error = |i: usize| law[i]["trajectory"].as_f64().unwrap();
        // the error is proportional to the width, and to its square for the law that sees its demand
        let order = (error(1) / error(2)).log10();
        let expected = if law[0]["law"] == "quinn" { 2.0 } else { 1.0 };
        assert!((order - expected).abs() < 0.3, "{}: {} {}", law[0]["law"], error(1), error(2));
        let creep = law[2]["creep"].as_f64().unwrap();
        assert!(creep < 0.05, "{}: {creep}", law[0]["law"]);
    }
    let output = stiction(&dir, &["compare", "a.toml", "--laws", "linear", "--widths", "0.1,0.01"]);
    assert_eq!(code(&output), 0);
    assert_eq!(
        files(&dir.join("out")),
        ["a-compare.csv", "a-compare.png", "a-compare.scenario.toml", "a-compare.svg"]
    );
    let csv = |name: &str| fs::read_to_string(dir.join("out").join(name)).unwrap();
    assert!(csv("a-compare.csv").starts_with("law,parameter,size,unit,trajectory,"));
    let output =
        stiction(&dir, &["compare", "a.toml", "--stiffnesses=1e2,1e3", "--laws=jenkins,dahl", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let printed: Vec<_> =
        json["rows"].as_array().unwrap().iter().map(|row| (&row["law"], &row["size"])).collect();
    let expected = [("jenkins", 1e2), ("jenkins", 1e3), ("dahl", 1e2), ("dahl", 1e3)];
    assert!(
        printed.len() == 4
            && printed.iter().zip(expected).all(|(row, (law, size))| row.0 == law && *row.1 == size)
    );
    assert!(json["rows"][3]["parameter"] == "stiffness" && json["rows"][3]["unit"] == "1/m");
    for args in [
        ["compare", "a.toml", "--laws", "linaer"],
        ["compare", "a.toml", "--widths", "0,1"],
        ["compare", "a.toml", "--stiffnesses", "-1"],
        ["tune", "a.toml", "--criterion", "size"],
    ] {
        assert_eq!(code(&stiction(&dir, &args)), 2, "{args:?}");
    }
    fs::write(dir.join("b.toml"), SCENARIO).unwrap();
    assert_eq!(code(&stiction(&dir, &["compare", "b.toml"])), 2, "only coulomb is compared with");
}

#[test]
fn tune_finds_the_widest_transition_within_the_error() {
    let dir = scratch("tune");
    fs::write(dir.join("a.toml"), STICK_SLIP).unwrap();
    let args = [
        "tune",
        "a.toml",
        "--laws",
        "linear,quinn",
        "--criterion",
        "dissipation",
        "--tolerance",
        "0.01",
        "--json",
    ];
    let json: serde_json::Value = serde_json::from_slice(&stiction(&dir, &args).stdout).unwrap();
    let mut widths = Vec::new();
    for row in json.as_array().unwrap() {
        assert!(row["coarsest"]["dissipation"].as_f64().unwrap().abs() <= 0.01);
        widths.push(row["coarsest"]["size"].as_f64().unwrap());
    }
    assert!(widths[1] > 3.0 * widths[0], "the quinn law may be much broader: {widths:?}");
    let none = ["tune", "a.toml", "--laws", "linear", "--criterion", "trajectory", "--tolerance", "1e-12"];
    assert_eq!(code(&stiction(&dir, &none)), 1, "the answer is no");
}

/// A result that is wrong by its own measure is printed, with a warning on its face, and does not end as if it were right.
#[test]
fn a_run_that_fails_its_own_checks_ends_with_one() {
    let dir = scratch("wrong");
    std::fs::create_dir_all(&dir).unwrap();
    let scenario = r#"
[system.oscillator]
mass = 1.0
stiffness = 1e4
friction.tanh = { mu = 0.1, width = 1.0 }
initial.position = 1.0
[integrator.rk4]
step = 0.02
[analysis.transient]
duration = 1.0
"#;
    std::fs::write(dir.join("rk4.toml"), scenario).unwrap();
    let output = stiction(&dir, &["run", "rk4.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        out.contains("warning: the energy balance misses") && err.contains("error: rk4: the energy"),
        "{out}{err}"
    );
    let output = stiction(&dir, &["run", "rk4.toml", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> =
        found["warnings"].as_array().unwrap().iter().filter_map(|w| w["name"].as_str()).collect();
    assert!(names.contains(&"energy-residual"), "{names:?}");
}

#[test]
fn a_first_scenario_with_coulombs_law_needs_no_integrator() {
    let dir = scratch("first");
    std::fs::create_dir_all(&dir).unwrap();
    let scenario = "[system.oscillator]\nmass = 1.0\nstiffness = 1.0\nforce = { amplitude = 2.0, omega = 0.5 }\nfriction.coulomb.mu = 1.0\n";
    std::fs::write(dir.join("first.toml"), scenario).unwrap();
    let output = stiction(&dir, &["run", "first.toml"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = stiction(&dir, &["show", "first.toml"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("[integrator.exact]"));
}

/// A sound question whose answer is no ends with 1; one that cannot be asked with 2.
#[test]
fn no_periodic_motion_is_an_answer() {
    let dir = scratch("no-motion");
    let scenario = "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = { amplitude = 1, omega = 1 }\nfriction.coulomb.mu = 0.2\n[analysis.steady]\n";
    fs::write(dir.join("a.toml"), scenario).unwrap();
    let output = stiction(&dir, &["run", "a.toml"]);
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no periodic motion"));
    assert_eq!(code(&stiction(&dir, &["run", "a.toml", "--set", "mass=-1"])), 2);
}

//! From nothing to a figure: new files of every kind, overrides, figures by option.

use crate::support::{code, files, scratch, stiction, text};
use std::fs;
use std::path::Path;

const KINDS: [&str; 8] = ["oscillator", "matrices", "beam", "response", "body", "pid", "sweep", "patch"];

fn made(dir: &Path, kind: &str) -> String {
    let name = format!("{kind}.toml");
    let output = stiction(dir, &["new", &name, "--kind", kind]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_new_file_of_every_kind_runs_as_it_is_with_the_command_that_is_named() {
    let dir = scratch("new-kinds");
    for kind in KINDS {
        let said = made(&dir, kind);
        let command = said.lines().last().unwrap().strip_prefix("run it with: stiction ").unwrap().to_owned();
        let mut words: Vec<&str> = command.split(' ').collect();
        words.extend(["--out", kind]);
        let output = stiction(&dir, &words);
        assert_eq!(code(&output), 0, "{kind}: {}", text(&output.stderr));
        let source = fs::read_to_string(dir.join(format!("{kind}.toml"))).unwrap();
        assert!(source.contains("SI units"), "{kind} does not say its units");
    }
    assert!(fs::read_to_string(dir.join("oscillator.toml")).unwrap().contains("friction.coulomb"));
    let output = stiction(&dir, &["new", "--kind", "fit"]);
    assert_eq!(code(&output), 2);
}

#[test]
fn run_and_patch_name_each_other_for_a_file_of_the_other_kind() {
    let dir = scratch("new-other");
    ["patch", "oscillator"].iter().for_each(|kind| _ = made(&dir, kind));
    for (command, file, hint) in [
        ("run", "patch.toml", "stiction patch patch.toml"),
        ("check", "patch.toml", "stiction patch patch.toml"),
        ("show", "patch.toml", "stiction patch patch.toml"),
        ("patch", "oscillator.toml", "stiction run oscillator.toml"),
    ] {
        let output = stiction(&dir, &[command, file]);
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    }
}

fn shown(dir: &Path, sets: &[&str]) -> Result<String, String> {
    let mut words = vec!["show", "oscillator.toml"];
    sets.iter().for_each(|set| words.extend(["--set", set]));
    let output = stiction(dir, &words);
    if code(&output) == 0 { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

#[test]
fn a_key_that_the_file_lacks_is_set_where_only_one_place_fits() {
    let dir = scratch("set-missing");
    made(&dir, "oscillator");
    let found = shown(&dir, &["belt=0.25", "samples=77", "force.phase=0.5", "position=0.125"]);
    // position: initial is not written, so that no table is there for it
    assert!(found.unwrap_err().contains("no key position"));
    let found = shown(&dir, &["belt=0.25", "samples=77", "force.phase=0.5"]).unwrap();
    for line in ["belt = 0.25", "samples = 77", "phase = 0.5"] {
        assert!(found.contains(line), "{line}: {found}");
    }
    // the same number in another unit gives way
    let found = shown(&dir, &["frequency=0.5"]).unwrap();
    assert!(found.contains("omega = 3.14159"), "{found}");
    fs::write(
        dir.join("two.toml"),
        "[system.matrices]\nmass = [1, 1]\nfriction = [{ coulomb.mu = 0.1, dof = 0 }, { coulomb.mu = 0.1, dof = 1 }]\n[analysis.transient]\nduration = 1\n",
    )
    .unwrap();
    let output = stiction(&dir, &["show", "two.toml", "--set", "viscous=3"]);
    let said = text(&output.stderr);
    assert!(
        code(&output) == 2 && said.contains("several places") && said.contains("friction.0.viscous"),
        "{said}"
    );
}

#[test]
fn a_key_of_a_table_that_the_file_lacks_is_named_with_its_path() {
    let dir = scratch("set-no-table");
    made(&dir, "oscillator");
    for (set, path) in [
        ("restitution=0.5", "system.oscillator.stop.restitution"),
        ("kp=4", "system.oscillator.control.kp"),
        ("rtol=1e-10", "integrator.adaptive.rtol"),
    ] {
        let said = shown(&dir, &[set]).unwrap_err();
        assert!(said.contains("no key") && said.contains(path), "{set}: {said}");
    }
    // not those of another system, of another law, or of another analysis
    for set in ["thickness=3", "distance=1e-5", "through_folds=true"] {
        let said = shown(&dir, &[set]).unwrap_err();
        assert!(said.contains("no key") && !said.contains("that the scenario lacks"), "{set}: {said}");
    }
}

#[test]
fn a_law_is_switched_by_its_name_and_keeps_what_both_have() {
    let dir = scratch("set-law");
    made(&dir, "oscillator");
    let found = shown(&dir, &["law=lugre", "velocity=0.01", "contact_stiffness=1e4", "damping=2"]);
    // damping of the law or of the oscillator: the one that is there
    assert!(found.unwrap_err().contains("damping is missing"), "contact damping is not given");
    let sets = ["law=lugre", "velocity=0.01", "contact_stiffness=1e4", "contact_damping=20"];
    let found = shown(&dir, &sets).unwrap();
    for line in ["friction.lugre]", "mu = 0.3", "mu_static = 0.4", "contact_stiffness = 10000", "load = 8"] {
        assert!(found.contains(line), "{line}: {found}");
    }
    assert!(!found.contains("coulomb"), "{found}");
    let wrong = shown(&dir, &["law=jenkins"]).unwrap_err();
    assert!(wrong.contains("stiffness is missing") && wrong.contains("1/m"), "{wrong}");
    assert!(shown(&dir, &["law=jenkin"]).unwrap_err().contains("did you mean jenkins?"));
}

#[test]
fn figures_have_the_formats_the_width_and_the_panels_that_are_asked_for() {
    let dir = scratch("figure-options");
    made(&dir, "oscillator");
    let run = |more: &[&str]| stiction(&dir, &[&["run", "oscillator.toml", "--out", "out"], more].concat());
    assert_eq!(code(&run(&["--formats", "pdf,svg", "--width", "120", "--panels", "a,f"])), 0);
    let names = files(&dir.join("out"));
    assert!(
        names.contains(&"oscillator.pdf".into()) && !names.contains(&"oscillator.png".into()),
        "{names:?}"
    );
    assert!(fs::read(dir.join("out/oscillator.pdf")).unwrap().starts_with(b"%PDF-1.4"));
    let svg = fs::read_to_string(dir.join("out/oscillator.svg")).unwrap();
    assert!(svg.contains("width=\"120mm\""), "{}", &svg[..200]);
    assert!(svg.contains("<text") && svg.contains("position "), "text is text");
    // friction over time is panel d, friction over the position panel f
    assert!(svg.contains("(a)") && svg.contains("(b)") && !svg.contains("(c)"));
    assert_eq!(code(&run(&["--outlines"])), 0);
    assert!(!fs::read_to_string(dir.join("out/oscillator.svg")).unwrap().contains("<text"));
    let output = run(&["--panels", "z"]);
    assert!(text(&output.stderr).contains("its panels are a, b, c"), "{}", text(&output.stderr));
    assert_eq!(code(&run(&["--width", "3"])), 2);
}

#[test]
fn a_panel_in_which_nothing_changes_is_left_out_and_hysteresis_is_drawn() {
    let dir = scratch("figure-panels");
    made(&dir, "oscillator");
    let svg = |sets: &[&str]| {
        let output = stiction(&dir, &[&["run", "oscillator.toml", "--out", "out"], sets].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        fs::read_to_string(dir.join("out/oscillator.svg")).unwrap()
    };
    // coulomb: no slope; position, velocity, acceleration, friction, friction over velocity and position, phase plane
    let coulomb = svg(&[]);
    assert!(!coulomb.contains("slope ") && coulomb.contains("(g)") && !coulomb.contains("(h)"));
    let smooth = svg(&["--set", "law=tanh", "--set", "friction.tanh.width=0.1"]);
    assert!(smooth.contains("slope ") && smooth.contains("(i)"));
    made(&dir, "pid");
    assert_eq!(code(&stiction(&dir, &["run", "pid.toml", "--out", "out"])), 0);
    assert!(fs::read_to_string(dir.join("out/pid.svg")).unwrap().contains("control force "));
}

#[test]
fn responses_and_bodies_are_compared_in_one_figure() {
    let dir = scratch("figure-comparison");
    for (kind, key, words) in [("response", "load=10", "amplitude "), ("body", "spin=-5", "spin ")] {
        made(&dir, kind);
        let output = stiction(&dir, &["show", &format!("{kind}.toml"), "--set", key]);
        fs::write(dir.join(format!("other-{kind}.toml")), &output.stdout).unwrap();
        let (own, other) = (format!("{kind}.toml"), format!("other-{kind}.toml"));
        assert_eq!(code(&stiction(&dir, &["run", &own, &other, "--out", kind])), 0);
        let svg = fs::read_to_string(dir.join(kind).join("comparison.svg")).unwrap();
        assert!(svg.contains(words) && svg.contains(&format!("other-{kind}")), "{kind}");
    }
}

#[test]
fn drawn_samples_are_points_coloured_by_the_quantity() {
    let dir = scratch("map-scatter");
    made(&dir, "oscillator");
    let draw = ["--draw", "sobol", "--points", "24"];
    let over = ["--over", "mu=0.1:0.6", "--over", "omega=0.3:2", "--out", "d"];
    let output = stiction(&dir, &[&["sweep", "oscillator.toml"], &over[..], &draw].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let output =
        stiction(&dir, &["map", "d", "--x", "omega", "--y", "mu", "--z", "stick_fraction", "--out", "m"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let svg = fs::read_to_string(dir.join("m/points-stick_fraction.svg")).unwrap();
    assert!(svg.contains("stick fraction"), "{svg}");
}

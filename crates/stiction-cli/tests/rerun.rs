//! `stiction rerun`: every result says where it comes from, and can be made again.

use crate::support::{code, scratch, stiction, text};
use std::fs;
use std::path::Path;

const SCENARIO: &str = "title = \"a <block> & its belt\"\n[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\ninitial.position = 1\n[analysis.transient]\nduration = 20\nsamples = 51\n";

fn rerun(dir: &Path, file: &str) -> (i32, String) {
    let output = stiction(dir, &["rerun", file]);
    (code(&output), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn results_of_a_run_are_made_again_from_themselves() {
    let dir = scratch("rerun");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    assert_eq!(code(&stiction(&dir, &["run", "a.toml", "--set", "mu=0.25"])), 0);
    let json = stiction(&dir, &["run", "a.toml", "--set", "mu=0.25", "--json"]).stdout;
    fs::write(dir.join("out/a.json"), &json).unwrap();
    // what it was made from may be gone
    fs::remove_file(dir.join("a.toml")).unwrap();
    let results = ["a.csv", "a.events.csv", "a.svg", "a.png", "a.json"].map(|name| format!("out/{name}"));
    for file in &results {
        assert_eq!(rerun(&dir, file), (0, format!("{file}: the same\n")));
    }
    // the scenario beside a table is one
    let printed = fs::read_to_string(dir.join("out/a.scenario.toml")).unwrap();
    assert!(
        printed.starts_with(&format!("# by stiction {}", env!("CARGO_PKG_VERSION")))
            && printed.contains("mu = 0.25")
    );
    assert_eq!(code(&stiction(&dir, &["run", "out/a.scenario.toml", "--out", "again"])), 0);
    assert_eq!(fs::read(dir.join("again/a.scenario.csv")).unwrap(), fs::read(dir.join("out/a.csv")).unwrap());

    // a number that is not what was computed is found
    let csv = fs::read_to_string(dir.join("out/a.csv")).unwrap();
    let third = csv.lines().nth(2).unwrap();
    let mut cells: Vec<&str> = third.split(',').collect();
    let was = cells[1];
    cells[1] = "0.5";
    fs::write(dir.join("out/a.csv"), csv.replace(third, &cells.join(","))).unwrap();
    let (code, printed) = rerun(&dir, "out/a.csv");
    assert!(code == 1 && printed.contains(&format!("line 3, position: was 0.5, is {was}")), "{printed}");
    let json = String::from_utf8(json).unwrap();
    let place = json.find("\"name\":\"position_max\",").unwrap();
    let (head, tail) = json.split_at(place);
    fs::write(dir.join("out/a.json"), format!("{head}{}", tail.replacen(":1.0,", ":1.5,", 1))).unwrap();
    let (code, printed) = rerun(&dir, "out/a.json");
    assert!(code == 1 && printed.contains("facts.position_max.value: was 1.5, is 1.0"), "{printed}");
    let svg = fs::read_to_string(dir.join("out/a.svg")).unwrap();
    fs::write(dir.join("out/a.svg"), svg.replacen("<path d=\"M", "<path d=\"M1", 1)).unwrap();
    assert_eq!(rerun(&dir, "out/a.svg").0, 1);
}

#[test]
fn a_dataset_is_made_again_row_by_row() {
    let dir = scratch("rerun-rows");
    let steady = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1, omega = 0.7 }\n[analysis.steady]\n";
    fs::write(dir.join("a.toml"), steady).unwrap();
    let sweep = |out: &str, mu: &str| {
        let over = format!("mu={mu}");
        assert_eq!(code(&stiction(&dir, &["sweep", "a.toml", "--over", &over, "--out", out])), 0);
    };
    sweep("d", "0.1:0.7:100");
    for place in ["d", "d/manifest.json", "d/rows.csv", "d/rows/part-000001.parquet"] {
        assert_eq!(rerun(&dir, place), (0, format!("{place}: the same\n")), "{place}");
    }
    assert_eq!(code(&stiction(&dir, &["map", "d", "--x", "mu", "--z", "amplitude"])), 0);
    let note = figure::note_of(&fs::read(dir.join("d/cuts-amplitude.png")).unwrap()).unwrap();
    assert!(note.contains("\"command\":\"map\"") && note.contains("[sweep]"), "{note}");
    let (code, printed) = rerun(&dir, "d/cuts-amplitude.svg");
    assert!(code == 2 && printed.contains("stiction map"), "{printed}");
}

#[test]
fn what_does_not_say_where_it_comes_from_is_refused() {
    let dir = scratch("rerun-unknown");
    for (name, bytes) in [
        ("a.csv", "t\n0\n"),
        ("a.json", "{}"),
        ("b.json", "["),
        ("a.svg", "<svg></svg>"),
        ("a.png", "\u{89}PNG"),
    ] {
        fs::write(dir.join(name), bytes).unwrap();
        let (code, printed) = rerun(&dir, name);
        assert!(code == 2 && printed.contains("does not say where it comes from"), "{name}: {printed}");
    }
    assert_eq!(rerun(&dir, "none.csv").0, 2);
}

#[test]
fn nothing_is_the_same_where_nothing_was_compared() {
    let dir = scratch("rerun-nothing");
    fs::write(dir.join("empty.json"), "[]").unwrap();
    let (code_of, printed) = rerun(&dir, "empty.json");
    assert!(code_of == 2 && printed.contains("nothing can be compared"), "{printed}");
    // a dataset without a row
    let steady = SCENARIO.replace("title", "# ");
    fs::write(dir.join("a.toml"), steady).unwrap();
    assert_eq!(code(&stiction(&dir, &["sweep", "a.toml", "--over", "mu=0.1:0.3:128", "--out", "d"])), 0);
    fs::remove_file(dir.join("d/rows/part-000001.parquet")).unwrap();
    assert_eq!(rerun(&dir, "d/manifest.json").0, 1, "rows.csv has rows that are not there");
    fs::remove_file(dir.join("d/rows.csv")).unwrap();
    assert_eq!(rerun(&dir, "d"), (0, "d: the same, 64 of 128 rows are there\n".into()));
    fs::remove_file(dir.join("d/rows/part-000000.parquet")).unwrap();
    let (code, printed) = rerun(&dir, "d");
    assert!(code == 2 && printed.contains("nothing can be compared"), "{printed}");
}

#[test]
fn inputs_that_were_changed_are_found_by_their_hash() {
    let dir = scratch("rerun-hash");
    let text = SCENARIO.replace("initial.position = 1", "force.table = { file = \"load.csv\" }");
    fs::write(dir.join("a.toml"), text).unwrap();
    fs::write(dir.join("load.csv"), "t,f\n0,0\n1,2\n20,0\n").unwrap();
    let run = stiction(&dir, &["run", "a.toml"]);
    assert_eq!(code(&run), 0, "{}", text_of(&run));
    let sweep = ["sweep", "a.toml", "--over", "mu=0.1:0.3:3", "--out", "d"];
    assert_eq!(code(&stiction(&dir, &sweep)), 0);
    for file in ["out/a.csv", "out/a.svg", "out/a.png", "d"] {
        assert_eq!(rerun(&dir, file).0, 0, "{file}");
    }
    // a point that changes nothing: the numbers are the same, the inputs are not
    fs::write(dir.join("load.csv"), "t,f\n0,0\n1,2\n20,0\n21,0\n").unwrap();
    for file in ["out/a.csv", "out/a.svg", "out/a.png", "d"] {
        let (code, printed) = rerun(&dir, file);
        assert!(code == 1 && printed.contains("was changed since"), "{file}: {printed}");
    }
    let resumed = stiction(&dir, &[&sweep[..], &["--resume"]].concat());
    assert!(
        code(&resumed) == 2 && text_of(&resumed).contains("content of the files"),
        "{}",
        text_of(&resumed)
    );
    // a scenario that was edited beside its table
    let path = dir.join("out/a.scenario.toml");
    let printed = fs::read_to_string(&path).unwrap();
    fs::write(dir.join("load.csv"), "t,f\n0,0\n1,2\n20,0\n").unwrap();
    fs::write(&path, printed.replace("its belt", "the belt")).unwrap();
    let (code, printed) = rerun(&dir, "out/a.csv");
    assert!(code == 1 && printed.contains("was changed since"), "{printed}");
}

fn text_of(output: &std::process::Output) -> String {
    text(&output.stderr)
}

#[test]
fn a_table_of_a_dataset_that_was_edited_is_found() {
    let dir = scratch("rerun-table");
    fs::write(dir.join("a.toml"), SCENARIO).unwrap();
    assert_eq!(code(&stiction(&dir, &["sweep", "a.toml", "--over", "mu=0.1:0.3:3", "--out", "d"])), 0);
    assert_eq!(rerun(&dir, "d/rows.csv").0, 0);
    let csv = fs::read_to_string(dir.join("d/rows.csv")).unwrap();
    fs::write(dir.join("d/rows.csv"), csv.replacen("0,0.1,", "0,0.15,", 1)).unwrap();
    let (code, printed) = rerun(&dir, "d/rows.csv");
    assert!(code == 1 && printed.contains("rows.csv: line 2, mu: was 0.15, is 0.1"), "{printed}");
}

/// Characters that XML does not have, in a title: the picture is drawn without them, and says its scenario with them.
#[test]
fn a_title_of_any_characters_loses_nothing() {
    let dir = scratch("rerun-title");
    fs::write(dir.join("a.toml"), SCENARIO.replace("a <block>", "a\\ufffeb\\uffff\\u0001 <block>")).unwrap();
    let output = stiction(&dir, &["run", "a.toml"]);
    assert_eq!(code(&output), 0, "{}", text_of(&output));
    for file in ["out/a.csv", "out/a.svg", "out/a.png"] {
        assert_eq!(rerun(&dir, file), (0, format!("{file}: the same\n")));
    }
}

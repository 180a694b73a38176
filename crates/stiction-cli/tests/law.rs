//! `stiction law`: parameters, units and values.

use crate::support::{code, scratch, stiction, text};
use stiction::law::FrictionLaw;

#[test]
fn a_law_is_printed_with_its_parameters_their_units_and_values() {
    let dir = scratch("law-parameters");
    for law in FrictionLaw::NAMES {
        let output = stiction(&dir, &["law", law, "--at", "0.1"]);
        let printed = text(&output.stdout);
        assert_eq!(printed.lines().next(), Some(*law));
        let example = FrictionLaw::examples().into_iter().find(|one| one.name() == *law).unwrap();
        for (name, unit) in example.numbers() {
            let line = printed.lines().find(|line| line.trim_start().starts_with(&format!("{name} ")));
            let line = line.unwrap_or_else(|| panic!("{law} {name}:\n{printed}"));
            assert!(unit.is_empty() || line.contains(&format!(" {unit} ")), "{law}: {line}");
        }
    }
}

#[test]
fn stiffness_in_newtons_per_metre_is_printed_beside_the_one_per_newton_of_load() {
    let dir = scratch("law-newtons");
    let sets = ["--set", "contact_stiffness=8e4", "--set", "load=100"];
    let output = stiction(&dir, &[&["law", "jenkins", "--at", "1"], &sets[..]].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    for (name, value, unit) in
        [("stiffness", "800", "1/m"), ("contact_stiffness", "80000", "N/m"), ("load", "100", "N")]
    {
        let line = printed.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1..3], [value, unit], "{line}");
    }
    let output = stiction(&dir, &[&["law", "jenkins", "--at", "1", "--json"], &sets[..]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let parameter =
        |name: &str| json["parameters"].as_array().unwrap().iter().find(|p| p["name"] == name).unwrap();
    assert_eq!(
        (&parameter("stiffness")["value"], &parameter("stiffness")["unit"]),
        (&800.into(), &"1/m".into())
    );
    let output =
        stiction(&dir, &["law", "jenkins", "--set", "contact_stiffness=8e4", "--set", "stiffness=3"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("given beside stiffness"));
}

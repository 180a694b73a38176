//! Facts of one's own choice along a response.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

use crate::texts::{faults, run};

const TWO: &str = "[system.matrices]\nmass = [1.0, 0.5]\nstiffness = [[5.0, -2.0], [-2.0, 2.0]]\ndamping = [[0.3, -0.1], [-0.1, 0.1]]\n";
const FACTS: [&str; 10] = [
    "velocity_1_max",
    "acceleration_0_min",
    "friction_1_max",
    "stick_fraction_0",
    "work_1",
    "friction_work_0",
    "slip_distance_1",
    "viscous_loss",
    "stops",
    "cycle_friction_loss",
];

/// Periods after which the slowest disturbance of the systems below has died out.
const LONG: usize = 60;

/// Every fact along the response is that of a long transient at the same value of the parameter.
#[test]
fn any_fact_along_a_response_is_that_of_a_long_transient() {
    let coulomb =
        |dof: usize| format!("{{ coulomb = {{ mu = 0.3, mu_static = 0.35 }}, load = 1.5, dof = {dof} }}");
    let bristles =
        |dof: usize| format!("{{ dahl = {{ mu = 0.3, stiffness = 40.0 }}, load = 1.5, dof = {dof} }}");
    for (law, frictions, tolerance) in
        [("coulomb", [coulomb(0), coulomb(1)], 1e-10), ("dahl", [bristles(0), bristles(1)], 1e-8)]
    {
        let text = |omega: f64| {
            let force = format!("force = {{ amplitude = 1.5, omega = {omega}, dof = 0 }}\n");
            format!("{TWO}friction = [{}, {}]\n{force}", frictions[0], frictions[1])
        };
        let names = format!("{FACTS:?}");
        let analysis = format!(
            "[analysis.response]\nparameter = \"omega\"\nfrom = 0.9\nto = 2.1\npoints = 3\nfacts = {names}\n"
        );
        let response = run(&format!("{}{analysis}", text(1.0)));
        for (i, omega) in response.samples[0].values.iter().enumerate() {
            let window = format!("window = [{}, {LONG}]\nwear = true\n", LONG - 1);
            let adaptive =
                if law == "dahl" { "[integrator.adaptive]\nrtol = 1e-11\natol = 1e-13\n" } else { "" };
            let transient = format!("[analysis.transient]\nperiods = {LONG}\n{window}{adaptive}");
            let transient = run(&format!("{}{transient}", text(*omega)));
            for name in FACTS {
                let column = response.column(name).unwrap();
                let expected = match name {
                    "cycle_friction_loss" => transient.fact("friction_loss"),
                    "stops" => continue,
                    name => transient.fact(name),
                };
                let (found, expected) = (column.values[i], expected.unwrap_or(f64::NAN));
                let is_absent = found.is_nan() && expected.is_nan();
                let size = expected.abs().max(1.0);
                assert!(
                    is_absent || (found - expected).abs() < tolerance * size,
                    "{law} {omega} {name}: {found} {expected}"
                );
            }
        }
        let axis = response.column("velocity_1_max").unwrap();
        assert_eq!((&*axis.symbol, &*axis.unit), ("velocity 1 max", "m/s"));
        let names: Vec<&str> = response.samples.iter().map(|column| column.name.as_str()).collect();
        // the facts of every response appear once
        assert_eq!(names.iter().filter(|name| **name == "stops").count(), 1);
    }
}

#[test]
fn facts_that_are_none_are_refused_at_their_place() {
    let text = |more: &str| {
        format!(
            "{TWO}friction = {{ coulomb.mu = 0.3, load = 1.0, dof = 1 }}\nforce = {{ amplitude = 1.0, omega = 1.0, dof = 0 }}\n\
             [analysis.response]\nparameter = \"omega\"\nfrom = 0.9\nto = 2.1\npoints = 3\n{more}"
        )
    };
    for (more, key, words) in [
        ("facts = [\"stops\", \"velocity_2_max\"]\n", "facts.1", "no fact"),
        ("facts = [\"stops\", \"stops\"]\n", "facts.1", "twice"),
        ("facts = [\"stops\"]\nharmonic_balance = {}\n", "facts", "harmonic_balance"),
    ] {
        let found = faults(&text(more));
        let is_reported = |fault: &String| {
            fault.starts_with(&format!("analysis.response.{key}: ")) && fault.contains(words)
        };
        assert!(found.iter().any(is_reported), "{more}: {found:?}");
    }
}

//! The tables of a run.

use crate::support::{code, scratch, stiction, text};
use std::fs;

/// A controller with LuGre friction: the largest friction lies between two samples, 30.8 N where the samples have 16.5 N.
#[test]
fn the_extrema_of_the_summary_are_rows_of_the_table() {
    let dir = scratch("extrema");
    let scenario = "[system.oscillator]\nmass = 10\nfriction.lugre = { mu = 0.1, mu_static = 0.15, velocity = 0.01, stiffness = 1e5, damping = 300 }\nfriction.load = 98.1\ncontrol = { kp = 4000, ki = 20000, kd = 300, reference = { constant = 0.01 } }\n[analysis.transient]\nduration = 5\nsamples = 101\n";
    fs::write(dir.join("a.toml"), scenario).unwrap();
    let steady = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1, omega = 0.7 }\n[analysis.steady]\n";
    fs::write(dir.join("b.toml"), steady).unwrap();
    for name in ["a", "b"] {
        let file = format!("{name}.toml");
        let output = stiction(&dir, &["run", &file, "--json", "--out", "o"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let csv = fs::read_to_string(dir.join(format!("o/{name}.csv"))).unwrap();
        let mut lines = csv.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        let rows: Vec<Vec<f64>> =
            lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        let column = |name: &str| {
            let k = head.iter().position(|head| *head == name).unwrap();
            rows.iter().map(move |row| row[k]).collect::<Vec<f64>>()
        };
        assert!(column("t").windows(2).all(|pair| pair[0] <= pair[1]));
        let n_samples = json["samples"]["t"]
            .as_array()
            .map_or_else(|| json["samples"][0]["values"].as_array().unwrap().len(), Vec::len);
        assert_eq!(column("sample").iter().filter(|mark| **mark == 1.0).count(), n_samples);
        for quantity in ["position", "velocity", "acceleration", "friction"] {
            let fact = |end: &str| {
                let name = format!("{quantity}_{end}");
                let facts = json["facts"].as_array().unwrap();
                let found = facts.iter().find(|fact| fact["name"] == name.as_str());
                found.map(|fact| fact["value"].as_f64().unwrap())
            };
            let values = column(quantity);
            if let (Some(max), Some(min)) = (fact("max"), fact("min")) {
                assert_eq!(
                    values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                    max,
                    "{name}: {quantity}"
                );
                assert_eq!(values.iter().copied().fold(f64::INFINITY, f64::min), min, "{name}: {quantity}");
            }
        }
    }
}

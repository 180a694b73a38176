//! Chatter, creep and rest side by side: what friction models do with a body that should stand still (@paper-e).

use crate::drawn::Drawn;
use crate::in_pairs;
use figure::{Across, Axis, Figure, Legend, Panel, Rule, Series};
use stiction_study::Outcome;
use stiction_study::paper::Zoom;

/// Position over time at several zooms, friction over time and the trajectory (both in the interval `near_stick`), of the
/// runs named by their titles. `truth` is the position of rest under exact Coulomb friction (m).
pub fn behaviours(outcomes: &[Outcome], zooms: &[Zoom], near_stick: [f64; 2], truth: Option<f64>) -> Figure {
    let curves = |x: &str, y: &str, [from, to]: [f64; 2], sign: f64| -> Vec<Series> {
        let curve = |outcome: &Outcome| {
            let drawn = Drawn::new(outcome);
            let t = drawn.values(outcome.column("t")?);
            let rows: Vec<usize> = (0..t.len()).filter(|k| (from..=to).contains(&t[*k])).collect();
            let (over, column) = (outcome.quantity(x, 0)?, outcome.quantity(y, 0)?);
            let pick = |values: &[f64], sign: f64| rows.iter().map(|k| sign * values[*k]).collect();
            Some(Series::line(
                outcome.title.clone(),
                pick(&drawn.values(over), 1.0),
                pick(&drawn.values(column), sign),
            ))
        };
        outcomes.iter().filter_map(curve).collect()
    };
    let rules = || truth.iter().map(|x| Rule { label: "exact".into(), at: Across::Y(*x) }).collect();
    let mut panels: Vec<Panel> = Vec::new();
    for zoom in zooms {
        panels.push(Panel {
            x: Axis::new("*t*", "s").range(zoom.t[0], zoom.t[1]),
            y: Axis { range: zoom.position, ..Axis::new("*x*", "m") },
            series: curves("t", "position", zoom.t, 1.0),
            rules: rules(),
            legend: Legend::None,
            ..Panel::default()
        });
    }
    panels.push(Panel {
        x: Axis::new("*t*", "s").range(near_stick[0], near_stick[1]),
        y: Axis::new("*f* = −*H*", "N"),
        series: curves("t", "friction", near_stick, -1.0),
        legend: Legend::None,
        ..Panel::default()
    });
    panels.push(Panel {
        x: Axis::new("*x*", "m"),
        y: Axis::new("*v*", "m/s"),
        series: curves("position", "velocity", near_stick, 1.0),
        legend: Legend::None,
        ..Panel::default()
    });
    in_pairs(String::new(), panels)
}

//! A law and its slope, one above the other; of laws of the way alone the hysteresis loops and the energy lost per cycle.

use figure::{Across, Axis, Figure, Legend, ONE_COLUMN, Panel, Rule, Series};
use stiction_study::LawCurve;

/// The figure of a law.
pub fn law_curve(curve: &LawCurve) -> Figure {
    if let (Some(loops), Some([amplitude, loss])) = (curve.loops(), curve.losses()) {
        return hysteresis(curve.friction.law.name(), loops, amplitude, loss);
    }
    let [v, coefficient, slope] = curve.columns();
    let panel = |column: &stiction_study::Column, label: &str, rules: Vec<Rule>| Panel {
        x: Axis::new("*v*", "m/s"),
        y: Axis::new(label, if column.unit == "-" { "" } else { &column.unit }),
        series: vec![Series::line("", v.values.clone(), column.values.clone())],
        rules,
        legend: Legend::None,
        ..Panel::default()
    };
    let zero = || {
        vec![
            Rule { label: String::new(), at: Across::Y(0.0) },
            Rule { label: String::new(), at: Across::X(0.0) },
        ]
    };
    Figure {
        title: curve.friction.law.name().to_owned(),
        width: ONE_COLUMN,
        columns: 1,
        ratio: 0.55,
        panels: vec![panel(&coefficient, "*φ*", zero()), panel(&slope, "d*φ*/d*v*", zero())],
        share_x: true,
        ..Figure::default()
    }
}

/// φ over the displacement, and what a cycle loses over its amplitude.
fn hysteresis(name: &str, loops: Vec<[Vec<f64>; 2]>, amplitude: Vec<f64>, loss: Vec<f64>) -> Figure {
    let zero = |across: Across| Rule { label: String::new(), at: across };
    let forces = Panel {
        x: Axis::new("displacement", "m"),
        y: Axis::new("*φ*", ""),
        series: loops.into_iter().map(|[x, phi]| Series::line("", x, phi)).collect(),
        rules: vec![zero(Across::Y(0.0)), zero(Across::X(0.0))],
        legend: Legend::None,
        ..Panel::default()
    };
    let losses = Panel {
        x: Axis::new("amplitude", "m"),
        y: Axis::new("loss per cycle and load", "J/N"),
        series: vec![Series::line("", amplitude, loss)],
        legend: Legend::None,
        ..Panel::default()
    };
    Figure {
        title: name.to_owned(),
        width: ONE_COLUMN,
        columns: 1,
        ratio: 0.55,
        panels: vec![forces, losses],
        ..Figure::default()
    }
}

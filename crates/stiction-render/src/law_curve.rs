//! A law and its slope, one above the other.

use figure::{Across, Axis, Figure, Legend, ONE_COLUMN, Panel, Rule, Series};
use stiction_study::LawCurve;

/// The figure of a law.
pub fn law_curve(curve: &LawCurve) -> Figure {
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

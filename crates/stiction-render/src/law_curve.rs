//! A law and its slope, one above the other; of laws of the way alone the hysteresis loops and the energy lost per cycle.

use figure::{Across, Axis, Figure, Legend, ONE_COLUMN, Panel, Rule, Series};
use stiction_study::{LawCurve, LawParameter};

/// Characters of a value above which it is not shown in a figure: a list of many points says nothing there.
const LONGEST: usize = 40;

/// The figure of a law.
pub fn law_curve(curve: &LawCurve) -> Figure {
    if let (Some(loops), Some([amplitude, loss])) = (curve.loops(), curve.losses()) {
        return Figure {
            subtitle: values(curve),
            ..hysteresis(curve.friction.law.name(), loops, amplitude, loss)
        };
    }
    let [v, coefficient, slope] = curve.columns();
    let panel = |column: &stiction_study::Column, label: &str, rules: Vec<Rule>| Panel {
        x: Axis::new("sliding velocity *v*", "m/s"),
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
        subtitle: values(curve),
        width: ONE_COLUMN,
        columns: 1,
        ratio: 0.55,
        panels: vec![
            panel(&coefficient, "coefficient *φ*", zero()),
            panel(&slope, "slope d*φ*/d*v*", zero()),
        ],
        share_x: true,
        ..Figure::default()
    }
}

/// The parameters with their values and units.
fn values(curve: &LawCurve) -> String {
    let given = curve.parameters().into_iter().filter(|parameter| !parameter.value.is_empty());
    let one = |LawParameter { name, value, unit, .. }: LawParameter| {
        let unit = if unit == "-" { String::new() } else { format!(" {unit}") };
        let value = if value.chars().count() > LONGEST { "…".to_owned() } else { value };
        // lines break between parameters only
        format!("{name} = {value}{unit}").replace(' ', "\u{a0}")
    };
    given.map(one).collect::<Vec<_>>().join(", ")
}

/// φ over the displacement, and what a cycle loses over its amplitude.
fn hysteresis(name: &str, loops: Vec<[Vec<f64>; 2]>, amplitude: Vec<f64>, loss: Vec<f64>) -> Figure {
    let zero = |across: Across| Rule { label: String::new(), at: across };
    let forces = Panel {
        x: Axis::new("displacement", "m"),
        y: Axis::new("coefficient *φ*", ""),
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

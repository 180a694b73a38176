//! The friction of the contacts over their sliding velocity.

use figure::{Axis, Figure, Panel, Series};
use stiction_study::Outcome;

/// The figure of friction curves.
pub fn curves(outcome: &Outcome) -> Figure {
    let Some((v, curves)) = outcome.samples.split_first() else { return Figure::default() };
    let series = curves.iter().map(|curve| Series::line("", v.values.clone(), curve.values.clone()));
    let panel = Panel {
        x: Axis::new(&v.symbol, v.unit.clone()),
        y: Axis::new("φ", "-"),
        series: series.collect(),
        ..Panel::default()
    };
    Figure { title: outcome.title.clone(), panels: vec![panel], ..Figure::default() }
}

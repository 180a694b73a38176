//! How regularised laws approach exact Coulomb friction: error and creep against width, error against cost.

use figure::{Axis, Figure, Legend, MarkerShape, Panel, Series, SharedLegend, TWO_COLUMNS};
use stiction_study::compare::ErrorRow;

/// The figure of a comparison.
pub fn convergence(title: &str, rows: &[ErrorRow]) -> Figure {
    let mut laws: Vec<&str> = rows.iter().map(|row| row.law).collect();
    laws.dedup();
    let curves = |x: fn(&ErrorRow) -> f64, y: fn(&ErrorRow) -> f64| -> Vec<Series> {
        let curve = |law: &&str| {
            let of: Vec<&ErrorRow> = rows.iter().filter(|row| row.law == *law).collect();
            let series =
                Series::line(*law, of.iter().map(|r| x(r)).collect(), of.iter().map(|r| y(r)).collect());
            series.with_marker(MarkerShape::Auto)
        };
        laws.iter().map(curve).collect()
    };
    let panel = |x: Axis, y: Axis, series: Vec<Series>| Panel {
        x: x.log(),
        y: y.log(),
        series,
        legend: Legend::None,
        ..Panel::default()
    };
    let width = || Axis::new("width", "m/s");
    Figure {
        title: title.into(),
        width: TWO_COLUMNS,
        columns: 3,
        ratio: 0.85,
        panels: vec![
            panel(
                width(),
                Axis::new("largest error of *u*", "m"),
                curves(|r| r.width, |r| r.errors.trajectory),
            ),
            panel(width(), Axis::new("creep while at rest", "m/s"), curves(|r| r.width, |r| r.errors.creep)),
            panel(
                Axis::new("evaluations", ""),
                Axis::new("largest error of *u*", "m"),
                curves(|r| r.work.evaluations as f64, |r| r.errors.trajectory),
            ),
        ],
        legend: SharedLegend::Below,
        ..Figure::default()
    }
}

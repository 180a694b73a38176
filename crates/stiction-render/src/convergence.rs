//! How regularised laws approach exact Coulomb friction: error and creep against width, error against cost.

use crate::figure::{Axis, Figure, Legend, Panel, Series, Shape, SharedLegend, TWO_COLUMNS};

/// One law of one width, against the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareRow {
    /// Name of the law.
    pub law: String,
    /// Its width (m/s).
    pub width: f64,
    /// Largest distance of a position (m).
    pub trajectory: f64,
    /// Largest speed of a contact that rests in truth (m/s).
    pub creep: f64,
    /// Evaluations of the accelerations (-).
    pub evaluations: f64,
}

/// The figure of a comparison.
pub fn convergence(title: &str, rows: &[CompareRow]) -> Figure {
    let mut laws: Vec<&str> = rows.iter().map(|row| row.law.as_str()).collect();
    laws.dedup();
    let curves = |x: fn(&CompareRow) -> f64, y: fn(&CompareRow) -> f64| -> Vec<Series> {
        let curve = |law: &&str| {
            let of: Vec<&CompareRow> = rows.iter().filter(|row| row.law == **law).collect();
            let series =
                Series::line(*law, of.iter().map(|r| x(r)).collect(), of.iter().map(|r| y(r)).collect());
            series.with_marker(Shape::Auto)
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
            panel(width(), Axis::new("largest error of *u*", "m"), curves(|r| r.width, |r| r.trajectory)),
            panel(width(), Axis::new("creep while at rest", "m/s"), curves(|r| r.width, |r| r.creep)),
            panel(
                Axis::new("evaluations", ""),
                Axis::new("largest error of *u*", "m"),
                curves(|r| r.evaluations, |r| r.trajectory),
            ),
        ],
        legend: SharedLegend::Below,
        ..Figure::default()
    }
}

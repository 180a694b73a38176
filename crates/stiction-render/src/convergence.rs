//! How regularised laws approach set-valued friction: error and creep against their size, error against cost.

use figure::{Axis, Figure, Legend, MarkerShape, Panel, Series, SharedLegend, TWO_COLUMNS};
use stiction_study::compare::ErrorRow;

/// What is drawn of a row.
type RowNumber = fn(&ErrorRow) -> f64;

/// The figure of a comparison: laws with the same kind of size share their axes.
pub fn convergence(title: &str, rows: &[ErrorRow]) -> Figure {
    let mut sizes: Vec<(&str, &str)> = rows.iter().map(|row| (row.parameter, row.unit)).collect();
    sizes.sort_by_key(|(name, _)| rows.iter().position(|row| row.parameter == *name));
    sizes.dedup();
    let mut laws: Vec<&str> = rows.iter().map(|row| row.law).collect();
    laws.dedup();
    let curves = |parameter: Option<&str>, x: RowNumber, y: RowNumber| -> Vec<Series> {
        let curve = |law: &&str| {
            let is_drawn =
                |row: &&ErrorRow| row.law == *law && parameter.is_none_or(|own| own == row.parameter);
            let of: Vec<&ErrorRow> = rows.iter().filter(is_drawn).collect();
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
    let distance = || Axis::new("largest error of *u*", "m");
    let mut panels = Vec::new();
    for (name, unit) in &sizes {
        let size = || Axis::new(*name, *unit);
        let errors = curves(Some(name), |r| r.size, |r| r.errors.trajectory);
        panels.push(panel(size(), distance(), errors));
        let creep = curves(Some(name), |r| r.size, |r| r.errors.creep);
        panels.push(panel(size(), Axis::new("creep while at rest", "m/s"), creep));
        // exact runs have no evaluations
        let cost =
            curves(Some(name), |r| r.work.evaluations.max(r.work.steps) as f64, |r| r.errors.trajectory);
        panels.push(panel(Axis::new("evaluations, or steps of exact runs", ""), distance(), cost));
    }
    Figure {
        title: title.into(),
        width: TWO_COLUMNS,
        columns: 3,
        ratio: 0.85,
        panels,
        legend: SharedLegend::Below,
        ..Figure::default()
    }
}

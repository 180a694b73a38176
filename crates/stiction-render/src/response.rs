//! Periodic motions along a parameter: stable branches drawn through, unstable ones dashed. Bifurcation diagrams.

use crate::in_pairs;
use figure::{Axis, Color, Dash, Figure, Legend, Marker, MarkerShape, Panel, Series, TWO_COLUMNS};
use stiction_study::{Column, Outcome};

/// The figure of a response.
pub fn response(outcome: &Outcome) -> Figure {
    let panels =
        ["amplitude", "phase", "friction_loss", "stick_fraction", "truncation"].iter().filter_map(|name| {
            let (parameter, column) = (outcome.samples.first()?, outcome.column(name)?);
            let stability = outcome.column("stability")?;
            if column.values.iter().all(|v| v.is_nan()) {
                return None;
            }
            let part = |is_unstable: bool| -> Vec<f64> {
                // a point on the border belongs to both parts, so that the curve is not torn
                let belongs = |i: usize| (stability.values[i] < 0.0) == is_unstable;
                let n = column.values.len();
                let near = |i: usize| {
                    belongs(i)
                        || (is_unstable && ((i > 0 && belongs(i - 1)) || (i + 1 < n && belongs(i + 1))))
                };
                (0..n).map(|i| if near(i) { column.values[i] } else { f64::NAN }).collect()
            };
            let curve = |label: &str, is_unstable: bool, dash: Dash| {
                Series::line(label, parameter.values.clone(), part(is_unstable))
                    .color(Color::Blue)
                    .with_line(1.0, dash)
            };
            let mut series = vec![curve("stable", false, Dash::Solid)];
            if stability.values.iter().any(|s| *s < 0.0) {
                series.push(curve("unstable", true, Dash::Dashed).color(Color::Vermillion));
            }
            Some(Panel {
                x: axis(parameter),
                y: axis(column),
                series,
                legend: Legend::None,
                ..Panel::default()
            })
        });
    in_pairs(outcome.title.clone(), panels.collect())
}

/// The figure of a bifurcation diagram.
pub fn bifurcation(outcome: &Outcome) -> Figure {
    let panels = ["position", "velocity"].iter().filter_map(|name| {
        let (parameter, column) = (outcome.samples.first()?, outcome.column(name)?);
        let mut points = Series::points("", parameter.values.clone(), column.values.clone());
        points.marker = Some(Marker { shape: MarkerShape::Circle, size: 0.8, ..Marker::default() });
        Some(Panel {
            x: axis(parameter),
            y: axis(column),
            series: vec![points],
            legend: Legend::None,
            ..Panel::default()
        })
    });
    let panels = panels.collect();
    Figure {
        title: outcome.title.clone(),
        width: TWO_COLUMNS,
        columns: 2,
        ratio: 0.7,
        panels,
        ..Figure::default()
    }
}

/// Symbols of one letter are italic, names are not.
pub(crate) fn axis(column: &Column) -> Axis {
    let symbol = &column.symbol;
    let is_letter = symbol.chars().filter(|c| c.is_alphabetic()).count() == 1;
    let unit = if column.unit == "-" { "" } else { &column.unit };
    Axis::new(if is_letter { format!("*{symbol}*") } else { symbol.clone() }, unit)
}

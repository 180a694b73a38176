//! Several runs in the same axes.

use crate::figure::{Figure, Legend, Panel, Series, SharedLegend, TWO_COLUMNS};
use crate::oscillation::{MAX_CURVES, axis};
use stiction_study::Outcome;

/// The figure that compares runs, named by their titles: position, velocity and friction over time, and friction over the
/// sliding velocity, of the first degree of freedom and the first contact.
pub fn comparison(outcomes: &[Outcome]) -> Figure {
    let pairs = [("t", "position"), ("t", "velocity"), ("t", "friction"), ("sliding", "friction")];
    let panels = pairs.iter().filter_map(|(x, y)| {
        let mut panel = Panel { legend: Legend::None, ..Panel::default() };
        for outcome in outcomes.iter().take(MAX_CURVES) {
            let (Some(over), Some(column)) = (outcome.quantity(x, 0), outcome.quantity(y, 0)) else {
                continue;
            };
            panel.x = axis(over, false);
            panel.y = axis(column, false);
            let series = Series::line(outcome.title.clone(), over.values.clone(), column.values.clone());
            panel.series.push(series);
        }
        (!panel.series.is_empty()).then_some(panel)
    });
    Figure {
        width: TWO_COLUMNS,
        columns: 2,
        ratio: 0.6,
        panels: panels.collect(),
        legend: SharedLegend::Below,
        ..Figure::default()
    }
}

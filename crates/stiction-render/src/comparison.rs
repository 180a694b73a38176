//! Several runs in the same axes.

use crate::drawn::Drawn;
use crate::in_pairs;
use crate::oscillation::MAX_CURVES;
use crate::words::axis;
use figure::{Figure, Legend, Panel, Series};
use stiction_study::Outcome;

/// The figure that compares runs, named by their titles: position, velocity and friction over time, and friction over the
/// sliding velocity, of the first degree of freedom and the first contact.
pub fn comparison(outcomes: &[Outcome]) -> Figure {
    let pairs = [("t", "position"), ("t", "velocity"), ("t", "friction"), ("sliding", "friction")];
    let drawn: Vec<Drawn> = outcomes.iter().take(MAX_CURVES).map(Drawn::new).collect();
    let panels = pairs.iter().filter_map(|(x, y)| {
        let mut panel = Panel { legend: Legend::None, ..Panel::default() };
        for (outcome, drawn) in outcomes.iter().zip(&drawn) {
            let (Some(over), Some(column)) = (outcome.quantity(x, 0), outcome.quantity(y, 0)) else {
                continue;
            };
            panel.x = axis(over, false);
            panel.y = axis(column, false);
            let series = Series::line(outcome.title.clone(), drawn.values(over), drawn.values(column));
            panel.series.push(series);
        }
        (!panel.series.is_empty()).then_some(panel)
    });
    let left_out = match outcomes.len() {
        n if n > MAX_CURVES => format!("the first {MAX_CURVES} of {n} runs"),
        _ => String::new(),
    };
    in_pairs(left_out, panels.collect())
}

//! Frequency and damping of a nonlinear mode over its amplitude.

use crate::response::axis;
use crate::side_by_side;
use figure::{Color, Dash, Figure, Legend, Panel, Series};
use stiction_study::Outcome;

/// Ratio of the largest and the smallest number from which on an axis is logarithmic.
const DECADES: f64 = 30.0;

/// The figure of a nonlinear mode.
pub fn nonlinear_mode(outcome: &Outcome) -> Figure {
    let panels = ["mode_frequency", "damping_ratio"].iter().filter_map(|name| {
        let (amplitude, column) = (outcome.samples.first()?, outcome.column(name)?);
        let curve = Series::line("", amplitude.values.clone(), column.values.clone());
        let values = || column.values.iter().copied().filter(|value| !value.is_nan());
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        let y = if low > 0.0 && high > DECADES * low { axis(column).log() } else { axis(column) };
        Some(Panel {
            x: axis(amplitude).log(),
            y,
            series: vec![curve.color(Color::Blue).with_line(1.0, Dash::Solid)],
            legend: Legend::None,
            ..Panel::default()
        })
    });
    side_by_side(outcome.title.clone(), panels.collect())
}

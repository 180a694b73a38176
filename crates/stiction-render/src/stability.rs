//! Growth rates and frequencies of small motions about steady sliding, along a parameter.

use crate::response::axis;
use crate::side_by_side;
use figure::{Axis, Color, Dash, Figure, Legend, Panel, Series, SharedLegend};
use stiction_study::{Column, Outcome};

/// Motions that are drawn, the slowest first.
const MAX_CURVES: usize = 12;

/// The figure of a stability analysis: growing motions stand out from those that decay.
pub fn stability(outcome: &Outcome) -> Figure {
    let growth: Vec<&Column> = (0..MAX_CURVES).map_while(|i| outcome.quantity("growth", i)).collect();
    let panels = [("growth", "growth rate Re λ", "1/s"), ("frequency", "frequency Im λ", "rad/s")];
    let panels = panels.iter().filter_map(|(name, label, unit)| {
        let parameter = outcome.samples.first()?;
        let mut series = Vec::new();
        for is_growing in [false, true] {
            let mut named = false;
            for (i, growth) in growth.iter().enumerate() {
                let column = outcome.quantity(name, i)?;
                let belongs = |k: usize| (growth.values[k] > 0.0) == is_growing;
                // a curve that begins to grow is joined to where it came from
                let joins = |k: usize| is_growing && k + 1 < growth.values.len() && belongs(k + 1);
                let value = |k: usize| if belongs(k) || joins(k) { column.values[k] } else { f64::NAN };
                let values: Vec<f64> = (0..column.values.len()).map(value).collect();
                if values.iter().all(|x| x.is_nan()) {
                    continue;
                }
                let word = if is_growing { "grows" } else { "decays" };
                let label = if named { "" } else { word };
                named = true;
                let color = if is_growing { Color::Vermillion } else { Color::Blue };
                let dash = if is_growing { Dash::Solid } else { Dash::Dashed };
                series.push(
                    Series::line(label, parameter.values.clone(), values).color(color).with_line(1.0, dash),
                );
            }
        }
        let y = Axis::new(*label, *unit);
        Some(Panel { x: axis(parameter), y, series, legend: Legend::None, ..Panel::default() })
    });
    let pair = side_by_side(outcome.title.clone(), panels.collect());
    Figure { legend: SharedLegend::Below, ..pair }
}

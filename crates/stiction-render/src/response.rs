//! Periodic motions along a parameter: stable branches drawn through, unstable ones dashed, neutral ones dotted. Bifurcation diagrams.

use crate::summary::short;
use crate::words;
use crate::{in_pairs, side_by_side};
use figure::{Axis, Color, Dash, Figure, Legend, Marker, MarkerShape, Panel, Scale, Series};
use std::ops::Range;
use stiction::steady::Stability;
use stiction_study::{Column, ColumnKind, LogAxes, Outcome};

/// Linear references of the amplitude: their columns, names and dashes.
const REFERENCES: [(&str, &str, Dash); 2] =
    [("stuck_amplitude", "contacts hold", Dash::Dotted), ("free_amplitude", "no contacts", Dash::DashDot)];

/// What is drawn of a response of which no facts are chosen.
const STANDARD: [&str; 5] = ["amplitude", "phase", "friction_loss", "stick_fraction", "truncation"];

/// The figure of a response: of the facts that were chosen, if any were; laws that are compared by their names.
pub fn response(outcome: &Outcome, log: Option<LogAxes>, facts: &[String], laws: &[String]) -> Figure {
    let chosen: Vec<&str> = facts.iter().map(String::as_str).collect();
    let drawn = if chosen.is_empty() { &STANDARD[..] } else { &chosen };
    let panels = drawn.iter().enumerate().filter_map(|(i, name)| {
        let (parameter, column) = (outcome.samples.first()?, outcome.column(name)?);
        let stability = outcome.column("stability")?;
        // what is zero all along says nothing, unless it was asked for
        if column.values.iter().all(|v| v.is_nan() || *v == 0.0 && chosen.is_empty()) {
            return None;
        }
        let (mut series, mut references) = (Vec::new(), Vec::new());
        let is_amplitude = *name == "amplitude";
        for (rows, label, color) in curves(outcome, laws) {
            let x = parameter.values[rows.clone()].to_vec();
            let (values, signs) = (&column.values[rows.clone()], &stability.values[rows.clone()]);
            let mut is_named = false;
            for (stability, name, dash, own_color) in STABILITIES {
                if !signs.iter().any(|s| stability_of(*s) == stability) {
                    continue;
                }
                // an overlaid curve is named once
                let (name, color) = match (label.as_str(), is_named) {
                    ("", _) => (name, own_color),
                    (label, false) => (label, color),
                    _ => ("", color),
                };
                is_named = true;
                let curve = Series::line(name, x.clone(), part(values, signs, stability));
                series.push(curve.with_line(1.0, dash).color(color));
            }
            for (name, label, dash) in REFERENCES.iter().filter(|_| is_amplitude && rows.start == 0) {
                let Some(reference) = outcome.column(name) else { continue };
                let y = reference.values[rows.clone()].to_vec();
                let drawn = Series::line(*label, x.clone(), y).with_line(0.7, *dash);
                references.push(drawn.color(Color::Gray));
            }
        }
        series.extend(references);
        let (mut x, mut y) = (axis(parameter), axis(column));
        if log.is_some_and(|log| log != LogAxes::Amplitude) {
            x = x.log();
        }
        let is_log = log.is_some_and(|log| log != LogAxes::Parameter);
        let is_positive = || column.values.iter().all(|v| v.is_nan() || *v > 0.0);
        if is_log && (is_amplitude || (!chosen.is_empty() && is_positive())) {
            y = y.log();
        }
        if is_amplitude && outcome.column("free_amplitude").is_some() {
            y.range = amplitudes(&column.values, y.scale);
        }
        let has_names = i == 0
            && (outcome.samples.iter().any(distinguishes)
                || stability.values.contains(&0.0)
                || (is_amplitude && outcome.column("free_amplitude").is_some()));
        let legend = if has_names { Legend::Auto } else { Legend::None };
        Some(Panel { x, y, series, legend, ..Panel::default() })
    });
    in_pairs(outcome.title.clone(), panels.collect())
}

/// The rows of each of the overlaid responses with its name and colour; all rows without a name if there is one.
fn curves(outcome: &Outcome, laws: &[String]) -> Vec<(Range<usize>, String, Color)> {
    let n = outcome.samples.first().map_or(0, |column| column.values.len());
    let Some(overlay) = outcome.samples.iter().find(|column| distinguishes(column)) else {
        return vec![(0..n, String::new(), Color::Blue)];
    };
    let mut list: Vec<(Range<usize>, String, Color)> = Vec::new();
    let mut start = 0;
    while start < n {
        let value = overlay.values[start];
        let end = (start..n).find(|i| overlay.values[*i] != value).unwrap_or(n);
        let unit = if overlay.unit == "-" { String::new() } else { format!(" {}", overlay.unit) };
        let name = match laws.get(list.len()) {
            Some(law) => law.clone(),
            None => format!("{} = {}{unit}", axis(overlay).label, short(value)),
        };
        list.push((start..end, name, Color::cycle(list.len())));
        start = end;
    }
    list
}

/// Whether a column distinguishes responses in one figure.
fn distinguishes(column: &Column) -> bool {
    matches!(column.kind, ColumnKind::Overlay | ColumnKind::ComparedLaw)
}

/// The stability by the column of a response: 1, 0 or −1. A point without a motion has no sign and belongs to the gaps of a
/// stable curve.
fn stability_of(sign: f64) -> Stability {
    match sign {
        s if s < 0.0 => Stability::Unstable,
        0.0 => Stability::Neutral,
        _ => Stability::Stable,
    }
}

/// The parts of a curve: name, dash, colour where there is one curve.
const STABILITIES: [(Stability, &str, Dash, Color); 3] = [
    (Stability::Stable, "stable", Dash::Solid, Color::Blue),
    (Stability::Neutral, "neutral", Dash::Dotted, Color::Green),
    (Stability::Unstable, "unstable", Dash::Dashed, Color::Vermillion),
];

/// The values of the part of a curve with this stability, NaN elsewhere.
fn part(values: &[f64], signs: &[f64], stability: Stability) -> Vec<f64> {
    // a point on the border belongs to both parts, so that the curve is not torn
    let belongs = |i: usize| stability_of(signs[i]) == stability;
    let n = values.len();
    let near = |i: usize| {
        let is_beside = || (i > 0 && belongs(i - 1)) || (i + 1 < n && belongs(i + 1));
        belongs(i) || (stability != Stability::Stable && is_beside())
    };
    (0..n).map(|i| if near(i) { values[i] } else { f64::NAN }).collect()
}

/// How far above the motions the linear references are shown, whose resonances may be without limit (-).
const HEADROOM: f64 = 1.5;
/// How far below the smallest motion a logarithmic axis goes (-).
const FOOTROOM: f64 = 0.3;

/// The range of an axis that shows these amplitudes.
fn amplitudes(values: &[f64], scale: Scale) -> Option<[f64; 2]> {
    let positive = || values.iter().copied().filter(|v| v.is_finite() && *v > 0.0);
    let (low, high) = (positive().reduce(f64::min)?, positive().reduce(f64::max)?);
    Some([if scale == Scale::Log { FOOTROOM * low } else { 0.0 }, HEADROOM * high])
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
    side_by_side(outcome.title.clone(), panels.collect())
}

/// The axis of a quantity.
pub(crate) fn axis(column: &Column) -> Axis {
    words::axis(column, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_study::Shown;

    /// Series of the only panel: name, dash, and the points that are drawn.
    fn drawn(signs: &[f64]) -> Vec<(String, Dash, Vec<f64>)> {
        let n = signs.len();
        let column = |kind: ColumnKind, values: Vec<f64>| Column::new(kind, values);
        let samples = vec![
            column(ColumnKind::Parameter, (0..n).map(|i| i as f64).collect()),
            column(ColumnKind::Amplitude, (0..n).map(|i| 1.0 + i as f64).collect()),
            column(ColumnKind::Stability, signs.to_vec()),
        ];
        let outcome = Outcome::new("", Vec::new(), samples, Shown::Motion { n: 1, m: 0, run: None });
        let figure = response(&outcome, None, &[], &[]);
        let points = |series: &Series| series.y.iter().copied().filter(|y| y.is_finite()).collect();
        let series = figure.panels.iter().flat_map(|panel| &panel.series);
        series.map(|s| (s.label.clone(), s.line.map_or(Dash::Auto, |line| line.dash), points(s))).collect()
    }

    #[test]
    fn neutral_motions_are_drawn_as_such() {
        let parts = drawn(&[1.0, 1.0, 0.0, 0.0, -1.0]);
        let names: Vec<(&str, Dash)> = parts.iter().map(|part| (part.0.as_str(), part.1)).collect();
        let all = [("stable", Dash::Solid), ("neutral", Dash::Dotted), ("unstable", Dash::Dashed)];
        assert_eq!(names, all);
        assert_eq!(parts[0].2, [1.0, 2.0]);
        assert_eq!(parts[1].2, [2.0, 3.0, 4.0, 5.0]);
        assert_eq!(drawn(&[0.0, 0.0]).len(), 1);
    }
}

//! Several runs in the same axes.

use crate::drawn::Drawn;
use crate::in_pairs;
use crate::oscillation::MAX_CURVES;
use crate::words::axis;
use figure::{Axis, Figure, Legend, Panel, Series};
use stiction_study::{Column, Outcome, Shown};

/// Columns of a response that are compared.
const RESPONSE: [&str; 4] = ["amplitude", "phase", "friction_loss", "stick_fraction"];

/// The figure that compares runs, named by their titles. Motions: position, velocity and friction over time, and friction over the sliding
/// velocity, of the first degree of freedom and the first contact. Responses along one parameter: amplitude, phase, loss and share of
/// stick. Bodies: path, speed, spin and friction. Runs of another kind than the first are left out.
pub fn comparison(outcomes: &[Outcome]) -> Figure {
    let Some(first) = outcomes.first() else { return in_pairs(String::new(), Vec::new()) };
    let alike: Vec<&Outcome> = outcomes.iter().filter(|other| is_alike(first, other)).collect();
    let shown = &alike[..alike.len().min(MAX_CURVES)];
    let panels = match &first.shown {
        _ if shown.len() < 2 => Vec::new(),
        Shown::Motion { .. } => motions(shown),
        Shown::Response { .. } => responses(shown),
        Shown::Slide { .. } => slides(shown),
        _ => Vec::new(),
    };
    let left_out = match (outcomes.len(), shown.len()) {
        (all, few) if few < alike.len() => format!("the first {few} of {all} runs"),
        (all, few) if few < all => format!("{few} of {all} runs: those of one kind"),
        _ => String::new(),
    };
    in_pairs(left_out, panels)
}

/// Whether two runs can share their axes.
fn is_alike(a: &Outcome, b: &Outcome) -> bool {
    let along =
        |outcome: &Outcome| outcome.samples.first().map(|column| (column.name.clone(), column.unit.clone()));
    std::mem::discriminant(&a.shown) == std::mem::discriminant(&b.shown) && along(a) == along(b)
}

/// One panel with a curve of each run, which `curve` gives.
fn panel<'a>(
    outcomes: &[&'a Outcome],
    curve: impl Fn(&'a Outcome) -> Option<([Axis; 2], Vec<f64>, Vec<f64>)>,
) -> Option<Panel> {
    let mut panel = Panel { legend: Legend::None, ..Panel::default() };
    for outcome in outcomes {
        let Some(([x_axis, y_axis], x, y)) = curve(outcome) else { continue };
        (panel.x, panel.y) = (x_axis, y_axis);
        panel.series.push(Series::line(outcome.title.clone(), x, y));
    }
    let has_values = |series: &Series| series.y.iter().any(|y| y.is_finite());
    panel.series.iter().any(has_values).then_some(panel)
}

fn motions(outcomes: &[&Outcome]) -> Vec<Panel> {
    let pairs = [("t", "position"), ("t", "velocity"), ("t", "friction"), ("sliding", "friction")];
    let one = |(x, y): &(&str, &str)| {
        panel(outcomes, |outcome| {
            let (over, column) = (outcome.quantity(x, 0)?, outcome.quantity(y, 0)?);
            let drawn = Drawn::new(outcome);
            Some(([axis(over, false), axis(column, false)], drawn.values(over), drawn.values(column)))
        })
    };
    pairs.iter().filter_map(one).collect()
}

fn responses(outcomes: &[&Outcome]) -> Vec<Panel> {
    let one = |name: &&str| {
        panel(outcomes, |outcome| {
            let (over, column) = (outcome.samples.first()?, outcome.column(name)?);
            Some(([axis(over, false), axis(column, false)], over.values.clone(), column.values.clone()))
        })
    };
    RESPONSE.iter().filter_map(one).collect()
}

fn slides(outcomes: &[&Outcome]) -> Vec<Panel> {
    let path = panel(outcomes, |outcome| {
        let (x, y) = (outcome.column("x")?, outcome.column("y")?);
        Some(([axis(x, false), axis(y, false)], x.values.clone(), y.values.clone()))
    });
    let path = path.map(|panel| Panel { equal_aspect: true, ..panel });
    let size =
        |a: &Column, b: &Column| a.values.iter().zip(&b.values).map(|(a, b)| libm::hypot(*a, *b)).collect();
    let over_time = |label: &str, unit: &str, names: &[&str]| {
        panel(outcomes, |outcome| {
            let t = outcome.column("t")?;
            let values = match names {
                [one] => outcome.column(one)?.values.clone(),
                [one, two] => size(outcome.column(one)?, outcome.column(two)?),
                _ => return None,
            };
            Some(([axis(t, false), Axis::new(label, unit)], t.values.clone(), values))
        })
    };
    let others = [
        over_time("speed *v*", "m/s", &["vx", "vy"]),
        over_time("spin *ω*", "rad/s", &["omega"]),
        over_time("friction |*F*|", "N", &["fx", "fy"]),
    ];
    path.into_iter().chain(others.into_iter().flatten()).collect()
}

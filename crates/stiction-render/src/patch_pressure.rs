//! The pressure of a patch at rest and in sliding, and its distance from tipping.

use figure::{
    Arrow, Axis, Color, Dash, Figure, Legend, MarkerShape, ONE_COLUMN, Panel, Series, SharedLegend,
};
use std::f64::consts::TAU;
use stiction_study::patch::{PressureSection, TopView};

/// The pressure is shown up to this multiple of its median: Galin's is infinite at the edge (-).
const MOST: f64 = 4.0;
/// Points of a circle.
const POINTS: usize = 181;

/// The figure of the pressure: its section along the line of sliding, if there is one, and the patch from above with the
/// centre of pressure at rest, in sliding (in every direction a point of the inner circle), and at tipping (outer circle).
pub fn patch_pressure(title: &str, section: Option<&PressureSection>, plan: &TopView) -> Figure {
    let mut panels: Vec<Panel> =
        section.map(|section| profile(section, plan.shift > 0.0)).into_iter().collect();
    panels.push(from_above(plan));
    Figure {
        title: title.to_owned(),
        width: ONE_COLUMN,
        columns: 2,
        ratio: 1.0,
        panels,
        legend: SharedLegend::Below,
        share_x: false,
        ..Figure::default()
    }
}

fn profile(section: &PressureSection, is_skewed: bool) -> Panel {
    let mut sorted: Vec<f64> = section.at_rest.iter().copied().filter(|p| *p > 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(1.0);
    let highest = section.sliding.iter().chain(&section.at_rest).copied().fold(0.0, f64::max);
    let top = (1.08 * highest).min(MOST * median);
    let line = |label: &str, p: &[f64], color: Color, dash: Dash| {
        Series::line(label, section.x.clone(), p.to_vec()).color(color).with_line(0.9, dash)
    };
    let mut series = vec![line("at rest", &section.at_rest, Color::Black, Dash::Dashed)];
    if is_skewed {
        series.push(line("sliding along *x*", &section.sliding, Color::Blue, Dash::Solid));
    }
    Panel {
        x: Axis::new("*x*", "m"),
        y: Axis::new("*p*", "Pa").range(0.0, top),
        series,
        legend: Legend::None,
        ..Panel::default()
    }
}

fn from_above(plan: &TopView) -> Panel {
    let [cx, cy] = plan.centre_of_pressure;
    let outlines = separated(&plan.outlines);
    let mut series = vec![
        Series::polygon("patch", outlines.0, outlines.1).color(Color::Gray),
        Series::points("centre of pressure at rest", vec![cx], vec![cy])
            .color(Color::Black)
            .with_marker(MarkerShape::Plus),
    ];
    if plan.shift > 0.0 {
        series.push(circle("… in sliding", plan, plan.shift, Color::Blue, Dash::Solid));
    }
    if plan.tipping.is_finite() {
        series.push(circle("… at tipping", plan, plan.tipping, Color::Vermillion, Dash::Dashed));
    }
    let arrow = Arrow { from: [cx, cy], to: [cx + plan.shift, cy], color: Color::Blue };
    Panel {
        x: Axis::new("*x*", "m"),
        y: Axis::new("*y*", "m"),
        series,
        arrows: if plan.shift > 0.0 { vec![arrow] } else { Vec::new() },
        legend: Legend::None,
        equal_aspect: true,
        ratio: Some(1.0),
        ..Panel::default()
    }
}

/// Closed curves as one series, with NaN between them.
fn separated(curves: &[Vec<[f64; 2]>]) -> (Vec<f64>, Vec<f64>) {
    let mut points: Vec<[f64; 2]> = Vec::new();
    for curve in curves {
        points.extend(curve);
        points.push([f64::NAN; 2]);
    }
    points.into_iter().map(|[x, y]| (x, y)).unzip()
}

fn circle(label: &str, plan: &TopView, r: f64, color: Color, dash: Dash) -> Series {
    let [x, y] = plan.centre_of_pressure;
    let angle = |i: usize| TAU * i as f64 / (POINTS - 1) as f64;
    let xs = (0..POINTS).map(|i| x + r * libm::cos(angle(i))).collect();
    let ys = (0..POINTS).map(|i| y + r * libm::sin(angle(i))).collect();
    Series::line(label, xs, ys).color(color).with_line(0.8, dash)
}

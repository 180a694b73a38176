//! A body on the plane: its path with the body drawn at intervals, its speed and spin, the friction on it.

use figure::{Axis, Color, Dash, Figure, Legend, Panel, Series, TWO_COLUMNS};
use stiction_study::Outcome;

/// Bodies drawn along the path.
const DRAWN: usize = 7;

/// The figure of a body's run.
pub fn slide(outcome: &Outcome, outlines: &[Vec<[f64; 2]>]) -> Figure {
    let values = |name: &str| outcome.column(name).map_or_else(Vec::new, |column| column.values.clone());
    let (t, x, y, angle) = (values("t"), values("x"), values("y"), values("angle"));
    let (vx, vy, omega) = (values("vx"), values("vy"), values("omega"));
    let speed: Vec<f64> = vx.iter().zip(&vy).map(|(vx, vy)| (vx * vx + vy * vy).sqrt()).collect();

    let mut series: Vec<Series> = Vec::new();
    for k in drawn(&x, &y, &angle) {
        let (sine, cosine) = (libm::sin(angle[k]), libm::cos(angle[k]));
        let place = |[px, py]: &[f64; 2]| [x[k] + cosine * px - sine * py, y[k] + sine * px + cosine * py];
        let mut points: Vec<[f64; 2]> = Vec::new();
        for outline in outlines {
            points.extend(outline.iter().map(place));
            points.push([f64::NAN; 2]);
        }
        let body =
            Series::polygon("", points.iter().map(|p| p[0]).collect(), points.iter().map(|p| p[1]).collect());
        series.push(body.color(Color::Gray));
        // a spoke shows how the body has turned
        let reach = outlines.iter().flatten().map(|p| libm::hypot(p[0], p[1])).fold(0.0, f64::max);
        let spoke = place(&[0.8 * reach, 0.0]);
        series.push(
            Series::line("", vec![x[k], spoke[0]], vec![y[k], spoke[1]])
                .color(Color::Gray)
                .with_line(0.6, Dash::Solid),
        );
    }
    series.push(Series::line("", x, y).color(Color::Vermillion).with_line(1.0, Dash::Solid));
    let path = Panel {
        x: Axis::new("*x*", "m"),
        y: Axis::new("*y*", "m"),
        series,
        legend: Legend::None,
        equal_aspect: true,
        ..Panel::default()
    };
    let over_time = |label: &str, unit: &str, curves: Vec<(&str, Vec<f64>)>| Panel {
        x: Axis::new("*t*", "s"),
        y: Axis::new(label, unit),
        series: curves.into_iter().map(|(name, values)| Series::line(name, t.clone(), values)).collect(),
        ..Panel::default()
    };
    let force: Vec<f64> =
        values("fx").iter().zip(&values("fy")).map(|(x, y)| (x * x + y * y).sqrt()).collect();
    Figure {
        title: outcome.title.clone(),
        width: TWO_COLUMNS,
        columns: 2,
        ratio: 0.6,
        panels: vec![
            path,
            over_time("*v*", "m/s", vec![("", speed)]),
            over_time("*ω*", "rad/s", vec![("", omega)]),
            over_time("|*F*|", "N", vec![("", force)]),
        ],
        ..Figure::default()
    }
}

/// Samples at which the body is drawn: equal ways apart, turning counted with moving.
fn drawn(x: &[f64], y: &[f64], angle: &[f64]) -> Vec<usize> {
    let n = x.len();
    if n < 2 {
        return (0..n).collect();
    }
    let span = |v: &[f64]| {
        let (max, min) =
            v.iter().fold((f64::NEG_INFINITY, f64::INFINITY), |(a, b), v| (a.max(*v), b.min(*v)));
        max - min
    };
    let size = span(x).max(span(y)).max(f64::MIN_POSITIVE);
    let mut way = vec![0.0; n];
    for k in 1..n {
        let turn = 0.02 * size * (angle[k] - angle[k - 1]).abs();
        way[k] = way[k - 1] + libm::hypot(x[k] - x[k - 1], y[k] - y[k - 1]) + turn;
    }
    let total = way[n - 1];
    let mut chosen: Vec<usize> = (0..DRAWN)
        .map(|i| way.partition_point(|w| *w < total * i as f64 / (DRAWN - 1) as f64).min(n - 1))
        .collect();
    chosen.dedup();
    chosen
}

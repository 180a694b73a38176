//! A body on the plane: its path with the body drawn at intervals and marked in time, its speed and spin, the friction on it, the
//! loads of its feet.

use crate::summary::short;
use figure::{
    Arrow, Axis, AxisSide, Color, Dash, Figure, Legend, Marker, MarkerShape, Note, Panel, Series, TWO_COLUMNS,
};
use stiction::body::MovingSurface;
use stiction_study::{ColumnKind, Outcome};

/// Bodies drawn along the path.
const DRAWN: usize = 7;

/// Fewest marks of time along the path.
const MARKS: f64 = 3.0;
/// Length of the arrow downhill or along a belt, as a part of the picture (-).
const ARROW: f64 = 0.15;

/// Feet stand apart if their middles differ by more than this part of the body's size (-).
const APART: f64 = 0.3;

/// The middles of outlines that stand apart; none for a patch in one piece, with or without a hole.
fn feet(outlines: &[Vec<[f64; 2]>], reach: f64) -> Vec<[f64; 2]> {
    // a closed outline has its first point twice
    let middle = |outline: &Vec<[f64; 2]>| {
        let points = &outline[..outline.len().saturating_sub(1)];
        [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / points.len().max(1) as f64)
    };
    let middles: Vec<[f64; 2]> = outlines.iter().map(middle).collect();
    let apart = |p: &&[f64; 2]| libm::hypot(p[0] - middles[0][0], p[1] - middles[0][1]) > APART * reach;
    if middles.iter().any(|p| apart(&p)) { middles } else { Vec::new() }
}

/// The figure of a body's run; `downhill` is the direction of an inclined plane, `surface` what moves over it.
pub fn slide(
    outcome: &Outcome,
    outlines: &[Vec<[f64; 2]>],
    downhill: Option<f64>,
    surface: Option<&MovingSurface>,
) -> Figure {
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
        // a spoke shows how the body has turned, a leg to each of several feet which of them belong together
        let reach = outlines.iter().flatten().map(|p| libm::hypot(p[0], p[1])).fold(0.0, f64::max);
        let mut line = |to: [f64; 2], dash: Dash| {
            let [px, py] = place(&to);
            let line = Series::line("", vec![x[k], px], vec![y[k], py]);
            series.push(line.color(Color::Gray).with_line(0.6, dash));
        };
        line([0.8 * reach, 0.0], Dash::Solid);
        feet(outlines, reach).into_iter().for_each(|foot| line(foot, Dash::Dotted));
    }
    let (arrows, mut notes) = directions(&series, downhill, surface);
    series.push(Series::line("", x.clone(), y.clone()).color(Color::Vermillion).with_line(1.0, Dash::Solid));
    if let Some(MovingSurface { centre: [cx, cy], .. }) = surface.filter(|surface| surface.spin != 0.0) {
        series.push(
            Series::points("", vec![*cx], vec![*cy]).color(Color::Black).with_marker(MarkerShape::Plus),
        );
    }
    let marks = marks(&t, &x, &y, &angle);
    let at = |values: &[f64]| marks.iter().map(|(k, _)| values[*k]).collect();
    let mut dots = Series::points("", at(&x), at(&y)).color(Color::Vermillion);
    dots.marker = Some(Marker { shape: MarkerShape::Circle, size: 2.5, ..Marker::default() });
    series.push(dots);
    notes.extend(marks.iter().map(|(k, time)| {
        let text = if *time == 0.0 { "*t* = 0".into() } else { format!("{} s", short(*time)) };
        Note { text, at: [x[*k], y[*k]], side: AxisSide::Above }
    }));
    let path = Panel {
        arrows,
        notes,
        x: Axis::new("*x*", "m"),
        y: Axis::new("*y*", "m"),
        series,
        legend: Legend::None,
        equal_aspect: true,
        ..Panel::default()
    };
    let over_time = |label: &str, unit: &str, curves: Vec<(&str, Vec<f64>)>| Panel {
        x: Axis::new("time *t*", "s"),
        y: Axis::new(label, unit),
        series: curves.into_iter().map(|(name, values)| Series::line(name, t.clone(), values)).collect(),
        ..Panel::default()
    };
    let force: Vec<f64> =
        values("fx").iter().zip(&values("fy")).map(|(x, y)| (x * x + y * y).sqrt()).collect();
    let feet = outcome.samples.iter().filter(|column| column.kind == ColumnKind::FootLoad);
    let feet: Vec<(String, Vec<f64>)> =
        feet.map(|column| (format!("*{}*", column.symbol), column.values.clone())).collect();
    let mut panels = vec![
        path,
        over_time("speed *v*", "m/s", vec![("", speed)]),
        over_time("spin *ω*", "rad/s", vec![("", omega)]),
        over_time("friction |*F*|", "N", vec![("", force)]),
    ];
    if feet.iter().any(|(_, loads)| loads.windows(2).any(|pair| pair[0] != pair[1])) {
        let curves = feet.iter().map(|(name, loads)| (name.as_str(), loads.clone())).collect();
        panels.push(over_time("load of a foot", "N", curves));
    }
    Figure {
        title: outcome.title.clone(),
        width: TWO_COLUMNS,
        columns: 2,
        ratio: 0.6,
        panels,
        ..Figure::default()
    }
}

/// Arrows downhill and along a belt with their names, in the corners of what is drawn so far.
fn directions(
    series: &[Series],
    downhill: Option<f64>,
    surface: Option<&MovingSurface>,
) -> (Vec<Arrow>, Vec<Note>) {
    let is_belt = |surface: &&MovingSurface| surface.spin == 0.0 && surface.velocity != [0.0; 2];
    let belt = surface.filter(is_belt).map(|s| libm::atan2(s.velocity[1], s.velocity[0]));
    let ends = |of: fn(&Series) -> &[f64]| {
        let all = series.iter().flat_map(of).copied().filter(|v| v.is_finite());
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    };
    let ([left, right], [bottom, top]) = (ends(|s| &s.x), ends(|s| &s.y));
    let length = ARROW * (right - left).max(top - bottom);
    let (mut arrows, mut notes) = (Vec::new(), Vec::new());
    for (angle, name, x) in [(downhill, "downhill", left), (belt, "belt", right)] {
        let Some(angle) = angle.filter(|_| length.is_finite()) else { continue };
        let middle = [x, top + length];
        let half = [0.5 * length * libm::cos(angle), 0.5 * length * libm::sin(angle)];
        arrows.push(Arrow {
            from: [middle[0] - half[0], middle[1] - half[1]],
            to: [middle[0] + half[0], middle[1] + half[1]],
            color: Color::Black,
        });
        let side = if x == left { AxisSide::Right } else { AxisSide::Left };
        let at = [middle[0] + if x == left { 0.6 } else { -0.6 } * length, middle[1]];
        notes.push(Note { text: name.into(), at, side });
    }
    (arrows, notes)
}

/// Samples nearest to round times along the motion, and these times.
fn marks(t: &[f64], x: &[f64], y: &[f64], angle: &[f64]) -> Vec<(usize, f64)> {
    let n = t.len();
    let moves = |k: &usize| x[*k] != x[k - 1] || y[*k] != y[k - 1] || angle[*k] != angle[k - 1];
    let Some(last) = (1..n).rev().find(moves) else { return Vec::new() };
    let span = t[last] - t[0];
    let magnitude = libm::pow(10.0, libm::floor(libm::log10(span / MARKS)));
    let steps = [5.0, 2.0, 1.0].map(|c| c * magnitude);
    let Some(step) = steps.into_iter().find(|step| span / step >= MARKS) else { return Vec::new() };
    let first = libm::ceil(t[0] / step);
    let times = (0..).map(|i| (first + f64::from(i)) * step).take_while(|time| *time <= t[last]);
    let nearest = |time: f64| {
        let after = t.partition_point(|t| *t < time).min(n - 1);
        let is_before = after > 0 && time - t[after - 1] < t[after] - time;
        (if is_before { after - 1 } else { after }, time)
    };
    let mut marks: Vec<(usize, f64)> = times.map(nearest).collect();
    marks.dedup_by_key(|mark| mark.0);
    marks
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

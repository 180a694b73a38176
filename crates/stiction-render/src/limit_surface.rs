//! The limit surface of a patch: a parallel projection with hidden lines, and its three sections.
//!
//! Forces are drawn in units of μN, moments in units of the largest moment M₀. The view comes from the direction n; a point
//! is seen if the outward normal there, which is the motion in which the body starts, points towards the viewer.

use crate::figure::{
    Arrow, Axis, Color, Dash, Figure, Legend, Note, ONE_COLUMN, Panel, Series, SharedLegend, Side,
};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction::patch::{Twist, Wrench};
use stiction_study::patch::{LimitPoint, LimitPoints, Plane};

/// Lines of the net: parallels between the poles, half meridians, and points along each.
const PARALLELS: usize = 11;
const MERIDIANS: usize = 24;
const POINTS: usize = 181;
/// Where the viewer stands: azimuth and elevation (rad).
const VIEW: [f64; 2] = [0.52, 0.42];
/// Length of the axes (-).
const REACH: f64 = 1.5;

type Vector = [f64; 3];

/// The figure of a limit surface.
pub fn limit_surface(title: &str, points: &LimitPoints) -> Figure {
    let mut panels = vec![projection(points)];
    panels.extend(Plane::ALL.map(|plane| section(points, plane)));
    Figure {
        title: title.to_owned(),
        width: ONE_COLUMN,
        columns: 2,
        ratio: 1.0,
        panels,
        legend: SharedLegend::None,
        ..Figure::default()
    }
}

/// The three directions of the projection: right, up, towards the viewer.
fn frame() -> [Vector; 3] {
    let [a, e] = VIEW;
    let ((sa, ca), (se, ce)) = ((libm::sin(a), libm::cos(a)), (libm::sin(e), libm::cos(e)));
    [[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A wrench in units of the largest force and moment.
fn place(points: &LimitPoints, w: Wrench) -> Vector {
    [w.fx / points.force, w.fy / points.force, w.mz / points.moment]
}

/// The outward normal in those units.
fn normal(points: &LimitPoints, t: Twist) -> Vector {
    [t.vx * points.force, t.vy * points.force, t.omega * points.moment]
}

fn projection(points: &LimitPoints) -> Panel {
    let [right, up, viewer] = frame();
    let flat = |v: Vector| [dot(v, right), dot(v, up)];

    // the net, split where it turns away from the viewer
    let [mut seen, mut hidden] = [Vec::new(), Vec::new()];
    let mut add = |line: Vec<LimitPoint>| {
        for pair in line.windows(2) {
            let facing: f64 = pair.iter().map(|p| dot(normal(points, p.motion), viewer)).sum();
            let part = if facing >= 0.0 { &mut seen } else { &mut hidden };
            extend(part, pair.iter().map(|p| flat(place(points, p.wrench))).collect::<Vec<_>>().as_slice());
        }
    };
    for i in 1..PARALLELS {
        let elevation = PI * (i as f64 / PARALLELS as f64 - 0.5);
        let at = |k: usize| points.towards(TAU * k as f64 / (POINTS - 1) as f64, elevation);
        add((0..POINTS).map(at).collect());
    }
    for i in 0..MERIDIANS {
        let azimuth = TAU * i as f64 / MERIDIANS as f64;
        let at = |k: usize| points.towards(azimuth, PI * (k as f64 / (POINTS - 1) as f64 - 0.5));
        add((0..POINTS).map(at).collect());
    }

    // the outline: points whose normal lies in the plane of the picture
    let outline = (0..POINTS).map(|k| {
        let angle = TAU * k as f64 / (POINTS - 1) as f64;
        let (s, c) = (libm::sin(angle), libm::cos(angle));
        let n: Vector = std::array::from_fn(|i| c * right[i] + s * up[i]);
        let motion = Twist { vx: n[0] / points.force, vy: n[1] / points.force, omega: n[2] / points.moment };
        flat(place(points, points.supporting(motion)))
    });
    let outline: Vec<[f64; 2]> = outline.collect();

    // axes from where they leave the surface
    let tips: [(Vector, LimitPoint, &str, Side); 3] = [
        ([1.0, 0.0, 0.0], points.towards(0.0, 0.0), "*f_{x}*/(*μN*)", Side::Below),
        ([0.0, 1.0, 0.0], points.towards(FRAC_PI_2, 0.0), "*f_{y}*/(*μN*)", Side::Below),
        ([0.0, 0.0, 1.0], points.towards(0.0, FRAC_PI_2), "*m_{z}*/*M*_{0}", Side::Right),
    ];
    let arrows = tips.iter().map(|(axis, exit, _, _)| Arrow {
        from: flat(place(points, exit.wrench)),
        to: flat(axis.map(|v| REACH * v)),
        color: Color::Black,
    });
    let notes = tips.iter().map(|(axis, _, text, side)| Note {
        text: (*text).to_owned(),
        at: flat(axis.map(|v| REACH * v)),
        side: *side,
    });
    let series = |part: &[[f64; 2]], color: Color, width: f64| {
        let (x, y) = part.iter().map(|[x, y]| (*x, *y)).unzip();
        Series::line("", x, y).color(color).with_line(width, Dash::Solid)
    };
    Panel {
        x: Axis::default().range(-1.75, 1.75),
        y: Axis::default().range(-1.6, 1.9),
        series: vec![
            series(&hidden, Color::Rgb([205, 215, 225]), 0.3),
            series(&seen, Color::Blue, 0.45),
            series(&outline, Color::Black, 0.7),
        ],
        arrows: arrows.collect(),
        notes: notes.collect(),
        legend: Legend::None,
        is_bare: true,
        equal_aspect: true,
        ..Panel::default()
    }
}

/// Adds a piece to lines with NaN between them.
fn extend(lines: &mut Vec<[f64; 2]>, piece: &[[f64; 2]]) {
    match (lines.last(), piece) {
        (Some(last), [first, rest @ ..]) if last == first => lines.extend(rest),
        _ => {
            lines.push([f64::NAN; 2]);
            lines.extend(piece);
        }
    }
}

fn section(points: &LimitPoints, plane: Plane) -> Panel {
    let curve = points.section(plane, 2 * (POINTS - 1));
    let [i, k] = match plane {
        Plane::FxMz => [0, 2],
        Plane::FyMz => [1, 2],
        Plane::FxFy => [0, 1],
    };
    let labels = ["*f_{x}*/(*μN*)", "*f_{y}*/(*μN*)", "*m_{z}*/*M*_{0}"];
    let values = |i: usize| curve.iter().map(|p| place(points, p.wrench)[i]).collect();
    Panel {
        x: Axis::new(labels[i], ""),
        y: Axis::new(labels[k], ""),
        series: vec![Series::line("", values(i), values(k)).color(Color::Blue).with_line(0.9, Dash::Solid)],
        legend: Legend::None,
        equal_aspect: true,
        ratio: Some(1.0),
        ..Panel::default()
    }
}

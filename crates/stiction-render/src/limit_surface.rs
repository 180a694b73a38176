//! The limit surface of a patch: a parallel projection with hidden lines, and sections.
//!
//! Forces are drawn in units of μN, moments in units of the largest moment M₀. The view comes from the direction n; a point
//! is seen if the outward normal there, which is the motion in which the body starts, points towards the viewer.

use figure::{
    Arrow, Axis, AxisSide, Color, Dash, Figure, Legend, Note, ONE_COLUMN, Panel, Series, SharedLegend,
};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction::patch::{Twist, Wrench};
use stiction_study::patch::{LimitPoint, LimitPoints, Plane};

/// Lines of the net: parallels between the poles, half meridians, and points along each.
const PARALLELS: usize = 11;
const MERIDIANS: usize = 24;
const POINTS: usize = 121;
/// Points of a section.
const SECTION: usize = 240;
/// Sections that differ by less are the same to the eye (-).
const SAME: f64 = 1e-6;
/// What a section shows, in units of the largest values (-).
const LIMIT: f64 = 1.1;
/// Where the viewer stands: azimuth and elevation (rad).
const VIEW: [f64; 2] = [0.25 * PI, 0.45];
/// Length of the axes (-).
const REACH: f64 = 1.5;

type Vector = [f64; 3];

/// The limit surface in parallel projection.
pub fn limit_surface(title: &str, points: &LimitPoints) -> Figure {
    Figure {
        title: title.to_owned(),
        width: ONE_COLUMN,
        columns: 1,
        panels: vec![projection(points)],
        legend: SharedLegend::None,
        ..Figure::default()
    }
}

/// Its sections: force along x and along y against moment, and forces at several moments.
pub fn limit_sections(title: &str, points: &LimitPoints) -> Figure {
    let [along_x, along_y] = [Plane::FxMz, Plane::FyMz].map(|plane| section(points, plane));
    // one curve is enough where both are the same
    let differs = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > SAME);
    let is_round = !differs(&along_x.0, &along_y.0) && !differs(&along_x.1, &along_y.1);
    let line = |label: &str, (x, y): &(Vec<f64>, Vec<f64>), color: Color, dash: Dash| {
        Series::line(label, x.clone(), y.clone()).color(color).with_line(0.9, dash)
    };
    let mut against_moment = vec![line("*f_{x}*", &along_x, Color::Blue, Dash::Solid)];
    if !is_round {
        against_moment.push(line("*f_{y}*", &along_y, Color::Vermillion, Dash::Dashed));
    }
    let panel = |x: &str, y: &str, series: Vec<Series>| Panel {
        x: Axis::new(x, "").range(-LIMIT, LIMIT),
        y: Axis::new(y, "").range(-LIMIT, LIMIT),
        series,
        legend: Legend::Below,
        equal_aspect: true,
        ratio: Some(1.0),
        ..Panel::default()
    };
    let name = if is_round { "*f_{x}*/(*μN*)" } else { "*f*/(*μN*)" };
    let mut sections = vec![
        panel(name, "*m_{z}*/*M*_{0}", against_moment),
        panel("*f_{x}*/(*μN*)", "*f_{y}*/(*μN*)", levels(points)),
    ];
    if is_round {
        sections[0].legend = Legend::None;
    }
    Figure {
        title: title.to_owned(),
        width: ONE_COLUMN,
        columns: 2,
        ratio: 1.0,
        panels: sections,
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
    let tips: [(Vector, LimitPoint, &str, AxisSide); 3] = [
        ([1.0, 0.0, 0.0], points.towards(0.0, 0.0), "*f_{x}*/(*μN*)", AxisSide::Left),
        ([0.0, 1.0, 0.0], points.towards(FRAC_PI_2, 0.0), "*f_{y}*/(*μN*)", AxisSide::Right),
        ([0.0, 0.0, 1.0], points.towards(0.0, FRAC_PI_2), "*m_{z}*/*M*_{0}", AxisSide::Right),
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
        x: Axis::default().range(-1.5, 1.5),
        y: Axis::default().range(-1.12, 1.4),
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

/// Sections of constant moment.
fn levels(points: &LimitPoints) -> Vec<Series> {
    let level = |(part, name, color, dash): (f64, &str, Color, Dash)| {
        let curve = points.level(part * points.moment, SECTION);
        let (x, y) = curve.iter().map(|w| (w.fx / points.force, w.fy / points.force)).unzip();
        Series::line(name, x, y).color(color).with_line(0.9, dash)
    };
    [
        (0.0, "*m_{z}* = 0", Color::Black, Dash::Solid),
        (0.6, "0.6 *M*_{0}", Color::Green, Dash::DashDot),
        (0.9, "0.9 *M*_{0}", Color::Purple, Dash::Dotted),
    ]
    .map(level)
    .into()
}

/// A section as abscissae and ordinates.
fn section(points: &LimitPoints, plane: Plane) -> (Vec<f64>, Vec<f64>) {
    let [i, k] = match plane {
        Plane::FxMz => [0, 2],
        Plane::FyMz => [1, 2],
        Plane::FxFy => [0, 1],
    };
    let pick = |p: &LimitPoint| {
        let v = place(points, p.wrench);
        (v[i], v[k])
    };
    points.section(plane, SECTION).iter().map(pick).unzip()
}

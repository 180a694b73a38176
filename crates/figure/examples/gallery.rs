//! Writes sample figures from synthetic data, at one and at two columns: `cargo run --example gallery -- <directory>`.

use figure::{
    Across, Arrow, Axis, AxisSide, Band, Color, Dash, Figure, Legend, MarkerShape, Note, ONE_COLUMN, Panel,
    Rule, Series, SharedLegend, TWO_COLUMNS, png, svg,
};
use std::error::Error;
use std::f64::consts::PI;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("which directory?")?;
    std::fs::create_dir_all(&directory)?;
    let figures = [
        ("oscillator", oscillator()),
        ("law", law()),
        ("comparison", comparison()),
        ("precision", precision()),
        ("trajectory", trajectory()),
        ("nasty", nasty()),
        ("response", response()),
        ("long", long()),
    ];
    for (name, figure) in figures {
        for (columns, width) in [("one", ONE_COLUMN), ("two", TWO_COLUMNS)] {
            let figure = Figure { width, ..figure.clone() };
            let path = Path::new(&directory).join(format!("{name}-{columns}"));
            let text = svg(&figure);
            println!("{name}-{columns}: {} kB", text.len() / 1000);
            std::fs::write(path.with_extension("svg"), text)?;
            std::fs::write(path.with_extension("png"), png(&figure, 300.0)?)?;
        }
    }
    Ok(())
}

fn grid(from: f64, to: f64, n: usize) -> Vec<f64> {
    (0..=n).map(|i| from + (to - from) * i as f64 / n as f64).collect()
}

fn of(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().map(|&v| f(v)).collect()
}

fn axis(label: &str, unit: &str) -> Axis {
    Axis::new(label, unit)
}

fn panel(x: Axis, y: Axis, series: Vec<Series>) -> Panel {
    Panel { x, y, series, ..Panel::default() }
}

/// Nine panels of a forced oscillator with stick phases.
fn oscillator() -> Figure {
    let t = grid(113.0, 126.0, 20000);
    let period = 2.0 * PI / 2.4;
    let slip = |t: f64| ((t / period).fract() - 0.25).max(0.0) / 0.75;
    let u = of(&t, |t| 8.0 * libm::cos(2.0 * PI * slip(t)) + 1.3 * libm::sin(0.8 * t));
    let v = of(&t, |t| if slip(t) == 0.0 { 0.0 } else { -18.0 * libm::sin(2.0 * PI * slip(t)) });
    let a = of(&t, |t| if slip(t) == 0.0 { 0.0 } else { -20.0 * libm::cos(2.0 * PI * slip(t)) });
    let h = of(&v, |v| 5.0 * libm::tanh(v));
    let c: Vec<f64> = v.iter().zip(&u).map(|(v, u)| 0.3 * v + 0.9 * u).collect();
    let time = || axis("*t*", "s");
    let (pos, vel, acc) = (|| axis("*u*", "m"), || axis("*u̇*", "m/s"), || axis("*ü*", "m/s²"));
    let (fric, damp) = (|| axis("*H*", "N"), || axis("*C*", "N"));
    let mut panels: Vec<Panel> = [
        (time(), pos(), &t, &u),
        (time(), vel(), &t, &v),
        (time(), acc(), &t, &a),
        (time(), fric(), &t, &h),
        (time(), damp(), &t, &c),
        (vel(), fric(), &v, &h),
        (vel(), damp(), &v, &c),
        (pos(), vel(), &u, &v),
        (vel(), acc(), &v, &a),
    ]
    .into_iter()
    .map(|(x, y, xs, ys)| panel(x, y, vec![Series::line("", xs.clone(), ys.clone())]))
    .collect();
    for panel in panels.iter_mut().take(5) {
        panel.bands = (43..49)
            .map(|k| f64::from(k) * period)
            .map(|t| Band { label: "stick".to_string(), x: [t, t + 0.25 * period] })
            .collect();
        panel.rules = vec![Rule { label: String::new(), at: Across::Y(0.0) }];
    }
    Figure { columns: 3, panels, legend: SharedLegend::Below, ..Figure::default() }
}

/// Laws and their slopes, stacked over the same velocity.
fn law() -> Figure {
    let v = grid(-0.05, 0.05, 1000);
    let mu = 0.3;
    let ramp = of(&v, |v| mu * (v / 0.01).clamp(-1.0, 1.0));
    let tanh = of(&v, |v| mu * libm::tanh(v / 0.005));
    let arc = of(&v, |v| mu * 2.0 / PI * libm::atan(v / 0.002));
    let slopes = [
        of(&v, |v| if v.abs() < 0.01 { mu / 0.01 } else { 0.0 }),
        of(&v, |v| mu / 0.005 / libm::cosh(v / 0.005) / libm::cosh(v / 0.005)),
        of(&v, |v| mu * 2.0 / PI / 0.002 / (1.0 + v * v / 4e-6)),
    ];
    let names = ["linear", "hyperbolic tangent", "arc tangent"];
    let lines = |ys: [Vec<f64>; 3]| {
        ys.into_iter().zip(names).map(|(y, name)| Series::line(name, v.clone(), y)).collect::<Vec<_>>()
    };
    let mut value = panel(axis("*v*", "m/s"), axis("*φ*", ""), lines([ramp, tanh, arc]));
    value.rules = vec![
        Rule { label: "*μ*".to_string(), at: Across::Y(mu) },
        Rule { label: "*Δ*".to_string(), at: Across::X(0.01) },
    ];
    let mut slope = panel(axis("*v*", "m/s"), axis("d*φ*/d*v*", "s/m"), lines(slopes));
    slope.legend = Legend::None;
    Figure { panels: vec![value, slope], share_x: true, ratio: 0.55, ..Figure::default() }
}

/// Three runs with long names, and a zoom.
fn comparison() -> Figure {
    let t = grid(0.0, 60.0, 6000);
    let run = |lag: f64| of(&t, move |t| 0.012 * libm::exp(-0.03 * t) * libm::sin(2.0 * t - lag * t));
    let names = [
        "exact switching, events located to rounding",
        "trigonometric law, *Δ* = 10^{-3} m/s, DOP853",
        "trigonometric law, *Δ* = 10^{-2} m/s, implicit midpoint with a constant step of 1 ms",
    ];
    let series: Vec<Series> = names
        .iter()
        .zip([0.0, 0.002, 0.01])
        .map(|(name, lag)| Series::line(*name, t.clone(), run(lag)))
        .collect();
    let mut whole = panel(axis("time *t*", "s"), axis("position *u*", "m"), series.clone());
    let frame = [[20.0, -0.008], [26.0, -0.008], [26.0, 0.008], [20.0, 0.008]];
    whole.title = "whole run".to_string();
    whole.series.push(
        Series::polygon("", frame.iter().map(|p| p[0]).collect(), frame.iter().map(|p| p[1]).collect())
            .color(Color::Gray),
    );
    let mut zoom = panel(axis("time *t*", "s").range(20.0, 26.0), axis("position *u*", "m"), series);
    zoom.title = "zoom".to_string();
    zoom.notes = vec![Note { text: "lag".to_string(), at: [23.6, 0.004], side: AxisSide::Right }];
    Figure { columns: 2, panels: vec![whole, zoom], legend: SharedLegend::Above, ..Figure::default() }
}

/// Error over work, with markers.
fn precision() -> Figure {
    let methods = [("Dopri5", 5.0, 2e3), ("DOP853", 8.0, 6e2), ("Radau5", 5.0, 8e2), ("midpoint", 2.0, 3e2)];
    let series = methods
        .into_iter()
        .map(|(name, order, scale)| {
            let work: Vec<f64> = (0..9).map(|i| 300.0 * libm::pow(2.0, f64::from(i))).collect();
            let error = of(&work, |w| libm::pow(w / scale, -order).max(3e-15));
            Series { marker: Some(Default::default()), ..Series::line(name, work, error) }
        })
        .collect();
    let panel = panel(axis("right-hand sides", "").log(), axis("error of *u*", "m").log(), series);
    Figure { panels: vec![panel], grid: true, ..Figure::default() }
}

/// A body that slides and turns on a plane.
fn trajectory() -> Figure {
    let s = grid(0.0, 1.0, 400);
    let path = |s: f64| [2.2 * s, 0.6 * libm::sin(2.5 * s), 2.8 * s * s];
    let mut bodies = [Vec::new(), Vec::new()];
    for k in 0..=5 {
        let [x, y, angle] = path(f64::from(k) / 5.0);
        for (a, b) in [(-0.15, -0.08), (0.15, -0.08), (0.15, 0.08), (-0.15, 0.08)] {
            bodies[0].push(x + a * libm::cos(angle) - b * libm::sin(angle));
            bodies[1].push(y + a * libm::sin(angle) + b * libm::cos(angle));
        }
        bodies.iter_mut().for_each(|list| list.push(f64::NAN));
    }
    let [bx, by] = bodies;
    let series = vec![
        Series::polygon("body every 0.2 s", bx, by).color(Color::Sky),
        Series::line("centre of mass", of(&s, |s| path(s)[0]), of(&s, |s| path(s)[1])).color(Color::Black),
    ];
    let end = path(1.0);
    let panel = Panel {
        equal_aspect: true,
        arrows: vec![Arrow { from: [0.0, 0.0], to: [0.35, 0.24], color: Color::Vermillion }],
        notes: vec![
            Note { text: "*v*_{0}".to_string(), at: [0.35, 0.24], side: AxisSide::Above },
            Note { text: "at rest".to_string(), at: [end[0], end[1] - 0.15], side: AxisSide::Below },
        ],
        ..panel(axis("*x*", "m"), axis("*y*", "m"), series)
    };
    Figure { panels: vec![panel], ..Figure::default() }
}

/// Data that break plotters.
fn nasty() -> Figure {
    let t = grid(0.0, 10.0, 500);
    let line = |y: Vec<f64>| vec![Series::line("", t.clone(), y)];
    let time = || axis("*t*", "s");
    let titled = |title: &str, panel: Panel| Panel { title: title.to_string(), ..panel };
    let gaps = of(&t, |t| if libm::sin(3.0 * t) > 0.7 { f64::NAN } else { libm::sin(t) });
    let poles = of(&t, |t| if t == 5.0 { f64::INFINITY } else { 1.0 / (t - 5.0) });
    let panels = vec![
        titled("constant", panel(time(), axis("*u*", "m"), line(vec![3.7; 501]))),
        titled("zero", panel(time(), axis("*u*", "m"), line(vec![0.0; 501]))),
        titled("gaps", panel(time(), axis("*u*", "m"), line(gaps))),
        titled("tiny", panel(time(), axis("*u*", "m"), line(of(&t, |t| 1e-12 * libm::sin(t))))),
        titled("huge", panel(time(), axis("*E*", "J"), line(of(&t, |t| 1e9 * (1.0 + libm::sin(t)))))),
        titled("offset", panel(time(), axis("*u*", "m"), line(of(&t, |t| 1e4 + 1e-5 * libm::sin(t))))),
        titled("one point", panel(time(), axis("*u*", "m"), vec![Series::points("", vec![2.0], vec![5.0])])),
        titled("nothing", panel(time(), axis("*u*", "m"), Vec::new())),
        titled("nothing, log", panel(time().log(), axis("*u*", "m").log(), line(vec![-1.0; 501]))),
        titled("pole", panel(time(), axis("*u*", "m").range(-5.0, 5.0), line(poles))),
        titled(
            "less than a decade",
            panel(time().log(), axis("*u*", "m").log(), line(of(&t, |t| 2.0 + 0.2 * t))),
        ),
        titled(
            "a long name for a small panel",
            panel(
                axis("dimensionless excitation frequency *η* of the support", "-"),
                axis("largest displacement amplitude over the last hundred periods", "m"),
                line(of(&t, |t| 12345.0 * t)),
            ),
        ),
    ];
    Figure { title: "Nasty data".to_string(), columns: 3, panels, ..Figure::default() }
}

/// Frequency responses with up and down sweeps.
fn response() -> Figure {
    let eta = grid(0.2, 2.0, 600);
    let gain = |d: f64| of(&eta, move |r| 1.0 / ((1.0 - r * r) * (1.0 - r * r) + 4.0 * d * d * r * r).sqrt());
    let phase = |d: f64| of(&eta, move |r| -libm::atan2(2.0 * d * r, 1.0 - r * r) * 180.0 / PI);
    let sparse: Vec<f64> = eta.iter().copied().step_by(40).collect();
    let measured = of(&sparse, |r| 1.03 / ((1.0 - r * r) * (1.0 - r * r) + 0.04 * r * r).sqrt());
    let name = |d: f64| format!("*D* = {d}");
    let mut upper: Vec<Series> = [0.05, 0.1, 0.2].map(|d| Series::line(name(d), eta.clone(), gain(d))).into();
    upper.push(
        Series::points("measured", sparse, measured).color(Color::Black).with_marker(MarkerShape::Circle),
    );
    if let Some(marker) = upper.last_mut().and_then(|s| s.marker.as_mut()) {
        marker.filled = false;
    }
    let lower: Vec<Series> = [0.05, 0.1, 0.2].map(|d| Series::line(name(d), eta.clone(), phase(d))).into();
    let amplitude = panel(axis("*η*", ""), axis("|*û*|/*u*_{st}", "").log(), upper);
    let mut angle = panel(axis("*η*", ""), axis("phase", "°").range(-180.0, 0.0), lower);
    angle.legend = Legend::None;
    Figure { panels: vec![amplitude, angle], share_x: true, ratio: 0.5, ..Figure::default() }
}

/// 10⁵ points in each of six panels.
fn long() -> Figure {
    let t = grid(0.0, 1000.0, 100_000);
    let beat = of(&t, |t| libm::sin(9.0 * t) * libm::cos(0.05 * t));
    let noise = of(&t, |t| {
        let v = libm::sin(t * 12.9898) * 43758.5453;
        v - v.floor()
    });
    let circle = [of(&t, |t| libm::cos(5.0 * t)), of(&t, |t| libm::sin(5.0 * t))];
    let torus = [
        of(&t, |t| libm::cos(5.0 * t) * (1.0 + 0.4 * libm::cos(3.7 * t))),
        of(&t, |t| libm::sin(5.0 * t) + 0.4 * libm::sin(8.1 * t)),
    ];
    let spiral = [
        of(&t, |t| libm::exp(-0.002 * t) * libm::cos(3.0 * t)),
        of(&t, |t| libm::exp(-0.002 * t) * libm::sin(3.0 * t)),
    ];
    let (u, v) = (|| axis("*u*", "m"), || axis("*u̇*", "m/s"));
    let thin =
        |x: &[f64], y: &[f64]| vec![Series::line("", x.to_vec(), y.to_vec()).with_line(0.6, Dash::Solid)];
    let panels = vec![
        panel(axis("*t*", "s"), u(), thin(&t, &beat)),
        panel(axis("*t*", "s"), u(), thin(&t, &noise)),
        panel(u(), v(), thin(&circle[0], &circle[1])),
        panel(u(), v(), thin(&torus[0], &torus[1])),
        panel(u(), v(), thin(&spiral[0], &spiral[1])),
        panel(axis("*t*", "s"), u(), vec![Series::points("", t.clone(), noise.clone())]),
    ];
    Figure { columns: 3, panels, ..Figure::default() }
}

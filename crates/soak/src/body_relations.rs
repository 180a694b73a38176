//! Bodies on the plane in an equivalent description: in a mirror, turned by a quarter, a foot cut in two, in
//! other units, from a train.

use crate::bodies::{ROUNDED, SAME, body_of};
use crate::dice::Dice;
use crate::relations::POWERS;
use crate::reported::{Reported, size};
use crate::verdict::{Checked, Verdict, ended, skip};
use stiction::body::{Axes, Body, MovingSurface};
use stiction::patch::{Closure, Piece, Polygon, Pressure, Shape};
use stiction_study::{AnalysisKind, Scenario, SystemKind};

/// The same motion in an equivalent description.
pub fn relations(scenario: &Scenario, seed: u64) -> Checked {
    let Some(body) = body_of(scenario) else { return skip("no body") };
    let reported = match Reported::run(scenario) {
        Ok(reported) => reported,
        Err(reason) => return ended(reason),
    };
    let mut dice = Dice::new(seed ^ 0x3E1A);
    let mut n = 0;
    for (name, other, map) in
        [mirrored(body), turned(body), cut(body), scaled(body, &mut dice)].into_iter().flatten()
    {
        let system = SystemKind::Body(Box::new(other));
        let mut scenario = Scenario { system, ..scenario.clone() };
        let time = map.time;
        if let AnalysisKind::Transient(transient) = &mut scenario.analysis {
            transient.duration = transient.duration.map(|t| t * time);
        }
        let other = match Reported::run(&scenario) {
            Ok(reported) => reported,
            Err(crate::reported::Ended::Endless) => return Err(format!("{name}: the run does not end")),
            Err(crate::reported::Ended::Refused(reason)) => return Err(format!("{name}: refused, {reason}")),
        };
        map.compare(name, &reported, &other)?;
        n += 1;
    }
    if carried(scenario, body, &reported, &mut dice)? {
        n += 1;
    }
    if n == 0 { skip("no relation applies") } else { Ok(Verdict::Passed) }
}

/// Seen from a train, a body on a conveyor is one on a conveyor of another velocity: only the positions
/// differ.
fn carried(scenario: &Scenario, body: &Body, reported: &Reported, dice: &mut Dice) -> Result<bool, String> {
    if body.surface.as_ref().is_some_and(|surface| surface.spin != 0.0) {
        return Ok(false);
    }
    let train = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)];
    let plus = |v: [f64; 2]| [v[0] + train[0], v[1] + train[1]];
    let mut other = body.clone();
    let own = body.surface.as_ref().map_or([0.0; 2], |surface| surface.velocity);
    other.surface = Some(MovingSurface::conveyor(plus(own)));
    other.velocity = plus(body.velocity);
    let system = SystemKind::Body(Box::new(other));
    let mut seen = match Reported::run(&Scenario { system, ..scenario.clone() }) {
        Ok(reported) => reported,
        Err(crate::reported::Ended::Endless) => return Err("train: the run does not end".into()),
        Err(crate::reported::Ended::Refused(reason)) => return Err(format!("train: refused, {reason}")),
    };
    let t = seen.column("t").to_vec();
    for (axis, [place, velocity]) in [["x", "vx"], ["y", "vy"]].into_iter().enumerate() {
        if let Some(column) = seen.columns.get_mut(place) {
            column.iter_mut().zip(&t).for_each(|(x, t)| *x -= train[axis] * t);
        }
        if let Some(column) = seen.columns.get_mut(velocity) {
            column.iter_mut().for_each(|v| *v -= train[axis]);
        }
    }
    Map::SAME.compare("train", reported, &seen)?;
    Ok(true)
}

/// How the columns of one run give those of another.
struct Map {
    /// Which column stands for x, y; and signs of x, y, angle.
    swap: bool,
    sign: [f64; 3],
    /// Units of length, time, force.
    length: f64,
    time: f64,
    force: f64,
    /// Whether every step is the same but for its rounding.
    is_exact: bool,
}

impl Map {
    const SAME: Self =
        Self { swap: false, sign: [1.0; 3], length: 1.0, time: 1.0, force: 1.0, is_exact: false };

    fn compare(&self, name: &str, reported: &Reported, other: &Reported) -> Result<(), String> {
        let pair = |a: &'static str, b: &'static str| if self.swap { [b, a] } else { [a, b] };
        let [sx, sy, sz] = self.sign;
        let (l, t, f) = (self.length, self.time, self.force);
        for (names, signs, unit) in [
            (pair("x", "y"), [sx, sy], l),
            (pair("vx", "vy"), [sx, sy], l / t),
            (pair("fx", "fy"), [sx, sy], f),
            (["angle", "angle"], [sz, sz], 1.0),
            (["omega", "omega"], [sz, sz], 1.0 / t),
            (["mz", "mz"], [sz, sz], f * l),
        ] {
            let largest = unit * names.iter().map(|name| size(reported.column(name))).fold(0.0, f64::max);
            for ((from, to), sign) in names
                .iter()
                .zip(match names[0] {
                    "x" | "y" => ["x", "y"],
                    "vx" | "vy" => ["vx", "vy"],
                    "fx" | "fy" => ["fx", "fy"],
                    same => [same, same],
                })
                .zip(signs)
            {
                let (a, b) = (reported.column(from), other.column(to));
                let start = [a, b].map(|c| c.first().copied().unwrap_or(0.0));
                let is_place = matches!(*from, "x" | "y" | "angle");
                let scale = if is_place {
                    size(&a.iter().map(|x| x - start[0]).collect::<Vec<_>>()) + 1e-3
                } else {
                    largest / unit + 1e-6
                };
                for i in 0..a.len().max(b.len()) {
                    let (x, y) =
                        (a.get(i).copied().unwrap_or(f64::NAN), b.get(i).copied().unwrap_or(f64::NAN));
                    // angles that turn with the plane keep their differences
                    let (x, y) =
                        if is_place && !self.is_exact { (x - start[0], y - start[1]) } else { (x, y) };
                    let expected = sign * unit * x;
                    let room = if self.is_exact { ROUNDED * largest } else { SAME * scale };
                    // force at a stop jumps: one sample may fall on the other side
                    if !((y - expected).abs() <= room) && !near_event(reported, i) {
                        return Err(format!(
                            "{name}: {to} is {y} at row {i}, but {from} makes it {expected}"
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether a row is next to an event.
fn near_event(reported: &Reported, i: usize) -> bool {
    let t = reported.column("t");
    let (Some(now), Some(step)) = (t.get(i), t.get(1)) else { return false };
    reported.events.iter().any(|event| (event.t - now).abs() < 2.0 * step)
}

/// Seen in a mirror along x: y, angles and moments change their signs.
fn mirrored(body: &Body) -> Option<(&'static str, Body, Map)> {
    let mut other = body.clone();
    let flip = |[x, y]: [f64; 2]| [x, -y];
    other.patch.shape = mirrored_shape(&body.patch.shape);
    other.patch.pressure = mirrored_pressure(body.patch.pressure);
    other.patch.centre = flip(body.patch.centre);
    other.centre_of_mass = flip(body.centre_of_mass);
    (other.position, other.velocity) = (flip(body.position), flip(body.velocity));
    (other.angle, other.spin, other.downhill) = (-body.angle, -body.spin, -body.downhill);
    for force in &mut other.forces {
        (force.constant, force.amplitude, force.point) =
            (flip(force.constant), flip(force.amplitude), flip(force.point));
        (force.moment, force.moment_amplitude) = (-force.moment, -force.moment_amplitude);
    }
    other.vibration.iter_mut().for_each(|o| o.amplitude = flip(o.amplitude));
    if let Some(inner) = &mut other.inner_mass {
        inner.centre = flip(inner.centre);
        inner.path.iter_mut().for_each(|o| o.amplitude = flip(o.amplitude));
        inner.points.iter_mut().flat_map(|points| &mut points.y).for_each(|y| *y = -*y);
    }
    if let Some(surface) = &mut other.surface {
        (surface.velocity, surface.centre) = (flip(surface.velocity), flip(surface.centre));
        surface.spin = -surface.spin;
    }
    Some(("mirror", other, Map { sign: [1.0, -1.0, -1.0], ..Map::SAME }))
}

fn mirrored_pressure(pressure: Pressure) -> Pressure {
    match pressure {
        Pressure::Linear { gradient: [x, y] } => Pressure::Linear { gradient: [x, -y] },
        same => same,
    }
}

fn mirrored_shape(shape: &Shape) -> Shape {
    let flip = |points: &Vec<[f64; 2]>| points.iter().map(|[x, y]| [*x, -y]).collect();
    match shape {
        Shape::Polygon(Polygon { vertices, holes }) => {
            Shape::Polygon(Polygon { vertices: flip(vertices), holes: holes.iter().map(flip).collect() })
        }
        Shape::Pieces(pieces) => Shape::Pieces(
            (pieces.iter())
                .map(|p| Piece {
                    shape: mirrored_shape(&p.shape),
                    pressure: mirrored_pressure(p.pressure),
                    centre: [p.centre[0], -p.centre[1]],
                    share: p.share,
                })
                .collect(),
        ),
        same => same.clone(),
    }
}

/// The world turned by a quarter: x becomes y, y becomes −x.
fn turned(body: &Body) -> Option<(&'static str, Body, Map)> {
    let turn = |[x, y]: [f64; 2]| [-y, x];
    let mut other = body.clone();
    (other.position, other.velocity) = (turn(body.position), turn(body.velocity));
    other.angle += std::f64::consts::FRAC_PI_2;
    other.downhill += std::f64::consts::FRAC_PI_2;
    for force in other.forces.iter_mut().filter(|force| force.axes == Axes::World) {
        (force.constant, force.amplitude) = (turn(force.constant), turn(force.amplitude));
    }
    other.vibration.iter_mut().for_each(|o| o.amplitude = turn(o.amplitude));
    if let Some(surface) = &mut other.surface {
        (surface.velocity, surface.centre) = (turn(surface.velocity), turn(surface.centre));
    }
    // the new x is −y, the new y is x
    Some(("turn", other, Map { swap: true, sign: [-1.0, 1.0, 1.0], ..Map::SAME }))
}

/// The first foot as two of half its load, in the same place.
fn cut(body: &Body) -> Option<(&'static str, Body, Map)> {
    // one piece leans as a whole, two of them foot by foot
    let leans = body.inner_mass.as_ref().is_some_and(|inner| inner.shifts_pressure)
        && !matches!(body.patch.shape, Shape::Pieces(_));
    if body.patch.closure != Closure::Exact || body.patch.height != 0.0 || leans {
        return None;
    }
    let mut other = body.clone();
    let mut pieces = match &body.patch.shape {
        Shape::Pieces(pieces) => pieces.clone(),
        shape => {
            vec![Piece { shape: shape.clone(), pressure: body.patch.pressure, centre: [0.0; 2], share: 1.0 }]
        }
    };
    let mut half = pieces.first()?.clone();
    half.share *= 0.5;
    pieces[0] = half.clone();
    pieces.push(half);
    other.patch.shape = Shape::Pieces(pieces);
    other.patch.pressure = Pressure::Uniform;
    Some(("cut", other, Map::SAME))
}

/// The same in other units of mass.
fn scaled(body: &Body, dice: &mut Dice) -> Option<(&'static str, Body, Map)> {
    // powers of four, whose roots are powers of two
    let unit = 4f64.powi(dice.below(2 * POWERS + 1) as i32 - POWERS as i32);
    let mut other = body.clone();
    other.mass *= unit;
    other.inertia = other.inertia.map(|inertia| inertia * unit);
    other.patch.load *= unit;
    for force in &mut other.forces {
        for x in force.constant.iter_mut().chain(&mut force.amplitude) {
            *x *= unit;
        }
        force.moment *= unit;
        force.moment_amplitude *= unit;
    }
    if let Some(inner) = &mut other.inner_mass {
        inner.mass *= unit;
    }
    Some(("mass unit", other, Map { force: unit, is_exact: true, ..Map::SAME }))
}

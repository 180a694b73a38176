//! Random bodies on the plane.

use crate::dice::Dice;
use crate::facts::integral_and_doubt;
use crate::told::{Told, size};
use crate::verdict::{Checked, Verdict, ended, skip};
use stiction::body::{Axes, Body, Force, InnerMass, Oscillation};
use stiction::patch::{
    Annulus, Closure, Constants, Disc, Patch, Piece, Polygon, Pressure, Rectangle, Ring, Shape, Twist,
};
use stiction_study::{AnalysisKind, Scenario, SystemKind, Transient};

/// Samples of a run.
const SAMPLES: usize = 2001;
/// The energy residual over the energy turned over; the default tolerances promise ten digits.
const RESIDUAL: f64 = 1e-8;
/// Paths and energies by trapezia over the samples, relative to their sizes.
const TRAPEZIA: f64 = 2e-3;
/// Twists, positions and wrenches of two runs that mean the same, relative to their sizes: the stop amplifies the
/// tolerances of the steps, 1e-13.
const SAME: f64 = 1e-6;
/// The same steps in other units, relative to the motion: implicit ones solve for the motion and its works together, and which
/// equation comes first depends on the units.
const ROUNDED: f64 = 1e-10;

/// The body of a seed.
pub fn random_body(seed: u64) -> Scenario {
    let mut dice = Dice::new(seed ^ 0xB0D1);
    let size = dice.decades(0.02, 0.5);
    let (shape, pressure) = shape(&mut dice, size, true);
    let mu = dice.between(0.05, 0.8);
    let mut patch = Patch::new(shape, pressure, mu, 0.0);
    if dice.chance(0.25) {
        patch.centre = [size * dice.between(-0.5, 0.5), size * dice.between(-0.5, 0.5)];
    }
    if dice.chance(0.15) {
        patch.load = dice.between(1.0, 20.0);
    }
    if dice.chance(0.15) {
        // far below tipping over
        patch.height = 0.1 * size;
    }
    if dice.chance(0.1) {
        (patch.mu1, patch.mu2) = (0.01 * dice.roll(), 0.02 * dice.roll());
    }
    // the closures of discs and rectangles
    if matches!(patch.shape, Shape::Disc(_) | Shape::Rectangle(_)) && dice.chance(0.4) {
        patch.closure = *dice.pick(&[Closure::Pade1, Closure::Pade2]);
        patch.constants = Constants::Consistent;
    }
    let mass = dice.between(0.3, 3.0);
    let mut body = Body::new(mass, mass * size * size * dice.between(0.2, 1.0), patch);
    if dice.chance(0.2) {
        body.centre_of_mass = [size * dice.between(-0.3, 0.3), size * dice.between(-0.3, 0.3)];
    }
    body.velocity =
        if dice.chance(0.85) { [dice.between(-2.0, 2.0), dice.between(-2.0, 2.0)] } else { [0.0; 2] };
    body.spin = if dice.chance(0.85) { dice.between(-2.0, 2.0) / size } else { 0.0 };
    body.position = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)];
    body.angle = if dice.chance(0.5) { dice.between(-3.0, 3.0) } else { 0.0 };
    if dice.chance(0.2) {
        body.tilt = dice.between(0.0, 0.3);
        body.downhill = dice.between(-3.0, 3.0);
    }
    let weight = body.weight();
    if dice.chance(0.25) {
        body.forces.push(Force {
            constant: [weight * dice.between(-0.2, 0.2), weight * dice.between(-0.2, 0.2)],
            amplitude: [weight * dice.between(-0.3, 0.3), 0.0],
            moment: weight * size * dice.between(-0.1, 0.1),
            omega: dice.between(1.0, 20.0),
            phase: dice.between(-3.0, 3.0),
            axes: if dice.chance(0.3) { Axes::Body } else { Axes::World },
            ..Force::default()
        });
    }
    let has_vibration = dice.chance(0.15);
    if has_vibration {
        body.vibration.push(Oscillation {
            amplitude: [0.01 * dice.roll(), 0.0],
            omega: dice.between(5.0, 20.0),
            phase: 0.0,
        });
    }
    if dice.chance(0.1) {
        let path =
            vec![Oscillation { amplitude: [0.2 * size, 0.0], omega: dice.between(2.0, 10.0), phase: 0.0 }];
        body.inner_mass = Some(InnerMass { mass: 0.2 * mass, path, ..InnerMass::default() });
    }
    let duration = Some(dice.between(0.2, 1.5));
    let analysis = AnalysisKind::Transient(Transient { duration, samples: SAMPLES, ..Transient::default() });
    Scenario {
        title: String::new(),
        system: SystemKind::Body(Box::new(body)),
        integrator: None,
        analysis,
        sweep: None,
    }
}

/// A shape about the origin with a pressure that fits it.
fn shape(dice: &mut Dice, size: f64, pieces: bool) -> (Shape, Pressure) {
    let gradient = |dice: &mut Dice| {
        if dice.chance(0.4) {
            // the pressure stays positive
            Pressure::Linear { gradient: [dice.between(-0.3, 0.3) / size, dice.between(-0.3, 0.3) / size] }
        } else {
            Pressure::Uniform
        }
    };
    match dice.below(if pieces { 6 } else { 4 }) {
        0 => (
            Shape::Disc(Disc { radius: size }),
            *dice.pick(&[Pressure::Uniform, Pressure::Hertz, Pressure::Galin]),
        ),
        1 => {
            (Shape::Annulus(Annulus { inner: size * dice.between(0.1, 0.9), outer: size }), Pressure::Uniform)
        }
        2 => {
            let width = size * dice.decades(0.1, 2.0);
            let pressure = if width < 1.5 * size { gradient(dice) } else { Pressure::Uniform };
            (Shape::Rectangle(Rectangle { length: size, width }), pressure)
        }
        3 => {
            // star-shaped about the origin: simple for any radii
            let n = 3 + dice.below(5);
            let vertices = (0..n).map(|i| {
                let (r, a) = (size * dice.between(0.5, 1.0), std::f64::consts::TAU * i as f64 / n as f64);
                [r * a.cos(), r * a.sin()]
            });
            (Shape::Polygon(Polygon { vertices: vertices.collect(), holes: Vec::new() }), gradient(dice))
        }
        4 => (Shape::Ring(Ring { radius: size }), Pressure::Uniform),
        _ => {
            let n = 2 + dice.below(3);
            let feet = (0..n).map(|i| {
                let a = std::f64::consts::TAU * i as f64 / n as f64;
                let (shape, pressure) = self::shape(dice, 0.2 * size, false);
                Piece {
                    shape,
                    pressure,
                    centre: [size * a.cos(), size * a.sin()],
                    share: dice.between(0.5, 2.0),
                }
            });
            (Shape::Pieces(feet.collect()), Pressure::Uniform)
        }
    }
}

fn body_of(scenario: &Scenario) -> Option<&Body> {
    match &scenario.system {
        SystemKind::Body(body) => Some(body),
        _ => None,
    }
}

/// What is told of a body holds: energy, facts by the columns, rest after the stop, friction that takes and never gives.
pub fn facts(scenario: &Scenario) -> Checked {
    let Some(body) = body_of(scenario) else { return skip("no body") };
    let told = match Told::run(scenario) {
        Ok(told) => told,
        Err(reason) => return ended(reason),
    };
    for (name, column) in &told.columns {
        if let Some(i) = column.iter().position(|x| !x.is_finite()) {
            return Err(format!("column {name} is {} at row {i}", column[i]));
        }
    }
    let [t, x, y, angle, vx, vy, omega, fx, fy, mz] =
        ["t", "x", "y", "angle", "vx", "vy", "omega", "fx", "fy", "mz"].map(|name| told.column(name));
    let power = |i: usize| fx[i] * vx[i] + fy[i] * vy[i] + mz[i] * omega[i];
    let [loss, doubt] = integral_and_doubt(t, |i| -power(i));
    let gross = loss.abs() + told.fact("initial_energy").abs() + told.fact("work_in").abs() + 1e-12;
    let residual = told.fact("energy_residual");
    if residual.abs() > RESIDUAL * gross {
        return Err(format!("the energy residual is {residual:e} of {gross:e} J"));
    }
    if let Some(i) =
        (0..t.len()).find(|&i| power(i) > 1e-9 * (size(fx).hypot(size(fy)) * size(vx).hypot(size(vy)) + 1e-9))
    {
        return Err(format!("friction gives {} W at t = {}", power(i), t[i]));
    }
    let last = t.len() - 1;
    let [path, path_doubt] = integral_and_doubt(t, |i| vx[i].hypot(vy[i]));
    // a trapezium over a stop is off by half a step of it, and a start and a stop within a step show nowhere
    let step = t[last] / last as f64;
    let corner = step * size(vx).hypot(size(vy)) + 10.0 * step * step;
    for (name, found, room) in [
        ("friction_loss", loss, TRAPEZIA * gross + doubt),
        ("path", path, TRAPEZIA * path + corner + path_doubt + 1e-30),
        ("displacement_x", x[last] - body.position[0], 1e-9 * (path + size(x))),
        ("displacement_y", y[last] - body.position[1], 1e-9 * (path + size(y))),
        ("turns", (angle[last] - body.angle) / std::f64::consts::TAU, 1e-9 * (1.0 + size(angle))),
    ] {
        let fact = told.fact(name);
        if !((fact - found).abs() <= room) {
            return Err(format!("{name} is said to be {fact}, but the columns give {found}"));
        }
    }
    rest(&told, [t, vx, vy, omega])?;
    motion(&told, [t, x, y, angle], [vx, vy, omega])?;
    Ok(Verdict::Passed)
}

/// Between a stop and the next start nothing moves.
fn rest(told: &Told, [t, vx, vy, omega]: [&[f64]; 4]) -> Result<(), String> {
    use stiction::event::EventKind;
    let mut since: Option<f64> = None;
    let mut spans = Vec::new();
    for event in &told.events {
        match event.kind {
            EventKind::Stick => since = Some(event.t),
            _ => spans.extend(since.take().map(|from| (from, event.t))),
        }
    }
    spans.extend(since.map(|from| (from, f64::INFINITY)));
    for (from, to) in spans {
        let moving = (0..t.len())
            .find(|&i| t[i] > from && t[i] < to && (vx[i] != 0.0 || vy[i] != 0.0 || omega[i] != 0.0));
        if let Some(i) = moving {
            return Err(format!("at rest from {from} to {to}, but it moves at t = {}", t[i]));
        }
    }
    Ok(())
}

/// Positions are the integrals of velocities.
fn motion(told: &Told, [t, x, y, angle]: [&[f64]; 4], [vx, vy, omega]: [&[f64]; 3]) -> Result<(), String> {
    for (name, q, v) in [("x", x, vx), ("y", y, vy), ("angle", angle, omega)] {
        let mut sum = 0.0;
        let rate = size(v);
        for i in 1..t.len() {
            sum += 0.5 * (t[i] - t[i - 1]) * (v[i] + v[i - 1]);
            let room = TRAPEZIA * rate * t[i]
                + 2.0 * rate * (t[i] - t[i - 1]) * (1.0 + told.events.len() as f64)
                + 10.0 * (t[i] - t[i - 1]).powi(2) * told.events.len() as f64
                + 1e-12;
            if (q[i] - q[0] - sum).abs() > room {
                return Err(format!(
                    "{name} moves by {} until t = {}, but its velocity says {sum}",
                    q[i] - q[0],
                    t[i]
                ));
            }
        }
    }
    Ok(())
}

/// The same motion told in other words: in a mirror, turned by a quarter, a foot cut in two, in other units, about another
/// point.
pub fn relations(scenario: &Scenario, seed: u64) -> Checked {
    let Some(body) = body_of(scenario) else { return skip("no body") };
    let told = match Told::run(scenario) {
        Ok(told) => told,
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
        let other = match Told::run(&scenario) {
            Ok(told) => told,
            Err(crate::told::Ended::Endless) => return Err(format!("{name}: the run does not end")),
            Err(crate::told::Ended::Refused(reason)) => return Err(format!("{name}: refused, {reason}")),
        };
        map.compare(name, &told, &other)?;
        n += 1;
    }
    if n == 0 { skip("no relation applies") } else { Ok(Verdict::Passed) }
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

    fn compare(&self, name: &str, told: &Told, other: &Told) -> Result<(), String> {
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
            let largest = unit * names.iter().map(|name| size(told.column(name))).fold(0.0, f64::max);
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
                let (a, b) = (told.column(from), other.column(to));
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
                    if !((y - expected).abs() <= room) && !near_event(told, i) {
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
fn near_event(told: &Told, i: usize) -> bool {
    let t = told.column("t");
    let (Some(now), Some(step)) = (t.get(i), t.get(1)) else { return false };
    told.events.iter().any(|event| (event.t - now).abs() < 2.0 * step)
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
    // the new x is −y, the new y is x
    Some(("turn", other, Map { swap: true, sign: [-1.0, 1.0, 1.0], ..Map::SAME }))
}

/// The first foot as two of half its load, in the same place.
fn cut(body: &Body) -> Option<(&'static str, Body, Map)> {
    if body.patch.closure != Closure::Exact || body.patch.height != 0.0 {
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
    let unit = 4f64.powi(dice.below(201) as i32 - 100);
    let mut other = body.clone();
    other.mass *= unit;
    other.inertia *= unit;
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

/// An own integration of the body by Runge–Kutta steps, over the first part of its sliding.
pub fn reference(scenario: &Scenario) -> Checked {
    let Some(body) = body_of(scenario) else { return skip("no body") };
    if body.inner_mass.is_some() {
        return skip("a driven inner mass");
    }
    let told = match Told::run(scenario) {
        Ok(told) => told,
        Err(reason) => return ended(reason),
    };
    let t = told.column("t");
    // up to half of the way to the first event: the stop itself is no place for fixed steps
    let end = told.events.first().map_or(t[t.len() - 1], |event| event.t);
    let is_sliding = body.velocity != [0.0; 2] || body.spin != 0.0;
    let Some(row) = (0..t.len()).rev().find(|&i| t[i] <= 0.5 * end) else { return skip("at rest") };
    if !is_sliding || row == 0 {
        return skip("at rest");
    }
    let Ok(contact) = body.loaded_patch().prepare() else { return Err("the patch is refused".into()) };
    let state =
        [body.position[0], body.position[1], body.angle, body.velocity[0], body.velocity[1], body.spin];
    let [coarse, fine] = [400, 800].map(|steps| integrated(body, &contact, state, t[row], steps));
    let columns = ["x", "y", "angle", "vx", "vy", "omega"];
    let scale = |k: usize| size(told.column(columns[k])).max(1e-3);
    let error = (0..6).map(|k| (fine[k] - coarse[k]).abs() / scale(k)).fold(0.0, f64::max);
    if error > 1e-7 {
        return skip("the own steps are too long");
    }
    for (k, name) in columns.iter().enumerate() {
        let found = told.column(name)[row];
        if (found - fine[k]).abs() > (SAME + 10.0 * error) * scale(k) {
            return Err(format!("{name} is {found} at t = {}, but own steps give {}", t[row], fine[k]));
        }
    }
    Ok(Verdict::Passed)
}

/// Newton and Euler about the centre of mass, relative to the vibrating plane.
fn integrated(
    body: &Body,
    contact: &stiction::patch::PatchFriction,
    start: [f64; 6],
    t_end: f64,
    steps: usize,
) -> [f64; 6] {
    let h = t_end / steps as f64;
    let f = |t: f64, s: [f64; 6]| rate(body, contact, t, s);
    let add = |s: [f64; 6], c: f64, d: [f64; 6]| std::array::from_fn(|k| s[k] + c * d[k]);
    let mut s = start;
    for i in 0..steps {
        let t = i as f64 * h;
        let k1 = f(t, s);
        let k2 = f(t + 0.5 * h, add(s, 0.5 * h, k1));
        let k3 = f(t + 0.5 * h, add(s, 0.5 * h, k2));
        let k4 = f(t + h, add(s, h, k3));
        s = std::array::from_fn(|k| s[k] + h / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]));
    }
    s
}

fn rate(body: &Body, contact: &stiction::patch::PatchFriction, t: f64, s: [f64; 6]) -> [f64; 6] {
    let [_, _, angle, vx, vy, spin] = s;
    let (sin, cos) = angle.sin_cos();
    let out = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    // friction in body axes about the reference point, then in world axes
    let w = contact.wrench(Twist { vx: cos * vx + sin * vy, vy: cos * vy - sin * vx, omega: spin });
    let mut force = out([w.fx, w.fy]);
    let mut moment = w.mz;
    let c = out(body.centre_of_mass);
    let mut apply = |f: [f64; 2], m: f64, point: [f64; 2]| {
        force = [force[0] + f[0], force[1] + f[1]];
        moment += m + point[0] * f[1] - point[1] * f[0];
    };
    let downhill = body.mass * body.gravity * body.tilt.sin();
    apply([downhill * body.downhill.cos(), downhill * body.downhill.sin()], 0.0, c);
    for load in &body.forces {
        let s = (load.omega * t + load.phase).sin();
        let f = [0, 1].map(|k| load.constant[k] + load.amplitude[k] * s);
        let f = if load.axes == Axes::Body { out(f) } else { f };
        apply(f, load.moment + load.moment_amplitude * s, out(load.point));
    }
    for o in &body.vibration {
        let b = o.omega * o.omega * (o.omega * t + o.phase).sin() * body.mass;
        apply([o.amplitude[0] * b, o.amplitude[1] * b], 0.0, c);
    }
    // about the centre of mass: I α = moment − c × force; the reference point lies at −c from it
    let alpha = (moment - (c[0] * force[1] - c[1] * force[0])) / body.inertia;
    let a = [force[0] / body.mass, force[1] / body.mass];
    let ax = a[0] + alpha * c[1] + spin * spin * c[0];
    let ay = a[1] - alpha * c[0] + spin * spin * c[1];
    [vx, vy, spin, ax, ay, alpha]
}

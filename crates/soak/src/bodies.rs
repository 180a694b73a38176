//! Random bodies on the plane.

use crate::dice::Dice;
use crate::facts::integral_and_doubt;
use crate::reported::{Reported, size};
use crate::verdict::{Checked, Verdict, ended, skip};
use stiction::Faults;
use stiction::body::{Axes, Body, Force, InnerMass, MovingSurface, Oscillation, PathPoints};
use stiction::patch::{
    Annulus, Closure, Constants, Disc, Patch, Piece, Polygon, Pressure, Rectangle, Ring, Shape,
};
use stiction_study::{AnalysisKind, Scenario, SystemKind, Transient};

/// Samples of a run.
const SAMPLES: usize = 2001;
/// The energy residual over the energy turned over; the default tolerances promise ten digits.
const RESIDUAL: f64 = 1e-8;
/// Paths and energies by trapezia over the samples, relative to their sizes.
const TRAPEZIA: f64 = 2e-3;
/// Twists, positions and wrenches of two runs that mean the same, relative to their sizes: the stop amplifies
/// the tolerances of the steps, 1e-13.
pub(crate) const SAME: f64 = 1e-6;
/// The same steps in other units, relative to the motion: implicit ones solve for the motion and its works
/// together, and which equation comes first depends on the units.
pub(crate) const ROUNDED: f64 = 1e-10;

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
        body.inner_mass =
            Some(InnerMass { mass: 0.2 * mass, path, shifts_pressure: true, ..InnerMass::default() });
        lean_where_it_can(&mut body);
    }
    let duration = Some(dice.between(0.2, 1.5));
    if dice.chance(0.25) {
        move_the_ground(&mut dice, &mut body);
    }
    let is_uniform = body.patch.pressure == Pressure::Uniform && body.patch.closure == Closure::Exact;
    if body.patch.shape.is_round() && is_uniform && dice.chance(0.3) {
        body.patch.pressure = gradient(&mut dice, size);
    }
    if body.inner_mass.is_none() && dice.chance(0.15) {
        add_inner_mass(&mut dice, &mut body, mass, size);
    }
    let analysis = AnalysisKind::Transient(Transient { duration, samples: SAMPLES, ..Transient::default() });
    Scenario {
        title: String::new(),
        system: SystemKind::Body(Box::new(body)),
        integrator: None,
        analysis,
        sweep: None,
    }
}

/// A conveyor or a turntable below the body, which may ride on it.
fn move_the_ground(dice: &mut Dice, body: &mut Body) {
    let velocity = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)];
    body.surface = Some(if dice.chance(0.5) {
        MovingSurface::conveyor(velocity)
    } else {
        let centre = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)];
        MovingSurface { velocity, ..MovingSurface::turntable(dice.between(-3.0, 3.0), centre) }
    });
    if dice.chance(0.3) {
        // it rides on the surface
        let [x, y] = surface_velocity(body, body.position);
        body.velocity = [x, y];
        body.spin = body.surface.as_ref().map_or(0.0, |surface| surface.spin);
    }
}

/// A mass that moves round and round inside the body, about a point beside the middle.
fn add_inner_mass(dice: &mut Dice, body: &mut Body, mass: f64, size: f64) {
    let mut inner = InnerMass { mass: 0.3 * mass, shifts_pressure: true, ..InnerMass::default() };
    let radius = size * dice.between(0.1, 0.4);
    if dice.chance(0.5) {
        let (omega, phase) = (dice.between(2.0, 10.0), dice.between(-3.0, 3.0));
        let wave = |amplitude, turn| Oscillation { amplitude, omega, phase: phase + turn };
        inner.path = vec![wave([radius, 0.0], 0.0), wave([0.0, radius], std::f64::consts::FRAC_PI_2)];
    } else {
        let n = 3 + dice.below(4);
        let points = |dice: &mut Dice| (0..n).map(|_| radius * dice.between(-1.0, 1.0)).collect();
        let (x, y) = (points(dice), points(dice));
        inner.points = Some(PathPoints { period: dice.between(0.5, 3.0), x, y });
    }
    inner.centre = [size * dice.between(-0.2, 0.2), size * dice.between(-0.2, 0.2)];
    body.inner_mass = Some(inner);
    lean_where_it_can(body);
}

/// Patches with a load of their own and Padé closures cannot lean, and no body may tip.
fn lean_where_it_can(body: &mut Body) {
    if !Faults::of(|faults| body.check(faults)).is_empty() {
        body.inner_mass.iter_mut().for_each(|inner| inner.shifts_pressure = false);
    }
}

/// A pressure that stays positive over a shape of half the size on either side.
fn gradient(dice: &mut Dice, size: f64) -> Pressure {
    Pressure::Linear { gradient: [dice.between(-0.3, 0.3) / size, dice.between(-0.3, 0.3) / size] }
}

/// A shape about the origin with a pressure that fits it.
fn shape(dice: &mut Dice, size: f64, pieces: bool) -> (Shape, Pressure) {
    let gradient = |dice: &mut Dice| {
        if dice.chance(0.4) { self::gradient(dice, size) } else { Pressure::Uniform }
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

pub(crate) fn body_of(scenario: &Scenario) -> Option<&Body> {
    match &scenario.system {
        SystemKind::Body(body) => Some(body),
        _ => None,
    }
}

/// Velocity of the surface under a body at a place of the plane: V + Ω ẑ × (x − c) (m/s).
pub(crate) fn surface_velocity(body: &Body, [x, y]: [f64; 2]) -> [f64; 2] {
    let Some(MovingSurface { velocity, spin, centre }) = &body.surface else { return [0.0; 2] };
    [velocity[0] - spin * (y - centre[1]), velocity[1] + spin * (x - centre[0])]
}

/// The twist over the surface, row by row.
fn over_surface(body: &Body, reported: &Reported) -> [Vec<f64>; 3] {
    let [x, y, vx, vy, omega] = ["x", "y", "vx", "vy", "omega"].map(|name| reported.column(name));
    let spin = body.surface.as_ref().map_or(0.0, |surface| surface.spin);
    let carried: Vec<[f64; 2]> = x.iter().zip(y).map(|(x, y)| surface_velocity(body, [*x, *y])).collect();
    [
        vx.iter().zip(&carried).map(|(v, own)| v - own[0]).collect(),
        vy.iter().zip(&carried).map(|(v, own)| v - own[1]).collect(),
        omega.iter().map(|v| v - spin).collect(),
    ]
}

/// Consistency of the facts reported of a body: energy, facts by the columns, rest after the stop, friction
/// that takes and never gives.
pub fn facts(scenario: &Scenario) -> Checked {
    let Some(body) = body_of(scenario) else { return skip("no body") };
    let reported = match Reported::run(scenario) {
        Ok(reported) => reported,
        Err(reason) => return ended(reason),
    };
    for (name, column) in &reported.columns {
        if let Some(i) = column.iter().position(|x| !x.is_finite()) {
            return Err(format!("column {name} is {} at row {i}", column[i]));
        }
    }
    let [t, x, y, angle, vx, vy, omega, fx, fy, mz] =
        ["t", "x", "y", "angle", "vx", "vy", "omega", "fx", "fy", "mz"].map(|name| reported.column(name));
    // friction takes from what slides over the surface
    let [ux, uy, slip] = over_surface(body, &reported);
    let power = |i: usize| fx[i] * ux[i] + fy[i] * uy[i] + mz[i] * slip[i];
    let [loss, doubt] = integral_and_doubt(t, |i| -power(i));
    let gross = loss.abs() + reported.fact("initial_energy").abs() + reported.fact("work_in").abs() + 1e-12;
    let residual = reported.fact("energy_residual");
    if residual.abs() > RESIDUAL * gross {
        return Err(format!("the energy residual is {residual:e} of {gross:e} J"));
    }
    let speed = size(&ux).hypot(size(&uy)).max(size(vx).hypot(size(vy)));
    if let Some(i) = (0..t.len()).find(|&i| power(i) > 1e-9 * (size(fx).hypot(size(fy)) * speed + 1e-9)) {
        return Err(format!("friction gives {} W at t = {}", power(i), t[i]));
    }
    let last = t.len() - 1;
    let [path, path_doubt] = integral_and_doubt(t, |i| ux[i].hypot(uy[i]));
    // a trapezium over a stop is off by half a step of it, and a start and a stop within a step show nowhere
    let step = t[last] / last as f64;
    let corner = step * speed + 10.0 * step * step;
    for (name, found, room) in [
        ("friction_loss", loss, TRAPEZIA * gross + doubt),
        ("path", path, TRAPEZIA * path + corner + path_doubt + 1e-30),
        ("displacement_x", x[last] - body.position[0], 1e-9 * (path + size(x))),
        ("displacement_y", y[last] - body.position[1], 1e-9 * (path + size(y))),
        ("revolutions", (angle[last] - body.angle) / std::f64::consts::TAU, 1e-9 * (1.0 + size(angle))),
    ] {
        let fact = reported.fact(name);
        if !((fact - found).abs() <= room) {
            return Err(format!("{name} is said to be {fact}, but the columns give {found}"));
        }
    }
    let still = body.surface.as_ref().map_or(0.0, |_| ROUNDED * (size(vx) + size(vy) + size(omega)));
    rest(&reported, [t, &ux, &uy, &slip], still)?;
    motion(&reported, [t, x, y, angle], [vx, vy, omega])?;
    Ok(Verdict::Passed)
}

/// Between a stop and the next start nothing moves over the surface, but for the rounding of what carries it.
fn rest(reported: &Reported, [t, vx, vy, omega]: [&[f64]; 4], still: f64) -> Result<(), String> {
    use stiction::event::EventKind;
    let mut since: Option<f64> = None;
    let mut spans = Vec::new();
    for event in &reported.events {
        match event.kind {
            EventKind::Stick => since = Some(event.t),
            _ => spans.extend(since.take().map(|from| (from, event.t))),
        }
    }
    spans.extend(since.map(|from| (from, f64::INFINITY)));
    for (from, to) in spans {
        let moving = (0..t.len())
            .find(|&i| t[i] > from && t[i] < to && [vx[i], vy[i], omega[i]].iter().any(|v| v.abs() > still));
        if let Some(i) = moving {
            return Err(format!("at rest from {from} to {to}, but it moves at t = {}", t[i]));
        }
    }
    Ok(())
}

/// Positions are the integrals of velocities.
fn motion(
    reported: &Reported,
    [t, x, y, angle]: [&[f64]; 4],
    [vx, vy, omega]: [&[f64]; 3],
) -> Result<(), String> {
    for (name, q, v) in [("x", x, vx), ("y", y, vy), ("angle", angle, omega)] {
        let mut sum = 0.0;
        let rate = size(v);
        for i in 1..t.len() {
            sum += 0.5 * (t[i] - t[i - 1]) * (v[i] + v[i - 1]);
            let room = TRAPEZIA * rate * t[i]
                + 2.0 * rate * (t[i] - t[i - 1]) * (1.0 + reported.events.len() as f64)
                + 10.0 * (t[i] - t[i - 1]).powi(2) * reported.events.len() as f64
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

//! An own integration of bodies on the plane, in axes that do not move, by Runge–Kutta steps of equal length.

use crate::bodies::{SAME, body_of, surface_velocity};
use crate::reported::{Reported, size};
use crate::verdict::{Checked, Verdict, ended, skip};
use stiction::body::{Axes, Body};
use stiction::patch::{PatchFriction, Twist};
use stiction_study::Scenario;

/// An own integration of the body by Runge–Kutta steps, over the first part of its sliding.
pub fn reference(scenario: &Scenario) -> Checked {
    let Some(body) = body_of(scenario) else { return skip("no body") };
    if body.inner_mass.is_some() {
        return skip("a driven inner mass");
    }
    let reported = match Reported::run(scenario) {
        Ok(reported) => reported,
        Err(reason) => return ended(reason),
    };
    let t = reported.column("t");
    // up to half of the way to the first event: the stop itself is no place for fixed steps
    let end = reported.events.first().map_or(t[t.len() - 1], |event| event.t);
    let spin = body.surface.as_ref().map_or(0.0, |surface| surface.spin);
    let is_sliding = body.velocity != surface_velocity(body, body.position) || body.spin != spin;
    let Some(row) = (0..t.len()).rev().find(|&i| t[i] <= 0.5 * end) else { return skip("at rest") };
    if !is_sliding || row == 0 {
        return skip("at rest");
    }
    let Ok(contact) = body.loaded_patch().prepare() else { return Err("the patch is refused".into()) };
    let state =
        [body.position[0], body.position[1], body.angle, body.velocity[0], body.velocity[1], body.spin];
    let [coarse, fine] = [400, 800].map(|steps| integrated(body, &contact, state, t[row], steps));
    let columns = ["x", "y", "angle", "vx", "vy", "omega"];
    let scale = |k: usize| size(reported.column(columns[k])).max(1e-3);
    let error = (0..6).map(|k| (fine[k] - coarse[k]).abs() / scale(k)).fold(0.0, f64::max);
    if error > 1e-7 {
        return skip("the own steps are too long");
    }
    for (k, name) in columns.iter().enumerate() {
        let found = reported.column(name)[row];
        if (found - fine[k]).abs() > (SAME + 10.0 * error) * scale(k) {
            return Err(format!("{name} is {found} at t = {}, but own steps give {}", t[row], fine[k]));
        }
    }
    Ok(Verdict::Passed)
}

/// Newton and Euler about the centre of mass, relative to the vibrating plane.
fn integrated(body: &Body, contact: &PatchFriction, start: [f64; 6], t_end: f64, steps: usize) -> [f64; 6] {
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

fn rate(body: &Body, contact: &PatchFriction, t: f64, s: [f64; 6]) -> [f64; 6] {
    let [x, y, angle, vx, vy, spin] = s;
    let [sx, sy] = surface_velocity(body, [x, y]);
    let over = spin - body.surface.as_ref().map_or(0.0, |surface| surface.spin);
    let (ux, uy) = (vx - sx, vy - sy);
    let (sin, cos) = angle.sin_cos();
    let out = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    // friction in body axes about the reference point, then in world axes
    let w = contact.wrench(Twist { vx: cos * ux + sin * uy, vy: cos * uy - sin * ux, omega: over });
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
    let alpha = (moment - (c[0] * force[1] - c[1] * force[0])) / body.moment_of_inertia().unwrap_or(f64::NAN);
    let a = [force[0] / body.mass, force[1] / body.mass];
    let ax = a[0] + alpha * c[1] + spin * spin * c[0];
    let ay = a[1] - alpha * c[0] + spin * spin * c[1];
    [vx, vy, spin, ax, ay, alpha]
}

//! Bodies for the tests, and an independent integration of their motion.
#![allow(dead_code)]

use stiction::Progress;
use stiction::body::{Axes, Body, BodyRun, MovingSurface, Pose};
use stiction::patch::{Annulus, Disc, Patch, PatchFriction, Pressure, Rectangle, Shape, Twist, Wrench};

/// Part of the energy that went into a run by which the balance may fail.
pub const BALANCE: f64 = 1e-10;

pub const RADIUS: f64 = 0.1;
pub const MASS: f64 = 2.0;
pub const MU: f64 = 0.3;
pub const GRAVITY: f64 = 9.81;

pub fn disc(pressure: Pressure, inertia: f64) -> Body {
    body(Shape::Disc(Disc { radius: RADIUS }), pressure, inertia)
}

/// `inertia` as a multiple of the mass times the square of `RADIUS`.
pub fn body(shape: Shape, pressure: Pressure, inertia: f64) -> Body {
    Body::new(MASS, inertia * MASS * RADIUS * RADIUS, Patch::new(shape, pressure, MU, 0.0))
}

/// Paper D's body: 0.5 m × 0.2 m, 1 kg, friction coefficient 1.
pub fn rectangle(mu: f64) -> Body {
    let (a, b) = (0.5, 0.2);
    let patch = Patch::new(Shape::Rectangle(Rectangle { length: a, width: b }), Pressure::Uniform, mu, 0.0);
    Body::new(1.0, (a * a + b * b) / 12.0, patch)
}

/// Runs and checks the balance of energy.
pub fn run(body: &Body, t_end: f64, times: &[f64]) -> BodyRun {
    let outcome =
        body.simulation(&Body::settings()).unwrap().run(t_end, times, &mut Progress::none()).unwrap();
    let s = &outcome.summary;
    let scale = s.initial_energy + s.friction_loss + s.work_in.abs();
    assert!(s.residual.abs() <= BALANCE * scale, "balance off by {} of {scale}", s.residual);
    if s.initial_energy > 0.0
        && body.forces.is_empty()
        && body.tilt == 0.0
        && body.inner_mass.is_none()
        && body.surface.is_none()
    {
        assert!(s.residual.abs() <= BALANCE * s.initial_energy);
    }
    outcome
}

/// Position, angle, momentum and angular momentum about the origin, all in world axes: laws that know no mass
/// matrix.
pub type Momenta = [f64; 6];

/// The same body by the classical Runge–Kutta method in momenta.
pub struct Reference<'a> {
    body: &'a Body,
    contact: PatchFriction,
}

impl<'a> Reference<'a> {
    pub fn new(body: &'a Body) -> Self {
        Self { body, contact: body.loaded_patch().prepare().unwrap() }
    }

    /// The same with friction that falls to zero below a speed, so that small steps can start from rest.
    pub fn creeping(body: &'a Body, width: f64) -> Self {
        let patch = Patch { width, ..body.loaded_patch() };
        Self { body, contact: patch.prepare().unwrap() }
    }

    /// Masses with their places and velocities relative to the body's axes.
    fn masses(&self, t: f64) -> [(f64, [f64; 2], [f64; 2]); 2] {
        let mut inner = (0.0, [0.0; 2], [0.0; 2]);
        if let Some(i) = &self.body.inner_mass {
            inner = (i.mass, i.centre, [0.0; 2]);
            for o in &i.path {
                for k in 0..2 {
                    inner.1[k] += o.amplitude[k] * (o.omega * t + o.phase).sin();
                    inner.2[k] += o.amplitude[k] * o.omega * (o.omega * t + o.phase).cos();
                }
            }
        }
        [(self.body.mass, self.body.centre_of_mass, [0.0; 2]), inner]
    }

    pub fn momenta(&self, t: f64, state: &Pose) -> Momenta {
        let mut z = [
            state.x,
            state.y,
            state.angle,
            0.0,
            0.0,
            self.body.moment_of_inertia().unwrap_or(f64::NAN) * state.twist.omega,
        ];
        for (m, r, r_dot) in self.masses(t) {
            let (arm, slip) = (turned(state.angle, r), turned(state.angle, r_dot));
            let v = [
                state.twist.vx - state.twist.omega * arm[1] + slip[0],
                state.twist.vy + state.twist.omega * arm[0] + slip[1],
            ];
            z[3] += m * v[0];
            z[4] += m * v[1];
            z[5] += m * ((state.x + arm[0]) * v[1] - (state.y + arm[1]) * v[0]);
        }
        z
    }

    /// The twist of the reference point in world axes, from the momenta.
    pub fn twist(&self, t: f64, z: &Momenta) -> Twist {
        // P = m v + ω ẑ × S + p,  L_O = L − x × P = J ω + S × v + ω Σmr² + l
        let (mut m, mut s, mut j) = (0.0, [0.0; 2], self.body.moment_of_inertia().unwrap_or(f64::NAN));
        let (mut p, mut l) = ([z[3], z[4]], z[5] - z[0] * z[4] + z[1] * z[3]);
        for (mass, r, r_dot) in self.masses(t) {
            let (arm, slip) = (turned(z[2], r), turned(z[2], r_dot));
            m += mass;
            s = [s[0] + mass * arm[0], s[1] + mass * arm[1]];
            j += mass * (arm[0] * arm[0] + arm[1] * arm[1]);
            p = [p[0] - mass * slip[0], p[1] - mass * slip[1]];
            l -= mass * (arm[0] * slip[1] - arm[1] * slip[0]);
        }
        let omega = (l - (s[0] * p[1] - s[1] * p[0]) / m) / (j - (s[0] * s[0] + s[1] * s[1]) / m);
        Twist { vx: (p[0] + omega * s[1]) / m, vy: (p[1] - omega * s[0]) / m, omega }
    }

    fn rate(&self, t: f64, z: &Momenta) -> Momenta {
        let b = self.body;
        let v = self.twist(t, z);
        let w = self.friction(t, z[2], self.over_surface(z, v));
        let mut dz = [v.vx, v.vy, v.omega, 0.0, 0.0, w.mz];
        let mut push = |place: [f64; 2], force: [f64; 2]| {
            dz[3] += force[0];
            dz[4] += force[1];
            dz[5] += place[0] * force[1] - place[1] * force[0];
        };
        let at = |r: [f64; 2]| {
            let arm = turned(z[2], r);
            [z[0] + arm[0], z[1] + arm[1]]
        };
        push([z[0], z[1]], [w.fx, w.fy]);
        let mut moments = 0.0;
        for f in &b.forces {
            let wave = (f.omega * t + f.phase).sin();
            let mut force = [f.constant[0] + wave * f.amplitude[0], f.constant[1] + wave * f.amplitude[1]];
            if f.axes == Axes::Body {
                force = turned(z[2], force);
            }
            push(at(f.point), force);
            moments += f.moment + wave * f.moment_amplitude;
        }
        let pull = b.gravity * b.tilt.sin();
        let mut field = [pull * b.downhill.cos(), pull * b.downhill.sin()];
        for o in &b.vibration {
            let wave = o.omega * o.omega * (o.omega * t + o.phase).sin();
            field = [field[0] + wave * o.amplitude[0], field[1] + wave * o.amplitude[1]];
        }
        for (m, r, _) in self.masses(t) {
            push(at(r), [m * field[0], m * field[1]]);
        }
        dz[5] += moments;
        dz
    }

    /// What is left of a twist relative to the surface.
    fn over_surface(&self, z: &Momenta, v: Twist) -> Twist {
        let Some(surface) = &self.body.surface else { return v };
        let MovingSurface { velocity, spin, centre } = surface;
        Twist {
            vx: v.vx - velocity[0] + spin * (z[1] - centre[1]),
            vy: v.vy - velocity[1] - spin * (z[0] - centre[0]),
            omega: v.omega - spin,
        }
    }

    /// About the reference point, in world axes.
    fn friction(&self, t: f64, angle: f64, v: Twist) -> Wrench {
        let local = turned(-angle, [v.vx, v.vy]);
        let local = Twist { vx: local[0], vy: local[1], omega: v.omega };
        let shifts = self.body.inner_mass.as_ref().is_some_and(|inner| inner.shifts_pressure);
        let w = if shifts {
            self.patch_at(t).prepare().unwrap().wrench(local)
        } else {
            self.contact.wrench(local)
        };
        let force = turned(angle, [w.fx, w.fy]);
        Wrench { fx: force[0], fy: force[1], mz: w.mz }
    }

    /// The patch with the pressure that the weights of both masses ask for at `t`: linear under a rectangle,
    /// that of statics under three feet.
    pub fn patch_at(&self, t: f64) -> Patch {
        let masses = self.masses(t);
        let total: f64 = masses.iter().map(|mass| mass.0).sum();
        let centre = [0, 1].map(|k| masses.iter().map(|(m, r, _)| m * r[k]).sum::<f64>() / total);
        let patch = self.body.loaded_patch();
        match patch.shape.clone() {
            Shape::Rectangle(Rectangle { length, width }) => {
                let gradient = [12.0 * centre[0] / (length * length), 12.0 * centre[1] / (width * width)];
                Patch { pressure: Pressure::Linear { gradient }, ..patch }
            }
            Shape::Disc(Disc { radius }) => {
                let gradient = centre.map(|c| 4.0 * c / (radius * radius));
                Patch { pressure: Pressure::Linear { gradient }, ..patch }
            }
            Shape::Annulus(Annulus { inner, outer }) => {
                let gradient = centre.map(|c| 4.0 * c / (inner * inner + outer * outer));
                Patch { pressure: Pressure::Linear { gradient }, ..patch }
            }
            Shape::Pieces(mut feet) => {
                // shares of a point in a triangle
                let at: Vec<[f64; 2]> = feet.iter().map(|foot| foot.centre).collect();
                let area = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
                    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
                };
                for i in 0..3 {
                    feet[i].share =
                        area(centre, at[(i + 1) % 3], at[(i + 2) % 3]) / area(at[0], at[1], at[2]);
                }
                Patch { shape: Shape::Pieces(feet), ..patch }
            }
            _ => unreachable!("a rectangle or three feet"),
        }
    }

    /// `n` steps from `t` to `t_end`.
    pub fn advance(&self, mut z: Momenta, t: f64, t_end: f64, n: usize) -> Momenta {
        let h = (t_end - t) / n as f64;
        let moved = |z: &Momenta, h: f64, k: &Momenta| std::array::from_fn(|i| z[i] + h * k[i]);
        for i in 0..n {
            let t = t + i as f64 * h;
            let k1 = self.rate(t, &z);
            let k2 = self.rate(t + 0.5 * h, &moved(&z, 0.5 * h, &k1));
            let k3 = self.rate(t + 0.5 * h, &moved(&z, 0.5 * h, &k2));
            let k4 = self.rate(t + h, &moved(&z, h, &k3));
            z = std::array::from_fn(|i| z[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        }
        z
    }

    /// Largest difference between a sample and the momenta, in position, angle and twist.
    pub fn distance(&self, z: &Momenta, state: &Pose) -> f64 {
        let v = self.twist(state.t, z);
        [
            z[0] - state.x,
            z[1] - state.y,
            z[2] - state.angle,
            v.vx - state.twist.vx,
            v.vy - state.twist.vy,
            v.omega - state.twist.omega,
        ]
        .iter()
        .fold(0.0, |max, d| f64::max(max, d.abs()))
    }
}

pub fn turned(angle: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

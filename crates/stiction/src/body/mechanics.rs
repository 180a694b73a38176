//! The equations of motion.
//!
//! In body axes, with u and ω the twist at the centre of mass C, r(t) the inner mass relative to C, h the field
//! (gravity along the plane less the acceleration of the plane), and F, M all other loads about C, friction included:
//!
//! ```text
//!   m(a − h) + m₁(a₁ − h) = F                     a  = u̇ + ω ẑ × u
//!   J ω̇ + r × m₁(a₁ − h)  = M                     a₁ = a + ω̇ ẑ × r + β,   β = r̈ + 2ω ẑ × ṙ − ω² r
//! ```
//!
//! With m_t = m + m₁ and m* = m m₁/m_t this solves to
//!
//! ```text
//!   (J + m* r²) ω̇ = M − (m₁/m_t) r × F − m* r × β,     a = h + (F − m₁β − m₁ω̇ ẑ × r)/m_t
//! ```
//!
//! If the inner mass shifts the pressure, friction is that of the leaning patch (see `leaning.rs`).
//!
//! On a turntable h is the field at C in its axes, and β has the spin in space, ω + Ω, in place of ω.

use super::leaning::Leaning;
use super::surface::SurfaceFrame;
use super::{Axes, Body, Force, InnerMass, Oscillation};
use crate::Fault;
use crate::math::plane::{Turn, cross, dot2, plus, turned};
use crate::patch::{LimitSurface, Patch, PatchFriction, Twist, Wrench};

/// R/k up to which a disc is taken to be slow: a uniform disc has 1.4.
const SLOW: f64 = 2.0;

/// A checked body, ready to be evaluated; forces and the inner mass are placed relative to the centre of mass.
#[derive(Clone, Debug)]
pub(super) struct Mechanics {
    pub mass: f64,
    pub inertia: f64,
    /// Centre of mass relative to the reference point.
    pub offset: [f64; 2],
    /// Gravity along the plane, in world axes.
    pub gravity: [f64; 2],
    pub forces: Vec<Force>,
    pub vibration: Vec<Oscillation>,
    pub inner: InnerMass,
    /// Axes of the surface, if it moves.
    pub frame: Option<SurfaceFrame>,
    /// Both refer to the centre of mass.
    pub contact: PatchFriction,
    pub surface: LimitSurface,
    /// How the inner mass shifts the pressure, if it does.
    pub leaning: Option<Leaning>,
    /// μN.
    pub grip: f64,
    /// Whether the body looks the same from all sides of its centre of mass.
    is_round: bool,
    /// Whether no load acts on it but gravity.
    pub is_unloaded: bool,
}

/// What acts on the body at one moment apart from friction, in body axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLoad {
    pub force: [f64; 2],
    pub moment: f64,
    pub field: [f64; 2],
    /// Inner mass relative to the centre of mass, and its derivatives.
    pub r: [f64; 2],
    pub r_dot: [f64; 2],
    pub r_ddot: [f64; 2],
}

/// Acceleration of the centre of mass in body axes, its angular part, and the power of all loads but friction.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyAcceleration {
    pub linear: [f64; 2],
    pub angular: f64,
    pub power: f64,
}

impl Mechanics {
    pub fn new(body: &Body) -> Result<Self, Vec<Fault>> {
        let offset = body.centre_of_mass;
        let from_centre = |p: [f64; 2]| plus(p, -1.0, offset);
        let loaded = body.loaded_patch();
        let patch = Patch { centre: from_centre(loaded.centre), ..loaded };
        let mut forces = body.forces.clone();
        for force in &mut forces {
            force.point = from_centre(force.point);
        }
        let inner = body.inner_mass.clone().unwrap_or_default().waves_about(offset);
        let pull = body.gravity * libm::sin(body.tilt);
        let (contact, surface, leaning) = if inner.shifts_pressure {
            let contact = patch.prepare_leaning()?;
            let leaning = Leaning::new(&contact, &inner, inner.mass / (body.mass + inner.mass));
            (contact, patch.leaning_limit_surface()?, leaning)
        } else {
            (patch.prepare()?, patch.limit_surface()?, None)
        };
        let is_round = contact.is_round()
            && offset == [0.0; 2]
            && inner.mass == 0.0
            && forces.iter().all(|f| f.axes == Axes::World && f.point == [0.0; 2]);
        let is_unloaded =
            forces.is_empty() && body.vibration.is_empty() && inner.path.is_empty() && body.surface.is_none();
        Ok(Self {
            is_round,
            is_unloaded,
            mass: body.mass,
            // one that is not known has been refused
            inertia: body.moment_of_inertia().unwrap_or(f64::NAN),
            offset,
            gravity: Turn::by(body.downhill).out([pull, 0.0]),
            forces,
            vibration: body.vibration.clone(),
            inner,
            frame: body.surface.as_ref().map(SurfaceFrame::new),
            grip: patch.mu * patch.load,
            contact,
            surface,
            leaning,
        })
    }

    /// How the axes in which the loads are reckoned stand while the body has turned by `angle`: the body's, or those of the world, which
    /// do as well if it looks the same from all sides.
    #[inline]
    pub fn turn(&self, angle: f64) -> Turn {
        if self.is_round { Turn::NONE } else { Turn::by(angle) }
    }

    /// Whether its friction in world axes is that of its twist in world axes, about the reference point too.
    pub fn is_plain(&self) -> bool {
        self.is_round && self.frame.is_none()
    }

    /// Whether nothing in logarithmic time is much faster than the time itself: the moment of a disc answers the spin at a rate of
    /// R²/k², its force the velocity at a rate of one.
    pub fn is_slow(&self) -> bool {
        let ratio = self.size() / self.gyration();
        self.is_plain() && self.is_unloaded && !self.contact.is_regularised() && ratio <= SLOW
    }

    /// The loads on the body at `t`, with its centre of mass at `place` and moving with `velocity` over the surface.
    pub fn load(&self, t: f64, turn: Turn, place: [f64; 2], velocity: [f64; 2]) -> BodyLoad {
        if self.is_unloaded {
            let field = turn.back(self.gravity);
            let [r_dot, r_ddot] = [[0.0; 2]; 2];
            return BodyLoad { force: [0.0; 2], moment: 0.0, field, r: self.inner.centre, r_dot, r_ddot };
        }
        // from the axes of the plane into those of the body
        let from_plane = |vector: [f64; 2]| match &self.frame {
            None => turn.back(vector),
            Some(frame) => turn.back(frame.turn(t).back(vector)),
        };
        let (mut force, mut moment) = ([0.0; 2], 0.0);
        for f in &self.forces {
            let wave = libm::sin(f.omega * t + f.phase);
            let mut push = plus(f.constant, wave, f.amplitude);
            if f.axes == Axes::World {
                push = from_plane(push);
            }
            force = plus(force, 1.0, push);
            moment += cross(f.point, push) + f.moment + wave * f.moment_amplitude;
        }
        let mut field = self.gravity;
        for b in &self.vibration {
            field = plus(field, b.omega * b.omega * libm::sin(b.omega * t + b.phase), b.amplitude);
        }
        let [r, r_dot, r_ddot] = self.inner_path(t);
        field = from_plane(field);
        if let Some(frame) = &self.frame {
            field = plus(field, 1.0, turn.back(frame.field(place, velocity)));
        }
        BodyLoad { force, moment, field, r, r_dot, r_ddot }
    }

    /// The inner mass relative to the centre of mass at `t`, and its derivatives.
    pub fn inner_path(&self, t: f64) -> [[f64; 2]; 3] {
        let (mut r, mut r_dot, mut r_ddot) = (self.inner.centre, [0.0; 2], [0.0; 2]);
        for p in &self.inner.path {
            let (sin, cos) = libm::sincos(p.omega * t + p.phase);
            r = plus(r, sin, p.amplitude);
            r_dot = plus(r_dot, p.omega * cos, p.amplitude);
            r_ddot = plus(r_ddot, -p.omega * p.omega * sin, p.amplitude);
        }
        [r, r_dot, r_ddot]
    }

    /// The lean of the pressure while the inner mass is at `r` (1/m).
    pub fn lean(&self, r: [f64; 2]) -> [f64; 2] {
        self.leaning.as_ref().map_or([0.0; 2], |leaning| leaning.at(r))
    }

    /// The same at `t`.
    pub fn lean_at(&self, t: f64) -> [f64; 2] {
        if self.leaning.is_some() { self.lean(self.inner_path(t)[0]) } else { [0.0; 2] }
    }

    /// The motion's answer to a load and to friction; `twist` at the centre of mass in body axes.
    pub fn response(&self, load: &BodyLoad, twist: Twist, friction: Wrench) -> BodyAcceleration {
        let BodyLoad { r, r_dot, field, .. } = *load;
        let (m, m1, omega) = (self.mass, self.inner.mass, twist.omega);
        let u = [twist.vx, twist.vy];
        let force = plus(load.force, 1.0, [friction.fx, friction.fy]);
        if m1 == 0.0 {
            let linear = plus(field, 1.0, force.map(|f| f / m));
            let power = dot2(load.force, u) + load.moment * omega + m * dot2(field, u);
            return BodyAcceleration { linear, angular: (load.moment + friction.mz) / self.inertia, power };
        }
        let total = m + m1;
        let reduced = m * m1 / total;
        let in_space = omega + self.surface_spin();
        let beta = plus(plus(load.r_ddot, 2.0 * in_space, turned(r_dot)), -in_space * in_space, r);

        let torque = load.moment + friction.mz - m1 / total * cross(r, force) - reduced * cross(r, beta);
        let angular = torque / (self.inertia + reduced * dot2(r, r));
        let push = plus(plus(force, -m1, beta), -m1 * angular, turned(r));
        let free = push.map(|f| f / total);
        let linear = plus(field, 1.0, free);

        // the loads, the field on both masses, and the drive of the inner one
        let inner_velocity = plus(plus(u, omega, turned(r)), 1.0, r_dot);
        let drive = plus(plus(free, angular, turned(r)), 1.0, beta);
        let power = dot2(load.force, u)
            + load.moment * omega
            + m * dot2(field, u)
            + m1 * (dot2(self.inner_field(load, omega), inner_velocity) + dot2(drive, r_dot));
        BodyAcceleration { linear, angular, power }
    }

    /// The wrench about the centre of mass that friction must hold for the body to stay at rest.
    pub fn held(&self, load: &BodyLoad) -> Wrench {
        let m1 = self.inner.mass;
        let pull = plus(self.inner_field(load, 0.0), -1.0, load.r_ddot);
        let force = plus(plus(load.force, self.mass, load.field), m1, pull);
        Wrench { fx: force[0], fy: force[1], mz: load.moment + m1 * cross(load.r, pull) }
    }

    fn surface_spin(&self) -> f64 {
        self.frame.map_or(0.0, |frame| frame.spin)
    }

    /// The field at the inner mass, at this spin over the surface.
    fn inner_field(&self, load: &BodyLoad, omega: f64) -> [f64; 2] {
        let spin = self.surface_spin();
        let away = plus(load.field, spin * (spin + 2.0 * omega), load.r);
        plus(away, -2.0 * spin, turned(load.r_dot))
    }

    /// Mass matrix of the twist at the centre of mass.
    pub fn inertia_matrix(&self, load: &BodyLoad) -> [[f64; 3]; 3] {
        let m1 = self.inner.mass;
        let [x, y] = load.r.map(|v| m1 * v);
        let total = self.mass + m1;
        [[total, 0.0, -y], [0.0, total, x], [-y, x, self.inertia + m1 * dot2(load.r, load.r)]]
    }

    /// Kinetic energy relative to the plane; `twist` at the centre of mass in body axes (J).
    pub fn energy(&self, load: &BodyLoad, twist: Twist) -> f64 {
        let u = [twist.vx, twist.vy];
        let inner = plus(plus(u, twist.omega, turned(load.r)), 1.0, load.r_dot);
        0.5 * (self.mass * dot2(u, u)
            + self.inertia * twist.omega * twist.omega
            + self.inner.mass * dot2(inner, inner))
    }

    /// The wrench as a fraction of the largest one in its direction that the patch holds (-).
    pub fn load_factor(&self, wrench: Wrench) -> f64 {
        self.load_factor_leaning(wrench, [0.0; 2])
    }

    /// The same while the pressure leans.
    pub fn load_factor_leaning(&self, wrench: Wrench, lean: [f64; 2]) -> f64 {
        if self.grip > 0.0 {
            self.surface.limit_leaning(wrench, lean).factor
        } else if wrench == Wrench::default() {
            0.0
        } else {
            f64::INFINITY
        }
    }

    /// The deceleration of sliding, or 1 without friction: a unit for accelerations (m/s²).
    pub fn deceleration(&self) -> f64 {
        if self.grip > 0.0 { self.grip / (self.mass + self.inner.mass) } else { 1.0 }
    }

    /// Radius of gyration, which turns spin into speed (m).
    pub fn gyration(&self) -> f64 {
        (self.inertia / self.mass).sqrt()
    }

    /// Size of the patch (m).
    pub fn size(&self) -> f64 {
        self.contact.scale
    }
}

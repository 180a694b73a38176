//! Surfaces that move over the plane: a conveyor, a turntable.
//!
//! Friction sees the twist relative to the surface, which is a rigid motion too. So a body is computed in the axes of its
//! surface, in which rest is rest; they coincide with those of the plane at t = 0. With Ω the spin of the surface, d the
//! position relative to its centre and u the velocity, both in its axes, every part of the body feels the field
//!
//! ```text
//!   h_s = Ω² d − 2Ω ẑ × u
//! ```
//!
//! beside the loads of the plane, which turn backwards in these axes. A conveyor moves uniformly and adds nothing.

use crate::Faults;
use crate::math::plane::{Turn, plus, turned};
use crate::patch::Twist;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// A surface that moves over the plane, under the body: a conveyor has a velocity, a turntable a spin about its centre.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize, JsonSchema),
    serde(deny_unknown_fields, default)
)]
pub struct MovingSurface {
    /// Velocity of the surface, at the centre if it spins, in world axes (m/s).
    pub velocity: [f64; 2],
    /// Spin of the surface, counter-clockwise (rad/s).
    pub spin: f64,
    /// The point about which it spins, in world axes (m).
    pub centre: [f64; 2],
}

impl MovingSurface {
    /// A belt that moves uniformly.
    pub fn conveyor(velocity: [f64; 2]) -> Self {
        Self { velocity, ..Self::default() }
    }

    /// A table that turns about a point.
    pub fn turntable(spin: f64, centre: [f64; 2]) -> Self {
        Self { spin, centre, ..Self::default() }
    }

    /// Writes down every fault.
    pub(super) fn check(&self, faults: &mut Faults) {
        for (key, point) in [("velocity", self.velocity), ("centre", self.centre)] {
            point.iter().for_each(|x| _ = faults.finite(key, *x));
        }
        faults.finite("spin", self.spin);
    }
}

/// A difference of velocities that is smaller than this part of its terms is rounding: the body rides on the surface.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The axes of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceFrame {
    velocity: [f64; 2],
    pub spin: f64,
    pub centre: [f64; 2],
}

impl SurfaceFrame {
    pub fn new(surface: &MovingSurface) -> Self {
        let MovingSurface { velocity, spin, centre } = *surface;
        if spin == 0.0 {
            return Self { velocity, spin, centre };
        }
        // a spin and a velocity are a spin about another point: V + Ω ẑ × (x − c) = Ω ẑ × (x − c − ẑ × V/Ω)
        Self { velocity: [0.0; 2], spin, centre: plus(centre, 1.0 / spin, turned(velocity)) }
    }

    /// How its axes stand at `t`.
    pub fn turn(&self, t: f64) -> Turn {
        Turn::by(self.spin * t)
    }

    /// The field at a place and velocity in its axes (m/s²).
    pub fn field(&self, place: [f64; 2], velocity: [f64; 2]) -> [f64; 2] {
        let away = plus(place, -1.0, self.centre).map(|d| self.spin * self.spin * d);
        plus(away, -2.0 * self.spin, turned(velocity))
    }

    /// Velocity of the surface at a place of the plane (m/s).
    fn velocity(&self, place: [f64; 2]) -> [f64; 2] {
        plus(self.velocity, self.spin, turned(plus(place, -1.0, self.centre)))
    }

    /// The twist at t = 0 of a point of the body, relative to the surface.
    pub fn relative(&self, place: [f64; 2], twist: Twist) -> Twist {
        let [sx, sy] = self.velocity(place);
        let less = |own: f64, surface: f64| {
            let difference = own - surface;
            if difference.abs() <= ROUNDING * (own.abs() + surface.abs()) { 0.0 } else { difference }
        };
        Twist { vx: less(twist.vx, sx), vy: less(twist.vy, sy), omega: less(twist.omega, self.spin) }
    }

    /// Place, angle and twist of a point of the body at `t`, relative to the plane.
    pub fn in_plane(&self, t: f64, place: [f64; 2], angle: f64, twist: Twist) -> ([f64; 2], f64, Twist) {
        let turn = self.turn(t);
        let arm = turn.out(plus(place, -1.0, self.centre));
        let moved = plus(plus(self.centre, t, self.velocity), 1.0, arm);
        let carried = plus(self.velocity, self.spin, turned(arm));
        let [vx, vy] = plus(carried, 1.0, turn.out([twist.vx, twist.vy]));
        (moved, angle + self.spin * t, Twist { vx, vy, omega: twist.omega + self.spin })
    }
}

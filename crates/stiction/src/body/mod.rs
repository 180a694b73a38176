//! Rigid bodies that slide and spin on a plane.
//!
//! ```text
//!   m u̇ = F + F_friction + m h,   J ω̇ = M + M_friction        u the velocity of the centre of mass
//! ```
//!
//! with the friction wrench of a contact patch. Pose and twist are *relative to the plane*: a plane that vibrates by
//! b(t) adds the field −b̈ to h, gravity on an incline adds g sin(tilt) downhill. They refer to the reference point of
//! the patch, the origin of the body's axes, which need not be the centre of mass. Over the plane a surface may move
//! under the body ([`MovingSurface`]): friction then sees the twist relative to it.
//!
//! [`Body`] is plain data; [`Body::simulation`] checks it and returns a [`Simulation`], which is either sliding or at
//! rest. At rest nothing moves, bit by bit, until the applied wrench leaves the limit surface. Sliding stops in finite
//! time, translation and spin together (@farkas2003, @weidman2005).
//!
//! ```
//! use stiction::Progress;
//! use stiction::body::Body;
//! use stiction::patch::{Disc, Patch, Pressure, Shape};
//!
//! let disc = Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Uniform, 0.3, 0.0);
//! let puck = Body { velocity: [1.0, 0.0], spin: 30.0, ..Body::new(0.5, 0.0025, disc) };
//! let mut simulation = puck.simulation(&Body::settings()).expect("a sound body");
//! let summary = simulation.run(10.0, &[], &mut Progress::none())?.summary;
//! println!("stops after {:?} s and {} m", summary.stop_time, summary.path);
//! // without spin it would stop after v/(μg) = 0.34 s
//! assert!(summary.stop_time.is_some_and(|t| t > 0.34));
//! # Ok::<(), stiction::Error>(())
//! ```

mod check;
mod ending;
mod leaning;
mod mechanics;
mod onset;
mod rest;
mod simulation;
mod sliding;
mod spectrum;
mod step_path;
mod summary;
mod surface;

pub use leaning::FootLoads;
pub use simulation::{KeptStep, Simulation};
pub use summary::{BodyEvent, BodyEventKind, BodyPhase, BodyRun, Pose, PoseColumns, Summary};
pub use surface::MovingSurface;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

use crate::Fault;
use crate::math::plane::plus;
use crate::ode::Adaptive;
use crate::patch::Patch;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A rigid body on a plane, its loads and its initial state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Body {
    /// Mass without the inner mass (kg).
    pub mass: f64,
    /// Moment of inertia about the centre of mass, without the inner mass; if absent that of a uniform plate of the shape of the patch, which must then have its centroid at `centre_of_mass`; required with `ring` and `pieces` (kg m²).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub inertia: Option<f64>,
    /// Contact patch; without a load of its own it carries the weight.
    pub patch: Patch,
    /// Centre of mass relative to the reference point, in body axes (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub centre_of_mass: [f64; 2],
    /// Acceleration of gravity; 9.81 unless given (m/s²).
    #[cfg_attr(feature = "serde", serde(default = "earth"))]
    pub gravity: f64,
    /// Inclination of the plane (rad).
    #[cfg_attr(feature = "serde", serde(default))]
    pub tilt: f64,
    /// Direction downhill, as an angle from the world's x axis (rad).
    #[cfg_attr(feature = "serde", serde(default))]
    pub downhill: f64,
    /// Applied forces.
    #[cfg_attr(feature = "serde", serde(default))]
    pub forces: Vec<Force>,
    /// Displacement of the plane, a sum of oscillations in world axes (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub vibration: Vec<Oscillation>,
    /// Surface that moves over the plane, under the body; the plane itself if absent.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub surface: Option<MovingSurface>,
    /// Point mass that is driven inside the body.
    #[cfg_attr(feature = "serde", serde(default))]
    pub inner_mass: Option<InnerMass>,
    /// Initial position of the reference point (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 2],
    /// Initial angle of the body's x axis from the world's (rad).
    #[cfg_attr(feature = "serde", serde(default))]
    pub angle: f64,
    /// Initial velocity of the reference point relative to the plane, in world axes (m/s).
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: [f64; 2],
    /// Initial spin, counter-clockwise (rad/s).
    #[cfg_attr(feature = "serde", serde(default))]
    pub spin: f64,
}

/// A force `constant + amplitude sin(omega t + phase)` and a moment of the same kind.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize, JsonSchema),
    serde(deny_unknown_fields, default)
)]
pub struct Force {
    /// Constant part of the force (N).
    pub constant: [f64; 2],
    /// Amplitude of the harmonic part of the force (N).
    pub amplitude: [f64; 2],
    /// Constant part of the moment (N m).
    pub moment: f64,
    /// Amplitude of the harmonic part of the moment (N m).
    pub moment_amplitude: f64,
    /// Angular frequency of the harmonic parts (rad/s).
    pub omega: f64,
    /// Phase of the harmonic parts at t = 0 (rad).
    pub phase: f64,
    /// Point of application relative to the reference point, in body axes (m).
    pub point: [f64; 2],
    /// Axes that the force is given in; `world` unless given.
    pub axes: Axes,
}

/// Axes of a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Axes {
    /// Fixed to the plane.
    #[default]
    World,
    /// Turning with the body.
    Body,
}

/// A displacement `amplitude sin(omega t + phase)`; two of them, a quarter of a turn apart, make a circle.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Oscillation {
    /// Amplitude (m).
    pub amplitude: [f64; 2],
    /// Angular frequency (rad/s).
    pub omega: f64,
    /// Phase at t = 0 (rad).
    #[cfg_attr(feature = "serde", serde(default))]
    pub phase: f64,
}

/// A point mass that is driven along a prescribed path in body axes.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct InnerMass {
    /// Mass (kg).
    pub mass: f64,
    /// Middle of the path relative to the reference point (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub centre: [f64; 2],
    /// The path about its middle, a sum of oscillations (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub path: Vec<Oscillation>,
    /// Points that the path goes through, again and again, beside the oscillations.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub points: Option<PathPoints>,
    /// Whether the pressure follows the masses: its centre is then that of gravity at all times; the exact closure has it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub shifts_pressure: bool,
}

/// Points of a closed path at equal times. Between them the path is the trigonometric polynomial of least degree through them:
/// smooth, as the path of a mass must be.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct PathPoints {
    /// Time for one round (s).
    pub period: f64,
    /// Positions along x, the first at t = 0 (m).
    pub x: Vec<f64>,
    /// Positions along y at the same times (m).
    pub y: Vec<f64>,
}

impl PathPoints {
    /// The mean of the points and the oscillations about it.
    pub(super) fn oscillations(&self) -> ([f64; 2], Vec<Oscillation>) {
        let n = self.x.len();
        let part = |values: &[f64], k: usize| {
            // the angle is taken from a whole number within one round
            let term = |(j, v): (usize, &f64)| {
                let (sin, cos) = libm::sincos(TAU * ((j * k) % n) as f64 / n as f64);
                [v * cos, v * sin]
            };
            let sum = values.iter().enumerate().map(term).fold([0.0; 2], |a, b| plus(a, 1.0, b));
            // the highest of an even number of points counts once
            let weight = if k == 0 || 2 * k == n { 1.0 } else { 2.0 };
            sum.map(|v| weight * v / n as f64)
        };
        let mean = [part(&self.x, 0)[0], part(&self.y, 0)[0]];
        let wave = |k: usize| {
            let ([ax, bx], [ay, by]) = (part(&self.x, k), part(&self.y, k));
            let omega = TAU * k as f64 / self.period;
            let sine = if 2 * k == n { [0.0; 2] } else { [bx, by] };
            [(FRAC_PI_2, [ax, ay]), (0.0, sine)].map(|(phase, amplitude)| Oscillation {
                amplitude,
                omega,
                phase,
            })
        };
        let waves = (1..=n / 2).flat_map(wave).filter(|wave| wave.amplitude != [0.0; 2]);
        (mean, waves.collect())
    }
}

fn earth() -> f64 {
    9.81
}

impl Body {
    /// A body at rest in the origin of a level plane, its centre of mass on the reference point, without loads.
    pub fn new(mass: f64, inertia: f64, patch: Patch) -> Self {
        Self {
            mass,
            inertia: Some(inertia),
            patch,
            centre_of_mass: [0.0; 2],
            gravity: earth(),
            tilt: 0.0,
            downhill: 0.0,
            forces: Vec::new(),
            vibration: Vec::new(),
            surface: None,
            inner_mass: None,
            position: [0.0; 2],
            angle: 0.0,
            velocity: [0.0; 2],
            spin: 0.0,
        }
    }

    /// Moment of inertia about the centre of mass, without the inner mass: as given, or that of a uniform body with the shape of the patch
    /// (kg m²). None where neither is known: the shape has no area or several pieces, or its centroid is not the centre of mass.
    pub fn moment_of_inertia(&self) -> Option<f64> {
        self.inertia.or_else(|| {
            let (centroid, square) = self.patch.shape.gyration()?;
            let off = libm::hypot(centroid[0] - self.centre_of_mass[0], centroid[1] - self.centre_of_mass[1]);
            // round-off of the centroid of a polygon
            (off <= 1e-9 * self.patch.shape.radius()).then_some(self.mass * square)
        })
    }

    /// Weight of the body and of its inner mass across the plane (N).
    pub fn weight(&self) -> f64 {
        let inner = self.inner_mass.as_ref().map_or(0.0, |inner| inner.mass);
        (self.mass + inner) * self.gravity * libm::cos(self.tilt)
    }

    /// The patch under its load: its own, or the weight if it has none.
    ///
    /// How the load is spread over the patch is the patch's own affair; a moving inner mass changes it only if it
    /// [shifts the pressure](InnerMass::shifts_pressure).
    pub fn loaded_patch(&self) -> Patch {
        let load = if self.patch.load == 0.0 { self.weight() } else { self.patch.load };
        Patch { load, ..self.patch.clone() }
    }

    /// Settings with which the balance of energy closes to ten digits and the stop is located to rounding.
    pub fn settings() -> Adaptive {
        Adaptive { rtol: 1e-13, atol: 1e-14, ..Adaptive::default() }
    }

    /// The body at t = 0, ready to move; or what is wrong with it.
    pub fn simulation(&self, settings: &Adaptive) -> Result<Simulation, Vec<Fault>> {
        let faults = crate::Faults::of(|faults| {
            self.check(faults);
            faults.within("integrator", |faults| settings.check(faults));
        });
        if faults.is_empty() { Simulation::new(self, settings) } else { Err(faults) }
    }
}

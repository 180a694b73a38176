//! Flat contact patches that slide and spin at once.
//!
//! ```text
//!   dF = −μ p V/|V| dA,   V = v + ω ẑ × r
//! ```
//!
//! integrated over the patch in closed form. [`Patch`] is plain data; [`Patch::prepare`] checks it and
//! returns a [`PatchFriction`], whose [`wrench`](PatchFriction::wrench) is total and allocates nothing;
//! [`Patch::limit_surface`] returns the set of wrenches that the patch can hold at rest. (@leine2003)
//!
//! Twist and wrench refer to one point of the body (the reference point) in one set of axes; `centre` says
//! where the patch lies relative to it. The wrench is the one that acts on the body.
//!
//! ```
//! use stiction::patch::{Patch, Pressure, Rectangle, Shape, Wrench};
//!
//! let rectangle = Shape::Rectangle(Rectangle { length: 0.4, width: 0.1 });
//! let surface = Patch::new(rectangle, Pressure::Uniform, 0.5, 20.0).limit_surface().expect("a sound patch");
//! // a pull of 9 N is held: the patch can resist 10 N
//! let limit = surface.limit(Wrench { fx: 9.0, fy: 0.0, mz: 0.0 });
//! assert!((limit.factor - 0.9).abs() < 1e-12);
//! ```

mod axial;
mod check;
mod coefficients;
mod cubic;
mod dual;
mod edges;
mod far;
mod friction;
mod lanes;
mod lean;
mod limit;
mod moments;
mod pade;
mod part;
mod polygon;
mod pressure;
mod profile;
mod rectangle;
mod round_modes;
mod shape;
mod special;
mod tilt;

pub use friction::{Jacobian, PatchFriction};
pub use limit::{Limit, LimitSurface};
pub use shape::*;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

use crate::Fault;

/// Velocity of the reference point and spin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Twist {
    /// Velocity along x (m/s).
    pub vx: f64,
    /// Velocity along y (m/s).
    pub vy: f64,
    /// Spin, counter-clockwise (rad/s).
    pub omega: f64,
}

impl Twist {
    /// The same motion seen at another point of the body, given relative to the reference point (m).
    #[inline]
    pub fn at(self, [x, y]: [f64; 2]) -> Self {
        Self { vx: self.vx - self.omega * y, vy: self.vy + self.omega * x, omega: self.omega }
    }
}

/// Force on the body and its moment about the reference point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Wrench {
    /// Force along x (N).
    pub fx: f64,
    /// Force along y (N).
    pub fy: f64,
    /// Moment, counter-clockwise (N m).
    pub mz: f64,
}

impl Wrench {
    /// Its power on a motion; both refer to the same point (W).
    #[inline]
    pub fn power(self, twist: Twist) -> f64 {
        self.fx * twist.vx + self.fy * twist.vy + self.mz * twist.omega
    }

    /// The same load with its moment taken about the point from which this reference point lies at `arm` (m).
    #[inline]
    pub fn carried(self, [x, y]: [f64; 2]) -> Self {
        Self { mz: self.mz + x * self.fy - y * self.fx, ..self }
    }

    #[inline]
    fn times(self, c: f64) -> Self {
        Self { fx: c * self.fx, fy: c * self.fy, mz: c * self.mz }
    }

    #[inline]
    fn plus(self, c: f64, other: Self) -> Self {
        Self { fx: self.fx + c * other.fx, fy: self.fy + c * other.fy, mz: self.mz + c * other.mz }
    }
}

/// A flat contact patch under load.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Patch {
    /// Outline of the patch.
    pub shape: Shape,
    /// How the load is spread over the patch; `uniform` unless given.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pressure: Pressure,
    /// Friction coefficient (-).
    pub mu: f64,
    /// Normal load; under a body 0 stands for the weight (N).
    #[cfg_attr(feature = "serde", serde(default))]
    pub load: f64,
    /// Position of the patch relative to the reference point of twist and wrench (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub centre: [f64; 2],
    /// Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub height: f64,
    /// Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    #[cfg_attr(feature = "serde", serde(default))]
    pub mu1: f64,
    /// Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub mu2: f64,
    /// How the integrals are evaluated; `exact` unless given.
    #[cfg_attr(feature = "serde", serde(default))]
    pub closure: Closure,
    /// Constants of the Padé closures of a disc; `consistent` unless given.
    #[cfg_attr(feature = "serde", serde(default))]
    pub constants: Constants,
    /// Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    #[cfg_attr(feature = "serde", serde(default))]
    pub width: f64,
}

/// How the load is spread over a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize, JsonSchema),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Pressure {
    /// Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
    Galin,
    /// Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
    Hertz,
    /// The same everywhere.
    #[default]
    Uniform,
    /// (N/A)(1 + g·(r − centroid)), nowhere negative.
    Linear {
        /// Relative gradient g of the pressure (1/m).
        gradient: [f64; 2],
    },
}

impl Pressure {
    /// The pressure in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Galin => "pressure of a flat punch",
            Self::Hertz => "pressure of a sphere",
            Self::Uniform => "uniform pressure",
            Self::Linear { .. } => "linear pressure",
        }
    }
}

/// How the integrals over the patch are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Closure {
    /// The closed forms.
    #[default]
    Exact,
    /// First-order Padé fractions.
    Pade1,
    /// Second-order Padé fractions.
    Pade2,
}

/// Constants of the Padé closures of a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Constants {
    /// Matched to the exact integrals.
    #[default]
    Consistent,
    /// As the paper prints them (Galin pressure only).
    AsPrinted,
}

impl Patch {
    /// A patch centred on the reference point, with the exact closure and nothing else set.
    pub fn new(shape: Shape, pressure: Pressure, mu: f64, load: f64) -> Self {
        Self {
            shape,
            pressure,
            mu,
            load,
            centre: [0.0; 2],
            height: 0.0,
            mu1: 0.0,
            mu2: 0.0,
            closure: Closure::Exact,
            constants: Constants::Consistent,
            width: 0.0,
        }
    }

    /// Everything that an evaluation needs, computed once; or what is wrong with the patch.
    pub fn prepare(&self) -> Result<PatchFriction, Vec<Fault>> {
        let faults = crate::Faults::of(|faults| self.check(faults));
        if faults.is_empty() { Ok(PatchFriction::new(self, false)) } else { Err(faults) }
    }

    /// The same for a pressure that will lean.
    pub(crate) fn prepare_leaning(&self) -> Result<PatchFriction, Vec<Fault>> {
        let faults = crate::Faults::of(|faults| self.check(faults));
        if faults.is_empty() { Ok(PatchFriction::new(self, true)) } else { Err(faults) }
    }

    /// Closed outlines relative to the reference point, counter-clockwise, holes clockwise; circles of `n` points (m).
    pub fn outlines(&self, n: usize) -> Vec<Loop> {
        let mut loops = self.shape.outlines(n);
        for point in loops.iter_mut().flatten() {
            *point = [self.centre[0] + point[0], self.centre[1] + point[1]];
        }
        loops
    }

    /// Whether all directions of sliding are alike.
    pub fn is_round(&self) -> bool {
        self.shape.is_round() && !matches!(self.pressure, Pressure::Linear { .. })
    }

    /// What the patch can hold at rest: Coulomb's law with the exact closure. Neither `height`, `mu1`, `mu2`
    /// nor `width` enter.
    pub fn limit_surface(&self) -> Result<LimitSurface, Vec<Fault>> {
        self.resting().prepare().map(LimitSurface::new)
    }

    /// The same for a pressure that will lean.
    pub(crate) fn leaning_limit_surface(&self) -> Result<LimitSurface, Vec<Fault>> {
        self.resting().prepare_leaning().map(LimitSurface::new)
    }

    /// The patch as it holds at rest.
    fn resting(&self) -> Self {
        let bare = Self::new(self.shape.clone(), self.pressure, self.mu, self.load);
        Self { centre: self.centre, ..bare }
    }
}

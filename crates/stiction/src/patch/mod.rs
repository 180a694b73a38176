//! Flat contact patches that slide and spin at once.
//!
//! ```text
//!   dF = −μ p V/|V| dA,   V = v + ω ẑ × r
//! ```
//!
//! integrated over the patch in closed form. [`Patch`] is plain data; [`Patch::prepare`] checks it and
//! returns a [`Contact`], whose [`wrench`](Contact::wrench) is total and allocates nothing;
//! [`Patch::limit_surface`] returns the set of wrenches that the patch can hold at rest. (@leine2003)
//!
//! Twist and wrench refer to one point of the body (the reference point) in one set of axes; `centre` says
//! where the patch lies relative to it. The wrench is the one that acts on the body.

mod axial;
mod check;
mod coefficients;
mod complex;
mod contact;
mod cubic;
mod dual;
mod edges;
mod far;
mod limit;
mod moments;
mod pade;
mod part;
mod polygon;
mod pressure;
mod profile;
mod rectangle;
mod special;
mod tilt;

pub use contact::{Contact, Jacobian};
pub use limit::{Limit, LimitSurface};

use crate::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Velocity of the reference point and spin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// Outline of the patch.
    pub shape: Shape,
    /// How the load is spread over the patch; `uniform` unless given.
    #[serde(default)]
    pub pressure: Pressure,
    /// Friction coefficient (-).
    pub mu: f64,
    /// Normal load; under a body 0 stands for the weight (N).
    #[serde(default)]
    pub load: f64,
    /// Position of the patch relative to the reference point of twist and wrench (m).
    #[serde(default)]
    pub centre: [f64; 2],
    /// Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    #[serde(default)]
    pub height: f64,
    /// Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    #[serde(default)]
    pub mu1: f64,
    /// Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    #[serde(default)]
    pub mu2: f64,
    /// How the integrals are evaluated; `exact` unless given.
    #[serde(default)]
    pub closure: Closure,
    /// Constants of the Padé closures of a disc; `consistent` unless given.
    #[serde(default)]
    pub constants: Constants,
    /// Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    #[serde(default)]
    pub width: f64,
}

/// Outline of a contact patch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// Full circle.
    Disc {
        /// Radius (m).
        radius: f64,
    },
    /// Contact along a circle, a line without width.
    Ring {
        /// Radius (m).
        radius: f64,
    },
    /// Disc with a concentric round hole.
    Annulus {
        /// Radius of the hole (m).
        inner: f64,
        /// Outer radius (m).
        outer: f64,
    },
    /// Rectangle about the centre, sides along the axes.
    Rectangle {
        /// Side along x (m).
        length: f64,
        /// Side along y (m).
        width: f64,
    },
    /// Any simple polygon, either orientation, with or without holes.
    Polygon {
        /// Corners relative to the centre of the patch (m).
        vertices: Vec<[f64; 2]>,
        /// Outlines of holes (m).
        #[serde(default)]
        holes: Vec<Vec<[f64; 2]>>,
    },
    /// Several feet that share the load.
    Pieces(Vec<Piece>),
}

/// One foot of a patch made of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// Outline of the foot.
    pub shape: Shape,
    /// How the load of the foot is spread over it; `uniform` unless given.
    #[serde(default)]
    pub pressure: Pressure,
    /// Position of the foot relative to the centre of the patch (m).
    #[serde(default)]
    pub centre: [f64; 2],
    /// Part of the load that the foot carries, relative to the other feet (-).
    #[serde(default = "one")]
    pub share: f64,
}

fn one() -> f64 {
    1.0
}

/// How the load is spread over a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Pressure {
    /// Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
    Galin,
    /// Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
    Hertz,
    /// The same everywhere.
    #[default]
    Uniform,
    /// (N/A)(1 + g·(r − centroid)); rectangles and polygons only.
    Linear {
        /// Relative gradient g of the pressure (1/m).
        gradient: [f64; 2],
    },
}

/// How the integrals over the patch are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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
    pub fn prepare(&self) -> Result<Contact, Vec<Fault>> {
        let faults = crate::Faults::of(|faults| self.check(faults));
        if faults.is_empty() { Ok(Contact::new(self)) } else { Err(faults) }
    }

    /// What the patch can hold at rest: Coulomb's law with the exact closure. Neither `height`, `mu1`, `mu2`
    /// nor `width` enter.
    pub fn limit_surface(&self) -> Result<LimitSurface, Vec<Fault>> {
        let bare = Self {
            height: 0.0,
            mu1: 0.0,
            mu2: 0.0,
            closure: Closure::Exact,
            constants: Constants::Consistent,
            width: 0.0,
            ..self.clone()
        };
        bare.prepare().map(LimitSurface::new)
    }
}

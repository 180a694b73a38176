//! Outlines of contact patches.
//!
//! A shape is plain data. [`Shape`] is the closed family that users name; [`Footprint`] is what the code calls. A shape
//! answers for itself: its outline, its words, the pressures and closures it has, and the integrals that it is
//! evaluated by.

mod annulus;
mod disc;
mod pieces;
mod polygon;
mod rectangle;
mod ring;

pub use annulus::Annulus;
pub use disc::Disc;
pub use pieces::Piece;
pub use polygon::Polygon;
pub use rectangle::Rectangle;
pub use ring::Ring;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

use super::axial::Axial;
use super::part::Form;
use super::polygon::{PolygonForm, area_and_centroid};
use super::{Constants, Patch, Pressure};
use crate::Faults;

/// Closed line of points (m).
pub type Loop = Vec<[f64; 2]>;

/// Inputs for the preparation of a shape's integrals.
pub(super) struct Setting<'a> {
    pub patch: &'a Patch,
    /// Pressure of this shape, which may be one of several feet.
    pub pressure: Pressure,
    /// Whether the shape is the whole patch.
    pub is_single: bool,
    /// Whether the pressure will be shifted from outside.
    pub leans: bool,
}

impl Setting<'_> {
    fn axial(&self, axial: Axial) -> Form {
        Form::Axial(Axial { mu1: self.patch.mu1, mu2: self.patch.mu2, gradient: self.gradient(), ..axial })
    }

    fn gradient(&self) -> [f64; 2] {
        match self.pressure {
            Pressure::Linear { gradient } => gradient,
            _ => [0.0; 2],
        }
    }

    /// The integrals over a polygon whose loops have the material on their left.
    fn polygon(&self, loops: &[Loop]) -> PolygonForm {
        let gradient = self.gradient();
        let is_tilted = self.leans || self.patch.height * self.patch.mu > 0.0;
        let modal = gradient != [0.0; 2] || (self.is_single && is_tilted);
        let mut polygon = PolygonForm::new(loops, gradient, modal);
        polygon.mu1 = self.patch.mu1;
        polygon.mu2 = self.patch.mu2;
        polygon
    }
}

/// What the code asks of a shape.
pub(super) trait Footprint: Sized {
    /// Members that between them use every parameter, the plainest first.
    fn examples() -> Vec<Self>;

    /// Writes every fault of the parameters; false if there is one.
    fn check(&self, faults: &mut Faults) -> bool;

    /// Distance of the farthest point from the centre (m).
    fn radius(&self) -> f64;

    /// Whether all directions are alike.
    fn is_round(&self) -> bool {
        false
    }

    /// Whether the shape has an area, and so a pressure.
    fn has_area(&self) -> bool {
        true
    }

    /// Closed outlines about the centre, counter-clockwise, holes clockwise; circles of `n` points.
    fn outlines(&self, n: usize) -> Vec<Loop>;

    /// The corners of a shape that is bounded by straight lines: the outline counter-clockwise, holes clockwise.
    fn corners(&self) -> Option<Vec<Loop>> {
        None
    }

    /// Centroid (m) and mean square distance from it (m²) of the area; none of a line or of several pieces.
    fn gyration(&self) -> Option<([f64; 2], f64)> {
        self.corners().map(|loops| gyration(&loops))
    }

    /// The shape in a few words; `number` writes a number.
    fn description(&self, number: &dyn Fn(f64) -> String) -> String;

    /// Whether the shape has the pressures of elastic bodies of revolution.
    fn has_elastic_pressure(&self) -> bool {
        false
    }

    /// The sets of constants that Padé closures of the shape may have.
    fn constants(&self, _pressure: Pressure) -> &'static [Constants] {
        &[Constants::Consistent]
    }

    /// Hands every reason against the Padé closure of the patch to `refuse`: key, what, because.
    fn check_closure(&self, _setting: &Setting, refuse: &mut dyn FnMut(&str, &'static str, &'static str)) {
        refuse("closure", "this closure", "only discs and rectangles have one");
    }

    /// The integrals over the shape.
    fn form(&self, setting: &Setting) -> Form;
}

/// The methods of [`Footprint`] of a shape whose one number is its `radius`.
macro_rules! circular {
    () => {
        fn examples() -> Vec<Self> {
            vec![Self { radius: 0.1 }]
        }
        fn check(&self, faults: &mut Faults) -> bool {
            faults.positive("radius", self.radius)
        }
        fn radius(&self) -> f64 {
            self.radius
        }
        fn is_round(&self) -> bool {
            true
        }
    };
}
use circular;

/// One list of the whole family: the enum that users name, its names, and the one dispatch.
macro_rules! shapes {
    ($($(#[doc = $doc:literal])* $name:literal => $Variant:ident($Shape:ty),)*) => {
        /// Outline of a contact patch.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
        pub enum Shape {
            $($(#[doc = $doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $Variant($Shape),)*
        }

        impl Shape {
            /// The names of all shapes, in the order of the documentation.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name that users write.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$Variant(_) => $name,)* }
            }

            /// Members of the family that between them use every parameter, the plainest of each shape first.
            pub fn examples() -> Vec<Self> {
                let mut all = Vec::new();
                $(all.extend(<$Shape>::examples().into_iter().map(Self::$Variant));)*
                all
            }

            /// Distance of the farthest point from the centre: the R of v/(ωR) (m).
            pub fn radius(&self) -> f64 {
                match self { $(Self::$Variant(shape) => shape.radius(),)* }
            }

            /// Whether all directions of sliding are alike.
            pub fn is_round(&self) -> bool {
                match self { $(Self::$Variant(shape) => shape.is_round(),)* }
            }

            /// Whether the shape has an area; a ring has none.
            pub fn has_area(&self) -> bool {
                match self { $(Self::$Variant(shape) => shape.has_area(),)* }
            }

            /// Closed outlines about the centre, counter-clockwise, holes clockwise; circles of `n` points. A ring is a
            /// disc with a hole of its own size (m).
            pub fn outlines(&self, n: usize) -> Vec<Loop> {
                match self { $(Self::$Variant(shape) => shape.outlines(n),)* }
            }

            /// The shape in a few words; `number` writes a number.
            pub fn description(&self, number: &dyn Fn(f64) -> String) -> String {
                match self { $(Self::$Variant(shape) => shape.description(number),)* }
            }

            /// The sets of constants that Padé closures of this shape may have.
            pub fn constants(&self, pressure: Pressure) -> &'static [Constants] {
                match self { $(Self::$Variant(shape) => shape.constants(pressure),)* }
            }

            pub(super) fn check(&self, faults: &mut Faults) -> bool {
                let mut good = false;
                faults.within(self.name(), |faults| match self {
                    $(Self::$Variant(shape) => good = shape.check(faults),)*
                });
                good
            }

            /// The corners of a shape that is bounded by straight lines: the outline counter-clockwise, holes clockwise (m).
            pub fn corners(&self) -> Option<Vec<Loop>> {
                match self { $(Self::$Variant(shape) => shape.corners(),)* }
            }

            /// Centroid (m) and mean square distance from it (m²) of the area; none of a line or of several pieces.
            pub fn gyration(&self) -> Option<([f64; 2], f64)> {
                match self { $(Self::$Variant(shape) => shape.gyration(),)* }
            }

            pub(super) fn has_elastic_pressure(&self) -> bool {
                match self { $(Self::$Variant(shape) => shape.has_elastic_pressure(),)* }
            }

            pub(super) fn check_closure(
                &self,
                setting: &Setting,
                refuse: &mut dyn FnMut(&str, &'static str, &'static str),
            ) {
                match self { $(Self::$Variant(shape) => shape.check_closure(setting, refuse),)* }
            }

            pub(super) fn form(&self, setting: &Setting) -> Form {
                match self { $(Self::$Variant(shape) => shape.form(setting),)* }
            }
        }
    };
}

shapes! {
    /// Full circle.
    "disc" => Disc(Disc),
    /// Contact along a circle, a line without width.
    "ring" => Ring(Ring),
    /// Disc with a concentric round hole.
    "annulus" => Annulus(Annulus),
    /// Rectangle about the centre, sides along the axes.
    "rectangle" => Rectangle(Rectangle),
    /// Any simple polygon, either orientation, with or without holes.
    "polygon" => Polygon(Polygon),
    /// Several feet that share the load.
    "pieces" => Pieces(Vec<Piece>),
}

impl Shape {
    /// The feet of a patch in pieces.
    pub fn pieces(&self) -> Option<&[Piece]> {
        match self {
            Self::Pieces(pieces) => Some(pieces),
            _ => None,
        }
    }

    /// Sides of the smallest box along the axes that holds the shape (m).
    pub fn extents(&self) -> [f64; 2] {
        // a circle of four points touches all sides of its box
        let points = self.outlines(5).concat();
        [0, 1].map(|k| {
            let (low, high) = points
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])));
            high - low
        })
    }
}

/// A circle of `n` points about the origin, the last of which is the first; counter-clockwise.
/// Centroid and mean square distance from it of the area within loops of corners.
fn gyration(loops: &[Loop]) -> ([f64; 2], f64) {
    let (area, c) = area_and_centroid(loops);
    let mut moment = 0.0;
    for corners in loops {
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let (ax, ay, bx, by) = (a[0] - c[0], a[1] - c[1], b[0] - c[0], b[1] - c[1]);
            // of the triangle between the centroid and an edge
            let squares = ax * ax + ay * ay + ax * bx + ay * by + bx * bx + by * by;
            moment += (ax * by - ay * bx) * squares / 12.0;
        }
    }
    (c, moment / area)
}

fn circle(radius: f64, n: usize) -> Loop {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / (n.max(2) - 1) as f64;
    (0..n).map(|i| [radius * libm::cos(angle(i)), radius * libm::sin(angle(i))]).collect()
}

/// The same clockwise: the edge of a hole.
fn hole(radius: f64, n: usize) -> Loop {
    circle(radius, n).into_iter().rev().collect()
}

/// A loop of corners that ends where it begins.
fn closed(corners: &[[f64; 2]]) -> Loop {
    corners.iter().chain(corners.first()).copied().collect()
}

pub(super) fn finite_point(faults: &mut Faults, key: &str, point: [f64; 2]) -> bool {
    faults.finite(key, point[0]) && faults.finite(key, point[1])
}

/// A shape whose area is a smaller part of the square of its size is a line (-).
const FLATTEST: f64 = 1e-9;

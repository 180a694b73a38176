//! What can be wrong with a patch.
//!
//! Tipping is decided here for every motion at once: sliding friction cannot exceed μN, so the pressure
//! shifts by at most hμ, in any direction; the check demands that no such shift makes the pressure negative
//! anywhere.

use super::contact::Contact;
use super::part::{Foot, corners, feet};
use super::polygon::{area_and_centroid, oriented};
use super::{Closure, Constants, Patch, Pressure, Shape};
use crate::{Error, Faults};

/// A thinner annulus would lose more than four digits as the difference of two discs (-).
const THINNEST: f64 = 1e-4;

/// A polygon whose area is a smaller part of the square of its size is a line (-).
const FLATTEST: f64 = 1e-9;

impl Patch {
    /// Writes down every fault.
    pub fn check(&self, faults: &mut Faults) {
        let mut good = faults.not_negative("mu", self.mu);
        good &= faults.positive("load", self.load);
        good &= faults.not_negative("height", self.height);
        good &= finite_point(faults, "centre", self.centre);
        faults.not_negative("width", self.width);
        self.check_law(faults);
        good &= self.check_shape(faults);
        good &= self.check_closure(faults);
        if good && self.height * self.mu > 0.0 {
            let limit = Contact::new(&Self { height: 0.0, ..self.clone() }).tipping() / self.mu;
            faults.at_most("height", self.height, limit, "higher, sliding friction can tip the body");
        }
    }

    /// 1 + μ₁V³ − μ₂V must not become negative: its least value is 1 − √(4μ₂³/(27μ₁)).
    fn check_law(&self, faults: &mut Faults) {
        if faults.not_negative("mu1", self.mu1) && faults.finite("mu2", self.mu2) {
            let limit = libm::cbrt(6.75 * self.mu1);
            faults.at_most(
                "mu2",
                self.mu2,
                limit,
                "beyond the cube root of 27/4 mu1 friction would drive the body",
            );
        }
    }

    fn check_shape(&self, faults: &mut Faults) -> bool {
        let Shape::Pieces(pieces) = &self.shape else {
            let foot = &feet(self)[0];
            let mut good = false;
            faults.within("shape", |faults| good = check_outline(faults, foot.shape));
            return check_pressure(faults, foot, good) && good;
        };
        let mut good = !pieces.is_empty();
        faults.within("shape", |faults| {
            if !good {
                let because = "a patch in pieces needs a piece";
                faults.push("pieces", Error::TooSmall { value: 0.0, limit: 1.0, because });
            }
            for (i, foot) in feet(self).iter().enumerate() {
                faults.within(format!("pieces.{i}"), |faults| {
                    good &=
                        faults.positive("share", foot.share) & finite_point(faults, "centre", foot.centre);
                    let mut outline = false;
                    faults.within("shape", |faults| outline = check_outline(faults, foot.shape));
                    good &= check_pressure(faults, foot, outline) & outline;
                });
            }
        });
        if self.pressure != Pressure::Uniform {
            let because = "every piece has a pressure of its own";
            faults.push("pressure", Error::Unsuited { what: "this pressure", because });
            good = false;
        }
        good
    }

    fn check_closure(&self, faults: &mut Faults) -> bool {
        let mut good = true;
        let mut refuse = |key: &str, what, because| {
            faults.push(key, Error::Unsuited { what, because });
            good = false;
        };
        if self.closure == Closure::Exact {
            return good;
        }
        for foot in feet(self) {
            match foot.shape {
                Shape::Disc { .. } => {
                    if self.constants == Constants::AsPrinted && foot.pressure != Pressure::Galin {
                        refuse(
                            "constants",
                            "as-printed",
                            "the paper prints them for the galin pressure only",
                        );
                    }
                }
                Shape::Rectangle { .. } => {
                    if self.constants == Constants::AsPrinted {
                        refuse(
                            "constants",
                            "as-printed",
                            "the printed fractions of the rectangle are degenerate",
                        );
                    }
                    if self.height > 0.0 && !matches!(self.shape, Shape::Pieces(_)) {
                        refuse("height", "a height", "the closures of the rectangle know no skewed pressure");
                    }
                    if foot.pressure != Pressure::Uniform {
                        refuse("closure", "this closure", "the rectangle has it for uniform pressure only");
                    }
                }
                _ => refuse("closure", "this closure", "only discs and rectangles have one"),
            }
        }
        good
    }
}

fn finite_point(faults: &mut Faults, key: &str, point: [f64; 2]) -> bool {
    faults.finite(key, point[0]) && faults.finite(key, point[1])
}

fn check_outline(faults: &mut Faults, shape: &Shape) -> bool {
    let mut good = false;
    match shape {
        Shape::Disc { radius } => faults.within("disc", |f| good = f.positive("radius", *radius)),
        Shape::Ring { radius } => faults.within("ring", |f| good = f.positive("radius", *radius)),
        Shape::Annulus { inner, outer } => faults.within("annulus", |f| {
            good = f.positive("outer", *outer) & f.positive("inner", *inner);
            if good {
                let limit = (1.0 - THINNEST) * outer;
                good = f.at_most("inner", *inner, limit, "a thinner annulus is a ring");
            }
        }),
        Shape::Rectangle { length, width } => faults.within("rectangle", |f| {
            good = f.positive("length", *length) & f.positive("width", *width);
            if good {
                let area = length * width;
                let least = FLATTEST * (length * length + width * width);
                good = f.at_least("width", area, least, "as an area: the rectangle is a line");
            }
        }),
        Shape::Polygon { vertices, holes } => {
            faults.within("polygon", |f| good = check_polygon(f, vertices, holes));
        }
        Shape::Pieces(_) => {
            let because = "a piece cannot itself be in pieces";
            faults.push("", Error::Unsuited { what: "pieces", because });
        }
    }
    good
}

fn check_pressure(faults: &mut Faults, foot: &Foot, good_outline: bool) -> bool {
    let because = match (foot.pressure, foot.shape) {
        (Pressure::Uniform, _) | (Pressure::Galin | Pressure::Hertz, Shape::Disc { .. }) => return true,
        (Pressure::Linear { gradient }, Shape::Rectangle { .. } | Shape::Polygon { .. }) => {
            let mut good = true;
            faults.within("pressure.linear", |faults| {
                good = finite_point(faults, "gradient", gradient);
                if good && good_outline {
                    let least = least_pressure(foot.shape, gradient);
                    let because = "relative to the mean: the pressure must not be negative at a corner";
                    good = faults.at_least("gradient", least, 0.0, because);
                }
            });
            return good;
        }
        (Pressure::Linear { .. }, _) => "only rectangles and polygons have it",
        _ => "only discs have it",
    };
    faults.push("pressure", Error::Unsuited { what: "this pressure", because });
    false
}

/// The least of 1 + g·(r − centroid) over the corners.
fn least_pressure(shape: &Shape, [gx, gy]: [f64; 2]) -> f64 {
    let loops = match shape {
        Shape::Rectangle { length, width } => vec![corners(*length, *width)],
        Shape::Polygon { vertices, holes } => oriented(vertices, holes),
        _ => return 1.0,
    };
    let (_, [cx, cy]) = area_and_centroid(&loops);
    let pressure = |p: &[f64; 2]| 1.0 + gx * (p[0] - cx) + gy * (p[1] - cy);
    loops[0].iter().map(pressure).fold(f64::INFINITY, f64::min)
}

fn check_polygon(faults: &mut Faults, vertices: &[[f64; 2]], holes: &[Vec<[f64; 2]>]) -> bool {
    let mut good = check_loop(faults, "vertices", vertices);
    for (i, hole) in holes.iter().enumerate() {
        good &= check_loop(faults, &format!("holes.{i}"), hole);
    }
    if !good {
        return false;
    }
    for (i, hole) in holes.iter().enumerate() {
        let key = format!("holes.{i}");
        let others = std::iter::once(vertices).chain(holes[..i].iter().map(Vec::as_slice));
        for (k, other) in others.enumerate() {
            let strays = if k == 0 {
                !contains(other, hole[0])
            } else {
                contains(other, hole[0]) || contains(hole, other[0])
            };
            if let Some((first, second)) = crossing(hole, other) {
                faults.push(&key, Error::Crossing { first, second });
                good = false;
            } else if strays {
                let because = "it must lie inside the outline and apart from the other holes";
                faults.push(&key, Error::Unsuited { what: "this hole", because });
                good = false;
            }
        }
    }
    good
}

fn check_loop(faults: &mut Faults, key: &str, corners: &[[f64; 2]]) -> bool {
    if corners.len() < 3 {
        let because = "a polygon has three corners or more";
        faults.push(key, Error::TooSmall { value: corners.len() as f64, limit: 3.0, because });
        return false;
    }
    for (i, p) in corners.iter().enumerate() {
        if !finite_point(faults, &format!("{key}.{i}"), *p) {
            return false;
        }
    }
    let size = corners
        .iter()
        .map(|p| (p[0] - corners[0][0]).abs().max((p[1] - corners[0][1]).abs()))
        .fold(0.0, f64::max);
    for (i, p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let length = libm::hypot(q[0] - p[0], q[1] - p[1]);
        let because = "as its distance from the next corner: neighbouring corners coincide";
        if !faults.at_least(&format!("{key}.{i}"), length, FLATTEST * size.max(f64::MIN_POSITIVE), because) {
            return false;
        }
    }
    if let Some((first, second)) = self_crossing(corners) {
        faults.push(key, Error::Crossing { first, second });
        return false;
    }
    let area = area_and_centroid(&[corners.to_vec()]).0.abs();
    faults.at_least(key, area, FLATTEST * size * size, "as an area: the corners enclose nothing")
}

/// The first two edges of one outline that meet other than at a common corner.
fn self_crossing(corners: &[[f64; 2]]) -> Option<(usize, usize)> {
    let n = corners.len();
    let edge = |i: usize| (corners[i], corners[(i + 1) % n]);
    for i in 0..n {
        for j in i + 1..n {
            let neighbours = j == i + 1 || (i == 0 && j == n - 1);
            let met = if neighbours {
                // neighbours share a corner; they cross only if one folds back onto the other
                let (a, shared, c) = if j == i + 1 {
                    (corners[i], corners[j], edge(j).1)
                } else {
                    (edge(0).1, corners[0], corners[j])
                };
                let (u, v) = ([a[0] - shared[0], a[1] - shared[1]], [c[0] - shared[0], c[1] - shared[1]]);
                u[0] * v[1] - u[1] * v[0] == 0.0 && u[0] * v[0] + u[1] * v[1] > 0.0
            } else {
                meet(edge(i), edge(j))
            };
            if met {
                return Some((i, j));
            }
        }
    }
    None
}

/// The first edges of two outlines that meet.
fn crossing(one: &[[f64; 2]], other: &[[f64; 2]]) -> Option<(usize, usize)> {
    let edge = |corners: &[[f64; 2]], i: usize| (corners[i], corners[(i + 1) % corners.len()]);
    (0..one.len())
        .find_map(|i| (0..other.len()).find(|&j| meet(edge(one, i), edge(other, j))).map(|j| (i, j)))
}

/// Whether two segments have a point in common.
fn meet((a, b): ([f64; 2], [f64; 2]), (c, d): ([f64; 2], [f64; 2])) -> bool {
    let side =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let within = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (0..2).all(|k| p[k].min(q[k]) <= r[k] && r[k] <= p[k].max(q[k]))
    };
    let (s1, s2, s3, s4) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if s1 * s2 < 0.0 && s3 * s4 < 0.0 {
        return true;
    }
    (s1 == 0.0 && within(a, b, c))
        || (s2 == 0.0 && within(a, b, d))
        || (s3 == 0.0 && within(c, d, a))
        || (s4 == 0.0 && within(c, d, b))
}

/// Whether a point lies inside an outline.
fn contains(corners: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            inside = !inside;
        }
    }
    inside
}

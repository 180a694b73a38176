//! Any simple polygon, with or without holes.

use super::{FLATTEST, Footprint, Loop, Setting, closed, finite_point};
use crate::patch::part::Form;
use crate::patch::polygon::{area_and_centroid, oriented};
use crate::{Error, Faults};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Any simple polygon, either orientation, with or without holes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Polygon {
    /// Corners relative to the centre of the patch (m).
    pub vertices: Vec<[f64; 2]>,
    /// Outlines of holes (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl Footprint for Polygon {
    fn examples() -> Vec<Self> {
        let triangle = vec![[0.0, 0.0], [0.3, 0.0], [0.1, 0.2]];
        let square = vec![[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]];
        let slot = vec![[-0.05, -0.02], [0.05, -0.02], [0.05, 0.03]];
        vec![Self { vertices: triangle, holes: Vec::new() }, Self { vertices: square, holes: vec![slot] }]
    }
    fn check(&self, faults: &mut Faults) -> bool {
        check_polygon(faults, &self.vertices, &self.holes)
    }
    fn radius(&self) -> f64 {
        self.vertices.iter().map(|p| libm::hypot(p[0], p[1])).fold(0.0, f64::max)
    }
    fn outlines(&self, _n: usize) -> Vec<Loop> {
        oriented(&self.vertices, &self.holes).iter().map(|corners| closed(corners)).collect()
    }
    fn corners(&self) -> Option<Vec<Loop>> {
        Some(oriented(&self.vertices, &self.holes))
    }
    fn description(&self, _number: &dyn Fn(f64) -> String) -> String {
        let corners = format!("polygon of {} corners", self.vertices.len());
        match self.holes.len() {
            0 => corners,
            n => format!("{corners}, {n} holes"),
        }
    }
    fn form(&self, setting: &Setting) -> Form {
        Form::Polygon(Box::new(setting.polygon(&oriented(&self.vertices, &self.holes))))
    }
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

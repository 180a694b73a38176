//! The pressure at rest and in sliding, and how near the patch is to tipping.

use super::curves::radius;
use std::f64::consts::TAU;
use stiction::Fault;
use stiction::patch::{Closure, Patch, Shape, Twist};

/// Points of a section and of a circle.
const POINTS: usize = 721;
/// Below this part of its size a patch counts as symmetric (-).
const ROUNDING: f64 = 1e-14;
/// Sliding along x (m/s).
const ALONG_X: Twist = Twist { vx: 1.0, vy: 0.0, omega: 0.0 };

/// The pressure along x through the centre of pressure at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Position along x from the centre of the patch (m).
    pub x: Vec<f64>,
    /// Pressure at rest (Pa).
    pub at_rest: Vec<f64>,
    /// Pressure in pure sliding along x (Pa).
    pub sliding: Vec<f64>,
}

/// The pressure of a patch along x; none of a patch in pieces or of a ring, whose line has no area.
pub fn section(patch: &Patch) -> Result<Option<Section>, Vec<Fault>> {
    if matches!(patch.shape, Shape::Pieces(_) | Shape::Ring { .. }) {
        return Ok(None);
    }
    let still = Patch { centre: [0.0; 2], height: 0.0, closure: Closure::Exact, ..patch.clone() };
    let contact = Patch { height: patch.height, ..still.clone() }.prepare()?;
    let still = still.prepare()?;
    let plan = plan(patch)?;
    let points = || plan.outlines.iter().flatten().map(|p| p[0]);
    let (low, high) = (points().fold(f64::INFINITY, f64::min), points().fold(f64::NEG_INFINITY, f64::max));
    // dense towards the ends, where the pressure may be steep, but not on them, where it may be infinite
    let at = |i: usize| 0.5 * (1.0 - libm::cos(0.5 * TAU * (i as f64 + 0.5) / POINTS as f64));
    let x: Vec<f64> = (0..POINTS).map(|i| low + (high - low) * at(i)).collect();
    let y = plan.centre_of_pressure[1];
    let at_rest = x.iter().map(|x| still.pressure(ALONG_X, [*x, y])).collect();
    let sliding = x.iter().map(|x| contact.pressure(ALONG_X, [*x, y])).collect();
    Ok(Some(Section { x, at_rest, sliding }))
}

/// The patch from above, about its centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Closed outlines, counter-clockwise; holes clockwise. A ring is a disc with a hole of its own size (m).
    pub outlines: Vec<Vec<[f64; 2]>>,
    /// Centre of pressure at rest (m).
    pub centre_of_pressure: [f64; 2],
    /// How far sliding shifts it: height times friction coefficient (m).
    pub shift: f64,
    /// The shift that lifts an edge or a foot (m).
    pub tipping: f64,
}

/// The plan of a patch.
pub fn plan(patch: &Patch) -> Result<Plan, Vec<Fault>> {
    let bare = Patch {
        centre: [0.0; 2],
        height: 0.0,
        mu: 1.0,
        mu1: 0.0,
        mu2: 0.0,
        width: 0.0,
        closure: Closure::Exact,
        ..patch.clone()
    };
    let contact = bare.prepare()?;
    // friction in pure sliding acts at the centre of pressure
    let moment = |vx: f64, vy: f64| contact.wrench(Twist { vx, vy, omega: 0.0 }).mz / bare.load;
    let nothing = ROUNDING * radius(&patch.shape);
    Ok(Plan {
        outlines: outlines(&patch.shape, [0.0; 2]),
        centre_of_pressure: [-moment(0.0, 1.0), moment(1.0, 0.0)]
            .map(|v| if v.abs() < nothing { 0.0 } else { v }),
        shift: patch.height * patch.mu,
        tipping: contact.tipping(),
    })
}

fn outlines(shape: &Shape, [x, y]: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let moved = |corners: &[[f64; 2]]| {
        let first = corners.first().copied();
        corners.iter().copied().chain(first).map(|p| [x + p[0], y + p[1]]).collect::<Vec<_>>()
    };
    let turned = |mut corners: Vec<[f64; 2]>, sign: f64| {
        let twice_area: f64 = corners.windows(2).map(|w| w[0][0] * w[1][1] - w[0][1] * w[1][0]).sum();
        if twice_area * sign < 0.0 {
            corners.reverse();
        }
        corners
    };
    let hole = |radius: f64| turned(circle([x, y], radius), -1.0);
    match shape {
        Shape::Disc { radius } => vec![circle([x, y], *radius)],
        Shape::Ring { radius } => vec![circle([x, y], *radius), hole(*radius)],
        Shape::Annulus { inner, outer } => vec![circle([x, y], *outer), hole(*inner)],
        Shape::Rectangle { length, width } => {
            let (a, b) = (0.5 * length, 0.5 * width);
            vec![moved(&[[-a, -b], [a, -b], [a, b], [-a, b]])]
        }
        Shape::Polygon { vertices, holes } => {
            let outer = std::iter::once(turned(moved(vertices), 1.0));
            outer.chain(holes.iter().map(|corners| turned(moved(corners), -1.0))).collect()
        }
        Shape::Pieces(pieces) => {
            pieces.iter().flat_map(|p| outlines(&p.shape, [x + p.centre[0], y + p.centre[1]])).collect()
        }
    }
}

fn circle([x, y]: [f64; 2], r: f64) -> Vec<[f64; 2]> {
    let angle = |i: usize| TAU * i as f64 / (POINTS - 1) as f64;
    (0..POINTS).map(|i| [x + r * libm::cos(angle(i)), y + r * libm::sin(angle(i))]).collect()
}

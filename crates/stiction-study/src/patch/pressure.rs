//! The pressure at rest and in sliding, and how near the patch is to tipping.

use super::PatchStudy;
use std::f64::consts::TAU;
use stiction::Fault;
use stiction::patch::{Closure, Patch, Twist};

/// Points of a section and of a circle.
const POINTS: usize = 721;
/// Below this part of its size a patch counts as symmetric (-).
const ROUNDING: f64 = 1e-14;
/// Sliding along x (m/s).
const ALONG_X: Twist = Twist { vx: 1.0, vy: 0.0, omega: 0.0 };

/// The pressure along x through the centre of pressure at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct PressureSection {
    /// Position along x from the centre of the patch (m).
    pub x: Vec<f64>,
    /// Pressure at rest (Pa).
    pub at_rest: Vec<f64>,
    /// Pressure in pure sliding along x (Pa).
    pub sliding: Vec<f64>,
}

/// The pressure of a patch along x; none of a patch in pieces or of a ring, whose line has no area.
pub fn section(study: &PatchStudy) -> Result<Option<PressureSection>, Vec<Fault>> {
    let patch = study.patch();
    if patch.shape.pieces().is_some() || !patch.shape.has_area() {
        return Ok(None);
    }
    let still = Patch { centre: [0.0; 2], height: 0.0, closure: Closure::Exact, ..patch.clone() };
    let contact = study.variant(Patch { height: patch.height, ..still.clone() })?;
    let still = study.variant(still)?;
    let plan = plan(study)?;
    let points = || plan.outlines.iter().flatten().map(|p| p[0]);
    let (low, high) = (points().fold(f64::INFINITY, f64::min), points().fold(f64::NEG_INFINITY, f64::max));
    // dense towards the ends, where the pressure may be steep, but not on them, where it may be infinite
    let at = |i: usize| 0.5 * (1.0 - libm::cos(0.5 * TAU * (i as f64 + 0.5) / POINTS as f64));
    let x: Vec<f64> = (0..POINTS).map(|i| low + (high - low) * at(i)).collect();
    let y = plan.centre_of_pressure[1];
    let at_rest = x.iter().map(|x| still.pressure(ALONG_X, [*x, y])).collect();
    let sliding = x.iter().map(|x| contact.pressure(ALONG_X, [*x, y])).collect();
    Ok(Some(PressureSection { x, at_rest, sliding }))
}

/// The patch from above, about its centre.
#[derive(Clone, Debug, PartialEq)]
pub struct TopView {
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
pub fn plan(study: &PatchStudy) -> Result<TopView, Vec<Fault>> {
    let patch = study.patch();
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
    let contact = study.variant(bare.clone())?;
    // friction in pure sliding acts at the centre of pressure
    let moment = |vx: f64, vy: f64| contact.wrench(Twist { vx, vy, omega: 0.0 }).mz / bare.load;
    let nothing = ROUNDING * patch.shape.radius();
    Ok(TopView {
        outlines: patch.shape.outlines(POINTS),
        centre_of_pressure: [-moment(0.0, 1.0), moment(1.0, 0.0)]
            .map(|v| if v.abs() < nothing { 0.0 } else { v }),
        shift: patch.height * patch.mu,
        tipping: contact.tipping(),
    })
}

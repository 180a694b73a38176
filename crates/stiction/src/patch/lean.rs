//! A pressure that is shifted from outside, as by a mass that moves about inside the body.
//!
//! ```text
//!   polygon  (N/A) (1 + (g₀ + g)·r)     r from the centroid
//!   disc     p₀(|r|) (1 + (g₀ + g)·r)   r from the centre
//!   feet     every foot's own pressure times 1 + g·arm
//! ```
//!
//! with the lean g = S⁻¹s, S the second moments of the pressure, s the way of its centre.

use super::friction::PatchFriction;
use super::part::{Form, Part, feet_second};
use super::tilt::inverse;
use std::f64::consts::{PI, TAU};

/// Feet whose second moments are smaller than this part of the largest across some line stand on that line (-).
const ON_A_LINE: f64 = 1e-12;

/// Corners of the polygon about a round patch on which its least pressure is looked for: at most that of the patch, and lower by no more than
/// 0.13 % of the change along its radius.
const AROUND: u32 = 64;

impl PatchFriction {
    /// S⁻¹: xx, xy, yy (1/m²). None for patches that cannot lean.
    pub(crate) fn leaning(&self) -> Option<[f64; 3]> {
        let [xx, xy, yy] = match self.parts.as_slice() {
            [Part { form: Form::Polygon(polygon), .. }] => polygon.second,
            [Part { form: Form::Axial(axial), .. }] if axial.pade.is_none() => axial.second(),
            [_] => return None,
            parts => feet_second(parts),
        };
        let is_flat = xx * yy - xy * xy <= ON_A_LINE * (xx + yy) * (xx + yy);
        (!is_flat).then(|| inverse([xx, xy, yy]))
    }

    /// Whether the patch is one piece.
    pub(crate) fn is_single(&self) -> bool {
        self.parts.len() == 1
    }

    /// Centre of the pressure of the patch by itself, relative to the reference point (m).
    pub(crate) fn centre_of_pressure(&self) -> [f64; 2] {
        self.centre
    }

    /// Of every corner, or foot, the pressure in parts of the mean while nothing leans, less the most that the height of the centre
    /// of mass may take away; and the arm by which a lean changes it (m).
    pub(crate) fn corner_pressures(&self) -> Vec<(f64, [f64; 2])> {
        let pull = |[x, y]: [f64; 2]| {
            let [xx, xy, yy] = self.leaning().unwrap_or_default();
            self.reach * libm::hypot(xx * x + xy * y, xy * x + yy * y)
        };
        match self.parts.as_slice() {
            [Part { form: Form::Polygon(polygon), .. }] => {
                let [gx, gy] = polygon.gradient;
                polygon
                    .outline
                    .corners()
                    .map(|[x, y]| (1.0 + gx * x + gy * y - pull([x, y]), [x, y]))
                    .collect()
            }
            [Part { form: Form::Axial(axial), .. }] => {
                let [gx, gy] = axial.gradient;
                let radius = axial.radius() / libm::cos(PI / f64::from(AROUND));
                let corner = |i: u32| {
                    let (sin, cos) = libm::sincos(TAU / f64::from(AROUND) * f64::from(i));
                    let [x, y] = [radius * cos, radius * sin];
                    (1.0 + gx * x + gy * y - pull([x, y]), [x, y])
                };
                (0..AROUND).map(corner).collect()
            }
            parts => parts.iter().map(|part| (1.0 - pull(part.arm), part.arm)).collect(),
        }
    }
}

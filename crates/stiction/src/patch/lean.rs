//! A pressure that is shifted from outside, as by a mass that moves about inside the body.
//!
//! ```text
//!   polygon  (N/A) (1 + (g₀ + g)·r)     r from the centroid
//!   feet     every foot's own pressure times 1 + g·arm
//! ```
//!
//! with the lean g = S⁻¹s, S the second moments of the pressure, s the way of its centre. Discs and rings by themselves cannot lean: the
//! friction of their skewed pressure is known for a skew along the velocity alone.

use super::friction::PatchFriction;
use super::part::{Form, Part, feet_second};
use super::tilt::inverse;

/// Feet whose second moments are smaller than this part of the largest across some line stand on that line (-).
const ON_A_LINE: f64 = 1e-12;

impl PatchFriction {
    /// S⁻¹: xx, xy, yy (1/m²). None for patches that cannot lean.
    pub(crate) fn leaning(&self) -> Option<[f64; 3]> {
        let [xx, xy, yy] = match self.parts.as_slice() {
            [Part { form: Form::Polygon(polygon), .. }] => polygon.second,
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
            parts => parts.iter().map(|part| (1.0 - pull(part.arm), part.arm)).collect(),
        }
    }
}

//! The pressure under a patch, with the skew that sliding gives it.
//!
//! ```text
//!   disc     p₀(r) (1 + κ x)           x along the velocity; p₀(r) (1 + (g + δg)·r) with a gradient of its own
//!   polygon  (N/A) (1 + (g + δg)·r)    r from the centroid
//!   feet     every foot's own pressure times 1 + g·arm
//! ```

use super::Twist;
use super::axial::Axial;
use super::friction::PatchFriction;
use super::part::{Form, modes};
use super::profile::Profile;
use super::rectangle::RectanglePade;
use std::f64::consts::PI;

impl PatchFriction {
    /// The pressure during a motion, at a point of the patch relative to the reference point; zero beside the patch and
    /// on a ring, which has no area (Pa).
    pub fn pressure(&self, twist: Twist, point: [f64; 2]) -> f64 {
        let still = self.size(twist) == 0.0;
        let gradient = match &self.tilt {
            Some(tilt) if !still => tilt.gradient(&modes(self.coulomb_parts(), twist)),
            _ => [0.0; 2],
        };
        let is_single = self.parts.len() == 1;
        let mut sum = 0.0;
        for part in &self.parts {
            let local = [point[0] - part.at[0], point[1] - part.at[1]];
            let [gx, gy] = gradient;
            let density = match &part.form {
                Form::Axial(axial) if still => axial.density(local, axial.gradient),
                Form::Axial(axial) => {
                    let [kx, ky] = axial.forward(twist.at(part.at));
                    let [gx, gy] = if is_single { gradient } else { [0.0; 2] };
                    axial.density(local, [axial.gradient[0] + kx + gx, axial.gradient[1] + ky + gy])
                }
                Form::Polygon(polygon) => polygon.density(local, if is_single { gradient } else { [0.0; 2] }),
                Form::Rectangle(rectangle, ..) => rectangle.density(local),
            };
            let shifted = if is_single { 1.0 } else { 1.0 + gx * part.arm[0] + gy * part.arm[1] };
            sum += part.share * shifted * density;
        }
        self.load * sum
    }
}

impl Axial {
    /// Gradient of the relative pressure along the velocity (1/m).
    fn forward(&self, twist: Twist) -> [f64; 2] {
        let v = libm::hypot(twist.vx, twist.vy);
        if self.tilt == 0.0 || v == 0.0 {
            return [0.0; 2];
        }
        let k = self.skew(twist) / self.radius() / v;
        [k * twist.vx, k * twist.vy]
    }

    /// Pressure per unit load (1/m²).
    fn density(&self, [x, y]: [f64; 2], [gx, gy]: [f64; 2]) -> f64 {
        let r2 = x * x + y * y;
        let layer = |&(weight, radius): &(f64, f64)| {
            let rest = 1.0 - r2 / (radius * radius);
            if !(radius > 0.0 && rest > 0.0) {
                return 0.0;
            }
            let shape = match self.profile {
                Profile::Galin => 0.5 / rest.sqrt(),
                Profile::Hertz => 1.5 * rest.sqrt(),
                Profile::Uniform => 1.0,
                Profile::Ring => 0.0,
            };
            weight * shape / (PI * radius * radius)
        };
        let sum: f64 = self.layers.iter().map(layer).sum();
        sum.max(0.0) * (1.0 + gx * x + gy * y)
    }
}

impl super::polygon::PolygonForm {
    /// Pressure per unit load, with a further gradient (1/m²).
    fn density(&self, [x, y]: [f64; 2], [gx, gy]: [f64; 2]) -> f64 {
        let [gx, gy] = [gx + self.gradient[0], gy + self.gradient[1]];
        if self.outline.contains([x, y]) { (1.0 + gx * x + gy * y) * self.outline.per_area } else { 0.0 }
    }
}

impl RectanglePade {
    /// Pressure per unit load (1/m²).
    fn density(&self, point: [f64; 2]) -> f64 {
        // ⟨x²⟩ = a²/12
        let half = self.square.map(|s| (3.0 * s).sqrt());
        let is_inside = (0..2).all(|k| point[k].abs() <= half[k]);
        if is_inside { 0.25 / (half[0] * half[1]) } else { 0.0 }
    }
}

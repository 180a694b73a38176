//! Padé closures of a rectangle under uniform pressure, w = |ω|, e the direction of the velocity.
//!
//! In place of @salimov2021, whose printed fractions are degenerate.
//!
//! With I = ⟨(r·e)²/r³⟩, E = ⟨(r·e)²⟩ (both depend on the direction) and m = ⟨r⟩:
//!
//! ```text
//!   first order    F∥ = v/(v + w/I)                        M = m w/(w + v m/E)
//!   second order   F∥ = (v² + avw)/(v² + avw + ½Ew²),      M = m(w² + bvw)/(w² + bvw + ½(I/m)v²),
//!                  a = ½EI                                 b = ½EI/m²
//!   both           F⊥ = e_x e_y A v w²/(w³ + (A/B)v³),     A = ⟨(x² − y²)/r³⟩, B = ⟨x² − y²⟩
//! ```
//!
//! F⊥ to the left of the velocity. The first order has the right slopes of F∥ at v = 0 and of M at ω = 0; the
//! second also the right next terms, 1 − ½E(ω/v)² and m − ½I(v/ω)²; F⊥ has both limits.

use super::dual::Dual;
use super::polygon::PolygonForm;
use super::{Jacobian, Twist, Wrench};

#[derive(Clone, Debug)]
pub(super) struct RectanglePade {
    second: bool,
    /// ⟨x²/r³⟩ and ⟨y²/r³⟩ (1/m).
    spread: [f64; 2],
    /// ⟨x²⟩ and ⟨y²⟩ (m²).
    pub square: [f64; 2],
    /// ⟨r⟩ (m).
    mean: f64,
}

impl RectanglePade {
    pub fn new(polygon: &PolygonForm, second: bool) -> Self {
        let [xx, yy, mean] = polygon.pure_spin();
        Self { second, spread: [xx, yy], square: [polygon.second[0], polygon.second[2]], mean }
    }

    /// Half the diagonal.
    pub fn radius(&self) -> f64 {
        (3.0 * (self.square[0] + self.square[1])).sqrt()
    }

    fn duals(&self, twist: Twist) -> [Dual; 3] {
        let vx = Dual::variable(twist.vx, 0);
        let vy = Dual::variable(twist.vy, 1);
        let omega = Dual::variable(twist.omega, 2);
        let (w, sense) = (omega.abs(), 1f64.copysign(twist.omega));
        let v = (vx * vx + vy * vy).sqrt();
        let fixed = |value: f64| Dual { value, slope: [0.0; 3] };
        let (ex, ey) = if v.value > 0.0 { (vx / v, vy / v) } else { (fixed(1.0), fixed(0.0)) };
        let (xx, yy) = (ex * ex, ey * ey);
        let i = xx.times(self.spread[0]) + yy.times(self.spread[1]);
        let e = xx.times(self.square[0]) + yy.times(self.square[1]);
        let m = self.mean;
        let (along, moment) = if self.second {
            let a = (e * i).times(0.5);
            let f = v * v + a * v * w;
            let g = w * w + a * v * w.times(1.0 / (m * m));
            (f / (f + (e * w * w).times(0.5)), g.times(m) / (g + (i * v * v).times(0.5 / m)))
        } else {
            // v/e and not e w: the direction turns as 1/v, which must not stand alone
            (i * v / (i * v + w), w.times(m) / (w + (v / e).times(m)))
        };
        // the ratio A/B stays finite as the rectangle becomes a square, where both vanish
        let (a, b) = (self.spread[0] - self.spread[1], self.square[0] - self.square[1]);
        let ratio = if b != 0.0 { a / b } else { 1.0 };
        let across = (ex * ey * v * w * w).times(a) / (w * w * w + (v * v * v).times(ratio));
        [fixed(0.0) - along * ex - across * ey, across * ex - along * ey, moment.times(-sense)]
    }

    /// The wrench at the centre per unit μN.
    pub fn wrench(&self, twist: Twist) -> Wrench {
        let [fx, fy, mz] = self.duals(twist);
        Wrench { fx: fx.value, fy: fy.value, mz: mz.value }
    }

    /// Its derivative by the twist at the centre.
    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        self.duals(twist).map(|d| d.slope)
    }
}

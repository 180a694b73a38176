//! Padé closures of a disc, u = |ω|R (@kireenkov).
//!
//! ```text
//!   first order    F = v/(v + u/a)                      M = M₀ u/(u + v/m)
//!   second order   F = (v² + a u v)/(v² + a u v + u²)   M = M₀ (u² + m u v)/(u² + m u v + v²)
//!   both           F⊥ = μ⊥ u v/((u + v/b)(v + u/a))
//! ```
//!
//! Consistent constants match the exact integrals at both ends, whatever the pressure: a = F′(0), M₀ = M(0),
//! m = ⟨x²⟩/(M₀R²), b = ⟨x²⟩/(J₀R²), μ⊥ = hμR J₀/⟨x²⟩, J₀ = J(0). For Galin's pressure a = π/4, m = 4/(3π),
//! b = 8/(3π), μ⊥ = 3πhμ/(8R). The paper prints m = 1/3, b = 4/(9π), μ⊥ = 3πhμ/(4R).
//!
//! The worst errors over all v/u are 16–82 % of the largest exact value: here to compare with, not to rely
//! on.

use super::axial::{PartSlopes, Parts};
use super::profile::Profile;
use super::{Closure, Constants};
use std::f64::consts::PI;

#[derive(Clone, Debug)]
pub(super) struct Pade {
    second: bool,
    radius: f64,
    a: f64,
    m0: f64,
    m: f64,
    j0: f64,
    b: f64,
}

impl Pade {
    /// `None` for the exact closure.
    pub fn new(closure: Closure, constants: Constants, profile: Profile, radius: f64) -> Option<Self> {
        let second = match closure {
            Closure::Exact => return None,
            Closure::Pade1 => false,
            Closure::Pade2 => true,
        };
        let spin = profile.drag(0.0, 1.0);
        let x2 = profile.x2();
        let (m, j0, b) = match constants {
            Constants::Consistent => (x2 / spin.moment, spin.skew, x2 / spin.skew),
            Constants::AsPrinted => (1.0 / 3.0, PI / 4.0, 4.0 / (9.0 * PI)),
        };
        Some(Self { second, radius, a: spin.force, m0: spin.moment, m, j0, b })
    }

    /// Without `skewed` the last two are not needed and left out.
    #[inline(always)]
    pub fn parts(&self, v: f64, spin: f64, skewed: bool) -> Parts {
        let u = self.radius * spin;
        let rr = self.radius * self.radius;
        let (mut lead, mut skew) = (0.0, 0.0);
        if skewed || !self.second {
            lead = self.a / (self.a * v + u);
        }
        if skewed {
            skew = rr * self.j0 * self.b / (self.b * u + v);
        }
        if self.second {
            let (a, m) = (self.a, self.m);
            Parts {
                force: (v + a * u) / (v * v + a * u * v + u * u),
                lead,
                moment: rr * self.m0 * (u + m * v) / (u * u + m * u * v + v * v),
                skew,
            }
        } else {
            Parts { force: lead, lead, moment: rr * self.m0 * self.m / (self.m * u + v), skew }
        }
    }

    pub fn slopes(&self, v: f64, omega: f64) -> PartSlopes {
        let u = self.radius * omega.abs();
        let u_w = self.radius.copysign(omega);
        let rr = self.radius * self.radius;
        let (a, m) = (self.a, self.m);
        let p = self.parts(v, omega.abs(), true);
        let lead_v = -p.lead * p.lead;
        let lead_w = lead_v / a * u_w;
        let skew_v = -p.skew / (self.b * u + v);
        let (force_v, force_w, moment_v, moment_u) = if self.second {
            let (n, q) = (v + a * u, v * v + a * u * v + u * u);
            let (k, s) = (u + m * v, u * u + m * u * v + v * v);
            let c = rr * self.m0;
            (
                (1.0 - n * (2.0 * v + a * u) / q) / q,
                (a - n * (a * v + 2.0 * u) / q) / q * u_w,
                c * (m - k * (m * u + 2.0 * v) / s) / s,
                c * (1.0 - k * (2.0 * u + m * v) / s) / s,
            )
        } else {
            let s = m * u + v;
            (lead_v, lead_w, -p.moment / s, -p.moment * m / s)
        };
        PartSlopes {
            force_v,
            force_w,
            lead_v,
            lead_w,
            moment_v,
            moment_w: p.moment + u * moment_u,
            skew_v,
            skew_w: u * self.b * skew_v,
        }
    }
}

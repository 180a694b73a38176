//! The polynomial terms of the generalised Coulomb law, 1 + μ₁V³ − μ₂V, on any patch.
//!
//! ```text
//!   F = −⟨V(μ₁|V|² − μ₂)⟩,   M = −Im⟨z̄ V(μ₁|V|² − μ₂)⟩,   V = v + iωz
//! ```
//!
//! are polynomials in v and ω whose coefficients are moments Z(j,k) = ⟨z^j z̄^k⟩ of the pressure, j, k ≤ 2.

use super::{Jacobian, Twist, Wrench};
use crate::math::complex::{Complex, complex};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cubic {
    pub z00: f64,
    pub z10: Complex,
    pub z20: Complex,
    pub z11: f64,
    pub z21: Complex,
    pub z22: f64,
}

impl Cubic {
    /// From a moment function with lengths in units of `unit`.
    pub fn new(z: impl Fn(usize, usize) -> Complex, unit: f64) -> Self {
        let l2 = unit * unit;
        Self {
            z00: z(0, 0).re,
            z10: z(1, 0).times(unit),
            z20: z(2, 0).times(l2),
            z11: z(1, 1).re * l2,
            z21: z(2, 1).times(l2 * unit),
            z22: z(2, 2).re * l2 * l2,
        }
    }

    /// The wrench about the origin of the moments, per unit μN.
    pub fn wrench(&self, mu1: f64, mu2: f64, Twist { vx, vy, omega: w }: Twist) -> Wrench {
        let v = complex(vx, vy);
        let vv = vx * vx + vy * vy;
        let v2 = v * v;
        let Self { z00, z10, z20, z11, z21, z22 } = *self;
        // ⟨V|V|²⟩ and ⟨V⟩
        let cube = v.times(vv * z00 + 2.0 * w * w * z11)
            + (z10.times(2.0 * vv) - v2 * z10.conj()).turned().times(w)
            - (v.conj() * z20).times(w * w)
            + z21.turned().times(w * w * w);
        let line = v.times(z00) + z10.turned().times(w);
        // ⟨z̄V|V|²⟩ and ⟨z̄V⟩, imaginary parts
        let cube_m = (v * z10.conj()).im * vv - w * (v2 * z20.conj()).re
            + 2.0 * w * vv * z11
            + w * w * (2.0 * (v * z21.conj()).im - (v.conj() * z21).im)
            + w * w * w * z22;
        let line_m = (v * z10.conj()).im + w * z11;
        let f = line.times(mu2) - cube.times(mu1);
        Wrench { fx: f.re, fy: f.im, mz: mu2 * line_m - mu1 * cube_m }
    }

    /// Its derivative by the twist: symmetric, since V(μ₁|V|² − μ₂) has a potential.
    pub fn jacobian(&self, mu1: f64, mu2: f64, Twist { vx, vy, omega: w }: Twist) -> Jacobian {
        let v = complex(vx, vy);
        let vv = vx * vx + vy * vy;
        let v2 = v * v;
        let Self { z00, z10, z20, z11, z21, z22 } = *self;
        // d(V|V|²) = 2|V|² dV + V² dV̄, dV = dv + iz dω
        let a = vv * z00 - 2.0 * w * (v.conj() * z10).im + w * w * z11;
        let b = v2.times(z00) + (v * z10).turned().times(2.0 * w) - z20.times(w * w);
        let c = z10.times(vv) + ((v.conj() * z20) - v.times(z11)).turned().times(w) + z21.times(w * w);
        let e = v2 * z10.conj() + v.turned().times(2.0 * w * z11) - z21.times(w * w);
        let spin = (c.times(2.0) - e).turned();
        let zz = vv * z11 - 2.0 * w * (v.conj() * z21).im + w * w * z22;
        let z2 = (v2 * z20.conj()).re - 2.0 * w * (v * z21.conj()).im - w * w * z22;
        let line = z10.turned();
        let xy = -mu1 * b.im;
        let xw = mu2 * line.re - mu1 * spin.re;
        let yw = mu2 * line.im - mu1 * spin.im;
        [
            [mu2 * z00 - mu1 * (2.0 * a + b.re), xy, xw],
            [xy, mu2 * z00 - mu1 * (2.0 * a - b.re), yw],
            [xw, yw, mu2 * z11 - mu1 * (2.0 * zz - z2)],
        ]
    }
}

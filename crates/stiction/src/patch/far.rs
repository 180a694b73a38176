//! A patch that hardly spins: its friction as a series in τ = |ω|L/|v|, from the moments of the pressure.
//!
//! With the complex velocity v at the centroid and β = iω/v, the mean sliding speed is
//!
//! ```text
//!   ⟨|V|⟩ = |v| ⟨|1 + βz|⟩ = |v| Σ_jk C(½,j) C(½,k) β^j β̄^k Z(j,k) = |v| Σ_n τ^n g_n(θ),   θ = arg β
//!   g_n = Σ_m Re(c_nm e^{imθ}),  m = n, n − 2, … ≥ 0
//! ```
//!
//! which converges for τ < 1, and whose negative gradient is the wrench. It takes over where the closed form
//! cancels, holds for ω = 0, and keeps the relative accuracy of the moment however small the spin.

use super::{Jacobian, Twist, Wrench};
use crate::math::complex::{Complex, complex};

/// Powers of τ below this no longer count.
const NEGLIGIBLE: f64 = 1e-18;

/// No series is longer: 4^−30 < 1e-18.
const LONGEST: usize = 30;

#[derive(Clone, Debug)]
pub(super) struct FarSeries {
    unit: f64,
    terms: Vec<FarTerm>,
    /// Where the terms of each order end.
    ends: Vec<usize>,
}

/// Re(c e^{imθ}).
#[derive(Clone, Copy, Debug)]
struct FarTerm {
    m: usize,
    c: Complex,
}

/// How many orders a series needs whose τ stays below `1/distance`.
pub(super) fn order(distance: f64) -> usize {
    ((libm::log(NEGLIGIBLE) / -libm::log(distance)) as usize + 1).min(LONGEST)
}

impl FarSeries {
    /// From a moment function with lengths in units of `unit`.
    pub fn new(z: impl Fn(usize, usize) -> Complex, unit: f64, order: usize) -> Self {
        // C(½, j)
        let mut binomial = [1.0; LONGEST + 1];
        for j in 1..=LONGEST {
            binomial[j] = binomial[j - 1] * (1.5 - j as f64) / j as f64;
        }
        let mut terms = Vec::new();
        let mut ends = Vec::new();
        for n in 0..=order {
            for k in 0..=n / 2 {
                let (j, m) = (n - k, n - 2 * k);
                let twice = if m > 0 { 2.0 } else { 1.0 };
                let c = z(j, k).times(twice * binomial[j] * binomial[k]);
                // moments that vanish by symmetry
                if c.re.abs() + c.im.abs() > 1e-17 {
                    terms.push(FarTerm { m, c });
                }
            }
            ends.push(terms.len());
        }
        Self { unit, terms, ends }
    }

    /// Calls `add(n, [τ^n, τ^(n−1), τ^(n−2)], [g_n, g_n′, g_n″])` for every order that counts.
    fn sum(&self, tau: f64, turn: Complex, mut add: impl FnMut(f64, [f64; 3], [f64; 3])) {
        let mut turns = [complex(1.0, 0.0); LONGEST + 1];
        let mut powers = [1.0, 0.0, 0.0];
        let mut start = 0;
        for (n, &end) in self.ends.iter().enumerate() {
            if n > 0 {
                turns[n] = turns[n - 1] * turn;
                powers = [powers[0] * tau, powers[0], powers[1]];
            }
            if powers[2] < NEGLIGIBLE && n > 2 {
                break;
            }
            let mut g = [0.0; 3];
            for term in &self.terms[start..end] {
                let p = term.c * turns[term.m];
                let m = term.m as f64;
                g[0] += p.re;
                g[1] -= m * p.im;
                g[2] -= m * m * p.re;
            }
            if end > start {
                add(n as f64, powers, g);
            }
            start = end;
        }
    }

    /// The wrench at the centroid per unit μN.
    pub fn wrench(&self, twist: Twist) -> Wrench {
        let Polar { e, sign, tau, turn, .. } = self.polar(twist);
        // ∂/∂|v|, ∂/|v|∂φ and ∂/∂ω of |v| Σ τ^n g_n; θ falls as φ grows
        let [mut along, mut across, mut spin] = [0.0; 3];
        self.sum(tau, turn, |n, t, [g, dg, _]| {
            along += (1.0 - n) * t[0] * g;
            across -= t[0] * dg;
            spin += n * t[1] * g;
        });
        Wrench {
            fx: across * e.im - along * e.re,
            fy: -along * e.im - across * e.re,
            mz: -spin * self.unit * sign,
        }
    }

    /// Its derivative by the twist at the centroid.
    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        let Polar { v, e, sign, tau, turn } = self.polar(twist);
        let [mut rr, mut rp, mut pp, mut rw, mut pw, mut ww] = [0.0; 6];
        self.sum(tau, turn, |n, t, [g, dg, ddg]| {
            rr += n * (n - 1.0) * t[0] * g;
            rp += n * t[0] * dg;
            pp += t[0] * ((1.0 - n) * g + ddg);
            rw += (1.0 - n) * n * t[1] * g;
            pw -= n * t[1] * dg;
            ww += n * (n - 1.0) * t[2] * g;
        });
        let l = self.unit * sign;
        let (rr, rp, pp, rw, pw, ww) = (rr / v, rp / v, pp / v, rw * l / v, pw * l / v, ww * l * l / v);
        // from the axes along and across the velocity to x and y
        let (c, s) = (e.re, e.im);
        let xx = c * c * rr - 2.0 * c * s * rp + s * s * pp;
        let xy = c * s * (rr - pp) + (c * c - s * s) * rp;
        let yy = s * s * rr + 2.0 * c * s * rp + c * c * pp;
        let xw = c * rw - s * pw;
        let yw = s * rw + c * pw;
        [[-xx, -xy, -xw], [-xy, -yy, -yw], [-xw, -yw, -ww]]
    }

    fn polar(&self, Twist { vx, vy, omega }: Twist) -> Polar {
        let v = (vx * vx + vy * vy).sqrt();
        let e = complex(vx / v, vy / v);
        let sign = if omega < 0.0 { -1.0 } else { 1.0 };
        Polar { v, e, sign, tau: omega.abs() * self.unit / v, turn: e.conj().turned().times(sign) }
    }
}

struct Polar {
    v: f64,
    e: Complex,
    sign: f64,
    tau: f64,
    turn: Complex,
}

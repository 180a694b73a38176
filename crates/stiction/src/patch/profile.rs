//! Axisymmetric pressures: the integrals of a unit disc that slides at v and spins at u = |ω|R.
//!
//! ```text
//!   F(d) v/|v|  against the velocity,  M(d) sgn ω  against the spin,  d = v/u
//!   J(d)  the transverse force of a pressure p(1 + x/R), x along the velocity
//! ```
//!
//! Everything is written in m = (smaller/larger)² of v and u, m₁ = 1 − m, and r = 1/larger, as F/v, M/u and
//! J/u: these stay finite and signless at v = 0 and at ω = 0. With q² = m₁ and A, B, C elementary, or B, C, D
//! elliptic:
//!
//! ```text
//!             v ≤ u                               v > u
//!   Galin     F/v  π/4                            (A + q)/2
//!             M/u  π/4 (1 − m/2)                  (2A − B)/4
//!             J/u  π/8 (1 − m/4)                  (4A + 2q − B)/16
//!   Hertz     F/v  3π/8 (1 − m/4)                 3(4A + 2q − B)/16
//!             M/u  3π/16 (1 − m + 3m²/8)          3(8A − 8B + C)/64
//!             J/u  3π/256 (8 − 4m + m²)           (24A − 12B + 8q + C)/128
//!   uniform   F/v  4/(3π) (2B + m₁D)              4/(3π) (2B + m₁D)
//!             M/u  4/(9π) ((3 − m)B + m₁(3 − 2m)D)  4/(9π) (2B + m₁C)
//!             J/u  4/(45π) ((9 − m)B + 2m₁(3 − m)D) 4/(45π) ((11 − 3m)B + m₁(1 + 3m)C)
//!   ring      F/v  2/π B                          2/π (B + m₁D)
//!             M/u  2/π (B + m₁D)                  2/π B
//!             J/u  2/(3π) (2B + m₁D)              2/(3π) (2B + m₁D)
//! ```
//!
//! (all times r). No term cancels, so the relative error is a few units in the last place for every d.

use super::special::{SPLIT, elementary, elementary_next, elliptic, elliptic_next};
use crate::math::wide::{LANES, WideLane};
use std::f64::consts::PI;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Profile {
    Galin,
    Hertz,
    Uniform,
    Ring,
}

/// F/v, M/u and J/u of a unit disc (s/m).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnitDrag {
    pub force: f64,
    pub moment: f64,
    pub skew: f64,
}

/// Slopes of [`UnitDrag`]. All of it is homogeneous of degree −1 in (v, u), and F and M have a potential, so
/// three numbers are enough (s³/m³).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DragSlope {
    /// ∂(F/v)/∂v / v.
    pub force: f64,
    /// ∂(M/u)/∂v / v = ∂(F/v)/∂u / u.
    pub moment: f64,
    /// ∂(J/u)/∂v / v.
    pub skew: f64,
}

/// Where v and u stand to each other.
struct Ratio {
    spins: bool,
    m: f64,
    m1: f64,
    /// √m₁, if the body slides more than it spins; of the elementary profiles.
    q: f64,
    /// Whether m₁ > SPLIT.
    upper: bool,
    r: f64,
}

/// For the elliptic profiles, without a branch: they need m₁ first and r last.
#[inline(always)]
fn elliptic_ratio(v2: f64, u: f64) -> Ratio {
    let u2 = u * u;
    let spins = v2 <= u2;
    let large = if spins { u2 } else { v2 };
    let m1 = (v2 - u2).abs() / large;
    Ratio { spins, m: 1.0 - m1, m1, q: 0.0, upper: false, r: 1.0 / large.sqrt() }
}

/// For the elementary profiles, which are polynomials where the body spins more than it slides.
#[inline(always)]
fn elementary_ratio(v2: f64, u: f64) -> Ratio {
    let u2 = u * u;
    if v2 <= u2 {
        let r = 1.0 / u;
        Ratio { spins: true, m: v2 * r * r, m1: (u2 - v2) * r * r, q: 0.0, upper: false, r }
    } else {
        let gap = v2 - u2;
        // both roots at once
        let [v, w] = [v2, gap].map(f64::sqrt);
        let r = 1.0 / v;
        Ratio { spins: false, m: u2 * r * r, m1: gap * r * r, q: w * r, upper: gap > SPLIT * v2, r }
    }
}

impl Profile {
    #[inline(always)]
    fn ratio(self, v2: f64, u: f64) -> Ratio {
        match self {
            Self::Galin | Self::Hertz => elementary_ratio(v2, u),
            Self::Uniform | Self::Ring => elliptic_ratio(v2, u),
        }
    }

    /// ⟨x²⟩/R².
    pub fn x2(self) -> f64 {
        match self {
            Self::Galin => 1.0 / 3.0,
            Self::Hertz => 1.0 / 5.0,
            Self::Uniform => 1.0 / 4.0,
            Self::Ring => 1.0 / 2.0,
        }
    }

    /// ⟨r⁴⟩/R⁴.
    pub fn r4(self) -> f64 {
        match self {
            Self::Galin => 8.0 / 15.0,
            Self::Hertz => 8.0 / 35.0,
            Self::Uniform => 1.0 / 3.0,
            Self::Ring => 1.0,
        }
    }

    /// The integrals at velocity √v2 and spin u ≥ 0, not both zero.
    #[inline(always)]
    pub fn drag(self, v2: f64, u: f64) -> UnitDrag {
        let ([force, moment, skew], r) = self.table(v2, u);
        UnitDrag { force: force * r, moment: moment * r, skew: skew * r }
    }

    /// The table at the head of this file, and r by which it is to be multiplied.
    #[inline(always)]
    pub fn table(self, v2: f64, u: f64) -> ([f64; 3], f64) {
        let Ratio { spins, m, m1, q, upper, r } = self.ratio(v2, u);
        let table = match (self, spins) {
            (Self::Galin, true) => [PI / 4.0, PI / 4.0 * (1.0 - m / 2.0), PI / 8.0 * (1.0 - m / 4.0)],
            (Self::Galin, false) => {
                let [a, b, _] = elementary(q, m, upper);
                [(a + q) / 2.0, (2.0 * a - b) / 4.0, (4.0 * a + 2.0 * q - b) / 16.0]
            }
            (Self::Hertz, true) => [
                3.0 * PI / 8.0 * (1.0 - m / 4.0),
                3.0 * PI / 16.0 * (1.0 - m * (1.0 - 0.375 * m)),
                3.0 * PI / 256.0 * (8.0 - m * (4.0 - m)),
            ],
            (Self::Hertz, false) => {
                let [a, b, c] = elementary(q, m, upper);
                [
                    3.0 / 16.0 * (4.0 * a + 2.0 * q - b),
                    3.0 / 64.0 * (8.0 * (a - b) + c),
                    (24.0 * a - 12.0 * b + 8.0 * q + c) / 128.0,
                ]
            }
            (Self::Uniform, _) => uniform(m, m1, elliptic(m1), spins),
            (Self::Ring, _) => {
                let [b, c] = elliptic(m1);
                let d = m1 * b + m * c;
                let e = 2.0 / PI * (b + d);
                let b = 2.0 / PI * b;
                let skew = (b + e) / 3.0;
                if spins { [b, e, skew] } else { [e, b, skew] }
            }
        };
        (table, r)
    }

    /// F/v and M/u of [`table`](Self::table) at several velocities and spins.
    #[inline(always)]
    pub fn tables(self, v2: &WideLane, u: &WideLane) -> [WideLane; 3] {
        let [mut force, mut moment, mut r] = [[0.0; LANES]; 3];
        if self != Self::Uniform {
            for i in 0..LANES {
                ([force[i], moment[i], _], r[i]) = self.table(v2[i], u[i]);
            }
            return [force, moment, r];
        }
        // in passes, so that the lanes do not wait for each other
        let [mut m1, mut b, mut c] = [[0.0; LANES]; 3];
        for i in 0..LANES {
            Ratio { m1: m1[i], r: r[i], .. } = elliptic_ratio(v2[i], u[i]);
        }
        for i in 0..LANES {
            [b[i], c[i]] = elliptic(m1[i]);
        }
        for i in 0..LANES {
            let spins = v2[i] <= u[i] * u[i];
            [force[i], moment[i], _] = uniform(1.0 - m1[i], m1[i], [b[i], c[i]], spins);
        }
        [force, moment, r]
    }

    /// The slopes of [`drag`](Self::drag), from F′(d) and J′(d).
    pub fn slope(self, v2: f64, u: f64) -> DragSlope {
        let Ratio { spins, m, m1, q, upper, r } = self.ratio(v2, u);
        // minus the slopes times larger³; for v > u the first is F − m F′ d³ by homogeneity
        let [force, moment, skew] = match (self, spins) {
            (Self::Galin, true) => [0.0, PI / 4.0, PI / 16.0],
            (Self::Galin, false) => {
                let [a, b, _] = elementary(q, m, upper);
                [(a + q - m * b) / 2.0, b / 2.0, (b + 2.0 * q) / 8.0]
            }
            (Self::Hertz, true) => {
                [3.0 * PI / 16.0, 3.0 * PI / 8.0 * (1.0 - 0.75 * m), 3.0 * PI / 64.0 * (2.0 - m)]
            }
            (Self::Hertz, false) => {
                let [a, b, c] = elementary(q, m, upper);
                let g = 4.0 * b - c;
                [3.0 / 16.0 * (4.0 * a + 2.0 * q - b - m * g), 3.0 / 16.0 * g, (6.0 * b + 4.0 * q - c) / 32.0]
            }
            (Self::Uniform, _) => {
                let [b, c] = elliptic(m1);
                let d = m1 * b + m * c;
                let y = 4.0 / (15.0 * PI) * ((4.0 - 2.0 * m) * b - (1.0 - 2.0 * m) * c);
                if spins {
                    [4.0 / (3.0 * PI) * (b - c), 4.0 / (3.0 * PI) * (b + 2.0 * d), y]
                } else {
                    [4.0 / (3.0 * PI) * (2.0 * b + d - m * (b - c)), 4.0 / (3.0 * PI) * (b - c), y]
                }
            }
            (Self::Ring, _) => {
                let [b, m1c] = elliptic(m1);
                // infinite where the centre of rotation lies on the line: the floor keeps it finite
                let c = m1c / m1.max(1e-30);
                let d = b + m * c;
                let e = b + m1 * b + m * m1c;
                let g = b - m1c;
                if spins {
                    [-2.0 / PI * c, 2.0 / PI * d, 2.0 / (3.0 * PI) * g]
                } else {
                    [2.0 / PI * (e - m * d), 2.0 / PI * d, 2.0 / (3.0 * PI) * (b + e - m * g)]
                }
            }
        };
        let r3 = -r * r * r;
        DragSlope { force: force * r3, moment: moment * r3, skew: skew * r3 }
    }

    /// The slopes of `DragSlope::skew`: ∂/∂v / v and ∂/∂u / u (s⁵/m⁵).
    ///
    /// With minus that slope times larger³ as Y(m) of [`slope`](Self::slope), they are −2Y′ and 3Y + 2mY′ over larger⁵, the first along the
    /// smaller of v and u.
    pub fn skew_bend(self, v2: f64, u: f64) -> [f64; 2] {
        let Ratio { spins, m, m1, q, upper, r } = self.ratio(v2, u);
        let [small, large] = match (self, spins) {
            (Self::Galin, true) => [0.0, 3.0 * PI / 16.0],
            (Self::Galin, false) => [elementary(q, m, upper)[2] / 8.0, q],
            (Self::Hertz, true) => [3.0 * PI / 32.0, 3.0 * PI / 64.0 * (6.0 - 5.0 * m)],
            (Self::Hertz, false) => {
                let c = elementary(q, m, upper)[2];
                [(3.0 * c - 0.5 * elementary_next(m, c, q)) / 16.0, (8.0 * q + c) / 16.0]
            }
            (Self::Uniform, _) => {
                let [b, c] = elliptic(m1);
                let k = 4.0 / (15.0 * PI);
                let small = 2.0 * (b - c) + elliptic_next(m, b, c);
                [k * small, k * ((11.0 - 8.0 * m) * b + (1.0 + 8.0 * m) * c)]
            }
            (Self::Ring, _) => {
                let [b, m1c] = elliptic(m1);
                // as in `slope`
                let c = m1c / m1.max(1e-30);
                let k = 2.0 / (3.0 * PI);
                if spins {
                    [k * (elliptic_next(m, b, m1c) - 3.0 * c), k * (2.0 * b + m1c + 3.0 * m * c)]
                } else {
                    [k * (2.0 * b + (1.0 + 2.0 * m) * c), k * ((9.0 - 8.0 * m) * b + m * (5.0 - 8.0 * m) * c)]
                }
            }
        };
        let r5 = r * r * r * r * r;
        let [small, large] = [r5 * small, r5 * large];
        if spins { [small, large] } else { [large, small] }
    }
}

/// The row of the uniform pressure.
#[inline(always)]
fn uniform(m: f64, m1: f64, [b, c]: [f64; 2], spins: bool) -> [f64; 3] {
    let d = m1 * b + m * c;
    let force = 4.0 / (3.0 * PI) * (2.0 * b + d);
    // both, and one is taken: cheaper than a branch that goes either way
    let spinning = [
        4.0 / (9.0 * PI) * ((3.0 - m) * b + (3.0 - 2.0 * m) * d),
        4.0 / (45.0 * PI) * ((9.0 - m) * b + 2.0 * (3.0 - m) * d),
    ];
    let sliding =
        [4.0 / (9.0 * PI) * (2.0 * b + c), 4.0 / (45.0 * PI) * ((11.0 - 3.0 * m) * b + (1.0 + 3.0 * m) * c)];
    let [moment, skew] = if spins { spinning } else { sliding };
    [force, moment, skew]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bends_of_the_transverse_integral_are_slopes_of_its_slope() {
        for profile in [Profile::Galin, Profile::Hertz, Profile::Uniform, Profile::Ring] {
            for d in [1e-6, 0.01, 0.2, 0.31, 0.32, 0.7, 0.95, 1.05, 1.4, 3.1, 3.2, 5.0, 100.0, 1e6] {
                let (v, u) = if d < 1.0 { (d, 1.0) } else { (1.0, 1.0 / d) };
                let slope = |v2: f64, u2: f64| profile.slope(v2, u2.sqrt()).skew;
                // forward, by the square of a speed that may be far below the other
                let h: f64 = 1e-5;
                let along = |f: &dyn Fn(f64) -> f64| (4.0 * f(h) - 3.0 * f(0.0) - f(2.0 * h)) / h;
                let by_v = along(&|h| slope(v * v + h, u * u));
                let by_u = along(&|h| slope(v * v, u * u + h));
                let found = profile.skew_bend(v * v, u);
                for (found, expected) in found.into_iter().zip([by_v, by_u]) {
                    // differences of second order: h² over the cube of the distance from d = 1
                    let close = 1e-6 * (1.0 + expected.abs());
                    assert!((found - expected).abs() < close, "{profile:?} {d}: {found} {expected}");
                }
            }
        }
    }
}

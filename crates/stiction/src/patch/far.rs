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
//!
//! Summed by m, four at a time, with polynomials in τ²:
//!
//! ```text
//!   Σ_n τ^n g_n = Re Σ_m e^{imθ} τ^m Σ_k c_{m+2k,m} τ^{2k}
//! ```
//!
//! and its derivatives by τ in the same way.

use super::lanes::{LANES, Lane, in_lanes, lane, total};
use super::{Jacobian, Twist, Wrench};
use crate::math::complex::{Complex, complex};

/// Powers of τ below this no longer count: 2⁻⁶⁰.
const NEGLIGIBLE: f64 = 8.7e-19;
const NEGLIGIBLE_BITS: usize = 60;

/// No series is longer: 4^−30 < 1e-18.
const LONGEST: usize = 30;

/// Least τ whose square has an inverse.
const FLOOR: f64 = 1e-150;

/// Derivatives by τ that are tabulated: none for the wrench's forces, one for its moment, two for the Jacobian.
const DERIVATIVES: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct FarSeries {
    unit: f64,
    /// The least m, and the step from one m to the next: moments that vanish by symmetry are left out.
    first: usize,
    step: usize,
    blocks: Vec<FarBlock>,
}

/// Four values of m.
#[derive(Clone, Debug)]
struct FarBlock {
    least: usize,
    m: Lane,
    /// For every derivative the coefficients of falling powers of τ², real and imaginary parts.
    rows: [Vec<[Lane; 2]>; DERIVATIVES],
}

/// Factorial falling from n with `p` factors: the p-th derivative of τ^n is this times τ^(n−p).
fn falling(n: usize, p: usize) -> f64 {
    (0..p).map(|i| n as f64 - i as f64).product()
}

/// The lowest power of τ with angle m that has a p-th derivative.
fn lowest(m: usize, p: usize) -> usize {
    if m >= p { m } else { p + (p + m) % 2 }
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
        let coefficient = |n: usize, m: usize| {
            let k = (n - m) / 2;
            let twice = if m > 0 { 2.0 } else { 1.0 };
            let c = z(n - k, k).times(twice * binomial[n - k] * binomial[k]);
            // moments that vanish by symmetry
            if c.re.abs() + c.im.abs() > 1e-17 { c } else { Complex::default() }
        };
        let counts = |m: &usize| (*m..=order).step_by(2).any(|n| coefficient(n, *m) != Complex::default());
        let has = |parity: usize| (parity..=order).step_by(2).any(|m| counts(&m));
        let (first, step) = match (has(0), has(1)) {
            (_, false) => (0, 2),
            (false, true) => (1, 2),
            (true, true) => (0, 1),
        };
        let block = |least: usize| {
            let ms: [usize; LANES] = lane(|i| least + step * i);
            let rows = std::array::from_fn(|p| {
                let row = |k: usize| {
                    let c = ms.map(|m| match lowest(m, p) + 2 * k {
                        n if n <= order => coefficient(n, m).times(falling(n, p)),
                        _ => Complex::default(),
                    });
                    [c.map(|c| c.re), c.map(|c| c.im)]
                };
                (0..=(order - least) / 2).rev().map(row).collect()
            });
            FarBlock { least, m: ms.map(|m| m as f64), rows }
        };
        Self { unit, first, step, blocks: (first..=order).step_by(LANES * step).map(block).collect() }
    }

    in_lanes! {
        /// Σ and ∂Σ/∂θ at τ and e^{iθ}, and ∂Σ/∂τ, lane by lane.
        first_sums, plain_first_sums, wide_first_sums, (f64, Complex), [Lane; 3]
    }
    in_lanes! {
        /// The same, and ∂²Σ/∂θ², ∂²Σ/∂τ∂θ, ∂²Σ/∂τ².
        second_sums, plain_second_sums, wide_second_sums, (f64, Complex), [Lane; 6]
    }

    #[inline(always)]
    fn plain_first_sums(&self, (tau, turn): (f64, Complex)) -> [Lane; 3] {
        let mut sums = [[0.0; LANES]; 3];
        self.visit::<2>(tau, turn, |m, [value, slope]| {
            sums[0] = lane(|i| sums[0][i] + value[0][i]);
            sums[1] = lane(|i| sums[1][i] - m[i] * value[1][i]);
            sums[2] = lane(|i| sums[2][i] + slope[0][i]);
        });
        sums
    }

    #[inline(always)]
    fn plain_second_sums(&self, (tau, turn): (f64, Complex)) -> [Lane; 6] {
        let mut sums = [[0.0; LANES]; 6];
        self.visit::<3>(tau, turn, |m, [value, slope, second]| {
            sums[0] = lane(|i| sums[0][i] + value[0][i]);
            sums[1] = lane(|i| sums[1][i] - m[i] * value[1][i]);
            sums[2] = lane(|i| sums[2][i] + slope[0][i]);
            sums[3] = lane(|i| sums[3][i] - m[i] * m[i] * value[0][i]);
            sums[4] = lane(|i| sums[4][i] - m[i] * slope[1][i]);
            sums[5] = lane(|i| sums[5][i] + second[0][i]);
        });
        sums
    }

    /// Calls `add(m, [Σ_n c_nm τ^n e^{imθ} and its derivatives by τ, as real and imaginary parts])` for every four m that count.
    #[inline(always)]
    fn visit<const P: usize>(&self, tau: f64, turn: Complex, mut add: impl FnMut(&Lane, [[Lane; 2]; P])) {
        // τ < 2^−bits: orders beyond the last are negligible, beside the first of the moment as well
        let bits = 1022usize.saturating_sub((tau.to_bits() >> 52) as usize).max(1);
        let last = 2 + NEGLIGIBLE_BITS / bits;
        // w^m: what underflows below the floor is negligible
        let safe = if tau > FLOOR { tau } else { FLOOR };
        let (x, inverse, w) = (tau * tau, 1.0 / safe, turn.times(safe));
        let stride = if self.step == 2 { w * w } else { w };
        let square = stride * stride;
        let start = if self.first == 1 { w } else { complex(1.0, 0.0) };
        let mut powers = [start, start * stride, start * square, start * (stride * square)];
        let leap = square * square;
        for block in &self.blocks {
            if block.least > last {
                break;
            }
            let count = (last - block.least) / 2 + 1;
            let mut parts = [[[0.0; LANES]; 2]; P];
            let mut scale = 1.0;
            for (p, part) in parts.iter_mut().enumerate() {
                let rows = &block.rows[p];
                let [mut re, mut im] = [[0.0; LANES]; 2];
                for row in &rows[rows.len().saturating_sub(count)..] {
                    re = lane(|i| re[i] * x + row[0][i]);
                    im = lane(|i| im[i] * x + row[1][i]);
                }
                // τ^(lowest − p) e^{imθ}
                let mut factors = lane(|i| powers[i].times(scale));
                for (i, factor) in factors.iter_mut().enumerate().take(p.saturating_sub(block.least)) {
                    let m = block.least + self.step * i;
                    if m < p {
                        let turned = if m == 0 { complex(1.0, 0.0) } else { turn };
                        *factor = turned.times(if lowest(m, p) > p { tau } else { 1.0 });
                    }
                }
                *part = [
                    lane(|i| factors[i].re * re[i] - factors[i].im * im[i]),
                    lane(|i| factors[i].re * im[i] + factors[i].im * re[i]),
                ];
                scale *= inverse;
            }
            add(&block.m, parts);
            powers = lane(|i| powers[i] * leap);
        }
    }

    /// The wrench at the centroid per unit μN.
    pub fn wrench(&self, twist: Twist) -> Wrench {
        let Polar { e, sign, tau, turn, .. } = self.polar(twist);
        let sums = self.first_sums((tau, turn));
        let [value, by_theta, by_tau] = [total(&sums[0]), total(&sums[1]), total(&sums[2])];
        // ∂/∂|v|, ∂/|v|∂φ and ∂/∂ω of |v| Σ τ^n g_n; θ falls as φ grows
        let [along, across, spin] = [value - tau * by_tau, -by_theta, by_tau];
        Wrench {
            fx: across * e.im - along * e.re,
            fy: -along * e.im - across * e.re,
            mz: -spin * self.unit * sign,
        }
    }

    /// Its derivative by the twist at the centroid.
    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        let Polar { v, e, sign, tau, turn } = self.polar(twist);
        let sums = self.second_sums((tau, turn));
        let [value, _, by_tau, by_theta2, by_both, by_tau2] = [0, 1, 2, 3, 4, 5].map(|i| total(&sums[i]));
        let [rr, rp, pp] = [tau * tau * by_tau2, tau * by_both, value - tau * by_tau + by_theta2];
        let [rw, pw, ww] = [-tau * by_tau2, -by_both, by_tau2];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_registers_give_the_same_bits() {
        // moments without any symmetry
        let z = |j: usize, k: usize| complex(0.9 / (1 + j + k) as f64, 0.1 * j as f64 - 0.1 * k as f64);
        let series = FarSeries::new(z, 0.1, order(4.0));
        for i in 0..1000 {
            let tau = 0.25 * libm::pow(10.0, -0.02 * f64::from(i));
            let at = (tau, complex(libm::cos(f64::from(i)), libm::sin(f64::from(i))));
            let bits = |lane: &Lane| lane.map(f64::to_bits);
            assert_eq!(
                series.first_sums(at).each_ref().map(bits),
                series.plain_first_sums(at).each_ref().map(bits)
            );
            assert_eq!(
                series.second_sums(at).each_ref().map(bits),
                series.plain_second_sums(at).each_ref().map(bits)
            );
        }
    }
}

//! The functions behind the closed forms, each without cancellation over its whole range.
//!
//! Elementary, for 0 ≤ q ≤ 1 and x² = 1 − q²:
//!
//! ```text
//!   A = asin(x)/x,   B = (A − q)/x²,   C = (3B − 2q)/x²
//! ```
//!
//! C is analytic on 0 ≤ q ≤ 1 (its only singularity is q = −1), so polynomials in q cover sliding with any
//! spin; B and A follow from it by additions of positive terms.
//!
//! Elliptic, of parameter m, m₁ = 1 − m (@bulirsch1965, @fukushima2011):
//!
//! ```text
//!   B = (E − m₁K)/m,   D = (K − E)/m = B + mC,   C = (D − B)/m
//! ```
//!
//! All are positive and of order one, except that C and D grow like −½ ln m₁ at m → 1; m₁C is what the
//! patches need. B and m₁C are tabulated over quarters of an octave of m₁; near m = 1, with P, Q, R, S analytic,
//!
//! ```text
//!   B = P + Q m₁ ln m₁,   C = R − S ln m₁
//! ```

use super::coefficients::{ELEMENTARY, ELLIPTIC, ELLIPTIC_FROM, LOG_P, LOG_Q, LOG_R, LOG_S, SPANS};

pub(super) use super::coefficients::SPLIT;

/// Σ c_i t^i in four interleaved chains, so that the additions do not wait for each other; N is a multiple of
/// four.
#[inline(always)]
fn polynomial<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    const { assert!(N.is_multiple_of(4)) };
    let t2 = t * t;
    let t4 = t2 * t2;
    let mut s = [c[N - 4], c[N - 3], c[N - 2], c[N - 1]];
    for block in (0..N / 4 - 1).rev() {
        for lane in 0..4 {
            s[lane] = s[lane] * t4 + c[4 * block + lane];
        }
    }
    (s[0] + t2 * s[2]) + t * (s[1] + t2 * s[3])
}

/// A, B and C of q = √(1 − x²), given x² as well, and whether q² > [`SPLIT`], which the caller can know
/// earlier.
#[inline(always)]
pub(super) fn elementary(q: f64, x2: f64, upper: bool) -> [f64; 3] {
    // a table per span: shorter polynomials without a branch
    let [scale, middle] = SPANS[usize::from(upper)];
    let third = polynomial(&ELEMENTARY[usize::from(upper)], scale * q - middle);
    let b = (2.0 / 3.0) * q + x2 * third;
    [q + x2 * b, b, 3.0 * third]
}

/// Bits of a number below those that determine its quarter of an octave.
const QUARTER: u32 = 50;

/// B and m₁C of m₁ = 1 − m.
#[inline(always)]
pub(super) fn elliptic(m1: f64) -> [f64; 2] {
    if m1 < ELLIPTIC_FROM {
        return near_one(m1);
    }
    // m₁ = 1 belongs to the last row
    let row = (m1.to_bits() >> QUARTER) - (ELLIPTIC_FROM.to_bits() >> QUARTER);
    let (middle, b, c) = &ELLIPTIC[(row as usize).min(ELLIPTIC.len() - 1)];
    let t = m1 - middle;
    [polynomial(b, t), polynomial(c, t)]
}

#[cold]
fn near_one(m1: f64) -> [f64; 2] {
    // m₁ ln m₁ → 0: the floor only keeps 0 · ∞ away
    let m1 = m1.max(1e-300);
    let log = libm::log(m1);
    let b = polynomial(&LOG_P, m1) + m1 * log * polynomial(&LOG_Q, m1);
    [b, m1 * (polynomial(&LOG_R, m1) - log * polynomial(&LOG_S, m1))]
}

/// Below this m the functions that follow take their series: differences would lose more than a digit (-).
const SMALL: f64 = 0.1;

/// scale Σ (a)ₙ(b)ₙ/((c)ₙ n!) mⁿ.
const fn hypergeometric<const N: usize>(scale: f64, [a, b, c]: [f64; 3]) -> [f64; N] {
    let mut terms = [scale; N];
    let mut i = 1;
    while i < N {
        let n = (i - 1) as f64;
        terms[i] = terms[i - 1] * (a + n) * (b + n) / ((c + n) * (1.0 + n));
        i += 1;
    }
    terms
}

/// (B − 4m₁C)/m of m, B and m₁C, elliptic: 3π/32 ₂F₁(3/2, 3/2; 4; m).
pub(super) fn elliptic_next(m: f64, b: f64, c: f64) -> f64 {
    const SERIES: [f64; 16] = hypergeometric(3.0 * std::f64::consts::PI / 32.0, [1.5, 1.5, 4.0]);
    if m < SMALL { polynomial(&SERIES, m) } else { (b - 4.0 * c) / m }
}

/// (5C − 8q)/m of x² = m, C and q, elementary: 48/7 ₂F₁(1/2, 7/2; 9/2; m).
pub(super) fn elementary_next(m: f64, c: f64, q: f64) -> f64 {
    const SERIES: [f64; 16] = hypergeometric(48.0 / 7.0, [0.5, 3.5, 4.5]);
    if m < SMALL { polynomial(&SERIES, m) } else { (5.0 * c - 8.0 * q) / m }
}

/// 1/first, 1/(first + 2), …
const fn odd_inverses<const N: usize>(first: i32) -> [f64; N] {
    let mut c = [0.0; N];
    let mut i = 0;
    while i < N {
        c[i] = 1.0 / (2 * i as i32 + first) as f64;
        i += 1;
    }
    c
}

/// Up to this y the series of [`atanh`] takes over from the logarithm.
const SERIES: f64 = 0.2;

/// atanh y for 0 ≤ y ≤ 1, given 1 − y as well (finite at y = 1).
pub(super) fn atanh(y: f64, rest: f64) -> f64 {
    if y > SERIES {
        return 0.5 * libm::log((1.0 + y) / rest.max(1e-300));
    }
    const ODD: [f64; 12] = odd_inverses(1);
    y * polynomial(&ODD, y * y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// ₂F₁(a, a; c; m): all terms are positive.
    fn hypergeometric(a: f64, c: f64, m: f64) -> f64 {
        let (mut term, mut terms) = (1.0, vec![1.0]);
        for n in 0..1_000_000 {
            let n = f64::from(n);
            term *= (a + n) * (a + n) / ((c + n) * (1.0 + n)) * m;
            terms.push(term);
            if term < 1e-22 {
                break;
            }
        }
        terms.iter().rev().sum()
    }

    #[test]
    fn elliptic_integrals_are_those_of_the_hypergeometric_series() {
        let mut worst = [0.0f64; 2];
        for i in 0..=2000 {
            // down to 1e-3, so that 1 − m₁ is exact and the series ends
            let m1 = (libm::pow(10.0, -3.0 * f64::from(i) / 2000.0) * 2f64.powi(40)).round() / 2f64.powi(40);
            let [b, c] = elliptic(m1);
            let m = 1.0 - m1;
            worst[0] = worst[0].max((b / (PI / 4.0 * hypergeometric(0.5, 2.0, m)) - 1.0).abs());
            worst[1] = worst[1].max((c / (PI / 16.0 * m1 * hypergeometric(1.5, 3.0, m)) - 1.0).abs());
        }
        // a term of the series has three roundings for each before it; they add up as √n at most
        assert!(worst[0] < 1e-14 && worst[1] < 4e-14, "{worst:?}");
        assert_eq!(elliptic(0.0)[0], 1.0);
    }

    #[test]
    fn elliptic_integrals_go_smoothly_from_row_to_row() {
        let mut edge = 1.0;
        for _ in 0..4 {
            for quarter in 0..4 {
                let m1: f64 = edge * (1.0 - f64::from(quarter) / 8.0);
                let [before, after] = [m1.next_down(), m1].map(elliptic);
                for k in 0..2 {
                    assert!((after[k] / before[k] - 1.0).abs() < 2e-15, "{m1}: {before:?} {after:?}");
                }
            }
            edge *= 0.5;
        }
        let [before, after] = [ELLIPTIC_FROM.next_down(), ELLIPTIC_FROM].map(elliptic);
        assert!((0..2).all(|k| (after[k] / before[k] - 1.0).abs() < 2e-15), "{before:?} {after:?}");
    }
}

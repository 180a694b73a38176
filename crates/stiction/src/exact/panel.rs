//! A stretch of motion as power series in s = τ/length, and what follows from them: extrema for certain, and
//! work.
//!
//! Each quantity is a series of degree [`ORDER`] over at most [`ANGLE`] radians of the fastest rate, so
//! that what is left out is below rounding.
//!
//! **Extrema.** On an interval of half-width r about a middle point
//!
//! ```text
//!   |f − f(m)| ≤ |f′|r + ½|f″|r² + ⅙|f‴|r³ + M r⁴/24,    M = Σ j(j−1)(j−2)(j−3)|c_j| ≥ |f⁗|
//! ```
//!
//! An interval in which that stays within the range known so far holds no extremum. One in which f′ cannot
//! vanish has its extrema at its ends; one in which f″ cannot vanish has at most one turning point, found by
//! Newton's method; any other is halved. Nothing depends on samples.
//!
//! **Work** is the integral of products of two such series: Gauss's rule of ten points on a panel. A product
//! of two entire functions of rate ρ has derivatives of order 20 of at most (2ρ)²⁰ times its size, so that
//! the rule errs by less than (2ρL)²⁰ (10!)⁴/(21 (20!)³) = 2e-21 for ρL = 1.5.

use super::taylor::{ANGLE, ORDER};
use crate::record::Ranges;
use crate::system::Motion;

/// Nodes and weights of Gauss's rule of ten points on [0, 1].
pub(crate) const GAUSS: [[f64; 2]; 10] = [
    [0.013_046_735_741_414_14, 0.033_335_672_154_344_07],
    [0.067_468_316_655_507_74, 0.074_725_674_575_290_3],
    [0.160_295_215_850_487_8, 0.109_543_181_257_991_02],
    [0.283_302_302_935_376_4, 0.134_633_359_654_998_18],
    [0.425_562_830_509_184_4, 0.147_762_112_357_376_44],
    [0.574_437_169_490_815_6, 0.147_762_112_357_376_44],
    [0.716_697_697_064_623_6, 0.134_633_359_654_998_18],
    [0.839_704_784_149_512_2, 0.109_543_181_257_991_02],
    [0.932_531_683_344_492_3, 0.074_725_674_575_290_3],
    [0.986_953_264_258_585_9, 0.033_335_672_154_344_07],
];

/// Rounding of a series, in units of its terms.
pub(super) const NOISE: f64 = 2.0 * f64::EPSILON;
/// A turning point is no longer sought in an interval of this half-width: what the value can still change is
/// rounding.
const FLAT: f64 = 1e-8;
/// Newton's steps to a turning point, with halving where they leave their bracket.
const TRIES: usize = 60;
/// Intervals that wait; halving from 1 to `FLAT` leaves at most 28.
const WAITING: usize = 32;

/// j(j−1)(j−2) and j(j−1)(j−2)(j−3): the third and fourth derivative of s^j at s = 1.
pub(super) const DERIVATIVES: [[f64; 2]; ORDER + 1] = {
    let mut table = [[0.0; 2]; ORDER + 1];
    let mut j = 3;
    while j <= ORDER {
        let third = (j * (j - 1) * (j - 2)) as f64;
        table[j] = [third, third * (j - 3) as f64];
        j += 1;
    }
    table
};

/// A power series in s.
pub(crate) type PanelSeries = [f64; ORDER + 1];

/// Length of a panel that resolves a rate, at most `longest` (s).
#[inline]
pub(super) fn panel_length(rate: f64, longest: f64) -> f64 {
    if rate * longest > ANGLE { ANGLE / rate } else { longest }
}

/// Value of a series at s.
#[inline]
pub(crate) fn value(c: &[f64], s: f64) -> f64 {
    c.iter().rev().fold(0.0, |value, c| value * s + c)
}

/// Values of a series at the nodes of Gauss's rule for the first `part` of it, all at once.
#[inline]
pub(crate) fn at_nodes(c: &PanelSeries, part: f64) -> [f64; 10] {
    let (mut values, places) = ([0.0; 10], GAUSS.map(|[s, _]| part * s));
    for c in c.iter().rev() {
        for (value, s) in values.iter_mut().zip(&places) {
            *value = *value * s + c;
        }
    }
    values
}

/// Value and first three derivatives at s.
#[inline]
fn jet(c: &PanelSeries, s: f64) -> [f64; 4] {
    let [mut f, mut f1, mut f2, mut f3] = [0.0; 4];
    for c in c.iter().rev() {
        f3 = f3 * s + f2;
        f2 = f2 * s + f1;
        f1 = f1 * s + f;
        f = f * s + c;
    }
    [f, f1, 2.0 * f2, 6.0 * f3]
}

/// Adds to `ranges` the extrema of quantity `k`, whose series over the `span` of s is `c`. `at` gives the
/// whole motion at s.
pub(crate) fn seek(
    c: &PanelSeries,
    span: [f64; 2],
    ranges: &mut Ranges,
    k: usize,
    at: &mut dyn FnMut(f64, &mut Motion),
) {
    let varies: f64 = c[1..].iter().map(|c| c.abs()).sum();
    let mut noise = NOISE * (c[0].abs() + varies);
    let range = ranges.range(k);
    let is_known = |f: f64, reach: f64| f + reach <= range.max + noise && f - reach >= range.min - noise;
    if is_known(c[0], varies) || !varies.is_finite() {
        return;
    }
    let mut fourth = 0.0;
    for ([_, to_fourth], c) in DERIVATIVES.iter().zip(c) {
        fourth += to_fourth * c.abs();
    }
    let mut waiting = [[0.0; 2]; WAITING];
    waiting[0] = span;
    let mut n = 1;
    while n > 0 {
        n -= 1;
        let [a, b] = waiting[n];
        let (m, r) = (0.5 * (a + b), 0.5 * (b - a));
        let [f, f1, f2, f3] = jet(c, m);
        let third = f3.abs() + r * fourth / 4.0;
        let reach = r * (f1.abs() + r * (0.5 * f2.abs() + r * third / 6.0));
        let range = ranges.range(k);
        if f + reach <= range.max + noise && f - reach >= range.min - noise {
            continue;
        }
        let is_monotone = f1.abs() > r * (f2.abs() + r * (0.5 * f3.abs() + r * fourth / 6.0));
        let turns_once = f2.abs() > r * (f3.abs() + 0.5 * r * fourth);
        if !is_monotone && !turns_once && r > FLAT && n + 2 <= WAITING {
            waiting[n] = [m, b];
            waiting[n + 1] = [a, m];
            n += 2;
            continue;
        }
        let turn = if is_monotone { None } else { Some(turning_point(c, [a, b]).unwrap_or(m)) };
        for s in [Some(a), turn, Some(b)].into_iter().flatten() {
            let (f, range) = (value(c, s), ranges.range(k));
            if f > range.max + noise || f < range.min - noise {
                ranges.add_at(s, &mut *at);
                // what the motion does not confirm is the rounding of the series, and need not be sought
                // again
                let range = ranges.range(k);
                noise = noise.max(f - range.max).max(range.min - f);
            }
        }
    }
}

/// The zero of the slope in an interval in which the curvature keeps its sign.
fn turning_point(c: &PanelSeries, [mut a, mut b]: [f64; 2]) -> Option<f64> {
    let (left, right) = (jet(c, a)[1], jet(c, b)[1]);
    if !(left * right < 0.0) {
        return None;
    }
    let mut s = a + (b - a) * (left / (left - right));
    for _ in 0..TRIES {
        let [_, f1, f2, _] = jet(c, s);
        if f1 * left > 0.0 {
            a = s
        } else {
            b = s
        }
        let next = s - f1 / f2;
        let next = if next > a && next < b { next } else { 0.5 * (a + b) };
        if (next - s).abs() <= f64::EPSILON * (1.0 + s.abs()) {
            return Some(next);
        }
        s = next;
    }
    Some(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_exact_to_degree_19() {
        for power in 0..20 {
            let sum: f64 = GAUSS.iter().map(|[x, w]| w * x.powi(power)).sum();
            assert!((sum * f64::from(power + 1) - 1.0).abs() < 1e-14, "{power}: {sum}");
        }
    }

    #[test]
    fn no_extremum_of_a_random_series_is_missed() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for case in 0..300 {
            let mut c: PanelSeries = [0.0; ORDER + 1];
            let mut size = 1.0;
            // now and then a double root of the slope, or nothing at all above some order
            for (j, c) in c.iter_mut().enumerate() {
                *c = if case % 7 == 0 && j > 3 { 0.0 } else { size * random() };
                size *= 3.0 / (j + 1) as f64;
            }
            if case % 5 == 0 {
                (c[1], c[2]) = (0.0, 0.0);
            }
            let mut ranges = Ranges::new(1, 0, false);
            let mut motion = Motion::zero(1, 0);
            let mut at = |s: f64, motion: &mut Motion| motion.position.fill(value(&c, s));
            at(0.0, &mut motion);
            ranges.add(&motion);
            seek(&c, [0.0, 1.0], &mut ranges, 0, &mut at);
            let range = ranges.range(0);
            let size: f64 = c.iter().map(|c| c.abs()).sum();
            let allowed = 2.0 * NOISE * size;
            let samples = (0..=20_000).map(|i| value(&c, f64::from(i) / 20_000.0));
            let (mut max, mut min) = (f64::NEG_INFINITY, f64::INFINITY);
            for f in samples {
                (max, min) = (max.max(f), min.min(f));
            }
            assert!(range.max >= max - allowed && range.min <= min + allowed, "case {case}");
            // and not above: a parabola between samples rises by no more than this
            let second: f64 = c.iter().enumerate().map(|(j, c)| (j * j) as f64 * c.abs()).sum();
            let rise = second / (8.0 * 20_000.0 * 20_000.0) + allowed;
            assert!(range.max <= max + rise && range.min >= min - rise, "case {case}");
        }
    }
}

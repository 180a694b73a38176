//! Extrema of a quantity on an interval, for certain.
//!
//! On an interval of half-width r about a middle point a quantity differs from what its slow parts are there
//! by at most
//!
//! ```text
//!   |f′|r + ½|f″|r² + ⅙|f‴|r³ + M r⁴/24 + S,    M ≥ |f⁗|
//! ```
//!
//! M: bound on the fourth derivative of the slow parts, S: size of the parts that are fast against the
//! interval. An interval in which that stays within the range known so far holds no extremum. One in which f′
//! cannot vanish has its extrema at its ends; one in which f″ cannot vanish has at most one turning point,
//! found by Newton's method; any other is halved. Nothing depends on samples.

use super::panel::{DERIVATIVES, PanelSeries, value};
use crate::record::{Range, Ranges};
use crate::system::Motion;

/// Rounding of a series, in units of its terms.
pub(super) const NOISE: f64 = 2.0 * f64::EPSILON;
/// A turning point is no longer sought in an interval of this half-width: what the value can still change is
/// rounding.
const FLAT: f64 = 1e-8;
/// Newton's steps to a turning point, with halving where they leave their bracket.
const TRIES: usize = 60;
/// Intervals that wait; halving from 1 to `FLAT` leaves at most 28.
const WAITING: usize = 32;

/// A quantity at the middle of an interval.
pub(super) struct Local {
    pub value: f64,
    pub slope: f64,
    pub curvature: f64,
    /// Modulus of the third derivative, or a bound on it over the interval.
    pub third: f64,
    /// Bound on the fourth over the interval; zero beside a bound on the third.
    pub fourth: f64,
    /// Sizes of the fast parts of value, slope and curvature.
    pub fast: [f64; 3],
}

impl Local {
    /// How far the quantity can be from its value in the middle, within r.
    pub fn reach(&self, r: f64) -> f64 {
        let third = self.third + r * self.fourth / 4.0;
        r * (self.slope.abs() + r * (0.5 * self.curvature.abs() + r * third / 6.0)) + self.fast[0]
    }

    /// Whether it stays within a range and its rounding.
    pub fn is_within(&self, r: f64, range: Range, noise: f64) -> bool {
        let reach = self.reach(r);
        self.value + reach <= range.max + noise && self.value - reach >= range.min - noise
    }

    pub fn is_monotone(&self, r: f64) -> bool {
        let bend = self.curvature.abs() + r * (0.5 * self.third + r * self.fourth / 6.0);
        self.slope.abs() > r * bend + self.fast[1]
    }

    pub fn turns_once(&self, r: f64) -> bool {
        self.curvature.abs() > r * (self.third + 0.5 * r * self.fourth) + self.fast[2]
    }
}

/// The zero of the slope in an interval in which the curvature keeps its sign; `slopes` gives both, `place` how
/// well the zero is to be known.
pub(super) fn turning_point(
    [mut a, mut b]: [f64; 2],
    place: impl Fn(f64) -> f64,
    mut slopes: impl FnMut(f64) -> [f64; 2],
) -> Option<f64> {
    let (left, right) = (slopes(a)[0], slopes(b)[0]);
    if !(left * right < 0.0) {
        return None;
    }
    let mut t = a + (b - a) * (left / (left - right));
    for _ in 0..TRIES {
        let [f1, f2] = slopes(t);
        if f1 * left > 0.0 {
            a = t
        } else {
            b = t
        }
        let next = t - f1 / f2;
        let next = if next > a && next < b { next } else { 0.5 * (a + b) };
        if (next - t).abs() <= place(t) {
            return Some(next);
        }
        t = next;
    }
    Some(t)
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
        let local = Local { value: f, slope: f1, curvature: f2, third: f3.abs(), fourth, fast: [0.0; 3] };
        if local.is_within(r, ranges.range(k), noise) {
            continue;
        }
        let is_monotone = local.is_monotone(r);
        if !is_monotone && !local.turns_once(r) && r > FLAT && n + 2 <= WAITING {
            waiting[n] = [m, b];
            waiting[n + 1] = [a, m];
            n += 2;
            continue;
        }
        let slopes = |s: f64| {
            let [_, f1, f2, _] = jet(c, s);
            [f1, f2]
        };
        let place = |s: f64| f64::EPSILON * (1.0 + s.abs());
        let turn = if is_monotone { None } else { Some(turning_point([a, b], place, slopes).unwrap_or(m)) };
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

#[cfg(test)]
mod tests {
    use super::super::taylor::ORDER;
    use super::*;

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

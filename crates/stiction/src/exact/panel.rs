//! A stretch of motion as power series in s = τ/length, and the quadrature of what follows from them.
//!
//! Each quantity is a series of degree [`ORDER`] over at most [`ANGLE`] radians of the fastest rate, so
//! that what is left out is below rounding. Extrema: see `extrema.rs`.
//!
//! **Work** is the integral of products of two such series: Gauss's rule of ten points on a panel. A product
//! of two entire functions of rate ρ has derivatives of order 20 of at most (2ρ)²⁰ times its size, so that
//! the rule errs by less than (2ρL)²⁰ (10!)⁴/(21 (20!)³) = 2e-21 for ρL = 1.5.

use super::taylor::{ANGLE, ORDER};

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
}

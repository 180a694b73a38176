//! Sums of products as if computed in twice the working precision (@ogita2005, algorithms TwoSum, TwoProduct
//! and Dot2).
//!
//! What cancels in K x of a stiff structure is then no rounding of K's largest entries.

/// 2²⁷ + 1, which splits a number into halves of 26 bits (@dekker1971).
const SPLIT: f64 = 134_217_729.0;

/// a + b and the rounding of it.
#[inline]
fn two_sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let part = sum - a;
    [sum, (a - (sum - part)) + (b - part)]
}

/// a b and the rounding of it.
#[inline]
fn two_product(a: f64, b: f64) -> [f64; 2] {
    let split = |x: f64| {
        let far = SPLIT * x;
        let high = far - (far - x);
        [high, x - high]
    };
    let product = a * b;
    let ([a1, a2], [b1, b2]) = (split(a), split(b));
    let rest = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
    [product, rest]
}

/// Adds `c · x` to the sums `high + low`.
#[inline]
pub(crate) fn add_scaled(c: f64, x: &[f64], high: &mut [f64], low: &mut [f64]) {
    for ((x, high), low) in x.iter().zip(high).zip(low) {
        let [product, rest] = two_product(c, *x);
        let [sum, lost] = two_sum(*high, product);
        *high = sum;
        *low += lost + rest;
    }
}

/// `x · y`.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    sum(x.iter().copied().zip(y.iter().copied()))
}

/// The sum of the products of pairs.
#[inline]
pub(crate) fn sum(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut high, mut low) = (0.0, 0.0);
    for (x, y) in pairs {
        let [product, rest] = two_product(x, y);
        let [sum, lost] = two_sum(high, product);
        high = sum;
        low += lost + rest;
    }
    high + low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_leaves_no_rounding() {
        let (x, y) = ([1e10 / 3.0, 1.0, -1e10 / 3.0], [3.0, 0.1, 3.0]);
        assert_eq!(dot(&x, &y), 0.1);
        // 1/3 rounded times 3 is 1 − 2⁻⁵⁴
        assert_eq!(dot(&[1.0 / 3.0, -1.0], &[3.0, 1.0]), -5.551_115_123_125_783e-17);
        let (mut high, mut low) = ([0.0], [0.0]);
        for (c, x) in x.iter().zip(y) {
            add_scaled(*c, &[x], &mut high, &mut low);
        }
        assert_eq!(high[0] + low[0], 0.1);
    }
}

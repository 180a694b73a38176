//! The exponential of several numbers at once: no branches, so that a compiler works on all lanes together. A
//! Taylor polynomial on [−½ ln 2, ½ ln 2]; no lane depends on the others.

/// Numbers at once.
pub(crate) const LANES: usize = 8;
/// A number for each of them.
pub(crate) type WideLane = [f64; LANES];
/// Adding this leaves the nearest whole number in the last bits: 1.5 · 2⁵².
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 in 32 bits, and the rest.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
/// Beyond this the exponential is zero for every purpose.
const SMALLEST: f64 = -700.0;

/// Exponentials of numbers below 700.
#[inline]
pub(crate) fn exp(x: &[f64; LANES]) -> [f64; LANES] {
    let mut found = [0.0; LANES];
    for i in 0..LANES {
        found[i] = exp_of(x[i]);
    }
    found
}

/// The exponential of the number in one lane, which is not positive.
#[inline(always)]
fn exp_of(x: f64) -> f64 {
    let x = if x < SMALLEST { SMALLEST } else { x };
    let rounded = x * std::f64::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * LN_2[0]) - n * LN_2[1];
    // 0.35¹⁴/14! is below rounding
    let r2 = r * r;
    let r4 = r2 * r2;
    let low = (0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
    let middle = (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0));
    let high =
        (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) + r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
    let value = 1.0 + (r + r2 * (low + r4 * (middle + r4 * high)));
    // times 2ⁿ
    let scale = f64::from_bits((rounded.to_bits() << 52).wrapping_add(1023 << 52));
    value * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three ulps of one.
    const TOLERANCE: f64 = 6.8e-16;

    #[test]
    fn all_lanes_agree_with_libm() {
        assert_eq!(exp(&[0.0; LANES]), [1.0; LANES]);
        for decade in -8..6 {
            for k in 0..500 {
                let size = 10f64.powi(decade) * (1.0 + 9.0 * f64::from(k) / 500.0);
                let x: [f64; LANES] = std::array::from_fn(|i| ((i as f64 - 3.5) / 4.0 * size).min(699.0));
                for (value, x) in exp(&x).into_iter().zip(x) {
                    let truth = libm::exp(x);
                    assert!((value - truth).abs() <= TOLERANCE * truth || truth < 1e-300, "exp {x}");
                }
            }
        }
    }
}

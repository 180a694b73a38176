//! Sine, cosine and exponential of several numbers at once: no branches, so that a compiler works on all lanes together.
//!
//! The kernels on [−π/4, π/4] are those of @fdlibm, the exponential is a Taylor polynomial on [−½ ln 2, ½ ln 2]. Arguments are reduced
//! in two parts, which is good to an absolute error of an ulp of one up to [`LARGEST`]. No lane depends on the others.

/// Numbers at once.
pub(crate) const LANES: usize = 8;
/// A number for each of them.
pub(crate) type WideLane = [f64; LANES];
/// Largest argument (rad): its multiple of π/2 has 20 bits.
pub(crate) const LARGEST: f64 = 1e6;

/// Adding this leaves the nearest whole number in the last bits: 1.5 · 2⁵².
const ROUND: f64 = 6_755_399_441_055_744.0;
/// π/2 in 33 bits, and the rest.
const HALF_PI: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
/// ln 2 in 32 bits, and the rest.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
/// Beyond this the exponential is zero for every purpose.
const SMALLEST: f64 = -700.0;

const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sines and cosines.
#[inline]
pub(crate) fn sincos(x: &[f64; LANES]) -> [[f64; LANES]; 2] {
    let mut found = [[0.0; LANES]; 2];
    for i in 0..LANES {
        [found[0][i], found[1][i]] = sincos_of(x[i]);
    }
    found
}

/// Exponentials of numbers below 700.
#[inline]
pub(crate) fn exp(x: &[f64; LANES]) -> [f64; LANES] {
    let mut found = [0.0; LANES];
    for i in 0..LANES {
        found[i] = exp_of(x[i]);
    }
    found
}

/// Sine and cosine of the number in one lane.
#[inline(always)]
pub(crate) fn sincos_of(x: f64) -> [f64; 2] {
    let rounded = x * std::f64::consts::FRAC_2_PI + ROUND;
    let (n, quadrant) = (rounded - ROUND, rounded.to_bits());
    let (high, low) = (x - n * HALF_PI[0], n * HALF_PI[1]);
    let y = high - low;
    let rest = (high - y) - low;
    let z = y * y;
    let w = z * z;
    let p = SINE[1] + z * (SINE[2] + z * SINE[3]) + z * w * (SINE[4] + z * SINE[5]);
    let v = z * y;
    let sine = y - ((z * (0.5 * rest - v * p) - rest) - v * SINE[0]);
    let p = z * (COSINE[0] + z * (COSINE[1] + z * COSINE[2]))
        + w * w * (COSINE[3] + z * (COSINE[4] + z * COSINE[5]));
    let half = 0.5 * z;
    let one = 1.0 - half;
    let cosine = one + (((1.0 - one) - half) + (z * p - y * rest));
    // an odd quadrant exchanges them, two of four turn their signs
    let odd = 0u64.wrapping_sub(quadrant & 1);
    let (s, c) = (sine.to_bits(), cosine.to_bits());
    [
        f64::from_bits(((s & !odd) | (c & odd)) ^ ((quadrant & 2) << 62)),
        f64::from_bits(((c & !odd) | (s & odd)) ^ ((quadrant.wrapping_add(1) & 2) << 62)),
    ]
}

/// The exponential of the number in one lane, which is not positive.
#[inline(always)]
pub(crate) fn exp_of(x: f64) -> f64 {
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

    /// One and a half ulps of one.
    const TOLERANCE: f64 = 3.4e-16;

    #[test]
    fn all_lanes_agree_with_libm() {
        for decade in -8..6 {
            for k in 0..500 {
                let size = 10f64.powi(decade) * (1.0 + 9.0 * f64::from(k) / 500.0);
                let x: [f64; LANES] = std::array::from_fn(|i| (i as f64 - 3.5) / 4.0 * size);
                let [sine, cosine] = sincos(&x);
                let exponential = exp(&x.map(|x| -x.abs()));
                let growing = exp(&x.map(|x| x.abs().min(699.0)));
                for i in 0..LANES {
                    assert!((sine[i] - libm::sin(x[i])).abs() <= TOLERANCE, "sin {}", x[i]);
                    assert!((cosine[i] - libm::cos(x[i])).abs() <= TOLERANCE, "cos {}", x[i]);
                    let truth = libm::exp(-x[i].abs());
                    let error = (exponential[i] - truth).abs();
                    assert!(error <= 2.0 * TOLERANCE * truth || truth < 1e-300, "exp {}", -x[i].abs());
                    let truth = libm::exp(x[i].abs().min(699.0));
                    assert!((growing[i] - truth).abs() <= 2.0 * TOLERANCE * truth, "exp {}", x[i].abs());
                }
            }
        }
    }

    #[test]
    fn zero_and_whole_turns_are_right() {
        let [sine, cosine] = sincos(&[0.0; LANES]);
        assert_eq!((sine, cosine), ([0.0; LANES], [1.0; LANES]));
        assert_eq!(exp(&[0.0; LANES]), [1.0; LANES]);
        let x = std::array::from_fn(|i| i as f64 * std::f64::consts::FRAC_PI_2);
        let [sine, cosine] = sincos(&x);
        for i in 0..LANES {
            let truth = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]][i % 4];
            assert!((sine[i] - truth[0]).abs() < 1e-14 && (cosine[i] - truth[1]).abs() < 1e-14, "{i}");
        }
    }
}

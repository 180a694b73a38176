//! Four numbers at a time: what the sums over edges need, without branches, so that compilers use vector registers.
//!
//! Only additions, products, quotients and roots, each rounded once: the same bits with every instruction set.
//!
//! ```text
//!   atanh y = ½ ln((1 + y)/(1 − y)) = ½k ln 2 + atanh s,   s = (a − b)/(a + b),   a = 1 + y,   b = 2ᵏ (1 − y)
//! ```
//!
//! k brings b to within 2^±0.59 of a, so |s| ≤ 0.201 and the series in s² is short; at k = 0, s = y.

use super::coefficients::ATANH;
use std::f64::consts::LN_2;

pub(super) const LANES: usize = 4;

/// Four numbers.
pub(super) type Lane = [f64; LANES];

/// Smallest 1 − y: its logarithm is finite, and it is multiplied by 1 − y.
const FLOOR: f64 = 1e-300;
/// Bits of a number that stand for its exponent, and their offset.
const MANTISSA: u32 = 52;
const ONE: u64 = 0x3ff0_0000_0000_0000;
/// 2⁵²: a whole number below it is the last bits of the sum of both.
const WHOLE: u64 = 0x4330_0000_0000_0000;

/// Defines a method twice from one body: for any processor, and for one with vectors of four. Same operations, same bits.
macro_rules! in_lanes {
    ($(#[$doc:meta])* $name:ident, $plain:ident, $wide:ident, $argument:ty, $result:ty) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(&self, argument: $argument) -> $result {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has been asked on the line above
                #[allow(unsafe_code)]
                return unsafe { self.$wide(argument) };
            }
            self.$plain(argument)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $wide(&self, argument: $argument) -> $result {
            self.$plain(argument)
        }
    };
}
pub(super) use in_lanes;

/// Written out: loops and `from_fn` are not always taken apart inside a function for wide registers.
#[inline(always)]
pub(super) fn lane<T>(mut f: impl FnMut(usize) -> T) -> [T; LANES] {
    [f(0), f(1), f(2), f(3)]
}

/// The sum of the four.
#[inline(always)]
pub(super) fn total(x: &Lane) -> f64 {
    (x[0] + x[1]) + (x[2] + x[3])
}

/// (1 − y²) atanh y, and y less that, for 0 ≤ y ≤ 1 with 1 − y given as well.
#[inline(always)]
pub(super) fn atanh_terms(y: &Lane, rest: &Lane) -> (Lane, Lane) {
    let a = lane(|i| 1.0 + y[i]);
    let b = lane(|i| if rest[i] > FLOOR { rest[i] } else { FLOOR });
    // the difference of the bits is that of the logarithms to base 2 within 0.086, in units of 2⁻⁵²; rounded to a whole number
    let k: [u64; LANES] = lane(|i| {
        let apart = a[i].to_bits().wrapping_sub(b[i].to_bits());
        apart.wrapping_add(1 << (MANTISSA - 1)) >> MANTISSA
    });
    let scale = lane(|i| f64::from_bits(ONE.wrapping_add(k[i] << MANTISSA)));
    let number = lane(|i| f64::from_bits(WHOLE | k[i]) - f64::from_bits(WHOLE));
    let b = lane(|i| b[i] * scale[i]);
    let s = lane(|i| if k[i] == 0 { y[i] } else { (a[i] - b[i]) / (a[i] + b[i]) });
    let s2 = lane(|i| s[i] * s[i]);
    let s4 = lane(|i| s2[i] * s2[i]);
    let (mut even, mut odd) = ([ATANH[6]; LANES], [ATANH[7]; LANES]);
    for pair in ATANH[..6].as_chunks::<2>().0.iter().rev() {
        even = lane(|i| even[i] * s4[i] + pair[0]);
        odd = lane(|i| odd[i] * s4[i] + pair[1]);
    }
    let q = lane(|i| even[i] + s2[i] * odd[i]);
    let atanh = lane(|i| 0.5 * LN_2 * number[i] + (s[i] + s[i] * s2[i] * q[i]));
    let known = lane(|i| rest[i] * a[i] * atanh[i]);
    // small y: y³ (1 − Q (1 − y²)) with atanh y = y + y³ Q
    let remainder = lane(|i| {
        let small = y[i] * s2[i] * (1.0 - q[i] * (1.0 - s2[i]));
        if k[i] == 0 { small } else { y[i] - known[i] }
    });
    (known, remainder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_terms_are_exact_to_rounding_from_zero_to_one() {
        let mut worst = [0.0f64; 2];
        for i in 0..40_000 {
            // from both ends, over all decades
            let small = libm::pow(10.0, -18.0 * (i as f64 / 40_000.0)) * 0.9999;
            for (y, rest) in [(small, 1.0 - small), (1.0 - small, small)] {
                // y of the second pair is rounded: judge with the y that belongs to its rest
                let exact = if rest < 0.5 {
                    0.5 * (libm::log1p(1.0 - rest) - libm::log(rest))
                } else {
                    libm::atanh(y)
                };
                let expected = rest * (1.0 + y) * exact;
                let (known, remainder) = atanh_terms(&[y; LANES], &[rest; LANES]);
                worst[0] = worst[0].max((known[0] / expected - 1.0).abs());
                let y2 = y * y;
                let other = if y < 0.05 {
                    2.0 * y
                        * y2
                        * (1.0 / 3.0 + y2 * (1.0 / 15.0 + y2 * (1.0 / 35.0 + y2 * (1.0 / 63.0 + y2 / 99.0))))
                } else {
                    y - expected
                };
                worst[1] = worst[1].max((remainder[0] / other - 1.0).abs());
            }
        }
        assert!(worst[0] < 6.0 * f64::EPSILON, "{worst:?}");
        // the difference that it is compared with loses three digits of small y
        assert!(worst[1] < 5e-13, "{worst:?}");
        assert_eq!(atanh_terms(&[1.0; LANES], &[0.0; LANES]), ([0.0; LANES], [1.0; LANES]));
        assert_eq!(atanh_terms(&[0.0; LANES], &[1.0; LANES]), ([0.0; LANES], [0.0; LANES]));
    }
}

//! Sine, cosine and exponential of small arguments, by their Taylor series.
//!
//! A walk along a phase asks for them a few times per event; without the reduction of large arguments they
//! cost a third of the general functions. Arguments that are not short go to `libm`.

/// Sine and cosine: of half the argument, then doubled. 0.8¹⁷/17! and 0.8¹⁸/18! are below rounding.
#[inline]
pub(super) fn sincos(x: f64) -> [f64; 2] {
    if x.abs() > 1.6 {
        let (sine, cosine) = libm::sincos(x);
        return [sine, cosine];
    }
    let z = 0.5 * x;
    let z2 = z * z;
    let z4 = z2 * z2;
    let z8 = z4 * z4;
    let low = (-1.0 / 6.0 + z2 * (1.0 / 120.0)) + z4 * (-1.0 / 5040.0 + z2 * (1.0 / 362880.0));
    let high = (-1.0 / 39916800.0 + z2 * (1.0 / 6227020800.0)) - z4 * (1.0 / 1307674368000.0);
    let sine = z + z * z2 * (low + z8 * high);
    // 1 − cos z, whose digits survive in sin² and in the sum
    let low = (0.5 - z2 * (1.0 / 24.0)) + z4 * (1.0 / 720.0 - z2 * (1.0 / 40320.0));
    let high = (1.0 / 3628800.0 - z2 * (1.0 / 479001600.0))
        + z4 * (1.0 / 87178291200.0 - z2 * (1.0 / 20922789888000.0));
    let versine = z2 * (low + z8 * high);
    [2.0 * (sine - sine * versine), 1.0 - 2.0 * sine * sine]
}

/// The exponential: 0.25¹³/13! is below rounding.
#[inline]
pub(super) fn exp(x: f64) -> f64 {
    if x.abs() > 0.25 {
        return libm::exp(x);
    }
    let x2 = x * x;
    let x4 = x2 * x2;
    let low = (0.5 + x * (1.0 / 6.0)) + x2 * (1.0 / 24.0 + x * (1.0 / 120.0));
    let middle = (1.0 / 720.0 + x * (1.0 / 5040.0)) + x2 * (1.0 / 40320.0 + x * (1.0 / 362880.0));
    let high = (1.0 / 3628800.0 + x * (1.0 / 39916800.0)) + x2 * (1.0 / 479001600.0);
    1.0 + (x + x2 * (low + x4 * (middle + x4 * high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two units in the last place of one.
    const TOLERANCE: f64 = 4.5e-16;

    #[test]
    fn short_arguments_agree_with_libm() {
        for i in -2000..=2000 {
            let x = i as f64 * 1e-3;
            let [sine, cosine] = sincos(x);
            assert!((sine - libm::sin(x)).abs() <= TOLERANCE, "sin {x}");
            assert!((cosine - libm::cos(x)).abs() <= TOLERANCE, "cos {x}");
            let (value, truth) = (exp(x), libm::exp(x));
            assert!((value / truth - 1.0).abs() <= 2.0 * TOLERANCE, "exp {x}");
        }
    }
}

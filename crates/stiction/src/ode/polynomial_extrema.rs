//! Extrema of a polynomial: zeros of its derivative.

use crate::math::root::opposed;

/// Looks along the stretch; the ends are among them, so that no turn hides beside one.
const LOOKS: usize = 8;
/// Part of the stretch to which a turn is found: the polynomial is flat there, so that its value is known to
/// rounding.
const PLACE: f64 = 1e-9;
/// Secants at most; some five are the rule.
const MOST_TRIES: usize = 40;

/// Visits the places between 0 and `end` where the polynomial with the coefficients `p`, the constant first,
/// turns.
pub(super) fn turns(p: &[f64], end: f64, mut visit: impl FnMut(f64)) {
    let slope = |x: f64| {
        let terms = p.iter().enumerate().skip(1).rev();
        terms.fold(0.0, |sum, (j, c)| sum * x + j as f64 * c)
    };
    let (mut a, mut ga) = (0.0, slope(0.0));
    for i in 1..=LOOKS {
        let b = end * i as f64 / LOOKS as f64;
        let gb = slope(b);
        if opposed(ga, gb) {
            visit(zero([a, b], [ga, gb], PLACE * end, slope));
        }
        (a, ga) = (b, gb);
    }
}

/// A zero between two places where g has different signs: secants, the weight of a side that stays halved
/// (Illinois).
fn zero([mut a, mut b]: [f64; 2], [mut ga, mut gb]: [f64; 2], place: f64, g: impl Fn(f64) -> f64) -> f64 {
    for tries in 0..MOST_TRIES {
        let x = if tries % 8 == 7 { 0.5 * (a + b) } else { b - gb * (b - a) / (gb - ga) };
        let gx = g(x);
        if (x - b).abs() <= place || gx == 0.0 {
            return x;
        }
        if opposed(gx, gb) {
            (a, ga) = (b, gb);
        } else {
            ga *= 0.5;
        }
        (b, gb) = (x, gx);
    }
    b
}

#[cfg(test)]
mod tests {
    use super::turns;

    #[test]
    fn every_turn_of_a_polynomial_is_found() {
        // slope (x - 0.01)(x - 0.4)(x - 0.97)
        let (s1, s2, s3) = (1.38, 0.01 * 0.4 + 0.01 * 0.97 + 0.4 * 0.97, 0.01 * 0.4 * 0.97);
        let p = [3.0, -s3, s2 / 2.0, -s1 / 3.0, 0.25];
        for (end, expected) in [(1.0, &[0.01, 0.4, 0.97][..]), (0.5, &[0.01, 0.4]), (0.005, &[])] {
            let mut found = Vec::new();
            turns(&p, end, |x| found.push(x));
            assert_eq!(found.len(), expected.len(), "{found:?}");
            // the next secant would move the place by less than a part in 1e9
            assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-9), "{found:?}");
        }
    }
}

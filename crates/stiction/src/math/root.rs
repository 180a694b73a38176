//! Roots in brackets.

/// Whether one number is positive and the other negative. Their product may underflow.
#[inline]
pub(crate) fn opposed(a: f64, b: f64) -> bool {
    a > 0.0 && b < 0.0 || a < 0.0 && b > 0.0
}

/// Where a condition that holds at `low` and not at `high` ceases to hold, to the last bit.
pub(crate) fn bisected(mut low: f64, mut high: f64, mut holds: impl FnMut(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
}

/// Evaluations of one search at most; bisections alone would need half of them.
const MAX_EVALUATIONS: usize = 120;

/// A zero between two places where a function has different signs: secants, the weight of an end that stays halved
/// (Illinois), some bisections. Ends where the value or the bracket is round-off, or the place moves by less than
/// `place`.
pub(crate) fn illinois(
    [mut a, mut b]: [f64; 2],
    [mut ga, mut gb]: [f64; 2],
    place: f64,
    mut value: impl FnMut(f64) -> f64,
) -> f64 {
    let enough = f64::EPSILON * ga.abs().max(gb.abs());
    for i in 0..MAX_EVALUATIONS {
        if gb.abs() <= enough || (b - a).abs() <= f64::EPSILON * a.abs().max(b.abs()) {
            break;
        }
        let x = if i % 8 == 7 { 0.5 * (a + b) } else { b - gb * (b - a) / (gb - ga) };
        let gx = value(x);
        let is_close = (x - b).abs() < place;
        if opposed(gx, gb) {
            (a, ga) = (b, gb);
        } else {
            ga *= 0.5;
        }
        (b, gb) = (x, gx);
        if is_close {
            break;
        }
    }
    b
}

/// Time in a span, at whose ends a function has these values, at which it changes its sign. Values within `rounding`
/// are zero.
pub(crate) fn crossing(
    [a, b]: [f64; 2],
    [ga, gb]: [f64; 2],
    rounding: f64,
    value: impl FnMut(f64) -> f64,
) -> f64 {
    if gb.abs() <= rounding {
        b
    } else if ga.abs() <= rounding {
        a
    } else {
        illinois([a, b], [ga, gb], 0.0, value)
    }
}

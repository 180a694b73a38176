//! Roots in brackets.

/// Whether one number is positive and the other negative. Their product may be too small to say so: under
/// friction of rate and state a contact at rest creeps with velocities like 1e-190 m/s.
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

/// Most looks for one event: bisections alone would need half of them.
const MOST_TRIES: usize = 120;

/// Time in a span, at whose ends a function has these values, at which it changes its sign: secants between
/// two times on either side (Illinois), down to rounding. Values within `rounding` are zero.
pub(crate) fn crossing(
    [mut a, mut b]: [f64; 2],
    [mut ga, mut gb]: [f64; 2],
    rounding: f64,
    mut value: impl FnMut(f64) -> f64,
) -> f64 {
    if gb.abs() <= rounding {
        return b;
    }
    if ga.abs() <= rounding {
        return a;
    }
    let enough = f64::EPSILON * ga.abs().max(gb.abs());
    for tries in 0..MOST_TRIES {
        // a secant that creeps is helped by bisection
        let secant = b - gb * (b - a) / (gb - ga);
        let is_inside = secant > a.min(b) && secant < a.max(b);
        let t = if tries % 8 == 7 || !is_inside { 0.5 * (a + b) } else { secant };
        if t == a || t == b {
            break;
        }
        let g = value(t);
        if (g < 0.0) != (gb < 0.0) {
            (a, ga) = (b, gb);
        } else {
            ga *= 0.5;
        }
        (b, gb) = (t, g);
        if g.abs() <= enough {
            break;
        }
    }
    b
}

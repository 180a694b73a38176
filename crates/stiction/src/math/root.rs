//! Roots in brackets.

/// Whether one number is positive and the other negative. Their product may be too small to say so: under friction of rate and state a contact at rest
/// creeps with velocities like 1e-190 m/s.
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

//! Roots in brackets.

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

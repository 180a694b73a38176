//! The first root of a power series.

use super::oscillator::Bounds;
use super::panel::DERIVATIVES;
use super::root_isolation::{Guard, RootSearch, Stalled};
use super::taylor::ORDER;

/// Rounding of a polynomial in units of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;

/// The first root in (0, end] of the series, which is positive at first; terms below order `lead` are
/// rounding.
///
/// A double root within the rounding `touch` of the guard is none.
pub(super) fn first_root(
    series: &[f64; ORDER + 1],
    lead: usize,
    end: f64,
    touch: Option<&dyn Fn() -> f64>,
) -> Result<Option<f64>, Stalled> {
    let c = &series[lead..];
    let below: f64 = c[1..].iter().map(|c| c.abs()).sum();
    if c[0] > below * (1.0 + NOISE) {
        return Ok(None);
    }
    let (mut third, mut fourth) = (0.0, 0.0);
    for ([to_third, to_fourth], c) in DERIVATIVES.iter().zip(c) {
        third += to_third * c.abs();
        fourth += to_fourth * c.abs();
    }
    let bounds = Bounds { third, fourth, reach: f64::INFINITY };
    let (mut s, mut march) = (0.0, RootSearch::default());
    while s <= end {
        let (mut g, mut size) = ([0.0; 4], 0.0);
        for c in c.iter().rev() {
            g[3] = g[3] * s + g[2];
            g[2] = g[2] * s + g[1];
            g[1] = g[1] * s + g[0];
            g[0] = g[0] * s + c;
            size = size * s + c.abs();
        }
        let guard = Guard::new([g[0], g[1], 2.0 * g[2], 6.0 * g[3]], bounds, NOISE * size);
        if guard.has_come()
            && let Some(noise) = touch
            && let Some(past) = (Guard { noise: noise().max(guard.noise), ..guard }).passes()
        {
            s = march.after(s, past)?;
            continue;
        }
        if let Some(step) = guard.arrival() {
            let root = (s + step).max(0.0);
            return Ok((root <= end).then_some(root));
        }
        s = march.after(s, guard.safe_step())?;
    }
    Ok(None)
}

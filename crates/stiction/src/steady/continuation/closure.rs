//! Whether a branch has come back to itself.

use crate::steady::Point;

/// Points between two looks whether the branch comes back to itself.
const LOOK: usize = 16;
/// Part of the distance between two points of a branch at which a third lies on the line through them.
const ON_LINE: f64 = 1e-3;

/// Whether the last motion lies on the line through two motions next to each other before: the branch has
/// come back.
pub(super) fn is_closed(points: &[Point], way: f64) -> bool {
    if !points.len().is_multiple_of(LOOK) {
        return false;
    }
    let motion = |point: &Point| point.orbit.as_ref().ok().map(|orbit| orbit.state.clone());
    let Some((last, before)) = points.split_last() else { return false };
    let Some(state) = motion(last) else { return false };
    before.windows(2).rev().skip(LOOK).any(|pair| {
        let (a, b) = (pair[0].parameter, pair[1].parameter);
        let part = (last.parameter - a) / (b - a);
        if !(0.0..=1.0).contains(&part) || (b - a).abs() < 1e-12 * way.abs() {
            return false;
        }
        let (Some(a), Some(b)) = (motion(&pair[0]), motion(&pair[1])) else { return false };
        let off = |a: &[f64], b: &[f64], x: &[f64]| {
            let chord = a.iter().zip(b).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max);
            let miss = (0..x.len()).map(|i| (a[i] + part * (b[i] - a[i]) - x[i]).abs()).fold(0.0, f64::max);
            miss <= ON_LINE * chord
        };
        off(&a.position, &b.position, &state.position) && off(&a.velocity, &b.velocity, &state.velocity)
    })
}

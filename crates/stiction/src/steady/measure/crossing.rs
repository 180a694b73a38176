//! Where a quantity of the motion changes its sign.

use super::super::flow::Flow;
use crate::math::root::opposed;
use crate::system::Motion;

/// The time at which `value` passes through zero, by bisection with a false position now and then.
pub(super) fn crossing(
    flow: &mut Flow,
    probe: &mut Motion,
    [mut a, mut b]: [f64; 2],
    value: impl Fn(&Motion) -> f64,
) -> f64 {
    flow.motion(a, probe);
    let mut at_a = value(probe);
    flow.motion(b, probe);
    let mut at_b = value(probe);
    if at_a == 0.0 || opposed(at_a, -at_b) {
        return a;
    }
    for round in 0..100 {
        let line = a + (b - a) * at_a / (at_a - at_b);
        let t = if round % 3 == 2 { 0.5 * (a + b) } else { line };
        if !(t > a && t < b) {
            break;
        }
        flow.motion(t, probe);
        let at_t = value(probe);
        if at_t == 0.0 {
            return t;
        }
        if opposed(at_t, -at_a) {
            (a, at_a) = (t, at_t);
        } else {
            (b, at_b) = (t, at_t);
        }
    }
    if at_a.abs() < at_b.abs() { a } else { b }
}

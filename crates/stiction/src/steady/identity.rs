//! Identity of periodic motions: equal, or members of one continuum.

use super::newton::Norm;
use super::{Orbit, SAME, Stability};
use crate::math::dense::dot;

/// Part of the way between two motions by which the derivative may change it, if all motions between them are
/// periodic.
const CONTINUUM: f64 = 1e-6;

/// Whether two motions belong to one continuum: their difference neither grows nor dies out.
pub(super) fn is_continuum(a: &Orbit, b: &Orbit, norm: &Norm) -> bool {
    leads_to(a, b, norm, |orbit, gap| {
        orbit.stability == Stability::Neutral && gap.change <= CONTINUUM * gap.way
    })
}

/// Whether two motions are one as far as the search resolves: their difference changes in a period by no more than
/// their residuals. A motion that is approached ever more slowly is left at a
/// distance.
pub(super) fn is_unresolved(a: &Orbit, b: &Orbit, norm: &Norm) -> bool {
    leads_to(a, b, norm, |orbit, gap| orbit.stability != Stability::Neutral && gap.change <= gap.misses)
}

/// Times the residuals of two motions, the change of their difference in a period: the
/// derivative at the one is half of that between them where the distance shrinks as a power below the second.
const MISSES: f64 = 4.0;

/// The difference of two motions (norms).
struct Gap {
    /// Its length.
    way: f64,
    /// Its change in a period.
    change: f64,
    /// Their residuals.
    misses: f64,
}

/// Whether the derivative at either of two motions confirms it of their difference.
fn leads_to(a: &Orbit, b: &Orbit, norm: &Norm, says: impl Fn(&Orbit, &Gap) -> bool) -> bool {
    if a.subharmonic != b.subharmonic || (a.period - b.period).abs() > SAME * a.period {
        return false;
    }
    let n_state = a.monodromy.n_rows;
    let (x, y) = (a.state.to_vec(n_state), b.state.to_vec(n_state));
    let way: Vec<f64> = y.iter().zip(&x).map(|(y, x)| y - x).collect();
    let misses = MISSES * (a.convergence.residual + b.convergence.residual) * norm.size(&x, &y);
    [a, b].into_iter().any(|orbit| {
        let carried: Vec<f64> = (0..n_state).map(|i| dot(orbit.monodromy.row(i), &way)).collect();
        let length = norm.distance(&way, &vec![0.0; n_state]);
        says(orbit, &Gap { way: length, change: norm.distance(&carried, &way), misses })
    })
}

/// Whether two motions are one; `length` belongs to the system (m).
pub(super) fn is_same(a: &Orbit, b: &Orbit, is_autonomous: bool, length: f64) -> bool {
    let omega = std::f64::consts::TAU / a.period;
    let size = a.extent.max(b.extent).max(length);
    let near = |a: &[f64], b: &[f64], size: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * size);
    let is_near = a.subharmonic == b.subharmonic
        && (a.period - b.period).abs() <= SAME * a.period
        && (a.amplitude - b.amplitude).abs() <= SAME * size
        && (a.energy.friction_loss - b.energy.friction_loss).abs()
            <= SAME * a.energy.exchange.max(b.energy.exchange);
    let states = near(&a.state.position, &b.state.position, size)
        && near(&a.state.velocity, &b.state.velocity, size * omega);
    // of an autonomous motion, and of one that repeats itself after several periods of the load, any phase
    // may be found
    is_near && (states || is_autonomous || a.subharmonic > 1)
}

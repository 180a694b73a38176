//! How long a body stays at rest.
//!
//! With the load factor ‖·‖, which is a norm, and a bound c on ‖A″‖,
//!
//! ```text
//!   ‖A(t + Δ)‖ ≤ ‖A(t) + A′(t) Δ‖ + ½cΔ² = b(Δ)
//! ```
//!
//! b is convex, so b(0) ≤ 1 and b(Δ) ≤ 1 prove that the body rests all the way from t to t + Δ. The longest such Δ is
//! taken again and again; towards an exit the steps shrink like those of Newton's method. Nothing is sampled. A
//! wrench with a common period that rests for one period rests for ever.

use super::mechanics::Mechanics;
use super::spectrum::{Spectrum, summed};

/// Bisections and chords in search of the longest step; a shorter one is safe too.
const BISECTIONS: u32 = 4;
const CHORDS: u32 = 4;
/// Steps shorter than this part of a radian of the fastest harmonic have arrived at the exit (-).
const ARRIVED: f64 = 1e-14;

/// The first time from `t` on, not after `t_end`, at which the wrench leaves the limit surface.
pub(super) fn exit(mechanics: &Mechanics, spectrum: &Spectrum, t: f64, t_end: f64) -> Option<f64> {
    let outside = |t: f64| mechanics.load_factor(spectrum.at(t).0) > 1.0;
    if spectrum.largest <= 1.0 {
        return None;
    }
    if spectrum.is_constant() || outside(t) {
        return outside(t).then_some(t);
    }
    let horizon = spectrum.period.map_or(t_end, |period| t_end.min(t + period));
    let shortest = ARRIVED / spectrum.fastest;
    let mut t = t;
    while t < horizon {
        let step = safe_step(mechanics, spectrum, t);
        if step <= shortest.max(2.0 * f64::EPSILON * t.abs()) {
            return Some(t);
        }
        t += step;
    }
    None
}

/// The longest Δ, or a little less, for which b(Δ) ≤ 1.
fn safe_step(mechanics: &Mechanics, spectrum: &Spectrum, t: f64) -> f64 {
    let (value, rate) = spectrum.at(t);
    let bound =
        |step: f64| mechanics.load_factor(summed(value, step, rate)) + 0.5 * spectrum.curvature * step * step;
    let (mut low, mut b_low) = (0.0, bound(0.0));
    if b_low >= 1.0 {
        return 0.0;
    }
    // there b > 1, whatever the rate
    let mut high = (2.0 / spectrum.curvature).sqrt();
    let mut b_high = bound(high);
    let narrow = |middle: f64, low: &mut f64, b_low: &mut f64, high: &mut f64, b_high: &mut f64| {
        let b = bound(middle);
        if b <= 1.0 { (*low, *b_low) = (middle, b) } else { (*high, *b_high) = (middle, b) }
    };
    for _ in 0..BISECTIONS {
        narrow(0.5 * (low + high), &mut low, &mut b_low, &mut high, &mut b_high);
    }
    // the chord of a convex function meets 1 on the safe side
    for _ in 0..CHORDS {
        let middle = low + (high - low) * (1.0 - b_low) / (b_high - b_low);
        narrow(middle, &mut low, &mut b_low, &mut high, &mut b_high);
    }
    low
}

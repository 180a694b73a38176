//! How long a body stays at rest.
//!
//! With the load factor ‖·‖, which is a norm, and a bound c on ‖A″‖,
//!
//! ```text
//!   ‖A(t + Δ)‖ ≤ ‖A(t) + A′(t) Δ‖ + ½cΔ² = b(Δ)
//! ```
//!
//! b is convex, so b(0) ≤ 1 and b(Δ) ≤ 1 prove that the body rests all the way from t to t + Δ. Such a Δ, as long as
//! possible, is taken again and again; towards an exit the steps shrink like those of Newton's method. Nothing is sampled. A
//! body that rests for one common period of its loads rests for ever.

use super::mechanics::Mechanics;
use super::spectrum::{Spectrum, summed};

/// Chords in search of the longest step; a shorter one is safe too.
const CHORDS: u32 = 3;
/// Growth of the steps while they are safe.
const GROWTH: f64 = 2.0;
/// Steps shorter than this part of a radian of the fastest harmonic have arrived at the exit (-).
const ARRIVED: f64 = 1e-14;
/// Angle of the fastest harmonic that is searched in one go: some milliseconds (rad).
const REACH: f64 = 1000.0;

/// The time from `t` on, not after `t_end`, up to which the wrench is known to stay inside the limit surface; `t` if it is
/// outside or leaves it now. The body rests since `since`. A search over many oscillations goes part of the way.
pub(super) fn held_until(mechanics: &Mechanics, spectrum: &Spectrum, since: f64, t: f64, t_end: f64) -> f64 {
    let outside = |t: f64| mechanics.load_factor(spectrum.at(t).0) > 1.0;
    if spectrum.largest <= 1.0 {
        return t_end;
    }
    if spectrum.is_constant() || outside(t) {
        return if outside(t) { t } else { t_end };
    }
    let for_ever = spectrum.period.map_or(f64::INFINITY, |period| since + period);
    let horizon = t_end.min(for_ever).min(t + REACH / spectrum.fastest);
    let shortest = ARRIVED / spectrum.fastest;
    // there b > 1, whatever the rate
    let longest = (2.0 / spectrum.curvature).sqrt();
    let (mut t, mut step) = (t, longest);
    while t < horizon {
        step = safe_step(mechanics, spectrum, t, (GROWTH * step).min(longest));
        if step <= shortest.max(2.0 * f64::EPSILON * t.abs()) {
            return t;
        }
        t += step;
    }
    if t >= for_ever { t_end } else { t.min(t_end) }
}

/// A Δ for which b(Δ) ≤ 1, near `guess` if that is too long.
fn safe_step(mechanics: &Mechanics, spectrum: &Spectrum, t: f64, guess: f64) -> f64 {
    let (value, rate) = spectrum.at(t);
    let bound =
        |step: f64| mechanics.load_factor(summed(value, step, rate)) + 0.5 * spectrum.curvature * step * step;
    let (mut high, mut b_high) = (guess, bound(guess));
    if b_high <= 1.0 {
        return guess;
    }
    let (mut low, mut b_low) = (0.0, bound(0.0));
    if b_low >= 1.0 {
        return 0.0;
    }
    // the chord of a convex function meets 1 on the safe side
    for _ in 0..CHORDS {
        let step = low + (high - low) * (1.0 - b_low) / (b_high - b_low);
        let b = bound(step);
        if b <= 1.0 { (low, b_low) = (step, b) } else { (high, b_high) = (step, b) }
    }
    low
}

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
//!
//! A pressure that leans by g(t) changes the norm. The pairs (A, g) at which a body is held are a convex set all the same: A·T ≤ D_g(T) for every
//! twist T, and D_g is linear in g. So the chord argument holds along (A + A′Δ, g + g′Δ); what is left of second order, in a pressure that is never
//! less than 1/κ of another, is in the curvature.

use super::mechanics::Mechanics;
use super::spectrum::{Spectrum, summed};
use crate::math::plane::plus;

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
    let outside = |t: f64| mechanics.load_factor_leaning(spectrum.at(t).0, mechanics.lean_at(t)) > 1.0;
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
    let [lean, lean_rate] = match &mechanics.leaning {
        Some(leaning) => leaning.with_rate(mechanics.inner_path(t)),
        None => [[0.0; 2]; 2],
    };
    let bound = |step: f64| {
        let held = mechanics.load_factor_leaning(summed(value, step, rate), plus(lean, step, lean_rate));
        held + 0.5 * spectrum.curvature * step * step
    };
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

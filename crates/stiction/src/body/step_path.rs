//! A step of the integrator as a polynomial, looked up by time.
//!
//! The component of time is a polynomial p(θ) that grows along the step. Its inverse is guessed by the quintic with the values, slopes and
//! bends of the inverse at both ends, and refined by Halley's steps,
//!
//! ```text
//!   u = (w − p)/p′      θ ← θ + u / (1 + u p″/(2p′))
//! ```
//!
//! which err by some (p″/p′)² u³/12: one of them is the rule. No sample waits for the one before it.

use super::sliding::{PLACE, TIME};
use crate::math::wide::{LANES, WideLane};

/// A step this small is the last one, since what it errs by is below the rounding of θ.
const LAST: f64 = 5e-6;
/// Halley's steps before another method is asked.
const MOST_STEPS: u32 = 12;

/// One step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepPath {
    /// The components of the state, power by power of θ, the constants first.
    powers: [[f64; PLACE]; 8],
    /// The powers of the time passed since the start.
    time: [f64; 8],
    /// The guess of θ, by powers of the time passed, after the constant, which is zero.
    guess: [f64; 5],
}

impl StepPath {
    /// Of components power by power of θ.
    pub fn new(powers: [[f64; PLACE]; 8]) -> Self {
        let mut time = powers.map(|row| row[TIME]);
        time[0] = 0.0;
        let [_, slope, half_bend] = derivatives(&time, 0.0);
        let [span, end_slope, end_half_bend] = derivatives(&time, 1.0);
        // of the inverse, over the time of the whole step
        let inverse = |slope: f64, half_bend: f64| {
            let rate = span / slope;
            (rate, -half_bend / slope * rate * rate)
        };
        let ((a0, b0), (a1, b1)) = (inverse(slope, half_bend), inverse(end_slope, end_half_bend));
        // what the first terms leave at the end: value, slope, bend
        let (d0, d1, d2) = (1.0 - a0 - b0, a1 - a0 - 2.0 * b0, 2.0 * (b1 - b0));
        let mut guess = [
            a0,
            b0,
            10.0 * d0 - 4.0 * d1 + 0.5 * d2,
            7.0 * d1 - 15.0 * d0 - d2,
            6.0 * d0 - 3.0 * d1 + 0.5 * d2,
        ];
        let mut per = 1.0;
        for c in &mut guess {
            per /= span;
            *c *= per;
        }
        Self { powers, time, guess }
    }

    /// The components where that of time has these values, inside the step, and which of the places are found.
    #[inline]
    pub fn at(&self, times: &WideLane) -> ([WideLane; PLACE], [bool; LANES]) {
        let (theta, found) = self.parts(&times.map(|time| time - self.powers[0][TIME]));
        let [first @ .., last] = &self.powers;
        let mut y = last.map(|c| [c; LANES]);
        for (k, y) in y.iter_mut().enumerate() {
            for row in first.iter().rev() {
                for i in 0..LANES {
                    y[i] = y[i] * theta[i] + row[k];
                }
            }
        }
        (y, found)
    }

    /// The parts of the step after which so much time has passed. No lane depends on the others.
    #[inline]
    fn parts(&self, passed: &WideLane) -> (WideLane, [bool; LANES]) {
        let mut theta =
            passed.map(|passed| passed * self.guess.iter().rev().fold(0.0, |sum, c| sum * passed + c));
        let mut is_found = [false; LANES];
        for _ in 0..MOST_STEPS {
            let (next, size) = self.step(passed, &theta);
            for i in 0..LANES {
                theta[i] = if is_found[i] { theta[i] } else { next[i] };
                is_found[i] |= size[i] <= LAST;
            }
            if is_found == [true; LANES] {
                break;
            }
        }
        (theta, is_found)
    }

    /// Where one of Halley's steps leads to, and its size.
    #[inline]
    fn step(&self, passed: &WideLane, theta: &WideLane) -> (WideLane, WideLane) {
        let [mut next, mut size] = [[0.0; LANES]; 2];
        for i in 0..LANES {
            let [value, slope, half_bend] = derivatives(&self.time, theta[i]);
            let newton = (passed[i] - value) / slope;
            let step = newton * slope / (slope + newton * half_bend);
            next[i] = (theta[i] + step).clamp(0.0, 1.0);
            size[i] = step.abs();
        }
        (next, size)
    }
}

/// Value, slope and half the second derivative.
#[inline(always)]
fn derivatives(p: &[f64; 8], theta: f64) -> [f64; 3] {
    let [mut value, mut slope, mut half_bend] = [p[7], 0.0, 0.0];
    for c in p[..7].iter().rev() {
        half_bend = half_bend * theta + slope;
        slope = slope * theta + value;
        value = value * theta + c;
    }
    [value, slope, half_bend]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time passes as 1 − e^(−aθ) as far as seven terms go, and another component is θ.
    fn path(a: f64, start: f64) -> StepPath {
        let (mut powers, mut term) = ([[0.0; PLACE]; 8], -1.0);
        for (j, row) in powers.iter_mut().enumerate().skip(1) {
            term *= -a / j as f64;
            row[TIME] = term;
        }
        (powers[0][TIME], powers[1][0]) = (start, 1.0);
        StepPath::new(powers)
    }

    /// The other component where time has this value; NaN if the place is not found.
    fn one(path: &StepPath, time: f64) -> f64 {
        let (y, is_found) = path.at(&[time; LANES]);
        if is_found[0] { y[0][0] } else { f64::NAN }
    }

    #[test]
    fn lanes_that_need_more_steps_leave_the_others_alone() {
        // the end of a long step is guessed worst
        let path = path(2.0, 3.0);
        let [last, ..] = derivatives(&path.time, 1.0);
        let times: WideLane = std::array::from_fn(|i| 3.0 + last * i as f64 / (LANES - 1) as f64);
        let (y, is_found) = path.at(&times);
        assert_eq!(is_found, [true; LANES]);
        for i in 0..LANES {
            assert_eq!(y[0][i].to_bits(), one(&path, times[i]).to_bits());
        }
    }

    #[test]
    fn times_in_any_order_are_found_to_rounding() {
        // steps of all kinds, the last one much longer than any that an integrator takes
        for a in [1e-3, 0.3, 1.0, 2.0] {
            let path = path(a, 3.0);
            for k in [0, 1, 2, 3, 50, 99, 100, 7] {
                let theta = f64::from(k) / 100.0;
                let [passed, slope, _] = derivatives(&path.time, theta);
                let found = one(&path, 3.0 + passed);
                // rounding of 3 + p, over the slope
                assert!((found - theta).abs() < 2e-15 / slope, "a = {a}: {found} for {theta}");
            }
        }
    }

    #[test]
    fn a_guess_needs_one_step_of_the_length_that_is_usual() {
        // λ falls by a fifth in a step of the default tolerance
        let path = path(0.2, 0.0);
        for k in 0..=100 {
            let theta = f64::from(k) / 100.0;
            let passed = derivatives(&path.time, theta)[0];
            let guess = passed * path.guess.iter().rev().fold(0.0, |sum, c| sum * passed + c);
            assert!((guess - theta).abs() < LAST, "{guess} for {theta}");
        }
    }

    #[test]
    fn a_step_in_which_time_stands_still_has_no_places() {
        assert!(one(&StepPath::new([[0.0; PLACE]; 8]), 0.5).is_nan());
    }
}

//! A step of the integrator as a polynomial, looked up by time.
//!
//! The component of time is a polynomial p(θ) that grows along the step. Its inverse is guessed by the quintic with the values, slopes and
//! bends of the inverse at both ends, and mended by Halley's steps,
//!
//! ```text
//!   u = (w − p)/p′      θ ← θ + u / (1 + u p″/(2p′))
//! ```
//!
//! which err by some (p″/p′)² u³/12: one of them is the rule. No sample waits for the one before it.

use super::sliding::{PLACE, TIME};

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

    /// The components where that of time has this value, inside the step; none if the place is not found.
    #[inline]
    pub fn at(&self, time: f64) -> Option<[f64; PLACE]> {
        let theta = self.part(time - self.powers[0][TIME])?;
        let [first @ .., last] = &self.powers;
        let mut y = *last;
        for row in first.iter().rev() {
            y.iter_mut().zip(row).for_each(|(y, c)| *y = *y * theta + c);
        }
        Some(y)
    }

    /// The part of the step after which so much time has passed.
    #[inline]
    fn part(&self, passed: f64) -> Option<f64> {
        let mut theta = passed * self.guess.iter().rev().fold(0.0, |sum, c| sum * passed + c);
        for _ in 0..MOST_STEPS {
            let [value, slope, half_bend] = derivatives(&self.time, theta);
            let newton = (passed - value) / slope;
            let step = newton * slope / (slope + newton * half_bend);
            theta = (theta + step).clamp(0.0, 1.0);
            if step.abs() <= LAST {
                return Some(theta);
            }
        }
        None
    }
}

/// Value, slope and half the second derivative.
#[inline]
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

    #[test]
    fn times_in_any_order_are_found_to_rounding() {
        // steps of all kinds, the last one much longer than any that an integrator takes
        for a in [1e-3, 0.3, 1.0, 2.0] {
            let path = path(a, 3.0);
            for k in [0, 1, 2, 3, 50, 99, 100, 7] {
                let theta = f64::from(k) / 100.0;
                let [passed, slope, _] = derivatives(&path.time, theta);
                let found = path.at(3.0 + passed).map_or(f64::NAN, |y| y[0]);
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
        assert_eq!(StepPath::new([[0.0; PLACE]; 8]).at(0.5), None);
    }
}

//! The grid of the methods with a fixed step, and interpolation between its points.

use super::MAX_STEPS;
use crate::Error;

/// Equal steps from 0 to `t_end`, of the length asked for or a trifle less.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepGrid {
    pub step: f64,
    pub k: u64,
    n: u64,
    t_end: f64,
}

impl StepGrid {
    pub fn new(step: f64, t_end: f64) -> Result<Self, Error> {
        // a step that divides t_end up to rounding is not shortened
        let n = (t_end / step - 1e-9).ceil().max(1.0);
        if n.is_nan() || n > MAX_STEPS {
            return Err(Error::TooLong { t: 0.0, steps: 0, estimate: n, limit: MAX_STEPS });
        }
        Ok(Self { step: t_end / n, k: 0, n: n as u64, t_end })
    }

    /// Time of point `k`: by multiplication, so that rounding does not add up.
    #[inline]
    pub fn time(&self, k: u64) -> f64 {
        if k == self.n { self.t_end } else { k as f64 * self.step }
    }

    /// The last point that is not after `t`.
    pub fn last_before(&self, t: f64) -> u64 {
        let mut k = ((t / self.step) as u64).min(self.n);
        while k < self.n && self.time(k + 1) <= t {
            k += 1;
        }
        while k > 0 && self.time(k) > t {
            k -= 1;
        }
        k
    }

    #[inline]
    pub fn t(&self) -> f64 {
        self.time(self.k)
    }

    #[inline]
    pub fn t_old(&self) -> f64 {
        self.time(self.k.saturating_sub(1))
    }
}

/// Cubic through values and slopes at both ends of a step of length h, at the fraction θ.
#[inline]
pub(crate) fn hermite(theta: f64, h: f64, y0: f64, d0: f64, y1: f64, d1: f64) -> f64 {
    let rest = 1.0 - theta;
    let line = rest * y0 + theta * y1;
    let bend = (rest - theta) * (y1 - y0) - h * (rest * d0 - theta * d1);
    line - theta * rest * bend
}

/// The fractions of a step at which the cubic of [`hermite`] turns, inside the step.
#[inline]
pub(crate) fn turns(h: f64, y0: f64, d0: f64, y1: f64, d1: f64) -> [Option<f64>; 2] {
    // derivative of the cubic by θ: a θ² + b θ + c
    let (c, end, rise) = (h * d0, h * d1, y1 - y0);
    let (a, b) = (3.0 * (c + end) - 6.0 * rise, 6.0 * rise - 4.0 * c - 2.0 * end);
    if c * end > 0.0 && (a == 0.0 || (b / a >= 0.0 || b / a <= -2.0)) {
        // monotone: equal signs at the ends, and the parabola does not turn in between
        return [None; 2];
    }
    let disc = b * b - 4.0 * a * c;
    if disc < 0.0 {
        return [None; 2];
    }
    let q = -0.5 * (b + disc.sqrt().copysign(b));
    [q / a, c / q].map(|theta| (theta > 0.0 && theta < 1.0).then_some(theta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermite_reproduces_cubics() {
        let (h, f) = (0.7, |x: f64| 2.0 - x + 3.0 * x * x - 0.5 * x * x * x);
        let d = |x: f64| -1.0 + 6.0 * x - 1.5 * x * x;
        for theta in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let found = hermite(theta, h, f(0.0), d(0.0), f(h), d(h));
            assert!((found - f(theta * h)).abs() < 1e-15, "{theta}");
        }
    }

    #[test]
    fn the_turns_of_a_cubic_are_where_its_slope_vanishes() {
        // θ³/3 − θ²/2 + 0.09 θ: slope (θ − 0.1)(θ − 0.9), in a step of 2
        let (f, d) = (|x: f64| x * x * x / 3.0 - 0.5 * x * x + 0.09 * x, |x: f64| (x - 0.1) * (x - 0.9));
        let mut found: Vec<f64> =
            turns(2.0, f(0.0), 0.5 * d(0.0), f(1.0), 0.5 * d(1.0)).into_iter().flatten().collect();
        found.sort_by(f64::total_cmp);
        assert!((found[0] - 0.1).abs() < 1e-14 && (found[1] - 0.9).abs() < 1e-14, "{found:?}");
        // a parabola, and lines
        assert_eq!(turns(1.0, 0.0, 1.0, 0.0, -1.0).into_iter().flatten().collect::<Vec<_>>(), [0.5]);
        assert_eq!(turns(1.0, 0.0, 1.0, 1.0, 1.0), [None; 2]);
        assert_eq!(turns(1.0, 2.0, 0.0, 2.0, 0.0), [None; 2]);
    }

    #[test]
    fn the_grid_ends_exactly_where_it_should() {
        let grid = StepGrid::new(0.01, 100.0).unwrap();
        assert_eq!((grid.n, grid.time(grid.n)), (10_000, 100.0));
        let grid = StepGrid::new(0.3, 1.0).unwrap();
        assert_eq!((grid.n, grid.time(4)), (4, 1.0));
        assert!(StepGrid::new(1e-30, 1.0).is_err());
        for t in [0.0, 0.1, 0.24999, 0.25, 0.9, 1.0, 7.0] {
            let k = grid.last_before(t);
            assert!(grid.time(k) <= t && (k == 4 || grid.time(k + 1) > t), "{t}");
        }
    }
}

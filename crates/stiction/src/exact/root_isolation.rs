//! Guaranteed isolation of the first root of a guard, by derivative bounds.
//!
//! Of a guard g its value and two derivatives are known at one instant, and a bound on the third over what
//! follows:
//!
//! ```text
//!   g(h) ≥ g + g′h + ½g″h² − ⅙Mh³,   0 ≤ h ≤ reach
//! ```
//!
//! As long as the right side is positive there is no root. Going on from the end of that interval walks
//! towards the first root from the left and cannot jump over one. At a simple root this is Newton's method of
//! third order; at a double root (grazing) the distance still shrinks by a constant factor.

use super::oscillator::Bounds;

/// A guard at one instant: positive until its event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// Value and first two derivatives.
    pub g: [f64; 3],
    /// The third derivative is not below −`third` within `reach`.
    pub third: f64,
    /// Bound on its absolute value.
    pub size: f64,
    /// How far the bound holds.
    pub reach: f64,
    /// Rounding error of the value.
    pub noise: f64,
}

/// A fourth derivative is worth using up to this multiple of the time in which it makes up the third.
const AHEAD: f64 = 2.2;
/// Trial steps shrink by this factor until they are proved.
const SHRINK: f64 = 0.7;
/// Shrinking this often makes any step negligible: 0.7¹⁰⁰ = 3e-16.
const TRIALS: usize = 100;

/// Steps of one rounding of the time after which a search is given up.
const MAX_STALLS: usize = 1000;
/// Steps after which a search is given up: no search of the tests takes as many.
const MAX_STEPS: usize = 1_000_000;

/// No step is proved to hold no event: numbers near the ends of their range, or none at all.
#[derive(Clone, Copy, Debug)]
pub struct Stalled;

/// A search that goes forward by proved steps.
#[derive(Default)]
pub struct RootSearch {
    steps: usize,
    stalls: usize,
}

impl RootSearch {
    /// The time after a step from `t`, by one rounding at least.
    #[inline]
    pub fn after(&mut self, t: f64, step: f64) -> Result<f64, Stalled> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(Stalled);
        }
        if step > f64::EPSILON * t {
            return Ok(t + step);
        }
        self.stalls += 1;
        if t == 0.0 || self.stalls > MAX_STALLS { Err(Stalled) } else { Ok(t * (1.0 + f64::EPSILON)) }
    }
}

/// The largest power of two up to `x` > 0, so that dividing by it changes no digit.
#[inline]
fn power_of_two(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & f64::INFINITY.to_bits());
    if power > 0.0 && power.is_finite() { power } else { 1.0 }
}

impl Guard {
    /// A guard whose third derivative is known now and whose fourth is bounded:
    /// `g‴h³/6 − Kh⁴/24 ≥ −⅙(Kh/4 − g‴)h³`.
    #[inline]
    pub fn new(g: [f64; 4], bounds: Bounds, noise: f64) -> Self {
        let [g0, g1, g2, g3] = g;
        let Bounds { third, fourth, reach } = bounds;
        let near = if fourth > 0.0 { reach.min(AHEAD * third / fourth) } else { reach };
        let local = (0.25 * fourth * near - g3).max(0.0);
        if local < 0.7 * third {
            Self { g: [g0, g1, g2], third: local, size: third, reach: near, noise }
        } else {
            Self { g: [g0, g1, g2], third, size: third, reach, noise }
        }
    }

    /// An interval without root, from here (s). The event must not have come.
    pub fn safe_step(&self) -> f64 {
        let Self { g: [g, g1, g2], third: m, reach, noise, .. } = *self;
        let g = g - noise;
        let disc = g1 * g1 - 2.0 * g * g2;
        let to_root = -g1 + disc.max(0.0).sqrt();
        if disc >= 0.0 && to_root > 0.0 {
            // the parabola has a root: stay before it by what the cubic term can take away
            let root = 2.0 * g / to_root;
            if root <= reach {
                let slope = if g2 > 0.0 { disc.sqrt() } else { g / root };
                let h = root - m * root * root * root / (6.0 * slope);
                if h > SHRINK * root {
                    return h;
                }
            }
            return self.shrink(root.min(reach));
        }
        // no root of the parabola: the cubic term alone can bring the guard down
        let far = self.farthest();
        self.shrink(if far < reach { far } else { reach })
    }

    /// Beyond this the cubic term is larger than the others together: no longer step can be proved (s).
    fn farthest(&self) -> f64 {
        let Self { g: [g, g1, g2], third: m, noise, .. } = *self;
        let g = g - noise;
        2.0 * libm::cbrt(6.0 * g / m).max((6.0 * g1.max(0.0) / m).sqrt()).max(3.0 * g2.max(0.0) / m)
    }

    fn shrink(&self, h: f64) -> f64 {
        // the root of a parabola that is all but flat may be farther away than the trials come back from
        self.proved(h)
            .or_else(|_| self.proved(h.min(self.farthest())))
            .unwrap_or_else(|negligible| negligible)
    }

    /// The first of the trial steps from `h` down that is proved, else the last.
    fn proved(&self, mut h: f64) -> Result<f64, f64> {
        let Self { g: [g, g1, g2], third: m, noise, .. } = *self;
        let g = g - noise;
        if m == 0.0 && h.is_infinite() {
            return Ok(h);
        }
        for _ in 0..TRIALS {
            // least value of the parabola on [0, h]
            let end = g + h * (g1 + 0.5 * g2 * h);
            let least =
                if g2 > 0.0 && g1 < 0.0 && -g1 < g2 * h { g - 0.5 * g1 * g1 / g2 } else { end.min(g) };
            if 6.0 * least >= m * h * h * h {
                return Ok(h);
            }
            h *= SHRINK;
        }
        Err(h)
    }

    /// A step over which a guard that starts at zero is positive, or `None` if it does not rise above its
    /// rounding: `g/h ≥ g′ + ½g″h − ⅙Mh²`. The value is not looked at.
    pub fn first_step(&self) -> Option<f64> {
        let Self { g: [_, g1, g2], third: m, reach, noise, .. } = *self;
        if g1 < 0.0 || (g1 == 0.0 && g2 <= 0.0) {
            return None;
        }
        // the square of a second derivative may leave the range of numbers: in parts of a power of two it
        // does not
        let part = power_of_two(g2.abs().max(m.sqrt() * g1.sqrt()));
        let (b, c) = (g2 / part, (m / part) * (g1 / part));
        let top = part * (0.5 * b + (0.25 * b * b + c / 1.5).sqrt());
        let h = if m > 0.0 { 3.0 * top / m } else { 2.0 * g1 / (-g2).max(0.0) };
        let h = if h.is_nan() { reach } else { (0.8 * h).min(reach) };
        if h.is_infinite() {
            return Some(h);
        }
        let least = h * (g1 + h * (0.5 * g2 - m * h / 6.0));
        (least > 4.0 * noise).then_some(h)
    }

    /// How long a guard that starts at zero with no visible slope may stay within its rounding (s).
    pub fn blind_step(&self) -> f64 {
        let Self { g: [_, g1, g2], third: m, reach, noise, .. } = *self;
        let slowest = libm::cbrt(6.0 * noise / m).min((2.0 * noise / g2.abs()).sqrt()).min(noise / g1.abs());
        (4.0 * slowest).min(reach)
    }

    /// Whether the event has come, within rounding.
    #[inline]
    pub fn has_come(&self) -> bool {
        self.g[0] <= 2.0 * self.noise
    }

    /// A guard that has come may only touch zero: then the step to where it has risen again (s).
    pub fn passes(&self) -> Option<f64> {
        let Self { g: [g, g1, g2], noise, .. } = *self;
        if g2 <= 0.0 {
            return None;
        }
        let least = g - 0.5 * g1 * g1 / g2;
        (least > -2.0 * noise).then(|| (-g1 / g2).max(0.0) + (12.0 * noise / g2).sqrt())
    }

    /// The time to the event, if it has come or is so near that its place is known to rounding (s).
    #[inline]
    pub fn arrival(&self) -> Option<f64> {
        let Self { g: [g, g1, g2], size: m, reach, noise, .. } = *self;
        if self.has_come() {
            // the last Newton step, but for a guard that only touches zero
            return Some(if g1 * g1 > 64.0 * noise * g2.abs() && g1 < 0.0 { -g / g1 } else { 0.0 });
        }
        let disc = g1 * g1 - 2.0 * g * g2;
        if g1 >= 0.0 || disc < 0.5 * g1 * g1 {
            return None;
        }
        let root = 2.0 * g / (-g1 + disc.sqrt());
        (root <= reach && m * root * root * root <= noise).then_some(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_hardly_moves_at_first_is_not_followed_beyond_its_bound() {
        for slope in [-1e-81, -1e-40, -1e-20, -1e-10, 0.0] {
            for bend in [0.0, -1e-100] {
                let guard = Guard {
                    g: [0.0124, slope, bend],
                    third: 1.0,
                    size: 1.0,
                    reach: f64::INFINITY,
                    noise: 1e-17,
                };
                // 0.0124 − h³/6 is zero there
                let root = (6.0 * 0.0124f64).cbrt();
                let step = guard.safe_step();
                assert!(step > 0.1 * root && step <= root, "{slope:e} {bend:e}: {step:e}");
            }
        }
    }

    /// Walks to the first root of `jet` and returns it with the number of evaluations.
    fn walk(jet: impl Fn(f64) -> [f64; 3], third: f64, end: f64) -> (Option<f64>, usize) {
        let mut t = 0.0;
        for n in 1..1000 {
            let guard = Guard { g: jet(t), third, size: third, reach: f64::INFINITY, noise: 1e-15 };
            if let Some(root) = guard.arrival() {
                return (Some(t + root), n);
            }
            t += guard.safe_step();
            if t >= end {
                return (None, n);
            }
        }
        panic!("no end near t = {t}");
    }

    #[test]
    fn a_simple_root_is_found_in_a_few_steps() {
        let (root, n) = walk(|t| [libm::cos(t), -libm::sin(t), -libm::cos(t)], 1.0, 10.0);
        assert!((root.unwrap() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
        assert!(n <= 6, "{n}");
    }

    #[test]
    fn near_misses_are_passed_and_touches_are_found() {
        for gap in [1e-3, 1e-6, 1e-9, 1e-12, 1e-14] {
            let jet =
                |sign: f64| move |t: f64| [1.0 + sign * gap + libm::cos(t), -libm::sin(t), -libm::cos(t)];
            let (root, n) = walk(jet(1.0), 1.0, 6.0);
            assert!(root.is_none() && n < 100, "gap {gap:e}: {root:?} after {n}");
            let (root, n) = walk(jet(-1.0), 1.0, 6.0);
            let truth = std::f64::consts::PI - libm::acos(1.0 - gap);
            let tolerance = 3e-15 / libm::sin(truth);
            assert!((root.unwrap() - truth).abs() < tolerance && n < 100, "gap {gap:e}: {root:?}, {n}");
        }
        let (root, _) = walk(|t| [1.0 + libm::cos(t), -libm::sin(t), -libm::cos(t)], 1.0, 6.0);
        assert!((root.unwrap() - std::f64::consts::PI).abs() < 1e-7);
    }

    #[test]
    fn a_guard_that_starts_at_zero_leaves_it_by_its_slope_or_its_curvature() {
        let guard =
            |g1, g2| Guard { g: [0.0, g1, g2], third: 1.0, size: 1.0, reach: f64::INFINITY, noise: 1e-15 };
        for (g1, g2) in [(1.0, 0.0), (1.0, -3.0), (0.0, 1.0), (1e-6, 1e-3)] {
            let h = guard(g1, g2).first_step().unwrap();
            assert!(g1 + 0.5 * g2 * h - h * h / 6.0 > 0.0, "{g1} {g2}");
        }
        assert!(guard(0.0, -1.0).first_step().is_none());
        assert!(guard(0.0, 1e-9).first_step().is_none());
    }
}

//! Largest and smallest values of every quantity of a motion.

use crate::system::Motion;

/// The largest and the smallest value of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Largest.
    pub max: f64,
    /// Smallest.
    pub min: f64,
}

impl Default for Range {
    fn default() -> Self {
        Self { max: f64::NEG_INFINITY, min: f64::INFINITY }
    }
}

impl Range {
    #[inline]
    fn add(&mut self, value: f64) {
        self.max = self.max.max(value);
        self.min = self.min.min(value);
    }
}

/// The ranges of all quantities, in the order of [`quantities`].
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(pub Vec<Range>);

/// The quantities of a motion that have a range: positions, velocities, accelerations, forces, slopes.
#[inline]
fn quantities(motion: &Motion) -> impl Iterator<Item = f64> {
    let Motion { position, velocity, acceleration, friction, slope, .. } = motion;
    [position, velocity, acceleration, friction, slope].into_iter().flatten().copied()
}

impl Ranges {
    pub fn new(motion: &Motion) -> Self {
        Self(vec![Range::default(); quantities(motion).count()])
    }

    #[inline]
    pub fn add(&mut self, motion: &Motion) {
        for (range, value) in self.0.iter_mut().zip(quantities(motion)) {
            range.add(value);
        }
    }

    /// Adds the extrema that lie between the ends of a long, smooth step.
    pub fn add_between(&mut self, scan: &mut Scan, [t0, t1]: [f64; 2], mut at: impl FnMut(f64, &mut Motion)) {
        let width = self.0.len();
        let time = |i: usize| t0 + (t1 - t0) * i as f64 / SCAN as f64;
        for i in 0..=SCAN {
            at(time(i), &mut scan.motion);
            self.add(&scan.motion);
            scan.values.splice_row(i, width, quantities(&scan.motion));
        }
        for i in 1..SCAN {
            for k in 0..width {
                let [left, mid, right] = [i - 1, i, i + 1].map(|i| scan.values.0[i * width + k]);
                let is_peak = (mid >= left && mid > right) || (mid <= left && mid < right);
                if !is_peak {
                    continue;
                }
                // the peak may rise above the middle by about as much as the middle rises above its neighbours
                let reach = (mid - left).abs().max((mid - right).abs());
                let range = self.0[k];
                if mid + reach <= range.max && mid - reach >= range.min {
                    continue;
                }
                let sign = if mid > right { 1.0 } else { -1.0 };
                let ends = [(i - 1, left), (i, mid), (i + 1, right)];
                let peak = peak(ends.map(|(i, value)| [time(i), sign * value]), |t| {
                    at(t, &mut scan.motion);
                    sign * quantities(&scan.motion).nth(k).unwrap_or(f64::NEG_INFINITY)
                });
                self.0[k].add(sign * peak);
            }
        }
    }
}

/// Points at which a long step is looked at.
const SCAN: usize = 8;

/// Storage for looking at a step.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    motion: Motion,
    values: Rows,
}

#[derive(Clone, Debug)]
struct Rows(Vec<f64>);

impl Rows {
    fn splice_row(&mut self, row: usize, width: usize, values: impl Iterator<Item = f64>) {
        for (slot, value) in self.0[row * width..(row + 1) * width].iter_mut().zip(values) {
            *slot = value;
        }
    }
}

impl Scan {
    pub fn new(motion: &Motion) -> Self {
        let width = quantities(motion).count();
        Self { motion: motion.clone(), values: Rows(vec![0.0; (SCAN + 1) * width]) }
    }
}

/// Part of the bracket to which the place of a peak is found: its value is then known to rounding, since it is flat there.
const PLACE: f64 = 1e-8;
/// Parabolas and sections at most; some seven are the rule.
const MOST_TRIES: usize = 60;

/// The largest value of a function with one peak, by Brent's method (@brent1973, ch. 5): parabolas through the best three
/// points, golden sections where they do not help. Three points (t, value) in order, the middle one highest.
fn peak([[mut a, fa], [mut x, mut fx], [mut b, fb]]: [[f64; 2]; 3], mut f: impl FnMut(f64) -> f64) -> f64 {
    const SECTION: f64 = 0.381_966_011_250_105_1;
    let place = PLACE * (b - a);
    // the second and third best, the last step and the one before
    let ([mut w, mut fw], [mut v, mut fv]) = if fa > fb { ([a, fa], [b, fb]) } else { ([b, fb], [a, fa]) };
    let (mut step, mut before) = (b - a, b - a);
    for _ in 0..MOST_TRIES {
        let middle = 0.5 * (a + b);
        if (x - middle).abs() <= 2.0 * place - 0.5 * (b - a) {
            break;
        }
        let (r, q) = ((x - w) * (fx - fv), (x - v) * (fx - fw));
        let p = (x - v) * q - (x - w) * r;
        let q = 2.0 * (q - r);
        let jump = -p / q;
        if jump.abs() < 0.5 * before.abs() && x + jump > a && x + jump < b {
            (before, step) = (step, jump);
            if x + step - a < 2.0 * place || b - x - step < 2.0 * place {
                step = place.copysign(middle - x);
            }
        } else {
            before = if x < middle { b - x } else { a - x };
            step = SECTION * before;
        }
        let u = x + if step.abs() >= place { step } else { place.copysign(step) };
        let fu = f(u);
        if fu >= fx {
            if u < x {
                b = x
            } else {
                a = x
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
        } else {
            if u < x {
                a = u
            } else {
                b = u
            }
            if fu >= fw || w == x {
                (v, fv, w, fw) = (w, fw, u, fu);
            } else if fu >= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
    fx
}

#[cfg(test)]
mod tests {
    use super::peak;

    #[test]
    fn a_peak_is_found_to_rounding_in_a_few_tries() {
        type Curve = fn(f64) -> f64;
        // d/dt e⁻ᵗ sin 2(t + ½) = 0 where tan 2(t + ½) = 2
        let t = 0.5 * libm::atan(2.0) - 0.5;
        let curves: [(Curve, f64, f64, usize); 4] = [
            (|t| libm::cos(t - 0.1234), 1.0, 1e-15, 10),
            (|t| libm::exp(-t) * libm::sin(2.0 * (t + 0.5)), libm::exp(-t) * 2.0 / 5f64.sqrt(), 1e-15, 10),
            (|t| 3.0 - libm::pow(t - 0.2, 4.0), 3.0, 1e-15, 45),
            // at a kink the value is as good as the place
            (|t| -(t - 0.0567).abs(), 0.0, 1e-8, 45),
        ];
        for (curve, highest, tolerance, most) in curves {
            let mut tries = 0;
            let found = peak([-0.4, 0.1, 0.4].map(|t| [t, curve(t)]), |t| {
                tries += 1;
                curve(t)
            });
            assert!((found - highest).abs() <= tolerance && tries <= most, "{found} {highest} {tries}");
        }
    }
}

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
                let peak = golden(time(i - 1), time(i + 1), |t| {
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

/// The largest value of a function with one peak in [a, b], by golden sections. The value is then known to rounding,
/// since it is flat at the peak.
fn golden(mut a: f64, mut b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let (mut c, mut d) = (b - RATIO * (b - a), a + RATIO * (b - a));
    let (mut fc, mut fd) = (f(c), f(d));
    for _ in 0..40 {
        if fc > fd {
            (b, d, fd) = (d, c, fc);
            c = b - RATIO * (b - a);
            fc = f(c);
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + RATIO * (b - a);
            fd = f(d);
        }
    }
    fc.max(fd)
}

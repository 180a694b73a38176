//! Largest and smallest values of every quantity of a motion.

use super::{MOST_NUMBERS, Samples, numbers, width};
use crate::math::maximum::Maximum;
use crate::system::Motion;
use std::convert::Infallible;

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

/// The ranges of all quantities, in the order of `quantities`, and the motions at which they were reached.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    pub(crate) ranges: Vec<Range>,
    rows: Rows,
    scan: Scan,
}

/// The quantities of a motion that have a range: positions, velocities, accelerations, forces, slopes.
#[inline]
fn quantities(motion: &Motion) -> impl Iterator<Item = f64> {
    let Motion { position, velocity, acceleration, friction, slope, .. } = motion;
    [position, velocity, acceleration, friction, slope].into_iter().flatten().copied()
}

impl Ranges {
    /// Ranges of a motion of `n` degrees of freedom with `m` contacts; with the motions at the extrema if
    /// `keeps_rows`, and if they are not too many.
    pub(crate) fn new(n: usize, m: usize, keeps_rows: bool) -> Self {
        let (count, width) = (3 * n + 2 * m, width(n, m));
        let is_kept = keeps_rows && 2 * count * width <= MOST_NUMBERS;
        let rows = Rows::new(if is_kept { 2 * count } else { 0 }, width);
        Self { ranges: vec![Range::default(); count], rows, scan: Scan::new(n, m) }
    }

    /// The range of quantity `k`.
    #[inline]
    pub(crate) fn range(&self, k: usize) -> Range {
        self.ranges[k]
    }

    /// Whether a value of quantity `k` is nothing new.
    #[inline]
    pub(crate) fn covers(&self, k: usize, value: f64) -> bool {
        let range = self.ranges[k];
        value <= range.max && value >= range.min
    }

    /// The motions at the extrema.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows.noted()
    }

    /// Adds a motion.
    #[inline]
    pub(crate) fn add(&mut self, motion: &Motion) {
        let mut slot = None;
        for (k, value) in quantities(motion).enumerate() {
            let range = &mut self.ranges[k];
            // a NaN is kept, so that it is seen
            if !(value <= range.max) {
                range.max = value;
                self.rows.note(2 * k, motion, &mut slot);
            }
            let range = &mut self.ranges[k];
            if !(value >= range.min) {
                range.min = value;
                self.rows.note(2 * k + 1, motion, &mut slot);
            }
        }
    }

    /// Adds the rows of `samples` from `first` on whose times lie in the window.
    pub(crate) fn add_samples(&mut self, samples: &Samples, first: usize, [w0, w1]: [f64; 2]) {
        let times = &samples.t[first..];
        let from = first + times.partition_point(|t| *t < w0);
        let to = first + times.partition_point(|t| *t <= w1);
        let Samples { position, velocity, acceleration, friction, slope, .. } = samples;
        let columns = [position, velocity, acceleration, friction, slope];
        for (k, column) in columns.into_iter().flatten().enumerate() {
            // most samples are nothing new
            let column = &column[from..to];
            let Range { max, min } = self.ranges[k];
            if !column.iter().fold(false, |is_new, value| is_new | !(*value <= max && *value >= min)) {
                continue;
            }
            for (i, value) in column.iter().enumerate() {
                if !self.covers(k, *value) {
                    let mut motion = std::mem::take(&mut self.scan.motion);
                    samples.row(from + i, &mut motion);
                    self.add(&motion);
                    self.scan.motion = motion;
                }
            }
        }
    }

    /// Adds the motion at `t`.
    pub(crate) fn add_at(&mut self, t: f64, at: impl FnOnce(f64, &mut Motion)) {
        let mut motion = std::mem::take(&mut self.scan.motion);
        at(t, &mut motion);
        self.add(&motion);
        self.scan.motion = motion;
    }

    /// Adds the extrema inside the smooth stretch `[t0, t1]`: the motion is looked at in a few places, and
    /// wherever one of three neighbours stands out the peak is found to rounding.
    ///
    /// The places next to the ends show whether a quantity rises into the stretch, so that no peak hides
    /// beside an end. Peaks are looked for of the quantities that `may_grow`.
    pub(crate) fn add_between(
        &mut self,
        [t0, t1]: [f64; 2],
        may_grow: &[bool],
        mut at: impl FnMut(f64, &mut Motion),
    ) {
        let width = self.ranges.len();
        let mut scan = std::mem::take(&mut self.scan);
        let time = |i: usize| t0 + (t1 - t0) * PLACES[i];
        for i in 0..PLACES.len() {
            at(time(i), &mut scan.motion);
            self.add(&scan.motion);
            let row = &mut scan.values[i * width..(i + 1) * width];
            row.iter_mut().zip(quantities(&scan.motion)).for_each(|(slot, value)| *slot = value);
        }
        for i in 1..PLACES.len() - 1 {
            for k in (0..width).filter(|k| may_grow[*k]) {
                let [left, mid, right] = [i - 1, i, i + 1].map(|i| scan.values[i * width + k]);
                let is_peak = (mid >= left && mid > right) || (mid <= left && mid < right);
                if !is_peak {
                    continue;
                }
                let reach = reach([left, mid, right], [i - 1, i].map(|i| PLACES[i + 1] - PLACES[i]));
                let range = self.ranges[k];
                if mid + reach <= range.max && mid - reach >= range.min {
                    continue;
                }
                let sign = if mid > right { 1.0 } else { -1.0 };
                let [a, x, b] =
                    [(i - 1, left), (i, mid), (i + 1, right)].map(|(i, value)| [time(i), sign * value]);
                let peak = Maximum::within([a, b], x).refined(PLACE * (b[0] - a[0]), MOST_TRIES, |t| {
                    at(t, &mut scan.motion);
                    Ok::<_, Infallible>(quantities(&scan.motion).nth(k).map(|value| sign * value))
                });
                let Ok(Some(Maximum { best: [[place, _], ..], .. })) = peak else { continue };
                at(place, &mut scan.motion);
                self.add(&scan.motion);
            }
        }
        self.scan = scan;
    }
}

/// The motions at the extrema, each kept once however many of them it holds.
#[derive(Clone, Debug, Default)]
struct Rows {
    width: usize,
    numbers: Vec<f64>,
    /// The slot of each extremum; none are kept if there are no extrema.
    slots: Vec<Option<usize>>,
    /// How many extrema each slot holds, and the slots that hold none.
    holders: Vec<usize>,
    free: Vec<usize>,
}

impl Rows {
    /// Room for the motions of so many extrema, and for one more that is about to replace some.
    fn new(n_extrema: usize, width: usize) -> Self {
        let n_slots = if n_extrema == 0 { 0 } else { n_extrema + 1 };
        Self {
            width,
            numbers: vec![f64::NAN; n_slots * width],
            slots: vec![None; n_extrema],
            holders: vec![0; n_slots],
            free: (0..n_slots).rev().collect(),
        }
    }

    /// Keeps `motion` as that of an extremum; `slot` is where it is already, if it is.
    #[inline]
    fn note(&mut self, extremum: usize, motion: &Motion, slot: &mut Option<usize>) {
        let Some(before) = self.slots.get(extremum).copied() else { return };
        let Some(now) = slot.or_else(|| self.free.pop()) else { return };
        if slot.is_none() {
            let row = &mut self.numbers[now * self.width..(now + 1) * self.width];
            row.iter_mut().zip(numbers(motion)).for_each(|(slot, number)| *slot = number);
            *slot = Some(now);
        }
        if before == Some(now) {
            return;
        }
        self.slots[extremum] = Some(now);
        self.holders[now] += 1;
        if let Some(before) = before {
            self.holders[before] -= 1;
            if self.holders[before] == 0 {
                self.free.push(before);
            }
        }
    }

    /// The motion of each extremum.
    fn noted(&self) -> impl Iterator<Item = &[f64]> {
        let row = |slot: &usize| &self.numbers[slot * self.width..(slot + 1) * self.width];
        self.slots.iter().flatten().map(row)
    }
}

/// Where a long step is looked at, as parts of it.
const PLACES: [f64; 11] = [0.0, 0.001, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 0.999, 1.0];

/// How far a peak may stand out from the middle of three values with these distances: as far as the middle
/// from its neighbours, or twice as far as the parabola through them, if the neighbours are so unequally near
/// that it says more.
#[inline]
fn reach([left, mid, right]: [f64; 3], [before, after]: [f64; 2]) -> f64 {
    let (rise, fall) = ((mid - left) / before, (right - mid) / after);
    let (slope, bend) = (rise * after + fall * before, fall - rise);
    let vertex = 0.25 * slope * slope / (bend * (before + after));
    (mid - left).abs().max((mid - right).abs()).max(2.0 * vertex.abs())
}

/// Storage for looking at a step.
#[derive(Clone, Debug, Default)]
struct Scan {
    motion: Motion,
    values: Vec<f64>,
}

impl Scan {
    fn new(n: usize, m: usize) -> Self {
        Self { motion: Motion::zero(n, m), values: vec![0.0; PLACES.len() * (3 * n + 2 * m)] }
    }
}

/// Part of the bracket to which the place of a peak is found: its value is then known to rounding, since it
/// is flat there.
const PLACE: f64 = 1e-8;
/// Parabolas and sections at most; some seven are the rule.
const MOST_TRIES: usize = 60;

#[cfg(test)]
mod tests {
    use super::{Motion, Ranges};

    #[test]
    fn no_peak_hides_between_an_end_and_the_first_place() {
        for middle in [0.02, 0.05, 0.0625, 0.08, 0.11, 0.3, 0.89, 0.9375, 0.97] {
            // a deeper place than the ends is known from before, but not so deep as the peak
            for known in [0.0, 0.25, 0.5, 0.75, 0.99] {
                let height = |t: f64| (t - middle) * (t - middle);
                let mut ranges = Ranges::new(1, 0, false);
                let mut motion = Motion::zero(1, 0);
                motion.position[0] = known * height(if middle < 0.5 { 0.0 } else { 1.0 });
                if known > 0.0 {
                    ranges.add(&motion);
                }
                ranges.add_between([0.0, 1.0], &[true; 3], |t, out| out.position[0] = height(t));
                assert!(ranges.range(0).min < 1e-15, "{middle} {known}: {:?}", ranges.range(0));
            }
        }
    }
}

//! The motion at the instants that a drawing must not miss: events and extrema.

use super::Stepper;
use crate::record::{MOST_NUMBERS, Ranges, Samples, numbers, width};
use crate::system::Motion;

/// Rows that are there from the start, so that a usual run allocates nothing on its way.
const ROOM: usize = 2048;
/// Numbers that are there from the start at most.
const ROOM_NUMBERS: usize = 1 << 18;

/// Rows of whole motions, one after the other.
pub(super) struct Instants {
    n: usize,
    m: usize,
    rows: Vec<f64>,
    probe: Motion,
    is_kept: bool,
    /// Time of the last event kept.
    last: f64,
}

impl Instants {
    pub fn new(n: usize, m: usize, is_kept: bool) -> Self {
        let room = if is_kept { (ROOM * width(n, m)).min(ROOM_NUMBERS) } else { 0 };
        let rows = Vec::with_capacity(room);
        Self { n, m, rows, probe: Motion::zero(n, m), is_kept, last: f64::NAN }
    }

    fn push(&mut self) {
        if self.rows.len() + width(self.n, self.m) <= MOST_NUMBERS {
            self.rows.extend(numbers(&self.probe));
        }
    }

    /// Keeps both sides of an event at `t` in the last step; of several at one time once.
    pub fn add_event(&mut self, stepper: &mut dyn Stepper, t: f64) {
        if !self.is_kept || t == self.last {
            return;
        }
        self.last = t;
        stepper.motion_before(t, &mut self.probe);
        self.push();
        let before = self.rows.len().saturating_sub(width(self.n, self.m));
        stepper.motion(t, &mut self.probe);
        if !numbers(&self.probe).eq(self.rows[before..].iter().copied()) {
            self.push();
        }
    }

    /// Keeps the rows at which the ranges were reached.
    pub fn add_extrema(&mut self, ranges: &Ranges) {
        for row in ranges.rows() {
            if self.rows.len() + row.len() <= MOST_NUMBERS {
                self.rows.extend_from_slice(row);
            }
        }
    }

    /// All rows in the order of time, none of them twice.
    pub fn rows(self) -> Samples {
        let (n, m) = (self.n, self.m);
        let mut rows: Vec<(usize, &[f64])> = self.rows.chunks_exact(width(n, m)).enumerate().collect();
        rows.sort_unstable_by(|a, b| a.1[0].total_cmp(&b.1[0]).then(a.0.cmp(&b.0)));
        let mut samples = Samples::new(n, m, rows.len().max(1));
        let mut motion = Motion::zero(n, m);
        let mut last: [&[f64]; 2] = [&[]; 2];
        for (_, row) in rows {
            // an extremum at an event has the row of one of its sides
            if last.contains(&row) {
                continue;
            }
            last = [last[1], row];
            let mut numbers = row.iter().copied();
            motion.t = numbers.next().unwrap_or_default();
            let Motion { position, velocity, acceleration, sliding, friction, slope, .. } = &mut motion;
            for column in [position, velocity, acceleration, sliding, friction, slope] {
                column.iter_mut().zip(&mut numbers).for_each(|(x, number)| *x = number);
            }
            samples.push(&motion);
        }
        samples
    }
}

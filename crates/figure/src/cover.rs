//! Which parts of the box are inked already: a curve that winds over itself is drawn once.
//!
//! The box is a grid of cells much finer than the stroke. A segment inks the cells whose centre lies in its stroke (a
//! capsule: all points within half a width). A run of segments whose cells are all inked is left out; what changes is
//! at most a fraction of a cell at an edge.

use super::clip::ClipBox;

/// Cells per stroke width.
const FINENESS: f64 = 4.0;
/// The smallest cell (pt).
const SMALLEST: f64 = 0.12;

/// Inked cells, a bit each.
pub(crate) struct Cover {
    origin: [f64; 2],
    cell: f64,
    radius: f64,
    /// Distance from the edge of a stroke up to which it counts as inked (pt).
    halo: f64,
    rows: usize,
    columns: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Cover {
    /// A white box for strokes of this width.
    pub(crate) fn new(bounds: ClipBox, width: f64) -> Self {
        let cell = (width / FINENESS).max(SMALLEST);
        let count = |from: f64, to: f64| ((to - from) / cell).ceil().clamp(1.0, 1e5) as usize;
        let (columns, rows) = (count(bounds[0], bounds[2]), count(bounds[1], bounds[3]));
        let words = columns.div_ceil(64);
        let origin = [bounds[0], bounds[1]];
        Self {
            origin,
            cell,
            radius: 0.5 * width,
            halo: 0.0,
            rows,
            columns,
            words,
            bits: vec![0; words * rows],
        }
    }

    /// The same, with strokes that hide what lies this far beside them too (pt).
    pub(crate) fn with_halo(self, halo: f64) -> Self {
        Self { halo, ..self }
    }

    /// Whether everything that the segment would ink is inked.
    pub(crate) fn has(&self, a: [f64; 2], b: [f64; 2]) -> bool {
        self.spans(a, b, self.radius).all(|(row, from, to)| {
            masks(from, to).all(|(word, mask)| self.bits[row * self.words + word] & mask == mask)
        })
    }

    /// Inks the segment.
    pub(crate) fn ink(&mut self, a: [f64; 2], b: [f64; 2]) {
        let spans: Vec<_> = self.spans(a, b, self.radius + self.halo).collect();
        for (row, from, to) in spans {
            for (word, mask) in masks(from, to) {
                self.bits[row * self.words + word] |= mask;
            }
        }
    }

    /// Whether the cell at a point of the box is inked.
    #[cfg(test)]
    pub(crate) fn is_inked(&self, p: [f64; 2]) -> bool {
        let index = |i: usize, n: usize| (((p[i] - self.origin[i]) / self.cell) as usize).min(n - 1);
        let (column, row) = (index(0, self.columns), index(1, self.rows));
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Row, first and last column of the cells within a radius of a segment.
    fn spans(
        &self,
        a: [f64; 2],
        b: [f64; 2],
        radius: f64,
    ) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let unit = |p: [f64; 2]| [(p[0] - self.origin[0]) / self.cell, (p[1] - self.origin[1]) / self.cell];
        let (a, b, r) = (unit(a), unit(b), radius / self.cell);
        let (columns, rows) = (self.columns as f64, self.rows as f64);
        // the centre of cell i is at i + 1/2
        let first = (a[1].min(b[1]) - r - 0.5).ceil().clamp(0.0, rows);
        let last = (a[1].max(b[1]) + r - 0.5).floor().clamp(-1.0, rows - 1.0);
        let count = (last - first + 1.0).max(0.0) as usize;
        (first as usize..first as usize + count).filter_map(move |row| {
            let [from, to] = capsule(a, b, r, row as f64 + 0.5)?;
            let from = (from - 0.5).ceil().max(0.0);
            let to = (to - 0.5).floor().min(columns - 1.0);
            (from <= to).then_some((row, from as usize, to as usize))
        })
    }
}

/// The interval of x in which the points at height y are within r of the segment.
fn capsule(a: [f64; 2], b: [f64; 2], r: f64, y: f64) -> Option<[f64; 2]> {
    let mut interval = [f64::INFINITY, f64::NEG_INFINITY];
    let mut join = |from: f64, to: f64| {
        if from <= to {
            interval = [interval[0].min(from), interval[1].max(to)];
        }
    };
    // the discs at both ends
    for p in [a, b] {
        let h = r * r - (y - p[1]) * (y - p[1]);
        if h >= 0.0 {
            join(p[0] - h.sqrt(), p[0] + h.sqrt());
        }
    }
    // the strip between them: |d × (p − a)| ≤ r |d| and 0 ≤ d · (p − a) ≤ |d|²
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = libm::hypot(dx, dy);
    if length > 0.0 {
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut limit = |slope: f64, offset: f64, low: f64, high: f64| {
            // low ≤ slope (x − a) + offset ≤ high
            if slope == 0.0 {
                if offset < low || offset > high {
                    to = f64::NEG_INFINITY;
                }
            } else {
                let ends = [(low - offset) / slope, (high - offset) / slope];
                from = from.max(ends[0].min(ends[1]));
                to = to.min(ends[0].max(ends[1]));
            }
        };
        limit(-dy, dx * (y - a[1]), -r * length, r * length);
        limit(dx, dy * (y - a[1]), 0.0, length * length);
        join(a[0] + from, a[0] + to);
    }
    (interval[0] <= interval[1]).then_some(interval)
}

/// Words and bits of the cells `from ..= to`.
fn masks(from: usize, to: usize) -> impl Iterator<Item = (usize, u64)> {
    (from / 64..=to / 64).map(move |word| {
        let low = if word == from / 64 { from % 64 } else { 0 };
        let high = if word == to / 64 { to % 64 } else { 63 };
        (word, (u64::MAX << low) & (u64::MAX >> (63 - high)))
    })
}

/// The line without the runs, at least `run` long (pt), that are inked already; the rest is inked.
///
/// Pieces of the line are looked at in a scattered order: neighbouring turns of a spiral then hide each other, where
/// one after the other each would show a thin edge.
pub(crate) fn uncovered(line: &[[f64; 2]], cover: &mut Cover, run: f64) -> Vec<Vec<[f64; 2]>> {
    const PIECE: usize = 32;
    let n = line.len().saturating_sub(1);
    let mut is_bare = vec![false; n];
    for piece in scattered(n.div_ceil(PIECE)) {
        for i in PIECE * piece..n.min(PIECE * (piece + 1)) {
            if !cover.has(line[i], line[i + 1]) {
                cover.ink(line[i], line[i + 1]);
                is_bare[i] = true;
            }
        }
    }
    let mut parts = Vec::new();
    let mut part: Vec<[f64; 2]> = Vec::new();
    // points after the last of `part` that lie under ink, and their length
    let (mut hidden, mut length): (Vec<[f64; 2]>, f64) = (Vec::new(), 0.0);
    for i in 0..n {
        let (a, b) = (line[i], line[i + 1]);
        if !is_bare[i] {
            hidden.push(b);
            length += libm::hypot(b[0] - a[0], b[1] - a[1]);
            continue;
        }
        if length < run && !part.is_empty() {
            part.append(&mut hidden);
        } else {
            parts.push(std::mem::replace(&mut part, vec![a]));
        }
        part.push(b);
        hidden.clear();
        length = 0.0;
    }
    parts.push(part);
    parts.retain(|part| part.len() > 1);
    parts
}

/// 0 … n − 1 in the order of their reversed bits.
fn scattered(n: usize) -> impl Iterator<Item = usize> {
    let bits = usize::BITS - n.saturating_sub(1).leading_zeros();
    let reversed = move |i: usize| i.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0);
    (0..1_usize << bits).map(reversed).filter(move |&i| i < n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify::tests::distance;

    const BOX: ClipBox = [0.0, 0.0, 100.0, 60.0];

    #[test]
    fn a_segment_inks_the_cells_whose_centre_is_in_its_stroke() {
        let width = 0.9;
        for (a, b) in [
            ([10.0, 10.0], [60.0, 37.0]),
            ([50.0, 5.0], [50.0, 50.0]),
            ([5.0, 30.0], [95.0, 30.0]),
            ([20.0, 20.0], [20.0, 20.0]),
            ([90.0, 50.0], [99.9, 0.1]),
        ] {
            let mut cover = Cover::new(BOX, width);
            cover.ink(a, b);
            for row in 0..cover.rows {
                for column in 0..cover.columns {
                    let p = [(column as f64 + 0.5) * cover.cell, (row as f64 + 0.5) * cover.cell];
                    let inked = cover.is_inked(p);
                    let d = distance(p, a, b);
                    // the edge itself may fall on either side
                    if (d - 0.5 * width).abs() > 1e-9 {
                        assert_eq!(inked, d < 0.5 * width, "{p:?} at {d} from {a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_curve_drawn_a_hundred_times_is_drawn_once() {
        let turn = |i: i32| {
            let t = 0.05 * f64::from(i);
            [50.0 + 30.0 * libm::cos(t), 30.0 + 20.0 * libm::sin(t)]
        };
        let line: Vec<_> = (0..12600).map(turn).collect();
        let mut cover = Cover::new(BOX, 0.9);
        let kept: usize = uncovered(&line, &mut cover, 2.0).iter().map(Vec::len).sum();
        assert!(kept < 2 * 126, "{kept} points for one turn of 126");
        // and nothing is lost: every point is under ink
        let all = line.iter().all(|&p| cover.has(p, p));
        assert!(all);
    }
}

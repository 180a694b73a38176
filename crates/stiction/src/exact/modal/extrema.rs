//! Extrema of a phase in modes, for certain.
//!
//! All quantities share the intervals of `exact/extrema.rs`, and the terms that are known in their middles. Terms
//! that are fast against an interval count by their sizes at its left end, so that a fast motion that has died
//! away costs nothing, however fast.

use super::natural::Modes;
use super::snapshot::{PhaseQuantity, Snapshot};
use super::{Modal, Phase};
use crate::exact::extrema::{Local, turning_point};
use crate::exact::taylor::{Model, Stretch};
use crate::math::dense::Matrix;
use crate::record::Ranges;

/// A term is fast against an interval if its rate times the half-width is above this.
const FAST: f64 = 1.0;
/// Rounding of a sum over modes, in units of its terms.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// Parts of a phase at whose ends the motion is looked at first.
const PRIMED: usize = 12;
/// Halvings at most: an interval is then round-off of the phase.
const DEPTH: usize = 50;
/// Halvings where high derivatives leave the range of numbers and bound nothing, as of a vibration beyond
/// 1e44 rad/s: the motion is looked at in the middles.
const UNBOUNDED: usize = 8;
/// Intervals after which an extremum need only be known to twice the rounding, and again after as many more:
/// what cancels most is then no longer looked into.
const PATIENCE: usize = 4096;
/// Part of an interval to which a turning point is found: the value is flat there.
const PLACE: f64 = 1e-9;

/// Storage for the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Extrema {
    levels: Vec<Level>,
    trial: Snapshot,
    /// Intervals of the phase so far.
    n_intervals: usize,
}

/// An interval that is looked at, one a depth.
#[derive(Clone, Debug, Default)]
struct Level {
    span: [f64; 2],
    /// Which half comes next: 0, 1, or none.
    half: usize,
    /// Sizes of the terms at the left end, and the terms in the middle.
    left: Matrix,
    middle: Snapshot,
    /// Quantities whose extrema may be inside.
    open: Vec<Open>,
}

/// A quantity that may have an extremum: a derivative of a position, or a force.
#[derive(Clone, Copy, Debug)]
struct Open {
    row: usize,
    order: usize,
    /// Its index among the ranges.
    index: usize,
    /// Its rounding.
    noise: f64,
}

impl Open {
    fn quantity<'a>(&self, phase: &Phase, modes: &'a Modes) -> PhaseQuantity<'a> {
        match self.row.checked_sub(phase.position.len()) {
            None => phase.position(modes, self.row, self.order),
            Some(a) => phase.held(modes, a),
        }
    }
}

impl Modal {
    /// Adds the extrema of the current phase from τ = `a` to τ = `b` to `ranges`.
    pub(super) fn add_extrema(
        &mut self,
        model: &Model,
        stretch: &Stretch,
        span: [f64; 2],
        ranges: &mut Ranges,
    ) {
        let Some(modes) = self.phase.modes.clone() else { return };
        let mut search = std::mem::take(&mut self.extrema);
        search.n_intervals = 0;
        // a few motions spare the search most of its intervals; fast ones are at the start
        let [a, b] = span;
        let places = (0..=PRIMED).map(|i| i as f64 / PRIMED as f64);
        let near = (1..PRIMED).map(|i| 1.0 / (PRIMED << i) as f64);
        for place in places.chain(near) {
            let tau = if place == 1.0 { b } else { a + place * (b - a) };
            ranges.add_at(tau, |tau, motion| self.motion(model, stretch, false, tau, motion));
        }
        search.levels.resize_with(DEPTH + 1, Level::default);
        search.trial.take(&modes.terms, &self.phase.amplitudes, a);
        let root = &mut search.levels[0];
        (root.span, root.half) = (span, 0);
        root.left.clone_from(&search.trial.sizes);
        root.open.clear();
        for row in 0..model.n {
            root.open.extend((0..3).map(|order| Open {
                row,
                order,
                index: order * model.n + row,
                noise: 0.0,
            }));
        }
        for (a, contact) in modes.members.iter().enumerate() {
            root.open.push(Open { row: model.n + a, order: 0, index: 3 * model.n + contact, noise: 0.0 });
        }
        // amplitudes are differences of terms as large as those at the start
        search.trial.take(&modes.terms, &self.phase.amplitudes, 0.0);
        for open in &mut root.open {
            let quantity = open.quantity(&self.phase, &modes);
            let terms = quantity.bound(&search.trial.sizes, 0, 0..quantity.n_terms());
            open.noise = NOISE * (quantity.polynomial_size(b) + terms);
        }
        self.look_into(&modes, model, stretch, &mut search, 0, ranges);
        let mut depth = 0;
        loop {
            let level = &mut search.levels[depth];
            if level.open.is_empty() || level.half > 1 {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                continue;
            }
            let (half, [a, b]) = (level.half, level.span);
            level.half += 1;
            let middle = 0.5 * (a + b);
            let (upper, lower) = search.levels.split_at_mut(depth + 1);
            let (parent, child) = (&upper[depth], &mut lower[0]);
            (child.span, child.half) = (if half == 0 { [a, middle] } else { [middle, b] }, 0);
            child.left.clone_from(if half == 0 { &parent.left } else { &parent.middle.sizes });
            child.open.clone_from(&parent.open);
            depth += 1;
            self.look_into(&modes, model, stretch, &mut search, depth, ranges);
        }
        self.extrema = search;
    }

    /// Looks at an interval; what is still open afterwards needs its halves.
    fn look_into(
        &mut self,
        modes: &Modes,
        model: &Model,
        stretch: &Stretch,
        search: &mut Extrema,
        depth: usize,
        ranges: &mut Ranges,
    ) {
        #[cfg(test)]
        (self.n_looks += 1);
        search.n_intervals += 1;
        let looseness = libm::exp2((search.n_intervals / PATIENCE).min(40) as f64);
        let Extrema { levels, trial, .. } = search;
        let level = &mut levels[depth];
        let [a, b] = level.span;
        let (middle, r) = (0.5 * (a + b), 0.5 * (b - a));
        level.middle.take(&modes.terms, &self.phase.amplitudes, middle);
        let n_slow = modes.terms.n_slow(FAST / r);
        let mut open = std::mem::take(&mut level.open);
        open.retain(|open| {
            let quantity = open.quantity(&self.phase, modes);
            let local = quantity.local(level, n_slow);
            let noise = looseness * open.noise;
            if local.is_within(r, ranges.range(open.index), noise) {
                return false;
            }
            let add = |modal: &mut Self, ranges: &mut Ranges, tau: f64| {
                ranges.add_at(tau, |tau, motion| modal.motion(model, stretch, false, tau, motion));
            };
            if local.fast[0] == 0.0 && !local.is_within(0.0, ranges.range(open.index), noise) {
                add(self, ranges, middle);
            }
            let deepest = if local.reach(r).is_finite() { DEPTH } else { UNBOUNDED };
            if depth >= deepest || local.is_within(r, ranges.range(open.index), noise) {
                return false;
            }
            if !(local.is_monotone(r) || local.turns_once(r)) {
                return true;
            }
            let turn = if local.is_monotone(r) {
                None
            } else {
                turning_point(
                    [a, b],
                    |_| PLACE * (b - a),
                    |tau| {
                        trial.take(&modes.terms, &self.phase.amplitudes, tau);
                        [1, 2].map(|k| quantity.at(trial, k))
                    },
                )
            };
            for tau in [Some(a), turn, Some(b)].into_iter().flatten() {
                add(self, ranges, tau);
            }
            false
        });
        level.open = open;
    }
}

impl PhaseQuantity<'_> {
    /// What the quantity is in the middle of an interval, its slowest terms apart from the others.
    fn local(&self, level: &Level, n_slow: usize) -> Local {
        let [value, slope, curvature] = [0, 1, 2].map(|k| self.slow(&level.middle, k, n_slow));
        let third = self.bound(&level.left, 3, 0..n_slow);
        let fast = [0, 1, 2].map(|k| self.bound(&level.left, k, n_slow..self.n_terms()));
        Local { value, slope, curvature, third, fourth: 0.0, fast }
    }
}

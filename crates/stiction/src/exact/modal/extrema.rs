//! Extrema of a phase in modes, for certain.
//!
//! On an interval of half-width r about its middle a quantity f = Σ cⱼηⱼ differs from what its slow parts are
//! there by at most
//!
//! ```text
//!   |f′|r + ½|f″|r² + ⅙Mr³ + S
//! ```
//!
//! M: bound on f‴ of the slow parts, S: size of the free motions that are fast against the interval, both
//! from the left end on. An interval in which that stays within the range known so far holds no extremum. One
//! in which f′ cannot vanish has its extrema at its ends; one in which f″ cannot vanish has at most one
//! turning point, found by Newton's method; any other is halved. All quantities share the intervals. A fast
//! motion that has died away costs nothing, however fast.

use super::Modal;
use super::decomposition::{ModalParts, PartState};
use super::modes::{ModalRow, Modes};
use crate::exact::taylor::Model;
use crate::exact::taylor::Stretch;
use crate::record::Ranges;

/// A free motion is fast against an interval if its rate times the half-width is above this.
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
/// Newton's steps to a turning point, with halving where they leave their bracket.
const TRIES: usize = 60;

/// Storage for the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Extrema {
    parts: ModalParts,
    levels: Vec<Level>,
    trial: Vec<PartState>,
    /// Intervals of the phase so far.
    n_intervals: usize,
}

/// An interval that is looked at, one a depth.
#[derive(Clone, Debug, Default)]
struct Level {
    span: [f64; 2],
    /// Which half comes next: 0, 1, or none.
    half: usize,
    /// Bounds at the left end, and the parts in the middle.
    left: Vec<[f64; 6]>,
    middle: Vec<PartState>,
    turns: Vec<[f64; 2]>,
    is_fast: Vec<bool>,
    /// Quantities whose extrema may be inside.
    open: Vec<Open>,
}

/// A row of coefficients, and which of its quantities are open: position, velocity, acceleration, or a force.
#[derive(Clone, Copy, Debug)]
struct Open {
    row: usize,
    is_open: [bool; 3],
}

/// A quantity at the middle of an interval.
struct Local {
    value: f64,
    slope: f64,
    curvature: f64,
    /// Bound on the third derivative of the slow parts.
    third: f64,
    /// Sizes of the fast parts of value, slope and curvature.
    fast: [f64; 3],
    noise: f64,
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
        search.parts.take(&modes, model, &self.phase);
        // a few motions spare the search most of its intervals; fast ones are at the start
        let [a, b] = span;
        let places = (0..=PRIMED).map(|i| i as f64 / PRIMED as f64);
        let near = (1..PRIMED).map(|i| 1.0 / (PRIMED << i) as f64);
        for place in places.chain(near) {
            let tau = if place == 1.0 { b } else { a + place * (b - a) };
            ranges.add_at(tau, |tau, motion| self.motion(model, stretch, false, tau, motion));
        }
        search.parts.at(&modes, model, &self.phase, span[0], &mut search.trial);
        if search.levels.is_empty() {
            search.levels.resize_with(DEPTH + 1, Level::default);
        }
        let root = &mut search.levels[0];
        (root.span, root.half) = (span, 0);
        root.left.clear();
        root.left.extend(search.trial.iter().map(|part| part.size));
        root.open.clear();
        root.open.extend((0..model.n).map(|row| Open { row, is_open: [true; 3] }));
        let forces =
            (0..modes.members.len()).map(|a| Open { row: model.n + a, is_open: [true, false, false] });
        root.open.extend(forces);
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
            child.left.clear();
            if half == 0 {
                child.left.extend_from_slice(&parent.left);
            } else {
                child.left.extend(parent.middle.iter().map(|part| part.size));
            }
            child.open.clear();
            child.open.extend_from_slice(&parent.open);
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
        let Extrema { parts, levels, trial, .. } = search;
        let level = &mut levels[depth];
        let [a, b] = level.span;
        let (middle, r) = (0.5 * (a + b), 0.5 * (b - a));
        parts.at(modes, model, &self.phase, middle, &mut level.middle);
        let is_long = 2.0 * r > parts.reach && depth < DEPTH;
        level.turns.clear();
        level.turns.extend_from_slice(parts.turns());
        level.is_fast.clear();
        level.is_fast.extend(parts.list.iter().map(|part| part.rate * r > FAST));
        let mut open = std::mem::take(&mut level.open);
        for open in &mut open {
            let lasting = parts.lasting(model, open.row, middle, &level.turns);
            for kind in 0..3 {
                if !open.is_open[kind] {
                    continue;
                }
                let quantity = self.quantity(modes, model, open.row, kind);
                let row = quantity_row(modes, model, open.row, kind);
                let mut local = Local::new(row, kind, &lasting, parts, level);
                local.noise *= looseness;
                let is_within = |reach: f64, ranges: &Ranges| {
                    let range = ranges.range(quantity);
                    local.value + reach <= range.max + local.noise
                        && local.value - reach >= range.min - local.noise
                };
                let reach = local.reach(r);
                if !is_long && is_within(reach, ranges) {
                    open.is_open[kind] = false;
                    continue;
                }
                if local.fast[0] == 0.0 && !is_within(0.0, ranges) {
                    ranges.add_at(middle, |tau, motion| self.motion(model, stretch, false, tau, motion));
                }
                let deepest = if reach.is_finite() { DEPTH } else { UNBOUNDED };
                if depth >= deepest || (!is_long && is_within(reach, ranges)) {
                    open.is_open[kind] = false;
                    continue;
                }
                if is_long || !(local.is_monotone(r) || local.turns_once(r)) {
                    continue;
                }
                open.is_open[kind] = false;
                let turn = if local.is_monotone(r) {
                    None
                } else {
                    let slope = |tau: f64, parts: &mut ModalParts, trial: &mut Vec<PartState>| {
                        parts.at(modes, model, &self.phase, tau, trial);
                        slopes(modes, model, open.row, kind, parts, (tau, trial))
                    };
                    turning_point([a, b], |tau| slope(tau, parts, trial))
                };
                for tau in [Some(a), turn, Some(b)].into_iter().flatten() {
                    ranges.add_at(tau, |tau, motion| self.motion(model, stretch, false, tau, motion));
                }
            }
        }
        open.retain(|open| open.is_open.contains(&true));
        level.open = open;
    }

    /// Index of a quantity among the ranges.
    fn quantity(&self, modes: &Modes, model: &Model, row: usize, kind: usize) -> usize {
        match row.checked_sub(model.n) {
            None => kind * model.n + row,
            Some(a) => 3 * model.n + modes.members[a],
        }
    }
}

/// First and second derivative of a quantity at τ, where the parts were taken.
fn slopes(
    modes: &Modes,
    model: &Model,
    index: usize,
    kind: usize,
    parts: &ModalParts,
    (tau, states): (f64, &[PartState]),
) -> [f64; 2] {
    let (row, order) = quantity_row(modes, model, index, kind);
    let (lasting, ..) = parts.lasting(model, index, tau, parts.turns());
    let mut slopes = [lasting[kind + 1], lasting[kind + 2]];
    for (part, state) in parts.list.iter().zip(states) {
        let [a, b] = row.at(part.mode);
        for (slope, jet) in slopes.iter_mut().zip(state.jet[order + 1..].windows(2)) {
            *slope += a * jet[0] + b * jet[1];
        }
    }
    slopes
}

/// The coefficients of a quantity, and the order of the derivative that they are taken of: positions,
/// velocities and accelerations of a degree of freedom, or the force of a resting contact.
fn quantity_row<'a>(modes: &'a Modes, model: &Model, index: usize, kind: usize) -> (ModalRow<'a>, usize) {
    match (index.checked_sub(model.n), kind) {
        (Some(a), _) => (modes.held.row(a), 0),
        (None, 0) => (modes.position(index), 0),
        (None, kind) => (modes.velocity(index), kind - 1),
    }
}

impl Local {
    fn new(
        (row, order): (ModalRow, usize),
        kind: usize,
        (lasting, bounds, size): &([f64; 5], [f64; 3], f64),
        parts: &ModalParts,
        level: &Level,
    ) -> Self {
        let [mut slow, mut fast] = [[lasting[kind], lasting[kind + 1], lasting[kind + 2]], [0.0; 3]];
        let (mut third, mut size) = (bounds[kind], if kind == 0 { *size } else { lasting[kind].abs() });
        for (i, part) in parts.list.iter().enumerate() {
            let [a, b] = row.at(part.mode);
            if [a, b] == [0.0; 2] {
                continue;
            }
            let (x, y) = (a.abs(), b.abs());
            let left = &level.left[i][order..];
            if level.is_fast[i] {
                for (sum, bound) in fast.iter_mut().zip(left.windows(2)) {
                    *sum += x * bound[0] + y * bound[1];
                }
            } else {
                let jet = &level.middle[i].jet[order..];
                for (sum, jet) in slow.iter_mut().zip(jet.windows(2)) {
                    *sum += a * jet[0] + b * jet[1];
                }
                third += x * left[3] + y * left[4];
                size += x * jet[0].abs() + y * jet[1].abs() + part.cancelling([a, b], order);
            }
        }
        let [value, slope, curvature] = slow;
        Self { value, slope, curvature, third, fast, noise: NOISE * size }
    }
}

impl Local {
    /// How far the quantity can be from its value in the middle, within r.
    fn reach(&self, r: f64) -> f64 {
        r * (self.slope.abs() + r * (0.5 * self.curvature.abs() + r * self.third / 6.0)) + self.fast[0]
    }

    fn is_monotone(&self, r: f64) -> bool {
        self.slope.abs() > r * (self.curvature.abs() + 0.5 * r * self.third) + self.fast[1]
    }

    fn turns_once(&self, r: f64) -> bool {
        self.curvature.abs() > r * self.third + self.fast[2]
    }
}

/// The zero of the slope in an interval in which the curvature keeps its sign; `slopes` gives both.
fn turning_point([mut a, mut b]: [f64; 2], mut slopes: impl FnMut(f64) -> [f64; 2]) -> Option<f64> {
    let (left, right) = (slopes(a)[0], slopes(b)[0]);
    if !(left * right < 0.0) {
        return None;
    }
    let place = 1e-9 * (b - a);
    let mut t = a + (b - a) * (left / (left - right));
    for _ in 0..TRIES {
        let [f1, f2] = slopes(t);
        if f1 * left > 0.0 {
            a = t
        } else {
            b = t
        }
        let next = t - f1 / f2;
        let next = if next > a && next < b { next } else { 0.5 * (a + b) };
        // flat there: the value is known to rounding
        if (next - t).abs() <= place {
            return Some(next);
        }
        t = next;
    }
    Some(t)
}

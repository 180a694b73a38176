//! Event location: where a guard changes sign inside a step.
//!
//! The guards are sampled along the dense output of the step. Between two samples of different sign the zero is
//! enclosed (Illinois) down to round-off. Where a guard comes close to zero and turns back, its extremum is looked
//! for, so that a pair of zeros between two samples is found as well; at the ends of a step its slopes show that.
//! Detection limit: sign changes shorter than 1/4096 of a step at its ends may be missed.
//!
//! A guard that the last step ended on starts at zero, up to round-off; the side that it leaves to is read off its
//! first sample inside the step. Chattering guards are ignored ([`Chattering`]).

use super::chattering::Chattering;
use super::dense_output::DenseOutput;
use super::problem::Ode;
use crate::math::root::{illinois, opposed};

/// How far from the ends of a step its slopes there are read off, as a part of it.
const EDGE: f64 = 1.0 / 4096.0;
/// Samples of a step that is looked at closely.
const CLOSE: [f64; 12] = [EDGE, SETTLED, 0.016, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0 - EDGE, 1.0];
/// From here on samples determine the side after a kink.
const SETTLED: f64 = 0.002;
/// A guard that dips below this part of its size over the step deserves a closer look.
const DIP: f64 = 0.3;
/// Samples of every step.
const COARSE: [f64; 5] = [0.016, 0.25, 0.5, 0.75, 1.0];

/// A zero of a guard inside a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Where, as a part of the step.
    pub theta: f64,
    /// Which guard.
    pub guard: usize,
}

/// The guards at the start of a step, and room to sample them inside it.
pub(crate) struct GuardSearch {
    n: usize,
    start: Vec<f64>,
    is_landed: Vec<bool>,
    pub chattering: Chattering,
    landed: Vec<usize>,
    side: Vec<f64>,
    /// Largest modulus of each guard over the samples.
    size: Vec<f64>,
    /// Three samples in a row.
    samples: [Vec<f64>; 3],
    value: Vec<f64>,
    y: Vec<f64>,
}

/// A step: where it starts, how long it is, and the polynomial along it.
#[derive(Clone, Copy)]
pub(crate) struct SearchedStep<'a> {
    pub t: f64,
    pub h: f64,
    pub output: DenseOutput<'a>,
}

impl GuardSearch {
    pub fn new(n: usize, n_guards: usize) -> Self {
        let zeros = || vec![0.0; n_guards];
        Self {
            n: n_guards,
            start: zeros(),
            is_landed: vec![false; n_guards],
            chattering: Chattering::new(n_guards),
            landed: Vec::with_capacity(n_guards),
            side: zeros(),
            size: zeros(),
            samples: std::array::from_fn(|_| zeros()),
            value: zeros(),
            y: vec![0.0; n],
        }
    }

    /// Whether there is nothing to watch.
    pub fn is_idle(&self) -> bool {
        self.n == 0
    }

    /// The guards that the last step ended on.
    pub fn landed(&self) -> &[usize] {
        &self.landed
    }

    /// Takes (t, y) as the start of the next step; `on` is the guard that it lies on.
    pub fn arrive(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, y: &[f64], on: Option<usize>) {
        // guards within this many roundings of zero count as met together
        const TOGETHER: f64 = 64.0;
        std::mem::swap(&mut self.start, &mut self.value);
        ode.guards(t, y, &mut self.start);
        self.landed.clear();
        for j in 0..self.n {
            let met = on.is_some() && self.start[j].abs() <= TOGETHER * f64::EPSILON * self.size[j];
            self.is_landed[j] = on == Some(j) || met;
            if self.is_landed[j] {
                self.landed.push(j);
            }
            self.chattering.count(j, self.is_landed[j], self.start[j] == self.value[j]);
        }
        self.chattering.end_step();
    }

    /// Takes those guards as met together with the one that the step ended on that change their sign up to
    /// (t, y), a step that is too short to be taken after it.
    pub fn meet(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, y: &[f64]) {
        if self.n == self.landed.len() {
            return;
        }
        ode.guards(t, y, &mut self.value);
        for j in 0..self.n {
            if !self.is_landed[j] && !self.chattering.is_ignored(j) && opposed(self.start[j], self.value[j]) {
                self.is_landed[j] = true;
                self.landed.push(j);
            }
        }
    }

    /// Whether some guard has another sign at (t, y) than at the start of the step.
    pub fn differs(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, y: &[f64]) -> bool {
        ode.guards(t, y, &mut self.value);
        (0..self.n).any(|j| {
            !self.is_landed[j] && !self.chattering.is_ignored(j) && opposed(self.start[j], self.value[j])
        })
    }

    /// Whether a guard, which is near zero where the next step starts, is larger at (t, y) shortly after it.
    pub fn rises(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, y: &[f64], guard: usize) -> bool {
        ode.guards(t, y, &mut self.value);
        self.value[guard] > self.start[guard]
    }

    /// Whether some guard may vanish inside the step, judged by a few samples of a cheap path.
    pub fn is_suspect(&mut self, ode: &mut (impl Ode + ?Sized), path: SearchedStep) -> bool {
        self.begin(|j| ode.is_one_sided(j));
        let (mut before, mut before_that) = (0.0, 0.0);
        for theta in COARSE {
            self.sample(ode, path, theta);
            for j in 0..self.n {
                let [a, b, c] = self.last_three(j);
                if self.side[j] == 0.0 {
                    self.settle(j, c);
                    continue;
                }
                if stays(b, c) {
                    continue;
                }
                let turns = b.abs() < a.abs() && b.abs() <= c.abs();
                let is_dip = || {
                    let least = lowest([before_that, before, theta], [a, b, c].map(|g| g * self.side[j]));
                    least < DIP * self.size[j]
                };
                if c * self.side[j] <= 0.0 || turns && is_dip() {
                    return true;
                }
            }
            (before_that, before) = (before, theta);
        }
        self.turns_at_an_end(ode, path)
    }

    /// Whether some guard that is low at an end of the step has been, or gets, lower still by its slope
    /// there.
    fn turns_at_an_end(&mut self, ode: &mut (impl Ode + ?Sized), path: SearchedStep) -> bool {
        let is_low = |this: &Self, j: usize, end: f64| this.side[j] != 0.0 && end.abs() < DIP * this.size[j];
        let starts_low = |this: &Self, j: usize| !this.is_landed[j] && is_low(this, j, this.start[j]);
        let ends_low = |this: &Self, j: usize| is_low(this, j, this.samples[2][j]);
        if (0..self.n).any(|j| starts_low(self, j)) {
            self.evaluate(ode, path, EDGE);
            if (0..self.n).any(|j| starts_low(self, j) && self.value[j] * self.side[j] < self.start[j].abs())
            {
                return true;
            }
        }
        if (0..self.n).any(|j| ends_low(self, j)) {
            self.evaluate(ode, path, 1.0 - EDGE);
            return (0..self.n)
                .any(|j| ends_low(self, j) && self.value[j] * self.side[j] < self.samples[2][j].abs());
        }
        false
    }

    /// The first zero of any guard inside the step, none before `earliest`.
    pub fn first_crossing(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        path: SearchedStep,
        earliest: f64,
    ) -> Option<Crossing> {
        self.begin(|j| ode.is_one_sided(j));
        let (mut before, mut before_that) = (0.0, 0.0);
        for theta in CLOSE {
            self.sample(ode, path, theta);
            let mut first: Option<Crossing> = None;
            for j in 0..self.n {
                let [a, b, c] = self.last_three(j);
                let side = self.side[j];
                if side == 0.0 {
                    if theta >= SETTLED {
                        self.settle(j, c);
                    }
                    continue;
                }
                if stays(b, c) {
                    continue;
                }
                let root = if c * side <= 0.0 && b * side < 0.0 {
                    Some(theta)
                } else if c * side <= 0.0 {
                    Some(zero([before, theta], [b, c], |x| self.at(ode, path, x, j)))
                } else if b.abs() < a.abs() && b.abs() <= c.abs() && before > 0.0 {
                    dip([before_that, before, theta], [a, b, c], |x| self.at(ode, path, x, j))
                } else {
                    None
                };
                let Some(mut root) = root else { continue };
                if root < earliest && self.is_open(j) && ode.is_one_sided(j) {
                    // below zero from the start on, by the error of the path: a shorter step shows how it
                    // leaves zero
                    root = theta;
                }
                if root < earliest {
                    // too close to the start to be distinguished from it: the guard has changed sides
                    // already
                    self.side[j] = if c == 0.0 { 0.0 } else { c.signum() };
                } else if first.is_none_or(|first| root < first.theta) {
                    first = Some(Crossing { theta: root, guard: j });
                }
            }
            if first.is_some() {
                return first;
            }
            before_that = before;
            before = theta;
        }
        None
    }

    /// The zero of a guard just after the end of the step, first where it is `near`, then up to `limit`
    /// times its length.
    pub fn beyond(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        path: SearchedStep,
        guard: usize,
        near: f64,
        limit: f64,
    ) -> Option<f64> {
        let a = self.at(ode, path, 1.0, guard);
        if a == 0.0 {
            return Some(1.0);
        }
        // a guard that turns back may have passed a second zero farther away
        for end in [near.min(limit), limit] {
            let b = self.at(ode, path, end, guard);
            if b == 0.0 || opposed(a, b) {
                return Some(zero([1.0, end], [a, b], |x| self.at(ode, path, x, guard)));
            }
        }
        None
    }

    /// The first zero after the end of a step, which is where the next one starts, up to `limit` times its
    /// length.
    pub fn ahead(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        path: SearchedStep,
        limit: f64,
    ) -> Option<Crossing> {
        self.begin(|j| ode.is_one_sided(j));
        self.sample(ode, path, limit);
        let mut first: Option<Crossing> = None;
        for j in 0..self.n {
            let [_, a, b] = self.last_three(j);
            if opposed(a, b) && !self.chattering.is_ignored(j) {
                let theta = zero([1.0, limit], [a, b], |x| self.at(ode, path, x, j));
                if first.is_none_or(|first| theta < first.theta) {
                    first = Some(Crossing { theta, guard: j });
                }
            }
        }
        first
    }

    /// Whether a guard starts on zero, or is not looked at.
    fn is_open(&self, j: usize) -> bool {
        self.is_landed[j] || self.chattering.is_ignored(j) || self.start[j] == 0.0
    }

    /// Makes the start of the step the last sample.
    fn begin(&mut self, is_one_sided: impl Fn(usize) -> bool) {
        for j in 0..self.n {
            let start = self.start[j];
            for sample in &mut self.samples {
                sample[j] = start;
            }
            self.size[j] = start.abs();
            self.side[j] = match (self.chattering.is_ignored(j), self.is_open(j)) {
                // also one that has been missed: it asks for its event inside the step
                (false, _) if is_one_sided(j) => 1.0,
                (_, true) => 0.0,
                (_, false) => start.signum(),
            };
        }
    }

    /// Takes the next sample.
    fn sample(&mut self, ode: &mut (impl Ode + ?Sized), path: SearchedStep, theta: f64) {
        self.samples.rotate_left(1);
        path.output.at(theta, &mut self.y);
        ode.guards(path.t + theta * path.h, &self.y, &mut self.samples[2]);
        for (size, value) in self.size.iter_mut().zip(&self.samples[2]) {
            *size = size.max(value.abs());
        }
    }

    fn last_three(&self, j: usize) -> [f64; 3] {
        [self.samples[0][j], self.samples[1][j], self.samples[2][j]]
    }

    /// Reads the side that a guard leaves zero to off a sample, if it has left.
    fn settle(&mut self, j: usize, value: f64) {
        // a landed guard counts as gone from zero beyond this multiple of what it was left at
        const CLEAR: f64 = 4.0;
        if !self.chattering.is_ignored(j) && value.abs() > CLEAR * self.start[j].abs() {
            self.side[j] = value.signum();
        }
    }

    /// One guard at θ.
    fn at(&mut self, ode: &mut (impl Ode + ?Sized), path: SearchedStep, theta: f64, guard: usize) -> f64 {
        self.evaluate(ode, path, theta);
        self.value[guard]
    }

    /// Writes all guards at θ.
    fn evaluate(&mut self, ode: &mut (impl Ode + ?Sized), path: SearchedStep, theta: f64) {
        path.output.at(theta, &mut self.y);
        ode.guards(path.t + theta * path.h, &self.y, &mut self.value);
    }
}

/// Whether a guard has not left zero between two samples.
fn stays(before: f64, now: f64) -> bool {
    before == 0.0 && now == 0.0
}

/// The zero of a guard between two places where it has different signs.
fn zero(x: [f64; 2], g: [f64; 2], at: impl FnMut(f64) -> f64) -> f64 {
    illinois(x, g, 0.0, at)
}

/// The lowest value of the parabola through three samples, of which the middle one is lowest.
fn lowest([a, b, c]: [f64; 3], [ga, gb, gc]: [f64; 3]) -> f64 {
    let slopes = [(gb - ga) / (b - a), (gc - gb) / (c - b)];
    let curvature = (slopes[1] - slopes[0]) / (c - a);
    let slope = slopes[0] + curvature * (b - a);
    gb - 0.25 * slope * slope / curvature
}

/// The first of two zeros around a place where a guard turns back, if it has any.
fn dip(x: [f64; 3], g: [f64; 3], mut at: impl FnMut(f64) -> f64) -> Option<f64> {
    // three points that are drawn together so often have come near the turning point, or near zero
    const CLOSER: usize = 16;
    let ([mut a, mut b, mut c], [mut ga, mut gb, mut gc]) = (x, g);
    if lowest(x, g.map(f64::abs)) > DIP * ga.abs().max(gc.abs()) {
        return None;
    }
    for i in 0..CLOSER {
        // the turning point of the parabola through three samples
        let (p, q) = ((b - a) * (gb - gc), (b - c) * (gb - ga));
        let bottom = b - 0.5 * ((b - a) * p - (b - c) * q) / (p - q);
        if !(bottom > a && bottom < c) || bottom == b {
            return None;
        }
        let g_bottom = at(bottom);
        if g_bottom == 0.0 || opposed(g_bottom, gb) {
            let (left, g_left) = if bottom > b { (b, gb) } else { (a, ga) };
            return Some(zero([left, bottom], [g_left, g_bottom], at));
        }
        match (bottom < b, g_bottom.abs() < gb.abs()) {
            (true, true) => (c, gc, b, gb) = (b, gb, bottom, g_bottom),
            (true, false) => (a, ga) = (bottom, g_bottom),
            (false, true) => (a, ga, b, gb) = (b, gb, bottom, g_bottom),
            (false, false) => (c, gc) = (bottom, g_bottom),
        }
        // hardly lower anywhere; the first parabola goes through far samples
        if i > 0 && lowest([a, b, c], [ga, gb, gc].map(f64::abs)) > 0.95 * gb.abs() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{EDGE, GuardSearch, SearchedStep, dip, zero};
    use crate::ode::dense_output::DenseOutput;
    use crate::ode::problem::Ode;

    /// ẏ = 1, with a guard that is negative within `half` of `centre`.
    struct Dips {
        centre: f64,
        half: f64,
    }

    impl Ode for Dips {
        fn n(&self) -> usize {
            1
        }
        fn rhs(&mut self, _t: f64, _y: &[f64], dy: &mut [f64]) {
            dy[0] = 1.0;
        }
        fn jacobian(&mut self, _t: f64, _y: &[f64], jac: &mut [f64]) {
            jac[0] = 0.0;
        }
        fn stiffness(&mut self, _t: f64, _y: &[f64]) -> f64 {
            0.0
        }
        fn n_guards(&self) -> usize {
            1
        }
        fn guards(&mut self, _t: f64, y: &[f64], out: &mut [f64]) {
            // not a parabola, so that the turning point is searched for
            let x = y[0] - self.centre;
            out[0] = (x * x - self.half * self.half) * (1.0 + 0.5 * y[0]);
        }
    }

    #[test]
    fn a_guard_that_turns_back_anywhere_in_a_step_is_found() {
        for half in [1.01e-6, 1.03e-4, 1.01e-3, 4.03e-3, 2.07e-2] {
            // one zero may lie right after the start, or right before the end
            let beside = [half + 1e-6, 1.0 - half - 1e-6];
            for centre in (1..2000).map(|i| f64::from(i) / 2000.0).chain(beside) {
                let (first, last) = (centre - half, centre + half);
                if !(1e-7..1.0 - EDGE).contains(&first) || !(EDGE..1.0 - 1e-7).contains(&last) {
                    continue;
                }
                let mut ode = Dips { centre, half };
                let mut search = GuardSearch::new(1, 1);
                search.arrive(&mut ode, 0.0, &[0.0], None);
                let output =
                    DenseOutput::Hermite { h: 1.0, y: &[0.0], f: &[1.0], y_new: &[1.0], f_new: &[1.0] };
                let path = SearchedStep { t: 0.0, h: 1.0, output };
                assert!(search.is_suspect(&mut ode, path), "{centre} {half}");
                let found = search.first_crossing(&mut ode, path, 0.0);
                assert!(
                    found.is_some_and(|found| (found.theta - first).abs() < 1e-3 * half),
                    "{centre} {half}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn zeros_of_tiny_guards_stay_in_their_brackets() {
        // products of such values are zero
        for size in [1.0, 1e-60, 1e-160] {
            let root = zero([1.0, 1.5], [size, -1.5 * size], |x| size * (1.2 - x) * (1.0 + x));
            assert!((root - 1.2).abs() < 1e-14, "{size:e}: {root}");
            let parabola = |x: f64| size * ((x - 0.5) * (x - 0.5) - 0.01);
            let first = dip([0.0, 0.3, 1.0], [0.0, 0.3, 1.0].map(parabola), parabola);
            assert!((first.unwrap() - 0.4).abs() < 1e-14, "{size:e}: {first:?}");
        }
    }
}

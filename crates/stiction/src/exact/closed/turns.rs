//! The turning points of a slide, for certain.
//!
//! Between two looks h apart, at which m derivatives of g = w⁽ᵏ⁾ are known,
//!
//! ```text
//!   g = p + r,   p the polynomial of degree 2m − 1 with these derivatives,   |r| ≤ max|g⁽²ᵐ⁾| x^m (h−x)^m/(2m)!
//! ```
//!
//! The Bernstein coefficients of p (@farouki2012) follow from the derivatives at one end each, and r is a part of the middle coefficient of degree
//! 2m alone. If all of them have one sign g has no root inside. Where that of w⁽ᵏ⁺¹⁾ is so w⁽ᵏ⁾ has at most one, which its signs at
//! the ends decide; any other stretch is halved.

use super::{Closed, Derivatives, Factors, Glimpse, NEAR};

/// Longest stretch between two looks (rad of the fastest rate): r is then below 1e-4, 2e-3 and 5e-2 for k = 1, 2 and 3.
const STRETCH: f64 = 3.0;
/// A stretch is halved down to this (rad of the fastest rate); what a value can change on it is rounding.
const FLAT: f64 = 1e-8;
/// Halvings of one stretch after which it is left to the panels: those of some double roots, each down to `FLAT`.
const MOST_HALVINGS: usize = 400;
/// Newton's steps along the quintic through both ends.
const QUINTIC_STEPS: usize = 8;
/// Looks on the way to a turning point; one or two are the rule.
const TRIES: usize = 60;
/// Turning points of a phase that the next one on the same piece begins with.
const REMEMBERED: usize = 4;

/// A part of a slide.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Span<'a> {
    /// Where it begins.
    pub first: Glimpse,
    /// w and w′ there.
    pub start: [f64; 2],
    /// |c| there.
    pub amplitude: f64,
    /// Looks on the way, in order, which save looking again.
    pub looks: &'a [Glimpse],
    /// Where it ends, since the start of the phase (s).
    pub end: f64,
}

impl Closed {
    /// Tells `visit` every root of w⁽ᵏ⁾ strictly inside the span, of k = 0 if `with_zeros`, and of k = 1, 2. `turns` are those of a
    /// phase like this one, which save searching, and become those of this phase. False if a stretch was given up: numbers near the
    /// ends of their range, or none at all.
    pub fn turns(&self, span: &Span, with_zeros: bool, turns: &mut Turns, visit: &mut impl Visit) -> bool {
        let Span { first, start: [w, w1], amplitude, looks, end } = *span;
        let mut walk =
            TurnSearch { closed: self, first: &first, amplitude, tenth: 0.0, halvings: 0, turns, visit };
        walk.tenth = walk.bound(1);
        let (longest, near) = (STRETCH / self.rate, NEAR / self.rate);
        let mut left = Station::new(self, first);
        (left.w[0], left.w[1]) = (w, w1);
        let mut hint = 0;
        loop {
            let tau = left.tau;
            let reach = tau + longest;
            // a turning point may lie a little before its hint
            while walk.turns.hint(hint).is_some_and(|turn| first.tau + turn.factors.tau <= tau + near) {
                hint += 1;
            }
            let right = match walk.turns.hint(hint) {
                Some(turn) if first.tau + turn.factors.tau < less(reach, end) => {
                    walk.at_hint(&left, hint, end)
                }
                _ => {
                    // the farthest look within reach
                    let is_near = |look: &&Glimpse| look.tau <= reach && look.tau < end;
                    let look = looks.iter().rev().find(is_near).filter(|look| look.tau > tau);
                    match look {
                        Some(look) if end - look.tau <= near => Station::new(self, *look).moved_to(end),
                        Some(look) if end > reach => Station::new(self, *look),
                        _ => left.after(self, longest.min(end - tau)),
                    }
                }
            };
            if with_zeros || !walk.is_plain(&left, &right) {
                walk.halvings = 0;
                walk.stretch(&left, &right, [with_zeros, true, true]);
                if walk.halvings > MOST_HALVINGS {
                    return false;
                }
            }
            // rounding must not hold up the walk
            if right.tau >= end || !(right.tau > tau) {
                return true;
            }
            walk.tell_zeros(&right, [with_zeros, true, true]);
            left = right;
        }
    }
}

/// A walk along a slide from turning point to turning point.
struct TurnSearch<'a, V> {
    closed: &'a Closed,
    first: &'a Glimpse,
    /// |c|.
    amplitude: f64,
    /// Bound on the tenth derivative, over the tenth power of the fastest rate.
    tenth: f64,
    /// Of the stretch at hand.
    halvings: usize,
    turns: &'a mut Turns,
    visit: &'a mut V,
}

impl<V: Visit> TurnSearch<'_, V> {
    /// Bound on the derivative of order 9 + `i`, over this power of the fastest rate.
    #[inline]
    fn bound(&self, i: usize) -> f64 {
        let [free, wave] = self.closed.powers[i];
        self.amplitude * free + self.closed.crest * wave
    }

    /// Whether acceleration and jerk have no root on a stretch, by the cheapest test.
    #[inline]
    fn is_plain(&self, left: &Station, right: &Station) -> bool {
        let h = right.tau - left.tau;
        let h2 = h * h;
        let powers = [1.0, WEIGHTS_4[1] * h, WEIGHTS_4[2] * h2, WEIGHTS_4[3] * (h * h2)];
        let mut terms = [[0.0; 2]; 4];
        let mut sign = 1.0;
        for i in 0..4 {
            terms[i] = [powers[i] * left.w[2 + i], sign * powers[i] * right.w[2 + i]];
            sign = -sign;
        }
        let (rate, x) = (self.closed.rate, h * self.closed.rate);
        let x2 = x * x;
        let rest = (x2 * x2) * (x2 * x2) * (rate * rate) * self.tenth * BINOMIAL[1];
        left.w[1] * right.w[1] >= 0.0 && is_clear(terms, rest)
    }

    /// The roots on a stretch, of the orders `wanted`.
    fn stretch(&mut self, left: &Station, right: &Station, mut wanted: [bool; 3]) {
        let h = right.tau - left.tau;
        let ends = Ends::new(&left.w, &right.w, h);
        // of order k the bound on the derivative 12 − k, in units of the fastest rate
        let x = h * self.closed.rate;
        let x3 = x * x * x;
        let x9 = x3 * x3 * x3;
        let rests = [
            x9 * x3 * self.bound(3) * BINOMIAL[3],
            x9 * x * x * self.bound(2) * BINOMIAL[2],
            x9 * x * self.tenth * BINOMIAL[1],
            x9 * self.bound(0) * BINOMIAL[0],
        ];
        let is_flat = x <= FLAT;
        // the highest order first: where it keeps its sign the next has one root at most
        let mut keeps = ends.keep_sign::<2, 4>(&WEIGHTS_4, rests[2]);
        let mut is_monotone = keeps || is_flat || ends.keep_sign::<3, 3>(&WEIGHTS_3, rests[3]);
        for k in (0..3).rev() {
            if wanted[k] && !keeps && is_monotone {
                wanted[k] = false;
                if left.w[k] * right.w[k] < 0.0 {
                    self.root(left, right, k);
                }
            }
            wanted[k] &= !keeps;
            if k == 0 || !(wanted[0] || wanted[1]) {
                continue;
            }
            is_monotone = keeps || is_flat;
            keeps = match k {
                // a monotone derivative without change of sign
                _ if is_monotone && left.w[k - 1] * right.w[k - 1] >= 0.0 => true,
                2 => ends.keep_sign::<1, 5>(&WEIGHTS_5, rests[1]),
                _ => ends.keep_sign::<0, 6>(&WEIGHTS_6, rests[0]),
            };
        }
        self.halvings += 1;
        if wanted != [false; 3] && self.halvings <= MOST_HALVINGS {
            let middle = left.after(self.closed, 0.5 * h);
            self.tell_zeros(&middle, wanted);
            self.stretch(left, &middle, wanted);
            self.stretch(&middle, right, wanted);
        }
    }

    /// The place where a phase like this one turned: this one's turning point, if that is near.
    #[inline]
    fn at_hint(&mut self, left: &Station, hint: usize, end: f64) -> Station {
        let TurningPoint { k, ref factors } = self.turns.at[hint];
        let place = Station::new(self.closed, self.closed.moved(self.first, factors));
        let jump = place.jump(k);
        let (root, angle) = (place.tau + jump, jump.abs() * self.closed.rate);
        if !(angle <= NEAR && root > left.tau && root < end) {
            self.turns.forget(hint);
            return place;
        }
        if angle > 0.01 * NEAR {
            self.turns.at[hint].factors = self.closed.factors(root - self.first.tau);
        }
        self.tell(&place, jump, k);
        let mut place = place.moved_to(root);
        (place.w[k], place.told) = (0.0, k);
        place
    }

    /// Finds the root of w⁽ᵏ⁾ between two places of different sign.
    fn root(&mut self, left: &Station, right: &Station, k: usize) {
        let h = right.tau - left.tau;
        let mut step = h * quintic_root(&left.w[k..], &right.w[k..], h);
        let (mut low, mut high) = (0.0, h);
        for _ in 0..TRIES {
            let place = left.after(self.closed, step);
            if place.w[k] * left.w[k] > 0.0 {
                low = step
            } else {
                high = step
            }
            let jump = place.jump(k);
            let is_inside = step + jump >= low && step + jump <= high;
            if (is_inside && jump.abs() * self.closed.rate <= NEAR) || high - low <= f64::EPSILON * h {
                let jump = if is_inside { jump } else { 0.0 };
                let tau = place.tau + jump - self.first.tau;
                self.turns.add(TurningPoint { k, factors: self.closed.factors(tau) });
                return self.tell(&place, jump, k);
            }
            step = if is_inside { step + jump } else { 0.5 * (low + high) };
        }
    }

    /// Tells the roots that lie on a place between two stretches, to the bit, and on none of them.
    #[inline]
    fn tell_zeros(&mut self, place: &Station, wanted: [bool; 3]) {
        let w = &place.w;
        // a root that was told is zero by itself
        let n_zeros = u32::from(w[0] == 0.0) + u32::from(w[1] == 0.0) + u32::from(w[2] == 0.0);
        if n_zeros == u32::from(place.told < 3) {
            return;
        }
        for k in 0..3 {
            if wanted[k] && w[k] == 0.0 && place.told != k {
                self.tell(place, 0.0, k);
            }
        }
    }

    /// Tells that w⁽ᵏ⁾ vanishes a very little after a place.
    #[inline]
    fn tell(&mut self, place: &Station, jump: f64, k: usize) {
        let before = if k > 0 { place.w[k - 1] } else { 0.0 };
        let [f, f1, f2] = [place.w[k], place.w[k + 1], place.w[k + 2]];
        let value = before + jump * (f + jump * (0.5 * f1 + jump * f2 * (1.0 / 6.0)));
        self.visit.turn(k, place.tau + jump, value);
    }
}

/// A place where w⁽ᵏ⁾ vanishes, or did in another phase.
#[derive(Clone, Copy, Debug, Default)]
struct TurningPoint {
    k: usize,
    factors: Factors,
}

/// What phases on the same piece are likely to have in common: where they turn, in order, and where they end.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Turns {
    n: usize,
    at: [TurningPoint; REMEMBERED],
    pub(super) end: Factors,
}

impl Turns {
    /// Where a phase like this one turned.
    #[inline]
    fn hint(&self, i: usize) -> Option<&TurningPoint> {
        self.at[..self.n].get(i)
    }

    /// Remembers a turn, if there is room.
    fn add(&mut self, turn: TurningPoint) {
        if self.n < REMEMBERED {
            let after = self.at[..self.n].partition_point(|at| at.factors.tau < turn.factors.tau);
            self.at[self.n] = turn;
            self.n += 1;
            self.at[after..self.n].rotate_right(1);
        }
    }

    fn forget(&mut self, i: usize) {
        self.at[i..self.n].rotate_left(1);
        self.n -= 1;
    }
}

/// Whoever is told the turning points.
pub(in super::super) trait Visit {
    /// At τ, w⁽ᵏ⁾ vanishes, and w⁽ᵏ⁻¹⁾ has this value.
    fn turn(&mut self, k: usize, tau: f64, value: f64);
}

/// A look, and the derivatives there or a very little later.
#[derive(Clone, Copy, Debug)]
struct Station {
    look: Glimpse,
    tau: f64,
    w: Derivatives,
    /// The order whose root here has been told; none if it is 3.
    told: usize,
}

impl Station {
    #[inline]
    fn new(closed: &Closed, look: Glimpse) -> Self {
        Self { look, tau: look.tau, w: closed.derivatives(&look), told: 3 }
    }

    /// The place a step later.
    #[inline]
    fn after(&self, closed: &Closed, step: f64) -> Self {
        let mut place = Self::new(closed, closed.after(&self.look, self.tau - self.look.tau + step));
        place.tau = self.tau + step;
        place
    }

    /// Halley's step to a root of w⁽ᵏ⁾.
    #[inline]
    fn jump(&self, k: usize) -> f64 {
        let [f, f1, f2] = [self.w[k], self.w[k + 1], self.w[k + 2]];
        -f / (f1 - 0.5 * f * f2 / f1)
    }

    /// The derivatives a very little later, by Taylor's polynomial.
    #[inline]
    fn moved_to(self, tau: f64) -> Self {
        const THIRD: f64 = 1.0 / 3.0;
        let w = self.w;
        let h = tau - self.tau;
        let (half, third) = (0.5 * h, THIRD * h);
        let next = |k: usize, cubic: f64| w[k] + h * (w[k + 1] + half * (w[k + 2] + third * cubic));
        let w3 = w[3] + h * (w[4] + half * w[5]);
        let moved = [next(0, w[3]), next(1, w[4]), next(2, w[5]), w3, w[4] + h * w[5], w[5]];
        Self { look: self.look, tau, w: moved, told: self.told }
    }
}

/// One over (2m)! and over the binomial coefficient of 2m over m, for m = 3 to 6.
const BINOMIAL: [f64; 4] = [1.0 / 14_400.0, 1.0 / 2_822_400.0, 1.0 / 914_457_600.0, 1.0 / 442_597_478_400.0];
/// (n − i)!/n! with n = 2m − 1, for i below m.
const WEIGHTS_6: [f64; 6] = [1.0, 1.0 / 11.0, 1.0 / 110.0, 1.0 / 990.0, 1.0 / 7920.0, 1.0 / 55_440.0];
const WEIGHTS_5: [f64; 5] = [1.0, 1.0 / 9.0, 1.0 / 72.0, 1.0 / 504.0, 1.0 / 3024.0];
const WEIGHTS_4: [f64; 4] = [1.0, 1.0 / 7.0, 1.0 / 42.0, 1.0 / 210.0];
const WEIGHTS_3: [f64; 3] = [1.0, 1.0 / 5.0, 1.0 / 20.0];

/// The derivatives at both ends of a stretch of length h, times hⁱ and (−h)ⁱ.
struct Ends([[f64; 2]; 6]);

impl Ends {
    #[inline]
    fn new(left: &Derivatives, right: &Derivatives, h: f64) -> Self {
        let mut ends = [[0.0; 2]; 6];
        let mut power = [1.0, 1.0];
        for i in 0..6 {
            ends[i] = [power[0] * left[i], power[1] * right[i]];
            power = [power[0] * h, power[1] * -h];
        }
        Self(ends)
    }

    /// Whether w⁽ᵏ⁾, of which M derivatives are known, has no root inside the stretch.
    #[inline(always)]
    fn keep_sign<const K: usize, const M: usize>(&self, weights: &[f64; M], rest: f64) -> bool {
        let sign = if K.is_multiple_of(2) { 1.0 } else { -1.0 };
        let mut terms = [[0.0; 2]; M];
        for i in 0..M {
            let [left, right] = self.0[K + i];
            terms[i] = [weights[i] * left, sign * weights[i] * right];
        }
        is_clear(terms, rest)
    }
}

/// Whether a function has no root on a stretch, whose derivatives times (2m−1−i)!/(2m−1)! hⁱ at both ends are given.
#[inline(always)]
fn is_clear<const M: usize>(mut terms: [[f64; 2]; M], rest: f64) -> bool {
    // the Bernstein coefficients from either end: the j-th is Σ (j over i) terms_i
    let mut coefficient = terms[0];
    let (mut low, mut high) = (coefficient, coefficient);
    for j in 1..M {
        for i in 0..M - j {
            terms[i] = [terms[i][0] + terms[i + 1][0], terms[i][1] + terms[i + 1][1]];
        }
        coefficient = terms[0];
        low = [less(low[0], coefficient[0]), less(low[1], coefficient[1])];
        high = [more(high[0], coefficient[0]), more(high[1], coefficient[1])];
    }
    // the middle coefficient of the next degree
    let middle = 0.5 * (coefficient[0] + coefficient[1]);
    (middle > rest && less(low[0], low[1]) >= 0.0) || (middle < -rest && more(high[0], high[1]) <= 0.0)
}

#[inline]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
fn more(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The root, as a part of the stretch, of the quintic with these values and first two derivatives at both ends, whose values
/// differ in sign.
fn quintic_root(left: &[f64], right: &[f64], h: f64) -> f64 {
    let c = [left[0], h * left[1], 0.5 * h * h * left[2]];
    let d = right[0] - (c[0] + c[1] + c[2]);
    let e = h * right[1] - (c[1] + 2.0 * c[2]);
    let g = 0.5 * h * h * right[2] - c[2];
    let (c3, c4, c5) = (10.0 * d - 4.0 * e + g, 7.0 * e - 15.0 * d - 2.0 * g, 6.0 * d - 3.0 * e + g);
    let mut x = left[0] / (left[0] - right[0]);
    for _ in 0..QUINTIC_STEPS {
        let value = c[0] + x * (c[1] + x * (c[2] + x * (c3 + x * (c4 + x * c5))));
        let slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c3 + x * (4.0 * c4 + x * (5.0 * c5))));
        let next = (x - value / slope).clamp(0.0, 1.0);
        let is_enough = (next - x).abs() <= NEAR;
        x = if next.is_nan() { 0.5 } else { next };
        if is_enough {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, slide, unit, w};
    use super::*;

    /// Keeps what it is told.
    #[derive(Default)]
    struct Keep(Vec<(usize, f64, f64)>);

    impl Visit for Keep {
        fn turn(&mut self, k: usize, tau: f64, value: f64) {
            self.0.push((k, tau, value));
        }
    }

    #[test]
    fn every_turning_point_is_found_once_with_and_without_hints() {
        let mut random = Random(11);
        for case in 0..400 {
            let (closed, first, ..) = slide(&mut random, case);
            let length = random.between(0.1, 15.0) * unit(case);
            let mut turns = Turns::default();
            // the hints of the same slide, of one like it, and of any other
            for (round, part) in [0.0, 0.0, 2e-5, 0.3].into_iter().enumerate() {
                let first = Glimpse { y: first.y.map(|y| y * (1.0 + part)), ..first };
                let amplitude = closed.amplitude(&first);
                let start = w(&closed, &first, 0.0);
                let look = |i: i32| closed.moved(&first, &closed.factors(length * f64::from(i) / 6.0));
                let looks: Vec<Glimpse> = (1..6).map(look).filter(|_| case % 3 > 0).collect();
                let mut found = Keep::default();
                let span = Span { first, start: [start[0], start[1]], amplitude, looks: &looks, end: length };
                assert!(closed.turns(&span, true, &mut turns, &mut found), "case {case}");
                for k in 0..3 {
                    // changes of sign on a grid much finer than any root is likely to hide in
                    let n = 4000;
                    let at = |i: usize| w(&closed, &first, length * i as f64 / n as f64)[k];
                    let changes: Vec<usize> = (0..n).filter(|&i| at(i) * at(i + 1) < 0.0).collect();
                    let mut own: Vec<(f64, f64)> =
                        found.0.iter().filter(|turn| turn.0 == k).map(|turn| (turn.1, turn.2)).collect();
                    own.sort_by(|a, b| a.0.total_cmp(&b.0));
                    assert_eq!(own.len(), changes.len(), "case {case}, round {round}, order {k}");
                    for ((tau, value), i) in own.iter().zip(changes) {
                        let place = tau / length * n as f64;
                        assert!((place - i as f64 - 0.5).abs() < 0.6, "case {case}: {place} {i}");
                        let there = w(&closed, &first, *tau);
                        let noise = closed.noise(amplitude);
                        if k > 0 {
                            let off = (value - there[k - 1]).abs();
                            assert!(off <= 4.0 * noise[k - 1], "case {case}, order {k}: off by {off:e}");
                        }
                    }
                }
            }
        }
    }
}

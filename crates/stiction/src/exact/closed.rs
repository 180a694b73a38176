//! An underdamped slide under one wave or none: its work in closed form, and its turning points for certain.
//!
//! ```text
//!   w = Re c e^{sτ} + Re q e^{iωτ},   s = −σ + iω_d
//!   ∫w² = ½Re[c²(E²−1)/2s + q²(W²−1)/2iω] + ½|c|²∫e^{−2στ} + ½|q|²T + Re[cq(EW−1)/(s+iω) + cq̄(EW̄−1)/(s−iω)]
//! ```
//!
//! with E = e^{sT}, W = e^{iωT}; the wave of the load is κq with κ = −imZ/ω, so that ∫Fw has the same integrals. Where the parts
//! of w nearly cancel each other the sum has lost digits, and it is the panels' turn (see `panel`).
//!
//! **Turning points.** Between two looks h apart, at which m derivatives of g = w⁽ᵏ⁾ are known,
//!
//! ```text
//!   g = p + r,   p the polynomial of degree 2m − 1 with these derivatives,   |r| ≤ max|g⁽²ᵐ⁾| x^m (h−x)^m/(2m)!
//! ```
//!
//! The Bernstein coefficients of p follow from the derivatives at one end each, and r is a part of the middle coefficient of degree
//! 2m alone. If all of them have one sign g has no root inside. Where that of w⁽ᵏ⁺¹⁾ is so w⁽ᵏ⁾ has at most one, which its signs at
//! the ends decide; any other stretch is halved.

use super::forced::Forced;
use super::short;
use crate::math::complex::{Complex, complex};

/// The sum of the parts may be this much smaller than the parts before its rounding shows: 64 ulps.
const CANCELS: f64 = 64.0;
/// Shorter slides than this are for the panels, which know no cancellation (rad of the free motion).
const SHORT: f64 = 0.5;
/// The same for the load, and for the beat of load and free motion (rad).
const SLOW_BEAT: f64 = 0.25;
/// Energy lost by the free motion, as a part, that is known to 64 ulps from what is left.
const WEAK: f64 = 1.0 / 64.0;
/// Longest stretch between two looks (rad of the fastest rate): r is then below 1e-4, 2e-3 and 5e-2 for k = 1, 2 and 3.
const STRETCH: f64 = 3.0;
/// A stretch is halved down to this (rad of the fastest rate); what a value can change on it is rounding.
const FLAT: f64 = 1e-8;
/// Newton's steps along the quintic through both ends.
const QUINTIC_STEPS: usize = 8;
/// A turning point this near a look (rad of the fastest rate) has the value of its Taylor polynomial to rounding.
const NEAR: f64 = 1e-4;
/// Looks on the way to a turning point; one or two are the rule.
const TRIES: usize = 60;
/// Turning points of a phase that the next one on the same piece begins with.
const REMEMBERED: usize = 4;

/// A slide at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    /// Time since the start of the phase (s).
    pub tau: f64,
    /// Free part and its derivative.
    pub y: [f64; 2],
    /// The wave, q e^{iωτ}.
    pub wave: Complex,
}

/// e^{sτ} and e^{iωτ}.
#[derive(Clone, Copy, Debug, Default)]
struct Factors {
    tau: f64,
    e: Complex,
    w: Complex,
}

/// w and its first five derivatives.
type Derivatives = [f64; 6];

/// A piece, prepared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    sigma: f64,
    /// 2σ.
    damping: f64,
    square: f64,
    omega_d: f64,
    omega: f64,
    /// The fastest rate (1/s).
    rate: f64,
    /// |q| of any wave.
    crest: f64,
    /// ω₀.
    root: f64,
    /// ω₀ and ω to the powers 9 to 12.
    powers: [[f64; 2]; 4],
    /// 1/s, 1/(s + iω), 1/(s − iω), and |s − iω|.
    by_root: Complex,
    by_sum: Complex,
    by_difference: Complex,
    beat: f64,
    /// κ.
    load: Complex,
}

/// ∫w, ∫w² and ∫(F − constant)w.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlideWork {
    pub path: f64,
    pub square: f64,
    pub push: f64,
}

impl Closed {
    /// `None` if the piece is overdamped, gains energy, or feels several waves or one near resonance.
    pub fn new(forced: &Forced, mass: f64) -> Option<Self> {
        let oscillator = &forced.oscillator;
        let (sigma, square) = (oscillator.sigma, oscillator.square);
        let omega_d = oscillator.omega_d().filter(|_| sigma >= 0.0)?;
        let (omega, crest) = forced.only_wave()?;
        let rate = square.sqrt().max(omega);
        let by = |x: Complex| x.conj().times(1.0 / (x.re * x.re + x.im * x.im));
        let (sum, difference) = (complex(-sigma, omega_d + omega), complex(-sigma, omega_d - omega));
        let z = complex(square - omega * omega, 2.0 * sigma * omega);
        let load = if omega > 0.0 { z.turned().times(-mass / omega) } else { Complex::default() };
        Some(Self {
            sigma,
            damping: 2.0 * sigma,
            square,
            omega_d,
            omega,
            rate,
            crest,
            root: square.sqrt(),
            powers: [9, 10, 11, 12].map(|n| [square.sqrt(), omega].map(|rate| power(rate, n))),
            by_root: by(complex(-sigma, omega_d)),
            by_sum: by(sum),
            by_difference: by(difference),
            beat: (difference.re * difference.re + difference.im * difference.im).sqrt(),
            load,
        })
    }

    /// The fastest of the rates in e^{sτ} and e^{iωτ} (1/s).
    pub fn fastest(&self) -> f64 {
        self.rate
    }

    /// σ, ω_d and ω.
    pub fn rates(&self) -> [f64; 3] {
        [self.sigma, self.omega_d, self.omega]
    }

    /// κ.
    pub fn load(&self) -> Complex {
        self.load
    }

    /// w and its derivatives.
    #[inline]
    fn derivatives(&self, look: &Look) -> Derivatives {
        let Self { damping, square, omega, .. } = *self;
        let [y, y1] = look.y;
        let y2 = -damping * y1 - square * y;
        let y3 = -damping * y2 - square * y1;
        let y4 = -damping * y3 - square * y2;
        let y5 = -damping * y4 - square * y3;
        let o2 = omega * omega;
        let (o4, x, x1) = (o2 * o2, look.wave.re, -omega * look.wave.im);
        [y + x, y1 + x1, y2 - o2 * x, y3 - o2 * x1, y4 + o4 * x, y5 + o4 * x1]
    }

    /// The slide a little later.
    #[inline]
    pub fn after(&self, look: &Look, step: f64) -> Look {
        let Self { sigma, square, omega_d, omega, .. } = *self;
        let decay = if sigma == 0.0 { 1.0 } else { short::exp(-sigma * step) };
        let [sine, cosine] = short::sincos(omega_d * step);
        let (h, h1) = (decay * (sine / omega_d), decay * (cosine + sigma * (sine / omega_d)));
        let [y, y1] = look.y;
        let turn = if omega > 0.0 { short::sincos(omega * step) } else { [0.0, 1.0] };
        Look {
            tau: look.tau + step,
            y: [y * h1 + y1 * h, y1 * (h1 - 2.0 * sigma * h) - square * y * h],
            wave: look.wave * complex(turn[1], turn[0]),
        }
    }

    fn factors(&self, tau: f64) -> Factors {
        let Self { sigma, omega_d, omega, .. } = *self;
        let (sine, cosine) = libm::sincos(omega_d * tau);
        let decay = if sigma == 0.0 { 1.0 } else { short::exp(-sigma * tau) };
        let (turn, other) = if omega > 0.0 { libm::sincos(omega * tau) } else { (0.0, 1.0) };
        Factors { tau, e: complex(decay * cosine, decay * sine), w: complex(other, turn) }
    }

    /// The factors at τ from those nearby, by their Taylor series; anew if τ is not near.
    #[inline]
    fn factors_near(&self, known: &Factors, tau: f64) -> Factors {
        let step = tau - known.tau;
        if !(step.abs() * self.rate <= NEAR) {
            return self.factors(tau);
        }
        // 1 + x + x²/2 + x³/6: the next term is below 1e-17
        let s = complex(-self.sigma * step, self.omega_d * step);
        let turned = |x: Complex| x + (x * x).times(0.5) + (x * x * x).times(1.0 / 6.0);
        let x = self.omega * step;
        let wave = complex(-0.5 * x * x, x - x * x * x / 6.0);
        Factors { tau, e: known.e + known.e * turned(s), w: known.w + known.w * wave }
    }

    /// The slide at the time of the factors after a look.
    #[inline]
    fn moved(&self, look: &Look, factors: &Factors) -> Look {
        let c = self.free_amplitude(look) * factors.e;
        let y1 = -self.sigma * c.re - self.omega_d * c.im;
        Look { tau: look.tau + factors.tau, y: [c.re, y1], wave: look.wave * factors.w }
    }

    /// c.
    #[inline]
    pub fn free_amplitude(&self, look: &Look) -> Complex {
        complex(look.y[0], -(look.y[1] + self.sigma * look.y[0]) / self.omega_d)
    }

    /// The work of a slide of length `length` from a look on; `None` where rounding would show. `turns` are those of a phase like
    /// this one.
    pub fn work(&self, look: &Look, length: f64, turns: &mut Turns) -> Option<SlideWork> {
        let Self { sigma, omega_d, omega, .. } = *self;
        if omega_d * length < SHORT || (omega > 0.0 && omega.min(self.beat) * length < SLOW_BEAT) {
            return None;
        }
        turns.end = self.factors_near(&turns.end, length);
        let Factors { e, w, .. } = turns.end;
        let (one, c, q) = (complex(1.0, 0.0), self.free_amplitude(look), look.wave);
        let (cc, qq) = (c.re * c.re + c.im * c.im, q.re * q.re + q.im * q.im);
        // 1 − |E|² has lost digits where the damping is weak
        let lost = 1.0 - (e.re * e.re + e.im * e.im);
        let fading =
            if lost > WEAK { lost / (2.0 * sigma) } else { length * short::mean_exp(-2.0 * sigma * length) };
        let mut work = SlideWork {
            path: (c * (e - one) * self.by_root).re,
            square: 0.25 * (c * c * (e * e - one) * self.by_root).re + 0.5 * cc * fading,
            push: 0.0,
        };
        if omega > 0.0 {
            // (W − 1)/iω and (W² − 1)/2iω
            let once = (w - one).turned().times(-1.0 / omega);
            let twice = w.times(w.im / omega);
            let sum = (e * w - one) * self.by_sum;
            let difference = (e * w.conj() - one) * self.by_difference;
            let (both, apart, own) = (c * q * sum, c * q.conj() * difference, q * q * twice);
            let Complex { re, im } = self.load;
            work.path += (q * once).re;
            work.square += both.re + apart.re + 0.5 * (own.re + qq * length);
            // κ times the same, and its conjugate where that of q stands
            let pull = re * (both.re + apart.re + own.re + qq * length);
            work.push = 0.5 * (pull - im * (both.im - apart.im + own.im));
        }
        let size = (cc + qq) * length;
        (size <= CANCELS * work.square).then_some(work)
    }

    /// |c|.
    pub fn amplitude(&self, look: &Look) -> f64 {
        let c = self.free_amplitude(look);
        (c.re * c.re + c.im * c.im).sqrt()
    }

    /// Rounding of w and of its first derivative, in units of the last place of its parts; `amplitude` is that of the free part.
    pub fn noise(&self, amplitude: f64) -> [f64; 2] {
        let noise = 4.0 * f64::EPSILON;
        [noise * (self.crest + amplitude), noise * (self.crest * self.omega + amplitude * self.root)]
    }

    /// Tells `visit` every root of w⁽ᵏ⁾ strictly between `first`, whose w, w′ and amplitude |c| are given, and `end`, of k = 0 if
    /// `with_zeros`, and of k = 1, 2. `turns` are those of a phase like this one, which save searching, and become those of this phase; the `looks` on the
    /// way, in order, save looking again.
    pub fn turns(
        &self,
        (first, [w, w1]): (Look, [f64; 2]),
        amplitude: f64,
        looks: &[Look],
        end: f64,
        with_zeros: bool,
        turns: &mut Turns,
        visit: &mut impl Visit,
    ) {
        let mut walk = Walk { closed: self, first: &first, amplitude, tenth: 0.0, turns, visit };
        walk.tenth = walk.bound(1);
        let (longest, near) = (STRETCH / self.rate, NEAR / self.rate);
        let mut left = Place::new(self, first);
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
                Some(turn) if first.tau + turn.factors.tau < less(reach, end) => walk.at_hint(&left, hint, end),
                _ => {
                    // the farthest look within reach
                    let is_near = |look: &&Look| look.tau <= reach && look.tau < end;
                    let look = looks.iter().rev().find(is_near).filter(|look| look.tau > tau);
                    match look {
                        Some(look) if end - look.tau <= near => Place::new(self, *look).moved_to(end),
                        Some(look) if end > reach => Place::new(self, *look),
                        _ => left.after(self, longest.min(end - tau)),
                    }
                }
            };
            if with_zeros || !walk.is_plain(&left, &right) {
                walk.stretch(&left, &right, [with_zeros, true, true]);
            }
            // rounding must not hold up the walk
            if right.tau >= end || right.tau <= tau {
                return;
            }
            walk.tell_zeros(&right, [with_zeros, true, true]);
            left = right;
        }
    }
}

/// xⁿ by repeated products, the same bits everywhere.
fn power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |power, _| power * x)
}

/// A walk along a slide from turning point to turning point.
struct Walk<'a, V> {
    closed: &'a Closed,
    first: &'a Look,
    /// |c|.
    amplitude: f64,
    /// Bound on the tenth derivative.
    tenth: f64,
    turns: &'a mut Turns,
    visit: &'a mut V,
}

impl<V: Visit> Walk<'_, V> {
    /// Bound on the derivative of order 9 + `i`.
    #[inline]
    fn bound(&self, i: usize) -> f64 {
        let [free, wave] = self.closed.powers[i];
        self.amplitude * free + self.closed.crest * wave
    }

    /// Whether acceleration and jerk have no root on a stretch, by the cheapest test.
    #[inline]
    fn is_plain(&self, left: &Place, right: &Place) -> bool {
        let h = right.tau - left.tau;
        let h2 = h * h;
        let powers = [1.0, WEIGHTS_4[1] * h, WEIGHTS_4[2] * h2, WEIGHTS_4[3] * (h * h2)];
        let mut terms = [[0.0; 2]; 4];
        let mut sign = 1.0;
        for i in 0..4 {
            terms[i] = [powers[i] * left.w[2 + i], sign * powers[i] * right.w[2 + i]];
            sign = -sign;
        }
        let rest = (h2 * h2) * (h2 * h2) * self.tenth * BINOMIAL[1];
        left.w[1] * right.w[1] >= 0.0 && is_clear(terms, rest)
    }

    /// The roots on a stretch, of the orders `wanted`.
    fn stretch(&mut self, left: &Place, right: &Place, mut wanted: [bool; 3]) {
        let h = right.tau - left.tau;
        let ends = Ends::new(&left.w, &right.w, h);
        let h2 = h * h;
        let h6 = h2 * h2 * h2;
        let [ninth, tenth, eleventh, twelfth] = [self.bound(0), self.tenth, self.bound(2), self.bound(3)];
        // of order k the bound on the derivative 12 − k, times h^{12−2k}, and h^k as the ends have it
        let rests = [
            h6 * h6 * twelfth * BINOMIAL[3],
            h * h6 * h2 * h2 * eleventh * BINOMIAL[2],
            h2 * h6 * h2 * tenth * BINOMIAL[1],
            h * h2 * h6 * ninth * BINOMIAL[0],
        ];
        let is_flat = h * self.closed.rate <= FLAT;
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
        if wanted != [false; 3] {
            let middle = left.after(self.closed, 0.5 * h);
            self.tell_zeros(&middle, wanted);
            self.stretch(left, &middle, wanted);
            self.stretch(&middle, right, wanted);
        }
    }

    /// The place where a phase like this one turned: this one's turning point, if that is near.
    #[inline]
    fn at_hint(&mut self, left: &Place, hint: usize, end: f64) -> Place {
        let Turn { k, ref factors } = self.turns.at[hint];
        let place = Place::new(self.closed, self.closed.moved(self.first, factors));
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
    fn root(&mut self, left: &Place, right: &Place, k: usize) {
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
                self.turns.add(Turn { k, factors: self.closed.factors(tau) });
                return self.tell(&place, jump, k);
            }
            step = if is_inside { step + jump } else { 0.5 * (low + high) };
        }
    }

    /// Tells the roots that lie on a place between two stretches, to the bit, and on none of them.
    #[inline]
    fn tell_zeros(&mut self, place: &Place, wanted: [bool; 3]) {
        let w = &place.w;
        if w[0] * w[1] * w[2] != 0.0 {
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
    fn tell(&mut self, place: &Place, jump: f64, k: usize) {
        let before = if k > 0 { place.w[k - 1] } else { 0.0 };
        let [f, f1, f2] = [place.w[k], place.w[k + 1], place.w[k + 2]];
        let value = before + jump * (f + jump * (0.5 * f1 + jump * f2 * (1.0 / 6.0)));
        self.visit.turn(k, place.tau + jump, value);
    }
}

/// A place where w⁽ᵏ⁾ vanishes, or did in another phase.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    k: usize,
    factors: Factors,
}

/// What phases on the same piece are likely to have in common: where they turn, in order, and where they end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    n: usize,
    at: [Turn; REMEMBERED],
    end: Factors,
}

impl Turns {
    /// Where a phase like this one turned.
    #[inline]
    fn hint(&self, i: usize) -> Option<&Turn> {
        self.at[..self.n].get(i)
    }

    /// Remembers a turn, if there is room.
    fn add(&mut self, turn: Turn) {
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
pub(super) trait Visit {
    /// At τ, w⁽ᵏ⁾ vanishes, and w⁽ᵏ⁻¹⁾ has this value.
    fn turn(&mut self, k: usize, tau: f64, value: f64);
}

/// A look, and the derivatives there or a very little later.
#[derive(Clone, Copy, Debug)]
struct Place {
    look: Look,
    tau: f64,
    w: Derivatives,
    /// The order whose root here has been told; none if it is 3.
    told: usize,
}

impl Place {
    #[inline]
    fn new(closed: &Closed, look: Look) -> Self {
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
        let sign = if K % 2 == 0 { 1.0 } else { -1.0 };
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
    use super::*;
    use crate::exact::forced::Jet;
    use crate::exact::tones::Tone;
    use crate::math::gauss::legendre;

    struct Random(u64);

    impl Random {
        fn between(&mut self, a: f64, b: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            a + (b - a) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
        }
    }

    /// A random piece and slide, with the mass.
    fn slide(random: &mut Random, case: usize) -> (Closed, Look, f64, [f64; 2]) {
        let (mass, stiffness) = (random.between(0.3, 3.0), random.between(0.3, 3.0));
        let damping = if case % 5 == 0 { 0.0 } else { random.between(0.0, 1.0) };
        let tone = Tone { size: random.between(-3.0, 3.0), omega: random.between(0.2, 4.0), phase: 0.0 };
        let tones = if case % 7 == 0 { vec![] } else { vec![tone] };
        let forced = Forced::new(mass, damping, stiffness, &tones);
        let Some(closed) = Closed::new(&forced, mass) else { return slide(random, case) };
        let angle = random.between(0.0, 6.0);
        let mut amplitudes = crate::exact::forced::Amplitudes::with_capacity(1);
        let angles = [[libm::sin(angle), libm::cos(angle)]];
        forced.start(random.between(-1.0, 1.0), random.between(-1.0, 1.0), &angles, &mut amplitudes);
        let mut jet = Jet::with_capacity(1);
        forced.first(&amplitudes, &mut jet);
        let size = if tones.is_empty() { 0.0 } else { tone.size };
        (closed, Forced::look(&jet), size, [tone.omega, angle])
    }

    fn w(closed: &Closed, first: &Look, tau: f64) -> Derivatives {
        closed.derivatives(&closed.moved(first, &closed.factors(tau)))
    }

    #[test]
    fn the_work_is_that_of_quadrature() {
        let mut random = Random(7);
        let rule = legendre(24);
        let mut n = 0;
        for case in 0..2000 {
            let (closed, first, size, [omega, angle]) = slide(&mut random, case);
            let length = random.between(0.3, 12.0);
            let Some(work) = closed.work(&first, length, &mut Turns::default()) else { continue };
            n += 1;
            let (mut path, mut square, mut push) = (0.0, 0.0, 0.0);
            let panels = 16;
            for k in 0..panels {
                for &(x, weight) in &rule {
                    let h = length / panels as f64;
                    let tau = h * (k as f64 + 0.5 * (x + 1.0));
                    let [v, ..] = w(&closed, &first, tau);
                    let dt = 0.5 * h * weight;
                    path += dt * v;
                    square += dt * v * v;
                    push += dt * size * libm::sin(omega * tau + angle) * v;
                }
            }
            // the cancellation that `work` allows, some roundings of it
            let tolerance = 256.0 * f64::EPSILON;
            let reach = (square * length).sqrt();
            assert!((work.path - path).abs() <= tolerance * reach, "case {case}: path");
            assert!((work.square - square).abs() <= tolerance * square, "case {case}: square");
            assert!((work.push - push).abs() <= tolerance * size.abs() * reach, "case {case}: push");
        }
        assert!(n > 1200, "{n} of 2000 in closed form");
    }

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
            let length = random.between(0.1, 15.0);
            let mut turns = Turns::default();
            // the hints of the same slide, of one like it, and of any other
            for (round, part) in [0.0, 0.0, 2e-5, 0.3].into_iter().enumerate() {
                let first = Look { y: first.y.map(|y| y * (1.0 + part)), ..first };
                let amplitude = closed.amplitude(&first);
                let start = w(&closed, &first, 0.0);
                let look = |i: i32| closed.moved(&first, &closed.factors(length * f64::from(i) / 6.0));
                let looks: Vec<Look> = (1..6).map(look).filter(|_| case % 3 > 0).collect();
                let mut found = Keep::default();
                let given = (first, [start[0], start[1]]);
                closed.turns(given, amplitude, &looks, length, true, &mut turns, &mut found);
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

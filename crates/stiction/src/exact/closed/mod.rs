//! An underdamped slide under one wave or none: its work in closed form, and its turning points (see `turns`).
//!
//! ```text
//!   w = Re c e^{sτ} + Re q e^{iωτ},   s = −σ + iω_d
//!   ∫w² = ½Re[c²(E²−1)/2s + q²(W²−1)/2iω] + ½|c|²∫e^{−2στ} + ½|q|²T + Re[cq(EW−1)/(s+iω) + cq̄(EW̄−1)/(s−iω)]
//! ```
//!
//! with E = e^{sT}, W = e^{iωT}; the wave of the load is κq with κ = −imZ/ω, so that ∫Fw has the same integrals. Where the parts
//! of w nearly cancel each other the sum has lost digits, and it is the panels' turn (see `panel`).

mod turns;

use super::forced::Forced;
use super::short;
use crate::math::complex::{Complex, complex};
pub(super) use turns::{Span, Turns, Visit};

/// The sum of the parts may be this much smaller than the parts before its rounding shows: 64 ulps.
const CANCELS: f64 = 64.0;
/// The same where a few more lost digits are no loss: a periodic motion is known to 1e-13 of itself.
const CANCELS_OF_ORBIT: f64 = 512.0;
/// Shorter slides than this are for the panels, which know no cancellation (rad of the free motion).
const SHORT: f64 = 0.5;
/// The same for the load, and for the beat of load and free motion (rad).
const SLOW_BEAT: f64 = 0.25;
/// Energy lost by the free motion, as a part, that is known to 64 ulps from what is left.
const WEAK: f64 = 1.0 / 64.0;
/// A turning point this near a look (rad of the fastest rate) has the value of its Taylor polynomial to rounding.
const NEAR: f64 = 1e-4;
/// A slide at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Glimpse {
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

impl Factors {
    /// The work up to here, if its parts are larger than their sum by no more than `cancels`.
    #[inline]
    fn sound_work(&self, closed: &Closed, look: &Glimpse, cancels: f64) -> Option<SlideWork> {
        let (work, size) = closed.work_to(look, self);
        (size <= cancels * work.square).then_some(work)
    }
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
    /// ω₀ and ω over the fastest rate, to the powers 9 to 12.
    powers: [[f64; 2]; 4],
    /// 1/s, 1/(s + iω), 1/(s − iω), and |s − iω|.
    by_root: Complex,
    by_sum: Complex,
    by_difference: Complex,
    beat: f64,
    /// κ.
    load: Complex,
}

/// ∫w, ∫w², ∫(F − constant)w, and the last with the wave of the load a quarter of its period earlier.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlideWork {
    pub path: f64,
    pub square: f64,
    pub push: f64,
    pub turned: f64,
}

/// Rates (1/s) whose sixth powers, and squares of third ones, are numbers with room: 2^±100. Others are left to the panels.
const RATES: std::ops::RangeInclusive<f64> = 7.888609052210118e-31..=1.2676506002282294e30;

impl Closed {
    /// `None` if the piece is overdamped, gains energy, or feels several waves or one near resonance.
    pub fn new(forced: &Forced, mass: f64) -> Option<Self> {
        let oscillator = &forced.oscillator;
        let (sigma, square) = (oscillator.sigma, oscillator.square);
        let omega_d = oscillator.omega_d().filter(|_| sigma >= 0.0)?;
        let (omega, crest) = forced.only_wave()?;
        let rate = square.sqrt().max(omega);
        if rate > 0.0 && !RATES.contains(&rate) {
            return None;
        }
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
            powers: [9, 10, 11, 12].map(|n| [square.sqrt(), omega].map(|own| power(own / rate, n))),
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
    fn derivatives(&self, look: &Glimpse) -> Derivatives {
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
    pub fn after(&self, look: &Glimpse, step: f64) -> Glimpse {
        let Self { sigma, square, omega_d, omega, .. } = *self;
        let decay = if sigma == 0.0 { 1.0 } else { short::exp(-sigma * step) };
        let [sine, cosine] = short::sincos(omega_d * step);
        let (h, h1) = (decay * (sine / omega_d), decay * (cosine + sigma * (sine / omega_d)));
        let [y, y1] = look.y;
        let turn = if omega > 0.0 { short::sincos(omega * step) } else { [0.0, 1.0] };
        Glimpse {
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

    /// The factors at τ from known ones by their Taylor series; if τ is not near them the known ones are taken anew.
    #[inline]
    fn factors_near(&self, known: &mut Factors, tau: f64) -> Factors {
        let step = tau - known.tau;
        if !(step.abs() * self.rate <= NEAR) {
            *known = self.factors(tau);
            return *known;
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
    fn moved(&self, look: &Glimpse, factors: &Factors) -> Glimpse {
        let c = self.free_amplitude(look) * factors.e;
        let y1 = -self.sigma * c.re - self.omega_d * c.im;
        Glimpse { tau: look.tau + factors.tau, y: [c.re, y1], wave: look.wave * factors.w }
    }

    /// c.
    #[inline]
    pub fn free_amplitude(&self, look: &Glimpse) -> Complex {
        complex(look.y[0], -(look.y[1] + self.sigma * look.y[0]) / self.omega_d)
    }

    /// The work of a slide of length `length` from a look on; `None` where rounding would show. `turns` are those of a phase like
    /// this one.
    pub fn work(&self, look: &Glimpse, length: f64, turns: &mut Turns) -> Option<SlideWork> {
        let factors = self.is_long(length).then(|| self.factors_near(&mut turns.end, length))?;
        factors.sound_work(self, look, CANCELS)
    }

    /// The same of a phase of a periodic motion, whose work is known no better than the motion.
    pub fn work_of_orbit(&self, look: &Glimpse, length: f64) -> Option<SlideWork> {
        self.is_long(length).then(|| self.factors(length))?.sound_work(self, look, CANCELS_OF_ORBIT)
    }

    /// The same, however its parts cancel.
    pub fn rough_work(&self, look: &Glimpse, length: f64) -> SlideWork {
        self.work_to(look, &self.factors(length)).0
    }

    /// Whether the integrals over a slide of this length are known without cancellation.
    fn is_long(&self, length: f64) -> bool {
        let Self { omega_d, omega, beat, .. } = *self;
        !(omega_d * length < SHORT || (omega > 0.0 && omega.min(beat) * length < SLOW_BEAT))
    }

    /// The work up to the time of the factors, and the size of its parts.
    #[inline]
    fn work_to(&self, look: &Glimpse, &Factors { tau: length, e, w }: &Factors) -> (SlideWork, f64) {
        let Self { sigma, omega, .. } = *self;
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
            turned: 0.0,
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
            let (along, across) = (both.re + apart.re + own.re + qq * length, both.im - apart.im + own.im);
            work.push = 0.5 * (re * along - im * across);
            work.turned = 0.5 * (im * along + re * across);
        }
        (work, (cc + qq) * length)
    }

    /// |c|.
    pub fn amplitude(&self, look: &Glimpse) -> f64 {
        let c = self.free_amplitude(look);
        (c.re * c.re + c.im * c.im).sqrt()
    }

    /// Rounding of w and of its first derivative, in units of the last place of its parts; `amplitude` is that of the free part.
    pub fn noise(&self, amplitude: f64) -> [f64; 2] {
        let noise = 4.0 * f64::EPSILON;
        [noise * (self.crest + amplitude), noise * (self.crest * self.omega + amplitude * self.root)]
    }
}

/// xⁿ by repeated products, the same bits everywhere.
fn power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |power, _| power * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::forced::Jet;
    use crate::exact::tones::Tone;
    use crate::math::gauss::legendre;

    pub struct Random(pub u64);

    impl Random {
        pub fn between(&mut self, a: f64, b: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            a + (b - a) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
        }
    }

    /// Units of time, a second among them.
    pub fn unit(case: usize) -> f64 {
        [1.0, 1e-12, 1e15][case % 3]
    }

    /// A random piece and slide, with the size, frequency and phase of its load.
    pub fn slide(random: &mut Random, case: usize) -> (Closed, Glimpse, f64, [f64; 2]) {
        let unit = unit(case);
        let (mass, stiffness) = (random.between(0.3, 3.0) * unit * unit, random.between(0.3, 3.0));
        let damping = if case.is_multiple_of(5) { 0.0 } else { random.between(0.0, 1.0) * unit };
        let omega = random.between(0.2, 4.0) / unit;
        let tone = Tone { size: random.between(-3.0, 3.0), omega, phase: 0.0 };
        let tones = if case.is_multiple_of(7) { vec![] } else { vec![tone] };
        let forced = Forced::new(mass, damping, stiffness, &tones);
        let Some(closed) = Closed::new(&forced, mass) else { return slide(random, case) };
        let angle = random.between(0.0, 6.0);
        let mut amplitudes = crate::exact::forced::Amplitudes::with_capacity(1);
        let angles = [[libm::sin(angle), libm::cos(angle)]];
        let (v, a) = (random.between(-1.0, 1.0) / unit, random.between(-1.0, 1.0) / (unit * unit));
        forced.start(v, a, &angles, &mut amplitudes);
        let mut jet = Jet::with_capacity(1);
        forced.first(&amplitudes, &mut jet);
        let size = if tones.is_empty() { 0.0 } else { tone.size };
        (closed, Forced::look(&jet), size, [tone.omega, angle])
    }

    pub fn w(closed: &Closed, first: &Glimpse, tau: f64) -> Derivatives {
        closed.derivatives(&closed.moved(first, &closed.factors(tau)))
    }

    #[test]
    fn the_work_is_that_of_quadrature() {
        let mut random = Random(7);
        let rule = legendre(24);
        let mut n = 0;
        for case in 0..2000 {
            let (closed, first, size, [omega, angle]) = slide(&mut random, case);
            let length = random.between(0.3, 12.0) * unit(case);
            let Some(work) = closed.work(&first, length, &mut Turns::default()) else { continue };
            n += 1;
            let (mut path, mut square, mut push, mut turned) = (0.0, 0.0, 0.0, 0.0);
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
                    turned -= dt * size * libm::cos(omega * tau + angle) * v;
                }
            }
            // the cancellation that `work` allows, some roundings of it
            let tolerance = 256.0 * f64::EPSILON;
            let reach = (square * length).sqrt();
            assert!((work.path - path).abs() <= tolerance * reach, "case {case}: path");
            assert!((work.square - square).abs() <= tolerance * square, "case {case}: square");
            assert!((work.push - push).abs() <= tolerance * size.abs() * reach, "case {case}: push");
            assert!((work.turned - turned).abs() <= tolerance * size.abs() * reach, "case {case}: turned");
        }
        assert!(n > 1200, "{n} of 2000 in closed form");
    }
}

//! The velocity w of one degree of freedom on one straight piece of its friction, in closed form.
//!
//! The derivative of `m ü + c u̇ + k u + Q = F(t)` has no constant load:
//!
//! ```text
//!   w″ + 2σw′ + ω₀²w = Re Σ p e^{i(ωτ+θ)},   p = Pω/m,   w(0) = v₀,  w′(0) = a₀
//!   w = A h₁ + B h + Re Σ q e^{iωτ},   q = p e^{iθ}/Z,   Z = ω₀² − ω² + 2iσω,   A = v₀ − Re Σ q,  B = a₀ − Re Σ iωq
//! ```
//!
//! and u is u₀ plus its integral. Near resonance (|Z| small) q and A, B would cancel; there the wave enters
//! through the response from rest instead, which at resonance is the secular term:
//!
//! ```text
//!   Y = (D(s₁) − D(s₂))/(s₁ − s₂),   D(s) = (e^{sτ} − e^{iωτ})/(s − iω) = τ e^{iωτ} (e^z − 1)/z,   z = (s − iω)τ
//! ```

use super::elementary;
use super::load_harmonics::LoadHarmonic;
use super::oscillator::{Bounds, LinearOscillator};
use super::panel::PanelSeries;
use super::root_isolation::Guard;
use super::taylor::ORDER;

/// A wave is near resonance if |Z| is below this fraction of ω²: two digits would be lost.
const RESONANT: f64 = 0.02;
/// Rounding of a velocity, in units of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;

/// A jet is taken afresh after so many steps, before their roundings add up.
const RENEWAL: u32 = 32;

/// An exponential that has fallen by e⁻⁶⁰ against the other is gone.
const FADED: f64 = 60.0;

/// Complex product.
#[inline]
fn times([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a * c - b * d, a * d + b * c]
}

/// Complex quotient.
#[inline]
fn over(x: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    let square = c * c + d * d;
    let [re, im] = times(x, [c, -d]);
    [re / square, im / square]
}

/// What one wave does on this piece.
#[derive(Clone, Copy, Debug)]
struct Gain {
    omega: f64,
    /// p (m/s³).
    push: f64,
    /// p/Z.
    gain: [f64; 2],
    resonant: bool,
}

/// The piece, prepared.
#[derive(Clone, Debug)]
pub(super) struct Forced {
    pub oscillator: LinearOscillator,
    gains: Vec<Gain>,
    /// Σ |q|, Σ |q|ω³ and Σ |q|ω⁴ of the waves off resonance.
    crest: f64,
    third: f64,
    fourth: f64,
    /// Σ |p| and the largest ω of the waves at resonance.
    push: f64,
    rate: f64,
    /// The same of all waves.
    all_push: f64,
    all_rate: f64,
}

/// The constants of one phase on the piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Amplitudes {
    pub v0: f64,
    pub a0: f64,
    a: f64,
    b: f64,
    /// q, or p e^{iθ} at resonance.
    waves: Vec<[f64; 2]>,
}

/// The velocity at one instant.
#[derive(Clone, Debug, Default)]
pub(super) struct Jet {
    /// Time since the start of the phase (s).
    pub tau: f64,
    /// w, w′, w″, w‴.
    pub w: [f64; 4],
    /// The part that is not a steady wave, and its derivative.
    y: [f64; 2],
    /// The waves, q e^{iωτ}, or p e^{i(ωτ+θ)} at resonance.
    waves: Vec<[f64; 2]>,
    noise: f64,
    /// Distance travelled since the start of the phase, where the jet was taken from there (m).
    pub travelled: f64,
    /// How often it was carried on since it was taken from the start.
    age: u32,
    /// Whether the parts were larger than their sum when that was last asked.
    cancels: Option<bool>,
}

impl Amplitudes {
    pub fn with_capacity(n: usize) -> Self {
        Self { waves: Vec::with_capacity(n), ..Self::default() }
    }
}

impl Jet {
    pub fn with_capacity(n: usize) -> Self {
        Self { waves: Vec::with_capacity(n), ..Self::default() }
    }
}

impl Jet {
    /// Lets the next bounds be chosen afresh.
    pub fn choose_again(&mut self) {
        self.cancels = None;
    }
}

impl Forced {
    pub fn new(mass: f64, damping: f64, stiffness: f64, tones: &[LoadHarmonic]) -> Self {
        let oscillator = LinearOscillator::new(mass, damping, stiffness);
        let mut forced = Self {
            oscillator,
            gains: Vec::new(),
            crest: 0.0,
            third: 0.0,
            fourth: 0.0,
            push: 0.0,
            rate: 0.0,
            all_push: 0.0,
            all_rate: 0.0,
        };
        for tone in tones {
            let omega = tone.omega;
            let push = tone.size * omega / mass;
            let z = [oscillator.square - omega * omega, 2.0 * oscillator.sigma * omega];
            let resonant = oscillator.omega_d().is_some()
                && z[0] * z[0] + z[1] * z[1] < (RESONANT * omega * omega) * (RESONANT * omega * omega);
            let gain = if resonant { [0.0; 2] } else { over([push, 0.0], z) };
            let size = (gain[0] * gain[0] + gain[1] * gain[1]).sqrt();
            forced.crest += size;
            forced.third += size * omega * omega * omega;
            forced.fourth += size * omega * omega * omega * omega;
            forced.all_push += push.abs();
            forced.all_rate = forced.all_rate.max(omega);
            if resonant {
                forced.push += push.abs();
                forced.rate = forced.rate.max(omega);
            }
            forced.gains.push(Gain { omega, push, gain, resonant });
        }
        forced
    }

    /// Starts a phase at velocity `v0` and acceleration `a0`; `angles` are sine and cosine of each wave.
    #[inline]
    pub fn start(&self, v0: f64, a0: f64, angles: &[[f64; 2]], out: &mut Amplitudes) {
        (out.v0, out.a0, out.a, out.b) = (v0, a0, v0, a0);
        out.waves.clear();
        for (gain, &[sine, cosine]) in self.gains.iter().zip(angles) {
            let wave = if gain.resonant {
                [gain.push * cosine, gain.push * sine]
            } else {
                times(gain.gain, [cosine, sine])
            };
            if !gain.resonant {
                out.a -= wave[0];
                out.b += gain.omega * wave[1];
            }
            out.waves.push(wave);
        }
    }

    /// w and its derivatives at the start.
    #[inline]
    pub fn first(&self, amplitudes: &Amplitudes, jet: &mut Jet) {
        (jet.tau, jet.travelled, jet.age, jet.cancels) = (0.0, 0.0, 0, None);
        jet.y = [amplitudes.a, amplitudes.b];
        jet.waves.clear();
        jet.waves.extend_from_slice(&amplitudes.waves);
        self.finish(amplitudes, jet);
    }

    /// Carries the jet on by `step`: the free motion from where it is, the waves by a turn.
    #[inline]
    pub fn advance(&self, amplitudes: &Amplitudes, step: f64, jet: &mut Jet) {
        jet.age += 1;
        if self.push > 0.0 || jet.age >= RENEWAL {
            return self.jet(amplitudes, jet.tau + step, jet);
        }
        jet.y = self.oscillator.carried(jet.y, step, self.oscillator.free(step));
        jet.tau += step;
        for (gain, wave) in self.gains.iter().zip(&mut jet.waves) {
            let [sine, cosine] = elementary::sincos(gain.omega * step);
            *wave = times(*wave, [cosine, sine]);
        }
        self.finish(amplitudes, jet);
    }

    /// w, its derivatives and its integral at τ, from the start.
    pub fn jet(&self, amplitudes: &Amplitudes, tau: f64, jet: &mut Jet) {
        let Amplitudes { a, b, ref waves, .. } = *amplitudes;
        (jet.tau, jet.age) = (tau, 0);
        let free @ [h, h1] = self.oscillator.free(tau);
        let g = self.oscillator.integral(tau, h1);
        jet.y = self.oscillator.carried([a, b], tau, free);
        jet.travelled = a * (h + 2.0 * self.oscillator.sigma * g) + b * g;
        jet.waves.clear();
        for (gain, &wave) in self.gains.iter().zip(waves) {
            let [sine, cosine] = elementary::sincos(gain.omega * tau);
            let turned = times(wave, [cosine, sine]);
            if gain.resonant {
                let [travelled, y, y1] = self.rest_response(gain.omega, tau, [cosine, sine]);
                jet.travelled += times(wave, travelled)[0];
                jet.y[0] += times(wave, y)[0];
                jet.y[1] += times(wave, y1)[0];
            } else {
                jet.travelled += (turned[1] - wave[1]) / gain.omega;
            }
            jet.waves.push(turned);
        }
        self.finish(amplitudes, jet);
    }

    /// w from its parts.
    #[inline]
    fn finish(&self, amplitudes: &Amplitudes, jet: &mut Jet) {
        let LinearOscillator { sigma, square, .. } = self.oscillator;
        let [y, y1] = jet.y;
        let y2 = -2.0 * sigma * y1 - square * y;
        let mut w = [y, y1, y2, -2.0 * sigma * y2 - square * y1];
        for (gain, &[re, im]) in self.gains.iter().zip(&jet.waves) {
            let (slope, curve) = (-gain.omega * im, -gain.omega * gain.omega * re);
            if gain.resonant {
                w[2] += re;
                w[3] += slope - 2.0 * sigma * re;
            } else {
                w[0] += re;
                w[1] += slope;
                w[2] += curve;
                w[3] -= gain.omega * gain.omega * slope;
            }
        }
        jet.w = w;
        jet.noise = NOISE * (self.crest + y.abs() + amplitudes.a.abs() + amplitudes.v0.abs());
    }

    /// The rate that a panel must resolve which begins where the jet is (1/s). An exponential that decays
    /// much faster than everything else counts by what is left of it.
    pub fn rate(&self, jet: &Jet) -> f64 {
        let LinearOscillator { sigma, square, .. } = self.oscillator;
        match self.oscillator.stiff_roots(self.all_rate) {
            Some([s1, s2]) => {
                let slow = s1.abs().max(self.all_rate);
                let fades = (s1 - s2) * jet.tau;
                // the term left out of its series shrinks as it does
                let fast = s2.abs() * libm::exp(-fades / ORDER as f64);
                if fades >= FADED { slow } else { fast.max(slow) }
            }
            None => (2.0 * sigma.abs() + square.abs().sqrt()).max(self.all_rate),
        }
    }

    /// w on a panel that begins where the jet is, as a series in s = τ/length; `angles` are sine and cosine
    /// of each wave there.
    ///
    /// By the equation of motion, `(j+1)(j+2) w_{j+2} = L²p_j − 2σL(j+1) w_{j+1} − ω₀²L² w_j`, which knows no
    /// resonance. If one of the two exponentials decays much faster than everything else the parts are
    /// expanded by themselves.
    pub fn panel(&self, jet: &Jet, angles: &[[f64; 2]], length: f64, series: &mut PanelSeries) {
        let LinearOscillator { sigma, square, .. } = self.oscillator;
        if let Some([s1, s2]) = self.oscillator.stiff_roots(self.all_rate) {
            let [y, y1] = jet.y;
            let (mut a, mut b) = ((y1 - s2 * y) / (s1 - s2), (s1 * y - y1) / (s1 - s2));
            if (s1 - s2) * jet.tau >= FADED {
                (a, b) = (y, 0.0);
            }
            self.waves(jet, length, series);
            for (j, c) in series.iter_mut().enumerate() {
                *c += a + b;
                let step = length / (j + 1) as f64;
                (a, b) = (a * s1 * step, b * s2 * step);
            }
            return;
        }
        series.fill(0.0);
        for (gain, &[sine, cosine]) in self.gains.iter().zip(angles) {
            let (mut re, mut im) = (gain.push * cosine * length * length, gain.push * sine * length * length);
            for (j, c) in series[2..].iter_mut().enumerate() {
                *c += re;
                let turn = gain.omega * length / (j + 1) as f64;
                (re, im) = (-turn * im, turn * re);
            }
        }
        (series[0], series[1]) = (jet.w[0], length * jet.w[1]);
        let (damping, spring) = (2.0 * sigma * length, square * length * length);
        for j in 0..ORDER - 1 {
            let (k, n) = ((j + 1) as f64, ((j + 1) * (j + 2)) as f64);
            series[j + 2] = (series[j + 2] - damping * k * series[j + 1] - spring * series[j]) / n;
        }
    }

    /// The steady waves alone, as a series.
    fn waves(&self, jet: &Jet, length: f64, series: &mut PanelSeries) {
        series.fill(0.0);
        for (gain, &wave) in self.gains.iter().zip(&jet.waves).filter(|(gain, _)| !gain.resonant) {
            let [mut re, mut im] = wave;
            for (j, c) in series.iter_mut().enumerate() {
                *c += re;
                let turn = gain.omega * length / (j + 1) as f64;
                (re, im) = (-turn * im, turn * re);
            }
        }
    }

    /// ∫Y, Y and Y′ of the response from rest to e^{iωτ}, whose value is given; only near resonance.
    fn rest_response(&self, omega: f64, tau: f64, wave: [f64; 2]) -> [[f64; 2]; 3] {
        let LinearOscillator { sigma, square, .. } = self.oscillator;
        let omega_d = self.oscillator.omega_d().unwrap_or(omega);
        // D(s₁): s₁ − iω = −σ + i(ω_d − ω), the difference without cancellation
        let apart = (square - omega * omega - sigma * sigma) / (omega_d + omega);
        let z = [-sigma * tau, apart * tau];
        let (sine, cosine) = libm::sincos(z[1]);
        let half = libm::sin(0.5 * z[1]);
        let minus_one = [libm::expm1(z[0]) * cosine - 2.0 * half * half, libm::exp(z[0]) * sine];
        let ratio = if z == [0.0; 2] { [1.0, 0.0] } else { over(minus_one, z) };
        let d1 = times(wave, [ratio[0] * tau, ratio[1] * tau]);
        // D(s₂): far from iω
        let decay = libm::exp(z[0]);
        let (sine, cosine) = libm::sincos(omega_d * tau);
        let d2 = over([decay * cosine - wave[0], -decay * sine - wave[1]], [-sigma, -omega_d - omega]);
        let (s1, s2) = ([-sigma, omega_d], [-sigma, -omega_d]);
        let y = over([d1[0] - d2[0], d1[1] - d2[1]], [0.0, 2.0 * omega_d]);
        let (p1, p2) = (times(s1, d1), times(s2, d2));
        let slope = over([p1[0] - p2[0], p1[1] - p2[1]], [0.0, 2.0 * omega_d]);
        // integral of the equation of motion: Y′ + 2σY + ω₀²∫Y = (e^{iωτ} − 1)/iω
        let push = over([wave[0] - 1.0, wave[1]], [0.0, omega]);
        let integral = |i: usize| (push[i] - slope[i] - 2.0 * sigma * y[i]) / square;
        [[integral(0), integral(1)], y, slope]
    }

    /// Bounds on the derivatives of w from the jet on.
    #[inline]
    pub fn bounds(&self, jet: &mut Jet) -> Bounds {
        let [w, w1, ..] = jet.w;
        let parts = || {
            let mut parts = self.oscillator.bounds(jet.y[0], jet.y[1], self.push, self.rate);
            parts.third += self.third;
            parts.fourth += self.fourth;
            parts
        };
        if self.third == 0.0 {
            return parts();
        }
        // waves and free motion may cancel each other for a while: then their sum has the better bound
        let sum = || self.oscillator.bounds(w, w1, self.all_push, self.all_rate);
        match jet.cancels {
            Some(true) => sum(),
            Some(false) => parts(),
            None => {
                let (parts, sum) = (parts(), sum());
                let cancels = sum.third < parts.third;
                jet.cancels = Some(cancels);
                if cancels { sum } else { parts }
            }
        }
    }

    /// The guard of `w > limit`, if `sign` is 1, or of `w < limit`, if it is −1.
    #[inline]
    pub fn guard(&self, jet: &Jet, bounds: Bounds, limit: f64, sign: f64) -> Guard {
        let [w, w1, w2, w3] = jet.w;
        let g = [sign * (w - limit), sign * w1, sign * w2, sign * w3];
        Guard::new(g, bounds, jet.noise + NOISE * limit.abs())
    }

    /// Whether w stays between the limits for ever, because what is left of the free motion decays.
    #[inline]
    pub fn stays_between(&self, jet: &Jet, below: f64, above: f64) -> bool {
        let LinearOscillator { sigma, square, .. } = self.oscillator;
        let [y, y1] = jet.y;
        self.push == 0.0 && sigma >= 0.0 && square > 0.0 && {
            let crest = self.crest + (y * y + y1 * y1 / square).sqrt();
            -crest > below && crest < above
        }
    }
}

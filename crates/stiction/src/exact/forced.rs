//! The velocity w of one degree of freedom on one straight piece of its friction, in closed form.
//!
//! The derivative of `m ü + c u̇ + k u + Q = F(t)` has no constant load:
//!
//! ```text
//!   w″ + 2σw′ + ω₀²w = Re Σ p e^{i(ωτ+θ)},   p = Pω/m,   w(0) = v₀,  w′(0) = a₀
//!   w = A h₁ + B h + Re Σ q e^{iωτ},   q = p e^{iθ}/Z,   Z = ω₀² − ω² + 2iσω,   A = v₀ − Re Σ q,  B = a₀ − Re Σ iωq
//! ```
//!
//! and u is u₀ plus its integral. Near resonance (|Z| small) q and A, B would cancel; there the wave enters through the
//! response from rest instead, which at resonance is the secular term:
//!
//! ```text
//!   Y = (D(s₁) − D(s₂))/(s₁ − s₂),   D(s) = (e^{sτ} − e^{iωτ})/(s − iω) = τ e^{iωτ} (e^z − 1)/z,   z = (s − iω)τ
//! ```

use super::march::Guard;
use super::oscillator::Oscillator;
use super::tones::Tone;

/// A wave is near resonance if |Z| is below this fraction of ω²: two digits would be lost.
const RESONANT: f64 = 0.02;
/// Rounding of a velocity, in units of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;

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
    pub oscillator: Oscillator,
    gains: Vec<Gain>,
    /// Σ |q| and Σ |q|ω³ of the waves off resonance.
    crest: f64,
    third: f64,
    /// Σ |p| and the largest ω of the waves at resonance.
    push: f64,
    rate: f64,
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    /// w, w′, w″.
    pub w: [f64; 3],
    /// The part that is not a steady wave, and its derivative.
    y: [f64; 2],
    noise: f64,
}

impl Amplitudes {
    pub fn with_capacity(n: usize) -> Self {
        Self { waves: Vec::with_capacity(n), ..Self::default() }
    }
}

impl Forced {
    pub fn new(mass: f64, damping: f64, stiffness: f64, tones: &[Tone]) -> Self {
        let oscillator = Oscillator::new(mass, damping, stiffness);
        let mut forced = Self { oscillator, gains: Vec::new(), crest: 0.0, third: 0.0, push: 0.0, rate: 0.0 };
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

    /// w and its derivatives at τ.
    #[inline]
    pub fn jet(&self, amplitudes: &Amplitudes, tau: f64) -> Jet {
        let Oscillator { sigma, square, .. } = self.oscillator;
        let [h, h1] = self.oscillator.free(tau);
        let mut y = amplitudes.a * h1 + amplitudes.b * h;
        let mut y1 = -amplitudes.a * square * h + amplitudes.b * (h1 - 2.0 * sigma * h);
        let (mut w, mut push) = ([0.0; 3], 0.0);
        let mut noise = (amplitudes.a * h1).abs() + (amplitudes.b * h).abs();
        for (gain, &wave) in self.gains.iter().zip(&amplitudes.waves) {
            let omega = gain.omega;
            let (sine, cosine) = libm::sincos(omega * tau);
            let [re, im] = times(wave, [cosine, sine]);
            if gain.resonant {
                let [_, value, slope] = self.from_rest(omega, tau, [cosine, sine]).map(|r| times(wave, r)[0]);
                y += value;
                y1 += slope;
                noise += value.abs();
                push += re;
            } else {
                w[0] += re;
                w[1] -= omega * im;
                w[2] -= omega * omega * re;
            }
        }
        noise = NOISE * (noise + self.crest + amplitudes.v0.abs());
        w[0] += y;
        w[1] += y1;
        w[2] += push - 2.0 * sigma * y1 - square * y;
        Jet { w, y: [y, y1], noise }
    }

    /// The distance travelled since the start of the phase.
    pub fn travel(&self, amplitudes: &Amplitudes, tau: f64) -> f64 {
        let [h, h1] = self.oscillator.free(tau);
        let g = self.oscillator.integral(tau, h1);
        let mut u = amplitudes.a * (h + 2.0 * self.oscillator.sigma * g) + amplitudes.b * g;
        for (gain, &wave) in self.gains.iter().zip(&amplitudes.waves) {
            let (sine, cosine) = libm::sincos(gain.omega * tau);
            u += if gain.resonant {
                times(wave, self.from_rest(gain.omega, tau, [cosine, sine])[0])[0]
            } else {
                (times(wave, [cosine, sine])[1] - wave[1]) / gain.omega
            };
        }
        u
    }

    /// ∫Y, Y and Y′ of the response from rest to e^{iωτ}, whose value is given; only near resonance.
    fn from_rest(&self, omega: f64, tau: f64, wave: [f64; 2]) -> [[f64; 2]; 3] {
        let Oscillator { sigma, square, .. } = self.oscillator;
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

    /// The guards of `w > below` and `w < above` at a jet; infinite limits give guards that never come.
    #[inline]
    pub fn guards(&self, jet: &Jet, below: f64, above: f64) -> [Guard; 2] {
        let (third, reach) = self.oscillator.third(jet.y[0], jet.y[1], self.push, self.rate);
        let third = third + self.third;
        let [w, w1, w2] = jet.w;
        let noise = |limit: f64| jet.noise + if limit.is_finite() { NOISE * limit.abs() } else { 0.0 };
        [
            Guard { g: [w - below, w1, w2], third, reach, noise: noise(below) },
            Guard { g: [above - w, -w1, -w2], third, reach, noise: noise(above) },
        ]
    }

    /// Whether w stays between the limits for ever, because what is left of the free motion decays.
    #[inline]
    pub fn stays_between(&self, jet: &Jet, below: f64, above: f64) -> bool {
        let Oscillator { sigma, square, .. } = self.oscillator;
        let [y, y1] = jet.y;
        self.push == 0.0 && sigma >= 0.0 && square > 0.0 && {
            let crest = self.crest + (y * y + y1 * y1 / square).sqrt();
            -crest > below && crest < above
        }
    }
}

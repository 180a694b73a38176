//! Decomposition of the motion into steady harmonics and a decaying free motion.

use super::{Amplitudes, Forced};

/// The exponents of a heavily damped motion are apart if the fast one is this many times the slow one: the
/// parts then do not cancel.
const APART: f64 = 2.0;

impl Forced {
    /// Whether a load is near resonance, so that what it drives is not taken apart.
    pub fn is_resonant(&self) -> bool {
        self.push > 0.0
    }

    /// The free velocity as a sum of two decaying exponentials (exponent, size at the start), if they are
    /// well apart.
    pub fn exponentials(&self, amplitudes: &Amplitudes) -> Option<[[f64; 2]; 2]> {
        let [s1, s2] = self.oscillator.real_roots()?;
        if s1 > 0.0 || s2 > APART * s1 || s2 == s1 {
            return None;
        }
        let (a, b, gap) = (amplitudes.a, amplitudes.b, s1 - s2);
        Some([[s1, (b - s2 * a) / gap], [s2, (s1 * a - b) / gap]])
    }

    /// The free velocity and its derivative at τ, without resonance.
    pub fn swing(&self, amplitudes: &Amplitudes, tau: f64) -> [f64; 2] {
        self.oscillator.carried([amplitudes.a, amplitudes.b], tau)
    }

    /// The steady waves of the velocity at the start, as complex amplitudes; zero near resonance.
    pub fn steady_waves<'a>(&'a self, amplitudes: &'a Amplitudes) -> impl Iterator<Item = [f64; 2]> + 'a {
        let waves = self.gains.iter().zip(&amplitudes.waves);
        waves.map(|(gain, wave)| if gain.resonant { [0.0; 2] } else { *wave })
    }
}

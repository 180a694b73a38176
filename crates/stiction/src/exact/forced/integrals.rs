//! Integrals of the velocity over a span: ∫w, ∫w² and ∫w sin(ωt + φ) of each load.
//!
//! Where the free motion is a sum of exponentials that do not cancel they are closed forms, whatever the
//! rates,
//!
//! ```text
//!   w = Re Σ Z e^{zτ},    ∫w² = ½ Re Σ Σ (Z Z′ E(z + z′) + Z Z̄′ E(z + z̄′)),    E(z) = (e^{zL} − 1)/z
//! ```
//!
//! and else the sum of Gauss's rule over panels: near the critical case, whose motion soon ends, near
//! resonance, and over short spans.

use super::super::elementary;
use super::super::panel::{GAUSS, at_nodes, panel_length};
use super::super::taylor::{ANGLE, ORDER};
use super::{Amplitudes, Forced, Jet, times};

/// Spans of fewer panels go panel by panel: few terms of a closed form would be left after they cancel.
const FEW: f64 = 4.0;
/// Nearer to resonance (|Z| over ω²) or to the critical case (ω_d over σ) than this, waves and free motion,
/// or the exponentials, cancel by more than a digit.
const NEAR: f64 = 0.3;

/// ∫w, ∫w², and ∫w sin of each load.
#[derive(Clone, Debug, Default)]
pub(in crate::exact) struct Integrals {
    pub path: f64,
    pub square: f64,
    pub pushes: Vec<f64>,
    terms: Vec<[[f64; 2]; 2]>,
    waves: Vec<[f64; 2]>,
    jet: Jet,
}

impl Forced {
    /// The integrals from τ on over `length`; `angles` are sine and cosine of each load there.
    pub fn integrals(
        &self,
        amplitudes: &Amplitudes,
        tau: f64,
        length: f64,
        angles: &[[f64; 2]],
        out: &mut Integrals,
    ) {
        let mut jet = std::mem::take(&mut out.jet);
        self.jet(amplitudes, tau, &mut jet);
        (out.path, out.square) = (0.0, 0.0);
        out.pushes.clear();
        out.pushes.resize(angles.len(), 0.0);
        out.terms.clear();
        if self.has_few_panels(&jet, length) || !self.terms(&jet, &mut out.terms) {
            self.add_panels(amplitudes, tau, length, angles, &mut jet, out);
        } else {
            self.add_terms(length, angles, out);
        }
        out.jet = jet;
    }

    fn has_few_panels(&self, jet: &Jet, length: f64) -> bool {
        self.rate(jet) * length <= FEW * ANGLE
    }

    /// The velocity as a sum of exponentials Z e^{zτ} whose real part it is; false if they cancel.
    fn terms(&self, jet: &Jet, terms: &mut Vec<[[f64; 2]; 2]>) -> bool {
        let (sigma, square) = (self.oscillator.sigma, self.oscillator.square);
        let [y, y1] = jet.y;
        match (self.oscillator.omega_d(), self.oscillator.real_roots()) {
            (Some(omega), _) if omega > NEAR * sigma => {
                terms.push([[y, -(y1 + sigma * y) / omega], [-sigma, omega]]);
            }
            (_, Some([s1, s2])) if s1 - s2 > NEAR * (s1 + s2).abs() => {
                let gap = s1 - s2;
                terms.push([[(y1 - s2 * y) / gap, 0.0], [s1, 0.0]]);
                terms.push([[(s1 * y - y1) / gap, 0.0], [s2, 0.0]]);
            }
            _ => return false,
        }
        for (gain, &wave) in self.gains.iter().zip(&jet.waves) {
            let omega = gain.omega;
            let z = [square - omega * omega, 2.0 * sigma * omega];
            if gain.push != 0.0 && libm::hypot(z[0], z[1]) < NEAR * omega * omega {
                return false;
            }
            terms.push([wave, [0.0, omega]]);
        }
        true
    }

    fn add_terms(&self, length: f64, angles: &[[f64; 2]], out: &mut Integrals) {
        for (k, &[a, z]) in out.terms.iter().enumerate() {
            out.path += times(a, exponential(z, length))[0];
            for (l, &[b, y]) in out.terms[..=k].iter().enumerate() {
                let both = times(times(a, b), exponential([z[0] + y[0], z[1] + y[1]], length))[0];
                let [re, im] = times(a, [b[0], -b[1]]);
                let apart = times([re, im], exponential([z[0] + y[0], z[1] - y[1]], length))[0];
                out.square += if l == k { 0.5 } else { 1.0 } * (both + apart);
            }
        }
        for ((gain, &[sine, cosine]), push) in self.gains.iter().zip(angles).zip(&mut out.pushes) {
            if gain.push == 0.0 {
                continue;
            }
            for &[a, z] in &out.terms {
                let both = times([cosine, sine], times(a, exponential([z[0], z[1] + gain.omega], length)));
                let conjugate = [a[0], -a[1]];
                let e = exponential([z[0], gain.omega - z[1]], length);
                *push += 0.5 * (both[1] + times([cosine, sine], times(conjugate, e))[1]);
            }
        }
    }

    fn add_panels(
        &self,
        amplitudes: &Amplitudes,
        tau: f64,
        length: f64,
        angles: &[[f64; 2]],
        jet: &mut Jet,
        out: &mut Integrals,
    ) {
        let mut series = [0.0; ORDER + 1];
        let mut done = 0.0;
        while done < length {
            if done > 0.0 {
                self.jet(amplitudes, tau + done, jet);
            }
            out.waves.clear();
            for (gain, &[sine, cosine]) in self.gains.iter().zip(angles) {
                let (s, c) = libm::sincos(gain.omega * done);
                out.waves.push([sine * c + cosine * s, cosine * c - sine * s]);
            }
            let panel = panel_length(self.rate(jet), length - done);
            self.panel(jet, &out.waves, panel, &mut series);
            out.path += panel * series.iter().enumerate().map(|(j, c)| c / (j + 1) as f64).sum::<f64>();
            for (w, [s, weight]) in at_nodes(&series, 1.0).into_iter().zip(GAUSS) {
                out.square += panel * weight * w * w;
                for ((gain, wave), push) in self.gains.iter().zip(&out.waves).zip(&mut out.pushes) {
                    if gain.push == 0.0 {
                        continue;
                    }
                    let [sine, cosine] = elementary::sincos(gain.omega * panel * s);
                    *push += panel * weight * w * (wave[0] * cosine + wave[1] * sine);
                }
            }
            done += panel.max(f64::EPSILON * length);
        }
    }
}

/// E(z) = (e^{zL} − 1)/z.
pub(in crate::exact) fn exponential([re, im]: [f64; 2], length: f64) -> [f64; 2] {
    let (x, y) = (re * length, im * length);
    let size = x * x + y * y;
    if size == 0.0 {
        return [length, 0.0];
    }
    let (sine, cosine) = libm::sincos(y);
    let half = libm::sin(0.5 * y);
    // e^x cos y − 1 = expm1(x) cos y − 2 sin²(y/2)
    let top = [libm::expm1(x) * cosine - 2.0 * half * half, libm::exp(x) * sine];
    [length * (top[0] * x + top[1] * y) / size, length * (top[1] * x - top[0] * y) / size]
}

#[cfg(test)]
mod tests {
    use super::super::super::load_harmonics::LoadHarmonic;
    use super::*;

    /// Roundings of closed forms that cancel by a digit or two, and of a thousand panels.
    const TOLERANCE: f64 = 3e-13;

    #[test]
    fn closed_forms_agree_with_panels() {
        let tones = [(0.7, 1.0, 0.3), (-0.4, 2.6, 1.0), (0.0, 5.0, 0.0)];
        let tones = tones.map(|(size, omega, phase)| LoadHarmonic { size, omega, phase });
        let angles =
            tones.map(|tone| [libm::sin(tone.phase + tone.omega), libm::cos(tone.phase + tone.omega)]);
        for (damping, stiffness) in [
            (0.0, 90.0),
            (0.3, 4000.0),
            (0.01, 0.04),
            (70.0, 900.0),
            (2e4, 1e6),
            (100.0, 1.0),
            (0.2, 0.0),
            (59.9, 900.0),
            (0.05, 1.02),
        ] {
            let forced = Forced::new(1.0, damping, stiffness, &tones);
            let mut amplitudes = Amplitudes::default();
            let at_start = tones.map(|tone| [libm::sin(tone.phase), libm::cos(tone.phase)]);
            forced.start(0.8, -1.3, &at_start, &mut amplitudes);
            let (mut closed, mut panels) = (Integrals::default(), Integrals::default());
            forced.integrals(&amplitudes, 1.0, 12.0, &angles, &mut closed);
            panels.pushes.resize(3, 0.0);
            let mut jet = Jet::default();
            forced.jet(&amplitudes, 1.0, &mut jet);
            forced.add_panels(&amplitudes, 1.0, 12.0, &angles, &mut jet, &mut panels);
            let size = 1.0 + panels.square.abs();
            let case = format!("c = {damping}, k = {stiffness}");
            assert!((closed.path - panels.path).abs() < TOLERANCE * size, "{case}: path");
            assert!((closed.square - panels.square).abs() < TOLERANCE * size, "{case}: square");
            for (a, b) in closed.pushes.iter().zip(&panels.pushes) {
                assert!((a - b).abs() < TOLERANCE * size, "{case}: {a} {b}");
            }
        }
    }
}

//! A periodic motion as a Fourier series.

use super::{ROUNDING, SAFETY};
use crate::law::{Graph, Law, Slip};
use crate::system::{Motion, System};

/// Places in a period of the highest harmonic at which extrema are looked for.
const PLACES: usize = 16;
/// Newton's steps to an extremum.
const TRIES: usize = 30;

/// A periodic motion as a Fourier series: `q = Re Σ Q_k e^{ikΩt}`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HarmonicMotion {
    /// Ω, the frequency of the first harmonic load (rad/s).
    pub omega: f64,
    /// Q_k as (real, imaginary) of each degree of freedom, by harmonic from 0 (m).
    pub position: Vec<Vec<[f64; 2]>>,
    /// Harmonics of the friction force of each contact, by harmonic from 0 (N).
    pub friction: Vec<Vec<[f64; 2]>>,
    /// Energy lost in the contacts in one period (J).
    pub friction_loss: f64,
    /// How far the displacement of any degree of freedom is off at most, for the harmonics that are left out
    /// (m).
    pub truncation: f64,
    /// The same of each degree of freedom by itself: those that move little, and rotations, have errors of
    /// their own (m).
    pub truncations: Vec<f64>,
    /// Steps of Newton's method.
    pub iterations: u32,
    /// Scale that makes a velocity a force in the set-valued law (N s/m).
    pub(super) rho: f64,
}

impl HarmonicMotion {
    /// States the error of a motion whose degrees of freedom lie this far `apart` from a finer one (m).
    pub(super) fn state_truncation(&mut self, apart: &[f64]) {
        let rounding = ROUNDING * self.size();
        self.truncations = apart.iter().map(|apart| SAFETY * apart + rounding).collect();
        self.truncation = self.truncations.iter().fold(rounding, |most, own| most.max(*own));
    }

    /// The error of a degree of freedom as a part of its amplitude (-).
    pub fn truncation_share(&self, dof: usize) -> f64 {
        let own = self.truncations.get(dof).copied().unwrap_or(self.truncation);
        own / self.amplitude(dof).max(f64::MIN_POSITIVE)
    }

    /// Number of harmonics beside the mean.
    pub fn n_harmonics(&self) -> usize {
        self.position.len() - 1
    }

    /// Position of a degree of freedom at `t` (m).
    pub fn position_at(&self, dof: usize, t: f64) -> f64 {
        self.jet(dof, t)[0]
    }

    /// Velocity of a degree of freedom at `t` (m/s).
    pub fn velocity_at(&self, dof: usize, t: f64) -> f64 {
        self.jet(dof, t)[1]
    }

    /// The whole motion at `t`. The friction is what the law answers, not the sum of the harmonics that were
    /// kept of it; of springs with sliders it is that sum.
    pub fn at(&self, system: &System, t: f64, out: &mut Motion) {
        out.t = t;
        for dof in 0..system.n() {
            [out.position[dof], out.velocity[dof], out.acceleration[dof]] = self.jet(dof, t);
        }
        for (i, contact) in system.contacts.iter().enumerate() {
            let along = contact.direction.iter().zip(&out.velocity);
            let v = along.map(|(w, v)| w * v).sum::<f64>() - contact.belt;
            let (friction, load) = (&contact.friction, contact.load);
            out.sliding[i] = v;
            if friction.law.graph() == Graph::SetValued {
                let limit = load * friction.law.bound();
                let held = self.force_at(i, t) + (self.rho - load * friction.viscous) * v;
                out.friction[i] = held.clamp(-limit, limit) + load * friction.viscous * v;
                out.slope[i] = load * friction.viscous;
            } else if friction.law.sliders().is_some() {
                out.friction[i] = self.force_at(i, t);
                out.slope[i] = load * friction.viscous;
            } else {
                out.friction[i] = load * friction.coefficient(Slip::at(v));
                out.slope[i] = load * (friction.law.slope(Slip::at(v)) + friction.viscous);
            }
        }
    }

    /// Work of the loads and energy lost in the dampers in one period (J).
    pub fn cycle_work(&self, system: &System) -> [f64; 2] {
        let period = std::f64::consts::TAU / self.omega;
        let mut work = 0.0;
        for harmonic in &system.harmonics {
            let k = (harmonic.omega / self.omega).round();
            let Some(row) = self.position.get(k as usize) else { continue };
            // mean of Re(F e^{ix}) Re(ikΩQ e^{ix}), F = −i e^{iφ} P
            let (sine, cosine) = libm::sincos(harmonic.phase);
            for (p, [re, im]) in harmonic.amplitude.iter().zip(row) {
                work += 0.5 * period * k * self.omega * p * (-cosine * re - sine * im);
            }
        }
        let mut lost = 0.0;
        for (k, row) in self.position.iter().enumerate().skip(1) {
            let rate = k as f64 * self.omega;
            for (i, [a, b]) in row.iter().enumerate() {
                for (c, [re, im]) in system.damping.row(i).iter().zip(row) {
                    lost += 0.5 * period * rate * rate * c * (a * re + b * im);
                }
            }
        }
        // the mean force of friction drags the belts
        for (i, contact) in system.contacts.iter().enumerate() {
            work -= self.friction[0][i][0] * contact.belt * period;
        }
        [work, lost]
    }

    /// The harmonics that were kept of the friction force of a contact, summed at `t` (N).
    fn force_at(&self, contact: usize, t: f64) -> f64 {
        let terms = self.friction.iter().enumerate();
        terms.map(|(k, row)| wave(row[contact], k as f64 * self.omega * t)[0]).sum()
    }

    /// Half the distance between the extrema of a degree of freedom (m).
    pub fn amplitude(&self, dof: usize) -> f64 {
        let period = std::f64::consts::TAU / self.omega;
        let places = PLACES * self.position.len();
        let (mut max, mut min) = (f64::NEG_INFINITY, f64::INFINITY);
        for place in 0..places {
            let h = period / places as f64;
            let mut t = place as f64 * h;
            let [q, v, a] = self.jet(dof, t);
            (max, min) = (max.max(q), min.min(q));
            if v * self.jet(dof, t + h)[1] > 0.0 || a == 0.0 {
                continue;
            }
            for _ in 0..TRIES {
                let [_, v, a] = self.jet(dof, t);
                let step = (-v / a).clamp(-h, h);
                t += step;
                if step.abs() <= f64::EPSILON * period {
                    break;
                }
            }
            let q = self.jet(dof, t)[0];
            if q.is_finite() {
                (max, min) = (max.max(q), min.min(q));
            }
        }
        0.5 * (max - min)
    }

    /// Amplitude and phase of the first harmonic of a degree of freedom, the phase relative to `sin Ωt` (m,
    /// rad).
    pub fn fundamental(&self, dof: usize) -> [f64; 2] {
        let Some([re, im]) = self.position.get(1).map(|row| row[dof]) else { return [0.0; 2] };
        // Re(Q e^{iΩt}) = |Q| cos(Ωt + arg Q) = |Q| sin(Ωt + arg Q + π/2)
        [libm::hypot(re, im), libm::atan2(re, -im)]
    }

    /// The largest sum of the sizes of a degree of freedom's harmonics (m).
    pub(super) fn size(&self) -> f64 {
        let n = self.position.first().map_or(0, Vec::len);
        let of =
            |dof: usize| self.position.iter().map(|row| libm::hypot(row[dof][0], row[dof][1])).sum::<f64>();
        (0..n).map(of).fold(0.0, f64::max)
    }

    /// The sum of the differences of each degree of freedom's harmonics (m).
    pub(super) fn distances(&self, other: &Self) -> Vec<f64> {
        let n = self.position.first().map_or(0, Vec::len);
        let at =
            |motion: &Self, k: usize, dof: usize| motion.position.get(k).map_or([0.0; 2], |row| row[dof]);
        let apart = |k: usize, dof: usize| {
            let ([a, b], [c, d]) = (at(self, k, dof), at(other, k, dof));
            libm::hypot(a - c, b - d)
        };
        let count = self.position.len().max(other.position.len());
        (0..n).map(|dof| (0..count).map(|k| apart(k, dof)).sum()).collect()
    }

    /// Position, velocity and acceleration.
    fn jet(&self, dof: usize, t: f64) -> [f64; 3] {
        let mut jet = [0.0; 3];
        for (k, row) in self.position.iter().enumerate() {
            let rate = k as f64 * self.omega;
            let [cosine, sine] = wave(row[dof], rate * t);
            jet[0] += cosine;
            jet[1] -= rate * sine;
            jet[2] -= rate * rate * cosine;
        }
        jet
    }
}

/// Real and imaginary part of Q e^{iφ}.
fn wave([re, im]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sine, cosine) = libm::sincos(angle);
    [re * cosine - im * sine, re * sine + im * cosine]
}

//! The work of a phase whose modes damping couples.
//!
//! ```text
//!   q̇ = u + Φ Re Σ ζ x e^{zτ},     ∫q̇ᵀCq̇ = L uᵀCu + 2 uᵀCΦ Re Σ ζ x E(z) + ½ Re Σ Σ (ζζ′ xᵀDx′ E(z + z′) + ζζ̄′ xᵀDx̄′ E(z + z̄′))
//!   E(z) = ∫e^{zτ} = (e^{zL} − 1)/z
//! ```
//!
//! The terms are the exponents of the coupled modes, and the steady waves.

use super::coupled::{Coupled, along};
use super::exponents::{ZERO, over};
use super::modes::Modes;
use super::work::WorkTally;
use super::{Modal, Phase};
use crate::exact::forced::exponential;
use crate::exact::taylor::{Model, sparse_dot};
use crate::math::complex::{Complex, complex};

/// With |z|L below this the integral of an exponential does not come from those of its factors.
const SHORT: f64 = 0.5;

/// Storage for the terms of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct PhaseTerms {
    /// ζ at the start of the span.
    sizes: Vec<Complex>,
    /// e^{zL} − 1, and E(z).
    growths: Vec<Complex>,
    integrals: Vec<Complex>,
}

/// ∫e^{zτ} over `length`.
fn integral(z: Complex, length: f64) -> Complex {
    let [re, im] = exponential([z.re, z.im], length);
    complex(re, im)
}

impl PhaseTerms {
    /// The terms from τ = `start` on, over `length`.
    fn take(&mut self, coupled: &Coupled, phase: &Phase, start: f64, length: f64) {
        self.sizes.clear();
        let mut terms = coupled.terms.iter().map(|term| term.exponent);
        for amplitudes in &phase.amplitudes[..phase.eta.len()] {
            let (v, a) = (amplitudes.v0, amplitudes.a0);
            let Some(first) = terms.next() else { break };
            if first.im != 0.0 {
                self.sizes.push(complex(v, -(a - first.re * v) / first.im));
                continue;
            }
            let Some(second) = terms.next() else { break };
            let (s1, s2) = (first.re, second.re);
            self.sizes.push(complex((a - s2 * v) / (s1 - s2), 0.0));
            self.sizes.push(complex((s1 * v - a) / (s1 - s2), 0.0));
        }
        self.sizes.extend(phase.angles.iter().map(|[sine, cosine]| complex(*cosine, *sine)));
        self.growths.clear();
        self.integrals.clear();
        for (size, term) in self.sizes.iter_mut().zip(&coupled.terms) {
            let z = term.exponent;
            let (sine, cosine) = libm::sincos(z.im * start);
            *size = *size * complex(cosine, sine).times(libm::exp(z.re * start));
            let integral = integral(z, length);
            self.growths.push(integral * z);
            self.integrals.push(integral);
        }
    }

    /// E(z + z′) of two terms, of the second or of its conjugate.
    fn both(&self, z: Complex, growths: [Complex; 2], length: f64) -> Complex {
        if z.modulus() * length < SHORT {
            return integral(z, length);
        }
        let [a, b] = growths;
        over(a * b + a + b, z)
    }
}

impl Modal {
    /// Adds what the terms do from τ = `start` on over `length`, where the last look was.
    pub(super) fn add_coupled_work(
        &mut self,
        (modes, coupled): (&Modes, &Coupled),
        model: &Model,
        [start, length]: [f64; 2],
        tally: &mut WorkTally,
    ) {
        let phase = &self.phase;
        self.terms.take(coupled, phase, start, length);
        let (terms, u) = (&self.terms, &phase.u_c[..model.n]);
        // 2 ΦᵀC u, what a velocity of each natural mode loses with the constant one
        let mut dragged = vec![0.0; modes.n_modes];
        if u.iter().any(|u| *u != 0.0) {
            let forces: Vec<f64> = model.damping.iter().map(|row| sparse_dot(row, u)).collect();
            for (k, force) in forces.iter().enumerate() {
                dragged
                    .iter_mut()
                    .zip(modes.shape.row(k))
                    .for_each(|(sum, shape)| *sum += 2.0 * shape * force);
            }
        }
        let is_dragged = dragged.iter().any(|c| *c != 0.0);
        let mut grams = coupled.grams.iter();
        for (t, term) in coupled.terms.iter().enumerate() {
            let (size, travel) = (terms.sizes[t], terms.sizes[t] * terms.integrals[t]);
            tally.work += (term.constant * travel).re;
            if is_dragged {
                tally.viscous += (along(&dragged, &term.vector) * travel).re;
            }
            for (path, sliding) in tally.path.iter_mut().zip(&term.sliding) {
                *path += (*sliding * travel).re;
            }
            for (impulse, held) in tally.impulse.iter_mut().zip(&term.held) {
                *impulse += (*held * travel).re;
            }
            for ((load, [sine, cosine]), (omega, ..)) in
                term.loads.iter().zip(&self.look.waves).zip(&model.harmonics)
            {
                if *load == ZERO {
                    continue;
                }
                // Re(Y e^{zτ}) sin(ωτ + θ)
                let (z, wave, y) = (term.exponent, complex(*cosine, *sine), *load * size);
                let turn = complex(0.0, *omega);
                let both = y * integral(z + turn, length) + y.conj() * integral(z.conj() + turn, length);
                tally.work += 0.5 * (wave * both).im;
            }
            for s in 0..=t {
                let Some(&[plain, conjugate]) = grams.next() else { break };
                let (other, z, y) = (terms.sizes[s], term.exponent, coupled.terms[s].exponent);
                let [a, b] = [terms.growths[t], terms.growths[s]];
                let sum = size * other * plain * terms.both(z + y, [a, b], length)
                    + size * other.conj() * conjugate * terms.both(z + y.conj(), [a, b.conj()], length);
                tally.viscous += if s == t { 0.5 } else { 1.0 } * sum.re;
            }
        }
    }
}

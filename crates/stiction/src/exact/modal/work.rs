//! The work of a phase in modes.
//!
//! ```text
//!   q̇ = u + bτ + Φ Re Σ ζ x e^{zτ},     E(z) = ∫e^{zτ} = (e^{zL} − 1)/z
//!   ∫q̇ᵀCq̇ = L uᵀCu + 2 uᵀCΦ Re Σ ζ x E(z) + ½ Re Σ Σ (ζζ′ xᵀDx′ E(z + z′) + ζζ̄′ xᵀDx̄′ E(z + z̄′))
//! ```
//!
//! b is the acceleration of rigid motions that nothing brakes. None of the work comes from the positions, which
//! the balance of energy compares it with.

use super::exponents::{ZERO, over};
use super::natural::Modes;
use super::terms::{TermRows, along, exponential};
use super::{Modal, Phase, Polynomial};
use crate::contact::ContactMode;
use crate::exact::taylor::{Model, Stretch, sparse_dot};
use crate::math::complex::{Complex, complex};
use crate::math::dense::dot;
use crate::record::Balance;

/// With |z|L below this the integral of an exponential does not come from those of its factors.
const SHORT: f64 = 0.5;

/// The terms of a span.
#[derive(Clone, Debug, Default)]
pub(super) struct PhaseTerms {
    length: f64,
    /// ζ at the start of the span.
    sizes: Vec<Complex>,
    /// e^{zL} − 1, and E(z).
    growths: Vec<Complex>,
    integrals: Vec<Complex>,
}

/// E(z) = (e^{zL} − 1)/z.
fn integral(z: Complex, length: f64) -> Complex {
    let (x, y) = (z.re * length, z.im * length);
    let size = x * x + y * y;
    if size == 0.0 {
        return complex(length, 0.0);
    }
    let (sine, cosine) = libm::sincos(y);
    let half = libm::sin(0.5 * y);
    // e^x cos y − 1 = expm1(x) cos y − 2 sin²(y/2)
    let top = [libm::expm1(x) * cosine - 2.0 * half * half, libm::exp(x) * sine];
    complex(length * (top[0] * x + top[1] * y) / size, length * (top[1] * x - top[0] * y) / size)
}

/// ∫τ e^{zτ} over `length`, z not zero.
fn moment(z: Complex, length: f64) -> Complex {
    over(exponential(z, length).times(length) - integral(z, length), z)
}

impl PhaseTerms {
    /// The terms from τ = `start` on, over `length`.
    fn take(&mut self, modes: &Modes, phase: &Phase, start: f64, length: f64) {
        self.length = length;
        self.sizes.clear();
        self.growths.clear();
        self.integrals.clear();
        for (z, amplitude) in modes.terms.exponents.iter().zip(&phase.amplitudes) {
            let integral = integral(*z, length);
            self.sizes.push(*amplitude * exponential(*z, start));
            self.growths.push(integral * *z);
            self.integrals.push(integral);
        }
    }

    /// E(z + z′) of two terms, of the second or of its conjugate.
    fn both(&self, z: Complex, growths: [Complex; 2]) -> Complex {
        if z.modulus() * self.length < SHORT {
            return integral(z, self.length);
        }
        let [a, b] = growths;
        over(a * b + a + b, z)
    }

    /// ∫Re Σ c ζ e^{zτ} of terms with these factors, real and minus imaginary part of each in turn.
    fn path(&self, factors: impl Iterator<Item = Complex>) -> f64 {
        let terms = self.sizes.iter().zip(&self.integrals);
        factors.zip(terms).map(|(c, (size, integral))| (c * *size * *integral).re).sum()
    }

    /// What dampers lose by the terms alone.
    fn damped(&self, modes: &Modes) -> f64 {
        let exponents = &modes.terms.exponents;
        let pair = |&(t, s, [plain, conjugate]): &(usize, usize, [Complex; 2])| {
            let (size, other, z, y) = (self.sizes[t], self.sizes[s], exponents[t], exponents[s]);
            let [a, b] = [self.growths[t], self.growths[s]];
            let sum = size * other * plain * self.both(z + y, [a, b])
                + size * other.conj() * conjugate * self.both(z + y.conj(), [a, b.conj()]);
            if s == t { 0.5 * sum.re } else { sum.re }
        };
        modes.terms.grams.iter().map(pair).sum()
    }

    /// Work of the harmonic load `k`, whose wave is given at the start of the span, on the terms.
    fn pushed(&self, modes: &Modes, k: usize, omega: f64, wave: Complex) -> f64 {
        let turn = complex(0.0, omega);
        let one = |(t, pushes): (usize, &Vec<Complex>)| {
            if pushes[k] == ZERO {
                return 0.0;
            }
            // Re(Y e^{zτ}) sin(ωτ + θ)
            let (z, y) = (modes.terms.exponents[t], pushes[k] * self.sizes[t]);
            let both =
                y * integral(z + turn, self.length) + y.conj() * integral(z.conj() + turn, self.length);
            0.5 * (wave * both).im
        };
        modes.terms.pushes.iter().enumerate().map(one).sum()
    }
}

/// Factors of a row as complex numbers.
fn complex_factors(rows: &TermRows, i: usize) -> impl Iterator<Item = Complex> {
    rows.factors.row(i).chunks_exact(2).map(|pair| complex(pair[0], -pair[1]))
}

impl Modal {
    /// Adds the work of the current phase from τ = `a` to τ = `b`.
    pub(super) fn add_work(
        &mut self,
        model: &Model,
        stretch: &Stretch,
        [a, b]: [f64; 2],
        balance: &mut Balance,
    ) {
        let Some(modes) = self.phase.modes.as_deref() else { return };
        let (phase, length) = (&self.phase, b - a);
        self.terms.take(modes, phase, a, length);
        let terms = &self.terms;
        let mean = 0.5 * (a + b);
        // velocities that are no terms: at the start of the span, their mean, and accelerations
        let plain = |tau: f64| -> Vec<f64> {
            let at = |part: &Polynomial| part.coefficients[1] + 2.0 * tau * part.coefficients[2];
            phase.position.iter().map(at).collect()
        };
        let (mut first, mut u) = (plain(a), plain(mean));
        // C u, to which stiffness adds no rounding of the velocities to which braked motions tend
        let mut forces: Vec<f64> = model.damping.iter().map(|row| sparse_dot(row, &u)).collect();
        for t in 0..modes.terms.n_braked {
            let (rate, j) = (modes.terms.exponents[t].re, modes.terms.velocities[t][0].0);
            let end = -rate * phase.amplitudes[t].re;
            for (k, moved) in modes.mass_shape.row(j).iter().enumerate() {
                forces[k] -= rate * end * moved;
                first[k] += end * modes.shape.at(k, j);
                u[k] += end * modes.shape.at(k, j);
            }
        }
        let mut work =
            length * dot(&model.loads.constant, &u) + terms.path(modes.terms.constant.iter().copied());
        for (k, (omega, angle, amplitude)) in model.loads.harmonics.iter().enumerate() {
            let (sine, cosine) = libm::sincos(stretch.start.plus(a).angle(*omega, *angle));
            let wave = complex(cosine, sine);
            let turn = complex(0.0, *omega);
            work += (wave * integral(turn, length)).im * dot(amplitude, &first);
            let bend: f64 = amplitude.iter().zip(&phase.position).map(|(f, p)| f * p.coefficients[2]).sum();
            if bend != 0.0 {
                work += 2.0 * bend * (wave * moment(turn, length)).im;
            }
            work += terms.pushed(modes, k, *omega, wave);
        }
        let mut viscous = terms.damped(modes);
        if u.iter().any(|u| *u != 0.0) {
            viscous += length * dot(&u, &forces);
            // 2 ΦᵀC u, what a velocity of each natural mode loses with the constant one
            let mut dragged = vec![0.0; modes.n_modes];
            for (k, force) in forces.iter().enumerate().filter(|(_, force)| **force != 0.0) {
                let shape = modes.shape.row(k);
                dragged.iter_mut().zip(shape).for_each(|(sum, shape)| *sum += 2.0 * shape * force);
            }
            viscous += terms.path(modes.terms.velocities.iter().map(|v| along(&dragged, v)));
        }
        for (i, contact) in model.contacts.iter().enumerate() {
            match stretch.regime.contacts[i] {
                ContactMode::Slip { piece } => {
                    let force = contact.line.pieces[piece].force;
                    let turning = complex_factors(&modes.terms.sliding, i)
                        .zip(&modes.terms.exponents)
                        .map(|(factor, z)| factor * *z);
                    let slid =
                        length * (sparse_dot(&contact.direction, &u) - contact.belt) + terms.path(turning);
                    balance.friction_loss += force * slid;
                    work -= force * contact.belt * length;
                }
                ContactMode::Stick { corner, .. } => {
                    let v = contact.line.corners[corner].v;
                    let Some(a) = modes.members.iter().position(|&member| member == i) else { continue };
                    if v == 0.0 && contact.belt == 0.0 {
                        continue;
                    }
                    let [base, ramp, _] = phase.held[a].coefficients;
                    let factors = complex_factors(&modes.terms.held, a);
                    let impulse = length * (base + ramp * mean) + terms.path(factors);
                    balance.friction_loss += impulse * v;
                    work -= impulse * contact.belt;
                }
                ContactMode::Open => {}
            }
        }
        balance.work_in += work;
        balance.viscous_loss += viscous;
    }
}

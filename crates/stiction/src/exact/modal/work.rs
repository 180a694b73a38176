//! The work of a phase in modes.
//!
//! ```text
//!   ∫q̇ᵀC q̇ = Σ 2σⱼ ∫η̇ⱼ² + 2 Σ (ΦᵀC u_c)ⱼ ∫η̇ⱼ + u_cᵀC u_c L
//!   ∫λ = ∫(base + ramp τ + Σ ℓ sin) − Σ (kₐⱼ ∫ηⱼ + cₐⱼ ∫η̇ⱼ),    ωⱼ²∫ηⱼ = ∫pⱼ − [η̇ⱼ] − 2σⱼ∫η̇ⱼ
//! ```
//!
//! None of it comes from the positions, which the balance of energy compares it with.

use super::Modal;
use super::modes::Modes;
use crate::contact::ContactMode;
use crate::exact::taylor::Stretch;
use crate::exact::taylor::{Model, sparse_dot};
use crate::math::complex::{Complex, complex};
use crate::math::dense::dot;
use crate::record::Balance;

/// What a phase comes to.
pub(super) struct WorkTally {
    pub work: f64,
    pub viscous: f64,
    /// Way of each contact beside that of the imposed velocities (m).
    pub path: Vec<f64>,
    /// Impulses of the resting contacts beside those of the steady waves (N s).
    pub impulse: Vec<f64>,
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
        let Some(modes) = self.phase.modes.clone() else { return };
        let (n, length) = (model.n, b - a);
        // the modes at both ends, and the loads at the first
        self.look.at(&modes, model, &self.phase, b);
        let speed: Vec<f64> = self.look.whole[..modes.n_modes].iter().map(|whole| whole[1]).collect();
        self.look.at(&modes, model, &self.phase, a);
        let phase = &self.phase;
        // ∫e^{i(ωτ + θ)} of the loads, from the middle so that nothing cancels
        let mut angles: Vec<Complex> = Vec::with_capacity(model.harmonics.len());
        for ((omega, ..), [sine, cosine]) in model.harmonics.iter().zip(&self.look.waves) {
            let (s, c) = libm::sincos(0.5 * omega * length);
            let size = 2.0 / omega * s;
            angles.push(complex(size * (cosine * c - sine * s), size * (sine * c + cosine * s)));
        }
        // what the resting contacts must hold on the average, if anything that they hold moves
        let is_moving = |i: usize| match stretch.mode[i] {
            ContactMode::Stick { corner, .. } => {
                model.contacts[i].line.corners[corner].v != 0.0 || model.contacts[i].belt != 0.0
            }
            ContactMode::Slip { .. } | ContactMode::Open => false,
        };
        let mean = 0.5 * (a + b);
        let held = |a: usize| length * (phase.base[a] + phase.force_ramp[a] * mean);
        let mut tally = WorkTally {
            work: 0.0,
            viscous: 0.0,
            path: vec![0.0; model.contacts.len()],
            impulse: (0..modes.members.len()).map(held).collect(),
        };
        let u = &phase.u_c[..n];
        if u.iter().any(|u| *u != 0.0) {
            tally.work += length * dot(&model.constant, u);
            tally.viscous += length * (0..n).map(|k| u[k] * sparse_dot(&model.damping[k], u)).sum::<f64>();
            for ((.., amplitude), angle) in model.harmonics.iter().zip(&angles) {
                tally.work += angle.im * dot(amplitude, u);
            }
        }
        match &modes.coupled {
            Some(coupled) => self.add_coupled_work((&modes, coupled), model, [a, length], &mut tally),
            None => self.add_mode_work(&modes, model, [a, length], (&angles, &speed), &mut tally),
        }
        let u = &self.phase.u_c[..n];
        for (i, contact) in model.contacts.iter().enumerate() {
            match stretch.mode[i] {
                ContactMode::Slip { piece } => {
                    let force = contact.line.pieces[piece].force;
                    let slid = tally.path[i] + length * (sparse_dot(&contact.direction, u) - contact.belt);
                    balance.friction_loss += force * slid;
                    tally.work -= force * contact.belt * length;
                }
                ContactMode::Stick { corner, .. } if is_moving(i) => {
                    let Some(a) = modes.members.iter().position(|&member| member == i) else { continue };
                    let waves = modes.held_waves[a].iter().zip(&angles);
                    let impulse =
                        tally.impulse[a] + waves.map(|(wave, angle)| (*wave * *angle).re).sum::<f64>();
                    balance.friction_loss += impulse * contact.line.corners[corner].v;
                    tally.work -= impulse * contact.belt;
                }
                ContactMode::Stick { .. } | ContactMode::Open => {}
            }
        }
        balance.work_in += tally.work;
        balance.viscous_loss += tally.viscous;
    }

    /// Adds what each mode does from τ = `start` on over `length`; `angles` are the integrals of the loads,
    /// `speed` the velocities of the modes at the end.
    fn add_mode_work(
        &mut self,
        modes: &Modes,
        model: &Model,
        [start, length]: [f64; 2],
        (angles, speed): (&[Complex], &[f64]),
        tally: &mut WorkTally,
    ) {
        let (n, phase) = (model.n, &self.phase);
        let u = &phase.u_c[..n];
        let is_carried = u.iter().any(|u| *u != 0.0);
        let mean = start + 0.5 * length;
        for (j, forced) in modes.oscillators.iter().enumerate() {
            forced.integrals(&phase.amplitudes[j], start, length, &self.look.waves, &mut self.integrals);
            let (w, shift) = (&self.integrals, phase.shift[j]);
            let (sigma, square) = (forced.oscillator.sigma, modes.squares[j]);
            let travel = w.path + shift * length;
            let constant: f64 = (0..n).map(|k| modes.shape.at(k, j) * model.constant[k]).sum();
            tally.work += constant * travel;
            for ((size, push), angle) in modes.tones.row(j).iter().zip(&w.pushes).zip(angles) {
                tally.work += size * (push + shift * angle.im);
            }
            tally.viscous += 2.0 * sigma * (w.square + shift * (2.0 * w.path + shift * length));
            if is_carried {
                let damped: f64 =
                    (0..n).map(|k| modes.shape.at(k, j) * sparse_dot(&model.damping[k], u)).sum();
                tally.viscous += 2.0 * damped * travel;
            }
            for (i, path) in tally.path.iter_mut().enumerate() {
                *path += modes.sliding_shape.at(i, j) * travel;
            }
            if square > 0.0 && !tally.impulse.is_empty() {
                let tones: f64 =
                    modes.tones.row(j).iter().zip(angles).map(|(size, angle)| size * angle.im).sum();
                let pushed = length * (phase.load[j] + phase.ramp[j] * mean) + tones;
                let displaced = (pushed - (speed[j] - self.look.whole[j][1]) - 2.0 * sigma * travel) / square;
                for (a, impulse) in tally.impulse.iter_mut().enumerate() {
                    let [displacement, velocity] = modes.held.row(a).at(j);
                    *impulse += displacement * displaced + velocity * travel;
                }
            }
        }
    }
}

//! The work of a phase in modes.
//!
//! ```text
//!   ∫q̇ᵀC q̇ = Σ 2σⱼ ∫η̇ⱼ² + 2 Σ (ΦᵀC u_c)ⱼ ∫η̇ⱼ + u_cᵀC u_c L
//!   ∫λ = ∫(base + ramp τ + Σ ℓ sin) − Σ kₐⱼ (∫ηⱼ + β∫η̇ⱼ),    ωⱼ²∫ηⱼ = ∫pⱼ − [η̇ⱼ] − 2σⱼ∫η̇ⱼ
//! ```
//!
//! None of it comes from the positions, which the balance of energy compares it with.

use super::Modal;
use crate::exact::prepared::{Prepared, sparse_dot};
use crate::exact::segment::{ContactMode, Segment};
use crate::math::dense::dot;
use crate::simulate::Balance;

impl Modal {
    /// Adds the work of the current phase from τ = `a` to τ = `b`.
    pub(super) fn add_work(
        &mut self,
        body: &Prepared,
        segment: &Segment,
        [a, b]: [f64; 2],
        balance: &mut Balance,
    ) {
        let Some(modes) = self.phase.modes.clone() else { return };
        let (n, length) = (body.n, b - a);
        // the modes at both ends, and the loads at the first
        self.look.at(&modes, body, &self.phase, b);
        let speed: Vec<f64> = self.look.whole[..modes.n_modes].iter().map(|whole| whole[1]).collect();
        self.look.at(&modes, body, &self.phase, a);
        let phase = &self.phase;
        let u = &phase.u_c[..n];
        let is_carried = u.iter().any(|u| *u != 0.0);
        // ∫sin of the loads, from the middle so that nothing cancels
        let mut angles: Vec<f64> = Vec::with_capacity(body.tones.len());
        for ((omega, ..), [sine, cosine]) in body.tones.iter().zip(&self.look.waves) {
            let half = 0.5 * omega * length;
            let (s, c) = libm::sincos(half);
            angles.push(2.0 / omega * s * (sine * c + cosine * s));
        }
        // what the resting contacts must hold on the average, if anything that they hold moves
        let is_moving = |i: usize| match segment.mode[i] {
            ContactMode::Rest { corner, .. } => {
                body.contacts[i].line.corners[corner].v != 0.0 || body.contacts[i].belt != 0.0
            }
            ContactMode::Slide { .. } => false,
        };
        let mean = 0.5 * (a + b);
        let mut impulse: Vec<f64> =
            (0..modes.members.len()).map(|a| length * (phase.base[a] + phase.force_ramp[a] * mean)).collect();
        let needs_impulse = modes.members.iter().any(|&i| is_moving(i));
        let mut path: Vec<f64> = vec![0.0; body.contacts.len()];

        let mut work = 0.0;
        let mut viscous = 0.0;
        if is_carried {
            work += length * dot(&body.constant, u);
            viscous += length * (0..n).map(|k| u[k] * sparse_dot(&body.damping[k], u)).sum::<f64>();
            for ((.., amplitude), angle) in body.tones.iter().zip(&angles) {
                work += angle * dot(amplitude, u);
            }
        }
        for (j, forced) in modes.oscillators.iter().enumerate() {
            forced.integrals(&phase.amplitudes[j], a, length, &self.look.waves, &mut self.integrals);
            let (w, shift) = (&self.integrals, phase.shift[j]);
            let (sigma, square) = (forced.oscillator.sigma, modes.squares[j]);
            let travel = w.path + shift * length;
            let constant: f64 = (0..n).map(|k| modes.shape.at(k, j) * body.constant[k]).sum();
            work += constant * travel;
            for ((size, push), angle) in modes.tones.row(j).iter().zip(&w.pushes).zip(&angles) {
                work += size * (push + shift * angle);
            }
            viscous += 2.0 * sigma * (w.square + shift * (2.0 * w.path + shift * length));
            if is_carried {
                let damped: f64 =
                    (0..n).map(|k| modes.shape.at(k, j) * sparse_dot(&body.damping[k], u)).sum();
                viscous += 2.0 * damped * travel;
            }
            for (path, sliding) in path.iter_mut().zip((0..).map(|i| modes.sliding.at(i, j))) {
                *path += sliding * travel;
            }
            if needs_impulse && square > 0.0 {
                let tones: f64 =
                    modes.tones.row(j).iter().zip(&angles).map(|(size, angle)| size * angle).sum();
                let pushed = length * (phase.load[j] + phase.ramp[j] * mean) + tones;
                let displaced = (pushed - (speed[j] - self.look.whole[j][1]) - 2.0 * sigma * travel) / square;
                for (a, impulse) in impulse.iter_mut().enumerate() {
                    *impulse -= modes.held.at(a, j) * (displaced + self.structure.beta * travel);
                }
            }
        }
        for (i, contact) in body.contacts.iter().enumerate() {
            match segment.mode[i] {
                ContactMode::Slide { piece } => {
                    let force = contact.line.pieces[piece].force;
                    let slid = path[i] + length * (sparse_dot(&contact.direction, u) - contact.belt);
                    balance.friction_loss += force * slid;
                    work -= force * contact.belt * length;
                }
                ContactMode::Rest { corner, .. } if is_moving(i) => {
                    let Some(a) = modes.members.iter().position(|&member| member == i) else { continue };
                    let tones = body.tones.iter().zip(&angles);
                    let pushed: f64 = tones
                        .map(|((.., amplitude), angle)| dot(modes.carried.row(a), amplitude) * angle)
                        .sum();
                    let impulse = impulse[a] + pushed;
                    balance.friction_loss += impulse * contact.line.corners[corner].v;
                    work -= impulse * contact.belt;
                }
                ContactMode::Rest { .. } => {}
            }
        }
        balance.work_in += work;
        balance.viscous_loss += viscous;
    }
}

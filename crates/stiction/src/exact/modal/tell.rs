//! A phase in modes as power series over a panel.

use super::Modal;
use crate::exact::panel::{PanelSeries, panel_length};
use crate::exact::prepared::Prepared;
use crate::exact::segment::ORDER;
use crate::math::dense::dot;

/// The free motion of a mode is silent if velocity and acceleration are below this part of the whole: rounding.
const SILENT: f64 = 1e-18;

/// Positions, velocities and forces of the resting contacts from τ on, as series in s: by order and degree of freedom, or by
/// order and contact.
#[derive(Clone, Debug, Default)]
pub(in crate::exact) struct ModalPanel {
    pub tau: f64,
    pub length: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub force: Vec<f64>,
    acceleration: Vec<f64>,
}

impl Modal {
    /// Expands the current phase from τ on, over at most `longest`. Fast modes whose free motion has died away do not count.
    pub fn panel(&mut self, body: &Prepared, tau: f64, longest: f64, panel: &mut ModalPanel) {
        let (n, m) = (body.n, body.contacts.len());
        panel.q.resize((ORDER + 1) * n, 0.0);
        panel.v.resize((ORDER + 1) * n, 0.0);
        panel.force.resize((ORDER + 1) * m, 0.0);
        panel.acceleration.resize(n, 0.0);
        panel.tau = tau;
        self.state(body, false, tau, &mut panel.q[..n], &mut panel.v[..n], &mut panel.acceleration);
        for i in 0..m {
            panel.force[i] = self.force(body, false, tau, i)[0];
        }
        let Some(modes) = self.phase.modes.clone() else { return };
        let jets = &self.look.jets[..modes.n_modes];
        let size = |order: usize| jets.iter().map(|jet| jet.w[order].abs()).fold(0.0, f64::max);
        let whole = [size(0), size(1)];
        let is_silent = |j: usize| {
            let free = modes.oscillators[j].free_speeds(&jets[j]);
            free.is_some_and(|free| free[0] <= SILENT * whole[0] && free[1] <= SILENT * whole[1])
        };
        let rate = |j: usize| {
            let oscillator = &modes.oscillators[j];
            if is_silent(j) { oscillator.fastest_wave() } else { oscillator.rate(&jets[j]) }
        };
        let waves = body.tones.iter().map(|tone| tone.0).fold(0.0, f64::max);
        let length = panel_length((0..modes.n_modes).map(rate).fold(waves, f64::max), longest);
        panel.length = length;

        panel.v[n..].fill(0.0);
        panel.force[m..].fill(0.0);
        let beta = self.structure.beta;
        let mut w: PanelSeries = [0.0; ORDER + 1];
        for (j, jet) in jets.iter().enumerate() {
            let oscillator = &modes.oscillators[j];
            if is_silent(j) {
                oscillator.waves(jet, length, &mut w);
            } else {
                oscillator.panel(jet, &self.look.waves, length, &mut w);
            }
            for (order, w) in w.iter().enumerate().skip(1) {
                for k in 0..n {
                    panel.v[order * n + k] += modes.shape.at(k, j) * w;
                }
            }
            // the constant part of the velocity
            w[0] += self.phase.shift[j];
            for (a, &i) in modes.members.iter().enumerate() {
                let held = modes.held.at(a, j);
                for order in 0..ORDER {
                    // force′ of order o over (o + 1), times the length
                    let step = length / (order + 1) as f64;
                    panel.force[(order + 1) * m + i] -= held * (step * w[order] + beta * w[order + 1]);
                }
            }
        }
        for (a, &i) in modes.members.iter().enumerate() {
            panel.force[m + i] += length * self.phase.force_ramp[a];
            for ((omega, _, amplitude), [sine, cosine]) in body.tones.iter().zip(&self.look.waves) {
                let size = dot(modes.carried.row(a), amplitude);
                let (mut sine, mut cosine) = (size * sine, size * cosine);
                for order in 1..=ORDER {
                    let turn = omega * length / order as f64;
                    (sine, cosine) = (turn * cosine, -turn * sine);
                    panel.force[order * m + i] += sine;
                }
            }
        }
        for order in 0..ORDER {
            for k in 0..n {
                panel.q[(order + 1) * n + k] = length * panel.v[order * n + k] / (order + 1) as f64;
            }
        }
    }
}

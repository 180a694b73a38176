//! Signals as series.

use super::model::Model;
use super::rounding::turned;
use super::stretch::{ORDER, Stretch};

impl Stretch {
    /// Reads signals and loads at the start.
    pub fn set_clock(&mut self, model: &Model) {
        for (signal, now) in model.signals.iter().zip(&mut self.series.signals) {
            *now = signal.constant;
            for wave in signal.waves_at(self.start.t) {
                *now += wave.amplitude * libm::sin(self.start.angle(wave.omega, wave.phase));
            }
            *now += signal.pieces(self.start.t).map(|piece| piece.series[0]).sum::<f64>();
        }
        for (size, signal) in self.rounding.signals.iter_mut().zip(&model.signals) {
            let waves = signal.waves_at(self.start.t);
            *size = signal.constant.abs()
                + waves.map(|w| w.amplitude.abs() * turned(w.omega, self.start.t)).sum::<f64>()
                + signal.pieces(self.start.t).map(|piece| piece.series[0].abs()).sum::<f64>();
        }
    }

    /// The series of the signals.
    pub(super) fn extend_signals(&mut self, model: &Model) {
        let s = model.signals.len();
        if s == 0 {
            return;
        }
        self.series.signals[s..].fill(0.0);
        for (k, signal) in model.signals.iter().enumerate() {
            for wave in signal.waves_at(self.start.t) {
                let (sine, cosine) = libm::sincos(self.start.angle(wave.omega, wave.phase));
                let mut own = [wave.amplitude * sine, wave.amplitude * cosine];
                for j in 1..=ORDER {
                    let turn = wave.omega * self.length / j as f64;
                    own = [turn * own[1], -turn * own[0]];
                    self.series.signals[j * s + k] += own[0];
                }
            }
            for piece in signal.pieces(self.start.t) {
                let mut power = 1.0;
                for (j, c) in piece.series.iter().enumerate().skip(1) {
                    power *= self.length;
                    self.series.signals[j * s + k] += c * power;
                }
            }
        }
    }
}

//! Decomposition of the motion of a phase into steady and decaying parts, each with bounds from now on.
//!
//! Steady parts are the equilibrium, its drift and the harmonics of the loads; of a quantity they are a
//! constant, a rate and one complex amplitude a load.

use super::Phase;
use super::modes::Modes;
use crate::exact::forced::Jet;
use crate::exact::oscillator::LinearOscillator;
use crate::exact::taylor::Model;
use crate::math::complex::complex;

/// A part of the motion of one mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModalPart {
    /// The mode.
    pub mode: usize,
    kind: ModalPartKind,
    /// The rate at which it changes; zero if it is to be followed at any rate (1/s).
    pub rate: f64,
    /// Size of the terms that cancel in its displacement, and by which factor those of its derivatives grow
    /// (1/s).
    pub rounding: f64,
    pub exponent: f64,
}

impl ModalPart {
    /// A part in which nothing cancels.
    fn plain(mode: usize, kind: ModalPartKind, rate: f64) -> Self {
        Self { mode, kind, rate, rounding: 0.0, exponent: 0.0 }
    }

    /// Size of the terms that cancel in a row of coefficients, at the start of the phase.
    pub fn cancelling(&self, [a, b]: [f64; 2], order: usize) -> f64 {
        let power = if order == 0 { 1.0 } else { self.exponent };
        self.rounding * power * (a.abs() + b.abs() * self.exponent)
    }
}

#[derive(Clone, Copy, Debug)]
enum ModalPartKind {
    /// A velocity `size · e^{exponent · τ}`.
    Exponential { exponent: f64, size: f64 },
    /// A free motion whose energy decays.
    Swing,
    /// A mode that is not taken apart: without stiffness, or near resonance.
    Whole,
}

/// A part at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartState {
    /// Displacement, velocity, and its derivatives up to the third.
    pub jet: [f64; 5],
    /// Bounds on them, and on the fourth derivative of the velocity, from now on.
    pub size: [f64; 6],
}

/// The parts of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct ModalParts {
    pub list: Vec<ModalPart>,
    /// How long the bounds hold (s).
    pub reach: f64,
    /// What lasts of each row of coefficients: the degrees of freedom, then the forces of the resting
    /// contacts.
    lasting: Vec<Lasting>,
    turns: Vec<[f64; 2]>,
    jet: Jet,
}

/// What lasts of a row.
#[derive(Clone, Debug, Default)]
struct Lasting {
    constant: f64,
    drift: f64,
    /// Rounding of the constant, in units of the last place.
    size: f64,
    waves: Vec<[f64; 2]>,
}

impl ModalParts {
    /// Takes a phase apart.
    pub fn take(&mut self, modes: &Modes, model: &Model, phase: &Phase) {
        self.list.clear();
        let (n, r, n_waves) = (model.n, modes.members.len(), model.harmonics.len());
        self.lasting.resize_with(n + r, Lasting::default);
        for (row, lasting) in self.lasting.iter_mut().enumerate() {
            lasting.waves.clear();
            lasting.waves.resize(n_waves, [0.0; 2]);
            (lasting.constant, lasting.drift, lasting.size) = match row.checked_sub(n) {
                None => (phase.q_c[row], phase.u_c[row], phase.q_c[row].abs()),
                Some(a) => (phase.base[a], phase.force_ramp[a], phase.force_size[a]),
            };
        }
        for (row, lasting) in self.lasting.iter_mut().enumerate() {
            let waves =
                row.checked_sub(n).map_or_else(|| modes.position_waves(row), |a| &modes.held_waves[a]);
            for ((wave, amplitude), [sine, cosine]) in lasting.waves.iter_mut().zip(waves).zip(&phase.angles)
            {
                let turned = *amplitude * complex(*cosine, *sine);
                *wave = [turned.re, turned.im];
            }
        }
        for (mode, forced) in modes.oscillators.iter().enumerate() {
            let LinearOscillator { sigma, square, .. } = forced.oscillator;
            if square <= 0.0 || forced.is_resonant() {
                self.list.push(ModalPart::plain(mode, ModalPartKind::Whole, 0.0));
                continue;
            }
            let shift = phase.shift[mode];
            let rest = (phase.load[mode] - 2.0 * sigma * shift) / square;
            for (row, lasting) in self.lasting.iter_mut().enumerate() {
                let [a, b] = match row.checked_sub(n) {
                    None => modes.position(row).at(mode),
                    Some(i) => modes.held.row(i).at(mode),
                };
                if [a, b] == [0.0; 2] {
                    continue;
                }
                lasting.constant += a * rest + b * shift;
                lasting.drift += a * shift;
                lasting.size += (a * rest).abs();
                let waves = forced.steady_waves(&phase.amplitudes[mode]);
                for ((total, [re, im]), (omega, ..)) in
                    lasting.waves.iter_mut().zip(waves).zip(&model.harmonics)
                {
                    // the displacement is the velocity over iω
                    total[0] += a * im / omega + b * re;
                    total[1] += b * im - a * re / omega;
                }
            }
            match forced.exponentials(&phase.amplitudes[mode]) {
                Some([slow, fast]) => {
                    for ([exponent, size], other) in [(slow, fast), (fast, slow)] {
                        let kind = ModalPartKind::Exponential { exponent, size };
                        // each is a difference of terms as large as the velocities of both
                        let rounding = (size.abs() + other[1].abs()) / exponent.abs();
                        self.list.push(ModalPart {
                            mode,
                            kind,
                            rate: exponent.abs(),
                            rounding,
                            exponent: exponent.abs(),
                        });
                    }
                }
                None => self.list.push(ModalPart::plain(mode, ModalPartKind::Swing, square.sqrt() + sigma)),
            }
        }
    }

    /// Value and derivatives of what lasts of a row at τ, bounds on the derivatives from the third on, and
    /// the size of the terms; `turns` are cosine and sine of ωτ.
    pub fn lasting(
        &self,
        model: &Model,
        row: usize,
        tau: f64,
        turns: &[[f64; 2]],
    ) -> ([f64; 5], [f64; 3], f64) {
        let lasting = &self.lasting[row];
        let mut jet = [lasting.constant + lasting.drift * tau, lasting.drift, 0.0, 0.0, 0.0];
        let (mut bounds, mut size) = ([0.0; 3], lasting.size + (lasting.drift * tau).abs());
        for (((omega, ..), &[a, b]), &[c, s]) in model.harmonics.iter().zip(&lasting.waves).zip(turns) {
            let (mut re, mut im) = (a * c - b * s, a * s + b * c);
            for slot in &mut jet {
                *slot += re;
                (re, im) = (-omega * im, omega * re);
            }
            let crest = (a * a + b * b).sqrt();
            let mut bound = crest * omega * omega * omega;
            for slot in &mut bounds {
                *slot += bound;
                bound *= omega;
            }
            size += crest;
        }
        (jet, bounds, size)
    }

    /// Cosine and sine of ωτ of each load at the instant of the last look.
    pub fn turns(&self) -> &[[f64; 2]] {
        &self.turns
    }

    /// All parts at τ.
    pub fn at(&mut self, modes: &Modes, model: &Model, phase: &Phase, tau: f64, out: &mut Vec<PartState>) {
        self.turns.clear();
        for (omega, ..) in &model.harmonics {
            let (s, c) = libm::sincos(omega * tau);
            self.turns.push([c, s]);
        }
        self.reach = f64::INFINITY;
        out.clear();
        for part in &self.list {
            let (j, forced) = (part.mode, &modes.oscillators[part.mode]);
            let LinearOscillator { sigma, square, .. } = forced.oscillator;
            let amplitudes = &phase.amplitudes[j];
            let mut state = PartState::default();
            match part.kind {
                ModalPartKind::Exponential { exponent, size } => {
                    let mut value = size * libm::exp(exponent * tau) / exponent;
                    for (order, bound) in state.size.iter_mut().enumerate() {
                        *bound = value.abs();
                        if let Some(slot) = state.jet.get_mut(order) {
                            *slot = value;
                        }
                        value *= exponent;
                    }
                }
                ModalPartKind::Swing => {
                    let [y, y1] = forced.swing(amplitudes, tau);
                    let y2 = -2.0 * sigma * y1 - square * y;
                    let y3 = -2.0 * sigma * y2 - square * y1;
                    let y4 = -2.0 * sigma * y3 - square * y2;
                    state.jet = [-(y1 + 2.0 * sigma * y) / square, y, y1, y2, y3];
                    // √(y′² + ω²y²) does not grow, whichever derivative y is
                    let omega = square.sqrt();
                    let ([q, ..], energy) = (state.jet, |y: f64, y1: f64| (y1 * y1 + square * y * y).sqrt());
                    let [e0, e2, e4] = [energy(q, y), energy(y1, y2), energy(y3, y4)];
                    state.size = [e0 / omega, e0, e2 / omega, e2, e4 / omega, e4];
                }
                ModalPartKind::Whole => {
                    forced.jet(amplitudes, tau, &mut self.jet);
                    let loads = phase.angles.iter().zip(&self.turns);
                    let waves: Vec<[f64; 2]> = loads
                        .map(|([sine, cosine], [c, s])| [sine * c + cosine * s, cosine * c - sine * s])
                        .collect();
                    state.jet = phase.whole(modes, &waves, j, &self.jet);
                    let free = forced.free_jet(&self.jet);
                    let [displaced, moved] = forced.steady_bounds();
                    let bounds = if square > 0.0 {
                        let [displacement, velocity] = forced.free_bounds(free);
                        self.reach = self.reach.min(displacement.reach).min(velocity.reach);
                        [displacement.third, velocity.third, velocity.fourth]
                    } else {
                        // y″ + 2σy′ = 0
                        let (rate, y1) = (2.0 * sigma, free[2].abs());
                        [rate * y1, rate * rate * y1, rate * rate * rate * y1]
                    };
                    let waves = [displaced[0], moved[0], moved[1]];
                    state.size = [f64::INFINITY; 6];
                    for (slot, (free, wave)) in state.size[3..].iter_mut().zip(bounds.iter().zip(waves)) {
                        *slot = free + wave;
                    }
                }
            }
            out.push(state);
        }
    }
}

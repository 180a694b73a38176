//! What a phase of one degree of freedom adds to the measures of a period: Coulomb friction on a base at
//! rest, one wave.
//!
//! A slide keeps the sign of its velocity, so that its extrema are its ends and the powers of friction and
//! damper keep theirs; that of the load F changes its sign with F. The integrals are those of `accumulate`;
//! that of the position times the wave comes from the velocity:
//!
//! ```text
//!   ∫u sin θ = −[u cos θ]/ω + ∫w cos θ/ω,   ∫u cos θ = [u sin θ]/ω − ∫w sin θ/ω,   θ = ωt + φ
//! ```

use super::super::load_harmonics::LoadHarmonic;
use super::super::taylor::ORDER;
use super::accumulate::SlideWork;
use super::{Mode, Single};
use crate::Error;
use crate::record::Balance;
use std::f64::consts::{PI, TAU};

/// Changes of sign of the load during a slide, at most; one or two are the rule.
const MOST_CHANGES: usize = 14;

/// What a phase adds to the measures of a period.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CycleShare {
    pub balance: Balance,
    /// The integral of the moduli of all powers (J).
    pub exchange: f64,
    /// ∫w sin θ and ∫w cos θ (m).
    pub along: [f64; 2],
    /// Positions at both ends, which are its extrema (m).
    pub ends: [f64; 2],
    /// Whether it is a rest.
    pub rests: bool,
}

impl SlideWork {
    fn add(&mut self, more: Self) {
        self.path += more.path;
        self.square += more.square;
        self.push += more.push;
        self.turned += more.turned;
    }
}

impl Single {
    /// What the phase that began at `from` adds up to now, measured by the wave of frequency and phase
    /// `[ω, φ]`. `None` if there are belts, slopes or other waves, or if only a part of the phase is asked
    /// for.
    pub fn cycle(&mut self, from: f64, [omega, phase]: [f64; 2]) -> Result<Option<CycleShare>, Error> {
        let [tone] = self.tones[..] else { return Ok(None) };
        let (start, u0) = (self.phase.start, self.phase.u0);
        if (tone.omega, tone.phase) != (omega, phase) || start.since(from) > 0.0 {
            return Ok(None);
        }
        match self.phase.mode {
            Mode::Rest { knot, .. } if self.q.knots[knot].is_carried => Ok(None),
            Mode::Rest { .. } => Ok(Some(CycleShare { ends: [u0; 2], rests: true, ..CycleShare::default() })),
            Mode::Slide { piece, .. } => {
                if !self.is_plain(piece) {
                    return Ok(None);
                }
                let length = start.until(self.now.t) + self.now.rest;
                self.slide_share(piece, tone, length)
            }
        }
    }

    /// Whether the velocity keeps its sign on a piece, and the contacts their forces, on a base at rest.
    fn is_plain(&self, piece: usize) -> bool {
        let [below, above] = self.q.ends(piece);
        let is_plain = |i: usize| {
            let contact = &self.q.contacts[i];
            contact.belt == 0.0 && contact.line.pieces[self.q.own_piece(piece, i)].slope == 0.0
        };
        (below >= 0.0 || above <= 0.0) && (0..self.q.contacts.len()).all(is_plain)
    }

    fn slide_share(
        &mut self,
        piece: usize,
        tone: LoadHarmonic,
        length: f64,
    ) -> Result<Option<CycleShare>, Error> {
        let Some((changes, n)) = self.changes(tone, length) else { return Ok(None) };
        let constant = self.constant;
        let push = |work: &SlideWork| work.push + constant * work.path;
        let mut series = [0.0; ORDER + 1];
        let (mut work, mut to_and_fro, mut tau) = (SlideWork::default(), 0.0, 0.0);
        for end in changes[..n].iter().copied().chain([length]) {
            while tau < end {
                let (length, part) = self.panel_work(piece, tau, end, &mut series)?;
                to_and_fro += push(&part).abs();
                work.add(part);
                tau += length.max(f64::EPSILON * tau);
            }
        }
        let mut share = CycleShare::default();
        self.add_work(piece, length, work, &mut share.balance);
        // the loss of each contact by itself, which may add energy
        let mut losses = (self.damping * work.square).abs();
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let force = contact.line.pieces[self.q.own_piece(piece, i)].force;
            losses += (force * contact.direction * work.path).abs();
        }
        share.exchange = to_and_fro + losses;
        share.along = [work.push / tone.size, -work.turned / tone.size];
        let u0 = self.phase.u0;
        share.ends = [u0, if self.ended { self.end.u } else { u0 + work.path }];
        Ok(Some(share))
    }

    /// The times since the start of the phase, before `length`, at which the load changes its sign, and how
    /// many they are; `None` if there are too many.
    fn changes(&self, tone: LoadHarmonic, length: f64) -> Option<([f64; MOST_CHANGES], usize)> {
        let (mut times, mut n) = ([0.0; MOST_CHANGES], 0);
        let level = -self.constant / tone.size;
        if level.abs() >= 1.0 {
            return Some((times, 0));
        }
        let crossing = if level == 0.0 { 0.0 } else { libm::asin(level) };
        let now = self.phase.start.angle(tone.omega, tone.phase);
        for base in [crossing, PI - crossing] {
            let mut turns = ((now - base) / TAU).floor() + 1.0;
            loop {
                let tau = (base + turns * TAU - now) / tone.omega;
                if !(tau < length) {
                    break;
                }
                if n == MOST_CHANGES {
                    return None;
                }
                if tau > 0.0 {
                    times[n] = tau;
                    n += 1;
                }
                turns += 1.0;
            }
        }
        times[..n].sort_unstable_by(f64::total_cmp);
        Some((times, n))
    }
}

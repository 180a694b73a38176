//! Which contacts with set-valued laws rest, as they stand at an event.

use super::super::{ContactState, Dynamics};
use super::{ContactMode, ROUNDING};
use crate::contact::direction;
use crate::law::Law;
use crate::math::dense::dot;

/// Passes that take sliding velocities out of the contacts at rest: each takes the rounding of the one
/// before, until nothing is left.
const PASSES: usize = 4;
/// A difference that is smaller than this part of its terms is their rounding.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

impl Dynamics {
    /// Settles which contacts rest, as they stand now.
    ///
    /// Static friction above kinetic can leave more than one answer; none in which one contact more could
    /// rest is taken.
    pub(super) fn decide(&mut self, t: f64, y: &mut [f64]) {
        let m = self.states.len();
        self.vary(t, y);
        self.states.iter_mut().for_each(|state| state.first = state.mode);
        self.settle_modes(t, y);
        for i in 0..m {
            let state = &self.states[i];
            let was_let_go = state.first == Some(ContactMode::STICK) && state.mode != state.first;
            if !was_let_go || m == 1 {
                continue;
            }
            self.states.iter_mut().for_each(|state| state.saved = state.mode);
            self.states[i].mode = Some(ContactMode::STICK);
            while let Some(j) = self.kept() {
                self.states[j].mode = Some(ContactMode::STICK);
            }
            self.take_out_sliding(y);
            self.balance(t, y);
            if (0..m).any(|i| self.wrong(i, y, true).is_some()) {
                self.states.iter_mut().for_each(|state| state.mode = state.saved);
                self.balance(t, y);
            }
        }
    }

    fn settle_modes(&mut self, t: f64, y: &mut [f64]) {
        let m = self.states.len();
        for round in 0..3 * m + 2 {
            self.take_out_sliding(y);
            self.balance(t, y);
            let mut worst: Option<(f64, usize, ContactMode)> = None;
            for i in 0..m {
                if let Some((excess, next)) = self.wrong(i, y, round <= m)
                    && worst.is_none_or(|worst| excess > worst.0)
                {
                    worst = Some((excess, i, next));
                }
            }
            match worst {
                Some((_, i, next @ ContactMode::Slip { .. })) => {
                    // what lies beside it goes with it
                    for j in 0..m {
                        if j != i
                            && self.are_parallel(i, j)
                            && let Some((_, next @ ContactMode::Slip { .. })) = self.wrong(j, y, false)
                        {
                            self.states[j].mode = Some(next);
                        }
                    }
                    self.states[i].mode = Some(next);
                }
                Some((_, i, next)) => self.states[i].mode = Some(next),
                None => match self.kept() {
                    Some(i) => self.states[i].mode = Some(ContactMode::STICK),
                    None => return,
                },
            }
        }
    }

    /// How contact `i` stands instead, if it cannot go on as it stands at the last evaluation, and the speed
    /// of a unit mass with the energy that its acceleration is wrong by: it does not depend on how the
    /// contact is cut or geared.
    fn wrong(&self, i: usize, y: &[f64], may_stop: bool) -> Option<(f64, ContactMode)> {
        let (n, state) = (self.system.n(), &self.states[i]);
        let own = self.delassus.at(i, i);
        let (excess, next) = match state.mode? {
            ContactMode::Stick { .. } => {
                let (hold, demand) = (state.hold, state.demand);
                let size = ROUNDING * (hold.high - hold.low + demand.abs());
                let (above, below) = (demand - hold.high, hold.low - demand);
                let sign = if above > below { 1.0 } else { -1.0 };
                ((above.max(below) - size) * own * state.load, ContactMode::slip(sign))
            }
            // one that was let go, and is pushed back
            ContactMode::Slip { piece } => {
                let sign = direction(piece);
                let hold = self.system.contacts[i].friction.law.friction_bounds(0.0, &[])?;
                if !may_stop || self.sliding(i, &y[n..2 * n]) != 0.0 {
                    return None;
                }
                let push = -sign * (dot(&state.mobility, &self.residual) - state.belt_rate);
                let terms: f64 = state.mobility.iter().zip(&self.load).map(|(a, b)| (a * b).abs()).sum();
                let size = (hold.high - hold.low) * own * state.load + terms;
                (push - ROUNDING * size, ContactMode::STICK)
            }
            ContactMode::Open => return None,
        };
        (excess > 0.0).then_some((excess / own.sqrt(), next))
    }

    /// A contact that slides, but cannot move because of those that rest.
    fn kept(&mut self) -> Option<usize> {
        let slides = |state: &ContactState| matches!(state.mode, Some(ContactMode::Slip { .. }));
        (0..self.states.len()).find(|&i| {
            let state = &self.states[i];
            slides(state) && state.load > 0.0 && self.is_kept(i)
        })
    }

    /// Whether the contacts that rest leave contact `i` no velocity: its direction w depends on theirs, w = Σ
    /// αⱼwⱼ, and its belt moves as Σ αⱼ times theirs. Its sliding velocity is then round-off, of whichever
    /// sign.
    pub(super) fn is_kept(&mut self, i: usize) -> bool {
        let contacts = &self.system.contacts;
        self.held_index.clear();
        self.held_index.extend((0..self.states.len()).filter(|j| *j != i && self.states[*j].holds()));
        // most move what nothing else touches
        let is_touched = |(k, w): (usize, &f64)| {
            *w == 0.0 || self.held_index.iter().any(|j| contacts[*j].direction[k] != 0.0)
        };
        if !contacts[i].direction.iter().enumerate().all(is_touched) {
            return false;
        }
        let h = self.held_index.len();
        self.held_index.push(i);
        for (a, &j) in self.held_index.iter().enumerate() {
            for (c, &k) in self.held_index.iter().enumerate() {
                self.held.g[a * (h + 1) + c] = self.delassus.at(j, k);
            }
        }
        if !self.held.keeps_last(h + 1) {
            return false;
        }
        for (a, &j) in self.held_index[..h].iter().enumerate() {
            self.held.b[a] = self.delassus.at(j, i);
            for (c, &k) in self.held_index[..h].iter().enumerate() {
                self.held.g[a * h + c] = self.delassus.at(j, k);
            }
        }
        self.held.respond(h, |_| true);
        let belt = self.states[i].belt;
        let (mut left, mut terms) = (-belt, belt.abs());
        for (alpha, &j) in self.held.force.iter().zip(&self.held_index[..h]) {
            left += alpha * self.states[j].belt;
            terms += (alpha * self.states[j].belt).abs();
        }
        left.abs() <= ROUNDING * terms
    }

    fn are_parallel(&self, i: usize, j: usize) -> bool {
        let product = self.delassus.at(i, i) * self.delassus.at(j, j);
        let cross = self.delassus.at(i, j);
        product - cross * cross <= ROUNDING * product
    }

    /// Takes the rounding of the sliding velocities out of the contacts at rest, with the least change of
    /// kinetic energy.
    pub(super) fn take_out_sliding(&mut self, y: &mut [f64]) {
        let n = self.system.n();
        self.take_out(&mut y[n..2 * n], 1.0, |state| state.mode == Some(ContactMode::STICK));
    }

    /// Takes the sliding velocities of some contacts, on belts of `belts` times their velocity, out of `v`:
    /// Δv = −M⁻¹W (WᵀM⁻¹W)⁻¹ (Wᵀv − belts).
    pub(super) fn take_out(&mut self, v: &mut [f64], belts: f64, is_held: impl Fn(&ContactState) -> bool) {
        self.held_index.clear();
        self.held_index.extend((0..self.states.len()).filter(|i| is_held(&self.states[*i])));
        let h = self.held_index.len();
        for _ in 0..if h > 0 { PASSES } else { 0 } {
            for (a, &i) in self.held_index.iter().enumerate() {
                let belt = belts * self.states[i].belt;
                self.held.b[a] = dot(&self.system.contacts[i].direction, v) - belt;
                for (c, &j) in self.held_index.iter().enumerate() {
                    self.held.g[a * h + c] = self.delassus.at(i, j);
                }
            }
            match h {
                1 => self.held.force[0] = self.held.b[0] / self.held.g[0],
                _ => self.held.respond(h, |_| true),
            }
            for (a, &i) in self.held_index.iter().enumerate() {
                let push = self.held.force[a];
                for (v, mobility) in v.iter_mut().zip(&self.states[i].mobility) {
                    let left = *v - mobility * push;
                    // what is taken away as a whole leaves no rounding
                    *v = if left.abs() <= CANCELLED * v.abs() { 0.0 } else { left };
                }
            }
        }
    }
}

//! Constraints of the present modes: rigid stops that are closed, and contacts with set-valued laws that stick.
//!
//! Constraint c of the Delassus matrix G is rigid stop c, or contact c − `n_stops`. Those of a [`Basis`] determine the
//! motion,
//!
//! ```text
//!   G λ = Wᵀ M⁻¹ r − ḃ        r the residual without their forces, ḃ the accelerations of the belts
//! ```
//!
//! and `Shares` divide λ among all that stick.

use super::Dynamics;
use super::hybrid::ROUNDING;
use crate::contact::{Basis, ContactMode, RedundantContact};
use crate::law::Law;
use crate::math::dense::dot;

/// Passes that take velocities out of constraints: each takes the round-off of the one before, until nothing is left.
const PASSES: usize = 4;
/// A difference that is smaller than this part of its terms is round-off.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

impl Dynamics {
    /// Number of rigid stops.
    pub(super) fn n_stops(&self) -> usize {
        self.delassus.n_rows - self.states.len()
    }

    /// Direction w of a constraint, and M⁻¹w.
    pub(super) fn constraint(&self, c: usize) -> [&[f64]; 2] {
        match (c.checked_sub(self.n_stops()), &self.stops) {
            (Some(i), _) => [&self.system.contacts[i].direction, &self.states[i].mobility],
            (None, Some(stops)) => stops.constraint(c),
            (None, None) => [&[]; 2],
        }
    }

    /// Velocity of the counter-surface or the stop of a constraint (m/s), and its rate (m/s²).
    pub(super) fn constraint_belt(&self, c: usize) -> [f64; 2] {
        match (c.checked_sub(self.n_stops()), &self.stops) {
            (Some(i), _) => [self.states[i].belt, self.states[i].belt_rate],
            (None, Some(stops)) => stops.motion(c),
            (None, None) => [0.0; 2],
        }
    }

    /// Chooses a basis of the constraints in the present modes.
    pub(super) fn choose_basis(&mut self) {
        let n_stops = self.n_stops();
        self.basis.clear();
        let mut is_shared = false;
        for k in 0..n_stops {
            if self.stops.as_ref().is_some_and(|stops| stops.is_closed(k)) {
                self.basis.add(&self.delassus, k);
            }
        }
        for yielding in [false, true] {
            for (i, state) in self.states.iter_mut().enumerate() {
                let Some(ContactMode::Stick { corner, yields }) = state.mode else { continue };
                if yields.is_some() != yielding {
                    continue;
                }
                if self.basis.add(&self.delassus, n_stops + i) {
                    // a contact that nothing else holds in place cannot yield
                    state.mode = Some(ContactMode::Stick { corner, yields: None });
                } else {
                    is_shared = true;
                }
            }
        }
        self.shares.is_shared = is_shared;
        if is_shared {
            let (states, contacts) = (&self.states, &self.system.contacts);
            self.shares.divide(&self.delassus, &self.basis, [n_stops, states.len()], |j| {
                let Some(ContactMode::Stick { yields, .. }) = states[j].mode else { return None };
                let bounds = contacts[j].friction.law.friction_bounds(0.0, &[])?;
                let limit = 0.5 * (bounds.high - bounds.low) * states[j].load;
                Some(RedundantContact { limit, yields: yields.is_some() })
            });
        }
    }

    /// Whether the constraints leave no degree of freedom to move.
    pub(super) fn is_pinned(&self) -> bool {
        self.basis.members.len() == self.system.n()
    }

    /// Takes the velocities of the constraints, on belts of `belts` times their velocity, out of `v`, with the least
    /// change of kinetic energy: Δv = −M⁻¹W G⁻¹ (Wᵀv − b).
    pub(super) fn project(&mut self, v: &mut [f64], belts: f64) {
        let mut push = std::mem::take(&mut self.held.force);
        let h = self.basis.members.len();
        for _ in 0..if h > 0 { PASSES } else { 0 } {
            for (push, &c) in push.iter_mut().zip(&self.basis.members) {
                *push = dot(self.constraint(c)[0], v) - belts * self.constraint_belt(c)[0];
            }
            self.basis.solve(&mut push[..h]);
            for (push, &c) in push.iter().zip(&self.basis.members) {
                for (v, mobility) in v.iter_mut().zip(self.constraint(c)[1]) {
                    let left = *v - mobility * push;
                    // what is taken away as a whole leaves no round-off
                    *v = if left.abs() <= CANCELLED * v.abs() { 0.0 } else { left };
                }
            }
        }
        self.held.force = push;
    }

    /// Takes the round-off of the velocities of the constraints out of `y`.
    pub(super) fn project_velocities(&mut self, y: &mut [f64]) {
        let n = self.system.n();
        self.project(&mut y[n..2 * n], 1.0);
    }

    /// The forces of the constraints after a solution, whose first members are the basis.
    pub(super) fn set_constraint_forces(&mut self) {
        let (h, n_stops) = (self.basis.members.len(), self.n_stops());
        let force = &self.held.force[..h];
        for (&c, force) in self.basis.members.iter().zip(force) {
            match c.checked_sub(n_stops) {
                None => self.stops.iter_mut().for_each(|stops| stops.set_reaction(c, *force)),
                Some(i) => self.states[i].reaction = *force,
            }
        }
        for (i, state) in self.states.iter_mut().enumerate() {
            let Some(ContactMode::Stick { yields, .. }) = state.mode else { continue };
            if self.shares.is_shared {
                state.reaction = self.shares.force(i, force);
            }
            // nothing is asked of an open contact
            state.demand = if state.load > 0.0 { state.reaction / state.load } else { 0.0 };
            if yields.is_some() {
                continue;
            }
            state.force += state.reaction;
            if self.shares.is_shared {
                for (&c, part) in self.basis.members.iter().zip(self.shares.stop_share(i)) {
                    self.stops.iter_mut().for_each(|stops| stops.add_reaction(c, -part * state.reaction));
                }
            }
        }
    }

    /// Whether other constraints that do not yield leave contact `i` no velocity: its direction w depends on theirs,
    /// w = Σ αⱼwⱼ, and its belt moves as Σ αⱼ times theirs. Its sliding velocity is then round-off, of whichever sign.
    pub(super) fn is_kept(&mut self, i: usize) -> bool {
        let own = self.n_stops() + i;
        let mut others = std::mem::take(&mut self.others);
        self.list_others(&mut others, i);
        let mut is_kept = !others.members.is_empty() && !others.add(&self.delassus, own);
        if is_kept {
            let alpha = &mut self.held.force[..others.members.len()];
            for (x, &a) in alpha.iter_mut().zip(&others.members) {
                *x = self.delassus.at(a, own);
            }
            others.solve(alpha);
            let belt = self.states[i].belt;
            let (mut left, mut terms) = (-belt, belt.abs());
            for (a, &c) in others.members.iter().enumerate() {
                let part = self.held.force[a] * self.constraint_belt(c)[0];
                (left, terms) = (left + part, terms + part.abs());
            }
            is_kept = left.abs() <= ROUNDING * terms;
        }
        self.others = others;
        is_kept
    }

    /// The constraints that do not yield, all but contact `i` and those whose limits are reached at the same event.
    fn list_others(&self, others: &mut Basis, i: usize) {
        others.clear();
        for k in 0..self.n_stops() {
            if self.stops.as_ref().is_some_and(|stops| stops.is_closed(k)) {
                others.add(&self.delassus, k);
            }
        }
        for (j, state) in self.states.iter().enumerate() {
            let yields = !matches!(state.mode, Some(ContactMode::Stick { yields: None, .. }));
            if j != i && !yields && !state.at_limit {
                others.add(&self.delassus, self.n_stops() + j);
            }
        }
    }
}

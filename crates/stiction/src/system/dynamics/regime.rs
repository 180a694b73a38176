//! The regime: the mode of every element between two events, and the constraints that follow from it.
//!
//! Constraint c of the Delassus matrix G is rigid stop c, or contact c − `n_stops`. Those of the [`Basis`] determine the
//! motion,
//!
//! ```text
//!   G λ = Wᵀ M⁻¹ r − ḃ        r the residual without their forces, ḃ the accelerations of the belts
//! ```
//!
//! and `Shares` divide λ among all that stick.

use super::forces::Forces;
use super::prepared::Prepared;
use super::stops::{StopElement, StopKind};
use crate::contact::{Basis, ContactMode, RedundantContact, Shares, SliderMode, StopMode, direction};
use crate::law::{Law, Slip};
use crate::math::dense::dot;

/// Passes that take velocities out of constraints: each takes the round-off of the one before, until nothing is left.
const PASSES: usize = 4;
/// A difference that is smaller than this part of its terms is round-off.
const CANCELLED: f64 = 4.0 * f64::EPSILON;
/// A limit, or an acceleration of zero, is exceeded beyond this part of the forces.
pub(super) const ROUNDING: f64 = 1e-12;

/// The mode of a contact and of its springs.
#[derive(Clone, Debug)]
pub(super) struct ContactRegime {
    /// The mode of a contact with a set-valued law; none before the start.
    pub mode: Option<ContactMode>,
    /// Whether it has started to slip and keeps its static friction, while modes are resolved.
    pub is_static: bool,
    /// Of its springs.
    pub sliders: Vec<SliderMode>,
}

impl ContactRegime {
    /// Whether it sticks.
    #[inline]
    pub fn sticks(&self) -> bool {
        self.mode.is_some_and(ContactMode::sticks)
    }

    /// The sliding velocity consistent with the mode (m/s).
    #[inline]
    pub fn placed(&self, sliding: f64) -> f64 {
        match self.mode {
            None | Some(ContactMode::Open) => sliding,
            Some(ContactMode::Stick { .. }) => 0.0,
            Some(ContactMode::Slip { piece }) => {
                let sign = direction(piece);
                sign * (sign * sliding).max(f64::MIN_POSITIVE)
            }
        }
    }

    /// Whether it changes its mode where the regime becomes `next`.
    pub fn turns(&self, next: &Self) -> bool {
        self.mode != next.mode || self.sliders != next.sliders
    }

    /// Whether it comes to rest where the regime becomes `next`.
    pub fn comes_to_rest(&self, next: &Self) -> bool {
        matches!(self.mode, Some(ContactMode::Slip { .. })) && next.sticks()
    }

    pub fn copy_from(&mut self, other: &Self) {
        (self.mode, self.is_static) = (other.mode, other.is_static);
        self.sliders.copy_from_slice(&other.sliders);
    }
}

/// The modes of all elements, the independent constraints among them, and how redundant contacts share their forces.
#[derive(Clone, Debug)]
pub(super) struct Regime {
    pub contacts: Vec<ContactRegime>,
    pub stops: Vec<StopMode>,
    pub basis: Basis,
    pub shares: Shares,
}

impl Regime {
    /// Before the start: no contact has a mode, and stops are free.
    pub fn new(prepared: &Prepared) -> Self {
        let (mut basis, mut shares) = (Basis::default(), Shares::default());
        let has_constraints =
            prepared.n_stops > 0 || prepared.contacts.iter().any(|contact| contact.is_set_valued);
        if has_constraints && basis.reserve(&prepared.delassus) {
            shares.reserve([prepared.n_stops, prepared.contacts.len()]);
        }
        let of =
            |n: usize| ContactRegime { mode: None, is_static: false, sliders: vec![SliderMode::Stick; n] };
        Self {
            contacts: prepared.contacts.iter().map(|contact| of(contact.sliders.len())).collect(),
            stops: vec![StopMode::Free; prepared.stops.len()],
            basis,
            shares,
        }
    }

    /// Takes over the modes of another regime, not their constraints.
    pub fn copy_modes(&mut self, other: &Self) {
        self.contacts.iter_mut().zip(&other.contacts).for_each(|(own, other)| own.copy_from(other));
        self.stops.copy_from_slice(&other.stops);
    }

    /// Whether something changes its mode where the regime becomes `next`.
    pub fn turns(&self, next: &Self) -> bool {
        self.stops != next.stops
            || self.contacts.iter().zip(&next.contacts).any(|(own, next)| own.turns(next))
    }

    /// The rigid stops that are closed.
    fn closed(&self, prepared: &Prepared) -> impl Iterator<Item = usize> {
        (0..prepared.n_stops).filter(|k| self.stops[*k] == StopMode::Closed)
    }

    /// Chooses a basis of the constraints; loads are those of the last evaluation.
    pub fn choose_basis(&mut self, prepared: &Prepared, forces: &Forces) {
        self.basis.clear();
        for k in 0..prepared.n_stops {
            if self.stops[k] == StopMode::Closed {
                self.basis.add(&prepared.delassus, k);
            }
        }
        self.shares.is_shared = false;
        for yielding in [false, true] {
            for (i, own) in self.contacts.iter_mut().enumerate() {
                let Some(mode) = own.mode.filter(|mode| mode.sticks() && mode.yields() == yielding) else {
                    continue;
                };
                if self.basis.add(&prepared.delassus, prepared.n_stops + i) {
                    // a contact that nothing else holds in place cannot yield
                    own.mode = Some(mode.without_yielding());
                } else {
                    self.shares.is_shared = true;
                }
            }
        }
        if self.shares.is_shared {
            let Self { contacts, basis, shares, .. } = self;
            shares.divide(&prepared.delassus, basis, [prepared.n_stops, contacts.len()], |j| {
                let mode = contacts[j].mode.filter(|mode| mode.sticks())?;
                let bounds = prepared.range_at_rest(j)?;
                let limit = 0.5 * (bounds.high - bounds.low) * forces.contacts[j].load;
                Some(RedundantContact { limit, yields: mode.yields() })
            });
        }
    }

    /// Whether the constraints leave no degree of freedom to move.
    pub fn is_pinned(&self, prepared: &Prepared) -> bool {
        self.basis.members.len() == prepared.n()
    }

    /// Takes the velocities of the constraints, on belts of `belts` times their velocity, out of `v`, with the least
    /// change of kinetic energy: Δv = −M⁻¹W G⁻¹ (Wᵀv − b).
    pub fn project(&self, prepared: &Prepared, forces: &mut Forces, v: &mut [f64], belts: f64) {
        let mut push = std::mem::take(&mut forces.held.force);
        let h = self.basis.members.len();
        for _ in 0..if h > 0 { PASSES } else { 0 } {
            for (push, &c) in push.iter_mut().zip(&self.basis.members) {
                *push = dot(prepared.direction(c), v) - belts * forces.belt(prepared, c)[0];
            }
            self.basis.solve(&mut push[..h]);
            for (push, &c) in push.iter().zip(&self.basis.members) {
                for (v, mobility) in v.iter_mut().zip(prepared.mobility(c)) {
                    let left = *v - mobility * push;
                    // what is taken away as a whole leaves no round-off
                    *v = if left.abs() <= CANCELLED * v.abs() { 0.0 } else { left };
                }
            }
        }
        forces.held.force = push;
    }

    /// Takes out of a difference of positions what closed stops keep; `closed` is scratch.
    pub fn project_positions(&self, prepared: &Prepared, closed: &mut Basis, q: &mut [f64]) {
        closed.clear();
        for &c in self.basis.members.iter().filter(|c| **c < prepared.n_stops) {
            closed.add(&prepared.delassus, c);
        }
        let mut push: Vec<f64> = closed.members.iter().map(|&c| dot(prepared.direction(c), q)).collect();
        closed.solve(&mut push);
        for (push, &c) in push.iter().zip(&closed.members) {
            q.iter_mut().zip(prepared.mobility(c)).for_each(|(q, mobility)| *q -= push * mobility);
        }
    }

    /// Whether other constraints that do not yield leave contact `i` no velocity: its direction w depends on theirs,
    /// w = Σ αⱼwⱼ, and its belt moves as Σ αⱼ times theirs. Its sliding velocity is then round-off, of whichever sign.
    /// Contacts that go with it, `leave`, do not count; `others` is scratch.
    pub fn keeps(
        &self,
        i: usize,
        prepared: &Prepared,
        forces: &mut Forces,
        others: &mut Basis,
        leave: impl Fn(usize) -> bool,
    ) -> bool {
        others.clear();
        for k in self.closed(prepared) {
            others.add(&prepared.delassus, k);
        }
        for (j, own) in self.contacts.iter().enumerate() {
            let holds = own.mode.is_some_and(|mode| mode.sticks() && !mode.yields());
            if j != i && holds && !leave(j) {
                others.add(&prepared.delassus, prepared.n_stops + j);
            }
        }
        let own = prepared.n_stops + i;
        let n = others.members.len();
        if n == 0 || others.add(&prepared.delassus, own) {
            return false;
        }
        let mut alpha = std::mem::take(&mut forces.held.force);
        for (x, &a) in alpha.iter_mut().zip(&others.members) {
            *x = prepared.delassus.at(a, own);
        }
        others.solve(&mut alpha[..n]);
        let belt = forces.contacts[i].belt;
        let (mut left, mut terms) = (-belt, belt.abs());
        for (alpha, &c) in alpha.iter().zip(&others.members) {
            let part = alpha * forces.belt(prepared, c)[0];
            (left, terms) = (left + part, terms + part.abs());
        }
        forces.held.force = alpha;
        left.abs() <= ROUNDING * terms
    }

    /// Whether a contact's static friction is above its kinetic friction in the direction of its slip.
    pub fn has_excess(&self, i: usize, prepared: &Prepared, forces: &Forces) -> bool {
        let Some(ContactMode::Slip { piece }) = self.contacts[i].mode else { return false };
        let (v, bounds) = (f64::MIN_POSITIVE.copysign(direction(piece)), forces.contacts[i].bounds);
        let kinetic = prepared.system.contacts[i].friction.law.coefficient(Slip::at(v));
        let at_rest = if v > 0.0 { bounds.high } else { bounds.low };
        (at_rest - kinetic).abs() > ROUNDING * (bounds.high - bounds.low)
    }

    /// A bound on the rates that pressed elastic stops add (1/s).
    pub fn stop_rate(&self, prepared: &Prepared) -> f64 {
        let closed = prepared.stops.iter().zip(&self.stops).filter(|(_, mode)| mode.is_closed());
        let rate = |(stop, _): (&StopElement, &StopMode)| match stop.kind {
            StopKind::Elastic { stiffness, damping } => {
                (stop.compliance * stiffness).abs().sqrt() + stop.compliance * damping
            }
            StopKind::Rigid { .. } => 0.0,
        };
        closed.map(rate).sum()
    }
}

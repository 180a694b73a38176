//! The modes after an event (see `contact::resolve`), from the forces and accelerations there.
//!
//! A guard that is zero must grow: how it goes on is seen a little later, on the tangent of the motion.

use super::super::Dynamics;
use crate::contact::resolve::{self, Choice, Elements, FALLS, RETURNS, STAYS, UNLOADS};
use crate::contact::{ContactMode, Side, direction};
use crate::law::Law;
use crate::math::dense::dot;

/// How much later, as a part of the system's own time: a guard that is linear changes by this part of its size, and
/// the tangent is off by the square of it.
const LATER: f64 = 1e-6;

/// A change of mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::system::dynamics) enum ModeChange {
    /// A sticking contact slips, or yields if others keep it in place.
    Limit { contact: usize, side: Side },
    /// A redundant contact need not yield any longer.
    Unloads { contact: usize },
    /// A slipping contact sticks.
    Sticks { contact: usize },
    /// A stop releases.
    Releases { stop: usize },
    /// Springs at the end of their range slip.
    Yields { contact: usize, way: f64 },
    /// Springs of a contact that stands stick.
    Catches { contact: usize },
}

/// A system at an event; the modes are those after it.
pub(super) struct AtEvent<'a> {
    dynamics: &'a mut Dynamics,
    t: f64,
    y: &'a mut [f64],
    /// Round-off of a force or an acceleration, as a part of its terms.
    rounding: f64,
}

/// How far a contact is from having to change its mode, which must be positive, or zero and about to grow.
#[derive(Clone, Copy)]
struct Margin {
    /// Force of a sticking contact (N), acceleration of one that starts to slip (m/s²).
    value: f64,
    rounding: f64,
    change: ModeChange,
}

impl<'a> AtEvent<'a> {
    pub fn new(dynamics: &'a mut Dynamics, t: f64, y: &'a mut [f64], rounding: f64) -> Self {
        Self { dynamics, t, y, rounding }
    }

    /// Forces and accelerations in the present modes, and how margins that are zero change.
    fn evaluate(&mut self) {
        self.dynamics.choose_basis();
        self.dynamics.project_velocities(self.y);
        self.dynamics.balance(self.t, self.y);
        let is_tie = |i: usize| self.margin(i).is_some_and(|margin| margin.value.abs() <= margin.rounding);
        if !(0..self.dynamics.states.len()).any(is_tie) {
            return;
        }
        self.note_margins(-1.0);
        let rate = self.dynamics.base_stiffness.max(self.dynamics.fastest_load());
        let later = if rate > 0.0 { LATER / rate } else { LATER };
        let [mut y, mut dy] = std::mem::take(&mut self.dynamics.later);
        self.dynamics.derivative(self.t, self.y, &mut dy);
        y.iter_mut().zip(&*self.y).zip(&dy).for_each(|((later_y, y), dy)| *later_y = y + later * dy);
        self.dynamics.balance(self.t + later, &y);
        self.note_margins(1.0);
        self.dynamics.later = [y, dy];
        self.dynamics.balance(self.t, self.y);
    }

    fn note_margins(&mut self, sign: f64) {
        for i in 0..self.dynamics.states.len() {
            let value = self.margin(i).map_or(0.0, |margin| margin.value);
            let growth = &mut self.dynamics.states[i].growth;
            *growth = sign * value + if sign > 0.0 { *growth } else { 0.0 };
        }
    }

    /// Sliding velocity of a contact.
    fn sliding(&self, contact: usize) -> f64 {
        let n = self.dynamics.system.n();
        self.dynamics.sliding(contact, &self.y[n..2 * n])
    }

    /// What drives contact `i`, its acceleration at the last evaluation (m/s²), and the sum of its terms.
    fn push(&self, i: usize) -> [f64; 2] {
        let (dynamics, state) = (&*self.dynamics, &self.dynamics.states[i]);
        let terms = state.mobility.iter().zip(&dynamics.load).map(|(a, b)| (a * b).abs());
        let forces =
            dynamics.states.iter().enumerate().map(|(j, s)| (dynamics.delassus(i, j) * s.force).abs());
        let size = terms.chain(forces).sum::<f64>() + state.belt_rate.abs();
        [dot(&state.mobility, &dynamics.residual) - state.belt_rate, size]
    }

    /// The margin of a contact that sticks or starts to slip, at the last evaluation.
    fn margin(&self, contact: usize) -> Option<Margin> {
        let state = &self.dynamics.states[contact];
        match state.mode? {
            ContactMode::Stick { yields, .. } => {
                let [low, high] = [state.load * state.hold.low, state.load * state.hold.high];
                let rounding = self.rounding * (high - low + state.reaction.abs());
                let (below, above) = (state.reaction - low, high - state.reaction);
                let (value, change) = match yields {
                    None if above < below => (above, ModeChange::Limit { contact, side: Side::High }),
                    None => (below, ModeChange::Limit { contact, side: Side::Low }),
                    Some(Side::High) => (-above, ModeChange::Unloads { contact }),
                    Some(Side::Low) => (-below, ModeChange::Unloads { contact }),
                };
                Some(Margin { value, rounding, change })
            }
            ContactMode::Slip { piece }
                if state.v.abs() <= f64::MIN_POSITIVE || self.sliding(contact) == 0.0 =>
            {
                let bounds = self.dynamics.system.contacts[contact].friction.law.friction_bounds(0.0, &[]);
                let range = bounds.map_or(0.0, |bounds| bounds.high - bounds.low);
                let [push, size] = self.push(contact);
                let rounding =
                    self.rounding * (size + range * self.dynamics.compliance(contact) * state.load);
                Some(Margin {
                    value: direction(piece) * push,
                    rounding,
                    change: ModeChange::Sticks { contact },
                })
            }
            _ => None,
        }
    }

    fn offer_contact(&mut self, i: usize, choice: &mut Choice<ModeChange>) {
        let Some(Margin { value, rounding, change }) = self.margin(i) else { return };
        let is_negative = value < -rounding;
        let falls = !is_negative && value <= rounding && self.dynamics.states[i].growth < -rounding;
        let weight = match change {
            ModeChange::Limit { .. } if is_negative => resolve::of_force(-value, self.dynamics.compliance(i)),
            ModeChange::Limit { .. } if falls => FALLS,
            ModeChange::Unloads { .. } if is_negative || falls => UNLOADS,
            ModeChange::Sticks { .. } if is_negative || falls => RETURNS,
            ModeChange::Sticks { .. }
                if value <= rounding && self.dynamics.states[i].load > 0.0 && self.dynamics.is_kept(i) =>
            {
                STAYS
            }
            _ => return,
        };
        choice.offer(weight, change);
    }

    /// Springs with sliders of a contact that stands: those that slip are caught, and those at the end of their range
    /// let go if the contact is driven on.
    fn offer_springs(&mut self, i: usize, changed: &[ModeChange], choice: &mut Choice<ModeChange>) {
        if self.dynamics.states[i].springs.is_empty() {
            return;
        }
        let is_kept = self.dynamics.is_kept(i);
        let slips = self.dynamics.states[i].springs.iter().any(|spring| spring.slips != 0.0);
        let has_let_go =
            |change: &ModeChange| matches!(change, ModeChange::Yields { contact, .. } if *contact == i);
        if slips && (is_kept || self.sliding(i) == 0.0) && !changed.iter().any(has_let_go) {
            return choice.offer(STAYS, ModeChange::Catches { contact: i });
        }
        let [push, size] = self.push(i);
        let (way, state) = (push.signum(), &self.dynamics.states[i]);
        let is_driven = state.is_still && !is_kept && push.abs() > self.rounding * size;
        if is_driven && (0..state.springs.len()).any(|k| state.lets_go(k, way, self.y)) {
            choice.offer(FALLS, ModeChange::Yields { contact: i, way });
        }
    }
}

/// The contacts whose modes have changed.
pub(super) fn contacts(changes: &[ModeChange]) -> Vec<usize> {
    let of = |change: &ModeChange| match *change {
        ModeChange::Limit { contact, .. }
        | ModeChange::Unloads { contact }
        | ModeChange::Sticks { contact }
        | ModeChange::Yields { contact, .. }
        | ModeChange::Catches { contact } => Some(contact),
        ModeChange::Releases { .. } => None,
    };
    let mut contacts: Vec<usize> = changes.iter().filter_map(of).collect();
    contacts.sort_unstable();
    contacts.dedup();
    contacts
}

impl Elements for AtEvent<'_> {
    type Change = ModeChange;

    fn len(&self) -> usize {
        let springs: usize = self.dynamics.states.iter().map(|state| state.springs.len()).sum();
        self.dynamics.delassus.n_rows + springs
    }

    fn offer_wrong(&mut self, changed: &[ModeChange], choice: &mut Choice<ModeChange>) {
        self.evaluate();
        for stop in 0..self.dynamics.n_stops() {
            let Some([reaction, size]) = self.dynamics.reaction(stop) else { continue };
            if reaction < -self.rounding * size {
                let weight = resolve::of_force(-reaction, self.dynamics.delassus.at(stop, stop));
                choice.offer(weight, ModeChange::Releases { stop });
            }
        }
        for i in 0..self.dynamics.states.len() {
            self.offer_contact(i, choice);
            self.offer_springs(i, changed, choice);
        }
    }

    fn change(&mut self, change: ModeChange) {
        match change {
            ModeChange::Limit { contact, side } => self.dynamics.let_go(contact, side),
            ModeChange::Unloads { contact } => self.dynamics.states[contact].mode = Some(ContactMode::STICK),
            ModeChange::Sticks { contact } => {
                // it keeps its force where others keep it in place, until it need not
                let is_kept = self.dynamics.is_kept(contact);
                let state = &mut self.dynamics.states[contact];
                let Some(ContactMode::Slip { piece }) = state.mode else { return };
                let side = if piece > 0 { Side::High } else { Side::Low };
                state.mode = Some(ContactMode::Stick { corner: 0, yields: is_kept.then_some(side) });
                state.is_static = false;
            }
            ModeChange::Releases { stop } => {
                self.dynamics.stops.iter_mut().for_each(|stops| stops.release(stop));
            }
            ModeChange::Yields { contact, way } => {
                let state = &mut self.dynamics.states[contact];
                for k in 0..state.springs.len() {
                    if state.lets_go(k, way, self.y) {
                        state.springs[k].slips = way;
                    }
                }
            }
            ModeChange::Catches { contact } => {
                self.dynamics.states[contact].springs.iter_mut().for_each(|spring| spring.slips = 0.0);
            }
        }
    }

    fn weaken(&mut self) -> bool {
        let speed = |i: usize| self.push(i)[0].abs() / self.dynamics.compliance(i).sqrt();
        let states = self.dynamics.states.iter().enumerate();
        let fixed = states.filter(|(_, state)| state.is_static).map(|(i, _)| i);
        let Some(fastest) = fixed.max_by(|a, b| speed(*a).total_cmp(&speed(*b))) else { return false };
        self.dynamics.states[fastest].is_static = false;
        true
    }

    fn close_bouncing(&mut self) -> bool {
        self.dynamics.close_stop(self.y)
    }
}

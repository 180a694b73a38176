//! The modes after an event (see `contact::resolve`), from the forces and accelerations there.
//!
//! A guard that is zero must grow: how it goes on is seen a little later, on the tangent of the motion.

use super::Dynamics;
use super::landing::EventState;
use super::springs::Springs;
use crate::contact::resolve::{self, Choice, Elements, FALLS, RETURNS, STAYS, UNLOADS};
use crate::contact::{ContactMode, Side, SliderMode, StopMode, direction};
use crate::math::dense::dot;

/// How much later, as a part of the system's own time: a guard that is linear changes by this part of its size, and
/// the tangent is off by the square of it.
const LATER: f64 = 1e-6;

/// A change of mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ModeChange {
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

/// A system at an event; the modes are those of the next regime.
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

    /// Forces and accelerations in the next regime, and how margins that are zero change.
    fn evaluate(&mut self) {
        let Dynamics { prepared, forces, next, .. } = &mut *self.dynamics;
        let n = prepared.n();
        next.choose_basis(prepared, forces);
        next.project(prepared, forces, &mut self.y[n..2 * n], 1.0);
        forces.evaluate(prepared, next, self.t, self.y);
        let is_tie = |i: usize| self.margin(i).is_some_and(|margin| margin.value.abs() <= margin.rounding);
        if !(0..self.n_contacts()).any(is_tie) {
            return;
        }
        self.note_margins(-1.0);
        let rate = self.dynamics.prepared.scales.fastest();
        let later = if rate > 0.0 { LATER / rate } else { LATER };
        let [mut y, mut dy] = std::mem::take(&mut self.dynamics.event.later);
        self.dynamics.derivative_after(self.t, self.y, &mut dy);
        y.iter_mut().zip(&*self.y).zip(&dy).for_each(|((later_y, y), dy)| *later_y = y + later * dy);
        let Dynamics { prepared, forces, next, .. } = &mut *self.dynamics;
        forces.evaluate(prepared, next, self.t + later, &y);
        self.note_margins(1.0);
        self.dynamics.event.later = [y, dy];
        let Dynamics { prepared, forces, next, .. } = &mut *self.dynamics;
        forces.evaluate(prepared, next, self.t, self.y);
    }

    fn note_margins(&mut self, sign: f64) {
        for i in 0..self.n_contacts() {
            let value = self.margin(i).map_or(0.0, |margin| margin.value);
            let growth = &mut self.dynamics.event.contacts[i].growth;
            *growth = sign * value + if sign > 0.0 { *growth } else { 0.0 };
        }
    }

    fn n_contacts(&self) -> usize {
        self.dynamics.prepared.contacts.len()
    }

    /// Sliding velocity of a contact.
    fn sliding(&self, contact: usize) -> f64 {
        let n = self.dynamics.prepared.n();
        self.dynamics.sliding(contact, &self.y[n..2 * n])
    }

    /// What drives contact `i`, its acceleration at the last evaluation (m/s²), and the sum of its terms.
    fn push(&self, i: usize) -> [f64; 2] {
        let Dynamics { prepared, forces, .. } = &*self.dynamics;
        let mobility = &prepared.contacts[i].mobility;
        let loads = mobility.iter().zip(&forces.load).map(|(a, b)| (a * b).abs());
        let all = forces.contacts.iter().enumerate();
        let frictions = all.map(|(j, own)| (prepared.delassus(i, j) * own.force).abs());
        let belt_rate = forces.contacts[i].belt_rate;
        let size = loads.chain(frictions).sum::<f64>() + belt_rate.abs();
        [dot(mobility, &forces.residual) - belt_rate, size]
    }

    /// The margin of a contact that sticks or starts to slip, at the last evaluation.
    fn margin(&self, contact: usize) -> Option<Margin> {
        let own = &self.dynamics.forces.contacts[contact];
        match self.dynamics.next.contacts[contact].mode? {
            ContactMode::Stick { yields, .. } => {
                let [low, high] = [own.load * own.bounds.low, own.load * own.bounds.high];
                let rounding = self.rounding * (high - low + own.reaction.abs());
                let (below, above) = (own.reaction - low, high - own.reaction);
                let (value, change) = match yields {
                    None if above < below => (above, ModeChange::Limit { contact, side: Side::High }),
                    None => (below, ModeChange::Limit { contact, side: Side::Low }),
                    Some(Side::High) => (-above, ModeChange::Unloads { contact }),
                    Some(Side::Low) => (-below, ModeChange::Unloads { contact }),
                };
                Some(Margin { value, rounding, change })
            }
            ContactMode::Slip { piece }
                if self.dynamics.event.contacts[contact].from_rest
                    || own.v.abs() <= f64::MIN_POSITIVE
                    || self.sliding(contact) == 0.0 =>
            {
                let bounds = self.dynamics.prepared.range_at_rest(contact);
                let range = bounds.map_or(0.0, |bounds| bounds.high - bounds.low);
                let [push, size] = self.push(contact);
                let rounding = self.rounding * (size + range * self.dynamics.compliance(contact) * own.load);
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
        let falls = !is_negative && value <= rounding && self.dynamics.event.contacts[i].growth < -rounding;
        let weight = match change {
            ModeChange::Limit { .. } if is_negative => resolve::of_force(-value, self.dynamics.compliance(i)),
            ModeChange::Limit { .. } if falls => FALLS,
            ModeChange::Unloads { .. } if is_negative || falls => UNLOADS,
            ModeChange::Sticks { .. } if is_negative || falls => RETURNS,
            ModeChange::Sticks { .. }
                if value <= rounding && self.dynamics.forces.contacts[i].load > 0.0 && self.is_kept(i) =>
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
        if self.dynamics.prepared.contacts[i].sliders.is_empty() {
            return;
        }
        let is_kept = self.is_kept(i);
        let slips = self.dynamics.next.contacts[i].sliders.iter().any(|mode| !mode.sticks());
        let has_let_go =
            |change: &ModeChange| matches!(change, ModeChange::Yields { contact, .. } if *contact == i);
        if slips && (is_kept || self.sliding(i) == 0.0) && !changed.iter().any(has_let_go) {
            return choice.offer(STAYS, ModeChange::Catches { contact: i });
        }
        let [push, size] = self.push(i);
        let way = push.signum();
        let is_driven =
            self.dynamics.event.contacts[i].is_still && !is_kept && push.abs() > self.rounding * size;
        if is_driven && (0..self.dynamics.next.contacts[i].sliders.len()).any(|k| self.lets_go(i, k, way)) {
            choice.offer(FALLS, ModeChange::Yields { contact: i, way });
        }
    }

    /// Whether spring `k` of contact `i` sticks at the end of its range towards `way`.
    fn lets_go(&self, i: usize, k: usize, way: f64) -> bool {
        let Dynamics { prepared, next, .. } = &*self.dynamics;
        let fixed = &prepared.contacts[i];
        Springs::new(fixed, &next.contacts[i], None).lets_go(k, way, &self.y[fixed.memory.clone()])
    }

    /// Whether other contacts at rest keep contact `i` in place.
    fn is_kept(&mut self, i: usize) -> bool {
        let Dynamics { prepared, forces, next, event: EventState { others, .. }, .. } = &mut *self.dynamics;
        next.keeps(i, prepared, forces, others, |_| false)
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
        let springs = self.dynamics.prepared.contacts.iter().map(|own| own.sliders.len());
        self.dynamics.prepared.n_constraints() + springs.sum::<usize>()
    }

    fn offer_wrong(&mut self, changed: &[ModeChange], choice: &mut Choice<ModeChange>) {
        self.evaluate();
        for stop in 0..self.dynamics.prepared.n_stops {
            let Some([reaction, size]) = self.dynamics.reaction(stop) else { continue };
            if reaction < -self.rounding * size {
                let weight = resolve::of_force(-reaction, self.dynamics.prepared.delassus.at(stop, stop));
                choice.offer(weight, ModeChange::Releases { stop });
            }
        }
        for i in 0..self.n_contacts() {
            self.offer_contact(i, choice);
            self.offer_springs(i, changed, choice);
        }
    }

    fn change(&mut self, change: ModeChange) {
        match change {
            ModeChange::Limit { contact, side } => {
                let is_kept = self.is_kept(contact);
                let Dynamics { prepared, forces, next, .. } = &mut *self.dynamics;
                let own = &mut next.contacts[contact].mode;
                *own = own.map(|mode| mode.at_limit(side, is_kept));
                next.contacts[contact].is_static = next.has_excess(contact, prepared, forces);
            }
            ModeChange::Unloads { contact } => {
                let own = &mut self.dynamics.next.contacts[contact];
                own.mode = own.mode.map(ContactMode::without_yielding);
            }
            ModeChange::Sticks { contact } => {
                // it keeps its force where others keep it in place, until it need not
                let is_kept = self.is_kept(contact);
                let own = &mut self.dynamics.next.contacts[contact];
                own.mode = own.mode.map(|mode| mode.at_rest(is_kept));
                own.is_static = false;
                self.dynamics.event.contacts[contact].from_rest = true;
            }
            ModeChange::Releases { stop } => {
                self.dynamics.next.stops[stop] = StopMode::rigid(false);
            }
            ModeChange::Yields { contact, way } => {
                for k in 0..self.dynamics.next.contacts[contact].sliders.len() {
                    if self.lets_go(contact, k, way) {
                        self.dynamics.next.contacts[contact].sliders[k] = SliderMode::towards(way);
                    }
                }
            }
            ModeChange::Catches { contact } => {
                self.dynamics.next.contacts[contact].sliders.fill(SliderMode::Stick);
            }
        }
    }

    fn weaken(&mut self) -> bool {
        let speed = |i: usize| self.push(i)[0].abs() / self.dynamics.compliance(i).sqrt();
        let fixed = (0..self.n_contacts()).filter(|i| self.dynamics.next.contacts[*i].is_static);
        let Some(fastest) = fixed.max_by(|a, b| speed(*a).total_cmp(&speed(*b))) else { return false };
        self.dynamics.next.contacts[fastest].is_static = false;
        true
    }

    fn close_bouncing(&mut self) -> bool {
        self.dynamics.close_stop(self.y)
    }
}

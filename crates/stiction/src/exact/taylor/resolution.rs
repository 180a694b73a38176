//! The modes after an event of everything that is linear between events (see `contact::resolve`).
//!
//! The guards are those of `guards`; their derivatives are the coefficients of the series. At the start, and after
//! velocities or belts have jumped, elements get the modes of their state first.

use super::dependence::{is_kept, moves_with};
use super::guards::GuardKind;
use super::model::Model;
use super::modes::Regime;
use super::stretch::Stretch;
use crate::contact::resolve::{self, Choice, Elements, FALLS, RETURNS, STAYS, UNLOADS, Weight};
use crate::contact::{ContactMode, Side, SliderMode, StopMode};

/// Orders that are asked before a guard counts as staying at zero.
const ORDERS: usize = 6;
/// Times the rounding, one after the other, where no choice of modes is consistent: what decides is rounding.
const COARSER: [f64; 4] = [1.0, 16.0, 256.0, 4096.0];

/// What a resolution did beside choosing modes.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolved {
    /// Stops that were hit; with the time that the remaining bounces take if the stop then stays closed (s).
    pub impacts: Vec<(usize, Option<f64>)>,
    /// Energy lost in the impacts, and the work of stops that move in them (J).
    pub loss: f64,
    pub work: f64,
}

/// What a resolution begins with.
pub(super) enum Cause<'a> {
    /// A state without modes.
    Start,
    /// These guards have reached zero, or the point of a table.
    Event(&'a [GuardKind]),
}

/// Resolves the modes of a stretch whose start, state and old modes are set. `Err` names contacts that keep
/// changing.
pub(super) fn resolve(
    model: &Model,
    next: &mut Stretch,
    before: &mut Before,
    cause: &Cause,
) -> Result<Resolved, Vec<usize>> {
    before.copy_from(model, next);
    let mut failed = Vec::new();
    for coarser in COARSER {
        next.rounding.coarser = coarser;
        match (Resolution { model, next, done: Resolved::default() }).run(cause, &mut before.changed) {
            Err(contacts) => failed = contacts,
            resolved => return resolved,
        }
        before.restore(next);
    }
    Err(failed)
}

/// What a resolution starts from, for another trial.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    /// Scratch for the changes of mode.
    changed: Vec<GuardKind>,
    regime: Regime,
    state: [Vec<f64>; 3],
}

impl Before {
    fn copy_from(&mut self, model: &Model, stretch: &Stretch) {
        let Self { regime, state, .. } = self;
        regime.clone_from(&stretch.regime);
        let own = [
            (&stretch.series.q, model.n),
            (&stretch.series.v, model.n),
            (&stretch.series.x, model.n_states()),
        ];
        for (state, (series, n)) in state.iter_mut().zip(own) {
            state.clear();
            state.extend_from_slice(&series[..n]);
        }
    }

    fn restore(&self, stretch: &mut Stretch) {
        stretch.regime.clone_from(&self.regime);
        for (state, series) in
            self.state.iter().zip([&mut stretch.series.q, &mut stretch.series.v, &mut stretch.series.x])
        {
            series[..state.len()].copy_from_slice(state);
        }
    }
}

pub(super) struct Resolution<'a> {
    pub model: &'a Model,
    pub next: &'a mut Stretch,
    pub done: Resolved,
}

impl Resolution<'_> {
    fn run(mut self, cause: &Cause, changed: &mut Vec<GuardKind>) -> Result<Resolved, Vec<usize>> {
        self.next.excess.fill(0.0);
        changed.clear();
        match cause {
            Cause::Start => {
                self.refresh();
                self.place(true);
            }
            Cause::Event(fired) => {
                // what the guards that have come say is tried first; after an impact the velocities say more
                let is_hit = |kind: &GuardKind| matches!(kind, GuardKind::Hits { .. });
                let has_hit = fired.iter().any(is_hit);
                if fired.is_empty() || fired.iter().any(needs_measures) {
                    self.refresh();
                }
                changed.extend(fired.iter().filter(|kind| !has_hit || is_hit(kind)));
                changed.iter().for_each(|kind| self.change(*kind));
                if fired.is_empty() {
                    self.follow_moved_stops();
                }
                if fired.is_empty() || !self.done.impacts.is_empty() {
                    self.refresh();
                    self.place(false);
                }
            }
        }
        if resolve::resolve(&mut self, changed) { Ok(self.done) } else { Err(self.contacts(changed)) }
    }

    /// The contacts whose modes have changed.
    fn contacts(&self, changed: &[GuardKind]) -> Vec<usize> {
        let of = |kind: &GuardKind| match *kind {
            GuardKind::Corner { contact, .. }
            | GuardKind::Limit { contact, .. }
            | GuardKind::Unloads { contact, .. }
            | GuardKind::Opens { contact }
            | GuardKind::Lands { contact } => Some(contact),
            GuardKind::Yields { slider, .. } | GuardKind::Catches { slider } => {
                Some(self.model.sliders[slider].contact)
            }
            _ => None,
        };
        let mut contacts: Vec<usize> = changed.iter().filter_map(of).collect();
        contacts.sort_unstable();
        contacts.dedup();
        contacts
    }

    /// Forces and sizes under the present modes; velocities stay as an impact has left them.
    fn refresh(&mut self) {
        self.next.choose_basis(self.model);
        self.next.begin(self.model, 0.0);
        self.next.extend(self.model, 2);
    }

    /// Contacts whose velocity is not where their mode says, after a jump of velocities or belts, slide where
    /// they are; at the start everything gets its mode.
    fn place(&mut self, is_first: bool) {
        let (model, next) = (self.model, &mut *self.next);
        if is_first {
            for (k, element) in model.one_sided.iter().enumerate() {
                let [depth, noise, _] = next.measured(model, &element.depth);
                let force = next.measured(model, &element.force)[0];
                next.regime.one_sided[k] = StopMode::at(depth > noise, force > 0.0);
            }
        }
        for (i, contact) in model.contacts.iter().enumerate() {
            let [v, noise, _] = next.measured(model, &contact.sliding);
            let corners = &contact.line.corners;
            let is_placed = match next.regime.contacts[i] {
                ContactMode::Open if is_first => {
                    let [normal, noise, _] = next.measured(model, &contact.normal);
                    contact.varies && normal <= noise
                }
                ContactMode::Open => true,
                ContactMode::Stick { corner, .. } => {
                    // the velocity of what sticks is the rounding of what its reaction takes away
                    let held = next.length * model.compliance(i) * next.rounding.force[i];
                    (v - corners[corner].v).abs() <= noise + held
                }
                ContactMode::Slip { piece } => {
                    piece.checked_sub(1).is_none_or(|c| v >= corners[c].v - noise)
                        && corners.get(piece).is_none_or(|c| v <= c.v + noise)
                }
            };
            if !is_placed {
                next.regime.contacts[i] = placed(model, i, v, noise);
            }
        }
    }

    /// A contact that would stick, but whose velocity others hold, a stop above all, while its belt or theirs
    /// moves on: it slides to that side.
    fn left_behind(&mut self) -> Option<GuardKind> {
        let (model, next) = (self.model, &mut *self.next);
        for (contact, own) in model.contacts.iter().enumerate() {
            let is_held = || next.basis.members.contains(&(model.stops.len() + contact));
            if !next.sticks(contact) || is_held() || moves_with(model, &next.basis, contact) {
                continue;
            }
            next.extend(model, ORDERS);
            let [_, _, noise] = next.measured(model, &own.sliding);
            let order = |j: usize| own.sliding.at(&next.terms(model, j));
            if let Some(c) = (1..=ORDERS).map(order).find(|c| c.abs() > noise) {
                let side = if c > 0.0 { Side::High } else { Side::Low };
                return Some(GuardKind::Limit { contact, side });
            }
        }
        None
    }

    /// The change of mode that a guard asks for.
    fn set(&mut self, kind: GuardKind) {
        let (model, next) = (self.model, &mut *self.next);
        match kind {
            GuardKind::Corner { contact, side } => {
                let ContactMode::Slip { piece } = next.regime.contacts[contact] else { return };
                // a jump of velocities or belts may have put it on another piece, which does not end there
                let corners = &model.contacts[contact].line.corners;
                let Some(corner) = corner_of(piece, side).filter(|corner| *corner < corners.len()) else {
                    return;
                };
                next.excess[contact] = 0.0;
                // it keeps its force where others keep it in place, until it need not
                let is_jump = corners[corner].is_jump();
                let is_kept = is_jump && is_kept(model, next, contact);
                next.regime.contacts[contact] =
                    next.regime.contacts[contact].past_corner(side, is_jump, is_kept);
            }
            GuardKind::Limit { contact, side } => {
                let ContactMode::Stick { corner, .. } = next.regime.contacts[contact] else { return };
                let is_kept = is_kept(model, next, contact);
                let at = model.contacts[contact].line.corners[corner];
                if !is_kept {
                    next.excess[contact] =
                        if side == Side::High { at.high - at.right } else { at.low - at.left };
                }
                next.regime.contacts[contact] = next.regime.contacts[contact].at_limit(side, is_kept);
            }
            GuardKind::Unloads { contact, .. } => {
                next.regime.contacts[contact] = next.regime.contacts[contact].without_yielding();
            }
            GuardKind::Opens { contact } => {
                (next.regime.contacts[contact], next.excess[contact]) = (ContactMode::Open, 0.0);
            }
            GuardKind::Lands { contact } => {
                let [v, noise, _] = next.measured(model, &model.contacts[contact].sliding);
                next.regime.contacts[contact] = placed(model, contact, v, noise);
            }
            GuardKind::Yields { slider, side } => {
                next.regime.sliders[slider] = SliderMode::Slip(side);
                let [below, above] = model.sliders[slider].reach;
                next.series.x[slider] = if side == Side::High { above } else { -below };
            }
            GuardKind::Catches { slider } => next.regime.sliders[slider] = SliderMode::Stick,
            GuardKind::Hits { stop } => self.hit(stop),
            GuardKind::Releases { stop } => next.regime.stops[stop] = StopMode::rigid(false),
            GuardKind::Presses { element } => next.regime.one_sided[element] = StopMode::at(true, true),
            GuardKind::Leaves { element } => next.regime.one_sided[element] = StopMode::at(false, false),
            GuardKind::Slackens { element } => {
                let [depth, noise, _] = next.measured(model, &model.one_sided[element].depth);
                next.regime.one_sided[element] = StopMode::at(depth > noise, false);
            }
        }
    }
}

impl Elements for Resolution<'_> {
    type Change = GuardKind;

    fn len(&self) -> usize {
        let model = self.model;
        let n_contacts = model.contacts.len() + model.n_states();
        n_contacts + model.stops.len() + model.one_sided.len()
    }

    /// Notes the orders at which the guards that are right grow, too.
    fn offer_wrong(&mut self, changed: &[GuardKind], choice: &mut Choice<GuardKind>) {
        let (model, next) = (self.model, &mut *self.next);
        next.choose_basis(model);
        next.project(model);
        next.begin(model, 0.0);
        next.extend(model, 2);
        let mut guards = std::mem::take(&mut next.guards);
        next.list_guards(model, &mut guards);
        next.at.fill(None);
        next.lead.fill(0);
        next.leads.clear();
        let mut is_right = true;
        for guard in &guards {
            let [g, noise, further] = guard.measured(model, next);
            next.leads.push(Some(0));
            let weight = if g < -noise {
                value_weight(model, guard.kind, g, noise)
            } else if g <= noise {
                next.extend(model, ORDERS);
                let lead = guard.lead(model, next, ORDERS, further);
                if let Some(lead) = next.leads.last_mut() {
                    *lead = None;
                }
                let grows = lead.is_none_or(|j| guard.coefficient(model, next, j) > 0.0);
                match guard.kind {
                    // what may unload does, at once
                    GuardKind::Unloads { .. } if lead.is_some() && !grows => UNLOADS,
                    GuardKind::Corner { contact, side }
                        if lead.is_none()
                            && can_stick(model, next, contact, side)
                            && (is_kept(model, next, contact)
                                || !changed.iter().any(|kind| released(*kind) == Some(contact))) =>
                    {
                        STAYS
                    }
                    GuardKind::Corner { .. } if !grows => RETURNS,
                    _ if !grows => FALLS,
                    _ => {
                        if let Some(slot) = next.leads.last_mut() {
                            *slot = lead;
                        }
                        if let GuardKind::Corner { contact, side } | GuardKind::Limit { contact, side } =
                            guard.kind
                        {
                            (next.at[contact], next.lead[contact]) = (Some(side), lead.unwrap_or(0));
                        }
                        continue;
                    }
                }
            } else {
                continue;
            };
            is_right = false;
            choice.offer(weight, guard.kind);
        }
        self.next.guards = guards;
        if is_right && let Some(kind) = self.left_behind() {
            choice.offer(FALLS, kind);
        }
    }

    fn change(&mut self, kind: GuardKind) {
        let n_impacts = self.done.impacts.len();
        self.set(kind);
        if self.done.impacts.len() > n_impacts {
            self.refresh();
            self.place(false);
        }
    }

    fn weaken(&mut self) -> bool {
        let (model, next) = (self.model, &mut *self.next);
        let speed = |i: usize| {
            let growth = model.contacts[i].sliding.at(&next.terms(model, 1)) / next.length;
            growth.abs() / model.compliance(i).sqrt()
        };
        let excess = (0..next.regime.contacts.len()).filter(|i| next.excess[*i] != 0.0);
        let Some(fastest) = excess.max_by(|a, b| speed(*a).total_cmp(&speed(*b))) else { return false };
        next.excess[fastest] = 0.0;
        true
    }

    fn close_bouncing(&mut self) -> bool {
        self.sum_bounces()
    }
}

/// The contact that a change of mode lets slip: its first motion may be below the rounding of its velocity.
fn released(kind: GuardKind) -> Option<usize> {
    match kind {
        GuardKind::Limit { contact, .. } => Some(contact),
        _ => None,
    }
}

/// Whether a change of mode reads rounding.
fn needs_measures(kind: &GuardKind) -> bool {
    matches!(kind, GuardKind::Lands { .. } | GuardKind::Slackens { .. } | GuardKind::Hits { .. })
}

/// How wrong a negative guard is.
fn value_weight(model: &Model, kind: GuardKind, g: f64, noise: f64) -> Weight {
    match kind {
        GuardKind::Limit { contact, .. } => resolve::of_force(-g, model.compliance(contact)),
        GuardKind::Unloads { .. } => UNLOADS,
        _ => resolve::of_state(-g / noise),
    }
}

/// The mode of a loaded contact that slides at `v`.
fn placed(model: &Model, i: usize, v: f64, noise: f64) -> ContactMode {
    let line = &model.contacts[i].line;
    ContactMode::on_graph(line.place_within(v, noise), |corner| line.corners[corner].is_jump())
}

/// Whether a contact that has reached an end of its piece, and stays there, can stick.
fn can_stick(model: &Model, next: &Stretch, contact: usize, side: Side) -> bool {
    let ContactMode::Slip { piece } = next.regime.contacts[contact] else { return false };
    let corners = &model.contacts[contact].line.corners;
    corner_of(piece, side).and_then(|c| corners.get(c)).is_some_and(|c| c.is_jump())
}

/// The corner at an end of a piece.
fn corner_of(piece: usize, side: Side) -> Option<usize> {
    if side == Side::High { Some(piece) } else { piece.checked_sub(1) }
}

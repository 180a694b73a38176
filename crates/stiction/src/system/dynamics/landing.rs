//! The end of a step: the next modes of contacts with set-valued laws and of springs with sliders.
//!
//! ```text
//!   stick           v = 0; friction is the reaction, within the static limits     until a limit is reached
//!   slip            v > 0 (or < 0); friction by that branch of the law            until v = 0
//!   open            no force                                                      until the normal load turns positive
//!   slider stick    the deflection follows v                                      until its force reaches the limit
//!   slider slip     the deflection stays at, or relaxes to, the end of its range  until v = 0
//! ```
//!
//! Modes are frozen within a step, so that the right-hand side is smooth and the guards are positive until
//! the event. At an event the next regime is determined (`contact::resolve`); the old one is kept until the next
//! step begins. Redundant contacts share their forces (`contact::redundancy`); one that reaches its limit while others
//! keep it in place yields.

use super::Dynamics;
use super::regime::ROUNDING;
use super::resolution::{self, AtEvent, ModeChange};
use super::springs::{is_at_end, limits_ahead};
use super::stops::Impact;
use crate::Error;
use crate::contact::{Basis, ContactMode, Side, SliderMode, resolve};
use crate::event::EventKind;
use crate::math::dense::Matrix;

/// A stored slip flag above this means slip: searches may interpolate between states.
const SLIPS: f64 = 0.5;
/// A sliding velocity at the start that is smaller than this part of its terms is the rounding of what was
/// given: no step is so short that it ends where such a contact comes to rest.
const GIVEN: f64 = 64.0 * f64::EPSILON;
/// Times the round-off that decides, one after the other, where no modes are consistent with less.
const COARSER: [f64; 3] = [1.0, 256.0, 65536.0];
/// How much later, as a part of the system's own time: a guard that is linear changes by this part of its size, and
/// the tangent is off by the square of it.
const LATER: f64 = 1e-6;

/// A contact at an event.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactAtEvent {
    /// Whether it did not slide.
    pub is_still: bool,
    /// Whether it slips from rest if it slips after the event, whatever round-off has left of its velocity.
    pub from_rest: bool,
    /// Whether its limit was reached: those that reach theirs together go together.
    at_limit: bool,
    /// How its margin changes from there on (see `resolution`).
    pub growth: f64,
}

/// What an event leaves, and scratch of the resolution of modes.
#[derive(Clone, Debug)]
pub(super) struct EventState {
    pub contacts: Vec<ContactAtEvent>,
    /// The impacts on stops at the end of the last step.
    pub impacts: Vec<Option<Impact>>,
    /// Whether tables have reached their next pieces since the last event: loads and belts may have jumped.
    pub is_clock_new: bool,
    changes: Vec<ModeChange>,
    /// Time (s) and contacts of an event that left no consistent modes.
    undecided: Option<(f64, Vec<usize>)>,
    pub others: Basis,
    /// The state and its derivative a little after an event.
    pub later: [Vec<f64>; 2],
    /// Memory of the laws.
    remembered: Vec<f64>,
}

impl EventState {
    pub fn new(prepared: &super::Prepared) -> Self {
        let mut others = Basis::default();
        if prepared.is_hybrid {
            others.reserve(&prepared.delassus);
        }
        Self {
            contacts: vec![ContactAtEvent::default(); prepared.contacts.len()],
            impacts: vec![None; prepared.stops.len()],
            is_clock_new: false,
            changes: Vec::with_capacity(4 * prepared.n_constraints() + 8),
            undecided: None,
            others,
            later: std::array::from_fn(|_| vec![0.0; prepared.n_state()]),
            remembered: vec![0.0; prepared.n_memory],
        }
    }
}

impl Dynamics {
    /// Whether contacts or stops have modes of their own.
    pub(crate) fn is_hybrid(&self) -> bool {
        self.prepared.is_hybrid
    }

    /// Decides how the contacts go on from (t, y), where the guards `on` vanish; from scratch without them.
    /// Velocities of contacts that come to rest, and deflections that reach the end of their range, lose
    /// their rounding. Returns whether anything turns.
    pub(crate) fn land(&mut self, t: f64, y: &mut [f64], on: Option<&[usize]>) -> bool {
        if !self.prepared.is_hybrid {
            return false;
        }
        self.land_stops(t, y, on);
        self.forces.read_inputs(&self.prepared, t, y);
        match on {
            None => self.stand(t, y),
            Some(on) => {
                let has_jumped = std::mem::take(&mut self.event.is_clock_new);
                if has_jumped {
                    self.leave_what_jumps(t, y);
                }
                self.note_limits(on);
                self.follow(y, on, has_jumped);
                self.open_and_close(y, on);
            }
        }
        // a rest that begins now remembers nothing of the last, and is decided on so
        let first = 2 * self.prepared.n();
        self.event.remembered.copy_from_slice(&y[first..first + self.prepared.n_memory]);
        self.forget_rests(|i| y[i] = 0.0);
        self.resolve(t, y);
        for (i, own) in self.prepared.contacts.iter().enumerate() {
            let sliders = self.next.contacts[i].sliders.iter();
            own.slip_places().zip(sliders).for_each(|(place, mode)| y[place] = mode.way());
            if own.is_set_valued {
                own.memory.clone().for_each(|z| y[z] = self.event.remembered[z - first]);
            }
        }
        self.forget_rests(|i| y[i] = 0.0);
        self.turns()
    }

    /// Calls `forget` for every internal state of the laws of contacts that come to rest.
    fn forget_rests(&self, mut forget: impl FnMut(usize)) {
        for (i, own) in self.prepared.contacts.iter().enumerate() {
            if self.regime.contacts[i].comes_to_rest(&self.next.contacts[i]) {
                own.memory.clone().for_each(&mut forget);
            }
        }
    }

    /// Resolves the next regime from the modes that the guards of the event ask for.
    fn resolve(&mut self, t: f64, y: &mut [f64]) {
        let mut changes = std::mem::take(&mut self.event.changes);
        changes.clear();
        let has_impacts = self.has_impacts();
        for contact in 0..self.prepared.contacts.len() {
            let own = &mut self.event.contacts[contact];
            let is_at_limit = std::mem::take(&mut own.at_limit);
            own.from_rest = self.next.contacts[contact].sticks() || is_at_limit && !has_impacts;
            if is_at_limit && let Some(ContactMode::Slip { piece }) = self.next.contacts[contact].mode {
                changes.push(ModeChange::Limit { contact, side: Side::of_piece(piece) });
                self.next.contacts[contact].is_static =
                    self.next.has_excess(contact, &self.prepared, &self.forces);
            }
        }
        let is_decided = COARSER
            .iter()
            .any(|coarser| resolve::resolve(&mut AtEvent::new(self, t, y, coarser * ROUNDING), &mut changes));
        if !is_decided {
            self.event.undecided = Some((t, resolution::contacts(&changes)));
        }
        self.event.changes = changes;
        // the last round-off goes out of the velocities where the constraints leave nothing to move
        let Self { prepared, forces, next, .. } = self;
        let stands = |c: &usize| forces.belt(prepared, *c)[0] == 0.0;
        if next.is_pinned(prepared) && next.basis.members.iter().all(stands) {
            y[prepared.n()..2 * prepared.n()].fill(0.0);
        }
    }

    /// Takes over the next modes.
    pub(crate) fn go_on(&mut self) {
        if self.prepared.is_hybrid {
            self.regime.copy_modes(&self.next);
            self.regime.choose_basis(&self.prepared, &self.forces);
            self.event.impacts.fill_with(|| None);
        }
    }

    /// Whether something turns at the end of the last step.
    pub(crate) fn turns(&self) -> bool {
        self.regime.turns(&self.next) || self.has_impacts()
    }

    /// Whether contact `i` was at rest in the last step.
    pub(crate) fn rested(&self, i: usize) -> bool {
        self.regime.contacts[i].sticks()
    }

    /// Whether contact `i` was open in the last step.
    pub(crate) fn was_open(&self, i: usize) -> bool {
        self.regime.contacts[i].mode == Some(ContactMode::Open)
    }

    /// What turns at the end of the last step: the contacts with set-valued laws that stay closed, or those
    /// that open or close and the sliders of springs.
    pub(crate) fn turning(&self, sliders: bool) -> impl Iterator<Item = (usize, EventKind)> {
        self.regime.contacts.iter().zip(&self.next.contacts).enumerate().flat_map(move |(i, (own, next))| {
            let of_contact =
                own.mode.zip(next.mode).and_then(|(before, after)| before.event(after, |_| true));
            let springs = own.sliders.iter().zip(&next.sliders).filter(move |_| sliders);
            let springs = springs.filter_map(|(own, next)| own.event(*next));
            let of_contact = of_contact.filter(|kind| kind.is_of_load() == sliders);
            of_contact.into_iter().chain(springs).map(move |kind| (i, kind))
        })
    }

    /// An error if the last event left no consistent modes.
    pub(crate) fn check_decided(&mut self) -> Result<(), Error> {
        let undecided = self.event.undecided.take();
        undecided.map_or(Ok(()), |(t, contacts)| Err(Error::Undecided { t, contacts }))
    }

    /// How everything stands by the velocities and deflections alone.
    fn stand(&mut self, t: f64, y: &[f64]) {
        let n = self.prepared.n();
        let presses = self.pressing(t, y);
        for (i, presses) in presses.into_iter().enumerate() {
            let sliding = self.forces.sliding_beyond(&self.prepared, i, &y[n..2 * n], GIVEN);
            let (fixed, next) = (&self.prepared.contacts[i], &mut self.next.contacts[i]);
            (self.event.contacts[i].is_still, next.is_static) = (sliding == 0.0, false);
            if fixed.is_set_valued {
                next.mode = Some(ContactMode::placed(presses, sliding));
            }
            let limits = limits_ahead(&self.prepared.system.contacts[i].friction.law, sliding);
            let (way, flags) = (sliding.signum(), &y[fixed.slip_places()]);
            for (k, (slider, mode)) in fixed.sliders.iter().zip(&mut next.sliders).enumerate() {
                let slips_on = flags.get(k).is_some_and(|flag| way * flag >= SLIPS);
                let end = limits[usize::from(sliding < 0.0)] * slider.reach_towards(way);
                let is_beyond = slips_on || way * y[fixed.memory.start + k] >= end;
                let slips = is_beyond && sliding != 0.0 && slider.holds();
                *mode = SliderMode::towards(if slips { way } else { 0.0 });
            }
            // the modes that are decided next start from here
            self.regime.contacts[i].mode = next.mode;
        }
        self.regime.choose_basis(&self.prepared, &self.forces);
    }

    /// Contacts at rest whose belt has jumped slide, those that it has overtaken slide the other way, and open
    /// ones whose load has come back are placed by their velocity.
    fn leave_what_jumps(&mut self, t: f64, y: &[f64]) {
        let n = self.prepared.n();
        let presses = self.pressing(t, y);
        for (i, presses) in presses.into_iter().enumerate() {
            let sliding = self.forces.sliding_beyond(&self.prepared, i, &y[n..2 * n], GIVEN);
            let own = &mut self.regime.contacts[i];
            own.mode = own.mode.map(|mode| mode.after_jump(presses, sliding));
        }
        self.regime.choose_basis(&self.prepared, &self.forces);
    }

    /// Whether each contact presses just after `t`; a normal load of zero that varies is read a little later.
    fn pressing(&self, t: f64, y: &[f64]) -> Vec<bool> {
        let (n, elements) = (self.prepared.n(), &self.forces.elements);
        let rate = self.prepared.scales.fastest().max(1.0 / (self.clock_end() - t));
        let mut presses: Vec<bool> = self.forces.contacts.iter().map(|own| own.normal >= 0.0).collect();
        for k in 0..elements.n_contacts() {
            let (i, _) = elements.load_slopes(k);
            if self.forces.contacts[i].normal == 0.0 && self.prepared.system.elements.varies_load(i) {
                let later = t + if rate > 0.0 { LATER / rate } else { LATER };
                presses[i] = elements.contact(k, later, &y[..n], &y[n..2 * n]).1[0] > 0.0;
            }
        }
        presses
    }

    /// Notes which sticking contacts have reached their limits.
    fn note_limits(&mut self, on: &[usize]) {
        let mut first = 0;
        for (i, fixed) in self.prepared.contacts.iter().enumerate() {
            let own = first + fixed.n_own_guards();
            first = own + fixed.n_mode_guards();
            self.event.contacts[i].at_limit =
                self.regime.contacts[i].sticks() && [own, own + 1].iter().any(|k| on.contains(k));
        }
    }

    /// Opens and closes the contacts whose normal loads have come to zero.
    fn open_and_close(&mut self, y: &[f64], on: &[usize]) {
        let n = self.prepared.n();
        for &k in on {
            let Some(contact) = self.opens_at(k) else { continue };
            let sliding = self.forces.sliding_beyond(&self.prepared, contact, &y[n..2 * n], GIVEN);
            let was_open = self.was_open(contact);
            self.next.contacts[contact].mode = Some(ContactMode::placed(was_open, sliding));
        }
    }

    /// Whether other contacts at rest, but for those that reach their limits, keep contact `i` in place in the old
    /// regime.
    fn was_kept(&mut self, i: usize) -> bool {
        let Self { prepared, forces, regime, event, .. } = self;
        let EventState { others, contacts, .. } = event;
        regime.keeps(i, prepared, forces, others, |j| contacts[j].at_limit)
    }

    /// What the guards that have come ask for, and those that have been passed.
    /// Where inputs may have jumped, velocities need not be those of the old constraints.
    fn follow(&mut self, y: &mut [f64], on: &[usize], has_jumped: bool) {
        let n = self.prepared.n();
        let has_impacts = self.has_impacts();
        if !(has_impacts || has_jumped) {
            self.regime.project(&self.prepared, &mut self.forces, &mut y[n..2 * n], 1.0);
        }
        let mut first = 0;
        for i in 0..self.prepared.contacts.len() {
            let may_be_kept =
                self.event.contacts[i].at_limit || !self.prepared.contacts[i].sliders.is_empty();
            let is_kept = may_be_kept && self.was_kept(i);
            let sliding = match is_kept {
                true => 0.0,
                false => self.forces.sliding(&self.prepared, i, &y[n..2 * n]),
            };
            let fixed = &self.prepared.contacts[i];
            self.event.contacts[i].is_still = sliding == 0.0;
            first += fixed.n_own_guards();
            let (own, next) = (&self.regime.contacts[i], &mut self.next.contacts[i]);
            next.copy_from(own);
            if fixed.is_set_valued {
                let has_come = [first, first + 1].map(|k| on.contains(&k));
                let v = &y[n..2 * n];
                // friction impulses are neglected: contacts slide as impacts have left them
                let after_impacts = || self.forces.sliding_beyond(&self.prepared, i, v, GIVEN);
                next.mode = own.mode.map(|mode| match mode {
                    ContactMode::Open => mode,
                    _ if has_impacts => ContactMode::placed(true, after_impacts()),
                    _ => mode.after_guards(has_come, sliding, is_kept),
                });
                first += 2;
            }
            if !fixed.sliders.is_empty() {
                self.follow_springs(i, on, first, sliding, y);
            }
            first += 2 * self.prepared.contacts[i].sliders.len();
        }
    }

    /// The same of the springs of contact `i`, whose guards are counted from `first`.
    fn follow_springs(&mut self, i: usize, on: &[usize], first: usize, sliding: f64, y: &mut [f64]) {
        let fixed = &self.prepared.contacts[i];
        let (own, next) = (&self.regime.contacts[i], &mut self.next.contacts[i]);
        let is_late = self.forces.contacts[i].lag.is_some();
        let [above, below] = limits_ahead(&self.prepared.system.contacts[i].friction.law, sliding);
        // springs that slip at one end catch together
        let is_caught = |(k, mode): &(usize, &SliderMode)| {
            !mode.sticks() && (on.contains(&(first + 2 * k)) || mode.way() * sliding < 0.0)
        };
        let caught = own.sliders.iter().enumerate().find(is_caught).map(|(_, mode)| mode.way());
        for (k, (slider, z)) in fixed.sliders.iter().zip(&mut y[fixed.memory.clone()]).enumerate() {
            // one that has turned back short of a limit that it follows late stands beyond it by its rounding
            let has_come = |side: usize| {
                let towards = if side == 0 { sliding } else { -sliding };
                on.contains(&(first + 2 * k + side)) && (!is_late || towards > 0.0)
            };
            let way = match own.sliders[k].way() {
                0.0 if !slider.holds() => 0.0,
                0.0 if has_come(0) || sliding > 0.0 && is_at_end(slider, 1.0, *z, above) => 1.0,
                0.0 if has_come(1) || sliding < 0.0 && is_at_end(slider, -1.0, *z, below) => -1.0,
                slips if Some(slips) == caught => 0.0,
                slips => slips,
            };
            next.sliders[k] = SliderMode::towards(way);
            let end = way * slider.reach_towards(way);
            // without any range there is nothing to follow late
            if way != 0.0 && (!is_late || end == 0.0) {
                *z = end;
            }
        }
    }

    /// Takes out of a difference (δq, δq̇, …) what the contacts that go on at rest hold.
    pub(crate) fn hold_difference(&mut self, x: &mut [f64], after: &[f64], late: f64) {
        let n = self.prepared.n();
        // a rest is counted from where it begins
        self.forget_rests(|i| x[i] = -after[i] * late);
        let Self { prepared, forces, next, event, .. } = self;
        next.project(prepared, forces, &mut x[n..2 * n], 0.0);
        next.project_positions(prepared, &mut event.others, &mut x[..n]);
    }

    /// Takes out of differences, one a column, what remembers which springs slip: that does not change by a
    /// little.
    pub(crate) fn forget_slips(&self, differences: &mut Matrix) {
        for i in self.prepared.contacts.iter().flat_map(|own| own.slip_places()) {
            (0..differences.n_cols).for_each(|j| *differences.at_mut(i, j) = 0.0);
        }
    }
}

//! Modes of contacts between events: set-valued laws, and springs with sliders.
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
//! the event. At an event the next modes are determined (`contact::resolve`); the old ones are kept until the next
//! step begins. Redundant contacts share their forces (`contact::redundancy`); one that reaches its limit while others
//! keep it in place yields.

mod resolution;
mod springs;

use super::{ContactState, Dynamics};
use crate::Error;
use crate::contact::{ContactMode, Side, direction, resolve};
use crate::event::EventKind;
use crate::law::{Law, Slip};
use crate::system::Motion;
use resolution::AtEvent;
pub(super) use resolution::ModeChange;
pub(super) use springs::SpringState;

/// The mode of a closed contact that slides at this velocity.
fn placed_by(sliding: f64) -> ContactMode {
    if sliding == 0.0 { ContactMode::STICK } else { ContactMode::slip(sliding.signum()) }
}

/// The mode of a sticking contact that has reached a limit: it slips, or yields if others keep it in place.
fn beyond_limit(side: Side, is_kept: bool) -> ContactMode {
    match is_kept {
        true => ContactMode::Stick { corner: 0, yields: Some(side) },
        false => ContactMode::slip(if side == Side::High { 1.0 } else { -1.0 }),
    }
}

/// A stored slip flag above this means slip: searches may interpolate between states.
const SLIPS: f64 = 0.5;
/// A sliding velocity at the start that is smaller than this part of its terms is the rounding of what was
/// given: no step is so short that it ends where such a contact comes to rest.
const GIVEN: f64 = 64.0 * f64::EPSILON;

/// A limit, or an acceleration of zero, is exceeded beyond this part of the forces.
pub(super) const ROUNDING: f64 = 1e-12;
/// Times the round-off that decides, one after the other, where no modes are consistent with less.
const COARSER: [f64; 3] = [1.0, 256.0, 65536.0];

impl ContactState {
    /// The sliding velocity consistent with the mode (m/s).
    #[inline]
    pub(super) fn placed(&self, sliding: f64) -> f64 {
        match self.mode {
            None | Some(ContactMode::Open) => sliding,
            Some(ContactMode::Stick { .. }) => 0.0,
            Some(ContactMode::Slip { piece }) => {
                let sign = direction(piece);
                sign * (sign * sliding).max(f64::MIN_POSITIVE)
            }
        }
    }

    /// Number of guards of the law itself.
    pub(super) fn n_own_switches(&self) -> usize {
        if self.answers { 4 } else { self.breakpoints.len() + self.n_switches }
    }

    /// Number of guards of the mode.
    pub(super) fn n_mode_guards(&self) -> usize {
        2 * usize::from(self.is_set_valued) + 2 * self.springs.len()
    }

    fn swap(&mut self) {
        std::mem::swap(&mut self.mode, &mut self.next);
        self.springs.iter_mut().for_each(|spring| std::mem::swap(&mut spring.slips, &mut spring.next));
    }

    /// Whether it sticks.
    pub(super) fn sticks(&self) -> bool {
        self.mode.is_some_and(ContactMode::sticks)
    }

    fn comes_to_rest(&self) -> bool {
        matches!(self.mode, Some(ContactMode::Slip { .. })) && self.next.is_some_and(ContactMode::sticks)
    }

    fn turns(&self) -> bool {
        self.mode != self.next || self.springs.iter().any(|spring| spring.slips != spring.next)
    }
}

impl Dynamics {
    /// Writes the switch functions of contact `i` beside its breakpoints, which are positive until their
    /// event, at the state of the last evaluation; `sliding` is its velocity there.
    pub(super) fn mode_guards(&self, i: usize, sliding: f64, y: &[f64], out: &mut [f64]) {
        let state = &self.states[i];
        let own = usize::from(state.is_set_valued) * 2;
        if state.is_set_valued {
            let pair = match state.mode {
                Some(ContactMode::Stick { yields, .. }) => {
                    let [low, high] = [state.load * state.hold.low, state.load * state.hold.high];
                    match yields {
                        None => [high - state.reaction, state.reaction - low],
                        // beyond its limit until it unloads
                        Some(Side::High) => [state.reaction - high, 1.0],
                        Some(Side::Low) => [low - state.reaction, 1.0],
                    }
                }
                Some(ContactMode::Slip { piece }) => [direction(piece) * sliding, 1.0],
                None | Some(ContactMode::Open) => [1.0; 2],
            };
            out[..2].copy_from_slice(&pair);
        }
        let deflections = &y[state.memory.clone()];
        let [above, below] = self.limits_ahead(i, sliding);
        for (k, (spring, z)) in state.springs.iter().zip(deflections).enumerate() {
            let [high, low] = spring.reaches();
            let pair = match spring.slips {
                0.0 if spring.slider.holds() => [above * high - z, below * low + z],
                0.0 => [1.0; 2],
                slips => [slips * sliding, 1.0],
            };
            out[own + 2 * k..own + 2 * k + 2].copy_from_slice(&pair);
        }
    }

    /// Whether switch `k` is the velocity of a contact, or of a spring, that slides: it begins at zero and
    /// ends there.
    pub(crate) fn is_velocity(&self, k: usize) -> bool {
        let n_stops = self.stops.as_ref().map_or(0, |stops| stops.n_switches());
        let end = self.n_kinks() - n_stops;
        if k >= end || self.opens_at(k).is_some() {
            return true;
        }
        let mut first = 0;
        self.states.iter().any(|state| {
            let own = first + state.n_own_switches();
            first = own + state.n_mode_guards();
            let springs = own + 2 * usize::from(state.is_set_valued);
            let mut slipping = state.springs.iter().enumerate().filter(|(_, spring)| spring.slips != 0.0);
            matches!(state.mode, Some(ContactMode::Slip { .. })) && k == own && state.is_set_valued
                || slipping.any(|(i, _)| k == springs + 2 * i)
        })
    }

    /// The first switch of the normal loads that vary.
    fn first_load_switch(&self) -> usize {
        self.states.iter().map(|state| state.n_own_switches() + state.n_mode_guards()).sum()
    }

    /// The contact with a set-valued law that opens or closes at switch `k`.
    fn opens_at(&self, k: usize) -> Option<usize> {
        let elements = self.elements.as_ref()?;
        let varying = k.checked_sub(self.first_load_switch()).filter(|k| *k < elements.n_contacts())?;
        let contact = elements.load_slopes(varying).0;
        self.states[contact].is_set_valued.then_some(contact)
    }

    /// Whether contacts or stops have modes of their own.
    pub(crate) fn is_hybrid(&self) -> bool {
        self.stops.is_some() || self.states.iter().any(|state| state.n_mode_guards() > 0)
    }

    /// Decides how the contacts go on from (t, y), where the switches `on` vanish; from scratch without them.
    /// Velocities of contacts that come to rest, and deflections that reach the end of their range, lose
    /// their rounding. Returns whether anything turns.
    pub(crate) fn land(&mut self, t: f64, y: &mut [f64], on: Option<&[usize]>) -> bool {
        if !self.is_hybrid() {
            return false;
        }
        self.land_stops(t, y, on);
        match on {
            None => {
                self.vary(t, y);
                self.stand(t, y);
            }
            Some(on) => {
                let has_jumped = std::mem::take(&mut self.is_clock_new);
                if has_jumped {
                    self.leave_what_jumps(t, y);
                }
                self.follow(t, y, on, has_jumped);
                self.open_and_close(y, on);
            }
        }
        // a rest that begins now remembers nothing of the last, and is decided on so
        let memory = 2 * self.system.n()..2 * self.system.n() + self.n_memory;
        self.remembered.copy_from_slice(&y[memory.clone()]);
        for state in self.states.iter().filter(|state| state.comes_to_rest()) {
            y[state.memory.clone()].fill(0.0);
        }
        self.swap_modes();
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        for contact in 0..self.states.len() {
            if std::mem::take(&mut self.states[contact].at_limit)
                && let Some(ContactMode::Slip { piece }) = self.states[contact].mode
            {
                let side = if piece > 0 { Side::High } else { Side::Low };
                changes.push(ModeChange::Limit { contact, side });
                self.states[contact].is_static = self.has_excess(contact);
            }
        }
        let is_decided = COARSER
            .iter()
            .any(|coarser| resolve::resolve(&mut AtEvent::new(self, t, y, coarser * ROUNDING), &mut changes));
        if !is_decided {
            self.undecided = Some((t, resolution::contacts(&changes)));
        }
        self.changes = changes;
        self.stop_what_is_pinned(y);
        self.swap_modes();
        self.states.iter().for_each(|state| state.remember_slips(y));
        for state in self.states.iter().filter(|state| state.is_set_valued) {
            let of = state.memory.start - memory.start..state.memory.end - memory.start;
            match state.comes_to_rest() {
                true => y[state.memory.clone()].fill(0.0),
                false => y[state.memory.clone()].copy_from_slice(&self.remembered[of]),
            }
        }
        self.turns()
    }

    /// Takes the last round-off out of the velocities where the constraints leave nothing to move.
    fn stop_what_is_pinned(&mut self, y: &mut [f64]) {
        let n = self.system.n();
        if self.is_pinned() && self.basis.members.iter().all(|c| self.constraint_belt(*c)[0] == 0.0) {
            y[n..2 * n].fill(0.0);
        }
    }

    /// Takes over the next modes.
    pub(crate) fn go_on(&mut self) {
        for state in &mut self.states {
            state.mode = state.next;
            state.springs.iter_mut().for_each(|spring| spring.slips = spring.next);
        }
        if let Some(stops) = &mut self.stops {
            stops.go_on();
        }
        self.choose_basis();
    }

    /// Whether what moves the constraints keeps its velocity.
    pub(super) fn stands_still(&self) -> bool {
        self.basis.members.iter().all(|c| self.constraint_belt(*c)[1] == 0.0)
    }

    /// Lets a sticking contact go at a limit: it slips, or yields if others keep it in place.
    pub(super) fn let_go(&mut self, contact: usize, side: Side) {
        self.states[contact].mode = Some(beyond_limit(side, self.is_kept(contact)));
        self.states[contact].is_static = self.has_excess(contact);
    }

    /// Whether static friction of a contact that slips is above its kinetic friction.
    fn has_excess(&self, contact: usize) -> bool {
        let state = &self.states[contact];
        let Some(ContactMode::Slip { piece }) = state.mode else { return false };
        let v = f64::MIN_POSITIVE.copysign(direction(piece));
        let kinetic = self.system.contacts[contact].friction.law.coefficient(Slip::at(v));
        let at_rest = if v > 0.0 { state.hold.high } else { state.hold.low };
        (at_rest - kinetic).abs() > ROUNDING * (state.hold.high - state.hold.low)
    }

    /// Whether something turns at the end of the last step.
    pub(crate) fn turns(&self) -> bool {
        self.states.iter().any(ContactState::turns) || self.stops.as_ref().is_some_and(|stops| stops.turns())
    }

    /// Whether contact `i` was at rest in the last step.
    pub(crate) fn rested(&self, i: usize) -> bool {
        self.states[i].sticks()
    }

    /// Whether contact `i` was open in the last step.
    pub(crate) fn was_open(&self, i: usize) -> bool {
        self.states[i].mode == Some(ContactMode::Open)
    }

    /// What turns at the end of the last step: the contacts with set-valued laws that stay closed, or those
    /// that open or close and the sliders of springs.
    pub(crate) fn turning(&self, sliders: bool) -> impl Iterator<Item = (usize, EventKind)> {
        self.states.iter().enumerate().flat_map(move |(i, state)| {
            let own = match (state.mode, state.next) {
                (Some(ContactMode::Slip { .. }), Some(ContactMode::Stick { .. })) => Some(EventKind::Stick),
                (Some(ContactMode::Stick { .. }), Some(ContactMode::Slip { .. })) => Some(EventKind::Slip),
                (Some(ContactMode::Slip { piece: a }), Some(ContactMode::Slip { piece: b })) if a != b => {
                    Some(EventKind::Reverse)
                }
                (Some(ContactMode::Open), Some(ContactMode::Stick { .. } | ContactMode::Slip { .. })) => {
                    Some(EventKind::Land)
                }
                (Some(ContactMode::Stick { .. } | ContactMode::Slip { .. }), Some(ContactMode::Open)) => {
                    Some(EventKind::Lift)
                }
                _ => None,
            };
            let springs = state.springs.iter().filter(move |_| sliders).filter_map(|spring| {
                match (spring.slips == 0.0, spring.next == 0.0) {
                    (true, false) => Some(EventKind::Slip),
                    (false, true) => Some(EventKind::Stick),
                    _ => None,
                }
            });
            let opens = |kind: &EventKind| kind.is_of_load();
            own.filter(|kind| opens(kind) == sliders).into_iter().chain(springs).map(move |kind| (i, kind))
        })
    }

    /// An error if the last event left no consistent modes.
    pub(crate) fn check_decided(&mut self) -> Result<(), Error> {
        self.undecided.take().map_or(Ok(()), |(t, contacts)| Err(Error::Undecided { t, contacts }))
    }

    /// The whole motion at (t, y) as it goes on from there.
    pub(crate) fn motion_after(&mut self, t: f64, y: &[f64], out: &mut Motion) {
        self.ahead(|dynamics| dynamics.motion(t, y, out));
    }

    /// The derivative of the state as it goes on from (t, y).
    pub(crate) fn derivative_after(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.ahead(|dynamics| dynamics.derivative(t, y, dy));
    }

    /// Looks at what comes next.
    fn ahead(&mut self, look: impl FnOnce(&mut Self)) {
        self.swap_modes();
        look(self);
        self.swap_modes();
    }

    fn swap_modes(&mut self) {
        self.states.iter_mut().for_each(ContactState::swap);
        if let Some(stops) = &mut self.stops {
            stops.swap();
        }
        self.choose_basis();
    }

    /// How everything stands by the velocities and deflections alone.
    fn stand(&mut self, t: f64, y: &mut [f64]) {
        let n = self.system.n();
        let presses = self.pressing(t, y);
        for (i, presses) in presses.into_iter().enumerate() {
            let sliding = self.sliding_beyond(i, &y[n..2 * n], GIVEN);
            let limits = self.limits_ahead(i, sliding);
            let state = &mut self.states[i];
            state.is_still = sliding == 0.0;
            if state.is_set_valued {
                let is_open = !presses;
                state.next = Some(if is_open { ContactMode::Open } else { placed_by(sliding) });
                // what is decided next starts from here
                state.mode = state.next;
            }
            let (way, slips) = (sliding.signum(), state.slip_places());
            for (k, spring) in state.springs.iter_mut().enumerate() {
                let z = y[state.memory.start + k];
                let slips_on = y[slips.clone()].get(k).is_some_and(|slips| way * slips >= SLIPS);
                let end = limits[usize::from(sliding < 0.0)] * spring.slider.reach_towards(way);
                let is_at_end = (slips_on || way * z >= end) && sliding != 0.0 && spring.slider.holds();
                spring.next = if is_at_end { way } else { 0.0 };
            }
            state.remember_slips(y);
        }
    }

    /// Contacts at rest whose belt has jumped slide, those that it has overtaken slide the other way, and open
    /// ones whose load has come back are placed by their velocity.
    fn leave_what_jumps(&mut self, t: f64, y: &[f64]) {
        let n = self.system.n();
        self.vary(t, y);
        let presses = self.pressing(t, y);
        for (i, presses) in presses.into_iter().enumerate() {
            let sliding = self.sliding_beyond(i, &y[n..2 * n], GIVEN);
            let state = &mut self.states[i];
            if !state.is_set_valued {
                continue;
            }
            state.mode = match state.mode {
                Some(_) if !presses => Some(ContactMode::Open),
                Some(ContactMode::Stick { .. } | ContactMode::Open) => Some(placed_by(sliding)),
                Some(ContactMode::Slip { piece }) if sliding * direction(piece) < 0.0 => {
                    Some(placed_by(sliding))
                }
                mode => mode,
            };
            state.next = state.mode;
        }
    }

    /// Whether each contact presses just after `t`; a normal load of zero that varies is read a little later.
    fn pressing(&self, t: f64, y: &[f64]) -> Vec<bool> {
        const LATER: f64 = 1e-6;
        let n = self.system.n();
        let rate = self.base_stiffness.max(self.fastest_load()).max(1.0 / (self.clock_end() - t));
        let mut presses: Vec<bool> = self.states.iter().map(|state| state.normal >= 0.0).collect();
        let Some(elements) = &self.elements else { return presses };
        for k in 0..elements.n_contacts() {
            let (i, _) = elements.load_slopes(k);
            if self.states[i].normal == 0.0 && self.system.elements.varies_load(i) {
                let later = t + if rate > 0.0 { LATER / rate } else { LATER };
                presses[i] = elements.contact(k, later, &y[..n], &y[n..2 * n]).1[0] > 0.0;
            }
        }
        presses
    }

    /// Notes which sticking contacts have reached their limits: those that do so together go together.
    fn note_limits(&mut self, on: &[usize]) {
        let mut first = 0;
        for state in &mut self.states {
            let own = first + state.n_own_switches();
            first = own + state.n_mode_guards();
            state.at_limit = state.sticks() && [own, own + 1].iter().any(|k| on.contains(k));
        }
    }

    /// Opens and closes the contacts whose normal loads have come to zero.
    fn open_and_close(&mut self, y: &[f64], on: &[usize]) {
        let n = self.system.n();
        for contact in on.iter().filter_map(|k| self.opens_at(*k)).collect::<Vec<_>>() {
            let sliding = self.sliding_beyond(contact, &y[n..2 * n], GIVEN);
            let state = &mut self.states[contact];
            let opens = state.mode != Some(ContactMode::Open);
            state.next = Some(if opens { ContactMode::Open } else { placed_by(sliding) });
        }
    }

    /// What the switches that have come ask for, and those that have been passed.
    /// Where inputs may have jumped, velocities need not be those of the old constraints.
    fn follow(&mut self, t: f64, y: &mut [f64], on: &[usize], has_jumped: bool) {
        let n = self.system.n();
        self.vary(t, y);
        let has_impacts = self.has_impacts();
        if !(has_impacts || has_jumped) {
            self.project_velocities(y);
        }
        self.note_limits(on);
        let mut first = 0;
        for i in 0..self.states.len() {
            let mut sliding = self.sliding(i, &y[n..2 * n]);
            let after_impacts = if has_impacts { self.sliding_beyond(i, &y[n..2 * n], GIVEN) } else { 0.0 };
            let may_be_kept = self.states[i].at_limit || !self.states[i].springs.is_empty();
            let is_kept = may_be_kept && self.is_kept(i);
            let is_still = sliding == 0.0 || is_kept;
            if is_still {
                sliding = 0.0;
            }
            let [above, below] = self.limits_ahead(i, sliding);
            let state = &mut self.states[i];
            state.is_still = is_still;
            first += state.n_own_switches();
            state.next = state.mode;
            if state.is_set_valued {
                let has_come = |k: usize| on.contains(&(first + k));
                match state.mode {
                    // friction impulses are neglected: contacts slide as impacts have left them
                    Some(ContactMode::Stick { .. } | ContactMode::Slip { .. }) if has_impacts => {
                        state.next = Some(placed_by(after_impacts));
                    }
                    Some(ContactMode::Slip { piece }) if has_come(0) || direction(piece) * sliding < 0.0 => {
                        state.next = Some(ContactMode::STICK);
                    }
                    Some(ContactMode::Stick { yields: None, .. }) if has_come(0) || has_come(1) => {
                        let side = if has_come(0) { Side::High } else { Side::Low };
                        state.next = Some(beyond_limit(side, is_kept));
                    }
                    Some(ContactMode::Stick { yields: Some(_), .. }) if has_come(0) => {
                        state.next = Some(ContactMode::STICK);
                    }
                    _ => {}
                }
                first += 2;
            }
            // springs that slip at one end catch together
            let n_springs = state.springs.len();
            let is_caught = |(k, spring): &(usize, &SpringState)| {
                spring.slips != 0.0 && (on.contains(&(first + 2 * k)) || spring.slips * sliding < 0.0)
            };
            let caught = state.springs.iter().enumerate().find(is_caught).map(|(_, spring)| spring.slips);
            for (k, (spring, z)) in state.springs.iter_mut().zip(&mut y[state.memory.clone()]).enumerate() {
                // one that has turned back short of a limit that it follows late stands beyond it by its
                // rounding
                let is_late = state.lag.is_some();
                let has_come = |side: usize| {
                    let towards = if side == 0 { sliding } else { -sliding };
                    on.contains(&(first + 2 * k + side)) && (!is_late || towards > 0.0)
                };
                spring.next = match spring.slips {
                    0.0 if !spring.slider.holds() => 0.0,
                    0.0 if has_come(0) || sliding > 0.0 && spring.is_at_end(1.0, *z, above) => 1.0,
                    0.0 if has_come(1) || sliding < 0.0 && spring.is_at_end(-1.0, *z, below) => -1.0,
                    slips if Some(slips) == caught => 0.0,
                    slips => slips,
                };
                let end = spring.next * spring.slider.reach_towards(spring.next);
                if spring.next != 0.0 && state.lag.is_none() {
                    *z = end;
                } else if spring.next != 0.0 && end == 0.0 {
                    // without any range there is nothing to follow late
                    *z = 0.0;
                }
            }
            state.remember_slips(y);
            first += 2 * n_springs;
        }
    }

    /// Takes out of a difference (δq, δq̇, …) what the contacts that go on at rest hold.
    pub(crate) fn hold_difference(&mut self, x: &mut [f64], after: &[f64], late: f64) {
        let n = self.system.n();
        // a rest is counted from where it begins
        for state in self.states.iter().filter(|state| state.comes_to_rest()) {
            state.memory.clone().for_each(|i| x[i] = -after[i] * late);
        }
        self.swap_modes();
        self.project(&mut x[n..2 * n], 0.0);
        self.project_positions(&mut x[..n]);
        self.swap_modes();
    }
}

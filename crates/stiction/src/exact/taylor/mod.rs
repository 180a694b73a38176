//! Everything that is linear between events: several degrees of freedom, signals, normal loads that vary,
//! stops, springs with sliders, feedback.
//!
//! From event to event, or to a point of a table, the motion is carried in modes where these are exact and
//! worth it, and otherwise by a Taylor series that is exact to rounding ([`Stretch`]). Events are the first
//! roots of guards, isolated by bounds on the derivatives.

mod accumulate;
mod bounds;
mod clock;
mod dependence;
mod elements;
mod guards;
mod impacts;
mod model;
mod modes;
mod resolution;
mod response;
mod rounding;
mod row;
mod stretch;
mod tangent;
#[cfg(test)]
mod tests;

use super::modal::Modal;
use super::root_isolation::Stalled;
use super::time::Time;
use crate::Error;
use crate::contact::ContactMode;
use crate::event::{Event, EventKind};
use crate::system::{InputSlot, Motion, System, TimeTable};
use accumulate::QuadratureNodes;
use guards::GuardKind;
pub(super) use model::{Model, Sparse, sparse};
use resolution::{Before, Cause, Resolved, resolve};
pub(super) use row::sparse_dot;
pub(super) use stretch::{ANGLE, ORDER, Stretch};

/// The first event of a stretch.
#[derive(Clone, Debug)]
struct FirstEvent {
    is_searched: bool,
    /// Its time after the start, once it has been searched for.
    found: Option<f64>,
    /// The guards that set it.
    fired: Vec<GuardKind>,
}

/// Where a stretch ends, before the modes change.
#[derive(Clone, Debug)]
struct AtEnd {
    /// Position, velocity and acceleration.
    state: [Vec<f64>; 2],
    acceleration: Vec<f64>,
    /// Friction forces with their rates, of a stretch in modes.
    force: Vec<[f64; 2]>,
}

#[derive(Clone, Debug)]
pub(super) struct Taylor {
    model: Model,
    /// The motion in modes, where that is exact and worth it; the series then only resolve the modes of
    /// contacts.
    modal: Option<Box<Modal>>,
    current: Box<Stretch>,
    next: Box<Stretch>,
    /// Whether the current stretch has been followed to its end, and `next` begins there.
    ended: bool,
    first: FirstEvent,
    /// Whether the stretch is carried in modes, and whether the next one is: a set of sticking contacts may
    /// have none that are good.
    in_modes: bool,
    next_in_modes: bool,
    now: Time,
    before: Before,
    nodes: QuadratureNodes,
    at_end: AtEnd,
    pub events: Vec<Event>,
    /// What the resolution at the end of the stretch did beside choosing modes.
    resolved: Resolved,
    /// States at t = 0 beyond positions and velocities.
    initial: Vec<f64>,
    /// Positions (m) and velocities (m/s) beyond these have left all bounds.
    pub largest: [f64; 2],
}

impl Taylor {
    pub fn new(system: &System) -> Result<Self, Error> {
        let model = Model::new(system)?;
        let (n, m) = (model.n, model.contacts.len());
        let current = Box::new(Stretch::new(&model));
        let mut initial = system.initial_states();
        initial.resize(model.n_states(), 0.0);
        let modal = if model.has_elements() { None } else { Modal::new(system, &model).map(Box::new) };
        let mut taylor = Self {
            next: current.clone(),
            current,
            ended: false,
            first: FirstEvent { is_searched: false, found: None, fired: Vec::with_capacity(m) },
            in_modes: false,
            next_in_modes: false,
            now: Time::default(),
            before: Before::default(),
            nodes: QuadratureNodes::new(&model),
            at_end: AtEnd {
                state: [vec![0.0; n], vec![0.0; n]],
                acceleration: vec![0.0; n],
                force: vec![[0.0; 2]; m],
            },
            events: Vec::with_capacity(m),
            resolved: Resolved::default(),
            initial,
            largest: [f64::INFINITY; 2],
            modal,
            model,
        };
        taylor.restart(0.0, &system.position, &system.velocity, None)?;
        Ok(taylor)
    }

    /// Number of states of springs with sliders and of feedback.
    pub fn n_states(&self) -> usize {
        self.model.n_states()
    }

    /// Starts at `t` from these positions, velocities and states; without them from those of t = 0.
    pub fn restart(&mut self, t: f64, q: &[f64], v: &[f64], states: Option<&[f64]>) -> Result<(), Error> {
        let (n, p) = (self.model.n, self.model.n_states());
        self.events.clear();
        self.now = Time::new(t);
        let next = &mut self.next;
        next.start = self.now;
        next.series.q[..n].copy_from_slice(q);
        next.series.v[..n].copy_from_slice(v);
        next.series.x[..p].copy_from_slice(states.unwrap_or(&self.initial));
        next.regime = modes::Regime::open(&self.model);
        next.set_clock(&self.model);
        self.resolve(&Cause::Start)?;
        self.turn_over();
        Ok(())
    }

    /// The table of an input; it counts from the next start on.
    pub fn input_table(&mut self, slot: InputSlot) -> Option<&mut TimeTable> {
        self.model.input_table(slot)
    }

    pub fn t(&self) -> f64 {
        self.now.t
    }

    pub fn start(&self) -> f64 {
        self.current.start.t
    }

    pub fn rate(&self) -> f64 {
        self.model.fastest(0.0)
    }

    /// The rate to which the cost of a motion in modes is tied (1/s).
    pub fn pace(&self) -> Option<f64> {
        self.modal.as_ref().map(|modal| modal.pace(&self.model))
    }

    /// Resolves the modes of the next stretch and completes its series.
    fn resolve(&mut self, cause: &Cause) -> Result<Resolved, Error> {
        let t = self.next.start.t;
        let resolved = resolve(&self.model, &mut self.next, &mut self.before, cause);
        let resolved = resolved.map_err(|contacts| Error::Undecided { t, contacts })?;
        self.next_in_modes = !self.next.is_pinned(&self.model)
            && self.modal.as_mut().is_some_and(|modal| modal.begin(&self.model, &self.next));
        if !self.next_in_modes {
            self.next.extend(&self.model, ORDER);
        }
        Ok(resolved)
    }

    /// Makes the next stretch the current one.
    fn turn_over(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
        if let Some(modal) = &mut self.modal {
            modal.turn_over();
        }
        self.in_modes = self.next_in_modes;
        (self.ended, self.first.is_searched) = (false, false);
    }

    /// Goes on to the next event, to the end of the stretch, or to `t_end`, whichever comes first.
    pub fn step(&mut self, t_end: f64) -> Result<(), Error> {
        if self.ended {
            self.turn_over();
        }
        self.events.clear();
        let end = self.current.start.until(t_end);
        let stalled = |stretch: &Stretch| Error::StepVanished { t: stretch.start.t };
        let tau = if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            let event = modal.search(&self.model, &self.current, end);
            let event = event.map_err(|Stalled| stalled(&self.current))?;
            let Some((tau, contact, side)) = event else {
                self.now = Time::new(t_end);
                let AtEnd { state: [q, v], acceleration, .. } = &mut self.at_end;
                modal.state(false, end, [q, v, acceleration]);
                return check_size(t_end, q, v, self.largest);
            };
            self.first.found = Some(tau);
            self.first.fired.clear();
            self.first.fired.push(if self.current.sticks(contact) {
                GuardKind::Limit { contact, side }
            } else {
                GuardKind::Corner { contact, side }
            });
            tau
        } else {
            if !self.first.is_searched {
                self.search().map_err(|Stalled| stalled(&self.current))?;
            }
            let tau = self.first.found.unwrap_or(self.current.end);
            if tau > end {
                self.now = Time::new(t_end);
                return Ok(());
            }
            tau
        };
        let at_break = self.first.found.is_none() && self.current.to_break;
        self.now = if at_break {
            Time::new(self.model.next_break(self.current.start.t))
        } else {
            self.current.start.plus(tau)
        };
        self.ended = true;
        self.follow(tau, at_break)?;
        let n = self.model.n;
        check_size(self.now.t, &self.next.series.q[..n], &self.next.series.v[..n], self.largest)
    }

    /// The first event of the current stretch.
    fn search(&mut self) -> Result<(), Stalled> {
        self.first.is_searched = true;
        self.first.fired.clear();
        let current = &self.current;
        let mut first = f64::INFINITY;
        let last = (current.end / current.length).min(1.0);
        for (guard, lead) in current.guards.iter().zip(&current.leads) {
            let Some(lead) = *lead else { continue };
            if let Some(s) = guard.first_root(&self.model, current, lead, first.min(last))? {
                if s < first {
                    self.first.fired.clear();
                    first = s;
                }
                self.first.fired.push(guard.kind);
            }
        }
        self.first.found = first.is_finite().then_some(first * current.length);
        Ok(())
    }

    /// Prepares the stretch after the current one, which ends at τ.
    fn follow(&mut self, tau: f64, at_break: bool) -> Result<(), Error> {
        let (n, p) = (self.model.n, self.model.n_states());
        let (current, next) = (&self.current, &mut self.next);
        next.start = self.now;
        next.regime.clone_from(&current.regime);
        if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            let (q, v) = (&mut next.series.q[..n], &mut next.series.v[..n]);
            modal.state(false, tau, [q, v, &mut self.at_end.acceleration]);
            for (i, force) in self.at_end.force.iter_mut().enumerate() {
                *force = modal.force(false, i);
            }
        } else {
            let s = tau / current.length;
            current.state(s, &mut next.series.q[..n], &mut next.series.v[..n], &mut self.at_end.acceleration);
            (0..p).for_each(|k| next.series.x[k] = Stretch::value(&current.series.x[k..], p, s));
        }
        next.set_clock(&self.model);
        self.resolved = Resolved::default();
        if self.first.found.is_none() && !at_break && self.renew() {
            return Ok(());
        }
        let fired = std::mem::take(&mut self.first.fired);
        let resolved = self.resolve(&Cause::Event(&fired));
        self.first.fired = fired;
        self.resolved = resolved?;
        self.list_events();
        Ok(())
    }

    /// The next stretch goes on under the modes of the current one, if all guards allow it.
    fn renew(&mut self) -> bool {
        let (model, current, next) = (&self.model, &self.current, &mut self.next);
        // a guard that stayed at zero may leave it on either side
        if current.leads.iter().any(Option::is_none) {
            return false;
        }
        next.continue_from(model, current);
        next.extend(model, ORDER);
        self.next_in_modes = false;
        true
    }

    fn list_events(&mut self) {
        let (t, model, resolved) = (self.now.t, &self.model, &self.resolved);
        let events = &mut self.events;
        // what comes to rest together with a stop that stays closed does so at the end of its impacts
        let closed_at = t + resolved.impacts.iter().filter_map(|impact| impact.1).fold(0.0, f64::max);
        for &(stop, closes_after) in &resolved.impacts {
            let kind = if closes_after.is_some() { EventKind::Hold } else { EventKind::Impact };
            let t = t + closes_after.unwrap_or(0.0);
            events.push(Event { t, contact: model.stop_number(stop), kind });
        }
        let (before, now) = (&self.current.regime, &self.next.regime);
        for (k, pair) in before.stops.iter().zip(&now.stops).enumerate() {
            // those that close do so in an impact
            let kind = pair.0.event(*pair.1).filter(|kind| *kind == EventKind::Release);
            events.extend(kind.map(|kind| Event { t, contact: model.stop_number(k), kind }));
        }
        for (k, pair) in before.one_sided.iter().zip(&now.one_sided).enumerate().take(model.n_elastic()) {
            let Some(kind) = pair.0.event(*pair.1) else { continue };
            events.push(Event { t, contact: model.stop_number(model.stops.len() + k), kind });
        }
        for (contact, pair) in self.current.regime.contacts.iter().zip(&self.next.regime.contacts).enumerate()
        {
            let is_jump = |corner: usize| model.contacts[contact].line.corners[corner].is_jump();
            let Some(kind) = pair.0.event(*pair.1, is_jump) else { continue };
            // an impact turns velocities round: that is no passage through zero
            if kind != EventKind::Reverse || resolved.impacts.is_empty() {
                let sticks = matches!(pair, (ContactMode::Slip { .. }, ContactMode::Stick { .. }));
                let t = if sticks { closed_at } else { t };
                events.push(Event { t, contact, kind });
            }
        }
        for (slider, pair) in model.sliders.iter().zip(before.sliders.iter().zip(&now.sliders)) {
            let Some(kind) = pair.0.event(*pair.1) else { continue };
            events.push(Event { t, contact: slider.contact, kind });
        }
    }

    /// Rates of the states at the time reached.
    pub fn state_rates(&self, out: &mut [f64]) {
        let stretch = if self.ended { &self.next } else { &self.current };
        let p = self.model.n_states();
        let s = stretch.start.since(self.now.t) / stretch.length;
        for (k, out) in out.iter_mut().enumerate() {
            *out = Stretch::jet(&stretch.series.x[k..], p, s)[1] / stretch.length;
        }
    }

    /// The whole motion at `t`, which lies in the current stretch; at its end what holds after it.
    pub fn motion(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(self.ended && t >= self.now.t, t, out);
    }

    /// The same; at the end of the stretch what holds before it.
    pub fn motion_before(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(false, t, out);
    }

    fn motion_of(&mut self, after: bool, t: f64, out: &mut Motion) {
        let model = &self.model;
        let (stretch, in_modes) =
            if after { (&self.next, self.next_in_modes) } else { (&self.current, self.in_modes) };
        let tau = stretch.start.since(t);
        out.t = t;
        if let Some(modal) = self.modal.as_mut().filter(|_| in_modes) {
            modal.motion(model, stretch, after, tau, out);
            out.t = t;
            return;
        }
        let s = tau / stretch.length;
        stretch.state(s, &mut out.position, &mut out.velocity, &mut out.acceleration);
        let (m, p) = (model.contacts.len(), model.n_states());
        out.states
            .iter_mut()
            .enumerate()
            .take(p)
            .for_each(|(k, x)| *x = Stretch::value(&stretch.series.x[k..], p, s));
        for (i, contact) in model.contacts.iter().enumerate() {
            let normal =
                if contact.varies { stretch.row_at(model, &contact.normal, s).max(0.0) } else { 1.0 };
            out.sliding[i] = stretch.row_at(model, &contact.sliding, s);
            let force = || Stretch::value(&stretch.series.force[i..], m, s);
            (out.friction[i], out.slope[i]) = match stretch.regime.contacts[i] {
                ContactMode::Open => (0.0, 0.0),
                // at the instant of lifting, but for rounding
                ContactMode::Slip { .. } if normal == 0.0 => (0.0, 0.0),
                ContactMode::Slip { piece } => {
                    let piece = contact.line.pieces[piece];
                    let is_plain = !contact.varies && contact.sliders.is_empty();
                    let own = if is_plain { piece.force + piece.slope * out.sliding[i] } else { force() };
                    (own, normal * piece.slope)
                }
                ContactMode::Stick { corner, .. } => {
                    let slope = normal * contact.line.rest_slope(corner);
                    let corner = contact.line.corners[corner];
                    out.sliding[i] = corner.v;
                    let held = stretch.yield_limit(model, i).map_or_else(force, |limit| limit * normal);
                    // beyond its limits by no more than the rounding of the time
                    (held.max(normal * corner.low).min(normal * corner.high), slope)
                }
            };
        }
    }
}

/// An error if positions or velocities have left all bounds.
fn check_size(t: f64, q: &[f64], v: &[f64], largest: [f64; 2]) -> Result<(), Error> {
    let is_within = |x: &[f64], limit: f64| x.iter().all(|x| x.is_finite() && x.abs() <= limit);
    if is_within(q, largest[0]) && is_within(v, largest[1]) {
        return Ok(());
    }
    Err(Error::diverged(t, &[q, v].concat()))
}

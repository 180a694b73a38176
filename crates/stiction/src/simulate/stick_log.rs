//! Events of the contacts, and the time that each sticks.

use super::Stepper;
use crate::event::{Event, EventKind};
use crate::law::{Graph, Law};
use crate::math::root::{crossing, opposed};
use crate::system::{BristleStretch, Motion, STILL, Sticking, System};

/// Events that are kept; a chattering run has one in every step.
const MAX_EVENTS: usize = 100_000;
/// Speeds below this part of the stick speed are rest: their sign is rounding.
const NOISE: f64 = 1e-9;
/// The same of speeds below this part of the fastest, of any law: their squares are no numbers any more.
/// Rate-and-state friction lets a motion die out down to there.
const FAINT: f64 = 1e-150;
/// The same of speeds below this part of the slowest creep that counts: they pass through zero with the
/// tolerance of that.
const UNSEEN: f64 = 1e-3;
/// Parts of a step between which bristles are looked at: what they do and undo in one would not be seen.
const LOOKS: usize = 4;

/// Watches the contacts for events.
pub(crate) struct StickLog<'a> {
    system: &'a System,
    /// Speed below which each contact sticks; one without friction never does.
    stick_speed: Vec<Option<f64>>,
    /// Whether each contact has a set-valued law, whose events the stepper isolates.
    is_set_valued: Vec<bool>,
    /// Contacts of springs, which stick until all their sliders slide.
    springs: Vec<Sticking>,
    /// Contacts of bristles, each with its margin at the end of the last part.
    bristles: Vec<(Sticking, f64)>,
    /// Speed below which the sign of each contact that creeps is rounding.
    creep: Vec<f64>,
    /// The last direction of sliding of each contact.
    sign: Vec<f64>,
    sliding: Vec<f64>,
    /// The largest speed of each contact so far.
    fastest: Vec<f64>,
    sliding_old: Vec<f64>,
    stick_time: Vec<f64>,
    pub events: Vec<Event>,
    pub n_dropped: u64,
    probe: Motion,
    is_sampled: bool,
    /// Parts of a span between which bristles are looked at.
    looks: usize,
}

impl<'a> StickLog<'a> {
    /// Of a run: a stepper that isolates events gives those of all contacts.
    pub fn new(system: &'a System) -> Self {
        let m = system.contacts.len();
        let laws = || system.contacts.iter().map(|contact| &contact.friction.law);
        let (springs, bristles): (Vec<_>, Vec<_>) =
            system.sticking().into_iter().partition(Sticking::has_springs);
        let n_states = if springs.len() + bristles.len() > 0 { system.initial_states().len() } else { 0 };
        Self {
            system,
            stick_speed: laws().map(|law| law.stick_speed().filter(|_| law.bound() > 0.0)).collect(),
            is_set_valued: laws().map(|law| law.graph() == Graph::SetValued).collect(),
            springs,
            bristles: bristles.into_iter().map(|own| (own, 0.0)).collect(),
            creep: laws().map(|law| UNSEEN * law.scales().creep_speed.unwrap_or(0.0)).collect(),
            sign: vec![0.0; m],
            sliding: vec![0.0; m],
            fastest: vec![0.0; m],
            sliding_old: vec![0.0; m],
            stick_time: vec![0.0; m],
            events: Vec::with_capacity(1024),
            n_dropped: 0,
            probe: Motion::zero(system.n(), m).with_states(n_states),
            is_sampled: false,
            looks: LOOKS,
        }
    }

    /// Of a motion that is given at instants close together: contacts that creep are followed by their sliding
    /// velocities, whatever the stepper isolates.
    pub fn sampled(system: &'a System) -> Self {
        Self { is_sampled: true, looks: 1, ..Self::new(system) }
    }

    /// Starts watching at `now`.
    pub fn begin(&mut self, now: &Motion) {
        let system = self.system;
        self.note(now);
        for (bristles, margin) in &mut self.bristles {
            *margin = bristles.margin(system, now);
        }
        for i in 0..self.sign.len() {
            let v = now.sliding[i];
            self.sign[i] =
                if v.abs() > NOISE * self.stick_speed[i].unwrap_or(0.0) { v.signum() } else { 0.0 };
        }
    }

    fn note(&mut self, now: &Motion) {
        self.sliding.copy_from_slice(&now.sliding);
        for (fastest, v) in self.fastest.iter_mut().zip(&now.sliding) {
            *fastest = fastest.max(v.abs());
        }
        self.bristles.iter_mut().for_each(|(own, _)| own.note(now));
    }

    /// Follows the contacts over the part `span` of the last step, at the end of which the motion is `now`: finds
    /// the events that the stepper does not isolate, takes over the others, and counts the time in stick. A
    /// contact whose events are isolated sticks all along a step or not at all.
    pub fn follow(&mut self, stepper: &mut dyn Stepper, now: &Motion, span: [f64; 2]) {
        let [from, to] = span;
        let isolates = stepper.isolates_events() && !self.is_sampled;
        if !isolates {
            self.sliding_old.copy_from_slice(&self.sliding);
            self.note(now);
        }
        for i in 0..self.sliding.len() {
            let bristles = self.bristles.iter().position(|(own, _)| own.contact == i);
            if isolates || self.is_set_valued[i] {
                let v = stepper.sliding_inside(i).abs();
                if self.stick_speed[i].is_some_and(|speed| v < speed || v == 0.0) {
                    self.stick_time[i] += to - from;
                }
            } else if let Some(k) = bristles {
                let reversal = self.reversal(stepper, i, span, STILL * self.fastest[i]);
                self.bend(k, stepper, now, span, reversal);
            } else {
                self.slide(stepper, i, span);
            }
        }
        self.count_springs(stepper, span);
        // the end of a series of bounces lies a little after the step
        let is_end = to >= stepper.t();
        for event in stepper.events().iter().filter(|event| event.t >= from && (is_end || event.t <= to)) {
            self.push(*event);
        }
    }

    /// When contact `i` turned round in `span`, if it did; speeds up to `floor` have no direction.
    fn reversal(&mut self, stepper: &mut dyn Stepper, i: usize, span: [f64; 2], floor: f64) -> Option<f64> {
        let (v0, v1) = (self.sliding_old[i], self.sliding[i]);
        if v1.abs() <= floor {
            return None;
        }
        let turns = std::mem::replace(&mut self.sign[i], v1.signum()) * v1 < 0.0;
        // of springs the sliders turn; it may have changed its direction while its speed was below the floor
        let is_excluded = self.springs.iter().any(|own| own.contact == i);
        match turns && !is_excluded {
            true if opposed(v0, v1) => Some(self.passage(stepper, i, span, 0.0)),
            true => Some(span[0]),
            false => None,
        }
    }

    /// Follows contact `i`, which sticks below its stick speed, if it has one.
    fn slide(&mut self, stepper: &mut dyn Stepper, i: usize, span: [f64; 2]) {
        let (v0, v1, stick_speed) = (self.sliding_old[i], self.sliding[i], self.stick_speed[i]);
        let floor = (NOISE * stick_speed.unwrap_or(0.0)).max(FAINT * self.fastest[i]).max(self.creep[i]);
        let reversal = self.reversal(stepper, i, span, floor);
        let (mut enter, mut leave) = (None, None);
        if let Some(speed) = stick_speed {
            let sticks = |v: f64| v.abs() < speed || v == 0.0;
            let (before, after) = (sticks(v0), sticks(v1));
            let passes = !before && !after && opposed(v0, v1) && speed > 0.0;
            if passes || (!before && after) {
                enter = Some(self.passage(stepper, i, span, speed.copysign(v0)));
            }
            if passes || (before && !after) {
                leave = Some(self.passage(stepper, i, span, speed.copysign(v1)));
            }
            if before || after || passes {
                self.stick_time[i] += leave.unwrap_or(span[1]) - enter.unwrap_or(span[0]);
            }
        }
        for (t, kind) in [(enter, EventKind::Stick), (reversal, EventKind::Reverse), (leave, EventKind::Slip)]
        {
            if let Some(t) = t {
                self.push(Event { t, contact: i, kind });
            }
        }
    }

    /// Counts the time in which contacts of springs stick: sliders turn between steps, so that an instant
    /// inside decides for all.
    #[inline]
    fn count_springs(&mut self, stepper: &mut dyn Stepper, [from, to]: [f64; 2]) {
        if self.springs.is_empty() {
            return;
        }
        stepper.motion(0.5 * (from + to), &mut self.probe);
        for springs in &self.springs {
            if springs.margin(self.system, &self.probe) > 0.0 {
                self.stick_time[springs.contact] += to - from;
            }
        }
    }

    /// Keeps the events of the contact of bristles that is `k`th of these in `span`, at the end of which the
    /// motion is `now`, and counts the time in which they hold.
    fn bend(
        &mut self,
        k: usize,
        stepper: &mut dyn Stepper,
        now: &Motion,
        span: [f64; 2],
        reversal: Option<f64>,
    ) {
        let (system, mut probe) = (self.system, std::mem::take(&mut self.probe));
        let (own, last) = &mut self.bristles[k];
        let (own, contact) = (own.clone(), own.contact);
        let after = own.margin(system, now);
        let margins = [std::mem::replace(last, after), after];
        let turn = reversal.map(|t| (t, self.sign[contact]));
        let stretch = BristleStretch { span, margins, turn, looks: self.looks };
        let mut reversal = reversal;
        let (mut since, mut held) = (span[0], 0.0);
        let margin = |t: f64, direction: Option<f64>| {
            stepper.motion(t, &mut probe);
            own.margin_towards(system, &probe, direction)
        };
        stretch.changes(margin, |t, holds| {
            if let Some(turn) = reversal.take_if(|turn| *turn < t || *turn == t && !holds) {
                self.push(Event { t: turn, contact, kind: EventKind::Reverse });
            }
            if !holds {
                held += t - since;
            }
            since = t;
            self.push(Event { t, contact, kind: if holds { EventKind::Stick } else { EventKind::Slip } });
        });
        if let Some(t) = reversal {
            self.push(Event { t, contact, kind: EventKind::Reverse });
        }
        if after > 0.0 {
            held += span[1] - since;
        }
        self.stick_time[contact] += held;
        self.probe = probe;
    }

    #[inline]
    fn push(&mut self, event: Event) {
        if self.events.len() < MAX_EVENTS {
            self.events.push(event);
        } else {
            self.n_dropped += 1;
        }
    }

    /// Time in `span` at which the sliding velocity of contact `i` passes through `edge`.
    fn passage(&mut self, stepper: &mut dyn Stepper, i: usize, span: [f64; 2], edge: f64) -> f64 {
        let values = [self.sliding_old[i] - edge, self.sliding[i] - edge];
        // steps end on the kinks of a law, to the round-off of the velocities there
        let rounding = 4.0 * STILL * self.fastest[i];
        crossing(span, values, rounding, |t| stepper.sliding(i, t, &mut self.probe) - edge)
    }

    pub fn fractions(&self, span: f64) -> Vec<Option<f64>> {
        let fraction = |time: f64| if span > 0.0 { (time / span).clamp(0.0, 1.0) } else { 0.0 };
        let of = |i: usize| {
            let mut by_states = self.springs.iter().chain(self.bristles.iter().map(|(own, _)| own));
            let law = &self.system.contacts[i].friction.law;
            let is_reported = law.stick_speed().is_some() || by_states.any(|own| own.contact == i);
            is_reported.then(|| fraction(self.stick_time[i]))
        };
        (0..self.stick_time.len()).map(of).collect()
    }
}

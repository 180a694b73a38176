//! What a periodic motion is like: amplitude, phase, losses, stops, symmetry.
//!
//! Integrals over the period are taken by Gauss's formula on the smooth stretches between events, so that they are as
//! good as the motion; extrema are zeros of the velocity, refined to round-off.
//!
//! A contact with a set-valued law stops when it sticks. Other laws creep: such a contact rests while its
//! speed is below the stick speed of its law, and it stops if it leaves that zone on the side it came from,
//! or lingers there `LINGER` times as long as it would take to coast through. Springs with sliders and
//! bristles stick as their internal states say; only sliders stop.

mod crossing;
mod quadrature;
mod zone;

use super::flow::Flow;
use crate::Error;
use crate::event::{Event, EventKind};
use crate::law::{Graph, Law};
use crate::math::dense::dot;
use crate::math::root::opposed;
use crate::record::{Balance, Samples};
use crate::system::{BristleStretch, Contact, Motion, Sticking, System};
use crossing::crossing;
use std::f64::consts::TAU;
use zone::Zone;

/// What was measured.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub amplitude: f64,
    /// The largest distance of any degree of freedom from its origin.
    pub extent: f64,
    /// The integral of the moduli of all powers.
    pub exchange: f64,
    pub fundamental: f64,
    pub phase: Option<f64>,
    pub balance: Balance,
    /// The way that each contact slides (m).
    pub travel: Vec<f64>,
    /// Least and largest position wᵀq along each contact with springs; empty for others (m).
    pub spans: Vec<[f64; 2]>,
    pub stops: u32,
    pub stick_fraction: Option<f64>,
    pub is_symmetric: bool,
    pub events: Vec<Event>,
}

/// Measures, as they are gathered along a motion.
pub(super) struct Tally<'a> {
    system: &'a System,
    period: f64,
    is_autonomous: bool,
    is_general: bool,
    dof: usize,
    /// ω and φ of the harmonic that is measured.
    tone: [f64; 2],
    /// Where the next stretch begins (s).
    from: f64,
    range: [f64; 2],
    extent: f64,
    sums: [f64; 2],
    balance: Balance,
    exchange: f64,
    rest_time: Vec<f64>,
    /// The way that each contact has slid (m).
    travel: Vec<f64>,
    /// Least and largest position wᵀq along each contact with springs so far (m).
    spans: Vec<[f64; 2]>,
    /// Contacts whose internal states say whether they stick.
    sticking: Vec<Sticking>,
    zones: Vec<Option<Zone>>,
    events: Vec<Event>,
    /// The motion at pairs of instants.
    pairs: Samples,
    /// Times that are asked together.
    times: Vec<f64>,
    /// Scratch.
    now: Motion,
    /// Scratch of Gauss's formula, empty before its first stretch: the motion at the nodes, at the last
    /// instant and at any; the load.
    nodes: Samples,
    old: Motion,
    probe: Motion,
    force: Vec<f64>,
}

/// Pairs of instants half a period apart that are compared for symmetry.
const PAIRS: usize = 4;

/// Walks along the motion from `x` for one period.
pub(super) fn measure(
    flow: &mut Flow,
    system: &System,
    x: &[f64],
    period: f64,
    dof: usize,
) -> Result<Measures, Error> {
    let mut tally = Tally::new(system, period, dof);
    flow.begin(0.0, x)?;
    while flow.t() < period {
        flow.step(if flow.is_interpolated() { tally.next().min(period) } else { period })?;
        tally.follow(flow)?;
    }
    Ok(tally.finish(flow))
}

/// Deviation from symmetry that is rounding, relative to the motion.
pub(super) const SYMMETRIC: f64 = 1e-8;
/// A harmonic below this part of the position is the rounding of its quadrature.
pub(super) const NO_MOTION: f64 = 1e-13;

impl<'a> Tally<'a> {
    /// Of a motion that begins at t = 0 and has this period.
    pub fn new(system: &'a System, period: f64, dof: usize) -> Self {
        let (n, m) = (system.n(), system.contacts.len());
        let is_autonomous = system.is_autonomous();
        let tone = match system.harmonics.first() {
            Some(harmonic) if !is_autonomous => [harmonic.omega, harmonic.phase],
            _ => [TAU / period, 0.0],
        };
        // a contact without friction never sticks
        let creeps = |e: &Contact| e.friction.law.graph() != Graph::SetValued && e.friction.law.bound() > 0.0;
        let sticking = system.sticking();
        let n_states = if sticking.is_empty() { 0 } else { system.initial_states().len() };
        let is_general = system.is_general();
        let zone = |e: &Contact| e.friction.law.stick_speed().filter(|_| creeps(e)).map(Zone::new);
        let zones: Vec<Option<Zone>> = system.contacts.iter().map(zone).collect();
        Self {
            system,
            period,
            is_autonomous,
            is_general,
            dof,
            tone,
            from: 0.0,
            range: [f64::INFINITY, f64::NEG_INFINITY],
            extent: 0.0,
            sums: [0.0; 2],
            balance: Balance::default(),
            exchange: 0.0,
            rest_time: vec![0.0; m],
            travel: vec![0.0; m],
            spans: vec![[f64::INFINITY, f64::NEG_INFINITY]; m],
            sticking,
            zones,
            events: Vec::new(),
            // no more than positions and velocities are compared
            pairs: Samples::new(n, 0, 2 * PAIRS),
            times: Vec::with_capacity(2 * PAIRS),
            now: Motion::zero(n, m).with_states(n_states),
            old: Motion::zero(0, 0),
            probe: Motion::zero(0, 0),
            nodes: Samples::default(),
            force: Vec::new(),
        }
    }

    /// The next instant that is compared (s).
    fn next(&self) -> f64 {
        self.instant(self.pairs.t.len())
    }

    fn instant(&self, i: usize) -> f64 {
        self.period * (i as f64 + 0.5) / (2 * PAIRS) as f64
    }

    /// Adds the stretch that the flow has just gone.
    pub fn follow(&mut self, flow: &mut Flow) -> Result<(), Error> {
        let span = [self.from, flow.t()];
        let mut now = std::mem::replace(&mut self.now, Motion::zero(0, 0));
        if self.from == 0.0 {
            flow.motion(0.0, &mut now);
            self.begin(&now);
        }
        flow.accumulate(span, None)?;
        self.stretch(flow, span, &mut now);
        self.times.clear();
        for i in self.pairs.t.len()..2 * PAIRS {
            let instant = self.instant(i);
            if instant > span[1] {
                break;
            }
            self.times.push(instant);
        }
        flow.sample(&self.times, &mut now, &mut self.pairs);
        self.events.extend_from_slice(flow.events());
        (self.from, self.now) = (span[1], now);
        Ok(())
    }

    fn begin(&mut self, now: &Motion) {
        self.extend_range(now.position[self.dof]);
        self.extend_spans(now);
        for (i, zone) in self.zones.iter_mut().enumerate() {
            if let Some(zone) = zone {
                zone.side = zone.place(now.sliding[i]);
                zone.began_inside = zone.side == 0.0;
            }
        }
    }

    /// Stick criterion of contact `i` by its internal states, if it has one.
    fn sticking(&self, i: usize) -> Option<&Sticking> {
        self.sticking.iter().find(|own| own.contact == i)
    }

    /// Whether contact `i` is made of bristles.
    fn has_bristles(&self, i: usize) -> bool {
        self.sticking(i).is_some_and(|own| !own.has_springs())
    }

    fn extend_range(&mut self, q: f64) {
        self.range = [self.range[0].min(q), self.range[1].max(q)];
    }

    /// Extends the ranges of the positions along contacts with springs.
    fn extend_spans(&mut self, now: &Motion) {
        for own in self.sticking.iter().filter(|own| own.has_springs()) {
            let along = dot(&self.system.contacts[own.contact].direction, &now.position);
            let [low, high] = &mut self.spans[own.contact];
            (*low, *high) = (low.min(along), high.max(along));
        }
    }

    /// Looks for extrema and for the edges of the stick zones between two instants.
    fn between(&mut self, flow: &mut Flow, old: &Motion, now: &Motion) {
        let k = self.dof;
        let span = [old.t, now.t];
        if opposed(old.velocity[k], now.velocity[k]) {
            let t = crossing(flow, &mut self.probe, span, |motion| motion.velocity[k]);
            flow.motion(t, &mut self.probe);
            self.extend_range(self.probe.position[k]);
        }
        self.extend_spans(now);
        for k in 0..self.sticking.len() {
            if !self.sticking[k].has_springs() {
                self.bend(flow, k, old, now);
                continue;
            }
            let direction = &self.system.contacts[self.sticking[k].contact].direction;
            let speed = |motion: &Motion| dot(direction, &motion.velocity);
            if opposed(speed(old), speed(now)) {
                let t = crossing(flow, &mut self.probe, span, speed);
                flow.motion(t, &mut self.probe);
                let turn = std::mem::replace(&mut self.probe, Motion::zero(0, 0));
                self.extend_spans(&turn);
                self.probe = turn;
            }
        }
        for i in 0..self.zones.len() {
            let Some(zone) = &mut self.zones[i] else { continue };
            let (before, after) = (zone.side, zone.place(now.sliding[i]));
            if before == after {
                continue;
            }
            let speed = zone.speed;
            if before != 0.0 {
                let t = crossing(flow, &mut self.probe, span, |motion| motion.sliding[i] - before * speed);
                flow.motion(t, &mut self.probe);
                let coasting = 2.0 * speed / acceleration(self.system, i, &self.probe).abs();
                zone.entry = Some((t, before, coasting));
                self.events.push(Event { t, contact: i, kind: EventKind::Stick });
            }
            if after != 0.0 {
                let span = [zone.entry.map_or(span[0], |entry| entry.0.max(span[0])), span[1]];
                let t = crossing(flow, &mut self.probe, span, |motion| motion.sliding[i] - after * speed);
                zone.leave(t, after);
                self.events.push(Event { t, contact: i, kind: EventKind::Slip });
            }
            zone.side = after;
        }
    }

    /// Counts the time between two instants in which the bristles of the contact that is `k`th of those hold.
    fn bend(&mut self, flow: &mut Flow, k: usize, old: &Motion, now: &Motion) {
        let Self { sticking, system, probe, rest_time, events, .. } = self;
        let own = &mut sticking[k];
        let i = own.contact;
        own.note(old);
        own.note(now);
        let (span, sliding) = ([old.t, now.t], [old, now].map(|motion| own.seen(motion.sliding[i])));
        let turn = opposed(sliding[0], sliding[1])
            .then(|| (crossing(flow, probe, span, |motion| motion.sliding[i]), sliding[1]));
        let margins = [old, now].map(|motion| own.margin(system, motion));
        let mut since = span[0];
        let margin = |t: f64, direction: Option<f64>| {
            flow.motion(t, probe);
            own.margin_towards(system, probe, direction)
        };
        // the instants lie close together
        BristleStretch { span, margins, turn, looks: 1 }.changes(margin, |t, holds| {
            if !holds {
                rest_time[i] += t - since;
            }
            since = t;
            let kind = if holds { EventKind::Stick } else { EventKind::Slip };
            events.push(Event { t, contact: i, kind });
        });
        if margins[1] > 0.0 {
            rest_time[i] += span[1] - since;
        }
    }

    /// The measures, at the end of the period.
    pub fn finish(mut self, flow: &mut Flow) -> Measures {
        let period = self.period;
        if flow.has_balance() {
            let t = flow.t();
            self.balance = flow.balance(t);
        }
        let mut stops = 0;
        for event in &self.events {
            let (i, is_stick) = (event.contact, event.kind == EventKind::Stick);
            stops += u32::from(is_stick && self.zones[i].is_none() && !self.has_bristles(i));
        }
        let mut time = 0.0;
        let is_reported = |i: usize| {
            self.sticking(i).is_some() || self.system.contacts[i].friction.law.stick_speed().is_some()
        };
        let n = (0..self.zones.len()).filter(|i| is_reported(*i)).count();
        for (i, zone) in self.zones.iter_mut().enumerate() {
            if let Some(zone) = zone {
                zone.close(period);
                stops += zone.stops;
                time += zone.time;
            } else {
                time += self.rest_time[i];
            }
        }
        let [low, high] = self.range;
        let [a, b] = self.sums.map(|sum| 2.0 * sum / period);
        let fundamental = libm::hypot(a, b);
        let has_phase = !self.is_autonomous && fundamental > NO_MOTION * low.abs().max(high.abs());
        Measures {
            amplitude: 0.5 * (high - low),
            extent: self.extent,
            exchange: self.exchange,
            fundamental,
            phase: has_phase.then(|| libm::atan2(b, a)),
            balance: self.balance,
            stops,
            stick_fraction: (n > 0).then(|| (time / (period * n as f64)).clamp(0.0, 1.0)),
            is_symmetric: self.is_symmetric(self.tone[0]),
            travel: self.travel,
            spans: self.spans,
            events: self.events,
        }
    }

    /// Half the range of degree of freedom `k` over the samples.
    fn half_range(&self, k: usize) -> f64 {
        let values = || self.pairs.position[k].iter().copied();
        0.5 * (values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min))
    }

    /// Whether q(t) + q(t + T/2) is the same at all instants, and q̇ turns round.
    fn is_symmetric(&self, omega: f64) -> bool {
        if self.pairs.t.len() < 2 * PAIRS {
            return false;
        }
        let Samples { position, velocity, .. } = &self.pairs;
        let size = (0..position.len()).map(|k| self.half_range(k)).fold(0.0, f64::max);
        position.iter().zip(velocity).all(|(q, v)| {
            (0..PAIRS).all(|i| {
                let drift = (q[i] + q[i + PAIRS]) - (q[0] + q[PAIRS]);
                let turn = v[i] + v[i + PAIRS];
                drift.abs() <= SYMMETRIC * size && turn.abs() <= SYMMETRIC * size * omega
            })
        })
    }
}

/// Acceleration of contact `i` along its direction (m/s²).
fn acceleration(system: &System, i: usize, motion: &Motion) -> f64 {
    dot(&system.contacts[i].direction, &motion.acceleration)
}

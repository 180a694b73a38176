//! What a periodic motion is like: amplitude, phase, losses, stops, symmetry.
//!
//! Integrals over the period are taken by Gauss's formula on the smooth stretches between events, so that they are as good
//! as the motion; extrema are zeros of the velocity, refined to rounding.
//!
//! A contact with a set-valued law stops when it sticks. Other laws creep: such a contact rests while its speed is below
//! the stick speed of its law, and it stops if it leaves that zone on the side it came from, or lingers there [`LINGER`]
//! times as long as it would take to coast through. Springs with sliders and bristles stick as their internal states say; only sliders stop.

use super::flow::Flow;
use crate::Error;
use crate::event::{Event, EventKind};
use crate::law::{Graph, Law};
use crate::math::dense::dot;
use crate::math::gauss::ten;
use crate::math::root::opposed;
use crate::simulate::{Balance, Samples};
use crate::system::{BristleStretch, Contact, Motion, Sticking, System};
use std::f64::consts::TAU;

/// Times the coasting time: passing slowly with a fiftieth of the acceleration left still counts as passing.
const LINGER: f64 = 4.0;

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
    pub stops: u32,
    pub stick_fraction: Option<f64>,
    pub is_symmetric: bool,
    pub events: Vec<Event>,
}

/// A contact that creeps, as it is followed through its stick zone.
#[derive(Clone, Debug)]
struct Zone {
    speed: f64,
    /// Where it stands: −1, 0 (inside), 1.
    side: f64,
    /// When and from which side it came, and how long it would coast; `None` if it was inside at the start.
    entry: Option<(f64, f64, f64)>,
    time: f64,
    /// Time inside before the first exit, if it began inside: the end of a stay that began in the period before.
    head: f64,
    began_inside: bool,
    stops: u32,
}

struct Tally<'a> {
    system: &'a System,
    is_wide: bool,
    dof: usize,
    /// ω and φ of the harmonic that is measured.
    tone: [f64; 2],
    range: [f64; 2],
    extent: f64,
    sums: [f64; 2],
    balance: Balance,
    exchange: f64,
    rest_time: Vec<f64>,
    /// Contacts whose internal states say whether they stick.
    sticking: Vec<Sticking>,
    zones: Vec<Option<Zone>>,
    events: Vec<Event>,
    /// The motion at pairs of instants.
    pairs: Samples,
    /// Times that are asked together, and the motion there.
    times: Vec<f64>,
    nodes: Samples,
    probe: Motion,
    force: Vec<f64>,
}

/// Pairs of instants half a period apart that are compared for symmetry.
const PAIRS: usize = 4;

/// Parts of a stretch whose nodes are asked together.
const PARTS: usize = 4;

/// Walks along the motion from `x` for one period.
pub(super) fn measure(
    flow: &mut dyn Flow,
    system: &System,
    x: &[f64],
    period: f64,
    dof: usize,
) -> Result<Measures, Error> {
    let (n, m) = (system.n(), system.contacts.len());
    let is_autonomous = system.is_autonomous();
    let tone = match system.harmonics.first() {
        Some(harmonic) if !is_autonomous => [harmonic.omega, harmonic.phase],
        _ => [TAU / period, 0.0],
    };
    let zone = |speed: f64| Zone {
        speed,
        side: f64::NAN,
        entry: None,
        time: 0.0,
        head: 0.0,
        began_inside: false,
        stops: 0,
    };
    // a contact without friction never sticks
    let creeps = |e: &Contact| e.friction.law.graph() != Graph::SetValued && e.friction.law.bound() > 0.0;
    let sticking = system.sticking();
    let n_states = if sticking.is_empty() { 0 } else { system.initial_states().len() };
    let blank = || Motion::zero(n, m).with_states(n_states);
    let mut tally = Tally {
        system,
        is_wide: system.is_wide(),
        dof,
        tone,
        range: [f64::INFINITY, f64::NEG_INFINITY],
        extent: 0.0,
        sums: [0.0; 2],
        balance: Balance::default(),
        exchange: 0.0,
        rest_time: vec![0.0; m],
        sticking,
        zones: (system.contacts.iter())
            .map(|e| e.friction.law.stick_speed().filter(|_| creeps(e)).map(zone))
            .collect(),
        events: Vec::new(),
        pairs: Samples::new(n, m, 2 * PAIRS),
        times: Vec::with_capacity(10 * PARTS),
        nodes: Samples::new(n, m, 10 * PARTS).with_states(n_states),
        probe: blank(),
        force: vec![0.0; n],
    };
    let rate = rate(system);
    let (mut now, mut old) = (blank(), blank());
    flow.begin(0.0, x)?;
    let mut from = 0.0;
    while flow.t() < period {
        let instant = |i: usize| period * (i as f64 + 0.5) / (2 * PAIRS) as f64;
        let next = instant(tally.pairs.t.len());
        flow.step(if flow.is_interpolated() { next.min(period) } else { period })?;
        let to = flow.t();
        if from == 0.0 {
            flow.motion(0.0, &mut old);
            tally.begin(&old);
        }
        flow.tell()?;
        tally.stretch(flow, rate, [from, to], &mut old, &mut now);
        tally.times.clear();
        tally.times.extend((tally.pairs.t.len()..2 * PAIRS).map(instant).take_while(|t| *t <= to));
        flow.sample(&tally.times, &mut now, &mut tally.pairs);
        tally.events.extend_from_slice(flow.events());
        from = to;
    }
    if let Some(balance) = flow.balance() {
        tally.balance = balance;
    }
    Ok(tally.finish(period, is_autonomous))
}

/// A bound on the rates of the motion without the slopes of the laws (1/s).
fn rate(system: &System) -> f64 {
    let n = system.n();
    let mass = (0..n).map(|i| system.mass.at(i, i)).fold(f64::INFINITY, f64::min);
    let own = (system.stiffness.norm() / mass).sqrt() + system.damping.norm() / mass;
    system.harmonics.iter().map(|harmonic| harmonic.omega).fold(own, f64::max)
}

/// Deviation from symmetry that is rounding, relative to the motion.
const SYMMETRIC: f64 = 1e-8;
/// A harmonic below this part of the position is the rounding of its quadrature.
const NO_MOTION: f64 = 1e-13;

impl Tally<'_> {
    fn begin(&mut self, now: &Motion) {
        self.extend_range(now.position[self.dof]);
        for (i, zone) in self.zones.iter_mut().enumerate() {
            if let Some(zone) = zone {
                zone.side = zone.place(now.sliding[i]);
                zone.began_inside = zone.side == 0.0;
            }
        }
    }

    /// How contact `i` tells by its states whether it sticks, if it does.
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

    /// Adds a smooth stretch; `old` is the motion at its start and becomes that at its end.
    fn stretch(
        &mut self,
        flow: &mut dyn Flow,
        rate: f64,
        [from, to]: [f64; 2],
        old: &mut Motion,
        now: &mut Motion,
    ) {
        let n_parts = flow.n_parts(rate);
        let h = (to - from) / n_parts as f64;
        for first in (0..n_parts).step_by(PARTS) {
            let parts = first..(first + PARTS).min(n_parts);
            self.times.clear();
            for part in parts.clone() {
                self.times.extend(ten().map(|(node, _)| from + h * (part as f64 + node)));
            }
            self.nodes.clear();
            flow.sample(&self.times, now, &mut self.nodes);
            for (i, (_, weight)) in parts.flat_map(|_| ten()).enumerate() {
                self.nodes.row(i, now);
                self.add(now, h * weight);
                self.between(flow, old, now);
                std::mem::swap(old, now);
            }
        }
        // a contact rests for the whole stretch, or not at all; so it is with sliders
        for (i, contact) in self.system.contacts.iter().enumerate() {
            let sticks = match self.sticking(i) {
                Some(own) => own.has_springs() && own.margin(self.system, old) > 0.0,
                None => old.sliding[i] == 0.0 && contact.friction.law.bound() > 0.0,
            };
            if sticks {
                self.rest_time[i] += to - from;
            }
        }
        flow.motion(to, now);
        self.between(flow, old, now);
        self.extend_range(now.position[self.dof]);
        std::mem::swap(old, now);
    }

    /// Adds the integrands at `now`.
    fn add(&mut self, now: &Motion, weight: f64) {
        let [omega, phase] = self.tone;
        let (sine, cosine) = libm::sincos(omega * now.t + phase);
        let q = now.position[self.dof];
        self.sums[0] += weight * q * sine;
        self.sums[1] += weight * q * cosine;
        if self.is_wide {
            self.driving(now);
        } else {
            self.external(now, (omega, sine));
        }
        self.extent = now.position.iter().fold(self.extent, |extent, q| extent.max(q.abs()));
        let v = &now.velocity;
        for (f, v) in self.force.iter().zip(v) {
            self.exchange += weight * (f * v).abs();
        }
        self.balance.work_in += weight * dot(&self.force, v);
        for (i, v_i) in v.iter().enumerate() {
            let power = v_i * dot(self.system.damping.row(i), v);
            self.exchange += weight * power.abs();
            self.balance.viscous_loss += weight * power;
        }
        for (i, contact) in self.system.contacts.iter().enumerate() {
            let (belt, loss) = (now.friction[i] * contact.belt, now.friction[i] * now.sliding[i]);
            self.exchange += weight * (belt.abs() + loss.abs());
            self.balance.work_in -= weight * belt;
            self.balance.friction_loss += weight * loss;
        }
    }

    /// The load f(t).
    fn external(&mut self, now: &Motion, (omega, sine): (f64, f64)) {
        self.force.copy_from_slice(&self.system.constant);
        for (i, harmonic) in self.system.harmonics.iter().enumerate() {
            let sine = if i == 0 && harmonic.omega == omega {
                sine
            } else {
                libm::sin(harmonic.omega * now.t + harmonic.phase)
            };
            for (f, a) in self.force.iter_mut().zip(&harmonic.amplitude) {
                *f += a * sine;
            }
        }
    }

    /// What drives a system whose loads the engine alone knows: M q̈ + C q̇ + K q + Σ wᵢ Hᵢ. What stops hold does no work.
    fn driving(&mut self, now: &Motion) {
        let system = self.system;
        self.force.fill(0.0);
        system.mass.add_product(1.0, &now.acceleration, &mut self.force);
        system.damping.add_product(1.0, &now.velocity, &mut self.force);
        system.stiffness.add_product(1.0, &now.position, &mut self.force);
        for (contact, friction) in system.contacts.iter().zip(&now.friction) {
            self.force.iter_mut().zip(&contact.direction).for_each(|(f, w)| *f += w * friction);
        }
    }

    /// Looks for extrema and for the edges of the stick zones between two instants.
    fn between(&mut self, flow: &mut dyn Flow, old: &Motion, now: &Motion) {
        let k = self.dof;
        let span = [old.t, now.t];
        if opposed(old.velocity[k], now.velocity[k]) {
            let t = crossing(flow, &mut self.probe, span, |motion| motion.velocity[k]);
            flow.motion(t, &mut self.probe);
            self.extend_range(self.probe.position[k]);
        }
        for k in 0..self.sticking.len() {
            if !self.sticking[k].has_springs() {
                self.bend(flow, k, old, now);
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
    fn bend(&mut self, flow: &mut dyn Flow, k: usize, old: &Motion, now: &Motion) {
        let Self { sticking, system, probe, rest_time, events, .. } = self;
        let (own, i) = (&sticking[k], sticking[k].contact);
        let (span, sliding) = ([old.t, now.t], [old.sliding[i], now.sliding[i]]);
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

    fn finish(mut self, period: f64, is_autonomous: bool) -> Measures {
        let mut stops = 0;
        for event in &self.events {
            let (i, is_stick) = (event.contact, event.kind == EventKind::Stick);
            stops += u32::from(is_stick && self.zones[i].is_none() && !self.has_bristles(i));
        }
        let mut time = 0.0;
        let is_told = |i: usize| {
            self.sticking(i).is_some() || self.system.contacts[i].friction.law.stick_speed().is_some()
        };
        let n = (0..self.zones.len()).filter(|i| is_told(*i)).count();
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
        let has_phase = !is_autonomous && fundamental > NO_MOTION * low.abs().max(high.abs());
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

impl Zone {
    fn place(&self, v: f64) -> f64 {
        if v.abs() <= self.speed { 0.0 } else { v.signum() }
    }

    fn leave(&mut self, t: f64, to: f64) {
        match self.entry.take() {
            Some((since, side, coasting)) => {
                self.time += t - since;
                self.stops += u32::from(side == to || t - since > LINGER * coasting);
            }
            None => self.head = t,
        }
    }

    /// Joins a stay at the end of the period with the one at its start.
    fn close(&mut self, period: f64) {
        let Some((since, _, coasting)) = self.entry.take() else {
            // never left, or never entered
            if self.began_inside && self.side == 0.0 {
                self.time = period;
            } else {
                self.time += self.head;
            }
            return;
        };
        let stay = period - since + self.head;
        self.time += stay;
        self.stops += u32::from(stay > LINGER * coasting);
    }
}

/// Acceleration of contact `i` along its direction (m/s²).
fn acceleration(system: &System, i: usize, motion: &Motion) -> f64 {
    dot(&system.contacts[i].direction, &motion.acceleration)
}

/// The time at which `value` passes through zero, by bisection with a false position now and then.
fn crossing(
    flow: &mut dyn Flow,
    probe: &mut Motion,
    [mut a, mut b]: [f64; 2],
    value: impl Fn(&Motion) -> f64,
) -> f64 {
    flow.motion(a, probe);
    let mut at_a = value(probe);
    flow.motion(b, probe);
    let mut at_b = value(probe);
    if at_a == 0.0 || opposed(at_a, -at_b) {
        return a;
    }
    for round in 0..100 {
        let line = a + (b - a) * at_a / (at_a - at_b);
        let t = if round % 3 == 2 { 0.5 * (a + b) } else { line };
        if !(t > a && t < b) {
            break;
        }
        flow.motion(t, probe);
        let at_t = value(probe);
        if at_t == 0.0 {
            return t;
        }
        if opposed(at_t, -at_a) {
            (a, at_a) = (t, at_t);
        } else {
            (b, at_b) = (t, at_t);
        }
    }
    if at_a.abs() < at_b.abs() { a } else { b }
}

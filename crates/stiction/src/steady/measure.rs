//! Measures of a periodic motion: amplitude, phase, losses, stops, symmetry.
//!
//! Integrals over the period are taken by Gauss's formula on the smooth stretches between events, so that they are
//! as good as the motion; extrema are zeros of the velocity, refined to round-off.

use super::flow::Flow;
use super::orbit::Fundamental;
use super::stops::CreepStops;
use crate::Error;
use crate::event::{Event, EventKind};
use crate::law::{Graph, Law};
use crate::math::dense::dot;
use crate::math::gauss::ten;
use crate::math::root::{crossing, opposed};
use crate::record::{Balance, Samples};
use crate::simulate::StickLog;
use crate::system::{Motion, System};
use std::f64::consts::TAU;

/// What was measured.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub amplitude: f64,
    /// The largest distance of any degree of freedom from its origin.
    pub extent: f64,
    /// The integral of the moduli of all powers.
    pub exchange: f64,
    pub fundamental: Fundamental,
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
    /// Whether the harmonic that is measured is that of a load; its ω and φ.
    is_forced: bool,
    tone: [f64; 2],
    /// Where the next stretch begins (s).
    from: f64,
    sums: Sums,
    /// The position that is measured, then those along contacts with springs.
    tracks: Vec<Track>,
    log: StickLog<'a>,
    stops: CreepStops,
    /// The motion at pairs of instants half a period apart.
    pairs: Samples,
    scratch: Scratch,
}

/// Integrals over the period.
#[derive(Default)]
struct Sums {
    /// Of the position with the sine and the cosine of the harmonic.
    harmonic: [f64; 2],
    balance: Balance,
    exchange: f64,
    /// The way that each contact has slid (m).
    travel: Vec<f64>,
    extent: f64,
}

/// The range of a position wᵀq.
struct Track {
    direction: Vec<f64>,
    /// The contact that it belongs to, if it does.
    contact: Option<usize>,
    range: [f64; 2],
}

/// Motions at the last node, at the present one and at any time; a force.
struct Scratch {
    old: Motion,
    now: Motion,
    probe: Motion,
    force: Vec<f64>,
}

/// Pairs of instants half a period apart that are compared for symmetry.
const PAIRS: usize = 4;
/// Deviation from symmetry that is round-off, relative to the motion.
pub(super) const SYMMETRIC: f64 = 1e-8;
/// A harmonic below this part of the position is the round-off of its quadrature.
pub(super) const NO_MOTION: f64 = 1e-13;

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

impl<'a> Tally<'a> {
    /// Of a motion that begins at t = 0 and has this period.
    pub fn new(system: &'a System, period: f64, dof: usize) -> Self {
        let (n, m) = (system.n(), system.contacts.len());
        let forced = system.harmonics.first().filter(|_| !system.is_autonomous());
        let mut direction = vec![0.0; n];
        direction[dof] = 1.0;
        let with_springs = system.sticking().into_iter().filter(|own| own.has_springs());
        let along =
            with_springs.map(|own| (system.contacts[own.contact].direction.clone(), Some(own.contact)));
        let tracks = std::iter::once((direction, None)).chain(along);
        let range = [f64::INFINITY, f64::NEG_INFINITY];
        let motion = Motion::zero(n, m).with_states(system.initial_states().len());
        Self {
            system,
            period,
            is_forced: !system.is_autonomous(),
            tone: forced.map_or([TAU / period, 0.0], |harmonic| [harmonic.omega, harmonic.phase]),
            from: 0.0,
            sums: Sums { travel: vec![0.0; m], ..Sums::default() },
            tracks: tracks.map(|(direction, contact)| Track { direction, contact, range }).collect(),
            log: StickLog::sampled(system),
            stops: CreepStops::new(system),
            // no more than positions and velocities are compared
            pairs: Samples::new(n, 0, 2 * PAIRS),
            scratch: Scratch { old: motion.clone(), now: motion.clone(), probe: motion, force: vec![0.0; n] },
        }
    }

    /// The next instant that is compared (s).
    fn next(&self) -> f64 {
        self.period * (self.pairs.t.len() as f64 + 0.5) / (2 * PAIRS) as f64
    }

    /// Adds the step that the flow has just made.
    pub fn follow(&mut self, flow: &mut Flow) -> Result<(), Error> {
        let [from, to] = [self.from, flow.t()];
        if from == 0.0 {
            let old = &mut self.scratch.old;
            flow.motion(0.0, old);
            self.log.begin(old);
            self.stops.begin(old);
            self.tracks.iter_mut().for_each(|track| track.extend(old));
        }
        flow.accumulate([from, to], None)?;
        let n_parts = flow.n_parts([from, to]);
        let h = (to - from) / n_parts as f64;
        for part in 0..n_parts {
            for (node, weight) in ten() {
                flow.motion(from + h * (part as f64 + node), &mut self.scratch.now);
                self.add(flow, h * weight);
                self.between(flow);
            }
        }
        flow.motion(to, &mut self.scratch.now);
        self.between(flow);
        while self.pairs.t.len() < 2 * PAIRS && self.next() <= to {
            flow.motion(self.next(), &mut self.scratch.now);
            self.pairs.push(&self.scratch.now);
        }
        self.from = to;
        Ok(())
    }

    /// Adds the integrands at a node.
    fn add(&mut self, flow: &mut Flow, weight: f64) {
        let (system, sums) = (self.system, &mut self.sums);
        let Scratch { now, force, .. } = &mut self.scratch;
        let v = &now.velocity;
        let (sine, cosine) = libm::sincos(self.tone[0] * now.t + self.tone[1]);
        let q = dot(&self.tracks[0].direction, &now.position);
        sums.harmonic[0] += weight * q * sine;
        sums.harmonic[1] += weight * q * cosine;
        // the work of the loads, where the propagator does not integrate it
        if !flow.has_balance() {
            flow.dynamics().external(now.t, force);
            sums.balance.work_in += weight * dot(force, v);
        }
        // all that drives the masses, springs and dampers: stops do no work
        force.fill(0.0);
        system.mass.add_product(1.0, &now.acceleration, force);
        system.damping.add_product(1.0, v, force);
        system.stiffness.add_product(1.0, &now.position, force);
        for (contact, friction) in system.contacts.iter().zip(&now.friction) {
            force.iter_mut().zip(&contact.direction).for_each(|(f, w)| *f += w * friction);
        }
        sums.exchange += force.iter().zip(v).map(|(f, v)| weight * (f * v).abs()).sum::<f64>();
        for (i, v_i) in v.iter().enumerate() {
            let power = v_i * dot(system.damping.row(i), v);
            sums.exchange += weight * power.abs();
            sums.balance.viscous_loss += weight * power;
        }
        for (i, contact) in system.contacts.iter().enumerate() {
            let (belt, loss) = (now.friction[i] * contact.belt, now.friction[i] * now.sliding[i]);
            sums.exchange += weight * (belt.abs() + loss.abs());
            sums.balance.work_in -= weight * belt;
            sums.balance.friction_loss += weight * loss;
            sums.travel[i] += weight * now.sliding[i].abs();
        }
    }

    /// Looks for extrema and events between the last node and the present one, which becomes the last.
    fn between(&mut self, flow: &mut Flow) {
        let Scratch { old, now, probe, .. } = &mut self.scratch;
        let span = [old.t, now.t];
        let extent = &mut self.sums.extent;
        *extent = now.position.iter().fold(*extent, |extent, q| extent.max(q.abs()));
        for track in &mut self.tracks {
            track.extend(now);
            let speeds = [track.speed(old), track.speed(now)];
            if opposed(speeds[0], speeds[1]) {
                let t = crossing(span, speeds, 0.0, |t| {
                    flow.motion(t, probe);
                    track.speed(probe)
                });
                flow.motion(t, probe);
                track.extend(probe);
            }
        }
        let n_events = self.log.events.len();
        self.log.follow(&mut **flow, now, span);
        for event in &self.log.events[n_events..] {
            self.stops.take(flow, event, probe);
        }
        std::mem::swap(old, now);
    }

    /// The measures, at the end of the period.
    pub fn finish(self, flow: &mut Flow) -> Measures {
        let is_symmetric = self.is_symmetric();
        let Self { system, period, mut sums, tracks, log, stops, .. } = self;
        if flow.has_balance() {
            let t = flow.t();
            sums.balance = flow.balance(t);
        }
        let laws = || system.contacts.iter().map(|contact| &contact.friction.law);
        let is_set_valued: Vec<bool> = laws().map(|law| law.graph() == Graph::SetValued).collect();
        let has_sliders: Vec<bool> = laws().map(|law| law.sliders().is_some()).collect();
        let is_stop = |event: &&Event| {
            event.kind.is_stick() && (is_set_valued[event.contact] || has_sliders[event.contact])
        };
        let n_stops = log.events.iter().filter(is_stop).count() as u32 + stops.close(period);
        let fractions: Vec<f64> = log.fractions(period).into_iter().flatten().collect();
        let mut events = log.events;
        events.retain(|event| event.kind != EventKind::Reverse || is_set_valued[event.contact]);
        let [low, high] = tracks[0].range;
        let [a, b] = sums.harmonic.map(|sum| 2.0 * sum / period);
        let amplitude_1 = libm::hypot(a, b);
        let has_phase = self.is_forced && amplitude_1 > NO_MOTION * low.abs().max(high.abs());
        let mut spans = vec![[f64::INFINITY, f64::NEG_INFINITY]; system.contacts.len()];
        tracks
            .iter()
            .filter_map(|track| Some((track.contact?, track.range)))
            .for_each(|(i, range)| spans[i] = range);
        Measures {
            amplitude: 0.5 * (high - low),
            extent: sums.extent.max(low.abs()).max(high.abs()),
            exchange: sums.exchange,
            fundamental: Fundamental { amplitude: amplitude_1, phase: has_phase.then(|| libm::atan2(b, a)) },
            balance: sums.balance,
            stops: n_stops,
            stick_fraction: (!fractions.is_empty())
                .then(|| fractions.iter().sum::<f64>() / fractions.len() as f64),
            is_symmetric,
            travel: sums.travel,
            spans,
            events,
        }
    }

    /// Half the range of degree of freedom `k` over the samples.
    fn half_range(&self, k: usize) -> f64 {
        let values = || self.pairs.position[k].iter().copied();
        0.5 * (values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min))
    }

    /// Whether q(t) + q(t + T/2) is the same at all instants, and q̇ turns round.
    fn is_symmetric(&self) -> bool {
        if self.pairs.t.len() < 2 * PAIRS {
            return false;
        }
        let (omega, Samples { position, velocity, .. }) = (self.tone[0], &self.pairs);
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

impl Track {
    fn speed(&self, motion: &Motion) -> f64 {
        dot(&self.direction, &motion.velocity)
    }

    fn extend(&mut self, motion: &Motion) {
        let q = dot(&self.direction, &motion.position);
        self.range = [self.range[0].min(q), self.range[1].max(q)];
    }
}

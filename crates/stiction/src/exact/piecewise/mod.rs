//! Everything that is linear between events: signals, normal loads that vary, stops, feedback, any stiffness
//! matrix.
//!
//! The motion is a Taylor series of ż = Âz from one event or point of a table to the next, exact to rounding:
//! in the norm in which ‖Â‖ ≤ ρ the terms fall as (ρτ)ʲ/j!, and a stretch is no longer than
//! [`ANGLE`](super::segment::ANGLE)/ρ. Events are the first roots of rows over z, found for certain from
//! bounds on the derivatives.
//!
//! Impacts turn n·q̇ into −e n·q̇, with the least change of kinetic energy elsewhere; friction impulses are
//! neglected. Once the remaining bounces take less than [`BOUNCE`] of the system's own time, the geometric
//! series of their times is summed, and the stop holds.

mod accumulate;
mod mode_selection;
mod model;
mod tangent;

use super::many::first_root;
use super::prepared::Basis;
use super::root_isolation::Stalled;
use super::segment::{ORDER, series_length};
use super::time::Time;
use crate::Error;
use crate::contact::StopMode;
use crate::event::{Event, EventKind};
use crate::math::dense::dot;
use crate::system::{InputSlot, Motion, System, TimeTable};
use model::{GuardKind, ModeSet, Model, Regime, SliderMode, UnilateralMode};

/// Bounces that together take less than this part of 1/ρ, and of the time so far, are summed: what that
/// neglects is of second order in it, and of first order where friction turns round in every bounce.
const BOUNCE: f64 = 1e-8;

/// A stretch of the motion under one set of modes.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    start: Time,
    /// Length for which the series holds, and up to the next point of a table (s).
    length: f64,
    end: f64,
    /// Whether it ends at a point of a table.
    to_break: bool,
    modes: ModeSet,
    basis: Basis,
    regime: Regime,
    /// z by order, times length^order.
    z: Vec<f64>,
    /// Of each guard the order of the first term that counts; `None` if it stays at zero.
    leads: Vec<Option<usize>>,
    /// Rounding of a row in units of its terms (-).
    noise: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Piecewise {
    model: Model,
    now: Time,
    current: Stretch,
    next: Stretch,
    ended: bool,
    is_searched: bool,
    /// The first event as a fraction of the length, and the guards that set it.
    found: Option<f64>,
    fired: Vec<usize>,
    pub events: Vec<Event>,
    /// The guard that ended the stretch, and the stops that were hit.
    timer: Option<usize>,
    hit: Vec<usize>,
    /// Energy lost in the impacts at the end of the stretch (J).
    impact_loss: f64,
    /// State at t = 0 beyond positions and velocities.
    initial: Vec<f64>,
    pub largest: [f64; 2],
}

impl Piecewise {
    pub fn new(system: &System) -> Result<Self, Error> {
        if !system.elements.curved.is_empty() {
            return Err(Error::CurvedSprings);
        }
        let model = Model::new(system)?;
        let d = model.layout.len();
        let stretch = Stretch {
            start: Time::default(),
            length: 0.0,
            end: 0.0,
            to_break: false,
            modes: ModeSet::free(&model),
            basis: Basis::default(),
            regime: Regime::default(),
            z: vec![0.0; (ORDER + 1) * d],
            leads: Vec::new(),
            noise: 0.0,
        };
        // laws with memory and a polyline graph are springs with sliders
        let mut initial = system.initial_states();
        initial.resize(model.layout.n_states, 0.0);
        let mut piecewise = Self {
            model,
            now: Time::default(),
            next: stretch.clone(),
            current: stretch,
            ended: false,
            is_searched: false,
            found: None,
            fired: Vec::new(),
            events: Vec::new(),
            timer: None,
            hit: Vec::new(),
            impact_loss: 0.0,
            initial,
            largest: [f64::INFINITY; 2],
        };
        piecewise.restart(0.0, &system.position, &system.velocity, None)?;
        Ok(piecewise)
    }

    /// Number of states of feedback.
    pub fn n_states(&self) -> usize {
        self.model.layout.n_states
    }

    /// Starts at `t` from these positions, velocities and states of feedback; without them from those of t = 0.
    pub fn restart(&mut self, t: f64, q: &[f64], v: &[f64], states: Option<&[f64]>) -> Result<(), Error> {
        let n = self.model.layout.n;
        self.events.clear();
        self.now = Time::new(t);
        let next = &mut self.next;
        next.start = self.now;
        next.z[..n].copy_from_slice(q);
        next.z[n..2 * n].copy_from_slice(v);
        next.z[2 * n..2 * n + self.initial.len()].copy_from_slice(states.unwrap_or(&self.initial));
        self.model.set_clock(self.now, &mut next.z);
        next.modes.set_free();
        self.settle_at(None)?;
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
        self.current.regime.rate
    }

    fn turn_over(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
        (self.ended, self.is_searched) = (false, false);
    }

    /// Goes on to the next event, to the end of the stretch, or to `t_end`, whichever comes first.
    pub fn step(&mut self, t_end: f64) -> Result<(), Error> {
        if self.ended {
            self.turn_over();
        }
        self.events.clear();
        if !self.is_searched {
            self.search().map_err(|Stalled| Error::StepVanished { t: self.current.start.t })?;
        }
        let current = &self.current;
        let tau = self.found.map_or(current.end, |s| s * current.length);
        if tau > current.start.until(t_end) {
            self.now = Time::new(t_end);
            return Ok(());
        }
        let at_break = self.found.is_none() && current.to_break;
        self.now = if at_break {
            Time::new(self.model.next_break(current.start.t))
        } else {
            current.start.plus(tau)
        };
        self.ended = true;
        self.follow(tau, at_break)?;
        let n = self.model.layout.n;
        let is_within = |x: &[f64], limit: f64| x.iter().all(|x| x.is_finite() && x.abs() <= limit);
        let z = &self.next.z;
        if is_within(&z[..n], self.largest[0]) && is_within(&z[n..2 * n], self.largest[1]) {
            return Ok(());
        }
        Err(Error::diverged(self.now.t, &z[..2 * n]))
    }

    /// The first event of the current stretch.
    fn search(&mut self) -> Result<(), Stalled> {
        self.is_searched = true;
        self.fired.clear();
        let (current, d) = (&self.current, self.model.layout.len());
        let mut first = f64::INFINITY;
        let last = (current.end / current.length).min(1.0);
        for (g, guard) in current.regime.guards.iter().enumerate() {
            let Some(lead) = current.leads[g] else { continue };
            let mut series = [0.0; ORDER + 1];
            for (j, c) in series.iter_mut().enumerate() {
                *c = dot(&guard.row, &current.z[j * d..(j + 1) * d]);
            }
            // a force that touches its limit is held, a normal load that touches zero stays
            let may_touch = matches!(
                guard.kind,
                GuardKind::Limit { .. }
                    | GuardKind::Opens { .. }
                    | GuardKind::Releases { .. }
                    | GuardKind::Presses { .. }
                    | GuardKind::Slackens { .. }
                    | GuardKind::Leaves { .. }
                    | GuardKind::Crosses { .. }
            );
            if let Some(s) = first_root(&series, lead, first.min(last), may_touch)? {
                if s < first {
                    self.fired.clear();
                    first = s;
                }
                self.fired.push(g);
            }
        }
        self.found = first.is_finite().then_some(first);
        Ok(())
    }

    /// Prepares the stretch after the current one, which ends at τ.
    fn follow(&mut self, tau: f64, at_break: bool) -> Result<(), Error> {
        let d = self.model.layout.len();
        let s = tau / self.current.length;
        let (current, next) = (&self.current, &mut self.next);
        next.start = self.now;
        for k in 0..d {
            next.z[k] = value(&current.z, d, k, s);
        }
        self.model.set_clock(self.now, &mut next.z);
        next.modes.copy_from(&current.modes);
        self.timer = self.fired.first().copied();
        self.hit.clear();
        self.impact_loss = 0.0;
        if self.fired.is_empty() && !at_break {
            // nothing happens: the series is renewed
            return self.renew();
        }
        self.settle_at(Some(()))
    }

    /// The next stretch goes on under the modes of the current one.
    fn renew(&mut self) -> Result<(), Error> {
        let (model, next) = (&self.model, &mut self.next);
        next.regime.clone_from(&self.current.regime);
        next.basis.clone_from(&self.current.basis);
        // tables go on from their present value
        let Stretch { regime, basis, modes, .. } = next;
        if model.has_tables() {
            model.regime(next.start.t, modes, basis, regime);
        }
        model.project(regime, &modes.contact_modes, basis, &mut next.z);
        next.noise = self.current.noise;
        next.begin(model, self.current.length);
        next.leads.clear();
        let mut has_left = false;
        for (guard, before) in next.regime.guards.iter().zip(&self.current.leads) {
            // a guard that stayed at zero may leave it on either side
            let [g, noise] = match before {
                Some(_) => [1.0, 0.0],
                None => mode_selection::measured_guard(guard, next),
            };
            has_left |= g < -noise;
            next.leads.push((g > noise).then_some(0));
        }
        if has_left {
            return self.settle_at(Some(()));
        }
        next.extend(ORDER);
        Ok(())
    }

    /// Settles the modes of the next stretch, applies impacts, and lists the events.
    fn settle_at(&mut self, after: Option<()>) -> Result<(), Error> {
        let fired: Vec<GuardKind> = self
            .fired
            .iter()
            .filter(|_| after.is_some())
            .map(|g| self.current.regime.guards[*g].kind)
            .collect();
        let settled = mode_selection::settle(&self.model, &mut self.next, &fired);
        let t = self.now.t;
        let settled = settled.map_err(|contacts| Error::Undecided { t, contacts })?;
        self.impact_loss = settled.loss;
        self.hit.extend(settled.impacts.iter().map(|impact| impact.0));
        self.next.begin(&self.model, 0.0);
        self.next.extend(ORDER);
        self.fired.clear();
        if after.is_none() {
            return Ok(());
        }
        // what comes to rest together with a stop that holds does so at the end of its impacts
        let rests_at = t + settled.impacts.iter().filter_map(|impact| impact.1).fold(0.0, f64::max);
        for (stop, holds_at) in settled.impacts {
            let kind = if holds_at.is_some() { EventKind::Hold } else { EventKind::Impact };
            self.events.push(Event {
                t: t + holds_at.unwrap_or(0.0),
                contact: self.model.stop_number(stop),
                kind,
            });
        }
        for (k, (before, now)) in self.current.modes.holds.iter().zip(&self.next.modes.holds).enumerate() {
            if *before && !now {
                self.events.push(Event { t, contact: self.model.stop_number(k), kind: EventKind::Release });
            }
        }
        let n_rigid = self.model.stops.len();
        for (k, (before, now)) in
            self.current.modes.stop_modes.iter().zip(&self.next.modes.stop_modes).enumerate()
        {
            let kind = match (before, now) {
                (StopMode::Free, StopMode::Closed | StopMode::Slack) => EventKind::Impact,
                (StopMode::Closed | StopMode::Slack, StopMode::Free) => EventKind::Release,
                _ => continue,
            };
            self.events.push(Event { t, contact: self.model.stop_number(n_rigid + k), kind });
        }
        for i in 0..self.model.m() {
            let corners = &self.model.line(i).corners;
            let jump = |corner: usize, kind| if corners[corner].is_jump() { kind } else { EventKind::Corner };
            let kind = match (self.current.modes.contact_modes[i], self.next.modes.contact_modes[i]) {
                (UnilateralMode::Rest { corner }, UnilateralMode::Slide { .. }) => {
                    jump(corner, EventKind::Slip)
                }
                (UnilateralMode::Slide { .. }, UnilateralMode::Rest { corner }) => {
                    jump(corner, EventKind::Stick)
                }
                (UnilateralMode::Slide { piece: a }, UnilateralMode::Slide { piece: b }) if a != b => {
                    jump(a.min(b), EventKind::Reverse)
                }
                (UnilateralMode::Open, UnilateralMode::Slide { .. } | UnilateralMode::Rest { .. }) => {
                    EventKind::Land
                }
                (UnilateralMode::Slide { .. } | UnilateralMode::Rest { .. }, UnilateralMode::Open) => {
                    EventKind::Lift
                }
                _ => continue,
            };
            // an impact turns velocities round: that is no passage through zero
            if kind != EventKind::Reverse || self.hit.is_empty() {
                let t = if kind == EventKind::Stick { rests_at } else { t };
                self.events.push(Event { t, contact: i, kind });
            }
        }
        for (k, slider) in self.model.sliders.iter().enumerate() {
            let kind = match (self.current.modes.slider_modes[k], self.next.modes.slider_modes[k]) {
                (SliderMode::Stick, SliderMode::Slip(_)) => EventKind::Slip,
                (SliderMode::Slip(_), SliderMode::Stick) => EventKind::Stick,
                _ => continue,
            };
            self.events.push(Event { t, contact: slider.contact, kind });
        }
        Ok(())
    }

    /// The whole motion at `t` in the current stretch; at its end what holds after it.
    pub fn motion(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(self.ended && t >= self.now.t, t, out);
    }

    /// Rates of the states of feedback at the time reached.
    pub fn state_rates(&self, out: &mut [f64]) {
        let stretch = if self.ended { &self.next } else { &self.current };
        let (n, d) = (self.model.layout.n, self.model.layout.len());
        let s = stretch.start.since(self.now.t) / stretch.length;
        for (k, out) in out.iter_mut().enumerate() {
            let row = stretch.regime.matrix.row(2 * n + k);
            *out = (0..d).map(|j| row[j] * value(&stretch.z, d, j, s)).sum();
        }
    }

    /// The same; at the end what holds before it.
    pub fn motion_before(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(false, t, out);
    }

    fn motion_of(&self, after: bool, t: f64, out: &mut Motion) {
        let stretch = if after { &self.next } else { &self.current };
        let (n, d) = (self.model.layout.n, self.model.layout.len());
        let s = stretch.start.since(t) / stretch.length;
        out.t = t;
        let z: Vec<f64> = (0..d).map(|k| value(&stretch.z, d, k, s)).collect();
        out.position.copy_from_slice(&z[..n]);
        out.velocity.copy_from_slice(&z[n..2 * n]);
        out.states.iter_mut().zip(&z[2 * n..self.model.layout.state()]).for_each(|(x, z)| *x = *z);
        for k in 0..n {
            out.acceleration[k] = dot(stretch.regime.matrix.row(n + k), &z);
        }
        for (i, mode) in stretch.modes.contact_modes.iter().enumerate() {
            let line = self.model.line(i);
            let normal = dot(&stretch.regime.normal[i], &z).max(0.0);
            out.sliding[i] = dot(&stretch.regime.sliding[i], &z);
            (out.friction[i], out.slope[i]) = match *mode {
                UnilateralMode::Open => (0.0, 0.0),
                // at the instant of lifting, but for rounding
                UnilateralMode::Slide { .. } if normal == 0.0 => (0.0, 0.0),
                UnilateralMode::Slide { piece } => {
                    (dot(&stretch.regime.force[i], &z), normal * line.pieces[piece].slope)
                }
                UnilateralMode::Rest { corner } => {
                    let slope = normal * line.rest_slope(corner);
                    let corner = line.corners[corner];
                    out.sliding[i] = corner.v;
                    // beyond its limits by no more than the rounding of the time
                    let held = dot(&stretch.regime.force[i], &z);
                    (held.max(normal * corner.low).min(normal * corner.high), slope)
                }
            };
        }
    }
}

impl Stretch {
    /// Chooses the length of the series; `before` is that of the one that it goes on from without event, or 0.
    fn begin(&mut self, model: &Model, before: f64) {
        let (n, d) = (model.layout.n, model.layout.len());
        let terms = |row: &[f64]| row.iter().zip(&self.z[..d]).map(|(a, z)| (a * z).abs()).sum();
        let motion = (n..2 * n).map(|k| [self.z[k], terms(self.regime.matrix.row(k))]);
        self.length = series_length(self.regime.rate, before, motion);
        let until =
            if model.has_tables() { self.start.until(model.next_break(self.start.t)) } else { f64::INFINITY };
        (self.end, self.to_break) = (self.length.min(until), until <= self.length);
    }

    /// The series up to an order.
    fn extend(&mut self, order: usize) {
        let d = self.regime.matrix.n_rows;
        for j in 0..order {
            let step = self.length / (j + 1) as f64;
            let (known, new) = self.z.split_at_mut((j + 1) * d);
            let known = &known[j * d..];
            for (k, out) in new[..d].iter_mut().enumerate() {
                *out = step * dot(self.regime.matrix.row(k), known);
            }
        }
    }
}

/// Component `k` of a series of vectors of `d` components at s.
#[inline]
fn value(z: &[f64], d: usize, k: usize, s: f64) -> f64 {
    z[k..].iter().step_by(d).rev().fold(0.0, |value, c| value * s + c)
}

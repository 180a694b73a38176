//! Stops in a motion that is integrated in time.
//!
//! ```text
//!   elastic   x = n·q − position:  free while x < 0;  −n (k x + c ẋ) while that is positive;  slack until x = 0 again
//!   rigid     gap = position − n·q:  free while it is positive;  v⁺ = v − (1 + e) M⁻¹n (n·v)/(n·M⁻¹n) at an impact;
//!             closed, n·q̈ = 0, while its reaction is positive
//! ```
//!
//! Modes are frozen within a step, as those of the contacts are. An impact changes the velocity, not the
//! mode; the end of a series of impacts that accumulate, by the geometric series of their times, closes the
//! stop.

use super::Dynamics;
use crate::contact::StopMode;
use crate::event::EventKind;
use crate::math::dense::dot;
use crate::system::System;
use crate::system::inertia::Inertia;

/// Impacts that end within this part of the system's own time (1/rate) are over, as in the exact engine (-).
pub(crate) const ACCUMULATED: f64 = 1e-8;
/// A gap, or a velocity, is zero within this part of its terms.
const ROUNDING: f64 = 1e-12;

#[derive(Clone, Copy, Debug)]
enum StopKind {
    Rigid { restitution: f64 },
    Elastic { stiffness: f64, damping: f64 },
}

/// What an impact did to the velocity: v⁺ = v⁻ − impulse M⁻¹n, and its restitution.
#[derive(Clone, Copy, Debug)]
struct Impact {
    impulse: f64,
    restitution: f64,
}

/// A stop, and its mode.
#[derive(Clone, Debug)]
struct StopState {
    direction: Vec<f64>,
    /// M⁻¹n.
    mobility: Vec<f64>,
    /// n·M⁻¹n (1/kg).
    compliance: f64,
    position: f64,
    kind: StopKind,
    /// Number by which events name it.
    number: usize,
    mode: StopMode,
    next: StopMode,
    /// Reaction of a rigid stop that is closed, at the last evaluation (N).
    reaction: f64,
    /// The impact at the end of the last step.
    impact: Option<Impact>,
}

impl StopState {
    /// n·q − position (m), and its round-off.
    fn depth(&self, q: &[f64]) -> [f64; 2] {
        let size: f64 = self.direction.iter().zip(q).map(|(w, q)| (w * q).abs()).sum();
        [dot(&self.direction, q) - self.position, ROUNDING * (size + self.position.abs())]
    }

    /// Force of an elastic stop, whatever its mode (N).
    fn spring_force(&self, q: &[f64], v: &[f64]) -> f64 {
        match self.kind {
            StopKind::Elastic { stiffness, damping } => {
                stiffness * self.depth(q)[0] + damping * dot(&self.direction, v)
            }
            StopKind::Rigid { .. } => 0.0,
        }
    }

    fn is_closed(&self) -> bool {
        self.mode == StopMode::Closed && matches!(self.kind, StopKind::Rigid { .. })
    }

    fn turns(&self) -> bool {
        self.mode != self.next || self.impact.is_some()
    }
}

/// The stops of a system.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    /// The rigid ones first.
    all: Vec<StopState>,
}

impl Stops {
    /// `None` of a system without stops.
    pub fn new(system: &System, inertia: &Inertia) -> Option<Box<Self>> {
        let elements = &system.elements;
        let rigid = elements
            .stops
            .iter()
            .map(|stop| (&stop.direction, stop.position, StopKind::Rigid { restitution: stop.restitution }));
        let elastic = elements.elastic.iter().map(|stop| {
            let kind = StopKind::Elastic { stiffness: stop.stiffness, damping: stop.damping };
            (&stop.direction, stop.position, kind)
        });
        let made = |(k, (direction, position, kind)): (usize, (&Vec<f64>, f64, StopKind))| {
            let mut mobility = direction.clone();
            inertia.solve(&mut mobility);
            StopState {
                compliance: dot(direction, &mobility),
                direction: direction.clone(),
                mobility,
                position,
                kind,
                number: elements.stop_numbers.get(k).copied().unwrap_or(k),
                mode: StopMode::Free,
                next: StopMode::Free,
                reaction: 0.0,
                impact: None,
            }
        };
        let all: Vec<StopState> = rigid.chain(elastic).enumerate().map(made).collect();
        (!all.is_empty()).then(|| Box::new(Self { all }))
    }

    /// Number of switch functions.
    pub fn n_switches(&self) -> usize {
        2 * self.all.len()
    }

    /// Subtracts the forces of elastic stops from the residual.
    pub fn push(&self, q: &[f64], v: &[f64], residual: &mut [f64]) {
        for stop in self.all.iter().filter(|stop| stop.mode == StopMode::Closed) {
            let force = stop.spring_force(q, v);
            residual.iter_mut().zip(&stop.direction).for_each(|(r, w)| *r -= w * force);
        }
    }

    /// Direction n of a stop, and M⁻¹n.
    pub fn constraint(&self, k: usize) -> [&[f64]; 2] {
        [&self.all[k].direction, &self.all[k].mobility]
    }

    /// Whether rigid stop `k` is closed.
    pub fn is_closed(&self, k: usize) -> bool {
        self.all[k].is_closed()
    }

    pub fn set_reaction(&mut self, k: usize, reaction: f64) {
        self.all[k].reaction = reaction;
    }

    pub fn add_reaction(&mut self, k: usize, reaction: f64) {
        self.all[k].reaction += reaction;
    }

    pub fn release(&mut self, k: usize) {
        self.all[k].mode = StopMode::Free;
    }

    /// Power that goes into the stops (W).
    pub fn power(&self, q: &[f64], v: &[f64]) -> f64 {
        let pressed = self.all.iter().filter(|stop| stop.mode == StopMode::Closed);
        pressed.map(|stop| stop.spring_force(q, v) * dot(&stop.direction, v)).sum()
    }

    /// The switch functions, positive until their event; reactions are those of the last evaluation.
    pub fn switches(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (stop, out) in self.all.iter().zip(out.chunks_exact_mut(2)) {
            let (depth, force) = (stop.depth(q)[0], stop.spring_force(q, v));
            let pair = match (stop.mode, stop.kind) {
                (StopMode::Free, _) => [-depth, 1.0],
                (StopMode::Closed, StopKind::Elastic { .. }) => [force, 1.0],
                (StopMode::Closed, StopKind::Rigid { .. }) => [stop.reaction, 1.0],
                (StopMode::Slack, _) => [depth, -force],
            };
            out.copy_from_slice(&pair);
        }
    }

    /// Adds what elastic stops contribute to ∂v̇/∂(q, v), `na` columns a row.
    pub fn add_slopes(&self, n: usize, na: usize, jac: &mut [f64]) {
        for stop in self.all.iter().filter(|stop| stop.mode == StopMode::Closed) {
            let StopKind::Elastic { stiffness, damping } = stop.kind else { continue };
            for (i, mobility) in stop.mobility.iter().enumerate() {
                for (j, w) in stop.direction.iter().enumerate() {
                    jac[(n + i) * na + j] -= mobility * stiffness * w;
                    jac[(n + i) * na + n + j] -= mobility * damping * w;
                }
            }
        }
    }

    /// A bound on the rates that pressed elastic stops add (1/s).
    pub fn rate(&self) -> f64 {
        let rate = |stop: &StopState| match (stop.mode, stop.kind) {
            (StopMode::Closed, StopKind::Elastic { stiffness, damping }) => {
                (stop.compliance * stiffness).sqrt() + stop.compliance * damping
            }
            _ => 0.0,
        };
        self.all.iter().map(rate).sum()
    }

    pub fn turns(&self) -> bool {
        self.all.iter().any(StopState::turns)
    }

    pub fn swap(&mut self) {
        self.all.iter_mut().for_each(|stop| std::mem::swap(&mut stop.mode, &mut stop.next));
    }

    pub fn go_on(&mut self) {
        for stop in &mut self.all {
            (stop.mode, stop.impact) = (stop.next, None);
        }
    }

    /// The modes that follow from positions and velocities alone.
    fn place(&mut self, q: &[f64], v: &[f64]) {
        for stop in &mut self.all {
            let ([depth, noise], force) = (stop.depth(q), stop.spring_force(q, v));
            stop.next = match stop.kind {
                StopKind::Elastic { .. } if depth > noise && force > 0.0 => StopMode::Closed,
                StopKind::Elastic { .. } if depth > noise => StopMode::Slack,
                _ => StopMode::Free,
            };
            (stop.mode, stop.impact) = (stop.next, None);
        }
    }

    /// The next modes where the switches `on`, counted from `first`, have come; impacts change the velocity
    /// in `y` and add their loss. Speeds up to `least` are round-off.
    fn follow(&mut self, on: &[usize], first: usize, n: usize, least: f64, y: &mut [f64]) {
        let loss = y.len() - 1;
        for (k, stop) in self.all.iter_mut().enumerate() {
            let has_come = |side: usize| on.contains(&(first + 2 * k + side));
            let [depth, noise] = stop.depth(&y[..n]);
            (stop.next, stop.impact) = (stop.mode, None);
            match (stop.kind, stop.mode) {
                (StopKind::Elastic { .. }, StopMode::Free) if has_come(0) || depth > noise => {
                    stop.next = StopMode::Closed;
                }
                (StopKind::Elastic { .. }, StopMode::Closed) if has_come(0) => {
                    stop.next = if depth > noise { StopMode::Slack } else { StopMode::Free };
                }
                (StopKind::Elastic { .. }, StopMode::Slack) if has_come(0) => stop.next = StopMode::Free,
                (StopKind::Elastic { .. }, StopMode::Slack) if has_come(1) => stop.next = StopMode::Closed,
                (StopKind::Rigid { restitution }, StopMode::Free) if has_come(0) || depth > noise => {
                    let speed = dot(&stop.direction, &y[n..2 * n]);
                    if speed > least {
                        stop.strike(speed, restitution, n, y);
                        y[loss] += 0.5 * (1.0 - restitution * restitution) * speed * speed / stop.compliance;
                    }
                }
                (StopKind::Rigid { .. }, StopMode::Closed) if has_come(0) => stop.next = StopMode::Free,
                _ => {}
            }
        }
    }

    /// Closes stop `k` if the motion is pressed against it and its impacts have accumulated; `residual` is that of
    /// the motion after the impacts, `terms` the sizes of its terms along the stop (m/s²), `scale` the system's own
    /// time (s). Modes are those after the event, `next` those before.
    fn close(
        &mut self,
        k: usize,
        residual: &[f64],
        [terms, scale]: [f64; 2],
        n: usize,
        y: &mut [f64],
    ) -> bool {
        let loss = y.len() - 1;
        let stop = &mut self.all[k];
        if let StopKind::Rigid { restitution } = stop.kind {
            let [depth, noise] = stop.depth(&y[..n]);
            // one that has just released stays free
            if [stop.mode, stop.next] != [StopMode::Free; 2] || depth < -noise {
                return false;
            }
            let pressed = dot(&stop.mobility, residual);
            let speed = -dot(&stop.direction, &y[n..2 * n]);
            let left = 2.0 * speed / (pressed * (1.0 - restitution));
            let is_over = speed.abs() <= ROUNDING * scale * terms || left < ACCUMULATED * scale;
            if !(pressed > ROUNDING * terms && is_over) {
                return false;
            }
            // what is left of the speed goes with the impacts
            y[loss] += 0.5 * speed * speed / stop.compliance;
            let before = stop.impact.map_or(0.0, |impact| impact.impulse);
            stop.strike(-speed, 0.0, n, y);
            if let Some(impact) = &mut stop.impact {
                impact.impulse += before;
            }
            stop.mode = StopMode::Closed;
            return true;
        }
        false
    }

    /// The state before the impacts at the end of the last step.
    pub fn undo_impacts(&self, n: usize, y: &mut [f64]) {
        for stop in &self.all {
            let Some(impact) = stop.impact else { continue };
            y[n..2 * n].iter_mut().zip(&stop.mobility).for_each(|(v, m)| *v += impact.impulse * m);
        }
    }

    /// What the impacts make of a difference of states.
    pub fn reset_difference(&self, n: usize, x: &mut [f64]) {
        for stop in &self.all {
            let Some(impact) = stop.impact else { continue };
            let speed = dot(&stop.direction, &x[n..2 * n]);
            let push = (1.0 + impact.restitution) * speed / stop.compliance;
            x[n..2 * n].iter_mut().zip(&stop.mobility).for_each(|(x, m)| *x -= push * m);
        }
    }

    /// The events at the end of the last step, with the numbers of the stops.
    pub fn events(&self) -> impl Iterator<Item = (usize, EventKind)> {
        self.all.iter().filter_map(|stop| {
            // the end of a series of impacts
            let bounces = matches!(stop.kind, StopKind::Rigid { restitution } if restitution > 0.0);
            let kind = match (stop.mode, stop.next) {
                (StopMode::Free, StopMode::Closed) if bounces => EventKind::Hold,
                (StopMode::Free, StopMode::Closed | StopMode::Slack) => EventKind::Impact,
                (StopMode::Closed | StopMode::Slack, StopMode::Free) => EventKind::Release,
                _ if stop.impact.is_some() => EventKind::Impact,
                _ => return None,
            };
            Some((stop.number, kind))
        })
    }
}

impl StopState {
    /// An impact at `speed`, exactly on the stop.
    fn strike(&mut self, speed: f64, restitution: f64, n: usize, y: &mut [f64]) {
        let off = self.depth(&y[..n])[0] / self.compliance;
        let impulse = (1.0 + restitution) * speed / self.compliance;
        let (q, v) = y[..2 * n].split_at_mut(n);
        q.iter_mut().zip(&self.mobility).for_each(|(q, mobility)| *q -= off * mobility);
        v.iter_mut().zip(&self.mobility).for_each(|(v, mobility)| *v -= impulse * mobility);
        self.impact = Some(Impact { impulse, restitution });
    }
}

impl Dynamics {
    /// Decides how the stops go on from (t, y), before the contacts do.
    pub(super) fn land_stops(&mut self, y: &mut [f64], on: Option<&[usize]>) {
        let (n, n_kinks) = (self.system.n(), self.n_kinks());
        // without any rate the sizes are infinite
        let least = Some(ROUNDING * self.sizes[1]).filter(|least| least.is_finite()).unwrap_or(0.0);
        let Some(stops) = &mut self.stops else { return };
        match on {
            None => stops.place(&y[..n], &y[n..2 * n]),
            Some(on) => stops.follow(on, n_kinks - stops.n_switches(), n, least, y),
        }
    }

    /// Closes a stop at which impacts have come to an end, at the state of the last evaluation. Returns whether there
    /// is one.
    pub(super) fn close_stop(&mut self, y: &mut [f64]) -> bool {
        let n = self.system.n();
        let scale = 1.0 / self.base_stiffness.max(self.fastest_load()).max(f64::MIN_POSITIVE);
        (0..self.n_stops()).any(|k| {
            let terms = self.push_size(k);
            let Self { stops, residual, .. } = &mut *self;
            stops.as_mut().is_some_and(|stops| stops.close(k, residual, [terms, scale], n, y))
        })
    }

    /// Sizes of the terms of the acceleration along a rigid stop (m/s²).
    fn push_size(&self, k: usize) -> f64 {
        let mobility = self.constraint(k)[1];
        let own: f64 = mobility.iter().zip(&self.load).map(|(m, f)| (m * f).abs()).sum();
        let forces = self.states.iter().enumerate();
        own + forces.map(|(i, s)| (self.delassus.at(k, self.n_stops() + i) * s.force).abs()).sum::<f64>()
    }

    /// Reaction of a rigid stop that is closed, at the last evaluation, and the sum of its terms (N).
    pub(super) fn reaction(&self, k: usize) -> Option<[f64; 2]> {
        let stop = self.stops.as_ref().map(|stops| &stops.all[k]).filter(|stop| stop.is_closed())?;
        Some([stop.reaction, self.push_size(k) / stop.compliance])
    }

    /// Takes out of a difference of positions what closed stops keep.
    pub(super) fn project_positions(&mut self, q: &mut [f64]) {
        let n_closed = self.basis.members.iter().filter(|c| **c < self.n_stops()).count();
        if n_closed == 0 {
            return;
        }
        let mut closed = std::mem::take(&mut self.others);
        closed.clear();
        for &c in &self.basis.members[..n_closed] {
            closed.add(&self.delassus, c);
        }
        let mut push: Vec<f64> = closed.members.iter().map(|&c| dot(self.constraint(c)[0], q)).collect();
        closed.solve(&mut push);
        for (push, &c) in push.iter().zip(&closed.members) {
            q.iter_mut().zip(self.constraint(c)[1]).for_each(|(q, mobility)| *q -= push * mobility);
        }
        self.others = closed;
    }

    /// Whether the last step ended on an impact.
    pub(crate) fn has_impacts(&self) -> bool {
        self.stops.as_ref().is_some_and(|stops| stops.all.iter().any(|stop| stop.impact.is_some()))
    }

    /// The state just before the impacts at the end of the last step.
    pub(crate) fn undo_impacts(&self, y: &mut [f64]) {
        if let Some(stops) = &self.stops {
            stops.undo_impacts(self.system.n(), y);
        }
    }

    /// What the impacts at the end of the last step make of a difference.
    pub(crate) fn reset_difference(&self, x: &mut [f64]) {
        if let Some(stops) = &self.stops {
            stops.reset_difference(self.system.n(), x);
        }
    }

    /// What happens to stops at the end of the last step, with their numbers.
    pub(crate) fn stop_events(&self) -> impl Iterator<Item = (usize, EventKind)> {
        self.stops.iter().flat_map(|stops| stops.events())
    }
}

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
use crate::system::box_problem::BoxProblem;
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
    all: Vec<StopState>,
    /// Reactions of the rigid ones that are closed.
    reactions: BoxProblem,
    closed: Vec<usize>,
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
                impact: None,
            }
        };
        let all: Vec<StopState> = rigid.chain(elastic).enumerate().map(made).collect();
        let n = all.len();
        (n > 0).then(|| Box::new(Self { all, reactions: BoxProblem::new(n), closed: Vec::with_capacity(n) }))
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

    /// Subtracts the reactions of rigid stops that are closed from the residual.
    pub fn react(&mut self, residual: &mut [f64]) {
        let Self { all, reactions, closed } = self;
        closed.clear();
        closed.extend((0..all.len()).filter(|&k| all[k].is_closed()));
        let h = closed.len();
        if h == 0 {
            return;
        }
        for (a, &k) in closed.iter().enumerate() {
            reactions.b[a] = dot(&all[k].mobility, residual);
            for (c, &j) in closed.iter().enumerate() {
                reactions.g[a * h + c] = dot(&all[k].direction, &all[j].mobility);
            }
        }
        reactions.respond(h, |_| true);
        for (force, &k) in reactions.force.iter().zip(closed.iter()) {
            residual.iter_mut().zip(&all[k].direction).for_each(|(r, w)| *r -= w * force);
        }
    }

    /// Power that goes into the stops (W).
    pub fn power(&self, q: &[f64], v: &[f64]) -> f64 {
        let pressed = self.all.iter().filter(|stop| stop.mode == StopMode::Closed);
        pressed.map(|stop| stop.spring_force(q, v) * dot(&stop.direction, v)).sum()
    }

    /// The switch functions, positive until their event; reactions are those of the last evaluation.
    pub fn switches(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (k, (stop, out)) in self.all.iter().zip(out.chunks_exact_mut(2)).enumerate() {
            let (depth, force) = (stop.depth(q)[0], stop.spring_force(q, v));
            let pair = match (stop.mode, stop.kind) {
                (StopMode::Free, _) => [-depth, 1.0],
                (StopMode::Closed, StopKind::Elastic { .. }) => [force, 1.0],
                (StopMode::Closed, StopKind::Rigid { .. }) => {
                    let place = self.closed.iter().position(|&closed| closed == k);
                    [place.map_or(1.0, |a| self.reactions.force[a]), 1.0]
                }
                (StopMode::Slack, _) => [depth, -force],
            };
            out.copy_from_slice(&pair);
        }
    }

    /// Adds what elastic stops contribute to ∂v̇/∂(q, v), `na` columns a row, and projects out closed rigid
    /// ones.
    pub fn add_slopes(&mut self, n: usize, na: usize, jac: &mut [f64]) {
        for stop in self.all.iter().filter(|stop| stop.mode == StopMode::Closed) {
            let StopKind::Elastic { stiffness, damping } = stop.kind else { continue };
            for (i, mobility) in stop.mobility.iter().enumerate() {
                for (j, w) in stop.direction.iter().enumerate() {
                    jac[(n + i) * na + j] -= mobility * stiffness * w;
                    jac[(n + i) * na + n + j] -= mobility * damping * w;
                }
            }
        }
        let mut column = vec![0.0; n];
        for j in 0..if self.all.iter().any(StopState::is_closed) { na } else { 0 } {
            (0..n).for_each(|i| column[i] = jac[(n + i) * na + j]);
            self.project(&mut column);
            (0..n).for_each(|i| jac[(n + i) * na + j] = column[i]);
        }
    }

    /// Takes the motion against closed rigid stops out of a velocity or an acceleration.
    fn project(&mut self, x: &mut [f64]) {
        let Self { all, reactions, closed } = self;
        closed.clear();
        closed.extend((0..all.len()).filter(|&k| all[k].is_closed()));
        let h = closed.len();
        for (a, &k) in closed.iter().enumerate() {
            reactions.b[a] = dot(&all[k].direction, x);
            for (c, &j) in closed.iter().enumerate() {
                reactions.g[a * h + c] = dot(&all[k].direction, &all[j].mobility);
            }
        }
        if h > 0 {
            reactions.respond(h, |_| true);
        }
        for (push, &k) in reactions.force.iter().zip(closed.iter()) {
            x.iter_mut().zip(&all[k].mobility).for_each(|(x, mobility)| *x -= push * mobility);
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
    /// in `y` and add their loss.
    fn follow(&mut self, on: &[usize], first: usize, n: usize, y: &mut [f64]) {
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
                    if speed > 0.0 {
                        stop.strike(speed, restitution, n, y);
                        y[loss] += 0.5 * (1.0 - restitution * restitution) * speed * speed / stop.compliance;
                    }
                }
                (StopKind::Rigid { .. }, StopMode::Closed) if has_come(0) => stop.next = StopMode::Free,
                _ => {}
            }
        }
    }

    /// Closes stops against which the motion is pressed and whose impacts have accumulated; `residual` is
    /// that of the motion after the impacts, `scale` the system's own time (s).
    fn close(&mut self, residual: &[f64], scale: f64, n: usize, y: &mut [f64]) {
        let loss = y.len() - 1;
        for stop in &mut self.all {
            let StopKind::Rigid { restitution } = stop.kind else { continue };
            let [depth, noise] = stop.depth(&y[..n]);
            // one that has just let go stays free
            if [stop.mode, stop.next] != [StopMode::Free; 2] || depth < -noise {
                continue;
            }
            let terms: f64 = stop.mobility.iter().zip(residual).map(|(m, r)| (m * r).abs()).sum();
            let pressed = dot(&stop.mobility, residual);
            let speed = -dot(&stop.direction, &y[n..2 * n]);
            let left = 2.0 * speed / (pressed * (1.0 - restitution));
            let is_over = speed.abs() <= ROUNDING * scale * terms || left < ACCUMULATED * scale;
            if !(pressed > ROUNDING * terms && is_over) {
                continue;
            }
            // what is left of the speed goes with the impacts
            y[loss] += 0.5 * speed * speed / stop.compliance;
            let before = stop.impact.map_or(0.0, |impact| impact.impulse);
            stop.strike(-speed, 0.0, n, y);
            if let Some(impact) = &mut stop.impact {
                impact.impulse += before;
            }
            stop.next = StopMode::Closed;
        }
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

    /// Takes out of a difference what stops that go on closed hold.
    pub fn hold_difference(&mut self, n: usize, x: &mut [f64]) {
        self.swap();
        let (q, v) = x[..2 * n].split_at_mut(n);
        self.project(q);
        self.project(v);
        self.swap();
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
        let Some(stops) = &mut self.stops else { return };
        match on {
            None => stops.place(&y[..n], &y[n..2 * n]),
            Some(on) => stops.follow(on, n_kinks - stops.n_switches(), n, y),
        }
    }

    /// Closes the stops at which impacts have come to an end; after the contacts have been decided on.
    pub(super) fn close_stops(&mut self, t: f64, y: &mut [f64]) {
        let n = self.system.n();
        if self.stops.is_none() {
            return;
        }
        self.balance(t, y);
        let scale = 1.0 / self.base_stiffness.max(self.fastest_load()).max(f64::MIN_POSITIVE);
        let Some(stops) = &mut self.stops else { return };
        stops.swap();
        stops.close(&self.residual, scale, n, y);
        stops.swap();
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

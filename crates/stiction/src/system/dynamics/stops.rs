//! Stops in a motion that is integrated in time.
//!
//! ```text
//!   elastic   x = n·q − position − moves(t):  free while x < 0;  −n (k x + c ẋ) while that is positive;  slack until x = 0 again
//!   rigid     gap = position − n·q:  free while it is positive;  v⁺ = v − (1 + e) M⁻¹n (n·v)/(n·M⁻¹n) at an impact;
//!             closed, n·q̈ = 0, while its reaction is positive
//! ```
//!
//! Limited damping is a second stop at the same place, of stiffness −k and damping c, that pulls.
//!
//! Modes are frozen within a step, as those of the contacts are. An impact changes the velocity, not the
//! mode; the end of a series of impacts that accumulate, by the geometric series of their times, closes the
//! stop.

use super::{Dynamics, N_PASSIVE};
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
    /// Position at rest, and what time adds to it, with its rate and the rate of that.
    position: f64,
    moved: [f64; 3],
    kind: StopKind,
    /// 1 of one that pushes, −1 of one that pulls.
    sign: f64,
    /// Its place among all stops, the rigid ones first, and the number by which events name it; none of what
    /// limits another one.
    place: usize,
    number: Option<usize>,
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
        let position = self.position + self.moved[0];
        [dot(&self.direction, q) - position, ROUNDING * (size + self.position.abs() + self.moved[0].abs())]
    }

    /// Velocity towards it (m/s).
    fn approach(&self, v: &[f64]) -> f64 {
        dot(&self.direction, v) - self.moved[1]
    }

    /// Force of an elastic stop in the state `y`, whatever its mode (N).
    fn push(&self, y: &[f64], n: usize) -> f64 {
        self.spring_force(&y[..n], &y[n..2 * n])
    }

    /// Its round-off (N).
    fn push_noise(&self, y: &[f64], n: usize) -> f64 {
        let StopKind::Elastic { stiffness, damping } = self.kind else { return 0.0 };
        let speed: f64 = self.direction.iter().zip(&y[n..2 * n]).map(|(w, v)| (w * v).abs()).sum();
        stiffness.abs() * self.depth(&y[..n])[1] + damping * ROUNDING * (speed + self.moved[1].abs())
    }

    /// Force of an elastic stop, whatever its mode (N).
    fn spring_force(&self, q: &[f64], v: &[f64]) -> f64 {
        match self.kind {
            StopKind::Elastic { stiffness, damping } => {
                stiffness * self.depth(q)[0] + damping * self.approach(v)
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
        let made = |place: usize, direction: &[f64], position: f64, kind: StopKind| {
            let mut mobility = direction.to_vec();
            inertia.solve(&mut mobility);
            StopState {
                compliance: dot(direction, &mobility),
                direction: direction.to_vec(),
                mobility,
                position,
                moved: [0.0; 3],
                kind,
                sign: 1.0,
                place,
                number: Some(elements.stop_number(place)),
                mode: StopMode::Free,
                next: StopMode::Free,
                reaction: 0.0,
                impact: None,
            }
        };
        let mut all: Vec<StopState> = (elements.stops.iter().enumerate())
            .map(|(k, stop)| {
                made(k, &stop.direction, stop.position, StopKind::Rigid { restitution: stop.restitution })
            })
            .collect();
        let first = all.len();
        for (k, stop) in elements.elastic.iter().enumerate() {
            let (stiffness, damping) = (stop.stiffness, stop.damping);
            let of = |kind| made(first + k, &stop.direction, stop.position, kind);
            all.push(of(StopKind::Elastic { stiffness, damping }));
            if stop.is_limited && damping > 0.0 {
                let own = of(StopKind::Elastic { stiffness: -stiffness, damping });
                all.push(StopState { sign: -1.0, number: None, ..own });
            }
        }
        (!all.is_empty()).then(|| Box::new(Self { all }))
    }

    /// Moves the stop in this place of all to where it is at some time.
    pub fn move_to(&mut self, place: usize, motion: [f64; 3]) {
        self.all.iter_mut().filter(|stop| stop.place == place).for_each(|stop| stop.moved = motion);
    }

    /// Number of switch functions.
    pub fn n_switches(&self) -> usize {
        2 * self.all.len()
    }

    /// Subtracts the forces of elastic stops from the residual.
    pub fn push(&self, q: &[f64], v: &[f64], residual: &mut [f64]) {
        for stop in self.all.iter().filter(|stop| stop.mode == StopMode::Closed) {
            let force = stop.sign * stop.spring_force(q, v);
            residual.iter_mut().zip(&stop.direction).for_each(|(r, w)| *r -= w * force);
        }
    }

    /// Direction n of a stop, and M⁻¹n.
    pub fn constraint(&self, k: usize) -> [&[f64]; 2] {
        [&self.all[k].direction, &self.all[k].mobility]
    }

    /// Velocity of a stop (m/s), and its rate (m/s²).
    pub fn motion(&self, k: usize) -> [f64; 2] {
        let [_, velocity, rate] = self.all[k].moved;
        [velocity, rate]
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
        pressed.map(|stop| stop.sign * stop.spring_force(q, v) * stop.approach(v)).sum()
    }

    /// Power that the system gives to what moves the stops; reactions are those of the last evaluation (W).
    pub fn moving_power(&self, q: &[f64], v: &[f64]) -> f64 {
        let pressed = self.all.iter().filter(|stop| stop.mode == StopMode::Closed && stop.moved[1] != 0.0);
        let force = |stop: &StopState| match stop.kind {
            StopKind::Elastic { .. } => stop.sign * stop.spring_force(q, v),
            StopKind::Rigid { .. } => stop.reaction,
        };
        pressed.map(|stop| force(stop) * stop.moved[1]).sum()
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
            let (stiffness, damping) = (stop.sign * stiffness, stop.sign * damping);
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
                (stop.compliance * stiffness).abs().sqrt() + stop.compliance * damping
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

    /// The next modes where the switches `on`, counted from `first`, have come, or the velocities of stops may
    /// have jumped; impacts change the velocity in `y` and add their loss. Speeds up to `least` are round-off.
    fn follow(&mut self, on: &[usize], first: usize, n: usize, least: f64, y: &mut [f64], has_jumped: bool) {
        let (loss, work) = (y.len() - 1, y.len() - N_PASSIVE);
        for (k, stop) in self.all.iter_mut().enumerate() {
            let has_come = |side: usize| on.contains(&(first + 2 * k + side));
            let [depth, noise] = stop.depth(&y[..n]);
            (stop.next, stop.impact) = (stop.mode, None);
            match (stop.kind, stop.mode) {
                (StopKind::Elastic { .. }, StopMode::Free) if has_come(0) || depth > noise => {
                    let (q, v) = y[..2 * n].split_at(n);
                    stop.next = if stop.approach(v) > 0.0 || stop.spring_force(q, v) > 0.0 {
                        StopMode::Closed
                    } else if depth > noise {
                        StopMode::Slack
                    } else {
                        // touched at rest: the next step shows whether it is pressed
                        StopMode::Free
                    };
                }
                (StopKind::Elastic { .. }, StopMode::Closed)
                    if has_come(0) || stop.push(y, n) < -stop.push_noise(y, n) =>
                {
                    stop.next = if depth > noise { StopMode::Slack } else { StopMode::Free };
                }
                (StopKind::Elastic { .. }, StopMode::Slack) if has_come(0) => stop.next = StopMode::Free,
                (StopKind::Elastic { .. }, StopMode::Slack)
                    if has_come(1) || depth > noise && stop.push(y, n) > stop.push_noise(y, n) =>
                {
                    stop.next = StopMode::Closed;
                }
                (StopKind::Rigid { restitution }, StopMode::Free) if has_come(0) || depth > noise => {
                    let speed = stop.approach(&y[n..2 * n]);
                    if speed > least {
                        stop.strike(speed, restitution, n, y);
                        y[work] -= (1.0 + restitution) * speed / stop.compliance * stop.moved[1];
                        y[loss] += 0.5 * (1.0 - restitution * restitution) * speed * speed / stop.compliance;
                    }
                }
                (StopKind::Rigid { .. }, StopMode::Closed) if has_come(0) => stop.next = StopMode::Free,
                (StopKind::Elastic { .. }, StopMode::Closed | StopMode::Slack)
                    if has_jumped && depth > noise =>
                {
                    let pushes = stop.spring_force(&y[..n], &y[n..2 * n]) > 0.0;
                    stop.next = if pushes { StopMode::Closed } else { StopMode::Slack };
                }
                (StopKind::Rigid { restitution }, StopMode::Closed) if has_jumped => {
                    let speed = stop.approach(&y[n..2 * n]);
                    let terms = stop.direction.iter().zip(&y[n..2 * n]).map(|(w, v)| (w * v).abs());
                    let noise = ROUNDING * (terms.sum::<f64>() + stop.moved[1].abs());
                    if speed > noise {
                        stop.strike(speed, restitution, n, y);
                        y[work] -= (1.0 + restitution) * speed / stop.compliance * stop.moved[1];
                        y[loss] += 0.5 * (1.0 - restitution * restitution) * speed * speed / stop.compliance;
                    }
                    if speed < -noise || (speed > noise && restitution > 0.0) {
                        stop.next = StopMode::Free;
                    }
                }
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
        let (loss, work) = (y.len() - 1, y.len() - N_PASSIVE);
        let stop = &mut self.all[k];
        if let StopKind::Rigid { restitution } = stop.kind {
            let [depth, noise] = stop.depth(&y[..n]);
            // one that has just released stays free
            if [stop.mode, stop.next] != [StopMode::Free; 2] || depth < -noise {
                return false;
            }
            let pressed = dot(&stop.mobility, residual) - stop.moved[2];
            let speed = -stop.approach(&y[n..2 * n]);
            let left = 2.0 * speed / (pressed * (1.0 - restitution));
            let is_over = speed.abs() <= ROUNDING * scale * terms || left < ACCUMULATED * scale;
            if !(pressed > ROUNDING * terms && is_over) {
                return false;
            }
            // what is left of the speed goes with the impacts
            y[loss] += 0.5 * speed * speed / stop.compliance;
            y[work] += speed / stop.compliance * stop.moved[1];
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

    /// What the impacts make of a difference of states that is `late` at them.
    pub fn reset_difference(&self, n: usize, x: &mut [f64], late: f64) {
        for stop in &self.all {
            let Some(impact) = stop.impact else { continue };
            let speed = dot(&stop.direction, &x[n..2 * n]) - late * stop.moved[2];
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
            Some((stop.number?, kind))
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
    pub(super) fn land_stops(&mut self, t: f64, y: &mut [f64], on: Option<&[usize]>) {
        let (n, n_kinks, has_jumped) = (self.system.n(), self.n_kinks(), self.is_clock_new);
        // without any rate the sizes are infinite
        let least = Some(ROUNDING * self.sizes[1]).filter(|least| least.is_finite()).unwrap_or(0.0);
        if self.stops.is_some() {
            self.vary(t, y);
        }
        let Some(stops) = &mut self.stops else { return };
        match on {
            None => stops.place(&y[..n], &y[n..2 * n]),
            Some(on) => stops.follow(on, n_kinks - stops.n_switches(), n, least, y, has_jumped),
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

    /// What the impacts at the end of the last step make of a difference that is `late` at them.
    pub(crate) fn reset_difference(&self, x: &mut [f64], late: f64) {
        if let Some(stops) = &self.stops {
            stops.reset_difference(self.system.n(), x, late);
        }
    }

    /// What happens to stops at the end of the last step, with their numbers.
    pub(crate) fn stop_events(&self) -> impl Iterator<Item = (usize, EventKind)> {
        self.stops.iter().flat_map(|stops| stops.events())
    }
}

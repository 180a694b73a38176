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
pub(super) enum StopKind {
    Rigid { restitution: f64 },
    Elastic { stiffness: f64, damping: f64 },
}

/// What an impact did to the velocity: v⁺ = v⁻ − impulse M⁻¹n, and its restitution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    impulse: f64,
    restitution: f64,
}

/// A stop, prepared.
#[derive(Clone, Debug)]
pub(super) struct StopElement {
    pub direction: Vec<f64>,
    /// M⁻¹n.
    pub mobility: Vec<f64>,
    /// n·M⁻¹n (1/kg).
    pub compliance: f64,
    /// Position at rest (m).
    position: f64,
    pub kind: StopKind,
    /// 1 of one that pushes, −1 of one that pulls.
    pub sign: f64,
    /// Its place among all stops, the rigid ones first, and the number by which events name it; none of what
    /// limits another one.
    pub place: usize,
    number: Option<usize>,
}

/// A stop at the last evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct StopForce {
    /// What time adds to its position, with its rate and the rate of that.
    pub moved: [f64; 3],
    /// Reaction of a rigid stop that is closed (N).
    pub reaction: f64,
}

/// What has come about at a stop at the end of a step.
pub(super) struct StopGuards {
    /// Which of its guards have come to zero.
    pub has_come: [bool; 2],
    /// Whether velocities of stops may have jumped.
    pub has_jumped: bool,
    /// Speeds up to this are round-off (m/s).
    pub least: f64,
}

/// The stops of a system, the rigid ones first.
pub(super) fn prepared(system: &System, inertia: &Inertia) -> Vec<StopElement> {
    let elements = &system.elements;
    let made = |place: usize, direction: &[f64], position: f64, kind: StopKind| {
        let mut mobility = direction.to_vec();
        inertia.solve(&mut mobility);
        StopElement {
            compliance: dot(direction, &mobility),
            direction: direction.to_vec(),
            mobility,
            position,
            kind,
            sign: 1.0,
            place,
            number: Some(elements.stop_number(place)),
        }
    };
    let rigid = elements.stops.iter().enumerate().map(|(k, stop)| {
        made(k, &stop.direction, stop.position, StopKind::Rigid { restitution: stop.restitution })
    });
    let mut all: Vec<StopElement> = rigid.collect();
    let first = all.len();
    for (k, stop) in elements.elastic.iter().enumerate() {
        let (stiffness, damping) = (stop.stiffness, stop.damping);
        let of = |kind| made(first + k, &stop.direction, stop.position, kind);
        all.push(of(StopKind::Elastic { stiffness, damping }));
        if stop.is_limited && damping > 0.0 {
            let own = of(StopKind::Elastic { stiffness: -stiffness, damping });
            all.push(StopElement { sign: -1.0, number: None, ..own });
        }
    }
    all
}

impl StopElement {
    pub fn is_rigid(&self) -> bool {
        matches!(self.kind, StopKind::Rigid { .. })
    }

    /// n·q − position (m), and its round-off.
    pub fn depth(&self, q: &[f64], own: &StopForce) -> [f64; 2] {
        let size: f64 = self.direction.iter().zip(q).map(|(w, q)| (w * q).abs()).sum();
        let position = self.position + own.moved[0];
        [dot(&self.direction, q) - position, ROUNDING * (size + self.position.abs() + own.moved[0].abs())]
    }

    /// Velocity towards it (m/s).
    pub fn approach(&self, v: &[f64], own: &StopForce) -> f64 {
        dot(&self.direction, v) - own.moved[1]
    }

    /// Force of an elastic stop, whatever its mode (N).
    pub fn spring_force(&self, q: &[f64], v: &[f64], own: &StopForce) -> f64 {
        match self.kind {
            StopKind::Elastic { stiffness, damping } => {
                stiffness * self.depth(q, own)[0] + damping * self.approach(v, own)
            }
            StopKind::Rigid { .. } => 0.0,
        }
    }

    /// The mode that follows from position and velocity alone.
    fn placed(&self, own: &StopForce, [q, v]: [&[f64]; 2]) -> StopMode {
        let [depth, noise] = self.depth(q, own);
        StopMode::at(!self.is_rigid() && depth > noise, self.spring_force(q, v, own) > 0.0)
    }

    /// Round-off of the force of an elastic stop, from that of its depth (N).
    fn force_noise(&self, v: &[f64], own: &StopForce, depth_noise: f64) -> f64 {
        let StopKind::Elastic { stiffness, damping } = self.kind else { return 0.0 };
        let speed: f64 = self.direction.iter().zip(v).map(|(w, v)| (w * v).abs()).sum();
        stiffness.abs() * depth_noise + damping * ROUNDING * (speed + own.moved[1].abs())
    }

    /// The mode after a step; impacts change the velocity in `y` and add their work and loss.
    fn follow(
        &self,
        own: &StopForce,
        mode: StopMode,
        &StopGuards { has_come, has_jumped, least }: &StopGuards,
        n: usize,
        y: &mut [f64],
    ) -> (StopMode, Option<Impact>) {
        let (q, v) = y[..2 * n].split_at(n);
        let [depth, noise] = self.depth(q, own);
        let (is_in, force, speed) = (depth > noise, self.spring_force(q, v, own), self.approach(v, own));
        // what has been missed shows in the force beyond its round-off
        let beyond = self.force_noise(v, own, noise);
        match (self.kind, mode) {
            (StopKind::Elastic { .. }, StopMode::Free) if has_come[0] || is_in => {
                // touched at rest, the next step shows whether it is pressed
                let pushes = speed > 0.0 || force > 0.0;
                (StopMode::at(pushes || is_in, pushes), None)
            }
            (StopKind::Elastic { .. }, StopMode::Closed) if has_come[0] || force < -beyond => {
                (StopMode::at(is_in, false), None)
            }
            (StopKind::Elastic { .. }, StopMode::Slack) if has_come[0] => (StopMode::Free, None),
            (StopKind::Elastic { .. }, StopMode::Slack) if has_come[1] || is_in && force > beyond => {
                (StopMode::Closed, None)
            }
            (StopKind::Elastic { .. }, StopMode::Closed | StopMode::Slack) if has_jumped && is_in => {
                (StopMode::at(true, force > 0.0), None)
            }
            (StopKind::Rigid { restitution }, StopMode::Free) if (has_come[0] || is_in) && speed > least => {
                (mode, Some(self.strike(own, speed, restitution, n, y)))
            }
            (StopKind::Rigid { .. }, StopMode::Closed) if has_come[0] => (StopMode::Free, None),
            (StopKind::Rigid { restitution }, StopMode::Closed) if has_jumped => {
                let terms = self.direction.iter().zip(v).map(|(w, v)| (w * v).abs());
                let noise = ROUNDING * (terms.sum::<f64>() + own.moved[1].abs());
                let impact = (speed > noise).then(|| self.strike(own, speed, restitution, n, y));
                let leaves = speed < -noise || (speed > noise && restitution > 0.0);
                (if leaves { StopMode::Free } else { mode }, impact)
            }
            _ => (mode, None),
        }
    }

    /// An impact at `speed`, exactly on the stop, with its work and its loss.
    fn strike(&self, own: &StopForce, speed: f64, restitution: f64, n: usize, y: &mut [f64]) -> Impact {
        let (loss, work) = (y.len() - 1, y.len() - N_PASSIVE);
        y[work] -= (1.0 + restitution) * speed / self.compliance * own.moved[1];
        y[loss] += 0.5 * (1.0 - restitution * restitution) * speed * speed / self.compliance;
        let off = self.depth(&y[..n], own)[0] / self.compliance;
        let impulse = (1.0 + restitution) * speed / self.compliance;
        let (q, v) = y[..2 * n].split_at_mut(n);
        q.iter_mut().zip(&self.mobility).for_each(|(q, mobility)| *q -= off * mobility);
        v.iter_mut().zip(&self.mobility).for_each(|(v, mobility)| *v -= impulse * mobility);
        Impact { impulse, restitution }
    }
}

impl Dynamics {
    /// Decides how the stops go on from (t, y), before the contacts do.
    pub(super) fn land_stops(&mut self, t: f64, y: &mut [f64], on: Option<&[usize]>) {
        let (n, first, sizes) = (self.prepared.n(), self.first_stop_guard(), self.prepared.scales.sizes);
        // without any rate the sizes are infinite
        let least = Some(ROUNDING * sizes[1]).filter(|least| least.is_finite()).unwrap_or(0.0);
        if !self.prepared.stops.is_empty() {
            self.forces.read_inputs(&self.prepared, t, y);
        }
        for (k, (stop, own)) in self.prepared.stops.iter().zip(&self.forces.stops).enumerate() {
            match on {
                None => {
                    self.next.stops[k] = stop.placed(own, [&y[..n], &y[n..2 * n]]);
                    (self.regime.stops[k], self.event.impacts[k]) = (self.next.stops[k], None);
                }
                Some(on) => {
                    let has_come = [0, 1].map(|side| on.contains(&(first + 2 * k + side)));
                    let guards = StopGuards { has_come, has_jumped: self.event.is_clock_new, least };
                    (self.next.stops[k], self.event.impacts[k]) =
                        stop.follow(own, self.regime.stops[k], &guards, n, y);
                }
            }
        }
    }

    /// Closes a rigid stop against which the motion is pressed and at which impacts have come to an end, at the state
    /// of the last evaluation. Returns whether there is one.
    pub(super) fn close_stop(&mut self, y: &mut [f64]) -> bool {
        let n = self.prepared.n();
        let scale = 1.0 / self.prepared.scales.fastest().max(f64::MIN_POSITIVE);
        for (k, (stop, own)) in self.prepared.stops.iter().zip(&self.forces.stops).enumerate() {
            let StopKind::Rigid { restitution } = stop.kind else { break };
            let [depth, noise] = stop.depth(&y[..n], own);
            // one that has just released stays free
            if [self.regime.stops[k], self.next.stops[k]] != [StopMode::Free; 2] || depth < -noise {
                continue;
            }
            let terms = self.push_size(k);
            let pressed = dot(&stop.mobility, &self.forces.residual) - own.moved[2];
            let speed = -stop.approach(&y[n..2 * n], own);
            let left = 2.0 * speed / (pressed * (1.0 - restitution));
            // the next flight is as low as the round-off of the position
            let is_low = 0.5 * speed * speed <= noise * pressed;
            let is_over = speed.abs() <= ROUNDING * scale * terms || left < ACCUMULATED * scale || is_low;
            if pressed > ROUNDING * terms && is_over {
                // what is left of the speed goes with the impacts
                let before = self.event.impacts[k].map_or(0.0, |impact| impact.impulse);
                let last = stop.strike(own, -speed, 0.0, n, y);
                self.event.impacts[k] = Some(Impact { impulse: last.impulse + before, ..last });
                self.next.stops[k] = StopMode::rigid(true);
                return true;
            }
        }
        false
    }

    /// Sizes of the terms of the acceleration along a rigid stop (m/s²).
    fn push_size(&self, k: usize) -> f64 {
        let loads = self.prepared.mobility(k).iter().zip(&self.forces.load).map(|(m, f)| (m * f).abs());
        let delassus = |i: usize| self.prepared.delassus.at(k, self.prepared.n_stops + i);
        let forces = self.forces.contacts.iter().enumerate();
        loads.sum::<f64>() + forces.map(|(i, own)| (delassus(i) * own.force).abs()).sum::<f64>()
    }

    /// Reaction of a rigid stop that is closed after the event, at the last evaluation, and the sum of its terms (N).
    pub(super) fn reaction(&self, k: usize) -> Option<[f64; 2]> {
        let reaction = self.forces.stops[k].reaction;
        self.next.stops[k]
            .is_closed()
            .then(|| [reaction, self.push_size(k) / self.prepared.stops[k].compliance])
    }

    /// The stops on which the last step has ended with an impact.
    fn impacts(&self) -> impl Iterator<Item = (usize, &StopElement, Impact)> {
        let all = self.prepared.stops.iter().zip(&self.event.impacts).enumerate();
        all.filter_map(|(k, (stop, impact))| Some((k, stop, (*impact)?)))
    }

    /// Whether the last step ended on an impact.
    pub(crate) fn has_impacts(&self) -> bool {
        self.impacts().next().is_some()
    }

    /// The state just before the impacts at the end of the last step.
    pub(crate) fn undo_impacts(&self, y: &mut [f64]) {
        let v = &mut y[self.prepared.n()..];
        for (_, stop, impact) in self.impacts() {
            v.iter_mut().zip(&stop.mobility).for_each(|(v, m)| *v += impact.impulse * m);
        }
    }

    /// What the impacts at the end of the last step make of a difference that is `late` at them.
    pub(crate) fn reset_difference(&self, x: &mut [f64], late: f64) {
        let n = self.prepared.n();
        for (k, stop, impact) in self.impacts() {
            let speed = dot(&stop.direction, &x[n..2 * n]) - late * self.forces.stops[k].moved[2];
            let push = (1.0 + impact.restitution) * speed / stop.compliance;
            x[n..2 * n].iter_mut().zip(&stop.mobility).for_each(|(x, m)| *x -= push * m);
        }
    }

    /// What happens to stops at the end of the last step, with their numbers.
    pub(crate) fn stop_events(&self) -> impl Iterator<Item = (usize, EventKind)> {
        self.prepared.stops.iter().enumerate().filter_map(|(k, stop)| {
            // the end of a series of impacts
            let bounces = matches!(stop.kind, StopKind::Rigid { restitution } if restitution > 0.0);
            let kind = match (self.regime.stops[k], self.next.stops[k]) {
                (StopMode::Free, StopMode::Closed) if bounces => EventKind::Hold,
                (StopMode::Free, StopMode::Closed | StopMode::Slack) => EventKind::Impact,
                (StopMode::Closed | StopMode::Slack, StopMode::Free) => EventKind::Release,
                _ if self.event.impacts[k].is_some() => EventKind::Impact,
                _ => return None,
            };
            Some((stop.number?, kind))
        })
    }
}

//! How small differences of the state are carried along.
//!
//! Within a stretch a difference obeys the homogeneous equations, with what sticks as constraints, and has a
//! Taylor series of its own. At an event the disturbed motion is late by δt, by the guard that belongs to the
//! change:
//!
//! ```text
//!   δt = −δg/ġ,   δv⁺ = P (δv⁻ + Σ M⁻¹wᵢ ΔHᵢ δtᵢ)     over the contacts that slide afterwards
//! ```
//!
//! P takes out what the constraints hold afterwards with the least change of kinetic energy; their impulses
//! are those of their own forces over δt. Contacts that an event sets free in passing share its δt. States
//! whose rates jump, and impacts R, change by (R F⁻ − F⁺) δt, F being the rates on both sides.

use super::guards::{GuardKind, LinearGuard};
use super::response::OrderResponse;
use super::row::{Terms, sparse_dot, subtract};
use super::{Model, ORDER, Stretch, Taylor};
use crate::contact::{ContactMode, Side};
use crate::math::dense::Matrix;

/// A change of force at an event.
struct Change {
    contact: usize,
    /// H⁺ − H⁻ (N).
    jump: f64,
    /// The guard that sets its time.
    timer: usize,
}

/// What happens to every difference at the end of a stretch.
struct Ending {
    timers: Vec<Timer>,
    changes: Vec<Change>,
    /// Accelerations and rates of the states before and after, where an impact or an element changes.
    rates: Option<[Rates; 2]>,
}

struct Rates {
    velocity: Vec<f64>,
    acceleration: Vec<f64>,
    state: Vec<f64>,
}

/// A guard, and ġ at the event.
struct Timer {
    guard: LinearGuard,
    rate: f64,
}

/// A difference of the state.
struct Difference {
    q: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
    response: OrderResponse,
    sums: [Vec<f64>; 3],
    held: Vec<f64>,
}

impl Difference {
    fn terms(&self) -> Terms<'_> {
        Terms { q: &self.q, v: &self.v, x: &self.x, signals: &[], rates: &[], is_start: false }
    }

    /// Accelerations, forces and rates in the modes of a stretch.
    fn respond(&mut self, model: &Model, stretch: &Stretch) {
        let mut response = std::mem::take(&mut self.response);
        response.acceleration.fill(0.0);
        stretch.respond(model, &self.terms(), &mut response);
        self.response = response;
    }

    /// Takes out what the constraints of a stretch hold: velocities, and the positions of closed stops.
    fn project(&mut self, model: &Model, stretch: &Stretch) {
        let members = &stretch.basis.members;
        let has_stops = members.first().is_some_and(|c| *c < model.stops.len());
        let held = &mut self.held;
        for (part, x) in [&mut self.v, &mut self.q].into_iter().enumerate().take(1 + usize::from(has_stops)) {
            for (held, &c) in held.iter_mut().zip(members) {
                let counts = part == 0 || c < model.stops.len();
                *held = if counts { sparse_dot(model.constraint(c)[0], x) } else { 0.0 };
            }
            stretch.basis.solve(held);
            for (held, &c) in held.iter().zip(members) {
                subtract(model.constraint(c)[1], *held, x);
            }
        }
    }

    /// The homogeneous motion over τ.
    fn flow(&mut self, model: &Model, stretch: &Stretch, tau: f64) {
        let mut sums = std::mem::take(&mut self.sums);
        let Self { q, v, x, .. } = self;
        for (sum, term) in sums.iter_mut().zip([&*q, &*v, &*x]) {
            sum.copy_from_slice(term);
        }
        for j in 0..ORDER {
            // the difference holds the terms of order j
            self.respond(model, stretch);
            let step = tau / (j + 1) as f64;
            let Self { q, v, x, response, .. } = self;
            q.iter_mut().zip(&*v).for_each(|(q, v)| *q = step * v);
            v.iter_mut().zip(&response.acceleration).for_each(|(v, a)| *v = step * a);
            x.iter_mut().zip(&response.state_rate).for_each(|(x, rate)| *x = step * rate);
            for (sum, term) in sums.iter_mut().zip([&*q, &*v, &*x]) {
                sum.iter_mut().zip(term).for_each(|(sum, term)| *sum += term);
            }
        }
        let Self { q, v, x, .. } = self;
        for (sum, term) in sums.iter().zip([q, v, x]) {
            term.copy_from_slice(sum);
        }
        self.sums = sums;
    }
}

impl Taylor {
    /// Carries the columns (δq, δv, δx) of `d` from the time `from` in the current stretch to now and through
    /// the event there.
    pub fn carry(&self, from: f64, d: &mut Matrix) {
        let (model, current) = (&self.model, &*self.current);
        let (n, p) = (model.n, model.n_states().min(d.n_rows.saturating_sub(2 * model.n)));
        let start = current.start;
        let tau = start.since(self.now.t) - start.since(from);
        let ending = if self.ended { self.ending() } else { None };
        let mut flow = self.modal.as_ref().filter(|_| self.in_modes).map(|modal| modal.factors(tau));
        let zeros = |n: usize| vec![0.0; n];
        let mut x = Difference {
            q: zeros(n),
            v: zeros(n),
            x: zeros(model.n_states()),
            response: OrderResponse::new(model),
            sums: [zeros(n), zeros(n), zeros(model.n_states())],
            held: zeros(model.delassus.n_rows),
        };
        for j in 0..d.n_cols {
            for k in 0..n {
                (x.q[k], x.v[k]) = (d.at(k, j), d.at(n + k, j));
            }
            x.x.fill(0.0);
            (0..p).for_each(|k| x.x[k] = d.at(2 * n + k, j));
            x.project(model, current);
            match (&self.modal, &mut flow) {
                (Some(modal), Some(flow)) => modal.flow(flow, &mut x.q, &mut x.v),
                _ => x.flow(model, current, tau),
            }
            if let Some(ending) = &ending {
                self.jump(ending, &mut x);
            }
            if self.ended {
                x.project(model, &self.next);
            }
            for k in 0..n {
                (*d.at_mut(k, j), *d.at_mut(n + k, j)) = (x.q[k], x.v[k]);
            }
            (0..p).for_each(|k| *d.at_mut(2 * n + k, j) = x.x[k]);
        }
    }

    /// What the event at the end of the stretch changes.
    fn ending(&self) -> Option<Ending> {
        if self.first.fired.is_empty() {
            return None;
        }
        let (model, current, next) = (&self.model, &*self.current, &*self.next);
        let s = current.start.since(self.now.t) / current.length;
        let timers: Vec<Timer> = (self.first.fired.iter())
            .filter_map(|kind| current.guards.iter().find(|guard| guard.kind == *kind))
            .map(|guard| Timer { guard: *guard, rate: self.guard_rate(guard, s) })
            .collect();
        let timer_of = |contact: usize| {
            let own = timers.iter().position(|timer| match timer.guard.kind {
                GuardKind::Corner { contact: c, .. } | GuardKind::Limit { contact: c, .. } => c == contact,
                _ => false,
            });
            own.unwrap_or(0)
        };
        let mut changes = Vec::new();
        for (i, contact) in model.contacts.iter().enumerate() {
            let after = match next.regime.contacts[i] {
                ContactMode::Stick { .. } => continue,
                mode if mode == current.regime.contacts[i] => continue,
                ContactMode::Open => 0.0,
                ContactMode::Slip { .. } => next.series.force[i],
            };
            let before = match current.regime.contacts[i] {
                ContactMode::Open => 0.0,
                ContactMode::Slip { piece } if !contact.varies && contact.sliders.is_empty() => {
                    let piece = contact.line.pieces[piece];
                    piece.force + piece.slope * next.sliding_now(model, i)
                }
                _ if self.in_modes => self.at_end.force[i][0],
                _ => match current.yield_limit(model, i) {
                    Some(limit) => limit * current.row_at(model, &contact.normal, s),
                    None => Stretch::value(&current.series.force[i..], model.contacts.len(), s),
                },
            };
            changes.push(Change { contact: i, jump: after - before, timer: timer_of(i) });
        }
        let has_changed =
            !current.regime.differs_in_contacts_at_most(&next.regime) || !self.resolved.impacts.is_empty();
        Some(Ending { timers, changes, rates: has_changed.then(|| self.rates(s)) })
    }

    /// ġ at the end of the stretch.
    fn guard_rate(&self, guard: &LinearGuard, s: f64) -> f64 {
        let (model, current) = (&self.model, &*self.current);
        if !self.in_modes {
            let mut rate = 0.0;
            for j in (1..=ORDER).rev() {
                rate = rate * s + j as f64 * guard.coefficient(model, current, j);
            }
            return rate / current.length;
        }
        match guard.kind {
            GuardKind::Limit { contact, side } => {
                let sign = if side == Side::High { -1.0 } else { 1.0 };
                sign * self.at_end.force[contact][1]
            }
            GuardKind::Corner { contact, side } => {
                let sign = if side == Side::High { -1.0 } else { 1.0 };
                sign * sparse_dot(&model.contacts[contact].direction, &self.at_end.acceleration)
            }
            _ => f64::NAN,
        }
    }

    /// Rates of the state before and after the event.
    fn rates(&self, s: f64) -> [Rates; 2] {
        let (n, p) = (self.model.n, self.model.n_states());
        let of = |stretch: &Stretch, s: f64| {
            let (mut q, mut velocity, mut acceleration) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
            stretch.state(s, &mut q, &mut velocity, &mut acceleration);
            let state =
                (0..p).map(|k| Stretch::jet(&stretch.series.x[k..], p, s)[1] / stretch.length).collect();
            Rates { velocity, acceleration, state }
        };
        [of(&self.current, s), of(&self.next, 0.0)]
    }

    /// Takes a difference through the event.
    fn jump(&self, Ending { timers, changes, rates }: &Ending, x: &mut Difference) {
        let model = &self.model;
        if timers.iter().any(|timer| timer.guard.is_of_force()) {
            x.respond(model, &self.current);
        }
        let late: Vec<f64> = (timers.iter())
            .map(|timer| -timer.guard.of_difference(model, &x.terms(), &x.response) / timer.rate)
            .collect();
        let add = |x: &mut [f64], rates: &[f64], scale: f64| {
            x.iter_mut().zip(rates).for_each(|(x, rate)| *x += scale * rate);
        };
        match rates {
            Some([before, after]) => {
                let Some(late) = late.first().copied().filter(|late| late.is_finite()) else { return };
                add(&mut x.q, &before.velocity, late);
                add(&mut x.v, &before.acceleration, late);
                add(&mut x.x, &before.state, late);
                for &(stop, _) in &self.resolved.impacts {
                    let wall = &model.stops[stop];
                    // a stop that moves has gone on by then
                    let moved = wall.velocity.map_or(0.0, |velocity| {
                        self.next.series.signals[model.signals.len() + velocity] / self.next.length
                    });
                    let speed = sparse_dot(&wall.direction, &x.v) - late * moved;
                    let impulse = (1.0 + wall.restitution) * speed / model.delassus.at(stop, stop);
                    subtract(&wall.mobility, impulse, &mut x.v);
                }
                add(&mut x.q, &after.velocity, -late);
                add(&mut x.v, &after.acceleration, -late);
                add(&mut x.x, &after.state, -late);
            }
            None => {
                for &Change { contact, jump, timer } in changes {
                    let Some(late) = late.get(timer) else { continue };
                    if jump != 0.0 {
                        subtract(&model.contacts[contact].mobility, -jump * late, &mut x.v);
                    }
                }
            }
        }
    }
}

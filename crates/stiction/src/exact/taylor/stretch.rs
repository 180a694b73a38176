//! A stretch of motion in fixed modes, as a Taylor series that is exact to rounding.
//!
//! With every element in one mode the motion is linear, and its Taylor coefficients follow from each other:
//!
//! ```text
//!   (j+1) q_{j+1} = v_j,    (j+1) v_{j+1} = M⁻¹( f_j − C v_j − K q_j + feedback − Σ wᵢ Hᵢⱼ − Σ n r_j )
//!   slip:    Hᵢⱼ = force·N_j + slope·vᵢⱼ + Σ k x_j
//!   stick:   Hᵢⱼ such that wᵢᵀv_{j+1} follows the belt, closed stop: n·v_{j+1} = 0
//! ```
//!
//! In the norm of the kinetic energy `‖v_{j+1}‖ ≤ ρ‖v_j‖/(j+1)` with ρ = ‖M⁻¹C‖ + √‖M⁻¹K‖, the projection
//! onto the constraints having norm one. A series of degree [`ORDER`] over the time [`ANGLE`]/ρ leaves out
//! less than rounding. Unlike an eigen-decomposition this costs no n³ per phase (a chain of n blocks has 3ⁿ
//! phases, none of which comes twice), keeps the sparsity, and does not mind defective matrices: critical
//! damping, bodies without springs, resonance.

use super::bounds::ActiveModes;
use super::guards::LinearGuard;
use super::model::{Model, Sparse};
use super::modes::Regime;
use super::response::OrderResponse;
use super::rounding::Rounding;
use super::row::{Row, Terms, sparse_dot, subtract};
use crate::contact::{Basis, ContactMode, RedundantContact, Shares, Side};
use crate::exact::time::Time;

/// Degree of the series.
pub(in crate::exact) const ORDER: usize = 22;
/// Length of a stretch times the fastest rate: 1.5²³/23! = 4e-19.
pub(in crate::exact) const ANGLE: f64 = 1.5;
/// Rounding of a balance of forces in units of its terms; events before it were located to a few of these.
pub(super) const NOISE: f64 = 512.0 * f64::EPSILON;

/// How long a series holds (s). Without any rate the motion is a polynomial, whatever the length: after an
/// event that of its own time, from velocities and the terms of accelerations, or of the time of the whole system,
/// whose rate is `free`, and then twice that of the series `before`, so that any end is reached in few.
pub(super) fn series_length(
    [rate, free]: [f64; 2],
    before: f64,
    motion: impl Iterator<Item = [f64; 2]>,
) -> f64 {
    if rate > 0.0 {
        return ANGLE / rate;
    }
    let [v, a] = motion.fold([0.0f64; 2], |[v, a], own| [v.max(own[0].abs()), a.max(own[1])]);
    let own = if a > 0.0 { 2.0 * v / a } else { 0.0 };
    let length = own.max(2.0 * before);
    match length > 0.0 && length.is_finite() {
        true => length,
        false if free > 0.0 => ANGLE / free,
        false => 1.0,
    }
}

/// Coefficients times length^j, by order.
#[derive(Clone, Debug)]
pub(in crate::exact) struct Series {
    /// Positions and velocities.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// States of springs with sliders and of feedback.
    pub x: Vec<f64>,
    pub signals: Vec<f64>,
    /// Friction forces, and reactions of the stops.
    pub force: Vec<f64>,
    pub reaction: Vec<f64>,
}

/// What the recurrence of the coefficients goes on from.
#[derive(Clone, Debug)]
struct Recurrence {
    /// Number of orders that are known.
    known: usize,
    /// Sine and cosine of each harmonic load, times the factors of the order.
    waves: Vec<[f64; 2]>,
    /// Rates of the signals.
    rates: Vec<f64>,
}

#[derive(Clone, Debug)]
pub(in crate::exact) struct Stretch {
    pub start: Time,
    /// Length for which the series holds (s).
    pub length: f64,
    /// Where it ends: there, or at the next point of a table, and whether at that (s).
    pub end: f64,
    pub to_break: bool,
    pub regime: Regime,
    /// The end of its piece, or of what it can hold, at which a contact starts, and the first order at which
    /// it leaves that end; 0 if none does.
    pub at: Vec<Option<Side>>,
    pub lead: Vec<usize>,
    /// The guards of the modes, and of each the order of the first coefficient that counts; `None` if it
    /// stays at zero.
    pub(super) guards: Vec<LinearGuard>,
    pub(super) leads: Vec<Option<usize>>,
    pub basis: Basis,
    pub series: Series,
    /// Forces of redundant contacts.
    pub(super) shares: Shares,
    /// Static above kinetic friction of contacts that start to slip, while modes are resolved (N).
    pub(super) excess: Vec<f64>,
    pub rounding: Rounding,
    recurrence: Recurrence,
    pub(super) response: OrderResponse,
}

impl Stretch {
    pub fn new(model: &Model) -> Self {
        let (n, m, k) = (model.n, model.contacts.len(), model.stops.len());
        let series = |n: usize| vec![0.0; (ORDER + 1) * n];
        Self {
            start: Time::default(),
            length: 0.0,
            end: 0.0,
            to_break: false,
            regime: Regime::open(model),
            at: vec![None; m],
            lead: vec![0; m],
            guards: Vec::new(),
            leads: Vec::new(),
            basis: Basis::default(),
            series: Series {
                q: series(n),
                v: series(n),
                x: series(model.n_states()),
                signals: series(model.signals.len()),
                force: series(m),
                reaction: series(k),
            },
            shares: Shares::default(),
            excess: vec![0.0; m],
            rounding: Rounding::new(model),
            recurrence: Recurrence {
                known: 0,
                waves: vec![[0.0; 2]; model.loads.harmonics.len()],
                rates: vec![0.0; model.signals.len()],
            },
            response: OrderResponse::new(model),
        }
    }

    /// The terms of order j.
    pub(super) fn terms(&self, model: &Model, j: usize) -> Terms<'_> {
        let of = |series: &'_ [f64], n: usize| j * n..((j + 1) * n).min(series.len());
        let s = model.signals.len();
        Terms {
            q: &self.series.q[of(&self.series.q, model.n)],
            v: &self.series.v[of(&self.series.v, model.n)],
            x: &self.series.x[of(&self.series.x, model.n_states())],
            signals: &self.series.signals[of(&self.series.signals, s)],
            rates: &self.recurrence.rates,
            is_start: j == 0,
        }
    }

    /// Whether contact `i` sticks.
    pub fn sticks(&self, i: usize) -> bool {
        matches!(self.regime.contacts[i], ContactMode::Stick { .. })
    }

    /// Whether nothing can move but with belts.
    pub fn is_pinned(&self, model: &Model) -> bool {
        self.basis.members.len() == model.n
    }

    /// Chooses a basis of the constraints.
    pub fn choose_basis(&mut self, model: &Model) {
        let (m, n_stops) = (self.regime.contacts.len(), model.stops.len());
        self.basis.clear();
        self.shares.is_shared = false;
        for k in (0..n_stops).filter(|k| self.regime.stops[*k].is_closed()) {
            self.basis.add(&model.delassus, k);
        }
        for yielding in [false, true] {
            for i in 0..m {
                let mode = self.regime.contacts[i];
                if !mode.sticks() || mode.yields() != yielding {
                    continue;
                }
                if self.basis.add(&model.delassus, n_stops + i) {
                    // a contact that nothing else holds in place cannot yield
                    self.regime.contacts[i] = mode.without_yielding();
                } else {
                    self.shares.is_shared = true;
                }
            }
        }
        if self.shares.is_shared {
            let mut shares = std::mem::take(&mut self.shares);
            let (contacts, basis) = (&self.regime.contacts, &self.basis);
            let normal = |j: usize| model.contacts[j].normal.at(&self.terms(model, 0));
            shares.divide(&model.delassus, basis, [n_stops, m], |j| match contacts[j] {
                ContactMode::Stick { corner, yields } => {
                    let contact = &model.contacts[j];
                    let corner = contact.line.corners[corner];
                    let limit = 0.5 * (corner.high - corner.low) * normal(j).max(0.0);
                    Some(RedundantContact { limit, yields: yields.is_some() })
                }
                _ => None,
            });
            self.shares = shares;
        }
    }

    /// Takes the last rounding out of the velocities that the constraints set, and out of the positions of
    /// closed stops.
    pub fn project(&mut self, model: &Model) {
        let (n, n_stops) = (model.n, model.stops.len());
        for (a, &c) in self.basis.members.iter().enumerate() {
            self.response.held[a] = match c.checked_sub(n_stops) {
                None => {
                    let stop = &model.stops[c];
                    sparse_dot(&stop.direction, &self.series.v[..n])
                        + sparse_dot(&stop.approach.signals, &self.series.signals)
                }
                Some(i) => self.sliding_now(model, i) - self.corner_velocity(model, i),
            };
        }
        let held = &mut self.response.held;
        self.basis.solve(held);
        for (a, &c) in self.basis.members.iter().enumerate() {
            subtract(model.constraint(c)[1], held[a], &mut self.series.v[..n]);
        }
        for a in 0..self.basis.members.len() {
            let Some(i) = self.basis.members[a].checked_sub(n_stops) else { continue };
            if let [(k, w)] = model.contacts[i].direction[..] {
                self.series.v[k] = (self.corner_velocity(model, i) + self.belt_now(model, i)) / w;
            }
        }
        let stands = |c: &usize| {
            c.checked_sub(n_stops)
                .map_or(model.stops.get(*c).is_some_and(|stop| stop.velocity.is_none()), |i| {
                    self.corner_velocity(model, i) == 0.0 && self.belt_now(model, i) == 0.0
                })
        };
        if self.is_pinned(model) && self.basis.members.iter().all(stands) {
            self.series.v[..n].fill(0.0);
        }
        if self.basis.members.first().is_some_and(|c| *c < n_stops) {
            let held = &mut self.response.held;
            for (a, &c) in self.basis.members.iter().enumerate() {
                let stop = model.stops.get(c);
                held[a] = stop.map_or(0.0, |stop| {
                    let position = stop.gap.constant + sparse_dot(&stop.gap.signals, &self.series.signals);
                    sparse_dot(&stop.direction, &self.series.q[..n]) - position
                });
            }
            self.basis.solve(held);
            for (a, &c) in self.basis.members.iter().enumerate() {
                subtract(model.constraint(c)[1], held[a], &mut self.series.q[..n]);
            }
        }
    }

    /// Sliding velocity of contact `i` at the start (m/s).
    pub(super) fn sliding_now(&self, model: &Model, i: usize) -> f64 {
        sparse_dot(&model.contacts[i].direction, &self.series.v[..model.n]) - self.belt_now(model, i)
    }

    fn belt_now(&self, model: &Model, i: usize) -> f64 {
        let contact = &model.contacts[i];
        contact.belt - sparse_dot(&contact.sliding.signals, &self.series.signals)
    }

    /// Velocity of contact `i` while it sticks.
    fn corner_velocity(&self, model: &Model, i: usize) -> f64 {
        match self.regime.contacts[i] {
            ContactMode::Stick { corner, .. } => model.contacts[i].line.corners[corner].v,
            ContactMode::Slip { .. } | ContactMode::Open => 0.0,
        }
    }

    /// The forces of all sticking contacts and closed stops from those of the basis, which are in its order.
    pub(super) fn distribute(&self, n_stops: usize, basis: &[f64], force: &mut [f64], reaction: &mut [f64]) {
        for (a, &c) in self.basis.members.iter().enumerate() {
            match c.checked_sub(n_stops) {
                None => reaction[c] = basis[a],
                Some(i) => force[i] = basis[a],
            }
        }
        if !self.shares.is_shared {
            return;
        }
        let basis = &basis[..self.basis.members.len()];
        for (j, force) in force.iter_mut().enumerate() {
            let ContactMode::Stick { yields, .. } = self.regime.contacts[j] else { continue };
            *force = self.shares.force(j, basis);
            if yields.is_none() {
                for (&c, x) in self.basis.members.iter().zip(self.shares.stop_share(j)) {
                    reaction[c] -= x * *force;
                }
            }
        }
    }

    /// The force of contact `i` at its limit, per normal load where that varies, if it yields.
    pub fn yield_limit(&self, model: &Model, i: usize) -> Option<f64> {
        match self.regime.contacts[i] {
            ContactMode::Stick { corner, yields: Some(side) } => {
                let corner = model.contacts[i].line.corners[corner];
                Some(if side == Side::High { corner.high } else { corner.low })
            }
            _ => None,
        }
    }

    /// A bound on the rates in these modes (1/s).
    pub(super) fn rate(&self, model: &Model) -> f64 {
        let pieces = |i: usize| match self.regime.contacts[i] {
            ContactMode::Slip { piece } => Some(piece),
            _ => None,
        };
        model.rate_in(&ActiveModes {
            pieces: &pieces,
            slider_sticks: &|k| self.regime.sliders[k].sticks() && model.sliders[k].holds(),
            one_sided: &self.regime.one_sided,
            is_pinned: self.is_pinned(model),
        })
    }

    /// Starts the series at the time `start` from the coefficients of order zero; `before` is the length of
    /// the series that it goes on from without event, or 0.
    pub fn begin(&mut self, model: &Model, before: f64) {
        let rate = self.rate(model);
        if rate == 0.0 {
            self.measure_push(model);
        }
        let motion = self.series.v.iter().zip(&self.response.acceleration).map(|(v, a)| [*v, *a]);
        self.length = series_length([rate, model.fastest(0.0)], before, motion);
        let next = if model.signals.is_empty() { f64::INFINITY } else { model.next_break(self.start.t) };
        let until = self.start.until(next);
        (self.end, self.to_break) = (self.length.min(until), until <= self.length);
        for (wave, &(omega, phase, _)) in self.recurrence.waves.iter_mut().zip(&model.loads.harmonics) {
            let (sine, cosine) = libm::sincos(self.start.angle(omega, phase));
            *wave = [sine, cosine];
        }
        self.extend_signals(model);
        self.recurrence.known = 0;
    }

    /// Extends the series to the given order.
    pub fn extend(&mut self, model: &Model, order: usize) {
        let (n, m, p) = (model.n, model.contacts.len(), model.n_states());
        let (n_stops, s) = (model.stops.len(), model.signals.len());
        let mut response = std::mem::take(&mut self.response);
        for j in self.recurrence.known..order {
            if j == 0 {
                response.acceleration.copy_from_slice(&model.loads.constant)
            } else {
                response.acceleration.fill(0.0)
            }
            for ([sine, _], (_, _, amplitude)) in self.recurrence.waves.iter().zip(&model.loads.harmonics) {
                response.acceleration.iter_mut().zip(amplitude).for_each(|(r, a)| *r += a * sine);
            }
            let scale = (j + 1) as f64 / self.length;
            for (rate, next) in self.recurrence.rates.iter_mut().zip(&self.series.signals[(j + 1) * s..]) {
                *rate = scale * next;
            }
            self.respond(model, &self.terms(model, j), &mut response);
            self.series.force[j * m..(j + 1) * m].copy_from_slice(&response.force);
            self.series.reaction[j * n_stops..(j + 1) * n_stops].copy_from_slice(&response.reaction);
            let step = self.length / (j + 1) as f64;
            for (wave, (omega, ..)) in self.recurrence.waves.iter_mut().zip(&model.loads.harmonics) {
                let turn = omega * step;
                *wave = [turn * wave[1], -turn * wave[0]];
            }
            for k in 0..n {
                self.series.q[(j + 1) * n + k] = step * self.series.v[j * n + k];
                self.series.v[(j + 1) * n + k] = step * response.acceleration[k];
            }
            for k in 0..p {
                self.series.x[(j + 1) * p + k] = step * response.state_rate[k];
            }
        }
        self.response = response;
        if self.recurrence.known == 0 && order > 0 {
            self.measure(model);
        }
        self.recurrence.known = self.recurrence.known.max(order);
        // the forces of the last order are not needed: their term is below rounding
        self.series.force[ORDER * m..].fill(0.0);
        self.series.reaction[ORDER * n_stops..].fill(0.0);
    }

    /// Takes over the modes of a stretch that has ended without event, and what follows from them.
    pub fn continue_from(&mut self, model: &Model, other: &Self) {
        self.rounding.coarser = other.rounding.coarser;
        self.basis.clone_from(&other.basis);
        self.guards.clone_from(&other.guards);
        self.shares.copy_from(&other.shares);
        self.leads.clear();
        self.leads.resize(self.guards.len(), Some(0));
        self.at.fill(None);
        self.lead.fill(0);
        self.project(model);
        self.begin(model, other.length);
    }

    /// Value of a row at s.
    pub fn row_at(&self, model: &Model, row: &Row, s: f64) -> f64 {
        let of = |part: &Sparse, series: &[f64], n: usize| -> f64 {
            part.iter().map(|&(k, a)| a * Self::value(&series[k..], n, s)).sum()
        };
        row.constant
            + of(&row.q, &self.series.q, model.n)
            + of(&row.v, &self.series.v, model.n)
            + of(&row.x, &self.series.x, model.n_states())
            + of(&row.signals, &self.series.signals, model.signals.len())
    }

    /// Value of a series at s = τ/length.
    #[inline]
    pub fn value(series: &[f64], stride: usize, s: f64) -> f64 {
        series.iter().step_by(stride).rev().fold(0.0, |value, c| value * s + c)
    }

    /// Value of a series at s, and its derivative by s.
    #[inline]
    pub fn jet(series: &[f64], stride: usize, s: f64) -> [f64; 2] {
        let (mut value, mut slope) = (0.0, 0.0);
        for c in series.iter().step_by(stride).rev() {
            slope = slope * s + value;
            value = value * s + c;
        }
        [value, slope]
    }

    /// Positions, velocities and accelerations at s into slices; all degrees of freedom at once, order after
    /// order.
    pub fn state(&self, s: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        let n = q.len();
        if s == 0.0 {
            q.copy_from_slice(&self.series.q[..n]);
            v.copy_from_slice(&self.series.v[..n]);
            a.iter_mut().zip(&self.series.v[n..]).for_each(|(a, c)| *a = c / self.length);
            return;
        }
        q.fill(0.0);
        v.fill(0.0);
        a.fill(0.0);
        for (q_j, v_j) in self.series.q.chunks_exact(n).zip(self.series.v.chunks_exact(n)).rev() {
            for k in 0..n {
                a[k] = a[k] * s + v[k];
                v[k] = v[k] * s + v_j[k];
                q[k] = q[k] * s + q_j[k];
            }
        }
        a.iter_mut().for_each(|a| *a /= self.length);
    }

    /// Series at ten places at once, a row for each of `n` components.
    pub fn at_nodes(series: &[f64], places: &[f64; 10], out: &mut [[f64; 10]]) {
        let n = out.len();
        out.fill([0.0; 10]);
        for row in series.chunks_exact(n.max(1)).rev() {
            for (values, c) in out.iter_mut().zip(row) {
                values.iter_mut().zip(places).for_each(|(value, s)| *value = *value * s + c);
            }
        }
    }
}

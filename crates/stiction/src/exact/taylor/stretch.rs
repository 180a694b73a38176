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

use super::guards::Guard;
use super::model::{Active, Basis, Model, Sparse};
use super::row::{Row, Terms, size, sparse_dot, subtract};
use crate::contact::StopMode;
use crate::exact::load_harmonics::Side;
use crate::exact::time::Time;
use crate::math::dense::{dot, factor, solve};

/// Degree of the series.
pub(in crate::exact) const ORDER: usize = 22;
/// Length of a stretch times the fastest rate: 1.5²³/23! = 4e-19.
pub(in crate::exact) const ANGLE: f64 = 1.5;
/// Rounding of a balance of forces in units of its terms; events before it were located to a few of these.
pub(super) const NOISE: f64 = 512.0 * f64::EPSILON;
/// What is left of a sum that is smaller than this part of its terms is their rounding.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

/// Mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::exact) enum PolylineMode {
    /// No normal load, no force.
    Open,
    /// At a corner of its law. A contact that yields gives all it can hold, in the direction of that end, and
    /// others hold it in place.
    Rest { corner: usize, yields: Option<Side> },
    /// On a piece of its law.
    Slide { piece: usize },
}

/// Mode of a spring with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SliderMode {
    /// The slider sticks, the spring follows the sliding velocity.
    Stick,
    /// The slider slides at this end of the spring's range.
    Slip(Side),
}

/// Modes of all elements but the contacts.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ElementModes {
    pub sliders: Vec<SliderMode>,
    /// Which rigid stops are closed.
    pub closed: Vec<bool>,
    pub elastic: Vec<StopMode>,
    /// Which thresholds are exceeded.
    pub beyond: Vec<bool>,
}

impl Clone for ElementModes {
    fn clone(&self) -> Self {
        let mut other = Self::default();
        other.clone_from(self);
        other
    }
    // without allocation
    fn clone_from(&mut self, other: &Self) {
        self.sliders.clone_from(&other.sliders);
        self.closed.clone_from(&other.closed);
        self.elastic.clone_from(&other.elastic);
        self.beyond.clone_from(&other.beyond);
    }
}

impl ElementModes {
    pub fn free(model: &Model) -> Self {
        Self {
            sliders: vec![SliderMode::Stick; model.sliders.len()],
            closed: vec![false; model.stops.len()],
            elastic: vec![StopMode::Free; model.elastic.len()],
            beyond: vec![false; model.thresholds.len()],
        }
    }
}

/// How long a series holds (s). Without any rate the motion is a polynomial, whatever the length: after an
/// event that of its own time, from velocities and the terms of accelerations, and then twice that of the
/// series `before`, so that any end is reached in few.
pub(super) fn series_length(rate: f64, before: f64, motion: impl Iterator<Item = [f64; 2]>) -> f64 {
    if rate > 0.0 {
        return ANGLE / rate;
    }
    let [v, a] = motion.fold([0.0f64; 2], |[v, a], own| [v.max(own[0].abs()), a.max(own[1])]);
    let own = if a > 0.0 { 2.0 * v / a } else { 0.0 };
    let length = own.max(2.0 * before);
    if length > 0.0 && length.is_finite() { length } else { 1.0 }
}

/// Accelerations, forces and rates that follow from the terms of one order, or from a difference.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    pub acceleration: Vec<f64>,
    /// Friction forces, of a contact that yields what it would carry without its limit.
    pub force: Vec<f64>,
    /// Reactions of the rigid stops.
    pub reaction: Vec<f64>,
    pub state_rate: Vec<f64>,
    held: Vec<f64>,
    before: Vec<f64>,
}

impl Response {
    pub fn new(model: &Model) -> Self {
        let (m, k) = (model.contacts.len(), model.stops.len());
        Self {
            acceleration: vec![0.0; model.n],
            force: vec![0.0; m],
            reaction: vec![0.0; k],
            state_rate: vec![0.0; model.n_states()],
            held: vec![0.0; m + k],
            before: vec![0.0; model.n],
        }
    }
}

#[derive(Clone, Debug)]
pub(in crate::exact) struct Stretch {
    pub start: Time,
    /// Length for which the series holds (s).
    pub length: f64,
    /// Where it ends: there, or at the next point of a table, and whether at that (s).
    pub end: f64,
    pub to_break: bool,
    pub mode: Vec<PolylineMode>,
    pub(super) elements: ElementModes,
    /// The end of its piece, or of what it can hold, at which a contact starts, and the first order at which
    /// it leaves that end; 0 if none does.
    pub at: Vec<Option<Side>>,
    pub lead: Vec<usize>,
    /// The guards of the modes, and of each the order of the first coefficient that counts; `None` if it
    /// stays at zero.
    pub(super) guards: Vec<Guard>,
    pub(super) leads: Vec<Option<usize>>,
    pub basis: Basis,
    /// Coefficients times length^j, by order: positions, velocities, states, signals, friction forces,
    /// reactions of the stops.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) signals: Vec<f64>,
    pub force: Vec<f64>,
    pub(super) reaction: Vec<f64>,
    /// Force of each sticking contact = row of `share` times forces of the contacts in the basis, if there
    /// are more than those; and what that takes from the reaction of each stop.
    share: Vec<f64>,
    stop_share: Vec<f64>,
    is_shared: bool,
    /// Rounding of the friction forces at the start (N).
    pub force_noise: Vec<f64>,
    /// Times the rounding that counts, where no choice of modes is consistent with less.
    pub(super) coarser: f64,
    /// Sizes of the terms in the balance of each degree of freedom, and of the signals, at the start.
    sizes: Vec<f64>,
    signal_sizes: Vec<f64>,
    known: usize,
    waves: Vec<[f64; 2]>,
    rates: Vec<f64>,
    response: Response,
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
            mode: vec![PolylineMode::Open; m],
            elements: ElementModes::free(model),
            at: vec![None; m],
            lead: vec![0; m],
            guards: Vec::new(),
            leads: Vec::new(),
            basis: Basis::default(),
            q: series(n),
            v: series(n),
            x: series(model.n_states()),
            signals: series(model.signals.len()),
            force: series(m),
            reaction: series(k),
            share: Vec::new(),
            stop_share: Vec::new(),
            is_shared: false,
            force_noise: vec![0.0; m],
            coarser: 1.0,
            sizes: vec![0.0; n],
            signal_sizes: vec![0.0; model.signals.len()],
            known: 0,
            waves: vec![[0.0; 2]; model.harmonics.len()],
            rates: vec![0.0; model.signals.len()],
            response: Response::new(model),
        }
    }

    /// The terms of order j.
    pub(super) fn terms(&self, model: &Model, j: usize) -> Terms<'_> {
        let of = |series: &'_ [f64], n: usize| j * n..((j + 1) * n).min(series.len());
        let s = model.signals.len();
        Terms {
            q: &self.q[of(&self.q, model.n)],
            v: &self.v[of(&self.v, model.n)],
            x: &self.x[of(&self.x, model.n_states())],
            signals: &self.signals[of(&self.signals, s)],
            rates: &self.rates,
            is_start: j == 0,
        }
    }

    /// Whether contact `i` sticks.
    pub fn sticks(&self, i: usize) -> bool {
        matches!(self.mode[i], PolylineMode::Rest { .. })
    }

    /// Whether nothing can move but with belts.
    pub fn is_pinned(&self, model: &Model) -> bool {
        self.basis.members.len() == model.n
    }

    /// Chooses a basis of the constraints.
    pub fn choose_basis(&mut self, model: &Model) {
        let (m, n_stops) = (self.mode.len(), model.stops.len());
        self.basis.clear();
        self.is_shared = false;
        for k in (0..n_stops).filter(|k| self.elements.closed[*k]) {
            self.basis.add(&model.delassus, k);
        }
        for yielding in [false, true] {
            for i in 0..m {
                let PolylineMode::Rest { corner, yields } = self.mode[i] else { continue };
                if yields.is_some() != yielding {
                    continue;
                }
                if self.basis.add(&model.delassus, n_stops + i) {
                    // a contact that nothing else holds in place cannot yield
                    self.mode[i] = PolylineMode::Rest { corner, yields: None };
                } else {
                    self.is_shared = true;
                }
            }
        }
        if self.is_shared {
            self.divide(model);
        }
    }

    /// Takes the last rounding out of the velocities that the constraints set, and out of the positions of
    /// closed stops.
    pub fn project(&mut self, model: &Model) {
        let (n, n_stops) = (model.n, model.stops.len());
        for (a, &c) in self.basis.members.iter().enumerate() {
            self.response.held[a] = match c.checked_sub(n_stops) {
                None => sparse_dot(&model.stops[c].direction, &self.v[..n]),
                Some(i) => self.sliding_now(model, i) - self.corner_velocity(model, i),
            };
        }
        let held = &mut self.response.held;
        self.basis.solve(held);
        for (a, &c) in self.basis.members.iter().enumerate() {
            subtract(model.constraint(c)[1], held[a], &mut self.v[..n]);
        }
        for a in 0..self.basis.members.len() {
            let Some(i) = self.basis.members[a].checked_sub(n_stops) else { continue };
            if let [(k, w)] = model.contacts[i].direction[..] {
                self.v[k] = (self.corner_velocity(model, i) + self.belt_now(model, i)) / w;
            }
        }
        if self.basis.members.first().is_some_and(|c| *c < n_stops) {
            let held = &mut self.response.held;
            for (a, &c) in self.basis.members.iter().enumerate() {
                let stop = model.stops.get(c);
                held[a] =
                    stop.map_or(0.0, |stop| sparse_dot(&stop.direction, &self.q[..n]) - stop.gap.constant);
            }
            self.basis.solve(held);
            for (a, &c) in self.basis.members.iter().enumerate() {
                subtract(model.constraint(c)[1], held[a], &mut self.q[..n]);
            }
        }
    }

    /// Sliding velocity of contact `i` at the start (m/s).
    pub(super) fn sliding_now(&self, model: &Model, i: usize) -> f64 {
        sparse_dot(&model.contacts[i].direction, &self.v[..model.n]) - self.belt_now(model, i)
    }

    fn belt_now(&self, model: &Model, i: usize) -> f64 {
        let contact = &model.contacts[i];
        contact.belt - sparse_dot(&contact.sliding.signals, &self.signals)
    }

    /// Velocity of contact `i` while it sticks.
    fn corner_velocity(&self, model: &Model, i: usize) -> f64 {
        match self.mode[i] {
            PolylineMode::Rest { corner, .. } => model.contacts[i].line.corners[corner].v,
            PolylineMode::Slide { .. } | PolylineMode::Open => 0.0,
        }
    }

    /// Redundant contacts: of all forces that keep them at rest, those with the least Σ √Gⱼⱼ Hⱼ²/Lⱼ, which
    /// neither order nor gearing (w → αw, L → L/α) nor cutting a contact in two changes. Stops have no limit
    /// and take what they can for nothing.
    ///
    /// With `w_j = Σ c_ja w_a` over the basis, D = L/√G, and H = D C p for those that do not yield, the force
    /// that the motion needs is `Cᵀ H = Λ`, so p = (Cᵀ D C)⁻¹ Λ. A contact yields while its own D c·p is
    /// beyond its limit.
    fn divide(&mut self, model: &Model) {
        let (m, n_stops) = (self.mode.len(), model.stops.len());
        let all = self.basis.members.len();
        let closed = self.basis.members.iter().filter(|c| **c < n_stops).count();
        let b = all - closed;
        // of the first member's mobility, so that weights are forces whatever the units
        let unit = self.basis.members.first().map_or(1.0, |&c| model.delassus.at(c, c));
        let weight = |j: usize, corner: usize| {
            model.contacts[j].line.corners[corner].high * (unit / model.compliance(j)).sqrt()
        };
        let mut c = vec![0.0; m * b];
        let mut stop_share = vec![0.0; m * closed];
        let mut normal = vec![0.0; b * b];
        let mut row = vec![0.0; all];
        for j in 0..m {
            let PolylineMode::Rest { corner, yields } = self.mode[j] else { continue };
            for (x, &a) in row.iter_mut().zip(&self.basis.members) {
                *x = model.delassus.at(a, n_stops + j);
            }
            self.basis.solve(&mut row);
            stop_share[j * closed..(j + 1) * closed].copy_from_slice(&row[..closed]);
            let own = &mut c[j * b..(j + 1) * b];
            own.copy_from_slice(&row[closed..]);
            if yields.is_none() {
                let weight = weight(j, corner);
                for (x, y) in (0..b).flat_map(|x| (0..b).map(move |y| (x, y))) {
                    normal[x * b + y] += weight * own[x] * own[y];
                }
            }
        }
        // every member of the basis is among those that do not yield, so the matrix is positive definite
        factor(&mut normal, b, 0.0);
        for j in 0..m {
            let PolylineMode::Rest { corner, .. } = self.mode[j] else { continue };
            let own = &mut c[j * b..(j + 1) * b];
            solve(&normal, b, own);
            let weight = weight(j, corner);
            own.iter_mut().for_each(|x| *x *= weight);
        }
        (self.share, self.stop_share) = (c, stop_share);
    }

    /// The forces of all sticking contacts and closed stops from those of the basis, which are in its order.
    pub fn distribute(&self, n_stops: usize, basis: &[f64], force: &mut [f64], reaction: &mut [f64]) {
        let all = self.basis.members.len();
        let closed = self.basis.members.iter().filter(|c| **c < n_stops).count();
        let b = all - closed;
        for (a, &c) in self.basis.members.iter().enumerate() {
            match c.checked_sub(n_stops) {
                None => reaction[c] = basis[a],
                Some(i) => force[i] = basis[a],
            }
        }
        if !self.is_shared {
            return;
        }
        for (j, force) in force.iter_mut().enumerate() {
            let PolylineMode::Rest { yields, .. } = self.mode[j] else { continue };
            *force = dot(&self.share[j * b..(j + 1) * b], &basis[closed..all]);
            if yields.is_none() {
                let taken = &self.stop_share[j * closed..(j + 1) * closed];
                for (&c, x) in self.basis.members.iter().zip(taken) {
                    reaction[c] -= x * *force;
                }
            }
        }
    }

    /// The force of contact `i` at its limit, if it yields.
    pub fn yielded(&self, model: &Model, i: usize) -> Option<f64> {
        match self.mode[i] {
            PolylineMode::Rest { corner, yields: Some(side) } => {
                let corner = model.contacts[i].line.corners[corner];
                Some(if side == Side::High { corner.high } else { corner.low })
            }
            _ => None,
        }
    }

    /// A bound on the rates in these modes (1/s).
    pub(super) fn rate(&self, model: &Model) -> f64 {
        let pieces = |i: usize| match self.mode[i] {
            PolylineMode::Slide { piece } => Some(piece),
            _ => None,
        };
        model.rate_in(&Active {
            pieces: &pieces,
            slider_sticks: &|k| self.elements.sliders[k] == SliderMode::Stick && model.sliders[k].holds(),
            presses: &|k| self.elements.elastic[k] == StopMode::Closed,
            beyond: &self.elements.beyond,
            is_pinned: self.is_pinned(model),
        })
    }

    /// Reads signals and loads at the start.
    pub fn set_clock(&mut self, model: &Model) {
        for (signal, now) in model.signals.iter().zip(&mut self.signals) {
            *now = signal.constant;
            for wave in &signal.waves {
                *now += wave.amplitude * libm::sin(self.start.angle(wave.omega, wave.phase));
            }
            *now += signal.tables.iter().map(|table| table.piece(self.start.t).value).sum::<f64>();
        }
        for (size, signal) in self.signal_sizes.iter_mut().zip(&model.signals) {
            let waves = signal.waves.iter();
            *size = signal.constant.abs()
                + waves.map(|w| w.amplitude.abs() * turned(w.omega, self.start.t)).sum::<f64>()
                + signal.tables.iter().map(|table| table.piece(self.start.t).value.abs()).sum::<f64>();
        }
    }

    /// Starts the series at the time `start` from the coefficients of order zero; `before` is the length of
    /// the series that it goes on from without event, or 0.
    pub fn begin(&mut self, model: &Model, before: f64) {
        let rate = self.rate(model);
        if rate == 0.0 {
            self.measure_push(model);
        }
        let motion = self.v.iter().zip(&self.response.acceleration).map(|(v, a)| [*v, *a]);
        self.length = series_length(rate, before, motion);
        let next = if model.signals.is_empty() { f64::INFINITY } else { model.next_break(self.start.t) };
        let until = self.start.until(next);
        (self.end, self.to_break) = (self.length.min(until), until <= self.length);
        for (wave, &(omega, phase, _)) in self.waves.iter_mut().zip(&model.harmonics) {
            let (sine, cosine) = libm::sincos(self.start.angle(omega, phase));
            *wave = [sine, cosine];
        }
        self.extend_signals(model);
        self.known = 0;
    }

    /// The series of the signals.
    fn extend_signals(&mut self, model: &Model) {
        let s = model.signals.len();
        if s == 0 {
            return;
        }
        self.signals[s..].fill(0.0);
        for (k, signal) in model.signals.iter().enumerate() {
            for wave in &signal.waves {
                let (sine, cosine) = libm::sincos(self.start.angle(wave.omega, wave.phase));
                let mut own = [wave.amplitude * sine, wave.amplitude * cosine];
                for j in 1..=ORDER {
                    let turn = wave.omega * self.length / j as f64;
                    own = [turn * own[1], -turn * own[0]];
                    self.signals[j * s + k] += own[0];
                }
            }
            for table in &signal.tables {
                self.signals[s + k] += table.piece(self.start.t).slope * self.length;
            }
        }
    }

    /// The accelerations by constant loads and by sliding friction, each without its sign.
    fn measure_push(&mut self, model: &Model) {
        let push = &mut self.response.acceleration;
        push.copy_from_slice(&model.constant);
        for (direction, k) in &model.loads {
            direction.iter().for_each(|&(i, w)| push[i] += (w * self.signal_sizes[*k]).abs());
        }
        model.apply_mobility(push);
        push.iter_mut().for_each(|a| *a = a.abs());
        for (i, contact) in model.contacts.iter().enumerate() {
            if let PolylineMode::Slide { piece } = self.mode[i] {
                let normal = contact.normal.constant + sparse_dot(&contact.normal.signals, &self.signals);
                let springs = contact.sliders.clone().map(|k| model.sliders[k].stiffness * self.x[k].abs());
                let force = (contact.line.pieces[piece].force * normal).abs() + springs.sum::<f64>();
                contact.mobility.iter().for_each(|&(k, a)| push[k] += (a * force).abs());
            }
        }
    }

    /// Extends the series to the given order.
    pub fn extend(&mut self, model: &Model, order: usize) {
        let (n, m, p) = (model.n, model.contacts.len(), model.n_states());
        let (n_stops, s) = (model.stops.len(), model.signals.len());
        let mut response = std::mem::take(&mut self.response);
        for j in self.known..order {
            if j == 0 {
                response.acceleration.copy_from_slice(&model.constant)
            } else {
                response.acceleration.fill(0.0)
            }
            for ([sine, _], (_, _, amplitude)) in self.waves.iter().zip(&model.harmonics) {
                response.acceleration.iter_mut().zip(amplitude).for_each(|(r, a)| *r += a * sine);
            }
            let scale = (j + 1) as f64 / self.length;
            for (rate, next) in self.rates.iter_mut().zip(&self.signals[(j + 1) * s..]) {
                *rate = scale * next;
            }
            self.respond(model, &self.terms(model, j), &mut response);
            self.force[j * m..(j + 1) * m].copy_from_slice(&response.force);
            self.reaction[j * n_stops..(j + 1) * n_stops].copy_from_slice(&response.reaction);
            let step = self.length / (j + 1) as f64;
            for (wave, (omega, ..)) in self.waves.iter_mut().zip(&model.harmonics) {
                let turn = omega * step;
                *wave = [turn * wave[1], -turn * wave[0]];
            }
            for k in 0..n {
                self.q[(j + 1) * n + k] = step * self.v[j * n + k];
                self.v[(j + 1) * n + k] = step * response.acceleration[k];
            }
            for k in 0..p {
                self.x[(j + 1) * p + k] = step * response.state_rate[k];
            }
        }
        self.response = response;
        if self.known == 0 && order > 0 {
            self.measure(model);
        }
        self.known = self.known.max(order);
        // the forces of the last order are not needed: their term is below rounding
        self.force[ORDER * m..].fill(0.0);
        self.reaction[ORDER * n_stops..].fill(0.0);
    }

    /// From external loads in `out.acceleration` and the terms of an order: accelerations, forces and rates.
    pub(super) fn respond(&self, model: &Model, terms: &Terms, out: &mut Response) {
        let n_stops = model.stops.len();
        let r = &mut out.acceleration[..];
        for (r, (damping, stiffness)) in r.iter_mut().zip(model.damping.iter().zip(&model.stiffness)) {
            *r -= sparse_dot(damping, terms.v) + sparse_dot(stiffness, terms.q);
        }
        for (slot, row) in out.state_rate[model.sliders.len()..].iter_mut().zip(&model.states) {
            *slot = row.at(terms);
        }
        if !terms.signals.is_empty() {
            for (direction, k) in &model.loads {
                subtract(direction, -terms.signals[*k], r);
            }
        }
        for (k, row) in &model.feedback {
            r[*k] += row.at(terms);
        }
        for (threshold, _) in
            model.thresholds.iter().zip(&self.elements.beyond).filter(|(_, beyond)| **beyond)
        {
            let excess = threshold.excess.at(terms);
            subtract(&threshold.force, -excess, r);
            subtract(&threshold.rate, -excess, &mut out.state_rate);
        }
        for (stop, mode) in model.elastic.iter().zip(&self.elements.elastic) {
            if *mode == StopMode::Closed {
                subtract(&stop.direction, stop.force.at(terms), r);
            }
        }
        for (i, contact) in model.contacts.iter().enumerate() {
            let force = match self.mode[i] {
                PolylineMode::Slide { piece } => {
                    let piece = contact.line.pieces[piece];
                    let mut force = if contact.varies {
                        piece.force * contact.normal.at(terms)
                    } else if terms.is_start {
                        piece.force
                    } else {
                        0.0
                    };
                    if piece.slope != 0.0 {
                        force += piece.slope * contact.sliding.at(terms);
                    }
                    for k in contact.sliders.clone() {
                        force += model.sliders[k].stiffness * terms.x[k];
                    }
                    force
                }
                PolylineMode::Rest { corner, yields: Some(side) } if terms.is_start => {
                    let corner = contact.line.corners[corner];
                    if side == Side::High { corner.high } else { corner.low }
                }
                PolylineMode::Rest { .. } | PolylineMode::Open => 0.0,
            };
            out.force[i] = force;
            if force != 0.0 {
                subtract(&contact.direction, force, r);
            }
        }
        for (k, slider) in model.sliders.iter().enumerate() {
            let follows = self.elements.sliders[k] == SliderMode::Stick && slider.holds();
            out.state_rate[k] = if follows { model.contacts[slider.contact].sliding.at(terms) } else { 0.0 };
        }
        model.apply_mobility(r);
        out.reaction.fill(0.0);
        if self.basis.members.is_empty() {
            return;
        }
        for (a, &c) in self.basis.members.iter().enumerate() {
            let [direction, _] = model.constraint(c);
            out.held[a] = sparse_dot(direction, r);
            if let Some(i) = c.checked_sub(n_stops)
                && !terms.signals.is_empty()
            {
                out.held[a] += sparse_dot(&model.contacts[i].sliding.signals, terms.rates);
            }
        }
        self.basis.solve(&mut out.held);
        let has_belt =
            |c: &usize| c.checked_sub(n_stops).is_some_and(|i| !model.contacts[i].sliding.signals.is_empty());
        if self.is_pinned(model) && !self.basis.members.iter().any(has_belt) {
            r.fill(0.0);
            self.distribute(n_stops, &out.held, &mut out.force, &mut out.reaction);
            return;
        }
        // what the constraints take away as a whole leaves no rounding, by which what sticks would creep
        out.before.iter_mut().zip(&*r).for_each(|(before, r)| *before = r.abs());
        for (a, &c) in self.basis.members.iter().enumerate() {
            for &(k, w) in model.constraint(c)[1] {
                let taken = w * out.held[a];
                r[k] -= taken;
                out.before[k] += taken.abs();
                if r[k].abs() <= CANCELLED * out.before[k] {
                    r[k] = 0.0;
                }
            }
        }
        for &c in &self.basis.members {
            let Some(i) = c.checked_sub(n_stops) else { continue };
            let contact = &model.contacts[i];
            if let Some(k) = contact.pins {
                let rate = if terms.signals.is_empty() {
                    0.0
                } else {
                    -sparse_dot(&contact.sliding.signals, terms.rates)
                };
                r[k] = rate / contact.direction[0].1;
            }
        }
        self.distribute(n_stops, &out.held, &mut out.force, &mut out.reaction);
    }

    /// Sizes of the terms of the balance at the start, and the rounding of the friction forces.
    fn measure(&mut self, model: &Model) {
        let t = self.start.t;
        let mut sizes = std::mem::take(&mut self.sizes);
        let terms = self.terms(model, 0);
        for (k, slot) in sizes.iter_mut().enumerate() {
            let loads: f64 = model.harmonics.iter().map(|(omega, _, a)| a[k].abs() * turned(*omega, t)).sum();
            *slot = model.constant[k].abs()
                + loads
                + size(&model.damping[k], terms.v)
                + size(&model.stiffness[k], terms.q);
        }
        for (direction, k) in &model.loads {
            direction.iter().for_each(|&(i, w)| sizes[i] += (w * self.signal_sizes[*k]).abs());
        }
        for (k, row) in &model.feedback {
            sizes[*k] += self.row_size(row, &terms);
        }
        for (threshold, _) in model.thresholds.iter().zip(&self.elements.beyond).filter(|(_, b)| **b) {
            let excess = self.row_size(&threshold.excess, &terms);
            threshold.force.iter().for_each(|&(k, f)| sizes[k] += (f * excess).abs());
        }
        for (stop, mode) in model.elastic.iter().zip(&self.elements.elastic) {
            if *mode == StopMode::Closed {
                let force = self.row_size(&stop.force, &terms);
                stop.direction.iter().for_each(|&(k, w)| sizes[k] += (w * force).abs());
            }
        }
        for (stop, reaction) in model.stops.iter().zip(&self.reaction) {
            stop.direction.iter().for_each(|&(k, w)| sizes[k] += (w * reaction).abs());
        }
        for (contact, force) in model.contacts.iter().zip(&self.force) {
            contact.direction.iter().for_each(|&(k, w)| sizes[k] += (w * force).abs());
        }
        self.sizes = sizes;
        for i in 0..model.contacts.len() {
            self.force_noise[i] = self.coarser * NOISE * self.push_size(model, model.stops.len() + i);
        }
    }

    /// Size of the terms of the force of a constraint (N).
    pub(super) fn push_size(&self, model: &Model, c: usize) -> f64 {
        size(model.constraint(c)[1], &self.sizes) / model.delassus.at(c, c)
    }

    /// Size of the terms of a row.
    fn row_size(&self, row: &Row, terms: &Terms) -> f64 {
        let signals: f64 = row.signals.iter().map(|&(k, a)| (a * self.signal_sizes[k]).abs()).sum();
        row.constant.abs() + size(&row.q, terms.q) + size(&row.v, terms.v) + size(&row.x, terms.x) + signals
    }

    /// Value of a row at the start and its rounding: that of its terms, and of what moves them within the
    /// stretch; third, the rounding of its further coefficients.
    pub(super) fn measured(&self, model: &Model, row: &Row) -> [f64; 3] {
        let terms = self.terms(model, 0);
        let (h, p) = (self.length, model.n_states());
        let accelerated = h * size(&row.mobility[1], &self.sizes);
        let moved = h * size(&row.q, terms.v) + accelerated;
        let driven: f64 = if row.x.is_empty() { 0.0 } else { size(&row.x, &self.x[p..2 * p]) };
        let changed: f64 = if row.signals.is_empty() {
            0.0
        } else {
            let s = model.signals.len();
            row.signals.iter().map(|&(k, a)| (a * self.signals[s + k]).abs()).sum()
        };
        let rounding = self.coarser * NOISE;
        let noise = rounding * (self.row_size(row, &terms) + moved + driven + changed);
        let bent = rounding * h * h * size(&row.mobility[0], &self.sizes);
        [row.at(&terms), noise, noise + bent]
    }

    /// Takes over the modes of a stretch that has ended without event, and what follows from them.
    pub fn continue_from(&mut self, model: &Model, other: &Self) {
        self.coarser = other.coarser;
        self.basis.clone_from(&other.basis);
        self.guards.clone_from(&other.guards);
        self.share.clone_from(&other.share);
        self.stop_share.clone_from(&other.stop_share);
        self.is_shared = other.is_shared;
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
            + of(&row.q, &self.q, model.n)
            + of(&row.v, &self.v, model.n)
            + of(&row.x, &self.x, model.n_states())
            + of(&row.signals, &self.signals, model.signals.len())
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
            q.copy_from_slice(&self.q[..n]);
            v.copy_from_slice(&self.v[..n]);
            a.iter_mut().zip(&self.v[n..]).for_each(|(a, c)| *a = c / self.length);
            return;
        }
        q.fill(0.0);
        v.fill(0.0);
        a.fill(0.0);
        for (q_j, v_j) in self.q.chunks_exact(n).zip(self.v.chunks_exact(n)).rev() {
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

/// The size of a wave of unit amplitude at `t`, whose angle ωt is rounded as well.
fn turned(omega: f64, t: f64) -> f64 {
    1.0 + omega * t.abs() / 64.0
}

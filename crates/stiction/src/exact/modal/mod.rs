//! Several degrees of freedom in their natural modes: closed form at any time, whatever the fastest rate.
//!
//! Between two events a contact's sliding velocity and the force of a resting contact are sums over the modes
//!
//! ```text
//!   vᵢ(τ) = wᵢᵀu_c − belt + Σ sᵢⱼ η̇ⱼ(τ),      λₐ(τ) = base + ramp τ + Σ ℓ sin(ωτ + θ) − Σ (kₐⱼ ηⱼ + cₐⱼ η̇ⱼ)
//! ```
//!
//! or, where damping couples the natural modes, sums over the pairs of exponents of the coupled system
//! (`coupled.rs`). Their derivatives are known and bounded mode by mode. The first event is found for certain
//! by walking along guards (see `root_isolation.rs`). A fast mode that hardly moves would hold the walk to
//! its own rate; instead its free motion, whose size is bounded, is taken off the guard as a whole.

mod coupled;
mod coupled_work;
mod decomposition;
mod exponents;
mod extrema;
mod modes;
mod simultaneous_refinement;
mod snapshot;
mod work;

use super::forced::{Amplitudes, Integrals, Jet};
use super::taylor::Stretch;
use super::taylor::{Model, sparse_dot};
use super::time::Time;
use crate::contact::{ContactMode, Side};
use crate::math::dense::dot;
use crate::record::{Balance, Ranges};
use crate::system::{Motion, System};
use coupled_work::PhaseTerms;
use extrema::Extrema;
use modes::{Modes, Structure};
use snapshot::Snapshot;
use std::sync::Arc;

/// Fewest degrees of freedom, or of the ratio of rates, for which modes are quicker than Taylor series.
const MIN_DEGREES: usize = 7;
const MIN_STIFFNESS: f64 = 60.0;
/// Where damping couples the modes they take some hundred n³ operations: the ratio of rates must be above n
/// times this.
const MIN_COUPLED: f64 = 5.0;
/// With more contacts too many sets of resting ones occur, each with modes of its own, of which so many are
/// kept.
const MAX_CONTACTS: usize = 8;
const MAX_SETS: usize = 256;

/// A system that is carried along in its modes.
#[derive(Clone, Debug)]
pub(super) struct Modal {
    structure: Structure,
    /// Sets of resting contacts that have occurred, with their modes if they have such.
    known: Vec<(Vec<usize>, Option<Arc<Modes>>)>,
    phase: Phase,
    next: Phase,
    look: Snapshot,
    scratch: Vec<f64>,
    terms: PhaseTerms,
    extrema: Extrema,
    integrals: Integrals,
    /// Instants at which the modes were looked at, by searches for events and for extrema.
    #[cfg(test)]
    pub n_looks: usize,
}

/// Free motions of the modes over a time, and scratch.
pub(super) struct ModalFlow {
    free: Vec<[f64; 2]>,
    eta: Vec<f64>,
    rate: Vec<f64>,
}

/// One phase: a set of resting contacts, constant forces of the others, and the state at its start.
#[derive(Clone, Debug, Default)]
struct Phase {
    modes: Option<Arc<Modes>>,
    start: Time,
    /// Position and velocity that the resting contacts impose.
    q_c: Vec<f64>,
    u_c: Vec<f64>,
    /// η at the start, the constant part of η̇ under a ramp, constant load and ramp of each mode.
    eta: Vec<f64>,
    shift: Vec<f64>,
    load: Vec<f64>,
    ramp: Vec<f64>,
    amplitudes: Vec<Amplitudes>,
    /// The modes where the search stands.
    jets: Vec<Jet>,
    /// Sine and cosine of the loads' angles at the start.
    angles: Vec<[f64; 2]>,
    /// Constant part, ramp and size of the terms of the forces of the resting contacts.
    base: Vec<f64>,
    force_ramp: Vec<f64>,
    force_size: Vec<f64>,
    /// Up to where no event was found, and the event.
    searched: f64,
    found: Option<(f64, usize, Side)>,
    /// Contacts that start at a limit and have not left it.
    open: Vec<Option<Side>>,
}

impl Modal {
    /// `None` where modes are not exact, or not worth it.
    pub fn new(system: &System, model: &Model) -> Option<Self> {
        let (n, m) = (system.n(), system.contacts.len());
        if m > MAX_CONTACTS {
            return None;
        }
        let slowest = system.harmonics.iter().map(|h| h.omega).fold(f64::INFINITY, f64::min);
        let is_stiff = slowest.is_finite() && model.fastest(0.0) > MIN_STIFFNESS * slowest;
        if n < MIN_DEGREES && !is_stiff {
            return None;
        }
        let structure = Structure::new(system, model)?;
        if structure.is_coupled() {
            let slowest = if slowest.is_finite() { slowest } else { structure.slowest() };
            let ratio = MIN_STIFFNESS.max(MIN_COUPLED * n as f64);
            if model.fastest(0.0) <= ratio * slowest {
                return None;
            }
        }
        Self::with(structure, system, model)
    }

    /// `None` where modes are not exact.
    #[cfg(test)]
    pub fn wherever_exact(system: &System, model: &Model) -> Option<Self> {
        Self::with(Structure::new(system, model)?, system, model)
    }

    fn with(structure: Structure, system: &System, model: &Model) -> Option<Self> {
        let (n, m) = (system.n(), system.contacts.len());
        let phase = Phase::new(n, m, system.harmonics.len());
        let modal = Self {
            structure,
            known: Vec::new(),
            next: phase.clone(),
            phase,
            look: Snapshot::new(n, system.harmonics.len()),
            scratch: vec![0.0; n],
            terms: PhaseTerms::default(),
            extrema: Extrema::default(),
            integrals: Integrals::default(),
            #[cfg(test)]
            n_looks: 0,
        };
        if !modal.structure.is_coupled() {
            // a set that has no modes would be met in the middle of a run
            modal.structure.modes(model, &[])?;
        }
        Some(modal)
    }

    /// The modes while `members` rest.
    fn modes(&mut self, model: &Model, members: &[usize]) -> Option<Arc<Modes>> {
        // numbers in the sets that are kept, 400 MB, and in one set, in units of n²: in natural modes, and
        // where damping couples them
        const MAX_KEPT: usize = 50_000_000;
        const PER_SET: [usize; 2] = [8, 25];
        if let Some((_, known)) = self.known.iter().find(|(set, _)| set == members) {
            return known.clone();
        }
        let most = MAX_KEPT / (PER_SET[usize::from(self.structure.is_coupled())] * model.n * model.n);
        if self.known.len() >= most.clamp(1, MAX_SETS) {
            self.known.remove(0);
        }
        let modes = self.structure.modes(model, members).map(Arc::new);
        self.known.push((members.to_vec(), modes.clone()));
        modes
    }

    /// Sets of resting contacts that have occurred, and those of them that have modes.
    #[cfg(test)]
    pub fn n_sets(&self) -> [usize; 2] {
        [self.known.len(), self.known.iter().filter(|(_, modes)| modes.is_some()).count()]
    }

    /// Prepares the next phase from the state and the settled modes of a stretch. Returns whether it has
    /// modes.
    pub fn begin(&mut self, model: &Model, stretch: &Stretch) -> bool {
        let mut members = stretch.basis.members.clone();
        members.sort_unstable();
        let Some(modes) = self.modes(model, &members) else { return false };
        let n = model.n;
        let phase = &mut self.next;
        phase.start = stretch.start;
        (phase.searched, phase.found) = (0.0, None);
        phase.open.copy_from_slice(&stretch.at);
        let (q, v) = (&stretch.q[..n], &stretch.v[..n]);
        for (angle, &(omega, at, _)) in phase.angles.iter_mut().zip(&model.harmonics) {
            let (sine, cosine) = libm::sincos(stretch.start.angle(omega, at));
            *angle = [sine, cosine];
        }
        // what the resting contacts impose, and what is left to the modes
        let speed = |&i: &usize| match stretch.mode[i] {
            ContactMode::Stick { corner, .. } => {
                model.contacts[i].line.corners[corner].v + model.contacts[i].belt
            }
            ContactMode::Slip { .. } | ContactMode::Open => 0.0,
        };
        let speeds: Vec<f64> = members.iter().map(speed).collect();
        for k in 0..n {
            phase.u_c[k] = dot(modes.imposed.row(k), &speeds);
        }
        phase.eta.clear();
        phase.eta.extend((0..modes.n_modes).map(|j| dot(modes.mass_shape.row(j), q)));
        for (k, q) in q.iter().enumerate() {
            phase.q_c[k] = if members.is_empty() { 0.0 } else { q - dot(modes.shape.row(k), &phase.eta) };
        }
        // constant loads on the degrees of freedom; what the imposed motion adds comes through the modes, in
        // which nothing cancels
        let (load, mut size) = (&mut self.scratch, vec![0.0; n]);
        load.copy_from_slice(&model.constant);
        for (i, contact) in model.contacts.iter().enumerate() {
            if let ContactMode::Slip { piece } = stretch.mode[i] {
                let force = contact.line.pieces[piece].force;
                contact.direction.iter().for_each(|&(k, w)| load[k] -= w * force);
            }
        }
        for k in 0..n {
            let dragged = sparse_dot(&model.damping[k], &phase.u_c);
            let elastic: f64 = model.stiffness[k].iter().map(|&(l, a)| (a * q[l]).abs()).sum();
            size[k] = load[k].abs() + dragged.abs() + elastic;
        }
        // what acts on a row of KΦ and CΦ, or of the maps to the resting contacts: the load and its ramp
        let imposed = |stiff: &[f64], damping: &[f64], pushed: f64, phase: &Phase| {
            let ramp = -dot(stiff, &phase.u_c);
            [pushed - dot(stiff, &phase.q_c) - dot(damping, &phase.u_c), ramp]
        };
        phase.load.clear();
        phase.ramp.clear();
        phase.shift.clear();
        for j in 0..modes.n_modes {
            let pushed = (0..n).map(|k| modes.shape.at(k, j) * load[k]).sum::<f64>();
            let [p0, p1] = imposed(modes.stiffness_shape.row(j), modes.damping_shape.row(j), pushed, phase);
            if modes.coupled.is_some() {
                phase.load.push(p0);
                phase.ramp.push(p1);
                continue;
            }
            let square = modes.squares[j];
            let (p1, shift) = if square > 0.0 { (p1, p1 / square) } else { (0.0, 0.0) };
            let velocity = dot(modes.mass_shape.row(j), v);
            let tones: f64 =
                (modes.tones.row(j).iter().zip(&phase.angles)).map(|(size, [sine, _])| size * sine).sum();
            let damping = 2.0 * modes.oscillators[j].oscillator.sigma;
            let a0 = p0 + tones - damping * velocity - square * phase.eta[j];
            phase.load.push(p0);
            phase.ramp.push(p1);
            phase.shift.push(shift);
            modes.oscillators[j].start(velocity - shift, a0, &phase.angles, &mut phase.amplitudes[j]);
            modes.oscillators[j].first(&phase.amplitudes[j], &mut phase.jets[j]);
        }
        for a in 0..members.len() {
            let row = modes.carried.row(a);
            let (stiff, damping) = (modes.carried_stiffness.row(a), modes.carried_damping.row(a));
            let pushed = dot(row, load);
            [phase.base[a], phase.force_ramp[a]] = imposed(stiff, damping, pushed, phase);
            phase.force_size[a] = row.iter().zip(&size).map(|(r, s)| (r * s).abs()).sum();
        }
        if let Some(coupled) = &modes.coupled {
            coupled.begin(&modes, model, phase, v);
        }
        phase.modes = Some(modes);
        true
    }

    /// Makes the next phase the current one.
    pub fn turn_over(&mut self) {
        std::mem::swap(&mut self.phase, &mut self.next);
    }

    /// Positions, velocities and accelerations at τ of the current phase, or of the next one.
    pub fn state(
        &mut self,
        model: &Model,
        is_next: bool,
        tau: f64,
        q: &mut [f64],
        v: &mut [f64],
        a: &mut [f64],
    ) {
        let phase = if is_next { &self.next } else { &self.phase };
        let Some(modes) = phase.modes.as_deref() else { return };
        self.look.at(modes, model, phase, tau);
        for k in 0..model.n {
            let (position, velocity) = (modes.position(k), modes.velocity(k));
            let wave = self.look.wave(model, modes.position_waves(k));
            q[k] = phase.q_c[k] + phase.u_c[k] * tau + position.sum(&self.look.whole, 0) + wave[0];
            v[k] = phase.u_c[k] + velocity.sum(&self.look.whole, 0) + wave[1];
            a[k] = velocity.sum(&self.look.whole, 1) + wave[2];
        }
    }

    /// The whole motion at τ, of the current phase or of the next one, whose stretch is given.
    pub fn motion(&mut self, model: &Model, stretch: &Stretch, is_next: bool, tau: f64, out: &mut Motion) {
        out.t = stretch.start.plus(tau).t;
        self.state(model, is_next, tau, &mut out.position, &mut out.velocity, &mut out.acceleration);
        for (i, contact) in model.contacts.iter().enumerate() {
            match stretch.mode[i] {
                ContactMode::Slip { piece } => {
                    out.sliding[i] = model.sliding(i, &out.velocity);
                    out.friction[i] = contact.line.pieces[piece].force;
                    out.slope[i] = 0.0;
                }
                ContactMode::Stick { corner, .. } => {
                    let held = self.force(model, is_next, tau, i)[0];
                    let jump = contact.line.corners[corner];
                    out.sliding[i] = jump.v;
                    out.slope[i] = 0.0;
                    // beyond its limits by no more than the rounding of the time
                    out.friction[i] = held.max(jump.low).min(jump.high);
                }
                ContactMode::Open => {}
            }
        }
    }

    /// Adds the work of the current phase from τ = `a` to τ = `b`, and its extrema to `ranges`, at a cost
    /// that does not depend on the fastest rate.
    pub fn accumulate(
        &mut self,
        model: &Model,
        stretch: &Stretch,
        span: [f64; 2],
        ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) {
        self.add_work(model, stretch, span, balance);
        if let Some(ranges) = ranges {
            self.add_extrema(model, stretch, span, ranges);
        }
    }

    /// The rate to which the cost is tied: that of the loads, or else of the slowest mode (1/s).
    pub fn pace(&self, model: &Model) -> f64 {
        let tones = model.harmonics.iter().map(|tone| tone.0).fold(0.0, f64::max);
        let squares = self.phase.modes.iter().flat_map(|modes| &modes.squares);
        let slowest = squares.copied().filter(|square| *square > 0.0).fold(f64::INFINITY, f64::min);
        if tones > 0.0 || slowest.is_infinite() { tones } else { slowest.sqrt() }
    }

    /// Forces of the resting contacts and their rates at the instant that [`Modal::state`] was last asked
    /// for.
    pub fn force(&self, model: &Model, is_next: bool, tau: f64, i: usize) -> [f64; 2] {
        let phase = if is_next { &self.next } else { &self.phase };
        let Some(modes) = phase.modes.as_deref() else { return [0.0; 2] };
        let Some(a) = modes.members.iter().position(|&member| member == i) else { return [0.0; 2] };
        let (held, wave) = (modes.held.row(a), self.look.wave(model, &modes.held_waves[a]));
        [
            phase.base[a] + phase.force_ramp[a] * tau + wave[0] + held.sum(&self.look.whole, 0),
            phase.force_ramp[a] + wave[1] + held.sum(&self.look.whole, 1),
        ]
    }

    /// What [`Modal::flow`] needs of the modes over τ, the same for all differences.
    pub fn factors(&self, tau: f64) -> ModalFlow {
        let oscillators = self.phase.modes.iter().flat_map(|modes| &modes.oscillators);
        let free: Vec<[f64; 2]> = oscillators.map(|forced| forced.oscillator.free(tau)).collect();
        let zeros = vec![0.0; free.len()];
        ModalFlow { free, eta: zeros.clone(), rate: zeros }
    }

    /// Carries a difference (δq, δv) of the state over the time of `flow` in the current phase: the
    /// homogeneous motion.
    pub fn flow(&self, flow: &mut ModalFlow, q: &mut [f64], v: &mut [f64]) {
        let Some(modes) = self.phase.modes.as_deref() else { return };
        let ModalFlow { free, eta, rate } = flow;
        for j in 0..modes.n_modes {
            (eta[j], rate[j]) = (dot(modes.mass_shape.row(j), q), dot(modes.mass_shape.row(j), v));
        }
        for (k, (q, v)) in q.iter_mut().zip(&mut *v).enumerate() {
            *q -= dot(modes.shape.row(k), eta);
            *v -= dot(modes.shape.row(k), rate);
        }
        // q is what the resting contacts impose
        if let Some(coupled) = &modes.coupled {
            return coupled.flow(modes, free, [eta, rate], [q, v]);
        }
        for j in 0..modes.n_modes {
            let (square, sigma) = (modes.squares[j], modes.oscillators[j].oscillator.sigma);
            let [h, h1] = free[j];
            let rest = if square > 0.0 { -dot(modes.stiffness_shape.row(j), q) / square } else { 0.0 };
            let from_rest = eta[j] - rest;
            eta[j] = rest + from_rest * h1 + rate[j] * h;
            rate[j] = rate[j] * (h1 - 2.0 * sigma * h) - square * from_rest * h;
        }
        for (k, (q, v)) in q.iter_mut().zip(v).enumerate() {
            *q += dot(modes.shape.row(k), eta);
            *v += dot(modes.shape.row(k), rate);
        }
    }
}

impl Phase {
    fn new(n: usize, m: usize, n_tones: usize) -> Self {
        Self {
            q_c: vec![0.0; n],
            u_c: vec![0.0; n],
            amplitudes: vec![Amplitudes::with_capacity(n_tones); n],
            jets: vec![Jet::with_capacity(n_tones); n],
            angles: vec![[0.0, 1.0]; n_tones],
            base: vec![0.0; m],
            force_ramp: vec![0.0; m],
            force_size: vec![0.0; m],
            open: vec![None; m],
            ..Self::default()
        }
    }

    /// η, η̇ and its derivatives of mode j, whose velocity is `jet`.
    fn whole(&self, modes: &Modes, waves: &[[f64; 2]], j: usize, jet: &Jet) -> [f64; 5] {
        // with (ωτ)² above this a displacement follows from the balance of forces without loss
        const BALANCE: f64 = 0.25;
        let (square, sigma) = (modes.squares[j], modes.oscillators[j].oscillator.sigma);
        let [w, w1, w2, w3] = jet.w;
        let (tau, velocity) = (jet.tau, w + self.shift[j]);
        let eta = if square * tau * tau < BALANCE {
            self.eta[j] + self.shift[j] * tau + modes.oscillators[j].travel(&self.amplitudes[j], tau)
        } else {
            let tones: f64 = modes.tones.row(j).iter().zip(waves).map(|(size, [sine, _])| size * sine).sum();
            (self.load[j] + self.ramp[j] * tau + tones - w1 - 2.0 * sigma * velocity) / square
        };
        [eta, velocity, w1, w2, w3]
    }
}

//! Several degrees of freedom in their natural modes: closed form at any time, whatever the fastest rate.
//!
//! Between two events every position, sliding velocity and force of a resting contact is a polynomial and a
//! sum of exponential terms (`terms.rs`): free motions, and steady waves by the harmonic loads. A term is
//! bounded from any instant on by its modulus there, and so are its derivatives. The first event is found for
//! certain by walking along guards (see `root_isolation.rs`). A fast term that hardly moves would hold the
//! walk to its own rate; instead it is taken off the guard as a whole.

mod exponents;
mod extrema;
mod natural;
mod search;
mod simultaneous_refinement;
mod snapshot;
mod terms;
mod work;

use super::taylor::Stretch;
use super::taylor::{Model, sparse_dot};
use super::time::Time;
use crate::contact::{ContactMode, Side};
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};
use crate::record::{Balance, Ranges};
use crate::system::{Motion, System};
use extrema::Extrema;
use natural::{Modes, Structure};
use snapshot::{PhaseQuantity, Polynomial, Snapshot};
use std::sync::Arc;
use work::PhaseTerms;

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
    free: FreeState,
    scratch: Vec<f64>,
    terms: PhaseTerms,
    extrema: Extrema,
    /// Instants at which the terms were looked at, by searches for events and for extrema.
    #[cfg(test)]
    pub n_looks: usize,
}

/// The growth of each term over a time, and scratch.
pub(super) struct ModalFlow {
    tau: f64,
    growths: Vec<[Complex; 2]>,
    free: FreeState,
    parts: Matrix,
}

/// A state in natural modes: in parts, and what is left to the free motions.
#[derive(Clone, Debug, Default)]
struct FreeState {
    /// Constant load and ramp of each mode, and what they come to: an equilibrium and its drift.
    load: Vec<f64>,
    ramp: Vec<f64>,
    rest: Vec<f64>,
    drift: Vec<f64>,
    /// (η, η̇) of the free motions; of a rigid one that is braked its acceleration in the place of η̇.
    state: Vec<f64>,
}

/// One phase: a set of resting contacts, constant forces of the others, and the state at its start.
#[derive(Clone, Debug, Default)]
struct Phase {
    modes: Option<Arc<Modes>>,
    start: Time,
    /// What positions, distances slid and forces of the resting contacts are beside their terms.
    position: Vec<Polynomial>,
    sliding: Vec<Polynomial>,
    held: Vec<Polynomial>,
    /// Amplitudes of the terms.
    amplitudes: Vec<Complex>,
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
        let phase = Phase {
            position: vec![Polynomial::default(); n],
            sliding: vec![Polynomial::default(); m],
            held: vec![Polynomial::default(); m],
            open: vec![None; m],
            ..Phase::default()
        };
        let modal = Self {
            structure,
            known: Vec::new(),
            next: phase.clone(),
            phase,
            look: Snapshot::default(),
            free: FreeState::default(),
            scratch: vec![0.0; n],
            terms: PhaseTerms::default(),
            extrema: Extrema::default(),
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
        const PER_SET: [usize; 2] = [13, 30];
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
        let phase = &mut self.next;
        phase.start = stretch.start;
        (phase.searched, phase.found) = (0.0, None);
        phase.open.copy_from_slice(&stretch.at);
        // constant loads on the degrees of freedom; what the imposed motion adds comes through the modes, in
        // which nothing cancels
        let load = &mut self.scratch;
        load.copy_from_slice(&model.loads.constant);
        for (i, contact) in model.contacts.iter().enumerate() {
            if let ContactMode::Slip { piece } = stretch.regime.contacts[i] {
                let force = contact.line.pieces[piece].force;
                contact.direction.iter().for_each(|&(k, w)| load[k] -= w * force);
            }
        }
        phase.impose(&modes, model, stretch);
        phase.load(&modes, model, stretch, load, &mut self.free);
        phase.free(&modes, model, stretch, &mut self.free);
        phase.modes = Some(modes);
        true
    }

    /// Makes the next phase the current one.
    pub fn turn_over(&mut self) {
        std::mem::swap(&mut self.phase, &mut self.next);
    }

    /// Positions, velocities and accelerations at τ of the current phase, or of the next one.
    pub fn state(&mut self, is_next: bool, tau: f64, [q, v, a]: [&mut [f64]; 3]) {
        let phase = if is_next { &self.next } else { &self.phase };
        let Some(modes) = phase.modes.as_deref() else { return };
        self.look.take(&modes.terms, &phase.amplitudes, tau);
        for k in 0..q.len() {
            let position = phase.position(modes, k, 0);
            [q[k], v[k], a[k]] = [0, 1, 2].map(|order| position.at(&self.look, order));
        }
    }

    /// The whole motion at τ, of the current phase or of the next one, whose stretch is given.
    pub fn motion(&mut self, model: &Model, stretch: &Stretch, is_next: bool, tau: f64, out: &mut Motion) {
        out.t = stretch.start.plus(tau).t;
        self.state(is_next, tau, [&mut out.position, &mut out.velocity, &mut out.acceleration]);
        for (i, contact) in model.contacts.iter().enumerate() {
            match stretch.regime.contacts[i] {
                ContactMode::Slip { piece } => {
                    out.sliding[i] = model.sliding(i, &out.velocity);
                    out.friction[i] = contact.line.pieces[piece].force;
                    out.slope[i] = 0.0;
                }
                ContactMode::Stick { corner, .. } => {
                    let held = self.force(is_next, i)[0];
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
        let tones = model.loads.harmonics.iter().map(|tone| tone.0).fold(0.0, f64::max);
        let squares = self.phase.modes.iter().flat_map(|modes| &modes.squares);
        let slowest = squares.copied().filter(|square| *square > 0.0).fold(f64::INFINITY, f64::min);
        if tones > 0.0 || slowest.is_infinite() { tones } else { slowest.sqrt() }
    }

    /// The force of a resting contact and its rate at the instant that [`Modal::state`] was last asked for.
    pub fn force(&self, is_next: bool, i: usize) -> [f64; 2] {
        let phase = if is_next { &self.next } else { &self.phase };
        let Some(modes) = phase.modes.as_deref() else { return [0.0; 2] };
        let Some(a) = modes.members.iter().position(|&member| member == i) else { return [0.0; 2] };
        let held = phase.held(modes, a);
        [0, 1].map(|order| held.at(&self.look, order))
    }

    /// What [`Modal::flow`] needs of the modes over τ, the same for all differences.
    pub fn factors(&self, tau: f64) -> ModalFlow {
        let terms = self.phase.modes.iter().map(|modes| &modes.terms);
        let growths: Vec<[Complex; 2]> =
            terms.flat_map(|terms| (0..terms.exponents.len()).map(|t| terms.growth(t, tau))).collect();
        ModalFlow { tau, parts: Matrix::zeros(2, 2 * growths.len()), growths, free: FreeState::default() }
    }

    /// Carries a difference (δq, δv) of the state over the time of `flow` in the current phase: the
    /// homogeneous motion.
    pub fn flow(&self, flow: &mut ModalFlow, q: &mut [f64], v: &mut [f64]) {
        let Some(modes) = self.phase.modes.as_deref() else { return };
        let ModalFlow { tau, growths, free, parts } = flow;
        let n = modes.n_modes;
        let natural = |x: &[f64]| (0..n).map(|j| dot(modes.mass_shape.row(j), x)).collect::<Vec<f64>>();
        let (eta, rate) = (natural(q), natural(v));
        // what the resting contacts impose
        for (k, (q, v)) in q.iter_mut().zip(&mut *v).enumerate() {
            *q -= dot(modes.shape.row(k), &eta);
            *v -= dot(modes.shape.row(k), &rate);
        }
        free.state.clear();
        free.state.resize(2 * n, 0.0);
        free.rest.clear();
        free.drift.clear();
        for (j, &square) in modes.squares.iter().enumerate() {
            if square == 0.0 {
                // a rigid motion goes on, if nothing brakes it
                free.rest.push(eta[j] + *tau * rate[j]);
                free.drift.push(rate[j]);
                free.state[n + j] = -sparse_dot(&modes.damping[j], &rate);
                continue;
            }
            free.rest.push(-dot(modes.stiffness_shape.row(j), q) / square);
            free.drift.push(0.0);
            (free.state[j], free.state[n + j]) = (eta[j] - free.rest[j], rate[j]);
        }
        for (t, (rows, growth)) in modes.terms.amplitudes.iter().zip(growths).enumerate() {
            let [re, im] = [0, 1].map(|part| sparse_dot(&rows[part], &free.state));
            let [value, slope] = growth.map(|growth| complex(re, im) * growth);
            (parts.row_mut(0)[2 * t], parts.row_mut(0)[2 * t + 1]) = (value.re, value.im);
            (parts.row_mut(1)[2 * t], parts.row_mut(1)[2 * t + 1]) = (slope.re, slope.im);
        }
        for (k, (q, v)) in q.iter_mut().zip(v).enumerate() {
            let factors = modes.terms.position.factors.row(k);
            *q += dot(modes.shape.row(k), &free.rest) + dot(factors, parts.row(0));
            *v += dot(modes.shape.row(k), &free.drift) + dot(factors, parts.row(1));
        }
    }
}

impl Phase {
    /// A derivative of the position of degree of freedom `k`.
    fn position<'a>(&self, modes: &'a Modes, k: usize, order: usize) -> PhaseQuantity<'a> {
        PhaseQuantity::new(self.position[k], &modes.terms.position, k, order)
    }

    /// The sliding velocity of contact `i`.
    fn sliding<'a>(&self, modes: &'a Modes, i: usize) -> PhaseQuantity<'a> {
        PhaseQuantity::new(self.sliding[i], &modes.terms.sliding, i, 1)
    }

    /// The force of the resting contact that is number `a` of them.
    fn held<'a>(&self, modes: &'a Modes, a: usize) -> PhaseQuantity<'a> {
        PhaseQuantity::new(self.held[a], &modes.terms.held, a, 0)
    }

    /// Positions and velocities that the resting contacts impose.
    fn impose(&mut self, modes: &Modes, model: &Model, stretch: &Stretch) {
        let q = &stretch.series.q[..model.n];
        let speed = |&i: &usize| match stretch.regime.contacts[i] {
            ContactMode::Stick { corner, .. } => {
                model.contacts[i].line.corners[corner].v + model.contacts[i].belt
            }
            ContactMode::Slip { .. } | ContactMode::Open => 0.0,
        };
        let speeds: Vec<f64> = modes.members.iter().map(speed).collect();
        let eta: Vec<f64> = (0..modes.n_modes).map(|j| dot(modes.mass_shape.row(j), q)).collect();
        for (k, slot) in self.position.iter_mut().enumerate() {
            let rest = if speeds.is_empty() { 0.0 } else { q[k] - dot(modes.shape.row(k), &eta) };
            slot.coefficients = [rest, dot(modes.imposed.row(k), &speeds), 0.0];
        }
    }

    /// The equilibrium under constant loads and the imposed motion, and its drift.
    fn load(&mut self, modes: &Modes, model: &Model, stretch: &Stretch, load: &[f64], free: &mut FreeState) {
        let n = modes.n_modes;
        let imposed = |order: usize| self.position.iter().map(|part| part.coefficients[order]).collect();
        let [q_c, u_c]: [Vec<f64>; 2] = [imposed(0), imposed(1)];
        // what acts on a row of KΦ and CΦ, or of the maps to the resting contacts: the load and its ramp
        let acting = |stiff: &[f64], damping: &[f64], pushed: f64| {
            [pushed - dot(stiff, &q_c) - dot(damping, &u_c), -dot(stiff, &u_c)]
        };
        let FreeState { load: loads, ramp, rest, drift, .. } = free;
        loads.clear();
        loads.resize(n, 0.0);
        for (k, load) in load.iter().enumerate().filter(|(_, load)| **load != 0.0) {
            loads.iter_mut().zip(modes.shape.row(k)).for_each(|(sum, shape)| *sum += load * shape);
        }
        for slots in [&mut *ramp, &mut *rest, &mut *drift] {
            slots.clear();
        }
        for (j, load) in loads.iter_mut().enumerate() {
            let [p0, p1] = acting(modes.stiffness_shape.row(j), modes.damping_shape.row(j), *load);
            *load = p0;
            let square = modes.squares[j];
            ramp.push(p1);
            drift.push(if square > 0.0 { p1 / square } else { 0.0 });
        }
        for (j, &square) in modes.squares.iter().enumerate() {
            let left = loads[j] - sparse_dot(&modes.damping[j], drift);
            rest.push(if square > 0.0 { left / square } else { 0.0 });
        }
        for a in 0..modes.members.len() {
            let row = modes.carried.row(a);
            let [base, ramp] =
                acting(modes.carried_stiffness.row(a), modes.carried_damping.row(a), dot(row, load));
            let (displacement, velocity) = (modes.held.displacement.row(a), modes.held.velocity.row(a));
            let base = base + dot(displacement, rest) + dot(velocity, drift);
            let ramp = ramp + dot(displacement, drift);
            let size = |(k, r): (usize, &f64)| {
                let elastic: f64 =
                    model.stiffness[k].iter().map(|&(l, a)| (a * stretch.series.q[l]).abs()).sum();
                (r * (load[k].abs() + sparse_dot(&model.damping[k], &u_c).abs() + elastic)).abs()
            };
            let size = row.iter().enumerate().filter(|(_, r)| **r != 0.0).map(size).sum();
            self.held[a] = Polynomial { coefficients: [base, ramp, 0.0], sizes: [size, ramp.abs()] };
        }
    }

    /// The free motions, and positions and distances slid that are no terms.
    fn free(&mut self, modes: &Modes, model: &Model, stretch: &Stretch, free: &mut FreeState) {
        let n = modes.n_modes;
        let (q, v) = (&stretch.series.q[..model.n], &stretch.series.v[..model.n]);
        let wave = |&(omega, phase, _): &(f64, f64, Vec<f64>)| {
            let (sine, cosine) = libm::sincos(stretch.start.angle(omega, phase));
            (omega, complex(cosine, sine))
        };
        let loads: Vec<(f64, Complex)> = model.loads.harmonics.iter().map(wave).collect();
        let FreeState { load, rest, drift, state, .. } = free;
        state.clear();
        state.resize(2 * n, 0.0);
        for j in 0..n {
            let row = modes.mass_shape.row(j);
            let (mut eta, mut rate) = (dot(row, q), dot(row, v));
            for (waves, (omega, turn)) in modes.terms.waves.iter().zip(&loads) {
                let wave = waves[j] * *turn;
                eta -= wave.re;
                rate += omega * wave.im;
            }
            if modes.squares[j] > 0.0 {
                (state[j], state[n + j]) = (eta - rest[j], rate - drift[j]);
                load[j] = 0.0;
                continue;
            }
            (rest[j], drift[j]) = (eta, rate);
            if !modes.damping[j].is_empty() {
                state[n + j] = load[j] - sparse_dot(&modes.damping[j], drift);
                load[j] = 0.0;
            }
        }
        self.amplitudes.clear();
        for (rows, load) in modes.terms.amplitudes.iter().zip(&modes.terms.loads) {
            self.amplitudes.push(match load {
                Some(k) => loads[*k].1,
                None => complex(sparse_dot(&rows[0], state), sparse_dot(&rows[1], state)),
            });
        }
        for (k, slot) in self.position.iter_mut().enumerate() {
            let shape = modes.shape.row(k);
            let [a, b, _] = slot.coefficients;
            let moved = [a + dot(shape, rest), b + dot(shape, drift), 0.5 * dot(shape, load)];
            *slot =
                Polynomial { coefficients: moved, sizes: [a.abs() + (moved[0] - a).abs(), moved[1].abs()] };
        }
        for (contact, slot) in model.contacts.iter().zip(&mut self.sliding) {
            let along = |order: usize| -> f64 {
                contact.direction.iter().map(|&(k, w)| w * self.position[k].coefficients[order]).sum()
            };
            let plain = along(1) - contact.belt;
            *slot = Polynomial {
                coefficients: [0.0, plain, along(2)],
                sizes: [0.0, plain.abs() + contact.belt.abs()],
            };
        }
    }
}

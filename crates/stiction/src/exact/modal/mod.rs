//! Several degrees of freedom in their natural modes: closed form at any time, whatever the fastest rate.
//!
//! Between two events a contact's sliding velocity and the force of a resting contact are sums over the modes
//!
//! ```text
//!   vᵢ(τ) = wᵢᵀu_c − belt + Σ sᵢⱼ η̇ⱼ(τ),      λₐ(τ) = base + ramp τ + Σ ℓ sin(ωτ + θ) − Σ kₐⱼ (ηⱼ + β η̇ⱼ)
//! ```
//!
//! whose derivatives are known and bounded mode by mode. The first event is found for certain by walking along guards (see
//! `march.rs`). A fast mode that hardly moves would hold the walk to its own rate; instead its free motion, whose size is
//! bounded, is taken off the guard as a whole.

mod extrema;
mod modes;
mod parts;
mod work;

use super::forced::{Amplitudes, Integrals, Jet};
use super::march::{Guard, March, Stalled};
use super::oscillator::Bounds;
use super::prepared::{Prepared, sparse_dot};
use super::segment::{ContactMode, Segment};
use super::time::Time;
use super::tones::Side;
use crate::math::dense::dot;
use crate::simulate::{Balance, Ranges};
use crate::system::{Motion, System};
use extrema::Extrema;
use modes::{Modes, Structure};
use std::sync::Arc;

/// Rounding of a sum over modes, in units of its terms.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// With (ωτ)² above this a displacement follows from the balance of forces without loss.
const BALANCE: f64 = 0.25;
/// The free motion of fast modes is taken off a guard as a whole up to this part of its value.
const SILENT: f64 = 0.25;
/// Fewest degrees of freedom, or of the ratio of rates, for which modes are quicker than Taylor series.
const MIN_DEGREES: usize = 7;
const MIN_STIFFNESS: f64 = 60.0;
/// With more contacts too many sets of resting ones occur, each with modes of its own; so many sets are kept.
const MAX_CONTACTS: usize = 8;
const MAX_SETS: usize = 256;

/// A system that is carried along in its modes.
#[derive(Clone, Debug)]
pub(super) struct Modal {
    structure: Structure,
    known: Vec<Arc<Modes>>,
    phase: Phase,
    next: Phase,
    look: Look,
    scratch: Vec<f64>,
    extrema: Extrema,
    integrals: Integrals,
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

/// All modes at one instant.
#[derive(Clone, Debug, Default)]
struct Look {
    jets: Vec<Jet>,
    /// η, η̇ and its derivatives up to the third.
    whole: Vec<[f64; 5]>,
    /// The part that is not a steady wave.
    free: Vec<[f64; 5]>,
    /// Bounds on the derivatives of displacement and velocity of the free part.
    bounds: Vec<[Bounds; 2]>,
    sizes: Vec<Option<[f64; 3]>>,
    /// Sine and cosine of the loads' angles.
    waves: Vec<[f64; 2]>,
}

/// A sum over modes whose guard is asked for.
struct Sum<'a> {
    /// The part without modes and its derivatives.
    plain: [f64; 4],
    third: f64,
    fourth: f64,
    /// Size of the terms, for the rounding.
    size: f64,
    coefficients: &'a [f64],
    /// Multiples of displacement and velocity that each coefficient multiplies.
    mix: [f64; 2],
}

impl Modal {
    /// `None` where modes are not exact, or not worth it.
    pub fn new(system: &System, body: &Prepared) -> Option<Self> {
        let (n, m) = (system.n(), system.contacts.len());
        if m > MAX_CONTACTS {
            return None;
        }
        let slowest = system.harmonics.iter().map(|h| h.omega).fold(f64::INFINITY, f64::min);
        let is_stiff = slowest.is_finite() && body.fastest(0.0) > MIN_STIFFNESS * slowest;
        if n < MIN_DEGREES && !is_stiff {
            return None;
        }
        Self::wherever_exact(system, body)
    }

    /// `None` where modes are not exact.
    pub fn wherever_exact(system: &System, body: &Prepared) -> Option<Self> {
        let (n, m) = (system.n(), system.contacts.len());
        let structure = Structure::new(system, body)?;
        let phase = Phase::new(n, m, system.harmonics.len());
        let modal = Self {
            structure,
            known: Vec::new(),
            next: phase.clone(),
            phase,
            look: Look::new(n, system.harmonics.len()),
            scratch: vec![0.0; n],
            extrema: Extrema::default(),
            integrals: Integrals::default(),
        };
        // a set that has no modes would be met in the middle of a run
        modal.structure.modes(body, &[])?;
        Some(modal)
    }

    /// The modes while `members` rest.
    fn modes(&mut self, body: &Prepared, members: &[usize]) -> Option<Arc<Modes>> {
        if let Some(known) = self.known.iter().find(|modes| modes.members == members) {
            return Some(known.clone());
        }
        if self.known.len() == MAX_SETS {
            self.known.clear();
        }
        let modes = Arc::new(self.structure.modes(body, members)?);
        self.known.push(modes.clone());
        Some(modes)
    }

    /// Prepares the next phase from the state and the settled modes of a segment. Says whether it has modes.
    pub fn begin(&mut self, body: &Prepared, segment: &Segment) -> bool {
        let mut members = segment.basis.members.clone();
        members.sort_unstable();
        let Some(modes) = self.modes(body, &members) else { return false };
        let n = body.n;
        let phase = &mut self.next;
        phase.start = segment.start;
        (phase.searched, phase.found) = (0.0, None);
        phase.open.copy_from_slice(&segment.at);
        let (q, v) = (&segment.q[..n], &segment.v[..n]);
        for (angle, &(omega, at, _)) in phase.angles.iter_mut().zip(&body.tones) {
            let (sine, cosine) = libm::sincos(segment.start.angle(omega, at));
            *angle = [sine, cosine];
        }
        // what the resting contacts impose, and what is left to the modes
        let speed = |&i: &usize| match segment.mode[i] {
            ContactMode::Rest { corner, .. } => {
                body.contacts[i].line.corners[corner].v + body.contacts[i].belt
            }
            ContactMode::Slide { .. } => 0.0,
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
        // constant loads on the degrees of freedom; what the imposed motion adds comes through the modes, in which nothing cancels
        let (load, mut size) = (&mut self.scratch, vec![0.0; n]);
        load.copy_from_slice(&body.constant);
        for (i, contact) in body.contacts.iter().enumerate() {
            if let ContactMode::Slide { piece } = segment.mode[i] {
                let force = contact.line.pieces[piece].force;
                contact.direction.iter().for_each(|&(k, w)| load[k] -= w * force);
            }
        }
        for k in 0..n {
            let dragged = sparse_dot(&body.damping[k], &phase.u_c);
            let elastic: f64 = body.stiffness[k].iter().map(|&(l, a)| (a * q[l]).abs()).sum();
            size[k] = load[k].abs() + dragged.abs() + elastic;
        }
        let Structure { alpha, beta, .. } = self.structure;
        // what acts on a row of KΦ and MΦ, or of the maps to the resting contacts: the load and its ramp
        let imposed = |stiff: &[f64], mass: &[f64], pushed: f64, phase: &Phase| {
            let ramp = -dot(stiff, &phase.u_c);
            [pushed - dot(stiff, &phase.q_c) + beta * ramp - alpha * dot(mass, &phase.u_c), ramp]
        };
        phase.load.clear();
        phase.ramp.clear();
        phase.shift.clear();
        for j in 0..modes.n_modes {
            let pushed = (0..n).map(|k| modes.shape.at(k, j) * load[k]).sum::<f64>();
            let [p0, p1] = imposed(modes.stiffness_shape.row(j), modes.mass_shape.row(j), pushed, phase);
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
            let (stiff, mass) = (modes.carried_stiffness.row(a), modes.carried_mass.row(a));
            let pushed = dot(row, load);
            [phase.base[a], phase.force_ramp[a]] = imposed(stiff, mass, pushed, phase);
            phase.force_size[a] = row.iter().zip(&size).map(|(r, s)| (r * s).abs()).sum();
        }
        phase.modes = Some(modes);
        true
    }

    /// The limit at which contact `i` started and has stayed.
    pub fn open(&self, i: usize) -> Option<Side> {
        self.phase.open[i]
    }

    /// Makes the next phase the current one.
    pub fn turn_over(&mut self) {
        std::mem::swap(&mut self.phase, &mut self.next);
    }

    /// The first event of the current phase up to τ = `end`: its time, contact and side.
    pub fn search(
        &mut self,
        body: &Prepared,
        segment: &Segment,
        end: f64,
    ) -> Result<Option<(f64, usize, Side)>, Stalled> {
        if let Some(found) = self.phase.found {
            return Ok(Some(found).filter(|found| found.0 <= end));
        }
        let Some(modes) = self.phase.modes.clone() else { return Ok(None) };
        let mut march = March::default();
        while self.phase.searched < end {
            let tau = self.phase.searched;
            self.look_at(&modes, body, tau);
            if self.look.whole[..modes.n_modes].iter().flatten().any(|x| !x.is_finite()) {
                return Ok(None);
            }
            let mut step = f64::INFINITY;
            for i in 0..body.contacts.len() {
                for side in [Side::Low, Side::High] {
                    let Some(limit) = limit(body, segment, i, side) else { continue };
                    match self.guarded(&modes, body, segment, i, side, limit) {
                        Ok(safe) => step = step.min(safe),
                        Err(arrival) => {
                            let event = (tau + arrival).max(0.0);
                            // another contact may be before it
                            if self.phase.found.is_none_or(|found| event < found.0) {
                                self.phase.found = Some((event, i, side));
                            }
                        }
                    }
                }
            }
            if let Some(found) = self.phase.found {
                return Ok(Some(found).filter(|found| found.0 <= end));
            }
            self.phase.searched = march.after(tau, step)?;
        }
        Ok(None)
    }

    /// Takes the modes to τ, with their bounds.
    fn look_at(&mut self, modes: &Modes, body: &Prepared, tau: f64) {
        let (phase, look) = (&mut self.phase, &mut self.look);
        for j in 0..modes.n_modes {
            let (oscillator, jet) = (&modes.oscillators[j], &mut phase.jets[j]);
            if tau > jet.tau {
                oscillator.advance(&phase.amplitudes[j], tau - jet.tau, jet);
            }
        }
        look.waves_at(body, &phase.angles, tau);
        for j in 0..modes.n_modes {
            let (oscillator, jet) = (&modes.oscillators[j], &phase.jets[j]);
            look.whole[j] = phase.whole(modes, &look.waves, j, jet);
            look.free[j] = oscillator.free_jet(jet);
            look.bounds[j] = oscillator.free_bounds(look.free[j]);
            look.sizes[j] = oscillator.free_sizes(jet);
        }
    }

    /// A step in which contact `i` does not reach its limit, or the time to when it does.
    fn guarded(
        &mut self,
        modes: &Modes,
        body: &Prepared,
        segment: &Segment,
        i: usize,
        side: Side,
        limit: f64,
    ) -> Result<f64, f64> {
        let sign = if side == Side::High { -1.0 } else { 1.0 };
        let rests = matches!(segment.mode[i], ContactMode::Rest { .. });
        let tau = self.phase.searched;
        let sum = self.sum(modes, body, i);
        let (whole, split) = self.look.guards(modes, &sum, sign, limit);
        let Some(mut guard) = whole else { return Ok(f64::INFINITY) };
        if rests {
            // what settles the modes knows the force to its own rounding, and must see the limit reached
            guard.noise = guard.noise.max(0.25 * segment.force_noise[i]);
        }
        if self.phase.open[i] == Some(side) {
            if tau == 0.0 {
                clear_before(&mut guard, body, segment, i, sign);
                return Ok(guard.first_step().unwrap_or_else(|| guard.blind_step()));
            }
            if guard.g[0].abs() <= 2.0 * guard.noise {
                return Ok(guard.blind_step().max(f64::EPSILON * tau));
            }
            self.phase.open[i] = None;
        }
        if rests
            && guard.has_come()
            && let Some(past) = guard.passes()
        {
            // the crest reaches the limit and no more: that is held
            return Ok(past);
        }
        if let Some(arrival) = guard.arrival() {
            return Err(arrival);
        }
        let step = guard.safe_step();
        Ok(split.map_or(step, |split| step.max(split.safe_step())))
    }

    /// The sliding velocity of contact `i`, or its force if it rests, as a sum over modes.
    fn sum<'a>(&self, modes: &'a Modes, body: &Prepared, i: usize) -> Sum<'a> {
        let phase = &self.phase;
        let Some(a) = modes.members.iter().position(|&member| member == i) else {
            let contact = &body.contacts[i];
            let plain = sparse_dot(&contact.direction, &phase.u_c) - contact.belt;
            return Sum {
                plain: [plain, 0.0, 0.0, 0.0],
                third: 0.0,
                fourth: 0.0,
                size: plain.abs() + contact.belt.abs(),
                coefficients: modes.sliding.row(i),
                mix: [0.0, 1.0],
            };
        };
        self.held_sum(modes, body, a, phase.searched)
    }

    /// The force of a resting contact at τ, the instant of the last look, as a sum over modes.
    fn held_sum<'a>(&self, modes: &'a Modes, body: &Prepared, a: usize, tau: f64) -> Sum<'a> {
        let phase = &self.phase;
        let mut sum = Sum {
            plain: [phase.base[a] + phase.force_ramp[a] * tau, phase.force_ramp[a], 0.0, 0.0],
            third: 0.0,
            fourth: 0.0,
            size: phase.force_size[a] + (phase.force_ramp[a] * tau).abs(),
            coefficients: modes.held.row(a),
            mix: [-1.0, -self.structure.beta],
        };
        for ((omega, _, amplitude), [sine, cosine]) in body.tones.iter().zip(&self.look.waves) {
            let size = dot(modes.carried.row(a), amplitude);
            let square = omega * omega;
            sum.plain[0] += size * sine;
            sum.plain[1] += size * omega * cosine;
            sum.plain[2] -= size * square * sine;
            sum.plain[3] -= size * square * omega * cosine;
            sum.size += size.abs() * (1.0 + 0.125 * omega * (phase.start.t.abs() + tau));
            sum.third += size.abs() * square * omega;
            sum.fourth += size.abs() * square * square;
        }
        sum
    }

    /// Positions, velocities and accelerations at τ of the current phase, or of the next one.
    pub fn state(
        &mut self,
        body: &Prepared,
        is_next: bool,
        tau: f64,
        q: &mut [f64],
        v: &mut [f64],
        a: &mut [f64],
    ) {
        let phase = if is_next { &self.next } else { &self.phase };
        let Some(modes) = phase.modes.as_deref() else { return };
        self.look.at(modes, body, phase, tau);
        for k in 0..body.n {
            let row = modes.shape.row(k);
            let sum = |order: usize| row.iter().zip(&self.look.whole).map(|(s, w)| s * w[order]).sum::<f64>();
            q[k] = phase.q_c[k] + phase.u_c[k] * tau + sum(0);
            v[k] = phase.u_c[k] + sum(1);
            a[k] = sum(2);
        }
    }

    /// The whole motion at τ, of the current phase or of the next one, whose segment is given.
    pub fn motion(&mut self, body: &Prepared, segment: &Segment, is_next: bool, tau: f64, out: &mut Motion) {
        out.t = segment.start.plus(tau).t;
        self.state(body, is_next, tau, &mut out.position, &mut out.velocity, &mut out.acceleration);
        for (i, contact) in body.contacts.iter().enumerate() {
            match segment.mode[i] {
                ContactMode::Slide { piece } => {
                    out.sliding[i] = body.sliding(i, &out.velocity);
                    out.friction[i] = contact.line.pieces[piece].force;
                    out.slope[i] = 0.0;
                }
                ContactMode::Rest { corner, .. } => {
                    let held = self.force(body, is_next, tau, i)[0];
                    let jump = contact.line.corners[corner];
                    out.sliding[i] = jump.v;
                    out.slope[i] = 0.0;
                    // beyond its limits by no more than the rounding of the time
                    out.friction[i] = held.max(jump.low).min(jump.high);
                }
            }
        }
    }

    /// Adds the work of the current phase from τ = `a` to τ = `b`, and its extrema to `ranges`, at a cost that does not depend
    /// on the fastest rate.
    pub fn tell(
        &mut self,
        body: &Prepared,
        segment: &Segment,
        span: [f64; 2],
        ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) {
        self.add_work(body, segment, span, balance);
        if let Some(ranges) = ranges {
            self.add_extrema(body, segment, span, ranges);
        }
    }

    /// The rate to which the cost is tied: that of the loads, or else of the slowest mode (1/s).
    pub fn pace(&self, body: &Prepared) -> f64 {
        let tones = body.tones.iter().map(|tone| tone.0).fold(0.0, f64::max);
        let squares = self.phase.modes.iter().flat_map(|modes| &modes.squares);
        let slowest = squares.copied().filter(|square| *square > 0.0).fold(f64::INFINITY, f64::min);
        if tones > 0.0 || slowest.is_infinite() { tones } else { slowest.sqrt() }
    }

    /// Forces of the resting contacts and their rates at the instant that [`Modal::state`] was last asked for.
    pub fn force(&self, body: &Prepared, is_next: bool, tau: f64, i: usize) -> [f64; 2] {
        let phase = if is_next { &self.next } else { &self.phase };
        let Some(modes) = phase.modes.as_deref() else { return [0.0; 2] };
        let Some(a) = modes.members.iter().position(|&member| member == i) else { return [0.0; 2] };
        let beta = self.structure.beta;
        let mut force = [phase.base[a] + phase.force_ramp[a] * tau, phase.force_ramp[a]];
        for ((omega, _, amplitude), [sine, cosine]) in body.tones.iter().zip(&self.look.waves) {
            let size = dot(modes.carried.row(a), amplitude);
            force[0] += size * sine;
            force[1] += size * omega * cosine;
        }
        for (held, w) in modes.held.row(a).iter().zip(&self.look.whole) {
            force[0] -= held * (w[0] + beta * w[1]);
            force[1] -= held * (w[1] + beta * w[2]);
        }
        force
    }

    /// What [`Modal::flow`] needs of the modes over τ, the same for all differences.
    pub fn factors(&self, tau: f64) -> ModalFlow {
        let oscillators = self.phase.modes.iter().flat_map(|modes| &modes.oscillators);
        let free: Vec<[f64; 2]> = oscillators.map(|forced| forced.oscillator.free(tau)).collect();
        let zeros = vec![0.0; free.len()];
        ModalFlow { free, eta: zeros.clone(), rate: zeros }
    }

    /// Carries a difference (δq, δv) of the state over the time of `flow` in the current phase: the homogeneous motion.
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

impl Look {
    fn new(n: usize, n_tones: usize) -> Self {
        let none = Bounds { third: 0.0, fourth: 0.0, reach: f64::INFINITY };
        Self {
            jets: vec![Jet::with_capacity(n_tones); n],
            whole: vec![[0.0; 5]; n],
            free: vec![[0.0; 5]; n],
            bounds: vec![[none; 2]; n],
            sizes: vec![None; n],
            waves: vec![[0.0; 2]; n_tones],
        }
    }

    /// Sine and cosine of the loads' angles at τ.
    fn waves_at(&mut self, body: &Prepared, angles: &[[f64; 2]], tau: f64) {
        for ((wave, [sine, cosine]), (omega, ..)) in self.waves.iter_mut().zip(angles).zip(&body.tones) {
            let (s, c) = libm::sincos(omega * tau);
            *wave = [sine * c + cosine * s, cosine * c - sine * s];
        }
    }

    /// The modes of a phase at τ, without bounds.
    fn at(&mut self, modes: &Modes, body: &Prepared, phase: &Phase, tau: f64) {
        self.waves_at(body, &phase.angles, tau);
        for j in 0..modes.n_modes {
            modes.oscillators[j].jet(&phase.amplitudes[j], tau, &mut self.jets[j]);
            self.whole[j] = phase.whole(modes, &self.waves, j, &self.jets[j]);
        }
    }

    /// The guard of `sign · (sum − limit) > 0`, and the same with the free motion of silent fast modes taken off as a whole.
    fn guards(&self, modes: &Modes, sum: &Sum, sign: f64, limit: f64) -> (Option<Guard>, Option<Guard>) {
        let [a, b] = sum.mix;
        let mixed = |x: &[f64; 5], order: usize| a * x[order] + b * x[order + 1];
        let mut g = sum.plain;
        let mut bounds = Bounds { third: sum.third, fourth: sum.fourth, reach: f64::INFINITY };
        let mut size = sum.size + limit.abs();
        let mut is_idle = true;
        for (j, &c) in sum.coefficients.iter().enumerate() {
            if c == 0.0 {
                continue;
            }
            is_idle = false;
            for (order, g) in g.iter_mut().enumerate() {
                *g += c * mixed(&self.whole[j], order);
            }
            size += c.abs() * (a * self.whole[j][0]).abs().max((b * self.whole[j][1]).abs());
            self.add_bounds(modes, j, c, sum.mix, &mut bounds, true);
        }
        if is_idle && bounds.third == 0.0 && g[1] == 0.0 {
            return (None, None);
        }
        let noise = NOISE * size;
        let signed =
            |g: [f64; 4], off: f64| [sign * (g[0] - limit) - off, sign * g[1], sign * g[2], sign * g[3]];
        let whole = Guard::new(signed(g, 0.0), bounds, noise);
        // fast modes, as many as are silent
        let (mut off, mut slow) = (0.0, g);
        let mut first_fast = sum.coefficients.len();
        for (j, &c) in sum.coefficients.iter().enumerate().rev() {
            let Some([displacement, velocity, _]) = self.sizes[j] else { break };
            let more = c.abs() * (a.abs() * displacement + b.abs() * velocity);
            if off + more > SILENT * whole.g[0] {
                break;
            }
            off += more;
            for (order, slow) in slow.iter_mut().enumerate() {
                *slow -= c * mixed(&self.free[j], order);
            }
            first_fast = j;
        }
        if first_fast == sum.coefficients.len() {
            return (Some(whole), None);
        }
        let mut bounds = Bounds { third: sum.third, fourth: sum.fourth, reach: f64::INFINITY };
        for (j, &c) in sum.coefficients.iter().enumerate().filter(|(_, c)| **c != 0.0) {
            self.add_bounds(modes, j, c, sum.mix, &mut bounds, j < first_fast);
        }
        (Some(whole), Some(Guard::new(signed(slow, off), bounds, noise)))
    }

    fn add_bounds(
        &self,
        modes: &Modes,
        j: usize,
        c: f64,
        [a, b]: [f64; 2],
        bounds: &mut Bounds,
        with_free: bool,
    ) {
        let steady = modes.oscillators[j].steady_bounds();
        for (weight, free, steady) in [(a, self.bounds[j][0], steady[0]), (b, self.bounds[j][1], steady[1])] {
            let weight = (weight * c).abs();
            if weight == 0.0 {
                continue;
            }
            bounds.third += weight * steady[0];
            bounds.fourth += weight * steady[1];
            if with_free {
                bounds.third += weight * free.third;
                bounds.fourth += weight * free.fourth;
                bounds.reach = bounds.reach.min(free.reach);
            }
        }
    }
}

/// The value that contact `i` must not pass: a velocity if it slides, a force if it rests.
fn limit(body: &Prepared, segment: &Segment, i: usize, side: Side) -> Option<f64> {
    let line = &body.contacts[i].line;
    match (segment.mode[i], side) {
        (ContactMode::Slide { piece }, Side::Low) => Some(line.corners[piece.checked_sub(1)?].v),
        (ContactMode::Slide { piece }, Side::High) => line.corners.get(piece).map(|corner| corner.v),
        (ContactMode::Rest { corner, .. }, Side::Low) => Some(line.corners[corner].low),
        (ContactMode::Rest { corner, .. }, Side::High) => Some(line.corners[corner].high),
    }
}

/// A contact that starts at its limit leaves it by the first order of its series that is not rounding.
fn clear_before(guard: &mut Guard, body: &Prepared, segment: &Segment, i: usize, sign: f64) {
    let (n, m, lead) = (body.n, body.contacts.len(), segment.lead[i]);
    let cleared = if lead == 0 { 3 } else { lead.min(3) };
    guard.g[..cleared].fill(0.0);
    if let 1..=2 = lead {
        let coefficient = match segment.mode[i] {
            ContactMode::Slide { .. } => sparse_dot(&body.contacts[i].direction, &segment.v[lead * n..]),
            ContactMode::Rest { .. } => segment.force[lead * m + i],
        };
        let factorial = lead as f64;
        guard.g[lead] = sign * coefficient * factorial / segment.length.powi(lead as i32);
    }
}

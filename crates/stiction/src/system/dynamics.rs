//! A system prepared for evaluation: accelerations, friction forces, the work they do, and what integrators
//! ask.
//!
//! The state is `y = [q, q̇, z, x, work in, viscous loss, friction loss, impact loss]`: the internal states
//! of the laws with memory, those of feedback, and four integrals that feed back into nothing,
//!
//! ```text
//!   d(work in) = (f·q̇ − Σ Hᵢ beltᵢ) dt,   d(viscous loss) = q̇ᵀC q̇ dt,   d(friction loss) = Σ Hᵢ vᵢ dt,
//! ```
//!
//! and what goes into stops, so that work in = change of ½ q̇ᵀM q̇ + ½ qᵀK q + all losses holds for the true
//! motion.
//!
//! `prepared.rs` holds what never changes, `regime.rs` the modes of all elements between two events, `forces.rs` the
//! right-hand side in a regime, `rates.rs` what follows from it. `guards.rs` says what ends a regime; `landing.rs` and `resolution.rs` find the next.

mod forces;
mod guards;
mod landing;
mod polish;
mod prepared;
mod rates;
mod regime;
mod resolution;
mod scales;
mod slopes;
mod springs;
mod stops;

use super::{InputSlot, Motion, System, TimeTable};
use crate::Error;
use crate::law::{FrictionBounds, Graph, Law};
use crate::math::dense::dot;
use crate::ode::Ode;
use forces::Forces;
use landing::EventState;
use polish::PolishScratch;
use prepared::Prepared;
use regime::Regime;
pub(crate) use scales::{SystemScales, limits};

/// Number of work integrals at the end of the state.
pub const N_PASSIVE: usize = 4;

/// Friction coefficients of neighbouring velocities that differ by more, and times that are as near to each
/// other in terms of how fast a contact settles, leave no digits to the error control.
const NEIGHBOURS: f64 = 1e-6;

/// A system prepared for evaluation. Evaluation never allocates and never fails.
#[derive(Clone, Debug)]
pub struct Dynamics {
    prepared: Prepared,
    forces: Forces,
    /// The modes in the last step, and those after the event at its end.
    regime: Regime,
    next: Regime,
    event: EventState,
    polish: PolishScratch,
}

impl Dynamics {
    /// Prepares a system that has passed its check; `None` if its mass matrix cannot be inverted, or if its
    /// parts are of different sizes.
    pub fn new(system: &System) -> Option<Self> {
        let mut prepared = Prepared::new(system)?;
        let forces = Forces::new(&mut prepared);
        let regime = Regime::new(&prepared);
        Some(Self {
            forces,
            next: regime.clone(),
            regime,
            event: EventState::new(&prepared),
            polish: PolishScratch::new(prepared.n()),
            prepared,
        })
    }

    /// The system as it was given.
    pub fn system(&self) -> &System {
        &self.prepared.system
    }

    /// The scales of the system.
    pub(crate) fn scales(&self) -> &SystemScales {
        &self.prepared.scales
    }

    /// Number of components of the state.
    pub fn n_state(&self) -> usize {
        self.prepared.n_state()
    }

    /// The state at t = 0.
    pub fn initial_state(&self) -> Vec<f64> {
        let mut y = vec![0.0; self.n_state()];
        let n = self.prepared.n();
        y[..n].copy_from_slice(&self.system().position);
        y[n..2 * n].copy_from_slice(&self.system().velocity);
        let states = self.system().initial_states();
        y[2 * n..2 * n + states.len()].copy_from_slice(&states);
        y
    }

    /// Kinetic and elastic energy of a motion (J).
    pub fn stored(&mut self, motion: &Motion) -> f64 {
        self.prepared.stored(motion, &mut self.forces.residual)
    }

    /// The external load f(t) into `out` (N).
    pub fn external(&self, t: f64, out: &mut [f64]) {
        Forces::external(&self.prepared.system, &self.forces.elements, t, out);
    }

    /// Sliding velocity of contact `i` at the velocities `v` (m/s); zero if it is no more than the rounding of
    /// its terms.
    #[inline]
    pub fn sliding(&self, i: usize, v: &[f64]) -> f64 {
        self.forces.sliding(&self.prepared, i, v)
    }

    /// Reads the tables of signals from `t` on; they are read from there until the next call, also at the end
    /// of their pieces.
    pub(crate) fn set_clock(&mut self, t: f64) {
        if !self.prepared.system.elements.is_empty() {
            self.forces.elements.set_clock(t);
            self.event.is_clock_new = true;
        }
    }

    /// The table of an input; the clock has to be set after it has been written.
    pub(crate) fn input_table(&mut self, slot: InputSlot) -> Option<&mut TimeTable> {
        self.forces.elements.input_table(slot)
    }

    /// Where the first piece of a table ends, from where the clock was set; infinite if none does (s).
    pub(crate) fn clock_end(&self) -> f64 {
        self.forces.elements.end
    }

    /// Whether the friction forces follow from the sliding velocities alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.prepared.is_plain
    }

    /// An error if a contact is so steep that it settles between neighbouring times, or that its friction
    /// differs much between neighbouring sliding velocities, where these are differences of others.
    pub(crate) fn too_steep(&self, motion: &Motion) -> Option<Error> {
        self.system().contacts.iter().enumerate().find_map(|(i, contact)| {
            let belt = self.forces.contacts[i].belt;
            let terms = contact.direction.iter().zip(&motion.velocity).map(|(w, v)| (w * v).abs());
            let is_difference = belt != 0.0 || contact.direction.iter().filter(|w| **w != 0.0).count() > 1;
            let size = if is_difference { belt.abs() + terms.sum::<f64>() } else { 0.0 };
            let slope = motion.slope[i].abs();
            let parts = [size * slope / contact.load, motion.t * self.compliance(i) * slope];
            let law = contact.friction.law.name();
            let too_steep = Error::TooSteep { contact: i, law, t: motion.t, slope: slope / contact.load };
            parts.iter().any(|part| f64::EPSILON * part > NEIGHBOURS).then_some(too_steep)
        })
    }

    /// `wᵢᵀ M⁻¹ wᵢ` (1/kg).
    pub fn compliance(&self, i: usize) -> f64 {
        self.delassus(i, i)
    }

    /// `wᵢᵀ M⁻¹ wⱼ` (1/kg).
    pub(crate) fn delassus(&self, i: usize, j: usize) -> f64 {
        self.prepared.delassus(i, j)
    }

    /// The derivative of the state.
    #[inline]
    pub fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.forces.derivative(&self.prepared, &self.regime, t, y, dy);
    }

    /// The derivative of the state as it goes on from (t, y).
    pub(crate) fn derivative_after(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.forces.derivative(&self.prepared, &self.next, t, y, dy);
    }

    /// ∂ẏ/∂y without the work integrals, row-major.
    pub fn derivative_slopes(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        self.forces.derivative_slopes(&self.prepared, &self.regime, t, y, jac);
    }

    /// The whole motion at (t, y).
    pub fn motion(&mut self, t: f64, y: &[f64], out: &mut Motion) {
        self.forces.motion(&self.prepared, &self.regime, t, y, out);
    }

    /// The whole motion at (t, y) as it goes on from there.
    pub(crate) fn motion_after(&mut self, t: f64, y: &[f64], out: &mut Motion) {
        self.forces.motion(&self.prepared, &self.next, t, y, out);
    }

    /// Takes the sliding velocity out of the contacts that hold their load inside a dead zone (Karnopp), with
    /// the least change of kinetic energy.
    pub(crate) fn settle(&mut self, t: f64, y: &mut [f64]) {
        let Self { prepared, forces, regime, .. } = self;
        let settles = |i: usize| {
            prepared.contacts[i].answers && prepared.system.contacts[i].friction.law.graph() == Graph::Jump
        };
        if !(0..prepared.contacts.len()).any(settles) {
            return;
        }
        forces.evaluate(prepared, regime, t, y);
        let n = prepared.n();
        // one contact after the other; those that share a body settle over the following steps
        for (i, own) in forces.contacts.iter().enumerate().filter(|(i, _)| settles(*i)) {
            let contact = &prepared.system.contacts[i];
            let can_hold = |hold: FrictionBounds| (hold.low..=hold.high).contains(&(own.demand + hold.shift));
            if !contact.friction.law.friction_bounds(own.v, &[]).is_some_and(can_hold) {
                continue;
            }
            let v = &mut y[n..2 * n];
            let sliding = dot(&contact.direction, v) - own.belt;
            let mobility = &prepared.contacts[i].mobility;
            let own = dot(&contact.direction, mobility);
            v.iter_mut().zip(mobility).for_each(|(v, mobility)| *v -= mobility * sliding / own);
        }
    }
}

impl Ode for Dynamics {
    fn n(&self) -> usize {
        self.n_state()
    }
    fn n_passive(&self) -> usize {
        N_PASSIVE
    }
    fn sizes(&self, out: &mut [f64]) {
        self.prepared.state_sizes(out);
    }
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.derivative(t, y, dy);
    }
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        self.derivative_slopes(t, y, jac);
    }
    fn n_guards(&self) -> usize {
        self.n_kinks()
    }
    fn guards(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        self.kinks(t, y, out);
    }
    fn is_one_sided(&self, k: usize) -> bool {
        self.is_velocity(k)
    }
    fn may_vanish(&self, h: f64, start: [&[f64]; 2], end: [&[f64]; 2]) -> bool {
        self.may_kink(h, start, end)
    }
    fn land(&mut self, t: f64, y: &mut [f64], on: Option<&[usize]>) -> bool {
        self.land(t, y, on)
    }
    fn has_jumped(&self) -> bool {
        self.has_impacts()
    }
    fn go_on(&mut self) {
        self.go_on();
    }
    fn shortest_step(&self) -> Option<f64> {
        self.prepared.creep_time()
    }
    fn longest_step(&self) -> f64 {
        self.longest_step()
    }
    fn stiffness(&mut self, t: f64, y: &[f64]) -> f64 {
        self.forces.fastest_rate(&self.prepared, &self.regime, t, y)
    }
}

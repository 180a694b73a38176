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

mod constraints;
mod hybrid;
mod polish;
mod scales;
mod slopes;
mod stops;

use super::box_problem::BoxProblem;
use super::evaluated_elements::EvaluatedElements;
use super::inertia::Inertia;
use super::step_limits::marks;
use super::{Contact, InputSlot, Motion, System, TimeTable};
use crate::Error;
use crate::contact::{Basis, ContactMode, Distribution, Shares, Side};
use crate::law::{FrictionBounds, Graph, Law, SliderLag, Slip, StateSlopes};
use crate::math::dense::{Matrix, dot};
use crate::math::twice;
use hybrid::{ModeChange, SpringState};
use polish::PolishScratch;
pub(crate) use scales::limits;
use scales::{beyond, rates, sizes};
use std::ops::Range;
use stops::Stops;

/// Number of work integrals at the end of the state.
pub const N_PASSIVE: usize = 4;

/// A sum that is smaller than this part of its terms is rounding.
///
/// A state at rest on a moving surface would otherwise slide to and fro by the last bit, and break away
/// twice.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Friction coefficients of neighbouring velocities that differ by more, and times that are as near to each
/// other in terms of how fast a contact settles, leave no digits to the error control.
const NEIGHBOURS: f64 = 1e-6;

/// Least number of steps in a period of the load, where a state may rest.
const STEPS_PER_PERIOD: f64 = 8.0;

/// One state, prepared.
#[derive(Clone, Debug)]
struct ContactState {
    /// M⁻¹ w.
    mobility: Vec<f64>,
    /// Where the internal states of the law stand in the state; empty for laws without memory.
    memory: Range<usize>,
    /// Derivatives by the internal states.
    slopes: StateSlopes,
    /// Velocities of the kinks and bends; empty for laws that answer their demand.
    breakpoints: Vec<f64>,
    /// Speed beyond which the force is constant (m/s).
    flat: f64,
    /// Number of switches of the law by its internal states.
    n_switches: usize,
    /// Whether the law answers its demand at some velocity, but for set-valued laws.
    answers: bool,
    /// The one degree of freedom that the contact acts on, if it is one, and its entry of the direction.
    alone: Option<(usize, f64)>,
    /// Contacts that depend on each other and come to rest by laws that answer their demands, this one among
    /// them; empty if it is alone.
    partners: Vec<usize>,
    /// Whether the law is set-valued at rest.
    is_set_valued: bool,
    /// How a contact with a set-valued law stands, none before the start, and how it goes on.
    mode: Option<ContactMode>,
    next: Option<ContactMode>,
    /// The springs of a law that is made of them.
    springs: Vec<SpringState>,
    /// Whether the contact did not slide at the last event, and whether its limit was reached there.
    is_still: bool,
    at_limit: bool,
    /// Whether it has started to slip and keeps its static friction, while modes are resolved.
    is_static: bool,
    // at the last evaluation
    /// How the law answers its demand, where it does.
    hold: FrictionBounds,
    /// How the limits of the springs stand, where they depend on the velocity.
    lag: Option<SliderLag>,
    /// Normal load, which is negative while a contact under a varying load is open (N).
    normal: f64,
    /// Normal load that presses (N).
    load: f64,
    /// Velocity of the counter-surface (m/s).
    belt: f64,
    /// Its acceleration (m/s²).
    belt_rate: f64,
    v: f64,
    force: f64,
    /// Friction that keeps it at rest while it sticks, also where it yields (N).
    reaction: f64,
    /// How its margin at an event changes from there on (see `hybrid::resolution`).
    growth: f64,
    /// Demand that the law sees, without the viscous part (-).
    demand: f64,
}

/// A system prepared for evaluation. Evaluation never allocates and never fails.
#[derive(Clone, Debug)]
pub struct Dynamics {
    system: System,
    inertia: Inertia,
    states: Vec<ContactState>,
    /// G = Wᵀ M⁻¹ W of rigid stops and contacts.
    delassus: Matrix,
    /// Number of states of laws and feedback.
    n_memory: usize,
    /// Signals, varying contacts and feedback.
    elements: Option<Box<EvaluatedElements>>,
    /// Stops.
    stops: Option<Box<Stops>>,
    /// Whether the stiffness has no potential.
    is_circulatory: bool,
    /// Bound on the eigenvalues without friction (1/s).
    base_stiffness: f64,
    /// Bound on the eigenfrequencies (rad/s).
    oscillation: f64,
    /// Typical position (m) and velocity (m/s).
    sizes: [f64; 2],
    /// f(t) and then all loads that are not friction (N).
    load: Vec<f64>,
    residual: Vec<f64>,
    held: BoxProblem,
    /// What it is solved for: the constraints of the basis, and contacts with force-dependent laws.
    held_index: Vec<usize>,
    /// Constraints of the present modes, and how contacts share their forces.
    basis: Basis,
    shares: Shares,
    /// Scratch for other constraints.
    others: Basis,
    /// How contacts with force-dependent laws share their forces, where some are redundant.
    share: Option<Box<Distribution>>,
    /// The state and its derivative a little after an event.
    later: [Vec<f64>; 2],
    /// Scratch of the resolution of modes, and the time and contacts of one that found no consistent
    /// modes (s).
    changes: Vec<ModeChange>,
    undecided: Option<(f64, Vec<usize>)>,
    polish: PolishScratch,
    /// Scratch for the memory of the laws.
    remembered: Vec<f64>,
    /// Whether tables have reached their next pieces since the last event: loads and belts may have jumped.
    is_clock_new: bool,
    /// Whether all forces follow from the velocities: no law has memory or answers its demand.
    is_plain: bool,
    /// The entries of K and M, row by row, of systems in which most are zero.
    rows: [Vec<Vec<(usize, f64)>>; 2],
}

/// From so many degrees of freedom on, entries that are zero are left out of sums.
const MANY_DEGREES: usize = 16;

/// The entries of a matrix that are not zero, row by row; nothing of a small one.
fn entries(matrix: &Matrix) -> Vec<Vec<(usize, f64)>> {
    let row = |i: usize| matrix.row(i).iter().copied().enumerate().filter(|(_, a)| *a != 0.0).collect();
    if matrix.n_rows < MANY_DEGREES { Vec::new() } else { (0..matrix.n_rows).map(row).collect() }
}

/// The only degree of freedom that a contact acts on, and the entry of its direction; none if it acts on
/// several.
fn alone(contact: &Contact) -> Option<(usize, f64)> {
    let mut entries = contact.direction.iter().copied().enumerate().filter(|(_, w)| *w != 0.0);
    let first = entries.next()?;
    entries.next().is_none().then_some(first)
}

/// G = Wᵀ M⁻¹ W of rigid stops and contacts.
fn delassus(system: &System, states: &[ContactState], stops: Option<&Stops>) -> Matrix {
    let n_stops = system.elements.stops.len();
    let mut delassus = Matrix::zeros(n_stops + states.len(), n_stops + states.len());
    let mobility = |c: usize| match (c.checked_sub(n_stops), stops) {
        (Some(i), _) => &states[i].mobility[..],
        (None, Some(stops)) => stops.constraint(c)[1],
        (None, None) => &[],
    };
    for c in 0..delassus.n_rows {
        let contact = c.checked_sub(n_stops);
        let single = contact.and_then(|i| states[i].alone);
        for d in 0..delassus.n_rows {
            *delassus.at_mut(c, d) = match (single, contact) {
                (Some((k, w)), _) => w * mobility(d)[k],
                (None, Some(i)) => dot(&system.contacts[i].direction, mobility(d)),
                (None, None) => dot(&system.elements.stops[c].direction, mobility(d)),
            };
        }
    }
    delassus
}

impl Dynamics {
    /// Prepares a system that has passed its check; `None` if its mass matrix cannot be inverted, or if its
    /// parts are of different sizes.
    pub fn new(system: &System) -> Option<Self> {
        if !system.has_matching_sizes() {
            return None;
        }
        let (n, m) = (system.n(), system.contacts.len());
        let inertia = Inertia::new(&system.mass)?;
        let mut n_memory = 0;
        let mut states = Vec::with_capacity(m);
        for contact in &system.contacts {
            let law = &contact.friction.law;
            let mut mobility = contact.direction.clone();
            inertia.solve(&mut mobility);
            let first = 2 * n + n_memory;
            let memory = first..first + law.n_states();
            n_memory += memory.len();
            let is_set_valued = law.graph() == Graph::SetValued;
            let answers = law.friction_bounds(0.0, &[]).is_some() && !is_set_valued;
            let mut breakpoints = if answers { Vec::new() } else { marks(law) };
            // how a contact stands has switches of its own
            breakpoints.retain(|b| *b != 0.0 || !(is_set_valued || law.sliders().is_some()));
            let spring = |slider| SpringState { slider, slips: 0.0, next: 0.0 };
            states.push(ContactState {
                mobility,
                slopes: StateSlopes::new(memory.len()),
                memory,
                breakpoints,
                flat: if contact.friction.viscous == 0.0 { law.scales().flat_beyond } else { f64::INFINITY },
                n_switches: if answers { 0 } else { law.n_switches() },
                answers,
                alone: alone(contact),
                partners: Vec::new(),
                is_set_valued,
                mode: None,
                next: None,
                springs: law.sliders().unwrap_or_default().into_iter().map(spring).collect(),
                is_still: false,
                at_limit: false,
                is_static: false,
                hold: FrictionBounds::symmetric(0.0),
                lag: law.lag(0.0),
                normal: contact.load,
                load: contact.load,
                belt: contact.belt,
                belt_rate: 0.0,
                v: 0.0,
                force: 0.0,
                reaction: 0.0,
                growth: 0.0,
                demand: 0.0,
            });
        }
        let elements = EvaluatedElements::new(system);
        let stops = Stops::new(system, &inertia);
        let n_stops = system.elements.stops.len();
        let delassus = delassus(system, &states, stops.as_deref());
        n_memory += elements.as_ref().map_or(0, |elements| elements.feedback.initial.len());
        let [oscillation, base_stiffness] = rates(system, &inertia, elements.as_deref());
        let sizes = sizes(system, &inertia, base_stiffness);
        let is_plain = n_memory == 0
            && system.elements.is_empty()
            && !system.contacts.iter().any(|c| c.friction.law.friction_bounds(0.0, &[]).is_some());
        let (mut basis, mut others, mut shares) = (Basis::default(), Basis::default(), Shares::default());
        if n_stops > 0 || states.iter().any(|state| state.is_set_valued) {
            others.reserve(&delassus);
            if basis.reserve(&delassus) {
                shares.reserve([n_stops, m]);
            }
        }
        // contacts with force-dependent laws, and what they depend on
        let answering: Vec<usize> = (0..m).filter(|i| states[*i].answers).collect();
        let mut held = BoxProblem::new(n_stops + m);
        for (a, &i) in answering.iter().enumerate() {
            for (c, &j) in answering.iter().enumerate() {
                held.g[a * answering.len() + c] = delassus.at(n_stops + i, n_stops + j);
            }
        }
        let is_redundant = answering.len() > 1 && held.is_redundant(answering.len());
        let share = is_redundant.then(|| Box::new(Distribution::new(m)));
        if share.is_some() {
            let set = held.dependent_sets(answering.len());
            // Karnopp's law holds what it finds, whatever its velocity
            let settles = |&a: &usize| {
                let law = &system.contacts[answering[a]].friction.law;
                let within = law.scales().transition.and_then(|width| law.friction_bounds(0.5 * width, &[]));
                within.is_some_and(|hold| hold.shift != 0.0)
            };
            let settling: Vec<usize> = (0..answering.len()).filter(settles).collect();
            for &a in &settling {
                let of_set = settling.iter().filter(|&&b| set[b] == set[a]);
                let partners: Vec<usize> = of_set.map(|b| answering[*b]).collect();
                states[answering[a]].partners = if partners.len() > 1 { partners } else { Vec::new() };
            }
        }
        Some(Self {
            basis,
            shares,
            others,
            later: std::array::from_fn(|_| vec![0.0; 2 * n + n_memory + N_PASSIVE]),
            changes: Vec::with_capacity(4 * (n_stops + m) + 8),
            undecided: None,
            polish: PolishScratch::new(n),
            remembered: vec![0.0; n_memory],
            is_clock_new: false,
            inertia,
            states,
            delassus,
            n_memory,
            elements,
            stops,
            is_circulatory: system.stiffness.asymmetry().is_some(),
            base_stiffness,
            oscillation,
            sizes,
            load: vec![0.0; n],
            residual: vec![0.0; n],
            held,
            held_index: Vec::with_capacity(n_stops + m),
            share,
            is_plain,
            rows: [entries(&system.stiffness), entries(&system.mass)],
            system: system.clone(),
        })
    }

    /// The system as it was given.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Number of components of the state.
    pub fn n_state(&self) -> usize {
        2 * self.system.n() + self.n_memory + N_PASSIVE
    }

    /// The state at t = 0.
    pub fn initial_state(&self) -> Vec<f64> {
        let mut y = vec![0.0; self.n_state()];
        let n = self.system.n();
        y[..n].copy_from_slice(&self.system.position);
        y[n..2 * n].copy_from_slice(&self.system.velocity);
        let states = self.system.initial_states();
        y[2 * n..2 * n + states.len()].copy_from_slice(&states);
        y
    }

    /// Kinetic and elastic energy of a motion (J).
    pub fn stored(&mut self, motion: &Motion) -> f64 {
        // of a stiff structure most of K q cancels
        let mut energy = |matrix: &Matrix, rows: &[Vec<(usize, f64)>], x: &[f64]| {
            for (i, product) in self.residual.iter_mut().enumerate() {
                *product = 0.5
                    * match rows.get(i) {
                        Some(row) => twice::sum(row.iter().map(|&(j, a)| (a, x[j]))),
                        None => twice::dot(matrix.row(i), x),
                    };
            }
            dot(&self.residual, x)
        };
        let [stiff, heavy] = &self.rows;
        let curved = &self.system.elements.curved;
        energy(&self.system.stiffness, stiff, &motion.position)
            + energy(&self.system.mass, heavy, &motion.velocity)
            + self
                .system
                .elements
                .thresholds
                .iter()
                .map(|threshold| threshold.potential(&motion.position))
                .chain(curved.iter().map(|spring| spring.potential(motion.t, &motion.position)))
                .sum::<f64>()
    }

    /// Power of the part of the stiffness that has no potential, −q̇ᵀ ½(K − Kᵀ) q (W).
    fn circulatory_power(&self, q: &[f64], v: &[f64]) -> f64 {
        let k = &self.system.stiffness;
        let entry = |i: usize, j: usize| 0.5 * (k.at(i, j) - k.at(j, i));
        let row = |i: usize| (0..q.len()).map(|j| entry(i, j) * q[j]).sum::<f64>();
        -(0..v.len()).map(|i| v[i] * row(i)).sum::<f64>()
    }

    /// The external load f(t) into `out` (N).
    #[inline]
    pub fn external(&self, t: f64, out: &mut [f64]) {
        out.copy_from_slice(&self.system.constant);
        if let Some(elements) = &self.elements {
            elements.add_loads(t, out);
        }
        for harmonic in &self.system.harmonics {
            let sine = libm::sin(harmonic.omega * t + harmonic.phase);
            for (out, amplitude) in out.iter_mut().zip(&harmonic.amplitude) {
                *out += amplitude * sine;
            }
        }
    }

    /// Sliding velocity of state `i` at the velocities `v` (m/s); zero if it is no more than the rounding of
    /// its terms.
    #[inline]
    pub fn sliding(&self, i: usize, v: &[f64]) -> f64 {
        self.sliding_beyond(i, v, ROUNDING)
    }

    /// The same; zero if it is smaller than this part of its terms.
    #[inline]
    fn sliding_beyond(&self, i: usize, v: &[f64], rounding: f64) -> f64 {
        let contact = &self.system.contacts[i];
        let belt = self.states[i].belt;
        let (mut sum, mut size) = (-belt, belt.abs());
        for (w, v) in contact.direction.iter().zip(v) {
            sum += w * v;
            size += (w * v).abs();
        }
        if sum.abs() <= rounding * size { 0.0 } else { sum }
    }

    /// Where the states of feedback stand in the state.
    fn feedback_states(&self) -> Range<usize> {
        let end = 2 * self.system.n() + self.n_memory;
        end - self.elements.as_ref().map_or(0, |elements| elements.feedback.initial.len())..end
    }

    /// Reads the tables of signals from `t` on; they are read from there until the next call, also at the end
    /// of their pieces.
    pub(crate) fn set_clock(&mut self, t: f64) {
        if let Some(elements) = &mut self.elements {
            elements.set_clock(t);
            self.is_clock_new = true;
        }
    }

    /// The table of an input; the clock has to be set after it has been written.
    pub(crate) fn input_table(&mut self, slot: InputSlot) -> Option<&mut TimeTable> {
        self.elements.as_mut()?.input_table(slot)
    }

    /// Where the first piece of a table ends, from where the clock was set; infinite if none does (s).
    pub(crate) fn clock_end(&self) -> f64 {
        self.elements.as_ref().map_or(f64::INFINITY, |elements| elements.end)
    }

    /// Normal loads and belts at (t, y).
    #[inline]
    fn vary(&mut self, t: f64, y: &[f64]) {
        let Some(elements) = &self.elements else { return };
        let n = self.system.n();
        for k in 0..elements.n_contacts() {
            let (i, [normal, belt, rate]) = elements.contact(k, t, &y[..n], &y[n..2 * n]);
            let state = &mut self.states[i];
            (state.normal, state.load) = (normal, normal.max(0.0));
            (state.belt, state.belt_rate) = (belt, rate);
        }
        if let Some(stops) = &mut self.stops {
            elements.moving_stops(t).for_each(|(k, motion)| stops.move_to(k, motion));
        }
    }

    /// Whether the friction forces follow from the sliding velocities alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Speed beyond which the force of contact `i` is constant (m/s).
    pub(crate) fn flat_beyond(&self, i: usize) -> f64 {
        self.states[i].flat
    }

    /// A bound on the rates of the system without friction (1/s).
    pub fn base_rate(&self) -> f64 {
        self.base_stiffness
    }

    /// The fastest wave of a signal (rad/s).
    pub(crate) fn fastest_wave(&self) -> f64 {
        self.elements.as_ref().map_or(0.0, |elements| elements.fastest_wave())
    }

    /// The fastest wave of a load or a signal (rad/s).
    pub(crate) fn fastest_load(&self) -> f64 {
        let harmonics = self.system.harmonics.iter().map(|harmonic| harmonic.omega);
        harmonics.fold(self.fastest_wave(), f64::max)
    }

    /// A bound on the eigenfrequencies without friction and damping (rad/s).
    pub fn fastest_oscillation(&self) -> f64 {
        self.oscillation
    }

    /// A position (m) and a velocity (m/s) that are typical of the motion, from below: the initial state, the
    /// belts, and what loads and friction reach within one radian of the fastest rate. Zero if nothing moves;
    /// infinite if there is no rate.
    pub fn sizes(&self) -> [f64; 2] {
        self.sizes
    }

    /// Typical sizes of the components of the state, from below. Internal states have that of steady sliding.
    pub(crate) fn state_sizes(&self, out: &mut [f64]) {
        let n = self.system.n();
        out[..n].fill(self.sizes[0]);
        out[n..2 * n].fill(self.sizes[1]);
        for (contact, state) in self.system.contacts.iter().zip(&self.states) {
            let states = &mut out[state.memory.clone()];
            contact.friction.law.steady_states(self.sizes[1], states);
            states.iter_mut().for_each(|z| *z = z.abs());
            if let Some((i, speed)) = self.creeping(contact) {
                out[n + i] = out[n + i].min(speed);
            }
        }
    }

    /// The degree of freedom whose velocity is the sliding velocity of a contact that creeps, and the least
    /// speed that counts (m/s).
    fn creeping(&self, contact: &Contact) -> Option<(usize, f64)> {
        let speed = contact.friction.law.scales().creep_speed?;
        let mut driven = contact.direction.iter().enumerate().filter(|(_, w)| **w != 0.0);
        let (i, w) = driven.next()?;
        let is_alone = driven.next().is_none() && contact.belt == 0.0 && self.elements.is_none();
        is_alone.then_some((i, speed / w.abs()))
    }

    /// The time in which the slowest creep that counts is overcome by friction (s); none without such
    /// contacts.
    pub(crate) fn creep_time(&self) -> Option<f64> {
        let time = |(i, contact): (usize, &Contact)| {
            let (_, speed) = self.creeping(contact)?;
            Some(
                speed
                    / (self.compliance(i) * contact.load * contact.friction.law.bound())
                        .max(f64::MIN_POSITIVE),
            )
        };
        self.system.contacts.iter().enumerate().filter_map(time).reduce(f64::min)
    }

    /// A position (m) and a velocity (m/s) beyond every scale of the problem.
    pub(crate) fn limits(&self) -> [f64; 2] {
        beyond(self.sizes)
    }

    /// An error if the motion has left every scale of the problem.
    pub(crate) fn check_size(&self, motion: &Motion) -> Result<(), Error> {
        let limits = self.limits();
        for (numbers, limit) in [(&motion.position, limits[0]), (&motion.velocity, limits[1])] {
            if !numbers.iter().all(|x| x.is_finite() && x.abs() <= limit) {
                let state: Vec<f64> = motion.position.iter().chain(&motion.velocity).copied().collect();
                return Err(Error::diverged(motion.t, &state));
            }
        }
        Ok(())
    }

    /// An error if a contact is so steep that it settles between neighbouring times, or that its friction
    /// differs much between neighbouring sliding velocities, where these are differences of others.
    pub(crate) fn too_steep(&self, motion: &Motion) -> Option<Error> {
        self.system.contacts.iter().zip(&self.states).enumerate().find_map(|(i, (contact, state))| {
            let terms = contact.direction.iter().zip(&motion.velocity).map(|(w, v)| (w * v).abs());
            let is_difference =
                state.belt != 0.0 || contact.direction.iter().filter(|w| **w != 0.0).count() > 1;
            let size = if is_difference { state.belt.abs() + terms.sum::<f64>() } else { 0.0 };
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
        let n_stops = self.n_stops();
        self.delassus.at(n_stops + i, n_stops + j)
    }

    /// The friction forces at (t, y), into the states; leaves f − C q̇ − K q − Σ wᵢHᵢ in `residual`, f in
    /// `load`.
    #[inline]
    fn balance(&mut self, t: f64, y: &[f64]) {
        let n = self.system.n();
        if n == 1 && self.is_plain {
            self.balance_one(t, y[0], y[1]);
            return;
        }
        let (q, v) = (&y[..n], &y[n..2 * n]);
        self.vary(t, y);
        let mut load = std::mem::take(&mut self.load);
        self.external(t, &mut load);
        if let Some(elements) = &self.elements {
            let state = [q, v, &y[self.feedback_states()]];
            elements.add_feedback(t, state, &mut load);
            elements.add_thresholds(t, state, false, &mut load);
        }
        self.load = load;
        self.residual.copy_from_slice(&self.load);
        self.system.damping.add_product(-1.0, v, &mut self.residual);
        self.system.stiffness.add_product(-1.0, q, &mut self.residual);
        if let Some(elements) = &self.elements {
            elements.add_thresholds(t, [q, v, &y[self.feedback_states()]], true, &mut self.residual);
            elements.add_curved(t, q, &mut self.residual);
        }
        if let Some(stops) = &self.stops {
            stops.push(q, v, &mut self.residual);
        }

        // contacts whose force follows from their own velocity and memory
        self.held_index.clear();
        self.held_index.extend_from_slice(&self.basis.members);
        let n_stops = self.n_stops();
        for i in 0..self.states.len() {
            let sliding = self.sliding(i, v);
            let contact = &self.system.contacts[i];
            let state = &mut self.states[i];
            state.v = state.placed(sliding);
            let viscous = contact.friction.viscous * state.v;
            let (law, z) = (&contact.friction.law, &y[state.memory.clone()]);
            let phi = if let Some(ContactMode::Stick { yields, .. }) = state.mode {
                state.hold = law.friction_bounds(0.0, z).unwrap_or(state.hold);
                match yields {
                    None => 0.0,
                    Some(Side::High) => state.hold.high,
                    Some(Side::Low) => state.hold.low,
                }
            } else if let Some(hold) = law.friction_bounds(state.v, &[]).filter(|_| state.answers) {
                state.hold = hold;
                self.held_index.push(n_stops + i);
                viscous
            } else if state.is_static {
                if state.v > 0.0 { state.hold.high } else { state.hold.low }
            } else {
                let slip = Slip { v: state.v, demand: 0.0, z };
                if state.lag.is_some() {
                    state.lag = law.lag(state.v);
                }
                viscous
                    + match state.springs.is_empty() {
                        true => law.coefficient(slip),
                        false => state.spring_coefficient(z),
                    }
            };
            state.force = state.load * phi;
            for (r, w) in self.residual.iter_mut().zip(&contact.direction) {
                *r -= w * state.force;
            }
        }
        if !self.held_index.is_empty() {
            self.hold();
        }
    }

    /// The same for one degree of freedom with plain laws, number by number and to the same bits.
    ///
    /// Returns the work put in and the loss to friction, per time.
    #[inline(always)]
    fn balance_one(&mut self, t: f64, q: f64, v: f64) -> [f64; 2] {
        let System { constant, harmonics, damping, stiffness, contacts, .. } = &self.system;
        let mut load = constant[0];
        for harmonic in harmonics {
            load += harmonic.amplitude[0] * libm::sin(harmonic.omega * t + harmonic.phase);
        }
        let mut residual = load - damping.data[0] * v;
        residual -= stiffness.data[0] * q;
        let (mut work_in, mut friction_loss) = (load * v, 0.0);
        for (contact, state) in contacts.iter().zip(&mut self.states) {
            let (w, belt) = (contact.direction[0], contact.belt);
            let (sum, size) = (w * v - belt, (w * v).abs() + belt.abs());
            state.v = if sum.abs() <= ROUNDING * size { 0.0 } else { sum };
            let viscous = contact.friction.viscous * state.v;
            let slip = Slip { v: state.v, demand: 0.0, z: &[] };
            state.force = contact.load * (viscous + contact.friction.law.coefficient(slip));
            residual -= w * state.force;
            work_in -= state.force * belt;
            friction_loss += state.force * state.v;
        }
        (self.load[0], self.residual[0]) = (load, residual);
        [work_in, friction_loss]
    }

    /// The forces of the constraints and of force-dependent laws, on top of viscous parts.
    fn hold(&mut self) {
        let (h, n_members, n_stops) = (self.held_index.len(), self.basis.members.len(), self.n_stops());
        for a in 0..h {
            let c = self.held_index[a];
            let free = dot(self.constraint(c)[1], &self.residual);
            self.held.b[a] = free - self.constraint_belt(c)[1];
            if a >= n_members {
                let i = c - n_stops;
                let (own, state) = (self.delassus.at(c, c), &self.states[i]);
                let settling = own * state.load * state.hold.shift;
                self.held.b[a] += self.joint_rate(i).map_or(settling, |rate| rate * state.v);
            }
        }
        if h == n_members {
            self.held.force[..h].copy_from_slice(&self.held.b[..h]);
            self.basis.solve(&mut self.held.force[..h]);
        } else {
            self.balance_bounded(n_members);
        }
        for (a, &c) in self.held_index.iter().enumerate() {
            let direction = match (c.checked_sub(n_stops), &self.stops) {
                (Some(i), _) => &self.system.contacts[i].direction[..],
                (None, Some(stops)) => stops.constraint(c)[0],
                (None, None) => continue,
            };
            self.residual.iter_mut().zip(direction).for_each(|(r, w)| *r -= w * self.held.force[a]);
        }
        self.set_constraint_forces();
        for (a, &c) in self.held_index.iter().enumerate().skip(n_members) {
            let own = self.delassus.at(c, c);
            let state = &mut self.states[c - n_stops];
            let row = &self.held.g[a * h..(a + 1) * h];
            let others = dot(row, &self.held.force[..h]) - own * self.held.force[a];
            let demand = (self.held.b[a] - others) / (own * state.load) - state.hold.shift;
            // nothing is asked of an open contact
            state.demand = if state.load > 0.0 { demand } else { 0.0 };
            state.force += self.held.force[a];
        }
    }

    /// Solves for forces of which those beyond the first are bounded.
    fn balance_bounded(&mut self, n_members: usize) {
        let (h, n_stops) = (self.held_index.len(), self.n_stops());
        for (a, &c) in self.held_index.iter().enumerate() {
            let [low, high] = match c.checked_sub(n_stops).filter(|_| a >= n_members) {
                Some(i) => {
                    [self.states[i].hold.low, self.states[i].hold.high].map(|x| x * self.states[i].load)
                }
                None => [f64::NEG_INFINITY, f64::INFINITY],
            };
            (self.held.low[a], self.held.high[a]) = (low, high);
        }
        self.fill_held();
        self.held.solve(h);
        if self.held_index.iter().skip(n_members).any(|&c| !self.states[c - n_stops].partners.is_empty()) {
            // what such a contact is asked for depends on what the others hold
            if self.divide()
                && let Some(share) = &self.share
            {
                for (a, &c) in self.held_index.iter().enumerate().skip(n_members) {
                    self.held.force[a] = share.force[c - n_stops];
                }
            }
        }
    }

    /// G of what is solved for.
    fn fill_held(&mut self) {
        let h = self.held_index.len();
        for (a, &c) in self.held_index.iter().enumerate() {
            for (e, &d) in self.held_index.iter().enumerate() {
                self.held.g[a * h + e] = self.delassus.at(c, d);
            }
        }
    }

    /// How fast contact `i` comes to rest with the others that answer their demands and depend on it (1/s):
    /// like one contact with the friction of all, since what each asks of the others would contradict what
    /// these ask of it.
    fn joint_rate(&self, i: usize) -> Option<f64> {
        let rate = |&j: &usize| {
            let law = &self.system.contacts[j].friction.law;
            let width = law.scales().transition.unwrap_or(1.0);
            let half = law.friction_bounds(0.0, &[]).map_or(0.0, |hold| 0.5 * (hold.high - hold.low));
            self.compliance(j) * self.states[j].load * half / width
        };
        let partners = &self.states[i].partners;
        (!partners.is_empty()).then(|| partners.iter().map(rate).sum())
    }

    /// Divides the forces of redundant contacts with force-dependent laws; the motion does not change. Returns whether
    /// there are any.
    fn divide(&mut self) -> bool {
        let (h, first, n_stops) = (self.held_index.len(), self.basis.members.len(), self.n_stops());
        let Self { share, held, held_index, delassus, .. } = self;
        let Some(share) = share.as_mut().filter(|_| h > first + 1) else { return false };
        share.range.fill(None);
        for (a, c) in held_index.iter().enumerate().skip(first) {
            share.force[c - n_stops] = held.force[a];
            // one that is pressed against its bound keeps it
            share.range[c - n_stops] = (held.pull(h, a) == 0.0).then(|| [held.low[a], held.high[a]]);
        }
        share.divide(delassus, n_stops)
    }

    /// The same after an evaluation.
    fn distribute_reported(&mut self) {
        if !self.divide() {
            return;
        }
        let (first, n_stops) = (self.basis.members.len(), self.n_stops());
        let Some(share) = &self.share else { return };
        for (a, &c) in self.held_index.iter().enumerate().skip(first) {
            self.states[c - n_stops].force += share.force[c - n_stops] - self.held.force[a];
        }
    }

    /// The derivative of the state.
    #[inline]
    pub fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let n = self.system.n();
        if n == 1 && self.is_plain {
            return self.derivative_one(t, y, dy);
        }
        self.balance(t, y);
        let v = &y[n..2 * n];
        dy[..n].copy_from_slice(v);
        self.accelerate(&mut dy[n..2 * n]);

        let (mut work_in, mut friction_loss) = (dot(&self.load, v), 0.0);
        if self.is_circulatory {
            work_in += self.circulatory_power(&y[..n], v);
        }
        for (contact, state) in self.system.contacts.iter().zip(&self.states) {
            work_in -= state.force * state.belt;
            friction_loss += state.force * state.v;
            if !state.springs.is_empty() {
                state.spring_rates(&y[state.memory.clone()], &mut dy[state.memory.clone()]);
            } else if !state.memory.is_empty() {
                let slip = Slip { v: state.v, demand: 0.0, z: &y[state.memory.clone()] };
                contact.friction.law.state_dot(slip, &mut dy[state.memory.clone()]);
            }
        }
        if let Some(elements) = &self.elements {
            let x = self.feedback_states();
            elements.state_rates(t, [&y[..n], v, &y[x.clone()]], &mut dy[x]);
        }
        let mut viscous_loss = 0.0;
        for (i, v_i) in v.iter().enumerate() {
            viscous_loss += v_i * dot(self.system.damping.row(i), v);
        }
        if let Some(elements) = &self.elements {
            work_in += elements.curved_power(t, &y[..n]);
        }
        if let Some(stops) = &self.stops {
            work_in -= stops.moving_power(&y[..n], v);
        }
        let passive = 2 * n + self.n_memory;
        dy[passive] = work_in;
        dy[passive + 1] = viscous_loss;
        dy[passive + 2] = friction_loss;
        dy[passive + 3] = self.stops.as_ref().map_or(0.0, |stops| stops.power(&y[..n], v));
    }

    /// The acceleration at the last evaluation; exactly none where contacts at rest hold everything.
    #[inline]
    fn accelerate(&self, out: &mut [f64]) {
        if self.is_pinned() && self.stands_still() {
            return out.fill(0.0);
        }
        out.copy_from_slice(&self.residual);
        self.inertia.solve(out);
        if self.is_plain {
            return;
        }
        // what a contact holds by itself keeps up with its surface, without rounding
        for state in self.states.iter().filter(|state| state.sticks()) {
            if let Some((k, w)) = state.alone {
                out[k] = state.belt_rate / w;
            }
        }
    }

    /// The same for one degree of freedom with plain laws.
    #[inline]
    fn derivative_one(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let &[q, v, ..] = y else { return };
        let [work_in, friction_loss] = self.balance_one(t, q, v);
        let acceleration = self.inertia.solve_one(self.residual[0]);
        let viscous_loss = v * (self.system.damping.data[0] * v);
        dy.copy_from_slice(&[v, acceleration, work_in, viscous_loss, friction_loss, 0.0]);
    }

    /// The whole motion at (t, y).
    pub fn motion(&mut self, t: f64, y: &[f64], out: &mut Motion) {
        let n = self.system.n();
        self.balance(t, y);
        self.distribute_reported();
        out.t = t;
        out.position.copy_from_slice(&y[..n]);
        out.velocity.copy_from_slice(&y[n..2 * n]);
        out.states.iter_mut().zip(&y[2 * n..]).for_each(|(x, y)| *x = *y);
        // within a step the springs stand as they do, whatever comes at its end
        let has_states = !out.states.is_empty();
        for state in self.states.iter().filter(|_| has_states) {
            let slips = out.states[state.slip_places().start.max(2 * n) - 2 * n..].iter_mut();
            let own = state.springs.iter().take(state.slip_places().len());
            slips.zip(own).for_each(|(slips, spring)| *slips = spring.slips);
        }
        self.accelerate(&mut out.acceleration);
        for i in 0..self.states.len() {
            out.sliding[i] = self.states[i].v;
            out.friction[i] = self.states[i].force;
            out.slope[i] = self.slope(i, y);
        }
    }

    /// dH/dv of state `i` at the state of the last evaluation (N s/m).
    #[inline]
    fn slope(&self, i: usize, y: &[f64]) -> f64 {
        let (contact, state) = (&self.system.contacts[i], &self.states[i]);
        let slip = Slip { v: state.v, demand: state.demand, z: &y[state.memory.clone()] };
        state.load * (contact.friction.law.slope(slip) + contact.friction.viscous)
    }

    /// Number of switch functions.
    pub fn n_kinks(&self) -> usize {
        let own: usize = self.states.iter().map(|state| state.n_own_switches() + state.n_mode_guards()).sum();
        own + self.elements.as_ref().map_or(0, |elements| elements.n_contacts() + elements.n_thresholds())
            + self.stops.as_ref().map_or(0, |stops| stops.n_switches())
    }

    /// The switch functions: each changes its sign where the derivative of the state has a kink, or where a
    /// smooth law begins to bend.
    pub fn kinks(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        let n = self.system.n();
        if self.is_plain {
            return self.plain_kinks(&y[n..2 * n], out);
        }
        let is_asked = |state: &ContactState| state.answers || state.sticks();
        if self.states.iter().any(is_asked) || self.stops.is_some() {
            self.balance(t, y);
        }
        self.vary(t, y);
        let mut k = 0;
        for i in 0..self.states.len() {
            let sliding = self.sliding(i, &y[n..2 * n]);
            let (contact, state) = (&self.system.contacts[i], &self.states[i]);
            if !state.partners.is_empty() {
                // one of several that depend on each other may go on at its limit while others take what it
                // cannot: the error control sees
                // where all have reached theirs
                out[k..k + 4].fill(1.0);
                k += 4;
            } else if state.answers {
                // φ = c + μ clamp(s + clamp(ξ, −1, 1), −1, 1): both clamps have two ends
                let law = &contact.friction.law;
                let width = law.scales().transition.unwrap_or(1.0);
                let [c, mu] =
                    law.friction_bounds(0.0, &[]).map_or([0.0; 2], |FrictionBounds { low, high, .. }| {
                        [0.5 * (low + high), 0.5 * (high - low)]
                    });
                // a contact without friction has no switches
                let xi = if mu > 0.0 { (state.demand - c) / mu } else { 0.0 };
                let sum = sliding / width + xi.clamp(-1.0, 1.0);
                out[k..k + 4].copy_from_slice(&[xi - 1.0, xi + 1.0, sum - 1.0, sum + 1.0]);
                k += 4;
            } else {
                for b in &state.breakpoints {
                    out[k] = sliding - b;
                    k += 1;
                }
                if state.n_switches > 0 {
                    let slip = Slip { v: sliding, demand: 0.0, z: &y[state.memory.clone()] };
                    contact.friction.law.switches(slip, &mut out[k..k + state.n_switches]);
                    k += state.n_switches;
                }
                let n_mode_guards = state.n_mode_guards();
                self.mode_guards(i, sliding, y, &mut out[k..k + n_mode_guards]);
                k += n_mode_guards;
            }
        }
        // a contact opens where its normal load vanishes
        if let Some(elements) = &self.elements {
            for varying in 0..elements.n_contacts() {
                let state = &self.states[elements.load_slopes(varying).0];
                out[k] = if state.mode == Some(ContactMode::Open) { -state.normal } else { state.normal };
                k += 1;
            }
            let state = [&y[..n], &y[n..2 * n], &y[self.feedback_states()]];
            for threshold in 0..elements.n_thresholds() {
                out[k] = elements.excess(threshold, t, state);
                k += 1;
            }
        }
        if let Some(stops) = &self.stops {
            stops.switches(&y[..n], &y[n..2 * n], &mut out[k..]);
        }
    }

    /// The same where the velocities decide.
    #[inline]
    fn plain_kinks(&self, v: &[f64], out: &mut [f64]) {
        let mut slots = out.iter_mut();
        for (i, state) in self.states.iter().enumerate() {
            let sliding = self.sliding(i, v);
            state.breakpoints.iter().zip(&mut slots).for_each(|(b, slot)| *slot = sliding - b);
        }
    }

    /// Whether a switch function may vanish in a step of length `h` with these states and derivatives at its
    /// ends.
    ///
    /// Of plain laws the sliding velocities decide: cubics with the slopes of both ends, between their
    /// Bernstein coefficients (@farouki2012) and half as much again.
    pub(crate) fn may_kink(&self, h: f64, [y0, f0]: [&[f64]; 2], [y1, f1]: [&[f64]; 2]) -> bool {
        if !self.is_plain {
            return true;
        }
        let n = self.system.n();
        for (contact, state) in self.system.contacts.iter().zip(&self.states) {
            let mut coefficients = [-contact.belt; 4];
            for (k, w) in contact.direction.iter().enumerate() {
                let third = h / 3.0;
                let (v0, v1) = (y0[n + k], y1[n + k]);
                let own = [v0, v0 + third * f0[n + k], v1 - third * f1[n + k], v1];
                coefficients.iter_mut().zip(own).for_each(|(c, own)| *c += w * own);
            }
            let [a, b, c, d] = coefficients;
            let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            let more = 0.5 * (high - low);
            // not even a NaN is passed over
            if !state.breakpoints.iter().all(|point| *point < low - more || *point > high + more) {
                return true;
            }
        }
        false
    }

    /// The longest step in which no change of sign of a switch function is overlooked (s).
    ///
    /// A state that answers its demand rests while the load comes and goes: nothing moves, and steps would
    /// grow over whole periods. The same holds of a contact whose sliding velocity is prescribed.
    pub fn longest_step(&self) -> f64 {
        let is_prescribed = |contact: &Contact| contact.direction.iter().all(|w| *w == 0.0);
        if !self.states.iter().any(|state| state.answers || state.is_set_valued)
            && !self.system.contacts.iter().any(is_prescribed)
        {
            return f64::INFINITY;
        }
        std::f64::consts::TAU / self.fastest_load() / STEPS_PER_PERIOD
    }

    /// A bound on the fastest rate of change near the state (1/s).
    pub fn fastest_rate(&mut self, t: f64, y: &[f64]) -> f64 {
        if self.is_plain {
            // the slopes ask for the velocities only
            let n = self.system.n();
            for i in 0..self.states.len() {
                self.states[i].v = self.sliding(i, &y[n..2 * n]);
            }
        } else {
            self.balance(t, y);
        }
        let mut rate = self.base_stiffness + self.stops.as_ref().map_or(0.0, |stops| stops.rate());
        if let Some(elements) = &self.elements {
            let mut mobility = std::mem::take(&mut self.load);
            for (direction, stiffness) in elements.curved(t, &y[..self.system.n()]) {
                mobility.copy_from_slice(direction);
                self.inertia.solve(&mut mobility);
                rate += (stiffness * dot(direction, &mobility)).abs().sqrt();
            }
            self.load = mobility;
        }
        let n_stops = self.n_stops();
        for i in 0..self.states.len() {
            rate += self.compliance(i) * self.slope(i, y).abs();
            if self.is_plain {
                continue;
            }
            let (contact, state) = (&self.system.contacts[i], &mut self.states[i]);
            let slip = Slip { v: state.v, demand: 0.0, z: &y[state.memory.clone()] };
            match state.springs.is_empty() {
                true => contact.friction.law.state_slopes(slip, &mut state.slopes),
                false => state.set_spring_slopes(&y[state.memory.clone()]),
            }
            let StateSlopes { coefficient, dot_z, .. } = &state.slopes;
            let own: f64 = dot_z.iter().map(|slope| slope.abs()).sum();
            let pull: f64 = coefficient.iter().map(|slope| slope.abs()).sum();
            rate += own + (self.delassus.at(n_stops + i, n_stops + i) * state.load * pull).sqrt();
        }
        rate
    }

    /// Takes the sliding velocity out of the states that hold their load inside a dead zone (Karnopp), with
    /// the least change of kinetic energy. Returns whether anything was changed.
    pub(crate) fn settle(&mut self, t: f64, y: &mut [f64]) -> bool {
        let n = self.system.n();
        let resting = |law: &crate::law::FrictionLaw| {
            law.graph() == Graph::Jump && law.friction_bounds(0.0, &[]).is_some()
        };
        if !self.system.contacts.iter().any(|contact| resting(&contact.friction.law)) {
            return false;
        }
        self.balance(t, y);
        let mut changed = false;
        // one state after the other; those that share a body settle over the following steps
        for (contact, state) in self.system.contacts.iter().zip(&self.states) {
            let law = &contact.friction.law;
            let can_hold =
                |hold: FrictionBounds| (hold.low..=hold.high).contains(&(state.demand + hold.shift));
            if !resting(law) || !law.friction_bounds(state.v, &[]).is_some_and(can_hold) {
                continue;
            }
            let v = &mut y[n..2 * n];
            let sliding = dot(&contact.direction, v) - state.belt;
            let own = dot(&contact.direction, &state.mobility);
            for (v, mobility) in v.iter_mut().zip(&state.mobility) {
                *v -= mobility * sliding / own;
            }
            changed |= sliding != 0.0;
        }
        changed
    }
}

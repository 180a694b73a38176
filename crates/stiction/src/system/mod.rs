//! Mechanical systems with friction: `M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t)`, `vᵢ = wᵢ·q̇ − belt_i`,
//! `Hᵢ = Nᵢ φᵢ`.
//!
//! [`System`] is the plain model; [`Dynamics`] is the same system prepared for evaluation.
//!
//! ```
//! use stiction::Faults;
//! use stiction::law::{Coulomb, FrictionLaw};
//! use stiction::system::{Dynamics, Motion, System};
//!
//! let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: None });
//! let mut system = System::oscillator(2.0, 0.0, 1.0).with_friction(coulomb);
//! system.contacts[0].load = 10.0; // N
//! system.contacts[0].belt = 0.5; // m/s
//! assert!(Faults::of(|faults| system.check(faults)).is_empty());
//!
//! // the belt pulls the mass along: 2 kg under 3 N
//! let mut dynamics = Dynamics::new(&system).expect("a positive mass");
//! let mut motion = Motion::zero(1, 1);
//! dynamics.motion(0.0, &dynamics.initial_state(), &mut motion);
//! assert_eq!((motion.sliding[0], motion.friction[0], motion.acceleration[0]), (-0.5, -3.0, 1.5));
//! ```

mod box_problem;
mod curved;
mod drive;
mod dynamics;
mod evaluated_elements;
mod force_elements;
mod inertia;
mod input;
mod motion;
mod natural;
mod parameter;
mod prescribed;
mod signal;
mod signal_calculus;
mod step_limits;
mod sticking;
mod threshold;

pub use curved::CurvedSpring;
pub use drive::{AppliedLoad, BaseMotion, Drive};
pub(crate) use dynamics::limits;
pub use dynamics::{Dynamics, N_PASSIVE};
pub use force_elements::{ElasticStop, Feedback, ForceElements, RigidStop, SignalLoad, VaryingContact};
pub(crate) use inertia::Inertia;
pub use input::InputPlace;
pub(crate) use input::{InputSlot, SlotPlace};
pub use motion::Motion;
pub(crate) use natural::{RIGID, modal_rates, natural_modes, rayleigh};
pub use parameter::{Parameter, SystemNumber};
pub use prescribed::{Prescribed, PrescribedFault, PrescribedMotion, PrescribedRate};
pub use signal::{Polynomials, Signal, TimeTable, Wave, Window};
pub(crate) use sticking::{BristleStretch, STILL, Sticking};
pub use threshold::Threshold;

use crate::law::Friction;
use crate::math::dense::{Cholesky, Matrix};
use crate::{Error, Faults};

/// One friction contact of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The law and its viscous part.
    pub friction: Friction,
    /// Normal load N (N).
    pub load: f64,
    /// Direction w: the sliding velocity is w·q̇ − belt (-).
    pub direction: Vec<f64>,
    /// Velocity of the counter-surface along the direction (m/s).
    pub belt: f64,
}

/// A harmonic load: `amplitude · sin(omega t + phase)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Harmonic {
    /// Amplitude on each degree of freedom (N).
    pub amplitude: Vec<f64>,
    /// Angular frequency (rad/s).
    pub omega: f64,
    /// Phase at t = 0 (rad).
    pub phase: f64,
}

/// A mechanical system with friction, its loads and its initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Mass matrix M, symmetric and positive definite (kg).
    pub mass: Matrix,
    /// Damping matrix C (N s/m).
    pub damping: Matrix,
    /// Stiffness matrix K; without a potential where it is not symmetric (N/m).
    pub stiffness: Matrix,
    /// The friction contacts.
    pub contacts: Vec<Contact>,
    /// Constant load on each degree of freedom (N).
    pub constant: Vec<f64>,
    /// Harmonic loads.
    pub harmonics: Vec<Harmonic>,
    /// Initial positions (m).
    pub position: Vec<f64>,
    /// Initial velocities (m/s).
    pub velocity: Vec<f64>,
    /// Force elements: signals, varying contacts, stops, nonlinear springs, feedback.
    pub elements: ForceElements,
}

impl System {
    /// A system of one degree of freedom at rest, without friction and loads.
    pub fn oscillator(mass: f64, damping: f64, stiffness: f64) -> Self {
        Self {
            mass: Matrix::diagonal(&[mass]),
            damping: Matrix::diagonal(&[damping]),
            stiffness: Matrix::diagonal(&[stiffness]),
            contacts: Vec::new(),
            constant: vec![0.0],
            harmonics: Vec::new(),
            position: vec![0.0],
            velocity: vec![0.0],
            elements: ForceElements::default(),
        }
    }

    /// Adds a friction contact of unit load against the ground on the only degree of freedom.
    pub fn with_friction(mut self, friction: impl Into<Friction>) -> Self {
        self.contacts.push(Contact { friction: friction.into(), load: 1.0, direction: vec![1.0], belt: 0.0 });
        self
    }

    /// Adds the load `amplitude · sin(omega t)` to the only degree of freedom.
    pub fn with_force(mut self, amplitude: f64, omega: f64) -> Self {
        self.harmonics.push(Harmonic { amplitude: vec![amplitude], omega, phase: 0.0 });
        self
    }

    /// Whether there are force elements or an unsymmetric stiffness, beyond constant normal loads and
    /// harmonic forces.
    pub fn is_general(&self) -> bool {
        !self.elements.is_empty() || self.stiffness.asymmetry().is_some()
    }

    /// Whether the motion is linear between events, as the exact engine needs it: laws of straight pieces,
    /// which are flat under a normal load that varies, since load times slope times velocity is not linear.
    pub fn is_piecewise_linear(&self) -> bool {
        let is_linear = |(i, contact): (usize, &Contact)| {
            let law = &contact.friction.law;
            law.is_piecewise_linear() && (contact.friction.is_flat() || !self.elements.varies_load(i))
        };
        self.elements.curved.is_empty() && self.contacts.iter().enumerate().all(is_linear)
    }

    /// Number of degrees of freedom.
    pub fn n(&self) -> usize {
        self.mass.n_rows
    }

    /// The base moves by `amplitude · sin(omega t + phase)` along `direction`, and the whole system, contacts
    /// included, rides on it: `q` is measured from the base, and the load is `−M direction b̈`.
    pub fn shake(&mut self, direction: &[f64], amplitude: f64, omega: f64, phase: f64) {
        let mut load = vec![0.0; self.n()];
        self.mass.add_product(amplitude * omega * omega, direction, &mut load);
        self.harmonics.push(Harmonic { amplitude: load, omega, phase });
    }

    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        let n = self.n();
        if n == 0 {
            faults.push("mass", Error::Empty);
            return;
        }
        check_matrix(faults, "damping", &self.damping, n);
        for (key, matrix) in [("mass", &self.mass), ("stiffness", &self.stiffness)] {
            let is_sound = check_matrix(faults, key, matrix, n);
            if let Some([row, column]) = matrix.asymmetry().filter(|_| is_sound && key == "mass") {
                faults.push(key, Error::NotSymmetric { row, column });
            } else if key == "mass" && is_sound && n == 1 {
                faults.positive(key, matrix.at(0, 0));
            } else if key == "mass" && is_sound && Cholesky::new(matrix).is_none() {
                faults.push(key, Error::NotPositiveDefinite);
            }
        }
        for (i, contact) in self.contacts.iter().enumerate() {
            faults.within("friction", |faults| {
                faults.within(i.to_string(), |faults| {
                    contact.friction.check(faults);
                    if self.elements.contacts.iter().all(|varying| varying.contact != i) {
                        faults.positive("load", contact.load);
                    } else {
                        faults.finite("load", contact.load);
                    }
                    faults.finite("belt", contact.belt);
                    let finite = check_vector(faults, "direction", &contact.direction, n);
                    let is_given = contact.friction.law.follows_velocity() && self.elements.varies_belt(i);
                    if finite && contact.direction.iter().all(|w| *w == 0.0) && !is_given {
                        faults.push("direction", Error::ZeroDirection);
                    }
                })
            });
        }
        check_vector(faults, "constant", &self.constant, n);
        for (i, harmonic) in self.harmonics.iter().enumerate() {
            faults.within("force", |faults| {
                faults.within(i.to_string(), |faults| {
                    check_vector(faults, "amplitude", &harmonic.amplitude, n);
                    faults.positive("omega", harmonic.omega);
                    faults.finite("phase", harmonic.phase);
                })
            });
        }
        faults.within("initial", |faults| {
            check_vector(faults, "position", &self.position, n);
            check_vector(faults, "velocity", &self.velocity, n);
            if !self.elements.memory.is_empty() {
                check_vector(faults, "states", &self.elements.memory, self.n_memory());
            }
        });
        if self.position.len() == n && self.velocity.len() == n {
            self.elements.check(faults, self);
        }
        self.check_magnitudes(faults);
    }

    /// Scales of the system are within the domain that is supported. Small entries of matrices and vectors may be round-off.
    fn check_magnitudes(&self, faults: &mut Faults) {
        let largest = |all: &[f64]| all.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let least = (0..self.n()).map(|i| self.mass.at(i, i)).fold(f64::INFINITY, f64::min);
        let matrices = [("mass", &self.mass), ("damping", &self.damping), ("stiffness", &self.stiffness)];
        let matrices = matrices.map(|(key, matrix)| (key, largest(&matrix.data)));
        faults.scales(matrices.into_iter().chain([("mass", least), ("constant", largest(&self.constant))]));
        for (key, i, value) in
            (self.contacts.iter().enumerate().map(|(i, c)| ("friction", i, ("load", c.load))))
                .chain(self.contacts.iter().enumerate().map(|(i, c)| ("friction", i, ("belt", c.belt))))
                .chain(self.harmonics.iter().enumerate().map(|(i, h)| ("force", i, ("omega", h.omega))))
                .chain(
                    self.harmonics
                        .iter()
                        .enumerate()
                        .map(|(i, h)| ("force", i, ("amplitude", largest(&h.amplitude)))),
                )
        {
            faults.within(key, |faults| faults.within(i.to_string(), |faults| faults.scales([value])));
        }
        faults.within("initial", |faults| {
            faults.scales([("position", largest(&self.position)), ("velocity", largest(&self.velocity))]);
        });
    }

    /// Whether all matrices and vectors belong to the same number of degrees of freedom, which is not zero.
    pub fn has_matching_sizes(&self) -> bool {
        let n = self.n();
        let is_square =
            |matrix: &Matrix| matrix.n_rows == n && matrix.n_cols == n && matrix.data.len() == n * n;
        let is_vector = |vector: &Vec<f64>| vector.len() == n;
        n > 0
            && [&self.mass, &self.damping, &self.stiffness].into_iter().all(is_square)
            && [&self.constant, &self.position, &self.velocity].into_iter().all(is_vector)
            && self.harmonics.iter().map(|harmonic| &harmonic.amplitude).all(is_vector)
            && self.contacts.iter().map(|contact| &contact.direction).all(is_vector)
            && self.elements.has_matching_sizes(n, self.contacts.len())
            && (self.elements.memory.is_empty() || self.elements.memory.len() == self.n_memory())
    }

    /// Period of the first harmonic load; without one the longest of the signals (s).
    pub fn period(&self) -> Option<f64> {
        let first = self.harmonics.first().map(|h| std::f64::consts::TAU / h.omega);
        first.or_else(|| self.elements.period())
    }

    /// Whether nothing but belts, constant loads and feedback drives the system.
    pub fn is_autonomous(&self) -> bool {
        self.harmonics.iter().all(|harmonic| harmonic.amplitude.iter().all(|a| *a == 0.0))
            && self.elements.is_autonomous()
    }

    /// Moves the clock of all loads and signals on by `time`, so that t = 0 is that time from now on (s).
    pub fn begin_at(&mut self, time: f64) {
        self.harmonics.iter_mut().for_each(|harmonic| harmonic.phase += harmonic.omega * time);
        self.elements.signals_mut().for_each(|signal| signal.begin_at(time));
    }

    /// Number of internal states of the laws.
    pub fn n_memory(&self) -> usize {
        self.contacts.iter().map(|contact| contact.friction.law.n_states()).sum()
    }

    /// Sets the states at t = 0 beyond positions and velocities, as many as [`System::initial_states`] gives.
    pub fn set_initial_states(&mut self, states: &[f64]) {
        let (memory, feedback) = states.split_at(self.n_memory().min(states.len()));
        self.elements.memory = memory.to_vec();
        if let Some(own) = &mut self.elements.feedback {
            own.initial.iter_mut().zip(feedback).for_each(|(own, x)| *own = *x);
        }
    }

    /// The states at t = 0 beyond positions and velocities: of the laws with memory, then of feedback.
    pub fn initial_states(&self) -> Vec<f64> {
        let mut states = self.elements.memory.clone();
        if states.is_empty() {
            states.resize(self.n_memory(), 0.0);
        }
        states.extend(self.elements.feedback.iter().flat_map(|feedback| &feedback.initial));
        states
    }
}

fn check_vector(faults: &mut Faults, key: &str, vector: &[f64], n: usize) -> bool {
    if vector.len() != n {
        faults.push(key, Error::Counts { found: vector.len(), expected: n, of: "degrees of freedom" });
        return false;
    }
    check_numbers(faults, key, vector)
}

fn check_numbers(faults: &mut Faults, key: &str, numbers: &[f64]) -> bool {
    numbers.iter().all(|x| faults.finite(key, *x))
}

fn check_matrix(faults: &mut Faults, key: &str, matrix: &Matrix, n: usize) -> bool {
    if matrix.n_rows != n || matrix.n_cols != n {
        faults.push(key, Error::Shape { rows: matrix.n_rows, columns: matrix.n_cols, expected: n });
        return false;
    }
    matrix.data.iter().all(|x| faults.finite(key, *x))
}

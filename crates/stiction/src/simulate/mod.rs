//! Integrators: steppers step, one driver samples, finds events and records.
//!
//! | name | for | what it promises |
//! |---|---|---|
//! | `incremental` | laws of the velocity alone | the numbers of @ragulskis2017; reports its drift off the law |
//! | `rk4` | continuous laws, and jumps for comparison | fixed step, order 4 between kinks |
//! | `adaptive` | all laws but those with a jump | error control, full order across the kinks of the laws, implicit where they are steep; set-valued laws stick exactly |
//! | `exact` | Coulomb and every polyline | no step size: closed form from event to event, the first event for certain |
//!
//! A method refuses a law that it would integrate wrongly: a wrong answer is worse than an error.
//!
//! ```
//! use stiction::law::{FrictionLaw, Lugre};
//! use stiction::ode::Adaptive;
//! use stiction::simulate::{Integrator, Plan, drive};
//! use stiction::system::System;
//! use stiction::{Faults, Progress};
//!
//! let bristles = Lugre { mu: 0.3, mu_static: 0.4, velocity: 0.1, stiffness: 1e3, damping: 10.0, exponent: None };
//! let system = System::oscillator(1.0, 0.0, 1.0).with_friction(FrictionLaw::Lugre(bristles)).with_force(1.0, 0.5);
//! // LuGre has memory: the incremental scheme and the exact engine refuse it
//! assert_eq!(Faults::of(|faults| Integrator::Exact.admit(&system, faults)).len(), 1);
//! let adaptive = Integrator::Adaptive(Adaptive::default());
//! let record = drive(&system, &adaptive, &Plan::new(50.0, 101), &mut Progress::none())?;
//! assert_eq!(record.samples.position[0].len(), 101);
//! assert!(record.energy_share() < 1e-4);
//! # Ok::<(), stiction::Error>(())
//! ```

mod budget;
mod drive;
mod fixed;
mod incremental;
mod instants;
mod on_exact;
mod on_ode;
mod rk4;
mod session;
mod stepper;
mod stick_log;
mod uniqueness;
mod verdict;
mod wear;

pub use crate::error::Refusal;
pub use crate::record::{Balance, Range, Ranges, Samples};
pub use drive::{Plan, Record, drive, drive_partly};
pub use incremental::Incremental;
pub(crate) use on_exact::OnExact;
pub(crate) use on_ode::OnOde;
pub use rk4::Rk4;
pub use session::{Session, SessionInput, SessionState};
pub(crate) use stepper::Propagator;
pub use stepper::Stepper;
pub(crate) use stick_log::StickLog;
pub use wear::{ActuatorWork, ContactWear, Wear, WearOf};

use crate::exact::Exact;
use crate::law::{Graph, Law};
use crate::ode::Adaptive;
use crate::system::{Dynamics, Harmonic, System};
use crate::{Error, Faults};

/// A method by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Integrator {
    /// The incremental scheme of @ragulskis2017 with a fixed step (s).
    Incremental {
        /// Length of the step (s).
        step: f64,
    },
    /// The classical fourth-order Runge–Kutta method with a fixed step.
    Rk4 {
        /// Length of the step (s).
        step: f64,
    },
    /// Error-controlled steps of high order.
    Adaptive(Adaptive),
    /// From event to event in closed form.
    Exact,
}

/// The longest run that is started at all: some minutes of fixed steps.
pub const MAX_STEPS: f64 = 1e10;

/// Least number of fixed steps in a period of a harmonic load. The trapezoidal rule lengthens an oscillation
/// by (2π/n)²/12 of its period, 3 % with ten steps; with two it may sample the load at its zeros only.
pub const LEAST_STEPS: f64 = 10.0;

/// |hλ| up to which RK4 is stable on the negative real axis.
const RK4_STABILITY: f64 = 2.785;

/// |hλ| up to which RK4 is stable on the imaginary axis, 2√2: an oscillation without damping.
const RK4_OSCILLATION: f64 = 2.0 * std::f64::consts::SQRT_2;

impl Integrator {
    /// The name that users write.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Incremental { .. } => "incremental",
            Self::Rk4 { .. } => "rk4",
            Self::Adaptive(_) => "adaptive",
            Self::Exact => "exact",
        }
    }

    /// Length of the step of a method that keeps to one (s).
    pub fn step(&self) -> Option<f64> {
        match self {
            Self::Incremental { step } | Self::Rk4 { step } => Some(*step),
            Self::Adaptive(_) | Self::Exact => None,
        }
    }

    /// Starts the method at t = 0; fixed steps end at `t_end`.
    fn start(&self, system: &System, t_end: f64) -> Result<Box<dyn Stepper>, Error> {
        self.know(system)?;
        let dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
        Ok(match self {
            Self::Incremental { step } => Box::new(Incremental::start(dynamics, *step, t_end)?),
            Self::Rk4 { step } => Box::new(Rk4::start(dynamics, *step, t_end)?),
            Self::Adaptive(settings) => Box::new(OnOde::start(dynamics, settings)?),
            Self::Exact => Box::new(OnExact::start(dynamics)?),
        })
    }

    /// The method for any start, if there is one; it has to be started.
    pub(crate) fn propagator(&self, system: &System) -> Result<Box<dyn Propagator>, Error> {
        self.know(system)?;
        let dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
        match self {
            Self::Adaptive(settings) => Ok(Box::new(OnOde::new(dynamics, settings))),
            Self::Exact => Ok(Box::new(OnExact::start(dynamics)?)),
            _ => Err(Error::NoSession { integrator: self.name() }),
        }
    }

    /// Refuses a system that this method would integrate wrongly; the faults stand at `friction.<i>.<law>`.
    pub fn admit(&self, system: &System, faults: &mut Faults) {
        let Some(dynamics) = Dynamics::new(system) else { return };
        if let Err(error) = self.know_parts(system) {
            let key = match error {
                Error::CurvedSprings => "spring",
                _ => "",
            };
            faults.push(key, error);
        }
        if *self == Self::Exact
            && system.is_general()
            && let Err(error @ Error::LoadTimesSlope { .. }) = Exact::new(system)
        {
            faults.push("friction", error);
        }
        for (i, contact) in system.contacts.iter().enumerate() {
            let law = &contact.friction.law;
            let refusal = match self {
                Self::Exact if law.graph() == Graph::SetValued && law.has_memory() => Some(Refusal::Ages),
                Self::Exact => (!law.is_piecewise_linear()).then_some(Refusal::Curved),
                Self::Incremental { .. } | Self::Rk4 { .. } if law.graph() == Graph::SetValued => {
                    Some(Refusal::SetValued)
                }
                Self::Incremental { .. } | Self::Rk4 { .. } if law.sliders().is_some() => {
                    Some(Refusal::Springs)
                }
                Self::Incremental { .. } | Self::Adaptive(_) if law.graph() == Graph::Jump => {
                    Some(Refusal::Jump)
                }
                Self::Incremental { .. } if law.friction_bounds(0.0, &[]).is_some() => Some(Refusal::Demand),
                Self::Incremental { .. } if law.has_memory() => Some(Refusal::Memory),
                Self::Rk4 { step } if law.graph() == Graph::Continuous => {
                    let rate = contact.load * law.steepest() * dynamics.compliance(i);
                    (step * rate > RK4_STABILITY)
                        .then_some(Refusal::TooSteep { step: *step, limit: RK4_STABILITY / rate })
                }
                _ => None,
            };
            if let Some(reason) = refusal {
                let error = Error::Refused { integrator: self.name(), law: law.name(), reason };
                faults.within("friction", |faults| {
                    faults.within(i.to_string(), |faults| faults.push(law.name(), error))
                });
            }
        }
    }

    /// An error if the system has parts that this method does not know, by itself or together with a law.
    pub(crate) fn know(&self, system: &System) -> Result<(), Error> {
        self.know_parts(system)?;
        self.resolves_loads(system)
    }

    /// An error if a fixed step has fewer than [`LEAST_STEPS`] in a period of a harmonic load.
    pub fn resolves_loads(&self, system: &System) -> Result<(), Error> {
        let acts = |harmonic: &&Harmonic| harmonic.amplitude.iter().any(|a| *a != 0.0);
        let omega = system.harmonics.iter().filter(acts).map(|harmonic| harmonic.omega).fold(0.0, f64::max);
        let period = std::f64::consts::TAU / omega;
        match self.step() {
            // a whole number of steps may miss by its rounding
            Some(step) if period < LEAST_STEPS * step * (1.0 - f64::EPSILON.sqrt()) => {
                Err(Error::FewSteps { integrator: self.name(), step, period, least: LEAST_STEPS })
            }
            _ => Ok(()),
        }
    }

    fn know_parts(&self, system: &System) -> Result<(), Error> {
        let knows = match self {
            Self::Exact if !system.elements.curved.is_empty() => return Err(Error::CurvedSprings),
            Self::Exact => true,
            Self::Adaptive(_) => true,
            Self::Rk4 { .. } => system.elements.is_empty(),
            Self::Incremental { .. } => !system.is_general(),
        };
        if knows {
            return Ok(());
        }
        Err(Error::OnlyExact { integrator: self.name() })
    }
}

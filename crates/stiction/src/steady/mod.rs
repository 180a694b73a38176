//! Steady states: periodic motions as fixed points of the map over one period, their stability and how they
//! change.
//!
//! ```text
//!   x = [q, q̇, z] at t = 0,   P(x) the state one period later,   P(x) = x
//! ```
//!
//! Newton's method with the exact derivative of P finds a fixed point in a few periods of work; the
//! eigenvalues of the derivative (Floquet multipliers) say whether it is stable. Phases at rest make the
//! derivative singular, which only speeds the search up. Several periodic motions may coexist; without
//! damping there may be a continuum of them, and then the one found depends on the start, which is why every
//! [`Orbit`] says where the search for it began. Of the continuum that stuck contacts leave the motion with
//! the friction forces in the middle of their limits is reported, unless `starts` of [`Steady`] lead to another
//! one.
//!
//! The exact engine carries the derivative through every phase and event in closed form; the adaptive one
//! integrates the variational equation along its steps, to about nine digits, fewer in steep laws; of
//! structures both follow from what happens at the contacts, in natural modes (`condensed`). The fixed point
//! itself is as good as the motion in both: the derivative only bears on the speed of the search and on the
//! multipliers.
//!
//! | the question | ask |
//! |---|---|
//! | periodic motions of a system | [`Steady::find`] |
//! | the one near a state | [`Steady::from`] |
//! | how it changes with a parameter | [`sweep`], [`Continuation`] through folds |
//! | all that remains after a transient, periodic or not | [`bifurcation`] |
//!
//! ```
//! use stiction::Progress;
//! use stiction::law::{FrictionLaw, Linear};
//! use stiction::steady::{State, Steady};
//! use stiction::system::System;
//!
//! let ramp = FrictionLaw::Linear(Linear { mu: 0.5, width: 1e-3, rise: None, rise_height: None });
//! let system = System::oscillator(1.0, 0.0, 1.0).with_friction(ramp).with_force(1.0, 0.7);
//! let orbit = Steady::default().from(&system, &State::rest(1), &mut Progress::none())?;
//! assert_eq!(orbit.multipliers.len(), 2);
//! assert!(orbit.is_stable() && orbit.is_symmetric);
//! # Ok::<(), stiction::Error>(())
//! ```

mod autonomous;
mod bifurcation;
mod branch;
mod condensed;
mod continuation;
mod cost;
mod extremum;
mod flow;
mod identity;
mod linear;
mod measure;
mod newton;
mod orbit;
mod starts;
mod stops;
mod stuck;
mod sweep;
mod trail;

pub use bifurcation::{Bifurcation, Section, bifurcation, bifurcation_onto};
pub use branch::{Branch, BranchEnd, BranchPlace};
pub use condensed::is_condensed;
pub use continuation::Continuation;
pub use cost::shooting_work;
pub use extremum::{Extreme, Extremum, extremum};
pub use flow::know;
pub use linear::{linear_amplitude, linear_resonances};
pub use orbit::{Convergence, CycleEnergy, Fundamental, Multiplier, Orbit, Stability, State};
pub use starts::default_starts;
pub use sweep::{Point, sweep, sweep_onto};
pub use trail::Trail;

use crate::ode::Adaptive;
use crate::record::Balance;
use crate::simulate::{Integrator, Propagator};
use crate::system::System;
use crate::{Error, Faults, Progress};
use condensed::CondensedFlow;
use flow::Flow;
use identity::{is_continuum, is_same, is_unresolved};
use newton::{Fixed, Norm};
use orbit::{multipliers, stability};

/// What carries the motion.
#[derive(Clone, Debug, PartialEq)]
pub enum Engine {
    /// From event to event; for laws whose graph is a polyline.
    Exact,
    /// Error-controlled steps; for continuous laws, with memory or without.
    Adaptive(Adaptive),
}

impl Engine {
    /// The exact engine where it applies, else the adaptive one with tight tolerances.
    pub fn of(system: &System) -> Self {
        if system.is_piecewise_linear() {
            Self::Exact
        } else {
            Self::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() })
        }
    }

    fn propagator(&self, system: &System) -> Result<Box<dyn Propagator>, Error> {
        know(system)?;
        let Self::Adaptive(settings) = self else { return Integrator::Exact.propagator(system) };
        let integrator = Integrator::Adaptive(settings.clone());
        let refused = Faults::of(|faults| integrator.admit(system, faults));
        if let Some(fault) = refused.into_iter().next() {
            return Err(fault.error);
        }
        match CondensedFlow::new(system, settings) {
            Some(flow) => Ok(Box::new(flow)),
            None => integrator.propagator(system),
        }
    }

    /// The smallest residual that its rounding and its tolerance leave room for.
    fn floor(&self) -> f64 {
        match self {
            Self::Exact => 1e-15,
            Self::Adaptive(settings) => 10.0 * settings.rtol,
        }
    }
}

/// How to look for periodic motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Steady {
    /// Periods of the first harmonic load, or of the longest signal, in one period of the motion (-).
    pub subharmonic: u32,
    /// Where to start; the set of [`default_starts`] if empty.
    pub starts: Vec<State>,
    /// What carries the motion; chosen by [`Engine::of`] if absent.
    pub engine: Option<Engine>,
    /// The degree of freedom whose amplitude and phase are measured, from 0.
    pub dof: usize,
    /// Periods to run before the search (-).
    pub transient: u32,
    /// Largest distance between a state and its image, relative to the motion (-).
    pub tolerance: f64,
    /// Periods that the search may use up before it gives a start up (-).
    pub max_periods: u32,
}

impl Default for Steady {
    fn default() -> Self {
        Self {
            subharmonic: 1,
            starts: Vec::new(),
            engine: None,
            dof: 0,
            transient: 2,
            tolerance: 1e-13,
            max_periods: 2000,
        }
    }
}

/// Periodic motions as one, if their states differ by less, relative to the motion.
const SAME: f64 = 1e-8;
/// Times its rounding, the distance from the unit circle within which a multiplier is on it: a multiplier
/// that two motions share loses digits.
const NEUTRAL: f64 = 100.0;

impl Steady {
    /// Writes every fault into `faults`.
    pub fn check(&self, system: &System, faults: &mut Faults) {
        let n = system.n();
        if self.subharmonic == 0 {
            faults.push("subharmonic", Error::NotPositive(0.0));
        }
        faults.positive("tolerance", self.tolerance);
        if self.dof >= n {
            faults.push(
                "dof",
                Error::NotBelow {
                    value: self.dof as f64,
                    limit: n as f64,
                    because: "there are no more degrees of freedom",
                },
            );
        }
        for start in &self.starts {
            for list in [&start.position, &start.velocity] {
                if list.len() != n {
                    faults.push(
                        "starts",
                        Error::Counts { found: list.len(), expected: n, of: "degrees of freedom" },
                    );
                }
            }
        }
    }

    /// The periodic motions that the starts lead to, each once, in the order found. The system must have
    /// passed its check. `progress` receives the part of the work done now and then.
    pub fn find(&self, system: &System, progress: &mut Progress) -> Result<Vec<Orbit>, Error> {
        let starts = self.starts(system);
        let length = starts::reference(system).0;
        let mut orbits: Vec<Orbit> = Vec::new();
        let mut misses = Vec::new();
        for (i, start) in starts.iter().enumerate() {
            let n = starts.len() as f64;
            let mut part = progress.part(i as f64 / n, (i + 1) as f64 / n);
            part.report(0.0)?;
            match self.from(system, start, &mut part) {
                Ok(orbit) => {
                    // of a continuum one motion is enough, unless a state of one's own leads to it
                    let norm = Norm::new(system, orbit.period);
                    let is_known = |known: &Orbit| {
                        is_same(known, &orbit, system.is_autonomous(), length)
                            || is_unresolved(known, &orbit, &norm)
                            || (self.starts.is_empty() && is_continuum(known, &orbit, &norm))
                    };
                    if !orbits.iter().any(is_known) {
                        orbits.push(orbit);
                    }
                }
                // a start may lead where the engine cannot follow, others not
                Err(error) if is_of_one_motion(&error) => misses.push(error),
                Err(error) => return Err(error),
            }
        }
        if orbits.is_empty() {
            return Err(nearest_miss(misses));
        }
        Ok(orbits)
    }

    fn starts(&self, system: &System) -> Vec<State> {
        if self.starts.is_empty() { default_starts(system) } else { self.starts.clone() }
    }

    /// The periodic motion that one start leads to. `progress` receives the used part of what the search may
    /// use up.
    pub fn from(&self, system: &System, start: &State, progress: &mut Progress) -> Result<Orbit, Error> {
        let engine = self.engine.clone().unwrap_or_else(|| Engine::of(system));
        let tolerance = self.tolerance.max(engine.floor());
        let is_autonomous = system.is_autonomous();
        let forced = if system.period().is_none() { Ok(0.0) } else { self.period(system) };
        let by_itself = if is_autonomous { autonomous::longest(system) } else { 0.0 };
        let periods = f64::from(self.transient) + f64::from(self.max_periods);
        let longest = by_itself + forced.as_ref().map_or(0.0, |period| period * periods);
        let flow = &mut Flow::new(engine.propagator(system)?, progress.part(0.0, 1.0), longest);
        if is_autonomous {
            match (autonomous::orbit(self, flow, system, start, tolerance), &forced) {
                // a load of no size has a period nevertheless, and what rests repeats itself in any
                (Err(Error::NoPeriodicMotion { .. }), Ok(period)) if *period > 0.0 => {}
                (found, _) => return found,
            }
        }
        let period = forced?;
        let norm = Norm::new(system, period / self.subharmonic as f64);
        let mut x = start.to_vec(flow.n_state());
        newton::run(flow, period, &mut x, self.transient)?;
        let mut fixed =
            newton::fixed_point(flow, period, &norm, x, (tolerance, self.max_periods)).map_err(|error| {
                match error {
                    Error::OnlySubharmonic { order } => {
                        Error::OnlySubharmonic { order: order.saturating_mul(self.subharmonic) }
                    }
                    error => error,
                }
            })?;
        let order = self.shorter(flow, period, &norm, &mut fixed, tolerance)?;
        let period = period * order as f64 / self.subharmonic as f64;
        // a motion that grows without end, as at resonance, comes back to itself to rounding once it is large
        // enough
        let (size, length) = (norm.size(&fixed.x, &fixed.x), starts::reference(system).0);
        // the image is rounded to the size of the motion
        if size > LARGE * length && fixed.residual.max(8.0 * f64::EPSILON) * size > GAP * length {
            return Err(Error::GrowsWithoutEnd { size });
        }
        self.describe(flow, system, fixed, (period, order, false), start)
    }

    /// The period asked for, if all loads repeat themselves in it (s).
    fn period(&self, system: &System) -> Result<f64, Error> {
        let base = system.period().unwrap_or(0.0);
        let period = base * self.subharmonic as f64;
        for (i, harmonic) in system.harmonics.iter().enumerate() {
            let cycles = harmonic.omega * period / std::f64::consts::TAU;
            if (cycles - cycles.round()).abs() > 1e-9 * cycles {
                return Err(Error::NotPeriodic { harmonic: Some(i), cycles });
            }
        }
        system.elements.repeats(period)?;
        Ok(period)
    }

    /// Looks whether the motion repeats itself sooner than it was asked to. Returns its true order.
    fn shorter(
        &self,
        flow: &mut Flow,
        period: f64,
        norm: &Norm,
        fixed: &mut Fixed,
        tolerance: f64,
    ) -> Result<u32, Error> {
        let order = self.subharmonic;
        for part in (1..order).filter(|part| order.is_multiple_of(*part)) {
            let period = period * part as f64 / order as f64;
            let mut image = fixed.x.clone();
            newton::run(flow, period, &mut image, 1)?;
            if norm.distance(&fixed.x, &image) <= SAME * norm.size(&fixed.x, &image) {
                let again = newton::fixed_point(flow, period, norm, fixed.x.clone(), (tolerance, 4))?;
                *fixed = Fixed { iterations: fixed.iterations, periods: fixed.periods, ..again };
                return Ok(part);
            }
        }
        Ok(order)
    }

    /// Measures the motion; one that is free can be shifted in time.
    fn describe(
        &self,
        flow: &mut Flow,
        system: &System,
        mut fixed: Fixed,
        (period, subharmonic, is_free): (f64, u32, bool),
        start: &State,
    ) -> Result<Orbit, Error> {
        flow.dynamics().polish_creep(0.0, &mut fixed.x, &mut vec![0.0; system.n()]);
        let mut measures = measure::measure(flow, system, &fixed.x, period, self.dof)?;
        let keeps = self.starts.contains(start);
        if !is_free
            && let Some(stuck) = stuck::stuck_member(self, system, (&fixed, &measures), (period, keeps))?
        {
            (fixed, measures) = stuck;
        }
        let norm = Norm::new(system, period);
        let turned_over = norm.reference().powi(2)
            * system.stiffness.norm().max(system.mass.norm() * norm.omega * norm.omega);
        check_balance(&measures.balance, measures.exchange, flow.accuracy(), turned_over)?;
        let multipliers = multipliers(&fixed.slopes);
        let rounding = NEUTRAL * flow.slope_rounding() * norm.operator(&fixed.slopes).max(1.0);
        let stability = stability(&multipliers, is_free, rounding);
        Ok(Orbit {
            period,
            subharmonic,
            state: State::from_slice(&fixed.x, system.n()),
            start: start.clone(),
            multipliers,
            monodromy: fixed.slopes,
            stability,
            convergence: Convergence {
                residual: fixed.residual,
                iterations: fixed.iterations,
                periods: fixed.periods,
            },
            amplitude: measures.amplitude,
            extent: measures.extent,
            fundamental: measures.fundamental,
            energy: CycleEnergy {
                friction_loss: measures.balance.friction_loss,
                viscous_loss: measures.balance.viscous_loss,
                impact_loss: measures.balance.impact_loss,
                work_in: measures.balance.work_in,
                exchange: measures.exchange,
            },
            stops: measures.stops,
            stick_fraction: measures.stick_fraction,
            is_symmetric: measures.is_symmetric,
            events: measures.events,
        })
    }
}

/// Parts of the work, and of what loads and motion exchange to and fro, to which a cycle closes.
const BALANCE: (f64, f64) = (1e-6, 1e-9);
/// Part of what the loads deflect the system by at which a motion must come back to itself, however large it
/// is: a load at resonance moves it by π times that in every period.
const GAP: f64 = 0.01;

/// Motions this many times as large as the loads deflect the system are suspected of growing without end.
const LARGE: f64 = 1e6;

/// Part of what loads of this size do along what they deflect the system by, below which a gain is rounding:
/// that of a contact that nearly rests.
const ROUNDED_WORK: f64 = 1e-13;

/// A cycle takes as much energy as it gets; a motion that gains in every period is not periodic.
/// `turned_over` is what loads of this size turn over (J).
fn check_balance(balance: &Balance, exchange: f64, accuracy: f64, turned_over: f64) -> Result<(), Error> {
    let losses = balance.losses();
    let gain = balance.work_in - losses;
    let to_and_fro = BALANCE.1.max(100.0 * accuracy) * exchange;
    let allowed =
        BALANCE.0 * (balance.work_in.abs() + losses.abs()) + to_and_fro + ROUNDED_WORK * turned_over;
    if gain.abs() <= allowed { Ok(()) } else { Err(Error::Unbalanced { gain, exchange }) }
}

/// Whether a failure concerns the motion from one start, so that others may succeed.
fn is_of_one_motion(error: &Error) -> bool {
    matches!(
        error,
        Error::NoPeriodicMotion { .. }
            | Error::OnlySubharmonic { .. }
            | Error::Unbalanced { .. }
            | Error::GrowsWithoutEnd { .. }
            | Error::Diverged { .. }
            | Error::TooManySteps { .. }
            | Error::StepVanished { .. }
            | Error::EventsAccumulate { .. }
            | Error::Undecided { .. }
    )
}

/// The most informative of several failures: the least residual, else the first.
fn nearest_miss(misses: Vec<Error>) -> Error {
    let starts = misses.len();
    let residuals = misses.iter().filter_map(|miss| match miss {
        Error::NoPeriodicMotion { residual, .. } => Some(*residual),
        _ => None,
    });
    let residual = residuals.fold(f64::INFINITY, f64::min);
    let other = misses.into_iter().find(|miss| !matches!(miss, Error::NoPeriodicMotion { .. }));
    match other {
        Some(error) if !residual.is_finite() || matches!(error, Error::GrowsWithoutEnd { .. }) => error,
        Some(error @ (Error::Unbalanced { .. } | Error::OnlySubharmonic { .. })) => error,
        _ => Error::NoPeriodicMotion { starts, residual },
    }
}

//! Steady states: periodic motions as fixed points of the map over one period, their stability and how they change.
//!
//! ```text
//!   x = [q, q̇, z] at t = 0,   P(x) the state one period later,   P(x) = x
//! ```
//!
//! Newton's method with the exact derivative of P finds a fixed point in a few periods of work; the eigenvalues of the
//! derivative (Floquet multipliers) say whether it is stable. Phases at rest make the derivative singular, which only speeds
//! the search up. Several periodic motions may coexist; without damping there may be a continuum of them, and then the one
//! found depends on the start, which is why every [`Orbit`] says where the search for it began.
//!
//! The exact engine carries the derivative through every phase and event in closed form; the adaptive one integrates the
//! variational equation along its steps, to about nine digits, fewer in steep laws. The fixed point itself is as good as
//! the motion in both: the derivative only bears on the speed of the search and on the multipliers.
//!
//! | the question | ask |
//! |---|---|
//! | periodic motions of a system | [`Steady::find`] |
//! | the one near a state | [`Steady::from`] |
//! | how it changes with a parameter | [`sweep`], [`Continuation`] through folds |
//! | all that remains after a transient, periodic or not | [`bifurcation`] |

mod autonomous;
mod bifurcation;
mod continuation;
mod flow;
mod linear;
mod measure;
mod newton;
mod starts;
mod supervised;
mod sweep;
mod variational;

pub use bifurcation::{Bifurcation, Section, bifurcation};
pub use continuation::{Branch, Continuation};
pub use starts::default_starts;
pub use sweep::{Point, sweep};

use crate::event::Event;
use crate::integrate::{Adaptive, Integrator};
use crate::law::Law;
use crate::matrix::Matrix;
use crate::system::System;
use crate::{Error, Faults};
use flow::{ExactFlow, Flow, SmoothFlow};
use newton::{Fixed, Norm};
use supervised::Supervised;

/// Positions and velocities, and the internal states of the laws with memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Positions (m).
    pub position: Vec<f64>,
    /// Velocities (m/s).
    pub velocity: Vec<f64>,
    /// Internal states of the laws with memory, in the order of the contacts; missing ones are zero (m).
    pub memory: Vec<f64>,
}

impl State {
    /// At rest at the origin, `n` degrees of freedom.
    pub fn rest(n: usize) -> Self {
        Self { position: vec![0.0; n], velocity: vec![0.0; n], memory: Vec::new() }
    }

    fn to_vec(&self, n_state: usize) -> Vec<f64> {
        let mut x = [&self.position[..], &self.velocity, &self.memory].concat();
        x.resize(n_state, 0.0);
        x
    }

    fn from_slice(x: &[f64], n: usize) -> Self {
        Self { position: x[..n].to_vec(), velocity: x[n..2 * n].to_vec(), memory: x[2 * n..].to_vec() }
    }
}

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
        if system.elements.iter().all(|element| element.friction.law.corners().is_some()) {
            Self::Exact
        } else {
            Self::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() })
        }
    }

    fn flow(&self, system: &System) -> Result<Box<dyn Flow>, Error> {
        Ok(match self {
            Self::Exact => Box::new(ExactFlow::new(system)?),
            Self::Adaptive(settings) => {
                let integrator = Integrator::Adaptive(settings.clone());
                let refused = Faults::of(|faults| integrator.admit(system, faults));
                if let Some(fault) = refused.into_iter().next() {
                    return Err(fault.error);
                }
                Box::new(SmoothFlow::new(system, settings)?)
            }
        })
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
    /// Periods of the first harmonic load in one period of the motion (-).
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

/// An eigenvalue of the derivative of the map over one period.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Multiplier {
    /// Real part (-).
    pub re: f64,
    /// Imaginary part (-).
    pub im: f64,
}

impl Multiplier {
    /// By how much a small disturbance grows in one period (-).
    pub fn modulus(&self) -> f64 {
        libm::hypot(self.re, self.im)
    }
}

/// A periodic motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// Period (s).
    pub period: f64,
    /// Periods of the first harmonic load in it: 1 for a motion with the period of the load (-).
    pub subharmonic: u32,
    /// The state at t = 0.
    pub state: State,
    /// The state from which the search began.
    pub start: State,
    /// Floquet multipliers, the largest first; of an autonomous system one of them is 1.
    pub multipliers: Vec<Multiplier>,
    /// Whether every small disturbance dies out, but for a shift in time of an autonomous motion. Not so in a continuum of
    /// periodic motions, where a multiplier is 1.
    pub is_stable: bool,
    /// Distance between the state and its image, relative to the motion (-).
    pub residual: f64,
    /// Evaluations of the map and its derivative.
    pub iterations: u32,
    /// Periods that were run besides, because Newton's method had no success.
    pub periods: u32,
    /// Half the distance between the extrema of the position (m).
    pub amplitude: f64,
    /// Amplitude of the harmonic of the position at the frequency of the first load (m).
    pub fundamental: f64,
    /// Phase of that harmonic relative to the load, negative if it lags; none for an autonomous motion (rad).
    pub phase: Option<f64>,
    /// Energy lost per period in the contacts (J).
    pub friction_loss: f64,
    /// Energy lost per period in the dampers (J).
    pub viscous_loss: f64,
    /// Work per period of loads and belts (J).
    pub work_in: f64,
    /// Times per period at which a contact comes to rest. A contact whose law creeps stops if it leaves the zone below its
    /// stick speed on the side it came from, or lingers there four times as long as it would take to coast through.
    pub stops: u32,
    /// Share of the period in which a contact rests, the mean over the contacts (-).
    pub stick_fraction: f64,
    /// Whether half a period later the motion is its mirror image.
    pub is_symmetric: bool,
    /// The events of one period, in (0, period].
    pub events: Vec<Event>,
}

/// Periodic motions as one, if their states differ by less, relative to the motion.
const SAME: f64 = 1e-8;
/// A multiplier this near the unit circle is on it.
const NEUTRAL: f64 = 1e-10;

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
                    faults.push("starts", Error::Length { found: list.len(), expected: n });
                }
            }
        }
    }

    /// The periodic motions that the starts lead to, each once, in the order found. The system must have passed its check.
    /// `progress` is told the part of the work done now and then, and may stop the search by `false`.
    pub fn find(&self, system: &System, progress: &mut dyn FnMut(f64) -> bool) -> Result<Vec<Orbit>, Error> {
        let starts = self.starts(system);
        let mut orbits: Vec<Orbit> = Vec::new();
        let mut nearest = f64::INFINITY;
        for (i, start) in starts.iter().enumerate() {
            let mut part = |part: f64| progress((i as f64 + part) / starts.len() as f64);
            if !part(0.0) {
                return Err(Error::Interrupted { t: None });
            }
            match self.from(system, start, &mut part) {
                Ok(orbit) => {
                    if !orbits.iter().any(|known| is_same(known, &orbit)) {
                        orbits.push(orbit);
                    }
                }
                Err(Error::NoPeriodicMotion { residual, .. }) => nearest = nearest.min(residual),
                // a start may lead where the engine cannot follow, others not
                Err(Error::Diverged { .. } | Error::TooManySteps { .. } | Error::StepVanished { .. }) => {}
                Err(Error::EventsAccumulate { .. } | Error::Undecided { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        if orbits.is_empty() {
            return Err(Error::NoPeriodicMotion { starts: starts.len(), residual: nearest });
        }
        Ok(orbits)
    }

    fn starts(&self, system: &System) -> Vec<State> {
        if self.starts.is_empty() { default_starts(system) } else { self.starts.clone() }
    }

    /// The periodic motion that one start leads to. `progress` is told the used part of what the search may use up, and
    /// may stop it by `false`.
    pub fn from(
        &self,
        system: &System,
        start: &State,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Orbit, Error> {
        let engine = self.engine.clone().unwrap_or_else(|| Engine::of(system));
        let tolerance = self.tolerance.max(engine.floor());
        let is_autonomous = is_autonomous(system);
        let period = if is_autonomous { 0.0 } else { self.period(system)? };
        let longest = match is_autonomous {
            true => autonomous::longest(system),
            false => period * (f64::from(self.transient) + f64::from(self.max_periods)),
        };
        let mut used = |walked: f64| progress((walked / longest).min(1.0));
        let flow = &mut Supervised::new(engine.flow(system)?, &mut used);
        if is_autonomous {
            return autonomous::orbit(self, flow, system, start, tolerance);
        }
        let norm = Norm::new(system, period / self.subharmonic as f64);
        let mut x = start.to_vec(flow.n_state());
        newton::run(flow, period, &mut x, self.transient)?;
        let mut fixed = newton::fixed_point(flow, period, &norm, x, tolerance, self.max_periods)?;
        let order = self.shorter(flow, period, &norm, &mut fixed, tolerance)?;
        let orbit = self.describe(
            flow,
            system,
            fixed,
            period * order as f64 / self.subharmonic as f64,
            order,
            start,
        )?;
        if is_balanced(&orbit, system) {
            Ok(orbit)
        } else {
            Err(Error::NoPeriodicMotion { starts: 1, residual: orbit.residual })
        }
    }

    /// The period asked for, if all loads repeat themselves in it (s).
    fn period(&self, system: &System) -> Result<f64, Error> {
        let base = system.period().unwrap_or(0.0);
        let period = base * self.subharmonic as f64;
        for (i, harmonic) in system.harmonics.iter().enumerate() {
            let cycles = harmonic.omega * period / std::f64::consts::TAU;
            if (cycles - cycles.round()).abs() > 1e-9 * cycles {
                return Err(Error::NotPeriodic { harmonic: i, cycles });
            }
        }
        Ok(period)
    }

    /// Looks whether the motion repeats itself sooner than it was asked to. Returns its true order.
    fn shorter(
        &self,
        flow: &mut dyn Flow,
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
                let again = newton::fixed_point(flow, period, norm, fixed.x.clone(), tolerance, 4)?;
                *fixed = Fixed { iterations: fixed.iterations, periods: fixed.periods, ..again };
                return Ok(part);
            }
        }
        Ok(order)
    }

    /// Measures the motion.
    fn describe(
        &self,
        flow: &mut dyn Flow,
        system: &System,
        fixed: Fixed,
        period: f64,
        subharmonic: u32,
        start: &State,
    ) -> Result<Orbit, Error> {
        let measures = measure::measure(flow, system, &fixed.x, period, self.dof)?;
        let multipliers = multipliers(&fixed.slopes);
        let is_stable = is_stable(&multipliers, is_autonomous(system));
        Ok(Orbit {
            period,
            subharmonic,
            state: State::from_slice(&fixed.x, system.n()),
            start: start.clone(),
            multipliers,
            is_stable,
            residual: fixed.residual,
            iterations: fixed.iterations,
            periods: fixed.periods,
            amplitude: measures.amplitude,
            fundamental: measures.fundamental,
            phase: measures.phase,
            friction_loss: measures.balance.friction_loss,
            viscous_loss: measures.balance.viscous_loss,
            work_in: measures.balance.work_in,
            stops: measures.stops,
            stick_fraction: measures.stick_fraction,
            is_symmetric: measures.is_symmetric,
            events: measures.events,
        })
    }
}

/// Whether nothing but the belts and constant loads drives the system.
fn is_autonomous(system: &System) -> bool {
    system.harmonics.iter().all(|harmonic| harmonic.amplitude.iter().all(|a| *a == 0.0))
}

fn multipliers(slopes: &Matrix) -> Vec<Multiplier> {
    linear::eigenvalues(slopes).into_iter().map(|[re, im]| Multiplier { re, im }).collect()
}

fn is_stable(multipliers: &[Multiplier], is_autonomous: bool) -> bool {
    // the shift in time
    let distance = |m: &Multiplier| libm::hypot(m.re - 1.0, m.im);
    let shift = (0..multipliers.len())
        .filter(|_| is_autonomous)
        .min_by(|&i, &j| distance(&multipliers[i]).total_cmp(&distance(&multipliers[j])));
    multipliers.iter().enumerate().all(|(i, m)| Some(i) == shift || m.modulus() < 1.0 - NEUTRAL)
}

/// Parts of the work, and of what load and motion exchange to and fro, to which a cycle closes.
const BALANCE: (f64, f64) = (1e-6, 1e-9);

/// Whether a cycle takes as much energy as it gets. A motion that grows without end, as at resonance, comes back to itself to
/// rounding once it is large enough, but gains in every period.
fn is_balanced(orbit: &Orbit, system: &System) -> bool {
    let losses = orbit.friction_loss + orbit.viscous_loss;
    let loads =
        system.harmonics.iter().flat_map(|harmonic| &harmonic.amplitude).map(|f| f.abs()).sum::<f64>();
    let exchange = std::f64::consts::TAU * loads * orbit.amplitude;
    let allowed = BALANCE.0 * (orbit.work_in.abs() + losses.abs()) + BALANCE.1 * exchange;
    (orbit.work_in - losses).abs() <= allowed
}

/// Whether two motions are one.
fn is_same(a: &Orbit, b: &Orbit) -> bool {
    let omega = std::f64::consts::TAU / a.period;
    let size = a.amplitude.max(b.amplitude);
    let near = |a: &[f64], b: &[f64], size: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * size);
    let is_near = a.subharmonic == b.subharmonic
        && (a.period - b.period).abs() <= SAME * a.period
        && (a.amplitude - b.amplitude).abs() <= SAME * size
        && (a.friction_loss - b.friction_loss).abs() <= SAME * (a.work_in.abs() + a.friction_loss.abs());
    let states = near(&a.state.position, &b.state.position, size)
        && near(&a.state.velocity, &b.state.velocity, size * omega);
    // of an autonomous motion, and of one that repeats itself after several periods of the load, any phase may be found
    is_near && (states || a.phase.is_none() || a.subharmonic > 1)
}

//! Periodic motions of a system, found without waiting for transients to die out.

use super::harmonic::{self, HarmonicSettings};
use super::periodic::{ChosenMethod, Searched};
use super::{SAMPLES, Shown, Task};
use crate::budget::MAX_STARTS;
use crate::facts::FactKind;
use crate::outcome::{Fact, Outcome};
use crate::prescription;
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::harmonic::HarmonicBalance;
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::{Engine, Orbit, Stability, State, Steady, Trail, is_condensed};
use stiction::system::{Prescribed, System};
use stiction::{Error, Progress};

/// Periodic motions, found without waiting for transients to die out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SteadySettings {
    /// Periods of the first harmonic load, or of the longest signal, in one period of the motion (-).
    pub subharmonic: u32,
    /// Degree of freedom whose amplitude and phase are measured, from 0.
    pub dof: usize,
    /// Node of a chain, beam or plate whose displacement is measured, instead of `dof`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// States from which the search begins; a set of its own if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<Vec<Start>>,
    /// Find the motion by harmonic balance, as a Fourier series; without it motions are found by shooting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harmonic_balance: Option<HarmonicSettings>,
}

impl Default for SteadySettings {
    fn default() -> Self {
        Self { subharmonic: 1, dof: 0, node: None, starts: None, harmonic_balance: None }
    }
}

/// A state from which a search begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Positions (m).
    pub position: Vec<f64>,
    /// Velocities (m/s).
    pub velocity: Vec<f64>,
}

impl SteadySettings {
    /// The task, with whatever is wrong noted.
    pub(super) fn resolve(self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        let harmonic_balance = self.harmonic_balance.as_ref();
        // starts and subharmonics are of shooting
        let motions = (self.starts.is_none() && self.subharmonic == 1).then_some(DEFAULT_STARTS);
        let Searched { system, drive, mut steady, chosen } =
            Searched::resolve(resolve, scenario, harmonic_balance.is_some(), motions)?;
        let own = (scenario.system.key(), &system);
        let harmonic = harmonic_balance.map(|settings| settings.resolve(resolve, "analysis.steady", own));
        for (key, is_given) in [("starts", self.starts.is_some()), ("subharmonic", self.subharmonic != 1)] {
            if is_given && harmonic.is_some() {
                let message = "given beside harmonic_balance, which has the period of the load and no start";
                resolve.fault(&format!("analysis.steady.{key}"), message, None);
            }
        }
        steady.subharmonic = self.subharmonic;
        let n_starts = self.starts.as_ref().map_or(0, Vec::len);
        if n_starts > MAX_STARTS {
            let message = format!("{n_starts} states, but at most {MAX_STARTS} are allowed");
            resolve.fault("analysis.steady.starts", message, None);
            return None;
        }
        let expected = drive.prescribed.as_ref().map(Prescribed::n);
        let lists = self.starts.iter().flatten().flat_map(|start| [&start.position, &start.velocity]);
        let wrong = lists.map(Vec::len).find(|found| expected.is_some_and(|n| n != *found));
        if let (Some(expected), Some(found)) = (expected, wrong) {
            let error = Error::Counts { found, expected, of: "degrees of freedom" };
            resolve.fault("analysis.steady.starts", error.to_string(), error.hint());
            return None;
        }
        let state = |all: Vec<f64>| match &drive.prescribed {
            Some(prescribed) => prescribed.rest(&all),
            None => resolve.state(all),
        };
        let start = |s: Start| State {
            position: state(s.position),
            velocity: state(s.velocity),
            memory: system.initial_states(),
        };
        steady.starts = self.starts.unwrap_or_default().into_iter().map(start).collect();
        resolve.check("analysis.steady", |faults| steady.check(&system, faults));
        let prescribed = drive.prescribed;
        let harmonic = harmonic.or(chosen.as_ref().map(|chosen| chosen.harmonic.clone()));
        Some(Task::Steady(Box::new(SteadyTask { system, prescribed, steady, harmonic, chosen })))
    }
}

/// A search for the periodic motions of a system.
#[derive(Clone, Debug)]
pub struct SteadyTask {
    /// The system.
    pub system: System,
    /// What moves as prescribed, and is reported with the rest.
    pub prescribed: Option<Prescribed>,
    /// How to search.
    pub steady: Steady,
    /// Harmonic balance in place of that.
    pub harmonic: Option<HarmonicBalance>,
    /// Why it is that, if it was not asked for.
    pub chosen: Option<ChosenMethod>,
}

/// States from which a search begins that is given none.
const DEFAULT_STARTS: usize = 9;

/// Facts of periodic motions however they are found.
const BOTH: [FactKind; 9] = [
    FactKind::Period,
    FactKind::Amplitude,
    FactKind::Fundamental,
    FactKind::Phase,
    FactKind::CycleWorkIn,
    FactKind::CycleFrictionLoss,
    FactKind::CycleViscousLoss,
    FactKind::Stable,
    FactKind::Neutral,
];
/// Facts of those that are found by shooting.
const SHOOTING: [FactKind; 5] = [
    FactKind::CycleImpactLoss,
    FactKind::Stops,
    FactKind::MeanStickFraction,
    FactKind::Symmetric,
    FactKind::OrbitResidual,
];

/// Tolerances of a period of a structure that is drawn.
const SHOWN: Adaptive =
    Adaptive { rtol: 1e-9, atol: 1e-11, method: Method::Auto, max_steps: 10_000_000, max_step: None };

impl SteadyTask {
    /// Finds all periodic motions; one period of the first stable one is shown.
    pub(super) fn run(&self, title: &str, progress: &mut Progress) -> Result<Outcome, Error> {
        if let Some(method) = &self.harmonic {
            let mut outcome = harmonic::steady(self, method, title, progress)?;
            outcome.warnings.splice(0..0, self.chosen.as_ref().map(ChosenMethod::note));
            return Ok(outcome);
        }
        let orbits = self.steady.find(&self.system, progress)?;
        let chosen = orbits.iter().find(|orbit| orbit.is_stable()).or(orbits.first());
        let Some(orbit) = chosen else {
            return Err(Error::NoPeriodicMotion {
                starts: self.steady.starts.len(),
                residual: f64::INFINITY,
            });
        };
        let mut facts = facts_of(orbit, None);
        facts.push(Fact::count(FactKind::Orbits, orbits.len()));
        for (i, other) in orbits.iter().enumerate().filter(|(_, other)| orbits.len() > 1 && *other != orbit) {
            facts.extend(facts_of(other, Some(i)));
        }
        self.shown(title, orbit, facts, progress)
    }

    /// One motion as a point of a sweep: the one that the `trail` of the rows before leads to, else the first
    /// stable one; it joins the trail.
    pub(super) fn point(
        &self,
        title: &str,
        (trail, row): (&mut Trail, u64),
        samples: bool,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let orbit = self.steady.along(&self.system, trail, row as f64, progress)?;
        let facts = facts_of(&orbit, None);
        if samples {
            return self.shown(title, &orbit, facts, progress);
        }
        Ok(Outcome::new(
            title,
            facts,
            Vec::new(),
            Shown::Response { log: None, facts: Vec::new(), laws: Vec::new() },
        ))
    }

    /// The facts that a sweep keeps, without their numbers.
    pub(super) fn reported_facts(&self) -> Vec<Fact> {
        if self.harmonic.is_none() {
            return reported_motion_facts();
        }
        let own = [FactKind::Truncation, FactKind::TruncationShare, FactKind::Harmonics];
        BOTH.iter().chain(&own).map(|kind| Fact::new(*kind, f64::NAN)).collect()
    }

    /// One period of a motion, after the facts that are known of it.
    fn shown(
        &self,
        title: &str,
        orbit: &Orbit,
        mut facts: Vec<Fact>,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let t_end = orbit.period;
        let times = (0..=SAMPLES).map(|i| t_end * i as f64 / SAMPLES as f64).collect();
        let Lap { system, integrator, plan } = Lap::new(&self.system, &self.steady, orbit, times);
        let record = drive(&system, &integrator, &plan, &mut progress.at(1.0))?;
        let mut outcome = Outcome::from_record(title, None, &system, record);
        outcome.facts.retain(|fact| fact.kind != FactKind::StickFraction);
        facts.append(&mut outcome.facts);
        outcome.facts = facts;
        if let Some(prescribed) = &self.prescribed {
            prescription::expand(prescribed, t_end, &mut outcome);
        }
        Ok(outcome)
    }
}

/// One period of a motion that a search found, ready to run.
pub(super) struct Lap {
    /// The system, in the state at which the motion begins.
    pub system: System,
    pub integrator: Integrator,
    pub plan: Plan,
}

impl Lap {
    /// One period of `orbit`, with samples at `times`.
    pub fn new(system: &System, steady: &Steady, orbit: &Orbit, times: Vec<f64>) -> Self {
        let mut system = system.clone();
        (system.position, system.velocity) = (orbit.state.position.clone(), orbit.state.velocity.clone());
        system.set_initial_states(&orbit.state.memory);
        let t_end = orbit.period;
        let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false, max_steps: None };
        let integrator = match steady.engine.clone().unwrap_or_else(|| Engine::of(&system)) {
            Engine::Exact => Integrator::Exact,
            // of a structure one period is reported to nine digits; what the search measures is better
            Engine::Adaptive(settings) if is_condensed(&system) => Integrator::Adaptive(Adaptive {
                rtol: settings.rtol.max(SHOWN.rtol),
                atol: settings.atol.max(SHOWN.atol),
                ..settings
            }),
            Engine::Adaptive(settings) => Integrator::Adaptive(settings),
        };
        Self { system, integrator, plan }
    }
}

/// The facts of a motion that was found by shooting, without their numbers; of the multipliers the largest
/// only, as a system of many degrees of freedom has twice as many.
pub(super) fn reported_motion_facts() -> Vec<Fact> {
    let own = BOTH.iter().chain(&SHOOTING).map(|kind| Fact::new(*kind, f64::NAN));
    own.chain([Fact::new(FactKind::Multiplier, f64::NAN).at(0)]).collect()
}

/// The facts of a periodic motion; `i` is its number if it is not the one that is shown.
pub(super) fn facts_of(orbit: &Orbit, i: Option<usize>) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new(FactKind::Period, orbit.period),
        Fact::new(FactKind::Amplitude, orbit.amplitude),
        Fact::new(FactKind::Fundamental, orbit.fundamental.amplitude),
    ];
    facts.extend(orbit.fundamental.phase.map(|phase| Fact::new(FactKind::Phase, phase)));
    facts.extend([
        Fact::new(FactKind::CycleWorkIn, orbit.energy.work_in),
        Fact::new(FactKind::CycleFrictionLoss, orbit.energy.friction_loss),
        Fact::new(FactKind::CycleViscousLoss, orbit.energy.viscous_loss),
        Fact::new(FactKind::CycleImpactLoss, orbit.energy.impact_loss),
        Fact::new(FactKind::Stops, f64::from(orbit.stops)),
    ]);
    facts.extend(orbit.stick_fraction.map(|share| Fact::new(FactKind::MeanStickFraction, share)));
    facts.extend([
        Fact::truth(FactKind::Stable, orbit.is_stable()),
        Fact::truth(FactKind::Neutral, orbit.stability == Stability::Neutral),
        Fact::truth(FactKind::Symmetric, orbit.is_symmetric),
    ]);
    let multipliers = orbit.multipliers.iter().enumerate();
    facts.extend(multipliers.map(|(k, m)| Fact::new(FactKind::Multiplier, m.modulus()).at(k)));
    facts.push(Fact::new(FactKind::OrbitResidual, orbit.convergence.residual));
    facts.retain(|fact| fact.kind != FactKind::CycleImpactLoss || orbit.energy.impact_loss > 0.0);
    facts.into_iter().map(|fact| fact.of_orbit(i)).collect()
}

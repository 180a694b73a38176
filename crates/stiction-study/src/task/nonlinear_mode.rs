//! Frequency and damping of a vibration mode with friction, over its amplitude.

use super::harmonic::{HarmonicSettings, truncation_warning};
use super::periodic::{MAX_POINTS, measured, missing_values, refuse_prescribed, system_of};
use super::{Shown, Task};
use crate::facts::{ColumnKind, FactKind};
use crate::finished::Finished;
use crate::outcome::{Column, Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::harmonic::{HarmonicBalance, ModalMotion, ModalPoint};
use stiction::system::System;
use stiction::{Error, Progress};

/// Frequency and damping of a vibration mode with friction, over its amplitude: a nonlinear mode, by harmonic balance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NonlinearModeSettings {
    /// The mode of the structure without friction from which it is followed, from 0 in the order of frequency (-).
    #[serde(default)]
    pub mode: usize,
    /// First amplitude: what that mode contributes to the first harmonic of the measured degree of freedom (m).
    pub from: f64,
    /// Last amplitude (m).
    pub to: f64,
    /// Number of amplitudes, in equal ratios (-).
    #[serde(default = "default_points")]
    pub points: usize,
    /// Degree of freedom whose amplitude is measured, from 0.
    #[serde(default)]
    pub dof: usize,
    /// Node of a chain, beam or plate whose displacement is measured, instead of `dof`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// How many harmonics to balance; as many as the tolerance asks for if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harmonic_balance: Option<HarmonicSettings>,
}

/// Number of amplitudes (-).
fn default_points() -> usize {
    100
}

/// The path of the settings.
const KEY: &str = "analysis.nonlinear-mode";

impl NonlinearModeSettings {
    /// The task, with whatever is wrong noted.
    pub(super) fn resolve(self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        let (system, drive) = system_of(resolve, scenario)?;
        refuse_prescribed(resolve, scenario, &drive, "a mode vibrates by itself");
        let settings = self.harmonic_balance.clone().unwrap_or_default();
        let method = settings.method(resolve, KEY, (scenario.system.key(), &system));
        if scenario.integrator.is_some() {
            let message = format!("given beside {KEY}, which integrates nothing");
            resolve.fault("integrator", message, Some("leave it out"));
        }
        if !system.harmonics.is_empty() {
            let message = "a mode vibrates by itself, but the system has a harmonic load";
            resolve.fault(
                scenario.system.key(),
                message,
                Some("leave the load out, or use [analysis.response]"),
            );
        }
        let dof = measured(resolve, scenario, &drive)?;
        resolve.check(KEY, |faults| {
            faults.positive("from", self.from);
            faults.positive("to", self.to);
            let because = "two amplitudes make a range";
            faults.at_least("points", self.points as f64, 2.0, because);
            let because = "more are no curve that could be looked at";
            faults.at_most("points", self.points as f64, MAX_POINTS as f64, because);
            let (limit, value) = (system.n() as f64, dof as f64);
            if dof >= system.n() {
                let because = "there are no more degrees of freedom";
                faults.push("dof", Error::NotBelow { value, limit, because });
            }
            if self.mode >= system.n() {
                let (value, because) = (self.mode as f64, "there are no more modes");
                faults.push("mode", Error::NotBelow { value, limit, because });
            }
        });
        let part = |i: usize| i as f64 / (self.points.max(2) - 1) as f64;
        let amplitude = |i: usize| match i {
            0 => self.from,
            _ if i + 1 == self.points => self.to,
            _ => self.from * libm::pow(self.to / self.from, part(i)),
        };
        let amplitudes = (0..self.points.min(MAX_POINTS)).map(amplitude).collect();
        let task = NonlinearModeTask { system, method, mode: self.mode, dof, amplitudes };
        Some(Task::NonlinearMode(Box::new(task)))
    }
}

/// A mode along its amplitude.
#[derive(Clone, Debug)]
pub struct NonlinearModeTask {
    /// The system.
    pub system: System,
    /// How many harmonics to balance.
    pub method: HarmonicBalance,
    /// The mode, from 0.
    pub mode: usize,
    /// The degree of freedom that is measured.
    pub dof: usize,
    /// The amplitudes (m).
    pub amplitudes: Vec<f64>,
}

impl NonlinearModeTask {
    /// The facts that a sweep keeps, without their numbers.
    pub(super) fn reported_facts(&self) -> Vec<Fact> {
        let kinds = [
            FactKind::Points,
            FactKind::MissingPoints,
            FactKind::LargestDamping,
            FactKind::LargestDampingAt,
            FactKind::HighestFrequency,
            FactKind::LowestFrequency,
            FactKind::Truncation,
            FactKind::TruncationShare,
            FactKind::Harmonics,
        ];
        kinds.map(|kind| Fact::new(kind, f64::NAN)).into()
    }

    /// Follows the mode.
    pub(super) fn run(
        &self,
        title: &str,
        finished: &mut Finished,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let Self { system, mode, dof, amplitudes, method } = self;
        if !finished.is_all {
            method.nonlinear_mode_into(&mut finished.modes, system, (*mode, *dof), amplitudes, progress)?;
        }
        let points: Vec<&ModalPoint> = finished.modes.iter().flatten().collect();
        let missing = points.iter().filter_map(|point| Some((point.amplitude, point.motion.as_ref().err()?)));
        let missing: Vec<(f64, &Error)> = missing.collect();
        if let Some((_, error)) = missing.first()
            && missing.len() == points.len()
        {
            return Err((*error).clone());
        }
        let of = |f: &dyn Fn(&ModalMotion) -> f64| -> Vec<f64> {
            points.iter().map(|point| point.motion.as_ref().map_or(f64::NAN, f)).collect()
        };
        let samples = vec![
            Column::new(ColumnKind::ModalAmplitude, points.iter().map(|point| point.amplitude).collect()),
            Column::new(ColumnKind::NonlinearFrequency, of(&|mode| mode.motion.omega)),
            Column::new(ColumnKind::DampingRatio, of(&|mode| mode.damping)),
            Column::new(ColumnKind::Amplitude, of(&|mode| mode.motion.amplitude(*dof))),
            Column::new(ColumnKind::FrictionLoss, of(&|mode| mode.motion.friction_loss)),
            Column::new(ColumnKind::FrequencyError, of(&|mode| mode.frequency_error)),
            Column::new(ColumnKind::DampingError, of(&|mode| mode.damping_error)),
            Column::new(ColumnKind::Truncation, of(&|mode| mode.motion.truncations[*dof])),
            Column::new(ColumnKind::TruncationShare, of(&|mode| mode.motion.truncation_share(*dof))),
            Column::new(ColumnKind::Harmonics, of(&|mode| mode.motion.n_harmonics() as f64)),
        ];
        let found: Vec<(&ModalPoint, &ModalMotion)> =
            points.iter().filter_map(|point| Some((*point, point.motion.as_ref().ok()?))).collect();
        let mut facts = vec![Fact::count(FactKind::Points, found.len())];
        if !missing.is_empty() {
            facts.push(Fact::count(FactKind::MissingPoints, missing.len()));
        }
        if let Some((point, motion)) = found.iter().max_by(|(_, a), (_, b)| a.damping.total_cmp(&b.damping)) {
            facts.push(Fact::new(FactKind::LargestDamping, motion.damping));
            facts.push(Fact::new(FactKind::LargestDampingAt, point.amplitude));
        }
        let over = |f: &dyn Fn(&ModalMotion) -> f64, of: fn(f64, f64) -> f64| {
            found.iter().map(|(_, motion)| f(motion)).reduce(of).unwrap_or(f64::NAN)
        };
        facts.extend([
            Fact::new(FactKind::HighestFrequency, over(&|mode| mode.motion.omega, f64::max)),
            Fact::new(FactKind::LowestFrequency, over(&|mode| mode.motion.omega, f64::min)),
            Fact::new(FactKind::Truncation, over(&|mode| mode.motion.truncations[*dof], f64::max)),
            Fact::new(FactKind::TruncationShare, over(&|mode| mode.motion.truncation_share(*dof), f64::max)),
            Fact::new(FactKind::Harmonics, over(&|mode| mode.motion.n_harmonics() as f64, f64::max)),
        ]);
        let mut outcome = Outcome::new(title, facts, samples, Shown::NonlinearMode);
        outcome.warnings.extend(missing_values(&missing));
        let motions = found.iter().map(|(point, mode)| (Some(point.amplitude), &mode.motion));
        outcome.warnings.extend(truncation_warning(*dof, motions));
        Ok(outcome)
    }
}

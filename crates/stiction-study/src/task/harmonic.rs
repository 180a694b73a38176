//! Harmonic balance in place of shooting, in the searches for periodic motions.

use super::extrema::{RefinedExtrema, is_sound};
use super::response::{ResponseTask, Search};
use super::steady::SteadyTask;
use super::{MAX_BRANCH, SAMPLES, Shown};
use crate::facts::{ColumnKind, FactKind};
use crate::finished::FinishedResponse;
use crate::outcome::{Caution, Column, Fact, Outcome, columns};
use crate::prescription;
use crate::resolve::Resolve;
use crate::task::periodic::missing_values;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::harmonic::{HarmonicBalance, HarmonicBranch, HarmonicMotion, HarmonicPoint};
use stiction::simulate::Samples;
use stiction::steady::{BranchEnd, Stability};
use stiction::system::{Motion, System};
use stiction::{Error, Progress, Warning};

/// Harmonic balance: periodic motions as Fourier series, condensed to the contacts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HarmonicBalance")]
pub struct HarmonicSettings {
    /// Exactly this many harmonics; if absent as many as the tolerance asks for (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harmonics: Option<usize>,
    /// Harmonics are added until the truncation error is below this part of the largest displacement; 1e-6 if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Harmonics at most; 127 if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_harmonics: Option<usize>,
}

impl HarmonicSettings {
    /// The method, with whatever is wrong noted below `key`; `system` is the path of the system's table.
    pub(super) fn resolve(
        &self,
        resolve: &mut Resolve,
        key: &str,
        system: (&str, &System),
    ) -> HarmonicBalance {
        if system.1.harmonics.is_empty() {
            let hint = "add a force with omega, or leave harmonic_balance out";
            let key = format!("{key}.harmonic_balance");
            resolve.fault(&key, Error::NoHarmonicLoad.to_string(), Some(hint));
        }
        self.method(resolve, key, system)
    }

    /// The same for a system that vibrates by itself.
    pub(super) fn method(
        &self,
        resolve: &mut Resolve,
        key: &str,
        system: (&str, &System),
    ) -> HarmonicBalance {
        let key = format!("{key}.harmonic_balance");
        if self.harmonics.is_some() && (self.tolerance.is_some() || self.max_harmonics.is_some()) {
            let hint = "leave harmonics out to have as many as the tolerance asks for";
            let message = "given beside tolerance or max_harmonics, but there must be one or the other";
            resolve.fault(&format!("{key}.harmonics"), message, Some(hint));
        }
        let standard = HarmonicBalance::default();
        let max_harmonics = self.max_harmonics.unwrap_or(standard.max_harmonics);
        let method = match self.harmonics {
            Some(harmonics) => HarmonicBalance::fixed(harmonics),
            None => HarmonicBalance {
                harmonics: standard.harmonics.min(max_harmonics),
                max_harmonics,
                tolerance: self.tolerance.unwrap_or(standard.tolerance),
            },
        };
        resolve.check(&key, |faults| method.check(faults));
        let (prefix, system) = system;
        resolve.check(prefix, |faults| method.admit(system, faults));
        method
    }
}

/// The motion of a system by harmonic balance, one period of it shown.
pub(super) fn steady(
    task: &SteadyTask,
    method: &HarmonicBalance,
    title: &str,
    progress: &mut Progress,
) -> Result<Outcome, Error> {
    let system = &task.system;
    progress.report(0.0)?;
    let motion = method.solve(system, None)?;
    let stability = method.stability(system, &motion)?;
    let dof = task.steady.dof;
    let (n, m, period) = (system.n(), system.contacts.len(), std::f64::consts::TAU / motion.omega);
    let [work_in, viscous_loss] = motion.cycle_work(system);
    let [fundamental, phase] = motion.fundamental(task.steady.dof);
    let facts = vec![
        Fact::new(FactKind::Period, period),
        Fact::new(FactKind::Amplitude, motion.amplitude(task.steady.dof)),
        Fact::new(FactKind::Fundamental, fundamental),
        Fact::new(FactKind::Phase, load_phase(system, phase)),
        Fact::new(FactKind::CycleWorkIn, work_in),
        Fact::new(FactKind::CycleFrictionLoss, motion.friction_loss),
        Fact::new(FactKind::CycleViscousLoss, viscous_loss),
        Fact::truth(FactKind::Stable, stability == Stability::Stable),
        Fact::truth(FactKind::Neutral, stability == Stability::Neutral),
        Fact::new(FactKind::Truncation, motion.truncations[dof]),
        Fact::new(FactKind::TruncationShare, motion.truncation_share(dof)),
        Fact::count(FactKind::Harmonics, motion.n_harmonics()),
    ];
    let mut samples = Samples::new(n, m, SAMPLES + 1);
    let mut now = Motion::zero(n, m);
    for i in 0..=SAMPLES {
        motion.at(system, period * i as f64 / SAMPLES as f64, &mut now);
        samples.push(&now);
    }
    progress.report(1.0)?;
    let mut outcome = Outcome::new(title, facts, columns(samples), Shown::Motion { n, m, run: None });
    outcome.warnings.extend(truncation_warning(dof, [(None, &motion)].into_iter()));
    if let Some(prescribed) = &task.prescribed {
        prescription::expand(prescribed, period, &mut outcome);
    }
    Ok(outcome)
}

/// Phase relative to the first load, in (−π, π].
fn load_phase(system: &System, phase: f64) -> f64 {
    let own = system.harmonics.first().map_or(0.0, |harmonic| harmonic.phase);
    let turn = std::f64::consts::TAU;
    let phase = libm::remainder(phase - own, turn);
    if phase <= -0.5 * turn { phase + turn } else { phase }
}

/// The motions of a response by harmonic balance.
pub(super) fn response(
    task: &ResponseTask,
    method: &HarmonicBalance,
    title: &str,
    (finished, is_all): (&mut FinishedResponse, bool),
    progress: &mut Progress,
) -> Result<Outcome, Error> {
    let family = |value: f64| task.at(value);
    match &task.search {
        Search::Sweep(values) => {
            let points = &mut finished.harmonic;
            if !is_all {
                method.sweep_onto(points, &family, values, progress)?;
            }
            if points.iter().all(|point| point.motion.is_err())
                && let Some(HarmonicPoint { motion: Err(error), .. }) = points.first()
            {
                return Err(error.clone());
            }
            outcome(task, method, title, (points, is_all), None, progress)
        }
        Search::Branch { from, to, points } => {
            let max_step = 1.0 / *points as f64;
            let branch = finished.harmonic_branch.get_or_insert_with(|| HarmonicBranch::at(*from));
            if !is_all {
                *branch = HarmonicBranch::at(*from);
                method.branch_into(branch, &family, [*from, *to], (max_step, MAX_BRANCH), progress)?;
            }
            let end = Some((branch.end, branch.reached, *to));
            outcome(task, method, title, (&branch.points, is_all), end, progress)
        }
    }
}

/// Part of the amplitude by which harmonics that are left out may change a motion before that is said.
const TRUNCATED: f64 = 0.05;

/// What is left out of motions, each with its parameter if it has one, where it is much.
pub(super) fn truncation_warning<'a>(
    dof: usize,
    motions: impl Iterator<Item = (Option<f64>, &'a HarmonicMotion)>,
) -> Option<Caution> {
    let shares = motions.map(|(at, motion)| (at, motion.truncation_share(dof)));
    let cut: Vec<(Option<f64>, f64)> = shares.filter(|(_, share)| *share > TRUNCATED).collect();
    let (at, share) = *cut.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Caution::from(&Warning::Truncated { n: cut.len(), at, share }))
}

/// The extrema of the amplitude, each motion on the way found from the nearest known one.
fn extrema(
    task: &ResponseTask,
    method: &HarmonicBalance,
    points: &[HarmonicPoint],
    samples: &[Column],
    progress: &mut Progress,
) -> Result<RefinedExtrema, Error> {
    let motion = |point: &HarmonicPoint| Some((point.parameter, point.motion.as_ref().ok()?.0.clone()));
    let mut known: Vec<(f64, HarmonicMotion)> = points.iter().filter_map(motion).collect();
    RefinedExtrema::find(samples, &task.resonances(points.is_empty()), &mut |value: f64| {
        progress.report(0.0)?;
        let system = task.at(value);
        let distance = |own: &(f64, HarmonicMotion)| (own.0 - value).abs();
        let nearest = known.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some((_, start)) = nearest.filter(|_| is_sound(&system)) else { return Ok(None) };
        let Ok(motion) = method.solve(&system, Some(start)) else { return Ok(None) };
        let amplitude = motion.amplitude(task.steady.dof);
        known.push((value, motion));
        Ok(Some(amplitude))
    })
}

fn outcome(
    task: &ResponseTask,
    method: &HarmonicBalance,
    title: &str,
    (points, is_all): (&[HarmonicPoint], bool),
    branch: Option<(BranchEnd, f64, f64)>,
    progress: &mut Progress,
) -> Result<Outcome, Error> {
    type Found = (HarmonicMotion, Stability);
    let dof = task.steady.dof;
    let of = |f: &dyn Fn(&Found) -> f64| {
        points.iter().map(|point| point.motion.as_ref().map_or(f64::NAN, f)).collect::<Vec<f64>>()
    };
    let parameter = task.varied.column(&task.system, points.iter().map(|point| point.parameter).collect());
    let unit = parameter.unit.clone();
    let found: Vec<(f64, &Found)> =
        points.iter().filter_map(|point| Some((point.parameter, point.motion.as_ref().ok()?))).collect();
    let more = task.more_columns(&parameter.values);
    let mut samples = vec![
        parameter,
        task.amplitude(of(&|(motion, _)| motion.amplitude(dof))),
        Column::new(
            ColumnKind::Phase,
            of(&|(motion, _)| load_phase(&task.system, motion.fundamental(dof)[1])),
        ),
        Column::new(ColumnKind::FrictionLoss, of(&|(motion, _)| motion.friction_loss)),
        Column::new(ColumnKind::Stability, of(&|(_, stability)| stability.sign())),
        Column::new(ColumnKind::Period, of(&|(motion, _)| std::f64::consts::TAU / motion.omega)),
        Column::new(ColumnKind::Truncation, of(&|(motion, _)| motion.truncations[dof])),
        Column::new(ColumnKind::TruncationShare, of(&|(motion, _)| motion.truncation_share(dof))),
        Column::new(ColumnKind::Harmonics, of(&|(motion, _)| motion.n_harmonics() as f64)),
    ];
    samples.extend(more);
    let mut facts = vec![Fact::count(FactKind::Points, found.len())];
    let mut warnings = Vec::new();
    if let Some((end, reached, to)) = branch {
        facts.push(Fact::new(FactKind::BranchEnd, reached).in_unit(unit.clone()));
        facts.push(Fact::truth(FactKind::Complete, end == BranchEnd::Reached));
        if end != BranchEnd::Reached {
            let warning = Warning::BranchIncomplete { reached, to, because: end.because() };
            warnings.push(Caution::from(&warning));
        }
    } else if found.len() < points.len() {
        let missing = points.iter().filter_map(|point| Some((point.parameter, point.motion.as_ref().err()?)));
        let missing: Vec<(f64, &Error)> = missing.collect();
        facts.push(Fact::count(FactKind::MissingPoints, missing.len()));
        warnings.extend(missing_values(&missing));
    }
    // a response that was stopped is not refined
    let known = if is_all { &[][..] } else { points };
    let extrema = extrema(task, method, known, &samples, &mut progress.at(1.0))?;
    facts.extend(extrema.facts(&unit));
    warnings.extend(extrema.warnings());
    warnings.extend(truncation_warning(dof, found.iter().map(|(at, (motion, _))| (Some(*at), motion))));
    let count = |wanted: Stability| found.iter().filter(|(_, (_, stability))| *stability == wanted).count();
    facts.push(Fact::count(FactKind::UnstablePoints, count(Stability::Unstable)));
    facts.push(Fact::count(FactKind::NeutralPoints, count(Stability::Neutral)));
    let largest = found.iter().map(|(_, (motion, _))| motion.truncations[dof]).fold(0.0, f64::max);
    let most = found.iter().map(|(_, (motion, _))| motion.n_harmonics()).max().unwrap_or(0);
    let share = found.iter().map(|(_, (motion, _))| motion.truncation_share(dof)).fold(0.0, f64::max);
    facts.push(Fact::new(FactKind::Truncation, largest));
    facts.push(Fact::new(FactKind::TruncationShare, share));
    facts.push(Fact::count(FactKind::Harmonics, most));
    Ok(Outcome { warnings, ..Outcome::new(title, facts, samples, task.shown()) })
}

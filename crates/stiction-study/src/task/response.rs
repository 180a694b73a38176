//! Periodic motions along a parameter: a sweep through values, or a branch through its folds.

use super::chosen::ChosenFacts;
use super::compared::{add_errors, compared_laws};
use super::extrema::{self, RefinedExtrema, is_sound};
use super::harmonic::{self, HarmonicSettings};
use super::overlay::{OverlayTable, overlay};
use super::periodic::{ChosenMethod, ParameterRange, Searched, Varied, default_points, missing_values};
use super::{MAX_BRANCH, Shown, Task};
use crate::compare::{StandIn, regularised};
use crate::facts::{ColumnKind, FactKind};
use crate::finished::{Finished, FinishedResponse};
use crate::outcome::{Caution, Column, Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::harmonic::HarmonicBalance;
use stiction::steady::{
    Branch, Continuation, Orbit, Point, Stability, State, Steady, Trail, linear_amplitude, linear_resonances,
    sweep_onto,
};
use stiction::system::{Parameter, Prescribed, System};
use stiction::{Error, Progress};

/// Periodic motions along a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// Key that is varied: its path, or the end of it.
    pub parameter: String,
    /// First value (unit of the parameter).
    pub from: f64,
    /// Last value (unit of the parameter).
    pub to: f64,
    /// Number of points of a sweep (-).
    #[serde(default = "default_points")]
    pub points: usize,
    /// Follow the branch through its folds instead of stepping through a list of values.
    #[serde(default)]
    pub through_folds: bool,
    /// Degree of freedom whose amplitude and phase are measured, from 0.
    #[serde(default)]
    pub dof: usize,
    /// Node of a chain, beam or plate whose displacement is measured, instead of `dof`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// Find the motions by harmonic balance, as Fourier series; without it they are found by shooting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harmonic_balance: Option<HarmonicSettings>,
    /// Report the amplitudes of the linear systems with all contacts stuck and without contacts, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub references: bool,
    /// Facts of each motion that are reported and drawn, by their names; without them amplitude, phase, loss and stick are drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Logarithmic axes of the figure; none if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogAxes>,
    /// The same response at several values of another number, drawn over each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlay: Option<OverlayTable>,
    /// Regularised laws in place of set-valued ones: their responses are reported and drawn beside the original one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compare: Vec<StandIn>,
}

/// Axes that are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogAxes {
    /// That of the parameter.
    Parameter,
    /// That of the amplitude, or of the facts that are drawn.
    Amplitude,
    /// Both.
    Both,
}

impl Response {
    /// The task, with whatever is wrong noted.
    pub(super) fn resolve(self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        // facts and stand-ins take motions in time
        let motions = (self.facts.is_empty() && self.compare.is_empty()).then_some(
            self.points.saturating_mul(self.overlay.as_ref().map_or(1, |table| table.values.len())),
        );
        let searched = Searched::resolve(resolve, scenario, self.harmonic_balance.is_some(), motions)?;
        resolve.check("analysis.response", |faults| searched.steady.check(&searched.system, faults));
        let system = (scenario.system.key(), &searched.system);
        let harmonic = self
            .harmonic_balance
            .as_ref()
            .map(|settings| settings.resolve(resolve, "analysis.response", system))
            .or(searched.chosen.as_ref().map(|chosen| chosen.harmonic.clone()));
        let (prefix, parameter) = ("analysis.response", self.parameter.as_str());
        let range = ParameterRange { prefix, parameter, ends: [self.from, self.to], points: self.points };
        let varied = range.resolve(resolve, &scenario.system, (&searched.system, &searched.drive))?;
        let search = if self.through_folds {
            Search::Branch { from: self.from, to: self.to, points: self.points }
        } else {
            Search::Sweep(range.values())
        };
        let mut overlay = Vec::new();
        if let Some(table) = &self.overlay {
            overlay = table.resolve(resolve, scenario, &searched, &varied)?;
        }
        let compare = compared_laws(&self.compare, resolve, (&searched, harmonic.as_ref()));
        if self.overlay.is_some() && !self.compare.is_empty() {
            let message = "given beside overlay, but curves can be distinguished by one thing only";
            resolve.fault("analysis.response.compare", message, Some("leave one of them out"));
        }
        if self.log.is_some_and(|log| log != LogAxes::Amplitude) && !(self.from > 0.0 && self.to > 0.0) {
            let message = "a logarithmic axis, but the parameter goes down to zero or below";
            resolve.fault("analysis.response.log", message, None);
        }
        if harmonic.is_some() && !self.facts.is_empty() {
            let message = "given beside harmonic_balance, which runs no motion that facts could be taken of";
            resolve.fault("analysis.response.facts", message, None);
        }
        let Searched { system, drive, steady, chosen } = searched;
        let facts = ChosenFacts::resolve(&self.facts, resolve, &system, drive.prescribed.as_ref());
        let n = drive.prescribed.as_ref().map_or(system.n(), Prescribed::n);
        let Self { references, log, dof, .. } = self;
        let task = ResponseTask {
            system,
            n,
            steady,
            harmonic,
            varied,
            search,
            dof,
            references,
            facts,
            log,
            overlay,
            compare,
            law: None,
            chosen,
        };
        Some(Task::Response(Box::new(task)))
    }
}

/// How a response goes along its parameter.
#[derive(Clone, Debug)]
pub enum Search {
    /// A sweep through these values.
    Sweep(Vec<f64>),
    /// A branch through its folds.
    Branch {
        /// First value (unit of the parameter).
        from: f64,
        /// Last value (unit of the parameter).
        to: f64,
        /// Points on the straight way: no step is longer than that part of it, and of the motion.
        points: usize,
    },
}

/// A search for periodic motions along a parameter.
#[derive(Clone, Debug)]
pub struct ResponseTask {
    /// The system as written.
    pub system: System,
    /// Number of degrees of freedom, those that move as prescribed included.
    pub n: usize,
    /// How to search at each value.
    pub steady: Steady,
    /// Harmonic balance in place of that.
    pub harmonic: Option<HarmonicBalance>,
    /// What is varied.
    pub varied: Varied,
    /// How it is varied.
    pub search: Search,
    /// The degree of freedom that is measured, as written.
    pub dof: usize,
    /// Whether the linear systems with and without contacts are reported too.
    pub references: bool,
    /// Facts that are reported beside those of every response, and drawn.
    pub facts: ChosenFacts,
    /// Logarithmic axes of the figure.
    pub log: Option<LogAxes>,
    /// Values of another number, one for each response that is drawn over the others; one for the only one.
    pub overlay: Vec<(Varied, f64)>,
    /// Laws that stand in for set-valued ones, and their sizes: each has a response of its own.
    pub compare: Vec<(&'static str, f64)>,
    /// The one of them whose response this is, counted from 1; none for the true one.
    pub law: Option<usize>,
    /// Why it is harmonic balance, if that was not asked for.
    pub chosen: Option<ChosenMethod>,
}

impl ResponseTask {
    /// The system at a value of the parameter.
    pub(super) fn at(&self, value: f64) -> System {
        let system = self.true_at(value);
        match self.law.and_then(|law| self.compare.get(law - 1)) {
            Some((name, size)) => regularised(&system, name, *size),
            None => system,
        }
    }

    /// The same with the laws as written.
    fn true_at(&self, value: f64) -> System {
        let mut system = self.system.clone();
        self.put(&mut system, value);
        system
    }

    /// Sets the number that is varied, and the one that distinguishes overlaid responses.
    fn put(&self, system: &mut System, value: f64) {
        let own = (&self.varied.parameter, value);
        match &self.overlay[..] {
            [(also, fixed)] => _ = Parameter::set_all(&[(&also.parameter, *fixed), own], system),
            _ => self.varied.parameter.set(system, value),
        }
    }

    /// Runs the search.
    pub(super) fn run(
        &self,
        title: &str,
        finished: &mut Finished,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let tasks: Vec<Self> = if self.compare.is_empty() {
            self.overlay.iter().map(|one| Self { overlay: vec![one.clone()], ..self.clone() }).collect()
        } else {
            (0..=self.compare.len()).map(|law| self.under_law(law)).collect()
        };
        finished.responses.resize_with(tasks.len().max(1), FinishedResponse::default);
        let is_all = finished.is_all;
        if tasks.len() < 2 {
            let own = (&mut finished.responses[0], is_all);
            return Ok(self.noted(self.run_one(title, own, progress)?));
        }
        let n = tasks.len() as f64;
        let mut all: Option<Outcome> = None;
        for (i, (task, own)) in tasks.iter().zip(&mut finished.responses).enumerate() {
            if is_all && own.is_empty() {
                break;
            }
            let part = [i, i + 1].map(|i| i as f64 / n);
            let mut outcome = task.run_one(title, (own, is_all), &mut progress.part(part[0], part[1]))?;
            match &mut all {
                Some(all) => {
                    if let Some(law) = task.law {
                        add_errors(all, &mut outcome, law, matches!(self.search, Search::Sweep(_)));
                    }
                    overlay(all, outcome);
                }
                None => all = Some(outcome),
            }
        }
        all.map(|all| self.noted(all)).ok_or(Error::Empty)
    }

    /// Says which method was chosen.
    fn noted(&self, mut outcome: Outcome) -> Outcome {
        outcome.warnings.splice(0..0, self.chosen.as_ref().map(ChosenMethod::note));
        outcome
    }

    /// What an outcome shows.
    pub(super) fn shown(&self) -> Shown {
        let facts = if self.harmonic.is_some() { Vec::new() } else { self.facts.names() };
        Shown::Response { log: self.log, facts, laws: self.law_names() }
    }

    /// The column of the amplitudes, named after its degree of freedom where there are several.
    pub(super) fn amplitude(&self, values: Vec<f64>) -> Column {
        Column::new(ColumnKind::Amplitude, values).numbered(self.dof, self.n)
    }

    /// Columns beside those of the motions: the references, and the number that distinguishes overlaid
    /// responses.
    pub(super) fn more_columns(&self, values: &[f64]) -> Vec<Column> {
        let mut columns = Vec::new();
        if self.references {
            for (kind, stuck) in [(ColumnKind::StuckAmplitude, true), (ColumnKind::FreeAmplitude, false)] {
                let amplitude =
                    |v: &f64| linear_amplitude(&self.at(*v), self.steady.dof, stuck).unwrap_or(f64::NAN);
                columns.push(Column::new(kind, values.iter().map(amplitude).collect()));
            }
        }
        if let [(also, fixed)] = &self.overlay[..] {
            let own = also.column(&self.system, vec![*fixed; values.len()]);
            columns.push(Column { kind: ColumnKind::Overlay, ..own });
        }
        if !self.compare.is_empty() {
            let law = self.law.unwrap_or(0) as f64;
            columns.push(Column::new(ColumnKind::ComparedLaw, vec![law; values.len()]));
        }
        columns
    }

    /// One response, from points that are finished; `is_all` if no others are to be found.
    fn run_one(
        &self,
        title: &str,
        (finished, is_all): (&mut FinishedResponse, bool),
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        if let Some(method) = &self.harmonic {
            return harmonic::response(self, method, title, (finished, is_all), progress);
        }
        let family = |value: f64| self.at(value);
        match &self.search {
            Search::Sweep(values) => {
                let points = &mut finished.points;
                if !is_all {
                    sweep_onto(points, &self.steady, &family, values, &mut self.searching(progress))?;
                }
                if points.iter().all(|point| point.orbit.is_err())
                    && let Some(Point { orbit: Err(error), .. }) = points.first()
                {
                    return Err(error.clone());
                }
                self.outcome(title, (points, is_all), None, progress)
            }
            Search::Branch { from, to, points } => {
                let max_step = 1.0 / *points as f64;
                let continuation = Continuation {
                    steady: self.steady.clone(),
                    from: *from,
                    to: *to,
                    max_step,
                    step: Continuation::default().step.min(max_step),
                    max_points: MAX_BRANCH,
                    ..Continuation::default()
                };
                let branch = finished.branch.get_or_insert_with(|| Branch::at(*from));
                if !is_all {
                    continuation.run_into(branch, &family, &mut self.searching(progress))?;
                }
                self.outcome(title, (&branch.points, is_all), Some(branch), progress)
            }
        }
    }

    /// The part of the work that the search is: facts that are chosen take about as long.
    fn searching<'a>(&self, progress: &'a mut Progress) -> Progress<'a> {
        progress.part(0.0, if self.facts.names().is_empty() { 1.0 } else { 0.5 })
    }

    fn outcome(
        &self,
        title: &str,
        (points, is_all): (&[Point], bool),
        branch: Option<&Branch>,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        let of = |f: &dyn Fn(&Orbit) -> f64| {
            points.iter().map(|point| point.orbit.as_ref().map_or(f64::NAN, f)).collect::<Vec<f64>>()
        };
        let parameter =
            self.varied.column(&self.system, points.iter().map(|point| point.parameter).collect());
        let unit = parameter.unit.clone();
        let more = self.more_columns(&parameter.values);
        let mut samples = vec![
            parameter,
            self.amplitude(of(&|o| o.amplitude)),
            Column::new(ColumnKind::Phase, of(&|o| o.fundamental.phase.unwrap_or(f64::NAN))),
            Column::new(ColumnKind::FrictionLoss, of(&|o| o.energy.friction_loss)),
            Column::new(ColumnKind::Stops, of(&|o| f64::from(o.stops))),
            Column::new(ColumnKind::StickFraction, of(&|o| o.stick_fraction.unwrap_or(f64::NAN))),
            Column::new(ColumnKind::Stability, of(&|o| o.stability.sign())),
            Column::new(ColumnKind::Multiplier, of(&|o| o.multipliers.first().map_or(0.0, |m| m.modulus()))),
            Column::new(ColumnKind::Period, of(&|o| o.period)),
        ];
        let family = |value: f64| self.at(value);
        let mut part = progress.part(0.5, 1.0);
        // chosen facts of a response that was stopped are left open, its extrema are not refined
        let asked = if is_all { &[][..] } else { points };
        let mut chosen = self.facts.columns(asked, &samples, (&self.steady, &family), &mut part)?;
        chosen.iter_mut().for_each(|column| column.values.resize(points.len(), f64::NAN));
        samples.extend(chosen);
        samples.extend(more);
        let orbits = || points.iter().filter_map(|point| Some((point.parameter, point.orbit.as_ref().ok()?)));
        let mut facts = vec![Fact::count(FactKind::Points, orbits().count())];
        let mut warnings = Vec::new();
        let missing = points.iter().filter_map(|point| Some((point.parameter, point.orbit.as_ref().err()?)));
        let missing: Vec<(f64, &Error)> = missing.collect();
        match branch {
            Some(branch) => {
                facts.push(Fact::new(FactKind::BranchEnd, branch.reached).in_unit(unit.clone()));
                facts.push(Fact::truth(FactKind::Complete, branch.is_complete()));
                facts.push(Fact::count(FactKind::Jumps, branch.jumps));
                warnings.extend(branch.warnings(self.end()).iter().map(Caution::from));
            }
            None if !missing.is_empty() => {
                facts.push(Fact::count(FactKind::MissingPoints, missing.len()));
                warnings.extend(missing_values(&missing));
            }
            None => {}
        }
        let found = self.extrema(asked, &samples, &mut progress.at(1.0))?;
        facts.extend(found.facts(&unit));
        warnings.extend(found.warnings());
        let of = |stability: Stability| orbits().filter(|(_, orbit)| orbit.stability == stability).count();
        facts.push(Fact::count(FactKind::UnstablePoints, of(Stability::Unstable)));
        facts.push(Fact::count(FactKind::NeutralPoints, of(Stability::Neutral)));
        Ok(Outcome { warnings, ..Outcome::new(title, facts, samples, self.shown()) })
    }

    /// The extrema of the amplitude, each motion on the way found from the nearest known one.
    fn extrema(
        &self,
        points: &[Point],
        samples: &[Column],
        progress: &mut Progress,
    ) -> Result<RefinedExtrema, Error> {
        let onward = Steady { transient: 0, starts: Vec::new(), ..self.steady.clone() };
        let state = |point: &Point| Some((point.parameter, point.orbit.as_ref().ok()?.state.clone()));
        let mut known: Vec<(f64, State)> = points.iter().filter_map(state).collect();
        RefinedExtrema::find(samples, &self.resonances(points.is_empty()), &mut |value: f64| {
            progress.report(0.0)?;
            let system = self.at(value);
            let distance = |own: &(f64, State)| (own.0 - value).abs();
            let nearest = known.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let Some((_, start)) = nearest.filter(|_| is_sound(&system)) else { return Ok(None) };
            // where the way from there is too far, from anywhere
            let mut found = onward.from(&system, start, progress);
            if found.as_ref().is_err_and(|error| !matches!(error, Error::Interrupted { .. })) {
                found = self.steady.along(&system, &mut Trail::default(), value, progress);
            }
            match found {
                Ok(orbit) => {
                    known.push((value, orbit.state));
                    Ok(Some(orbit.amplitude))
                }
                Err(error @ Error::Interrupted { .. }) => Err(error),
                Err(_) => Ok(None),
            }
        })
    }

    /// Values of the parameter at which the linear systems resonate, if it is the frequency of the load; none
    /// where nothing is asked.
    pub(super) fn resonances(&self, is_empty: bool) -> Vec<f64> {
        let Search::Sweep(values) = &self.search else { return Vec::new() };
        let (Some(from), Some(to)) = (values.first(), values.last().filter(|_| !is_empty)) else {
            return Vec::new();
        };
        let [first, last] = [*from, *to].map(|value| self.at(value));
        let ratio =
            |system: &System, value: f64| system.harmonics.first().map_or(f64::NAN, |h| h.omega / value);
        let [a, b] = [ratio(&first, *from), ratio(&last, *to)];
        // a frequency in any unit
        if !((a - b).abs() <= 1e-9 * a.abs()) || first.harmonics.len() > 1 || from == to {
            return Vec::new();
        }
        linear_resonances(&first).into_iter().map(|omega| omega / a).collect()
    }

    /// The facts that a sweep keeps, without their numbers.
    pub(super) fn reported_facts(&self) -> Vec<Fact> {
        let fact = |kind| Fact::new(kind, f64::NAN);
        let unit = self.varied.parameter.symbol_and_unit(&self.system).1;
        let mut facts = vec![fact(FactKind::Points)];
        match self.search {
            Search::Branch { .. } => {
                facts.push(fact(FactKind::BranchEnd).in_unit(unit));
                facts.extend([FactKind::Complete, FactKind::Jumps].map(fact));
            }
            Search::Sweep(_) => facts.push(fact(FactKind::MissingPoints)),
        }
        facts.extend(extrema::reported_facts(unit));
        facts.extend([FactKind::UnstablePoints, FactKind::NeutralPoints].map(fact));
        if self.harmonic.is_some() {
            facts.extend([FactKind::Truncation, FactKind::TruncationShare, FactKind::Harmonics].map(fact));
        }
        for law in 1..=self.compare.len() {
            facts.push(fact(FactKind::ErrorPeak).at(law));
            if matches!(self.search, Search::Sweep(_)) {
                facts.push(fact(FactKind::ErrorResponse).at(law));
            }
        }
        facts
    }

    /// Where a branch is to arrive.
    fn end(&self) -> f64 {
        match &self.search {
            Search::Branch { to, .. } => *to,
            Search::Sweep(_) => f64::NAN,
        }
    }
}

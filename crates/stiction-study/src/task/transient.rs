//! The motion from the initial state, of a system on lines.

use super::{Shown, SlideTask, Task};
use crate::budget::{Excess, MAX_SAMPLES};
use crate::compare::{Criterion, StandIn, Truth};
use crate::facts::{ColumnKind, FactKind};
use crate::finished::Finished;
use crate::outcome::{Column, EndState, Fact, Outcome, Run};
use crate::prescription;
use crate::resolve::Resolve;
use crate::scenario::{IntegratorKind, Nodes, Scenario, SystemKind};
use keyed::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Wear, WearOf, drive_partly};
use stiction::system::{BaseMotion, Prescribed, PrescribedMotion, SignalLoad, System};
use stiction::{Error, Progress, ShortNumber};

/// The motion from the initial state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transient {
    /// Length in periods of the first harmonic load; 20 if neither this nor `duration` is given, for a body until it stops (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<f64>,
    /// Length, instead of `periods` (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Part that is summarised and drawn: in periods with `periods`, in seconds with `duration`; all if absent (periods or s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<[f64; 2]>,
    /// Times of the samples, ascending; a grid over the window if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<f64>>,
    /// Number of samples in that grid (-).
    pub samples: usize,
    /// Nodes of a chain, beam or plate whose displacements are reported, as `position_node_5`; all degrees of freedom if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Nodes>,
    /// Report the work of friction, its absolute value and the slip distance of each contact, and the work of controllers: a second run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wear: bool,
    /// Report the error of a regularised law in place of set-valued friction: two more runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<StandIn>,
}

impl Default for Transient {
    fn default() -> Self {
        Self {
            periods: None,
            duration: None,
            window: None,
            times: None,
            samples: 2001,
            nodes: None,
            wear: false,
            compare: None,
        }
    }
}

impl Transient {
    /// The task, with whatever is wrong noted.
    pub(super) fn resolve(&self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        if let SystemKind::Body(body) = scenario.system.clone() {
            return SlideTask::resolve(resolve, *body, scenario, self)
                .map(|task| Task::Slide(Box::new(task)));
        }
        let prefix = scenario.system.key();
        let before = resolve.found.len();
        let Some((mut system, mut drive)) = resolve.system(scenario) else {
            // a length in seconds can be checked without a system
            _ = self.duration.and_then(|_| self.plan(resolve, None, 1));
            return None;
        };
        if let Some(nodes) = &self.nodes {
            resolve.reported_nodes("analysis.transient.nodes", nodes);
        }
        resolve.check(prefix, |faults| system.check(faults));
        let is_sound = resolve.found.len() == before;
        let period = system.period().filter(|period| period.is_finite() && *period > 0.0);
        // a faulty load hides the period: what depends on it is checked with some other
        let hides_period = |d: &Diagnostic| [".force", ".base"].iter().any(|list| d.key.contains(list));
        let period = period.or_else(|| resolve.found.iter().any(hides_period).then_some(1.0));
        let (is_oscillator, time) = match &scenario.system {
            SystemKind::Oscillator(oscillator) => (true, oscillator.initial.time),
            other => (false, other.surroundings().map_or(0.0, |s| s.initial.time)),
        };
        let mut bases = drive.bases;
        bases.iter_mut().for_each(|base| base.phase += base.omega * time);
        let mut prescribed = drive.prescribed.take();
        let mut records = drive.records;
        records.iter_mut().for_each(|record| record.signal.begin_at(time));
        if is_sound && time != 0.0 {
            system.begin_at(time);
            prescribed.iter_mut().for_each(|prescribed| prescribed.begin_at(time));
        }
        let is_reduced = scenario.system.surroundings().is_some_and(|s| s.reduce.is_some());
        let ends = (!is_reduced).then_some(EndForm { time, is_oscillator });
        let n_states = if is_sound { system.initial_states().len() } else { 0 };
        let columns = 1 + 3 * system.n() + 3 * system.contacts.len() + n_states;
        let plan = self.plan(resolve, period, columns);
        if !is_sound {
            if let Some(kind) = &scenario.integrator {
                kind.resolve(resolve, period, plan.as_ref());
            }
            return None;
        }
        let kind = scenario
            .integrator
            .get_or_insert_with(|| IntegratorKind::suited(&system, Adaptive::default()))
            .clone();
        let integrator = kind.resolve(resolve, period, plan.as_ref());
        if let Some(integrator) = &integrator {
            if let Err(error) = integrator.resolves_loads(&system) {
                resolve.fault(&kind.step_key(), error.to_string(), error.hint());
            }
            resolve.check(prefix, |faults| integrator.admit(&system, faults));
        }
        let compare = self.compare.as_ref().and_then(|stand_in| {
            let found = stand_in.resolve(&system.contacts);
            found
                .map_err(|list| {
                    for fault in list {
                        let key = format!("analysis.transient.compare{}", fault.key);
                        resolve.fault(&key, fault.message, fault.hint.as_deref());
                    }
                })
                .ok()
        });
        Some(Task::Transient(Box::new(TransientTask {
            system,
            kind,
            integrator: integrator?,
            plan: plan?,
            ends,
            shaking: (!is_reduced && prescribed.is_none()).then_some(Shaking { bases, records }),
            prescribed,
            wear: self.wear,
            compare,
        })))
    }

    /// When the run ends, what is summarised, and when samples are taken; each has so many columns.
    pub(super) fn plan(&self, resolve: &mut Resolve, period: Option<f64>, columns: usize) -> Option<Plan> {
        let key = |name: &str| format!("analysis.transient.{name}");
        let before = resolve.found.len();
        // length of the run in the unit of the window, and that unit in seconds
        let (length, unit, what) = match (self.periods, self.duration) {
            (Some(_), Some(_)) => {
                resolve.fault(&key("duration"), "given beside periods, but there must be one", None);
                return None;
            }
            (Some(periods), None) => match period {
                Some(period) => (periods, period, "periods"),
                None => {
                    let hint = "give duration in seconds instead, or a force with omega";
                    resolve.fault(
                        &key("periods"),
                        "there is no harmonic load that sets a period",
                        Some(hint),
                    );
                    return None;
                }
            },
            (None, Some(duration)) => (duration, 1.0, "duration"),
            (None, None) => match period {
                Some(period) => (20.0, period, "periods"),
                None => {
                    let hint = "add [analysis.transient] with duration = … (s)";
                    resolve.fault(
                        "analysis.transient",
                        "duration is missing: no harmonic load sets a period",
                        Some(hint),
                    );
                    return None;
                }
            },
        };
        if !resolve.check("analysis.transient", |faults| {
            faults.positive(what, length);
        }) {
            return None;
        }
        let t_end = length * unit;
        if !t_end.is_finite() {
            resolve.fault(&key(what), format!("{} is too long", ShortNumber(length)), None);
            return None;
        }
        let [a, b] = self.window.unwrap_or([0.0, length]);
        if !(0.0 <= a && a < b && b <= length) {
            let [a, b, length] = [a, b, length].map(ShortNumber);
            let message =
                format!("[{a}, {b}], but it must ascend within [0, {length}], the length of the run");
            resolve.fault(&key("window"), message, None);
            return None;
        }
        let window = [a * unit, if b == length { t_end } else { b * unit }];
        let (n_samples, name) = match &self.times {
            Some(times) => (times.len(), "times"),
            None => (self.samples.min(MAX_SAMPLES), "samples"),
        };
        if let Err(excess) = resolve.budget.table(n_samples, columns) {
            let message = format!("a table of {n_samples} rows and {columns} columns {excess}");
            resolve.fault(&key(name), message, Some(Excess::HINT));
            return None;
        }
        let times = match &self.times {
            Some(times) => {
                if times.iter().any(|t| !(0.0..=t_end).contains(t)) || times.windows(2).any(|w| w[0] > w[1]) {
                    let end = ShortNumber(t_end);
                    let message = format!("the times must ascend within [0, {end}] s, the length of the run");
                    resolve.fault(&key("times"), message, None);
                }
                times.clone()
            }
            None if !(2..=MAX_SAMPLES).contains(&self.samples) => {
                let message = format!("{}, but it must be from 2 to {MAX_SAMPLES}", self.samples);
                resolve.fault(&key("samples"), message, None);
                Vec::new()
            }
            None => {
                let n = self.samples - 1;
                let at = |i: usize| window[0] + (window[1] - window[0]) * i as f64 / n as f64;
                (0..=n).map(|i| if i == n { window[1] } else { at(i) }).collect()
            }
        };
        let plan = Plan { t_end, window, times, lands_on_times: self.times.is_some(), max_steps: None };
        (resolve.found.len() == before).then_some(plan)
    }
}

/// The motion of a system on lines.
#[derive(Clone, Debug)]
pub struct TransientTask {
    /// The system.
    pub system: System,
    /// The method, as written.
    pub kind: IntegratorKind,
    /// The method.
    pub integrator: Integrator,
    /// What to integrate, and what to keep.
    pub plan: Plan,
    /// How the state at the end is reported, if it is.
    pub ends: Option<EndForm>,
    /// How the base moves, if the motion in space is reported.
    pub shaking: Option<Shaking>,
    /// What moves as prescribed, and is reported with the rest.
    pub prescribed: Option<Prescribed>,
    /// Whether the wear of each contact is reported.
    pub wear: bool,
    /// The regularised law whose errors are reported, and its size.
    pub compare: Option<(&'static str, f64)>,
}

/// How the base moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaking {
    /// Its harmonic motions.
    pub bases: Vec<BaseMotion>,
    /// Accelerations by which it moves beside them (m/s²).
    pub records: Vec<SignalLoad>,
}

/// How the state at the end of a run is reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndForm {
    /// Time that the clock shows at the start (s).
    pub time: f64,
    /// Whether positions and velocities are numbers.
    pub is_oscillator: bool,
}

impl TransientTask {
    /// Runs the motion; as far as it has come when it is stopped it is left in `finished`.
    pub(super) fn run(
        &self,
        title: &str,
        finished: &mut Finished,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        if finished.is_all {
            return finished.motion.take().map(|motion| *motion).ok_or(Error::Empty);
        }
        let (system, plan) = (&self.system, &self.plan);
        // the motion itself, then the true and the regularised motion of a comparison
        let runs = if self.compare.is_some() { 3.0 } else { 1.0 };
        let part = &mut progress.part(0.0, 1.0 / runs);
        let worn = self.wear.then_some(WearOf { prescribed: self.prescribed.as_ref() });
        let (mut record, stop) = drive_partly(system, &self.integrator, plan, worn, part)?;
        let wear = record.wear.take().unwrap_or_default();
        let t_end = if stop.is_some() { record.end.t } else { plan.t_end };
        let window = plan.window.map(|t| t.min(t_end));
        let is_seen = !record.samples.t.is_empty() && window[0] < window[1];
        let end = self
            .ends
            .map(|EndForm { time, is_oscillator }| EndState::new(&record.end, time + t_end, is_oscillator));
        let (n, m) = (system.n(), system.contacts.len());
        let step = self.integrator.step();
        let is_sprung = |i: &usize| system.contacts[*i].friction.law.sliders().is_some();
        let sprung = (0..m).filter(is_sprung).collect();
        let run = Run { integrator: self.kind.clone(), step, t_end, window, sprung };
        let shown = Shown::Motion { n, m, run: Some(run) };
        let mut outcome = Outcome::from_record(title, system.period(), system, record);
        if self.wear {
            outcome.facts.extend(wear_facts(wear, self.prescribed.as_ref()));
        }
        let more = stop.map_or_else(|| self.compared_facts(&mut outcome.facts, progress), Err);
        if let Some(shaking) = &self.shaking {
            shaking.add_absolute(n, &mut outcome.samples);
            shaking.add_absolute(n, &mut outcome.instants);
        }
        let mut outcome = Outcome { shown, end, ..outcome };
        if let Some(prescribed) = &self.prescribed {
            prescription::expand(prescribed, t_end, &mut outcome);
        }
        match more {
            Ok(()) => Ok(outcome),
            Err(error) => {
                finished.motion =
                    (is_seen && matches!(error, Error::Interrupted { .. })).then(|| Box::new(outcome));
                Err(error)
            }
        }
    }

    /// Facts of a comparison, which takes two further runs.
    fn compared_facts(&self, facts: &mut Vec<Fact>, progress: &mut Progress) -> Result<(), Error> {
        if let Some((law, size)) = self.compare {
            let truth = Truth::new(self, &mut progress.part(1.0 / 3.0, 2.0 / 3.0))?;
            let errors = truth.row(law, size, &mut progress.part(2.0 / 3.0, 1.0))?.errors;
            let errors = Criterion::ALL.map(|criterion| Fact::new(criterion.fact(), errors.get(criterion)));
            // there is no phase without a harmonic load
            facts.extend(errors.into_iter().filter(|fact| !fact.value.is_nan()));
        }
        Ok(())
    }
}

impl TransientTask {
    /// Takes no samples, unless facts depend on them: steps land on them, fixed steps find their extrema
    /// among them, or motions are compared at them.
    pub(super) fn forgo_samples(&mut self) {
        if !self.plan.lands_on_times && self.integrator.step().is_none() && self.compare.is_none() {
            self.plan.times.clear();
        }
    }
}

impl Shaking {
    /// Adds the motion in space: q + direction · b(t), and its rates; beside records the acceleration alone,
    /// as nothing else is known of them.
    fn add_absolute(&self, n: usize, samples: &mut Vec<Column>) {
        if self.bases.is_empty() && self.records.is_empty() {
            return;
        }
        let Some(times) = samples.first().map(|column| column.values.clone()) else { return };
        let kinds = [
            (ColumnKind::Position, ColumnKind::AbsolutePosition),
            (ColumnKind::Velocity, ColumnKind::AbsoluteVelocity),
            (ColumnKind::Acceleration, ColumnKind::AbsoluteAcceleration),
        ];
        let unknown = if self.records.is_empty() { 0 } else { 2 };
        for (order, (own, absolute)) in kinds.into_iter().enumerate().skip(unknown) {
            for k in 0..n {
                let Some(column) = samples.iter().filter(|column| column.kind == own).nth(k) else { return };
                let moved = |(t, q): (&f64, &f64)| {
                    let part = |base: &BaseMotion| {
                        // each derivative is a quarter of a turn ahead
                        let phase = base.phase + order as f64 * std::f64::consts::FRAC_PI_2;
                        let size = base.amplitude * base.omega.powi(order as i32);
                        base.direction[k] * size * libm::sin(base.omega * t + phase)
                    };
                    let recorded =
                        self.records.iter().map(|record| record.direction[k] * record.signal.at(*t));
                    q + self.bases.iter().map(part).sum::<f64>() + recorded.sum::<f64>()
                };
                let values = times.iter().zip(&column.values).map(moved).collect();
                samples.push(Column::new(absolute, values).numbered(k, n));
            }
        }
    }
}

impl TransientTask {
    /// The facts of the motion, without their numbers.
    pub(super) fn reported_facts(&self) -> Vec<Fact> {
        let (n, m) = (self.system.n(), self.system.contacts.len());
        let fact = |kind| Fact::new(kind, f64::NAN);
        let mut facts = reported_facts(n, m);
        if self.wear {
            facts.extend(worn(m));
            facts.extend(
                self.system.stiffness.asymmetry().is_some().then_some(fact(FactKind::CirculatoryWork)),
            );
            if let Some(prescribed) = &self.prescribed {
                let work = |motion: &PrescribedMotion| fact(FactKind::ActuatorWork).at(motion.dof);
                facts.extend(prescribed.motions.iter().map(work));
                facts.push(fact(FactKind::WholeViscousLoss));
            }
        }
        if self.compare.is_some() {
            facts.extend(Criterion::ALL.map(|criterion| fact(criterion.fact())));
        }
        if let Some(prescribed) = &self.prescribed {
            prescription::renumber(prescribed, &mut facts);
        }
        facts
    }
}

/// What friction and feedback do in the window, contact by contact.
pub(super) fn wear_facts(wear: Wear, prescribed: Option<&Prescribed>) -> Vec<Fact> {
    let m = wear.contacts.len();
    let mut facts: Vec<Fact> =
        wear.feedback.map(|work| Fact::new(FactKind::ControlWork, work)).into_iter().collect();
    facts.extend(wear.circulatory.map(|work| Fact::new(FactKind::CirculatoryWork, work)));
    if let (Some(actuators), Some(prescribed)) = (wear.actuators, prescribed) {
        let of = |(motion, work): (&PrescribedMotion, &f64)| {
            Fact::new(FactKind::ActuatorWork, *work).at(motion.dof)
        };
        facts.extend(prescribed.motions.iter().zip(&actuators.reactions).map(of));
        facts.push(Fact::new(FactKind::WholeViscousLoss, actuators.viscous_loss));
    }
    for (i, contact) in wear.contacts.iter().enumerate() {
        let numbers = [
            (FactKind::ContactWork, contact.work),
            (FactKind::FrictionWork, contact.rubbed),
            (FactKind::SlipDistance, contact.way),
        ];
        facts.extend(numbers.map(|(kind, value)| Fact::new(kind, value).numbered(i, m)));
    }
    facts
}

/// The facts of wear of so many contacts, without their numbers.
pub(super) fn worn(m: usize) -> Vec<Fact> {
    let fact = |kind| Fact::new(kind, f64::NAN);
    let of_each = [FactKind::ContactWork, FactKind::FrictionWork, FactKind::SlipDistance];
    let each = (0..m).flat_map(|i| of_each.map(|kind| fact(kind).numbered(i, m)));
    std::iter::once(fact(FactKind::ControlWork)).chain(each).collect()
}

/// The facts of a motion of so many degrees of freedom and contacts, without their numbers.
pub(super) fn reported_facts(n: usize, m: usize) -> Vec<Fact> {
    let fact = |kind| Fact::new(kind, f64::NAN);
    let mut facts = vec![fact(FactKind::Period)];
    let of_each = [
        (FactKind::PositionMax, FactKind::PositionMin, n),
        (FactKind::VelocityMax, FactKind::VelocityMin, n),
        (FactKind::AccelerationMax, FactKind::AccelerationMin, n),
        (FactKind::FrictionMax, FactKind::FrictionMin, m),
        (FactKind::SlopeMax, FactKind::SlopeMin, m),
    ];
    for (max, min, of) in of_each {
        facts.extend((0..of).flat_map(|i| [max, min].map(|kind| fact(kind).numbered(i, of))));
    }
    facts.extend((0..m).map(|i| fact(FactKind::StickFraction).numbered(i, m)));
    let others = [
        FactKind::Drift,
        FactKind::WorkIn,
        FactKind::Stored,
        FactKind::ViscousLoss,
        FactKind::FrictionLoss,
        FactKind::ImpactLoss,
        FactKind::EnergyResidual,
        FactKind::EnergyTurnover,
        FactKind::EventsDropped,
    ];
    facts.extend(others.map(fact));
    facts
}

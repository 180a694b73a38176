//! What a study leaves behind: plain tables and facts with units, which nothing here knows how to draw.

use crate::facts::{ColumnKind, FactKind};
use crate::forces::{control_forces, normal_loads};
use crate::provenance::Provenance;
use crate::scenario::{IntegratorKind, OneOrMany};
use crate::task::Shown;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use stiction::Warning;
use stiction::event::Event;
use stiction::law::{Law, StateName};
use stiction::ode::Work;
use stiction::simulate::{Record, Samples};
use stiction::system::{Contact, Motion, System};

/// One number that a study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is: its row in the table of facts.
    pub kind: FactKind,
    /// Degree of freedom, contact or multiplier, from 0; none where there is only one.
    pub index: Option<usize>,
    /// The node of the structure by which the degree of freedom is reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The periodic motion that it belongs to, from 0; none for the one that is shown.
    pub orbit: Option<usize>,
    /// The number.
    #[serde(with = "any_number")]
    pub value: f64,
    /// SI unit, `-` for a pure number.
    pub unit: Cow<'static, str>,
}

impl Fact {
    /// A fact without a number.
    pub fn new(kind: FactKind, value: f64) -> Self {
        Self { kind, index: None, node: None, orbit: None, value, unit: kind.row().unit.into() }
    }

    /// A count.
    pub fn count(kind: FactKind, n: usize) -> Self {
        Self::new(kind, n as f64)
    }

    /// A truth, as 1 or 0.
    pub fn truth(kind: FactKind, is_true: bool) -> Self {
        Self::new(kind, f64::from(u8::from(is_true)))
    }

    /// The fact of degree of freedom or contact `i` of `of`.
    pub fn numbered(self, i: usize, of: usize) -> Self {
        Self { index: (of > 1).then_some(i), ..self }
    }

    /// The fact of multiplier `i`.
    pub fn at(self, i: usize) -> Self {
        Self { index: Some(i), ..self }
    }

    /// The fact of periodic motion `i` beside the one that is shown.
    pub fn of_orbit(self, i: Option<usize>) -> Self {
        Self { orbit: i, ..self }
    }

    /// The fact in the unit of a parameter.
    pub fn in_unit(self, unit: impl Into<Cow<'static, str>>) -> Self {
        Self { unit: unit.into(), ..self }
    }

    /// Its name in snake case, as JSON and Python have it.
    pub fn name(&self) -> String {
        let row = self.kind.row();
        let name = self.node.map_or_else(|| row.name(self.index), |node| row.name_at_node(node));
        self.orbit.map_or(name.clone(), |orbit| format!("orbit_{orbit}_{name}"))
    }

    /// Its name in words.
    pub fn label(&self) -> String {
        self.name().replace('_', " ")
    }
}

/// A column of samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// What it is: its row in the table of columns.
    pub kind: ColumnKind,
    /// Degree of freedom or contact, from 0; none where there is only one.
    pub index: Option<usize>,
    /// The node of the structure by which the degree of freedom is reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// Name, in snake case.
    pub name: String,
    /// Letter of the literature, for axes.
    pub symbol: String,
    /// SI unit, `-` for a pure number.
    pub unit: Cow<'static, str>,
    /// The samples.
    #[serde(with = "any_numbers")]
    pub values: Vec<f64>,
}

impl Column {
    /// The only column of a kind.
    pub fn new(kind: ColumnKind, values: Vec<f64>) -> Self {
        let row = kind.row();
        let unit = if row.unit.is_empty() { "-" } else { row.unit };
        let (name, symbol) = (row.name(None), row.symbol.into());
        Self { kind, index: None, node: None, name, symbol, unit: unit.into(), values }
    }

    /// The column of degree of freedom or contact `i` of `of`.
    pub fn numbered(self, i: usize, of: usize) -> Self {
        if of == 1 {
            return self;
        }
        let (name, symbol) = (self.kind.row().name(Some(i)), format!("{}{}", self.symbol, subscript(i)));
        Self { index: Some(i), name, symbol, ..self }
    }

    /// The column under another name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }
}

/// What a run or a search must say about its own result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Caution {
    /// What it is about, in kebab case.
    pub name: String,
    /// What is, with numbers.
    pub message: String,
    /// The way out, where there is one.
    pub hint: Option<String>,
    /// Whether the result is not what was asked for: the command line then ends with 1.
    pub is_failure: bool,
}

impl From<&Warning> for Caution {
    fn from(warning: &Warning) -> Self {
        Self {
            name: warning.name().into(),
            message: warning.to_string(),
            hint: warning.hint().map(str::to_owned),
            is_failure: warning.is_failure(),
        }
    }
}

/// What a study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The scenario's title.
    pub title: String,
    /// The numbers.
    pub facts: Vec<Fact>,
    /// The samples; the first column is the time, or the parameter that is varied.
    pub samples: Vec<Column>,
    /// The motion at every event and every extremum in the window, with the columns of the samples; for
    /// drawing.
    pub instants: Vec<Column>,
    /// The events in the window.
    pub events: Vec<Event>,
    /// What the result says against itself.
    pub warnings: Vec<Caution>,
    /// The state that a run ended in, as `initial` takes it; none for searches, bodies and reduced models.
    pub end: Option<EndState>,
    /// What it cost.
    pub work: Work,
    /// What there is to be shown.
    pub shown: Shown,
}

/// The state at the end of a run, from which another one may go on: the table `initial` of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndState {
    /// Positions; a number for an oscillator (m).
    pub position: OneOrMany<f64>,
    /// Velocities (m/s).
    pub velocity: OneOrMany<f64>,
    /// Internal states of the laws, then of controllers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<f64>,
    /// The time (s).
    pub time: f64,
}

impl EndState {
    /// The state of a motion; as numbers for an oscillator.
    pub(crate) fn new(motion: &Motion, time: f64, is_oscillator: bool) -> Self {
        let form = |list: &Vec<f64>| match list[..] {
            [x] if is_oscillator => OneOrMany::One(x),
            _ => OneOrMany::Many(list.clone()),
        };
        let (position, velocity) = (form(&motion.position), form(&motion.velocity));
        Self { position, velocity, states: motion.states.clone(), time }
    }
}

/// How a transient was integrated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The method.
    pub integrator: IntegratorKind,
    /// Length of its step, if fixed (s).
    pub step: Option<f64>,
    /// End of the run (s).
    pub t_end: f64,
    /// The window (s).
    pub window: [f64; 2],
    /// Contacts of springs with sliders, whose events are those of single sliders.
    pub sprung: Vec<usize>,
}

impl Outcome {
    /// An outcome without instants, events, warnings and cost.
    pub fn new(title: &str, facts: Vec<Fact>, samples: Vec<Column>, shown: Shown) -> Self {
        Self {
            title: title.into(),
            facts,
            samples,
            instants: Vec::new(),
            events: Vec::new(),
            warnings: Vec::new(),
            end: None,
            work: Work::default(),
            shown,
        }
    }

    /// The same without its samples.
    pub fn without_samples(&self) -> Self {
        Self {
            title: self.title.clone(),
            facts: self.facts.clone(),
            samples: Vec::new(),
            instants: self.instants.clone(),
            events: self.events.clone(),
            warnings: self.warnings.clone(),
            end: self.end.clone(),
            work: self.work,
            shown: self.shown.clone(),
        }
    }

    /// The fact called `name`.
    pub fn fact(&self, name: &str) -> Option<f64> {
        self.facts.iter().find(|fact| fact.name() == name).map(|fact| fact.value)
    }

    /// The fact of a kind that belongs to degree of freedom or contact `index` of the motion that is shown.
    pub fn fact_of(&self, kind: FactKind, index: Option<usize>) -> Option<f64> {
        let is_it = |fact: &&Fact| (fact.kind, fact.index, fact.orbit) == (kind, index, None);
        self.facts.iter().find(is_it).map(|fact| fact.value)
    }

    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.samples.iter().find(|column| column.name == name)
    }

    /// Column `i` of a quantity, among the degrees of freedom or contacts that are reported.
    pub fn quantity(&self, name: &str, i: usize) -> Option<&Column> {
        self.samples.iter().filter(|c| c.kind.row().name(None) == name).nth(i)
    }

    /// Whether the result is not what was asked for.
    pub fn has_failed(&self) -> bool {
        self.warnings.iter().any(|warning| warning.is_failure)
    }

    /// The outcome as users read it in JSON, in full precision.
    pub fn json(&self) -> OutcomeJson<'_> {
        OutcomeJson { outcome: self, provenance: None }
    }

    /// The same with where it comes from.
    pub fn json_from<'a>(&'a self, provenance: Option<&'a Provenance>) -> OutcomeJson<'a> {
        OutcomeJson { outcome: self, provenance }
    }

    pub(crate) fn from_record(title: &str, period: Option<f64>, system: &System, record: Record) -> Self {
        let (n, m) = (system.n(), system.contacts.len());
        let mut facts: Vec<Fact> =
            period.map(|period| Fact::new(FactKind::Period, period)).into_iter().collect();
        let kinds = [
            (FactKind::PositionMax, FactKind::PositionMin, n),
            (FactKind::VelocityMax, FactKind::VelocityMin, n),
            (FactKind::AccelerationMax, FactKind::AccelerationMin, n),
            (FactKind::FrictionMax, FactKind::FrictionMin, m),
            (FactKind::SlopeMax, FactKind::SlopeMin, m),
        ];
        let each = kinds.into_iter().flat_map(|(max, min, of)| (0..of).map(move |i| (max, min, i, of)));
        for (range, (max, min, i, of)) in record.ranges.iter().zip(each) {
            facts.push(Fact::new(max, range.max).numbered(i, of));
            facts.push(Fact::new(min, range.min).numbered(i, of));
        }
        for (i, fraction) in record.stick_fraction.iter().enumerate() {
            facts.extend(fraction.map(|f| Fact::new(FactKind::StickFraction, f).numbered(i, m)));
        }
        facts.extend(record.drift.map(|drift| Fact::new(FactKind::Drift, drift)));
        facts.extend([
            Fact::new(FactKind::WorkIn, record.balance.work_in),
            Fact::new(FactKind::Stored, record.stored),
            Fact::new(FactKind::ViscousLoss, record.balance.viscous_loss),
            Fact::new(FactKind::FrictionLoss, record.balance.friction_loss),
        ]);
        // zero of most systems, which have no stops
        if record.total.impact_loss > 0.0 {
            facts.push(Fact::new(FactKind::ImpactLoss, record.balance.impact_loss));
        }
        facts.extend([
            Fact::new(FactKind::EnergyResidual, record.energy_residual()),
            Fact::new(FactKind::EnergyTurnover, record.turnover),
        ]);
        if record.n_events_dropped > 0 {
            facts.push(Fact::new(FactKind::EventsDropped, record.n_events_dropped as f64));
        }

        let warnings = record.warnings.iter().map(Caution::from).collect();
        let mut forces = normal_loads(system, &record.samples);
        forces.extend(control_forces(system, &record.samples));
        let (mut samples, instants) = (record.samples, columns(record.instants));
        let states = std::mem::take(&mut samples.states);
        let mut samples = columns(samples);
        samples.extend(forces);
        samples.extend(state_columns(system, states));
        let shown = Shown::Motion { n, m, run: None };
        let (events, work) = (record.events, record.work);
        Self { instants, events, warnings, work, ..Self::new(title, facts, samples, shown) }
    }
}

/// A motion as columns.
pub(crate) fn columns(samples: Samples) -> Vec<Column> {
    let mut columns = vec![Column::new(ColumnKind::Time, samples.t)];
    let groups = [
        (ColumnKind::Position, samples.position),
        (ColumnKind::Velocity, samples.velocity),
        (ColumnKind::Acceleration, samples.acceleration),
        (ColumnKind::Sliding, samples.sliding),
        (ColumnKind::Friction, samples.friction),
        (ColumnKind::Slope, samples.slope),
    ];
    for (kind, group) in groups {
        let of = group.len();
        let column = |(i, values): (usize, Vec<f64>)| Column::new(kind, values).numbered(i, of);
        columns.extend(group.into_iter().enumerate().map(column));
    }
    columns
}

/// The internal states of the laws as columns under the names that the laws give them, with the contact if
/// there are several; then those of feedback.
fn state_columns(system: &System, states: Vec<Vec<f64>>) -> impl Iterator<Item = Column> {
    let m = system.contacts.len();
    let named = move |(i, contact): (usize, &Contact)| {
        let name = move |state: StateName| {
            let name = if m > 1 { format!("{}_{i}", state.name) } else { state.name };
            (name, state.unit, i)
        };
        contact.friction.law.states().names().into_iter().map(name)
    };
    let names: Vec<_> = system.contacts.iter().enumerate().flat_map(named).collect();
    let (n_own, n_feedback) = (names.len(), states.len().saturating_sub(names.len()));
    states.into_iter().enumerate().map(move |(k, values)| match names.get(k) {
        Some((name, unit, i)) => Column {
            unit: (*unit).into(),
            ..Column::new(ColumnKind::State, values).numbered(*i, m).named(name)
        },
        None => Column::new(ColumnKind::FeedbackState, values).numbered(k - n_own, n_feedback),
    })
}

/// An outcome as users read it in JSON: one object, which a writer can take in piece by piece, since the
/// samples may be long. A number that JSON cannot hold is `null`; if it is a fact, a warning names it.
pub struct OutcomeJson<'a> {
    outcome: &'a Outcome,
    provenance: Option<&'a Provenance>,
}

impl Serialize for OutcomeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { outcome, provenance } = self;
        let warning = |name: &str, message: &str| json!({ "name": name, "message": message });
        let given = outcome.warnings.iter().map(|w| warning(&w.name, &w.message));
        let lost = outcome.facts.iter().filter(|fact| !fact.value.is_finite()).map(|fact| {
            let message = format!("{} is {}, which JSON writes as null", fact.name(), fact.value);
            warning("not-finite", &message)
        });
        let n_fields = 6 + usize::from(outcome.end.is_some()) + usize::from(provenance.is_some());
        let mut object = serializer.serialize_struct("Outcome", n_fields)?;
        object.serialize_field("title", &outcome.title)?;
        object.serialize_field("facts", &facts_json(&outcome.facts))?;
        object.serialize_field("samples", &ByName(&outcome.samples))?;
        object.serialize_field("events", &outcome.events)?;
        object.serialize_field("warnings", &given.chain(lost).collect::<Vec<_>>())?;
        if let Some(end) = &outcome.end {
            object.serialize_field("end", end)?;
        }
        object.serialize_field("work", &outcome.work)?;
        if let Some(provenance) = provenance {
            object.serialize_field("provenance", provenance)?;
        }
        object.end()
    }
}

/// Columns under their names.
struct ByName<'a>(&'a [Column]);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|column| (&column.name, &column.values)))
    }
}

/// Facts as JSON has them: name, value, unit.
pub fn facts_json(facts: &[Fact]) -> Json {
    facts.iter().map(|f| json!({ "name": f.name(), "value": f.value, "unit": f.unit })).collect()
}

/// A number in subscript digits.
fn subscript(i: usize) -> String {
    let digit = |c: char| char::from_u32('₀' as u32 + c as u32 - '0' as u32).unwrap_or(c);
    i.to_string().chars().map(digit).collect()
}

/// Numbers that read back to the same bits, NaN and infinity among them.
mod any_number {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(value.to_bits())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        u64::deserialize(from).map(f64::from_bits)
    }
}

/// The same for lists.
mod any_numbers {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(|value| value.to_bits()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        Ok(Vec::<u64>::deserialize(from)?.into_iter().map(f64::from_bits).collect())
    }
}

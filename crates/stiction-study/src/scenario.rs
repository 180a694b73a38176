//! A scenario as its author writes it: the one schema of every front end.
//!
//! Doc comments of the fields become the texts of the JSON Schema.

mod at_load;
mod force_elements;
mod integrator;
mod matrix;
mod one_sided;
mod structure;

pub(crate) use at_load::CONTACT;
pub use integrator::{ExactSettings, FixedStep, IntegratorKind};
pub use matrix::{DampingForm, MatrixForm, ModelDamping, RayleighDamping, SparseEntries, StoredMatrix};
pub use structure::{
    BeamTable, ChainTable, InitialVectors, Matrices, Nodes, NodesWord, PlateTable, Reduce, Surroundings,
};

pub use force_elements::{
    ChirpTable, ControlTable, NoiseTable, PointTable, PrescribedTable, SignalForm, SignalTable, SpanTable,
    SpringTable, StateSpaceTable, StepTable, VaryingLoad,
};
pub use one_sided::StopTable;
pub(crate) use one_sided::{AnyStop, OneSidedTable};

use crate::embedded::Embedded;
pub use crate::sweep::{AxisTable, DrawKind, Spacing, SweepTable};
pub use crate::task::{
    AnalysisKind, BifurcationSettings, HarmonicSettings, LogAxes, NonlinearModeSettings, OverlayTable,
    Response, StabilitySettings, Start, SteadySettings, Transient,
};
use keyed::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::body::Body;
use stiction::law::FrictionLaw;

/// A dry-friction scenario for stiction. SI units; lists count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What the figure and the summary are called.
    #[serde(default)]
    pub title: String,
    /// The mechanical system.
    pub system: SystemKind,
    /// How to integrate; if absent exact where the laws allow it (coulomb, linear), else adaptive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator: Option<IntegratorKind>,
    /// What to compute; a transient if absent.
    #[serde(default)]
    pub analysis: AnalysisKind,
    /// Many values of some numbers, at each of which the analysis is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepTable>,
}

impl Scenario {
    /// The scenario as a file, with all defaults filled in.
    pub fn to_toml(&self) -> Result<String, Box<Diagnostic>> {
        toml::to_string(self).map_err(|error| {
            let message = format!("the scenario cannot be written as TOML: {error}");
            Box::new(Diagnostic { key: String::new(), message, place: None, hint: None })
        })
    }
}

/// The mechanical system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SystemKind {
    /// One degree of freedom: m ü + c u̇ + k u + H = f(t).
    Oscillator(Oscillator),
    /// n degrees of freedom: M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t).
    Matrices(Matrices),
    /// Masses in a row, joined by springs.
    Chain(ChainTable),
    /// A slender beam in bending, in finite elements.
    Beam(BeamTable),
    /// A thin plate in bending, in finite elements.
    Plate(PlateTable),
    /// A rigid body that slides and spins on a plane.
    Body(Box<Body>),
}

impl SystemKind {
    /// What acts on a structure, and how it starts; none for an oscillator or a body.
    pub(crate) fn surroundings(&self) -> Option<&Surroundings> {
        match self {
            Self::Matrices(table) => Some(&table.surroundings),
            Self::Chain(table) => Some(&table.surroundings),
            Self::Beam(table) => Some(&table.surroundings),
            Self::Plate(table) => Some(&table.surroundings),
            Self::Oscillator(_) | Self::Body(_) => None,
        }
    }

    /// What acts on masses on lines; none for a body.
    pub fn acting(&self) -> Option<&Acting> {
        match self {
            Self::Oscillator(table) => Some(&table.acting),
            other => other.surroundings().map(|surroundings| &surroundings.acting),
        }
    }

    /// Whether its degrees of freedom are angles.
    pub(crate) fn is_rotation(&self) -> bool {
        self.acting().is_some_and(|acting| acting.kind == MotionKind::Rotation)
    }

    /// Path of its table.
    pub(crate) fn key(&self) -> &'static str {
        match self {
            Self::Oscillator(_) => "system.oscillator",
            Self::Matrices(_) => "system.matrices",
            Self::Chain(_) => "system.chain",
            Self::Beam(_) => "system.beam",
            Self::Plate(_) => "system.plate",
            Self::Body(_) => "system.body",
        }
    }
}

/// One thing, or a list of such things.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    /// One.
    One(T),
    /// A list.
    Many(Vec<T>),
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> OneOrMany<T> {
    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        match self {
            Self::One(one) => std::slice::from_ref(one).iter(),
            Self::Many(many) => many.iter(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn one() -> f64 {
    1.0
}

/// One degree of freedom: m ü + c u̇ + k u + H = f(t).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Oscillator {
    /// Mass m (kg).
    pub mass: f64,
    /// Viscous damping c (N s/m).
    #[serde(default)]
    pub damping: f64,
    /// Stiffness k (N/m).
    #[serde(default)]
    pub stiffness: f64,
    /// What acts on it.
    #[serde(flatten)]
    pub acting: Acting,
    /// State at t = 0.
    #[serde(default)]
    pub initial: Initial,
}

/// What acts on a system: each kind once or as a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Acting {
    /// Whether the degrees of freedom are displacements or angles, which changes units only: with "rotation" masses are kg m², positions rad, forces N m.
    #[serde(default, skip_serializing_if = "MotionKind::is_translation")]
    pub kind: MotionKind,
    /// Loads, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub force: OneOrMany<Load>,
    /// Motion of the base on which everything rides; positions are then measured from the base.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub base: OneOrMany<Base>,
    /// Degrees of freedom whose motion is prescribed, one or a list; what holds them is a column.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub prescribed: OneOrMany<PrescribedTable>,
    /// Friction contacts, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub friction: OneOrMany<ContactTable>,
    /// Springs beside the stiffness, of straight pieces or polynomial, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub spring: OneOrMany<SpringTable>,
    /// Stops, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub stop: OneOrMany<StopTable>,
    /// Controllers, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub control: OneOrMany<ControlTable>,
    /// Linear controllers and filters of any kind, one or a list; their states come after those of `control`.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub state_space: OneOrMany<StateSpaceTable>,
}

impl Acting {
    /// The tables of elements that act on one side of a limit, with their keys, in the order in which these are
    /// numbered.
    pub(crate) fn one_sided(&self) -> Vec<(String, &dyn OneSidedTable)> {
        let stops = one_sided::listed("stop", &self.stop);
        stops.collect()
    }
}

/// What the degrees of freedom of a system are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MotionKind {
    /// Displacements.
    #[default]
    Translation,
    /// Angles.
    Rotation,
}

impl MotionKind {
    /// Whether it is what it is unless given.
    pub fn is_translation(&self) -> bool {
        *self == Self::Translation
    }
}

/// Where something acts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActsOn {
    /// Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dof: Option<usize>,
    /// Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
    /// Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Nodes>,
}

/// A load: constant + amplitude · sin(omega t + phase) + table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Load {
    /// Constant part (N).
    #[serde(default)]
    pub constant: f64,
    /// Amplitude of the harmonic part (N).
    #[serde(default)]
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omega: Option<f64>,
    /// Phase at t = 0, or at `start` (rad).
    #[serde(default)]
    pub phase: f64,
    /// When the harmonic part begins, from where on its phase counts; it always has been if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// When the harmonic part ends; never if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// The harmonic part begins again after this time; once if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
    /// Points in time that are added (N).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<PointTable>,
    /// Where it acts.
    #[serde(flatten)]
    pub on: ActsOn,
}

/// Motion of the base: amplitude · sin(omega t + phase), and a record of its acceleration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// Amplitude (m).
    #[serde(default)]
    pub amplitude: f64,
    /// Angular frequency; without it there is no harmonic part (rad/s).
    #[serde(default)]
    pub omega: f64,
    /// Phase at t = 0, or at `start` (rad).
    #[serde(default)]
    pub phase: f64,
    /// When the base begins to move, from rest; its acceleration −amplitude omega² sin(omega (t − start) + phase) acts from then on (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// When the acceleration of the base ends; the base keeps its velocity (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// The acceleration begins again after this time; once if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
    /// Acceleration of the base as points in time (m/s²).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<PointTable>,
    /// Which degrees of freedom move along with the base, by how much; all by 1 if absent, rotations by 0 (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
}

impl Load {
    /// Whether its harmonic part begins or ends.
    pub(crate) fn has_window(&self) -> bool {
        self.start.is_some() || self.end.is_some() || self.period.is_some()
    }
}

impl Base {
    /// Whether its harmonic part begins or ends.
    pub(crate) fn has_window(&self) -> bool {
        self.start.is_some() || self.end.is_some() || self.period.is_some()
    }
}

/// A friction contact: one law, by name, and its surroundings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self")]
#[schemars(rename = "Contact")]
pub struct ContactTable {
    /// The law.
    #[serde(flatten)]
    pub law: FrictionLaw,
    /// Viscous part that is added to the coefficient: viscous damping σ₂ of the contact over the normal load (s/m).
    #[serde(default)]
    pub viscous: f64,
    /// Viscous damping σ₂ of the contact, instead of `viscous`; the normal load must be constant (N s/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-instead-of" = "viscous"))]
    pub contact_viscous: Option<f64>,
    /// Numbers of the law that are written in N/m or N s/m, by the names of those per newton of load.
    #[serde(skip)]
    pub at_load: Vec<&'static str>,
    /// Friction against negative sliding over that of the law, which then holds for positive sliding; 1 if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverse: Option<f64>,
    /// Normal load N (N).
    #[serde(default = "one")]
    pub load: f64,
    /// What is added to the normal load as time goes on or the system moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_varies: Option<VaryingLoad>,
    /// Velocity of the counter-surface (m/s).
    #[serde(default)]
    pub belt: f64,
    /// What is added to the velocity of the counter-surface as time goes on (m/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub belt_varies: Option<SignalTable>,
    /// Where it acts.
    #[serde(flatten)]
    pub on: ActsOn,
}

impl ContactTable {
    /// The law of the contact, given complete, as it holds in both directions.
    pub(crate) fn directed(&self, law: FrictionLaw) -> FrictionLaw {
        match self.reverse {
            Some(reverse) => law.directed(reverse),
            None => law,
        }
    }
}

/// State of an oscillator at t = 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Initial {
    /// Position (m).
    #[serde(default)]
    pub position: f64,
    /// Velocity (m/s).
    #[serde(default)]
    pub velocity: f64,
    /// Internal states of the laws, then of controllers; zero, or what the controllers say, if absent (unit of the state).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<f64>,
    /// Time that the clock of the loads shows at the start of a transient, where t = 0 (s).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub time: f64,
}

pub(crate) fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// The committed schema: to read it takes a fraction of the time that it takes to build it from the types.
static SCHEMA: Embedded = Embedded::new(include_str!("../schema/scenario.schema.json"));

/// The JSON Schema of a scenario.
pub fn schema() -> &'static serde_json::Value {
    SCHEMA.get()
}

/// The same, for checks.
pub(crate) fn checks() -> &'static keyed::Schema {
    SCHEMA.by_definition()
}

/// The JSON Schema of a scenario, built from its types.
pub fn generated_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Scenario).to_value();
    crate::units::extend(&mut schema);
    crate::units::extend_laws(&mut schema, &FrictionLaw::examples());
    schema
}

/// Makes the schemas that are built from the types those that scenarios and patches are checked with: while they are written
/// anew, the committed ones are stale.
pub fn use_generated_schemas() {
    SCHEMA.refresh(generated_schema);
    crate::patch_file::SCHEMA.refresh(crate::patch_file::generated_patch_schema);
}

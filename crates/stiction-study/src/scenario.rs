//! A scenario as its author writes it: the one schema of every front end.
//!
//! Doc comments of the fields become the texts of the JSON Schema.

use crate::diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use stiction::body::Body;
use stiction::integrate::Adaptive;
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
    /// How to integrate; if absent adaptive, in searches for periodic motions exact where the laws allow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator: Option<IntegratorKind>,
    /// What to compute; a transient if absent.
    #[serde(default)]
    pub analysis: AnalysisKind,
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
    /// A rigid body that slides and spins on a plane.
    Body(Box<Body>),
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().len() == 0
    }
}

fn one() -> f64 {
    1.0
}

/// One degree of freedom: m ü + c u̇ + k u + H = f(t).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Oscillator {
    /// Mass m (kg).
    pub mass: f64,
    /// Viscous damping c (N s/m).
    #[serde(default)]
    pub damping: f64,
    /// Stiffness k (N/m).
    #[serde(default)]
    pub stiffness: f64,
    /// Loads on the mass, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub force: OneOrMany<Load>,
    /// Motion of the base on which everything rides; positions are then measured from the base.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub base: OneOrMany<Base>,
    /// Friction contacts of the mass, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub friction: OneOrMany<Contact>,
    /// State at t = 0.
    #[serde(default)]
    pub initial: Initial,
}

/// A load: constant + amplitude · sin(omega t + phase).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    /// Phase at t = 0 (rad).
    #[serde(default)]
    pub phase: f64,
    /// Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dof: Option<usize>,
    /// Direction that it acts in, instead of `dof` (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
}

/// Motion of the base: amplitude · sin(omega t + phase).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// Amplitude (m).
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    pub omega: f64,
    /// Phase at t = 0 (rad).
    #[serde(default)]
    pub phase: f64,
    /// Which degrees of freedom move along with the base, by how much; all by 1 if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
}

/// A friction contact: one law, by name, and its surroundings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contact {
    /// The law.
    #[serde(flatten)]
    pub law: FrictionLaw,
    /// Viscous part that is added to the coefficient (s/m).
    #[serde(default)]
    pub viscous: f64,
    /// Normal load N (N).
    #[serde(default = "one")]
    pub load: f64,
    /// Velocity of the counter-surface (m/s).
    #[serde(default)]
    pub belt: f64,
    /// Degree of freedom that slides, from 0; not needed with one degree of freedom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dof: Option<usize>,
    /// Direction w, instead of `dof`: the sliding velocity is w·q̇ − belt (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
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
}

/// n degrees of freedom: M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Matrices {
    /// Mass matrix M, or its diagonal (kg).
    pub mass: MatrixForm,
    /// Damping matrix C, or its diagonal (N s/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<MatrixForm>,
    /// Stiffness matrix K, or its diagonal (N/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<MatrixForm>,
    /// Loads, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub force: OneOrMany<Load>,
    /// Motion of the base on which everything rides; positions are then measured from the base.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub base: OneOrMany<Base>,
    /// Friction contacts, one or a list.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub friction: OneOrMany<Contact>,
    /// State at t = 0.
    #[serde(default)]
    pub initial: InitialVectors,
}

/// A matrix by rows, or its diagonal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MatrixForm {
    /// The diagonal.
    Diagonal(Vec<f64>),
    /// The rows.
    Rows(Vec<Vec<f64>>),
}

/// State of a system at t = 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitialVectors {
    /// Positions; zero if absent (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// Velocities; zero if absent (m/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
}

/// How to integrate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorKind {
    /// The incremental scheme of Ragulskis et al. 2017.
    Incremental(FixedStep),
    /// The classical Runge–Kutta method of order 4.
    Rk4(FixedStep),
    /// Error control, stops at the kinks of the laws, goes implicit where a law is steep.
    Adaptive(Adaptive),
    /// No step size: closed form from event to event, for Coulomb's law and laws of straight pieces.
    Exact(ExactSettings),
}

/// The exact method has nothing to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactSettings {}

/// A fixed step, given by its length or by the number in a period of the first harmonic load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedStep {
    /// Length of the step (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Steps in a period of the first harmonic load (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_per_period: Option<f64>,
}

/// What to compute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisKind {
    /// The motion from the initial state.
    Transient(Transient),
    /// Periodic motions, found without waiting for transients to die out.
    Steady(SteadySettings),
    /// Periodic motions along a parameter: frequency response, or any other branch.
    Response(Response),
    /// The state once per period of the load, after a transient, along a parameter.
    Bifurcation(BifurcationSettings),
}

impl Default for AnalysisKind {
    fn default() -> Self {
        Self::Transient(Transient::default())
    }
}

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
    /// Part that is summarised and drawn: in periods with `periods`, in seconds with `duration`; all if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<[f64; 2]>,
    /// Times of the samples, ascending; a grid over the window if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<f64>>,
    /// Number of samples in that grid (-).
    pub samples: usize,
}

impl Default for Transient {
    fn default() -> Self {
        Self { periods: None, duration: None, window: None, times: None, samples: 2001 }
    }
}

/// Periodic motions, found without waiting for transients to die out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SteadySettings {
    /// Periods of the first harmonic load in one period of the motion (-).
    pub subharmonic: u32,
    /// Degree of freedom whose amplitude and phase are measured, from 0.
    pub dof: usize,
    /// States from which the search begins; a set of its own if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<Vec<Start>>,
}

impl Default for SteadySettings {
    fn default() -> Self {
        Self { subharmonic: 1, dof: 0, starts: None }
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

/// Periodic motions along a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// Key that is varied: its path, or the end of it.
    pub parameter: String,
    /// First value.
    pub from: f64,
    /// Last value.
    pub to: f64,
    /// Number of points of a sweep (-).
    #[serde(default = "two_hundred")]
    pub points: usize,
    /// Follow the branch through its folds instead of stepping through a list of values.
    #[serde(default)]
    pub through_folds: bool,
    /// Degree of freedom whose amplitude and phase are measured, from 0.
    #[serde(default)]
    pub dof: usize,
}

/// The state once per period of the load, after a transient, along a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BifurcationSettings {
    /// Key that is varied: its path, or the end of it.
    pub parameter: String,
    /// First value.
    pub from: f64,
    /// Last value.
    pub to: f64,
    /// Number of values (-).
    #[serde(default = "two_hundred")]
    pub points: usize,
    /// Periods that are not recorded (-).
    #[serde(default = "two_hundred_periods")]
    pub transient: u32,
    /// Periods that are recorded (-).
    #[serde(default = "fifty")]
    pub samples: u32,
}

fn two_hundred() -> usize {
    200
}

fn two_hundred_periods() -> u32 {
    200
}

fn fifty() -> u32 {
    50
}

/// The JSON Schema of a scenario.
pub fn schema() -> &'static serde_json::Value {
    static SCHEMA: OnceLock<serde_json::Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(Scenario).to_value())
}

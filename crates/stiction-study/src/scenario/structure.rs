//! Systems of several degrees of freedom, given by matrices or made from a few numbers.

use super::{Acting, DampingForm, MatrixForm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::structure::{Beam, Chain, Plate};

/// n degrees of freedom: M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Matrices {
    /// Mass matrix M: rows, diagonal, or where it is stored (kg).
    pub mass: MatrixForm,
    /// Stiffness matrix K: rows, diagonal, or where it is stored (N/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<MatrixForm>,
    /// Everything else.
    #[serde(flatten)]
    pub surroundings: Surroundings,
}

/// Masses in a row, joined by springs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ChainSystem", deny_unknown_fields)]
pub struct ChainTable {
    /// The chain.
    #[serde(flatten)]
    pub chain: Chain,
    /// Everything else.
    #[serde(flatten)]
    pub surroundings: Surroundings,
}

/// A slender beam in bending, in elements of Euler and Bernoulli with cubic deflection and consistent mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BeamSystem", deny_unknown_fields)]
pub struct BeamTable {
    /// The beam.
    #[serde(flatten)]
    pub beam: Beam,
    /// Everything else.
    #[serde(flatten)]
    pub surroundings: Surroundings,
}

/// A thin rectangular plate in bending, in Kirchhoff elements of twelve degrees of freedom with consistent mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PlateSystem", deny_unknown_fields)]
pub struct PlateTable {
    /// The plate.
    #[serde(flatten)]
    pub plate: Plate,
    /// Everything else.
    #[serde(flatten)]
    pub surroundings: Surroundings,
}

/// What acts on a structure, and how it starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Surroundings {
    /// Damping matrix C: rows, diagonal, where it is stored, of Rayleigh's kind or by the modes (N s/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<DampingForm>,
    /// What acts on it.
    #[serde(flatten)]
    pub acting: Acting,
    /// State at t = 0.
    #[serde(default)]
    pub initial: InitialVectors,
    /// Reduction to the lowest modes and the static shapes of contacts and loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduce: Option<Reduce>,
}

/// Reduction of a model to its lowest modes and the static shapes of its contacts and loads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Reduce {
    /// Modes to keep (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes: Option<usize>,
    /// Largest error of the dynamic compliance within the band, relative to the static one; instead of `modes` (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Highest angular frequency that matters; ten times the highest of the loads if absent (rad/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<f64>,
    /// Degrees of freedom that are told beside those with a contact or a load, from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dofs: Vec<usize>,
    /// Nodes of a chain, beam or plate that are told besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Nodes>,
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
    /// Internal states of the laws, then of controllers; zero, or what the controllers say, if absent (unit of the state).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<f64>,
    /// Time that the clock of the loads shows at the start of a transient, where t = 0 (s).
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub time: f64,
}

/// Nodes of a structure, from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Nodes {
    /// One.
    One(usize),
    /// Several.
    Many(Vec<usize>),
    /// By a word.
    Word(NodesWord),
}

/// Nodes by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NodesWord {
    /// All that no support holds.
    All,
}

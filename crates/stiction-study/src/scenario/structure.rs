//! Systems of several degrees of freedom, given by matrices or made from a few numbers.

use super::{Acting, DampingForm, MatrixForm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use stiction::structure::{Beam, Chain, ChainEnd, Plate, Support};

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
    /// Number of masses, the nodes of the chain; that of the list `mass` if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masses: Option<usize>,
    /// Each mass, or the list of all (kg).
    pub mass: MassForm,
    /// Each spring between neighbours, and to the wall at a fixed end (N/m).
    pub stiffness: f64,
    /// Each spring from a mass to the ground (N/m).
    #[serde(default)]
    pub ground: f64,
    /// End before the first mass.
    #[serde(default = "fixed")]
    pub left: ChainEnd,
    /// End after the last mass.
    #[serde(default)]
    pub right: ChainEnd,
    /// Everything else.
    #[serde(flatten)]
    pub surroundings: Surroundings,
}

/// A slender beam in bending, in elements of Euler and Bernoulli with cubic deflection and consistent mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BeamSystem", deny_unknown_fields)]
pub struct BeamTable {
    /// Number of elements; the nodes are 0 to this number, from the left (-).
    pub elements: usize,
    /// Length L (m).
    pub length: f64,
    /// Young's modulus E (Pa).
    pub young: f64,
    /// Density ρ (kg/m³).
    pub density: f64,
    /// Second moment of area I of the cross-section, with `area` (m⁴).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<f64>,
    /// Area A of the cross-section, with `inertia` (m²).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// Width of a rectangular cross-section, across the plane of bending, with `height` (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Height of a rectangular cross-section, in the plane of bending, with `width` (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Diameter of a circular cross-section (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diameter: Option<f64>,
    /// Support of the left end.
    #[serde(default = "clamped")]
    pub left: Support,
    /// Support of the right end.
    #[serde(default)]
    pub right: Support,
    /// Everything else.
    #[serde(flatten)]
    pub surroundings: Surroundings,
}

/// One mass, or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "MassOrMasses")]
pub enum MassForm {
    /// The same for all.
    Each(f64),
    /// One after the other.
    All(Vec<f64>),
}

fn fixed() -> ChainEnd {
    ChainEnd::Fixed
}

fn clamped() -> Support {
    Support::Clamped
}

impl ChainTable {
    /// Number of masses; otherwise what is wrong.
    pub(crate) fn n(&self) -> Result<usize, &'static str> {
        match (&self.mass, self.masses) {
            (MassForm::Each(_), None) => {
                Err("masses is missing, the number of masses; or give mass as a list")
            }
            (MassForm::Each(_), Some(n)) => Ok(n),
            (MassForm::All(all), Some(n)) if all.len() != n => {
                Err("masses is not the length of the list mass")
            }
            (MassForm::All(all), _) => Ok(all.len()),
        }
    }

    /// The chain of this many masses.
    pub(crate) fn chain(&self, n: usize) -> Chain {
        let mass = match &self.mass {
            MassForm::Each(mass) => vec![*mass; n],
            MassForm::All(all) => all.clone(),
        };
        let Self { stiffness, ground, left, right, .. } = *self;
        Chain { mass, stiffness, ground, left, right }
    }
}

impl BeamTable {
    /// The beam; otherwise the key that is wrong, and why.
    pub(crate) fn beam(&self) -> Result<Beam, (&'static str, String)> {
        let Self { elements, length, young, density, left, right, .. } = *self;
        let [inertia, area] = self.section()?;
        Ok(Beam { elements, length, young, inertia, density, area, left, right })
    }

    /// Second moment of area and area of the cross-section (m⁴, m²).
    fn section(&self) -> Result<[f64; 2], (&'static str, String)> {
        let given = [
            ("inertia", self.inertia),
            ("area", self.area),
            ("width", self.width),
            ("height", self.height),
            ("diameter", self.diameter),
        ];
        for (key, value) in given {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                return Err((key, format!("{value}, but it must be positive and finite")));
            }
        }
        match given.map(|(_, value)| value) {
            [Some(inertia), Some(area), None, None, None] => Ok([inertia, area]),
            [None, None, Some(width), Some(height), None] => {
                Ok([width * height * height * height / 12.0, width * height])
            }
            [None, None, None, None, Some(d)] => Ok([PI * d * d * d * d / 64.0, PI * d * d / 4.0]),
            _ => {
                let names: Vec<&str> =
                    given.iter().filter(|(_, value)| value.is_some()).map(|(key, _)| *key).collect();
                let found = if names.is_empty() {
                    "is missing".to_owned()
                } else {
                    format!("by {}", names.join(", "))
                };
                let message = format!(
                    "cross-section {found}, but it must be by width and height, by diameter, or by area and inertia"
                );
                Err((names.first().copied().unwrap_or(""), message))
            }
        }
    }
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
    /// Degrees of freedom that are reported beside those with a contact or a load, from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dofs: Vec<usize>,
    /// Nodes of a chain, beam or plate that are reported besides.
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

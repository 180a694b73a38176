//! Matrices as their author gives them: in the scenario, in a file, or by what they follow from.

use super::OneOrMany;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A matrix by rows, or its diagonal, or where it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MatrixForm {
    /// The diagonal.
    Diagonal(Vec<f64>),
    /// The rows.
    Rows(Vec<Vec<f64>>),
    /// A file, or the entries that are not zero.
    Stored(StoredMatrix),
}

/// Where a large matrix is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StoredMatrix {
    /// Path of a file: Matrix Market, or rows of numbers; from the folder of the scenario's file, else the working folder.
    File(String),
    /// The entries that are not zero.
    Sparse(SparseEntries),
}

/// The entries of a matrix that are not zero; entries in one place are added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SparseEntries {
    /// Number of rows and of columns (-).
    pub n: usize,
    /// Row of each entry, from 0.
    pub rows: Vec<usize>,
    /// Column of each entry, from 0.
    pub columns: Vec<usize>,
    /// The entries (unit of the matrix).
    pub values: Vec<f64>,
}

/// A damping matrix, or what it follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DampingForm {
    /// The matrix.
    Matrix(MatrixForm),
    /// What it follows from.
    Model(ModelDamping),
}

/// What a damping matrix follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelDamping {
    /// C = alpha M + beta K.
    Rayleigh(RayleighDamping),
    /// Damping ratio of every mode, or of each from the lowest on, the last one for all that follow (-).
    Modal(OneOrMany<f64>),
}

/// Rayleigh damping C = alpha M + beta K.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RayleighDamping {
    /// Multiple of the mass matrix (1/s).
    pub alpha: f64,
    /// Multiple of the stiffness matrix (s).
    pub beta: f64,
}

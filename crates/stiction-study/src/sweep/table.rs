//! A sweep as its author writes it.

use super::draw::DrawKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The analysis at many values of some numbers: a grid of all axes, or points that are drawn. `stiction sweep` runs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Sweep")]
pub struct SweepTable {
    /// The numbers that vary; of a grid the last varies fastest.
    pub over: Vec<AxisTable>,
    /// Axes of a grid that move together, by their `parameter`: a list of lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<Vec<String>>,
    /// Draw points instead of a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawKind>,
    /// Number of points that are drawn (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
    /// Seed of what is drawn; another gives other points (-).
    #[serde(default)]
    pub seed: u64,
}

/// A number that varies: `from`, `to` and `points`, or `values`, or a column of a CSV file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Axis")]
pub struct AxisTable {
    /// Key that is varied: its path, or the end of it.
    pub parameter: String,
    /// First value (unit of the parameter).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Last value (unit of the parameter).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Number of values from `from` to `to`, both included; absent if points are drawn (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
    /// How they are spread.
    #[serde(default)]
    pub spacing: Spacing,
    /// The values, instead; points that are drawn choose among them (unit of the parameter).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
    /// A CSV file with the values, instead; paths begin at the folder of the scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its column; the one called as the parameter if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

impl AxisTable {
    /// An axis without values.
    pub fn new(parameter: impl Into<String>) -> Self {
        Self {
            parameter: parameter.into(),
            from: None,
            to: None,
            points: None,
            spacing: Spacing::Linear,
            values: None,
            file: None,
            column: None,
        }
    }
}

/// How values are spread between two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spacing {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios.
    Log,
}

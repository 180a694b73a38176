//! What varies in time or with the motion, stops, and control.

use super::{ActsOn, OneOrMany};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Points joined by straight lines: `times` and `values`, columns of a CSV file, a step, a ramp, a pulse, a chirp, or noise. Two equal
/// times are a jump.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Points")]
pub struct PointTable {
    /// Times, ascending (s).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// Values at these times (unit of the signal).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    /// A CSV file with named columns, instead; paths begin at the folder of the scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Column of the times in the file; the first if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_column: Option<String>,
    /// Column of the values in the file; the second if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_column: Option<String>,
    /// A step, instead: zero before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepTable>,
    /// A ramp, instead: zero before it, held after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ramp: Option<SpanTable>,
    /// A pulse, instead: zero before and after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pulse: Option<SpanTable>,
    /// A sine whose frequency goes from one value to another, instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chirp: Option<ChirpTable>,
    /// Noise, instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<NoiseTable>,
    /// The table begins again after this time; held at its ends if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Step")]
pub struct StepTable {
    /// When it comes (s).
    pub at: f64,
    /// The value from then on (unit of the signal).
    pub value: f64,
}

/// A ramp or a pulse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Span")]
pub struct SpanTable {
    /// When it begins (s).
    pub start: f64,
    /// When it ends (s).
    pub end: f64,
    /// The value that a ramp reaches, and that a pulse has (unit of the signal).
    pub value: f64,
}

/// A sine whose angular frequency grows or falls evenly from t = 0 on; nothing after its end. The straight lines between its points are off by
/// 0.12 % of the amplitude at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Chirp")]
pub struct ChirpTable {
    /// Amplitude (unit of the signal).
    pub amplitude: f64,
    /// Angular frequency at t = 0 (rad/s).
    pub from: f64,
    /// Angular frequency at the end (rad/s).
    pub to: f64,
    /// Length (s).
    pub duration: f64,
}

/// Noise within a band, the same for one seed on every machine; it closes on itself after its duration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Noise")]
pub struct NoiseTable {
    /// Root mean square (unit of the signal).
    pub rms: f64,
    /// Lowest angular frequency (rad/s).
    #[serde(default)]
    pub low: f64,
    /// Highest angular frequency (rad/s).
    pub high: f64,
    /// Length of the table (s).
    pub duration: f64,
    /// Seed of the random phases (-).
    #[serde(default)]
    pub seed: u64,
}

/// A number that varies: constant + amplitude · sin(omega t + phase) + table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Signal")]
pub struct SignalTable {
    /// Constant part (unit of the signal).
    pub constant: f64,
    /// Amplitude of the harmonic part (unit of the signal).
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omega: Option<f64>,
    /// Phase at t = 0, or at `start` (rad).
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
    /// Points in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<PointTable>,
}

/// A number that varies, or a constant one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "SignalOrNumber")]
pub enum SignalForm {
    /// One that stays as it is.
    Constant(f64),
    /// One that varies.
    Varying(Box<SignalTable>),
}

impl Default for SignalForm {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl SignalForm {
    /// The table that stands for it.
    pub fn table(&self) -> SignalTable {
        match self {
            Self::Constant(constant) => SignalTable { constant: *constant, ..SignalTable::default() },
            Self::Varying(table) => (**table).clone(),
        }
    }
}

/// What is added to the normal load N of a contact; the contact opens while their sum would be negative.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VaryingLoad {
    /// Amplitude of a harmonic part (N).
    pub amplitude: f64,
    /// Its angular frequency (rad/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omega: Option<f64>,
    /// Its phase at t = 0, or at `start` (rad).
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
    /// Points in time (N).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<PointTable>,
    /// n: the load grows by n·q (N/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_position: Option<Vec<f64>>,
    /// n̄: the load grows by n̄·q̇ (N s/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_velocity: Option<Vec<f64>>,
}

/// A degree of freedom that moves as prescribed, whatever acts on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Prescribed", deny_unknown_fields)]
pub struct PrescribedTable {
    /// Its position in time; without jumps (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<SignalForm>,
    /// Its velocity in time, instead (m/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<SignalForm>,
    /// Its acceleration in time, instead (m/s²).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<SignalForm>,
    /// Position at t = 0, of a given velocity or acceleration; if absent zero, or without mean where the velocity repeats itself
    /// without mean (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<f64>,
    /// Velocity at t = 0, of a given acceleration; if absent zero, or without mean where that repeats itself without mean (m/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_velocity: Option<f64>,
    /// Which degree of freedom.
    #[serde(flatten)]
    pub on: ActsOn,
}

/// A spring of straight pieces, which go on beyond the first and the last point, or a polynomial one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "Spring", deny_unknown_fields)]
pub struct SpringTable {
    /// Positions, ascending (m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<f64>,
    /// Forces against the motion at these positions (N).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<f64>,
    /// Force against the motion as a polynomial of the position, instead: the factors of u, u², u³, … (N/m, N/m², …).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub polynomial: Vec<f64>,
    /// Where it acts.
    #[serde(flatten)]
    pub on: ActsOn,
}

/// A PID controller: force kp e + ki ∫e dt − kd q̇ with the error e = reference − q.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "Control", deny_unknown_fields)]
pub struct ControlTable {
    /// Proportional gain (N/m).
    pub kp: f64,
    /// Integral gain (N/(m s)).
    pub ki: f64,
    /// Derivative gain, on the measured velocity (N s/m).
    pub kd: f64,
    /// Reference; 0 if absent (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-synonyms" = ["setpoint", "set_point", "target", "desired"]))]
    pub reference: Option<SignalForm>,
    /// Time constant of a filter before the derivative gain; none if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<f64>,
    /// Largest force, either way; unlimited if absent (N).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// Time constant with which the integral is reduced while the force is limited (back-calculation); it winds up if absent (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anti_windup: Option<f64>,
    /// ∫e dt at t = 0 (m s).
    pub integral: f64,
    /// Where it acts.
    #[serde(flatten)]
    pub on: ActsOn,
}

/// First-order states x beside the mechanics, with references r: ẋ = A x + B_q q + B_v q̇ + B_r r, forces F_x x + F_q q + F_v q̇ + F_r r.
/// Matrices that are absent are zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "StateSpace")]
pub struct StateSpaceTable {
    /// A, as many rows and columns as there are states (1/s).
    pub a: Vec<Vec<f64>>,
    /// B_q, a row for each state and a column for each degree of freedom (unit of the state per s and m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub b_position: Vec<Vec<f64>>,
    /// B_v, a row for each state and a column for each degree of freedom (unit of the state per m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub b_velocity: Vec<Vec<f64>>,
    /// B_r, a row for each state and a column for each reference (unit of the state per s and unit of the reference).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub b_reference: Vec<Vec<f64>>,
    /// F_x, a row for each degree of freedom and a column for each state (N per unit of the state).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub f_state: Vec<Vec<f64>>,
    /// F_q, a row and a column for each degree of freedom (N/m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub f_position: Vec<Vec<f64>>,
    /// F_v, a row and a column for each degree of freedom (N s/m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub f_velocity: Vec<Vec<f64>>,
    /// F_r, a row for each degree of freedom and a column for each reference (N per unit of the reference).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub f_reference: Vec<Vec<f64>>,
    /// References r, one or a list.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    #[schemars(extend("x-synonyms" = ["setpoint", "set_point", "target", "desired"]))]
    pub reference: OneOrMany<SignalForm>,
    /// x at t = 0; zero if absent (unit of the state).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<f64>,
}

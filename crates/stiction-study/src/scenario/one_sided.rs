//! Tables of elements that act on one side of a limit.
//!
//! A kind of element is a table with [`OneSidedTable`], which builds it from rigid and elastic stops: these have modes,
//! guards and rows in every engine. Its list is a field of `Acting` and a row of `Acting::one_sided`.

use super::{ActsOn, OneOrMany};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::Faults;
use stiction::system::{ElasticStop, RigidStop};

/// A stop of either kind: what an element adds along a direction.
pub(crate) enum AnyStop {
    Rigid(RigidStop),
    Elastic(ElasticStop),
}

/// A table of elements that act on one side of a limit.
pub(crate) trait OneSidedTable {
    /// Where it acts.
    fn on(&self) -> &ActsOn;
    /// Adds keys that do not go with each other, with the reason, and numbers that are wrong.
    fn check(&self, wrong: &mut Vec<(&'static str, &'static str)>, faults: &mut Faults);
    /// Its elements along a direction.
    fn elements(&self, direction: &[f64]) -> Vec<AnyStop>;
    /// Whether it is fixed in space where the base moves.
    fn is_fixed_in_space(&self) -> bool {
        false
    }
}

/// The tables of a list.
pub(super) fn listed<'a, T: OneSidedTable>(
    list: &'static str,
    tables: &'a OneOrMany<T>,
) -> impl Iterator<Item = (String, &'a dyn OneSidedTable)> {
    tables.iter().enumerate().map(move |(i, table)| {
        let key = if matches!(tables, OneOrMany::One(_)) { list.to_owned() } else { format!("{list}.{i}") };
        (key, table as &dyn OneSidedTable)
    })
}

/// Stops at one or both ends of a way: rigid with Newton's restitution, or elastic with a stiffness.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "Stop", deny_unknown_fields)]
pub struct StopTable {
    /// Largest position (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// Smallest position (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// Restitution e of a rigid stop: a velocity v turns into −e v at once, and friction has no part in it; 0 if absent (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Stiffness of an elastic stop; rigid if absent (N/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Damping of an elastic stop, which never pulls; 0 if absent (N s/m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Whether the force of the damping is limited to that of the spring, both ways, so that the force lies between 0 and twice that
    /// of the spring.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub limited_damping: bool,
    /// Whether it is fixed in space where the base moves; otherwise it moves with the base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fixed_in_space: bool,
    /// Where it acts.
    #[serde(flatten)]
    pub on: ActsOn,
}

impl OneSidedTable for StopTable {
    fn on(&self) -> &ActsOn {
        &self.on
    }

    fn check(&self, wrong: &mut Vec<(&'static str, &'static str)>, faults: &mut Faults) {
        if self.upper.is_none() && self.lower.is_none() {
            wrong.push(("", "neither upper nor lower is given"));
        }
        if self.limited_damping && self.damping.is_none() {
            wrong.push(("limited_damping", "given without damping, which it needs"));
        }
        match self.stiffness {
            Some(_) if self.restitution.is_some() => {
                wrong.push(("restitution", "given beside stiffness, but an elastic stop needs none"));
            }
            None if self.damping.is_some() => {
                wrong.push(("damping", "given without stiffness, which it needs"));
            }
            _ => {}
        }
        faults.between("restitution", self.restitution.unwrap_or(0.0), 0.0, 1.0);
        faults.not_negative("damping", self.damping.unwrap_or(0.0));
        if let Some(stiffness) = self.stiffness {
            faults.positive("stiffness", stiffness);
        }
    }

    fn elements(&self, direction: &[f64]) -> Vec<AnyStop> {
        let ends = [(1.0, self.upper), (-1.0, self.lower)].into_iter();
        let ends = ends.filter_map(|(sign, position)| Some((sign, sign * position?)));
        ends.map(|(sign, position)| {
            let direction = direction.iter().map(|w| sign * w).collect();
            match self.stiffness {
                None => AnyStop::Rigid(RigidStop {
                    direction,
                    position,
                    restitution: self.restitution.unwrap_or(0.0),
                    ..RigidStop::default()
                }),
                Some(stiffness) => AnyStop::Elastic(ElasticStop {
                    direction,
                    position,
                    stiffness,
                    damping: self.damping.unwrap_or(0.0),
                    is_limited: self.limited_damping,
                    ..ElasticStop::default()
                }),
            }
        })
        .collect()
    }

    fn is_fixed_in_space(&self) -> bool {
        self.fixed_in_space
    }
}

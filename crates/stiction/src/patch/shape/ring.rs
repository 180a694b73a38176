//! A circular line, such as the rim of a cup.

use super::{Footprint, Loop, Setting, circle, circular, hole};
use crate::Faults;
use crate::patch::axial::Axial;
use crate::patch::part::Form;
use crate::patch::profile::Profile;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Contact along a circle, a line without width.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Ring {
    /// Radius (m).
    pub radius: f64,
}

impl Footprint for Ring {
    circular!();
    fn has_area(&self) -> bool {
        false
    }
    fn outlines(&self, n: usize) -> Vec<Loop> {
        vec![circle(self.radius, n), hole(self.radius, n)]
    }
    fn description(&self, number: &dyn Fn(f64) -> String) -> String {
        format!("ring of radius {} m", number(self.radius))
    }
    fn form(&self, setting: &Setting) -> Form {
        setting.axial(Axial::disc(Profile::Ring, self.radius))
    }
}

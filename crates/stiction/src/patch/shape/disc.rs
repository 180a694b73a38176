//! A full circle: elastic punches and spheres, and the Padé closures of the papers.

use super::{Footprint, Loop, Setting, circle, circular};
use crate::Faults;
use crate::patch::axial::Axial;
use crate::patch::pade::Pade;
use crate::patch::part::Form;
use crate::patch::profile::Profile;
use crate::patch::{Constants, Pressure};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Full circle.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Disc {
    /// Radius (m).
    pub radius: f64,
}

impl Footprint for Disc {
    circular!();
    fn gyration(&self) -> Option<([f64; 2], f64)> {
        Some(([0.0; 2], 0.5 * self.radius * self.radius))
    }
    fn outlines(&self, n: usize) -> Vec<Loop> {
        vec![circle(self.radius, n)]
    }
    fn description(&self, number: &dyn Fn(f64) -> String) -> String {
        format!("disc of radius {} m", number(self.radius))
    }
    fn has_elastic_pressure(&self) -> bool {
        true
    }
    fn constants(&self, pressure: Pressure) -> &'static [Constants] {
        match pressure {
            Pressure::Galin => &[Constants::Consistent, Constants::AsPrinted],
            _ => &[Constants::Consistent],
        }
    }
    fn check_closure(&self, setting: &Setting, refuse: &mut dyn FnMut(&str, &'static str, &'static str)) {
        if matches!(setting.pressure, Pressure::Linear { .. }) {
            refuse(
                "closure",
                "this closure",
                "the fractions of a disc are for pressures that are alike all around",
            );
        }
        if !self.constants(setting.pressure).contains(&setting.patch.constants) {
            refuse("constants", "as-printed", "the paper prints them for the galin pressure only");
        }
    }
    fn form(&self, setting: &Setting) -> Form {
        let profile = match setting.pressure {
            Pressure::Galin => Profile::Galin,
            Pressure::Hertz => Profile::Hertz,
            _ => Profile::Uniform,
        };
        let pade = Pade::new(setting.patch.closure, setting.patch.constants, profile, self.radius);
        setting.axial(Axial { pade, ..Axial::disc(profile, self.radius) })
    }
}

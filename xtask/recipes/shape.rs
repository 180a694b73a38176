//! A regular hexagon, such as the head of a bolt.

use super::{Footprint, Loop, Setting, closed};
use crate::Faults;
use crate::patch::part::Form;

/// Regular hexagon about the centre, two corners on the x axis.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields)
)]
pub struct Hexagon {
    /// Distance of the corners from the centre (m).
    pub radius: f64,
}

impl Hexagon {
    fn loops(&self) -> Vec<Loop> {
        let (r, x, y) = (self.radius, 0.5 * self.radius, 0.75f64.sqrt() * self.radius);
        vec![vec![[r, 0.0], [x, y], [-x, y], [-r, 0.0], [-x, -y], [x, -y]]]
    }
}

impl Footprint for Hexagon {
    fn examples() -> Vec<Self> {
        vec![Self { radius: 0.1 }]
    }
    fn check(&self, faults: &mut Faults) -> bool {
        faults.positive("radius", self.radius)
    }
    fn radius(&self) -> f64 {
        self.radius
    }
    fn outlines(&self, _n: usize) -> Vec<Loop> {
        self.loops().iter().map(|corners| closed(corners)).collect()
    }
    fn corners(&self) -> Option<Vec<Loop>> {
        Some(self.loops())
    }
    fn description(&self, number: &dyn Fn(f64) -> String) -> String {
        format!("hexagon of radius {} m", number(self.radius))
    }
    fn form(&self, setting: &Setting) -> Form {
        Form::Polygon(Box::new(setting.polygon(&self.loops())))
    }
}

//! A rectangle: exactly a polygon, with Padé closures of its own.

use super::{FLATTEST, Footprint, Loop, Setting, closed};
use crate::Faults;
use crate::patch::part::Form;
use crate::patch::rectangle::RectanglePade;
use crate::patch::{Closure, Pressure};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Rectangle about the centre, sides along the axes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Rectangle {
    /// Side along x (m).
    pub length: f64,
    /// Side along y (m).
    pub width: f64,
}

impl Rectangle {
    fn loops(&self) -> Vec<Loop> {
        let (x, y) = (self.length / 2.0, self.width / 2.0);
        vec![vec![[-x, -y], [x, -y], [x, y], [-x, y]]]
    }
}

impl Footprint for Rectangle {
    fn examples() -> Vec<Self> {
        vec![Self { length: 0.5, width: 0.2 }, Self { length: 0.1, width: 0.4 }]
    }
    fn check(&self, faults: &mut Faults) -> bool {
        let (length, width) = (self.length, self.width);
        let least = FLATTEST * (length * length + width * width);
        faults.positive("length", length) & faults.positive("width", width)
            && faults.at_least("width", length * width, least, "as an area: the rectangle is a line")
    }
    fn radius(&self) -> f64 {
        0.5 * libm::hypot(self.length, self.width)
    }
    fn outlines(&self, _n: usize) -> Vec<Loop> {
        self.loops().iter().map(|corners| closed(corners)).collect()
    }
    fn corners(&self) -> Option<Vec<Loop>> {
        Some(self.loops())
    }
    fn description(&self, number: &dyn Fn(f64) -> String) -> String {
        format!("rectangle {} m × {} m", number(self.length), number(self.width))
    }
    fn check_closure(&self, setting: &Setting, refuse: &mut dyn FnMut(&str, &'static str, &'static str)) {
        let Setting { patch, pressure, is_single, .. } = setting;
        if !self.constants(*pressure).contains(&patch.constants) {
            refuse("constants", "as-printed", "the printed fractions of the rectangle are degenerate");
        }
        if patch.height > 0.0 && *is_single {
            refuse("height", "a height", "the closures of the rectangle know no skewed pressure");
        }
        if *pressure != Pressure::Uniform {
            refuse("closure", "this closure", "the rectangle has it for uniform pressure only");
        }
    }
    fn form(&self, setting: &Setting) -> Form {
        let exact = setting.polygon(&self.loops());
        match setting.patch.closure {
            Closure::Exact => Form::Polygon(Box::new(exact)),
            closure => Form::Rectangle(
                RectanglePade::new(&exact, closure == Closure::Pade2),
                exact.cubic(),
                [setting.patch.mu1, setting.patch.mu2],
            ),
        }
    }
}

//! A disc with a round hole: the difference of two discs.

use super::{Footprint, Loop, Setting, circle, hole};
use crate::Faults;
use crate::patch::axial::Axial;
use crate::patch::part::Form;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// A thinner annulus would lose more than four digits as the difference of two discs (-).
const THINNEST: f64 = 1e-4;

/// Disc with a concentric round hole.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Annulus {
    /// Radius of the hole (m).
    pub inner: f64,
    /// Outer radius (m).
    pub outer: f64,
}

impl Footprint for Annulus {
    fn examples() -> Vec<Self> {
        vec![Self { inner: 0.05, outer: 0.1 }]
    }
    fn check(&self, faults: &mut Faults) -> bool {
        let good = faults.positive("outer", self.outer) & faults.positive("inner", self.inner);
        let limit = (1.0 - THINNEST) * self.outer;
        good && faults.at_most("inner", self.inner, limit, "a thinner annulus is a ring")
    }
    fn radius(&self) -> f64 {
        self.outer
    }
    fn is_round(&self) -> bool {
        true
    }
    fn gyration(&self) -> Option<([f64; 2], f64)> {
        Some(([0.0; 2], 0.5 * (self.inner * self.inner + self.outer * self.outer)))
    }
    fn outlines(&self, n: usize) -> Vec<Loop> {
        vec![circle(self.outer, n), hole(self.inner, n)]
    }
    fn description(&self, number: &dyn Fn(f64) -> String) -> String {
        format!("annulus of radii {} and {} m", number(self.inner), number(self.outer))
    }
    fn form(&self, setting: &Setting) -> Form {
        setting.axial(Axial::annulus(self.inner, self.outer))
    }
}

//! Circular-linear transition (@ragulskis2018).
//!
//! Two arcs of radius r leave the plateaus tangentially and are joined by the straight line through the centre that is
//! tangent to both. For a transition of half-width w and half-height g:
//!
//! ```text
//!   s² = w² + (g − r)²,   t² = s² − r²
//!   sin θ = (r w + (g − r) t)/s²,   cos θ = (w t − r (g − r))/s²
//!   line:  T(x) = x tan θ                       |x| ≤ t cos θ
//!   arcs:  T(x) = ±(g − r + √(r² − (w − |x|)²))   t cos θ < |x| ≤ w
//! ```
//!
//! Odd, C¹ (the curvature jumps where the pieces meet). Single-valued exactly when 0 < r < w for every transition in
//! use. The radius lives in the (v, φ) plane as drawn, so it has no unit of its own.
//! Creeps under load, as every law of the velocity alone.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/circular-linear.svg"))]

use super::size::StandsIn;
use super::stribeck::FallingLimit;
use super::transition::{Profiled, Ramp, RampProfile, ramp_law};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

ramp_law! {
    /// Coulomb friction with two circular arcs and a straight line through zero.
    pub struct CircularLinear {
        /// Radius r of the arcs in the (v, φ) plane, below the half-width of every transition in use (-, with v in m/s).
        pub radius: f64,
    }
}

/// The straight line of a transition: its half-length along x, and tan θ.
#[inline]
fn line(r: f64, w: f64, g: f64) -> (f64, f64) {
    let s2 = w * w + (g - r) * (g - r);
    let t = (s2 - r * r).sqrt();
    let sin = (r * w + (g - r) * t) / s2;
    let cos = (w * t - r * (g - r)) / s2;
    (t * cos, sin / cos)
}

impl Ramp for CircularLinear {
    #[inline]
    fn join(&self, w: f64, g: f64, x: f64) -> f64 {
        let r = self.radius;
        let (x_line, tan) = line(r, w, g);
        if x.abs() <= x_line {
            return x * tan;
        }
        let y = w - x.abs();
        // r − √(r² − y²) without cancellation
        (g - y * y / (r + (r * r - y * y).max(0.0).sqrt())).copysign(x)
    }
    #[inline]
    fn join_slope(&self, w: f64, g: f64, x: f64) -> f64 {
        let r = self.radius;
        let (x_line, tan) = line(r, w, g);
        if x.abs() <= x_line {
            return tan;
        }
        let y = w - x.abs();
        (y / ((r - y) * (r + y)).max(0.0).sqrt()).min(tan)
    }
    fn kink(&self, w: f64, g: f64) -> Option<f64> {
        Some(line(self.radius, w, g).0)
    }
    fn check_own(&self, good: bool, faults: &mut Faults) {
        if faults.positive("radius", self.radius) && good {
            let limit = self.profile().transitions().map(|(w, _)| w).fold(f64::INFINITY, f64::min);
            faults.below(
                "radius",
                self.radius,
                limit,
                "the half-width of the narrowest transition, beyond which the law would fold back on itself",
            );
        }
    }
}

impl CircularLinear {
    pub(super) fn examples() -> Vec<Self> {
        let simple = Self { mu: 3.2, width: 0.8, radius: 0.15, rise: None, rise_height: None };
        let raised = Self { mu: 1.6, width: 1.8, radius: 0.8, rise: Some(1.8), rise_height: None };
        let low = Self { mu: 0.3, width: 0.02, radius: 0.01, rise: Some(0.05), rise_height: Some(0.1) };
        let flat = Self { mu: 0.1, width: 2.0, radius: 1.5, rise: None, rise_height: None };
        vec![simple, raised, low, flat]
    }
}

impl StandsIn for CircularLinear {
    fn standing_in(limit: &FallingLimit, width: f64, _: f64) -> Option<Self> {
        let mu = limit.level()?;
        Some(Self { mu, width, radius: 0.5 * width, rise: None, rise_height: None })
    }
}

//! What the user may say about the adaptive integrator.

use crate::{Error, Faults};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Error-controlled steps of high order that end on every kink of the friction law.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize, JsonSchema),
    serde(deny_unknown_fields, default)
)]
pub struct Adaptive {
    /// Relative error allowed per step (-).
    pub rtol: f64,
    /// Absolute error allowed per step; at most 100 rtol of the component's typical size, which
    /// follows from initial state, loads and rates of the problem (unit of each component).
    pub atol: f64,
    /// Which method makes the steps.
    pub method: Method,
    /// Most attempts at a step before the run is given up (-).
    pub max_steps: u64,
    /// Longest step; none if absent (s).
    pub max_step: Option<f64>,
}

/// The method that makes a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Method {
    /// Explicit, and implicit while the problem is stiff.
    #[default]
    Auto,
    /// DOP853, order 8.
    Explicit,
    /// Radau IIA, order 5.
    Implicit,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { rtol: 1e-9, atol: 1e-12, method: Method::Auto, max_steps: 10_000_000, max_step: None }
    }
}

impl Adaptive {
    /// The smallest relative tolerance that rounding leaves room for (-).
    pub const SMALLEST_RTOL: f64 = 1e-14;

    /// Notes what is wrong with the settings.
    pub fn check(&self, faults: &mut Faults) {
        if faults.at_least("rtol", self.rtol, Self::SMALLEST_RTOL, "f64 has no more digits") {
            faults.at_most("rtol", self.rtol, 0.1, "one digit is the least that steers the step size");
        }
        faults.positive("atol", self.atol);
        if self.max_steps == 0 {
            faults.push("max_steps", Error::NotPositive(0.0));
        }
        if let Some(max_step) = self.max_step {
            faults.positive("max_step", max_step);
        }
    }
}

/// The error norm: root mean square over the active components, 1 where the tolerance is used up.
#[derive(Clone, Debug)]
pub(crate) struct Tolerance {
    pub rtol: f64,
    /// Of each component.
    pub atol: Vec<f64>,
}

/// The absolute tolerance of a component is at most so many times the relative one of its typical size, so that a problem in
/// nanometres is not all tolerance; two digits are room for a component that passes through zero.
const TYPICAL: f64 = 100.0;

impl Tolerance {
    /// The tolerance that the settings mean for components of these typical sizes; a size of zero says nothing.
    pub fn new(settings: &Adaptive, sizes: &[f64]) -> Self {
        let (rtol, atol) = (settings.rtol, settings.atol);
        let limited = |size: &f64| if *size > 0.0 { atol.min(TYPICAL * rtol * size) } else { atol };
        Self { rtol, atol: sizes.iter().map(limited).collect() }
    }

    /// Allowed error of component `i`, which goes from `a` to `b`.
    #[inline]
    pub fn scale(&self, i: usize, a: f64, b: f64) -> f64 {
        self.atol[i] + self.rtol * a.abs().max(b.abs())
    }

    /// Norm of `x` at the state `y`, over the components of `x`.
    pub fn norm(&self, x: &[f64], y: &[f64]) -> f64 {
        let sum: f64 =
            x.iter().zip(y).enumerate().map(|(i, (x, y))| (x / self.scale(i, *y, *y)).powi(2)).sum();
        (sum / x.len() as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_checked() {
        let keys = |settings: Adaptive| -> Vec<String> {
            Faults::of(|faults| settings.check(faults)).into_iter().map(|fault| fault.key).collect()
        };
        let good = Adaptive::default();
        assert!(keys(good.clone()).is_empty());
        assert_eq!(keys(Adaptive { rtol: 1e-15, ..good.clone() }), ["rtol"]);
        assert_eq!(keys(Adaptive { rtol: 0.5, ..good.clone() }), ["rtol"]);
        assert_eq!(keys(Adaptive { rtol: f64::NAN, ..good.clone() }), ["rtol"]);
        assert_eq!(keys(Adaptive { atol: 0.0, ..good.clone() }), ["atol"]);
        assert_eq!(keys(Adaptive { max_steps: 0, ..good.clone() }), ["max_steps"]);
        assert_eq!(keys(Adaptive { max_step: Some(-1.0), ..good }), ["max_step"]);
    }
}

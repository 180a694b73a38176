//! What a law that may jump at rest gives there.

use super::{FrictionBounds, Graph};

/// The coefficients that a law can give at rest: all from the lowest to the highest, or a single one if its graph does not jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestBand {
    /// The lowest (-).
    pub low: f64,
    /// The highest (-).
    pub high: f64,
}

impl RestBand {
    /// From the limits `beside` rest, from below and from above, and a static coefficient. Limits that are the `same` to within this
    /// are no jump.
    #[inline]
    pub fn new(beside: [f64; 2], mu_static: f64, same: f64) -> Self {
        let [below, above] = beside;
        if (above - below).abs() <= same && mu_static == 0.0 {
            return Self { low: 0.0, high: 0.0 };
        }
        Self { low: below.min(above).min(-mu_static), high: below.max(above).max(mu_static) }
    }

    /// All coefficients times a factor.
    #[inline]
    pub fn scaled(self, scale: f64) -> Self {
        Self { low: scale * self.low, high: scale * self.high }
    }

    /// The coefficient at rest under this demand.
    #[inline]
    pub fn coefficient(self, demand: f64) -> f64 {
        demand.max(self.low).min(self.high)
    }

    /// [`Law::graph`](super::Law::graph) of a law that is continuous elsewhere.
    #[inline]
    pub fn graph(self) -> Graph {
        if self.high > self.low { Graph::SetValued } else { Graph::Continuous }
    }

    /// [`Law::friction_bounds`](super::Law::friction_bounds) at rest.
    #[inline]
    pub fn bounds(self) -> Option<FrictionBounds> {
        let Self { low, high } = self;
        (high > low).then_some(FrictionBounds { shift: 0.0, low, high })
    }
}

/// [`Law::breakpoints`](super::Law::breakpoints) of a law with a corner at rest and these kinks, which is held beyond the speed `reach`.
pub fn breakpoints_within(reach: f64, kinks: &[f64]) -> Vec<f64> {
    let mut all = kinks.to_vec();
    all.retain(|v| v.abs() < reach);
    all.extend([-reach, 0.0, reach]);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

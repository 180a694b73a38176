//! Sliding at a constant velocity, with the internal states at rest.
//!
//! ```text
//!   ż(v, z) = 0,   dφ/dv = ∂φ/∂v − ∂φ/∂z (∂ż/∂z)⁻¹ ∂ż/∂v
//! ```

use super::{Friction, Law, Slip, StateSlopes};
use crate::math::dense::dot;
use crate::math::lu::eliminate;

/// The curve of a law with memory in steady sliding; for a law without memory its own curve.
pub struct SteadySliding<'a> {
    friction: &'a Friction,
    z: Vec<f64>,
    slopes: StateSlopes,
}

impl<'a> SteadySliding<'a> {
    /// The steady sliding of this friction.
    pub fn new(friction: &'a Friction) -> Self {
        let n = friction.law.n_states();
        Self { friction, z: vec![0.0; n], slopes: StateSlopes::new(n) }
    }

    /// Inputs of the law in steady sliding.
    pub fn slip(&mut self, v: f64, demand: f64) -> Slip<'_> {
        self.friction.law.steady_states(v, &mut self.z);
        Slip { v, demand, z: &self.z }
    }

    /// `φ` with its viscous part (-).
    pub fn coefficient(&mut self, v: f64, demand: f64) -> f64 {
        let friction = self.friction;
        friction.coefficient(self.slip(v, demand))
    }

    /// `dφ/dv` along the curve (s/m); infinite where the curve jumps.
    pub fn slope(&mut self, v: f64, demand: f64) -> f64 {
        self.friction.law.steady_states(v, &mut self.z);
        let slip = Slip { v, demand, z: &self.z };
        let slope = self.friction.slope(slip);
        self.friction.law.state_slopes(slip, &mut self.slopes);
        let law = &self.friction.law;
        if law.sliders().is_some() {
            // springs at their limits stay there
            let follows = law.lag(v).map_or(0.0, |lag| law.bound() * lag.slope.copysign(lag.slope * v));
            return if v == 0.0 { f64::INFINITY } else { slope + follows };
        }
        let StateSlopes { coefficient, dot_v, dot_z } = &mut self.slopes;
        // dot_v becomes −dz/dv
        if eliminate(dot_z, dot_v.len(), dot_v) { slope - dot(coefficient, dot_v) } else { f64::INFINITY }
    }
}

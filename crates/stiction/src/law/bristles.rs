//! What laws of elastic bristles share, with one internal state: their mean deflection z.
//!
//! ```text
//!   φ = σ z + σ₁ ż,   ż = 0 in steady sliding at z = g(v)/σ in the direction of v
//! ```
//!
//! Without friction there is no deflection, and one that is given dies out.

use super::Slip;

/// ż = −σ |v| z, ∂ż/∂v and ∂ż/∂z of bristles without friction.
#[inline]
pub(super) fn straightening(stiffness: f64, slip: Slip) -> [f64; 3] {
    let (v, z) = (slip.v, slip.state(0));
    [-stiffness * v.abs() * z, -stiffness * v.signum() * z, -stiffness * v.abs()]
}

/// The methods of [`super::Law`] that follow from `self.stiffness`, from `self.rates(slip)`, which are ż, ∂ż/∂v and ∂ż/∂z, and from
/// `self.sliding(v)`, the coefficient g of steady sliding, from `self.bound()` at rest down to `self.mu`; with the name of a field the bristles have that damping.
macro_rules! bristles {
    ($($damping:ident)?) => {
        #[inline]
        fn coefficient(&self, slip: Slip) -> f64 {
            if self.bound() == 0.0 {
                return 0.0;
            }
            self.stiffness * slip.state(0) $(+ self.$damping * self.rates(slip)[0])?
        }
        $(#[inline]
        fn slope(&self, slip: Slip) -> f64 {
            if self.bound() == 0.0 { 0.0 } else { self.$damping * self.rates(slip)[1] }
        })?
        #[inline]
        fn states(&self) -> States {
            States::Deflections(1)
        }
        #[inline]
        fn state_dot(&self, slip: Slip, out: &mut [f64]) {
            out[0] = self.rates(slip)[0];
        }
        fn steady_states(&self, v: f64, out: &mut [f64]) {
            out[0] = if v == 0.0 { 0.0 } else { (self.sliding(v) / self.stiffness).copysign(v) };
        }
        #[inline]
        fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
            let [_, dot_v, dot_z] = self.rates(slip);
            let stiffness = self.stiffness $(+ self.$damping * dot_z)?;
            out.coefficient[0] = if self.bound() == 0.0 { 0.0 } else { stiffness };
            out.dot_v[0] = dot_v;
            out.dot_z[0] = dot_z;
        }
    };
}
pub(super) use bristles;

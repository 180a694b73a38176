//! What laws of springs in series with sliders share, any number of them in parallel.
//!
//! ```text
//!   φ = Σ φₖ,   φₖ = σₖ zₖ,   |φₖ| ≤ μₖ
//!   żₖ = v, but 0 where |φₖ| = μₖ and zₖ v > 0
//! ```
//!
//! zₖ is the deflection of a spring. The law is given as data, [`Slider`]s: engines carry the springs from event to event, and a
//! slider that has let go stays at its limit until the sliding velocity turns.

use super::{Slip, StateName, StateSlopes};

/// A spring in series with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Stiffness σ of the spring over the normal load (1/m).
    pub stiffness: f64,
    /// Friction coefficient μ of the slider (-).
    pub limit: f64,
}

/// Most sliders of one contact.
pub const MAX_SLIDERS: usize = 256;

impl Slider {
    /// The deflection at which the slider lets go (m).
    pub fn reach(&self) -> f64 {
        self.limit / self.stiffness
    }

    /// φ at the deflection z (-).
    #[inline]
    pub(super) fn share(&self, z: f64) -> f64 {
        (self.stiffness * z).clamp(-self.limit, self.limit)
    }

    /// Whether the spring follows the sliding velocity.
    #[inline]
    pub(super) fn follows(&self, v: f64, z: f64) -> bool {
        z.abs() < self.reach() || z * v < 0.0
    }
}

pub(super) fn state_dot(sliders: impl Iterator<Item = Slider>, slip: Slip, out: &mut [f64]) {
    for (k, (rate, slider)) in out.iter_mut().zip(sliders).enumerate() {
        *rate = if slider.follows(slip.v, slip.state(k)) { slip.v } else { 0.0 };
    }
}

pub(super) fn steady_states(sliders: impl Iterator<Item = Slider>, v: f64, out: &mut [f64]) {
    for (z, slider) in out.iter_mut().zip(sliders) {
        *z = if v == 0.0 { 0.0 } else { slider.reach().copysign(v) };
    }
}

pub(super) fn state_slopes(sliders: impl Iterator<Item = Slider>, slip: Slip, out: &mut StateSlopes) {
    out.dot_z.fill(0.0);
    for (k, slider) in sliders.take(out.dot_v.len()).enumerate() {
        let z = slip.state(k);
        out.coefficient[k] = if z.abs() < slider.reach() { slider.stiffness } else { 0.0 };
        out.dot_v[k] = f64::from(u8::from(slider.follows(slip.v, z)));
    }
}

pub(super) fn state_names(n: usize) -> Vec<StateName> {
    let name = |k: usize| if n == 1 { "deflection".to_owned() } else { format!("deflection_{}", k + 1) };
    (0..n).map(|k| StateName::deflection(name(k))).collect()
}

/// The methods of [`super::Law`] that follow from `self.each()`, the sliders one by one.
macro_rules! elastic {
    () => {
        #[inline]
        fn coefficient(&self, slip: Slip) -> f64 {
            self.each().enumerate().map(|(k, slider)| slider.share(slip.state(k))).sum()
        }
        fn sliders(&self) -> Option<Vec<Slider>> {
            Some(self.each().collect())
        }
        fn state_names(&self) -> Vec<StateName> {
            sliders::state_names(self.n_states())
        }
        fn state_dot(&self, slip: Slip, out: &mut [f64]) {
            sliders::state_dot(self.each(), slip, out);
        }
        fn steady_states(&self, v: f64, out: &mut [f64]) {
            sliders::steady_states(self.each(), v, out);
        }
        fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
            sliders::state_slopes(self.each(), slip, out);
        }
    };
}
pub(super) use elastic;

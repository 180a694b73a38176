//! What laws of springs in series with sliders share, any number of them in parallel.
//!
//! ```text
//!   φ = Σ φₖ,   φₖ = σₖ zₖ,   |φₖ| ≤ μₖ
//!   żₖ = v, but 0 where |φₖ| = μₖ and zₖ v > 0
//! ```
//!
//! zₖ is the deflection of a spring. The law is given as data, [`Slider`]s: engines carry the springs from event to event, and a
//! slider that has let go stays at its limit until the sliding velocity turns. Limits that depend on the velocity are followed
//! late ([`SliderLag`]): żₖ = (rate/σₖ) (μₖ sgn v − σₖ zₖ/share(v)).

use super::{Law, Slip, StateName, StateSlopes};
use crate::{Error, Faults};

/// A spring in series with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Stiffness σ of the spring over the normal load (1/m).
    pub stiffness: f64,
    /// Friction coefficient μ of the slider (-).
    pub limit: f64,
}

/// How the limits of sliders depend on the sliding velocity: all by one factor, which those that slip follow late.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliderLag {
    /// The limits over those at rest (-).
    pub share: f64,
    /// Its derivative by the velocity (s/m).
    pub slope: f64,
    /// How fast friction follows (1/s).
    pub rate: f64,
}

impl SliderLag {
    /// ż, ∂ż/∂v and ∂ż/∂z of a slider that slips in the direction `sign`.
    pub(crate) fn rates(&self, slider: Slider, sign: f64, z: f64) -> [f64; 3] {
        let Self { share, slope, rate } = *self;
        let off = sign * slider.limit - slider.stiffness * z / share;
        [rate / slider.stiffness * off, rate * z * slope / (share * share), -rate / share]
    }
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

    /// Whether the spring follows the sliding velocity, by the deflection alone.
    #[inline]
    pub(super) fn follows(&self, v: f64, z: f64, lag: Option<SliderLag>) -> bool {
        z.abs() < self.reach() * lag.map_or(1.0, |lag| lag.share) || z * v < 0.0
    }

    /// ż, ∂ż/∂v, ∂ż/∂z.
    #[inline]
    fn rates(&self, v: f64, z: f64, lag: Option<SliderLag>) -> [f64; 3] {
        match lag {
            _ if self.follows(v, z, lag) => [v, 1.0, 0.0],
            Some(lag) if v != 0.0 => lag.rates(*self, v.signum(), z),
            _ => [0.0; 3],
        }
    }
}

/// Writes the faults of a list of sliders: what their limits follow from, called `key`, by `check`, and their stiffnesses. One fault of a
/// list is enough.
pub(super) fn check_lists(
    faults: &mut Faults,
    (key, limits): (&str, &[f64]),
    stiffness: &[f64],
    check: fn(&mut Faults, &str, f64) -> bool,
) {
    let n = limits.len();
    if n == 0 {
        faults.push(key, Error::TooFew { found: 0, least: 1, of: "sliders" });
    } else if n > MAX_SLIDERS {
        let because = "that many sliders cannot be told from a smooth curve";
        faults.at_most(key, n as f64, MAX_SLIDERS as f64, because);
    } else if stiffness.len() != n {
        faults.push("stiffness", Error::Counts { found: stiffness.len(), expected: n, of: "sliders" });
    } else {
        let _ = limits.iter().all(|limit| check(faults, key, *limit));
        let _ = stiffness.iter().all(|stiffness| faults.positive("stiffness", *stiffness));
    }
}

pub(super) fn state_dot(law: &impl Law, sliders: impl Iterator<Item = Slider>, slip: Slip, out: &mut [f64]) {
    let lag = law.lag(slip.v);
    for (k, (rate, slider)) in out.iter_mut().zip(sliders).enumerate() {
        *rate = slider.rates(slip.v, slip.state(k), lag)[0];
    }
}

pub(super) fn steady_states(law: &impl Law, sliders: impl Iterator<Item = Slider>, v: f64, out: &mut [f64]) {
    let share = law.lag(v).map_or(1.0, |lag| lag.share);
    for (z, slider) in out.iter_mut().zip(sliders) {
        *z = if v == 0.0 { 0.0 } else { (slider.reach() * share).copysign(v) };
    }
}

pub(super) fn state_slopes(
    law: &impl Law,
    sliders: impl Iterator<Item = Slider>,
    slip: Slip,
    out: &mut StateSlopes,
) {
    let (n, lag) = (out.dot_v.len(), law.lag(slip.v));
    out.dot_z.fill(0.0);
    for (k, slider) in sliders.take(n).enumerate() {
        let z = slip.state(k);
        let is_spring = z.abs() < slider.reach() || lag.is_some() && slider.limit > 0.0;
        out.coefficient[k] = if is_spring { slider.stiffness } else { 0.0 };
        [_, out.dot_v[k], out.dot_z[k * n + k]] = slider.rates(slip.v, z, lag);
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
            sliders::state_dot(self, self.each(), slip, out);
        }
        fn steady_states(&self, v: f64, out: &mut [f64]) {
            sliders::steady_states(self, self.each(), v, out);
        }
        fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
            sliders::state_slopes(self, self.each(), slip, out);
        }
    };
}
pub(super) use elastic;

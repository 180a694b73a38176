//! What laws of springs in series with sliders share, any number of them in parallel.
//!
//! ```text
//!   φ = Σ φₖ,   φₖ = σₖ zₖ,   −μ′ₖ ≤ φₖ ≤ μₖ
//!   żₖ = v, but 0 where φₖ is at a limit and v drives it on
//! ```
//!
//! zₖ is the deflection of a spring. The law is given as data, [`Slider`]s: engines carry the springs from event to event, and a
//! slider that has let go stays at its limit until the sliding velocity turns. Limits that depend on the velocity are followed
//! late ([`SliderLag`]), so that a deflection does not determine whether its slider slips; further states
//! do, −1, 0 or 1: żₖ = (rate/σₖ) (μₖ sgn v − σₖ zₖ/share(v)). The limits μ′ₖ against negative sliding are those against positive
//! unless friction differs in the two directions.

use super::{Slip, StateSlopes};
use crate::{Error, Faults};

/// A spring in series with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Stiffness σ of the spring over the normal load (1/m).
    pub stiffness: f64,
    /// Friction coefficient μ of the slider against positive sliding (-).
    pub limit: f64,
    /// Friction coefficient μ′ against negative sliding (-).
    pub reverse_limit: f64,
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
        let off = sign * slider.limit_towards(sign) - slider.stiffness * z / share;
        [rate / slider.stiffness * off, rate * z * slope / (share * share), -rate / share]
    }
}

/// Most sliders of one contact.
pub const MAX_SLIDERS: usize = 256;

impl Slider {
    /// A slider that is the same in both directions.
    pub fn new(stiffness: f64, limit: f64) -> Self {
        Self { stiffness, limit, reverse_limit: limit }
    }

    /// The friction coefficient against sliding in a direction (-).
    #[inline]
    pub fn limit_towards(&self, direction: f64) -> f64 {
        if direction < 0.0 { self.reverse_limit } else { self.limit }
    }

    /// The deflection at which the slider lets go in a direction, without its sign (m).
    #[inline]
    pub fn reach_towards(&self, direction: f64) -> f64 {
        self.limit_towards(direction) / self.stiffness
    }

    /// The largest deflection (m).
    pub fn reach(&self) -> f64 {
        self.limit.max(self.reverse_limit) / self.stiffness
    }

    /// Whether the slider holds anything; without friction it slides for ever.
    #[inline]
    pub fn holds(&self) -> bool {
        self.limit > 0.0 || self.reverse_limit > 0.0
    }

    /// The energy that is lost in a cycle of this amplitude, over the normal load: the limits times the way slid in each direction (J/N).
    pub fn loss(&self, amplitude: f64) -> f64 {
        let span = self.limit + self.reverse_limit;
        span * (2.0 * amplitude - span / self.stiffness).max(0.0)
    }

    /// φ at the deflection z (-).
    #[inline]
    pub(super) fn share(&self, z: f64) -> f64 {
        (self.stiffness * z).clamp(-self.reverse_limit, self.limit)
    }

    /// Whether the spring follows the sliding velocity, by the deflection alone.
    #[inline]
    pub(super) fn follows(&self, v: f64, z: f64, lag: Option<SliderLag>) -> bool {
        let is_short_of =
            |direction: f64| direction * z < self.reach_towards(direction) * lag.map_or(1.0, |lag| lag.share);
        if v == 0.0 { is_short_of(1.0) && is_short_of(-1.0) } else { is_short_of(v.signum()) }
    }

    /// ż, ∂ż/∂v, ∂ż/∂z; `slips` of one that has let go.
    #[inline]
    fn rates(&self, v: f64, z: f64, lag: Option<SliderLag>, slips: bool) -> [f64; 3] {
        match lag {
            _ if !slips && self.follows(v, z, lag) => [v, 1.0, 0.0],
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
        let because = "so many sliders cannot be distinguished from a smooth curve";
        faults.at_most(key, n as f64, MAX_SLIDERS as f64, because);
    } else if stiffness.len() != n {
        faults.push("stiffness", Error::Counts { found: stiffness.len(), expected: n, of: "sliders" });
    } else {
        let _ = limits.iter().all(|limit| check(faults, key, *limit));
        let _ = stiffness.iter().all(|stiffness| faults.positive("stiffness", *stiffness));
    }
}

/// Number of springs of a law with so many internal states: limits that are followed late take two states a spring.
fn n_springs(n_states: usize, is_late: bool) -> usize {
    if is_late { n_states / 2 } else { n_states }
}

/// Whether spring `k` of `n` slips by what the law remembers of it.
fn slips_on(slip: Slip, k: usize, n: usize, is_late: bool) -> bool {
    is_late && slip.state(n + k) * slip.v > 0.0
}

pub(super) fn state_dot(
    sliders: impl Iterator<Item = Slider>,
    lag: Option<SliderLag>,
    slip: Slip,
    out: &mut [f64],
) {
    let n = n_springs(out.len(), lag.is_some());
    out.fill(0.0);
    for (k, (rate, slider)) in out.iter_mut().zip(sliders).enumerate() {
        let slips = slips_on(slip, k, n, lag.is_some());
        *rate = slider.rates(slip.v, slip.state(k), lag, slips)[0];
    }
}

pub(super) fn steady_states(
    sliders: impl Iterator<Item = Slider>,
    lag: Option<SliderLag>,
    v: f64,
    out: &mut [f64],
) {
    let share = lag.map_or(1.0, |lag| lag.share);
    out.fill(if v == 0.0 { 0.0 } else { v.signum() });
    for (z, slider) in out.iter_mut().zip(sliders) {
        *z = if v == 0.0 { 0.0 } else { (slider.reach_towards(v) * share).copysign(v) };
    }
}

pub(super) fn state_slopes(
    sliders: impl Iterator<Item = Slider>,
    lag: Option<SliderLag>,
    slip: Slip,
    out: &mut StateSlopes,
) {
    let n = out.dot_v.len();
    let springs = n_springs(n, lag.is_some());
    [&mut out.coefficient, &mut out.dot_v, &mut out.dot_z].into_iter().for_each(|slopes| slopes.fill(0.0));
    for (k, slider) in sliders.take(springs).enumerate() {
        let z = slip.state(k);
        let is_spring = slider.follows(0.0, z, None) || lag.is_some() && slider.holds();
        out.coefficient[k] = if is_spring { slider.stiffness } else { 0.0 };
        let slips = slips_on(slip, k, springs, lag.is_some());
        [_, out.dot_v[k], out.dot_z[k * n + k]] = slider.rates(slip.v, z, lag, slips);
    }
}

/// The methods of [`super::Law`] that follow from `self.each()`, the sliders one by one, and from the lag of their limits if a method
/// gives one.
macro_rules! elastic {
    ($($lag:ident)?) => {
        #[inline]
        fn coefficient(&self, slip: Slip) -> f64 {
            self.each().enumerate().map(|(k, slider)| slider.share(slip.state(k))).sum()
        }
        fn state_dot(&self, slip: Slip, out: &mut [f64]) {
            sliders::state_dot(self.each(), None$(.or(Some(self.$lag(slip.v))))?, slip, out);
        }
        fn steady_states(&self, v: f64, out: &mut [f64]) {
            sliders::steady_states(self.each(), None$(.or(Some(self.$lag(v))))?, v, out);
        }
        fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
            sliders::state_slopes(self.each(), None$(.or(Some(self.$lag(slip.v))))?, slip, out);
        }
    };
}
pub(super) use elastic;

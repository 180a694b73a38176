//! Velocities and slopes that characterise a law, and when its contact sticks.

use super::{Law, Slip};
use crate::math::root::bisected;

/// Scales of a law over the sliding velocity; by default those of straight pieces without a scale of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// The largest `|∂φ/∂v|` (s/m); unless given zero, and infinite if the graph jumps.
    pub steepest: Option<f64>,
    /// When the contact sticks.
    pub stick: StickCriterion,
    /// Speed on which the law turns from one direction to the other, if that has a scale of its own (m/s).
    pub transition: Option<f64>,
    /// Speed beyond which the coefficient is constant (m/s); infinite if it never is.
    pub flat_beyond: f64,
    /// The speed beyond which friction is a logarithm of it, if there is one, below all that rest may make of it (m/s): velocities count by
    /// their ratios down to there.
    pub creep_speed: Option<f64>,
    /// Speed up to which the curve shows all that it has (m/s), for laws that change beyond their kinks and their transition.
    pub reach: Option<f64>,
    /// Speed up to which the law is known (m/s): beyond it friction is constant, and a run that slides faster warns.
    pub known_to: f64,
}

impl Default for Scales {
    fn default() -> Self {
        Self {
            steepest: None,
            stick: StickCriterion::States,
            transition: None,
            flat_beyond: f64::INFINITY,
            creep_speed: None,
            reach: None,
            known_to: f64::INFINITY,
        }
    }
}

/// When a contact sticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StickCriterion {
    /// At this speed and below (m/s), the first at which the law gives its break-away force; zero if it sticks exactly.
    Speed(f64),
    /// Below the first speed at which a smooth law has [`STICK_SHARE`] of its break-away force.
    Share {
        /// Speed on which the law leaves zero (m/s).
        width: f64,
    },
    /// While the elastic force of bristles is below [`STICK_SHARE`] of the break-away force: their friction in steady sliding at velocities so low
    /// that this is their friction at rest, to the share; at others the least at any velocity, since bristles follow a falling curve late.
    Bristles {
        /// Stiffness of the bristles over the normal load (1/m).
        stiffness: f64,
        /// Least friction in steady sliding (-).
        least: f64,
    },
    /// By internal states, as springs with sliders.
    States,
}

/// A contact sticks while its friction is below this share of its break-away force.
///
/// A law that only approaches its break-away force, as tanh does, needs a share below one, and the time in stick tends to
/// Coulomb's as its width tends to zero only if the share is near one: a load that rises to the break-away force passes the share
/// earlier, by 1 − share of the force over its rate. With three nines that is a thousandth of the rise from zero, and tanh has come
/// to rest within 3.8 of its widths.
pub const STICK_SHARE: f64 = 0.999;

/// The first speed at which a smooth law that leaves zero on the scale `width` has [`STICK_SHARE`] of its break-away force.
pub(super) fn share_speed(law: &impl Law, width: f64) -> f64 {
    // the peak, or where nothing changes any more
    let (mut low, mut high) = (0.0, width);
    let still_rises = |v: f64| {
        law.slope(Slip::at(v)) > 0.0 && law.coefficient(Slip::at(2.0 * v)) != law.coefficient(Slip::at(v))
    };
    while still_rises(high) && high < FARTHEST * width {
        (low, high) = (high, 2.0 * high);
    }
    if law.slope(Slip::at(high)) <= 0.0 {
        high = bisected(low, high, |v| law.slope(Slip::at(v)) > 0.0);
    }
    let level = STICK_SHARE * law.coefficient(Slip::at(high));
    bisected(0.0, high, |v| law.coefficient(Slip::at(v)) < level)
}

/// By how much the elastic force of bristles is below their break-away force (-).
pub(super) fn bristle_margin(law: &impl Law, slip: Slip) -> Option<f64> {
    let StickCriterion::Bristles { stiffness, least } = law.scales().stick else { return None };
    let (v, phi, at_rest) = (slip.v, stiffness * slip.state(0), law.bound());
    let mut z = [0.0];
    law.steady_states(v, &mut z);
    let now = if v == 0.0 { at_rest } else { stiffness * z[0].abs() };
    let break_away = if now >= STICK_SHARE * at_rest { now } else { least };
    // at rest either direction is ahead
    let ahead = if v == 0.0 { phi.abs() } else { phi * v.signum() };
    Some(STICK_SHARE * break_away - ahead)
}

/// Widths beyond which a law that approaches its plateau as slowly as 1/v is within a billionth of it.
const FARTHEST: f64 = 1e9;

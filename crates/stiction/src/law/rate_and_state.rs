//! Rate- and state-dependent friction (@dieterich1979, @ruina1983), regularised at rest (@rice1996).
//!
//! ```text
//!   φ = a asinh( v/(2 V*) exp((μ + b ψ)/a) ),   ψ = ln(V* θ/D)
//!   ageing  θ̇ = 1 − |v| θ/D,               ψ̇ = (V* exp(−ψ) − |v|)/D
//!   slip    θ̇ = −(|v| θ/D) ln(|v| θ/D),    ψ̇ = −(|v|/D) (ψ + ln(|v|/V*))
//! ```
//!
//! Beyond tiny speeds φ = μ + a ln(|v|/V*) + b ln(V* θ/D). θ (s) is the age of the contacts; its logarithm ψ is what is carried along and recorded, 0
//! at the start. Steady sliding has θ = D/|v| and φ = μ + (a − b) ln(|v|/V*): with a < b it weakens, and a soft spring
//! slips by jerks. ψ does not change its sign with the direction.
//! Creeps under load: a demand d is held at |v| = 2 V* sinh(d/a) exp(−(μ + b ψ)/a), at rest ever slower as the contacts age.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/rate-and-state.svg"))]

use super::{Law, Scales, Slip, StateSlopes, States};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// How the age of the contacts evolves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Evolution {
    /// Dieterich's: contacts age at rest.
    #[default]
    Ageing,
    /// Ruina's: contacts change in sliding alone.
    Slip,
}

/// Rate- and state-dependent friction: of rocks, and of most dry contacts at low speed.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct RateAndState {
    /// Friction coefficient μ of steady sliding at the reference velocity (-).
    pub mu: f64,
    /// Direct effect a of the velocity (-).
    pub a: f64,
    /// Effect b of the age (-).
    pub b: f64,
    /// Critical slip distance D, over which contacts renew (m).
    pub distance: f64,
    /// Reference velocity V* (m/s).
    pub velocity: f64,
    /// How the age of the contacts evolves.
    #[cfg_attr(feature = "serde", serde(default))]
    pub evolution: Evolution,
}

/// exp beyond this is cut off: velocities of 1e-260 V* are rest.
const LARGEST_EXPONENT: f64 = 600.0;
/// Largest μ/a: some room below that exponent for contacts that age.
const LARGEST_RATIO: f64 = 300.0;
/// What age may make of the speed below which friction is proportional to it.
const AGED: f64 = 1e-2;
/// Decades of velocity on both sides of V* that a bound on friction is given for.
const DECADES: f64 = 12.0;

impl RateAndState {
    pub(super) fn examples() -> Vec<Self> {
        let weakens =
            Self { mu: 0.6, a: 0.05, b: 0.08, distance: 0.02, velocity: 0.1, evolution: Evolution::Ageing };
        let strengthens = Self { mu: 0.4, a: 0.1, b: 0.06, distance: 0.1, velocity: 0.5, ..weakens };
        let slip = Self { evolution: Evolution::Slip, ..weakens };
        vec![weakens, slip, strengthens]
    }

    /// Whether there is no friction at all.
    fn is_free(&self) -> bool {
        self.a == 0.0
    }

    /// exp((μ + b ψ)/a)/(2 V*), by which velocities are multiplied (s/m).
    #[inline]
    fn strength(&self, psi: f64) -> f64 {
        libm::exp(((self.mu + self.b * psi) / self.a).min(LARGEST_EXPONENT)) / (2.0 * self.velocity)
    }

    /// ψ̇, ∂ψ̇/∂v, ∂ψ̇/∂ψ (1/s, 1/m, 1/s).
    #[inline]
    fn rates(&self, v: f64, psi: f64) -> [f64; 3] {
        let (speed, d) = (v.abs(), self.distance);
        match self.evolution {
            Evolution::Ageing => {
                let ages = self.velocity * libm::exp(-psi.max(-LARGEST_EXPONENT)) / d;
                [ages - speed / d, -v.signum() / d, -ages]
            }
            Evolution::Slip => {
                let off = psi + libm::log(speed.max(f64::MIN_POSITIVE) / self.velocity);
                [-speed / d * off, -v.signum() / d * (off + 1.0), -speed / d]
            }
        }
    }
}

impl Law for RateAndState {
    fn check(&self, faults: &mut Faults) {
        let is_free = self.mu == 0.0 && self.a == 0.0 && self.b == 0.0;
        let good = faults.not_negative("mu", self.mu) && (is_free || faults.positive("a", self.a));
        if good && !is_free {
            let because = "beyond that no velocity is small enough to creep";
            faults.at_most("mu", self.mu, LARGEST_RATIO * self.a, because);
        }
        faults.not_negative("b", self.b);
        faults.positive("distance", self.distance);
        faults.positive("velocity", self.velocity);
    }
    #[inline]
    fn coefficient(&self, slip: Slip) -> f64 {
        if self.is_free() { 0.0 } else { self.a * libm::asinh(slip.v * self.strength(slip.state(0))) }
    }
    #[inline]
    fn slope(&self, slip: Slip) -> f64 {
        if self.is_free() {
            return 0.0;
        }
        let strength = self.strength(slip.state(0));
        self.a * strength / libm::hypot(1.0, slip.v * strength)
    }
    fn scales(&self) -> Scales {
        // contacts that age get steeper at rest without limit
        let steepest = if self.is_free() { 0.0 } else { f64::INFINITY };
        Scales {
            steepest: Some(steepest),
            creep_speed: (!self.is_free()).then(|| AGED / self.strength(0.0)),
            reach: Some(4.0 * self.velocity),
            ..Scales::default()
        }
    }
    /// A logarithm has none: of steady sliding within twelve decades about V*.
    fn bound(&self) -> f64 {
        if self.is_free() {
            return 0.0;
        }
        self.mu + (self.a - self.b).abs() * DECADES * std::f64::consts::LN_10
    }
    #[inline]
    fn states(&self) -> States {
        States::One { name: "log_age", unit: "-", is_even: true }
    }
    #[inline]
    fn state_dot(&self, slip: Slip, out: &mut [f64]) {
        out[0] = self.rates(slip.v, slip.state(0))[0];
    }
    fn steady_states(&self, v: f64, out: &mut [f64]) {
        out[0] = if v == 0.0 { 0.0 } else { libm::log(self.velocity / v.abs()) };
    }
    #[inline]
    fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
        let [_, dot_v, dot_z] = self.rates(slip.v, slip.state(0));
        (out.dot_v[0], out.dot_z[0]) = (dot_v, dot_z);
        out.coefficient[0] = 0.0;
        if !self.is_free() {
            let y = slip.v * self.strength(slip.state(0));
            // y/√(1 + y²) without the square of a large number
            out.coefficient[0] = self.b * (y / libm::hypot(1.0, y));
        }
    }
}

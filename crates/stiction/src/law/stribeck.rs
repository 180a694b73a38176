//! Friction that weakens with speed (@stribeck1902; forms after @armstrong1994).
//!
//! ```text
//!   φ(v) = (μ + (μs − μ) w(|v|/vs)) sgn v,   φ ∈ [−μs, μs] at v = 0
//!   w(x) = exp(−xᵖ)  |  1/(1 + xᵖ);   p = 1 (exponential, hyperbolic), 2 (Gaussian), or any
//! ```
//!
//! Set-valued at zero velocity: it sticks exactly. From μs at zero velocity to μ for |v| ≫ vs, falling, which drives self-excited vibration, or rising (PTFE,
//! lubricated bearings). With a width Δ a factor tanh(v/Δ) takes the place of sgn v: odd, C¹; near rest the law then creeps as
//! tanh does, and must fall.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/stribeck.svg"))]

use super::coulomb::check_static;
use super::tanh::sech2;
use super::{FrictionBounds, Graph, Law, Scales, Slip, StickCriterion};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// How friction falls from the static to the kinetic value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum Weakening {
    /// exp(−|v|/vs).
    Exponential,
    /// exp(−(v/vs)²).
    #[default]
    Gaussian,
    /// 1/(1 + |v|/vs).
    Hyperbolic,
}

/// Friction that falls from a static to a kinetic value as the speed grows.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Stribeck {
    /// Kinetic friction coefficient μ, reached at high speed (-).
    pub mu: f64,
    /// Static friction coefficient μs; not below μ if there is a width (-).
    pub mu_static: f64,
    /// Stribeck velocity vs (m/s).
    pub velocity: f64,
    /// Velocity Δ of a tanh transition through zero; without it the law is set-valued at zero velocity (m/s).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub width: Option<f64>,
    /// How friction falls between the two.
    #[cfg_attr(feature = "serde", serde(default))]
    pub weakening: Weakening,
    /// Exponent p of the velocity, at least 1; that of the weakening if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub exponent: Option<f64>,
}

impl Stribeck {
    pub(super) fn examples() -> Vec<Self> {
        let gaussian = Self {
            mu: 0.3,
            mu_static: 0.5,
            velocity: 0.2,
            width: Some(0.01),
            weakening: Weakening::Gaussian,
            exponent: None,
        };
        let exponential = Self { weakening: Weakening::Exponential, ..gaussian.clone() };
        let hyperbolic = Self {
            mu: 0.0,
            mu_static: 1.0,
            velocity: 1.0 / 3.0,
            width: Some(0.1),
            weakening: Weakening::Hyperbolic,
            exponent: None,
        };
        let steep = Self { exponent: Some(1.5), ..exponential.clone() };
        let resting = Self { width: None, ..gaussian.clone() };
        let rising = Self { width: None, mu: 0.4, mu_static: 0.1, ..exponential.clone() };
        vec![gaussian, exponential, hyperbolic, steep, resting, rising]
    }

    /// Friction of steady sliding, if laws with bristles can have it.
    pub(super) fn limit(&self) -> Option<FallingLimit> {
        let falls = self.weakening != Weakening::Hyperbolic && self.mu > 0.0 && self.mu <= self.mu_static;
        let exponent = Some(self.power());
        falls.then_some(FallingLimit {
            mu: self.mu,
            mu_static: self.mu_static,
            velocity: self.velocity,
            exponent,
        })
    }

    fn power(&self) -> f64 {
        self.exponent.unwrap_or(if self.weakening == Weakening::Gaussian { 2.0 } else { 1.0 })
    }

    /// w and dw/dx at x = |v|/vs.
    #[inline]
    fn weakening(&self, x: f64) -> (f64, f64) {
        let (power, slope) = power(x, self.power());
        match self.weakening {
            Weakening::Exponential | Weakening::Gaussian => {
                let w = libm::exp(-power);
                (w, -slope * w)
            }
            Weakening::Hyperbolic => {
                let w = 1.0 / (1.0 + power);
                // far away the square of w is nothing
                (w, if w > 0.0 { -slope * w * w } else { 0.0 })
            }
        }
    }

    /// φ and dφ/d|v| at a speed, without what happens near zero.
    #[inline]
    fn branch(&self, speed: f64) -> (f64, f64) {
        let (w, dw) = self.weakening(speed / self.velocity);
        let excess = self.mu_static - self.mu;
        (self.mu + excess * w, excess * dw / self.velocity)
    }
}

/// xᵖ and its derivative.
#[inline]
pub(super) fn power(x: f64, p: f64) -> (f64, f64) {
    match p {
        1.0 => (x, 1.0),
        2.0 => (x * x, 2.0 * x),
        p => (libm::pow(x, p), p * libm::pow(x, p - 1.0)),
    }
}

/// What laws with bristles share: friction g(v) = μ + (μs − μ) exp(−|v/vs|ᵖ) of steady sliding, never zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct FallingLimit {
    pub mu: f64,
    pub mu_static: f64,
    pub velocity: f64,
    pub exponent: Option<f64>,
}

impl FallingLimit {
    /// The same at all speeds.
    pub fn constant(mu: f64) -> Self {
        Self { mu, mu_static: mu, velocity: 1.0, exponent: None }
    }

    /// The friction, if it is the same at all speeds (-).
    pub fn level(&self) -> Option<f64> {
        (self.mu == self.mu_static).then_some(self.mu)
    }

    /// g and dg/dv.
    #[inline]
    pub fn at(&self, v: f64) -> (f64, f64) {
        let (power, slope) = power((v / self.velocity).abs(), self.exponent.unwrap_or(2.0));
        let excess = (self.mu_static - self.mu) * libm::exp(-power);
        // far away the excess is nothing
        let falls = if excess > 0.0 { slope / self.velocity * excess } else { 0.0 };
        (self.mu + excess, -falls.copysign(v))
    }

    /// Faults of its numbers; both coefficients are zero, or none.
    pub fn check(&self, faults: &mut Faults) {
        // bristles that let go entirely at speed would have no length left
        let is_free = self.mu == 0.0 && self.mu_static == 0.0;
        let good = is_free || faults.positive("mu", self.mu);
        check_static(faults, good, self.mu, Some(self.mu_static));
        faults.positive("velocity", self.velocity);
        check_exponent(faults, self.exponent);
    }
}

/// The limit of a law that has its numbers.
macro_rules! falling_limit {
    () => {
        #[inline]
        fn limit(&self) -> FallingLimit {
            let Self { mu, mu_static, velocity, exponent, .. } = *self;
            FallingLimit { mu, mu_static, velocity, exponent }
        }
    };
}
pub(super) use falling_limit;

fn check_exponent(faults: &mut Faults, exponent: Option<f64>) {
    if let Some(exponent) = exponent {
        faults.at_least("exponent", exponent, 1.0, "below it the curve would begin vertically");
    }
}

impl Law for Stribeck {
    fn check(&self, faults: &mut Faults) {
        let good = faults.not_negative("mu", self.mu);
        match self.width {
            Some(width) => {
                check_static(faults, good, self.mu, Some(self.mu_static));
                faults.positive("width", width);
            }
            None => {
                faults.not_negative("mu_static", self.mu_static);
            }
        }
        faults.positive("velocity", self.velocity);
        check_exponent(faults, self.exponent);
    }
    #[inline]
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        match self.width {
            Some(width) => self.branch(v.abs()).0 * libm::tanh(v / width),
            None if v == 0.0 => demand.clamp(-self.mu_static, self.mu_static),
            None => self.branch(v.abs()).0.copysign(v),
        }
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        match self.width {
            Some(width) => {
                let ((phi, slope), speed) = (self.branch(v.abs()), v.abs() / width);
                phi / width * sech2(speed) + slope * libm::tanh(speed)
            }
            None if v == 0.0 => 0.0,
            None => self.branch(v.abs()).1,
        }
    }
    fn scales(&self) -> Scales {
        let steepest = self.power() * (self.mu_static - self.mu).abs() / self.velocity;
        Scales {
            steepest: self.width.map(|width| (self.mu_static / width).max(steepest)),
            stick: self.width.map_or(StickCriterion::Speed(0.0), |width| StickCriterion::Share { width }),
            transition: self.width,
            reach: Some(4.0 * self.velocity + 4.0 * self.width.unwrap_or(0.0)),
            ..Scales::default()
        }
    }
    fn bound(&self) -> f64 {
        self.mu_static.max(self.mu)
    }
    fn breakpoints(&self) -> Vec<f64> {
        let is_smooth =
            self.width.is_some() && self.power() == 2.0 && self.weakening != Weakening::Hyperbolic;
        if is_smooth { Vec::new() } else { vec![0.0] }
    }
    fn graph(&self) -> Graph {
        if self.width.is_none() && self.bound() > 0.0 { Graph::SetValued } else { Graph::Continuous }
    }
    #[inline]
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        let mu_s = self.mu_static;
        (self.width.is_none() && v == 0.0).then_some(FrictionBounds::symmetric(mu_s))
    }
}

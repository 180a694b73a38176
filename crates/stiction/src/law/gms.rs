//! Generalised Maxwell slip (@albender2005): springs with sliders whose limits follow a Stribeck curve.
//!
//! ```text
//!   φ = Σ φₖ,   φₖ = σₖ zₖ,   s(v) = μ + (μs − μ) exp(−|v/vs|ᵖ)
//!   sticks   żₖ = v                              until |φₖ| = αₖ s(v) in the direction of v
//!   slips    φ̇ₖ = C (αₖ sgn v − φₖ/s(v))         until v = 0
//! ```
//!
//! zₖ is the deflection of an element, αₖ its share of the limit (Σ αₖ = 1). Before sliding rate-independent with memory of every turning point,
//! as Iwan's model; φ = s(v) sgn v in steady sliding, which friction follows late, by some s/C. Whether an element slips, and which way, is a
//! state beside its deflection (−1, 0 or 1): its force alone does not determine that,
//! as a slipping element may be below its limit while the contact slows down.
//! Does not creep under load: up to the limit of its first element it is a spring.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/gms.svg"))]

use super::size::{StandsIn, even_sliders};
use super::sliders::{self, Slider, SliderLag, elastic};
use super::stribeck::{FallingLimit, falling_limit};
use super::{Law, Scales, Slip, StateSlopes, States};
use crate::Faults;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Generalised Maxwell slip: Iwan's springs with a Stribeck curve and frictional lag.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Gms {
    /// Kinetic friction coefficient μ (-).
    pub mu: f64,
    /// Static friction coefficient μs ≥ μ (-).
    pub mu_static: f64,
    /// Stribeck velocity vs (m/s).
    pub velocity: f64,
    /// Shares αₖ of the elements of the limit; only their ratios count (-).
    pub share: Vec<f64>,
    /// Stiffness σₖ of each element over the normal load (1/m).
    pub stiffness: Vec<f64>,
    /// Attraction C: how fast a slipping element follows its limit (1/s).
    pub attraction: f64,
    /// Exponent p of the Stribeck curve, at least 1; 2 if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub exponent: Option<f64>,
}

impl Gms {
    pub(super) fn examples() -> Vec<Self> {
        vec![
            Self {
                mu: 0.8,
                mu_static: 1.0,
                velocity: 0.1,
                share: vec![0.2, 0.3, 0.5],
                stiffness: vec![40.0, 20.0, 10.0],
                attraction: 20.0,
                exponent: None,
            },
            Self {
                mu: 0.3,
                mu_static: 0.3,
                velocity: 0.5,
                share: vec![2.0, 1.0],
                stiffness: vec![3.0, 5.0],
                attraction: 5.0,
                exponent: Some(1.3),
            },
        ]
    }

    /// The elements at rest.
    fn each(&self) -> impl Iterator<Item = Slider> {
        let whole: f64 = self.share.iter().sum();
        let limit = move |share: f64| self.mu_static * share / whole;
        self.share
            .iter()
            .zip(&self.stiffness)
            .map(move |(&share, &stiffness)| Slider::new(stiffness, limit(share)))
    }

    falling_limit!();

    /// How the limits depend on the velocity.
    pub(super) fn lag(&self, v: f64) -> SliderLag {
        if self.mu_static == 0.0 {
            return SliderLag { share: 1.0, slope: 0.0, rate: self.attraction };
        }
        let (s, ds) = self.limit().at(v);
        let share = s / self.mu_static;
        SliderLag { share, slope: ds / self.mu_static, rate: self.attraction / self.mu_static }
    }
}

impl Law for Gms {
    fn check(&self, faults: &mut Faults) {
        self.limit().check(faults);
        sliders::check_lists(faults, ("share", &self.share), &self.stiffness, Faults::positive);
        faults.positive("attraction", self.attraction);
    }
    fn bound(&self) -> f64 {
        self.mu_static
    }
    fn scales(&self) -> Scales {
        Scales { reach: Some(4.0 * self.velocity), ..Scales::default() }
    }
    fn states(&self) -> States {
        States::LaggedSliders(self.share.len().min(self.stiffness.len()))
    }
    fn slider(&self, k: usize) -> Option<Slider> {
        self.each().nth(k)
    }
    elastic!(lag);
}

impl StandsIn for Gms {
    fn standing_in(limit: &FallingLimit, stiffness: f64, _: f64) -> Option<Self> {
        let FallingLimit { mu, mu_static, velocity, exponent } = *limit;
        let share = even_sliders();
        Some(Self {
            mu,
            mu_static,
            velocity,
            share: share.into(),
            stiffness: vec![stiffness / share.len() as f64; share.len()],
            // what slips follows within the way that it bends
            attraction: stiffness * velocity,
            exponent,
        })
    }
}

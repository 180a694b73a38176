//! A law defined by a program: anything that implements [`Law`].
//!
//! A scenario's file can name such a law, but only the program that has it can run it: `stiction.CustomLaw` of Python, or Rust:
//!
//! ```
//! use stiction::law::{Custom, FrictionBounds, FrictionLaw, Graph, Law, Scales, Slip, StickCriterion};
//! use stiction::ode::Adaptive;
//! use stiction::simulate::{Integrator, Plan, drive};
//! use stiction::system::System;
//! use stiction::{Faults, Progress};
//!
//! /// Friction that rises with the root of the speed: φ = μ √(1 + |v|/w) sgn v, set-valued at rest.
//! struct Rooted {
//!     mu: f64,
//!     w: f64,
//! }
//!
//! impl Law for Rooted {
//!     fn check(&self, faults: &mut Faults) {
//!         faults.not_negative("mu", self.mu);
//!         faults.positive("w", self.w);
//!     }
//!     fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
//!         let phi = self.mu * (v.abs() / self.w + 1.0).sqrt();
//!         if v == 0.0 { demand.clamp(-self.mu, self.mu) } else { phi.copysign(v) }
//!     }
//!     fn slope(&self, Slip { v, .. }: Slip) -> f64 {
//!         if v == 0.0 { 0.0 } else { 0.5 * self.mu / self.w / (v.abs() / self.w + 1.0).sqrt() }
//!     }
//!     fn bound(&self) -> f64 {
//!         // of the speeds that will be met
//!         self.mu * (10.0 / self.w + 1.0).sqrt()
//!     }
//!     fn scales(&self) -> Scales {
//!         Scales { stick: StickCriterion::Speed(0.0), ..Scales::default() }
//!     }
//!     fn breakpoints(&self) -> Vec<f64> {
//!         vec![0.0]
//!     }
//!     // these two make it stick
//!     fn graph(&self) -> Graph {
//!         Graph::SetValued
//!     }
//!     fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
//!         (v == 0.0).then_some(FrictionBounds { shift: 0.0, low: -self.mu, high: self.mu })
//!     }
//! }
//!
//! let law = FrictionLaw::Custom(Custom::new("rooted", Rooted { mu: 0.1, w: 0.5 }));
//! let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
//! system.position[0] = 1.0;
//! let adaptive = Integrator::Adaptive(Adaptive::default());
//! let record = drive(&system, &adaptive, &Plan::new(30.0, 31), &mut Progress::none())?;
//! // it comes to rest within the band of friction, and stays
//! assert_eq!(record.samples.sliding[0][30], 0.0);
//! assert!(record.samples.position[0][30].abs() <= 0.1);
//! # Ok::<(), stiction::Error>(())
//! ```

use super::{Law, SignCoulomb};
use crate::{Error, Faults};
use std::fmt;
use std::sync::Arc;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// A law that several systems share.
#[derive(Clone)]
pub struct SharedLaw(pub Arc<dyn Law + Send + Sync>);

impl fmt::Debug for SharedLaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("SharedLaw(…)")
    }
}

impl PartialEq for SharedLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A law defined by a program; a file can only name it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Custom {
    /// The name under which the program knows it.
    pub name: String,
    /// The law, once the program has given it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub law: Option<SharedLaw>,
}

impl Custom {
    /// A law under a name.
    pub fn new(name: &str, law: impl Law + Send + Sync + 'static) -> Self {
        Self { name: name.to_owned(), law: Some(SharedLaw(Arc::new(law))) }
    }

    /// The law; without one there is no friction.
    pub(super) fn given(&self) -> &dyn Law {
        const NONE: &SignCoulomb = &SignCoulomb { mu: 0.0 };
        self.law.as_ref().map_or(NONE as &dyn Law, |law| &*law.0)
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        match &self.law {
            Some(law) => law.0.check(faults),
            None => faults.push("name", Error::LawNotGiven),
        }
    }
}

//! Ordinary differential equations with kinks: ẏ = f(t, y), smooth between events. Nothing of friction.
//!
//! ```
//! use stiction::ode::{Adaptive, AdaptiveStepper, Ode};
//!
//! /// ẏ = −|y − 1| − ½: the slope jumps where y passes 1.
//! struct Bent;
//!
//! impl Ode for Bent {
//!     fn n(&self) -> usize {
//!         1
//!     }
//!     fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) {
//!         dy[0] = -(y[0] - 1.0).abs() - 0.5;
//!     }
//!     fn jacobian(&mut self, _t: f64, y: &[f64], jac: &mut [f64]) {
//!         jac[0] = -(y[0] - 1.0).signum();
//!     }
//!     fn n_guards(&self) -> usize {
//!         1
//!     }
//!     fn guards(&mut self, _t: f64, y: &[f64], out: &mut [f64]) {
//!         out[0] = y[0] - 1.0;
//!     }
//!     fn stiffness(&mut self, _t: f64, _y: &[f64]) -> f64 {
//!         1.0
//!     }
//! }
//!
//! let mut stepper = AdaptiveStepper::new(&Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() }, &Bent);
//! stepper.start(&mut Bent, 0.0, &[2.0])?;
//! let mut kinks = Vec::new();
//! while stepper.t() < 2.0 {
//!     stepper.step(&mut Bent, 2.0)?;
//!     kinks.extend(stepper.landed_on().iter().map(|_| stepper.t()));
//! }
//! // a step ends on the kink: y = 1 at t = ln 3
//! assert!(kinks.len() == 1 && (kinks[0] - 3f64.ln()).abs() < 1e-8);
//! # Ok::<(), stiction::Error>(())
//! ```

mod adaptive;
mod chattering;
mod dense_output;
mod dop853;
mod dop853_tableau;
mod guard_search;
mod last_step;
mod problem;
mod radau5;
mod radau5_tableau;
#[cfg(test)]
mod rooted_trees;
mod settings;
mod step_after_event;
mod step_methods;
mod stiffness_switch;
#[cfg(test)]
mod test_models;

pub use adaptive::AdaptiveStepper;
pub use problem::{Ode, Work};
pub use settings::{Adaptive, Method};

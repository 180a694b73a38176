//! Dry friction: laws, the systems they act on, and the integrators that carry them.
//!
//! The core reads no file, no clock and no environment: numbers in, numbers out. SI units throughout.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod body;
mod error;
pub mod event;
pub mod exact;
pub mod integrate;
pub mod law;
pub mod matrix;
pub mod patch;
pub mod steady;
pub mod system;

pub use error::{Error, Fault, Faults};

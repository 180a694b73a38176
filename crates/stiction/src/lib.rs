//! Dry friction: laws, the systems they act on, and the integrators that carry them.
//!
//! The core reads no file, no clock and no environment: numbers in, numbers out. SI units throughout.

mod error;
pub mod patch;

pub use error::{Error, Fault, Faults};

//! What is recorded of a motion: the motion at chosen times, the largest and smallest values of its quantities,
//! and the work done. Plain accumulators, which every propagator fills.

mod balance;
mod extrema;
mod samples;

pub use balance::Balance;
pub use extrema::{Range, Ranges};
pub use samples::Samples;
pub(crate) use samples::{numbers, width};

/// Numbers that are kept of the motions at extrema and events, some 30 MB.
pub(crate) const MOST_NUMBERS: usize = 4_000_000;

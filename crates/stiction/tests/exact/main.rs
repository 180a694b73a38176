//! The exact engine.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

#[path = "../support/beams.rs"]
mod beams;
#[path = "../support/brute.rs"]
mod brute;

mod basics;
mod chain;
mod driven;
mod invariants;
mod polyline;
mod random;
mod reference;
mod structures;
mod told;

//! The exact engine.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

#[path = "../support/beams.rs"]
mod beams;
#[path = "../support/brute.rs"]
mod brute;
#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/exponential.rs"]
mod exponential;
#[path = "../support/wide_systems.rs"]
mod wide_systems;

mod basics;
mod chain;
mod driven;
mod elastic;
mod invariants;
mod passive;
mod polyline;
mod prescribed;
mod random;
mod reference;
mod sliders;
mod starts;
mod structures;
mod thresholds;
mod told;
mod transmission;
mod wider;

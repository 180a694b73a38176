//! Reference integrators, quadrature, random numbers and random systems: second methods that the tests of
//! several programs compare with, compiled once.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]
// the meaning of a helper is the sentence at its head
#![allow(missing_docs)]

pub mod beams;
pub mod bodies;
pub mod brute;
pub mod counting;
pub mod dice;
pub mod elements;
pub mod exponential;
pub mod general_systems;
pub mod kinked;
pub mod phases;
pub mod quadrature;

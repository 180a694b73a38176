//! Reference integrators, quadrature and random systems: second methods that the tests compare with.

pub mod beams;
pub mod bodies;
pub mod brute;
pub mod dice;
pub mod exponential;
pub mod kinked;
pub mod phases;
pub mod quadrature;
pub mod wide_systems;

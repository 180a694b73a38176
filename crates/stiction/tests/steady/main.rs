//! Periodic motions: fixed points, sweeps, branches, harmonic balance.

#[path = "../support/beams.rs"]
mod beams;
// of its throws not all are needed here
#[allow(dead_code)]
#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/wide_systems.rs"]
mod wide_systems;

mod basics;
mod belt;
mod branch;
mod harmonic;
mod lanes;
mod measures;
mod mode;
mod response;
mod smooth;
mod tangent;
mod wider;

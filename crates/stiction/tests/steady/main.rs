//! Periodic motions: fixed points, sweeps, branches, harmonic balance.

#[path = "../support/beams.rs"]
mod beams;

mod basics;
mod belt;
mod branch;
mod harmonic;
mod response;
mod smooth;
mod tangent;

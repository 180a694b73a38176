//! Periodic motions: fixed points, sweeps, branches, harmonic balance.

mod basics;
mod belt;
mod branch;
mod force_elements;
mod harmonic;
mod measures;
mod mode;
mod peaks;
mod response;
mod smooth;
mod stuck;
mod tangent;

//! All tests of the public interface, by room, in one program: what they share is compiled once.
//!
//! `allocation` has a program of its own, because it replaces the allocator.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

mod body;
mod exact;
mod law;
mod paper;
mod patch;
mod simulate;
mod steady;

use stiction_reference::{
    beams, bodies, brute, dice, exponential, general_systems, kinked, phases, quadrature,
};

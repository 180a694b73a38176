//! Odd texts for everything that reads text: scenarios, patches, tables of twists, overrides.
//!
//! Whatever the text: no panic, no hang, no more memory than stated, and every error is one that a user can read. The
//! mutations follow from a seed, so that a finding can be had again; a text that is answered in a new way is mutated further,
//! which takes the place of a coverage map and needs no nightly compiler.
//!
//! `cargo xtask fuzz --minutes 10` runs for long, the tests for seconds.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod answer;
mod corpus;
mod fuzz;
mod mutate;
mod targets;

pub use answer::Answer;
pub use corpus::{root, seeds};
pub use fuzz::{Finding, Fuzz};
pub use targets::{TARGETS, Target};

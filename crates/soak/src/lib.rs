//! What must hold for every scenario: golden numbers of the committed examples, invariants of random systems.
//!
//! A check takes a scenario, runs it as a user does (text in, facts and columns out), and compares the
//! reported facts with mechanics, with the columns, with an independent integration, or with the same motion
//! in an equivalent description. [`soak`] puts random scenarios through all of them.

mod bodies;
mod body_relations;
mod body_steps;
pub mod cost;
pub use stiction_reference::dice;
mod event_stepping;
mod facts;
mod general;
mod generate;
pub mod golden;
mod lines;
mod modes;
mod pairs;
mod periodic;
mod polynomial;
mod prescribed;
mod reference;
mod relations;
mod reported;
mod shrink;
pub mod soak;
mod steps;
mod verdict;

/// The Rust blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The Rust blocks of the site.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct RustPage;

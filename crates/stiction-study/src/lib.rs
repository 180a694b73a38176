//! From scenario file to checked study to outcome.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod diagnostic;
mod document;
mod outcome;
mod scenario;
mod shape;
mod study;

pub use diagnostic::{Diagnostic, Place, closest};
pub use document::{Document, Node, Origin, Value};
pub use outcome::{Column, Fact, Outcome};
pub use scenario::*;
pub use study::Study;

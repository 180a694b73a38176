//! From scenario file to checked study to outcome.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod diagnostic;
mod document;
mod law_curve;
mod outcome;
pub mod papers;
pub mod patch;
mod patch_file;
pub mod patch_papers;
mod read;
mod scenario;
mod shape;
mod study;

pub use diagnostic::{Diagnostic, Place, closest};
pub use document::{Document, Node, Origin, Value};
pub use law_curve::LawCurve;
pub use outcome::{Column, Fact, Outcome};
pub use patch_file::{PatchFile, patch_schema};
pub use scenario::*;
pub use study::Study;

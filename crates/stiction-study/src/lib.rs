//! From scenario file to checked study to outcome.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod compare;
mod diagnostic;
mod document;
mod law_curve;
mod outcome;
pub mod papers;
pub mod patch;
mod patch_file;
pub mod patch_papers;
mod periodic;
mod read;
mod resolve;
mod resolve_periodic;
mod scenario;
mod shape;
mod slide;
mod study;

pub use diagnostic::{Diagnostic, Place, closest};
pub use document::{Document, Node, Origin, Value};
pub use law_curve::LawCurve;
pub use outcome::{Column, Fact, Outcome, Shown};
pub use patch_file::{PatchFile, patch_schema};
pub use periodic::{Periodic, Search};
pub use scenario::*;
pub use shape::roots;
pub use study::{Motion, Slide, Study, Task};

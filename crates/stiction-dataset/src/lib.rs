//! Sweeps on all cores, as folders of Parquet parts: what `stiction sweep` and `stiction.sweep` share.
//!
//! A [`Sweep`](stiction_study::Sweep) knows its rows; [`SweepRun`] computes them and writes them down; a [`Dataset`] is what
//! is then there.
//!
//! ```text
//!   folder/manifest.json                what was computed, from what, and how much of it is there
//!          rows/part-000000.parquet …   rows in the order of their numbers
//!          samples/part-…               the samples of every point, on request
//!          rows.csv                     all rows, if they are few
//!          boundary-FACT.csv            where a fact changes, on request
//! ```

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod dataset;
pub mod disk;
mod error;
pub mod lock;
mod manifest;
mod part;
mod refine;
mod run;

pub use dataset::Dataset;
pub use error::DatasetError;
pub use manifest::{AxisEntry, ColumnEntry, DrawEntry, MANIFEST, Manifest, ROWS};
pub use part::DatasetPart;
pub use refine::{Boundary, refine};
pub use run::{CSV, PartFiles, SAMPLES, SMALL, SweepProgress, SweepRun};

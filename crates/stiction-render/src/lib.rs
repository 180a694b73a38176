//! From outcome to figures (SVG, PNG) and tables (CSV).

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod figure;

mod behaviours;
mod comparison;
mod law_curve;
mod oscillation;
mod table;

pub use behaviours::{Zoom, behaviours};
pub use comparison::comparison;
pub use law_curve::law_curve;
pub use oscillation::oscillation;
pub use table::{csv, events_csv};

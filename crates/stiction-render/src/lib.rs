//! From outcome to figures (SVG, PNG) and tables (CSV).

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod figure;

mod behaviours;
mod comparison;
mod law_curve;
mod limit_surface;
mod oscillation;
mod patch_curves;
mod patch_pressure;
mod table;

pub use behaviours::{Zoom, behaviours};
pub use comparison::comparison;
pub use law_curve::law_curve;
pub use limit_surface::{limit_sections, limit_surface};
pub use oscillation::oscillation;
pub use patch_curves::{paper_forces, patch_curves};
pub use patch_pressure::patch_pressure;
pub use table::{csv, csv_17, events_csv};

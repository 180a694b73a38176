//! From outcome to figures (SVG, PNG) and tables (CSV).

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod figure;

mod behaviours;
mod comparison;
mod convergence;
mod law_curve;
mod limit_surface;
mod oscillation;
mod patch_curves;
mod patch_pressure;
mod response;
mod slide;
mod table;

pub use behaviours::{Zoom, behaviours};
pub use comparison::comparison;
pub use convergence::{CompareRow, convergence};
pub use law_curve::law_curve;
pub use limit_surface::{limit_sections, limit_surface};
pub use oscillation::oscillation;
pub use patch_curves::{paper_forces, patch_curves};
pub use patch_pressure::patch_pressure;
pub use response::{bifurcation, response};
pub use slide::slide;
pub use table::{csv, csv_17, events_csv};

use figure::Figure;
use stiction_study::{Outcome, Shown};

/// The figure of an outcome.
pub fn outcome_figure(outcome: &Outcome) -> Figure {
    match &outcome.shown {
        Shown::Motion { n, m } => oscillation(outcome, *n, *m),
        Shown::Slide { outlines } => slide(outcome, outlines),
        Shown::Response => response(outcome),
        Shown::Bifurcation => bifurcation(outcome),
    }
}

//! From outcome to figures, tables (CSV) and words.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod behaviours;
mod compare_table;
mod comparison;
mod convergence;
mod drawn;
mod law_curve;
mod limit_surface;
mod nonlinear_mode;
mod oscillation;
mod patch_curves;
mod patch_pressure;
mod patch_tables;
mod report;
mod response;
mod slide;
mod stability;
mod summary;
mod sweep_map;
mod table;
mod words;

pub use behaviours::behaviours;
pub use compare_table::{compare_csv, compare_text, tune_text};
pub use comparison::comparison;
pub use convergence::convergence;
pub use law_curve::law_curve;
pub use limit_surface::{limit_sections, limit_surface};
pub use nonlinear_mode::nonlinear_mode;
pub use oscillation::oscillation;
pub use patch_curves::patch_curves;
pub use patch_pressure::patch_pressure;
pub use patch_tables::{comparison_table, facts_table, limit_table};
pub use report::{drawing_figure, section_text};
pub use response::{bifurcation, response};
pub use slide::slide;
pub use stability::stability;
pub use summary::{short, summary, thousands};
pub use sweep_map::{MapQuantity, coloured_points, cuts, heat_map, histogram, scatter};
pub use table::{csv, csv_17, events_csv, outcome_csv};

use figure::{Figure, Panel, SharedLegend, TWO_COLUMNS};
use stiction_study::{Outcome, Shown};

/// The figure of an outcome.
pub fn outcome_figure(outcome: &Outcome) -> Figure {
    match &outcome.shown {
        Shown::Motion { n, m, .. } => oscillation(outcome, *n, *m),
        Shown::Slide { outlines, downhill, surface } => slide(outcome, outlines, *downhill, surface.as_ref()),
        Shown::Response { log, facts, laws } => response(outcome, *log, facts, laws),
        Shown::Bifurcation => bifurcation(outcome),
        Shown::Stability => stability(outcome),
        Shown::NonlinearMode => nonlinear_mode(outcome),
    }
}

/// Panels in two columns with one legend below.
fn in_pairs(title: String, panels: Vec<Panel>) -> Figure {
    let legend = SharedLegend::Below;
    Figure { title, width: TWO_COLUMNS, columns: 2, ratio: 0.6, panels, legend, ..Figure::default() }
}

/// Two panels beside each other.
fn side_by_side(title: String, panels: Vec<Panel>) -> Figure {
    Figure { title, width: TWO_COLUMNS, columns: 2, ratio: 0.7, panels, ..Figure::default() }
}

//! Defaults of what is asked beside a scenario, for every front end.

use crate::compare::Criterion;

/// What `tune` keeps small.
pub const CRITERION: Criterion = Criterion::Amplitude;
/// The largest error that `tune` allows, in the unit of its criterion.
pub const TOLERANCE: f64 = 0.01;
/// Resolution of PNG figures: what journals ask for (dpi).
pub const DPI: f64 = 300.0;
/// Rows and columns of the table of a limit surface.
pub const SURFACE: (usize, usize) = (25, 72);
/// Points of the sections in the table of a limit surface.
pub const SECTION: usize = 180;
/// Points of the curve of a law.
pub const LAW_POINTS: usize = 2001;

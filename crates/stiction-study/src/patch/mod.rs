//! What is asked of a contact patch: wrenches for a table of twists, curves over the ratio of sliding to
//! spinning, the error of the Padé closures, the limit surface, the pressure.
//!
//! Numbers in, plain tables and facts out; nothing here knows how to draw.

mod comparison;
mod curves;
mod limit;
mod prepared;
mod pressure;
mod summary;
mod twists;

pub use comparison::{Comparison, Deviation, Quantity, compare, model_name};
pub use curves::{Curve, Drag, all_curves, curve_columns, drag, figure_ratios, sliding};
pub use limit::{LimitPoint, LimitPoints, Plane, limit_points, point_columns};
pub use prepared::{PatchStudy, diagnosed};
pub use pressure::{PressureSection, TopView, plan, section};
pub use summary::summary;
pub use twists::{twists, wrenches};

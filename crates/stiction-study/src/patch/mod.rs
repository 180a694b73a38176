//! What is asked of a contact patch: wrenches for a table of twists, curves over the ratio of sliding to spinning, the
//! error of the Padé closures, the limit surface, the pressure.
//!
//! Numbers in, plain tables and facts out; nothing here knows how to draw.

mod comparison;
mod curves;
mod limit;
mod pressure;
mod summary;
mod twists;

pub use comparison::{Comparison, Deviation, Quantity, compare};
pub use curves::{Curve, Drag, drag, figure_ratios, is_round, radius, sliding};
pub use limit::{LimitPoint, LimitPoints, Plane, limit_points};
pub use pressure::{Plan, Section, plan, section};
pub use summary::summary;
pub use twists::{twists, wrenches};

//! What every law promises, and tables of reference.

mod conform;
mod expression;
mod memory;
mod polyline;
mod reference;

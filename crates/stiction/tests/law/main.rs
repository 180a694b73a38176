//! What every law promises, and tables of reference.

mod conform;
mod polyline;
mod reference;

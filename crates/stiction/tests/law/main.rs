//! What every law promises, and tables of reference.

mod conform;
mod memory;
mod reference;

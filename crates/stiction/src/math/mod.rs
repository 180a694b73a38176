//! Small mathematics that has no friction in it: dense matrices, complex numbers, the plane.

pub(crate) mod complex;
pub mod dense;
pub(crate) mod lu;
pub(crate) mod plane;
pub(crate) mod symmetric;

pub use dense::{Matrix, dot};

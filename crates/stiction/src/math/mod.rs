//! Small mathematics that has no friction in it: matrices, complex numbers, the plane, quadrature, roots.

pub(crate) mod complex;
#[cfg(test)]
mod conform;
pub mod dense;
pub(crate) mod eigen;
pub(crate) mod gauss;
pub(crate) mod lanczos;
pub(crate) mod lu;
pub(crate) mod maximum;
pub(crate) mod pivoted;
pub(crate) mod plane;
pub(crate) mod refine;
pub(crate) mod root;
pub(crate) mod skyline;
mod sparse;
pub(crate) mod symmetric;
pub(crate) mod twice;
pub(crate) mod wide;

pub use dense::{Matrix, dot};
pub use sparse::SparseMatrix;

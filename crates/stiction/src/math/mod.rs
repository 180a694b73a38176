//! Small mathematics that has no friction in it: matrices, complex numbers, the plane, quadrature, roots.
//!
//! The linear algebra is written here rather than taken from a library because results have the same bits on every
//! machine: libraries choose other instructions (fused products) on other processors. Matrices stand row after row
//! and inner loops run along rows, so that compilers use vector registers; `benches/linear_algebra.rs` compares the
//! times with nalgebra's, `conform.rs` the results.

pub(crate) mod complex;
#[cfg(test)]
mod conform;
pub mod dense;
pub(crate) mod eigen;
pub(crate) mod gauss;
pub(crate) mod hessenberg;
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

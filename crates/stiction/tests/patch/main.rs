//! Contact patches: closed forms against quadrature, tables and the papers.

#[path = "../support/quadrature.rs"]
mod quadrature;

mod by_quadrature;
mod conform;
mod errata;
mod faults;
mod limit;
mod pressure;
mod reference;

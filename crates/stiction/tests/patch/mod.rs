//! Contact patches: closed forms against quadrature, tables and the papers.

mod by_quadrature;
mod conform;
mod errata;
mod faults;
mod limit;
mod pressure;
mod reference;

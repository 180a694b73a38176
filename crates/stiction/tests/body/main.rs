//! Bodies that slide and spin.

#[path = "../support/bodies.rs"]
mod bodies;

mod faults;
mod leaning;
mod loads;
mod rest;
mod stop;
mod surface;

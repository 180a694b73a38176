//! Bodies that slide and spin.

mod faults;
mod leaning;
mod loads;
mod rest;
mod stop;
mod surface;

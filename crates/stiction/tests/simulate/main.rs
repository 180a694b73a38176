//! Systems on lines under every integrator.

#[path = "../support/kinked.rs"]
mod kinked;
#[path = "../support/phases.rs"]
mod phases;

mod adaptive;
mod coupled_demands;
mod dynamics;
mod frictionless;
mod laws;
mod orders;
mod rest;
mod set_valued;

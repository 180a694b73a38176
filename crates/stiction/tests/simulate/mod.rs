//! Systems on lines under every integrator.

mod adaptive;
mod choice;
mod coupled_demands;
mod creep;
mod dynamics;
mod flats;
mod force_elements;
mod frictionless;
mod laws;
mod lugre;
mod memory;
mod orders;
mod rest;
mod session;
mod set_valued;
mod sticking;
mod stops;
mod turnover;

//! The exact engine.

mod basics;
mod chain;
mod driven;
mod elastic;
mod enumeration;
mod force_elements;
mod idle;
mod invariants;
mod limited_damping;
mod moving_stops;
mod passive;
mod polyline;
mod prescribed;
mod prescribed_rates;
mod random;
mod reference;
mod reported;
mod resolution;
mod sliders;
mod starts;
mod structures;
mod thresholds;
mod transmission;
mod windows;

//! Ordinary differential equations with kinks: ẏ = f(t, y), smooth between its switches. Nothing of friction.

mod adaptive;
mod choice;
mod dense_output;
mod dop853;
mod dop853_tableau;
mod problem;
mod radau5;
#[cfg(test)]
mod rooted_trees;
mod settings;
mod switching;
#[cfg(test)]
mod test_models;

pub use adaptive::AdaptiveStepper;
pub use problem::{Ode, Work};
pub use settings::{Adaptive, Method};

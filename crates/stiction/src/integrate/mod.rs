//! Integrators: from a right-hand side to a trajectory.

mod adaptive;
mod choice;
mod dop853;
mod dop853_tableau;
mod lu;
mod ode;
mod path;
mod radau5;
#[cfg(test)]
mod rooted_trees;
mod settings;
#[cfg(test)]
mod test_models;
mod watch;

pub use adaptive::AdaptiveStepper;
pub use ode::{Ode, Work};
pub use settings::{Adaptive, Method};

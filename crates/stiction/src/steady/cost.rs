//! What a periodic motion costs by shooting.
//!
//! ```text
//!   work ≈ (1 + ω_max T/2π) (2n + z)³
//! ```
//!
//! Every oscillation of the fastest mode takes a step or more, and every step carries a difference of each
//! state. Motions that are condensed to the contacts cost far less.

use super::is_condensed;
use crate::system::{Dynamics, System};
use std::f64::consts::TAU;

/// Multiplications of one period with its derivative, to the order of magnitude; none of a system without a
/// period of its own, and where motions are condensed to the contacts.
pub fn shooting_work(system: &System) -> Option<f64> {
    let period = system.period()?;
    if system.is_autonomous() || is_condensed(system) {
        return None;
    }
    let rate = Dynamics::new(system)?.scales().rate;
    let n_state = (2 * system.n() + system.initial_states().len()) as f64;
    Some((1.0 + rate * period / TAU) * n_state.powi(3))
}

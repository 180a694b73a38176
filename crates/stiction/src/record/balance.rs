//! Work done along a motion.

use crate::system::N_PASSIVE;

/// Work done since the start (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// By the loads, the belts, feedback and stiffness without a potential.
    pub work_in: f64,
    /// Lost in the dampers.
    pub viscous_loss: f64,
    /// Lost in the contacts.
    pub friction_loss: f64,
    /// Lost in impacts on stops, with what elastic stops hold for the time being.
    pub impact_loss: f64,
}

impl Balance {
    /// Everything that is lost.
    pub fn losses(&self) -> f64 {
        self.viscous_loss + self.friction_loss + self.impact_loss
    }

    /// The work done after `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            work_in: self.work_in - earlier.work_in,
            viscous_loss: self.viscous_loss - earlier.viscous_loss,
            friction_loss: self.friction_loss - earlier.friction_loss,
            impact_loss: self.impact_loss - earlier.impact_loss,
        }
    }

    /// The work integrals at the end of a state.
    pub(crate) fn from_state(y: &[f64]) -> Self {
        let passive = &y[y.len() - N_PASSIVE..];
        let [work_in, viscous_loss, friction_loss, impact_loss] = [0, 1, 2, 3].map(|i| passive[i]);
        Self { work_in, viscous_loss, friction_loss, impact_loss }
    }
}

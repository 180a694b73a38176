//! How small differences of the state are carried along, one degree of freedom.
//!
//! On a piece a difference moves freely, at rest its velocity is zero. At an event it changes with the
//! acceleration a, since the disturbed motion has its event δt later (@leine2004):
//!
//! ```text
//!   slide ends at a knot:   δt = −δv/a⁻,        δv⁺ = δv⁻ + (a⁻ − a⁺) δt = δv⁻ a⁺/a⁻    (zero if it rests)
//!   rest ends:              δt = k δu/ḋ,        δv⁺ = −a⁺ δt                            (d: the demand)
//! ```
//!
//! The position has no jump, because the velocity has none.

use super::{Mode, Single};
use crate::math::dense::Matrix;

impl Single {
    /// Carries the columns (δu, δv) of `d` from the time `from` in the current phase to now and through the
    /// event there.
    pub fn carry(&self, from: f64, d: &mut Matrix) {
        let phase = &*self.phase;
        let n_cols = d.n_cols;
        let (upper, lower) = d.data.split_at_mut(n_cols);
        let tau = phase.start.since(self.now.t);
        match phase.mode {
            Mode::Rest { .. } => {
                lower.fill(0.0);
                if !self.ended || self.next.slide.a0 == 0.0 {
                    return;
                }
                let ratio = -self.next.slide.a0 * self.stiffness / phase.demand.jet(tau)[1];
                for (dv, du) in lower.iter_mut().zip(upper) {
                    *dv = ratio * *du;
                }
            }
            Mode::Slide { piece, .. } => {
                let oscillator = &self.pieces[piece].oscillator;
                let [h, h1] = oscillator.free(phase.start.since(self.now.t) - phase.start.since(from));
                let (damped, square) = (h1 - 2.0 * oscillator.sigma * h, oscillator.square);
                let jump = self.jump(piece, tau);
                for (dv, du) in lower.iter_mut().zip(upper) {
                    (*du, *dv) = (*du * h1 + *dv * h, jump * (*dv * damped - *du * square * h));
                }
            }
        }
    }

    /// a⁺/a⁻ at the end of a slide.
    fn jump(&self, piece: usize, tau: f64) -> f64 {
        if !self.ended {
            return 1.0;
        }
        match self.next.mode {
            Mode::Rest { .. } => 0.0,
            // it touched the knot and went back
            Mode::Slide { piece: next, .. } if next == piece => 1.0,
            Mode::Slide { .. } => {
                let jet = &self.phase.jet;
                let rest = tau - jet.tau;
                self.next.slide.a0 / (jet.w[1] + rest * (jet.w[2] + 0.5 * rest * jet.w[3]))
            }
        }
    }
}

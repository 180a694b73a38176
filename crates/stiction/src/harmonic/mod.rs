//! Harmonic balance: periodic motions under harmonic loads as truncated Fourier series.
//!
//! ```text
//!   q(t) = Re Σ_{k=0}^{H} Q_k e^{ikΩt},    Z_k Q_k = F_k − W Λ_k,    Z_k = K − (kΩ)²M + ikΩC
//! ```
//!
//! The linear part is condensed to the contacts by its dynamic compliance, so that the unknowns are the harmonics Λ of the friction
//! forces, however large the model is:
//!
//! ```text
//!   v_k = ikΩ (Wᵀ Z_k⁻¹ F_k − G_k Λ_k),   G_k = Wᵀ Z_k⁻¹ W,      Λ = ℱ[ H(v(t)) ]
//! ```
//!
//! The friction is evaluated in time and transformed back (@cameron1989, alternating frequency–time), and Newton's method has its exact
//! derivative. A set-valued law enters as `λ = clip(λ + ρv)` (@nacivet2003, dynamic Lagrangian), whose solution does not depend on ρ.
//!
//! **What is neglected**: harmonics beyond H. They are estimated from the friction that the truncated motion causes, taken through the
//! compliance to the displacements, and stated as [`HarmonicMotion::truncation`]; harmonics are added until it is small. Under a law that
//! jumps, the error of the motion falls as 1/H only, and is estimated from the motion with half the harmonics.
//!
//! ```
//! use stiction::harmonic::HarmonicBalance;
//! use stiction::law::{FrictionLaw, Tanh};
//! use stiction::system::System;
//!
//! let law = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 });
//! let system = System::oscillator(1.0, 0.02, 1.0).with_friction(law).with_force(1.0, 0.8);
//! let motion = HarmonicBalance::default().solve(&system, None)?;
//! println!("{} m, off by {:.1e} m", motion.amplitude(0), motion.truncation);
//! # Ok::<(), stiction::Error>(())
//! ```

mod motion;
mod problem;

pub use motion::HarmonicMotion;

use crate::Error;
use crate::system::System;
use problem::CondensedProblem;

/// How many harmonics to balance.
#[derive(Clone, Debug, PartialEq)]
pub struct HarmonicBalance {
    /// Harmonics at first.
    pub harmonics: usize,
    /// Harmonics at most.
    pub max_harmonics: usize,
    /// Harmonics are added until the truncation error is below this part of the largest displacement (-).
    pub tolerance: f64,
}

impl Default for HarmonicBalance {
    fn default() -> Self {
        Self { harmonics: 7, max_harmonics: 127, tolerance: 1e-6 }
    }
}

impl HarmonicBalance {
    /// Exactly `harmonics` harmonics.
    pub fn fixed(harmonics: usize) -> Self {
        Self { harmonics, max_harmonics: harmonics, tolerance: 0.0 }
    }

    /// The periodic motion with the period of the first harmonic load, from `start` if one is known nearby.
    ///
    /// Every harmonic load must have a multiple of the first one's frequency.
    pub fn solve(&self, system: &System, start: Option<&HarmonicMotion>) -> Result<HarmonicMotion, Error> {
        let mut harmonics = self.harmonics.max(1);
        let mut known = start.cloned();
        let mut coarse: Option<HarmonicMotion> = None;
        loop {
            let problem = CondensedProblem::new(system, harmonics)?;
            if problem.has_jumps() && coarse.is_none() && harmonics > 1 {
                coarse = Some(CondensedProblem::new(system, harmonics / 2)?.solve(known.as_ref())?);
                known = known.or_else(|| coarse.clone());
            }
            let mut motion = problem.solve(known.as_ref())?;
            if let Some(coarse) = coarse.take().filter(|_| problem.has_jumps()) {
                // of first order in 1/H: the last halving of the error is what is left
                motion.truncation = motion.truncation.max(motion.distance(&coarse));
            }
            let size = motion.size();
            if harmonics >= self.max_harmonics || motion.truncation <= self.tolerance * size {
                return Ok(motion);
            }
            harmonics = (2 * harmonics + 1).min(self.max_harmonics);
            coarse = Some(motion.clone());
            known = Some(motion);
        }
    }
}

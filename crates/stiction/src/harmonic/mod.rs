//! Harmonic balance: periodic motions under harmonic loads as truncated Fourier series.
//!
//! ```text
//!   q(t) = Re Σ_{k=0}^{H} Q_k e^{ikΩt},    Z_k Q_k = F_k − W Λ_k,    Z_k = K − (kΩ)²M + ikΩC
//! ```
//!
//! The linear part is condensed to the contacts by its dynamic compliance, so that the unknowns are the
//! harmonics Λ of the friction forces, however large the model is:
//!
//! ```text
//!   v_k = ikΩ (Wᵀ Z_k⁻¹ F_k − G_k Λ_k),   G_k = Wᵀ Z_k⁻¹ W,      Λ = ℱ[ H(v(t)) ]
//! ```
//!
//! The friction is evaluated in time and transformed back (@cameron1989, alternating frequency–time), and
//! Newton's method has its exact derivative. A set-valued law enters as `λ = clip(λ + ρv)` (@nacivet2003,
//! dynamic Lagrangian), whose solution does not depend on ρ. Springs with sliders (Jenkins, Iwan) are run
//! along the displacement.
//!
//! **What is neglected**: harmonics beyond H. What they add, and how they move those that are kept, is found
//! by Newton's method with 2H + 1 harmonics from the motion with H, of which one step mostly suffices: the
//! residual of the equation in time through its linearised compliance. Three times the distance is stated as
//! [`HarmonicMotion::truncation`]; harmonics are added until it is small. Under a law that jumps the error
//! falls as 1/H only.
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

mod branch;
mod friction;
mod linear;
mod mode;
mod motion;
mod problem;
mod springs;
mod stability;

pub use branch::{HarmonicBranch, HarmonicPoint};
pub use mode::{ModalMotion, ModalPoint};
pub use motion::HarmonicMotion;

use crate::system::System;
use crate::{Error, Faults};
use problem::{Cache, CondensedProblem};

/// The most harmonics: the unknowns of one contact then fill a matrix of some megabytes.
const MAX_HARMONICS: usize = 511;

/// The most unknowns of a problem that judges a motion: a matrix of 200 MB.
const MAX_UNKNOWNS: usize = 5000;
/// The stated error over the distance to the motion with 2H + 1 harmonics. That one is off by half as much
/// where the error falls as 1/H, under a law that jumps, and by less elsewhere: the sum of that series is
/// twice its first term, and once more is for irregular ones.
const SAFETY: f64 = 3.0;
/// What the transforms round, as a part of the motion.
const ROUNDING: f64 = 1e-10;

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

/// An error if the system has parts that the method does not know.
fn know(system: &System) -> Result<(), Error> {
    if !system.is_general() { Ok(()) } else { Err(Error::OnlyTransient) }
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

    /// Writes every fault of the settings into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        let because = "a motion has at least its first harmonic";
        faults.at_least("harmonics", self.harmonics as f64, 1.0, because);
        let because = "the matrix of one contact's harmonics then takes some megabytes";
        faults.at_most("max_harmonics", self.max_harmonics as f64, MAX_HARMONICS as f64, because);
        let because = "the first number of harmonics is harmonics";
        faults.at_least("max_harmonics", self.max_harmonics as f64, self.harmonics as f64, because);
        faults.not_negative("tolerance", self.tolerance);
    }

    /// Writes into `faults` every law of `system` that is neither a function, or a set, of the velocity
    /// alone, nor one of springs with sliders.
    pub fn admit(&self, system: &System, faults: &mut Faults) {
        if let Err(error) = know(system) {
            faults.push("", error);
        }
        for (i, contact) in system.contacts.iter().enumerate() {
            if let Err(error) = problem::refuse(contact) {
                faults.within("friction", |faults| {
                    faults.within(i.to_string(), |faults| faults.push(contact.friction.law.name(), error))
                });
            }
        }
    }

    /// The periodic motion with the period of the first harmonic load, from `start` if one is known nearby.
    ///
    /// Every harmonic load must have a multiple of the first one's frequency.
    pub fn solve(&self, system: &System, start: Option<&HarmonicMotion>) -> Result<HarmonicMotion, Error> {
        self.solve_with(system, start, &mut Cache::default())
    }

    fn solve_with(
        &self,
        system: &System,
        start: Option<&HarmonicMotion>,
        cache: &mut Cache,
    ) -> Result<HarmonicMotion, Error> {
        know(system)?;
        let harmonics = start.map_or(self.harmonics, HarmonicMotion::n_harmonics);
        let harmonics = harmonics.clamp(self.harmonics.max(1), self.max_harmonics.max(1));
        let found = CondensedProblem::new(system, harmonics, cache)?.solve(start);
        let motion = match found {
            Err(Error::NoPeriodicMotion { residual, .. }) if residual.is_finite() => {
                self.with_growing_friction(system, harmonics, cache)?
            }
            found => found?,
        };
        self.refined(system, motion, cache)
    }

    /// A motion with as many more harmonics as it needs, and its error stated.
    fn refined(
        &self,
        system: &System,
        mut motion: HarmonicMotion,
        cache: &mut Cache,
    ) -> Result<HarmonicMotion, Error> {
        loop {
            let harmonics = motion.n_harmonics();
            let apart = self.apart(system, &motion, cache)?;
            motion.state_truncation(&apart);
            if harmonics >= self.max_harmonics || motion.truncation <= self.tolerance * motion.size() {
                return Ok(motion);
            }
            let more = (2 * harmonics + 1).min(self.max_harmonics);
            motion = CondensedProblem::new(system, more, cache)?.solve(Some(&motion))?;
        }
    }

    /// Distance of each degree of freedom to the motion with 2H + 1 harmonics; with half of them where those
    /// are too many (m).
    fn apart(&self, system: &System, motion: &HarmonicMotion, cache: &mut Cache) -> Result<Vec<f64>, Error> {
        let harmonics = motion.n_harmonics();
        let highest = system.harmonics.iter().map(|h| (h.omega / motion.omega).round() as usize);
        let finer = highest.fold(2 * harmonics + 1, usize::max);
        let unknowns = system.contacts.len().saturating_mul(finer.saturating_mul(2));
        if unknowns <= MAX_UNKNOWNS || harmonics < 2 {
            return Ok(CondensedProblem::new(system, finer, cache)?.distance_from(motion));
        }
        let half = CondensedProblem::new(system, harmonics / 2, cache)?.solve(Some(motion))?;
        Ok(motion.distances(&half))
    }
}

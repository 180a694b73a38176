//! Stiffness detection: selects the explicit or the implicit method for the next step.
//!
//! On a stiff stretch the explicit step follows the stiffness, not the solution: the product h λ stands still
//! near or above one while the solution hardly moves. The same is true of a transient that is worth
//! resolving, and of an oscillation at the frequency λ, where the implicit method would need shorter steps
//! still. Therefore after a streak of such steps the implicit method is tried: it stays if after a few steps
//! its own are the longer ones, and until a kink or until they no longer are. A trial that fails doubles the
//! streak that leads to the next, so that the methods do not take turns.

use super::settings::Method;

/// The product h λ beyond which an explicit step may be held down by stiffness.
///
/// Well below the stability limit of about 6: at tight tolerances the error estimate stops the step earlier.
const STIFF: f64 = 0.5;
/// Such steps in a row before the implicit method is tried, at first and at most.
const PATIENCE: u32 = 8;
const MOST_PATIENCE: u32 = 128;
/// Implicit steps after which they must be longer than the explicit ones were.
const TRIAL: u32 = 3;
/// A trial step so much shorter ends the trial at once.
const HOPELESS: f64 = 0.3;

/// The two methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    Explicit,
    Implicit,
}

/// The method in use, and why.
pub(crate) struct StiffnessSwitch {
    method: Method,
    kernel: Kernel,
    streak: u32,
    patience: u32,
    /// Product h λ of the explicit steps that the implicit ones replace.
    to_beat: f64,
}

impl StiffnessSwitch {
    pub fn new(method: Method) -> Self {
        let kernel = match method {
            Method::Auto | Method::Explicit => Kernel::Explicit,
            Method::Implicit => Kernel::Implicit,
        };
        Self { method, kernel, streak: 0, patience: PATIENCE, to_beat: 0.0 }
    }

    /// The method of the next step.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Whether there is anything to choose.
    pub fn is_free(&self) -> bool {
        self.method == Method::Auto
    }

    /// Starts afresh after a kink. Returns whether the method changes.
    pub fn turn(&mut self) -> bool {
        self.streak = 0;
        let changes = self.is_free() && self.kernel == Kernel::Implicit;
        if changes {
            self.kernel = Kernel::Explicit;
        }
        changes
    }

    /// Chooses after a step of length `h`, when the next one would be `h_next` long; returns that of the new
    /// method if it changes.
    pub fn change(&mut self, h: f64, h_next: f64, stiffness: f64) -> Option<f64> {
        self.streak += 1;
        match self.kernel {
            Kernel::Explicit => {
                let product = h * stiffness;
                if product < STIFF {
                    self.streak = 0;
                }
                if self.streak < self.patience {
                    return None;
                }
                self.to_beat = product;
                self.kernel = Kernel::Implicit;
                self.streak = 0;
                Some(h_next)
            }
            Kernel::Implicit => {
                let wanted = if self.streak < TRIAL { HOPELESS * self.to_beat } else { self.to_beat };
                if h_next * stiffness >= wanted {
                    return None;
                }
                if self.streak <= TRIAL {
                    self.patience = (2 * self.patience).min(MOST_PATIENCE);
                }
                self.kernel = Kernel::Explicit;
                self.streak = 0;
                Some(self.to_beat / stiffness)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps until the method changes, at most 1000.
    fn steps_until_change(choice: &mut StiffnessSwitch, h: f64, h_next: f64) -> u32 {
        (1..=1000).find(|_| choice.change(h, h_next, 1.0).is_some()).unwrap_or(0)
    }

    #[test]
    fn short_steps_never_lead_to_the_implicit_method() {
        let mut choice = StiffnessSwitch::new(Method::Auto);
        assert_eq!(steps_until_change(&mut choice, 0.9 * STIFF, 0.9 * STIFF), 0);
    }

    #[test]
    fn trials_that_fail_become_rare_and_one_that_pays_lasts() {
        let mut choice = StiffnessSwitch::new(Method::Auto);
        for expected in [8, 16, 32, 64, 128, 128] {
            assert_eq!(steps_until_change(&mut choice, 2.0, 2.0), expected);
            assert_eq!(choice.kernel(), Kernel::Implicit);
            assert_eq!(steps_until_change(&mut choice, 1.0, 1.0), TRIAL);
            assert_eq!(choice.kernel(), Kernel::Explicit);
        }
        assert_eq!(steps_until_change(&mut choice, 2.0, 2.0), 128);
        assert_eq!(steps_until_change(&mut choice, 2.0, 5.0), 0);
        assert!(choice.turn());
        assert_eq!(choice.kernel(), Kernel::Explicit);
    }
}

//! The consistent continuations of contacts at rest, by enumeration of their modes.
//!
//! With the relative accelerations `c` that the contacts would have without friction, and `G = Wᵀ M⁻¹ W`:
//!
//! ```text
//!   u̇ = c − G h      Stick    u̇ = 0,  static low < h < static high
//!                     Slip ±   h = kinetic friction of that direction,  ±u̇ > 0
//! ```
//!
//! With equal static and kinetic friction u̇ is unique; static friction above kinetic of coupled contacts may
//! leave several combinations, and no two of them have the same accelerations. Ties (a force at its limit, an
//! acceleration of zero) do not count as consistent: the contact that an event lets go is at its limit, and
//! the next derivatives decide there.

use super::{ContactMode, direction};
use crate::math::dense::{dot, factor, solve};

/// Most contacts whose modes are enumerated: 3⁶ = 729 combinations.
pub(crate) const MOST: usize = 6;
/// Distance from a limit that is a tie, as a part of the terms: `adaptive` locates events to its tolerance.
const TIE: f64 = 1e-6;
/// A pivot below this part of its diagonal is a redundant contact.
const REDUNDANT: f64 = 1e-11;

/// FrictionLimits of the friction force of a contact (N).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FrictionLimits {
    /// Smallest and largest force at rest.
    pub at_rest: [f64; 2],
    /// Force at the begin of sliding in the negative and in the positive direction.
    pub kinetic: [f64; 2],
}

impl FrictionLimits {
    /// Whether static friction is above kinetic friction in a direction.
    pub fn has_excess(&self) -> bool {
        self.at_rest[0] < self.kinetic[0] || self.at_rest[1] > self.kinetic[1]
    }
}

/// A set of contacts at rest, and scratch.
#[derive(Clone, Debug)]
pub(crate) struct Continuations {
    /// Number of contacts n.
    n: usize,
    /// G, row-major, n×n.
    g: [f64; MOST * MOST],
    /// Relative accelerations without friction (m/s²).
    c: [f64; MOST],
    limits: [FrictionLimits; MOST],
    mode: [ContactMode; MOST],
    force: [f64; MOST],
    reduced: [f64; MOST * MOST],
    rhs: [f64; MOST],
}

impl Continuations {
    /// The first `n` contacts of the arrays; `entry` gives G.
    pub fn new(
        n: usize,
        c: [f64; MOST],
        limits: [FrictionLimits; MOST],
        entry: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut g = [0.0; MOST * MOST];
        (0..n * n).for_each(|k| g[k] = entry(k / n, k % n));
        let (mode, force) = ([ContactMode::STICK; MOST], [0.0; MOST]);
        Self { n, g, c, limits, mode, force, reduced: [0.0; MOST * MOST], rhs: [0.0; MOST] }
    }

    /// The contacts whose modes differ between consistent combinations, if there is more than one. No
    /// statement on redundant contacts.
    pub fn differing(&mut self) -> Option<[bool; MOST]> {
        let n = self.n;
        self.reduced = self.g;
        if !factor(&mut self.reduced[..n * n], n, REDUNDANT) {
            return None;
        }
        let (mut first, mut differs) = (None, [false; MOST]);
        for number in 0..3usize.pow(n as u32) {
            self.set_modes(number);
            if self.is_consistent() && !self.could_rest_more() {
                let first = first.get_or_insert(self.mode);
                (0..n).for_each(|i| differs[i] |= first[i] != self.mode[i]);
            }
        }
        differs.contains(&true).then_some(differs)
    }

    /// The modes that are the digits of `number`.
    fn set_modes(&mut self, mut number: usize) {
        for mode in &mut self.mode[..self.n] {
            *mode = ContactMode::CLOSED[number % 3];
            number /= 3;
        }
    }

    /// Whether forces and accelerations agree with all modes.
    fn is_consistent(&mut self) -> bool {
        self.balance();
        let n = self.n;
        (0..n).all(|i| match self.mode[i] {
            ContactMode::Stick { .. } => {
                let [low, high] = self.limits[i].at_rest;
                let tie = TIE * (high - low);
                self.force[i] > low + tie && self.force[i] < high - tie
            }
            ContactMode::Slip { piece } => {
                let sign = direction(piece);
                let terms = self.g[i * n..(i + 1) * n].iter().zip(&self.force).map(|(g, h)| g * h);
                let (sum, size) =
                    terms.fold((0.0, self.c[i].abs()), |(sum, size), x| (sum + x, size + x.abs()));
                sign * (self.c[i] - sum) > TIE * size
            }
            ContactMode::Open => true,
        })
    }

    /// Whether a slipping contact could stick with the others as they are.
    fn could_rest_more(&mut self) -> bool {
        let modes = self.mode;
        let slipping = (0..self.n).filter(|i| !modes[*i].sticks());
        let could = slipping.into_iter().any(|i| {
            self.mode = modes;
            self.mode[i] = modes[i].at_rest(false);
            self.is_consistent()
        });
        self.mode = modes;
        could
    }

    /// The forces that follow from the modes: kinetic friction, and what keeps the sticking contacts at rest.
    fn balance(&mut self) {
        let n = self.n;
        for i in 0..n {
            self.force[i] = match self.mode[i] {
                ContactMode::Stick { .. } | ContactMode::Open => 0.0,
                ContactMode::Slip { piece } => self.limits[i].kinetic[piece],
            };
        }
        let mut listed = [0; MOST];
        let mut f = 0;
        for i in (0..n).filter(|i| self.mode[*i].sticks()) {
            listed[f] = i;
            self.rhs[f] = self.c[i] - dot(&self.g[i * n..(i + 1) * n], &self.force[..n]);
            f += 1;
        }
        for a in 0..f {
            (0..f).for_each(|b| self.reduced[a * f + b] = self.g[listed[a] * n + listed[b]]);
        }
        // a part of a positive definite matrix is one
        factor(&mut self.reduced[..f * f], f, 0.0);
        solve(&self.reduced[..f * f], f, &mut self.rhs[..f]);
        (0..f).for_each(|a| self.force[listed[a]] = self.rhs[a]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetric(at_rest: f64, kinetic: f64) -> FrictionLimits {
        FrictionLimits { at_rest: [-at_rest, at_rest], kinetic: [-kinetic, kinetic] }
    }

    /// Two unit masses, the first on the ground and the second on the first, pushed by `force`.
    fn stack(force: f64, limits: [FrictionLimits; 2]) -> Continuations {
        let g = [[1.0, -1.0], [-1.0, 2.0]];
        let mut c = [0.0; MOST];
        c[1] = force;
        let mut all = [FrictionLimits::default(); MOST];
        all[..2].copy_from_slice(&limits);
        Continuations::new(2, c, all, |i, j| g[i][j])
    }

    #[test]
    fn either_contact_of_a_stack_may_slip_alone() {
        // both carry 0.4 N at rest, the limit of the first and more than the kinetic friction of the second
        let differs = stack(0.4, [symmetric(0.4, 0.32), symmetric(0.45, 0.3)]).differing();
        assert_eq!(differs, Some([true, true, false, false, false, false]));
        let reversed = stack(-0.4, [symmetric(0.4, 0.32), symmetric(0.45, 0.3)]).differing();
        assert_eq!(reversed, differs);
    }

    #[test]
    fn one_continuation_is_no_choice() {
        // the second cannot slip: its kinetic friction is above what it carries
        assert_eq!(stack(0.4, [symmetric(0.4, 0.32), symmetric(0.45, 0.42)]).differing(), None);
        assert_eq!(stack(0.2, [symmetric(0.4, 0.32), symmetric(0.45, 0.3)]).differing(), None);
    }

    #[test]
    fn redundant_contacts_have_no_statement() {
        let limits = [symmetric(1.0, 0.5); MOST];
        assert_eq!(Continuations::new(2, [1.5; MOST], limits, |_, _| 1.0).differing(), None);
    }

    #[test]
    fn equal_static_and_kinetic_friction_leave_one_continuation() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
        };
        let mut n_several = 0;
        for n in [2, 3, 4].repeat(300) {
            // G = AᵀA, positive definite for all but a few A
            let a: [[f64; MOST]; MOST] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let g = |i: usize, j: usize| a.iter().map(|row| row[i] * row[j]).sum();
            let c: [f64; MOST] = std::array::from_fn(|_| 3.0 * random());
            let kinetic: [f64; MOST] = std::array::from_fn(|_| random().abs());
            assert_eq!(Continuations::new(n, c, kinetic.map(|h| symmetric(h, h)), g).differing(), None);
            let above = kinetic.map(|h| symmetric(1.5 * h, h));
            n_several += usize::from(Continuations::new(n, c, above, g).differing().is_some());
        }
        assert!(n_several > 10, "{n_several}");
    }
}

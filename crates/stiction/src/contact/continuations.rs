//! The consistent continuations of contacts at rest, by enumeration of their modes.
//!
//! With the relative accelerations `c` that the contacts would have without friction, and `G = Wᵀ M⁻¹ W`:
//!
//! ```text
//!   u̇ = c − G h      Stick    u̇ = 0,  static low < h < static high
//!                     Slip ±   h = kinetic friction of that direction,  ±u̇ > 0
//! ```
//!
//! A contact at rest slips only if it cannot rest: a combination of modes in which a slipping contact could stick, the others as they are, is
//! none of the continuations. With equal static and kinetic friction there is one; static friction above kinetic of coupled contacts may
//! leave several. Ties (a force at its limit, an acceleration of zero) do not count as consistent: higher derivatives decide those.

use crate::math::dense::{dot, factor, solve};

/// Most contacts whose modes are enumerated: 3⁶ = 729 combinations.
pub(crate) const MOST: usize = 6;
/// Distance from a limit that is a tie, as a part of the terms: `adaptive` locates events to its tolerance.
const TIE: f64 = 1e-6;
/// A pivot below this part of its diagonal is a redundant contact.
const REDUNDANT: f64 = 1e-11;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Stick,
    /// In this direction, 1 or −1.
    Slip(f64),
}

/// Limits of the friction force of a contact (N).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Limits {
    /// Smallest and largest force at rest.
    pub at_rest: [f64; 2],
    /// Force at the begin of sliding in the negative and in the positive direction.
    pub kinetic: [f64; 2],
}

impl Limits {
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
    limits: [Limits; MOST],
    mode: [Mode; MOST],
    force: [f64; MOST],
    reduced: [f64; MOST * MOST],
    rhs: [f64; MOST],
}

impl Continuations {
    /// The first `n` contacts of the arrays; `entry` gives G.
    pub fn new(
        n: usize,
        c: [f64; MOST],
        limits: [Limits; MOST],
        entry: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut g = [0.0; MOST * MOST];
        (0..n * n).for_each(|k| g[k] = entry(k / n, k % n));
        let (mode, force) = ([Mode::Stick; MOST], [0.0; MOST]);
        Self { n, g, c, limits, mode, force, reduced: [0.0; MOST * MOST], rhs: [0.0; MOST] }
    }

    /// The contacts whose modes differ between two of the continuations, if there is more than one. No statement on redundant contacts.
    pub fn differing(&mut self) -> Option<[bool; MOST]> {
        let n = self.n;
        self.reduced = self.g;
        if !factor(&mut self.reduced[..n * n], n, REDUNDANT) {
            return None;
        }
        let mut first: Option<[Mode; MOST]> = None;
        for number in 0..3usize.pow(n as u32) {
            self.set_modes(number);
            if !self.is_consistent() || self.could_rest_more() {
                continue;
            }
            match first {
                None => first = Some(self.mode),
                Some(first) => return Some(std::array::from_fn(|i| first[i] != self.mode[i])),
            }
        }
        None
    }

    /// The modes that are the digits of `number`.
    fn set_modes(&mut self, mut number: usize) {
        for mode in &mut self.mode[..self.n] {
            *mode = [Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)][number % 3];
            number /= 3;
        }
    }

    /// Whether forces and accelerations agree with all modes.
    fn is_consistent(&mut self) -> bool {
        self.balance();
        let n = self.n;
        (0..n).all(|i| match self.mode[i] {
            Mode::Stick => {
                let [low, high] = self.limits[i].at_rest;
                let tie = TIE * (high - low);
                self.force[i] > low + tie && self.force[i] < high - tie
            }
            Mode::Slip(sign) => {
                let terms = self.g[i * n..(i + 1) * n].iter().zip(&self.force).map(|(g, h)| g * h);
                let (sum, size) =
                    terms.fold((0.0, self.c[i].abs()), |(sum, size), x| (sum + x, size + x.abs()));
                sign * (self.c[i] - sum) > TIE * size
            }
        })
    }

    /// Whether a slipping contact could stick with the others as they are.
    fn could_rest_more(&mut self) -> bool {
        let modes = self.mode;
        let could = (0..self.n).filter(|i| modes[*i] != Mode::Stick).any(|i| {
            self.mode[i] = Mode::Stick;
            let could = self.is_consistent();
            self.mode[i] = modes[i];
            could
        });
        self.mode = modes;
        could
    }

    /// The forces that follow from the modes: kinetic friction, and what keeps the sticking contacts at rest.
    fn balance(&mut self) {
        let n = self.n;
        for i in 0..n {
            self.force[i] = match self.mode[i] {
                Mode::Stick => 0.0,
                Mode::Slip(sign) => self.limits[i].kinetic[usize::from(sign > 0.0)],
            };
        }
        let mut listed = [0; MOST];
        let mut f = 0;
        for i in (0..n).filter(|i| self.mode[*i] == Mode::Stick) {
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

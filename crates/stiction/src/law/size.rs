//! Regularised laws, and the number by which they tend to a law that is set-valued at zero velocity.
//!
//! A law of the velocity has a transition of some width in place of the jump; an elastic one bends before it slides, by less the stiffer it is.
//! Each says so in its own file, by [`StandsIn`], and in its row of the family, by its [`Size`].

use super::stribeck::FallingLimit;

/// The number by which a regularised law tends to a set-valued one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Velocity that a transition needs to reach full friction; it tends to zero (m/s).
    Width,
    /// Stiffness of what bends before it slides, over the normal load; it grows without end (1/m).
    Stiffness,
}

impl Size {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Width, Self::Stiffness];

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Width => "width",
            Self::Stiffness => "stiffness",
        }
    }

    /// SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Width => "m/s",
            Self::Stiffness => "1/m",
        }
    }

    /// The size of a law of the coefficient `mu` that is so coarse: a width (m/s) is itself; a stiffness bends so far under full friction (m).
    pub fn of(self, coarseness: f64, mu: f64) -> f64 {
        match self {
            Self::Width => coarseness,
            Self::Stiffness => (if mu > 0.0 { mu } else { 1.0 }) / coarseness,
        }
    }
}

/// A law that can regularise one that is set-valued at zero velocity.
pub(super) trait StandsIn: Sized {
    /// The law of this size whose steady sliding has this friction, none if it has no such curve. `inertia` is the mass that moves with the contact
    /// over its load (s²/m), for laws with a damping of their own.
    fn standing_in(limit: &FallingLimit, size: f64, inertia: f64) -> Option<Self>;
}

/// Damping over the load at which elastic bristles come to rest without swinging on: twice the root of stiffness and mass (s/m).
pub(super) fn critical_damping(stiffness: f64, inertia: f64) -> f64 {
    2.0 * (stiffness * inertia).sqrt()
}

/// Sliders that let go one after the other, the same stiffness each and limits that grow evenly: their number, and the share of each in the limit.
pub(super) fn even_sliders() -> [f64; 4] {
    [0.1, 0.2, 0.3, 0.4]
}

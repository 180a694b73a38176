//! Periodic motions, their states and their stability.

use crate::event::Event;
use crate::math::dense::Matrix;
use crate::math::eigen::eigenvalues;
use crate::system::System;

/// Positions and velocities, and the internal states of the laws with memory.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Positions (m).
    pub position: Vec<f64>,
    /// Velocities (m/s).
    pub velocity: Vec<f64>,
    /// States of the laws with memory, in the order of the contacts, then of feedback; missing ones are zero.
    pub memory: Vec<f64>,
}

impl State {
    /// At rest at the origin, `n` degrees of freedom.
    pub fn rest(n: usize) -> Self {
        Self { position: vec![0.0; n], velocity: vec![0.0; n], memory: Vec::new() }
    }

    /// The initial state of a system.
    pub fn initial(system: &System) -> Self {
        Self {
            position: system.position.clone(),
            velocity: system.velocity.clone(),
            memory: system.initial_states(),
        }
    }

    pub(super) fn to_vec(&self, n_state: usize) -> Vec<f64> {
        let mut x = [&self.position[..], &self.velocity, &self.memory].concat();
        x.resize(n_state, 0.0);
        x
    }

    pub(super) fn from_slice(x: &[f64], n: usize) -> Self {
        Self { position: x[..n].to_vec(), velocity: x[n..2 * n].to_vec(), memory: x[2 * n..].to_vec() }
    }
}

/// An eigenvalue of the derivative of the map over one period.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Multiplier {
    /// Real part (-).
    pub re: f64,
    /// Imaginary part (-).
    pub im: f64,
}

impl Multiplier {
    /// By how much a small disturbance grows in one period (-).
    pub fn modulus(&self) -> f64 {
        libm::hypot(self.re, self.im)
    }
}

/// What becomes of small disturbances of a periodic motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stability {
    /// Every one dies out: all multipliers lie inside the unit circle.
    Stable,
    /// Some neither grow nor die out: the largest multiplier lies on the unit circle, to rounding. So it is
    /// where motions form a continuum: rest and stuck contacts under dry friction, free vibration without
    /// damping.
    Neutral,
    /// Some grow.
    Unstable,
}

impl Stability {
    /// 1 for stable, 0 for neutral, −1 for unstable: the number in tables.
    pub fn sign(self) -> f64 {
        match self {
            Self::Stable => 1.0,
            Self::Neutral => 0.0,
            Self::Unstable => -1.0,
        }
    }
}

/// How well a periodic motion was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Convergence {
    /// Distance between the state and its image, relative to the motion (-).
    pub residual: f64,
    /// Evaluations of the map and its derivative.
    pub iterations: u32,
    /// Periods that were run besides, because Newton's method had no success.
    pub periods: u32,
}

/// A harmonic of a periodic motion at the frequency of its load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fundamental {
    /// Amplitude (m).
    pub amplitude: f64,
    /// Phase relative to the load, negative if it lags; none for an autonomous motion, and where the harmonic is
    /// round-off: rest has no phase (rad).
    pub phase: Option<f64>,
}

/// Energies of one period.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CycleEnergy {
    /// Lost in the contacts (J).
    pub friction_loss: f64,
    /// Lost in the dampers (J).
    pub viscous_loss: f64,
    /// Lost in impacts on stops (J).
    pub impact_loss: f64,
    /// Work of loads, belts and feedback (J).
    pub work_in: f64,
    /// Exchanged with the motion by loads, belts, dampers and contacts, to and fro, to one per cent: a scale (J).
    pub exchange: f64,
}

/// A periodic motion.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Orbit {
    /// Period (s).
    pub period: f64,
    /// Periods of the first harmonic load in it: 1 for a motion with the period of the load (-).
    pub subharmonic: u32,
    /// The state at t = 0.
    pub state: State,
    /// The state from which the search began.
    pub start: State,
    /// Floquet multipliers, the largest first; of an autonomous system one of them is 1.
    pub multipliers: Vec<Multiplier>,
    /// What becomes of small disturbances, a shift in time of an autonomous motion aside.
    pub stability: Stability,
    /// Derivative of the state one period later by the state, whose eigenvalues are the multipliers. Not kept
    /// in files, where it would outweigh all the rest.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub monodromy: Matrix,
    /// How well it was found.
    pub convergence: Convergence,
    /// Half the distance between the extrema of the position (m).
    pub amplitude: f64,
    /// The largest distance of any degree of freedom from its origin, which measures the whole motion (m).
    pub extent: f64,
    /// The harmonic of the position at the frequency of the first load.
    pub fundamental: Fundamental,
    /// Energies of a period.
    pub energy: CycleEnergy,
    /// Times per period at which a contact comes to rest. A contact whose law creeps stops if it leaves the
    /// zone below its stick speed on the side it came from, or lingers there four times as long as it would
    /// take to coast through.
    pub stops: u32,
    /// Share of the period in which a contact sticks, the mean over the contacts (-); none if no law says
    /// what stick is.
    pub stick_fraction: Option<f64>,
    /// Whether half a period later the motion is its mirror image.
    pub is_symmetric: bool,
    /// The events of one period, in (0, period].
    pub events: Vec<Event>,
}

impl Orbit {
    /// Whether every small disturbance dies out.
    pub fn is_stable(&self) -> bool {
        self.stability == Stability::Stable
    }
}

pub(super) fn multipliers(slopes: &Matrix) -> Vec<Multiplier> {
    eigenvalues(slopes).into_iter().map(|z| Multiplier { re: z.re, im: z.im }).collect()
}

pub(super) fn stability(multipliers: &[Multiplier], is_free: bool, rounding: f64) -> Stability {
    // the shift in time
    let distance = |m: &Multiplier| libm::hypot(m.re - 1.0, m.im);
    let shift = (0..multipliers.len())
        .filter(|_| is_free)
        .min_by(|&i, &j| distance(&multipliers[i]).total_cmp(&distance(&multipliers[j])));
    let others = multipliers.iter().enumerate().filter(|(i, _)| Some(*i) != shift);
    let largest =
        others.map(|(_, m)| m.modulus()).fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) });
    if largest < 1.0 - rounding {
        Stability::Stable
    } else if largest <= 1.0 + rounding {
        Stability::Neutral
    } else {
        Stability::Unstable
    }
}

//! What drives a system, as its author writes it: loads along directions, motions of the base and of degrees
//! of freedom.

use super::{Harmonic, Prescribed, SignalLoad, System};

/// A load along a direction: `constant + amplitude · sin(omega t + phase)`.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedLoad {
    /// Constant part (N).
    pub constant: f64,
    /// Amplitude of the harmonic part (N).
    pub amplitude: f64,
    /// Angular frequency; without it there is no harmonic part (rad/s).
    pub omega: Option<f64>,
    /// Phase at t = 0 (rad).
    pub phase: f64,
    /// Direction (-).
    pub direction: Vec<f64>,
}

/// A motion of the base along a direction: `amplitude · sin(omega t + phase)`.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseMotion {
    /// Amplitude (m).
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    pub omega: f64,
    /// Phase at t = 0 (rad).
    pub phase: f64,
    /// Which degrees of freedom move along with the base, by how much (-).
    pub direction: Vec<f64>,
}

/// All loads, base motions and prescribed motions of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// The loads.
    pub loads: Vec<AppliedLoad>,
    /// The motions of the base.
    pub bases: Vec<BaseMotion>,
    /// Accelerations of the base along a direction, of which nothing else is known; they act as loads of the
    /// system (m/s²).
    pub records: Vec<SignalLoad>,
    /// What moves as prescribed; loads and bases then act on the system as it was.
    pub prescribed: Option<Prescribed>,
}

impl Drive {
    /// Replaces the loads of `system` by these, the motions of the base after the loads. Directions must have
    /// as many entries as the system has degrees of freedom.
    pub fn act_on(&self, system: &mut System) {
        system.constant.fill(0.0);
        system.harmonics.clear();
        for load in &self.loads {
            for (constant, w) in system.constant.iter_mut().zip(&load.direction) {
                *constant += load.constant * w;
            }
            if let Some(omega) = load.omega {
                let amplitude = load.direction.iter().map(|w| load.amplitude * w).collect();
                system.harmonics.push(Harmonic { amplitude, omega, phase: load.phase });
            }
        }
        for base in &self.bases {
            system.shake(&base.direction, base.amplitude, base.omega, base.phase);
        }
    }
}

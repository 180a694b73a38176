//! What drives a system, as its author writes it: loads along directions, motions of the base and of degrees
//! of freedom.

use super::{Harmonic, Prescribed, Signal, SignalLoad, System, Wave};

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
    /// The stops that are fixed in space while the base moves, the rigid ones first.
    pub fixed_stops: Vec<usize>,
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
        self.fix_stops(system);
    }

    /// Moves the stops that are fixed in space, seen from the base: by −n·b where the base moves by b. Where an
    /// acceleration is all that is known of it, the base has rested at t = 0.
    pub fn fix_stops(&self, system: &mut System) {
        let n_rigid = system.elements.stops.len();
        for &k in &self.fixed_stops {
            let elements = &mut system.elements;
            let (direction, moves) = match k.checked_sub(n_rigid) {
                None => {
                    let stop = &mut elements.stops[k];
                    (&stop.direction, &mut stop.moves)
                }
                Some(k) => match elements.elastic.get_mut(k) {
                    Some(stop) => (&stop.direction, &mut stop.moves),
                    None => continue,
                },
            };
            let along = |w: &[f64]| -direction.iter().zip(w).map(|(n, w)| n * w).sum::<f64>();
            *moves = Signal::default();
            for base in &self.bases {
                let wave = Wave::new(base.amplitude, base.omega, base.phase);
                moves.add(along(&base.direction), &Signal { waves: vec![wave], ..Signal::default() });
            }
            for record in &self.records {
                let velocity = record.signal.integral_from(Some(0.0));
                moves.add(along(&record.direction), &velocity.integral_from(Some(0.0)));
            }
        }
    }
}

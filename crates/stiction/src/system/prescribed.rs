//! Degrees of freedom whose motion is prescribed.
//!
//! With q = (f, p), p(t) given by signals, the free ones obey
//!
//! ```text
//!   M_ff f̈ + C_ff ḟ + K_ff f + Σ w_f H = f_f(t) − M_fp p̈ − C_fp ṗ − K_fp p,   v = w_f·ḟ − (belt − w_p·ṗ)
//! ```
//!
//! so that a prescribed motion is a load, a moving belt, a varying normal load and a moving stop. Friction between prescribed degrees of freedom alone has w_f = 0: its sliding velocity is given,
//! and its force follows if the law is continuous (a hysteresis loop). Where nothing is left free an
//! auxiliary unit mass at rest, which is not reported, takes its place. The force that prescribes the motion
//! is
//!
//! ```text
//!   R = M_p q̈ + C_p q̇ + K_p q + Σ w_p H − f_p(t)
//! ```

mod elimination;

use super::signal::Signal;
use super::{Motion, System};
use crate::math::dense::{Cholesky, Matrix, dot};
use elimination::{Elimination, of_free};

/// The motion of one degree of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedMotion {
    /// The degree of freedom.
    pub dof: usize,
    /// Its position (m).
    pub position: Signal,
    /// What its position follows from, if that is not given itself.
    pub rate: Option<PrescribedRate>,
}

/// A velocity or an acceleration from which a position follows.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedRate {
    /// The velocity (m/s) or the acceleration (m/s²).
    pub signal: Signal,
    /// Whether it is the acceleration.
    pub is_acceleration: bool,
    /// Position (m) at t = 0; without mean if absent and the velocity repeats itself without mean, else zero.
    pub position: Option<f64>,
    /// Velocity (m/s) at t = 0, of an acceleration; without mean if absent and that repeats itself without
    /// mean, else zero.
    pub velocity: Option<f64>,
    /// Time by which the clock has been moved on (s).
    pub since: f64,
}

impl PrescribedRate {
    /// The position that follows (m).
    fn integrated(&self) -> Signal {
        let velocity =
            if self.is_acceleration { self.signal.integral_from(self.velocity) } else { self.signal.clone() };
        let mut position = velocity.integral_from(self.position);
        position.begin_at(self.since);
        position
    }
}

impl PrescribedMotion {
    /// One whose position is given.
    pub fn new(dof: usize, position: Signal) -> Self {
        Self { dof, position, rate: None }
    }

    /// One whose velocity or acceleration is given.
    pub fn from_rate(dof: usize, rate: PrescribedRate) -> Self {
        Self { dof, position: rate.integrated(), rate: Some(rate) }
    }
}

/// Part of its terms within which a gap is closed.
const CLOSED: f64 = 1e-10;

/// What cannot go together with prescribed motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrescribedFault {
    /// A table has corners, where the velocity jumps, but a mass is coupled to this motion by the mass
    /// matrix.
    Impulse(usize),
    /// The position of this motion jumps.
    Jump(usize),
    /// This contact touches prescribed degrees of freedom alone, and its law does not determine its force at
    /// rest.
    Contact(usize),
    /// This rigid stop touches prescribed degrees of freedom alone.
    Stop(usize),
    /// This rigid stop touches one beside feedback.
    StopWithFeedback(usize),
    /// Feedback acts on one.
    Feedback,
}

/// The prescribed degrees of freedom of a system, with what their reactions follow from.
#[derive(Clone, Debug, PartialEq)]
pub struct Prescribed {
    /// The motions, by their degrees of freedom.
    pub motions: Vec<PrescribedMotion>,
    /// The degrees of freedom that are left.
    pub free: Vec<usize>,
    /// The system as it was.
    whole: System,
}

impl System {
    /// Takes degrees of freedom out whose motions are prescribed: the system of the others, and the
    /// reconstruction of the whole motion. The system has matching sizes, and the motions are of different
    /// degrees of freedom of it.
    pub fn prescribe(
        self,
        mut motions: Vec<PrescribedMotion>,
    ) -> Result<(Self, Prescribed), PrescribedFault> {
        motions.sort_by_key(|motion| motion.dof);
        for motion in &mut motions {
            if let Some(rate) = &motion.rate {
                motion.position = rate.integrated();
            }
        }
        let is_free = |i: &usize| motions.iter().all(|motion| motion.dof != *i);
        let free: Vec<usize> = (0..self.n()).filter(is_free).collect();
        let system = Elimination { whole: &self, motions: &motions, free: &free }.system()?;
        Ok((system, Prescribed { motions, free, whole: self }))
    }
}

impl Prescribed {
    /// Moves the clock of the motions and loads on by `time` (s).
    pub fn begin_at(&mut self, time: f64) {
        for motion in &mut self.motions {
            motion.position.begin_at(time);
            motion.rate.iter_mut().for_each(|rate| rate.since += time);
        }
        self.whole.begin_at(time);
    }

    /// The system as it was, with all degrees of freedom.
    pub fn whole(&self) -> &System {
        &self.whole
    }

    /// The number of a degree of freedom among those that are left; none if it moves as prescribed, or does
    /// not exist.
    pub fn left(&self, dof: usize) -> Option<usize> {
        self.free.iter().position(|free| *free == dof)
    }

    /// What is left of a list with an entry for each degree of freedom.
    pub fn rest(&self, all: &[f64]) -> Vec<f64> {
        of_free(&self.free, all)
    }

    /// Number of degrees of freedom, the prescribed ones included.
    pub fn n(&self) -> usize {
        self.whole.n()
    }

    /// Position, velocity and acceleration of each prescribed degree of freedom at `t`; corners of tables
    /// count as none.
    pub fn states(&self, t: f64) -> Vec<[f64; 3]> {
        let state = |motion: &PrescribedMotion| {
            let rate = motion.position.derivative();
            let second = Signal { tables: Vec::new(), ..rate.derivative() };
            [motion.position.at(t), rate.at(t), second.at(t)]
        };
        self.motions.iter().map(state).collect()
    }

    /// The forces that hold the prescribed motions at `t`: the motion of all degrees of freedom and the
    /// friction forces given (N).
    pub fn reactions(&self, t: f64, [q, v, a]: [&[f64]; 3], friction: &[f64]) -> Vec<f64> {
        let system = &self.whole;
        // what is missing to balance each degree of freedom, but for rigid stops
        let missing = |p: usize| {
            let own =
                dot(system.mass.row(p), a) + dot(system.damping.row(p), v) + dot(system.stiffness.row(p), q);
            let contacts = system.contacts.iter().zip(friction).map(|(c, h)| c.direction[p] * h);
            let waves = system.harmonics.iter().map(|h| h.amplitude[p] * libm::sin(h.omega * t + h.phase));
            let signals = system.elements.loads.iter().map(|load| load.direction[p] * load.signal.at(t));
            let springs = system.elements.thresholds.iter().map(|threshold| {
                threshold.force[p] * (dot(&threshold.by_position, q) - threshold.at).max(0.0)
            });
            let elements = &system.elements;
            let stops = elements.elastic.iter().map(|stop| stop.direction[p] * stop.force(t, q, v));
            let curved = elements
                .curved
                .iter()
                .map(|spring| spring.direction[p] * spring.force_and_stiffness(q, spring.moves.at(t))[0]);
            own + contacts.sum::<f64>() + stops.chain(curved).sum::<f64>()
                - system.constant[p]
                - waves.chain(signals).chain(springs).sum::<f64>()
        };
        let pushes = self.pushes(t, q, &missing);
        let reaction = |motion: &PrescribedMotion| {
            let stops = system.elements.stops.iter().zip(&pushes);
            missing(motion.dof) + stops.map(|(stop, push)| stop.direction[motion.dof] * push).sum::<f64>()
        };
        self.motions.iter().map(reaction).collect()
    }

    /// Forces of the rigid stops that touch prescribed degrees of freedom, from what is missing to the balance
    /// of the free ones (N): of closed ones the least squares.
    fn pushes(&self, t: f64, q: &[f64], missing: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let stops = &self.whole.elements.stops;
        let mut pushes = vec![0.0; stops.len()];
        let is_closed = |stop: &super::RigidStop| {
            let size: f64 = stop.direction.iter().zip(q).map(|(w, q)| (w * q).abs()).sum();
            let position = stop.position + stop.moves.at(t);
            (dot(&stop.direction, q) - position).abs() <= CLOSED * (size + position.abs())
        };
        let touches = |stop: &super::RigidStop| self.motions.iter().any(|m| stop.direction[m.dof] != 0.0);
        let closed: Vec<usize> = (0..stops.len()).filter(|k| is_closed(&stops[*k])).collect();
        if !closed.iter().any(|k| touches(&stops[*k])) {
            return pushes;
        }
        let rest: Vec<f64> = self.free.iter().map(|i| -missing(*i)).collect();
        let rows: Vec<Vec<f64>> = closed.iter().map(|k| self.rest(&stops[*k].direction)).collect();
        let mut normal = Matrix::zeros(rows.len(), rows.len());
        for (a, row) in rows.iter().enumerate() {
            for (b, other) in rows.iter().enumerate() {
                *normal.at_mut(a, b) = dot(row, other);
            }
        }
        let mut forces: Vec<f64> = rows.iter().map(|row| dot(row, &rest)).collect();
        if let Some(factors) = Cholesky::new(&normal) {
            factors.solve(&mut forces);
            closed.iter().zip(forces).for_each(|(k, force)| pushes[*k] = force.max(0.0));
        }
        pushes
    }

    /// Powers of the actuator of each motion, and the viscous loss of the whole system, during a motion of
    /// the free degrees of freedom (W).
    pub(crate) fn powers(&self, t: f64, motion: &Motion) -> (Vec<f64>, f64) {
        let states = self.states(t);
        let whole = |free: &[f64], order: usize| {
            let mut all = vec![0.0; self.n()];
            self.free.iter().zip(free).for_each(|(i, x)| all[*i] = *x);
            self.motions.iter().zip(&states).for_each(|(motion, state)| all[motion.dof] = state[order]);
            all
        };
        let [q, v, a] =
            [whole(&motion.position, 0), whole(&motion.velocity, 1), whole(&motion.acceleration, 2)];
        let mut powers = self.reactions(t, [&q, &v, &a], &motion.friction);
        powers.iter_mut().zip(&states).for_each(|(power, state)| *power *= state[1]);
        let viscous = v.iter().enumerate().map(|(i, v_i)| v_i * dot(self.whole.damping.row(i), &v)).sum();
        (powers, viscous)
    }
}

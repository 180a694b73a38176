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

use super::signal::{Signal, Wave};
use super::{Feedback, ForceElements, Harmonic, Motion, SignalLoad, System, Threshold, VaryingContact};
use crate::math::dense::{Cholesky, Matrix, dot};

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

/// The entries of the free degrees of freedom; that of the auxiliary mass if there are none.
fn of_free(free: &[usize], all: &[f64]) -> Vec<f64> {
    if free.is_empty() { vec![0.0] } else { free.iter().map(|i| all[*i]).collect() }
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
        let n = self.n();
        let free: Vec<usize> = (0..n).filter(|i| motions.iter().all(|motion| motion.dof != *i)).collect();
        let kept = |w: &[f64]| of_free(&free, w);
        let block = |m: &Matrix, rows: &[usize], columns: &[usize]| {
            let mut part = Matrix::zeros(rows.len(), columns.len());
            for (a, i) in rows.iter().enumerate() {
                for (b, j) in columns.iter().enumerate() {
                    *part.at_mut(a, b) = m.at(*i, *j);
                }
            }
            part
        };
        for (i, stop) in self.elements.stops.iter().enumerate() {
            if motions.iter().all(|motion| stop.direction[motion.dof] == 0.0) {
                continue;
            }
            if kept(&stop.direction).iter().all(|w| *w == 0.0) {
                return Err(PrescribedFault::Stop(i));
            }
            if self.elements.feedback.is_some() {
                return Err(PrescribedFault::StopWithFeedback(i));
            }
        }
        let mut system = Self {
            mass: if free.is_empty() { Matrix::diagonal(&[1.0]) } else { block(&self.mass, &free, &free) },
            damping: if free.is_empty() { Matrix::zeros(1, 1) } else { block(&self.damping, &free, &free) },
            stiffness: if free.is_empty() {
                Matrix::zeros(1, 1)
            } else {
                block(&self.stiffness, &free, &free)
            },
            contacts: self.contacts.clone(),
            constant: kept(&self.constant),
            harmonics: Vec::new(),
            position: kept(&self.position),
            velocity: kept(&self.velocity),
            elements: self.elements.clone(),
        };
        let load = |h: &Harmonic| Harmonic { amplitude: kept(&h.amplitude), ..h.clone() };
        system.harmonics = self.harmonics.iter().map(load).collect();
        system.elements.loads.iter_mut().for_each(|load| load.direction = kept(&load.direction));
        // n·q = n_f·f + n_p·p: a stop moves by −n_p·p, the end of a spring by n_p·p
        let moved = |sign: f64, direction: &mut Vec<f64>, moves: &mut Signal| {
            motions.iter().for_each(|motion| moves.add(sign * direction[motion.dof], &motion.position));
            *direction = kept(direction);
        };
        let ForceElements { stops, elastic, curved, .. } = &mut system.elements;
        stops.iter_mut().for_each(|stop| moved(-1.0, &mut stop.direction, &mut stop.moves));
        elastic.iter_mut().for_each(|stop| moved(-1.0, &mut stop.direction, &mut stop.moves));
        curved.iter_mut().for_each(|spring| moved(1.0, &mut spring.direction, &mut spring.moves));

        // −K_fp p − C_fp ṗ − M_fp p̈ as loads
        for (k, motion) in motions.iter().enumerate() {
            if motion.position.jumps() {
                return Err(PrescribedFault::Jump(k));
            }
            let rate = motion.position.derivative();
            let column = |m: &Matrix| kept(&(0..n).map(|i| -m.at(i, motion.dof)).collect::<Vec<f64>>());
            let mass = column(&self.mass);
            if mass.iter().any(|m| *m != 0.0) && rate.jumps() {
                return Err(PrescribedFault::Impulse(k));
            }
            let second = Signal { tables: Vec::new(), ..rate.derivative() };
            let parts = [
                (column(&self.stiffness), &motion.position),
                (column(&self.damping), &rate),
                (mass, &second),
            ];
            for (direction, signal) in parts.into_iter().filter(|(w, _)| w.iter().any(|w| *w != 0.0)) {
                system.constant.iter_mut().zip(&direction).for_each(|(f, w)| *f += w * signal.constant);
                let (always, within) =
                    signal.waves.iter().copied().partition::<Vec<Wave>, _>(|wave| wave.window.is_none());
                system.harmonics.extend(always.iter().map(|wave| Harmonic {
                    amplitude: direction.iter().map(|w| w * wave.amplitude).collect(),
                    omega: wave.omega,
                    phase: wave.phase,
                }));
                let signal = Signal { constant: 0.0, waves: within, ..signal.clone() };
                if !signal.is_zero() {
                    system.elements.loads.push(SignalLoad { direction, signal });
                }
            }
        }

        // belts less w_p·ṗ, normal loads by n_p·p + n̄_p·ṗ
        for varying in &mut system.elements.contacts {
            for motion in &motions {
                varying.load.add(varying.by_position[motion.dof], &motion.position);
                varying.load.add(varying.by_velocity[motion.dof], &motion.position.derivative());
            }
            varying.by_position = kept(&varying.by_position);
            varying.by_velocity = kept(&varying.by_velocity);
        }
        for (i, contact) in system.contacts.iter_mut().enumerate() {
            let mut belt = Signal::default();
            for motion in &motions {
                belt.add(-contact.direction[motion.dof], &motion.position.derivative());
            }
            contact.direction = kept(&contact.direction);
            let is_prescribed = contact.direction.iter().all(|w| *w == 0.0);
            if is_prescribed && !contact.friction.law.follows_velocity() {
                return Err(PrescribedFault::Contact(i));
            }
            if belt.is_zero() {
                continue;
            }
            match system.elements.contacts.iter_mut().find(|varying| varying.contact == i) {
                Some(varying) => varying.belt.add(1.0, &belt),
                None => system.elements.contacts.push(VaryingContact {
                    contact: i,
                    load: Signal::default(),
                    by_position: kept(&vec![0.0; n]),
                    by_velocity: kept(&vec![0.0; n]),
                    belt,
                }),
            }
        }
        system.lead(&motions, &free, &self)?;
        Ok((system, Prescribed { motions, free, whole: self }))
    }

    /// Feedback and thresholds see prescribed positions and velocities as inputs.
    fn lead(
        &mut self,
        motions: &[PrescribedMotion],
        free: &[usize],
        whole: &Self,
    ) -> Result<(), PrescribedFault> {
        let kept = |w: &[f64]| of_free(free, w);
        let sees = |threshold: &Threshold| {
            motions.iter().any(|m| threshold.by_position[m.dof] != 0.0 || threshold.by_velocity[m.dof] != 0.0)
        };
        let is_controlled = whole.elements.feedback.is_some() || whole.elements.thresholds.iter().any(sees);
        if let Some(f) = &whole.elements.feedback {
            let acts = |row: usize| {
                [&f.f_position, &f.f_velocity, &f.f_state, &f.f_input]
                    .iter()
                    .any(|m| m.row(row).iter().any(|x| *x != 0.0))
            };
            if motions.iter().any(|motion| acts(motion.dof)) {
                return Err(PrescribedFault::Feedback);
            }
        }
        let own = whole.elements.feedback.clone().unwrap_or_else(|| Feedback::none(whole.n(), 0, 0));
        let (n, p, r) = (free.len().max(1), own.initial.len(), own.inputs.len());
        if is_controlled {
            let mut f = Feedback::none(n, p, r + 2 * motions.len());
            f.initial.clone_from(&own.initial);
            f.a = own.a.clone();
            f.inputs[..r].clone_from_slice(&own.inputs);
            for (b, i) in free.iter().enumerate() {
                for row in 0..p {
                    *f.b_position.at_mut(row, b) = own.b_position.at(row, *i);
                    *f.b_velocity.at_mut(row, b) = own.b_velocity.at(row, *i);
                    *f.f_state.at_mut(b, row) = own.f_state.at(*i, row);
                }
                for (c, j) in free.iter().enumerate() {
                    *f.f_position.at_mut(b, c) = own.f_position.at(*i, *j);
                    *f.f_velocity.at_mut(b, c) = own.f_velocity.at(*i, *j);
                }
                for column in 0..r {
                    *f.f_input.at_mut(b, column) = own.f_input.at(*i, column);
                }
            }
            for row in 0..p {
                for column in 0..r {
                    *f.b_input.at_mut(row, column) = own.b_input.at(row, column);
                }
            }
            for (k, motion) in motions.iter().enumerate() {
                let [position, velocity] = [r + 2 * k, r + 2 * k + 1];
                f.inputs[position] = motion.position.clone();
                f.inputs[velocity] = motion.position.derivative();
                for row in 0..p {
                    *f.b_input.at_mut(row, position) = own.b_position.at(row, motion.dof);
                    *f.b_input.at_mut(row, velocity) = own.b_velocity.at(row, motion.dof);
                }
                for (b, i) in free.iter().enumerate() {
                    *f.f_input.at_mut(b, position) = own.f_position.at(*i, motion.dof);
                    *f.f_input.at_mut(b, velocity) = own.f_velocity.at(*i, motion.dof);
                }
            }
            self.elements.feedback = Some(f);
        }
        for threshold in &mut self.elements.thresholds {
            let is_spring = threshold.stiffness().is_some();
            if !is_spring && motions.iter().any(|motion| threshold.force[motion.dof] != 0.0) {
                return Err(PrescribedFault::Feedback);
            }
            if sees(threshold) {
                threshold.by_input.resize(r, 0.0);
                for motion in motions {
                    threshold
                        .by_input
                        .extend([threshold.by_position[motion.dof], threshold.by_velocity[motion.dof]]);
                }
            } else if is_controlled && !threshold.by_input.is_empty() {
                threshold.by_input.resize(r + 2 * motions.len(), 0.0);
            }
            threshold.by_position = kept(&threshold.by_position);
            threshold.by_velocity = kept(&threshold.by_velocity);
            threshold.force = kept(&threshold.force);
        }
        Ok(())
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

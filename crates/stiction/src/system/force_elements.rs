//! Force elements: signal loads, varying contacts, stops, nonlinear springs, feedback.
//!
//! ```text
//!   M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t) + Σ dⱼ sⱼ(t) + F_q q + F_v q̇ + F_x x + F_r r(t) + stops
//!   ẋ = A x + B_q q + B_v q̇ + B_r r(t)
//!   vᵢ = wᵢ·q̇ − beltᵢ(t),   Nᵢ = Nᵢ(t) + nᵢ·q + n̄ᵢ·q̇ ≥ 0
//! ```
//!
//! An elastic stop gives −n max(0, k x + c ẋ) where x = n·q − position is positive, and nothing elsewhere; with
//! limited damping −n (max(0, k x + c ẋ) − max(0, c ẋ − k x)), which lies between 0 and 2 k x.

use super::curved::CurvedSpring;
use super::signal::{Polynomials, Signal, TimeTable};
use super::threshold::Threshold;
use super::{Motion, System, check_vector};
use crate::law::Law;
use crate::math::dense::Matrix;
use crate::{Error, Faults};

/// A load that varies as a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalLoad {
    /// Share of each degree of freedom (-).
    pub direction: Vec<f64>,
    /// The load (N).
    pub signal: Signal,
}

/// Variable normal load and belt velocity of a contact, added to its constant ones.
#[derive(Clone, Debug, PartialEq)]
pub struct VaryingContact {
    /// Number of the contact.
    pub contact: usize,
    /// What time adds to the contact's normal load (N).
    pub load: Signal,
    /// n: what the positions add to the normal load (N/m).
    pub by_position: Vec<f64>,
    /// n̄: what the velocities add to the normal load (N s/m).
    pub by_velocity: Vec<f64>,
    /// What time adds to the velocity of the counter-surface (m/s).
    pub belt: Signal,
}

/// A rigid stop: direction · q ≤ position + moves(t), with Newton's restitution. Loads of contacts are finite and do not
/// follow the force of the stop, so an impact has no impulse of friction: what sticks slides afterwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidStop {
    /// Direction n (-).
    pub direction: Vec<f64>,
    /// Largest n·q (m).
    pub position: f64,
    /// Restitution e: n·q̇, from the velocity of the stop on, turns into −e n·q̇ (-).
    pub restitution: f64,
    /// What time adds to the position (m).
    pub moves: Signal,
}

/// Relative distance of directions and positions that is round-off (-).
const SAME: f64 = 1e-12;

impl RigidStop {
    /// Direction of unit length, and the position along it; none of a direction without length.
    fn normalised(&self) -> Option<(Vec<f64>, f64)> {
        let length = self.direction.iter().map(|w| w * w).sum::<f64>().sqrt();
        let is_sound = length > 0.0 && length.is_finite();
        is_sound.then(|| (self.direction.iter().map(|w| w / length).collect(), self.position / length))
    }

    /// Why there cannot be another stop, called by its number, beside this one: it bounds the same motion at
    /// the same place, or from the other side without room between them.
    fn conflict(&self, other: &Self, number: usize) -> Option<Error> {
        let ((n, a), (m, b)) = (self.normalised()?, other.normalised()?);
        if self.moves != other.moves && !(self.moves.is_constant() && other.moves.is_constant()) {
            return None;
        }
        let is_along =
            |sign: f64| n.len() == m.len() && n.iter().zip(&m).all(|(n, m)| (n - sign * m).abs() <= SAME);
        let tolerance = SAME * a.abs().max(b.abs());
        if is_along(1.0) && (a - b).abs() <= tolerance {
            return Some(Error::SameStop { other: number });
        }
        (is_along(-1.0) && a + b <= tolerance).then_some(Error::NoGap { other: number, gap: a + b })
    }
}

/// An elastic stop beyond a gap: a spring and a damper that never pull.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElasticStop {
    /// Direction n (-).
    pub direction: Vec<f64>,
    /// n·q at which it is touched (m).
    pub position: f64,
    /// Stiffness (N/m).
    pub stiffness: f64,
    /// Damping (N s/m).
    pub damping: f64,
    /// Whether the force of the damper is limited to that of the spring, both ways: the whole lies between
    /// nothing and twice the spring's.
    pub is_limited: bool,
    /// What time adds to the position (m).
    pub moves: Signal,
}

impl ElasticStop {
    /// Its force against the motion at `t` (N).
    pub(super) fn force(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let dot = |x: &[f64]| self.direction.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        let spring = self.stiffness * (dot(q) - self.position - self.moves.at(t)).max(0.0);
        if spring == 0.0 {
            return 0.0;
        }
        let damper = self.damping * (dot(v) - self.moves.rate(t));
        spring + damper.max(-spring).min(if self.is_limited { spring } else { f64::INFINITY })
    }
}

/// First-order states and linear feedback.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feedback {
    /// Signals r.
    pub inputs: Vec<Signal>,
    /// A, x by x.
    pub a: Matrix,
    /// B_q, x by q.
    pub b_position: Matrix,
    /// B_v, x by q.
    pub b_velocity: Matrix,
    /// B_r, x by r.
    pub b_input: Matrix,
    /// F_q, q by q (N/m).
    pub f_position: Matrix,
    /// F_v, q by q (N s/m).
    pub f_velocity: Matrix,
    /// F_x, q by x.
    pub f_state: Matrix,
    /// F_r, q by r.
    pub f_input: Matrix,
    /// x at t = 0.
    pub initial: Vec<f64>,
}

/// Deviation from a whole number of cycles in a period that is rounding (-).
const WHOLE: f64 = 1e-9;

/// Force elements beside matrices, contacts and harmonic loads; none by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceElements {
    /// Loads by signals.
    pub loads: Vec<SignalLoad>,
    /// Contacts that vary.
    pub contacts: Vec<VaryingContact>,
    /// Rigid stops.
    pub stops: Vec<RigidStop>,
    /// Elastic stops, counted after the rigid ones.
    pub elastic: Vec<ElasticStop>,
    /// Number by which events and messages name each stop, the rigid ones first; as counted if empty.
    pub stop_numbers: Vec<usize>,
    /// Corners of springs and limits of controllers.
    pub thresholds: Vec<Threshold>,
    /// Polynomial springs, supported by `adaptive` only.
    pub curved: Vec<CurvedSpring>,
    /// Feedback.
    pub feedback: Option<Feedback>,
    /// Internal states of the laws at t = 0, contact by contact; all zero if empty.
    pub memory: Vec<f64>,
}

impl ForceElements {
    /// Whether the velocity of the counter-surface of contact `i` is a signal.
    pub(crate) fn varies_belt(&self, i: usize) -> bool {
        let varies = |v: &VaryingContact| v.contact == i && !v.belt.is_constant();
        self.contacts.iter().any(varies)
    }

    /// Whether the normal load of contact `i` varies.
    pub(crate) fn varies_load(&self, i: usize) -> bool {
        let moves =
            |v: &VaryingContact| v.by_position.iter().chain(&v.by_velocity).any(|slope| *slope != 0.0);
        let varies = |v: &VaryingContact| v.contact == i && (!v.load.is_constant() || moves(v));
        self.contacts.iter().any(varies)
    }

    /// Whether there is no element; initial internal states of laws do not count.
    pub fn is_empty(&self) -> bool {
        let Self { loads, contacts, stops, elastic, thresholds, curved, feedback, .. } = self;
        loads.is_empty()
            && contacts.is_empty()
            && stops.is_empty()
            && elastic.is_empty()
            && thresholds.is_empty()
            && curved.is_empty()
            && feedback.is_none()
    }

    /// Number by which events and messages name a stop, counted with the rigid ones first.
    pub fn stop_number(&self, stop: usize) -> usize {
        self.stop_numbers.get(stop).copied().unwrap_or(stop)
    }

    /// Whether all vectors and matrices belong to `n` degrees of freedom and `m` contacts.
    pub fn has_matching_sizes(&self, n: usize, m: usize) -> bool {
        let feedback =
            self.feedback.as_ref().is_none_or(|feedback| feedback.shapes(n).iter().all(|shape| shape.2));
        self.loads.iter().all(|load| load.direction.len() == n)
            && self.stops.iter().all(|stop| stop.direction.len() == n)
            && self.elastic.iter().all(|stop| stop.direction.len() == n)
            && self.curved.iter().all(|spring| spring.direction.len() == n)
            && self.contacts.iter().all(|varying| {
                varying.contact < m && varying.by_position.len() == n && varying.by_velocity.len() == n
            })
            && feedback
            && self.thresholds.iter().all(|threshold| threshold.has_matching_sizes(self.sizes_of_feedback(n)))
            && self.signals().all(|signal| {
                signal.tables.iter().all(TimeTable::is_whole)
                    && signal.polynomials.iter().all(Polynomials::is_whole)
            })
    }

    /// Numbers of degrees of freedom, and of states and inputs of feedback.
    fn sizes_of_feedback(&self, n: usize) -> [usize; 3] {
        self.feedback
            .as_ref()
            .map_or([n, 0, 0], |feedback| [n, feedback.initial.len(), feedback.inputs.len()])
    }

    /// Whether no signal varies.
    pub(super) fn is_autonomous(&self) -> bool {
        self.signals().all(Signal::is_constant)
    }

    /// The longest period of a signal (s).
    pub(crate) fn period(&self) -> Option<f64> {
        self.signals().flat_map(Signal::periods).reduce(f64::max)
    }

    /// An error if a signal does not repeat itself in `period` (s).
    pub(crate) fn repeats(&self, period: f64) -> Result<(), Error> {
        self.never_ends()?;
        for own in self.signals().flat_map(Signal::periods) {
            let cycles = period / own;
            if (cycles - cycles.round()).abs() > WHOLE * cycles {
                return Err(Error::NotPeriodic { harmonic: None, cycles });
            }
        }
        Ok(())
    }

    /// An error if a signal goes on without end.
    pub(crate) fn never_ends(&self) -> Result<(), Error> {
        if self.signals().any(Signal::never_repeats) { Err(Error::HeldTable) } else { Ok(()) }
    }

    /// What time adds to the velocity of the counter-surface of a contact at `t` (m/s).
    pub(crate) fn belt(&self, contact: usize, t: f64) -> f64 {
        self.contacts.iter().filter(|varying| varying.contact == contact).map(|v| v.belt.at(t)).sum()
    }

    /// Forces as large as those of the signals, one for each (N).
    pub(super) fn sizes(&self, system: &System) -> Vec<Vec<f64>> {
        let scaled = |direction: &[f64], size: f64| direction.iter().map(|w| w * size).collect::<Vec<f64>>();
        let mut forces: Vec<Vec<f64>> =
            self.loads.iter().map(|load| scaled(&load.direction, load.signal.size())).collect();
        for varying in &self.contacts {
            let contact = &system.contacts[varying.contact];
            forces.push(scaled(&contact.direction, varying.load.size() * contact.friction.law.bound()));
        }
        if let Some(feedback) = &self.feedback {
            for (j, input) in feedback.inputs.iter().enumerate() {
                let column: Vec<f64> = (0..system.n()).map(|i| feedback.f_input.at(i, j)).collect();
                forces.push(scaled(&column, input.size()));
            }
            let mut force = vec![0.0; system.n()];
            feedback.f_position.add_product(1.0, &system.position, &mut force);
            feedback.f_state.add_product(1.0, &feedback.initial, &mut force);
            forces.push(force);
        }
        forces
    }

    /// A bound on what time adds to the belt of a contact (m/s).
    pub(super) fn belt_size(&self, contact: usize) -> f64 {
        self.contacts.iter().filter(|varying| varying.contact == contact).map(|v| v.belt.size()).sum()
    }

    /// A bound on what signals add to the largest load on a degree of freedom of `system`, friction included
    /// (N).
    pub(crate) fn largest_load(&self, system: &System) -> f64 {
        let largest = |x: &[f64]| x.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let loads = self.loads.iter().map(|load| load.signal.size() * largest(&load.direction));
        let frictions = self.contacts.iter().filter_map(|varying| {
            let contact = system.contacts.get(varying.contact)?;
            Some(varying.load.size() * contact.friction.law.bound() * largest(&contact.direction))
        });
        let inputs = self.feedback.iter().flat_map(|feedback| {
            let column = |j: usize| {
                (0..feedback.f_input.n_rows).map(|i| feedback.f_input.at(i, j).abs()).fold(0.0, f64::max)
            };
            (feedback.inputs.iter().enumerate()).map(move |(j, input)| input.size() * column(j))
        });
        loads.chain(frictions).chain(inputs).sum()
    }

    pub(super) fn signals_mut(&mut self) -> impl Iterator<Item = &mut Signal> {
        let loads = self.loads.iter_mut().map(|load| &mut load.signal);
        let contacts = self.contacts.iter_mut().flat_map(|varying| [&mut varying.load, &mut varying.belt]);
        let inputs = self.feedback.iter_mut().flat_map(|feedback| &mut feedback.inputs);
        let stops = self.stops.iter_mut().map(|stop| &mut stop.moves);
        let stops = stops.chain(self.elastic.iter_mut().map(|stop| &mut stop.moves));
        let springs = self.curved.iter_mut().map(|spring| &mut spring.moves);
        loads.chain(contacts).chain(inputs).chain(stops).chain(springs)
    }

    /// The fastest wave of a signal (rad/s).
    pub(super) fn fastest_wave(&self) -> f64 {
        self.signals().flat_map(|signal| &signal.waves).map(|wave| wave.omega).fold(0.0, f64::max)
    }

    /// All signals.
    fn signals(&self) -> impl Iterator<Item = &Signal> {
        let loads = self.loads.iter().map(|load| &load.signal);
        let contacts = self.contacts.iter().flat_map(|varying| [&varying.load, &varying.belt]);
        let inputs = self.feedback.iter().flat_map(|feedback| &feedback.inputs);
        let stops = self.stops.iter().map(|stop| &stop.moves);
        let stops = stops.chain(self.elastic.iter().map(|stop| &stop.moves));
        let springs = self.curved.iter().map(|spring| &spring.moves);
        loads.chain(contacts).chain(inputs).chain(stops).chain(springs)
    }

    /// Writes every fault into `faults`; of a system of `n` degrees of freedom in this position.
    pub(super) fn check(&self, faults: &mut Faults, system: &System) {
        let (q, v) = (&system.position[..], &system.velocity[..]);
        let n = q.len();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let numbered = |faults: &mut Faults, key: &str, i: usize, check: &mut dyn FnMut(&mut Faults)| {
            faults.within(key, |faults| faults.within(i.to_string(), |faults| check(faults)));
        };
        for (i, load) in self.loads.iter().enumerate() {
            numbered(faults, "signal", i, &mut |faults| {
                check_vector(faults, "direction", &load.direction, n);
                load.signal.check(faults);
            });
        }
        for varying in &self.contacts {
            numbered(faults, "friction", varying.contact, &mut |faults| {
                let mut good = check_vector(faults, "load_position", &varying.by_position, n);
                good &= check_vector(faults, "load_velocity", &varying.by_velocity, n);
                faults.within("load", |faults| varying.load.check(faults));
                faults.within("belt", |faults| varying.belt.check(faults));
                let own = system.contacts.get(varying.contact).map_or(0.0, |contact| contact.load);
                let load =
                    own + varying.load.at(0.0) + dot(&varying.by_position, q) + dot(&varying.by_velocity, v);
                // where one of two presses by turns, the other begins open
                let begins_open = || self.contacts.iter().any(|other| other.is_opposite(varying));
                if good && load < 0.0 && !begins_open() {
                    faults.push("load", Error::NegativeLoad { load });
                }
            });
        }
        for (i, stop) in self.stops.iter().enumerate() {
            numbered(faults, "stop", i, &mut |faults| {
                let finite = check_vector(faults, "direction", &stop.direction, n);
                faults.finite("position", stop.position);
                faults.between("restitution", stop.restitution, 0.0, 1.0);
                stop.moves.check(faults);
                if finite && stop.direction.iter().all(|w| *w == 0.0) {
                    faults.push("direction", Error::ZeroDirection);
                } else if finite && dot(&stop.direction, q) > stop.position + stop.moves.at(0.0) {
                    let position = dot(&stop.direction, q) - stop.moves.at(0.0);
                    faults.push("position", Error::BeyondStop { position });
                } else if let Some(error) = self.stops[..i]
                    .iter()
                    .enumerate()
                    .find_map(|(k, other)| stop.conflict(other, self.stop_number(k)).filter(|_| finite))
                {
                    faults.push("position", error);
                }
            });
        }
        for (i, stop) in self.elastic.iter().enumerate() {
            numbered(faults, "stop", self.stops.len() + i, &mut |faults| {
                let finite = check_vector(faults, "direction", &stop.direction, n);
                faults.finite("position", stop.position);
                faults.positive("stiffness", stop.stiffness);
                faults.not_negative("damping", stop.damping);
                stop.moves.check(faults);
                let is_given = !stop.moves.is_constant();
                if finite && stop.direction.iter().all(|w| *w == 0.0) && !is_given {
                    faults.push("direction", Error::ZeroDirection);
                }
            });
        }
        for (i, threshold) in self.thresholds.iter().enumerate() {
            numbered(faults, "threshold", i, &mut |faults| {
                threshold.check(faults);
                if !threshold.has_matching_sizes(self.sizes_of_feedback(n)) {
                    let rows = threshold.by_position.len();
                    faults.push("by_position", Error::Shape { rows, columns: 1, expected: n });
                }
            });
        }
        for (i, spring) in self.curved.iter().enumerate() {
            numbered(faults, "spring", i, &mut |faults| {
                spring.check(faults);
                check_vector(faults, "direction", &spring.direction, n);
            });
        }
        if let Some(feedback) = &self.feedback {
            faults.within("feedback", |faults| {
                for (key, found, fits) in feedback.shapes(n) {
                    if !fits {
                        faults.push(key, Error::Shape { rows: found[0], columns: found[1], expected: n });
                    }
                }
                for (i, input) in feedback.inputs.iter().enumerate() {
                    numbered(faults, "input", i, &mut |faults| input.check(faults));
                }
            });
        }
    }
}

impl System {
    /// Power of feedback in a motion at `t`, the limits of controllers included (W).
    pub(crate) fn feedback_power(&self, t: f64, motion: &Motion) -> f64 {
        let Some(f) = &self.elements.feedback else { return 0.0 };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (q, v) = (&motion.position, &motion.velocity);
        let x = motion.states.get(self.n_memory()..).unwrap_or_default();
        let mut power = 0.0;
        for (i, v_i) in v.iter().enumerate() {
            power +=
                v_i * (dot(f.f_position.row(i), q) + dot(f.f_velocity.row(i), v) + dot(f.f_state.row(i), x));
        }
        for (j, input) in f.inputs.iter().enumerate() {
            let along: f64 = v.iter().enumerate().map(|(i, v)| v * f.f_input.at(i, j)).sum();
            if along != 0.0 {
                power += along * input.at(t);
            }
        }
        for threshold in self.elements.thresholds.iter().filter(|threshold| threshold.stiffness().is_none()) {
            let driven = threshold.by_input.iter().zip(&f.inputs).filter(|(by, _)| **by != 0.0);
            let seen =
                dot(&threshold.by_position, q) + dot(&threshold.by_velocity, v) + dot(&threshold.by_state, x);
            let excess = seen + driven.map(|(by, input)| by * input.at(t)).sum::<f64>() - threshold.at;
            power += dot(&threshold.force, v) * excess.max(0.0);
        }
        power
    }
}

impl VaryingContact {
    /// Whether the motion adds to the normal load of another contact what it takes from that of this one.
    pub(crate) fn is_opposite(&self, other: &Self) -> bool {
        let opposite = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| *a == -b);
        self.by_position.iter().chain(&self.by_velocity).any(|x| *x != 0.0)
            && opposite(&self.by_position, &other.by_position)
            && opposite(&self.by_velocity, &other.by_velocity)
    }
}

impl Feedback {
    /// The matrices by name, their rows and columns, and whether they fit `n` degrees of freedom.
    fn shapes(&self, n: usize) -> [(&'static str, [usize; 2], bool); 9] {
        let (p, r) = (self.initial.len(), self.inputs.len());
        let shape = |key, matrix: &Matrix, rows: usize, columns: usize| {
            let fits =
                matrix.n_rows == rows && matrix.n_cols == columns && matrix.data.len() == rows * columns;
            (key, [matrix.n_rows, matrix.n_cols], fits)
        };
        [
            shape("a", &self.a, p, p),
            shape("b_position", &self.b_position, p, n),
            shape("b_velocity", &self.b_velocity, p, n),
            shape("b_input", &self.b_input, p, r),
            shape("f_position", &self.f_position, n, n),
            shape("f_velocity", &self.f_velocity, n, n),
            shape("f_state", &self.f_state, n, p),
            shape("f_input", &self.f_input, n, r),
            ("initial", [p, 1], self.initial.iter().all(|x| x.is_finite())),
        ]
    }

    /// Feedback without states and inputs that gives no force, for `n` degrees of freedom, to be filled.
    pub fn none(n: usize, n_states: usize, n_inputs: usize) -> Self {
        let (p, r) = (n_states, n_inputs);
        Self {
            inputs: vec![Signal::default(); r],
            a: Matrix::zeros(p, p),
            b_position: Matrix::zeros(p, n),
            b_velocity: Matrix::zeros(p, n),
            b_input: Matrix::zeros(p, r),
            f_position: Matrix::zeros(n, n),
            f_velocity: Matrix::zeros(n, n),
            f_state: Matrix::zeros(n, p),
            f_input: Matrix::zeros(n, r),
            initial: vec![0.0; p],
        }
    }
}

//! One contact beside any force element, by classical Runge–Kutta steps that are cut at every event and kink.
//!
//! ```text
//!   M q̈ + C q̇ + K q + w H + s λ = f(t, q, q̇, x),   v = w·q̇ − belt(t),   H = N(t, q, q̇) φ
//!   0 ≤ λ,   s·q ≤ position(t),   s·q̇⁺ = −e s·q̇⁻ in an impact
//! ```
//!
//! Written from the equations of the elements; of the core it takes the numbers of a system, the values of its
//! signals and its laws as functions of their inputs. A prescribed motion stays a degree of freedom whose
//! acceleration is given. A stop acts along the direction of the contact, or the contact never sticks: forces
//! that friction and a closed stop share are not distinguished. Contacts that open are left out.

mod events;
mod motion;

use crate::lines::{Rows, dot, times};
use crate::modes::inverse;
use stiction::law::{FrictionLaw, Graph, Law, Slider, Slip};
use stiction::math::Matrix;
use stiction::system::{ElasticStop, Prescribed, RigidStop, Signal, System, Threshold};

/// Events and kinks beyond which a motion chatters.
const MAX_EVENTS: usize = 20_000;
/// Halvings of a step at an event.
const HALVINGS: usize = 55;
/// A sliding velocity below this part of its terms is their rounding.
const STILL: f64 = 1e-13;
/// A creeping contact crosses a breakpoint by more than this (m/s).
const NOISE: f64 = 1e-12;
/// A stop is passed by this part of its position before an impact counts (-).
const PASSED: f64 = 1e-12;
/// A stop is closed from the start within this part of its position, and below this velocity.
const CLOSED: f64 = 1e-9;
/// An impact slower than this is the last of a sequence that accumulates (m/s).
const LAST: f64 = 1e-10;
/// The fastest rate times the step.
const RATE: f64 = 0.08;
/// Weight of rates that only fast sliding has: halving the steps shows whether they are short enough (-).
const SHORT: f64 = 0.1;
/// The most steps of a run.
const MAX_STEPS: f64 = 60_000.0;
/// Part of a time by which a step stays before the break of a signal at its end.
const BEFORE: f64 = 1e-14;

/// Mode of the contact.
#[derive(Clone, Debug, PartialEq)]
enum ContactState {
    /// A law of its inputs.
    Free,
    Stick,
    /// Sliding in a direction.
    Slide(f64),
    /// For each spring the end at which its slider slips, or 0.
    Springs(Vec<(Slider, f64)>),
}

/// What is fixed between events.
#[derive(Clone, Debug)]
struct Modes {
    contact: ContactState,
    /// The rigid stop that is closed.
    closed: Option<usize>,
}

/// What ends a phase.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// The contact, or one of its springs, goes on in this direction, or sticks.
    Turn(usize, f64),
    Impact(usize),
    /// The closed stop opens; a contact that stuck slides in this direction.
    Release(f64),
}

/// Forces at one instant.
struct Balance {
    acceleration: Vec<f64>,
    /// Friction that keeps the contact's velocity, over the load; of a law that needs it, or in stick.
    demand: f64,
    /// Force of the closed stop, with what friction adds to it in stick.
    reaction: f64,
    load: f64,
}

/// A motion by steps.
pub struct Course {
    /// Its states at the times that were asked for.
    pub rows: Vec<Vec<f64>>,
    /// The least and the largest position of the first degree of freedom at the ends of all steps, events among them.
    pub range: [f64; 2],
}

/// A system under steps; the state is free positions and velocities, states of feedback, internal states of
/// the law.
pub struct ElementStepping<'a> {
    system: &'a System,
    prescribed: Option<&'a Prescribed>,
    law: &'a FrictionLaw,
    free: Vec<usize>,
    inverse: Rows,
    mass: Rows,
    damping: Rows,
    stiffness: Rows,
}

fn rows_of(matrix: &Matrix) -> Rows {
    (0..matrix.n_rows).map(|i| matrix.row(i).to_vec()).collect()
}

/// Second derivative of a signal of harmonics (1/s²).
fn second(signal: &Signal, t: f64) -> f64 {
    let wave = |w: &stiction::system::Wave| -w.amplitude * w.omega * w.omega * (w.omega * t + w.phase).sin();
    signal.waves.iter().map(wave).sum()
}

impl<'a> ElementStepping<'a> {
    /// The system of all degrees of freedom, with the prescribed ones, and another law of its contact; none with several contacts.
    pub fn new(
        system: &'a System,
        prescribed: Option<&'a Prescribed>,
        law: Option<&'a FrictionLaw>,
    ) -> Option<Self> {
        let system = prescribed.map_or(system, Prescribed::whole);
        (system.contacts.len() == 1).then_some(())?;
        let free = prescribed.map_or_else(|| (0..system.n()).collect(), |own| own.free.clone());
        let mass = rows_of(&system.mass);
        let block: Rows = free.iter().map(|i| free.iter().map(|j| mass[*i][*j]).collect()).collect();
        let [damping, stiffness] = [&system.damping, &system.stiffness].map(rows_of);
        let law = law.unwrap_or(&system.contacts[0].friction.law);
        Some(Self { system, prescribed, law, inverse: inverse(&block)?, free, mass, damping, stiffness })
    }

    fn n(&self) -> usize {
        self.free.len()
    }

    /// Number of states of feedback.
    fn n_feedback(&self) -> usize {
        self.system.elements.feedback.as_ref().map_or(0, |feedback| feedback.initial.len())
    }

    /// The free entries of a vector of all degrees of freedom.
    fn kept(&self, all: &[f64]) -> Vec<f64> {
        self.free.iter().map(|i| all[*i]).collect()
    }

    /// The state that a system begins with, from free positions and velocities and what the core calls memory:
    /// internal states of the law, then of feedback.
    pub fn state(&self, position: &[f64], velocity: &[f64], memory: &[f64]) -> Vec<f64> {
        let (law, feedback) = memory.split_at(self.law.n_states().min(memory.len()));
        let mut y = [position, velocity].concat();
        let own = self.system.elements.feedback.as_ref().map_or(&[][..], |own| &own.initial);
        y.extend_from_slice(if feedback.is_empty() { own } else { feedback });
        y.extend_from_slice(law);
        y.resize(2 * self.n() + self.n_feedback() + self.law.n_states(), 0.0);
        y
    }

    /// How many steps a run takes; none if they are too many.
    pub fn steps(&self, duration: f64) -> Option<usize> {
        let System { elements, contacts, harmonics, .. } = self.system;
        let norm = |a: &Rows| a.iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max);
        let g = norm(&self.inverse);
        let stops: f64 = elements.elastic.iter().map(|stop| stop.stiffness).sum();
        let dampers: f64 = elements.elastic.iter().map(|stop| stop.damping).sum();
        let corners: f64 = elements.thresholds.iter().flat_map(|own| &own.force).map(|f| f.abs()).sum();
        let curved: f64 =
            elements.curved.iter().flat_map(|own| &own.coefficients).map(|c| 4.0 * c.abs()).sum();
        let feedback = elements.feedback.as_ref().map_or(0.0, |own| {
            let all = [&own.a, &own.f_position, &own.f_velocity, &own.f_state, &own.b_velocity];
            all.iter().flat_map(|m| &m.data).map(|x| x.abs()).sum::<f64>()
        });
        let contact = &contacts[0];
        let (law, load) = (self.law, 2.0 * contact.load);
        let slopes = (-30..10).map(|k| law.slope(Slip::at(10f64.powf(0.2 * f64::from(k)))).abs());
        let springs: f64 = law.sliders().unwrap_or_default().iter().map(|s| s.stiffness).sum();
        let steepest = Some(law.steepest()).filter(|x| x.is_finite()).unwrap_or(0.0);
        // bristles: their own rate, and the stiffness that they add
        let (bristles, speed) = (law.number("stiffness").unwrap_or(0.0), 3.0);
        let rate = (g * (norm(&self.stiffness) + stops + corners + curved)).sqrt()
            + g * (norm(&self.damping) + dampers)
            + feedback
            + g * load * slopes.fold(steepest, f64::max)
            + (g * load * (springs + bristles)).sqrt()
            + law.lag(1e3).map_or(0.0, |lag| lag.rate / lag.share)
            + SHORT * law.number("distance").map_or(0.0, |distance| speed / distance)
            + SHORT * bristles * speed / law.bound().max(0.1);
        let rate = harmonics.iter().map(|h| h.omega).fold(rate, f64::max);
        let steps = rate * duration / RATE + 300.0;
        (steps <= MAX_STEPS).then_some(steps as usize)
    }

    fn step(&self, t: f64, y: &[f64], modes: &Modes, h: f64, before: f64) -> Vec<f64> {
        let width = y.len();
        let mut k = vec![vec![0.0; width]; 4];
        let mut stage = y.to_vec();
        for (s, c) in [(0, 0.0), (1, 0.5), (2, 0.5), (3, 1.0)] {
            if s > 0 {
                (0..width).for_each(|i| stage[i] = y[i] + c * h * k[s - 1][i]);
            }
            self.derivative((t + c * h).min(before), &stage, modes, &mut k[s]);
        }
        (0..width).map(|i| y[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i])).collect()
    }

    /// The next break of a signal after t (s).
    fn next_break(&self, t: f64) -> f64 {
        let elements = &self.system.elements;
        let loads = elements.loads.iter().map(|load| &load.signal);
        let contacts = elements.contacts.iter().flat_map(|own| [&own.load, &own.belt]);
        let inputs = elements.feedback.iter().flat_map(|own| &own.inputs);
        let motions = self.prescribed.iter().flat_map(|own| &own.motions).map(|own| &own.position);
        let all = loads.chain(contacts).chain(inputs).chain(motions);
        all.map(|signal| signal.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    fn begin(&self, y: &[f64]) -> Modes {
        let law = self.law;
        let [q, v, _] = self.whole(0.0, y);
        let contact = match law.sliders() {
            Some(sliders) => {
                let mut slips = vec![0.0; sliders.len()];
                if law.lag(0.0).is_some() {
                    slips.copy_from_slice(&y[y.len() - sliders.len()..]);
                }
                ContactState::Springs(sliders.into_iter().zip(slips).collect())
            }
            None if law.graph() != Graph::SetValued => ContactState::Free,
            None => match self.sliding(0.0, &v) {
                v if v.abs() <= STILL => ContactState::Stick,
                v => ContactState::Slide(v.signum()),
            },
        };
        let is_closed = |stop: &RigidStop| {
            let [beyond, speed] = self.gap(stop, 0.0, &q, &v);
            beyond.abs() <= CLOSED * (1.0 + stop.position.abs()) && speed.abs() <= CLOSED
        };
        Modes { contact, closed: self.system.elements.stops.iter().position(is_closed) }
    }

    /// The motion by `steps` steps between events, with its states at ascending times, or why there is none.
    pub fn run(&self, start: &[f64], times: &[f64], steps: usize) -> Result<Course, &'static str> {
        let mut y = start.to_vec();
        let mut range = [start[0]; 2];
        let mut modes = self.begin(&y);
        let mut scratch = vec![0.0; y.len()];
        let (mut t, mut events) = (0.0, 0);
        let longest = times.last().copied().unwrap_or(0.0) / steps as f64;
        let mut rows = Vec::with_capacity(times.len());
        for &end in times {
            while t < end {
                while let Some(ending) = self.ended(t, &y, &modes, &mut scratch) {
                    self.turn(t, &mut y, &mut modes, ending);
                    events += 1;
                    if events > MAX_EVENTS {
                        return Err("own integration: it chatters");
                    }
                }
                let limit = self.next_break(t).min(end);
                let before = limit * (1.0 - BEFORE);
                let sides = self.sides(t, &y, &modes, &mut scratch);
                let mut has_ended = |t: f64, y: &[f64]| {
                    let t = t.min(before);
                    self.ended(t, y, &modes, &mut scratch).is_some()
                        || self.sides(t, y, &modes, &mut scratch) != sides
                };
                let (mut h, mut low) = (longest.min(limit - t), 0.0);
                let mut next = self.step(t, &y, &modes, h, before);
                if has_ended(t + h, &next) {
                    // the shortest step that ends after an event
                    for _ in 0..HALVINGS {
                        let middle = 0.5 * (low + h);
                        let tried = self.step(t, &y, &modes, middle, before);
                        if has_ended(t + middle, &tried) {
                            (h, next) = (middle, tried);
                        } else {
                            low = middle;
                        }
                    }
                    events += 1;
                }
                t = if h == limit - t { limit } else { t + h };
                y = next;
                range = [range[0].min(y[0]), range[1].max(y[0])];
                let [q, v, _] = self.whole(t, &y);
                if !(self.load(t, &q, &v) > 0.0) {
                    return Err("own integration: the contact opens");
                }
            }
            rows.push(y.clone());
        }
        Ok(Course { rows, range })
    }
}

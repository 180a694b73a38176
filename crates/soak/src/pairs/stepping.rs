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

    /// All positions and velocities, and the accelerations of the prescribed degrees of freedom.
    fn whole(&self, t: f64, y: &[f64]) -> [Vec<f64>; 3] {
        let n = self.n();
        let mut all: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; self.system.n()]);
        for (k, i) in self.free.iter().enumerate() {
            (all[0][*i], all[1][*i]) = (y[k], y[n + k]);
        }
        if let Some(prescribed) = self.prescribed {
            for (motion, state) in prescribed.motions.iter().zip(prescribed.states(t)) {
                (0..3).for_each(|order| all[order][motion.dof] = state[order]);
            }
        }
        all
    }

    fn belt(&self, t: f64) -> [f64; 2] {
        let varying = self.system.elements.contacts.iter();
        let own = self.system.contacts[0].belt;
        varying.fold([own, 0.0], |[b, rate], own| [b + own.belt.at(t), rate + own.belt.rate(t)])
    }

    fn load(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let varying = self.system.elements.contacts.iter();
        let added = varying.map(|own| own.load.at(t) + dot(&own.by_position, q) + dot(&own.by_velocity, v));
        self.system.contacts[0].load + added.sum::<f64>()
    }

    fn sliding(&self, t: f64, v: &[f64]) -> f64 {
        let w = &self.system.contacts[0].direction;
        let terms: f64 = w.iter().zip(v).map(|(w, v)| (w * v).abs()).sum();
        let belt = self.belt(t)[0];
        let sliding = dot(w, v) - belt;
        if sliding.abs() <= STILL * (terms + belt.abs()) { 0.0 } else { sliding }
    }

    /// How far a stop is passed, and how fast (m, m/s).
    fn gap(&self, stop: &RigidStop, t: f64, q: &[f64], v: &[f64]) -> [f64; 2] {
        [
            dot(&stop.direction, q) - stop.position - stop.moves.at(t),
            dot(&stop.direction, v) - stop.moves.rate(t),
        ]
    }

    fn compression(stop: &ElasticStop, t: f64, q: &[f64], v: &[f64]) -> [f64; 2] {
        let x = dot(&stop.direction, q) - stop.position - stop.moves.at(t);
        [stop.stiffness * x, stop.damping * (dot(&stop.direction, v) - stop.moves.rate(t))]
    }

    fn excess(&self, threshold: &Threshold, t: f64, [q, v, x]: [&[f64]; 3]) -> f64 {
        let inputs = self.system.elements.feedback.iter().flat_map(|own| &own.inputs);
        let driven: f64 = threshold.by_input.iter().zip(inputs).map(|(by, r)| by * r.at(t)).sum();
        let seen = dot(&threshold.by_position, q) + dot(&threshold.by_velocity, v);
        seen + dot(&threshold.by_state, x) + driven - threshold.at
    }

    /// The load on every degree of freedom but friction and rigid stops, and the rates of feedback.
    fn forces(&self, t: f64, [q, v, x]: [&[f64]; 3]) -> (Vec<f64>, Vec<f64>) {
        let System { elements, constant, harmonics, .. } = self.system;
        let (kq, cv) = (times(&self.stiffness, q), times(&self.damping, v));
        let mut force: Vec<f64> = (0..q.len()).map(|k| constant[k] - kq[k] - cv[k]).collect();
        let mut add = |direction: &[f64], size: f64| {
            force.iter_mut().zip(direction).for_each(|(f, w)| *f += size * w);
        };
        harmonics.iter().for_each(|h| add(&h.amplitude, (h.omega * t + h.phase).sin()));
        elements.loads.iter().for_each(|load| add(&load.direction, load.signal.at(t)));
        for spring in &elements.curved {
            let u = dot(&spring.direction, q) + spring.moves.at(t);
            let powers = spring.coefficients.iter().zip(1..).map(|(c, power)| c * u.powi(power));
            add(&spring.direction, -powers.sum::<f64>());
        }
        for stop in &elements.elastic {
            let [spring, damper] = Self::compression(stop, t, q, v);
            let limited = if stop.is_limited { damper.min(spring) } else { damper };
            if spring > 0.0 {
                add(&stop.direction, -(spring + limited).max(0.0));
            }
        }
        let mut rates = vec![0.0; x.len()];
        if let Some(own) = &elements.feedback {
            let r: Vec<f64> = own.inputs.iter().map(|input| input.at(t)).collect();
            let product = |[a, b, c, d]: [&Matrix; 4], i: usize| {
                dot(a.row(i), q) + dot(b.row(i), v) + dot(c.row(i), x) + dot(d.row(i), &r)
            };
            for (i, f) in force.iter_mut().enumerate() {
                *f += product([&own.f_position, &own.f_velocity, &own.f_state, &own.f_input], i);
            }
            for (i, rate) in rates.iter_mut().enumerate() {
                *rate = product([&own.b_position, &own.b_velocity, &own.a, &own.b_input], i);
            }
        }
        for threshold in &elements.thresholds {
            let excess = self.excess(threshold, t, [q, v, x]).max(0.0);
            force.iter_mut().zip(&threshold.force).for_each(|(f, w)| *f += excess * w);
            rates.iter_mut().zip(&threshold.rate).for_each(|(f, w)| *f += excess * w);
        }
        (force, rates)
    }

    /// ẏ and the balance of forces at one instant.
    fn derivative(&self, t: f64, y: &[f64], modes: &Modes, dy: &mut [f64]) -> Balance {
        let (n, p, law) = (self.n(), self.n_feedback(), self.law);
        let [q, v, given] = self.whole(t, y);
        let x = &y[2 * n..2 * n + p];
        let z = &y[2 * n + p..];
        let (mut force, rates) = self.forces(t, [&q, &v, x]);
        let inertia = times(&self.mass, &given);
        force.iter_mut().zip(&inertia).for_each(|(f, m)| *f -= m);
        let mut force = self.kept(&force);
        let direction = &self.system.contacts[0].direction;
        let (w, [belt, belt_rate]) = (self.kept(direction), self.belt(t));
        let load = self.load(t, &q, &v);
        let mw = times(&self.inverse, &w);
        let g = dot(&w, &mw);
        // what keeps the contact's velocity
        let demand_of = |force: &[f64]| (dot(&mw, force) + dot(direction, &given) - belt_rate) / g / load;
        let mut demand = 0.0;
        let mut sliding = dot(direction, &v) - belt;
        let dz = &mut dy[2 * n + p..];
        let phi = match &modes.contact {
            ContactState::Stick => {
                law.state_dot(Slip { v: 0.0, demand: 0.0, z }, dz);
                demand = demand_of(&force);
                if modes.closed.is_some() { 0.0 } else { demand }
            }
            ContactState::Springs(springs) => Self::spring_force(law, springs, sliding, z, dz),
            own => {
                if let ContactState::Slide(sign) = own {
                    sliding = sign * (sign * sliding).max(1e-300);
                }
                law.state_dot(Slip { v: sliding, demand: 0.0, z }, dz);
                if *own == ContactState::Free && law.friction_bounds(sliding, z).is_some() {
                    demand = demand_of(&force);
                }
                law.coefficient(Slip { v: sliding, demand, z })
            }
        };
        force.iter_mut().zip(&w).for_each(|(f, w)| *f -= w * load * phi);
        let mut reaction = 0.0;
        if let Some(k) = modes.closed {
            let stop = &self.system.elements.stops[k];
            let s = self.kept(&stop.direction);
            let ms = times(&self.inverse, &s);
            let off = dot(&ms, &force) + dot(&stop.direction, &given) - second(&stop.moves, t);
            reaction = off / dot(&s, &ms);
            force.iter_mut().zip(&s).for_each(|(f, s)| *f -= s * reaction);
        }
        let acceleration = times(&self.inverse, &force);
        dy[..n].copy_from_slice(&y[n..2 * n]);
        dy[n..2 * n].copy_from_slice(&acceleration);
        dy[2 * n..2 * n + p].copy_from_slice(&rates);
        Balance { acceleration, demand, reaction, load }
    }

    /// φ of springs with sliders, and the rates of their deflections.
    fn spring_force(law: &FrictionLaw, springs: &[(Slider, f64)], v: f64, z: &[f64], dz: &mut [f64]) -> f64 {
        let lag = law.lag(v);
        let mut phi = 0.0;
        for (((slider, slips), z), rate) in springs.iter().zip(z).zip(dz) {
            let own = slider.stiffness * z;
            *rate = match lag {
                _ if *slips == 0.0 => v,
                Some(lag) => {
                    let limit = slips * slider.limit_towards(*slips);
                    lag.rate * (limit - own / lag.share) / slider.stiffness
                }
                None => 0.0,
            };
            let is_bent = *slips == 0.0 || lag.is_some();
            phi += if is_bent { own } else { slips * slider.limit_towards(*slips) };
        }
        phi
    }

    /// Whether the contact, at rest, balances a demand.
    fn holds(&self, z: &[f64], demand: f64) -> bool {
        let bounds = self.law.friction_bounds(0.0, z);
        bounds.map_or(demand == 0.0, |hold| (hold.low..=hold.high).contains(&demand))
    }

    /// What ends the phase at (t, y), if it has ended.
    fn ended(&self, t: f64, y: &[f64], modes: &Modes, dy: &mut [f64]) -> Option<Ending> {
        let balance = self.derivative(t, y, modes, dy);
        let [q, v, _] = self.whole(t, y);
        let z = &y[2 * self.n() + self.n_feedback()..];
        for (k, stop) in self.system.elements.stops.iter().enumerate() {
            let [beyond, speed] = self.gap(stop, t, &q, &v);
            if modes.closed != Some(k) && beyond > PASSED * (1.0 + stop.position.abs()) && speed > 0.0 {
                return Some(Ending::Impact(k));
            }
        }
        if let Some(k) = modes.closed {
            let along = dot(&self.system.elements.stops[k].direction, &self.system.contacts[0].direction);
            if modes.contact == ContactState::Stick {
                // friction holds the mass back after the stop has ceased to push
                let least = self
                    .law
                    .friction_bounds(0.0, z)
                    .map_or(0.0, |hold| (if along > 0.0 { hold.low } else { -hold.high }) * balance.load);
                if balance.reaction < least {
                    return Some(Ending::Release(-along.signum()));
                }
                return None;
            }
            if balance.reaction < 0.0 {
                return Some(Ending::Release(0.0));
            }
        }
        let sliding = self.sliding(t, &v);
        match &modes.contact {
            ContactState::Stick if !self.holds(z, balance.demand) => {
                Some(Ending::Turn(0, balance.demand.signum()))
            }
            ContactState::Slide(sign) if sign * sliding < 0.0 => Some(Ending::Turn(0, 0.0)),
            ContactState::Springs(springs) => self.spring_ended(springs, sliding, z),
            _ => None,
        }
    }

    fn spring_ended(&self, springs: &[(Slider, f64)], sliding: f64, z: &[f64]) -> Option<Ending> {
        let law = self.law;
        for (k, ((slider, slips), z)) in springs.iter().zip(z).enumerate() {
            let limit = |way: f64| {
                let share = law.lag((way * sliding).max(0.0)).map_or(1.0, |lag| lag.share);
                slider.reach_towards(way) * share
            };
            let onset = [1.0, -1.0].into_iter().find(|way| way * sliding > 0.0 && way * z > limit(*way));
            if let Some(way) = onset.filter(|_| *slips == 0.0) {
                return Some(Ending::Turn(k, way));
            }
            if slips * sliding < 0.0 {
                return Some(Ending::Turn(k, 0.0));
            }
        }
        None
    }

    /// Goes on in other modes from (t, y).
    fn turn(&self, t: f64, y: &mut [f64], modes: &mut Modes, ending: Ending) {
        match ending {
            Ending::Impact(k) => self.impact(t, y, modes, k),
            Ending::Release(direction) => {
                modes.closed = None;
                if modes.contact == ContactState::Stick {
                    modes.contact = ContactState::Slide(direction);
                }
            }
            Ending::Turn(k, to) => {
                if let ContactState::Springs(springs) = &mut modes.contact {
                    let before = springs[k].1;
                    for (index, spring) in springs.iter_mut().enumerate() {
                        if index == k || before != 0.0 && spring.1 == before {
                            spring.1 = to;
                        }
                    }
                    self.flag(y, &modes.contact);
                } else if to != 0.0 {
                    modes.contact = ContactState::Slide(to);
                } else {
                    self.rest(t, y, modes);
                }
            }
        }
    }

    /// Writes which springs slip into the states of a law that keeps it.
    fn flag(&self, y: &mut [f64], contact: &ContactState) {
        let ContactState::Springs(springs) = contact else { return };
        if self.law.lag(0.0).is_some() {
            let first = y.len() - springs.len();
            y[first..].iter_mut().zip(springs).for_each(|(flag, spring)| *flag = spring.1);
        }
    }

    /// A contact whose sliding velocity has become zero: it sticks if friction holds it.
    fn rest(&self, t: f64, y: &mut [f64], modes: &mut Modes) {
        let before = modes.contact.clone();
        let first = 2 * self.n() + self.n_feedback();
        let kept = y.to_vec();
        let mut dy = vec![0.0; y.len()];
        if modes.closed.is_some() {
            // the stop moves the mass: friction changes its direction with the velocity
            let sliding_rate = |modes: &Modes, dy: &mut [f64]| {
                let balance = self.derivative(t, y, modes, dy);
                let w = &self.system.contacts[0].direction;
                dot(&self.kept(w), &balance.acceleration) + dot(w, &self.whole(t, y)[2]) - self.belt(t)[1]
            };
            let rate = sliding_rate(modes, &mut dy);
            modes.contact =
                if rate.abs() > STILL { ContactState::Slide(rate.signum()) } else { ContactState::Stick };
            // a time at rest begins anew
            y[first..].fill(0.0);
            return;
        }
        modes.contact = ContactState::Stick;
        y[first..].fill(0.0);
        self.still(t, y);
        let demand = self.derivative(t, y, modes, &mut dy).demand;
        if !self.holds(&y[first..], demand) {
            // it has not rested: what it remembers stays
            if before == ContactState::Slide(demand.signum()) {
                y[first..].copy_from_slice(&kept[first..]);
            }
            modes.contact = ContactState::Slide(demand.signum());
        }
    }

    /// Takes the rounding out of a sliding velocity that is zero.
    fn still(&self, t: f64, y: &mut [f64]) {
        let (n, direction) = (self.n(), &self.system.contacts[0].direction);
        let w = self.kept(direction);
        let mw = times(&self.inverse, &w);
        let off = (dot(direction, &self.whole(t, y)[1]) - self.belt(t)[0]) / dot(&w, &mw);
        (0..n).for_each(|j| y[n + j] -= mw[j] * off);
    }

    fn impact(&self, t: f64, y: &mut [f64], modes: &mut Modes, k: usize) {
        let (n, stop) = (self.n(), &self.system.elements.stops[k]);
        let s = self.kept(&stop.direction);
        let ms = times(&self.inverse, &s);
        let [q, v, _] = self.whole(t, y);
        let speed = self.gap(stop, t, &q, &v)[1];
        let rebound = stop.restitution * speed;
        let is_last = rebound < LAST;
        let change = (speed + if is_last { 0.0 } else { rebound }) / dot(&s, &ms);
        (0..n).for_each(|j| y[n + j] -= ms[j] * change);
        if is_last {
            modes.closed = Some(k);
        }
        if !matches!(modes.contact, ContactState::Free | ContactState::Springs(_)) {
            let sliding = self.sliding(t, &self.whole(t, y)[1]);
            // beside a stop that keeps still the contact sticks
            let is_still = sliding == 0.0 || is_last && sliding.abs() < LAST;
            modes.contact =
                if is_still { ContactState::Stick } else { ContactState::Slide(sliding.signum()) };
        }
    }

    /// On which side of its kinks everything is.
    fn sides(&self, t: f64, y: &[f64], modes: &Modes, dy: &mut [f64]) -> Vec<bool> {
        let (n, p, law) = (self.n(), self.n_feedback(), self.law);
        let demand = self.derivative(t, y, modes, dy).demand;
        let [q, v, _] = self.whole(t, y);
        let (x, z) = (&y[2 * n..2 * n + p], &y[2 * n + p..]);
        let sliding = self.sliding(t, &v);
        let elements = &self.system.elements;
        let mut sides: Vec<bool> =
            elements.thresholds.iter().map(|own| self.excess(own, t, [&q, &v, x]) > 0.0).collect();
        for stop in &elements.elastic {
            let [spring, damper] = Self::compression(stop, t, &q, &v);
            let is_closed = spring > 0.0;
            sides.extend([is_closed, is_closed && spring + damper > 0.0]);
            sides.push(is_closed && stop.is_limited && damper > spring);
        }
        if matches!(modes.contact, ContactState::Stick | ContactState::Springs(_)) {
            return sides;
        }
        sides.extend(
            law.breakpoints()
                .iter()
                .filter(|v| **v != 0.0 || modes.contact == ContactState::Free)
                .map(|v| sliding - v > NOISE),
        );
        let mut switches = vec![0.0; law.n_switches()];
        law.switches(Slip { v: sliding, demand, z }, &mut switches);
        sides.extend(switches.iter().map(|x| *x > 0.0));
        if modes.contact == ContactState::Free
            && let Some(hold) = law.friction_bounds(sliding, z)
        {
            let own = demand + hold.shift;
            sides.extend([own > hold.low, own > hold.high]);
        }
        sides
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

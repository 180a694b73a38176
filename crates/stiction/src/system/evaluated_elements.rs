//! Force elements (signals, varying contacts, springs, feedback) prepared for evaluation.
//!
//! A table is read from the piece that the clock was set to, also at the end of that piece: what a jump leads
//! to is seen by whoever sets the clock on.

use super::signal::{TablePiece, Wave};
use super::{CurvedSpring, Feedback, InputSlot, Signal, SlotPlace, System, Threshold, TimeTable};
use crate::math::dense::dot;

/// A signal with the pieces of its tables, each from when on, and the waves that act.
#[derive(Clone, Debug)]
struct EvaluatedSignal {
    signal: Signal,
    pieces: Vec<(f64, TablePiece)>,
    waves: Vec<Wave>,
}

impl EvaluatedSignal {
    fn new(signal: &Signal) -> Self {
        let pieces = signal.pieces(0.0).map(|piece| (0.0, piece)).collect();
        // as many as there can be
        Self { signal: signal.clone(), pieces, waves: signal.waves.clone() }
    }

    fn set(&mut self, t: f64) {
        for (own, piece) in self.pieces.iter_mut().zip(self.signal.pieces(t)) {
            *own = (t, piece);
        }
        self.waves.clear();
        self.waves.extend(self.signal.waves_at(t));
    }

    fn at(&self, t: f64) -> f64 {
        let waves = self.waves.iter().map(|wave| wave.value(t));
        let tables = self.pieces.iter().map(|(since, piece)| piece.at(t - since));
        self.signal.constant + waves.chain(tables).sum::<f64>()
    }

    fn rate(&self, t: f64) -> f64 {
        let waves = self.waves.iter().map(|wave| wave.rate(t));
        waves.chain(self.pieces.iter().map(|(since, piece)| piece.rate(t - since))).sum()
    }

    fn second(&self, t: f64) -> f64 {
        let waves = self.waves.iter().map(|wave| wave.second(t));
        waves.chain(self.pieces.iter().map(|(since, piece)| piece.second(t - since))).sum()
    }
}

/// What varies at a contact.
#[derive(Clone, Debug)]
struct EvaluatedContact {
    contact: usize,
    /// Constant parts of the normal load and of the belt.
    own: [f64; 2],
    load: EvaluatedSignal,
    belt: EvaluatedSignal,
    by_position: Vec<f64>,
    by_velocity: Vec<f64>,
}

/// The force elements of a system, prepared for evaluation.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedElements {
    loads: Vec<(Vec<f64>, EvaluatedSignal)>,
    contacts: Vec<EvaluatedContact>,
    pub feedback: Option<Feedback>,
    inputs: Vec<EvaluatedSignal>,
    /// The thresholds, each with whether it is a spring.
    thresholds: Vec<(Threshold, bool)>,
    /// Polynomial springs, and how their ends move.
    curved: Vec<(CurvedSpring, EvaluatedSignal)>,
    /// How stops move, by their numbers, the rigid ones first.
    stops: Vec<(usize, EvaluatedSignal)>,
    /// Where the first piece of a table ends (s).
    pub end: f64,
}

impl EvaluatedElements {
    /// Those of a system, at t = 0.
    pub fn new(system: &System) -> Self {
        let elements = &system.elements;
        let feedback = elements.feedback.clone();
        let contacts = elements.contacts.iter().map(|varying| {
            let contact = &system.contacts[varying.contact];
            EvaluatedContact {
                contact: varying.contact,
                own: [contact.load, contact.belt],
                load: EvaluatedSignal::new(&varying.load),
                belt: EvaluatedSignal::new(&varying.belt),
                by_position: varying.by_position.clone(),
                by_velocity: varying.by_velocity.clone(),
            }
        });
        let mut parts = Self {
            loads: (elements.loads.iter())
                .map(|load| (load.direction.clone(), EvaluatedSignal::new(&load.signal)))
                .collect(),
            contacts: contacts.collect(),
            inputs: feedback.iter().flat_map(|own| &own.inputs).map(EvaluatedSignal::new).collect(),
            feedback,
            thresholds: (elements.thresholds.iter())
                .map(|threshold| (threshold.clone(), threshold.stiffness().is_some()))
                .collect(),
            curved: (elements.curved.iter())
                .map(|spring| (spring.clone(), EvaluatedSignal::new(&spring.moves)))
                .collect(),
            stops: (elements.stops.iter().map(|stop| &stop.moves))
                .chain(elements.elastic.iter().map(|stop| &stop.moves))
                .enumerate()
                .filter(|(_, moves)| !moves.is_zero())
                .map(|(k, moves)| (k, EvaluatedSignal::new(moves)))
                .collect(),
            end: f64::INFINITY,
        };
        parts.set_clock(0.0);
        parts
    }

    /// The table of an input; the clock has to be set after it has been written.
    pub fn input_table(&mut self, InputSlot { place, table }: InputSlot) -> Option<&mut TimeTable> {
        let signal = match place {
            SlotPlace::Load(k) => self.loads.get_mut(k).map(|load| &mut load.1),
            SlotPlace::NormalLoad(i) => {
                self.contacts.iter_mut().find(|c| c.contact == i).map(|contact| &mut contact.load)
            }
            SlotPlace::Belt(i) => {
                self.contacts.iter_mut().find(|c| c.contact == i).map(|contact| &mut contact.belt)
            }
            SlotPlace::Feedback(j) => self.inputs.get_mut(j),
        };
        signal?.signal.tables.get_mut(table)
    }

    fn signals(&self) -> impl Iterator<Item = &EvaluatedSignal> {
        let loads = self.loads.iter().map(|load| &load.1);
        let contacts = self.contacts.iter().flat_map(|c| [&c.load, &c.belt]);
        let stops = self.stops.iter().map(|stop| &stop.1);
        let springs = self.curved.iter().map(|spring| &spring.1);
        loads.chain(contacts).chain(&self.inputs).chain(stops).chain(springs)
    }

    /// Reads the tables from `t` on.
    pub fn set_clock(&mut self, t: f64) {
        self.loads.iter_mut().for_each(|load| load.1.set(t));
        self.contacts.iter_mut().for_each(|contact| {
            contact.load.set(t);
            contact.belt.set(t);
        });
        self.inputs.iter_mut().for_each(|input| input.set(t));
        self.stops.iter_mut().for_each(|stop| stop.1.set(t));
        self.curved.iter_mut().for_each(|spring| spring.1.set(t));
        let next = |clocked: &EvaluatedSignal| clocked.signal.next_break(t);
        self.end = self.signals().map(next).fold(f64::INFINITY, f64::min);
    }

    /// Number of contacts that vary.
    pub fn n_contacts(&self) -> usize {
        self.contacts.len()
    }

    /// The contact that varies as number `k`; its normal load, which is negative while it is open, its belt,
    /// and the rate of that.
    pub fn contact(&self, k: usize, t: f64, q: &[f64], v: &[f64]) -> (usize, [f64; 3]) {
        let c = &self.contacts[k];
        let load = c.own[0] + c.load.at(t) + dot(&c.by_position, q) + dot(&c.by_velocity, v);
        (c.contact, [load, c.own[1] + c.belt.at(t), c.belt.rate(t)])
    }

    /// Derivatives of the normal load of number `k` by positions and velocities.
    pub fn load_slopes(&self, k: usize) -> (usize, [&[f64]; 2]) {
        let c = &self.contacts[k];
        (c.contact, [&c.by_position, &c.by_velocity])
    }

    /// Adds the loads by signals.
    pub fn add_loads(&self, t: f64, out: &mut [f64]) {
        for (direction, signal) in &self.loads {
            let value = signal.at(t);
            out.iter_mut().zip(direction).for_each(|(out, w)| *out += w * value);
        }
    }

    /// Adds the forces of feedback.
    pub fn add_feedback(&self, t: f64, [q, v, x]: [&[f64]; 3], out: &mut [f64]) {
        let Some(f) = &self.feedback else { return };
        f.f_position.add_product(1.0, q, out);
        f.f_velocity.add_product(1.0, v, out);
        f.f_state.add_product(1.0, x, out);
        for (j, input) in self.inputs.iter().enumerate() {
            let value = input.at(t);
            out.iter_mut().enumerate().for_each(|(i, out)| *out += f.f_input.at(i, j) * value);
        }
    }

    /// ẋ.
    pub fn state_rates(&self, t: f64, [q, v, x]: [&[f64]; 3], out: &mut [f64]) {
        let Some(f) = &self.feedback else { return };
        out.fill(0.0);
        f.b_position.add_product(1.0, q, out);
        f.b_velocity.add_product(1.0, v, out);
        f.a.add_product(1.0, x, out);
        for (j, input) in self.inputs.iter().enumerate() {
            let value = input.at(t);
            out.iter_mut().enumerate().for_each(|(i, out)| *out += f.b_input.at(i, j) * value);
        }
        for (k, (threshold, _)) in self.thresholds.iter().enumerate().filter(|(_, (t, _))| !t.rate.is_empty())
        {
            let excess = self.excess(k, t, [q, v, x]).max(0.0);
            out.iter_mut().zip(&threshold.rate).for_each(|(out, rate)| *out += rate * excess);
        }
    }

    /// Number of thresholds.
    pub fn n_thresholds(&self) -> usize {
        self.thresholds.len()
    }

    /// What a quantity exceeds threshold `k` by; negative below it.
    pub fn excess(&self, k: usize, t: f64, [q, v, x]: [&[f64]; 3]) -> f64 {
        let threshold = &self.thresholds[k].0;
        let inputs = threshold.by_input.iter().zip(&self.inputs);
        let driven: f64 = inputs.filter(|(by, _)| **by != 0.0).map(|(by, input)| by * input.at(t)).sum();
        let moved = dot(&threshold.by_position, q) + dot(&threshold.by_velocity, v);
        moved + dot(&threshold.by_state, x) + driven - threshold.at
    }

    /// Adds the forces beyond the thresholds: of those that are springs, or of the others.
    pub fn add_thresholds(&self, t: f64, state: [&[f64]; 3], springs: bool, out: &mut [f64]) {
        for (k, (threshold, _)) in
            self.thresholds.iter().enumerate().filter(|(_, (_, is_spring))| *is_spring == springs)
        {
            let excess = self.excess(k, t, state).max(0.0);
            out.iter_mut().zip(&threshold.force).for_each(|(out, force)| *out += force * excess);
        }
    }

    /// Adds the forces of polynomial springs.
    pub fn add_curved(&self, t: f64, q: &[f64], out: &mut [f64]) {
        for (spring, moves) in &self.curved {
            let force = spring.force_and_stiffness(q, moves.at(t))[0];
            out.iter_mut().zip(&spring.direction).for_each(|(out, w)| *out -= w * force);
        }
    }

    /// Directions and stiffnesses of polynomial springs.
    pub fn curved(&self, t: f64, q: &[f64]) -> impl Iterator<Item = (&[f64], f64)> {
        let stiffness = move |(spring, moves): &'_ (CurvedSpring, EvaluatedSignal)| {
            spring.force_and_stiffness(q, moves.at(t))[1]
        };
        self.curved.iter().map(move |own| (&own.0.direction[..], stiffness(own)))
    }

    /// Power of what moves the ends of polynomial springs (W).
    pub fn curved_power(&self, t: f64, q: &[f64]) -> f64 {
        let power = |(spring, moves): &(CurvedSpring, EvaluatedSignal)| {
            spring.force_and_stiffness(q, moves.at(t))[0] * moves.rate(t)
        };
        self.curved.iter().map(power).sum()
    }

    /// How stops move at `t`: their numbers; what time adds to the position, its rate and the rate of that.
    pub fn moving_stops(&self, t: f64) -> impl Iterator<Item = (usize, [f64; 3])> {
        self.stops.iter().map(move |(k, moves)| (*k, [moves.at(t), moves.rate(t), moves.second(t)]))
    }

    /// The threshold with number `k` if it is exceeded.
    pub fn exceeded(&self, k: usize, t: f64, state: [&[f64]; 3]) -> Option<&Threshold> {
        (self.excess(k, t, state) > 0.0).then(|| &self.thresholds[k].0)
    }
}

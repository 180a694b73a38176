//! A system of any piecewise-linear kind as rows over one vector.
//!
//! ```text
//!   z = (q, q̇, x, 1, τ, sin(ωₖt + φₖ), cos(ωₖt + φₖ), …),   ż = Â z
//! ```
//!
//! x are the deflections of the springs with sliders, then the states of feedback.
//!
//! Between events everything is linear in z: loads, normal loads, belts, friction forces, reactions, and all that can become
//! an event. A set of modes is a matrix Â and a list of rows. Tables enter by their value and slope at the start of a
//! stretch, and end it at their next point.

use super::super::polyline::ForceLine;
use super::super::prepared::Basis;
use super::super::time::Time;
use super::super::tones::Side;
use crate::Error;
use crate::law::Law;
use crate::math::dense::{Matrix, dot};
use crate::system::{
    Contact, ElasticStop, Inertia, InputSlot, Signal, SlotPlace, System, Threshold, TimeTable, Wave,
};

/// A linear function of z.
pub(super) type ZRow = Vec<f64>;

/// How a contact stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Grip {
    /// Its normal load is zero.
    Open,
    /// On a piece of its law.
    Slide { piece: usize },
    /// At a corner of its law.
    Rest { corner: usize },
}

/// How a spring with a slider stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hitch {
    /// The slider sticks, the spring follows the sliding velocity.
    Sticks,
    /// The slider slides at this end of the spring's range.
    Slides(Side),
}

/// How an elastic stop stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Touch {
    /// Not reached.
    Free,
    /// It presses.
    Presses,
    /// Reached, but its damper would pull.
    Slack,
}

/// Where the parts of z begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartLayout {
    pub n: usize,
    pub n_states: usize,
    pub n_waves: usize,
}

impl PartLayout {
    /// Length of (q, q̇, x).
    pub fn state(&self) -> usize {
        2 * self.n + self.n_states
    }
    pub fn one(&self) -> usize {
        self.state()
    }
    pub fn tau(&self) -> usize {
        self.state() + 1
    }
    pub fn sine(&self, k: usize) -> usize {
        self.state() + 2 + 2 * k
    }
    pub fn len(&self) -> usize {
        self.state() + 2 + 2 * self.n_waves
    }
}

/// A signal whose waves have places in z.
#[derive(Clone, Debug, Default)]
struct PlacedSignal {
    constant: f64,
    waves: Vec<(usize, f64)>,
    tables: Vec<TimeTable>,
}

#[derive(Clone, Debug)]
struct PlacedContact {
    line: ForceLine,
    direction: Vec<f64>,
    load: PlacedSignal,
    by_position: Vec<f64>,
    by_velocity: Vec<f64>,
    belt: PlacedSignal,
}

/// A spring with a slider.
#[derive(Clone, Debug)]
pub(super) struct PlacedSlider {
    pub contact: usize,
    /// Of the spring (N/m).
    stiffness: f64,
    /// Its largest deflection (m).
    pub reach: f64,
    /// Place of its deflection in z.
    pub place: usize,
}

#[derive(Clone, Debug)]
pub(super) struct PlacedStop {
    pub direction: Vec<f64>,
    pub position: f64,
    pub restitution: f64,
}

/// A threshold: what a quantity exceeds it by, without inputs.
#[derive(Clone, Debug)]
pub(super) struct PlacedThreshold {
    row: ZRow,
    by_input: Vec<f64>,
    force: Vec<f64>,
    rate: Vec<f64>,
    is_spring: bool,
}

/// The parts that never change.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub layout: PartLayout,
    inertia: Inertia,
    /// ω and φ of every wave.
    waves: Vec<[f64; 2]>,
    /// Loads, each with its direction.
    loads: Vec<(Vec<f64>, PlacedSignal)>,
    /// How many of them, the last, are given as signals.
    n_signal_loads: usize,
    /// −K q − C q̇ and the feedback, as rows of forces.
    passive: Vec<ZRow>,
    feedback: Vec<ZRow>,
    inputs: Vec<(Vec<f64>, Vec<f64>, PlacedSignal)>,
    /// ẋ without inputs.
    states: Vec<ZRow>,
    contacts: Vec<PlacedContact>,
    pub sliders: Vec<PlacedSlider>,
    pub stops: Vec<PlacedStop>,
    pub elastic: Vec<ElasticStop>,
    pub thresholds: Vec<PlacedThreshold>,
    /// M⁻¹ of the directions of the stops, then of the contacts.
    mobility: Vec<Vec<f64>>,
    /// Their Delassus matrix.
    delassus: Matrix,
    /// Absolute values of M⁻¹.
    compliance: Matrix,
    pub damping: Matrix,
    /// The part of K that has no potential, ½(K − Kᵀ).
    pub circulatory: Matrix,
    fastest_wave: f64,
}

/// How everything stands.
#[derive(Clone, Debug)]
pub(super) struct ModeSet {
    pub grips: Vec<Grip>,
    /// The springs with sliders.
    pub hitches: Vec<Hitch>,
    /// Which stops hold.
    pub holds: Vec<bool>,
    /// The elastic stops.
    pub touches: Vec<Touch>,
    /// Which thresholds are exceeded.
    pub beyond: Vec<bool>,
}

impl ModeSet {
    /// Everything open, free and below its threshold.
    pub fn free(model: &Model) -> Self {
        Self {
            grips: vec![Grip::Open; model.m()],
            hitches: vec![Hitch::Sticks; model.sliders.len()],
            holds: vec![false; model.stops.len()],
            touches: vec![Touch::Free; model.elastic.len()],
            beyond: vec![false; model.thresholds.len()],
        }
    }

    /// The same again, in place.
    pub fn set_free(&mut self) {
        self.grips.fill(Grip::Open);
        self.hitches.fill(Hitch::Sticks);
        self.holds.fill(false);
        self.touches.fill(Touch::Free);
        self.beyond.fill(false);
    }

    /// Takes over other modes without allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.grips.copy_from_slice(&other.grips);
        self.hitches.copy_from_slice(&other.hitches);
        self.holds.copy_from_slice(&other.holds);
        self.touches.copy_from_slice(&other.touches);
        self.beyond.copy_from_slice(&other.beyond);
    }
}

/// What becomes of a guard at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GuardKind {
    /// A sliding contact reaches the end of its piece.
    Corner { contact: usize, side: Side },
    /// A resting contact reaches its limit.
    Limit { contact: usize, side: Side },
    /// The normal load vanishes.
    Opens { contact: usize },
    /// The normal load comes back.
    Lands { contact: usize },
    /// A spring reaches an end of its range.
    Yields { slider: usize, side: Side },
    /// The sliding velocity under a sliding slider vanishes.
    Catches { slider: usize },
    /// A stop is reached.
    Hits { stop: usize },
    /// A stop would have to pull.
    Releases { stop: usize },
    /// An elastic stop begins to press.
    Presses { stop: usize },
    /// The damper of an elastic stop would have to pull.
    Slackens { stop: usize },
    /// An elastic stop is left.
    Leaves { stop: usize },
    /// A threshold is passed.
    Crosses { threshold: usize, upwards: bool },
}

/// A row that is positive until its event.
#[derive(Debug)]
pub(super) struct GuardRow {
    pub row: ZRow,
    /// Size of the constants that the row is the sum of, and of those of its rate (1/s): what cancels leaves its rounding.
    pub sizes: [f64; 2],
    pub kind: GuardKind,
}

impl Clone for GuardRow {
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), ..*self }
    }
    fn clone_from(&mut self, other: &Self) {
        self.row.clone_from(&other.row);
        (self.sizes, self.kind) = (other.sizes, other.kind);
    }
}

/// Rows of a former regime, to be filled again without allocation.
#[derive(Debug, Default)]
struct RowPool {
    spare: Vec<ZRow>,
    /// Length of a row.
    length: usize,
}

impl RowPool {
    fn zeros(&mut self) -> ZRow {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.resize(self.length, 0.0);
        row
    }
    fn copy(&mut self, other: &[f64]) -> ZRow {
        self.scaled(other, 1.0)
    }
    fn scaled(&mut self, other: &[f64], scale: f64) -> ZRow {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.extend(other.iter().map(|x| scale * x));
        row
    }
}

/// The system under one set of modes, from some time on.
#[derive(Debug, Default)]
pub(super) struct Regime {
    pub matrix: Matrix,
    pub normal: Vec<ZRow>,
    pub sliding: Vec<ZRow>,
    pub belt: Vec<ZRow>,
    pub force: Vec<ZRow>,
    /// External loads and feedback on each degree of freedom.
    pub external: Vec<ZRow>,
    pub feedback: Vec<ZRow>,
    pub guards: Vec<GuardRow>,
    /// Force of each elastic stop against its direction, while it presses.
    pub elastic: Vec<ZRow>,
    /// Size of the constant parts of the acceleration of each degree of freedom, before they cancel.
    pub constants: Vec<f64>,
    /// The same of the normal load of each contact.
    pub loads: Vec<f64>,
    /// Bound on the rates (1/s).
    pub rate: f64,
    pool: RowPool,
}

impl Clone for Regime {
    fn clone(&self) -> Self {
        let mut other = Self::default();
        other.clone_from(self);
        other
    }
    fn clone_from(&mut self, other: &Self) {
        (self.matrix.n_rows, self.matrix.n_cols) = (other.matrix.n_rows, other.matrix.n_cols);
        self.matrix.data.clone_from(&other.matrix.data);
        self.normal.clone_from(&other.normal);
        self.sliding.clone_from(&other.sliding);
        self.belt.clone_from(&other.belt);
        self.force.clone_from(&other.force);
        self.external.clone_from(&other.external);
        self.feedback.clone_from(&other.feedback);
        self.guards.clone_from(&other.guards);
        self.elastic.clone_from(&other.elastic);
        self.constants.clone_from(&other.constants);
        self.loads.clone_from(&other.loads);
        self.rate = other.rate;
    }
}

impl Regime {
    /// Clears everything that is made of rows, and keeps the rows.
    fn recycle(&mut self, length: usize) -> RowPool {
        let mut pool = std::mem::take(&mut self.pool);
        pool.length = length;
        let Self { normal, sliding, belt, force, external, feedback, elastic, guards, .. } = self;
        for rows in [normal, sliding, belt, force, external, feedback, elastic] {
            pool.spare.append(rows);
        }
        pool.spare.extend(guards.drain(..).map(|guard| guard.row));
        pool
    }
}

impl Model {
    pub fn new(system: &System) -> Result<Self, Error> {
        let (n, m) = (system.n(), system.contacts.len());
        let inertia = Inertia::new(&system.mass).ok_or(Error::NotPositiveDefinite)?;
        let wider = &system.wider;
        let feedback = wider.feedback.clone().unwrap_or_else(|| crate::system::Feedback::none(n, 0, 0));
        let mut waves: Vec<[f64; 2]> = Vec::new();
        let mut place = |wave: &Wave| {
            let key = [wave.omega, wave.phase];
            let known = waves.iter().position(|known| *known == key);
            known.unwrap_or_else(|| {
                waves.push(key);
                waves.len() - 1
            })
        };
        let mut placed = |signal: &Signal| PlacedSignal {
            constant: signal.constant,
            waves: signal.waves.iter().map(|wave| (place(wave), wave.amplitude)).collect(),
            tables: signal.tables.clone(),
        };
        let mut loads: Vec<(Vec<f64>, PlacedSignal)> = Vec::new();
        for k in 0..n {
            if system.constant[k] != 0.0 {
                loads.push((unit(n, k), placed(&system.constant[k].into())));
            }
        }
        for harmonic in &system.harmonics {
            let wave = Wave { amplitude: 1.0, omega: harmonic.omega, phase: harmonic.phase };
            let signal = Signal { waves: vec![wave], ..Signal::default() };
            loads.push((harmonic.amplitude.clone(), placed(&signal)));
        }
        loads.extend(wider.loads.iter().map(|load| (load.direction.clone(), placed(&load.signal))));
        let mut contacts = Vec::with_capacity(m);
        let mut sliders: Vec<PlacedSlider> = Vec::new();
        for (i, contact) in system.contacts.iter().enumerate() {
            let law = contact.friction.law.name();
            let line = ForceLine::new(&Contact { load: 1.0, ..contact.clone() })
                .ok_or(Error::NotPiecewiseLinear { contact: i, law })?;
            let varying = wider.contacts.iter().find(|varying| varying.contact == i);
            let [mut load, mut belt] = match varying {
                Some(varying) => [varying.load.clone(), varying.belt.clone()],
                None => [Signal::default(), Signal::default()],
            };
            load.constant += contact.load;
            belt.constant += contact.belt;
            let rest = vec![0.0; n];
            let (by_position, by_velocity) =
                varying.map_or((rest.clone(), rest), |v| (v.by_position.clone(), v.by_velocity.clone()));
            let varies = !load.is_constant() || by_position.iter().chain(&by_velocity).any(|x| *x != 0.0);
            let springs = contact.friction.law.sliders().unwrap_or_default();
            if varies && (!springs.is_empty() || line.pieces.iter().any(|piece| piece.slope != 0.0)) {
                return Err(Error::LoadTimesSlope { contact: i, law });
            }
            for slider in springs {
                let place = 2 * n + sliders.len();
                let (stiffness, reach) = (contact.load * slider.stiffness, slider.reach());
                sliders.push(PlacedSlider { contact: i, stiffness, reach, place });
            }
            contacts.push(PlacedContact {
                line,
                direction: contact.direction.clone(),
                load: placed(&load),
                by_position,
                by_velocity,
                belt: placed(&belt),
            });
        }
        let stops: Vec<PlacedStop> = (wider.stops.iter())
            .map(|stop| PlacedStop {
                direction: stop.direction.clone(),
                position: stop.position,
                restitution: stop.restitution,
            })
            .collect();
        let column =
            |matrix: &Matrix, j: usize| (0..matrix.n_rows).map(|i| matrix.at(i, j)).collect::<Vec<_>>();
        let inputs: Vec<_> = (feedback.inputs.iter().enumerate())
            .map(|(j, input)| (column(&feedback.f_input, j), column(&feedback.b_input, j), placed(input)))
            .collect();
        let p = feedback.initial.len();
        let layout = PartLayout { n, n_states: p + sliders.len(), n_waves: waves.len() };
        let springs = vec![0.0; sliders.len()];
        let rows = |[by_position, by_velocity, by_state]: [&Matrix; 3], scale: f64| -> Vec<ZRow> {
            let row = |i: usize| {
                let parts = [by_position.row(i), by_velocity.row(i), &springs, by_state.row(i)];
                let mut row: ZRow = parts.concat().iter().map(|x| scale * x).collect();
                row.resize(layout.len(), 0.0);
                row
            };
            (0..by_position.n_rows).map(row).collect()
        };
        let placed_threshold = |threshold: &Threshold| {
            let Threshold { by_position, by_velocity, by_state, by_input, at, force, rate } = threshold;
            let mut row = [&by_position[..], by_velocity, &springs, by_state].concat();
            row.resize(layout.len(), 0.0);
            row[layout.one()] = -at;
            PlacedThreshold {
                row,
                by_input: by_input.clone(),
                force: force.clone(),
                rate: rate.clone(),
                is_spring: threshold.stiffness().is_some(),
            }
        };
        let thresholds = wider.thresholds.iter().map(placed_threshold).collect();
        let none = Matrix::zeros(n, p);
        let directions: Vec<&[f64]> = (stops.iter().map(|stop| &stop.direction[..]))
            .chain(contacts.iter().map(|contact| &contact.direction[..]))
            .collect();
        let mobility: Vec<Vec<f64>> = (directions.iter())
            .map(|direction| {
                let mut x = direction.to_vec();
                inertia.solve(&mut x);
                x
            })
            .collect();
        let mut delassus = Matrix::zeros(directions.len(), directions.len());
        for (i, direction) in directions.iter().enumerate() {
            for (j, mobility) in mobility.iter().enumerate() {
                *delassus.at_mut(i, j) = dot(direction, mobility);
            }
        }
        // contacts that rest together must not hold each other: how they share a load would not be determined
        let mut basis = Basis::default();
        basis.clear();
        let mut resting = (0..m).filter(|i| !contacts[*i].line.corners.is_empty());
        if let Some(contact) = resting.find(|i| !basis.add(&delassus, stops.len() + i)) {
            return Err(Error::RedundantContact { contact });
        }
        let mut compliance = Matrix::zeros(n, n);
        for j in 0..n {
            let mut column = unit(n, j);
            inertia.solve(&mut column);
            (0..n).for_each(|i| *compliance.at_mut(i, j) = column[i].abs());
        }
        let mut circulatory = Matrix::zeros(n, n);
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            *circulatory.at_mut(i, j) = 0.5 * (system.stiffness.at(i, j) - system.stiffness.at(j, i));
        }
        Ok(Self {
            layout,
            inertia,
            fastest_wave: waves.iter().map(|wave| wave[0]).fold(0.0, f64::max),
            waves,
            loads,
            n_signal_loads: wider.loads.len(),
            passive: rows([&system.stiffness, &system.damping, &none], -1.0),
            feedback: rows([&feedback.f_position, &feedback.f_velocity, &feedback.f_state], 1.0),
            inputs,
            states: rows([&feedback.b_position, &feedback.b_velocity, &feedback.a], 1.0),
            contacts,
            sliders,
            stops,
            elastic: wider.elastic.clone(),
            thresholds,
            mobility,
            delassus,
            compliance,
            damping: system.damping.clone(),
            circulatory,
        })
    }

    /// Number of contacts.
    pub fn m(&self) -> usize {
        self.contacts.len()
    }

    pub fn line(&self, i: usize) -> &ForceLine {
        &self.contacts[i].line
    }

    /// M⁻¹ of the direction of a stop.
    pub fn stop_mobility(&self, k: usize) -> &[f64] {
        &self.mobility[k]
    }

    /// w·M⁻¹w of a contact.
    pub fn contact_compliance(&self, i: usize) -> f64 {
        let own = self.stops.len() + i;
        self.delassus.at(own, own)
    }

    /// n·M⁻¹n of a stop.
    pub fn stop_compliance(&self, k: usize) -> f64 {
        self.delassus.at(k, k)
    }

    /// The next point of a table after `t` (s).
    pub fn next_break(&self, t: f64) -> f64 {
        let next = |signal: &PlacedSignal| {
            signal.tables.iter().map(|table| table.next_break(t)).fold(f64::INFINITY, f64::min)
        };
        let loads = self.loads.iter().map(|load| next(&load.1));
        let inputs = self.inputs.iter().map(|input| next(&input.2));
        let contacts = self.contacts.iter().flat_map(|contact| [next(&contact.load), next(&contact.belt)]);
        loads.chain(inputs).chain(contacts).fold(f64::INFINITY, f64::min)
    }

    /// The table of an input.
    pub fn input_table(&mut self, InputSlot { place, table }: InputSlot) -> Option<&mut TimeTable> {
        let signal = match place {
            SlotPlace::Load(k) => {
                // after the constant and harmonic loads
                let first = self.loads.len() - self.n_signal_loads;
                self.loads.get_mut(first + k).map(|load| &mut load.1)
            }
            SlotPlace::NormalLoad(i) => self.contacts.get_mut(i).map(|contact| &mut contact.load),
            SlotPlace::Belt(i) => self.contacts.get_mut(i).map(|contact| &mut contact.belt),
            SlotPlace::Feedback(j) => self.inputs.get_mut(j).map(|input| &mut input.2),
        };
        signal?.tables.get_mut(table)
    }

    /// Whether any table stands in the model.
    pub fn has_tables(&self) -> bool {
        self.loads.iter().any(|load| !load.1.tables.is_empty())
            || self.inputs.iter().any(|input| !input.2.tables.is_empty())
            || (self.contacts.iter()).any(|c| !c.load.tables.is_empty() || !c.belt.tables.is_empty())
    }

    /// The parts of z that the clock sets.
    pub fn set_clock(&self, start: Time, z: &mut [f64]) {
        let layout = &self.layout;
        z[layout.one()] = 1.0;
        z[layout.tau()] = 0.0;
        for (k, [omega, phase]) in self.waves.iter().enumerate() {
            let (sine, cosine) = libm::sincos(start.angle(*omega, *phase));
            (z[layout.sine(k)], z[layout.sine(k) + 1]) = (sine, cosine);
        }
    }

    /// Adds `scale` times a signal from `t` on to a row.
    fn add_signal(&self, signal: &PlacedSignal, t: f64, scale: f64, row: &mut [f64]) {
        let layout = &self.layout;
        row[layout.one()] += scale * signal.constant;
        for &(k, amplitude) in &signal.waves {
            row[layout.sine(k)] += scale * amplitude;
        }
        for table in &signal.tables {
            let piece = table.piece(t);
            row[layout.one()] += scale * piece.value;
            row[layout.tau()] += scale * piece.slope;
        }
    }

    /// Size of the constant parts of a signal from `t` on.
    fn constant_size(signal: &PlacedSignal, t: f64) -> f64 {
        signal.constant.abs() + signal.tables.iter().map(|table| table.piece(t).value.abs()).sum::<f64>()
    }

    /// Notes the sizes of the constant parts of accelerations and normal loads.
    fn add_constants(&self, t: f64, ModeSet { grips, touches, beyond, .. }: &ModeSet, out: &mut Regime) {
        let mut forces = vec![0.0; self.layout.n];
        let mut add_size = |direction: &[f64], size: f64| {
            forces.iter_mut().zip(direction).for_each(|(force, w)| *force += w.abs() * size);
        };
        self.loads.iter().for_each(|(w, signal)| add_size(w, Self::constant_size(signal, t)));
        self.inputs.iter().for_each(|(w, _, signal)| add_size(w, Self::constant_size(signal, t)));
        for (stop, _) in self.elastic.iter().zip(touches).filter(|(_, touch)| **touch == Touch::Presses) {
            add_size(&stop.direction, stop.stiffness * stop.position.abs());
        }
        for (k, threshold) in self.thresholds.iter().enumerate().filter(|(k, _)| beyond[*k]) {
            add_size(&threshold.force, self.threshold_size(k, t));
        }
        out.loads.clear();
        for (contact, grip) in self.contacts.iter().zip(grips) {
            let load = Self::constant_size(&contact.load, t);
            out.loads.push(load);
            if let Grip::Slide { piece } = *grip {
                add_size(&contact.direction, contact.line.pieces[piece].force.abs() * load);
            }
        }
        out.constants.clear();
        out.constants.extend((0..self.layout.n).map(|i| dot(self.compliance.row(i), &forces)));
    }

    /// The derivative of a row of signals alone.
    fn rate_of(&self, row: &[f64], pool: &mut RowPool) -> ZRow {
        let layout = &self.layout;
        let mut rate = pool.zeros();
        rate[layout.one()] = row[layout.tau()];
        for (k, [omega, _]) in self.waves.iter().enumerate() {
            rate[layout.sine(k) + 1] = omega * row[layout.sine(k)];
            rate[layout.sine(k)] = -omega * row[layout.sine(k) + 1];
        }
        rate
    }

    /// Sliding velocity and normal load of contact `i` from `t` on, and its belt.
    fn contact_rows(&self, i: usize, t: f64, pool: &mut RowPool) -> [ZRow; 3] {
        let (contact, n) = (&self.contacts[i], self.layout.n);
        let [mut sliding, mut normal, mut belt] = [pool.zeros(), pool.zeros(), pool.zeros()];
        self.add_signal(&contact.load, t, 1.0, &mut normal);
        normal[..n].copy_from_slice(&contact.by_position);
        normal[n..2 * n].copy_from_slice(&contact.by_velocity);
        self.add_signal(&contact.belt, t, 1.0, &mut belt);
        sliding.iter_mut().zip(&belt).for_each(|(s, b)| *s = -b);
        sliding[n..2 * n].copy_from_slice(&contact.direction);
        [sliding, normal, belt]
    }

    /// The system under these modes from `t` on. The basis lists the constraints: stops, then contacts.
    pub fn regime(&self, t: f64, modes: &ModeSet, basis: &mut Basis, out: &mut Regime) {
        let ModeSet { grips, hitches, touches, beyond, .. } = modes;
        let layout = self.layout;
        let (n, d) = (layout.n, layout.len());
        let mut pool = out.recycle(d);
        let mut row = pool.zeros();
        out.external.extend((0..n).map(|_| pool.zeros()));
        for (direction, signal) in &self.loads {
            row.fill(0.0);
            self.add_signal(signal, t, 1.0, &mut row);
            out.external.iter_mut().zip(direction).for_each(|(out, w)| add(*w, &row, out));
        }
        out.feedback.extend(self.feedback.iter().map(|row| pool.copy(row)));
        let mut states: Vec<ZRow> = self.states.iter().map(|row| pool.copy(row)).collect();
        for (force, rate, signal) in &self.inputs {
            row.fill(0.0);
            self.add_signal(signal, t, 1.0, &mut row);
            out.feedback.iter_mut().zip(force).for_each(|(out, w)| add(*w, &row, out));
            states.iter_mut().zip(rate).for_each(|(out, w)| add(*w, &row, out));
        }
        let mut balance: Vec<ZRow> = self.passive.iter().map(|row| pool.copy(row)).collect();
        for (k, threshold) in self.thresholds.iter().enumerate().filter(|(k, _)| beyond[*k]) {
            self.set_threshold_row(k, t, &mut row);
            // the energy of a spring is kept, feedback does work
            let forces = if threshold.is_spring { &mut balance } else { &mut out.feedback };
            forces.iter_mut().zip(&threshold.force).for_each(|(out, force)| add(*force, &row, out));
            states.iter_mut().zip(&threshold.rate).for_each(|(out, rate)| add(*rate, &row, out));
        }
        for (row, (external, feedback)) in balance.iter_mut().zip(out.external.iter().zip(&out.feedback)) {
            add(1.0, external, row);
            add(1.0, feedback, row);
        }
        for (stop, touch) in self.elastic.iter().zip(touches) {
            let mut force = pool.zeros();
            self.set_elastic_rows(stop, [&mut row, &mut force]);
            if *touch == Touch::Presses {
                balance.iter_mut().zip(&stop.direction).for_each(|(row, w)| add(-w, &force, row));
            }
            out.elastic.push(force);
        }
        for (i, grip) in grips.iter().enumerate() {
            let [sliding, normal, belt] = self.contact_rows(i, t, &mut pool);
            let mut force = pool.zeros();
            if let Grip::Slide { piece } = *grip {
                let piece = self.contacts[i].line.pieces[piece];
                add(piece.force, &normal, &mut force);
                // a slope only stands beside a constant load
                add(piece.slope * normal[layout.one()], &sliding, &mut force);
                for slider in self.sliders.iter().filter(|slider| slider.contact == i) {
                    force[slider.place] = slider.stiffness;
                }
                let direction = &self.contacts[i].direction;
                balance.iter_mut().zip(direction).for_each(|(row, w)| add(-w, &force, row));
            }
            out.sliding.push(sliding);
            out.normal.push(normal);
            out.belt.push(belt);
            out.force.push(force);
        }
        // accelerations: M⁻¹ of every column
        let mut column = vec![0.0; n];
        for k in 0..d {
            column.iter_mut().zip(&balance).for_each(|(x, row)| *x = row[k]);
            self.inertia.solve(&mut column);
            balance.iter_mut().zip(&column).for_each(|(row, x)| row[k] = *x);
        }
        let mut acceleration = balance;
        self.add_constants(t, modes, out);
        let reactions = self.constrain(modes, &out.belt, basis, &mut acceleration, &mut pool);
        for (a, &c) in basis.members.iter().enumerate() {
            match c.checked_sub(self.stops.len()) {
                Some(i) => out.force[i].copy_from_slice(&reactions[a]),
                None => {
                    let sizes = [self.along(&self.stops[c].direction, out) / self.delassus.at(c, c), 0.0];
                    let kind = GuardKind::Releases { stop: c };
                    out.guards.push(GuardRow { row: pool.copy(&reactions[a]), sizes, kind });
                }
            }
        }
        self.add_guards(modes, basis, out, &mut pool);
        self.add_elastic_guards(touches, out, &mut pool);
        self.add_threshold_guards(t, beyond, out, &mut pool);
        (out.matrix.n_rows, out.matrix.n_cols) = (d, d);
        out.matrix.data.clear();
        out.matrix.data.resize(d * d, 0.0);
        for (k, row) in acceleration.iter().enumerate() {
            *out.matrix.at_mut(k, n + k) = 1.0;
            out.matrix.data[(n + k) * d..(n + k + 1) * d].copy_from_slice(row);
        }
        for (k, row) in states.iter().enumerate() {
            let place = 2 * n + self.sliders.len() + k;
            out.matrix.data[place * d..(place + 1) * d].copy_from_slice(row);
        }
        for (slider, hitch) in self.sliders.iter().zip(hitches) {
            if *hitch == Hitch::Sticks && slider.reach > 0.0 {
                out.matrix.data[slider.place * d..][..d].copy_from_slice(&out.sliding[slider.contact]);
            }
        }
        *out.matrix.at_mut(layout.tau(), layout.one()) = 1.0;
        for (k, [omega, _]) in self.waves.iter().enumerate() {
            *out.matrix.at_mut(layout.sine(k), layout.sine(k) + 1) = *omega;
            *out.matrix.at_mut(layout.sine(k) + 1, layout.sine(k)) = -omega;
        }
        out.rate = rate(&out.matrix, layout.state()).max(self.fastest_wave);
        pool.spare.extend(acceleration.into_iter().chain(states).chain(reactions).chain([row]));
        out.pool = pool;
    }

    /// Size of the constant part of an acceleration along a direction.
    fn along(&self, direction: &[f64], regime: &Regime) -> f64 {
        direction.iter().zip(&regime.constants).map(|(w, size)| w.abs() * size).sum()
    }

    /// Takes the constraints into the accelerations; returns the reaction of each member of the basis.
    fn constrain(
        &self,
        ModeSet { grips, holds, .. }: &ModeSet,
        belts: &[ZRow],
        basis: &mut Basis,
        acceleration: &mut [ZRow],
        pool: &mut RowPool,
    ) -> Vec<ZRow> {
        let (d, k) = (self.layout.len(), self.stops.len());
        basis.clear();
        for (stop, _) in holds.iter().enumerate().filter(|(_, holds)| **holds) {
            basis.add(&self.delassus, stop);
        }
        for (i, _) in grips.iter().enumerate().filter(|(_, grip)| matches!(grip, Grip::Rest { .. })) {
            basis.add(&self.delassus, k + i);
        }
        let mut reactions: Vec<ZRow> = Vec::new();
        for &c in &basis.members {
            let direction =
                c.checked_sub(k).map_or_else(|| &self.stops[c].direction, |i| &self.contacts[i].direction);
            let mut row = match c.checked_sub(k) {
                None => pool.zeros(),
                Some(i) => self.rate_of(&belts[i], pool),
            };
            row.iter_mut().for_each(|x| *x = -*x);
            acceleration.iter().zip(direction).for_each(|(a, w)| add(*w, a, &mut row));
            reactions.push(row);
        }
        let mut column = vec![0.0; basis.members.len()];
        for j in 0..d {
            column.iter_mut().zip(&reactions).for_each(|(x, row)| *x = row[j]);
            basis.solve(&mut column);
            reactions.iter_mut().zip(&column).for_each(|(row, x)| row[j] = *x);
        }
        // what the reactions take away leaves its rounding, by which a contact at rest would creep
        let mut size = pool.zeros();
        for (k, row) in acceleration.iter_mut().enumerate() {
            size.iter_mut().zip(row.iter()).for_each(|(size, a)| *size = a.abs());
            for (&c, reaction) in basis.members.iter().zip(&reactions) {
                let w = self.mobility[c][k];
                add(-w, reaction, row);
                size.iter_mut().zip(reaction).for_each(|(size, x)| *size += (w * x).abs());
            }
            row.iter_mut()
                .zip(&size)
                .filter(|(a, size)| a.abs() <= CANCELLED * **size)
                .for_each(|(a, _)| *a = 0.0);
        }
        pool.spare.push(size);
        reactions
    }

    fn add_guards(&self, modes: &ModeSet, basis: &Basis, out: &mut Regime, pool: &mut RowPool) {
        let ModeSet { grips, hitches, holds, .. } = modes;
        let one = self.layout.one();
        for (i, grip) in grips.iter().enumerate() {
            let corners = &self.contacts[i].line.corners;
            let moved = self.along(&self.contacts[i].direction, out);
            let load = out.loads[i];
            let varies = out.normal[i].iter().enumerate().any(|(k, x)| k != one && *x != 0.0);
            match *grip {
                Grip::Open => {
                    let row = pool.scaled(&out.normal[i], -1.0);
                    out.guards.push(GuardRow {
                        row,
                        sizes: [load, 0.0],
                        kind: GuardKind::Lands { contact: i },
                    });
                    continue;
                }
                Grip::Slide { piece } => {
                    for (side, corner) in [(Side::Low, piece.checked_sub(1)), (Side::High, Some(piece))] {
                        let Some(corner) = corner.and_then(|corner| corners.get(corner)) else { continue };
                        let sign = if side == Side::High { -1.0 } else { 1.0 };
                        let mut row = pool.scaled(&out.sliding[i], sign);
                        row[one] -= sign * corner.v;
                        let sizes = [corner.v.abs(), moved];
                        out.guards.push(GuardRow {
                            row,
                            sizes,
                            kind: GuardKind::Corner { contact: i, side },
                        });
                    }
                }
                Grip::Rest { corner } if basis.members.contains(&(self.stops.len() + i)) => {
                    let corner = corners[corner];
                    for (side, limit) in [(Side::Low, corner.low), (Side::High, corner.high)] {
                        let sign = if side == Side::High { -1.0 } else { 1.0 };
                        let mut row = pool.scaled(&out.force[i], sign);
                        add(-sign * limit, &out.normal[i], &mut row);
                        let own = self.stops.len() + i;
                        let sizes = [limit.abs() * load + moved / self.delassus.at(own, own), 0.0];
                        out.guards.push(GuardRow { row, sizes, kind: GuardKind::Limit { contact: i, side } });
                    }
                }
                // a stop holds it in place
                Grip::Rest { .. } => {}
            }
            if varies {
                let row = pool.copy(&out.normal[i]);
                out.guards.push(GuardRow { row, sizes: [load, 0.0], kind: GuardKind::Opens { contact: i } });
            }
        }
        for (k, (slider, hitch)) in self.sliders.iter().zip(hitches).enumerate() {
            // without friction the slider slides for ever
            if slider.reach == 0.0 {
                continue;
            }
            match *hitch {
                Hitch::Sticks => {
                    for side in [Side::Low, Side::High] {
                        let mut row = pool.zeros();
                        row[slider.place] = if side == Side::High { -1.0 } else { 1.0 };
                        row[one] = slider.reach;
                        out.guards.push(GuardRow {
                            row,
                            sizes: [0.0; 2],
                            kind: GuardKind::Yields { slider: k, side },
                        });
                    }
                }
                Hitch::Slides(side) => {
                    let sign = if side == Side::High { 1.0 } else { -1.0 };
                    let row = pool.scaled(&out.sliding[slider.contact], sign);
                    out.guards.push(GuardRow {
                        row,
                        sizes: [0.0; 2],
                        kind: GuardKind::Catches { slider: k },
                    });
                }
            }
        }
        for (k, stop) in self.stops.iter().enumerate().filter(|(k, _)| !holds[*k]) {
            let mut row = pool.zeros();
            row.iter_mut().zip(&stop.direction).for_each(|(x, w)| *x = -w);
            row[one] = stop.position;
            let sizes = [stop.position.abs(), 0.0];
            out.guards.push(GuardRow { row, sizes, kind: GuardKind::Hits { stop: k } });
        }
    }

    /// What a quantity exceeds threshold `k` by, from `t` on.
    pub fn set_threshold_row(&self, k: usize, t: f64, row: &mut ZRow) {
        let threshold = &self.thresholds[k];
        row.clone_from(&threshold.row);
        for (by, (_, _, input)) in threshold.by_input.iter().zip(&self.inputs) {
            if *by != 0.0 {
                self.add_signal(input, t, *by, row);
            }
        }
    }

    /// Size of the constants that the row of a threshold is the sum of.
    fn threshold_size(&self, k: usize, t: f64) -> f64 {
        let threshold = &self.thresholds[k];
        let inputs = threshold.by_input.iter().zip(&self.inputs);
        let own = threshold.row[self.layout.one()].abs();
        own + inputs.map(|(by, input)| by.abs() * Self::constant_size(&input.2, t)).sum::<f64>()
    }

    fn add_threshold_guards(&self, t: f64, beyond: &[bool], out: &mut Regime, pool: &mut RowPool) {
        for (k, is_beyond) in beyond.iter().enumerate() {
            let mut row = pool.zeros();
            self.set_threshold_row(k, t, &mut row);
            if !is_beyond {
                row.iter_mut().for_each(|x| *x = -*x);
            }
            let kind = GuardKind::Crosses { threshold: k, upwards: !is_beyond };
            let moved = self.along(&self.thresholds[k].row[self.layout.n..2 * self.layout.n], out);
            out.guards.push(GuardRow { row, sizes: [self.threshold_size(k, t), moved], kind });
        }
    }

    /// Depth and force of an elastic stop.
    pub fn elastic_rows(&self, stop: &ElasticStop) -> [ZRow; 2] {
        let [mut depth, mut force] = [vec![0.0; self.layout.len()], vec![0.0; self.layout.len()]];
        self.set_elastic_rows(stop, [&mut depth, &mut force]);
        [depth, force]
    }

    fn set_elastic_rows(&self, stop: &ElasticStop, [depth, force]: [&mut ZRow; 2]) {
        let (n, one) = (self.layout.n, self.layout.one());
        depth.fill(0.0);
        depth[..n].copy_from_slice(&stop.direction);
        depth[one] = -stop.position;
        force.iter_mut().zip(depth.iter()).for_each(|(force, x)| *force = stop.stiffness * x);
        force[n..2 * n].iter_mut().zip(&stop.direction).for_each(|(x, w)| *x = stop.damping * w);
    }

    fn add_elastic_guards(&self, touches: &[Touch], out: &mut Regime, pool: &mut RowPool) {
        for (k, (stop, touch)) in self.elastic.iter().zip(touches).enumerate() {
            let [mut depth, mut force] = [pool.zeros(), pool.zeros()];
            self.set_elastic_rows(stop, [&mut depth, &mut force]);
            let mut push = |row, kind| out.guards.push(GuardRow { row, sizes: [0.0; 2], kind });
            match touch {
                Touch::Free => push(pool.scaled(&depth, -1.0), GuardKind::Presses { stop: k }),
                Touch::Presses if stop.damping == 0.0 => {
                    push(pool.copy(&depth), GuardKind::Leaves { stop: k });
                }
                Touch::Presses => push(pool.copy(&force), GuardKind::Slackens { stop: k }),
                Touch::Slack => {
                    push(pool.scaled(&force, -1.0), GuardKind::Presses { stop: k });
                    push(pool.copy(&depth), GuardKind::Leaves { stop: k });
                }
            }
            pool.spare.extend([depth, force]);
        }
    }

    /// Takes the last rounding out of the velocities that the constraints set.
    pub fn project(&self, regime: &Regime, grips: &[Grip], basis: &Basis, z: &mut [f64]) {
        let (n, k) = (self.layout.n, self.stops.len());
        let mut off: Vec<f64> = (basis.members.iter())
            .map(|&c| match c.checked_sub(k) {
                None => dot(&self.stops[c].direction, &z[n..2 * n]),
                Some(i) => {
                    let Grip::Rest { corner } = grips[i] else { return 0.0 };
                    dot(&regime.sliding[i], z) - self.contacts[i].line.corners[corner].v
                }
            })
            .collect();
        basis.solve(&mut off);
        for (&c, off) in basis.members.iter().zip(&off) {
            z[n..2 * n].iter_mut().zip(&self.mobility[c]).for_each(|(v, w)| *v -= w * off);
        }
        // the rounding of what rests is halved from stretch to stretch: it would tell of energies that are none
        z[n..2 * n].iter_mut().filter(|v| v.abs() < NO_MOTION).for_each(|v| *v = 0.0);
    }
}

impl Model {
    /// Takes out of a difference what the constraints hold: sliding velocities, and the positions of stops.
    pub fn project_difference(&self, basis: &Basis, x: &mut [f64]) {
        let (n, k) = (self.layout.n, self.stops.len());
        for part in [0..n, n..2 * n] {
            let mut off: Vec<f64> = (basis.members.iter())
                .map(|&c| match c.checked_sub(k) {
                    None => dot(&self.stops[c].direction, &x[part.clone()]),
                    Some(_) if part.start == 0 => 0.0,
                    Some(i) => dot(&self.contacts[i].direction, &x[part.clone()]),
                })
                .collect();
            basis.solve(&mut off);
            for (&c, off) in basis.members.iter().zip(&off) {
                x[part.clone()].iter_mut().zip(&self.mobility[c]).for_each(|(x, w)| *x -= w * off);
            }
        }
    }
}

fn unit(n: usize, k: usize) -> Vec<f64> {
    let mut x = vec![0.0; n];
    x[k] = 1.0;
    x
}

/// out += scale · row.
#[inline]
pub(super) fn add(scale: f64, row: &[f64], out: &mut [f64]) {
    if scale != 0.0 {
        out.iter_mut().zip(row).for_each(|(out, x)| *out += scale * x);
    }
}

/// A sum that is smaller than this part of its terms is their rounding.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

/// A velocity whose square is not a normal number is none (m/s).
const NO_MOTION: f64 = 1e-154;

/// Sweeps over all rows and columns while balancing.
const SWEEPS: usize = 8;

/// A bound on the norm of the leading block of `size` rows, in scales that are made to make it small (@osborne1960).
fn rate(matrix: &Matrix, size: usize) -> f64 {
    let mut a: Vec<f64> = (0..size).flat_map(|i| &matrix.row(i)[..size]).map(|x| x.abs()).collect();
    for _ in 0..SWEEPS {
        for k in 0..size {
            let row: f64 = (0..size).filter(|j| *j != k).map(|j| a[k * size + j]).sum();
            let column: f64 = (0..size).filter(|i| *i != k).map(|i| a[i * size + k]).sum();
            if row > 0.0 && column > 0.0 {
                let scale = (row / column).sqrt();
                a[k * size..(k + 1) * size].iter_mut().for_each(|x| *x /= scale);
                a[k..].iter_mut().step_by(size).for_each(|x| *x *= scale);
            }
        }
    }
    let rows = (0..size).map(|i| a[i * size..(i + 1) * size].iter().sum::<f64>()).fold(0.0, f64::max);
    let columns = (0..size).map(|j| a[j..].iter().step_by(size).sum::<f64>()).fold(0.0, f64::max);
    rows.min(columns)
}

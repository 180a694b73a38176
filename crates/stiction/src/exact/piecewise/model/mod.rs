//! A system of any piecewise-linear kind as rows over one vector.
//!
//! ```text
//!   z = (q, q̇, x, 1, τ, sin(ωₖt + φₖ), cos(ωₖt + φₖ), …),   ż = Â z
//! ```
//!
//! x are the deflections of the springs with sliders, then the states of feedback.
//!
//! Between events everything is linear in z: loads, normal loads, belts, friction forces, reactions, and all
//! that can become an event. A set of modes is a matrix Â and a list of rows. Tables enter by their value and
//! slope at the start of a stretch, and end it at their next point.

use super::super::polyline::ForceLine;
use super::super::prepared::Basis;
use super::super::time::Time;
use crate::Error;
use crate::law::Law;
use crate::math::dense::{Matrix, dot};
use crate::system::{
    Contact, ElasticStop, Inertia, InputSlot, Signal, SlotPlace, System, Threshold, TimeTable, Wave,
};

mod guards;
mod regime;

pub(super) use guards::{GuardKind, GuardRow};
pub(super) use regime::{ModeSet, Regime, SliderMode, UnilateralMode};

/// A linear function of z.
pub(super) type ZRow = Vec<f64>;

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
    /// Its largest deflections below and above, without their signs (m).
    pub reach: [f64; 2],
    /// Place of its deflection in z.
    pub place: usize,
}

impl PlacedSlider {
    /// Whether the slider holds anything; without friction it slides for ever.
    pub fn holds(&self) -> bool {
        self.reach != [0.0; 2]
    }
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
    stop_numbers: Vec<usize>,
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

impl PlacedContact {
    /// Whether it never presses while another one does: their normal loads never add up to more than zero.
    fn is_apart(&self, other: &Self) -> bool {
        let steady = |c: &Self| c.load.waves.is_empty() && c.load.tables.is_empty();
        let opposite = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| *a == -b);
        steady(self)
            && steady(other)
            && self.load.constant + other.load.constant <= 0.0
            && opposite(&self.by_position, &other.by_position)
            && opposite(&self.by_velocity, &other.by_velocity)
    }

    /// Whether it slides along the same direction as another one.
    fn is_beside(&self, other: &Self) -> bool {
        self.direction == other.direction
    }
}

impl Model {
    pub fn new(system: &System) -> Result<Self, Error> {
        let (n, m) = (system.n(), system.contacts.len());
        let inertia = Inertia::new(&system.mass).ok_or(Error::NotPositiveDefinite)?;
        let elements = &system.elements;
        let feedback = elements.feedback.clone().unwrap_or_else(|| crate::system::Feedback::none(n, 0, 0));
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
        loads.extend(elements.loads.iter().map(|load| (load.direction.clone(), placed(&load.signal))));
        let mut contacts = Vec::with_capacity(m);
        let mut sliders: Vec<PlacedSlider> = Vec::new();
        for (i, contact) in system.contacts.iter().enumerate() {
            let law = contact.friction.law.name();
            let line = ForceLine::new(&Contact { load: 1.0, ..contact.clone() })
                .ok_or(Error::NotPiecewiseLinear { contact: i, law })?;
            let varying = elements.contacts.iter().find(|varying| varying.contact == i);
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
                let (stiffness, reach) =
                    (contact.load * slider.stiffness, [-1.0, 1.0].map(|way| slider.reach_towards(way)));
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
        let stops: Vec<PlacedStop> = (elements.stops.iter())
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
        let thresholds = elements.thresholds.iter().map(placed_threshold).collect();
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
        // of two that never press together one stands for both
        let stands_apart = |i: usize| {
            (0..i).any(|j| contacts[i].is_apart(&contacts[j]) && contacts[i].is_beside(&contacts[j]))
        };
        let mut resting = (0..m).filter(|i| !contacts[*i].line.corners.is_empty() && !stands_apart(*i));
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
            n_signal_loads: elements.loads.len(),
            passive: rows([&system.stiffness, &system.damping, &none], -1.0),
            feedback: rows([&feedback.f_position, &feedback.f_velocity, &feedback.f_state], 1.0),
            inputs,
            states: rows([&feedback.b_position, &feedback.b_velocity, &feedback.a], 1.0),
            contacts,
            sliders,
            stops,
            stop_numbers: (0..elements.stops.len() + elements.elastic.len())
                .map(|k| elements.stop_number(k))
                .collect(),
            elastic: elements.elastic.clone(),
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

    /// The number by which events name a stop, counted with the rigid ones first.
    pub fn stop_number(&self, stop: usize) -> usize {
        self.stop_numbers[stop]
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

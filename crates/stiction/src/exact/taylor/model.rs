//! A system prepared for the exact method: sparse rows, signals, elements, and bounds on how fast it can move.

use super::bounds::RateBounds;
use super::elements::{
    OneSided, PreparedContact, PreparedSlider, PreparedStop, prepared_contact, prepared_elastic,
    prepared_stop, prepared_threshold,
};
use super::row::{Row, sparse_dot};
use crate::Error;
use crate::math::dense::Matrix;
use crate::system::{Feedback, Inertia, InputSlot, Signal, SlotPlace, System, TimeTable};

/// The entries of a vector that are not zero.
pub(in crate::exact) type Sparse = Vec<(usize, f64)>;

pub(in crate::exact) fn sparse(x: &[f64]) -> Sparse {
    x.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
}

/// Loads along degrees of freedom and directions.
#[derive(Clone, Debug)]
pub(in crate::exact) struct PreparedLoads {
    pub constant: Vec<f64>,
    /// ω, φ and the amplitudes of each harmonic load.
    pub harmonics: Vec<(f64, f64, Vec<f64>)>,
    /// Directions and signals, in the order of the elements.
    pub by_signal: Vec<(Sparse, usize)>,
}

/// Feedback.
#[derive(Clone, Debug)]
pub(in crate::exact) struct PreparedFeedback {
    /// Forces on degrees of freedom.
    pub forces: Vec<(usize, Row)>,
    /// Rates of its states.
    pub states: Vec<Row>,
    /// Signals of its inputs.
    inputs: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(in crate::exact) struct Model {
    pub n: usize,
    inertia: Inertia,
    pub damping: Vec<Sparse>,
    pub stiffness: Vec<Sparse>,
    pub contacts: Vec<PreparedContact>,
    /// Delassus matrix WᵀM⁻¹W of the stops, then of the contacts.
    pub delassus: Matrix,
    pub loads: PreparedLoads,
    pub(super) signals: Vec<Signal>,
    pub(super) feedback: PreparedFeedback,
    pub(super) sliders: Vec<PreparedSlider>,
    pub(super) stops: Vec<PreparedStop>,
    /// Elastic stops, what limits them, thresholds.
    pub(super) one_sided: Vec<OneSided>,
    stop_numbers: Vec<usize>,
    /// The part of K that has no potential, ½(K − Kᵀ).
    pub(super) circulatory: Vec<Sparse>,
    pub(super) bounds: RateBounds,
}

impl Model {
    pub fn new(system: &System) -> Result<Self, Error> {
        let n = system.n();
        let elements = &system.elements;
        if !elements.curved.is_empty() {
            return Err(Error::CurvedSprings);
        }
        let inertia = Inertia::new(&system.mass).ok_or(Error::NotPositiveDefinite)?;
        let mut signals: Vec<Signal> = Vec::new();
        let mut place = |signal: &Signal| {
            signals.push(signal.clone());
            signals.len() - 1
        };
        let loads =
            elements.loads.iter().map(|load| (sparse(&load.direction), place(&load.signal))).collect();
        let mut contacts = Vec::new();
        let mut sliders = Vec::new();
        for (i, contact) in system.contacts.iter().enumerate() {
            let varying = elements.contacts.iter().find(|varying| varying.contact == i);
            contacts.push(prepared_contact(i, contact, varying, &inertia, &mut place, &mut sliders)?);
        }
        let none = Feedback::none(n, 0, 0);
        let feedback = elements.feedback.as_ref().unwrap_or(&none);
        let feedback_inputs: Vec<usize> = feedback.inputs.iter().map(&mut place).collect();
        let first_state = sliders.len();
        let row = |[q, v, x, r]: [&[f64]; 4]| Row {
            x: shifted(&sparse(x), first_state),
            signals: sparse(r).into_iter().map(|(j, scale)| (feedback_inputs[j], scale)).collect(),
            ..Row::new(sparse(q), sparse(v), 0.0, &inertia, n)
        };
        let states: Vec<Row> = (0..feedback.initial.len())
            .map(|k| {
                row([
                    feedback.b_position.row(k),
                    feedback.b_velocity.row(k),
                    feedback.a.row(k),
                    feedback.b_input.row(k),
                ])
            })
            .collect();
        let forces = (0..n).map(|k| {
            let parts = [
                feedback.f_position.row(k),
                feedback.f_velocity.row(k),
                feedback.f_state.row(k),
                feedback.f_input.row(k),
            ];
            (k, row(parts))
        });
        let feedback_rows: Vec<(usize, Row)> = forces.filter(|(_, row)| !row.is_constant()).collect();
        let thresholds: Vec<OneSided> = (elements.thresholds.iter())
            .map(|threshold| {
                let by = [
                    &threshold.by_position,
                    &threshold.by_velocity,
                    &threshold.by_state,
                    &threshold.by_input,
                ];
                prepared_threshold(threshold, row(by.map(|by| &by[..])), first_state, &inertia)
            })
            .collect();
        let stops: Vec<PreparedStop> =
            elements.stops.iter().map(|stop| prepared_stop(stop, &inertia, &mut place)).collect();
        let mut one_sided = prepared_elastic(&elements.elastic, &inertia, &mut place);
        one_sided.extend(thresholds);
        let delassus = delassus(n, &stops, &contacts);
        let harmonics: Vec<_> =
            system.harmonics.iter().map(|h| (h.omega, h.phase, h.amplitude.clone())).collect();
        let waves = signals.iter().flat_map(|signal| signal.waves.iter().map(|wave| wave.omega));
        let fastest_load = harmonics.iter().map(|h| h.0).chain(waves).fold(0.0, f64::max);
        let bounds = RateBounds::new(system, &inertia, &states, &feedback_rows, first_state, fastest_load);
        let rows = |matrix: &Matrix| (0..n).map(|i| sparse(matrix.row(i))).collect();
        let skew = |i: usize, j: usize| 0.5 * (system.stiffness.at(i, j) - system.stiffness.at(j, i));
        let skew_row = |i: usize| sparse(&(0..n).map(|j| skew(i, j)).collect::<Vec<_>>());
        Ok(Self {
            n,
            inertia,
            damping: rows(&system.damping),
            stiffness: rows(&system.stiffness),
            contacts,
            delassus,
            loads: PreparedLoads { constant: system.constant.clone(), harmonics, by_signal: loads },
            signals,
            feedback: PreparedFeedback { forces: feedback_rows, states, inputs: feedback_inputs },
            sliders,
            stops,
            one_sided,
            stop_numbers: (0..elements.stops.len() + elements.elastic.len())
                .map(|k| elements.stop_number(k))
                .collect(),
            circulatory: (0..n).map(skew_row).collect(),
            bounds,
        })
    }

    /// Number of states: deflections of springs with sliders, then states of feedback.
    pub fn n_states(&self) -> usize {
        self.sliders.len() + self.feedback.states.len()
    }

    /// `M⁻¹ x` in place.
    #[inline]
    pub fn apply_mobility(&self, x: &mut [f64]) {
        self.inertia.solve(x);
    }

    /// Direction and mobility of a constraint: the stops, then the contacts.
    #[inline]
    pub fn constraint(&self, c: usize) -> [&Sparse; 2] {
        match c.checked_sub(self.stops.len()) {
            Some(i) => [&self.contacts[i].direction, &self.contacts[i].mobility],
            None => [&self.stops[c].direction, &self.stops[c].mobility],
        }
    }

    /// What signals add to the velocity that a constraint keeps: of the stops, then of the contacts.
    pub(super) fn velocity_signals(&self, c: usize) -> &Sparse {
        match c.checked_sub(self.stops.len()) {
            Some(i) => &self.contacts[i].sliding.signals,
            None => &self.stops[c].approach.signals,
        }
    }

    /// wᵀM⁻¹w of a contact.
    #[inline]
    pub fn compliance(&self, contact: usize) -> f64 {
        let own = self.stops.len() + contact;
        self.delassus.at(own, own)
    }

    /// Sliding velocity of contact `i` against a belt of constant velocity (m/s).
    #[inline]
    pub fn sliding(&self, i: usize, v: &[f64]) -> f64 {
        sparse_dot(&self.contacts[i].direction, v) - self.contacts[i].belt
    }

    /// The number by which events name a stop, counted with the rigid ones first.
    pub fn stop_number(&self, stop: usize) -> usize {
        self.stop_numbers[stop]
    }

    /// Number of one-sided elements that are reported, the elastic stops.
    pub fn n_elastic(&self) -> usize {
        self.stop_numbers.len() - self.stops.len()
    }

    /// Whether there is anything beyond contacts of constant load and belt under harmonic loads.
    pub fn has_elements(&self) -> bool {
        !(self.signals.is_empty()
            && self.n_states() == 0
            && self.stops.is_empty()
            && self.one_sided.is_empty()
            && self.feedback.forces.is_empty()
            && self.circulatory.iter().all(Vec::is_empty))
    }

    /// The next point of a table after `t` (s).
    pub fn next_break(&self, t: f64) -> f64 {
        self.signals.iter().map(|signal| signal.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    /// The table of an input.
    pub fn input_table(&mut self, InputSlot { place, table }: InputSlot) -> Option<&mut TimeTable> {
        let signal = match place {
            SlotPlace::Load(k) => Some(self.loads.by_signal.get(k)?.1),
            SlotPlace::NormalLoad(i) => self.contacts.get(i)?.signals[0],
            SlotPlace::Belt(i) => self.contacts.get(i)?.signals[1],
            SlotPlace::Feedback(j) => self.feedback.inputs.get(j).copied(),
        };
        self.signals[signal?].tables.get_mut(table)
    }

    /// A bound on all rates of change without elements, with `slopes` = Σ |dH/dv| wᵀM⁻¹w of the sliding
    /// contacts (1/s).
    pub fn fastest(&self, slopes: f64) -> f64 {
        (self.bounds.damping + self.bounds.stiffness.sqrt() + slopes).max(self.bounds.load)
    }
}

/// WᵀM⁻¹W of the stops, then of the contacts.
fn delassus(n: usize, stops: &[PreparedStop], contacts: &[PreparedContact]) -> Matrix {
    let constraints: Vec<[&Sparse; 2]> = (stops.iter().map(|stop| [&stop.direction, &stop.mobility]))
        .chain(contacts.iter().map(|contact| [&contact.direction, &contact.mobility]))
        .collect();
    let mut delassus = Matrix::zeros(constraints.len(), constraints.len());
    let mut dense = vec![0.0; n];
    for (i, [direction, _]) in constraints.iter().enumerate() {
        dense.fill(0.0);
        direction.iter().for_each(|&(k, w)| dense[k] = w);
        for (j, [_, mobility]) in constraints.iter().enumerate() {
            *delassus.at_mut(i, j) = sparse_dot(mobility, &dense);
        }
    }
    delassus
}

pub(super) fn shifted(row: &Sparse, by: usize) -> Sparse {
    row.iter().map(|&(k, a)| (k + by, a)).collect()
}

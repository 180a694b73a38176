//! A system prepared for the exact method: sparse rows, signals, elements, and bounds on how fast it can move.

use super::row::{Row, sparse_dot};
use crate::Error;
use crate::exact::polyline::ForceLine;
use crate::math::dense::{Matrix, dot};
use crate::system::{
    Contact, ElasticStop, Inertia, InputSlot, RigidStop, Signal, SlotPlace, System, Threshold, TimeTable,
    VaryingContact,
};

/// The entries of a vector that are not zero.
pub(in crate::exact) type Sparse = Vec<(usize, f64)>;

pub(in crate::exact) fn sparse(x: &[f64]) -> Sparse {
    x.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
}

/// A contact, prepared. Its friction force is `line(sliding) · normal`.
#[derive(Clone, Debug)]
pub(in crate::exact) struct PreparedContact {
    pub line: ForceLine,
    pub direction: Sparse,
    /// M⁻¹w.
    pub mobility: Sparse,
    /// Constant velocity of the counter-surface (m/s).
    pub belt: f64,
    /// Sliding velocity.
    pub sliding: Row,
    /// Normal load (N) where it varies; otherwise 1, and the load is in the line.
    pub normal: Row,
    pub varies: bool,
    /// The degree of freedom that a sticking contact determines, if its direction has one entry.
    pub pins: Option<usize>,
    /// Its springs with sliders.
    pub sliders: std::ops::Range<usize>,
    signals: [Option<usize>; 2],
}

/// A spring with a slider.
#[derive(Clone, Debug)]
pub(super) struct PreparedSlider {
    pub contact: usize,
    /// Of the spring (N/m).
    pub stiffness: f64,
    /// Largest deflections below and above, without their signs (m).
    pub reach: [f64; 2],
    /// Its deflection, a state.
    pub deflection: Row,
}

impl PreparedSlider {
    /// Whether the slider holds anything; without friction it slides for ever.
    pub fn holds(&self) -> bool {
        self.reach != [0.0; 2]
    }
}

/// A rigid stop.
#[derive(Clone, Debug)]
pub(super) struct PreparedStop {
    pub direction: Sparse,
    pub mobility: Sparse,
    /// Gap (m).
    pub gap: Row,
    /// Velocity towards it (m/s).
    pub approach: Row,
    pub restitution: f64,
}

/// An elastic stop.
#[derive(Clone, Debug)]
pub(super) struct PreparedElastic {
    pub direction: Sparse,
    norm: f64,
    /// Compression (m) and force (N).
    pub depth: Row,
    pub force: Row,
    pub is_damped: bool,
}

/// A threshold.
#[derive(Clone, Debug)]
pub(super) struct PreparedThreshold {
    pub excess: Row,
    pub force: Sparse,
    pub rate: Sparse,
    norm: f64,
    /// Whether its force is that of a spring, whose energy is stored.
    pub is_spring: bool,
}

/// Bounds on the linear parts of the motion in the norm of the kinetic energy: of `M⁻¹K` (1/s²), `M⁻¹C` (1/s),
/// and of what each state of feedback adds to the accelerations.
#[derive(Clone, Debug)]
struct Bounds {
    stiffness: f64,
    damping: f64,
    /// |F_x| by state; rates of each state by position and velocity; |A|.
    by_state: Vec<f64>,
    states: Vec<[f64; 2]>,
    a: Vec<f64>,
}

/// The modes that change the bounds.
pub(super) struct Active<'a> {
    pub pieces: &'a dyn Fn(usize) -> Option<usize>,
    pub slider_sticks: &'a dyn Fn(usize) -> bool,
    pub presses: &'a dyn Fn(usize) -> bool,
    pub beyond: &'a [bool],
    /// Whether nothing can move but with belts.
    pub is_pinned: bool,
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
    pub constant: Vec<f64>,
    /// ω, φ and the amplitudes of each harmonic load.
    pub harmonics: Vec<(f64, f64, Vec<f64>)>,
    pub(super) signals: Vec<Signal>,
    /// Loads by signals, the first of which have the numbers of the elements.
    pub(super) loads: Vec<(Sparse, usize)>,
    /// Feedback: forces on degrees of freedom, and rates of states.
    pub(super) feedback: Vec<(usize, Row)>,
    pub(super) states: Vec<Row>,
    pub(super) sliders: Vec<PreparedSlider>,
    pub(super) stops: Vec<PreparedStop>,
    pub(super) elastic: Vec<PreparedElastic>,
    pub(super) thresholds: Vec<PreparedThreshold>,
    stop_numbers: Vec<usize>,
    feedback_inputs: Vec<usize>,
    /// The part of K that has no potential, ½(K − Kᵀ).
    pub(super) circulatory: Vec<Sparse>,
    bounds: Bounds,
    /// Bound without slopes and elements (1/s).
    rate: f64,
    /// The highest frequency of loads and signals (rad/s).
    fastest_load: f64,
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
        let none = crate::system::Feedback::none(n, 0, 0);
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
        let thresholds: Vec<PreparedThreshold> = (elements.thresholds.iter())
            .map(|threshold| {
                let Threshold { by_position, by_velocity, by_state, by_input, at, force, .. } = threshold;
                let mut excess = row([by_position, by_velocity, by_state, by_input]);
                excess.constant = -at;
                PreparedThreshold {
                    excess,
                    force: sparse(force),
                    rate: shifted(&sparse(&threshold.rate), first_state),
                    norm: norm(force, &inertia),
                    is_spring: threshold.stiffness().is_some(),
                }
            })
            .collect();
        let stops: Vec<PreparedStop> =
            elements.stops.iter().map(|stop| prepared_stop(stop, &inertia)).collect();
        let elastic = elements.elastic.iter().map(|stop| prepared_elastic(stop, &inertia)).collect();
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
        check_redundant(&contacts, &delassus, stops.len(), elements.contacts.as_slice())?;
        let harmonics: Vec<_> =
            system.harmonics.iter().map(|h| (h.omega, h.phase, h.amplitude.clone())).collect();
        let waves = signals.iter().flat_map(|signal| signal.waves.iter().map(|wave| wave.omega));
        let fastest_load = harmonics.iter().map(|h| h.0).chain(waves).fold(0.0, f64::max);
        let bounds = Bounds::new(system, &inertia, &states, &feedback_rows, first_state);
        let rows = |matrix: &Matrix| (0..n).map(|i| sparse(matrix.row(i))).collect();
        let skew = |i: usize, j: usize| 0.5 * (system.stiffness.at(i, j) - system.stiffness.at(j, i));
        Ok(Self {
            n,
            inertia,
            damping: rows(&system.damping),
            stiffness: rows(&system.stiffness),
            contacts,
            delassus,
            constant: system.constant.clone(),
            harmonics,
            signals,
            loads,
            feedback: feedback_rows,
            states,
            sliders,
            stops,
            elastic,
            thresholds,
            stop_numbers: (0..elements.stops.len() + elements.elastic.len())
                .map(|k| elements.stop_number(k))
                .collect(),
            feedback_inputs,
            circulatory: (0..n).map(|i| sparse(&(0..n).map(|j| skew(i, j)).collect::<Vec<_>>())).collect(),
            rate: bounds.damping + bounds.stiffness.sqrt(),
            bounds,
            fastest_load,
        })
    }

    /// Number of states: deflections of springs with sliders, then states of feedback.
    pub fn n_states(&self) -> usize {
        self.sliders.len() + self.states.len()
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

    /// Whether there is anything beyond contacts of constant load and belt under harmonic loads.
    pub fn has_elements(&self) -> bool {
        !(self.signals.is_empty()
            && self.n_states() == 0
            && self.stops.is_empty()
            && self.elastic.is_empty()
            && self.thresholds.is_empty()
            && self.feedback.is_empty()
            && self.circulatory.iter().all(Vec::is_empty))
    }

    /// The next point of a table after `t` (s).
    pub fn next_break(&self, t: f64) -> f64 {
        self.signals.iter().map(|signal| signal.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    /// The table of an input.
    pub fn input_table(&mut self, InputSlot { place, table }: InputSlot) -> Option<&mut TimeTable> {
        let signal = match place {
            SlotPlace::Load(k) => Some(self.loads.get(k)?.1),
            SlotPlace::NormalLoad(i) => self.contacts.get(i)?.signals[0],
            SlotPlace::Belt(i) => self.contacts.get(i)?.signals[1],
            SlotPlace::Feedback(j) => self.feedback_inputs.get(j).copied(),
        };
        self.signals[signal?].tables.get_mut(table)
    }

    /// A bound on all rates of change without elements, with `slopes` = Σ |dH/dv| wᵀM⁻¹w of the sliding
    /// contacts (1/s).
    pub fn fastest(&self, slopes: f64) -> f64 {
        (self.rate + slopes).max(self.fastest_load)
    }

    /// A bound on all rates of change in these modes (1/s).
    pub(super) fn rate_in(&self, active: &Active) -> f64 {
        if active.is_pinned && self.states.is_empty() {
            return self.fastest_load;
        }
        let Bounds { mut stiffness, mut damping, .. } = self.bounds;
        for (i, contact) in self.contacts.iter().enumerate() {
            let Some(piece) = (active.pieces)(i) else { continue };
            let piece = contact.line.pieces[piece];
            damping += piece.slope.abs() * self.compliance(i);
            if contact.varies {
                let push = piece.force.abs() * self.compliance(i).sqrt();
                stiffness += push * contact.normal.norm[0];
                damping += push * contact.normal.norm[1];
            }
        }
        for (k, slider) in self.sliders.iter().enumerate() {
            if (active.slider_sticks)(k) {
                stiffness += slider.stiffness * self.compliance(slider.contact);
            }
        }
        for (k, stop) in self.elastic.iter().enumerate() {
            if (active.presses)(k) {
                stiffness += stop.norm * stop.force.norm[0];
                damping += stop.norm * stop.force.norm[1];
            }
        }
        let is_beyond = |k: &usize| active.beyond[*k];
        for threshold in (0..self.thresholds.len()).filter(is_beyond).map(|k| &self.thresholds[k]) {
            stiffness += threshold.norm * threshold.excess.norm[0];
            damping += threshold.norm * threshold.excess.norm[1];
        }
        let own = if self.states.is_empty() {
            damping + stiffness.sqrt()
        } else {
            self.rate_with_states(active, stiffness, damping)
        };
        own.max(self.fastest_load)
    }

    /// The same with states of feedback: the Perron root of the matrix of the norms of all blocks, by the
    /// bound of Collatz and Wielandt along the power iteration.
    fn rate_with_states(&self, active: &Active, stiffness: f64, damping: f64) -> f64 {
        const ITERATIONS: usize = 12;
        const LEAST: f64 = 1e-12;
        let p = self.states.len();
        let size = p + 2;
        let mut blocks = vec![0.0; size * size];
        if !active.is_pinned {
            blocks[1] = 1.0;
            (blocks[size], blocks[size + 1]) = (stiffness, damping);
            blocks[size + 2..2 * size].copy_from_slice(&self.bounds.by_state);
        }
        for k in 0..p {
            let row = &mut blocks[(k + 2) * size..(k + 3) * size];
            row[..2].copy_from_slice(&self.bounds.states[k]);
            row[2..].copy_from_slice(&self.bounds.a[k * p..(k + 1) * p]);
        }
        let first = self.sliders.len();
        for (threshold, _) in self.thresholds.iter().zip(active.beyond).filter(|(_, beyond)| **beyond) {
            for &(l, by) in &threshold.excess.x {
                if !active.is_pinned {
                    blocks[size + 2 + l - first] += threshold.norm * by.abs();
                }
                for &(k, rate) in &threshold.rate {
                    blocks[(k - first + 2) * size + 2 + l - first] += (rate * by).abs();
                }
            }
            for &(k, rate) in &threshold.rate {
                let row = &mut blocks[(k - first + 2) * size..];
                row[0] += rate.abs() * threshold.excess.norm[0];
                row[1] += rate.abs() * threshold.excess.norm[1];
            }
        }
        let mut least = f64::INFINITY;
        let mut x = vec![1.0; size];
        x[1] = stiffness.sqrt() + damping + 1.0;
        for _ in 0..ITERATIONS {
            // an iteration of P + 1, which converges where P turns round and round
            let product: Vec<f64> = (0..size).map(|i| dot(&blocks[i * size..(i + 1) * size], &x)).collect();
            let bound = product.iter().zip(&x).map(|(y, x)| y / x).fold(0.0, f64::max);
            least = least.min(bound);
            let largest = product.iter().zip(&x).map(|(y, x)| y / least + x).fold(0.0, f64::max);
            if !(largest > 0.0 && largest.is_finite()) {
                break;
            }
            x.iter_mut().zip(&product).for_each(|(x, y)| *x = (y / least + *x).max(LEAST * *x));
            if x.iter().any(|x| *x > 1e100) {
                x.iter_mut().for_each(|x| *x *= 1e-100);
            }
        }
        least
    }
}

impl Row {
    /// A row by positions and velocities.
    fn new(q: Sparse, v: Sparse, constant: f64, inertia: &Inertia, n: usize) -> Self {
        let dense = |row: &Sparse| {
            let mut x = vec![0.0; n];
            row.iter().for_each(|&(k, a)| x[k] = a);
            x
        };
        let mut mobility = [Sparse::new(), Sparse::new()];
        let mut norms = [0.0; 2];
        for (part, row) in [&q, &v].into_iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            let own = dense(row);
            let mut x = own.clone();
            inertia.solve(&mut x);
            norms[part] = dot(&own, &x).max(0.0).sqrt();
            mobility[part] = sparse(&x);
        }
        Self { q, v, constant, mobility, norm: norms, ..Self::default() }
    }
}

fn shifted(row: &Sparse, by: usize) -> Sparse {
    row.iter().map(|&(k, a)| (k + by, a)).collect()
}

/// √(w·M⁻¹w).
fn norm(w: &[f64], inertia: &Inertia) -> f64 {
    let mut x = w.to_vec();
    inertia.solve(&mut x);
    dot(w, &x).max(0.0).sqrt()
}

fn prepared_contact(
    i: usize,
    contact: &Contact,
    varying: Option<&VaryingContact>,
    inertia: &Inertia,
    place: &mut impl FnMut(&Signal) -> usize,
    sliders: &mut Vec<PreparedSlider>,
) -> Result<PreparedContact, Error> {
    let n = contact.direction.len();
    let law = contact.friction.law.name();
    let varies = varying.is_some_and(|v| {
        !v.load.is_constant() || v.by_position.iter().chain(&v.by_velocity).any(|x| *x != 0.0)
    });
    let extra = varying.map_or(0.0, |v| if varies { v.load.constant } else { v.load.at(0.0) });
    let load = contact.load + extra;
    let line = ForceLine::new(&Contact { load: if varies { 1.0 } else { load }, ..contact.clone() })
        .ok_or(Error::NotPiecewiseLinear { contact: i, law })?;
    let springs = contact.friction.law.sliders().unwrap_or_default();
    if varies && (!springs.is_empty() || line.pieces.iter().any(|piece| piece.slope != 0.0)) {
        return Err(Error::LoadTimesSlope { contact: i, law });
    }
    let first = sliders.len();
    for slider in springs {
        let k = sliders.len();
        sliders.push(PreparedSlider {
            contact: i,
            stiffness: load * slider.stiffness,
            reach: [-1.0, 1.0].map(|way| slider.reach_towards(way)),
            deflection: Row { x: vec![(k, 1.0)], ..Row::default() },
        });
    }
    let direction = sparse(&contact.direction);
    let mut sliding = Row::new(Sparse::new(), direction.clone(), -contact.belt, inertia, n);
    let mut normal = Row { constant: 1.0, ..Row::default() };
    let mut own = [None; 2];
    if let Some(varying) = varying {
        if !varying.belt.tables.is_empty() || !varying.belt.waves.is_empty() || varying.belt.constant != 0.0 {
            let number = place(&varying.belt);
            sliding.signals.push((number, -1.0));
            own[1] = Some(number);
        }
        if varies {
            normal = Row::new(
                sparse(&varying.by_position),
                sparse(&varying.by_velocity),
                contact.load,
                inertia,
                n,
            );
            let number = place(&varying.load);
            normal.signals.push((number, 1.0));
            own[0] = Some(number);
        }
    }
    let pins = if let [(k, _)] = direction[..] { Some(k) } else { None };
    Ok(PreparedContact {
        line,
        mobility: sliding.mobility[1].clone(),
        direction,
        belt: contact.belt,
        sliding,
        normal,
        varies,
        pins,
        sliders: first..sliders.len(),
        signals: own,
    })
}

fn prepared_stop(stop: &RigidStop, inertia: &Inertia) -> PreparedStop {
    let (n, direction) = (stop.direction.len(), sparse(&stop.direction));
    let away = direction.iter().map(|&(k, w)| (k, -w)).collect();
    let approach = Row::new(Sparse::new(), direction.clone(), 0.0, inertia, n);
    PreparedStop {
        gap: Row::new(away, Sparse::new(), stop.position, inertia, n),
        mobility: approach.mobility[1].clone(),
        approach,
        direction,
        restitution: stop.restitution,
    }
}

fn prepared_elastic(stop: &ElasticStop, inertia: &Inertia) -> PreparedElastic {
    let (n, direction) = (stop.direction.len(), sparse(&stop.direction));
    let scaled = |scale: f64| direction.iter().map(|&(k, w)| (k, scale * w)).filter(|x| x.1 != 0.0).collect();
    PreparedElastic {
        norm: norm(&stop.direction, inertia),
        depth: Row::new(direction.clone(), Sparse::new(), -stop.position, inertia, n),
        force: Row::new(
            scaled(stop.stiffness),
            scaled(stop.damping),
            -stop.stiffness * stop.position,
            inertia,
            n,
        ),
        is_damped: stop.damping != 0.0,
        direction,
    }
}

/// Refuses redundant contacts whose loads vary: their forces follow from the ratio of their limits, which is
/// not linear in time. Two that never press together stand for one.
fn check_redundant(
    contacts: &[PreparedContact],
    delassus: &Matrix,
    first: usize,
    varying: &[VaryingContact],
) -> Result<(), Error> {
    if contacts.iter().all(|contact| !contact.varies) {
        return Ok(());
    }
    let is_apart = |i: usize, j: usize| {
        let of = |i: usize| varying.iter().find(|varying| varying.contact == i);
        contacts[i].direction == contacts[j].direction
            && of(i).zip(of(j)).is_some_and(|(a, b)| {
                let steady = a.load.waves.is_empty() && b.load.waves.is_empty();
                let total = contacts[i].normal.constant
                    + contacts[j].normal.constant
                    + a.load.at(0.0)
                    + b.load.at(0.0);
                let has_tables = !(a.load.tables.is_empty() && b.load.tables.is_empty());
                steady && !has_tables && a.is_opposite(b) && total <= 0.0
            })
    };
    let mut basis = Basis::default();
    basis.clear();
    (0..first).for_each(|c| _ = basis.add(delassus, c));
    for i in 0..contacts.len() {
        let stands_apart = (0..i).any(|j| is_apart(i, j));
        if contacts[i].line.corners.is_empty() || stands_apart || basis.add(delassus, first + i) {
            continue;
        }
        let depends = |j: usize| j == i || delassus.at(first + i, first + j) != 0.0;
        if (0..=i).any(|j| contacts[j].varies && depends(j)) {
            return Err(Error::RedundantContact { contact: i });
        }
    }
    Ok(())
}

/// The constraints whose forces the motion determines, with the Cholesky factor of their Delassus matrix.
#[derive(Clone, Debug, Default)]
pub(in crate::exact) struct Basis {
    pub members: Vec<usize>,
    /// The diagonal of the factor, and what is below it: row after row, each as long as its number; nothing
    /// if all of that is zero.
    pivots: Vec<f64>,
    lower: Vec<f64>,
    is_diagonal: bool,
}

/// A pivot below this fraction of its diagonal is a dependence between contacts, not a number.
const DEPENDENT: f64 = 1e-11;

impl Basis {
    /// Starts again without members.
    pub fn clear(&mut self) {
        self.members.clear();
        self.pivots.clear();
        self.lower.clear();
        self.is_diagonal = true;
    }

    fn row(&self, a: usize) -> &[f64] {
        &self.lower[a * a.saturating_sub(1) / 2..][..a]
    }

    /// Adds contact `i`, unless the others leave it no motion of its own. Returns whether it was added.
    pub fn add(&mut self, g: &Matrix, i: usize) -> bool {
        let own = g.at(i, i);
        let mut pivot = own;
        let at = self.members.len() * self.members.len().saturating_sub(1) / 2;
        if self.is_diagonal && self.members.iter().any(|&j| g.at(i, j) != 0.0) {
            self.is_diagonal = false;
            self.lower.resize(at, 0.0);
        }
        if !self.is_diagonal {
            for (a, &j) in self.members.iter().enumerate() {
                let before = dot(&self.lower[a * a.saturating_sub(1) / 2..][..a], &self.lower[at..at + a]);
                let entry = (g.at(i, j) - before) / self.pivots[a];
                pivot -= entry * entry;
                self.lower.push(entry);
            }
        }
        if pivot <= DEPENDENT * own {
            self.lower.truncate(at);
            return false;
        }
        self.pivots.push(pivot.sqrt());
        self.members.push(i);
        true
    }

    /// Replaces `x` (in the order of the members) by the solution of `G y = x`.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        let b = self.members.len();
        for a in 0..b {
            let before = if self.is_diagonal { 0.0 } else { dot(self.row(a), &x[..a]) };
            x[a] = (x[a] - before) / self.pivots[a];
        }
        for a in (0..b).rev() {
            x[a] /= self.pivots[a];
            if !self.is_diagonal {
                for (c, entry) in self.row(a).iter().enumerate() {
                    x[c] -= entry * x[a];
                }
            }
        }
    }
}

/// Sweeps over all rows and columns while balancing.
const SWEEPS: usize = 8;

impl Bounds {
    fn new(
        system: &System,
        inertia: &Inertia,
        states: &[Row],
        feedback: &[(usize, Row)],
        first: usize,
    ) -> Self {
        let n = system.n();
        let norm = |entry: &dyn Fn(usize, usize) -> f64| {
            let mut product = Matrix::zeros(n, n);
            for j in 0..n {
                let mut column: Vec<f64> = (0..n).map(|i| entry(i, j)).collect();
                inertia.solve(&mut column);
                (0..n).for_each(|i| *product.at_mut(i, j) = column[i]);
            }
            balanced_norm(product)
        };
        // M⁻¹S is self-adjoint in the norm of the kinetic energy if S is symmetric, and M⁻¹A skew if A is:
        // their norms are their spectral radii, which no other norm undercuts
        let of = |matrix: &Matrix| {
            let skew = matrix.asymmetry().is_some();
            norm(&|i, j| 0.5 * (matrix.at(i, j) + matrix.at(j, i)))
                + if skew { norm(&|i, j| 0.5 * (matrix.at(i, j) - matrix.at(j, i))) } else { 0.0 }
        };
        let (mut stiffness, mut damping) = (of(&system.stiffness), of(&system.damping));
        let p = states.len();
        let mut by_state = vec![0.0; p];
        for (k, row) in feedback {
            let mut unit = vec![0.0; n];
            unit[*k] = 1.0;
            let push = self::norm(&unit, inertia);
            stiffness += push * row.norm[0];
            damping += push * row.norm[1];
            row.x.iter().for_each(|&(l, f)| by_state[l - first] += push * f.abs());
        }
        let mut a = vec![0.0; p * p];
        for (k, row) in states.iter().enumerate() {
            row.x.iter().for_each(|&(l, x)| a[k * p + l - first] = x.abs());
        }
        Self { stiffness, damping, by_state, states: states.iter().map(|row| row.norm).collect(), a }
    }
}

/// A bound on the spectral radius: a norm of the absolute values in scales that make it small (@osborne1960).
fn balanced_norm(mut matrix: Matrix) -> f64 {
    let n = matrix.n_rows;
    let a = &mut matrix.data;
    a.iter_mut().for_each(|x| *x = x.abs());
    for _ in 0..SWEEPS {
        let mut has_moved = false;
        for k in 0..n {
            let own = a[k * n + k];
            let row = a[k * n..(k + 1) * n].iter().sum::<f64>() - own;
            let column = a[k..].iter().step_by(n).sum::<f64>() - own;
            let scale = (row / column).sqrt();
            // units that differ by less cost no more than that
            if row > 0.0 && column > 0.0 && !(0.5..=2.0).contains(&scale) {
                has_moved = true;
                a[k * n..(k + 1) * n].iter_mut().for_each(|x| *x /= scale);
                a[k..].iter_mut().step_by(n).for_each(|x| *x *= scale);
            }
        }
        if !has_moved {
            break;
        }
    }
    let rows = (0..n).map(|i| a[i * n..(i + 1) * n].iter().sum::<f64>()).fold(0.0, f64::max);
    let columns = (0..n).map(|j| a[j..].iter().step_by(n).sum::<f64>()).fold(0.0, f64::max);
    rows.min(columns)
}

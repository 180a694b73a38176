//! Structures under continuous laws: the motion in natural modes, the unknowns only at the contacts.
//!
//! In a step of length h the friction forces and the loads are polynomials through their values at Radau's
//! nodes. What such a force does to a mode is known in closed form (`weights.rs`), however stiff the mode is,
//! so that a step asks for the sliding velocities v at the nodes only:
//!
//! ```text
//!   v + B H(v) = a,      B = Σ s sᵀ ∫g′ℓ,     a: free motion and loads
//!   (I + B H′) δv = δa                        the same for differences of the state
//! ```
//!
//! a system as large as there are contacts times nodes. The length of a step depends on the friction alone,
//! not on the rates of the structure, and follows from how well the polynomial through the other nodes meets
//! the force at the first.

mod step;
#[cfg(test)]
mod tests;
mod weights;

use super::starts::reference;
use crate::Error;
use crate::law::{Graph, Law};
use crate::math::dense::{Matrix, dot};
use crate::math::lu::Lu;
use crate::ode::{Adaptive, Work};
use crate::record::{Balance, Ranges};
use crate::simulate::{Propagator, Stepper};
use crate::system::{Contact, Dynamics, Motion, System, modal_rates, natural_modes};
use std::sync::Arc;
use weights::{ModeRoots, ModeStep, RadauNodes, STAGES};

/// Fewest degrees of freedom from which on this is quicker than integrating all of them.
const MIN_DEGREES: usize = 4;
/// Longest step: a part of the period of the load.
const LONGEST: f64 = 0.125;
/// Halvings of the longest step.
const MAX_LEVEL: u32 = 44;
/// The level at which a motion begins.
const FIRST_LEVEL: u32 = 5;

/// Whether periodic motions of a system are found by a flow that is condensed to the contacts.
pub fn is_condensed(system: &System) -> bool {
    let known = |contact: &Contact| {
        let law = &contact.friction.law;
        law.graph() == Graph::Continuous && !law.has_memory() && law.friction_bounds(0.0, &[]).is_none()
    };
    system.n() >= MIN_DEGREES
        && !system.is_general()
        && !system.is_autonomous()
        && !system.contacts.is_empty()
        && system.contacts.iter().all(known)
        && system.stiffness.asymmetry().is_none()
}

/// All modes over a step of one length.
struct ModeTable {
    h: f64,
    /// Node after node, each with all modes.
    steps: Vec<ModeStep>,
    /// B by (contact, node) twice.
    mobility: Vec<f64>,
}

/// A structure in natural modes.
struct Structure {
    n: usize,
    contacts: Vec<Contact>,
    nodes: RadauNodes,
    modes: Vec<ModeRoots>,
    /// Φ, one row a degree of freedom, and MΦ, one row a mode.
    shape: Matrix,
    mass_shape: Matrix,
    /// wᵀΦ, one row a contact.
    sliding: Matrix,
    /// Loads of the modes: constant, and by ω and phase.
    constant: Vec<f64>,
    tones: Vec<(f64, f64, Vec<f64>)>,
}

/// Where steps begin: multiples of their length after an origin.
struct StepGrid {
    /// The longest step (s).
    longest: f64,
    /// Halvings of the longest step.
    level: u32,
    /// The step's number in units of the shortest one since `origin`.
    origin: f64,
    ticks: u64,
}

/// The last step.
struct LastStep {
    from: f64,
    t: f64,
    /// The modes at both ends, and their forces at the nodes, node after node.
    begin: Vec<[f64; 2]>,
    end: Vec<[f64; 2]>,
    pushed: Vec<f64>,
    /// Sliding velocities at the nodes, by (contact, node), and the slopes H′ there.
    v: Vec<f64>,
    slopes: Vec<f64>,
    table: Option<Arc<ModeTable>>,
}

/// A structure and its motion.
pub(super) struct CondensedFlow {
    dynamics: Dynamics,
    structure: Structure,
    grid: StepGrid,
    last: LastStep,
    tables: Vec<Arc<ModeTable>>,
    rtol: f64,
    /// The largest sliding velocity so far (m/s).
    fastest: f64,
    lu: Lu<f64>,
}

impl CondensedFlow {
    /// `None` where the damping couples the modes.
    pub fn new(system: &System, settings: &Adaptive) -> Option<Self> {
        // sliding velocities below this part of what belongs to the system count as that much
        const SLOWEST: f64 = 1e-6;
        if !is_condensed(system) {
            return None;
        }
        let (n, m) = (system.n(), system.contacts.len());
        let (shape, squares) = natural_modes(&system.mass, &system.stiffness)?;
        let rates = modal_rates(system, &shape, &squares)?;
        let mut mass_shape = Matrix::zeros(n, n);
        for i in 0..n {
            for (k, mass) in system.mass.row(i).iter().enumerate().filter(|(_, mass)| **mass != 0.0) {
                (0..n).for_each(|j| *mass_shape.at_mut(j, i) += mass * shape.at(k, j));
            }
        }
        let in_modes =
            |x: &[f64]| -> Vec<f64> { (0..n).map(|j| (0..n).map(|k| shape.at(k, j) * x[k]).sum()).collect() };
        let mut sliding = Matrix::zeros(m, n);
        for (row, contact) in sliding.data.chunks_mut(n).zip(&system.contacts) {
            row.copy_from_slice(&in_modes(&contact.direction));
        }
        let tones = system.harmonics.iter().map(|tone| (tone.omega, tone.phase, in_modes(&tone.amplitude)));
        let (length, omega) = reference(system);
        let least = SLOWEST * length * omega;
        let fastest = system.contacts.iter().map(|contact| contact.belt.abs()).fold(least, f64::max);
        let nodes = RadauNodes::new();
        let modes = rates.iter().zip(&squares).map(|(rate, square)| ModeRoots::new(*rate, *square)).collect();
        let (contacts, constant) = (system.contacts.clone(), in_modes(&system.constant));
        let tones = tones.collect();
        Some(Self {
            dynamics: Dynamics::new(system)?,
            structure: Structure { n, contacts, nodes, modes, constant, tones, shape, mass_shape, sliding },
            grid: StepGrid { longest: LONGEST * system.period()?, level: FIRST_LEVEL, origin: 0.0, ticks: 0 },
            last: LastStep {
                from: 0.0,
                t: 0.0,
                begin: vec![[0.0; 2]; n],
                end: vec![[0.0; 2]; n],
                pushed: vec![0.0; n * STAGES],
                v: vec![0.0; m * STAGES],
                slopes: vec![0.0; m * STAGES],
                table: None,
            },
            tables: Vec::new(),
            rtol: settings.rtol,
            fastest,
            lu: Lu::new(m * STAGES),
        })
    }

    fn table(&mut self, h: f64) -> Arc<ModeTable> {
        // tables of modes that are kept, one for each length of a step
        const MAX_TABLES: usize = 64;
        if let Some(known) = self.tables.iter().find(|table| table.h == h) {
            return known.clone();
        }
        let m = self.structure.contacts.len();
        let mut steps = Vec::with_capacity(self.structure.n * STAGES);
        for at in self.structure.nodes.at {
            steps.extend(self.structure.modes.iter().map(|mode| mode.step(&self.structure.nodes, at * h, h)));
        }
        let size = m * STAGES;
        let mut mobility = vec![0.0; size * size];
        for i in 0..m {
            for other in 0..m {
                for k in 0..STAGES {
                    let row = &mut mobility[(i * STAGES + k) * size + other * STAGES..][..STAGES];
                    for (j, step) in
                        steps[k * self.structure.n..(k + 1) * self.structure.n].iter().enumerate()
                    {
                        let product = self.structure.sliding.at(i, j) * self.structure.sliding.at(other, j);
                        row.iter_mut().zip(&step.velocity).for_each(|(b, w)| *b += product * w);
                    }
                }
            }
        }
        let table = Arc::new(ModeTable { h, steps, mobility });
        if self.tables.len() == MAX_TABLES {
            self.tables.clear();
        }
        self.tables.push(table.clone());
        table
    }

    /// Modes as positions and velocities.
    fn write(&self, modes: &[[f64; 2]], position: &mut [f64], velocity: &mut [f64]) {
        for (k, (q, v)) in position.iter_mut().zip(velocity).enumerate() {
            [*q, *v] = [0.0; 2];
            for (shape, [eta, rate]) in self.structure.shape.row(k).iter().zip(modes) {
                *q += shape * eta;
                *v += shape * rate;
            }
        }
    }

    /// Forces of the modes at x of the last step.
    fn pushed_at(&self, x: f64) -> Vec<f64> {
        let values = self.structure.nodes.values(x);
        let push =
            |j: usize| (0..STAGES).map(|l| values[l] * self.last.pushed[l * self.structure.n + j]).sum();
        (0..self.structure.n).map(push).collect()
    }
}

impl Stepper for CondensedFlow {
    fn dynamics(&mut self) -> &mut Dynamics {
        &mut self.dynamics
    }
    fn step(&mut self, t_end: f64) -> Result<(), Error> {
        self.last.begin.clone_from(&self.last.end);
        self.last.from = self.last.t;
        loop {
            // a step begins at a multiple of its length
            while self.grid.level < MAX_LEVEL
                && self.grid.ticks & ((1 << (MAX_LEVEL - self.grid.level)) - 1) != 0
            {
                self.grid.level += 1;
            }
            let own = self.grid.longest / (1u64 << self.grid.level) as f64;
            let left = t_end - self.last.t;
            let lands = left <= own * (1.0 + 1e-9);
            let h = if lands && left < own * (1.0 - 1e-9) { left } else { own };
            let table = self.table(h);
            match self.attempt(&table) {
                Some(doubles) => {
                    if h == own {
                        self.grid.ticks += 1 << (MAX_LEVEL - self.grid.level);
                        let shortest = self.grid.longest / (1u64 << MAX_LEVEL) as f64;
                        self.last.t = self.grid.origin + self.grid.ticks as f64 * shortest;
                    }
                    if lands {
                        self.last.t = t_end;
                    }
                    if h != own {
                        (self.grid.origin, self.grid.ticks) = (self.last.t, 0);
                    }
                    let aligned = |level: u32| self.grid.ticks & ((1 << (MAX_LEVEL - level)) - 1) == 0;
                    if doubles && self.grid.level > 0 && aligned(self.grid.level - 1) {
                        self.grid.level -= 1;
                    }
                    self.last.table = Some(table);
                    return Ok(());
                }
                None if self.grid.level == MAX_LEVEL => {
                    return Err(Error::TooManySteps { t: self.last.t, limit: 1 << MAX_LEVEL });
                }
                None => self.grid.level += 1,
            }
        }
    }
    fn t(&self) -> f64 {
        self.last.t
    }
    fn t_old(&self) -> f64 {
        self.last.from
    }
    fn motion(&mut self, t: f64, out: &mut Motion) {
        let (tau, h) = (t - self.last.from, self.last.t - self.last.from);
        let mut modes = self.last.end.clone();
        if t != self.last.t {
            for (j, (state, mode)) in modes.iter_mut().zip(&self.structure.modes).enumerate() {
                let step = mode.step(&self.structure.nodes, tau, h);
                let [q, v] = self.last.begin[j];
                *state = [0, 1].map(|row: usize| step.free[row][0] * q + step.free[row][1] * v);
                for l in 0..STAGES {
                    state[0] += step.position[l] * self.last.pushed[l * self.structure.n + j];
                    state[1] += step.velocity[l] * self.last.pushed[l * self.structure.n + j];
                }
            }
        }
        out.t = t;
        self.write(&modes, &mut out.position, &mut out.velocity);
        let pushed = self.pushed_at(if h > 0.0 { tau / h } else { 0.0 });
        let rate = |j: usize| {
            pushed[j]
                - self.structure.modes[j].rate * modes[j][1]
                - self.structure.modes[j].square * modes[j][0]
        };
        let rates: Vec<f64> = (0..self.structure.n).map(rate).collect();
        for (k, a) in out.acceleration.iter_mut().enumerate() {
            *a = dot(self.structure.shape.row(k), &rates);
        }
        for (i, contact) in self.structure.contacts.iter().enumerate() {
            let v: f64 = self.structure.sliding.row(i).iter().zip(&modes).map(|(s, [_, v])| s * v).sum();
            out.sliding[i] = v - contact.belt;
            [out.friction[i], out.slope[i]] = Self::friction(contact, out.sliding[i]);
        }
    }
    /// Work and extrema follow from the motion by quadrature.
    fn accumulate(&mut self, _span: [f64; 2], _ranges: Option<&mut Ranges>) -> Result<(), Error> {
        Ok(())
    }
    fn balance(&mut self, _t: f64) -> Balance {
        Balance::default()
    }
    fn work(&self) -> Work {
        Work::default()
    }
}

impl Propagator for CondensedFlow {
    fn n_state(&self) -> usize {
        2 * self.structure.n
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        let (q, v) = x.split_at(self.structure.n);
        for (j, end) in self.last.end.iter_mut().enumerate() {
            let row = self.structure.mass_shape.row(j);
            *end = [dot(row, q), dot(row, v)];
        }
        (self.last.t, self.last.from) = (t, t);
        (self.grid.origin, self.grid.ticks) = (t, 0);
        self.grid.level = FIRST_LEVEL;
        self.last.table = None;
        Ok(())
    }
    fn state(&mut self, x: &mut [f64]) {
        let (q, v) = x.split_at_mut(self.structure.n);
        self.write(&self.last.end, q, v);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        let mut motion = Motion::zero(self.structure.n, self.structure.contacts.len());
        self.motion(self.last.t, &mut motion);
        out[..self.structure.n].copy_from_slice(&motion.velocity);
        out[self.structure.n..].copy_from_slice(&motion.acceleration);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        let Some(table) = self.last.table.clone() else { return };
        let (n, m) = (self.structure.n, self.structure.contacts.len());
        let size = m * STAGES;
        for (e, row) in self.lu.a.chunks_mut(size).enumerate() {
            let mobility = &table.mobility[e * size..(e + 1) * size];
            row.iter_mut().zip(mobility.iter().zip(&self.last.slopes)).for_each(|(x, (b, h))| *x = b * h);
            row[e] += 1.0;
        }
        if !self.lu.factor() {
            differences.data.fill(f64::NAN);
            return;
        }
        let columns = differences.n_cols;
        // into modes, all columns at once
        let mut modal = vec![0.0; 2 * n * columns];
        for (half, out) in modal.chunks_mut(n * columns).enumerate() {
            for (j, out) in out.chunks_mut(columns).enumerate() {
                for (k, w) in self.structure.mass_shape.row(j).iter().enumerate().filter(|(_, w)| **w != 0.0)
                {
                    let row = &differences.data[(half * n + k) * columns..(half * n + k + 1) * columns];
                    out.iter_mut().zip(row).for_each(|(x, d)| *x += w * d);
                }
            }
        }
        let ends = &table.steps[(STAGES - 1) * n..];
        let mut v = vec![0.0; size];
        for c in 0..columns {
            v.fill(0.0);
            for k in 0..STAGES {
                for (j, step) in table.steps[k * n..(k + 1) * n].iter().enumerate() {
                    let x = step.free[1][0] * modal[j * columns + c]
                        + step.free[1][1] * modal[(n + j) * columns + c];
                    (0..m).for_each(|i| v[i * STAGES + k] += self.structure.sliding.at(i, j) * x);
                }
            }
            self.lu.solve(&mut v);
            v.iter_mut().zip(&self.last.slopes).for_each(|(v, h)| *v *= h);
            for (j, step) in ends.iter().enumerate() {
                let [q, rate] = [modal[j * columns + c], modal[(n + j) * columns + c]];
                let mut end = [0, 1].map(|row: usize| step.free[row][0] * q + step.free[row][1] * rate);
                for i in 0..m {
                    let (s, forces) = (self.structure.sliding.at(i, j), &v[i * STAGES..(i + 1) * STAGES]);
                    end[0] -= s * dot(&step.position, forces);
                    end[1] -= s * dot(&step.velocity, forces);
                }
                (modal[j * columns + c], modal[(n + j) * columns + c]) = (end[0], end[1]);
            }
        }
        differences.data.fill(0.0);
        for (half, modal) in modal.chunks(n * columns).enumerate() {
            for k in 0..n {
                let out = &mut differences.data[(half * n + k) * columns..(half * n + k + 1) * columns];
                for (w, row) in self.structure.shape.row(k).iter().zip(modal.chunks(columns)) {
                    out.iter_mut().zip(row).for_each(|(x, d)| *x += w * d);
                }
            }
        }
    }
    fn has_balance(&self) -> bool {
        false
    }
    fn is_interpolated(&self) -> bool {
        false
    }
    fn accuracy(&self) -> f64 {
        10.0 * self.rtol
    }
    fn slope_rounding(&self) -> f64 {
        1e-9
    }
}

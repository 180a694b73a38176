//! Structures under continuous laws: the motion in natural modes, the unknowns only at the contacts.
//!
//! In a step of length h the friction forces and the loads are polynomials through their values at Radau's nodes. What such a force does to a
//! mode is known in closed form (`weights.rs`), however stiff the mode is, so that a step asks for the sliding velocities v at the nodes only:
//!
//! ```text
//!   v + B H(v) = a,      B = Σ s sᵀ ∫g′ℓ,     a: free motion and loads
//!   (I + B H′) δv = δa                        the same for differences of the state
//! ```
//!
//! a system as large as there are contacts times nodes. The length of a step depends on the friction alone, not on the rates of the structure,
//! and follows from how well the polynomial through the other nodes meets the force at the first.

mod weights;

use super::flow::Flow;
use super::starts::reference;
use crate::Error;
use crate::event::Event;
use crate::law::{Graph, Law, Slip};
use crate::math::dense::{Matrix, dot};
use crate::math::lu::Lu;
use crate::ode::Adaptive;
use crate::simulate::Balance;
use crate::system::{Contact, Motion, System, modal_rates, natural_modes};
use std::rc::Rc;
use weights::{ModeRoots, ModeStep, RadauNodes, STAGES};

/// Fewest degrees of freedom from which on this is quicker than integrating all of them.
const MIN_DEGREES: usize = 4;
/// Longest step: a part of the period of the load.
const LONGEST: f64 = 0.125;
/// Halvings of the longest step.
const MAX_LEVEL: u32 = 44;
/// The level at which a motion begins.
const FIRST_LEVEL: u32 = 5;
/// A step is doubled if its error is below this part of what is allowed: it grows as h⁷ at least.
const DOUBLE: f64 = 1.0 / 400.0;
/// Newton's steps and their halvings.
const MAX_ITERATIONS: usize = 30;
const HALVINGS: usize = 20;
/// A step of Newton's method below this part of the velocities is rounding.
const ROUNDING: f64 = 1e-15;
/// Sliding velocities below this part of what belongs to the system count as that much.
const SLOWEST: f64 = 1e-6;
/// Tables of modes that are kept, one for each length of a step.
const MAX_TABLES: usize = 64;

/// Whether periodic motions of a system are found by a flow that is condensed to the contacts.
pub fn is_condensed(system: &System) -> bool {
    let known = |contact: &Contact| {
        let law = &contact.friction.law;
        law.graph() == Graph::Continuous && !law.has_memory() && law.hold(0.0).is_none()
    };
    system.n() >= MIN_DEGREES
        && !system.is_wide()
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

/// A structure and its motion.
pub(super) struct CondensedFlow {
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
    rtol: f64,
    /// The longest step, the present level, and the step's number in units of the shortest one since `origin`.
    longest: f64,
    level: u32,
    origin: f64,
    ticks: u64,
    tables: Vec<Rc<ModeTable>>,
    /// The last step: begin, end, the state at both, and the forces of the modes at its nodes, node after node.
    from: f64,
    t: f64,
    begin: Vec<[f64; 2]>,
    end: Vec<[f64; 2]>,
    pushed: Vec<f64>,
    /// Sliding velocities at the nodes, by (contact, node), and the slopes H′ there.
    v: Vec<f64>,
    slopes: Vec<f64>,
    last: Option<Rc<ModeTable>>,
    /// The largest sliding velocity so far (m/s).
    fastest: f64,
    lu: Lu<f64>,
}

impl CondensedFlow {
    /// `None` where the damping couples the modes.
    pub fn new(system: &System, settings: &Adaptive) -> Option<Self> {
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
        Some(Self {
            n,
            contacts: system.contacts.clone(),
            nodes: RadauNodes::new(),
            modes: rates.iter().zip(&squares).map(|(rate, square)| ModeRoots::new(*rate, *square)).collect(),
            constant: in_modes(&system.constant),
            tones: tones.collect(),
            rtol: settings.rtol,
            longest: LONGEST * system.period()?,
            level: FIRST_LEVEL,
            origin: 0.0,
            ticks: 0,
            tables: Vec::new(),
            from: 0.0,
            t: 0.0,
            begin: vec![[0.0; 2]; n],
            end: vec![[0.0; 2]; n],
            pushed: vec![0.0; n * STAGES],
            v: vec![0.0; m * STAGES],
            slopes: vec![0.0; m * STAGES],
            last: None,
            fastest,
            lu: Lu::new(m * STAGES),
            shape,
            mass_shape,
            sliding,
        })
    }

    fn table(&mut self, h: f64) -> Rc<ModeTable> {
        if let Some(known) = self.tables.iter().find(|table| table.h == h) {
            return known.clone();
        }
        let m = self.contacts.len();
        let mut steps = Vec::with_capacity(self.n * STAGES);
        for at in self.nodes.at {
            steps.extend(self.modes.iter().map(|mode| mode.step(&self.nodes, at * h, h)));
        }
        let size = m * STAGES;
        let mut mobility = vec![0.0; size * size];
        for i in 0..m {
            for other in 0..m {
                for k in 0..STAGES {
                    let row = &mut mobility[(i * STAGES + k) * size + other * STAGES..][..STAGES];
                    for (j, step) in steps[k * self.n..(k + 1) * self.n].iter().enumerate() {
                        let product = self.sliding.at(i, j) * self.sliding.at(other, j);
                        row.iter_mut().zip(&step.velocity).for_each(|(b, w)| *b += product * w);
                    }
                }
            }
        }
        let table = Rc::new(ModeTable { h, steps, mobility });
        if self.tables.len() == MAX_TABLES {
            self.tables.clear();
        }
        self.tables.push(table.clone());
        table
    }

    /// Friction and its slope.
    fn friction(contact: &Contact, v: f64) -> [f64; 2] {
        let friction = &contact.friction;
        let slope = friction.law.slope(Slip::at(v)) + friction.viscous;
        [contact.load * friction.coefficient(Slip::at(v)), contact.load * slope]
    }

    /// Tries a step; says whether its error is small enough, and to be doubled.
    fn attempt(&mut self, table: &Rc<ModeTable>) -> Option<bool> {
        let (n, m, h) = (self.n, self.contacts.len(), table.h);
        let size = m * STAGES;
        // loads at the nodes
        for k in 0..STAGES {
            let pushed = &mut self.pushed[k * n..(k + 1) * n];
            pushed.copy_from_slice(&self.constant);
            for (omega, phase, amplitude) in &self.tones {
                let sine = libm::sin(omega * (self.from + self.nodes.at[k] * h) + phase);
                pushed.iter_mut().zip(amplitude).for_each(|(p, a)| *p += a * sine);
            }
        }
        // sliding velocities without friction
        let mut a = vec![0.0; size];
        for k in 0..STAGES {
            for (j, step) in table.steps[k * n..(k + 1) * n].iter().enumerate() {
                let [q, v] = self.begin[j];
                let mut x = step.free[1][0] * q + step.free[1][1] * v;
                for (l, w) in step.velocity.iter().enumerate() {
                    x += w * self.pushed[l * n + j];
                }
                (0..m).for_each(|i| a[i * STAGES + k] += self.sliding.at(i, j) * x);
            }
        }
        for (own, contact) in a.chunks_mut(STAGES).zip(&self.contacts) {
            own.iter_mut().for_each(|v| *v -= contact.belt);
        }
        if !self.solve(table, &a) {
            return None;
        }
        self.fastest = self.v.iter().fold(self.fastest, |fastest, v| fastest.max(v.abs()));
        let forces: Vec<f64> =
            (0..size).map(|e| Self::friction(&self.contacts[e / STAGES], self.v[e])[0]).collect();
        for k in 0..STAGES {
            for i in 0..m {
                let force = forces[i * STAGES + k];
                let pushed = &mut self.pushed[k * n..(k + 1) * n];
                pushed.iter_mut().zip(self.sliding.row(i)).for_each(|(p, s)| *p -= s * force);
            }
        }
        // what the first node is off the polynomial through the others, at the end of the step
        let mut error = vec![0.0; m];
        for (j, step) in table.steps[(STAGES - 1) * n..].iter().enumerate() {
            let others: f64 = (1..STAGES).map(|l| self.nodes.first[l] * self.pushed[l * n + j]).sum();
            let moved = step.velocity[0] * (self.pushed[j] - others);
            (0..m).for_each(|i| error[i] += self.sliding.at(i, j) * moved);
        }
        let error = error.iter().fold(0.0, |a: f64, e| a.max(e.abs())) / (self.rtol * self.fastest);
        if !(error <= 1.0) {
            return None;
        }
        for (j, step) in table.steps[(STAGES - 1) * n..].iter().enumerate() {
            let [q, v] = self.begin[j];
            let mut end = [0, 1].map(|row: usize| step.free[row][0] * q + step.free[row][1] * v);
            for l in 0..STAGES {
                end[0] += step.position[l] * self.pushed[l * n + j];
                end[1] += step.velocity[l] * self.pushed[l * n + j];
            }
            self.end[j] = end;
        }
        Some(error < DOUBLE)
    }

    /// v + B H(v) = a by Newton's method with halved steps; says whether it converged.
    fn solve(&mut self, table: &ModeTable, a: &[f64]) -> bool {
        let size = a.len();
        let start = |i: usize, contact: &Contact| {
            let v: f64 = self.begin.iter().zip(self.sliding.row(i)).map(|([_, v], s)| v * s).sum();
            v - contact.belt
        };
        let starts: Vec<f64> = self.contacts.iter().enumerate().map(|(i, c)| start(i, c)).collect();
        (0..size).for_each(|e| self.v[e] = starts[e / STAGES]);
        let mut forces = vec![0.0; size];
        let (mut residual, mut trial) = (vec![0.0; size], vec![0.0; size]);
        let contacts = &self.contacts;
        let mut evaluate = |v: &[f64], residual: &mut [f64], slopes: &mut [f64]| -> f64 {
            for e in 0..size {
                [forces[e], slopes[e]] = Self::friction(&contacts[e / STAGES], v[e]);
            }
            for (e, residual) in residual.iter_mut().enumerate() {
                *residual = v[e] - a[e] + dot(&table.mobility[e * size..(e + 1) * size], &forces);
            }
            residual
                .iter()
                .fold(0.0, |norm: f64, r| if r.is_nan() { f64::INFINITY } else { norm.max(r.abs()) })
        };
        let mut norm = evaluate(&self.v, &mut residual, &mut self.slopes);
        let scale = a.iter().fold(self.fastest, |scale, a| scale.max(a.abs()));
        for _ in 0..MAX_ITERATIONS {
            if norm <= ROUNDING * scale {
                return true;
            }
            for (e, row) in self.lu.a.chunks_mut(size).enumerate() {
                let mobility = &table.mobility[e * size..(e + 1) * size];
                row.iter_mut().zip(mobility.iter().zip(&self.slopes)).for_each(|(x, (b, h))| *x = b * h);
                row[e] += 1.0;
            }
            if !self.lu.factor() {
                return false;
            }
            let mut step = residual.clone();
            self.lu.solve(&mut step);
            let mut share = 1.0;
            let before = norm;
            for _ in 0..HALVINGS {
                trial.iter_mut().zip(self.v.iter().zip(&step)).for_each(|(x, (v, s))| *x = v - share * s);
                norm = evaluate(&trial, &mut residual, &mut self.slopes);
                if norm < (1.0 - 0.1 * share) * before {
                    break;
                }
                share *= 0.5;
            }
            if !(norm < before) {
                // what does not shrink any more is rounding, or the step is too long
                evaluate(&self.v, &mut residual, &mut self.slopes);
                return before <= 1e2 * ROUNDING * scale;
            }
            self.v.copy_from_slice(&trial);
        }
        false
    }

    /// Modes as positions and velocities.
    fn write(&self, modes: &[[f64; 2]], position: &mut [f64], velocity: &mut [f64]) {
        for (k, (q, v)) in position.iter_mut().zip(velocity).enumerate() {
            [*q, *v] = [0.0; 2];
            for (shape, [eta, rate]) in self.shape.row(k).iter().zip(modes) {
                *q += shape * eta;
                *v += shape * rate;
            }
        }
    }

    /// Forces of the modes at x of the last step.
    fn pushed_at(&self, x: f64) -> Vec<f64> {
        let values = self.nodes.values(x);
        let push = |j: usize| (0..STAGES).map(|l| values[l] * self.pushed[l * self.n + j]).sum();
        (0..self.n).map(push).collect()
    }
}

impl Flow for CondensedFlow {
    fn n_state(&self) -> usize {
        2 * self.n
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        let (q, v) = x.split_at(self.n);
        for (j, end) in self.end.iter_mut().enumerate() {
            let row = self.mass_shape.row(j);
            *end = [dot(row, q), dot(row, v)];
        }
        (self.t, self.from, self.origin, self.ticks) = (t, t, t, 0);
        self.level = FIRST_LEVEL;
        self.last = None;
        Ok(())
    }
    fn step(&mut self, t_end: f64) -> Result<(), Error> {
        self.begin.clone_from(&self.end);
        self.from = self.t;
        loop {
            // a step begins at a multiple of its length
            while self.level < MAX_LEVEL && self.ticks & ((1 << (MAX_LEVEL - self.level)) - 1) != 0 {
                self.level += 1;
            }
            let own = self.longest / (1u64 << self.level) as f64;
            let left = t_end - self.t;
            let lands = left <= own * (1.0 + 1e-9);
            let h = if lands && left < own * (1.0 - 1e-9) { left } else { own };
            let table = self.table(h);
            match self.attempt(&table) {
                Some(doubles) => {
                    if h == own {
                        self.ticks += 1 << (MAX_LEVEL - self.level);
                        let shortest = self.longest / (1u64 << MAX_LEVEL) as f64;
                        self.t = self.origin + self.ticks as f64 * shortest;
                    }
                    if lands {
                        self.t = t_end;
                    }
                    if h != own {
                        (self.origin, self.ticks) = (self.t, 0);
                    }
                    let aligned = |level: u32| self.ticks & ((1 << (MAX_LEVEL - level)) - 1) == 0;
                    if doubles && self.level > 0 && aligned(self.level - 1) {
                        self.level -= 1;
                    }
                    self.last = Some(table);
                    return Ok(());
                }
                None if self.level == MAX_LEVEL => {
                    return Err(Error::TooManySteps { t: self.t, limit: 1 << MAX_LEVEL });
                }
                None => self.level += 1,
            }
        }
    }
    fn t(&self) -> f64 {
        self.t
    }
    fn state(&mut self, x: &mut [f64]) {
        let (q, v) = x.split_at_mut(self.n);
        self.write(&self.end, q, v);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        let mut motion = Motion::zero(self.n, self.contacts.len());
        self.motion(self.t, &mut motion);
        out[..self.n].copy_from_slice(&motion.velocity);
        out[self.n..].copy_from_slice(&motion.acceleration);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        let Some(table) = self.last.clone() else { return };
        let (n, m) = (self.n, self.contacts.len());
        let size = m * STAGES;
        for (e, row) in self.lu.a.chunks_mut(size).enumerate() {
            let mobility = &table.mobility[e * size..(e + 1) * size];
            row.iter_mut().zip(mobility.iter().zip(&self.slopes)).for_each(|(x, (b, h))| *x = b * h);
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
                for (k, w) in self.mass_shape.row(j).iter().enumerate().filter(|(_, w)| **w != 0.0) {
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
                    (0..m).for_each(|i| v[i * STAGES + k] += self.sliding.at(i, j) * x);
                }
            }
            self.lu.solve(&mut v);
            v.iter_mut().zip(&self.slopes).for_each(|(v, h)| *v *= h);
            for (j, step) in ends.iter().enumerate() {
                let [q, rate] = [modal[j * columns + c], modal[(n + j) * columns + c]];
                let mut end = [0, 1].map(|row: usize| step.free[row][0] * q + step.free[row][1] * rate);
                for i in 0..m {
                    let (s, forces) = (self.sliding.at(i, j), &v[i * STAGES..(i + 1) * STAGES]);
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
                for (w, row) in self.shape.row(k).iter().zip(modal.chunks(columns)) {
                    out.iter_mut().zip(row).for_each(|(x, d)| *x += w * d);
                }
            }
        }
    }
    fn motion(&mut self, t: f64, out: &mut Motion) {
        let (tau, h) = (t - self.from, self.t - self.from);
        let mut modes = self.end.clone();
        if t != self.t {
            for (j, (state, mode)) in modes.iter_mut().zip(&self.modes).enumerate() {
                let step = mode.step(&self.nodes, tau, h);
                let [q, v] = self.begin[j];
                *state = [0, 1].map(|row: usize| step.free[row][0] * q + step.free[row][1] * v);
                for l in 0..STAGES {
                    state[0] += step.position[l] * self.pushed[l * self.n + j];
                    state[1] += step.velocity[l] * self.pushed[l * self.n + j];
                }
            }
        }
        out.t = t;
        self.write(&modes, &mut out.position, &mut out.velocity);
        let pushed = self.pushed_at(if h > 0.0 { tau / h } else { 0.0 });
        let rate =
            |j: usize| pushed[j] - self.modes[j].rate * modes[j][1] - self.modes[j].square * modes[j][0];
        let rates: Vec<f64> = (0..self.n).map(rate).collect();
        for (k, a) in out.acceleration.iter_mut().enumerate() {
            *a = dot(self.shape.row(k), &rates);
        }
        for (i, contact) in self.contacts.iter().enumerate() {
            let v: f64 = self.sliding.row(i).iter().zip(&modes).map(|(s, [_, v])| s * v).sum();
            out.sliding[i] = v - contact.belt;
            [out.friction[i], out.slope[i]] = Self::friction(contact, out.sliding[i]);
        }
    }
    fn events(&self) -> &[Event] {
        &[]
    }
    fn balance(&self) -> Option<Balance> {
        None
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
    fn n_parts(&mut self, _rate: f64) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::super::flow::SmoothFlow;
    use super::super::newton::walk;
    use super::*;
    use crate::law::{FrictionLaw, Tanh, Trigonometric};
    use crate::system::Harmonic;

    /// Five masses between springs, two contacts, one on a belt.
    fn chain(laws: [FrictionLaw; 2], beta: f64) -> System {
        let n = 5;
        let mut stiffness = Matrix::diagonal(&[2.0, 2.0, 2.0, 2.0, 1.0]);
        for i in 1..n {
            (*stiffness.at_mut(i, i - 1), *stiffness.at_mut(i - 1, i)) = (-1.0, -1.0);
        }
        stiffness.data.iter_mut().for_each(|k| *k *= 3.0);
        let unit = |at: usize| (0..n).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
        let contact = |law: FrictionLaw, at: usize, belt: f64| {
            let friction = crate::law::Friction { law, viscous: 0.02 };
            Contact { friction, load: 1.0, direction: unit(at), belt }
        };
        let [a, b] = laws;
        System {
            wider: Default::default(),
            mass: Matrix::diagonal(&[1.0, 0.5, 2.0, 1.0, 0.7]),
            damping: Matrix { data: stiffness.data.iter().map(|k| beta * k).collect(), ..stiffness },
            stiffness,
            contacts: vec![contact(a, 1, 0.0), contact(b, 4, 0.2)],
            constant: vec![0.0, 0.1, 0.0, 0.0, 0.0],
            harmonics: vec![
                Harmonic { amplitude: unit(0), omega: 0.9, phase: 0.3 },
                Harmonic { amplitude: unit(3), omega: 1.8, phase: 0.0 },
            ],
            position: vec![0.0; n],
            velocity: vec![0.0; n],
        }
    }

    #[test]
    fn a_period_and_its_derivative_are_those_of_the_adaptive_integrator() {
        let tanh = |width: f64| FrictionLaw::Tanh(Tanh { mu: 0.3, width });
        let trigonometric =
            FrictionLaw::Trigonometric(Trigonometric { mu: 0.3, width: 0.2, rise: None, rise_height: None });
        let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
        for (laws, beta) in [
            ([tanh(0.1), tanh(0.02)], 0.01),
            ([tanh(1e-3), trigonometric.clone()], 0.3),
            ([trigonometric, tanh(0.5)], 0.0),
        ] {
            let system = chain(laws, beta);
            let period = system.period().unwrap();
            let mut condensed = CondensedFlow::new(&system, &settings).unwrap();
            let mut smooth = SmoothFlow::new(&system, &settings).unwrap();
            let x: Vec<f64> = (0..10).map(|i| 0.3 * libm::sin(1.7 * i as f64)).collect();
            let (mut a, mut b) = (x.clone(), x.clone());
            let (mut slopes_a, mut slopes_b) = (Matrix::zeros(10, 10), Matrix::zeros(10, 10));
            walk(&mut condensed, period, &mut a, Some(&mut slopes_a)).unwrap();
            walk(&mut smooth, period, &mut b, Some(&mut slopes_b)).unwrap();
            let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let slopes =
                slopes_a.data.iter().zip(&slopes_b.data).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("beta {beta}: states apart by {off:.1e}, derivatives by {slopes:.1e}");
            assert!(off < 1e-10, "beta {beta}: {off:e}");
            assert!(slopes < 1e-6, "beta {beta}: {slopes:e}");
        }
    }

    #[test]
    fn a_contact_that_does_not_move_is_no_obstacle() {
        let tanh = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.1 });
        let mut system = chain([tanh.clone(), tanh], 0.01);
        system.contacts.truncate(1);
        system.constant.fill(0.0);
        system.harmonics.iter_mut().for_each(|tone| tone.amplitude = vec![0.0, 0.0, 0.0, 0.0, 1.0]);
        // node 1 is cut off from the rest
        for i in [0, 2, 3, 4] {
            for matrix in [&mut system.stiffness, &mut system.damping] {
                (*matrix.at_mut(1, i), *matrix.at_mut(i, 1)) = (0.0, 0.0);
            }
        }
        let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
        let mut flow = CondensedFlow::new(&system, &settings).unwrap();
        let mut x = vec![0.0; 10];
        walk(&mut flow, system.period().unwrap(), &mut x, None).unwrap();
        assert!(x[1] == 0.0 && x[4].abs() > 1e-3, "{x:?}");
    }

    #[test]
    fn the_motion_inside_a_step_obeys_its_equation() {
        let tanh = |width: f64| FrictionLaw::Tanh(Tanh { mu: 0.3, width });
        let system = chain([tanh(0.1), tanh(0.05)], 0.02);
        let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
        let mut flow = CondensedFlow::new(&system, &settings).unwrap();
        flow.begin(0.0, &[0.1; 10]).unwrap();
        let mut motion = Motion::zero(5, 2);
        for _ in 0..40 {
            let from = flow.t();
            flow.step(f64::MAX).unwrap();
            for part in [0.0, 0.2, 0.7, 1.0] {
                let t = from + part * (flow.t() - from);
                flow.motion(t, &mut motion);
                let mut force = system.constant.clone();
                for tone in &system.harmonics {
                    let sine = libm::sin(tone.omega * t + tone.phase);
                    force.iter_mut().zip(&tone.amplitude).for_each(|(f, a)| *f += a * sine);
                }
                system.mass.add_product(-1.0, &motion.acceleration, &mut force);
                system.damping.add_product(-1.0, &motion.velocity, &mut force);
                system.stiffness.add_product(-1.0, &motion.position, &mut force);
                for (contact, friction) in system.contacts.iter().zip(&motion.friction) {
                    force.iter_mut().zip(&contact.direction).for_each(|(f, w)| *f -= w * friction);
                }
                // between its nodes the polynomial of the friction is off by what the error control allows over a step
                assert!(force.iter().all(|f| f.abs() < 1e-8), "{t}: {force:?}");
            }
        }
    }
}

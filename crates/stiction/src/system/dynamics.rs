//! A system prepared for evaluation: accelerations, friction forces, the work they do, and what integrators ask.
//!
//! The state is `y = [q, q̇, z, work in, viscous loss, friction loss]`: one z for each law with memory, and three
//! integrals that feed back into nothing,
//!
//! ```text
//!   d(work in) = (f·q̇ − Σ Hᵢ beltᵢ) dt,   d(viscous loss) = q̇ᵀC q̇ dt,   d(friction loss) = Σ Hᵢ vᵢ dt,
//! ```
//!
//! so that work in = change of ½ q̇ᵀM q̇ + ½ qᵀK q + viscous loss + friction loss holds for the true motion.

use super::held::Held;
use super::marks::marks;
use super::{Motion, System};
use crate::law::{Law, Slip};
use crate::matrix::{Cholesky, Matrix, dot};

/// Number of work integrals at the end of the state.
pub const N_PASSIVE: usize = 3;

/// A sum that is smaller than this part of its terms is rounding.
///
/// A contact at rest on a moving surface would otherwise slide to and fro by the last bit, and break away twice.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Least number of steps in a period of the load, where a contact may rest.
const STEPS_PER_PERIOD: f64 = 8.0;

/// One contact, prepared.
#[derive(Clone, Debug)]
struct Contact {
    /// M⁻¹ w.
    mobility: Vec<f64>,
    /// Index of z in the state, for laws with memory.
    memory: Option<usize>,
    /// Velocities of the kinks and bends; empty for laws that answer their demand.
    breakpoints: Vec<f64>,
    /// Whether the law answers its demand at some velocity.
    answers: bool,
    // at the last evaluation
    v: f64,
    force: f64,
    /// Demand that the law sees, without the viscous part (-).
    demand: f64,
}

/// Inverse of the mass matrix, as cheap as the matrix allows.
#[derive(Clone, Debug)]
enum Inertia {
    Diagonal(Vec<f64>),
    Full(Cholesky),
}

impl Inertia {
    #[inline]
    fn solve(&self, x: &mut [f64]) {
        match self {
            Self::Diagonal(inverse) => x.iter_mut().zip(inverse).for_each(|(x, inverse)| *x *= inverse),
            Self::Full(factor) => factor.solve(x),
        }
    }
}

/// A system prepared for evaluation. Evaluation never allocates and never fails.
#[derive(Clone, Debug)]
pub struct Dynamics {
    system: System,
    inertia: Inertia,
    contacts: Vec<Contact>,
    /// G = Wᵀ M⁻¹ W.
    delassus: Matrix,
    n_memory: usize,
    /// Bound on the eigenvalues without friction (1/s).
    base_stiffness: f64,
    /// f(t) and then all loads that are not friction (N).
    load: Vec<f64>,
    residual: Vec<f64>,
    held: Held,
    held_index: Vec<usize>,
}

impl Dynamics {
    /// Prepares a system that has passed its check; `None` if its mass matrix cannot be inverted.
    pub fn new(system: &System) -> Option<Self> {
        let (n, m) = (system.n(), system.elements.len());
        let is_diagonal = (0..n).all(|i| (0..n).all(|j| i == j || system.mass.at(i, j) == 0.0));
        let inertia = if is_diagonal {
            Inertia::Diagonal((0..n).map(|i| 1.0 / system.mass.at(i, i)).collect())
        } else {
            Inertia::Full(Cholesky::new(&system.mass)?)
        };
        let mut n_memory = 0;
        let mut contacts = Vec::with_capacity(m);
        for element in &system.elements {
            let law = &element.friction.law;
            let mut mobility = element.direction.clone();
            inertia.solve(&mut mobility);
            let memory = law.has_memory().then(|| {
                n_memory += 1;
                2 * n + n_memory - 1
            });
            let answers = law.hold(0.0).is_some();
            contacts.push(Contact {
                mobility,
                memory,
                breakpoints: if answers { Vec::new() } else { marks(law) },
                answers,
                v: 0.0,
                force: 0.0,
                demand: 0.0,
            });
        }
        let mut delassus = Matrix::zeros(m, m);
        for i in 0..m {
            for (j, contact) in contacts.iter().enumerate() {
                *delassus.at_mut(i, j) = dot(&system.elements[i].direction, &contact.mobility);
            }
        }
        let columns = |matrix: &Matrix| {
            let mut product = matrix.clone();
            for j in 0..n {
                let mut column: Vec<f64> = (0..n).map(|i| matrix.at(i, j)).collect();
                inertia.solve(&mut column);
                (0..n).for_each(|i| *product.at_mut(i, j) = column[i]);
            }
            product.norm()
        };
        let base_stiffness = columns(&system.damping) + columns(&system.stiffness).sqrt();
        Some(Self {
            inertia,
            contacts,
            delassus,
            n_memory,
            base_stiffness,
            load: vec![0.0; n],
            residual: vec![0.0; n],
            held: Held::new(m),
            held_index: Vec::with_capacity(m),
            system: system.clone(),
        })
    }

    /// The system as it was given.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Number of components of the state.
    pub fn n_state(&self) -> usize {
        2 * self.system.n() + self.n_memory + N_PASSIVE
    }

    /// The state at t = 0.
    pub fn initial_state(&self) -> Vec<f64> {
        let mut y = vec![0.0; self.n_state()];
        let n = self.system.n();
        y[..n].copy_from_slice(&self.system.position);
        y[n..2 * n].copy_from_slice(&self.system.velocity);
        y
    }

    /// Kinetic and elastic energy at the state `y` (J).
    pub fn energy(&mut self, y: &[f64]) -> f64 {
        let n = self.system.n();
        let (q, v) = (&y[..n], &y[n..2 * n]);
        self.residual.fill(0.0);
        self.system.stiffness.add_product(0.5, q, &mut self.residual);
        let elastic = dot(&self.residual, q);
        self.residual.fill(0.0);
        self.system.mass.add_product(0.5, v, &mut self.residual);
        elastic + dot(&self.residual, v)
    }

    /// The external load f(t) into `out` (N).
    #[inline]
    pub fn external(&self, t: f64, out: &mut [f64]) {
        out.copy_from_slice(&self.system.constant);
        for harmonic in &self.system.harmonics {
            let sine = libm::sin(harmonic.omega * t + harmonic.phase);
            for (out, amplitude) in out.iter_mut().zip(&harmonic.amplitude) {
                *out += amplitude * sine;
            }
        }
    }

    /// Sliding velocity of contact `i` at the velocities `v` (m/s); zero if it is no more than the rounding of its terms.
    #[inline]
    pub fn sliding(&self, i: usize, v: &[f64]) -> f64 {
        let element = &self.system.elements[i];
        let (mut sum, mut size) = (-element.belt, element.belt.abs());
        for (w, v) in element.direction.iter().zip(v) {
            sum += w * v;
            size += (w * v).abs();
        }
        if sum.abs() <= ROUNDING * size { 0.0 } else { sum }
    }

    /// A bound on the rates of the system without friction (1/s).
    pub fn base_rate(&self) -> f64 {
        self.base_stiffness
    }

    /// `wᵢᵀ M⁻¹ wᵢ` (1/kg).
    pub fn compliance(&self, i: usize) -> f64 {
        self.delassus.at(i, i)
    }

    /// The friction forces at (t, y), into the contacts; leaves f − C q̇ − K q − Σ wᵢHᵢ in `residual`, f in `load`.
    #[inline]
    fn balance(&mut self, t: f64, y: &[f64]) {
        let n = self.system.n();
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let mut load = std::mem::take(&mut self.load);
        self.external(t, &mut load);
        self.load = load;
        self.residual.copy_from_slice(&self.load);
        self.system.damping.add_product(-1.0, v, &mut self.residual);
        self.system.stiffness.add_product(-1.0, q, &mut self.residual);

        // contacts whose force follows from their own velocity and memory
        self.held_index.clear();
        for i in 0..self.contacts.len() {
            let sliding = self.sliding(i, v);
            let element = &self.system.elements[i];
            let contact = &mut self.contacts[i];
            contact.v = sliding;
            let viscous = element.friction.viscous * sliding;
            let phi = if contact.answers && element.friction.law.hold(sliding).is_some() {
                self.held_index.push(i);
                viscous
            } else {
                let z = contact.memory.map_or(0.0, |k| y[k]);
                viscous + element.friction.law.coefficient(Slip { v: sliding, demand: 0.0, z })
            };
            contact.force = element.load * phi;
            for (r, w) in self.residual.iter_mut().zip(&element.direction) {
                *r -= w * contact.force;
            }
        }
        if !self.held_index.is_empty() {
            self.hold();
        }
    }

    /// The forces of the contacts that answer their demand, on top of their viscous parts.
    fn hold(&mut self) {
        let h = self.held_index.len();
        for (a, &i) in self.held_index.iter().enumerate() {
            let (element, contact) = (&self.system.elements[i], &self.contacts[i]);
            let Some(hold) = element.friction.law.hold(contact.v) else { continue };
            let own = self.delassus.at(i, i);
            self.held.b[a] = dot(&contact.mobility, &self.residual) + own * element.load * hold.shift;
            self.held.low[a] = element.load * hold.low;
            self.held.high[a] = element.load * hold.high;
            for (c, &j) in self.held_index.iter().enumerate() {
                self.held.g[a * h + c] = self.delassus.at(i, j);
            }
        }
        self.held.solve(h);
        for (a, &i) in self.held_index.iter().enumerate() {
            let element = &self.system.elements[i];
            let contact = &mut self.contacts[i];
            let row = &self.held.g[a * h..(a + 1) * h];
            let own = row[a];
            let others = dot(row, &self.held.force[..h]) - own * self.held.force[a];
            let shift = element.friction.law.hold(contact.v).map_or(0.0, |hold| hold.shift);
            contact.demand = (self.held.b[a] - others) / (own * element.load) - shift;
            contact.force += self.held.force[a];
            for (r, w) in self.residual.iter_mut().zip(&element.direction) {
                *r -= w * self.held.force[a];
            }
        }
    }

    /// The derivative of the state.
    #[inline]
    pub fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let n = self.system.n();
        self.balance(t, y);
        let v = &y[n..2 * n];
        dy[..n].copy_from_slice(v);
        dy[n..2 * n].copy_from_slice(&self.residual);
        self.inertia.solve(&mut dy[n..2 * n]);

        let (mut work_in, mut friction_loss) = (dot(&self.load, v), 0.0);
        for (element, contact) in self.system.elements.iter().zip(&self.contacts) {
            work_in -= contact.force * element.belt;
            friction_loss += contact.force * contact.v;
            if let Some(k) = contact.memory {
                dy[k] = element.friction.law.z_dot(Slip { v: contact.v, demand: 0.0, z: y[k] });
            }
        }
        let mut viscous_loss = 0.0;
        for (i, v_i) in v.iter().enumerate() {
            viscous_loss += v_i * dot(self.system.damping.row(i), v);
        }
        let passive = 2 * n + self.n_memory;
        dy[passive] = work_in;
        dy[passive + 1] = viscous_loss;
        dy[passive + 2] = friction_loss;
    }

    /// The whole motion at (t, y).
    pub fn motion(&mut self, t: f64, y: &[f64], out: &mut Motion) {
        let n = self.system.n();
        self.balance(t, y);
        out.t = t;
        out.position.copy_from_slice(&y[..n]);
        out.velocity.copy_from_slice(&y[n..2 * n]);
        out.acceleration.copy_from_slice(&self.residual);
        self.inertia.solve(&mut out.acceleration);
        for i in 0..self.contacts.len() {
            out.sliding[i] = self.contacts[i].v;
            out.friction[i] = self.contacts[i].force;
            out.slope[i] = self.slope(i, y);
        }
    }

    /// dH/dv of contact `i` at the state of the last evaluation (N s/m).
    #[inline]
    fn slope(&self, i: usize, y: &[f64]) -> f64 {
        let (element, contact) = (&self.system.elements[i], &self.contacts[i]);
        let slip = Slip { v: contact.v, demand: contact.demand, z: contact.memory.map_or(0.0, |k| y[k]) };
        element.load * (element.friction.law.slope(slip) + element.friction.viscous)
    }

    /// ∂ẏ/∂y without the work integrals, row-major.
    pub fn derivative_slopes(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        let (n, m) = (self.system.n(), self.contacts.len());
        let na = 2 * n + self.n_memory;
        jac.fill(0.0);
        self.balance(t, y);
        for i in 0..n {
            jac[i * na + n + i] = 1.0;
        }
        // −M⁻¹K and −M⁻¹C, column by column
        let mut column = std::mem::take(&mut self.load);
        for j in 0..n {
            for (matrix, offset) in [(&self.system.stiffness, 0), (&self.system.damping, n)] {
                (0..n).for_each(|i| column[i] = -matrix.at(i, j));
                self.inertia.solve(&mut column);
                (0..n).for_each(|i| jac[(n + i) * na + offset + j] += column[i]);
            }
        }
        self.load = column;
        for i in 0..m {
            let (element, contact) = (&self.system.elements[i], &self.contacts[i]);
            let law = &element.friction.law;
            let z = contact.memory.map_or(0.0, |k| y[k]);
            let slip = Slip { v: contact.v, demand: 0.0, z };
            let own = if contact.answers { 0.0 } else { law.slope(slip) };
            let slope = element.load * (own + element.friction.viscous);
            let memory = contact.memory.map(|k| (k, law.memory_slopes(slip)));
            for (row, mobility) in contact.mobility.iter().enumerate() {
                let row = &mut jac[(n + row) * na..][..na];
                for (j, w) in element.direction.iter().enumerate() {
                    row[n + j] -= mobility * slope * w;
                }
                if let Some((k, slopes)) = memory {
                    row[k] -= mobility * element.load * slopes.coefficient_z;
                }
            }
            if let Some((k, slopes)) = memory {
                jac[k * na + k] = slopes.z_dot_z;
                for (j, w) in element.direction.iter().enumerate() {
                    jac[k * na + n + j] = slopes.z_dot_v * w;
                }
            }
        }
        if self.contacts.iter().any(|contact| contact.answers) {
            self.held_slopes(jac, na);
        }
    }

    /// Adds what the contacts that answer their demand contribute to the rows of the accelerations, which hold
    /// everything else already.
    ///
    /// A contact between its bounds follows its demand, which sees the accelerations without it and the other forces; one at a
    /// bound follows its own velocity alone.
    fn held_slopes(&mut self, jac: &mut [f64], na: usize) {
        let (n, h) = (self.system.n(), self.held_index.len());
        for j in 0..na {
            for (a, &i) in self.held_index.iter().enumerate() {
                let (element, contact) = (&self.system.elements[i], &self.contacts[i]);
                let w = if (n..2 * n).contains(&j) { element.direction[j - n] } else { 0.0 };
                let slip = Slip { v: contact.v, demand: contact.demand, z: 0.0 };
                // of the shift, or of the bound
                let shift = element.load * element.friction.law.slope(slip) * w;
                let direction = element.direction.iter().enumerate();
                let free: f64 = direction.map(|(row, w)| w * jac[(n + row) * na + j]).sum();
                self.held.b[a] = free + self.delassus.at(i, i) * shift;
                self.held.force[a] = shift;
            }
            let (system, contacts, index) = (&self.system, &self.contacts, &self.held_index);
            self.held.respond(h, |a| {
                let (element, contact) = (&system.elements[index[a]], &contacts[index[a]]);
                element.friction.law.hold(contact.v).is_some_and(|hold| {
                    let phi = contact.demand + hold.shift;
                    hold.low < phi && phi < hold.high
                })
            });
            for (a, &i) in self.held_index.iter().enumerate() {
                for (row, mobility) in self.contacts[i].mobility.iter().enumerate() {
                    jac[(n + row) * na + j] -= mobility * self.held.force[a];
                }
            }
        }
    }

    /// Number of switch functions.
    pub fn n_kinks(&self) -> usize {
        self.contacts.iter().map(|c| if c.answers { 4 } else { c.breakpoints.len() }).sum()
    }

    /// The switch functions: each changes its sign where the derivative of the state has a kink, or where a smooth law
    /// begins to bend.
    pub fn kinks(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        let n = self.system.n();
        if self.contacts.iter().any(|contact| contact.answers) {
            self.balance(t, y);
        }
        let mut k = 0;
        for i in 0..self.contacts.len() {
            let sliding = self.sliding(i, &y[n..2 * n]);
            let (element, contact) = (&self.system.elements[i], &self.contacts[i]);
            if contact.answers {
                // φ = μ clamp(s + clamp(ξ, −1, 1), −1, 1): both clamps have two ends
                let law = &element.friction.law;
                let (mu, width) = (law.bound(), law.stick_speed().unwrap_or(1.0));
                let xi = contact.demand / mu;
                let sum = sliding / width + xi.clamp(-1.0, 1.0);
                out[k..k + 4].copy_from_slice(&[xi - 1.0, xi + 1.0, sum - 1.0, sum + 1.0]);
                k += 4;
            } else {
                for b in &contact.breakpoints {
                    out[k] = sliding - b;
                    k += 1;
                }
            }
        }
    }

    /// The longest step in which no change of sign of a switch function is overlooked (s).
    ///
    /// A contact that answers its demand rests while the load comes and goes: nothing moves, and steps would grow over
    /// whole periods.
    pub fn longest_step(&self) -> f64 {
        if !self.contacts.iter().any(|contact| contact.answers) {
            return f64::INFINITY;
        }
        let omega = self.system.harmonics.iter().map(|harmonic| harmonic.omega).fold(0.0, f64::max);
        std::f64::consts::TAU / omega / STEPS_PER_PERIOD
    }

    /// A bound on the fastest rate of change near the state (1/s).
    pub fn fastest_rate(&mut self, t: f64, y: &[f64]) -> f64 {
        self.balance(t, y);
        let mut rate = self.base_stiffness;
        for i in 0..self.contacts.len() {
            rate += self.delassus.at(i, i) * self.slope(i, y).abs();
            if let Some(k) = self.contacts[i].memory {
                let element = &self.system.elements[i];
                let slip = Slip { v: self.contacts[i].v, demand: 0.0, z: y[k] };
                let slopes = element.friction.law.memory_slopes(slip);
                rate += slopes.z_dot_z.abs()
                    + (self.delassus.at(i, i) * element.load * slopes.coefficient_z.abs()).sqrt();
            }
        }
        rate
    }

    /// Takes the sliding velocity out of the contacts that hold their load inside a dead zone (Karnopp), with the least
    /// change of kinetic energy. Says whether anything was changed.
    pub(crate) fn settle(&mut self, t: f64, y: &mut [f64]) -> bool {
        use crate::law::Graph;
        let n = self.system.n();
        let resting = |law: &crate::law::FrictionLaw| law.graph() == Graph::Jump && law.hold(0.0).is_some();
        if !self.system.elements.iter().any(|element| resting(&element.friction.law)) {
            return false;
        }
        self.balance(t, y);
        let mut changed = false;
        // one contact after the other; those that share a body settle over the following steps
        for (element, contact) in self.system.elements.iter().zip(&self.contacts) {
            let law = &element.friction.law;
            if !resting(law) || law.hold(contact.v).is_none() || contact.demand.abs() > law.bound() {
                continue;
            }
            let v = &mut y[n..2 * n];
            let sliding = dot(&element.direction, v) - element.belt;
            let own = dot(&element.direction, &contact.mobility);
            for (v, mobility) in v.iter_mut().zip(&contact.mobility) {
                *v -= mobility * sliding / own;
            }
            changed |= sliding != 0.0;
        }
        changed
    }
}

//! A system prepared for evaluation: all that never changes along a motion.

use super::scales::SystemScales;
use super::stops::{self, StopElement};
use crate::law::{FrictionBounds, Graph, Law, Slider};
use crate::math::dense::{Matrix, dot};
use crate::math::twice;
use crate::system::box_problem::BoxProblem;
use crate::system::inertia::Inertia;
use crate::system::step_limits::marks;
use crate::system::{Contact, Motion, N_PASSIVE, System};
use std::ops::Range;

/// From so many degrees of freedom on, entries that are zero are left out of sums.
const MANY_DEGREES: usize = 16;

/// A contact, prepared.
#[derive(Clone, Debug)]
pub(super) struct ContactElement {
    /// M⁻¹ w.
    pub mobility: Vec<f64>,
    /// Place of the internal states of the law in the state; empty for laws without memory.
    pub memory: Range<usize>,
    /// Velocities of the kinks and bends; empty for force-dependent laws.
    pub breakpoints: Vec<f64>,
    /// Number of switches of the law by its internal states.
    pub n_switches: usize,
    /// Whether the law is force-dependent, but for set-valued laws.
    pub answers: bool,
    /// The one degree of freedom that the contact acts on, if it is one, and its entry of the direction.
    pub alone: Option<(usize, f64)>,
    /// Redundant contacts that come to rest by force-dependent laws, this one among them; empty if it is alone.
    pub partners: Vec<usize>,
    /// Whether the law is set-valued at rest.
    pub is_set_valued: bool,
    /// The springs of a law that is made of them.
    pub sliders: Vec<Slider>,
}

impl ContactElement {
    /// Whose internal states begin at `first`.
    fn new(contact: &Contact, inertia: &Inertia, first: usize) -> Self {
        let law = &contact.friction.law;
        let mut mobility = contact.direction.clone();
        inertia.solve(&mut mobility);
        let is_set_valued = law.graph() == Graph::SetValued;
        let answers = law.friction_bounds(0.0, &[]).is_some() && !is_set_valued;
        let mut breakpoints = if answers { Vec::new() } else { marks(law) };
        // the mode of a contact has guards of its own
        breakpoints.retain(|b| *b != 0.0 || !(is_set_valued || law.sliders().is_some()));
        let mut driven = contact.direction.iter().copied().enumerate().filter(|(_, w)| *w != 0.0);
        Self {
            mobility,
            memory: first..first + law.n_states(),
            breakpoints,
            n_switches: if answers { 0 } else { law.n_switches() },
            answers,
            alone: driven.next().filter(|_| driven.next().is_none()),
            partners: Vec::new(),
            is_set_valued,
            sliders: law.sliders().unwrap_or_default(),
        }
    }

    /// Number of guards of the law itself.
    pub fn n_own_guards(&self) -> usize {
        if self.answers { 4 } else { self.breakpoints.len() + self.n_switches }
    }

    /// Number of guards of its mode.
    pub fn n_mode_guards(&self) -> usize {
        2 * usize::from(self.is_set_valued) + 2 * self.sliders.len()
    }

    /// Where the state says which springs slip, where that does not follow from their deflections.
    pub fn slip_places(&self) -> Range<usize> {
        if self.sliders.is_empty() { 0..0 } else { self.memory.start + self.sliders.len()..self.memory.end }
    }
}

/// A system, prepared.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub system: System,
    pub inertia: Inertia,
    pub contacts: Vec<ContactElement>,
    /// The rigid stops first.
    pub stops: Vec<StopElement>,
    /// Number of rigid stops.
    pub n_stops: usize,
    /// G = Wᵀ M⁻¹ W of rigid stops and contacts.
    pub delassus: Matrix,
    /// Number of states of laws and feedback.
    pub n_memory: usize,
    pub scales: SystemScales,
    /// Whether the stiffness has no potential.
    pub is_circulatory: bool,
    /// Whether all forces follow from the velocities: no law has memory or depends on the force, and there are
    /// no other elements.
    pub is_plain: bool,
    /// Whether there are elements beside masses, springs, dampers and contacts.
    pub has_elements: bool,
    /// Whether contacts or stops have modes.
    pub is_hybrid: bool,
    /// Whether a contact creeps instead of sticking, however slowly.
    pub creeps: bool,
    /// The entries of K and M that are not zero, row by row; nothing of small ones.
    rows: [Vec<Vec<(usize, f64)>>; 2],
}

/// The entries of a matrix that are not zero, row by row; nothing of a small one.
fn entries(matrix: &Matrix) -> Vec<Vec<(usize, f64)>> {
    let row = |i: usize| matrix.row(i).iter().copied().enumerate().filter(|(_, a)| *a != 0.0).collect();
    if matrix.n_rows < MANY_DEGREES { Vec::new() } else { (0..matrix.n_rows).map(row).collect() }
}

impl Prepared {
    /// `None` if the mass matrix of a system cannot be inverted, or if its parts are of different sizes.
    pub fn new(system: &System) -> Option<Self> {
        if !system.has_matching_sizes() {
            return None;
        }
        let inertia = Inertia::new(&system.mass)?;
        let mut n_memory = 0;
        let mut contacts = Vec::with_capacity(system.contacts.len());
        for contact in &system.contacts {
            let own = ContactElement::new(contact, &inertia, 2 * system.n() + n_memory);
            n_memory += own.memory.len();
            contacts.push(own);
        }
        n_memory += system.elements.feedback.as_ref().map_or(0, |feedback| feedback.initial.len());
        let stops = stops::prepared(system, &inertia);
        let depends = |c: &Contact| c.friction.law.friction_bounds(0.0, &[]).is_some();
        let is_plain = n_memory == 0 && system.elements.is_empty() && !system.contacts.iter().any(depends);
        let is_hybrid = !stops.is_empty() || contacts.iter().any(|contact| contact.n_mode_guards() > 0);
        let mut own = Self {
            scales: SystemScales::new(system, &inertia),
            n_stops: system.elements.stops.len(),
            delassus: Matrix::zeros(0, 0),
            n_memory,
            is_circulatory: system.stiffness.asymmetry().is_some(),
            is_plain,
            has_elements: !system.elements.is_empty(),
            is_hybrid,
            creeps: system.contacts.iter().any(|own| own.friction.law.scales().creep_speed.is_some()),
            rows: [entries(&system.stiffness), entries(&system.mass)],
            system: system.clone(),
            inertia,
            contacts,
            stops,
        };
        own.delassus = own.delassus_matrix();
        Some(own)
    }

    /// G = Wᵀ M⁻¹ W.
    fn delassus_matrix(&self) -> Matrix {
        let n = self.n_constraints();
        let mut delassus = Matrix::zeros(n, n);
        for c in 0..n {
            let alone = c.checked_sub(self.n_stops).and_then(|i| self.contacts[i].alone);
            for d in 0..n {
                let mobility = self.mobility(d);
                *delassus.at_mut(c, d) =
                    alone.map_or_else(|| dot(self.direction(c), mobility), |(k, w)| w * mobility[k]);
            }
        }
        delassus
    }

    /// Number of degrees of freedom.
    #[inline]
    pub fn n(&self) -> usize {
        self.system.n()
    }

    /// Number of components of the state.
    pub fn n_state(&self) -> usize {
        2 * self.n() + self.n_memory + N_PASSIVE
    }

    /// Where the states of feedback stand in the state.
    pub fn feedback_states(&self) -> Range<usize> {
        let end = 2 * self.n() + self.n_memory;
        end - self.system.elements.feedback.as_ref().map_or(0, |feedback| feedback.initial.len())..end
    }

    /// Number of constraints: rigid stops, then contacts.
    pub fn n_constraints(&self) -> usize {
        self.n_stops + self.contacts.len()
    }

    /// Direction w of a constraint.
    #[inline]
    pub fn direction(&self, c: usize) -> &[f64] {
        match c.checked_sub(self.n_stops) {
            Some(i) => &self.system.contacts[i].direction,
            None => &self.system.elements.stops[c].direction,
        }
    }

    /// M⁻¹ w of a constraint.
    #[inline]
    pub fn mobility(&self, c: usize) -> &[f64] {
        match c.checked_sub(self.n_stops) {
            Some(i) => &self.contacts[i].mobility,
            None => &self.stops[c].mobility,
        }
    }

    /// `wᵢᵀ M⁻¹ wⱼ` of two contacts (1/kg).
    #[inline]
    pub fn delassus(&self, i: usize, j: usize) -> f64 {
        self.delassus.at(self.n_stops + i, self.n_stops + j)
    }

    /// Contacts with force-dependent laws that are redundant: sets the partners of those that come to rest together.
    /// Returns whether there are any. `held` is scratch.
    pub fn couple(&mut self, held: &mut BoxProblem) -> bool {
        let answering: Vec<usize> = (0..self.contacts.len()).filter(|i| self.contacts[*i].answers).collect();
        let n = answering.len();
        for (k, g) in held.g[..n * n].iter_mut().enumerate() {
            *g = self.delassus(answering[k / n], answering[k % n]);
        }
        if n < 2 || !held.is_redundant(n) {
            return false;
        }
        let set = held.dependent_sets(n);
        // Karnopp's law holds what it finds, whatever its velocity
        let settles = |&a: &usize| {
            let law = &self.system.contacts[answering[a]].friction.law;
            let within = law.scales().transition.and_then(|width| law.friction_bounds(0.5 * width, &[]));
            within.is_some_and(|bounds| bounds.shift != 0.0)
        };
        let settling: Vec<usize> = (0..n).filter(settles).collect();
        for &a in &settling {
            let of_set = settling.iter().filter(|&&b| set[b] == set[a]);
            let partners: Vec<usize> = of_set.map(|b| answering[*b]).collect();
            self.contacts[answering[a]].partners = if partners.len() > 1 { partners } else { Vec::new() };
        }
        true
    }

    /// The range of the friction of a contact over its load at zero velocity (-).
    pub fn range_at_rest(&self, i: usize) -> Option<FrictionBounds> {
        self.system.contacts[i].friction.law.friction_bounds(0.0, &[])
    }

    /// Kinetic and elastic energy of a motion (J); `product` is scratch.
    pub fn stored(&self, motion: &Motion, product: &mut [f64]) -> f64 {
        // of a stiff structure most of K q cancels
        let mut energy = |matrix: &Matrix, rows: &[Vec<(usize, f64)>], x: &[f64]| {
            for (i, product) in product.iter_mut().enumerate() {
                *product = 0.5
                    * match rows.get(i) {
                        Some(row) => twice::sum(row.iter().map(|&(j, a)| (a, x[j]))),
                        None => twice::dot(matrix.row(i), x),
                    };
            }
            dot(product, x)
        };
        let ([stiff, heavy], elements) = (&self.rows, &self.system.elements);
        let springs = elements.thresholds.iter().map(|threshold| threshold.potential(&motion.position));
        let curved = elements.curved.iter().map(|spring| spring.potential(motion.t, &motion.position));
        energy(&self.system.stiffness, stiff, &motion.position)
            + energy(&self.system.mass, heavy, &motion.velocity)
            + springs.chain(curved).sum::<f64>()
    }

    /// Power of the part of the stiffness that has no potential, −q̇ᵀ ½(K − Kᵀ) q (W).
    pub fn circulatory_power(&self, q: &[f64], v: &[f64]) -> f64 {
        let k = &self.system.stiffness;
        let entry = |i: usize, j: usize| 0.5 * (k.at(i, j) - k.at(j, i));
        let row = |i: usize| (0..q.len()).map(|j| entry(i, j) * q[j]).sum::<f64>();
        -(0..v.len()).map(|i| v[i] * row(i)).sum::<f64>()
    }
}

//! The right-hand side: loads, friction forces and reactions at a state in a regime (the rates that follow: `rates.rs`).

use super::prepared::Prepared;
use super::regime::Regime;
use super::springs::Springs;
use super::stops::StopForce;
use crate::contact::{ContactMode, Distribution, Side, StopMode};
use crate::law::{FrictionBounds, Law, SliderLag, Slip, StateSlopes};
use crate::math::dense::dot;
use crate::system::System;
use crate::system::box_problem::BoxProblem;
use crate::system::evaluated_elements::EvaluatedElements;

/// A sum that is smaller than this part of its terms is rounding.
///
/// A contact at rest on a moving surface would otherwise slide to and fro by the last bit, and break away
/// twice.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A contact at the last evaluation.
#[derive(Clone, Debug)]
pub(super) struct ContactForce {
    /// Bounds of the friction over the load, where the law has some.
    pub bounds: FrictionBounds,
    /// How the limits of the springs follow the velocity, where they depend on it.
    pub lag: Option<SliderLag>,
    /// Normal load, which is negative while a contact under a varying load is open (N).
    pub normal: f64,
    /// Normal load that presses (N).
    pub load: f64,
    /// Velocity of the counter-surface (m/s).
    pub belt: f64,
    /// Its acceleration (m/s²).
    pub belt_rate: f64,
    pub v: f64,
    pub force: f64,
    /// Friction that keeps it at rest while it sticks, also where it yields (N).
    pub reaction: f64,
    /// Demand that the law sees, without the viscous part (-).
    pub demand: f64,
    /// Derivatives by the internal states.
    pub slopes: StateSlopes,
}

/// wᵀv − belt; zero if it is smaller than this part of its terms.
#[inline]
fn relative(direction: &[f64], belt: f64, v: &[f64], rounding: f64) -> f64 {
    let (mut sum, mut size) = (-belt, belt.abs());
    for (w, v) in direction.iter().zip(v) {
        sum += w * v;
        size += (w * v).abs();
    }
    if sum.abs() <= rounding * size { 0.0 } else { sum }
}

/// The right-hand side at the last evaluation.
#[derive(Clone, Debug)]
pub(super) struct Forces {
    /// Signals, varying contacts and feedback at the clock.
    pub elements: EvaluatedElements,
    pub contacts: Vec<ContactForce>,
    pub stops: Vec<StopForce>,
    /// f(t) and then all loads that are not friction (N).
    pub load: Vec<f64>,
    /// f − C q̇ − K q − Σ wᵢHᵢ (N).
    pub residual: Vec<f64>,
    pub held: BoxProblem,
    /// What it is solved for: the constraints of the basis, and contacts with force-dependent laws.
    pub held_index: Vec<usize>,
    /// How contacts with force-dependent laws share their forces, where some are redundant.
    pub share: Option<Box<Distribution>>,
}

impl Forces {
    /// Sets the partners of redundant contacts besides.
    pub fn new(prepared: &mut Prepared) -> Self {
        let (n, m, n_constraints) = (prepared.n(), prepared.contacts.len(), prepared.n_constraints());
        let mut held = BoxProblem::new(n_constraints);
        let is_redundant = prepared.couple(&mut held);
        let contacts =
            prepared.system.contacts.iter().zip(&prepared.contacts).map(|(contact, own)| ContactForce {
                bounds: FrictionBounds::symmetric(0.0),
                lag: contact.friction.law.lag(0.0),
                normal: contact.load,
                load: contact.load,
                belt: contact.belt,
                belt_rate: 0.0,
                v: 0.0,
                force: 0.0,
                reaction: 0.0,
                demand: 0.0,
                slopes: StateSlopes::new(own.memory.len()),
            });
        Self {
            elements: EvaluatedElements::new(&prepared.system),
            contacts: contacts.collect(),
            stops: vec![StopForce::default(); prepared.stops.len()],
            load: vec![0.0; n],
            residual: vec![0.0; n],
            held,
            held_index: Vec::with_capacity(n_constraints),
            share: is_redundant.then(|| Box::new(Distribution::new(m))),
        }
    }

    /// The external load f(t) into `out` (N).
    #[inline]
    pub fn external(system: &System, elements: &EvaluatedElements, t: f64, out: &mut [f64]) {
        out.copy_from_slice(&system.constant);
        elements.add_loads(t, out);
        for harmonic in &system.harmonics {
            let sine = libm::sin(harmonic.omega * t + harmonic.phase);
            for (out, amplitude) in out.iter_mut().zip(&harmonic.amplitude) {
                *out += amplitude * sine;
            }
        }
    }

    /// Sliding velocity of contact `i` at the velocities `v` (m/s); zero if it is no more than the rounding of
    /// its terms.
    #[inline]
    pub fn sliding(&self, prepared: &Prepared, i: usize, v: &[f64]) -> f64 {
        self.sliding_beyond(prepared, i, v, ROUNDING)
    }

    /// The same; zero if it is smaller than this part of its terms.
    #[inline]
    pub fn sliding_beyond(&self, prepared: &Prepared, i: usize, v: &[f64], rounding: f64) -> f64 {
        relative(&prepared.system.contacts[i].direction, self.contacts[i].belt, v, rounding)
    }

    /// Velocity of the counter-surface or the stop of a constraint (m/s), and its rate (m/s²).
    #[inline]
    pub fn belt(&self, prepared: &Prepared, c: usize) -> [f64; 2] {
        match c.checked_sub(prepared.n_stops) {
            Some(i) => [self.contacts[i].belt, self.contacts[i].belt_rate],
            None => [self.stops[c].moved[1], self.stops[c].moved[2]],
        }
    }

    /// Normal loads, belts and places of stops at (t, y).
    #[inline]
    pub fn read_inputs(&mut self, prepared: &Prepared, t: f64, y: &[f64]) {
        if !prepared.has_elements {
            return;
        }
        let (n, elements) = (prepared.n(), &self.elements);
        for k in 0..elements.n_contacts() {
            let (i, [normal, belt, rate]) = elements.contact(k, t, &y[..n], &y[n..2 * n]);
            let own = &mut self.contacts[i];
            (own.normal, own.load) = (normal, normal.max(0.0));
            (own.belt, own.belt_rate) = (belt, rate);
        }
        for (place, moved) in elements.moving_stops(t) {
            let here = prepared.stops.iter().zip(&mut self.stops).filter(|(stop, _)| stop.place == place);
            here.for_each(|(_, own)| own.moved = moved);
        }
    }

    /// Loads, friction forces and reactions at (t, y).
    #[inline]
    pub fn evaluate(&mut self, prepared: &Prepared, regime: &Regime, t: f64, y: &[f64]) {
        let n = prepared.n();
        if n == 1 && prepared.is_plain {
            self.evaluate_one(prepared, t, y[0], y[1]);
            return;
        }
        let (q, v) = (&y[..n], &y[n..2 * n]);
        self.read_inputs(prepared, t, y);
        let system = &prepared.system;
        let Self { elements, load, residual, .. } = self;
        Self::external(system, elements, t, load);
        if prepared.has_elements {
            let state = [q, v, &y[prepared.feedback_states()]];
            elements.add_feedback(t, state, load);
            elements.add_thresholds(t, state, false, load);
        }
        residual.copy_from_slice(load);
        system.damping.add_product(-1.0, v, residual);
        system.stiffness.add_product(-1.0, q, residual);
        if prepared.has_elements {
            elements.add_thresholds(t, [q, v, &y[prepared.feedback_states()]], true, residual);
            elements.add_curved(t, q, residual);
            for ((stop, own), mode) in prepared.stops.iter().zip(&self.stops).zip(&regime.stops) {
                if *mode == StopMode::Closed {
                    let force = stop.sign * stop.spring_force(q, v, own);
                    residual.iter_mut().zip(&stop.direction).for_each(|(r, w)| *r -= w * force);
                }
            }
        }

        // contacts whose force follows from their own velocity and memory
        let Self { contacts, residual, held_index, .. } = self;
        held_index.clear();
        held_index.extend_from_slice(&regime.basis.members);
        let all = system.contacts.iter().zip(&prepared.contacts).zip(&regime.contacts).zip(contacts);
        for (i, (((contact, fixed), modes), own)) in all.enumerate() {
            own.v = modes.placed(relative(&contact.direction, own.belt, v, ROUNDING));
            let viscous = contact.friction.viscous * own.v;
            let (law, z) = (&contact.friction.law, &y[fixed.memory.clone()]);
            let phi = if let Some(ContactMode::Stick { yields, .. }) = modes.mode {
                own.bounds = law.friction_bounds(0.0, z).unwrap_or(own.bounds);
                match yields {
                    None => 0.0,
                    Some(Side::High) => own.bounds.high,
                    Some(Side::Low) => own.bounds.low,
                }
            } else if fixed.answers
                && let Some(bounds) = law.friction_bounds(own.v, &[])
            {
                own.bounds = bounds;
                held_index.push(prepared.n_stops + i);
                viscous
            } else if modes.is_static {
                if own.v > 0.0 { own.bounds.high } else { own.bounds.low }
            } else {
                if own.lag.is_some() {
                    own.lag = law.lag(own.v);
                }
                viscous
                    + match fixed.sliders.is_empty() {
                        true => law.coefficient(Slip { v: own.v, demand: 0.0, z }),
                        false => Springs::new(fixed, modes, own.lag).coefficient(z),
                    }
            };
            own.force = own.load * phi;
            for (r, w) in residual.iter_mut().zip(&contact.direction) {
                *r -= w * own.force;
            }
        }
        if !held_index.is_empty() {
            self.hold(prepared, regime);
        }
    }

    /// The same for one degree of freedom with plain laws, number by number and to the same bits.
    ///
    /// Returns the work put in and the loss to friction, per time.
    #[inline(always)]
    pub fn evaluate_one(&mut self, prepared: &Prepared, t: f64, q: f64, v: f64) -> [f64; 2] {
        let System { constant, harmonics, damping, stiffness, contacts, .. } = &prepared.system;
        let mut load = constant[0];
        for harmonic in harmonics {
            load += harmonic.amplitude[0] * libm::sin(harmonic.omega * t + harmonic.phase);
        }
        let mut residual = load - damping.data[0] * v;
        residual -= stiffness.data[0] * q;
        let (mut work_in, mut friction_loss) = (load * v, 0.0);
        for (contact, own) in contacts.iter().zip(&mut self.contacts) {
            let (w, belt) = (contact.direction[0], contact.belt);
            let (sum, size) = (w * v - belt, (w * v).abs() + belt.abs());
            own.v = if sum.abs() <= ROUNDING * size { 0.0 } else { sum };
            let viscous = contact.friction.viscous * own.v;
            let slip = Slip { v: own.v, demand: 0.0, z: &[] };
            own.force = contact.load * (viscous + contact.friction.law.coefficient(slip));
            residual -= w * own.force;
            work_in -= own.force * belt;
            friction_loss += own.force * own.v;
        }
        (self.load[0], self.residual[0]) = (load, residual);
        [work_in, friction_loss]
    }

    /// The forces of the constraints and of force-dependent laws, on top of viscous parts.
    fn hold(&mut self, prepared: &Prepared, regime: &Regime) {
        let (h, n_members) = (self.held_index.len(), regime.basis.members.len());
        for (a, &c) in self.held_index.iter().enumerate() {
            let free = dot(prepared.mobility(c), &self.residual);
            self.held.b[a] = free - self.belt(prepared, c)[1];
            if a >= n_members {
                let i = c - prepared.n_stops;
                let own = &self.contacts[i];
                let settling = prepared.delassus.at(c, c) * own.load * own.bounds.shift;
                self.held.b[a] += self.joint_rate(prepared, i).map_or(settling, |rate| rate * own.v);
            }
        }
        if h == n_members {
            self.held.force[..h].copy_from_slice(&self.held.b[..h]);
            regime.basis.solve(&mut self.held.force[..h]);
        } else {
            self.solve_bounded(prepared, n_members);
        }
        for (&c, force) in self.held_index.iter().zip(&self.held.force) {
            self.residual.iter_mut().zip(prepared.direction(c)).for_each(|(r, w)| *r -= w * force);
        }
        self.set_constraint_forces(prepared, regime);
        for (a, &c) in self.held_index.iter().enumerate().skip(n_members) {
            let own_g = prepared.delassus.at(c, c);
            let own = &mut self.contacts[c - prepared.n_stops];
            let row = &self.held.g[a * h..(a + 1) * h];
            let others = dot(row, &self.held.force[..h]) - own_g * self.held.force[a];
            let demand = (self.held.b[a] - others) / (own_g * own.load) - own.bounds.shift;
            // nothing is asked of an open contact
            own.demand = if own.load > 0.0 { demand } else { 0.0 };
            own.force += self.held.force[a];
        }
    }

    /// The forces of the constraints after a solution, whose first members are the basis.
    fn set_constraint_forces(&mut self, prepared: &Prepared, regime: &Regime) {
        let (basis, shares) = (&regime.basis.members, &regime.shares);
        if basis.is_empty() && !shares.is_shared {
            return;
        }
        let Self { contacts, stops, held, .. } = self;
        let force = &held.force[..basis.len()];
        for (&c, force) in basis.iter().zip(force) {
            match c.checked_sub(prepared.n_stops) {
                None => stops[c].reaction = *force,
                Some(i) => contacts[i].reaction = *force,
            }
        }
        for (i, (own, modes)) in contacts.iter_mut().zip(&regime.contacts).enumerate() {
            let Some(mode) = modes.mode.filter(|mode| mode.sticks()) else { continue };
            if shares.is_shared {
                own.reaction = shares.force(i, force);
            }
            // nothing is asked of an open contact
            own.demand = if own.load > 0.0 { own.reaction / own.load } else { 0.0 };
            if mode.yields() {
                continue;
            }
            own.force += own.reaction;
            if shares.is_shared {
                for (&c, part) in basis.iter().zip(shares.stop_share(i)) {
                    stops[c].reaction += -part * own.reaction;
                }
            }
        }
    }

    /// Solves for forces of which those beyond the first are bounded.
    fn solve_bounded(&mut self, prepared: &Prepared, n_members: usize) {
        let (h, n_stops) = (self.held_index.len(), prepared.n_stops);
        for (a, &c) in self.held_index.iter().enumerate() {
            let [low, high] =
                match c.checked_sub(n_stops).map(|i| &self.contacts[i]).filter(|_| a >= n_members) {
                    Some(own) => [own.bounds.low * own.load, own.bounds.high * own.load],
                    None => [f64::NEG_INFINITY, f64::INFINITY],
                };
            (self.held.low[a], self.held.high[a]) = (low, high);
        }
        self.fill_held(prepared);
        self.held.solve(h);
        // what a redundant contact is asked for depends on what the others hold
        let has_partners = |c: &usize| !prepared.contacts[c - n_stops].partners.is_empty();
        if self.held_index[n_members..].iter().any(has_partners)
            && self.divide(prepared, n_members)
            && let Some(share) = &self.share
        {
            for (a, &c) in self.held_index.iter().enumerate().skip(n_members) {
                self.held.force[a] = share.force[c - n_stops];
            }
        }
    }

    /// G of what is solved for.
    pub fn fill_held(&mut self, prepared: &Prepared) {
        let h = self.held_index.len();
        for (a, &c) in self.held_index.iter().enumerate() {
            for (e, &d) in self.held_index.iter().enumerate() {
                self.held.g[a * h + e] = prepared.delassus.at(c, d);
            }
        }
    }

    /// How fast contact `i` comes to rest with its partners (1/s): like one contact with the friction of all,
    /// since what each asks of the others would contradict what these ask of it.
    pub fn joint_rate(&self, prepared: &Prepared, i: usize) -> Option<f64> {
        let rate = |&j: &usize| {
            let width = prepared.system.contacts[j].friction.law.scales().transition.unwrap_or(1.0);
            let half = prepared.range_at_rest(j).map_or(0.0, |bounds| 0.5 * (bounds.high - bounds.low));
            prepared.delassus(j, j) * self.contacts[j].load * half / width
        };
        let partners = &prepared.contacts[i].partners;
        (!partners.is_empty()).then(|| partners.iter().map(rate).sum())
    }

    /// Divides the forces of redundant contacts with force-dependent laws, which stand after the first; the
    /// motion does not change. Returns whether there are any.
    pub fn divide(&mut self, prepared: &Prepared, first: usize) -> bool {
        let (h, n_stops) = (self.held_index.len(), prepared.n_stops);
        let Self { share, held, held_index, .. } = self;
        let Some(share) = share.as_mut().filter(|_| h > first + 1) else { return false };
        share.range.fill(None);
        for (a, c) in held_index.iter().enumerate().skip(first) {
            share.force[c - n_stops] = held.force[a];
            // one that is pressed against its bound keeps it
            share.range[c - n_stops] = (held.pull(h, a) == 0.0).then(|| [held.low[a], held.high[a]]);
        }
        share.divide(&prepared.delassus, n_stops)
    }
}

//! What follows from the terms of one order, or from a difference: forces, accelerations, rates.

use super::model::Model;
use super::row::{Terms, sparse_dot, subtract};
use super::stretch::Stretch;
use crate::contact::ContactMode;

/// What is left of a sum that is smaller than this part of its terms is their rounding.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

/// Accelerations, forces and rates that follow from the terms of one order, or from a difference.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderResponse {
    pub acceleration: Vec<f64>,
    /// Friction forces, of a contact that yields what it would carry without its limit.
    pub force: Vec<f64>,
    /// Reactions of the rigid stops.
    pub reaction: Vec<f64>,
    pub state_rate: Vec<f64>,
    pub held: Vec<f64>,
    before: Vec<f64>,
}

impl OrderResponse {
    pub fn new(model: &Model) -> Self {
        let (m, k) = (model.contacts.len(), model.stops.len());
        Self {
            acceleration: vec![0.0; model.n],
            force: vec![0.0; m],
            reaction: vec![0.0; k],
            state_rate: vec![0.0; model.n_states()],
            held: vec![0.0; m + k],
            before: vec![0.0; model.n],
        }
    }
}

impl Stretch {
    /// From external loads in `out.acceleration` and the terms of an order: accelerations, forces and rates.
    pub(super) fn respond(&self, model: &Model, terms: &Terms, out: &mut OrderResponse) {
        self.apply_forces(model, terms, out);
        model.apply_mobility(&mut out.acceleration);
        out.reaction.fill(0.0);
        if !self.basis.members.is_empty() {
            self.constrain(model, terms, out);
        }
    }

    /// Forces of all elements but the constraints, and rates of the states.
    fn apply_forces(&self, model: &Model, terms: &Terms, out: &mut OrderResponse) {
        let r = &mut out.acceleration[..];
        for (r, (damping, stiffness)) in r.iter_mut().zip(model.damping.iter().zip(&model.stiffness)) {
            *r -= sparse_dot(damping, terms.v) + sparse_dot(stiffness, terms.q);
        }
        for (slot, row) in out.state_rate[model.sliders.len()..].iter_mut().zip(&model.feedback.states) {
            *slot = row.at(terms);
        }
        if !terms.signals.is_empty() {
            for (direction, k) in &model.loads.by_signal {
                subtract(direction, -terms.signals[*k], r);
            }
        }
        for (k, row) in &model.feedback.forces {
            r[*k] += row.at(terms);
        }
        for element in model.acting(&self.regime.one_sided) {
            let force = element.force.at(terms);
            subtract(&element.direction, force, r);
            subtract(&element.rate, force, &mut out.state_rate);
        }
        for (i, contact) in model.contacts.iter().enumerate() {
            let force = match self.regime.contacts[i] {
                ContactMode::Slip { piece } => {
                    let piece = contact.line.pieces[piece];
                    let own = piece.force + self.excess[i];
                    let mut force = if contact.varies {
                        own * contact.normal.at(terms)
                    } else if terms.is_start {
                        own
                    } else {
                        0.0
                    };
                    if piece.slope != 0.0 {
                        force += piece.slope * contact.sliding.at(terms);
                    }
                    for k in contact.sliders.clone() {
                        force += model.sliders[k].stiffness * terms.x[k];
                    }
                    force
                }
                ContactMode::Stick { yields: Some(_), .. } => {
                    self.yield_limit(model, i).unwrap_or(0.0) * contact.normal.at(terms)
                }
                ContactMode::Stick { .. } | ContactMode::Open => 0.0,
            };
            out.force[i] = force;
            if force != 0.0 {
                subtract(&contact.direction, force, r);
            }
        }
        for (k, slider) in model.sliders.iter().enumerate() {
            let follows = self.regime.sliders[k].sticks() && slider.holds();
            out.state_rate[k] = if follows { model.contacts[slider.contact].sliding.at(terms) } else { 0.0 };
        }
    }

    /// Forces of the constraints, and what they take from the accelerations.
    fn constrain(&self, model: &Model, terms: &Terms, out: &mut OrderResponse) {
        let n_stops = model.stops.len();
        let r = &mut out.acceleration[..];
        for (a, &c) in self.basis.members.iter().enumerate() {
            let [direction, _] = model.constraint(c);
            out.held[a] = sparse_dot(direction, r);
            if !terms.signals.is_empty() {
                out.held[a] += sparse_dot(model.velocity_signals(c), terms.rates);
            }
        }
        self.basis.solve(&mut out.held);
        let is_moved = |c: &usize| !model.velocity_signals(*c).is_empty();
        if self.is_pinned(model) && !self.basis.members.iter().any(is_moved) {
            r.fill(0.0);
            self.distribute(n_stops, &out.held, &mut out.force, &mut out.reaction);
            return;
        }
        // what the constraints take away as a whole leaves no rounding, by which what sticks would creep
        out.before.iter_mut().zip(&*r).for_each(|(before, r)| *before = r.abs());
        for (a, &c) in self.basis.members.iter().enumerate() {
            for &(k, w) in model.constraint(c)[1] {
                let taken = w * out.held[a];
                r[k] -= taken;
                out.before[k] += taken.abs();
                if r[k].abs() <= CANCELLED * out.before[k] {
                    r[k] = 0.0;
                }
            }
        }
        for &c in &self.basis.members {
            let Some(i) = c.checked_sub(n_stops) else { continue };
            let contact = &model.contacts[i];
            if let Some(k) = contact.pins {
                let rate = if terms.signals.is_empty() {
                    0.0
                } else {
                    -sparse_dot(&contact.sliding.signals, terms.rates)
                };
                r[k] = rate / contact.direction[0].1;
            }
        }
        self.distribute(n_stops, &out.held, &mut out.force, &mut out.reaction);
    }
}

//! How small differences of the state are carried along, several degrees of freedom.
//!
//! Within a patch a difference obeys the homogeneous equations, with the contacts at rest as constraints, and
//! has a Taylor series of its own. At an event contact i changes its force by ΔH, in the disturbed motion δtᵢ
//! later:
//!
//! ```text
//!   δtᵢ = −δgᵢ/ġᵢ,   g: the sliding velocity, or the force of a contact at rest
//!   δv⁺ = P (δv⁻ + Σ M⁻¹wᵢ ΔHᵢ δtᵢ)     over the contacts that slide afterwards
//! ```
//!
//! P takes out the sliding velocities of the contacts that rest afterwards with the least change of kinetic
//! energy; their impulses are those of their own forces over δt. Contacts that an event sets free in passing
//! share its δt.

use super::{Many, ORDER, PolylineMode, Segment};
use crate::exact::prepared::{Basis, Prepared, sparse_dot};
use crate::exact::segment::subtract;
use crate::math::dense::Matrix;

/// A change of force at an event.
struct Change {
    contact: usize,
    /// H⁺ − H⁻ (N).
    jump: f64,
    /// The contact whose guard sets the time.
    timer: usize,
    /// ġ of that guard, and whether it is a force.
    rate: f64,
    is_force: bool,
}

/// Storage for one difference.
struct Scratch {
    q: Vec<f64>,
    v: Vec<f64>,
    residual: Vec<f64>,
    held: Vec<f64>,
    force: Vec<f64>,
}

impl Many {
    /// Carries the columns (δq, δv) of `d` from the time `from` in the current patch to now and through the
    /// event there.
    pub fn carry(&self, from: f64, d: &mut Matrix) {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let start = self.patch.start;
        let tau = start.since(self.now.t) - start.since(from);
        let changes = self.changes();
        let zeros = |k: usize| vec![0.0; k];
        let mut x = Scratch { q: zeros(n), v: zeros(n), residual: zeros(n), held: zeros(m), force: zeros(m) };
        let mut flow = self.modal.as_ref().filter(|_| self.in_modes).map(|modal| modal.factors(tau));
        for j in 0..d.n_cols {
            for k in 0..n {
                (x.q[k], x.v[k]) = (d.at(k, j), d.at(n + k, j));
            }
            x.project(&self.body, &self.patch.basis);
            match (&self.modal, &mut flow) {
                _ if self.rests => {}
                (Some(modal), Some(flow)) => modal.flow(flow, &mut x.q, &mut x.v),
                _ => self.flow(tau, &mut x),
            }
            if self.ended {
                self.jump(&changes, &mut x);
            }
            for k in 0..n {
                (*d.at_mut(k, j), *d.at_mut(n + k, j)) = (x.q[k], x.v[k]);
            }
        }
    }

    /// The homogeneous motion over τ.
    fn flow(&self, tau: f64, x: &mut Scratch) {
        let n = self.body.n;
        let (mut q, mut v) = (x.q.clone(), x.v.clone());
        for j in 0..ORDER {
            // x holds the terms of order j, q and v their sums
            self.balance(x);
            let step = tau / (j + 1) as f64;
            for k in 0..n {
                x.q[k] = step * x.v[k];
                x.v[k] = step * x.residual[k];
                q[k] += x.q[k];
                v[k] += x.v[k];
            }
        }
        (x.q, x.v) = (q, v);
    }

    /// Acceleration of a difference into `residual`, the forces of the contacts at rest into `force`.
    fn balance(&self, x: &mut Scratch) {
        let (body, basis) = (&self.body, &self.patch.basis);
        for k in 0..body.n {
            x.residual[k] = -sparse_dot(&body.damping[k], &x.v) - sparse_dot(&body.stiffness[k], &x.q);
        }
        for (contact, mode) in body.contacts.iter().zip(&self.patch.mode) {
            if let PolylineMode::Slide { piece } = *mode {
                let force = contact.line.pieces[piece].slope * sparse_dot(&contact.direction, &x.v);
                subtract(&contact.direction, force, &mut x.residual);
            }
        }
        body.apply_mobility(&mut x.residual);
        for (a, &i) in basis.members.iter().enumerate() {
            x.held[a] = sparse_dot(&body.contacts[i].direction, &x.residual);
        }
        basis.solve(&mut x.held);
        for (a, &i) in basis.members.iter().enumerate() {
            subtract(&body.contacts[i].mobility, x.held[a], &mut x.residual);
        }
        self.patch.distribute(&x.held, &mut x.force);
    }

    /// What changes at the event that ended the patch.
    fn changes(&self) -> Vec<Change> {
        let s = self.patch.start.since(self.now.t) / self.patch.length;
        let mut changes = Vec::new();
        if !self.ended || self.fired.is_empty() {
            return changes;
        }
        for (i, contact) in self.body.contacts.iter().enumerate() {
            let PolylineMode::Slide { piece } = self.next.mode[i] else { continue };
            let before = match self.patch.mode[i] {
                PolylineMode::Slide { piece: before } if before == piece => continue,
                PolylineMode::Slide { piece } => {
                    let piece = contact.line.pieces[piece];
                    piece.force + piece.slope * self.body.sliding(i, &self.next.v)
                }
                PolylineMode::Rest { .. } => match self.patch.yielded(&self.body, i) {
                    Some(limit) => limit,
                    None if self.rests => self.demands[i].jet(self.patch.start.since(self.now.t))[0],
                    None => self.force_at_end(i, s)[0],
                },
            };
            let is_timer = self.fired.iter().any(|fired| fired.0 == i);
            let timer = if is_timer { i } else { self.fired[0].0 };
            let (rate, is_force) = self.guard_rate(timer, s);
            changes.push(Change { contact: i, jump: self.next.force[i] - before, timer, rate, is_force });
        }
        changes
    }

    /// Force of a resting contact at the end of the patch, and its rate.
    fn force_at_end(&self, i: usize, s: f64) -> [f64; 2] {
        if self.in_modes {
            return self.end_force[i];
        }
        let [force, slope] = Segment::value(&self.patch.force[i..], self.body.contacts.len(), s);
        [force, slope / self.patch.length]
    }

    /// ġ of a contact at the end of the patch, and whether g is its force.
    fn guard_rate(&self, i: usize, s: f64) -> (f64, bool) {
        let (n, patch) = (self.body.n, &self.patch);
        match patch.mode[i] {
            PolylineMode::Rest { .. } if self.rests => {
                (self.demands[i].jet(patch.start.since(self.now.t))[1], true)
            }
            PolylineMode::Rest { .. } => (self.force_at_end(i, s)[1], true),
            PolylineMode::Slide { .. } if self.in_modes => {
                (sparse_dot(&self.body.contacts[i].direction, &self.end_acceleration), false)
            }
            PolylineMode::Slide { .. } => {
                let rate = |&(k, w): &(usize, f64)| w * Segment::value(&patch.v[k..], n, s)[1] / patch.length;
                (self.body.contacts[i].direction.iter().map(rate).sum(), false)
            }
        }
    }

    /// Takes a difference through the event.
    fn jump(&self, changes: &[Change], x: &mut Scratch) {
        if changes.iter().any(|change| change.is_force) {
            self.balance(x);
        }
        x.residual.copy_from_slice(&x.v);
        for &Change { contact, jump, timer, rate, is_force } in changes {
            if jump == 0.0 {
                continue;
            }
            let guard = if is_force {
                x.force[timer]
            } else {
                sparse_dot(&self.body.contacts[timer].direction, &x.v)
            };
            subtract(&self.body.contacts[contact].mobility, jump * guard / rate, &mut x.residual);
        }
        std::mem::swap(&mut x.v, &mut x.residual);
        x.project(&self.body, &self.next.basis);
    }
}

impl Scratch {
    /// Takes the sliding velocities of the contacts at rest out of the difference.
    fn project(&mut self, body: &Prepared, basis: &Basis) {
        for (a, &i) in basis.members.iter().enumerate() {
            self.held[a] = sparse_dot(&body.contacts[i].direction, &self.v);
        }
        basis.solve(&mut self.held);
        for (a, &i) in basis.members.iter().enumerate() {
            subtract(&body.contacts[i].mobility, self.held[a], &mut self.v);
        }
    }
}

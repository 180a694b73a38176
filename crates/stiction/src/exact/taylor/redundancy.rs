//! Forces of redundant contacts.

use super::model::Model;
use super::stretch::Stretch;
use crate::contact::{ContactMode, Side};
use crate::math::dense::{dot, factor, solve};

impl Stretch {
    /// Redundant contacts: of all forces that keep them at rest, those with the least Σ √Gⱼⱼ Hⱼ²/Lⱼ, which
    /// neither order nor gearing (w → αw, L → L/α) nor cutting a contact in two changes. Stops have no limit
    /// and take what they can for nothing.
    ///
    /// With `w_j = Σ c_ja w_a` over the basis, D = L/√G, and H = D C p for those that do not yield, the force
    /// that the motion needs is `Cᵀ H = Λ`, so p = (Cᵀ D C)⁻¹ Λ. A contact yields while its own D c·p is
    /// beyond its limit.
    pub(super) fn divide(&mut self, model: &Model) {
        let (m, n_stops) = (self.mode.len(), model.stops.len());
        let all = self.basis.members.len();
        let closed = self.basis.members.iter().filter(|c| **c < n_stops).count();
        let b = all - closed;
        // of the first member's mobility, so that weights are forces whatever the units
        let unit = self.basis.members.first().map_or(1.0, |&c| model.delassus.at(c, c));
        let weight = |j: usize, corner: usize| {
            model.contacts[j].line.corners[corner].high * (unit / model.compliance(j)).sqrt()
        };
        let mut c = vec![0.0; m * b];
        let mut stop_share = vec![0.0; m * closed];
        let mut normal = vec![0.0; b * b];
        let mut row = vec![0.0; all];
        for j in 0..m {
            let ContactMode::Stick { corner, yields } = self.mode[j] else { continue };
            for (x, &a) in row.iter_mut().zip(&self.basis.members) {
                *x = model.delassus.at(a, n_stops + j);
            }
            self.basis.solve(&mut row);
            stop_share[j * closed..(j + 1) * closed].copy_from_slice(&row[..closed]);
            let own = &mut c[j * b..(j + 1) * b];
            own.copy_from_slice(&row[closed..]);
            if yields.is_none() {
                let weight = weight(j, corner);
                for (x, y) in (0..b).flat_map(|x| (0..b).map(move |y| (x, y))) {
                    normal[x * b + y] += weight * own[x] * own[y];
                }
            }
        }
        // every member of the basis is among those that do not yield, so the matrix is positive definite
        factor(&mut normal, b, 0.0);
        for j in 0..m {
            let ContactMode::Stick { corner, .. } = self.mode[j] else { continue };
            let own = &mut c[j * b..(j + 1) * b];
            solve(&normal, b, own);
            let weight = weight(j, corner);
            own.iter_mut().for_each(|x| *x *= weight);
        }
        (self.share, self.stop_share) = (c, stop_share);
    }

    /// The forces of all sticking contacts and closed stops from those of the basis, which are in its order.
    pub fn distribute(&self, n_stops: usize, basis: &[f64], force: &mut [f64], reaction: &mut [f64]) {
        let all = self.basis.members.len();
        let closed = self.basis.members.iter().filter(|c| **c < n_stops).count();
        let b = all - closed;
        for (a, &c) in self.basis.members.iter().enumerate() {
            match c.checked_sub(n_stops) {
                None => reaction[c] = basis[a],
                Some(i) => force[i] = basis[a],
            }
        }
        if !self.is_shared {
            return;
        }
        for (j, force) in force.iter_mut().enumerate() {
            let ContactMode::Stick { yields, .. } = self.mode[j] else { continue };
            *force = dot(&self.share[j * b..(j + 1) * b], &basis[closed..all]);
            if yields.is_none() {
                let taken = &self.stop_share[j * closed..(j + 1) * closed];
                for (&c, x) in self.basis.members.iter().zip(taken) {
                    reaction[c] -= x * *force;
                }
            }
        }
    }

    /// The force of contact `i` at its limit, if it yields.
    pub fn yielded(&self, model: &Model, i: usize) -> Option<f64> {
        match self.mode[i] {
            ContactMode::Stick { corner, yields: Some(side) } => {
                let corner = model.contacts[i].line.corners[corner];
                Some(if side == Side::High { corner.high } else { corner.low })
            }
            _ => None,
        }
    }
}

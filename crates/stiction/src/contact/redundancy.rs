//! Forces of redundant contacts.
//!
//! The motion determines the sum `Σ wⱼ Hⱼ` of redundant sticking contacts, not each force. Of all forces with that
//! sum those with the least `Σ √Gⱼⱼ Hⱼ²/Lⱼ` are taken, which neither order nor gearing (w → αw, L → L/α) nor cutting
//! a contact in two changes. Stops have no limit and take what they can at no cost.
//!
//! With `w_j = Σ c_ja w_a` over a basis of the constraints, D = L/√G, and H = D C p for those that do not yield, the
//! sum gives `Cᵀ H = Λ`, so p = (Cᵀ D C)⁻¹ Λ. A contact yields, with its limit as its force, while its own D c·p is
//! beyond that limit. Where loads vary the limits are those at the start of a stretch of motion: the motion does not
//! depend on the division, and the forces stay within their limits.

use super::basis::Basis;
use crate::math::dense::{Matrix, dot, factor, solve};

/// The forces of redundant contacts as linear functions of those of the basis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    /// Whether there are redundant contacts at all.
    pub is_shared: bool,
    /// Of each contact a row of factors, one for each contact of the basis.
    share: Vec<f64>,
    /// What the force of each contact takes from the reaction of each closed stop.
    stop_share: Vec<f64>,
    /// Closed stops and contacts in the basis.
    n_closed: usize,
    n_basis: usize,
}

/// A sticking contact.
pub(crate) struct RedundantContact {
    /// Its limit L (N).
    pub limit: f64,
    pub yields: bool,
}

impl Shares {
    /// Takes over the shares of another state with the same modes, without allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.share.clone_from(&other.share);
        self.stop_share.clone_from(&other.stop_share);
        (self.is_shared, self.n_closed, self.n_basis) = (other.is_shared, other.n_closed, other.n_basis);
    }

    /// Divides the forces of the basis among `m` contacts, which are constraints `n_stops` and on of G; `sticking`
    /// is none of those that do not stick.
    pub fn divide(
        &mut self,
        g: &Matrix,
        basis: &Basis,
        [n_stops, m]: [usize; 2],
        sticking: impl Fn(usize) -> Option<RedundantContact>,
    ) {
        let all = basis.members.len();
        let closed = basis.members.iter().filter(|c| **c < n_stops).count();
        let b = all - closed;
        (self.n_closed, self.n_basis) = (closed, b);
        // in units of the first member, so that weights are forces whatever the units of directions
        let unit = basis.members.first().map_or(1.0, |&c| g.at(c, c));
        // contacts that touch without load share alike
        let is_loaded = (0..m).any(|j| sticking(j).is_some_and(|own| !own.yields && own.limit > 0.0));
        let weight = |j: usize, limit: f64| {
            (if is_loaded { limit } else { 1.0 }) * (unit / g.at(n_stops + j, n_stops + j)).sqrt()
        };
        self.share.clear();
        self.share.resize(m * b, 0.0);
        self.stop_share.clear();
        self.stop_share.resize(m * closed, 0.0);
        let mut normal = vec![0.0; b * b];
        let mut row = vec![0.0; all];
        for j in 0..m {
            let Some(RedundantContact { limit, yields }) = sticking(j) else { continue };
            for (x, &a) in row.iter_mut().zip(&basis.members) {
                *x = g.at(a, n_stops + j);
            }
            basis.solve(&mut row);
            self.stop_share[j * closed..(j + 1) * closed].copy_from_slice(&row[..closed]);
            let own = &mut self.share[j * b..(j + 1) * b];
            own.copy_from_slice(&row[closed..]);
            if !yields {
                let weight = weight(j, limit);
                for (x, y) in (0..b).flat_map(|x| (0..b).map(move |y| (x, y))) {
                    normal[x * b + y] += weight * own[x] * own[y];
                }
            }
        }
        // every member of the basis is among those that do not yield, so the matrix is positive definite
        factor(&mut normal, b, 0.0);
        for j in 0..m {
            let Some(RedundantContact { limit, .. }) = sticking(j) else { continue };
            let own = &mut self.share[j * b..(j + 1) * b];
            solve(&normal, b, own);
            let weight = weight(j, limit);
            own.iter_mut().for_each(|x| *x *= weight);
        }
    }

    /// The force of contact `j` from those of the basis, which are in its order.
    pub fn force(&self, j: usize, basis: &[f64]) -> f64 {
        dot(&self.share[j * self.n_basis..(j + 1) * self.n_basis], &basis[self.n_closed..])
    }

    /// What a unit force of contact `j` takes from the reaction of each closed stop, in the order of the basis.
    pub fn stop_share(&self, j: usize) -> &[f64] {
        &self.stop_share[j * self.n_closed..(j + 1) * self.n_closed]
    }
}

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
//!
//! Laws whose friction depends on the force that they must balance have no modes. [`Distribution`] divides their
//! forces by the same rule at every evaluation.

use super::basis::Basis;
use super::mode::Side;
use crate::math::dense::{Matrix, dot, factor, solve};

/// The least limit that counts, as a part of the widest: a contact without friction may be needed in the basis.
const NARROWEST: f64 = 1e-6;
/// A force beyond its limit by no more than this part of it is at its limit.
const ROUNDING: f64 = 1e-13;

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
    /// Scratch: Cᵀ D C, and a row of C.
    normal: Vec<f64>,
    row: Vec<f64>,
}

/// A sticking contact.
pub(crate) struct RedundantContact {
    /// Its limit L; half the range of its force if the limits of both directions differ (N).
    pub limit: f64,
    pub yields: bool,
}

impl Shares {
    /// Makes room for `m` contacts beside `n_stops` stops.
    pub fn reserve(&mut self, [n_stops, m]: [usize; 2]) {
        self.share.reserve(m * m);
        self.stop_share.reserve(m * n_stops);
        self.normal.reserve(m * m);
        self.row.reserve(m + n_stops);
    }

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
        let limits = (0..m).filter_map(|j| sticking(j).filter(|own| !own.yields)).map(|own| own.limit);
        let widest = limits.fold(0.0, f64::max);
        let weight = |j: usize, limit: f64| {
            let own = if widest > 0.0 { limit.max(NARROWEST * widest) } else { 1.0 };
            own * (unit / g.at(n_stops + j, n_stops + j)).sqrt()
        };
        let Self { share, stop_share, normal, row, .. } = self;
        normal.clear();
        normal.resize(b * b, 0.0);
        row.clear();
        row.resize(all, 0.0);
        share.clear();
        share.resize(m * b, 0.0);
        stop_share.clear();
        stop_share.resize(m * closed, 0.0);
        for j in 0..m {
            let Some(RedundantContact { limit, yields }) = sticking(j) else { continue };
            for (x, &a) in row.iter_mut().zip(&basis.members) {
                *x = g.at(a, n_stops + j);
            }
            basis.solve(row);
            stop_share[j * closed..(j + 1) * closed].copy_from_slice(&row[..closed]);
            let own = &mut share[j * b..(j + 1) * b];
            own.copy_from_slice(&row[closed..]);
            if !yields {
                let weight = weight(j, limit);
                for (x, y) in (0..b).flat_map(|x| (0..b).map(move |y| (x, y))) {
                    normal[x * b + y] += weight * own[x] * own[y];
                }
            }
        }
        // every member of the basis is among those that do not yield, so the matrix is positive definite
        factor(normal, b, 0.0);
        for j in 0..m {
            let Some(RedundantContact { limit, .. }) = sticking(j) else { continue };
            let own = &mut share[j * b..(j + 1) * b];
            solve(normal, b, own);
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

/// A division of forces that are given as they are, of which the motion determines G H only.
#[derive(Clone, Debug)]
pub(crate) struct Distribution {
    /// The forces; input, and then divided (N).
    pub force: Vec<f64>,
    /// Between which values each may lie; `None` of a contact that keeps its force (N).
    pub range: Vec<Option<[f64; 2]>>,
    basis: Basis,
    shares: Shares,
    /// The end of its range at which a contact yields.
    yields: Vec<Option<Side>>,
    /// The forces of the basis that give the same motion, and forces before the division (N).
    basis_force: Vec<f64>,
    before: Vec<f64>,
}

impl Distribution {
    pub fn new(m: usize) -> Self {
        let zeros = || vec![0.0; m];
        Self {
            force: zeros(),
            range: vec![None; m],
            basis: Basis::default(),
            shares: Shares::default(),
            yields: vec![None; m],
            basis_force: zeros(),
            before: zeros(),
        }
    }

    /// Divides the forces; contact j is constraint `n_stops` + j of the Delassus matrix `g`. Returns whether some
    /// contacts are redundant.
    pub fn divide(&mut self, g: &Matrix, n_stops: usize) -> bool {
        self.yields.fill(None);
        if !self.choose_basis(g, n_stops) {
            return false;
        }
        self.before.copy_from_slice(&self.force);
        // every round lets one more contact yield, or go back
        for _ in 0..3 * self.force.len() {
            self.divide_once(g, n_stops);
            let Some((j, next)) = self.worst() else { break };
            self.yields[j] = next;
            self.choose_basis(g, n_stops);
        }
        true
    }

    /// Chooses a basis, of contacts that do not yield if possible. Returns whether some contacts are redundant.
    fn choose_basis(&mut self, g: &Matrix, n_stops: usize) -> bool {
        let Self { basis, yields, range, .. } = self;
        basis.clear();
        let mut is_redundant = false;
        for yielding in [false, true] {
            for j in 0..yields.len() {
                if range[j].is_none() || yields[j].is_some() != yielding {
                    continue;
                }
                if basis.add(g, n_stops + j) {
                    yields[j] = None;
                } else {
                    is_redundant = true;
                }
            }
        }
        is_redundant
    }

    fn divide_once(&mut self, g: &Matrix, n_stops: usize) {
        let Self { force, range, basis, shares, yields, basis_force, before } = self;
        let m = force.len();
        shares.divide(g, basis, [n_stops, m], |j| {
            let [low, high] = range[j]?;
            Some(RedundantContact { limit: 0.5 * (high - low), yields: yields[j].is_some() })
        });
        // what is left for those that do not yield, about the middles of their ranges
        let fixed = |j: usize, [low, high]: [f64; 2]| match yields[j] {
            Some(Side::High) => high,
            Some(Side::Low) => low,
            None => 0.5 * (low + high),
        };
        let n_basis = basis.members.len();
        for (x, &a) in basis_force.iter_mut().zip(&basis.members) {
            let part = |j: usize| Some(g.at(a, n_stops + j) * (before[j] - fixed(j, range[j]?)));
            *x = (0..m).filter_map(part).sum();
        }
        basis.solve(&mut basis_force[..n_basis]);
        for j in 0..m {
            let Some(range) = range[j] else { continue };
            let share = if yields[j].is_some() { 0.0 } else { shares.force(j, &basis_force[..n_basis]) };
            force[j] = fixed(j, range) + share;
        }
    }

    /// The contact that yields wrongly, or does not, by most; and how it goes on.
    fn worst(&self) -> Option<(usize, Option<Side>)> {
        let mut worst: Option<(f64, usize, Option<Side>)> = None;
        for (j, range) in self.range.iter().enumerate() {
            let Some([low, high]) = *range else { continue };
            let half = 0.5 * (high - low);
            let share = self.shares.force(j, &self.basis_force[..self.basis.members.len()]);
            let (excess, next) = match self.yields[j] {
                None => (share.abs() - half, Some(if share > 0.0 { Side::High } else { Side::Low })),
                Some(Side::High) => (half - share, None),
                Some(Side::Low) => (half + share, None),
            };
            if excess > ROUNDING * half && worst.is_none_or(|worst| excess > worst.0) {
                worst = Some((excess, j, next));
            }
        }
        worst.map(|(_, j, next)| (j, next))
    }
}

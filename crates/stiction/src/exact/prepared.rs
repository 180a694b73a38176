//! A system of several degrees of freedom, prepared: sparse rows, contacts, and bounds on how fast it can
//! move.

use super::polyline::ForceLine;
use crate::Error;
use crate::math::dense::{Matrix, dot};
use crate::system::{Inertia, System};

/// The entries of a vector that are not zero.
pub(super) type Sparse = Vec<(usize, f64)>;

pub(super) fn sparse(x: &[f64]) -> Sparse {
    x.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
}

#[inline]
pub(super) fn sparse_dot(a: &Sparse, x: &[f64]) -> f64 {
    a.iter().map(|&(k, a)| a * x[k]).sum()
}

#[derive(Clone, Debug)]
pub(super) struct PreparedContact {
    pub line: ForceLine,
    pub direction: Sparse,
    /// M⁻¹w.
    pub mobility: Sparse,
    pub belt: f64,
    /// The degree of freedom that a resting contact pins, if its direction has one entry.
    pub pins: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub n: usize,
    inertia: Inertia,
    pub damping: Vec<Sparse>,
    pub stiffness: Vec<Sparse>,
    pub contacts: Vec<PreparedContact>,
    /// G = Wᵀ M⁻¹ W.
    pub delassus: Matrix,
    pub constant: Vec<f64>,
    /// ω, φ and the amplitudes of each harmonic load.
    pub tones: Vec<(f64, f64, Vec<f64>)>,
    /// Bound on ‖M⁻¹C‖ + √‖M⁻¹K‖ in the norm of the kinetic energy (1/s).
    rate: f64,
    /// The highest frequency of the loads (rad/s).
    fastest_tone: f64,
}

impl Prepared {
    pub fn new(system: &System) -> Result<Self, Error> {
        let n = system.n();
        let inertia = Inertia::new(&system.mass).ok_or(Error::NotPositiveDefinite)?;
        let mut contacts = Vec::new();
        for (i, contact) in system.contacts.iter().enumerate() {
            let law = contact.friction.law.name();
            let line = ForceLine::new(contact).ok_or(Error::NotPiecewiseLinear { contact: i, law })?;
            let mut mobility = contact.direction.clone();
            inertia.solve(&mut mobility);
            let direction = sparse(&contact.direction);
            let pins = if let [(k, _)] = direction[..] { Some(k) } else { None };
            contacts.push(PreparedContact {
                line,
                direction,
                mobility: sparse(&mobility),
                belt: contact.belt,
                pins,
            });
        }
        let m = contacts.len();
        let mut delassus = Matrix::zeros(m, m);
        for (i, contact) in system.contacts.iter().enumerate() {
            for (j, other) in contacts.iter().enumerate() {
                *delassus.at_mut(i, j) = sparse_dot(&other.mobility, &contact.direction);
            }
        }
        // M⁻¹S is self-adjoint in the norm of the kinetic energy if S is symmetric, and M⁻¹A skew if A is:
        // their norms
        // are their spectral radii, which no other norm undercuts
        let norm = |entry: &dyn Fn(usize, usize) -> f64| {
            let mut product = Matrix::zeros(n, n);
            for j in 0..n {
                let mut column: Vec<f64> = (0..n).map(|i| entry(i, j)).collect();
                inertia.solve(&mut column);
                (0..n).for_each(|i| *product.at_mut(i, j) = column[i]);
            }
            product.norm()
        };
        let (c, k) = (&system.damping, &system.stiffness);
        let rate = norm(&|i, j| 0.5 * (c.at(i, j) + c.at(j, i)))
            + norm(&|i, j| 0.5 * (c.at(i, j) - c.at(j, i)))
            + norm(&|i, j| k.at(i, j)).sqrt();
        let tones: Vec<_> =
            system.harmonics.iter().map(|h| (h.omega, h.phase, h.amplitude.clone())).collect();
        let fastest_tone = tones.iter().map(|tone| tone.0).fold(0.0, f64::max);
        let rows = |matrix: &Matrix| (0..n).map(|i| sparse(matrix.row(i))).collect();
        Ok(Self {
            n,
            inertia,
            damping: rows(c),
            stiffness: rows(k),
            contacts,
            delassus,
            constant: system.constant.clone(),
            tones,
            rate,
            fastest_tone,
        })
    }

    /// `M⁻¹ x` in place.
    #[inline]
    pub fn apply_mobility(&self, x: &mut [f64]) {
        self.inertia.solve(x);
    }

    /// Sliding velocity of contact `i` (m/s).
    #[inline]
    pub fn sliding(&self, i: usize, v: &[f64]) -> f64 {
        sparse_dot(&self.contacts[i].direction, v) - self.contacts[i].belt
    }

    /// Rounding of the sliding velocity of contact `i` (m/s).
    pub fn sliding_rounding(&self, i: usize, v: &[f64]) -> f64 {
        let contact = &self.contacts[i];
        let terms: f64 = contact.direction.iter().map(|&(k, w)| (w * v[k]).abs()).sum();
        2.0 * f64::EPSILON * (terms + contact.belt.abs())
    }

    /// A bound on all rates of change, with `slopes` = Σ |dH/dv| wᵀM⁻¹w of the sliding contacts (1/s).
    pub fn fastest(&self, slopes: f64) -> f64 {
        (self.rate + slopes).max(self.fastest_tone)
    }
}

/// The resting contacts whose forces the motion determines, with the Cholesky factor of their G.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    pub members: Vec<usize>,
    /// The diagonal of the factor, and what is below it: row after row, each as long as its number; nothing
    /// if all of that is zero.
    pivots: Vec<f64>,
    lower: Vec<f64>,
    is_diagonal: bool,
}

/// A pivot below this fraction of its diagonal is a dependence between contacts, not a number.
const DEPENDENT: f64 = 1e-11;

impl Basis {
    /// Starts again without members.
    pub fn clear(&mut self) {
        self.members.clear();
        self.pivots.clear();
        self.lower.clear();
        self.is_diagonal = true;
    }

    fn row(&self, a: usize) -> &[f64] {
        &self.lower[a * a.saturating_sub(1) / 2..][..a]
    }

    /// Adds contact `i`, unless the others leave it no motion of its own. Returns whether it was added.
    pub fn add(&mut self, g: &Matrix, i: usize) -> bool {
        let own = g.at(i, i);
        let mut pivot = own;
        let at = self.members.len() * self.members.len().saturating_sub(1) / 2;
        if self.is_diagonal && self.members.iter().any(|&j| g.at(i, j) != 0.0) {
            self.is_diagonal = false;
            self.lower.resize(at, 0.0);
        }
        if !self.is_diagonal {
            for (a, &j) in self.members.iter().enumerate() {
                let before = dot(&self.lower[a * a.saturating_sub(1) / 2..][..a], &self.lower[at..at + a]);
                let entry = (g.at(i, j) - before) / self.pivots[a];
                pivot -= entry * entry;
                self.lower.push(entry);
            }
        }
        if pivot <= DEPENDENT * own {
            self.lower.truncate(at);
            return false;
        }
        self.pivots.push(pivot.sqrt());
        self.members.push(i);
        true
    }

    /// Replaces `x` (in the order of the members) by the solution of `G y = x`.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        let b = self.members.len();
        for a in 0..b {
            let before = if self.is_diagonal { 0.0 } else { dot(self.row(a), &x[..a]) };
            x[a] = (x[a] - before) / self.pivots[a];
        }
        for a in (0..b).rev() {
            x[a] /= self.pivots[a];
            if !self.is_diagonal {
                for (c, entry) in self.row(a).iter().enumerate() {
                    x[c] -= entry * x[a];
                }
            }
        }
    }
}

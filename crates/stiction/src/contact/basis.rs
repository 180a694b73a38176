//! Independent constraints.

use crate::math::dense::{Matrix, dot};

/// The constraints whose forces the motion determines, with the Cholesky factor of their Delassus matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basis {
    pub members: Vec<usize>,
    /// The diagonal of the factor, and what is below it: row after row, each as long as its number; nothing
    /// if all of that is zero.
    pivots: Vec<f64>,
    lower: Vec<f64>,
    is_diagonal: bool,
}

/// A pivot below this fraction of its diagonal is a dependence between contacts, not a number.
pub(crate) const DEPENDENT: f64 = 1e-11;

impl Basis {
    /// Starts again without members.
    pub fn clear(&mut self) {
        self.members.clear();
        self.pivots.clear();
        self.lower.clear();
        self.is_diagonal = true;
    }

    /// Makes room for all `n` constraints of G. Returns whether some depend on others.
    pub fn reserve(&mut self, g: &Matrix) -> bool {
        let n = g.n_rows;
        self.members.reserve(n);
        self.pivots.reserve(n);
        self.clear();
        let is_redundant = (0..n).filter(|c| !self.add(g, *c)).count() > 0;
        self.lower.reserve(n * n.saturating_sub(1) / 2);
        self.clear();
        is_redundant
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

//! Linear functions of the state and the signals: sliding velocities, normal loads, gaps, control quantities.

use super::model::{Sparse, sparse};
use crate::math::dense::dot;
use crate::system::Inertia;

/// `a·q + b·v + c·x + d·s + constant`.
#[derive(Clone, Debug, Default)]
pub(in crate::exact) struct Row {
    pub q: Sparse,
    pub v: Sparse,
    pub x: Sparse,
    pub signals: Sparse,
    pub constant: f64,
    /// M⁻¹ of the parts by position and by velocity.
    pub mobility: [Sparse; 2],
    /// Norms of these parts, √(a·M⁻¹a) and √(b·M⁻¹b).
    pub norm: [f64; 2],
}

/// What rows are evaluated on: one order of the series, or a small difference of the state.
#[derive(Clone, Copy, Debug)]
pub(in crate::exact) struct Terms<'a> {
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub x: &'a [f64],
    /// Signals, and their rates; empty of a difference, which signals do not change.
    pub signals: &'a [f64],
    pub rates: &'a [f64],
    /// Whether constants count: at order zero.
    pub is_start: bool,
}

#[inline]
pub(in crate::exact) fn sparse_dot(a: &Sparse, x: &[f64]) -> f64 {
    a.iter().map(|&(k, a)| a * x[k]).sum()
}

/// Σ |a x|.
#[inline]
pub(super) fn size(a: &Sparse, x: &[f64]) -> f64 {
    a.iter().map(|&(k, a)| (a * x[k]).abs()).sum()
}

/// `x -= scale · direction`.
#[inline]
pub(in crate::exact) fn subtract(direction: &Sparse, scale: f64, x: &mut [f64]) {
    for &(k, w) in direction {
        x[k] -= w * scale;
    }
}

impl Row {
    #[inline]
    pub fn at(&self, terms: &Terms) -> f64 {
        let mut sum = if terms.is_start { self.constant } else { 0.0 };
        sum += sparse_dot(&self.q, terms.q) + sparse_dot(&self.v, terms.v) + sparse_dot(&self.x, terms.x);
        if !terms.signals.is_empty() {
            sum += sparse_dot(&self.signals, terms.signals);
        }
        sum
    }

    /// Whether it never changes.
    pub fn is_constant(&self) -> bool {
        self.q.is_empty() && self.v.is_empty() && self.x.is_empty() && self.signals.is_empty()
    }
}

impl Row {
    /// A row by positions and velocities.
    pub(super) fn new(q: Sparse, v: Sparse, constant: f64, inertia: &Inertia, n: usize) -> Self {
        let dense = |row: &Sparse| {
            let mut x = vec![0.0; n];
            row.iter().for_each(|&(k, a)| x[k] = a);
            x
        };
        let mut mobility = [Sparse::new(), Sparse::new()];
        let mut norms = [0.0; 2];
        for (part, row) in [&q, &v].into_iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            let own = dense(row);
            let mut x = own.clone();
            inertia.solve(&mut x);
            norms[part] = dot(&own, &x).max(0.0).sqrt();
            mobility[part] = sparse(&x);
        }
        Self { q, v, constant, mobility, norm: norms, ..Self::default() }
    }
}

/// √(w·M⁻¹w).
pub(super) fn norm(w: &[f64], inertia: &Inertia) -> f64 {
    let mut x = w.to_vec();
    inertia.solve(&mut x);
    dot(w, &x).max(0.0).sqrt()
}

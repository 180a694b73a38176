//! The natural modes of a system while a set of contacts rests.
//!
//! In coordinates of unit mass, y = Lᵀq with M = LLᵀ, a resting contact keeps dᵀẏ constant, d = L⁻¹w. With D = (d₁ … d_r) = Q₁R
//! and an orthonormal basis N of what is left,
//!
//! ```text
//!   q = q_c + u_c τ + Φη,    Φ = L⁻ᵀ N V,    Nᵀ L⁻¹KL⁻ᵀ N = V diag(ω²) Vᵀ
//!   η″ + Dη′ + ω²η = Φᵀ(f(t) − Σ wᵢHᵢ − K(q_c + u_c τ) − C u_c),    D = ΦᵀCΦ
//!   λ = R⁻¹Q₁ᵀL⁻¹ (f(t) − Σ wᵢHᵢ − C q̇ − K q)     forces of the resting contacts
//! ```
//!
//! Damping C = αM + βK (@rayleigh1877) is diagonal in the modes of every set of resting contacts; any other
//! couples them (see `terms.rs`). Dry friction alone acts on the sliding contacts, a constant force, so that
//! the modes depend on nothing but the set.

use super::terms::{HeldRows, Natural, Terms};
use crate::exact::taylor::{Model, Sparse, sparse};
use crate::math::dense::{Matrix, dot, factor};
use crate::math::refine::{product, projected, refine};
use crate::math::symmetric::eigen;
use crate::system::{RIGID, System, rayleigh};

/// An eigenvalue below this part of the largest is negative for certain, before it is refined.
const NEGATIVE: f64 = 1e-12;

/// What all sets of resting contacts have in common.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    n: usize,
    /// L, lower triangle, row-major.
    lower: Vec<f64>,
    /// L⁻¹ K L⁻ᵀ.
    stiffness: Matrix,
    /// The rows of M.
    mass_rows: Vec<Sparse>,
    /// α (1/s) and β (s) of C = αM + βK; `None` if damping couples the modes.
    rayleigh: Option<[f64; 2]>,
    /// The smallest and the largest ω² without resting contacts (1/s²).
    extremes: [f64; 2],
}

/// The modes of one set of resting contacts.
#[derive(Debug)]
pub(super) struct Modes {
    /// The resting contacts.
    pub members: Vec<usize>,
    /// Number of modes.
    pub n_modes: usize,
    /// ω² of each mode, ascending; zero of a rigid motion (1/s²).
    pub squares: Vec<f64>,
    /// Φ, one row a degree of freedom.
    pub shape: Matrix,
    /// MΦ, CΦ and KΦ, one row a mode.
    pub mass_shape: Matrix,
    pub damping_shape: Matrix,
    pub stiffness_shape: Matrix,
    /// D, by rows.
    pub damping: Vec<Sparse>,
    /// How the forces of the resting contacts, in the order of `members`, depend on η and η̇.
    pub held: HeldRows,
    /// Maps a force on the degrees of freedom to the forces of the resting contacts, one row a contact.
    pub carried: Matrix,
    /// The same of C x and K x, without what cancels in them.
    pub carried_damping: Matrix,
    pub carried_stiffness: Matrix,
    /// Maps sliding velocities of the resting contacts to the velocities u_c that they impose, one row a
    /// degree of freedom.
    pub imposed: Matrix,
    /// The free motions and steady waves.
    pub terms: Terms,
}

impl Structure {
    /// `None` if the modes would not be exact: viscous or sloping friction, damping or stiffness that is not
    /// symmetric, stiffness that is not positive, contacts that depend on each other.
    pub fn new(system: &System, model: &Model) -> Option<Self> {
        let n = system.n();
        let has_slopes = model.contacts.iter().any(|c| c.line.pieces.iter().any(|piece| piece.slope != 0.0));
        if has_slopes || system.stiffness.asymmetry().is_some() {
            return None;
        }
        let mut basis = crate::contact::Basis::default();
        basis.clear();
        if !(0..model.contacts.len()).all(|i| basis.add(&model.delassus, i)) {
            return None;
        }
        let rayleigh = rayleigh(system).map(|(alpha, beta)| [alpha, beta]);
        if rayleigh.is_none() && system.damping.asymmetry().is_some() {
            return None;
        }
        let mut lower = system.mass.data.clone();
        if !factor(&mut lower, n, 0.0) {
            return None;
        }
        let mass_rows = (0..n).map(|i| sparse(system.mass.row(i))).collect();
        let stiffness = system.stiffness.clone();
        let mut structure = Self { n, lower, stiffness, mass_rows, rayleigh, extremes: [0.0; 2] };
        // L⁻¹ K L⁻ᵀ: L⁻¹ on the columns, then on the rows
        for _ in 0..2 {
            let mut rows = transposed(&structure.stiffness);
            rows.data.chunks_mut(n).for_each(|row| structure.solve_lower(row));
            structure.stiffness = rows;
        }
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (structure.stiffness.at(i, j) + structure.stiffness.at(j, i));
                (*structure.stiffness.at_mut(i, j), *structure.stiffness.at_mut(j, i)) = (mean, mean);
            }
        }
        let (squares, _) = eigen(&structure.stiffness)?;
        structure.extremes = [squares[0], *squares.last()?];
        (squares[0] >= -NEGATIVE * structure.extremes[1]).then_some(structure)
    }

    /// Whether damping couples the modes.
    pub fn is_coupled(&self) -> bool {
        self.rayleigh.is_none()
    }

    /// The lowest frequency without resting contacts (rad/s).
    pub fn slowest(&self) -> f64 {
        self.extremes[0].max(0.0).sqrt()
    }

    /// x becomes L⁻¹x.
    fn solve_lower(&self, x: &mut [f64]) {
        for i in 0..self.n {
            let row = &self.lower[i * self.n..];
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
    }

    /// x becomes L⁻ᵀx.
    fn solve_upper(&self, x: &mut [f64]) {
        for i in (0..self.n).rev() {
            x[i] /= self.lower[i * self.n + i];
            for j in 0..i {
                x[j] -= self.lower[i * self.n + j] * x[i];
            }
        }
    }

    /// Reflections that bring D to upper triangular form: what they make of it, row a being column a of R, and
    /// the columns of their product, Q₁ and N.
    fn reflected(&self, model: &Model, members: &[usize]) -> Option<(Matrix, Vec<Vec<f64>>)> {
        let (n, r) = (self.n, members.len());
        let mut d = Matrix::zeros(r, n);
        for (a, &i) in members.iter().enumerate() {
            let row = d.row_mut(a);
            model.contacts[i].direction.iter().for_each(|&(k, w)| row[k] = w);
            self.solve_lower(row);
        }
        let mut q = Matrix::diagonal(&vec![1.0; n]);
        for a in 0..r {
            let tail = &d.row(a)[a..];
            let length = dot(tail, tail).sqrt();
            if length == 0.0 {
                return None;
            }
            let mut u = vec![0.0; n];
            u[a..].copy_from_slice(tail);
            u[a] += length.copysign(u[a]);
            let half = 0.5 * dot(&u, &u);
            for row in d.data.chunks_mut(n).chain(q.data.chunks_mut(n)) {
                let factor = dot(row, &u) / half;
                row.iter_mut().zip(&u).for_each(|(x, u)| *x -= factor * u);
            }
        }
        let columns = transposed(&q);
        Some((d, columns.data.chunks(n).map(<[f64]>::to_vec).collect()))
    }

    /// ω² and Φ of the motions in the space of the columns N.
    fn shapes(&self, model: &Model, basis: &[Vec<f64>]) -> Option<(Vec<f64>, Matrix)> {
        let (n, n_modes) = (self.n, basis.len());
        let pushed_by =
            |x: &Vec<f64>| -> Vec<f64> { (0..n).map(|i| dot(self.stiffness.row(i), x)).collect() };
        let stiff: Vec<Vec<f64>> = basis.iter().map(pushed_by).collect();
        let mut small = Matrix::zeros(n_modes, n_modes);
        for (i, x) in basis.iter().enumerate() {
            for (j, pushed) in stiff.iter().enumerate().take(i + 1) {
                let entry = dot(x, pushed);
                (*small.at_mut(i, j), *small.at_mut(j, i)) = (entry, entry);
            }
        }
        let (_, vectors) = eigen(&small)?;
        let mut shape = Matrix::zeros(n, n_modes);
        for j in 0..n_modes {
            let mut y = vec![0.0; n];
            for (i, x) in basis.iter().enumerate() {
                let c = vectors.at(i, j);
                y.iter_mut().zip(x).for_each(|(y, x)| *y += c * x);
            }
            self.solve_upper(&mut y);
            (0..n).for_each(|k| *shape.at_mut(k, j) = y[k]);
        }
        let mut squares = refine(&self.mass_rows, &model.stiffness, &mut shape);
        let is_rigid = |square: &&mut f64| **square < RIGID * self.extremes[1];
        squares.iter_mut().filter(is_rigid).for_each(|square| *square = 0.0);
        Some((squares, shape))
    }

    /// R⁻¹Q₁ᵀL⁻¹, which maps a force on the degrees of freedom to the forces of the resting contacts.
    fn carried(&self, d: &Matrix, basis: &[Vec<f64>]) -> Matrix {
        let (n, r) = (self.n, basis.len());
        let mut carried = Matrix::zeros(r, n);
        for (a, direction) in basis.iter().enumerate() {
            carried.row_mut(a).copy_from_slice(direction);
            self.solve_upper(carried.row_mut(a));
        }
        for a in (0..r).rev() {
            for c in a + 1..r {
                for k in 0..n {
                    let change = d.at(c, a) * carried.at(c, k);
                    *carried.at_mut(a, k) -= change;
                }
            }
            carried.row_mut(a).iter_mut().for_each(|x| *x /= d.at(a, a));
        }
        carried
    }

    /// (C X)ᵀ of the columns of X, of which (K X)ᵀ is given.
    fn damped(&self, model: &Model, x: &Matrix, stiff: &Matrix) -> Matrix {
        let Some([alpha, beta]) = self.rayleigh else { return image(&model.damping, x) };
        let mut damped = image(&self.mass_rows, x);
        for (c, k) in damped.data.iter_mut().zip(&stiff.data) {
            *c = alpha * *c + beta * k;
        }
        damped
    }

    /// The modes while `members` rest; `None` if the eigenvalues cannot be had, or not well enough.
    pub fn modes(&self, model: &Model, members: &[usize]) -> Option<Modes> {
        let (m, r) = (model.contacts.len(), members.len());
        let n_modes = self.n - r;
        let (d, basis) = self.reflected(model, members)?;
        let (squares, mut shape) = self.shapes(model, &basis[r..])?;
        let mass_shape = image(&self.mass_rows, &shape);
        let mut stiffness_shape = image(&model.stiffness, &shape);
        for (j, _) in squares.iter().enumerate().filter(|(_, square)| **square == 0.0) {
            stiffness_shape.row_mut(j).fill(0.0);
        }
        let damping_shape = self.damped(model, &shape, &stiffness_shape);
        let carried = self.carried(&d, &basis[..r]);
        let mut held =
            HeldRows { displacement: Matrix::zeros(r, n_modes), velocity: Matrix::zeros(r, n_modes) };
        for a in 0..r {
            for j in 0..n_modes {
                let stiff = dot(carried.row(a), stiffness_shape.row(j));
                *held.displacement.at_mut(a, j) = -stiff;
                // M Φ takes nothing to the resting contacts
                *held.velocity.at_mut(a, j) = match self.rayleigh {
                    Some([_, beta]) => -beta * stiff,
                    None => -dot(carried.row(a), damping_shape.row(j)),
                };
            }
        }
        // u_c = L⁻ᵀQ₁R⁻ᵀ b is the transpose of the same map
        let mut imposed = transposed(&carried);
        let carried_stiffness = image(&model.stiffness, &imposed);
        let carried_damping = self.damped(model, &imposed, &carried_stiffness);
        let mut sliding = Matrix::zeros(m, n_modes);
        for (i, contact) in model.contacts.iter().enumerate().filter(|(i, _)| !members.contains(i)) {
            for &(k, w) in &contact.direction {
                sliding.row_mut(i).iter_mut().zip(shape.row(k)).for_each(|(x, shape)| *x += w * shape);
            }
        }
        // a resting contact that acts on one degree of freedom pins it, to the last bit
        for (a, &i) in members.iter().enumerate() {
            if let [(k, w)] = model.contacts[i].direction[..] {
                shape.row_mut(k).fill(0.0);
                imposed.row_mut(k).fill(0.0);
                *imposed.at_mut(k, a) = 1.0 / w;
            }
        }
        let damping = match self.rayleigh {
            None => projected(&model.damping, &shape),
            Some([alpha, beta]) => {
                Matrix::diagonal(&squares.iter().map(|square| alpha + beta * square).collect::<Vec<_>>())
            }
        };
        let natural = Natural {
            squares: &squares,
            damping: &damping,
            is_diagonal: !self.is_coupled(),
            shape: &shape,
            sliding: &sliding,
            carried: &carried,
            held: &held,
        };
        let terms = Terms::new(&natural, model)?;
        Some(Modes {
            members: members.to_vec(),
            n_modes,
            damping: (0..n_modes).map(|j| sparse(damping.row(j))).collect(),
            squares,
            shape,
            mass_shape,
            damping_shape,
            stiffness_shape,
            held,
            carried,
            carried_damping,
            carried_stiffness,
            imposed,
            terms,
        })
    }
}

/// (A X)ᵀ, of products in twice the precision.
fn image(rows: &[Sparse], x: &Matrix) -> Matrix {
    let [mut high, low] = product(rows, x);
    high.data.iter_mut().zip(&low.data).for_each(|(high, low)| *high += low);
    transposed(&high)
}

fn transposed(a: &Matrix) -> Matrix {
    let mut t = Matrix::zeros(a.n_cols, a.n_rows);
    for i in 0..a.n_rows {
        (0..a.n_cols).for_each(|j| *t.at_mut(j, i) = a.at(i, j));
    }
    t
}

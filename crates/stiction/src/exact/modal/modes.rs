//! The natural modes of a system while a set of contacts rests.
//!
//! In coordinates of unit mass, y = Lᵀq with M = LLᵀ, a resting contact keeps dᵀẏ constant, d = L⁻¹w. With D = (d₁ … d_r) = Q₁R
//! and an orthonormal basis N of what is left,
//!
//! ```text
//!   q = q_c + u_c τ + Φη,    Φ = L⁻ᵀ N V,    Nᵀ L⁻¹KL⁻ᵀ N = V diag(ω²) Vᵀ
//!   η″ + 2ση′ + ω²η = φᵀ(f(t) − Σ wᵢHᵢ − K(q_c + u_c τ) − C u_c),    2σ = α + βω²
//!   λ = R⁻¹Q₁ᵀL⁻¹ (f(t) − Σ wᵢHᵢ − C q̇ − K q)     forces of the resting contacts
//! ```
//!
//! Damping C = αM + βK (@rayleigh1877) is diagonal in the modes of every set of resting contacts; any other
//! couples them (see `coupled.rs`). Dry friction alone acts on the sliding contacts, a constant force, so
//! that the modes depend on nothing but the set.

use super::coupled::Coupled;
use crate::exact::forced::Forced;
use crate::exact::load_harmonics::LoadHarmonic;
use crate::exact::taylor::{Model, Sparse, sparse, sparse_dot};
use crate::math::complex::{Complex, complex};
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

/// How a quantity depends on displacement and velocity of each mode; what is missing is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModalRow<'a> {
    pub displacement: &'a [f64],
    pub velocity: &'a [f64],
}

impl ModalRow<'_> {
    /// The coefficients of mode j.
    #[inline]
    pub fn at(&self, j: usize) -> [f64; 2] {
        [self.displacement.get(j).copied().unwrap_or(0.0), self.velocity.get(j).copied().unwrap_or(0.0)]
    }

    /// The sum over all modes and its derivative of the given order, of η, η̇ and its derivatives.
    #[inline]
    pub fn sum(&self, whole: &[[f64; 5]], order: usize) -> f64 {
        let slow = self.displacement.iter().zip(whole).map(|(c, w)| c * w[order]).sum::<f64>();
        let fast = self.velocity.iter().zip(whole).map(|(c, w)| c * w[order + 1]).sum::<f64>();
        slow + fast
    }
}

/// Several such quantities.
#[derive(Clone, Debug, Default)]
pub(super) struct ModalRows {
    pub displacement: Matrix,
    pub velocity: Matrix,
}

impl ModalRows {
    #[inline]
    pub fn row(&self, i: usize) -> ModalRow<'_> {
        ModalRow { displacement: self.displacement.row(i), velocity: self.velocity.row(i) }
    }
}

/// The modes of one set of resting contacts.
#[derive(Debug)]
pub(super) struct Modes {
    /// The resting contacts.
    pub members: Vec<usize>,
    /// Number of modes.
    pub n_modes: usize,
    /// ω² of each mode, ascending (1/s²).
    pub squares: Vec<f64>,
    /// The modes as oscillators of unit mass under the harmonic loads.
    pub oscillators: Vec<Forced>,
    /// ΦᵀF of each harmonic load, one row a mode; nothing where the steady waves are not taken mode by mode.
    pub tones: Matrix,
    /// Φ, one row a degree of freedom.
    pub shape: Matrix,
    /// MΦ, CΦ and KΦ, one row a mode.
    pub mass_shape: Matrix,
    pub damping_shape: Matrix,
    pub stiffness_shape: Matrix,
    /// wᵢᵀΦ, one row a contact.
    pub sliding_shape: Matrix,
    /// Forces of the resting contacts, in the order of `members`, and the harmonic loads on them as complex
    /// amplitudes.
    pub held: ModalRows,
    pub held_waves: Vec<Vec<Complex>>,
    /// Maps a force on the degrees of freedom to the forces of the resting contacts, one row a contact.
    pub carried: Matrix,
    /// The same of C x and K x, without what cancels in them.
    pub carried_damping: Matrix,
    pub carried_stiffness: Matrix,
    /// Maps sliding velocities of the resting contacts to the velocities u_c that they impose, one row a
    /// degree of freedom.
    pub imposed: Matrix,
    /// What is different where damping couples the modes.
    pub coupled: Option<Coupled>,
}

impl Modes {
    /// Position of degree of freedom k.
    #[inline]
    pub fn position(&self, k: usize) -> ModalRow<'_> {
        match &self.coupled {
            None => ModalRow { displacement: self.shape.row(k), velocity: &[] },
            Some(coupled) => coupled.position.row(k),
        }
    }

    /// Velocity of degree of freedom k.
    #[inline]
    pub fn velocity(&self, k: usize) -> ModalRow<'_> {
        match &self.coupled {
            None => ModalRow { displacement: &[], velocity: self.shape.row(k) },
            Some(coupled) => coupled.velocity.row(k),
        }
    }

    /// Sliding velocity of contact i.
    #[inline]
    pub fn sliding(&self, i: usize) -> ModalRow<'_> {
        match &self.coupled {
            None => ModalRow { displacement: &[], velocity: self.sliding_shape.row(i) },
            Some(coupled) => coupled.sliding.row(i),
        }
    }

    /// Steady waves of the position of degree of freedom k that no mode has, as complex amplitudes of each
    /// load.
    #[inline]
    pub fn position_waves(&self, k: usize) -> &[Complex] {
        self.coupled.as_ref().map_or(&[], |coupled| &coupled.position_waves[k])
    }

    /// The same of the sliding velocity of contact i.
    #[inline]
    pub fn sliding_waves(&self, i: usize) -> &[Complex] {
        self.coupled.as_ref().map_or(&[], |coupled| &coupled.sliding_waves[i])
    }
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

    /// The modes while `members` rest; `None` if the eigenvalues cannot be had, or not well enough.
    pub fn modes(&self, model: &Model, members: &[usize]) -> Option<Modes> {
        let (n, m, r) = (self.n, model.contacts.len(), members.len());
        let n_modes = n - r;
        // reflections that bring D to upper triangular form; q holds their product, column by column
        let mut d = Matrix::zeros(r, n);
        for (a, &i) in members.iter().enumerate() {
            let row = &mut d.data[a * n..(a + 1) * n];
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
        // row k of q is row k of Q: its first r entries belong to Q₁, the others to N
        let column = |j: usize| -> Vec<f64> { (0..n).map(|k| q.at(k, j)).collect() };
        let pushed_by = |x: &[f64]| -> Vec<f64> {
            let mut y = vec![0.0; n];
            (0..n).for_each(|i| y[i] = dot(self.stiffness.row(i), x));
            y
        };
        let basis: Vec<Vec<f64>> = (0..n).map(column).collect();
        let stiff: Vec<Vec<f64>> = basis.iter().map(|x| pushed_by(x)).collect();
        let mut small = Matrix::zeros(n_modes, n_modes);
        for i in 0..n_modes {
            for j in 0..=i {
                let entry = dot(&basis[r + i], &stiff[r + j]);
                (*small.at_mut(i, j), *small.at_mut(j, i)) = (entry, entry);
            }
        }
        let (_, vectors) = eigen(&small)?;
        let mut shape = Matrix::zeros(n, n_modes);
        for j in 0..n_modes {
            let mut y = vec![0.0; n];
            for i in 0..n_modes {
                let c = vectors.at(i, j);
                y.iter_mut().zip(&basis[r + i]).for_each(|(y, x)| *y += c * x);
            }
            self.solve_upper(&mut y);
            (0..n).for_each(|k| *shape.at_mut(k, j) = y[k]);
        }
        let mut squares = refine(&self.mass_rows, &model.stiffness, &mut shape);
        squares
            .iter_mut()
            .filter(|square| **square < RIGID * self.extremes[1])
            .for_each(|square| *square = 0.0);

        let mut modes = Modes {
            members: members.to_vec(),
            n_modes,
            oscillators: Vec::with_capacity(n_modes),
            tones: Matrix::zeros(n_modes, model.harmonics.len()),
            shape,
            mass_shape: Matrix::zeros(n_modes, n),
            damping_shape: Matrix::zeros(n_modes, n),
            stiffness_shape: Matrix::zeros(n_modes, n),
            sliding_shape: Matrix::zeros(m, n_modes),
            held: ModalRows { displacement: Matrix::zeros(r, n_modes), velocity: Matrix::zeros(r, n_modes) },
            held_waves: Vec::with_capacity(r),
            carried: Matrix::zeros(r, n),
            carried_damping: Matrix::default(),
            carried_stiffness: Matrix::default(),
            imposed: Matrix::zeros(n, r),
            coupled: None,
            squares,
        };
        let add = |[high, low]: [Matrix; 2]| {
            let data = high.data.iter().zip(&low.data).map(|(high, low)| high + low).collect();
            Matrix { data, ..high }
        };
        let moved = add(product(&self.mass_rows, &modes.shape));
        let pushed = add(product(&model.stiffness, &modes.shape));
        let damped = match self.rayleigh {
            Some(_) => Matrix::default(),
            None => add(product(&model.damping, &modes.shape)),
        };
        for j in 0..n_modes {
            let square = modes.squares[j];
            for k in 0..n {
                *modes.mass_shape.at_mut(j, k) = moved.at(k, j);
                let stiff = if square > 0.0 { pushed.at(k, j) } else { 0.0 };
                *modes.stiffness_shape.at_mut(j, k) = stiff;
                *modes.damping_shape.at_mut(j, k) = match self.rayleigh {
                    Some([alpha, beta]) => alpha * moved.at(k, j) + beta * stiff,
                    None => damped.at(k, j),
                };
            }
            let y: Vec<f64> = (0..n).map(|k| modes.shape.at(k, j)).collect();
            for (i, contact) in model.contacts.iter().enumerate() {
                *modes.sliding_shape.at_mut(i, j) = sparse_dot(&contact.direction, &y);
            }
            let tone = |(omega, phase, amplitude): &(f64, f64, Vec<f64>)| LoadHarmonic {
                size: dot(&y, amplitude),
                omega: *omega,
                phase: *phase,
            };
            let tones: Vec<LoadHarmonic> = model.harmonics.iter().map(tone).collect();
            tones.iter().enumerate().for_each(|(k, tone)| *modes.tones.at_mut(j, k) = tone.size);
            if let Some([alpha, beta]) = self.rayleigh {
                modes.oscillators.push(Forced::new(1.0, alpha + beta * square, square, &tones));
            }
        }
        for &i in members {
            // a resting contact does not slide
            modes.sliding_shape.data[i * n_modes..(i + 1) * n_modes].fill(0.0);
        }
        // Q₁ᵀL⁻¹ as rows, then R⁻¹ from the left; R is the leading part of the reflected D, row a of d being
        // column a of R
        for (a, direction) in basis.iter().enumerate().take(r) {
            let mut row = direction.clone();
            self.solve_upper(&mut row);
            modes.carried.data[a * n..(a + 1) * n].copy_from_slice(&row);
        }
        let upper = |a: usize, c: usize| d.at(c, a);
        for a in (0..r).rev() {
            for c in a + 1..r {
                let factor = upper(a, c);
                for k in 0..n {
                    let change = factor * modes.carried.at(c, k);
                    *modes.carried.at_mut(a, k) -= change;
                }
            }
            let pivot = upper(a, a);
            modes.carried.data[a * n..(a + 1) * n].iter_mut().for_each(|x| *x /= pivot);
        }
        for a in 0..r {
            let carried = modes.carried.row(a);
            for j in 0..n_modes {
                let stiff = dot(carried, modes.stiffness_shape.row(j));
                *modes.held.displacement.at_mut(a, j) = -stiff;
                *modes.held.velocity.at_mut(a, j) = match self.rayleigh {
                    Some([_, beta]) => -beta * stiff,
                    None => -dot(carried, modes.damping_shape.row(j)),
                };
            }
            // sin x = Re(−i e^{ix})
            let wave = |(.., amplitude): &(f64, f64, Vec<f64>)| complex(0.0, -dot(carried, amplitude));
            modes.held_waves.push(model.harmonics.iter().map(wave).collect());
        }
        // carried · C and carried · K
        let imposed = transposed(&modes.carried);
        modes.carried_stiffness = transposed(&add(product(&model.stiffness, &imposed)));
        modes.carried_damping = match self.rayleigh {
            None => transposed(&add(product(&model.damping, &imposed))),
            Some([alpha, beta]) => {
                let mut damped = transposed(&add(product(&self.mass_rows, &imposed)));
                for (c, k) in damped.data.iter_mut().zip(&modes.carried_stiffness.data) {
                    *c = alpha * *c + beta * k;
                }
                damped
            }
        };
        // u_c = L⁻ᵀQ₁R⁻ᵀ b is the transpose of the same map
        for k in 0..n {
            (0..r).for_each(|a| *modes.imposed.at_mut(k, a) = modes.carried.at(a, k));
        }
        // a resting contact that acts on one degree of freedom pins it, to the last bit
        for (a, &i) in members.iter().enumerate() {
            if let [(k, w)] = model.contacts[i].direction[..] {
                modes.shape.data[k * n_modes..(k + 1) * n_modes].fill(0.0);
                modes.imposed.data[k * r..(k + 1) * r].fill(0.0);
                *modes.imposed.at_mut(k, a) = 1.0 / w;
            }
        }
        if self.rayleigh.is_none() {
            let damping = projected(&model.damping, &modes.shape);
            Coupled::couple(&mut modes, model, damping)?;
        }
        Some(modes)
    }
}

fn transposed(a: &Matrix) -> Matrix {
    let mut t = Matrix::zeros(a.n_cols, a.n_rows);
    for i in 0..a.n_rows {
        (0..a.n_cols).for_each(|j| *t.at_mut(j, i) = a.at(i, j));
    }
    t
}

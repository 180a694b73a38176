//! The lowest modes of K φ = λ M φ, by Lanczos iteration with the inverse of K + sM (@ericsson1980).
//!
//! ```text
//!   (K + sM)⁻¹ M φ = θ φ,     θ = 1/(λ + s),     φᵢᵀ M φⱼ = δᵢⱼ
//! ```
//!
//! Every vector is made orthogonal to all before it, so that no mode is found twice. The shift s is zero
//! unless K is singular, else the lowest λ that is not zero. An iteration from one vector sees one mode of
//! each multiple eigenvalue; those that are missing are counted by the negative pivots of K − σM (Sylvester)
//! and looked for again, orthogonal to the ones that are known.

use super::dense::{Matrix, quick_dot};
use super::skyline::{Envelope, Skyline};
use super::sparse::SparseMatrix;
use super::symmetric::eigen;

/// A pivot below this part of its entry is rounding: the stiffness is singular.
const SINGULAR: f64 = 1e-13;
/// The first shift of a singular stiffness, in parts of the largest eigenvalue.
const SHIFT: f64 = 1e-10;
/// Modes that show the lowest λ that is not zero: each iteration sees at most one motion without stiffness.
const MAX_RIGID: usize = 3;
/// An eigenvalue below this part of the shift is rounding of a motion without stiffness.
const RIGID: f64 = 1e-4;
/// Residual of a mode that has converged, in parts of its θ, or of the largest θ.
const CONVERGED: f64 = 1e-11;
const ROUNDING: f64 = 1e-14;
/// Eigenvalues closer than this are not cut apart.
const GAP: f64 = 1e-6;
/// Iterations from new vectors; two are enough unless eigenvalues are multiple.
const ROUNDS: u64 = 40;
/// Steps towards the largest eigenvalue, which is needed to a tenth.
const POWER: usize = 30;

/// Mass and stiffness of a structure, factored.
pub(crate) struct Pencil<'a> {
    mass: &'a SparseMatrix,
    stiffness: &'a SparseMatrix,
    envelope: Envelope,
    /// Of K + sM.
    factor: Skyline,
    /// s.
    pub shift: f64,
    /// The largest eigenvalue, from below, to a tenth or so.
    pub largest: f64,
}

/// Which of the matrices is unfit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The mass is not positive definite.
    Mass,
    /// The stiffness has a negative eigenvalue.
    Stiffness,
}

/// The lowest modes.
#[derive(Debug)]
pub(crate) struct Lowest {
    /// λ of each, ascending.
    pub squares: Vec<f64>,
    /// Their shapes φ.
    pub shapes: Vec<Vec<f64>>,
    /// All other λ are above this.
    pub next: f64,
}

impl Lowest {
    /// Keeps the `wanted` lowest, some more where eigenvalues lie close together.
    pub fn truncate(&mut self, wanted: usize) {
        if let Some(cut) = cut(&self.squares, wanted.max(1)) {
            self.next = behind(&self.squares, cut);
            self.squares.truncate(cut);
            self.shapes.truncate(cut);
        }
    }
}

impl<'a> Pencil<'a> {
    /// Factors the matrices, which are symmetric and within the envelope.
    pub fn new(
        mass: &'a SparseMatrix,
        stiffness: &'a SparseMatrix,
        envelope: Envelope,
    ) -> Result<Self, Unfit> {
        let inertia =
            Skyline::new(&envelope, mass).filter(|factor| factor.is_definite(0.0)).ok_or(Unfit::Mass)?;
        let largest = largest(&inertia, mass, stiffness);
        drop(inertia);
        if let Some(factor) = Skyline::new(&envelope, stiffness).filter(|factor| factor.is_definite(SINGULAR))
        {
            return Ok(Self { mass, stiffness, envelope, factor, shift: 0.0, largest });
        }
        let order = envelope.clone();
        let shifted = |shift: f64| {
            let factor = Skyline::new(&order, &stiffness.combined(1.0, shift, mass));
            factor.filter(|factor| factor.is_definite(0.0)).ok_or(Unfit::Stiffness)
        };
        let shift = if largest > 0.0 { SHIFT * largest } else { 1.0 };
        let mut pencil = Self { mass, stiffness, envelope, factor: shifted(shift)?, shift, largest };
        // motions without stiffness would drown the others in their rounding: the shift becomes the lowest λ
        // that is not zero
        let found = pencil.iterate(&[], MAX_RIGID, 0);
        let elastic =
            found.iter().map(|(theta, _)| 1.0 / theta - shift).find(|square| *square > RIGID * shift);
        if let Some(elastic) = elastic {
            (pencil.factor, pencil.shift) = (shifted(elastic)?, elastic);
        }
        Ok(pencil)
    }

    /// x becomes (K + sM)⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        self.factor.solve(x);
    }

    /// Number of eigenvalues below `square`; `None` if it hits one.
    pub fn n_below(&self, square: f64) -> Option<usize> {
        let shifted = self.stiffness.combined(1.0, -square, self.mass);
        Skyline::new(&self.envelope, &shifted).map(|factor| factor.n_negative())
    }

    /// At least the `wanted` lowest modes, fewer than there are; some more where eigenvalues lie close
    /// together. `None` if they cannot be distinguished.
    pub fn lowest(&self, wanted: usize) -> Option<Lowest> {
        let n = self.mass.n();
        let (mut squares, mut shapes): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        let mut missing = (wanted + 1).min(n);
        for seed in 1..=ROUNDS {
            for (theta, shape) in self.iterate(&shapes, missing, seed) {
                let square = 1.0 / theta - self.shift;
                let is_rigid = self.shift > 0.0 && square < RIGID * self.shift;
                let square = if is_rigid { 0.0 } else { square };
                let at = squares.partition_point(|other| *other <= square);
                squares.insert(at, square);
                shapes.insert(at, shape);
            }
            let Some(cut) = cut(&squares, wanted) else {
                missing = (wanted + 1).saturating_sub(squares.len()).max(2);
                if squares.len() == n {
                    return None;
                }
                continue;
            };
            let next = behind(&squares, cut);
            let below = self.n_below(next)?;
            if below == cut {
                squares.truncate(cut);
                shapes.truncate(cut);
                return Some(Lowest { squares, shapes, next });
            }
            missing = below.checked_sub(cut)?;
        }
        None
    }

    /// Modes of the largest θ that are orthogonal to the known ones: one iteration from a vector that looks
    /// random.
    fn iterate(&self, known: &[Vec<f64>], wanted: usize, seed: u64) -> Vec<(f64, Vec<f64>)> {
        let n = self.mass.n();
        let room = n - known.len();
        if room == 0 {
            return Vec::new();
        }
        let mut goal = (2 * wanted + 24).min(room);
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let (mut alpha, mut beta): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut next = noise(n, seed);
        let mut length = self.orthogonalise(&mut next, known, &basis);
        loop {
            let mut is_exhausted = length == 0.0;
            while basis.len() < goal && !is_exhausted {
                next.iter_mut().for_each(|x| *x /= length);
                let mut image = self.mass.product(&next);
                let weighted = image.clone();
                self.factor.solve(&mut image);
                alpha.push(quick_dot(&image, &weighted));
                basis.push(std::mem::replace(&mut next, image));
                length = self.orthogonalise(&mut next, known, &basis);
                beta.push(length);
                // nothing is left that is orthogonal to all before
                let size = alpha.iter().fold(0.0f64, |size, a| size.max(a.abs()));
                is_exhausted = length <= ROUNDING * size;
            }
            let m = basis.len();
            let Some((values, vectors)) = tridiagonal_eigen(&alpha, &beta) else { return Vec::new() };
            let (top, last) = (values.last().copied().unwrap_or(0.0), beta.last().copied().unwrap_or(0.0));
            let has_converged = |&j: &usize| {
                (last * vectors.at(m - 1, j)).abs() <= (CONVERGED * values[j]).max(ROUNDING * top)
                    && values[j] > ROUNDING * top
            };
            let found: Vec<usize> = (0..m).rev().take_while(has_converged).collect();
            if found.len() >= wanted || is_exhausted || goal == room {
                let shape = |&j: &usize| {
                    let mut shape = vec![0.0; n];
                    for (i, vector) in basis.iter().enumerate() {
                        let c = vectors.at(i, j);
                        shape.iter_mut().zip(vector).for_each(|(x, v)| *x += c * v);
                    }
                    (values[j], shape)
                };
                return found.iter().take(wanted.max(1)).map(shape).collect();
            }
            goal = (goal + goal / 2).min(room);
        }
    }

    /// Makes `x` orthogonal to all others with respect to M, and gives its length.
    pub fn orthogonalise(&self, x: &mut [f64], known: &[Vec<f64>], basis: &[Vec<f64>]) -> f64 {
        // twice is enough
        for _ in 0..2 {
            let weighted = self.mass.product(x);
            for other in known.iter().chain(basis) {
                let c = quick_dot(other, &weighted);
                x.iter_mut().zip(other).for_each(|(x, other)| *x -= c * other);
            }
        }
        quick_dot(x, &self.mass.product(x)).max(0.0).sqrt()
    }
}

/// The first gap from the last wanted mode on, where eigenvalues below it can be counted.
fn cut(squares: &[f64], wanted: usize) -> Option<usize> {
    (wanted..squares.len()).find(|&k| squares[k] - squares[k - 1] > GAP * squares[k])
}

/// A place in the gap before eigenvalue `k`.
fn behind(squares: &[f64], k: usize) -> f64 {
    squares[k] - 0.1 * (squares[k] - squares[k - 1])
}

/// The largest eigenvalue from below, by iteration with M⁻¹K.
fn largest(inertia: &Skyline, mass: &SparseMatrix, stiffness: &SparseMatrix) -> f64 {
    let mut x = noise(mass.n(), 0);
    let mut found = 0.0f64;
    for _ in 0..POWER {
        let pushed = stiffness.product(&x);
        let [elastic, kinetic] = [quick_dot(&x, &pushed), quick_dot(&x, &mass.product(&x))];
        if !(elastic > 0.0 && kinetic > 0.0) {
            break;
        }
        found = found.max(elastic / kinetic);
        x = pushed;
        inertia.solve(&mut x);
        let size = x.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        x.iter_mut().for_each(|x| *x /= size);
    }
    found
}

/// Eigenvalues and eigenvectors of the symmetric tridiagonal matrix with these diagonals.
fn tridiagonal_eigen(alpha: &[f64], beta: &[f64]) -> Option<(Vec<f64>, Matrix)> {
    let mut matrix = Matrix::diagonal(alpha);
    for i in 1..alpha.len() {
        (*matrix.at_mut(i, i - 1), *matrix.at_mut(i - 1, i)) = (beta[i - 1], beta[i - 1]);
    }
    eigen(&matrix)
}

/// Numbers between −1 and 1 that look random, the same in every run (@steele2014).
fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let next = |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = state;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of unit springs and masses between walls at its left and right ends, or nowhere.
    fn grid(width: usize, height: usize, has_walls: bool) -> [SparseMatrix; 2] {
        let n = width * height;
        let mut entries = Vec::new();
        for (x, y) in (0..n).map(|i| (i % width, i / width)) {
            let i = x + width * y;
            let walls = [x == 0, x + 1 == width].into_iter().filter(|is_end| *is_end && has_walls).count();
            entries.push((i, i, walls as f64));
            for other in [(x + 1 < width).then_some(i + 1), (y + 1 < height).then_some(i + width)]
                .into_iter()
                .flatten()
            {
                entries.extend([(i, i, 1.0), (other, other, 1.0), (i, other, -1.0), (other, i, -1.0)]);
            }
        }
        [SparseMatrix::diagonal(&vec![1.0; n]), SparseMatrix::new(n, &entries).unwrap()]
    }

    fn assert_lowest([mass, stiffness]: &[SparseMatrix; 2], wanted: usize) -> Lowest {
        let pencil = Pencil::new(mass, stiffness, Envelope::new(&[mass, stiffness])).unwrap();
        let lowest = pencil.lowest(wanted).unwrap();
        let (all, _) = eigen(&stiffness.to_dense()).unwrap();
        assert!(lowest.squares.len() >= wanted);
        for (found, expected) in lowest.squares.iter().zip(&all) {
            assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
        assert!(lowest.next < all[lowest.squares.len()] && lowest.next > all[lowest.squares.len() - 1]);
        for (i, shape) in lowest.shapes.iter().enumerate() {
            let mut rest = stiffness.product(shape);
            mass.add_product(-lowest.squares[i], shape, &mut rest);
            assert!(rest.iter().all(|r| r.abs() < 1e-8), "mode {i}");
            for (j, other) in lowest.shapes.iter().enumerate() {
                let product = quick_dot(shape, &mass.product(other));
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-10, "modes {i}, {j}: {product}");
            }
        }
        lowest
    }

    #[test]
    fn modes_of_a_grid_are_those_of_its_dense_matrix() {
        for (width, height, wanted) in [(3, 1, 1), (7, 5, 10), (20, 9, 25), (6, 6, 30)] {
            assert_lowest(&grid(width, height, true), wanted);
        }
    }

    /// Every mode of a square grid without walls but the diagonal ones has a twin, and one has no stiffness.
    #[test]
    fn twins_and_motions_without_stiffness_are_found() {
        let lowest = assert_lowest(&grid(9, 9, false), 14);
        assert_eq!(lowest.squares[0], 0.0);
        assert!((lowest.squares[1] - lowest.squares[2]).abs() < 1e-12);
    }

    #[test]
    fn unfit_matrices_are_reported() {
        let [mass, stiffness] = grid(4, 1, true);
        let of = |m: &SparseMatrix, k: &SparseMatrix| Pencil::new(m, k, Envelope::new(&[m, k])).err();
        assert_eq!(of(&mass, &stiffness), None);
        assert_eq!(of(&SparseMatrix::diagonal(&[1.0, -1.0, 1.0, 1.0]), &stiffness), Some(Unfit::Mass));
        assert_eq!(of(&mass, &stiffness.combined(1.0, -3.0, &mass)), Some(Unfit::Stiffness));
    }
}

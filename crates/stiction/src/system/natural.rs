//! The natural modes of a system, and damping that is diagonal in them.
//!
//! ```text
//!   K Φ = M Φ diag(ω²),    ΦᵀMΦ = I,    C = αM + βK:  ΦᵀCΦ = diag(α + βω²)
//! ```

use super::System;
use crate::math::dense::{Matrix, dot, factor};
use crate::math::refine::refine;
use crate::math::symmetric::eigen;

/// Deviation of C from αM + βK that is rounding, relative to the entries.
const PROPORTIONAL: f64 = 1e-12;
/// An eigenvalue below this part of the largest is rounding of a motion without stiffness.
pub(crate) const RIGID: f64 = 1e-14;

/// α and β of C = αM + βK, both not negative; `None` if C is not of this kind.
pub(crate) fn rayleigh(system: &System) -> Option<(f64, f64)> {
    let (m, c, k) = (&system.mass.data, &system.damping.data, &system.stiffness.data);
    // least squares in entries scaled by the sizes of both matrices
    let (a, b) = (dot(m, m).sqrt(), dot(k, k).sqrt());
    if dot(c, c) == 0.0 {
        return Some((0.0, 0.0));
    }
    let unit = |x: f64, size: f64| if size > 0.0 { x / size } else { 0.0 };
    let mk = unit(unit(dot(m, k), a), b);
    let (mc, kc) = (unit(dot(m, c), a), unit(dot(k, c), b));
    let independent = 1.0 - mk * mk;
    let (alpha, beta) = if b == 0.0 || independent < PROPORTIONAL {
        (unit(mc, a), 0.0)
    } else {
        (unit((mc - mk * kc) / independent, a), unit((kc - mk * mc) / independent, b))
    };
    let largest = c.iter().fold(0.0, |size: f64, c| size.max(c.abs()));
    let fits = (0..c.len()).all(|i| (c[i] - alpha * m[i] - beta * k[i]).abs() <= PROPORTIONAL * largest);
    // a part that is rounding of the other is none
    let clean = |x: f64, size: f64| if (x * size).abs() <= PROPORTIONAL * largest { 0.0 } else { x };
    let (alpha, beta) = (clean(alpha, a), clean(beta, b));
    (fits && alpha >= 0.0 && beta >= 0.0).then_some((alpha, beta))
}

/// Φ, its columns normed by the mass, and ω² in ascending order; zero of a motion without stiffness. `None`
/// if M is not positive definite or an entry is not finite.
pub(crate) fn natural_modes(mass: &Matrix, stiffness: &Matrix) -> Option<(Matrix, Vec<f64>)> {
    let n = mass.n_rows;
    let mut lower = mass.data.clone();
    if !factor(&mut lower, n, 0.0) {
        return None;
    }
    // L⁻¹ on the columns of K, then on the rows
    let mut scaled = stiffness.clone();
    for _ in 0..2 {
        let mut rows = Matrix::zeros(n, n);
        for i in 0..n {
            (0..n).for_each(|j| *rows.at_mut(j, i) = scaled.at(i, j));
        }
        for x in rows.data.chunks_mut(n) {
            for i in 0..n {
                let row = &lower[i * n..];
                x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
            }
        }
        scaled = rows;
    }
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (scaled.at(i, j) + scaled.at(j, i));
            (*scaled.at_mut(i, j), *scaled.at_mut(j, i)) = (mean, mean);
        }
    }
    let (_, mut shape) = eigen(&scaled)?;
    // L⁻ᵀ on the columns
    for i in (0..n).rev() {
        let (above, row) = shape.data.split_at_mut(i * n);
        let row = &mut row[..n];
        row.iter_mut().for_each(|x| *x /= lower[i * n + i]);
        for j in 0..i {
            let l = lower[i * n + j];
            above[j * n..(j + 1) * n].iter_mut().zip(&*row).for_each(|(x, y)| *x -= l * y);
        }
    }
    let rows = |matrix: &Matrix| -> Vec<Vec<(usize, f64)>> {
        let sparse =
            |i: usize| matrix.row(i).iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect();
        (0..n).map(sparse).collect()
    };
    let mut squares = refine(&rows(mass), &rows(stiffness), &mut shape);
    let largest = squares.iter().copied().fold(0.0, f64::max);
    squares.iter_mut().filter(|square| square.abs() < RIGID * largest).for_each(|square| *square = 0.0);
    Some((shape, squares))
}

/// Damping couples modes by this part of its size at most, if it is diagonal in them.
const COUPLED: f64 = 1e-12;

/// ΦᵀCΦ of natural modes, if it is diagonal, as of Rayleigh's and of modal damping (1/s).
pub(crate) fn modal_rates(system: &System, shape: &Matrix, squares: &[f64]) -> Option<Vec<f64>> {
    if let Some((alpha, beta)) = rayleigh(system) {
        return Some(squares.iter().map(|square| alpha + beta * square).collect());
    }
    let n = system.n();
    let mut dragged = Matrix::zeros(n, n);
    for i in 0..n {
        for (k, c) in system.damping.row(i).iter().enumerate().filter(|(_, c)| **c != 0.0) {
            let (row, shape) = (&mut dragged.data[i * n..(i + 1) * n], shape.row(k));
            row.iter_mut().zip(shape).for_each(|(x, shape)| *x += c * shape);
        }
    }
    let mut coupling = Matrix::zeros(n, n);
    for k in 0..n {
        for i in 0..n {
            let row = &mut coupling.data[i * n..(i + 1) * n];
            row.iter_mut().zip(dragged.row(k)).for_each(|(x, d)| *x += shape.at(k, i) * d);
        }
    }
    let largest = (0..n).map(|i| coupling.at(i, i).abs()).fold(0.0, f64::max);
    let is_diagonal = (0..n * n).all(|e| e / n == e % n || coupling.data[e].abs() <= COUPLED * largest);
    is_diagonal.then(|| (0..n).map(|i| coupling.at(i, i)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_normed_and_satisfy_their_equation() {
        let n = 5;
        let mut mass = Matrix::diagonal(&[1.0, 2.0, 0.5, 3.0, 1.0]);
        (*mass.at_mut(0, 1), *mass.at_mut(1, 0)) = (0.3, 0.3);
        // a chain without ground: the first mode has no stiffness
        let mut stiffness = Matrix::zeros(n, n);
        for i in 0..n - 1 {
            for (a, b, k) in [(i, i, 4.0), (i + 1, i + 1, 4.0), (i, i + 1, -4.0), (i + 1, i, -4.0)] {
                *stiffness.at_mut(a, b) += k;
            }
        }
        let (shape, squares) = natural_modes(&mass, &stiffness).unwrap();
        assert_eq!(squares[0], 0.0);
        for (j, square) in squares.iter().enumerate() {
            let x: Vec<f64> = (0..n).map(|k| shape.at(k, j)).collect();
            let (mut kx, mut mx) = (vec![0.0; n], vec![0.0; n]);
            stiffness.add_product(1.0, &x, &mut kx);
            mass.add_product(1.0, &x, &mut mx);
            assert!((dot(&x, &mx) - 1.0).abs() < 1e-14);
            for k in 0..n {
                assert!((kx[k] - square * mx[k]).abs() < 1e-13, "mode {j}");
            }
        }
    }
}

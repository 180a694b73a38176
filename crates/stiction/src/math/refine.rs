//! Natural modes to the last digits, however stiff the structure is.
//!
//! The eigenvalues of a matrix are found to roundings of its largest one; of a mesh whose highest frequency
//! is 10⁵ times the lowest that leaves six digits. With S = ΦᵀKΦ and R = I − ΦᵀMΦ in twice the precision the
//! next Φ is Φ(I + E),
//!
//! ```text
//!   λⱼ = Sⱼⱼ/(1 − Rⱼⱼ),    Eᵢⱼ = (Sᵢⱼ + λⱼRᵢⱼ)/(λⱼ − λᵢ),  or ½Rᵢⱼ where λᵢ = λⱼ to rounding
//! ```
//!
//! which squares the error (@ogita2018, algorithm 1, for KΦ = MΦΛ).

use super::dense::Matrix;
use super::twice::add_scaled;

/// The entries of a row that are not zero.
type Row = Vec<(usize, f64)>;

/// Corrections below this leave errors below rounding.
const SETTLED: f64 = 1e-9;
const MAX_ROUNDS: usize = 4;
/// Eigenvalues closer than this part of them are one.
const CLUSTER: f64 = 1e-12;
/// The largest turn that is a correction (rad).
const MAX_TURN: f64 = 0.1;

/// Sharpens the modes, columns of `shape`, and gives their ω².
pub(crate) fn refine(mass: &[Row], stiffness: &[Row], shape: &mut Matrix) -> Vec<f64> {
    let (n, m) = (shape.n_rows, shape.n_cols);
    let mut squares = vec![0.0; m];
    for _ in 0..MAX_ROUNDS {
        let s = projected(stiffness, shape);
        let mut r = projected(mass, shape);
        r.data.iter_mut().for_each(|x| *x = -*x);
        (0..m).for_each(|i| *r.at_mut(i, i) += 1.0);
        for (j, square) in squares.iter_mut().enumerate() {
            *square = s.at(j, j) / (1.0 - r.at(j, j));
        }
        let mut e = Matrix::zeros(m, m);
        let mut largest: f64 = 0.0;
        for i in 0..m {
            for j in 0..m {
                let (apart, size) = (squares[j] - squares[i], squares[j].abs().max(squares[i].abs()));
                let mixed = s.at(i, j) + squares[j] * r.at(i, j);
                // of eigenvalues that are one to rounding any mixture is a mode
                let is_apart = i != j && apart.abs() > CLUSTER * size && mixed.abs() < MAX_TURN * apart.abs();
                let entry = if is_apart { mixed / apart } else { 0.5 * r.at(i, j) };
                *e.at_mut(i, j) = entry;
                largest = largest.max(entry.abs());
            }
        }
        if !largest.is_finite() {
            break;
        }
        let mut change = vec![0.0; m];
        for k in 0..n {
            change.fill(0.0);
            for (i, x) in shape.row(k).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                change.iter_mut().zip(e.row(i)).for_each(|(change, e)| *change += x * e);
            }
            shape.data[k * m..(k + 1) * m].iter_mut().zip(&change).for_each(|(x, change)| *x += change);
        }
        if largest < SETTLED {
            break;
        }
    }
    squares
}

/// A Φ in twice the precision, as a sum.
pub(crate) fn product(rows: &[Row], shape: &Matrix) -> [Matrix; 2] {
    let (n, m) = (shape.n_rows, shape.n_cols);
    let (mut high, mut low) = (Matrix::zeros(n, m), Matrix::zeros(n, m));
    for (k, row) in rows.iter().enumerate() {
        let (high, low) = (&mut high.data[k * m..(k + 1) * m], &mut low.data[k * m..(k + 1) * m]);
        row.iter().for_each(|&(l, a)| add_scaled(a, shape.row(l), high, low));
    }
    [high, low]
}

/// ΦᵀAΦ in twice the precision, rounded; A is symmetric.
pub(crate) fn projected(rows: &[Row], shape: &Matrix) -> Matrix {
    let m = shape.n_cols;
    let [image, rest] = product(rows, shape);
    let (mut high, mut low) = (Matrix::zeros(m, m), Matrix::zeros(m, m));
    for k in 0..shape.n_rows {
        let (image, rest) = (image.row(k), rest.row(k));
        for (i, &x) in shape.row(k).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let (high, low) = (&mut high.data[i * m..=i * m + i], &mut low.data[i * m..=i * m + i]);
            add_scaled(x, &image[..=i], high, low);
            low.iter_mut().zip(rest).for_each(|(low, rest)| *low += x * rest);
        }
    }
    for i in 0..m {
        for j in 0..=i {
            let sum = high.at(i, j) + low.at(i, j);
            (*high.at_mut(i, j), *high.at_mut(j, i)) = (sum, sum);
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::super::symmetric::eigen;
    use super::*;

    fn sparse(x: &[f64]) -> Row {
        x.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
    }

    /// A chain with springs of very different stiffness between two walls: K = Bᵀ diag(k) B.
    fn stiff_chain(n: usize, ratio: f64) -> Matrix {
        let spring = |i: usize| libm::pow(ratio, i as f64 / n as f64);
        let mut k = Matrix::zeros(n, n);
        for i in 0..n {
            *k.at_mut(i, i) = spring(i) + spring(i + 1);
            if i + 1 < n {
                (*k.at_mut(i, i + 1), *k.at_mut(i + 1, i)) = (-spring(i + 1), -spring(i + 1));
            }
        }
        k
    }

    #[test]
    fn modes_satisfy_their_equation_to_their_own_rounding() {
        for ratio in [1.0, 1e4, 1e10] {
            let n = 12;
            let k = stiff_chain(n, ratio);
            let (rough, mut shape) = eigen(&k).unwrap();
            let rows: Vec<Row> = (0..n).map(|i| sparse(k.row(i))).collect();
            let unit: Vec<Row> = (0..n).map(|i| vec![(i, 1.0)]).collect();
            let squares = refine(&unit, &rows, &mut shape);
            for (square, rough) in squares.iter().zip(&rough) {
                assert!((square - rough).abs() < 1e-14 * n as f64 * rough.max(ratio));
            }
            // S and M in twice the precision are diagonal, each entry to the rounding of Φ
            let s = projected(&rows, &shape);
            let m = projected(&unit, &shape);
            for i in 0..n {
                for j in 0..n {
                    let expected = if i == j { 1.0 } else { 0.0 };
                    assert!((m.at(i, j) - expected).abs() < 4e-15, "M {i} {j}");
                    // a low mode and a high one: rounding of the low shape carried by the high frequency
                    let size = squares[i].max(squares[j]);
                    assert!((s.at(i, j) - expected * squares[i]).abs() < 4e-15 * size, "S {i} {j}");
                }
                assert!((s.at(i, i) / squares[i] - 1.0).abs() < 4e-15, "ω² {i}: {}", s.at(i, i) / squares[i]);
            }
        }
    }

    #[test]
    fn equal_frequencies_stay_orthonormal() {
        let n = 6;
        let unit: Vec<Row> = (0..n).map(|i| vec![(i, 1.0)]).collect();
        let mut shape = Matrix::diagonal(&vec![1.0; n]);
        *shape.at_mut(0, 1) = 1e-6;
        let squares = refine(&unit, &unit, &mut shape);
        assert!(squares.iter().all(|square| (square - 1.0).abs() < 1e-14));
        let m = projected(&unit, &shape);
        for i in 0..n {
            for j in 0..n {
                assert!((m.at(i, j) - if i == j { 1.0 } else { 0.0 }).abs() < 1e-14);
            }
        }
    }
}

//! Eigenvalues and eigenvectors of a symmetric matrix (@wilkinson1971, procedures tred2 and tql2).
//!
//! ```text
//!   A = V diag(λ) Vᵀ,    VᵀV = I
//! ```
//!
//! Householder reflections to tridiagonal form, then implicit QL rotations. Every eigenvector is orthogonal
//! to the others to rounding, however close or multiple the eigenvalues are.

use super::dense::{Matrix, quick_dot};
use super::hessenberg::scale;

/// Sweeps for one eigenvalue at most; three are the rule.
const MAX_SWEEPS: usize = 60;

/// Eigenvalues in ascending order and their eigenvectors, the columns of the matrix; `None` if an entry is
/// not finite.
pub(crate) fn eigen(matrix: &Matrix) -> Option<(Vec<f64>, Matrix)> {
    let n = matrix.n_rows;
    let mut v = matrix.clone();
    if n == 0 || !v.data.iter().all(|x| x.is_finite()) {
        return (n == 0).then(|| (Vec::new(), v));
    }
    let scale = scale(&v.data);
    v.data.iter_mut().for_each(|x| *x /= scale);
    let (mut d, mut e) = tridiagonal(&mut v);
    diagonal(&mut d, &mut e, &mut v)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[i].total_cmp(&d[j]));
    let mut vectors = Matrix::zeros(n, n);
    for (to, &from) in order.iter().enumerate() {
        for (row, x) in vectors.data.chunks_exact_mut(n).zip(v.row(from)) {
            row[to] = *x;
        }
    }
    Some((order.iter().map(|&i| d[i] * scale).collect(), vectors))
}

/// Brings `v`, of which the lower triangle counts, to tridiagonal form QᵀAQ and overwrites it by Qᵀ; gives the
/// diagonal, and the subdiagonal from index 1 on.
fn tridiagonal(v: &mut Matrix) -> (Vec<f64>, Vec<f64>) {
    let n = v.n_rows;
    // d holds the factors h of the reflections 1 − u uᵀ/h until Q is made
    let (mut d, mut e) = (vec![0.0; n], vec![0.0; n]);
    for i in (1..n).rev() {
        let (above, row) = v.data.split_at_mut(i * n);
        let u = &mut row[..i];
        let size: f64 = u.iter().map(|x| x.abs()).sum();
        if i == 1 || size == 0.0 {
            e[i] = u[i - 1];
            continue;
        }
        // the reflection of row i, scaled against underflow
        u.iter_mut().for_each(|x| *x /= size);
        let h = quick_dot(u, u);
        let f = u[i - 1];
        let g = -h.sqrt().copysign(f);
        e[i] = size * g;
        let h = h - f * g;
        u[i - 1] = f - g;
        d[i] = h;
        // p = A u / h, and A − u qᵀ − q uᵀ with q = p − (uᵀp / 2h) u
        let p = &mut e[..i];
        for (j, row) in above.chunks_exact(n).enumerate() {
            p[j] = quick_dot(&row[..j], &u[..j]) + row[j] * u[j];
            add(&mut p[..j], u[j], &row[..j]);
        }
        p.iter_mut().for_each(|p| *p /= h);
        let half = 0.5 * quick_dot(u, p) / h;
        p.iter_mut().zip(&*u).for_each(|(q, u)| *q -= half * u);
        for (j, row) in above.chunks_exact_mut(n).enumerate() {
            let (f, g) = (u[j], p[j]);
            for ((x, q), u) in row[..=j].iter_mut().zip(&*p).zip(&*u) {
                *x -= f * q + g * u;
            }
        }
    }
    // the product of the reflections, transposed: row by row
    e[0] = 0.0;
    for i in 0..n {
        let (above, row) = v.data.split_at_mut(i * n);
        if d[i] != 0.0 {
            let u = &row[..i];
            for row in above.chunks_exact_mut(n) {
                let row = &mut row[..i];
                let g = quick_dot(row, u) / d[i];
                add(row, -g, u);
            }
        }
        d[i] = row[i];
        row[..i].fill(0.0);
        row[i] = 1.0;
        above.chunks_exact_mut(n).for_each(|row| row[i] = 0.0);
    }
    (d, e)
}

/// x + c y in place of x.
fn add(x: &mut [f64], c: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += c * y);
}

/// Implicit QL on the tridiagonal matrix, the rotations applied to the rows of `v`.
fn diagonal(d: &mut [f64], e: &mut [f64], v: &mut Matrix) -> Option<()> {
    let n = d.len();
    e.rotate_left(1);
    e[n - 1] = 0.0;
    let mut rotations = Vec::with_capacity(n);
    for l in 0..n {
        for sweep in 0.. {
            // the first subdiagonal entry that is round-off splits the matrix
            let is_small = |m: &usize| e[*m].abs() <= f64::EPSILON * (d[*m].abs() + d[*m + 1].abs());
            let m = (l..n - 1).find(is_small).unwrap_or(n - 1);
            if m == l {
                break;
            }
            if sweep == MAX_SWEEPS {
                return None;
            }
            // Wilkinson's shift
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let r = (g * g + 1.0).sqrt();
            let mut g = d[m] - d[l] + e[l] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            rotations.clear();
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                let r = (f * f + g * g).sqrt();
                e[i + 1] = r;
                if r == 0.0 {
                    break;
                }
                (s, c) = (f / r, g / r);
                let below = d[i + 1] - p;
                let r = (d[i] - below) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = below + p;
                g = c * r - b;
                rotations.push((s, c));
            }
            // a rotation that vanished has split the matrix
            let reached = m - rotations.len();
            d[reached] -= p;
            e[m] = 0.0;
            if reached == l {
                e[l] = g;
            }
            rotate(&mut v.data, n, m, &rotations);
        }
    }
    Some(())
}

/// Columns that go through all rotations together, in registers and on the stack.
const LANES: usize = 32;

/// Rotates the rows m and m − 1, then m − 1 and m − 2, and so on.
fn rotate(data: &mut [f64], n: usize, m: usize, rotations: &[(f64, f64)]) {
    let rows = &mut data[(m - rotations.len()) * n..(m + 1) * n];
    let last = rows.len() - n;
    let whole = n - n % LANES;
    for at in (0..whole).step_by(LANES) {
        let mut carried = [0.0; LANES];
        carried.copy_from_slice(&rows[last + at..][..LANES]);
        let mut end = last + at;
        for (s, c) in rotations {
            let (above, below) = rows[end - n..end + LANES].split_at_mut(n);
            for ((carried, x), y) in carried.iter_mut().zip(&above[..LANES]).zip(below) {
                *y = s * x + c * *carried;
                *carried = c * x - s * *carried;
            }
            end -= n;
        }
        rows[end..end + LANES].copy_from_slice(&carried);
    }
    if whole < n {
        let mut end = last;
        for (s, c) in rotations {
            let (above, below) = rows[end - n..end + n].split_at_mut(n);
            for (x, y) in above[whole..].iter_mut().zip(&mut below[whole..]) {
                (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
            }
            end -= n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roundings of some n rotations of numbers of the matrix's size.
    const TOLERANCE: f64 = 1e-14;

    fn assert_decomposed(a: &Matrix, what: &str) -> Vec<f64> {
        let n = a.n_rows;
        let (values, v) = eigen(a).unwrap();
        let size = a.norm().max(f64::MIN_POSITIVE);
        for i in 0..n {
            for j in 0..n {
                let product = |f: &dyn Fn(usize) -> f64| (0..n).map(f).sum::<f64>();
                let identity = product(&|k| v.at(k, i) * v.at(k, j)) - if i == j { 1.0 } else { 0.0 };
                assert!(identity.abs() < TOLERANCE * n as f64, "{what}: VᵀV at {i}, {j}: {identity:e}");
                let rest = product(&|k| v.at(i, k) * values[k] * v.at(j, k)) - a.at(i, j);
                assert!(rest.abs() < TOLERANCE * n as f64 * size, "{what}: VΛVᵀ − A at {i}, {j}: {rest:e}");
            }
        }
        assert!(values.is_sorted(), "{what}");
        values
    }

    fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
        Matrix { n_rows: n, n_cols: n, data: (0..n * n).map(|i| entry(i / n, i % n)).collect() }
    }

    #[test]
    fn a_chain_of_springs_has_the_eigenvalues_of_the_textbook() {
        for n in [1, 2, 3, 10, 40] {
            let chain = matrix(n, |i, j| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)]);
            let values = assert_decomposed(&chain, "chain");
            for (k, value) in values.iter().enumerate() {
                let angle = std::f64::consts::PI * (k + 1) as f64 / (2 * (n + 1)) as f64;
                let expected = 4.0 * libm::sin(angle) * libm::sin(angle);
                assert!((value - expected).abs() < TOLERANCE * n as f64, "n = {n}: {value} {expected}");
            }
        }
    }

    #[test]
    fn multiple_zero_graded_and_full_matrices_are_decomposed() {
        assert_decomposed(&matrix(6, |i, j| f64::from(u8::from(i == j))), "identity");
        assert_decomposed(&matrix(5, |_, _| 0.0), "zero");
        assert_decomposed(&matrix(5, |_, _| 1.0), "rank one");
        assert_decomposed(&matrix(8, |i, j| 10f64.powi(-((i + j) as i32))), "graded");
        assert_decomposed(&matrix(12, |i, j| libm::sin((1 + i * j + i + j) as f64)), "full");
        assert_decomposed(&matrix(4, |i, j| if i + j == 3 { 1.0 } else { 0.0 }), "permutation");
    }

    #[test]
    fn entries_that_are_not_finite_are_refused() {
        assert!(eigen(&matrix(2, |_, _| f64::NAN)).is_none());
    }
}

//! Eigenvalues and eigenvectors of a symmetric matrix (@wilkinson1971, procedures tred2 and tql2).
//!
//! ```text
//!   A = V diag(λ) Vᵀ,    VᵀV = I
//! ```
//!
//! Householder reflections to tridiagonal form, then implicit QL rotations. Every eigenvector is orthogonal
//! to the others to rounding, however close or multiple the eigenvalues are.

use super::dense::Matrix;

/// Rotations for one eigenvalue at most; three are the rule.
const MAX_ROTATIONS: usize = 60;

/// Eigenvalues in ascending order and their eigenvectors, the columns of the matrix; `None` if an entry is
/// not finite.
pub(crate) fn eigen(matrix: &Matrix) -> Option<(Vec<f64>, Matrix)> {
    let n = matrix.n_rows;
    let mut v = matrix.clone();
    if n == 0 || !v.data.iter().all(|x| x.is_finite()) {
        return (n == 0).then(|| (Vec::new(), v));
    }
    let (mut d, mut e) = tridiagonal(&mut v);
    diagonal(&mut d, &mut e, &mut v)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[i].total_cmp(&d[j]));
    let mut vectors = Matrix::zeros(n, n);
    for (to, &from) in order.iter().enumerate() {
        (0..n).for_each(|k| *vectors.at_mut(k, to) = v.at(k, from));
    }
    Some((order.iter().map(|&i| d[i]).collect(), vectors))
}

/// Brings `v` to tridiagonal form and overwrites it by the orthogonal matrix that does it; gives the
/// diagonal, and the subdiagonal from index 1 on.
#[allow(clippy::needless_range_loop, reason = "the indices are those of the algorithm")]
fn tridiagonal(v: &mut Matrix) -> (Vec<f64>, Vec<f64>) {
    let n = v.n_rows;
    let (mut d, mut e) = (vec![0.0; n], vec![0.0; n]);
    for i in (1..n).rev() {
        let scale: f64 = v.row(i)[..i].iter().map(|x| x.abs()).sum();
        if i == 1 || scale == 0.0 {
            e[i] = v.at(i, i - 1);
            continue;
        }
        // the reflection of row i, scaled against overflow
        let mut h = 0.0;
        for k in 0..i {
            *v.at_mut(i, k) /= scale;
            h += v.at(i, k) * v.at(i, k);
        }
        let f = v.at(i, i - 1);
        let g = -h.sqrt().copysign(f);
        e[i] = scale * g;
        h -= f * g;
        *v.at_mut(i, i - 1) = f - g;
        // p = A u / h, and A − u qᵀ − q uᵀ with q = p − (uᵀp / 2h) u
        let mut f = 0.0;
        for j in 0..i {
            *v.at_mut(j, i) = v.at(i, j) / h;
            let mut g: f64 = (0..=j).map(|k| v.at(j, k) * v.at(i, k)).sum();
            g += (j + 1..i).map(|k| v.at(k, j) * v.at(i, k)).sum::<f64>();
            e[j] = g / h;
            f += e[j] * v.at(i, j);
        }
        let half = 0.5 * f / h;
        for j in 0..i {
            let f = v.at(i, j);
            e[j] -= half * f;
            let g = e[j];
            for k in 0..=j {
                let change = f * e[k] + g * v.at(i, k);
                *v.at_mut(j, k) -= change;
            }
        }
        d[i] = h;
    }
    // the product of the reflections
    d[0] = 0.0;
    e[0] = 0.0;
    for i in 0..n {
        if d[i] != 0.0 {
            for j in 0..i {
                let g: f64 = (0..i).map(|k| v.at(i, k) * v.at(k, j)).sum();
                for k in 0..i {
                    let change = g * v.at(k, i);
                    *v.at_mut(k, j) -= change;
                }
            }
        }
        d[i] = v.at(i, i);
        *v.at_mut(i, i) = 1.0;
        for j in 0..i {
            *v.at_mut(j, i) = 0.0;
            *v.at_mut(i, j) = 0.0;
        }
    }
    (d, e)
}

/// Implicit QL on the tridiagonal matrix, the rotations applied to the columns of `v`.
fn diagonal(d: &mut [f64], e: &mut [f64], v: &mut Matrix) -> Option<()> {
    let n = d.len();
    e.rotate_left(1);
    e[n - 1] = 0.0;
    for l in 0..n {
        for rotation in 0.. {
            // the first subdiagonal entry that is rounding splits the matrix
            let is_small = |m: &usize| e[*m].abs() <= f64::EPSILON * (d[*m].abs() + d[*m + 1].abs());
            let m = (l..n - 1).find(is_small).unwrap_or(n - 1);
            if m == l {
                break;
            }
            if rotation == MAX_ROTATIONS {
                return None;
            }
            // Wilkinson's shift
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let r = libm::hypot(g, 1.0);
            let mut g = d[m] - d[l] + e[l] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut is_split = false;
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                let r = libm::hypot(f, g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    is_split = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                let below = d[i + 1] - p;
                let r = (d[i] - below) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = below + p;
                g = c * r - b;
                for k in 0..n {
                    let (x, y) = (v.at(k, i), v.at(k, i + 1));
                    *v.at_mut(k, i + 1) = s * x + c * y;
                    *v.at_mut(k, i) = c * x - s * y;
                }
            }
            if !is_split {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
    Some(())
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

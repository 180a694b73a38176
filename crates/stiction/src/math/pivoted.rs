//! Elimination with complete pivoting, for systems that may be singular.

use super::dense::Matrix;

/// A pivot below this fraction of the first one is rounding.
const RANK: f64 = 1e-12;

/// Solves `a x = b` by elimination with complete pivoting, in place: `a` is destroyed, `b` becomes `x`. Where
/// `a` is singular, unknowns that no equation determines are left at zero. Returns whether all was finite.
pub(crate) fn solve(a: &mut Matrix, b: &mut [f64]) -> bool {
    let n = b.len();
    let mut order: Vec<usize> = (0..n).collect();
    let (mut rank, mut first) = (n, 0.0);
    for k in 0..n {
        let (mut p, mut q, mut largest) = (k, k, 0.0);
        for i in k..n {
            for j in k..n {
                let size = a.at(i, j).abs();
                if size.is_nan() {
                    return false;
                }
                if size > largest {
                    (p, q, largest) = (i, j, size);
                }
            }
        }
        if k == 0 {
            first = largest;
        }
        if !largest.is_finite() {
            return false;
        }
        if largest <= RANK * first {
            rank = k;
            break;
        }
        for j in 0..n {
            a.data.swap(k * n + j, p * n + j);
        }
        b.swap(k, p);
        for i in 0..n {
            a.data.swap(i * n + k, i * n + q);
        }
        order.swap(k, q);
        for i in k + 1..n {
            let ratio = a.at(i, k) / a.at(k, k);
            if ratio != 0.0 {
                for j in k + 1..n {
                    *a.at_mut(i, j) -= ratio * a.at(k, j);
                }
                b[i] -= ratio * b[k];
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..rank).rev() {
        let rest: f64 = (i + 1..rank).map(|j| a.at(i, j) * x[order[j]]).sum();
        x[order[i]] = (b[i] - rest) / a.at(i, i);
    }
    b.copy_from_slice(&x);
    x.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, data: &[f64]) -> Matrix {
        Matrix { n_rows: n, n_cols: n, data: data.to_vec() }
    }

    #[test]
    fn a_singular_system_with_a_solution_is_solved() {
        let a = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 1.0, -1.0];
        let mut b = [6.0, 12.0, 0.0];
        assert!(solve(&mut matrix(3, &a), &mut b));
        for (row, right) in a.chunks(3).zip([6.0, 12.0, 0.0]) {
            let left: f64 = row.iter().zip(b).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-14);
        }
        assert!(!solve(&mut matrix(1, &[f64::NAN]), &mut [1.0]));
    }
}

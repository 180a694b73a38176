//! Small linear algebra of the search: singular systems and eigenvalues.

use crate::math::dense::Matrix;

/// A pivot below this fraction of the first one is rounding.
const RANK: f64 = 1e-12;

/// Solves `a x = b` by elimination with complete pivoting, in place: `a` is destroyed, `b` becomes `x`. Where `a` is
/// singular, unknowns that no equation determines are left at zero. Says whether all was finite.
pub(super) fn solve(a: &mut Matrix, b: &mut [f64]) -> bool {
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

/// The sign of the determinant of `a`, which is destroyed; 0 if the smallest pivot is below `rounding` times the largest.
pub(super) fn determinant_sign(a: &mut Matrix, rounding: f64) -> f64 {
    let n = a.n_rows;
    let (mut sign, mut smallest, mut largest) = (1.0, f64::INFINITY, 0.0f64);
    for k in 0..n {
        let p = (k..n).fold(k, |p, i| if a.at(i, k).abs() > a.at(p, k).abs() { i } else { p });
        let pivot = a.at(p, k);
        (smallest, largest) = (smallest.min(pivot.abs()), largest.max(pivot.abs()));
        if pivot == 0.0 || pivot.is_nan() {
            return 0.0;
        }
        sign *= if p == k { pivot.signum() } else { -pivot.signum() };
        for j in 0..n {
            a.data.swap(k * n + j, p * n + j);
        }
        for i in k + 1..n {
            let ratio = a.at(i, k) / pivot;
            for j in k + 1..n {
                *a.at_mut(i, j) -= ratio * a.at(k, j);
            }
        }
    }
    if smallest > rounding * largest { sign } else { 0.0 }
}

type Complex = [f64; 2];

fn plus([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a + c, b + d]
}

fn minus([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a - c, b - d]
}

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

fn scaled([a, b]: Complex, s: f64) -> Complex {
    [s * a, s * b]
}

fn modulus([a, b]: Complex) -> f64 {
    libm::hypot(a, b)
}

fn root([a, b]: Complex) -> Complex {
    let r = modulus([a, b]);
    if r == 0.0 {
        return [0.0, 0.0];
    }
    let large = (0.5 * (r + a.abs())).sqrt();
    let small = 0.5 * b.abs() / large;
    if a >= 0.0 { [large, small.copysign(b)] } else { [small, large.copysign(b)] }
}

/// Both eigenvalues of [[a, b], [c, d]].
fn pair(a: Complex, b: Complex, c: Complex, d: Complex) -> [Complex; 2] {
    let half = scaled(minus(a, d), 0.5);
    let middle = scaled(plus(a, d), 0.5);
    let spread = root(plus(times(half, half), times(b, c)));
    [plus(middle, spread), minus(middle, spread)]
}

/// Sweeps per eigenvalue before the search is given up; three are usual.
const SWEEPS: usize = 60;

/// The eigenvalues of a square matrix, largest modulus first: shifted QR on its Hessenberg form (@golub2013, 7.5).
pub(super) fn eigenvalues(matrix: &Matrix) -> Vec<Complex> {
    let n = matrix.n_rows;
    let mut h = hessenberg(matrix);
    let mut found = Vec::with_capacity(n);
    let at = |i: usize, j: usize| i * n + j;
    let mut end = n;
    let mut sweeps = 0;
    while end > 0 {
        let hi = end - 1;
        let mut lo = hi;
        while lo > 0 {
            let around = modulus(h[at(lo, lo)]) + modulus(h[at(lo - 1, lo - 1)]);
            let floor = if around == 0.0 { f64::MIN_POSITIVE } else { f64::EPSILON * around };
            if modulus(h[at(lo, lo - 1)]) <= floor {
                break;
            }
            lo -= 1;
        }
        if lo == hi {
            found.push(h[at(hi, hi)]);
            (end, sweeps) = (hi, 0);
            continue;
        }
        let both = pair(h[at(hi - 1, hi - 1)], h[at(hi - 1, hi)], h[at(hi, hi - 1)], h[at(hi, hi)]);
        if lo + 1 == hi {
            found.extend(both);
            (end, sweeps) = (hi - 1, 0);
            continue;
        }
        sweeps += 1;
        if sweeps > SWEEPS {
            found.extend((0..end).map(|_| [f64::NAN; 2]));
            break;
        }
        let last = h[at(hi, hi)];
        let shift = if sweeps % 10 == 0 {
            [modulus(h[at(hi, hi - 1)]) + modulus(h[at(hi - 1, hi - 2)]), 0.0]
        } else if modulus(minus(both[0], last)) < modulus(minus(both[1], last)) {
            both[0]
        } else {
            both[1]
        };
        sweep(&mut h, n, lo, hi, shift);
    }
    found.sort_by(|a, b| modulus(*b).total_cmp(&modulus(*a)).then(b[1].total_cmp(&a[1])));
    found
}

/// One QR step on the rows and columns lo..=hi.
fn sweep(h: &mut [Complex], n: usize, lo: usize, hi: usize, shift: Complex) {
    let at = |i: usize, j: usize| i * n + j;
    for i in lo..=hi {
        h[at(i, i)] = minus(h[at(i, i)], shift);
    }
    let mut turns = Vec::with_capacity(hi - lo);
    for k in lo..hi {
        let (x, y) = (h[at(k, k)], h[at(k + 1, k)]);
        let r = libm::hypot(modulus(x), modulus(y));
        let (c, s) =
            if r == 0.0 { ([1.0, 0.0], [0.0, 0.0]) } else { (scaled(x, 1.0 / r), scaled(y, 1.0 / r)) };
        let conjugate = |[a, b]: Complex| [a, -b];
        for j in k..=hi {
            let (a, b) = (h[at(k, j)], h[at(k + 1, j)]);
            h[at(k, j)] = plus(times(conjugate(c), a), times(conjugate(s), b));
            h[at(k + 1, j)] = minus(times(c, b), times(s, a));
        }
        turns.push((c, s));
    }
    for (k, &(c, s)) in (lo..hi).zip(&turns) {
        let conjugate = |[a, b]: Complex| [a, -b];
        for i in lo..=(k + 1) {
            let (a, b) = (h[at(i, k)], h[at(i, k + 1)]);
            h[at(i, k)] = plus(times(a, c), times(b, s));
            h[at(i, k + 1)] = minus(times(b, conjugate(c)), times(a, conjugate(s)));
        }
    }
    for i in lo..=hi {
        h[at(i, i)] = plus(h[at(i, i)], shift);
    }
}

/// A similar matrix without entries below the first subdiagonal, by elimination.
fn hessenberg(matrix: &Matrix) -> Vec<Complex> {
    let n = matrix.n_rows;
    let mut a = matrix.clone();
    for k in 1..n.saturating_sub(1) {
        let p = (k..n).fold(k, |p, i| if a.at(i, k - 1).abs() > a.at(p, k - 1).abs() { i } else { p });
        let pivot = a.at(p, k - 1);
        if pivot == 0.0 {
            continue;
        }
        for j in 0..n {
            a.data.swap(k * n + j, p * n + j);
        }
        for i in 0..n {
            a.data.swap(i * n + k, i * n + p);
        }
        for i in k + 1..n {
            let ratio = a.at(i, k - 1) / pivot;
            for j in 0..n {
                *a.at_mut(i, j) -= ratio * a.at(k, j);
            }
            for j in 0..n {
                *a.at_mut(j, k) += ratio * a.at(j, i);
            }
            *a.at_mut(i, k - 1) = 0.0;
        }
    }
    a.data.iter().map(|&x| [x, 0.0]).collect()
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

    /// The companion matrix of Π (x − rootᵢ) for real roots and one pair a ± ib.
    fn companion(roots: &[f64], a: f64, b: f64) -> Matrix {
        let mut c = vec![1.0, -2.0 * a, a * a + b * b];
        for r in roots {
            let shifted: Vec<f64> = std::iter::once(0.0).chain(c.iter().map(|c| -r * c)).collect();
            c.push(0.0);
            c.iter_mut().zip(shifted).for_each(|(c, s)| *c += s);
        }
        let n = c.len() - 1;
        let mut m = Matrix::zeros(n, n);
        for j in 0..n {
            *m.at_mut(0, j) = -c[j + 1];
        }
        for i in 1..n {
            *m.at_mut(i, i - 1) = 1.0;
        }
        m
    }

    #[test]
    fn eigenvalues_of_companion_matrices_are_the_roots() {
        let found = eigenvalues(&companion(&[2.0, -0.5, 0.25], 0.6, 0.9));
        let expected = [[2.0, 0.0], [0.6, 0.9], [0.6, -0.9], [-0.5, 0.0], [0.25, 0.0]];
        for (found, expected) in found.iter().zip(expected) {
            // condition of the roots times rounding
            assert!(modulus(minus(*found, expected)) < 1e-12, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn a_cyclic_permutation_has_the_roots_of_unity() {
        let mut cycle = Matrix::zeros(4, 4);
        for i in 0..4 {
            *cycle.at_mut(i, (i + 1) % 4) = 1.0;
        }
        let found = eigenvalues(&cycle);
        for [a, b] in found {
            let fourth = times(times([a, b], [a, b]), times([a, b], [a, b]));
            assert!(modulus(minus(fourth, [1.0, 0.0])) < 1e-13);
        }
        assert_eq!(eigenvalues(&Matrix::zeros(3, 3)), vec![[0.0; 2]; 3]);
    }
}

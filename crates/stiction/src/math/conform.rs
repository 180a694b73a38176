//! The linear algebra against a peer library, on matrices that are hard in one way each.

use super::dense::{Cholesky, Matrix};
use super::eigen::eigenvalues;
use super::hessenberg::{Hessenberg, ShiftedHessenberg};
use super::lu::{Lu, determinant_sign, eliminate};
use super::symmetric::eigen;
use super::{complex::complex, pivoted};
use nalgebra::{DMatrix, DVector};

/// Rounding of an elimination or of a chain of rotations, in units of ε times order times norm.
const ROUNDING: f64 = 30.0 * f64::EPSILON;

/// Numbers in [−1, 1) by a multiplicative congruence.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn square(&mut self, n: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |_, _| self.next())
    }

    /// An orthogonal matrix.
    fn rotation(&mut self, n: usize) -> DMatrix<f64> {
        self.square(n).qr().q()
    }
}

fn ours(m: &DMatrix<f64>) -> Matrix {
    Matrix { n_rows: m.nrows(), n_cols: m.ncols(), data: m.transpose().as_slice().to_vec() }
}

/// Scales whose ratio is `spread`, from the smallest to the largest.
fn grades(n: usize, spread: f64) -> DMatrix<f64> {
    let at = |i: usize| libm::pow(spread, i as f64 / (n - 1) as f64 - 0.5);
    DMatrix::from_diagonal(&DVector::from_fn(n, |i, _| at(i)))
}

/// Name, matrix, and the digits that the condition of its eigenvalues leaves, as a part of its norm.
fn squares() -> Vec<(&'static str, DMatrix<f64>, f64)> {
    let mut numbers = Numbers(7);
    let mut list = Vec::new();
    for n in [2, 3, 5, 8, 20] {
        let turn = numbers.rotation(n);
        list.push(("random", numbers.square(n), 1e-12));
        let graded = grades(n, 1e12) * numbers.square(n);
        list.push(("graded", graded, 1e-10));
        let spectrum = DMatrix::from_diagonal(&DVector::from_fn(n, |i, _| 1.0 - 0.07 * i as f64));
        list.push(("rotated", &turn * spectrum * turn.transpose(), 1e-12));
        list.push(("near orthogonal", numbers.rotation(n), 1e-12));
        // eigenvalues of a chain of k move by the k-th root of round-off
        let k = n.min(3);
        let mut chain = DMatrix::from_diagonal_element(n, n, 0.5);
        (0..k - 1).for_each(|i| chain[(i, i + 1)] = 1.0);
        (k..n).for_each(|i| chain[(i, i)] = -0.3 * i as f64);
        list.push(("defective", &turn * chain * turn.transpose(), libm::pow(1e-14, 1.0 / k as f64)));
    }
    list.push(("large", numbers.square(120), 1e-11));
    for scale in [1e-60, 1e60] {
        list.push(("scaled", numbers.square(6) * scale, 1e-12));
    }
    // three eigenvalues that agree to ten digits
    let turn = numbers.rotation(7);
    let spectrum =
        DMatrix::from_diagonal(&DVector::from_fn(
            7,
            |i, _| if i < 3 { 1.0 + 1e-10 * i as f64 } else { i as f64 },
        ));
    list.push(("clustered", &turn * spectrum * turn.transpose(), 1e-12));
    list
}

#[test]
fn eigenvalues_are_those_of_the_peer() {
    for (name, matrix, digits) in squares() {
        let (n, norm) = (matrix.nrows(), matrix.norm());
        let mut expected: Vec<_> = matrix.complex_eigenvalues().iter().map(|z| complex(z.re, z.im)).collect();
        for found in eigenvalues(&ours(&matrix)) {
            let nearest = (0..expected.len())
                .min_by(|a, b| (expected[*a] - found).modulus().total_cmp(&(expected[*b] - found).modulus()))
                .unwrap();
            let off = (expected.remove(nearest) - found).modulus();
            assert!(off <= digits * norm, "{name} of {n}: {found:?} is off by {off:e}, norm {norm:e}");
        }
        assert!(expected.is_empty());
    }
}

/// The eigenvalues of a permutation are the roots of unity of its cycles. The peer does not end on some of them.
#[test]
fn eigenvalues_of_permutations_are_roots_of_unity() {
    for cycles in [vec![4], vec![5], vec![2, 2], vec![3, 4], vec![1, 2, 6], vec![12], vec![4, 8, 16]] {
        let n: usize = cycles.iter().sum();
        let mut matrix = Matrix::zeros(n, n);
        let mut expected = Vec::new();
        for (c, len) in cycles.iter().enumerate() {
            let first: usize = cycles[..c].iter().sum();
            for i in 0..*len {
                *matrix.at_mut(first + i, first + (i + 1) % len) = 1.0;
                let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / *len as f64);
                expected.push(complex(cos, sin));
            }
        }
        for found in eigenvalues(&matrix) {
            let nearest = (0..expected.len())
                .min_by(|a, b| (expected[*a] - found).modulus().total_cmp(&(expected[*b] - found).modulus()))
                .unwrap();
            // those of several cycles agree, and are not defective
            assert!((expected.remove(nearest) - found).modulus() < 1e-13, "{cycles:?}: {found:?}");
        }
    }
}

#[test]
fn small_and_large_matrices_have_the_eigenvalues_of_their_scale() {
    let root = 33f64.sqrt();
    for scale in [1e-200, 1e-60, 1.0, 1e60, 1e200] {
        let matrix = Matrix { n_rows: 2, n_cols: 2, data: [1.0, 2.0, 3.0, 4.0].map(|x| x * scale).to_vec() };
        for (found, expected) in
            eigenvalues(&matrix).iter().zip([0.5 * (5.0 + root), -2.0 / (2.5 + 0.5 * root)])
        {
            let off = (*found - complex(scale * expected, 0.0)).modulus();
            assert!(
                off <= 16.0 * f64::EPSILON * scale * expected.abs(),
                "{scale:e}: {found:?}, off by {off:e}"
            );
        }
    }
}

/// Small eigenvalues of a matrix that balancing makes order one are found to their own size.
#[test]
fn badly_balanced_matrices_lose_no_digits() {
    let mut numbers = Numbers(11);
    for n in [2, 5, 12] {
        let inner = numbers.square(n);
        let power = |i: usize| libm::exp2(6.0 * (i as f64 - 0.5 * n as f64));
        let outer = Matrix {
            n_rows: n,
            n_cols: n,
            data: (0..n * n).map(|k| inner[(k / n, k % n)] * power(k / n) / power(k % n)).collect(),
        };
        for (found, expected) in eigenvalues(&outer).into_iter().zip(eigenvalues(&ours(&inner))) {
            assert!((found - expected).modulus() < 1e-13, "{n}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn vectors_of_the_hessenberg_form_belong_to_the_matrix() {
    for (name, matrix, digits) in squares() {
        let (n, ours) = (matrix.nrows(), ours(&matrix));
        let hessenberg = Hessenberg::new(&ours);
        let mut shifted = ShiftedHessenberg::default();
        for (start, value) in hessenberg.eigenvalues().into_iter().enumerate() {
            let x = hessenberg.vector(value, start, &mut shifted);
            let size = x.iter().map(|x| x.modulus()).fold(0.0, f64::max);
            let residual = (0..n).map(|i| {
                let image =
                    ours.row(i).iter().zip(&x).fold(complex(0.0, 0.0), |sum, (a, x)| sum + x.times(*a));
                (image - value * x[i]).modulus()
            });
            let off = residual.fold(0.0, f64::max);
            assert!(off <= 10.0 * digits * matrix.norm() * size, "{name} of {n}: {off:e}");
        }
    }
}

#[test]
fn solutions_are_as_good_as_the_peers() {
    for (name, matrix, _) in squares() {
        let n = matrix.nrows();
        let right = DVector::from_fn(n, |i, _| 1.0 + 0.5 * i as f64);
        let peer = matrix.clone().lu().solve(&right).unwrap();
        // backward stable: the residual is round-off, whatever the condition
        let check = |what: &str, x: &[f64]| {
            let x = DVector::from_column_slice(x);
            let scale = matrix.norm() * x.norm().max(peer.norm()) * n as f64;
            let off = (&matrix * &x - &right).norm();
            assert!(off <= ROUNDING * scale, "{what}, {name} of {n}: residual {off:e}, scale {scale:e}");
        };
        let mut lu = Lu::new(n);
        lu.a.copy_from_slice(&ours(&matrix).data);
        let mut x = right.as_slice().to_vec();
        assert!(lu.factor());
        lu.solve(&mut x);
        check("lu", &x);
        let (mut a, mut x) = (ours(&matrix), right.as_slice().to_vec());
        assert!(eliminate(&mut a.data, n, &mut x));
        check("elimination", &x);
        let (mut a, mut x) = (ours(&matrix), right.as_slice().to_vec());
        assert!(pivoted::solve(&mut a, &mut x));
        // what is below its rank is left at zero on purpose
        if name != "graded" {
            check("complete pivoting", &x);
        }
        let sign = determinant_sign(ours(&matrix), 0.0);
        assert_eq!(sign, matrix.determinant().signum(), "{name} of {n}");
    }
}

#[test]
fn symmetric_matrices_are_taken_apart_as_by_the_peer() {
    for (name, matrix, _) in squares() {
        let n = matrix.nrows();
        let even = &matrix * matrix.transpose() + DMatrix::identity(n, n) * (1e-3 * matrix.norm_squared());
        let norm = even.norm();
        let (values, vectors) = eigen(&ours(&even)).unwrap();
        let mut peer: Vec<f64> = even.clone().symmetric_eigen().eigenvalues.iter().copied().collect();
        peer.sort_by(f64::total_cmp);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        for (found, expected) in sorted.iter().zip(&peer) {
            let off = (found - expected).abs();
            assert!(off <= ROUNDING * n as f64 * norm, "{name} of {n}: off by {off:e}, norm {norm:e}");
        }
        let v = DMatrix::from_row_slice(n, n, &vectors.data);
        let diagonal = DMatrix::from_diagonal(&DVector::from_column_slice(&values));
        let along_columns = (&even * &v - &v * &diagonal).norm();
        let along_rows = (&even * v.transpose() - v.transpose() * &diagonal).norm();
        let off = along_columns.min(along_rows);
        assert!(off <= ROUNDING * n as f64 * norm, "{name} of {n}: vectors off by {off:e}, norm {norm:e}");
        let right = DVector::from_fn(n, |i, _| 1.0 - 0.3 * i as f64);
        let mut x = right.as_slice().to_vec();
        Cholesky::new(&ours(&even)).unwrap().solve(&mut x);
        let x = DVector::from_vec(x);
        let residual = (&even * &x - &right).norm();
        assert!(residual <= ROUNDING * n as f64 * norm * x.norm(), "{name} of {n}: {residual:e}");
    }
}

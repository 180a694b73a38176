//! `cargo bench -p stiction --bench linear_algebra`: the project's linear algebra beside nalgebra.
//!
//! Prints the time of each as the least of many repetitions, in turns, and their ratio. The bar is 1.3.

// the module is private in the library; what it offers beyond the rows below is not used here
#[allow(unused, reason = "the rows below use a part of the module")]
#[path = "../src/math/mod.rs"]
mod math;

use math::Matrix;
use nalgebra::{DMatrix, DVector};
use std::hint::black_box;
use std::time::Instant;

const SIZES: [usize; 3] = [20, 100, 300];
/// Time that is spent on each row of the table (s).
const BUDGET: f64 = 3.0;

/// Numbers in [−1, 1) by a multiplicative congruence.
fn square(n: usize) -> DMatrix<f64> {
    let mut state = 7u64;
    DMatrix::from_fn(n, n, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

/// The least times of both (s), which run in turns.
fn least(mut ours: impl FnMut(), mut peer: impl FnMut()) -> [f64; 2] {
    let (mut least, begin) = ([f64::INFINITY; 2], Instant::now());
    let mut time = |i: usize, f: &mut dyn FnMut()| {
        let begin = Instant::now();
        f();
        least[i] = begin.elapsed().as_secs_f64().min(least[i]);
    };
    while begin.elapsed().as_secs_f64() < BUDGET {
        time(0, &mut ours);
        time(1, &mut peer);
    }
    least
}

fn main() {
    println!("{:<34}{:>5}{:>12}{:>12}{:>8}", "", "n", "ours (µs)", "nalgebra", "ratio");
    let row = |name: &str, n: usize, [ours, peer]: [f64; 2]| {
        println!("{name:<34}{n:>5}{:>12.1}{:>12.1}{:>8.2}", 1e6 * ours, 1e6 * peer, ours / peer);
    };
    for n in SIZES {
        let peer = square(n);
        let ours = Matrix { n_rows: n, n_cols: n, data: peer.transpose().as_slice().to_vec() };
        let even = &peer * peer.transpose();
        let our_even = Matrix { n_rows: n, n_cols: n, data: even.as_slice().to_vec() };
        let right = DVector::from_fn(n, |i, _| 1.0 + 0.1 * i as f64);

        let times = least(
            || drop(black_box(math::eigen::eigenvalues(black_box(&ours)))),
            || drop(black_box(black_box(&peer).complex_eigenvalues())),
        );
        row("eigenvalues, general", n, times);

        let times = least(
            || drop(black_box(math::symmetric::eigen(black_box(&our_even)))),
            || drop(black_box(black_box(&even).clone().symmetric_eigen())),
        );
        row("eigenvalues and vectors, symmetric", n, times);

        let mut lu = math::lu::Lu::new(n);
        let mut x = vec![0.0; n];
        let times = least(
            || {
                lu.a.copy_from_slice(black_box(&ours.data));
                assert!(lu.factor());
                x.copy_from_slice(right.as_slice());
                lu.solve(black_box(&mut x));
            },
            || drop(black_box(black_box(&peer).clone().lu().solve(&right))),
        );
        row("lu and one solution", n, times);

        let mut matrix = ours.data.clone();
        let times = least(
            || {
                matrix.copy_from_slice(black_box(&our_even.data));
                assert!(math::dense::factor(black_box(&mut matrix), n, 0.0));
            },
            || drop(black_box(black_box(&even).clone().cholesky())),
        );
        row("cholesky", n, times);
    }
}

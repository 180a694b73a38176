//! Exponents of η″ + Dη′ + Ω²η = 0 and their vectors, to the last digits however far apart they are.
//!
//! QR finds the exponents to roundings of the largest one, or of the slowest one if it is given the inverse,
//! and inverse iteration with the Hessenberg matrix their vectors: damping by stiffness has many slow
//! exponents that agree to some digits. All are then refined together (`simultaneous_refinement.rs`), each to
//! its own roundings.

use super::simultaneous_refinement::refined_simultaneously;
use crate::exact::taylor::Sparse;
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};
use crate::math::hessenberg::{Hessenberg, ShiftedHessenberg};
use crate::math::lu::{Lu, Scalar};

/// An exponent with a smaller imaginary part, relative to it, is sought as a real one.
const REAL: f64 = 1e-7;
/// With a larger ratio of exponents QR finds the slow ones from the inverse.
const WIDE: f64 = 1e5;
/// How far from the middle of all exponents, as a factor, QR may change over to the inverse.
const MIDDLE: f64 = 30.0;
/// What (λ² + λD + Ω²)x may leave, in coordinates in which all terms have size one.
const RESIDUAL: f64 = 1e-11;
/// The condition of the vectors, beyond which too many digits cancel.
const MAX_CONDITION: f64 = 1e6;
/// A real part above zero, relative to the modulus, that is rounding of the exponents.
const UNDAMPED: f64 = 1e-13;

/// An exponent and its vector; of conjugate ones the upper.
pub(super) type Exponent = (Complex, Vec<Complex>);

pub(super) const ZERO: Complex = complex(0.0, 0.0);

/// a/b.
pub(super) fn over(a: Complex, b: Complex) -> Complex {
    (a * b.conj()).times(1.0 / (b.re * b.re + b.im * b.im))
}

/// The root of mλ² + dλ + k = 0 next to `near`.
pub(super) fn root(m: Complex, d: Complex, k: Complex, near: Complex) -> Complex {
    let root = (d * d - (m * k).times(4.0)).root();
    let [plus, minus] = [d + root, d - root];
    let large = if plus.modulus() > minus.modulus() { plus } else { minus }.times(-0.5);
    let [a, b] = [over(large, m), over(k, large)];
    if (a - near).modulus() < (b - near).modulus() { a } else { b }
}

/// The answer of all natural modes to the harmonic loads `tones` e^{iωτ}; rows and columns of the pencil are
/// scaled to size one.
pub(super) fn answer(
    natural: &[f64],
    damping: &Matrix,
    omega: f64,
    tones: impl Iterator<Item = Complex>,
) -> Option<Vec<Complex>> {
    let n = natural.len();
    let scale: Vec<f64> = natural.iter().map(|square| 1.0 / (square.sqrt() + omega)).collect();
    let mut lu = Lu::new(n);
    for i in 0..n {
        for j in 0..n {
            let inertia = if i == j { natural[i] - omega * omega } else { 0.0 };
            lu.a[i * n + j] = complex(inertia, omega * damping.at(i, j)).times(scale[i] * scale[j]);
        }
    }
    if !lu.factor() {
        return None;
    }
    let mut wave: Vec<Complex> = tones.zip(&scale).map(|(tone, scale)| tone.times(*scale)).collect();
    lu.solve(&mut wave);
    wave.iter_mut().zip(&scale).for_each(|(wave, scale)| *wave = wave.times(*scale));
    Some(wave)
}

/// Whether λ and x satisfy their equations, against the size of their terms.
fn is_exponent(natural: &[f64], damping: &Matrix, (lambda, x): &Exponent) -> bool {
    let (lambda, size) = (*lambda, lambda.modulus());
    let (mut left, mut terms): (f64, f64) = (0.0, 0.0);
    for (i, square) in natural.iter().enumerate() {
        let row = damping.row(i).iter().zip(x);
        let damped = lambda * row.fold(ZERO, |sum, (d, x)| sum + x.times(*d));
        let rest = (lambda * lambda + complex(*square, 0.0)) * x[i];
        let scale = 1.0 / (square.sqrt() + size);
        left = left.max(scale * (damped + rest).modulus());
        terms = terms.max(x[i].modulus() / scale);
    }
    left <= RESIDUAL * terms
}

/// The widest gap about the middle of exponents that are sorted by size: how many lie above it.
fn gap(values: &[Complex]) -> usize {
    let sizes: Vec<f64> = values.iter().map(|value| value.modulus()).collect();
    let middle = (sizes[0] * sizes[sizes.len() - 1]).sqrt();
    let is_near = |k: &usize| sizes[*k] < MIDDLE * middle && sizes[*k] * MIDDLE > middle;
    let above = sizes.iter().take_while(|size| **size > middle).count().clamp(1, sizes.len() - 1);
    let widest = (1..sizes.len()).filter(is_near);
    widest.max_by(|a, b| (sizes[a - 1] / sizes[*a]).total_cmp(&(sizes[b - 1] / sizes[*b]))).unwrap_or(above)
}

/// All exponents but the conjugate ones; `None` if one cannot be had without loss, or grows.
pub(super) fn exponents(natural: &[f64], damping: &Matrix) -> Option<Vec<Exponent>> {
    let n = natural.len();
    // the motion of (Ωη, η̇), in which energies have size one, and its inverse
    let (mut state, mut inverse) = (Matrix::zeros(2 * n, 2 * n), Matrix::zeros(2 * n, 2 * n));
    let omega: Vec<f64> = natural.iter().map(|square| square.sqrt()).collect();
    for i in 0..n {
        (*state.at_mut(i, n + i), *state.at_mut(n + i, i)) = (omega[i], -omega[i]);
        (*inverse.at_mut(i, n + i), *inverse.at_mut(n + i, i)) = (-1.0 / omega[i], 1.0 / omega[i]);
        for j in 0..n {
            *state.at_mut(n + i, n + j) = -damping.at(i, j);
            *inverse.at_mut(i, j) = -damping.at(i, j) / (omega[i] * omega[j]);
        }
    }
    let fast = Hessenberg::new(&state);
    let values = fast.eigenvalues();
    let size = |k: usize| values[k].modulus();
    let n_fast = match size(0) < WIDE * size(2 * n - 1) {
        true => 2 * n,
        false => gap(&values),
    };
    let slow = (n_fast < 2 * n).then(|| Hessenberg::new(&inverse));
    let inverses = slow.as_ref().map_or(Vec::new(), Hessenberg::eigenvalues);
    let fast = values[..n_fast].iter().map(|value| (&fast, *value, *value));
    // what is slow is the largest of the inverse
    let slow = slow.iter().flat_map(|slow| {
        let slowest = &inverses[..2 * n - n_fast];
        slowest.iter().map(move |value| (slow, *value, over(complex(1.0, 0.0), *value)))
    });
    let (mut real, mut turning) = (ShiftedHessenberg::default(), ShiftedHessenberg::default());
    let mut guesses = Vec::with_capacity(2 * n);
    for (start, (hessenberg, value, guess)) in fast.chain(slow).enumerate() {
        let is_real = guess.im.abs() <= REAL * guess.modulus();
        if !is_real && guess.im < 0.0 {
            continue;
        }
        let (lambda, x) = match is_real {
            true => {
                let x = hessenberg.vector(value.re, start, &mut real);
                (complex(guess.re, 0.0), x.into_iter().map(Scalar::real).collect())
            }
            false => (guess, hessenberg.vector(value, start, &mut turning)),
        };
        // Ωη or η̇ = λη, whichever is larger
        let part = |(i, omega): (usize, &f64)| match *omega > lambda.modulus() {
            true => x[i].times(1.0 / omega),
            false => over(x[n + i], lambda),
        };
        guesses.push((lambda, omega.iter().enumerate().map(part).collect()));
    }
    let mut found = refined_simultaneously(natural, damping, guesses);
    let count: usize = found.iter().map(|(lambda, _)| if lambda.im == 0.0 { 1 } else { 2 }).sum();
    if count != 2 * n || !found.iter().all(|found| is_exponent(natural, damping, found)) {
        return None;
    }
    for (lambda, _) in &mut found {
        let size = lambda.modulus();
        let is_turning = lambda.im > REAL * size;
        if (lambda.im != 0.0 && !is_turning) || lambda.re > UNDAMPED * size || size == 0.0 {
            return None;
        }
        lambda.re = lambda.re.min(0.0);
    }
    Some(found)
}

/// Maps the state (η, η̇) of free motions η = Re Σ x A e^{λτ} to real and imaginary part of each amplitude A,
/// two rows an exponent; `None` if that is too badly conditioned.
pub(super) fn amplitude_rows(natural: &[f64], all: &[Exponent]) -> Option<Vec<[Sparse; 2]>> {
    let n = natural.len();
    let size = 2 * n;
    let mut lu: Lu<f64> = Lu::new(size);
    let mut column = vec![0.0; size];
    let mut units = Vec::with_capacity(size);
    for (lambda, x) in all {
        let parts: &[Complex] =
            if lambda.im == 0.0 { &[complex(1.0, 0.0)] } else { &[complex(1.0, 0.0), complex(0.0, 1.0)] };
        for part in parts {
            for i in 0..n {
                let eta = x[i] * *part;
                (column[i], column[n + i]) = (natural[i].sqrt() * eta.re, (eta * *lambda).re);
            }
            let unit = dot(&column, &column).sqrt();
            (0..size).for_each(|i| lu.a[i * size + units.len()] = column[i] / unit);
            units.push(unit);
        }
    }
    let norm =
        |a: &[f64]| a.chunks(size).map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let before = norm(&lu.a);
    if !lu.factor() {
        return None;
    }
    let mut inverse = Matrix::zeros(size, size);
    for j in 0..size {
        column.fill(0.0);
        column[j] = 1.0;
        lu.solve(&mut column);
        (0..size).for_each(|i| *inverse.at_mut(i, j) = column[i]);
    }
    if !(before * norm(&inverse.data) <= MAX_CONDITION) {
        return None;
    }
    let scaled = |row: usize| -> Sparse {
        let scale = |k: usize| if k < n { natural[k].sqrt() } else { 1.0 } / units[row];
        inverse.row(row).iter().enumerate().map(|(k, x)| (k, x * scale(k))).collect()
    };
    let mut rows = 0..size;
    let mut next = || rows.next().map_or_else(Sparse::new, scaled);
    Some(
        all.iter()
            .map(|(lambda, _)| [next(), if lambda.im == 0.0 { Sparse::new() } else { next() }])
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Natural frequencies from 1 to `ratio`, with damping by stiffness and two dashpots.
    fn pencil(n: usize, ratio: f64, beta: f64) -> (Vec<f64>, Matrix) {
        let square = |j: usize| libm::pow(ratio, 2.0 * j as f64 / (n - 1) as f64);
        let natural: Vec<f64> = (0..n).map(square).collect();
        let mut damping = Matrix::diagonal(&natural.iter().map(|square| beta * square).collect::<Vec<_>>());
        for (dashpot, size) in [0.4, 30.0].into_iter().enumerate() {
            let along =
                |j: usize| libm::sin((1 + 2 * dashpot) as f64 * (j + 1) as f64) * (2.0 / n as f64).sqrt();
            for i in 0..n {
                (0..n).for_each(|j| *damping.at_mut(i, j) += size * along(i) * along(j));
            }
        }
        (natural, damping)
    }

    /// The exponent next to `lambda` by inverse iteration with the pencil, its rows and columns scaled to size
    /// one, and the root of xᵀ(λ² + λD + Ω²)x = 0.
    fn alone(natural: &[f64], damping: &Matrix, mut lambda: Complex) -> Complex {
        let n = natural.len();
        let mut x: Vec<Complex> = (0..n).map(|k| complex(libm::cos((1 + k) as f64), 0.0)).collect();
        for _ in 0..4 {
            let shift = lambda.times(1.0 + 1e-14);
            let scale: Vec<f64> =
                natural.iter().map(|square| 1.0 / (square.sqrt() + shift.modulus())).collect();
            let mut lu = Lu::new(n);
            for i in 0..n {
                for j in 0..n {
                    let own = if i == j { shift * shift + complex(natural[i], 0.0) } else { ZERO };
                    lu.a[i * n + j] = (own + shift.times(damping.at(i, j))).times(scale[i] * scale[j]);
                }
            }
            assert!(lu.factor());
            (0..2).for_each(|_| {
                lu.solve(&mut x);
                let largest = x.iter().map(|x| x.size()).fold(0.0, f64::max);
                x.iter_mut().for_each(|x| *x = x.times(1.0 / largest));
            });
            let y: Vec<Complex> = x.iter().zip(&scale).map(|(x, scale)| x.times(*scale)).collect();
            let damped = |i: usize| damping.row(i).iter().zip(&y).fold(ZERO, |s, (d, y)| s + y.times(*d));
            let sum = |part: &dyn Fn(usize) -> Complex| (0..n).fold(ZERO, |sum, i| sum + part(i));
            let m = sum(&|i| y[i] * y[i]);
            let (d, k) = (sum(&|i| y[i] * damped(i)), sum(&|i| (y[i] * y[i]).times(natural[i])));
            lambda = root(m, d, k, lambda);
        }
        lambda
    }

    #[test]
    fn all_exponents_are_found_together() {
        for (n, ratio, beta) in [
            (12, 10.0, 0.0),
            (30, 1e4, 0.0),
            (30, 1e4, 0.01),
            (24, 1e5, 0.1),
            (60, 300.0, 1e-3),
            (100, 1e4, 1e-3),
        ] {
            let (natural, damping) = pencil(n, ratio, beta);
            let all = exponents(&natural, &damping).unwrap();
            let n_found: usize = all.iter().map(|(lambda, _)| if lambda.im == 0.0 { 1 } else { 2 }).sum();
            assert_eq!(n_found, 2 * n, "{n} modes to {ratio}, β = {beta}");
            // as those that are sought one by one, to their own roundings
            for (lambda, _) in &all {
                let off = (alone(&natural, &damping, *lambda) - *lambda).modulus() / lambda.modulus();
                assert!(off < 1e-13, "{n} modes to {ratio}, β = {beta}: {lambda:?} off by {off:e}");
            }
            // the sum of all exponents is the trace
            let trace: f64 = (0..n).map(|i| damping.at(i, i)).sum();
            let sum: f64 = all.iter().map(|(z, _)| if z.im == 0.0 { z.re } else { 2.0 * z.re }).sum();
            assert!((sum + trace).abs() < 1e-12 * trace, "{sum} {trace}");
        }
    }

    #[test]
    fn exponents_that_agree_have_vectors_of_their_own() {
        // three equal oscillators, of which a dashpot moves one combination
        let natural = [4.0, 4.0, 4.0, 9.0];
        let mut damping = Matrix::zeros(4, 4);
        let along = [0.6, 0.5, 0.3, 0.2];
        for i in 0..4 {
            (0..4).for_each(|j| *damping.at_mut(i, j) = along[i] * along[j]);
            *damping.at_mut(i, i) += 0.1;
        }
        let all = exponents(&natural, &damping).unwrap();
        let is_near = |(a, _): &&Exponent, b: Complex| (*a - b).modulus() < 1e-12;
        assert!(all.iter().any(|(b, _)| all.iter().filter(|a| is_near(a, *b)).count() == 2));
        assert!(amplitude_rows(&natural, &all).is_some());
    }
}

//! Exponents of η″ + Dη′ + Ω²η = 0 and their vectors, in pairs, to the last digits however far apart they
//! are.
//!
//! QR finds the exponents to roundings of the largest one, or of the slowest one if it is given the inverse,
//! and inverse iteration with the Hessenberg matrix their vectors: damping by stiffness has many slow
//! exponents that agree to some digits. All are then refined together (`simultaneous_refinement.rs`), each to
//! its own roundings.
//!
//! An exponent that is not found well enough so is sought by inverse iteration with the pencil λ² + λD + Ω²,
//! whose rows and columns are scaled to size one, and the root of xᵀ(λ² + λD + Ω²)x = 0 next to λ: D being
//! symmetric, x is the left vector as well, and the error is squared. That takes n³ operations for one
//! exponent, the former n³ for all.

use super::simultaneous_refinement::refined_simultaneously;
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
/// Rounds of inverse iteration with a shift each; two or three are the rule.
const ROUNDS: usize = 6;
/// Changes of an exponent that are rounding.
const SETTLED: f64 = 8.0 * f64::EPSILON;
/// A shift that is no exponent to the last bit.
const BESIDE: f64 = 1e-14;
/// What (λ² + λD + Ω²)x may leave, in coordinates in which all terms have size one.
const RESIDUAL: f64 = 1e-11;
/// The condition of the vectors, beyond which too many digits cancel.
const MAX_CONDITION: f64 = 1e6;
/// A negative σ, relative to ω, that is rounding of the exponents.
const UNDAMPED: f64 = 1e-13;

/// Two exponents, as an oscillator, with η = P y + Q ẏ.
pub(super) struct ExponentPair {
    pub sigma: f64,
    pub square: f64,
    pub p: Vec<f64>,
    pub q: Vec<f64>,
    /// One complex exponent with its vector, or two real ones.
    pub terms: Vec<Exponent>,
}

/// An exponent and its vector.
pub(super) type Exponent = (Complex, Vec<Complex>);

pub(super) const ZERO: Complex = complex(0.0, 0.0);

/// a/b.
pub(super) fn over(a: Complex, b: Complex) -> Complex {
    (a * b.conj()).times(1.0 / (b.re * b.re + b.im * b.im))
}

/// Real and complex numbers alike.
pub(super) trait RealOrComplex: Scalar {
    fn widened(self) -> Complex;
    /// The root of mλ² + dλ + k = 0 next to `near`; `None` if that is no such number.
    fn root(m: Self, d: Self, k: Self, near: Self) -> Option<Self>;
}

impl RealOrComplex for f64 {
    fn widened(self) -> Complex {
        complex(self, 0.0)
    }
    fn root(m: f64, d: f64, k: f64, near: f64) -> Option<f64> {
        let disc = d * d - 4.0 * m * k;
        if disc < 0.0 {
            return None;
        }
        let large = -0.5 * (d + disc.sqrt().copysign(d));
        let [a, b] = [large / m, k / large];
        Some(if (a - near).abs() < (b - near).abs() { a } else { b })
    }
}

impl RealOrComplex for Complex {
    fn widened(self) -> Complex {
        self
    }
    fn root(m: Self, d: Self, k: Self, near: Self) -> Option<Self> {
        let root = (d * d - (m * k).times(4.0)).root();
        let [plus, minus] = [d + root, d - root];
        let large = if plus.modulus() > minus.modulus() { plus } else { minus }.times(-0.5);
        let [a, b] = [over(large, m), over(k, large)];
        Some(if (a - near).modulus() < (b - near).modulus() { a } else { b })
    }
}

/// The pencil at λ with its factors, and the scales of its rows and columns.
struct QuadraticPencil<S> {
    lu: Lu<S>,
    scale: Vec<f64>,
}

impl<S: RealOrComplex> QuadraticPencil<S> {
    fn new(natural: &[f64], damping: &Matrix, lambda: S) -> Option<Self> {
        let (n, size) = (natural.len(), lambda.widened().modulus());
        let scale: Vec<f64> = natural.iter().map(|square| 1.0 / (square.sqrt() + size)).collect();
        let mut lu = Lu::new(n);
        for i in 0..n {
            for j in 0..n {
                let mut entry = lambda * S::real(damping.at(i, j));
                if i == j {
                    entry = entry + lambda * lambda + S::real(natural[i]);
                }
                lu.a[i * n + j] = entry * S::real(scale[i] * scale[j]);
            }
        }
        lu.factor().then_some(Self { lu, scale })
    }
}

/// The answer to the harmonic loads `tones` e^{iωτ}.
pub(super) fn answer(
    natural: &[f64],
    damping: &Matrix,
    omega: f64,
    tones: impl Iterator<Item = Complex>,
) -> Option<Vec<Complex>> {
    let pencil = QuadraticPencil::new(natural, damping, complex(0.0, omega))?;
    let mut wave: Vec<Complex> = tones.zip(&pencil.scale).map(|(tone, scale)| tone.times(*scale)).collect();
    pencil.lu.solve(&mut wave);
    wave.iter_mut().zip(&pencil.scale).for_each(|(wave, scale)| *wave = wave.times(*scale));
    Some(wave)
}

/// The exponent near `guess` with its vector; `None` if there is none of its kind, or not well enough.
/// `start` distinguishes starts of several exponents apart.
fn refined<S: RealOrComplex>(natural: &[f64], damping: &Matrix, guess: S, start: usize) -> Option<Exponent> {
    let n = natural.len();
    let mut lambda = guess;
    // a fixed stream of numbers
    let mut x: Vec<S> = (0..n).map(|k| S::real(libm::cos((1 + k * (start + 1)) as f64))).collect();
    let mut unscaled = vec![S::ZERO; n];
    for round in 0..ROUNDS {
        let pencil = QuadraticPencil::new(natural, damping, lambda * S::real(1.0 + BESIDE))
            .or_else(|| QuadraticPencil::new(natural, damping, lambda * S::real(1.0 + 64.0 * BESIDE)))?;
        for _ in 0..if round == 0 { 3 } else { 1 } {
            pencil.lu.solve(&mut x);
            let largest = x.iter().map(|x| x.size()).fold(0.0, f64::max);
            x.iter_mut().for_each(|x| *x = *x * S::real(1.0 / largest));
        }
        for ((out, x), scale) in unscaled.iter_mut().zip(&x).zip(&pencil.scale) {
            *out = *x * S::real(*scale);
        }
        let [mut m, mut d, mut k] = [S::ZERO; 3];
        for i in 0..n {
            let square = unscaled[i] * unscaled[i];
            m = m + square;
            k = k + square * S::real(natural[i]);
            let row = damping.row(i).iter().zip(&unscaled);
            d = d + unscaled[i] * row.fold(S::ZERO, |sum, (d, x)| sum + *x * S::real(*d));
        }
        let next = S::root(m, d, k, lambda)?;
        let change = (next - lambda).widened().modulus();
        lambda = next;
        if !(change > SETTLED * lambda.widened().modulus()) {
            break;
        }
    }
    is_exponent(natural, damping, lambda, &unscaled)
        .then(|| (lambda.widened(), unscaled.into_iter().map(RealOrComplex::widened).collect()))
}

/// Whether λ and x satisfy their equations, against the size of their terms.
fn is_exponent<S: RealOrComplex>(natural: &[f64], damping: &Matrix, lambda: S, x: &[S]) -> bool {
    let size = lambda.widened().modulus();
    let (mut left, mut terms): (f64, f64) = (0.0, 0.0);
    for (i, square) in natural.iter().enumerate() {
        let row = damping.row(i).iter().zip(x);
        let damped = lambda * row.fold(S::ZERO, |sum, (d, x)| sum + *x * S::real(*d));
        let rest = (lambda * lambda + S::real(*square)) * x[i];
        let scale = 1.0 / (square.sqrt() + size);
        left = left.max(scale * (damped + rest).widened().modulus());
        terms = terms.max(x[i].widened().modulus() / scale);
    }
    left <= RESIDUAL * terms
}

/// All exponents in pairs, ascending by their product; `None` if they cannot be had without loss, or grow.
pub(super) fn exponent_pairs(natural: &[f64], damping: &Matrix) -> Option<Vec<ExponentPair>> {
    let n = natural.len();
    let (mut pairs, mut real) = (Vec::with_capacity(n), Vec::new());
    for found in exponents(natural, damping, &mut 0)? {
        if found.0.im == 0.0 {
            real.push(found);
        } else {
            pairs.push(complex_pair(found)?);
        }
    }
    if 2 * pairs.len() + real.len() != 2 * n {
        return None;
    }
    pairs.extend(real_pairs(real)?);
    pairs.sort_by(|a, b| a.square.total_cmp(&b.square));
    Some(pairs)
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

/// All exponents but the conjugate ones; those that had to be sought one by one are counted.
fn exponents(natural: &[f64], damping: &Matrix, n_alone: &mut usize) -> Option<Vec<Exponent>> {
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
                (complex(guess.re, 0.0), x.into_iter().map(RealOrComplex::widened).collect())
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
    let starts: Vec<Complex> = guesses.iter().map(|(lambda, _)| *lambda).collect();
    let together = refined_simultaneously(natural, damping, guesses);
    let found = starts.into_iter().zip(together).enumerate().map(|(start, (guess, found))| {
        if is_exponent(natural, damping, found.0, &found.1) {
            return Some(found);
        }
        *n_alone += 1;
        match guess.im == 0.0 {
            true => refined(natural, damping, guess.re, start),
            false => refined(natural, damping, guess, start),
        }
    });
    found.collect()
}

/// The pair of a complex exponent, its vector turned so that it is as real as can be.
fn complex_pair((lambda, mut x): Exponent) -> Option<ExponentPair> {
    let (square, unit) =
        x.iter().fold((ZERO, 0.0), |(square, unit), x| (square + *x * *x, unit + x.re * x.re + x.im * x.im));
    let turn = square.root();
    let size = turn.modulus();
    let turn = if size > 0.0 { turn.conj().times(1.0 / size) } else { complex(1.0, 0.0) };
    x.iter_mut().for_each(|x| *x = (*x * turn).times(1.0 / unit.sqrt()));
    let (mut sigma, omega) = (-lambda.re, lambda.modulus());
    if sigma < 0.0 {
        if sigma < -UNDAMPED * omega {
            return None;
        }
        sigma = 0.0;
    }
    if !(lambda.im > REAL * omega) {
        return None;
    }
    let q: Vec<f64> = x.iter().map(|x| x.im / lambda.im).collect();
    let p = x.iter().zip(&q).map(|(x, q)| x.re + sigma * q).collect();
    Some(ExponentPair { sigma, square: omega * omega, p, q, terms: vec![(complex(-sigma, lambda.im), x)] })
}

/// Pairs of real exponents: the slowest with the fastest and so on, as in modes of Rayleigh's damping, or the
/// slower half with the faster one, whichever takes smaller multiples of velocities.
fn real_pairs(mut real: Vec<Exponent>) -> Option<Vec<ExponentPair>> {
    real.sort_by(|a, b| b.0.re.total_cmp(&a.0.re));
    if real.first().is_some_and(|(lambda, _)| !(lambda.re < 0.0)) || !real.len().is_multiple_of(2) {
        return None;
    }
    for (_, x) in &mut real {
        let unit = x.iter().map(|x| x.re * x.re).sum::<f64>().sqrt();
        x.iter_mut().for_each(|x| *x = x.times(1.0 / unit));
    }
    let half = real.len() / 2;
    let (slow, fast) = real.split_at(half);
    let growth = |pairs: &[ExponentPair]| {
        let of = |pair: &ExponentPair| dot(&pair.q, &pair.q).sqrt() * pair.sigma;
        pairs.iter().map(of).fold(0.0, f64::max)
    };
    let nested: Option<Vec<_>> = slow.iter().zip(fast.iter().rev()).map(|(a, b)| real_pair(a, b)).collect();
    let halves: Option<Vec<_>> = slow.iter().zip(fast).map(|(a, b)| real_pair(a, b)).collect();
    match (nested, halves) {
        (Some(nested), Some(halves)) => Some(if growth(&halves) < growth(&nested) { halves } else { nested }),
        (nested, halves) => nested.or(halves),
    }
}

fn real_pair((s1, x1): &Exponent, (s2, x2): &Exponent) -> Option<ExponentPair> {
    let (s1, s2) = (s1.re, s2.re);
    if s1 == s2 {
        return None;
    }
    let product: f64 = x1.iter().zip(x2).map(|(a, b)| a.re * b.re).sum();
    let x2: Vec<Complex> = x2.iter().map(|x| x.times(if product < 0.0 { -1.0 } else { 1.0 })).collect();
    let q: Vec<f64> = x1.iter().zip(&x2).map(|(a, b)| (a.re - b.re) / (s1 - s2)).collect();
    let p = x1.iter().zip(&q).map(|(x, q)| x.re - s1 * q).collect();
    let terms = vec![(complex(s1, 0.0), x1.clone()), (complex(s2, 0.0), x2)];
    Some(ExponentPair { sigma: -0.5 * (s1 + s2), square: s1 * s2, p, q, terms })
}

/// The map from (η, η̇) to (y, ẏ) of all pairs, in this order; `None` if it is too badly conditioned.
pub(super) fn inverse(natural: &[f64], pairs: &[ExponentPair]) -> Option<Matrix> {
    let n = natural.len();
    let size = 2 * n;
    let mut lu: Lu<f64> = Lu::new(size);
    let mut column = vec![0.0; size];
    let mut units = vec![0.0; size];
    for (j, pair) in pairs.iter().enumerate() {
        let rows = |i: usize| {
            let (p, q) = (pair.p[i], pair.q[i]);
            [[p, q], [-pair.square * q, p - 2.0 * pair.sigma * q]]
        };
        for part in 0..2 {
            for i in 0..n {
                let [eta, rate] = rows(i);
                (column[i], column[n + i]) = (natural[i].sqrt() * eta[part], rate[part]);
            }
            let unit = dot(&column, &column).sqrt();
            units[part * n + j] = unit;
            (0..size).for_each(|i| lu.a[i * size + part * n + j] = column[i] / unit);
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
    for (row, unit) in inverse.data.chunks_mut(size).zip(&units) {
        row.iter_mut().zip(natural).for_each(|(x, square)| *x *= square.sqrt());
        row.iter_mut().for_each(|x| *x /= unit);
    }
    Some(inverse)
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
            let mut n_alone = 0;
            let all = exponents(&natural, &damping, &mut n_alone).unwrap();
            let n_found: usize = all.iter().map(|(lambda, _)| if lambda.im == 0.0 { 1 } else { 2 }).sum();
            assert_eq!((n_found, n_alone), (2 * n, 0), "{n} modes to {ratio}, β = {beta}");
            // as those that are sought one by one, to their own roundings
            for (start, (lambda, _)) in all.iter().enumerate() {
                let alone = match lambda.im == 0.0 {
                    true => refined(&natural, &damping, lambda.re, start),
                    false => refined(&natural, &damping, *lambda, start),
                };
                let off = (alone.unwrap().0 - *lambda).modulus() / lambda.modulus();
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
        let pairs = exponent_pairs(&natural, &damping).unwrap();
        assert!((pairs[0].square - pairs[1].square).abs() < 1e-12);
        assert!(inverse(&natural, &pairs).is_some());
    }
}

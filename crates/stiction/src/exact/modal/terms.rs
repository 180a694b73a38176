//! The motion in natural modes as a sum of exponential terms.
//!
//! In natural modes η″ + Dη′ + Ω²η = p(τ). With the exponents λ and vectors x of (λ² + λD + Ω²)x = 0, of
//! conjugate ones the upper, every quantity of a phase is a polynomial and a sum over terms:
//!
//! ```text
//!   η = e₀ + e₁τ + ½e₂τ² + Re Σ x A e^{λτ} + Re Σ Ψ e^{i(ωτ+θ)}
//! ```
//!
//! e₀ + e₁τ answers loads that are constant or grow with time, Ψ harmonic ones, e₂ is the acceleration of
//! rigid motions. If D is diagonal each mode has its own two exponents, else they come from the whole system
//! (`exponents.rs`). A rigid motion that is braked has the exponents 0 and −α, near each other: its term is
//! A (e^{−ατ} − 1 + ατ), in which position and velocity do not cancel. Other exponents that nearly agree, with
//! one vector, and waves near resonance cancel: such systems are left to Taylor series.

use super::exponents::{ZERO, amplitude_rows, answer, exponents, over};
use crate::exact::oscillator::LinearOscillator;
use crate::exact::taylor::{Model, Sparse};
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};

/// A load nearer to an exponent than this part of its frequency is at resonance.
const RESONANT: f64 = 1e-4;
/// Two exponents of one mode nearer than this part of them are one.
const CRITICAL: f64 = 1e-4;
/// A mode slower than this part of the slowest load has an equilibrium so far away that its motion cancels
/// against it.
const SOFT: f64 = 1e-3;

/// How the forces of resting contacts depend on displacement and velocity of each natural mode, one row a
/// contact.
#[derive(Debug)]
pub(super) struct HeldRows {
    pub displacement: Matrix,
    pub velocity: Matrix,
}

/// What the terms are made from.
pub(super) struct Natural<'a> {
    /// Ω² (1/s²) and D.
    pub squares: &'a [f64],
    pub damping: &'a Matrix,
    pub is_diagonal: bool,
    /// Φ, one row a degree of freedom, and wᵢᵀΦ, one row a contact.
    pub shape: &'a Matrix,
    pub sliding: &'a Matrix,
    /// Maps a force on the degrees of freedom to the forces of the resting contacts, one row a contact.
    pub carried: &'a Matrix,
    pub held: &'a HeldRows,
}

/// Factors of the terms in several quantities.
#[derive(Debug, Default)]
pub(super) struct TermRows {
    /// Real and minus imaginary part of each factor in turn.
    pub factors: Matrix,
    /// Their moduli.
    pub sizes: Matrix,
}

/// The terms of a set of resting contacts: of rigid motions that are braked, then ascending by the moduli of
/// their exponents.
#[derive(Debug)]
pub(super) struct Terms {
    pub exponents: Vec<Complex>,
    pub moduli: Vec<f64>,
    pub n_braked: usize,
    /// The harmonic load whose steady wave a term is.
    pub loads: Vec<Option<usize>>,
    /// Maps (η, η̇) of free motions to real and imaginary part of the amplitude of each term.
    pub amplitudes: Vec<[Sparse; 2]>,
    /// Steady waves Ψ of the natural modes, one row a load.
    pub waves: Vec<Vec<Complex>>,
    /// Positions, distances slid, and forces of the resting contacts.
    pub position: TermRows,
    pub sliding: TermRows,
    pub held: TermRows,
    /// Velocities of the natural modes in each term.
    pub velocities: Vec<Vec<(usize, Complex)>>,
    /// Power of the constant loads in each term, and force of each harmonic one times its velocity.
    pub constant: Vec<Complex>,
    pub pushes: Vec<Vec<Complex>>,
    /// xᵀDx′ and xᵀDx̄′ of the velocities of all pairs of terms in which they are not zero.
    pub grams: Vec<(usize, usize, [Complex; 2])>,
}

/// A term on its own.
struct Term {
    exponent: Complex,
    is_braked: bool,
    load: Option<usize>,
    /// Displacements of the natural modes.
    vector: Vec<(usize, Complex)>,
    amplitude: [Sparse; 2],
}

impl Natural<'_> {
    /// The free motions; `None` if some cannot be had without loss.
    fn free(&self) -> Option<Vec<Term>> {
        let n = self.squares.len();
        if !self.is_diagonal {
            // a rigid motion without damping has one vector for two exponents
            if self.squares.first().is_some_and(|square| *square <= 0.0) {
                return None;
            }
            let all = exponents(self.squares, self.damping)?;
            let rows = amplitude_rows(self.squares, &all)?;
            let term = |((exponent, x), amplitude): ((Complex, Vec<Complex>), [Sparse; 2])| Term {
                exponent,
                is_braked: false,
                load: None,
                vector: x.into_iter().enumerate().collect(),
                amplitude,
            };
            return Some(all.into_iter().zip(rows).map(term).collect());
        }
        let mut terms = Vec::with_capacity(2 * n);
        for (j, &square) in self.squares.iter().enumerate() {
            let damping = self.damping.at(j, j);
            let is_braked = square == 0.0;
            let mut add = |exponent: Complex, amplitude: [Sparse; 2]| {
                let vector = vec![(j, complex(1.0, 0.0))];
                terms.push(Term { exponent, is_braked, load: None, vector, amplitude });
            };
            if square == 0.0 {
                // by the acceleration at the start, in the place of a velocity
                if damping != 0.0 {
                    let amplitude = vec![(n + j, 1.0 / (damping * damping))];
                    add(complex(-damping, 0.0), [amplitude, Sparse::new()]);
                }
                continue;
            }
            let oscillator = LinearOscillator::new(1.0, damping, square);
            match (oscillator.omega_d(), oscillator.real_roots()) {
                (Some(omega), _) if omega * omega > CRITICAL * CRITICAL * square => {
                    let sigma = oscillator.sigma;
                    let im = vec![(j, -sigma / omega), (n + j, -1.0 / omega)];
                    add(complex(-sigma, omega), [vec![(j, 1.0)], im]);
                }
                (_, Some([s1, s2])) if s1 - s2 > CRITICAL * square.sqrt() => {
                    let gap = s1 - s2;
                    add(complex(s1, 0.0), [vec![(j, -s2 / gap), (n + j, 1.0 / gap)], Sparse::new()]);
                    add(complex(s2, 0.0), [vec![(j, s1 / gap), (n + j, -1.0 / gap)], Sparse::new()]);
                }
                _ => return None,
            }
        }
        Some(terms)
    }

    /// The steady waves that answer a harmonic load.
    fn wave(&self, omega: f64, tones: impl Iterator<Item = Complex>) -> Option<Vec<Complex>> {
        if !self.is_diagonal {
            return answer(self.squares, self.damping, omega, tones);
        }
        let one = |(j, tone): (usize, Complex)| {
            over(tone, complex(self.squares[j] - omega * omega, omega * self.damping.at(j, j)))
        };
        Some(tones.enumerate().map(one).collect())
    }
}

impl Terms {
    /// `None` if the motion has no such terms without loss.
    pub fn new(natural: &Natural, model: &Model) -> Option<Self> {
        let n = natural.squares.len();
        let slowest = model.loads.harmonics.iter().map(|load| load.0).fold(f64::INFINITY, f64::min);
        let is_soft = |square: &f64| *square > 0.0 && slowest.is_finite() && square.sqrt() < SOFT * slowest;
        if natural.squares.iter().any(is_soft) {
            return None;
        }
        let pushes = |amplitude: &[f64]| -> Vec<f64> {
            let mut sum = vec![0.0; n];
            for (k, f) in amplitude.iter().enumerate().filter(|(_, f)| **f != 0.0) {
                sum.iter_mut().zip(natural.shape.row(k)).for_each(|(sum, shape)| *sum += f * shape);
            }
            sum
        };
        let tones: Vec<Vec<f64>> = model.loads.harmonics.iter().map(|load| pushes(&load.2)).collect();
        let mut list = natural.free()?;
        let n_free = list.len();
        let mut waves = Vec::with_capacity(tones.len());
        for (k, ((omega, ..), tones)) in model.loads.harmonics.iter().zip(&tones).enumerate() {
            let exponent = complex(0.0, *omega);
            if list[..n_free].iter().any(|term| (term.exponent - exponent).modulus() < RESONANT * omega) {
                return None;
            }
            // sin x = Re(−i e^{ix})
            let wave = natural.wave(*omega, tones.iter().map(|tone| complex(0.0, -tone)))?;
            let vector = wave.iter().copied().enumerate().collect();
            list.push(Term {
                exponent,
                is_braked: false,
                load: Some(k),
                vector,
                amplitude: Default::default(),
            });
            waves.push(wave);
        }
        let rank = |term: &Term| if term.is_braked { -1.0 } else { term.exponent.modulus() };
        list.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
        let held = |a: usize, term: &Term| {
            let (displacement, velocity) = (natural.held.displacement.row(a), natural.held.velocity.row(a));
            let factor = |j: usize| complex(displacement[j], 0.0) + term.exponent.times(velocity[j]);
            let own = term.load.map_or(0.0, |k| -dot(natural.carried.row(a), &model.loads.harmonics[k].2));
            term.vector.iter().fold(complex(0.0, own), |sum, (j, x)| sum + factor(*j) * *x)
        };
        let velocity = |term: &Term| -> Vec<(usize, Complex)> {
            term.vector.iter().map(|(j, x)| (*j, *x * term.exponent)).collect()
        };
        let velocities: Vec<_> = list.iter().map(velocity).collect();
        let constant = pushes(&model.loads.constant);
        Some(Self {
            position: TermRows::along(natural.shape, &list),
            sliding: TermRows::along(natural.sliding, &list),
            held: TermRows::new(natural.carried.n_rows, &list, held),
            constant: velocities.iter().map(|v| along(&constant, v)).collect(),
            pushes: velocities.iter().map(|v| tones.iter().map(|tones| along(tones, v)).collect()).collect(),
            grams: grams(natural, &velocities),
            velocities,
            n_braked: list.iter().filter(|term| term.is_braked).count(),
            moduli: list.iter().map(|term| term.exponent.modulus()).collect(),
            exponents: list.iter().map(|term| term.exponent).collect(),
            loads: list.iter().map(|term| term.load).collect(),
            amplitudes: list.into_iter().map(|term| term.amplitude).collect(),
            waves,
        })
    }
}

impl Terms {
    /// How many terms are no faster than `rate`.
    pub fn n_slow(&self, rate: f64) -> usize {
        self.n_braked + self.moduli[self.n_braked..].partition_point(|own| *own <= rate)
    }

    /// Term `t` of amplitude one at τ, and its derivative.
    #[inline]
    pub fn growth(&self, t: usize, tau: f64) -> [Complex; 2] {
        let z = self.exponents[t];
        if t < self.n_braked {
            let x = z.re * tau;
            return [complex(second_remainder(x), 0.0), complex(z.re * libm::expm1(x), 0.0)];
        }
        let value = exponential(z, tau);
        [value, value * z]
    }
}

/// e^{zτ}.
#[inline]
pub(super) fn exponential(z: Complex, tau: f64) -> Complex {
    let decay = if z.re == 0.0 { 1.0 } else { libm::exp(z.re * tau) };
    let (sine, cosine) = if z.im == 0.0 { (0.0, 1.0) } else { libm::sincos(z.im * tau) };
    complex(decay * cosine, decay * sine)
}

/// e^x − 1 − x.
fn second_remainder(x: f64) -> f64 {
    // 0.5¹⁴ · 2/16! is below rounding
    const TERMS: u32 = 15;
    if x.abs() > 0.5 {
        return libm::expm1(x) - x;
    }
    0.5 * x * x * (3..=TERMS).rev().fold(1.0, |sum, j| 1.0 + x / f64::from(j) * sum)
}

impl TermRows {
    fn new(n_rows: usize, list: &[Term], factor: impl Fn(usize, &Term) -> Complex) -> Self {
        let (mut factors, mut sizes) =
            (Matrix::zeros(n_rows, 2 * list.len()), Matrix::zeros(n_rows, list.len()));
        for i in 0..n_rows {
            for (t, term) in list.iter().enumerate() {
                let x = factor(i, term);
                (*factors.at_mut(i, 2 * t), *factors.at_mut(i, 2 * t + 1)) = (x.re, -x.im);
                *sizes.at_mut(i, t) = x.modulus();
            }
        }
        Self { factors, sizes }
    }

    /// What combinations of the natural modes, one row a quantity, are in each term.
    fn along(rows: &Matrix, list: &[Term]) -> Self {
        Self::new(rows.n_rows, list, |i, term| along(rows.row(i), &term.vector))
    }
}

/// Σ cⱼxⱼ.
pub(super) fn along(c: &[f64], x: &[(usize, Complex)]) -> Complex {
    x.iter().fold(ZERO, |sum, (j, x)| sum + x.times(c[*j]))
}

/// What damping makes of all pairs of terms.
fn grams(natural: &Natural, velocities: &[Vec<(usize, Complex)>]) -> Vec<(usize, usize, [Complex; 2])> {
    let n = natural.squares.len();
    let damped: Vec<Vec<Complex>> = velocities
        .iter()
        .map(|v| {
            if natural.is_diagonal {
                let mut force = vec![ZERO; n];
                v.iter().for_each(|&(j, v)| force[j] = v.times(natural.damping.at(j, j)));
                return force;
            }
            (0..n).map(|i| along(natural.damping.row(i), v)).collect()
        })
        .collect();
    let mut grams = Vec::new();
    for (t, v) in velocities.iter().enumerate() {
        for (s, damped) in damped.iter().enumerate().take(t + 1) {
            let product = |turn: &dyn Fn(Complex) -> Complex| {
                v.iter().fold(ZERO, |sum, (j, v)| sum + *v * turn(damped[*j]))
            };
            let pair = [product(&|y| y), product(&Complex::conj)];
            if pair != [ZERO; 2] {
                grams.push((t, s, pair));
            }
        }
    }
    grams
}

#[cfg(test)]
mod tests {
    use super::second_remainder;

    #[test]
    fn the_remainder_of_the_exponential_keeps_its_digits() {
        for i in -3000..=1000 {
            let x = f64::from(i) * 1e-3;
            // by halves: e^{2y} − 1 − 2y = (e^y − 1)² + 2(e^y − 1 − y)
            let y = 0.5 * x;
            let halves = libm::expm1(y) * libm::expm1(y) + 2.0 * second_remainder(y);
            let value = second_remainder(x);
            assert!((value - halves).abs() <= 4e-15 * value, "{x}: {value} {halves}");
        }
    }
}

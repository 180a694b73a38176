//! What a force that is a polynomial of time does to a mode, in closed form.
//!
//! ```text
//!   η″ + cη′ + ω²η = Σ pₗ ℓₗ(σ/h)      ℓ: Lagrange's polynomials through the nodes of Radau's formula
//!   η(τ) = … + Σ pₗ ∫₀^τ g(τ − σ) ℓₗ(σ/h) dσ,     g = (e^{r₁t} − e^{r₂t})/(r₁ − r₂),    r² + cr + ω² = 0
//! ```
//!
//! A slow exponential is integrated by Gauss's formula, a fast one by parts,
//! `∫₀^τ e^{r(τ−σ)} P dσ = −Σ P⁽ᵏ⁾(τ)/rᵏ⁺¹ + e^{rτ} Σ P⁽ᵏ⁾(0)/rᵏ⁺¹`, so that the cost does not grow with the
//! rate and nothing is lost to stiffness.

use crate::math::complex::{Complex, complex};
use crate::math::gauss::ten;
use crate::math::lu::Scalar;

/// RadauNodes in a step.
pub(super) const STAGES: usize = 7;
/// Angle of an exponential over which Gauss's formula with ten nodes is exact to rounding, beside a
/// polynomial of degree six.
const PANEL: f64 = 2.0;
/// From this |r|τ on an exponential is integrated by parts.
const FAST: f64 = 20.0;

/// Radau's nodes on (0, 1] with their polynomials.
#[derive(Clone, Debug)]
pub(super) struct RadauNodes {
    pub at: [f64; STAGES],
    /// Coefficients of ℓₗ, constant first.
    powers: [[f64; STAGES]; STAGES],
    /// Weights that give the value at the first node by the others.
    pub first: [f64; STAGES],
}

/// A mode without loads.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModeRoots {
    /// c and ω².
    pub rate: f64,
    pub square: f64,
    /// r₁ and r₂, the slower first.
    roots: [Complex; 2],
}

/// Displacement and velocity of a mode after a time, by what was at its start and by the forces at the nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ModeStep {
    /// η by η and η′, then η′ by both.
    pub free: [[f64; 2]; 2],
    pub position: [f64; STAGES],
    pub velocity: [f64; STAGES],
}

impl RadauNodes {
    pub fn new() -> Self {
        // zeros of P_s − P_{s−1}, the last of them at 1
        let difference = |x: f64| {
            let (mut a, mut b) = (1.0, x);
            for i in 2..=STAGES {
                let i = i as f64;
                (a, b) = (b, ((2.0 * i - 1.0) * x * b - (i - 1.0) * a) / i);
            }
            b - a
        };
        let (mut at, mut found) = ([1.0; STAGES], 0);
        let places = 64 * STAGES;
        for place in 0..places {
            let x = |i: usize| -libm::cos(std::f64::consts::PI * i as f64 / places as f64);
            let [mut a, mut b] = [x(place), x(place + 1)];
            if found + 1 < STAGES && (difference(a) < 0.0) != (difference(b) < 0.0) {
                for _ in 0..80 {
                    let middle = 0.5 * (a + b);
                    if (difference(middle) < 0.0) == (difference(a) < 0.0) { a = middle } else { b = middle }
                }
                at[found] = 0.5 + 0.5 * a;
                found += 1;
            }
        }
        let mut powers = [[0.0; STAGES]; STAGES];
        for (l, row) in powers.iter_mut().enumerate() {
            row[0] = 1.0;
            let others = at.iter().enumerate().filter(|(k, _)| *k != l);
            for (degree, (k, node)) in others.enumerate() {
                let scale = 1.0 / (at[l] - at[k]);
                for i in (0..=degree + 1).rev() {
                    let below = if i > 0 { row[i - 1] } else { 0.0 };
                    row[i] = scale * (below - node * row[i]);
                }
            }
        }
        let mut first = [0.0; STAGES];
        for l in 1..STAGES {
            let others = (1..STAGES).filter(|k| *k != l);
            first[l] = others.map(|k| (at[0] - at[k]) / (at[l] - at[k])).product();
        }
        Self { at, powers, first }
    }

    /// All ℓₗ at x.
    pub fn values(&self, x: f64) -> [f64; STAGES] {
        let mut out = [1.0; STAGES];
        for (l, value) in out.iter_mut().enumerate() {
            for k in (0..STAGES).filter(|k| *k != l) {
                *value *= (x - self.at[k]) / (self.at[l] - self.at[k]);
            }
        }
        out
    }

    /// Derivative number `k` of all ℓₗ at x.
    fn derivative(&self, k: usize, x: f64) -> [f64; STAGES] {
        let mut out = [0.0; STAGES];
        for (value, row) in out.iter_mut().zip(&self.powers) {
            for i in (k..STAGES).rev() {
                let factor: f64 = (i - k + 1..=i).map(|f| f as f64).product();
                *value = *value * x + factor * row[i];
            }
        }
        out
    }
}

impl ModeRoots {
    pub fn new(rate: f64, square: f64) -> Self {
        let half = -0.5 * rate;
        let disc = half * half - square;
        let roots = if disc < 0.0 {
            let omega = (-disc).sqrt();
            [complex(half, omega), complex(half, -omega)]
        } else {
            // the larger one first, the other by their product
            let large = half + disc.sqrt().copysign(half);
            let small = if large == 0.0 { 0.0 } else { square / large };
            [complex(small, 0.0), complex(large, 0.0)]
        };
        Self { rate, square, roots }
    }

    /// g and g′ at t.
    fn impulse(&self, t: f64) -> [f64; 2] {
        let [a, b] = self.roots;
        if a.im != 0.0 {
            let (sine, cosine) = libm::sincos(a.im * t);
            let decay = libm::exp(a.re * t);
            return [decay * sine / a.im, decay * (cosine + a.re * sine / a.im)];
        }
        let (slow, fast) = (libm::exp(a.re * t), libm::exp(b.re * t));
        let apart = a.re - b.re;
        if (apart * t).abs() > 1.0 {
            return [(slow - fast) / apart, (a.re * slow - b.re * fast) / apart];
        }
        let g = if apart == 0.0 { t * slow } else { -slow * libm::expm1(-apart * t) / apart };
        [g, slow + b.re * g]
    }

    /// ∫₀^τ e^{r(τ−σ)} ℓₗ(σ/h) dσ.
    fn exponential(nodes: &RadauNodes, r: Complex, tau: f64, h: f64) -> [Complex; STAGES] {
        let mut out = [Complex::ZERO; STAGES];
        let size = r.modulus() * tau;
        if size <= FAST {
            let panels = (size / PANEL).ceil().max(1.0);
            for panel in 0..panels as usize {
                for (x, weight) in ten() {
                    let sigma = tau * (panel as f64 + x) / panels;
                    let (sine, cosine) = libm::sincos(r.im * (tau - sigma));
                    let decay = weight * tau / panels * libm::exp(r.re * (tau - sigma));
                    let e = complex(decay * cosine, decay * sine);
                    let values = nodes.values(sigma / h);
                    out.iter_mut().zip(values).for_each(|(out, value)| *out = *out + e.times(value));
                }
            }
            return out;
        }
        let (sine, cosine) = libm::sincos(r.im * tau);
        let decay = libm::exp(r.re * tau);
        let e = complex(decay * cosine, decay * sine);
        let inverse = r.reciprocal();
        let mut power = inverse;
        for k in 0..STAGES {
            let (end, begin) = (nodes.derivative(k, tau / h), nodes.derivative(k, 0.0));
            for (out, (end, begin)) in out.iter_mut().zip(end.iter().zip(&begin)) {
                *out = *out + power * (e.times(*begin) - complex(*end, 0.0));
            }
            power = power * inverse.times(1.0 / h);
        }
        out
    }

    /// The mode at τ in a step of length h.
    pub fn step(&self, nodes: &RadauNodes, tau: f64, h: f64) -> ModeStep {
        let [g, g1] = self.impulse(tau);
        let mut step = ModeStep {
            free: [[g1 + self.rate * g, g], [-self.square * g, g1]],
            position: [0.0; STAGES],
            velocity: [0.0; STAGES],
        };
        let [a, b] = self.roots;
        let apart = a - b;
        if apart.modulus() * tau <= 1.0 {
            let panels = (a.modulus().max(b.modulus()) * tau / PANEL).ceil().max(1.0);
            for panel in 0..panels as usize {
                for (x, weight) in ten() {
                    let sigma = tau * (panel as f64 + x) / panels;
                    let [g, g1] = self.impulse(tau - sigma);
                    let values = nodes.values(sigma / h);
                    let weight = weight * tau / panels;
                    step.position.iter_mut().zip(values).for_each(|(x, value)| *x += weight * g * value);
                    step.velocity.iter_mut().zip(values).for_each(|(x, value)| *x += weight * g1 * value);
                }
            }
            return step;
        }
        let over = apart.reciprocal();
        let slow = Self::exponential(nodes, a, tau, h);
        let fast = match a.im != 0.0 {
            true => slow.map(Complex::conj),
            false => Self::exponential(nodes, b, tau, h),
        };
        for l in 0..STAGES {
            step.position[l] = ((slow[l] - fast[l]) * over).re;
            step.velocity[l] = ((a * slow[l] - b * fast[l]) * over).re;
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radaus_formula_of_seven_nodes_integrates_polynomials_up_to_degree_twelve() {
        // the weights are ∫ℓₗ: what a mode without rate and stiffness does in a unit of time
        let nodes = RadauNodes::new();
        let weights = ModeRoots::new(0.0, 0.0).step(&nodes, 1.0, 1.0).velocity;
        for degree in 0..=12 {
            let sum: f64 = weights.iter().zip(nodes.at).map(|(w, x)| w * x.powi(degree)).sum();
            assert!((sum - 1.0 / f64::from(degree + 1)).abs() < 1e-14, "degree {degree}: {sum}");
        }
    }

    #[test]
    fn a_mode_under_a_polynomial_is_right_at_any_rate() {
        // η = x³ is the answer to p = 6x + 3cx² + ω²x³ from rest; from η = 1 at rest without load the free
        // motion
        let nodes = RadauNodes::new();
        let cases = [
            [0.0, 0.0],
            [1e-3, 1.0],
            [3.0, 2.25],
            [1.0, 1e4],
            [1.0, 1e8],
            [1e6, 1e8],
            [1e7, 1.0],
            [5.0, 0.0],
        ];
        for [rate, square] in cases {
            let roots = ModeRoots::new(rate, square);
            for (tau, h) in [(1.0, 1.0), (0.03, 1.0), (0.4, 0.5)] {
                let step = roots.step(&nodes, tau, h);
                let force = |x: f64| 6.0 * x + 3.0 * rate * x * x + square * x * x * x;
                let sum = |w: &[f64]| w.iter().zip(nodes.at).map(|(w, x)| w * force(h * x)).sum::<f64>();
                let (q, v) = (sum(&step.position), sum(&step.velocity));
                // the force is as large as the mode is stiff, and its roundings are divided by that
                assert!((q - tau * tau * tau).abs() < 1e-11, "{rate} {square} {tau}: {q}");
                let scale = 1.0 + square.sqrt().min(square / rate.max(1e-300));
                assert!((v - 3.0 * tau * tau).abs() < 1e-11 * scale, "{rate} {square} {tau}: {v}");
            }
        }
    }
}

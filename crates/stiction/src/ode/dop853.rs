//! DOP853: the explicit Runge–Kutta method of order 8 of Dormand and Prince (@hairer1993, II.5, II.6, II.10).
//!
//! ```text
//!   error  = h max(e₅² / √(e₅² + 0.01 e₃²), e₆)      e₆, e₅, e₃ from the embedded methods of order 6, 5 and 3
//!   y(θ)   = y₀ + θ(F₀ + θ'(F₁ + θ(F₂ + θ'(F₃ + θ(F₄ + θ'(F₅ + θ F₆))))))     θ' = 1 − θ
//! ```
//!
//! The step takes 12 evaluations, the interpolant of order 7 three more and f at the end of the step. The
//! usual estimate, without e₆, takes e₅/e₃ for the square of a small step. That fails where a slow motion
//! fills e₃ and a law that bends within a part of the step fills e₅: such steps erred by up to 60 times the
//! estimate. What begins in the last seventh of a step, such as the foot of a steep law, is seen by the last
//! stage alone, and no estimate of order 6 gives that stage a weight: the combination in e₆ is the only one,
//! f at the end of the step included. Steps that end in such a foot, at most one per passage, err by tens of
//! tolerances, the worst met by 200. It is stable on the negative real axis down to h λ ≈ −6.

use super::dense_output::StepStart;
use super::dop853_tableau::{A, ALL_STAGES, C, D, E3, E5, E6, STAGES};
use super::problem::{Ode, Work};
use super::settings::Tolerance;

/// The next step aims at this part of the step that would just do.
const SAFETY: f64 = 0.9;
/// Limits of the change from one step to the next.
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;

/// The stages of the last step, and its interpolant once asked for.
pub(crate) struct Dop853 {
    /// Components that feed back into f; the stages need no others.
    n_active: usize,
    k: [Vec<f64>; ALL_STAGES],
    stage: Vec<f64>,
    coefficients: [Vec<f64>; 7],
    h: f64,
    has_interpolant: bool,
}

/// Stage `$i`: the active components of the state from the stages listed, and f there.
macro_rules! stage {
    ($self:ident, $ode:ident, $t:ident, $y:ident, $i:expr, [$($j:literal)*]) => {{
        combine!($self.k, $self.h, $y[..$self.n_active], $self.stage, A[$i], [$($j)*]);
        $ode.rhs($t + C[$i] * $self.h, &$self.stage, &mut $self.k[$i]);
    }};
}

/// `$out` = `$y` + h Σ_j `$a[j]` k_j over the stages listed.
macro_rules! combine {
    ($k:expr, $h:expr, $y:expr, $out:expr, $a:expr, [$($j:literal)*]) => {
        combined([$(($a[$j], &$k[$j][..])),*], $h, &$y, &mut $out[..])
    };
}

/// Components that are summed side by side.
const LANES: usize = 4;

/// `out` = `y` + h times the sum of the terms, as far as `y` reaches; component by component the same sums,
/// several at a time.
#[inline(always)]
fn combined<const TERMS: usize>(terms: [(f64, &[f64]); TERMS], h: f64, y: &[f64], out: &mut [f64]) {
    let n = y.len();
    let terms = terms.map(|(a, k)| (a, &k[..n]));
    let (blocks, rest) = out[..n].as_chunks_mut::<LANES>();
    for (b, out) in blocks.iter_mut().enumerate() {
        let at = b * LANES;
        let mut sums = [0.0; LANES];
        for (a, k) in &terms {
            let k = &k[at..at + LANES];
            sums.iter_mut().zip(k).for_each(|(sum, k)| *sum += a * k);
        }
        let y = &y[at..at + LANES];
        *out = std::array::from_fn(|i| y[i] + h * sums[i]);
    }
    for (i, out) in (n - rest.len()..n).zip(rest) {
        *out = y[i] + h * terms.iter().fold(0.0, |sum, (a, k)| sum + a * k[i]);
    }
}

impl Dop853 {
    pub fn new(n: usize, n_active: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            n_active,
            k: std::array::from_fn(|_| zeros()),
            stage: zeros(),
            coefficients: std::array::from_fn(|_| zeros()),
            h: 0.0,
            has_interpolant: false,
        }
    }

    /// Tries a step; writes its end into `y_new`.
    pub fn attempt(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        start: StepStart,
        y_new: &mut [f64],
        work: &mut Work,
    ) {
        let StepStart { t, y, f, h, .. } = start;
        self.h = h;
        self.has_interpolant = false;
        self.k[0].copy_from_slice(f);
        stage!(self, ode, t, y, 1, [0]);
        stage!(self, ode, t, y, 2, [0 1]);
        stage!(self, ode, t, y, 3, [0 2]);
        stage!(self, ode, t, y, 4, [0 2 3]);
        stage!(self, ode, t, y, 5, [0 3 4]);
        stage!(self, ode, t, y, 6, [0 3 4 5]);
        stage!(self, ode, t, y, 7, [0 3 4 5 6]);
        stage!(self, ode, t, y, 8, [0 3 4 5 6 7]);
        stage!(self, ode, t, y, 9, [0 3 4 5 6 7 8]);
        stage!(self, ode, t, y, 10, [0 3 4 5 6 7 8 9]);
        stage!(self, ode, t, y, 11, [0 3 4 5 6 7 8 9 10]);
        combine!(self.k, h, y[..], y_new, A[STAGES], [0 5 6 7 8 9 10 11]);
        work.evaluations += STAGES as u64 - 1;
    }

    /// Error of the attempt from `y` to `y_new`, 1 where the tolerance is used up.
    ///
    /// Only the active components count.
    pub fn error(&self, y: &[f64], y_new: &[f64], tolerance: &Tolerance) -> f64 {
        let n = self.n_active;
        let k: [&[f64]; STAGES] = std::array::from_fn(|j| &self.k[j][..n]);
        let (mut e6, mut e5, mut e3) = (0.0, 0.0, 0.0);
        for (i, (y, y_new)) in y[..n].iter().zip(&y_new[..n]).enumerate() {
            let scale = 1.0 / tolerance.scale(i, *y, *y_new);
            let sum = |e: &[f64; STAGES]| {
                // stages 1 to 4 have no weight in any
                let late = (5..STAGES).fold(0.0, |sum, j| sum + e[j] * k[j][i]);
                (e[0] * k[0][i] + late) * scale
            };
            let [a, b, c] = [sum(&E6), sum(&E5), sum(&E3)];
            e6 += a * a;
            e5 += b * b;
            e3 += c * c;
        }
        let denominator = e5 + 0.01 * e3;
        if denominator == 0.0 {
            return 0.0;
        }
        self.h * f64::max(e5 / denominator.sqrt(), e6.sqrt()) / (n as f64).sqrt()
    }

    /// By how much the next step should be longer, after an attempt with this error, which is of order 8 in
    /// h.
    pub fn factor(error: f64) -> f64 {
        // three roots are the eighth
        (SAFETY / error.sqrt().sqrt().sqrt()).clamp(SHRINK, GROW)
    }

    /// Makes the interpolant of the last attempt, from `start` to `y_new` with the derivative `f_new`.
    pub fn prepare(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        start: (f64, &[f64]),
        y_new: &[f64],
        f_new: &[f64],
        work: &mut Work,
    ) {
        let (t, y) = start;
        if self.has_interpolant {
            return;
        }
        self.has_interpolant = true;
        self.k[STAGES].copy_from_slice(f_new);
        stage!(self, ode, t, y, 13, [0 6 7 8 9 10 11 12]);
        stage!(self, ode, t, y, 14, [0 5 6 7 10 11 12 13]);
        stage!(self, ode, t, y, 15, [0 5 6 7 8 12 13 14]);
        work.evaluations += 3;
        let (h, n) = (self.h, y.len());
        let k: [&[f64]; ALL_STAGES] = std::array::from_fn(|j| &self.k[j][..n]);
        let [c0, c1, c2, tail @ ..] = self.coefficients.each_mut().map(|c| &mut c[..n]);
        for (i, (y, y_new)) in y.iter().zip(&y_new[..n]).enumerate() {
            let dy = y_new - y;
            c0[i] = dy;
            c1[i] = h * k[0][i] - dy;
            c2[i] = 2.0 * dy - h * (k[STAGES][i] + k[0][i]);
        }
        for (c, d) in tail.into_iter().zip(&D) {
            let (blocks, rest) = c.as_chunks_mut::<LANES>();
            for (b, c) in blocks.iter_mut().enumerate() {
                let lanes = b * LANES..(b + 1) * LANES;
                let mut late = [0.0; LANES];
                for j in 5..ALL_STAGES {
                    late.iter_mut().zip(&k[j][lanes.clone()]).for_each(|(sum, k)| *sum += d[j] * k);
                }
                let first = &k[0][lanes];
                *c = std::array::from_fn(|i| h * (d[0] * first[i] + late[i]));
            }
            for (i, c) in (n - rest.len()..n).zip(rest) {
                let late = (5..ALL_STAGES).fold(0.0, |sum, j| sum + d[j] * k[j][i]);
                *c = h * (d[0] * k[0][i] + late);
            }
        }
    }

    /// What component `i` changes by, as a polynomial in θ, the constant first, after `prepare`: the nested
    /// form multiplied out.
    #[inline]
    pub fn polynomial(&self, i: usize) -> [f64; 8] {
        let [c0, c1, c2, c3, c4, c5, c6] = std::array::from_fn(|j| self.coefficients[j][i]);
        [
            0.0,
            c0 + c1,
            c2 + c3 - c1,
            c4 + c5 - c2 - 2.0 * c3,
            c3 + c6 - 2.0 * c4 - 3.0 * c5,
            c4 + 3.0 * (c5 - c6),
            3.0 * c6 - c5,
            -c6,
        ]
    }

    /// The first components of the state at t + θ h, after `prepare`.
    pub fn interpolate(&self, y: &[f64], theta: f64, out: &mut [f64]) {
        let (x, x1) = (theta, 1.0 - theta);
        let n = out.len();
        let c: [&[f64]; 7] = std::array::from_fn(|j| &self.coefficients[j][..n]);
        for (i, (out, y)) in out.iter_mut().zip(&y[..n]).enumerate() {
            let inner = c[3][i] + x * (c[4][i] + x1 * (c[5][i] + x * c[6][i]));
            *out = y + x * (c[0][i] + x1 * (c[1][i] + x * (c[2][i] + x1 * inner)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ode::test_models::Twisted;

    fn errors(n: usize) -> [f64; 2] {
        let (mut kernel, mut work) = (Dop853::new(2, 2), Work::default());
        let (mut y_new, mut f) = ([0.0; 2], [0.0; 2]);
        Twisted::errors(n, |ode, t, h, y, inside| {
            ode.rhs(t, y, &mut f);
            let start = StepStart { t, y, f: &f, near: (t, y), h };
            kernel.attempt(ode, start, &mut y_new, &mut work);
            ode.rhs(t + h, &y_new, &mut f);
            kernel.prepare(ode, (t, y), &y_new, &f, &mut work);
            inside.iter_mut().for_each(|(theta, out)| kernel.interpolate(y, *theta, out));
            *y = y_new;
        })
    }

    #[test]
    fn the_observed_orders_are_8_and_between_the_ends_8_too() {
        // the interpolant's local error is of order 8, like the global error of the step
        let [coarse, fine] = [errors(20), errors(40)];
        for (what, i) in [("step", 0), ("interpolant", 1)] {
            let order = libm::log2(coarse[i] / fine[i]);
            assert!((7.6..9.0).contains(&order), "{what}: order {order}, errors {coarse:?} {fine:?}");
        }
    }

    #[test]
    fn the_polynomial_of_a_step_is_its_interpolant() {
        let mut kernel = Dop853::new(1, 1);
        for (j, c) in kernel.coefficients.iter_mut().enumerate() {
            c[0] = [0.7, -0.4, 1.3, 0.9, -2.1, 0.3, 1.7][j];
        }
        let p = kernel.polynomial(0);
        for theta in [0.0, 0.1, 0.5, 0.93, 1.0] {
            let mut out = [0.0];
            kernel.interpolate(&[0.0], theta, &mut out);
            let value = p.iter().rev().fold(0.0, |sum, c| sum * theta + c);
            // rounding of terms of order ten
            assert!((value - out[0]).abs() < 1e-14, "θ = {theta}: {value} for {}", out[0]);
        }
    }

    #[test]
    fn the_error_of_a_vanishing_right_hand_side_is_zero() {
        let mut kernel = Dop853::new(1, 1);
        kernel.h = 1.0;
        let tolerance = Tolerance { rtol: 1e-6, atol: vec![1e-6] };
        assert_eq!(kernel.error(&[1.0], &[1.0], &tolerance), 0.0);
        assert_eq!(Dop853::factor(0.0), GROW);
    }
}

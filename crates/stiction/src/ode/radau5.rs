//! Radau IIA with three stages: implicit, order 5, L-stable (@hairer1996, IV.8).
//!
//! ```text
//!   z_i = h Σ_j a_ij f(t + c_j h, y + z_j)       y(t + h) = y + z₃        c = (4 ∓ √6)/10, 1
//! ```
//!
//! `T⁻¹ A⁻¹ T` is block diagonal with a real number γ and a complex pair α ± iβ, so that simplified Newton
//! for w = T⁻¹ z solves one real and one complex system of the active components, with (γ/h) I − J and
//! ((α − iβ)/h) I − J. The passive components follow from the stages by the same weights a_ij.
//! Between the ends stands the collocation polynomial, of degree 3 and order 3: its error is O(h⁴).
//!
//! The error estimate is of order h⁴ while the step's own error is of order h⁶ where the problem is not
//! stiff; where it is, they are of one size. Hairer's code loosens the tolerance to make up for the former
//! (0.1 rtol^⅔); here the tolerance is kept, and smooth problems are left to the explicit method.

use super::dense_output::StepStart;
use super::problem::{Ode, Work};
use super::radau5_tableau::{A, ALPHA, BETA, C, E, GAMMA, P, T, TI};
use super::settings::Tolerance;
use crate::math::complex::Complex;
use crate::math::lu::Lu;

/// Most iterations of Newton's method.
const ITERATIONS: usize = 8;
/// Limits of the change from one step to the next.
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;
/// A step that would grow by less keeps its length, and so its factorisation.
const WORTHWHILE: f64 = 1.2;
/// A Jacobian with which Newton's iteration contracts faster than this serves for the next step too.
const GOOD_RATE: f64 = 1e-3;

/// The method, and what it keeps from step to step.
pub(crate) struct Radau5 {
    n: usize,
    n_active: usize,
    tolerance: Tolerance,
    newton_tolerance: f64,
    matrices: NewtonMatrices,
    polynomial: StagePolynomial,
    z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    f: [Vec<f64>; 3],
    x: Vec<f64>,
    xc: Vec<Complex>,
    stage: Vec<f64>,
    iterations: usize,
    rate: f64,
    /// Length and error of the last accepted step, for the predictive controller.
    accepted: Option<(f64, f64)>,
}

/// The Jacobian, and the factors of the matrices of Newton's iteration.
struct NewtonMatrices {
    n: usize,
    jacobian: Vec<f64>,
    /// There is a Jacobian, and it was taken at the start of the step under way.
    is_known: bool,
    is_fresh: bool,
    real: Lu<f64>,
    complex: Lu<Complex>,
    /// Step that the factors belong to; zero if there are none.
    factored: f64,
    /// At the end of an iteration that may have stopped too early.
    check: Lu<f64>,
}

/// The collocation polynomial of a step or of an attempt at it.
struct StagePolynomial {
    coefficients: [Vec<f64>; 3],
    /// Length of the step; zero if there is none to go on from.
    h: f64,
    /// It belongs to an earlier attempt at the step under way.
    is_own: bool,
}

impl NewtonMatrices {
    fn new(n: usize) -> Self {
        Self {
            n,
            jacobian: vec![0.0; n * n],
            is_known: false,
            is_fresh: false,
            real: Lu::new(n),
            complex: Lu::new(n),
            factored: 0.0,
            check: Lu::new(n),
        }
    }

    /// Factors (γ/h) I − J and ((α − iβ)/h) I − J, unless they are factored, with the Jacobian near the start.
    fn prepare(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        near: (f64, &[f64]),
        h: f64,
        work: &mut Work,
    ) -> bool {
        if !self.is_known {
            ode.jacobian(near.0, near.1, &mut self.jacobian);
            work.jacobians += 1;
            (self.is_known, self.is_fresh, self.factored) = (true, true, 0.0);
        }
        if self.factored == h {
            return true;
        }
        work.factorisations += 1;
        for (i, j) in self.jacobian.iter().enumerate() {
            let one = if i % (self.n + 1) == 0 { 1.0 / h } else { 0.0 };
            self.real.a[i] = GAMMA * one - j;
            self.complex.a[i] = Complex { re: ALPHA * one - j, im: -BETA * one };
        }
        let is_regular = self.real.factor() && self.complex.factor();
        self.factored = if is_regular { h } else { 0.0 };
        is_regular
    }
}

impl StagePolynomial {
    /// Interpolates the stages of a step of length `h`.
    fn make(&mut self, h: f64, z: &[Vec<f64>; 3]) {
        self.h = h;
        self.is_own = true;
        for (k, q) in self.coefficients.iter_mut().enumerate() {
            for (i, q) in q.iter_mut().enumerate() {
                *q = mix([P[0][k], P[1][k], P[2][k]], z, i);
            }
        }
    }

    /// What component `i` changes by from the start of a step of length `h` to the part `c` of it, by this
    /// polynomial or its continuation.
    fn predicted(&self, i: usize, c: f64, h: f64) -> f64 {
        let [q1, q2, q3] = &self.coefficients;
        let x = c * h / self.h;
        if self.is_own {
            x * (q1[i] + x * (q2[i] + x * q3[i]))
        } else {
            // q(1 + x) − q(1)
            x * (q1[i] + (2.0 + x) * q2[i] + (3.0 + x * (3.0 + x)) * q3[i])
        }
    }
}

impl Radau5 {
    pub fn new(n: usize, n_active: usize, tolerance: &Tolerance) -> Self {
        let three = || std::array::from_fn(|_| vec![0.0; n]);
        Self {
            n,
            n_active,
            tolerance: tolerance.clone(),
            newton_tolerance: (10.0 * f64::EPSILON / tolerance.rtol).max(tolerance.rtol.sqrt().min(0.03)),
            matrices: NewtonMatrices::new(n_active),
            polynomial: StagePolynomial { coefficients: three(), h: 0.0, is_own: false },
            z: three(),
            w: three(),
            f: three(),
            x: vec![0.0; n_active],
            xc: vec![Complex { re: 0.0, im: 0.0 }; n_active],
            stage: vec![0.0; n],
            iterations: 0,
            rate: 0.0,
            accepted: None,
        }
    }

    /// Forgets the past: the next step starts after a kink, or after steps of another method.
    pub fn restart(&mut self) {
        self.polynomial.h = 0.0;
        self.matrices.is_known = false;
        self.accepted = None;
    }

    /// Tries a step; writes its end into `y_new`.
    ///
    /// Returns the error, 1 where the tolerance is used up; infinity if Newton's iteration fails.
    pub fn attempt(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        start: StepStart,
        y_new: &mut [f64],
        work: &mut Work,
    ) -> f64 {
        let StepStart { t, y, near, h, .. } = start;
        loop {
            if !self.matrices.prepare(ode, near, h, work) {
                return f64::INFINITY;
            }
            self.guess(h);
            if self.newton(ode, t, h, y, work) && (!self.creeps(y) || self.is_settled(ode, t, h, y, work)) {
                break;
            }
            if self.matrices.is_fresh {
                return f64::INFINITY;
            }
            self.matrices.is_known = false;
        }
        self.passive(ode, t, h, y, work);
        for i in 0..self.n {
            y_new[i] = y[i] + self.z[2][i];
        }
        self.error(start, y_new)
    }

    /// Starting values: the last collocation polynomial, continued if need be; zero where there is none.
    fn guess(&mut self, h: f64) {
        let n = self.n_active;
        if self.polynomial.h == 0.0 {
            self.z.iter_mut().chain(&mut self.w).for_each(|v| v[..n].fill(0.0));
            return;
        }
        for (z, c) in self.z.iter_mut().zip(C) {
            for (i, z) in z[..n].iter_mut().enumerate() {
                *z = self.polynomial.predicted(i, c, h);
            }
        }
        for (w, row) in self.w.iter_mut().zip(TI) {
            for (i, w) in w[..n].iter_mut().enumerate() {
                *w = mix(row, &self.z, i);
            }
        }
    }

    /// Simplified Newton for the stages of the active components. Returns whether it converged.
    fn newton(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, h: f64, y: &[f64], work: &mut Work) -> bool {
        let n = self.n_active;
        let (g, a, b) = (GAMMA / h, ALPHA / h, BETA / h);
        let mut last = 0.0;
        self.rate = 0.0;
        self.stage.copy_from_slice(y);
        for k in 1..=ITERATIONS {
            self.iterations = k;
            self.evaluate(ode, t, h, y, work);
            for i in 0..n {
                let [w1, w2, w3] = [self.w[0][i], self.w[1][i], self.w[2][i]];
                let [f1, f2, f3] = TI.map(|row| mix(row, &self.f, i));
                self.x[i] = f1 - g * w1;
                self.xc[i] = Complex { re: f2 - (a * w2 + b * w3), im: f3 - (a * w3 - b * w2) };
            }
            self.matrices.real.solve(&mut self.x);
            self.matrices.complex.solve(&mut self.xc);
            let mut sum = 0.0;
            for i in 0..n {
                let scale = 1.0 / self.tolerance.scale(i, y[i], y[i]);
                let d = [self.x[i] * scale, self.xc[i].re * scale, self.xc[i].im * scale];
                sum += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                self.w[0][i] += self.x[i];
                self.w[1][i] += self.xc[i].re;
                self.w[2][i] += self.xc[i].im;
                for (z, row) in self.z.iter_mut().zip(T) {
                    z[i] = row[0] * self.w[0][i] + row[1] * self.w[1][i] + row[2] * self.w[2][i];
                }
            }
            let change = (sum / (3 * n) as f64).sqrt();
            if !change.is_finite() {
                return false;
            }
            if change == 0.0 {
                return true;
            }
            if k > 1 {
                let rate = change / last;
                self.rate = rate;
                let left = rate / (1.0 - rate) * change;
                if rate < 1.0 && left <= self.newton_tolerance {
                    return true;
                }
                // hopeless if the iterations that remain do not reach the tolerance
                let remaining = (ITERATIONS - k) as f64;
                if rate >= 0.99 || libm::pow(rate, remaining) * left > self.newton_tolerance {
                    return false;
                }
            }
            last = change;
        }
        false
    }

    /// Whether Newton's iteration may have stopped too early: the last correction of some component is a large part
    /// of its change over the step.
    fn creeps(&self, y: &[f64]) -> bool {
        // changes of this many roundings of a component are rounding
        const ROUNDINGS: f64 = 16.0;
        // a last correction beyond this part of the change asks for a check with the Jacobian at the end
        const CREEPS: f64 = 0.01;
        (0..self.n_active).any(|i| {
            let (last, all) = ((self.x[i] + self.xc[i].re).abs(), self.z[2][i].abs());
            last > CREEPS * all && last > ROUNDINGS * f64::EPSILON * y[i].abs()
        })
    }

    /// Whether Newton's step from the end of the iteration, with the Jacobian there, is short.
    ///
    /// Where f is many decades steeper at the start of the step than at its end, corrections with the Jacobian of
    /// the start are tiny although the equations are not satisfied.
    fn is_settled(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t: f64,
        h: f64,
        y: &[f64],
        work: &mut Work,
    ) -> bool {
        // what the Jacobian at its end may still move the end by, in tolerances
        const UNSETTLED: f64 = 0.1;
        for ((stage, y), z) in self.stage.iter_mut().zip(y).zip(&self.z[2]).take(self.n_active) {
            *stage = y + z;
        }
        ode.rhs(t + h, &self.stage, &mut self.f[2]);
        ode.jacobian(t + h, &self.stage, &mut self.matrices.check.a);
        work.evaluations += 1;
        work.jacobians += 1;
        work.factorisations += 1;
        let diagonal = self.n_active + 1;
        for (i, a) in self.matrices.check.a.iter_mut().enumerate() {
            *a = if i % diagonal == 0 { GAMMA / h - *a } else { -*a };
        }
        // the slope of the collocation polynomial at the end
        let slopes = P.map(|[p1, p2, p3]| (p1 + 2.0 * p2 + 3.0 * p3) / h);
        for i in 0..self.n_active {
            self.x[i] = self.f[2][i] - mix(slopes, &self.z, i);
        }
        if !self.matrices.check.factor() {
            return false;
        }
        self.matrices.check.solve(&mut self.x);
        let off = |(i, x): (usize, &f64)| (x / self.tolerance.scale(i, y[i], self.stage[i])).powi(2);
        let sum: f64 = self.x.iter().enumerate().map(off).sum();
        sum <= UNSETTLED * UNSETTLED * self.n_active as f64
    }

    /// f at the three stages.
    fn evaluate(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, h: f64, y: &[f64], work: &mut Work) {
        for ((z, f), c) in self.z.iter().zip(&mut self.f).zip(C) {
            for i in 0..self.n_active {
                self.stage[i] = y[i] + z[i];
            }
            ode.rhs(t + c * h, &self.stage, f);
        }
        work.evaluations += 3;
    }

    /// The passive components: quadrature over the stages.
    fn passive(&mut self, ode: &mut (impl Ode + ?Sized), t: f64, h: f64, y: &[f64], work: &mut Work) {
        if self.n_active == self.n {
            return;
        }
        self.evaluate(ode, t, h, y, work);
        for (z, row) in self.z.iter_mut().zip(A) {
            for (i, z) in z.iter_mut().enumerate().skip(self.n_active) {
                *z = h * mix(row, &self.f, i);
            }
        }
    }

    /// Hairer's estimate: the stages against f at the start, filtered by (γ/h) I − J.
    ///
    /// His second filter, which lets a first step skip a transient, is left out: transients count here.
    fn error(&mut self, start: StepStart, y_new: &[f64]) -> f64 {
        for (i, x) in self.x.iter_mut().enumerate() {
            *x = start.f[i] + mix(E, &self.z, i) / start.h;
        }
        self.matrices.real.solve(&mut self.x);
        let sum = self.x.iter().enumerate().fold(0.0, |sum, (i, x)| {
            let e = x / self.tolerance.scale(i, start.y[i], y_new[i]);
            sum + e * e
        });
        (sum / self.n_active as f64).sqrt()
    }

    /// By how much the next step should be longer, after an attempt of length `h` with this error.
    pub fn factor_of_step(&self, h: f64, error: f64) -> f64 {
        let fourth_root = |x: f64| x.sqrt().sqrt();
        let most = (2 * ITERATIONS + 1) as f64;
        let safety = 0.9 * most / (most - 1.0 + self.iterations as f64);
        let error = error.max(1e-10);
        // Gustafsson: if the error has been growing it will go on growing
        let trend = match self.accepted {
            Some((h_old, error_old)) => (h / h_old * fourth_root(error_old / error)).min(1.0),
            None => 1.0,
        };
        (safety * trend / fourth_root(error)).clamp(SHRINK, GROW)
    }

    /// Takes the attempt of length `h` as done; returns the factor for the next step.
    pub fn accept(&mut self, h: f64, error: f64) -> f64 {
        let factor = self.factor_of_step(h, error);
        self.accepted = Some((h, error.max(1e-2)));
        self.prepare(h);
        self.polynomial.is_own = false;
        self.matrices.is_fresh = false;
        if self.iterations > 2 && self.rate > GOOD_RATE {
            self.matrices.is_known = false;
            factor
        } else if (1.0..WORTHWHILE).contains(&factor) {
            1.0
        } else {
            factor
        }
    }

    /// Makes the collocation polynomial of the last attempt.
    pub fn prepare(&mut self, h: f64) {
        self.polynomial.make(h, &self.z);
    }

    /// The state at t + θ h, after `prepare`.
    pub fn interpolate(&self, y: &[f64], theta: f64, out: &mut [f64]) {
        let [q1, q2, q3] = &self.polynomial.coefficients;
        for i in 0..out.len() {
            out[i] = y[i] + theta * (q1[i] + theta * (q2[i] + theta * q3[i]));
        }
    }

    /// The rates of the components from `first` on there.
    pub fn rates(&self, theta: f64, first: usize, out: &mut [f64]) {
        let [q1, q2, q3] = &self.polynomial.coefficients;
        for (i, out) in (first..).zip(out) {
            *out = (q1[i] + theta * (2.0 * q2[i] + 3.0 * theta * q3[i])) / self.polynomial.h;
        }
    }
}

/// Component `i` of three vectors, weighted.
fn mix(weights: [f64; 3], v: &[Vec<f64>; 3], i: usize) -> f64 {
    weights[0] * v[0][i] + weights[1] * v[1][i] + weights[2] * v[2][i]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ode::test_models::Twisted;

    fn errors(n: usize) -> [f64; 2] {
        let tolerance = Tolerance { rtol: 1e-11, atol: vec![1e-11; 2] };
        let (mut kernel, mut work) = (Radau5::new(2, 2, &tolerance), Work::default());
        let (mut y_new, mut f) = ([0.0; 2], [0.0; 2]);
        Twisted::errors(n, |ode, t, h, y, inside| {
            ode.rhs(t, y, &mut f);
            let start = StepStart { t, y, f: &f, near: (t, y), h };
            let error = kernel.attempt(ode, start, &mut y_new, &mut work);
            assert!(error.is_finite(), "Newton's iteration must converge at t = {t} with {n} steps");
            kernel.accept(h, error);
            inside.iter_mut().for_each(|(theta, out)| kernel.interpolate(y, *theta, out));
            *y = y_new;
        })
    }

    #[test]
    fn the_observed_orders_are_5_and_between_the_ends_4() {
        let [coarse, fine] = [errors(160), errors(320)];
        for (what, i, expected) in [("step", 0, 5.0), ("interpolant", 1, 4.0)] {
            let order = libm::log2(coarse[i] / fine[i]);
            assert!((order - expected).abs() < 0.2, "{what}: order {order}, errors {coarse:?} {fine:?}");
        }
    }
}

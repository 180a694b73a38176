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
use super::settings::Tolerance;
use crate::math::complex::Complex;
use crate::math::lu::Lu;

/// √6.
const S: f64 = 2.449489742783178;
/// Nodes.
const C: [f64; 3] = [(4.0 - S) / 10.0, (4.0 + S) / 10.0, 1.0];
/// Weights; the last row makes the step.
const A: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * S) / 360.0, (296.0 - 169.0 * S) / 1800.0, (-2.0 + 3.0 * S) / 225.0],
    [(296.0 + 169.0 * S) / 1800.0, (88.0 + 7.0 * S) / 360.0, (-2.0 - 3.0 * S) / 225.0],
    [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
];
/// Real eigenvalue γ = 3 + 3^⅔ − 3^⅓ of A⁻¹.
const GAMMA: f64 = 3.637834252744496;
/// Complex eigenvalue α − iβ of A⁻¹.
const ALPHA: f64 = 2.6810828736277523;
const BETA: f64 = 3.0504301992474105;
/// Eigenvectors, and their inverse.
const T: [[f64; 3]; 3] = [
    [0.09443876248897524, -0.1412552950209542, 0.03002919410514742],
    [0.2502131229653333, 0.20412935229379994, -0.3829421127572619],
    [1.0, 1.0, 0.0],
];
const TI: [[f64; 3]; 3] = [
    [4.178718591551904, 0.32768282076106237, 0.5233764454994495],
    [-4.178718591551904, -0.32768282076106237, 0.47662355450055044],
    [0.5028726349457868, -2.571926949855605, 0.5960392048282249],
];
/// Weights of the stages in the error estimate.
const E: [f64; 3] = [(-13.0 - 7.0 * S) / 3.0, (-13.0 + 7.0 * S) / 3.0, -1.0 / 3.0];
/// Powers θ, θ², θ³ of the collocation polynomial, per stage.
const P: [[f64; 3]; 3] = [
    [(13.0 + 7.0 * S) / 3.0, (-23.0 - 22.0 * S) / 3.0, 10.0 / 3.0 + 5.0 * S],
    [(13.0 - 7.0 * S) / 3.0, (-23.0 + 22.0 * S) / 3.0, 10.0 / 3.0 - 5.0 * S],
    [1.0 / 3.0, -8.0 / 3.0, 10.0 / 3.0],
];

/// Most iterations of Newton's method.
const ITERATIONS: usize = 8;
/// Limits of the change from one step to the next.
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;
/// A step that would grow by less keeps its length, and so its factorisation.
const WORTHWHILE: f64 = 1.2;
/// A Jacobian with which Newton's iteration contracts faster than this serves for the next step too.
const GOOD_RATE: f64 = 1e-3;

/// Storage for the stages, the Jacobian and its factorisations.
pub(crate) struct Radau5 {
    n: usize,
    n_active: usize,
    tolerance: Tolerance,
    newton_tolerance: f64,
    jacobian: Vec<f64>,
    real: Lu<f64>,
    complex: Lu<Complex>,
    /// Of the end of an iteration that is doubted.
    doubted: Lu<f64>,
    /// Step that the factors belong to; zero if there are none.
    factored: f64,
    has_jacobian: bool,
    /// The Jacobian was taken at the start of the step under way.
    is_jacobian_fresh: bool,
    z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    f: [Vec<f64>; 3],
    x: Vec<f64>,
    xc: Vec<Complex>,
    stage: Vec<f64>,
    coefficients: [Vec<f64>; 3],
    /// Length of the step that the coefficients belong to; zero if there is none to go on from.
    h: f64,
    /// The coefficients belong to an earlier attempt at the step under way.
    is_own: bool,
    iterations: usize,
    rate: f64,
    /// Length and error of the last accepted step, for the predictive controller.
    accepted: Option<(f64, f64)>,
}

impl Radau5 {
    pub fn new(n: usize, n_active: usize, tolerance: &Tolerance) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            n,
            n_active,
            tolerance: tolerance.clone(),
            newton_tolerance: (10.0 * f64::EPSILON / tolerance.rtol).max(tolerance.rtol.sqrt().min(0.03)),
            jacobian: vec![0.0; n_active * n_active],
            real: Lu::new(n_active),
            complex: Lu::new(n_active),
            doubted: Lu::new(n_active),
            factored: 0.0,
            has_jacobian: false,
            is_jacobian_fresh: false,
            z: std::array::from_fn(|_| zeros()),
            w: std::array::from_fn(|_| zeros()),
            f: std::array::from_fn(|_| zeros()),
            x: vec![0.0; n_active],
            xc: vec![Complex { re: 0.0, im: 0.0 }; n_active],
            stage: zeros(),
            coefficients: std::array::from_fn(|_| zeros()),
            h: 0.0,
            is_own: false,
            iterations: 0,
            rate: 0.0,
            accepted: None,
        }
    }

    /// Forgets the past: the next step starts after a kink, or after steps of another method.
    pub fn restart(&mut self) {
        self.h = 0.0;
        self.has_jacobian = false;
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
            if !self.has_jacobian {
                ode.jacobian(near.0, near.1, &mut self.jacobian);
                work.jacobians += 1;
                self.has_jacobian = true;
                self.is_jacobian_fresh = true;
                self.factored = 0.0;
            }
            if self.factored != h {
                work.factorisations += 1;
                if !self.factor(h) {
                    self.factored = 0.0;
                    return f64::INFINITY;
                }
            }
            self.guess(h);
            if self.newton(ode, t, h, y, work) && (!self.creeps(y) || self.is_settled(ode, t, h, y, work)) {
                break;
            }
            if self.is_jacobian_fresh {
                return f64::INFINITY;
            }
            self.has_jacobian = false;
        }
        self.passive(ode, t, h, y, work);
        for i in 0..self.n {
            y_new[i] = y[i] + self.z[2][i];
        }
        self.error(start, y_new)
    }

    /// Factors (γ/h) I − J and ((α − iβ)/h) I − J.
    fn factor(&mut self, h: f64) -> bool {
        let n = self.n_active;
        for (i, j) in self.jacobian.iter().enumerate() {
            let one = if i % (n + 1) == 0 { 1.0 / h } else { 0.0 };
            self.real.a[i] = GAMMA * one - j;
            self.complex.a[i] = Complex { re: ALPHA * one - j, im: -BETA * one };
        }
        self.factored = h;
        self.real.factor() && self.complex.factor()
    }

    /// Starting values: the last collocation polynomial, continued if need be; zero where there is none.
    fn guess(&mut self, h: f64) {
        let n = self.n_active;
        if self.h == 0.0 {
            self.z.iter_mut().chain(&mut self.w).for_each(|v| v[..n].fill(0.0));
            return;
        }
        let [q1, q2, q3] = &self.coefficients;
        for (z, c) in self.z.iter_mut().zip(C) {
            let x = c * h / self.h;
            for i in 0..n {
                z[i] = if self.is_own {
                    x * (q1[i] + x * (q2[i] + x * q3[i]))
                } else {
                    // q(1 + x) − q(1)
                    x * (q1[i] + (2.0 + x) * q2[i] + (3.0 + x * (3.0 + x)) * q3[i])
                };
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
            self.real.solve(&mut self.x);
            self.complex.solve(&mut self.xc);
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

    /// Whether the last change of some component at the end of the step is much of what it has changed by.
    fn creeps(&self, y: &[f64]) -> bool {
        // changes of this many roundings of a component are rounding
        const ROUNDINGS: f64 = 16.0;
        // an iteration whose last change of a component is a larger part of all that this has changed by may
        // creep: the Jacobian at its end must say that
        // it has come to its end, too
        const CREEPS: f64 = 0.01;
        (0..self.n_active).any(|i| {
            let (last, all) = ((self.x[i] + self.xc[i].re).abs(), self.z[2][i].abs());
            last > CREEPS * all && last > ROUNDINGS * f64::EPSILON * y[i].abs()
        })
    }

    /// Whether Newton's step from the end of the iteration, with the Jacobian there, is short.
    ///
    /// Friction of a contact that rests may be many decades steeper than where the step ends: measured by the
    /// Jacobian of its start any missing force is a tiny velocity, and the iteration seems to be over while
    /// the contact has long let go.
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
        ode.jacobian(t + h, &self.stage, &mut self.doubted.a);
        work.evaluations += 1;
        work.jacobians += 1;
        work.factorisations += 1;
        let diagonal = self.n_active + 1;
        for (i, a) in self.doubted.a.iter_mut().enumerate() {
            *a = if i % diagonal == 0 { GAMMA / h - *a } else { -*a };
        }
        // the slope of the collocation polynomial at the end
        let slopes = P.map(|[p1, p2, p3]| (p1 + 2.0 * p2 + 3.0 * p3) / h);
        for i in 0..self.n_active {
            self.x[i] = self.f[2][i] - mix(slopes, &self.z, i);
        }
        if !self.doubted.factor() {
            return false;
        }
        self.doubted.solve(&mut self.x);
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
        self.real.solve(&mut self.x);
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
        self.is_own = false;
        self.is_jacobian_fresh = false;
        if self.iterations > 2 && self.rate > GOOD_RATE {
            self.has_jacobian = false;
            factor
        } else if (1.0..WORTHWHILE).contains(&factor) {
            1.0
        } else {
            factor
        }
    }

    /// Makes the collocation polynomial of the last attempt.
    pub fn prepare(&mut self, h: f64) {
        self.h = h;
        self.is_own = true;
        for (k, q) in self.coefficients.iter_mut().enumerate() {
            for (i, q) in q.iter_mut().enumerate() {
                *q = mix([P[0][k], P[1][k], P[2][k]], &self.z, i);
            }
        }
    }

    /// The state at t + θ h, after `prepare`.
    pub fn interpolate(&self, y: &[f64], theta: f64, out: &mut [f64]) {
        let [q1, q2, q3] = &self.coefficients;
        for i in 0..out.len() {
            out[i] = y[i] + theta * (q1[i] + theta * (q2[i] + theta * q3[i]));
        }
    }

    /// The rates of the components from `first` on there.
    pub fn rates(&self, theta: f64, first: usize, out: &mut [f64]) {
        let [q1, q2, q3] = &self.coefficients;
        for (i, out) in (first..).zip(out) {
            *out = (q1[i] + theta * (2.0 * q2[i] + 3.0 * theta * q3[i])) / self.h;
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
    use crate::ode::rooted_trees::{dot, rooted_trees};
    use crate::ode::test_models::Twisted;

    /// Rounding of sums of products of numbers below 20.
    const ROUNDING: f64 = 1e-13;

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    fn is_close(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < ROUNDING)
    }

    #[test]
    fn the_table_satisfies_every_condition_of_order_5() {
        let rows: Vec<Vec<f64>> = A.iter().map(|row| row.to_vec()).collect();
        for tree in rooted_trees(&rows, 5) {
            assert!((dot(&A[2], &tree.weights) - 1.0 / tree.density).abs() < ROUNDING, "{}", tree.order);
        }
        for (row, c) in A.iter().zip(C) {
            assert!((row.iter().sum::<f64>() - c).abs() < ROUNDING);
        }
    }

    #[test]
    fn the_transformation_makes_the_inverse_of_the_table_block_diagonal() {
        let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let block = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, BETA], [0.0, -BETA, ALPHA]];
        assert!(is_close(&product(&T, &TI), &one));
        // A⁻¹ = T block T⁻¹
        assert!(is_close(&product(&A, &product(&T, &product(&block, &TI))), &one));
    }

    #[test]
    fn the_polynomial_passes_through_the_stages() {
        for (j, c) in C.iter().enumerate() {
            for (i, p) in P.iter().enumerate() {
                let value = c * (p[0] + c * (p[1] + c * p[2]));
                assert!((value - f64::from(u8::from(i == j))).abs() < ROUNDING);
            }
        }
    }

    #[test]
    fn the_error_estimate_vanishes_for_cubics_with_their_slope_at_the_start() {
        // z = c^k h^k: γ₀ (f₀ h + Σ e z) must vanish for y = t, t², t³ (f₀ = 1, 0, 0)
        for k in 1..=3 {
            let sum: f64 = E.iter().zip(C).map(|(e, c)| e * c.powi(k)).sum();
            let slope = if k == 1 { 1.0 } else { 0.0 };
            assert!((sum + slope).abs() < ROUNDING, "power {k}: {sum}");
        }
    }

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

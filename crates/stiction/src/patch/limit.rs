//! The limit surface: the wrenches that a patch can hold at rest (@goyal1991).
//!
//! ```text
//!   { w : w·t ≤ D(t) for every twist t },   D(t) = μ∫p|V| dA
//! ```
//!
//! D is a norm on twists, so the surface is convex and closed. The load factor of a wrench, max w·t/D(t), is
//! the value of the dual norm: the wrench is held while it is at most 1, and the maximiser is the motion in
//! which the body would start. It is found as the minimum of the convex function
//!
//! ```text
//!   φ(t) = ½D² − w·t,   ∇φ = D ∇D − w,   ∇∇φ = ∇D ∇Dᵀ + D ∇∇D
//! ```
//!
//! where D = factor. Newton's method with backtracking converges from every start because φ is strongly
//! convex with a bounded Hessian; the error of the factor is the square of that of the motion.

use super::{PatchFriction, Twist, Wrench};

/// Newton's method needs about ten steps; narrow feet far apart some more.
const MOST_STEPS: usize = 200;

/// Newton decrement, relative to φ, at which the factor is exact to rounding (-).
const CONVERGED: f64 = 1e-26;

/// What a patch can hold at rest.
#[derive(Clone, Debug)]
pub struct LimitSurface {
    contact: PatchFriction,
}

/// How far a wrench is from moving the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The wrench as a fraction of the largest one in its direction that the patch holds: above 1 the body
    /// moves (-).
    pub factor: f64,
    /// The motion in which it would start, scaled to unit speed (the spin times the patch's size counts as
    /// speed).
    pub motion: Twist,
}

impl LimitSurface {
    pub(super) fn new(contact: PatchFriction) -> Self {
        Self { contact }
    }

    /// The power that friction takes from a motion: the support function of the surface (W).
    pub fn dissipation(&self, twist: Twist) -> f64 {
        -self.contact.power(twist)
    }

    /// The wrench on the surface that resists a motion, as it acts on the body.
    pub fn wrench(&self, twist: Twist) -> Wrench {
        self.contact.wrench(twist)
    }

    /// Whether the patch holds an applied wrench at rest.
    pub fn is_inside(&self, applied: Wrench) -> bool {
        self.limit(applied).factor <= 1.0
    }

    /// The load factor of an applied wrench.
    pub fn limit(&self, applied: Wrench) -> Limit {
        self.limit_leaning(applied, [0.0; 2])
    }

    /// The same while the pressure leans.
    pub(crate) fn limit_leaning(&self, applied: Wrench, lean: [f64; 2]) -> Limit {
        // in units of μN; spin times the patch's size, moment over it
        let (length, grip) = (self.contact.scale, self.contact.grip);
        let w = [applied.fx, applied.fy, applied.mz / length].map(|v| if v == 0.0 { v } else { v / grip });
        let size = norm(w);
        if size == 0.0 || !size.is_finite() {
            return Limit { factor: size, motion: Twist::default() };
        }
        let w = w.map(|v| v / size);
        let twist = |t: [f64; 3]| Twist { vx: t[0], vy: t[1], omega: t[2] / length };
        let gradient = |t: [f64; 3]| {
            let f = self.contact.wrench_leaning(twist(t), lean);
            [-f.fx / grip, -f.fy / grip, -f.mz / length / grip]
        };
        let value = |t: [f64; 3]| {
            let d = dot(gradient(t), t);
            0.5 * d * d - dot(w, t)
        };

        // the best motion along w itself
        let mut t = w;
        let d = dot(gradient(t), t);
        t = t.map(|v| v / (d * d));
        let mut phi = value(t);
        for _ in 0..MOST_STEPS {
            let n = gradient(t);
            let d = dot(n, t);
            let residual: [f64; 3] = std::array::from_fn(|i| w[i] - d * n[i]);
            let scale = [1.0, 1.0, 1.0 / length];
            let d_over_grip = d / grip;
            let j = self.contact.jacobian_leaning(twist(t), lean);
            let hessian: [[f64; 3]; 3] = std::array::from_fn(|i| {
                std::array::from_fn(|k| n[i] * n[k] - d_over_grip * j[i][k] * scale[i] * scale[k])
            });
            let step = solved(hessian, residual);
            let decrement = dot(residual, step);
            if decrement <= CONVERGED * phi.abs() {
                break;
            }
            // backtracking with Armijo's condition
            let mut length = 1.0;
            let mut next;
            loop {
                next = std::array::from_fn(|i| t[i] + length * step[i]);
                let lower = value(next);
                if lower <= phi - 1e-4 * length * decrement || length < 1e-10 {
                    phi = lower;
                    break;
                }
                length *= 0.5;
            }
            t = next;
            if length < 1e-10 {
                break;
            }
        }
        let d = dot(gradient(t), t);
        let motion = t.map(|v| v / norm(t));
        Limit { factor: size * dot(w, t) / d, motion: twist(motion) }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// Solves a symmetric positive definite system by Cholesky's method.
fn solved(a: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    // a floor keeps a direction that has no curvature in rounding harmless
    let floor = f64::EPSILON * (a[0][0] + a[1][1] + a[2][2]);
    let mut l = [[0.0; 3]; 3];
    for i in 0..3 {
        for k in 0..=i {
            let rest = a[i][k] - (0..k).map(|m| l[i][m] * l[k][m]).sum::<f64>();
            l[i][k] = if i == k { rest.max(floor).sqrt() } else { rest / l[k][k] };
        }
    }
    let mut x = [0.0; 3];
    for i in 0..3 {
        x[i] = (b[i] - (0..i).map(|m| l[i][m] * x[m]).sum::<f64>()) / l[i][i];
    }
    for i in (0..3).rev() {
        x[i] = (x[i] - (i + 1..3).map(|m| l[m][i] * x[m]).sum::<f64>()) / l[i][i];
    }
    x
}

//! The direction in which a twist vanishes.
//!
//! At the stop the loads are constant and friction depends on the direction n alone, so n obeys an autonomous equation
//! on the unit sphere, n′ = α(n) − (α·n) n. For a patch with a potential it is the descent of the power that friction
//! takes, less that of the loads, and ends in a minimum (compare @goyal1991). The flow is followed to the
//! neighbourhood of a fixed point, Newton's method finds it to rounding, and the slope there decides its stability.
//! So the limit does not depend on how far the speed was integrated: a ratio of 0 or ∞, which is approached as a power
//! of the speed, comes out as such.

use super::mechanics::BodyLoad;
use super::sliding::SlidingOde;
use crate::math::plane::{dot, norm, unit};
use crate::patch::Twist;

/// Steps along the flow before the direction is taken as it is (a skewed pressure may keep it circling).
const MOST_STEPS: usize = 20_000;
/// Newton's method is tried where the flow is slower than this part of its slope.
const NEAR: f64 = 0.05;
/// Newton steps: quadratic convergence, less at the kinks of the patch integrals.
const NEWTON: usize = 40;
/// Halvings of a Newton step.
const HALVINGS: u32 = 8;
/// Flow at which a fixed point is found, in units of the deceleration: a few roundings.
const FOUND: f64 = 4e-15;

/// The slope of the flow in two tangent directions.
struct Slope {
    e: [[f64; 3]; 2],
    b: [[f64; 2]; 2],
}

/// A fixed point that repels is left unless the flow away from it is weaker than this: then symmetry forbids it.
const SYMMETRIC: f64 = 1e-24;

/// Follows the direction `n` (body axes, at the centre of mass) under a constant load to the point where it ends.
pub(super) fn limit_direction(slide: &SlidingOde, load: &BodyLoad, n: [f64; 3]) -> [f64; 3] {
    let flow = |n: [f64; 3]| flow(slide, load, n);
    let mut n = n;
    for _ in 0..MOST_STEPS {
        let rate = flow(n);
        let slope = Slope::at(&flow, n);
        let (speed, size) = (norm(rate), slope.size());
        if speed <= NEAR * size.max(NEAR)
            && let Some(found) = newton(&flow, n)
        {
            let slope = Slope::at(&flow, found);
            match slope.repelling() {
                None => return pure(&flow, found, &slope).unwrap_or(found),
                Some(away) if dot(away, rate).abs() <= SYMMETRIC => return found,
                Some(_) => {}
            }
        }
        // a step that resolves both the slope and the turn
        let h = (1.0 / size).min(0.2 / speed);
        if !h.is_finite() {
            return n;
        }
        let moved = |n: [f64; 3], h: f64, k: [f64; 3]| std::array::from_fn(|i| n[i] + h * k[i]);
        let k1 = rate;
        let k2 = flow(unit(moved(n, 0.5 * h, k1)));
        let k3 = flow(unit(moved(n, 0.5 * h, k2)));
        let k4 = flow(unit(moved(n, h, k3)));
        n = unit(std::array::from_fn(|i| n[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])));
    }
    n
}

/// A part of the direction below this is zero: no fixed point lies so close to pure sliding or pure spin.
const NOTHING: f64 = 1e-11;

/// The velocity of the reference point over its spin times the size of the patch; 0 and ∞ exactly.
pub(super) fn ratio(twist: Twist, size: f64) -> f64 {
    let v = libm::hypot(twist.vx, twist.vy);
    let u = twist.omega.abs() * size;
    if v <= NOTHING * u {
        0.0
    } else if u <= NOTHING * v {
        f64::INFINITY
    } else {
        v / u
    }
}

fn flow(slide: &SlidingOde, load: &BodyLoad, n: [f64; 3]) -> [f64; 3] {
    let lean = slide.mechanics.lean(load.r);
    let friction = slide.mechanics.contact.wrench_leaning(slide.twist(1e-50, n), lean);
    let response = slide.mechanics.response(load, Twist::default(), friction);
    let a0 = slide.deceleration;
    let alpha = [response.linear[0] / a0, response.linear[1] / a0, slide.gyration * response.angular / a0];
    let growth = dot(alpha, n);
    std::array::from_fn(|i| alpha[i] - growth * n[i])
}

/// A fixed point close to `n`.
fn newton(flow: &impl Fn([f64; 3]) -> [f64; 3], start: [f64; 3]) -> Option<[f64; 3]> {
    let mut n = start;
    let mut rate = flow(n);
    for _ in 0..NEWTON {
        if norm(rate) <= FOUND {
            break;
        }
        let step = Slope::at(flow, n).solved(rate);
        // on a kink differences mistake the slope: shorter steps
        let lengths = (0..HALVINGS).map(|k| 1.0 / f64::from(1 << k));
        let better = lengths
            .map(|length| unit(std::array::from_fn(|i| n[i] - length * step[i])))
            .map(|next| (next, flow(next)))
            .find(|(_, next_rate)| norm(*next_rate) < norm(rate));
        match better {
            Some((next, next_rate)) if dot(next, start) > 0.9 => (n, rate) = (next, next_rate),
            // rounding, or another basin
            _ => break,
        }
    }
    (norm(rate) <= 100.0 * FOUND).then_some(n)
}

/// Pure spin or pure sliding, if it is a fixed point that cannot be distinguished from the one found.
fn pure(flow: &impl Fn([f64; 3]) -> [f64; 3], n: [f64; 3], slope: &Slope) -> Option<[f64; 3]> {
    let flat = libm::hypot(n[0], n[1]);
    let (distance, pure) = if flat < n[2].abs() {
        (flat, [0.0, 0.0, n[2].signum()])
    } else {
        (n[2].abs(), [n[0] / flat, n[1] / flat, 0.0])
    };
    // the second tangent leads from the one to the other
    let is_blurred = distance * slope.b[1][1].abs() <= 10.0 * FOUND;
    (is_blurred && norm(flow(pure)) <= FOUND).then_some(pure)
}

/// Growth, relative to the largest slope, above which a fixed point repels.
const REPELS: f64 = 1e-8;
/// Step of the central differences for the slope.
const DIFFERENCE: f64 = 1e-5;
/// What a few roundings of the flow make of a slope: growth below it says nothing.
const NOISE: f64 = FOUND / DIFFERENCE;

impl Slope {
    fn at(flow: &impl Fn([f64; 3]) -> [f64; 3], n: [f64; 3]) -> Self {
        // two tangents, one of them along the plane of the translations
        let flat = libm::hypot(n[0], n[1]);
        let along = if flat > 0.0 { [-n[1] / flat, n[0] / flat, 0.0] } else { [1.0, 0.0, 0.0] };
        let up = [
            n[1] * along[2] - n[2] * along[1],
            n[2] * along[0] - n[0] * along[2],
            n[0] * along[1] - n[1] * along[0],
        ];
        let e = [along, up];
        let columns = e.map(|t| {
            let moved = |h: f64| flow(unit(std::array::from_fn(|i| n[i] + h * t[i])));
            let (ahead, behind) = (moved(DIFFERENCE), moved(-DIFFERENCE));
            std::array::from_fn::<f64, 3, _>(|i| (ahead[i] - behind[i]) / (2.0 * DIFFERENCE))
        });
        let b = std::array::from_fn(|i| std::array::from_fn(|k| dot(e[i], columns[k])));
        Self { e, b }
    }

    fn size(&self) -> f64 {
        let [[a, b], [c, d]] = self.b;
        (a * a + b * b + c * c + d * d).sqrt()
    }

    /// b⁻¹ applied to a tangent vector; a direction without slope is left alone.
    fn solved(&self, v: [f64; 3]) -> [f64; 3] {
        let [[a, b], [c, d]] = self.b;
        let r = self.e.map(|e| dot(e, v));
        // least squares: (bᵀb + ε) x = bᵀr
        let floor = 1e-16 * (a * a + b * b + c * c + d * d) + f64::MIN_POSITIVE;
        let (p, q, s) = (a * a + c * c + floor, a * b + c * d, b * b + d * d + floor);
        let (f, g) = (a * r[0] + c * r[1], b * r[0] + d * r[1]);
        let det = p * s - q * q;
        let (x, y) = ((s * f - q * g) / det, (p * g - q * f) / det);
        std::array::from_fn(|i| x * self.e[0][i] + y * self.e[1][i])
    }

    /// The direction that grows fastest, if any does.
    fn repelling(&self) -> Option<[f64; 3]> {
        let [[a, b], [c, d]] = self.b;
        let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
        let under_root = half * half + b * c;
        let growth = if under_root > 0.0 { mean + under_root.sqrt() } else { mean };
        if growth <= NOISE.max(REPELS * self.size()) {
            return None;
        }
        // left eigenvector: what of a small deviation feeds the growth
        let (x, y) = if (growth - d).abs() >= (growth - a).abs() { (growth - d, b) } else { (c, growth - a) };
        let size = libm::hypot(x, y);
        let (x, y) = if size > 0.0 { (x / size, y / size) } else { (0.0, 1.0) };
        Some(std::array::from_fn(|i| x * self.e[0][i] + y * self.e[1][i]))
    }
}

//! How a body leaves rest.
//!
//! The acceleration a of a body at rest obeys M a = A + w(a) with friction w of degree 0: it minimises the strictly
//! convex function
//!
//! ```text
//!   ψ(a) = ½ aᵀM a + D(a) − A·a,   ∇ψ = M a − w(a) − A,   ∇∇ψ = M − ∂w/∂a
//! ```
//!
//! where D = −w·a, and it is zero exactly while A lies inside the limit surface. So it is unique, and the body has one
//! way to go. A load that grows through the limit surface begins with a = 0 in the direction that
//! [`LimitSurface::limit`](crate::patch::LimitSurface::limit) gives; while a ≪ μN/m the motion follows the direction
//! of a, since deviations decay within a time s/a₀. The first instants are therefore taken as ṡ = |a(t)| along a(t), up
//! to a part ε of the full friction: the deviation of the direction is of order ε², that of the speed of order ε⁴.

use super::mechanics::BodyLoad;
use super::sliding::{Sliding, SlidingOde};
use super::spectrum::Spectrum;
use crate::math::plane::{norm, solved};
use crate::patch::{Twist, Wrench};

/// ε: acceleration to which the first instants extend (-).
const SMALL: f64 = 1e-3;
/// Way of the first instants as a part of the patch's size (-).
const SHORT: f64 = 1e-8;
/// The shortest first instant, as a part of the time scale of the load (-).
const INSTANT: f64 = 1e-7;
/// The same in roundings of the time.
const COUNTS: f64 = 64.0;

/// The first instants of a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Onset {
    /// How long they last (s).
    pub duration: f64,
    /// Direction at their end, at the centre of mass in body axes.
    pub direction: [f64; 3],
    /// Speed at their end (m/s).
    pub speed: f64,
    /// ∫ s dt (m).
    pub way: f64,
}

/// The shortest time that counts behind `t` for a load of this time scale (s).
pub(super) fn instant(t: f64, scale: f64) -> f64 {
    (INSTANT * scale).max(COUNTS * f64::EPSILON * t.abs())
}

/// The longest, on which Simpson's rule holds (-).
const LONGEST: f64 = 0.05;

/// How the body starts at `t` from this place and angle; nothing if the wrench only touches the limit surface.
pub(super) fn onset(slide: &SlidingOde, spectrum: &Spectrum, t: f64, at: &Sliding) -> Option<Onset> {
    let turn = slide.mechanics.turn(at.angle);
    let acceleration = |t: f64| slide.acceleration(&slide.mechanics.load(t, turn, at.centre, [0.0; 2]));
    let (a0, size) = (slide.deceleration, slide.mechanics.size());
    let own = (size / a0).sqrt();
    let scale = if spectrum.fastest > 0.0 { own.min(1.0 / spectrum.fastest) } else { own };
    let longest = LONGEST * if spectrum.fastest > 0.0 { 1.0 / spectrum.fastest } else { own };

    let mut h = instant(t, scale);
    let first = norm(acceleration(t));
    let mut last = norm(acceleration(t + h));
    if last == 0.0 {
        return None;
    }
    while last < SMALL * a0 && last * h * h < SHORT * size && 2.0 * h < longest {
        let next = norm(acceleration(t + 2.0 * h));
        // behind the peak of a short visit outside
        if next <= last {
            break;
        }
        (h, last) = (2.0 * h, next);
    }
    let end = acceleration(t + h);
    let [middle, last] = [norm(acceleration(t + 0.5 * h)), norm(end)];
    // parabola through three accelerations, or a line if they do not begin with the load
    let (first, middle) = if middle > 0.0 { (first, middle) } else { (0.0, 0.5 * last) };
    let speed = h / 6.0 * (first + 4.0 * middle + last);
    let half = h / 24.0 * (5.0 * first + 8.0 * middle - last);
    let way = h / 6.0 * (4.0 * half + speed);
    (speed > 0.0).then(|| Onset { duration: h, direction: end.map(|v| v / last), speed, way })
}

/// Newton decrement, relative to ψ, at which the acceleration is exact to rounding (-).
const CONVERGED: f64 = 1e-28;
const NEWTON: usize = 100;

impl SlidingOde {
    /// Acceleration of the body at rest, at the centre of mass in body axes, its spin times k.
    fn acceleration(&self, load: &BodyLoad) -> [f64; 3] {
        let (k, lean) = (self.gyration, self.mechanics.lean(load.r));
        let matrix = self.mechanics.inertia_matrix(load);
        let held = self.mechanics.held(load);
        let applied = [held.fx, held.fy, held.mz];
        let twist = |a: [f64; 3]| Twist { vx: a[0], vy: a[1], omega: a[2] };
        // only the direction counts: far below any speed that matters
        let small = |a: [f64; 3]| {
            let c = 1e-50 / (a[0].abs() + a[1].abs() + k * a[2].abs());
            (twist(a.map(|v| c * v)), c)
        };
        let friction = |a: [f64; 3]| {
            let Wrench { fx, fy, mz } = self.mechanics.contact.wrench_leaning(small(a).0, lean);
            [fx, fy, mz]
        };
        let times = |a: [f64; 3]| matrix.map(|row| row[0] * a[0] + row[1] * a[1] + row[2] * a[2]);
        let sum = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let psi = |a: [f64; 3]| 0.5 * sum(times(a), a) - sum(friction(a), a) - sum(applied, a);

        // the best along the motion that the limit surface gives
        let mut a = if self.mechanics.grip > 0.0 {
            let motion = self.mechanics.surface.limit_leaning(held, lean).motion;
            let m = [motion.vx, motion.vy, motion.omega];
            let c = (sum(applied, m) + sum(friction(m), m)) / sum(times(m), m);
            if c <= 0.0 || c.is_nan() {
                return [0.0; 3];
            }
            m.map(|v| c * v)
        } else {
            solved(matrix, applied)
        };
        if norm(a) == 0.0 {
            return a;
        }
        let mut value = psi(a);
        for _ in 0..NEWTON {
            let (w, ma) = (friction(a), times(a));
            let residual: [f64; 3] = std::array::from_fn(|i| applied[i] + w[i] - ma[i]);
            let (tiny, c) = small(a);
            let slope = self.mechanics.contact.jacobian_leaning(tiny, lean);
            let hessian: [[f64; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| matrix[i][j] - c * slope[i][j]));
            let step = solved(hessian, residual);
            let decrement = sum(residual, step);
            if decrement <= CONVERGED * value.abs() || decrement.is_nan() {
                break;
            }
            let mut length = 1.0;
            let next = loop {
                let next: [f64; 3] = std::array::from_fn(|i| a[i] + length * step[i]);
                let lower = psi(next);
                if lower <= value - 1e-4 * length * decrement {
                    value = lower;
                    break Some(next);
                }
                if length < 1e-6 {
                    break None;
                }
                length *= 0.5;
            };
            match next {
                Some(next) => a = next,
                None => break,
            }
        }
        [a[0], a[1], k * a[2]]
    }
}

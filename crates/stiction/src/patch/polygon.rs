//! Polygons under uniform or linear pressure: closed forms near, moment series far.
//!
//! The pressure is (N/A)(1 + g·r), r from the centroid, so its friction is that of the three pressures 1, x
//! and y (*modes*) added up. The edge sums lose about ε(ρ/L)² of the wrench's size (a power more with a
//! gradient) when the centre of rotation is at a distance ρ from a patch of radius L; the series takes over
//! where that would reach [`BUDGET`].

use super::cubic::Cubic;
use super::edges::{Outline, Pull};
use super::far::{self, FarSeries};
use super::moments::Moments;
use super::tilt::inverse;
use super::{Jacobian, Twist, Wrench};
use crate::math::complex::Complex;

/// What the edge sums may lose to cancellation, relative to the wrench's size (-).
const BUDGET: f64 = 2e-14;

/// The series begins between these distances of the centre of rotation, in radii of the patch: below the
/// first it would need too many terms, beyond the last it has so few that nothing faster is left (-).
const NEAREST: f64 = 4.0;
const FARTHEST: f64 = 12.0;

#[derive(Clone, Debug)]
pub(super) struct PolygonForm {
    pub outline: Outline,
    /// Centroid relative to the centre of the patch (m).
    pub centroid: [f64; 2],
    /// Distance of the farthest corner from the centroid (m).
    pub radius: f64,
    /// ⟨xx⟩, ⟨xy⟩, ⟨yy⟩ about the centroid (m²).
    pub second: [f64; 3],
    /// Relative gradient of the pressure (1/m).
    pub gradient: [f64; 2],
    pub mu1: f64,
    pub mu2: f64,
    /// Square of the distance at which the series takes over (m²).
    switch: f64,
    /// Series of the modes: of the first alone if the pressure is uniform.
    series: Vec<FarSeries>,
    cubics: [Cubic; 3],
}

/// Area and centroid of loops of corners, signed by orientation.
pub(super) fn area_and_centroid(loops: &[Vec<[f64; 2]>]) -> (f64, [f64; 2]) {
    let [mut area, mut x, mut y] = [0.0; 3];
    // about the first corner, so that a patch far from the origin loses nothing
    let o = loops.first().and_then(|l| l.first()).copied().unwrap_or_default();
    for corners in loops {
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let (ax, ay, bx, by) = (a[0] - o[0], a[1] - o[1], b[0] - o[0], b[1] - o[1]);
            let cross = ax * by - ay * bx;
            area += cross / 2.0;
            x += (ax + bx) * cross / 6.0;
            y += (ay + by) * cross / 6.0;
        }
    }
    (area, [o[0] + x / area, o[1] + y / area])
}

/// Outline and holes turned so that the material lies on the left of every edge.
pub(super) fn oriented(vertices: &[[f64; 2]], holes: &[Vec<[f64; 2]>]) -> Vec<Vec<[f64; 2]>> {
    let turned = |corners: &[[f64; 2]], sign: f64| {
        let mut corners = corners.to_vec();
        if area_and_centroid(std::slice::from_ref(&corners)).0 * sign < 0.0 {
            corners.reverse();
        }
        corners
    };
    std::iter::once(turned(vertices, 1.0)).chain(holes.iter().map(|hole| turned(hole, -1.0))).collect()
}

impl PolygonForm {
    /// `modal` if the modes are wanted one by one, or the pressure has a gradient.
    pub fn new(loops: &[Vec<[f64; 2]>], gradient: [f64; 2], modal: bool) -> Self {
        let (area, centroid) = area_and_centroid(loops);
        let shifted = |corners: &Vec<[f64; 2]>| {
            corners.iter().map(|p| [p[0] - centroid[0], p[1] - centroid[1]]).collect::<Vec<_>>()
        };
        let loops: Vec<_> = loops.iter().map(shifted).collect();
        let far = |p: &[f64; 2]| libm::hypot(p[0], p[1]);
        let radius = loops.iter().flatten().map(far).fold(0.0, f64::max);

        let power = if modal { 1.0 / 3.0 } else { 0.5 };
        let distance =
            libm::pow(BUDGET / f64::EPSILON * area / (radius * radius), power).clamp(NEAREST, FARTHEST);
        let order = far::order(distance);
        let moments = Moments::of(&loops, area, radius, (order + 1).max(5));
        let z = |j: usize, k: usize| -> Complex { moments.z(j, k) };
        let xz = |j: usize, k: usize| -> Complex { moments.xz(j, k).times(radius) };
        let yz = |j: usize, k: usize| -> Complex { moments.yz(j, k).times(radius) };
        let mut series = vec![FarSeries::new(z, radius, order)];
        if modal {
            series.push(FarSeries::new(xz, radius, order));
            series.push(FarSeries::new(yz, radius, order));
        }
        let (z11, z20) = (z(1, 1).re, z(2, 0));
        Self {
            outline: Outline::new(&loops, area),
            centroid,
            radius,
            second: [z11 + z20.re, z20.im, z11 - z20.re].map(|v| 0.5 * v * radius * radius),
            gradient,
            mu1: 0.0,
            mu2: 0.0,
            switch: (distance * radius) * (distance * radius),
            series,
            cubics: [Cubic::new(z, radius), Cubic::new(xz, radius), Cubic::new(yz, radius)],
        }
    }

    /// The centre of rotation if it is near, and the sense of rotation.
    #[inline]
    fn near(&self, Twist { vx, vy, omega }: Twist) -> Option<([f64; 2], f64)> {
        (vx * vx + vy * vy <= self.switch * (omega * omega))
            .then(|| ([-vy / omega, vx / omega], 1f64.copysign(omega)))
    }

    fn is_modal(&self) -> bool {
        self.series.len() == 3
    }

    /// The wrench at the centroid per unit μN.
    #[inline]
    pub fn wrench(&self, twist: Twist) -> Wrench {
        if self.is_modal() {
            let [one, x, y] = self.modes(twist);
            return one.plus(self.gradient[0], x).plus(self.gradient[1], y);
        }
        let wrench = match self.near(twist) {
            Some((c, sign)) => against(sign)(self.outline.pull(c)),
            None => self.series[0].wrench(twist),
        };
        self.with_cubic(0, wrench, twist)
    }

    /// The wrenches of the pressures 1, x and y (the last two times metres).
    pub fn modes(&self, twist: Twist) -> [Wrench; 3] {
        let wrenches = match self.near(twist) {
            Some((c, sign)) => self.outline.pulls(c).map(against(sign)),
            None => [0, 1, 2].map(|i| self.series[i].wrench(twist)),
        };
        [0, 1, 2].map(|i| self.with_cubic(i, wrenches[i], twist))
    }

    #[inline]
    fn with_cubic(&self, mode: usize, wrench: Wrench, twist: Twist) -> Wrench {
        if self.mu1 == 0.0 && self.mu2 == 0.0 {
            return wrench;
        }
        wrench.plus(1.0, self.cubics[mode].wrench(self.mu1, self.mu2, twist))
    }

    /// The derivative of [`wrench`](Self::wrench) by the twist at the centroid.
    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        let [one, x, y] = self.mode_jacobians(twist);
        let [gx, gy] = self.gradient;
        std::array::from_fn(|i| std::array::from_fn(|j| one[i][j] + gx * x[i][j] + gy * y[i][j]))
    }

    /// The derivatives of [`modes`](Self::modes); of the first alone if the pressure is uniform.
    pub fn mode_jacobians(&self, twist: Twist) -> [Jacobian; 3] {
        let mut jacobians = [[[0.0; 3]; 3]; 3];
        match self.near(twist) {
            Some((c, _)) => {
                // about the centre of rotation only the velocity block is not zero
                let spreads = self.outline.spreads(c);
                for (jacobian, [xx, xy, yy]) in jacobians.iter_mut().zip(spreads) {
                    let k = -1.0 / twist.omega.abs();
                    let (wx, wy) = (xy * c[0] - xx * c[1], yy * c[0] - xy * c[1]);
                    let ww = wy * c[0] - wx * c[1];
                    *jacobian = [[xx, xy, wx], [xy, yy, wy], [wx, wy, ww]].map(|row| row.map(|v| k * v));
                }
            }
            None => {
                for (jacobian, series) in jacobians.iter_mut().zip(&self.series) {
                    *jacobian = series.jacobian(twist);
                }
            }
        }
        if self.mu1 != 0.0 || self.mu2 != 0.0 {
            for (jacobian, cubic) in jacobians.iter_mut().zip(&self.cubics) {
                let more = cubic.jacobian(self.mu1, self.mu2, twist);
                *jacobian = std::array::from_fn(|i| std::array::from_fn(|j| jacobian[i][j] + more[i][j]));
            }
        }
        jacobians
    }

    /// From the centroid to the centre of pressure (m).
    pub fn shift(&self) -> [f64; 2] {
        let ([xx, xy, yy], [x, y]) = (self.second, self.gradient);
        [xx * x + xy * y, xy * x + yy * y]
    }

    /// hμ at which sliding may lift a corner: 1 + (g + S⁻¹s)·r ≥ 0 for every |s| ≤ hμ (m).
    pub fn tipping(&self) -> f64 {
        let [xx, xy, yy] = inverse(self.second);
        let limit = |[x, y]: [f64; 2]| {
            let pull = libm::hypot(xx * x + xy * y, xy * x + yy * y);
            (1.0 + self.gradient[0] * x + self.gradient[1] * y) / pull
        };
        self.outline.corners().map(limit).fold(f64::INFINITY, f64::min)
    }

    /// How much of the least pressure at a corner a further gradient takes away (-).
    pub fn skew(&self, [gx, gy]: [f64; 2]) -> f64 {
        let part =
            |[x, y]: [f64; 2]| -(gx * x + gy * y) / (1.0 + self.gradient[0] * x + self.gradient[1] * y);
        self.outline.corners().map(part).fold(0.0, f64::max)
    }

    /// Moments for the generalised law under uniform pressure.
    pub fn cubic(&self) -> Cubic {
        self.cubics[0]
    }

    /// ⟨x²/|r|³⟩, ⟨y²/|r|³⟩ and ⟨|r|⟩ about the centroid under uniform pressure.
    pub fn pure_spin(&self) -> [f64; 3] {
        let spread = self.outline.spreads([0.0; 2])[0];
        [spread[0], spread[2], self.outline.pull([0.0; 2]).moment]
    }
}

/// The wrench against a rotation of the given sense: F = −sgn ω ẑ × ⟨ρ/|ρ|⟩, M = −sgn ω ⟨r·ρ/|ρ|⟩.
fn against(sign: f64) -> impl Fn(Pull) -> Wrench {
    move |Pull { force, moment }| Wrench { fx: sign * force[1], fy: -sign * force[0], mz: -sign * moment }
}

//! A patch made ready for evaluation: all parts, the tilt of the pressure, the regularisation.
//!
//! Below a mean sliding speed Δ (`width`) the wrench w of degree 0 is scaled,
//!
//! ```text
//!   w_Δ(t) = s(x) w(t),   x = ⟨|V|⟩/Δ,   s = x(3 − x²)/2  for x < 1,  1 beyond
//! ```
//!
//! where ⟨|V|⟩ = −w·t/(μN) is the sliding speed averaged over the load. So w_Δ is continuous and zero at rest,
//! continuously differentiable elsewhere, dissipative, never larger than w, and *equal* to w once ⟨|V|⟩ ≥ Δ. While w
//! has a potential (exact closure, no height) w_Δ has one too, and it is convex: two motions under the same friction
//! approach each other. A held body creeps at ⟨|V|⟩ < Δ.

use super::axial::Axial;
use super::cubic::Cubic;
use super::pade::Pade;
use super::polygon::{Polygon, oriented};
use super::profile::Profile;
use super::rectangle::Rectangle;
use super::tilt::{Modes, Tilt, inverse};
use super::{Closure, Patch, Pressure, Shape, Twist, Wrench};

/// Derivative of (fx, fy, mz), by rows, by (vx, vy, omega), by columns.
pub type Jacobian = [[f64; 3]; 3];

/// Sizes of a twist (m/s) beyond which squares and cubes could leave the range of numbers: it is scaled first.
const TINY: f64 = 1e-60;
const HUGE: f64 = 1e60;

/// Below this size a twist counts as rest (m/s).
const REST: f64 = 1e-290;

/// A checked patch, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Contact {
    /// μN (N).
    grip: f64,
    parts: Vec<Part>,
    tilt: Option<Tilt>,
    /// The parts under Coulomb's law, which tilts the pressure; empty if that is the law anyway.
    bare: Vec<Part>,
    width: f64,
    /// A length that turns spin into speed (m).
    pub(super) scale: f64,
    /// Whether the wrench depends on the direction of the twist only.
    homogeneous: bool,
}

#[derive(Clone, Debug)]
struct Part {
    share: f64,
    /// From the reference point to the point at which the form is evaluated (m).
    at: [f64; 2],
    /// From the common centre of pressure to that of the foot (m).
    arm: [f64; 2],
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Axial(Axial),
    Polygon(Box<Polygon>),
    Rectangle(Rectangle, Cubic, [f64; 2]),
}

impl Contact {
    /// `patch` has passed its check.
    pub(super) fn new(patch: &Patch) -> Self {
        let feet = feet(patch);
        let total: f64 = feet.iter().map(|f| f.share).sum();
        let reach = patch.height * patch.mu;
        let mut parts: Vec<_> =
            feet.iter().map(|foot| Part::new(patch, foot, feet.len() == 1, total)).collect();

        // arms from the common centre of pressure
        let mean = |k: usize| parts.iter().map(|p| p.share * p.arm[k]).sum::<f64>();
        let middle = [mean(0), mean(1)];
        for part in &mut parts {
            part.arm = [part.arm[0] - middle[0], part.arm[1] - middle[1]];
        }
        let scale =
            parts.iter().map(|p| p.form.radius() + libm::hypot(p.arm[0], p.arm[1])).fold(0.0, f64::max);

        // a single disc carries its tilt itself
        let tilt = match parts.as_mut_slice() {
            [Part { form: Form::Axial(axial), .. }] => {
                axial.tilt = reach / (0.5 * axial.r2);
                None
            }
            _ if reach == 0.0 => None,
            [Part { form: Form::Polygon(polygon), .. }] => Some(Tilt::new(reach, polygon.second)),
            parts => Some(Tilt::new(reach, feet_second(parts))),
        };
        let homogeneous = patch.mu1 == 0.0 && patch.mu2 == 0.0;
        let bare = if tilt.is_some() && !homogeneous {
            Self::new(&Patch { mu1: 0.0, mu2: 0.0, ..patch.clone() }).parts
        } else {
            Vec::new()
        };
        Self { grip: patch.mu * patch.load, parts, tilt, bare, width: patch.width, scale, homogeneous }
    }

    /// The friction wrench on the body about the reference point. Zero at rest.
    pub fn wrench(&self, twist: Twist) -> Wrench {
        let size = self.size(twist);
        if !(TINY..=HUGE).contains(&size) {
            return self.scaled_wrench(twist, size);
        }
        let unit = match (&self.tilt, self.parts.as_slice()) {
            // one part carries everything: nothing to add up
            (None, [part]) => part.wrench(twist),
            _ => self.unit_wrench(twist),
        };
        unit.times(self.grip * self.regularisation(-unit.power(twist)).0)
    }

    /// Power of the friction wrench: never positive (W).
    pub fn power(&self, twist: Twist) -> f64 {
        self.wrench(twist).power(twist)
    }

    /// Derivative of the wrench by the twist (zero at rest, where there is none).
    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        let size = self.size(twist);
        if size < TINY {
            return [[0.0; 3]; 3];
        }
        let mut jacobian = self.unit_jacobian(twist);
        if self.width > 0.0 {
            let w = self.unit_wrench(twist);
            let (s, ds) = self.regularisation(-w.power(twist));
            let t = [twist.vx, twist.vy, twist.omega];
            let w = [w.fx, w.fy, w.mz];
            // ⟨|V|⟩ = −w·t
            let speed_slope: [f64; 3] =
                std::array::from_fn(|k| -w[k] - (0..3).map(|i| jacobian[i][k] * t[i]).sum::<f64>());
            for i in 0..3 {
                for k in 0..3 {
                    jacobian[i][k] = s * jacobian[i][k] + ds * w[i] * speed_slope[k];
                }
            }
        }
        jacobian.map(|row| row.map(|v| self.grip * v))
    }

    /// hμ at which sliding lifts an edge or a foot (m).
    pub(super) fn tipping(&self) -> f64 {
        match self.parts.as_slice() {
            [Part { form: Form::Axial(axial), .. }] => 0.5 * axial.r2 / axial.radius(),
            [Part { form: Form::Polygon(polygon), .. }] => polygon.tipping(),
            [_] => f64::INFINITY,
            parts => {
                // 1 + g·arm ≥ 0 for every g = S⁻¹s with |s| ≤ hμ
                let [xx, xy, yy] = inverse(feet_second(parts));
                let pull =
                    |p: &Part| libm::hypot(xx * p.arm[0] + xy * p.arm[1], xy * p.arm[0] + yy * p.arm[1]);
                1.0 / parts.iter().map(pull).fold(0.0, f64::max)
            }
        }
    }

    /// How far the pressure is skewed by the height of the centre of mass: 0 not at all, 1 would lift an edge. The
    /// check of the patch has made sure that it never exceeds 1.
    pub fn skew(&self, twist: Twist) -> f64 {
        if self.size(twist) < TINY {
            return 0.0;
        }
        match (&self.tilt, self.parts.as_slice()) {
            (None, [Part { form: Form::Axial(axial), at, .. }]) => axial.skew(twist.at(*at)),
            (None, _) => 0.0,
            (Some(tilt), [Part { form: Form::Polygon(polygon), at, .. }]) => {
                let modes = modes(self.coulomb_parts(), twist).map(|w| w.carried([-at[0], -at[1]]));
                polygon.skew(tilt.gradient(&modes))
            }
            (Some(tilt), parts) => {
                let [gx, gy] = tilt.gradient(&modes(self.coulomb_parts(), twist));
                parts.iter().map(|p| -gx * p.arm[0] - gy * p.arm[1]).fold(0.0, f64::max)
            }
        }
    }

    fn size(&self, Twist { vx, vy, omega }: Twist) -> f64 {
        vx.abs() + vy.abs() + self.scale * omega.abs()
    }

    /// s and ds/d⟨|V|⟩.
    fn regularisation(&self, speed: f64) -> (f64, f64) {
        if speed >= self.width {
            return (1.0, 0.0);
        }
        let x = speed / self.width;
        (0.5 * x * (3.0 - x * x), 1.5 * (1.0 - x * x) / self.width)
    }

    /// Twists at the ends of the range of numbers, where only their direction counts.
    #[cold]
    fn scaled_wrench(&self, twist: Twist, size: f64) -> Wrench {
        if size.is_nan() {
            return Wrench { fx: f64::NAN, fy: f64::NAN, mz: f64::NAN };
        }
        if size < REST {
            return Wrench::default();
        }
        if size > HUGE && !self.homogeneous {
            let unit = self.unit_wrench(twist);
            return unit.times(self.grip);
        }
        let scaled = Twist { vx: twist.vx / size, vy: twist.vy / size, omega: twist.omega / size };
        let unit = self.unit_wrench(scaled);
        unit.times(self.grip * self.regularisation(-unit.power(scaled) * size).0)
    }

    fn unit_wrench(&self, twist: Twist) -> Wrench {
        if let Some(tilt) = &self.tilt {
            let full = modes(&self.parts, twist);
            let [gx, gy] = if self.bare.is_empty() {
                tilt.gradient(&full)
            } else {
                tilt.gradient(&modes(&self.bare, twist))
            };
            return full[0].plus(gx, full[1]).plus(gy, full[2]);
        }
        let mut sum = Wrench::default();
        for part in &self.parts {
            sum = sum.plus(part.share, part.wrench(twist));
        }
        sum
    }

    fn unit_jacobian(&self, twist: Twist) -> Jacobian {
        if let Some(tilt) = &self.tilt {
            let modes = |parts: &[Part]| Modes {
                wrenches: modes(parts, twist),
                slopes: mode_jacobians(parts, twist),
            };
            return tilt.jacobian(&modes(&self.parts), &modes(self.coulomb_parts()));
        }
        let mut sum = [[0.0; 3]; 3];
        for part in &self.parts {
            add(&mut sum, part.share, part.jacobian(twist));
        }
        sum
    }

    fn coulomb_parts(&self) -> &[Part] {
        if self.bare.is_empty() { &self.parts } else { &self.bare }
    }
}

impl Part {
    fn new(patch: &Patch, foot: &Foot, single: bool, total: f64) -> Self {
        let form = Form::new(patch, foot, single);
        let [mut at, mut arm] = [foot.centre; 2];
        if let Form::Polygon(polygon) = &form {
            at = [at[0] + polygon.centroid[0], at[1] + polygon.centroid[1]];
            let shift = polygon.shift();
            arm = [at[0] + shift[0], at[1] + shift[1]];
        }
        at = [at[0] + patch.centre[0], at[1] + patch.centre[1]];
        Self { share: foot.share / total, at, arm, form }
    }

    #[inline(always)]
    fn wrench(&self, twist: Twist) -> Wrench {
        let local = twist.at(self.at);
        let wrench = match &self.form {
            Form::Axial(axial) => axial.wrench(local),
            Form::Polygon(polygon) => polygon.wrench(local),
            Form::Rectangle(pade, cubic, [mu1, mu2]) => {
                pade.wrench(local).plus(1.0, cubic.wrench(*mu1, *mu2, local))
            }
        };
        wrench.carried(self.at)
    }

    fn jacobian(&self, twist: Twist) -> Jacobian {
        let local = twist.at(self.at);
        let jacobian = match &self.form {
            Form::Axial(axial) => axial.jacobian(local),
            Form::Polygon(polygon) => polygon.jacobian(local),
            Form::Rectangle(pade, cubic, [mu1, mu2]) => {
                let mut sum = pade.jacobian(local);
                add(&mut sum, 1.0, cubic.jacobian(*mu1, *mu2, local));
                sum
            }
        };
        moved(jacobian, self.at)
    }
}

/// One foot as the user wrote it, or the whole patch as its only foot.
pub(super) struct Foot<'a> {
    pub shape: &'a Shape,
    pub pressure: Pressure,
    pub centre: [f64; 2],
    pub share: f64,
}

pub(super) fn feet(patch: &Patch) -> Vec<Foot<'_>> {
    match &patch.shape {
        Shape::Pieces(pieces) => pieces
            .iter()
            .map(|p| Foot { shape: &p.shape, pressure: p.pressure, centre: p.centre, share: p.share })
            .collect(),
        shape => vec![Foot { shape, pressure: patch.pressure, centre: [0.0; 2], share: 1.0 }],
    }
}

/// Corners of a rectangle about its centre.
pub(super) fn corners(length: f64, width: f64) -> Vec<[f64; 2]> {
    let (x, y) = (length / 2.0, width / 2.0);
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}

impl Form {
    fn radius(&self) -> f64 {
        match self {
            Self::Axial(axial) => axial.radius(),
            Self::Polygon(polygon) => polygon.radius,
            Self::Rectangle(rectangle, ..) => rectangle.radius(),
        }
    }

    fn new(patch: &Patch, foot: &Foot, single: bool) -> Self {
        let axial = |mut axial: Axial| {
            axial.mu1 = patch.mu1;
            axial.mu2 = patch.mu2;
            Self::Axial(axial)
        };
        let polygon = |loops: &[Vec<[f64; 2]>]| {
            let gradient = match foot.pressure {
                Pressure::Linear { gradient } => gradient,
                _ => [0.0; 2],
            };
            let modal = gradient != [0.0; 2] || (single && patch.height * patch.mu > 0.0);
            let mut polygon = Polygon::new(loops, gradient, modal);
            polygon.mu1 = patch.mu1;
            polygon.mu2 = patch.mu2;
            polygon
        };
        match foot.shape {
            Shape::Disc { radius } => {
                let profile = match foot.pressure {
                    Pressure::Galin => Profile::Galin,
                    Pressure::Hertz => Profile::Hertz,
                    _ => Profile::Uniform,
                };
                let pade = Pade::new(patch.closure, patch.constants, profile, *radius);
                axial(Axial { pade, ..Axial::disc(profile, *radius) })
            }
            Shape::Ring { radius } => axial(Axial::disc(Profile::Ring, *radius)),
            Shape::Annulus { inner, outer } => axial(Axial::annulus(*inner, *outer)),
            Shape::Rectangle { length, width } => {
                let exact = polygon(&[corners(*length, *width)]);
                match patch.closure {
                    Closure::Exact => Self::Polygon(Box::new(exact)),
                    closure => Self::Rectangle(
                        Rectangle::new(&exact, closure == Closure::Pade2),
                        exact.cubic(),
                        [patch.mu1, patch.mu2],
                    ),
                }
            }
            Shape::Polygon { vertices, holes } => {
                Self::Polygon(Box::new(polygon(&oriented(vertices, holes))))
            }
            // refused by the check
            Shape::Pieces(_) => axial(Axial::disc(Profile::Uniform, f64::NAN)),
        }
    }
}

/// Second moments of the feet's loads about their common centre.
fn feet_second(parts: &[Part]) -> [f64; 3] {
    let sum = |i: usize, j: usize| parts.iter().map(|p| p.share * p.arm[i] * p.arm[j]).sum();
    [sum(0, 0), sum(0, 1), sum(1, 1)]
}

fn add(sum: &mut Jacobian, c: f64, other: Jacobian) {
    for (row, more) in sum.iter_mut().zip(other) {
        for (value, m) in row.iter_mut().zip(more) {
            *value += c * m;
        }
    }
}

/// TᵀJT: from the point at `arm` to the reference point.
fn moved(j: Jacobian, [x, y]: [f64; 2]) -> Jacobian {
    let columns = j.map(|[a, b, c]| [a, b, c - y * a + x * b]);
    let [a, b, c] = columns;
    [a, b, std::array::from_fn(|k| c[k] - y * a[k] + x * b[k])]
}

/// Wrenches of the pressures 1, x and y: of a single polygon, or of feet whose loads shift.
fn modes(parts: &[Part], twist: Twist) -> [Wrench; 3] {
    if let [Part { form: Form::Polygon(polygon), at, .. }] = parts {
        let [one, x, y] = polygon.modes(twist.at(*at)).map(|w| w.carried(*at));
        let [gx, gy] = polygon.gradient;
        return [one.plus(gx, x).plus(gy, y), x, y];
    }
    let mut modes = [Wrench::default(); 3];
    for part in parts {
        let w = part.wrench(twist);
        for (mode, arm) in modes.iter_mut().zip([1.0, part.arm[0], part.arm[1]]) {
            *mode = mode.plus(part.share * arm, w);
        }
    }
    modes
}

/// The derivatives of [`modes`] by the twist.
fn mode_jacobians(parts: &[Part], twist: Twist) -> [Jacobian; 3] {
    if let [Part { form: Form::Polygon(polygon), at, .. }] = parts {
        let [mut one, x, y] = polygon.mode_jacobians(twist.at(*at)).map(|j| moved(j, *at));
        add(&mut one, polygon.gradient[0], x);
        add(&mut one, polygon.gradient[1], y);
        return [one, x, y];
    }
    let mut modes = [[[0.0; 3]; 3]; 3];
    for part in parts {
        let j = part.jacobian(twist);
        for (mode, arm) in modes.iter_mut().zip([1.0, part.arm[0], part.arm[1]]) {
            add(mode, part.share * arm, j);
        }
    }
    modes
}

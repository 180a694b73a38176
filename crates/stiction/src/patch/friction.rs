//! A patch made ready for evaluation: all parts, the tilt of the pressure, the regularisation.
//!
//! Below a mean sliding speed Δ (`width`) the wrench w of degree 0 is scaled,
//!
//! ```text
//!   w_Δ(t) = s(x) w(t),   x = ⟨|V|⟩/Δ,   s = x(3 − x²)/2  for x < 1,  1 beyond
//! ```
//!
//! where ⟨|V|⟩ = −w·t/(μN) is the sliding speed averaged over the load. So w_Δ is continuous and zero at
//! rest, continuously differentiable elsewhere, dissipative, never larger than w, and *equal* to w once ⟨|V|⟩
//! ≥ Δ. While w has a potential (exact closure, no height) w_Δ has one too, and it is convex: two motions
//! under the same friction approach each other. A held body creeps at ⟨|V|⟩ < Δ.

use super::part::{Form, Part, add, feet, feet_second, mode_jacobians, modes};
use super::tilt::{Tilt, TiltModes, inverse};
use super::{Patch, Twist, Wrench};
use crate::math::wide::{LANES, WideLane};

/// Derivative of (fx, fy, mz), by rows, by (vx, vy, omega), by columns.
pub type Jacobian = [[f64; 3]; 3];

/// Below this size a twist counts as rest (m/s): squares and cubes of smaller ones are no numbers.
const REST: f64 = 1e-60;

/// A checked patch, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct PatchFriction {
    /// μN (N).
    pub(super) grip: f64,
    /// N (N).
    pub(super) load: f64,
    /// hμ (m).
    pub(super) reach: f64,
    /// Centre of pressure relative to the reference point (m).
    pub(super) centre: [f64; 2],
    pub(super) parts: Vec<Part>,
    pub(super) tilt: Option<Tilt>,
    /// The parts under Coulomb's law, which tilts the pressure; empty if that is the law anyway.
    bare: Vec<Part>,
    width: f64,
    /// A length that turns spin into speed (m).
    pub(crate) scale: f64,
    /// Whether it is one disc and nothing else.
    is_plain: bool,
}

impl PatchFriction {
    /// `patch` has passed its check.
    pub(super) fn new(patch: &Patch, leans: bool) -> Self {
        let feet = feet(patch);
        let total: f64 = feet.iter().map(|f| f.share).sum();
        let reach = patch.height * patch.mu;
        let mut parts: Vec<_> =
            feet.iter().map(|foot| Part::new(patch, foot, (feet.len() == 1, leans), total)).collect();

        // arms from the common centre of pressure
        let mean = |k: usize| parts.iter().map(|p| p.share * p.arm[k]).sum::<f64>();
        let middle = [mean(0), mean(1)];
        for part in &mut parts {
            part.arm = [part.arm[0] - middle[0], part.arm[1] - middle[1]];
        }
        let scale =
            parts.iter().map(|p| p.form.radius() + libm::hypot(p.arm[0], p.arm[1])).fold(0.0, f64::max);

        // a single disc carries its tilt itself, unless its pressure has a gradient of its own
        let tilt = match parts.as_mut_slice() {
            [Part { form: Form::Axial(axial), .. }] if leans || axial.gradient != [0.0; 2] => {
                (reach > 0.0).then(|| Tilt::new(reach, axial.second()))
            }
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
            Self::new(&Patch { mu1: 0.0, mu2: 0.0, ..patch.clone() }, leans).parts
        } else {
            Vec::new()
        };
        let is_plain = patch.width == 0.0
            && tilt.is_none()
            && matches!(parts.as_slice(), [Part { form: Form::Axial(axial), .. }] if axial.is_plain());
        Self {
            grip: patch.mu * patch.load,
            load: patch.load,
            reach,
            centre: [middle[0] + patch.centre[0], middle[1] + patch.centre[1]],
            parts,
            tilt,
            bare,
            width: patch.width,
            scale,
            is_plain,
        }
    }

    /// Whether it looks the same from all sides of the reference point: one disc or ring about it, whose pressure has no gradient.
    pub(crate) fn is_round(&self) -> bool {
        match self.parts.as_slice() {
            [Part { form: Form::Axial(axial), at: [0.0, 0.0], .. }] => axial.gradient == [0.0; 2],
            _ => false,
        }
    }

    /// Whether it is scaled down at small speeds.
    pub(crate) fn is_regularised(&self) -> bool {
        self.width > 0.0
    }

    /// The friction wrench on the body about the reference point. Zero at rest.
    pub fn wrench(&self, twist: Twist) -> Wrench {
        let size = self.size(twist);
        if size < REST {
            return Wrench::default();
        }
        // a disc by itself is so quick that the general way would cost as much again
        if let (true, [Part { form: Form::Axial(axial), at, .. }]) = (self.is_plain, self.parts.as_slice()) {
            return axial.plain_wrench(twist.at(*at), *at, self.grip);
        }
        self.general_wrench(twist)
    }

    /// [`wrench`](Self::wrench) of several twists, each of their numbers by itself: same bits.
    pub(crate) fn wrenches(&self, [vx, vy, omega]: [&WideLane; 3]) -> [WideLane; 3] {
        let twist = |i: usize| Twist { vx: vx[i], vy: vy[i], omega: omega[i] };
        if let (true, [Part { form: Form::Axial(axial), at, .. }]) = (self.is_plain, self.parts.as_slice()) {
            let mut is_usual = true;
            for i in 0..LANES {
                is_usual &= self.size(twist(i)) >= REST;
            }
            if is_usual {
                return axial.plain_wrenches([vx, vy, omega], *at, self.grip);
            }
        }
        let [mut fx, mut fy, mut mz] = [[0.0; LANES]; 3];
        for i in 0..LANES {
            Wrench { fx: fx[i], fy: fy[i], mz: mz[i] } = self.wrench(twist(i));
        }
        [fx, fy, mz]
    }

    #[inline(never)]
    fn general_wrench(&self, twist: Twist) -> Wrench {
        let unit = match (&self.tilt, self.parts.as_slice()) {
            (None, [part]) => part.wrench(twist),
            _ => self.unit_wrench(twist, [0.0; 2]),
        };
        self.regularised(unit, twist)
    }

    /// The wrench while the pressure leans: it is that of the patch plus `lean`·r times its mean.
    pub(crate) fn wrench_leaning(&self, twist: Twist, lean: [f64; 2]) -> Wrench {
        if lean == [0.0; 2] {
            return self.wrench(twist);
        }
        if self.size(twist) < REST {
            return Wrench::default();
        }
        self.regularised(self.unit_wrench(twist, lean), twist)
    }

    #[inline]
    fn regularised(&self, unit: Wrench, twist: Twist) -> Wrench {
        if self.width == 0.0 {
            return unit.times(self.grip);
        }
        unit.times(self.grip * self.regularisation(-unit.power(twist)).0)
    }

    /// Power of the friction wrench: never positive (W).
    pub fn power(&self, twist: Twist) -> f64 {
        self.wrench(twist).power(twist)
    }

    /// Derivative of the wrench by the twist (zero at rest, where there is none).
    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        self.jacobian_leaning(twist, [0.0; 2])
    }

    /// The same while the pressure leans.
    pub(crate) fn jacobian_leaning(&self, twist: Twist, lean: [f64; 2]) -> Jacobian {
        if self.size(twist) < REST {
            return [[0.0; 3]; 3];
        }
        let mut jacobian = self.unit_jacobian(twist, lean);
        if self.width > 0.0 {
            let w = self.unit_wrench(twist, lean);
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

    /// Height times friction coefficient at which sliding lifts an edge or a foot; infinite for the closures of the
    /// rectangle, which know no height (m).
    pub fn tipping(&self) -> f64 {
        match self.parts.as_slice() {
            [Part { form: Form::Axial(axial), .. }] => axial.tipping(),
            [Part { form: Form::Polygon(polygon), .. }] => polygon.tipping(),
            [_] => f64::INFINITY,
            parts => {
                // feet on a line hold nothing across it
                let [xx, xy, yy] = feet_second(parts);
                if xx * yy - xy * xy <= 1e-12 * (xx + yy) * (xx + yy) {
                    return 0.0;
                }
                // 1 + g·arm ≥ 0 for every g = S⁻¹s with |s| ≤ hμ
                let [xx, xy, yy] = inverse([xx, xy, yy]);
                let pull =
                    |p: &Part| libm::hypot(xx * p.arm[0] + xy * p.arm[1], xy * p.arm[0] + yy * p.arm[1]);
                1.0 / parts.iter().map(pull).fold(0.0, f64::max)
            }
        }
    }

    /// How far the pressure is skewed by the height of the centre of mass: 0 not at all, 1 would lift an
    /// edge. The check of the patch has made sure that it never exceeds 1.
    pub fn skew(&self, twist: Twist) -> f64 {
        if self.size(twist) < REST {
            return 0.0;
        }
        match (&self.tilt, self.parts.as_slice()) {
            (None, [Part { form: Form::Axial(axial), at, .. }]) => axial.skew(twist.at(*at)),
            (None, _) => 0.0,
            (Some(tilt), [Part { form: Form::Axial(axial), .. }]) => {
                axial.lifted(tilt.gradient(&modes(self.coulomb_parts(), twist)))
            }
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

    /// The normal loads of the feet while friction is `force`, in the axes of the patch (N). None for a patch of one piece, and
    /// under the generalised law with a height, where the pressure follows Coulomb's friction.
    pub fn foot_loads(&self, force: [f64; 2]) -> Option<Vec<f64>> {
        self.foot_loads_leaning(force, [0.0; 2])
    }

    /// The same while the pressure leans.
    pub(crate) fn foot_loads_leaning(&self, force: [f64; 2], lean: [f64; 2]) -> Option<Vec<f64>> {
        if self.parts.len() < 2 || !self.bare.is_empty() {
            return None;
        }
        let [gx, gy] =
            self.tilt.as_ref().map_or([0.0; 2], |tilt| tilt.gradient_under(force.map(|f| f / self.grip)));
        let [gx, gy] = [gx + lean[0], gy + lean[1]];
        let load = |p: &Part| self.load * p.share * (1.0 + gx * p.arm[0] + gy * p.arm[1]);
        Some(self.parts.iter().map(load).collect())
    }

    pub(super) fn size(&self, Twist { vx, vy, omega }: Twist) -> f64 {
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

    fn unit_wrench(&self, twist: Twist, lean: [f64; 2]) -> Wrench {
        let leant = |parts: &[Part]| {
            let [one, x, y] = modes(parts, twist);
            [one.plus(lean[0], x).plus(lean[1], y), x, y]
        };
        if let Some(tilt) = &self.tilt {
            let full = leant(&self.parts);
            let [gx, gy] =
                if self.bare.is_empty() { tilt.gradient(&full) } else { tilt.gradient(&leant(&self.bare)) };
            return full[0].plus(gx, full[1]).plus(gy, full[2]);
        }
        if lean != [0.0; 2] {
            return leant(&self.parts)[0];
        }
        let mut sum = Wrench::default();
        for part in &self.parts {
            sum = sum.plus(part.share, part.wrench(twist));
        }
        sum
    }

    fn unit_jacobian(&self, twist: Twist, lean: [f64; 2]) -> Jacobian {
        let leant_slopes = |parts: &[Part]| {
            let [mut one, x, y] = mode_jacobians(parts, twist);
            add(&mut one, lean[0], x);
            add(&mut one, lean[1], y);
            [one, x, y]
        };
        if let Some(tilt) = &self.tilt {
            let modes = |parts: &[Part]| {
                let [one, x, y] = modes(parts, twist);
                let wrenches = [one.plus(lean[0], x).plus(lean[1], y), x, y];
                TiltModes { wrenches, slopes: leant_slopes(parts) }
            };
            return tilt.jacobian(&modes(&self.parts), &modes(self.coulomb_parts()));
        }
        if lean != [0.0; 2] {
            return leant_slopes(&self.parts)[0];
        }
        let mut sum = [[0.0; 3]; 3];
        for part in &self.parts {
            add(&mut sum, part.share, part.jacobian(twist));
        }
        sum
    }

    pub(super) fn coulomb_parts(&self) -> &[Part] {
        if self.bare.is_empty() { &self.parts } else { &self.bare }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Disc, Pressure, Rectangle, Ring, Shape};

    #[test]
    fn wrenches_of_several_twists_are_those_of_each() {
        let disc = || Shape::Disc(Disc { radius: 0.1 });
        let beside = Patch { centre: [0.02, -0.05], ..Patch::new(disc(), Pressure::Uniform, 0.3, 20.0) };
        let soft = Patch { width: 0.5, ..beside.clone() };
        let patches = [
            Patch::new(disc(), Pressure::Uniform, 0.3, 20.0),
            Patch::new(disc(), Pressure::Hertz, 0.3, 20.0),
            Patch::new(disc(), Pressure::Galin, 0.3, 20.0),
            Patch::new(Shape::Ring(Ring { radius: 0.1 }), Pressure::Uniform, 0.3, 20.0),
            Patch::new(Shape::Rectangle(Rectangle { length: 0.2, width: 0.1 }), Pressure::Uniform, 0.3, 20.0),
            beside,
            soft,
        ];
        for patch in patches {
            let friction = patch.prepare().expect("a sound patch");
            // sliding and spin alone and together, the edge where they are equal, sizes out of the usual range
            for size in [1.0, 1e-9, 1e-70, 0.0] {
                let vx = [1.0, 0.0, -0.3, 1.0, 2.0, 0.5, 1e-7, 0.7].map(|v| size * v);
                let vy = [0.0, 0.0, 0.2, 0.0, -1.0, 0.5, 0.0, -0.7].map(|v| size * v);
                let omega = [0.0, 30.0, -3.0, 10.0, 1e-6, 7.1, 10.0, 100.0].map(|v| size * v);
                let found = friction.wrenches([&vx, &vy, &omega]);
                for i in 0..LANES {
                    let one = friction.wrench(Twist { vx: vx[i], vy: vy[i], omega: omega[i] });
                    let expected = [one.fx, one.fy, one.mz].map(f64::to_bits);
                    assert_eq!(found.map(|lane| lane[i].to_bits()), expected, "{:?}, lane {i}", patch.shape);
                }
            }
        }
    }
}

//! The parts that a patch is made of: one, or one per foot, each with its place, its share of the load and
//! its form.

use super::axial::Axial;
use super::cubic::Cubic;
use super::polygon::PolygonForm;
use super::rectangle::RectanglePade;
use super::shape::Setting;
use super::{Jacobian, Patch, Pressure, Shape, Twist, Wrench};

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub share: f64,
    /// From the reference point to the point at which the form is evaluated (m).
    pub at: [f64; 2],
    /// From the common centre of pressure to that of the foot (m).
    pub arm: [f64; 2],
    pub form: Form,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    Axial(Axial),
    Polygon(Box<PolygonForm>),
    Rectangle(RectanglePade, Cubic, [f64; 2]),
}

impl Part {
    pub fn new(patch: &Patch, foot: &Foot, (is_single, leans): (bool, bool), total: f64) -> Self {
        let form = foot.shape.form(&Setting { patch, pressure: foot.pressure, is_single, leans });
        let [mut at, mut arm] = [foot.centre; 2];
        match &form {
            Form::Polygon(polygon) => {
                at = [at[0] + polygon.centroid[0], at[1] + polygon.centroid[1]];
                let shift = polygon.shift();
                arm = [at[0] + shift[0], at[1] + shift[1]];
            }
            Form::Axial(axial) => {
                let shift = axial.shift();
                arm = [at[0] + shift[0], at[1] + shift[1]];
            }
            Form::Rectangle(..) => (),
        }
        at = [at[0] + patch.centre[0], at[1] + patch.centre[1]];
        Self { share: foot.share / total, at, arm, form }
    }

    #[inline(always)]
    pub fn wrench(&self, twist: Twist) -> Wrench {
        let local = twist.at(self.at);
        let wrench = match &self.form {
            Form::Axial(axial) if axial.gradient != [0.0; 2] => axial.skewed_wrench(local),
            Form::Axial(axial) => axial.wrench(local),
            Form::Polygon(polygon) => polygon.wrench(local),
            Form::Rectangle(pade, cubic, [mu1, mu2]) => {
                pade.wrench(local).plus(1.0, cubic.wrench(*mu1, *mu2, local))
            }
        };
        wrench.carried(self.at)
    }

    pub fn jacobian(&self, twist: Twist) -> Jacobian {
        let local = twist.at(self.at);
        let jacobian = match &self.form {
            Form::Axial(axial) if axial.gradient != [0.0; 2] => axial.skewed_jacobian(local),
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

impl Form {
    pub fn radius(&self) -> f64 {
        match self {
            Self::Axial(axial) => axial.radius(),
            Self::Polygon(polygon) => polygon.radius,
            Self::Rectangle(rectangle, ..) => rectangle.radius(),
        }
    }
}

/// Second moments of the feet's loads about their common centre.
pub(super) fn feet_second(parts: &[Part]) -> [f64; 3] {
    let sum = |i: usize, j: usize| parts.iter().map(|p| p.share * p.arm[i] * p.arm[j]).sum();
    [sum(0, 0), sum(0, 1), sum(1, 1)]
}

pub(super) fn add(sum: &mut Jacobian, c: f64, other: Jacobian) {
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

/// Wrenches of the pressures 1, x and y: of a single polygon or disc, or of feet whose loads shift.
pub(super) fn modes(parts: &[Part], twist: Twist) -> [Wrench; 3] {
    let single = |modes: [Wrench; 3], [gx, gy]: [f64; 2], at: [f64; 2]| {
        let [one, x, y] = modes.map(|w| w.carried(at));
        [one.plus(gx, x).plus(gy, y), x, y]
    };
    match parts {
        [Part { form: Form::Polygon(polygon), at, .. }] => {
            return single(polygon.modes(twist.at(*at)), polygon.gradient, *at);
        }
        [Part { form: Form::Axial(axial), at, .. }] => {
            return single(axial.modes(twist.at(*at)), axial.gradient, *at);
        }
        _ => (),
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
pub(super) fn mode_jacobians(parts: &[Part], twist: Twist) -> [Jacobian; 3] {
    let single = |modes: [Jacobian; 3], gradient: [f64; 2], at: [f64; 2]| {
        let [mut one, x, y] = modes.map(|j| moved(j, at));
        add(&mut one, gradient[0], x);
        add(&mut one, gradient[1], y);
        [one, x, y]
    };
    match parts {
        [Part { form: Form::Polygon(polygon), at, .. }] => {
            return single(polygon.mode_jacobians(twist.at(*at)), polygon.gradient, *at);
        }
        [Part { form: Form::Axial(axial), at, .. }] => {
            return single(axial.mode_jacobians(twist.at(*at)), axial.gradient, *at);
        }
        _ => (),
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

//! Friction over the ratio of sliding to spinning, as the papers draw it: d = v/(|ω|R), about the centre of
//! the patch.

use super::PatchStudy;
use crate::facts::ColumnKind;
use crate::outcome::Column;
use std::f64::consts::FRAC_PI_2;
use stiction::Fault;
use stiction::patch::{Closure, Constants, PatchFriction, Twist};

/// Friction split along the motion that it resists; every part that resists is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drag {
    /// Force against the velocity, F∥ (N).
    pub along: f64,
    /// Force to the right of the velocity, F⊥ (N).
    pub across: f64,
    /// Moment against a counter-clockwise spin, M (N m).
    pub moment: f64,
}

/// Friction at a speed v (m/s) in a direction (rad) and a spin ω (rad/s).
pub fn drag(contact: &PatchFriction, v: f64, direction: f64, omega: f64) -> Drag {
    let (s, c) = (libm::sin(direction), libm::cos(direction));
    let w = contact.wrench(Twist { vx: v * c, vy: v * s, omega });
    Drag { along: -w.fx * c - w.fy * s, across: w.fx * s - w.fy * c, moment: -w.mz }
}

/// F∥, F⊥ and M of one closure in one direction, over the ratio of sliding to spinning.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// How the integrals are evaluated.
    pub closure: Closure,
    /// Constants of the closure.
    pub constants: Constants,
    /// Direction of the velocity (rad).
    pub direction: f64,
    /// v/(ωR) (-).
    pub ratio: Vec<f64>,
    /// F∥/(μN) (-).
    pub along: Vec<f64>,
    /// F⊥/(μN) (-).
    pub across: Vec<f64>,
    /// M/(μNR) (-).
    pub moment: Vec<f64>,
}

/// The curve of a patch, evaluated by the given closure. All motions have v² + (ωR)² = 1 m²/s², which only
/// the generalised law and a `width` notice.
pub fn sliding(
    study: &PatchStudy,
    (closure, constants): (Closure, Constants),
    direction: f64,
    ratio: &[f64],
) -> Result<Curve, Vec<Fault>> {
    let (patch, contact) = (study.patch(), study.centred(closure, constants)?);
    let r = patch.shape.radius();
    // without friction all curves are zero
    let grip = if patch.mu > 0.0 { patch.mu * patch.load } else { 1.0 };
    let mut curve = Curve {
        closure,
        constants,
        direction,
        ratio: ratio.to_vec(),
        along: Vec::new(),
        across: Vec::new(),
        moment: Vec::new(),
    };
    for d in ratio {
        let size = libm::hypot(1.0, *d);
        let drag = drag(&contact, d / size, direction, 1.0 / (size * r));
        curve.along.push(drag.along / grip);
        curve.across.push(drag.across / grip);
        curve.moment.push(drag.moment / (grip * r));
    }
    Ok(curve)
}

/// v/(ωR) in figures and tables: from spinning to sliding.
pub fn figure_ratios() -> Vec<f64> {
    ratios(1e-2, 1e2, 401)
}

/// `n` ratios in equal steps of their logarithm.
pub(super) fn ratios(from: f64, to: f64, n: usize) -> Vec<f64> {
    let (a, b) = (libm::log10(from), libm::log10(to));
    (0..n).map(|i| libm::pow(10.0, a + (b - a) * i as f64 / (n.max(2) - 1) as f64)).collect()
}

/// Directions of sliding in the figure of a patch that is not round (rad).
const DIRECTIONS: [f64; 3] = [0.0, 0.5 * FRAC_PI_2, FRAC_PI_2];

/// The curves of a patch by every closure that it has, in several directions if they differ.
pub fn all_curves(study: &PatchStudy) -> Result<Vec<Curve>, Vec<Fault>> {
    let exact = (Closure::Exact, Constants::Consistent);
    let pade = [(Closure::Pade1, Constants::Consistent), (Closure::Pade2, Constants::Consistent)];
    let has = |(closure, constants): &(Closure, Constants)| study.centred(*closure, *constants).is_ok();
    let kinds: Vec<_> = std::iter::once(exact).chain(pade.into_iter().filter(has)).collect();
    let directions = if study.patch().is_round() { &DIRECTIONS[..1] } else { &DIRECTIONS };
    let ratio = figure_ratios();
    let each = directions.iter().flat_map(|direction| kinds.iter().map(move |kind| (*kind, *direction)));
    each.map(|(kind, direction)| sliding(study, kind, direction, &ratio)).collect()
}

/// The curves as columns: ratio, then F∥, F⊥ and M of each.
pub fn curve_columns(curves: &[Curve]) -> Vec<Column> {
    let column = |kind: ColumnKind, name: String, values: &[f64]| Column {
        symbol: name.clone(),
        ..Column::new(kind, values.to_vec()).named(name)
    };
    let ratio = |curve: &Curve| column(ColumnKind::Ratio, "ratio".into(), &curve.ratio);
    let mut columns: Vec<Column> = curves.first().map(ratio).into_iter().collect();
    let is_single = curves.iter().all(|curve| curve.direction == curves[0].direction);
    for curve in curves {
        let kind = match (curve.closure, curve.constants) {
            (Closure::Exact, _) => "",
            (Closure::Pade1, Constants::Consistent) => "_pade1",
            (Closure::Pade2, Constants::Consistent) => "_pade2",
            (Closure::Pade1, Constants::AsPrinted) => "_pade1_printed",
            (Closure::Pade2, Constants::AsPrinted) => "_pade2_printed",
        };
        let angle =
            if is_single { String::new() } else { format!("_{}", curve.direction.to_degrees().round()) };
        for (part, values) in [
            (ColumnKind::Along, &curve.along),
            (ColumnKind::Across, &curve.across),
            (ColumnKind::Moment, &curve.moment),
        ] {
            columns.push(column(part, format!("{}{kind}{angle}", part.row().name(None)), values));
        }
    }
    columns
}

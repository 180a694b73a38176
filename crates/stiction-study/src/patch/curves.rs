//! Friction over the ratio of sliding to spinning, as the papers draw it: d = v/(|ω|R), about the centre of the patch.

use stiction::Fault;
use stiction::patch::{Closure, Constants, Contact, Patch, Shape, Twist};

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
pub fn drag(contact: &Contact, v: f64, direction: f64, omega: f64) -> Drag {
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

/// The curve of a patch, evaluated by the given closure. All motions have v² + (ωR)² = 1 m²/s², which only the
/// generalised law and a `width` notice.
pub fn sliding(
    patch: &Patch,
    (closure, constants): (Closure, Constants),
    direction: f64,
    ratio: &[f64],
) -> Result<Curve, Vec<Fault>> {
    let contact = Patch { centre: [0.0; 2], closure, constants, ..patch.clone() }.prepare()?;
    let r = radius(&patch.shape);
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

/// Distance of the farthest point of a shape from its centre: the R of v/(ωR) (m).
pub fn radius(shape: &Shape) -> f64 {
    let far = |p: &[f64; 2]| libm::hypot(p[0], p[1]);
    match shape {
        Shape::Disc { radius } | Shape::Ring { radius } => *radius,
        Shape::Annulus { outer, .. } => *outer,
        Shape::Rectangle { length, width } => 0.5 * libm::hypot(*length, *width),
        Shape::Polygon { vertices, .. } => vertices.iter().map(far).fold(0.0, f64::max),
        Shape::Pieces(pieces) => pieces.iter().map(|p| far(&p.centre) + radius(&p.shape)).fold(0.0, f64::max),
    }
}

/// Whether all directions of sliding are alike.
pub fn is_round(shape: &Shape) -> bool {
    matches!(shape, Shape::Disc { .. } | Shape::Ring { .. } | Shape::Annulus { .. })
}

//! Paper D: the limits of the rectangle's integrals, and what can be drawn of its printed fractions.
//!
//! With p = σ, r² = x² + y², φ the direction of the velocity and θ that of a point, integrals over the
//! rectangle are taken in polar coordinates about the centre, up to the edge at ϱ(θ):
//!
//! ```text
//!   ∫p e²/r³ dA = σ∫cos²(θ − φ) ϱ dθ         e = x cos φ + y sin φ
//!   ∫p r dA     = σ∫ϱ³/3 dθ
//!   ∫p (x² − y²)/r³ dA = σ∫cos 2θ ϱ dθ
//! ```
//!
//! As printed, F∥ = f I₁v/(v + (I₀/I₁)ω), M = f I₆ and F⊥ = f I₉ω/(ω + (I₃/I₀)v). I₃ and I₉ vanish by
//! symmetry, I₆ is the integral of (x² − y²)/r, and I₀ contains −½cos 2φ ∫dr/r: it is infinite unless φ =
//! 45°.

use super::{Case, CheckTable, Drawing, Paper, Property, ReportSection, Reproduced, case, refused};
use crate::patch::{PatchStudy, curve_columns, drag, figure_ratios, limit_points, sliding};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use stiction::patch::{Closure, Constants, Patch, Twist};
use stiction::{Fault, Progress};

pub(super) struct PaperD;

/// Directions in which the rectangle slides (rad): between the axes, where it is pushed aside.
pub const DIRECTIONS: [f64; 3] = [PI / 9.0, FRAC_PI_4, 7.0 * PI / 18.0];

/// Numbers that the theory makes equal differ by rounding only.
const ROUNDING: f64 = 1e-12;
/// Limits of F⊥ are taken at these v/ω (m) and ω/v (1/m): what is neglected is quadratic in them, and a
/// smaller force would drown in the rounding of the larger one.
const SMALL_V: f64 = 1e-5;
const SMALL_OMEGA: f64 = 1e-4;
const LIMIT: f64 = 1e-5;
/// Simpson's rule on the two smooth parts of a quadrant; its error is of the order of 1e-14.
const INTERVALS: usize = 8000;

/// σ∫f(θ, ϱ) dθ over the full circle.
fn polar(patch: &Patch, f: &dyn Fn(f64, f64) -> f64) -> f64 {
    let [a, b] = patch.shape.extents();
    let edge = |t: f64| (0.5 * a / libm::cos(t).abs()).min(0.5 * b / libm::sin(t).abs());
    let corner = libm::atan2(b, a);
    let mut sum = 0.0;
    for quadrant in 0..4 {
        let start = FRAC_PI_2 * quadrant as f64;
        // the corner lies at ±corner from the x axis
        let middle = start + if quadrant % 2 == 0 { corner } else { FRAC_PI_2 - corner };
        for (from, to) in [(start, middle), (middle, start + FRAC_PI_2)] {
            let h = (to - from) / INTERVALS as f64;
            let at = |i: usize| {
                let t = from + h * i as f64;
                f(t, edge(t))
            };
            let inner = |i: usize| (if i.is_multiple_of(2) { 2.0 } else { 4.0 }) * at(i);
            sum += h / 3.0 * (at(0) + at(INTERVALS) + (1..INTERVALS).map(inner).sum::<f64>());
        }
    }
    patch.load / (a * b) * sum
}

/// What the paper prints for the rectangle, as far as it can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedRectangle {
    /// I₀ at φ = 45°; it diverges for every other direction.
    pub i0: f64,
    /// I₁, the load (N).
    pub i1: f64,
    /// I₆ (N m).
    pub i6: f64,
    f: f64,
}

impl PrintedRectangle {
    /// The one direction in which all of it is finite (rad).
    pub const DIRECTION: f64 = FRAC_PI_4;

    /// The integrals of a rectangle under uniform pressure.
    pub fn new(patch: &Patch) -> Self {
        // (y cos φ + x sin φ)(x sin φ − y cos φ) = ½r² cos 2θ at φ = 45°
        let i0 = polar(patch, &|t, edge| edge + 0.5 * libm::cos(2.0 * t) * libm::log(edge));
        let i6 = polar(patch, &|t, edge| libm::cos(2.0 * t) * edge * edge * edge / 3.0);
        Self { i0, i1: patch.load, i6, f: patch.mu }
    }

    /// F∥ at φ = 45° over v/ω, against the velocity (N).
    pub fn along(&self, v_over_omega: f64) -> f64 {
        self.f * self.i1 * v_over_omega / (v_over_omega + self.i0 / self.i1)
    }

    /// F⊥: zero in every motion, since I₉ is (N).
    pub fn across(&self) -> f64 {
        0.0
    }

    /// M: the same in every motion (N m).
    pub fn moment(&self) -> f64 {
        self.f * self.i6
    }
}

/// The limits of a rectangle under uniform pressure, in the given directions (rad).
pub fn rectangle_properties(study: &PatchStudy, directions: &[f64]) -> Result<Vec<Property>, Vec<Fault>> {
    let (patch, contact) = (study.patch(), study.friction()?);
    let ([a, b], f, n) = (patch.shape.extents(), patch.mu, patch.load);
    let printed = PrintedRectangle::new(patch);
    let spin = polar(patch, &|_, edge| edge * edge * edge / 3.0);
    let across = polar(patch, &|t, edge| libm::cos(2.0 * t) * edge);
    let pure_spin = -contact.wrench(Twist { vx: 0.0, vy: 0.0, omega: 1.0 }).mz;
    let middle = contact.pressure(Twist::default(), patch.centre);
    let mut list = vec![
        Property::new("", "pressure σ (Pa)", n / (a * b), middle, ROUNDING).printed(87.0),
        Property::new("", "M in pure spin (N m)", f * spin, pure_spin, ROUNDING).printed(printed.moment()),
    ];
    for &phi in directions {
        let (s, c) = (libm::sin(phi), libm::cos(phi));
        let degrees = phi.to_degrees().round();
        let name = |what: &str| format!("{what}, φ = {degrees}°");
        let spread = polar(patch, &|t, edge| {
            let e = libm::cos(t - phi);
            e * e * edge
        });
        let at_rest = contact.jacobian(Twist { vx: 0.0, vy: 0.0, omega: 1.0 });
        let slope =
            -(at_rest[0][0] * c * c + (at_rest[0][1] + at_rest[1][0]) * s * c + at_rest[1][1] * s * s);
        let sliding = contact.jacobian(Twist { vx: c, vy: s, omega: 0.0 });
        let square = n * (a * a * c * c + b * b * s * s) / 12.0;
        let small_v = drag(&contact, SMALL_V, phi, 1.0).across / SMALL_V;
        let small_omega = drag(&contact, 1.0, phi, SMALL_OMEGA).across / (SMALL_OMEGA * SMALL_OMEGA);
        let bend = -f * s * c * n * (a * a - b * b) / 12.0;
        list.extend([
            Property::new(
                "",
                name("F∥ in pure sliding (N)"),
                f * n,
                drag(&contact, 1.0, phi, 0.0).along,
                ROUNDING,
            ),
            Property::new("", name("ω ∂F∥/∂v at v = 0"), f * spread, slope, ROUNDING),
            Property::new("", name("v ∂M/∂ω at ω = 0"), f * square, -sliding[2][2], ROUNDING),
            Property::new("", name("(ω/v) F⊥ at v → 0"), -f * s * c * across, small_v, LIMIT),
            Property::new("", name("(v/ω)² F⊥ at ω → 0"), bend, small_omega, LIMIT),
        ]);
    }
    for (name, phi) in [("F⊥ along the length (N)", 0.0), ("F⊥ along the width (N)", FRAC_PI_2)] {
        list.push(Property::new("", name, 0.0, drag(&contact, 0.2, phi, 1.0).across, ROUNDING));
    }
    Ok(list)
}

impl Paper for PaperD {
    fn name(&self) -> &'static str {
        "paper-d"
    }

    fn cases(&self) -> &'static [Case] {
        const {
            &[
                case!("forces", "paper-d/rectangle.toml", true, &[]),
                case!("motion", "paper-d/motion.toml", false, &[]),
            ]
        }
    }

    fn figures(&self) -> &'static [&'static str] {
        &["forces", "limit-surface", "limit-sections", "motion"]
    }

    fn gallery(&self) -> &'static [&'static str] {
        &["forces"]
    }

    fn reproduce(&self, is_wanted: &dyn Fn(&str) -> bool, progress: &mut Progress) -> Reproduced {
        let mut report =
            ReportSection::new(self.name().into(), "Friction of a rectangle that slides and spins");
        for case in self.cases().iter().filter(|case| !case.is_patch && is_wanted(case.figure)) {
            let outcome = case.run(progress)?;
            report.data.push((case.figure, outcome.samples.clone()));
            report.cases.push(*case);
            report.figures.push((case.figure, Drawing::Outcome(Box::new(outcome))));
        }
        for case in self.cases().iter().filter(|case| case.is_patch) {
            let study = case.patch()?;
            let patch = study.patch();
            let printed = PrintedRectangle::new(patch);
            let mut figures = Vec::new();
            if is_wanted("forces") {
                let kinds = [Closure::Exact, Closure::Pade1].map(|c| (c, Constants::Consistent));
                let each = DIRECTIONS.iter().flat_map(|phi| kinds.iter().map(move |kind| (*kind, *phi)));
                let ratio = figure_ratios();
                let curves = each.map(|(kind, phi)| sliding(&study, kind, phi, &ratio));
                let curves = curves.collect::<Result<Vec<_>, _>>().map_err(refused)?;
                report.data.push(("forces", curve_columns(&curves)));
                let (radius, grip) = (patch.shape.radius(), patch.mu * patch.load);
                figures.push(("forces", Drawing::RectangleForces { curves, printed, radius, grip }));
            }
            let points = limit_points(&study).map_err(refused)?;
            if is_wanted("limit-surface") {
                figures.push(("limit-surface", Drawing::LimitSurface(points.clone())));
            }
            if is_wanted("limit-sections") {
                figures.push(("limit-sections", Drawing::LimitSections(points)));
            }
            report.figures.splice(0..0, figures);
            let properties = rectangle_properties(&study, &DIRECTIONS).map_err(refused)?;
            report.tables.push(CheckTable::Properties(properties));
            report.notes = vec![
                format!(
                    "as printed: I₁ = {:.4}, I₆ = {:.4}, I₃ = I₉ = 0, I₀ = {:.4} at φ = 45° and infinite otherwise,",
                    printed.i1, printed.i6, printed.i0
                ),
                "so F⊥ is zero, M constant, and F∥ can be drawn at 45° only".into(),
            ];
            report.cases.push(*case);
        }
        Ok(vec![report])
    }
}

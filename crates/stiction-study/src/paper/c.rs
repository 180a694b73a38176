//! Paper C: properties 1–7 of the disc, and the errors of its Padé models.
//!
//! All in the paper's letters: u = ωR, F₀ = fN, M₀ = πfNR/4, and dimensionless. The paper's values of the
//! transverse force in pure spin (6) and of two of the three slopes (7) do not follow from its own integrals;
//! docs/errata.md.

use super::{Case, Check, CheckTable, Drawing, Paper, Property, ReportSection, Reproduced, case, refused};
use crate::patch::{
    PatchStudy, Quantity, compare, curve_columns, drag, figure_ratios, limit_points, model_name, plan,
    section, sliding,
};
use std::f64::consts::PI;
use stiction::patch::{Closure, Constants, Patch, PatchFriction, Twist};
use stiction::{Fault, Progress};

pub(super) struct PaperC;

/// The errors of the Padé models are given in whole percents (%).
const PERCENT: f64 = 0.5;
/// Numbers that the theory makes equal differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// The worst error of a Padé model over all v/u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownError {
    /// The model.
    pub closure: Closure,
    /// Its constants.
    pub constants: Constants,
    /// The part of friction.
    pub quantity: Quantity,
    /// Percent of the largest exact value, rounded (%).
    pub percent: f64,
}

impl KnownError {
    /// What it is the error of.
    pub fn label(&self) -> String {
        format!("{}, {}", self.quantity.symbol(), model_name(self.closure, self.constants))
    }

    /// The error that was found as a fraction, beside the known one.
    pub fn check(&self, found: f64) -> Check {
        Check {
            name: format!("worst error of {} (%)", self.label()),
            printed: None,
            expected: self.percent,
            found: 100.0 * found,
            agrees: (100.0 * found - self.percent).abs() <= PERCENT,
        }
    }
}

const fn off(closure: Closure, constants: Constants, quantity: Quantity, percent: f64) -> KnownError {
    KnownError { closure, constants, quantity, percent }
}

/// The errors as they were measured by quadrature. The paper says that the models describe the integrals
/// well.
pub const KNOWN_ERRORS: [KnownError; 8] = [
    off(Closure::Pade1, Constants::Consistent, Quantity::Along, 38.0),
    off(Closure::Pade2, Constants::Consistent, Quantity::Along, 16.0),
    off(Closure::Pade1, Constants::AsPrinted, Quantity::Moment, 48.0),
    off(Closure::Pade1, Constants::Consistent, Quantity::Moment, 42.0),
    off(Closure::Pade2, Constants::AsPrinted, Quantity::Moment, 11.0),
    off(Closure::Pade2, Constants::Consistent, Quantity::Moment, 13.0),
    off(Closure::Pade1, Constants::AsPrinted, Quantity::Across, 82.0),
    off(Closure::Pade1, Constants::Consistent, Quantity::Across, 66.0),
];

/// Properties 1–7 of a disc under Galin's pressure.
pub fn disc_properties(study: &PatchStudy) -> Result<Vec<Property>, Vec<Fault>> {
    let (patch, skewed) = (study.patch(), study.friction()?);
    let flat = study.variant(Patch { height: 0.0, ..patch.clone() })?;
    let (r, h, f) = (patch.shape.radius(), patch.height, patch.mu);
    let f0 = f * patch.load;
    let m0 = PI / 4.0 * f0 * r;
    let at = |contact: &PatchFriction, u: f64, v: f64| drag(contact, v, 0.0, u / r);
    let motions = [(1.0, 0.2), (0.3, 2.0), (-1.0, 1.0), (1.0, 1e-3), (1e-3, 1.0)];
    let worst = |error: &dyn Fn(f64, f64) -> f64| {
        motions.iter().map(|(u, v)| error(*u, *v).abs()).fold(0.0, f64::max)
    };
    let scaled = |u: f64, v: f64| {
        let (a, b) = (at(&skewed, u, v), at(&skewed, 7.3 * u, 7.3 * v));
        ((a.along - b.along).abs() + (a.across - b.across).abs()) / f0 + (a.moment - b.moment).abs() / m0
    };
    // F(2) of the closed form
    let f2 = libm::asin(0.5) + 0.25 * libm::sqrt(3.0);
    let rest = 1e-30;
    let slope_v = skewed.jacobian(Twist { vx: 0.0, vy: 0.0, omega: 1.0 / r });
    let slope_u = skewed.jacobian(Twist { vx: 1.0, vy: 0.0, omega: 0.0 });
    let zero = |number, name: &str, found: f64| Property::new(number, name, 0.0, found, ROUNDING);
    let one = |number, name: &str, expected, found| Property::new(number, name, expected, found, ROUNDING);
    Ok(vec![
        zero("1", "F⊥/F₀ without skew", worst(&|u, v| at(&flat, u, v).across / f0)),
        zero(
            "2",
            "change of F∥/F₀ by the skew",
            worst(&|u, v| (at(&flat, u, v).along - at(&skewed, u, v).along) / f0),
        ),
        zero(
            "2",
            "change of M/M₀ by the skew",
            worst(&|u, v| (at(&flat, u, v).moment - at(&skewed, u, v).moment) / m0),
        ),
        zero("3", "change of all by scaling (u, v)", worst(&scaled)),
        one("4", "F∥/F₀ to rest along v = u/2", PI / 8.0, at(&skewed, rest, 0.5 * rest).along / f0),
        one("4", "F∥/F₀ to rest along v = 2u", f2, at(&skewed, rest, 2.0 * rest).along / f0),
        one("5", "F∥/(fN) in pure sliding", 1.0, at(&skewed, 0.0, 1.0).along / f0),
        one("5", "M/(fNR) in pure spin", PI / 4.0, at(&skewed, 1.0, 0.0).moment / (f0 * r)),
        zero("6", "F⊥/F₀ in pure sliding", at(&skewed, 0.0, 1.0).across / f0),
        zero("6", "F⊥/F₀ in pure spin", at(&skewed, 1.0, 0.0).across / f0).printed(0.75 * PI * h * f / r),
        one("7", "(u/F₀) ∂F∥/∂v at v = 0", PI / 4.0, -slope_v[0][0] / f0),
        one("7", "(v/M₀) ∂M/∂u at u = 0", 4.0 / (3.0 * PI), -slope_u[2][2] / r / m0).printed(1.0 / 3.0),
        one("7", "(Rv/(hfF₀)) ∂F⊥/∂u at u = 0", 1.0, -slope_u[1][2] / (h * f * f0)).printed(1.0 / 3.0),
    ])
}

impl Paper for PaperC {
    fn name(&self) -> &'static str {
        "paper-c"
    }

    fn cases(&self) -> &'static [Case] {
        const { &[case!("forces", "paper-c/disc.toml", true, &[])] }
    }

    fn figures(&self) -> &'static [&'static str] {
        &["forces", "pressure", "limit-surface", "limit-sections"]
    }

    fn gallery(&self) -> &'static [&'static str] {
        &["forces"]
    }

    fn reproduce(&self, is_wanted: &dyn Fn(&str) -> bool, progress: &mut Progress) -> Reproduced {
        let mut report = ReportSection::new(self.name().into(), "Friction of a disc that slides and spins");
        for case in self.cases() {
            let study = case.patch()?;
            let patch = study.patch();
            if is_wanted("forces") {
                let all = |closure| [Constants::Consistent, Constants::AsPrinted].map(|c| (closure, c));
                let [first, printed_first] = all(Closure::Pade1);
                let [second, printed_second] = all(Closure::Pade2);
                let exact = (Closure::Exact, Constants::Consistent);
                let kinds = [exact, first, second, printed_first, printed_second];
                let ratio = figure_ratios();
                let curves = kinds.iter().map(|kind| sliding(&study, *kind, 0.0, &ratio));
                let curves = curves.collect::<Result<Vec<_>, _>>().map_err(refused)?;
                report.data.push(("forces", curve_columns(&curves)));
                let reach = patch.height * patch.mu / patch.shape.radius();
                let drawing = Drawing::DiscForces { curves, moment_limit: PI / 4.0, reach };
                report.figures.push(("forces", drawing));
            }
            if is_wanted("pressure") {
                let (section, plan) = (section(&study).map_err(refused)?, plan(&study).map_err(refused)?);
                report.figures.push(("pressure", Drawing::Pressure { section, plan }));
            }
            let points = limit_points(&study).map_err(refused)?;
            if is_wanted("limit-surface") {
                report.figures.push(("limit-surface", Drawing::LimitSurface(points.clone())));
            }
            if is_wanted("limit-sections") {
                report.figures.push(("limit-sections", Drawing::LimitSections(points)));
            }
            progress.report(0.5)?;
            let comparison = compare(&study).map_err(refused)?;
            let found = |known: KnownError| {
                comparison.worst(known.closure, known.constants, known.quantity).unwrap_or(f64::NAN)
            };
            report.tables = vec![
                CheckTable::Properties(disc_properties(&study).map_err(refused)?),
                CheckTable::ModelErrors(KNOWN_ERRORS.iter().map(|known| (*known, found(*known))).collect()),
            ];
            report.cases.push(*case);
        }
        Ok(vec![report])
    }
}

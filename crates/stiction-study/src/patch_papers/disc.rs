//! Paper C: properties 1–7 of the disc, and the errors of its Padé models.
//!
//! All in the paper's letters: u = ωR, F₀ = fN, M₀ = πfNR/4, and dimensionless. The paper's values of the transverse force
//! in pure spin (6) and of two of the three slopes (7) do not follow from its own integrals; docs/errata.md.

use super::Property;
use crate::patch::{Quantity, drag, radius};
use std::f64::consts::PI;
use stiction::Fault;
use stiction::patch::{Closure, Constants, Contact, Patch, Twist};

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

const fn off(closure: Closure, constants: Constants, quantity: Quantity, percent: f64) -> KnownError {
    KnownError { closure, constants, quantity, percent }
}

/// The errors as they were measured by quadrature. The paper says that the models describe the integrals well.
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
pub fn disc_properties(patch: &Patch) -> Result<Vec<Property>, Vec<Fault>> {
    let skewed = patch.prepare()?;
    let flat = Patch { height: 0.0, ..patch.clone() }.prepare()?;
    let (r, h, f) = (radius(&patch.shape), patch.height, patch.mu);
    let f0 = f * patch.load;
    let m0 = PI / 4.0 * f0 * r;
    let at = |contact: &Contact, u: f64, v: f64| drag(contact, v, 0.0, u / r);
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

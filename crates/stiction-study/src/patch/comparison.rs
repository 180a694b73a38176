//! How far the Padé closures are off the exact integrals, over all ratios of sliding to spinning and all
//! directions.

use super::PatchStudy;
use super::curves::{Curve, ratios, sliding};
use serde::Serialize;
use std::f64::consts::FRAC_PI_2;
use stiction::Fault;
use stiction::patch::{Closure, Constants, Patch};

/// Ratios v/(ωR) that are searched: beyond both ends the closures have reached their limits.
const RATIOS: (f64, f64, usize) = (1e-4, 1e4, 1601);
/// Directions from 0° to 90°, both included; the others are mirror images.
const DIRECTIONS: usize = 46;
/// Below this part of μN a force is rounding (-).
const ROUNDING: f64 = 1e-12;

/// One of the three parts of friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// F∥.
    Along,
    /// F⊥.
    Across,
    /// M.
    Moment,
}

impl Quantity {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Along, Self::Across, Self::Moment];

    /// Letter of the papers.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Along => "F∥",
            Self::Across => "F⊥",
            Self::Moment => "M",
        }
    }

    fn of(self, curve: &Curve) -> &[f64] {
        match self {
            Self::Along => &curve.along,
            Self::Across => &curve.across,
            Self::Moment => &curve.moment,
        }
    }
}

/// The worst error of a closure in one part of friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Deviation {
    /// The closure.
    pub closure: Closure,
    /// Its constants.
    pub constants: Constants,
    /// The part of friction.
    pub quantity: Quantity,
    /// The worst error as a fraction of the largest exact value; none if that is zero (-).
    pub worst: Option<f64>,
    /// Where it is: v/(ωR) (-).
    pub ratio: f64,
    /// Where it is: direction of the velocity (rad).
    pub direction: f64,
}

impl Deviation {
    /// Names of closure, constants and part of friction, as files write them.
    pub fn names(&self) -> [&'static str; 3] {
        let closure = match self.closure {
            Closure::Exact => "exact",
            Closure::Pade1 => "pade1",
            Closure::Pade2 => "pade2",
        };
        let constants = match self.constants {
            Constants::Consistent => "consistent",
            Constants::AsPrinted => "as-printed",
        };
        let quantity = match self.quantity {
            Quantity::Along => "along",
            Quantity::Across => "across",
            Quantity::Moment => "moment",
        };
        [closure, constants, quantity]
    }
}

/// The worst errors of every closure that the patch has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// One for each closure, set of constants and part of friction.
    pub deviations: Vec<Deviation>,
}

impl Comparison {
    /// The worst error of a closure in a part of friction (-).
    pub fn worst(&self, closure: Closure, constants: Constants, quantity: Quantity) -> Option<f64> {
        let is_wanted =
            |d: &&Deviation| (d.closure, d.constants, d.quantity) == (closure, constants, quantity);
        self.deviations.iter().find(is_wanted)?.worst
    }
}

/// Compares the closures of a patch with the exact integrals of Coulomb's law (`mu1`, `mu2` and `width` left
/// out).
pub fn compare(study: &PatchStudy) -> Result<Comparison, Vec<Fault>> {
    let given = study.patch();
    let bare = Patch { mu1: 0.0, mu2: 0.0, width: 0.0, ..given.clone() };
    // what is prepared already is not prepared again where nothing is left out
    let other = (bare != *given).then(|| PatchStudy::from(bare.clone()));
    let study = other.as_ref().unwrap_or(study);
    let ratio = ratios(RATIOS.0, RATIOS.1, RATIOS.2);
    let directions: Vec<f64> = match bare.is_round() {
        true => vec![0.0],
        false => (0..DIRECTIONS).map(|i| FRAC_PI_2 * i as f64 / (DIRECTIONS - 1) as f64).collect(),
    };
    let all = |kind: (Closure, Constants)| -> Result<Vec<Curve>, Vec<Fault>> {
        directions.iter().map(|phi| sliding(study, kind, *phi, &ratio)).collect()
    };
    let exact = all((Closure::Exact, Constants::Consistent))?;
    let mut deviations = Vec::new();
    for closure in [Closure::Pade1, Closure::Pade2] {
        for &constants in bare.shape.constants(bare.pressure) {
            let pade = all((closure, constants))?;
            for quantity in Quantity::ALL {
                let (worst, ratio, direction) = worst(&pade, &exact, quantity);
                deviations.push(Deviation { closure, constants, quantity, worst, ratio, direction });
            }
        }
    }
    Ok(Comparison { deviations })
}

/// The worst error and where it is.
fn worst(pade: &[Curve], exact: &[Curve], quantity: Quantity) -> (Option<f64>, f64, f64) {
    let largest = exact.iter().flat_map(|curve| quantity.of(curve)).map(|v| v.abs()).fold(0.0, f64::max);
    let (mut most, mut ratio, mut direction) = (0.0, f64::NAN, f64::NAN);
    for (a, b) in pade.iter().zip(exact) {
        for (k, (x, y)) in quantity.of(a).iter().zip(quantity.of(b)).enumerate() {
            let error = (x - y).abs();
            if error > most {
                (most, ratio, direction) = (error, a.ratio[k], a.direction);
            }
        }
    }
    ((largest > ROUNDING).then(|| most / largest), ratio, direction)
}

/// A closure in words.
pub fn model_name(closure: Closure, constants: Constants) -> String {
    let order = match closure {
        Closure::Exact => return "exact".into(),
        Closure::Pade1 => "first order",
        Closure::Pade2 => "second order",
    };
    let constants = match constants {
        Constants::Consistent => "consistent",
        Constants::AsPrinted => "as printed",
    };
    format!("{order}, {constants}")
}

//! The velocities that a long step must not pass unawares: the kinks of a law, and where a smooth one begins to bend.
//!
//! Far from zero every law is flat, and steps are long. One that ends where a smooth law has just begun to bend errs more
//! than its stages can tell, for all but the last lie on the flat: tanh and the Stribeck curves cost fifty times the
//! tolerance there. A kink keeps steps from that; so do marks on smooth laws.

use crate::law::{FrictionLaw, Law, Slip};

/// Where the transition of a smooth law through zero begins, over its stick speed: beyond it tanh is 1 up to 3e-14.
const TRANSITION: f64 = 16.0;
/// A law is flat at the speed v where |v dφ/dv| is below this part of its largest value.
const FLAT: f64 = 1e-12;
/// Speeds to look at, over the stick speed: from the farthest in, by a constant factor.
const FARTHEST: f64 = 1e12;
const NEXT: f64 = 1.2;

/// The marks of a law of the velocity, ascending (m/s).
pub(super) fn marks(law: &FrictionLaw) -> Vec<f64> {
    let mut marks = law.breakpoints();
    let is_smooth = |speed: &f64| *speed > 0.0 && marks.iter().all(|b| b.abs() < *speed);
    if let Some(speed) = law.stick_speed().filter(is_smooth) {
        let transition = TRANSITION * speed;
        let edge = edge(law, FARTHEST * speed);
        // two marks side by side are one
        let inner = (edge.is_none_or(|edge| edge > 2.0 * transition)).then_some(transition);
        for speed in inner.into_iter().chain(edge) {
            marks.extend([-speed, speed]);
        }
        marks.sort_by(f64::total_cmp);
    }
    marks
}

/// The speed beyond which the law is flat, if there is one.
fn edge(law: &FrictionLaw, farthest: f64) -> Option<f64> {
    let is_flat = |v: f64| (v * law.slope(Slip::at(v))).abs() <= FLAT * law.bound();
    let mut speed = farthest;
    // ends at zero at the latest
    while speed > 0.0 && is_flat(speed) {
        speed /= NEXT;
    }
    (speed > 0.0 && speed < farthest).then_some(NEXT * speed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Linear, Stribeck, Tanh, Weakening};

    #[test]
    fn kinks_are_marked_as_they_are() {
        let law = FrictionLaw::Linear(Linear { mu: 0.3, width: 0.02, rise: Some(0.05), rise_height: None });
        assert_eq!(marks(&law), law.breakpoints());
    }

    #[test]
    fn smooth_laws_are_marked_where_they_begin_to_bend() {
        let law = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.01 });
        let [low, high] = marks(&law)[..] else { panic!("two marks") };
        assert_eq!(low, -high);
        let off = |v: f64| (1.0 - law.coefficient(Slip::at(v)) / 0.3).abs();
        assert!(off(high) < 1e-12 && off(high / 2.0) > 1e-9, "{high}");
    }

    #[test]
    fn both_bends_of_a_stribeck_curve_are_marked_and_its_kink() {
        let law = |weakening| {
            FrictionLaw::Stribeck(Stribeck { mu: 0.3, mu_static: 0.5, velocity: 1.0, width: 1e-3, weakening })
        };
        let gaussian = marks(&law(Weakening::Gaussian));
        assert!(gaussian.len() == 4 && (5.0..7.0).contains(&gaussian[3]), "{gaussian:?}");
        let exponential = marks(&law(Weakening::Exponential));
        assert!(exponential.len() == 5 && (25.0..40.0).contains(&exponential[4]), "{exponential:?}");
        // falls as 1/v and is nowhere flat
        let hyperbolic = marks(&law(Weakening::Hyperbolic));
        assert_eq!(hyperbolic, [-0.016, 0.0, 0.016]);
    }
}

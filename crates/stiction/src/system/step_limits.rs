//! The velocities that a long step must not pass unawares: the kinks of a law, and where a smooth one begins
//! to bend.
//!
//! Far from zero every law is flat, and steps are long. One that ends where a smooth law has just begun to
//! bend has a larger error than its stages can estimate, for all but the last lie on the flat: tanh and the
//! Stribeck curves cost fifty times the tolerance there. A kink keeps steps from that; so do marks on smooth
//! laws.

use crate::law::{FrictionLaw, Graph, Law, Slip};

/// Where the transition of a smooth law through zero begins, over its width: beyond it tanh is 1 up to 3e-14.
const TRANSITION: f64 = 16.0;
/// A law is flat between two speeds where it changes by less than this part of its largest value.
const FLAT: f64 = 1e-12;
/// Speeds to look at, from the farthest to the nearest by a constant factor (m/s, m/s, -).
const FARTHEST: f64 = 1e6;
const NEAREST: f64 = 1e-15;
const NEXT: f64 = 1.2;

/// The marks of a law of the velocity, ascending (m/s).
pub(super) fn marks(law: &FrictionLaw) -> Vec<f64> {
    let mut marks = law.breakpoints();
    // the last kink of these is where they become flat, or they are straight
    if law.scales().flat_beyond.is_finite() || law.graph() == Graph::Jump || law.corners().is_some() {
        return marks;
    }
    let edge = edge(law);
    let transition = law.scales().transition.map(|width| TRANSITION * width);
    // two marks side by side are one
    let transition = transition.filter(|transition| edge.is_none_or(|edge| edge > 2.0 * transition));
    for speed in transition.into_iter().chain(edge) {
        marks.extend([-speed, speed]);
    }
    marks.sort_by(f64::total_cmp);
    marks
}

/// The speed beyond which the law is flat, if there is one.
fn edge(law: &FrictionLaw) -> Option<f64> {
    // laws with memory are classified by their states: the damping of a steady state is round-off
    let steady = |v: f64| {
        let mut z = vec![0.0; law.n_states()];
        law.steady_states(v, &mut z);
        if law.has_memory() { z } else { vec![law.coefficient(Slip::at(v))] }
    };
    let sizes = if law.has_memory() { steady(FARTHEST) } else { vec![law.bound()] };
    let is_flat = |v: f64| {
        let changes = steady(NEXT * v).into_iter().zip(steady(v)).map(|(a, b)| (a - b).abs());
        changes.zip(&sizes).all(|(change, size)| change <= FLAT * size.abs())
    };
    let mut speed = FARTHEST;
    while speed > NEAREST && is_flat(speed) {
        speed /= NEXT;
    }
    (NEAREST..FARTHEST).contains(&speed).then_some(NEXT * speed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Dahl, Linear, Lugre, Stribeck, Tanh, Weakening};

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
            let (width, exponent) = (Some(1e-3), None);
            FrictionLaw::Stribeck(Stribeck {
                mu: 0.3,
                mu_static: 0.5,
                velocity: 1.0,
                width,
                weakening,
                exponent,
            })
        };
        let gaussian = marks(&law(Weakening::Gaussian));
        assert!(gaussian.len() == 4 && (5.0..7.0).contains(&gaussian[3]), "{gaussian:?}");
        let exponential = marks(&law(Weakening::Exponential));
        assert!(exponential.len() == 5 && (25.0..40.0).contains(&exponential[4]), "{exponential:?}");
        // falls as 1/v and is nowhere flat
        let hyperbolic = marks(&law(Weakening::Hyperbolic));
        assert_eq!(hyperbolic, [-0.016, 0.0, 0.016]);
    }

    #[test]
    fn laws_with_memory_are_marked_where_their_steady_state_bends() {
        assert_eq!(marks(&FrictionLaw::Dahl(Dahl { mu: 0.3, stiffness: 10.0 })), [0.0]);
        let lugre =
            Lugre { mu: 0.3, mu_static: 0.5, velocity: 0.1, stiffness: 10.0, damping: 1.0, exponent: None };
        let lugre = marks(&FrictionLaw::Lugre(lugre));
        assert!(lugre.len() == 3 && (0.5..0.7).contains(&lugre[2]), "{lugre:?}");
    }
}

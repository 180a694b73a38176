//! A curve of straight pieces as its user gives it.

use stiction::law::{Coulomb, FrictionLaw, Graph, Law, Linear, Polyline, Slip};
use stiction::{Error, Faults};

fn faults(law: Polyline) -> Vec<(String, Error)> {
    Faults::of(|faults| law.check(faults)).into_iter().map(|fault| (fault.key, fault.error)).collect()
}

/// A flat curve is Coulomb's law, one through zero the linear ramp.
#[test]
fn flat_and_ramped_curves_are_the_laws_that_have_names() {
    let coulomb = Coulomb { mu: 0.3, mu_static: Some(0.4) };
    let flat = Polyline { mu_static: Some(0.4), ..Polyline::new(&[[0.0, 0.3], [1.0, 0.3]]) };
    let ramp = Polyline::new(&[[0.0, 0.0], [0.1, 0.3]]);
    let linear = Linear { mu: 0.3, width: 0.1, rise: None, rise_height: None };
    assert_eq!(ramp.corners(), linear.corners());
    assert_eq!(ramp.scales().stick, linear.scales().stick);
    assert_eq!(flat.friction_bounds(0.0, &[]), coulomb.friction_bounds(0.0, &[]));
    for v in [-2.0, -0.07, -1e-9, 0.0, 1e-3, 0.1, 5.0] {
        for demand in [-1.0, -0.35, 0.1, 0.7] {
            let slip = Slip { v, demand, z: &[] };
            assert_eq!(flat.coefficient(slip), coulomb.coefficient(slip), "{v}");
            assert!((ramp.coefficient(slip) - linear.coefficient(slip)).abs() < 1e-16, "{v}");
        }
    }
}

#[test]
fn a_curve_over_the_speed_is_the_same_as_its_whole_graph() {
    let half = Polyline { mu_static: Some(0.5), ..Polyline::new(&[[0.0, 0.4], [0.1, 0.3], [0.5, 0.35]]) };
    let points: &[[f64; 2]] = &[
        [-0.5, -0.35],
        [-0.1, -0.3],
        [0.0, -0.4],
        [0.0, -0.5],
        [0.0, 0.5],
        [0.0, 0.4],
        [0.1, 0.3],
        [0.5, 0.35],
    ];
    let whole = Polyline::new(points);
    assert!(faults(half.clone()).is_empty() && faults(whole.clone()).is_empty());
    assert_eq!(half.corners().unwrap(), points);
    assert_eq!(whole.corners().unwrap(), points);
    assert_eq!(half.breakpoints(), whole.breakpoints());
    for v in [-3.0, -0.2, -0.01, 0.03, 0.1, 0.4, 7.0] {
        assert!((half.coefficient(Slip::at(v)) - whole.coefficient(Slip::at(v))).abs() < 1e-16, "{v}");
        assert_eq!(half.slope(Slip::at(v)), whole.slope(Slip::at(v)), "{v}");
    }
}

#[test]
fn rest_has_the_points_that_are_given_for_it() {
    let uneven = Polyline::new(&[[-0.3, -0.2], [0.0, -0.3], [0.0, 0.5], [0.0, 0.4], [0.4, 0.35]]);
    assert_eq!(uneven.graph(), Graph::SetValued);
    let hold = uneven.friction_bounds(0.0, &[]).unwrap();
    assert_eq!((hold.low, hold.high), (-0.3, 0.5));
    assert_eq!(uneven.coefficient(Slip::at(1e-300)), 0.4);
    assert_eq!(uneven.coefficient(Slip::at(-1e-300)), -0.3);
    // the first point of a curve that begins beyond rest is held down to it
    let late = Polyline::new(&[[0.1, 0.3], [0.5, 0.2]]);
    assert_eq!(late.coefficient(Slip::at(-0.05)), -0.3);
    assert_eq!(late.friction_bounds(0.0, &[]).unwrap().high, 0.3);
    assert_eq!(late.breakpoints(), [-0.5, -0.1, 0.0, 0.1, 0.5]);
}

#[test]
fn a_bad_curve_is_refused_at_its_key() {
    let good = [[0.0, 0.4], [0.1, 0.3]];
    let one = |law: Polyline| {
        let mut all = faults(law);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    };
    assert_eq!(one(Polyline::new(&good[..1])).0, "velocities");
    assert_eq!(one(Polyline::new(&[[0.0, 0.4], [0.0, 0.3]])).0, "velocities");
    let (key, error) = one(Polyline::new(&[[0.0, 0.4], [0.2, 0.3], [0.1, 0.3]]));
    assert_eq!((key.as_str(), error), ("velocities", Error::NotAscending { row: 2, of: "velocities" }));
    // a jump away from rest is none of this law's
    assert_eq!(one(Polyline::new(&[[0.0, 0.4], [0.1, 0.3], [0.1, 0.2]])).0, "velocities");
    let short = Polyline { coefficients: vec![0.4], ..Polyline::new(&good) };
    assert_eq!(one(short).0, "coefficients");
    assert!(matches!(one(Polyline::new(&[[0.0, 0.4], [0.1, -0.3]])).1, Error::Pushes { v, .. } if v == 0.1));
    assert!(matches!(one(Polyline::new(&[[-0.1, 0.4], [0.0, 0.0], [0.1, 0.3]])).1, Error::Pushes { .. }));
    assert_eq!(one(Polyline::new(&[[-0.1, -0.4], [0.1, 0.3]])).1, Error::NoPointAtRest);
    assert_eq!(one(Polyline { mu_static: Some(0.3), ..Polyline::new(&good) }).0, "mu_static");
    assert_eq!(one(Polyline { scale: f64::NAN, ..Polyline::new(&good) }).0, "scale");
    assert_eq!(one(Polyline::new(&[[0.0, f64::NAN], [0.1, 0.3]])).0, "coefficients");
    assert_eq!(one(Polyline { file: Some("curve.csv".into()), ..Polyline::new(&[]) }).0, "file");
    // nothing panics on the way to a refusal
    for law in [Polyline::new(&[]), Polyline { coefficients: vec![], ..Polyline::new(&good) }] {
        let law = FrictionLaw::Polyline(law);
        let _ = (
            law.corners(),
            law.bound(),
            law.graph(),
            law.friction_bounds(0.0, &[]),
            law.breakpoints(),
            law.stick_speed(),
        );
        assert_eq!(law.coefficient(Slip::at(0.3)), 0.0);
    }
}

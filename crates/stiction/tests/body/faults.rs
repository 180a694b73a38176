//! What is wrong with a body is said at its key, all at once.

use stiction::body::{Body, Force, InnerMass, MovingSurface, Oscillation, PathPoints};
use stiction::patch::{Disc, Patch, Pressure, Shape};
use stiction::{Error, Faults};

fn good() -> Body {
    Body::new(1.0, 0.01, Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Uniform, 0.3, 0.0))
}

fn keys(body: &Body) -> Vec<String> {
    Faults::of(|faults| body.check(faults)).into_iter().map(|fault| fault.key).collect()
}

#[test]
fn a_good_body_has_no_faults() {
    assert!(keys(&good()).is_empty());
    assert!(good().simulation(&Body::settings()).is_ok());
}

#[test]
fn every_number_is_checked_at_its_key() {
    type Change = fn(&mut Body);
    let cases: [(&[&str], Change); 25] = [
        (&["mass"], |b| b.mass = -1.0),
        (&["mass"], |b| b.mass = f64::NAN),
        (&["inertia"], |b| b.inertia = Some(0.0)),
        (&["gravity"], |b| b.gravity = -9.81),
        (&["patch.load"], |b| b.gravity = 0.0),
        (&["tilt"], |b| b.tilt = 1.6),
        (&["downhill"], |b| b.downhill = f64::INFINITY),
        (&["centre_of_mass"], |b| b.centre_of_mass = [0.0, f64::NAN]),
        (&["position"], |b| b.position = [f64::NAN, 0.0]),
        (&["angle"], |b| b.angle = f64::NAN),
        (&["velocity"], |b| b.velocity = [f64::INFINITY, 0.0]),
        (&["spin"], |b| b.spin = f64::NAN),
        (&["patch.mu"], |b| b.patch.mu = -0.1),
        (&["patch.load"], |b| b.patch.load = -3.0),
        (&["patch.width"], |b| b.patch.width = 1e-3),
        (&["patch.shape.disc.radius"], |b| b.patch.shape = Shape::Disc(Disc { radius: -1.0 })),
        (&["forces.0.omega"], |b| {
            b.forces = vec![Force { amplitude: [1.0, 0.0], ..Force::default() }];
        }),
        (&["forces.1.point", "forces.1.phase"], |b| {
            let bad = Force { point: [f64::NAN, 0.0], phase: f64::NAN, ..Force::default() };
            b.forces = vec![Force::default(), bad];
        }),
        (&["forces.0.constant", "forces.0.moment"], |b| {
            b.forces = vec![Force { constant: [0.0, f64::NAN], moment: f64::NAN, ..Force::default() }];
        }),
        (&["vibration.0.omega"], |b| b.vibration = vec![Oscillation::default()]),
        (&["inner_mass.path.0.amplitude", "inner_mass.mass"], |b| {
            let bad = Oscillation { amplitude: [f64::NAN, 0.0], omega: 1.0, phase: 0.0 };
            b.inner_mass = Some(InnerMass { mass: -1.0, path: vec![bad], ..InnerMass::default() });
        }),
        (&["inner_mass.points.period", "inner_mass.points.y"], |b| {
            let points = Some(PathPoints { period: 0.0, x: vec![0.0, 0.1], y: vec![0.0] });
            b.inner_mass = Some(InnerMass { mass: 0.1, points, ..InnerMass::default() });
        }),
        (&["inner_mass.points.x"], |b| {
            let points = Some(PathPoints { period: 1.0, x: vec![0.0; 65], y: vec![0.0; 65] });
            b.inner_mass = Some(InnerMass { mass: 0.1, points, ..InnerMass::default() });
        }),
        (&["surface.velocity", "surface.centre", "surface.spin"], |b| {
            let (velocity, centre) = ([0.0, f64::NAN], [f64::INFINITY, 0.0]);
            b.surface = Some(MovingSurface { velocity, spin: f64::INFINITY, centre });
        }),
        (&["mass", "inertia", "spin", "patch.mu"], |b| {
            b.mass = 0.0;
            b.inertia = Some(-1.0);
            b.spin = f64::NAN;
            b.patch.mu = f64::NAN;
        }),
    ];
    for (expected, change) in cases {
        let mut body = good();
        change(&mut body);
        assert_eq!(keys(&body), expected);
        assert!(body.simulation(&Body::settings()).is_err());
    }
}

#[test]
fn a_creeping_patch_is_refused_with_its_reason() {
    let mut body = good();
    body.patch.width = 0.1;
    let faults = Faults::of(|faults| body.check(faults));
    assert!(matches!(faults[0].error, Error::Unsuited { .. }));
}

#[test]
fn a_patch_without_a_load_carries_the_weight() {
    let mut body = good();
    body.tilt = 0.4;
    body.inner_mass = Some(InnerMass { mass: 0.5, ..InnerMass::default() });
    let weight = 1.5 * 9.81 * 0.4_f64.cos();
    assert!((body.loaded_patch().load / weight - 1.0).abs() < 1e-15);
    body.patch.load = 3.0;
    assert_eq!(body.loaded_patch().load, 3.0);
}

#[test]
fn what_is_not_given_has_its_default_and_what_is_unknown_is_refused() {
    let text =
        r#"{ "mass": 1.0, "inertia": 0.01, "patch": { "shape": { "disc": { "radius": 0.1 } }, "mu": 0.3 } }"#;
    assert_eq!(serde_json::from_str::<Body>(text).unwrap(), good());
    let typo = text.replacen("mass", "masse", 1);
    assert!(serde_json::from_str::<Body>(&typo).is_err());
    let again = serde_json::to_string(&good()).unwrap();
    assert_eq!(serde_json::from_str::<Body>(&again).unwrap(), good());
}

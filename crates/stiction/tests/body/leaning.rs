//! An inner mass that shifts the pressure, against patches whose pressure is set anew at every instant.

use super::loads::assert_agrees_in;
use crate::bodies::{GRAVITY, Reference, rectangle, run};
use stiction::Faults;
use stiction::body::{Body, FootLoads, InnerMass, Oscillation, PathPoints};
use stiction::patch::{Annulus, Closure, Disc, Patch, Piece, Pressure, Rectangle, Ring, Shape, Wrench};

/// A circle of the inner mass about a point beside the middle, with a faster stroke.
fn driven(mass: f64, size: f64) -> Option<InnerMass> {
    let wave = |x, y, omega, phase| Oscillation { amplitude: [size * x, size * y], omega, phase };
    let path = vec![
        wave(1.0, 0.0, 11.0, 0.0),
        wave(0.0, 0.4, 11.0, std::f64::consts::FRAC_PI_2),
        wave(0.3, 0.1, 22.0, 0.7),
    ];
    Some(InnerMass { mass, centre: [0.02, -0.005], path, shifts_pressure: true, ..InnerMass::default() })
}

/// Three feet of which the weight decides the loads.
fn three_feet() -> Body {
    let foot = |centre| Piece {
        shape: Shape::Disc(Disc { radius: 0.015 }),
        pressure: Pressure::Uniform,
        centre,
        share: 1.0,
    };
    let feet = vec![foot([0.2, 0.0]), foot([-0.1, 0.15]), foot([-0.1, -0.15])];
    let patch = Patch::new(Shape::Pieces(feet), Pressure::Uniform, 0.3, 0.0);
    Body { centre_of_mass: [0.02, 0.01], ..Body::new(1.0, 0.02, patch) }
}

/// A round plate.
fn plate(mu: f64) -> Body {
    Body::new(1.0, 0.02, Patch::new(Shape::Disc(Disc { radius: 0.2 }), Pressure::Uniform, mu, 0.0))
}

#[test]
fn sliding_agrees_with_small_steps_under_the_pressure_of_each_instant() {
    let thrown = |body: Body| Body { velocity: [2.5, -1.0], spin: 4.0, angle: 0.3, tilt: 0.1, ..body };
    let flat =
        Body { inner_mass: driven(0.4, 0.06), centre_of_mass: [0.01, 0.004], ..thrown(rectangle(0.3)) };
    assert_agrees_in(&flat, &[0.0, 0.15, 0.4], 1_000);
    let feet = Body { inner_mass: driven(0.4, 0.06), ..thrown(three_feet()) };
    assert_agrees_in(&feet, &[0.0, 0.15, 0.4], 1_000);
    let round = Body { inner_mass: driven(0.4, 0.06), centre_of_mass: [0.01, 0.004], ..thrown(plate(0.3)) };
    assert_agrees_in(&round, &[0.0, 0.15, 0.4], 1_000);
    let with_hole = |body: Body| {
        let shape = Shape::Annulus(Annulus { inner: 0.1, outer: 0.2 });
        Body { patch: Patch { shape, ..body.patch.clone() }, ..body }
    };
    assert_agrees_in(&with_hole(round.clone()), &[0.0, 0.15, 0.4], 1_000);
    // and it matters
    let at_end = |body: &Body| run(body, 0.4, &[0.4]).samples[0];
    for body in [flat, feet, round] {
        let mut fixed = body.clone();
        fixed.inner_mass.as_mut().unwrap().shifts_pressure = false;
        let (own, other) = (at_end(&body), at_end(&fixed));
        assert!((own.angle - other.angle).abs() > 1e-3, "{} {}", own.angle, other.angle);
    }
}

/// The instant at which a resting body is let go, by bisection of the load factor under the pressure of that
/// instant.
#[test]
fn rest_ends_when_the_pressure_of_that_instant_no_longer_holds() {
    let mut released = 0;
    // the largest factors of the first three are 0.88, 1.23 and 1.22
    for (body, mass, size) in [
        (rectangle(0.5), 0.5, 0.05),
        (three_feet(), 0.45, 0.045),
        (rectangle(0.3), 0.3, 0.06),
        (plate(0.3), 0.3, 0.06),
    ] {
        let body = Body { inner_mass: driven(mass, size), ..body };
        let reference = Reference::new(&body);
        let inner = body.inner_mass.clone().unwrap();
        let factor = |t: f64| {
            let (mut r, mut pull) = (inner.centre, [0.0; 2]);
            for o in &inner.path {
                let sin = (o.omega * t + o.phase).sin();
                for k in 0..2 {
                    r[k] += o.amplitude[k] * sin;
                    pull[k] += mass * o.omega * o.omega * o.amplitude[k] * sin;
                }
            }
            let wrench = Wrench { fx: pull[0], fy: pull[1], mz: r[0] * pull[1] - r[1] * pull[0] };
            reference.patch_at(t).limit_surface().unwrap().limit(wrench).factor
        };
        let steps = 1000;
        let period = std::f64::consts::TAU / 11.0;
        let at = |i: usize| period * i as f64 / steps as f64;
        let first = (1..steps).find(|i| factor(at(*i)) > 1.0);
        let events = run(&body, period, &[]).events;
        let Some(i) = first else {
            assert!(events.is_empty(), "{events:?}");
            continue;
        };
        let (mut low, mut high) = (at(i - 1), at(i));
        assert!(i > 1 && factor(low) < 1.0, "starts outside");
        released += 1;
        while high - low > 1e-13 {
            let middle = 0.5 * (low + high);
            if factor(middle) > 1.0 { high = middle } else { low = middle }
        }
        assert!((events[0].t - high).abs() < 1e-10, "{:?} for {high}", events[0]);
    }
    assert_eq!(released, 3);
}

#[test]
fn the_feet_carry_both_weights_where_they_are() {
    let body = Body { inner_mass: driven(0.4, 0.06), velocity: [1.0, 0.5], ..three_feet() };
    let loads = FootLoads::new(&body).unwrap();
    let reference = Reference::new(&body);
    for pose in run(&body, 0.3, &[0.0, 0.07, 0.2, 0.3]).samples {
        let own = loads.at(&pose).unwrap();
        let Shape::Pieces(feet) = reference.patch_at(pose.t).shape else { panic!("feet") };
        for (load, foot) in own.iter().zip(&feet) {
            assert!((load - 1.4 * GRAVITY * foot.share).abs() < 1e-12, "{own:?}");
        }
    }
}

#[test]
fn what_would_tip_or_cannot_lean_is_refused_at_its_key() {
    let message = |body: &Body| {
        let faults = Faults::of(|faults| body.check(faults));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].key, "inner_mass.shifts_pressure");
        faults[0].error.to_string()
    };
    // a stroke that lifts the far edge: 12 s/a > ½ … of the length
    let robot = |mass: f64, size: f64| Body { inner_mass: driven(mass, size), ..rectangle(0.3) };
    assert!(message(&robot(1.0, 0.2)).contains("tips"));
    assert!(Faults::of(|faults| robot(0.5, 0.06).check(faults)).is_empty());
    // the whole of a swing counts, wherever it starts: amplitude 0.5/6 of the length per share of the weight
    let stroke = |amplitude: f64| {
        let path = vec![Oscillation { amplitude: [amplitude, 0.0], omega: 5.0, phase: 0.0 }];
        let inner = InnerMass { mass: 1.0, path, shifts_pressure: true, ..InnerMass::default() };
        Body { inner_mass: Some(inner), ..rectangle(0.3) }
    };
    assert!(Faults::of(|faults| stroke(0.166).check(faults)).is_empty());
    assert!(message(&stroke(0.1675)).contains("tips"));
    // the same stroke through points
    let mut by_points = stroke(0.0);
    let x: Vec<f64> = (0..8).map(|i| 0.1675 * (std::f64::consts::TAU * f64::from(i) / 8.0).sin()).collect();
    let inner = by_points.inner_mass.as_mut().unwrap();
    (inner.path, inner.points) = (Vec::new(), Some(PathPoints { period: 1.0, y: vec![0.0; 8], x }));
    assert!(message(&by_points).contains("tips"));
    // with a height there is less to spare
    let mut high = stroke(0.12);
    assert!(Faults::of(|faults| high.check(faults)).is_empty());
    high.patch.height = 0.09;
    assert!(message(&high).contains("tips"));

    // a disc bears its load within a quarter of its radius, a ring within half of it
    for (shape, kernel) in [
        (Shape::Disc(Disc { radius: 0.3 }), 0.25 * 0.3),
        (Shape::Ring(Ring { radius: 0.3 }), 0.5 * 0.3),
        (Shape::Annulus(Annulus { inner: 0.2, outer: 0.3 }), 0.25 * (0.2 * 0.2 + 0.3 * 0.3) / 0.3),
    ] {
        // turning circles: the inner mass is half of the weight
        let circle = |radius: f64| {
            let wave = |x, y, phase| Oscillation { amplitude: [x, y], omega: 5.0, phase };
            let path = vec![wave(radius, 0.0, 0.3), wave(0.0, radius, 0.3 + std::f64::consts::FRAC_PI_2)];
            let inner = InnerMass { mass: 1.0, path, shifts_pressure: true, ..InnerMass::default() };
            let patch = Patch::new(shape.clone(), Pressure::Uniform, 0.3, 0.0);
            Body { inner_mass: Some(inner), ..Body::new(1.0, 0.02, patch) }
        };
        assert!(Faults::of(|faults| circle(2.0 * 0.997 * kernel).check(faults)).is_empty());
        assert!(message(&circle(2.0 * kernel)).contains("tips"));
        let mut fractions = circle(kernel);
        fractions.patch.closure = Closure::Pade1;
        if let Shape::Disc(_) = shape {
            assert!(message(&fractions).contains("Padé"));
        }
    }
    let mut clamped = robot(0.5, 0.06);
    clamped.patch.load = 20.0;
    assert!(message(&clamped).contains("load of its own"));
    let foot = |x| Piece {
        shape: Shape::Rectangle(Rectangle { length: 0.02, width: 0.02 }),
        pressure: Pressure::Uniform,
        centre: [x, 0.0],
        share: 1.0,
    };
    let line = Patch::new(Shape::Pieces(vec![foot(-0.1), foot(0.0), foot(0.1)]), Pressure::Uniform, 0.3, 0.0);
    let in_line = Body { inner_mass: driven(0.1, 0.01), ..Body::new(1.0, 0.02, line) };
    assert!(message(&in_line).contains("one line"));
}

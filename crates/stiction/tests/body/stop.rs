//! Sliding bodies come to a stop: when, where, and in which direction.

use crate::bodies::{GRAVITY, MASS, MU, RADIUS, Reference, body, disc, rectangle, run};
use std::f64::consts::{FRAC_PI_2, PI};
use stiction::Progress;
use stiction::body::{Body, BodyEventKind, BodyPhase, Pose};
use stiction::patch::{Annulus, Disc, Patch, Piece, Pressure, Rectangle, Ring, Shape};

/// What the final ratio is known to.
const RATIO: f64 = 1e-8;
/// Roundings of a few dozen steps.
const ROUNDING: f64 = 1e-13;

/// Final ratio of a uniform solid disc (@weidman2005 quotes 0.653).
const UNIFORM: f64 = 0.653001789;

/// v/(ωR) of the starts, with both signs of the spin.
fn starts() -> impl Iterator<Item = f64> {
    [1e-12, 1e-6, 1e-3, 0.1, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6, 1e12].into_iter().flat_map(|d| [d, -d])
}

/// The body launched with v/(ωR) = d.
fn launched(body: &Body, d: f64) -> Body {
    let v = d.abs().min(1.0);
    Body { velocity: [-0.6 * v, 0.8 * v], spin: v / (d * RADIUS), ..body.clone() }
}

fn final_ratio(body: &Body) -> f64 {
    let outcome = run(body, 1e9, &[]);
    assert_eq!(outcome.summary.phase, BodyPhase::Rest);
    assert_eq!(outcome.events.len(), 1);
    outcome.summary.ratio.unwrap()
}

/// d at which F(d) = d M(d)/ι, that is v̇/v = ω̇/ω, ι = J/(mR²).
fn balance(force: impl Fn(f64) -> f64, moment: impl Fn(f64) -> f64, iota: f64) -> f64 {
    let (mut low, mut high) = (1e-6, 1e6);
    // below the fixed point the spin falls faster and d grows
    let grows = |d: f64| d * moment(d) / iota > force(d);
    for _ in 0..200 {
        let middle = f64::sqrt(low * high);
        if grows(middle) { low = middle } else { high = middle }
    }
    low
}

#[test]
fn a_uniform_solid_disc_ends_at_the_known_ratio_from_any_start() {
    for d in starts() {
        let ratio = final_ratio(&launched(&disc(Pressure::Uniform, 0.5), d));
        assert!((ratio - UNIFORM).abs() <= RATIO, "start {d}: {ratio}");
    }
}

#[test]
fn the_final_ratio_does_not_depend_on_scale() {
    for scale in [1e-8, 1e-3, 1e3, 1e6] {
        let start = launched(&disc(Pressure::Uniform, 0.5), 2.0);
        let [vx, vy] = start.velocity.map(|v| scale * v);
        let ratio = final_ratio(&Body { velocity: [vx, vy], spin: scale * start.spin, ..start });
        assert!((ratio - UNIFORM).abs() <= RATIO, "scale {scale}: {ratio}");
    }
}

#[test]
fn a_ring_and_a_solid_disc_under_galins_pressure_end_at_one() {
    for d in starts() {
        for body in
            [body(Shape::Ring(Ring { radius: RADIUS }), Pressure::Uniform, 1.0), disc(Pressure::Galin, 0.5)]
        {
            let ratio = final_ratio(&launched(&body, d));
            assert!((ratio - 1.0).abs() <= RATIO, "{:?}, start {d}: {ratio}", body.patch.shape);
        }
    }
}

#[test]
fn galin_and_hertz_discs_end_where_the_closed_forms_balance() {
    // the table of the closed forms for discs, d ≤ 1 and beyond
    let parts = |d: f64| ((1.0 / d).min(1.0).asin(), (d * d - 1.0).max(0.0).sqrt());
    let galin_force = |d: f64| {
        let (a, q) = parts(d);
        if d <= 1.0 { PI * d / 4.0 } else { 0.5 * (d * a + q / d) }
    };
    let galin_moment = |d: f64| {
        let (a, q) = parts(d);
        if d <= 1.0 { PI / 4.0 * (1.0 - d * d / 2.0) } else { 0.25 * ((2.0 - d * d) * a + q) }
    };
    let hertz_force = |d: f64| {
        let (a, q) = parts(d);
        let inside = 3.0 * PI / 8.0 * (d - d * d * d / 4.0);
        if d <= 1.0 { inside } else { 3.0 / 16.0 * ((4.0 - d * d) * d * a + q * (2.0 + d * d) / d) }
    };
    let hertz_moment = |d: f64| {
        let (a, q) = parts(d);
        let d2 = d * d;
        if d <= 1.0 {
            3.0 * PI / 16.0 * (1.0 - d2 + 3.0 * d2 * d2 / 8.0)
        } else {
            3.0 / 64.0 * ((8.0 - 8.0 * d2 + 3.0 * d2 * d2) * a + (6.0 - 3.0 * d2) * q)
        }
    };
    for iota in [0.4, 0.5, 0.7] {
        let expected = balance(galin_force, galin_moment, iota);
        for d in [-1e-2, 0.7, 30.0] {
            let ratio = final_ratio(&launched(&disc(Pressure::Galin, iota), d));
            assert!((ratio - expected).abs() <= RATIO, "galin {iota}, start {d}: {ratio}, {expected}");
        }
    }
    for iota in [0.25, 0.3, 0.4, 0.45] {
        let expected = balance(hertz_force, hertz_moment, iota);
        for d in [-1e-2, 0.7, 30.0] {
            let ratio = final_ratio(&launched(&disc(Pressure::Hertz, iota), d));
            assert!((ratio - expected).abs() <= RATIO, "hertz {iota}, start {d}: {ratio}, {expected}");
        }
    }
}

#[test]
fn the_ratio_ends_at_infinity_for_small_and_at_zero_for_large_inertia() {
    for d in starts() {
        for iota in [0.01, 0.2, 0.249, 0.25] {
            assert_eq!(
                final_ratio(&launched(&disc(Pressure::Uniform, iota), d)),
                f64::INFINITY,
                "{iota} {d}"
            );
        }
        for iota in [0.667, 0.7, 1.0, 50.0] {
            assert_eq!(final_ratio(&launched(&disc(Pressure::Uniform, iota), d)), 0.0, "{iota} {d}");
        }
        for iota in [0.251, 0.666] {
            let ratio = final_ratio(&launched(&disc(Pressure::Uniform, iota), d));
            assert!(ratio > 0.01 && ratio < 100.0, "{iota} {d}: {ratio}");
        }
        // the pressure of a sphere moves the upper border to 1/2, where the limit is still 0
        assert_eq!(final_ratio(&launched(&disc(Pressure::Hertz, 0.5), d)), 0.0, "{d}");
    }
}

#[test]
fn an_annulus_ends_where_quadrature_balances() {
    let (inner, outer, iota) = (0.5, 1.0, 0.6);
    // mean over the annulus of the direction of motion, by the midpoint rule in area and angle
    let n = 600;
    let mean = |d: f64, moment: bool| {
        let mut sum = 0.0;
        for i in 0..n {
            let r2 = inner * inner + (outer * outer - inner * inner) * (i as f64 + 0.5) / n as f64;
            let r = f64::sqrt(r2);
            for k in 0..n {
                let y = r * (PI * (k as f64 + 0.5) / n as f64).cos();
                let speed = (d * d + r2 - 2.0 * d * y).sqrt();
                sum += if moment { r2 - d * y } else { d - y } / speed;
            }
        }
        sum / (n * n) as f64
    };
    let expected = balance(|d| mean(d, false), |d| mean(d, true), iota);
    let annulus = Shape::Annulus(Annulus { inner: inner * RADIUS, outer: outer * RADIUS });
    for d in [-1e-4, 0.3, 40.0] {
        let ratio = final_ratio(&launched(&body(annulus.clone(), Pressure::Uniform, iota), d));
        // the midpoint rule meets the centre of rotation inside the annulus
        assert!((ratio - expected).abs() <= 1e-4, "start {d}: {ratio}, quadrature {expected}");
    }
}

#[test]
fn pure_sliding_obeys_the_closed_forms() {
    let decelerated = MU * GRAVITY;
    for shape in [
        Shape::Disc(Disc { radius: RADIUS }),
        Shape::Ring(Ring { radius: RADIUS }),
        Shape::Annulus(Annulus { inner: 0.05, outer: RADIUS }),
        Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 }),
    ] {
        for v in [1e-6, 0.3, 40.0] {
            let start = Body { velocity: [0.6 * v, -0.8 * v], ..body(shape.clone(), Pressure::Uniform, 0.3) };
            let s = run(&start, 1e3, &[]).summary;
            let (stop, way) = (v / decelerated, v * v / (2.0 * decelerated));
            assert!((s.stop_time.unwrap() / stop - 1.0).abs() <= ROUNDING, "{shape:?} {v}");
            assert!((s.path / way - 1.0).abs() <= ROUNDING, "{shape:?} {v}");
            assert!((s.displacement[0] / (0.6 * way) - 1.0).abs() <= ROUNDING, "{shape:?} {v}");
            assert!(s.deflection.abs() <= ROUNDING && s.transverse.abs() <= ROUNDING * way);
            assert_eq!((s.stops, s.ratio), (1, Some(f64::INFINITY)));
            assert!((s.initial_energy / (0.5 * MASS * v * v) - 1.0).abs() <= ROUNDING);
        }
    }
}

#[test]
fn pure_spin_obeys_the_closed_forms() {
    // moment of friction at rest of translation, per μNR
    for (pressure, moment) in
        [(Pressure::Uniform, 2.0 / 3.0), (Pressure::Galin, PI / 4.0), (Pressure::Hertz, 3.0 * PI / 16.0)]
    {
        for spin in [-1e-3, 7.0, 300.0] {
            let start = Body { spin, ..disc(pressure, 0.5) };
            let s = run(&start, 1e3, &[]).summary;
            let slowed = moment * MU * GRAVITY / (0.5 * RADIUS);
            let (stop, turns) = (spin.abs() / slowed, spin * spin.abs() / (2.0 * slowed) / (2.0 * PI));
            assert!((s.stop_time.unwrap() / stop - 1.0).abs() <= ROUNDING, "{pressure:?} {spin}");
            assert!((s.turns / turns - 1.0).abs() <= ROUNDING, "{pressure:?} {spin}");
            assert_eq!((s.path, s.displacement, s.ratio), (0.0, [0.0; 2], Some(0.0)));
        }
    }
}

#[test]
fn translation_and_spin_stop_together_and_the_body_then_rests_bit_by_bit() {
    let start = Body { velocity: [1.0, 0.5], spin: 12.0, angle: 0.3, ..rectangle(0.4) };
    let times: Vec<f64> = (0..4000).map(|i| 1e-3 * i as f64).collect();
    let outcome = run(&start, 4.0, &times);
    let stop = outcome.summary.stop_time.unwrap();
    assert!((0.1..3.0).contains(&stop));
    let last = outcome.samples.last().unwrap();
    for s in &outcome.samples {
        let t = s.twist;
        if s.t < stop {
            assert!(t.vx.hypot(t.vy) > 0.0 && t.omega.abs() > 0.0, "t = {}", s.t);
        } else {
            assert_eq!([t.vx, t.vy, t.omega], [0.0; 3]);
            assert_eq!([s.x, s.y, s.angle].map(f64::to_bits), [last.x, last.y, last.angle].map(f64::to_bits));
        }
    }
    assert_eq!(outcome.events[0].kind, BodyEventKind::Stop);
}

#[test]
fn the_way_of_a_disc_agrees_with_small_steps_in_momenta() {
    for (pressure, d) in
        [(Pressure::Uniform, 0.5), (Pressure::Uniform, 3.0), (Pressure::Galin, 0.2), (Pressure::Hertz, 1.5)]
    {
        let start = launched(&disc(pressure, 0.5), d);
        agrees(&start, 0.9, 4_000, 1e-10);
    }
}

#[test]
fn the_way_of_other_shapes_agrees_with_small_steps_in_momenta() {
    let ring = body(Shape::Ring(Ring { radius: RADIUS }), Pressure::Uniform, 1.0);
    agrees(&launched(&ring, 0.3), 0.9, 4_000, 1e-10);
    let annulus = body(Shape::Annulus(Annulus { inner: 0.06, outer: RADIUS }), Pressure::Uniform, 0.6);
    agrees(&launched(&annulus, 3.0), 0.9, 4_000, 1e-10);
    let plate = Body { velocity: [1.0, 0.4], spin: 6.0, angle: FRAC_PI_2 / 3.0, ..rectangle(1.0) };
    agrees(&plate, 0.9, 4_000, 1e-10);
    let foot = |centre| {
        let shape = Shape::Disc(Disc { radius: 0.01 });
        Piece { shape, pressure: Pressure::Uniform, centre, share: 1.0 }
    };
    let feet = Shape::Pieces(vec![foot([0.2, 0.0]), foot([-0.1, 0.15]), foot([-0.1, -0.15])]);
    let tripod = Body { patch: Patch::new(feet, Pressure::Uniform, 0.4, 0.0), ..plate.clone() };
    agrees(&tripod, 0.9, 4_000, 1e-8);
    let offset = Body { centre_of_mass: [0.05, -0.03], position: [2.0, 1.0], ..plate };
    agrees(&offset, 0.9, 4_000, 1e-10);
}

/// Compares at four times up to a part of the stop time; beyond, small steps lose their order.
fn agrees(body: &Body, part: f64, n: usize, tolerance: f64) {
    let stop = run(body, 1e3, &[]).summary.stop_time.unwrap();
    let times = [0.0, 0.25, 0.5, 0.75, 1.0].map(|x| x * part * stop);
    let samples = run(body, 1e3, &times).samples;
    let reference = Reference::new(body);
    let mut z = reference.momenta(0.0, &samples[0]);
    for i in 1..times.len() {
        z = reference.advance(z, times[i - 1], times[i], n);
        let distance = reference.distance(&z, &samples[i]);
        assert!(
            distance <= tolerance,
            "{:?} at {} of {stop} s: off by {distance}",
            body.patch.shape,
            times[i]
        );
    }
}

#[test]
fn a_looser_tolerance_does_not_move_the_stop() {
    let start = launched(&disc(Pressure::Uniform, 0.5), 0.7);
    let fine = run(&start, 10.0, &[]).summary;
    let coarse = stiction::ode::Adaptive { rtol: 1e-10, atol: 1e-12, ..Body::settings() };
    let coarse = start.simulation(&coarse).unwrap().run(10.0, &[], &mut Progress::none()).unwrap().summary;
    assert!((coarse.stop_time.unwrap() / fine.stop_time.unwrap() - 1.0).abs() <= 1e-10);
    assert!((coarse.path / fine.path - 1.0).abs() <= 1e-10);
    assert!((coarse.ratio.unwrap() - fine.ratio.unwrap()).abs() <= 1e-14);
}

#[test]
fn samples_of_a_run_are_where_steps_that_end_there_lead_to() {
    let disc = Body { velocity: [1.0, 0.2], spin: 30.0, ..disc(Pressure::Uniform, 0.5) };
    let tilted = Body { tilt: 0.1, downhill: 0.4, ..disc.clone() };
    let off_centre = Body { centre_of_mass: [0.01, -0.02], ..disc.clone() };
    for body in [disc, tilted, off_centre] {
        // many in a step, many at rest, and more than one report of progress takes
        let times: Vec<f64> = (0..700).map(|i| 0.0021 * f64::from(i)).collect();
        let samples = run(&body, 1.5, &times).samples;
        assert_eq!(samples.len(), times.len());
        let mut steps = body.simulation(&Body::settings()).expect("a sound body");
        for (t, sample) in times.into_iter().zip(samples) {
            while steps.t() < t {
                steps.step(t).expect("a step");
            }
            let pose = steps.state();
            let numbers = |p: &Pose| {
                let Pose { x, y, angle, twist, friction, .. } = *p;
                [x, y, angle, twist.vx, twist.vy, twist.omega, friction.fx, friction.fy, friction.mz]
            };
            assert_eq!(sample.t, t);
            for (k, (a, b)) in numbers(&sample).into_iter().zip(numbers(&pose)).enumerate() {
                // both find the same place of the same step: rounding of t, times the rates, of which that of
                // the forces grows towards the stop
                let scale = if k < 6 { 30.0 } else { 1e3 };
                assert!((a - b).abs() < 1e-13 * scale, "t = {t}, number {k}: {a} {b}");
            }
        }
    }
}

//! Bodies at rest, and how they leave it.

use crate::bodies;
use crate::bodies::{GRAVITY, MASS, MU, RADIUS, Reference, body, disc, rectangle, run};
use stiction::Progress;
use stiction::body::{Axes, Body, BodyEventKind, BodyPhase, Force, InnerMass, Oscillation};
use stiction::patch::{Annulus, Disc, Pressure, Rectangle, Ring, Shape, Twist, Wrench};

/// Roundings of an onset and of some hundred steps after it.
const ROUNDING: f64 = 1e-11;
/// What is left undone of the first instants of a motion, as a part of the whole.
const ONSET: f64 = 1e-9;

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Disc(Disc { radius: RADIUS }),
        Shape::Ring(Ring { radius: RADIUS }),
        Shape::Annulus(Annulus { inner: 0.05, outer: RADIUS }),
        Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 }),
    ]
}

/// A force and a moment on the reference point.
fn push(fx: f64, fy: f64, moment: f64) -> Force {
    Force { constant: [fx, fy], moment, ..Force::default() }
}

#[test]
fn under_99_9_percent_of_the_limit_load_nothing_moves_for_a_million_seconds() {
    for shape in shapes() {
        let still = Body { position: [0.7, -0.2], angle: 0.4, ..body(shape, Pressure::Uniform, 0.5) };
        let surface = still.loaded_patch().limit_surface().unwrap();
        for [fx, fy, mz] in [[1.0, 0.0, 0.0], [0.3, -0.8, 0.1], [0.0, 0.0, -1.0], [-1.0, 1.0, 0.05]] {
            let factor = surface.limit(Wrench { fx, fy, mz }).factor;
            let c = 0.999 / factor;
            let held = Force { axes: Axes::Body, ..push(c * fx, c * fy, c * mz) };
            // the same as a harmonic load, which reaches 99.9 % in every period
            let shaken = Force {
                amplitude: held.constant,
                moment_amplitude: held.moment,
                omega: 6.0,
                axes: Axes::Body,
                ..Force::default()
            };
            for force in [held, shaken] {
                let loaded = Body { forces: vec![force], ..still.clone() };
                let outcome = run(&loaded, 1e6, &[0.0, 1.0, 5e5, 1e6]);
                assert!(outcome.events.is_empty());
                for s in &outcome.samples {
                    assert_eq!([s.x, s.y, s.angle].map(f64::to_bits), [0.7, -0.2, 0.4].map(f64::to_bits));
                    assert_eq!(s.twist, Twist::default());
                }
                assert_eq!(outcome.summary.path, 0.0);
            }
            let c = 1.001 / factor;
            let moved = Body {
                forces: vec![Force { axes: Axes::Body, ..push(c * fx, c * fy, c * mz) }],
                ..still.clone()
            };
            assert_eq!(run(&moved, 1e-3, &[]).events[0].kind, BodyEventKind::Start);
        }
    }
}

#[test]
fn friction_at_rest_is_what_holds_the_body() {
    let held = Body {
        centre_of_mass: [0.1, 0.0],
        tilt: 0.1,
        downhill: 0.5,
        angle: 0.3,
        forces: vec![push(0.2, -0.4, 0.05)],
        ..rectangle(0.5)
    };
    let state = run(&held, 1.0, &[1.0]).samples[0];
    let pull = GRAVITY * 0.1_f64.sin();
    let weight = [pull * 0.5_f64.cos(), pull * 0.5_f64.sin()];
    let arm = bodies::turned(0.3, [0.1, 0.0]);
    let expected = [-0.2 - weight[0], 0.4 - weight[1], -0.05 - (arm[0] * weight[1] - arm[1] * weight[0])];
    for (found, expected) in [state.friction.fx, state.friction.fy, state.friction.mz].iter().zip(expected) {
        assert!((found - expected).abs() <= ROUNDING);
    }
}

#[test]
fn a_block_rests_on_a_gentle_incline_and_slides_down_a_steep_one() {
    let critical = MU.atan();
    for shape in shapes() {
        for (excess, direction) in [(-1e-9, 0.0), (-0.1, 2.0), (1e-4, 0.9), (0.2, -2.5)] {
            let block = Body {
                tilt: critical + excess,
                downhill: direction,
                angle: 0.2,
                ..body(shape.clone(), Pressure::Uniform, 0.5)
            };
            let outcome = run(&block, 3.0, &[]);
            let s = &outcome.summary;
            if excess < 0.0 {
                assert_eq!((s.phase, s.path), (BodyPhase::Rest, 0.0));
                continue;
            }
            let tilt = block.tilt;
            let pull = GRAVITY * (tilt.sin() - MU * tilt.cos());
            let way = 0.5 * pull * 9.0;
            assert!((s.path / way - 1.0).abs() <= ONSET, "{shape:?} {excess}: {} {way}", s.path);
            let [x, y] = s.displacement.map(|d| d / way);
            assert!((x - direction.cos()).abs() <= ONSET && (y - direction.sin()).abs() <= ONSET);
            assert_eq!((outcome.events.len(), outcome.events[0].t), (1, 0.0));
        }
    }
}

#[test]
fn a_body_sent_uphill_stops_and_comes_back() {
    let tilt = 0.5_f64;
    let disc = Body { tilt, velocity: [-1.0, 0.0], ..disc(Pressure::Uniform, 0.5) };
    let outcome = run(&disc, 2.0, &[]);
    let up = GRAVITY * (tilt.sin() + MU * tilt.cos());
    let down = GRAVITY * (tilt.sin() - MU * tilt.cos());
    let (stop, start) = (outcome.events[0], outcome.events[1]);
    assert_eq!((stop.kind, start.kind, outcome.events.len()), (BodyEventKind::Stop, BodyEventKind::Start, 2));
    assert_eq!(stop.t, start.t);
    assert!((stop.t * up - 1.0).abs() <= ROUNDING);
    assert!(stop.motion.vx < 0.0 && start.motion.vx > 0.0);
    let rest = 2.0 - 1.0 / up;
    let x = 0.5 * down * rest * rest - 0.5 / up;
    assert!((outcome.summary.displacement[0] / x - 1.0).abs() <= ONSET);
}

#[test]
fn an_off_centre_push_turns_the_body_the_right_way() {
    for (point, sign) in [([0.0, 0.08], -1.0), ([0.0, -0.08], 1.0)] {
        let force = Force { constant: [4.0, 0.0], point, axes: Axes::Body, ..Force::default() };
        let pushed = Body { forces: vec![force], ..rectangle(0.3) };
        let outcome = run(&pushed, 0.05, &[0.05]);
        let start = outcome.events[0];
        assert_eq!((start.kind, start.t), (BodyEventKind::Start, 0.0));
        assert!(start.motion.vx > 0.0 && sign * start.motion.omega > 0.0);
        let end = outcome.samples[0];
        assert!(end.x > 0.0 && sign * end.angle > 0.0 && sign * end.twist.omega > 0.0);
    }
}

#[test]
fn the_first_acceleration_balances_the_load_and_its_own_friction() {
    for shape in shapes() {
        for [fx, fy, mz] in [[7.0, 0.0, 0.1], [3.0, -6.0, -0.4], [0.0, 0.1, 2.0], [4.0, 4.0, 1.5]] {
            let pushed = Body {
                centre_of_mass: [0.02, 0.01],
                forces: vec![push(fx, fy, mz)],
                ..body(shape.clone(), Pressure::Uniform, 0.4)
            };
            // so early that the load still acts as at the start
            let t = 1e-7;
            let outcome = run(&pushed, t, &[t]);
            let twist = outcome.samples[0].twist;
            let a = Twist { vx: twist.vx / t, vy: twist.vy / t, omega: twist.omega / t };
            let w = pushed.loaded_patch().prepare().unwrap().wrench(a);
            let centre = a.at(pushed.centre_of_mass);
            let force = [MASS * centre.vx - w.fx - fx, MASS * centre.vy - w.fy - fy];
            let arm = pushed.centre_of_mass;
            let moment = pushed.inertia.unwrap() * a.omega + MASS * (arm[0] * centre.vy - arm[1] * centre.vx)
                - w.mz
                - mz;
            assert!(
                force[0].abs().max(force[1].abs()).max(moment.abs() / RADIUS) <= 1e-5,
                "{shape:?} {force:?} {moment}"
            );
        }
    }
}

/// A block pushed by F sin ωt through its centre: onset, speed and stop in closed form.
#[test]
fn a_harmonic_push_moves_a_block_as_the_closed_form_says() {
    let (push, omega) = (9.0, 4.0);
    let held = MU * MASS * GRAVITY;
    let force = Force { amplitude: [push, 0.0], omega, ..Force::default() };
    let block = Body { forces: vec![force], ..disc(Pressure::Galin, 0.5) };
    let start = (held / push).asin() / omega;
    let speed =
        |t: f64| (push / omega * ((omega * start).cos() - (omega * t).cos()) - held * (t - start)) / MASS;
    // the stop, by bisection after the peak of the speed
    let (mut low, mut high) =
        (std::f64::consts::PI / omega - start, start + 2.0 * std::f64::consts::PI / omega);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if speed(middle) > 0.0 { low = middle } else { high = middle }
    }
    let times = [0.5 * (start + low), 0.9 * low];
    let outcome = run(&block, 1.0, &times);
    let events = &outcome.events;
    assert_eq!((events[0].kind, events[1].kind), (BodyEventKind::Start, BodyEventKind::Stop));
    assert!((events[0].t / start - 1.0).abs() <= ROUNDING, "start {} {start}", events[0].t);
    assert!((events[1].t / low - 1.0).abs() <= ROUNDING, "stop {} {low}", events[1].t);
    for (sample, t) in outcome.samples.iter().zip(times) {
        assert!((sample.twist.vx / speed(t) - 1.0).abs() <= ONSET, "{} {}", sample.twist.vx, speed(t));
        assert!(sample.twist.omega.abs() <= ROUNDING);
    }
}

#[test]
fn the_first_exit_is_not_missed_however_short() {
    // two incommensurate frequencies whose sum exceeds the limit for a short while only
    let held = MU * MASS * GRAVITY;
    let wave = |part: f64, omega| Force { amplitude: [part * held, 0.0], omega, ..Force::default() };
    let block = Body { forces: vec![wave(0.6, 3.0), wave(0.4004, 7.1)], ..disc(Pressure::Galin, 0.5) };
    let load = |t: f64| 0.6 * (3.0 * t).sin() + 0.4004 * (7.1 * t).sin();
    let outcome = run(&block, 300.0, &[]);
    // the first time by brute force: steps far shorter than any visit outside
    let n = 30_000_000;
    let first = (0..n).map(|i| 1e-5 * i as f64).find(|t| load(*t).abs() > 1.0).unwrap();
    let start = outcome.events[0];
    assert_eq!(start.kind, BodyEventKind::Start);
    assert!(start.t <= first && first - start.t <= 1e-5, "{} {first}", start.t);
    assert_eq!(start.motion.vx.signum(), load(first).signum());
}

#[test]
fn a_load_that_only_touches_the_limit_does_not_move_the_body() {
    let held = MU * MASS * GRAVITY;
    let touch = Force { amplitude: [held * (1.0 - 1e-13), 0.0], omega: 5.0, ..Force::default() };
    let block = Body { forces: vec![touch], ..disc(Pressure::Galin, 0.5) };
    assert_eq!(run(&block, 50.0, &[]).summary.path, 0.0);
    // and one that visits the outside for an instant moves it by next to nothing, there and back
    let visit = Force { amplitude: [held * (1.0 + 1e-6), 0.0], omega: 5.0, ..Force::default() };
    let s = run(&Body { forces: vec![visit], ..block }, 50.0, &[]).summary;
    assert!(s.path > 0.0 && s.path < 1e-9 && s.stops > 70, "{s:?}");
}

#[test]
fn every_kind_of_load_can_hold_and_release_a_body() {
    let shake = |amplitude: f64| Body {
        vibration: vec![Oscillation { amplitude: [amplitude, 0.0], omega: 20.0, phase: 0.1 }],
        ..disc(Pressure::Uniform, 0.5)
    };
    let drive = |amplitude: f64| Body {
        inner_mass: Some(InnerMass {
            mass: 0.5,
            centre: [0.02, 0.0],
            path: vec![
                Oscillation { amplitude: [amplitude, 0.0], omega: 20.0, phase: 0.0 },
                Oscillation { amplitude: [0.0, amplitude], omega: 20.0, phase: 1.0 },
            ],
            ..InnerMass::default()
        }),
        ..disc(Pressure::Uniform, 0.5)
    };
    // μg = 2.943 m/s² against 400/s² a of the plane, and 0.2 of that from the inner mass
    for (body, moves) in
        [(shake(0.0073), false), (shake(0.0074), true), (drive(0.02), false), (drive(0.06), true)]
    {
        let outcome = run(&body, 10.0, &[]);
        assert_eq!(!outcome.events.is_empty(), moves);
        assert_eq!(outcome.summary.path > 0.0, moves);
        if outcome.events.first().is_some_and(|e| e.t > 0.0) {
            // at the start the held wrench lies on the limit surface
            let t = outcome.events[0].t;
            let w = body
                .simulation(&Body::settings())
                .unwrap()
                .run(t, &[t], &mut Progress::none())
                .unwrap()
                .samples[0]
                .friction;
            let factor = body.loaded_patch().limit_surface().unwrap().limit(w).factor;
            assert!((factor - 1.0).abs() <= 1e-9, "{factor}");
        }
    }
}

#[test]
fn an_off_centre_harmonic_push_agrees_with_small_steps_from_rest() {
    let force =
        Force { amplitude: [4.0, 1.0], omega: 5.0, point: [0.1, 0.05], axes: Axes::Body, ..Force::default() };
    let body = Body { forces: vec![force], centre_of_mass: [0.02, 0.0], ..rectangle(0.3) };
    let times = [0.0, 0.2, 0.3, 0.45];
    let outcome = run(&body, 0.45, &times);
    assert_eq!(outcome.events.len(), 1);
    // friction that creeps at up to 1e-5 m/s, with steps that are stable for it
    let reference = Reference::creeping(&body, 1e-5);
    let mut z = reference.momenta(0.0, &outcome.samples[0]);
    for i in 1..times.len() {
        z = reference.advance(z, times[i - 1], times[i], 100_000);
        let distance = reference.distance(&z, &outcome.samples[i]);
        assert!(distance <= 2e-5, "t = {}: {distance}", times[i]);
    }
    assert!(outcome.samples[3].twist.omega.abs() > 0.1 && outcome.samples[3].twist.vx > 0.1);
}

//! Loads on a sliding body: forces, inclines, vibrating planes, driven masses.

use crate::bodies::{GRAVITY, Reference, disc, rectangle, run, turned};
use std::f64::consts::FRAC_PI_2;
use stiction::Error;
use stiction::Progress;
use stiction::body::{Axes, Body, BodyEventKind, Force, InnerMass, Oscillation, PathPoints};
use stiction::ode::Adaptive;
use stiction::patch::{Closure, Disc, Patch, Pressure, Shape, Twist};

/// Error of small Runge–Kutta steps and of ten thousand roundings.
const AGREES: f64 = 1e-9;

fn everything() -> Body {
    let constant = Force { constant: [2.0, 1.0], moment: -0.1, point: [0.1, 0.05], ..Force::default() };
    let harmonic = Force {
        amplitude: [1.0, -2.0],
        moment_amplitude: 0.2,
        omega: 9.0,
        phase: 0.4,
        point: [-0.05, 0.1],
        axes: Axes::Body,
        ..Force::default()
    };
    Body {
        centre_of_mass: [0.04, -0.02],
        tilt: 0.2,
        downhill: 1.0,
        forces: vec![constant, harmonic],
        vibration: vec![
            Oscillation { amplitude: [0.01, 0.0], omega: 13.0, phase: 0.2 },
            Oscillation { amplitude: [0.002, 0.01], omega: 17.0, phase: 0.0 },
        ],
        inner_mass: Some(InnerMass {
            mass: 0.3,
            centre: [-0.05, 0.02],
            path: vec![
                Oscillation { amplitude: [0.06, 0.01], omega: 11.0, phase: 0.0 },
                Oscillation { amplitude: [0.0, 0.05], omega: 14.0, phase: 0.7 },
            ],
            ..InnerMass::default()
        }),
        position: [0.3, -0.4],
        angle: 0.6,
        velocity: [2.0, -1.0],
        spin: 5.0,
        ..rectangle(0.3)
    }
}

/// Nothing but its inner mass drives it.
fn robot() -> Body {
    Body { forces: Vec::new(), vibration: Vec::new(), tilt: 0.0, ..everything() }
}

#[test]
fn all_loads_together_agree_with_small_steps_in_momenta() {
    assert_agrees(&everything(), &[0.0, 0.1, 0.25, 0.4, 0.6]);
}

/// Asserts that a body that slides all the time moves as small steps in momenta say.
pub(super) fn assert_agrees(body: &Body, times: &[f64]) {
    assert_agrees_in(body, times, 4_000);
}

/// The same in so many steps from one time to the next.
pub(super) fn assert_agrees_in(body: &Body, times: &[f64], n_steps: usize) {
    let outcome = run(body, times[times.len() - 1], times);
    assert!(outcome.events.is_empty());
    let reference = Reference::new(body);
    let mut z = reference.momenta(0.0, &outcome.samples[0]);
    for i in 1..times.len() {
        z = reference.advance(z, times[i - 1], times[i], n_steps);
        let distance = reference.distance(&z, &outcome.samples[i]);
        assert!(distance <= AGREES, "t = {}: {distance} {body:?}", times[i]);
    }
}

#[test]
fn a_disc_that_looks_the_same_from_all_sides_agrees_with_small_steps_in_momenta() {
    // many samples in a step, and loads that do not turn with the body
    let times: Vec<f64> = (0..=30).map(|i| 0.01 * f64::from(i)).collect();
    let push =
        Force { constant: [0.5, 1.0], amplitude: [1.0, -2.0], omega: 9.0, moment: 0.02, ..Force::default() };
    let vibration = vec![Oscillation { amplitude: [0.01, 0.002], omega: 13.0, phase: 0.2 }];
    for pressure in [Pressure::Uniform, Pressure::Hertz] {
        let bare = Body { angle: 0.6, velocity: [2.0, -1.0], spin: 25.0, ..disc(pressure, 0.5) };
        for body in [
            bare.clone(),
            Body { tilt: 0.1, downhill: 1.0, ..bare.clone() },
            Body { forces: vec![push.clone()], ..bare.clone() },
            Body { vibration: vibration.clone(), ..bare.clone() },
            // one that does not: the force goes with the body
            Body { forces: vec![Force { axes: Axes::Body, ..push.clone() }], ..bare.clone() },
        ] {
            assert_agrees_in(&body, &times, 200);
        }
    }
}

#[test]
fn each_load_alone_agrees_with_small_steps_in_momenta() {
    let all = everything();
    let bare = Body {
        forces: vec![],
        vibration: vec![],
        inner_mass: None,
        tilt: 0.0,
        centre_of_mass: [0.0; 2],
        ..all.clone()
    };
    for body in [
        Body { tilt: all.tilt, ..bare.clone() },
        Body { forces: all.forces[..1].to_vec(), ..bare.clone() },
        Body { forces: all.forces[1..].to_vec(), ..bare.clone() },
        Body { vibration: all.vibration.clone(), ..bare.clone() },
        Body { inner_mass: all.inner_mass.clone(), ..bare.clone() },
        Body { centre_of_mass: all.centre_of_mass, ..bare.clone() },
    ] {
        assert_agrees(&body, &[0.0, 0.3]);
    }
}

/// (13) of paper D with the term that it loses: φ̇ = F⊥/(m v) − ω, φ the angle of the velocity in body axes.
#[test]
fn the_path_of_a_rectangle_bends_as_its_transverse_force_says() {
    let body = Body { velocity: [3.0, 1.2], spin: 10.0, ..rectangle(1.0) };
    let h = 1e-4;
    let times: Vec<f64> = (1..20).flat_map(|i| [-h, 0.0, h].map(|d| 0.01 * i as f64 + d)).collect();
    let samples = run(&body, 0.25, &times).samples;
    let contact = body.loaded_patch().prepare().unwrap();
    let mut largest: f64 = 0.0;
    for three in samples.chunks(3) {
        let phi = |s: &stiction::body::Pose| {
            let [x, y] = turned(-s.angle, [s.twist.vx, s.twist.vy]);
            y.atan2(x)
        };
        let rate = (phi(&three[2]) - phi(&three[0])) / (2.0 * h);
        let s = &three[1];
        let [vx, vy] = turned(-s.angle, [s.twist.vx, s.twist.vy]);
        let v = vx.hypot(vy);
        let w = contact.wrench(Twist { vx, vy, omega: s.twist.omega });
        let across = (vx * w.fy - vy * w.fx) / v;
        // central differences
        assert!((rate - (across / (body.mass * v) - s.twist.omega)).abs() <= 1e-5, "t = {}", s.t);
        largest = largest.max(across.abs());
    }
    assert!(largest > 0.1, "the force across the velocity is {largest} N at most");
    let s = run(&body, 10.0, &[]).summary;
    assert!(s.transverse.abs() > 1e-3, "{} m", s.transverse);
    // a disc goes straight
    let straight = Body { patch: disc(Pressure::Uniform, 0.5).patch, ..body };
    assert!(run(&straight, 10.0, &[]).summary.transverse.abs() <= 1e-12);
}

#[test]
fn without_friction_a_driven_mass_moves_the_body_against_itself() {
    let mut body = robot();
    body.patch.mu = 0.0;
    let times: Vec<f64> = (0..=20).map(|i| 0.1 * i as f64).collect();
    let outcome = run(&body, 2.0, &times);
    let reference = Reference::new(&body);
    let before = reference.momenta(0.0, &outcome.samples[0]);
    for s in &outcome.samples {
        let z = reference.momenta(s.t, s);
        for k in 3..6 {
            assert!((z[k] - before[k]).abs() <= 1e-11, "component {k} at {} s", s.t);
        }
    }
    assert_eq!(outcome.summary.friction_loss, 0.0);
}

#[test]
fn the_momentum_of_a_robot_changes_by_the_impulse_of_friction() {
    let mut body = robot();
    body.velocity = [3.0, 1.0];
    // Simpson's rule over the friction of the samples
    let n = 2000;
    let h = 0.4 / n as f64;
    let times: Vec<f64> = (0..=n).map(|i| h * i as f64).collect();
    let outcome = run(&body, 0.4, &times);
    let reference = Reference::new(&body);
    let [first, last] = [0, n].map(|i| reference.momenta(times[i], &outcome.samples[i]));
    let mut impulse = [0.0; 3];
    for (i, s) in outcome.samples.iter().enumerate() {
        let weight = h / 3.0 * if i == 0 || i == n { 1.0 } else { [2.0, 4.0][i % 2] };
        impulse[0] += weight * s.friction.fx;
        impulse[1] += weight * s.friction.fy;
        impulse[2] += weight * (s.friction.mz + s.x * s.friction.fy - s.y * s.friction.fx);
    }
    for k in 0..3 {
        let change = last[3 + k] - first[3 + k];
        assert!((change - impulse[k]).abs() <= 1e-9, "component {k}: {change} {}", impulse[k]);
        assert!(impulse[k].abs() > 1e-2);
    }
}

#[test]
fn a_robot_with_a_driven_mass_leaves_its_place() {
    // a slow stroke one way and a fast one back
    let path = vec![
        Oscillation { amplitude: [0.05, 0.0], omega: 12.0, phase: 0.0 },
        Oscillation { amplitude: [0.02, 0.0], omega: 24.0, phase: 0.0 },
    ];
    let inner = InnerMass { mass: 0.5, path, ..InnerMass::default() };
    let robot = Body { inner_mass: Some(inner), ..rectangle(0.2) };
    let s = run(&robot, 10.0, &[]).summary;
    assert!(s.displacement[0].abs() > 0.1, "{:?}", s.displacement);
    assert!(s.displacement[1].abs() <= 1e-9 && s.turns.abs() <= 1e-9);
    // the mirror image of the drive goes the other way
    let mut mirrored = robot.clone();
    for o in &mut mirrored.inner_mass.as_mut().unwrap().path {
        o.amplitude[0] = -o.amplitude[0];
    }
    let m = run(&mirrored, 10.0, &[]).summary;
    assert!((m.displacement[0] + s.displacement[0]).abs() <= 1e-7);
}

#[test]
fn a_path_through_points_is_the_path_of_the_waves_that_they_are_taken_from() {
    let period = 0.4;
    let omega = std::f64::consts::TAU / period;
    let wave = |x, y, k: f64, phase| Oscillation { amplitude: [x, y], omega: k * omega, phase };
    let path = vec![wave(0.05, 0.01, 1.0, 0.3), wave(0.02, 0.0, 2.0, 1.0), wave(0.0, 0.015, 3.0, 0.0)];
    let at = |t: f64, axis: usize| -> f64 {
        path.iter().map(|w| w.amplitude[axis] * (w.omega * t + w.phase).sin()).sum()
    };
    for n in [7, 8, 12] {
        let list = |axis: usize| (0..n).map(|i| at(period * i as f64 / n as f64, axis)).collect::<Vec<f64>>();
        let points = Some(PathPoints { period, x: list(0), y: list(1) });
        let waved = InnerMass { mass: 0.5, path: path.clone(), ..InnerMass::default() };
        let guided = InnerMass { mass: 0.5, points, ..InnerMass::default() };
        let end = |inner: InnerMass| {
            run(&Body { inner_mass: Some(inner), ..rectangle(0.2) }, 2.0, &[2.0]).samples[0]
        };
        let (a, b) = (end(waved), end(guided));
        assert!(a.x.abs() > 1e-3 && (a.x - b.x).abs() < 1e-9 && (a.angle - b.angle).abs() < 1e-9, "{n}");
    }
    // through any points at all, the mean of which is the middle of the path
    let x = vec![0.1, -0.05, 0.02, 0.0, 0.03];
    let points = PathPoints { period: 1.0, x: x.clone(), y: vec![0.0; 5] };
    let inner = InnerMass { mass: 0.5, points: Some(points), ..InnerMass::default() };
    let body = Body { inner_mass: Some(inner), ..rectangle(10.0) };
    // at rest the mass pulls by −m ẍ, whose mean over a round is nothing: five samples of it add up to zero
    let pulls: Vec<f64> =
        run(&body, 1.0, &[0.0, 0.2, 0.4, 0.6, 0.8]).samples.iter().map(|s| s.friction.fx).collect();
    assert!(pulls.iter().sum::<f64>().abs() < 1e-12 && pulls[0].abs() > 0.1, "{pulls:?}");
}

/// A plane that shakes along x: the body slips and sticks; in coordinates of the plane its closed form is
/// that of a block under −m b̈.
#[test]
fn a_vibrating_plane_acts_as_its_own_acceleration() {
    let (amplitude, omega) = (0.01, 30.0);
    let shaken = Body {
        vibration: vec![Oscillation { amplitude: [amplitude, 0.0], omega, phase: 0.0 }],
        ..disc(Pressure::Uniform, 0.5)
    };
    let force = shaken.mass * amplitude * omega * omega;
    let pushed = Body {
        forces: vec![Force { amplitude: [force, 0.0], omega, ..Force::default() }],
        ..disc(Pressure::Uniform, 0.5)
    };
    let times: Vec<f64> = (0..50).map(|i| 0.02 * i as f64).collect();
    let [a, b] = [shaken, pushed].map(|body| run(&body, 1.0, &times));
    assert!(a.events.iter().any(|e| e.kind == BodyEventKind::Start) && a.summary.path > 1e-3);
    for (a, b) in a.samples.iter().zip(&b.samples) {
        assert!((a.x - b.x).abs() <= 1e-11 && (a.twist.vx - b.twist.vx).abs() <= 1e-11);
    }
}

#[test]
fn vibration_across_the_slope_lets_a_block_creep_down_a_gentle_incline() {
    let block = Body { tilt: 0.15, downhill: 0.0, ..rectangle(0.3) };
    assert_eq!(run(&block, 5.0, &[]).summary.path, 0.0);
    // the plane starts from its turning point, without a jerk
    let vibration = vec![Oscillation { amplitude: [0.0, 0.02], omega: 40.0, phase: FRAC_PI_2 }];
    let s = run(&Body { vibration, ..block }, 5.0, &[]).summary;
    assert!(s.displacement[0] > 0.1, "{:?}", s.displacement);
    assert!(s.displacement[1].abs() < 0.05);
}

#[test]
fn skewed_pressure_and_pade_closures_run_to_a_stop() {
    for (closure, height) in [
        (Closure::Exact, 0.05),
        (Closure::Pade1, 0.0),
        (Closure::Pade2, 0.0),
        (Closure::Pade1, 0.05),
        (Closure::Pade2, 0.05),
    ] {
        let mut body = Body { velocity: [1.0, 0.0], spin: 15.0, ..disc(Pressure::Galin, 0.5) };
        body.patch = Patch { closure, height, ..body.patch };
        let s = run(&body, 10.0, &[]).summary;
        assert!((0.1..1.0).contains(&s.stop_time.unwrap()));
        // only a skewed pressure bends the path of a disc; the larger friction ahead pushes across the spin
        assert_eq!(s.transverse.abs() > 1e-4, height > 0.0, "{closure:?} {height}: {}", s.transverse);
    }
    let mut plate = Body { velocity: [1.0, 0.3], spin: 6.0, ..rectangle(0.3) };
    for (closure, height) in [(Closure::Exact, 0.05), (Closure::Pade1, 0.0), (Closure::Pade2, 0.0)] {
        plate.patch = Patch { closure, height, ..plate.patch };
        assert!((0.1..2.0).contains(&run(&plate, 10.0, &[]).summary.stop_time.unwrap()));
    }
}

#[test]
fn closures_that_know_no_limit_surface_still_start_and_stop() {
    for closure in [Closure::Pade1, Closure::Pade2] {
        let force = Force { amplitude: [3.2, 0.0], omega: 5.0, point: [0.0, 0.05], ..Force::default() };
        let mut body = Body { forces: vec![force], ..rectangle(0.3) };
        body.patch.closure = closure;
        let s = run(&body, 10.0, &[]).summary;
        assert!(s.stops >= 15 && s.path > 1e-3, "{closure:?}: {s:?}");
    }
}

#[test]
fn a_run_that_is_given_up_says_when() {
    let body = Body { velocity: [1.0, 0.3], spin: 6.0, ..rectangle(0.3) };
    let settings = Adaptive { max_steps: 5, ..Body::settings() };
    let error = body.simulation(&settings).unwrap().run(10.0, &[], &mut Progress::none()).unwrap_err();
    assert!(matches!(error, Error::TooManySteps { t, limit: 5 } if t > 0.0 && t < 1.0), "{error:?}");
}

#[test]
fn the_generalised_coulomb_law_slows_fast_bodies_more() {
    let mut body = Body { velocity: [2.0, 0.0], ..disc(Pressure::Uniform, 0.5) };
    let plain = run(&body, 10.0, &[]).summary;
    body.patch.mu1 = 0.2;
    let raised = run(&body, 10.0, &[]).summary;
    // v̇ = −μg(1 + μ₁v³)
    let n = 200_000;
    let h = 2.0 / n as f64;
    let stop: f64 = (0..n).map(|i| h / (0.3 * GRAVITY * (1.0 + 0.2 * ((i as f64 + 0.5) * h).powi(3)))).sum();
    assert!((raised.stop_time.unwrap() - stop).abs() <= 1e-9);
    assert!(raised.path < plain.path);
}

#[test]
fn a_force_in_body_axes_turns_with_the_body() {
    // a thruster on a spinning disc without friction: the velocity stays bounded
    let thruster = Force { constant: [1.0, 0.0], axes: Axes::Body, ..Force::default() };
    let mut body = Body { spin: 10.0, forces: vec![thruster], ..disc(Pressure::Uniform, 0.5) };
    body.patch = Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Uniform, 0.0, 1.0);
    let samples = run(&body, 3.0, &[1.0, 3.0]).samples;
    for s in samples {
        let (sin, cos) = (10.0 * s.t).sin_cos();
        let c = 1.0 / (body.mass * 10.0);
        assert!((s.twist.vx - c * sin).abs() <= 1e-11 && (s.twist.vy - c * (1.0 - cos)).abs() <= 1e-11);
    }
}

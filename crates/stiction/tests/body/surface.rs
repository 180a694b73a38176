//! Bodies on surfaces that move over the plane.

use super::loads::assert_agrees;
use crate::bodies::{GRAVITY, MASS, MU, RADIUS, disc, rectangle, run};
use stiction::body::{Axes, Body, BodyEventKind, BodyPhase, Force, InnerMass, MovingSurface, Oscillation};
use stiction::patch::Pressure;

/// The stop is located to rounding, which its speed and its way amplify.
const ROUNDED: f64 = 1e-11;

fn conveyor(velocity: [f64; 2]) -> Option<MovingSurface> {
    Some(MovingSurface::conveyor(velocity))
}

fn turntable(spin: f64, centre: [f64; 2]) -> Option<MovingSurface> {
    Some(MovingSurface::turntable(spin, centre))
}

#[test]
fn a_disc_dropped_on_a_conveyor_is_carried_along_after_v_over_mu_g() {
    let v = 1.5;
    let body = Body { surface: conveyor([v, 0.0]), ..disc(Pressure::Uniform, 0.5) };
    let stop = v / (MU * GRAVITY);
    let outcome = run(&body, 2.0 * stop, &[0.5 * stop, stop, 2.0 * stop]);
    let [half, _, end] = outcome.samples[..] else { panic!("three samples") };
    assert_eq!(outcome.events.iter().map(|e| e.kind).collect::<Vec<_>>(), [BodyEventKind::Stop]);
    assert!((outcome.events[0].t - stop).abs() <= ROUNDED * stop);
    // it is accelerated by μg, then moves with the belt
    assert!(
        (half.twist.vx - 0.5 * v).abs() <= ROUNDED && (half.friction.fx - MU * MASS * GRAVITY).abs() < 1e-9
    );
    assert!((half.x - 0.125 * v * stop).abs() <= ROUNDED);
    assert!((end.x - 1.5 * v * stop).abs() <= ROUNDED && (end.twist.vx - v).abs() <= ROUNDED);
    assert_eq!(end.friction.fx, 0.0);
    // on the belt it has slid as far as it would on the plane
    assert!((outcome.summary.path - 0.5 * v * stop).abs() <= ROUNDED);
}

#[test]
fn on_a_conveyor_all_is_as_on_the_plane_seen_from_the_belt() {
    let belt = [0.8, -0.5];
    let plain = Body { velocity: [1.0, 0.6], spin: 7.0, angle: 0.4, tilt: 0.1, ..rectangle(0.3) };
    let velocity = [plain.velocity[0] + belt[0], plain.velocity[1] + belt[1]];
    let carried = Body { surface: conveyor(belt), velocity, ..plain.clone() };
    let times = [0.1, 0.3, 0.7];
    let (own, other) = (run(&plain, 0.7, &times), run(&carried, 0.7, &times));
    for (a, b) in own.samples.iter().zip(&other.samples) {
        for (mine, theirs) in [
            (a.x + belt[0] * a.t, b.x),
            (a.y + belt[1] * a.t, b.y),
            (a.angle, b.angle),
            (a.twist.vx + belt[0], b.twist.vx),
            (a.friction.mz, b.friction.mz),
        ] {
            assert!((mine - theirs).abs() <= ROUNDED, "t = {}: {mine} {theirs}", a.t);
        }
    }
}

#[test]
fn a_body_on_a_turntable_agrees_with_small_steps_in_space() {
    let path = vec![
        Oscillation { amplitude: [0.06, 0.01], omega: 11.0, phase: 0.0 },
        Oscillation { amplitude: [0.0, 0.05], omega: 14.0, phase: 0.7 },
    ];
    let bare = Body {
        surface: turntable(3.0, [0.1, 0.2]),
        position: [0.6, -0.3],
        angle: 0.5,
        velocity: [0.4, 1.0],
        spin: -2.0,
        ..rectangle(0.3)
    };
    let drifting = MovingSurface { velocity: [0.3, -0.2], spin: 3.0, centre: [0.1, 0.2] };
    let force = Force {
        constant: [0.5, -0.4],
        amplitude: [0.6, 0.2],
        omega: 9.0,
        point: [0.1, 0.05],
        axes: Axes::World,
        ..Force::default()
    };
    let vibration = vec![Oscillation { amplitude: [0.01, 0.004], omega: 13.0, phase: 0.2 }];
    let inner_mass = Some(InnerMass { mass: 0.3, centre: [-0.05, 0.02], path, ..InnerMass::default() });
    let all = Body {
        tilt: 0.15,
        downhill: 1.0,
        centre_of_mass: [0.04, -0.02],
        forces: vec![force.clone(), Force { axes: Axes::Body, ..force }],
        vibration,
        inner_mass,
        ..bare.clone()
    };
    let times = [0.0, 0.1, 0.25, 0.4];
    for body in [
        bare.clone(),
        Body { tilt: all.tilt, ..bare.clone() },
        Body { surface: Some(drifting), ..bare.clone() },
        Body { forces: all.forces.clone(), ..bare.clone() },
        Body { inner_mass: all.inner_mass.clone(), ..bare.clone() },
        Body { centre_of_mass: all.centre_of_mass, vibration: all.vibration.clone(), ..bare },
        all,
    ] {
        assert_agrees(&body, &times);
    }
}

#[test]
fn a_turntable_carries_a_disc_within_mu_g_over_spin_squared() {
    let spin = 2.5f64;
    let reach = MU * GRAVITY / (spin * spin);
    for (part, phase) in [(0.999_999, BodyPhase::Rest), (1.000_001, BodyPhase::Sliding)] {
        let x = part * reach;
        let body = Body {
            surface: turntable(spin, [0.2, 0.0]),
            position: [0.2 + x, 0.0],
            velocity: [0.0, spin * x],
            spin,
            ..disc(Pressure::Uniform, 0.5)
        };
        let mut simulation = body.simulation(&Body::settings()).unwrap();
        assert_eq!(simulation.phase(), BodyPhase::Rest, "it begins on the table");
        simulation.step(0.3).unwrap();
        assert_eq!(simulation.phase(), phase, "{part}");
        if phase == BodyPhase::Rest {
            // it goes round with the table, held towards the centre
            let end = run(&body, 2.0, &[2.0]).samples[0];
            let (sin, cos) = (2.0 * spin).sin_cos();
            assert!((end.x - 0.2 - x * cos).abs() < 1e-14 && (end.y - x * sin).abs() < 1e-14);
            assert!((end.angle - 2.0 * spin).abs() < 1e-14 && end.twist.omega == spin);
            let pull = MASS * spin * spin * x;
            assert!(
                (end.friction.fx + pull * cos).abs() < 1e-12 && (end.friction.fy + pull * sin).abs() < 1e-12
            );
        }
    }
}

#[test]
fn a_disc_in_the_middle_of_a_turntable_is_spun_up_by_two_thirds_mu_m_g_r() {
    let spin = 6.0;
    let body = Body { surface: turntable(spin, [0.0; 2]), ..disc(Pressure::Uniform, 0.5) };
    let rate = 2.0 / 3.0 * MU * MASS * GRAVITY * RADIUS / body.inertia.unwrap();
    let outcome = run(&body, 2.0 * spin / rate, &[0.5 * spin / rate]);
    assert!((outcome.events[0].t - spin / rate).abs() <= ROUNDED);
    assert!((outcome.samples[0].twist.omega - 0.5 * spin).abs() <= ROUNDED);
    assert!((outcome.summary.turns - 1.5 * spin * spin / rate / std::f64::consts::TAU).abs() <= ROUNDED);
}

/// On an inclined turntable what gravity asks for turns round in the axes of the table; where it adds to the
/// pull outwards first, the block breaks away.
#[test]
fn on_an_inclined_turntable_a_block_breaks_away_where_gravity_points_outwards() {
    let (spin, x) = (2.0f64, 0.4);
    let tilt = 0.2f64;
    // uphill of the centre at t = 0: μ g cos = |Ω² x e(Ωt) + g sin e_x|, e turning with the table
    let (away, pull) = (spin * spin * x, GRAVITY * tilt.sin());
    let grip = MU * GRAVITY * tilt.cos();
    let cos = (grip * grip - away * away - pull * pull) / (2.0 * away * pull);
    let body = Body {
        surface: turntable(spin, [0.0; 2]),
        position: [-x, 0.0],
        velocity: [0.0, -spin * x],
        spin,
        tilt,
        ..disc(Pressure::Uniform, 0.5)
    };
    let outcome = run(&body, 3.0, &[]);
    let start = outcome.events[0];
    assert_eq!(start.kind, BodyEventKind::Start);
    // e turns on from π
    let first = (std::f64::consts::PI - cos.acos()) / spin;
    assert!((start.t - first).abs() < 1e-9, "{} {first}", start.t);
}

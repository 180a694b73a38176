//! Cases of other programs, written down as their users would, against independent solutions.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

use crate::texts::{faults, run};
use stiction_study::Outcome;

fn column<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    &outcome.column(name).unwrap().values
}

fn last(outcome: &Outcome, name: &str) -> f64 {
    *column(outcome, name).last().unwrap()
}

/// A ball that strikes an `ElastoGap` of the Modelica Standard Library: an oscillator of the stiffness 2k until
/// c ẋ = k x, a damped one until c ẋ = −k x, then free.
#[test]
fn a_gap_with_limited_damping_lets_a_ball_go_as_its_closed_form() {
    let (k, c, v) = (50.0f64, 2.0f64, 3.0f64);
    let fast = (2.0 * k).sqrt();
    let first = (c * fast / k).atan() / fast;
    let (x1, v1) = (v / fast * (fast * first).sin(), v * (fast * first).cos());
    let (delta, nu) = (0.5 * c, (k - 0.25 * c * c).sqrt());
    let state = |t: f64| {
        let (b, e) = ((v1 + delta * x1) / nu, (-delta * t).exp());
        let (sine, cosine) = (nu * t).sin_cos();
        let x = e * (x1 * cosine + b * sine);
        (x, e * nu * (b * cosine - x1 * sine) - delta * x)
    };
    let (mut low, mut high) = (0.0, std::f64::consts::PI / nu);
    for _ in 0..100 {
        let half = 0.5 * (low + high);
        let (x, v) = state(half);
        if k * x + c * v > 0.0 { low = half } else { high = half }
    }
    let text = |integrator: &str| {
        format!(
            "[system.oscillator]\nmass = 1.0\ninitial = {{ position = -0.3, velocity = 3.0 }}\n\
             stop = {{ upper = 0.0, stiffness = 50.0, damping = 2.0, limited_damping = true }}\n\
             [integrator.{integrator}]\n[analysis.transient]\nduration = 2.0\n"
        )
    };
    for (integrator, tolerance) in [("exact", 1e-12), ("adaptive", 1e-5)] {
        let outcome = run(&text(integrator));
        let own = last(&outcome, "velocity");
        assert!((own - state(low).1).abs() < tolerance, "{integrator}: {own} {}", state(low).1);
    }
    let found = faults(
        "[system.oscillator]\nmass = 1.0\nstop = { upper = 0.1, stiffness = 5.0, limited_damping = true }\n",
    );
    assert!(found.iter().any(|fault| fault.contains("without damping")), "{found:?}");
}

/// Gear shift: a clutch that is open at t = 0 is pressed by a ramp; it slips until μ (1/J₀ + 1/J₁) ∫N dt is the
/// difference of the speeds.
#[test]
fn a_gear_shift_ends_when_the_clutch_has_balanced_the_speeds() {
    let text = "[system.matrices]\nkind = \"rotation\"\nmass = [0.2, 0.5]\ninitial.velocity = [100.0, 20.0]\n\
                [system.matrices.friction]\ncoulomb.mu = 0.3\ndirection = [1.0, -1.0]\nload = 0.0\n\
                load_varies.table = { times = [0.0, 1.0, 1.5, 9.0], values = [0.0, 0.0, 80.0, 80.0] }\n\
                [analysis.transient]\nduration = 3.0\n";
    let outcome = run(text);
    // 80 (t − 1)² up to 1.5 s, then 20 + 80 (t − 1.5)
    let needed = 80.0 / (0.3 * (1.0 / 0.2 + 1.0 / 0.5));
    let stick = if needed > 20.0 { 1.5 + (needed - 20.0) / 80.0 } else { 1.0 + (needed / 80.0f64).sqrt() };
    let event = outcome.events.iter().find(|event| event.kind.name() == "stick").unwrap();
    assert!((event.t - stick).abs() < 1e-11, "{event:?} {stick}");
    let common = (0.2 * 100.0 + 0.5 * 20.0) / 0.7;
    for dof in [0, 1] {
        let own = last(&outcome, &format!("velocity_{dof}"));
        assert!((own - common).abs() < 1e-10, "{own} {common}");
    }
}

/// Elastic dry friction under a load that varies: H = N(t) κ z with ż = v while |z| < μ/κ; steps of Runge and
/// Kutta, whose kinks leave 1e-6.
#[test]
fn elastic_friction_under_a_varying_load_is_that_of_small_steps() {
    let text = "[system.oscillator]\nmass = 1.0\ndamping = 0.05\nstiffness = 1.0\n\
                force = { amplitude = 1.2, omega = 1.1 }\nfriction.jenkins = { mu = 0.5, stiffness = 4.0 }\n\
                friction.load_varies = { amplitude = 0.6, omega = 1.7, phase = 0.4 }\n\
                [analysis.transient]\nduration = 12.0\n";
    let outcome = run(text);
    let rates = |t: f64, [q, v, z]: [f64; 3]| {
        let load = 1.0 + 0.6 * (1.7 * t + 0.4).sin();
        let held = z.abs() >= 0.125 && z * v > 0.0;
        [v, 1.2 * (1.1 * t).sin() - 0.05 * v - q - load * 4.0 * z, if held { 0.0 } else { v }]
    };
    let (n, h) = (240_000, 12.0 / 240_000.0);
    let mut y = [0.0f64; 3];
    for i in 0..n {
        let t = h * f64::from(i);
        let add = |y: [f64; 3], s: f64, k: [f64; 3]| [0, 1, 2].map(|j| y[j] + s * k[j]);
        let a = rates(t, y);
        let b = rates(t + 0.5 * h, add(y, 0.5 * h, a));
        let c = rates(t + 0.5 * h, add(y, 0.5 * h, b));
        let d = rates(t + h, add(y, h, c));
        y = [0, 1, 2].map(|j| y[j] + h / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]));
        y[2] = y[2].clamp(-0.125, 0.125);
    }
    let own = [last(&outcome, "position"), last(&outcome, "velocity")];
    assert!((own[0] - y[0]).abs() < 2e-5 && (own[1] - y[1]).abs() < 2e-5, "{own:?} {y:?}");
}

/// A mass on a base that swings, beside a stop in space: seen from the base, and as a pair of which one is
/// prescribed.
#[test]
fn a_stop_in_space_beside_a_base_is_one_beside_a_prescribed_support() {
    let tail = "[analysis.transient]\nduration = 12.0\nsamples = 121\n";
    for stop in ["restitution = 0.6", "stiffness = 80.0, damping = 2.0"] {
        let seen = run(&format!(
            "[system.oscillator]\nmass = 1.0\ndamping = 0.1\nstiffness = 4.0\ninitial.velocity = -0.3\n\
             friction = {{ coulomb.mu = 0.1 }}\nbase = {{ amplitude = 0.2, omega = 1.5 }}\n\
             stop = {{ upper = 0.1, {stop}, fixed_in_space = true }}\n{tail}"
        ));
        let pair = run(&format!(
            "[system.matrices]\nmass = [1.0, 1.0]\ndamping = [[0.1, -0.1], [-0.1, 0.1]]\n\
             stiffness = [[4.0, -4.0], [-4.0, 4.0]]\n\
             friction = {{ coulomb.mu = 0.1, direction = [1.0, -1.0] }}\n\
             prescribed = {{ dof = 1, acceleration = {{ amplitude = -0.45, omega = 1.5 }} }}\n\
             stop = {{ upper = 0.1, {stop}, dof = 0 }}\n{tail}"
        ));
        let base = |t: f64| 0.2 * (1.5 * t).sin();
        let times = column(&seen, "t");
        for (i, t) in times.iter().enumerate() {
            let off = column(&seen, "position")[i] + base(*t) - column(&pair, "position_0")[i];
            assert!(off.abs() < 1e-9, "{stop} at {t}: {off:e}");
            assert!((column(&pair, "position_1")[i] - base(*t)).abs() < 1e-13);
        }
        assert!(seen.events.iter().filter(|event| event.kind.name() == "impact").count() > 2);
    }
}

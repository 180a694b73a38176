//! One test for each line of `docs/errata.md`.

use super::{linear, paper_b, trigonometric};
use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{FrictionLaw, Quinn};
use stiction::ode::Adaptive;
use stiction::simulate::Integrator;
use stiction::system::{Dynamics, Motion, System};

/// Half a unit of the last printed digit.
const PRINT: f64 = 0.5e-4;

#[test]
fn paper_b_1_the_step_is_not_printed_and_20_000_steps_in_a_period_fit() {
    // fig. 1: largest u and smallest H
    let off = |steps: f64| {
        let record = paper_b(linear(None), Integrator::Incremental { step: TAU / steps });
        (record.ranges[0].max - 19.6296).abs().max((record.ranges[3].min - -1.6327).abs())
    };
    assert!(off(20_000.0) <= PRINT);
    for steps in [5_000.0, 10_000.0, 40_000.0] {
        assert!(off(steps) > PRINT, "{steps} steps in a period fit as well");
    }
}

#[test]
fn paper_b_2_the_smallest_acceleration_of_fig_2_is_the_one_of_panel_i() {
    let record = paper_b(trigonometric(None), Integrator::Incremental { step: TAU / 20_000.0 });
    let smallest = record.ranges[2].min;
    assert!((smallest - -21.0506).abs() <= PRINT, "{smallest}");
    assert!((smallest - -21.0508).abs() > PRINT, "{smallest}");
}

#[test]
fn paper_b_3_the_gain_in_precision_is_less_drift_of_the_scheme_not_a_better_law() {
    let step = TAU / 20_000.0;
    let drift = |law| paper_b(law, Integrator::Incremental { step }).drift.unwrap();
    assert!(drift(trigonometric(None)) < 0.5 * drift(linear(None)));
    // evaluated as a function of the state, either law keeps to ±μN
    for law in [linear(None), trigonometric(None)] {
        let record = paper_b(law, Integrator::Adaptive(Adaptive::default()));
        assert_eq!((record.ranges[3].max, record.ranges[3].min), (1.6, -1.6));
    }
}

#[test]
fn paper_b_4_at_resonance_the_amplitude_is_bounded_by_what_friction_leaves_of_the_force() {
    // (P − 4μN/π)/(cω): without it the printed amplitudes of 19.6 could not be judged
    let expected = (4.0 - 4.0 * 1.6 / std::f64::consts::PI) / 0.1;
    let record = paper_b(linear(None), Integrator::Adaptive(Adaptive::default()));
    assert!((record.ranges[0].max / expected - 1.0).abs() < 0.02, "{} {expected}", record.ranges[0].max);
}

#[test]
fn paper_e_1_the_demand_contains_the_damping_force() {
    let (c, k, u, v, mu, width) = (0.7, 2.0, 0.1, 0.002, 1.0, 0.02);
    let law = FrictionLaw::Quinn(Quinn { mu, width });
    let mut system = System::oscillator(3.0, c, k).with_friction(law);
    (system.position[0], system.velocity[0]) = (u, v);
    let mut dynamics = Dynamics::new(&system).unwrap();
    let (y, mut motion) = (dynamics.initial_state(), Motion::zero(1, 1));
    dynamics.motion(0.0, &y, &mut motion);
    let demand = -c * v - k * u;
    assert!((motion.friction[0] - (demand + mu * v / width)).abs() < 1e-15);
    // only then does a slow body come to rest at the rate μN/(εm), whatever the damping
    assert!((motion.acceleration[0] - -mu * v / (width * 3.0)).abs() < 1e-15);
}

#[test]
fn paper_e_2_the_equivalent_force_of_the_driven_oscillator_is_the_spring_less_the_drive() {
    // f_ec = x − a sin ωt is minus the demand: friction f = −H that makes the acceleration zero
    let (x, a, omega, t) = (0.3, 0.5, 2.0, 0.4);
    let law = FrictionLaw::Quinn(Quinn { mu: 1.0, width: 0.02 });
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(a, omega);
    system.position[0] = x;
    let mut dynamics = Dynamics::new(&system).unwrap();
    let (y, mut motion) = (dynamics.initial_state(), Motion::zero(1, 1));
    dynamics.motion(t, &y, &mut motion);
    assert!((-motion.friction[0] - (x - a * libm::sin(omega * t))).abs() < 1e-15);
    assert_eq!(motion.acceleration[0], 0.0);
}

/// @salimov2021, (13): in body axes the direction φ of the velocity turns at φ̇ = F⊥/(m v) − ω; the print
/// drops −ω.
#[test]
fn paper_d_7_the_direction_of_the_velocity_turns_back_with_the_spin() {
    use stiction::body::Body;
    use stiction::patch::{Patch, Pressure, Rectangle, Shape};
    let patch =
        Patch::new(Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 }), Pressure::Uniform, 1.0, 0.0);
    let mut body = Body::new(1.0, 0.29 / 12.0, patch);
    (body.velocity, body.spin) = ([3.0, 2.0], 12.0);
    let h = 1e-4;
    let run = body
        .simulation(&Body::settings())
        .unwrap()
        .run(0.3, &[0.1 - h, 0.1, 0.1 + h], &mut Progress::none())
        .unwrap();
    let phi = |k: usize| libm::atan2(run.samples[k].twist.vy, run.samples[k].twist.vx) - run.samples[k].angle;
    let rate = (phi(2) - phi(0)) / (2.0 * h);
    let (twist, friction) = (run.samples[1].twist, run.samples[1].friction);
    let v = libm::hypot(twist.vx, twist.vy);
    let across = (twist.vx * friction.fy - twist.vy * friction.fx) / v;
    // the difference quotient is good to h²
    assert!((rate - (across / v - twist.omega)).abs() < 1e-5, "{rate}");
    assert!((rate - across / v).abs() > 3.0, "without −ω it would be far off");
}

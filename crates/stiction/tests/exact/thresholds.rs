//! Springs of straight pieces and limited controllers against closed forms and against steps in time.

use crate::general_systems::*;
use stiction::Progress;
use stiction::exact::Exact;
use stiction::law::{FrictionLaw, Linear};
use stiction::math::dense::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::Steady;
use stiction::system::{Feedback, Motion, System, Threshold};

/// Position, velocity and states at a time.
fn at(system: &System, t: f64) -> Vec<f64> {
    let mut exact = Exact::new(system).unwrap();
    while exact.t() < t {
        exact.step(t).unwrap();
    }
    let mut motion = Motion::zero(system.n(), system.contacts.len()).with_states(exact.n_states());
    exact.motion(t, &mut motion);
    [motion.position, motion.velocity, motion.states].concat()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < tolerance, "{found:?} for {expected:?}: {off:e}");
}

/// A PID controller with its force within ±limit; the integral is reset within a time constant (anti-windup).
fn limited(mut system: System, [kp, ki, kd]: [f64; 3], reference: f64, limit: f64, back: f64) -> System {
    let mut feedback = Feedback::none(1, 1, 1);
    feedback.inputs[0] = reference.into();
    (feedback.f_position.data[0], feedback.f_velocity.data[0]) = (-kp, -kd);
    (feedback.f_state.data[0], feedback.f_input.data[0]) = (ki, kp);
    (feedback.b_position.data[0], feedback.b_input.data[0]) = (-1.0, 1.0);
    system.elements.feedback = Some(feedback);
    for sign in [1.0, -1.0] {
        system.elements.thresholds.push(Threshold {
            by_position: vec![-sign * kp],
            by_velocity: vec![-sign * kd],
            by_state: vec![sign * ki],
            by_input: vec![sign * kp],
            at: limit,
            force: vec![-sign],
            rate: vec![if back > 0.0 { -sign / (ki * back) } else { 0.0 }],
        });
    }
    system
}

#[test]
fn a_bilinear_spring_swings_half_a_period_on_each_side() {
    let mut system = System::oscillator(2.0, 0.0, 3.0);
    system.elements.thresholds.push(Threshold::corner(&[1.0], 0.0, 17.0));
    system.velocity[0] = 1.0;
    let period = std::f64::consts::PI * ((2.0f64 / 3.0).sqrt() + (2.0f64 / 20.0).sqrt());
    assert_near(&at(&system, 10.0 * period), &[0.0, 1.0], 1e-13);
    let softest = (2.0f64 / 20.0).sqrt() * std::f64::consts::FRAC_PI_2;
    assert_near(&at(&system, softest), &[(2.0f64 / 20.0).sqrt(), 0.0], 1e-14);
}

#[test]
fn a_limited_controller_pulls_with_its_limit() {
    // x = 1 − t²/2 under −1 N until −4x − ẋ = −1, which is at 1 s; then ẍ + ẋ + 4x = 0
    let mut system = limited(System::oscillator(1.0, 0.0, 0.0), [4.0, 0.0, 1.0], 0.0, 1.0, 0.0);
    system.position[0] = 1.0;
    assert_near(&at(&system, 0.8)[..2], &[1.0 - 0.32, -0.8], 1e-14);
    let (tau, root) = (0.3f64, 3.75f64.sqrt());
    let (c, s) = ((root * tau).cos(), (root * tau).sin());
    let decay = (-0.5 * tau).exp();
    let x = decay * (0.5 * c - 0.75 / root * s);
    let v = decay * (-c + (0.375 / root - 0.5 * root) * s);
    assert_near(&at(&system, 1.0 + tau)[..2], &[x, v], 1e-14);
}

#[test]
fn the_integral_of_a_limited_controller_does_not_wind_up() {
    // friction holds the mass: İ = 1 until 1 + I = 2, then İ = 1 + 2 (1 − I)
    let system = System::oscillator(1.0, 0.0, 0.0).with_friction(coulomb(10.0, 10.0));
    let free = limited(system.clone(), [1.0, 1.0, 0.0], 1.0, 2.0, 0.0);
    assert_near(&at(&free, 3.0), &[0.0, 0.0, 3.0], 1e-13);
    let unwound = limited(system, [1.0, 1.0, 0.0], 1.0, 2.0, 0.5);
    assert_near(&at(&unwound, 3.0), &[0.0, 0.0, 1.5 - 0.5 * (-4.0f64).exp()], 1e-13);
}

fn both(law: FrictionLaw) -> System {
    let system = System::oscillator(1.0, 0.05, 0.5).with_friction(law).with_force(1.0, 0.9);
    let mut system = limited(system, [3.0, 1.0, 0.4], 0.3, 0.8, 0.7);
    system.elements.thresholds.push(Threshold::corner(&[1.0], 0.25, 6.0));
    system.elements.thresholds.push(Threshold::corner(&[-1.0], 0.1, -0.3));
    system
}

#[test]
fn adaptive_and_exact_are_one_beyond_thresholds() {
    let linear = FrictionLaw::Linear(Linear { mu: 0.2, width: 0.05, rise: None, rise_height: None });
    let adaptive = Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() });
    for law in [linear, coulomb(0.2, 0.3)] {
        let system = both(law);
        let [a, b] = [Integrator::Exact, adaptive.clone()].map(|integrator| {
            let record = drive(&system, &integrator, &Plan::new(40.0, 2), &mut Progress::none()).unwrap();
            assert!(record.energy_share() < 1e-10, "{}", record.energy_share());
            [record.samples.position[0][1], record.samples.velocity[0][1]]
        });
        // 1e-11 a step, in some hundred steps
        assert_near(&a, &b, 1e-8);
    }
}

#[test]
fn the_energy_of_a_spring_of_pieces_is_kept() {
    let mut system = System::oscillator(1.0, 0.0, 2.0);
    for (way, position, stiffness) in [(1.0, 0.3, 5.0), (1.0, 0.6, -4.0), (-1.0, 0.2, 1.0)] {
        system.elements.thresholds.push(Threshold::corner(&[way], position, stiffness));
    }
    system.velocity[0] = 2.0;
    let record = drive(&system, &Integrator::Exact, &Plan::new(50.0, 2), &mut Progress::none()).unwrap();
    assert!(record.energy_share() < 1e-13, "{}", record.energy_share());
    assert_eq!(record.total.work_in, 0.0);
}

#[test]
fn the_derivative_beyond_thresholds_is_that_of_differences() {
    const STEP: f64 = 1e-6;
    let system = both(coulomb(0.2, 0.3));
    let end = |x: [f64; 3], slopes: Option<&mut Matrix>| {
        let mut exact = Exact::new(&system).unwrap();
        exact.restart_with(0.0, &x[..1], &x[1..2], &x[2..]).unwrap();
        let mut none = Matrix::zeros(3, 0);
        let slopes = slopes.unwrap_or(&mut none);
        while exact.t() < 7.0 {
            let from = exact.t();
            exact.step(7.0).unwrap();
            exact.carry(from, slopes);
        }
        let mut motion = Motion::zero(1, 1).with_states(1);
        exact.motion(7.0, &mut motion);
        [motion.position[0], motion.velocity[0], motion.states[0]]
    };
    let start = [0.1, 0.4, 0.2];
    let mut slopes = Matrix::diagonal(&[1.0; 3]);
    end(start, Some(&mut slopes));
    for j in 0..3 {
        let shifted = |by: f64| {
            let mut x = start;
            x[j] += by;
            end(x, None)
        };
        let (up, down) = (shifted(STEP), shifted(-STEP));
        for i in 0..3 {
            let (own, quotient) = (slopes.at(i, j), (up[i] - down[i]) / (2.0 * STEP));
            assert!((own - quotient).abs() < 1e-7 * (1.0 + own.abs()), "{i} {j}: {own} {quotient}");
        }
    }
}

#[test]
fn a_long_transient_on_a_spring_of_pieces_ends_in_the_periodic_motion() {
    let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(coulomb(0.1, 0.1)).with_force(1.0, 1.7);
    for way in [1.0, -1.0] {
        system.elements.thresholds.push(Threshold::corner(&[way], 0.2, 8.0));
    }
    let found = Steady::default().find(&system, &mut Progress::none()).unwrap();
    let t_end = 200.0 * system.period().unwrap();
    let plan = Plan { times: vec![t_end], ..Plan::new(t_end, 2) };
    let record = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
    let end = record.samples.position[0][0];
    let off = found.iter().map(|orbit| (orbit.state.position[0] - end).abs()).fold(f64::INFINITY, f64::min);
    // the clock is rounded to 1e-12 after 200 periods
    assert!(off < 1e-11, "{off:e}");
}

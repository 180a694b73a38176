//! Nonlinear modes against closed forms and against vibrations that decay.

use crate::beams::cantilever;
use stiction::Progress;
use stiction::harmonic::{HarmonicBalance, ModalMotion};
use stiction::law::{FrictionLaw, Jenkins, Tanh};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::System;

const PI: f64 = std::f64::consts::PI;

/// The mode of an oscillator at one amplitude.
fn mode(method: &HarmonicBalance, system: &System, amplitude: f64) -> ModalMotion {
    let points = method.nonlinear_mode(system, 0, 0, &[amplitude], &mut Progress::none()).unwrap();
    points[0].motion.clone().unwrap()
}

/// m = 2, c = 0.04, k = 3 with a spring k_t = 1.2 in series with a slider of limit 0.3.
const MASS: f64 = 2.0;
const DAMPING: f64 = 0.04;
const STIFFNESS: f64 = 3.0;
const SPRING: f64 = 1.2;
const LIMIT: f64 = 0.3;

fn jenkins() -> System {
    let law = FrictionLaw::Jenkins(Jenkins { mu: LIMIT, stiffness: SPRING });
    System::oscillator(MASS, DAMPING, STIFFNESS).with_friction(law)
}

/// Frequency and damping ratio of that oscillator with one harmonic: the describing function of the element
/// (@iwan1966 has its loop).
fn describing(amplitude: f64) -> [f64; 2] {
    let reach = LIMIT / SPRING;
    let x = if amplitude > reach { libm::acos(1.0 - 2.0 * reach / amplitude) } else { PI };
    let stiffness = SPRING / PI * (x - 0.5 * libm::sin(2.0 * x));
    let loss = 4.0 * LIMIT * (amplitude - reach).max(0.0);
    let omega = ((STIFFNESS + stiffness) / MASS).sqrt();
    let growth = (DAMPING + loss / (PI * omega * amplitude * amplitude)) / MASS;
    [omega, 0.5 * growth / omega]
}

#[test]
fn one_harmonic_of_a_jenkins_element_is_its_describing_function() {
    let method = HarmonicBalance::fixed(1);
    let amplitudes: Vec<f64> = (0..60).map(|i| 0.01 * libm::pow(1e5, i as f64 / 59.0)).collect();
    let points = method.nonlinear_mode(&jenkins(), 0, 0, &amplitudes, &mut Progress::none()).unwrap();
    let mut worst = 0.0f64;
    for point in &points {
        let motion = point.motion.as_ref().unwrap();
        let [omega, damping] = describing(point.amplitude);
        worst =
            worst.max((motion.motion.omega / omega - 1.0).abs()).max((motion.damping / damping - 1.0).abs());
        assert!((motion.motion.amplitude(0) - point.amplitude).abs() < 1e-9 * point.amplitude);
    }
    println!("relative difference at most {worst:.1e}");
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn its_limits_are_those_of_the_stuck_and_of_the_free_oscillator_with_any_number_of_harmonics() {
    let method = HarmonicBalance { tolerance: 1e-9, ..HarmonicBalance::default() };
    let stuck = mode(&method, &jenkins(), 0.999 * LIMIT / SPRING);
    let omega = ((STIFFNESS + SPRING) / MASS).sqrt();
    assert!((stuck.motion.omega / omega - 1.0).abs() < 1e-9, "{}", stuck.motion.omega);
    assert!((stuck.damping - 0.5 * DAMPING / (MASS * omega)).abs() < 1e-9, "{}", stuck.damping);
    // k_eq falls as the −3/2th power of the amplitude, the loss over the energy as its inverse
    let free = mode(&method, &jenkins(), 1e6);
    let omega = (STIFFNESS / MASS).sqrt();
    assert!((free.motion.omega / omega - 1.0).abs() < 1e-9, "{}", free.motion.omega);
    assert!((free.damping - 0.5 * DAMPING / (MASS * omega)).abs() < 1e-6, "{}", free.damping);
}

#[test]
fn its_damping_is_largest_where_the_closed_form_has_its_maximum() {
    let highest = |f: &dyn Fn(f64) -> f64| {
        // golden section
        let (mut a, mut b, part) = (0.3, 1.5, 0.5 * (5f64.sqrt() - 1.0));
        for _ in 0..40 {
            let (left, right) = (b - part * (b - a), a + part * (b - a));
            if f(left) > f(right) { b = right } else { a = left }
        }
        f(0.5 * (a + b))
    };
    let expected = highest(&|amplitude| describing(amplitude)[1]);
    let found = highest(&|amplitude| mode(&HarmonicBalance::fixed(1), &jenkins(), amplitude).damping);
    println!("largest damping ratio {found}, closed form {expected}");
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    // further harmonics move it by less than what is stated
    for amplitude in [0.3, 0.5, 1.0] {
        let one = mode(&HarmonicBalance::fixed(1), &jenkins(), amplitude);
        let many = mode(&HarmonicBalance::fixed(31), &jenkins(), amplitude);
        assert!((one.damping - many.damping).abs() <= one.damping_error, "{amplitude}");
        assert!((one.motion.omega - many.motion.omega).abs() <= one.frequency_error, "{amplitude}");
        assert!(many.damping_error < 0.1 * one.damping_error, "{amplitude}");
    }
}

/// Positive peaks of a vibration that decays from rest at the first: time and height.
fn peaks(system: &System, end: f64) -> Vec<[f64; 2]> {
    let adaptive = Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() };
    let plan = Plan::new(end, 20_001);
    let record = drive(system, &Integrator::Adaptive(adaptive), &plan, &mut Progress::none()).unwrap();
    let (t, q) = (&record.samples.t, &record.samples.position[0]);
    let mut peaks = Vec::new();
    for i in 1..q.len() - 1 {
        if q[i] > q[i - 1] && q[i] >= q[i + 1] {
            // the parabola through three samples
            let (d1, d2) = (0.5 * (q[i + 1] - q[i - 1]), q[i + 1] - 2.0 * q[i] + q[i - 1]);
            peaks.push([t[i] - d1 / d2 * (t[i + 1] - t[i]), q[i] - 0.5 * d1 * d1 / d2]);
        }
    }
    peaks
}

#[test]
fn vibrations_decay_as_the_mode_says() {
    // damping is some percent: what the concept neglects is of its second order for a law without memory; the
    // loop of a spring with a slider
    // does not close while the motion decays, which is of first order
    let laws = [
        (FrictionLaw::Tanh(Tanh { mu: 0.01, width: 0.1 }), 2e-3),
        (FrictionLaw::Jenkins(Jenkins { mu: 0.004, stiffness: 0.1 }), 1e-2),
    ];
    for (law, near) in laws {
        let name = law.name();
        let mut system = System::oscillator(1.0, 0.001, 1.0).with_friction(law);
        system.position[0] = 0.6;
        let method = HarmonicBalance { tolerance: 1e-7, max_harmonics: 31, ..HarmonicBalance::default() };
        let found = peaks(&system, 100.0);
        let (mut decay, mut period) = (0.0f64, 0.0f64);
        for pair in found.windows(2).filter(|pair| pair[1][1] > 0.08) {
            let middle = (pair[0][1] * pair[1][1]).sqrt();
            let motion = mode(&method, &system, middle);
            let decrement = libm::log(pair[0][1] / pair[1][1]);
            decay = decay.max((decrement / (2.0 * PI * motion.damping) - 1.0).abs());
            period = period.max(((pair[1][0] - pair[0][0]) * motion.motion.omega / (2.0 * PI) - 1.0).abs());
        }
        println!("{name}: {} peaks, decrement off by {decay:.1e}, period by {period:.1e}", found.len());
        assert!(found.len() > 8 && decay < near && period < 1e-3, "{name}: {decay:e} {period:e}");
    }
}

#[test]
fn without_friction_the_mode_is_the_linear_one_whatever_its_damping() {
    let mut system = cantilever(8, 0.2, 1e-3);
    let omega = [3.516015, 22.0345];
    system.contacts.clear();
    system.harmonics.clear();
    for (j, omega) in omega.iter().enumerate() {
        let points =
            HarmonicBalance::fixed(3).nonlinear_mode(&system, j, 14, &[0.1], &mut Progress::none()).unwrap();
        let motion = points[0].motion.as_ref().unwrap();
        assert!((motion.motion.omega / omega - 1.0).abs() < 1e-3, "{}", motion.motion.omega);
        let expected = 0.5 * (0.2 / motion.motion.omega + 1e-3 * motion.motion.omega);
        assert!((motion.damping - expected).abs() < 1e-9, "{} {expected}", motion.damping);
    }
}

#[test]
fn a_joint_in_a_beam_is_stiff_at_small_amplitudes_and_free_at_large_ones() {
    // damping in modes and damping that couples them go different ways
    for coupled in [false, true] {
        let mut system = cantilever(8, 0.0, 1e-4);
        system.harmonics.clear();
        if coupled {
            *system.damping.at_mut(6, 6) += 0.05;
        }
        system.contacts[0].friction = FrictionLaw::Jenkins(Jenkins { mu: 0.05, stiffness: 2.0 }).into();
        let mut stuck = system.clone();
        stuck.contacts.clear();
        let mut free = stuck.clone();
        let tip = system.n() - 2;
        *stuck.stiffness.at_mut(tip, tip) += 2.0;
        let method = HarmonicBalance::fixed(5);
        let at = |system: &System, amplitude: f64| {
            let points = method.nonlinear_mode(system, 0, tip, &[amplitude], &mut Progress::none()).unwrap();
            points[0].motion.clone().unwrap()
        };
        for (limit, amplitude, near) in [(&mut stuck, 1e-3, 1e-8), (&mut free, 1e5, 1e-6)] {
            let (found, expected) = (at(&system, amplitude), at(limit, amplitude));
            let off = (found.motion.omega / expected.motion.omega - 1.0).abs();
            assert!(off < near, "coupled {coupled}: {off:e}");
            assert!(
                (found.damping - expected.damping).abs() < near,
                "{} {}",
                found.damping,
                expected.damping
            );
        }
        // between them it is damped far more than at either end
        assert!(at(&system, 0.06).damping > 5.0 * at(&system, 1e-3).damping);
    }
}

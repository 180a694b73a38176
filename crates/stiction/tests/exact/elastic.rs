//! Elastic stops against closed forms.

use crate::general_systems::*;
use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::math::dense::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::Steady;
use stiction::system::{ElasticStop, Harmonic, Motion, System};
use stiction::{Faults, Progress};

fn stopped(mut system: System, direction: f64, position: f64, [stiffness, damping]: [f64; 2]) -> System {
    system.elements.elastic.push(ElasticStop {
        direction: vec![direction],
        position,
        stiffness,
        damping,
        ..ElasticStop::default()
    });
    system
}

/// A mass flies into a stop at 1 m/s: its events, and its velocity at the end.
fn thrown(stiffness: f64, damping: f64) -> (Vec<(f64, EventKind)>, f64) {
    let mut system = stopped(System::oscillator(2.0, 0.0, 0.0), 1.0, 0.5, [stiffness, damping]);
    system.velocity[0] = 1.0;
    let mut exact = Exact::new(&system).unwrap();
    let mut motion = Motion::zero(1, 0);
    let mut events = Vec::new();
    while exact.t() < 10.0 {
        exact.step(10.0).unwrap();
        events.extend(exact.events().iter().map(|event| (event.t, event.kind)));
    }
    exact.motion(10.0, &mut motion);
    (events, motion.velocity[0])
}

#[test]
fn a_spring_throws_a_mass_back_after_half_a_period() {
    let (events, velocity) = thrown(18.0, 0.0);
    let half = std::f64::consts::PI / 3.0;
    assert_eq!(events.len(), 2);
    assert!((events[0].0 - 0.5).abs() < 1e-15 && events[0].1 == EventKind::Impact);
    assert!((events[1].0 - 0.5 - half).abs() < 1e-14 && events[1].1 == EventKind::Release);
    assert!((velocity + 1.0).abs() < 1e-14);
}

#[test]
fn a_damped_stop_lets_go_when_its_force_vanishes() {
    // x = v/ω_d exp(−ζωt) sin ω_d t, and the force vanishes with ẍ at exp(−ζωt) of the speed
    let (omega, zeta) = (3.0f64, 0.3f64);
    let root = (1.0 - zeta * zeta).sqrt();
    let time = (2.0 * zeta * root).atan2(2.0 * zeta * zeta - 1.0) / (omega * root);
    let (_, velocity) = thrown(18.0, 2.0 * zeta * omega * 2.0);
    let expected = -(-zeta * omega * time).exp();
    assert!((velocity - expected).abs() < 1e-14, "{velocity} for {expected}");
}

#[test]
fn two_stops_without_a_gap_are_a_spring() {
    let linear = System::oscillator(1.0, 0.05, 3.0).with_friction(coulomb(0.2, 0.3)).with_force(1.2, 0.7);
    let mut soft = linear.clone();
    soft.stiffness.data[0] = 1.0;
    let soft = stopped(stopped(soft, 1.0, 0.0, [2.0, 0.0]), -1.0, 0.0, [2.0, 0.0]);
    let end = |system: &System| {
        let record = drive(system, &Integrator::Exact, &Plan::new(60.0, 2), &mut Progress::none()).unwrap();
        [record.samples.position[0][1], record.samples.velocity[0][1]]
    };
    let (a, b) = (end(&linear), end(&soft));
    assert!((a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12, "{a:?} {b:?}");
}

fn rattling() -> System {
    let system = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.2, 0.25)).with_force(1.2, 0.7);
    stopped(stopped(system, 1.0, 0.3, [40.0, 1.5]), -1.0, 0.6, [20.0, 0.0])
}

#[test]
fn the_energy_of_elastic_stops_balances() {
    let plan = Plan::new(200.0, 2);
    let record = drive(&rattling(), &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
    assert!(record.energy_share() < 1e-13, "{}", record.energy_share());
    assert!(record.total.impact_loss > 0.0);
}

#[test]
fn the_derivative_through_elastic_stops_is_that_of_differences() {
    const STEP: f64 = 1e-6;
    let system = rattling();
    let end = |x: [f64; 2], slopes: Option<&mut Matrix>| {
        let mut exact = Exact::new(&system).unwrap();
        exact.restart(0.0, &x[..1], &x[1..]).unwrap();
        let mut none = Matrix::zeros(2, 0);
        let slopes = slopes.unwrap_or(&mut none);
        while exact.t() < 13.0 {
            let from = exact.t();
            exact.step(13.0).unwrap();
            exact.carry(from, slopes);
        }
        let mut motion = Motion::zero(1, 1);
        exact.motion(13.0, &mut motion);
        [motion.position[0], motion.velocity[0]]
    };
    let mut slopes = Matrix::diagonal(&[1.0, 1.0]);
    end([0.1, 0.4], Some(&mut slopes));
    for j in 0..2 {
        let shifted = |by: f64| {
            let mut x = [0.1, 0.4];
            x[j] += by;
            end(x, None)
        };
        let (up, down) = (shifted(STEP), shifted(-STEP));
        for i in 0..2 {
            let (own, quotient) = (slopes.at(i, j), (up[i] - down[i]) / (2.0 * STEP));
            assert!((own - quotient).abs() < 1e-7 * (1.0 + own.abs()), "{i} {j}: {own} {quotient}");
        }
    }
}

#[test]
fn a_long_transient_between_elastic_stops_ends_in_the_periodic_motion() {
    let system = rattling();
    let found = Steady::default().find(&system, &mut Progress::none()).unwrap();
    let t_end = 300.0 * system.period().unwrap();
    let plan = Plan { times: vec![t_end], ..Plan::new(t_end, 2) };
    let record = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
    let end = record.samples.position[0][0];
    let off = found.iter().map(|orbit| (orbit.state.position[0] - end).abs()).fold(f64::INFINITY, f64::min);
    // the clock is rounded to 1e-12 after 300 periods
    assert!(off < 1e-11, "{off:e}");
}

#[test]
fn a_stop_that_would_pull_is_refused() {
    let system = stopped(System::oscillator(1.0, 0.0, 1.0), 1.0, 0.5, [-1.0, 0.0]);
    assert_eq!(Faults::of(|faults| system.check(faults))[0].key, "stop.0.stiffness");
}

/// A mass at rest touches a stop without pressing it; its neighbour sticks until the load exceeds its friction. What
/// sets the mass moving is of fifth order in time then, and the rounding of the neighbour's balance of third.
#[test]
fn a_mass_that_touches_a_stop_leaves_it_or_presses_it_as_its_neighbour_pulls() {
    for side in [1.0, -1.0] {
        for seed in 0..40 {
            let scale = 1.0 + 0.037 * f64::from(seed);
            let of_gap = |gap: f64, integrator: &Integrator| {
                let mut system =
                    two([1.0, 1.3 * scale], [0.1, 0.2], [3.0, -2.0, -2.0, 2.5 * scale], coulomb(0.7, 0.7));
                system.contacts[0].direction = vec![0.0, 1.0];
                system.harmonics =
                    vec![Harmonic { amplitude: vec![0.0, side], omega: 0.9 * scale, phase: 0.1 }];
                let mut system = stopped(system, 1.0, gap, [50.0, 2.0]);
                system.elements.elastic[0].direction = vec![1.0, 0.0];
                let plan = Plan::new(3.0, 31);
                drive(&system, integrator, &plan, &mut Progress::none()).unwrap()
            };
            let apart = of_gap(1e-9, &Integrator::Exact);
            let touching = of_gap(0.0, &Integrator::Exact);
            for (a, b) in
                touching.samples.position.iter().flatten().zip(apart.samples.position.iter().flatten())
            {
                assert!((a - b).abs() < 1e-7, "side {side}, seed {seed}: {a} {b}");
            }
            let adaptive = of_gap(
                0.0,
                &Integrator::Adaptive(Adaptive { rtol: 1e-9, atol: 1e-11, ..Adaptive::default() }),
            );
            for (a, b) in
                adaptive.samples.position.iter().flatten().zip(apart.samples.position.iter().flatten())
            {
                assert!((a - b).abs() < 1e-6, "adaptive, side {side}, seed {seed}: {a} {b}");
            }
        }
    }
}

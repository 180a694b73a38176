//! The exact method: classical results, degenerate cases, and what it promises about rest, work and errors.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction::Error;
use stiction::event::{Event, EventKind};
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw, Jenkins, Linear, Tanh};
use stiction::math::Matrix;
use stiction::system::{Contact, Harmonic, Motion, System};

/// A few roundings of numbers of order one, each carried over at most a few hundred events.
const ROUNDING: f64 = 1e-12;

fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

fn run(system: &System, t_end: f64) -> (Vec<Event>, Motion) {
    let mut exact = Exact::new(system).unwrap();
    let mut motion = Motion::zero(system.n(), system.contacts.len());
    let mut events = Vec::new();
    while exact.t() < t_end {
        exact.step(t_end).unwrap();
        events.extend_from_slice(exact.events());
    }
    exact.motion(t_end, &mut motion);
    (events, motion)
}

/// `system` twice, as two degrees of freedom that do not know of each other.
fn doubled(system: &System) -> System {
    let twice = |matrix: &Matrix| Matrix::diagonal(&[matrix.at(0, 0), matrix.at(0, 0)]);
    let mut contacts = Vec::new();
    for direction in [[1.0, 0.0], [0.0, 1.0]] {
        for contact in &system.contacts {
            let direction = direction.iter().map(|d| d * contact.direction[0]).collect();
            contacts.push(Contact { direction, ..contact.clone() });
        }
    }
    let vector = |x: &[f64]| vec![x[0]; 2];
    System {
        elements: Default::default(),
        mass: twice(&system.mass),
        damping: twice(&system.damping),
        stiffness: twice(&system.stiffness),
        contacts,
        constant: vector(&system.constant),
        harmonics: (system.harmonics.iter())
            .map(|h| Harmonic { amplitude: vector(&h.amplitude), ..h.clone() })
            .collect(),
        position: vector(&system.position),
        velocity: vector(&system.velocity),
    }
}

#[test]
fn free_decay_loses_two_dead_bands_per_half_cycle_and_stops_inside() {
    let (mu, k, u0) = (0.3, 4.0, 3.17);
    let mut system = System::oscillator(1.0, 0.0, k).with_friction(coulomb(mu, mu));
    system.position[0] = u0;
    for system in [system.clone(), doubled(&system)] {
        let mut exact = Exact::new(&system).unwrap();
        let mut motion = Motion::zero(system.n(), system.contacts.len());
        let half_cycle = PI / 2.0;
        let mut turn = 0;
        loop {
            exact.step(1e3).unwrap();
            if exact.t() == 1e3 {
                break;
            }
            if exact.events().is_empty() {
                continue;
            }
            turn += 1;
            exact.motion(exact.t(), &mut motion);
            let amplitude = u0 - 2.0 * mu / k * turn as f64;
            let sign = if turn % 2 == 1 { -1.0 } else { 1.0 };
            assert!((exact.t() - half_cycle * turn as f64).abs() < ROUNDING);
            assert!((motion.position[0] - sign * amplitude).abs() < ROUNDING, "turn {turn}");
            assert_eq!(motion.velocity[0], 0.0);
        }
        // 3.17 − 0.15 n first lies within the dead band of 0.075 for n = 21
        assert_eq!(turn, 21);
        assert!(system.n() > 1 || exact.start() <= half_cycle * 21.0 + ROUNDING);
        exact.motion(1e3, &mut motion);
        assert!(motion.position[0].abs() <= mu / k && motion.velocity[0] == 0.0);
    }
}

/// The steady motion without stops of `m ü + k u ± μN = P cos(ωt + φ)` (@denhartog1931), here m = k = P = 1
/// and r = ω/ω₀: with `V = 1/(1 − r²)` and `U = sin(π/r)/(r (1 + cos(π/r)))` it turns at `u₀² = V² − (U μ)²`,
/// where `cos φ = u₀/V` and `sin φ = −U μ/V`.
#[test]
fn a_start_on_den_hartogs_orbit_stays_on_it() {
    for (r, mu) in [(0.7, 0.2), (0.8, 0.4), (1.3, 0.3), (1.7, 0.25)] {
        let v: f64 = 1.0 / (1.0 - r * r);
        let u = (PI / r).sin() / (r * (1.0 + (PI / r).cos()));
        let amplitude = (v * v - u * mu * u * mu).sqrt();
        let phase = (-u * mu / v).atan2(amplitude / v);
        let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(mu, mu));
        system.harmonics.push(Harmonic { amplitude: vec![1.0], omega: r, phase: phase + FRAC_PI_2 });
        system.position[0] = amplitude;
        let (events, _) = run(&system, 5.0 * TAU / r + 0.1);
        let (_, motion) = run(&system, 5.0 * TAU / r);
        let error = (motion.position[0] - amplitude).abs().max(motion.velocity[0].abs());
        assert!(error < ROUNDING, "r = {r}, μ = {mu}: {error:e}");
        assert!(events.iter().all(|event| event.kind == EventKind::Reverse) && events.len() == 10);
    }
}

#[test]
fn a_subcritical_load_does_not_move_the_mass_in_a_million_periods() {
    let mut system = System::oscillator(1.3, 0.2, 0.7).with_friction(coulomb(0.5, 0.5)).with_force(0.3, 2.0);
    system.harmonics.push(Harmonic { amplitude: vec![0.05], omega: 3.1, phase: 0.4 });
    system.position[0] = 0.123456789;
    for (system, parts) in [(system.clone(), 1000), (doubled(&system), 20)] {
        let mut exact = Exact::new(&system).unwrap();
        let mut motion = Motion::zero(system.n(), system.contacts.len());
        let mut n_steps = 0;
        for part in 1..=parts {
            let t = part as f64 * 1e3 * PI;
            while exact.t() < t {
                exact.step(t).unwrap();
                n_steps += 1;
            }
            assert!(exact.events().is_empty());
            exact.motion(t, &mut motion);
            for k in 0..system.n() {
                assert_eq!(motion.position[k].to_bits(), 0.123456789f64.to_bits());
                assert_eq!(motion.velocity[k].to_bits(), 0f64.to_bits());
            }
        }
        // one degree of freedom is at rest in closed form
        assert!(n_steps == parts || system.n() > 1);
    }
}

/// A load `P sin ωt` on a mass at rest slips where P sin ωt = μs N; if the crest only touches it, it does
/// not.
#[test]
fn a_crest_that_only_touches_the_limit_does_not_slip() {
    for (excess, slips) in [(-1e-9, false), (0.0, false), (1e-9, true)] {
        let system =
            System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(1.0, 1.0)).with_force(1.0 + excess, 1.0);
        for system in [system.clone(), doubled(&system)] {
            let (events, _) = run(&system, 100.0);
            assert_eq!(!events.is_empty(), slips, "{excess:e}: {events:?}");
        }
    }
}

/// At resonance without damping `u = u₀ cos t + …` turns at every nπ, and each half cycle adds πP/2 − 2μ (m =
/// k = 1): the secular term of the load less the friction. Stiffnesses one round-off away from resonance must
/// not break it.
#[test]
fn undamped_resonance_grows_at_the_closed_form_rate() {
    let (p, mu, u0) = (2.0, 0.4, 1.0);
    for near in [0.0, 1e-15, -1e-15, 1e-13] {
        let mut system = System::oscillator(1.0, 0.0, 1.0 + near).with_friction(coulomb(mu, mu));
        system.harmonics.push(Harmonic { amplitude: vec![p], omega: 1.0, phase: PI });
        system.position[0] = u0;
        let mut exact = Exact::new(&system).unwrap();
        let mut motion = Motion::zero(1, 1);
        for n in 1..=20 {
            exact.step(1e3).unwrap();
            exact.motion(exact.t(), &mut motion);
            let amplitude = u0 + n as f64 * (FRAC_PI_2 * p - 2.0 * mu);
            let sign = if n % 2 == 1 { -1.0 } else { 1.0 };
            assert!((exact.t() - n as f64 * PI).abs() < 1e-10, "{n}: {}", exact.t());
            assert!((motion.position[0] - sign * amplitude).abs() < 1e-9, "{n}: {}", motion.position[0]);
        }
    }
}

#[test]
fn a_free_mass_stops_by_the_parabola() {
    let (v0, mu) = (2.0, 0.25);
    let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(coulomb(mu, mu));
    system.velocity[0] = v0;
    for system in [system.clone(), doubled(&system)] {
        let (events, motion) = run(&system, 100.0);
        assert_eq!(events.len(), system.contacts.len());
        assert!(events.iter().all(|e| e.kind == EventKind::Stick && (e.t - v0 / mu).abs() < ROUNDING));
        assert!((motion.position[0] - 0.5 * v0 * v0 / mu).abs() < ROUNDING);
    }
}

/// A mass on a belt: it rides to ku + c·belt = μsN, slips with the drop μs − μk, and comes back to the belt's
/// velocity.
#[test]
fn masses_without_springs_coast_for_any_time() {
    // t = v/(μN/m), x = v²/(2μN/m), far from one unit of time; then a mass on a spring with a slider that
    // slips
    for scale in [1e-30, 1e-3, 1e6, 1e30] {
        let mut system =
            doubled(&System::oscillator(1.0, 0.0, 0.0).with_friction(coulomb(1.0 / scale, 1.0 / scale)));
        system.velocity = vec![1.0, 2.0];
        let (events, motion) = run(&system, 3.0 * scale);
        let times: Vec<f64> = events.iter().map(|event| event.t / scale).collect();
        assert!(times.iter().zip([1.0, 2.0]).all(|(t, is)| (t - is).abs() < ROUNDING), "{scale}: {times:?}");
        assert_eq!(times.len(), 2, "{scale}");
        assert!((motion.position[1] / scale - 2.0).abs() < ROUNDING, "{scale}: {:?}", motion.position);

        let reach = 1e-3 * scale;
        let jenkins = Jenkins { mu: 1.0 / scale, stiffness: 1.0 / (scale * reach) };
        let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(FrictionLaw::Jenkins(jenkins));
        system.velocity[0] = 1.0;
        let (events, motion) = run(&system, 1.5 * scale);
        let first: Vec<EventKind> = events.iter().take(2).map(|event| event.kind).collect();
        assert_eq!(first, [EventKind::Slip, EventKind::Stick], "{scale}");
        // the spring takes ½μN·reach, the slider μN times the rest
        let way = 0.5 * scale + 0.5 * reach;
        let before_stick = motion.position[0] - way;
        assert!(before_stick.abs() <= 2.0 * reach, "{scale}: {:?}", motion.position);
    }
}

#[test]
fn a_mass_on_a_belt_sticks_and_slips_periodically() {
    let (mu, mu_s, belt) = (0.5, 0.8, 0.2);
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(mu, mu_s));
    system.contacts[0].belt = belt;
    system.velocity[0] = belt;
    for system in [system.clone(), doubled(&system)] {
        let m = system.contacts.len();
        let (events, _) = run(&system, 200.0);
        let own: Vec<Event> = events.into_iter().filter(|event| event.contact == m - 1).collect();
        // slip from u = μs at velocity `belt` about the centre μk: comes back to `belt` at u = 2μk − μs
        let slide = TAU - 2.0 * ((mu_s - mu) / belt).atan();
        let ride = 2.0 * (mu_s - mu) / belt;
        assert!((own[0].t - mu_s / belt).abs() < ROUNDING && own[0].kind == EventKind::Slip);
        for pair in own.windows(2) {
            let expected = if pair[0].kind == EventKind::Slip { slide } else { ride };
            assert!((pair[1].t - pair[0].t - expected).abs() < ROUNDING, "{pair:?}");
        }
        assert!(own.len() > 40);
    }
}

#[test]
fn contacts_in_parallel_hold_what_they_can_together() {
    // 0.3 + 0.5 of static friction against a ramp that is a slow belt's spring: slips at u = 0.8/k
    let mut system =
        System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(0.3, 0.3)).with_friction(coulomb(0.4, 0.5));
    system.contacts.iter_mut().for_each(|contact| contact.belt = 0.1);
    system.velocity[0] = 0.1;
    for system in [system.clone(), doubled(&system)] {
        let mut exact = Exact::new(&system).unwrap();
        let mut motion = Motion::zero(system.n(), system.contacts.len());
        while exact.events().is_empty() {
            exact.step(100.0).unwrap();
        }
        assert!((exact.t() - 8.0).abs() < ROUNDING, "{}", exact.t());
        let slipped = exact.events().iter().filter(|event| event.kind == EventKind::Slip).count();
        assert!(slipped >= 2);
        exact.motion(exact.t(), &mut motion);
        assert!((motion.friction[0] + 0.3).abs() < ROUNDING && (motion.friction[1] + 0.4).abs() < ROUNDING);
    }
    // while they hold, the sum is what the spring asks
    let mut exact = Exact::new(&system).unwrap();
    let mut motion = Motion::zero(1, 2);
    exact.step(4.0).unwrap();
    exact.motion(4.0, &mut motion);
    assert!((motion.friction[0] + motion.friction[1] + 0.4).abs() < ROUNDING);
    assert_eq!(motion.sliding, [0.0, 0.0]);
}

#[test]
fn one_and_several_degrees_of_freedom_agree() {
    let ramp = FrictionLaw::Linear(Linear { mu: 0.6, width: 0.3, rise: None, rise_height: None });
    let raised = FrictionLaw::Linear(Linear { mu: 0.6, width: 0.3, rise: Some(0.2), rise_height: None });
    for law in [coulomb(0.6, 0.6), coulomb(0.5, 0.9), ramp, raised] {
        for (c, k, omega) in
            [(0.0, 1.0, 1.0), (0.0, 1.0, 0.7), (2.0, 1.0, 1.1), (5.0, 1.0, 0.5), (0.3, 0.0, 1.0)]
        {
            let mut system = System::oscillator(1.0, c, k).with_friction(law.clone()).with_force(1.7, omega);
            system.velocity[0] = 0.45;
            system.contacts[0].belt = 0.1;
            let (one, motion) = run(&system, 60.0);
            let (two, double) = run(&doubled(&system), 60.0);
            for contact in [0, 1] {
                let own: Vec<&Event> = two.iter().filter(|event| event.contact == contact).collect();
                assert_eq!(own.len(), one.len(), "{} c = {c}, k = {k}, ω = {omega}", law.name());
                for (a, b) in one.iter().zip(own) {
                    assert!((a.t - b.t).abs() < 1e-11 && a.kind == b.kind, "{a:?} {b:?}");
                }
                assert!((motion.position[0] - double.position[contact]).abs() < 1e-10);
                assert!((motion.velocity[0] - double.velocity[contact]).abs() < 1e-10);
            }
        }
    }
}

#[test]
fn a_law_that_is_not_a_polyline_is_refused_by_name() {
    let tanh = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.01 });
    let system = System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(0.3, 0.3)).with_friction(tanh);
    for system in [system.clone(), doubled(&system)] {
        let error = Exact::new(&system).unwrap_err();
        assert_eq!(error, Error::NotPiecewiseLinear { contact: 1, law: "tanh" });
    }
}

#[test]
fn dense_motion_satisfies_the_equation_of_motion() {
    let mut system = System::oscillator(1.2, 0.3, 2.0).with_friction(coulomb(0.5, 0.7)).with_force(2.1, 0.9);
    system.harmonics.push(Harmonic { amplitude: vec![-0.8], omega: 2.3, phase: 0.3 });
    system.constant[0] = 0.2;
    for system in [system.clone(), doubled(&system)] {
        let mut exact = Exact::new(&system).unwrap();
        let mut motion = Motion::zero(system.n(), system.contacts.len());
        while exact.t() < 50.0 {
            exact.step(50.0).unwrap();
            for i in 1..10 {
                let t = exact.start() + (exact.t() - exact.start()) * i as f64 / 10.0;
                exact.motion(t, &mut motion);
                let load = 0.2 + 2.1 * (0.9 * t).sin() - 0.8 * (2.3 * t + 0.3).sin();
                for k in 0..system.n() {
                    let [u, v, a] = [motion.position[k], motion.velocity[k], motion.acceleration[k]];
                    let residual = 1.2 * a + 0.3 * v + 2.0 * u + motion.friction[k] - load;
                    assert!(residual.abs() < ROUNDING, "t = {t}: {residual:e}");
                    assert!(motion.friction[k].abs() <= 0.7 + ROUNDING);
                    assert!(v == 0.0 || motion.friction[k] == 0.5f64.copysign(v));
                }
            }
        }
    }
}

#[test]
fn a_restart_on_the_way_goes_on_as_before() {
    let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(coulomb(0.4, 0.6)).with_force(1.5, 0.7);
    system.velocity[0] = 0.3;
    for system in [system.clone(), doubled(&system)] {
        let (n, m) = (system.n(), system.contacts.len());
        let (_, whole) = run(&system, 40.0);
        for part in [3.3, 11.0, 17.9, 25.1] {
            let (_, middle) = run(&system, part);
            let mut exact = Exact::new(&system).unwrap();
            exact.restart(part, &middle.position, &middle.velocity).unwrap();
            while exact.t() < 40.0 {
                exact.step(40.0).unwrap();
            }
            let mut motion = Motion::zero(n, m);
            exact.motion(40.0, &mut motion);
            assert!((motion.position[0] - whole.position[0]).abs() < ROUNDING, "{part}");
            assert!((motion.velocity[0] - whole.velocity[0]).abs() < ROUNDING, "{part}");
        }
    }
}

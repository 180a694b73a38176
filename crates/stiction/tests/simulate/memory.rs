//! Transients under laws that remember: static friction that grows at rest, elements that slip late,
//! bristles, ageing contacts.

use stiction::event::EventKind;
use stiction::law::{
    Coulomb, CoulombDwell, ElastoPlastic, Evolution, FrictionLaw, Gms, Iwan, Lugre, RateAndState,
};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::Steady;
use stiction::system::System;
use stiction::{Error, Progress};

fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() })
}

fn run(system: &System, integrator: &Integrator, t_end: f64) -> Record {
    drive(system, integrator, &Plan::new(t_end, 2001), &mut Progress::none()).unwrap()
}

fn farthest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// m = k = N = 1 on a belt of velocity V. Slip begins and ends at the belt's velocity, so that the deflection
/// passes from μ + d to μ − d and rest lasts T = 2d/V; then d = μs(T) − μ, and slip lasts 2 (π − atan(d/V)).
fn dwell_cycle(law: &CoulombDwell, belt: f64) -> [f64; 2] {
    let mut d = law.mu_static - law.mu;
    for _ in 0..10_000 {
        d = law.static_mu(2.0 * d / belt) - law.mu;
    }
    [2.0 * d / belt, 2.0 * (std::f64::consts::PI - libm::atan(d / belt))]
}

#[test]
fn the_belt_cycle_with_dwell_time_is_its_closed_form() {
    for (exponent, belt) in [(1.0, 0.1), (0.5, 0.1), (1.0, 0.3)] {
        let law = CoulombDwell { mu: 0.4, mu_static: 1.0, time: 2.0, exponent };
        let [rest, slip] = dwell_cycle(&law, belt);
        let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(FrictionLaw::CoulombDwell(law));
        system.contacts[0].belt = belt;
        let record = run(&system, &tight(), 40.0 * (rest + slip));
        let times = |kind| -> Vec<f64> {
            record.events.iter().filter(|event| event.kind == kind).map(|event| event.t).collect()
        };
        let (slips, sticks) = (times(EventKind::Slip), times(EventKind::Stick));
        let last = slips[slips.len() - 1];
        let before = *sticks.iter().rev().find(|t| **t < last).unwrap();
        // a fixed point that attracts: after forty cycles the first is forgotten
        assert!((last - before - rest).abs() < 1e-9, "{exponent} {belt}: {} for {rest}", last - before);
        let period = last - slips[slips.len() - 2];
        assert!((period - rest - slip).abs() < 1e-9, "{exponent} {belt}: {period} for {}", rest + slip);
        assert!(record.energy_share() < 1e-10, "{}", record.energy_share());
        // the time at rest is recorded, and begins anew
        let counted = record.samples.states[0].iter().fold(0.0f64, |a, b| a.max(*b));
        assert!(counted <= record.samples.t[2000] && counted > 0.9 * rest, "{counted} {rest}");
    }
}

#[test]
fn the_search_for_periodic_motions_finds_the_cycle_with_dwell_time() {
    let law = CoulombDwell { mu: 0.4, mu_static: 1.0, time: 2.0, exponent: 1.0 };
    let [rest, slip] = dwell_cycle(&law, 0.1);
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(FrictionLaw::CoulombDwell(law));
    system.contacts[0].belt = 0.1;
    let orbits = Steady::default().find(&system, &mut Progress::none()).unwrap();
    let found: Vec<f64> = orbits.iter().map(|orbit| orbit.period).collect();
    assert!(
        found.iter().any(|period| (period / (rest + slip) - 1.0).abs() < 1e-8),
        "{found:?} {}",
        rest + slip
    );
}

/// Without growth it is Coulomb's law.
#[test]
fn dwell_time_without_a_difference_is_coulomb() {
    let system =
        |law: FrictionLaw| System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(1.3, 0.7);
    let dwell = FrictionLaw::CoulombDwell(CoulombDwell { mu: 0.9, mu_static: 0.9, time: 0.1, exponent: 1.0 });
    let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.9, mu_static: None });
    let [a, b] = [run(&system(dwell), &tight(), 60.0), run(&system(coulomb), &Integrator::Exact, 60.0)];
    assert!(farthest(&a.samples.position[0], &b.samples.position[0]) < 1e-10);
    assert_eq!(a.events.len(), b.events.len());
}

/// With a limit that does not fall, the elements are Iwan's, which the exact engine carries: every turning
/// point is remembered.
#[test]
fn gms_without_a_stribeck_curve_is_iwan() {
    let (share, stiffness) = (vec![0.2, 0.3, 0.5], vec![40.0, 20.0, 10.0]);
    let (mu, velocity, attraction) = (0.8, 0.1, 30.0);
    let gms =
        Gms { mu, mu_static: mu, velocity, share, stiffness: stiffness.clone(), attraction, exponent: None };
    let iwan = Iwan { mu: vec![0.16, 0.24, 0.4], stiffness };
    let system = |law: FrictionLaw| {
        let mut system = System::oscillator(1.0, 0.1, 2.0).with_friction(law).with_force(1.5, 0.9);
        // a second tone makes loops within loops
        let mut tone = system.harmonics[0].clone();
        (tone.omega, tone.amplitude) = (4.1, vec![1.1]);
        system.harmonics.push(tone);
        system
    };
    let late = run(&system(FrictionLaw::Gms(gms)), &tight(), 30.0);
    let exact = run(&system(FrictionLaw::Iwan(iwan)), &Integrator::Exact, 30.0);
    let (a, b) = (&late.samples, &exact.samples);
    assert!(farthest(&a.position[0], &b.position[0]) < 1e-9);
    assert!((0..3).all(|k| farthest(&a.states[k], &b.states[k]) < 1e-9));
    assert_eq!(late.events.len(), exact.events.len());
    let fractions = [&late, &exact].map(|record| record.stick_fraction[0].unwrap());
    assert!((fractions[0] - fractions[1]).abs() < 1e-9, "{fractions:?}");
}

/// A mass on a belt that runs steadily: friction settles on s(v), and is the same from both sides.
#[test]
fn gms_slides_steadily_on_its_stribeck_curve() {
    for belt in [0.02, -0.3] {
        let (share, stiffness, exponent) = (vec![1.0, 2.0], vec![50.0, 20.0], Some(1.0));
        let (mu, mu_static, velocity, attraction) = (0.5, 0.9, 0.1, 50.0);
        let gms = Gms { mu, mu_static, velocity, share, stiffness, attraction, exponent };
        let mut system = System::oscillator(1.0, 8.0, 1.0).with_friction(FrictionLaw::Gms(gms));
        system.contacts[0].belt = belt;
        let record = run(&system, &tight(), 200.0);
        let limit = 0.5 + 0.4 * libm::exp(-f64::abs(belt) / 0.1);
        let last = record.samples.friction[0][2000];
        assert!((last + limit.copysign(belt)).abs() < 1e-8, "{last} {limit}");
    }
}

/// Below break-away elasto-plastic bristles carry a pulsating load without end; LuGre's creep.
#[test]
fn a_pulsating_load_below_break_away_moves_lugre_and_not_elasto_plastic_bristles() {
    let (mu, mu_static, velocity, stiffness, damping) = (0.3, 0.4, 0.01, 1000.0, 10.0);
    let lugre = Lugre { mu, mu_static, velocity, stiffness, damping, exponent: None };
    let dupont = ElastoPlastic { mu, mu_static, velocity, stiffness, damping, elastic: 0.95, exponent: None };
    let end = |law: FrictionLaw| {
        let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(law).with_force(0.1, 5.0);
        system.constant[0] = 0.15;
        let record = run(&system, &tight(), 60.0);
        // the deflection that the mean load holds
        record.samples.position[0][2000] - 0.15 / stiffness
    };
    let [creeps, rests] = [end(FrictionLaw::Lugre(lugre)), end(FrictionLaw::ElastoPlastic(dupont))];
    assert!(creeps > 1e-3, "{creeps:e}");
    // what the oscillation about the mean can be
    assert!(rests.abs() < 2e-4, "{rests:e}");
}

/// Beyond the boundary of stability steady sliding gives way to jerks; before it, it is come back to.
#[test]
fn a_spring_slider_jerks_beyond_the_boundary_and_settles_before_it() {
    let (a, b, d, v, load) = (0.01, 0.02, 1e-3, 0.01, 10.0);
    let law = RateAndState { mu: 0.6, a, b, distance: d, velocity: v, evolution: Evolution::Ageing };
    let critical = (b - a) * load / d * (1.0 + v * v / (a * load * d));
    let swing = |share: f64| {
        let mut system = System::oscillator(1.0, 0.0, share * critical)
            .with_friction(FrictionLaw::RateAndState(law.clone()));
        (system.contacts[0].belt, system.contacts[0].load) = (v, load);
        system.position[0] = 1.001 * 0.6 * load / (share * critical);
        let record = drive(
            &system,
            &Integrator::Adaptive(Adaptive::default()),
            &Plan { window: [20.0, 30.0], ..Plan::new(30.0, 2001) },
            &mut Progress::none(),
        )
        .unwrap();
        (record.ranges[1].max - record.ranges[1].min) / v
    };
    let [jerks, settles] = [0.5, 1.5].map(swing);
    assert!(jerks > 2.0 && settles < 1e-3, "{jerks} {settles}");
}

/// Steps and evaluations under LuGre's law and under the elasto-plastic one with the same bristles.
fn cost_of_bristles(stiffness: f64) -> [[f64; 2]; 2] {
    let (mu, mu_static, velocity, exponent) = (0.3, 0.4, 0.1, None);
    let (damping, elastic) = (0.3 * stiffness.sqrt(), 0.7);
    let laws = [
        FrictionLaw::Lugre(Lugre { mu, mu_static, velocity, stiffness, damping, exponent }),
        FrictionLaw::ElastoPlastic(ElastoPlastic {
            mu,
            mu_static,
            velocity,
            stiffness,
            damping,
            elastic,
            exponent,
        }),
    ];
    laws.map(|law| {
        let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(1.0, 0.8);
        let work = run(&system, &Integrator::Adaptive(Adaptive::default()), 40.0).work;
        [work.steps as f64, work.evaluations as f64]
    })
}

/// Bristles that slide are stiff, whatever law bends them: the choice of the method sees it, and the steps do
/// not grow with it.
#[test]
fn bristles_that_only_bend_at_first_cost_no_more_than_others() {
    let soft = cost_of_bristles(1e3);
    for stiffness in [1e3, 1e4, 1e5, 1e6] {
        let costs = cost_of_bristles(stiffness);
        for k in 0..2 {
            assert!(costs[1][k] < 1.3 * costs[0][k], "{stiffness:e}: {costs:?}");
            assert!(costs[1][k] < 2.0 * soft[1][k], "{stiffness:e}: {costs:?} {soft:?}");
        }
    }
}

/// On a belt a mass under an ageing contact creeps more slowly than velocities can resolve: the error reports
/// it, and its hint works.
#[test]
fn a_law_too_steep_for_the_velocities_is_reported_as_such() {
    let system = |a: f64, belt: f64| {
        let law = FrictionLaw::RateAndState(RateAndState {
            mu: 0.6,
            a,
            b: 1.5 * a,
            distance: 1e-3,
            velocity: 1e-3,
            evolution: Evolution::Ageing,
        });
        let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(law);
        system.contacts[0].belt = belt;
        system.velocity[0] = if belt == 0.0 { 0.1 } else { 0.0 };
        system
    };
    let run = |system: &System| {
        let integrator = Integrator::Adaptive(Adaptive::default());
        drive(system, &integrator, &Plan::new(20.0, 3), &mut Progress::none())
    };
    for (a, belt) in [(0.01, 0.1), (0.003, 0.1)] {
        let reported = run(&system(a, belt)).unwrap_err();
        match &reported {
            Error::TooSteep { contact: 0, law: "rate-and-state", t, slope } => {
                assert!(*t > 0.0 && *t < 20.0 && *slope > 1e6, "{reported}");
            }
            other => panic!("a = {a}, belt {belt}: {other}"),
        }
        assert!(reported.hint().is_some_and(|hint| hint.contains("mu/a")));
    }
    // without a belt the sliding velocity is no difference, and as small as it need be
    for (a, belt) in [(0.05, 0.1), (0.05, 0.0), (0.01, 0.0), (0.003, 0.0)] {
        assert!(run(&system(a, belt)).is_ok(), "a = {a}, belt {belt}");
    }
}

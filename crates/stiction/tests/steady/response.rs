//! Families of steady states: frequency response, folds, bifurcation diagrams.

use std::f64::consts::PI;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw, Linear};
use stiction::math::Matrix;
use stiction::steady::{Bifurcation, Continuation, Orbit, Point, State, Steady, bifurcation, sweep};
use stiction::system::{Contact, Harmonic, System};
use stiction::{Error, Faults};

/// Rounding of one period, times what a fixed point makes of it.
const ROUNDING: f64 = 1e-11;

fn coulomb(mu: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: None })
}

fn grid(from: f64, to: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| from + (to - from) * i as f64 / (n - 1) as f64).collect()
}

fn motion(point: &Point) -> &Orbit {
    point.orbit.as_ref().unwrap()
}

#[test]
fn the_response_of_an_oscillator_without_friction_is_the_closed_form() {
    let damping = 0.1;
    let family = |omega: f64| System::oscillator(1.0, damping, 1.0).with_force(1.0, omega);
    let response = |omega: f64| 1.0 / (1.0 - omega * omega).hypot(damping * omega);
    let swept = sweep(&Steady::default(), &family, &grid(0.1, 3.0, 100), &mut Progress::none()).unwrap();
    assert_eq!(swept.len(), 100);
    let branch = Continuation { from: 0.1, to: 3.0, ..Continuation::default() }
        .run(&family, &mut Progress::none())
        .unwrap();
    assert!(branch.is_complete() && branch.points.len() > 30 && branch.points.len() < 300);
    assert_eq!(branch.points.last().map(|point| point.parameter), Some(3.0));
    for point in swept.iter().chain(&branch.points) {
        let omega = point.parameter;
        let truth = response(omega);
        assert!((motion(point).amplitude / truth - 1.0).abs() < ROUNDING, "ω = {omega}");
        let phase = -(damping * omega).atan2(1.0 - omega * omega);
        assert!((motion(point).fundamental.phase.unwrap() - phase).abs() < ROUNDING, "ω = {omega}");
    }
}

#[test]
fn den_hartogs_response_above_resonance() {
    let f = 0.3;
    let family =
        |omega: f64| System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(f)).with_force(1.0, omega);
    for point in sweep(&Steady::default(), &family, &grid(1.1, 1.9, 81), &mut Progress::none()).unwrap() {
        let (beta, orbit) = (point.parameter, motion(&point));
        let v = 1.0 / (1.0 - beta * beta);
        let u = (PI / beta).sin() / (beta * (1.0 + (PI / beta).cos()));
        let amplitude = (v * v - (f * u) * (f * u)).sqrt();
        assert_eq!(orbit.stops, 0, "β = {beta}");
        assert!((orbit.amplitude - amplitude).abs() < ROUNDING * amplitude.max(1.0), "β = {beta}");
        // all work goes into friction, four amplitudes per period
        assert!(
            (orbit.energy.friction_loss - 4.0 * f * amplitude).abs() < ROUNDING * orbit.energy.work_in,
            "β = {beta}"
        );
    }
}

/// A ramp whose friction falls beyond a peak: slow creep and fast sliding coexist at one load.
fn peaked(amplitude: f64) -> System {
    let law = Linear { mu: 0.3, width: 0.05, rise: Some(0.3), rise_height: Some(0.4) };
    System::oscillator(1.0, 0.05, 1.0).with_friction(FrictionLaw::Linear(law)).with_force(amplitude, 1.0)
}

#[test]
fn a_branch_is_followed_through_its_folds() {
    let branch = Continuation { from: 0.2, to: 2.0, ..Continuation::default() }
        .run(&peaked, &mut Progress::none())
        .unwrap();
    assert!(branch.is_complete());
    // it turns round twice, and is unstable between the folds
    let points = &branch.points;
    let turns: Vec<usize> = (1..points.len() - 1)
        .filter(|&i| {
            (points[i].parameter - points[i - 1].parameter) * (points[i + 1].parameter - points[i].parameter)
                < 0.0
        })
        .collect();
    let [first, second] = turns[..] else { panic!("folds at {turns:?}") };
    let stable: Vec<bool> = points.iter().map(|point| motion(point).is_stable()).collect();
    assert!(stable[..first].iter().all(|s| *s) && stable[second + 1..].iter().all(|s| *s));
    assert!(stable[first + 1..second].iter().all(|s| !s));
    for point in &points[first + 1..second] {
        assert!(motion(point).multipliers[0].re > 1.0 && motion(point).multipliers[0].im == 0.0);
    }
    assert!(points.iter().all(|point| motion(point).convergence.residual < 1e-12));
    assert!(points.windows(2).all(|pair| motion(&pair[1]).amplitude > motion(&pair[0]).amplitude));
    // at a fold the largest multiplier is one
    let near = |i: usize| motion(&points[i]).multipliers[0].re;
    assert!((near(first - 1) - 1.0) * (near(first + 1) - 1.0) < 0.0);

    // between the folds both stable motions are found from the standard starts, and they lie on the branch
    let orbits = Steady::default().find(&peaked(0.62), &mut Progress::none()).unwrap();
    let stable: Vec<f64> =
        orbits.iter().filter(|orbit| orbit.is_stable()).map(|orbit| orbit.amplitude).collect();
    assert_eq!(stable.len(), 2);
    for amplitude in stable {
        let i = points.iter().position(|point| motion(point).amplitude > amplitude).unwrap();
        let (low, high) = (points[i - 1].parameter, points[i].parameter);
        assert!(low <= 0.62 && 0.62 <= high, "{amplitude}: {low} {high}");
    }
}

#[test]
fn stick_slip_is_followed_across_changes_of_its_stops() {
    let family =
        |omega: f64| System::oscillator(1.0, 0.1, 1.0).with_friction(coulomb(0.4)).with_force(1.0, omega);
    let branch = Continuation { from: 0.12, to: 1.5, ..Continuation::default() }
        .run(&family, &mut Progress::none())
        .unwrap();
    assert!(branch.is_complete(), "{}", branch.points.last().unwrap().parameter);
    let stops: Vec<u32> = branch.points.iter().map(|point| motion(point).stops).collect();
    assert!(stops[0] >= 4 && stops.contains(&2) && stops.last() == Some(&0), "{stops:?}");
    // every point is what the search finds by itself
    for point in branch.points.iter().step_by(7) {
        let orbit =
            Steady::default().from(&family(point.parameter), &State::rest(1), &mut Progress::none()).unwrap();
        assert!((orbit.amplitude - motion(point).amplitude).abs() < ROUNDING, "ω = {}", point.parameter);
        assert_eq!(orbit.stops, motion(point).stops);
    }
}

#[test]
fn three_blocks_have_a_steady_motion_where_their_transient_ends() {
    let n = 3;
    let mut stiffness = Matrix::diagonal(&[1.0; 3]);
    let mut damping = Matrix::diagonal(&[0.05; 3]);
    for i in 1..n {
        for (a, b, s) in [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)] {
            *stiffness.at_mut(a, b) += 1.5 * s;
            *damping.at_mut(a, b) += 0.03 * s;
        }
    }
    let contact = |i: usize| {
        let mut direction = vec![0.0; n];
        direction[i] = 1.0;
        Contact { friction: coulomb(0.2 + 0.05 * i as f64).into(), load: 1.0, direction, belt: 0.0 }
    };
    let system = System {
        elements: Default::default(),
        mass: Matrix::diagonal(&[1.0, 1.3, 0.8]),
        damping,
        stiffness,
        contacts: (0..n).map(contact).collect(),
        constant: vec![0.02, 0.0, 0.0],
        harmonics: vec![Harmonic { amplitude: vec![1.0, 0.0, 0.3], omega: 0.9, phase: 0.4 }],
        position: vec![0.0; n],
        velocity: vec![0.0; n],
    };
    let orbit =
        Steady { dof: 1, ..Steady::default() }.from(&system, &State::rest(n), &mut Progress::none()).unwrap();
    assert!(orbit.is_stable() && orbit.convergence.residual < 1e-12 && orbit.multipliers.len() == 6);
    assert!(
        (orbit.energy.work_in - orbit.energy.friction_loss - orbit.energy.viscous_loss).abs()
            < ROUNDING * orbit.energy.work_in
    );
    let settings = Bifurcation { transient: 600, samples: 1, ..Bifurcation::default() };
    let end = &bifurcation(&settings, &|_| system.clone(), &[0.0], &mut Progress::none()).unwrap()[0]
        .states
        .clone()
        .unwrap()[0];
    for k in 0..n {
        assert!((orbit.state.position[k] - end.position[k]).abs() < ROUNDING, "{k}");
        assert!((orbit.state.velocity[k] - end.velocity[k]).abs() < ROUNDING, "{k}");
    }
}

#[test]
fn sections_count_the_periods_of_a_motion() {
    let family = |second: f64| {
        let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(coulomb(0.3)).with_force(1.0, 0.8);
        system.harmonics.push(Harmonic { amplitude: vec![second], omega: 0.8 / 3.0, phase: 0.0 });
        system
    };
    let sections =
        bifurcation(&Bifurcation::default(), &family, &[0.0, 0.2, 0.4], &mut Progress::none()).unwrap();
    let counts: Vec<usize> = sections.iter().map(|section| section.n_distinct(0, 1e-9)).collect();
    assert_eq!(counts, [1, 3, 3]);
    assert_eq!(sections[1].states.as_ref().unwrap().len(), 50);
    let free = |_: f64| System::oscillator(1.0, 0.1, 1.0);
    let found = bifurcation(&Bifurcation::default(), &free, &[0.0], &mut Progress::none());
    assert!(matches!(found, Err(Error::Needs { key: "force" })));
}

#[test]
fn a_response_begins_at_a_load_of_no_size() {
    let omega = 0.8;
    for (damping, mu) in [(0.1, 0.3), (0.1, 0.0), (0.002, 0.0)] {
        let family = |force: f64| {
            let system = System::oscillator(1.0, damping, 1.0).with_force(force, omega);
            if mu > 0.0 { system.with_friction(coulomb(mu)) } else { system }
        };
        let swept = sweep(&Steady::default(), &family, &grid(0.0, 2.0, 5), &mut Progress::none()).unwrap();
        let branch = Continuation { from: 0.0, to: 2.0, ..Continuation::default() }
            .run(&family, &mut Progress::none())
            .unwrap();
        assert!(branch.is_complete(), "{mu}");
        for first in [motion(&swept[0]), motion(&branch.points[0])] {
            assert!(first.amplitude < ROUNDING && first.fundamental.phase.is_none(), "{first:?}");
            assert!((first.period - 2.0 * PI / omega).abs() < ROUNDING);
            // where friction holds, it holds anywhere; else what is left of a displacement after a period
            let left = if mu > 0.0 { 1.0 } else { libm::exp(-0.5 * damping * first.period) };
            let largest = first.multipliers.iter().map(|m| m.modulus()).fold(0.0, f64::max);
            assert!((largest - left).abs() < ROUNDING, "{largest} {left}");
            assert_eq!(first.is_stable(), mu == 0.0);
        }
        assert!(swept.iter().all(|point| point.orbit.is_ok()));
        assert!((motion(&swept[4]).amplitude - motion(branch.points.last().unwrap()).amplitude).abs() < 1e-8);
    }
    // what a belt keeps going has its own period, load or none
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.5) });
    let mut free = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
    free.contacts[0].belt = 0.2;
    let loaded = free.clone().with_force(0.0, omega);
    let find = |system: &System| Steady::default().find(system, &mut Progress::none()).unwrap();
    let (a, b) = (find(&free), find(&loaded));
    assert!(
        (a[0].period - b[0].period).abs() < ROUNDING && (a[0].amplitude - b[0].amplitude).abs() < ROUNDING
    );
    let branch = Continuation { from: 0.0, to: 1.0, ..Continuation::default() };
    let found = branch.run(&|force| free.clone().with_force(force, omega), &mut Progress::none());
    assert!(matches!(found, Err(Error::Needs { key: "force" })));
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let system = peaked(1.0);
    let keys = |settings: Continuation| -> Vec<String> {
        Faults::of(|faults| settings.check(&system, faults)).into_iter().map(|fault| fault.key).collect()
    };
    let good = Continuation::default();
    assert!(keys(good.clone()).is_empty());
    assert_eq!(keys(Continuation { to: good.from, ..good.clone() }), ["to"]);
    assert_eq!(keys(Continuation { min_step: 0.0, ..good.clone() }), ["min_step"]);
    assert_eq!(keys(Continuation { step: 1e-9, ..good.clone() }), ["step"]);
    assert_eq!(keys(Continuation { max_step: 1e-3, ..good.clone() }), ["max_step"]);
    let steady = Steady { subharmonic: 0, dof: 1, tolerance: f64::NAN, ..Steady::default() };
    assert_eq!(keys(Continuation { steady, ..good.clone() }), ["subharmonic", "tolerance", "dof"]);
    let starts = vec![State { position: vec![1.0, 2.0], ..State::rest(1) }];
    let steady = Steady { starts, ..Steady::default() };
    assert_eq!(keys(Continuation { steady, ..good }), ["starts"]);
}

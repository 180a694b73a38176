//! Harmonic balance against closed forms and against the exact engine's steady states.

use crate::beams::cantilever;
use crate::dice::Dice;
use stiction::Progress;
use stiction::harmonic::{HarmonicBalance, HarmonicMotion};
use stiction::law::{Coulomb, FrictionLaw, Jenkins, Stribeck, Tanh, Weakening};
use stiction::math::Matrix;
use stiction::steady::{BranchEnd, Continuation, Orbit, Stability, State, Steady};
use stiction::system::{Contact, Harmonic, System};

fn den_hartog() -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: None });
    System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(1.0, 0.7)
}

#[test]
fn one_harmonic_of_den_hartogs_case_is_the_describing_function() {
    // (P² − (4μN/π)²)^½ / (k − mω²)
    let motion = HarmonicBalance::fixed(1).solve(&den_hartog(), None).unwrap();
    let friction = 4.0 * 0.5 / std::f64::consts::PI;
    let expected = (1.0 - friction * friction).sqrt() / 0.51;
    assert!((expected - 1.5121).abs() < 5e-5);
    // ρ is finite
    assert!((motion.amplitude(0) - expected).abs() < 1e-6, "{} {expected}", motion.amplitude(0));
}

#[test]
fn den_hartogs_case_converges_to_the_exact_amplitude_and_states_its_error() {
    // of first order in 1/H, because the harmonics that are left out move the instants of reversal
    const EXACT: f64 = 1.744254;
    let mut errors = Vec::new();
    for harmonics in [7, 15, 31, 63] {
        let motion = HarmonicBalance::fixed(harmonics).solve(&den_hartog(), None).unwrap();
        let error = (motion.amplitude(0) - EXACT).abs();
        assert!(error <= motion.truncation, "H = {harmonics}: {error:e} {:e}", motion.truncation);
        errors.push(error);
    }
    let order = libm::log2(errors[0] / errors[3]) / 3.0;
    println!("errors {errors:?}, order {order}");
    assert!((0.7..1.5).contains(&order), "{order}: {errors:?}");
}

#[test]
fn a_tanh_contact_agrees_with_the_steady_state_to_the_stated_truncation() {
    let law = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.1 });
    let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(1.0, 0.8);
    let orbit = Steady::default().find(&system, &mut Progress::none()).unwrap().remove(0);
    let motion =
        HarmonicBalance { tolerance: 1e-9, ..HarmonicBalance::default() }.solve(&system, None).unwrap();
    let off = (motion.amplitude(0) - orbit.amplitude).abs();
    assert!(off <= motion.truncation, "{off:e} {:e}", motion.truncation);
    assert!(off < 1e-7, "{off:e}");
}

#[test]
fn friction_that_is_harder_one_way_shifts_the_motion_as_the_time_map_finds_it() {
    // the middle of the motion is no longer the origin
    for (reverse, law) in [
        (0.25, FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.1 })),
        (2.0, FrictionLaw::Jenkins(Jenkins { mu: 0.2, stiffness: 1.0 })),
    ] {
        let system =
            System::oscillator(1.0, 0.05, 1.0).with_friction(law.directed(reverse)).with_force(1.0, 0.8);
        let orbit = Steady::default().find(&system, &mut Progress::none()).unwrap().remove(0);
        let motion =
            HarmonicBalance { tolerance: 1e-7, ..HarmonicBalance::default() }.solve(&system, None).unwrap();
        let off = (motion.amplitude(0) - orbit.amplitude).abs();
        assert!(off <= motion.truncation && off < 1e-4, "{reverse}: {off:e} {:e}", motion.truncation);
        let shift = motion.position[0][0][0];
        assert!(shift.abs() > 0.01, "{reverse}: {shift}");
    }
}

#[test]
fn the_tip_of_a_beam_with_a_tanh_contact_is_found_with_few_harmonics() {
    let mut system = cantilever(8, 0.0, 0.001);
    system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
    let coarse = HarmonicBalance::fixed(15).solve(&system, None).unwrap();
    let fine = HarmonicBalance::fixed(63).solve(&system, None).unwrap();
    let off = (coarse.amplitude(14) - fine.amplitude(14)).abs();
    assert!(off <= coarse.truncation, "{off:e} {:e}", coarse.truncation);
    assert!(coarse.truncation < 0.05 * fine.amplitude(14), "{:e}", coarse.truncation);
}

#[test]
fn a_narrow_law_costs_no_more_than_a_wide_one() {
    // the wide law's motion is that of a narrow one to first order in the width
    let mut before: Option<HarmonicMotion> = None;
    for width in [1e-3, 1e-6, 1e-9] {
        let mut system = cantilever(8, 0.0, 0.01);
        system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width }).into();
        let motion = HarmonicBalance::fixed(15).solve(&system, None).unwrap();
        assert!(motion.iterations < 60, "width {width}: {}", motion.iterations);
        if let Some(before) = before {
            let off = (motion.amplitude(14) - before.amplitude(14)).abs();
            assert!(off < 1e-5, "width {width}: {off:e}");
        }
        before = Some(motion);
    }
}

/// Friction that falls beyond a peak: slow creep and fast sliding coexist at one load.
fn peaked(amplitude: f64) -> System {
    let law = Stribeck {
        mu: 0.2,
        mu_static: 0.55,
        velocity: 0.6,
        width: Some(0.1),
        weakening: Weakening::Gaussian,
        exponent: None,
    };
    System::oscillator(1.0, 0.05, 1.0).with_friction(FrictionLaw::Stribeck(law)).with_force(amplitude, 1.0)
}

#[test]
fn a_branch_goes_through_its_folds_as_the_time_map_does() {
    let method = HarmonicBalance { tolerance: 1e-7, ..HarmonicBalance::default() };
    let branch = method.branch(&peaked, [0.2, 2.0], 0.02, 2000, &mut Progress::none()).unwrap();
    assert_eq!(branch.end, BranchEnd::Reached, "{}", branch.reached);
    let shot = Continuation { from: 0.2, to: 2.0, ..Continuation::default() }
        .run(&peaked, &mut Progress::none())
        .unwrap();
    let turns = |parameters: &[f64]| {
        let turn = |w: &[f64]| (w[1] - w[0]) * (w[2] - w[1]) < 0.0;
        parameters.windows(3).filter(|w| turn(w)).map(|w| w[1]).collect::<Vec<f64>>()
    };
    let found = turns(&branch.points.iter().map(|point| point.parameter).collect::<Vec<_>>());
    let expected = turns(&shot.points.iter().map(|point| point.parameter).collect::<Vec<_>>());
    assert_eq!((found.len(), expected.len()), (2, 2), "{found:?} {expected:?}");
    for (found, expected) in found.iter().zip(&expected) {
        // points are apart by some percent of the way
        assert!((found - expected).abs() < 0.02, "{found} {expected}");
    }
    // the motions lie on the branch of the time map, and are stable where it is
    let mut unstable = 0;
    for point in branch.points.iter().skip(1).step_by(5) {
        let (motion, stability) = point.motion.as_ref().unwrap();
        let system = peaked(point.parameter);
        let state = State {
            position: vec![motion.position_at(0, 0.0)],
            velocity: vec![motion.velocity_at(0, 0.0)],
            memory: Vec::new(),
        };
        let near = Steady { transient: 0, ..Steady::default() };
        let orbit = near.from(&system, &state, &mut Progress::none()).unwrap();
        let off = (orbit.amplitude - motion.amplitude(0)).abs();
        assert!(off <= motion.truncation, "{}: {off:e} {:e}", point.parameter, motion.truncation);
        if (orbit.multipliers[0].modulus() - 1.0).abs() > 1e-2 {
            assert_eq!(*stability, orbit.stability, "{}", point.parameter);
        }
        unstable += usize::from(*stability == Stability::Unstable);
    }
    assert!(unstable > 2, "{unstable}");
}

#[test]
fn the_energy_of_a_period_balances() {
    let mut system = cantilever(8, 0.0, 0.01);
    system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
    system.contacts[0].belt = 0.4;
    let motion = HarmonicBalance::fixed(15).solve(&system, None).unwrap();
    let [work, viscous] = motion.cycle_work(&system);
    // the balance of every harmonic is one of its power too
    let residual = work - viscous - motion.friction_loss;
    assert!(residual.abs() < 1e-8 * work, "{residual:e} of {work}");
}

#[test]
fn damping_that_couples_the_modes_gives_the_motion_of_the_time_map() {
    let spring = Matrix { n_rows: 3, n_cols: 3, data: vec![2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 1.0] };
    let law = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.2 });
    let unit = |at: usize| (0..3).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
    let system = System {
        elements: Default::default(),
        mass: Matrix::diagonal(&[1.0, 2.0, 0.5]),
        damping: Matrix::diagonal(&[0.3, 0.0, 0.02]),
        stiffness: spring,
        contacts: vec![Contact { friction: law.into(), load: 1.0, direction: unit(2), belt: 0.1 }],
        constant: vec![0.0, 0.2, 0.0],
        harmonics: vec![Harmonic { amplitude: unit(0), omega: 0.6, phase: 0.4 }],
        position: vec![0.0; 3],
        velocity: vec![0.0; 3],
    };
    let method = HarmonicBalance { tolerance: 1e-8, ..HarmonicBalance::default() };
    let motion = method.solve(&system, None).unwrap();
    let orbit = Steady::default().find(&system, &mut Progress::none()).unwrap().remove(0);
    let off = (motion.amplitude(0) - orbit.amplitude).abs();
    assert!(off <= motion.truncation, "{off:e} {:e}", motion.truncation);
    assert!((motion.position_at(1, 0.0) - orbit.state.position[1]).abs() < 1e-6);
    let [work, viscous] = motion.cycle_work(&system);
    assert!((work - orbit.energy.work_in).abs() < 1e-6 && (viscous - orbit.energy.viscous_loss).abs() < 1e-6);
    assert!((motion.friction_loss - orbit.energy.friction_loss).abs() < 1e-6);
}

#[test]
fn a_contact_that_never_slides_is_neutral_and_a_body_without_springs_needs_balanced_loads() {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 2.0, mu_static: None });
    let stuck = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(1.0, 0.7);
    let method = HarmonicBalance::fixed(7);
    let motion = method.solve(&stuck, None).unwrap();
    assert!(motion.amplitude(0) < 1e-9, "{}", motion.amplitude(0));
    assert_eq!(method.stability(&stuck, &motion).unwrap(), Stability::Neutral);
    let law = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.1 });
    let mut free = System::oscillator(1.0, 0.0, 0.0).with_friction(law).with_force(1.0, 0.7);
    assert!(method.solve(&free, None).is_ok());
    free.constant[0] = 0.1;
    assert!(method.solve(&free, None).is_err());
}

/// A chain of `n` masses with a contact at its last, a load at its first, every number random.
fn random_chain(dice: &mut Dice, n: usize) -> System {
    let unit = |at: usize| (0..n).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
    let mut stiffness = Matrix::zeros(n, n);
    for i in 0..n {
        let k = dice.between(0.5, 2.0);
        *stiffness.at_mut(i, i) += k;
        if i > 0 {
            *stiffness.at_mut(i - 1, i - 1) += k;
            *stiffness.at_mut(i, i - 1) -= k;
            *stiffness.at_mut(i - 1, i) -= k;
        }
    }
    let mass: Vec<f64> = (0..n).map(|_| dice.between(0.5, 2.0)).collect();
    let damping: Vec<f64> = (0..n).map(|_| dice.between(0.02, 0.2)).collect();
    let width = 0.05 * libm::pow(20.0, dice.roll());
    let law = FrictionLaw::Tanh(Tanh { mu: dice.between(0.1, 0.6), width });
    let belt = if dice.chance(0.5) { 0.0 } else { dice.between(-0.5, 0.5) };
    System {
        elements: Default::default(),
        mass: Matrix::diagonal(&mass),
        damping: Matrix::diagonal(&damping),
        stiffness,
        contacts: vec![Contact { friction: law.into(), load: 1.0, direction: unit(n - 1), belt }],
        constant: vec![0.0; n],
        harmonics: vec![Harmonic { amplitude: unit(0), omega: dice.between(0.3, 2.0), phase: dice.roll() }],
        position: vec![0.0; n],
        velocity: vec![0.0; n],
    }
}

/// A motion and its steady state, and how far they are apart: amplitude of `dof`, and all positions at t = 0
/// (m).
fn apart(system: &System, motion: &HarmonicMotion, orbit: &Orbit, dof: usize) -> f64 {
    let amplitude = (motion.amplitude(dof) - orbit.amplitude).abs();
    let position = |i: usize| (motion.position_at(i, 0.0) - orbit.state.position[i]).abs();
    (0..system.n()).map(position).fold(amplitude, f64::max)
}

/// The steady state by shooting, from a motion by harmonic balance.
fn shot(system: &System, motion: &HarmonicMotion, dof: usize) -> Orbit {
    let state = State {
        position: (0..system.n()).map(|i| motion.position_at(i, 0.0)).collect(),
        velocity: (0..system.n()).map(|i| motion.velocity_at(i, 0.0)).collect(),
        memory: Vec::new(),
    };
    let steady = Steady { transient: 0, dof, ..Steady::default() };
    steady.from(system, &state, &mut Progress::none()).unwrap()
}

#[test]
fn the_stated_error_bounds_the_distance_to_the_steady_state_of_random_systems() {
    // the closest that the error came to what was stated: 0.6 when this was written, so that the bound is no
    // empty one
    let (mut compared, mut closest) = (0, 0.0f64);
    for seed in 0..14 {
        let mut dice = Dice::new(seed);
        let mut system = random_chain(&mut dice, if seed % 2 == 0 { 1 } else { 3 });
        if seed % 8 > 5 {
            let law = FrictionLaw::Coulomb(Coulomb { mu: dice.between(0.1, 0.6), mu_static: None });
            system.contacts[0].friction = law.into();
        }
        let solved = |harmonics: usize| HarmonicBalance::fixed(harmonics).solve(&system, None).unwrap();
        let orbit = shot(&system, &solved(63), 0);
        for harmonics in [1, 3, 5, 9, 15, 31] {
            let motion = solved(harmonics);
            let off = apart(&system, &motion, &orbit, 0);
            assert!(
                off <= motion.truncation,
                "seed {seed}, H = {harmonics}: {off:e} {:e}",
                motion.truncation
            );
            compared += 1;
            closest = closest.max(off / motion.truncation);
        }
    }
    println!("{compared} motions, at most {closest:.2} of the stated error");
    assert!(closest > 0.3, "{closest}");
}

#[test]
fn the_stated_error_bounds_the_distance_to_the_steady_state_of_a_beam() {
    for width in [0.3, 0.05] {
        let mut system = cantilever(8, 0.0, 0.01);
        system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width }).into();
        let orbit = shot(&system, &HarmonicBalance::fixed(63).solve(&system, None).unwrap(), 14);
        for harmonics in [3, 7, 15, 31] {
            let motion = HarmonicBalance::fixed(harmonics).solve(&system, None).unwrap();
            let off = apart(&system, &motion, &orbit, 14);
            println!("width {width}, H = {harmonics}: {off:.1e} of {:.1e}", motion.truncation);
            assert!(
                off <= motion.truncation,
                "width {width}, H = {harmonics}: {off:e} {:e}",
                motion.truncation
            );
        }
    }
}

#[test]
fn a_jenkins_element_agrees_with_the_steady_state_to_the_stated_error() {
    for (omega, belt) in [(0.5, 0.0), (0.9, 0.0), (1.1, 0.1), (2.0, 0.0)] {
        let law = FrictionLaw::Jenkins(Jenkins { mu: 0.3, stiffness: 1.5 });
        let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(0.5, omega);
        system.contacts[0].belt = belt;
        let method = HarmonicBalance { tolerance: 1e-4, ..HarmonicBalance::default() };
        let motion = method.solve(&system, None).unwrap();
        let orbit = Steady::default().find(&system, &mut Progress::none()).unwrap().remove(0);
        let off = apart(&system, &motion, &orbit, 0);
        let loss = (motion.friction_loss - orbit.energy.friction_loss).abs();
        println!("omega {omega}: {} harmonics, {off:.1e} of {:.1e}", motion.n_harmonics(), motion.truncation);
        assert!(off <= motion.truncation, "omega {omega}: {off:e} {:e}", motion.truncation);
        assert!(
            loss <= 1e-3 * orbit.energy.friction_loss,
            "omega {omega}: {} {}",
            motion.friction_loss,
            orbit.energy.friction_loss
        );
        assert_eq!(method.stability(&system, &motion).unwrap(), orbit.stability, "omega {omega}");
    }
}

#[test]
fn sliders_whose_limits_follow_the_velocity_are_refused_and_constant_ones_are_not() {
    let method = HarmonicBalance::default();
    for law in FrictionLaw::examples().into_iter().filter(|law| law.sliders().is_some()) {
        let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law.clone()).with_force(1.0, 0.7);
        let is_refused = method.solve(&system, None).is_err();
        assert_eq!(is_refused, law.lag(0.0).is_some(), "{}", law.name());
    }
}

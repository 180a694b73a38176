//! Harmonic balance against closed forms and against the exact engine's steady states.

use crate::beams::cantilever;
use stiction::Progress;
use stiction::harmonic::{HarmonicBalance, HarmonicMotion};
use stiction::law::{Coulomb, FrictionLaw, Stribeck, Tanh, Weakening};
use stiction::math::Matrix;
use stiction::steady::{BranchEnd, Continuation, Stability, Steady};
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
        assert!(error <= 2.0 * motion.truncation, "H = {harmonics}: {error:e} {:e}", motion.truncation);
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
    assert!(off <= 10.0 * motion.truncation + 1e-9, "{off:e} {:e}", motion.truncation);
    assert!(off < 1e-7, "{off:e}");
}

#[test]
fn the_tip_of_a_beam_with_a_tanh_contact_is_found_with_few_harmonics() {
    let mut system = cantilever(8, 0.0, 0.001);
    system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
    let coarse = HarmonicBalance::fixed(15).solve(&system, None).unwrap();
    let fine = HarmonicBalance::fixed(63).solve(&system, None).unwrap();
    let off = (coarse.amplitude(14) - fine.amplitude(14)).abs();
    assert!(off <= 10.0 * coarse.truncation, "{off:e} {:e}", coarse.truncation);
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
        let state = stiction::steady::State {
            position: vec![motion.position_at(0, 0.0)],
            velocity: vec![motion.velocity_at(0, 0.0)],
            memory: Vec::new(),
        };
        let near = Steady { transient: 0, ..Steady::default() };
        let orbit = near.from(&system, &state, &mut Progress::none()).unwrap();
        let off = (orbit.amplitude - motion.amplitude(0)).abs();
        assert!(
            off <= 10.0 * motion.truncation + 1e-9,
            "{}: {off:e} {:e}",
            point.parameter,
            motion.truncation
        );
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
        wider: Default::default(),
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
    assert!(off <= 10.0 * motion.truncation + 1e-9, "{off:e} {:e}", motion.truncation);
    assert!((motion.position_at(1, 0.0) - orbit.state.position[1]).abs() < 1e-6);
    let [work, viscous] = motion.cycle_work(&system);
    assert!((work - orbit.work_in).abs() < 1e-6 && (viscous - orbit.viscous_loss).abs() < 1e-6);
    assert!((motion.friction_loss - orbit.friction_loss).abs() < 1e-6);
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

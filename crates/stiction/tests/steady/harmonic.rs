//! Harmonic balance against closed forms and against the exact engine's steady states.

use crate::beams::cantilever;
use stiction::Progress;
use stiction::harmonic::HarmonicBalance;
use stiction::law::{Coulomb, FrictionLaw, Tanh};
use stiction::steady::Steady;
use stiction::system::System;

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
    // the jump is sampled as a steep slope
    assert!((motion.amplitude(0) - expected).abs() < 2e-3, "{} {expected}", motion.amplitude(0));
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

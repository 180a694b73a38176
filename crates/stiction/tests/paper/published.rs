//! Numbers that are printed in the papers, to the precision of the print.

use super::{linear, paper_b, trigonometric};
use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{FrictionLaw, Linear, Quinn, SignCoulomb};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::System;

/// @ragulskis2017, figs. 1–4: max and min of u, u̇, ü, H, and the range of C. The minimum of ü in fig. 2 is
/// printed −21.0508 in panel c and −21.0506 in panel i; the second is right.
#[test]
fn paper_b_extrema_agree_to_the_last_printed_digit() {
    #[rustfmt::skip]
    #[allow(clippy::approx_constant)]
    let cases = [
        (linear(None), [[19.6296, -19.5686], [19.6286, -19.6349], [21.0595, -21.0536], [1.5659, -1.6327], [2.0, 0.0]]),
        (trigonometric(None), [[19.5902, -19.5974], [19.6236, -19.6302], [21.0568, -21.0506], [1.6, -1.5988], [3.1416, 0.0]]),
        (linear(Some(0.8)), [[19.5609, -19.4964], [19.5601, -19.5728], [22.4839, -22.4712], [3.1590, -3.2458], [2.0, -2.0]]),
        (trigonometric(Some(0.8)), [[19.5036, -19.5098], [19.5469, -19.5554], [22.4739, -22.4659], [3.1981, -3.1996], [3.1416, -3.1416]]),
    ];
    // half a unit of the last printed digit
    const PRINT: f64 = 0.5e-4 + 1e-12;
    for (law, printed) in cases {
        let record = paper_b(law.clone(), Integrator::Incremental { step: TAU / 20_000.0 });
        for (range, [max, min]) in record.ranges.iter().zip(printed) {
            assert!((range.max - max).abs() <= PRINT, "{law:?}: {} printed {max}", range.max);
            assert!((range.min - min).abs() <= PRINT, "{law:?}: {} printed {min}", range.min);
        }
        // the scheme conserves energy: only rounding of 400 000 additions is left
        assert!(record.energy_residual().abs() < 1e-10 * record.total.work_in);
        assert!(record.drift.unwrap() > 1e-3, "the carried force drifts off the law");
    }
}

fn paper_e(law: FrictionLaw, window: [f64; 2]) -> Record {
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
    system.position[0] = 2.5;
    let times: Vec<f64> = (0..=10_000).map(|k| k as f64 * 0.01).collect();
    let plan = Plan { t_end: 100.0, window, times, lands_on_times: false, max_steps: None };
    drive(&system, &Integrator::Rk4 { step: 0.01 }, &plan, &mut Progress::none()).unwrap()
}

/// @paper-e: x(0) = 2.5, μN = 1, RK4 with Δt = 0.01, ε = 2Δt.
#[test]
fn paper_e_quinn_law_rests() {
    let record = paper_e(FrictionLaw::Quinn(Quinn { mu: 1.0, width: 0.02 }), [4.0, 100.0]);
    let last = *record.samples.position[0].last().unwrap();
    assert!((last - -0.500302).abs() < 1e-6, "{last}");
    assert!(record.ranges[1].max < 1e-15 && record.ranges[1].min > -1e-15, "{:?}", record.ranges[1]);
    let spread = record.ranges[0].max - record.ranges[0].min;
    assert!(spread < 1e-15, "moved by {spread:e} in 96 s");
}

#[test]
fn paper_e_sign_function_chatters_and_creeps() {
    let record = paper_e(FrictionLaw::SignCoulomb(SignCoulomb { mu: 1.0 }), [4.0, 100.0]);
    let last = *record.samples.position[0].last().unwrap();
    assert!((last - -0.3145).abs() < 1e-4, "{last}");
    // the force flips between the stages of a step, so that each step ends with another small velocity
    let v = &record.samples.velocity[0];
    let flips = v[400..].windows(3).filter(|w| (w[1] - w[0]) * (w[2] - w[1]) < 0.0).count();
    println!("{flips} flips, {:?}", record.ranges[1]);
    assert!(flips > 1000, "{flips} flips");
}

#[test]
fn paper_e_linear_ramp_creeps() {
    let law = Linear { mu: 1.0, width: 0.02, rise: None, rise_height: None };
    let record = paper_e(FrictionLaw::Linear(law), [4.0, 100.0]);
    let last = *record.samples.position[0].last().unwrap();
    assert!((last - -0.0720).abs() < 1e-4, "{last}");
}

//! Springs with sliders (Jenkins, Iwan) carried from event to event.

use std::f64::consts::TAU;
use stiction::law::{FourParameterIwan, FrictionLaw, Iwan, Jenkins, Law, Slider};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{State, Steady};
use stiction::system::System;
use stiction::{Faults, Progress};

fn iwan() -> FrictionLaw {
    FrictionLaw::Iwan(Iwan { mu: vec![0.1, 0.2, 0.35], stiffness: vec![4.0, 2.0, 1.0] })
}

fn joint() -> FrictionLaw {
    let joint = FourParameterIwan { mu: 0.6, stiffness: 6.0, exponent: -0.4, ratio: 0.7, sliders: 15 };
    FrictionLaw::FourParameterIwan(joint)
}

/// The last of many periods, without samples.
fn last_period(system: &System, periods: f64) -> Record {
    let period = system.period().unwrap();
    let (from, to) = ((periods - 1.0) * period, periods * period);
    let plan = Plan { window: [from, to], ..Plan::new(to, 0) };
    drive(system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap()
}

/// H on the way out of rest.
fn virgin(sliders: &[Slider], x: f64) -> f64 {
    sliders.iter().map(|slider| (slider.stiffness * x.abs()).min(slider.limit).copysign(x)).sum()
}

/// Masing: a branch after a reversal is the virgin curve, twice as large in both directions.
#[test]
fn reversals_follow_masings_rule() {
    for law in [iwan(), joint()] {
        let sliders = law.sliders().unwrap();
        let mut system = System::oscillator(1.0, 0.0, 0.3).with_friction(law);
        system.velocity[0] = 0.7;
        let record =
            drive(&system, &Integrator::Exact, &Plan::new(4.0, 4001), &mut Progress::none()).unwrap();
        let samples = &record.samples;
        let (u, v, h) = (&samples.position[0], &samples.velocity[0], &samples.friction[0]);
        let turn = v.iter().position(|v| *v <= 0.0).unwrap();
        let end = turn + v[turn..].iter().position(|v| *v > 0.0).unwrap();
        let top = record.ranges[0].max;
        let top_force = virgin(&sliders, top);
        assert!(turn > 100 && end > turn + 100, "{turn} {end}");
        for i in 0..turn {
            assert!((h[i] - virgin(&sliders, u[i])).abs() < 1e-13, "{i}: {} {}", u[i], h[i]);
        }
        for i in turn..end {
            let masing = top_force - 2.0 * virgin(&sliders, 0.5 * (top - u[i]));
            assert!((h[i] - masing).abs() < 1e-13, "{i}: {} {} {masing}", u[i], h[i]);
        }
    }
}

#[test]
fn a_cycle_loses_what_its_sliders_slide() {
    for law in [iwan(), joint()] {
        let sliders = law.sliders().unwrap();
        let system = System::oscillator(1.0, 0.02, 1.0).with_friction(law).with_force(1.0, 0.7);
        let record = last_period(&system, 400.0);
        let amplitude = 0.5 * (record.ranges[0].max - record.ranges[0].min);
        let slid = |slider: &Slider| 4.0 * slider.limit * (amplitude - slider.reach()).max(0.0);
        let loss: f64 = sliders.iter().map(slid).sum();
        let found = record.balance.friction_loss;
        assert!((found - loss).abs() < 1e-11 * loss, "{found} {loss}");
        assert!(record.energy_share() < 1e-12, "{}", record.energy_share());
    }
}

/// Den Hartog's case ω = 0.7, friction 0.5 of the load, undamped: amplitudes with the stiffness of the spring, and Coulomb's.
#[test]
fn a_stiff_spring_tends_to_coulomb_as_the_root_of_its_stiffness() {
    const COULOMB: f64 = 1.744254;
    let known = [(20.0, 1.540040), (100.0, 1.656969), (1000.0, 1.717382), (10_000.0, 1.735830)];
    let mut errors = Vec::new();
    for (stiffness, amplitude) in known {
        let law = FrictionLaw::Jenkins(Jenkins { mu: 0.5, stiffness });
        let system = System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(1.0, 0.7);
        let found = last_period(&system, 300.0).ranges[0].max;
        // the numbers have six digits behind the point
        assert!((found - amplitude).abs() < 1e-6, "{stiffness}: {found} for {amplitude}");
        let orbit = Steady::default().from(&system, &State::rest(1), &mut Progress::none()).unwrap();
        assert!((orbit.amplitude - found).abs() < 1e-9, "{stiffness}: {} for {found}", orbit.amplitude);
        assert!(
            orbit.is_stable() && orbit.is_symmetric && orbit.multipliers.len() == 3,
            "{stiffness}: {orbit:?}"
        );
        errors.push(COULOMB - found);
    }
    let order = (errors[2] / errors[3]).log10();
    assert!((order - 0.5).abs() < 0.02, "{order}");
}

#[test]
fn a_load_below_the_limit_is_held_without_creep() {
    let mut system = System::oscillator(1.0, 0.5, 0.0).with_friction(iwan());
    system.constant[0] = 0.6;
    system.harmonics.push(stiction::system::Harmonic { amplitude: vec![0.04], omega: 0.2, phase: 0.0 });
    let period = TAU / 0.2;
    let positions = [100.0, 101.0, 300.0].map(|periods| {
        let plan = Plan::new(periods * period, 2);
        drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap().samples.position[0][1]
    });
    assert!((positions[0] - positions[2]).abs() < 1e-12, "{positions:?}");
    assert!((positions[0] - positions[1]).abs() < 1e-12, "{positions:?}");
}

/// Two springs with the same stops side by side are one of twice the size, and contacts of springs may be redundant.
#[test]
fn equal_springs_side_by_side_are_one() {
    let one = Jenkins { mu: 0.4, stiffness: 5.0 };
    let half = Jenkins { mu: 0.2, stiffness: 2.5 };
    let base = System::oscillator(1.0, 0.02, 1.0).with_force(1.0, 0.7);
    let single = base.clone().with_friction(FrictionLaw::Jenkins(one));
    let double =
        base.with_friction(FrictionLaw::Jenkins(half.clone())).with_friction(FrictionLaw::Jenkins(half));
    let run = |system: &System| {
        drive(system, &Integrator::Exact, &Plan::new(60.0, 61), &mut Progress::none()).unwrap()
    };
    let (a, b) = (run(&single), run(&double));
    let off = a.samples.position[0].iter().zip(&b.samples.position[0]).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-13);
    assert_eq!(2 * a.events.len(), b.events.len());
}

#[test]
fn bad_sliders_are_faults_at_their_keys() {
    let keys = |law: FrictionLaw| -> Vec<String> {
        Faults::of(|faults| law.check(faults)).into_iter().map(|fault| fault.key).collect()
    };
    let iwan = |mu: &[f64], stiffness: &[f64]| {
        keys(FrictionLaw::Iwan(Iwan { mu: mu.to_vec(), stiffness: stiffness.to_vec() }))
    };
    assert_eq!(iwan(&[], &[]), ["iwan.mu"]);
    assert_eq!(iwan(&[0.1, 0.2], &[1.0]), ["iwan.stiffness"]);
    assert_eq!(iwan(&[0.1, -0.2], &[1.0, 0.0]), ["iwan.mu", "iwan.stiffness"]);
    assert_eq!(iwan(&[0.1; 1000], &[1.0; 1000]), ["iwan.mu"]);
    let joint = FourParameterIwan { mu: 0.6, stiffness: 6.0, exponent: -1.0, ratio: 0.0, sliders: 1 };
    let joint = FrictionLaw::FourParameterIwan(joint);
    let own = ["exponent", "ratio", "sliders"].map(|key| format!("four-parameter-iwan.{key}"));
    assert_eq!(keys(joint), own);
}

//! Springs with sliders (Jenkins, Iwan) carried from event to event.

use std::f64::consts::TAU;
use stiction::law::{FourParameterIwan, FrictionLaw, Gms, Iwan, Jenkins, Law, Slider};
use stiction::ode::Adaptive;
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

/// Den Hartog's case ω = 0.7, friction 0.5 of the load, undamped: amplitudes with the stiffness of the
/// spring, and Coulomb's.
#[test]
fn a_stiff_spring_tends_to_coulomb_as_the_root_of_its_stiffness() {
    const COULOMB: f64 = 1.744254;
    let known = [(20.0, 1.540040), (100.0, 1.656969), (1000.0, 1.717382), (10_000.0, 1.735830)];
    let mut errors = Vec::new();
    for (stiffness, amplitude) in known {
        let law = FrictionLaw::Jenkins(Jenkins { mu: 0.5, stiffness });
        let system = System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(1.0, 0.7);
        let found = last_period(&system, 300.0).ranges[0].max;
        // the numbers have six digits after the point
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

/// Two springs with the same stops side by side are one of twice the size, and contacts of springs may be
/// redundant.
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

/// The law seen in a mirror: its limits of both directions change places.
fn mirrored(law: &FrictionLaw, reverse: f64) -> FrictionLaw {
    let mut law = law.clone();
    match &mut law {
        FrictionLaw::Iwan(iwan) => iwan.mu.iter_mut().for_each(|mu| *mu *= reverse),
        FrictionLaw::Gms(gms) => {
            // the rate at which elements follow is C/μs
            [&mut gms.mu, &mut gms.mu_static, &mut gms.attraction].into_iter().for_each(|x| *x *= reverse);
        }
        law => assert!(law.set_number("mu", reverse * law.number("mu").unwrap())),
    }
    law.directed(1.0 / reverse)
}

fn late() -> FrictionLaw {
    FrictionLaw::Gms(Gms {
        mu: 0.5,
        mu_static: 0.7,
        velocity: 0.2,
        share: vec![0.2, 0.3, 0.5],
        stiffness: vec![8.0, 4.0, 2.0],
        attraction: 3.0,
        exponent: None,
    })
}

fn uneven(law: FrictionLaw, sign: f64) -> System {
    let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(sign * 0.8, 0.7);
    system.velocity[0] = sign * 0.3;
    system.contacts[0].belt = sign * 0.1;
    system
}

fn transients(law: &FrictionLaw) -> Vec<Integrator> {
    let adaptive = Integrator::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() });
    if law.is_piecewise_linear() { vec![Integrator::Exact, adaptive] } else { vec![adaptive] }
}

fn farthest(a: &[f64], b: &[f64], sign: f64) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max)
}

#[test]
fn springs_with_a_direction_have_their_mirror_image() {
    let jenkins = FrictionLaw::Jenkins(Jenkins { mu: 0.4, stiffness: 5.0 });
    for law in [jenkins, iwan(), joint(), late()] {
        for reverse in [0.3, 1.0, 2.5] {
            let [own, image] = [(law.clone().directed(reverse), 1.0), (mirrored(&law, reverse), -1.0)]
                .map(|(law, sign)| uneven(law, sign));
            let mut by_first: Option<Record> = None;
            for integrator in transients(&law) {
                let [a, b] = [&own, &image].map(|system| {
                    drive(system, &integrator, &Plan::new(60.0, 1001), &mut Progress::none()).unwrap()
                });
                let case = format!("{} r = {reverse} {integrator:?}", law.name());
                for (a, b) in [
                    (&a.samples.position, &b.samples.position),
                    (&a.samples.friction, &b.samples.friction),
                    (&a.samples.states, &b.samples.states),
                ] {
                    // rounding of the limits, and the tolerance over some hundred events
                    assert!(a.iter().zip(b).all(|(a, b)| farthest(a, b, -1.0) < 1e-9), "{case}");
                }
                let kinds = |record: &Record| record.events.iter().map(|e| e.kind).collect::<Vec<_>>();
                assert!(!a.events.is_empty() && kinds(&a) == kinds(&b), "{case}");
                let stick = [&a, &b].map(|record| record.stick_fraction[0].unwrap());
                assert!((stick[0] - stick[1]).abs() < 1e-9, "{case}: {stick:?}");
                // friction keeps within its limits, and reaches both
                let sum = |limit: fn(&Slider) -> f64| -> f64 {
                    own.contacts[0].friction.law.sliders().unwrap().iter().map(limit).sum()
                };
                let (high, low) = (sum(|slider| slider.limit), sum(|slider| slider.reverse_limit));
                let range = &a.ranges[3];
                assert!(range.max < high * (1.0 + 1e-12) && range.min > -low * (1.0 + 1e-12), "{case}");
                if let Some(first) = &by_first {
                    let off = farthest(&first.samples.position[0], &a.samples.position[0], 1.0);
                    assert!(off < 1e-9, "{case}: {off:e}");
                }
                by_first = Some(a);
            }
        }
    }
}

/// Limits −r μ and μ are those of an even slider of ½ (1 + r) μ beside a constant force of ½ (1 − r) μ N.
#[test]
fn an_uneven_slider_is_an_even_one_beside_a_constant_force() {
    let (mu, stiffness, load) = (0.5, 4.0, 1.5);
    for reverse in [0.0, 0.4, 2.0] {
        let [offset, mean] = [0.5 * (1.0 - reverse) * mu, 0.5 * (1.0 + reverse) * mu];
        let system = |law: FrictionLaw, constant: f64, deflection: f64| {
            let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(0.9, 0.7);
            system.contacts[0].load = load;
            system.constant[0] = constant;
            system.elements.memory = vec![deflection];
            system
        };
        let uneven = system(
            FrictionLaw::Jenkins(Jenkins { mu, stiffness }).directed(reverse),
            0.0,
            0.1 * mu / stiffness,
        );
        let even = FrictionLaw::Jenkins(Jenkins { mu: mean, stiffness });
        let even = system(even, -load * offset, (0.1 * mu - offset) / stiffness);
        for integrator in transients(&uneven.contacts[0].friction.law) {
            let [a, b] = [&uneven, &even].map(|system| {
                drive(system, &integrator, &Plan::new(80.0, 2001), &mut Progress::none()).unwrap()
            });
            let off = farthest(&a.samples.position[0], &b.samples.position[0], 1.0);
            assert!(off < 1e-10, "r = {reverse} {integrator:?}: {off:e}");
            assert_eq!(a.events.len(), b.events.len(), "r = {reverse} {integrator:?}");
            // the constant force does no work over the whole of a cycle, and none of it is lost
            let moved = load * offset * (a.samples.position[0][2000] - a.samples.position[0][0]);
            let [own, other] = [&a, &b].map(|record| record.balance.friction_loss);
            assert!(
                (own - other - moved).abs() < 1e-9,
                "r = {reverse} {integrator:?}: {own} {other} {moved}"
            );
        }
        // and so are their periodic motions
        let orbits = [&uneven, &even]
            .map(|system| Steady::default().from(system, &State::rest(1), &mut Progress::none()).unwrap());
        let [a, b] = &orbits;
        assert!((a.amplitude - b.amplitude).abs() < 1e-11, "r = {reverse}: {} {}", a.amplitude, b.amplitude);
        assert!((a.energy.friction_loss - b.energy.friction_loss).abs() < 1e-11, "r = {reverse}");
    }
}

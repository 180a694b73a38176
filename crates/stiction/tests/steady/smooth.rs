//! Steady states by the adaptive engine: against the exact one, for every continuous law, and with memory.

use stiction::Progress;
use stiction::law::{FrictionLaw, Graph, Law, Linear, Tanh};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::{Engine, State, Steady};
use stiction::system::System;

fn tight() -> Engine {
    Engine::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() })
}

fn forced(law: FrictionLaw, amplitude: f64, omega: f64) -> System {
    System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(amplitude, omega)
}

/// Both engines apply to a polyline. The adaptive one errs by its tolerance, 1e-12 per step, over a few
/// hundred steps.
#[test]
fn both_engines_find_the_same_motion_of_a_ramp() {
    const TOLERANCE: f64 = 1e-10;
    for (width, omega) in [(0.05, 0.3), (0.05, 0.7), (0.3, 1.0), (0.3, 1.3), (0.01, 0.45)] {
        let law = FrictionLaw::Linear(Linear { mu: 0.5, width, rise: None, rise_height: None });
        let system = forced(law, 1.0, omega);
        let [a, b] = [Engine::Exact, tight()].map(|engine| {
            Steady { engine: Some(engine), ..Steady::default() }
                .from(&system, &State::rest(1), &mut Progress::none())
                .unwrap()
        });
        let case = format!("Δ = {width}, ω = {omega}");
        for (name, a, b) in [
            ("position", a.state.position[0], b.state.position[0]),
            ("velocity", a.state.velocity[0], b.state.velocity[0]),
            ("amplitude", a.amplitude, b.amplitude),
            ("fundamental", a.fundamental.amplitude, b.fundamental.amplitude),
            ("phase", a.fundamental.phase.unwrap(), b.fundamental.phase.unwrap()),
            ("friction loss", a.energy.friction_loss, b.energy.friction_loss),
            ("viscous loss", a.energy.viscous_loss, b.energy.viscous_loss),
            ("work in", a.energy.work_in, b.energy.work_in),
            ("stick fraction", a.stick_fraction.unwrap(), b.stick_fraction.unwrap()),
        ] {
            assert!((a - b).abs() < TOLERANCE * (1.0 + a.abs()), "{case}, {name}: {a} {b}");
        }
        for (a, b) in a.multipliers.iter().zip(&b.multipliers) {
            // the variational equation sees the interpolant of the steps, some digits less
            assert!((a.re - b.re).abs() < 1e-8 && (a.im - b.im).abs() < 1e-8, "{case}: {a:?} {b:?}");
        }
        assert_eq!((a.stops, a.is_symmetric), (b.stops, b.is_symmetric), "{case}");
    }
}

#[test]
fn every_continuous_law_has_a_steady_motion_whose_losses_balance_the_work() {
    let mut n = 0;
    for law in FrictionLaw::examples()
        .into_iter()
        .filter(|law| law.graph() == Graph::Continuous && law.sliders().is_none())
    {
        let name = law.name();
        let n_memory = law.n_states();
        let system = forced(law, 2.0, 0.6);
        let steady = Steady { engine: Some(tight()), ..Steady::default() };
        let orbit = steady.from(&system, &State::rest(1), &mut Progress::none()).unwrap();
        assert_eq!(orbit.state.memory.len(), n_memory, "{name}");
        assert_eq!(orbit.multipliers.len(), 2 + n_memory, "{name}");
        assert!(orbit.convergence.residual < 1e-11 && orbit.is_stable(), "{name}: {orbit:?}");
        // tolerance of the integrals times a few hundred steps; a change of stored energy is the residual
        let rest = orbit.energy.work_in - orbit.energy.friction_loss - orbit.energy.viscous_loss;
        assert!(rest.abs() < 1e-10 * orbit.energy.work_in, "{name}: {rest:e}");
        n += 1;
    }
    assert!(n >= 10);
}

#[test]
fn a_symmetric_system_may_have_a_pair_of_motions_that_mirror_each_other() {
    let law = FrictionLaw::examples().into_iter().find(|law| law.name() == "lugre").unwrap();
    let system = forced(law, 2.0, 0.6);
    let orbits =
        Steady { engine: Some(tight()), ..Steady::default() }.find(&system, &mut Progress::none()).unwrap();
    let [a, b] = &orbits[..] else { panic!("{} motions", orbits.len()) };
    assert!(!a.is_symmetric && !b.is_symmetric && a.is_stable() && b.is_stable());
    // they are different at t = 0 and share all that a mirror keeps
    assert!((a.state.position[0] - b.state.position[0]).abs() > 0.1);
    for (name, a, b) in [
        ("amplitude", a.amplitude, b.amplitude),
        ("fundamental", a.fundamental.amplitude, b.fundamental.amplitude),
        ("friction loss", a.energy.friction_loss, b.energy.friction_loss),
        ("multiplier", a.multipliers[0].re, b.multipliers[0].re),
    ] {
        assert!((a - b).abs() < 1e-7, "{name}: {a} {b}");
    }
}

#[test]
fn a_narrow_law_costs_no_more_periods_than_a_wide_one() {
    // with phases of rest, in which the contact creeps at a small part of the width
    let mut before: Option<f64> = None;
    for width in [1e-6, 1e-8, 1e-9, 1e-10] {
        let law = FrictionLaw::Tanh(Tanh { mu: 0.8, width });
        let system = System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(1.0, 0.25);
        let steady = Steady { max_periods: 100, ..Steady::default() };
        let orbit = steady.from(&system, &State::rest(1), &mut Progress::none()).unwrap();
        assert!(
            orbit.convergence.iterations + orbit.convergence.periods <= 40,
            "width {width}: {} {}",
            orbit.convergence.iterations,
            orbit.convergence.periods
        );
        if let Some(before) = before {
            assert!((orbit.amplitude - before).abs() < 1e-5, "width {width}: {} {before}", orbit.amplitude);
        }
        before = Some(orbit.amplitude);
    }
}

/// Elements that slip late are no part of the deflections: the state of a periodic motion records which slip,
/// and a transient goes on from it.
#[test]
fn elements_that_slip_late_have_periodic_motions() {
    let (mut n_slipping, mut n_stable) = (0, 0);
    for (omega, phase, reverse) in
        [(0.7, 0.0, 1.0), (0.7, 0.9, 1.0), (0.5, 2.2, 1.0), (0.9, 1.3, 0.6), (0.6, -0.7, 1.8)]
    {
        for law in FrictionLaw::examples().into_iter().filter(|law| law.lag(0.0).is_some()) {
            let law = law.directed(reverse);
            let n_states = law.n_states();
            let mut system = forced(law, 2.0, omega);
            system.harmonics[0].phase = phase;
            let steady = Steady { engine: Some(tight()), ..Steady::default() };
            let orbit = steady.from(&system, &State::rest(1), &mut Progress::none()).unwrap();
            let case = format!("ω = {omega}, phase {phase}, r = {reverse}");
            assert!(orbit.convergence.residual < 1e-10, "{case}: {orbit:?}");
            assert_eq!(orbit.state.memory.len(), n_states);
            n_slipping += usize::from(orbit.state.memory[n_states / 2..].iter().any(|slips| *slips != 0.0));
            // one more period by the transient
            let begin = |state: &State| {
                let mut system = system.clone();
                (system.position, system.velocity) = (state.position.clone(), state.velocity.clone());
                system.elements.memory = state.memory.clone();
                system
            };
            let integrator =
                Integrator::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() });
            let run = |system: &System, from: f64, to: f64| {
                let plan = Plan { window: [from, to], ..Plan::new(to, 2) };
                drive(system, &integrator, &plan, &mut Progress::none()).unwrap()
            };
            let record = run(&begin(&orbit.state), 0.0, orbit.period);
            let last = |rows: &[Vec<f64>]| rows.iter().map(|row| row[row.len() - 1]).collect::<Vec<f64>>();
            let samples = &record.samples;
            for (end, start) in [
                (last(&samples.position), &orbit.state.position),
                (last(&samples.velocity), &orbit.state.velocity),
                (last(&samples.states), &orbit.state.memory),
            ] {
                for (end, start) in end.iter().zip(start) {
                    assert!((end - start).abs() < 1e-9, "{case}: {end} {start}");
                }
            }
            assert!((record.balance.friction_loss - orbit.energy.friction_loss).abs() < 1e-9, "{case}");
            // small disturbances by the transient against the derivative of the map
            const STEP: f64 = 1e-5;
            for j in 0..2 + n_states / 2 {
                let ends = [STEP, -STEP].map(|step| {
                    let mut state = orbit.state.clone();
                    match j {
                        0 => state.position[0] += step,
                        1 => state.velocity[0] += step,
                        _ => state.memory[j - 2] += 0.01 * step,
                    }
                    let samples = run(&begin(&state), 0.0, orbit.period).samples;
                    [last(&samples.position), last(&samples.velocity), last(&samples.states)].concat()
                });
                for (i, (above, below)) in ends[0].iter().zip(&ends[1]).enumerate() {
                    let step = if j < 2 { STEP } else { 0.01 * STEP };
                    let quotient = (above - below) / (2.0 * step);
                    // the square of the step, and the tolerance over it
                    let slope = orbit.monodromy.at(i, j);
                    assert!((slope - quotient).abs() < 1e-4, "{case}, {i} by {j}: {slope} {quotient}");
                }
            }
            if !orbit.is_stable() {
                continue;
            }
            n_stable += 1;
            // and the last of many from rest, whose disturbances fall by the largest multiplier
            let multiplier = orbit.multipliers[0].re.hypot(orbit.multipliers[0].im);
            let left = 1e-8 + 10.0 * multiplier.powi(59);
            assert!(left < 1e-3, "{case}: {multiplier}");
            let record = run(&system, 59.0 * orbit.period, 60.0 * orbit.period);
            let [amplitude, loss] =
                [0.5 * (record.ranges[0].max - record.ranges[0].min), record.balance.friction_loss];
            assert!((amplitude - orbit.amplitude).abs() < left, "{case}: {amplitude} {}", orbit.amplitude);
            assert!(
                (loss - orbit.energy.friction_loss).abs() < left,
                "{case}: {loss} {}",
                orbit.energy.friction_loss
            );
            let stick = [record.stick_fraction[0].unwrap(), orbit.stick_fraction.unwrap()];
            assert!((stick[0] - stick[1]).abs() < left, "{case}: {stick:?}");
        }
    }
    // otherwise the test would not cover the internal states
    assert!(n_slipping >= 2 && n_stable >= 6, "{n_slipping} {n_stable}");
}

//! Steady states by the adaptive engine: against the exact one, for every continuous law, and with memory.

use stiction::Progress;
use stiction::law::{FrictionLaw, Graph, Law, Linear, Tanh};
use stiction::ode::Adaptive;
use stiction::steady::{Engine, State, Steady};
use stiction::system::System;

fn tight() -> Engine {
    Engine::Adaptive(Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() })
}

fn forced(law: FrictionLaw, amplitude: f64, omega: f64) -> System {
    System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(amplitude, omega)
}

/// Both engines apply to a polyline. The adaptive one errs by its tolerance, 1e-12 per step, over a few hundred steps.
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
            ("fundamental", a.fundamental, b.fundamental),
            ("phase", a.phase.unwrap(), b.phase.unwrap()),
            ("friction loss", a.friction_loss, b.friction_loss),
            ("viscous loss", a.viscous_loss, b.viscous_loss),
            ("work in", a.work_in, b.work_in),
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
        assert!(orbit.residual < 1e-11 && orbit.is_stable(), "{name}: {orbit:?}");
        // tolerance of the integrals times a few hundred steps; a change of stored energy is the residual
        let rest = orbit.work_in - orbit.friction_loss - orbit.viscous_loss;
        assert!(rest.abs() < 1e-10 * orbit.work_in, "{name}: {rest:e}");
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
        ("fundamental", a.fundamental, b.fundamental),
        ("friction loss", a.friction_loss, b.friction_loss),
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
            orbit.iterations + orbit.periods <= 40,
            "width {width}: {} {}",
            orbit.iterations,
            orbit.periods
        );
        if let Some(before) = before {
            assert!((orbit.amplitude - before).abs() < 1e-5, "width {width}: {} {before}", orbit.amplitude);
        }
        before = Some(orbit.amplitude);
    }
}

//! Steady states by the adaptive engine: against the exact one, for every continuous law, and with memory.

use stiction::integrate::Adaptive;
use stiction::law::{FrictionLaw, Graph, Law, Linear};
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
            Steady { engine: Some(engine), ..Steady::default() }.from(&system, &State::rest(1)).unwrap()
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
            ("stick fraction", a.stick_fraction, b.stick_fraction),
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
    for law in FrictionLaw::examples().into_iter().filter(|law| law.graph() == Graph::Continuous) {
        let name = law.name();
        let n_memory = usize::from(law.has_memory());
        let system = forced(law, 2.0, 0.6);
        let steady = Steady { engine: Some(tight()), ..Steady::default() };
        let orbit = steady.from(&system, &State::rest(1)).unwrap();
        assert_eq!(orbit.state.memory.len(), n_memory, "{name}");
        assert_eq!(orbit.multipliers.len(), 2 + n_memory, "{name}");
        assert!(orbit.residual < 1e-11 && orbit.is_stable && orbit.is_symmetric, "{name}: {orbit:?}");
        // tolerance of the integrals times a few hundred steps; a change of stored energy is the residual
        let rest = orbit.work_in - orbit.friction_loss - orbit.viscous_loss;
        assert!(rest.abs() < 1e-10 * orbit.work_in, "{name}: {rest:e}");
        n += 1;
    }
    assert!(n >= 10);
}

#[test]
fn the_multipliers_of_a_law_with_memory_are_those_of_the_map() {
    // the decay of small differences along 3 periods of the motion itself, against the largest multiplier
    let law = FrictionLaw::examples().into_iter().find(|law| law.name() == "lugre").unwrap();
    let system = forced(law, 2.0, 0.6);
    let steady = Steady { engine: Some(tight()), ..Steady::default() };
    let orbit = steady.from(&system, &State::rest(1)).unwrap();
    let largest = orbit.multipliers[0];
    assert!(largest.im == 0.0);
    // one period maps a difference along the leading eigenvector to `largest` times itself: after two periods of any
    // start only that direction is left
    let run = |du: f64, periods: u32| {
        let mut start = orbit.state.clone();
        start.position[0] += du;
        let settings = stiction::steady::Bifurcation {
            transient: periods,
            samples: 1,
            follows: false,
            engine: Some(tight()),
        };
        let family = |_: f64| {
            let mut system = system.clone();
            system.position = start.position.clone();
            system.velocity = start.velocity.clone();
            system
        };
        stiction::steady::bifurcation(&settings, &family, &[0.0]).unwrap()[0].states[0].position[0]
    };
    // sections start with z = 0: the differences are taken between two such runs
    let difference = |periods| run(1e-3, periods) - run(-1e-3, periods);
    let ratios: Vec<f64> = (3..6).map(|i| difference(i + 1) / difference(i)).collect();
    for ratio in ratios {
        // second multiplier over the first, to the third power, and the curvature of the map
        assert!((ratio - largest.re).abs() < 0.2 * largest.re.abs(), "{ratio} {largest:?}");
    }
}

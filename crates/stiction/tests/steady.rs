//! Steady states by the exact engine: classical results, long transients, stability.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction::Error;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Orbit, State, Steady};
use stiction::system::{Harmonic, Motion, System};

/// Rounding of one period, times what a fixed point makes of it: at most 1/(1 − largest multiplier) ≈ 100 here.
const ROUNDING: f64 = 1e-11;

fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

/// Mass and stiffness one, load cos βt.
fn oscillator(damping: f64, beta: f64, mu: f64, mu_static: f64) -> System {
    let mut system = System::oscillator(1.0, damping, 1.0).with_friction(coulomb(mu, mu_static));
    system.harmonics.push(Harmonic { amplitude: vec![1.0], omega: beta, phase: FRAC_PI_2 });
    system
}

/// The state after so many periods from rest, by the engine alone.
fn transient(system: &System, periods: u32) -> Motion {
    let period = system.period().unwrap();
    let mut exact = Exact::new(system).unwrap();
    let mut motion = Motion::zero(system.n(), system.elements.len());
    for i in 1..=periods {
        let t = period * f64::from(i);
        while exact.t() < t {
            exact.step(t).unwrap();
        }
        exact.motion(t, &mut motion);
    }
    motion
}

fn from_rest(system: &System) -> Orbit {
    Steady::default().from(system, &State::rest(system.n())).unwrap()
}

/// @denhartog1931: `X k/P = √(V² − (f U)²)`.
fn den_hartog(beta: f64, f: f64) -> f64 {
    let v = 1.0 / (1.0 - beta * beta);
    let u = (PI / beta).sin() / (beta * (1.0 + (PI / beta).cos()));
    (v * v - (f * u) * (f * u)).sqrt()
}

#[test]
fn den_hartogs_amplitude_is_found_from_rest_and_from_everywhere() {
    for (beta, f, printed) in [(0.7, 0.5, 1.7442539362489), (1.3, 0.5, 1.0353280077046)] {
        assert!((den_hartog(beta, f) - printed).abs() < 1e-12);
        let system = oscillator(0.0, beta, f, f);
        let orbit = from_rest(&system);
        println!("{orbit:?}");
        assert!((orbit.amplitude - printed).abs() < ROUNDING, "β = {beta}: {}", orbit.amplitude);
        assert!(orbit.residual <= 1e-13, "{}", orbit.residual);
        assert_eq!(orbit.stops, 0);
        assert!(orbit.is_symmetric && orbit.is_stable);
        let all = Steady::default().find(&system).unwrap();
        assert_eq!(all.len(), 1, "β = {beta}");
    }
}

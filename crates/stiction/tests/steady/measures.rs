//! Measures of a periodic motion against sums over its samples, and sweeps against searches that begin one
//! after the other.

use crate::dice::Dice;
use stiction::Progress;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Orbit, State, Steady, sweep};
use stiction::system::{Harmonic, Motion, System};

/// A random oscillator under Coulomb friction and one wave; now and then near resonance, with a constant
/// load, or without damping.
fn oscillator(dice: &mut Dice) -> System {
    let (mass, stiffness) = (dice.between(0.3, 3.0), dice.between(0.3, 3.0));
    let own = (stiffness / mass).sqrt();
    let is_near = dice.chance(0.25);
    let omega = own * if is_near { dice.between(0.97, 1.03) } else { dice.between(0.2, 2.5) };
    let is_damped = is_near || dice.chance(0.8);
    let damping = if is_damped { 2.0 * mass * own * dice.between(0.01, 0.4) } else { 0.0 };
    let size = dice.between(0.5, 3.0) * if dice.chance(0.2) { -1.0 } else { 1.0 };
    let mu = size.abs() * dice.between(0.05, 0.7);
    let mu_static = dice.chance(0.3).then(|| mu * dice.between(1.0, 1.4));
    let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static });
    let mut system = System::oscillator(mass, damping, stiffness).with_friction(law);
    let phase = if dice.chance(0.5) { 0.0 } else { dice.between(-3.0, 3.0) };
    system.harmonics = vec![Harmonic { amplitude: vec![size], omega, phase }];
    if dice.chance(0.3) {
        system.constant[0] = dice.between(-2.0, 2.0);
    }
    system
}

/// Nodes and weights of Gauss's formula of five on [0, 1].
const GAUSS: [[f64; 2]; 5] = [
    [0.046_910_077_030_668, 0.118_463_442_528_094_5],
    [0.230_765_344_947_158_45, 0.239_314_335_249_683_23],
    [0.5, 0.284_444_444_444_444_45],
    [0.769_234_655_052_841_5, 0.239_314_335_249_683_23],
    [0.953_089_922_969_332, 0.118_463_442_528_094_5],
];

/// Sums over the samples of one period.
#[derive(Default)]
struct Sums {
    sine: f64,
    cosine: f64,
    work_in: f64,
    viscous: f64,
    friction: f64,
    exchange: f64,
    rest: f64,
    range: [f64; 2],
}

fn sums(system: &System, orbit: &Orbit) -> Sums {
    let Harmonic { ref amplitude, omega, phase } = system.harmonics[0];
    let mut exact = Exact::new(system).unwrap();
    exact.restart(0.0, &orbit.state.position, &orbit.state.velocity).unwrap();
    let mut motion = Motion::zero(1, 1);
    let mut sums = Sums { range: [orbit.state.position[0]; 2], ..Sums::default() };
    while exact.t() < orbit.period {
        let from = exact.t();
        exact.step(orbit.period).unwrap();
        let (n, length) = (200, exact.t() - from);
        for k in 0..n {
            for [node, weight] in GAUSS {
                exact.motion(from + length * (k as f64 + node) / n as f64, &mut motion);
                let dt = weight * length / n as f64;
                let (q, v) = (motion.position[0], motion.velocity[0]);
                let angle = omega * motion.t + phase;
                let load = system.constant[0] + amplitude[0] * angle.sin();
                let powers =
                    [load * v, system.damping.at(0, 0) * v * v, motion.friction[0] * motion.sliding[0]];
                sums.sine += dt * q * angle.sin();
                sums.cosine += dt * q * angle.cos();
                sums.work_in += dt * powers[0];
                sums.viscous += dt * powers[1];
                sums.friction += dt * powers[2];
                sums.exchange += dt * powers.iter().map(|power| power.abs()).sum::<f64>();
                sums.range = [sums.range[0].min(q), sums.range[1].max(q)];
                sums.rest += if motion.sliding[0] == 0.0 { dt } else { 0.0 };
            }
        }
        exact.motion(exact.t(), &mut motion);
        let q = motion.position[0];
        sums.range = [sums.range[0].min(q), sums.range[1].max(q)];
    }
    sums
}

#[test]
fn the_measures_of_a_motion_are_sums_over_its_samples() {
    let mut dice = Dice::new(5);
    let (mut n, mut n_near) = (0, 0);
    for case in 0..400 {
        let system = oscillator(&mut dice);
        let Ok(orbit) = Steady::default().from(&system, &State::rest(1), &mut Progress::none()) else {
            continue;
        };
        let own = (system.stiffness.at(0, 0) / system.mass.at(0, 0)).sqrt();
        n += 1;
        n_near += usize::from((system.harmonics[0].omega / own - 1.0).abs() < 0.03);
        let sums = sums(&system, &orbit);
        let size = sums.range[0].abs().max(sums.range[1].abs());
        // rounding of a thousand samples and of their times, relative to what is added
        let tolerance = 1e-11;
        let [a, b] = [sums.sine, sums.cosine].map(|sum| 2.0 * sum / orbit.period);
        assert!(
            (orbit.fundamental.amplitude - a.hypot(b)).abs() <= tolerance * size,
            "case {case}: fundamental"
        );
        if let Some(phase) = orbit.fundamental.phase {
            let off = (orbit.fundamental.amplitude * phase.cos() - a)
                .hypot(orbit.fundamental.amplitude * phase.sin() - b);
            assert!(off <= tolerance * size, "case {case}: phase");
        }
        for (name, found, expected) in [
            ("work", orbit.energy.work_in, sums.work_in),
            ("viscous loss", orbit.energy.viscous_loss, sums.viscous),
            ("friction loss", orbit.energy.friction_loss, sums.friction),
        ] {
            assert!(
                (found - expected).abs() <= tolerance * sums.exchange,
                "case {case}: {name} {found} {expected}"
            );
        }
        // a scale only: moduli of powers have kinks between the ten nodes of a part of 2.5 rad, of which one costs up
        // to 0.4 per cent
        assert!(
            (orbit.energy.exchange - sums.exchange).abs() <= 1e-2 * sums.exchange,
            "case {case}: exchange"
        );
        assert!(
            (orbit.amplitude - 0.5 * (sums.range[1] - sums.range[0])).abs() <= 1e-13 * size,
            "case {case}: amplitude"
        );
        assert!((orbit.extent - size).abs() <= 1e-13 * size, "case {case}: extent");
        let rest = sums.rest / orbit.period;
        assert!((orbit.stick_fraction.unwrap() - rest).abs() <= tolerance, "case {case}: stick");
    }
    assert!(n > 300 && n_near > 50, "{n} motions, {n_near} near resonance");
}

#[test]
fn a_sweep_finds_the_motions_that_searches_one_after_the_other_find() {
    let mut dice = Dice::new(17);
    let steady = Steady { transient: 0, ..Steady::default() };
    let (mut n, mut fewer) = (0, 0i64);
    for case in 0..40 {
        let base = oscillator(&mut dice);
        let family = |omega: f64| {
            let mut system = base.clone();
            system.harmonics[0].omega = omega;
            system
        };
        let from = base.harmonics[0].omega;
        let omegas: Vec<f64> = (0..60).map(|i| from * (1.0 + 0.4 * f64::from(i) / 59.0)).collect();
        let Ok(points) = sweep(&Steady::default(), &family, &omegas, &mut Progress::none()) else { continue };
        for pair in points.windows(2) {
            let (Ok(last), Ok(orbit)) = (&pair[0].orbit, &pair[1].orbit) else { continue };
            if !(last.is_stable() && orbit.is_stable()) {
                continue;
            }
            let system = family(pair[1].parameter);
            let Ok(other) = steady.from(&system, &last.state, &mut Progress::none()) else { continue };
            n += 1;
            fewer += i64::from(other.convergence.iterations) - i64::from(orbit.convergence.iterations);
            let off = (other.amplitude - orbit.amplitude).abs();
            // what a residual of 1e-13 is worth where the motion is hardly attracted
            assert!(off <= 1e-9 * orbit.extent, "case {case}, ω = {}: {off:e}", pair[1].parameter);
        }
    }
    assert!(n > 1500, "{n}");
    // a period at every other point at least: the polynomial is nearer than the last state by two orders of
    // the step
    assert!(2 * fewer > n, "{fewer} periods saved at {n} points");
}

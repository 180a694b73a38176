//! Points of a sweep in lanes: the same numbers to the bit whatever the number of lanes, and those of the search for one point.

use crate::dice::Dice;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Orbit, Point, Steady, SweepLanes, SystemFamily, sweep_in};
use stiction::system::System;

/// A mass, its range of frequencies and the number of points.
struct Swept {
    system: System,
    range: [f64; 2],
    n: usize,
}

impl Swept {
    /// Units of mass and time that are not one, loads of either sign, with and without damping, a constant load and static friction of its own.
    fn random(dice: &mut Dice, case: usize) -> Self {
        let mass = 10f64.powf(dice.between(-1.0, 1.0));
        let stiffness = 10f64.powf(dice.between(-1.0, 1.0));
        let omega = (stiffness / mass).sqrt();
        let ratio = if case.is_multiple_of(4) { 0.0 } else { dice.between(0.005, 0.4) };
        let damping = 2.0 * ratio * mass * omega;
        let force = dice.between(0.5, 5.0) * if case.is_multiple_of(3) { -1.0 } else { 1.0 };
        let mu = dice.between(0.05, 0.9);
        let mu_static = (!case.is_multiple_of(2)).then(|| mu * dice.between(1.0, 1.4));
        let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static });
        let mut system =
            System::oscillator(mass, damping, stiffness).with_friction(law).with_force(force, 1.0);
        system.contacts[0].load = force.abs();
        system.contacts[0].direction[0] = if case.is_multiple_of(5) { -1.0 } else { 1.0 };
        if case.is_multiple_of(7) {
            system.constant[0] = 0.3 * force;
        }
        system.harmonics[0].phase = if case.is_multiple_of(2) { 0.0 } else { dice.between(-3.0, 3.0) };
        let from = dice.between(0.1, 1.5) * omega;
        Self { system, range: [from, from * dice.between(1.1, 3.0)], n: [60, 400][case % 2] }
    }

    fn points(&self, lanes: SweepLanes) -> Vec<Point> {
        let [from, to] = self.range;
        let values: Vec<f64> =
            (0..self.n).map(|i| from + (to - from) * i as f64 / (self.n - 1) as f64).collect();
        sweep_in(lanes, &Steady::default(), self, &values, &mut Progress::none()).unwrap()
    }
}

impl SystemFamily for Swept {
    fn at(&self, omega: f64) -> System {
        let mut system = self.system.clone();
        self.set(&mut system, omega);
        system
    }

    fn set(&self, system: &mut System, omega: f64) {
        system.harmonics[0].omega = omega;
    }
}

#[test]
fn one_lane_and_eight_give_the_same_bits() {
    let mut dice = Dice::new(3);
    for case in 0..60 {
        let swept = Swept::random(&mut dice, case);
        let (one, eight) = (swept.points(SweepLanes::One), swept.points(SweepLanes::Eight));
        assert_eq!(one, eight, "case {case}");
    }
}

#[test]
fn lanes_find_what_the_search_for_one_point_finds() {
    let mut dice = Dice::new(11);
    let (mut n, mut n_same) = (0, 0);
    for case in 0..60 {
        let swept = Swept::random(&mut dice, case);
        let (alone, eight) = (swept.points(SweepLanes::Off), swept.points(SweepLanes::Eight));
        for (alone, own) in alone.iter().zip(&eight) {
            let at = format!("case {case}, ω = {}", own.parameter);
            assert_eq!(alone.orbit.is_ok(), own.orbit.is_ok(), "{at}");
            let (Ok(alone), Ok(own)) = (&alone.orbit, &own.orbit) else { continue };
            n += 1;
            n_same += usize::from(alone.state == own.state && alone.start == own.start);
            // of a continuum each finds a motion of its own
            if alone.is_stable() {
                agree(alone, own, &at);
            }
        }
    }
    // else nothing was compared
    assert!(2 * n_same < n, "{n_same} of {n} were found alone");
}

fn agree(alone: &Orbit, own: &Orbit, at: &str) {
    // residuals of 1e-13 over 1 − |λ|
    let gap = 1.0 - alone.multipliers[0].modulus();
    let tolerance = 1e-11 / gap.max(1e-4);
    let near = |name: &str, a: f64, b: f64, size: f64| {
        assert!((a - b).abs() <= tolerance * size, "{at}: {name} {a} {b}, gap {gap}");
    };
    let size = alone.amplitude;
    let omega = std::f64::consts::TAU / alone.period;
    near("position", alone.state.position[0], own.state.position[0], alone.extent);
    near("velocity", alone.state.velocity[0], own.state.velocity[0], size * omega);
    near("amplitude", alone.amplitude, own.amplitude, alone.extent);
    near("extent", alone.extent, own.extent, alone.extent);
    near("fundamental", alone.fundamental, own.fundamental, alone.extent);
    near("phase", alone.phase.unwrap(), own.phase.unwrap(), 10.0);
    let exchange = alone.exchange;
    near("exchange", exchange, own.exchange, exchange);
    near("friction loss", alone.friction_loss, own.friction_loss, exchange);
    near("viscous loss", alone.viscous_loss, own.viscous_loss, exchange);
    near("work", alone.work_in, own.work_in, exchange);
    near("stick", alone.stick_fraction.unwrap(), own.stick_fraction.unwrap(), 10.0);
    assert_eq!((alone.stops, alone.is_symmetric), (own.stops, own.is_symmetric), "{at}");
    assert_eq!(alone.stability, own.stability, "{at}");
    let kinds = |orbit: &Orbit| orbit.events.iter().map(|event| event.kind).collect::<Vec<_>>();
    assert_eq!(kinds(alone), kinds(own), "{at}");
    for (a, b) in alone.events.iter().zip(&own.events) {
        near("event", a.t, b.t, 10.0 * alone.period);
    }
    for (a, b) in alone.multipliers.iter().zip(&own.multipliers) {
        // the root of the rounding where two multipliers meet
        assert!((a.modulus() - b.modulus()).abs() < 1e-6, "{at}: {a:?} {b:?}");
    }
}

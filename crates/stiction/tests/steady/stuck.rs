//! Motions that stick throughout are reported as such, from wherever the search came; motions without a stop
//! are found where the closed form has them.

use crate::dice::Dice;
use std::f64::consts::PI;
use stiction::law::{Coulomb, FrictionLaw, Iwan, Jenkins};
use stiction::math::Matrix;
use stiction::steady::{Continuation, Orbit, Stability, State, Steady, sweep};
use stiction::system::{Contact, ForceElements, Harmonic, System};
use stiction::{Error, Progress};

fn coulomb(mu: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: None })
}

fn contact(n: usize, dof: usize, load: f64) -> Contact {
    let mut direction = vec![0.0; n];
    direction[dof] = 1.0;
    Contact { friction: coulomb(1.0).into(), load, direction, belt: 0.0 }
}

/// Springs with sliders in place of dry contacts: one spring, or three that let go one after the other.
fn with_sliders(mut chain: Chain, dice: &mut Dice) -> Chain {
    for contact in &mut chain.system.contacts {
        let stiffness = dice.between(0.5, 20.0) / contact.load;
        contact.friction = match dice.chance(0.5) {
            true => FrictionLaw::Jenkins(Jenkins { mu: 1.0, stiffness }).into(),
            false => {
                let part = dice.between(0.1, 0.3);
                let stiffness = vec![0.5 * stiffness, 0.3 * stiffness, 0.2 * stiffness];
                FrictionLaw::Iwan(Iwan { mu: vec![part, 0.3, 0.7 - part], stiffness }).into()
            }
        };
    }
    chain
}

/// Masses in a chain with dampers, a load on the first and contacts on some.
pub struct Chain {
    pub system: System,
    pub is_by_load: bool,
}

impl Chain {
    pub fn draw(dice: &mut Dice) -> Self {
        let n = 1 + dice.below(3);
        let mass: Vec<f64> = (0..n).map(|_| dice.between(0.5, 2.0)).collect();
        let mut stiffness = Matrix::zeros(n, n);
        for i in 0..n {
            let ground = dice.between(0.3, 2.0);
            *stiffness.at_mut(i, i) += ground;
            if i + 1 < n {
                let k = dice.between(0.3, 2.0);
                for (a, b, sign) in [(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0), (i + 1, i, -1.0)] {
                    *stiffness.at_mut(a, b) += sign * k;
                }
            }
        }
        let share = dice.between(0.02, 0.3);
        let mut damping = stiffness.clone();
        damping.data.iter_mut().for_each(|c| *c *= share);
        let last = contact(n, n - 1, dice.between(0.1, 1.2));
        let mut contacts = vec![last];
        if n > 1 && dice.chance(0.5) {
            contacts.push(contact(n, dice.below(n - 1), dice.between(0.05, 1.2)));
        }
        let mut amplitude = vec![0.0; n];
        amplitude[0] = 1.0;
        let omega = dice.between(0.4, 2.5);
        let system = System {
            mass: Matrix::diagonal(&mass),
            damping,
            stiffness,
            contacts,
            constant: vec![0.0; n],
            harmonics: vec![Harmonic { amplitude, omega, phase: dice.between(-3.0, 3.0) }],
            position: vec![0.0; n],
            velocity: vec![0.0; n],
            elements: ForceElements::default(),
        };
        Self { system, is_by_load: dice.chance(0.5) }
    }

    /// By the frequency of the load or by the load of the first contact, both over a wide range.
    pub fn at(&self, part: f64) -> System {
        let mut system = self.system.clone();
        if self.is_by_load {
            system.contacts[0].load *= 0.3 + 2.0 * part;
        } else {
            system.harmonics[0].omega *= 0.5 + 1.5 * part;
        }
        system
    }
}

/// What a motion is: its stops, whether it sticks throughout, its stability.
fn class(orbit: &Result<Orbit, Error>) -> (u32, bool, Stability, bool) {
    let orbit = orbit.as_ref().unwrap();
    (orbit.stops, orbit.stick_fraction == Some(1.0), orbit.stability, orbit.fundamental.phase.is_some())
}

/// The largest distance between positions or deflections of springs (m).
fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.position.iter().zip(&b.position).chain(a.memory.iter().zip(&b.memory));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn same_class(systems: u32, has_sliders: bool) {
    let mut dice = Dice::new(27);
    let mut seen = [0; 2];
    for case in 0..systems {
        let mut chain = Chain::draw(&mut dice);
        if has_sliders {
            chain = with_sliders(chain, &mut dice);
        }
        let grids = [4usize, 8, 20].map(|cells| {
            let values: Vec<f64> = (0..=cells).map(|i| i as f64 / cells as f64).collect();
            sweep(&Steady::default(), &|part| chain.at(part), &values, &mut Progress::none()).unwrap()
        });
        for k in 0..=4 {
            let shared = [1, 2, 5].map(|stride| k * stride);
            let points = [0, 1, 2].map(|grid| &grids[grid][shared[grid]]);
            let own = class(&points[0].orbit);
            let orbit = points[0].orbit.as_ref().unwrap();
            if orbit.stick_fraction == Some(1.0) && orbit.events.is_empty() {
                assert_eq!(
                    (own.0, orbit.energy.friction_loss, own.2),
                    (0, 0.0, Stability::Neutral),
                    "case {case}"
                );
            }
            let found = Steady::default().find(&chain.at(k as f64 / 4.0), &mut Progress::none()).unwrap();
            assert_eq!(class(&Ok(found[0].clone())), own, "case {case}, point {k} by itself");
            for point in &points[1..] {
                assert_eq!(class(&point.orbit), own, "case {case}, point {k}");
                let amplitudes = [point, points[0]].map(|p| p.orbit.as_ref().unwrap().amplitude);
                let extent = orbit.extent.max(1e-3);
                assert!((amplitudes[0] - amplitudes[1]).abs() <= 1e-8 * extent, "case {case}, point {k}");
                let off = distance(&point.orbit.as_ref().unwrap().state, &orbit.state);
                assert!(off <= 1e-8 * extent, "case {case}, point {k}: {off:e} apart");
            }
            seen[usize::from(own.2 == Stability::Neutral)] += 1;
        }
    }
    assert!(seen.iter().all(|seen| *seen > systems), "{seen:?}");
}

#[test]
fn neighbours_do_not_change_what_a_point_is() {
    same_class(60, false);
}

#[test]
fn neighbours_do_not_change_what_a_point_with_sliders_is() {
    same_class(20, true);
}

#[test]
#[ignore = "a thousand systems take a minute"]
fn neighbours_do_not_change_what_a_point_of_many_systems_is() {
    [false, true].into_iter().for_each(|has_sliders| same_class(500, has_sliders));
}

/// Three masses, two contacts that hold: the search comes from outside and ends on the edge of what they
/// hold.
#[test]
fn a_motion_that_sticks_throughout_has_no_stop() {
    let stiffness = [3.027150817837709, -1.181644332099739, 0.1721957511009454];
    let stiffness = [
        stiffness,
        [-1.181644332099739, 4.409110965990439, -0.5085376341294545],
        [0.1721957511009454, -0.5085376341294545, 3.8354865094958432],
    ];
    let stiffness = Matrix { n_rows: 3, n_cols: 3, data: stiffness.concat() };
    let mut damping = stiffness.clone();
    damping.data.iter_mut().for_each(|c| *c *= 0.05);
    let system = System {
        mass: Matrix::diagonal(&[1.2376758194127, 1.4228104983657583, 0.8721908225792873]),
        damping,
        stiffness,
        contacts: vec![contact(3, 1, 0.2853353864439476), contact(3, 2, 0.11688947331595827)],
        constant: vec![0.0; 3],
        harmonics: vec![Harmonic { amplitude: vec![1.0, 0.0, 0.0], omega: 2.480734161127872, phase: 0.0 }],
        position: vec![0.0, 0.3, -0.2],
        velocity: vec![0.0; 3],
        elements: ForceElements::default(),
    };
    for orbit in Steady::default().find(&system, &mut Progress::none()).unwrap() {
        assert_eq!((orbit.stops, orbit.events.len(), orbit.energy.friction_loss), (0, 0, 0.0));
        assert_eq!((orbit.stick_fraction, orbit.stability), (Some(1.0), Stability::Neutral));
    }
}

/// A blade with an elastic damper, which sticks off resonance: a sweep and a branch, in both directions.
#[test]
fn a_damper_that_sticks_is_reported_as_stuck_on_both_sides_of_the_resonance() {
    let law = || FrictionLaw::Jenkins(Jenkins { mu: 40.0, stiffness: 8e4 });
    let at = |omega: f64| System::oscillator(0.5, 2.0, 2e5).with_friction(law()).with_force(30.0, omega);
    let values: Vec<f64> = (0..=160).map(|i| 500.0 + 2.5 * f64::from(i)).collect();
    let mut lists = vec![sweep(&Steady::default(), &at, &values, &mut Progress::none()).unwrap()];
    for (from, to) in [(500.0, 900.0), (900.0, 500.0)] {
        let continuation = Continuation { from, to, ..Continuation::default() };
        let branch = continuation.run(&at, &mut Progress::none()).unwrap();
        assert!(branch.is_complete() && branch.jumps == 0, "{from}: {:?}", branch.end);
        lists.push(branch.points);
    }
    for point in lists.iter().flatten() {
        let orbit = point.orbit.as_ref().unwrap();
        // the amplitude at which its spring lets go
        let is_stuck = orbit.amplitude <= 40.0 / 8e4;
        assert_eq!(
            orbit.events.is_empty() && orbit.energy.friction_loss == 0.0,
            is_stuck,
            "{}",
            point.parameter
        );
        let (stops, stability) = if is_stuck { (0, Stability::Neutral) } else { (2, Stability::Stable) };
        assert_eq!((orbit.stops, orbit.stability), (stops, stability), "{}", point.parameter);
        assert_eq!(orbit.stick_fraction == Some(1.0), is_stuck, "{}", point.parameter);
    }
}

/// The load just reaches the limit of friction.
#[test]
fn a_load_at_the_limit_moves_nothing() {
    let at = |mu: f64| System::oscillator(1.0, 0.1, 1.0).with_friction(coulomb(mu)).with_force(1.0, 0.7);
    let values: Vec<f64> = (0..=60).map(|i| f64::from(i) / 40.0).collect();
    let points = sweep(&Steady::default(), &at, &values, &mut Progress::none()).unwrap();
    for point in points {
        let orbit = point.orbit.unwrap();
        let rests = point.parameter >= 1.0;
        assert_eq!(orbit.amplitude == 0.0, rests, "μ = {}", point.parameter);
        assert_eq!(orbit.fundamental.phase.is_none(), rests, "μ = {}", point.parameter);
        assert_eq!(orbit.stability == Stability::Neutral, rests, "μ = {}", point.parameter);
    }
}

/// Den Hartog's amplitude of the motion without stops (@denhartog1931), if it has none: m = k = P = 1,
/// friction f, c = 0.
fn den_hartog(omega: f64, f: f64) -> Option<f64> {
    let v = 1.0 / ((1.0 - omega) * (1.0 + omega));
    // tan(π/2ω), next to 1 from its pole
    let tangent = if (omega - 1.0).abs() < 0.1 {
        1.0 / (PI * (omega - 1.0) / (2.0 * omega)).tan()
    } else {
        (PI / (2.0 * omega)).tan()
    };
    let cosine = f * tangent / (v * omega);
    let rest = (1.0 - cosine) * (1.0 + cosine);
    let (sine, a, b) = (v.signum() * rest.max(0.0).sqrt(), -f, -f * tangent);
    let half = PI / omega;
    // from the largest position on: it goes down all the way
    let velocity = |t: f64| {
        let load = cosine * (omega * t).cos() - sine * (omega * t).sin();
        v * omega * load - a * t.sin() + b * t.cos()
    };
    let goes_down = (1..4000).all(|i| velocity(half * f64::from(i) / 4000.0) < 0.0);
    // it leaves the turning point at once
    let leaves = v * sine - sine > f;
    (rest > 0.0 && leaves && goes_down).then_some(v * sine)
}

/// Finds the motion at a point of his map: friction 0.1 to 0.9, frequency ratio 0.2 to 2.
fn on_his_map([i, j]: [u32; 2], cells: u32) -> bool {
    let part = |i: u32| f64::from(i) / f64::from(cells);
    let (f, omega) = (0.1 + 0.8 * part(i), 0.2 + 1.8 * part(j));
    let system = System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb(f)).with_force(1.0, omega);
    let found = Steady::default().find(&system, &mut Progress::none());
    let Some(amplitude) = den_hartog(omega, f) else { return false };
    let orbits = found.unwrap_or_else(|error| panic!("f = {f}, ω = {omega}: {error}"));
    let is_there = |orbit: &Orbit| (orbit.amplitude - amplitude).abs() <= 1e-10 * amplitude;
    assert!(orbits.iter().any(is_there), "f = {f}, ω = {omega}: {} for {amplitude}", orbits[0].amplitude);
    true
}

/// Next to 1/2 and 1/3 of the natural frequency motions are approached slowly.
#[test]
fn den_hartogs_map_has_no_hole() {
    let slow = (0..200).flat_map(|i| [14, 15, 33].map(|j| [i, j])).filter(|[i, j]| on_his_map([*i, *j], 199));
    assert!(slow.count() > 50);
    let coarse = (0..=24).flat_map(|i| (0..=24).map(move |j| [i, j])).filter(|ij| on_his_map(*ij, 24));
    assert!(coarse.count() > 200);
}

#[test]
#[ignore = "160 000 points take minutes"]
fn den_hartogs_map_has_no_hole_at_any_of_many_points() {
    let all = (0..400).flat_map(|i| (0..400).map(move |j| [i, j])).filter(|ij| on_his_map(*ij, 399));
    assert!(all.count() > 50_000);
}

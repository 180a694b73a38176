//! What the implicit method and the search for kinks rely on: the Jacobian is the derivative of the
//! right-hand side, and between two sign changes of the switch functions the right-hand side is smooth.

use crate::dice::Dice;
use stiction::law::{Friction, FrictionLaw, Graph, Law, Linear, Lugre, Quinn, Slip, Tanh};
use stiction::math::Matrix;
use stiction::system::{Contact, Dynamics, Harmonic, N_PASSIVE, System};

fn contact(law: &FrictionLaw, load: f64, direction: &[f64], belt: f64, viscous: f64) -> Contact {
    Contact { friction: Friction { law: law.clone(), viscous }, load, direction: direction.to_vec(), belt }
}

/// One contact on one degree of freedom.
fn single(law: &FrictionLaw) -> System {
    let mut system = System::oscillator(2.0, 0.3, 5.0).with_force(1.5, 0.7);
    system.contacts.push(contact(law, 0.8, &[1.0], 0.01, 0.2));
    system
}

/// Two contacts on two degrees of freedom: each moves the body of the other.
fn coupled(first: &FrictionLaw, second: &FrictionLaw) -> System {
    let square = |data: [f64; 4]| Matrix { n_rows: 2, n_cols: 2, data: data.to_vec() };
    System {
        elements: Default::default(),
        mass: square([1.0, 0.3, 0.3, 0.8]),
        damping: square([0.2, -0.1, -0.1, 0.1]),
        stiffness: square([2.0, -1.0, -1.0, 1.5]),
        contacts: vec![
            contact(first, 1.0, &[1.0, 0.0], 0.0, 0.0),
            contact(second, 0.6, &[-1.0, 1.0], 0.02, 0.1),
        ],
        constant: vec![0.3, 0.0],
        harmonics: vec![Harmonic { amplitude: vec![1.0, 0.5], omega: 1.0, phase: 0.2 }],
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
    }
}

/// Every continuous law alone, twice on coupled bodies, and next to a law of another kind.
fn systems() -> Vec<System> {
    let laws: Vec<_> = FrictionLaw::examples()
        .into_iter()
        .filter(|law| law.graph() == Graph::Continuous && law.sliders().is_none())
        .collect();
    let others = [
        FrictionLaw::Quinn(Quinn { mu: 0.7, width: 0.1 }),
        FrictionLaw::Lugre(Lugre {
            mu: 0.5,
            mu_static: 0.6,
            velocity: 0.1,
            stiffness: 50.0,
            damping: 1.0,
            exponent: None,
        }),
        FrictionLaw::Tanh(Tanh { mu: 0.4, width: 0.05 }),
    ];
    let mut all = Vec::new();
    for law in &laws {
        all.push(single(law));
        all.push(coupled(law, law));
        all.extend(others.iter().map(|other| coupled(law, other)));
    }
    all
}

/// Whether the laws have velocities on which they change; a logarithm has none.
fn has_scale(system: &System) -> bool {
    system.contacts.iter().all(|contact| contact.friction.law.steepest().is_finite())
}

/// A velocity on which a law changes.
fn scale(law: &FrictionLaw) -> f64 {
    law.stick_speed().unwrap_or(0.1)
}

/// Sizes of the components of the state on which everything happens.
fn sizes(system: &System) -> Vec<f64> {
    let n = system.n();
    let laws = || system.contacts.iter().map(|contact| &contact.friction.law);
    let speed = laws().map(scale).fold(0.0, f64::max);
    let memory = laws().flat_map(|law| {
        let mut z = vec![0.0; law.n_states()];
        law.steady_states(1.0, &mut z);
        z.into_iter().map(f64::abs)
    });
    [vec![1.0; n], vec![2.0 * speed; n]].concat().into_iter().chain(memory).chain([0.0; N_PASSIVE]).collect()
}

fn name(system: &System) -> String {
    let laws: Vec<_> = system.contacts.iter().map(|contact| format!("{:?}", contact.friction.law)).collect();
    laws.join(" and ")
}

fn signs(dynamics: &mut Dynamics, t: f64, y: &[f64]) -> Vec<bool> {
    let mut kinks = vec![0.0; dynamics.n_kinks()];
    dynamics.kinks(t, y, &mut kinks);
    kinks.iter().map(|k| *k > 0.0).collect()
}

#[test]
fn the_jacobian_is_the_central_difference_of_the_derivative() {
    // of the largest entry: the rounding of forces over the steps, and the third derivative over their
    // squares; more for a logarithm
    // beside its zero
    const TOLERANCE: f64 = 1e-7;
    const LOGARITHM: f64 = 1e-6;
    let mut dice = Dice::new(1);
    let mut n_compared = 0;
    for system in systems() {
        let mut dynamics = Dynamics::new(&system).unwrap();
        let (n, sizes) = (dynamics.n_state(), sizes(&system));
        let na = n - N_PASSIVE;
        let narrowest = system.contacts.iter().map(|e| scale(&e.friction.law)).fold(f64::INFINITY, f64::min);
        let (mut jac, mut up, mut down) = (vec![0.0; na * na], vec![0.0; n], vec![0.0; n]);
        let tolerance = if has_scale(&system) { TOLERANCE } else { LOGARITHM };
        for _ in 0..100 {
            let t = 10.0 * dice.between(-1.0, 1.0);
            let y: Vec<f64> = sizes.iter().map(|size| size * dice.between(-1.0, 1.0)).collect();
            dynamics.derivative_slopes(t, &y, &mut jac);
            let largest = jac.iter().fold(0.0f64, |size, j| size.max(j.abs()));
            for j in 0..na {
                let is_velocity = (system.n()..2 * system.n()).contains(&j);
                let step = 1e-5 * if is_velocity { narrowest } else { sizes[j] };
                let mut shift = |by: f64, out: &mut [f64]| {
                    let mut y = y.clone();
                    y[j] += by * step;
                    dynamics.derivative(t, &y, out);
                    signs(&mut dynamics, t, &y)
                };
                // a kink nearby has no derivative to compare with
                if shift(-30.0, &mut up) != shift(30.0, &mut up) {
                    continue;
                }
                let mut central = |by: f64| -> Vec<f64> {
                    shift(by, &mut up);
                    shift(-by, &mut down);
                    up.iter().zip(&down).map(|(up, down)| (up - down) / (2.0 * by * step)).collect()
                };
                let (wide, narrow) = (central(2.0), central(1.0));
                for i in 0..na {
                    // extrapolated: arcs end with a curvature that changes within a few steps
                    let difference = narrow[i] + (narrow[i] - wide[i]) / 3.0;
                    let off = (jac[i * na + j] - difference).abs();
                    let entry = jac[i * na + j];
                    assert!(
                        off < tolerance * largest,
                        "{}: entry {i}, {j} is {entry}, difference {difference}, at {y:?}",
                        name(&system)
                    );
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 100_000, "{n_compared}");
}

/// Largest distance of f from its interpolant at 513 Chebyshev points between a and b.
///
/// Below the rounding for anything smooth; a jump in the second derivative leaves about 1e-6 of its height.
fn roughness(a: f64, b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    const N: usize = 512;
    let node = |k: f64| 0.5 * (a + b) - 0.5 * (b - a) * libm::cos(std::f64::consts::PI * k / N as f64);
    let nodes: Vec<f64> = (0..=N).map(|k| node(k as f64)).collect();
    let values: Vec<f64> = nodes.iter().map(|x| f(*x)).collect();
    let mut worst = 0.0f64;
    for k in 0..N {
        let x = node(k as f64 + 0.5);
        // barycentric form: weights alternate, the ends count half
        let (mut above, mut below) = (0.0, 0.0);
        for (j, (value, node)) in values.iter().zip(&nodes).enumerate() {
            let end = if j == 0 || j == N { 0.5 } else { 1.0 };
            let weight = end * if j % 2 == 0 { 1.0 } else { -1.0 } / (x - node);
            above += weight * value;
            below += weight;
        }
        worst = worst.max((above / below - f(x)).abs());
    }
    worst
}

/// Where along the line from λ = −1 to 1 some switch changes its sign, from samples and bisection.
fn sign_changes(mut signs: impl FnMut(f64) -> Vec<bool>) -> Vec<f64> {
    const SAMPLES: usize = 4000;
    let place = |k: usize| 2.0 * k as f64 / SAMPLES as f64 - 1.0;
    let mut found = Vec::new();
    for k in 0..SAMPLES {
        let (mut a, b) = (place(k), place(k + 1));
        let right = signs(b);
        // several may lie between two samples
        while signs(a) != right {
            let (left, mut low, mut high) = (signs(a), a, b);
            while high - low > 1e-15 {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if signs(middle) == left { low = middle } else { high = middle }
            }
            found.push(high);
            a = high;
        }
    }
    found
}

#[test]
fn the_derivative_is_smooth_between_the_sign_changes_of_the_switches() {
    // of the largest acceleration; the rounding of the places of the kinks times the steepest law
    const TOLERANCE: f64 = 1e-9;
    let mut dice = Dice::new(2);
    // an asinh that is steep at zero has singularities too near for polynomials
    for system in systems().into_iter().filter(has_scale) {
        let mut dynamics = Dynamics::new(&system).unwrap();
        let (n, n_state, sizes) = (system.n(), dynamics.n_state(), sizes(&system));
        let t = dice.between(-1.0, 1.0);
        // through the region in which the laws change, in all components at once
        let [from, to] =
            [(); 2].map(|()| sizes.iter().map(|size| size * dice.between(-1.0, 1.0)).collect::<Vec<f64>>());
        let at = |x: f64| -> Vec<f64> {
            from.iter().zip(&to).map(|(a, b)| 0.5 * (1.0 - x) * a + 0.5 * (1.0 + x) * b).collect()
        };
        let mut ends = vec![-1.0];
        ends.extend(sign_changes(|x| signs(&mut dynamics, t, &at(x))));
        ends.push(1.0);
        let mut dy = vec![0.0; n_state];
        for pair in ends.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9) {
            for i in n..n_state - 3 {
                let mut size = 1.0f64;
                let rough = roughness(pair[0], pair[1], |x| {
                    dynamics.derivative(t, &at(x), &mut dy);
                    size = size.max(dy[i].abs());
                    dy[i]
                });
                assert!(
                    rough < TOLERANCE * size,
                    "{}: {rough:e} in component {i} on {pair:?}, switches at {ends:?}",
                    name(&system)
                );
            }
        }
    }
}

#[test]
fn every_breakpoint_of_a_law_of_the_velocity_is_a_kink_and_a_sign_change() {
    let laws = FrictionLaw::examples()
        .into_iter()
        .filter(|law| law.graph() == Graph::Continuous && law.sliders().is_none());
    // nobody knows whether a formula has a kink at rest
    let laws = laws.filter(|law| law.name() != "expression");
    for law in laws.filter(|law| law.friction_bounds(0.0, &[]).is_none()) {
        let mut system = single(&law);
        system.contacts[0].belt = 0.0;
        let mut dynamics = Dynamics::new(&system).unwrap();
        let mut signs_at = |v: f64| {
            let mut y = dynamics.initial_state();
            y[1] = v;
            signs(&mut dynamics, 0.0, &y)
        };
        let breakpoints = law.breakpoints();
        for b in &breakpoints {
            let near = 1e-9 * b.abs().max(1e-3);
            let (below, above) = (signs_at(b - near), signs_at(b + near));
            let changed = below.iter().zip(&above).filter(|(a, b)| a != b).count();
            assert_eq!(changed, 1, "{law:?} at {b}");
            // both arcs at the peak of a raised circular law belong to one circle
            let is_round =
                matches!(law, FrictionLaw::CircularLinear(_)) && law.stick_speed() == Some(b.abs());
            let is_peak = is_round && breakpoints.iter().any(|other| *other > b.abs());
            if law.has_memory() || is_peak {
                continue;
            }
            // the slope or its derivative differs on both sides, by more than a smooth law would
            let h = 1e-3 * scale(&law);
            let [l2, l1, r1, r2] = [-2.0, -1.0, 1.0, 2.0].map(|k| law.slope(Slip::at(b + k * h)));
            let jump = (2.0 * r1 - r2 - 2.0 * l1 + l2).abs().max((r2 - r1 - l1 + l2).abs());
            // h² of the third derivative is less; the peak of a raised arc is the faintest kink
            assert!(jump > 1e-5 * law.steepest(), "{law:?} at {b}: {jump:e}");
        }
    }
}

#[test]
fn a_kink_that_is_left_out_would_be_seen() {
    // the measure itself: across the corner of a ramp, and across the end of a ramp that is smooth once
    let ramp = Linear { mu: 1.0, width: 0.1, rise: None, rise_height: None };
    assert!(roughness(-0.05, 0.2, |v| ramp.coefficient(Slip::at(v))) > 1e-5);
    assert!(roughness(-0.1, 0.1, |v| ramp.coefficient(Slip::at(v))) < 1e-14);
    let arc = |x: f64| if x < 0.3 { 0.0 } else { (x - 0.3) * (x - 0.3) };
    assert!(roughness(-1.0, 1.0, arc) > 1e-7);
}

//! What every friction law must satisfy, over all members of the family.

use stiction::Faults;
use stiction::law::{
    Dahl, Friction, FrictionLaw, Graph, Law, Linear, Lugre, STICK_SHARE, Slip, StateSlopes, SteadySliding,
};

/// Velocities on both signs over many decades, and both sides of every kink.
fn velocities(law: &FrictionLaw) -> Vec<f64> {
    let mut speeds: Vec<f64> = (-40..=16).map(|k| 10f64.powf(k as f64 / 8.0) * 1.234567).collect();
    for b in law.breakpoints() {
        speeds.extend([0.5, 0.999, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.001, 2.0].map(|x| x * b.abs()));
    }
    speeds.iter().flat_map(|&s| [-s, s]).chain([0.0]).collect()
}

/// Internal states of both signs, each state of its own size.
fn states(law: &FrictionLaw) -> Vec<Vec<f64>> {
    let steady = steady_states(law, 1e3);
    let parts = [-1.0, -0.4, 0.0, 0.4, 1.0];
    // several states are varied against each other
    let part = |i: usize, k: usize| parts[(i * (1 + 2 * k)) % parts.len()];
    (0..parts.len()).map(|i| steady.iter().enumerate().map(|(k, z)| part(i, k) * z.abs()).collect()).collect()
}

fn steady_states(law: &FrictionLaw, v: f64) -> Vec<f64> {
    let mut z = vec![0.0; law.n_states()];
    law.steady_states(v, &mut z);
    z
}

fn state_dot(law: &FrictionLaw, slip: Slip) -> Vec<f64> {
    let mut rates = vec![0.0; law.n_states()];
    law.state_dot(slip, &mut rates);
    rates
}

fn state_slopes(law: &FrictionLaw, slip: Slip) -> StateSlopes {
    let mut slopes = StateSlopes::new(law.n_states());
    law.state_slopes(slip, &mut slopes);
    slopes
}

fn slips<'a>(law: &FrictionLaw, states: &'a [Vec<f64>]) -> Vec<Slip<'a>> {
    let bound = law.bound();
    let demands = [-2.0, -1.0, -0.3, 0.0, 0.7, 1.0, 3.0].map(|d| d * bound);
    let mut all = Vec::new();
    for v in velocities(law) {
        for demand in demands {
            all.extend(states.iter().map(|z| Slip { v, demand, z }));
        }
    }
    all
}

fn each(test: impl Fn(&FrictionLaw, Slip)) {
    for law in FrictionLaw::examples() {
        for slip in slips(&law, &states(&law)) {
            test(&law, slip);
        }
    }
}

#[test]
fn every_law_has_a_name_and_examples_without_faults() {
    for law in FrictionLaw::examples() {
        assert!(FrictionLaw::NAMES.contains(&law.name()));
        let faults = Faults::of(|f| law.check(f));
        assert!(faults.is_empty(), "{law:?}: {faults:?}");
    }
    for name in FrictionLaw::NAMES {
        assert!(FrictionLaw::examples().iter().any(|law| law.name() == *name), "{name} has no example");
    }
}

/// Curves that a user gives may differ in the two directions.
fn is_odd(law: &FrictionLaw) -> bool {
    match law {
        FrictionLaw::Polyline(curve) => curve.velocities[0] >= 0.0,
        FrictionLaw::Expression(law) => !law.phi().contains("+ 0.1*sign"),
        _ => true,
    }
}

#[test]
fn every_law_is_odd() {
    assert!(FrictionLaw::examples().iter().filter(|law| !is_odd(law)).count() < 4);
    each(|law, slip| {
        if !is_odd(law) {
            return;
        }
        let names = law.states().names();
        let mirrored = |z: &[f64]| -> Vec<f64> {
            z.iter().zip(&names).map(|(z, name)| if name.is_even { *z } else { -z }).collect()
        };
        let z = mirrored(slip.z);
        let mirror = Slip { v: -slip.v, demand: -slip.demand, z: &z };
        assert_eq!(law.coefficient(slip), -law.coefficient(mirror), "{law:?} at {slip:?}");
        assert_eq!(law.slope(slip), law.slope(mirror), "{law:?} at {slip:?}");
        assert_eq!(state_dot(law, slip), mirrored(&state_dot(law, mirror)), "{law:?} at {slip:?}");
    });
}

#[test]
fn every_law_without_memory_dissipates_and_is_bounded() {
    each(|law, slip| {
        if law.has_memory() {
            return;
        }
        let phi = law.coefficient(slip);
        assert!(phi.is_finite());
        assert!(phi.abs() <= law.bound() * (1.0 + 4.0 * f64::EPSILON), "{law:?} at {slip:?}: {phi}");
        // friction that answers a demand may push inside its own width
        let may_push =
            law.friction_bounds(slip.v, &[]).is_some() && slip.v.abs() < 2.0 * law.stick_speed().unwrap();
        assert!(may_push || phi * slip.v >= 0.0, "{law:?} at {slip:?}: {phi}");
    });
}

#[test]
fn laws_with_memory_tend_to_their_steady_state_and_stay_bounded() {
    for law in FrictionLaw::examples().into_iter().filter(FrictionLaw::has_memory) {
        for v in velocities(&law).into_iter().filter(|v| *v != 0.0) {
            let z = steady_states(&law, v);
            let steady = Slip { v, demand: 0.0, z: &z };
            // a rate is a difference of two numbers, whose sizes follow from their slopes
            let (n, slopes) = (law.n_states(), state_slopes(&law, steady));
            let size =
                |k: usize| v.abs() + (slopes.dot_v[k] * v).abs() + (slopes.dot_z[k * n + k] * z[k]).abs();
            let rates = state_dot(&law, steady);
            assert!(
                rates.iter().enumerate().all(|(k, rate)| rate.abs() <= 1e-15 * size(k)),
                "{law:?} at {v}: {rates:?}"
            );
            assert!(law.coefficient(steady) * v > 0.0);
            assert!(law.coefficient(steady).abs() <= law.bound() * (1.0 + 1e-14));
            if law.sliders().is_some() {
                // springs at their limits stay there
                continue;
            }
            assert!((0..n).all(|k| slopes.dot_z[k * n + k] < 0.0), "the steady state attracts");
        }
    }
}

#[test]
fn every_internal_state_has_a_name_of_its_own() {
    for law in FrictionLaw::examples() {
        let names: Vec<String> = law.states().names().into_iter().map(|state| state.name).collect();
        assert_eq!(names.len(), law.n_states(), "{law:?}");
        assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)), "{law:?}: {names:?}");
    }
}

#[test]
fn the_slope_of_steady_sliding_is_that_of_its_curve() {
    for law in FrictionLaw::examples().into_iter().filter(FrictionLaw::has_memory) {
        let friction = Friction { law, viscous: 0.2 };
        let mut steady = SteadySliding::new(&friction);
        for v in [-0.3, -0.01, 1e-3, 0.02, 0.1, 1.0] {
            let h = 1e-5 * f64::abs(v);
            let quotient = (steady.coefficient(v + h, 0.0) - steady.coefficient(v - h, 0.0)) / (2.0 * h);
            // rounding 1e-16/h and the third derivative h²
            assert!((steady.slope(v, 0.0) - quotient).abs() < 1e-7, "{:?} {v}: {quotient}", friction.law);
        }
    }
}

/// The steepest slope of a law, or its slope there if the law has no steepest one.
fn steepness(law: &FrictionLaw, slip: Slip) -> f64 {
    if law.steepest().is_finite() { law.steepest() } else { law.slope(slip).abs() }
}

#[test]
fn slopes_are_the_central_differences() {
    // h² f‴ of the steepest example and rounding ε/h meet near h = 1e-5 of the scale
    const TOLERANCE: f64 = 1e-8;
    each(|law, slip| {
        let scale =
            law.breakpoints().iter().map(|b| b.abs()).filter(|b| *b > 0.0).fold(f64::INFINITY, f64::min);
        let scale = scale.min(law.stick_speed().filter(|s| *s > 0.0).unwrap_or(0.05)).min(0.05);
        // a logarithm of the velocity has no scale but that
        let scale = if law.steepest().is_finite() { scale } else { scale.min(slip.v.abs()) };
        let h = 1e-5 * scale;
        let near_kink = law.breakpoints().iter().any(|b| (slip.v - b).abs() <= 300.0 * h);
        let kinked = near_kink
            || law.friction_bounds(slip.v, &[]).is_some() && {
                let xi = (slip.demand / law.bound()).clamp(-1.0, 1.0);
                ((slip.v / scale + xi).abs() - 1.0).abs() < 1e-3
            };
        // springs have a kink where their sliders let go
        let limits = law.lag(slip.v).map_or(1.0, |lag| lag.share);
        let lets_go = law.sliders().is_some_and(|sliders| {
            sliders.iter().zip(slip.z).any(|(slider, z)| z.abs() > 0.999 * limits * slider.reach())
        });
        if kinked || lets_go || law.graph() != Graph::Continuous {
            return;
        }
        let at = |dv: f64| Slip { v: slip.v + dv, ..slip };
        let difference = (law.coefficient(at(h)) - law.coefficient(at(-h))) / (2.0 * h);
        let size = steepness(law, slip).max(law.bound() / scale);
        let off = (law.slope(slip) - difference).abs();
        // x = v ± h is rounded: the step is only known to ε v
        let allowed = size * (TOLERANCE + 4.0 * f64::EPSILON * slip.v.abs() / h);
        assert!(off <= allowed, "{law:?} at {slip:?}: slope {} against {difference}", law.slope(slip));
        let (n, slopes) = (law.n_states(), state_slopes(law, slip));
        for (k, steady) in steady_states(law, 1.0).iter().enumerate() {
            let hz = 1e-6 * steady.abs();
            let moved = |dz: f64| {
                let mut z = slip.z.to_vec();
                z[k] += dz;
                z
            };
            let (above, below) = (moved(hz), moved(-hz));
            let [above, below] = [&above, &below].map(|z| Slip { z, ..slip });
            let quotient = |a: f64, b: f64, h: f64| (a - b) / (2.0 * h);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs()) + 1e-9 * slip.v.abs() / hz;
            let phi_z = quotient(law.coefficient(above), law.coefficient(below), hz);
            assert!(close(slopes.coefficient[k], phi_z), "{law:?} at {slip:?}: {slopes:?} {phi_z}");
            let dot_v = quotient(state_dot(law, at(h))[k], state_dot(law, at(-h))[k], h);
            // what the rate is a difference of, rounded
            let rounding =
                4.0 * f64::EPSILON * slopes.dot_z[k * n + k].abs() * (steady.abs() + slip.z[k].abs()) / h;
            let is_close = close(slopes.dot_v[k], dot_v) || (slopes.dot_v[k] - dot_v).abs() <= rounding;
            assert!(is_close, "{law:?} at {slip:?}: {slopes:?} {dot_v}");
            for j in 0..n {
                let [up, here, down] = [above, slip, below].map(|slip| state_dot(law, slip)[j]);
                let slope = slopes.dot_z[j * n + k];
                let dot_z = quotient(up, down, hz);
                // a law may have a kink where a state passes through zero: there one side counts
                let sided = [(up - here) / hz, (here - down) / hz];
                let is_close =
                    close(slope, dot_z) || slip.z[k] == 0.0 && sided.iter().any(|x| close(slope, *x));
                assert!(is_close, "{law:?} at {slip:?}: {slopes:?} {dot_z}");
            }
        }
    });
}

#[test]
fn no_slope_exceeds_the_steepest() {
    each(|law, slip| {
        assert!(law.slope(slip).abs() <= law.steepest() * (1.0 + 1e-12), "{law:?} at {slip:?}");
    });
}

#[test]
fn continuous_laws_are_continuous_at_their_breakpoints() {
    for law in FrictionLaw::examples() {
        if law.graph() != Graph::Continuous {
            continue;
        }
        for b in law.breakpoints() {
            for slip in slips(&law, &states(&law)) {
                let h = 1e-12 * b.abs().max(1e-3);
                let jump =
                    law.coefficient(Slip { v: b + h, ..slip }) - law.coefficient(Slip { v: b - h, ..slip });
                let steepness = steepness(&law, Slip { v: b, ..slip });
                let allowed = 4.0 * h * steepness + 1e-14 * law.bound();
                assert!(jump.abs() <= allowed, "{law:?} jumps by {jump} at {b}");
            }
        }
    }
}

#[test]
fn corners_reproduce_the_coefficient() {
    for law in FrictionLaw::examples() {
        let Some(corners) = law.corners() else { continue };
        assert!(corners.windows(2).all(|w| w[0][0] <= w[1][0]));
        for v in velocities(&law).into_iter().filter(|v| *v != 0.0 || law.graph() == Graph::Continuous) {
            let right = corners.iter().position(|c| c[0] > v).unwrap_or(corners.len());
            let phi = match right {
                0 => corners[0][1],
                r if r == corners.len() => corners[r - 1][1],
                r => {
                    let [[v0, f0], [v1, f1]] = [corners[r - 1], corners[r]];
                    f0 + (f1 - f0) * ((v - v0) / (v1 - v0))
                }
            };
            let off = (phi - law.coefficient(Slip::at(v))).abs();
            assert!(off <= 1e-14 * law.bound(), "{law:?} at {v}");
        }
    }
}

#[test]
fn a_hold_says_the_same_as_the_coefficient() {
    each(|law, slip| {
        let hold =
            if slip.v == 0.0 { law.friction_bounds(0.0, slip.z) } else { law.friction_bounds(slip.v, &[]) };
        if let Some(hold) = hold {
            let phi = (slip.demand + hold.shift).clamp(hold.low, hold.high);
            // far outside the width the shift is cut off, and so is the demand
            let demand = slip.demand.clamp(-law.bound(), law.bound());
            let cut = (demand + hold.shift).clamp(hold.low, hold.high);
            let off = (law.coefficient(slip) - cut).abs().min((law.coefficient(slip) - phi).abs());
            assert!(off <= 4.0 * f64::EPSILON * law.bound(), "{law:?} at {slip:?}");
        }
    });
}

#[test]
fn every_law_is_coulomb_far_from_zero() {
    for law in FrictionLaw::examples().into_iter().filter(|law| !law.has_memory()) {
        let last =
            law.breakpoints().last().copied().unwrap_or(0.0).max(20.0 * law.stick_speed().unwrap_or(0.0));
        let (near, far) = (Slip::at(1e6 * last.max(1.0)), Slip::at(1e7 * last.max(1.0)));
        let off = (law.coefficient(near) - law.coefficient(far)).abs();
        // the hyperbolic form still falls as 1/v
        assert!(off <= 1e-5 * law.bound(), "{law:?}");
    }
}

#[test]
fn a_law_is_constant_where_it_says_so() {
    each(|law, slip| {
        let flat = law.scales().flat_beyond;
        assert!(
            flat == f64::INFINITY || law.breakpoints().iter().any(|b| (b.abs() / flat - 1.0).abs() < 1e-15)
        );
        if slip.v.abs() >= flat {
            assert_eq!(law.slope(slip), 0.0, "{law:?} at {slip:?}");
            assert_eq!(law.coefficient(slip), law.coefficient(Slip { v: 10.0 * slip.v, ..slip }));
        }
    });
}

#[test]
fn a_rise_of_no_height_is_the_simple_law() {
    let raised = |law: &FrictionLaw, rise: f64, height: f64| {
        let mut law = law.clone();
        match &mut law {
            FrictionLaw::Linear(l) => (l.rise, l.rise_height) = (Some(rise), Some(height)),
            FrictionLaw::Trigonometric(l) => (l.rise, l.rise_height) = (Some(rise), Some(height)),
            FrictionLaw::CircularLinear(l) => {
                (l.rise, l.rise_height) = (Some(rise), Some(height));
                l.radius = l.radius.min(0.4 * rise);
            }
            _ => return None,
        }
        Some(law)
    };
    let mut compared = 0;
    for law in FrictionLaw::examples() {
        let tiny = 1e-9;
        let Some(raised) = raised(&law, tiny, tiny) else { continue };
        let mut simple = law.clone();
        match &mut simple {
            FrictionLaw::Linear(l) => (l.rise, l.rise_height) = (None, None),
            FrictionLaw::Trigonometric(l) => (l.rise, l.rise_height) = (None, None),
            FrictionLaw::CircularLinear(l) => {
                (l.rise, l.rise_height) = (None, None);
                l.radius = 0.4 * tiny;
            }
            _ => continue,
        }
        for v in velocities(&law) {
            let (a, b) = (raised.coefficient(Slip::at(v)), simple.coefficient(Slip::at(v)));
            assert!((a - b).abs() <= 1e-6 * law.bound(), "{law:?} at {v}: {a} {b}");
        }
        compared += 1;
    }
    assert!(compared >= 10, "all examples of the three transition laws");
}

#[test]
fn coefficients_scale_with_mu_and_velocities_with_width() {
    let law = |mu: f64, width: f64| Linear { mu, width, rise: Some(2.0 * width), rise_height: None };
    for v in [-3.0, -0.4, 0.01, 0.3, 0.9, 7.0] {
        let one = law(1.0, 0.25).coefficient(Slip::at(v));
        assert_eq!(law(4.0, 0.25).coefficient(Slip::at(v)), 4.0 * one);
        assert_eq!(law(1.0, 2.0).coefficient(Slip::at(8.0 * v)), one);
    }
}

#[test]
fn dahl_is_lugre_without_damping_and_without_stribeck() {
    let dahl = Dahl { mu: 0.7, stiffness: 30.0 };
    let lugre =
        Lugre { mu: 0.7, mu_static: 0.7, velocity: 0.1, stiffness: 30.0, damping: 0.0, exponent: None };
    for v in [-2.0, -0.01, 0.0, 0.3] {
        for z in [-0.02, 0.0, 0.01] {
            let slip = Slip { v, z: &[z], demand: 0.0 };
            assert_eq!(dahl.coefficient(slip), lugre.coefficient(slip));
            let ([mut a], [mut b]) = ([0.0], [0.0]);
            dahl.state_dot(slip, std::slice::from_mut(&mut a));
            lugre.state_dot(slip, std::slice::from_mut(&mut b));
            assert!((a - b).abs() <= 1e-15);
        }
    }
}

#[test]
fn bad_parameters_are_faults_at_their_keys() {
    let keys = |law: FrictionLaw| -> Vec<String> {
        Faults::of(|f| law.check(f)).into_iter().map(|fault| fault.key).collect()
    };
    let linear = |mu, width| FrictionLaw::Linear(Linear { mu, width, rise: None, rise_height: None });
    assert_eq!(keys(linear(f64::NAN, -1.0)), ["linear.mu", "linear.width"]);
    assert_eq!(keys(linear(-0.1, f64::INFINITY)), ["linear.mu", "linear.width"]);
    let circular = |law| if let FrictionLaw::CircularLinear(law) = law { Some(law) } else { None };
    let mut law = FrictionLaw::examples().into_iter().find_map(circular).unwrap();
    law.radius = law.width;
    let faults = Faults::of(|f| law.check(f));
    assert_eq!(faults.len(), 1);
    assert!(faults[0].error.to_string().contains("below 0.8"), "{}", faults[0].error);
    law.rise_height = Some(1.0);
    law.radius = 0.1;
    assert_eq!(keys(FrictionLaw::CircularLinear(law)), ["circular-linear.rise_height"]);
}

#[test]
fn many_coefficients_are_those_of_single_slips() {
    for law in FrictionLaw::examples() {
        let states = states(&law);
        let slips = slips(&law, &states);
        let friction = Friction { law, viscous: 0.3 };
        let mut many = vec![0.0; slips.len()];
        friction.coefficients(slips.iter().copied(), &mut many);
        for (slip, found) in slips.iter().zip(many) {
            let single = friction.coefficient(*slip);
            assert_eq!(found.to_bits(), single.to_bits(), "{:?} at {slip:?}", friction.law);
        }
    }
}

#[test]
fn every_law_of_the_velocity_sticks_below_the_share_of_its_break_away_force() {
    let mut n = 0;
    for law in FrictionLaw::examples() {
        if law.graph() != Graph::Continuous || law.friction_bounds(0.0, &[]).is_some() {
            continue;
        }
        let Some(speed) = law.stick_speed() else {
            assert!(law.has_memory(), "{law:?}");
            continue;
        };
        // the largest force on the way out of rest, by a search that knows nothing of the law
        let speeds = (1..=100_000).map(|i| 40.0 * speed * f64::from(i) / 100_000.0);
        let peak = speeds.map(|v| law.coefficient(Slip::at(v))).fold(0.0, f64::max);
        let share = |v: f64| law.coefficient(Slip::at(v)) / peak;
        assert!(share(speed) >= STICK_SHARE * (1.0 - 1e-6), "{law:?}: {}", share(speed));
        assert!((1..1000).all(|i| share(speed * f64::from(i) / 1000.0) <= 1.0), "{law:?}");
        assert!(share(0.5 * speed) < STICK_SHARE, "{law:?}");
        n += 1;
    }
    assert!(n >= 10, "{n}");
}

/// Friction against negative sliding is multiplied, all else is that of the law.
#[test]
fn a_law_with_a_direction_is_the_law_on_one_side_and_a_multiple_on_the_other() {
    const REVERSE: f64 = 0.25;
    for law in FrictionLaw::examples() {
        let directed = law.clone().directed(REVERSE);
        assert!(Faults::of(|faults| directed.check(faults)).is_empty(), "{law:?}");
        let answers = law.friction_bounds(0.0, &[]).is_some() && law.graph() != Graph::SetValued;
        if answers || law.sliders().is_some() {
            continue;
        }
        for slip in slips(&law, &states(&law)) {
            let phi = law.coefficient(slip);
            let rests = slip.v == 0.0 && law.graph() == Graph::SetValued;
            let expected = match phi {
                // at rest what is asked for is given, within the limits
                _ if rests => slip
                    .demand
                    .clamp(REVERSE * law.coefficient(Slip { demand: -1e9, ..slip }), 1e9)
                    .min(law.coefficient(Slip { demand: 1e9, ..slip })),
                phi if phi < 0.0 => REVERSE * phi,
                phi => phi,
            };
            assert_eq!(directed.coefficient(slip), expected, "{law:?} at {slip:?}");
            if phi != 0.0 && !rests {
                let factor = if phi < 0.0 { REVERSE } else { 1.0 };
                assert_eq!(directed.slope(slip), factor * law.slope(slip), "{law:?} at {slip:?}");
                let [own, other] = [&directed, &law].map(|law| state_slopes(law, slip));
                for (a, b) in own.coefficient.iter().zip(&other.coefficient) {
                    assert_eq!(*a, factor * b, "{law:?} at {slip:?}");
                }
                assert_eq!((own.dot_v, own.dot_z), (other.dot_v, other.dot_z));
            }
            assert!(directed.coefficient(slip).abs() <= directed.bound().max(phi.abs()), "{law:?}");
        }
        // the points of a graph, as the exact engine reads it
        if let Some(corners) = directed.corners() {
            for pair in corners.windows(2).filter(|pair| pair[1][0] > pair[0][0]) {
                for part in [0.01, 0.3, 0.5, 0.99] {
                    let [v, phi] = [0, 1].map(|k| pair[0][k] + part * (pair[1][k] - pair[0][k]));
                    let found = directed.coefficient(Slip::at(v));
                    assert!((found - phi).abs() <= 1e-12 * directed.bound(), "{law:?} at {v}: {found} {phi}");
                }
            }
        }
    }
    let faults = Faults::of(|faults| FrictionLaw::examples()[0].clone().directed(-0.1).check(faults));
    assert!(!faults.is_empty());
}

/// A law that answers its demand holds from −r μ to μ at rest, is the law with a direction far from it, and
/// is the law itself with r = 1.
#[test]
fn a_law_that_answers_its_demand_has_a_direction_too() {
    let answering = FrictionLaw::examples()
        .into_iter()
        .filter(|law| law.friction_bounds(0.0, &[]).is_some() && law.graph() != Graph::SetValued);
    let mut n = 0;
    for law in answering {
        n += 1;
        let (mu, width) = (law.bound(), law.stick_speed().unwrap());
        for reverse in [0.0, 0.25, 1.0, 3.0] {
            let directed = law.clone().directed(reverse);
            for demand in [-9.0, -2.0 * mu, -0.3 * mu, 0.0, 0.01 * mu, 0.7 * mu, 9.0] {
                let at = |v: f64| directed.coefficient(Slip { v, demand, z: &[] });
                let rest = demand.clamp(-reverse * mu, mu);
                assert!(
                    (at(0.0) - rest).abs() <= 1e-15,
                    "{law:?} r = {reverse}, demand {demand}: {}",
                    at(0.0)
                );
                for v in [-5.0 * width, 5.0 * width] {
                    let own = law.coefficient(Slip { v, demand, z: &[] });
                    let expected = if own < 0.0 { reverse * own } else { own };
                    assert!((at(v) - expected).abs() <= 1e-15, "{law:?} r = {reverse}, v = {v}: {}", at(v));
                }
                for v in velocities(&law) {
                    if let Some(hold) = directed.friction_bounds(v, &[]) {
                        let held = (demand + hold.shift).clamp(hold.low, hold.high);
                        assert!((at(v) - held).abs() <= 1e-15, "{law:?}");
                    }
                    // seen in a mirror: r μ against positive sliding, and 1/r of that against negative
                    let mut image = law.clone();
                    if reverse > 0.0 {
                        ["mu", "mu_static"].into_iter().for_each(|name| {
                            let own = image.number(name);
                            own.into_iter().for_each(|mu| assert!(image.set_number(name, reverse * mu)));
                        });
                        let image = image.directed(1.0 / reverse);
                        let seen = -image.coefficient(Slip { v: -v, demand: -demand, z: &[] });
                        assert!((at(v) - seen).abs() <= 1e-14, "{law:?} r = {reverse} at {v}, {demand}");
                    }
                    if reverse == 1.0 {
                        let own = law.coefficient(Slip { v, demand, z: &[] });
                        assert!((at(v) - own).abs() <= 1e-15, "{law:?} at {v}");
                    }
                }
            }
        }
    }
    assert!(n >= 3, "{n}");
}

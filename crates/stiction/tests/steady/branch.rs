//! Branches through folds: they report where they ended and jumped, and lie where an independent search finds
//! the motions.

use crate::dice::Dice;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{
    Bifurcation, Branch, BranchEnd, Continuation, Orbit, Point, Steady, bifurcation, sweep,
};
use stiction::system::{Motion, System};
use stiction::{Error, Progress};

#[derive(Clone, Debug)]
struct Case {
    mass: f64,
    damping: f64,
    stiffness: f64,
    amplitude: f64,
    phase: f64,
    mu: f64,
    mu_static: f64,
    belt: f64,
}

impl Case {
    fn at(&self, omega: f64) -> System {
        let law = FrictionLaw::Coulomb(Coulomb { mu: self.mu, mu_static: Some(self.mu_static) });
        let mut system = System::oscillator(self.mass, self.damping, self.stiffness)
            .with_friction(law)
            .with_force(self.amplitude, omega);
        system.harmonics[0].phase = self.phase;
        system.contacts[0].belt = self.belt;
        system
    }

    fn branch(&self, from: f64, to: f64, points: usize) -> Branch {
        let max_step = 1.0 / points as f64;
        let settings = Continuation {
            from,
            to,
            max_step,
            step: max_step,
            max_points: 100_000,
            ..Continuation::default()
        };
        settings.run(&|omega| self.at(omega), &mut Progress::none()).unwrap()
    }
}

impl Case {
    /// Residual of a motion after three periods, relative to its size.
    fn miss(&self, omega: f64, orbit: &Orbit) -> f64 {
        let (mut exact, mut motion) = (Exact::new(&self.at(omega)).unwrap(), Motion::zero(1, 1));
        exact.restart(0.0, &orbit.state.position, &orbit.state.velocity).unwrap();
        while exact.t() < 3.0 * orbit.period {
            exact.step(3.0 * orbit.period).unwrap();
        }
        exact.motion(exact.t(), &mut motion);
        (motion.position[0] - orbit.state.position[0]).abs() / orbit.extent
    }
}

fn motions(branch: &Branch) -> impl Iterator<Item = (f64, &Orbit)> {
    branch.points.iter().filter_map(|point| Some((point.parameter, point.orbit.as_ref().ok()?)))
}

/// The highest motion of a branch, its parameter first.
fn peak(branch: &Branch) -> (f64, f64) {
    let highest = motions(branch).max_by(|a, b| a.1.amplitude.total_cmp(&b.1.amplitude)).unwrap();
    (highest.0, highest.1.amplitude)
}

/// A motion that a branch and a search both have: Newton's method leaves roundings of one period.
const SAME: f64 = 1e-8;

/// From rest a motion grows through many powers of ten, which no one asks for.
#[test]
fn a_branch_that_starts_at_rest_takes_few_steps() {
    let family = |amplitude: f64| {
        let law = FrictionLaw::Coulomb(Coulomb { mu: 0.2, mu_static: Some(0.2) });
        System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(amplitude, 0.7)
    };
    let settings = Continuation { from: 0.1, to: 1.0, ..Continuation::default() };
    let branch = settings.run(&family, &mut Progress::none()).unwrap();
    assert!(branch.is_complete() && branch.jumps == 0);
    // 242 when every step was a part of the motion
    assert!(branch.points.len() < 170, "{}", branch.points.len());
    for (amplitude, orbit) in motions(&branch).filter(|(amplitude, _)| *amplitude > 0.25) {
        let found = Steady::default().find(&family(amplitude), &mut Progress::none()).unwrap();
        assert!((found[0].amplitude - orbit.amplitude).abs() < SAME * orbit.amplitude, "{amplitude}");
    }
}

#[test]
fn a_branch_does_not_leap_to_another_part_of_its_curve() {
    let case = Case {
        mass: 0.718,
        damping: 0.0907,
        stiffness: 0.6,
        amplitude: 1.52,
        phase: -0.618,
        mu: 0.609,
        mu_static: 0.609,
        belt: 0.446,
    };
    let branch = case.branch(0.3, 2.5, 200);
    assert!(branch.is_complete() && branch.reached == 2.5 && branch.jumps == 0, "{}", branch.jumps);
    // a sweep of 4000 values has 9.05948 at 0.90295
    let (omega, amplitude) = peak(&branch);
    assert!((omega - 0.9028).abs() < 1e-3 && (amplitude - 9.0595).abs() < 1e-4, "{omega} {amplitude}");
}

#[test]
fn an_undamped_resonance_is_a_reported_gap() {
    // Den Hartog's oscillator: friction below π/4 of the load does not bound the motion at resonance
    let case = Case {
        mass: 1.0,
        damping: 0.0,
        stiffness: 1.0,
        amplitude: 1.0,
        phase: 0.0,
        mu: 0.5,
        mu_static: 0.5,
        belt: 0.0,
    };
    let branch = case.branch(0.5, 1.5, 200);
    assert!(branch.is_complete() && branch.jumps == 1, "{:?} {}", branch.end, branch.jumps);
    let gap = branch.points.iter().position(|point| point.orbit.is_err()).unwrap();
    let (before, after) = (branch.points[gap - 1].parameter, branch.points[gap + 1].parameter);
    assert!(before < 1.0 && 1.0 < after && after - before < 0.02, "{before} {after}");
}

#[test]
fn a_branch_jumps_where_static_friction_lets_go_and_says_so() {
    let case = Case {
        mass: 1.64,
        damping: 0.166,
        stiffness: 6.37,
        amplitude: -3.29,
        phase: 1.33,
        mu: 0.0897,
        mu_static: 0.177,
        belt: 0.0,
    };
    let branch = case.branch(0.3, 2.5, 200);
    assert!(branch.is_complete() && branch.jumps > 0);
    assert_eq!(branch.points.iter().filter(|point| point.orbit.is_err()).count(), branch.jumps);
}

#[test]
fn a_branch_with_too_few_points_says_that_it_is_not_complete() {
    let case = Case {
        mass: 1.0,
        damping: 0.2,
        stiffness: 1.0,
        amplitude: 1.0,
        phase: 0.0,
        mu: 0.3,
        mu_static: 0.3,
        belt: 0.0,
    };
    let settings = Continuation { from: 0.5, to: 1.5, max_points: 10, ..Continuation::default() };
    let branch = settings.run(&|omega| case.at(omega), &mut Progress::none()).unwrap();
    assert_eq!((branch.end, branch.points.len()), (BranchEnd::Full, 10));
    assert!(!branch.is_complete() && branch.reached < 1.5);
    assert_eq!(branch.reached, branch.points[9].parameter);
}

#[test]
fn two_hundred_random_branches_arrive_or_say_why_not_and_lie_where_a_search_finds_them() {
    let mut random = Dice::new(2022);
    let (mut compared, mut coexisting, mut complete, mut incomplete) = (0, 0, 0, Vec::new());
    for i in 0..200 {
        let mut case = Case {
            mass: random.between(0.5, 2.0),
            damping: random.between(0.02, 0.3),
            stiffness: random.between(0.5, 7.0),
            amplitude: random.between(0.5, 3.5),
            phase: random.between(-1.5, 1.5),
            mu: random.between(0.05, 0.8),
            mu_static: 0.0,
            belt: if i % 3 == 0 { random.between(0.05, 0.6) } else { 0.0 },
        };
        case.mu_static = case.mu * if i % 4 == 1 { random.between(1.0, 1.5) } else { 1.0 };
        let branch = case.branch(0.3, 2.5, 50);
        if branch.is_complete() {
            complete += 1;
        } else {
            incomplete.push((i, branch.end, branch.reached));
        }
        let all: Vec<(f64, &Orbit)> = motions(&branch).collect();
        // neighbours belong together: nothing is leapt over without a gap
        for pair in branch.points.windows(2) {
            let (Ok(a), Ok(b)) = (&pair[0].orbit, &pair[1].orbit) else { continue };
            let size = a.extent.max(b.extent).max(1e-3);
            assert!(
                (a.amplitude - b.amplitude).abs() <= 0.1 * size,
                "{i} at {}: {case:?}",
                pair[0].parameter
            );
        }
        // a stable motion comes back to itself three periods later; at the edge of a gap roundings decide
        // whether it does
        let gaps: Vec<f64> = branch.points.iter().filter(|p| p.orbit.is_err()).map(|p| p.parameter).collect();
        let is_inside = |omega: f64| gaps.iter().all(|gap| (gap - omega).abs() > 1e-4);
        let inside = all.iter().filter(|(omega, orbit)| orbit.is_stable() && is_inside(*omega));
        for &(omega, orbit) in inside.step_by(all.len() / 8 + 1) {
            let off = case.miss(omega, orbit);
            assert!(off < SAME, "{i} at {omega}: off by {off}: {case:?}");
            compared += 1;
        }
        if i % 4 != 1 && i % 8 != 0 {
            continue;
        }
        // up to its first fold or gap the branch is what a sweep finds
        let is_end = |pair: &[Point]| pair[1].orbit.is_err() || pair[1].parameter <= pair[0].parameter;
        let first_end = branch.points.windows(2).position(is_end).unwrap_or(branch.points.len() - 1);
        let values: Vec<f64> = branch.points[..first_end].iter().map(|point| point.parameter).collect();
        let swept =
            sweep(&Steady::default(), &|omega| case.at(omega), &values, &mut Progress::none()).unwrap();
        let both = branch.points.iter().zip(&swept);
        for (point, swept) in both.filter(|(point, _)| is_inside(point.parameter)) {
            let (branch, swept) = (point.orbit.as_ref().unwrap(), swept.orbit.as_ref().unwrap());
            let off = (swept.amplitude - branch.amplitude).abs() / branch.extent.max(1e-3);
            compared += 1;
            if off >= SAME {
                // two motions at one frequency, and both are
                let off = case.miss(point.parameter, swept);
                assert!(off < SAME, "{i} at {}: sweep off by {off}: {case:?}", point.parameter);
                coexisting += 1;
            }
        }
    }
    println!(
        "{compared} motions compared, {coexisting} beside another, {complete} branches complete, others: {incomplete:?}"
    );
    assert!(coexisting < compared / 100, "{coexisting} of {compared}");
    assert!(compared > 1000 && complete >= 190, "{compared} {complete} {incomplete:?}");
}

/// Static friction above kinetic friction on a belt: at these loads the motion repeats itself after two or
/// three periods only, as a long transient shows, and the search says so.
#[test]
fn a_motion_of_a_higher_order_is_named() {
    let cases = [
        (
            2,
            [
                1.424414016200815,
                0.1194566583286733,
                2.908817458329845,
                3.122668433457821,
                -0.2952966383347113,
            ],
            [0.3975784704185554, 0.5559521096268653, 0.24705815724874158],
        ),
        (
            3,
            [
                0.5979165550901739,
                0.02393763628184339,
                3.7419481790665223,
                2.5347055486126493,
                -0.8974201188428494,
            ],
            [0.4866063606808206, 0.6078416511381254, 0.21741618220331238],
        ),
        (
            2,
            [
                1.528324265653986,
                0.058611324380368174,
                2.585666501848077,
                0.927767227036732,
                -0.28371224473142354,
            ],
            [0.3930120304478466, 0.4939195885873454, 0.1052081577488084],
        ),
    ];
    for (order, [mass, damping, stiffness, amplitude, phase], [mu, mu_static, belt]) in cases {
        let case = Case { mass, damping, stiffness, amplitude, phase, mu, mu_static, belt };
        let system = case.at(0.3);
        let found = Steady::default().find(&system, &mut Progress::none());
        assert_eq!(found, Err(Error::OnlySubharmonic { order }), "{case:?}");
        let steady = Steady { subharmonic: order, ..Steady::default() };
        let orbits = steady.find(&system, &mut Progress::none()).unwrap();
        assert!(orbits.iter().any(|orbit| orbit.subharmonic == order && orbit.is_stable()), "{case:?}");
        let transient = bifurcation_states(&system);
        let after = |k: usize| (transient[k] - transient[0]).abs();
        assert!(after(order as usize) < 1e-9 && (1..order as usize).all(|k| after(k) > 1e-3), "{case:?}");
    }
}

/// Positions once per period, after a thousand periods.
fn bifurcation_states(system: &System) -> Vec<f64> {
    let settings = Bifurcation { transient: 1000, samples: 4, ..Bifurcation::default() };
    let sections = bifurcation(&settings, &|_| system.clone(), &[0.0], &mut Progress::none()).unwrap();
    let states = sections[0].states.as_ref().unwrap();
    states.iter().map(|state| state.position[0]).collect()
}

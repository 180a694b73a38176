//! The four behaviours that LuGre's law was published for (Canudas de Wit and others 1995), with the numbers
//! of the paper: σ₀ = 10⁵ N/m, σ₁ = √10⁵ N s/m, σ₂ = 0.4 N s/m, Coulomb and static friction 1 and 1.5 N,
//! Stribeck velocity 1 mm/s. Judged by closed forms, and by steps of fourth order that are written here and
//! share nothing with the integrators.

use stiction::Progress;
use stiction::law::{Friction, FrictionLaw, Lugre};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{SignalLoad, System, TimeTable, VaryingContact, Wave};

const SIGMA_0: f64 = 1e5;
const SIGMA_1: f64 = 316.227_766_016_837_94;
const SIGMA_2: f64 = 0.4;
const COULOMB: f64 = 1.0;
const STATIC: f64 = 1.5;
const STRIBECK: f64 = 1e-3;

/// The contact, under a load of 10 N.
fn system(mass: f64, damping: f64, stiffness: f64) -> System {
    let law = FrictionLaw::Lugre(Lugre {
        mu: 0.1,
        mu_static: 0.15,
        velocity: STRIBECK,
        stiffness: 1e4,
        damping: 0.1 * SIGMA_1,
        exponent: None,
    });
    let mut system = System::oscillator(mass, damping, stiffness).with_friction(law.clone());
    system.contacts[0].friction = Friction { law, viscous: 0.1 * SIGMA_2 };
    system.contacts[0].load = 10.0;
    system
}

fn run(system: &System, t_end: f64, samples: usize) -> Record {
    let tight = Adaptive { rtol: 1e-11, atol: 1e-15, ..Adaptive::default() };
    drive(system, &Integrator::Adaptive(tight), &Plan::new(t_end, samples), &mut Progress::none()).unwrap()
}

/// ż and friction, as the paper has them (N).
fn friction(v: f64, z: f64) -> [f64; 2] {
    let g = COULOMB + (STATIC - COULOMB) * (-(v / STRIBECK) * (v / STRIBECK)).exp();
    let dz = v - SIGMA_0 * v.abs() / g * z;
    [dz, SIGMA_0 * z + SIGMA_1 * dz + SIGMA_2 * v]
}

/// Rows (x, v, z) at equal times, by `steps` Runge–Kutta steps of fourth order between two rows.
fn stepped(
    [mass, damping, stiffness]: [f64; 3],
    force: impl Fn(f64) -> f64,
    belt: impl Fn(f64) -> f64,
    start: [f64; 3],
    [t_end, rows, steps]: [f64; 3],
) -> Vec<[f64; 3]> {
    let f = |t: f64, [x, v, z]: [f64; 3]| {
        let [dz, h] = friction(v - belt(t), z);
        [v, (force(t) - damping * v - stiffness * x - h) / mass, dz]
    };
    let h = t_end / (rows * steps);
    let add = |y: [f64; 3], c: f64, k: [f64; 3]| [0, 1, 2].map(|i| y[i] + c * k[i]);
    let (mut y, mut all) = (start, vec![start]);
    for row in 0..rows as usize {
        for step in 0..steps as usize {
            let t = (row as f64 * steps + step as f64) * h;
            let k1 = f(t, y);
            let k2 = f(t + 0.5 * h, add(y, 0.5 * h, k1));
            let k3 = f(t + 0.5 * h, add(y, 0.5 * h, k2));
            let k4 = f(t + h, add(y, h, k3));
            y = [0, 1, 2].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        all.push(y);
    }
    all
}

/// A force of 1.425 N goes slowly to and fro, below break-away. As the speed vanishes dF/dx = σ₀ (1 − F/Fs)
/// on the way up and σ₀ (1 + F/Fs) on the way down, so that with a = F₀/Fs a branch is (Fs/σ₀) ln((1 + a)/(1
/// − a)) long and the loop encloses 2 (Fs²/σ₀) (ln((1 + a)/(1 − a)) − 2a).
#[test]
fn the_presliding_loop_is_its_closed_form() {
    let (force, omega) = (1.425, 1e-3);
    let system = system(1.0, 0.0, 0.0).with_force(force, omega);
    let period = std::f64::consts::TAU / omega;
    // from the crest of the force in the second period to the next one
    let record = run(&system, 3.0 * period, 3 * 4000 + 1);
    let (x, h) = (&record.samples.position[0], &record.samples.friction[0]);
    let crest = |k: usize| 4000 * k + 1000;
    let (top, bottom, again) = (crest(1), crest(1) + 2000, crest(2));
    let a = force / STATIC;
    let logarithm = ((1.0 + a) / (1.0 - a)).ln();
    // the speed is 1e-3 of the damping's: σ₁ ż is below 1e-4 of the force
    let near = |found: f64, expected: f64, part: f64| (found / expected - 1.0).abs() < part;
    let branch = x[top] - x[bottom];
    assert!(near(branch, STATIC / SIGMA_0 * logarithm, 3e-4), "{branch}");
    let area: f64 = (top..again).map(|i| 0.5 * (h[i] + h[i + 1]) * (x[i + 1] - x[i])).sum();
    assert!(near(area, 2.0 * STATIC * STATIC / SIGMA_0 * (logarithm - 2.0 * a), 1e-3), "{area}");
    // the loop closes: bristles that creep under a load that pulsates evenly stay where they are
    assert!((x[again] - x[top]).abs() < 1e-3 * branch, "{} {}", x[again], x[top]);
    // stiffness after the reversal, where the force passes zero, and before the next one
    for (share, expected) in [(0.9, 1.9), (0.0, 1.0), (-0.9, 0.1)] {
        let i = (top..bottom).find(|i| h[*i] < share * STATIC).unwrap();
        let slope = (h[i + 20] - h[i - 20]) / (x[i + 20] - x[i - 20]);
        assert!(near(slope, expected * SIGMA_0, 0.03), "at {share} of Fs: {slope:e}");
    }
}

/// Friction over velocity under v = 1.5 + sin ωt mm/s: larger while the speed grows than while it falls, the
/// more so the faster it changes.
#[test]
fn friction_lags_behind_the_velocity() {
    const ROWS: usize = 400;
    let widths = [1.0, 10.0, 25.0].map(|omega: f64| {
        let (m, c, k) = (1.0, 2000.0, 1e6);
        let mut system = system(m, c, k);
        let wave = Wave::new(-1e-3, omega, 0.0);
        let rest = vec![0.0];
        system.contacts[0].belt = -1.5e-3;
        system.elements.contacts = vec![VaryingContact {
            contact: 0,
            load: Default::default(),
            by_position: rest.clone(),
            by_velocity: rest,
            belt: stiction::system::Signal { waves: vec![wave], ..Default::default() },
        }];
        let t_end = 3.0 * std::f64::consts::TAU / omega;
        let record = run(&system, t_end, 3 * ROWS + 1);
        let belt = |t: f64| -1.5e-3 - 1e-3 * (omega * t).sin();
        // steps of 10 µs: the fastest rate is 2000 1/s
        let steps = (t_end / (3.0 * ROWS as f64) / 1e-5).ceil();
        let rows = stepped([m, c, k], |_| 0.0, belt, [0.0; 3], [t_end, 3.0 * ROWS as f64, steps]);
        let mut farthest: f64 = 0.0;
        for (i, [_, v, z]) in rows.iter().enumerate() {
            let t = t_end * i as f64 / (3 * ROWS) as f64;
            farthest = farthest.max((friction(v - belt(t), *z)[1] - record.samples.friction[0][i]).abs());
        }
        assert!(farthest < 1e-7, "ω = {omega}: {farthest:e}");
        // the last period: friction at the mean velocity, on the way up and on the way down
        let h = |i: usize| record.samples.friction[0][2 * ROWS + i];
        let mean_of_both = |i: usize| (h(i), h(ROWS / 2 - i));
        for i in [20, 50, 80] {
            let (falling, rising) = (h(ROWS / 2 + i), h(ROWS - i));
            assert!(rising > falling, "ω = {omega}, below the mean: {rising} {falling}");
            let (rising, falling) = mean_of_both(i);
            assert!(rising > falling, "ω = {omega}, above the mean: {rising} {falling}");
        }
        h(ROWS) - h(ROWS / 2)
    });
    assert!(widths[0] > 0.0 && widths[1] > 3.0 * widths[0] && widths[2] > 1.2 * widths[1], "{widths:?}");
}

/// A force that rises at a constant rate: the largest friction, where the mass breaks away, falls with the
/// rate from Fs towards the kinetic value.
#[test]
fn break_away_falls_with_the_rate_of_the_force() {
    let mut last = STATIC;
    for rate in [0.1, 1.0, 5.0, 20.0, 50.0] {
        let mut system = system(1.0, 0.0, 0.0);
        // a tenth of a newton beyond Fs
        let t_end = 1.6 / rate;
        let ramp = TimeTable { times: vec![0.0, t_end], values: vec![0.0, 1.6], period: None };
        system.elements.loads = vec![SignalLoad { direction: vec![1.0], signal: ramp.into() }];
        let peak = run(&system, t_end, 2).ranges[3].max;
        let steps = (t_end / 2e-6).ceil().min(2e6);
        let rows = stepped([1.0, 0.0, 0.0], |t| rate * t, |_| 0.0, [0.0; 3], [t_end, steps, 1.0]);
        let expected = rows.iter().map(|[_, v, z]| friction(*v, *z)[1]).fold(0.0, f64::max);
        // a peak that is looked at in steps is low by its curvature
        assert!((peak - expected).abs() < 1e-6, "{rate} N/s: {peak} {expected}");
        assert!(peak < last && peak > COULOMB, "{rate} N/s: {peak} {last}");
        last = peak;
    }
    // some 1.4 N at 0.1 N/s and near the kinetic value at 50 N/s, as in the figure of the paper
    assert!(last < 1.25, "{last}");
}

/// A mass of 1 kg, pulled at 0.1 m/s by a spring of 2 N/m: positions and the period of its jumps.
#[test]
fn stick_slip_has_the_period_of_independent_steps() {
    const ROWS: usize = 4000;
    let t_end = 40.0;
    let mut system = system(1.0, 0.0, 2.0);
    // seen from the pulling end, the ground runs back
    system.contacts[0].belt = -0.1;
    system.velocity[0] = -0.1;
    let record = run(&system, t_end, ROWS + 1);
    let rows = stepped([1.0, 0.0, 2.0], |_| 0.0, |_| -0.1, [0.0, -0.1, 0.0], [t_end, ROWS as f64, 500.0]);
    let own: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    let x = &record.samples.position[0];
    let farthest = x.iter().zip(&own).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // the spring is bent by some 0.75 m when the mass lets go
    assert!(farthest < 1e-6, "{farthest:e}");
    let period = |x: &[f64]| {
        let level = -0.5;
        let dt = t_end / ROWS as f64;
        let at = |i: usize| dt * (i as f64 + (level - x[i]) / (x[i + 1] - x[i]));
        let jumps: Vec<f64> = (0..ROWS).filter(|i| x[*i] < level && x[i + 1] >= level).map(at).collect();
        (jumps.len(), jumps[jumps.len() - 1] - jumps[jumps.len() - 2])
    };
    let ((n, found), (_, expected)) = (period(x), period(&own));
    assert!(n >= 3 && (found - expected).abs() < 1e-5 && found > 5.0, "{n} jumps: {found} {expected}");
}

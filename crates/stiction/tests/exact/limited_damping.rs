//! Elastic stops whose damping is limited by the force of their spring: f = k x + max(−k x, min(k x, c ẋ)), the
//! `ElastoGap` of the Modelica Standard Library.

use crate::dice::Dice;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{Engine, Steady};
use stiction::system::{ElasticStop, System};
use stiction::{Progress, event::EventKind};

fn limited(direction: f64, position: f64, stiffness: f64, damping: f64) -> ElasticStop {
    let direction = vec![direction];
    ElasticStop { direction, position, stiffness, damping, is_limited: true, ..ElasticStop::default() }
}

fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() })
}

fn run(system: &System, integrator: &Integrator, t_end: f64) -> Record {
    drive(system, integrator, &Plan::new(t_end, 201), &mut Progress::none()).unwrap()
}

/// Force of the stop at a compression and a speed.
fn force(k: f64, c: f64, x: f64, v: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { k * x + (c * v).clamp(-k * x, k * x) }
}

/// A ball on the stop, from its first touch at the speed v, without gravity: until c ẋ = k x it is an oscillator
/// of the stiffness 2k, then a damped one, and from c ẋ = −k x on it flies freely.
#[test]
fn a_ball_passes_the_pieces_at_the_times_of_their_closed_forms() {
    let (m, k, c, v) = (1.0f64, 50.0f64, 2.0f64, 3.0f64);
    // ẋ = v cos Ωt, x = v/Ω sin Ωt with Ω² = 2k/m: c Ω = k tan Ωt
    let fast = (2.0 * k / m).sqrt();
    let first = (c * fast / k).atan() / fast;
    let (x1, v1) = (v / fast * (fast * first).sin(), v * (fast * first).cos());
    let (delta, own) = (0.5 * c / m, k / m);
    let nu = (own - delta * delta).sqrt();
    let middle = |t: f64| {
        let b = (v1 + delta * x1) / nu;
        let (e, s, cos) = ((-delta * t).exp(), (nu * t).sin(), (nu * t).cos());
        let x = e * (x1 * cos + b * s);
        (x, e * (nu * (b * cos - x1 * s)) - delta * x)
    };
    // the end of the middle piece by bisection of k x + c ẋ
    let pull = |t: f64| k * middle(t).0 + c * middle(t).1;
    let (mut low, mut high) = (0.0, std::f64::consts::PI / nu);
    assert!(pull(low) > 0.0 && pull(high) < 0.0);
    for _ in 0..100 {
        let half = 0.5 * (low + high);
        if pull(half) > 0.0 { low = half } else { high = half }
    }
    let (x2, v2) = middle(low);
    let mut ball = System::oscillator(m, 0.0, 0.0);
    ball.velocity[0] = v;
    ball.position[0] = -0.3;
    ball.elements.elastic.push(limited(1.0, 0.0, k, c));
    let end = 0.1 + first + low - x2 / v2 + 0.2;
    for (integrator, tolerance) in [(Integrator::Exact, 1e-13), (tight(), 1e-9)] {
        let record = run(&ball, &integrator, end);
        assert!((record.end.velocity[0] - v2).abs() < tolerance, "{:?} {v2}", record.end);
        assert!((record.end.position[0] - 0.2 * v2).abs() < tolerance, "{:?}", record.end);
        let kinds: Vec<_> = record.events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [EventKind::Impact, EventKind::Release]);
        assert!((record.events[1].t - (end - 0.2)).abs() < tolerance, "{:?}", record.events);
        // what the damper takes is what the ball has lost
        let lost = 0.5 * m * (v * v - v2 * v2);
        assert!((record.balance.impact_loss - lost).abs() < 10.0 * tolerance, "{:?}", record.balance);
    }
}

fn oscillator(dice: &mut Dice) -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu: dice.between(0.02, 0.2), mu_static: None });
    let mut system = System::oscillator(1.0, 0.05, dice.between(0.5, 2.0))
        .with_friction(law)
        .with_force(dice.between(0.8, 2.0), dice.between(0.4, 1.6));
    for direction in [1.0, -1.0] {
        let (k, c) = (dice.between(2.0, 60.0), dice.between(0.1, 6.0));
        system.elements.elastic.push(limited(direction, dice.between(0.1, 0.4), k, c));
    }
    system
}

#[test]
fn the_force_never_pulls_nor_exceeds_twice_that_of_the_spring() {
    let mut dice = Dice::new(285);
    let mut n_limited = 0;
    for case in 0..40 {
        let system = oscillator(&mut dice);
        let (exact, adaptive) = (run(&system, &Integrator::Exact, 20.0), run(&system, &tight(), 20.0));
        let (k, load) = (system.stiffness.data[0], &system.harmonics[0]);
        let s = &exact.samples;
        for (i, t) in s.t.iter().enumerate() {
            let off = s.position[0][i] - adaptive.samples.position[0][i];
            assert!(off.abs() < 1e-7, "{case} at {t}: {off:e}");
            let [q, v] = [s.position[0][i], s.velocity[0][i]];
            let missing = load.amplitude[0] * (load.omega * t).sin()
                - s.acceleration[0][i]
                - 0.05 * v
                - k * q
                - s.friction[0][i];
            let known: f64 = (system.elements.elastic.iter())
                .map(|stop| {
                    let w = stop.direction[0];
                    let (x, speed) = (w * q - stop.position, w * v);
                    n_limited += usize::from(x > 0.0 && stop.damping * speed > stop.stiffness * x);
                    w * force(stop.stiffness, stop.damping, x, speed)
                })
                .sum();
            let is_event = exact.events.iter().any(|event| (event.t - t).abs() < 1e-9);
            assert!(is_event || (missing - known).abs() < 1e-9, "{case} at {t}: {missing} {known}");
        }
        assert!(exact.energy_share() < 1e-12, "{case}: {:e}", exact.energy_share());
        assert!(adaptive.energy_share() < 1e-8, "{case}: {:e}", adaptive.energy_share());
    }
    assert!(n_limited > 40, "{n_limited}");
}

#[test]
fn periodic_motions_are_those_of_adaptive_and_multipliers_those_of_differences() {
    let mut dice = Dice::new(286);
    let mut n_found = 0;
    for case in 0..12 {
        let system = oscillator(&mut dice);
        let adaptive = Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() };
        let find = |engine: Engine| {
            Steady { engine: Some(engine), ..Steady::default() }.find(&system, &mut Progress::none()).ok()
        };
        let (Some(a), Some(b)) = (find(Engine::Exact), find(Engine::Adaptive(adaptive))) else { continue };
        n_found += 1;
        let motion_from = |by: [f64; 2]| {
            let mut moved = system.clone();
            moved.position[0] = a[0].state.position[0] + by[0];
            moved.velocity[0] = a[0].state.velocity[0] + by[1];
            let record = run(&moved, &Integrator::Exact, a[0].period);
            [record.end.position[0], record.end.velocity[0]]
        };
        let h = 1e-6;
        let columns = [[h, 0.0], [0.0, h]].map(|by| {
            let (up, down) = (motion_from(by), motion_from(by.map(|x| -x)));
            [0, 1].map(|i| (up[i] - down[i]) / (2.0 * h))
        });
        let (trace, known) = (columns[0][0] + columns[1][1], &a[0].multipliers);
        // of differences of 1e-6, which corners bend
        assert!((trace - known[0].re - known[1].re).abs() < 1e-5, "{case}: {trace} {known:?}");
        let near = b.iter().any(|orbit| (orbit.amplitude - a[0].amplitude).abs() < 1e-7);
        assert!(near, "{case}: {} {}", a[0].amplitude, b[0].amplitude);
    }
    assert!(n_found > 6, "{n_found}");
}

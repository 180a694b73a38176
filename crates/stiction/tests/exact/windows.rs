//! Harmonics that begin and end.

use crate::dice::Dice;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::Steady;
use stiction::system::{Signal, SignalLoad, System, VaryingContact, Wave, Window};
use stiction::{Error, Faults, Progress};

fn windowed(amplitude: f64, omega: f64, phase: f64, window: [f64; 2], period: Option<f64>) -> Signal {
    let [start, end] = window;
    let wave = Wave { window: Some(Window { start, end, period }), ..Wave::new(amplitude, omega, phase) };
    Signal { waves: vec![wave], ..Signal::default() }
}

fn loaded(mut system: System, signal: Signal) -> System {
    system.elements.loads.push(SignalLoad { direction: vec![1.0], signal });
    system
}

fn run(system: &System, integrator: &Integrator, t_end: f64) -> Record {
    drive(system, integrator, &Plan::new(t_end, 101), &mut Progress::none()).unwrap()
}

fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() })
}

/// ∫ f(τ) e^(−δ(t−τ)) sin ν(t−τ)/(m ν) dτ over the window, by Simpson's rule of 4000 intervals: off by 1e-12 of
/// the load for ω + ν below 8 rad/s and 4 s.
fn duhamel([m, c, k]: [f64; 3], wave: &Wave, t: f64) -> f64 {
    let window = wave.window.unwrap();
    let (delta, last) = (0.5 * c / m, window.end.min(t));
    let nu = (k / m - delta * delta).sqrt();
    if last <= window.start {
        return 0.0;
    }
    let integrand = |tau: f64| {
        let load = wave.amplitude * (wave.omega * (tau - window.start) + wave.phase).sin();
        load * (-delta * (t - tau)).exp() * (nu * (t - tau)).sin() / (m * nu)
    };
    let (n, h) = (4000, (last - window.start) / 4000.0);
    let weight = |i: i32| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
    (0..=n).map(|i| weight(i) * integrand(window.start + h * f64::from(i))).sum::<f64>() * h / 3.0
}

#[test]
fn a_burst_moves_a_mass_as_the_integral_of_duhamel_says() {
    let mut dice = Dice::new(28);
    for _ in 0..40 {
        let mck = [dice.between(0.5, 2.0), dice.between(0.0, 0.5), dice.between(0.5, 9.0)];
        let start = dice.between(0.0, 2.0);
        let span = [start, start + dice.between(0.3, 4.0)];
        let load = windowed(1.0, dice.between(0.5, 5.0), dice.between(-2.0, 2.0), span, None);
        let wave = load.waves[0];
        let record = run(&loaded(System::oscillator(mck[0], mck[1], mck[2]), load), &Integrator::Exact, 8.0);
        for (t, q) in record.samples.t.iter().zip(&record.samples.position[0]) {
            let known = duhamel(mck, &wave, *t);
            assert!((q - known).abs() < 1e-11, "{mck:?} {wave:?} at {t}: {q} {known}");
        }
        assert!(record.energy_share() < 1e-12, "{:e}", record.energy_share());
    }
}

/// Bursts of the load, the normal load and the belt at once, beside Coulomb friction.
fn with_friction(dice: &mut Dice) -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.4, mu_static: Some(0.5) });
    let mut system = System::oscillator(1.0, 0.1, 2.0).with_friction(law);
    let mut burst = |amplitude: f64| {
        let start = dice.between(0.0, 3.0);
        let span = [start, start + dice.between(1.0, 5.0)];
        windowed(amplitude, dice.between(0.7, 3.0), dice.between(-1.0, 1.0), span, None)
    };
    let (load, normal, belt) = (burst(2.0), burst(0.4), burst(0.3));
    system.elements.contacts.push(VaryingContact {
        contact: 0,
        load: normal,
        by_position: vec![0.0],
        by_velocity: vec![0.0],
        belt,
    });
    loaded(system, load)
}

#[test]
fn bursts_of_loads_and_belts_beside_friction_are_those_of_the_adaptive_integrator() {
    let mut dice = Dice::new(29);
    let mut n_events = 0;
    for case in 0..20 {
        let system = with_friction(&mut dice);
        let (exact, adaptive) = (run(&system, &Integrator::Exact, 10.0), run(&system, &tight(), 10.0));
        n_events += exact.events.len();
        for (a, b) in exact.samples.position[0].iter().zip(&adaptive.samples.position[0]) {
            assert!((a - b).abs() < 1e-8, "{case}: {a} {b}");
        }
        for record in [&exact, &adaptive] {
            assert!(record.energy_share() < 1e-9, "{case}: {:e}", record.energy_share());
        }
    }
    assert!(n_events > 40, "{n_events}");
}

#[test]
fn bursts_that_come_again_have_a_periodic_motion_and_others_have_none() {
    let law = || FrictionLaw::Coulomb(Coulomb { mu: 0.2, mu_static: None });
    let system = |period| {
        loaded(
            System::oscillator(1.0, 0.2, 3.0).with_friction(law()),
            windowed(2.0, 2.5, 0.3, [0.4, 3.0], period),
        )
    };
    let orbits = Steady::default().find(&system(Some(5.5)), &mut Progress::none()).unwrap();
    assert!((orbits[0].period - 5.5).abs() < 1e-12);
    // the motion from rest tends to it
    let record = run(&system(Some(5.5)), &Integrator::Exact, 40.0 * 5.5);
    let state = &orbits[0].state;
    assert!((record.end.position[0] - state.position[0]).abs() < 1e-9, "{:?} {state:?}", record.end);
    let refused = Steady::default().find(&system(None), &mut Progress::none()).unwrap_err();
    assert_eq!(refused, Error::HeldTable);
}

#[test]
fn a_window_repeats_itself_and_its_breaks_never_stand_still() {
    let mut dice = Dice::new(30);
    for _ in 0..50 {
        let period = dice.between(1.0, 3.0);
        let start = dice.between(-4.0, 4.0);
        let end = start + dice.between(0.1, 0.9) * period;
        let signal = windowed(1.0, 7.0, 0.2, [start, end], Some(period));
        let mut t = 0.0;
        for k in 0..2000 {
            let next = signal.next_break(t);
            assert!(next > t);
            let middle = 0.5 * (t + next);
            let phase = (middle - start).rem_euclid(period);
            let known = if phase < end - start { (7.0 * phase + 0.2).sin() } else { 0.0 };
            assert!((signal.at(middle) - known).abs() < 1e-9, "{k}: {middle} {signal:?}");
            t = next;
        }
        // two breaks a period
        assert!((t - 1000.0 * period).abs() < 2.0 * period);
        let mut later = signal.clone();
        later.begin_at(1.7);
        for i in 0..40 {
            let t = 0.31 * f64::from(i) + 0.003;
            assert!((later.at(t) - signal.at(t + 1.7)).abs() < 1e-11);
        }
    }
    for window in [[2.0, 1.0], [1.0, 1.0], [f64::NAN, 2.0]] {
        let signal = windowed(1.0, 7.0, 0.2, window, None);
        assert!(!Faults::of(|faults| signal.check(faults)).is_empty());
    }
    let crowded = windowed(1.0, 7.0, 0.2, [0.0, 2.0], Some(1.0));
    assert!(!Faults::of(|faults| crowded.check(faults)).is_empty());
}

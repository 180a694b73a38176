//! Every long computation reports the fraction done, and stops when asked to.

use stiction::Error;
use stiction::Progress;
use stiction_study::Study;
use stiction_study::compare::{Criterion, Truth, require_set_valued_transient};

const STICK_SLIP: &str = include_str!("../../../examples/stick_slip.toml");
const DISC: &str = include_str!("../../../examples/spinning_disc.toml");
const DEN_HARTOG: &str = include_str!("../../../examples/den_hartog.toml");
const BELT: &str = include_str!("../../../examples/mass_on_belt.toml");
const RESPONSE: &str = include_str!("../../../examples/frequency_response.toml");

/// The run reports rising fractions at least `least` times, and ends at the call that says so.
fn reports(name: &str, least: usize, run: &dyn Fn(&mut Progress) -> Result<(), Error>) {
    let mut reported = Vec::new();
    run(&mut Progress::new(&mut |fraction| {
        reported.push(fraction);
        true
    }))
    .unwrap();
    assert!(reported.len() >= least, "{name}: {} calls", reported.len());
    assert!(reported.iter().all(|fraction| (0.0..=1.0).contains(fraction)), "{name}: {reported:?}");
    assert!(reported.is_sorted(), "{name}: {reported:?}");
    for last in [1, 2, reported.len() / 2, reported.len()] {
        let mut calls = 0;
        let found = run(&mut Progress::new(&mut |_| {
            calls += 1;
            calls < last
        }));
        assert!(matches!(found, Err(Error::Interrupted { .. })), "{name}, call {last}: {found:?}");
        assert_eq!(calls, last, "{name} goes on");
    }
}

fn study_reports(name: &str, text: &str, sets: &[&str], least: usize) {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    let study = Study::read(name, text, &sets).unwrap();
    reports(name, least, &|progress| study.run(progress).map(|_| ()));
}

const LONG: [&str; 2] = ["periods=500", "window=[498,500]"];
const TANH: &str = "system.oscillator.friction={ tanh = { mu = 1.0, width = 0.1 } }";

#[test]
fn a_transient_does_with_every_integrator() {
    // four phases a period
    study_reports("exact", STICK_SLIP, &LONG, 500 * 4 / 64);
    for (integrator, least) in [
        ("integrator={ incremental = { steps_per_period = 1000 } }", 500_000 / 4096),
        ("integrator={ rk4 = { steps_per_period = 1000 } }", 500_000 / 4096),
        // more than ten steps a period
        ("integrator={ adaptive = {} }", 500 * 10 / 64),
    ] {
        study_reports(integrator, STICK_SLIP, &[LONG[0], LONG[1], TANH, integrator], least);
    }
    // all samples in one phase of rest
    let still =
        ["amplitude=0.5", "omega=1e-6", "analysis={ transient = { duration = 1.0, samples = 100000 } }"];
    study_reports("samples", STICK_SLIP, &still, 50);
}

#[test]
fn a_chain_of_many_blocks_does_at_every_step() {
    let blocks = include_str!("../../../examples/blocks_on_belt.toml");
    study_reports("chain", blocks, &[], 80);
}

#[test]
fn a_body_does_at_every_step() {
    study_reports("to its stop", DISC, &[], 50);
    study_reports("to an end", DISC, &["analysis={ transient = { duration = 0.3, samples = 1000 } }"], 10);
    // pulled along x and along y in turns that never come together: it rests, and nothing but a search proves it
    let still = DISC.replace("velocity = [1.0, 0.0]", "").replace("spin = 30.0", "");
    let forces = "system.body.forces=[{ amplitude = [1.6, 0.0], omega = 300.0 }, \
                  { amplitude = [0.0, 1.0], omega = 212.13203435596427 }]";
    let run = "analysis={ transient = { duration = 100.0, samples = 10 } }";
    study_reports("at rest", &still, &[forces, run], 25);
    let run = "analysis={ transient = { duration = 100.0, samples = 100000 } }";
    study_reports("samples at rest", &still, &[run], 100);
}

#[test]
fn a_search_for_periodic_motions_does() {
    // ten starts
    study_reports("steady", DEN_HARTOG, &[], 10);
    study_reports("steady, adaptive", RESPONSE, &[TANH, "analysis={ steady = {} }"], 100);
    study_reports("autonomous", BELT, &["analysis={ steady = {} }"], 100);
}

#[test]
fn a_response_does_at_every_point() {
    study_reports("response", RESPONSE, &[], 400);
    study_reports("response, adaptive", RESPONSE, &[TANH, "points=10"], 100);
    study_reports("through folds", RESPONSE, &["analysis.response.through_folds=true"], 40);
}

#[test]
fn a_bifurcation_diagram_does() {
    let analysis = "analysis={ bifurcation = { parameter = \"omega\", from = 0.5, to = 0.6, points = 20 } }";
    // 250 periods of four phases at each of 20 values
    study_reports("bifurcation", RESPONSE, &[analysis], 20 * 1000 / 64);
}

#[test]
fn a_comparison_does() {
    let sets: Vec<String> = LONG.iter().map(|set| set.to_string()).collect();
    let study = Study::read("long", STICK_SLIP, &sets).unwrap();
    let motion = require_set_valued_transient(&study).unwrap();
    reports("truth", 500 * 4 / 64, &|progress| Truth::new(motion, progress).map(|_| ()));

    let study = Study::read("short", STICK_SLIP, &[]).unwrap();
    let truth = Truth::new(require_set_valued_transient(&study).unwrap(), &mut Progress::none()).unwrap();
    reports("row", 10, &|progress| truth.row("tanh", 1e-3, progress).map(|_| ()));
    reports("widest", 100, &|progress| {
        truth.coarsest("linear", Criterion::Trajectory, 1e-3, progress).map(|_| ())
    });
}

#[test]
fn the_advice_for_a_slow_search_can_be_followed() {
    let advice = |text: &str, sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        Study::read("slow", text, &sets).unwrap().advice().unwrap()
    };
    // no load sets the period, so that harmonic balance is refused
    let steady = "analysis={ steady = {} }";
    let balanced = "analysis={ steady = { harmonic_balance = {} } }";
    assert!(Study::read("belt", BELT, &[balanced.to_string()]).is_err());
    assert!(advice(BELT, &[steady]).contains("starts"));
    assert!(Study::read("driven", DEN_HARTOG, &[balanced.to_string()]).is_ok());
    assert_eq!(advice(DEN_HARTOG, &[steady]), "find the motions by harmonic_balance = {}");
    assert!(advice(RESPONSE, &[]).ends_with("or ask for fewer points"));
}

//! Every long computation tells how far it has come, and stops when it is told to.

use stiction::Error;
use stiction::Progress;
use stiction_study::Study;
use stiction_study::compare::{Criterion, Truth, require_set_valued_transient};

const STICK_SLIP: &str = include_str!("../../../examples/stick_slip.toml");
const DISC: &str = include_str!("../../../examples/spinning_disc.toml");
const DEN_HARTOG: &str = include_str!("../../../examples/den_hartog.toml");
const BELT: &str = include_str!("../../../examples/mass_on_belt.toml");
const RESPONSE: &str = include_str!("../../../examples/frequency_response.toml");

/// The run tells rising fractions at least `least` times, and ends at the call that says so.
fn tells(name: &str, least: usize, run: &dyn Fn(&mut Progress) -> Result<(), Error>) {
    let mut told = Vec::new();
    run(&mut Progress::new(&mut |fraction| {
        told.push(fraction);
        true
    }))
    .unwrap();
    assert!(told.len() >= least, "{name}: {} calls", told.len());
    assert!(told.iter().all(|fraction| (0.0..=1.0).contains(fraction)), "{name}: {told:?}");
    assert!(told.is_sorted(), "{name}: {told:?}");
    for last in [1, 2, told.len() / 2, told.len()] {
        let mut calls = 0;
        let found = run(&mut Progress::new(&mut |_| {
            calls += 1;
            calls < last
        }));
        assert!(matches!(found, Err(Error::Interrupted { .. })), "{name}, call {last}: {found:?}");
        assert_eq!(calls, last, "{name} goes on");
    }
}

fn study_tells(name: &str, text: &str, sets: &[&str], least: usize) {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    let study = Study::read(name, text, &sets).unwrap();
    tells(name, least, &|progress| study.run(progress).map(|_| ()));
}

const LONG: [&str; 2] = ["periods=500", "window=[498,500]"];
const TANH: &str = "system.oscillator.friction={ tanh = { mu = 1.0, width = 0.1 } }";

#[test]
fn a_transient_does_with_every_integrator() {
    // four phases a period
    study_tells("exact", STICK_SLIP, &LONG, 500 * 4 / 64);
    for (integrator, least) in [
        ("integrator={ incremental = { steps_per_period = 1000 } }", 500_000 / 4096),
        ("integrator={ rk4 = { steps_per_period = 1000 } }", 500_000 / 4096),
        // more than ten steps a period
        ("integrator={ adaptive = {} }", 500 * 10 / 64),
    ] {
        study_tells(integrator, STICK_SLIP, &[LONG[0], LONG[1], TANH, integrator], least);
    }
    // all samples in one phase of rest
    let still =
        ["amplitude=0.5", "omega=1e-6", "analysis={ transient = { duration = 1.0, samples = 100000 } }"];
    study_tells("samples", STICK_SLIP, &still, 50);
}

#[test]
fn a_chain_of_many_blocks_does_at_every_step() {
    let blocks = include_str!("../../../examples/blocks_on_belt.toml");
    study_tells("chain", blocks, &[], 80);
}

#[test]
fn a_body_does_at_every_step() {
    study_tells("to its stop", DISC, &[], 50);
    study_tells("to an end", DISC, &["analysis={ transient = { duration = 0.3, samples = 1000 } }"], 10);
    // pulled along x and along y in turns that never come together: it rests, and nothing but a search proves it
    let still = DISC.replace("velocity = [1.0, 0.0]", "").replace("spin = 30.0", "");
    let forces = "system.body.forces=[{ amplitude = [1.6, 0.0], omega = 300.0 }, \
                  { amplitude = [0.0, 1.0], omega = 212.13203435596427 }]";
    let run = "analysis={ transient = { duration = 100.0, samples = 10 } }";
    study_tells("at rest", &still, &[forces, run], 25);
    let run = "analysis={ transient = { duration = 100.0, samples = 100000 } }";
    study_tells("samples at rest", &still, &[run], 100);
}

#[test]
fn a_search_for_periodic_motions_does() {
    // ten starts
    study_tells("steady", DEN_HARTOG, &[], 10);
    study_tells("steady, adaptive", RESPONSE, &[TANH, "analysis={ steady = {} }"], 100);
    study_tells("autonomous", BELT, &["analysis={ steady = {} }"], 100);
}

#[test]
fn a_response_does_at_every_point() {
    study_tells("response", RESPONSE, &[], 400);
    study_tells("response, adaptive", RESPONSE, &[TANH, "points=10"], 100);
    study_tells("through folds", RESPONSE, &["analysis.response.through_folds=true"], 40);
}

#[test]
fn a_bifurcation_diagram_does() {
    let analysis = "analysis={ bifurcation = { parameter = \"omega\", from = 0.5, to = 0.6, points = 20 } }";
    // 250 periods of four phases at each of 20 values
    study_tells("bifurcation", RESPONSE, &[analysis], 20 * 1000 / 64);
}

#[test]
fn a_comparison_does() {
    let sets: Vec<String> = LONG.iter().map(|set| set.to_string()).collect();
    let study = Study::read("long", STICK_SLIP, &sets).unwrap();
    let motion = require_set_valued_transient(&study).unwrap();
    tells("truth", 500 * 4 / 64, &|progress| Truth::new(motion, progress).map(|_| ()));

    let study = Study::read("short", STICK_SLIP, &[]).unwrap();
    let truth = Truth::new(require_set_valued_transient(&study).unwrap(), &mut Progress::none()).unwrap();
    tells("row", 10, &|progress| truth.row("tanh", 1e-3, progress).map(|_| ()));
    tells("widest", 100, &|progress| {
        truth.coarsest("linear", Criterion::Trajectory, 1e-3, progress).map(|_| ())
    });
}

//! Peaks and dips between the points of a response, and methods that are chosen because others would take too long.

use stiction::Progress;
use stiction_study::{Outcome, Study};

fn run(text: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let study = Study::read("a.toml", text, &sets).unwrap_or_else(|faults| panic!("{faults:?}"));
    study.run(&mut Progress::none()).unwrap()
}

fn fact(outcome: &Outcome, name: &str) -> f64 {
    outcome.facts.iter().find(|fact| fact.name() == name).unwrap_or_else(|| panic!("{name}")).value
}

fn warns(outcome: &Outcome, name: &str) -> bool {
    outcome.warnings.iter().any(|warning| warning.name == name)
}

const THREE: &str = r#"
[system.matrices]
mass = [1.0, 2.0, 1.5]
stiffness = [[3000.0, -2000.0, 0.0], [-2000.0, 3500.0, -1500.0], [0.0, -1500.0, 1500.0]]
damping = { modal = 0.01 }
force = { amplitude = 10.0, frequency = 2.0, dof = 2 }
friction = { coulomb = { mu = 0.3 }, load = 20.0, dof = 0 }
[analysis.response]
parameter = "frequency"
from = 1.0
to = 12.0
points = 50
dof = 2
"#;

#[test]
fn the_peak_does_not_depend_on_the_number_of_points() {
    let all = [50, 100, 200].map(|points| run(THREE, &[&format!("points={points}")]));
    for outcome in &all {
        assert!((fact(outcome, "peak_amplitude") / 0.536493 - 1.0).abs() < 1e-6);
        assert!((fact(outcome, "peak_at") - 1.99535).abs() < 1e-5);
        assert!(fact(outcome, "peak_from") < 1.99535 && fact(outcome, "peak_to") > 1.99535);
        assert!((fact(outcome, "dip_amplitude") / fact(&all[2], "dip_amplitude") - 1.0).abs() < 1e-6);
    }
    assert_eq!(all.each_ref().map(|outcome| warns(outcome, "peak-between-points")), [true, false, false]);
    // a stuck point is a stuck point on every grid
    assert_eq!(all.each_ref().map(|outcome| fact(outcome, "neutral_points")), [15.0, 30.0, 61.0]);
}

/// A resonance of a weakly coupled part that no point sees: the amplitudes rise from point to point, and on towards the next one.
#[test]
fn a_peak_on_a_slope_that_rises_from_point_to_point_is_found() {
    let text = r#"
[system.matrices]
mass = [1.0, 0.001]
stiffness = [[100.0, -0.0289], [-0.0289, 0.0289]]
damping = [[0.05, 0.0], [0.0, 1e-6]]
force = { amplitude = 1.0, omega = 4.0, dof = 0 }
friction = { coulomb = { mu = 0.3 }, load = 0.01, dof = 0 }
[analysis.response]
parameter = "omega"
from = 4.0
to = 7.0
points = 13
dof = 0
"#;
    let outcome = run(text, &[]);
    let amplitudes = &outcome.samples[1].values;
    assert!(amplitudes.windows(2).all(|pair| pair[0] < pair[1]), "{amplitudes:?}");
    // the small mass resonates at 5.376 rad/s; a search about it finds the same
    let fine = run(text, &["from=5.36", "to=5.38", "points=2001"]);
    let (peak, at) = (fact(&fine, "peak_amplitude"), fact(&fine, "peak_at"));
    assert!(peak > 1.2 * amplitudes[12], "{peak} {amplitudes:?}");
    assert!((fact(&outcome, "peak_amplitude") / peak - 1.0).abs() < 1e-6, "{:?}", outcome.facts);
    assert!((fact(&outcome, "peak_at") - at).abs() < 1e-4 && warns(&outcome, "peak-between-points"));
    assert_eq!([fact(&outcome, "peak_from"), fact(&outcome, "peak_to")], [5.25, 5.5]);
}

/// Without damping the amplitude at resonance has no bound.
#[test]
fn a_peak_without_bound_is_said() {
    let text = "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = { amplitude = 1, omega = 0.7 }\n\
                friction.coulomb.mu = 0.3\n[analysis.response]\nparameter = \"omega\"\nfrom = 0.5\nto = 1.6\npoints = 37\n";
    assert!(warns(&run(text, &[]), "peak-unresolved"));
}

const BEAM: &str = r#"
[system.beam]
elements = 12
length = 0.5
young = 210e9
density = 7850
area = 1e-4
inertia = 2.0833e-10
damping = { modal = 0.005 }
force = { amplitude = 5.0, frequency = 16.0, node = 12 }
friction = { jenkins = { mu = 0.3, stiffness = 1e5 }, load = 10.0, node = 6 }
[analysis.response]
parameter = "frequency"
from = 10
to = 20
points = 60
dof = 22
"#;

/// A structure with sliders takes hours by shooting.
#[test]
fn harmonic_balance_is_chosen_where_shooting_would_take_too_long() {
    let outcome = run(BEAM, &[]);
    assert!(warns(&outcome, "method-chosen"));
    assert!((fact(&outcome, "peak_amplitude") / 0.342355 - 1.0).abs() < 1e-4);
    // who asks for it needs no note
    let asked = run(BEAM, &["points=2", "analysis.response.harmonic_balance={harmonics = 9}"]);
    assert!(!warns(&asked, "method-chosen"));
}

/// With few harmonics the error of the measured degree of freedom is stated, and is not many times the true one.
#[test]
fn what_harmonic_balance_leaves_out_is_said() {
    let at = |harmonics: usize| {
        let method = format!("analysis.response.harmonic_balance={{harmonics = {harmonics}}}");
        run(BEAM, &["points=2", "from=10.17", "to=10.18", &method])
    };
    let [coarse, fine] = [9, 79].map(at);
    assert!(warns(&coarse, "truncated") && !warns(&fine, "truncated"));
    let amplitude = |outcome: &Outcome| outcome.samples[1].values[0];
    let error = (amplitude(&coarse) / amplitude(&fine) - 1.0).abs();
    let stated = fact(&coarse, "truncation_share");
    assert!(error < stated && stated < 20.0 * error, "{error} {stated}");
}

//! Responses, branches, bifurcation diagrams and steady searches report every point correctly.

use keyed::conversions;
use stiction::Progress;
use stiction_study::{Outcome, Study};

const RIG: &str = "
[system.oscillator]
mass = 2.0
damping = 4.0
stiffness = 8000.0
force = { amplitude = 10.0, omega = 60.0 }
friction.coulomb = { mu = 0.3 }
friction.load = 20.0
";

fn read(text: &str, sets: &[&str]) -> Result<Study, Vec<String>> {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    Study::read("search.toml", text, &sets)
        .map_err(|all| all.iter().map(|d| format!("{}: {}", d.key, d.message)).collect())
}

fn run(text: &str, sets: &[&str]) -> Outcome {
    read(text, sets).unwrap().run(&mut Progress::none()).unwrap()
}

fn response(parameter: &str, from: f64, to: f64, points: usize) -> String {
    let range = format!("parameter = \"{parameter}\"\nfrom = {from}\nto = {to}\npoints = {points}\n");
    format!("{RIG}[analysis.response]\n{range}")
}

fn values<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    &outcome.column(name).unwrap().values
}

#[test]
fn rest_is_neutral_and_has_no_phase() {
    // from μ N = P = 10 on the mass rests
    let outcome = run(&response("mu", 0.02, 0.6, 400), &[]);
    let (mu, phase) = (values(&outcome, "mu"), values(&outcome, "phase"));
    let (stability, amplitude) = (values(&outcome, "stability"), values(&outcome, "amplitude"));
    assert_eq!((outcome.fact("unstable_points"), outcome.fact("neutral_points")), (Some(0.0), Some(69.0)));
    for i in 0..400 {
        let rests = mu[i] > 0.5;
        assert_eq!(
            (stability[i] == 0.0, amplitude[i] == 0.0, phase[i].is_nan()),
            (rests, rests, rests),
            "{}",
            mu[i]
        );
    }
}

#[test]
fn a_passive_chain_has_no_unstable_motion() {
    let chain = include_str!("scenarios/chain.toml");
    let outcome = run(chain, &["points=100"]);
    assert_eq!((outcome.fact("unstable_points"), outcome.fact("points")), (Some(0.0), Some(100.0)));
    // where a contact sticks all the time the motions form a continuum
    assert!(outcome.fact("neutral_points").unwrap() > 20.0);
}

#[test]
fn an_undamped_resonance_has_no_periodic_motion() {
    let text = "[system.oscillator]\nmass = 1.0\nstiffness = 1.0\nforce = { amplitude = 1.0, omega = 1.0 }\n[analysis.steady]\n";
    let error = read(text, &[]).unwrap().run(&mut Progress::none()).unwrap_err();
    assert!(error.to_string().starts_with("no periodic motion: it grows in every period"), "{error}");
    // next to it there is one
    let outcome = run(text, &["omega=1.000001"]);
    assert!((outcome.fact("amplitude").unwrap() * (1.000001f64.powi(2) - 1.0) - 1.0).abs() < 1e-8);
}

#[test]
fn a_steady_search_finds_the_same_motion_whatever_is_measured() {
    let text = "
[system.matrices]
mass = [1.0, 1.0]
stiffness = [[2.0, -1.0], [-1.0, 2.0]]
force = { amplitude = 0.3, omega = 0.5, dof = 1 }
friction = { coulomb = { mu = 1.0 }, dof = 0 }
[analysis.steady]
";
    for (dof, amplitude) in [("analysis.steady.dof=0", 0.0), ("analysis.steady.dof=1", 0.3 / (2.0 - 0.25))] {
        let outcome = run(text, &[dof]);
        // one continuum, since the stuck mass may rest anywhere
        assert_eq!((outcome.fact("orbits"), outcome.fact("neutral")), (Some(1.0), Some(1.0)), "{dof}");
        assert!((outcome.fact("amplitude").unwrap() - amplitude).abs() < 1e-12, "{dof}");
        assert_eq!(outcome.fact("symmetric"), Some(1.0), "{dof}");
    }
}

#[test]
fn nothing_is_deserialised_inside_a_search() {
    let folds = "analysis.response.through_folds=true";
    let diagram =
        "analysis={ bifurcation = { parameter = \"omega\", from = 50, to = 60, points = 5, transient = 5 } }";
    for sets in [vec![], vec![folds], vec![diagram]] {
        let study = read(&response("omega", 50.0, 80.0, 40), &sets).unwrap();
        let before = conversions();
        study.run(&mut Progress::none()).unwrap();
        assert_eq!(conversions(), before, "{sets:?}");
    }
    // the count counts
    let before = conversions();
    read(RIG, &["analysis={ steady = {} }"]).unwrap();
    assert!(conversions() > before);
}

#[test]
fn a_value_that_does_not_fit_is_a_row_of_its_own() {
    let text = format!("{}\n", response("system.oscillator.friction.direction.0", -1.0, 1.0, 5));
    let outcome = run(&text, &["system.oscillator.friction.direction=[1]"]);
    let amplitude = values(&outcome, "amplitude");
    assert_eq!(values(&outcome, "direction_0"), [-1.0, -0.5, 0.0, 0.5, 1.0]);
    assert!(amplitude[2].is_nan() && outcome.fact("missing_points") == Some(1.0));
    let warning = &outcome.warnings[0].message;
    assert!(warning.contains("the first of them 0: zero, but a contact needs a direction"), "{warning}");
    // a contact does not mind which way it is looked at
    let roundings = 4.0 * f64::EPSILON * amplitude[1];
    assert!(
        (amplitude[0] - amplitude[4]).abs() < roundings && (amplitude[1] - amplitude[3]).abs() < roundings
    );
    assert!(amplitude[1] > amplitude[0]);
}

/// What a lens sets is, to the bit, what a scenario with that value has.
#[test]
fn every_number_of_a_system_can_be_varied() {
    let text = "
[system.matrices]
mass = [[2.0, 0.3], [0.3, 1.0]]
damping = [0.3, 0.2]
stiffness = [[9.0, -1.0], [-1.0, 5.0]]
force = [{ amplitude = 3.0, omega = 2.0, phase = 0.1, dof = 0 }, { constant = 0.5, direction = [0.4, 0.6] },
         { constant = 0.2, amplitude = 0.7, omega = 2.0, dof = 1 }]
base = { amplitude = 0.1, omega = 2.0, direction = [1.0, 0.5] }
friction = [{ coulomb = { mu = 0.3 }, load = 1.5, dof = 0 }, { linear = { mu = 0.2, width = 0.1 }, viscous = 0.1, direction = [1.0, -1.0] }]
[analysis.response]
parameter = \"PATH\"
from = FROM
to = TO
points = 2
facts = [\"position_0_max\"]
";
    for (path, other) in [
        ("mass.0.0", 2.5),
        ("mass.1.1", 1.25),
        ("damping.1", 0.4),
        ("stiffness.0.0", 9.5),
        ("force.0.amplitude", 3.3),
        ("force.0.phase", 0.4),
        ("force.1.constant", 0.6),
        ("force.1.direction.1", 0.9),
        ("force.2.amplitude", 0.9),
        ("base.amplitude", 0.15),
        ("base.phase", 0.3),
        ("base.direction.0", 0.7),
        ("friction.0.coulomb.mu", 0.4),
        ("friction.0.coulomb.mu_static", 0.5),
        ("friction.0.load", 1.1),
        ("friction.0.belt", 0.3),
        ("friction.1.linear.width", 0.2),
        ("friction.1.linear.mu", 0.0),
        ("friction.1.viscous", 0.3),
        ("friction.1.direction.0", 0.5),
    ] {
        let path = format!("system.matrices.{path}");
        let text = text.replace("PATH", &path).replace("FROM", &other.to_string()).replace("TO", "0.777");
        let swept = run(&text, &[]);
        let set = format!("{path}={other}");
        let written = run(&text, &[&set, "analysis={ steady = {} }"]);
        for name in ["amplitude", "position_0_max"] {
            assert_eq!(values(&swept, name)[0], written.fact(name).unwrap(), "{path}");
        }
        // nothing stops here, so that static friction does not matter; a constant load shifts the motion and leaves its amplitude
        let is_felt = !path.ends_with("mu_static");
        let change = (values(&swept, "position_0_max")[0] - values(&swept, "position_0_max")[1]).abs();
        assert!(if is_felt { change > 1e-4 } else { change < 1e-12 }, "{path}: {change}");
    }
    // a frequency that all loads have in common is one parameter
    let text = text.replace("PATH", "omega").replace("FROM", "2.5").replace("TO", "2.6");
    let written =
        "system.matrices.force.0.omega=2.5 system.matrices.force.2.omega=2.5 system.matrices.base.omega=2.5";
    let mut sets: Vec<&str> = written.split(' ').collect();
    sets.push("analysis={ steady = {} }");
    let (swept, written) = (run(&text, &[]), run(&text, &sets));
    assert_eq!(values(&swept, "amplitude")[0], written.fact("amplitude").unwrap());
    // unlike ones are not
    let errors = read(&text, &["system.matrices.base.omega=4.0"]).unwrap_err();
    assert!(errors[0].contains("omega stands in several places"), "{errors:?}");
}

#[test]
fn a_faulty_system_is_not_blamed_on_the_range() {
    let errors = read(&response("omega", 20.0, 80.0, 10), &["mu=-1"]).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("system.oscillator.friction.coulomb.mu: -1"), "{errors:?}");
    let errors = read(&response("mass", -1.0, 1.0, 10), &[]).unwrap_err();
    assert_eq!(errors, ["analysis.response.from: mass = -1, but it must be positive"]);
    let errors = read(&response("system.oscillator.friction.tanh.mu", 0.1, 1.0, 10), &[]).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("system.oscillator.friction.tanh.mu is not a number of the system"),
        "{errors:?}"
    );
}

#[test]
fn the_integrator_of_a_bifurcation_diagram_is_the_one_given() {
    let text = "
[system.oscillator]
mass = 1.0
stiffness = 1.0
damping = 0.1
force = { amplitude = 1.0, omega = 1.0 }
friction.tanh = { mu = 0.3, width = 0.01 }
[analysis]
bifurcation = { parameter = \"omega\", from = 0.5, to = 1.5, points = 3, transient = 5, samples = 3 }
";
    let diagram = |rtol: &str| run(text, &[&format!("integrator={{ adaptive = {{ rtol = {rtol} }} }}")]);
    let (rough, fine, finest) = (diagram("1e-3"), diagram("1e-9"), diagram("1e-12"));
    let off = |a: &Outcome| {
        let pairs = values(a, "position").iter().zip(values(&finest, "position"));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    assert!(off(&rough) > 1e-6 && off(&fine) < 1e-7, "{} {}", off(&rough), off(&fine));
}

#[test]
fn a_branch_reports_its_end_and_its_jumps() {
    let text = "
[system]
oscillator = { mass = 1, stiffness = 1, force = { amplitude = 1, omega = 0.7 }, friction.coulomb.mu = 0.5 }
[analysis]
response = { parameter = \"omega\", from = 0.5, to = 1.5, through_folds = true }
";
    let outcome = run(text, &[]);
    let fact = |name: &str| outcome.fact(name);
    assert_eq!((fact("branch_end"), fact("complete"), fact("jumps")), (Some(1.5), Some(1.0), Some(1.0)));
    assert!(!outcome.has_failed() && outcome.warnings[0].name == "branch-jumps", "{:?}", outcome.warnings);
    let amplitude = values(&outcome, "amplitude");
    assert_eq!(amplitude.iter().filter(|a| a.is_nan()).count(), 1);
    // no step is longer than the part of the way that `points` says
    let omega = values(&outcome, "omega");
    assert!(omega.windows(2).all(|pair| (pair[1] - pair[0]).abs() <= 1.0 / 200.0 + 1e-12
        || pair[0].is_nan()
        || (pair[0] < 1.0 && pair[1] > 1.0)));
}

const BALANCED: &str = "
[system.oscillator]
mass = 1.0
damping = 0.05
stiffness = 1.0
force = { amplitude = 1.0, omega = 0.8, phase = 0.3 }
friction.tanh = { mu = 0.3, width = 0.1 }
";

#[test]
fn harmonic_balance_and_shooting_give_the_same_response() {
    let range = "[analysis.response]\nparameter = \"omega\"\nfrom = 0.5\nto = 1.5\npoints = 11\n";
    let shot = run(&format!("{BALANCED}{range}"), &[]);
    let balanced = run(&format!("{BALANCED}{range}harmonic_balance = {{ tolerance = 1e-7 }}\n"), &[]);
    let truncation = values(&balanced, "truncation");
    for name in ["amplitude", "phase", "friction_loss"] {
        for (i, (a, b)) in values(&shot, name).iter().zip(values(&balanced, name)).enumerate() {
            assert!((a - b).abs() <= 20.0 * truncation[i] + 1e-8, "{name} at {i}: {a} {b}");
        }
    }
    assert_eq!(values(&shot, "stability"), values(&balanced, "stability"));
    // at resonance the law turns within a hundredth of the period: as many harmonics as there may be do not reach the tolerance, and it is
    // said; a law with a larger width needs few
    assert_eq!(balanced.fact("harmonics"), Some(127.0));
    let wide = BALANCED.replace("width = 0.1", "width = 2.0");
    let wide = run(&format!("{wide}{range}harmonic_balance = {{ tolerance = 1e-7 }}\n"), &[]);
    assert!(wide.fact("truncation").unwrap() <= 1e-7 * wide.fact("peak_amplitude").unwrap());
    assert!(wide.fact("harmonics").unwrap() < 127.0);
    // a branch ends where the sweep does
    let branch =
        run(&format!("{BALANCED}{range}through_folds = true\nharmonic_balance.harmonics = 15\n"), &[]);
    assert_eq!((branch.fact("complete"), branch.fact("harmonics")), (Some(1.0), Some(15.0)));
    let last = |outcome: &Outcome| *values(outcome, "amplitude").last().unwrap();
    assert!((last(&branch) - last(&shot)).abs() < branch.fact("truncation").unwrap());
}

#[test]
fn a_steady_motion_by_harmonic_balance_has_the_facts_of_the_one_by_shooting() {
    let shot = run(&format!("{BALANCED}[analysis.steady]\n"), &[]);
    let balanced =
        run(&format!("{BALANCED}[analysis.steady]\nharmonic_balance = {{ tolerance = 1e-9 }}\n"), &[]);
    let names =
        ["period", "amplitude", "fundamental", "phase", "cycle_work_in", "cycle_friction_loss", "stable"];
    for name in names {
        let (a, b) = (shot.fact(name).unwrap(), balanced.fact(name).unwrap());
        assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{name}: {a} {b}");
    }
    for name in ["position", "velocity", "friction"] {
        for (a, b) in values(&shot, name).iter().zip(values(&balanced, name)) {
            assert!((a - b).abs() < 1e-4, "{name}: {a} {b}");
        }
    }
}

#[test]
fn harmonic_balance_refuses_what_it_cannot_do_at_its_key() {
    let faults = |text: &str, sets: &[&str]| read(text, sets).unwrap_err();
    let steady = format!("{BALANCED}[analysis.steady]\nharmonic_balance = {{ harmonics = 5 }}\n");
    let found = faults(&steady, &["analysis.steady.subharmonic=2"]);
    assert!(found[0].starts_with("analysis.steady.subharmonic: given beside harmonic_balance"), "{found:?}");
    let found = faults(&steady, &["harmonics=0"]);
    assert!(found[0].starts_with("analysis.steady.harmonic_balance.harmonics: 0"), "{found:?}");
    let found = faults(&steady.replace("= 5 }", "= 5, tolerance = 1e-3 }"), &[]);
    assert!(found[0].contains("one or the other"), "{found:?}");
    let lugre =
        "friction.lugre = { mu = 0.3, mu_static = 0.4, velocity = 0.1, stiffness = 1e3, damping = 1.0 }";
    let found = faults(&steady.replace("friction.tanh = { mu = 0.3, width = 0.1 }", lugre), &[]);
    assert!(found[0].starts_with("system.oscillator.friction.lugre: harmonic balance"), "{found:?}");
    let found = faults(&format!("{steady}[integrator.adaptive]\n"), &[]);
    assert!(found[0].starts_with("integrator: given beside harmonic_balance"), "{found:?}");
    let unforced = steady.replace("force = { amplitude = 1.0, omega = 0.8, phase = 0.3 }", "");
    assert!(faults(&unforced, &[])[0].starts_with("analysis.steady.harmonic_balance: no harmonic load"));
}

const JOINT: &str = "
[system.oscillator]
mass = 2.0
damping = 0.04
stiffness = 3.0
friction.jenkins = { mu = 0.3, stiffness = 1.2 }
[analysis.nonlinear-mode]
from = 0.01
to = 100.0
points = 41
harmonic_balance.harmonics = 1
";

#[test]
fn a_nonlinear_mode_goes_from_the_stuck_to_the_free_oscillator() {
    let outcome = run(JOINT, &[]);
    let (frequency, damping) = (values(&outcome, "mode_frequency"), values(&outcome, "damping_ratio"));
    let (stuck, free) = ((4.2f64 / 2.0).sqrt(), (3.0f64 / 2.0).sqrt());
    assert!((frequency[0] - stuck).abs() < 1e-9, "{}", frequency[0]);
    // what is left of the spring falls as the −3/2th power of the amplitude
    assert!((frequency[40] - free).abs() < 1e-4, "{}", frequency[40]);
    assert!((damping[0] - 0.01 / stuck).abs() < 1e-9, "{}", damping[0]);
    // the closed form with one harmonic has 0.0612026 as its largest value
    let largest = outcome.fact("largest_damping").unwrap();
    assert!(largest < 0.0612027 && largest > 0.06, "{largest}");
    assert_eq!((outcome.fact("points"), outcome.fact("missing_points")), (Some(41.0), None));
}

#[test]
fn settings_of_a_nonlinear_mode_that_make_no_sense_are_named() {
    let wrong = |sets: &[&str]| read(JOINT, sets).map(|_| ()).unwrap_err().join("\n");
    assert!(wrong(&["analysis.nonlinear-mode.from=0.0"]).contains("analysis.nonlinear-mode.from"));
    assert!(wrong(&["analysis.nonlinear-mode.points=1"]).contains("analysis.nonlinear-mode.points"));
    assert!(wrong(&["analysis.nonlinear-mode.mode=1"]).contains("no more modes"));
    assert!(wrong(&["analysis.nonlinear-mode.dof=1"]).contains("analysis.nonlinear-mode.dof"));
    assert!(wrong(&["system.oscillator.force={amplitude=1.0,omega=1.0}"]).contains("harmonic load"));
    assert!(read(&format!("{JOINT}\n[integrator.exact]\n"), &[]).is_err());
    // a body without springs does not vibrate
    let error =
        read(JOINT, &["system.oscillator.stiffness=0.0"]).unwrap().run(&mut Progress::none()).unwrap_err();
    assert!(error.to_string().contains("no stiffness"), "{error}");
}

//! Scenarios, good and bad: every error stands at its key, and all are reported at once.

use stiction::Progress;
use stiction_study::Study;

const GOOD: &str = include_str!("../../../examples/trigonometric_resonance.toml");

fn errors(text: &str) -> Vec<(String, String)> {
    errors_with(text, &[])
}

fn errors_with(text: &str, sets: &[&str]) -> Vec<(String, String)> {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    let diagnostics = Study::read("test.toml", text, &sets).expect_err("the scenario should not be accepted");
    diagnostics.into_iter().map(|d| (d.key.clone(), d.to_string())).collect()
}

fn keys(text: &str) -> Vec<String> {
    errors(text).into_iter().map(|(key, _)| key).collect()
}

#[test]
fn the_first_example_gives_the_numbers_of_the_paper() {
    let outcome = Study::read("good.toml", GOOD, &[]).unwrap().run(&mut Progress::none()).unwrap();
    assert!((outcome.fact("position_max").unwrap() - 19.5902).abs() < 0.5e-4);
    assert_eq!(outcome.column("t").unwrap().values.len(), 2001);
    assert_eq!(outcome.column("t").unwrap().values[0], 18.0 * std::f64::consts::TAU);
}

#[test]
fn all_errors_are_reported_at_once_and_typos_suggest_the_right_name() {
    let text = r#"
titel = "x"
[system.oscillator]
mas = -1.0
damping = "a lot"
stiffness = nan
force = { amplitude = 4.0, omega = inf }
friction.trigonmetric = { mu = 1.6, width = -0.8, foo = 1 }
[integrator.increment]
steps_per_period = 1e30
[analysis.transient]
periods = 20
window = [18, 30]
"#;
    let errors = errors(text);
    let keys: Vec<&str> = errors.iter().map(|(key, _)| key.as_str()).collect();
    for key in [
        "titel",
        "system.oscillator.mas",
        "system.oscillator.damping",
        "system.oscillator.stiffness",
        "system.oscillator.force.omega",
        "system.oscillator.friction.trigonmetric",
        "integrator.increment",
    ] {
        assert!(keys.contains(&key), "{key} is not among {keys:?}");
    }
    // what stands behind a guess is not judged by it
    for key in
        ["system.oscillator.mass", "system.oscillator.friction.trigonometric", "integrator.incremental"]
    {
        assert!(!keys.iter().any(|found| found.starts_with(key)), "{key} is among {keys:?}");
    }
    let text: String = errors.iter().map(|(_, text)| text.as_str()).collect();
    for word in ["mass?", "title?", "trigonometric?", "incremental?", "test.toml:8"] {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
}

/// A scenario with one line of the oscillator, the integrator or the analysis replaced.
fn with(line: &str, by: &str) -> String {
    assert!(GOOD.contains(line), "{line}");
    GOOD.replace(line, by)
}

#[test]
fn each_bad_value_is_an_error_at_its_key() {
    let o = "system.oscillator";
    let law = "friction.trigonometric = { mu = 1.6, width = 0.8 }";
    let cases = [
        ("mass = 1.0", "mass = 0", format!("{o}.mass")),
        ("mass = 1.0", "mass = -inf", format!("{o}.mass")),
        ("damping = 0.1", "damping = nan", format!("{o}.damping")),
        ("stiffness = 1.0", "stiffness = inf", format!("{o}.stiffness")),
        ("mass = 1.0", "mass = [1.0]", format!("{o}.mass")),
        ("mass = 1.0", "", o.to_string()),
        ("omega = 1.0", "omega = -1.0", format!("{o}.force.omega")),
        (", omega = 1.0", "", format!("{o}.force.amplitude")),
        (law, "friction.linear = { mu = 1, width = 0 }", format!("{o}.friction.linear.width")),
        (
            law,
            "friction.circular-linear = { mu = 1, width = 0.2, radius = 0.2 }",
            format!("{o}.friction.circular-linear.radius"),
        ),
        (law, "friction.coulomb = { mu = 1 }", format!("{o}.friction.coulomb")),
        (law, "friction = { load = 1 }", format!("{o}.friction")),
        (law, "friction = { linear = { mu = 1, width = 1 }, load = -2 }", format!("{o}.friction.load")),
        (
            law,
            "friction = [{ linear = { mu = 1, width = 1 } }, { linear = { mu = 1, width = 1 }, load = 0 }]",
            format!("{o}.friction.1.load"),
        ),
        (
            "steps_per_period = 20000",
            "steps_per_period = 1e40",
            "integrator.incremental.steps_per_period".into(),
        ),
        (
            "steps_per_period = 20000",
            "steps_per_period = 99999999999999999999999",
            "integrator.incremental.steps_per_period".into(),
        ),
        ("steps_per_period = 20000", "", "integrator.incremental".into()),
        ("window = [18, 20]", "window = [20, 18]", "analysis.transient.window".into()),
        ("window = [18, 20]", "window = [18]", "analysis.transient.window".into()),
        ("window = [18, 20]", "times = [3, 2]", "analysis.transient.times".into()),
        ("window = [18, 20]", "samples = 1", "analysis.transient.samples".into()),
        ("window = [18, 20]", "samples = 100000000000", "analysis.transient.samples".into()),
        ("window = [18, 20]", "samples = -1", "analysis.transient.samples".into()),
        ("periods = 20", "periods = nan", "analysis.transient.periods".into()),
        ("periods = 20", "periods = 20\nduration = 3", "analysis.transient.duration".into()),
    ];
    for (line, by, key) in cases {
        assert_eq!(keys(&with(line, by)), [key], "{by}");
    }
}

#[test]
fn bad_matrices_are_errors_at_their_keys() {
    let scenario = |body: &str| format!("[system.matrices]\n{body}\n[analysis.transient]\nduration = 1\n");
    let cases = [
        ("mass = [[1, 0], [0]]", vec!["system.matrices.mass"]),
        ("mass = [[1, 2], [2, 1]]", vec!["system.matrices.mass"]),
        ("mass = [[1, 0.5], [0, 1]]", vec!["system.matrices.mass"]),
        ("mass = [1, -1]", vec!["system.matrices.mass"]),
        ("mass = []", vec!["system.matrices.mass"]),
        ("mass = [1, 1]\nstiffness = [1, 1, 1]", vec!["system.matrices.stiffness"]),
        ("mass = [1, 1]\nfriction = { linear = { mu = 1, width = 1 } }", vec!["system.matrices.friction"]),
        (
            "mass = [1, 1]\nfriction = { linear = { mu = 1, width = 1 }, dof = 2 }",
            vec!["system.matrices.friction.dof"],
        ),
        (
            "mass = [1, 1]\nfriction = [{ linear = { mu = 1, width = 1 }, direction = [0, 0] }]",
            vec!["system.matrices.friction.0.direction"],
        ),
        (
            "mass = [1, 1]\nfriction = [{ linear = { mu = 1, width = 1 }, direction = [1] }]",
            vec!["system.matrices.friction.0.direction"],
        ),
        ("mass = [1, 1]\ninitial = { position = [1] }", vec!["system.matrices.initial.position"]),
    ];
    for (body, expected) in cases {
        assert_eq!(keys(&scenario(body)), expected, "{body}");
    }
}

#[test]
fn files_that_are_no_scenarios_are_errors() {
    assert!(errors("")[0].1.contains("system is missing"));
    assert!(errors("mass = = 3")[0].1.contains("not valid TOML"));
    assert!(errors("[system]")[0].1.contains("one of: oscillator, matrices, chain, beam, plate, body"));
    assert!(errors("system = 3")[0].1.contains("must be a table"));
    assert!(errors("[system.oscillator]\nmass = 1")[0].1.contains("duration"));
}

#[test]
fn overrides_replace_insert_and_explain() {
    let run = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        Study::read("good.toml", GOOD, &sets).unwrap().scenario
    };
    assert_eq!(run(&["width=0.4"]), run(&["system.oscillator.friction.trigonometric.width = 0.4"]));
    assert_ne!(run(&["width=0.4"]), run(&[]));
    let other =
        run(&["system.oscillator.friction={ linear = { mu = 1, width = 1 } }", "integrator={adaptive={}}"]);
    assert!(format!("{other:?}").contains("Linear"));
    assert_eq!(run(&["title=a plain text"]).title, "a plain text");
    assert!(errors_with(GOOD, &["widht=0.4"])[0].1.contains("did you mean width?"));
    assert!(errors_with(GOOD, &["width"])[0].1.contains("key=value"));
    assert!(errors_with(GOOD, &["width=-1"])[0].1.contains("--set  width=-1"));
}

#[test]
fn a_method_refuses_a_law_it_would_integrate_wrongly() {
    let law = "friction.trigonometric = { mu = 1.6, width = 0.8 }";
    let refusals = [
        ("friction.quinn = { mu = 1, width = 0.1 }", "incremental", true),
        (
            "friction.lugre = { mu = 1, mu_static = 1.5, velocity = 0.1, stiffness = 100, damping = 1 }",
            "incremental",
            true,
        ),
        ("friction.sign-coulomb = { mu = 1 }", "incremental", true),
        ("friction.sign-coulomb = { mu = 1 }", "adaptive", false),
        ("friction.karnopp = { mu = 1, width = 0.1 }", "adaptive", true),
        ("friction.coulomb = { mu = 1 }", "rk4", true),
        ("friction.linear = { mu = 1, width = 1e-6 }", "rk4", true),
        ("friction.linear = { mu = 1, width = 0.1 }", "rk4", false),
        ("friction.karnopp = { mu = 1, width = 0.1 }", "rk4", false),
        ("friction.sign-coulomb = { mu = 1 }", "rk4", false),
        ("friction.quinn = { mu = 1, width = 0.1 }", "adaptive", false),
        (
            "friction.lugre = { mu = 1, mu_static = 1.5, velocity = 0.1, stiffness = 100, damping = 1 }",
            "adaptive",
            false,
        ),
    ];
    for (by, integrator, refuses) in refusals {
        let text = with(law, by);
        let text = match integrator {
            "adaptive" => {
                text.replace("[integrator.incremental]\nsteps_per_period = 20000", "[integrator.adaptive]")
            }
            name => text.replace("integrator.incremental", &format!("integrator.{name}")),
        };
        let result = Study::read("test.toml", &text, &[]);
        assert_eq!(result.is_err(), refuses, "{by} with {integrator}");
        if let Err(diagnostics) = result {
            assert!(diagnostics[0].message.contains("cannot integrate"), "{}", diagnostics[0]);
            assert!(diagnostics[0].hint.is_some());
        }
    }
}

#[test]
fn a_base_that_shakes_is_a_force_of_the_mass_times_its_acceleration() {
    let base = with(
        "force = { amplitude = 4.0, omega = 1.0 } ",
        "base = { amplitude = 1.0, omega = 2.0, phase = 0.3 } ",
    );
    let force = with("amplitude = 4.0, omega = 1.0", "amplitude = 4.0, omega = 2.0, phase = 0.3");
    let run = |text: &str| {
        Study::read("x", text, &["steps_per_period=200".into()]).unwrap().run(&mut Progress::none()).unwrap()
    };
    assert_eq!(run(&base).facts, run(&force).facts);
}

#[test]
fn one_degree_of_freedom_is_the_same_in_both_notations() {
    let matrices = with("[system.oscillator]", "[system.matrices]")
        .replace("mass = 1.0", "mass = [[1.0]]")
        .replace("damping = 0.1", "damping = [0.1]")
        .replace("stiffness = 1.0", "stiffness = [1.0]");
    let run = |text: &str| Study::read("x", text, &[]).unwrap().run(&mut Progress::none()).unwrap();
    assert_eq!(run(&matrices).facts, run(GOOD).facts);
}

const DISC: &str = include_str!("../../../examples/spinning_disc.toml");
const DEN_HARTOG: &str = include_str!("../../../examples/den_hartog.toml");
const RESPONSE: &str = include_str!("../../../examples/frequency_response.toml");

#[test]
fn a_spinning_disc_stops_at_the_known_ratio() {
    let outcome = Study::read("disc.toml", DISC, &[]).unwrap().run(&mut Progress::none()).unwrap();
    assert!((outcome.fact("final_ratio").unwrap() - 0.653001789).abs() < 1e-8);
    assert!(outcome.fact("energy_residual").unwrap().abs() < 1e-10 * outcome.fact("initial_energy").unwrap());
    let stop = outcome.fact("stop_time").unwrap();
    // without spin it would stop after v/(μg) and v²/(2μg)
    assert!(stop > 1.0 / (0.2 * 9.81) && outcome.fact("path").unwrap() > 1.0 / (2.0 * 0.2 * 9.81));
    assert_eq!(outcome.events.len(), 1);
}

#[test]
fn bad_bodies_are_errors_at_their_keys() {
    let with = |line: &str, by: &str| {
        assert!(DISC.contains(line), "{line}");
        keys(&DISC.replace(line, by))
    };
    assert_eq!(with("mass = 1.0", "mass = -1.0"), ["system.body.mass"]);
    assert_eq!(with("inertia = 0.005 ", "inertia = 0.0 "), ["system.body.inertia"]);
    assert_eq!(with("mu = 0.2", "mu = nan"), ["system.body.patch.mu"]);
    assert_eq!(with("radius = 0.1", "radius = -0.1"), ["system.body.patch.shape.disc.radius"]);
    assert_eq!(with("\"uniform\"", "\"unifrom\""), ["system.body.patch.pressure"]);
    assert_eq!(with("spin = 30.0", "spinn = 30.0"), ["system.body.spinn"]);
    assert_eq!(keys(&format!("{DISC}\n[analysis.transient]\nperiods = 3\n")), ["analysis.transient.periods"]);
}

#[test]
fn den_hartogs_amplitude_is_found_without_a_transient() {
    // a sign function has this motion in the sense of Filippov
    let sign = DEN_HARTOG.replace("friction.coulomb", "friction.sign-coulomb");
    let cases = [(DEN_HARTOG, 0.7, 1.7442539362489), (DEN_HARTOG, 1.3, 1.0353280077046)];
    for (text, beta, expected) in cases.into_iter().chain([(&*sign, 0.7, 1.7442539362489)]) {
        let set = format!("omega={beta}");
        let outcome = Study::read("x", text, &[set]).unwrap().run(&mut Progress::none()).unwrap();
        assert!((outcome.fact("amplitude").unwrap() - expected).abs() < 1e-11, "{beta}");
        assert_eq!(outcome.fact("stable"), Some(1.0));
        assert_eq!(outcome.column("t").unwrap().values.len(), 2001);
    }
    // also where friction differs in the two directions
    let [own, other] = [DEN_HARTOG, &*sign].map(|text| {
        let study = Study::read("x", text, &["system.oscillator.friction.reverse=0.6".into()]).unwrap();
        study.run(&mut Progress::none()).unwrap().fact("amplitude").unwrap()
    });
    assert!(own == other && (own - 1.7442539362489).abs() > 0.01, "{own} {other}");
}

/// A mass that sticks: its friction is the load less the force of the spring, and nothing accelerates.
#[test]
fn friction_of_a_contact_that_creeps_balances_the_loads_of_a_steady_motion() {
    let text = "[system.oscillator]\nmass = 1.0\ndamping = 0.1\nstiffness = 1.0\n\
        force = { amplitude = 0.1, omega = 0.7 }\nfriction.rate-and-state = { mu = 0.3, a = 0.01, b = 0.015, \
        distance = 1e-4, velocity = 1e-3 }\n[analysis.steady]\n";
    let outcome = Study::read("x", text, &[]).unwrap().run(&mut Progress::none()).unwrap();
    let column = |name: &str| outcome.column(name).unwrap().values.clone();
    let [t, position, acceleration, friction] = ["t", "position", "acceleration", "friction"].map(column);
    assert!(outcome.fact("amplitude").unwrap() < 1e-9);
    for (i, t) in t.iter().enumerate() {
        let load = 0.1 * (0.7 * t).sin() - position[i];
        assert!(
            acceleration[i].abs() < 1e-3 && (friction[i] - load).abs() < 1e-3,
            "t = {t}: {}",
            friction[i]
        );
    }
}

#[test]
fn a_response_follows_the_parameter_and_checks_its_ends() {
    let outcome =
        Study::read("x", RESPONSE, &["points=20".into()]).unwrap().run(&mut Progress::none()).unwrap();
    let (omega, amplitude) = (outcome.column("omega").unwrap(), outcome.column("amplitude").unwrap());
    assert_eq!((omega.values.len(), omega.values[0], omega.values[19]), (20, 0.2, 2.0));
    // each point is the steady state of the system at that value
    let at = |i: usize| {
        let sets = [format!("omega={}", omega.values[i]), "analysis={ steady = {} }".into()];
        Study::read("x", RESPONSE, &sets)
            .unwrap()
            .run(&mut Progress::none())
            .unwrap()
            .fact("amplitude")
            .unwrap()
    };
    for i in [0, 7, 13, 19] {
        assert!((at(i) - amplitude.values[i]).abs() < 1e-11, "{i}");
    }
    let folds = Study::read("x", RESPONSE, &["analysis.response.through_folds=true".into()]).unwrap();
    assert!(folds.run(&mut Progress::none()).unwrap().column("omega").unwrap().values.len() > 10);
    let errors = |set: &str| errors_with(RESPONSE, &[set])[0].0.clone();
    assert_eq!(errors("parameter=omgea"), "analysis.response.parameter");
    assert_eq!(errors("parameter=points"), "analysis.response.parameter");
    assert_eq!(errors("analysis.response.from=-1"), "analysis.response.from");
    assert_eq!(errors("points=1"), "analysis.response.points");
    assert_eq!(errors("integrator={rk4={step=0.1}}"), "integrator");
}

#[test]
fn a_bifurcation_diagram_has_one_state_for_each_period() {
    let sets = [
        "analysis={ bifurcation = { parameter = \"omega\", from = 0.5, to = 0.6, points = 3, transient = 20, samples = 4 } }",
    ];
    let outcome = Study::read("x", RESPONSE, &[sets[0].into()]).unwrap().run(&mut Progress::none()).unwrap();
    assert_eq!(outcome.column("position").unwrap().values.len(), 12);
}

#[test]
fn only_motions_from_an_initial_state_are_compared() {
    let study = Study::read("x", RESPONSE, &[]).unwrap();
    let refused =
        stiction_study::compare::require_set_valued_transient(&study).expect_err("a response is no motion");
    assert!(refused[0].message.contains("initial state"), "{}", refused[0]);
}

#[test]
fn a_missing_key_is_missed_beside_one_that_looks_like_it() {
    let text = "[system.body]\nmass = 1\ninertia = 0.1\npatch = { shape.disc.radius = 0.1, mu1 = 0.0 }\n";
    assert_eq!(keys(text), ["system.body.patch"]);
    assert!(errors(text)[0].1.contains("mu is missing"));
}

#[test]
fn the_parameter_of_a_response_has_a_column_of_its_own() {
    let sets = ["parameter=amplitude", "analysis.response.from=1.5", "analysis.response.to=2", "points=3"];
    let sets = sets.map(String::from);
    let outcome = Study::read("x", RESPONSE, &sets).unwrap().run(&mut Progress::none()).unwrap();
    assert_eq!(outcome.samples[0].name, "force_amplitude");
    assert_eq!(outcome.samples[0].values, [1.5, 1.75, 2.0]);
    let peak = outcome.facts.iter().find(|fact| fact.name() == "peak_at").unwrap();
    assert_eq!(peak.unit, "N");
}

#[test]
fn a_value_without_a_periodic_motion_keeps_its_place() {
    // at resonance the load puts in more than friction can take, and the motion grows for ever
    let sets =
        ["damping=0", "mu=0.1", "analysis.response.from=0.75", "analysis.response.to=1.25", "points=3"];
    let outcome =
        Study::read("x", RESPONSE, &sets.map(String::from)).unwrap().run(&mut Progress::none()).unwrap();
    let amplitude = &outcome.column("amplitude").unwrap().values;
    assert_eq!(outcome.samples[0].values, [0.75, 1.0, 1.25]);
    assert_eq!(amplitude.iter().map(|a| a.is_nan()).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(outcome.fact("points"), Some(2.0));
    assert_eq!(outcome.fact("missing_points"), Some(1.0));
}

#[test]
fn a_body_that_rests_from_the_beginning_stops_at_once() {
    let text = "[system.body]\nmass = 1\ninertia = 0.005\ntilt = 0.05\npatch = { shape.disc.radius = 0.1, mu = 0.2 }\n";
    let outcome = Study::read("x", text, &[]).unwrap().run(&mut Progress::none()).unwrap();
    assert_eq!(outcome.fact("stop_time"), Some(0.0));
    assert_eq!(outcome.fact("path"), Some(0.0));
}

#[test]
fn a_key_of_endless_parts_is_refused() {
    let set = format!("system.{}=1", vec!["a"; 50_000].join("."));
    assert!(errors_with(GOOD, &[&set])[0].1.contains("50001 parts"));
}

/// Each has one unknown key, and is sound once that is put right.
#[test]
fn an_unknown_key_is_one_error_and_none_follows_from_a_guess() {
    let body = "
[system.body]
mass = 1.0
inertia = 0.02
patch = { shape.disc.radius = 0.1, mu = 0.3 }
velocity = [1, 0]
";
    let line = "
[system.oscillator]
mass = 1.0
stiffness = 1.0
friction.coulomb = { mu = 0.3 }
force = { amplitude = 4.0, omega = 1.0 }
[analysis.transient]
periods = 3
";
    for text in [line, body] {
        Study::read("test.toml", text, &[]).unwrap();
    }
    for (text, from, to, key) in [
        (line, "stiffness = 1.0", "springs = [1, 2]", "system.oscillator.springs"),
        (
            line,
            "stiffness = 1.0",
            "springs = { positions = [0, 1], forces = [0, 1] }",
            "system.oscillator.springs",
        ),
        (line, "force =", "driving =", "system.oscillator.driving"),
        (line, "force =", "forces =", "system.oscillator.forces"),
        (line, "omega = 1.0", "pulsation = 1.0", "system.oscillator.force.pulsation"),
        (line, "coulomb", "coulom", "system.oscillator.friction.coulom"),
        (line, "{ mu = 0.3 }", "{ mu = 0.3, height = -1 }", "system.oscillator.friction.coulomb.height"),
        (body, "inertia = 0.02", "inertia = 0.02\nheight = 0.1", "system.body.height"),
    ] {
        let text = text.replace(from, to);
        assert_eq!(keys(&text), [key], "{:?}", errors(&text));
    }
}

//! Scenarios whose answer would be wrong or arbitrary: each is refused at its key, or the limit is reported.

use stiction::Progress;
use stiction::event::EventKind;
use stiction_study::{Outcome, Study};

fn run(text: &str) -> Outcome {
    Study::read("test.toml", text, &[]).unwrap().run(&mut Progress::none()).unwrap()
}

/// The only error: its key, and all of it.
fn refusal(text: &str) -> (String, String) {
    let found = Study::read("test.toml", text, &[]).expect_err("the scenario should not be accepted");
    assert_eq!(found.len(), 1, "{found:?}");
    (found[0].key.clone(), found[0].to_string())
}

#[test]
fn events_of_several_contacts_are_in_the_order_of_time() {
    let outcome = run(r#"
[system.matrices]
mass = [1000.0, 1.0]
damping = [[0.1, -0.05], [-0.05, 0.05]]
stiffness = [[2.0, -1.0], [-1.0, 1.0]]
force = { amplitude = 1.2, omega = 0.7, dof = 1 }
friction = [
    { quinn = { mu = 0.33, width = 0.001 }, load = 1.0, dof = 0 },
    { quinn = { mu = 0.3, width = 0.001 }, load = 0.5, dof = 1 },
]
[analysis.transient]
periods = 30
window = [27, 30]
"#);
    assert!(outcome.events.len() > 30);
    for pair in outcome.events.windows(2) {
        assert!(pair[0].t <= pair[1].t, "{pair:?}");
    }
}

const INCREMENTAL: &str = r#"
[system.oscillator]
mass = 1.0
damping = 0.1
stiffness = 1.0
force = { amplitude = 4.0, omega = 1.0 }
friction = { trigonometric = { mu = 1.6, width = 0.8 } }
[integrator.incremental]
steps_per_period = 2
[analysis.transient]
periods = 20
window = [18, 20]
"#;

#[test]
fn fixed_steps_resolve_the_period_of_every_load() {
    let (key, text) = refusal(INCREMENTAL);
    assert_eq!(key, "integrator.incremental.steps_per_period");
    assert!(text.contains("at least 10"), "{text}");
    for (steps, key) in [
        ("steps_per_period = 9.9", Some("steps_per_period")),
        ("steps_per_period = 10", None),
        ("step = 0.8", Some("step")),
        ("step = 0.1", None),
    ] {
        for method in ["incremental", "rk4"] {
            let text = INCREMENTAL.replace("steps_per_period = 2", steps).replace("incremental", method);
            match key {
                Some(key) => assert_eq!(refusal(&text).0, format!("integrator.{method}.{key}")),
                None => _ = run(&text),
            }
        }
    }
    // the fastest load counts, not the first
    let two = INCREMENTAL.replace("steps_per_period = 2", "steps_per_period = 20").replace(
        "force = { amplitude = 4.0, omega = 1.0 }",
        "force = [{ amplitude = 4.0, omega = 1.0 }, { amplitude = 1.0, omega = 3.0 }]",
    );
    assert!(refusal(&two).1.contains("6.667 steps"));
}

#[test]
fn a_force_beyond_its_law_is_reported_from_a_ten_thousandth_on() {
    let names = |steps: &str| -> Vec<(String, bool)> {
        let outcome = run(&INCREMENTAL.replace("steps_per_period = 2", steps));
        let excess = outcome.fact("friction_max").unwrap() / 1.6 - 1.0;
        assert!(excess > 1e-4, "{steps}: {excess}");
        outcome.warnings.iter().map(|warning| (warning.name.clone(), warning.is_failure)).collect()
    };
    let exceeded = |is_failure| ("law-exceeded".to_owned(), is_failure);
    assert!(names("steps_per_period = 200").contains(&exceeded(false)));
    assert!(names("steps_per_period = 10").contains(&exceeded(true)));
}

const STOPS: &str = r#"
[system.oscillator]
mass = 1.0
force = { constant = -1.0 }
friction.coulomb = { mu = 0.0001 }
stop = STOP
initial = { position = 0.5, velocity = 1.0 }
[analysis.transient]
duration = 6
"#;

#[test]
fn rigid_stops_are_at_places_of_their_own_with_room_between_them() {
    for (stop, key, says) in [
        ("[{ lower = 0, restitution = 0.5 }, { lower = 0, restitution = 0.9 }]", "stop.1.position", "stop 0"),
        ("[{ lower = 0 }, { upper = 2, stiffness = 9 }, { lower = 0 }]", "stop.2.position", "stop 0"),
        ("[{ lower = 0, dof = 0 }, { lower = 0, direction = [2] }]", "stop.1.position", "stop 0"),
        ("{ lower = 0.5, upper = 0.5 }", "stop.position", "room"),
    ] {
        let (found, text) = refusal(&STOPS.replace("STOP", stop));
        assert_eq!(found, format!("system.oscillator.{key}"), "{text}");
        assert!(text.contains(says), "{text}");
    }
    for stop in ["{ lower = 0, upper = 1 }", "[{ lower = 0, stiffness = 90 }, { lower = 0, stiffness = 70 }]"]
    {
        run(&STOPS.replace("STOP", stop));
    }
}

#[test]
fn stops_are_counted_as_listed() {
    let outcome = run(&STOPS.replace(
        "STOP",
        "[{ upper = 5, stiffness = 1e3 }, { lower = 0, restitution = 0.5 }, { lower = 0.2, stiffness = 1e3 }]",
    ));
    let stops: Vec<usize> = outcome
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Impact)
        .map(|event| event.contact)
        .collect();
    // the elastic one above the ground is touched first
    assert_eq!(stops[..1], [2], "{:?}", outcome.events);
    let (key, _) = refusal(&STOPS.replace("STOP", "[{ lower = 0, stiffness = 9 }, { lower = 0.7 }]"));
    assert_eq!(key, "system.oscillator.stop.1.position");
}

#[test]
fn a_formula_that_pushes_in_a_narrow_dip_is_refused() {
    let text = r#"
[system.oscillator]
mass = 1.0
stiffness = 1.0
friction.belt = 0.3
friction.expression = { phi = "sign(v)*(0.3 - 5*exp(-((abs(v)-0.123456)/1e-4)^2))" }
[analysis.transient]
duration = 20
"#;
    let (key, message) = refusal(text);
    assert_eq!(key, "system.oscillator.friction.expression.phi");
    assert!(message.contains("0.123") && message.contains("push"), "{message}");
    run(&text.replace("0.3 - 5*exp", "0.3 - 0.29*exp"));
}

#[test]
fn the_error_of_the_sliders_of_a_joint_is_stated() {
    let text = r#"
[system.oscillator]
mass = 1.0
stiffness = 1.0
damping = 0.1
force = { amplitude = 0.8, omega = 0.7 }
friction.four-parameter-iwan = { mu = 0.6, stiffness = 6.0, exponent = -0.4, ratio = 0.01 }
[analysis.transient]
periods = 4
"#;
    let error = run(text).fact("discretisation_error").unwrap();
    assert!(error > 1e-4 && error < 1e-3, "{error}");
    let coarse = run(&text.replace("ratio = 0.01", "ratio = 0.01, sliders = 5"));
    assert!(coarse.fact("discretisation_error").unwrap() > 0.05);
    let steady = run(&text.replace("[analysis.transient]\nperiods = 4", "[analysis.steady]"));
    assert_eq!(steady.fact("discretisation_error"), Some(error));
}

const CONTROL: &str = r#"
[system.oscillator]
mass = 1.0
friction.coulomb = { mu = 0.1 }
control = { kp = 10.0, kd = 1.0, reference = REFERENCE }
[analysis.transient]
duration = 2
"#;

#[test]
fn a_constant_reference_is_a_number() {
    let as_number = run(&CONTROL.replace("REFERENCE", "0.5"));
    let as_table = run(&CONTROL.replace("REFERENCE", "{ constant = 0.5 }"));
    assert_eq!(as_number.facts, as_table.facts);
    assert!(as_number.fact("position_max").unwrap() > 0.3);
    let (key, text) = refusal(&CONTROL.replace("reference = REFERENCE", "setpoint = 0.5"));
    assert_eq!(key, "system.oscillator.control.setpoint");
    assert!(text.contains("did you mean reference?"), "{text}");
}

#[test]
fn messages_are_short_and_name_the_unit_that_was_meant() {
    let body = "[system.body]\nmass = 1.0\ninertia = 0.02\npatch = { shape.disc.radius = 0.1, mu = 0.3 }\nvelocity = [1, 0]\n";
    let (_, text) = refusal(&format!("{body}tilt = 20\n"));
    assert!(text.contains("tilt_deg"), "{text}");
    let (_, text) = refusal(&CONTROL.replace("REFERENCE", "0").replace("mass = 1.0", "mass = -1e300"));
    assert!(text.contains("-1e300") && text.len() < 200, "{text}");
    let (_, text) = refusal(&CONTROL.replace("REFERENCE", "0").replace("duration = 2", "duration = -1e300"));
    assert!(text.len() < 200, "{text}");
}

/// The slope of a contact at rest is zero whatever engine finds it: its force does not follow from the velocity.
#[test]
fn the_slope_at_rest_is_zero_in_every_engine() {
    for integrator in ["exact", "adaptive"] {
        for friction in [
            "{ coulomb = { mu = 0.5 } }",
            "{ polyline = { velocities = [0.0, 1.0, 10.0], coefficients = [0.5, 0.4, 0.4] } }",
        ] {
            let outcome = run(&format!(
                "[system.oscillator]\nmass = 1.0\nstiffness = 1.0\nforce = {{ amplitude = 1.0, omega = 0.6 }}\n\
                 friction = {friction}\n[integrator.{integrator}]\n[analysis.transient]\nperiods = 4\nsamples = 400\n"
            ));
            let column = |name: &str| &outcome.column(name).unwrap().values;
            let at_rest = column("sliding").iter().zip(column("slope")).filter(|(v, _)| **v == 0.0);
            assert!(at_rest.clone().count() > 10);
            assert!(at_rest.clone().all(|(_, slope)| *slope == 0.0), "{integrator} {friction}");
        }
    }
}

#[test]
fn a_choice_between_consistent_continuations_is_a_note_beside_the_result() {
    let stack = |integrator: &str, mu_static: [f64; 2]| {
        let [lower, upper] = mu_static;
        run(&format!(
            r#"
[system.matrices]
mass = [1.0, 1.0]
stiffness = [0.0, 0.0]
force = {{ amplitude = 1.0, omega = 1.0, dof = 1 }}
friction = [
    {{ coulomb = {{ mu = 0.32, mu_static = {lower} }}, load = 1.0, dof = 0 }},
    {{ coulomb = {{ mu = 0.3, mu_static = {upper} }}, load = 1.0, direction = [-1.0, 1.0] }},
]
[integrator.{integrator}]
[analysis.transient]
duration = 1.0
"#
        ))
    };
    for integrator in ["exact", "adaptive"] {
        let outcome = stack(integrator, [0.4, 0.45]);
        assert!(!outcome.has_failed());
        let [warning] = &outcome.warnings[..] else { panic!("{:?}", outcome.warnings) };
        assert_eq!(warning.name, "several-continuations");
        assert!(warning.message.starts_with("at t = 0.411517 s more than one"), "{}", warning.message);
        assert!(warning.message.contains("contacts 0 and 1,"), "{}", warning.message);
        assert!(stack(integrator, [0.32, 0.3]).warnings.is_empty());
    }
}

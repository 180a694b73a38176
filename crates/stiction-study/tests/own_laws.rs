//! Laws of the reader's own: curves from files, formulas, laws that a program brings along.

use std::fs;
use std::sync::Arc;
use stiction::Progress;
use stiction::law::{Custom, FrictionLaw, SharedLaw, Tanh};
use stiction_study::compare::{Truth, regularised_laws, require_set_valued_transient};
use stiction_study::{Study, Task, give_law};

fn scenario(friction: &str) -> String {
    format!(
        "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = {{ amplitude = 1.0, omega = 0.7 }}\n{friction}\n\n[analysis.transient]\nduration = 20\n"
    )
}

/// What is wrong, as users read it.
fn faults(friction: &str) -> Vec<String> {
    match Study::read("own.toml", &scenario(friction), &[]) {
        Ok(_) => Vec::new(),
        Err(list) => list.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn a_curve_from_a_file_is_the_curve_with_its_points() {
    let folder = std::env::temp_dir().join(format!("stiction-own-laws-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("curve.csv"), "# a test rig\nT,v,mu\n20,0,0.45\n20,0.05,0.4\n21,0.5,0.3\n")
        .unwrap();
    fs::write(folder.join("row.csv"), "v,mu\n0,0.45\n").unwrap();
    fs::write(folder.join("back.csv"), "v,mu\n0,0.45\n0.2,0.4\n0.1,0.3\n").unwrap();
    let name = folder.join("own.toml");
    let read = |friction: &str| Study::read(&name.to_string_lossy(), &scenario(friction), &[]);
    let law = |study: &Study| match &study.task {
        Task::Transient(task) => task.system.contacts[0].friction.law.clone(),
        _ => panic!("a transient"),
    };
    let file = r#"friction.polyline = { file = "curve.csv", velocity_column = "v", coefficient_column = "mu", mu_static = 0.5 }"#;
    let inline = "friction.polyline = { velocities = [0, 0.05, 0.5], coefficients = [0.45, 0.4, 0.3], mu_static = 0.5 }";
    let [file, inline] = [file, inline].map(|text| read(text).unwrap());
    assert_eq!(law(&file), law(&inline));
    let [a, b] = [&file, &inline].map(|study| study.run(&mut Progress::none()).unwrap());
    assert_eq!(a.facts, b.facts);
    // the exact engine is chosen by itself
    assert!(matches!(&file.task, Task::Transient(task) if task.integrator.name() == "exact"));
    for (text, says) in [
        (r#"file = "row.csv""#, "velocities"),
        (r#"file = "back.csv""#, "ascend"),
        (r#"file = "none.csv""#, "polyline.file"),
        (r#"file = "curve.csv", velocity_column = "w""#, "velocity_column"),
        (r#"file = "curve.csv", velocities = [0, 1]"#, "one is enough"),
        (r#"velocity_column = "v", velocities = [0, 1], coefficients = [1, 1]"#, "without file"),
    ] {
        let list = read(&format!("friction.polyline = {{ {text} }}")).unwrap_err();
        assert_eq!(list.len(), 1, "{text}: {list:?}");
        assert!(list[0].to_string().contains(says), "{text}: {}", list[0]);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_bad_law_is_refused_at_its_key_and_place() {
    for (friction, says) in [
        ("friction.polyline = { velocities = [0], coefficients = [1] }", "polyline.velocities"),
        ("friction.polyline = { velocities = [0, 2, 1], coefficients = [1, 1, 1] }", "row 2"),
        ("friction.polyline = { velocities = [0, 2], coefficients = [1] }", "2 velocities"),
        ("friction.expression = { phi = \"1/(1 + 3*w)\" }", "1/(1 + 3*▸w◂), column 10"),
        ("friction.expression = { phi = \"sign(v)/(1 + 3*abs(v)\" }", "ends"),
        ("friction.expression = { phi = \"1/(1 + 3*abs(v))\" }", "multiply a formula of the speed"),
        (
            "friction.expression = { phi = \"a*sign(v)\", parameters = { a = \"x\" } }",
            "expression.parameters.a",
        ),
        (
            "friction.expression = { phi = \"a*sign(v)\", parameters = { a = inf } }",
            "expression.parameters.a",
        ),
        ("friction.custom = { name = \"mine\" }", "only the program"),
    ] {
        let list = faults(friction);
        assert_eq!(list.len(), 1, "{friction}: {list:?}");
        assert!(list[0].contains(says) && list[0].contains("own.toml:5"), "{friction}: {}", list[0]);
    }
}

#[test]
fn parameters_of_a_formula_can_be_swept() {
    let text = scenario("friction.expression = { phi = \"mu*sign(v)\", parameters = { mu = 0.3 } }")
        + "[[sweep.over]]\nparameter = \"parameters.mu\"\nvalues = [0.2, 0.4]\n";
    match Study::read("own.toml", &text, &[]) {
        Ok(study) => assert!(study.sweep.is_some()),
        // the same number by its whole path
        Err(list) => panic!("{}", list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

#[test]
fn a_program_gives_a_law_that_a_scenario_names() {
    let law = FrictionLaw::Custom(Custom::new("mine", Tanh { mu: 0.3, width: 0.01 }));
    let FrictionLaw::Custom(Custom { law: Some(shared), .. }) = &law else { panic!("given") };
    give_law("mine", shared);
    let study = Study::read("own.toml", &scenario("friction.custom = { name = \"mine\" }"), &[]).unwrap();
    let own = study.run(&mut Progress::none()).unwrap();
    let known =
        Study::read("own.toml", &scenario("friction.tanh = { mu = 0.3, width = 0.01 }"), &[]).unwrap();
    let known = known.run(&mut Progress::none()).unwrap();
    assert_eq!(own.facts, known.facts);
    // another process that reads the same scenario is reported
    assert!(study.scenario.to_toml().unwrap().contains("name = \"mine\""));
    let _: &SharedLaw = shared;
    let weak = Arc::downgrade(&shared.0);
    drop((law, study));
    assert!(weak.upgrade().is_none());
    assert_eq!(faults("friction.custom = { name = \"mine\" }").len(), 1);
}

/// Every set-valued law can be compared with, and what stands in for it tends to it.
#[test]
fn laws_that_stand_in_tend_to_the_law_that_rests() {
    for (friction, expected) in [
        ("friction.coulomb = { mu = 0.4 }", 13),
        ("friction.stribeck = { mu = 0.3, mu_static = 0.5, velocity = 0.2 }", 4),
        ("friction.polyline = { velocities = [0, 0.1, 1], coefficients = [0.5, 0.4, 0.35] }", 1),
        ("friction.expression = { phi = \"(0.3 + 0.2*exp(-abs(v)/0.2))*sign(v)\" }", 1),
    ] {
        let study = Study::read("own.toml", &scenario(friction), &[]).unwrap();
        let motion = require_set_valued_transient(&study).unwrap();
        let laws = regularised_laws::<&str>(&[], motion).unwrap();
        assert_eq!(laws.len(), expected, "{friction}");
        let truth = Truth::new(motion, &mut Progress::none()).unwrap();
        let error = |width: f64| truth.row(laws[0], width, &mut Progress::none()).unwrap().errors;
        let (wide, narrow) = (error(1e-2), error(1e-5));
        assert!(narrow.trajectory < 0.02 * wide.trajectory, "{friction}: {wide:?} {narrow:?}");
        assert!(narrow.stick_fraction.abs() < 0.02, "{friction}: {narrow:?}");
    }
    let smooth =
        Study::read("own.toml", &scenario("friction.tanh = { mu = 0.3, width = 0.01 }"), &[]).unwrap();
    assert!(require_set_valued_transient(&smooth).is_err());
    let uneven = "friction.expression = { phi = \"0.4*sign(v)\" }";
    let study = Study::read("own.toml", &scenario(uneven), &[]).unwrap();
    let motion = require_set_valued_transient(&study).unwrap();
    assert!(regularised_laws(&["linear"], motion).is_err());
}

/// `reverse` stands beside any law.
#[test]
fn friction_may_differ_in_the_two_directions() {
    let law = |friction: &str| match Study::read("own.toml", &scenario(friction), &[]).unwrap().task {
        Task::Transient(task) => task.system.contacts[0].friction.law.clone(),
        _ => panic!("a transient"),
    };
    let uneven = law("friction = { coulomb = { mu = 0.5, mu_static = 0.6 }, reverse = 0.5 }");
    let even = law("friction.coulomb = { mu = 0.5, mu_static = 0.6 }");
    assert_eq!(uneven, even.clone().directed(0.5));
    assert_eq!((uneven.forward(), uneven.reverse(), even.reverse()), (&even, Some(0.5), None));
    for (friction, expected) in [
        ("friction = { jenkins = { mu = 0.5, stiffness = 3.0 }, reverse = -1.0 }", "reverse = -1"),
        ("friction = { quinn = { mu = 0.5, width = 0.1 }, reverse = -2.0 }", "reverse = -2"),
        ("friction = { coulomb = { mu = 0.5 }, reverse = -0.5 }", "reverse = -0.5"),
        ("friction = { coulomb = { mu = 0.5 }, reversed = 0.5 }", "reverse"),
    ] {
        let reported = faults(friction);
        assert!(reported.len() == 1 && reported[0].contains(expected), "{friction}: {reported:?}");
    }
    // a response may run over it
    let text = "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = { amplitude = 1.0, omega = 0.7 }\nfriction = { coulomb = { mu = 0.2 }, reverse = 0.5 }\n\n[analysis.response]\nparameter = \"system.oscillator.friction.reverse\"\nfrom = 0.2\nto = 1.0\n";
    let study = Study::read("own.toml", text, &[]).unwrap();
    assert!(matches!(study.task, Task::Response(_)));
}

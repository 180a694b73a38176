//! Tables, varying loads, stops and control as users write them.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

use crate::texts::{faults, run};
use stiction_study::Study;

/// The last row of the reference motions of another program (see the core's tests): positions, then velocities.
fn reference(case: &str) -> (f64, Vec<f64>) {
    let table = include_str!("../../stiction/tests/reference/systems.csv");
    let mut rows = table.lines().filter_map(|line| line.strip_prefix(case)?.strip_prefix(','));
    let last: Vec<f64> = rows.next_back().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    (last[0], last[1..].to_vec())
}

const CASES: [(&str, &str); 6] = [
    (
        "varying_load",
        "oscillator = { mass = 1, damping = 0.05, stiffness = 1, force = { amplitude = 1.5, omega = 0.8 }, \
         friction = { coulomb.mu = 0.5, load_varies = { amplitude = 0.6, omega = 1.6, phase = 0.4 } } }",
    ),
    (
        "load_table",
        "oscillator = { mass = 1, damping = 0.1, stiffness = 1, friction.coulomb = { mu = 0.5, mu_static = 0.6 }, \
         force.table = { times = [0, 1, 2, 2.5, 6, 9, 20], values = [0, 2, 2, -1.5, 1.8, 0, 0] } }",
    ),
    (
        "moving_belt",
        "oscillator = { mass = 1, damping = 0.02, stiffness = 1, friction = { coulomb = { mu = 0.4, mu_static = 0.5 }, \
         belt = 0.2, belt_varies = { amplitude = 0.3, omega = 0.9 } } }",
    ),
    (
        "pid_hunting",
        "oscillator = { mass = 1, friction.coulomb = { mu = 0.3, mu_static = 0.5 }, initial.position = 1, \
         control = { kp = 4, ki = 2, kd = 1.5 } }",
    ),
    (
        "rigid_stop",
        "oscillator = { mass = 1, damping = 0.05, stiffness = 1, force = { amplitude = 1.2, omega = 0.7 }, \
         friction.coulomb.mu = 0.2, stop = { upper = 0.5, restitution = 0.7 } }",
    ),
    (
        "load_by_coordinate",
        "matrices = { mass = [1, 1], damping = [0.04, 0.06], stiffness = [[2, -0.8], [-0.8, 1.5]], \
         force = [{ amplitude = 0.9, omega = 0.6, dof = 0 }, { amplitude = 0.2, omega = 1.3, phase = 0.5, dof = 1 }], \
         friction = { coulomb = { mu = 0.25, mu_static = 0.35 }, dof = 0, load = 2.5, load_varies.by_position = [0, 1.2] } }",
    ),
];

#[test]
fn what_is_written_is_the_system_of_the_reference() {
    for (case, system) in CASES {
        let (t, state) = reference(case);
        let text = format!("[system]\n{system}\n[analysis.transient]\nduration = {t}\nsamples = 2\n");
        let outcome = run(&text);
        assert!(outcome.warnings.is_empty(), "{case}: {:?}", outcome.warnings);
        let columns = outcome
            .samples
            .iter()
            .filter(|c| c.name.starts_with("position") || c.name.starts_with("velocity"));
        for (column, value) in columns.zip(&state) {
            let end = column.values[1];
            assert!((end - value).abs() < 1e-11, "{case}, {}: {end} for {value}", column.name);
        }
    }
}

#[test]
fn a_scenario_survives_being_written_out() {
    for (case, system) in CASES {
        let text = format!("[system]\n{system}\n[analysis.transient]\nduration = 1\n");
        let study = Study::read("x.toml", &text, &[]).unwrap();
        let again = Study::read("y.toml", &study.scenario.to_toml().unwrap(), &[]).unwrap();
        assert_eq!(study.scenario, again.scenario, "{case}");
    }
}

#[test]
fn a_table_may_stand_in_a_file() {
    let folder = std::env::temp_dir().join(format!("stiction-force-elements-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("load.csv");
    std::fs::write(
        &file,
        "# measured\nvalue, t, other\n0,0,9\n2,1,9\n2,2,9\n-1.5,2.5,9\n1.8,6,9\n0,9,9\n0,20,9\n",
    )
    .unwrap();
    let path = file.display();
    let text = |extra: &str| {
        format!(
            "[system.oscillator]\nmass = 1\ndamping = 0.1\nstiffness = 1\n\
             friction.coulomb = {{ mu = 0.5, mu_static = 0.6 }}\n\
             force.table = {{ file = '{path}'{extra} }}\n[analysis.transient]\nduration = 15\nsamples = 2\n"
        )
    };
    let columns = ", time_column = 't', value_column = 'value'";
    let (_, state) = reference("load_table");
    let outcome = run(&text(columns).replace("duration = 15", "duration = 20"));
    assert!((outcome.column("position").unwrap().values[1] - state[0]).abs() < 1e-11);
    // the first column is not ascending
    assert!(faults(&text(""))[0].contains("times must ascend"), "{:?}", faults(&text("")));
    let found = faults(&text(", time_column = 'seconds'"));
    assert!(found[0].starts_with("system.oscillator.force.table.time_column: "), "{found:?}");
    assert!(found[0].contains("no column seconds; it has value, t, other"), "{found:?}");
    std::fs::write(&file, "t,f\n0,0\n1,oops\n").unwrap();
    assert!(
        faults(&text(""))[0].contains("line 3: \"oops\" is not a finite number"),
        "{:?}",
        faults(&text(""))
    );
    for (rows, words) in [("0,0\n2,1\n1,0\n", "row 2, from 0, goes back"), ("", "0 times")] {
        std::fs::write(&file, format!("t,f\n{rows}")).unwrap();
        let found = faults(&text(""));
        assert!(found[0].starts_with("system.oscillator.force.table.file: "), "{found:?}");
        assert!(found[0].contains(words) && found[0].contains(&file.display().to_string()), "{found:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    // a file that is not there, and a folder in the place of one, are named
    for unreadable in [file.display().to_string(), std::env::temp_dir().display().to_string()] {
        let found = faults(&text("").replace(&file.display().to_string(), &unreadable));
        assert!(found[0].starts_with("system.oscillator.force.table.file: "), "{found:?}");
        assert!(found[0].contains(&unreadable), "{found:?}");
    }
}

#[test]
fn bad_input_is_refused_at_its_key() {
    let o = "system.oscillator";
    let with = |line: &str| {
        let text = format!(
            "[{o}]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\n{line}\n[analysis.transient]\nduration = 1\n"
        );
        faults(&text)
    };
    for (line, key, words) in [
        ("force.table = { times = [0, 2, 1], values = [0, 1, 2] }", "force.table.times", "row 2, from 0"),
        ("force.table = { times = [0, 1], values = [0] }", "force.table.values", "1 numbers"),
        ("force.table = { times = [0, 2], values = [0, 1], period = 1 }", "force.table.period", "2 s"),
        ("friction.load_varies = { amplitude = -2, omega = 1, phase = 2 }", "friction.load", "only presses"),
        ("friction.load_varies.amplitude = 2", "friction.load_varies.amplitude", "omega"),
        ("stop = { upper = 1, restitution = 1.1 }", "stop.restitution", "from 0 to 1"),
        ("stop = { restitution = 0.5 }", "stop", "neither upper nor lower"),
        ("stop = { upper = 1, restitution = 0.5, stiffness = 9 }", "stop.restitution", "needs none"),
        ("stop = { upper = 1, damping = 0.5 }", "stop.damping", "without stiffness"),
        ("stop = { upper = 1, stiffness = -1 }", "stop.stiffness", "positive"),
        ("stop = { upper = -1 }", "stop", "beyond the stop"),
        ("control = { kp = inf }", "control.kp", "finite"),
        ("control = { kp = 1, limit = 0 }", "control.limit", "positive"),
        ("control = { kp = 1, ki = 1, anti_windup = 1 }", "control.anti_windup", "without limit"),
        ("control = { kp = 1, limit = 1, anti_windup = 1 }", "control.anti_windup", "without ki"),
        ("spring = { positions = [0], forces = [0] }", "spring.positions", "at least 2"),
        ("spring = { positions = [0, 1], forces = [0] }", "spring.forces", "2 positions"),
        ("spring = { positions = [0, 1, 1], forces = [0, 1, 2] }", "spring.positions", "ascend"),
        ("spring = { positions = [0, 1], forces = [0, nan] }", "spring.forces", "finite"),
    ] {
        let found = with(line);
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        assert!(found[0].starts_with(&format!("{o}.{key}")) && found[0].contains(words), "{line}: {found:?}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let text = format!("[system]\n{}\n", CASES[4].1);
    let found = faults(&format!("{text}[analysis.steady.harmonic_balance]\n"));
    assert!(found.iter().any(|fault| fault.contains("stops")), "{found:?}");
    let held = faults(&format!("[system]\n{}\n[analysis.steady]\n", CASES[1].1));
    assert!(held.iter().any(|fault| fault.contains("does not repeat itself")), "{held:?}");
    let found = faults(&format!("{text}[integrator.rk4]\nstep = 0.01\n[analysis.transient]\nduration = 1\n"));
    assert!(found.iter().any(|fault| fault.contains("rk4 does not support signals")), "{found:?}");
    let viscous = CASES[0].1.replace("coulomb.mu = 0.5,", "coulomb.mu = 0.5, viscous = 0.1,");
    let found =
        faults(&format!("[system]\n{viscous}\n[integrator.exact]\n[analysis.transient]\nduration = 1\n"));
    assert!(found.iter().any(|fault| fault.contains("not linear")), "{found:?}");
}

#[test]
fn a_periodic_motion_of_a_controller_is_run_from_its_own_state() {
    let outcome = run(include_str!("../../../examples/pid_limit_cycle.toml"));
    let position = &outcome.column("position").unwrap().values;
    let (first, last) = (position[0], position[position.len() - 1]);
    assert!((first - last).abs() < 1e-12, "{first} {last}");
    assert_eq!(outcome.fact("stops"), Some(2.0));
}

#[test]
fn a_response_varies_the_wave_of_a_normal_load() {
    let text =
        include_str!("../../../examples/varying_load_response.toml").replace("points = 121", "points = 3");
    let response = run(&text);
    let amplitudes = &response.column("amplitude").unwrap().values;
    // the last phase is the first
    assert!((amplitudes[0] - amplitudes[2]).abs() < 1e-11);
    let (system, _) = text.split_once("[analysis").unwrap();
    let alone =
        run(&format!("{}\n[analysis.steady]\n", system.replace("phase = 0.0", "phase = 3.141592653589793")));
    assert!((amplitudes[1] - alone.fact("amplitude").unwrap()).abs() < 1e-11);
}

/// A base that is shaken by a table of straight pieces is the oscillator under −m b̈.
#[test]
fn a_record_of_the_base_is_a_load_on_the_mass() {
    let run_with = |drive: &str| {
        run(&format!(
            "[system.oscillator]\nmass = 2\ndamping = 0.1\nstiffness = 3\nfriction.coulomb.mu = 0.5\n{drive}\n\
             [analysis.transient]\nduration = 9\nsamples = 2\n"
        ))
    };
    let base = run_with("base.acceleration = { times = [0, 1, 3, 5], values = [0, 2, -1.5, 0] }");
    let load = run_with("force.table = { times = [0, 1, 3, 5], values = [0, -4, 3, 0] }");
    for name in ["position", "velocity"] {
        let [a, b] = [&base, &load].map(|outcome| outcome.column(name).unwrap().values[1]);
        assert!((a - b).abs() < 1e-14 && a != 0.0, "{name}: {a} {b}");
    }
    let found =
        faults("[system.oscillator]\nmass = 1\nbase.amplitude = 1\n[analysis.transient]\nduration = 1\n");
    assert!(found[0].starts_with("system.oscillator.base.omega: 0, but"), "{found:?}");
}

#[test]
fn noise_is_a_table_that_a_seed_sets() {
    let text = include_str!("../../../examples/earthquake.toml");
    let end = |text: &str| run(text).column("position").unwrap().values.last().copied().unwrap();
    assert_eq!(end(text), end(text));
    assert_ne!(end(text), end(&text.replace("seed = 3", "seed = 4")));
    for (from, to, key) in [
        ("duration = 20.0", "duration = 1e9", "noise.duration: "),
        ("low = 4.0", "low = 29.99", "noise.duration: no tone"),
        ("low = 4.0", "low = 40.0", "noise.high: "),
    ] {
        let found = faults(&text.replace(from, to));
        assert!(found[0].contains(key), "{found:?}");
    }
}

/// As the filter becomes fast the derivative action is that of the velocity itself.
#[test]
fn a_filter_of_the_derivative_action_vanishes_with_its_time() {
    let end = |filter: &str| {
        let text = format!(
            "[system.oscillator]\nmass = 1\nfriction.coulomb.mu = 0.1\ninitial.position = 1\n\
             control = {{ kp = 4, ki = 0.5, kd = 1.5{filter} }}\n[analysis.transient]\nduration = 2\nsamples = 2\n"
        );
        run(&text).column("position").unwrap().values[1]
    };
    let errors = [0.1, 0.01, 0.001].map(|time| (end(&format!(", filter = {time}")) - end("")).abs());
    // of first order in the time
    assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1] && errors[2] > 0.0, "{errors:?}");
}

#[test]
fn a_brake_squeals_from_the_friction_of_the_closed_form_on() {
    let text = include_str!("../../../examples/brake_stability.toml");
    let outcome = run(&text.replace("damping = [0.02, 0.02]", "damping = [0.0, 0.0]"));
    let exact = (1.0 / 24.0 + 6.0) / 12.0;
    let found = outcome.fact("critical_at").unwrap();
    assert!((found - exact).abs() < 1e-10, "{found} for {exact}");
    // the modes are followed: no frequency jumps
    let frequencies = outcome.samples.iter().filter(|column| column.name.starts_with("frequency"));
    for column in frequencies {
        let leap = column.values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        assert!(leap < 0.08, "{}: {leap}", column.name);
    }
    let found = faults(&text.replace("belt = -2.0", "belt = 0.0"));
    assert!(found[0].contains("contact 0 rests"), "{found:?}");
    assert!(faults(&format!("{text}\n[integrator.exact]\n"))[0].starts_with("integrator"));
}

#[test]
fn a_spring_of_pieces_is_its_linear_springs_piece_by_piece() {
    // 3 N/m below zero and 20 N/m above: a half period on each, whichever way the points are written
    let period = std::f64::consts::PI * ((2.0f64 / 3.0).sqrt() + (2.0f64 / 20.0).sqrt());
    for spring in [
        "spring = { positions = [-1, 0, 1], forces = [-3, 0, 20] }",
        "stiffness = 3\nspring = { positions = [-1, 0, 0.1, 0.3], forces = [0, 0, 1.7, 5.1] }",
        // preloads that cancel
        "spring = [{ positions = [-1, 0, 1], forces = [-2, 1, 21] }, { positions = [1, 2], forces = [-1, -1] }]",
    ] {
        let text = format!(
            "[system.oscillator]\nmass = 2\n{spring}\ninitial.velocity = 1\n\
             [analysis.transient]\nduration = {period}\nsamples = 2\n"
        );
        let outcome = run(&text);
        for (name, value) in [("position", 0.0), ("velocity", 1.0)] {
            let end = outcome.column(name).unwrap().values[1];
            assert!((end - value).abs() < 1e-13, "{spring}, {name}: {end}");
        }
    }
}

#[test]
fn a_limited_controller_with_a_filter_is_the_same_by_steps_in_time() {
    let text = "[system.oscillator]\nmass = 1\nfriction.linear = { mu = 0.1, width = 0.05 }\n\
                control = { kp = 4, ki = 2, kd = 3, filter = 0.1, limit = 1, anti_windup = 0.5, \
                reference.table = { times = [1, 1], values = [0, 2] } }\n\
                [analysis.transient]\nduration = 12\nsamples = 2\n";
    let end = |text: &str| run(text).column("position").unwrap().values[1];
    let exact = end(&format!("{text}[integrator.exact]\n"));
    let adaptive = end(&format!("{text}[integrator.adaptive]\nrtol = 1e-11\natol = 1e-13\n"));
    // 1e-11 a step, in some hundred steps
    assert!((exact - adaptive).abs() < 1e-8, "{exact} {adaptive}");
    // the limit matters
    assert!((exact - end(&text.replace("limit = 1", "limit = 100"))).abs() > 1e-3);
}

#[test]
fn a_stiffness_beside_springs_of_pieces_does_not_vary() {
    let text = "[system.oscillator]\nmass = 1\nstiffness = 1\nspring = { positions = [0, 1], forces = [0, 1] }\n\
                force = { amplitude = 1, omega = 1 }\n\
                [analysis.response]\nparameter = 'stiffness'\nfrom = 1\nto = 2\n";
    let found = faults(text);
    assert!(found[0].starts_with("analysis.response.parameter: a stiffness beside springs"), "{found:?}");
}

/// A run that goes on from the end of another is the second part of one long run, whatever remembers.
#[test]
fn a_run_goes_on_from_the_end_of_another() {
    let lugre = "oscillator = { mass = 1, stiffness = 1, force = { amplitude = 1, omega = 0.5 }, \
                 friction.lugre = { mu = 0.3, mu_static = 0.4, velocity = 0.1, stiffness = 1e3, damping = 10 } }";
    let jenkins = "oscillator = { mass = 1, stiffness = 1, force = { amplitude = 0.9, omega = 0.6 }, \
                   friction.jenkins = { mu = 0.5, stiffness = 3 } }";
    let filtered = "oscillator = { mass = 1, friction.coulomb = { mu = 0.3, mu_static = 0.5 }, initial.position = 1, \
                    control = { kp = 4, ki = 2, kd = 1.5, filter = 0.05, reference = { amplitude = 0.2, omega = 0.4 } } }";
    let own = [("lugre", lugre), ("jenkins", jenkins), ("filtered", filtered)];
    for (name, system) in CASES.into_iter().chain(own) {
        let of = |duration: f64, initial: Option<serde_json::Value>| {
            let mut document = toml::from_str::<toml::Table>(&format!(
                "[system]\n{system}\n[analysis.transient]\nduration = {duration}\n"
            ))
            .unwrap();
            if let Some(initial) = initial {
                let system = document["system"].as_table_mut().unwrap().iter_mut().next().unwrap().1;
                let initial: toml::Value = serde_json::from_value(initial).unwrap();
                system.as_table_mut().unwrap().insert("initial".to_owned(), initial);
            }
            run(&toml::to_string(&document).unwrap())
        };
        let whole = of(20.0, None);
        let first = of(7.3, None);
        // the end is written and read as JSON
        let end = serde_json::to_value(first.json()).unwrap()["end"].clone();
        let second = of(20.0 - 7.3, Some(end));
        let (whole, second) = (whole.end.unwrap(), second.end.unwrap());
        assert!((second.time - 20.0).abs() < 1e-14, "{name}");
        let tolerance = if name == "lugre" { 1e-4 } else { 1e-11 };
        for (a, b) in whole.position.iter().zip(second.position.iter()) {
            assert!((a - b).abs() < tolerance, "{name}: {a} {b}");
        }
        for (a, b) in whole.states.iter().zip(&second.states) {
            assert!((a - b).abs() < tolerance, "{name}: {a} {b}");
        }
    }
}

#[test]
fn internal_states_are_columns_and_are_checked() {
    let text = |states: &str| {
        format!(
            "[system.oscillator]\nmass = 1\nstiffness = 1\ncontrol = {{ kp = 1, ki = 1 }}\ninitial = {{ {states} }}\n\
             friction.jenkins = {{ mu = 0.5, stiffness = 3 }}\n[analysis.transient]\nduration = 1\n"
        )
    };
    let outcome = run(&text("states = [0.1, -0.2]"));
    let first = |name: &str| outcome.column(name).unwrap().values[0];
    assert_eq!([first("deflection"), first("feedback")], [0.1, -0.2]);
    assert_eq!(outcome.column("deflection").unwrap().unit, "m");
    // H = k_t z on the left
    assert!((first("friction") - 0.3).abs() < 1e-15);
    let found = faults(&text("states = [0.1]"));
    assert_eq!(
        found,
        ["system.oscillator.initial.states: 1 numbers, but laws and controllers have 2 states"]
    );
    let found = faults(&text("time = inf"));
    assert!(found[0].starts_with("system.oscillator.initial.time"), "{found:?}");
}

/// Frequencies in hertz and angles in degrees are the same numbers in rad/s and rad, in every table.
#[test]
fn hertz_and_degrees_stand_for_their_si_keys() {
    let system = |force: &str, load: &str, belt: &str| {
        format!(
            "[system.oscillator]\nmass = 1\nstiffness = 1\nforce = {{ amplitude = 1, {force} }}\n\
             friction = {{ coulomb.mu = 0.3, load = 2, load_varies = {{ amplitude = 1, {load} }}, \
             belt_varies = {{ amplitude = 0.1, {belt} }} }}\n[analysis.transient]\nduration = 5\n"
        )
    };
    let tau = std::f64::consts::TAU;
    let si = system(
        &format!("omega = {}, phase = {}", tau * 0.25, tau / 8.0),
        &format!("omega = {}", tau * 0.5),
        &format!("omega = {}, phase = {}", tau * 2.0, -tau / 4.0),
    );
    let other =
        system("frequency = 0.25, phase_deg = 45", "frequency = 0.5", "frequency = 2, phase_deg = -90");
    let (a, b) = (run(&si), run(&other));
    assert_eq!(a.samples, b.samples);
    let found = faults(&system("frequency = 1, omega = 2", "omega = 1", "omega = 1"));
    assert_eq!(found, ["system.oscillator.force.frequency: given beside omega, but there must be one"]);
    let found = faults(&system("omega = 2, phase = 0, phase_deg = 3", "omega = 1", "omega = 1"));
    assert_eq!(found, ["system.oscillator.force.phase_deg: given beside phase, but there must be one"]);
    let found = faults(&system("frequency = 'a'", "omega = 1", "omega = 1"));
    assert!(found[0].starts_with("system.oscillator.force.frequency: the text"), "{found:?}");
    // only angles have degrees
    let found = faults(&system("omega = 1, amplitude_deg = 3", "omega = 1", "omega = 1"));
    assert!(found[0].starts_with("system.oscillator.force.amplitude_deg"), "{found:?}");
}

#[test]
fn steps_ramps_and_pulses_are_tables() {
    let with = |table: &str| {
        format!(
            "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce.table = {{ {table} }}\n\
             [analysis.transient]\nduration = 9\n"
        )
    };
    for (short, long) in [
        ("step = { at = 1, value = 2 }", "times = [1, 1], values = [0, 2]"),
        ("ramp = { start = 1, end = 3, value = -2 }", "times = [1, 3], values = [0, -2]"),
        ("pulse = { start = 1, end = 3, value = 2 }", "times = [1, 1, 3, 3], values = [0, 2, 2, 0]"),
        (
            "pulse = { start = 1, end = 3, value = 2 }, period = 4",
            "times = [1, 1, 3, 3], values = [0, 2, 2, 0], period = 4",
        ),
    ] {
        assert_eq!(run(&with(short)).samples, run(&with(long)).samples, "{short}");
    }
    let o = "system.oscillator.force.table";
    for (table, key, words) in [
        ("step = { at = 1, value = 2 }, times = [1], values = [1]", "step", "given beside times"),
        ("ramp = { start = 3, end = 1, value = 2 }", "ramp.end", "before it begins"),
        ("step = { at = 1, value = 2 }, period = 3", "period", "does not repeat"),
        ("pulse = { start = 0, end = 2, value = nan }", "pulse.value", "finite"),
        ("pulse = { start = 0, end = 2, value = 1 }, period = 1", "period", "2 s"),
        ("chirp = { amplitude = 1, from = 0, to = 0, duration = 5 }", "chirp.to", "positive"),
        ("chirp = { amplitude = 1, from = 1, to = 5, duration = 5 }, period = 5", "period", "does not"),
        ("chirp = { amplitude = 1, from = 1, to = 5e5, duration = 5 }", "chirp.duration", "points"),
        ("file = 'a.csv', noise = { rms = 1, high = 3, duration = 5 }", "noise", "given beside file"),
    ] {
        let found = faults(&with(table));
        assert_eq!(found.len(), 1, "{table}: {found:?}");
        assert!(
            found[0].starts_with(&format!("{o}.{key}: ")) && found[0].contains(words),
            "{table}: {found:?}"
        );
    }
}

/// A PID controller written as a state space is that controller, by both engines.
#[test]
fn a_controller_is_a_state_space() {
    let head = "[system.oscillator]\nmass = 1\ninitial.position = 1\n";
    let pid = "control = { kp = 4, ki = 2, kd = 1.5, filter = 0.1, reference = { amplitude = 0.3, omega = 0.7 } }\n";
    // x₀ = ∫e dt, x₁ the filtered velocity
    let space = "[system.oscillator.state_space]\na = [[0, 0], [0, -10]]\nb_position = [[-1], [0]]\nb_velocity = [[0], [10]]\n\
                 b_reference = [[1], [0]]\nf_state = [[2, -1.5]]\nf_position = [[-4]]\nf_reference = [[4]]\n\
                 reference = { amplitude = 0.3, omega = 0.7 }\n";
    let tail = "[analysis.transient]\nduration = 20\n";
    let coulomb = "friction.coulomb = { mu = 0.3, mu_static = 0.5 }\n";
    let smooth = "friction.trigonometric = { mu = 0.3, width = 0.1 }\n";
    for friction in [coulomb, smooth] {
        let a = run(&format!("{head}{friction}{pid}{tail}"));
        let b = run(&format!("{head}{friction}{space}{tail}"));
        for name in ["position", "feedback_0", "feedback_1"] {
            let pairs = a.column(name).unwrap().values.iter().zip(&b.column(name).unwrap().values);
            let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-11, "{friction}{name}: {off:e}");
        }
        assert_eq!(b.events.len(), a.events.len());
    }
    // beside a controller its states come second
    let both = run(&format!(
        "{head}{coulomb}{pid}[system.oscillator.state_space]\na = [[-1]]\ninitial = [0.5]\n{tail}"
    ));
    let decay = &both.column("feedback_2").unwrap().values;
    assert!((decay[2000] - 0.5 * (-20.0f64).exp()).abs() < 1e-13);
    for (line, key, words) in [
        ("b_position = [[1, 1]]", "b_position", "2 rows of 1 numbers"),
        ("initial = [1]", "initial", "A has 2 rows"),
        ("f_reference = [[1]]", "f_reference", "1 rows of 0 numbers"),
        ("f_state = [[0, inf]]", "f_state", "finite"),
    ] {
        let space = format!("[system.oscillator.state_space]\na = [[0, 1], [1, 0]]\n{line}\n");
        let found = faults(&format!("{head}{space}{tail}"));
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        let start = format!("system.oscillator.state_space.{key}: ");
        assert!(found[0].starts_with(&start) && found[0].contains(words), "{line}: {found:?}");
    }
}

/// A polynomial spring: the period of a Duffing oscillator without friction, and its energy.
#[test]
fn a_polynomial_spring_is_duffings() {
    let text = |spring: &str, rest: &str| {
        format!(
            "[system.oscillator]\nmass = 1\ninitial.position = 1\nspring = {{ {spring} }}\n\
             [integrator.adaptive]\nrtol = 1e-11\natol = 1e-13\n[analysis.transient]\n{rest}\n"
        )
    };
    // ü + u³ = 0 from u = 1 swings with the period 4 ∫₀¹ du/√((1 − u⁴)/2) = 4√2 · 1.3110287771461 (lemniscate constant)
    let period = 7.416_298_709_205_487;
    let cubic = run(&text("polynomial = [0, 0, 1]", &format!("times = [0, {period}]\nduration = {period}")));
    let position = &cubic.column("position").unwrap().values;
    assert!((position[1] - 1.0).abs() < 1e-9, "{}", position[1]);
    assert!(cubic.fact("energy_residual").unwrap().abs() < 1e-9);
    // what is linear is a stiffness
    let linear = run(&text("polynomial = [4]", "duration = 3"));
    let position = &linear.column("position").unwrap().values;
    assert!((position[2000] - 6.0f64.cos()).abs() < 1e-9);
    let found = faults(
        &text("polynomial = [0, 0, 1]", "duration = 1")
            .replace("[integrator.adaptive]\nrtol = 1e-11\natol = 1e-13", "[integrator.exact]"),
    );
    assert!(found.iter().any(|fault| fault.contains("one of them is a polynomial")), "{found:?}");
    let found = faults(&text("polynomial = [1, inf]", "duration = 1"));
    assert_eq!(found, ["system.oscillator.spring.polynomial: not finite"]);
    let found = faults(&text("polynomial = [1], positions = [0, 1], forces = [0, 1]", "duration = 1"));
    assert!(found[0].starts_with("system.oscillator.spring.polynomial: given beside"), "{found:?}");
}

/// What is reported contact by contact adds up to the losses, by every kind of engine, and a slide that stops has a known way.
#[test]
fn wear_adds_up_to_the_losses() {
    let tail = "[analysis.transient]\nduration = 20\nwindow = [3, 17]\nwear = true\n";
    let contacts = |law: &str| {
        format!(
            "[system.matrices]\nmass = [1, 1]\nstiffness = [[2, -1], [-1, 1.5]]\nforce = {{ amplitude = 2, omega = 0.7, dof = 0 }}\n\
             friction = [{{ {law}, dof = 0, load = 1 }}, {{ {law}, dof = 1, load = 2, belt = 0.2 }}]\n"
        )
    };
    let wide = format!("[system]\n{}\n", CASES[0].1);
    let plain = wide.replace("load_varies = { amplitude = 0.6, omega = 1.6, phase = 0.4 }", "load = 1.1");
    let modal = contacts("coulomb = { mu = 0.3, mu_static = 0.4 }");
    let smooth = contacts("trigonometric = { mu = 0.3, width = 0.1 }");
    for (name, system, m, tolerance) in [
        ("wide", wide, 1, 1e-12),
        ("one degree of freedom", plain, 1, 1e-12),
        ("two", modal, 2, 1e-12),
        ("adaptive", smooth, 2, 1e-6),
    ] {
        let outcome = run(&format!("{system}{tail}"));
        let of = |what: &str| -> f64 {
            let name = |i: usize| if m == 1 { what.to_owned() } else { format!("{what}_{i}") };
            (0..m).map(|i| outcome.fact(&name(i)).unwrap()).sum()
        };
        let loss = outcome.fact("friction_loss").unwrap();
        assert!((of("work") - loss).abs() < tolerance * loss, "{name}: {} {loss}", of("work"));
        assert!((of("friction_work") - of("work")).abs() < tolerance * loss, "{name}");
        assert!(of("slip_distance") > 1.0, "{name}");
    }
    let slide = run("[system.oscillator]\nmass = 2\nfriction.coulomb.mu = 0.5\ninitial.velocity = 3\n\
                     [analysis.transient]\nduration = 20\nwear = true\n");
    // m v²/2 = 9 J, against 0.5 N
    assert!((slide.fact("slip_distance").unwrap() - 18.0).abs() < 1e-12);
    assert!((slide.fact("work").unwrap() - 9.0).abs() < 1e-12);
}

/// In space a block that sticks to its base moves with it.
#[test]
fn under_a_base_the_motion_in_space_is_reported() {
    let outcome = run("[system.oscillator]\nmass = 1\nfriction = { coulomb.mu = 0.9, load = 10 }\n\
                       base = { amplitude = 0.2, frequency = 0.5, phase_deg = 30 }\n[analysis.transient]\nduration = 4\n");
    let column = |name: &str| &outcome.column(name).unwrap().values;
    let (omega, phase) = (std::f64::consts::PI, std::f64::consts::PI / 6.0);
    for (i, t) in column("t").iter().enumerate() {
        let angle = omega * t + phase;
        assert_eq!(column("position")[i], 0.0);
        assert!((column("absolute_position")[i] - 0.2 * angle.sin()).abs() < 1e-14);
        assert!((column("absolute_velocity")[i] - 0.2 * omega * angle.cos()).abs() < 1e-14);
        assert!((column("absolute_acceleration")[i] + 0.2 * omega * omega * angle.sin()).abs() < 1e-13);
    }
}

/// A block that slides on ground whose acceleration is a record: friction is all that moves it, and while it sticks it moves with the ground.
#[test]
fn under_a_record_the_acceleration_in_space_is_reported() {
    let outcome = run("[system.oscillator]\nmass = 2\nfriction = { coulomb.mu = 0.3, load = 20 }\n\
                       base.acceleration = { times = [0, 4, 8], values = [0, 6, -6] }\ninitial.time = 0.5\n\
                       [analysis.transient]\nduration = 5\n");
    let column = |name: &str| &outcome.column(name).unwrap().values;
    let (mut stuck, mut slid) = (0, 0);
    for (i, t) in column("t").iter().enumerate() {
        let t = t + 0.5;
        let ground = if t < 4.0 { 1.5 * t } else { 6.0 - 3.0 * (t - 4.0) };
        let is_sliding = column("sliding")[i] != 0.0;
        let expected = if is_sliding { -3.0 * column("sliding")[i].signum() } else { ground };
        *(if is_sliding { &mut slid } else { &mut stuck }) += 1;
        assert!((column("absolute_acceleration")[i] - expected).abs() < 1e-12, "at {t}");
    }
    assert!(stuck > 10 && slid > 10, "{stuck} {slid}");
    assert!(outcome.column("absolute_position").is_none());
}

/// A response over a frequency in hertz is the one over the angular frequency, on an axis in hertz.
#[test]
fn a_response_may_go_along_a_frequency_in_hertz() {
    let text = |force: &str, parameter: &str, [from, to]: [f64; 2]| {
        format!(
            "[system.oscillator]\nmass = 1\nstiffness = 1\ndamping = 0.1\nforce = {{ amplitude = 1, {force} }}\n\
             friction.coulomb.mu = 0.3\n[analysis.response]\nparameter = \"{parameter}\"\nfrom = {from}\nto = {to}\npoints = 5\n"
        )
    };
    let tau = std::f64::consts::TAU;
    let hertz = run(&text("frequency = 0.1", "frequency", [0.05, 0.25]));
    let omega = run(&text("omega = 1", "force.omega", [0.05 * tau, 0.25 * tau]));
    let (f, w) = (hertz.column("frequency").unwrap(), omega.column("omega").unwrap());
    assert_eq!((&*f.unit, &*f.symbol), ("Hz", "f"));
    for i in 0..5 {
        assert!((tau * f.values[i] - w.values[i]).abs() < 1e-14);
        let [a, b] = [&hertz, &omega].map(|outcome| outcome.column("amplitude").unwrap().values[i]);
        assert!((a - b).abs() < 1e-11 * b, "{a} {b}");
    }
    // a maximum is flat: its place has half the digits of its value
    assert!((tau * hertz.fact("peak_at").unwrap() - omega.fact("peak_at").unwrap()).abs() < 1e-6);
    let [a, b] = [&hertz, &omega].map(|outcome| outcome.fact("peak_amplitude").unwrap());
    assert!((a - b).abs() < 1e-10 * b, "{a} {b}");
    let found = faults(&text("omega = 1", "mass.frequency", [0.1, 0.2]));
    assert!(found[0].starts_with("analysis.response.parameter"), "{found:?}");
}

/// A file without a header was read without its first row.
#[test]
fn a_table_in_a_file_needs_no_header() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let amplitude = |name: &str, csv: &str| {
        std::fs::write(folder.join(name), csv).unwrap();
        let text = format!(
            "[system.oscillator]\nmass = 1\nstiffness = 1\ndamping = 0.1\nfriction.coulomb = {{ mu = 0.1 }}\nforce.table = {{ file = '{name}' }}\n[analysis.transient]\nduration = 10\nsamples = 11\n"
        );
        let path = folder.join("no_header.toml");
        let study = Study::read(&path.to_string_lossy(), &text, &[]).unwrap();
        study.run(&mut stiction::Progress::none()).unwrap().fact("position_max").unwrap()
    };
    let bare = amplitude("bare.csv", "0,0\n1,2\n2,0\n");
    assert_eq!(bare, amplitude("named.csv", "t,f\n0,0\n1,2\n2,0\n"));
    assert!(bare > 1.0, "{bare}");
}

#[test]
fn three_points_at_one_time_are_refused() {
    let text = |times: &str, values: &str| {
        format!(
            "[system.oscillator]\nmass = 1\nfriction.coulomb.mu = 0.1\nforce.table = {{ times = {times}, values = {values} }}\n[analysis.transient]\nduration = 3\n"
        )
    };
    let found = faults(&text("[0, 1, 1, 1, 2]", "[0, 1, 2, 3, 4]"));
    assert!(found[0].starts_with("system.oscillator.force.table.times: three points at 1 s"), "{found:?}");
    assert!(Study::read("a.toml", &text("[0, 1, 1, 2]", "[0, 1, 3, 4]"), &[]).is_ok());
}

#[test]
fn a_varying_load_and_a_controller_are_columns_of_the_samples() {
    let text = "[system.oscillator]\nmass = 1\nfriction = { coulomb.mu = 0.3, load = 5, load_varies = { amplitude = 2, omega = 3, by_position = [0.5] } }\ncontrol = { kp = 4, ki = 2, kd = 1.5, limit = 3, reference = 1 }\n[analysis.transient]\nduration = 4\nsamples = 41\n";
    let study = Study::read("a.toml", text, &[]).unwrap();
    let outcome = study.run(&mut stiction::Progress::none()).unwrap();
    let column = |name: &str| &outcome.column(name).unwrap_or_else(|| panic!("{name}")).values;
    let (t, u, v, a) = (column("t"), column("position"), column("velocity"), column("acceleration"));
    let (load, force, friction, x) =
        (column("normal_load"), column("control_force"), column("friction"), column("feedback"));
    for i in 0..t.len() {
        let expected = 5.0 + 2.0 * libm::sin(3.0 * t[i]) + 0.5 * u[i];
        assert!((load[i] - expected).abs() < 1e-12, "{i}: {} for {expected}", load[i]);
        let wanted = (4.0 * (1.0 - u[i]) + 2.0 * x[i] - 1.5 * v[i]).clamp(-3.0, 3.0);
        assert!((force[i] - wanted).abs() < 1e-9, "{i}: {} for {wanted}", force[i]);
        // the equation of motion
        assert!((a[i] + friction[i] - force[i]).abs() < 1e-9, "{i}");
    }
    assert!(force.contains(&3.0) && force.iter().any(|force| *force < 2.9));
}

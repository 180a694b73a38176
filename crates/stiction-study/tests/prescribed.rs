//! Prescribed motions and rotating systems as users write them.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

use crate::texts::{faults, run};
use stiction::Progress;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::State;
use stiction_study::{Study, Task};

/// A scenario with a number in it.
type Written<'a> = &'a dyn Fn(f64) -> String;

const CHAIN: &str = "[system.chain]\nmasses = 4\nmass = 1.0\nstiffness = 30.0\ndamping.rayleigh = { alpha = 0.1 }\n\
                     friction = { coulomb.mu = 0.2, load = 2.0, node = 2 }\n";

#[test]
fn a_prescribed_motion_stands_among_the_others_with_its_reaction() {
    let tail = "[analysis.transient]\nduration = 5\nsamples = 501\n";
    let held = "prescribed = { node = 1, position = { constant = 0.1, amplitude = 0.2, frequency = 0.4, phase_deg = 20 } }\n";
    let outcome = run(&format!("{CHAIN}{held}{tail}"));
    let names: Vec<&str> = outcome.samples.iter().map(|column| column.name.as_str()).collect();
    let expected = ["t", "position_0", "position_1", "position_2", "position_3", "velocity_0", "velocity_1"];
    assert_eq!(names[..7], expected);
    assert_eq!(names.last(), Some(&"reaction_1"));
    let column = |name: &str| &outcome.column(name).unwrap().values;
    let (omega, phase) = (0.8 * std::f64::consts::PI, std::f64::consts::PI / 9.0);
    for (i, t) in column("t").iter().enumerate() {
        let wave = 0.2 * (omega * t + phase).sin();
        assert!((column("position_1")[i] - 0.1 - wave).abs() < 1e-14);
        // Newton's law for the prescribed mass
        let [left, own, right] = [0, 1, 2].map(|k| column(&format!("position_{k}"))[i]);
        let rate = 0.2 * omega * (omega * t + phase).cos();
        let reaction = -omega * omega * wave + 0.1 * rate + 30.0 * (2.0 * own - left - right);
        assert!((column("reaction_1")[i] - reaction).abs() < 1e-11, "{t}");
    }
    assert!(outcome.fact("position_2_max").is_some() && outcome.fact("position_1_max").is_none());
    // a run that goes on from the end of another is the same run
    let end = outcome.end.as_ref().unwrap();
    let list = |x: &stiction_study::OneOrMany<f64>| format!("{:?}", x.iter().collect::<Vec<_>>());
    let initial = format!(
        "initial = {{ position = {}, velocity = {}, time = {} }}\n",
        list(&end.position),
        list(&end.velocity),
        end.time
    );
    let on = run(&format!("{CHAIN}{held}{initial}{tail}"));
    let whole = run(&format!("{CHAIN}{held}[analysis.transient]\nduration = 10\nsamples = 1001\n"));
    for name in ["position_0", "position_1", "position_3", "reaction_1"] {
        let [a, b] = [&on, &whole].map(|outcome| *outcome.column(name).unwrap().values.last().unwrap());
        assert!((a - b).abs() < 1e-9, "{name}: {a} {b}");
    }
}

/// The loss of a loop of sliders is 4 Σ f (a − f/k) over those that slip, with f = μN and k = stiffness × N.
#[test]
fn a_prescribed_motion_draws_the_hysteresis_loop_of_its_friction() {
    let text = |law: &str, integrator: &str| {
        format!(
            "[system.oscillator]\nmass = 2.0\nstiffness = 3.0\nfriction = {{ {law}, load = 5.0 }}\n\
             prescribed = {{ position = {{ amplitude = 0.4, omega = 2.0 }} }}\n\
             [integrator]\n{integrator}\n[analysis.transient]\nperiods = 3\nwindow = [2, 3]\nsamples = 301\n"
        )
    };
    let jenkins = 4.0 * 1.5 * (0.4 - 1.5 / 50.0);
    let iwan = 4.0 * (0.5 * (0.4 - 0.5 / 200.0) + 1.0 * (0.4 - 1.0 / 100.0));
    for (law, loss) in [
        ("jenkins = { mu = 0.3, stiffness = 10.0 }", jenkins),
        ("iwan = { mu = [0.1, 0.2], stiffness = [40.0, 20.0] }", iwan),
    ] {
        for (integrator, tolerance) in [("exact = {}", 1e-12), ("adaptive = { rtol = 1e-11 }", 1e-8)] {
            let outcome = run(&text(law, integrator));
            let found = outcome.fact("friction_loss").unwrap();
            assert!((found - loss).abs() < tolerance * loss, "{law} {integrator}: {found} {loss}");
            let column = |name: &str| &outcome.column(name).unwrap().values;
            let names: Vec<&str> = outcome.samples.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(names[..4], ["t", "position", "velocity", "acceleration"], "{names:?}");
            for i in 0..column("t").len() {
                let (q, a, h) = (column("position")[i], column("acceleration")[i], column("friction")[i]);
                let reaction = 2.0 * a + 3.0 * q + h;
                assert!((column("reaction")[i] - reaction).abs() < 1e-12 * 10.0, "{law} {integrator}");
            }
        }
    }
    for law in [
        "lugre = { mu = 0.3, mu_static = 0.4, velocity = 0.1, stiffness = 100.0, damping = 1.0 }",
        "tanh = { mu = 0.3, width = 0.01 }",
    ] {
        assert!(run(&text(law, "adaptive = {}")).fact("friction_loss").unwrap() > 1.0, "{law}");
    }
    // the force of a set-valued law at rest depends on a motion that is not there
    let refused = faults(&text("coulomb = { mu = 0.3 }", "exact = {}"));
    assert!(refused[0].contains("does not determine the force at rest"), "{refused:?}");
}

#[test]
fn a_sweep_varies_a_prescribed_motion() {
    let text = format!(
        "{CHAIN}prescribed = {{ node = 0, position = {{ amplitude = 0.2, omega = 2.0 }} }}\n\
         [analysis.transient]\nduration = 4\n[sweep]\nover = [{{ parameter = \"prescribed.position.amplitude\", values = [0.1, 0.4] }}]\n"
    );
    let study = Study::read("x.toml", &text, &[]).unwrap();
    let own = |amplitude: f64| {
        let text = text
            .split("[sweep]")
            .next()
            .unwrap()
            .replace("amplitude = 0.2", &format!("amplitude = {amplitude}"));
        run(&text).fact("position_3_max").unwrap()
    };
    let sweep = study.sweep.as_ref().unwrap();
    assert!(own(0.4) > own(0.1) && sweep.rows == 2);
}

#[test]
fn what_cannot_be_prescribed_is_refused_at_its_key() {
    let tail = "[analysis.transient]\nduration = 5\n";
    for (held, key, words) in [
        ("{ node = 1, position.table.step = { at = 1.0, value = 0.2 } }", "prescribed.position", "jumps"),
        ("{ direction = [1.0, -1.0, 0.0, 0.0], position = {} }", "prescribed.direction", "not one degree"),
        ("[{ node = 0, position = {} }, { dof = 0, position = {} }]", "prescribed.1", "already"),
        ("{ node = 2, position = {} }", "prescribed", "does not determine the force at rest"),
        ("{ node = 1, position = { amplitude = 1.0 } }", "prescribed.position.amplitude", "omega"),
    ] {
        let found = faults(&format!("{CHAIN}prescribed = {held}\n{tail}"));
        assert!(
            found[0].starts_with(&format!("system.chain.{key}: ")) && found[0].contains(words),
            "{found:?}"
        );
    }
    let stop = "stop = { upper = 1.0, node = 1 }\nprescribed = { node = 1, position = {} }\n";
    assert!(faults(&format!("{CHAIN}{stop}{tail}"))[0].contains("what it bounds moves as prescribed"));
    let element = "prescribed = { node = 1, position = { amplitude = 0.1, omega = 2.0 } }\n";
    for (analysis, key, words) in [
        ("[analysis.steady]\ndof = 1\n", "analysis.steady.dof", "moves as prescribed"),
        ("[analysis.steady]\ndof = 4\n", "analysis.steady.dof", "no more degrees of freedom"),
        (
            "[analysis.steady]\nstarts = [{ position = [0, 0, 0], velocity = [0, 0, 0, 0] }]\n",
            "analysis.steady.starts",
            "3",
        ),
        (
            "[analysis.response]\nparameter = \"prescribed.position.omega\"\nfrom = 0\nto = 2\n",
            "analysis.response.from",
            "positive",
        ),
    ] {
        let found = faults(&format!("{CHAIN}{element}{analysis}"));
        assert!(found[0].starts_with(key) && found[0].contains(words), "{found:?}");
    }
    // a ramp never repeats itself
    let ramp = "prescribed = { node = 1, position.table.ramp = { start = 0, end = 1, value = 0.2 } }\n[analysis.steady]\n";
    assert!(
        faults(&format!("{CHAIN}{ramp}"))[0].contains("table"),
        "{:?}",
        faults(&format!("{CHAIN}{ramp}"))
    );
}

/// Two masses, of which the second moves as prescribed; the first is held to it by a spring and rubs on it. The load on their contact varies
/// with the displacement of the prescribed one.
const PRESCRIBED: &str = "[system.matrices]\nmass = [1.0, 0.5]\nstiffness = [[5.0, -2.0], [-2.0, 2.0]]\ndamping = [[0.3, -0.1], [-0.1, 0.1]]\n";

/// Periods after which nothing is left of the initial state: the slowest disturbance below falls by a third in each.
const LONG: usize = 80;

/// Positions are compared with a transient that has died out, at every sample of the last period.
#[test]
fn prescribed_periodic_motions_are_those_of_long_transients() {
    let triangle = "table = { times = [0.0, 1.0, 3.0], values = [0.0, 0.4, -0.4], period = 4.0 }";
    let wave = "amplitude = 0.4, omega = 1.3, phase = 0.2";
    let rubs =
        "friction = { coulomb = { mu = 0.3, mu_static = 0.4 }, load = 1.0, direction = [1.0, -1.0] }\n";
    let varies =
        "friction = { coulomb.mu = 0.3, load = 2.0, dof = 0, load_varies.by_position = [0.5, 1.5] }\n";
    let soft = "friction = { tanh = { mu = 0.3, width = 0.05 }, load = 2.0, direction = [1.0, -1.0] }\n";
    let stopped = "friction = { coulomb.mu = 0.1, load = 2.0, dof = 0 }\nstop = { upper = 0.1, restitution = 0.5, dof = 0 }\n";
    let spring = "friction = { coulomb.mu = 0.1, load = 2.0, dof = 0 }\n\
                  spring = { positions = [-0.1, 0.1, 0.2], forces = [0.0, 0.0, 1.5], direction = [1.0, -1.0] }\n";
    for position in [triangle, wave] {
        for more in [rubs, varies, soft, stopped, spring] {
            let text = format!("{PRESCRIBED}{more}prescribed = {{ dof = 1, position = {{ {position} }} }}\n");
            let steady = run(&format!("{text}[analysis.steady]\n"));
            assert_eq!(steady.fact("stable"), Some(1.0), "{text}");
            let period = steady.fact("period").unwrap();
            let window = format!("window = [{}, {LONG}]\n", LONG - 1);
            let adaptive =
                if more == soft { "[integrator.adaptive]\nrtol = 1e-12\natol = 1e-14\n" } else { "" };
            let transient =
                format!("[analysis.transient]\nperiods = {LONG}\nsamples = 2001\n{window}{adaptive}");
            let transient = run(&format!("{text}{transient}"));
            for name in ["position_0", "velocity_0", "position_1", "velocity_1"] {
                let [own, long] = [&steady, &transient].map(|outcome| &outcome.column(name).unwrap().values);
                // velocities jump in impacts, at which a sample may be before or after it
                let off = own.iter().zip(long).filter(|(a, b)| (*a - *b).abs() > 1e-10).count();
                assert!(off <= usize::from(more == stopped || position == triangle), "{name} {off}: {text}");
            }
            let [max, min] = ["position_0_max", "position_0_min"].map(|name| transient.fact(name).unwrap());
            let amplitude = steady.fact("amplitude").unwrap();
            assert!((amplitude - 0.5 * (max - min)).abs() < 1e-10, "{amplitude} {max} {min}: {text}");
            let loss = transient.fact("friction_loss").unwrap();
            assert!((steady.fact("cycle_friction_loss").unwrap() - loss).abs() < 1e-10, "{text}");
            assert!(
                (period - if position == wave { std::f64::consts::TAU / 1.3 } else { 4.0 }).abs() < 1e-14
            );
            let names: Vec<&str> = steady.samples.iter().map(|column| column.name.as_str()).collect();
            assert_eq!((names[2], names.last()), ("position_1", Some(&"reaction_1")));
        }
    }
}

/// The derivative of the map over one period, against differences of transients over it.
#[test]
fn the_derivative_passes_through_prescribed_motions() {
    for (amplitude, omega) in [(0.8, 1.3), (0.8, 1.5), (0.6, 1.26), (0.2, 1.88)] {
        let text = format!(
            "{PRESCRIBED}friction = {{ coulomb.mu = 0.3, load = 1.0, direction = [1.0, -1.0] }}\n\
             force = {{ amplitude = 0.3, omega = {omega}, dof = 0 }}\n\
             prescribed = {{ dof = 1, position = {{ amplitude = {amplitude}, omega = {omega} }} }}\n[analysis.steady]\n"
        );
        let study = Study::read("x.toml", &text, &[]).unwrap();
        let Task::Steady(task) = &study.task else { panic!("{text}") };
        let orbit = task.steady.from(&task.system, &State::rest(1), &mut Progress::none()).unwrap();
        let image = |off: [f64; 2]| {
            let mut system = task.system.clone();
            system.position = vec![orbit.state.position[0] + off[0]];
            system.velocity = vec![orbit.state.velocity[0] + off[1]];
            let (t_end, window) = (orbit.period, [0.0, orbit.period]);
            let plan = Plan { t_end, window, times: vec![t_end], lands_on_times: false, max_steps: None };
            let end = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap().samples;
            [end.position[0][0], end.velocity[0][0]]
        };
        // a central difference of this step is off by 1e-8 where events move
        let h = 1e-5;
        for (column, step) in [[h, 0.0], [0.0, h]].into_iter().enumerate() {
            let [after, before] = [image(step), image(step.map(|x| -x))];
            for row in 0..2 {
                let slope = (after[row] - before[row]) / (2.0 * h);
                let own = orbit.monodromy.at(row, column);
                assert!((own - slope).abs() < 1e-7, "{amplitude} {omega} {row} {column}: {own} {slope}");
            }
        }
    }
}

/// At every value of the parameter the response has the motion of a steady state written with it, whatever is varied.
#[test]
fn a_response_varies_prescribed_motions() {
    let text = |amplitude: f64, omega: f64, mass: f64, mu: f64| {
        format!(
            "{}friction = {{ coulomb.mu = {mu}, load = 1.0, direction = [1.0, -1.0] }}\n\
             force = {{ amplitude = 0.3, omega = {omega}, dof = 0 }}\n\
             prescribed = {{ dof = 1, position = {{ amplitude = {amplitude}, omega = {omega} }} }}\n",
            PRESCRIBED.replace("[1.0, 0.5]", &format!("[{mass}, 0.5]"))
        )
    };
    let plain = text(0.4, 1.3, 1.0, 0.3);
    let at = |own: &str| run(&format!("{own}[analysis.steady]\n")).fact("amplitude").unwrap();
    let cases: [(&str, f64, f64, Written); 4] = [
        ("prescribed.position.amplitude", 0.2, 0.8, &|x| text(x, 1.3, 1.0, 0.3)),
        ("omega", 1.0, 3.0, &|x| text(0.4, x, 1.0, 0.3)),
        ("mass.0", 0.5, 1.5, &|x| text(0.4, 1.3, x, 0.3)),
        ("mu", 0.1, 0.6, &|x| text(0.4, 1.3, 1.0, x)),
    ];
    for (parameter, from, to, own) in cases {
        let analysis = format!(
            "[analysis.response]\nparameter = \"{parameter}\"\nfrom = {from}\nto = {to}\npoints = 3\n"
        );
        let response = run(&format!("{plain}{analysis}"));
        let amplitude = response.column("amplitude").unwrap();
        for (value, found) in response.samples[0].values.iter().zip(&amplitude.values) {
            let expected = at(&own(*value));
            assert!((found - expected).abs() < 1e-12, "{parameter} = {value}: {found} {expected}");
        }
    }
    // hertz, folds and a second number beside it
    let more = "[analysis.response]\nparameter = \"frequency\"\nfrom = 0.28\nto = 0.3\npoints = 3\nthrough_folds = true\n\
                overlay = { parameter = \"prescribed.position.amplitude\", values = [0.6, 0.8] }\n";
    let response = run(&format!("{plain}{more}"));
    assert_eq!((&*response.samples[0].unit, &*response.column("amplitude").unwrap().symbol), ("Hz", "X₀"));
    let over = response.samples.last().unwrap();
    assert_eq!(over.name, "position_amplitude");
    let (f, x) = (&response.samples[0].values, &response.column("amplitude").unwrap().values);
    for i in (0..f.len()).step_by(7) {
        let expected = at(&text(over.values[i], std::f64::consts::TAU * f[i], 1.0, 0.3));
        assert!((x[i] - expected).abs() < 1e-11, "{} {}: {} {expected}", f[i], over.values[i], x[i]);
    }
    // as do sweeps, without reading the text again
    let sweep = format!(
        "{plain}[analysis.steady]\n[sweep]\nover = [{{ parameter = \"prescribed.position.amplitude\", values = [0.2, 0.4] }}]\n"
    );
    let study = Study::read("x.toml", &sweep, &[]).unwrap();
    let sweep = study.sweep.as_ref().unwrap();
    let rows = sweep.rows(0..2, false, &mut Progress::none()).unwrap();
    let place = sweep.columns().iter().position(|column| column.name == "amplitude").unwrap() - 1;
    for (row, amplitude) in rows.iter().zip([0.2, 0.4]) {
        assert!((row.facts[place].unwrap() - at(&text(amplitude, 1.3, 1.0, 0.3))).abs() < 1e-12);
    }
}

#[test]
fn a_rotating_system_is_reported_in_its_units() {
    let text = "[system.oscillator]\nkind = \"rotation\"\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.1\n\
                force = { amplitude = 1, omega = 0.7 }\n";
    let outcome = run(&format!("{text}[analysis.transient]\nperiods = 3\n"));
    let unit = |name: &str| outcome.column(name).unwrap().unit.to_string();
    assert_eq!(["position", "velocity", "acceleration"].map(unit), ["rad", "rad/s", "rad/s²"]);
    assert_eq!(["sliding", "friction", "slope"].map(unit), ["rad/s", "N m", "N m s/rad"]);
    let fact = |name: &str| outcome.facts.iter().find(|fact| fact.name() == name).unwrap().unit.to_string();
    assert_eq!(["position_max", "friction_min", "work_in", "period"].map(fact), ["rad", "N m", "J", "s"]);
    assert!(outcome.instants.iter().all(|column| column.unit != "m" && column.unit != "N"));
    let response = "[analysis.response]\nparameter = \"mass\"\nfrom = 1\nto = 2\npoints = 3\n";
    let response = run(&format!("{text}{response}"));
    assert_eq!(&*response.samples[0].unit, "kg m²");
    assert_eq!(&*response.column("amplitude").unwrap().unit, "rad");
    // numbers are the same
    let plain =
        run(&format!("{}[analysis.transient]\nperiods = 3\n", text.replace("kind = \"rotation\"\n", "")));
    assert_eq!(plain.column("position").unwrap().values, outcome.column("position").unwrap().values);
    assert_eq!(&*plain.column("position").unwrap().unit, "m");
    let beam = "[system.beam]\nkind = \"rotation\"\nlength = 1\nelements = 3\nyoung = 1\ninertia = 1\ndensity = 1\narea = 1\n\
                left = \"clamped\"\n[analysis.transient]\nduration = 1\n";
    assert!(faults(beam).iter().any(|fault| fault.starts_with("system.beam.kind")), "{:?}", faults(beam));
}

/// Far below and far above what friction can hold the response is that of the linear systems.
#[test]
fn responses_lie_over_each_other_between_their_linear_references() {
    let text = |load: &str, more: &str| {
        format!(
            "[system.matrices]\nmass = [1.0, 0.5]\nstiffness = [[1.5, -0.5], [-0.5, 0.5]]\ndamping = [0.05, 0.05]\n\
             force = {{ amplitude = 1.0, omega = 1.0, dof = 0 }}\nfriction = {{ coulomb.mu = 0.3, load = {load}, dof = 1 }}\n\
             [analysis.response]\nparameter = \"omega\"\nfrom = 0.8\nto = 1.6\npoints = 5\n{more}"
        )
    };
    let overlay = "references = true\noverlay = { parameter = \"load\", values = [1e-9, 2.0, 1e4] }\n";
    let all = run(&text("2.0", overlay));
    let column = |name: &str| all.column(name).unwrap().values.clone();
    let (amplitude, stuck, free) = (column("amplitude"), column("stuck_amplitude"), column("free_amplitude"));
    assert_eq!(column("load"), [[1e-9; 5], [2.0; 5], [1e4; 5]].concat());
    let own = run(&text("2.0", "")).column("amplitude").unwrap().values.clone();
    for i in 0..5 {
        assert!((amplitude[i] - free[i]).abs() < 1e-6 * free[i], "{} {}", amplitude[i], free[i]);
        assert!((amplitude[10 + i] - stuck[i]).abs() < 1e-9 * stuck[i], "{} {}", amplitude[10 + i], stuck[i]);
        assert!((amplitude[5 + i] - own[i]).abs() < 1e-9 * own[i]);
    }
    assert_eq!(all.fact("points"), Some(15.0));
    let peak = amplitude.iter().copied().fold(0.0, f64::max);
    assert!(all.fact("peak_amplitude").unwrap() >= peak);
    // a number of the load beside one of its own is set together with it
    let forces = run(&text("2.0", "overlay = { parameter = \"force.amplitude\", values = [0.5, 1.0] }\n"));
    let amplitudes = &forces.column("amplitude").unwrap().values;
    (0..5).for_each(|i| assert!((amplitudes[5 + i] - own[i]).abs() < 1e-9 * own[i]));
    assert!(amplitudes[0] < amplitudes[5]);
    assert_eq!(forces.column("amplitude").unwrap().symbol, "X₀");
    for (more, key) in [
        ("overlay = { parameter = \"omega\", values = [1.0] }\n", "overlay.parameter"),
        ("overlay = { parameter = \"load\", values = [] }\n", "overlay.values"),
        ("overlay = { parameter = \"load\", values = [-1.0] }\n", "overlay.values"),
        ("overlay = { parameter = \"lod\", values = [1.0] }\n", "overlay.parameter"),
        ("log = \"both\"\n", "log"),
    ] {
        let text =
            text("2.0", more).replace("from = 0.8", if key == "log" { "from = 0.0" } else { "from = 0.8" });
        let found = faults(&text);
        assert!(
            found.iter().any(|f| f.starts_with(&format!("analysis.response.{key}"))),
            "{more}: {found:?}"
        );
    }
}

/// A block that nothing but its controller drives takes all its work from it; a load beside it gives the rest.
#[test]
fn the_work_of_a_controller_is_reported_separately() {
    let block = "[system.oscillator]\nmass = 1.0\ndamping = 0.2\nstiffness = 3.0\nfriction = { coulomb.mu = 0.3, load = 2.0 }\n";
    let tail = "[analysis.transient]\nduration = 6.0\nwindow = [0.5, 5.5]\nwear = true\n";
    let pid = "control = { kp = 20.0, ki = 5.0, kd = 1.0, filter = 0.05, limit = 4.0, anti_windup = 0.2, \
               reference = { amplitude = 0.5, omega = 2.0, table.ramp = { start = 1.0, end = 2.0, value = 0.3 } } }\n";
    let space = "state_space = { a = [[-2.0]], b_position = [[1.5]], b_reference = [[1.0]], f_state = [[2.0]], \
                 f_velocity = [[0.1]], f_reference = [[4.0]], reference = [{ amplitude = 1.0, omega = 1.7 }] }\n";
    for element in [pid, space] {
        let outcome = run(&format!("{block}{element}{tail}"));
        let [work, all] = ["control_work", "work_in"].map(|name| outcome.fact(name).unwrap());
        assert!(all.abs() > 0.1 && (work - all).abs() < 1e-11 * all.abs(), "{element}: {work} {all}");
        // P ∫ v dt = P Δu of a constant load
        let loaded = run(&format!("{block}{element}force.constant = 0.5\n{tail}"));
        let [work, all] = ["control_work", "work_in"].map(|name| loaded.fact(name).unwrap());
        let position = &loaded.column("position").unwrap().values;
        let load = 0.5 * (position[position.len() - 1] - position[0]);
        assert!((all - work - load).abs() < 1e-11, "{element}: {all} {work} {load}");
    }
    assert_eq!(run(&format!("{block}initial.position = 1.0\n{tail}")).fact("control_work"), None);
}

/// What leads a motion puts in what the whole system stores and loses.
#[test]
fn the_work_of_what_leads_is_stored_and_lost_by_the_whole_system() {
    let tail = "[analysis.transient]\nduration = 9\nwindow = [1.0, 8.5]\nsamples = 3\nwear = true\n";
    let held = "prescribed = { dof = 1, position = { constant = 0.1, amplitude = 0.6, omega = 1.9, phase = 0.4 } }\n";
    let rubs = "friction = { coulomb.mu = 0.3, load = 2.0, direction = [1.0, -1.0] }\n";
    let outcome = run(&format!("{PRESCRIBED}{held}{rubs}{tail}"));
    let fact = |name: &str| outcome.fact(name).unwrap();
    let at = |name: &str, i: usize| outcome.column(name).unwrap().values[i];
    let energy = |i: usize| {
        let [q, v] = ["position", "velocity"].map(|name| [0, 1].map(|k| at(&format!("{name}_{k}"), i)));
        0.5 * (v[0] * v[0] + 0.5 * v[1] * v[1])
            + 0.5 * (5.0 * q[0] * q[0] - 4.0 * q[0] * q[1] + 2.0 * q[1] * q[1])
    };
    let stored = energy(2) - energy(0);
    let work = fact("actuator_work_1");
    let lost = fact("whole_viscous_loss") + fact("work");
    assert!(work > 0.5 && (work - stored - lost).abs() < 1e-11 * work, "{work} {stored} {lost}");
    assert!(fact("whole_viscous_loss") != fact("viscous_loss"));
}

/// Without a load nothing but the part of the stiffness without a potential puts work in.
#[test]
fn the_work_of_a_stiffness_without_a_potential_is_reported_separately() {
    let text = "[system.matrices]\nmass = [1.0, 1.0]\nstiffness = [[2.0, -1.1], [0.6, 1.2]]\ndamping = [[0.1, 0.0], [0.0, 0.1]]\n\
                friction = { coulomb.mu = 0.05, dof = 0 }\ninitial.position = [0.8, -0.3]\n\
                [analysis.transient]\nduration = 12\nwindow = [0.5, 11.0]\nwear = true\n";
    let outcome = run(text);
    let [work, all] = ["circulatory_work", "work_in"].map(|name| outcome.fact(name).unwrap());
    assert!(all.abs() > 1e-2 && (work - all).abs() < 1e-11, "{work} {all}");
    let symmetric = run(&text.replace("[0.6, 1.2]", "[-1.1, 1.2]"));
    assert_eq!(symmetric.fact("circulatory_work"), None);
}

/// A part that is held is a part that is not there; one that moves is no state of rest.
#[test]
fn stability_and_modes_accept_fixed_and_refuse_prescribed_degrees() {
    let two = "[system.matrices]\nmass = [1.0, 1.0, 0.7]\n\
               stiffness = [[17.0, -6.0, -1.0], [-6.0, 16.0, 0.0], [-1.0, 0.0, 4.0]]\n\
               damping = [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.03]]\n";
    let one = "[system.matrices]\nmass = [1.0, 1.0]\nstiffness = [[17.0, -6.0], [-6.0, 16.0]]\n\
               damping = [[0.02, 0.0], [0.0, 0.02]]\n";
    let rubs = |n: usize| {
        let more = if n == 3 { ", 0.0" } else { "" };
        format!(
            "friction = {{ coulomb.mu = 0.4, load = 1.0, dof = 0, belt = -2.0, load_varies.by_position = [0.0, 12.0{more}] }}\n"
        )
    };
    let stability = "[analysis.stability]\nparameter = \"mu\"\nfrom = 0.3\nto = 0.8\npoints = 21\n";
    let held = "prescribed = { dof = 2, position = {} }\n";
    let whole = run(&format!("{two}{}{held}{stability}", rubs(3)));
    let part = run(&format!("{one}{}{stability}", rubs(2)));
    assert_eq!(
        whole.column("growth_rate_0").map(|c| &c.values),
        part.column("growth_rate_0").map(|c| &c.values)
    );
    assert!(part.fact("unstable_points").unwrap() > 0.0);
    let moved = "prescribed = { dof = 2, position = { amplitude = 0.1, omega = 2.0 } }\n";
    let found = faults(&format!("{two}{}{moved}{stability}", rubs(3)));
    assert!(found[0].starts_with("system.matrices.prescribed: moves"), "{found:?}");

    let mode = "[analysis.nonlinear-mode]\nmode = 0\nfrom = 0.01\nto = 10.0\npoints = 12\n";
    let joint = |n: usize| {
        let more = if n == 3 { ", 0.0" } else { "" };
        format!("friction = {{ jenkins = {{ mu = 0.3, stiffness = 2.0 }}, direction = [1.0, 0.0{more}] }}\n")
    };
    let whole = run(&format!("{two}{}{held}{mode}", joint(3)));
    let part = run(&format!("{one}{}{mode}", joint(2)));
    let frequencies =
        |outcome: &stiction_study::Outcome| outcome.column("mode_frequency").map(|c| c.values.clone());
    assert!(frequencies(&part).is_some());
    assert_eq!(frequencies(&whole), frequencies(&part));
    let found = faults(&format!("{two}{}{moved}{mode}", joint(3)));
    assert!(found.iter().any(|f| f.starts_with("system.matrices.prescribed: moves")), "{found:?}");
}

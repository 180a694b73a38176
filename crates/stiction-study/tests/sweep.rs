//! Sweeps: a point is the run that was written with its values, whatever it is computed after.

use stiction::Progress;
use stiction_study::{Study, Sweep};

fn study(text: &str, sets: &[String]) -> Study {
    Study::read("a.toml", text, sets).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

fn sweep(text: &str) -> Sweep {
    study(text, &[]).sweep.unwrap()
}

fn fault(text: &str) -> (String, String) {
    let faults = Study::read("a.toml", text, &[]).unwrap_err();
    (faults[0].key.clone(), faults[0].message.clone())
}

const OSCILLATOR: &str = "[system.oscillator]\nmass = 1.0\nstiffness = 1.0\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1.0, omega = 0.7 }\ninitial.position = 0.5\n";
const BODY: &str = "[system.body]\nmass = 1.0\ninertia = 0.005\nvelocity = [1.0, 0.0]\nspin = 10.0\npatch = { mu = 0.3, shape.disc.radius = 0.1 }\n";

/// Every fact of a point that is run by itself is a column of the sweep, with the same bits.
fn check_against_runs(text: &str, over: &str, keys: &[&str]) {
    let sweep = sweep(&format!("{text}\n[sweep]\nover = [{over}]\n"));
    let columns = sweep.columns();
    let rows = sweep.rows(0..sweep.rows, false, &mut Progress::none()).unwrap();
    assert!(rows.len() > 2);
    for row in rows {
        assert_eq!(row.error, None);
        let sets: Vec<String> =
            keys.iter().zip(&row.values).map(|(key, value)| format!("{key}={value:?}")).collect();
        let alone = study(text, &sets).run(&mut Progress::none()).unwrap();
        for fact in &alone.facts {
            let k = columns.iter().position(|column| column.name == fact.name());
            let k = k.unwrap_or_else(|| panic!("{} is no column", fact.name()));
            assert_eq!(columns[k].unit, fact.unit);
            assert_eq!(row.facts[k - sweep.axes.len()], Some(fact.value), "{} at {sets:?}", fact.name());
        }
    }
}

#[test]
fn a_transient_in_a_sweep_is_the_run_written_with_its_values() {
    // lenses on a load and on a law at once, and a length that follows the period
    let over = "{ parameter = \"omega\", from = 0.5, to = 1.1, points = 3 }, { parameter = \"mu\", values = [0.1, 0.4] }, { parameter = \"force.amplitude\", values = [1, 2] }";
    check_against_runs(OSCILLATOR, over, &["omega", "mu", "force.amplitude"]);
    let smooth = OSCILLATOR.replace("coulomb.mu = 0.3", "tanh = { mu = 0.3, width = 0.1 }");
    check_against_runs(
        &format!("{smooth}[integrator.adaptive]\n"),
        over,
        &["omega", "mu", "force.amplitude"],
    );
    // keys that no lens reaches
    let over = "{ parameter = \"periods\", values = [3, 4.5] }, { parameter = \"step\", from = 0.01, to = 0.1, points = 3, spacing = \"log\" }";
    let text = OSCILLATOR.replace("coulomb.mu = 0.3", "tanh = { mu = 0.3, width = 0.1 }");
    let text = format!("{text}[integrator.rk4]\nstep = 0.01\n[analysis.transient]\nperiods = 2\n");
    check_against_runs(&text, over, &["periods", "integrator.rk4.step"]);
    // facts that are asked for
    let asked = "[analysis.transient]\nperiods = 4\nsamples = 201\nwear = true\ncompare = { law = \"tanh\", width = 0.1 }\n";
    let over = "{ parameter = \"mu\", values = [0.2, 0.4] }, { parameter = \"compare.width\", values = [0.1, 0.01] }";
    check_against_runs(&format!("{OSCILLATOR}{asked}"), over, &["mu", "analysis.transient.compare.width"]);
}

/// The errors of a law are those of `compare`, and fall with the width.
#[test]
fn the_errors_of_a_law_are_reported_at_every_point() {
    use stiction_study::compare::{Criterion, Truth, require_set_valued_transient};
    let text = format!("{OSCILLATOR}[analysis.transient]\nperiods = 6\nsamples = 401\n");
    let alone = study(&text, &[]);
    let truth = Truth::new(require_set_valued_transient(&alone).unwrap(), &mut Progress::none()).unwrap();
    let with = format!("{text}compare = {{ law = \"linear\", width = 1.0 }}\n");
    let sweep = sweep(&format!(
        "{with}[sweep]\nover = [{{ parameter = \"compare.width\", values = [0.1, 0.01, 0.001] }}]\n"
    ));
    let columns = sweep.columns();
    let mut last = f64::INFINITY;
    for row in sweep.rows(0..3, false, &mut Progress::none()).unwrap() {
        let expected = truth.row("linear", row.values[0], &mut Progress::none()).unwrap().errors;
        for criterion in Criterion::ALL {
            let name = format!("error_{}", criterion.column());
            let k = columns.iter().position(|column| column.name == name).unwrap();
            assert_eq!(row.facts[k - 1], Some(expected.get(criterion)), "{name}");
            assert_eq!(columns[k].unit, criterion.unit());
        }
        assert!(expected.trajectory < 0.3 * last);
        last = expected.trajectory;
    }
    let faulty = |line: &str| fault(&format!("{text}compare = {line}\n")).0;
    assert_eq!(faulty("{ law = \"tan\", width = 0.1 }"), "analysis.transient.compare.law");
    assert_eq!(faulty("{ law = \"tanh\", width = 0.0 }"), "analysis.transient.compare.width");
    for asked in ["wear = true", "compare = { law = \"tanh\", width = 0.1 }"] {
        let key = asked.split(' ').next().unwrap();
        let (found, _) = fault(&format!("{BODY}[analysis.transient]\n{asked}\n"));
        assert_eq!(found, format!("analysis.transient.{key}"));
    }
    // every run hears a stop
    let whole = study(&with, &[]);
    for stop in [0.2, 0.5, 0.9] {
        let mut listener = |done: f64| done < stop;
        assert!(whole.run(&mut Progress::new(&mut listener)).is_err(), "{stop}");
    }
    let smooth = text.replace("coulomb.mu = 0.3", "tanh = { mu = 0.3, width = 0.1 }");
    let (key, _) = fault(&format!("{smooth}compare = {{ law = \"tanh\", width = 0.1 }}\n"));
    assert_eq!(key, "analysis.transient.compare");
}

#[test]
fn a_body_in_a_sweep_is_the_run_written_with_its_values() {
    check_against_runs(BODY, "{ parameter = \"patch.mu\", from = 0.1, to = 0.5, points = 3 }", &["patch.mu"]);
}

#[test]
fn a_response_and_a_stability_in_a_sweep_are_those_written_with_its_values() {
    let response = "[analysis.response]\nparameter = \"omega\"\nfrom = 0.5\nto = 0.8\npoints = 4\n";
    check_against_runs(
        &format!("{OSCILLATOR}{response}"),
        "{ parameter = \"mu\", values = [0.1, 0.2, 0.3] }",
        &["mu"],
    );
}

/// Neighbours start each other; the motion found is that of a search from afar, to the tolerance of the search.
#[test]
fn a_steady_point_is_the_motion_that_a_search_of_its_own_finds() {
    const CLOSE: f64 = 1e-8;
    let text = format!("{OSCILLATOR}[analysis.steady]\n");
    let over = "{ parameter = \"omega\", values = [0.4, 0.7, 1.2] }, { parameter = \"mu\", from = 0.05, to = 0.7, points = 70 }";
    let sweep = sweep(&format!("{text}[sweep]\nover = [{over}]\n"));
    let columns = sweep.columns();
    let place = |name: &str| columns.iter().position(|column| column.name == name).unwrap() - 2;
    let rows = sweep.rows(0..sweep.rows, false, &mut Progress::none()).unwrap();
    for row in rows.iter().step_by(17) {
        let sets = [format!("omega={:?}", row.values[0]), format!("mu={:?}", row.values[1])];
        let alone = study(&text, &sets).run(&mut Progress::none()).unwrap();
        for name in
            ["period", "amplitude", "phase", "cycle_friction_loss", "stops", "stick_fraction", "stable"]
        {
            let (found, expected) = (row.facts[place(name)].unwrap(), alone.fact(name).unwrap());
            assert!(
                (found - expected).abs() <= CLOSE * expected.abs().max(1.0),
                "{name} = {found}, {expected} at {sets:?}"
            );
        }
    }
}

/// Parts that begin at blocks have the rows of the whole, to the bit.
#[test]
fn rows_do_not_depend_on_where_a_part_begins() {
    let text = format!(
        "{OSCILLATOR}[analysis.steady]\n[sweep]\nover = [{{ parameter = \"omega\", from = 0.4, to = 1.2, points = 3 }}, {{ parameter = \"mu\", from = 0.1, to = 0.7, points = 50 }}]\n"
    );
    let sweep = sweep(&text);
    let whole = sweep.rows(0..150, false, &mut Progress::none()).unwrap();
    let parts =
        [64..128, 128..150, 0..64].map(|range| sweep.rows(range, false, &mut Progress::none()).unwrap());
    assert_eq!(whole[64..128], parts[0]);
    assert_eq!(whole[128..], parts[1]);
    assert_eq!(whole[..64], parts[2]);
}

#[test]
fn grids_draws_and_axes_that_move_together_have_the_values_that_they_say() {
    let of = |rest: &str| sweep(&format!("{OSCILLATOR}[sweep]\n{rest}"));
    let grid = of(
        "over = [{ parameter = \"omega\", values = [1, 2] }, { parameter = \"mu\", values = [0.1, 0.2, 0.3] }]\n",
    );
    let values: Vec<Vec<f64>> = (0..grid.rows).map(|i| grid.values(i)).collect();
    assert_eq!(values, [[1.0, 0.1], [1.0, 0.2], [1.0, 0.3], [2.0, 0.1], [2.0, 0.2], [2.0, 0.3]]);
    let zipped = of(
        "over = [{ parameter = \"omega\", values = [1, 2] }, { parameter = \"mu\", values = [0.1, 0.2] }, { parameter = \"mass\", values = [5, 6] }]\ntogether = [[\"omega\", \"mass\"]]\n",
    );
    let values: Vec<Vec<f64>> = (0..zipped.rows).map(|i| zipped.values(i)).collect();
    assert_eq!(values, [[1.0, 0.1, 5.0], [1.0, 0.2, 5.0], [2.0, 0.1, 6.0], [2.0, 0.2, 6.0]]);
    for draw in ["random", "latin-hypercube", "sobol"] {
        let drawn = of(&format!(
            "over = [{{ parameter = \"omega\", from = 0.1, to = 10, spacing = \"log\" }}, {{ parameter = \"mu\", values = [0.1, 0.2] }}]\ndraw = \"{draw}\"\npoints = 64\nseed = 3\n"
        ));
        assert_eq!(drawn.rows, 64);
        let values: Vec<Vec<f64>> = (0..64).map(|i| drawn.values(i)).collect();
        assert!(values.iter().all(|v| 0.1 < v[0] && v[0] < 10.0 && (v[1] == 0.1 || v[1] == 0.2)));
        let below = values.iter().filter(|v| v[0] < 1.0).count();
        // half of the logarithms; the even ones exactly
        assert!(if draw == "random" { below.abs_diff(32) < 20 } else { below == 32 }, "{draw}: {below}");
    }
}

#[test]
fn units_and_names_of_axes_are_clear() {
    let text = format!(
        "{OSCILLATOR}[analysis.transient]\nduration = 5\n[sweep]\nover = [{{ parameter = \"duration\", values = [1] }}, {{ parameter = \"force.amplitude\", values = [1] }}, {{ parameter = \"mu\", values = [1] }}]\n"
    );
    let names: Vec<(String, String)> =
        sweep(&text).columns().into_iter().take(3).map(|c| (c.name, c.unit)).collect();
    let expected =
        [("duration", "s"), ("amplitude", "N"), ("mu", "-")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(names, expected);
    // a fact of a search has that name
    let text = format!(
        "{OSCILLATOR}[analysis.steady]\n[sweep]\nover = [{{ parameter = \"force.amplitude\", values = [1] }}]\n"
    );
    assert_eq!(sweep(&text).columns()[0].name, "force_amplitude");
}

#[test]
fn a_point_that_cannot_be_run_is_a_row_that_says_why() {
    let text = format!("{OSCILLATOR}[sweep]\nover = [{{ parameter = \"mass\", values = [1, -1, 2] }}]\n");
    let rows = sweep(&text).rows(0..3, false, &mut Progress::none()).unwrap();
    assert!(rows[0].error.is_none() && rows[2].error.is_none());
    assert!(rows[1].error.as_ref().is_some_and(|error| error.contains("mass")), "{:?}", rows[1].error);
    assert!(rows[1].facts.iter().all(Option::is_none));
}

#[test]
fn what_is_wrong_with_a_sweep_is_said_at_its_key() {
    // axes as `parameter: keys`, then keys of the sweep
    let of = |axes: &[(&str, &str)], rest: &str| {
        let axis = |(parameter, keys): &(&str, &str)| format!("{{ parameter = \"{parameter}\"{keys} }}");
        let axes: Vec<String> = axes.iter().map(axis).collect();
        fault(&format!("{OSCILLATOR}[sweep]\nover = [{}]\n{rest}\n", axes.join(", ")))
    };
    let (unit, one, two) = (", from = 0, to = 1", ", values = [1]", ", values = [1, 2]");
    let many = ", from = 1, to = 2, points = 1000000000";
    let mu = |keys: &'static str| vec![("mu", keys)];
    let cases = [
        (vec![], "", "over", "no axis"),
        (mu(""), "", "over.0", "has no values"),
        (mu(unit), "", "over.0", "points is missing"),
        (mu(", from = 0"), "", "over.0", "both from and to"),
        (mu(", from = 0, to = 1, points = 0"), "", "over.0.points", "from 1 to"),
        (mu(", from = 0, to = 1, points = 3, spacing = \"log\""), "", "over.0.spacing", "one sign"),
        (mu(", values = [1], from = 0, to = 1"), "", "over.0.values", "beside from"),
        (mu(", values = []"), "", "over.0.values", "no values"),
        (mu(", file = \"none.csv\""), "", "over.0.file", "none.csv"),
        (vec![("mew", one)], "", "over.0.parameter", "no key mew"),
        (vec![("system.oscillator", one)], "", "over", "neither the first"),
        (vec![("mass", ", values = [-1]")], "", "over", "neither the first"),
        (mu(one), "points = 3", "points", "without draw"),
        (mu(one), "draw = \"sobol\"", "draw", "without points"),
        (
            mu(", from = 0, to = 1, points = 2"),
            "draw = \"sobol\"\npoints = 4",
            "over.0.points",
            "beside draw",
        ),
        (mu(one), "together = [[\"mu\", \"nu\"]]", "together.0", "not there"),
        (vec![("mu", one), ("mass", two)], "together = [[\"mu\", \"mass\"]]", "together.0", "as many values"),
        (vec![("mu", many), ("mass", many)], "", "over", "more than"),
    ];
    for (axes, rest, key, message) in cases {
        let found = of(&axes, rest);
        assert!(found.0 == format!("sweep.{key}") && found.1.contains(message), "{axes:?} {rest}: {found:?}");
    }
}

#[test]
fn values_of_a_csv_file_stand_in_the_scenario() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep-csv");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("f.csv"), "omega,mu\n1,0.25\n2,0.5\n").unwrap();
    let name = dir.join("a.toml").display().to_string();
    let text = format!("{OSCILLATOR}[sweep]\nover = [{{ parameter = \"mu\", file = \"f.csv\" }}]\n");
    let study = Study::read(&name, &text, &[]).unwrap();
    assert_eq!(study.sweep.as_ref().unwrap().values(1), [0.5]);
    let toml = study.scenario.to_toml().unwrap();
    assert!(toml.contains("values = [0.25, 0.5]") && !toml.contains("f.csv"), "{toml}");
}

/// Of two axes that set one number the last would win, and rows carry values of the first beside results of the second.
#[test]
fn axes_that_lead_to_one_number_are_refused() {
    let over = |analysis: &str, axes: &[&str]| {
        let axes: Vec<String> =
            axes.iter().map(|key| format!("{{ parameter = \"{key}\", values = [0.1, 0.2] }}")).collect();
        format!("{OSCILLATOR}{analysis}\n[sweep]\nover = [{}]\n", axes.join(", "))
    };
    let full = "system.oscillator.friction.coulomb.mu";
    for axes in [["mu", "mu"], ["mu", full], ["omega", "frequency"], ["force.frequency", "force.omega"]] {
        let (key, message) = fault(&over("[analysis.steady]", &axes));
        assert_eq!(key, "sweep.over.1.parameter", "{axes:?}");
        assert!(message.contains("sweep.over.0 varies already"), "{axes:?}: {message}");
    }
    // keys that no lens reaches, beside one that has one
    let (key, _) =
        fault(&over("[analysis.transient]\nperiods = 3", &["mu", "periods", "analysis.transient.periods"]));
    assert_eq!(key, "sweep.over.2.parameter");
    // a frequency that loads share, and that of one of them
    let two = OSCILLATOR.replace(
        "force = { amplitude = 1.0, omega = 0.7 }",
        "force = [{ amplitude = 1.0, omega = 0.7 }, { amplitude = 0.5, omega = 0.7 }]",
    );
    let axes =
        "[{ parameter = \"omega\", values = [1, 2] }, { parameter = \"force.1.omega\", values = [1, 2] }]";
    let (key, _) = fault(&format!("{two}[analysis.steady]\n[sweep]\nover = {axes}\n"));
    assert_eq!(key, "sweep.over.1.parameter");
    // a number that the analysis varies itself
    for parameter in ["omega", "frequency"] {
        let analysis =
            format!("[analysis.response]\nparameter = \"{parameter}\"\nfrom = 0.5\nto = 0.6\npoints = 3");
        let (key, message) = fault(&over(&analysis, &["omega"]));
        assert!(
            key == "sweep.over.0.parameter" && message.contains("by the analysis itself"),
            "{key}: {message}"
        );
    }
    // numbers of equal names that differ
    sweep(&over("[analysis.steady]", &["mu", "omega", "mass", "force.amplitude"]));
}

//! Models from files and from generators: the same numbers either way, and every error at its key.

use std::fs;
use std::path::PathBuf;
use stiction::Progress;
use stiction::system::System;
use stiction_study::{Study, Task};

/// Matrices of a cantilever of four elements, written by a script that shares nothing with the product.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../stiction/tests/reference");

const BEAM: &str = "[system.beam]
elements = 4
length = 1.5
young = 4
inertia = 0.5
density = 6
area = 0.5
damping.rayleigh = { alpha = 0.1, beta = 0.02 }
force = { amplitude = 1, omega = 2, node = 4 }
friction = { coulomb = { mu = 0.3 }, node = 4 }
[analysis.transient]
periods = 2
";

const FILES: &str = "[system.matrices]
mass = { file = 'beam_m.mtx' }
stiffness.file = 'beam_k.mtx'
damping.rayleigh = { alpha = 0.1, beta = 0.02 }
force = { amplitude = 1, omega = 2, dof = 6 }
friction = { coulomb = { mu = 0.3 }, dof = 6 }
[analysis.transient]
periods = 2
";

/// A folder of its own with files in it, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("stiction-models-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        Self(folder)
    }

    /// The name of a scenario's file in the folder.
    fn scenario(&self) -> String {
        self.0.join("scenario.toml").display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn study(name: &str, text: &str) -> Study {
    Study::read(name, text, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn system(name: &str, text: &str) -> System {
    match study(name, text).task {
        Task::Transient(task) => task.system,
        other => panic!("{other:?}"),
    }
}

fn errors(name: &str, text: &str) -> Vec<(String, String)> {
    let faults = Study::read(name, text, &[]).expect_err("the scenario should not be accepted");
    faults.into_iter().map(|fault| (fault.key.clone(), fault.to_string())).collect()
}

#[test]
fn the_generated_beam_is_the_beam_of_the_files() {
    let (made, read) = (system("beam.toml", BEAM), system(&format!("{FOLDER}/files.toml"), FILES));
    for (a, b) in
        [(&made.mass, &read.mass), (&made.stiffness, &read.stiffness), (&made.damping, &read.damping)]
    {
        assert_eq!(a.data.len(), 64);
        let size = a.norm();
        let error = a.data.iter().zip(&b.data).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // each entry is a sum of two products, rounded
        assert!(error <= 4.0 * f64::EPSILON * size, "{error:e} of {size}");
    }
    assert_eq!((made.contacts, made.harmonics), (read.contacts, read.harmonics));
}

#[test]
fn files_begin_at_the_folder_of_the_scenario_and_overrides_at_the_working_folder() {
    let shown = study(&format!("{FOLDER}/files.toml"), FILES).scenario.to_toml().unwrap();
    // what is shown runs from any folder
    let elsewhere = Scratch::new("elsewhere", &[]);
    assert_eq!(study(&elsewhere.scenario(), &shown).scenario.to_toml().unwrap(), shown);
    // tests run in the folder of their crate
    let set = "system.matrices.mass.file=../stiction/tests/reference/beam_m.mtx".to_owned();
    Study::read(&format!("{FOLDER}/files.toml"), FILES, std::slice::from_ref(&set)).unwrap();
    assert!(Study::read(&elsewhere.scenario(), FILES, &[set]).is_err());
}

#[test]
fn files_that_are_wrong_are_errors_at_their_keys() {
    let folder = Scratch::new(
        "wrong",
        &[
            ("one.txt", "1\n"),
            ("two.txt", "2 0\n0 2\n"),
            ("wide.txt", "1 2\n"),
            ("nan.csv", "1,0\n0,nan\n"),
            ("header.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"),
            ("large.mtx", "%%MatrixMarket matrix coordinate real general\n9999999 9999999 1\n1 1 1\n"),
            ("skew.txt", "1 2\n0 1\n"),
            ("archive.npz", "PK"),
        ],
    );
    let scenario = |mass: &str, stiffness: &str| {
        format!(
            "[system.matrices]\nmass = {{ file = '{mass}' }}\nstiffness = {{ file = '{stiffness}' }}\n\
             [analysis.transient]\nduration = 1\n"
        )
    };
    let (mass, stiffness) = ("system.matrices.mass", "system.matrices.stiffness");
    for (text, key, words) in [
        (scenario("absent.mtx", "two.txt"), format!("{mass}.file"), ["absent.mtx", "folder of the scenario"]),
        (scenario("two.txt", "wide.txt"), format!("{stiffness}.file"), ["1 rows and 2 columns", "square"]),
        (scenario("two.txt", "nan.csv"), format!("{stiffness}.file"), ["line 2", "finite"]),
        (scenario("header.mtx", "two.txt"), format!("{mass}.file"), ["line 1", "complex"]),
        (scenario("large.mtx", "two.txt"), format!("{mass}.file"), ["line 2", "9999999 degrees of freedom"]),
        (scenario("archive.npz", "two.txt"), format!("{mass}.file"), ["NumPy", "mmwrite"]),
        (scenario(".", "two.txt"), format!("{mass}.file"), ["not a file", "scenario.toml:2"]),
        (scenario("one.txt", "two.txt"), stiffness.to_owned(), ["2", "1"]),
        (scenario("skew.txt", "two.txt"), mass.to_owned(), ["symmetric", "scenario.toml:2"]),
    ] {
        let found = errors(&folder.scenario(), &text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].0, key, "{text}: {found:?}");
        assert!(words.iter().all(|word| found[0].1.contains(word)), "{text}: {}", found[0].1);
    }
    // both are reported at once
    assert_eq!(errors(&folder.scenario(), &scenario("absent.mtx", "nan.csv")).len(), 2);
}

#[test]
fn entries_in_the_scenario_are_a_matrix_too() {
    let text = "[system.matrices]
mass = [2, 2]
stiffness.sparse = { n = 2, rows = [0, 1, 0, 1], columns = [0, 1, 1, 0], values = [3, 3, -1, -1] }
damping.modal = [0.1, 0.2]
[analysis.transient]
duration = 1
";
    let system = system("sparse.toml", text);
    assert_eq!(system.stiffness.data, [3.0, -1.0, -1.0, 3.0]);
    // modes (1, 1)/2 and (1, −1)/2 with ω = 1 and √2: C = 4 Σ 2 ζ ω φφᵀ
    let (c1, c2) = (0.2, 0.4 * 2f64.sqrt());
    for (found, expected) in system.damping.data.iter().zip([c1 + c2, c1 - c2, c1 - c2, c1 + c2]) {
        assert!((found - expected).abs() < 1e-14, "{:?}", system.damping.data);
    }
    for (from, to, key) in [
        ("n = 2", "n = 1", "system.matrices.stiffness.sparse"),
        ("rows = [0, ", "rows = [", "system.matrices.stiffness.sparse"),
        ("n = 2", "n = 100000000000", "system.matrices.stiffness.sparse.n"),
        ("[0.1, 0.2]", "[0.1, 0.2, 0.3]", "system.matrices.damping.modal"),
        ("modal = [0.1, 0.2]", "modal = nan", "system.matrices.damping.modal"),
        ("modal = [0.1, 0.2]", "rayleigh = { beta = inf }", "system.matrices.damping.rayleigh.beta"),
        ("modal = [0.1, 0.2]", "raleigh = { beta = 1 }", "system.matrices.damping.raleigh"),
    ] {
        assert!(text.contains(from));
        let found = errors("sparse.toml", &text.replace(from, to));
        assert_eq!(found.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), [key], "{to}: {found:?}");
    }
}

const CHAIN: &str = "[system.chain]
masses = 5
mass = 1
stiffness = 1
friction = { coulomb = { mu = 0.5, mu_static = 1.0 }, belt = 0.1, node = 'all' }
initial.position = [0.0, 0.2, 0.1, 0.3, 0.2]
[analysis.transient]
duration = 50
";

/// The committed example has the same chain, written out.
#[test]
fn the_generated_chain_moves_as_the_one_that_is_written_out() {
    let written = include_str!("../../../examples/blocks_on_belt.toml");
    let run = |text: &str, sets: &[String]| {
        Study::read("chain.toml", text, sets).unwrap().run(&mut Progress::none()).unwrap()
    };
    let sets = ["analysis.transient.duration=50".into(), "analysis.transient.window=[0, 50]".into()];
    let (made, written) = (run(CHAIN, &[]), run(written, &sets));
    assert_eq!(made.facts, written.facts);
    assert_eq!(made.events, written.events);
}

#[test]
fn nodes_that_are_wrong_are_errors_at_their_keys() {
    let at = |from: &str, to: &str| {
        assert!(BEAM.contains(from));
        errors("beam.toml", &BEAM.replace(from, to))
    };
    let friction = "mu = 0.3 }, node = 4";
    for (from, to, key, word) in [
        (friction, "mu = 0.3 }, node = 0", "friction.node", "support"),
        (friction, "mu = 0.3 }, node = 5", "friction.node", "0 to 4"),
        (friction, "mu = 0.3 }, node = []", "friction.node", "empty"),
        (friction, "mu = 0.3 }, node = 4, dof = 6", "friction.node", "beside dof"),
        (friction, "mu = 0.3 }", "friction", "which node"),
        (friction, "mu = 0.3 }, load = -1, node = [3, 4]", "friction.load", "positive"),
        ("elements = 4", "elements = 4000", "elements", "at most 1000"),
        ("young = 4", "young = -4", "young", "positive"),
        ("young = 4", "young = 4\nright = 'loose'", "right", "clamped"),
        ("young = 4", "young = 4\nlenght = 4", "lenght", "length"),
    ] {
        let found = at(from, to);
        assert_eq!(found.len(), 1, "{to}: {found:?}");
        assert_eq!(found[0].0, format!("system.beam.{key}"), "{to}");
        assert!(found[0].1.contains(word), "{to}: {}", found[0].1);
    }
    let found = at(friction, "mu = 0.3 }, node = 'tip'");
    assert!(found[0].0 == "system.beam.friction.node" && found[0].1.contains("all"), "{found:?}");
    let found = errors(
        "files.toml",
        "[system.matrices]\nmass = [1, 1]\nfriction = { coulomb.mu = 1, node = 0 }\n[analysis.transient]\nduration = 1\n",
    );
    assert_eq!(found[0].0, "system.matrices.friction.node", "{found:?}");
}

/// A table with several nodes makes several contacts: its numbers are varied together, and a load acts on each node.
#[test]
fn a_table_of_several_nodes_is_varied_as_one() {
    let text = CHAIN
        .replace("node = 'all'", "node = [1, 3]")
        .replace("[analysis.transient]\nduration = 50", "force = { amplitude = 1, omega = 0.3, node = [0, 4] }\n[analysis.response]\nparameter = 'belt'\nfrom = 0.0\nto = 0.1\npoints = 2");
    let Task::Response(task) = study("chain.toml", &text).task else { panic!("a response") };
    assert_eq!(task.system.harmonics[0].amplitude, [1.0, 0.0, 0.0, 0.0, 1.0]);
    let faster = task.varied.parameter.at(&task.system, 0.7);
    assert_eq!(faster.contacts.iter().map(|contact| contact.belt).collect::<Vec<_>>(), [0.7, 0.7]);
    assert_eq!(faster.contacts[1].direction, [0.0, 0.0, 0.0, 1.0, 0.0]);
}

const BLADE: &str = "[system.beam]
force = { amplitude = 1, omega = 3.4, node = 20 }
friction = { coulomb = { mu = 0.3, mu_static = 0.4 }, node = 20 }
reduce = { modes = 8, nodes = 10 }
damping.rayleigh.beta = 0.005
elements = 20
length = 1
young = 1
inertia = 1
density = 1
area = 1
[analysis.transient]
periods = 6
";

#[test]
fn a_reduced_beam_moves_as_the_full_one() {
    let run = |text: &str| study("blade.toml", text).run(&mut Progress::none()).unwrap();
    let full = run(&BLADE.replace("reduce = { modes = 8, nodes = 10 }", ""));
    let mut last = f64::INFINITY;
    for modes in [2, 5, 12] {
        let reduced = run(&BLADE.replace("modes = 8", &format!("modes = {modes}")));
        assert!(reduced.warnings.is_empty() || modes == 2, "{:?}", reduced.warnings);
        let names: Vec<&str> = reduced.samples.iter().map(|column| column.name.as_str()).collect();
        let expected = [
            "t",
            "position_38",
            "position_18",
            "velocity_38",
            "velocity_18",
            "acceleration_38",
            "acceleration_18",
            "sliding",
            "friction",
            "slope",
        ];
        assert_eq!(names, expected);
        let kinds =
            |events: &[stiction::event::Event]| events.iter().map(|event| event.kind).collect::<Vec<_>>();
        // whether a contact rests for a moment as it turns is up to the mass that moves at once: few modes have too much of it
        if modes > 5 {
            assert_eq!(kinds(&reduced.events), kinds(&full.events), "{modes} modes");
        }
        let mut largest = 0.0f64;
        for name in ["position_38", "position_18"] {
            let (a, b) = (&full.column(name).unwrap().values, &reduced.column(name).unwrap().values);
            let size = a.iter().fold(0.0f64, |size, x| size.max(x.abs()));
            largest = a.iter().zip(b).map(|(a, b)| (a - b).abs() / size).fold(largest, f64::max);
            let [most, least] =
                [&full, &reduced].map(|outcome| outcome.fact(&format!("{name}_max")).unwrap());
            assert!((most - least).abs() <= 1.01 * largest * size, "{name}");
        }
        // dry friction has all frequencies; its jumps in the acceleration are the last to converge
        let allowed = [3e-2, 1e-3, 1e-5][[2, 5, 12].iter().position(|m| *m == modes).unwrap()];
        assert!(largest < allowed && largest < last, "{modes} modes: {largest:e}");
        last = largest;
        assert_eq!(reduced.fact("model_degrees"), Some(40.0));
        assert_eq!(reduced.fact("modes_kept"), Some(modes as f64));
        assert!(reduced.fact("reduced_degrees").unwrap() <= (modes + 2) as f64);
        // ((2j − 1)π/2)² of mode j of a cantilever, the first that is left out; the mesh adds some per mille
        let first = [61.7, 298.6, 1542.1][[2, 5, 12].iter().position(|m| *m == modes).unwrap()];
        assert!((reduced.fact("neglected_frequency").unwrap() / first - 1.0).abs() < 0.15);
    }
}

/// Ten thousand masses in a row between walls: the frequencies of the textbook, and a response.
#[test]
fn ten_thousand_degrees_of_freedom_are_reduced() {
    let text = "[system.chain]
masses = 10000
mass = 1e-4
stiffness = 1e4
right = 'fixed'
damping.modal = 0.01
force = { amplitude = 1, omega = 3, node = 5000 }
friction = { coulomb = { mu = 0.2 }, node = 2500 }
reduce = { tolerance = 1e-2, band = 10 }
[analysis.transient]
periods = 3
";
    let study = study("long.toml", text);
    let reduction = study.reduction.clone().unwrap().report;
    let frequency = |j: usize| {
        let angle = std::f64::consts::PI * j as f64 / (2.0 * 10_001.0);
        2.0 * (1e4f64 / 1e-4).sqrt() * libm::sin(angle)
    };
    let [below, above] = [frequency(reduction.modes), frequency(reduction.modes + 1)];
    // the bound lies in the gap above the last mode that is kept
    assert!(below < reduction.neglected && reduction.neglected < above, "{reduction:?} {below} {above}");
    assert!(reduction.error <= 1e-2 && reduction.is_bound && reduction.rounding < 1e-6, "{reduction:?}");
    let outcome = study.run(&mut Progress::none()).unwrap();
    assert!(!outcome.has_failed() && outcome.events.len() > 4, "{:?}", outcome.warnings);
}

#[test]
fn what_reduction_cannot_do_is_an_error_at_its_key() {
    let response = "[analysis.response]\nparameter = 'omega'\nfrom = 3\nto = 4\npoints = 2\ndof = 38";
    for (from, to, key, word) in [
        ("modes = 8, nodes = 10", "nodes = 10", "reduce", "neither modes nor tolerance"),
        ("modes = 8", "modes = 8, tolerance = 1", "reduce.tolerance", "beside modes"),
        ("modes = 8", "modes = 0", "reduce.modes", "positive"),
        ("modes = 8", "modes = 40", "reduce.modes", "at most 39"),
        ("modes = 8", "tolerance = 1e-40", "reduce.tolerance", "modes are off by"),
        ("modes = 8", "tolerance = -1", "reduce.tolerance", "positive"),
        ("modes = 8", "modes = 8, dofs = [40]", "reduce.dofs", "0 to 39"),
        ("nodes = 10", "nodes = 0", "reduce.nodes", "support"),
        ("node = 20 }\nred", "direction = [1] }\nred", "friction.direction", "40"),
        ("elements = 20", "elements = 90000", "elements", "at most 100000"),
        ("omega = 3.4, node = 20", "omega = 3.4, node = 20, phase = nan", "force.phase", "finite"),
    ] {
        assert!(BLADE.contains(from), "{from}");
        let found = errors("blade.toml", &BLADE.replace(from, to));
        assert_eq!(found.len(), 1, "{to}: {found:?}");
        assert_eq!(found[0].0, format!("system.beam.{key}"), "{to}: {}", found[0].1);
        assert!(found[0].1.contains(word), "{to}: {}", found[0].1);
    }
    let varied = BLADE.replace("[analysis.transient]\nperiods = 6", response);
    for (from, to, key) in [
        ("dof = 38", "dof = 40", "analysis.response.dof"),
        (
            "parameter = 'omega'",
            "parameter = 'system.beam.friction.direction.0'",
            "analysis.response.parameter",
        ),
        ("from = 3", "from = -3", "analysis.response.from"),
    ] {
        assert!(varied.contains(from));
        let text =
            varied.replace(from, to).replace("mu_static = 0.4 }, node = 20", "mu_static = 0.4 }, dof = 38");
        assert_eq!(errors("blade.toml", &text)[0].0, key);
    }
    // a frequency that is varied widens the band
    assert_eq!(study("blade.toml", &varied).reduction.unwrap().report.band, 40.0);
}

/// The measured degree of freedom is one of the full model, whatever its number in the reduced one.
#[test]
fn a_response_of_a_reduced_model_is_that_of_the_full_one() {
    let response = "[analysis.response]\nparameter = 'omega'\nfrom = 3.2\nto = 3.6\npoints = 2\ndof = 4\nharmonic_balance = { harmonics = 9 }";
    let text = BLADE.replace("[analysis.transient]\nperiods = 6", response);
    let text = text.replace("coulomb = { mu = 0.3, mu_static = 0.4 }", "tanh = { mu = 0.3, width = 0.1 }");
    let short = text.replace("elements = 20", "elements = 6").replace("node = 20", "node = 6");
    let reduced = short.replace("modes = 8, nodes = 10", "modes = 6");
    let amplitude = |text: &str| {
        let outcome = study("blade.toml", text).run(&mut Progress::none()).unwrap();
        outcome.column("amplitude").unwrap().values.clone()
    };
    let (small, full) = (amplitude(&reduced), amplitude(&reduced.replace("reduce = { modes = 6 }", "")));
    for (a, b) in small.iter().zip(&full) {
        assert!((a / b - 1.0).abs() < 1e-4, "{small:?} {full:?}");
    }
}

#[test]
fn a_plate_has_its_nodes_row_by_row() {
    let text = "[system.plate]
elements = [4, 3]
sides = [1.0, 0.8]
thickness = 0.002
young = 210e9
poisson = 0.3
density = 7800
force = { amplitude = 1, omega = 100, node = 7 }
friction = { coulomb.mu = 0.3, node = [6, 8] }
reduce = { modes = 4 }
[analysis.transient]
periods = 1
";
    // nodes 6, 7, 8 are the inner ones of the second row, (w, slope, slope) each, after five pinned ones with a slope each
    let reduction = study("plate.toml", text).reduction.unwrap();
    let first = |node: usize| 2 + 3 + 1 + 3 * (node - 6);
    assert_eq!(reduction.reported.len(), 3);
    assert_eq!(reduction.reported[1] - reduction.reported[0], first(8) - first(6));
    let found =
        errors("plate.toml", &text.replace("poisson = 0.3", "poisson = 0.7").replace("[4, 3]", "[4]"));
    assert_eq!(found[0].0, "system.plate.elements", "{found:?}");
    let found = errors("plate.toml", &text.replace("poisson = 0.3", "poisson = 0.7"));
    assert_eq!(found[0].0, "system.plate.poisson", "{found:?}");
}

/// The samples of a scenario.
fn sampled(text: &str) -> Vec<stiction_study::Column> {
    let study = Study::read("a.toml", text, &[]).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    study.run(&mut stiction::Progress::none()).unwrap().samples
}

fn messages(text: &str) -> Vec<String> {
    let faults = Study::read("a.toml", text, &[]).unwrap_err();
    faults.into_iter().map(|fault| format!("{}: {}", fault.key, fault.message)).collect()
}

#[test]
fn a_beam_by_its_section_is_the_beam_by_area_and_second_moment() {
    let beam = |section: &str| {
        format!(
            "[system.beam]\nelements = 3\nlength = 1\nyoung = 2e9\ndensity = 800\n{section}\nforce = {{ constant = 3, node = 3 }}\n[analysis.transient]\nduration = 0.1\nsamples = 11\n"
        )
    };
    let near = |a: &str, b: &str| {
        for (a, b) in sampled(&beam(a)).iter().zip(sampled(&beam(b))) {
            let size = b.values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            assert!(a.values.iter().zip(&b.values).all(|(x, y)| (x - y).abs() <= 1e-6 * size), "{}", a.name);
        }
    };
    // b h and b h³/12, π d²/4 and π d⁴/64
    near("width = 0.03\nheight = 0.02", "area = 6e-4\ninertia = 2e-8");
    near("diameter = 0.02", "area = 3.141592653589793e-4\ninertia = 7.853981633974483e-9");
    for (section, key) in [
        ("", "system.beam: cross-section is missing"),
        ("width = 0.03", "system.beam.width: cross-section by width"),
        ("diameter = 0.03\narea = 1", "system.beam.area: cross-section by area, diameter"),
        ("diameter = -1", "system.beam.diameter: -1"),
    ] {
        let found = messages(&beam(section));
        assert!(found[0].starts_with(key), "{found:?}");
    }
}

#[test]
fn a_chain_of_listed_masses_has_them_in_their_order() {
    let chain = |masses: &str| {
        format!(
            "[system.chain]\n{masses}\nstiffness = 30\nforce = {{ constant = 3, node = 1 }}\n[analysis.transient]\nduration = 1\nsamples = 11\n"
        )
    };
    let matrices = "[system.matrices]\nmass = [1, 2, 4]\nstiffness = [[60, -30, 0], [-30, 60, -30], [0, -30, 30]]\nforce = { constant = 3, dof = 1 }\n[analysis.transient]\nduration = 1\nsamples = 11\n";
    assert_eq!(sampled(&chain("mass = [1, 2, 4]")), sampled(matrices));
    assert_eq!(sampled(&chain("mass = [2, 2]")), sampled(&chain("masses = 2\nmass = 2")));
    assert!(messages(&chain("mass = 2"))[0].contains("masses is missing"));
    assert!(messages(&chain("masses = 3\nmass = [2, 2]"))[0].contains("not the length"));
    assert!(messages(&chain("masses = 1000000000000\nmass = 2"))[0].contains("at most"));
    assert!(messages(&chain("mass = []"))[0].starts_with("system.chain.mass"));
}

#[test]
fn the_inertia_of_a_body_is_that_of_its_shape_unless_given() {
    let body = |more: &str| {
        format!(
            "[system.body]\nmass = 2\nvelocity = [1, 0]\nspin = 4\npatch.mu = 0.3\n{more}\n[analysis.transient]\nsamples = 11\n"
        )
    };
    for (shape, inertia) in [
        ("disc.radius = 0.1", 0.01),
        ("annulus = { inner = 0.06, outer = 0.08 }", 0.01),
        ("rectangle = { length = 0.3, width = 0.1 }", 1.0 / 60.0),
        // a square about its centre, as a polygon
        ("polygon.vertices = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]", 0.08 / 6.0),
    ] {
        let own = sampled(&body(&format!("patch.shape.{shape}")));
        let given = sampled(&body(&format!("patch.shape.{shape}\ninertia = {inertia}")));
        for (a, b) in own.iter().zip(&given) {
            let size = b.values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            assert!(
                a.values.iter().zip(&b.values).all(|(x, y)| (x - y).abs() <= 1e-9 * size),
                "{shape} {}",
                a.name
            );
        }
    }
    for shape in ["ring.radius = 0.1", "polygon.vertices = [[0, 0], [0.3, 0], [0, 0.3]]"] {
        let found = messages(&body(&format!("patch.shape.{shape}")));
        assert!(found[0].starts_with("system.body.inertia: absent"), "{found:?}");
    }
    let triangle = "patch.shape.polygon.vertices = [[0, 0], [0.3, 0], [0, 0.3]]\ncentre_of_mass = [0.1, 0.1]";
    assert!(sampled(&body(triangle)).len() > 3);
}

#[test]
fn a_node_that_is_measured_is_its_degree_of_freedom() {
    let beam = |measured: &str| {
        format!(
            "[system.beam]\nelements = 3\nlength = 1\nyoung = 2e9\ndensity = 800\ndiameter = 0.02\ndamping.modal = 0.05\nforce = {{ amplitude = 3, omega = 20, node = 3 }}\nfriction = {{ coulomb.mu = 0.3, node = 2 }}\n[analysis.steady]\n{measured}\n"
        )
    };
    let amplitude = |text: &str| {
        let study = Study::read("a.toml", text, &[]).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
        study.run(&mut Progress::none()).unwrap().fact("amplitude").unwrap()
    };
    // the clamp holds node 0; deflection and slope of the others
    assert_eq!(amplitude(&beam("node = 3")), amplitude(&beam("dof = 4")));
    assert_eq!(amplitude(&beam("node = 1")), amplitude(&beam("dof = 0")));
    assert!(messages(&beam("node = 0"))[0].contains("support holds"));
    assert!(messages(&beam("node = 9"))[0].contains("0 to 3"));
    assert!(messages(&beam("node = 2\ndof = 3"))[0].contains("beside dof"));
}

#[test]
fn nodes_of_a_transient_are_reported_by_their_numbers_and_rotations_in_radians() {
    let whole = study("test", BEAM).run(&mut Progress::none()).unwrap();
    let unit = |name: &str| whole.column(name).unwrap().unit.to_string();
    assert_eq!([unit("position_0"), unit("position_1")], ["m", "rad"]);
    assert_eq!([unit("velocity_3"), unit("acceleration_3")], ["rad/s", "rad/s²"]);
    let turned = whole.facts.iter().find(|fact| fact.name() == "position_7_max").unwrap();
    assert_eq!(turned.unit, "rad");

    let text = format!("{BEAM}nodes = [4, 2]\n");
    let some = study("test", &text).run(&mut Progress::none()).unwrap();
    let names: Vec<&str> = some.samples.iter().map(|column| column.name.as_str()).take(7).collect();
    assert_eq!(
        names,
        [
            "t",
            "position_node_2",
            "position_node_4",
            "velocity_node_2",
            "velocity_node_4",
            "acceleration_node_2",
            "acceleration_node_4"
        ]
    );
    // the left end is clamped: node 4 is displaced by degree of freedom 6
    assert_eq!(some.column("position_node_4").unwrap().values, whole.column("position_6").unwrap().values);
    assert_eq!(some.fact("velocity_node_2_min"), whole.fact("velocity_2_min"));
    assert!(whole.fact("velocity_2_min").is_some());
    assert_eq!(some.fact("friction_loss"), whole.fact("friction_loss"));
    assert_eq!(some.fact("position_1_max"), None);

    for (nodes, message) in [
        ("[0]", "0, but a support holds that node"),
        ("5", "5, but the nodes are 0 to 4"),
        ("[2, 2]", "node 2 is given twice"),
        ("[]", "an empty list"),
    ] {
        let found = errors("test", &format!("{BEAM}nodes = {nodes}\n"));
        assert!(found.len() == 1 && found[0].0 == "analysis.transient.nodes", "{nodes}: {found:?}");
        assert!(found[0].1.contains(message), "{nodes}: {found:?}");
    }
    let plain = FILES.replace("beam_", &format!("{FOLDER}/beam_"));
    let found = errors("test", &format!("{plain}nodes = 2\n"));
    assert!(found[0].1.contains("only chains, beams and plates have nodes"), "{found:?}");
}

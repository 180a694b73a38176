//! Stiffness and damping of a contact in N/m and N s/m.

use stiction::Progress;
use stiction::law::FrictionLaw;
use stiction_study::{Outcome, Study};

const LOAD: f64 = 64.0;

fn study(text: &str, sets: &[String]) -> Study {
    Study::read("a.toml", text, sets).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

fn run(text: &str, sets: &[String]) -> Outcome {
    study(text, sets).run(&mut Progress::none()).unwrap()
}

fn faults(text: &str) -> Vec<(String, String)> {
    let faults = Study::read("a.toml", text, &[]).unwrap_err();
    faults.into_iter().map(|fault| (fault.key, fault.message)).collect()
}

fn oscillator(friction: &str) -> String {
    format!(
        "[system.oscillator]\nmass = 50.0\nstiffness = 60.0\nforce = {{ amplitude = 40.0, omega = 0.7 }}\n{friction}\n[analysis.transient]\nduration = 4.0\nsamples = 41\n"
    )
}

/// The law as a line of a scenario, its numbers per newton of load or, times the load, in N/m and N s/m.
fn written(law: &FrictionLaw, is_at_load: bool) -> String {
    let name = law.name();
    let mut law = law.clone();
    let numbers: Vec<&str> = law.per_newton().filter(|_| is_at_load).collect();
    numbers.iter().for_each(|number| assert!(law.map_number(number, &|x| x * LOAD)));
    let mut table = toml::Value::try_from(&law).unwrap()[name].as_table().unwrap().clone();
    for number in numbers {
        let value = table.remove(number).unwrap();
        table.insert(format!("contact_{number}"), value);
    }
    let inline = serde_json::to_string(&toml::Value::Table(table)).unwrap().replace("\":", "\"=");
    format!("friction.{name} = {inline}\nfriction.load = {LOAD}")
}

#[test]
fn a_law_in_newtons_is_the_law_per_newton_of_load() {
    let laws: Vec<FrictionLaw> =
        FrictionLaw::examples().into_iter().filter(|law| law.per_newton().next().is_some()).collect();
    let mut names: Vec<&str> = laws.iter().map(FrictionLaw::name).collect();
    names.dedup();
    let all =
        ["dahl", "lugre", "elasto-plastic", "bouc-wen", "jenkins", "iwan", "gms", "four-parameter-iwan"];
    assert!(all.iter().all(|name| names.contains(name)), "{names:?}");
    for law in laws {
        let own = run(&oscillator(&written(&law, false)), &[]);
        let text = oscillator(&written(&law, true));
        let other = run(&text, &[]);
        assert_eq!(own.samples, other.samples, "{text}");
        // and as it is shown
        let shown = study(&text, &[]).scenario.to_toml().unwrap();
        assert!(shown.contains("contact_stiffness"), "{shown}");
        assert_eq!(run(&shown, &[]).samples, other.samples);
    }
}

#[test]
fn viscous_damping_in_newtons_is_the_viscous_part_at_the_load() {
    let own =
        run(&oscillator("friction = { tanh = { mu = 0.3, width = 0.1 }, load = 8, viscous = 0.5 }"), &[]);
    let other = run(
        &oscillator("friction = { tanh = { mu = 0.3, width = 0.1 }, load = 8, contact_viscous = 4 }"),
        &[],
    );
    assert_eq!(own.samples, other.samples);
}

#[test]
fn a_stiffness_in_newtons_per_metre_is_kept_while_the_load_varies_in_a_sweep() {
    let text = oscillator(
        "friction = { lugre = { mu = 0.3, mu_static = 0.4, velocity = 0.1, contact_stiffness = 900, contact_damping = 7 }, load = 30, contact_viscous = 2 }",
    );
    for over in [
        "{ parameter = \"friction.load\", values = [20, 30, 55] }",
        "{ parameter = \"contact_stiffness\", values = [600, 900] }, { parameter = \"friction.load\", values = [20, 55] }",
        "{ parameter = \"friction.load\", values = [20, 55] }, { parameter = \"contact_viscous\", values = [1, 3] }, { parameter = \"contact_damping\", values = [5, 9] }",
        // no lens reaches the length of the run: the scenario is resolved anew at each point
        "{ parameter = \"friction.load\", values = [20, 55] }, { parameter = \"duration\", values = [3, 4] }",
    ] {
        let sweep = study(&format!("{text}[sweep]\nover = [{over}]\n"), &[]).sweep.unwrap();
        let (axes, columns) = (&sweep.axes, sweep.columns());
        for row in sweep.rows(0..sweep.rows, false, &mut Progress::none()).unwrap() {
            let sets: Vec<String> =
                axes.iter().zip(&row.values).map(|(a, x)| format!("{}={x:?}", a.path.join("."))).collect();
            let alone = run(&text, &sets);
            for fact in &alone.facts {
                let k = columns.iter().position(|column| column.name == fact.name()).unwrap();
                let found = row.facts[k - axes.len()].unwrap();
                // step counts and instants of extrema move with the last digits of the stiffness
                let near = (found - fact.value).abs() <= 1e-6 * fact.value.abs().max(1e-3);
                let is_count = fact.unit == "-" && fact.value.fract() == 0.0;
                assert!(near || is_count, "{} at {sets:?}: {found} for {}", fact.name(), fact.value);
            }
        }
        let units: Vec<&str> = axes.iter().map(|axis| axis.unit.as_str()).collect();
        assert!(units.iter().all(|unit| ["N", "N/m", "N s/m", "s"].contains(unit)), "{units:?}");
    }
}

#[test]
fn a_response_with_loads_overlaid_keeps_the_stiffness_in_newtons_per_metre() {
    let head = "[system.oscillator]\nmass = 0.5\ndamping = 2.0\nstiffness = 2e5\nforce = { amplitude = 30.0, omega = 700.0 }\n";
    let analysis = "[analysis.response]\nparameter = \"omega\"\nfrom = 600.0\nto = 700.0\npoints = 3\n";
    let friction = "friction = { jenkins = { mu = 0.4, contact_stiffness = 8e4 }, load = 100 }\n";
    let overlay = "overlay = { parameter = \"friction.load\", values = [50.0, 200.0] }\n";
    let both = run(&format!("{head}{friction}{analysis}{overlay}"), &[]);
    let column = |outcome: &Outcome| {
        outcome.samples.iter().find(|column| column.name == "amplitude").unwrap().values.clone()
    };
    let alone = |load: f64| {
        let friction =
            format!("friction = {{ jenkins = {{ mu = 0.4, stiffness = {} }}, load = {load} }}\n", 8e4 / load);
        column(&run(&format!("{head}{friction}{analysis}"), &[]))
    };
    let expected = [alone(50.0), alone(200.0)].concat();
    let found = column(&both);
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!((x / y - 1.0).abs() < 1e-9, "{x} for {y}");
    }
}

#[test]
fn numbers_in_newtons_are_refused_where_they_say_nothing() {
    let jenkins =
        |more: &str| faults(&oscillator(&format!("friction = {{ jenkins = {{ mu = 0.4, {more} }}")));
    let both = jenkins("stiffness = 800, contact_stiffness = 8e4 }, load = 100");
    assert_eq!(both[0].0, "system.oscillator.friction.jenkins.contact_stiffness");
    assert!(both[0].1.contains("given beside stiffness"), "{both:?}");
    let varies = jenkins("contact_stiffness = 8e4 }, load = 100, load_varies = { amplitude = 3, omega = 1 }");
    assert!(varies[0].1.contains("load that varies"), "{varies:?}");
    let zero = jenkins("contact_stiffness = 8e4 }, load = 0");
    assert!(zero[0].1.contains("load 0"), "{zero:?}");
    assert!(zero.iter().all(|(_, message)| !message.contains("inf")), "{zero:?}");
    let none = jenkins("} , load = 100");
    assert!(none[0].1.contains("stiffness is missing"), "{none:?}");
    let typo = jenkins("contact_stifness = 8e4 }, load = 100");
    assert_eq!(typo.len(), 1, "{typo:?}");
    let other = faults(&oscillator("friction = { coulomb = { mu = 0.3, contact_stiffness = 3 } }"));
    assert!(other[0].1.contains("unknown key"), "{other:?}");
    let viscous =
        faults(&oscillator("friction = { coulomb.mu = 0.3, load = 3, viscous = 1, contact_viscous = 2 }"));
    assert!(viscous[0].1.contains("given beside viscous"), "{viscous:?}");
}

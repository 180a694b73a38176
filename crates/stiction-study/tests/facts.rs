//! Every number that a run reports stands in the table of facts, and the table stands in the documentation.

use stiction::Progress;
use stiction_study::{ColumnKind, Outcome, PatchFile, Study, facts_page};

/// The names in the committed page, with `_i` and without it.
fn documented() -> Vec<String> {
    let page = include_str!("../../../docs/reference/facts.md");
    let name = |line: &str| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned());
    let names: Vec<String> = page.lines().filter_map(name).collect();
    names.iter().flat_map(|name| [name.clone(), alone(name)]).collect()
}

/// The name of what there is only one of.
fn alone(name: &str) -> String {
    name.split('_').filter(|part| *part != "i").collect::<Vec<_>>().join("_")
}

/// A name as the page has it: `_i` for a number, and without the number of the motion.
fn as_documented(name: &str) -> String {
    let parts: Vec<&str> = name.split('_').collect();
    let parts = match parts.as_slice() {
        ["orbit", number, rest @ ..] if number.parse::<usize>().is_ok() => rest,
        all => all,
    };
    let part = |part: &&str| if part.parse::<usize>().is_ok() { "i".to_owned() } else { (*part).to_owned() };
    parts.iter().map(part).collect::<Vec<_>>().join("_")
}

/// A driven block under Coulomb's law.
const BLOCK: &str = "
[system.oscillator]
mass = 1.0
stiffness = 1.0
force = { amplitude = 2.0, omega = 0.5 }
friction.coulomb = { mu = 1.0 }
";

fn examples() -> Vec<(String, String)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let paths = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    paths.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

fn run(name: &str, text: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    Study::read(name, text, &sets).unwrap().run(&mut Progress::none()).unwrap()
}

#[test]
fn the_page_of_facts_is_not_stale() {
    assert_eq!(include_str!("../../../docs/reference/facts.md"), facts_page(), "run `cargo xtask generate`");
}

#[test]
fn every_fact_and_column_of_every_example_is_documented() {
    let known = documented();
    let mut outcomes: Vec<Outcome> = examples().iter().map(|(name, text)| run(name, text, &[])).collect();
    // several motions, several contacts, and an analysis that no example has
    let analysis = r#"bifurcation = { parameter = "omega", from = 0.4, to = 0.6, points = 3, transient = 5, samples = 2 }"#;
    outcomes.push(run("bifurcation.toml", &format!("{BLOCK}[analysis]\n{analysis}\n"), &[]));
    for outcome in &outcomes {
        for fact in &outcome.facts {
            let name = as_documented(&fact.name());
            assert!(known.contains(&name), "{}: {name}", outcome.title);
            assert!(!fact.unit.is_empty(), "{}: {name} has no unit", outcome.title);
        }
        let is_key = |kind: ColumnKind| matches!(kind, ColumnKind::Parameter | ColumnKind::Overlay);
        for column in outcome.samples.iter().filter(|column| !is_key(column.kind)) {
            let name = as_documented(&column.name);
            // internal states have the names that their laws give them
            let is_known = known.contains(&name) || column.kind == ColumnKind::State;
            assert!(is_known, "{}: {name}", outcome.title);
            assert!(!column.unit.is_empty(), "{}: {name} has no unit", outcome.title);
        }
    }
    let patch = include_str!("../../../examples/patches/disc.toml");
    let file = PatchFile::read("disc.toml", patch, &[]).unwrap();
    for fact in stiction_study::patch::summary(&file.patch.into()).unwrap() {
        assert!(known.contains(&fact.name()), "{}", fact.name());
    }
}

#[test]
fn an_outcome_reads_back_to_the_same_bits() {
    for (name, text) in examples().iter().filter(|(name, _)| name.contains("s")).take(4) {
        let outcome = run(name, text, &[]);
        let text = serde_json::to_string(&outcome).unwrap();
        let again: Outcome = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{outcome:?}"), format!("{again:?}"), "{name}");
    }
}

/// JSON has neither NaN nor infinity: a fact that is one is null, and a warning names it.
#[test]
fn a_fact_that_json_cannot_hold_is_named_in_a_warning() {
    let block = include_str!("../../../examples/sliding_block.toml");
    let mut outcome = run("sliding_block.toml", block, &[]);
    outcome.facts[0].value = f64::INFINITY;
    let json = serde_json::to_value(outcome.json()).unwrap();
    assert!(json["facts"][0]["value"].is_null());
    let message = json["warnings"][0]["message"].as_str().unwrap();
    assert!(message.starts_with(&outcome.facts[0].name()) && message.contains("inf"), "{message}");
}

#[test]
fn the_first_coulomb_scenario_runs_and_shows_its_integrator() {
    let study = Study::read("first.toml", BLOCK, &[]).unwrap();
    assert!(study.scenario.to_toml().unwrap().contains("[integrator.exact]"));
    let outcome = study.run(&mut Progress::none()).unwrap();
    assert!(outcome.fact("stick_fraction").unwrap() > 0.0);
    // a law that is not a polyline is integrated with error control
    let smooth = BLOCK.replace("coulomb = { mu = 1.0 }", "tanh = { mu = 1.0, width = 0.01 }");
    let study = Study::read("smooth.toml", &smooth, &[]).unwrap();
    assert!(study.scenario.to_toml().unwrap().contains("[integrator.adaptive]"));
}

/// Every paper reproduces every one of its figures, and nothing that it states is off.
#[test]
fn the_papers_are_a_family() {
    for paper in stiction_study::paper::PAPERS {
        let sections = paper.reproduce(&|_| true, &mut Progress::none()).unwrap();
        let drawn: Vec<&str> = sections.iter().flat_map(|s| s.figures.iter().map(|f| f.0)).collect();
        assert_eq!(drawn, paper.figures(), "{}", paper.name());
        assert!(paper.gallery().iter().all(|name| drawn.contains(name)), "{}", paper.name());
        let n_cases: usize = sections.iter().map(|section| section.cases.len()).sum();
        assert_eq!(n_cases, paper.cases().len(), "{}", paper.name());
        for check in sections.iter().flat_map(|section| section.checks()) {
            assert!(check.agrees, "{}: {check:?}", paper.name());
        }
    }
    let unknown = stiction_study::paper::wanted(Some("paper-b"), Some("fig-9")).err().unwrap();
    assert!(unknown.hint.unwrap().contains("fig-"));
    assert!(stiction_study::paper::wanted(Some("paper-x"), None).is_err());
}

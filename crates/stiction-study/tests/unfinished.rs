//! Analyses along a parameter that are stopped: what is finished is kept, and another run ends with the same numbers.

use stiction::{Error, Progress};
use stiction_study::{Finished, Outcome, Study};

const SMOOTH: &str = "[system.oscillator]\nmass = 1.0\nstiffness = 1.0\ndamping = 0.05\nfriction.tanh = { mu = 0.3, width = 0.1 }\nforce = { amplitude = 1.0, omega = 0.7 }\n";
const RANGE: &str = "parameter = \"omega\"\nfrom = 0.4\nto = 1.6\npoints = 12\n";

fn study(text: &str) -> Study {
    Study::read("a.toml", text, &[]).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

/// Runs until the part `end` of the work is done.
fn stopped(study: &Study, finished: &mut Finished, end: f64) -> Error {
    let mut listen = |fraction: f64| fraction < end;
    study.run_onto(finished, &mut Progress::new(&mut listen)).unwrap_err()
}

fn rows(outcome: &Outcome) -> usize {
    outcome.samples[0].values.len()
}

fn columns(outcome: &Outcome) -> Vec<(String, Vec<u64>)> {
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect();
    outcome.samples.iter().map(|column| (column.name.clone(), bits(&column.values))).collect()
}

#[test]
fn a_response_that_was_stopped_goes_on_to_the_same_numbers() {
    let analyses = [
        format!("[analysis.response]\n{RANGE}"),
        format!("[analysis.response]\n{RANGE}facts = [\"velocity_max\"]\n"),
        format!("[analysis.response]\n{RANGE}harmonic_balance = {{}}\n"),
        format!("[analysis.response]\n{RANGE}overlay = {{ parameter = \"mu\", values = [0.2, 0.3] }}\n"),
        format!("[analysis.bifurcation]\n{RANGE}transient = 5\nsamples = 3\n"),
    ];
    for analysis in analyses {
        let study = study(&format!("{SMOOTH}{analysis}"));
        let whole = study.run(&mut Progress::none()).unwrap();
        let mut finished = Finished::default();
        for end in [0.3, 0.8] {
            assert!(matches!(stopped(&study, &mut finished, end), Error::Interrupted { .. }), "{analysis}");
            let part = study.unfinished(&finished).unwrap();
            assert!(rows(&part) > 0 && rows(&part) <= rows(&whole), "{analysis}");
            assert!(part.has_failed() && part.title.contains("incomplete"), "{analysis}");
            // by way of a file
            let (hash, read) = Finished::read(&finished.json("ff")).unwrap();
            assert_eq!((hash.as_str(), read.len()), ("ff", finished.len()), "{analysis}");
            finished = read;
        }
        let again = study.run_onto(&mut finished, &mut Progress::none()).unwrap();
        assert_eq!(columns(&again), columns(&whole), "{analysis}");
        assert_eq!(again.facts, whole.facts, "{analysis}");
    }
}

#[test]
fn a_stopped_branch_is_reported_as_far_as_it_went() {
    let dry = SMOOTH.replace("tanh = { mu = 0.3, width = 0.1 }", "coulomb.mu = 0.3");
    for more in ["", "harmonic_balance = { harmonics = 3 }\n"] {
        let range = RANGE.replace("from = 0.4", "from = 0.9");
        let study = study(&format!("{dry}[analysis.response]\n{range}through_folds = true\n{more}"));
        let whole = study.run(&mut Progress::none()).unwrap();
        let mut finished = Finished::default();
        stopped(&study, &mut finished, 0.5);
        let part = study.unfinished(&finished).unwrap();
        assert!(rows(&part) > 2 && rows(&part) < rows(&whole), "{more}: {}", rows(&part));
        assert!(part.warnings.iter().any(|warning| warning.message.contains("it was stopped")), "{more}");
        // by shooting it goes on from a file, by harmonic balance it is begun anew
        assert_eq!(finished.is_kept(), more.is_empty());
        let again = study.run_onto(&mut finished, &mut Progress::none()).unwrap();
        assert_eq!(columns(&again), columns(&whole), "{more}");
    }
}

#[test]
fn nothing_is_shown_where_nothing_is_finished() {
    let study = study(&format!("{SMOOTH}[analysis.response]\n{RANGE}"));
    let mut finished = Finished::default();
    stopped(&study, &mut finished, 0.0);
    assert!(study.unfinished(&finished).is_none() && finished.is_empty());
}

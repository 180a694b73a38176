//! Laws that stand in for set-valued friction, along a response.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

use crate::texts::{faults, run};
use stiction_study::{Outcome, Shown};

const POINTS: usize = 6;

fn text(law: &str, more: &str) -> String {
    format!(
        "[system.oscillator]\nmass = 1.0\ndamping = 0.05\nstiffness = 1.0\nforce = {{ amplitude = 0.5, omega = 1.0 }}\n\
         friction.{law}\n[analysis.response]\nparameter = \"omega\"\nfrom = 0.4\nto = 1.6\npoints = {POINTS}\n{more}"
    )
}

fn column(outcome: &Outcome, name: &str) -> Vec<f64> {
    outcome.column(name).unwrap().values.clone()
}

/// Every part of the table is the response of a scenario that is written with that law.
#[test]
fn each_law_has_the_response_of_its_own_scenario() {
    let compare = "compare = [{ law = \"tanh\", width = 0.1 }, { law = \"jenkins\", stiffness = 4.0 }, { law = \"tanh\", width = 0.01 }]\n";
    let all = run(&text("coulomb.mu = 0.35", compare));
    assert_eq!(column(&all, "law"), [[0.0; POINTS], [1.0; POINTS], [2.0; POINTS], [3.0; POINTS]].concat());
    let laws = [
        "coulomb.mu = 0.35",
        "tanh = { mu = 0.35, width = 0.1 }",
        "jenkins = { mu = 0.35, stiffness = 4.0 }",
        "tanh = { mu = 0.35, width = 0.01 }",
    ];
    let amplitudes = column(&all, "amplitude");
    let alone: Vec<Outcome> = laws.iter().map(|law| run(&text(law, ""))).collect();
    let truth = column(&alone[0], "amplitude");
    let peak = alone[0].fact("peak_amplitude").unwrap();
    for (k, outcome) in alone.iter().enumerate() {
        let own = column(outcome, "amplitude");
        let part = &amplitudes[k * POINTS..(k + 1) * POINTS];
        // a motion is found to 1e-10 from wherever the search begins
        let same = part.iter().zip(&own).all(|(a, b)| (a - b).abs() <= 1e-9 * peak);
        assert!(same, "{}: {part:?} {own:?}", laws[k]);
        if k > 0 {
            let off = own.iter().zip(&truth).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / peak;
            let reported = all.fact(&format!("error_response_{k}")).unwrap();
            assert!((reported - off).abs() < 1e-8, "{}: {reported} for {off}", laws[k]);
            let highest = outcome.fact("peak_amplitude").unwrap();
            let reported = all.fact(&format!("error_peak_{k}")).unwrap();
            assert!((reported - (highest / peak - 1.0)).abs() < 1e-8, "{}", laws[k]);
        }
    }
    // the narrower the better, and the peak that is reported is the true one
    let [wide, narrow] = [1, 3].map(|k| all.fact(&format!("error_response_{k}")).unwrap());
    assert!(narrow < 0.2 * wide, "{narrow} {wide}");
    assert!((all.fact("peak_amplitude").unwrap() - peak).abs() <= 1e-9 * peak);
    assert_eq!(all.fact("points"), Some(4.0 * POINTS as f64));
    let Shown::Response { laws, .. } = &all.shown else { panic!("a response") };
    assert_eq!(
        laws[..],
        ["coulomb", "tanh, width 0.1 m/s", "jenkins, stiffness 4 1/m", "tanh, width 0.01 m/s"]
    );
}

/// The number that is varied may be one of the true law.
#[test]
fn the_friction_itself_may_be_varied() {
    let more = "compare = [{ law = \"tanh\", width = 0.02 }]\n";
    let vary = |text: String| {
        text.replace("\"omega\"", "\"mu\"")
            .replace("from = 0.4", "from = 0.1")
            .replace("to = 1.6", "to = 0.4")
    };
    let all = run(&vary(text("coulomb.mu = 0.35", more)));
    let own = run(&vary(text("tanh = { mu = 0.35, width = 0.02 }", "")));
    let (all, own) = (column(&all, "amplitude"), column(&own, "amplitude"));
    let same = all[POINTS..].iter().zip(&own).all(|(a, b)| (a - b).abs() < 1e-8 * b);
    assert!(same && all[0] != all[POINTS], "{all:?} {own:?}");
}

#[test]
fn branches_and_harmonic_balance_compare_too() {
    let compare = "compare = [{ law = \"tanh\", width = 0.05 }]\n";
    let folds = run(&text("coulomb.mu = 0.35", &format!("through_folds = true\n{compare}")));
    assert!(folds.fact("error_peak_1").is_some() && folds.fact("error_response_1").is_none());
    assert_eq!(folds.fact("complete"), Some(1.0));
    let harmonic = "[analysis.response.harmonic_balance]\nharmonics = 31\n";
    let balanced = run(&text("coulomb.mu = 0.2", &format!("{compare}{harmonic}")));
    let shot = run(&text("coulomb.mu = 0.2", compare));
    let [a, b] = [&balanced, &shot].map(|outcome| column(outcome, "amplitude"));
    // jumps of the force leave an error that falls only with the number of harmonics: each motion reports its bound
    let bounds = column(&balanced, "truncation");
    let same = a.iter().zip(&b).zip(&bounds).all(|((a, b), bound)| (a - b).abs() <= *bound);
    assert!(same && a.len() == 2 * POINTS, "{a:?} {b:?} {bounds:?}");
    let widest = bounds.iter().copied().fold(0.0, f64::max);
    assert!(widest < 0.02 * balanced.fact("peak_amplitude").unwrap(), "{bounds:?}");
    // the laws differ by more
    let [own, other] = [&balanced, &shot].map(|outcome| outcome.fact("error_response_1").unwrap());
    let peak = shot.fact("peak_amplitude").unwrap();
    assert!((own - other).abs() <= 2.0 * widest / peak && other > widest / peak, "{own} {other}");
}

#[test]
fn what_cannot_be_compared_is_refused_at_its_key() {
    let (rests, creeps) = ("coulomb.mu = 0.3", "tanh = { mu = 0.3, width = 0.1 }");
    let two = "[{ law = 'tanh', width = 0.1 }, { law = 'tan', width = 1.0 }]";
    let overlaid = "[{ law = 'tanh', width = 0.1 }]\noverlay = { parameter = 'mu', values = [0.2] }";
    for (law, others, key) in [
        (rests, "[{ law = 'tanh' }]", "0.law"),
        (rests, two, "1.law"),
        (rests, "[{ law = 'tanh', width = -0.1 }]", "0.width"),
        (rests, "[{ law = 'jenkins', width = 0.1 }]", "0.width"),
        (creeps, "[{ law = 'jenkins', stiffness = 5.0 }]", "0"),
        (rests, overlaid, ""),
    ] {
        let more = format!("compare = {others}\n");
        let found = faults(&text(law, &more));
        let key = format!("analysis.response.compare.{key}");
        assert!(found.iter().any(|fault| fault.starts_with(key.trim_end_matches('.'))), "{more}: {found:?}");
    }
}

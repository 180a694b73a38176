//! Laws of several sizes against set-valued friction.

use stiction::Progress;
use stiction::law::{FrictionLaw, Size};
use stiction_study::Study;
use stiction_study::compare::{Criterion, ErrorRow, Sizes, Truth, require_set_valued_transient};

const DECAY: &str = "[system.oscillator]\nmass = 1.3\nstiffness = 4.0\ninitial.position = 1.0\nfriction.coulomb = { mu = 0.3 }\nforce = { amplitude = 0.4, omega = 1.1 }\n[analysis.transient]\nduration = 12.0\nsamples = 401\n";

/// Den Hartog's oscillator at the frequency ratio 0.7 with half the load as friction, and a period long after its start.
const DEN_HARTOG: &str = "[system.oscillator]\nmass = 1.0\nstiffness = 1.0\nfriction.coulomb = { mu = 0.5 }\nforce = { amplitude = 1.0, omega = 0.7 }\n[analysis.transient]\nperiods = 200\nwindow = [199, 200]\n";

fn truth(text: &str) -> Truth {
    let study = Study::read("compare.toml", text, &[]).unwrap();
    Truth::new(require_set_valued_transient(&study).unwrap(), &mut Progress::none()).unwrap()
}

fn row(truth: &Truth, law: &'static str, size: f64) -> ErrorRow {
    truth.row(law, size, &mut Progress::none()).unwrap()
}

/// The amplitudes of steady states, which other tests find with the exact engine (`tests/exact/sliders.rs`), printed to seven digits.
#[test]
fn the_amplitude_error_of_a_jenkins_element_falls_as_the_root_of_its_stiffness() {
    const COULOMB: f64 = 1.744254;
    const PRINTED: f64 = 1e-6;
    let truth = truth(DEN_HARTOG);
    let mut last: Option<f64> = None;
    for (stiffness, amplitude) in [(20.0, 1.540040), (100.0, 1.656969), (1e3, 1.717382), (1e4, 1.735830)] {
        let error = row(&truth, "jenkins", stiffness).errors.amplitude;
        assert!((error - (amplitude / COULOMB - 1.0)).abs() < PRINTED, "{stiffness}: {error}");
        if let Some(last) = last.filter(|_| stiffness > 100.0) {
            let order = (error / last).abs().log10();
            assert!((order + 0.5).abs() < 0.02, "{stiffness}: order {order}");
        }
        last = Some(error);
    }
    // between 1000 and 10 000 per metre by the same root
    let found =
        truth.coarsest("jenkins", Criterion::Amplitude, 0.01, &mut Progress::none()).unwrap().unwrap();
    let expected = 1e3 * (0.015_406f64 / 0.01).powi(2);
    assert!((found.size / expected - 1.0).abs() < 0.03, "{} {expected}", found.size);
    assert_eq!((found.parameter, found.unit), ("stiffness", "1/m"));
    assert!(row(&truth, "jenkins", found.size / 1.02).errors.amplitude.abs() > 0.01);
}

/// Each law says how it tends to the truth, and does.
#[test]
fn every_law_that_stands_in_tends_to_the_truth_by_its_size() {
    let truth = truth(DECAY);
    let pairs = truth.pairs::<&str>(&[], &Sizes::default()).unwrap();
    for law in FrictionLaw::REGULARISED {
        let sizes: Vec<f64> = pairs.iter().filter(|(name, _)| name == law).map(|(_, size)| *size).collect();
        // the third and the sixth: 0.03 and 1e-4 of the scale
        let [coarse, fine] = [sizes[2], sizes[5]];
        match FrictionLaw::size(law).unwrap() {
            Size::Width => assert!((fine / coarse * 300.0 - 1.0).abs() < 1e-12, "{law}"),
            Size::Stiffness => assert!((fine / coarse / 300.0 - 1.0).abs() < 1e-12, "{law}"),
        }
        let [coarse, fine] = [coarse, fine].map(|size| row(&truth, law, size));
        // the slowest fall as the root of their size
        assert!(fine.errors.trajectory < 0.2 * coarse.errors.trajectory, "{law}: {coarse:?} {fine:?}");
        assert!(fine.errors.dissipation.abs() < 0.02, "{law}: {fine:?}");
    }
}

/// Bristles have the curve of Stribeck's law, and tend to it.
#[test]
fn bristles_stand_in_for_a_curve() {
    let text = DECAY.replace(
        "coulomb = { mu = 0.3 }",
        "stribeck = { mu = 0.2, mu_static = 0.4, velocity = 0.3, weakening = \"exponential\" }",
    );
    let truth = truth(&text);
    for law in ["tanh", "lugre", "elasto-plastic", "gms"] {
        let pairs = truth.pairs(&[law], &Sizes::default()).unwrap();
        let [coarse, fine] = [pairs[2], pairs[5]].map(|(law, size)| row(&truth, law, size).errors.trajectory);
        assert!(fine < 0.2 * coarse && fine < 0.02, "{law}: {coarse} {fine}");
    }
    assert!(truth.pairs(&["dahl"], &Sizes::default()).is_err(), "dahl has no curve");
}

#[test]
fn sizes_are_asked_for_by_their_kind() {
    let truth = truth(DECAY);
    let sizes = |widths: &[f64], stiffnesses: &[f64]| Sizes {
        widths: widths.into(),
        stiffnesses: stiffnesses.into(),
    };
    let names =
        |names: &[&str], sizes: &Sizes| -> Vec<(&'static str, f64)> { truth.pairs(names, sizes).unwrap() };
    assert!(
        names(&[], &sizes(&[0.1], &[]))
            .iter()
            .all(|(law, size)| { FrictionLaw::size(law) == Some(Size::Width) && *size == 0.1 })
    );
    assert!(
        names(&[], &sizes(&[], &[50.0]))
            .iter()
            .all(|(law, size)| { FrictionLaw::size(law) == Some(Size::Stiffness) && *size == 50.0 })
    );
    assert_eq!(names(&["dahl", "tanh"], &sizes(&[0.1], &[50.0])), [("dahl", 50.0), ("tanh", 0.1)]);
    assert_eq!(names(&["dahl"], &sizes(&[0.1], &[])).len(), 7);
    for faulty in [sizes(&[0.0], &[]), sizes(&[], &[1.0, f64::NAN])] {
        assert!(faulty.check().is_err());
    }
    for (compare, key) in [
        ("{ law = \"jenkins\", stiffness = 0.0 }", "compare.stiffness"),
        ("{ law = \"jenkins\", width = 0.1 }", "compare.width"),
        ("{ law = \"jenkins\" }", "compare.law"),
        ("{ law = \"tanh\", stiffness = 1.0 }", "compare.stiffness"),
        ("{ law = \"rate-and-state\", width = 1.0 }", "compare.law"),
    ] {
        let found = Study::read("compare.toml", &format!("{DECAY}compare = {compare}\n"), &[]).unwrap_err();
        let keys: Vec<&str> = found.iter().map(|fault| fault.key.as_str()).collect();
        assert_eq!(keys, [format!("analysis.transient.{key}")], "{compare}");
    }
    let text = format!("{DECAY}compare = {{ law = \"jenkins\", stiffness = 50.0 }}\n");
    let outcome = Study::read("compare.toml", &text, &[]).unwrap().run(&mut Progress::none()).unwrap();
    let fact = outcome.facts.iter().find(|fact| fact.name() == "error_trajectory").unwrap();
    assert_eq!(fact.value, row(&truth, "jenkins", 50.0).errors.trajectory);
}

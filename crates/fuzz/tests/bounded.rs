//! Some hundred odd texts for every reader, the same ones on every machine. `cargo xtask fuzz` reads millions.

use stiction_fuzz::{Finding, Fuzz, TARGETS};

/// Texts of each target.
const COUNT: usize = 300;
const SEED: u64 = 2026;

fn no_finding(name: &str, found: &[Finding]) {
    if let Some(finding) = found.first() {
        panic!("{name}: {}\n{}", finding.message, String::from_utf8_lossy(&finding.text));
    }
}

#[test]
fn odd_texts_are_answered_or_refused_in_words() {
    for target in &TARGETS {
        let mut fuzz = Fuzz::new(target, SEED);
        no_finding(target.name, &fuzz.replay());
        let n_seeds = fuzz.n_answers();
        for _ in 0..COUNT {
            let text = fuzz.next_text();
            let found = fuzz.read(text);
            no_finding(target.name, found.as_slice());
        }
        assert!(fuzz.n_answers() > 2 * n_seeds.min(20), "{}: {} answers", target.name, fuzz.n_answers());
    }
}

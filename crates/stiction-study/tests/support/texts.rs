//! Texts as users write them.

// helpers of tests may panic like tests
#![allow(clippy::unwrap_used)]

use stiction::Progress;
use stiction_study::{Outcome, Study};

pub fn run(text: &str) -> Outcome {
    Study::read("x.toml", text, &[]).unwrap().run(&mut Progress::none()).unwrap()
}

/// The faults of a text, each as its key and its message.
pub fn faults(text: &str) -> Vec<String> {
    let found = Study::read("x.toml", text, &[]).map(|_| ()).unwrap_err();
    found.iter().map(|fault| format!("{}: {}", fault.key, fault.message)).collect()
}

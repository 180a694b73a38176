//! What was made of a text.

use keyed::{Diagnostic, MAX_SHOWN};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Letters of the longest error that is a help.
const LONGEST: usize = 2000;

/// What was made of a text; texts with the same number are answered alike.
#[derive(Clone, Copy)]
pub enum Answer {
    /// Something is wrong with it.
    Refused(u64),
    /// It was taken.
    Sound(u64),
}

impl Answer {
    /// A text that was taken, by a name for what was made of it.
    pub fn sound(name: &str) -> Self {
        Self::Sound(named(name))
    }
}

/// The number of a list of errors, after a look at each: it must be short, and nothing in it may be obeyed by a terminal.
pub fn refused(list: &[Diagnostic]) -> Answer {
    assert!(!list.is_empty(), "refused without a word");
    assert!(list.len() <= MAX_SHOWN + 1, "{} errors", list.len());
    let mut hasher = DefaultHasher::new();
    for error in list.iter().take(3) {
        let text = error.to_string();
        assert!(text.chars().count() <= LONGEST, "an error of {} letters: {text}", text.len());
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert!(!error.message.is_empty());
        shape(&error.message).hash(&mut hasher);
        shape(&error.key).hash(&mut hasher);
    }
    Answer::Refused(hasher.finish())
}

/// The number of anything that has a name.
pub fn named(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// A text without its numbers and quotations.
pub fn shape(text: &str) -> String {
    let mut is_quoted = false;
    let mut shape = String::new();
    for c in text.chars().take(200) {
        if c == '"' {
            is_quoted = !is_quoted;
        } else if !is_quoted && !c.is_ascii_digit() && !"+-.e".contains(c) {
            shape.push(c);
        }
    }
    shape
}
